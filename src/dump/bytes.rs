//! What is each byte? Rows of as many cells, and the characters beside them.
//!
//! What stands before a cell tells where sequences are: a blank where one begins, a point where it
//! goes on, an exclamation mark where an ill-formed one begins.

use std::io;

use super::grid::Grid;
use super::headings::Headings;
use super::paint::{Role, Roles};
use super::rows::Rows;
use super::text::{self, Texts};
use super::{Item, Layout, Look, cells, pad};
use crate::codec::Spec;
use crate::out::Out;
use crate::report::Name;

/// The layout of rows of cells.
#[derive(Debug)]
pub struct Bytes {
    look: Look,
    grid: Grid,
    headings: Headings,
    rows: Rows,
    roles: Roles,
    texts: Texts,
    row: Row,
    before: Before,
    /// Where rows are written that come many at a time.
    page: Vec<u8>,
}

/// What is gathered of a row.
#[derive(Debug, Default)]
struct Row {
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
struct Before {
    row: Vec<u8>,
    /// The last one that was left out, if any was since.
    left_out: Vec<u8>,
}

/// What stands before a cell.
const BEGINS: u8 = b' ';
const GOES_ON: u8 = b'.';
const FAULT: u8 = b'!';

/// What repeated rows are left out for.
const REPEATED: &[u8] = b"*\n";

/// What stands between the cells and the text.
const GAP: usize = 2;

/// How much of the page is written before it is passed on.
const PAGE: usize = 1 << 10;

impl Bytes {
    /// A dump that looks like this.
    pub fn new(look: Look, grid: Grid) -> Bytes {
        Bytes {
            look,
            grid,
            headings: Headings::new(look.several),
            rows: Rows::new(look.only_ill_formed),
            roles: Roles::default(),
            texts: Texts::new(look.style.unicode),
            row: Row::default(),
            before: Before::default(),
            page: Vec::new(),
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
            self.before.squeeze(out, start);
        }
        self.rows.end(out, self.row.fault);
        self.row.clear();
    }

    /// Append the cells of a row in the colours of their roles.
    fn colored(&self, out: &mut Vec<u8>, row: &Row) {
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

    /// Whether rows are written as they are, one after another.
    fn is_free(&self) -> bool {
        !(self.look.style.color || self.grid.squeeze || self.look.only_ill_formed.is_some())
    }

    /// Write as many rows as these bytes of UTF-8 fill, from `at` on; a sequence may go on behind
    /// the last. Returns where the rest starts.
    fn fill_rows(&mut self, out: &mut Vec<u8>, offset: u64, bytes: &[u8], mut at: usize) -> usize {
        let columns = self.grid.columns;
        let mut page = std::mem::take(&mut self.page);
        page.resize(PAGE + self.longest_row(), 0);
        let next_hash =
            |from: usize| memchr::memchr(b'#', &bytes[from..]).map_or(bytes.len(), |at| from + at);
        let (mut len, mut hash) = (0, next_hash(at));
        while let Some(row) = bytes.get(at..at + columns) {
            if len > PAGE {
                out.extend_from_slice(&page[..len]);
                len = 0;
            }
            let text = len + self.put_cells(&mut page[len..], offset + at as u64, row);
            let end = text + self.texts.write(&mut page[text..], at, at + columns);
            page[end] = b'\n';
            len = end + 1;
            at += columns;
            if hash < at {
                out.extend_from_slice(&page[..len]);
                self.texts.disarm(out, out.len() - (len - text));
                (len, hash) = (0, next_hash(at));
            }
        }
        out.extend_from_slice(&page[..len]);
        self.page = page;
        at
    }

    /// How long a row can be, and what is spoilt behind it.
    fn longest_row(&self) -> usize {
        let head = cells::LONGEST_OFFSET + 1 + self.grid.width() + GAP;
        head + self.grid.columns * text::MOST + text::SLACK
    }

    /// Write what is before the text of a row of UTF-8. Returns how long that is.
    fn put_cells(&self, to: &mut [u8], offset: u64, row: &[u8]) -> usize {
        let colon = cells::put_offset(to, offset);
        to[colon] = b':';
        let gap = colon + 1 + self.grid.width();
        self.grid.fill(&mut to[colon + 1..gap], row, |_, byte| mark(byte));
        to[gap..gap + GAP].fill(b' ');
        gap + GAP
    }

    /// Add the bytes of UTF-8 from `start` to `end` to the row, for which there is room.
    fn add_utf8(&mut self, offset: u64, bytes: &[u8], start: usize, end: usize) {
        if self.row.bytes.is_empty() {
            self.row.offset = offset + start as u64;
        }
        self.row.bytes.extend_from_slice(&bytes[start..end]);
        self.row.marks.extend(bytes[start..end].iter().map(|&byte| mark(byte)));
        self.page.resize(PAGE + self.longest_row(), 0);
        let len = self.texts.write(&mut self.page, start, end);
        self.row.text.extend_from_slice(&self.page[..len]);
    }
}

/// What stands before a byte of UTF-8.
fn mark(byte: u8) -> u8 {
    if byte & 0xC0 == 0x80 { GOES_ON } else { BEGINS }
}

impl Row {
    fn clear(&mut self) {
        self.bytes.clear();
        self.marks.clear();
        self.roles.clear();
        self.text.clear();
        self.fault = false;
    }
}

impl Before {
    /// Leave the row out that starts at `start`, if it is like the one before.
    fn squeeze(&mut self, out: &mut Vec<u8>, start: usize) {
        let row = &out[start..];
        let body = row.iter().position(|&byte| byte == b':').unwrap_or(0);
        if self.row != row[body..] {
            self.row = row[body..].to_vec();
            self.left_out.clear();
            return;
        }
        let first = self.left_out.is_empty();
        self.left_out = out.split_off(start);
        if first {
            out.extend_from_slice(REPEATED);
        }
    }

    /// The input ends: the last row is always written, for it tells where.
    fn end(&mut self, out: &mut Vec<u8>) {
        out.append(&mut self.left_out);
        self.row.clear();
    }
}

impl Layout for Bytes {
    fn begin(&mut self, out: &mut Out, name: &Name<'_>, _: &'static Spec) -> io::Result<()> {
        self.headings.write(out.buffer(), name);
        Ok(())
    }

    fn codec(&mut self, _: &'static Spec) {}

    fn item(&mut self, out: &mut Out, item: &Item<'_>) -> io::Result<()> {
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

    fn utf8(&mut self, out: &mut Out, offset: u64, bytes: &[u8]) -> io::Result<()> {
        if !self.is_free() {
            return super::each(offset, bytes, |item| self.item(out, &item));
        }
        self.texts.read(bytes);
        let mut at = 0;
        if self.room() < self.grid.columns {
            at = bytes.len().min(self.room());
            self.add_utf8(offset, bytes, 0, at);
            if self.room() == 0 {
                self.write(out.buffer());
            }
        }
        at = self.fill_rows(out.buffer(), offset, bytes, at);
        if at < bytes.len() {
            self.add_utf8(offset, bytes, at, bytes.len());
        }
        Ok(())
    }

    fn end(&mut self, out: &mut Out) -> io::Result<()> {
        self.write(out.buffer());
        self.before.end(out.buffer());
        self.rows.reset();
        Ok(())
    }
}
