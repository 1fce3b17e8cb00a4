//! Removal of whole lines: of those with an ill-formed sequence that nothing else treats.

use std::io::{self, Write};

use super::segment::{RemovedText, TextSegment};
use super::stage::SegmentReceiver;
use super::stages::{RepairReason, RepairReasons};
use crate::codec::family::floor_boundary;
use crate::finding::line_terminator::LineTerminator;
use crate::registry::Encoding;
use crate::spool::{Spool, read_bytes, read_numbers};

/// The largest number of bytes of a held run.
const LONGEST_RUN: usize = 64 << 10;

/// The length of the replacement of a run.
const RUN: u64 = u64::MAX;

/// Passes on the lines without faulty sequences, and removes the others. A line is held until it
/// has ended: in memory, or if it is long in a temporary file.
#[derive(Debug)]
pub struct LineDropper {
    terminator: LineTerminator,
    /// The start of the line, as long as it has no faulty sequence.
    line: HeldLine,
    /// True once the line has one.
    is_faulty: bool,
    /// The line, if it is faulty.
    removed: RemovedText,
    /// The number of bytes of the code unit at the end of that, if it is cut.
    cut_len: usize,
    /// The number of lines that have ended; `None` if they are not counted.
    pub count: Option<u64>,
}

impl LineDropper {
    /// Returns a dropper of lines of text in this encoding.
    pub fn new(encoding: &Encoding) -> LineDropper {
        let (terminator, line) = (LineTerminator::of(encoding), HeldLine::default());
        LineDropper {
            terminator,
            line,
            is_faulty: false,
            removed: RemovedText::default(),
            cut_len: 0,
            count: None,
        }
    }

    /// Counts the lines.
    pub fn counting(self) -> LineDropper {
        LineDropper { count: Some(0), ..self }
    }

    /// Announces that the text is in another encoding, because of a BOM at its start.
    pub fn set_encoding(&mut self, encoding: &Encoding) {
        self.terminator = LineTerminator::of(encoding);
    }

    /// Returns the terminator of lines.
    pub fn terminator(&self) -> &LineTerminator {
        &self.terminator
    }

    /// Returns `true` if a line has begun and not ended.
    pub fn is_open(&self) -> bool {
        self.is_faulty || !self.line.is_empty()
    }

    /// Returns `true` if the line that has begun has a faulty sequence.
    pub fn is_faulty(&self) -> bool {
        self.is_faulty
    }

    /// Receives the next segment of text.
    ///
    /// # Errors
    /// Those of `next`, and of the temporary file.
    pub fn push(
        &mut self,
        segment: &TextSegment<'_>,
        next: &mut dyn SegmentReceiver,
    ) -> io::Result<()> {
        if !segment.is_run() {
            self.add(segment, next)?;
            return match self.terminator.find(segment.before) {
                Some(_) => self.end_line(next),
                None => Ok(()),
            };
        }
        let mut rest = *segment;
        if self.is_open()
            && let Some(end) = self.terminator.find(rest.before)
        {
            let (front, tail) = rest.split(end);
            self.add(&front, next)?;
            self.end_line(next)?;
            rest = tail;
        }
        if !self.is_open()
            && let Some(end) = self.terminator.find_last(rest.before)
        {
            let (lines, tail) = rest.split(end);
            if let Some(count) = &mut self.count {
                *count += self.terminator.count(lines.before);
            }
            next.push(&lines)?;
            rest = tail;
        }
        if rest.before.is_empty() { Ok(()) } else { self.add(&rest, next) }
    }

    /// Receives a faulty sequence.
    ///
    /// # Errors
    /// Those of `next`, and of the temporary file.
    pub fn push_faulty(
        &mut self,
        mut offset: u64,
        mut bytes: &[u8],
        next: &mut dyn SegmentReceiver,
    ) -> io::Result<()> {
        while !bytes.is_empty() {
            let terminated = self.terminator.find(bytes);
            let (part, rest) = bytes.split_at(terminated.unwrap_or(bytes.len()));
            if !self.is_faulty {
                self.condemn(offset, next)?;
            }
            self.add(&TextSegment::run(offset, part), next)?;
            if terminated.is_some() {
                self.end_line(next)?;
            }
            (offset, bytes) = (offset + part.len() as u64, rest);
        }
        Ok(())
    }

