//! What stands in the text column of a row of bytes?
//!
//! A character stands below its first byte, and a filler below each further byte that it does not
//! cover itself. So the column is as wide as the row has bytes, whatever they are.

use super::{DumpItem, Meaning, begins, decode};
use crate::codec::BOM;
use crate::text::character::{CharShape, shape};
use crate::text::escape::disarm;

/// The texts of a dump.
#[derive(Debug)]
pub(super) struct TextColumns {
    unicode: bool,
    signs: StandIns,
    /// What stands for the characters of ASCII.
    ascii: [CharShape; 0x80],
    /// The class of each code point, as far as it was asked for.
    classes: Vec<u8>,
    /// Stand-ins that were asked for, each in the only place where it can be.
    stand_ins: Vec<(u32, CharShape)>,
}

/// What stands for what is no character.
#[derive(Clone, Copy, Debug)]
struct StandIns {
    /// Where a sequence goes on.
    filler: CharShape,
    /// Where an ill-formed one begins.
    fault: CharShape,
    /// The filler, for each column of the longest sequence.
    fillers: &'static [u8],
}

const UNICODE: StandIns = StandIns {
    filler: CharShape::of('·'),
    fault: CharShape::of('×'),
    fillers: DOTS.as_flattened(),
};
const ASCII: StandIns =
    StandIns { filler: CharShape::of('.'), fault: CharShape::of('!'), fillers: &[b'.'; LONGEST] };
/// U+00B7 in UTF-8.
const DOTS: [[u8; 2]; LONGEST] = [[0xC2, 0xB7]; LONGEST];

/// A blank is one here, where no column can be lost at the end of a row.
const BLANK: CharShape = CharShape::new(&[' '], 1, false);

/// The longest sequence, in bytes; that of a notation.
const LONGEST: usize = u8::MAX as usize;

/// The classes: a character that is shown as it is has its width; these are the others.
const UNKNOWN: u8 = 0;
const STAND_IN: u8 = 3;

/// How many stand-ins are kept.
const STAND_INS: usize = 256;

/// How many code points there are.
const CODE_POINTS: usize = 0x11_0000;

/// The most bytes that are written for a byte of a row: a circle and a mark.
pub(super) const MOST: usize = 8;

/// How many bytes may be written behind a text, to be overwritten.
pub(super) const SLACK: usize = 16;

/// How many characters of ASCII are read at a time.
const BLOCK: usize = u64::BITS as usize / 8;

impl TextColumns {
    /// Texts in any characters, or in ASCII alone.
    pub fn new(unicode: bool) -> TextColumns {
        let signs = if unicode { UNICODE } else { ASCII };
        let classes = vec![UNKNOWN; CODE_POINTS];
        let ascii =
            std::array::from_fn(|value| shape_within(value as u32, unicode, signs.filler, 1));
        let stand_ins = vec![(u32::MAX, signs.filler); STAND_INS];
        TextColumns { unicode, signs, ascii, classes, stand_ins }
    }

    /// What stands for a sequence.
    pub fn shape(&self, item: &DumpItem<'_>) -> CharShape {
        let value = match item.what {
            Meaning::Ill(..) => return self.signs.fault,
            Meaning::Scalar(value) | Meaning::Two([value, _]) if !item.is_cut() => value,
            Meaning::Signature if !item.is_cut() => BOM,
            _ => return self.signs.filler,
        };
        self.shape_within(value, item.len)
    }

    /// What stands for a code point, where there are so many columns.
    fn shape_within(&self, value: u32, columns: usize) -> CharShape {
        match self.ascii.get(value as usize) {
            Some(shape) => *shape,
            None => shape_within(value, self.unicode, self.signs.filler, columns),
        }
    }

    /// What fills so many columns.
    pub fn fillers(&self, columns: usize) -> &'static [u8] {
        &self.signs.fillers[..columns * self.signs.filler.text().len()]
    }

    /// Spoil what a CI runner could take for a command in the text that starts at `start`.
    pub fn disarm(&self, out: &mut Vec<u8>, start: usize) {
        disarm(out, start, self.signs.filler.text());
    }

    /// Write a character of so many bytes, and fillers behind it. Returns how long what stands for
    /// it is, and how wide.
    #[inline]
    fn character(
        &mut self,
        to: &mut [u8],
        bytes: &[u8],
        value: u32,
        size: usize,
    ) -> (usize, usize) {
        let class = self.classes.get(value as usize).copied().unwrap_or(STAND_IN);
        let (len, width) = match (class, bytes.first_chunk::<4>()) {
            (1..STAND_IN, Some(word)) => {
                to[..4].copy_from_slice(word);
                (size, usize::from(class))
            }
            _ => self.rare(to, value, size),
        };
        to[len..len + 6].copy_from_slice(&self.signs.fillers[..6]);
        (len, width)
    }

    /// Write a character that was not met before, or is not shown as it is. Returns how long what
    /// stands for it is, and how wide.
    #[cold]
    fn rare(&mut self, to: &mut [u8], value: u32, size: usize) -> (usize, usize) {
        let slot = value as usize % STAND_INS;
        let known = self.stand_ins[slot];
        let shape = if known.0 == value { known.1 } else { self.shape_within(value, size) };
        if let Some(class) = self.classes.get_mut(value as usize) {
            *class = if shape.stand_in { STAND_IN } else { shape.width };
        }
        self.stand_ins[slot] = (value, shape);
        to[..8].copy_from_slice(shape.padded());
        (shape.text().len(), shape.width.into())
    }
}

