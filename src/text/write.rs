//! Fast writers of numbers and bytes: a report may contain millions of findings.

/// Appends the first `len` bytes of an array. A copy of fixed size takes less time than a call of
/// `memcpy` for a few bytes.
#[inline(always)]
pub(crate) fn front<const N: usize>(out: &mut Vec<u8>, bytes: &[u8; N], len: usize) {
    let end = out.len() + len;
    out.extend_from_slice(bytes);
    out.truncate(end);
}

/// Appends the bytes of an array from `at` on, of which the upper half is unused.
#[inline(always)]
fn back<const N: usize>(out: &mut Vec<u8>, bytes: &[[u8; N]; 2], at: usize) {
    if let Some(front) = bytes.as_flattened()[at..].first_chunk() {
        self::front::<N>(out, front, N - at);
    }
}

/// Appends a number in decimal.
pub(crate) fn decimal(out: &mut Vec<u8>, mut number: u64) {
    if number < 10 {
        return out.push(b'0' + number as u8);
    }
    let mut digits = [[0; 20]; 2];
    let room = &mut digits[0];
    let mut at = room.len();
    while number >= 100 {
        at -= 2;
        room[at..at + 2].copy_from_slice(&PAIRS[(number % 100) as usize]);
        number /= 100;
    }
    at -= 2;
    room[at..at + 2].copy_from_slice(&PAIRS[number as usize]);
    at += usize::from(number < 10);
    back(out, &digits, at);
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

/// The numbers below 100 as two digits, to halve the number of divisions.
const PAIRS: [[u8; 2]; 100] = {
    let mut pairs = [[0; 2]; 100];
    let mut number = 0;
    while number < 100 {
        pairs[number] = [b'0' + (number / 10) as u8, b'0' + (number % 10) as u8];
        number += 1;
    }
    pairs
};

/// Appends a number in upper-case hexadecimal with at least `least` digits, 16 at most.
#[inline]
pub(crate) fn hexadecimal(out: &mut Vec<u8>, mut number: u64, least: usize) {
    if least == 4
        && let Ok(number) = u16::try_from(number)
    {
        return out.extend_from_slice(&four_digits(number));
    }
    let mut digits = [[b'0'; 16]; 2];
    let mut at = 16;
    while number > 0 {
        at -= 1;
        digits[0][at] = DIGITS[(number & 0xF) as usize];
        number >>= 4;
    }
    back(out, &digits, at.min(16 - least));
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
pub(crate) fn bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    for (at, few) in bytes.chunks(4).enumerate() {
        if at > 0 {
            out.push(b' ');
        }
        let mut spelt = [[b' '; 3]; 4];
        for (cell, &byte) in spelt.iter_mut().zip(few) {
            [cell[0], cell[1]] = hex(byte);
        }
        front::<12>(out, spelt.as_flattened().first_chunk().expect("12 bytes"), 3 * few.len() - 1);
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
pub(crate) fn code_point(out: &mut Vec<u8>, value: u32) {
    out.extend_from_slice(b"U+");
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
        for number in powers.chain([u64::MAX, 0x1A4]) {
            let (mut dec, mut hex) = (Vec::new(), Vec::new());
            decimal(&mut dec, number);
            hexadecimal(&mut hex, number, 4);
            assert_eq!(dec, number.to_string().into_bytes());
            assert_eq!(hex, format!("{number:04X}").into_bytes());
        }
    }
}
