//! Bulk output of rows of well-formed UTF-8, without a pass over each sequence.

use super::CellBase;
use super::bytes::GAP;
use super::digits::{self, MOST_PREFIX, RowPrefix};
use super::grid::Grid;
use super::text_column::{self, TextColumn, TextColumns};
use crate::kernel::{Kernels, mark};

/// Writes many rows at a time, without colours.
#[derive(Debug)]
pub(super) struct BulkRows {
    kernels: &'static Kernels,
    grid: Grid,
    /// Length of the cells of a row in bytes.
    width: usize,
    /// The cells of all bytes, for the two grids that a kernel writes.
    cells: Vec<u8>,
    /// The rows that were not yet appended to the output.
    rows: Vec<u8>,
}

/// Number of bytes of rows from which on they are appended to the output.
const FULL: usize = 1 << 10;

/// Well-formed UTF-8 of which the bytes from an index on are to be written.
#[derive(Clone, Copy, Debug)]
pub(super) struct BulkPart<'a> {
    /// Offset of the first byte in the input.
    pub offset: u64,
    /// Well-formed UTF-8.
    pub bytes: &'a [u8],
    /// Index of the first byte to write. It need not be the first byte of a sequence.
    pub at: usize,
}

impl BulkRows {
    /// Creates a writer of rows with the cells of `grid`.
    pub fn new(kernels: &'static Kernels, grid: Grid) -> BulkRows {
        let width = grid.width();
        let longest = MOST_PREFIX
            + width
            + GAP
            + grid.columns * text_column::MOST_PER_BYTE
            + text_column::SLACK;
        BulkRows { kernels, grid, width, cells: Vec::new(), rows: vec![0; FULL + longest] }
    }

    /// Appends as many whole rows as the bytes fill; the last may end inside a sequence. Returns the
    /// index of the first byte not written.
    pub fn fill(
        &mut self,
        out: &mut Vec<u8>,
        texts: &mut TextColumns,
        part: BulkPart<'_>,
    ) -> usize {
        let (bytes, grid) = (part.bytes, self.grid);
        let mut cells = std::mem::take(&mut self.cells);
        // The default rows have cells from a kernel, and lengths known at compile time.
        let at = match (grid.base, grid.columns, grid.group) {
            (CellBase::Bits, 6, 1) => {
                cells.resize(9 * bytes.len(), 0);
                self.kernels.bits(bytes, cells.as_chunks_mut().0);
                self.write_rows(out, texts, part, |to, at| copy::<54>(to, &cells[9 * at..]))
            }
            (CellBase::Hex, 16, 1) => {
                cells.resize(3 * bytes.len(), 0);
                self.kernels.hex(bytes, digits::hex_digits(grid.upper), cells.as_chunks_mut().0);
                self.write_rows(out, texts, part, |to, at| copy::<48>(to, &cells[3 * at..]))
            }
            _ => self.write_rows(out, texts, part, |to, at| {
                grid.fill(to, &bytes[at..at + grid.columns], |_, byte| mark(byte));
            }),
        };
        self.cells = cells;
        at
    }

    /// Implements [`fill`](Self::fill). `put_cells` writes the cells of the row that starts at an
    /// index of the bytes.
    #[inline(always)]
    fn write_rows(
        &mut self,
        out: &mut Vec<u8>,
        texts: &mut TextColumns,
        BulkPart { offset, bytes, mut at }: BulkPart<'_>,
        put_cells: impl Fn(&mut [u8], usize),
    ) -> usize {
        let (columns, rows) = (self.grid.columns, &mut self.rows[..]);
        let next_hash =
            |from: usize| memchr::memchr(b'#', &bytes[from..]).map_or(bytes.len(), |at| from + at);
        let (mut len, mut hash) = (0, next_hash(at));
        let mut prefix = RowPrefix::new(offset);
        let mut column = TextColumn::new(texts, bytes, at);
        while at + columns <= bytes.len() {
            if len > FULL {
                out.extend_from_slice(&rows[..len]);
                len = 0;
            }
            len += prefix.put(&mut rows[len..], offset + at as u64);
            put_cells(&mut rows[len..len + self.width], at);
            len += self.width;
            rows[len..len + GAP].fill(b' ');
            let text = len + GAP;
            len = text + column.write(&mut rows[text..], at, at + columns);
            rows[len] = b'\n';
            len += 1;
            at += columns;
            // Only text with `#` can start a command of a CI runner.
            if hash < at {
                out.extend_from_slice(&rows[..len]);
                column.disarm(out, out.len() - (len - text));
                (len, hash) = (0, next_hash(at));
            }
        }
        out.extend_from_slice(&rows[..len]);
        at
    }
}

/// Copies the first `N` bytes. Both slices must have them.
#[inline(always)]
fn copy<const N: usize>(to: &mut [u8], from: &[u8]) {
    if let (Some(to), Some(from)) = (to.first_chunk_mut::<N>(), from.first_chunk::<N>()) {
        *to = *from;
    }
}
