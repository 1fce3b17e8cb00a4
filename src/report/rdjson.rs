//! The format `rdjson`: the Reviewdog Diagnostic Format, a JSON document.

use super::list::RecordList;
use super::{Document, Finding, Format, MORE, ReportedInput, TROUBLE, path_in_repository};
use crate::lint::Level;
use crate::text::json::JsonObject;
use crate::text::name::InputName;

pub(super) struct RdjsonReport;

impl RdjsonReport {
    /// Returns the document.
    pub fn document(_: &str) -> Box<dyn Document> {
        const HEAD: &str = "{\"source\":{\"name\":\"utf8\"},\"diagnostics\":[\n";
        Box::new(RecordList::new(HEAD, ",\n", "\n]}\n"))
    }
}

/// Appends a diagnostic; `range` appends its place in the file.
fn diagnostic(
    out: &mut Vec<u8>,
    name: &InputName<'_>,
    [severity, code]: [&str; 2],
    message: &[u8],
    range: impl FnOnce(&mut JsonObject<'_>),
) {
    let mut object = JsonObject::nested(out);
    object.string("message", message);
    let mut location = JsonObject::nested(object.key("location"));
    location.string("path", path_in_repository(name));
    range(&mut location);
    location.close();
    object.plain("severity", severity.as_bytes());
    let mut nested = JsonObject::nested(object.key("code"));
    nested.plain("value", code.as_bytes());
    nested.close();
    object.end();
}

/// Appends a position. Columns count bytes from 1, as the format defines them.
fn position(range: &mut JsonObject<'_>, key: &str, line: u64, column: u64) {
    let mut position = JsonObject::nested(range.key(key));
    position.number("line", line);
    position.number("column", column);
    position.close();
}

impl Format for RdjsonReport {
    fn finding(&mut self, out: &mut Vec<u8>, finding: &Finding<'_>) {
        let severity = if finding.level == Level::Warn { "WARNING" } else { "ERROR" };
        let kind = [severity, finding.id()];
        diagnostic(out, finding.name, kind, &finding.message(), |location| {
            if let [Some(line), Some(column)] = finding.line_and_column() {
                let mut range = JsonObject::nested(location.key("range"));
                position(&mut range, "start", line, column);
                position(&mut range, "end", line, column + finding.length());
                range.close();
            }
        });
    }

    fn end(&mut self, out: &mut Vec<u8>, input: &ReportedInput<'_>) {
        if let Some(hidden) = input.document_note() {
            diagnostic(out, input.name, ["INFO", MORE], hidden.as_bytes(), |_| {});
        }
    }

    fn trouble(&mut self, out: &mut Vec<u8>, name: &InputName<'_>, message: &str) {
        diagnostic(out, name, ["ERROR", TROUBLE], message.as_bytes(), |_| {});
    }
}
