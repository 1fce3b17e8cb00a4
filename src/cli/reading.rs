//! How does an input pass through what makes something of it?

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

/// Reads inputs, one after another, each into a sink of its own.
pub(super) struct InputReader<'a> {
    args: &'a InputArgs,
    pub codec: &'static Encoding,
    in_place: bool,
    kernels: &'static Kernels,
    progress: bool,
    buffer: Buffer,
}

/// An input that was read.
pub(super) struct ScannedInput<S> {
    pub sink: S,
    /// What it was read as.
    pub codec: &'static Encoding,
    /// What was wanted of it.
    pub range: Range<u64>,
    /// Where its end was reached, or why it was not.
    pub reached: io::Result<u64>,
}

impl<'a> InputReader<'a> {
    /// Reads inputs as this codec. `in_place` says that what is read may be replaced.
    pub fn new(
        args: &'a InputArgs,
        in_place: bool,
        codec: &'static Encoding,
        session: &Session,
    ) -> InputReader<'a> {
        let (kernels, progress) = (session.kernels, session.progress);
        InputReader { args, codec, in_place, kernels, progress, buffer: Buffer::default() }
    }

    /// Read one into the sink that is made for what is wanted of it.
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
            // What is to be replaced is never mapped.
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
        let reached = progress::feed(&mut source, codec, self.kernels, shown, &mut sink);
        Ok(ScannedInput { sink, codec, range, reached })
    }
}
