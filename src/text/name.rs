//! Names of inputs, escaped for reports.

use std::cell::OnceCell;
use std::ffi::OsStr;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::escape::{EscapeStyle, escape};
use super::json::JsonObject;
use super::write::BlockText;

/// The name of an input for reports. Each escaped form is made once and kept.
#[derive(Debug)]
pub struct InputName<'a> {
    /// The name as it was given.
    pub raw: &'a OsStr,
    unicode: bool,
    shown: OnceCell<BlockText>,
    listed: OnceCell<BlockText>,
    json_path: OnceCell<BlockText>,
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
        self.shown_text().as_bytes()
    }

    /// Returns the name for a list, with escapes; characters other than ASCII are kept.
    pub fn listed(&self) -> &[u8] {
        self.listed_text().as_bytes()
    }

    /// Returns the name for a message, as [`shown`](Self::shown) does.
    pub(crate) fn shown_text(&self) -> &BlockText {
        let style = if self.unicode { EscapeStyle::Name } else { EscapeStyle::Ascii };
        self.escaped(&self.shown, style)
    }

    /// Returns the name for a list, as [`listed`](Self::listed) does.
    pub(crate) fn listed_text(&self) -> &BlockText {
        self.escaped(&self.listed, EscapeStyle::Text)
    }

    /// Returns the members of a JSON object: the name as text, and its bytes in Base64 if it is not
    /// UTF-8.
    pub(crate) fn json_path(&self) -> &BlockText {
        self.json_path.get_or_init(|| {
            let raw = self.raw.as_encoded_bytes();
            let mut members = Vec::new();
            let mut object = JsonObject::rest(&mut members);
            object.string("path", raw);
            if self.raw.to_str().is_none() {
                object.plain("path_bytes", STANDARD.encode(raw).as_bytes());
            }
            members.as_slice().into()
        })
    }

    #[inline(always)]
    fn escaped<'b>(&self, cell: &'b OnceCell<BlockText>, style: EscapeStyle) -> &'b BlockText {
        cell.get().unwrap_or_else(|| self.escape(cell, style))
    }

    #[cold]
    fn escape<'b>(&self, cell: &'b OnceCell<BlockText>, style: EscapeStyle) -> &'b BlockText {
        cell.get_or_init(|| {
            let mut escaped = Vec::new();
            escape(&mut escaped, self.raw.as_encoded_bytes(), style);
            escaped.as_slice().into()
        })
    }
}
