//! Report formats for findings: the table [`FORMATS`] and the trait that each row implements.

use std::ffi::OsStr;

use crate::finding::segments::Segments;
use crate::registry::Encoding;
use crate::text::name::InputName;

pub use batch::{BatchFault, FaultBatch};
pub use finding::{Finding, FindingSubject};
pub use summary::{InputSummary, RangeCounts};

pub mod baseline;
mod batch;
mod checkstyle;
mod finding;
mod fingerprint;
mod full;
mod github;
mod gitlab;
mod html;
pub(crate) mod json;
mod junit;
mod lines;
mod list;
mod memo;
#[cfg(feature = "cli")]
pub(crate) mod partial;
mod rdjson;
mod sarif;
mod summary;
mod text;
mod totals;
mod tsv;

/// Makes a table of a text for each of [`KINDS`], of parts that an expression gives by the row.
macro_rules! texts_of_kinds {
    ($row:ident => $parts:expr) => {{
        let mut texts = [PaddedText::of(b""); Kind::COUNT];
        let mut at = 0;
        while at < texts.len() {
            let $row = &KINDS[at];
            texts[at] = PaddedText::joined($parts);
            at += 1;
        }
        texts
    }};
}
use texts_of_kinds;

/// A row of [`RULES`].
#[derive(Debug)]
pub struct ReportRule {
    /// The name in every report.
    pub id: &'static str,
    /// The name of its class.
    pub class: &'static str,
    /// The name for people.
    pub title: &'static str,
    /// The definition, as a noun phrase.
    pub explanation: &'static str,
}

/// The rule of files in an encoding that is not expected.
pub static UNEXPECTED_ENCODING: ReportRule = ReportRule {
    id: "unexpected-encoding",
    class: "input",
    title: "Unexpected encoding",
    explanation: "a file in another encoding than those that detect --expect names",
};

/// The rule of changes that a repair would make.
pub static NEEDS_REPAIR: ReportRule = ReportRule {
    id: "needs-repair",
    class: "repair",
    title: "Text that a repair changes",
    explanation: "bytes that repair would change with the options of repair --check",
};

/// The rules of findings that are no ill-formed sequences and no lints.
pub static RULES: [&ReportRule; 2] = [&UNEXPECTED_ENCODING, &NEEDS_REPAIR];

/// The start of the report of a range.
#[derive(Clone, Copy, Debug)]
pub struct RangeHeader<'a> {
    /// The name of the input.
    pub name: &'a InputName<'a>,
    /// The encoding that the input is read as.
    pub encoding: &'static Encoding,
    /// The rule that splits an ill-formed sequence into findings.
    pub segments: Segments,
    /// The offset of the first byte of the range.
    pub start: u64,
    /// A text that tells one state of the input from another.
    pub stamp: Option<&'a str>,
}

/// Style of a report.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReportStyle {
    /// True to use colours.
    pub color: bool,
    /// True to use characters other than ASCII.
    pub unicode: bool,
    /// True to show counts.
    pub stats: bool,
    /// The name of the command whose report it is.
    pub command: &'static str,
}

impl ReportStyle {
    /// The style of a file: no colours.
    pub const PLAIN: ReportStyle =
        ReportStyle { color: false, unicode: true, stats: false, command: "" };

    /// Returns the style for a file with the same report.
    #[cfg(feature = "cli")]
    pub(crate) fn of_file(self) -> ReportStyle {
        ReportStyle { stats: self.stats, command: self.command, ..ReportStyle::PLAIN }
    }
}

/// The id of a message about findings that are not shown, beside those of kinds.
const MORE: &str = "hidden-findings";

/// The id of a message about an input that could not be read.
const TROUBLE: &str = "unreadable-input";

/// Returns the bytes of a path without a leading `./`, as code hosts have it.
fn path_in_repository<'a>(name: &InputName<'a>) -> &'a [u8] {
    let path = name.raw.as_encoded_bytes();
    path.strip_prefix(b"./").unwrap_or(path)
}

/// The range of an input that is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct AskedRange {
    /// The offset of its start; `None` if it counts from the end.
    pub start: Option<u64>,
    /// The number of bytes; `None` for those up to the end.
    pub size: Option<u64>,
}

/// A writer of findings in one format.
pub trait Format {
    /// Appends the start of the report of a range, if the format has one.
    fn begin_range(&mut self, out: &mut Vec<u8>, header: &RangeHeader<'_>) {
        let _ = (out, header);
    }

