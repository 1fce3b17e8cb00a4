//! Folding of printable ASCII: characters of a run share rows.

use super::{DumpItem, Meaning};

/// Number of characters from which on a run is folded.
pub(super) const LEAST_FOLDED: usize = 4;

/// Largest number of bytes in a row.
pub(super) const ROW_BYTES: usize = 16;

/// Collects consecutive printable ASCII characters, each one code unit long, for a shared row.
#[derive(Debug)]
pub(super) struct AsciiFold {
    /// Number of bytes in a full row.
    full: usize,
    /// Offset of the first byte in the input.
    offset: u64,
    /// The bytes of the row.
    bytes: Vec<u8>,
    /// The characters of the row in ASCII.
    text: Vec<u8>,
    /// True if the run has reached [`LEAST_FOLDED`] characters in one row.
    folded: bool,
}

impl Default for AsciiFold {
    fn default() -> AsciiFold {
        AsciiFold { full: ROW_BYTES, offset: 0, bytes: Vec::new(), text: Vec::new(), folded: false }
    }
}

impl AsciiFold {
    /// Sets the number of bytes in a full row, from the next row on.
    pub fn set_full(&mut self, bytes: usize) {
        self.full = bytes;
    }

    /// Returns `true` if a sequence can be part of a run in an encoding with code units of `unit`
    /// bytes.
    pub fn accepts(&self, item: &DumpItem<'_>, unit: usize) -> bool {
        matches!(item.meaning, Meaning::Scalar(0x20..0x7F))
            && item.sequence.len() == unit
            && !item.is_cut()
    }

    /// Returns the number of bytes in a full row.
    pub fn full(&self) -> usize {
        self.full
    }

    /// Returns the number of free bytes in the row.
    pub fn room(&self) -> usize {
        self.full.saturating_sub(self.bytes.len())
    }

    /// Adds characters with their bytes, at most [`room`](Self::room) bytes.
    pub fn add(&mut self, offset: u64, bytes: &[u8], text: &[u8]) {
        if self.bytes.is_empty() {
            self.offset = offset;
        }
        self.bytes.extend_from_slice(bytes);
        self.text.extend_from_slice(text);
        self.folded |= self.text.len() >= LEAST_FOLDED;
    }

    /// Returns the offset of the row.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns the bytes of the row.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the characters of the row in ASCII.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// Returns an item for each character of the row.
    pub fn items(&self) -> impl DoubleEndedIterator<Item = DumpItem<'_>> {
        let unit = self.bytes.len() / self.text.len().max(1);
        (0..self.text.len()).map(move |at| DumpItem {
            offset: self.offset + (at * unit) as u64,
            sequence: &self.bytes[at * unit..][..unit],
            before: 0,
            len: unit,
            meaning: Meaning::Scalar(self.text[at].into()),
        })
    }

    /// Returns `true` if the run is folded in any case.
    pub fn is_folded(&self) -> bool {
        self.folded
    }

    /// Notes that the run has filled rows and may go on in the next row.
    pub fn go_on(&mut self) {
        self.folded = true;
    }

    /// Clears the row. The run may go on in the next row.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.text.clear();
    }

    /// Clears the row and ends the run.
    pub fn end(&mut self) {
        self.clear();
        self.folded = false;
    }
}

/// A layout with folded rows. It writes to a `W`.
pub(super) trait FoldingLayout<W> {
    /// Returns the run of printable ASCII.
    fn fold(&mut self) -> &mut AsciiFold;

    /// Appends the row of a sequence.
    fn write_sequence(&mut self, out: &mut W, item: &DumpItem<'_>);

    /// Appends the folded row. The caller clears it.
    fn write_row(&mut self, out: &mut W);

    /// Appends the folded row and clears it.
    fn write_folded(&mut self, out: &mut W) {
        self.write_row(out);
        self.fold().clear();
    }

    /// Adds a sequence that the run accepts, and appends the row once it is full.
    fn add_folded(&mut self, out: &mut W, item: &DumpItem<'_>) {
        if let Meaning::Scalar(value) = item.meaning {
            self.fold().add(item.offset, item.sequence, &[value as u8]);
        }
        if self.fold().room() < item.len {
            self.write_folded(out);
        }
    }

    /// Ends the run of printable ASCII and appends its last row, or a row for each character if the
    /// run is short.
    #[inline(always)]
    fn unfold(&mut self, out: &mut W) {
        if self.fold().folded || !self.fold().bytes.is_empty() {
            self.end_run(out);
        }
    }

    /// Implements [`unfold`](Self::unfold).
    fn end_run(&mut self, out: &mut W) {
        if self.fold().folded && !self.fold().bytes.is_empty() {
            self.write_folded(out);
        }
        if self.fold().bytes.is_empty() {
            return self.fold().end();
        }
        let mut fold = std::mem::take(self.fold());
        for item in fold.items() {
            self.write_sequence(out, &item);
        }
        fold.end();
        *self.fold() = fold;
    }
}
