//! Conversion between encodings.
//!
//! Every pair of codecs meets in blocks of code points: a reader decodes them, a writer encodes
//! them. A [`Policy`] replaces ill-formed sequences and code points that the target cannot encode.

use std::io;
use std::ops::{ControlFlow, Range};

use crate::codec::{BOM, Escapes, RunReader, TextWriter};
use crate::finding::stop::{StopReason, UntreatedSequence};
use crate::issue::Issue;
use crate::kernel::Kernels;
use crate::output::Output;
use crate::policy::{Bom, Policy, REPLACEMENT, optu_escape};
use crate::registry::{Encoding, by_name};
use crate::sink::{AheadWork, Run, Sink, flow_if, outside, starting, within};
use ahead::ConvertWork;
use escape_collisions::EscapeCollisions;

mod ahead;
mod escape_collisions;
mod ranges;

pub use ranges::check_ranges;

/// Number of code points per block; a block fits in the first-level cache.
const BLOCK: usize = 2048;

/// Number of bytes that are converted directly at a time: they fit in the first-level cache, so that
/// validation and conversion read memory once.
const DIRECT: usize = 16 << 10;

/// The options of a conversion.
///
/// ```
/// use utf8::{ConvertOptions, Encoding, Policy, convert};
///
/// let mut options = ConvertOptions::to(Encoding::for_label("latin1").unwrap());
/// options.policy = Policy::Transliterate;
/// assert_eq!(convert(Encoding::UTF_8, "Œuvre".as_bytes(), &options).unwrap(), b"Oeuvre");
/// ```
#[derive(Clone, Copy, Debug)]
// The tests name every field, so that none is forgotten.
#[cfg_attr(not(feature = "unstable-internals"), non_exhaustive)]
pub struct ConvertOptions {
    /// The encoding to write.
    pub target: &'static Encoding,
    /// The extent of escaping in a notation.
    pub escapes: Escapes,
    /// The treatment of ill-formed sequences and unencodable code points.
    pub policy: Policy,
    /// The treatment of U+FEFF at the start of an input; `None` leaves it to the codecs.
    pub bom: Option<Bom>,
}

impl ConvertOptions {
    /// Creates options that write an encoding, stop at the first error and leave byte order marks
    /// to the codecs.
    pub fn to(target: &'static Encoding) -> ConvertOptions {
        let (escapes, policy) = (Escapes::default(), Policy::default());
        ConvertOptions { target, escapes, policy, bom: None }
    }

    /// Appends the replacement for a code point that the target lacks, if there is one.
    fn replace(&self, value: u32, replacement: &mut Vec<u32>) -> bool {
        self.policy.unencodable(value, self.target, replacement)
    }
}

/// A part of an input and its conversion.
#[derive(Clone, Copy, Debug)]
pub struct ConvertedPart<'a> {
    /// The offset of the first byte in the input.
    pub offset: u64,
    /// Its bytes.
    pub before: &'a [u8],
    /// The bytes written after those of the part before it. The writer of an encoding with shift
    /// sequences may write some of them later.
    pub after: &'a [u8],
    /// The number of times that the policy was applied.
    pub counts: PolicyCounts,
}

/// A receiver of the parts of a conversion, in order and without a gap.
pub trait ConvertJournal {
    /// Returns `true` if a part is to end with each line feed, and to hold no other sequence than
    /// one that the policy treats.
    fn is_fine(&self) -> bool;

    /// Receives a part.
    ///
    /// # Errors
    /// Errors of writing.
    fn part(&mut self, part: &ConvertedPart<'_>) -> io::Result<()>;
}

/// The state of an output into which inputs are converted one after another.
pub struct Conversion {
    kernels: &'static Kernels,
    options: ConvertOptions,
    writer: Box<dyn TextWriter>,
    /// True until the first input with text decides on the byte order mark.
    bom_undecided: bool,
    /// True until something is written at the start of a text.
    is_at_start: bool,
    values: Vec<u32>,
    replacement: Vec<u32>,
    /// True if the target lacks characters of the escapes that the policy writes.
    lacks_escapes: bool,
    collisions: Option<EscapeCollisions>,
    input: ConvertProgress,
}

/// Number of times that a policy was applied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PolicyCounts {
    /// Ill-formed sequences.
    pub ill_formed: u64,
    /// Code points that the target cannot encode.
    pub unencodable: u64,
    /// Code points of the text that would read back as escapes and were escaped themselves.
    pub reescaped: u64,
    /// True if the text has well-formed code points.
    pub has_text: bool,
}

