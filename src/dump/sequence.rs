//! What is each sequence? A row for each: its offset, bits, bytes, code point, character and name.

use std::io;

use super::fold::AsciiFold;
use super::headings::InputHeadings;
use super::memo::RowCache;
use super::paint::{PAYLOAD, PLAIN, Role, Roles};
use super::rows::RowFilter;
use super::text::is_printable;
use super::{CellBase, DumpItem, DumpStyle, Layout, Meaning, cells, decode, pad};
use crate::codec::BOM;
use crate::output::Output;
use crate::registry::{CODECS, Encoding};
use crate::text::character::{self, shape};
use crate::text::escape::disarm;
use crate::text::name::InputName;
use crate::text::write;

/// The layout of a row for each sequence.
///
/// A sequence that is too long for a row goes on in the next one. Runs of printable ASCII are
/// folded into rows of their own.
#[derive(Debug)]
pub struct SequenceLayout {
    look: DumpStyle,
    spec: &'static Encoding,
    headings: InputHeadings,
    rows: RowFilter,
    roles: Roles,
    fold: AsciiFold,
    memo: RowCache,
}

/// How many bytes a row has room for, at least and at most.
const ROOM: (usize, usize) = (4, 6);

/// The width of a cell of bits with its mark and a blank behind it, and of one of hex digits.
const BITS: usize = 10;
const HEX: usize = 3;

/// The width of `U+10FFFF`, and of a character.
const POINT: usize = 8;
const CHARACTER: usize = 2;

impl SequenceLayout {
    /// A dump that looks like this.
    pub fn new(look: DumpStyle) -> SequenceLayout {
        SequenceLayout {
            look,
            spec: &CODECS[0],
            headings: InputHeadings::new(look.several),
            rows: RowFilter::new(look.only_ill_formed),
            roles: Roles::default(),
            fold: AsciiFold::default(),
            memo: RowCache::default(),
        }
    }

    /// How many bytes a row has room for.
    fn room(&self) -> usize {
        self.spec.widest.clamp(ROOM.0, ROOM.1)
    }

    /// The rows of a sequence.
    fn sequence(&mut self, out: &mut Vec<u8>, item: &DumpItem<'_>) {
        let role = self.roles.next(item);
        let fault = role == Role::Fault && item.before == 0;
        if let Some(memo) = self.memo.get(item, role) {
            self.rows.begin(out);
            cells::offset(out, item.offset);
            out.extend_from_slice(memo);
            return self.rows.end(out, fault);
        }
        // In rows of the same length: a pair of surrogates is cut between them.
        let rows = item.len.div_ceil(self.room());
        let len = item.len.div_ceil(rows);
        for (at, bytes) in (0..).step_by(len).zip(item.bytes().chunks(len)) {
            self.rows.begin(out);
            cells::offset(out, item.start() + at as u64);
            let start = out.len();
            self.columns(out, item, at, bytes.len(), role);
            if rows == 1 {
                self.memo.set(item, role, &out[start..]);
            }
            self.rows.end(out, fault);
        }
    }

    /// The columns behind the offset, of some bytes of a sequence.
    fn columns(&self, out: &mut Vec<u8>, item: &DumpItem<'_>, at: usize, len: usize, role: Role) {
        let room = self.room();
        let start = item.before + at;
        out.extend_from_slice(b"  ");
        let used: usize = (start..start + len).map(|at| self.bits(out, item, at, role)).sum();
        pad(out, room * BITS + 1 - used);
        self.paint(out, role, |out| {
            for (at, &byte) in item.sequence[start..start + len].iter().enumerate() {
                out.extend_from_slice(if at > 0 { b" " } else { b"" });
                out.extend_from_slice(CellBase::Hex.digits(self.look.upper, byte));
            }
        });
        if at == 0 {
            pad(out, (room - len) * HEX + 2);
            self.explain(out, item);
        }
        out.push(b'\n');
    }

    /// A cell of bits and the blank behind it. Returns its width.
    fn bits(&self, out: &mut Vec<u8>, item: &DumpItem<'_>, at: usize, role: Role) -> usize {
        let digits = CellBase::Bits.digits(false, item.sequence[at]);
        let markers = (self.spec.markers)(item.sequence, at) as usize;
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

    /// What stands between marker and payload, and for what must not be shown.
    fn dot(&self) -> &'static [u8] {
        if self.look.style.unicode { "·".as_bytes() } else { b"." }
    }

    fn sgr(&self, out: &mut Vec<u8>, sgr: &[u8]) {
        if self.look.style.color {
            out.extend_from_slice(sgr);
        }
    }

    /// Append something in the colour of a role.
    fn paint(&self, out: &mut Vec<u8>, role: Role, write: impl FnOnce(&mut Vec<u8>)) {
        self.sgr(out, role.sgr());
        write(out);
        self.sgr(out, PLAIN);
    }

