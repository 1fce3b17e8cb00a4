//! What does a row look like before it is opened?

use super::cells::{CellView, characters};
use crate::codec::BOM;
use crate::dump::{DumpItem, Meaning, cells};
use crate::text::character;
use crate::text::html::escape;
use crate::text::write;

impl CellView {
    /// Append how the row of a sequence begins, up to its offset. A fault may have a number, by
    /// which it is linked to.
    pub fn begin(&self, out: &mut Vec<u8>, item: &DumpItem<'_>, number: Option<u64>) {
        out.extend_from_slice(b"<details");
        let class: &[u8] = match item.what {
            Meaning::Ill(..) if item.is_cut() => b" class=\"f k\"",
            Meaning::Ill(..) => b" class=\"f\"",
            _ if item.is_cut() => b" class=\"k\"",
            Meaning::Signature | Meaning::Skip => b" class=\"g\"",
            Meaning::Scalar(_) | Meaning::Two(_) => b"",
        };
        out.extend_from_slice(class);
        if let Some(number) = number {
            out.extend_from_slice(b" id=\"f");
            write::decimal(out, number);
            out.push(b'"');
        }
        out.extend_from_slice(b"><summary><code>");
        cells::offset(out, item.start());
    }

    /// Append the rest of the row.
    pub fn rest(&self, out: &mut Vec<u8>, item: &DumpItem<'_>) {
        out.extend_from_slice(b"</code><code>");
        self.bits(out, item);
        out.extend_from_slice(b"</code><code>");
        self.hex(out, item.bytes());
        out.extend_from_slice(b"</code>");
        self.what(out, item);
        out.extend_from_slice(b"</summary>");
        self.explain(out, item);
        out.extend_from_slice(b"</details>\n");
    }

    fn what(&self, out: &mut Vec<u8>, item: &DumpItem<'_>) {
        match item.what {
            _ if item.is_cut() => note(out, "em", b"part", &item.part(self.names)),
            Meaning::Scalar(value) => self.named(out, item, &[value]),
            Meaning::Two(values) => self.named(out, item, &values),
            Meaning::Signature => note(out, "em", b"signature", b"U+FEFF, the byte order mark"),
            Meaning::Skip => note(out, "em", b"no character", b"part of the spelling"),
            Meaning::Ill(kind, next) => {
                let message = item.message(self.spec, kind, next);
                note(out, "strong", kind.id().as_bytes(), &message);
            }
        }
    }

    /// Code points, what is shown of them, and their names.
    fn named(&self, out: &mut Vec<u8>, item: &DumpItem<'_>, values: &[u32]) {
        out.extend_from_slice(b"<code>");
        for (at, &value) in values.iter().enumerate() {
            out.extend_from_slice(if at > 0 { b" " } else { b"" });
            write::code_point(out, value);
        }
        out.extend_from_slice(b"</code>");
        characters(out, values);
        if self.names {
            let names: Vec<String> = values.iter().map(|&value| character::name(value)).collect();
            out.extend_from_slice(b"<span>");
            escape(out, names.join(" + ").as_bytes());
            if item.offset == 0 && values == [BOM] {
                out.extend_from_slice(b" (byte order mark)");
            }
            out.extend_from_slice(b"</span>");
        }
    }

    /// Append a row of printable characters, which these items are.
    pub fn folded<'a>(
        &self,
        out: &mut Vec<u8>,
        offset: u64,
        bytes: &[u8],
        text: &[u8],
        items: impl Iterator<Item = DumpItem<'a>>,
    ) {
        out.extend_from_slice(b"<details class=\"t\"><summary><code>");
        cells::offset(out, offset);
        out.extend_from_slice(b"</code><code>");
        self.hex(out, bytes);
        out.extend_from_slice(b"</code><bdi>");
        escape(out, text);
        out.extend_from_slice(b"</bdi></summary><ul>");
        for (item, &character) in items.zip(text) {
            out.extend_from_slice(b"<li><code>");
            self.bits(out, &item);
            out.extend_from_slice(b"</code> ");
            escape(
                out,
                if character == b' ' { "␣".as_bytes() } else { std::slice::from_ref(&character) },
            );
            out.extend_from_slice(b"</li>");
        }
        out.extend_from_slice(b"</ul></details>\n");
    }
}

/// What a sequence is that stands for no character: a label, and what there is to say.
fn note(out: &mut Vec<u8>, tag: &str, label: &[u8], text: &[u8]) {
    out.extend_from_slice(format!("<span><{tag}>").as_bytes());
    escape(out, label);
    out.extend_from_slice(format!("</{tag}> ").as_bytes());
    escape(out, text);
    out.extend_from_slice(b"</span>");
}
