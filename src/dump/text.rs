//! What stands in the text column of a row of bytes?
//!
//! A character stands below its first byte, and a filler below each further byte that it does not
//! cover itself. So the column is as wide as the row has bytes, whatever they are.

use super::character::{Shape, shape};
use super::{Item, What, decode};
use crate::codec::BOM;
use crate::report::escape::disarm;

/// The texts of a dump.
#[derive(Debug)]
pub(super) struct Texts {
    unicode: bool,
    signs: Signs,
    /// What stands for the characters of ASCII.
    ascii: [Shape; 0x80],
    /// The class of each code point, as far as it was asked for.
    classes: Vec<u8>,
    /// Stand-ins that were asked for, each in the only place where it can be.
    stand_ins: Vec<(u32, Shape)>,
    /// What stands for the bytes that were read last, and where in it what stands for each begins.
    text: Vec<u8>,
    starts: Vec<u32>,
}

/// What stands for what is no character.
#[derive(Clone, Copy, Debug)]
struct Signs {
    /// Where a sequence goes on.
    filler: Shape,
    /// Where an ill-formed one begins.
    fault: Shape,
    /// The filler, for each column of the longest sequence.
    fillers: &'static [u8],
}

const UNICODE: Signs =
    Signs { filler: Shape::of('·'), fault: Shape::of('×'), fillers: DOTS.as_flattened() };
const ASCII: Signs =
    Signs { filler: Shape::of('.'), fault: Shape::of('!'), fillers: &[b'.'; LONGEST] };
/// U+00B7 in UTF-8.
const DOTS: [[u8; 2]; LONGEST] = [[0xC2, 0xB7]; LONGEST];

/// A blank is one here, where no column can be lost at the end of a row.
const BLANK: Shape = Shape::new(&[' '], 1, false);

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
pub(super) const SLACK: usize = 2 * WORD;

/// How many bytes are copied at a time.
const WORD: usize = 16;

/// How many characters of ASCII are read at a time.
const BLOCK: usize = u64::BITS as usize / 8;

impl Texts {
    /// Texts in any characters, or in ASCII alone.
    pub fn new(unicode: bool) -> Texts {
        let signs = if unicode { UNICODE } else { ASCII };
        let classes = vec![UNKNOWN; CODE_POINTS];
        let ascii =
            std::array::from_fn(|value| shape_within(value as u32, unicode, signs.filler, 1));
        let stand_ins = vec![(u32::MAX, signs.filler); STAND_INS];
        Texts { unicode, signs, ascii, classes, stand_ins, text: Vec::new(), starts: Vec::new() }
    }

    /// What stands for a sequence.
    pub fn shape(&self, item: &Item<'_>) -> Shape {
        let value = match item.what {
            What::Ill(..) => return self.signs.fault,
            What::Scalar(value) | What::Two([value, _]) if !item.is_cut() => value,
            What::Signature if !item.is_cut() => BOM,
            _ => return self.signs.filler,
        };
        self.shape_within(value, item.len)
    }

    /// What stands for a code point, where there are so many columns.
    fn shape_within(&self, value: u32, columns: usize) -> Shape {
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

    /// Read well-formed UTF-8, whose texts are wanted next.
    pub fn read(&mut self, bytes: &[u8]) {
        let mut text = std::mem::take(&mut self.text);
        let mut starts = std::mem::take(&mut self.starts);
        text.resize(bytes.len() * MOST + SLACK, 0);
        starts.resize(bytes.len() + BLOCK, 0);
        let filler = self.signs.filler.text().len();
        let (mut at, mut len) = (0, 0);
        while at < bytes.len() {
            let rest = &bytes[at..];
            let (text, starts) = (&mut text[len..], &mut starts[at..]);
            let block = rest.first_chunk::<BLOCK>();
            let ascii = block.map_or(0, |&block| printable(block));
            if let (1.., Some(block)) = (ascii, block) {
                // What is behind them is overwritten.
                text[..BLOCK].copy_from_slice(block);
                for (at, start) in starts[..BLOCK].iter_mut().enumerate() {
                    *start = (len + at) as u32;
                }
                at += ascii;
                len += ascii;
            } else {
                let (value, size) = decode(rest);
                let (head, width) = self.character(text, rest, value, size);
                for (at, start) in starts[..4].iter_mut().enumerate() {
                    let before = if at > 0 { head } else { 0 };
                    *start = (len + before + at.saturating_sub(width) * filler) as u32;
                }
                at += size;
                len += head + size.saturating_sub(width) * filler;
            }
        }
        starts[at] = len as u32;
        (self.text, self.starts) = (text, starts);
    }

    /// Write the text of a row, whose bytes these are from `start` to `end` of what was read.
    /// Returns how long it is: at most [`MOST`] for each byte, but [`SLACK`] behind it is spoilt.
    #[inline]
    pub fn write(&self, to: &mut [u8], start: usize, end: usize) -> usize {
        let (from, until) = (self.starts[start] as usize, self.starts[end] as usize);
        // The second half of a character in the row before, which covers it there.
        let covered = self.starts[start + 1] as usize == from;
        let filler = if covered { self.signs.filler.text().len() } else { 0 };
        to[..2].copy_from_slice(&self.signs.fillers[..2]);
        let (to, mut done) = (&mut to[filler..], 0);
        while from + done < until {
            to[done..done + WORD].copy_from_slice(&self.text[from + done..from + done + WORD]);
            done += WORD;
        }
        filler + until - from
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
        to[..shape.text().len()].copy_from_slice(shape.text());
        (shape.text().len(), shape.width.into())
    }
}

/// What stands for a code point, where there are so many columns.
fn shape_within(value: u32, unicode: bool, filler: Shape, columns: usize) -> Shape {
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
