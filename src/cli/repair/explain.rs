//! Report of skipped repairs and policy replacements: `--explain`.

use super::run::dropped_lines;
use crate::cli::changes::MOST;
use crate::cli::diff::front;
use crate::policy::Policy;
use crate::registry::Encoding;
use crate::repair::{RepairSummary, SkippedRepair};
use crate::text::escape::{EscapeStyle, escape};
use crate::text::json::JsonObject;
use crate::text::name::InputName;
use crate::text::number::counted;
use crate::text::write;

/// The number of bytes of a text in a line.
const SHOWN: usize = 96;

/// The counts of a repair, and their presentation.
pub(super) struct RepairReport {
    pub codec: &'static Encoding,
    pub policy: Policy,
    /// True if characters other than ASCII may be shown.
    pub unicode: bool,
    /// The number of unchanged multi-byte UTF-8 sequences; in other codecs, of unchanged bytes.
    pub kept: u64,
}

impl RepairReport {
    /// Counts unchanged bytes.
    pub fn same(&mut self, bytes: &[u8]) {
        let lead = |byte: &&u8| **byte >= 0xC0;
        self.kept += match self.codec.inner.utf8 {
            true => bytes.iter().filter(lead).count() as u64,
            false => bytes.len() as u64,
        };
    }

    /// Appends a line about a skipped repair.
    pub fn line(&self, name: &InputName<'_>, skipped: &SkippedRepair<'_>, out: &mut Vec<u8>) {
        out.extend_from_slice(name.shown());
        out.extend_from_slice(b": byte ");
        write::decimal(out, skipped.offset);
        out.extend_from_slice(b": ");
        self.quote(skipped.text, out);
        match &skipped.decoded {
            Some((page, spelt)) => {
                out.extend_from_slice(b" would be ");
                self.quote(spelt.as_bytes(), out);
                out.extend_from_slice(format!(" ({}), but is left: ", page.name).as_bytes());
            }
            None => out.extend_from_slice(b" is left: "),
        }
        let row = skipped.reason.row();
        out.extend_from_slice(format!("{} [{}]\n", row.summary, row.name).as_bytes());
    }

    /// Appends a quoted text.
    fn quote(&self, text: &[u8], out: &mut Vec<u8>) {
        let spelling = if self.unicode { EscapeStyle::Text } else { EscapeStyle::Ascii };
        out.push(b'"');
        escape(out, front(text, SHOWN), spelling);
        out.push(b'"');
        if text.len() > SHOWN {
            out.extend_from_slice(b"...");
        }
    }

    /// Returns the counts, in a line.
    pub fn summary(&self, account: &RepairSummary) -> String {
        let kept = match self.codec.inner.utf8 {
            true if self.kept == 0 => "kept no multi-byte UTF-8 sequence".to_owned(),
            true => format!("kept {}", counted(self.kept, "multi-byte UTF-8 sequence")),
            false => format!("kept {}", counted(self.kept, "byte")),
        };
        let treated = match self.policy {
            Policy::Strict => return kept,
            Policy::DropLine => counted(dropped_lines(account), "line"),
            _ => counted(account.treated, "byte"),
        };
        format!("{kept}, {treated} {}", self.policy.done())
    }

    /// Adds the counts to an object.
    pub fn count(&self, account: &RepairSummary, object: &mut JsonObject<'_>) {
        let key = if self.codec.inner.utf8 { "kept_sequences" } else { "kept_bytes" };
        object.number(key, self.kept);
        object.number("on_error_bytes", account.treated);
    }
}

/// Appends an object about a skipped repair.
pub(super) fn object(name: &InputName<'_>, skipped: &SkippedRepair<'_>, out: &mut Vec<u8>) {
    let mut object = JsonObject::new(out, "note");
    object.path(name);
    object.number("offset", skipped.offset);
    object.string("text", front(skipped.text, MOST));
    if let Some((page, spelt)) = &skipped.decoded {
        object.plain("page", page.name.as_bytes());
        object.string("spells", front(spelt.as_bytes(), MOST));
    }
    object.plain("left", skipped.reason.row().name.as_bytes());
    object.end();
}
