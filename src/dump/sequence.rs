//! The layout of a row for each sequence: offset, bits, bytes, code point, character and name.

use std::io;
use std::ops::Range;

use super::cache::{RowCache, SequenceLook};
use super::clusters::{ClusterTracker, TIE};
use super::digits;
use super::fit::{CHARACTER, LEAST_NAME, POINT, RowFit, clip};
use super::fold::{AsciiFold, FoldingLayout, LEAST_FOLDED, ROW_BYTES};
use super::headings::InputHeadings;
use super::roles::{PAYLOAD, RESET, Role, Roles};
use super::row_filter::RowFilter;
use super::text_column::{BLOCK, is_printable, printable_len};
use super::{CellBase, DumpItem, DumpStyle, Layout, Meaning, Utf8Text, decode, pad};
use crate::codec::BOM;
use crate::issue::Kind;
use crate::kernel::RowPrefix;
use crate::output::Output;
use crate::registry::Encoding;
use crate::text::character::{self, shape};
use crate::text::escape::{disarm, has_hash};
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
    fit: RowFit,
    /// True if printable ASCII is folded.
    folds: bool,
    headings: InputHeadings,
    rows: RowFilter,
    roles: Roles,
    fold: AsciiFold,
    cache: RowCache,
    clusters: ClusterTracker,
    prefix: RowPrefix,
}

impl SequenceLayout {
    /// Creates a layout of this style.
    pub fn new(style: DumpStyle) -> SequenceLayout {
        SequenceLayout {
            style,
            encoding: Encoding::UTF_8,
            fit: RowFit::new(style.width, Encoding::UTF_8, 0),
            folds: style.fold,
            headings: InputHeadings::new(style.several),
            rows: RowFilter::new(style.only_ill_formed),
            roles: Roles::default(),
            fold: AsciiFold::default(),
            // The names of bytes have different widths, which shift what fits.
            cache: RowCache::new(style.width.is_none()),
            clusters: ClusterTracker::default(),
            prefix: RowPrefix::default(),
        }
    }

    /// Fits the rows from this offset on into the width.
    fn fit(&mut self, offset: u64) {
        self.fit = RowFit::new(self.style.width, self.encoding, offset);
        let folded = self.fit.folded_bytes(self.encoding.inner.unit);
        self.folds = self.style.fold && folded.is_some();
        self.fold.set_full(folded.unwrap_or(ROW_BYTES));
    }

    /// Begins a row: appends its offset.
    fn begin_row(&mut self, out: &mut Vec<u8>, offset: u64) {
        if self.style.width.is_some() && !self.fit.is_for(offset) {
            self.cache.clear();
            self.fit(offset);
        }
        self.rows.begin(out);
        self.prefix.append_offset(out, offset);
    }

