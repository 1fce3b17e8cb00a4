//! Options that divide the check of a large input, and put the reports together.

use std::fs;
use std::io;
use std::num::NonZero;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use clap::Args;

use super::ValidateArgs;
use crate::cli::args::{self, InputArgs};
use crate::cli::inputs::{self, InputWork, Inputs, NamedInput};
use crate::cli::session::{Session, reason};
use crate::cli::tree::TreeRules;
use crate::finding::line_terminator::LineTerminator;
use crate::os::fill_at;
use crate::registry::Encoding;
use crate::source::CHANGED;
use crate::text::json::JsonObject;
use crate::text::name::InputName;
use crate::text::write;

/// The help heading of the options.
const HEADING: &str = "Ranges and merging";

#[derive(Args, Debug)]
pub(super) struct ScaleArgs {
    /// Write the report of a range, for --merge
    ///
    /// JSON Lines. Lines and columns count from the start of the range. See utf8-scale(7).
    #[arg(
        long,
        help_heading = HEADING,
        hide = true,
        conflicts_with_all = [
            "formats", "count", "files_with_errors", "files_without_errors", "quiet", "no_lines",
            "stats", "max_shown", "baseline", "write_baseline",
        ]
    )]
    pub partial: bool,

    /// List at most N findings of a range, but count all
    #[arg(long, value_name = "N", help_heading = HEADING, hide = true, requires = "partial")]
    pub list: Option<u64>,

    /// Version of the whole that standard input is a part of
    ///
    /// For example an ETag. --merge refuses ranges of different versions.
    #[arg(
        long,
        value_name = "TEXT",
        help_heading = HEADING,
        hide = true,
        requires = "partial",
        conflicts_with = "merge"
    )]
    pub stamp: Option<String>,

    /// Merge reports by --partial into one
    ///
    /// The files are reports, of ranges or of whole files, in any order.
    #[arg(
        long,
        help_heading = HEADING,
        hide = true,
        conflicts_with_all = ["text", "hex", "skip", "length", "at", "of", "max_errors", "baseline", "write_baseline"]
    )]
    pub merge: bool,

    /// Print the ranges of SIZE bytes of each file
    ///
    /// As PATH, START and LENGTH, separated by tabs; with --format json, as objects.
    #[arg(
        long,
        value_name = "SIZE",
        value_parser = range_size,
        help_heading = HEADING,
        hide = true,
        conflicts_with_all = ["partial", "merge", "text", "hex", "skip", "length", "at"]
    )]
    pub ranges: Option<NonZero<u64>>,

    /// Let each range end with a line
    #[arg(long, help_heading = HEADING, hide = true, requires = "ranges", conflicts_with = "of")]
    pub lines: bool,
}

/// Parses the size of a range.
fn range_size(text: &str) -> Result<NonZero<u64>, String> {
    NonZero::new(args::size(text)?).ok_or_else(|| "expected a size of 1 or more".to_owned())
}

/// Returns a text that tells one state of a file from another; `None` for another input.
pub(super) fn stamp(input: NamedInput<'_>) -> Option<String> {
    let found = regular(input)?;
    Some(format!("{}.{:09}", found.mtime(), found.mtime_nsec()))
}

/// Returns the size of an empty file, 0, which a range of no bytes does not show.
pub(super) fn empty_size(input: NamedInput<'_>) -> Option<u64> {
    regular(input).map(|found| found.len()).filter(|&size| size == 0)
}

fn regular(input: NamedInput<'_>) -> Option<fs::Metadata> {
    let (NamedInput::File(..) | NamedInput::InTree(_)) = input else { return None };
    fs::metadata(input.name()).ok().filter(fs::Metadata::is_file)
}

impl ValidateArgs {
    /// Checks that the options of ranges fit the others.
    ///
    /// # Errors
    /// The reason if they do not.
    pub(super) fn check_scale(&self) -> anyhow::Result<()> {
        let codec = self.input.codec();
        let is_partial = self.scale.partial && !self.scale.merge;
        anyhow::ensure!(
            !(is_partial && codec.properties.stateful),
            "--partial cannot divide {}, which has shift states",
            codec.name
        );
        anyhow::ensure!(
            self.scale.stamp.is_none() || self.input.is_stream(),
            "--stamp is about standard input: name no file"
        );
        anyhow::ensure!(
            !(self.scale.partial || self.scale.merge) || !self.lints.names_lints(),
            "lints need the whole text: leave them out with --partial and --merge"
        );
        let name = self.reports.named()?.map_or("text", |format| format.name);
        anyhow::ensure!(
            !self.scale.merge || !["full", "lines"].contains(&name),
            "--merge has no bytes for --format {name}: use another format"
        );
        anyhow::ensure!(
            self.scale.ranges.is_none() || ["text", "tsv", "json"].contains(&name),
            "--ranges writes tsv or json"
        );
        let is_divided = codec.inner.reach.is_some() || !codec.has_byte_units();
        anyhow::ensure!(
            self.scale.ranges.is_none() || self.scale.lines || is_divided,
            "{} can only be divided at line ends: add --lines",
            codec.name
        );
        Ok(())
    }

