//! JSON objects, written key by key.

use super::escape::{EscapeStyle, escape};
use super::name::InputName;
use super::write;
use crate::issue::Kind;

/// A writer of a JSON object.
pub(crate) struct JsonObject<'a>(&'a mut Vec<u8>);

impl<'a> JsonObject<'a> {
    /// Starts an object with a key `type`.
    pub(crate) fn new(out: &'a mut Vec<u8>, kind: &str) -> JsonObject<'a> {
        out.push(b'{');
        let mut object = JsonObject(out);
        object.plain("type", kind.as_bytes());
        object
    }

    /// Continues an object that `out` contains the start of.
    pub(crate) fn rest(out: &'a mut Vec<u8>) -> JsonObject<'a> {
        JsonObject(out)
    }

    /// Starts an object as the value of a key.
    pub(crate) fn nested(out: &'a mut Vec<u8>) -> JsonObject<'a> {
        out.push(b'{');
        JsonObject(out)
    }

    /// Appends a key. The caller appends the value.
    pub(crate) fn key(&mut self, key: &str) -> &mut Vec<u8> {
        self.separate();
        self.0.push(b'"');
        write::text(self.0, key.as_bytes());
        self.0.extend_from_slice(b"\":");
        self.0
    }

    /// Appends a comma, unless the next member is the first.
    fn separate(&mut self) {
        if self.0.last().is_some_and(|&last| last != b'{') {
            self.0.push(b',');
        }
    }

    /// Appends members.
    fn members(&mut self, members: &[u8]) {
        self.separate();
        self.0.extend_from_slice(members);
    }

    /// Appends a string with escapes.
    pub(crate) fn string(&mut self, key: &str, value: &[u8]) {
        let out = self.key(key);
        out.push(b'"');
        escape(out, value, EscapeStyle::Json);
        out.push(b'"');
    }

    /// Appends a string that needs no escapes, or has them already.
    pub(crate) fn plain(&mut self, key: &str, value: &[u8]) {
        let out = self.key(key);
        out.push(b'"');
        write::text(out, value);
        out.push(b'"');
    }

    /// Appends an array of strings.
    pub(crate) fn strings(&mut self, key: &str, values: &[&str]) {
        self.key(key).push(b'[');
        for (at, value) in values.iter().enumerate() {
            self.0.extend_from_slice(if at == 0 { b"\"" } else { b",\"" });
            escape(self.0, value.as_bytes(), EscapeStyle::Json);
            self.0.push(b'"');
        }
        self.0.push(b']');
    }

    /// Appends an array of objects; `write` writes the keys of one.
    pub(crate) fn objects<T>(
        &mut self,
        key: &str,
        items: &[T],
        mut write: impl FnMut(&mut JsonObject<'_>, &T),
    ) {
        self.key(key).push(b'[');
        for (at, item) in items.iter().enumerate() {
            self.0.extend_from_slice(if at == 0 { b"" } else { b"," });
            let mut object = JsonObject::nested(self.0);
            write(&mut object, item);
            object.close();
        }
        self.0.push(b']');
    }

    /// Appends a number.
    pub(crate) fn number(&mut self, key: &str, value: u64) {
        write::decimal(self.key(key), value);
    }

    /// Appends a boolean.
    pub(crate) fn bool(&mut self, key: &str, value: bool) {
        self.key(key).extend_from_slice(if value { b"true" } else { b"false" });
    }

    /// Appends the name of an input as text, and its bytes in Base64 if it is not UTF-8.
    pub(crate) fn path(&mut self, name: &InputName<'_>) {
        self.members(name.json_path().as_bytes());
    }

    /// Appends bytes as `E2 82 AC`.
    pub(crate) fn hex(&mut self, key: &str, bytes: &[u8]) {
        let out = self.key(key);
        out.push(b'"');
        write::bytes(out, bytes);
        out.push(b'"');
    }

    /// Appends a code point as `U+20AC`, or null.
    pub(crate) fn code_point(&mut self, key: &str, value: Option<u32>) {
        let Some(value) = value else { return self.null(key) };
        let out = self.key(key);
        out.push(b'"');
        write::code_point(out, value);
        out.push(b'"');
    }

    /// Appends null.
    pub(crate) fn null(&mut self, key: &str) {
        self.key(key).extend_from_slice(b"null");
    }

    /// Appends a kind of ill-formed sequence and its class.
    pub(crate) fn kind(&mut self, kind: Kind) {
        self.rule(kind.id(), kind.class().id());
    }

    /// Appends the name of a kind or a lint, and that of its class or group.
    pub(crate) fn rule(&mut self, id: &str, class: &str) {
        self.plain("kind", id.as_bytes());
        self.plain("class", class.as_bytes());
    }

    /// Ends an object.
    pub(crate) fn close(self) {
        self.0.push(b'}');
    }

    /// Ends an object and its line.
    pub(crate) fn end(self) {
        self.0.extend_from_slice(b"}\n");
    }
}
