//! Names of inputs, escaped for reports.

use std::cell::OnceCell;
use std::ffi::OsStr;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::escape::{EscapeStyle, escape};
use super::json::JsonObject;

/// The name of an input for reports. Each escaped form is made once and kept.
#[derive(Debug)]
pub struct InputName<'a> {
    /// The name as it was given.
    pub raw: &'a OsStr,
    unicode: bool,
    shown: OnceCell<Vec<u8>>,
    listed: OnceCell<Vec<u8>>,
    json_path: OnceCell<Vec<u8>>,
}

impl<'a> InputName<'a> {
    /// Returns the name of an input. `unicode` says whether messages may contain characters other
    /// than ASCII.
    pub fn new(raw: &'a OsStr, unicode: bool) -> InputName<'a> {
        let (shown, listed, json_path) = Default::default();
        InputName { raw, unicode, shown, listed, json_path }
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

    /// Returns the members of a JSON object: the name as text, and its bytes in Base64 if it is not
    /// UTF-8.
    pub(crate) fn json_path(&self) -> &[u8] {
        self.json_path.get_or_init(|| {
            let raw = self.raw.as_encoded_bytes();
            let mut members = Vec::new();
            let mut object = JsonObject::rest(&mut members);
            object.string("path", raw);
            if self.raw.to_str().is_none() {
                object.plain("path_bytes", STANDARD.encode(raw).as_bytes());
            }
            members
        })
    }

    fn escaped<'b>(&self, cell: &'b OnceCell<Vec<u8>>, style: EscapeStyle) -> &'b [u8] {
        cell.get_or_init(|| {
            let mut escaped = Vec::new();
            escape(&mut escaped, self.raw.as_encoded_bytes(), style);
            escaped
        })
    }
}
