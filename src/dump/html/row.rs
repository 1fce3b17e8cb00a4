//! Rows of a page: the cells of a sequence, and the explanation that opens below them.

use super::HtmlWriter;
use crate::codec::{BOM, Group};
use crate::dump::clusters::TIE;
use crate::dump::fold::AsciiFold;
use crate::dump::{CellBase, DumpItem, Meaning};
use crate::issue::{Class, Kind};
use crate::registry::Encoding;
use crate::text::character::{self, shape};
use crate::text::write;

/// Options of rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowStyle {
    /// Encoding of the sequences.
    pub encoding: &'static Encoding,
    /// Writes hexadecimal digits in upper case.
    pub upper: bool,
    /// Shows the names of characters.
    pub names: bool,
}

/// The row, which is always visible.
impl RowStyle {
    /// Begins the row of a sequence, up to its offset. An ill-formed sequence with a number is the
    /// target of a link.
    pub fn begin_row(&self, html: &mut HtmlWriter<'_>, item: &DumpItem<'_>, number: Option<u64>) {
        html.markup("<details");
        html.markup(match item.meaning {
            Meaning::Ill(..) if item.is_cut() => " class=\"f k\"",
            Meaning::Ill(..) => " class=\"f\"",
            _ if item.is_cut() => " class=\"k\"",
            Meaning::Signature | Meaning::Skip => " class=\"g\"",
            Meaning::Scalar(_) | Meaning::Several(_) => "",
        });
        if let Some(number) = number {
            html.markup(" id=\"f");
            html.number(number);
            html.markup("\"");
        }
        html.markup("><summary><code>");
        html.offset(item.start());
    }

    /// Appends the part of the row after the offset, with the explanation. `cluster` is the offset
    /// of the grapheme cluster that the sequence continues.
    pub fn finish_row(&self, html: &mut HtmlWriter<'_>, item: &DumpItem<'_>, cluster: Option<u64>) {
        html.markup("</code>");
        html.element("code", |html| self.bits(html, item));
        html.element("code", |html| self.hex(html, item.bytes()));
        self.meaning(html, item, cluster.is_some());
        html.markup("</summary>");
        self.explain(html, item);
        if let Some(offset) = cluster {
            html.element("p", |html| {
                html.markup("Continues the grapheme cluster at ");
                html.element("code", |html| html.offset(offset));
                html.markup(", which is one character to readers.");
            });
        }
        html.markup("</details>\n");
    }

    /// Appends the cells about the meaning of a sequence. `joined` says that it continues a grapheme
    /// cluster.
    fn meaning(&self, html: &mut HtmlWriter<'_>, item: &DumpItem<'_>, joined: bool) {
        match item.meaning {
            _ if item.is_cut() => label(html, "em", b"part", &item.describe_part(self.names)),
            Meaning::Scalar(value) => self.code_points(html, item, &[value], joined),
            Meaning::Several(values) => self.code_points(html, item, &values, joined),
            Meaning::Signature => label(html, "em", b"signature", b"U+FEFF, the byte order mark"),
            Meaning::Skip => label(html, "em", b"no character", b"control of the encoding"),
            Meaning::Ill(kind, next) => {
                let message = item.message(self.encoding, kind, next);
                label(html, "strong", kind.id().as_bytes(), &message);
            }
        }
    }

    /// Appends the cells of code points, their characters and their names.
    fn code_points(
        &self,
        html: &mut HtmlWriter<'_>,
        item: &DumpItem<'_>,
        values: &[u32],
        joined: bool,
    ) {
        html.element("code", |html| {
            for (at, &value) in values.iter().enumerate() {
                html.markup(if at > 0 { " " } else { "" });
                write::code_point(html.out, value);
            }
        });
        characters(html, values, joined);
        if self.names {
            let names: Vec<String> = values.iter().map(|&value| character::name(value)).collect();
            html.element("span", |html| {
                html.text(names.join(" + ").as_bytes());
                if item.offset == 0 && values == [BOM] {
                    html.markup(" (byte order mark)");
                }
            });
        }
    }

    /// Appends a row of folded characters. Its explanation has the bits of each.
    pub fn folded_row(&self, html: &mut HtmlWriter<'_>, fold: &AsciiFold) {
        html.markup("<details class=\"t\"><summary>");
        html.element("code", |html| html.offset(fold.offset()));
        html.element("code", |html| self.hex(html, fold.bytes()));
        html.text_element("bdi", fold.text());
        html.markup("</summary>");
        html.element("ul", |html| {
            for (item, character) in fold.items().zip(fold.text()) {
                html.element("li", |html| {
                    html.element("code", |html| self.bits(html, &item));
                    html.markup(" ");
                    match character {
                        b' ' => html.markup("␣"),
                        _ => html.text(std::slice::from_ref(character)),
                    }
                });
            }
        });
        html.markup("</details>\n");
    }
}

