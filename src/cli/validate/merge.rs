//! `utf8 validate --merge`: one report from the reports of ranges.

use std::iter::once;
use std::ops::Range;
use std::path::Path;

use anyhow::{Context, ensure};

use super::flood::ForeignInputJudge;
use super::run::{InputEncodings, ValidateRun};
use crate::cli::inputs::{Inputs, NameSource, NamedInput, PendingInput};
use crate::cli::reports::ReportedList;
use crate::cli::session::Session;
use crate::cli::{Status, safe};
use crate::finding::locate::Position;
use crate::finding::segments::FaultSegment;
use crate::lint::Level;
use crate::report::{Finding, FindingSubject, InputSummary, RangeCounts, RangeHeader};
use crate::text::name::InputName;
use crate::validate::{FindingList, Listing};
use object::{JsonLine, kind_of};
use range_report::{RangeReport, check_whole, parts_of};
use store::{InputTrouble, ReportStore};

mod object;
mod range_report;
mod store;

/// Merges the reports that are named into the lists of a run.
pub(super) fn merge(run: &mut ValidateRun<'_>, session: &mut Session) -> anyhow::Result<()> {
    let mut store = read(run)?;
    let mut ranges = std::mem::take(&mut store.ranges);
    ranges.sort_by(|a, b| {
        (&a.head.path, a.head.start, a.size).cmp(&(&b.head.path, b.head.start, b.size))
    });
    let mut troubles = std::mem::take(&mut store.troubles);
    troubles.sort();
    match run.args.scale.partial {
        true => troubles.dedup(),
        // An input that could not be read is reported once, not for each range.
        false => troubles.dedup_by(|a, b| (&a.path, &a.message) == (&b.path, &b.message)),
    }
    let inputs: Vec<_> = ranges.chunk_by(|a, b| a.head.path == b.head.path).collect();
    let is_partial = run.args.scale.partial;
    for input in &inputs {
        let path = &input[0].head.path;
        let is_lost = troubles.binary_search_by(|trouble| trouble.path.cmp(path)).is_ok();
        check(input, is_partial || is_lost).with_context(|| safe(path))?;
    }
    let mut troubles = troubles.into_iter().peekable();
    for input in inputs {
        let path = &input[0].head.path;
        while let Some(trouble) = troubles.next_if(|trouble| trouble.path < *path) {
            fail(run, session, &trouble);
        }
        let is_lost = troubles.peek().is_some_and(|trouble| trouble.path == *path);
        let of = input.iter().find_map(|range| range.of);
        for part in parts_of(input)? {
            let merged = Merger { store: &mut store, part: &part, of, is_lost }.write(run, session);
            if session.output_failed() {
                // The session reports the error, and ends quietly after a closed pipe.
                return Ok(());
            }
            merged?;
        }
    }
    troubles.for_each(|trouble| fail(run, session, &trouble));
    Ok(())
}

/// Reads the reports, all but their findings.
fn read(run: &ValidateRun<'_>) -> anyhow::Result<ReportStore> {
    let mut store = ReportStore::default();
    let mut inputs = Inputs::new(&run.args.input, None).peekable();
    ensure!(inputs.peek().is_some(), "--merge got no reports: the list of files is empty");
    for input in inputs {
        match input {
            Ok(PendingInput::Stdin(_)) => store.add(None)?,
            Ok(PendingInput::File(path, _)) => store.add(Some(path))?,
            Ok(PendingInput::Text(_) | PendingInput::InTree(_)) => {
                anyhow::bail!("--merge reads reports from files")
            }
            Err((path, error)) => anyhow::bail!("{}: {error}", safe(path)),
        }
    }
    Ok(store)
}

/// Checks that the reports of an input belong together and, unless only a part is wanted, are those
/// of the whole.
fn check(input: &[RangeReport], is_part: bool) -> anyhow::Result<()> {
    let known = input.iter().find(|range| range.of.is_some()).unwrap_or(&input[0]);
    let signed = input.iter().find(|range| range.has_other_encoding()).unwrap_or(&input[0]);
    for range in input {
        range.check_beside(known)?;
        range.check_beside(signed)?;
        range.check_beside(&input[0])?;
    }
    let parts = parts_of(input)?;
    if is_part { Ok(()) } else { check_whole(&parts, known.of) }
}