impl PolicyCounts {
    /// Returns the numbers after these earlier ones.
    fn since(self, earlier: PolicyCounts) -> PolicyCounts {
        PolicyCounts {
            ill_formed: self.ill_formed - earlier.ill_formed,
            unencodable: self.unencodable - earlier.unencodable,
            reescaped: self.reescaped - earlier.reescaped,
            ..self
        }
    }
}

impl Conversion {
    /// Creates the state of an empty output.
    pub fn new(kernels: &'static Kernels, options: ConvertOptions) -> Conversion {
        Conversion {
            kernels,
            options,
            writer: options.target.writer(options.escapes),
            bom_undecided: options.bom.is_some(),
            is_at_start: true,
            values: vec![0; BLOCK],
            replacement: Vec::new(),
            lacks_escapes: options.policy == Policy::BackslashReplace
                && options.policy.lacking(options.target).is_some(),
            collisions: options.target.inner.escape.map(EscapeCollisions::new),
            // Until the first input begins.
            input: ConvertProgress::new(options.target, 0..0),
        }
    }

    /// Begins an input in this codec, of which a range is converted. Only a range at the start has a
    /// byte order mark, so that those of the other ranges can follow it.
    pub(crate) fn begin(&mut self, source: &'static Encoding, range: Range<u64>) {
        if range.start > 0 || range.is_empty() {
            self.writer.sign(false);
            self.bom_undecided = false;
            self.is_at_start = false;
        }
        self.input = ConvertProgress::new(source, range);
    }

    /// Begins an input within its text, at the start of a line.
    fn resume_at_line(&mut self, source: &'static Encoding) {
        self.begin(source, 0..u64::MAX);
        self.input.started = true;
        self.input.counts.has_text = true;
        self.is_at_start = false;
        self.writer.restart();
    }

    /// Returns the reason if the conversion of the input stopped early.
    pub(crate) fn stop(&self) -> Option<&StopReason> {
        self.input.stop.as_ref()
    }

    /// Writes the bytes that end the text, after the last input. Returns their number: they are the
    /// last in the buffer of the output.
    pub fn finish(mut self, out: &mut Output) -> usize {
        let before = out.buffer().len();
        self.decide_bom(false);
        self.writer.finish(out.buffer());
        out.buffer().len() - before
    }

    /// Returns the number of escaped bytes that form characters together, and so do not read back
    /// as escapes.
    pub fn joined_escapes(&self) -> u64 {
        self.collisions.as_ref().map_or(0, EscapeCollisions::count)
    }

    /// Decides on the byte order mark at the start of an input. Returns `true` if the U+FEFF of the
    /// input, if it has one, is consumed.
    fn decide_bom(&mut self, has_bom: bool) -> bool {
        let Some(bom) = self.options.bom else { return false };
        let writes_bom = match bom {
            Bom::Keep => has_bom && self.options.target.can_encode(BOM),
            Bom::Remove => false,
            Bom::Add => true,
        };
        if std::mem::take(&mut self.bom_undecided) {
            self.writer.sign(writes_bom);
        }
        has_bom && (writes_bom || bom == Bom::Remove)
    }

    /// Writes code points up to the first that the target cannot encode. Returns their number.
    fn store(&mut self, values: &[u32], out: &mut Vec<u8>) -> usize {
        let before = out.len();
        let stored = self.writer.store(self.kernels, values, out);
        if self.is_at_start {
            let target = self.options.target;
            let written = &out[before..];
            self.is_at_start = written.is_empty();
            // A noncharacter would be read as a byte order mark of the other order.
            let signature = target.inner.signature;
            if target.after_bom(written).is_some() && !written.starts_with(signature) {
                out.splice(before..before, signature.iter().copied());
            }
        }
        if let Some(collisions) = &mut self.collisions {
            collisions.record(&values[..stored]);
        }
        stored
    }

