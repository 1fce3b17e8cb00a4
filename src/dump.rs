//! What is in each byte? The items of a dump, and the layouts that show them.
//!
//! An item is a sequence: its bytes, and what they spell or why they are ill-formed. A layout
//! writes items in rows.

use crate::text::character;
use std::io;

use crate::finding::message::message;
use crate::finding::segments::FaultSegment;
use crate::issue::Kind;
use crate::kernel;
use crate::output::Output;
use crate::registry::Encoding;
use crate::report::ReportStyle;
use crate::text::name::InputName;

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

pub use bytes::ByteLayout;
pub use grid::{Grid, MOST_COLUMNS};
pub use html::HtmlLayout;
pub use json::JsonLayout;
pub use near::near;
pub use paint::colors;
pub use plain::PlainLayout;
pub use sequence::SequenceLayout;

/// A sequence of an input, or as much of it as is in the range that is shown.
#[derive(Clone, Copy, Debug)]
pub struct DumpItem<'a> {
    /// The offset of the sequence in the whole input, in bytes.
    pub offset: u64,
    /// All its bytes.
    pub sequence: &'a [u8],
    /// How many of them are before the range.
    pub before: usize,
    /// How many of them are shown.
    pub len: usize,
    /// What the sequence is.
    pub what: Meaning,
}

/// What a sequence is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
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

impl Meaning {
    /// What it is in the text, for programs.
    pub fn role(self) -> &'static str {
        match self {
            Meaning::Scalar(_) | Meaning::Two(_) => "character",
            Meaning::Skip => "skip",
            Meaning::Signature => "signature",
            Meaning::Ill(..) => "fault",
        }
    }
}

impl<'a> DumpItem<'a> {
    /// The bytes that are shown.
    pub fn bytes(&self) -> &'a [u8] {
        &self.sequence[self.before..][..self.len]
    }

    /// The offset of the first byte that is shown.
    pub fn start(&self) -> u64 {
        self.offset + self.before as u64
    }

    /// What a person is told about a fault of this kind, which ends before this byte.
    pub(crate) fn message(&self, spec: &Encoding, kind: Kind, next: Option<u8>) -> Vec<u8> {
        let (bytes, sequence) = (self.sequence, self.sequence);
        let mut text = Vec::new();
        message(&mut text, spec, &FaultSegment { at: 0, bytes, sequence, kind, subparts: 0 }, next);
        text
    }

    /// Of what sequence the shown bytes are a part: `bytes 2..3 of 3 of U+20AC EURO SIGN, from
    /// 0000000f on`.
    pub(crate) fn part(&self, names: bool) -> Vec<u8> {
        let (first, last) = (self.before + 1, self.before + self.len);
        let which =
            if first == last { format!("byte {first}") } else { format!("bytes {first}..{last}") };
        let of = match self.what {
            Meaning::Scalar(value) if names => format!("U+{value:04X} {}", character::name(value)),
            Meaning::Scalar(value) => format!("U+{value:04X}"),
            Meaning::Signature => "the signature".to_owned(),
            Meaning::Ill(kind, _) => format!("an ill-formed sequence [{kind}]"),
            Meaning::Two(_) | Meaning::Skip => "a sequence".to_owned(),
        };
        let mut text = format!("{which} of {} of {of}, from ", self.sequence.len()).into_bytes();
        cells::offset(&mut text, self.offset);
        text.extend_from_slice(b" on");
        text
    }

    /// Whether it is a fault of the range: an ill-formed sequence that starts in it.
    pub fn is_fault(&self) -> bool {
        matches!(self.what, Meaning::Ill(..)) && self.before == 0
    }

    /// Whether only some bytes of the sequence are shown.
    pub fn is_cut(&self) -> bool {
        self.len < self.sequence.len()
    }
}

/// A way to show items.
pub trait Layout {
    /// An input begins, which is read as this codec.
    fn begin(
        &mut self,
        out: &mut Output,
        name: &InputName<'_>,
        spec: &'static Encoding,
    ) -> io::Result<()>;

    /// The text from here on is in this codec, as the input's start has told.
    fn codec(&mut self, spec: &'static Encoding);

    /// An item. They come in order, each behind the one before it.
    fn item(&mut self, out: &mut Output, item: &DumpItem<'_>) -> io::Result<()>;

    /// Well-formed UTF-8, from this offset on.
    fn utf8(&mut self, out: &mut Output, offset: u64, bytes: &[u8]) -> io::Result<()> {
        each(offset, bytes, |item| self.item(out, &item))
    }

    /// The input ends, with what could be read of it.
    fn end(&mut self, out: &mut Output) -> io::Result<()>;

    /// All inputs have ended.
    fn finish(&mut self, out: &mut Output) -> io::Result<()> {
        let _ = out;
        Ok(())
    }
}

/// Do something with each sequence of well-formed UTF-8.
fn each(
    offset: u64,
    bytes: &[u8],
    mut work: impl FnMut(DumpItem<'_>) -> io::Result<()>,
) -> io::Result<()> {
    let mut at = 0;
    while at < bytes.len() {
        let (value, len) = decode(&bytes[at..]);
        let sequence = &bytes[at..at + len];
        let offset = offset + at as u64;
        work(DumpItem { offset, sequence, before: 0, len, what: Meaning::Scalar(value) })?;
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
pub enum CellBase {
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
pub struct DumpStyle {
    /// With colours, and with other than ASCII characters.
    pub style: ReportStyle,
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
