//! Reading of inputs into sinks.

use std::io;
use std::ops::Range;

use super::args::InputArgs;
use super::auto::{self, DamagePolicy, DetectedInput};
use super::first_block::FirstBlock;
use super::inputs::NamedInput;
use super::progress;
use super::session::Session;
use crate::finding::locate::{Locator, Position};
use crate::finding::positions::PositionFinder;
use crate::kernel::Kernels;
use crate::registry::Encoding;
use crate::sink::Sink;
use crate::source::{Buffer, MapMode, ReadOptions, ThreadCount};
use crate::text::name::InputName;

/// Reads inputs one by one, each into its own sink.
pub(super) struct InputReader<'a> {
    args: &'a InputArgs,
    /// The codec of inputs that have none of their own.
    default: &'static Encoding,
    /// The codec of the last input.
    pub codec: &'static Encoding,
    in_place: bool,
    /// See [`ReadOptions::context`].
    pub context: u64,
    kernels: &'static Kernels,
    progress: bool,
    threads: ThreadCount,
    buffer: Buffer,
    /// The next input, if its codec was detected.
    detected: Option<DetectedInput>,
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
    /// The start of the range.
    pub first: FirstBlock,
}

impl<'a> InputReader<'a> {
    /// Returns a reader of inputs in this codec. `in_place` says that the inputs may be replaced.
    pub fn new(
        args: &'a InputArgs,
        in_place: bool,
        codec: &'static Encoding,
        session: &Session,
    ) -> InputReader<'a> {
        let Session { kernels, progress, threads, .. } = *session;
        let buffer = Buffer::default();
        InputReader {
            args,
            default: codec,
            codec,
            in_place,
            context: 0,
            kernels,
            progress,
            threads,
            buffer,
            detected: None,
        }
    }

    /// Returns the codec of inputs that have none of their own.
    pub fn default_codec(&self) -> &'static Encoding {
        self.default
    }

    /// Sets the codec of the next input. Returns it if it is declared for this input, or if
    /// `--from auto` asks to detect it.
    ///
    /// # Errors
    /// Those of opening and reading; no codec is probable enough.
    pub fn detect(
        &mut self,
        input: NamedInput<'_>,
        damage: DamagePolicy,
    ) -> io::Result<Option<&'static Encoding>> {
        self.detected = None;
        if let Some(codec) = input.declared() {
            self.codec = codec;
            return Ok(Some(codec));
        }
        if !self.args.is_auto() {
            self.codec = self.default;
            return Ok(None);
        }
        let utf8 = self.options(Encoding::UTF_8);
        let found = auto::detect(input, utf8, damage, self.kernels, &mut self.buffer)?;
        self.codec = found.codec;
        self.detected = Some(found);
        Ok(Some(self.codec))
    }

    /// Scans an input into the sink that `sink` returns for its codec and range.
    ///
    /// # Errors
    /// Those of opening the input.
    pub fn scan<S: Sink>(
        &mut self,
        input: NamedInput<'_>,
        name: &InputName<'_>,
        sink: impl FnOnce(&'static Encoding, Range<u64>) -> S,
    ) -> io::Result<ScannedInput<S>> {
        if self.detected.is_none() {
            self.detect(input, DamagePolicy::Refuse)?;
        }
        let codec = self.codec;
        let (threads, context) = (self.threads, self.context);
        let options = ReadOptions { threads, context, ..self.options(codec) };
        let mut source = match self.detected.take() {
            Some(detected) => detected.open(input, &options, &mut self.buffer)?,
            None => input.open(&options, &mut self.buffer)?,
        };
        let range = source.range();
        source.keep_head();
        let mut sink = sink(codec, range.clone());
        let shown = self.progress.then(|| name.shown());
        let reached = progress::scan(&mut source, codec, self.kernels, shown, &mut sink);
        let first = FirstBlock { offset: range.start, bytes: source.take_head() };
        Ok(ScannedInput { sink, codec, range, reached, first })
    }

    /// Returns the positions of ascending offsets in an input that is read again, in the codec of the
    /// last one.
    ///
    /// # Errors
    /// Those of opening it and of reading.
    pub fn find_positions(
        &mut self,
        input: NamedInput<'_>,
        offsets: Vec<u64>,
    ) -> io::Result<Vec<Position>> {
        let (codec, kernels) = (self.codec, self.kernels);
        let options = self.options(codec);
        let mut source = input.open(&options, &mut self.buffer)?;
        let locator = Locator::new(codec, kernels, true, source.lookback());
        let mut finder = PositionFinder::new(locator, offsets);
        let reached = source.scan(codec, kernels, &mut finder)?;
        finder.end(reached)
    }

    /// Scans an input, in a codec, into a sink.
    ///
    /// # Errors
    /// Those of opening it, of reading and of the sink.
    pub fn examine(
        &mut self,
        input: NamedInput<'_>,
        codec: &'static Encoding,
        sink: &mut dyn Sink,
    ) -> io::Result<()> {
        let options = self.options(codec);
        input.open(&options, &mut self.buffer)?.scan(codec, self.kernels, sink).map(drop)
    }

    /// Returns the options to read an input in a codec.
    fn options(&self, codec: &Encoding) -> ReadOptions {
        let options = self.args.opening(codec, false);
        // A mapping can change between the check of its bytes and the write.
        let map = if self.in_place { MapMode::Never } else { options.map };
        ReadOptions { map, ..options }
    }
}
