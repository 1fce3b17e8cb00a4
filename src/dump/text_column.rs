//! The text column of rows of bytes.
//!
//! A character stands at the position of its first byte, and a filler at each further position that
//! the character does not cover. So the column is exactly as wide as the row has bytes. The filler
//! after a character that continues a grapheme cluster is a tie.

use super::clusters::{ClusterTracker, TIE};
use super::utf8_text::{TextPart, Utf8Text};
use super::{DumpItem, Meaning, decode, is_first_byte};
use crate::codec::BOM;
use crate::kernel::{CharCodes, row_code};
use crate::text::character::{CharShape, shape};
use crate::text::escape::disarm;

/// Renders characters in the text column, with the grapheme clusters that they are in and a cache for
/// the rows of a dump.
#[derive(Debug)]
pub(super) struct TextColumns {
    unicode: bool,
    stand_ins: StandIns,
    /// The fillers of a sequence and their length in bytes, and those after a character that continues
    /// a grapheme cluster.
    fillers: [([u8; MOST_SHAPE], usize); 2],
    /// The shapes of the ASCII characters.
    ascii: [CharShape; 0x80],
    /// A direct-mapped cache of characters by code point.
    chars: Vec<ColumnChar>,
    /// The clusters, with the width of each code point so far.
    pub clusters: ClusterTracker,
    /// Offset of the current text, which is well-formed, in the input.
    start: u64,
    /// Index in the current text after the last character that `clusters` has.
    tracked: usize,
    /// Index in the current text after the last character that continues a cluster.
    joined: usize,
}

/// A character with all of its part of the column.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct ColumnChar {
    value: u32,
    /// The class of the character in `clusters`.
    class: u8,
    shape: CharShape,
    /// The shape and the fillers after it, and the length of both in bytes: of a character that starts a
    /// grapheme cluster, and of one that continues it.
    texts: [([u8; MOST_TEXT], u8); 2],
}

impl ColumnChar {
    /// No character.
    const NONE: ColumnChar =
        ColumnChar { value: u32::MAX, class: 0, shape: BLANK, texts: [([0; MOST_TEXT], 0); 2] };
}

/// The shapes in place of bytes without a character.
#[derive(Clone, Copy, Debug)]
struct StandIns {
    /// For a further byte of a sequence.
    filler: CharShape,
    /// For the first byte of an ill-formed sequence.
    fault: CharShape,
    /// The filler, repeated for the longest sequence.
    fillers: &'static [u8],
}

const UNICODE: StandIns = StandIns {
    filler: CharShape::of('·'),
    fault: CharShape::of('×'),
    fillers: DOTS.as_flattened(),
};
const ASCII: StandIns =
    StandIns { filler: CharShape::of('.'), fault: CharShape::of('!'), fillers: &[b'.'; LONGEST] };
/// The fillers after a character that continues a grapheme cluster.
const TIES: &[u8] = &[TIE.as_bytes()[0]; LONGEST];
/// U+00B7 in UTF-8.
const DOTS: [[u8; 2]; LONGEST] = [[0xC2, 0xB7]; LONGEST];

/// The blank, shown as itself: the width of the column is not lost at the end of a row.
const BLANK: CharShape = CharShape::new(&[' '], 1, false);

/// Length of the longest sequence in bytes; notations have the longest.
const LONGEST: usize = u8::MAX as usize;

/// Binary logarithm of the number of cached characters.
const CHAR_BITS: u32 = 11;

/// Largest number of bytes in a shape, and in the fillers after it.
const MOST_SHAPE: usize = 8;

/// Largest number of bytes in the column for a character.
const MOST_TEXT: usize = 2 * MOST_SHAPE;

/// Largest number of bytes in the column for a byte of a row: a circle with a combining mark.
pub(super) const MOST_PER_BYTE: usize = 8;

/// Number of bytes after the column that [`TextColumn::write`] may overwrite.
const SLACK: usize = MOST_TEXT;

/// Number of bytes in rows for which the room has a fixed size, which is cleared faster.
const SHORT_ROW: usize = 16;

