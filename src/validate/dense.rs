//! Reports of many ill-formed sequences at once, where they are dense.

use std::io;

use super::listing::Listing;
use super::{Check, CheckOptions};
use crate::codec::family::{Utf8, continues, tally_leads};
use crate::codec::{Codec, LengthCounts, Step};
use crate::finding::locate::{LinePlace, Locator};
use crate::finding::segments::{FaultSegment, Segments};
use crate::issue::{Issue, KINDS, Kind};
use crate::kernel::{self, FaultMark, Kernels};
use crate::lint::Level;

/// The number of bytes whose ill-formed sequences are found at once.
const EXAMINED: usize = 8 << 10;

/// The number of bytes of the first of these parts: the next ones may be well-formed.
const FIRST_EXAMINED: usize = 1 << 10;

/// The length of a low surrogate, in bytes.
const LOW_SURROGATE: usize = 3;

/// The ill-formed sequences of some bytes so far.
#[derive(Default)]
struct SeenIssues {
    /// The index after the last one.
    end: usize,
    /// The number of line feeds before it.
    lines: u32,
    /// The number of maximal subparts in its line that do not begin with the first byte of a sequence.
    more_chars: u64,
    /// The number of their lead bytes, by the length that they announce.
    leads: LengthCounts,
}

impl SeenIssues {
    /// Counts a byte, unless it is a continuation byte.
    #[inline]
    fn count_lead(&mut self, byte: u8) {
        if !continues(byte) {
            // The bytes of a mapped file may have changed since.
            self.leads[byte.leading_ones().clamp(1, 6) as usize - 1] += 1;
        }
    }
}

impl Check<'_> {
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
        let start = self.locator.as_ref().map(Locator::reached);
        let mut seen = SeenIssues::default();
        for mark in marks {
            // The second surrogate of a pair.
            if (mark.at as usize) < seen.end {
                continue;
            }
            self.move_to(start, offset, mark, &mut seen);
            self.report_mark(offset, bytes, mark.at as usize, end, &mut seen)?;
        }
        self.move_to(start, offset, end, &mut seen);
        let passed = seen.end.max(end.at as usize);
        if self.options.count {
            self.summary.lines += u64::from(end.lines);
            let mut lengths = LengthCounts::default();
            tally_leads(&bytes[..passed], &mut lengths);
            for (sum, (all, ill)) in
                self.summary.lengths.iter_mut().zip(lengths.iter().zip(&seen.leads))
            {
                // The bytes of a mapped file may change between two counts.
                *sum += all.saturating_sub(*ill);
            }
        }
        Ok(passed)
    }

    /// Moves the locator to a mark in bytes at an offset. `start` is its place at their start.
    #[inline(always)]
    fn move_to(
        &mut self,
        start: Option<LinePlace>,
        offset: u64,
        mark: &FaultMark,
        seen: &mut SeenIssues,
    ) {
        if mark.lines != seen.lines {
            (seen.lines, seen.more_chars) = (mark.lines, 0);
        }
        if let (Some(locator), Some(start)) = (&mut self.locator, start) {
            locator.move_to(start.at_mark(offset, mark, seen.more_chars));
        }
    }

    /// Reports the ill-formed sequence at an index in bytes at an offset.
    #[inline(always)]
    fn report_mark(
        &mut self,
        offset: u64,
        bytes: &[u8],
        at: usize,
        end: &FaultMark,
        seen: &mut SeenIssues,
    ) -> io::Result<()> {
        let (byte, next) = (bytes[at], bytes[at + 1]);
        let Some(kind) = Utf8::kind_of_byte([byte, next]) else {
            return self.report_longer(offset, bytes, at, end, seen);
        };
        seen.end = at + 1;
        seen.more_chars += u64::from(continues(byte));
        if self.options.count {
            seen.count_lead(byte);
        }
        let segment = FaultSegment::of_byte(kind, &bytes[at..=at]);
        self.report_segment(segment, Some(next), offset + at as u64)
    }

    /// Reports the ill-formed sequence of several bytes at an index in bytes at an offset.
    #[inline(never)]
    fn report_longer(
        &mut self,
        offset: u64,
        bytes: &[u8],
        at: usize,
        end: &FaultMark,
        seen: &mut SeenIssues,
    ) -> io::Result<()> {
        let Step::Ill { kind, len, replacements } = utf8_step(&bytes[at..]) else {
            // The bytes of a mapped file have changed.
            return Ok(());
        };
        seen.end = at + len;
        let is_counted = |at: &usize| *at < end.at as usize;
        let starts = (at..at + len).filter(is_counted).filter(|&at| !continues(bytes[at])).count();
        seen.more_chars += u64::from(replacements).saturating_sub(starts as u64);
        let (sequence, rest) = bytes[at..].split_at(len);
        sequence.iter().for_each(|&byte| seen.count_lead(byte));
        let issue = Issue { offset: offset + at as u64, len: len as u8, kind, replacements };
        // The flow does not depend on issues without a limit of findings.
        self.report_issue(&issue, sequence, rest.first().copied()).map(drop)
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