/// The cells of bytes.
impl RowStyle {
    /// Appends the bits of the bytes in the range: a lead byte in `<b>`, a continuation byte in
    /// `<u>`, marker bits in `<i>`.
    fn bits(&self, html: &mut HtmlWriter<'_>, item: &DumpItem<'_>) {
        for at in item.before..item.before + item.len {
            if at > item.before {
                html.markup(" ");
            }
            let bits = self.split(item.sequence, at);
            match self.byte_part(item.sequence, at) {
                Some(BytePart::Lead(_)) => html.element("b", |html| split_bits(html, bits)),
                Some(BytePart::Continuation) => html.element("u", |html| split_bits(html, bits)),
                Some(BytePart::Single) | None => split_bits(html, bits),
            }
        }
    }

    /// Appends hexadecimal digits with blanks between the bytes.
    fn hex(&self, html: &mut HtmlWriter<'_>, bytes: &[u8]) {
        for (at, &byte) in bytes.iter().enumerate() {
            html.markup(if at > 0 { " " } else { "" });
            html.digits(CellBase::Hex.digits(self.upper, byte));
        }
    }

    /// Returns the marker bits and the payload bits of a byte of a sequence, as digits.
    fn split(&self, sequence: &[u8], at: usize) -> (&'static [u8], &'static [u8]) {
        let digits = CellBase::Bits.digits(false, sequence[at]);
        digits.split_at(((self.encoding.inner.markers)(sequence, at) as usize).min(digits.len()))
    }

    /// Returns the part that a byte plays in a sequence. `None` if its own bits do not show it.
    fn byte_part(&self, sequence: &[u8], at: usize) -> Option<BytePart> {
        let family = self.encoding.group == Group::Family;
        let is_marked = family || self.encoding.group == Group::Transformation;
        if !is_marked || self.split(sequence, at).0.is_empty() {
            return None;
        }
        let first = sequence[at];
        // The second half of a CESU-8 pair has a lead byte of its own.
        if at > 0 && !(family && first >= 0xC0) || family && matches!(first, 0x80..0xC0) {
            return Some(BytePart::Continuation);
        }
        match self.encoding.announced(&sequence[at..]) {
            1 => first.is_ascii().then_some(BytePart::Single),
            announced => Some(BytePart::Lead(announced)),
        }
    }
}

/// The part that a byte plays in a sequence.
enum BytePart {
    /// The only byte.
    Single,
    /// The lead byte of a sequence of this number of bytes.
    Lead(usize),
    /// A continuation byte.
    Continuation,
}

/// Appends marker bits and payload bits, with a point between them.
fn split_bits(html: &mut HtmlWriter<'_>, (marker, payload): (&[u8], &[u8])) {
    if !marker.is_empty() {
        html.element("i", |html| html.digits(marker));
    }
    if !marker.is_empty() && !payload.is_empty() {
        html.markup("·");
    }
    html.digits(payload);
}

/// Appends the shapes of characters, after a tie if they continue a grapheme cluster. Stand-ins are
/// marked with a class.
fn characters(html: &mut HtmlWriter<'_>, values: &[u32], joined: bool) {
    let shapes = || values.iter().map(|&value| shape(value, true));
    let stand_in = shapes().any(|shape| shape.stand_in);
    html.markup(if stand_in { "<bdi class=\"x\">" } else { "<bdi>" });
    if joined {
        html.element("i", |html| html.markup(TIE));
    }
    for shape in shapes() {
        html.text(shape.text());
    }
    html.markup("</bdi>");
}

/// Appends a cell with a label and a text, for a sequence without a character.
fn label(html: &mut HtmlWriter<'_>, name: &str, label: &[u8], text: &[u8]) {
    html.element("span", |html| {
        html.text_element(name, label);
        html.markup(" ");
        html.text(text);
    });
}

/// The explanation, which is visible in an open row.
impl RowStyle {
    /// Appends the explanation of a sequence.
    fn explain(&self, html: &mut HtmlWriter<'_>, item: &DumpItem<'_>) {
        if item.is_cut() {
            self.explain_cut(html, item);
        }
        self.explain_bytes(html, item.sequence);
        match item.meaning {
            Meaning::Scalar(value) => self.explain_scalar(html, item.sequence, value),
            Meaning::Several(values) => {
                let points: Vec<_> = values.iter().map(|&value| code_point(value)).collect();
                paragraph(html, &points.join(" and "));
            }
            Meaning::Signature => paragraph(
                html,
                "U+FEFF at the start of the input: a signature of the encoding, not part of the text.",
            ),
            Meaning::Skip => {
                paragraph(
                    html,
                    "A control of the encoding, such as a shift. It has no code point.",
                );
            }
            Meaning::Ill(kind, next) => self.explain_fault(html, item, kind, next),
        }
    }

    /// Shows the whole of a sequence that the range cuts.
    fn explain_cut(&self, html: &mut HtmlWriter<'_>, item: &DumpItem<'_>) {
        html.element("p", |html| {
            html.markup("The range cuts the sequence ");
            html.element("code", |html| self.hex(html, item.sequence));
            html.markup(" at ");
            html.element("code", |html| html.offset(item.offset));
            html.markup(".");
        });
    }