/// What stands for the sequences of well-formed UTF-8, row after row.
#[derive(Debug)]
pub(super) struct TextColumn<'a> {
    texts: &'a mut TextColumns,
    bytes: &'a [u8],
    /// Where the next sequence begins.
    next: usize,
    /// How long a filler is.
    filler: usize,
}

impl<'a> TextColumn<'a> {
    /// The text of these bytes, from the row on that starts here.
    pub fn new(texts: &'a mut TextColumns, bytes: &'a [u8], start: usize) -> TextColumn<'a> {
        let trails = bytes[start..].iter().take_while(|&&byte| !begins(byte)).count();
        let filler = texts.signs.filler.text().len();
        TextColumn { texts, bytes, next: start + trails, filler }
    }

    /// Write the text of the next row, which are the bytes from `start` to `end`. Returns how long
    /// it is: at most [`MOST`] for each byte, but [`SLACK`] behind it is spoilt.
    #[inline]
    pub fn write(&mut self, to: &mut [u8], start: usize, end: usize) -> usize {
        // Where a sequence of the row before goes on, even if a wide character covers it there.
        to[..6].copy_from_slice(&self.texts.signs.fillers[..6]);
        let mut len = (self.next.min(end) - start) * self.filler;
        while self.next < end {
            let (to, room) = (&mut to[len..], end - self.next);
            match self.ascii(to, room) {
                0 => len += self.character(to, room),
                // The rest of the row: no need to wait for how many they are.
                ascii if ascii == room => {
                    len += room;
                    self.next = end;
                }
                ascii => {
                    len += ascii;
                    self.next += ascii;
                }
            }
        }
        len
    }

    /// Write what is at the front of printable ASCII, as much as there is room for. Returns how many
    /// characters that are.
    #[inline]
    fn ascii(&mut self, to: &mut [u8], room: usize) -> usize {
        let block = self.bytes[self.next..].first_chunk::<BLOCK>();
        let Some(block) = block.filter(|block| block[0].is_ascii()) else { return 0 };
        // What is behind them is overwritten.
        to[..BLOCK].copy_from_slice(block);
        printable(*block).min(room)
    }

    /// Write a character, and what fills the columns behind it, as far as there is room.
    #[inline]
    fn character(&mut self, to: &mut [u8], room: usize) -> usize {
        let rest = &self.bytes[self.next..];
        let (value, size) = decode(rest);
        let (len, width) = self.texts.character(to, rest, value, size);
        self.next += size;
        len + size.min(room).saturating_sub(width) * self.filler
    }

    /// Append the text of a row.
    pub fn append(&mut self, text: &mut Vec<u8>, start: usize, end: usize) {
        let from = text.len();
        text.resize(from + (end - start) * MOST + SLACK, 0);
        let len = self.write(&mut text[from..], start, end);
        text.truncate(from + len);
    }

    /// As [`Texts::disarm`].
    pub fn disarm(&self, out: &mut Vec<u8>, start: usize) {
        self.texts.disarm(out, start);
    }
}

/// What stands for a code point, where there are so many columns.
fn shape_within(value: u32, unicode: bool, filler: CharShape, columns: usize) -> CharShape {
    if value == u32::from(' ') {
        return BLANK;
    }
    let shape = shape(value, unicode);
    if usize::from(shape.width) > columns { filler } else { shape }
}

/// Whether a byte is a character of ASCII that can be seen, or the blank.
pub(super) fn is_printable(byte: u8) -> bool {
    matches!(byte, b' '..=b'~')
}

/// How many bytes at the front are printable ASCII?
fn printable(block: [u8; BLOCK]) -> usize {
    let each = |byte: u8| u64::from_ne_bytes([byte; BLOCK]);
    let bytes = u64::from_le_bytes(block);
    let low = bytes & each(0x7F);
    // The high bit of each byte: whether it is DEL, or not below the blank.
    let (del, blank) = (low + each(1), (low | each(0x80)) - each(b' '));
    let others = (bytes | del | !blank) & each(0x80);
    others.trailing_zeros() as usize / 8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_front_is_what_is_printable() {
        for byte in 0..=255 {
            for at in 0..=BLOCK {
                let mut block = [b'~'; BLOCK];
                block[at..].fill(byte);
                let front = if is_printable(byte) { BLOCK } else { at };
                assert_eq!(printable(block), front, "{block:?}");
            }
        }
    }
}