/// Largest number of bytes after the first one of a sequence of UTF-8.
const MOST_FURTHER: usize = 3;

/// Number of bytes that are tested for printable ASCII at a time.
pub(super) const BLOCK: usize = u64::BITS as usize / 8;

impl TextColumns {
    /// Creates a column of any characters; without `unicode`, of ASCII alone.
    pub fn new(unicode: bool) -> TextColumns {
        let stand_ins = if unicode { UNICODE } else { ASCII };
        let ascii =
            std::array::from_fn(|value| shape_within(value as u32, unicode, stand_ins.filler, 1));
        let eight = |fillers: &[u8]| std::array::from_fn(|at| fillers[at]);
        let len = stand_ins.filler.text().len();
        TextColumns {
            unicode,
            stand_ins,
            fillers: [(eight(stand_ins.fillers), len), (eight(TIES), 1)],
            ascii,
            chars: vec![ColumnChar::NONE; 1 << CHAR_BITS],
            clusters: ClusterTracker::default(),
            start: 0,
            tracked: 0,
            joined: 0,
        }
    }

    /// Returns the shape of a sequence.
    pub fn shape(&self, item: &DumpItem<'_>) -> CharShape {
        let value = match item.meaning {
            Meaning::Ill(..) => return self.stand_ins.fault,
            Meaning::Scalar(value) if !item.is_cut() => value,
            Meaning::Several(values) if !item.is_cut() => values[0],
            Meaning::Signature if !item.is_cut() => BOM,
            _ => return self.stand_ins.filler,
        };
        self.shape_within(value, item.len)
    }

    /// Returns the shape of a code point if it fits `columns` columns, otherwise the filler.
    fn shape_within(&self, value: u32, columns: usize) -> CharShape {
        match self.ascii.get(value as usize) {
            Some(shape) => *shape,
            None => shape_within(value, self.unicode, self.stand_ins.filler, columns),
        }
    }

