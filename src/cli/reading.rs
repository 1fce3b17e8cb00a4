//! Reading of inputs into sinks.

use std::io;
use std::ops::Range;

use super::args::{FromCodec, InputArgs};
use super::auto;
use super::inputs::NamedInput;
use super::progress;
use super::session::Session;
use crate::kernel::Kernels;
use crate::registry::Encoding;
use crate::sink::Sink;
use crate::source::{Buffer, MapMode, ReadOptions};
use crate::text::name::InputName;

/// Reads inputs one by one, each into its own sink.
pub(super) struct InputReader<'a> {
    args: &'a InputArgs,
    pub codec: &'static Encoding,
    in_place: bool,
    kernels: &'static Kernels,
    progress: bool,
    buffer: Buffer,
}

/// The result of reading an input.
pub(super) struct ScannedInput<S> {
    pub sink: S,
    /// The codec of the input.
    pub codec: &'static Encoding,
    /// The selected range, in bytes.
    pub range: Range<u64>,
    /// The offset at which reading ended, or its error.
    pub reached: io::Result<u64>,
}

impl<'a> InputReader<'a> {
    /// Returns a reader of inputs in this codec. `in_place` says that the inputs may be replaced.
    pub fn new(
        args: &'a InputArgs,
        in_place: bool,
        codec: &'static Encoding,
        session: &Session,
    ) -> InputReader<'a> {
        let (kernels, progress) = (session.kernels, session.progress);
        InputReader { args, codec, in_place, kernels, progress, buffer: Buffer::default() }
    }

    /// Reads an input into the sink that `sink` makes for its codec and range.
    ///
    /// # Errors
    /// Those of opening it.
    pub fn pass<S: Sink>(
        &mut self,
        input: NamedInput<'_>,
        name: &InputName<'_>,
        sink: impl FnOnce(&'static Encoding, Range<u64>) -> S,
    ) -> io::Result<ScannedInput<S>> {
        let opening = |codec| {
            let opening = self.args.opening(codec, false);
            // The bytes that are written are those that were judged.
            let map = if self.in_place { MapMode::Never } else { opening.map };
            ReadOptions { map, ..opening }
        };
        let (codec, mut source) = match self.args.from {
            Some(FromCodec::Auto) => auto::open(input, opening, self.kernels, &mut self.buffer)?,
            _ => (self.codec, input.open(&opening(self.codec), &mut self.buffer)?),
        };
        let range = source.range();
        let mut sink = sink(codec, range.clone());
        let shown = self.progress.then(|| name.shown());
        let reached = progress::scan(&mut source, codec, self.kernels, shown, &mut sink);
        Ok(ScannedInput { sink, codec, range, reached })
    }
}
