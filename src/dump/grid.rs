//! The arrangement of cells in a row: columns, groups and the marks before them.

use super::CellBase;
use super::bytes::GAP;
use super::digits::{self, DigitTable};

/// The arrangement of the cells of a row.
#[derive(Clone, Copy, Debug)]
pub struct Grid {
    /// Number base of the cells.
    pub base: CellBase,
    /// Writes hexadecimal digits in upper case.
    pub upper: bool,
    /// Number of bytes in a row, 1..=[`MOST_COLUMNS`].
    pub columns: usize,
    /// Number of bytes in a group, written without marks between them; 0 for the whole row.
    pub group: usize,
    /// Replaces rows that repeat the row above by `*`.
    pub squeeze: bool,
}

/// Largest number of bytes in a row.
pub const MOST_COLUMNS: usize = 4096;

impl Grid {
    /// Returns the grid with fewer columns, if its rows with offsets of this many digits are wider than
    /// this number of columns of the terminal.
    pub(super) fn within(self, width: usize, digits: usize) -> Grid {
        // The offset and its colon, the cells, and the text, whose last character may be wide.
        let needed = |grid: &Grid| digits + 1 + grid.width() + GAP + grid.columns + 1;
        let mut grid = self;
        while needed(&grid) > width && grid.columns > 1 {
            grid.columns -= if grid.columns.is_multiple_of(4) && grid.columns > 4 { 4 } else { 1 };
        }
        grid
    }

    /// Returns the length of the cells of a row in bytes, marks included.
    pub(super) fn width(&self) -> usize {
        self.columns * self.base.width() + self.columns.div_ceil(self.group())
    }

    /// Returns `true` if a mark stands before the cell in this column.
    pub(super) fn is_marked(&self, column: usize) -> bool {
        column.is_multiple_of(self.group())
    }

    /// Returns the number of bytes in a group, at least 1.
    fn group(&self) -> usize {
        if self.group == 0 { self.columns } else { self.group }
    }

    /// Writes the digits of the bytes of a row to `cells`. `mark` returns the mark before the cell of
    /// a column with this byte.
    #[inline]
    pub(super) fn fill(&self, cells: &mut [u8], row: &[u8], mark: impl Fn(usize, u8) -> u8) {
        match (self.base, self.columns, self.group) {
            // The default rows have lengths known at compile time.
            (CellBase::Bits, 6, 1) if row.len() == 6 => {
                fill_row::<8, 9, 6>(&digits::BITS, cells, row, mark)
            }
            (CellBase::Hex, 16, 1) if row.len() == 16 => {
                fill_row::<2, 3, 16>(digits::hex(self.upper), cells, row, mark)
            }
            (CellBase::Bits, ..) => self.fill_with(&digits::BITS, cells, row, mark),
            (CellBase::Hex, ..) => self.fill_with(digits::hex(self.upper), cells, row, mark),
            (CellBase::Octal, ..) => self.fill_with(&digits::OCTAL, cells, row, mark),
            (CellBase::Decimal, ..) => self.fill_with(&digits::DECIMAL, cells, row, mark),
        }
    }

    /// Implements [`fill`](Self::fill) for a base of `N` digits.
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

/// Writes a full row of `COLUMNS` bytes with a mark before each. `STRIDE` is the length of a cell
/// with its mark.
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