    /// Returns fillers for this number of columns, after a character that continues a grapheme cluster
    /// if `joined`.
    pub fn fillers(&self, columns: usize, joined: bool) -> &'static [u8] {
        match joined {
            true => &TIES[..columns],
            false => &self.stand_ins.fillers[..columns * self.stand_ins.filler.text().len()],
        }
    }

    /// Begins a text at an offset.
    pub fn begin(&mut self, offset: u64) {
        self.clusters.seek(offset);
        (self.start, self.tracked, self.joined) = (offset, 0, 0);
    }

    /// Continues the current text, or begins another one.
    fn enter(&mut self, offset: u64) {
        if self.start != offset {
            self.begin(offset);
        }
    }

    /// Ends a text.
    pub fn end(&mut self, text: Utf8Text<'_>) {
        let end = text.bytes.len();
        // After an ill-formed sequence, no cluster goes on.
        if let Some(last) = end.checked_sub(1)
            && let TextPart::WellFormed(start, _) = text.part(last)
        {
            self.enter(text.offset + start as u64);
            self.track(&text.bytes[start..], end - start);
            self.clusters.set_end(text.offset + end as u64);
        }
    }

    /// Returns `true` if a character before an offset shares a cluster with bytes from there on, or
    /// may do so.
    #[inline]
    pub fn continues(&self, offset: u64) -> bool {
        let at = (offset - self.start) as usize;
        self.joined > at || self.tracked >= at && self.clusters.is_open()
    }

    /// Returns `true` if a character may share a cluster with one that does not.
    pub fn may_share(&mut self, value: u32) -> bool {
        char::from_u32(value).is_none_or(|c| self.clusters.is_special(c))
    }

    /// Returns the codes of the first two bytes of a character, `size` bytes long. It is undecided if
    /// it [may share](Self::may_share) a cluster.
    pub fn codes(&mut self, value: u32, size: usize) -> [u8; 2] {
        if self.may_share(value) {
            return CharCodes::UNDECIDED;
        }
        let further = row_code::FURTHER;
        let shape = self.shape_within(value, size);
        match shape.width {
            1 if !shape.stand_in => [row_code::FIRST[size], further],
            2 if !shape.stand_in => [row_code::FIRST[1], row_code::SECOND[size - 1]],
            _ => {
                let is_shown = |code: &u8| self.text_of_code(*code) == shape.text();
                let code = row_code::STAND_INS.into_iter().find(is_shown);
                [code.unwrap_or(row_code::UNDECIDED), further]
            }
        }
    }

    /// Returns the text of a code that has its own. In Unicode, the last byte for controls is that
    /// of NUL.
    pub fn text_of_code(&self, code: u8) -> &'static [u8] {
        match (code, self.unicode) {
            (row_code::FAULT, true) => "×".as_bytes(),
            (row_code::FAULT, false) => b"!",
            (_, false) => b".",
            (row_code::CONTROL, true) => "␀".as_bytes(),
            (row_code::DELETE, true) => "␡".as_bytes(),
            (code, true) => {
                let stand_ins = row_code::STAND_INS.into_iter().zip(["␣", "▯", "◌"]);
                let stand_in = stand_ins.into_iter().find(|(stand_in, _)| *stand_in == code);
                stand_in.map_or("·", |(_, text)| text).as_bytes()
            }
        }
    }

    /// Appends the column of the bytes of a text between two indexes.
    pub fn append(&mut self, out: &mut Vec<u8>, text: Utf8Text<'_>, start: usize, end: usize) {
        let mut at = start;
        while at < end {
            let part_end = match text.part(at) {
                TextPart::WellFormed(start, part_end) => {
                    self.enter(text.offset + start as u64);
                    let bytes = &text.bytes[start..part_end];
                    let column_end = part_end.min(end) - start;
                    TextColumn::new(self, bytes, at - start).append(out, at - start, column_end);
                    part_end
                }
                TextPart::IllFormed(start, part_end) => {
                    if at == start {
                        out.extend_from_slice(self.stand_ins.fault.text());
                        at += 1;
                    }
                    out.extend_from_slice(self.fillers(part_end.min(end) - at, false));
                    part_end
                }
            };
            at = part_end.min(end);
        }
    }

    /// Skips to an index of the current text, which may be inside a sequence.
    pub fn skip_to(&mut self, text: &[u8], at: usize) {
        let is_inside = text.get(at).is_some_and(|&byte| !is_first_byte(byte));
        let start = text[..at].iter().rposition(|&byte| is_first_byte(byte));
        // The row above may have had the first bytes.
        if let Some(start) = start.filter(|&start| is_inside && start >= self.tracked) {
            let (value, size) = decode(&text[start..]);
            self.track(text, start);
            let joined = self.joins(value);
            self.reach(start + size, joined);
        }
    }

    /// Tracks the characters of the current text before an index.
    fn track(&mut self, text: &[u8], at: usize) {
        // It is before `tracked` only if the bytes of a mapping changed.
        if self.tracked < at {
            self.clusters.push_text(&text[self.tracked..at]);
        }
        self.tracked = at;
    }

    /// Adds the next character of the current text to the clusters. Returns `true` if it continues one.
    #[inline]
    fn joins(&mut self, value: u32) -> bool {
        char::from_u32(value).is_some_and(|c| self.clusters.push(c))
    }

    /// Sets the index after the last character that was added, which continues a cluster if `joined`.
    #[inline]
    fn reach(&mut self, at: usize, joined: bool) {
        self.tracked = at;
        if joined {
            self.joined = at;
        }
    }

    /// Breaks up commands of CI runners in the text that starts at `out[start]`.
    pub fn disarm(&self, out: &mut Vec<u8>, start: usize) {
        disarm(out, start, self.stand_ins.filler.text());
    }

    /// Writes the shape of the character at the front. Returns the length of the shape in bytes and its
    /// width in columns.
    #[inline]
    fn write_shape(
        &mut self,
        to: &mut [u8],
        bytes: &[u8],
        value: u32,
        size: usize,
    ) -> (usize, usize) {
        let known = &self.chars[place(value)];
        if known.value == value {
            to[..MOST_SHAPE].copy_from_slice(known.shape.padded());
            return (known.shape.text().len(), known.shape.width.into());
        }
        if let Some(width) = self.clusters.classes.width(value)
            && let Some(word) = bytes.first_chunk::<4>()
        {
            to[..4].copy_from_slice(word);
            return (size, width);
        }
        self.write_new_shape(to, value, size)
    }

    /// Implements [`write_shape`](Self::write_shape) for a character whose width is not known.
    #[cold]
    fn write_new_shape(&mut self, to: &mut [u8], value: u32, size: usize) -> (usize, usize) {
        let shape = self.shape_within(value, size);
        if let Some(c) = char::from_u32(value) {
            self.clusters.classes.set_width(c, (!shape.stand_in).then_some(shape.width));
            self.remember(c, size, shape);
        }
        to[..MOST_SHAPE].copy_from_slice(shape.padded());
        (shape.text().len(), shape.width.into())
    }

    /// Caches a character of `size` bytes.
    fn remember(&mut self, c: char, size: usize, shape: CharShape) {
        let class = self.clusters.class(c);
        let texts = self.fillers.map(|(fillers, filler)| {
            let (len, mut text) = (shape.text().len(), [0; MOST_TEXT]);
            text[..MOST_SHAPE].copy_from_slice(shape.padded());
            text[len..len + MOST_SHAPE].copy_from_slice(&fillers);
            let columns = size.saturating_sub(shape.width.into());
            (text, (len + columns * filler) as u8)
        });
        let value = c.into();
        self.chars[place(value)] = ColumnChar { value, class, shape, texts };
    }

    /// Writes the part of the column of a cached character, and adds it to the clusters. Returns the
    /// length of the part in bytes, and whether the character continues a grapheme cluster.
    #[inline(always)]
    fn write_known(&mut self, to: &mut [u8], value: u32) -> Option<(usize, bool)> {
        let known = &self.chars[place(value)];
        if known.value != value {
            return None;
        }
        let joined = self.clusters.push_class(known.class);
        let (text, len) = &known.texts[usize::from(joined)];
        to[..MOST_TEXT].copy_from_slice(text);
        Some((usize::from(*len), joined))
    }
}

