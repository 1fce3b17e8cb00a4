//! Bulk output of rows of UTF-8, without a pass over each sequence.

use super::bytes::GAP;
use super::classes::are_plain;
use super::digits;
use super::grid::Grid;
use super::text_column::TextColumns;
use super::utf8_text::{TextPart, Utf8Text};
use super::{CellBase, pad};
use crate::kernel::{
    CharCodes, Kernels, MOST_ROW_TEXT, PAGE, RowLook, RowPrefix, RowSpan, RowText, row_code,
};
use crate::text::escape::has_hash;

/// Writes many rows at a time, without colours.
#[derive(Debug)]
pub(super) struct BulkRows {
    kernels: &'static Kernels,
    grid: Grid,
    prefix: RowPrefix,
    look: RowLook,
    /// The look of rows whose text column has one unspecified byte for each byte of the row.
    cells_look: RowLook,
    /// Rows with that look, kept for their room.
    cells: Vec<u8>,
    text: Box<RowText>,
    chars: CharCodes,
    /// For each row of `text`, true if a kernel cannot write it.
    slow: Vec<bool>,
}

impl BulkRows {
    /// Creates a writer of rows with the cells of `grid`.
    pub fn new(kernels: &'static Kernels, grid: Grid, texts: &TextColumns) -> BulkRows {
        let digits = *digits::hex_digits(grid.upper);
        BulkRows {
            kernels,
            grid,
            prefix: RowPrefix::default(),
            look: RowLook::new(digits, |code| texts.text_of_code(code)),
            cells_look: RowLook::cells(digits),
            cells: Vec::new(),
            text: Box::default(),
            chars: CharCodes::default(),
            slow: Vec::new(),
        }
    }

    /// Appends some of the whole rows that the bytes from an index on fill. Returns the index of the
    /// first byte not written. It and the given one need not be the first byte of a sequence.
    pub fn fill(
        &mut self,
        out: &mut Vec<u8>,
        texts: &mut TextColumns,
        text: Utf8Text<'_>,
        at: usize,
    ) -> usize {
        let columns = self.grid.columns;
        let rows = ((text.bytes.len() - at) / columns).min(MOST_ROW_TEXT / columns);
        self.write_rows(out, texts, text, at, rows);
        at + rows * columns
    }

    /// Appends rows. A kernel writes those without characters that may share a grapheme cluster.
    fn write_rows(
        &mut self,
        out: &mut Vec<u8>,
        texts: &mut TextColumns,
        text: Utf8Text<'_>,
        at: usize,
        rows: usize,
    ) {
        let columns = self.grid.columns;
        self.set_codes(texts, text, at, rows);
        let offset = text.offset + at as u64;
        let mut row = 0;
        while row < rows {
            let start = row * columns;
            let offset = offset + start as u64;
            if self.slow[row] || texts.continues(offset) {
                let slow = self.slow[row + 1..rows].iter().take_while(|&&slow| slow).count();
                let span = RowSpan { offset, start, rows: 1 + slow };
                self.write_slow_rows(out, texts, text, at, span);
                row += 1 + slow;
                continue;
            }
            let fast = self.slow[row..rows].iter().take_while(|&&slow| !slow).count();
            let span = RowSpan { offset, start, rows: fast };
            self.write_kernel_rows(out, span, false);
            row += fast;
        }
    }

    /// Appends rows by kernels. If `cells_only`, the text column has one unspecified byte for each byte
    /// of the row.
    fn write_kernel_rows(&mut self, out: &mut Vec<u8>, span: RowSpan, cells_only: bool) {
        let look = if cells_only { self.cells_look } else { self.look };
        let columns = self.grid.columns;
        match (self.grid.base, columns, self.grid.group) {
            (CellBase::Bits, 6, 1) => self.kernels.bit_rows(&self.text, span, &look, out),
            (CellBase::Hex, 16, 1) => self.kernels.hex_rows(&self.text, span, &look, out),
            _ => {
                for at in (0..span.rows * columns).step_by(columns) {
                    let start = span.start + at;
                    self.write_cells(out, span.offset + at as u64, start);
                    self.kernels.row_column(&self.text, start..start + columns, &look, out);
                    out.push(b'\n');
                }
            }
        }
    }

    /// Appends the offset and the cells of the row that starts at an index of the row text.
    fn write_cells(&mut self, out: &mut Vec<u8>, offset: u64, start: usize) {
        let end = start + self.grid.columns;
        self.prefix.append_offset(out, offset);
        out.push(b':');
        let cells = out.len();
        pad(out, self.grid.width() + GAP);
        let (bytes, codes) = (&self.text.bytes()[start..end], &self.text.codes()[start..end]);
        let mark = |column: usize| row_code::MARKS[usize::from(codes[column])];
        self.grid.fill(&mut out[cells..], bytes, mark);
    }

