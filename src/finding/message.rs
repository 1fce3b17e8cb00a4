//! Messages about ill-formed sequences.

use std::ops::{Range, RangeInclusive};

use super::segments::FaultSegment;
use super::template::{Fact, Template};
use crate::codec::controls::{SHIFT_IN, SHIFT_OUT};
use crate::issue::{KINDS, Kind};
use crate::lint::Lint;
use crate::registry::Encoding;
use crate::text::character;
use crate::text::escape::{EscapeStyle, escape};
use crate::text::write::{self, Append};

/// The templates of one kind.
#[derive(Clone, Copy)]
struct Templates {
    lead: Template,
    form: Template,
    /// True if no other character of their messages is escaped in JSON than a byte in quotes.
    is_plain: bool,
    /// True if the message of one byte, or of several, depends on the byte after them.
    names_next: [bool; 2],
}

/// The templates of [`KINDS`], in the same order.
static TEMPLATES: [Templates; Kind::COUNT] = {
    let empty = Template::parse("");
    let empty = Templates { lead: empty, form: empty, is_plain: true, names_next: [false; 2] };
    let mut all = [empty; Kind::COUNT];
    let mut at = 0;
    while at < all.len() {
        let row = &KINDS[at];
        let (lead, form) = (Template::parse(row.lead), Template::parse(row.form));
        let is_plain = lead.is_plain() && form.is_plain();
        let names_next = [lead.names_next(), form.names_next()];
        all[at] = Templates { lead, form, is_plain, names_next };
        at += 1;
    }
    all
};

impl Templates {
    /// Returns the template for a sequence of `len` bytes.
    fn of(&self, len: usize) -> &Template {
        if len == 1 { &self.lead } else { &self.form }
    }
}

/// Returns `true` if the message of an ill-formed sequence, `len` bytes long, may depend on the byte
/// after it.
#[inline]
pub(crate) fn names_next(kind: Kind, len: usize) -> bool {
    TEMPLATES[kind as usize].names_next[usize::from(len > 1)]
}

/// Appends the message of a finding, without the kind's id. `next` is the byte after the
/// ill-formed sequence. Returns where `out` [names](next_byte) it.
pub(crate) fn message(
    out: &mut Vec<u8>,
    encoding: &Encoding,
    segment: &FaultSegment<'_>,
    next: Option<u8>,
) -> Option<Range<usize>> {
    Subject::of(encoding, segment, next, false).write_segment(out, segment)
}

/// Appends what a message says of the byte after the ill-formed sequence: its digits, and its
/// character if it is printable ASCII.
#[inline]
pub(crate) fn next_byte(out: &mut Vec<u8>, next: u8) {
    let [high, low] = write::hex(next);
    match next {
        b' '..=b'~' => out.all(&[high, low, b' ', b'"', next, b'"']),
        _ => out.all(&[high, low]),
    }
}

/// Appends the message of a finding as the content of a JSON string. Returns `false`, and appends
/// nothing, if it may need other escapes than those of one quoted byte.
pub(crate) fn json_message(
    out: &mut Vec<u8>,
    encoding: &Encoding,
    segment: &FaultSegment<'_>,
    next: Option<u8>,
) -> bool {
    let is_plain = TEMPLATES[segment.kind as usize].is_plain;
    if is_plain {
        Subject::of(encoding, segment, next, true).write_segment(out, segment);
    }
    is_plain
}

/// Appends the message of a lint about a code point, without the lint's id.
pub(crate) fn lint_message(out: &mut Vec<u8>, lint: Lint, value: Option<u32>, detail: &[u8]) {
    let mut rest = lint.row().message;
    while let Some((text, placeholder)) = rest.split_once('{') {
        out.extend_from_slice(text.as_bytes());
        let (name, behind) = placeholder.split_once('}').unwrap_or((placeholder, ""));
        match (name, value) {
            ("character", Some(value)) => {
                write::code_point(out, value);
                out.push(b' ');
                out.extend(character::name(value).bytes());
            }
            _ => out.extend_from_slice(detail),
        }
        rest = behind;
    }
    out.extend_from_slice(rest.as_bytes());
}

/// Appends the message of a code point that a codec cannot hold.
pub(crate) fn unencodable(out: &mut Vec<u8>, encoding: &Encoding, value: u32) {
    let (sequence, announced, value, next, json) = (&[][..], 0, Some(value), None, false);
    Subject { encoding, sequence, announced, value, next, json }.write(out, Kind::Unencodable);
}

/// The subject of a message.
struct Subject<'a> {
    /// The codec.
    encoding: &'a Encoding,
    /// The ill-formed sequence.
    sequence: &'a [u8],
    /// The number of bytes that its first ones announce.
    announced: usize,
    /// Its value, if it has all its bytes.
    value: Option<u32>,
    /// The byte after it; `None` at the end of input.
    next: Option<u8>,
    /// True if the message is the content of a JSON string.
    json: bool,
}

