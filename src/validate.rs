//! Validation: a sink that reports ill-formed sequences.

use std::io;
use std::ops::{ControlFlow, Range};
use std::sync::Arc;

use crate::codec::BOM;
use crate::finding::locate::{Locator, notation_chars};
use crate::finding::segments::Segments;
use crate::issue::Issue;
use crate::kernel::Kernels;
use crate::lint::levels::RuleLevels;
use crate::registry::{Encoding, by_name};
use crate::report::InputSummary;
#[cfg(feature = "cli")]
use crate::report::RangeCounts;
use crate::report::baseline::KnownFindings;
use crate::sink::{AheadWork, Run, Sink, flow_if, within};
use crate::text::name::InputName;
use linter::Linter;

pub use clean::summary_of_clean;
pub use fixes::{EditCursor, LintCounts, LintFixes, TextEdit};
pub use linter::LintRules;
#[cfg(feature = "cli")]
pub(crate) use linter::declaration;
#[cfg(feature = "cli")]
pub(crate) use listing::FIRST;
pub(crate) use listing::Listing;
pub use listing::{FindingList, FloodJudge};

mod clean;
mod dense;
mod fixes;
mod issues;
mod linter;
mod lints;
mod listing;

/// Options of a check.
#[derive(Clone, Copy, Debug, Default)]
pub struct CheckOptions {
    /// The rule that splits an ill-formed sequence into findings.
    pub segments: Segments,
    /// The number of findings after which to stop; `None` for no limit.
    pub limit: Option<u64>,
    /// True to count lines and code points.
    pub count: bool,
    /// True if comments in the text turn lints off: `utf8:allow(ID)`.
    pub comments: bool,
}

/// The destinations of the findings.
pub struct CheckReport<'a> {
    /// The name of the input.
    pub name: &'a InputName<'a>,
    /// The lists that the findings are written to.
    pub lists: Vec<FindingList<'a>>,
    /// The source of line and column numbers; `None` leaves them out.
    pub locator: Option<Locator>,
}

/// Finds, counts and reports the ill-formed sequences that start in a range of an input.
pub struct Check<'a> {
    encoding: &'static Encoding,
    /// The encoding after the signature.
    text: &'static Encoding,
    range: Range<u64>,
    options: CheckOptions,
    listings: Vec<Listing<'a>>,
    locator: Option<Locator>,
    levels: RuleLevels,
    /// The findings that are not reported.
    known: Option<KnownFindings<'a>>,
    /// The changes that fix the findings, if they are wanted.
    fixes: Option<&'a mut LintFixes>,
    /// The search for what lints report, if any are.
    linter: Option<Box<Linter>>,
    summary: InputSummary,
    /// The offset after the bytes that were passed.
    reached: u64,
    /// True once the text has started: shift sequences are no text yet.
    started: bool,
    /// True if the last byte of the range so far ended a line.
    line_ended: bool,
}

impl<'a> Check<'a> {
    /// Returns a check of a range of an input. Without a report, findings are only counted.
    pub fn new(
        encoding: &'static Encoding,
        range: Range<u64>,
        options: CheckOptions,
        report: Option<CheckReport<'a>>,
    ) -> Check<'a> {
        let summary = InputSummary::of(&range);
        let (started, line_ended) = (false, true);
        let (listings, locator) = report.map_or((Vec::new(), None), |report| {
            let CheckReport { name, lists, locator } = report;
            let listing = |list| Listing::new(name, list, range.start);
            (lists.into_iter().map(listing).collect(), locator)
        });
        Check {
            encoding,
            text: encoding,
            range,
            options,
            listings,
            locator,
            levels: RuleLevels::default(),
            known: None,
            fixes: None,
            linter: None,
            summary,
            reached: 0,
            started,
            line_ended,
        }
    }

    /// Sets the levels of ill-formed sequences and lints. By default, ill-formed sequences are
    /// errors, and no lint is reported.
    pub fn with_rules(mut self, rules: &Arc<LintRules>) -> Check<'a> {
        let comments = self.options.comments && self.encoding.properties.transparent;
        let open = || Box::new(Linter::new(self.encoding, Arc::clone(rules), comments));
        self.linter = rules.levels.has_lints().then(open);
        self.levels = rules.levels.clone();
        self
    }

    /// Sets findings that are counted apart and not reported.
    pub fn with_known(mut self, known: Option<KnownFindings<'a>>) -> Check<'a> {
        self.known = known;
        self
    }

    /// Reports at the start of the input that it contradicts the encoding that is set for it, if the
    /// lint is on. `detail` is the message.
    #[cfg(feature = "cli")]
    pub(crate) fn with_contradiction(mut self, detail: Option<&str>) -> Check<'a> {
        if let (Some(linter), Some(detail)) = (&mut self.linter, detail) {
            linter.contradict(detail.into());
        }
        self
    }

    /// Collects the changes that fix the findings of lints.
    pub fn with_fixes(mut self, fixes: &'a mut LintFixes) -> Check<'a> {
        self.fixes = Some(fixes);
        self
    }

    /// Returns the summary so far.
    pub fn summary(&self) -> &InputSummary {
        &self.summary
    }
}

