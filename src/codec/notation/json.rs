//! Escapes of JSON and JavaScript: RFC 8259, section 7; ECMA-262, section 12.9.4.

use super::Grammar;
use super::escape::{
    EscapeLetter, LetterTable, MOST, ShortEscape, bad, braced, fixed, four_digits, letter, letters,
    open, put_letter, put_lower, short, short_u, within,
};
use crate::codec::surrogate::{BEYOND_LOW, HIGH, LOW, join, split};
use crate::codec::{Escapes, Step};
use crate::text::write;

/// The inside of a JSON string. Escapes that only JavaScript has are read.
#[derive(Debug)]
pub struct JsonText;

const LETTERS: &[EscapeLetter] = &[
    (b'\\', b'\\'),
    (b'"', b'"'),
    (b'b', 0x08),
    (b't', b'\t'),
    (b'n', b'\n'),
    (b'f', 0x0C),
    (b'r', b'\r'),
];

/// Letters that are read but not written.
const OTHERS: &[EscapeLetter] = &[(b'/', b'/'), (b'\'', b'\''), (b'v', 0x0B)];

static TABLE: LetterTable = letters([LETTERS, OTHERS]);

/// Reads one escape, which can be half of a surrogate pair.
fn one(bytes: &[u8], last: bool) -> Step {
    match bytes[1..] {
        [b'u', b'{', ..] => within(braced(bytes, 3, last), |value| value <= char::MAX.into()),
        [b'u', ..] => fixed(bytes, 2, 4, last),
        [b'x', ..] => fixed(bytes, 2, 2, last),
        [b'0', ..] => nul(bytes, last),
        _ => letter(bytes, &TABLE, last),
    }
}

/// Reads `\0`, unless a digit follows: that is a legacy octal escape.
fn nul(bytes: &[u8], last: bool) -> Step {
    match bytes.get(2) {
        None if !last => Step::Short,
        Some(b'0'..=b'9') => bad(2),
        _ => Step::Scalar { value: 0, len: 2 },
    }
}

/// Reads the low surrogate after the escape of a high one, if there is one.
fn high(value: u32, len: usize, bytes: &[u8], last: bool) -> Step {
    let next = match &bytes[len..] {
        [] => open(&[], 0, last),
        [b'\\', ..] => one(&bytes[len..], last),
        _ => bad(0),
    };
    match next {
        Step::Short => Step::Short,
        Step::Scalar { value: low @ LOW..BEYOND_LOW, len: more } => {
            Step::Scalar { value: join(value, low), len: len + more }
        }
        _ => Step::Scalar { value, len },
    }
}

impl Grammar for JsonText {
    const INTRODUCER: u8 = b'\\';
    const SHORT_ESCAPE: Option<fn(char) -> Option<ShortEscape>> = Some(short_escape);
    // A surrogate pair in braces.
    const WIDEST: usize = 2 * (MOST + r"\u{}".len());
    const SURROGATES: bool = true;

    #[inline(always)]
    fn read(bytes: &[u8], last: bool) -> Step {
        // Most escapes.
        if bytes.get(1) == Some(&b'u')
            && let Some(value) = four_digits(bytes, 2)
            && char::from_u32(value).is_some()
        {
            return Step::Scalar { value, len: r"\uXXXX".len() };
        }
        match one(bytes, last) {
            Step::Scalar { value: value @ HIGH..LOW, len } => high(value, len, bytes, last),
            step => step,
        }
    }

    /// Excludes a low surrogate after a high one, which would be read as one character.
    fn can_write(value: u32, before: Option<u32>) -> bool {
        let joins = matches!((before, value), (Some(HIGH..LOW), LOW..BEYOND_LOW));
        value <= char::MAX.into() && !joins
    }

    fn can_stand(value: u32, _: Option<u32>) -> bool {
        !matches!(value, 0..=0x1F | 0x22 | 0x5C)
    }

    fn spell(value: u32, escapes: Escapes, out: &mut Vec<u8>) {
        match value {
            _ if put_letter(LETTERS, value, escapes, out) => (),
            0..=0xFFFF => put_lower("\\u", value, 4, out),
            _ => split(value).into_iter().for_each(|half| put_lower("\\u", half, 4, out)),
        }
    }
}

/// See [`Grammar::SHORT_ESCAPE`].
#[inline(always)]
fn short_escape(scalar: char) -> Option<ShortEscape> {
    Some(match u16::try_from(scalar) {
        Ok(_) => short_u(scalar, write::lower_hex),
        Err(_) => {
            let [high, low] =
                split(scalar.into()).map(|half| (half as u16).to_be_bytes().map(write::lower_hex));
            short([*b"\\u", high[0], high[1], *b"\\u", low[0], low[1]])
        }
    })
}