    /// Ends the last line. The line that is removed is terminated for the receiver of these lines.
    ///
    /// # Errors
    /// Those of `next`, and of the temporary file.
    pub fn finish(&mut self, next: &mut dyn SegmentReceiver) -> io::Result<()> {
        if !self.is_open() {
            return Ok(());
        }
        if self.is_faulty {
            // NULs complete a code unit that the end of the text cuts, so that the next line is not shifted.
            let terminator = self.terminator.as_bytes();
            if self.cut_len > 0 {
                next.push_dropped(&vec![0; terminator.len() - self.cut_len])?;
            }
            next.push_dropped(terminator)?;
        }
        self.end_line(next)
    }

    /// Adds a segment to the line.
    fn add(&mut self, segment: &TextSegment<'_>, next: &mut dyn SegmentReceiver) -> io::Result<()> {
        if self.is_faulty {
            self.removed.append(segment.before);
            let unit = self.terminator.as_bytes().len();
            self.cut_len = (self.cut_len + segment.before.len()) % unit;
            return next.push_dropped(segment.before);
        }
        let held = self.line.append(segment);
        if held.is_err() {
            // Nothing of an undecided line is passed on.
            self.line = HeldLine::default();
        }
        held
    }

    /// Turns the held line into one that is removed. `offset` is that of its first byte if nothing
    /// of it is held.
    fn condemn(&mut self, offset: u64, next: &mut dyn SegmentReceiver) -> io::Result<()> {
        let start = self.line.offset.unwrap_or(offset);
        self.removed.restart(start, RepairReason::OnError.into());
        self.line.release(|segment| {
            self.removed.append(segment.before);
            next.push_dropped(segment.before)
        })?;
        self.is_faulty = true;
        Ok(())
    }

    /// Ends the line, of which all segments were added.
    fn end_line(&mut self, next: &mut dyn SegmentReceiver) -> io::Result<()> {
        self.count = self.count.map(|count| count + 1);
        match std::mem::take(&mut self.is_faulty) {
            true => self.removed.emit(next),
            false => self.line.release(|segment| next.push(segment)),
        }
    }
}

/// The segments of a line.
#[derive(Debug, Default)]
struct HeldLine {
    /// For each segment its offset, the number of its bytes and of those of the replacement
    /// ([`RUN`] for a run, whose replacement is not stored), the reasons and these bytes.
    spool: Spool,
    /// The number of segments in the spool.
    segments: u64,
    /// The offset of the first.
    offset: Option<u64>,
    /// The bytes of a segment that is passed on, and its replacement.
    buffers: [Vec<u8>; 2],
}

impl HeldLine {
    fn is_empty(&self) -> bool {
        self.segments == 0
    }

    fn append(&mut self, segment: &TextSegment<'_>) -> io::Result<()> {
        if !segment.is_run() {
            return self.store(segment, false);
        }
        let mut rest = *segment;
        while rest.before.len() > LONGEST_RUN {
            // In encodings other than UTF-8, no stage looks into a run: it may be split anywhere.
            let (front, tail) = rest.split(floor_boundary(rest.before, LONGEST_RUN));
            self.store(&front, true)?;
            rest = tail;
        }
        self.store(&rest, true)
    }

    fn store(&mut self, segment: &TextSegment<'_>, is_run: bool) -> io::Result<()> {
        let TextSegment { offset, before, after, reasons } = *segment;
        self.segments += 1;
        self.offset.get_or_insert(offset);
        let (len, after) = if is_run { (RUN, &[][..]) } else { (after.len() as u64, after) };
        self.spool.write_numbers([offset, before.len() as u64, len, reasons.bits().into()])?;
        self.spool.write_all(before)?;
        self.spool.write_all(after)
    }

    /// Passes the segments on and forgets them.
    fn release(
        &mut self,
        mut work: impl FnMut(&TextSegment<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        let segments = std::mem::take(&mut self.segments);
        self.offset = None;
        let [before, after] = &mut self.buffers;
        let released = self.spool.read(|spool| {
            for _ in 0..segments {
                let [offset, len, after_len, reasons] = read_numbers(spool)?;
                read_bytes(spool, len, before)?;
                if after_len == RUN {
                    work(&TextSegment::run(offset, before))?;
                    continue;
                }
                read_bytes(spool, after_len, after)?;
                let reasons = RepairReasons::from_bits(reasons as u16);
                work(&TextSegment { offset, before, after, reasons })?;
            }
            Ok(())
        });
        self.spool.clear();
        released
    }
}
