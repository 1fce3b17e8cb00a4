//! Fast writers of numbers and bytes: a report may contain millions of findings.

use crate::kernel::{SpareRoom, append_blocks};

/// A text that arrays are appended to. A copy of fixed size takes less time than a call of `memcpy`
/// for a few bytes.
pub(crate) trait Append {
    /// Appends the first `len` bytes of an array.
    fn front<const N: usize>(&mut self, bytes: &[u8; N], len: usize);

    /// Appends bytes.
    fn slice(&mut self, bytes: &[u8]);

    /// Appends an array.
    #[inline(always)]
    fn all<const N: usize>(&mut self, bytes: &[u8; N]) {
        self.front(bytes, N);
    }
}

impl Append for Vec<u8> {
    #[inline(always)]
    fn front<const N: usize>(&mut self, bytes: &[u8; N], len: usize) {
        let end = self.len() + len;
        self.extend_from_slice(bytes);
        self.truncate(end);
    }

    #[inline(always)]
    fn slice(&mut self, bytes: &[u8]) {
        self.extend_from_slice(bytes);
    }
}

impl Append for SpareRoom<'_> {
    #[inline(always)]
    fn front<const N: usize>(&mut self, bytes: &[u8; N], len: usize) {
        self.push(*bytes, len);
    }

    #[inline(always)]
    fn slice(&mut self, bytes: &[u8]) {
        self.extend(bytes);
    }
}

/// The largest number of bytes that a writer of this module appends as one array.
const ARRAY: usize = 64;

