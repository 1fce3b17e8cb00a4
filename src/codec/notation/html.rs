//! Character references of HTML: the HTML Standard, sections 13.2.5.72 to 13.2.5.80 and 13.5.
//!
//! Text is read as between tags: a reference can lack its semicolon where browsers accept that.

use super::escape::{LONGEST, MOST, ShortEscape, bad, digits, greedy, put_upper, short_enclosed};
use super::{Grammar, is_printable_ascii};
use crate::codec::pages::{code_point, page};
use crate::codec::{Escapes, Step};

/// Text of HTML with character references.
#[derive(Debug)]
pub struct HtmlText;

/// The named references, a line each, in the order of bytes: the name without the ampersand, and
/// its one or two code points.
static REFERENCES: &[u8] = include_bytes!("references.txt");

/// The offset of each line.
static LINES: [u16; 2231] = {
    let mut starts = [0; 2231];
    let (mut line, mut at) = (0, 0);
    while line < starts.len() {
        starts[line] = at as u16;
        while REFERENCES[at] != b'\n' {
            at += 1;
        }
        at += 1;
        line += 1;
    }
    starts
};

/// The characters that are written as named references.
const WRITTEN: [(u8, &[u8]); 4] =
    [(b'"', b"&quot;"), (b'&', b"&amp;"), (b'<', b"&lt;"), (b'>', b"&gt;")];

/// The step of an ampersand that starts no reference.
const AMPERSAND: Step = Step::Scalar { value: b'&' as u32, len: 1 };

/// Returns the length of the longest name at the front of a text, and the rest of its line.
fn longest(text: &[u8]) -> Option<(usize, &'static [u8])> {
    let (mut lines, mut found) = (&LINES[..], None);
    for (at, &wanted) in text.iter().enumerate() {
        // A name ends with a space, which sorts before any continuation of the name.
        let byte = |line: &u16| REFERENCES[usize::from(*line) + at];
        lines = &lines[lines.partition_point(|line| byte(line) < wanted)..];
        lines = &lines[..lines.partition_point(|line| byte(line) == wanted)];
        let Some(&first) = lines.first() else { break };
        let rest = &REFERENCES[usize::from(first) + at + 1..];
        found = if rest[0] == b' ' { Some((at + 1, rest)) } else { found };
    }
    found
}

/// Returns the step of a named reference: its line has one or two hexadecimal numbers.
fn reference(len: usize, rest: &[u8]) -> Step {
    let (first, end) = digits(rest, 1, 16, LONGEST);
    match rest[end] {
        b' ' => Step::Two { values: [first, digits(rest, end + 1, 16, LONGEST).0], len },
        _ => Step::Scalar { value: first, len },
    }
}

/// Reads an ampersand before a letter or digit.
fn named(bytes: &[u8], last: bool) -> Step {
    if let Some(&(byte, name)) = WRITTEN.iter().find(|(_, name)| bytes.starts_with(name)) {
        return Step::Scalar { value: byte.into(), len: name.len() };
    }
    let room = bytes[1..].iter().take(LONGEST - "&;".len());
    let end = 1 + room.take_while(|byte| byte.is_ascii_alphanumeric()).count();
    if end == bytes.len() && !last {
        return Step::Short;
    }
    let closed = bytes.get(end) == Some(&b';');
    match longest(&bytes[1..end + usize::from(closed)]) {
        Some((len, rest)) => reference("&".len() + len, rest),
        None if closed => bad(end + 1),
        None => AMPERSAND,
    }
}

/// Returns the character of a number. 80..9F are bytes of windows-1252.
fn numbered(number: u32) -> Option<u32> {
    match number {
        0 => None,
        0x80..=0x9F => code_point(const { page("windows-1252") }, number as u8),
        _ => char::from_u32(number).map(u32::from),
    }
}

/// Reads an ampersand before a number sign.
#[inline]
fn numeric(bytes: &[u8], last: bool) -> Step {
    let step = match bytes[2..] {
        [b'x' | b'X', ..] => greedy(bytes, 3, 16, MOST, last),
        _ => greedy(bytes, 2, 10, MOST, last),
    };
    let Step::Scalar { value, len } = step else { return step };
    let len = len + usize::from(bytes.get(len) == Some(&b';'));
    numbered(value).map_or(bad(len), |value| Step::Scalar { value, len })
}

impl Grammar for HtmlText {
    const INTRODUCER: u8 = b'&';
    const SHORT_ESCAPE: Option<fn(char) -> Option<ShortEscape>> = Some(short_escape);
    const WIDEST: usize = "&CounterClockwiseContourIntegral;".len();
    const ITEM: &'static str = "a character reference";
    const SCALARS: bool = false;

    #[inline]
    fn read(bytes: &[u8], last: bool) -> Step {
        match bytes.get(1) {
            None if !last => Step::Short,
            Some(b'#') => numeric(bytes, last),
            Some(byte) if byte.is_ascii_alphanumeric() => named(bytes, last),
            _ => AMPERSAND,
        }
    }

    fn can_write(value: u32, _: Option<u32>) -> bool {
        value != 0 && char::from_u32(value).is_some()
    }

    fn can_stand(value: u32, _: Option<u32>) -> bool {
        !matches!(value, 0x0D | 0x22 | 0x26 | 0x3C | 0x3E)
    }

    /// Includes U+0080..009F, which no number spells, and line feeds.
    fn is_unescaped(value: u32, before: Option<u32>, escapes: Escapes) -> bool {
        matches!(value, 0x80..=0x9F)
            || Self::can_stand(value, before)
                && match escapes {
                    Escapes::Usual => is_printable_ascii(value) || value == 0x0A,
                    Escapes::All => false,
                    Escapes::Minimal => true,
                }
    }

    fn spell(value: u32, escapes: Escapes, out: &mut Vec<u8>) {
        let name = WRITTEN.iter().find(|&&(byte, _)| value == u32::from(byte));
        match name.filter(|_| escapes != Escapes::All) {
            Some((_, name)) => out.extend_from_slice(name),
            None => {
                put_upper("&#x", value, 1, out);
                out.push(b';');
            }
        }
    }
}

/// See [`Grammar::SHORT_ESCAPE`].
#[inline(always)]
fn short_escape(scalar: char) -> Option<ShortEscape> {
    (scalar >= '\u{A0}').then(|| short_enclosed(*b"&#x", scalar, b';'))
}
