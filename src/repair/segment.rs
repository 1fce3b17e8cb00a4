//! Segments: parts of the source with their replacement text.

use std::io;

use super::RepairReasons;
use super::stage::SegmentReceiver;
use crate::codec::Codec;
use crate::codec::family::Rfc2279;

/// A part of the source and its replacement. The segments of an input follow each other without a
/// gap.
#[derive(Clone, Copy, Debug)]
pub struct TextSegment<'a> {
    /// Offset of the first byte in the source.
    pub offset: u64,
    /// The source bytes; empty for an insertion.
    pub before: &'a [u8],
    /// The replacement, in UTF-8 extended to 31-bit values. In an unchanged segment, it may also be
    /// the source bytes themselves, in the codec of the source.
    pub after: &'a [u8],
    /// The reasons for the change. If there is none, `before` is written.
    pub reasons: RepairReasons,
}

impl<'a> TextSegment<'a> {
    /// Creates an unchanged run, which may be split at any sequence boundary.
    pub fn run(offset: u64, bytes: &'a [u8]) -> TextSegment<'a> {
        TextSegment { offset, before: bytes, after: bytes, reasons: RepairReasons::NONE }
    }

    /// Returns `true` if the segment is a run: its replacement is its source bytes.
    pub fn is_run(&self) -> bool {
        // A segment that was pending has two copies of the bytes.
        std::ptr::eq(self.before, self.after)
            || self.reasons.is_empty() && self.before == self.after
    }

    /// Splits a run after `at` bytes.
    pub fn split(&self, at: usize) -> (TextSegment<'a>, TextSegment<'a>) {
        let (front, rest) = self.before.split_at(at);
        (TextSegment::run(self.offset, front), TextSegment::run(self.offset + at as u64, rest))
    }
}

/// Splits a run of UTF-8 or a relative into parts: text, its `str`, and the sequence after it that
/// is not UTF-8. Both segments may be empty.
pub(super) fn split_utf8<'a>(
    run: TextSegment<'a>,
) -> impl Iterator<Item = (TextSegment<'a>, &'a str, TextSegment<'a>)> {
    let mut rest = run;
    // Most runs are text as a whole.
    let mut whole = simdutf8::basic::from_utf8(run.after).ok().filter(|text| !text.is_empty());
    std::iter::from_fn(move || {
        let valid = match whole.take() {
            Some(text) => text,
            None => rest.after.utf8_chunks().next()?.valid(),
        };
        let (text, tail) = rest.split(valid.len());
        let len = match tail.after {
            [] => 0,
            bytes => Rfc2279::step(&mut Rfc2279::start(0, 1), bytes, true).size(),
        };
        let (other, tail) = tail.split(len);
        rest = tail;
        Some((text, valid, other))
    })
}

/// The largest number of removed source bytes that a stage keeps pending.
pub(super) const MAX_PENDING: usize = 64 << 10;

/// A segment whose replacement depends on the text after it.
#[derive(Clone, Debug, Default)]
pub(super) struct PendingSegment {
    pub offset: u64,
    pub before: Vec<u8>,
    pub after: Vec<u8>,
    pub reasons: RepairReasons,
}

impl PendingSegment {
    /// Copies a segment.
    pub fn new(segment: &TextSegment<'_>) -> PendingSegment {
        let TextSegment { offset, before, after, reasons } = *segment;
        PendingSegment { offset, before: before.to_vec(), after: after.to_vec(), reasons }
    }

    /// Appends the segment after it.
    pub fn append(&mut self, segment: &TextSegment<'_>) {
        self.before.extend_from_slice(segment.before);
        self.after.extend_from_slice(segment.after);
        self.reasons = self.reasons.or(segment.reasons);
    }

    /// Borrows it as a segment.
    pub fn as_segment(&self) -> TextSegment<'_> {
        let PendingSegment { offset, before, after, reasons } = self;
        TextSegment { offset: *offset, before, after, reasons: *reasons }
    }
}

/// Text that is removed. Only its first bytes are kept.
#[derive(Debug, Default)]
pub(super) struct RemovedText {
    /// The first bytes, and the replacement before them, if there is one.
    kept: PendingSegment,
    /// Number of further bytes.
    elided: u64,
}

impl RemovedText {
    /// Starts with the bytes of a segment.
    pub fn new(segment: &TextSegment<'_>) -> RemovedText {
        let kept = PendingSegment::new(&TextSegment { before: &[], ..*segment });
        let mut removed = RemovedText { kept, elided: 0 };
        removed.append(segment.before);
        removed
    }

    /// Forgets the text, and starts anew at an offset.
    pub fn restart(&mut self, offset: u64, reasons: RepairReasons) {
        let RemovedText { kept, elided } = self;
        kept.before.clear();
        kept.after.clear();
        (kept.offset, kept.reasons, *elided) = (offset, reasons, 0);
    }

    /// Appends bytes.
    pub fn append(&mut self, bytes: &[u8]) {
        // The kept bytes are contiguous.
        let room = if self.elided > 0 { 0 } else { MAX_PENDING - self.kept.before.len() };
        let kept = bytes.len().min(room);
        self.kept.before.extend_from_slice(&bytes[..kept]);
        self.elided += (bytes.len() - kept) as u64;
    }

    /// Appends bytes and further ones that are no longer in memory.
    pub fn append_elided(&mut self, bytes: &[u8], elided: u64) {
        match elided {
            0 => self.append(bytes),
            _ => self.elided += bytes.len() as u64 + elided,
        }
    }

    /// Passes the removal on. The text before and after it may combine if all bytes are kept.
    pub fn emit_change(&self, next: &mut dyn SegmentReceiver) -> io::Result<()> {
        if self.elided == 0 { next.push(&self.kept.as_segment()) } else { self.emit(next) }
    }

    /// Passes the removal on.
    pub fn emit(&self, next: &mut dyn SegmentReceiver) -> io::Result<()> {
        match self.kept.before.is_empty() && self.kept.after.is_empty() {
            true => Ok(()),
            false => next.push_elided(&self.kept.as_segment(), self.elided),
        }
    }
}
