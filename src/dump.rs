//! What is in each byte? The items of a dump, and the layouts that show them.
//!
//! An item is a sequence: its bytes, and what they spell or why they are ill-formed. A layout
//! writes items in rows.

use crate::text::character;
use std::io;

use crate::finding::message::message;
use crate::finding::segments::Piece;
use crate::issue::Kind;
use crate::kernel;
use crate::output::Out;
use crate::registry::Spec;
use crate::report::Style;
use crate::text::name::Name;

pub mod sink;

mod bytes;
mod cells;
mod fold;
mod grid;
mod headings;
mod html;
mod json;
pub mod legend;
mod memo;
mod near;
mod page;
mod paint;
mod plain;
mod rows;
mod sequence;
mod text;

pub use bytes::Bytes;
pub use grid::{Grid, MOST_COLUMNS};
pub use html::Html;
pub use json::Json;
pub use near::near;
pub use paint::colors;
pub use plain::Plain;
pub use sequence::Sequences;

/// A sequence of an input, or as much of it as is in the range that is shown.
#[derive(Clone, Copy, Debug)]
pub struct Item<'a> {
    /// The offset of the sequence in the whole input, in bytes.
    pub offset: u64,
    /// All its bytes.
    pub sequence: &'a [u8],
    /// How many of them are before the range.
    pub before: usize,
    /// How many of them are shown.
    pub len: usize,
    /// What the sequence is.
    pub what: What,
}

/// What a sequence is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// It spells a code point.
    Scalar(u32),
    /// It spells two code points.
    Two([u32; 2]),
    /// It is part of the text's spelling and stands for nothing.
    Skip,
    /// It is U+FEFF at the start of the input, and no text.
    Signature,
    /// It is ill-formed, for this reason; the byte behind it, unless the input ends there.
    Ill(Kind, Option<u8>),
}

impl What {
    /// What it is in the text, for programs.
    pub fn role(self) -> &'static str {
        match self {
            What::Scalar(_) | What::Two(_) => "character",
            What::Skip => "skip",
            What::Signature => "signature",
            What::Ill(..) => "fault",
        }
    }
}

impl<'a> Item<'a> {
    /// The bytes that are shown.
    pub fn bytes(&self) -> &'a [u8] {
        &self.sequence[self.before..][..self.len]
    }

    /// The offset of the first byte that is shown.
    pub fn start(&self) -> u64 {
        self.offset + self.before as u64
    }

    /// What a person is told about a fault of this kind, which ends before this byte.
    pub(crate) fn message(&self, spec: &Spec, kind: Kind, next: Option<u8>) -> Vec<u8> {
        let (bytes, sequence) = (self.sequence, self.sequence);
        let mut text = Vec::new();
        message(&mut text, spec, &Piece { at: 0, bytes, sequence, kind, subparts: 0 }, next);
        text
    }

    /// Of what sequence the shown bytes are a part: `bytes 2..3 of 3 of U+20AC EURO SIGN, from
    /// 0000000f on`.
    pub(crate) fn part(&self, names: bool) -> Vec<u8> {
        let (first, last) = (self.before + 1, self.before + self.len);
        let which =
            if first == last { format!("byte {first}") } else { format!("bytes {first}..{last}") };
        let of = match self.what {
            What::Scalar(value) if names => format!("U+{value:04X} {}", character::name(value)),
            What::Scalar(value) => format!("U+{value:04X}"),
            What::Signature => "the signature".to_owned(),
            What::Ill(kind, _) => format!("an ill-formed sequence [{kind}]"),
            What::Two(_) | What::Skip => "a sequence".to_owned(),
        };
        let mut text = format!("{which} of {} of {of}, from ", self.sequence.len()).into_bytes();
        cells::offset(&mut text, self.offset);
        text.extend_from_slice(b" on");
        text
    }

    /// Whether it is a fault of the range: an ill-formed sequence that starts in it.
    pub fn is_fault(&self) -> bool {
        matches!(self.what, What::Ill(..)) && self.before == 0
    }

    /// Whether only some bytes of the sequence are shown.
    pub fn is_cut(&self) -> bool {
        self.len < self.sequence.len()
    }
}

/// A way to show items.
pub trait Layout {
    /// An input begins, which is read as this codec.
    fn begin(&mut self, out: &mut Out, name: &Name<'_>, spec: &'static Spec) -> io::Result<()>;

    /// The text from here on is in this codec, as the input's start has told.
    fn codec(&mut self, spec: &'static Spec);

    /// An item. They come in order, each behind the one before it.
    fn item(&mut self, out: &mut Out, item: &Item<'_>) -> io::Result<()>;

    /// Well-formed UTF-8, from this offset on.
    fn utf8(&mut self, out: &mut Out, offset: u64, bytes: &[u8]) -> io::Result<()> {
        each(offset, bytes, |item| self.item(out, &item))
    }

    /// The input ends, with what could be read of it.
    fn end(&mut self, out: &mut Out) -> io::Result<()>;

    /// All inputs have ended.
    fn finish(&mut self, out: &mut Out) -> io::Result<()> {
        let _ = out;
        Ok(())
    }
}

/// Do something with each sequence of well-formed UTF-8.
fn each(
    offset: u64,
    bytes: &[u8],
    mut work: impl FnMut(Item<'_>) -> io::Result<()>,
) -> io::Result<()> {
    let mut at = 0;
    while at < bytes.len() {
        let (value, len) = decode(&bytes[at..]);
        let sequence = &bytes[at..at + len];
        let offset = offset + at as u64;
        work(Item { offset, sequence, before: 0, len, what: What::Scalar(value) })?;
        at += len;
    }
    Ok(())
}

/// The code point at the front of well-formed UTF-8, and its length.
#[inline(always)]
fn decode(bytes: &[u8]) -> (u32, usize) {
    let (value, len) = kernel::decode(bytes);
    // It is longer only if the bytes are not what they were.
    (value, len.min(bytes.len()))
}

/// Whether a byte of well-formed UTF-8 begins a sequence.
fn begins(byte: u8) -> bool {
    kernel::mark(byte) == BEGINS
}

/// What stands before the cell where a sequence begins, and where one goes on.
const BEGINS: u8 = b' ';
const GOES_ON: u8 = b'.';

/// Append so many blanks.
fn pad(out: &mut Vec<u8>, blanks: usize) {
    out.resize(out.len() + blanks, b' ');
}

/// How the bytes of a cell are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Base {
    /// Eight binary digits.
    #[default]
    Bits,
    /// Two hexadecimal digits.
    Hex,
    /// Three octal digits.
    Octal,
    /// Three decimal digits.
    Decimal,
}

/// How a dump looks.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// With colours, and with other than ASCII characters.
    pub style: Style,
    /// Whether there may be several inputs, which are told apart by name.
    pub several: bool,
    /// With the names of characters.
    pub names: bool,
    /// With runs of printable ASCII in rows of their own.
    pub fold: bool,
    /// With hexadecimal digits in upper case.
    pub upper: bool,
    /// Only rows with ill-formed sequences, and so many on either side of them.
    pub only_ill_formed: Option<usize>,
}
