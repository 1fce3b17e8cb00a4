//! Changes in records: lines and JSON objects.

use std::borrow::Cow;

use crate::text::json::JsonObject;
use crate::text::name::InputName;
use crate::text::number::{counted, grouped};
use crate::text::write;

/// The number of bytes of a change in a line.
const SHOWN: usize = 16;

/// The number of bytes of a text in JSON.
pub(super) const MOST: usize = 4096;

/// The form of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RecordForm {
    /// A line for each change.
    Lines,
    /// JSON Lines.
    Json,
}

/// The numbers of the summary of an input.
#[derive(Debug)]
pub(super) struct ChangeCounts {
    /// The number of bytes of the input, and of those written.
    pub size: u64,
    pub written: u64,
    pub changes: u64,
    /// The reasons that occurred, each with its number of changes.
    pub by_reason: Vec<(&'static str, u64)>,
}

impl ChangeCounts {
    /// Adds the numbers and the outcome to an object.
    pub fn add_to(&self, object: &mut JsonObject<'_>, (done, is_done): (&str, bool)) {
        object.number("size", self.size);
        object.number("new_size", self.written);
        object.number("changes", self.changes);
        object.bool(done, is_done);
        let mut by_reason = JsonObject::nested(object.key("by_reason"));
        for (reason, number) in &self.by_reason {
            by_reason.number(reason, *number);
        }
        by_reason.close();
    }

    /// Returns the numbers in a line. `work` names the work: `conversion from latin1 to utf-8`.
    pub fn describe(&self, work: &str) -> String {
        let reasons = self.by_reason.iter();
        let reasons: Vec<_> = reasons.map(|(why, n)| format!("{} {why}", grouped(*n))).collect();
        let why = if reasons.is_empty() { "" } else { ": " };
        let (read, written) = (counted(self.size, "byte"), grouped(self.written));
        format!("{read}, {written} after {work}{why}{}", reasons.join(", "))
    }
}

/// A change of an input.
#[derive(Clone, Copy, Debug)]
pub(super) struct ShownChange<'a> {
    pub name: &'a InputName<'a>,
    /// The offset in the input, and that of the replacement in the output.
    pub offset: u64,
    pub written: u64,
    /// The first bytes of the input, and the number of all.
    pub before: &'a [u8],
    pub length: u64,
    pub after: &'a [u8],
    /// The bytes of a character that the writer held back before the change, and after it.
    pub pending: [&'a [u8]; 2],
    pub reasons: &'a [&'a str],
}

impl ShownChange<'_> {
    /// Appends the change in a form.
    pub fn append(&self, form: RecordForm, out: &mut Vec<u8>) {
        let (late, after) = own_text(self.after, self.pending);
        let change = ShownChange { written: self.written + late, after: &after, ..*self };
        match form {
            RecordForm::Lines => change.line(out),
            RecordForm::Json => change.object(out),
        }
    }

    fn line(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(self.name.shown());
        out.extend_from_slice(b": byte ");
        write::decimal(out, self.offset);
        if self.written != self.offset {
            out.extend_from_slice(b" (now ");
            write::decimal(out, self.written);
            out.push(b')');
        }
        out.extend_from_slice(b": ");
        write_bytes(out, self.before, self.length);
        out.extend_from_slice(b" -> ");
        write_bytes(out, self.after, self.after.len() as u64);
        out.extend_from_slice(format!(" [{}]\n", self.reasons.join(",")).as_bytes());
    }

    fn object(&self, out: &mut Vec<u8>) {
        let mut object = JsonObject::new(out, "change");
        object.path(self.name);
        object.number("offset", self.offset);
        object.number("length", self.length);
        object.hex("hex", &self.before[..self.before.len().min(MOST)]);
        object.number("new_offset", self.written);
        object.number("new_length", self.after.len() as u64);
        object.hex("new_hex", &self.after[..self.after.len().min(MOST)]);
        object.strings("reasons", self.reasons);
        object.end();
    }
}

/// Returns the bytes of a change without those of a character before it that are written with it, and
/// the number of these. `pending` is what the writer held back before and after the change.
pub(super) fn own_text<'a>(after: &'a [u8], pending: [&[u8]; 2]) -> (u64, Cow<'a, [u8]>) {
    let [earlier, later] = pending;
    if earlier.is_empty() && later.is_empty() {
        return (0, Cow::Borrowed(after));
    }
    let text = [after, later].concat();
    match text.strip_prefix(earlier) {
        Some(own) => (earlier.len() as u64, Cow::Owned(own.to_vec())),
        None => (0, Cow::Owned(text)),
    }
}

/// Appends the first bytes of a change, which has `length` bytes.
pub(super) fn write_bytes(out: &mut Vec<u8>, bytes: &[u8], length: u64) {
    match bytes {
        [] => out.extend_from_slice(b"nothing"),
        _ => write::bytes(out, &bytes[..bytes.len().min(SHOWN)]),
    }
    if length > SHOWN as u64 {
        out.extend_from_slice(format!(" ... ({})", counted(length, "byte")).as_bytes());
    }
}
