//! What is each byte? Rows of as many cells, and the characters beside them.
//!
//! What stands before a cell tells where sequences are: a blank where one begins, a point where it
//! goes on, an exclamation mark where an ill-formed one begins.

use std::io;

use super::grid::Grid;
use super::headings::InputHeadings;
use super::page::{BulkPart, BulkRows};
use super::paint::{Role, Roles};
use super::rows::RowFilter;
use super::text::{TextColumn, TextColumns};
use super::{BEGINS, DumpItem, DumpStyle, GOES_ON, Layout, cells, pad};
use crate::kernel::{Kernels, mark};
use crate::output::Output;
use crate::registry::Encoding;
use crate::text::name::InputName;

/// The layout of rows of cells.
#[derive(Debug)]
pub struct ByteLayout {
    look: DumpStyle,
    grid: Grid,
    headings: InputHeadings,
    rows: RowFilter,
    roles: Roles,
    texts: TextColumns,
    row: ByteRow,
    before: RepeatedRow,
    page: BulkRows,
}

/// What is gathered of a row.
#[derive(Debug, Default)]
struct ByteRow {
    /// The offset of its first byte.
    offset: u64,
    bytes: Vec<u8>,
    /// What stands before each cell.
    marks: Vec<u8>,
    roles: Vec<Role>,
    text: Vec<u8>,
    fault: bool,
}

/// The row before, where repeated rows are left out.
#[derive(Debug, Default)]
struct RepeatedRow {
    bytes: Vec<u8>,
    marks: Vec<u8>,
    /// The last one that was left out, if any was since.
    left_out: Vec<u8>,
    /// Whether there is a star for those that were.
    starred: bool,
}

/// What stands before the cell where an ill-formed sequence begins.
const FAULT: u8 = b'!';

/// What repeated rows are left out for.
const REPEATED: &[u8] = b"*\n";

/// What stands between the cells and the text.
pub(super) const GAP: usize = 2;

impl ByteLayout {
    /// A dump that looks like this.
    pub fn new(kernels: &'static Kernels, look: DumpStyle, grid: Grid) -> ByteLayout {
        ByteLayout {
            look,
            grid,
            headings: InputHeadings::new(look.several),
            rows: RowFilter::new(look.only_ill_formed),
            roles: Roles::default(),
            texts: TextColumns::new(look.style.unicode),
            row: ByteRow::default(),
            before: RepeatedRow::default(),
            page: BulkRows::new(kernels, grid),
        }
    }

    /// How many columns of the row are free.
    fn room(&self) -> usize {
        self.grid.columns - self.row.bytes.len()
    }

    /// Add bytes of a sequence to the row, as many as there is room for, and what stands for them in
    /// the text column.
    fn add(&mut self, bytes: &[u8], mark: u8, shape: &[u8], width: usize, role: Role) {
        let row = &mut self.row;
        row.bytes.extend_from_slice(bytes);
        row.marks.push(mark);
        row.marks.resize(row.bytes.len(), GOES_ON);
        let fillers = self.texts.fillers(bytes.len().saturating_sub(width));
        if self.look.style.color {
            row.roles.resize(row.bytes.len(), role);
            role.paint(&mut row.text, shape);
            role.paint(&mut row.text, fillers);
        } else {
            row.text.extend_from_slice(shape);
            row.text.extend_from_slice(fillers);
        }
    }

    /// Write what was gathered of a row.
    fn write(&mut self, out: &mut Vec<u8>) {
        let row = &self.row;
        if row.bytes.is_empty() {
            return;
        }
        self.rows.begin(out);
        let start = out.len();
        cells::offset(out, row.offset);
        out.push(b':');
        if self.look.style.color {
            self.colored(out, row);
        } else {
            let cells = out.len();
            pad(out, self.grid.width());
            self.grid.fill(&mut out[cells..], &row.bytes, |column, _| row.marks[column]);
        }
        pad(out, GAP);
        let text = out.len();
        out.extend_from_slice(&row.text);
        self.texts.disarm(out, text);
        out.push(b'\n');
        if self.grid.squeeze {
            self.before.squeeze(out, start, row);
        }
        self.rows.end(out, self.row.fault);
        self.row.clear();
    }

