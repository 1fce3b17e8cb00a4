//! Escapes of Rust: The Rust Reference, "Literal expressions", quote, ASCII and Unicode escapes.

use super::Grammar;
use super::escape::{
    EscapeLetter, LetterTable, MOST, ShortEscape, bad, fixed, letter, letters, open, put_letter,
    put_upper, scalar, short_enclosed, within,
};
use crate::codec::{Escapes, Step};

/// The inside of a Rust string literal.
#[derive(Debug)]
pub struct RustText;

const LETTERS: &[EscapeLetter] =
    &[(b'\\', b'\\'), (b'"', b'"'), (b'n', b'\n'), (b'r', b'\r'), (b't', b'\t'), (b'0', 0)];

/// Letters that are read but not written.
const OTHERS: &[EscapeLetter] = &[(b'\'', b'\'')];

static TABLE: LetterTable = letters([LETTERS, OTHERS]);

/// Reads `\u{1F600}`: one to six digits, with underscores anywhere after the first.
fn braced(bytes: &[u8], last: bool) -> Step {
    let Some(b'{') = bytes.get(2) else { return open(bytes, 2, last) };
    let inside = |byte: &&u8| byte.is_ascii_hexdigit() || **byte == b'_';
    let end = 3 + bytes[3..].iter().take(MOST).take_while(inside).count();
    let digits = || bytes[3..end].iter().filter_map(|&byte| char::from(byte).to_digit(16));
    match bytes.get(end) {
        Some(b'}') if bytes[3] != b'_' && (1..=6).contains(&digits().count()) => {
            let value = digits().fold(0, |value, digit| value << 4 | digit);
            scalar(Step::Scalar { value, len: end + 1 })
        }
        Some(b'}') => bad(end + 1),
        _ => open(bytes, end, last),
    }
}

impl Grammar for RustText {
    const INTRODUCER: u8 = b'\\';
    const SHORT_ESCAPE: Option<fn(char) -> Option<ShortEscape>> = Some(short_escape);
    const WIDEST: usize = MOST + r"\u{}".len();

    fn read(bytes: &[u8], last: bool) -> Step {
        match bytes.get(1) {
            Some(b'x') => within(fixed(bytes, 2, 2, last), |value| value <= 0x7F),
            Some(b'u') => braced(bytes, last),
            _ => letter(bytes, &TABLE, last),
        }
    }

    /// Excludes unescaped bidirectional controls, which the compiler rejects.
    fn can_stand(value: u32, _: Option<u32>) -> bool {
        let denied = matches!(value, 0x202A..=0x202E | 0x2066..=0x2069);
        !denied && !matches!(value, 0 | 0x0A | 0x0D | 0x22 | 0x5C)
    }

    fn spell(value: u32, escapes: Escapes, out: &mut Vec<u8>) {
        if !put_letter(LETTERS, value, escapes, out) {
            put_upper("\\u{", value, 1, out);
            out.push(b'}');
        }
    }
}

/// See [`Grammar::SHORT_ESCAPE`].
#[inline(always)]
fn short_escape(scalar: char) -> Option<ShortEscape> {
    Some(short_enclosed(*b"\\u{", scalar, b'}'))
}
