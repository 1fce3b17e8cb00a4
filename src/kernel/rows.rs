//! Rows of a dump: an offset, the digits of some bytes, and a column of text.
//!
//! Each byte has a code, from 0 to 15. It selects the mark before the digits of the byte and the part
//! of the text column at the position of the byte.

use std::ops::Range;

use super::fault_bits::FaultBits;
use super::spare::SpareRoom;

pub use char_codes::{CharCodes, PAGE};
pub use prefix::RowPrefix;

mod char_codes;
mod prefix;

/// The number of codes.
pub const CODES: usize = 16;

/// The codes of bytes in [`RowText`].
pub mod code {
    /// The first byte of a character that [`CharCodes`](super::CharCodes) does not decide on, or `#`
    /// before `#` or `[`, which may start a command of a CI runner.
    pub const UNDECIDED: u8 = 0;
    /// The first byte of a character of one to four bytes, which is shown as itself.
    pub const FIRST: [u8; 5] = [UNDECIDED, 1, 2, 3, 4];
    /// A control character.
    pub const CONTROL: u8 = 5;
    /// DEL.
    pub const DELETE: u8 = 6;
    /// The first byte of a character with each of some stand-ins.
    pub const STAND_INS: [u8; 3] = [7, 8, 9];
    /// A further byte of a sequence.
    pub const FURTHER: u8 = 10;
    /// The first byte of an ill-formed sequence.
    pub const FAULT: u8 = 11;
    /// The second byte of a character of two columns, by the number of bytes from it on. The column
    /// has these bytes, and only the first byte at the position before.
    pub const SECOND: [u8; 4] = [FURTHER, FURTHER, 12, 13];

    /// The changes of the codes of the last byte of a row and of the next one, by the latter: the rest
    /// of a character of two columns has fillers there.
    pub static CUTS: [[u8; 2]; super::CODES] = {
        let mut cuts = [[0; 2]; super::CODES];
        let mut size = 3;
        while size <= 4 {
            let second = SECOND[size - 1];
            cuts[second as usize] = [FIRST[1] ^ FIRST[size], second ^ FURTHER];
            size += 1;
        }
        cuts
    };

    /// The mark before the digits of a byte with each code.
    pub static MARKS: [u8; super::CODES] = *b"          .!..  ";
}

/// FF for the codes of bytes that the text column shows as they are.
pub(super) static OWN: [u8; CODES] =
    [0, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0, 0];

/// The code of a byte with this upper half, unless it is DEL. Characters of several bytes are shown as
/// themselves in one column.
pub(super) static CODE_OF_HALF: [u8; 16] = {
    let [_, one, two, three, four] = code::FIRST;
    let (control, further) = (code::CONTROL, code::FURTHER);
    [
        control, control, one, one, one, one, one, one, further, further, further, further, two,
        two, three, four,
    ]
};

/// The most bytes in a [`RowText`].
pub const MOST_ROW_TEXT: usize = 1 << 10;

/// The number of bytes behind the text that vectors may read, or write codes of.
const BEHIND: usize = 128;

/// The number of bytes behind the text that the last character may have.
const REST: usize = 4;

/// Bytes of UTF-8 and their codes.
#[derive(Clone, Debug)]
pub struct RowText {
    bytes: [u8; MOST_ROW_TEXT + BEHIND],
    codes: [u8; MOST_ROW_TEXT + BEHIND],
    /// A bit for each first byte of an ill-formed sequence, in words for each block.
    faults: [u64; MOST_ROW_TEXT / BLOCK + 1],
    len: usize,
}

impl RowText {
    /// Creates an empty text.
    pub fn new() -> RowText {
        let room = [0; MOST_ROW_TEXT + BEHIND];
        RowText { bytes: room, codes: room, faults: [0; _], len: 0 }
    }

    /// Sets the text to the first `len` bytes, at most [`MOST_ROW_TEXT`]. The last character may have
    /// more. The codes are unspecified then, and no byte has a bit.
    pub fn set(&mut self, bytes: &[u8], len: usize) {
        let all = bytes.len().min(len + REST);
        self.bytes[..all].copy_from_slice(&bytes[..all]);
        self.bytes[all..len + REST].fill(0);
        self.faults.fill(0);
        self.len = len;
    }

    /// Sets the bits of the first bytes of ill-formed sequences. The text starts at an index of a
    /// longer one, which has `faults`.
    pub fn set_faults(&mut self, faults: &FaultBits, at: usize) {
        for (word, at) in self.faults.iter_mut().zip((at..).step_by(BLOCK)) {
            *word = faults.word(at);
        }
    }

