//! The sink that gathers evidence from a scan as UTF-8.

use std::fmt::{self, Debug, Formatter};
use std::io;
use std::ops::{ControlFlow, Range};

use memchr::{memchr, memchr2};

use super::announcement::AnnouncementScanner;
use super::damage::DamageCounter;
use super::detection::{Detection, FirstIssue};
use super::escapes::{ESC, EscapeFinder};
use super::high_bytes::{HighByteSampler, split_dense};
use super::shifts::{self, ShiftFinder};
use super::signature::{Signature, find_signature, starts_with_utf8_signature};
use super::tally::ByteTally;
use super::utf8_test::{IllFormed, TestResult, Utf8Test};
use super::window::KeptWindow;
use crate::issue::Issue;
use crate::kernel::{self, Kernels};
use crate::registry::Encoding;
use crate::scan::Chunk;
use crate::sink::{Run, Sink, flow_if, outside, starting, within};

/// The evidence to gather.
#[derive(Clone, Copy, Debug, Default)]
pub struct EvidenceOptions {
    /// Gather all evidence, from the whole input. Without it, detection stops once the answer cannot
    /// change.
    pub evidence: bool,
    /// Rank other answers than damaged UTF-8 too.
    pub candidates: bool,
    /// Look for lines in several encodings, where the answer is a legacy one.
    pub regions: bool,
    /// Stop at the first ill-formed sequence: only UTF-8 is of interest.
    pub stop_at_issue: bool,
}

/// Gathers evidence from the events of a scan as UTF-8.
pub(crate) struct EvidenceSink {
    kernels: &'static Kernels,
    /// The range of the input to examine, in bytes.
    pub(super) range: Range<u64>,
    pub(super) options: EvidenceOptions,
    /// The number of bytes received.
    pub(super) size: u64,
    /// The last byte received.
    last: Option<u8>,
    pub(super) utf8_test: Utf8Test,
    /// The first bytes of the range.
    pub(super) head: KeptWindow,
    /// True if this window is full and starts with a signature other than that of UTF-8.
    has_foreign_signature: bool,
    /// The window that starts at the first byte beyond ASCII.
    pub(super) high: KeptWindow,
    /// Announcements by escapes, in the ASCII before the first other byte.
    pub(super) escapes: AnnouncementScanner<EscapeFinder>,
    /// Announcements by printable shifts, in the same text.
    pub(super) shifts: AnnouncementScanner<ShiftFinder>,
    /// The offset of a NUL. It is the first one, unless bytes before it were not examined.
    pub(super) nul: Option<u64>,
    /// The sample for legacy encodings.
    pub(super) sampler: HighByteSampler,
    pub(super) damages: DamageCounter,
    pub(super) first_issue: Option<FirstIssue>,
    pub(super) tally: Option<ByteTally>,
}

impl Debug for EvidenceSink {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let EvidenceSink { size, utf8_test, first_issue, .. } = self;
        f.debug_struct("EvidenceSink")
            .field("size", size)
            .field("utf8_test", utf8_test)
            .field("first_issue", first_issue)
            .finish_non_exhaustive()
    }
}

impl EvidenceSink {
    /// Creates a sink for a range of an input, in bytes.
    pub fn new(
        kernels: &'static Kernels,
        range: Range<u64>,
        options: EvidenceOptions,
    ) -> EvidenceSink {
        EvidenceSink {
            kernels,
            range,
            options,
            size: 0,
            last: None,
            utf8_test: Utf8Test::default(),
            head: KeptWindow::default(),
            has_foreign_signature: false,
            high: KeptWindow::default(),
            escapes: AnnouncementScanner::default(),
            shifts: AnnouncementScanner::default(),
            nul: None,
            sampler: HighByteSampler::default(),
            damages: DamageCounter::default(),
            first_issue: None,
            tally: options.evidence.then(ByteTally::default),
        }
    }

    /// Gathers the evidence in bytes that start at an offset.
    pub fn gather(offset: u64, bytes: &[u8]) -> EvidenceSink {
        let kernels = kernel::best();
        let mut sink = EvidenceSink::new(kernels, offset..u64::MAX, EvidenceOptions::default());
        let chunk = Chunk { bytes, offset, last: true };
        // The sink returns no errors.
        let _ = Encoding::UTF_8.open(offset).scan(kernels, chunk, &mut sink);
        sink
    }

    /// Takes the buffers of a sink that is finished: those of many files are allocated once. Nothing
    /// may have been received.
    #[cfg(feature = "cli")]
    pub fn reuse(&mut self, finished: EvidenceSink) {
        self.head.reuse(finished.head);
        self.high.reuse(finished.high);
    }

    /// Ends the input and decides.
    pub fn finish(&mut self) -> Detection {
        self.utf8_test.settle(b'\n');
        Detection::decide(self)
    }

    /// Returns `true` if all bytes received are well-formed UTF-8.
    pub(super) fn is_well_formed(&self) -> bool {
        self.first_issue.is_none()
    }

    /// Returns `true` if the range ends where the bytes received end, so that the input may go on.
    pub(super) fn may_be_cut(&self) -> bool {
        self.size >= self.range.end.saturating_sub(self.range.start)
    }

    /// Adds bytes of the range to the windows and counts. All bytes pass here, in order.
    fn add(&mut self, offset: u64, bytes: &[u8]) {
        // The test of UTF-8 does not get all ASCII.
        if let Some(&next) = bytes.first() {
            self.utf8_test.settle(next);
        }
        self.size += bytes.len() as u64;
        self.last = bytes.last().copied().or(self.last);
        if !self.head.is_full() {
            self.head.fill(offset, bytes);
            self.has_foreign_signature = self.head.is_full()
                && self.find_signature().is_some_and(|signature| !signature.is_utf8());
        }
        if self.high.start().is_some() && !self.high.is_full() {
            self.high.fill(offset, bytes);
        }
        if let Some(tally) = &mut self.tally {
            tally.add(bytes);
        }
    }

