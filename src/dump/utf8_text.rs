//! UTF-8 with ill-formed sequences at known places.

use crate::codec::Step;
use crate::kernel::{mark, row_code};
use crate::registry::Encoding;

/// UTF-8 to dump. It ends with a whole sequence.
#[derive(Clone, Copy, Debug)]
pub struct Utf8Text<'a> {
    /// Offset of the first byte in the input.
    pub offset: u64,
    /// The bytes.
    pub bytes: &'a [u8],
    /// The indexes of the first bytes of its ill-formed sequences.
    pub faults: &'a [u32],
}

/// Mark before the cell of the first byte of an ill-formed sequence.
pub(super) const MARK_FAULT: u8 = b'!';

/// The first byte of a surrogate in UTF-8.
pub(super) const SURROGATE: u8 = 0xED;

/// The number of bytes of a surrogate.
pub(super) const SURROGATE_LEN: usize = 3;

/// A part of a text.
#[derive(Clone, Copy, Debug)]
pub(super) enum TextPart {
    /// Well-formed text, with the indexes of its start and end.
    WellFormed(usize, usize),
    /// An ill-formed sequence, with the indexes of its start and end.
    IllFormed(usize, usize),
}

impl<'a> Utf8Text<'a> {
    /// Returns the length of the ill-formed sequence at the front.
    pub(super) fn fault_len(bytes: &[u8]) -> usize {
        match Encoding::UTF_8.step(bytes) {
            Step::Ill { len, .. } => len,
            // Only if the bytes of a mapping changed after they were validated.
            _ => 1,
        }
    }

    /// Calls `work` for the first bytes of the ill-formed sequences between two indexes, and for the
    /// second surrogates in them, with their codes.
    pub(super) fn for_each_fault(self, start: usize, end: usize, mut work: impl FnMut(usize, u8)) {
        // A pair of surrogates may start before.
        let before = start.saturating_sub(SURROGATE_LEN);
        let first = self.faults.partition_point(|&at| (at as usize) < before);
        for at in self.faults[first..].iter().map(|&at| at as usize) {
            if at >= end {
                return;
            }
            if at >= start {
                work(at, row_code::FAULT);
            }
            if self.bytes[at] == SURROGATE
                && let second = at + SURROGATE_LEN
                && (start..end).contains(&second)
                && Utf8Text::fault_len(&self.bytes[at..]) > SURROGATE_LEN
            {
                work(second, row_code::FURTHER);
            }
        }
    }

    /// Appends the marks of the bytes between two indexes.
    pub(super) fn append_marks(self, marks: &mut Vec<u8>, start: usize, end: usize) {
        let first = marks.len();
        marks.extend(self.bytes[start..end].iter().map(|&byte| mark(byte)));
        self.for_each_fault(start, end, |at, code| {
            marks[first + at - start] = row_code::MARKS[usize::from(code)];
        });
    }

    /// Returns the part with the byte at an index.
    pub(super) fn part(self, at: usize) -> TextPart {
        let next = self.faults.partition_point(|&fault| fault as usize <= at);
        let mut start = 0;
        if let Some(last) = next.checked_sub(1) {
            let fault = self.faults[last] as usize;
            start = fault + Utf8Text::fault_len(&self.bytes[fault..]);
            if at < start {
                return TextPart::IllFormed(fault, start);
            }
        }
        let end = self.faults.get(next).map_or(self.bytes.len(), |&fault| fault as usize);
        TextPart::WellFormed(start, end)
    }
}
