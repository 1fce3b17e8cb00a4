//! Options of commands that change text: dry runs and reports of the changes.

use std::io;

use clap::Args;

use super::Status;
use super::in_place::InPlaceArgs;
use super::inputs::{self, NameSource, NamedInput};
use super::reports::{self, FormatChoice, ReportArgs, Reports, TargetParser};
use super::session::{self, Session};
use crate::report::FormatRow;
use crate::text::name::InputName;

/// Options of commands that report the changes that they make.
#[derive(Args, Debug)]
#[command(
    mut_arg("formats", |arg| arg
        .value_name("FORMAT")
        .help(HELP)
        .long_help(LONG_HELP)
        .help_heading("Output")
        .hide_short_help(true)
        .hide_possible_values(true)
        .value_parser(TargetParser(ReviewArgs::RECORDS))),
    mut_arg("exit_zero", |arg| arg.requires("check"))
)]
pub(super) struct ReviewArgs {
    #[command(flatten)]
    pub reports: ReportArgs,

    /// The format of standard output.
    #[arg(skip = &RECORDS[0])]
    pub format: &'static FormatRow,

    /// Report skipped repairs and policy replacements
    #[arg(long, conflicts_with = "quiet", help_heading = "Output", hide_short_help = true)]
    pub explain: bool,

    /// Report the number of bytes and changes
    #[arg(long, conflicts_with = "quiet", help_heading = "Output", hide_short_help = true)]
    pub stats: bool,

    /// Only list inputs that would change; exit with 1 if any
    #[arg(long, conflicts_with = "output", help_heading = "Output")]
    pub check: bool,

    /// Only show lines that would change; exit with 1 if any
    ///
    /// patch -p0 applies the diff, unless it says that it is no patch.
    #[arg(long, conflicts_with_all = ["output", "check", "formats", "verbose"], help_heading = "Output")]
    pub diff: bool,
}

/// The formats of records.
static RECORDS: [FormatRow; 2] = [
    FormatRow::of_command("text", "lines, with --verbose or --explain", true),
    FormatRow::of_command("json", "JSON Lines", false),
];

const HELP: &str = "Format of the record of changes, text or json [default: text]";

const LONG_HELP: &str = "Format of the record of changes, text or json [default: text]

It is on standard error if standard output has the text.";

impl ReviewArgs {
    /// The formats of a command whose changes are no findings.
    pub const RECORDS: FormatChoice =
        FormatChoice { own: &RECORDS, documents: false, files: false };

    /// The formats of a command whose changes are findings with `--check`.
    pub const DOCUMENTS: FormatChoice = FormatChoice { documents: true, ..ReviewArgs::RECORDS };

    /// Sets the format of standard output.
    ///
    /// # Errors
    /// Other options exclude a format.
    pub fn set_format(&mut self, choice: FormatChoice, quiet: bool) -> anyhow::Result<()> {
        let named = self.reports.named()?;
        let listed = named.filter(|row| row.document.is_some());
        let document = listed.or(self.reports.files().next());
        if let (Some(row), false) = (document, self.check) {
            anyhow::bail!("--format {} needs --check", row.name);
        }
        if let Some(row) = listed.filter(|_| self.reports.is_suppressed(quiet)) {
            return Err(reports::excluded("--quiet", row));
        }
        self.format = match self.check {
            true => self.reports.standard_of(choice)?,
            false => named.unwrap_or(&RECORDS[0]),
        };
        Ok(())
    }

    /// Returns the format of standard output, if it is written.
    pub fn shown_format(&self, session: &Session) -> Option<&'static FormatRow> {
        (!self.reports.is_suppressed(session.quiet)).then_some(self.format)
    }

    /// Opens the reports of a run with `--check`.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn open_reports(&self, session: &mut Session) -> anyhow::Result<Option<Reports>> {
        let shown = self.shown_format(session);
        self.check.then(|| self.reports.open(session, shown)).transpose()
    }

    /// Returns `true` if the record has JSON objects.
    pub fn is_json(&self) -> bool {
        self.format.name == RECORDS[1].name
    }

    /// Returns `true` if standard output has a record of the files that are replaced. Each is written
    /// before its file is replaced, and none is replaced after a write that fails.
    pub fn records_rewrites(&self, in_place: &InPlaceArgs) -> bool {
        in_place.is_wanted() && !self.is_dry_run() && self.is_json()
    }

    /// Returns `true` if the inputs that would change are listed by their names.
    fn lists_names(&self) -> bool {
        self.format.name == RECORDS[0].name
    }

    /// Returns `true` if changes are only reported.
    pub fn is_dry_run(&self) -> bool {
        self.check || self.diff
    }

    /// Returns advice to add `options`, which walk directories. `files` names the files in them.
    pub fn advise_walk(&self, options: &str, files: &str) -> String {
        match (self.check, self.diff) {
            (false, false) => format!(
                "add {options} to rewrite {files}, {options} --check to list those that would change"
            ),
            (true, _) => format!("add {options} to list the files that would change"),
            (_, true) => format!("add {options} to show the lines that would change"),
        }
    }

    /// Reports an input that cannot be read, and returns the reason. Names the options that walk a
    /// directory.
    pub fn report_failure(
        &self,
        session: &mut Session,
        input: NamedInput<'_>,
        name: &InputName<'_>,
        error: &io::Error,
    ) -> Option<String> {
        match input {
            NamedInput::File(_, NameSource::CommandLine)
                if error.kind() == io::ErrorKind::IsADirectory =>
            {
                let advice = self.advise_walk("-i -r", "the files in it");
                let error = io::Error::other(format!("is a directory ({advice})"));
                inputs::report_failure(session, input, name, &error)
            }
            _ => inputs::report_failure(session, input, name, error),
        }
    }

    /// Reports work that was not done because of what an input contains, or would not be: a dry run may
    /// be quiet about it.
    pub fn report_undone(&self, session: &mut Session, name: &InputName<'_>, message: &str) {
        if self.is_dry_run() {
            session.raise(Status::Bad);
            session.warn(name, message);
        } else {
            session.report_undone(name, message);
        }
    }

    /// Reports an input that would change.
    pub fn list(&self, session: &mut Session, name: &InputName<'_>, null: bool) {
        session.raise(Status::Bad);
        if self.check && self.shown_format(session).is_some() && self.lists_names() {
            session.print_name(name, null, b'\n');
        }
    }

    /// Returns the error of the output of the record, if it failed.
    pub fn check_record(
        &self,
        session: &mut Session,
        lost: Option<io::Error>,
    ) -> anyhow::Result<()> {
        // Threads write the record to the output of the session.
        let is_record = self.diff || self.check && self.is_json();
        match lost.or_else(|| is_record.then(|| session.out.failure()).flatten()) {
            None => return Ok(()),
            Some(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                anyhow::bail!("{}: {}", session::STANDARD_OUTPUT, session::reason(&error))
            }
            // A closed pipe is no error of a dry run; otherwise, files remain as they were.
            Some(_) if !self.is_dry_run() => anyhow::bail!(
                "{}: closed before all changes were recorded: the files that are left are unchanged",
                session::STANDARD_OUTPUT
            ),
            // Only changes are written.
            Some(_) if self.diff => session.raise(Status::Bad),
            Some(_) => {}
        }
        Ok(())
    }
}
