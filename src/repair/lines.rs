//! Removal of whole lines: of those with an ill-formed sequence that nothing else treats.

#[cfg(feature = "cli")]
use std::fs::File;
use std::io::{self, Read};
#[cfg(feature = "cli")]
use std::io::{BufReader, Seek, Write};

use super::segment::{RemovedText, TextSegment};
use super::stage::SegmentReceiver;
use super::stages::{RepairReason, RepairReasons};
use crate::codec::family::floor_boundary;
use crate::finding::line_terminator::LineTerminator;
#[cfg(feature = "cli")]
use crate::os::calls::error_text;
use crate::registry::Encoding;

/// The part of a line that is held in memory; more moves into a temporary file.
#[cfg(feature = "cli")]
const IN_MEMORY: usize = 1 << 20;

/// The largest number of bytes of a held run.
const LONGEST_RUN: usize = 64 << 10;

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
            next.push_dropped(self.terminator.as_bytes())?;
        }
        self.end_line(next)
    }

    /// Adds a segment to the line.
    fn add(&mut self, segment: &TextSegment<'_>, next: &mut dyn SegmentReceiver) -> io::Result<()> {
        if self.is_faulty {
            self.removed.append(segment.before);
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
    spool: LineSpool,
    /// The number of segments in the spool.
    segments: u64,
    /// The offset of the first.
    offset: Option<u64>,
    /// The bytes of a segment that is passed on, and its replacement.
    buffers: [Vec<u8>; 2],
}

/// The header of a segment in the spool. Its bytes follow.
struct HeldHeader {
    offset: u64,
    /// The number of source bytes.
    before: u64,
    /// The number of bytes of the replacement; `None` for a run, whose replacement is not stored.
    after: Option<u64>,
    reasons: RepairReasons,
}

impl HeldHeader {
    const LEN: usize = 32;

    fn to_bytes(&self) -> [u8; HeldHeader::LEN] {
        let HeldHeader { offset, before, after, reasons } = *self;
        let mut bytes = [0; HeldHeader::LEN];
        let numbers = [offset, before, after.unwrap_or(u64::MAX), reasons.bits().into()];
        for (place, number) in bytes.as_chunks_mut().0.iter_mut().zip(numbers) {
            *place = number.to_ne_bytes();
        }
        bytes
    }

    fn read(from: &mut dyn Read) -> io::Result<HeldHeader> {
        let mut bytes = [0; HeldHeader::LEN];
        from.read_exact(&mut bytes)?;
        let mut numbers = bytes.as_chunks().0.iter().map(|number| u64::from_ne_bytes(*number));
        let mut next = || numbers.next().unwrap_or_default();
        Ok(HeldHeader {
            offset: next(),
            before: next(),
            after: Some(next()).filter(|&len| len < u64::MAX),
            reasons: RepairReasons::from_bits(next() as u16),
        })
    }
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
        let header = HeldHeader {
            offset,
            before: before.len() as u64,
            after: (!is_run).then_some(after.len() as u64),
            reasons,
        };
        self.segments += 1;
        self.offset.get_or_insert(offset);
        let after = if is_run { &[][..] } else { after };
        self.spool.append([&header.to_bytes(), before, after])
    }

    /// Passes the segments on and forgets them.
    fn release(
        &mut self,
        mut work: impl FnMut(&TextSegment<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        let segments = std::mem::take(&mut self.segments);
        self.offset = None;
        let [before, after] = &mut self.buffers;
        self.spool.drain(|spool| {
            for _ in 0..segments {
                let header = HeldHeader::read(spool)?;
                read(spool, header.before, before)?;
                let HeldHeader { offset, reasons, .. } = header;
                match header.after {
                    None => work(&TextSegment::run(offset, before))?,
                    Some(len) => {
                        read(spool, len, after)?;
                        work(&TextSegment { offset, before, after, reasons })?;
                    }
                }
            }
            Ok(())
        })
    }
}

/// Reads this many bytes.
fn read(from: &mut dyn Read, len: u64, to: &mut Vec<u8>) -> io::Result<()> {
    to.resize(len as usize, 0);
    from.read_exact(to)
}

/// Storage for a line: memory, then a temporary file without a name.
#[derive(Debug, Default)]
struct LineSpool {
    memory: Vec<u8>,
    #[cfg(feature = "cli")]
    file: Option<File>,
}

impl LineSpool {
    fn append(&mut self, parts: [&[u8]; 3]) -> io::Result<()> {
        parts.iter().for_each(|part| self.memory.extend_from_slice(part));
        #[cfg(feature = "cli")]
        if self.memory.len() > IN_MEMORY {
            return self.spill();
        }
        Ok(())
    }

    /// Moves the content of the memory into the file.
    #[cfg(feature = "cli")]
    fn spill(&mut self) -> io::Result<()> {
        let file = match self.file.take() {
            Some(file) => Ok(file),
            None => tempfile::tempfile(),
        };
        let written = file.and_then(|mut file| file.write_all(&self.memory).map(|()| file));
        self.memory.clear();
        self.file = Some(written.map_err(|error| {
            let folder = std::env::temp_dir();
            let (folder, reason) = (folder.display(), error_text(&error));
            let message = format!(
                "a long line cannot be kept in {folder}: {reason} (TMPDIR names another directory)"
            );
            io::Error::other(message)
        })?);
        Ok(())
    }

    /// Passes a reader of the content to `work`, and removes the content.
    fn drain(&mut self, work: impl FnOnce(&mut dyn Read) -> io::Result<()>) -> io::Result<()> {
        let memory = &mut &self.memory[..];
        #[cfg(feature = "cli")]
        let done = match self.file.take() {
            None => work(memory),
            Some(mut file) => {
                file.rewind()?;
                work(&mut BufReader::with_capacity(LONGEST_RUN, file).chain(memory))
            }
        };
        #[cfg(not(feature = "cli"))]
        let done = work(memory);
        self.memory.clear();
        done
    }
}
