//! Errors in the text of a dump.

use std::error::Error;
use std::fmt;
use std::io;

/// An error in the text of a dump: the inner error of an [`io::Error`] of kind `InvalidData`.
#[derive(Debug)]
pub struct DumpError {
    /// The number of the line, from 1 on; `None` if it is not known yet.
    line: Option<u64>,
    message: String,
    remedy: Option<DumpRemedy>,
}

/// The choice of a [`DumpForm`](super::DumpForm) that may read a dump which another cannot read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DumpRemedy {
    /// Rows without a base.
    NoBase,
    /// Rows with the base of the cells.
    OtherBase,
    /// Rows in bits.
    Bits,
    /// Rows in bits, or rows in hex.
    BitsOrHex,
    /// Digits without offsets.
    Digits,
    /// Rows with offsets.
    Rows,
}

impl DumpError {
    /// Returns the form that may read the dump, if the error suggests one.
    pub fn remedy(&self) -> Option<DumpRemedy> {
        self.remedy
    }
}

impl fmt::Display for DumpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        f.write_str(&self.message)
    }
}

impl Error for DumpError {}

/// Returns an error without its line.
pub(super) fn wrong(message: impl Into<String>) -> io::Error {
    invalid(DumpError { line: None, message: message.into(), remedy: None })
}

/// Returns an error without its line, and the form that may read the dump.
pub(super) fn wrong_form(message: impl Into<String>, remedy: DumpRemedy) -> io::Error {
    invalid(DumpError { line: None, message: message.into(), remedy: Some(remedy) })
}

/// Adds the number of the line to an error in the text.
pub(super) fn on_line(number: u64, error: io::Error) -> io::Error {
    match error.downcast::<DumpError>() {
        Ok(error) => invalid(DumpError { line: Some(number), ..error }),
        Err(error) => error,
    }
}

fn invalid(error: DumpError) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error)
}
