//! Reports of a run: their formats, and the files that they go to.

use std::ffi::OsStr;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::error::ErrorKind;

use super::output::{NewFile, is_same_place, is_standard_output};
use super::session::{self, STANDARD_OUTPUT, Session, reason, variable};
use super::{Status, inputs, safe};
use crate::os::replace::Replacement;
use crate::output::Output;
use crate::report::{FORMATS, FormatRow, format_by_name};
use stream::UntilClosed;

pub(super) use lists::{DocumentLists, GatheredFindings, ReportedList};
pub(super) use stream::ReportStream;

mod lists;
mod stream;

/// The variable that sets the format of standard output.
const VARIABLE: &str = "UTF8_FORMAT";

/// The variable that names the file of the summary of a GitHub job.
const JOB_SUMMARY: &str = "GITHUB_STEP_SUMMARY";

/// The reason not to read the file of the job summary.
const IS_JOB_SUMMARY: &str =
    "is the file of GITHUB_STEP_SUMMARY, too (let the variable name another file)";

/// The reason not to write a report.
const IS_INPUT: &str = "not written: is an input, too (write to another file)";

/// The maximum number of findings of an input in a document.
pub(super) const MOST_IN_DOCUMENT: u64 = 1000;

/// Options of commands that report findings.
#[derive(Args, Debug)]
pub(super) struct ReportArgs {
    /// Format of the report; FORMAT=FILE writes it to FILE [default: text]
    ///
    /// May be repeated. The last FORMAT without FILE is that of standard output. FORMAT=- is written
    /// with --quiet, too.
    #[arg(long = "format", value_name = "FORMAT[=FILE]", value_parser = TargetParser(FormatChoice::ALL))]
    formats: Vec<ReportTarget>,

    /// Exit with 0 even if there are findings; errors still exit with 2
    #[arg(long, help_heading = "Output", hide_short_help = true)]
    exit_zero: bool,
}

/// A format, and where the report goes.
#[derive(Clone, Debug)]
pub(super) struct ReportTarget {
    format: &'static FormatRow,
    to: ReportDestination,
}

/// The place that a report is written to.
#[derive(Clone, Debug)]
enum ReportDestination {
    /// Standard output, because none is named.
    Unnamed,
    /// Standard output, by one of its names.
    StandardOutput,
    File(PathBuf),
}

impl ReportTarget {
    /// Returns the path of the file; `None` for standard output.
    fn file(&self) -> Option<&Path> {
        match &self.to {
            ReportDestination::Unnamed | ReportDestination::StandardOutput => None,
            ReportDestination::File(path) => Some(path),
        }
    }
}

/// The formats of a command.
#[derive(Clone, Copy, Debug)]
pub(super) struct FormatChoice {
    /// The formats of the command alone, the default first.
    pub own: &'static [FormatRow],
    /// True for the documents of [`FORMATS`], too.
    pub documents: bool,
    /// True if the formats of the command may go to a file, too.
    pub files: bool,
}

impl FormatChoice {
    /// All of [`FORMATS`].
    const ALL: FormatChoice = FormatChoice { own: FORMATS, documents: false, files: true };

    /// Returns the formats.
    fn rows(self) -> impl Iterator<Item = &'static FormatRow> {
        let documents = FORMATS.iter().filter(move |row| self.documents && row.document.is_some());
        self.own.iter().chain(documents)
    }
}

/// Parses `FORMAT` and `FORMAT=FILE`.
#[derive(Clone, Copy, Debug)]
pub(super) struct TargetParser(pub FormatChoice);

impl TypedValueParser for TargetParser {
    type Value = ReportTarget;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<ReportTarget, clap::Error> {
        let bytes = value.as_bytes();
        let (name, file) = match memchr::memchr(b'=', bytes) {
            Some(at) => (&bytes[..at], Some(OsStr::from_bytes(&bytes[at + 1..]))),
            None => (bytes, None),
        };
        let name = OsStr::from_bytes(name);
        let mut rows = self.0.rows();
        let Some(format) = rows.find(|row| row.has_name(name)) else {
            // Its error lists the formats.
            let names = PossibleValuesParser::new(self.0.rows().map(|row| row.name));
            return Err(names.parse_ref(command, arg, name).expect_err("no format"));
        };
        let error = |message: &str| {
            let message = format!("--format {}={message}\n", format.name);
            clap::Error::raw(ErrorKind::ValueValidation, message)
        };
        let to = match file.map(Path::new) {
            None => ReportDestination::Unnamed,
            Some(file) if is_standard_output(file) => ReportDestination::StandardOutput,
            Some(file) if file.as_os_str().is_empty() => {
                return Err(error(": needs the name of a file"));
            }
            Some(_) if format.lines || format.document.is_none() && !self.0.files => {
                return Err(error("FILE: goes to standard output only"));
            }
            Some(file) => ReportDestination::File(file.to_owned()),
        };
        Ok(ReportTarget { format, to })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.0.rows().map(|row| PossibleValue::new(row.name).help(row.summary))))
    }
}