    /// Writes a replacement, with `?` for U+FFFD if the target lacks that. Returns the number of
    /// code points up to the first that the target cannot encode. An escape is written whole or not
    /// at all.
    fn store_replacement(&mut self, values: &[u32], out: &mut Vec<u8>) -> usize {
        let lacks = |&value: &u32| !self.options.target.can_encode(value);
        if self.lacks_escapes
            && let Some(at) = values.iter().position(lacks)
        {
            return at;
        }
        let mut at = 0;
        loop {
            at += self.store(&values[at..], out);
            match values.get(at) {
                Some(&REPLACEMENT) if self.store(&['?'.into()], out) == 1 => at += 1,
                _ => return at,
            }
        }
    }
}

impl std::fmt::Debug for Conversion {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Conversion").field("options", &self.options).finish_non_exhaustive()
    }
}

/// The state of the conversion of one input.
struct ConvertProgress {
    /// The codec of the text: the named one, or the one that a signature selects.
    codec: &'static Encoding,
    range: Range<u64>,
    started: bool,
    counts: PolicyCounts,
    stop: Option<StopReason>,
}

impl ConvertProgress {
    fn new(source: &'static Encoding, range: Range<u64>) -> ConvertProgress {
        let counts = PolicyCounts::default();
        ConvertProgress { codec: source, range, started: false, counts, stop: None }
    }
}

/// The state before a part of an input.
#[derive(Clone, Copy)]
struct PartStart {
    /// The number of bytes in the buffer of the output.
    buffered: usize,
    counts: PolicyCounts,
}

/// Converts a range of an input.
pub struct Convert<'a> {
    conversion: &'a mut Conversion,
    out: &'a mut Output,
    journal: Option<&'a mut dyn ConvertJournal>,
}

