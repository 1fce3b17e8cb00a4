//! Dumps: the sequences of an input with their bytes and meanings, in one of several layouts.
//!
//! A [`DumpSink`](sink::DumpSink) turns the runs and ill-formed sequences of a scan into
//! [`DumpItem`]s. A [`Layout`] writes the items as rows, JSON objects or an HTML page.

use std::io;
use std::ops::{Deref, Range};

use crate::codec::MOST_VALUES;
use crate::finding::message::message;
use crate::finding::segments::FaultSegment;
use crate::issue::Kind;
use crate::kernel;
use crate::output::Output;
use crate::registry::Encoding;
use crate::report::ReportStyle;
use crate::text::character;
use crate::text::name::InputName;

pub mod sink;

mod bulk;
mod bytes;
mod cache;
mod classes;
mod clusters;
mod context;
mod digits;
mod fit;
mod fold;
mod grid;
mod headings;
mod html;
mod json;
pub mod legend;
mod plain;
mod roles;
mod row_filter;
mod sequence;
mod text_column;
mod utf8_text;

pub use bytes::ByteLayout;
pub use context::with_context;
pub use grid::{Grid, MOST_COLUMNS};
pub use html::HtmlLayout;
pub use json::JsonLayout;
pub use plain::PlainLayout;
pub use roles::colors;
pub use sequence::SequenceLayout;
pub use utf8_text::Utf8Text;

/// A sequence of an input, with the part of it that lies in the range to show.
#[derive(Clone, Copy, Debug)]
pub struct DumpItem<'a> {
    /// Offset of the sequence in the whole input, in bytes.
    pub offset: u64,
    /// All bytes of the sequence.
    pub sequence: &'a [u8],
    /// Number of its bytes before the range.
    pub before: usize,
    /// Number of its bytes in the range; these are shown.
    pub len: usize,
    /// Meaning of the whole sequence.
    pub meaning: Meaning,
}

/// Length of most messages in bytes, or more.
const MESSAGE: usize = 128;

/// The meaning of a sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// One code point.
    Scalar(u32),
    /// Several code points.
    Several(PointList),
    /// No code point: a shift or another control of the encoding.
    Skip,
    /// U+FEFF at the start of the input, as a signature.
    Signature,
    /// An ill-formed sequence, with its kind and the byte after it (`None` at the end of the
    /// input).
    Ill(Kind, Option<u8>),
}

/// The code points of a sequence that has several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PointList {
    /// The code points, and zeros after them.
    values: [u32; MOST_VALUES],
    number: u8,
}

impl PointList {
    /// Copies code points, [`MOST_VALUES`] at most.
    fn of(values: &[u32]) -> PointList {
        let mut points = PointList { number: values.len() as u8, ..PointList::default() };
        points.values[..values.len()].copy_from_slice(values);
        points
    }
}

impl Deref for PointList {
    type Target = [u32];

    fn deref(&self) -> &[u32] {
        &self.values[..usize::from(self.number)]
    }
}

impl Meaning {
    /// Returns the value of `role` in JSON.
    pub fn role(self) -> &'static str {
        match self {
            Meaning::Scalar(_) | Meaning::Several(_) => "character",
            Meaning::Skip => "skip",
            Meaning::Signature => "signature",
            Meaning::Ill(..) => "fault",
        }
    }
}

impl<'a> DumpItem<'a> {
    /// Returns the bytes in the range.
    pub fn bytes(&self) -> &'a [u8] {
        &self.sequence[self.before..][..self.len]
    }

    /// Returns the offset of the first byte in the range.
    pub fn start(&self) -> u64 {
        self.offset + self.before as u64
    }

    /// Renders the message for the whole sequence as an ill-formed one of this kind. `next` is the
    /// byte after it.
    pub(crate) fn message(&self, encoding: &Encoding, kind: Kind, next: Option<u8>) -> Vec<u8> {
        let mut text = Vec::with_capacity(MESSAGE);
        self.write_message(&mut text, encoding, kind, next);
        text
    }

    /// Appends the [message](Self::message). Returns where it names the byte after the sequence.
    fn write_message(
        &self,
        out: &mut Vec<u8>,
        encoding: &Encoding,
        kind: Kind,
        next: Option<u8>,
    ) -> Option<Range<usize>> {
        let (bytes, sequence) = (self.sequence, self.sequence);
        message(
            out,
            encoding,
            &FaultSegment { at: 0, bytes, sequence, kind, columns_before: 0, columns: 1 },
            next,
        )
    }

    /// Describes the bytes in the range as a part of the sequence: `bytes 2..3 of 3 of U+20AC EURO
    /// SIGN, from 0000000f on`. With `names`, a code point has its name.
    pub(crate) fn describe_part(&self, names: bool) -> Vec<u8> {
        let (first, last) = (self.before + 1, self.before + self.len);
        let part =
            if first == last { format!("byte {first}") } else { format!("bytes {first}..{last}") };
        let of = match self.meaning {
            Meaning::Scalar(value) if names => format!("U+{value:04X} {}", character::name(value)),
            Meaning::Scalar(value) => format!("U+{value:04X}"),
            Meaning::Signature => "the signature".to_owned(),
            Meaning::Ill(kind, _) => format!("an ill-formed sequence [{kind}]"),
            Meaning::Several(_) | Meaning::Skip => "a sequence".to_owned(),
        };
        let mut text = format!("{part} of {} of {of}, from ", self.sequence.len()).into_bytes();
        digits::write_offset(&mut text, self.offset);
        text.extend_from_slice(b" on");
        text
    }

    /// Returns `true` for an ill-formed sequence that starts in the range.
    pub fn is_fault(&self) -> bool {
        matches!(self.meaning, Meaning::Ill(..)) && self.before == 0
    }

    /// Returns `true` if bytes of the sequence lie outside the range.
    pub fn is_cut(&self) -> bool {
        self.len < self.sequence.len()
    }
}