impl ReportArgs {
    /// Adds a report to a file, which replaces the findings on standard output and the exit status.
    pub fn write_instead(&mut self, format: &'static FormatRow, file: PathBuf) {
        self.formats.push(ReportTarget { format, to: ReportDestination::File(file) });
        self.exit_zero = true;
    }

    /// Returns the format of standard output: the last one without a file, that of the variable,
    /// or the default.
    ///
    /// # Errors
    /// The variable names no format.
    pub fn standard(&self) -> anyhow::Result<&'static FormatRow> {
        self.standard_of(FormatChoice::ALL)
    }

    /// Returns the format of standard output, as [`standard`](ReportArgs::standard) does, for a
    /// command that has some formats only: the variable has no effect if it names another.
    ///
    /// # Errors
    /// The variable names no format.
    pub fn standard_of(&self, choice: FormatChoice) -> anyhow::Result<&'static FormatRow> {
        if let Some(format) = self.named()? {
            return Ok(format);
        }
        let default = &choice.own[0];
        let Some(name) = variable(VARIABLE) else {
            return Ok(default);
        };
        if format_by_name(&name).is_none() {
            let names: Vec<_> = FORMATS.iter().map(|row| row.name).collect();
            let (name, names) = (safe(&name), names.join(", "));
            anyhow::bail!("{VARIABLE}: no format '{name}'; the formats: {names}");
        }
        Ok(choice.rows().find(|row| row.has_name(&name)).unwrap_or(default))
    }

    /// Returns the format of standard output that the command line names. Of formats without a file, the
    /// last one counts.
    ///
    /// # Errors
    /// One of several names standard output.
    pub fn named(&self) -> anyhow::Result<Option<&'static FormatRow>> {
        let mut formats = self.formats.iter().filter(|target| target.file().is_none());
        let last = formats.next_back().map(|target| target.format);
        match formats.next() {
            Some(_) if self.names_standard_output() => Err(two_reports(STANDARD_OUTPUT)),
            _ => Ok(last),
        }
    }

    /// Returns `true` if `--quiet` leaves out the report on standard output. It does not if the report
    /// names standard output.
    pub fn is_suppressed(&self, quiet: bool) -> bool {
        quiet && !self.names_standard_output()
    }

    /// Returns `true` if a report is written, to standard output or a file.
    pub fn has_report(&self, quiet: bool) -> bool {
        !self.is_suppressed(quiet) || self.files().next().is_some()
    }

    fn names_standard_output(&self) -> bool {
        self.formats.iter().any(|target| matches!(target.to, ReportDestination::StandardOutput))
    }

    /// Returns the formats of the files.
    pub fn files(&self) -> impl Iterator<Item = &'static FormatRow> {
        self.formats.iter().filter(|target| target.file().is_some()).map(|target| target.format)
    }

    /// Returns the formats of all reports with their numbers: 0 is standard output, which has this
    /// format.
    pub fn numbered(
        &self,
        standard: Option<&'static FormatRow>,
    ) -> impl Iterator<Item = (usize, &'static FormatRow)> {
        standard.map(|row| (0, row)).into_iter().chain((1..).zip(self.files()))
    }

    /// Returns the exit status that was asked for.
    pub fn status(&self, status: Status) -> Status {
        match status {
            Status::Bad if self.exit_zero => Status::Good,
            status => status,
        }
    }

    /// Opens the reports of a run of the command in the style. The output of the session becomes
    /// the report on standard output, if `standard` is its format.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn open(
        &self,
        session: &mut Session,
        standard: Option<&'static FormatRow>,
    ) -> anyhow::Result<Reports> {
        let command = session.style.command;
        let mut standard_output = session::open_stdout();
        if self.files().next().is_some() {
            standard_output = Box::new(UntilClosed(Some(standard_output)));
        }
        let mut streams = vec![ReportStream::new(standard, command, standard_output)];
        let mut files: Vec<ReportFile> = Vec::new();
        for target in &self.formats {
            let (format, Some(path)) = (target.format, target.file()) else { continue };
            let new = match files.iter().any(|file| is_same_place(&file.path, path)) {
                true => Err(two_reports(&String::from_utf8_lossy(
                    session.name(path.as_os_str()).shown(),
                ))),
                false => NewFile::begin(session, path),
            };
            let NewFile { name, replacement, file } = match new {
                Ok(new) => new,
                Err(error) => return Err(Reports { files }.discard_after(error)),
            };
            inputs::leave_out(path, &file);
            streams.push(ReportStream::new(Some(format), command, Box::new(file)));
            files.push(ReportFile { name, path: path.to_owned(), format, replacement });
        }
        let has_job_summary = standard.is_some_and(|row| row.name == "github")
            || files.iter().any(|file| file.format.name == "github");
        if has_job_summary
            && let Some(path) = variable(JOB_SUMMARY)
            && let Ok(file) = Path::new(&path).metadata()
        {
            inputs::leave_out_file(&file, IS_JOB_SUMMARY);
        }
        let output = |to: &ReportStream, name: &str| Output::new(Box::new(to.clone()), name);
        session.out = output(&streams[0], STANDARD_OUTPUT);
        session.reports =
            streams[1..].iter().zip(&files).map(|(to, file)| output(to, &file.name)).collect();
        session.streams = streams;
        Ok(Reports { files })
    }
}

