//! Validation: a sink that reports ill-formed sequences.

use std::io;
use std::ops::{ControlFlow, Range};
use std::sync::Arc;

use crate::codec::family::{Utf8, continues, tally_leads};
use crate::codec::{BOM, Codec, LengthCounts, Step};
use crate::finding::locate::Locator;
use crate::finding::segments::{FaultSegment, Segments};
use crate::issue::{Issue, KINDS, Kind};
use crate::kernel::{self, FaultMark, Kernels};
use crate::lint::Level;
use crate::lint::levels::RuleLevels;
use crate::registry::{Encoding, by_name};
use crate::report::baseline::KnownFindings;
use crate::report::{Finding, FindingSubject, InputSummary};
use crate::sink::{Run, SegmentWork, Sink, flow_if, within};
use crate::text::name::InputName;
use linter::{LintMatch, Linter};
use listing::Listing;

pub use clean::summary_of_clean;
pub use fixes::{LintCounts, LintFixes, TextEdit};
pub use linter::LintRules;
#[cfg(feature = "cli")]
pub(crate) use listing::FIRST;
pub use listing::{FindingList, FloodJudge};

mod clean;
mod fixes;
mod linter;
mod listing;

/// The number of bytes whose ill-formed sequences are found at once.
const EXAMINED: usize = 16 << 10;

/// The number of bytes of the first of these parts: the next ones may be well-formed.
const FIRST_EXAMINED: usize = 1 << 10;

