//! How are numbers and bytes written? These run once a finding, and a file may hold millions.

use crate::issue::Kind;

/// Append a number in decimal.
pub(crate) fn decimal(out: &mut Vec<u8>, mut number: u64) {
    let mut digits = [0; 20];
    let mut at = digits.len();
    loop {
        at -= 1;
        digits[at] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    out.extend_from_slice(&digits[at..]);
}

/// Append a number in upper-case hexadecimal, of at least so many digits.
pub(crate) fn hexadecimal(out: &mut Vec<u8>, number: u64, least: usize) {
    let digits = (u64::BITS - number.leading_zeros()).div_ceil(4) as usize;
    for digit in (0..digits.max(least)).rev() {
        out.push(DIGITS[(number >> (4 * digit)) as usize & 0xF]);
    }
}

const DIGITS: &[u8; 16] = b"0123456789ABCDEF";

/// Append bytes as `E2 82 AC`.
pub(crate) fn bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    for (at, &byte) in bytes.iter().enumerate() {
        if at > 0 {
            out.push(b' ');
        }
        byte2(out, byte);
    }
}

/// Append one byte as two digits.
pub(crate) fn byte2(out: &mut Vec<u8>, byte: u8) {
    out.extend_from_slice(&[DIGITS[(byte >> 4) as usize], DIGITS[(byte & 0xF) as usize]]);
}

/// Append a code point as `U+20AC`.
pub(crate) fn code_point(out: &mut Vec<u8>, value: u32) {
    out.extend_from_slice(b"U+");
    hexadecimal(out, value.into(), 4);
}

/// A number as people read it: `8,214`.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// `1 line`, `2 lines`.
pub(crate) fn counted(number: u64, one: &str) -> String {
    format!("{} {one}{}", grouped(number), if number == 1 { "" } else { "s" })
}

/// The kinds that were found, with their numbers, in the order of the kinds.
pub(crate) fn found(by_kind: &[u64; Kind::COUNT]) -> impl Iterator<Item = (Kind, u64)> + '_ {
    crate::issue::KINDS
        .iter()
        .map(|row| (row.kind, by_kind[row.kind as usize]))
        .filter(|row| row.1 > 0)
}