/// Writes the items of one input after another to an output.
pub trait Layout {
    /// Begins an input in this encoding.
    fn begin(
        &mut self,
        out: &mut Output,
        name: &InputName<'_>,
        encoding: &'static Encoding,
    ) -> io::Result<()>;

    /// Sets the encoding of the items that follow, after a signature has selected it.
    fn codec(&mut self, encoding: &'static Encoding);

    /// Writes an item. Items come in order of their offsets and do not overlap.
    fn item(&mut self, out: &mut Output, item: &DumpItem<'_>) -> io::Result<()>;

    /// Returns `true` if it takes [`Utf8Text`] with ill-formed sequences.
    fn takes_faults(&self) -> bool {
        false
    }

    /// Returns `true` if it tolerates bytes that change while it uses them, as a
    /// [sink](crate::sink::Sink::tolerates_changes) may.
    fn tolerates_changes(&self) -> bool {
        false
    }

    /// Writes UTF-8 in the same way as its items, and [settles](Output::settle) the output.
    fn utf8(&mut self, out: &mut Output, text: Utf8Text<'_>) -> io::Result<()> {
        for_each_sequence(text.offset, text.bytes, |item| {
            self.item(out, &item)?;
            out.settle()
        })
    }

    /// Ends an input, even if reading it failed.
    fn end(&mut self, out: &mut Output) -> io::Result<()>;

    /// Ends the dump, after the last input.
    fn finish(&mut self, out: &mut Output) -> io::Result<()> {
        let _ = out;
        Ok(())
    }
}

/// Calls `work` for each sequence of well-formed UTF-8. `offset` is that of the first byte in the input.
fn for_each_sequence(
    offset: u64,
    bytes: &[u8],
    mut work: impl FnMut(DumpItem<'_>) -> io::Result<()>,
) -> io::Result<()> {
    let mut at = 0;
    while at < bytes.len() {
        let (value, len) = decode(&bytes[at..]);
        let (offset, sequence) = (offset + at as u64, &bytes[at..at + len]);
        work(DumpItem { offset, sequence, before: 0, len, meaning: Meaning::Scalar(value) })?;
        at += len;
    }
    Ok(())
}

/// Decodes the first sequence of well-formed UTF-8; returns its code point and its length in bytes.
#[inline(always)]
fn decode(bytes: &[u8]) -> (u32, usize) {
    let (value, len) = kernel::decode(bytes);
    // Longer only if the bytes of a mapping changed after they were validated.
    (value, len.min(bytes.len()))
}

/// Returns `true` for the first byte of a sequence of well-formed UTF-8.
fn is_first_byte(byte: u8) -> bool {
    kernel::mark(byte) == MARK_FIRST
}

/// Mark before the cell of the first byte of a sequence.
const MARK_FIRST: u8 = b' ';
/// Mark before the cell of each further byte of a sequence.
const MARK_FURTHER: u8 = b'.';

/// Appends this number of blanks.
fn pad(out: &mut Vec<u8>, blanks: usize) {
    out.resize(out.len() + blanks, b' ');
}

/// The number base of a byte's digits.
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

/// Options that apply to several layouts.
#[derive(Clone, Copy, Debug)]
pub struct DumpStyle {
    /// Colours and character set of the output.
    pub report: ReportStyle,
    /// Gives each input a heading with its name.
    pub several: bool,
    /// Largest width of a row of a sequence, in columns of the terminal; `None` for no limit.
    pub width: Option<usize>,
    /// Shows the names of characters.
    pub names: bool,
    /// Folds runs of printable ASCII into shared rows.
    pub fold: bool,
    /// Writes hexadecimal digits in upper case.
    pub upper: bool,
    /// Number of rows before and after each row with an ill-formed sequence; other rows are left
    /// out. `None` shows all rows.
    pub only_ill_formed: Option<usize>,
}