/// The text column of consecutive rows of well-formed UTF-8.
#[derive(Debug)]
struct TextColumn<'a> {
    texts: &'a mut TextColumns,
    bytes: &'a [u8],
    /// Index of the next sequence.
    next: usize,
}

impl<'a> TextColumn<'a> {
    /// Creates the column of the rows from `bytes[start]` on, which need not be the first byte of a
    /// sequence.
    pub fn new(texts: &'a mut TextColumns, bytes: &'a [u8], start: usize) -> TextColumn<'a> {
        // More only if the bytes of a mapping changed after they were validated.
        let further = bytes[start..].iter().take(MOST_FURTHER);
        let next = start + further.take_while(|&&byte| !is_first_byte(byte)).count();
        texts.track(bytes, next);
        TextColumn { texts, bytes, next }
    }

    /// Writes the column of the next row, which has `bytes[start..end]`. Returns its length in bytes,
    /// at most [`MOST_PER_BYTE`] for each byte of the row. Up to [`SLACK`] bytes after it are
    /// overwritten.
    #[inline(always)]
    pub fn write(&mut self, to: &mut [u8], start: usize, end: usize) -> usize {
        // The rest of a sequence of the row above has fillers, even after a wide character.
        let rest = self.next.min(end) - start;
        let mut len = self.fill(to, rest, rest > 0 && self.texts.joined == self.next);
        let mut joined = false;
        while self.next < end {
            let (to, room) = (&mut to[len..], end - self.next);
            match self.ascii(to, room) {
                0 => {
                    let column;
                    (column, joined) = self.character(to, room);
                    len += column;
                    continue;
                }
                // The rest of the row: `next` does not depend on the number of characters.
                ascii if ascii == room => {
                    len += room;
                    self.next = end;
                }
                ascii => {
                    len += ascii;
                    self.next += ascii;
                }
            }
            joined = false;
            self.texts.clusters.follow_printable();
        }
        self.texts.reach(self.next, joined);
        len
    }

    /// Writes the printable ASCII at the front, at most `room` characters. Returns their number; 0 if
    /// there are none or if fewer than [`BLOCK`] bytes are left.
    #[inline]
    fn ascii(&mut self, to: &mut [u8], room: usize) -> usize {
        let block = self.bytes[self.next..].first_chunk::<BLOCK>();
        let Some(block) = block.filter(|block| block[0].is_ascii()) else { return 0 };
        // The bytes after the printable ones are overwritten later.
        to[..BLOCK].copy_from_slice(block);
        printable_len(*block).min(room)
    }

    /// Writes a character and the fillers after it, at most `room` columns. Returns their length in
    /// bytes, and whether the character continues a grapheme cluster.
    #[inline]
    fn character(&mut self, to: &mut [u8], room: usize) -> (usize, bool) {
        let bytes = &self.bytes[self.next..];
        let (value, size) = decode(bytes);
        if size <= room
            && let Some(known) = self.texts.write_known(to, value)
        {
            self.next += size;
            return known;
        }
        let joined = self.texts.joins(value);
        let (len, width) = self.texts.write_shape(to, bytes, value, size);
        self.next += size;
        let columns = size.min(room).saturating_sub(width);
        (len + self.fill(&mut to[len..], columns, joined), joined)
    }

    /// Writes the fillers of a sequence, at most 4 columns, after a character that continues a grapheme
    /// cluster if `joined`. Returns their length in bytes.
    #[inline]
    fn fill(&self, to: &mut [u8], columns: usize, joined: bool) -> usize {
        let (fillers, len) = &self.texts.fillers[usize::from(joined)];
        to[..MOST_SHAPE].copy_from_slice(fillers);
        columns * len
    }

    /// Appends the column of the next row, which has `bytes[start..end]`.
    pub fn append(&mut self, text: &mut Vec<u8>, start: usize, end: usize) {
        let from = text.len();
        match end - start {
            ..=SHORT_ROW => text.extend_from_slice(&[0; SHORT_ROW * MOST_PER_BYTE + SLACK]),
            columns => text.resize(from + columns * MOST_PER_BYTE + SLACK, 0),
        }
        let len = self.write(&mut text[from..], start, end);
        text.truncate(from + len);
    }
}

