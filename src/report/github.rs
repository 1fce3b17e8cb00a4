//! The format `github`: the lines of `text` for the log of a GitHub job, then annotations, and a
//! summary for the page of the job.
//!
//! GitHub shows ten annotations of a step. The first finding of each input comes first.

use super::text::TextReport;
use super::totals::{self, RunTotals};
use super::{Document, Finding, Format, ReportStyle, ReportedInput, TROUBLE, path_in_repository};
use crate::text::html;
use crate::text::name::InputName;

/// The maximum number of annotations: GitHub's limit per step.
const MOST_ANNOTATIONS: usize = 10;

/// The maximum number of rows in the summary of the job.
const MOST_ROWS: u64 = 100;

/// The maximum size of these rows, in bytes. GitHub refuses a summary of more than 1 MiB.
const MOST_BYTES: usize = 256 << 10;

// Marks of records, in their first byte.
const LINE: u8 = b'L';
const ANNOTATION: u8 = b'A';
const ROW: u8 = b'R';

pub(super) struct GithubReport {
    text: TextReport,
    /// The number of findings of the input so far.
    findings: u64,
}

impl GithubReport {
    pub fn new(style: ReportStyle) -> GithubReport {
        GithubReport { text: TextReport::new(style), findings: 0 }
    }
}

/// Appends a workflow command, `error` or `warning`, that annotates a place, whose properties are
/// escaped.
fn annotation(
    out: &mut Vec<u8>,
    [command, title]: [&str; 2],
    name: &InputName<'_>,
    place: &str,
    message: &[u8],
) {
    out.extend(format!("::{command} title=utf8 ({title}),file=").bytes());
    property(out, name.listed().strip_prefix(b"./").unwrap_or(name.listed()));
    out.extend(place.bytes());
    out.extend_from_slice(b"::");
    data(out, message);
    out.push(b'\n');
}

/// Appends the message of a command. GitHub decodes %25, %0D and %0A.
fn data(out: &mut Vec<u8>, message: &[u8]) {
    for &byte in message {
        match byte {
            b'%' | b'\r' | b'\n' => out.extend(format!("%{byte:02X}").bytes()),
            _ => out.push(byte),
        }
    }
}

/// Appends the value of a property. GitHub decodes %3A and %2C, too.
fn property(out: &mut Vec<u8>, value: &[u8]) {
    for &byte in value {
        match byte {
            b'%' | b'\r' | b'\n' | b':' | b',' => out.extend(format!("%{byte:02X}").bytes()),
            _ => out.push(byte),
        }
    }
}

/// Appends a row of the summary.
fn row(out: &mut Vec<u8>, name: &InputName<'_>, place: &str, message: &[u8]) {
    out.push(ROW);
    out.extend_from_slice(b"<tr><td><code>");
    html::escape(out, path_in_repository(name));
    out.extend(place.bytes());
    out.extend_from_slice(b"</code></td><td>");
    html::escape(out, message);
    out.extend_from_slice(b"</td></tr>\n");
}

impl Format for GithubReport {
    fn finding(&mut self, out: &mut Vec<u8>, finding: &Finding<'_>) {
        out.push(LINE);
        self.text.finding(out, finding);
        self.findings += 1;
        if self.findings > MOST_ANNOTATIONS as u64 {
            return;
        }
        let place = |write: fn([u64; 2]) -> String| {
            finding.position.map_or(String::new(), |at| write([at.line, at.column_chars]))
        };
        let shown = place(|[line, column]| format!(":{line}:{column}"));
        let mut message = finding.message();
        out.push(ANNOTATION);
        let properties = place(|[line, column]| format!(",line={line},col={column}"));
        let located = [finding.name.listed(), shown.as_bytes(), b": ", &message].concat();
        annotation(out, [finding.level.name(), finding.id()], finding.name, &properties, &located);
        message.extend(format!(" [{}]", finding.id()).bytes());
        row(out, finding.name, &shown, &message);
    }

