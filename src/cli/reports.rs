//! Reports of a run: their formats, and the files that they go to.

use std::ffi::OsStr;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::error::ErrorKind;

use super::output::{NewFile, is_same_place, is_standard_output};
use super::parallel::lock;
use super::session::{self, STANDARD_OUTPUT, Session, reason};
use super::{Status, inputs, safe};
use crate::os::replace::Replacement;
use crate::output::Output;
use crate::report::{Document, FORMATS, FormatRow, format_by_name};

/// The variable that sets the format of standard output.
const VARIABLE: &str = "UTF8_FORMAT";

/// The variable that names the file of the summary of a GitHub job.
const JOB_SUMMARY: &str = "GITHUB_STEP_SUMMARY";

#[derive(Args, Debug)]
pub(super) struct ReportArgs {
    /// Format of the report; FORMAT=FILE writes it to FILE [default: text]
    ///
    /// May be repeated. The last FORMAT without FILE is that of standard output.
    #[arg(long = "format", value_name = "FORMAT[=FILE]", value_parser = TargetParser)]
    formats: Vec<ReportTarget>,

    /// Exit with 0 even if there are findings; errors still exit with 2
    #[arg(long, help_heading = "Output", hide_short_help = true)]
    exit_zero: bool,
}

/// A format, and the file that the report goes to; `None` for standard output.
#[derive(Clone, Debug)]
struct ReportTarget {
    format: &'static FormatRow,
    file: Option<PathBuf>,
}

/// Parses `FORMAT` and `FORMAT=FILE`.
#[derive(Clone, Copy, Debug)]
struct TargetParser;

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
        let Some(format) = format_by_name(name) else {
            // Its error lists the formats.
            let names = PossibleValuesParser::new(FORMATS.iter().map(|row| row.name));
            return Err(names.parse_ref(command, arg, name).expect_err("no format"));
        };
        let error = |message: &str| {
            let message = format!("--format {}={message}\n", format.name);
            clap::Error::raw(ErrorKind::ValueValidation, message)
        };
        let file = file.map(Path::new).filter(|file| !is_standard_output(file));
        match file {
            Some(file) if file.as_os_str().is_empty() => Err(error(": needs the name of a file")),
            Some(_) if format.lines => Err(error("FILE: goes to standard output only")),
            file => Ok(ReportTarget { format, file: file.map(Path::to_owned) }),
        }
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(FORMATS.iter().map(|row| PossibleValue::new(row.name).help(row.summary))))
    }
}

impl ReportArgs {
    /// Returns the format of standard output: the last one without a file, that of the variable,
    /// or the default.
    ///
    /// # Errors
    /// The variable names no format.
    pub fn standard(&self) -> anyhow::Result<&'static FormatRow> {
        if let Some(format) = self.named() {
            return Ok(format);
        }
        let Some(name) = std::env::var_os(VARIABLE).filter(|name| !name.is_empty()) else {
            return Ok(&FORMATS[0]);
        };
        format_by_name(&name).ok_or_else(|| {
            let names: Vec<_> = FORMATS.iter().map(|row| row.name).collect();
            let (name, names) = (safe(&name), names.join(", "));
            anyhow::anyhow!("{VARIABLE}: no format '{name}'; the formats: {names}")
        })
    }

    /// Returns the format of standard output that the command line names.
    pub fn named(&self) -> Option<&'static FormatRow> {
        let named = self.formats.iter().rfind(|target| target.file.is_none());
        named.map(|target| target.format)
    }

    /// Returns the formats of the files.
    pub fn files(&self) -> impl Iterator<Item = &'static FormatRow> {
        self.formats.iter().filter(|target| target.file.is_some()).map(|target| target.format)
    }

    /// Returns the exit status that was asked for.
    pub fn status(&self, status: Status) -> Status {
        match status {
            Status::Bad if self.exit_zero => Status::Good,
            status => status,
        }
    }

    /// Opens the reports of a run. The output of the session becomes the report on standard output,
    /// if `standard` is its format.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn open(
        &self,
        session: &mut Session,
        standard: Option<&'static FormatRow>,
    ) -> anyhow::Result<Reports> {
        let mut streams = vec![ReportStream::new(standard, session::open_stdout())];
        let mut files: Vec<ReportFile> = Vec::new();
        for ReportTarget { format, file } in &self.formats {
            let Some(path) = file else { continue };
            let NewFile { name, replacement, file } = NewFile::begin(session, path)?;
            let is_double = files.iter().any(|file| is_same_place(&file.path, path));
            anyhow::ensure!(!is_double, "{name}: two reports cannot go to one file");
            inputs::leave_out(path, &file);
            streams.push(ReportStream::new(Some(format), Box::new(file)));
            files.push(ReportFile { name, path: path.clone(), replacement });
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
    replacement: Replacement,
}

impl Reports {
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
            let ReportFile { name, path, replacement } = file;
            let stream = session.streams[number].clone();
            let out = session.report(number);
            let _ = out.flush();
            let written = out.failure().map_or_else(|| stream.end(), Err);
            let ended = match written {
                _ if is_cut => Err(io::Error::other("not written: standard output failed")),
                _ if inputs::was_refused(&path) => {
                    Err(io::Error::other("not written: is an input, too (write to another file)"))
                }
                written => written.and_then(|()| replacement.commit()),
            };
            if let Err(error) = ended {
                session::report_error(&format!("{name}: {}", reason(&error)));
                session.raise(Status::Trouble);
            }
        }
        let summary = session.streams.iter().find_map(ReportStream::job_summary);
        if let Some(summary) = summary
            && let Err(error) = add_job_summary(&summary)
        {
            session::report_error(&format!("{JOB_SUMMARY}: {}", reason(&error)));
            session.raise(Status::Trouble);
        }
    }
}