impl<'a> Convert<'a> {
    /// Creates a converter of a range of an input in this codec.
    pub fn new(
        conversion: &'a mut Conversion,
        source: &'static Encoding,
        range: Range<u64>,
        out: &'a mut Output,
    ) -> Convert<'a> {
        conversion.begin(source, range);
        Convert::resume(conversion, out)
    }

    /// Continues the conversion of an input.
    pub(crate) fn resume(conversion: &'a mut Conversion, out: &'a mut Output) -> Convert<'a> {
        Convert { conversion, out, journal: None }
    }

    /// Adds a journal, which receives all parts of the input.
    #[must_use]
    pub fn with_journal(self, journal: Option<&'a mut dyn ConvertJournal>) -> Convert<'a> {
        Convert { journal, ..self }
    }

    /// Passes a part of the input to the journal. If the conversion stopped at an unencodable
    /// character, the part ends before it.
    fn record(&mut self, offset: u64, before: &[u8], start: PartStart) -> io::Result<()> {
        let input = &self.conversion.input;
        let before = match &input.stop {
            None => before,
            Some(StopReason::Unencodable { offset: end, .. }) => {
                let converted = end.saturating_sub(offset) as usize;
                &before[..converted.min(before.len())]
            }
            Some(StopReason::IllFormed(_)) => return Ok(()),
        };
        let Some(journal) = self.journal.as_mut() else { return Ok(()) };
        let counts = input.counts.since(start.counts);
        let after = &self.out.buffer()[start.buffered..];
        journal.part(&ConvertedPart { offset, before, after, counts })
    }

    /// Returns the state of the output and of the counts, for [`record`](Convert::record).
    fn mark(&mut self) -> PartStart {
        PartStart { buffered: self.out.buffer().len(), counts: self.conversion.input.counts }
    }

    /// Returns the policy counts, and the reason if the conversion stopped early.
    pub fn end(self) -> (PolicyCounts, Option<StopReason>) {
        let input = &mut self.conversion.input;
        (input.counts, input.stop.take())
    }

    /// Starts the text. Returns `true` if its U+FEFF is consumed.
    fn start(&mut self, has_bom: bool) -> bool {
        let started = std::mem::replace(&mut self.conversion.input.started, true);
        !started && self.conversion.decide_bom(has_bom)
    }

    /// Converts a run of whole sequences. Returns `false` if the conversion stopped.
    fn convert_run(
        &mut self,
        offset: u64,
        bytes: &[u8],
        reader: &mut dyn RunReader,
    ) -> io::Result<bool> {
        let mut values = std::mem::take(&mut self.conversion.values);
        let is_fine = self.journal.as_ref().is_some_and(|journal| journal.is_fine());
        let mut at = 0;
        while at < bytes.len() && self.conversion.input.stop.is_none() {
            at += self.convert_front(&bytes[at..], reader)?;
            let rest = &bytes[at..];
            if rest.is_empty() {
                break;
            }
            let loaded = reader.load(self.conversion.kernels, rest, &mut values);
            let block = &values[..loaded.written];
            // A mapped file that changed meanwhile may have nothing to read here.
            let rest = if loaded.read == 0 { rest } else { &rest[..loaded.read] };
            let block_offset = offset + at as u64;
            match is_fine {
                true => self.convert_sequences(block_offset, rest, block, reader)?,
                false => {
                    let mark = self.mark();
                    self.convert_values(block_offset, rest, block, 0, reader);
                    self.record(block_offset, rest, mark)?;
                }
            }
            at += rest.len();
            self.out.settle()?;
        }
        self.conversion.values = values;
        Ok(self.conversion.input.stop.is_none())
    }

    /// Converts the front of a run without the code points, if the options ask for nothing but an
    /// encoding scheme of Unicode. Returns the number of bytes read.
    fn convert_directly(&mut self, bytes: &[u8], reader: &mut dyn RunReader) -> usize {
        let Conversion { kernels, options, .. } = &*self.conversion;
        // A scheme has every code point that a run can have.
        match options.target.inner.scheme.filter(|_| self.is_plain()) {
            Some(scheme) => reader.transcode(kernels, bytes, scheme, self.out.buffer()),
            None => 0,
        }
    }

    /// Returns `true` if the options ask for nothing but the encoding of the rest of the text, where
    /// that is well-formed and the target has its code points.
    fn is_plain(&self) -> bool {
        // Text before decided about the byte order mark.
        let is_decided = !self.conversion.is_at_start && self.conversion.input.counts.has_text;
        is_decided && self.is_plain_after_bom()
    }

    /// Returns `true` if the conversion [is plain](Self::is_plain) after the first code point.
    fn is_plain_after_bom(&self) -> bool {
        let Conversion { options, collisions, .. } = &*self.conversion;
        let ConvertOptions { target: _, escapes: _, policy, bom: _ } = *options;
        collisions.is_none() && !policy.escapes_bytes() && self.journal.is_none()
    }

    /// Converts the front of a text directly, until that is impossible. Returns the number of bytes.
    fn convert_front(&mut self, bytes: &[u8], reader: &mut dyn RunReader) -> io::Result<usize> {
        let mut at = 0;
        loop {
            let rest = &bytes[at..];
            let read = self.convert_directly(&rest[..rest.len().min(DIRECT)], reader);
            if read == 0 {
                return Ok(at);
            }
            at += read;
            self.out.settle()?;
        }
    }

    /// Converts code points decoded from `bytes`, after the first `from`, which are converted.
    fn convert_values(
        &mut self,
        offset: u64,
        bytes: &[u8],
        values: &[u32],
        mut from: usize,
        reader: &dyn RunReader,
    ) {
        // Shift sequences and whitespace of a notation are no text: the byte order mark waits for
        // the first code point.
        let Some(&value) = values.first() else { return };
        let input = &mut self.conversion.input;
        input.counts.has_text = true;
        let bom = !input.started && input.range.start == 0 && value == BOM;
        let skipped = usize::from(self.start(bom));
        from += skipped;
        if let Err((index, value)) = self.write(&values[skipped..], bytes, reader, from) {
            self.stop_unencodable(offset + index as u64, value);
        }
    }

    /// Converts `bytes`, which the values were decoded from, in parts that end with a line feed or
    /// hold one sequence that the policy treats. Bytes that are no text belong to the sequence
    /// before them.
    fn convert_sequences(
        &mut self,
        offset: u64,
        bytes: &[u8],
        values: &[u32],
        reader: &dyn RunReader,
    ) -> io::Result<()> {
        let policy = self.conversion.options.policy;
        let spans = reader.spans(bytes, values.len());
        let (mut start, mut from) = (0, 0);
        // The end of the line, and whether no value in it reads back as an escape.
        let (mut line_end, mut is_plain) = (0, false);
        loop {
            let mark = self.mark();
            if from == line_end {
                let feed = values[from..].iter().position(|&value| value == 0x0A);
                line_end = feed.map_or(values.len(), |at| from + at + 1);
                let mut line = values[from..line_end].iter();
                is_plain = !line.any(|&value| policy.collides_with_escape(value));
            }
            let stored = match is_plain && self.conversion.input.started {
                true => self.conversion.store(&values[from..line_end], self.out.buffer()),
                false => 0,
            };
            let number = if stored > 0 {
                stored
            } else {
                let same = |span: &&Range<usize>| spans.get(from) == Some(span);
                let number = spans[from..line_end].iter().take_while(same).count();
                self.convert_values(offset, bytes, &values[from..from + number], from, reader);
                number
            };
            let end = spans.get(from + number).map_or(bytes.len(), |next| next.start);
            self.record(offset + start as u64, &bytes[start..end], mark)?;
            (start, from) = (end, from + number);
            if from >= values.len() || self.conversion.input.stop.is_some() {
                return Ok(());
            }
        }
    }

    /// Writes code points decoded from `bytes`, after the first `from`, which are consumed. The
    /// error is the offset in `bytes` and the value of a code point that has no replacement.
    fn write(
        &mut self,
        values: &[u32],
        bytes: &[u8],
        reader: &dyn RunReader,
        from: usize,
    ) -> Result<(), (usize, u32)> {
        let policy = self.conversion.options.policy;
        let spans = || reader.spans(bytes, from + values.len()).split_off(from);
        if values.iter().any(|&value| policy.collides_with_escape(value)) {
            return self.write_escaped(values, bytes, &spans());
        }
        self.put(values).map_err(|at| (spans()[at].start, values[at]))
    }

    /// Does the work of [`write`](Self::write) where some code points would read back as escapes.
    fn write_escaped(
        &mut self,
        values: &[u32],
        bytes: &[u8],
        spans: &[Range<usize>],
    ) -> Result<(), (usize, u32)> {
        for (&value, span) in values.iter().zip(spans) {
            if self.conversion.options.policy.collides_with_escape(value) {
                self.conversion.input.counts.reescaped += 1;
                let escapes: Vec<_> =
                    bytes[span.clone()].iter().map(|&byte| optu_escape(byte)).collect();
                self.put(&escapes).map_err(|at| (span.start + at, escapes[at]))?;
            } else {
                self.put(&[value]).map_err(|_| (span.start, value))?;
            }
        }
        Ok(())
    }

    /// Writes code points, with the policy's replacement for each that the target cannot encode.
    /// The error is the index of one that has none.
    fn put(&mut self, values: &[u32]) -> Result<(), usize> {
        let mut at = 0;
        loop {
            at += self.conversion.store(&values[at..], self.out.buffer());
            let Some(&value) = values.get(at) else { return Ok(()) };
            let conversion = &mut *self.conversion;
            let mut replacement = std::mem::take(&mut conversion.replacement);
            replacement.clear();
            let replaced = conversion.options.replace(value, &mut replacement)
                && conversion.store_replacement(&replacement, self.out.buffer())
                    == replacement.len();
            conversion.replacement = replacement;
            if !replaced {
                return Err(at);
            }
            self.conversion.input.counts.unencodable += 1;
            at += 1;
        }
    }

    /// Stops the conversion at a code point that the target cannot encode.
    fn stop_unencodable(&mut self, offset: u64, value: u32) {
        let target = self.conversion.options.target;
        self.conversion.input.stop = Some(StopReason::Unencodable { offset, value, target });
    }
}