    /// Returns the bytes of the text.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    /// Returns the bytes, to change them for a while.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.bytes[..self.len]
    }

    /// Returns the codes of the bytes, and of one more.
    pub fn codes(&self) -> &[u8] {
        &self.codes[..=self.len]
    }

    /// Returns the bytes from an index on that the part of the text column for its code may show.
    #[inline(always)]
    pub fn shown(&self, at: usize) -> [u8; 4] {
        *self.bytes[at..].first_chunk().expect("bytes behind")
    }

    /// Returns the codes of the bytes, and of one more, to change them.
    pub fn codes_mut(&mut self) -> &mut [u8] {
        &mut self.codes[..=self.len]
    }

    /// Returns the bytes from an index on that a row reads, and their codes.
    #[inline(always)]
    fn window<const N: usize, const M: usize>(&self, at: usize) -> (&[u8; N], &[u8; M]) {
        const { assert!(N <= BEHIND) };
        (self.bytes[at..].first_chunk().expect("bytes behind"), self.codes_at(at))
    }

    /// Returns the codes from an index on that a row reads.
    #[inline(always)]
    pub(super) fn codes_at<const N: usize>(&self, at: usize) -> &[u8; N] {
        const { assert!(N <= BEHIND) };
        self.codes[at..].first_chunk().expect("codes behind")
    }
}

impl Default for RowText {
    fn default() -> RowText {
        RowText::new()
    }
}

/// The number of bytes of which the codes are found at a time.
pub(super) const BLOCK: usize = u64::BITS as usize;

/// The first bytes of characters of two, three and four bytes in each block, a bit for each byte. Their
/// codes are still to be set.
pub(super) type Leads = [[u64; 3]; MOST_ROW_TEXT / BLOCK + 1];

impl RowText {
    /// Returns the number of blocks that have the text and the byte after it.
    #[inline(always)]
    pub(super) fn blocks(&self) -> usize {
        self.len / BLOCK + 1
    }

    /// Returns the bytes of a block and the next one.
    #[inline(always)]
    pub(super) fn block(&self, block: usize) -> &[u8; BLOCK + 1] {
        self.bytes[block * BLOCK..].first_chunk().expect("bytes behind")
    }

    /// Returns the bits of a block.
    #[inline(always)]
    pub(super) fn faults(&self, block: usize) -> u64 {
        self.faults[block]
    }

    /// Sets the codes of a block.
    #[inline(always)]
    pub(super) fn set_block(&mut self, block: usize, codes: [u8; BLOCK]) {
        *self.codes[block * BLOCK..].first_chunk_mut().expect("codes behind") = codes;
    }

    /// Sets the codes of characters of several bytes, after those of all blocks: the last may end in
    /// the next block.
    #[inline(always)]
    pub(super) fn set_chars(&mut self, leads: &Leads, chars: &CharCodes) {
        for (block, leads) in leads[..self.blocks()].iter().enumerate() {
            let at = block * BLOCK;
            let bytes: &[u8; BLOCK + REST] = self.bytes[at..].first_chunk().expect("bytes behind");
            let codes = self.codes[at..].first_chunk_mut().expect("codes behind");
            let word = |at: usize| {
                u32::from_be_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
            };
            set_chars_of(codes, leads[0], chars, |at| {
                let word = word(at);
                word >> 18 & 0x7C0 | word >> 16 & 0x3F
            });
            if leads[1] != 0 {
                let values = values_of_three(bytes);
                set_chars_of(codes, leads[1], chars, |at| values[at].into());
            }
            set_chars_of(codes, leads[2], chars, |at| {
                let word = word(at);
                word >> 6 & 0x1C_0000 | word >> 4 & 0x3_F000 | word >> 2 & 0xFC0 | word & 0x3F
            });
        }
    }
}

/// Sets the codes of the characters of a block that start at the bits of a mask. `value` returns the
/// character at an index.
#[inline(always)]
fn set_chars_of(
    codes: &mut [u8; BLOCK + 1],
    mut leads: u64,
    chars: &CharCodes,
    value: impl Fn(usize) -> u32,
) {
    while leads != 0 {
        let at = leads.trailing_zeros() as usize % BLOCK;
        leads &= leads - 1;
        codes[at..at + 2].copy_from_slice(&chars.get(value(at)));
    }
}

/// Returns, for each byte of a block, the character of three bytes that starts there if one does. The
/// compiler vectorizes this: where there are such characters, most are dense.
#[inline(always)]
fn values_of_three(bytes: &[u8; BLOCK + REST]) -> [u16; BLOCK] {
    let mut values = [0; BLOCK];
    for (at, value) in values.iter_mut().enumerate() {
        let [lead, second, third] = [0, 1, 2].map(|place| u16::from(bytes[at + place]));
        *value = lead << 12 | (second & 0x3F) << 6 | third & 0x3F;
    }
    values
}

/// The part of a [`RowText`] that is written as rows.
#[derive(Clone, Copy, Debug)]
pub struct RowSpan {
    /// The offset of the first byte in the input.
    pub offset: u64,
    /// The index of the first byte.
    pub start: usize,
    /// The number of rows.
    pub rows: usize,
}

