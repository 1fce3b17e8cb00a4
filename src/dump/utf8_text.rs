//! UTF-8 with ill-formed sequences at known places.

use super::{DumpItem, Meaning};
use crate::codec::Step;
use crate::codec::family::utf8_step;
use crate::issue::Kind;
use crate::kernel::{FaultBits, mark, row_code};

/// UTF-8 to dump. It ends with a whole sequence.
#[derive(Clone, Copy, Debug)]
pub struct Utf8Text<'a> {
    /// Offset of the first byte in the input.
    pub offset: u64,
    /// The bytes.
    pub bytes: &'a [u8],
    /// The bytes, and those after them that tell why a sequence at their end is ill-formed.
    pub known: &'a [u8],
    /// The first bytes of its ill-formed sequences.
    pub faults: &'a FaultBits,
}

/// Mark before the cell of the first byte of an ill-formed sequence.
pub(super) const MARK_FAULT: u8 = b'!';

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
        ill_formed(bytes).0
    }

    /// Returns the ill-formed sequence at an index.
    pub(super) fn fault(self, at: usize) -> DumpItem<'a> {
        let rest = &self.known[at..];
        let (len, kind) = ill_formed(rest);
        let (sequence, next) = (&rest[..len], rest.get(len).copied());
        let offset = self.offset + at as u64;
        DumpItem { offset, sequence, before: 0, len, meaning: Meaning::Ill(kind, next) }
    }

    /// Returns the indexes between two of surrogates that are second in a pair.
    pub(super) fn seconds(self, start: usize, end: usize) -> impl Iterator<Item = usize> {
        let seconds = self.faults.seconds();
        let first = seconds.partition_point(|&at| (at as usize) < start);
        seconds[first..].iter().map(|&at| at as usize).take_while(move |&at| at < end)
    }

    /// Appends the marks of the bytes between two indexes.
    pub(super) fn append_marks(self, marks: &mut Vec<u8>, start: usize, end: usize) {
        let first = marks.len();
        marks.extend(self.bytes[start..end].iter().map(|&byte| mark(byte)));
        let mut set = |at: usize, code: u8| {
            marks[first + at - start] = row_code::MARKS[usize::from(code)];
        };
        self.faults.between(start, end).for_each(|at| set(at, row_code::FAULT));
        self.seconds(start, end).for_each(|at| set(at, row_code::FURTHER));
    }

    /// Returns the part with the byte at an index.
    #[inline]
    pub(super) fn part(self, at: usize) -> TextPart {
        if self.faults.count() == 0 {
            return TextPart::WellFormed(0, self.bytes.len());
        }
        let mut start = 0;
        if let Some(fault) = self.faults.last(at + 1) {
            start = fault + Utf8Text::fault_len(&self.bytes[fault..]);
            if at < start {
                return TextPart::IllFormed(fault, start);
            }
        }
        TextPart::WellFormed(start, self.faults.next(at + 1).unwrap_or(self.bytes.len()))
    }
}

/// Returns the length and the kind of the ill-formed sequence at the front.
fn ill_formed(bytes: &[u8]) -> (usize, Kind) {
    match utf8_step(bytes) {
        Step::Ill { len, kind, .. } => (len, kind),
        // Only if the bytes of a mapping changed after they were validated.
        _ => (1, Kind::LoneContinuation),
    }
}
