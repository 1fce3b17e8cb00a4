//! Listing of findings, up to a limit.
//!
//! The first findings of an input are written at once. If more follow in its first block, they are
//! held until the block is complete; then a judge shows or hides them and all later ones.

use std::io;

use crate::output::Output;
use crate::registry::Encoding;
use crate::report::{FaultBatch, Finding, Format, InputSummary, ReportedInput};
use crate::source::HEAD;
use crate::text::name::InputName;

/// The number of findings that no judge hides.
pub(crate) const FIRST: u64 = 10;

/// The number of findings after which the judge decides, even if the block is incomplete.
const MOST_HELD: u64 = 1024;

/// The room for the text of as many findings, in bytes.
const HELD: usize = 128 << 10;

/// A judge of inputs that have many findings in their first block.
pub trait FloodJudge {
    /// Returns a writer of the same format for the findings that are held.
    fn open(&self) -> Box<dyn Format>;

    /// Returns `true` to hide the findings after the first ones, if there are more. `block` is the
    /// start of the range, at `offset`: 64 KiB, or less if the input ended, has so many findings that no
    /// more are held, or the input paused and that [decides](Self::decides_at_pauses).
    fn hides(&mut self, offset: u64, block: &[u8]) -> bool;

    /// Returns `true` if a pause of the input decides: for a report on a terminal.
    fn decides_at_pauses(&self) -> bool;

    /// Returns `true` to see the first block, too, if it has few findings, all of which are shown.
    fn examines_few(&self) -> bool {
        false
    }

    /// Returns the message about findings that are not shown.
    fn message(&self, hidden: u64) -> String;
}

/// A list of the findings of an input, and its limits.
pub struct FindingList<'a> {
    /// The format of the findings.
    pub format: &'a mut dyn Format,
    /// The output that the report is written to.
    pub out: &'a mut Output,
    /// The number of findings to show; `None` for all.
    pub most: Option<u64>,
    /// True if the judge may hide the findings after the first ones.
    pub judged: bool,
    /// The judge; `None` if all findings are shown.
    pub judge: Option<&'a mut dyn FloodJudge>,
}

/// Writes the findings of an input.
pub(crate) struct Listing<'a> {
    pub name: &'a InputName<'a>,
    format: &'a mut dyn Format,
    /// True if the format shows the bytes around findings.
    has_context: bool,
    out: &'a mut Output,
    most: u64,
    judge: Option<&'a mut dyn FloodJudge>,
    /// True until the judge has decided.
    undecided: bool,
    /// The offset of the first byte to judge.
    start: u64,
    /// The first bytes of the input, with those before the range, until the judge has decided.
    block: Vec<u8>,
    /// The offset of the first of them.
    offset: u64,
    /// The writer of the findings that were held, and of those after them.
    later: Option<Box<dyn Format>>,
    /// Its text, until the judge has decided.
    held: Vec<u8>,
    /// The number of findings that were written or are held.
    shown: u64,
    /// The number of findings that are not shown.
    hidden: u64,
    /// True if no further finding is shown.
    closed: bool,
}

