//! The files of the reports to merge, which are read twice.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, Write};
use std::path::PathBuf;

use anyhow::{Context, bail, ensure};

use super::object::JsonLine;
use super::range_report::{RangeReport, RangeReportHead, path_of};
use crate::cli::safe;
use crate::cli::session::reason;
use crate::report::AskedRange;

/// The longest line of a report, in bytes. A path of one argument, escaped and in Base64, fits.
const LONGEST_LINE: u64 = 1 << 20;

/// The start of the line of a finding.
const FINDING: &[u8] = b"{\"type\":\"finding\",";

/// A report that can be read again.
enum KeptReport {
    /// A regular file. It is opened again: there may be more than can be open.
    Path(PathBuf),
    /// A copy of a stream.
    Copy(File),
}

/// An input that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct InputTrouble {
    pub path: OsString,
    pub message: String,
    /// The range that was asked for; `None` for the whole.
    pub range: Option<AskedRange>,
}

impl InputTrouble {
    fn read(object: &JsonLine<'_>) -> anyhow::Result<InputTrouble> {
        let number = |key| match object.has(key) {
            true => object.number_or_null(key),
            false => Ok(None),
        };
        let range = AskedRange { start: number("start")?, size: number("size")? };
        let has_range = object.has("start") || object.has("size");
        Ok(InputTrouble {
            path: path_of(object)?,
            message: object.text("message")?,
            range: has_range.then_some(range),
        })
    }
}

/// The reports to merge.
#[derive(Default)]
pub(super) struct ReportStore {
    files: Vec<KeptReport>,
    /// The last report that was opened again, by its number.
    open: Option<(usize, BufReader<File>)>,
    pub ranges: Vec<RangeReport>,
    pub troubles: Vec<InputTrouble>,
}

impl ReportStore {
    /// Reads a report, all but its findings. `path` is the file; `None` for standard input.
    pub fn add(&mut self, path: Option<PathBuf>) -> anyhow::Result<()> {
        let name = path.as_ref().map_or("-".to_owned(), safe);
        let opened = match &path {
            Some(path) => File::open(path),
            None => crate::cli::inputs::stdin(),
        };
        let file = opened.map_err(|error| anyhow::anyhow!("{name}: {}", reason(&error)))?;
        let (kept, file) = keep(file, path).with_context(|| name.clone())?;
        let number = self.files.len();
        self.files.push(kept);
        ReportReader::new(file, number).read(self).with_context(|| name)
    }

    /// Passes the findings of a range to `work`.
    pub fn for_each_finding(
        &mut self,
        range: &RangeReport,
        mut work: impl FnMut(&JsonLine<'_>) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        if range.listed == 0 {
            return Ok(());
        }
        let (number, offset) = range.place;
        let mut reader = match self.open.take_if(|open| open.0 == number) {
            Some((_, reader)) => reader,
            None => BufReader::with_capacity(256 << 10, self.files[number].open()?),
        };
        // A range mostly follows the one before it.
        let at = reader.stream_position()?;
        let distance = i64::try_from(i128::from(offset) - i128::from(at))?;
        reader.seek_relative(distance)?;
        let mut line = Vec::new();
        for _ in 0..range.listed {
            read_line(&mut reader, &mut line)?;
            ensure!(line.starts_with(FINDING), "a report changed while it was read");
            work(&JsonLine::parse(&line)?)?;
        }
        self.open = Some((number, reader));
        Ok(())
    }
}

impl KeptReport {
    fn open(&self) -> io::Result<File> {
        match self {
            KeptReport::Path(path) => File::open(path),
            KeptReport::Copy(file) => {
                let mut file = file.try_clone()?;
                file.rewind()?;
                Ok(file)
            }
        }
    }
}

/// Returns a report that can be read again, and opened for the first time. A stream is copied.
fn keep(file: File, path: Option<PathBuf>) -> anyhow::Result<(KeptReport, File)> {
    if let Some(path) = path.filter(|_| file.metadata().is_ok_and(|found| found.is_file())) {
        return Ok((KeptReport::Path(path), file));
    }
    let mut reader = BufReader::with_capacity(256 << 10, crate::os::BlockingReader(file));
    let start = read_start(&mut reader).context("line 1")?;
    let copy = copy(&start, reader).map_err(|error| anyhow::anyhow!(reason(&error)))?;
    Ok((KeptReport::Copy(copy.try_clone()?), copy))
}

