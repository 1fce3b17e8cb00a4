//! Findings of ill-formed sequences that are reported at once.

use super::{Finding, FindingSubject};
use crate::finding::locate::LinePlace;
use crate::finding::segments::FaultSegment;
use crate::issue::Kind;
use crate::lint::Level;
use crate::registry::Encoding;
use crate::text::name::InputName;

/// Findings of ill-formed sequences of a text in a self-synchronizing encoding.
#[derive(Clone, Copy, Debug)]
pub struct FaultBatch<'a> {
    /// The name of the input.
    pub name: &'a InputName<'a>,
    /// The encoding of the text.
    pub encoding: &'static Encoding,
    /// The offset of the text in the input.
    pub offset: u64,
    /// The text.
    pub bytes: &'a [u8],
    /// The segments of the ill-formed sequences, in order.
    pub faults: &'a [BatchFault],
    /// True if lines were counted.
    pub located: bool,
}

/// A segment of an ill-formed sequence in a [`FaultBatch`], in little memory.
#[derive(Clone, Copy, Debug)]
pub struct BatchFault {
    /// The place of the ill-formed sequence.
    place: LinePlace,
    /// The index of the segment in the text.
    start: u32,
    /// Its index in the ill-formed sequence.
    at: u8,
    /// Its length.
    len: u8,
    /// The length of the sequence that starts with it.
    sequence: u8,
    columns_before: u8,
    columns: u8,
    kind: Kind,
    level: Level,
    next: Option<u8>,
}

impl BatchFault {
    /// Returns a segment of the ill-formed sequence at an index in the text. `next` is the byte after
    /// the sequence, and `place` its place.
    #[inline(always)]
    pub(crate) fn new(
        index: usize,
        segment: &FaultSegment<'_>,
        next: Option<u8>,
        level: Level,
        place: LinePlace,
    ) -> BatchFault {
        BatchFault {
            place,
            start: (index + segment.at) as u32,
            at: segment.at as u8,
            len: segment.bytes.len() as u8,
            sequence: segment.sequence.len() as u8,
            columns_before: segment.columns_before as u8,
            columns: segment.columns as u8,
            kind: segment.kind,
            level,
            next,
        }
    }
}

impl<'a> FaultBatch<'a> {
    /// Returns the findings, in order.
    #[inline(always)]
    pub fn findings(self) -> impl Iterator<Item = Finding<'a>> {
        self.faults.iter().map(move |fault| self.finding(fault))
    }

    /// Returns the offset of a segment in the input.
    pub(crate) fn offset_of(&self, fault: &BatchFault) -> u64 {
        self.offset + u64::from(fault.start)
    }

    #[inline(always)]
    fn finding(&self, fault: &BatchFault) -> Finding<'a> {
        let FaultBatch { name, encoding, bytes, .. } = *self;
        let offset = self.offset_of(fault);
        let start = fault.start as usize;
        let front = |len: u8| bytes.get(start..start + usize::from(len)).unwrap_or_default();
        let segment = FaultSegment {
            at: fault.at.into(),
            bytes: front(fault.len),
            sequence: front(fault.sequence),
            kind: fault.kind,
            columns_before: fault.columns_before.into(),
            columns: fault.columns.into(),
        };
        let subject = FindingSubject::Fault { segment, next: fault.next };
        let position = self.located.then(|| fault.place.position(offset, segment.columns_before));
        Finding { name, encoding, offset, subject, level: fault.level, position }
    }
}
