//! Conversion between encodings.
//!
//! Every pair of codecs meets in blocks of code points: a reader decodes them, a writer encodes
//! them. A [`Policy`] replaces ill-formed sequences and code points that the target cannot encode.

use std::io;
use std::ops::{ControlFlow, Range};
use std::slice;

use crate::codec::{BOM, Escapes, RunReader};
use crate::finding::stop::{StopReason, UntreatedSequence};
use crate::issue::Issue;
use crate::output::Output;
use crate::policy::{Bom, Policy, optu_escape};
use crate::registry::{Encoding, by_name};
use crate::sink::{AheadWork, Run, Sink, flow_if, outside, starting, within};
use ahead::ConvertWork;

mod ahead;
mod conversion;
mod escape_collisions;
mod ranges;

pub use conversion::Conversion;
pub use ranges::check_ranges;

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
    ///
    /// ```
    /// use utf8::{ConvertOptions, Encoding, Policy, convert};
    ///
    /// let latin1 = Encoding::for_label("latin1").unwrap();
    /// let options = ConvertOptions::to(latin1);
    /// assert_eq!((options.target, options.policy, options.bom), (latin1, Policy::Strict, None));
    /// assert_eq!(convert(Encoding::UTF_8, "café".as_bytes(), &options).unwrap(), b"caf\xE9");
    /// ```
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
    /// The bytes of a character that the writer held back before the part, and after it.
    pub pending: [&'a [u8]; 2],
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

/// U+FEFF of an input, which is text after the byte order mark of the target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExtraMark {
    /// True if the input has no other byte order mark: [`Bom::Keep`] writes one.
    pub is_only: bool,
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

/// The state before a part of an input.
struct PartStart {
    /// The number of bytes in the buffer of the output.
    buffered: usize,
    /// The bytes that the writer holds back.
    pending: Vec<u8>,
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

    /// Passes a part of the input to the journal, if there is one. If the conversion stopped at an
    /// unencodable character, the part ends before it.
    fn record(&mut self, offset: u64, before: &[u8], start: Option<PartStart>) -> io::Result<()> {
        let Some(start) = start else { return Ok(()) };
        let input = &self.conversion.input;
        let before = match &input.stop {
            None => before,
            Some(StopReason::Unencodable { offset: end, .. }) => {
                let converted = end.saturating_sub(offset) as usize;
                &before[..converted.min(before.len())]
            }
            Some(StopReason::IllFormed(_)) => return Ok(()),
        };
        let pending = &self.pending()[..];
        let Some(journal) = &mut self.journal else { return Ok(()) };
        let counts = input.counts.since(start.counts);
        let after = &self.out.buffer()[start.buffered..];
        let pending = [&start.pending, pending];
        journal.part(&ConvertedPart { offset, before, after, pending, counts })
    }

    /// Returns the bytes that the writer holds back.
    fn pending(&self) -> Vec<u8> {
        let mut pending = Vec::new();
        self.conversion.writer.pending(&mut pending);
        pending
    }

    /// Returns the state of the output and of the counts, for [`record`](Convert::record). `None` without
    /// a journal.
    fn mark(&mut self) -> Option<PartStart> {
        self.journal.as_ref()?;
        let (buffered, pending) = (self.out.buffer().len(), self.pending());
        Some(PartStart { buffered, pending, counts: self.conversion.input.counts })
    }

    /// Returns the policy counts, and the reason if the conversion stopped early.
    pub fn end(self) -> (PolicyCounts, Option<StopReason>) {
        let input = &mut self.conversion.input;
        (input.counts, input.stop.take())
    }

    /// Returns the U+FEFF at the start of the input, if the output has it after another byte order mark.
    pub fn extra_mark(&self) -> Option<ExtraMark> {
        self.conversion.input.extra_mark
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
            let input = &mut self.conversion.input;
            input.has_other_mark |= !input.started && block.starts_with(&[BOM, BOM]);
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
        let ConvertOptions { target, bom: asked, .. } = self.conversion.options;
        let is_signed = target.inner.signs && asked.is_none() && self.conversion.is_at_start;
        if bom && is_signed {
            let is_only = !self.conversion.input.has_other_mark;
            self.conversion.input.extra_mark = Some(ExtraMark { is_only });
        }
        if let Err((index, value)) = self.write(&values[skipped..], bytes, reader, from) {
            self.stop_unencodable(offset + index as u64, value);
        }
    }

    /// Converts `bytes`, which the values were decoded from, in parts that end with a line feed or
    /// hold one sequence that the policy treats. Bytes that are no text, such as shift sequences,
    /// are parts of their own.
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
        let is_joined = |at: usize| spans.get(at + 1) == spans.get(at) && at + 1 < values.len();
        // The end of the line, and whether no value in it reads back as an escape. A sequence of
        // several values stands alone.
        let (mut line_end, mut is_plain) = (0, false);
        while self.conversion.input.stop.is_none() {
            let text = spans.get(from).map_or(bytes.len(), |span| span.start);
            if text > start {
                let mark = self.mark();
                self.record(offset + start as u64, &bytes[start..text], mark)?;
                start = text;
            }
            if from >= values.len() {
                break;
            }
            let mark = self.mark();
            if from == line_end {
                let ends = |&at: &usize| values[at] == 0x0A || is_joined(at + 1);
                let alone = (from..values.len()).take_while(|&at| is_joined(at)).count();
                let end = (from + alone..values.len()).find(|at| alone > 0 || ends(at));
                line_end = end.map_or(values.len(), |at| at + 1);
                let mut line = values[from..line_end].iter();
                is_plain = alone == 0 && !line.any(|&value| policy.collides_with_escape(value));
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
            let end = spans[from + number - 1].end;
            self.record(offset + start as u64, &bytes[start..end], mark)?;
            (start, from) = (end, from + number);
        }
        Ok(())
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
            self.conversion.input.has_other_mark = true;
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
        let codec = self.conversion.input.codec;
        let raw = codec.escaped_byte(bytes);
        let raw = raw.as_ref().map_or(bytes, slice::from_ref);
        if self.conversion.options.policy.ill_formed(issue, raw, &mut replacement) {
            let written = self.conversion.store_replacement(&replacement, self.out.buffer());
            if let Some(&value) = replacement.get(written) {
                let byte = written * bytes.len() / replacement.len();
                self.stop_unencodable(issue.offset + byte as u64, value);
            } else {
                self.conversion.input.counts.ill_formed += 1;
            }
        } else {
            let untreated = UntreatedSequence::new(codec, issue, bytes, next);
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