    /// Appends a finding.
    fn finding(&mut self, out: &mut Vec<u8>, finding: &Finding<'_>);

    /// Appends the findings of a batch: one call for many.
    fn batch(&mut self, out: &mut Vec<u8>, batch: &FaultBatch<'_>) {
        for finding in batch.findings() {
            self.finding(out, &finding);
        }
    }

    /// Receives the offset of a finding that is not shown.
    fn hide(&mut self, offset: u64) {
        let _ = offset;
    }

    /// Returns the receiver of the bytes around findings, if the format shows them.
    fn context(&mut self) -> Option<&mut dyn ContextReceiver> {
        None
    }

    /// Appends the end of the report of an input.
    fn end(&mut self, out: &mut Vec<u8>, input: &ReportedInput<'_>) {
        let _ = (out, input);
    }

    /// Appends an error of an input, if the format has a record for it.
    fn trouble(&mut self, out: &mut Vec<u8>, name: &InputName<'_>, message: &str) {
        let _ = (out, name, message);
    }

    /// Appends an error of a range of an input, if the format has a record for it.
    fn range_trouble(
        &mut self,
        out: &mut Vec<u8>,
        name: &InputName<'_>,
        message: &str,
        range: AskedRange,
    ) {
        let _ = range;
        self.trouble(out, name, message);
    }
}

/// An input whose findings were reported.
#[derive(Clone, Copy, Debug)]
pub struct ReportedInput<'a> {
    /// The name.
    pub name: &'a InputName<'a>,
    /// The encoding that the input was read as; `None` if it is only detected.
    pub encoding: Option<&'static Encoding>,
    /// The counts; `None` if the input was not read to its end.
    pub summary: Option<&'a InputSummary>,
    /// The message about findings that are not shown, if there are any.
    pub hidden_note: Option<&'a str>,
}

impl<'a> ReportedInput<'a> {
    /// Returns the message about findings that a document lacks, if it may lack any.
    fn document_note(&self) -> Option<&'a str> {
        const STOPPED: &str = "the check stopped at the limit of findings (--max-errors)";
        let is_stopped = self.summary.is_some_and(|summary| summary.stopped);
        self.hidden_note.or(is_stopped.then_some(STOPPED))
    }
}

/// A receiver of the bytes around findings.
pub trait ContextReceiver {
    /// Receives all bytes of the input, in order, those of a finding before the finding. Appends
    /// the findings that the bytes complete.
    fn bytes(&mut self, out: &mut Vec<u8>, offset: u64, bytes: &[u8]);

    /// Returns `true` if a finding needs more bytes before it can be written.
    fn waits(&self) -> bool;
}

/// A writer of a report that is one document: the records of all inputs, in their order, between a
/// head and an end. A [`Format`] writes the records, each of them a line.
pub trait Document: Send {
    /// Appends the head.
    fn begin(&mut self, out: &mut Vec<u8>);

    /// Appends a record, which is given without its line feed.
    fn record(&mut self, out: &mut Vec<u8>, record: &[u8]);

    /// Appends the end.
    fn end(&mut self, out: &mut Vec<u8>);

    /// Describes the findings that the document has no room for, once it is ended.
    fn left_out(&self) -> Option<String> {
        None
    }

    /// Returns a summary in Markdown for the page of a CI job, if the format has one.
    fn job_summary(&self) -> Option<Vec<u8>> {
        None
    }
}