    /// Appends the columns after the offset. The row has `len` bytes of the item from its byte `at` on.
    /// Returns where `out` names the byte after the sequence.
    fn write_columns(
        &self,
        out: &mut Vec<u8>,
        item: &DumpItem<'_>,
        at: usize,
        len: usize,
        look: SequenceLook,
    ) -> Option<Range<usize>> {
        let role = look.role;
        let start = item.before + at;
        out.extend_from_slice(b"  ");
        if self.fit.bits {
            let used = (start..start + len).map(|at| self.write_bits(out, item, at, role));
            let used: usize = used.sum();
            pad(out, self.fit.bits_width() - used);
        }
        self.paint(out, role, |out| {
            for (at, &byte) in item.sequence[start..start + len].iter().enumerate() {
                out.extend_from_slice(if at > 0 { b" " } else { b"" });
                out.extend_from_slice(CellBase::Hex.digits(self.style.upper, byte));
            }
        });
        let mut named = None;
        if at == 0 {
            pad(out, self.fit.blanks_after_bytes(len));
            let meaning = out.len();
            named = self.write_meaning(out, item, look.joined);
            // An ill-formed sequence has control sequences, and was cut before.
            if !matches!(item.meaning, Meaning::Ill(..)) || item.is_cut() {
                clip(out, meaning, self.fit.meaning(), self.style.report.unicode);
            }
        }
        out.push(b'\n');
        named
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
    fn paint<T>(&self, out: &mut Vec<u8>, role: Role, write: impl FnOnce(&mut Vec<u8>) -> T) -> T {
        self.sgr(out, role.sgr());
        let result = write(out);
        self.sgr(out, RESET);
        result
    }

    /// Appends the columns about the meaning of a sequence. Returns where `out` names the byte after
    /// it.
    fn write_meaning(
        &self,
        out: &mut Vec<u8>,
        item: &DumpItem<'_>,
        joined: bool,
    ) -> Option<Range<usize>> {
        match item.meaning {
            _ if item.is_cut() => {
                out.extend_from_slice(&item.describe_part(self.shows_names()));
            }
            Meaning::Scalar(value) => self.write_characters(out, item, &[value], joined),
            Meaning::Several(values) => self.write_characters(out, item, &values, joined),
            Meaning::Signature => {
                self.write_point(out, BOM, false);
                out.extend_from_slice(b"signature (byte order mark), no text");
            }
            Meaning::Skip => out.extend_from_slice(b"part of the spelling, stands for nothing"),
            Meaning::Ill(kind, next) => {
                let write = |out: &mut Vec<u8>| self.write_fault(out, item, kind, next);
                return self.paint(out, Role::Fault, write);
            }
        }
        None
    }

    /// Returns `true` if rows have the names of characters.
    fn shows_names(&self) -> bool {
        self.style.names && self.fit.names
    }

    /// Appends the row of a sequence that is not cached, after its offset, or several rows.
    #[inline(never)] // or the rows that are cached, which are most, would pay for its size
    fn write_new_row(&mut self, out: &mut Vec<u8>, item: &DumpItem<'_>, look: SequenceLook) {
        // Rows of equal length, so that a surrogate pair is split between its surrogates.
        let rows = item.len.div_ceil(self.fit.room);
        let len = item.len.div_ceil(rows);
        for (at, bytes) in (0..).step_by(len).zip(item.bytes().chunks(len)) {
            if at > 0 {
                self.begin_row(out, item.start() + at as u64);
            }
            let start = out.len();
            let named = self.write_columns(out, item, at, bytes.len(), look);
            if rows == 1 {
                let named = named.map(|named| named.start - start..named.end - start);
                self.cache.set(item, look, &out[start..], named);
            }
            self.rows.end(out, item.is_fault());
        }
    }

    /// Appends a message and the kind, or as much of the message as fits before the kind. Returns where
    /// a message that fits names the byte after the sequence.
    fn write_fault(
        &self,
        out: &mut Vec<u8>,
        item: &DumpItem<'_>,
        kind: Kind,
        next: Option<u8>,
    ) -> Option<Range<usize>> {
        let mut named = None;
        let (unicode, start, id) = (self.style.report.unicode, out.len(), kind.id());
        if let Some(room) = self.fit.meaning().checked_sub(id.len() + 3 + LEAST_NAME) {
            named = item.write_message(out, self.encoding, kind, next);
            clip(out, start, room + LEAST_NAME, unicode);
            out.push(b' ');
        }
        for part in ["[", id, "]"] {
            out.extend_from_slice(part.as_bytes());
        }
        clip(out, start, self.fit.meaning(), unicode);
        named
    }

    /// Appends the columns of a code point and its character, padded with blanks. A tie stands before
    /// a character that continues a grapheme cluster.
    fn write_point(&self, out: &mut Vec<u8>, value: u32, joined: bool) {
        let start = out.len();
        write::code_point(out, value);
        pad(out, (POINT + 2).saturating_sub(out.len() - start).max(2));
        if joined {
            out.truncate(out.len() - TIE.len());
            out.extend_from_slice(TIE.as_bytes());
        }
        let shape = shape(value, self.style.report.unicode);
        out.extend_from_slice(shape.text());
        pad(out, CHARACTER - usize::from(shape.width) + 2);
    }

    /// Appends code points with their characters, names and derivation.
    fn write_characters(
        &self,
        out: &mut Vec<u8>,
        item: &DumpItem<'_>,
        values: &[u32],
        joined: bool,
    ) {
        for (at, &value) in values.iter().enumerate() {
            out.extend_from_slice(if at > 0 { b" + " } else { b"" });
            self.write_point(out, value, joined && at == 0);
            if self.shows_names() {
                out.extend_from_slice(character::name(value).as_bytes());
            }
            trim(out);
        }
        if !self.fit.names {
            return;
        }
        if item.offset == 0 && values == [BOM] {
            out.extend_from_slice(b" (byte order mark)");
        }
        if let Some(derivation) = (self.encoding.inner.derivation)(item.sequence) {
            out.extend_from_slice(format!("  ({derivation})").as_bytes());
        }
    }

    /// Appends the columns of a folded row. It has the first bytes of `bytes`, with the first bytes of
    /// `text` as their text in ASCII.
    fn write_ascii(&self, out: &mut Vec<u8>, [bytes, text]: [(&[u8; ROW_BYTES], usize); 2]) {
        let before = self.fit.before_text(self.fold.full());
        let digits = digits::hex(self.style.upper);
        let start = out.len();
        out.extend_from_slice(&[b' '; FOLDED_ROW]);
        // Everything has a fixed size. In place: a copy would wait for the digits to be written.
        let row: &mut [u8; FOLDED_ROW] = out[start..].first_chunk_mut().expect("a row");
        for (cell, &byte) in row[2..].as_chunks_mut::<3>().0.iter_mut().zip(bytes.0) {
            cell[..2].copy_from_slice(&digits[usize::from(byte)]);
        }
        row[2 + 3 * bytes.1..][..3 * ROW_BYTES].fill(b' ');
        row[before] = b'"';
        row[before + 1..][..ROW_BYTES].copy_from_slice(text.0);
        let end = start + before + 1 + text.1;
        if has_hash(text.0) {
            out.truncate(end);
            disarm(out, start + before + 1, self.dot());
            return out.extend_from_slice(b"\"\n");
        }
        out[end..end + 2].copy_from_slice(b"\"\n");
        out.truncate(end + 2);
    }

    /// Appends the row of the first character of UTF-8. Returns its length in bytes.
    fn write_first(&mut self, out: &mut Vec<u8>, offset: u64, bytes: &[u8]) -> usize {
        let (value, len) = decode(bytes);
        let (sequence, meaning) = (&bytes[..len], Meaning::Scalar(value));
        self.write_sequence(out, &DumpItem { offset, sequence, before: 0, len, meaning });
        len
    }

    /// Appends folded rows of the printable ASCII at the front, if it starts a row, and its last row if
    /// the text goes on long enough. Returns the number of characters.
    fn fold_rows(&mut self, out: &mut Vec<u8>, offset: u64, bytes: &[u8]) -> usize {
        if !self.fold.bytes().is_empty() {
            return 0;
        }
        let (full, mut at) = (self.fold.full(), 0);
        let mut least = if self.fold.is_folded() { 1 } else { LEAST_FOLDED };
        for _ in 0..MOST_FOLDED_ROWS {
            let Some(row) = bytes[at..].first_chunk::<ROW_BYTES>() else { break };
            let len = printable_front(row).min(full);
            // A longer offset may leave room for fewer bytes.
            if len < least || !self.folds || self.fold.full() != full {
                break;
            }
            self.begin_row(out, offset + at as u64);
            self.write_ascii(out, [(row, len), (row, len)]);
            self.rows.end(out, false);
            (at, least) = (at + len, 1);
        }
        if let Some(last) = at.checked_sub(1) {
            self.fold.go_on();
            self.clusters.follow_ascii(offset + last as u64);
        }
        at
    }

    /// Adds the printable ASCII at the front to the folded row, as far as it has room. Returns the
    /// number of characters.
    fn fold_front(&mut self, out: &mut Vec<u8>, offset: u64, bytes: &[u8]) -> usize {
        let rows = self.fold_rows(out, offset, bytes);
        if rows > 0 {
            return rows;
        }
        let row = &bytes[..bytes.len().min(self.fold.room())];
        let len = row.iter().position(|&byte| !is_printable(byte)).unwrap_or(row.len());
        let starts_run = self.fold.bytes().is_empty() && !self.fold.is_folded();
        if starts_run && len < LEAST_FOLDED.min(row.len()) {
            for at in 0..len {
                self.write_first(out, offset + at as u64, &row[at..]);
            }
            return len;
        }
        self.fold.add(offset, &row[..len], &row[..len]);
        if self.fold.room() == 0 {
            self.write_folded(out);
        }
        len
    }

    /// Writes well-formed UTF-8.
    fn write_well_formed(&mut self, out: &mut Output, offset: u64, bytes: &[u8]) -> io::Result<()> {
        let mut at = 0;
        while at < bytes.len() {
            let (here, rest) = (offset + at as u64, &bytes[at..]);
            at += match rest[0] {
                b' '..=b'~' if self.folds => self.fold_front(out.buffer(), here, rest),
                _ => {
                    self.unfold(out.buffer());
                    self.write_first(out.buffer(), here, rest)
                }
            };
            out.settle()?;
        }
        Ok(())
    }
}

impl FoldingLayout<Vec<u8>> for SequenceLayout {
    fn fold(&mut self) -> &mut AsciiFold {
        &mut self.fold
    }

