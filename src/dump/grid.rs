//! Where in a row does each byte stand? Cells of as many digits, alone or in groups.

use super::CellBase;
use super::cells::{self, DigitTable};

/// How cells are arranged.
#[derive(Clone, Copy, Debug)]
pub struct Grid {
    /// How bytes are written.
    pub base: CellBase,
    /// With hexadecimal digits in upper case.
    pub upper: bool,
    /// How many bytes a row has, 1..=[`MOST_COLUMNS`].
    pub columns: usize,
    /// How many bytes stand together; 0 for all of a row.
    pub group: usize,
    /// Whether rows like the one before them are left out, for a `*`.
    pub squeeze: bool,
}

/// The most columns that a row may have.
pub const MOST_COLUMNS: usize = 4096;

impl Grid {
    /// How long the cells of a row are, with what stands before them.
    pub(super) fn width(&self) -> usize {
        self.columns * self.base.width() + self.columns.div_ceil(self.group())
    }

    /// Whether a mark stands before the cell of this column.
    pub(super) fn is_marked(&self, column: usize) -> bool {
        column.is_multiple_of(self.group())
    }

    fn group(&self) -> usize {
        if self.group == 0 { self.columns } else { self.group }
    }

    /// Write the bytes of a row, and what stands before each, into its cells.
    #[inline]
    pub(super) fn fill(&self, cells: &mut [u8], row: &[u8], mark: impl Fn(usize, u8) -> u8) {
        match (self.base, self.columns, self.group) {
            // The rows that are asked for most often, at a length that the compiler knows.
            (CellBase::Bits, 6, 1) if row.len() == 6 => {
                fill_row::<8, 9, 6>(&cells::BITS, cells, row, mark)
            }
            (CellBase::Hex, 16, 1) if row.len() == 16 => {
                fill_row::<2, 3, 16>(cells::hex(self.upper), cells, row, mark)
            }
            (CellBase::Bits, ..) => self.fill_with(&cells::BITS, cells, row, mark),
            (CellBase::Hex, ..) => self.fill_with(cells::hex(self.upper), cells, row, mark),
            (CellBase::Octal, ..) => self.fill_with(&cells::OCTAL, cells, row, mark),
            (CellBase::Decimal, ..) => self.fill_with(&cells::DECIMAL, cells, row, mark),
        }
    }

    fn fill_with<const N: usize>(
        &self,
        digits: &DigitTable<N>,
        cells: &mut [u8],
        row: &[u8],
        mark: impl Fn(usize, u8) -> u8,
    ) {
        let mut at = 0;
        for (column, &byte) in row.iter().enumerate() {
            if self.is_marked(column) {
                cells[at] = mark(column, byte);
                at += 1;
            }
            cells[at..at + N].copy_from_slice(&digits[usize::from(byte)]);
            at += N;
        }
    }
}

/// Write a row of so many bytes, each with what stands before it.
#[inline(always)]
fn fill_row<const N: usize, const STRIDE: usize, const COLUMNS: usize>(
    digits: &DigitTable<N>,
    cells: &mut [u8],
    row: &[u8],
    mark: impl Fn(usize, u8) -> u8,
) {
    let cells = cells.as_chunks_mut::<STRIDE>().0.first_chunk_mut::<COLUMNS>();
    let (Some(cells), Some(row)) = (cells, row.first_chunk::<COLUMNS>()) else { return };
    for column in 0..COLUMNS {
        let (byte, cell) = (row[column], &mut cells[column]);
        cell[0] = mark(column, byte);
        cell[1..].copy_from_slice(&digits[usize::from(byte)]);
    }
}
