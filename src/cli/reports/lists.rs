//! Lists of findings in the reports of a run.

use std::io;

use crate::cli::session::Session;
use crate::registry::Encoding;
use crate::report::{
    AskedRange, Finding, Format, FormatRow, InputSummary, ReportStyle, ReportedInput,
};
use crate::text::name::InputName;
use crate::text::number::grouped;

/// A list of findings in a report of the run.
pub(in crate::cli) struct ReportedList {
    /// The number of the report: 0 for standard output.
    pub report: usize,
    pub row: &'static FormatRow,
    pub style: ReportStyle,
    pub format: Box<dyn Format>,
    /// The number of findings of an input to show; `None` for all.
    pub most: Option<u64>,
    /// True if only the first findings of an input in another encoding are shown.
    pub judged: bool,
}

impl ReportedList {
    pub fn new(
        report: usize,
        row: &'static FormatRow,
        style: ReportStyle,
        most: Option<u64>,
        judged: bool,
    ) -> ReportedList {
        ReportedList { report, row, style, format: (row.open)(style), most, judged }
    }

    /// Writes the end of the report of an input.
    ///
    /// # Errors
    /// Returns the errors of the output.
    pub fn end(&mut self, session: &mut Session, input: &ReportedInput<'_>) -> io::Result<()> {
        let out = session.report(self.report);
        self.format.end(out.buffer(), input);
        out.settle()
    }

    /// Writes an error of an input, if the format has a record for it.
    pub fn fail(&mut self, session: &mut Session, name: &InputName<'_>, reason: &str) {
        self.format.trouble(session.report(self.report).buffer(), name, reason);
    }

    /// Writes an error of a range of an input, or of the whole, if the format has a record for it.
    pub fn fail_range(
        &mut self,
        session: &mut Session,
        name: &InputName<'_>,
        reason: &str,
        range: Option<AskedRange>,
    ) {
        let Some(range) = range else { return self.fail(session, name, reason) };
        let out = session.report(self.report).buffer();
        self.format.range_trouble(out, name, reason, range);
    }
}

/// The findings of an input, gathered before they are written.
pub(in crate::cli) struct GatheredFindings<'a> {
    pub name: &'a InputName<'a>,
    /// The encoding that the input was read as; `None` if it was only detected.
    pub encoding: Option<&'static Encoding>,
    pub findings: &'a [Finding<'a>],
    /// The number of further ones.
    pub hidden: u64,
    /// The number of bytes of the input.
    pub size: u64,
}

/// The documents of a run of a command that gathers the findings of an input.
pub(in crate::cli) struct DocumentLists(Vec<ReportedList>);

impl DocumentLists {
    /// Returns the lists of those reports that are documents.
    pub fn open(
        reports: impl Iterator<Item = (usize, &'static FormatRow)>,
        style: ReportStyle,
    ) -> DocumentLists {
        let documents = reports.filter(|(_, row)| row.document.is_some());
        let list = |(report, row)| {
            let style = if report == 0 { style } else { style.of_file() };
            ReportedList::new(report, row, style, None, false)
        };
        DocumentLists(documents.map(list).collect())
    }

    /// Returns `true` if there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns `true` if standard output is a document for people, which has every finding.
    pub fn tell_people(&self) -> bool {
        self.0.iter().any(|list| list.report == 0 && list.row.prose)
    }

    /// Writes the findings of an input.
    pub fn report(&mut self, session: &mut Session, input: &GatheredFindings<'_>) {
        let GatheredFindings { name, encoding, findings, hidden, size } = *input;
        let total = findings.len() as u64 + hidden;
        let mut summary = InputSummary::of(&(0..size));
        (summary.size, summary.findings) = (size, total);
        let note = (hidden > 0).then(|| format!("{} more", grouped(hidden)));
        let (summary, hidden_note) = (Some(&summary), note.as_deref());
        for list in &mut self.0 {
            let out = session.report(list.report);
            findings.iter().for_each(|finding| list.format.finding(out.buffer(), finding));
            // The output keeps its error.
            let _ = list.end(session, &ReportedInput { name, encoding, summary, hidden_note });
        }
    }

    /// Writes an error of an input.
    pub fn fail(&mut self, session: &mut Session, name: &InputName<'_>, reason: &str) {
        self.0.iter_mut().for_each(|list| list.fail(session, name, reason));
    }
}
