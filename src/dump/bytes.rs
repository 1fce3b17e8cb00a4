//! The layout of rows with a fixed number of bytes: offset, cells and a text column.
//!
//! The mark before a cell shows the boundaries of sequences: a blank before the first byte, a full
//! stop before each further byte, an exclamation mark before the first byte of an ill-formed
//! sequence.

use std::io;

use super::bulk::BulkRows;
use super::cache::SequenceLook;
use super::grid::Grid;
use super::headings::InputHeadings;
use super::roles::{Role, Roles};
use super::row_filter::RowFilter;
use super::text_column::TextColumns;
use super::utf8_text::{MARK_FAULT, Utf8Text};
use super::{DumpItem, DumpStyle, Layout, MARK_FIRST, MARK_FURTHER, digits, pad};
use crate::kernel::Kernels;
use crate::output::Output;
use crate::registry::Encoding;
use crate::text::name::InputName;

/// Writes rows with a fixed number of bytes.
#[derive(Debug)]
pub struct ByteLayout {
    kernels: &'static Kernels,
    style: DumpStyle,
    /// The grid without a limit of its width.
    free: Grid,
    grid: Grid,
    /// Number of digits of the offsets that `grid` fits.
    offset: usize,
    headings: InputHeadings,
    rows: RowFilter,
    roles: Roles,
    texts: TextColumns,
    row: ByteRow,
    repeated: RepeatedRow,
    bulk: BulkRows,
}

/// The row that is being filled.
#[derive(Debug, Default)]
struct ByteRow {
    /// Offset of the first byte in the input.
    offset: u64,
    /// The bytes of the row.
    bytes: Vec<u8>,
    /// The mark before each cell.
    marks: Vec<u8>,
    /// The role of each byte, if colours are on.
    roles: Vec<Role>,
    /// The text column.
    text: Vec<u8>,
    /// True if an ill-formed sequence starts in the row.
    fault: bool,
}

/// Replaces rows that repeat the row above by one `*`.
#[derive(Debug, Default)]
struct RepeatedRow {
    /// Bytes of the last row that was written.
    bytes: Vec<u8>,
    /// Marks of the last row that was written.
    marks: Vec<u8>,
    /// The last row that was left out since; empty if there was none.
    left_out: Vec<u8>,
    /// True if the `*` for the rows left out is written.
    starred: bool,
}

/// The line in place of repeated rows.
const REPEATED: &[u8] = b"*\n";

/// Number of blanks between the cells and the text column.
pub(super) const GAP: usize = 2;

impl ByteLayout {
    /// Creates a layout whose rows have the cells of `grid`, or fewer if the style has a width.
    pub fn new(kernels: &'static Kernels, style: DumpStyle, free: Grid) -> ByteLayout {
        let offset = digits::width(0);
        let grid = style.width.map_or(free, |width| free.within(width, offset));
        let texts = TextColumns::new(style.report.unicode);
        let bulk = BulkRows::new(kernels, grid, &texts);
        ByteLayout {
            kernels,
            style,
            free,
            grid,
            offset,
            headings: InputHeadings::new(style.several),
            rows: RowFilter::new(style.only_ill_formed),
            roles: Roles::default(),
            texts,
            row: ByteRow::default(),
            repeated: RepeatedRow::default(),
            bulk,
        }
    }

    /// Fits the rows from the current one on, if it is empty, for offsets up to this one.
    fn fit(&mut self, offset: u64) {
        let digits = digits::width(offset);
        if let Some(width) = self.style.width
            && self.offset != digits
            && self.row.bytes.is_empty()
        {
            (self.grid, self.offset) = (self.free.within(width, digits), digits);
            self.bulk = BulkRows::new(self.kernels, self.grid, &self.texts);
        }
    }

    /// Returns the number of free cells in the row.
    fn room(&self) -> usize {
        self.grid.columns - self.row.bytes.len()
    }

    /// Adds bytes of a sequence, at most [`room`](Self::room), with the mark before the first. The
    /// text column shows `shape`, which is `width` columns wide.
    fn add(&mut self, bytes: &[u8], mark: u8, shape: &[u8], width: usize, look: SequenceLook) {
        let (row, role) = (&mut self.row, look.role);
        row.bytes.extend_from_slice(bytes);
        row.marks.push(mark);
        row.marks.resize(row.bytes.len(), MARK_FURTHER);
        let fillers = self.texts.fillers(bytes.len().saturating_sub(width), look.joined);
        let color = self.style.report.color;
        if color {
            row.roles.resize(row.bytes.len(), role);
        }
        role.paint(&mut row.text, color, shape);
        role.paint(&mut row.text, color, fillers);
    }

    /// Appends the row, if it has bytes, and clears it.
    fn write_row(&mut self, out: &mut Vec<u8>) {
        let row = &self.row;
        if row.bytes.is_empty() {
            return;
        }
        self.rows.begin(out);
        let start = out.len();
        digits::write_offset(out, row.offset);
        out.push(b':');
        if self.style.report.color {
            self.write_colored_cells(out, row);
        } else {
            let cells = out.len();
            pad(out, self.grid.width());
            self.grid.fill(&mut out[cells..], &row.bytes, |column| row.marks[column]);
        }
        pad(out, GAP);
        let text = out.len();
        out.extend_from_slice(&row.text);
        self.texts.disarm(out, text);
        out.push(b'\n');
        if self.grid.squeeze {
            self.repeated.squeeze(out, start, row);
        }
        self.rows.end(out, self.row.fault);
        self.row.clear();
    }

