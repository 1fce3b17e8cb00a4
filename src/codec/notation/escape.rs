//! Parts of escapes: digits, braces, letters, and bytes of UTF-8.

use crate::codec::{Escapes, Step};
use crate::issue::Kind;
use crate::text::write;

/// The length of the longest escape of most notations, in bytes.
pub(super) const LONGEST: usize = 64;

/// The most digits between braces: two escapes fit in [`LONGEST`].
pub(super) const MOST: usize = LONGEST / 2 - r"\u{}".len();

/// A letter after a backslash, and the character of the escape.
pub(super) type EscapeLetter = (u8, u8);

/// Returns the step of a malformed escape, of which `len` bytes are as expected.
pub(super) const fn bad(len: usize) -> Step {
    Step::ill(Kind::BadEscape, len)
}

/// Returns the step of an incomplete escape, which is as expected up to `end`.
pub(super) fn open(bytes: &[u8], end: usize, last: bool) -> Step {
    if end == bytes.len() && !last { Step::Short } else { bad(end) }
}

/// Returns the number of at most `most` digits from an offset on, saturated, and the end of the
/// digits.
#[inline]
pub(super) fn digits(bytes: &[u8], from: usize, radix: u32, most: usize) -> (u32, usize) {
    let digits = bytes[from..].iter().take(most).map(|&byte| u32::from(DIGITS[usize::from(byte)]));
    let digits = digits.take_while(|&digit| digit < radix);
    // Cheaper than saturation in every step.
    let (value, beyond, end) = digits.fold((0, 0, from), |(value, beyond, end), digit| {
        let more = u64::from(value) * u64::from(radix) + u64::from(digit);
        (more as u32, beyond | more >> 32, end + 1)
    });
    (if beyond == 0 { value } else { u32::MAX }, end)
}

/// The value of each byte as a digit, or one that is too large.
static DIGITS: [u8; 256] = {
    let mut digits = [u8::MAX; 256];
    let mut byte = 0;
    while byte < digits.len() {
        if let Some(digit) = (byte as u8 as char).to_digit(16) {
            digits[byte] = digit as u8;
        }
        byte += 1;
    }
    digits
};

/// Returns the number of four hexadecimal digits.
#[inline(always)]
pub(super) fn four_digits(bytes: &[u8], from: usize) -> Option<u32> {
    let digits = bytes[from..].first_chunk::<4>()?.map(|byte| DIGITS[usize::from(byte)]);
    let [a, b, c, d] = digits.map(u32::from);
    (a | b | c | d < 16).then_some(a << 12 | b << 8 | c << 4 | d)
}

/// Reads the rest of an escape: `count` hexadecimal digits.
pub(super) fn fixed(bytes: &[u8], from: usize, count: usize, last: bool) -> Step {
    match digits(bytes, from, 16, count) {
        (value, len) if len - from == count => Step::Scalar { value, len },
        (_, end) => open(bytes, end, last),
    }
}

/// Reads the rest of an escape: hexadecimal digits and a brace.
pub(super) fn braced(bytes: &[u8], from: usize, last: bool) -> Step {
    let (value, end) = digits(bytes, from, 16, MOST);
    match bytes.get(end) {
        Some(b'}') if end > from => Step::Scalar { value, len: end + 1 },
        _ => open(bytes, end, last),
    }
}

/// Reads the rest of an escape: as many digits as there are, but fewer than `most`.
#[inline]
pub(super) fn greedy(bytes: &[u8], from: usize, radix: u32, most: usize, last: bool) -> Step {
    match digits(bytes, from, radix, most) {
        (_, end) if end == from => open(bytes, end, last),
        (_, end) if end == from + most => bad(end),
        (_, end) if end == bytes.len() && !last => Step::Short,
        (value, len) => Step::Scalar { value, len },
    }
}

/// Reads a backslash and one to three octal digits of a byte.
pub(super) fn octal(bytes: &[u8], last: bool) -> Step {
    match digits(bytes, 1, 8, 3) {
        (_, end @ ..4) if end == bytes.len() && !last => Step::Short,
        (value, len) => within(Step::Scalar { value, len }, |value| value <= u8::MAX.into()),
    }
}

/// Makes a step ill-formed if its value does not satisfy the predicate.
pub(super) fn within(step: Step, has: impl Fn(u32) -> bool) -> Step {
    match step {
        Step::Scalar { value, len } if !has(value) => bad(len),
        step => step,
    }
}

/// Makes a step ill-formed if its value is not a scalar value.
pub(super) fn scalar(step: Step) -> Step {
    within(step, |value| char::from_u32(value).is_some())
}

/// The character of each letter after a backslash.
pub(super) type LetterTable = [u8; 256];

/// Marks a byte that is no letter of an escape: no character of an escape is this one.
const NO_LETTER: u8 = u8::MAX;