    /// Prints the ranges of the inputs.
    ///
    /// # Errors
    /// Two reports go to standard output.
    pub(super) fn print_ranges(
        &self,
        size: NonZero<u64>,
        rules: &TreeRules,
        session: &mut Session,
    ) -> anyhow::Result<()> {
        let inputs = Inputs::new(&self.input, Some(rules));
        let is_json = self.reports.named()?.is_some_and(|format| format.name == "json");
        let (lines, input) = (self.scale.lines, &self.input);
        inputs::each_of(inputs, session, &mut RangePrinter { size, lines, is_json, input });
        Ok(())
    }
}

/// Prints the ranges of inputs.
struct RangePrinter<'a> {
    size: NonZero<u64>,
    /// True if each range ends with a line.
    lines: bool,
    is_json: bool,
    input: &'a InputArgs,
}

impl InputWork for RangePrinter<'_> {
    fn process(
        &mut self,
        session: &mut Session,
        input: NamedInput<'_>,
    ) -> std::ops::ControlFlow<()> {
        let name = session.name(input.name());
        let encoding = self.input.named_codec().or(input.declared()).unwrap_or(Encoding::UTF_8);
        // An error of the output is reported at the end of the run.
        if let Err(error) = self.print(session, input, &name, encoding)
            && !session.output_failed()
        {
            session.report_error(&name, &reason(&error));
        }
        crate::sink::flow_if(!session.output_failed())
    }
}

impl RangePrinter<'_> {
    fn print(
        &self,
        session: &mut Session,
        input: NamedInput<'_>,
        name: &InputName<'_>,
        encoding: &'static Encoding,
    ) -> io::Result<()> {
        let file = match input {
            NamedInput::Stdin(_) => None,
            _ => Some(fs::File::open(Path::new(input.name()))?),
        };
        let whole = match &file {
            Some(file) if file.metadata()?.is_file() => Some(file.metadata()?.len()),
            _ => self.input.of,
        };
        let whole = whole.ok_or_else(|| io::Error::other("has no known size (--of SIZE)"))?;
        let mut finder =
            file.as_ref().filter(|_| self.lines).map(|file| CutFinder::new(file, encoding));
        let mut start = 0;
        while start < whole || whole == 0 {
            let mut end = start.saturating_add(self.size.get()).min(whole);
            if let Some(finder) = finder.as_mut().filter(|_| end < whole) {
                end = finder.find(end)?.min(whole);
            }
            self.print_range(session.out.buffer(), name, start, end - start);
            session.out.settle()?;
            if end == whole {
                break;
            }
            start = end;
        }
        let Some(found) = file.map(|file| file.metadata()).transpose()? else { return Ok(()) };
        let has_shrunk = found.is_file() && found.len() < whole;
        if has_shrunk { Err(io::Error::other(CHANGED)) } else { Ok(()) }
    }

    fn print_range(&self, out: &mut Vec<u8>, name: &InputName<'_>, start: u64, length: u64) {
        if self.is_json {
            let mut object = JsonObject::new(out, "range");
            object.path(name);
            object.number("start", start);
            object.number("length", length);
            return object.end();
        }
        out.extend_from_slice(name.listed());
        for number in [start, length] {
            out.push(b'\t');
            write::decimal(out, number);
        }
        out.push(b'\n');
    }
}

/// Finds the ends of lines in a file.
struct CutFinder<'a> {
    file: &'a fs::File,
    /// The encoding of the text, which a byte order mark may tell.
    encoding: &'static Encoding,
    terminator: LineTerminator,
}

impl<'a> CutFinder<'a> {
    fn new(file: &'a fs::File, encoding: &'static Encoding) -> CutFinder<'a> {
        let mut start = [0; 4];
        let known = fill_at(file, &mut start, 0).unwrap_or(0);
        let encoding = encoding.after_bom(&start[..known]).unwrap_or(encoding);
        CutFinder { file, encoding, terminator: LineTerminator::of(encoding) }
    }

    /// Returns the first offset at or after `from` that is after a line end, or that of the end.
    fn find(&self, from: u64) -> io::Result<u64> {
        let unit = self.encoding.inner.unit as u64;
        let mut at = from.next_multiple_of(unit).saturating_sub(unit);
        let mut block = vec![0; 64 << 10];
        loop {
            let got = fill_at(self.file, &mut block, at)?;
            if let Some(end) = self.terminator.find(&block[..got]) {
                return Ok(at + end as u64);
            }
            at += got as u64;
            if got < block.len() {
                return Ok(u64::MAX);
            }
        }
    }
}