/// The reports of a run that go to files.
pub(super) struct Reports {
    files: Vec<ReportFile>,
}

/// The file of a report.
struct ReportFile {
    /// The name for messages.
    name: String,
    path: PathBuf,
    format: &'static FormatRow,
    replacement: Replacement,
}

impl Reports {
    /// Removes the new files after an error. Returns the error, which names those that are left.
    fn discard_after(self, error: anyhow::Error) -> anyhow::Error {
        self.files.into_iter().fold(error, |error, ReportFile { name, replacement, .. }| {
            match replacement.discard() {
                Ok(()) => error,
                Err(left) => anyhow::anyhow!("{error}; {name}: {left}"),
            }
        })
    }

    /// Ends the documents, replaces the files, and appends the summary of a job. An error of one
    /// report does not prevent the others.
    pub fn end(self, session: &mut Session) {
        // The outputs keep their errors.
        let _ = session.out.flush();
        if !session.out.failed()
            && let Err(error) = session.streams[0].end()
        {
            let _ = session.out.fail(error);
        }
        let is_cut = session.out.failed();
        for (file, number) in self.files.into_iter().zip(1..) {
            let ReportFile { name, path, format, replacement } = file;
            let stream = session.streams[number].clone();
            let out = session.report(number);
            let _ = out.flush();
            let written = out.failure().map_or_else(|| stream.end(), Err);
            let written = match written {
                _ if is_cut => Err(io::Error::other("not written: standard output failed")),
                _ if inputs::was_refused(&path) => Err(io::Error::other(IS_INPUT)),
                _ if format.lasting && session.status == Status::Trouble => {
                    Err(io::Error::other("not written, because the run failed"))
                }
                written => written.and_then(|()| inputs::check_unprotected(&path)),
            };
            if let Err(error) = replacement.commit_after(written) {
                session.report_run_error(&format!("{name}: {}", reason(&error)));
            }
        }
        if let Some(left_out) = session.streams.iter().find_map(ReportStream::left_out) {
            session
                .print_summary(&format!("utf8: {left_out} (--max-shown limits those of a file)"));
        }
        let summary = session.streams.iter().find_map(ReportStream::job_summary);
        if let Some(summary) = summary
            && let Err(error) = add_job_summary(&summary)
        {
            session.report_run_error(&format!("{JOB_SUMMARY}: {}", reason(&error)));
        }
    }
}

/// Returns the error for a second report to a file or standard output.
fn two_reports(name: &str) -> anyhow::Error {
    anyhow::anyhow!("{name}: two reports cannot go to one file (--format FORMAT=FILE)")
}

/// Returns the error of an option that leaves out the report on standard output.
pub(super) fn excluded(option: &str, format: &FormatRow) -> anyhow::Error {
    anyhow::anyhow!(
        "{option} cannot be used with --format {0} (--format {0}=FILE writes a report besides)",
        format.name
    )
}

/// Appends a summary to the page of the GitHub job that this process is a step of.
fn add_job_summary(summary: &[u8]) -> io::Result<()> {
    let Some(path) = variable(JOB_SUMMARY) else { return Ok(()) };
    let path = Path::new(&path);
    inputs::check_unprotected(path)?;
    if inputs::was_refused(path) {
        return Err(io::Error::other(IS_INPUT));
    }
    OpenOptions::new().append(true).create(true).open(path)?.write_all(summary)
}