impl Check<'_> {
    /// Counts bytes and shows them to the report. Breaks if the limit of findings is reached.
    fn record(&mut self, offset: u64, bytes: &[u8]) -> io::Result<ControlFlow<()>> {
        for listing in &mut self.listings {
            listing.bytes(offset, bytes)?;
        }
        self.reached = offset + bytes.len() as u64;
        if self.summary.stopped {
            return Ok(ControlFlow::Break(()));
        }
        let mine = &bytes[within(&self.range, offset, bytes)];
        self.summary.size += mine.len() as u64;
        self.line_ended &= mine.is_empty();
        Ok(ControlFlow::Continue(()))
    }

    /// Returns the locator while findings may be shown.
    fn open_locator(&mut self) -> Option<&mut Locator> {
        let is_open = self.listings.iter().any(Listing::is_open);
        self.locator.as_mut().filter(|locator| is_open || locator.is_of_range())
    }

    /// Starts the text, if it has not started. `bom` says that it starts, at this offset, with
    /// U+FEFF.
    fn start(&mut self, offset: u64, bom: bool) {
        if !std::mem::replace(&mut self.started, true)
            && self.range.start == 0
            && offset < self.range.end
        {
            self.summary.bom = Some(bom);
        }
    }

    /// Returns `true`, and counts it, if a finding is known.
    #[inline(always)]
    fn is_known(&mut self, id: &str, bytes: &[u8]) -> bool {
        let has = |known: &mut KnownFindings<'_>| known.has(id, bytes);
        let is_known = self.known.as_mut().is_some_and(has);
        self.summary.known += u64::from(is_known);
        is_known
    }

    /// Returns the flow after the limit is reached: continues while the report needs more bytes.
    fn rest(&mut self) -> ControlFlow<()> {
        flow_if(self.listings.iter_mut().any(Listing::waits))
    }

    /// Reports that the whole input, of this size in bytes, is text in another encoding. `start` is
    /// its start. The text was not passed, or had no finding.
    ///
    /// # Errors
    /// Returns the errors of the output.
    #[cfg(feature = "cli")]
    pub(crate) fn reject(
        &mut self,
        encoding: &'static Encoding,
        size: u64,
        start: &[u8],
    ) -> io::Result<()> {
        use crate::finding::locate::Position;
        use crate::issue::Kind;
        use crate::lint::Level;
        use crate::report::{Finding, FindingSubject};

        let kind = Kind::NotUtf8;
        let level = self.levels.of_kind(kind);
        let is_passed = self.reached > 0;
        if is_passed && level == Level::Allow {
            return Ok(());
        }
        let (unit, rest) = start.split_at(encoding.inner.unit.min(start.len()));
        self.summary.size = self.range.end.min(size).saturating_sub(self.range.start);
        self.summary.bom = Some(encoding.inner.signs);
        self.linter = None;
        if level == Level::Allow {
            return Ok(());
        }
        let subject = FindingSubject::of_input(kind, unit);
        if self.is_known(kind.id(), unit) {
            return Ok(());
        }
        self.summary.add(kind, level, 1);
        let position = self.locator.as_ref().map(|_| Position::START);
        for listing in &mut self.listings {
            if !is_passed {
                listing.bytes(0, unit)?;
            }
            let name = listing.name;
            if let Some(listing) = listing.admit(0) {
                let finding = Finding { name, encoding, offset: 0, subject, level, position };
                listing.finding(&finding)?;
            }
            if !is_passed {
                listing.bytes(unit.len() as u64, rest)?;
            }
        }
        Ok(())
    }

    /// Counts a part of a run and shows it to the report. Breaks if the limit of findings is
    /// reached.
    fn pass(&mut self, run: Run<'_>) -> io::Result<ControlFlow<()>> {
        if self.record(run.offset, run.bytes)?.is_break() {
            return Ok(self.rest());
        }
        if !self.started
            && let Some((at, value)) = run.reader.first(run.bytes)
        {
            self.start(run.offset + at as u64, value == BOM);
        }
        if self.options.count {
            self.count(&run);
        }
        let locator = self.open_locator().filter(|locator| !locator.is_of_range());
        locator.map_or(Ok(ControlFlow::Continue(())), |locator| locator.run(run))
    }

    /// Counts the lines and code points of a run that start in the range.
    fn count(&mut self, run: &Run<'_>) {
        let part = within(&self.range, run.offset, run.bytes);
        let unit = self.encoding.inner.unit;
        let whole = |at: usize| at.next_multiple_of(unit).min(run.bytes.len());
        let units = whole(part.start)..whole(part.end);
        let lines = run.reader.lines(&run.bytes[units.clone()]);
        self.summary.lines += lines.number;
        self.line_ended |= !units.is_empty() && lines.end == Some(units.len());
        let lengths = &mut self.summary.lengths;
        let locator = self.locator.as_mut().filter(|locator| locator.is_of_range());
        let Some(locator) = locator else { return run.reader.tally(run.bytes, part, lengths) };
        let moved = |from: usize, to: usize| (to > from).then_some(run.offset + to as u64);
        locator.move_bounds(moved(part.start, units.start), moved(part.end, units.end));
        let behind = lines.end.map(|end| units.start + end);
        if let Some(behind) = behind {
            run.reader.tally(run.bytes, part.start..behind, lengths);
        }
        let before: u64 = lengths.iter().sum();
        let open = behind.unwrap_or(part.start)..part.end.max(behind.unwrap_or(part.start));
        run.reader.tally(run.bytes, open.clone(), lengths);
        let chars = notation_chars(self.encoding, &run.bytes[open])
            .unwrap_or_else(|| lengths.iter().sum::<u64>() - before);
        let last = behind.map(|behind| run.offset + behind as u64);
        locator.count(lines.number, last, chars);
    }

    /// Sets the number of bytes of the whole input, if it is known.
    #[cfg(feature = "cli")]
    pub(crate) fn set_size(&mut self, of: Option<u64>) {
        let text = self.text.name;
        let counts = RangeCounts { text, of, ..RangeCounts::default() };
        self.summary.range = Some(counts).filter(|_| self.locator.is_some());
    }

    /// Completes the counts of a range.
    fn end_range(&mut self) {
        let end = self.range.start.saturating_add(self.summary.size);
        if let Some(counts) = &mut self.summary.range
            && let Some(locator) = self.locator.as_ref().filter(|_| self.reached > 0)
        {
            [counts.line_ends, counts.open_bytes, counts.open_chars] = locator.open_line(end);
        }
    }

    /// Ends the check and the report of the input, and returns the summary. `whole` says that the
    /// input was read without errors.
    ///
    /// # Errors
    /// Returns the errors of the output.
    pub fn end(mut self, whole: bool) -> io::Result<InputSummary> {
        self.end_lints(whole)?;
        self.end_range();
        self.summary.lines += u64::from(self.options.count && !self.line_ended);
        for listing in &mut self.listings {
            listing.end(self.encoding, whole.then_some(&self.summary))?;
        }
        Ok(self.summary)
    }
}

