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
    /// a column.
    #[inline]
    pub(super) fn fill(&self, cells: &mut [u8], row: &[u8], mark: impl Fn(usize) -> u8) {
        match self.base {
            CellBase::Bits => self.fill_with::<8, 9>(&digits::BITS, cells, row, mark),
            CellBase::Hex => self.fill_with::<2, 3>(digits::hex(self.upper), cells, row, mark),
            CellBase::Octal => self.fill_with::<3, 4>(&digits::OCTAL, cells, row, mark),
            CellBase::Decimal => self.fill_with::<3, 4>(&digits::DECIMAL, cells, row, mark),
        }
    }

    /// Implements [`fill`](Self::fill) for a base of `N` digits. `MARKED` is the length of a cell with
    /// its mark.
    #[inline(always)]
    fn fill_with<const N: usize, const MARKED: usize>(
        &self,
        digits: &DigitTable<N>,
        cells: &mut [u8],
        row: &[u8],
        mark: impl Fn(usize) -> u8,
    ) {
        if self.group() == 1 {
            let cells = cells.as_chunks_mut::<MARKED>().0;
            for ((column, &byte), cell) in row.iter().enumerate().zip(cells) {
                cell[0] = mark(column);
                cell[1..].copy_from_slice(&digits[usize::from(byte)]);
            }
            return;
        }
        let columns = (0..).step_by(self.group());
        let groups = row.chunks(self.group()).zip(cells.chunks_mut(1 + N * self.group()));
        for (column, (bytes, cells)) in columns.zip(groups) {
            cells[0] = mark(column);
            for (cell, &byte) in cells[1..].as_chunks_mut().0.iter_mut().zip(bytes) {
                *cell = digits[usize::from(byte)];
            }
        }
    }
}