/// A stream that a report is written to. Clones write to the same stream.
#[derive(Clone)]
pub(super) struct ReportStream(Arc<Mutex<StreamState>>);

struct StreamState {
    to: Box<dyn Write + Send>,
    /// The document that the records belong to; `None` if the format is not a document.
    document: Option<Box<dyn Document>>,
    /// The start of a record.
    record: Vec<u8>,
    /// The part of the document that is not written yet.
    out: Vec<u8>,
}

impl ReportStream {
    /// Returns a stream for a report in a format, or for other output, and begins the document.
    fn new(format: Option<&FormatRow>, to: Box<dyn Write + Send>) -> ReportStream {
        let mut document = format.and_then(|format| format.document).map(|open| open());
        let (record, mut out) = (Vec::new(), Vec::new());
        if let Some(document) = &mut document {
            document.begin(&mut out);
        }
        ReportStream(Arc::new(Mutex::new(StreamState { to, document, record, out })))
    }

    /// Ends the document.
    ///
    /// # Errors
    /// A write fails.
    fn end(&self) -> io::Result<()> {
        let mut state = lock(&self.0);
        let StreamState { document, record, out, .. } = &mut *state;
        debug_assert!(record.is_empty(), "a record has no end");
        if let Some(document) = document {
            document.end(out);
        }
        state.flush()
    }

    fn job_summary(&self) -> Option<Vec<u8>> {
        lock(&self.0).document.as_ref()?.job_summary()
    }
}

impl StreamState {
    /// Adds records to the document.
    fn add(&mut self, mut bytes: &[u8]) {
        let StreamState { document: Some(document), record, out, .. } = self else { return };
        while let Some(end) = memchr::memchr(b'\n', bytes) {
            if record.is_empty() {
                document.record(out, &bytes[..end]);
            } else {
                record.extend_from_slice(&bytes[..end]);
                document.record(out, record);
                record.clear();
            }
            bytes = &bytes[end + 1..];
        }
        record.extend_from_slice(bytes);
    }

    fn flush(&mut self) -> io::Result<()> {
        let written = self.to.write_all(&self.out);
        self.out.clear();
        written.and_then(|()| self.to.flush())
    }
}

impl Write for ReportStream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut state = lock(&self.0);
        if state.document.is_none() {
            return state.to.write(bytes);
        }
        state.add(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        lock(&self.0).flush()
    }
}

/// Appends a summary to the page of the GitHub job that this process is a step of.
fn add_job_summary(summary: &[u8]) -> io::Result<()> {
    match std::env::var_os(JOB_SUMMARY).filter(|path| !path.is_empty()) {
        Some(path) => OpenOptions::new().append(true).create(true).open(path)?.write_all(summary),
        None => Ok(()),
    }
}
