//! Offsets before rows.

use crate::kernel::spare::SpareRoom;

/// The text before the cells of a row: its offset and a colon. Consecutive rows share most digits.
#[derive(Debug)]
pub struct RowPrefix {
    /// An offset with the same leading digits.
    offset: u64,
    text: [u8; 16],
    /// Number of digits, 8 or 16.
    digits: usize,
}

/// Number of bits in the last two digits of an offset, which are replaced row by row.
const TAIL: u32 = 8;

impl RowPrefix {
    /// Creates the prefix of the row at an offset.
    #[inline]
    pub fn new(offset: u64) -> RowPrefix {
        let (upper, lower) = ((offset >> 32) as u32, offset as u32);
        let digits = if upper > 0 { 16 } else { 8 };
        let mut text = [0; 16];
        text[..8].copy_from_slice(&eight_digits(upper));
        text[digits - 8..digits].copy_from_slice(&eight_digits(lower));
        RowPrefix { offset, text, digits }
    }

    /// Returns the digits of the offset that it was created for.
    pub fn digits(&self) -> &[u8] {
        &self.text[..self.digits]
    }

    /// Appends the prefix of the row at an offset.
    #[inline(always)]
    pub(super) fn push(&mut self, room: &mut SpareRoom<'_>, offset: u64) {
        self.advance(offset);
        let [first, second] = tail(offset);
        room.push(self.text, self.digits - 2);
        room.push([first, second, b':', 0], 3);
    }

    /// Makes the leading digits those of an offset.
    #[inline(always)]
    fn advance(&mut self, offset: u64) {
        if offset >> TAIL != self.offset >> TAIL {
            self.renew(offset);
        }
    }

    /// Implements [`advance`](Self::advance).
    #[cold]
    fn renew(&mut self, offset: u64) {
        *self = RowPrefix::new(offset);
    }

    /// Appends the digits of an offset, without the colon.
    #[inline]
    pub fn append_offset(&mut self, out: &mut Vec<u8>, offset: u64) {
        self.advance(offset);
        let end = out.len() + self.digits;
        out.extend_from_slice(&self.text);
        out[end - 2..end].copy_from_slice(&tail(offset));
        out.truncate(end);
    }
}

/// Returns the last two digits of an offset.
#[inline(always)]
fn tail(offset: u64) -> [u8; 2] {
    let digit = |number: u64| b"0123456789abcdef"[number as usize % 16];
    [digit(offset >> 4), digit(offset)]
}

impl Default for RowPrefix {
    fn default() -> RowPrefix {
        RowPrefix::new(0)
    }
}

/// Returns the hexadecimal digits of a number, computed in all bytes of a word at once.
fn eight_digits(number: u32) -> [u8; 8] {
    let each = |byte: u8| u64::from_ne_bytes([byte; 8]);
    let spread = |number: u64, by: u32, mask: u64| (number | number << by) & mask;
    let halves = spread(number.into(), 16, 0x0000_FFFF_0000_FFFF);
    let bytes = spread(halves, 8, 0x00FF_00FF_00FF_00FF);
    let digits = spread(bytes, 4, each(0x0F));
    let letters = (digits + each(6)) >> 4 & each(1);
    (digits + each(b'0') + letters * u64::from(b'a' - b'9' - 1)).to_be_bytes()
}