    fn write_sequence(&mut self, out: &mut Vec<u8>, item: &DumpItem<'_>) {
        // Without colours, the roles look the same.
        let color = self.style.report.color;
        let role = if color { self.roles.next(item) } else { Role::Plain };
        let look = SequenceLook { role, joined: self.clusters.next(item) };
        let fault = item.is_fault();
        self.begin_row(out, item.start());
        if let Some(cached) = self.cache.get(item, look) {
            cached.append(out, item);
            self.rows.end(out, fault);
        } else {
            self.write_new_row(out, item, look);
        }
    }

    fn write_row(&mut self, out: &mut Vec<u8>) {
        self.begin_row(out, self.fold.offset());
        let columns = [self.fold.bytes(), self.fold.text()].map(|bytes| {
            let mut column = [b' '; ROW_BYTES];
            column[..bytes.len()].copy_from_slice(bytes);
            (column, bytes.len())
        });
        self.write_ascii(out, columns.each_ref().map(|(column, len)| (column, *len)));
        self.clusters.follow(&self.fold);
        self.rows.end(out, false);
    }
}

/// Number of bytes after the offset of a folded row, or more.
const FOLDED_ROW: usize = 128;

/// Largest number of folded rows between two calls of [`Output::settle`].
const MOST_FOLDED_ROWS: usize = 64;

/// Returns the number of bytes at the front that are printable ASCII.
fn printable_front(row: &[u8; ROW_BYTES]) -> usize {
    let (blocks, _) = row.as_chunks();
    match printable_len(blocks[0]) {
        BLOCK => BLOCK + printable_len(blocks[1]),
        len => len,
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
        self.fit(0);
    }

    fn item(&mut self, out: &mut Output, item: &DumpItem<'_>) -> io::Result<()> {
        let out = out.buffer();
        if self.folds && self.fold.accepts(item, self.encoding.inner.unit) {
            self.add_folded(out, item);
        } else {
            self.unfold(out);
            self.write_sequence(out, item);
        }
        Ok(())
    }

    fn takes_faults(&self) -> bool {
        true
    }

    fn utf8(&mut self, out: &mut Output, text: Utf8Text<'_>) -> io::Result<()> {
        let bytes = text.bytes;
        let mut at = 0;
        while at < bytes.len() {
            let fault = text.faults.next(at);
            let end = fault.unwrap_or(bytes.len());
            self.write_well_formed(out, text.offset + at as u64, &bytes[at..end])?;
            at = end;
            if let Some(fault) = fault {
                let item = text.fault(fault);
                self.item(out, &item)?;
                out.settle()?;
                at += item.len;
            }
        }
        Ok(())
    }

    fn end(&mut self, out: &mut Output) -> io::Result<()> {
        self.unfold(out.buffer());
        self.rows.reset();
        Ok(())
    }
}