    fn end(&mut self, out: &mut Vec<u8>, input: &ReportedInput<'_>) {
        if let Some(note) = input.document_note() {
            out.push(LINE);
            self.text.note(out, input.name, note);
            row(out, input.name, "", note.as_bytes());
        }
        self.findings = 0;
        if let Some(summary) = input.summary {
            totals::end_input(out, summary);
        }
    }

    fn trouble(&mut self, out: &mut Vec<u8>, name: &InputName<'_>, message: &str) {
        out.push(ANNOTATION);
        let located = [name.listed(), b": ", message.as_bytes()].concat();
        annotation(out, ["error", TROUBLE], name, "", &located);
        row(out, name, "", message.as_bytes());
        totals::fail_input(out);
    }
}

/// The annotations and the summary of a run.
#[derive(Default)]
pub(super) struct GithubDocument {
    /// The name of the command.
    command: &'static str,
    /// The first annotation of each of the first inputs that have one.
    first: Vec<Vec<u8>>,
    others: Vec<Vec<u8>>,
    /// True if the input has an annotation.
    annotated: bool,
    rows: Vec<u8>,
    /// The number of rows.
    row_count: u64,
    /// True if there are more rows than the summary has.
    is_cut: bool,
    totals: RunTotals,
}

impl GithubDocument {
    pub fn new(command: &'static str) -> GithubDocument {
        GithubDocument { command, ..GithubDocument::default() }
    }

    fn annotate(&mut self, annotation: &[u8]) {
        let first = !std::mem::replace(&mut self.annotated, true);
        let kept = if first { &mut self.first } else { &mut self.others };
        if kept.len() < MOST_ANNOTATIONS {
            kept.push(annotation.to_vec());
        }
    }
}

impl Document for GithubDocument {
    fn begin(&mut self, _: &mut Vec<u8>) {}

    fn record(&mut self, out: &mut Vec<u8>, record: &[u8]) {
        let Some((&mark, content)) = record.split_first() else { return };
        match mark {
            ANNOTATION => self.annotate(content),
            ROW => {
                self.is_cut |=
                    self.row_count == MOST_ROWS || self.rows.len() + content.len() > MOST_BYTES;
                if !self.is_cut {
                    self.row_count += 1;
                    self.rows.extend_from_slice(content);
                    self.rows.push(b'\n');
                }
            }
            _ if self.totals.add(record) => self.annotated = false,
            _ => {
                out.extend_from_slice(content);
                out.push(b'\n');
            }
        }
    }

    fn end(&mut self, out: &mut Vec<u8>) {
        for annotation in self.first.iter().chain(&self.others).take(MOST_ANNOTATIONS) {
            out.extend_from_slice(annotation);
            out.push(b'\n');
        }
    }

    fn job_summary(&self) -> Option<Vec<u8>> {
        let RunTotals { inputs, faulty, failed, findings } = self.totals;
        let mut summary = format!(
            "### utf8 {}\n\nFiles checked: {inputs}. With errors: {faulty}. Findings: {findings}. \
             Not readable: {failed}.\n",
            self.command
        )
        .into_bytes();
        if !self.rows.is_empty() {
            summary.extend_from_slice(b"\n<table>\n");
            summary.extend_from_slice(&self.rows);
            summary.extend_from_slice(b"</table>\n");
            if self.is_cut {
                summary.extend_from_slice(b"\nThe log of this job has more.\n");
            }
        }
        summary.push(b'\n');
        Some(summary)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_end_where_they_should() {
        let mut out = Vec::new();
        property(&mut out, b"a:b,c%d\r\n::error::x");
        assert_eq!(out, b"a%3Ab%2Cc%25d%0D%0A%3A%3Aerror%3A%3Ax");
        out.clear();
        data(&mut out, b"100% a:b,c\n::error::x");
        assert_eq!(out, b"100%25 a:b,c%0A::error::x");
    }
}
