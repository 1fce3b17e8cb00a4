//! How are many rows of UTF-8 written at once?

use super::CellBase;
use super::bytes::GAP;
use super::cells::{self, RowPrefix};
use super::grid::Grid;
use super::text::{self, TextColumn, TextColumns};
use crate::kernel::{Kernels, mark};

/// Where rows are written that come many at a time.
#[derive(Debug)]
pub(super) struct BulkRows {
    kernels: &'static Kernels,
    grid: Grid,
    /// How long the cells of a row are.
    width: usize,
    /// The cells of all bytes, where a row's are just as many of them.
    cells: Vec<u8>,
    rows: Vec<u8>,
}

/// How much of the page is written before it is passed on.
const PAGE: usize = 1 << 10;

/// Well-formed UTF-8, and from where on it is to be written.
#[derive(Clone, Copy, Debug)]
pub(super) struct BulkPart<'a> {
    /// The offset of its first byte.
    pub offset: u64,
    pub bytes: &'a [u8],
    pub at: usize,
}

impl BulkRows {
    pub fn new(kernels: &'static Kernels, grid: Grid) -> BulkRows {
        let width = grid.width();
        let longest = cells::LONGEST_HEAD + width + GAP + grid.columns * text::MOST + text::SLACK;
        BulkRows { kernels, grid, width, cells: Vec::new(), rows: vec![0; PAGE + longest] }
    }

    /// Append as many rows as these bytes fill; a sequence may go on behind the last. Returns where
    /// the rest starts.
    pub fn fill(
        &mut self,
        out: &mut Vec<u8>,
        texts: &mut TextColumns,
        part: BulkPart<'_>,
    ) -> usize {
        let (bytes, grid) = (part.bytes, self.grid);
        let mut cells = std::mem::take(&mut self.cells);
        // The rows that are asked for most often have lengths that the compiler knows.
        let at = match (grid.base, grid.columns, grid.group) {
            (CellBase::Bits, 6, 1) => {
                cells.resize(9 * bytes.len(), 0);
                self.kernels.bits(bytes, cells.as_chunks_mut().0);
                self.rows(out, texts, part, |to, at| copy::<54>(to, &cells[9 * at..]))
            }
            (CellBase::Hex, 16, 1) => {
                cells.resize(3 * bytes.len(), 0);
                self.kernels.hex(bytes, cells::hex_digits(grid.upper), cells.as_chunks_mut().0);
                self.rows(out, texts, part, |to, at| copy::<48>(to, &cells[3 * at..]))
            }
            _ => self.rows(out, texts, part, |to, at| {
                grid.fill(to, &bytes[at..at + grid.columns], |_, byte| mark(byte));
            }),
        };
        self.cells = cells;
        at
    }

    /// As [`fill`](Page::fill), with what writes the cells of the row that starts at a byte.
    #[inline(always)]
    fn rows(
        &mut self,
        out: &mut Vec<u8>,
        texts: &mut TextColumns,
        BulkPart { offset, bytes, mut at }: BulkPart<'_>,
        put_cells: impl Fn(&mut [u8], usize),
    ) -> usize {
        let (columns, page) = (self.grid.columns, &mut self.rows[..]);
        let next_hash =
            |from: usize| memchr::memchr(b'#', &bytes[from..]).map_or(bytes.len(), |at| from + at);
        let (mut len, mut hash) = (0, next_hash(at));
        let mut head = RowPrefix::new(offset);
        let mut column = TextColumn::new(texts, bytes, at);
        while at + columns <= bytes.len() {
            if len > PAGE {
                out.extend_from_slice(&page[..len]);
                len = 0;
            }
            len += head.put(&mut page[len..], offset + at as u64);
            put_cells(&mut page[len..len + self.width], at);
            len += self.width;
            page[len..len + GAP].fill(b' ');
            let text = len + GAP;
            len = text + column.write(&mut page[text..], at, at + columns);
            page[len] = b'\n';
            len += 1;
            at += columns;
            if hash < at {
                out.extend_from_slice(&page[..len]);
                column.disarm(out, out.len() - (len - text));
                (len, hash) = (0, next_hash(at));
            }
        }
        out.extend_from_slice(&page[..len]);
        at
    }
}

/// Copy so many bytes.
#[inline(always)]
fn copy<const N: usize>(to: &mut [u8], from: &[u8]) {
    if let (Some(to), Some(from)) = (to.first_chunk_mut::<N>(), from.first_chunk::<N>()) {
        *to = *from;
    }
}