impl Sink for Check<'_> {
    fn run(&mut self, run: Run<'_>) -> io::Result<ControlFlow<()>> {
        match self.linter.take_if(|_| !self.summary.stopped) {
            None => self.pass(run),
            Some(mut linter) => {
                let flow = self.run_in_range(&mut linter, run);
                self.linter = Some(linter);
                flow
            }
        }
    }

    fn signature(&mut self, offset: u64, bytes: &[u8]) -> io::Result<ControlFlow<()>> {
        if self.record(offset, bytes)?.is_break() {
            return Ok(self.rest());
        }
        self.start(offset, true);
        if let Some(mut linter) = self.linter.take_if(|_| self.range.contains(&offset)) {
            linter.add_signature(offset, bytes);
            let flow = self.report_lints(&mut linter, offset);
            self.linter = Some(linter);
            if flow?.is_break() {
                return Ok(self.rest());
            }
        }
        match &mut self.locator {
            Some(locator) => locator.signature(offset, bytes),
            None => Ok(ControlFlow::Continue(())),
        }
    }

    fn issue(
        &mut self,
        issue: &Issue,
        bytes: &[u8],
        next: Option<u8>,
    ) -> io::Result<ControlFlow<()>> {
        if self.record(issue.offset, bytes)?.is_break() {
            return Ok(self.rest());
        }
        self.start(issue.offset, false);
        if let Some(locator) = &mut self.locator {
            locator.begin_issue(issue, bytes);
        }
        if let Some(mut linter) = self.linter.take_if(|_| issue.offset >= self.range.start) {
            linter.interrupt(issue.offset);
            let flow = self.report_lints(&mut linter, issue.offset);
            self.linter = Some(linter);
            if flow?.is_break() {
                return Ok(self.rest());
            }
        }
        self.report_issue(issue, bytes, next)
    }

    fn gulp(&mut self, kernels: &Kernels, offset: u64, bytes: &[u8]) -> io::Result<usize> {
        let is_in_range = within(&self.range, offset, bytes) == (0..bytes.len());
        match is_in_range && self.skips_text() {
            true => self.report_dense(kernels, offset, bytes),
            false => Ok(0),
        }
    }

    fn work_ahead(&self) -> Option<Box<dyn AheadWork>> {
        self.linter.as_ref()?.work_ahead()
    }

    fn tolerates_changes(&self) -> bool {
        true
    }

    fn codec(&mut self, codec: &'static str) {
        self.text = by_name(codec);
        if let Some(linter) = &mut self.linter {
            linter.set_encoding(self.text);
        }
    }

    fn pause(&mut self) -> io::Result<()> {
        self.listings.iter_mut().try_for_each(Listing::pause)
    }
}
