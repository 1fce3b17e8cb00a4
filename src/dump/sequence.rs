//! The layout of a row for each sequence: offset, bits, bytes, code point, character and name.

use std::io;

use super::cache::RowCache;
use super::fold::{AsciiFold, FoldingLayout};
use super::headings::InputHeadings;
use super::roles::{PAYLOAD, RESET, Role, Roles};
use super::row_filter::RowFilter;
use super::text_column::is_printable;
use super::{CellBase, DumpItem, DumpStyle, Layout, Meaning, decode, digits, pad};
use crate::codec::BOM;
use crate::output::Output;
use crate::registry::Encoding;
use crate::text::character::{self, shape};
use crate::text::escape::disarm;
use crate::text::name::InputName;
use crate::text::write;

/// Writes a row for each sequence.
///
/// A sequence that is too long for a row is continued in the next one. Runs of printable ASCII are
/// folded into shared rows.
#[derive(Debug)]
pub struct SequenceLayout {
    style: DumpStyle,
    encoding: &'static Encoding,
    headings: InputHeadings,
    rows: RowFilter,
    roles: Roles,
    fold: AsciiFold,
    cache: RowCache,
}

/// Smallest and largest number of bytes that a row has room for.
const ROOM: (usize, usize) = (4, 6);

/// Width of the bits of a byte, with the point between marker and payload and a blank.
const BITS: usize = 10;
/// Width of the hexadecimal digits of a byte, with a blank.
const HEX: usize = 3;

/// Width of `U+10FFFF`.
const POINT: usize = 8;
/// Width of the widest character.
const CHARACTER: usize = 2;

impl SequenceLayout {
    /// Creates a layout of this style.
    pub fn new(style: DumpStyle) -> SequenceLayout {
        SequenceLayout {
            style,
            encoding: Encoding::UTF_8,
            headings: InputHeadings::new(style.several),
            rows: RowFilter::new(style.only_ill_formed),
            roles: Roles::default(),
            fold: AsciiFold::default(),
            cache: RowCache::default(),
        }
    }

    /// Returns the number of bytes that a row has room for.
    fn room(&self) -> usize {
        self.encoding.inner.widest.clamp(ROOM.0, ROOM.1)
    }

    /// Appends the columns after the offset. The row has `len` bytes of the item from its byte `at` on.
    fn write_columns(
        &self,
        out: &mut Vec<u8>,
        item: &DumpItem<'_>,
        at: usize,
        len: usize,
        role: Role,
    ) {
        let room = self.room();
        let start = item.before + at;
        out.extend_from_slice(b"  ");
        let used: usize = (start..start + len).map(|at| self.write_bits(out, item, at, role)).sum();
        pad(out, room * BITS + 1 - used);
        self.paint(out, role, |out| {
            for (at, &byte) in item.sequence[start..start + len].iter().enumerate() {
                out.extend_from_slice(if at > 0 { b" " } else { b"" });
                out.extend_from_slice(CellBase::Hex.digits(self.style.upper, byte));
            }
        });
        if at == 0 {
            pad(out, (room - len) * HEX + 2);
            self.write_meaning(out, item);
        }
        out.push(b'\n');
    }

    /// Appends the bits of a byte and a blank. Returns the width of both in columns.
    fn write_bits(&self, out: &mut Vec<u8>, item: &DumpItem<'_>, at: usize, role: Role) -> usize {
        let digits = CellBase::Bits.digits(false, item.sequence[at]);
        let markers = (self.encoding.inner.markers)(item.sequence, at) as usize;
        let (marker, payload) = digits.split_at(markers.min(digits.len()));
        let mark = !marker.is_empty() && !payload.is_empty();
        self.paint(out, role, |out| {
            out.extend_from_slice(marker);
            if mark {
                out.extend_from_slice(self.dot());
            }
            if !payload.is_empty() {
                self.sgr(out, PAYLOAD);
            }
            out.extend_from_slice(payload);
        });
        out.push(b' ');
        digits.len() + 1 + usize::from(mark)
    }

