//! What does each bit of a sequence say? What a row shows once it is opened.

use super::cells::CellView;
use crate::dump::{DumpItem, Meaning, cells};
use crate::issue::{Class, Kind};
use crate::text::character;
use crate::text::html::escape;

impl CellView {
    /// Append what there is to say of a sequence beyond its row.
    pub fn explain(&self, out: &mut Vec<u8>, item: &DumpItem<'_>) {
        if item.is_cut() {
            self.explain_cut(out, item);
        }
        self.explain_bytes(out, item);
        match item.what {
            Meaning::Scalar(value) => self.explain_scalar(out, item, value),
            Meaning::Two(values) => {
                paragraph(out, &values.map(point).join(" and "));
            }
            Meaning::Signature => paragraph(
                out,
                "U+FEFF at the start of the input: it tells how the text is spelt, and is no part of it.",
            ),
            Meaning::Skip => {
                paragraph(
                    out,
                    "These bytes are part of the text's spelling, and stand for nothing.",
                );
            }
            Meaning::Ill(kind, next) => self.explain_fault(out, item, kind, next),
        }
    }

    /// The whole of a sequence that the range cuts.
    fn explain_cut(&self, out: &mut Vec<u8>, item: &DumpItem<'_>) {
        out.extend_from_slice(b"<p>The range cuts the sequence <code>");
        self.hex(out, item.sequence);
        out.extend_from_slice(b"</code> at <code>");
        cells::offset(out, item.offset);
        out.extend_from_slice(b"</code>.</p>");
    }

    /// What each byte is, where the codec marks it.
    fn explain_bytes(&self, out: &mut Vec<u8>, item: &DumpItem<'_>) {
        let start = out.len();
        out.extend_from_slice(b"<ul>");
        let empty = out.len();
        for at in 0..item.sequence.len() {
            let Some(role) = self.role(item.sequence, at) else { continue };
            out.extend_from_slice(b"<li><code>");
            self.hex(out, &item.sequence[at..=at]);
            out.extend_from_slice(b"</code> ");
            out.extend_from_slice(role.as_bytes());
            if let ([_, ..], payload @ [_, ..]) = self.split(item.sequence, at) {
                out.extend_from_slice(b", carries <code>");
                out.extend_from_slice(payload);
                out.extend_from_slice(b"</code>");
            }
            out.extend_from_slice(b"</li>");
        }
        if out.len() == empty {
            out.truncate(start);
        } else {
            out.extend_from_slice(b"</ul>");
        }
    }

    fn explain_scalar(&self, out: &mut Vec<u8>, item: &DumpItem<'_>, value: u32) {
        out.extend_from_slice(b"<p>");
        if let Some(derivation) = (self.spec.derivation)(item.sequence) {
            out.extend_from_slice(b"<code>");
            escape(out, derivation.as_bytes());
            out.extend_from_slice(b"</code><br/>");
        } else if self.payload(item.sequence) == Some(u64::from(value)) {
            out.extend_from_slice(b"<code>");
            for at in 0..item.sequence.len() {
                out.extend_from_slice(if at > 0 { b" " } else { b"" });
                out.extend_from_slice(self.split(item.sequence, at).1);
            }
            out.extend_from_slice(b"</code> = ");
        }
        escape(out, point(value).as_bytes());
        out.extend_from_slice(b"</p>");
    }

    /// The number that the bits beside the markers are, put together.
    fn payload(&self, sequence: &[u8]) -> Option<u64> {
        let bits = (0..sequence.len()).flat_map(|at| self.split(sequence, at).1);
        (sequence.len() <= 8).then(|| bits.fold(0, |value, bit| value << 1 | u64::from(bit & 1)))
    }

    fn explain_fault(&self, out: &mut Vec<u8>, item: &DumpItem<'_>, kind: Kind, next: Option<u8>) {
        let offset = item.offset;
        paragraph(out, &format!("{kind} (class {}): {}.", kind.class(), kind.about().when));
        if let Some(unexpected) = self.unexpected(item.sequence, kind, next) {
            paragraph(out, &unexpected);
        }
        let whole = kind.class() != Class::Truncated;
        if let Some(value) = (self.spec.spells)(item.sequence).filter(|_| whole) {
            let name = character::name(value);
            paragraph(out, &format!("It would spell U+{value:04X} {name}."));
        }
        paragraph(out, &format!("It starts at byte {offset}, counted from 0."));
    }

    /// Where a sequence is not what its beginning asks for.
    fn unexpected(&self, sequence: &[u8], kind: Kind, next: Option<u8>) -> Option<String> {
        if kind.class() == Class::Syntax {
            return None;
        }
        let truncated = usize::from(kind.class() == Class::Truncated);
        let found = |at: usize| sequence.get(at).copied().or(next);
        let (at, range) = (1..sequence.len() + truncated).find_map(|at| {
            let range = (self.spec.expected)(&sequence[..at])?;
            found(at).is_none_or(|byte| !range.contains(&byte)).then_some((at, range))
        })?;
        let before = hex(&sequence[..at]);
        let found = found(at).map_or("the end of the input".to_owned(), |byte| hex(&[byte]));
        let expected = [*range.start(), *range.end()].map(|byte| hex(&[byte])).join("..");
        Some(format!("After {before}, a byte of {expected} was expected; found: {found}."))
    }
}

/// Bytes as messages have them.
fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect::<Vec<_>>().join(" ")
}

/// A code point with its number and its category.
fn point(value: u32) -> String {
    let category = match character::category(value) {
        Some((category, name)) => format!(", category {category}: {name}"),
        None => String::new(),
    };
    format!("U+{value:04X} = {value}{category}")
}

fn paragraph(out: &mut Vec<u8>, text: &str) {
    out.extend_from_slice(b"<p>");
    escape(out, text.as_bytes());
    out.extend_from_slice(b"</p>");
}
