//! The end of the stage chain: output and journal.

use std::error::Error;
use std::ops::Range;
use std::{fmt, io};

use super::encode::{encode, encode_with, unmarked_writer};
use super::joins::{JoinGuard, JoinedCharacter};
use super::journal::{Change, Journal, Occurrences, RepairSummary};
use super::segment::TextSegment;
use super::skipped::SkippedRepair;
use super::stage::SegmentReceiver;
use super::stages::RepairReason;
use crate::codec::TextWriter;
use crate::kernel::{Kernels, Replaced};
use crate::output::OutputRef;
use crate::registry::Encoding;
use crate::sink::within;

/// Number of bytes after an ill-formed sequence that go to the kernel for dense faults.
const DENSE: usize = 4 << 10;

/// The destination of a repair.
#[derive(Default)]
pub struct RepairTarget<'a> {
    /// The output; `None` for a dry run.
    pub output: Option<OutputRef<'a>>,
    /// The journal; `None` for none.
    pub journal: Option<&'a mut dyn Journal>,
    /// The output for lines that the policy leaves out; `None` for none.
    pub rejects: Option<OutputRef<'a>>,
    /// True if the output already holds earlier inputs.
    pub appended: bool,
    /// The encoding in which these are read; `None` if they are empty.
    pub read_as: Option<&'static Encoding>,
    /// True if the counts of the summary are not needed once the text is written: changes may go
    /// uncounted, and text beyond a truncation limit unread.
    pub uncounted: bool,
}

/// The error of a repair whose output would be read in another byte order than the text: little-endian
/// text without its byte order mark, or after big-endian text.
///
/// ```
/// use utf8::{Bom, Encoding, Policy, RepairError, RepairPlan, repair};
///
/// let mut plan = RepairPlan::new(Policy::Strict);
/// plan.bom = Bom::Remove;
/// let utf16 = Encoding::for_label("utf-16").unwrap();
/// let error = repair(utf16, b"\xFF\xFEa\0", &plan).unwrap_err();
/// assert!(matches!(error, RepairError::ByteOrder(error) if error.text.name == "utf-16le"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ByteOrderError {
    /// The encoding of the text.
    pub text: &'static Encoding,
    /// The encoding in which the output would be read.
    pub read_as: &'static Encoding,
}

impl fmt::Display for ByteOrderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ByteOrderError { text, read_as } = self;
        write!(f, "the text is {}, but the output would be read as {}", text.name, read_as.name)
    }
}

impl Error for ByteOrderError {}

/// Writes the segments of a range of the source, and reports them to the journal.
pub(super) struct RepairOutput<'a> {
    /// The range, if segments outside of it are context.
    range: Option<Range<u64>>,
    pub output: Option<OutputRef<'a>>,
    journal: Option<&'a mut dyn Journal>,
    rejects: Option<OutputRef<'a>>,
    /// The codec of the text: the named one, or the one that a signature selects.
    pub codec: &'static Encoding,
    /// The named codec.
    named: &'static Encoding,
    /// The encoding in which the output is read; `None` while it is empty.
    read_as: Option<&'static Encoding>,
    /// True once the output is known to be read in the byte order of the text.
    in_order: bool,
    /// The error that ended the repair.
    refusal: Option<ByteOrderError>,
    /// Re-encodes all of the text, in codecs whose bytes depend on those before them.
    reencoder: Option<Box<dyn TextWriter>>,
    /// Keeps sequences apart; `None` if they are not kept apart, and in codecs that need none.
    guard: Option<JoinGuard>,
    encoded: Vec<u8>,
    /// The bytes that it held back before the last segment, if there is a journal.
    pending: Vec<u8>,
    pub summary: RepairSummary,
}