    /// Appends rows of the row text, which starts at an index of a text. The text column is that of
    /// [`write_column`](Self::write_column).
    fn write_slow_rows(
        &mut self,
        out: &mut Vec<u8>,
        texts: &mut TextColumns,
        text: Utf8Text<'_>,
        at: usize,
        span: RowSpan,
    ) {
        let columns = self.grid.columns;
        let mut rows = std::mem::take(&mut self.cells);
        rows.clear();
        self.write_kernel_rows(&mut rows, span, true);
        let mut rest = &rows[..];
        for from in (0..span.rows * columns).step_by(columns) {
            let len = digits::width(span.offset + from as u64) + 1 + self.grid.width() + GAP;
            let (row, below) = rest.split_at(len + columns + 1);
            out.extend_from_slice(&row[..len]);
            rest = below;
            let column = out.len();
            let start = span.start + from;
            self.write_column(out, texts, text, at, start);
            if has_hash(&self.text.bytes()[start..start + columns]) {
                texts.disarm(out, column);
            }
            out.push(b'\n');
        }
        assert!(rest.is_empty(), "each row has its cells, a byte for each column and a line feed");
        self.cells = rows;
    }

    /// Appends the text column of the row that starts at an index of the row text. The characters of
    /// well-formed parts with an undecided one are appended one by one; a kernel appends the rest.
    fn write_column(
        &self,
        out: &mut Vec<u8>,
        texts: &mut TextColumns,
        text: Utf8Text<'_>,
        at: usize,
        start: usize,
    ) {
        let end = start + self.grid.columns;
        if text.faults.count() == 0 {
            return texts.append(out, text, at + start, at + end);
        }
        let codes = &self.text.codes()[..end];
        let mut next = start;
        // A cluster may go on from the row above.
        let mut slow = texts.continues(text.offset + (at + start) as u64).then_some(start);
        while next < end {
            let is_undecided = |&at: &usize| codes[at] == row_code::UNDECIDED;
            let place = slow.take().or_else(|| (next..end).find(is_undecided));
            let (from, to) = match place.map(|place| text.part(at + place)) {
                Some(TextPart::WellFormed(from, to)) => (from.saturating_sub(at).max(next), to),
                Some(TextPart::IllFormed(_, to)) => (to - at, to),
                None => (end, at + end),
            };
            let (from, to) = (from.min(end), (to - at).min(end));
            if next < from {
                self.kernels.row_column(&self.text, next..from, &self.look, out);
            }
            texts.append(out, text, at + from, at + to);
            next = to;
        }
    }

    /// Sets the codes of the bytes of some rows.
    fn set_codes(&mut self, texts: &mut TextColumns, text: Utf8Text<'_>, at: usize, rows: usize) {
        let (columns, len) = (self.grid.columns, rows * self.grid.columns);
        self.slow.clear();
        self.slow.resize(rows, false);
        self.text.set(&text.bytes[at..], len);
        if text.faults.count() > 0 {
            self.text.set_faults(text.faults, at);
        }
        // The second surrogate of a pair starts no sequence.
        for second in text.seconds(at, at + len) {
            self.text.bytes_mut()[second - at] = 0x80;
        }
        self.kernels.row_codes(&mut self.text, &self.chars);
        for second in text.seconds(at, at + len) {
            self.text.bytes_mut()[second - at] = text.bytes[second];
        }
        self.decide(texts);
        if !self.has_seconds(len) {
            return;
        }
        // Without a branch: a third of the rows of text in Chinese end within a character.
        let codes = self.text.codes_mut();
        for end in (0..rows).map(|row| (row + 1) * columns) {
            let [last, next] = row_code::CUTS[usize::from(codes[end])];
            codes[end - 1] ^= last;
            codes[end] ^= next;
        }
    }

    /// Returns `true` if one of the first bytes, or the one behind them, is the second of a character
    /// of two columns.
    fn has_seconds(&self, len: usize) -> bool {
        // Those codes are the largest. The compiler vectorizes a maximum.
        self.text.codes()[..=len].iter().fold(0, |most, &code| most.max(code))
            >= row_code::SECOND[2]
    }

    /// Sets the codes of characters that are new. Rows with others that have none are slow.
    fn decide(&mut self, texts: &mut TextColumns) {
        let (columns, len) = (self.grid.columns, self.text.bytes().len());
        let mut from = 0;
        while let Some(next) = memchr::memchr(row_code::UNDECIDED, &self.text.codes()[from..len]) {
            let place = from + next;
            let (value, size) = super::decode(&self.text.shown(place));
            from = place + 1;
            if size == 1 {
                self.slow[place / columns] = true;
                continue;
            }
            let codes = texts.codes(value, size);
            if codes == CharCodes::UNDECIDED {
                self.slow[place / columns] = true;
                from = (place / columns + 1) * columns;
                continue;
            }
            let first = value - value % PAGE as u32;
            if are_plain(first..=first + PAGE as u32 - 1) {
                let codes = std::array::from_fn(|at| texts.codes(first + at as u32, size));
                self.chars.set_page(first, size, &codes);
            } else {
                self.chars.set(value, size, codes);
            }
            self.text.codes_mut()[place..place + 2].copy_from_slice(&codes);
        }
    }
}