/// The length of a low surrogate, in bytes.
const LOW_SURROGATE: usize = 3;

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
        self.locator.as_mut().filter(|_| is_open)
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
    /// its start.
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

        let kind = Kind::NotUtf8;
        let level = self.levels.of_kind(kind);
        let (unit, rest) = start.split_at(encoding.inner.unit.min(start.len()));
        self.summary.size = self.range.end.min(size).saturating_sub(self.range.start);
        self.summary.bom = Some(encoding.inner.signs);
        self.linter = None;
        if level == Level::Allow {
            return Ok(());
        }
        let segment =
            FaultSegment { at: 0, bytes: unit, sequence: unit, kind, subparts: 0, columns: 1 };
        let subject = FindingSubject::Fault { segment, next: None };
        if self.is_known(kind.id(), unit) {
            return Ok(());
        }
        self.summary.add(kind, level, 1);
        let first = Position { line: 1, column_bytes: 1, column_chars: 1 };
        let position = self.locator.as_ref().map(|_| first);
        for listing in &mut self.listings {
            listing.bytes(0, unit)?;
            let name = listing.name;
            if let Some(listing) = listing.admit(0) {
                let finding = Finding { name, encoding, offset: 0, subject, level, position };
                listing.finding(&finding)?;
            }
            listing.bytes(unit.len() as u64, rest)?;
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
            let part = within(&self.range, run.offset, run.bytes);
            let lines = run.reader.lines(&run.bytes[part.clone()]);
            self.summary.lines += lines.number;
            self.line_ended |= !part.is_empty() && lines.end == Some(part.len());
            run.reader.tally(run.bytes, part, &mut self.summary.lengths);
        }
        self.open_locator().map_or(Ok(ControlFlow::Continue(())), |locator| locator.run(run))
    }

    /// Passes the part of a run before the range, and reports the matches in the rest: in a file,
    /// nothing before the range is read.
    fn run_in_range(&mut self, linter: &mut Linter, run: Run<'_>) -> io::Result<ControlFlow<()>> {
        let Run { offset, bytes, reader, prepared } = run;
        let start = within(&self.range, offset, bytes).start;
        let start = if start > 0 { reader.boundary(bytes, start) } else { 0 };
        let (before, rest) = bytes.split_at(start);
        if start > 0 && self.pass(Run::new(offset, before, &mut *reader))?.is_break() {
            return Ok(ControlFlow::Break(()));
        }
        let rest = Run::new(offset + start as u64, rest, reader);
        self.run_with_lints(linter, Run { prepared, ..rest })
    }

    /// Passes a run in parts, and reports the matches in it.
    fn run_with_lints(&mut self, linter: &mut Linter, run: Run<'_>) -> io::Result<ControlFlow<()>> {
        let Run { offset, bytes, reader, prepared } = run;
        let mut passed = 0;
        let mut examined = 0;
        while examined < bytes.len() {
            let rest = &bytes[examined..];
            examined += linter.examine(offset + examined as u64, rest, prepared.is_some());
            let index = |at: u64| at.saturating_sub(offset) as usize;
            // Formats with context need all bytes of a finding before it.
            let mut end = passed;
            while let Some(found) = linter.next_to_place() {
                let start = index(found.offset).clamp(passed, examined);
                let part = Run::new(offset + passed as u64, &bytes[passed..start], &mut *reader);
                if self.pass(part)?.is_break() {
                    return Ok(ControlFlow::Break(()));
                }
                passed = start;
                self.place(offset + passed as u64, found)?;
                end = index(found.end()).clamp(end.max(passed), examined);
                if linter.offset_to_place().is_some_and(|next| index(next) < end) {
                    continue;
                }
                let part = Run::new(offset + passed as u64, &bytes[passed..end], &mut *reader);
                passed = end;
                if self.pass(part)?.is_break() || self.report_found(linter)?.is_break() {
                    let rest = &bytes[passed..];
                    return self.pass(Run::new(offset + passed as u64, rest, reader));
                }
            }
            let part = Run::new(offset + passed as u64, &bytes[passed..examined], &mut *reader);
            passed = examined;
            if self.pass(part)?.is_break() || self.report_found(linter)?.is_break() {
                let rest = &bytes[passed..];
                return self.pass(Run::new(offset + passed as u64, rest, reader));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Sets the position of a match, if it may be shown. `reached` is the offset up to which text
    /// was passed.
    fn place(&mut self, reached: u64, found: &mut LintMatch) -> io::Result<()> {
        let known = found.position.take();
        let Some(locator) = self.open_locator() else { return Ok(()) };
        found.position = known;
        if known.is_none() {
            let mut position = locator.locate(reached, found.offset, 0)?;
            position.column_chars =
                position.column_chars.saturating_sub(found.chars_since_start).max(1);
            found.position = Some(position);
        }
        Ok(())
    }

    /// Reports the matches that need no more text, after text up to an offset was passed. Breaks if
    /// the limit of findings is reached.
    fn report_lints(&mut self, linter: &mut Linter, reached: u64) -> io::Result<ControlFlow<()>> {
        while let Some(found) = linter.next_to_place() {
            self.place(reached, found)?;
        }
        self.report_found(linter)
    }

    /// Reports the matches that are decided.
    fn report_found(&mut self, linter: &mut Linter) -> io::Result<ControlFlow<()>> {
        while let Some((found, lint, level)) = linter.next_found() {
            let LintMatch { offset, bytes, columns, value, detail, position, .. } = &found;
            let is_at_end = bytes.is_empty() && *offset == self.reached;
            if !self.range.contains(offset) && !is_at_end || self.summary.stopped {
                continue;
            }
            let subject =
                FindingSubject::Lint { lint, bytes, columns: *columns, value: *value, detail };
            if self.is_known(lint.row().id, bytes) {
                continue;
            }
            self.summary.add_lint(lint, level);
            if let Some(fixes) = &mut self.fixes {
                fixes.add(&found, lint, self.text);
            }
            for listing in self.listings.iter_mut().filter_map(|listing| listing.admit(*offset)) {
                let (name, encoding) = (listing.name, self.text);
                let finding = Finding {
                    name,
                    encoding,
                    offset: *offset,
                    subject,
                    level,
                    position: *position,
                };
                listing.finding(&finding)?;
            }
            if Some(self.summary.findings) == self.options.limit {
                self.summary.stopped = true;
            }
        }
        Ok(flow_if(!self.summary.stopped))
    }

    /// Lists a segment of the issue at an offset.
    fn list_fault(
        &mut self,
        segment: FaultSegment<'_>,
        next: Option<u8>,
        issue: u64,
        level: Level,
    ) -> io::Result<()> {
        let Some(name) = self.listings.first().map(|listing| listing.name) else { return Ok(()) };
        let (encoding, offset) = (self.text, issue + segment.at as u64);
        let subparts = segment.subparts;
        let subject = FindingSubject::Fault { segment, next };
        let mut finding = Finding { name, encoding, offset, subject, level, position: None };
        for listing in self.listings.iter_mut().filter_map(|listing| listing.admit(offset)) {
            if finding.position.is_none()
                && let Some(locator) = &mut self.locator
            {
                finding.position = Some(locator.locate(issue, offset, subparts)?);
            }
            listing.finding(&finding)?;
        }
        Ok(())
    }

    /// Reports the findings of an issue.
    fn report_issue(
        &mut self,
        issue: &Issue,
        bytes: &[u8],
        next: Option<u8>,
    ) -> io::Result<ControlFlow<()>> {
        for segment in self.options.segments.split(self.text, *issue, bytes) {
            let offset = issue.offset + segment.at as u64;
            let level = self.levels.of_kind(segment.kind);
            if !self.range.contains(&offset) || level == Level::Allow {
                continue;
            }
            if self.is_known(segment.kind.id(), segment.bytes) {
                continue;
            }
            self.summary.add(segment.kind, level, 1);
            self.list_fault(segment, next, issue.offset, level)?;
            if Some(self.summary.findings) == self.options.limit {
                self.summary.stopped = true;
                return Ok(self.rest());
            }
        }
        match self.open_locator() {
            Some(locator) => locator.issue(issue, bytes, next),
            None => Ok(ControlFlow::Continue(())),
        }
    }

    /// Returns `true` if the text is UTF-8 of which only ill-formed sequences and positions are needed.
    fn skips_text(&mut self) -> bool {
        // Marks have what is counted and cut into segments. Comments are about lints.
        let CheckOptions { segments: _, limit, count: _, comments: _ } = self.options;
        self.started
            && self.text.inner.strict
            && self.linter.is_none()
            && limit.is_none()
            && self.listings.iter().all(Listing::is_plain)
            && self.open_locator().is_none_or(|locator| locator.is_current())
    }

    /// Returns `true` if ill-formed sequences are only counted, too.
    fn only_counts(&self) -> bool {
        // Comments are about lints, and fixes are theirs.
        let CheckOptions { segments, limit, count, comments: _ } = self.options;
        self.listings.is_empty()
            && self.known.is_none()
            && !count
            && limit.is_none()
            && segments == Segments::Sequence
    }

    /// Reports the ill-formed sequences at the front while they are dense. Returns the number of
    /// bytes examined.
    fn report_dense(&mut self, kernels: &Kernels, offset: u64, bytes: &[u8]) -> io::Result<usize> {
        // A surrogate pair is one sequence, which the bytes after the high surrogate decide. The
        // byte after a sequence is part of the message.
        let most = bytes.len().saturating_sub(LOW_SURROGATE + 1);
        let only_counts = self.only_counts();
        let (mut starts, mut marks) = (Vec::new(), Vec::new());
        let (mut at, mut size) = (0, FIRST_EXAMINED);
        while at < most {
            let (rest, part) = (&bytes[at..], &bytes[at..most.min(at + size)]);
            let (number, passed) = if only_counts {
                starts.clear();
                let end = kernels.faults(part, &mut starts);
                (starts.len(), end.max(self.count_faults(rest, &starts)))
            } else {
                marks.clear();
                let end = kernels.fault_marks(part, &mut marks);
                (marks.len(), self.report_marks(offset + at as u64, rest, &marks, &end)?)
            };
            at += passed;
            size = EXAMINED;
            if !kernel::are_dense(number, passed) {
                break;
            }
        }
        // The flow does not depend on bytes without a limit of findings.
        let _ = self.record(offset, &bytes[..at])?;
        self.line_ended |= bytes[..at].last() == Some(&b'\n');
        Ok(at)
    }

    /// Reports the ill-formed sequences at some marks in bytes at an offset. `end` is the mark of the
    /// end of the bytes examined. Returns the number of bytes up to there, or to the end of the last
    /// sequence.
    fn report_marks(
        &mut self,
        offset: u64,
        bytes: &[u8],
        marks: &[FaultMark],
        end: &FaultMark,
    ) -> io::Result<usize> {
        let mut passed = end.at as usize;
        let mut reached = FaultMark::default();
        let mut ill_formed = LengthCounts::default();
        for (mark, issue) in issues_at(bytes, marks) {
            let (sequence, rest) = bytes[mark.at as usize..].split_at(issue.len.into());
            if let Some(locator) = &mut self.locator {
                locator.advance(offset, &reached, mark);
            }
            reached = *mark;
            for &byte in sequence.iter().filter(|&&byte| !continues(byte)) {
                reached.starts += 1;
                // The bytes of a mapped file may have changed since.
                ill_formed[byte.leading_ones().clamp(1, 6) as usize - 1] += 1;
            }
            passed = passed.max(mark.at as usize + sequence.len());
            let issue = Issue { offset: offset + issue.offset, ..issue };
            // The flow does not depend on issues without a limit of findings.
            let _ = self.report_issue(&issue, sequence, rest.first().copied())?;
        }
        if let Some(locator) = &mut self.locator {
            locator.advance(offset, &reached, end);
        }
        if self.options.count {
            self.summary.lines += u64::from(end.lines);
            let mut lengths = LengthCounts::default();
            tally_leads(&bytes[..passed], &mut lengths);
            for (sum, (all, ill)) in
                self.summary.lengths.iter_mut().zip(lengths.iter().zip(&ill_formed))
            {
                // The bytes of a mapped file may change between two counts.
                *sum += all.saturating_sub(*ill);
            }
        }
        Ok(passed)
    }

    /// Counts the ill-formed sequences that start at some indexes. Returns the number of bytes up to
    /// the end of the last pair of surrogates.
    fn count_faults(&mut self, bytes: &[u8], starts: &[u32]) -> usize {
        let mut numbers = [0; Kind::COUNT];
        let mut passed = 0;
        for start in starts.iter().map(|&start| start as usize) {
            let mut kind = Utf8::kind_of_fault([bytes[start], bytes[start + 1]]);
            if kind == Kind::SurrogateHigh
                && let Step::Ill { kind: Kind::SurrogatePair, len, .. } = utf8_step(&bytes[start..])
            {
                kind = Kind::SurrogatePair;
                passed = start + len;
            } else if start < passed {
                continue;
            }
            numbers[kind as usize] += 1;
        }
        for (row, number) in KINDS.iter().zip(numbers) {
            let level = self.levels.of_kind(row.kind);
            if level != Level::Allow {
                self.summary.add(row.kind, level, number);
            }
        }
        passed
    }

    /// Reports the matches at the end of the input.
    fn end_lints(&mut self, whole: bool) -> io::Result<()> {
        self.summary.suppressed = self.linter.as_ref().map_or(0, |linter| linter.suppressed());
        let Some(mut linter) = self.linter.take_if(|_| !self.summary.stopped) else {
            return Ok(());
        };
        let is_examined = whole && self.range.end >= self.reached && self.reached > 0;
        linter.end(is_examined.then_some(self.reached));
        self.report_lints(&mut linter, self.reached).map(drop)?;
        self.summary.suppressed = linter.suppressed();
        if let Some(fixes) = &mut self.fixes {
            fixes.end(linter.first_line_end());
        }
        Ok(())
    }

    /// Ends the check and the report of the input, and returns the summary. `whole` says that the
    /// input was read without errors.
    ///
    /// # Errors
    /// Returns the errors of the output.
    pub fn end(mut self, whole: bool) -> io::Result<InputSummary> {
        self.end_lints(whole)?;
        self.summary.lines += u64::from(self.options.count && !self.line_ended);
        for listing in &mut self.listings {
            listing.end(self.encoding, whole.then_some(&self.summary))?;
        }
        Ok(self.summary)
    }
}

/// Reads the first sequence of UTF-8 within a text.
#[inline(always)]
fn utf8_step(bytes: &[u8]) -> Step {
    Utf8::step(&mut Utf8::start(u64::MAX), bytes, true)
}

/// Returns the ill-formed sequences of UTF-8 at some marks. Their offsets are those in the bytes.
fn issues_at<'a>(
    bytes: &'a [u8],
    marks: &'a [FaultMark],
) -> impl Iterator<Item = (&'a FaultMark, Issue)> {
    let mut passed = 0;
    marks.iter().filter_map(move |mark| {
        let start = mark.at as usize;
        // The second surrogate of a pair. Another step is possible only if the bytes change.
        let step = (start >= passed).then(|| utf8_step(&bytes[start..]))?;
        let Step::Ill { kind, len, replacements } = step else { return None };
        passed = start + len;
        Some((mark, Issue { offset: start as u64, len: len as u8, kind, replacements }))
    })
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

    fn work_ahead(&self) -> Option<Box<dyn SegmentWork>> {
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