/// A function that returns a writer of a document, for the command of this name.
pub type OpenDocument = fn(&'static str) -> Box<dyn Document>;

/// A row of [`FORMATS`].
#[derive(Debug)]
pub struct FormatRow {
    /// The name.
    pub name: &'static str,
    /// The description, in one line.
    pub summary: &'static str,
    /// True if the format shows columns in code points.
    pub columns_in_chars: bool,
    /// True if the format is meant for people, who also get a summary on standard error.
    pub prose: bool,
    /// True if the format contains a summary of each input, with the numbers of lines and code
    /// points.
    pub sums_up: bool,
    /// True if the report has lines of the input instead of findings.
    pub lines: bool,
    /// True if later runs build on the report: that of a run that failed does not replace it.
    pub lasting: bool,
    /// Returns a writer of findings.
    pub open: fn(ReportStyle) -> Box<dyn Format>,
    /// Returns a writer of the document of a command, if the report is one.
    pub document: Option<OpenDocument>,
}

impl FormatRow {
    /// The fields that most formats have: findings for programs, one after the other.
    const USUAL: FormatRow = FormatRow {
        name: "",
        summary: "",
        columns_in_chars: false,
        prose: false,
        sums_up: false,
        lines: false,
        lasting: false,
        open: |_| Box::new(lines::LinesReport),
        document: None,
    };

    /// Returns `true` if this is its name, in any case.
    pub fn has_name(&self, name: &OsStr) -> bool {
        name.eq_ignore_ascii_case(self.name)
    }

    /// Returns a format in which a command writes something else than findings. `prose` says that
    /// it is meant for people.
    #[cfg(feature = "cli")]
    pub(crate) const fn of_command(
        name: &'static str,
        summary: &'static str,
        prose: bool,
    ) -> FormatRow {
        FormatRow { name, summary, prose, ..FormatRow::USUAL }
    }
}

/// Returns the format of this name, in any case.
pub fn format_by_name(name: &OsStr) -> Option<&'static FormatRow> {
    FORMATS.iter().find(|row| row.has_name(name))
}

/// Every format. The first is the default.
#[rustfmt::skip]
pub static FORMATS: &[FormatRow] = &[
    FormatRow { name: "text", summary: "a line for each finding",
          prose: true,
          open: |style| Box::new(text::TextReport::new(style)), ..FormatRow::USUAL },
    FormatRow { name: "full", summary: "the same, with its row of a hexdump",
          prose: true,
          open: |style| Box::new(full::FullReport::new(style)), ..FormatRow::USUAL },
    FormatRow { name: "json", summary: "JSON Lines: an object for each finding, and one for each input",
          columns_in_chars: true, sums_up: true,
          open: |style| Box::new(json::JsonReport::new(style)), ..FormatRow::USUAL },
    FormatRow { name: "tsv", summary: "OFFSET LENGTH KIND LINE COLUMN BYTES NAME, separated by tabs",
          open: |_| Box::<tsv::TsvReport>::default(), ..FormatRow::USUAL },
    FormatRow { name: "lines", summary: "the lines with findings as they are; with --verbose, the others",
          lines: true,
          open: |_| Box::new(lines::LinesReport), ..FormatRow::USUAL },
    FormatRow { name: "github", summary: "text, and annotations for GitHub Actions",
          columns_in_chars: true, prose: true,
          open: |style| Box::new(github::GithubReport::new(style)),
          document: Some(|command| Box::new(github::GithubDocument::new(command))), ..FormatRow::USUAL },
    FormatRow { name: "gitlab", summary: "Code Quality report of GitLab (JSON)",
          open: |_| Box::new(gitlab::GitlabReport::new()),
          document: Some(gitlab::GitlabReport::document), ..FormatRow::USUAL },
    FormatRow { name: "sarif", summary: "SARIF 2.1.0 (JSON)",
          columns_in_chars: true,
          open: |_| Box::new(sarif::SarifReport::new()),
          document: Some(|_| Box::new(sarif::SarifDocument::default())), ..FormatRow::USUAL },
    FormatRow { name: "junit", summary: "JUnit XML: a test for each file",
          open: |style| Box::new(junit::JunitReport::new(style.command)),
          document: Some(junit::JunitReport::document), ..FormatRow::USUAL },
    FormatRow { name: "checkstyle", summary: "Checkstyle XML",
          columns_in_chars: true,
          open: |_| Box::new(checkstyle::CheckstyleReport::default()),
          document: Some(checkstyle::CheckstyleReport::document), ..FormatRow::USUAL },
    FormatRow { name: "rdjson", summary: "Reviewdog Diagnostic Format (JSON)",
          open: |_| Box::new(rdjson::RdjsonReport),
          document: Some(rdjson::RdjsonReport::document), ..FormatRow::USUAL },
    FormatRow { name: "html", summary: "a page with a map of each file's findings",
          open: |_| Box::new(html::HtmlReport::default()),
          document: Some(|command| Box::new(html::HtmlDocument::new(command))), ..FormatRow::USUAL },
    FormatRow { name: "baseline", summary: "known findings, for --baseline",
          lasting: true,
          open: |_| Box::new(baseline::BaselineReport::default()), ..FormatRow::USUAL },
];