    /// Appends the cells of a row in the colours of their roles.
    fn write_colored_cells(&self, out: &mut Vec<u8>, row: &ByteRow) {
        let mut used = 0;
        let cells = row.bytes.iter().zip(&row.marks).zip(&row.roles);
        for (at, ((&byte, &mark), role)) in cells.enumerate() {
            let mark = [mark];
            let mark = if self.grid.is_marked(at) { &mark[..] } else { b"" };
            let digits = self.grid.base.digits(self.style.upper, byte);
            used += mark.len() + digits.len();
            match mark {
                // The blank between two sequences belongs to neither.
                [MARK_FIRST] => out.push(MARK_FIRST),
                _ => role.paint(out, true, mark),
            }
            role.paint(out, true, digits);
        }
        pad(out, self.grid.width() - used);
    }

    /// Skips whole rows of well-formed UTF-8 from an index on, except the last `context` rows, which
    /// may come before an ill-formed sequence. Returns the index of the first byte not skipped.
    fn skip(&mut self, context: usize, bytes: &[u8], at: usize) -> usize {
        let rows = ((bytes.len() - at) / self.grid.columns).saturating_sub(context);
        if rows == 0 || self.rows.keeps_next() {
            return at;
        }
        self.rows.drop_pending();
        let at = at + rows * self.grid.columns;
        self.texts.skip_to(bytes, at);
        at
    }

    /// Adds the bytes of a text between two indexes to the row, which must have room for them.
    fn add_utf8(&mut self, text: Utf8Text<'_>, start: usize, end: usize) {
        if self.row.bytes.is_empty() {
            self.row.offset = text.offset + start as u64;
        }
        self.row.bytes.extend_from_slice(&text.bytes[start..end]);
        text.append_marks(&mut self.row.marks, start, end);
        self.texts.append(&mut self.row.text, text, start, end);
    }
}

impl ByteRow {
    fn clear(&mut self) {
        self.bytes.clear();
        self.marks.clear();
        self.roles.clear();
        self.text.clear();
        self.fault = false;
    }
}

impl RepeatedRow {
    /// Takes the row that starts at `out[start]` away if it repeats the row above.
    fn squeeze(&mut self, out: &mut Vec<u8>, start: usize, row: &ByteRow) {
        let repeated = (&self.bytes, &self.marks) == (&row.bytes, &row.marks);
        let row_text = out.split_off(start);
        if !self.left_out.is_empty() && !std::mem::replace(&mut self.starred, true) {
            out.extend_from_slice(REPEATED);
        }
        if repeated {
            self.left_out = row_text;
            return;
        }
        out.extend_from_slice(&row_text);
        self.bytes.clone_from(&row.bytes);
        self.marks.clone_from(&row.marks);
        self.left_out.clear();
        self.starred = false;
    }

    /// Ends the input. The last row is written even if it is a repeated one: its offset shows how
    /// many rows were left out.
    fn end(&mut self, out: &mut Vec<u8>) {
        out.append(&mut self.left_out);
        *self = RepeatedRow::default();
    }
}

impl Layout for ByteLayout {
    fn begin(
        &mut self,
        out: &mut Output,
        name: &InputName<'_>,
        _: &'static Encoding,
    ) -> io::Result<()> {
        self.headings.write(out.buffer(), name);
        Ok(())
    }

    fn codec(&mut self, _: &'static Encoding) {}

    fn item(&mut self, out: &mut Output, item: &DumpItem<'_>) -> io::Result<()> {
        let role = self.roles.next(item);
        let look = SequenceLook { role, joined: self.texts.clusters.next(item) };
        let shape = self.texts.shape(item);
        let mut mark = match role {
            _ if item.before > 0 => MARK_FURTHER,
            Role::Fault => MARK_FAULT,
            _ => MARK_FIRST,
        };
        let (mut offset, mut bytes) = (item.start(), item.bytes());
        let (mut text, mut width) = (shape.text(), usize::from(shape.width));
        while !bytes.is_empty() {
            self.fit(offset);
            if self.row.bytes.is_empty() {
                self.row.offset = offset;
            }
            let (now, rest) = bytes.split_at(bytes.len().min(self.room()));
            self.row.fault |= role == Role::Fault && item.before == 0;
            self.add(now, mark, text, width, look);
            if self.room() == 0 {
                self.write_row(out.buffer());
            }
            (offset, bytes) = (offset + now.len() as u64, rest);
            (mark, text, width) = (MARK_FURTHER, b"", 0);
        }
        Ok(())
    }

    fn takes_faults(&self) -> bool {
        !self.style.report.color && !self.grid.squeeze && self.style.only_ill_formed.is_none()
    }

    fn utf8(&mut self, out: &mut Output, text: Utf8Text<'_>) -> io::Result<()> {
        let bytes = text.bytes;
        if self.style.report.color {
            return super::for_each_sequence(text.offset, bytes, |item| {
                self.item(out, &item)?;
                out.settle()
            });
        }
        self.texts.begin(text.offset);
        let mut at = 0;
        while at < bytes.len() {
            if self.row.bytes.is_empty() {
                self.fit(text.offset + bytes.len() as u64);
                let next = match self.style.only_ill_formed {
                    _ if self.grid.squeeze => at,
                    None => self.bulk.fill(out.buffer(), &mut self.texts, text, at),
                    Some(context) => self.skip(context, bytes, at),
                };
                if next > at {
                    at = next;
                    out.settle()?;
                    continue;
                }
            }
            let end = bytes.len().min(at + self.room());
            self.add_utf8(text, at, end);
            if self.room() == 0 {
                self.write_row(out.buffer());
                out.settle()?;
            }
            at = end;
        }
        self.texts.end(text);
        Ok(())
    }

    fn end(&mut self, out: &mut Output) -> io::Result<()> {
        self.write_row(out.buffer());
        self.repeated.end(out.buffer());
        self.rows.reset();
        Ok(())
    }
}