    /// Append the cells of a row in the colours of their roles.
    fn colored(&self, out: &mut Vec<u8>, row: &ByteRow) {
        let mut used = 0;
        let cells = row.bytes.iter().zip(&row.marks).zip(&row.roles);
        for (at, ((&byte, &mark), role)) in cells.enumerate() {
            let mark = [mark];
            let mark = if self.grid.is_marked(at) { &mark[..] } else { b"" };
            let digits = self.grid.base.digits(self.look.upper, byte);
            used += mark.len() + digits.len();
            match mark {
                // Where one begins, it belongs to neither.
                [BEGINS] => out.push(BEGINS),
                _ => role.paint(out, mark),
            }
            role.paint(out, digits);
        }
        pad(out, self.grid.width() - used);
    }

    /// Skip the rows up to `end` that show nothing ill-formed and are not near enough to what may
    /// come. Returns where the rest starts.
    fn skip(&mut self, context: usize, end: usize, at: usize) -> usize {
        let rows = ((end - at) / self.grid.columns).saturating_sub(context);
        if rows == 0 || self.rows.is_wanted() {
            return at;
        }
        self.rows.skip();
        at + rows * self.grid.columns
    }

    /// Add the bytes of UTF-8 from `start` to `end` to the row, for which there is room.
    fn add_utf8(&mut self, offset: u64, bytes: &[u8], start: usize, end: usize) {
        if start == end {
            return;
        }
        if self.row.bytes.is_empty() {
            self.row.offset = offset + start as u64;
        }
        self.row.bytes.extend_from_slice(&bytes[start..end]);
        self.row.marks.extend(bytes[start..end].iter().map(|&byte| mark(byte)));
        TextColumn::new(&mut self.texts, bytes, start).append(&mut self.row.text, start, end);
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
    /// Leave the row out that starts at `start`, if it is like the one before.
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

    /// The input ends: the last row is always written, for it tells where.
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
        let shape = self.texts.shape(item);
        let mut mark = match role {
            _ if item.before > 0 => GOES_ON,
            Role::Fault => FAULT,
            _ => BEGINS,
        };
        let (mut offset, mut bytes) = (item.start(), item.bytes());
        let (mut text, mut width) = (shape.text(), usize::from(shape.width));
        while !bytes.is_empty() {
            if self.row.bytes.is_empty() {
                self.row.offset = offset;
            }
            let (now, rest) = bytes.split_at(bytes.len().min(self.room()));
            self.row.fault |= role == Role::Fault && item.before == 0;
            self.add(now, mark, text, width, role);
            if self.room() == 0 {
                self.write(out.buffer());
            }
            (offset, bytes) = (offset + now.len() as u64, rest);
            (mark, text, width) = (GOES_ON, b"", 0);
        }
        Ok(())
    }

    fn utf8(&mut self, out: &mut Output, offset: u64, bytes: &[u8]) -> io::Result<()> {
        if self.look.style.color {
            return super::each(offset, bytes, |item| self.item(out, &item));
        }
        let out = out.buffer();
        let mut at = 0;
        while at < bytes.len() {
            if self.row.bytes.is_empty() {
                at = match self.look.only_ill_formed {
                    _ if self.grid.squeeze => at,
                    None => self.page.fill(out, &mut self.texts, BulkPart { offset, bytes, at }),
                    Some(context) => self.skip(context, bytes.len(), at),
                };
            }
            let end = bytes.len().min(at + self.room());
            self.add_utf8(offset, bytes, at, end);
            if self.room() == 0 {
                self.write(out);
            }
            at = end;
        }
        Ok(())
    }

    fn end(&mut self, out: &mut Output) -> io::Result<()> {
        self.write(out.buffer());
        self.before.end(out.buffer());
        self.rows.reset();
        Ok(())
    }
}