/// Appends a record of at most `most` bytes: reserves memory once.
#[inline(always)]
pub(crate) fn record(out: &mut Vec<u8>, most: usize, write: impl FnOnce(&mut SpareRoom<'_>)) {
    append_blocks::<ARRAY, _>(out, most, write);
}

/// Appends a number in decimal.
#[inline(always)]
pub(crate) fn decimal(out: &mut impl Append, number: u64) {
    if number < 10 {
        out.all(&[b'0' + number as u8]);
    } else if number < EIGHT_DIGITS {
        significant(out, eight_digits(number as u32), 1);
    } else {
        long_decimal(out, number);
    }
}

/// Appends a number of more than eight digits.
#[inline(never)]
fn long_decimal(out: &mut impl Append, number: u64) {
    decimal(out, number / EIGHT_DIGITS);
    significant(out, eight_digits((number % EIGHT_DIGITS) as u32), 8);
}

/// The least number of more than eight digits.
const EIGHT_DIGITS: u64 = 100_000_000;

/// Returns the digits of a number of up to eight, the first one in the lowest byte.
fn eight_digits(number: u32) -> u64 {
    // Each half of a lane gets the quotient and the remainder, all lanes at once. A quotient is a
    // product with the inverse, rounded up: exact for the digits that a lane has.
    let fours = u64::from(number / 10_000) | u64::from(number % 10_000) << 32;
    let hundreds = ((fours * 10_486) >> 20) & 0x7F_0000_007F;
    let pairs = hundreds | (fours - 100 * hundreds) << 16;
    let tens = ((pairs * 103) >> 10) & 0xF_000F_000F_000F;
    tens | (pairs - 10 * tens) << 8
}

/// Appends eight digits, given as numbers in bytes, without leading zeros beyond so many digits. Seven
/// more than a digit above 9 is a letter.
#[inline(always)]
fn significant(out: &mut impl Append, digits: u64, least: u32) {
    let zeros = (digits.trailing_zeros() / u8::BITS).min(8 - least);
    let text = (digits + u64::from_le_bytes([b'0'; 8])) >> (u8::BITS * zeros);
    out.front(&text.to_le_bytes(), 8 - zeros as usize);
}

/// Appends a few bytes, without the cost of a call of `memcpy`.
pub(crate) fn text(out: &mut Vec<u8>, bytes: &[u8]) {
    let (words, rest) = bytes.as_chunks::<8>();
    for word in words {
        out.extend_from_slice(word);
    }
    for &byte in rest {
        out.push(byte);
    }
}

/// A short text, then unused bytes: a copy of fixed size takes less time.
#[derive(Clone, Copy)]
pub(crate) struct PaddedText<const N: usize> {
    bytes: [u8; N],
    len: u8,
}

impl<const N: usize> PaddedText<N> {
    /// Returns a text of at most `N` bytes.
    pub(crate) const fn of(text: &[u8]) -> PaddedText<N> {
        let mut bytes = [0; N];
        bytes.split_at_mut(text.len()).0.copy_from_slice(text);
        PaddedText { bytes, len: text.len() as u8 }
    }

    /// Appends the text.
    #[inline(always)]
    pub(crate) fn put(&self, out: &mut impl Append) {
        out.front(&self.bytes, self.len.into());
    }
}

/// Appends a number in upper-case hexadecimal with at least `least` digits, 16 at most.
#[inline(always)]
pub(crate) fn hexadecimal(out: &mut impl Append, number: u64, least: usize) {
    match u16::try_from(number) {
        Ok(number) if least == 4 => out.all(&four_digits(number)),
        _ if number >> u32::BITS == 0 && least <= 8 => {
            significant(out, eight_halves(number as u32), least as u32);
        }
        _ => {
            if number >> u32::BITS > 0 || least > 8 {
                significant(
                    out,
                    eight_halves((number >> u32::BITS) as u32),
                    least.saturating_sub(8).max(1) as u32,
                );
            }
            significant(out, eight_halves(number as u32), 8);
        }
    }
}

/// Returns the hexadecimal digits of a number for [`significant`], the first one in the lowest byte.
fn eight_halves(number: u32) -> u64 {
    let number = u64::from(number.swap_bytes());
    let pairs = (number | number << 16) & 0xFFFF_0000_FFFF;
    let bytes = (pairs | pairs << 8) & 0xFF_00FF_00FF_00FF;
    let halves = (bytes >> 4 | bytes << 8) & 0x0F0F_0F0F_0F0F_0F0F;
    let letters = (halves + 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101;
    halves + 7 * letters
}

/// Appends a number in lower-case hexadecimal, as [`hexadecimal`] does.
#[inline]
pub(crate) fn lower_hexadecimal(out: &mut Vec<u8>, number: u64, least: usize) {
    if least == 4
        && let Ok(number) = u16::try_from(number)
    {
        return out.extend_from_slice(&four_digits(number).map(|digit| digit | 0x20));
    }
    let start = out.len();
    hexadecimal(out, number, least);
    out[start..].make_ascii_lowercase();
}

/// Returns a number in four upper-case hexadecimal digits.
#[inline]
pub(crate) fn four_digits(number: u16) -> [u8; 4] {
    let [high, low] = number.to_be_bytes().map(hex);
    [high[0], high[1], low[0], low[1]]
}

/// The two digits of each byte.
static HEX: [[u8; 2]; 256] = {
    let mut digits = [[0; 2]; 256];
    let mut byte = 0;
    while byte < digits.len() {
        digits[byte] = [DIGITS[byte >> 4], DIGITS[byte & 0xF]];
        byte += 1;
    }
    digits
};

const DIGITS: &[u8; 16] = b"0123456789ABCDEF";

/// Appends bytes as `E2 82 AC`.
#[inline(always)]
pub(crate) fn bytes(out: &mut impl Append, bytes: &[u8]) {
    let Some((&first, rest)) = bytes.split_first() else { return };
    out.all(&hex(first));
    for &byte in rest {
        let [high, low] = hex(byte);
        out.all(&[b' ', high, low]);
    }
}

/// Appends a byte as two hexadecimal digits.
pub(crate) fn byte2(out: &mut Vec<u8>, byte: u8) {
    out.extend_from_slice(&hex(byte));
}

/// Returns the two digits of a byte.
pub(crate) fn hex(byte: u8) -> [u8; 2] {
    HEX[usize::from(byte)]
}

/// Appends a code point as `U+20AC`.
#[inline]
pub(crate) fn code_point(out: &mut impl Append, value: u32) {
    out.all(b"U+");
    hexadecimal(out, value.into(), 4);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_written_in_hexadecimal() {
        for len in 0..=9 {
            let some = &[0x00, 0x9A, 0xFF, 0x0B, 0xC0, 0x41, 0x80, 0x7F, 0xE2][..len];
            let mut hex = Vec::new();
            bytes(&mut hex, some);
            let each: Vec<_> = some.iter().map(|byte| format!("{byte:02X}")).collect();
            assert_eq!(hex, each.join(" ").into_bytes());
        }
    }

    #[test]
    fn numbers_are_written_as_std_writes_them() {
        let powers = (0..20).flat_map(|n| [10u64.pow(n) - 1, 10u64.pow(n), 10u64.pow(n) + 1]);
        // All numbers of four digits, in both halves of eight.
        let fours = (0..10_000).flat_map(|number| [number, 10_000 * number + 9_999 - number]);
        for number in powers.chain(fours).chain([u64::MAX, 0x1A4, 0xFEDC_BA98_7654_3210]) {
            let (mut dec, mut hex) = (Vec::new(), Vec::new());
            decimal(&mut dec, number);
            assert_eq!(dec, number.to_string().into_bytes());
            for least in 1..=16 {
                hex.clear();
                hexadecimal(&mut hex, number, least);
                assert_eq!(hex, format!("{number:0least$X}").into_bytes());
            }
        }
    }
}
