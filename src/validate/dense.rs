//! Reports of ill-formed sequences, one by one or, where they are dense, many at once.

use std::io;
use std::ops::ControlFlow;

use super::listing::Listing;
use super::{Check, CheckOptions};
use crate::codec::family::{Utf8, continues, tally_leads};
use crate::codec::{Codec, LengthCounts, Step};
use crate::finding::segments::{FaultSegment, Segments};
use crate::issue::{Issue, KINDS, Kind};
use crate::kernel::{self, FaultMark, Kernels};
use crate::lint::Level;
use crate::report::{Finding, FindingSubject};
use crate::sink::Sink;

/// The number of bytes whose ill-formed sequences are found at once.
const EXAMINED: usize = 16 << 10;

/// The number of bytes of the first of these parts: the next ones may be well-formed.
const FIRST_EXAMINED: usize = 1 << 10;

/// The length of a low surrogate, in bytes.
const LOW_SURROGATE: usize = 3;

impl Check<'_> {
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
    pub(super) fn report_issue(
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
    pub(super) fn skips_text(&mut self) -> bool {
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
    pub(super) fn report_dense(
        &mut self,
        kernels: &Kernels,
        offset: u64,
        bytes: &[u8],
    ) -> io::Result<usize> {
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
}

/// Reads the first sequence of UTF-8 within a text.
#[inline(always)]
fn utf8_step(bytes: &[u8]) -> Step {
    Utf8::step(&mut Utf8::start(0, u64::MAX), bytes, true)
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
