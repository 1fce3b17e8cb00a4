//! How are code points listed? `U+20AC U+1F600`, with blanks or line breaks between.

use super::escape::{LONGEST, bad, digits};
use crate::codec::{Codec, Escapes, Group, Properties, Step};
use crate::text::write;

/// A list of code points, of up to 31 bits each.
#[derive(Debug)]
pub struct CodePoints;

/// What stands in front of the next code point that is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointsPen {
    /// Nothing: a line starts.
    Line,
    /// Another code point.
    Point,
}

/// What stands between code points.
fn blank(byte: &u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// How many bytes at the front, of those that are looked at, are blank or are not?
fn count(bytes: &[u8], blanks: bool) -> usize {
    bytes.iter().take(LONGEST).take_while(|&byte| blank(byte) == blanks).count()
}

/// The code point that is spelt.
fn point(token: &[u8]) -> Option<u32> {
    let (number, radix) = match token {
        [b'U' | b'u', b'+', number @ ..] | [b'0', b'x' | b'X', number @ ..] => (number, 16),
        [b'\\', b'u', b'{', number @ .., b'}'] => (number, 16),
        [b'#', number @ ..] => (number, 10),
        _ => return None,
    };
    let (value, end) = digits(number, 0, radix, LONGEST);
    (!number.is_empty() && end == number.len() && holds(value)).then_some(value)
}

const fn holds(value: u32) -> bool {
    value <= i32::MAX as u32
}

impl Codec for CodePoints {
    type State = ();
    type Pen = PointsPen;
    // The end of one may look like another: U+0041#5.
    const REACH: Option<u64> = None;
    const SIGNATURE: &'static [u8] = &[];

    const LONGEST: usize = LONGEST;
    // Of blanks, so many are passed at once.
    const WIDEST: usize = LONGEST;
    const ITEM: &'static str = "a code point";
    const GROUP: Group = Group::Notation;
    const PROPERTIES: Properties =
        Properties { transparent: false, stateful: false, scalars: true, surrogates: true };

    // Something must stand between any two.
    const REENCODES_ALL: bool = true;

    fn start(_: u64) {}

    fn step((): &mut (), bytes: &[u8], last: bool) -> Step {
        let blanks = count(bytes, true);
        if blanks > 0 {
            return Step::Skip { len: blanks };
        }
        // So long a token may go on. It is none.
        let len = count(bytes, false);
        if len < LONGEST && len == bytes.len() && !(last && len > 0) {
            return Step::Short;
        }
        match point(&bytes[..len]).filter(|_| len < LONGEST) {
            Some(value) => Step::Scalar { value, len },
            None => bad(len),
        }
    }

    fn pen(_: Escapes) -> PointsPen {
        PointsPen::Line
    }

    fn put(pen: &mut PointsPen, value: u32, out: &mut Vec<u8>) -> bool {
        if !holds(value) {
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

    /// End the line, if there is one.
    fn finish(pen: &mut PointsPen, out: &mut Vec<u8>) {
        if std::mem::replace(pen, PointsPen::Line) == PointsPen::Point {
            out.push(b'\n');
        }
    }

    fn announced(_: &[u8]) -> usize {
        1
    }
}