/// Reports an input that could not be read.
fn fail(run: &mut ValidateRun<'_>, session: &mut Session, trouble: &InputTrouble) {
    let name = InputName::new(&trouble.path, session.style.unicode);
    session.report_error(&name, &trouble.message);
    run.record_range_failure(session, &name, &trouble.message, trouble.range);
}

/// Merges ranges that follow each other.
struct Merger<'a> {
    store: &'a mut ReportStore,
    part: &'a [&'a RangeReport],
    /// The number of bytes of the whole input, if it is known.
    of: Option<u64>,
    /// True if another part of the input could not be read.
    is_lost: bool,
}

/// The text before a range: the lines that have ended, and the bytes and code points of the next.
#[derive(Clone, Copy, Debug, Default)]
struct TextBefore {
    line_ends: u64,
    open_bytes: u64,
    open_chars: u64,
}

impl TextBefore {
    /// Adds a range.
    fn and(self, range: &RangeReport) -> Option<TextBefore> {
        let open = |before: u64, own: u64| match range.line_ends {
            0 => before.checked_add(own),
            _ => Some(own),
        };
        Some(TextBefore {
            line_ends: self.line_ends.checked_add(range.line_ends)?,
            open_bytes: open(self.open_bytes, range.open_bytes)?,
            open_chars: open(self.open_chars, range.open_chars)?,
        })
    }

    /// Returns a position in the range as one in the text.
    fn place(&self, at: Position) -> Option<Position> {
        let (bytes, chars) = if at.line == 1 { (self.open_bytes, self.open_chars) } else { (0, 0) };
        Some(Position {
            line: at.line.checked_add(self.line_ends)?,
            column_bytes: at.column_bytes.checked_add(bytes)?,
            column_chars: at.column_chars.checked_add(chars)?,
        })
    }
}

impl Merger<'_> {
    /// Writes the report of the ranges.
    fn write(mut self, run: &mut ValidateRun<'_>, session: &mut Session) -> anyhow::Result<()> {
        let head = &self.part[0].head;
        let summary = self.summary().context("the numbers of the reports are too large")?;
        let name = InputName::new(&head.path, session.style.unicode);
        let (out, reports) = (&mut session.out, session.reports.iter_mut());
        let to_list = Some(out).filter(|_| run.args.lists());
        let mut outputs: Vec<_> = once(to_list).chain(reports.map(Some)).collect();
        let header = RangeHeader {
            name: &name,
            encoding: head.codec,
            segments: head.segments,
            start: head.start,
            stamp: head.stamp.as_deref(),
        };
        let input = NamedInput::File(Path::new(&head.path), NameSource::CommandLine);
        let judge = |list: &ReportedList| ForeignInputJudge {
            codec: head.codec,
            format: list.row,
            style: list.style,
            args: &run.args.input,
            input,
            name: &name,
            is_standard_output: list.report == 0,
            found: None,
        };
        let mut judges: Vec<_> = run.lists.iter().map(judge).collect();
        let mut listings = Vec::new();
        for (list, judge) in run.lists.iter_mut().zip(&mut judges) {
            let Some(out) = outputs[list.report].take() else { continue };
            list.format.begin_range(out.buffer(), &header);
            let (format, most) = (list.format.as_mut(), list.most);
            // The bytes that another encoding would show are not known.
            let list = FindingList { format, out, most, judged: false, judge: Some(judge) };
            listings.push(Listing::new(&name, list, head.start));
        }
        self.list(run.args.no_lines, &name, &mut listings)?;
        for listing in &mut listings {
            let whole = Some(&summary).filter(|_| !self.is_lost || run.args.scale.partial);
            listing.end(head.codec, whole)?;
        }
        drop(listings);
        if summary.errors() > 0 {
            session.raise(Status::Bad);
        }
        if !run.args.scale.partial {
            let encodings = InputEncodings { read: head.codec, code_units: None };
            run.conclude(session, input, &name, encodings, &summary, None);
        }
        Ok(())
    }

    /// Returns the sum of the counts; `None` if it is too large.
    fn summary(&self) -> Option<InputSummary> {
        let mut summary = InputSummary::of(&(self.part[0].head.start..u64::MAX));
        let mut text = TextBefore::default();
        for range in self.part {
            text = text.and(range)?;
            summary.size = summary.size.checked_add(range.size)?;
            summary.warnings = summary.warnings.checked_add(range.warnings)?;
            summary.allowed = summary.allowed.checked_add(range.allowed)?;
            for &(kind, number) in &range.by_kind {
                summary.findings.checked_add(number)?;
                summary.add(kind, Level::Deny, number);
            }
            for (sum, number) in summary.lengths.iter_mut().zip(range.lengths) {
                *sum = sum.checked_add(number)?;
            }
        }
        let signed = self.part.iter().find(|range| range.has_other_encoding());
        let TextBefore { line_ends, open_bytes, open_chars } = text;
        // An empty input has none.
        let is_empty = self.of == Some(0) && summary.size == 0;
        summary.bom = self.part[0].bom.or(is_empty.then_some(false));
        summary.lines = line_ends.checked_add(u64::from(open_bytes > 0))?;
        summary.range = Some(RangeCounts {
            text: signed.unwrap_or(&self.part[0]).text.name,
            of: self.of,
            line_ends,
            open_bytes,
            open_chars,
        });
        Some(summary)
    }

    /// Lists the findings.
    fn list(
        &mut self,
        no_lines: bool,
        name: &InputName<'_>,
        listings: &mut [Listing<'_>],
    ) -> anyhow::Result<()> {
        let mut text = TextBefore::default();
        let mut bytes = [Vec::new(), Vec::new(), Vec::new()];
        for range in self.part {
            let mut rest = range.head.start..range.end();
            let places = Some(&text).filter(|_| !no_lines);
            self.store
                .for_each_finding(range, |object| {
                    let finding = read_finding(object, range, &mut rest, places, name, &mut bytes)?;
                    for listing in listings.iter_mut() {
                        if let Some(listing) = listing.admit(finding.offset) {
                            listing.finding(&finding)?;
                        }
                    }
                    Ok(())
                })
                .with_context(|| format!("a finding of {}", safe(&range.head.path)))?;
            let hidden = range.by_kind.iter().map(|row| row.1).sum::<u64>() - range.listed;
            for listing in listings.iter_mut() {
                listing.hide(hidden);
            }
            text = text.and(range).context("the numbers are too large")?;
        }
        Ok(())
    }
}

