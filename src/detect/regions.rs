//! Regions: the byte ranges of an input that are in one encoding each.
//!
//! The unit is the line, because few texts change their encoding within one. A line longer than
//! 64 KiB is cut into parts that are treated as lines. Consecutive lines in a legacy encoding form
//! one region, whose text is ranked as a whole. Lines start another region where they are much
//! likelier in another encoding; lines that are too short to tell have that of the lines before. An
//! input in code units, escapes or EBCDIC has no lines of bytes; the first
//! 64 KiB decide that, and such an input is a single region.

use std::fmt::{self, Debug, Formatter};
use std::io;
use std::ops::{ControlFlow, Range};
use std::rc::Rc;

use memchr::{memchr, memrchr};

use self::lines::{LineEvidence, LineGroup, LineKind, LineOutcome};
use self::readers::LegacyReaders;
use super::Answer;
use super::certain::whole_input_answer;
use super::legacy::LineReader;
use super::utf8_test::IllFormed;
use super::window::{KeptWindow, SIZE};
use crate::issue::Issue;
use crate::kernel::{self, Kernels};
use crate::registry::Encoding;
use crate::scan::Chunk;
use crate::sink::{Run, Sink, flow_if, outside, starting};

mod lines;
mod readers;
mod tail;

/// The most bytes of a line that are kept and classified together.
const LONGEST_LINE: usize = 64 << 10;

/// A range of whole lines in one encoding.
#[derive(Clone, Debug)]
pub struct Region {
    /// Offsets in the whole input, in bytes.
    pub bytes: Range<u64>,
    /// The encoding of the lines.
    pub answer: Answer,
}

/// A step of cutting an input into regions.
#[derive(Clone, Debug)]
pub enum RegionEvent {
    /// A region has ended. Regions come in order and cover the range without gaps.
    Region(Region),
    /// The next bytes may take long to arrive: buffered output should be flushed.
    Pause,
}

/// A sink that cuts an input, scanned as UTF-8, into regions, and passes each to a closure as it
/// ends.
pub struct RegionSink<F> {
    kernels: &'static Kernels,
    range: Range<u64>,
    /// The first bytes, until they show whether the input has lines.
    start: Option<InputStart>,
    /// The encoding of the whole input, if it has no lines.
    whole: Option<Answer>,
    /// Offsets of the bytes received so far.
    seen: Range<u64>,
    line: LineEvidence,
    open: OpenRegion,
    readers: LegacyReaders,
    /// The region before the open one, if that may be in the same encoding.
    held: Option<Region>,
    receive: F,
}

/// The first bytes of an input, up to [`SIZE`], and the ill-formed sequences in them.
#[derive(Default)]
struct InputStart {
    head: KeptWindow,
    issues: Vec<Issue>,
}

/// The region, or the group of regions, that the next line may extend.
enum OpenRegion {
    /// Lines that are classified one by one, and the kind that they have together.
    Stretch(Range<u64>, LineKind),
    /// Lines in a legacy encoding, or possibly in one, that are ranked together.
    Group(Box<LineGroup>),
}

impl<F> Debug for RegionSink<F> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("RegionSink").field("range", &self.range).finish_non_exhaustive()
    }
}

impl<F: FnMut(RegionEvent) -> io::Result<()>> RegionSink<F> {
    /// Creates a sink for the regions of a range of an input, in bytes.
    pub fn new(range: Range<u64>, receive: F) -> RegionSink<F> {
        RegionSink {
            kernels: kernel::best(),
            range,
            start: Some(InputStart::default()),
            whole: None,
            seen: 0..0,
            line: LineEvidence::default(),
            open: OpenRegion::group(0),
            readers: LegacyReaders::default(),
            held: None,
            receive,
        }
    }

    /// Ends the input and passes on the last regions.
    ///
    /// # Errors
    /// Those of the closure.
    pub fn finish(mut self) -> io::Result<()> {
        self.end_start()?;
        if let Some(answer) = self.whole {
            return (self.receive)(RegionEvent::Region(Region { bytes: self.seen, answer }));
        }
        self.end_line()?;
        let end = self.seen.end;
        self.replace_open(OpenRegion::group(end))
    }

