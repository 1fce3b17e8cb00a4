//! Which bytes does a dump spell? The way back from its text.
//!
//! The dumps of this crate are read, edited or not, and those of `xxd`, `xxd -b`, `hexdump -C` and
//! `od -A x -t x1`. The offsets and the cells rule; all else in a row is comment.
//!
//! ```
//! use utf8::dump::reverse::{Form, Reverse};
//!
//! let mut reverse = Reverse::new(Form::Rows(None));
//! reverse.feed(b"00000010: e282 ac20  .... \n00000016: 41  A\n")?;
//! let mut pieces = reverse.finish()?;
//! assert_eq!(pieces.origin(), 0x10);
//! let mut bytes = Vec::new();
//! pieces.write(|block| {
//!     bytes.extend_from_slice(block);
//!     Ok(())
//! })?;
//! assert_eq!(bytes, b"\xE2\x82\xAC \0\0A");
//! # Ok::<(), std::io::Error>(())
//! ```

use std::io;

use crate::dump::CellBase;

use lines::LineSplitter;
pub use patch::PatchSummary;
pub use pieces::{PlacedBytes, PlacementGaps};
use plain::{PlainBits, PlainHex};
use rows::RowReader;

mod cells;
mod columns;
mod held;
mod judge;
mod lines;
mod order;
mod patch;
mod pieces;
mod plain;
mod row;
mod rows;

/// What the text of a dump looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DumpForm {
    /// Rows with offsets. The base of the cells that rule; without one, that is hexadecimal, or
    /// bits in the manner of `xxd -b` if the dump shows that they are. Octal and decimal cells are
    /// only in rows with a colon behind the offset.
    Rows(Option<CellBase>),
    /// Nothing but hex digits, two for each byte.
    PlainHex,
    /// Nothing but binary digits, eight for each byte.
    PlainBits,
}

/// Reads a dump.
#[derive(Debug)]
pub struct DumpReader(RowOrPlainReader);

#[derive(Debug)]
enum RowOrPlainReader {
    Rows(LineSplitter, Box<RowReader>),
    Hex(PlainHex),
    Bits(PlainBits),
}

impl DumpReader {
    /// Read a dump of this form.
    pub fn new(form: DumpForm) -> DumpReader {
        DumpReader(match form {
            DumpForm::Rows(base) => {
                RowOrPlainReader::Rows(LineSplitter::default(), Box::new(RowReader::new(base)))
            }
            DumpForm::PlainHex => RowOrPlainReader::Hex(PlainHex::default()),
            DumpForm::PlainBits => RowOrPlainReader::Bits(PlainBits::default()),
        })
    }

    /// Read on. How the text is cut into pieces changes nothing.
    ///
    /// # Errors
    /// `InvalidData`: what is wrong, on which line, and what to do about it. Others are those of
    /// the temporary file that keeps the bytes.
    pub fn feed(&mut self, text: &[u8]) -> io::Result<()> {
        match &mut self.0 {
            RowOrPlainReader::Rows(lines, rows) => {
                lines.feed(text, |number, line| rows.line(number, line))
            }
            RowOrPlainReader::Hex(hex) => hex.feed(text),
            RowOrPlainReader::Bits(bits) => bits.feed(text),
        }
    }

    /// The text has ended: the bytes that it spells.
    ///
    /// # Errors
    /// As for [`feed`](Reverse::feed).
    pub fn finish(self) -> io::Result<PlacedBytes> {
        match self.0 {
            RowOrPlainReader::Rows(lines, mut rows) => {
                lines.finish(|number, line| rows.line(number, line))?;
                rows.finish()
            }
            RowOrPlainReader::Hex(hex) => hex.finish(),
            RowOrPlainReader::Bits(bits) => bits.finish(),
        }
    }
}

/// The dump is wrong, and so.
fn wrong(what: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what.into())
}

/// If the dump is wrong, say on which line.
fn on_line(number: u64, error: io::Error) -> io::Error {
    match error.kind() {
        io::ErrorKind::InvalidData => wrong(format!("line {number}: {error}")),
        _ => error,
    }
}

/// `1 byte`, `2 bytes`.
fn counted(number: u64, one: &str) -> String {
    format!("{number} {one}{}", if number == 1 { "" } else { "s" })
}