/// The digits and the text of each code.
#[derive(Clone, Copy, Debug)]
pub struct RowLook {
    /// The hexadecimal digits.
    pub(super) digits: [u8; 16],
    /// The number of bytes in the column for each code, from 1 to 4.
    pub(super) lens: [u8; CODES],
    /// The bytes in the column for each code that does not show bytes as they are.
    pub(super) texts: [[u8; 4]; CODES],
    /// The same by place: the first, second and third byte for each code.
    pub(super) planes: [[u8; CODES]; 3],
}

impl RowLook {
    /// Creates a look with these hexadecimal digits. `text` returns the text of one to three bytes for
    /// each code that does not show bytes as they are. To the third byte for controls, the control is
    /// added.
    pub fn new(digits: [u8; 16], text: impl Fn(u8) -> &'static [u8]) -> RowLook {
        let mut look =
            RowLook { digits, lens: [1; CODES], texts: [[0; 4]; CODES], planes: [[0; CODES]; 3] };
        for (len, code) in [(2, code::SECOND[2]), (3, code::SECOND[3])] {
            look.lens[usize::from(code)] = len;
        }
        for (len, code) in (0..).zip(code::FIRST).skip(1) {
            look.lens[usize::from(code)] = len;
        }
        for code in (0..CODES).filter(|&code| OWN[code] == 0) {
            let text = text(code as u8);
            look.texts[code][..text.len()].copy_from_slice(text);
            look.lens[code] = text.len().clamp(1, 3) as u8;
            for (plane, &byte) in look.planes.iter_mut().zip(text) {
                plane[code] = byte;
            }
        }
        look
    }

    /// Creates a look of rows whose text column has one unspecified byte for each byte of the row.
    pub fn cells(digits: [u8; 16]) -> RowLook {
        RowLook { lens: [1; CODES], ..RowLook::new(digits, |_| b" ") }
    }

    /// Appends the part of the text column for a code. The bytes are those from its byte on.
    #[inline(always)]
    pub fn push_text(&self, room: &mut SpareRoom<'_>, code: u8, bytes: [u8; 4]) {
        let at = usize::from(code) % CODES;
        let mut text = if OWN[at] != 0 { bytes } else { self.texts[at] };
        if code == code::CONTROL {
            text[2] |= bytes[0];
        }
        room.push(text, self.lens[at].into());
    }
}

/// The length of the longest row in bytes: 17 before the cells, which are nine for each of six bytes
/// and a gap, four bytes for each of sixteen in the column, and a line feed.
const MOST_PER_ROW: usize = 17 + 56 + 64 + 1;

/// A part of the text column that is appended, `LANES` bytes at a time.
pub(super) struct ColumnAppender<'a, const LANES: usize> {
    text: &'a RowText,
    /// The room for the column.
    pub room: SpareRoom<'a>,
    range: Range<usize>,
}

impl<'a, const LANES: usize> ColumnAppender<'a, LANES> {
    #[inline(always)]
    pub fn new(text: &'a RowText, range: Range<usize>, out: &'a mut Vec<u8>) -> Self {
        let room = SpareRoom::new(out, 4 * range.len() + BLOCK);
        ColumnAppender { text, room, range }
    }

    /// Returns the next bytes and codes from the same index on, and how many of them to append.
    #[inline(always)]
    pub fn next<const N: usize, const M: usize>(
        &mut self,
    ) -> Option<(&'a [u8; N], &'a [u8; M], usize)> {
        let (at, len) = (self.range.start, self.range.len().min(LANES));
        self.range.start += len;
        let (bytes, codes) = self.text.window(at);
        (len > 0).then_some((bytes, codes, len))
    }
}

/// Rows of `COLUMNS` bytes that are appended one after the other.
pub(super) struct RowAppender<'a, const COLUMNS: usize> {
    text: &'a RowText,
    /// The room for the rows.
    pub room: SpareRoom<'a>,
    prefix: RowPrefix,
    /// The offset of the next row in the input.
    offset: u64,
    /// The index of the next row in the text.
    at: usize,
    end: usize,
}

impl<'a, const COLUMNS: usize> RowAppender<'a, COLUMNS> {
    #[inline(always)]
    pub fn new(text: &'a RowText, span: RowSpan, out: &'a mut Vec<u8>) -> Self {
        let RowSpan { offset, start, rows } = span;
        RowAppender {
            text,
            room: SpareRoom::new(out, rows * MOST_PER_ROW + BLOCK),
            prefix: RowPrefix::new(offset),
            offset,
            at: start,
            end: start + rows * COLUMNS,
        }
    }

    /// Begins the next row. Returns the bytes and the codes from its start on.
    #[inline(always)]
    pub fn begin<const N: usize, const M: usize>(&mut self) -> Option<(&'a [u8; N], &'a [u8; M])> {
        if self.at >= self.end {
            return None;
        }
        let window = self.text.window(self.at);
        self.prefix.push(&mut self.room, self.offset);
        self.at += COLUMNS;
        self.offset += COLUMNS as u64;
        Some(window)
    }

    /// Ends the row.
    #[inline(always)]
    pub fn end(&mut self) {
        self.room.push([b'\n'], 1);
    }
}
