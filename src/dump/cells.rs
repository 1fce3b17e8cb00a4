//! How is a byte written? The digits of each base, and offsets.

use super::CellBase;

/// The digits of every byte, of so many places.
pub(super) type DigitTable<const N: usize> = [[u8; N]; 256];

pub(super) static BITS: DigitTable<8> = digits(2, LOWER);
static HEX: DigitTable<2> = digits(16, LOWER);
static UPPER_HEX: DigitTable<2> = digits(16, UPPER);
pub(super) static OCTAL: DigitTable<3> = digits(8, LOWER);
pub(super) static DECIMAL: DigitTable<3> = digits(10, LOWER);

const LOWER: &[u8; 16] = b"0123456789abcdef";
const UPPER: &[u8; 16] = b"0123456789ABCDEF";

const fn digits<const N: usize>(base: usize, alphabet: &[u8; 16]) -> DigitTable<N> {
    let mut table = [[0; N]; 256];
    let mut byte = 0;
    while byte < table.len() {
        let (mut rest, mut at) = (byte, N);
        while at > 0 {
            at -= 1;
            table[byte][at] = alphabet[rest % base];
            rest /= base;
        }
        byte += 1;
    }
    table
}

/// The hexadecimal digits.
pub(super) fn hex_digits(upper: bool) -> &'static [u8; 16] {
    if upper { UPPER } else { LOWER }
}

/// The hexadecimal digits of every byte.
pub(super) fn hex(upper: bool) -> &'static DigitTable<2> {
    if upper { &UPPER_HEX } else { &HEX }
}

impl CellBase {
    /// How many digits a byte has.
    pub const fn width(self) -> usize {
        match self {
            CellBase::Bits => 8,
            CellBase::Hex => 2,
            CellBase::Octal | CellBase::Decimal => 3,
        }
    }

    /// The digits of a byte.
    pub(super) fn digits(self, upper: bool, byte: u8) -> &'static [u8] {
        let byte = usize::from(byte);
        match self {
            CellBase::Bits => &BITS[byte],
            CellBase::Hex => &hex(upper)[byte],
            CellBase::Octal => &OCTAL[byte],
            CellBase::Decimal => &DECIMAL[byte],
        }
    }
}

/// What is in front of a row, to be written again and again: its offset and a colon.
#[derive(Debug)]
pub(super) struct RowPrefix {
    /// For the offsets that begin like this one.
    offset: u64,
    text: [u8; LONGEST_HEAD],
    digits: usize,
}

/// The most digits of an offset, and the colon.
pub(super) const LONGEST_HEAD: usize = 17;

/// How many bits of an offset are in its last two digits.
const TAIL: u32 = 8;

impl RowPrefix {
    /// For offsets from this one on.
    pub fn new(offset: u64) -> RowPrefix {
        let (upper, lower) = ((offset >> 32) as u32, offset as u32);
        let digits = if upper > 0 { 16 } else { 8 };
        let mut text = [b':'; LONGEST_HEAD];
        text[..8].copy_from_slice(&eight_digits(upper));
        text[digits - 8..digits].copy_from_slice(&eight_digits(lower));
        RowPrefix { offset, text, digits }
    }

    /// Write the head of the row at an offset, and maybe something behind it. Returns how long the
    /// head is: at most [`LONGEST_HEAD`].
    #[inline]
    pub fn put(&mut self, to: &mut [u8], offset: u64) -> usize {
        if offset >> TAIL != self.offset >> TAIL {
            *self = RowPrefix::new(offset);
        }
        to[..LONGEST_HEAD].copy_from_slice(&self.text);
        let tail = &HEX[usize::from(offset as u8)];
        to[self.digits - tail.len()..self.digits].copy_from_slice(tail);
        self.digits + 1
    }
}

/// The hexadecimal digits of a number.
fn eight_digits(number: u32) -> [u8; 8] {
    let each = |byte: u8| u64::from_ne_bytes([byte; 8]);
    let spread = |number: u64, by: u32, mask: u64| (number | number << by) & mask;
    let halves = spread(number.into(), 16, 0x0000_FFFF_0000_FFFF);
    let bytes = spread(halves, 8, 0x00FF_00FF_00FF_00FF);
    let digits = spread(bytes, 4, each(0x0F));
    let letters = (digits + each(6)) >> 4 & each(1);
    (digits + each(b'0') + letters * u64::from(b'a' - b'9' - 1)).to_be_bytes()
}

/// Append an offset: eight hexadecimal digits, or all sixteen.
pub(super) fn offset(out: &mut Vec<u8>, offset: u64) {
    let head = RowPrefix::new(offset);
    out.extend_from_slice(&head.text[..head.digits]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_those_of_std() {
        for byte in 0..=255u8 {
            let all = [CellBase::Bits, CellBase::Hex, CellBase::Octal, CellBase::Decimal];
            let shown = all.map(|base| str::from_utf8(base.digits(false, byte)).unwrap());
            let expected = [
                format!("{byte:08b}"),
                format!("{byte:02x}"),
                format!("{byte:03o}"),
                format!("{byte:03}"),
            ];
            assert_eq!(shown, expected.each_ref().map(String::as_str));
            assert_eq!(CellBase::Hex.digits(true, byte), format!("{byte:02X}").as_bytes());
        }
    }

    #[test]
    fn offsets_have_eight_digits_or_sixteen() {
        for (number, shown) in [
            (0, "00000000"),
            (0x1A4, "000001a4"),
            (u32::MAX.into(), "ffffffff"),
            (1 << 32, "0000000100000000"),
            (0x0123_4567_89AB_CDEF, "0123456789abcdef"),
        ] {
            let mut out = Vec::new();
            offset(&mut out, number);
            assert_eq!(out, shown.as_bytes());
        }
    }
}