impl Sink for Convert<'_> {
    fn run(&mut self, mut run: Run<'_>) -> io::Result<ControlFlow<()>> {
        if let Some(after) = run.prepared
            && self.conversion.writer.is_restarted()
        {
            self.out.copy(after)?;
            return Ok(flow_if(run.end() < self.conversion.input.range.end));
        }
        let part = starting(&self.conversion.input.range, &mut run);
        let done = run.end() >= self.conversion.input.range.end;
        let on = self.convert_run(run.offset + part.start as u64, &run.bytes[part], run.reader)?;
        Ok(flow_if(on && !done))
    }

    fn signature(&mut self, offset: u64, bytes: &[u8]) -> io::Result<ControlFlow<()>> {
        let mark = self.mark();
        let decides =
            self.conversion.input.range.contains(&offset) && self.conversion.options.bom.is_some();
        // A kept U+FEFF that the target cannot write as a signature is text.
        if decides
            && !self.start(true)
            && let Err(at) = self.put(&[BOM])
        {
            self.stop_unencodable(offset + at as u64, BOM);
        }
        if self.conversion.input.range.contains(&offset) {
            self.record(offset, bytes, mark)?;
        }
        Ok(flow_if(self.conversion.input.stop.is_none()))
    }

    fn issue(
        &mut self,
        issue: &Issue,
        bytes: &[u8],
        next: Option<u8>,
    ) -> io::Result<ControlFlow<()>> {
        if let Some(flow) = outside(&self.conversion.input.range, issue) {
            return Ok(flow);
        }
        self.start(false);
        let mark = self.mark();
        let mut replacement = std::mem::take(&mut self.conversion.replacement);
        replacement.clear();
        if self.conversion.options.policy.ill_formed(issue, bytes, &mut replacement) {
            let written = self.conversion.store_replacement(&replacement, self.out.buffer());
            if let Some(&value) = replacement.get(written) {
                let byte = written * bytes.len() / replacement.len();
                self.stop_unencodable(issue.offset + byte as u64, value);
            } else {
                self.conversion.input.counts.ill_formed += 1;
            }
        } else {
            let untreated = UntreatedSequence::new(self.conversion.input.codec, issue, bytes, next);
            self.conversion.input.stop = Some(StopReason::IllFormed(untreated));
        }
        self.conversion.replacement = replacement;
        self.record(issue.offset, bytes, mark)?;
        self.out.settle()?;
        Ok(flow_if(self.conversion.input.stop.is_none()))
    }

    fn takes_unscanned(&self) -> bool {
        self.conversion.options.target.inner.scheme.is_some() && self.is_plain_after_bom()
    }

    fn take_unscanned(
        &mut self,
        offset: u64,
        bytes: &[u8],
        reader: &mut dyn RunReader,
    ) -> io::Result<usize> {
        let part = within(&self.conversion.input.range, offset, bytes);
        match part.start {
            0 => self.convert_front(&bytes[part], reader),
            _ => Ok(0),
        }
    }

    fn tolerates_changes(&self) -> bool {
        true
    }

    fn work_ahead(&self) -> Option<Box<dyn AheadWork>> {
        let Conversion { kernels, options, input, .. } = &*self.conversion;
        let (target, source) = (options.target, input.codec);
        let options = ConvertOptions { policy: Policy::Strict, bom: None, ..*options };
        let mut writer = target.writer(options.escapes);
        writer.restart();
        let has_state = !writer.put('a'.into(), &mut Vec::new()) || !writer.is_restarted();
        let needs_lines = has_state || target.properties.stateful;
        // Lines are found by their bytes.
        let has_lines = source.properties.transparent && target.inner.restarts_by_line;
        let is_possible = self.is_plain() && (!needs_lines || has_lines);
        let conversion = || Conversion::new(kernels, options);
        let work = || ConvertWork { conversion: conversion(), source, needs_lines };
        is_possible.then(|| Box::new(work()) as Box<_>)
    }

    fn codec(&mut self, codec: &'static str) {
        self.conversion.input.codec = by_name(codec);
    }

    fn pause(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
