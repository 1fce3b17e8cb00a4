//! Digits of bytes in each base, and of offsets.

use super::CellBase;
use crate::kernel::RowPrefix;
use crate::text::write;

/// The digits of each byte value, `N` each.
pub(super) type DigitTable<const N: usize> = [[u8; N]; 256];

pub(super) static BITS: DigitTable<8> = digits(2, LOWER);
static HEX: DigitTable<2> = digits(16, LOWER);
pub(super) static OCTAL: DigitTable<3> = digits(8, LOWER);
pub(super) static DECIMAL: DigitTable<3> = digits(10, LOWER);

const LOWER: &[u8; 16] = b"0123456789abcdef";

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
    if upper { write::DIGITS } else { LOWER }
}

/// Returns the hexadecimal digits of each byte value.
pub(super) fn hex(upper: bool) -> &'static DigitTable<2> {
    if upper { &write::HEX } else { &HEX }
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

/// Returns the number of digits of an offset.
pub(super) fn width(offset: u64) -> usize {
    if offset >> 32 > 0 { 16 } else { 8 }
}

/// Appends an offset: eight hexadecimal digits, or sixteen from 2³² on.
pub(super) fn write_offset(out: &mut Vec<u8>, offset: u64) {
    out.extend_from_slice(RowPrefix::new(offset).digits());
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
