//! Fast writers of numbers and bytes: a report may contain millions of findings.

/// Appends a number in decimal.
pub(crate) fn decimal(out: &mut Vec<u8>, mut number: u64) {
    let mut digits = [0; 20];
    let mut at = digits.len();
    while number >= 100 {
        at -= 2;
        digits[at..at + 2].copy_from_slice(&PAIRS[(number % 100) as usize]);
        number /= 100;
    }
    at -= 2;
    digits[at..at + 2].copy_from_slice(&PAIRS[number as usize]);
    at += usize::from(number < 10);
    text(out, &digits[at..]);
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

/// Appends a number in upper-case hexadecimal with at least `least` digits.
pub(crate) fn hexadecimal(out: &mut Vec<u8>, number: u64, least: usize) {
    let digits = (u64::BITS - number.leading_zeros()).div_ceil(4) as usize;
    for digit in (0..digits.max(least)).rev() {
        out.push(DIGITS[(number >> (4 * digit)) as usize & 0xF]);
    }
}

const DIGITS: &[u8; 16] = b"0123456789ABCDEF";

/// Appends bytes as `E2 82 AC`.
pub(crate) fn bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    for (at, &byte) in bytes.iter().enumerate() {
        if at > 0 {
            out.push(b' ');
        }
        byte2(out, byte);
    }
}

/// Appends a byte as two hexadecimal digits.
pub(crate) fn byte2(out: &mut Vec<u8>, byte: u8) {
    out.extend_from_slice(&[DIGITS[(byte >> 4) as usize], DIGITS[(byte & 0xF) as usize]]);
}

/// Appends a code point as `U+20AC`.
pub(crate) fn code_point(out: &mut Vec<u8>, value: u32) {
    out.extend_from_slice(b"U+");
    hexadecimal(out, value.into(), 4);
}

#[cfg(test)]
mod tests {
    use super::*;

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