    /// What a sequence is.
    fn explain(&self, out: &mut Vec<u8>, item: &DumpItem<'_>) {
        if item.is_cut() {
            return out.extend_from_slice(&item.part(self.look.names));
        }
        match item.what {
            Meaning::Scalar(value) => self.character(out, item, &[value]),
            Meaning::Two(values) => self.character(out, item, &values),
            Meaning::Signature => {
                self.point(out, BOM);
                out.extend_from_slice(b"signature (byte order mark), no text");
            }
            Meaning::Skip => out.extend_from_slice(b"part of the spelling, stands for nothing"),
            Meaning::Ill(kind, next) => {
                self.paint(out, Role::Fault, |out| {
                    out.extend_from_slice(&item.message(self.spec, kind, next));
                    out.extend_from_slice(b" [");
                    out.extend_from_slice(kind.id().as_bytes());
                    out.push(b']');
                });
            }
        }
    }

    /// The columns of a code point and its character, and the blanks behind them.
    fn point(&self, out: &mut Vec<u8>, value: u32) {
        let start = out.len();
        write::code_point(out, value);
        pad(out, (POINT + 2).saturating_sub(out.len() - start).max(2));
        let shape = shape(value, self.look.style.unicode);
        out.extend_from_slice(shape.text());
        pad(out, CHARACTER - usize::from(shape.width) + 2);
    }

    fn character(&self, out: &mut Vec<u8>, item: &DumpItem<'_>, values: &[u32]) {
        for (at, &value) in values.iter().enumerate() {
            out.extend_from_slice(if at > 0 { b" + " } else { b"" });
            self.point(out, value);
            if self.look.names {
                out.extend_from_slice(character::name(value).as_bytes());
            }
            trim(out);
        }
        if item.offset == 0 && values == [BOM] {
            out.extend_from_slice(b" (byte order mark)");
        }
        if let Some(derivation) = (self.spec.derivation)(item.sequence) {
            out.extend_from_slice(format!("  ({derivation})").as_bytes());
        }
    }

    /// A row of printable characters, if enough of them came together to be folded.
    fn folded(&mut self, out: &mut Vec<u8>) {
        let room = self.room();
        self.rows.begin(out);
        cells::offset(out, self.fold.offset());
        let start = out.len();
        pad(out, 1);
        for &byte in self.fold.bytes() {
            out.push(b' ');
            out.extend_from_slice(CellBase::Hex.digits(self.look.upper, byte));
        }
        pad(out, (room * (BITS + HEX) + 4).saturating_sub(out.len() - start).max(2));
        out.push(b'"');
        let text = out.len();
        out.extend_from_slice(self.fold.text());
        disarm(out, text, self.dot());
        out.extend_from_slice(b"\"\n");
        self.rows.end(out, false);
        self.fold.clear();
    }

    /// Fold the printable characters at the front, up to the end of the row. Returns their number.
    fn fold_front(&mut self, out: &mut Vec<u8>, offset: u64, bytes: &[u8]) -> usize {
        let row = &bytes[..bytes.len().min(self.fold.room())];
        let len = row.iter().position(|&byte| !is_printable(byte)).unwrap_or(row.len());
        self.fold.add(offset, &row[..len], &row[..len]);
        if self.fold.room() == 0 {
            self.folded(out);
        }
        len
    }

    /// Nothing more is folded into what was gathered: write it.
    fn unfold(&mut self, out: &mut Vec<u8>) {
        if self.fold.bytes().is_empty() {
            return self.fold.end();
        }
        if self.fold.is_folded() {
            self.folded(out);
        } else {
            let held = std::mem::take(&mut self.fold);
            for item in held.items() {
                self.sequence(out, &item);
            }
        }
        self.fold.end();
    }
}

/// Take the blanks at the end off.
fn trim(out: &mut Vec<u8>) {
    out.truncate(out.trim_ascii_end().len());
}

impl Layout for SequenceLayout {
    fn begin(
        &mut self,
        out: &mut Output,
        name: &InputName<'_>,
        spec: &'static Encoding,
    ) -> io::Result<()> {
        self.headings.write(out.buffer(), name);
        self.codec(spec);
        Ok(())
    }

    fn codec(&mut self, spec: &'static Encoding) {
        self.spec = spec;
        self.memo.codec(spec);
    }

    fn item(&mut self, out: &mut Output, item: &DumpItem<'_>) -> io::Result<()> {
        let out = out.buffer();
        if self.look.fold && self.fold.takes(item, self.spec.unit) {
            if let Meaning::Scalar(value) = item.what {
                self.fold.add(item.offset, item.sequence, &[value as u8]);
            }
            if self.fold.room() < item.len {
                self.folded(out);
            }
        } else {
            self.unfold(out);
            self.sequence(out, item);
        }
        Ok(())
    }

    fn utf8(&mut self, out: &mut Output, offset: u64, bytes: &[u8]) -> io::Result<()> {
        let mut at = 0;
        while at < bytes.len() {
            let (here, rest) = (offset + at as u64, &bytes[at..]);
            at += match rest[0] {
                b' '..=b'~' if self.look.fold => self.fold_front(out.buffer(), here, rest),
                _ => {
                    let (value, len) = decode(rest);
                    let what = Meaning::Scalar(value);
                    let item =
                        DumpItem { offset: here, sequence: &rest[..len], before: 0, len, what };
                    self.unfold(out.buffer());
                    self.sequence(out.buffer(), &item);
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
