//! Names of inputs, escaped for reports.

use std::cell::OnceCell;
use std::ffi::OsStr;

use super::escape::{EscapeStyle, escape};

/// A name of an input, as reports show it: spelt once, however many findings it has.
#[derive(Debug)]
pub struct InputName<'a> {
    /// Its bytes.
    pub raw: &'a OsStr,
    unicode: bool,
    shown: OnceCell<Vec<u8>>,
    listed: OnceCell<Vec<u8>>,
    json: OnceCell<Vec<u8>>,
}

impl<'a> InputName<'a> {
    /// The name of an input. `unicode` says that a person may be shown other than ASCII characters.
    pub fn new(raw: &'a OsStr, unicode: bool) -> InputName<'a> {
        let (shown, listed, json) = Default::default();
        InputName { raw, unicode, shown, listed, json }
    }

    /// The name, safe to be shown to a person.
    pub fn shown(&self) -> &[u8] {
        match self.unicode {
            true => self.listed(),
            false => self.spelt(&self.shown, EscapeStyle::Ascii),
        }
    }

    /// The name as an item of a list: safe to be shown, in the characters that it has.
    pub fn listed(&self) -> &[u8] {
        self.spelt(&self.listed, EscapeStyle::Text)
    }

    /// The name for the inside of a JSON string.
    pub(crate) fn json(&self) -> &[u8] {
        self.spelt(&self.json, EscapeStyle::Json)
    }

    fn spelt<'b>(&self, cell: &'b OnceCell<Vec<u8>>, spelling: EscapeStyle) -> &'b [u8] {
        cell.get_or_init(|| {
            let mut spelt = Vec::new();
            escape(&mut spelt, self.raw.as_encoded_bytes(), spelling);
            spelt
        })
    }
}
