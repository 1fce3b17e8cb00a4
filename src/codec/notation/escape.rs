//! What are escapes made of? Digits of one base, braces around them, letters, and bytes of UTF-8.

use crate::codec::{Escapes, Step};
use crate::issue::Kind;
use crate::text::write;

/// The longest escape of most notations, in bytes.
pub(super) const LONGEST: usize = 64;

/// The most digits between braces: two such escapes are not longer than the longest.
pub(super) const MOST: usize = LONGEST / 2 - r"\u{}".len();

/// A letter behind a backslash, and the character that both stand for.
pub(super) type EscapeLetter = (u8, u8);

/// A malformed escape: so many bytes of it are as they should be.
pub(super) const fn bad(len: usize) -> Step {
    Step::Ill { kind: Kind::BadEscape, len, replacements: 1 }
}

/// An escape that is well formed as far as this, and goes on.
pub(super) fn open(bytes: &[u8], end: usize, last: bool) -> Step {
    if end == bytes.len() && !last { Step::Short } else { bad(end) }
}

/// The number that is spelt by the digits from here on, of which at most so many are read, and
/// where they end. A number that is too large for its type is the largest.
pub(super) fn digits(bytes: &[u8], from: usize, radix: u32, most: usize) -> (u32, usize) {
    let digits =
        bytes[from..].iter().take(most).map_while(|&byte| char::from(byte).to_digit(radix));
    digits.fold((0, from), |(value, end), digit| {
        (value.saturating_mul(radix).saturating_add(digit), end + 1)
    })
}

/// An escape that ends with so many hexadecimal digits.
pub(super) fn fixed(bytes: &[u8], from: usize, count: usize, last: bool) -> Step {
    match digits(bytes, from, 16, count) {
        (value, len) if len - from == count => Step::Scalar { value, len },
        (_, end) => open(bytes, end, last),
    }
}

/// An escape that ends with some hexadecimal digits and a brace.
pub(super) fn braced(bytes: &[u8], from: usize, last: bool) -> Step {
    let (value, end) = digits(bytes, from, 16, MOST);
    match bytes.get(end) {
        Some(b'}') if end > from => Step::Scalar { value, len: end + 1 },
        _ => open(bytes, end, last),
    }
}

/// An escape that ends with all the digits that there are. So many are too many.
pub(super) fn greedy(bytes: &[u8], from: usize, radix: u32, most: usize, last: bool) -> Step {
    match digits(bytes, from, radix, most) {
        (_, end) if end == from => open(bytes, end, last),
        (_, end) if end == from + most => bad(end),
        (_, end) if end == bytes.len() && !last => Step::Short,
        (value, len) => Step::Scalar { value, len },
    }
}

/// A backslash and one to three octal digits of one byte.
pub(super) fn octal(bytes: &[u8], last: bool) -> Step {
    match digits(bytes, 1, 8, 3) {
        (_, end @ ..4) if end == bytes.len() && !last => Step::Short,
        (value, len) => within(Step::Scalar { value, len }, |value| value <= u8::MAX.into()),
    }
}

/// The same step, if its value is one that the notation has.
pub(super) fn within(step: Step, has: impl Fn(u32) -> bool) -> Step {
    match step {
        Step::Scalar { value, len } if !has(value) => bad(len),
        step => step,
    }
}

/// The same step, if its value is a scalar value.
pub(super) fn scalar(step: Step) -> Step {
    within(step, |value| char::from_u32(value).is_some())
}

/// A backslash and one of these letters.
pub(super) fn letter(bytes: &[u8], tables: [&[EscapeLetter]; 2], last: bool) -> Step {
    let Some(next) = bytes.get(1) else { return open(bytes, 1, last) };
    match tables.into_iter().flatten().find(|(letter, _)| letter == next) {
        Some(&(_, character)) => Step::Scalar { value: character.into(), len: 2 },
        None => bad(1),
    }
}

/// Write a character as a backslash and one of these letters, unless all shall have the most
/// general escape. Says whether there is such a letter.
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

/// Write something and at least so many hexadecimal digits, in upper case.
pub(super) fn put_upper(start: &str, value: u32, least: usize, out: &mut Vec<u8>) {
    out.extend_from_slice(start.as_bytes());
    write::hexadecimal(out, value.into(), least);
}

/// Write something and at least so many hexadecimal digits, in lower case.
pub(super) fn put_lower(start: &str, value: u32, least: usize, out: &mut Vec<u8>) {
    out.extend_from_slice(start.as_bytes());
    let from = out.len();
    write::hexadecimal(out, value.into(), least);
    out[from..].make_ascii_lowercase();
}

/// The scalar value that is spelt in UTF-8 by the escapes at the front, each of a byte. Where they
/// spell none, the first alone is at fault: the next may be the beginning of another.
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