/// Returns the index of a character in the cache: a hash, because letters of many scripts share their
/// low bits.
#[inline]
fn place(value: u32) -> usize {
    (value.wrapping_mul(0x9E37_79B1) >> (u32::BITS - CHAR_BITS)) as usize
}

/// Returns the shape of a code point if it fits `columns` columns, otherwise the filler.
fn shape_within(value: u32, unicode: bool, filler: CharShape, columns: usize) -> CharShape {
    if value == u32::from(' ') {
        return BLANK;
    }
    let shape = shape(value, unicode);
    if usize::from(shape.width) > columns { filler } else { shape }
}

/// Returns `true` for printable ASCII, the blank included.
pub(super) fn is_printable(byte: u8) -> bool {
    matches!(byte, b' '..=b'~')
}

/// Returns the number of bytes at the front that are printable ASCII.
pub(super) fn printable_len(block: [u8; BLOCK]) -> usize {
    let each = |byte: u8| u64::from_ne_bytes([byte; BLOCK]);
    let bytes = u64::from_le_bytes(block);
    let low = bytes & each(0x7F);
    // The high bit of each byte: set in `del` for DEL, in `blank` from the blank on.
    let (del, blank) = (low + each(1), (low | each(0x80)) - each(b' '));
    let others = (bytes | del | !blank) & each(0x80);
    others.trailing_zeros() as usize / 8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_printable_front_is_measured() {
        for byte in 0..=255 {
            for at in 0..=BLOCK {
                let mut block = [b'~'; BLOCK];
                block[at..].fill(byte);
                let len = if is_printable(byte) { BLOCK } else { at };
                assert_eq!(printable_len(block), len, "{block:?}");
            }
        }
    }
}
