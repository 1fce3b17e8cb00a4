//! Digits of bytes in each base, and of offsets.

use super::CellBase;

/// The digits of each byte value, `N` each.
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

/// Returns the sixteen hexadecimal digits.
pub(super) fn hex_digits(upper: bool) -> &'static [u8; 16] {
    if upper { UPPER } else { LOWER }
}

/// Returns the hexadecimal digits of each byte value.
pub(super) fn hex(upper: bool) -> &'static DigitTable<2> {
    if upper { &UPPER_HEX } else { &HEX }
}

impl CellBase {
    /// Returns the number of digits of a byte.
    pub const fn width(self) -> usize {
        match self {
            CellBase::Bits => 8,
            CellBase::Hex => 2,
            CellBase::Octal | CellBase::Decimal => 3,
        }
    }

    /// Returns the digits of a byte. `upper` applies to hexadecimal digits.
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

/// The text before the cells of a row: its offset and a colon. Consecutive rows share most digits.
#[derive(Debug)]
pub(super) struct RowPrefix {
    /// An offset with the same leading digits.
    offset: u64,
    text: [u8; MOST_PREFIX],
    /// Number of digits, 8 or 16.
    digits: usize,
}

/// Length of the longest prefix: sixteen digits and the colon.
pub(super) const MOST_PREFIX: usize = 17;

/// Number of bits in the last two digits of an offset, which are replaced row by row.
const TAIL: u32 = 8;

impl RowPrefix {
    /// Creates the prefix of the row at an offset.
    pub fn new(offset: u64) -> RowPrefix {
        let (upper, lower) = ((offset >> 32) as u32, offset as u32);
        let digits = width(offset);
        let mut text = [b':'; MOST_PREFIX];
        text[..8].copy_from_slice(&eight_digits(upper));
        text[digits - 8..digits].copy_from_slice(&eight_digits(lower));
        RowPrefix { offset, text, digits }
    }

    /// Writes the prefix of the row at an offset to the front of `to`, of which it overwrites
    /// [`MOST_PREFIX`] bytes. Returns the length of the prefix in bytes.
    #[inline]
    pub fn put(&mut self, to: &mut [u8], offset: u64) -> usize {
        if offset >> TAIL != self.offset >> TAIL {
            *self = RowPrefix::new(offset);
        }
        to[..MOST_PREFIX].copy_from_slice(&self.text);
        let tail = &HEX[usize::from(offset as u8)];
        to[self.digits - tail.len()..self.digits].copy_from_slice(tail);
        self.digits + 1
    }

    /// Appends an offset without the colon.
    #[inline]
    pub fn append_offset(&mut self, out: &mut Vec<u8>, offset: u64) {
        let mut text = [0; MOST_PREFIX];
        self.put(&mut text, offset);
        out.extend_from_slice(&text[..self.digits]);
    }
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

/// Returns the number of digits of an offset.
pub(super) fn width(offset: u64) -> usize {
    if offset >> 32 > 0 { 16 } else { 8 }
}

/// Appends an offset: eight hexadecimal digits, or sixteen from 2³² on.
pub(super) fn write_offset(out: &mut Vec<u8>, offset: u64) {
    let prefix = RowPrefix::new(offset);
    out.extend_from_slice(&prefix.text[..prefix.digits]);
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
            write_offset(&mut out, number);
            assert_eq!(out, shown.as_bytes());
        }
    }
}
