//! JSON objects, written key by key.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::escape::{EscapeStyle, escape};
use super::name::InputName;
use super::write;
use crate::issue::Kind;

/// An object that is being written.
pub(crate) struct JsonObject<'a>(&'a mut Vec<u8>);

impl<'a> JsonObject<'a> {
    /// An object of this type.
    pub(crate) fn new(out: &'a mut Vec<u8>, kind: &str) -> JsonObject<'a> {
        out.push(b'{');
        let mut object = JsonObject(out);
        object.plain("type", kind.as_bytes());
        object
    }

    /// The rest of an object, of which `out` has the beginning.
    pub(crate) fn rest(out: &'a mut Vec<u8>) -> JsonObject<'a> {
        JsonObject(out)
    }

    /// An object within another, behind its key there.
    pub(crate) fn nested(out: &'a mut Vec<u8>) -> JsonObject<'a> {
        out.push(b'{');
        JsonObject(out)
    }

    /// Append a key; the value is to follow.
    pub(crate) fn key(&mut self, key: &str) -> &mut Vec<u8> {
        if self.0.last() != Some(&b'{') {
            self.0.push(b',');
        }
        self.0.push(b'"');
        write::text(self.0, key.as_bytes());
        self.0.extend_from_slice(b"\":");
        self.0
    }

    pub(crate) fn string(&mut self, key: &str, value: &[u8]) {
        let mut spelt = Vec::new();
        escape(&mut spelt, value, EscapeStyle::Json);
        self.plain(key, &spelt);
    }

    /// A string that needs no escapes, or has them already.
    pub(crate) fn plain(&mut self, key: &str, value: &[u8]) {
        let out = self.key(key);
        out.push(b'"');
        write::text(out, value);
        out.push(b'"');
    }

    pub(crate) fn strings(&mut self, key: &str, values: &[&str]) {
        self.key(key).push(b'[');
        for (at, value) in values.iter().enumerate() {
            self.0.extend_from_slice(if at == 0 { b"\"" } else { b",\"" });
            escape(self.0, value.as_bytes(), EscapeStyle::Json);
            self.0.push(b'"');
        }
        self.0.push(b']');
    }

    pub(crate) fn number(&mut self, key: &str, value: u64) {
        write::decimal(self.key(key), value);
    }

    pub(crate) fn bool(&mut self, key: &str, value: bool) {
        self.key(key).extend_from_slice(if value { b"true" } else { b"false" });
    }

    /// The name of an input: as text, and its bytes too where it is not UTF-8.
    pub(crate) fn path(&mut self, name: &InputName<'_>) {
        self.plain("path", name.json());
        if name.raw.to_str().is_none() {
            self.plain("path_bytes", STANDARD.encode(name.raw.as_encoded_bytes()).as_bytes());
        }
    }

    /// Bytes as `E2 82 AC`.
    pub(crate) fn hex(&mut self, key: &str, bytes: &[u8]) {
        let out = self.key(key);
        out.push(b'"');
        write::bytes(out, bytes);
        out.push(b'"');
    }

    /// A code point as `U+20AC`, or null.
    pub(crate) fn code_point(&mut self, key: &str, value: Option<u32>) {
        let Some(value) = value else { return self.null(key) };
        let out = self.key(key);
        out.push(b'"');
        write::code_point(out, value);
        out.push(b'"');
    }

    pub(crate) fn null(&mut self, key: &str) {
        self.key(key).extend_from_slice(b"null");
    }

    /// The kind of a fault, and its class.
    pub(crate) fn kind(&mut self, kind: Kind) {
        self.plain("kind", kind.id().as_bytes());
        self.plain("class", kind.class().id().as_bytes());
    }

    /// The end of an object within another.
    pub(crate) fn close(self) {
        self.0.push(b'}');
    }

    /// The end of an object that is a line.
    pub(crate) fn end(self) {
        self.0.extend_from_slice(b"}\n");
    }
}