/// Reads a finding, which is in the rest of a range. `text` is the text before the range; `None` leaves
/// out the position.
fn read_finding<'a>(
    object: &JsonLine<'_>,
    range: &RangeReport,
    rest: &mut Range<u64>,
    text: Option<&TextBefore>,
    name: &'a InputName<'a>,
    [bytes, sequence, next]: &'a mut [Vec<u8>; 3],
) -> anyhow::Result<Finding<'a>> {
    [&mut *bytes, &mut *sequence, &mut *next].into_iter().for_each(|bytes| bytes.clear());
    let offset = object.number("offset")?;
    ensure!(rest.contains(&offset), "'offset' is not in the range, or not ascending");
    rest.start = offset;
    object.hex("hex", bytes)?;
    match object.has("sequence") {
        true => object.hex("sequence", sequence)?,
        false => sequence.clone_from(bytes),
    }
    if object.has("next") {
        object.hex("next", next)?;
    }
    let position = Position {
        line: object.number("line")?,
        column_bytes: object.number("column_bytes")?,
        column_chars: object.number("column_chars")?,
    };
    range.check_position(offset, position)?;
    let position = match text {
        Some(text) => Some(text.place(position).context("the position is too large")?),
        None => None,
    };
    let kind = kind_of(object.plain("kind")?)?;
    let columns = object.number("columns")?;
    ensure!(columns <= bytes.len() as u64, "'columns' is too large");
    let level = match object.plain("level")? {
        "error" => Level::Deny,
        "warning" => Level::Warn,
        _ => anyhow::bail!("'level' is neither error nor warning"),
    };
    let encoding = match object.has("codec") {
        true => object.encoding("codec")?,
        false => range.head.codec,
    };
    let segment = FaultSegment { at: 0, bytes, sequence, kind, columns_before: 0, columns };
    let subject = FindingSubject::Fault { segment, next: next.first().copied() };
    Ok(Finding { name, encoding, offset, subject, level, position })
}
