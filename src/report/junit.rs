//! The format `junit`: the XML of JUnit, a test case for each input.

use super::list::RecordList;
use super::text::TextReport;
use super::{Document, Finding, Format, ReportStyle, ReportedInput, path_in_repository};
use crate::text::html::escape;
use crate::text::name::InputName;

#[derive(Default)]
pub(super) struct JunitReport {
    /// The lines of the findings of the input so far.
    findings: Vec<u8>,
}

impl JunitReport {
    /// Returns the document.
    pub fn document() -> Box<dyn Document> {
        const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
            <testsuites name=\"utf8 validate\">\n";
        Box::new(RecordList::new(HEAD, "\n", "\n</testsuites>\n"))
    }

    /// Appends the suite of an input with its only test, and forgets the findings.
    fn suite(
        &mut self,
        out: &mut Vec<u8>,
        name: &InputName<'_>,
        outcome: Option<([&str; 2], &[u8])>,
    ) {
        let mut path = Vec::new();
        escape(&mut path, path_in_repository(name));
        let number = |element| u8::from(outcome.is_some_and(|([found, _], _)| found == element));
        out.extend_from_slice(b"<testsuite name=\"");
        out.extend_from_slice(&path);
        let (failures, errors) = (number("failure"), number("error"));
        out.extend(format!("\" tests=\"1\" failures=\"{failures}\" errors=\"{errors}\">").bytes());
        out.extend_from_slice(b"<testcase classname=\"utf8.validate\" name=\"");
        out.extend_from_slice(&path);
        out.push(b'"');
        match outcome {
            None => out.extend_from_slice(b"/>"),
            Some(([element, kind], message)) => {
                out.extend(format!("><{element} type=\"{kind}\" message=\"").bytes());
                escape(out, message);
                out.extend_from_slice(b"\">");
                for line in self.findings.split(|&byte| byte == b'\n').filter(|l| !l.is_empty()) {
                    escape(out, line);
                    out.extend_from_slice(b"&#10;");
                }
                out.extend(format!("</{element}></testcase>").bytes());
            }
        }
        out.extend_from_slice(b"</testsuite>\n");
        self.findings.clear();
    }
}

impl Format for JunitReport {
    fn finding(&mut self, _: &mut Vec<u8>, finding: &Finding<'_>) {
        TextReport(ReportStyle::PLAIN).finding(&mut self.findings, finding);
    }

    fn end(&mut self, out: &mut Vec<u8>, input: &ReportedInput<'_>) {
        // An input that was not read to its end has an error, which follows.
        let Some(summary) = input.summary else { return };
        TextReport(ReportStyle::PLAIN).end(&mut self.findings, input);
        let message = match summary.findings {
            0 => return self.suite(out, input.name, None),
            1 => "1 finding".to_owned(),
            number => format!("{number} findings"),
        };
        self.suite(out, input.name, Some((["failure", "ill-formed"], message.as_bytes())));
    }

    fn trouble(&mut self, out: &mut Vec<u8>, name: &InputName<'_>, message: &str) {
        self.suite(out, name, Some((["error", "trouble"], message.as_bytes())));
    }
}