    /// Adds well-formed sequences.
    fn add_text(&mut self, mut offset: u64, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            let taken = match &mut self.start {
                Some(start) => start.add_text(offset, bytes),
                None => self.add_well_formed(offset, bytes)?,
            };
            if taken == 0 {
                self.end_start()?;
            }
            offset += taken as u64;
            bytes = &bytes[taken..];
        }
        Ok(())
    }

    /// Adds an ill-formed sequence.
    fn add_issue(&mut self, issue: &Issue, bytes: &[u8]) -> io::Result<()> {
        if let Some(start) = &mut self.start {
            if start.add_issue(issue, bytes) {
                return Ok(());
            }
            self.end_start()?;
        }
        self.add_ill_formed(issue, bytes)
    }

    /// Decides from the first bytes whether the input has lines, then adds these bytes to them.
    fn end_start(&mut self) -> io::Result<()> {
        let Some(InputStart { head, issues }) = self.start.take() else { return Ok(()) };
        let start = head.start().unwrap_or_default();
        self.seen = start..start;
        self.open = OpenRegion::group(start);
        self.whole = whole_input_answer(start, head.bytes());
        let mut rest = head.bytes();
        for issue in &issues {
            let before = (issue.offset - self.seen.end) as usize;
            self.add_text(self.seen.end, &rest[..before])?;
            let (ill_formed, after) = rest[before..].split_at(issue.len.into());
            self.add_ill_formed(issue, ill_formed)?;
            rest = after;
        }
        self.add_text(self.seen.end, rest)
    }

    /// Adds well-formed sequences up to the end of the line, or to [`LONGEST_LINE`]. Returns the
    /// number of bytes added.
    fn add_well_formed(&mut self, offset: u64, bytes: &[u8]) -> io::Result<usize> {
        if self.whole.is_some() {
            self.seen.end += bytes.len() as u64;
            return Ok(bytes.len());
        }
        let room = LONGEST_LINE - self.line.bytes.len();
        let part = &bytes[..kernel::boundary(bytes, room.min(bytes.len()))];
        let end = memchr(b'\n', part).map(|at| at + 1);
        let part = &part[..end.unwrap_or(part.len())];
        self.line.utf8_test.add_well_formed(offset, part);
        self.append(part);
        if end.is_some() || part.len() < bytes.len() {
            self.end_line()?;
        }
        Ok(part.len())
    }

    fn add_ill_formed(&mut self, issue: &Issue, bytes: &[u8]) -> io::Result<()> {
        if self.line.bytes.len() + bytes.len() > LONGEST_LINE {
            self.end_line()?;
        }
        let before = self.line.bytes.last().copied();
        self.line.utf8_test.add_ill_formed(&IllFormed { issue, bytes, before });
        self.line.has_ill_formed = true;
        self.append(bytes);
        Ok(())
    }

    fn append(&mut self, bytes: &[u8]) {
        self.seen.end += bytes.len() as u64;
        if self.whole.is_none() {
            self.line.bytes.extend_from_slice(bytes);
        }
    }

    fn end_line(&mut self) -> io::Result<()> {
        let mut line = std::mem::take(&mut self.line);
        line.utf8_test.settle(b'\n');
        if !line.bytes.is_empty() {
            self.add_line(&line, line.kind())?;
        }
        line.bytes.clear();
        self.line.bytes = line.bytes;
        Ok(())
    }

    /// Extends the open region by a line of this kind, or ends the region before the line.
    fn add_line(&mut self, line: &LineEvidence, kind: LineKind) -> io::Result<()> {
        match &mut self.open {
            OpenRegion::Stretch(bytes, open) => match open.with(kind, line.bytes.len()) {
                Some(both) => {
                    (bytes.end, *open) = (self.seen.end, both);
                    Ok(())
                }
                None => {
                    let start = bytes.end;
                    self.replace_open(OpenRegion::group(start))?;
                    self.add_line(line, kind)
                }
            },
            OpenRegion::Group(group) => {
                match group.add_line(self.kernels, line, kind, &mut self.readers) {
                    LineOutcome::Joined => Ok(()),
                    LineOutcome::ResolveDoubts => {
                        let regions = group.resolve_doubts(self.kernels, &mut self.readers);
                        self.pass(regions)
                    }
                    LineOutcome::EndedBefore(bytes, kind) => {
                        self.replace_open(OpenRegion::Stretch(bytes, kind))
                    }
                    LineOutcome::ChangedTo(next) => {
                        let regions = self.end_open(OpenRegion::Group(next));
                        self.hold_last(regions)
                    }
                }
            }
        }
    }

    /// Ends the open region, passes it on, and starts the next.
    fn replace_open(&mut self, next: OpenRegion) -> io::Result<()> {
        let regions = self.end_open(next);
        self.pass(regions)
    }

    /// Ends the open region and starts the next. Returns the regions that the open one was.
    fn end_open(&mut self, next: OpenRegion) -> Vec<Region> {
        match std::mem::replace(&mut self.open, next) {
            OpenRegion::Stretch(bytes, kind) => vec![Region { bytes, answer: kind.answer() }],
            OpenRegion::Group(group) => group.finish(self.kernels, &mut self.readers),
        }
    }

    fn pass(&mut self, regions: Vec<Region>) -> io::Result<()> {
        self.hold_last(regions)?;
        match self.held.take() {
            Some(region) => (self.receive)(RegionEvent::Region(region)),
            None => Ok(()),
        }
    }

    /// Passes on regions other than the last, and joins those in the same encoding.
    fn hold_last(&mut self, regions: Vec<Region>) -> io::Result<()> {
        for region in regions {
            match &mut self.held {
                Some(held) if held.answer == region.answer => held.bytes.end = region.bytes.end,
                held => {
                    if let Some(before) = held.replace(region) {
                        (self.receive)(RegionEvent::Region(before))?;
                    }
                }
            }
        }
        Ok(())
    }
}

