//! Names of inputs, escaped for reports.

use std::cell::OnceCell;
use std::ffi::OsStr;

use super::escape::{EscapeStyle, escape};

/// The name of an input for reports. Each escaped form is made once and kept.
#[derive(Debug)]
pub struct InputName<'a> {
    /// The name as it was given.
    pub raw: &'a OsStr,
    unicode: bool,
    shown: OnceCell<Vec<u8>>,
    listed: OnceCell<Vec<u8>>,
    json: OnceCell<Vec<u8>>,
}

impl<'a> InputName<'a> {
    /// Returns the name of an input. `unicode` says whether messages may contain characters other
    /// than ASCII.
    pub fn new(raw: &'a OsStr, unicode: bool) -> InputName<'a> {
        let (shown, listed, json) = Default::default();
        InputName { raw, unicode, shown, listed, json }
    }

    /// Returns the name for a message, with escapes.
    pub fn shown(&self) -> &[u8] {
        match self.unicode {
            true => self.listed(),
            false => self.escaped(&self.shown, EscapeStyle::Ascii),
        }
    }

    /// Returns the name for a list, with escapes; characters other than ASCII are kept.
    pub fn listed(&self) -> &[u8] {
        self.escaped(&self.listed, EscapeStyle::Text)
    }

    /// Returns the name for the content of a JSON string.
    pub(crate) fn json(&self) -> &[u8] {
        self.escaped(&self.json, EscapeStyle::Json)
    }

    fn escaped<'b>(&self, cell: &'b OnceCell<Vec<u8>>, style: EscapeStyle) -> &'b [u8] {
        cell.get_or_init(|| {
            let mut escaped = Vec::new();
            escape(&mut escaped, self.raw.as_encoded_bytes(), style);
            escaped
        })
    }
}
