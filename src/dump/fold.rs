//! Which characters share a row? Runs of printable ASCII.

use super::{DumpItem, Meaning};

/// A run is folded from so many characters on.
const LEAST: usize = 4;

/// How many bytes a row has at most.
const ROW: usize = 16;

/// Gathers printable characters, each of a codec's shortest sequences, for the next row.
#[derive(Debug, Default)]
pub(super) struct AsciiFold {
    /// The offset of the first byte.
    offset: u64,
    bytes: Vec<u8>,
    text: Vec<u8>,
    /// Whether there were enough.
    folded: bool,
}

impl AsciiFold {
    /// Whether a sequence may be part of a run, where the shortest ones have so many bytes.
    pub fn takes(&self, item: &DumpItem<'_>, unit: usize) -> bool {
        matches!(item.what, Meaning::Scalar(0x20..0x7F))
            && item.sequence.len() == unit
            && !item.is_cut()
    }

    /// How many bytes there is still room for in the row.
    pub fn room(&self) -> usize {
        ROW - self.bytes.len()
    }

    /// Add characters, and the bytes that spell them. They must not be more than there is room for.
    pub fn add(&mut self, offset: u64, bytes: &[u8], text: &[u8]) {
        if self.bytes.is_empty() {
            self.offset = offset;
        }
        self.bytes.extend_from_slice(bytes);
        self.text.extend_from_slice(text);
        self.folded |= self.text.len() >= LEAST;
    }

    /// The offset of the row.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// The bytes of the row.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The characters of the row, in ASCII.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// Whether there were enough characters.
    pub fn is_folded(&self) -> bool {
        self.folded
    }

    /// The characters, each on its own.
    pub fn items(&self) -> impl Iterator<Item = DumpItem<'_>> {
        let unit = self.bytes.len() / self.text.len().max(1);
        let sequences = self.bytes.chunks(unit.max(1)).zip(&self.text);
        (self.offset..).step_by(unit.max(1)).zip(sequences).map(|(offset, (sequence, &c))| {
            DumpItem {
                offset,
                sequence,
                before: 0,
                len: sequence.len(),
                what: Meaning::Scalar(c.into()),
            }
        })
    }

    /// The row was written; the run may go on.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.text.clear();
    }

    /// The run has ended.
    pub fn end(&mut self) {
        self.clear();
        self.folded = false;
    }
}
