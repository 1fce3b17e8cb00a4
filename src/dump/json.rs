//! What does a program read of a dump? JSON Lines: an object for each sequence.
//!
//! Every object has `type`, `path` (and `path_bytes` in base64, where that is not UTF-8), `offset`
//! and `length` in bytes, `hex`, `bits`, `markers` (how many bits at the front of each byte are
//! no part of the value) and `role`. The role says what else there is:
//!
//! * `character`: `value`, `char` (null, if that is no scalar value), `name`, `category` (null
//!   beyond U+10FFFF), and `derivation` if the codec has one to tell. Where the sequence spells
//!   two code points, `values`, `char`, `names` and `categories`.
//! * `fault`: `kind`, `class`, `message`, and `value`, which it would spell (or null).
//! * `signature`, `skip`: nothing.
//!
//! Of a sequence that is cut by the edge of the range, the object has the bytes within, and `cut`
//! tells of the whole of it: `sequence_offset` and `sequence_hex`.

use std::io;

use super::memo::RowCache;
use super::paint::Role;
use super::{CellBase, DumpItem, DumpStyle, Layout, Meaning};
use crate::output::Output;
use crate::registry::{CODECS, Encoding};
use crate::text::character;
use crate::text::json::JsonObject;
use crate::text::name::InputName;
use crate::text::write;

/// Writes an object for each sequence.
#[derive(Debug)]
pub struct JsonLayout {
    names: bool,
    spec: &'static Encoding,
    /// What every object of the input begins with.
    head: Vec<u8>,
    memo: RowCache,
}

impl JsonLayout {
    /// To write objects, with names or without.
    pub fn new(look: DumpStyle) -> JsonLayout {
        JsonLayout {
            names: look.names,
            spec: &CODECS[0],
            head: Vec::new(),
            memo: RowCache::default(),
        }
    }
}

/// Objects have no colours: the only role of sequences that are remembered.
const ROLE: Role = Role::Plain;

impl Layout for JsonLayout {
    fn begin(
        &mut self,
        _: &mut Output,
        name: &InputName<'_>,
        spec: &'static Encoding,
    ) -> io::Result<()> {
        self.head.clear();
        JsonObject::new(&mut self.head, "sequence").path(name);
        self.codec(spec);
        Ok(())
    }

    fn codec(&mut self, spec: &'static Encoding) {
        self.spec = spec;
        self.memo.codec(spec);
    }

    fn item(&mut self, out: &mut Output, item: &DumpItem<'_>) -> io::Result<()> {
        let out = out.buffer();
        out.extend_from_slice(&self.head);
        JsonObject::rest(out).number("offset", item.start());
        if let Some(rest) = self.memo.get(item, ROLE) {
            out.extend_from_slice(rest);
            return Ok(());
        }
        let start = out.len();
        let mut object = JsonObject::rest(out);
        bytes(&mut object, self.spec, item);
        what(&mut object, self.spec, item, self.names);
        object.end();
        self.memo.set(item, ROLE, &out[start..]);
        Ok(())
    }

    fn end(&mut self, _: &mut Output) -> io::Result<()> {
        Ok(())
    }
}

fn bytes(object: &mut JsonObject<'_>, spec: &Encoding, item: &DumpItem<'_>) {
    object.number("length", item.len as u64);
    object.hex("hex", item.bytes());
    list(object.key("bits"), [b"\"", b" ", b"\""], item.bytes(), |out, &byte| {
        out.extend_from_slice(CellBase::Bits.digits(false, byte));
    });
    let markers = (0..item.len).map(|at| (spec.markers)(item.sequence, item.before + at));
    list(object.key("markers"), [b"[", b",", b"]"], markers, |out, bits| {
        write::decimal(out, bits.into());
    });
    if item.is_cut() {
        let mut cut = JsonObject::nested(object.key("cut"));
        cut.number("sequence_offset", item.offset);
        cut.hex("sequence_hex", item.sequence);
        cut.close();
    }
}

/// Append what stands before, between and behind some items, and the items.
fn list<T>(
    out: &mut Vec<u8>,
    [before, between, behind]: [&[u8]; 3],
    items: impl IntoIterator<Item = T>,
    mut item: impl FnMut(&mut Vec<u8>, T),
) {
    out.extend_from_slice(before);
    for (at, value) in items.into_iter().enumerate() {
        if at > 0 {
            out.extend_from_slice(between);
        }
        item(out, value);
    }
    out.extend_from_slice(behind);
}

fn what(object: &mut JsonObject<'_>, spec: &Encoding, item: &DumpItem<'_>, names: bool) {
    object.plain("role", item.what.role().as_bytes());
    match item.what {
        Meaning::Scalar(value) => {
            one(object, value, names);
            derivation(object, spec, item.sequence);
        }
        Meaning::Two(values) => {
            two(object, values, names);
            derivation(object, spec, item.sequence);
        }
        Meaning::Ill(kind, next) => {
            object.kind(kind);
            object.string("message", &item.message(spec, kind, next));
            object.code_point("value", spec.spelt_value(kind, item.sequence));
        }
        Meaning::Skip | Meaning::Signature => {}
    }
}

fn derivation(object: &mut JsonObject<'_>, spec: &Encoding, sequence: &[u8]) {
    if let Some(derivation) = (spec.derivation)(sequence) {
        object.string("derivation", derivation.as_bytes());
    }
}

fn one(object: &mut JsonObject<'_>, value: u32, names: bool) {
    object.code_point("value", Some(value));
    characters(object, &[value]);
    if names {
        object.string("name", character::name(value).as_bytes());
    }
    match character::category(value) {
        Some((category, _)) => object.plain("category", category.as_bytes()),
        None => object.null("category"),
    }
}

fn two(object: &mut JsonObject<'_>, values: [u32; 2], names: bool) {
    let points = values.map(|value| format!("U+{value:04X}"));
    object.strings("values", &points.each_ref().map(String::as_str));
    characters(object, &values);
    if names {
        let names = values.map(character::name);
        object.strings("names", &names.each_ref().map(String::as_str));
    }
    object.strings(
        "categories",
        &values.map(|value| character::category(value).map_or("", |(category, _)| category)),
    );
}

/// The characters themselves, if they are.
fn characters(object: &mut JsonObject<'_>, values: &[u32]) {
    let text: Option<String> = values.iter().map(|&value| char::from_u32(value)).collect();
    match text {
        Some(text) => object.string("char", text.as_bytes()),
        None => object.null("char"),
    }
}
