//! The format `junit`: the XML of JUnit, a test case for each input.

use super::list::RecordList;
use super::text::TextReport;
use super::{Document, Finding, Format, ReportStyle, ReportedInput, path_in_repository};
use crate::lint::Level;
use crate::text::html::escape;
use crate::text::name::InputName;

pub(super) struct JunitReport {
    /// The name of the command.
    command: &'static str,
    /// The findings of the input so far, in lines of XML.
    lines: Vec<u8>,
    /// The message of the first error among them.
    failure: Option<Vec<u8>>,
}

impl JunitReport {
    /// Returns a writer of the tests of a command.
    pub fn new(command: &'static str) -> JunitReport {
        JunitReport { command, lines: Vec::new(), failure: None }
    }

    /// Returns the document of a command.
    pub fn document(command: &'static str) -> Box<dyn Document> {
        let head = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"utf8 {command}\">\n"
        );
        Box::new(RecordList::new(head, "\n", "\n</testsuites>\n"))
    }

    /// Appends the start of the suite of an input with its only test.
    fn begin(&self, out: &mut Vec<u8>, name: &InputName<'_>, failures: u8, errors: u8) {
        let (mut path, command) = (Vec::new(), self.command);
        escape(&mut path, path_in_repository(name));
        out.extend_from_slice(b"<testsuite name=\"");
        out.extend_from_slice(&path);
        out.extend(format!("\" tests=\"1\" failures=\"{failures}\" errors=\"{errors}\">").bytes());
        out.extend(format!("<testcase classname=\"utf8.{command}\" name=\"").bytes());
        out.extend_from_slice(&path);
        out.push(b'"');
    }

    /// Appends the findings of an input: as a failure if there is an error, else as output.
    fn put_findings(&mut self, out: &mut Vec<u8>) {
        let lines = std::mem::take(&mut self.lines);
        let element = match self.failure.take() {
            Some(message) => {
                out.extend_from_slice(b"<failure type=\"finding\" message=\"");
                escape(out, &message);
                out.extend_from_slice(b"\">\n");
                "failure"
            }
            None if lines.is_empty() => return,
            None => {
                out.extend_from_slice(b"<system-out>\n");
                "system-out"
            }
        };
        out.extend_from_slice(&lines);
        out.extend(format!("</{element}>").bytes());
    }
}

impl Format for JunitReport {
    fn finding(&mut self, _: &mut Vec<u8>, finding: &Finding<'_>) {
        let mut line = Vec::new();
        TextReport::new(ReportStyle::PLAIN).finding(&mut line, finding);
        if finding.level == Level::Deny {
            self.failure.get_or_insert_with(|| finding.message());
        }
        escape(&mut self.lines, line.trim_ascii_end());
        self.lines.push(b'\n');
    }

    fn end(&mut self, out: &mut Vec<u8>, input: &ReportedInput<'_>) {
        if let Some(note) = input.document_note() {
            escape(&mut self.lines, note.as_bytes());
            self.lines.push(b'\n');
        }
        // An input that was not read to its end has an error, which follows.
        let Some(summary) = input.summary else { return };
        if summary.errors() > 0 {
            let note = || input.document_note().unwrap_or_default().as_bytes().to_vec();
            self.failure.get_or_insert_with(note);
        }
        self.begin(out, input.name, self.failure.is_some().into(), 0);
        if self.lines.is_empty() {
            out.extend_from_slice(b"/></testsuite>\n");
        } else {
            out.push(b'>');
            self.put_findings(out);
            out.extend_from_slice(b"</testcase></testsuite>\n");
        }
    }

    fn trouble(&mut self, out: &mut Vec<u8>, name: &InputName<'_>, message: &str) {
        self.begin(out, name, self.failure.is_some().into(), 1);
        out.push(b'>');
        self.put_findings(out);
        out.extend_from_slice(b"<error type=\"unreadable-input\" message=\"");
        escape(out, message.as_bytes());
        out.extend_from_slice(b"\"/></testcase></testsuite>\n");
    }
}