impl<'a> Subject<'a> {
    fn of(
        encoding: &'a Encoding,
        segment: &FaultSegment<'a>,
        next: Option<u8>,
        json: bool,
    ) -> Subject<'a> {
        let sequence = segment.sequence;
        let value = encoding.spelt_value(segment.kind, sequence);
        let announced = encoding.announced(sequence);
        Subject { encoding, sequence, announced, value, next, json }
    }

    /// Appends the message of a segment of the sequence. Returns where it names the byte after that.
    fn write_segment(&self, out: &mut Vec<u8>, segment: &FaultSegment<'_>) -> Option<Range<usize>> {
        if segment.bytes.len() < self.sequence.len() {
            out.extend_from_slice(b"byte ");
            write::bytes(out, segment.bytes);
            out.extend_from_slice(b" of ");
        }
        self.write(out, segment.kind)
    }

    /// Appends the message of a kind. Returns where it names the byte after the sequence.
    fn write(&self, out: &mut Vec<u8>, kind: Kind) -> Option<Range<usize>> {
        let mut named = None;
        let mut parts = TEMPLATES[kind as usize].of(self.sequence.len()).parts();
        while let [part, rest @ ..] = parts {
            let start = out.len();
            out.front(&part.text, part.len.into());
            parts = rest;
            let fact = out.len();
            let is_known = self.put(out, part.fact);
            if let (Fact::Next, Some(_)) = (part.fact, self.next) {
                named = Some(fact..out.len()).filter(|named| !named.is_empty());
            }
            if !is_known && part.group > 0 {
                out.truncate(start);
                parts = &rest[usize::from(part.group) - 1..];
            }
        }
        named
    }

    /// Appends a fact. Returns `false` if it is empty.
    #[inline]
    fn put(&self, out: &mut Vec<u8>, fact: Fact) -> bool {
        match fact {
            Fact::None => {}
            Fact::Bytes => write::bytes(out, self.sequence),
            Fact::Announced => write::decimal(out, self.announced as u64),
            Fact::Value => match self.value {
                Some(value) => write::code_point(out, value),
                None => return false,
            },
            Fact::Next => return self.put_next(out),
            Fact::Expected => return self.put_expected(out),
            Fact::Text => {
                escape(out, self.sequence, EscapeStyle::Quote);
                // A shift is no start of an escape sequence.
                let shown =
                    matches!(self.sequence, [byte] if !matches!(*byte, SHIFT_IN | SHIFT_OUT));
                out.extend(self.next.filter(|next| shown && next.is_ascii_graphic()));
            }
            Fact::Codec => write::text(out, self.encoding.name.as_bytes()),
            Fact::Item => write::text(out, self.encoding.inner.item.as_bytes()),
        }
        true
    }

    fn put_next(&self, out: &mut Vec<u8>) -> bool {
        let is_short = self.value.is_none() && self.sequence.len() < self.announced;
        if is_short {
            match self.next {
                Some(next @ b' '..=b'~') if self.json => {
                    let [high, low] = write::hex(next);
                    out.all(&[high, low, b' ', b'\\', b'"']);
                    if let b'"' | b'\\' = next {
                        out.push(b'\\');
                    }
                    out.all(&[next, b'\\', b'"']);
                }
                Some(next) => next_byte(out, next),
                None => out.extend_from_slice(b"the end of input"),
            }
        }
        is_short
    }

    fn put_expected(&self, out: &mut Vec<u8>) -> bool {
        let unit = self.encoding.inner.unit;
        if self.next.is_none() && !self.sequence.len().is_multiple_of(unit) {
            out.extend(format!("code units of {unit} bytes").bytes());
            return true;
        }
        // A range that holds the byte after the sequence does not explain why it is ill-formed.
        let explains =
            |range: &RangeInclusive<u8>| self.next.is_none_or(|next| !range.contains(&next));
        let range = (self.encoding.inner.expected)(self.sequence).filter(explains);
        if let Some(range) = &range {
            let ([a, b], [c, d]) = (write::hex(*range.start()), write::hex(*range.end()));
            let len = if range.start() < range.end() { 6 } else { 2 };
            out.front(&[a, b, b'.', b'.', c, d], len);
        }
        range.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::Step;

    #[test]
    fn messages_in_json_are_escaped_messages() {
        let encodings = [Encoding::UTF_8, crate::registry::by_name("json")];
        let sequences: [&[u8]; 9] = [
            b"\x80",
            b"\xC1",
            b"\xE2\x82",
            b"\xC0\x80",
            b"\xE0\x80\xAF",
            b"\xED\xA0\x80",
            b"\xFF",
            b"\xF8\x88\x80\x80\x80",
            b"\\q",
        ];
        let mut plain = 0;
        for (encoding, bytes) in encodings.iter().flat_map(|e| sequences.map(|bytes| (e, bytes))) {
            let Step::Ill { kind, len, .. } = encoding.step(bytes) else { continue };
            let (at, columns_before, columns) = (0, 0, 1);
            let sequence = &bytes[..len];
            let cases = (0..=255).map(Some).chain([None]).flat_map(|next| [(next, 1), (next, len)]);
            for (next, short) in cases.step_by(crate::TEST_STRIDE) {
                let bytes = &sequence[..short];
                let segment = FaultSegment { at, bytes, sequence, kind, columns_before, columns };
                let (mut text, mut escaped, mut json) = Default::default();
                message(&mut text, encoding, &segment, next);
                escape(&mut escaped, &text, EscapeStyle::Json);
                if json_message(&mut json, encoding, &segment, next) {
                    assert_eq!(json, escaped, "{}", String::from_utf8_lossy(&text));
                    plain += 1;
                }
            }
        }
        assert!(plain > 1000 / crate::TEST_STRIDE, "{plain}");
    }
}