/// Reads the first line of a stream, which may be anything and have no end. Returns it with its line
/// feed, or nothing at the end, if a report can start with it.
fn read_start(reader: &mut impl BufRead) -> anyhow::Result<Vec<u8>> {
    let mut line = Vec::new();
    if read_line(reader, &mut line)? {
        let kind = JsonLine::parse(&line)?.plain("type")?;
        ensure!(["range", "trouble"].contains(&kind), misplaced(kind));
        line.push(b'\n');
    }
    Ok(line)
}

/// Copies a stream after its start to a file without a name.
fn copy(start: &[u8], mut rest: impl Read) -> io::Result<File> {
    let mut copy = tempfile::tempfile()?;
    copy.write_all(start)?;
    io::copy(&mut rest, &mut copy)?;
    copy.rewind()?;
    Ok(copy)
}

/// Reads the next line, without its line feed. Returns `false` at the end.
fn read_line(reader: &mut impl BufRead, line: &mut Vec<u8>) -> anyhow::Result<bool> {
    line.clear();
    let read = reader.take(LONGEST_LINE).read_until(b'\n', line)?;
    match line.pop_if(|last| *last == b'\n') {
        Some(_) => Ok(true),
        None if read as u64 == LONGEST_LINE => bail!("a line is too long: not a report"),
        None if read > 0 => bail!("ends within a line: the run that wrote it was cut off"),
        None => Ok(false),
    }
}

/// Reads the ranges of a report.
struct ReportReader {
    reader: BufReader<File>,
    /// The number of the report.
    number: usize,
    /// The number of the line, and the offset after it.
    line: u64,
    offset: u64,
    /// The range that has begun: its start, the offset of its first finding, and their number.
    begun: Option<(RangeReportHead, u64, u64)>,
}

impl ReportReader {
    fn new(file: File, number: usize) -> ReportReader {
        let reader = BufReader::with_capacity(256 << 10, file);
        ReportReader { reader, number, line: 0, offset: 0, begun: None }
    }

    /// Reads to the end.
    fn read(mut self, store: &mut ReportStore) -> anyhow::Result<()> {
        let mut line = Vec::new();
        loop {
            let at = self.line + 1;
            if !read_line(&mut self.reader, &mut line).with_context(|| format!("line {at}"))? {
                break;
            }
            (self.line, self.offset) = (at, self.offset + line.len() as u64 + 1);
            if let Some((.., listed)) = self.begun.as_mut().filter(|_| line.starts_with(FINDING)) {
                *listed += 1;
            } else {
                self.add(&line, store).with_context(|| format!("line {at}"))?;
            }
        }
        match self.begun {
            Some((head, ..)) => bail!(cut_off(&head)),
            None if self.line == 0 => bail!("is empty: the run that wrote it was cut off"),
            None => Ok(()),
        }
    }

    /// Adds an object that is no finding.
    fn add(&mut self, line: &[u8], store: &mut ReportStore) -> anyhow::Result<()> {
        let object = JsonLine::parse(line)?;
        match (object.plain("type")?, self.begun.take()) {
            ("range", None) => {
                self.begun = Some((RangeReportHead::read(&object)?, self.offset, 0));
            }
            ("range", Some((head, ..))) => bail!(cut_off(&head)),
            ("summary", Some((head, offset, listed))) => {
                store.ranges.push(RangeReport::read(head, (self.number, offset), listed, &object)?);
            }
            ("trouble", _) => {
                store.troubles.push(InputTrouble::read(&object)?);
            }
            (kind, _) => bail!(misplaced(kind)),
        }
        Ok(())
    }
}

/// Returns the message about an object of a type that no range starts with.
fn misplaced(kind: &str) -> &'static str {
    match kind {
        "summary" | "finding" => "expected the start of a range (is this a report by --partial?)",
        _ => "an object of another type than those of --partial",
    }
}

/// Returns the message about a range without an end.
fn cut_off(head: &RangeReportHead) -> String {
    format!(
        "the report of {} from byte {} has no summary: its run was cut off (run it again)",
        safe(&head.path),
        head.start
    )
}
