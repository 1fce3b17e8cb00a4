//! What speaks for which encoding? The sink of `utf8 detect`.

use std::io;
use std::ops::{ControlFlow, Range};

use memchr::{memchr, memchr2};

use super::announcement::AnnouncementScanner;
use super::certain::signature;
use super::damage::DamageCounter;
use super::detection::{Detection, FirstFault};
use super::escapes::{ESC, EscapeFinder};
use super::high_bytes::{self, HighByteSampler};
use super::shifts::{self, ShiftFinder};
use super::signature::signatures;
use super::tally::ByteTally;
use super::utf8_test::{TestResult, Utf8Test};
use super::window::KeptWindow;
use crate::issue::Issue;
use crate::kernel::{self, Kernels};
use crate::registry::CODECS;
use crate::scan::Chunk;
use crate::sink::{Run, Sink, outside, starting, within};

/// What is wanted of a [`Detector`](super::Detector).
#[derive(Clone, Copy, Debug, Default)]
pub struct EvidenceOptions {
    /// All evidence, from all of the input. Otherwise it stops once the answer cannot change.
    pub evidence: bool,
    /// What else it could be.
    pub candidates: bool,
    /// Whether it is UTF-8 or not: it may stop at the first fault.
    pub utf8_or_not: bool,
}

/// Gathers evidence from the events of a scan as UTF-8.
pub(crate) struct EvidenceSink {
    kernels: &'static Kernels,
    pub(super) range: Range<u64>,
    pub(super) wanted: EvidenceOptions,
    /// How many bytes there were.
    pub(super) seen: u64,
    pub(super) odds: Utf8Test,
    /// The start of the input.
    pub(super) head: KeptWindow,
    /// What is from the first byte on that is not ASCII.
    pub(super) high: KeptWindow,
    /// What escapes and shifts announce, if all before them is ASCII.
    pub(super) escapes: AnnouncementScanner<EscapeFinder>,
    pub(super) shifts: AnnouncementScanner<ShiftFinder>,
    /// The offset of the first NUL that was looked for.
    pub(super) nul: Option<u64>,
    pub(super) thin: HighByteSampler,
    pub(super) near: DamageCounter,
    pub(super) fault: Option<FirstFault>,
    pub(super) tally: Option<ByteTally>,
}

impl std::fmt::Debug for EvidenceSink {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let EvidenceSink { seen, odds, fault, .. } = self;
        f.debug_struct("Gatherer")
            .field("seen", seen)
            .field("odds", odds)
            .field("fault", fault)
            .finish_non_exhaustive()
    }
}

impl EvidenceSink {
    /// Look at a range of an input.
    pub fn new(
        kernels: &'static Kernels,
        range: Range<u64>,
        wanted: EvidenceOptions,
    ) -> EvidenceSink {
        EvidenceSink {
            kernels,
            range,
            wanted,
            seen: 0,
            odds: Utf8Test::default(),
            head: KeptWindow::default(),
            high: KeptWindow::default(),
            escapes: AnnouncementScanner::default(),
            shifts: AnnouncementScanner::default(),
            nul: None,
            thin: HighByteSampler::default(),
            near: DamageCounter::default(),
            fault: None,
            tally: wanted.evidence.then(ByteTally::default),
        }
    }

    /// Look at these bytes, which start at this offset.
    pub fn over(offset: u64, bytes: &[u8]) -> EvidenceSink {
        let kernels = kernel::best();
        let mut gatherer = EvidenceSink::new(kernels, offset..u64::MAX, EvidenceOptions::default());
        let chunk = Chunk { bytes, offset, last: true };
        // A gatherer has no errors.
        let _ = (CODECS[0].open)(offset).scan(kernels, chunk, &mut gatherer);
        gatherer
    }

    /// The input has ended, or the gatherer has enough: what is it?
    pub fn verdict(self) -> Detection {
        Detection::of(self)
    }

    /// Whether all that was seen is UTF-8.
    pub(super) fn is_well_formed(&self) -> bool {
        self.fault.is_none()
    }

    /// Whether the input may go on behind what was seen.
    pub(super) fn is_cut(&self) -> bool {
        self.seen >= self.range.end.saturating_sub(self.range.start)
    }

    /// Take any bytes of the range, in order.
    fn see(&mut self, offset: u64, bytes: &[u8]) {
        self.seen += bytes.len() as u64;
        if !self.head.is_full() {
            self.head.fill(offset, bytes);
        }
        if self.high.start().is_some() && !self.high.is_full() {
            self.high.fill(offset, bytes);
        }
        if let Some(tally) = &mut self.tally {
            tally.add(bytes);
        }
    }

    /// Look closely, as long as a legacy set is possible. `well_formed` says that the bytes are.
    fn look(&mut self, mut offset: u64, mut bytes: &[u8], well_formed: bool) {
        while !bytes.is_empty() && self.odds.finding() != TestResult::Utf8 {
            let (ascii, dense) = high_bytes::cut(self.kernels, bytes);
            self.ascii(offset, &bytes[..ascii]);
            let (now, rest) = bytes.split_at(ascii + dense);
            offset += now.len() as u64;
            if dense > 0 {
                self.dense(offset - dense as u64, &now[ascii..], rest, well_formed);
            }
            bytes = rest;
        }
    }

