//! Reports of a run: their formats, and the files that they go to.

use std::ffi::OsStr;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::output::NewFile;
use super::parallel::lock;
use super::session::{self, STANDARD_OUTPUT, Session, reason};
use super::{Status, inputs, safe};
use crate::os::replace::Replacement;
use crate::output::Output;
use crate::report::{Document, FORMATS, FormatRow};

/// The variable that sets the format of standard output.
const VARIABLE: &str = "UTF8_FORMAT";

/// The variable that names the file of the summary of a GitHub job.
const JOB_SUMMARY: &str = "GITHUB_STEP_SUMMARY";

#[derive(Args, Debug)]
pub(super) struct ReportArgs {
    /// Format of the findings; =FILE writes another report [default: text]
    ///
    /// See Reports. May be given several times: one report goes to standard output.
    #[arg(long = "format", value_name = "FORMAT[=FILE]", value_parser = TargetParser)]
    formats: Vec<ReportTarget>,

    /// Exit with status 0 in spite of findings; trouble still exits with 2
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
        let rows = || FORMATS.iter().map(|row| PossibleValue::new(row.name));
        PossibleValuesParser::new(rows()).parse_ref(command, arg, &name.to_ascii_lowercase())?;
        let row = FORMATS.iter().find(|row| name.eq_ignore_ascii_case(row.name));
        let file = file.filter(|file| !["-", ""].iter().any(|none| file == none));
        Ok(ReportTarget { format: row.expect("a possible value"), file: file.map(PathBuf::from) })
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
        FORMATS.iter().find(|row| name.eq_ignore_ascii_case(row.name)).ok_or_else(|| {
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
        let mut files: Vec<(String, Replacement)> = Vec::new();
        for ReportTarget { format, file } in &self.formats {
            let Some(path) = file else { continue };
            anyhow::ensure!(
                !format.lines,
                "--format {}=FILE: goes to standard output only",
                format.name
            );
            let NewFile { name, replacement, file } = NewFile::begin(session, path)?;
            let is_double = files.iter().any(|(other, _)| *other == name);
            anyhow::ensure!(!is_double, "{name}: two reports cannot go to one file");
            inputs::leave_out(path, &file);
            streams.push(ReportStream::new(Some(format), Box::new(file)));
            files.push((name, replacement));
        }
        let output = |to: &ReportStream, name: &str| Output::new(Box::new(to.clone()), name);
        session.out = output(&streams[0], STANDARD_OUTPUT);
        session.reports =
            streams[1..].iter().zip(&files).map(|(to, (name, _))| output(to, name)).collect();
        session.streams = streams;
        Ok(Reports { files })
    }
}

/// The reports of a run that go to files.
pub(super) struct Reports {
    /// The names for messages, and the files.
    files: Vec<(String, Replacement)>,
}

impl Reports {
    /// Ends the documents and replaces the files.
    ///
    /// # Errors
    /// A file cannot be written, or standard output was closed before all inputs were read.
    pub fn end(self, session: &mut Session) -> anyhow::Result<()> {
        // The outputs keep their errors.
        let _ = session.out.flush();
        if !session.out.failed()
            && let Err(error) = session.streams[0].end()
        {
            let _ = session.out.fail(error);
        }
        let is_cut = session.out.failed();
        let outputs = session.reports.iter_mut().zip(&mut session.streams[1..]);
        for ((out, stream), (name, replacement)) in outputs.zip(self.files) {
            let _ = out.flush();
            let written = out.failure().map_or_else(|| stream.end(), Err);
            let whole = match is_cut {
                true => Err(io::Error::other("not written: standard output was closed")),
                false => written.and_then(|()| replacement.commit()),
            };
            whole.map_err(|error| anyhow::anyhow!("{name}: {}", reason(&error)))?;
        }
        Ok(())
    }
}

/// A stream that a report is written to. Clones write to the same stream.
#[derive(Clone)]
pub(super) struct ReportStream(Arc<Mutex<StreamState>>);

struct StreamState {
    to: Box<dyn Write + Send>,
    /// The document that the records belong to; `None` if the report is none.
    document: Option<Box<dyn Document>>,
    /// True once the document has begun.
    begun: bool,
    /// The start of a record.
    record: Vec<u8>,
    /// The part of the document that is not written yet.
    out: Vec<u8>,
}

impl ReportStream {
    fn new(format: Option<&FormatRow>, to: Box<dyn Write + Send>) -> ReportStream {
        let document = format.and_then(|format| format.document).map(|open| open());
        let (begun, record, out) = Default::default();
        ReportStream(Arc::new(Mutex::new(StreamState { to, document, begun, record, out })))
    }

    /// Ends the document.
    ///
    /// # Errors
    /// Those of writing it, and of the summary of a job.
    fn end(&self) -> io::Result<()> {
        let mut state = lock(&self.0);
        state.add(b"");
        let state = &mut *state;
        let Some(document) = &mut state.document else { return Ok(()) };
        document.end(&mut state.out);
        let summary = document.job_summary();
        state.flush()?;
        summary.map_or(Ok(()), |summary| add_job_summary(&summary))
    }
}

impl StreamState {
    /// Adds records to the document.
    fn add(&mut self, mut bytes: &[u8]) {
        let Some(document) = &mut self.document else { return };
        if !std::mem::replace(&mut self.begun, true) {
            document.begin(&mut self.out);
        }
        while let Some(end) = memchr::memchr(b'\n', bytes) {
            match self.record.is_empty() {
                true => document.record(&mut self.out, &bytes[..end]),
                false => {
                    self.record.extend_from_slice(&bytes[..end]);
                    document.record(&mut self.out, &self.record);
                    self.record.clear();
                }
            }
            bytes = &bytes[end + 1..];
        }
        self.record.extend_from_slice(bytes);
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
    let Some(path) = std::env::var_os(JOB_SUMMARY).filter(|path| !path.is_empty()) else {
        return Ok(());
    };
    let file = OpenOptions::new().append(true).create(true).open(path);
    let written = file.and_then(|mut file| file.write_all(summary));
    written.map_err(|error| io::Error::other(format!("{JOB_SUMMARY}: {}", reason(&error))))
}