impl SegmentReceiver for RepairOutput<'_> {
    fn push(&mut self, segment: &TextSegment<'_>) -> io::Result<()> {
        let Some(segment) = &self.of_range(segment) else { return Ok(()) };
        self.summary.read += segment.before.len() as u64;
        if segment.reasons.is_empty() && self.reencoder.is_none() {
            return self.same(segment.offset, segment.before);
        }
        if self.writes_utf8() {
            return self.push_encoded(segment, segment.after);
        }
        let mut encoded = std::mem::take(&mut self.encoded);
        encoded.clear();
        self.encode(segment.after, &mut encoded);
        let pushed = self.push_encoded(segment, &encoded);
        self.encoded = encoded;
        pushed
    }

    fn push_elided(&mut self, segment: &TextSegment<'_>, elided: u64) -> io::Result<()> {
        let Some(segment) = &self.of_range(segment) else { return Ok(()) };
        self.summary.read += segment.before.len() as u64 + elided;
        if self.writes_utf8() {
            return self.change(segment, elided, segment.after);
        }
        let mut encoded = Vec::new();
        self.encode(segment.after, &mut encoded);
        self.change(segment, elided, &encoded)
    }

    fn push_dropped(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.rejects.as_mut().map_or(Ok(()), |rejects| rejects.copy(bytes))
    }

    fn push_skipped(&mut self, skipped: &SkippedRepair<'_>) -> io::Result<()> {
        self.journal.as_mut().map_or(Ok(()), |journal| journal.skipped(skipped))
    }

    fn note_unnormalized(&mut self, offset: u64) {
        if self.range.as_ref().is_none_or(|range| range.contains(&offset)) {
            Occurrences::add(&mut self.summary.unnormalized, offset);
        }
    }
}

