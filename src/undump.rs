//! Reading of dumps: text rows back to bytes.
//!
//! A dump is the output of this crate, edited or not, of `xxd`, `xxd -b`, `hexdump -C`, `hexyl`, `od`
//! with `-t x1` or `-t o1`, of `x/16xb` in gdb, of Wireshark, or of `tcpdump -X`. Offsets and cells decide; the rest of
//! a row is ignored.
//!
//! ```
//! use utf8::undump::{DumpForm, DumpReader};
//!
//! let mut reader = DumpReader::new(DumpForm::Rows(None));
//! reader.feed(b"00000010: e282 ac20  .... \n00000016: 41  A\n")?;
//! let mut placed = reader.finish()?;
//! assert_eq!(placed.origin(), 0x10);
//! let mut bytes = Vec::new();
//! placed.write(|part| {
//!     part.blocks().for_each(|block| bytes.extend_from_slice(block));
//!     Ok(())
//! })?;
//! assert_eq!(bytes, b"\xE2\x82\xAC \0\0A");
//! # Ok::<(), std::io::Error>(())
//! ```

use std::io;

use crate::dump::CellBase;

use digits::{PlainBits, PlainHex};
pub use error::{DumpError, DumpRemedy};
use line_splitter::LineSplitter;
pub use patch::PatchSummary;
pub use placed_bytes::{DifferingRows, PlacedBytes, PlacedPart};
use row_reader::RowReader;

mod base;
mod cell_text;
mod cells;
mod columns;
mod digits;
mod error;
mod frame;
mod line;
mod line_splitter;
mod patch;
mod pending;
mod placed_bytes;
mod placement;
mod radix;
mod row_reader;

/// The form of the text of a dump.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DumpForm {
    /// Rows with offsets, and the base of the cells that are read. Without a base, cells are
    /// hexadecimal, or bits where the dump shows that `xxd -b` or hexyl wrote it.
    Rows(Option<CellBase>),
    /// Hex digits without offsets, two for each byte.
    PlainHex,
    /// Binary digits without offsets, eight for each byte.
    PlainBits,
}

/// Reads the bytes that a dump shows.
#[derive(Debug)]
pub struct DumpReader(FormReader);

#[derive(Debug)]
enum FormReader {
    Rows(LineSplitter, Box<RowReader>),
    Hex(PlainHex),
    Bits(PlainBits),
}

impl DumpReader {
    /// Returns a reader of dumps of this form.
    pub fn new(form: DumpForm) -> DumpReader {
        DumpReader(match form {
            DumpForm::Rows(base) => {
                FormReader::Rows(LineSplitter::default(), Box::new(RowReader::new(base)))
            }
            DumpForm::PlainHex => FormReader::Hex(PlainHex::default()),
            DumpForm::PlainBits => FormReader::Bits(PlainBits::default()),
        })
    }

    /// Reads the next part of the text. The parts may be cut anywhere.
    ///
    /// # Errors
    /// `InvalidData` with a [`DumpError`]; errors of the temporary file that keeps the bytes.
    pub fn feed(&mut self, text: &[u8]) -> io::Result<()> {
        match &mut self.0 {
            FormReader::Rows(lines, rows) => {
                lines.feed(text, |number, line| rows.line(number, line))
            }
            FormReader::Hex(hex) => hex.feed(text),
            FormReader::Bits(bits) => bits.feed(text),
        }
    }

    /// Returns the bytes of the dump. Call it at the end of the text.
    ///
    /// # Errors
    /// Those of [`feed`](DumpReader::feed).
    pub fn finish(self) -> io::Result<PlacedBytes> {
        match self.0 {
            FormReader::Rows(lines, mut rows) => {
                lines.finish(|number, line| rows.line(number, line))?;
                rows.finish()
            }
            FormReader::Hex(hex) => hex.finish(),
            FormReader::Bits(bits) => bits.finish(),
        }
    }
}