impl<'a> Listing<'a> {
    /// Returns a listing for a range that starts at this offset.
    pub fn new(name: &'a InputName<'a>, list: FindingList<'a>, start: u64) -> Listing<'a> {
        let FindingList { format, out, most, judged, judge } = list;
        Listing {
            name,
            has_context: format.context().is_some(),
            format,
            out,
            most: most.unwrap_or(u64::MAX),
            undecided: judged && judge.is_some(),
            judge,
            start,
            block: Vec::new(),
            offset: 0,
            later: None,
            held: Vec::new(),
            shown: 0,
            hidden: 0,
            closed: false,
        }
    }

    /// Receives bytes of the input: all bytes, in order, those of a finding before the finding.
    pub fn bytes(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        if self.undecided && self.block.len() < HEAD {
            if self.block.is_empty() {
                self.offset = offset;
            }
            let room = HEAD - self.block.len();
            self.block.extend_from_slice(&bytes[..room.min(bytes.len())]);
        }
        if !self.has_context {
            return Ok(());
        }
        let is_first = self.later.is_none() && !self.closed;
        let Some(context) = self.format.context() else { return Ok(()) };
        if is_first || context.waits() {
            context.bytes(self.out.buffer(), offset, bytes);
        }
        if let Some(context) = self.later.as_mut().and_then(|later| later.context())
            && (!self.closed || context.waits())
        {
            let to = if self.undecided { &mut self.held } else { self.out.buffer() };
            context.bytes(to, offset, bytes);
        }
        self.out.settle()
    }

    /// Returns `true` if the next finding is written or not shown, without the bytes around it.
    pub fn is_plain(&self) -> bool {
        !self.undecided && !self.has_context
    }

    /// Returns `true` if further findings may be shown.
    #[inline]
    pub fn is_open(&self) -> bool {
        !self.closed
    }

    /// Returns the listing if the next finding, at this offset, is shown or held. Counts it if not.
    #[inline]
    pub fn admit(&mut self, offset: u64) -> Option<&mut Self> {
        let held = self.shown.saturating_sub(FIRST);
        if self.undecided && (self.block.len() == HEAD || held == MOST_HELD) {
            self.decide();
        }
        let is_shown = self.room(1) > 0;
        if !is_shown {
            self.hide_at(offset);
        }
        is_shown.then_some(self)
    }

    /// Returns the number of findings that are shown or held of so many.
    #[inline]
    fn room(&mut self, number: u64) -> u64 {
        let most = if self.closed { 0 } else { self.most.saturating_sub(self.shown) };
        // While findings are held, those beyond the limit are only counted.
        self.closed |= most < number && !self.undecided;
        most.min(number)
    }

    /// Counts a finding that is not shown.
    fn hide_at(&mut self, offset: u64) {
        self.hidden += 1;
        self.format.hide(offset);
    }

    /// Counts findings that are not known in detail.
    #[cfg(feature = "cli")]
    pub fn hide(&mut self, number: u64) {
        self.hidden += number;
    }

    /// Writes or holds a finding.
    #[inline(always)]
    pub fn finding(&mut self, finding: &Finding<'_>) -> io::Result<()> {
        self.shown += 1;
        if self.undecided || self.later.is_some() {
            return self.later_finding(finding);
        }
        self.format.finding(self.out.buffer(), finding);
        self.out.settle()
    }

    /// Writes the findings of a batch, up to the limit, after the judge has decided.
    pub fn batch(&mut self, batch: FaultBatch<'_>) -> io::Result<()> {
        let shown = self.room(batch.faults.len() as u64);
        let (faults, hidden) = batch.faults.split_at(shown as usize);
        hidden.iter().for_each(|fault| self.hide_at(batch.offset_of(fault)));
        self.shown += shown;
        let (out, batch) = (self.out.buffer(), FaultBatch { faults, ..batch });
        match &mut self.later {
            Some(later) => later.batch(out, &batch),
            None => self.format.batch(out, &batch),
        }
        self.out.settle()
    }

    /// Writes or holds a finding while there is a judge.
    fn later_finding(&mut self, finding: &Finding<'_>) -> io::Result<()> {
        if let Some(judge) = &self.judge
            && self.undecided
            && self.shown > FIRST
        {
            let held = &mut self.held;
            let later = self.later.get_or_insert_with(|| {
                // A text that grows leaves as much memory behind; room that is not used takes none.
                held.reserve_exact(HELD);
                let mut later = judge.open();
                if let Some(context) = later.context() {
                    context.bytes(&mut Vec::new(), self.offset, &self.block);
                }
                later
            });
            later.finding(&mut self.held, finding);
            return Ok(());
        }
        match &mut self.later {
            Some(later) => later.finding(self.out.buffer(), finding),
            None => self.format.finding(self.out.buffer(), finding),
        }
        self.out.settle()
    }

    /// Shows or hides the findings that are held.
    fn decide(&mut self) {
        if !std::mem::replace(&mut self.undecided, false) {
            return;
        }
        let block = std::mem::take(&mut self.block);
        let held = std::mem::take(&mut self.held);
        let has_more = self.later.is_some();
        let is_wanted = |judge: &&mut &mut dyn FloodJudge| has_more || judge.examines_few();
        let judge = self.judge.as_mut().filter(|_| self.shown > 0).filter(is_wanted);
        let Some(judge) = judge else { return };
        let before = self.start.saturating_sub(self.offset) as usize;
        let hides = judge.hides(self.offset.max(self.start), &block[before.min(block.len())..]);
        if !has_more {
            return;
        }
        if hides {
            self.hidden += self.shown - FIRST;
            self.later = None;
            self.closed = true;
        } else {
            self.out.buffer().extend_from_slice(&held);
        }
    }

    /// Returns `true` if a finding needs more bytes before it can be written.
    pub fn waits(&mut self) -> bool {
        let waits = |format: &mut dyn Format| format.context().is_some_and(|found| found.waits());
        waits(self.format) || self.later.as_mut().is_some_and(|later| waits(later.as_mut()))
    }

    /// Writes the findings so far. Held findings wait for the first block, unless a pause decides: the
    /// report of a stream does not depend on the sizes of its reads.
    pub fn pause(&mut self) -> io::Result<()> {
        let decides = self.judge.as_ref().is_some_and(|judge| judge.decides_at_pauses());
        if self.later.is_some() && (decides || self.block.len() == HEAD) {
            self.decide();
        }
        self.out.flush()
    }

    /// Ends the report of the input.
    pub fn end(
        &mut self,
        encoding: &'static Encoding,
        summary: Option<&InputSummary>,
    ) -> io::Result<()> {
        self.decide();
        let hidden = self.hidden;
        let judge = self.judge.as_ref().filter(|_| hidden > 0);
        let message = judge.map(|judge| judge.message(hidden));
        let (name, hidden_note) = (self.name, message.as_deref());
        let encoding = Some(encoding);
        let input = ReportedInput { name, encoding, summary, hidden_note };
        if let Some(later) = &mut self.later {
            // The later writer has the end of the report.
            let first = ReportedInput { summary: None, hidden_note: None, ..input };
            self.format.end(self.out.buffer(), &first);
            later.end(self.out.buffer(), &input);
        } else {
            self.format.end(self.out.buffer(), &input);
        }
        self.out.settle()
    }
}
