//! Lists of code points: `U+20AC U+1F600`, separated by white space.

use super::escape::{LONGEST, bad, digits};
use crate::codec::{Codec, Escapes, Group, Properties, Step, bulk};
use crate::kernel::Kernels;
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

/// The number of code points that are written at once.
const BLOCK: usize = 8;

/// Returns `true` for a code point of four digits that does not end a line.
fn is_in_line(value: u32) -> bool {
    (value <= 0xFFFF) & (value != 0x0A)
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
        bulk::store_by_runs::<Self>(pen, values, out, |pen, values, out| {
            let block = values.first_chunk::<BLOCK>().filter(|_| *pen == PointsPen::Point);
            let is_whole = |block: &&[u32; BLOCK]| {
                block.iter().fold(true, |all, &value| all & is_in_line(value))
            };
            let Some(block) = block.filter(is_whole) else { return 0 };
            let points = block.map(|value| {
                let [a, b, c, d] = write::four_digits(value as u16);
                [b' ', b'U', b'+', a, b, c, d]
            });
            out.extend_from_slice(points.as_flattened());
            BLOCK
        })
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
