//! What does a program read? JSON Lines: an object for each finding, and one for each input.

use std::os::unix::ffi::OsStrExt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::escape::{Spelling, escape};
use super::{Finding, Format, Name, Style, Summary, write};
use crate::codec::Spec;
use crate::issue::Class;

pub(super) struct Json(pub(super) Style);

/// An object that is being written.
pub(crate) struct Object<'a>(&'a mut Vec<u8>);

impl<'a> Object<'a> {
    /// An object of this type.
    pub(crate) fn new(out: &'a mut Vec<u8>, kind: &str) -> Object<'a> {
        out.push(b'{');
        let mut object = Object(out);
        object.plain("type", kind.as_bytes());
        object
    }

    /// Append a key; the value is to follow.
    fn key(&mut self, key: &str) -> &mut Vec<u8> {
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
        escape(&mut spelt, value, Spelling::Json);
        self.plain(key, &spelt);
    }

    /// A string that needs no escapes, or has them already.
    fn plain(&mut self, key: &str, value: &[u8]) {
        let out = self.key(key);
        out.push(b'"');
        write::text(out, value);
        out.push(b'"');
    }

    #[cfg(feature = "cli")]
    pub(crate) fn strings(&mut self, key: &str, values: &[&str]) {
        self.key(key).push(b'[');
        for (at, value) in values.iter().enumerate() {
            self.0.extend_from_slice(if at == 0 { b"\"" } else { b",\"" });
            escape(self.0, value.as_bytes(), Spelling::Json);
            self.0.push(b'"');
        }
        self.0.push(b']');
    }

    fn number(&mut self, key: &str, value: u64) {
        write::decimal(self.key(key), value);
    }

    pub(crate) fn bool(&mut self, key: &str, value: bool) {
        self.key(key).extend_from_slice(if value { b"true" } else { b"false" });
    }

    /// The name of an input: as text, and its bytes too where it is not UTF-8.
    fn path(&mut self, name: &Name<'_>) {
        self.plain("path", name.json());
        if name.raw.to_str().is_none() {
            self.plain("path_bytes", STANDARD.encode(name.raw.as_bytes()).as_bytes());
        }
    }

    pub(crate) fn end(self) {
        self.0.extend_from_slice(b"}\n");
    }
}

impl Format for Json {
    fn finding(&mut self, out: &mut Vec<u8>, finding: &Finding<'_>) {
        let (piece, place) = (&finding.piece, &finding.place);
        let mut object = Object::new(out, "finding");
        object.path(finding.name);
        object.number("offset", finding.offset);
        object.number("length", piece.bytes.len() as u64);
        object.plain("kind", piece.kind.id().as_bytes());
        object.plain("class", piece.kind.class().id().as_bytes());
        let out = object.key("hex");
        out.push(b'"');
        write::bytes(out, piece.bytes);
        out.push(b'"');
        let out = object.key("value");
        let whole = piece.kind.class() != Class::Truncated;
        match (finding.spec.spells)(piece.bytes).filter(|_| whole) {
            Some(value) => {
                out.push(b'"');
                write::code_point(out, value);
                out.push(b'"');
            }
            None => out.extend_from_slice(b"null"),
        }
        object.number("line", place.line);
        object.number("column_bytes", place.column_bytes);
        object.number("column_chars", place.column_chars);
        object.end();
    }

    fn end(&mut self, out: &mut Vec<u8>, name: &Name<'_>, spec: &Spec, summary: Option<&Summary>) {
        let Some(summary) = summary else { return };
        let mut object = Object::new(out, "summary");
        object.path(name);
        object.string("codec", spec.name.as_bytes());
        object.number("start", summary.start);
        object.number("size", summary.size);
        object.bool("valid", summary.findings == 0);
        object.number("findings", summary.findings);
        object.bool("stopped", summary.stopped);
        object.key("by_kind").push(b'{');
        for (kind, number) in summary.found() {
            object.number(kind.id(), number);
        }
        object.0.push(b'}');
        object.number("lines", summary.lines);
        object.number("scalars", summary.lengths.iter().sum());
        match summary.bom {
            Some(bom) => object.bool("bom", bom),
            None => object.key("bom").extend_from_slice(b"null"),
        }
        if self.0.stats {
            object.key("by_length").push(b'{');
            for (length, &number) in (1..).zip(&summary.lengths).filter(|row| *row.1 > 0) {
                let more = if length == summary.lengths.len() { "+" } else { "" };
                object.number(&format!("{length}{more}"), number);
            }
            object.0.push(b'}');
        }
        object.end();
    }

    fn trouble(&mut self, out: &mut Vec<u8>, name: &Name<'_>, what: &str) {
        let mut object = Object::new(out, "trouble");
        object.path(name);
        object.string("message", what.as_bytes());
        object.end();
    }
}
