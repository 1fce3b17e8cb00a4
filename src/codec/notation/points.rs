//! Lists of code points: `U+20AC U+1F600`, separated by white space.

use super::escape::{LONGEST, bad, digits};
use crate::codec::{Codec, Escapes, Group, Properties, Step, bulk};
use crate::kernel::{Kernels, SpareRoom, append_blocks};
use crate::text::write;

/// A list of code points, of up to 31 bits each.
#[derive(Debug)]
pub struct CodePoints;

/// The text before the next code point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointsPen {
    /// Nothing: a line starts.
    Line,
    /// Another code point.
    Point,
}

/// Returns `true` for a separator.
fn is_separator(byte: &u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// Returns the number of bytes before the first separator: at most [`LONGEST`].
fn token_len(bytes: &[u8]) -> usize {
    bytes.iter().take(LONGEST).take_while(|&byte| !is_separator(byte)).count()
}

/// Parses a code point.
fn point(token: &[u8]) -> Option<u32> {
    let (number, radix) = match token {
        [b'U' | b'u', b'+', number @ ..] | [b'0', b'x' | b'X', number @ ..] => (number, 16),
        [b'\\', b'u', b'{', number @ .., b'}'] => (number, 16),
        [b'#', number @ ..] => (number, 10),
        _ => return None,
    };
    let (value, end) = digits(number, 0, radix, LONGEST);
    (!number.is_empty() && end == number.len() && is_in_range(value)).then_some(value)
}

/// The number of code points that are tested at once.
const BLOCK: usize = 8;

/// The text of a code point, as a little-endian number.
type ShortText = u64;

/// The length of a code point of four digits with the separator before it, in bytes.
const FOUR: usize = " U+1234".len();

/// The length of a code point of five digits with the separator before it, in bytes.
const FIVE: usize = " U+12345".len();

/// Appends the code points at the front that have four or five digits. Returns their number.
fn store_short(pen: &mut PointsPen, values: &[u32], out: &mut Vec<u8>) -> usize {
    append_blocks::<FIVE, _>(out, FIVE * values.len(), |room| {
        let mut stored = 0;
        loop {
            while *pen == PointsPen::Point
                && let Some(block) = values[stored..].first_chunk::<BLOCK>()
            {
                if every(block, is_four) {
                    let push = |&value| room.push(text_of_four(value).to_le_bytes(), FOUR);
                    block.iter().for_each(push);
                } else if every(block, is_five) {
                    let push = |&value| room.push(text_of_five(value).to_le_bytes(), FIVE);
                    block.iter().for_each(push);
                } else {
                    break;
                }
                stored += BLOCK;
            }
            for _ in 0..BLOCK {
                match values.get(stored) {
                    Some(&value @ ..=0xF_FFFF) => push_short(room, pen, value),
                    _ => return stored,
                }
                stored += 1;
            }
        }
    })
}

/// Appends a code point of four or five digits, with the separator before it or the end of its line.
#[inline(always)]
fn push_short(room: &mut SpareRoom<'_>, pen: &mut PointsPen, value: u32) {
    let is_last = value == u32::from(b'\n');
    let (text, len) = match value {
        ..=0xFFFF => (text_of_four(value), FOUR + usize::from(is_last)),
        _ => (text_of_five(value), FIVE),
    };
    // The first code point of a line has no separator: a shift removes it.
    let absent = usize::from(*pen == PointsPen::Line);
    room.push((text >> (8 * absent)).to_le_bytes(), len - absent);
    *pen = if is_last { PointsPen::Line } else { PointsPen::Point };
}

/// Returns the text of a code point of four digits in a line, and a line feed: ` U+20AC\n`.
#[inline(always)]
fn text_of_four(value: u32) -> ShortText {
    let others = ShortText::from_le_bytes(*b" U+\0\0\0\0\n");
    others | two_digits(value >> 8) << 24 | two_digits(value) << 40
}

/// Returns the text of a code point of five digits in a line: ` U+1F600`.
#[inline(always)]
fn text_of_five(value: u32) -> ShortText {
    let others = ShortText::from_le_bytes(*b" U+\0\0\0\0\0");
    others
        | two_digits(value >> 12) << 24
        | two_digits(value >> 4) << 40
        | two_digits(value) >> 8 << 56
}

/// Returns the two digits of the low byte of a number.
#[inline(always)]
fn two_digits(number: u32) -> ShortText {
    u16::from_le_bytes(write::hex(number as u8)).into()
}

/// Returns `true` for a code point of four digits that does not end a line.
fn is_four(value: u32) -> bool {
    (value <= 0xFFFF) & (value != 0x0A)
}

/// Returns `true` for a code point of five digits.
fn is_five(value: u32) -> bool {
    (0x1_0000..=0xF_FFFF).contains(&value)
}

/// Returns `true` if each code point satisfies the predicate. All are tested, without a branch for each.
fn every(block: &[u32; BLOCK], test: impl Fn(u32) -> bool) -> bool {
    block.iter().fold(true, |all, &value| all & test(value))
}

const fn is_in_range(value: u32) -> bool {
    value <= i32::MAX as u32
}

impl Codec for CodePoints {
    type State = ();
    type Pen = PointsPen;
    // The end of one can look like another: U+0041#5.
    const REACH: Option<u64> = None;
    const SIGNATURE: &'static [u8] = &[];

    const LONGEST: usize = LONGEST;
    // Leading zeros are read.
    const WIDEST: usize = LONGEST - 1;
    const ITEM: &'static str = "a code point";
    const GROUP: Group = Group::Notation;
    const PROPERTIES: Properties =
        Properties { transparent: false, stateful: false, scalars: true, surrogates: true };

    // There must be a separator between any two code points.
    const REENCODES_ALL: bool = true;

    fn start(_: usize, _: u64) {}

    fn step((): &mut (), bytes: &[u8], last: bool) -> Step {
        // Each on its own: their number may not be known yet.
        if bytes.first().is_some_and(is_separator) {
            return Step::Skip { len: 1 };
        }
        // A token of LONGEST bytes can continue, but is no code point.
        let len = token_len(bytes);
        if len < LONGEST && len == bytes.len() && !(last && len > 0) {
            return Step::Short;
        }
        match point(&bytes[..len]).filter(|_| len < LONGEST) {
            Some(value) => Step::Scalar { value, len },
            None => bad(len),
        }
    }

    fn pen(_: usize, _: Escapes) -> PointsPen {
        PointsPen::Line
    }

    fn put(pen: &mut PointsPen, value: u32, out: &mut Vec<u8>) -> bool {
        if !is_in_range(value) {
            return false;
        }
        if *pen == PointsPen::Point {
            out.push(b' ');
        }
        write::code_point(out, value);
        *pen = PointsPen::Point;
        if value == u32::from(b'\n') {
            Self::finish(pen, out);
        }
        true
    }

    fn store(pen: &mut PointsPen, _: &Kernels, values: &[u32], out: &mut Vec<u8>) -> usize {
        bulk::store_by_runs::<Self>(pen, values, out, store_short)
    }

    /// Ends the line, if it is not empty.
    fn finish(pen: &mut PointsPen, out: &mut Vec<u8>) {
        if std::mem::replace(pen, PointsPen::Line) == PointsPen::Point {
            out.push(b'\n');
        }
    }

    fn announced(_: usize, _: &[u8]) -> usize {
        1
    }
}
