//! Record of the changes of a repair.

use std::io;

use super::explain::{self, RepairReport};
use crate::cli::prose::{counted, grouped};
use crate::output::Output;
use crate::registry::Encoding;
use crate::repair::{Change, Journal, RepairReason, RepairSummary, SkippedRepair};
use crate::text::json::JsonObject;
use crate::text::name::InputName;
use crate::text::write;

/// The number of bytes of a change in a line.
const SHOWN: usize = 16;

/// The number of bytes of a text in JSON.
pub(in crate::cli) const MOST: usize = 4096;

/// The form of the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RecordForm {
    /// A line for each change.
    Lines,
    /// JSON Lines.
    Json,
}

/// Writes the record of one input.
pub(super) struct ChangeRecord<'a> {
    pub name: &'a InputName<'a>,
    pub form: RecordForm,
    /// True if changes and the summary are written.
    pub changes: bool,
    /// The report of skipped repairs, if it is wanted.
    pub explain: Option<RepairReport>,
    pub out: Output,
}

impl Journal for ChangeRecord<'_> {
    fn same(&mut self, _: u64, bytes: &[u8]) -> io::Result<()> {
        if let Some(explain) = &mut self.explain {
            explain.same(bytes);
        }
        Ok(())
    }

    fn change(&mut self, change: &Change<'_>) -> io::Result<()> {
        match self.form {
            _ if !self.changes => {}
            RecordForm::Lines => self.line(change),
            RecordForm::Json => self.object(change),
        }
        self.out.settle()
    }

    fn skipped(&mut self, skipped: &SkippedRepair<'_>) -> io::Result<()> {
        match (&self.explain, self.form) {
            (None, _) => {}
            (Some(explain), RecordForm::Lines) => {
                explain.line(self.name, skipped, self.out.buffer())
            }
            (Some(_), RecordForm::Json) => explain::object(self.name, skipped, self.out.buffer()),
        }
        self.out.settle()
    }
}

impl ChangeRecord<'_> {
    fn line(&mut self, change: &Change<'_>) {
        let out = self.out.buffer();
        out.extend_from_slice(self.name.shown());
        out.extend_from_slice(b": byte ");
        write::decimal(out, change.offset);
        if change.written != change.offset {
            out.extend_from_slice(b" (now ");
            write::decimal(out, change.written);
            out.push(b')');
        }
        out.extend_from_slice(b": ");
        bytes(out, change.before, change.length());
        out.extend_from_slice(b" -> ");
        bytes(out, change.after, change.after.len() as u64);
        out.extend_from_slice(format!(" [{}]\n", change.reasons).as_bytes());
    }

    fn object(&mut self, change: &Change<'_>) {
        let mut object = JsonObject::new(self.out.buffer(), "change");
        object.path(self.name);
        object.number("offset", change.offset);
        object.number("length", change.length());
        object.hex("hex", &change.before[..change.before.len().min(MOST)]);
        object.number("new_offset", change.written);
        object.number("new_length", change.after.len() as u64);
        object.hex("new_hex", &change.after[..change.after.len().min(MOST)]);
        let reasons: Vec<_> = change.reasons.iter().map(RepairReason::name).collect();
        object.strings("reasons", &reasons);
        object.end();
    }

    /// Writes the summary of an input that was read to its end. `repaired` says whether the output
    /// is complete.
    pub fn sum_up(&mut self, codec: &Encoding, account: &RepairSummary, repaired: bool) {
        if self.form == RecordForm::Lines {
            return self.explain_all(account);
        }
        let mut object = JsonObject::new(self.out.buffer(), "summary");
        object.path(self.name);
        object.plain("codec", codec.name.as_bytes());
        object.number("size", account.read);
        object.number("new_size", account.written);
        object.number("changes", account.changes);
        object.bool("repaired", repaired);
        let mut by_reason = JsonObject::nested(object.key("by_reason"));
        for (reason, number) in account.by_reason() {
            by_reason.number(reason.name(), number);
        }
        by_reason.close();
        if let Some(explain) = &self.explain {
            explain.count(account, &mut object);
        }
        object.end();
    }

    fn explain_all(&mut self, account: &RepairSummary) {
        if let Some(explain) = &self.explain {
            let out = self.out.buffer();
            out.extend_from_slice(self.name.shown());
            out.extend_from_slice(format!(": {}\n", explain.summary(account)).as_bytes());
        }
    }
}

/// Appends the first bytes of a change, which has `length` bytes.
fn bytes(out: &mut Vec<u8>, bytes: &[u8], length: u64) {
    match bytes {
        [] => out.extend_from_slice(b"nothing"),
        _ => write::bytes(out, &bytes[..bytes.len().min(SHOWN)]),
    }
    if length > SHOWN as u64 {
        out.extend_from_slice(format!(" ... ({})", counted(length, "byte")).as_bytes());
    }
}

/// Returns the counts of an input, in a line.
pub(super) fn summary(account: &RepairSummary) -> String {
    let reasons: Vec<_> = account
        .by_reason()
        .map(|(reason, number)| format!("{} {}", grouped(number), reason.name()))
        .collect();
    let why = if reasons.is_empty() { String::new() } else { format!(": {}", reasons.join(", ")) };
    let (read, written) = (counted(account.read, "byte"), grouped(account.written));
    format!("{read}, {written} after {}{why}", counted(account.changes, "change"))
}
