//! Segments: parts of the source with their replacement text.

use super::RepairReasons;
use crate::codec::Codec;
use crate::codec::family::Rfc2279;

/// A part of the source and its replacement. The segments of an input follow each other without a
/// gap.
#[derive(Clone, Copy, Debug)]
pub(super) struct TextSegment<'a> {
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
    std::iter::from_fn(move || {
        let chunk = rest.after.utf8_chunks().next()?;
        let (text, tail) = rest.split(chunk.valid().len());
        let len = match tail.after {
            [] => 0,
            bytes => Rfc2279::step(&mut Rfc2279::start(1), bytes, true).size(),
        };
        let (other, tail) = tail.split(len);
        rest = tail;
        Some((text, chunk.valid(), other))
    })
}

/// The largest number of removed source bytes that a stage keeps pending.
pub(super) const MAX_PENDING: usize = 64 << 10;

/// A segment whose replacement depends on the text after it.
#[derive(Clone, Debug)]
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