impl<'a> RepairOutput<'a> {
    /// Creates the output for a range of text of this codec.
    pub fn new(
        target: RepairTarget<'a>,
        codec: &'static Encoding,
        range: &Range<u64>,
        has_context: bool,
    ) -> RepairOutput<'a> {
        RepairOutput {
            // The output of the range before has the byte order mark.
            in_order: range.start > 0,
            range: has_context.then(|| range.clone()),
            output: target.output,
            journal: target.journal,
            rejects: target.rejects,
            codec,
            named: codec,
            read_as: target.read_as,
            refusal: None,
            reencoder: codec.inner.reencodes_all.then(|| unmarked_writer(codec)),
            guard: None,
            encoded: Vec::new(),
            pending: Vec::new(),
            summary: RepairSummary::default(),
        }
    }

    /// Sets whether text that a change would join to an escape is kept apart. Its escapes would exceed a
    /// limit of the size.
    pub fn keeping_apart(self, is_wanted: bool) -> RepairOutput<'a> {
        let guard = is_wanted.then(|| JoinGuard::new(self.codec)).flatten();
        RepairOutput { guard, ..self }
    }

    /// Returns the part of a segment that the range has: a sequence or a replaced line end if it
    /// starts in the range, and each of several unchanged CRs.
    #[inline]
    fn of_range<'s>(&self, segment: &TextSegment<'s>) -> Option<TextSegment<'s>> {
        let Some(range) = &self.range else { return Some(*segment) };
        let bytes = segment.before;
        let is_behind = segment.offset >= range.end;
        if is_behind || !segment.is_run() || bytes.is_empty() {
            return range.contains(&segment.offset).then_some(*segment);
        }
        // Other text is cut between sequences: what is beyond is the rest of a sequence.
        let cut = |at: usize| match bytes.get(at) {
            Some(b'\r' | b'\n') => at,
            _ => bytes.len(),
        };
        let part = within(range, segment.offset, bytes);
        let start = if part.start > 0 { cut(part.start) } else { 0 };
        let front = segment.split(cut(part.end).max(start)).0;
        Some(front.split(start).1).filter(|part| !part.before.is_empty())
    }

    /// Returns `true` if the text of a segment is written as it is.
    fn writes_utf8(&self) -> bool {
        self.codec.inner.utf8 && self.reencoder.is_none()
    }

    /// Writes a segment whose replacement is encoded.
    fn push_encoded(&mut self, segment: &TextSegment<'_>, encoded: &[u8]) -> io::Result<()> {
        // A writer that looks ahead writes the text of a segment with later ones.
        let is_late = encoded.is_empty() && !segment.after.is_empty();
        match segment.reasons.is_empty() || encoded == segment.before && !is_late {
            true => self.same(segment.offset, encoded),
            false => self.change(segment, 0, encoded),
        }
    }

    /// Writes unchanged text, except for a character that a change before it joins.
    fn same(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        let joined = self.guard.as_mut().and_then(|guard| guard.append(bytes));
        let Some(JoinedCharacter { place, escape }) = joined else {
            return self.copy(offset, bytes);
        };
        let (front, rest) = TextSegment::run(offset, bytes).split(place.start);
        let (character, rest) = rest.split(place.len());
        self.copy(front.offset, front.before)?;
        let reasons = RepairReason::KeepApart.into();
        self.write_change(&TextSegment { reasons, ..character }, 0, &escape)?;
        self.copy(rest.offset, rest.before)
    }

    fn copy(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        if let Some(journal) = &mut self.journal {
            journal.same(offset, bytes)?;
        }
        self.write(bytes)
    }

    fn change(&mut self, segment: &TextSegment<'_>, elided: u64, after: &[u8]) -> io::Result<()> {
        let guard = self.guard.as_mut();
        match guard.and_then(|guard| guard.change(after)) {
            Some(JoinedCharacter { place, escape }) => {
                let mut apart = after.to_vec();
                apart.splice(place, escape);
                self.write_change(segment, elided, &apart)
            }
            None => self.write_change(segment, elided, after),
        }
    }

    fn write_change(
        &mut self,
        segment: &TextSegment<'_>,
        elided: u64,
        after: &[u8],
    ) -> io::Result<()> {
        let TextSegment { offset, before, reasons, .. } = *segment;
        self.summary.count(reasons);
        if let Some(journal) = &mut self.journal {
            let written = self.summary.written;
            let mut pending = Vec::new();
            self.reencoder.iter().for_each(|writer| writer.pending(&mut pending));
            let pending = [&self.pending[..], &pending];
            journal.change(&Change { offset, written, before, elided, after, pending, reasons })?;
        }
        self.write(after)
    }

    /// Checks that the output, which continues with these bytes, is read in the byte order of the
    /// text.
    ///
    /// # Errors
    /// Returns a [`ByteOrderError`].
    fn check_order(&mut self, bytes: &[u8]) -> io::Result<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        let named = self.named;
        let read_as = *self.read_as.get_or_insert_with(|| named.read_as(bytes));
        if read_as.inner.signature != self.codec.inner.signature {
            let refusal = ByteOrderError { text: self.codec, read_as };
            self.refusal = Some(refusal);
            return Err(io::Error::other(refusal));
        }
        self.in_order = true;
        Ok(())
    }

    #[inline]
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        if !self.in_order {
            self.check_order(bytes)?;
        }
        self.summary.written += bytes.len() as u64;
        self.output.as_mut().map_or(Ok(()), |output| output.copy(bytes))
    }

    /// Writes text of strict UTF-8 with `replacement` for each maximal subpart of an ill-formed
    /// sequence. Returns the number of bytes consumed; an incomplete sequence at the end is left.
    pub fn write_lossy(
        &mut self,
        kernels: &Kernels,
        text: &[u8],
        replacement: &[u8],
    ) -> io::Result<usize> {
        let mut at = 0;
        loop {
            let clean = kernels.utf8(&text[at..]);
            self.write(&text[at..at + clean])?;
            at += clean;
            let Some(output) = &mut self.output else { break };
            let before = output.buffer().len();
            let block = &text[at..text.len().min(at + DENSE)];
            let Replaced { read, ill_formed } = kernels.lossy(block, replacement, output.buffer());
            self.summary.treated += ill_formed as u64;
            self.summary.written += (output.buffer().len() - before) as u64;
            output.settle()?;
            at += read;
            if read == 0 {
                break;
            }
        }
        self.summary.read += at as u64;
        Ok(at)
    }

    /// Appends `text` in the codec. `?` replaces each character that the codec lacks.
    fn encode(&mut self, text: &[u8], out: &mut Vec<u8>) {
        match &mut self.reencoder {
            Some(writer) => {
                self.pending.clear();
                if self.journal.is_some() {
                    writer.pending(&mut self.pending);
                }
                encode_with(writer.as_mut(), text, out);
            }
            None => encode(self.codec, text, out),
        }
    }

    /// Writes the bytes that end the text.
    pub fn finish(&mut self) -> io::Result<()> {
        if let Some(refusal) = self.refusal {
            return Err(io::Error::other(refusal));
        }
        self.summary.read_as = self.read_as;
        let Some(mut writer) = self.reencoder.take() else { return Ok(()) };
        let mut rest = Vec::new();
        writer.finish(&mut rest);
        self.write(&rest)
    }
}