    /// Returns the point between marker and payload, also the stand-in in text.
    fn dot(&self) -> &'static [u8] {
        if self.style.report.unicode { "·".as_bytes() } else { b"." }
    }

    /// Appends a control sequence if colours are on.
    fn sgr(&self, out: &mut Vec<u8>, sgr: &[u8]) {
        if self.style.report.color {
            out.extend_from_slice(sgr);
        }
    }

    /// Appends the output of `write` in the colour of a role. It may use control sequences itself.
    fn paint(&self, out: &mut Vec<u8>, role: Role, write: impl FnOnce(&mut Vec<u8>)) {
        self.sgr(out, role.sgr());
        write(out);
        self.sgr(out, RESET);
    }

    /// Appends the columns about the meaning of a sequence.
    fn write_meaning(&self, out: &mut Vec<u8>, item: &DumpItem<'_>) {
        if item.is_cut() {
            return out.extend_from_slice(&item.describe_part(self.style.names));
        }
        match item.meaning {
            Meaning::Scalar(value) => self.write_characters(out, item, &[value]),
            Meaning::Two(values) => self.write_characters(out, item, &values),
            Meaning::Signature => {
                self.write_point(out, BOM);
                out.extend_from_slice(b"signature (byte order mark), no text");
            }
            Meaning::Skip => out.extend_from_slice(b"part of the spelling, stands for nothing"),
            Meaning::Ill(kind, next) => {
                self.paint(out, Role::Fault, |out| {
                    out.extend_from_slice(&item.message(self.encoding, kind, next));
                    out.extend_from_slice(b" [");
                    out.extend_from_slice(kind.id().as_bytes());
                    out.push(b']');
                });
            }
        }
    }

    /// Appends the columns of a code point and its character, padded with blanks.
    fn write_point(&self, out: &mut Vec<u8>, value: u32) {
        let start = out.len();
        write::code_point(out, value);
        pad(out, (POINT + 2).saturating_sub(out.len() - start).max(2));
        let shape = shape(value, self.style.report.unicode);
        out.extend_from_slice(shape.text());
        pad(out, CHARACTER - usize::from(shape.width) + 2);
    }

    /// Appends code points with their characters, names and derivation.
    fn write_characters(&self, out: &mut Vec<u8>, item: &DumpItem<'_>, values: &[u32]) {
        for (at, &value) in values.iter().enumerate() {
            out.extend_from_slice(if at > 0 { b" + " } else { b"" });
            self.write_point(out, value);
            if self.style.names {
                out.extend_from_slice(character::name(value).as_bytes());
            }
            trim(out);
        }
        if item.offset == 0 && values == [BOM] {
            out.extend_from_slice(b" (byte order mark)");
        }
        if let Some(derivation) = (self.encoding.inner.derivation)(item.sequence) {
            out.extend_from_slice(format!("  ({derivation})").as_bytes());
        }
    }

    /// Adds the printable ASCII at the front to the folded row, as far as it has room. Returns the
    /// number of characters.
    fn fold_front(&mut self, out: &mut Vec<u8>, offset: u64, bytes: &[u8]) -> usize {
        let row = &bytes[..bytes.len().min(self.fold.room())];
        let len = row.iter().position(|&byte| !is_printable(byte)).unwrap_or(row.len());
        self.fold.add(offset, &row[..len], &row[..len]);
        if self.fold.room() == 0 {
            self.write_folded(out);
        }
        len
    }
}

impl FoldingLayout<Vec<u8>> for SequenceLayout {
    fn fold(&mut self) -> &mut AsciiFold {
        &mut self.fold
    }

    fn write_sequence(&mut self, out: &mut Vec<u8>, item: &DumpItem<'_>) {
        let role = self.roles.next(item);
        let fault = role == Role::Fault && item.before == 0;
        if let Some(cached) = self.cache.get(item, role) {
            self.rows.begin(out);
            digits::write_offset(out, item.offset);
            out.extend_from_slice(cached);
            return self.rows.end(out, fault);
        }
        // Rows of equal length, so that a surrogate pair is split between its surrogates.
        let rows = item.len.div_ceil(self.room());
        let len = item.len.div_ceil(rows);
        for (at, bytes) in (0..).step_by(len).zip(item.bytes().chunks(len)) {
            self.rows.begin(out);
            digits::write_offset(out, item.start() + at as u64);
            let start = out.len();
            self.write_columns(out, item, at, bytes.len(), role);
            if rows == 1 {
                self.cache.set(item, role, &out[start..]);
            }
            self.rows.end(out, fault);
        }
    }

    fn write_row(&mut self, out: &mut Vec<u8>) {
        let room = self.room();
        self.rows.begin(out);
        digits::write_offset(out, self.fold.offset());
        let start = out.len();
        pad(out, 1);
        for &byte in self.fold.bytes() {
            out.push(b' ');
            out.extend_from_slice(CellBase::Hex.digits(self.style.upper, byte));
        }
        pad(out, (room * (BITS + HEX) + 4).saturating_sub(out.len() - start).max(2));
        out.push(b'"');
        let text = out.len();
        out.extend_from_slice(self.fold.text());
        disarm(out, text, self.dot());
        out.extend_from_slice(b"\"\n");
        self.rows.end(out, false);
    }
}

/// Removes the blanks at the end.
fn trim(out: &mut Vec<u8>) {
    out.truncate(out.trim_ascii_end().len());
}

impl Layout for SequenceLayout {
    fn begin(
        &mut self,
        out: &mut Output,
        name: &InputName<'_>,
        encoding: &'static Encoding,
    ) -> io::Result<()> {
        self.headings.write(out.buffer(), name);
        self.codec(encoding);
        Ok(())
    }

    fn codec(&mut self, encoding: &'static Encoding) {
        self.encoding = encoding;
        self.cache.set_encoding(encoding);
    }

    fn item(&mut self, out: &mut Output, item: &DumpItem<'_>) -> io::Result<()> {
        let out = out.buffer();
        if self.style.fold && self.fold.accepts(item, self.encoding.inner.unit) {
            self.add_folded(out, item);
        } else {
            self.unfold(out);
            self.write_sequence(out, item);
        }
        Ok(())
    }

    fn utf8(&mut self, out: &mut Output, offset: u64, bytes: &[u8]) -> io::Result<()> {
        let mut at = 0;
        while at < bytes.len() {
            let (here, rest) = (offset + at as u64, &bytes[at..]);
            at += match rest[0] {
                b' '..=b'~' if self.style.fold => self.fold_front(out.buffer(), here, rest),
                _ => {
                    let (value, len) = decode(rest);
                    let meaning = Meaning::Scalar(value);
                    let item =
                        DumpItem { offset: here, sequence: &rest[..len], before: 0, len, meaning };
                    self.unfold(out.buffer());
                    self.write_sequence(out.buffer(), &item);
                    len
                }
            };
        }
        Ok(())
    }

    fn end(&mut self, out: &mut Output) -> io::Result<()> {
        self.unfold(out.buffer());
        self.rows.reset();
        Ok(())
    }
}