    /// Look at ASCII.
    fn ascii(&mut self, offset: u64, bytes: &[u8]) {
        self.thin.ascii(bytes);
        if self.high.start().is_none() {
            self.announcements(offset, bytes);
        } else if self.nul.is_none() {
            self.nul = memchr(0, bytes).map(|at| offset + at as u64);
        }
    }

    /// Look at ASCII that nothing else is before.
    fn announcements(&mut self, offset: u64, bytes: &[u8]) {
        let within = (self.range.start + shifts::REACH).saturating_sub(offset);
        let near = &bytes[..bytes.len().min(usize::try_from(within).unwrap_or(usize::MAX))];
        self.shifts.feed(offset, near);
        if memchr2(0, ESC, bytes).is_none() && self.escapes.is_idle() {
            return;
        }
        if self.nul.is_none() {
            self.nul = memchr(0, bytes).map(|at| offset + at as u64);
        }
        self.escapes.feed(offset, bytes);
    }

    /// Look at bytes that are mostly not ASCII; `rest` is behind them.
    fn dense(&mut self, offset: u64, bytes: &[u8], rest: &[u8], well_formed: bool) {
        if self.high.start().is_none() {
            self.high.fill(offset, bytes);
            self.high.fill(offset, rest);
        }
        if self.nul.is_none() {
            self.nul = memchr(0, bytes).map(|at| offset + at as u64);
        }
        if well_formed {
            self.odds.well_formed(offset, bytes);
        }
        if self.odds.finding() != TestResult::Utf8 {
            self.thin.dense(bytes);
        }
    }

    /// Whether to go on.
    fn flow(&self) -> ControlFlow<()> {
        match self.has_enough() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    /// Whether nothing can change the answer any more, and that is all that is wanted.
    fn has_enough(&self) -> bool {
        // What is kept must not depend on how much came at once.
        let settled = self.odds.finding() == TestResult::Utf8 && self.high.is_full();
        let EvidenceOptions { evidence, utf8_or_not, .. } = self.wanted;
        self.fault.is_some() && (settled && !evidence || utf8_or_not)
            || !evidence && self.is_signed()
    }

    /// Whether the first bytes are there, and start with a signature that is not that of UTF-8.
    fn is_signed(&self) -> bool {
        let other = || signature(&self.head).is_some_and(|signature| signature.answer != "utf-8");
        self.head.is_full() && other()
    }

    /// See whether the input starts with the signature of UTF-8.
    fn sign(&mut self, offset: u64, bytes: &[u8]) {
        if offset == 0 && signatures(bytes).any(|signature| signature.answer == "utf-8") {
            self.odds.sign();
        }
    }
}

impl Sink for EvidenceSink {
    fn run(&mut self, mut run: Run<'_>) -> io::Result<ControlFlow<()>> {
        let part = starting(&self.range, &mut run);
        let (offset, bytes) = (run.offset + part.start as u64, &run.bytes[part.clone()]);
        self.see(offset, bytes);
        self.sign(offset, bytes);
        self.look(offset, bytes, true);
        if self.odds.finding() != TestResult::Other
            && let Some(tally) = &mut self.tally
        {
            self.near.run(bytes);
            run.reader.tally(bytes, 0..bytes.len(), &mut tally.lengths);
        }
        let done = run.offset + run.bytes.len() as u64 >= self.range.end;
        Ok(if done { ControlFlow::Break(()) } else { self.flow() })
    }

    fn signature(&mut self, offset: u64, bytes: &[u8]) -> io::Result<ControlFlow<()>> {
        self.see(offset, bytes);
        Ok(ControlFlow::Continue(()))
    }

    fn issue(
        &mut self,
        issue: &Issue,
        bytes: &[u8],
        next: Option<u8>,
    ) -> io::Result<ControlFlow<()>> {
        if let Some(flow) = outside(&self.range, issue) {
            return Ok(flow);
        }
        self.see(issue.offset, bytes);
        self.fault.get_or_insert_with(|| FirstFault::new(issue, bytes, next));
        if self.odds.finding() != TestResult::Other {
            self.near.issue(issue, bytes);
        }
        if self.odds.finding() == TestResult::Open {
            self.odds.ill_formed(issue);
        }
        self.look(issue.offset, bytes, false);
        Ok(self.flow())
    }

    fn gulp(&mut self, _: &Kernels, offset: u64, bytes: &[u8]) -> io::Result<usize> {
        if self.odds.finding() != TestResult::Other || self.has_enough() {
            return Ok(0);
        }
        let part = within(&self.range, offset, bytes);
        let start = offset + part.start as u64;
        self.see(start, &bytes[part.clone()]);
        self.look(start, &bytes[part], false);
        Ok(bytes.len())
    }
}
