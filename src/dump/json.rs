//! The layout of JSON Lines: an object for each sequence.
//!
//! Every object has `type`, `path` (and `path_bytes` in base64 if the path is not UTF-8), `offset`
//! and `length` in bytes, `hex`, `bits`, `markers` (the number of leading bits of each byte that are
//! not part of the value) and `role`. The other keys depend on the role:
//!
//! * `character`: `value`, `char` (null if the value is not a scalar value), `name`, `category`
//!   (null above U+10FFFF), and `derivation` if the encoding has one. A sequence of two code points
//!   has `values`, `char`, `names` and `categories`.
//! * `fault`: `kind`, `class`, `message`, and `value`, the code point of an overlong form and the
//!   like, or null.
//! * `signature`, `skip`: none.
//!
//! If the edge of the range cuts the sequence, `hex` and `bits` have only the bytes in the range, and
//! `cut` has the whole sequence: `sequence_offset` and `sequence_hex`.

use std::io;

use super::cache::{RowCache, SequenceLook};
use super::{CellBase, DumpItem, DumpStyle, Layout, Meaning};
use crate::output::Output;
use crate::registry::Encoding;
use crate::text::character;
use crate::text::json::JsonObject;
use crate::text::name::InputName;
use crate::text::write;

/// Writes a JSON object for each sequence.
#[derive(Debug)]
pub struct JsonLayout {
    names: bool,
    encoding: &'static Encoding,
    /// The members that all objects of the input begin with.
    head: Vec<u8>,
    cache: RowCache,
}

impl JsonLayout {
    /// Creates a layout. Of the style, only `names` applies.
    pub fn new(style: DumpStyle) -> JsonLayout {
        JsonLayout {
            names: style.names,
            encoding: Encoding::UTF_8,
            head: Vec::new(),
            cache: RowCache::default(),
        }
    }
}

impl Layout for JsonLayout {
    fn begin(
        &mut self,
        _: &mut Output,
        name: &InputName<'_>,
        encoding: &'static Encoding,
    ) -> io::Result<()> {
        self.head.clear();
        JsonObject::new(&mut self.head, "sequence").path(name);
        self.codec(encoding);
        Ok(())
    }

    fn codec(&mut self, encoding: &'static Encoding) {
        self.encoding = encoding;
        self.cache.set_encoding(encoding);
    }

    fn item(&mut self, out: &mut Output, item: &DumpItem<'_>) -> io::Result<()> {
        let out = out.buffer();
        out.extend_from_slice(&self.head);
        JsonObject::rest(out).number("offset", item.start());
        if let Some(rest) = self.cache.get(item, SequenceLook::PLAIN) {
            rest.append(out, item);
            return Ok(());
        }
        let start = out.len();
        let mut object = JsonObject::rest(out);
        write_bytes(&mut object, self.encoding, item);
        write_meaning(&mut object, self.encoding, item, self.names);
        object.end();
        self.cache.set(item, SequenceLook::PLAIN, &out[start..], None);
        Ok(())
    }

    fn end(&mut self, _: &mut Output) -> io::Result<()> {
        Ok(())
    }
}

/// Adds the members about the bytes of a sequence.
fn write_bytes(object: &mut JsonObject<'_>, encoding: &Encoding, item: &DumpItem<'_>) {
    object.number("length", item.len as u64);
    object.hex("hex", item.bytes());
    write_list(object.key("bits"), [b"\"", b" ", b"\""], item.bytes(), |out, &byte| {
        out.extend_from_slice(CellBase::Bits.digits(false, byte));
    });
    let markers = (0..item.len).map(|at| (encoding.inner.markers)(item.sequence, item.before + at));
    write_list(object.key("markers"), [b"[", b",", b"]"], markers, |out, bits| {
        write::decimal(out, bits.into());
    });
    if item.is_cut() {
        let mut cut = JsonObject::nested(object.key("cut"));
        cut.number("sequence_offset", item.offset);
        cut.hex("sequence_hex", item.sequence);
        cut.close();
    }
}

/// Appends `before`, the items with `between` between them, and `after`.
fn write_list<T>(
    out: &mut Vec<u8>,
    [before, between, after]: [&[u8]; 3],
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
    out.extend_from_slice(after);
}

/// Adds the members about the meaning of a sequence.
fn write_meaning(
    object: &mut JsonObject<'_>,
    encoding: &Encoding,
    item: &DumpItem<'_>,
    names: bool,
) {
    object.plain("role", item.meaning.role().as_bytes());
    match item.meaning {
        Meaning::Scalar(value) => {
            write_character(object, value, names);
            write_derivation(object, encoding, item.sequence);
        }
        Meaning::Several(values) => {
            write_several(object, &values, names);
            write_derivation(object, encoding, item.sequence);
        }
        Meaning::Ill(kind, next) => {
            object.kind(kind);
            object.string("message", &item.message(encoding, kind, next));
            object.code_point("value", encoding.spelt_value(kind, item.sequence));
        }
        Meaning::Skip | Meaning::Signature => {}
    }
}

/// Adds the arithmetic of the code point, if the encoding has one.
fn write_derivation(object: &mut JsonObject<'_>, encoding: &Encoding, sequence: &[u8]) {
    if let Some(derivation) = (encoding.inner.derivation)(sequence) {
        object.string("derivation", derivation.as_bytes());
    }
}

/// Adds the members of a sequence of one code point.
fn write_character(object: &mut JsonObject<'_>, value: u32, names: bool) {
    object.code_point("value", Some(value));
    write_char(object, &[value]);
    if names {
        object.string("name", character::name(value).as_bytes());
    }
    match character::category(value) {
        Some((category, _)) => object.plain("category", category.as_bytes()),
        None => object.null("category"),
    }
}

/// Adds the members of a sequence of several code points.
fn write_several(object: &mut JsonObject<'_>, values: &[u32], names: bool) {
    let strings = |object: &mut JsonObject<'_>, key, string: fn(u32) -> String| {
        let strings: Vec<_> = values.iter().map(|&value| string(value)).collect();
        object.strings(key, &strings.iter().map(String::as_str).collect::<Vec<_>>());
    };
    strings(object, "values", |value| format!("U+{value:04X}"));
    write_char(object, values);
    if names {
        strings(object, "names", character::name);
    }
    strings(object, "categories", |value| {
        character::category(value).map_or_else(String::new, |(category, _)| category.to_owned())
    });
}

/// Adds the text of the code points; null if one of them is not a scalar value.
fn write_char(object: &mut JsonObject<'_>, values: &[u32]) {
    let text: Option<String> = values.iter().map(|&value| char::from_u32(value)).collect();
    match text {
        Some(text) => object.string("char", text.as_bytes()),
        None => object.null("char"),
    }
}
