//! The format `checkstyle`: the XML of Checkstyle, with the files that have findings.

use super::list::RecordList;
use super::{Document, Finding, Format, MORE, ReportedInput, TROUBLE, path_in_repository};
use crate::text::html::escape;
use crate::text::name::InputName;
use crate::text::write;

#[derive(Default)]
pub(super) struct CheckstyleReport {
    /// True while the element of a file is open.
    open: bool,
}

impl CheckstyleReport {
    /// Returns the document.
    pub fn document(_: &str) -> Box<dyn Document> {
        const HEAD: &str =
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<checkstyle version=\"10.0\">\n";
        Box::new(RecordList::new(HEAD, "\n", "\n</checkstyle>\n"))
    }

    /// Begins the element of a file, if it is not open.
    fn open(&mut self, out: &mut Vec<u8>, name: &InputName<'_>) {
        if !std::mem::replace(&mut self.open, true) {
            out.extend_from_slice(b"<file name=\"");
            for (at, line) in path_in_repository(name).split(|&byte| byte == b'\n').enumerate() {
                out.extend_from_slice(if at > 0 { b"&#10;" } else { b"" });
                escape(out, line);
            }
            out.extend_from_slice(b"\">\n");
        }
    }

    fn close(&mut self, out: &mut Vec<u8>) {
        if std::mem::take(&mut self.open) {
            out.extend_from_slice(b"</file>\n");
        }
    }
}

/// Appends an error, with its line and its column in code points.
fn error(
    out: &mut Vec<u8>,
    place: [Option<u64>; 2],
    [severity, source]: [&str; 2],
    message: &[u8],
) {
    out.extend_from_slice(b"<error");
    for (attribute, number) in ["line", "column"].into_iter().zip(place) {
        if let Some(number) = number {
            out.extend(format!(" {attribute}=\"").bytes());
            write::decimal(out, number);
            out.push(b'"');
        }
    }
    out.extend(format!(" severity=\"{severity}\" message=\"").bytes());
    escape(out, message);
    out.extend(format!("\" source=\"utf8.{source}\"/>\n").bytes());
}

impl Format for CheckstyleReport {
    fn finding(&mut self, out: &mut Vec<u8>, finding: &Finding<'_>) {
        self.open(out, finding.name);
        let place = finding.position.map(|at| [at.line, at.column_chars].map(Some));
        error(
            out,
            place.unwrap_or_default(),
            [finding.level.name(), finding.id()],
            &finding.message(),
        );
    }

    fn end(&mut self, out: &mut Vec<u8>, input: &ReportedInput<'_>) {
        if let Some(hidden) = input.document_note() {
            self.open(out, input.name);
            error(out, [None; 2], ["info", MORE], hidden.as_bytes());
        }
        // An input that was not read to its end has an error, which follows.
        if input.summary.is_some() {
            self.close(out);
        }
    }

    fn trouble(&mut self, out: &mut Vec<u8>, name: &InputName<'_>, message: &str) {
        self.open(out, name);
        error(out, [None; 2], ["error", TROUBLE], message.as_bytes());
        self.close(out);
    }
}
