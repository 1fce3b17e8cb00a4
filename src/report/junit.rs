//! The format `junit`: the XML of JUnit, a test case for each input.

use super::list::RecordList;
use super::text::TextReport;
use super::{Document, Finding, Format, ReportStyle, ReportedInput, path_in_repository};
use crate::text::html::escape;
use crate::text::name::InputName;

#[derive(Default)]
pub(super) struct JunitReport {
    /// True while the element of an input's findings is open.
    open: bool,
}

impl JunitReport {
    /// Returns the document.
    pub fn document() -> Box<dyn Document> {
        const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
            <testsuites name=\"utf8 validate\">\n";
        Box::new(RecordList::new(HEAD, "\n", "\n</testsuites>\n"))
    }

    /// Begins the findings of an input, if they have not begun.
    fn open(&mut self, out: &mut Vec<u8>, name: &InputName<'_>, message: &[u8]) {
        if !std::mem::replace(&mut self.open, true) {
            begin(out, name, 1, 0);
            out.extend_from_slice(b"><failure type=\"ill-formed\" message=\"");
            escape(out, message);
            out.extend_from_slice(b"\">\n");
        }
    }
}

/// Appends the start of the suite of an input with its only test.
fn begin(out: &mut Vec<u8>, name: &InputName<'_>, failures: u8, errors: u8) {
    let mut path = Vec::new();
    escape(&mut path, path_in_repository(name));
    out.extend_from_slice(b"<testsuite name=\"");
    out.extend_from_slice(&path);
    out.extend(format!("\" tests=\"1\" failures=\"{failures}\" errors=\"{errors}\">").bytes());
    out.extend_from_slice(b"<testcase classname=\"utf8.validate\" name=\"");
    out.extend_from_slice(&path);
    out.push(b'"');
}

impl Format for JunitReport {
    fn finding(&mut self, out: &mut Vec<u8>, finding: &Finding<'_>) {
        let mut line = Vec::new();
        TextReport(ReportStyle::PLAIN).finding(&mut line, finding);
        self.open(out, finding.name, &finding.message());
        escape(out, line.trim_ascii_end());
        out.push(b'\n');
    }

    fn end(&mut self, out: &mut Vec<u8>, input: &ReportedInput<'_>) {
        if let Some(note) = input.document_note() {
            self.open(out, input.name, note.as_bytes());
            escape(out, note.as_bytes());
            out.push(b'\n');
        }
        // An input that was not read to its end has an error, which follows.
        let Some(summary) = input.summary else { return };
        if std::mem::take(&mut self.open) {
            out.extend_from_slice(b"</failure></testcase></testsuite>\n");
        } else if summary.findings == 0 {
            begin(out, input.name, 0, 0);
            out.extend_from_slice(b"/></testsuite>\n");
        }
    }

    fn trouble(&mut self, out: &mut Vec<u8>, name: &InputName<'_>, message: &str) {
        if std::mem::take(&mut self.open) {
            out.extend_from_slice(b"</failure>");
        } else {
            begin(out, name, 0, 1);
            out.push(b'>');
        }
        out.extend_from_slice(b"<error type=\"unreadable-input\" message=\"");
        escape(out, message.as_bytes());
        out.extend_from_slice(b"\"/></testcase></testsuite>\n");
    }
}