/// The number of bytes of a text that are looked at for several encodings: more would take longer
/// than the rest of the detection.
const SOME_LINES: usize = 4 << 10;

/// The misfit of a line in another encoding for each byte beyond ASCII, in sixteenths of a bit. Chosen
/// by hand: in 5 % of texts, more than one line in 24 exceeds it.
const FOREIGN: i64 = 16;

/// The least misfit of a line in another encoding, in sixteenths of a bit: that of one odd word is less.
const LEAST_FOREIGN: i64 = 16 * 16;

/// The number of lines beyond ASCII of which one may not fit.
const LINES_PER_FOREIGN: usize = 24;

/// Returns `true` if the first lines of a text, which was detected as one in a legacy encoding, are in
/// several encodings beyond ASCII.
pub(super) fn has_several_encodings(text: &[u8], answer: &'static Encoding) -> bool {
    let some = &text[..text.len().min(SOME_LINES)];
    // A line that the limit cuts says little of its encoding.
    let end = memrchr(b'\n', some).filter(|_| some.len() < text.len());
    let lines = &some[..end.map_or(some.len(), |at| at + 1)];
    // Rankings take longer than the detection: most texts need none.
    let reader = LineReader::new(answer).map(Rc::new);
    if reader.as_ref().is_some_and(|reader| !has_foreign_lines(lines, reader)) {
        return false;
    }
    let mut first = None;
    let mut regions = RegionSink::new(0..u64::MAX, |event| {
        let RegionEvent::Region(Region { answer: Answer::Codec(codec), .. }) = event else {
            return Ok(());
        };
        let is_second = codec.name != "us-ascii" && *first.get_or_insert(codec.name) != codec.name;
        // This error ends the scan: the answer is known.
        if is_second { Err(io::ErrorKind::Other.into()) } else { Ok(()) }
    });
    if let Some(reader) = reader {
        regions.readers.expect(reader);
    }
    let chunk = Chunk { bytes: lines, offset: 0, last: true };
    let scanned = Encoding::UTF_8.open(0).scan(kernel::best(), chunk, &mut regions);
    scanned.is_err() || regions.finish().is_err()
}

/// Returns `true` if more than one in [`LINES_PER_FOREIGN`] lines beyond ASCII does not fit the encoding.
fn has_foreign_lines(lines: &[u8], reader: &LineReader) -> bool {
    let (mut all, mut foreign) = (0, 0);
    for line in lines.split(|&byte| byte == b'\n') {
        let high = line.iter().filter(|byte| !byte.is_ascii()).count();
        all += usize::from(high > 0);
        if high > 0 && !reader.is_fitted_by(line) {
            let least = LEAST_FOREIGN.max(FOREIGN * high as i64);
            foreign += usize::from(reader.cost(line).misfit > least);
        }
    }
    foreign * LINES_PER_FOREIGN > all
}

impl InputStart {
    /// Adds as many whole sequences as fit. Returns the number of bytes added.
    fn add_text(&mut self, offset: u64, bytes: &[u8]) -> usize {
        let room = SIZE - self.head.bytes().len();
        let part = &bytes[..kernel::boundary(bytes, room.min(bytes.len()))];
        self.head.fill(offset, part)
    }

    /// Adds an ill-formed sequence if it fits. Returns `true` if it did.
    fn add_issue(&mut self, issue: &Issue, bytes: &[u8]) -> bool {
        let fits = self.head.bytes().len() + bytes.len() <= SIZE;
        if fits {
            self.head.fill(issue.offset, bytes);
            self.issues.push(*issue);
        }
        fits
    }
}

impl OpenRegion {
    /// Returns an empty group at an offset.
    fn group(offset: u64) -> OpenRegion {
        OpenRegion::Group(Box::new(LineGroup::new(offset)))
    }
}

impl<F: FnMut(RegionEvent) -> io::Result<()>> Sink for RegionSink<F> {
    fn run(&mut self, mut run: Run<'_>) -> io::Result<ControlFlow<()>> {
        let part = starting(&self.range, &mut run);
        self.add_text(run.offset + part.start as u64, &run.bytes[part])?;
        Ok(flow_if(run.end() < self.range.end))
    }

    fn signature(&mut self, _: u64, _: &[u8]) -> io::Result<ControlFlow<()>> {
        Ok(ControlFlow::Continue(()))
    }

    fn issue(&mut self, issue: &Issue, bytes: &[u8], _: Option<u8>) -> io::Result<ControlFlow<()>> {
        if let Some(flow) = outside(&self.range, issue) {
            return Ok(flow);
        }
        self.add_issue(issue, bytes)?;
        Ok(ControlFlow::Continue(()))
    }

    fn pause(&mut self) -> io::Result<()> {
        (self.receive)(RegionEvent::Pause)
    }
}
