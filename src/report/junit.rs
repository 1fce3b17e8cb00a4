//! The format `junit`: the XML of JUnit, a test case for each input.

use super::list::RecordList;
use super::text::TextReport;
use super::{Document, Finding, Format, ReportStyle, ReportedInput, path_in_repository};
use crate::lint::Level;
use crate::text::html::escape;
use crate::text::name::InputName;

/// The number of bytes of findings that wait for the counts before them. Of further findings, those of
/// an input with an error are written at once, and the warnings of one without are only counted.
const MOST_WAITING: usize = 1 << 20;

pub(super) struct JunitReport {
    /// The name of the command.
    command: &'static str,
    /// The findings of the input that are not written yet, in lines of XML.
    lines: Vec<u8>,
    /// The number of warnings that are left out.
    left_out: u64,
    /// True once the failure of the input is begun.
    is_begun: bool,
    /// The message of the first error among them.
    failure: Option<Vec<u8>>,
}

impl JunitReport {
    /// Returns a writer of the tests of a command.
    pub fn new(command: &'static str) -> JunitReport {
        JunitReport { command, lines: Vec::new(), left_out: 0, is_begun: false, failure: None }
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
        self.put_left_out();
        if self.failure.is_some() {
            self.begin_failure(out);
            out.append(&mut self.lines);
            out.extend_from_slice(b"</failure>");
        } else if !self.lines.is_empty() {
            out.extend_from_slice(b"<system-out>\n");
            out.append(&mut self.lines);
            out.extend_from_slice(b"</system-out>");
        }
        self.failure = None;
    }

    /// Appends the start of the failure, with the message of the first error.
    fn begin_failure(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(b"<failure type=\"finding\" message=\"");
        escape(out, self.failure.as_deref().unwrap_or_default());
        out.extend_from_slice(b"\">\n");
    }

    /// Writes the findings so far if they are too many to wait. The counts before them are then known:
    /// one failure, and no error in reading.
    fn settle(&mut self, out: &mut Vec<u8>, name: &InputName<'_>) {
        if self.lines.len() < MOST_WAITING || self.failure.is_none() {
            return;
        }
        if !std::mem::replace(&mut self.is_begun, true) {
            self.begin(out, name, 1, 0);
            out.push(b'>');
            self.begin_failure(out);
        }
        out.append(&mut self.lines);
    }

    /// Appends the rest of a failure that is begun. Returns `true` if there is one.
    fn end_failure(&mut self, out: &mut Vec<u8>) -> bool {
        let is_begun = std::mem::take(&mut self.is_begun);
        if is_begun {
            self.failure = None;
            out.append(&mut self.lines);
            out.extend_from_slice(b"</failure></testcase></testsuite>\n");
        }
        is_begun
    }

    /// Adds a line about the warnings that are left out.
    fn put_left_out(&mut self) {
        let left_out = std::mem::take(&mut self.left_out);
        if left_out > 0 {
            self.lines.extend(format!("{left_out} more findings before the first error\n").bytes());
        }
    }
}

impl Format for JunitReport {
    fn finding(&mut self, out: &mut Vec<u8>, finding: &Finding<'_>) {
        if finding.level == Level::Deny {
            self.put_left_out();
            self.failure.get_or_insert_with(|| finding.message());
        } else if self.failure.is_none() && self.lines.len() >= MOST_WAITING {
            self.left_out += 1;
            return;
        }
        let mut line = Vec::new();
        TextReport::new(ReportStyle::PLAIN).finding(&mut line, finding);
        escape(&mut self.lines, line.trim_ascii_end());
        self.lines.push(b'\n');
        self.settle(out, finding.name);
    }

    fn end(&mut self, out: &mut Vec<u8>, input: &ReportedInput<'_>) {
        if let Some(note) = input.document_note() {
            escape(&mut self.lines, note.as_bytes());
            self.lines.push(b'\n');
        }
        // An input that was not read to its end has an error, which follows.
        let Some(summary) = input.summary else { return };
        if self.end_failure(out) {
            return;
        }
        if summary.errors() > 0 {
            let note = || input.document_note().unwrap_or_default().as_bytes().to_vec();
            self.failure.get_or_insert_with(note);
        }
        self.put_left_out();
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
        // The counts of a failure that is begun are without the error, which has a suite of its own.
        self.end_failure(out);
        self.begin(out, name, self.failure.is_some().into(), 1);
        out.push(b'>');
        self.put_findings(out);
        out.extend_from_slice(b"<error type=\"unreadable-input\" message=\"");
        escape(out, message.as_bytes());
        out.extend_from_slice(b"\"/></testcase></testsuite>\n");
    }
}
