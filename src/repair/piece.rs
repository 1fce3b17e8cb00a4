//! What is passed on from repair to repair?

use super::RepairReasons;
use crate::codec::Codec;
use crate::codec::family::Rfc2279;

/// A part of the source, and what stands for it. The pieces of an input follow each other without
/// a gap.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TextSegment<'a> {
    /// The offset of its first byte in the source.
    pub offset: u64,
    /// Its bytes in the source; none, where something is put in.
    pub before: &'a [u8],
    /// The text that stands for it, as UTF-8 that may hold any value of 31 bits. Where nothing was
    /// changed it may also be the bytes of the source themselves.
    pub after: &'a [u8],
    /// Why it is not what it was. None: `before` is to be written.
    pub reasons: RepairReasons,
}

impl<'a> TextSegment<'a> {
    /// A run that nothing was changed in, and that may be cut at any boundary of sequences.
    pub fn run(offset: u64, bytes: &'a [u8]) -> TextSegment<'a> {
        TextSegment { offset, before: bytes, after: bytes, reasons: RepairReasons::NONE }
    }

    /// Whether it is a run: what stands for its bytes are they themselves.
    pub fn is_run(&self) -> bool {
        // A stage may have held it, and have two copies.
        std::ptr::eq(self.before, self.after)
            || self.reasons.is_empty() && self.before == self.after
    }

    /// A run in two parts, of which the first has so many bytes.
    pub fn split(&self, at: usize) -> (TextSegment<'a>, TextSegment<'a>) {
        let (front, rest) = self.before.split_at(at);
        (TextSegment::run(self.offset, front), TextSegment::run(self.offset + at as u64, rest))
    }
}

/// The parts of a run of UTF-8 and its kin: text, and behind each a sequence that is none.
pub(crate) fn parts<'a>(
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

/// How many bytes that are left out a stage holds back, while they may be within what it looks for.
pub(crate) const LIMIT: usize = 64 << 10;

/// A piece that waits for what follows it.
#[derive(Clone, Debug)]
pub(crate) struct PendingSegment {
    pub offset: u64,
    pub before: Vec<u8>,
    pub after: Vec<u8>,
    pub reasons: RepairReasons,
}

impl PendingSegment {
    pub fn of(piece: &TextSegment<'_>) -> PendingSegment {
        let TextSegment { offset, before, after, reasons } = *piece;
        PendingSegment { offset, before: before.to_vec(), after: after.to_vec(), reasons }
    }

    /// Become one with the piece behind it.
    pub fn absorb(&mut self, piece: &TextSegment<'_>) {
        self.before.extend_from_slice(piece.before);
        self.after.extend_from_slice(piece.after);
        self.reasons = self.reasons.or(piece.reasons);
    }

    pub fn piece(&self) -> TextSegment<'_> {
        let PendingSegment { offset, before, after, reasons } = self;
        TextSegment { offset: *offset, before, after, reasons: *reasons }
    }
}