    /// Examines bytes for legacy encodings, unless the text is known to be UTF-8. `is_well_formed`
    /// is about the bytes.
    fn examine(&mut self, mut offset: u64, mut bytes: &[u8], is_well_formed: bool) {
        while !bytes.is_empty() && self.utf8_test.result() != TestResult::Utf8 {
            let (ascii, dense) = split_dense(self.kernels, bytes);
            self.examine_ascii(offset, &bytes[..ascii]);
            let (part, rest) = bytes.split_at(ascii + dense);
            offset += part.len() as u64;
            if dense > 0 {
                self.examine_dense(offset - dense as u64, &part[ascii..], rest, is_well_formed);
            }
            bytes = rest;
        }
    }

    fn examine_ascii(&mut self, offset: u64, bytes: &[u8]) {
        self.sampler.add_ascii(bytes);
        if self.high.start().is_none() {
            self.examine_ascii_prefix(offset, bytes);
        } else {
            self.find_nul(offset, bytes);
        }
    }

    /// Examines ASCII before the first other byte for announcements.
    fn examine_ascii_prefix(&mut self, offset: u64, bytes: &[u8]) {
        let reach = (self.range.start + shifts::REACH).saturating_sub(offset);
        let near = &bytes[..bytes.len().min(usize::try_from(reach).unwrap_or(usize::MAX))];
        self.shifts.add(offset, near);
        if memchr2(0, ESC, bytes).is_none() && self.escapes.is_idle() {
            return;
        }
        self.find_nul(offset, bytes);
        self.escapes.add(offset, bytes);
    }

    /// Examines a dense part, as [`split_dense`] finds it; `rest` follows.
    fn examine_dense(&mut self, offset: u64, bytes: &[u8], rest: &[u8], is_well_formed: bool) {
        if self.high.start().is_none() {
            self.high.fill(offset, bytes);
            self.high.fill(offset, rest);
        }
        self.find_nul(offset, bytes);
        if is_well_formed {
            self.utf8_test.add_well_formed(offset, bytes);
        }
        if self.utf8_test.result() != TestResult::Utf8 {
            self.sampler.add_dense(bytes);
        }
    }

    fn find_nul(&mut self, offset: u64, bytes: &[u8]) {
        if self.nul.is_none() {
            self.nul = memchr(0, bytes).map(|at| offset + at as u64);
        }
    }

    fn flow(&self) -> ControlFlow<()> {
        flow_if(!self.has_enough())
    }

    /// Returns `true` if the answer cannot change any more, and no further evidence is asked for.
    fn has_enough(&self) -> bool {
        // A full window makes the evidence independent of the sizes of the chunks.
        let is_settled = self.utf8_test.result() == TestResult::Utf8 && self.high.is_full();
        let EvidenceOptions { evidence, stop_at_issue, .. } = self.options;
        !self.is_well_formed() && (is_settled && !evidence || stop_at_issue)
            || !evidence && self.has_foreign_signature
    }

    /// Returns the signature at the start of the input.
    pub(super) fn find_signature(&self) -> Option<&'static Signature> {
        (self.head.start() == Some(0)).then(|| find_signature(self.head.bytes())).flatten()
    }

    /// Counts a signature of UTF-8 at the start of the input.
    fn count_signature(&mut self, offset: u64, bytes: &[u8]) {
        if offset == 0 && starts_with_utf8_signature(bytes) {
            self.utf8_test.add_signature();
        }
    }
}

impl Sink for EvidenceSink {
    fn run(&mut self, mut run: Run<'_>) -> io::Result<ControlFlow<()>> {
        let part = starting(&self.range, &mut run);
        let (offset, bytes) = (run.offset + part.start as u64, &run.bytes[part.clone()]);
        self.add(offset, bytes);
        self.count_signature(offset, bytes);
        self.examine(offset, bytes, true);
        if self.utf8_test.result() != TestResult::Other
            && let Some(tally) = &mut self.tally
        {
            self.damages.add_run(bytes);
            run.reader.tally(bytes, 0..bytes.len(), &mut tally.lengths);
        }
        let done = run.end() >= self.range.end;
        Ok(if done { ControlFlow::Break(()) } else { self.flow() })
    }

    fn signature(&mut self, offset: u64, bytes: &[u8]) -> io::Result<ControlFlow<()>> {
        self.add(offset, bytes);
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
        let before = self.last;
        self.add(issue.offset, bytes);
        self.first_issue.get_or_insert_with(|| FirstIssue::new(issue, bytes, next));
        if self.utf8_test.result() != TestResult::Other {
            self.damages.add_issue(issue, bytes, next);
        }
        if self.utf8_test.result() == TestResult::Open {
            self.utf8_test.add_ill_formed(&IllFormed { issue, bytes, before });
        }
        self.examine(issue.offset, bytes, false);
        Ok(self.flow())
    }

    fn gulp(&mut self, _: &Kernels, offset: u64, bytes: &[u8]) -> io::Result<usize> {
        if self.utf8_test.result() != TestResult::Other || self.has_enough() {
            return Ok(0);
        }
        let part = within(&self.range, offset, bytes);
        let start = offset + part.start as u64;
        self.add(start, &bytes[part.clone()]);
        self.examine(start, &bytes[part], false);
        Ok(bytes.len())
    }
}
