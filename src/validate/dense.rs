//! Reports of many ill-formed sequences at once, where they are dense.

use std::{io, mem, slice};

use super::listing::Listing;
use super::{Check, CheckOptions};
use crate::codec::family::{Utf8, continues, tally_leads, utf8_step};
use crate::codec::{LengthCounts, Step};
use crate::finding::locate::{LinePlace, Locator};
use crate::finding::segments::{FaultSegment, Segments};
use crate::issue::{Issue, KINDS, Kind};
use crate::kernel::{self, FaultMark, FaultMarks, Kernels};
use crate::lint::Level;
use crate::report::{BatchFault, FaultBatch};

/// The number of bytes whose ill-formed sequences are found at once.
const EXAMINED: usize = 8 << 10;

/// The number of bytes of the first of these parts: the next ones may be well-formed.
const FIRST_EXAMINED: usize = 1 << 10;

/// The length of a low surrogate, in bytes.
const LOW_SURROGATE: usize = 3;

/// The number of segments that are listed at once. Those of the last sequence may be more.
const BATCH: usize = 128;

/// The ill-formed sequences of some bytes so far.
#[derive(Default)]
struct SeenFaults {
    /// The index after the last one.
    end: usize,
    /// The place in the current line that a mark is [after](LinePlace::after) by the first bytes of
    /// sequences before it. Maximal subparts that begin with other bytes are counted in it.
    place: LinePlace,
    /// The number of lead bytes, by the length that they announce.
    leads: LengthCounts,
    /// The numbers of findings of each of [`KINDS`].
    numbers: [u64; Kind::COUNT],
    /// The segments that are not listed yet.
    faults: Vec<BatchFault>,
}

impl SeenFaults {
    /// Passes the line feeds before an index in bytes at an offset.
    #[inline(always)]
    fn pass_lines(&mut self, offset: u64, line_feeds: &mut slice::Iter<'_, FaultMark>, end: u32) {
        while let Some(line_feed) = line_feeds.as_slice().first().filter(|first| first.at < end) {
            let line_start = offset + u64::from(line_feed.at) + 1;
            self.place = self.place.before_next_line(line_start, u64::from(line_feed.starts) + 1);
            line_feeds.next();
        }
    }

    /// Counts a byte, unless it is a continuation byte.
    #[inline]
    fn count_lead(&mut self, byte: u8) {
        // The bytes of a mapped file may have changed since.
        let length = byte.leading_ones().clamp(1, 6) as usize;
        self.leads[length - 1] += u64::from(!continues(byte));
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
        let (mut starts, mut marks, mut seen) = <(Vec<_>, FaultMarks, SeenFaults)>::default();
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
                let offset = offset + at as u64;
                (marks.faults.len(), self.report_marks(offset, rest, &marks, end, &mut seen)?)
            };
            at += passed;
            size = EXAMINED;
            if !kernel::are_dense(number, passed) {
                break;
            }
        }
        // Kernels do not examine the last bytes: these are too few.
        if at == 0 {
            return Ok(0);
        }
        self.add_numbers(&seen.numbers);
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
        marks: &FaultMarks,
        end: FaultMark,
        seen: &mut SeenFaults,
    ) -> io::Result<usize> {
        seen.end = 0;
        seen.place = self.locator.as_ref().map(Locator::reached).unwrap_or_default();
        let mut line_feeds = marks.line_feeds.iter();
        for &mark in &marks.faults {
            let at = mark.at as usize;
            // The second surrogate of a pair.
            if at < seen.end {
                continue;
            }
            seen.pass_lines(offset, &mut line_feeds, mark.at);
            let (byte, next) = (bytes[at], bytes[at + 1]);
            if let Some(kind) = Utf8::kind_of_byte([byte, next]) {
                let place = seen.place.after(mark.starts.into());
                seen.end = at + 1;
                seen.place = seen.place.after(continues(byte).into());
                if self.options.count {
                    seen.count_lead(byte);
                }
                let segment = FaultSegment::of_one(kind, &bytes[at..=at]);
                if let Some(level) = self.level_of(&segment) {
                    seen.numbers[kind as usize] += 1;
                    seen.faults.push(BatchFault::new(at, &segment, Some(next), level, place));
                }
            } else {
                self.add_longer(bytes, mark, end, seen);
            }
            if seen.faults.len() >= BATCH {
                self.list_faults(offset, bytes, &mut seen.faults)?;
            }
        }
        self.list_faults(offset, bytes, &mut seen.faults)?;
        seen.pass_lines(offset, &mut line_feeds, end.at);
        if let Some(locator) = &mut self.locator {
            locator.move_to(seen.place.after(end.starts.into()));
        }
        let passed = seen.end.max(end.at as usize);
        if self.options.count {
            self.summary.lines += marks.line_feeds.len() as u64;
            let (ill_formed, mut lengths) = (mem::take(&mut seen.leads), LengthCounts::default());
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

    /// Adds the segments of the ill-formed sequence of several bytes at a mark in bytes. `end` is the
    /// mark of the end of the bytes examined.
    #[inline(never)]
    fn add_longer(&mut self, bytes: &[u8], mark: FaultMark, end: FaultMark, seen: &mut SeenFaults) {
        let (at, place) = (mark.at as usize, seen.place.after(mark.starts.into()));
        let Step::Ill { kind, len, replacements } = utf8_step(&bytes[at..]) else {
            // The bytes of a mapped file have changed.
            return;
        };
        seen.end = at + len;
        let second = at + LOW_SURROGATE;
        // Only the second surrogate of a pair starts a sequence within another.
        let starts = 1 + u64::from(kind == Kind::SurrogatePair && second < end.at as usize);
        let more_chars = u64::from(replacements).saturating_sub(starts);
        seen.place = seen.place.after(more_chars);
        let (sequence, rest) = bytes[at..].split_at(len);
        if self.options.count {
            sequence.iter().for_each(|&byte| seen.count_lead(byte));
        }
        let issue = Issue { offset: 0, len: len as u8, kind, replacements };
        for segment in self.options.segments.split(self.text, issue, sequence) {
            if let Some(level) = self.level_of(&segment) {
                seen.numbers[segment.kind as usize] += 1;
                let next = rest.first().copied();
                seen.faults.push(BatchFault::new(at, &segment, next, level, place));
            }
        }
    }

    /// Lists segments of ill-formed sequences in bytes at an offset, and clears them.
    fn list_faults(
        &mut self,
        offset: u64,
        bytes: &[u8],
        faults: &mut Vec<BatchFault>,
    ) -> io::Result<()> {
        if let Some(name) = self.listings.first().map(|listing| listing.name) {
            let (encoding, located) = (self.text, self.locator.is_some());
            let batch = FaultBatch { name, encoding, offset, bytes, faults, located };
            self.listings.iter_mut().try_for_each(|listing| listing.batch(batch))?;
        }
        faults.clear();
        Ok(())
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
        self.add_numbers(&numbers);
        passed
    }

    /// Counts the ill-formed sequences of each of [`KINDS`].
    fn add_numbers(&mut self, numbers: &[u64; Kind::COUNT]) {
        for (row, &number) in KINDS.iter().zip(numbers) {
            match self.levels.of_kind(row.kind) {
                Level::Allow => self.summary.allowed += number,
                level => self.summary.add(row.kind, level, number),
            }
        }
    }
}
