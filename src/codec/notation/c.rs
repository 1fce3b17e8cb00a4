//! Escapes of C and C++: ISO/IEC 9899:2018, 5.2.1.1, 6.4.3 and 6.4.4.4.

use super::Grammar;
use super::escape::{
    EscapeLetter, LONGEST, LetterTable, ShortEscape, fixed, greedy, in_utf8, letter, letters,
    octal, open, put_letter, put_upper, scalar, short_u, within,
};
use crate::codec::{Escapes, Step};
use crate::text::write;

/// The inside of a C string literal whose bytes are UTF-8.
#[derive(Debug)]
pub struct CText;

const LETTERS: &[EscapeLetter] = &[
    (b'\\', b'\\'),
    (b'"', b'"'),
    (b'?', b'?'),
    (b'a', 0x07),
    (b'b', 0x08),
    (b't', b'\t'),
    (b'n', b'\n'),
    (b'v', 0x0B),
    (b'f', 0x0C),
    (b'r', b'\r'),
];

/// Letters that are read but not written.
const OTHERS: &[EscapeLetter] = &[(b'\'', b'\'')];

static TABLE: LetterTable = letters([LETTERS, OTHERS]);

/// The number of hexadecimal digits that is too many for a byte: four escapes fit in [`LONGEST`].
const MOST: usize = LONGEST / 4 - r"\x".len();

impl Grammar for CText {
    const INTRODUCER: u8 = b'\\';
    const SHORT_ESCAPE: Option<fn(char) -> Option<ShortEscape>> = Some(short_escape);
    // Four escaped bytes of UTF-8.
    const WIDEST: usize = 4 * (r"\x".len() + MOST - 1);
    const ITEM: &'static str = "an escaped character";

    fn read(bytes: &[u8], last: bool) -> Step {
        match bytes.get(1) {
            Some(b'x' | b'0'..=b'7') => in_utf8(bytes, last, Self::read_byte),
            Some(b'u') => scalar(fixed(bytes, 2, 4, last)),
            Some(b'U') => scalar(fixed(bytes, 2, 8, last)),
            _ => letter(bytes, &TABLE, last),
        }
    }

    fn read_byte(bytes: &[u8], last: bool) -> Step {
        let step = match bytes[1..] {
            [b'x', ..] => greedy(bytes, 2, 16, MOST, last),
            [b'0'..=b'7', ..] => octal(bytes, last),
            _ => open(bytes, 1, last),
        };
        within(step, |value| value <= u8::MAX.into())
    }

    /// Excludes a second question mark, which could start a trigraph.
    fn can_stand(value: u32, before: Option<u32>) -> bool {
        let question = u32::from(b'?');
        let trigraph = value == question && before == Some(question);
        !trigraph && !matches!(value, 0 | 0x0A | 0x0D | 0x22 | 0x5C)
    }

    /// Spells characters below U+00A0, for which C has no `\u`, in bytes of three octal digits,
    /// which no digit after them can join.
    fn spell(value: u32, escapes: Escapes, out: &mut Vec<u8>) {
        match value {
            _ if put_letter(LETTERS, value, escapes, out) => (),
            ..0xA0 => put_bytes(value, out),
            0xA0..=0xFFFF => put_upper("\\u", value, 4, out),
            _ => put_upper("\\U", value, 8, out),
        }
    }
}

/// See [`Grammar::SHORT_ESCAPE`].
#[inline(always)]
fn short_escape(scalar: char) -> Option<ShortEscape> {
    (scalar >= '\u{A0}').then(|| short_u(scalar, write::hex))
}

fn put_bytes(value: u32, out: &mut Vec<u8>) {
    for byte in char::from(value as u8).encode_utf8(&mut [0; 4]).bytes() {
        out.push(b'\\');
        out.extend([6, 3, 0].map(|shift| b'0' + (byte >> shift & 7)));
    }
}