/// Returns the table of these letters.
pub(super) const fn letters(lists: [&[EscapeLetter]; 2]) -> LetterTable {
    let mut table = [NO_LETTER; 256];
    let mut list = 0;
    while list < lists.len() {
        let mut at = 0;
        while at < lists[list].len() {
            let (letter, character) = lists[list][at];
            table[letter as usize] = character;
            at += 1;
        }
        list += 1;
    }
    table
}

/// Reads a backslash and a letter.
#[inline]
pub(super) fn letter(bytes: &[u8], table: &LetterTable, last: bool) -> Step {
    let Some(&next) = bytes.get(1) else { return open(bytes, 1, last) };
    match table[usize::from(next)] {
        NO_LETTER => bad(1),
        character => Step::Scalar { value: character.into(), len: 2 },
    }
}

/// Appends a character as a backslash and a letter. Returns false, and appends nothing, if there is
/// no letter for it or all characters are to have the most general escape.
pub(super) fn put_letter(
    table: &[EscapeLetter],
    value: u32,
    escapes: Escapes,
    out: &mut Vec<u8>,
) -> bool {
    let letter = table.iter().find(|&&(_, character)| u32::from(character) == value);
    match letter.filter(|_| escapes != Escapes::All) {
        Some(&(letter, _)) => out.extend([b'\\', letter]),
        None => return false,
    }
    true
}

/// Appends `start` and at least `least` hexadecimal digits in upper case.
#[inline]
pub(super) fn put_upper(start: &str, value: u32, least: usize, out: &mut Vec<u8>) {
    out.extend_from_slice(start.as_bytes());
    write::hexadecimal(out, value.into(), least);
}

/// Appends `start` and at least `least` hexadecimal digits in lower case.
#[inline]
pub(super) fn put_lower(start: &str, value: u32, least: usize, out: &mut Vec<u8>) {
    out.extend_from_slice(start.as_bytes());
    write::lower_hexadecimal(out, value.into(), least);
}

/// The number of bytes of a [`ShortEscape`].
pub const SHORT: usize = 16;

/// An escape in the first bytes of a block, and their number.
pub type ShortEscape = ([u8; SHORT], usize);

/// Returns the parts of an escape, one after the other.
#[inline(always)]
pub(super) fn short<const N: usize>(parts: [[u8; 2]; N]) -> ShortEscape {
    let mut text = [[0; 2]; SHORT / 2];
    text[..N].copy_from_slice(&parts);
    (text.as_flattened().try_into().expect("eight pairs"), 2 * N)
}

/// Returns a backslash, `u` and four digits, or `U` and eight digits. `digits` returns those of a byte.
#[inline(always)]
pub(super) fn short_u(scalar: char, digits: fn(u8) -> [u8; 2]) -> ShortEscape {
    let [a, b, c, d] = u32::from(scalar).to_be_bytes().map(digits);
    match scalar {
        ..='\u{FFFF}' => short([*b"\\u", c, d]),
        _ => short([*b"\\U", a, b, c, d]),
    }
}

/// Returns `start`, as few upper-case digits as the number of a character has, and `end`.
#[inline(always)]
pub(super) fn short_enclosed(start: [u8; 3], scalar: char, end: u8) -> ShortEscape {
    let value = u32::from(scalar);
    let zeros = (value | 1).leading_zeros() / 4;
    let digits = value.to_be_bytes().map(write::hex);
    let digits = u64::from_le_bytes(digits.as_flattened().try_into().expect("eight digits"));
    let len = start.len() + 8 - zeros as usize;
    let [a, b, c] = start;
    let text = u128::from(u32::from_le_bytes([a, b, c, 0]))
        | u128::from(digits >> (8 * zeros)) << 24
        | u128::from(end) << (8 * len);
    (text.to_le_bytes(), len + 1)
}

/// Reads a scalar value spelt as escapes of the bytes of its UTF-8. If they are ill-formed, only the
/// first escape is the ill-formed sequence: the next can begin another character.
pub(super) fn in_utf8(bytes: &[u8], last: bool, byte: fn(&[u8], bool) -> Step) -> Step {
    let (mut form, mut count, mut len, mut first) = ([0; 4], 0, 0, 0);
    while bytes.get(len) == Some(&bytes[0]) {
        match byte(&bytes[len..], last) {
            Step::Scalar { value, len: more } => {
                form[count] = value as u8;
                count += 1;
                len += more;
                first = if count == 1 { len } else { first };
            }
            Step::Ill { .. } if count > 0 => return bad(first),
            step => return step,
        }
        match str::from_utf8(&form[..count]).map(|text| text.chars().next()) {
            Ok(Some(scalar)) => return Step::Scalar { value: scalar.into(), len },
            Err(error) if error.error_len().is_none() => (),
            _ => return bad(first),
        }
    }
    if len == bytes.len() && !last { Step::Short } else { bad(first) }
}