    /// Lists the bytes with the parts that they play and their payload bits.
    fn explain_bytes(&self, html: &mut HtmlWriter<'_>, sequence: &[u8]) {
        let start = html.out.len();
        html.markup("<ul>");
        let empty = html.out.len();
        for at in 0..sequence.len() {
            let Some(part) = self.describe_byte(sequence, at) else { continue };
            html.element("li", |html| {
                html.element("code", |html| self.hex(html, &sequence[at..=at]));
                html.markup(" ");
                html.text(part.as_bytes());
                if let ([_, ..], payload @ [_, ..]) = self.split(sequence, at) {
                    html.markup(", carries ");
                    html.element("code", |html| html.digits(payload));
                }
            });
        }
        if html.out.len() == empty {
            html.out.truncate(start);
        } else {
            html.markup("</ul>");
        }
    }

    /// Describes the part that a byte plays in a sequence. `None` if there is nothing to add to its
    /// digits.
    fn describe_byte(&self, sequence: &[u8], at: usize) -> Option<String> {
        match self.byte_part(sequence, at) {
            Some(BytePart::Single) => Some("single byte".to_owned()),
            Some(BytePart::Lead(announced)) => Some(format!("lead byte of {announced}")),
            Some(BytePart::Continuation) => Some("continuation byte".to_owned()),
            None if self.encoding.group == Group::Notation || sequence.len() == 1 => None,
            None => Some(format!("byte {} of {}", at + 1, sequence.len())),
        }
    }

    /// Shows how a code point follows from the bytes.
    fn explain_scalar(&self, html: &mut HtmlWriter<'_>, sequence: &[u8], value: u32) {
        html.element("p", |html| {
            if let Some(derivation) = (self.encoding.inner.derivation)(sequence) {
                html.text_element("code", derivation.as_bytes());
                html.markup("<br/>");
            } else if self.payload(sequence) == Some(u64::from(value)) {
                html.element("code", |html| {
                    for at in 0..sequence.len() {
                        html.markup(if at > 0 { " " } else { "" });
                        html.digits(self.split(sequence, at).1);
                    }
                });
                html.markup(" = ");
            }
            html.text(code_point(value).as_bytes());
        });
    }

    /// Returns the number that the payload bits form. `None` for more than eight bytes.
    fn payload(&self, sequence: &[u8]) -> Option<u64> {
        let bits = (0..sequence.len()).flat_map(|at| self.split(sequence, at).1);
        (sequence.len() <= 8).then(|| bits.fold(0, |value, bit| value << 1 | u64::from(bit & 1)))
    }

    /// Explains why a sequence is ill-formed.
    fn explain_fault(
        &self,
        html: &mut HtmlWriter<'_>,
        item: &DumpItem<'_>,
        kind: Kind,
        next: Option<u8>,
    ) {
        let offset = item.offset;
        paragraph(html, &format!("{kind} (class {}): {}.", kind.class(), kind.row().explanation));
        if let Some(unexpected) = self.unexpected(item.sequence, kind, next) {
            paragraph(html, &unexpected);
        }
        let whole = kind.class() != Class::Truncated;
        if let Some(value) = (self.encoding.inner.spells)(item.sequence).filter(|_| whole) {
            let name = character::name(value);
            paragraph(html, &format!("It would decode to U+{value:04X} {name}."));
        }
        paragraph(html, &format!("Offset: byte {offset}."));
    }

    /// Describes the first byte that cannot follow the bytes before it. `next` is the byte after the
    /// sequence. `None` if there is no such byte.
    fn unexpected(&self, sequence: &[u8], kind: Kind, next: Option<u8>) -> Option<String> {
        if kind.class() == Class::Syntax {
            return None;
        }
        let truncated = usize::from(kind.class() == Class::Truncated);
        let found = |at: usize| sequence.get(at).copied().or(next);
        let (at, range) = (1..sequence.len() + truncated).find_map(|at| {
            let range = (self.encoding.inner.expected)(&sequence[..at])?;
            found(at).is_none_or(|byte| !range.contains(&byte)).then_some((at, range))
        })?;
        let before = hex_bytes(&sequence[..at]);
        let found = found(at).map_or("the end of the input".to_owned(), |byte| hex_bytes(&[byte]));
        let expected = [*range.start(), *range.end()].map(|byte| hex_bytes(&[byte])).join("..");
        Some(format!("After {before}, a byte of {expected} was expected; found: {found}."))
    }
}

/// Formats bytes as messages do: `E2 82 AC`.
fn hex_bytes(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect::<Vec<_>>().join(" ")
}

/// Formats a code point in hexadecimal and decimal, with its category.
fn code_point(value: u32) -> String {
    let category = match character::category(value) {
        Some((category, name)) => format!(", category {category}: {name}"),
        None => String::new(),
    };
    format!("U+{value:04X} = {value}{category}")
}

/// Appends a paragraph of text.
fn paragraph(html: &mut HtmlWriter<'_>, text: &str) {
    html.text_element("p", text.as_bytes());
}
