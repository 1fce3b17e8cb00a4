//! What is a format? The one table of them, and what each is told.

use std::ops::Range;

use crate::codec::LengthCounts;
use crate::finding::locate::Position;
use crate::finding::segments::FaultSegment;
use crate::issue::{KINDS, Kind};
use crate::registry::Encoding;

use crate::text::name::InputName;

mod full;
pub(crate) mod json;
mod text;
mod tsv;

/// A piece of a fault, with all that is said of it.
#[derive(Debug)]
pub struct Finding<'a> {
    /// The input's name.
    pub name: &'a InputName<'a>,
    /// The codec that it was read as.
    pub spec: &'static Encoding,
    /// The offset of its first byte in the whole input.
    pub offset: u64,
    /// Its bytes and its kind.
    pub piece: FaultSegment<'a>,
    /// The byte behind the fault; `None` at the end of input.
    pub next: Option<u8>,
    /// Its line and columns.
    pub place: Position,
}

/// What is known of an input once it has been read, or once enough of it has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InputSummary {
    /// The offset from which on it was examined.
    pub start: u64,
    /// How many bytes were examined.
    pub size: u64,
    /// How many findings there were.
    pub findings: u64,
    by_kind: [u64; Kind::COUNT],
    /// Whether the reading stopped at a limit of findings, before the end.
    pub stopped: bool,
    /// Whether it starts with U+FEFF; `None` if its start was not examined.
    pub bom: Option<bool>,
    /// Lines; the last one need not end. Zero where they were not counted.
    pub lines: u64,
    /// Well-formed code points by their length in bytes. Zero where they were not counted.
    pub lengths: LengthCounts,
}

impl InputSummary {
    /// That of a range, before anything was examined.
    pub fn of(range: &Range<u64>) -> InputSummary {
        let at_start = range.start == 0 && !range.is_empty();
        InputSummary {
            start: range.start,
            bom: at_start.then_some(false),
            ..InputSummary::default()
        }
    }

    /// Count a finding.
    pub(crate) fn add(&mut self, kind: Kind) {
        self.findings += 1;
        self.by_kind[kind as usize] += 1;
    }

    /// The kinds that were found, and how often, in the order of [`KINDS`].
    pub fn found(&self) -> impl Iterator<Item = (Kind, u64)> + '_ {
        let all = KINDS.iter().map(|row| (row.kind, self.by_kind[row.kind as usize]));
        all.filter(|(_, number)| *number > 0)
    }
}

/// How a report is dressed.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReportStyle {
    /// With colours.
    pub color: bool,
    /// In other than ASCII characters.
    pub unicode: bool,
    /// With what was counted.
    pub stats: bool,
}

/// A way to write findings.
pub trait Format {
    /// Append a finding.
    fn finding(&mut self, out: &mut Vec<u8>, finding: &Finding<'_>);

    /// See some bytes of the input go by: all of them, in order, those of a finding before it.
    /// Only where [`Row::rows`] says so.
    fn bytes(&mut self, out: &mut Vec<u8>, offset: u64, bytes: &[u8]) {
        let _ = (out, offset, bytes);
    }

    /// Whether a finding waits for more bytes to go by.
    fn waits(&self) -> bool {
        false
    }

    /// Append what is still to be said of an input, at its end. `None` if it could not be read to
    /// the end.
    fn end(
        &mut self,
        out: &mut Vec<u8>,
        name: &InputName<'_>,
        spec: &Encoding,
        summary: Option<&InputSummary>,
    ) {
        let _ = (out, name, spec, summary);
    }

    /// Append what went wrong with an input, where the format has a place for it.
    fn trouble(&mut self, out: &mut Vec<u8>, name: &InputName<'_>, what: &str) {
        let _ = (out, name, what);
    }
}

/// A row of [`FORMATS`].
#[derive(Debug)]
pub struct FormatRow {
    /// The name on the command line.
    pub name: &'static str,
    /// What it is, in one line.
    pub summary: &'static str,
    /// Whether columns are counted in code points, and lines and code points in all.
    pub chars: bool,
    /// Whether it shows bytes around a finding.
    pub rows: bool,
    /// Whether it is for people, who also get a summary on standard error.
    pub prose: bool,
    /// Whether it has a summary of each input of its own.
    pub sums_up: bool,
    /// Start a report.
    pub open: fn(ReportStyle) -> Box<dyn Format>,
}

/// Every format. The first is the default.
#[rustfmt::skip]
pub static FORMATS: &[FormatRow] = &[
    FormatRow { name: "text", summary: "a line for each finding", chars: false, rows: false, prose: true, sums_up: false,
          open: |style| Box::new(text::TextReport(style)) },
    FormatRow { name: "full", summary: "the same, with its row of a hexdump", chars: false, rows: true, prose: true, sums_up: false,
          open: |style| Box::new(full::FullReport::new(style)) },
    FormatRow { name: "json", summary: "JSON Lines: an object for each finding, and one for each input", chars: true, rows: false, prose: false, sums_up: true,
          open: |style| Box::new(json::JsonReport(style)) },
    FormatRow { name: "tsv", summary: "OFFSET LENGTH KIND LINE COLUMN BYTES NAME, separated by tabs", chars: false, rows: false, prose: false, sums_up: false,
          open: |_| Box::new(tsv::TsvReport) },
];
