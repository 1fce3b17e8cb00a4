//! Escapes of Python: The Python Language Reference, section 2.4.1.1.

use super::Grammar;
use super::escape::{
    EscapeLetter, LetterTable, ShortEscape, bad, fixed, letter, letters, octal, open, put_letter,
    put_lower, short, short_u, within,
};
use crate::codec::{Escapes, Step};
use crate::text::write;

/// The inside of a Python string literal.
#[derive(Debug)]
pub struct PythonText;

const LETTERS: &[EscapeLetter] =
    &[(b'\\', b'\\'), (b'"', b'"'), (b't', b'\t'), (b'n', b'\n'), (b'r', b'\r')];

/// Letters that are read but not written.
const OTHERS: &[EscapeLetter] =
    &[(b'\'', b'\''), (b'a', 0x07), (b'b', 0x08), (b'f', 0x0C), (b'v', 0x0B)];

static TABLE: LetterTable = letters([LETTERS, OTHERS]);

/// A number of bytes that is longer than any name.
const MOST: usize = 96;

/// Reads `\N{EURO SIGN}`: a name or an alias of the Unicode Character Database. It is matched
/// loosely (UAX #44, LM2); Python compares spaces and hyphens exactly.
fn named(bytes: &[u8], last: bool) -> Step {
    let Some(b'{') = bytes.get(2) else { return open(bytes, 2, last) };
    let in_name = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(**byte, b' ' | b'-');
    let end = 3 + bytes[3..].iter().take(MOST).take_while(in_name).count();
    match bytes.get(end) {
        Some(b'}') => match str::from_utf8(&bytes[3..end]).ok().and_then(scalar_named) {
            Some(scalar) => Step::Scalar { value: scalar.into(), len: end + 1 },
            None => bad(end + 1),
        },
        _ => open(bytes, end, last),
    }
}

/// Returns the scalar value with a name.
fn scalar_named(name: &str) -> Option<char> {
    // No name begins with a hyphen. The library looks at the byte before one, which overflows.
    if name.starts_with('-') { None } else { unicode_names2::character(name) }
}

impl Grammar for PythonText {
    const INTRODUCER: u8 = b'\\';
    const SHORT_ESCAPE: Option<fn(char) -> Option<ShortEscape>> = Some(short_escape);
    const LONGEST: usize = MOST + r"\N{}".len();
    const WIDEST: usize = Self::LONGEST;
    const SURROGATES: bool = true;

    fn read(bytes: &[u8], last: bool) -> Step {
        let holds = |value| value <= char::MAX.into();
        match bytes.get(1) {
            Some(b'x') => fixed(bytes, 2, 2, last),
            Some(b'u') => fixed(bytes, 2, 4, last),
            Some(b'U') => within(fixed(bytes, 2, 8, last), holds),
            Some(b'N') => named(bytes, last),
            Some(b'0'..=b'7') => octal(bytes, last),
            _ => letter(bytes, &TABLE, last),
        }
    }

    /// Includes surrogates, which are never joined.
    fn can_write(value: u32, _: Option<u32>) -> bool {
        value <= char::MAX.into()
    }

    fn can_stand(value: u32, _: Option<u32>) -> bool {
        !matches!(value, 0 | 0x0A | 0x0D | 0x22 | 0x5C)
    }

    fn spell(value: u32, escapes: Escapes, out: &mut Vec<u8>) {
        match value {
            _ if put_letter(LETTERS, value, escapes, out) => (),
            0..=0xFF => put_lower("\\x", value, 2, out),
            0x100..=0xFFFF => put_lower("\\u", value, 4, out),
            _ => put_lower("\\U", value, 8, out),
        }
    }
}

/// See [`Grammar::SHORT_ESCAPE`].
#[inline(always)]
fn short_escape(scalar: char) -> Option<ShortEscape> {
    Some(match scalar {
        ..='\u{FF}' => short([*b"\\x", write::lower_hex(u32::from(scalar) as u8)]),
        _ => short_u(scalar, write::lower_hex),
    })
}
