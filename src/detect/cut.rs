//! Which lines are one region? The sink of `utf8 detect --regions`.

use std::io;
use std::ops::{ControlFlow, Range};

use memchr::memchr;

use super::Answer;
use super::certain::unlined;
use super::group::{LineDecision, LineGroup, SetAsker};
use super::line::{LineEvidence, LineKind};
use super::regions::{Region, RegionReceiver};
use super::window::{KeptWindow, SIZE};
use crate::issue::Issue;
use crate::kernel::{self, Kernels};
use crate::sink::{Run, Sink, outside, starting};

/// The longest part of a line, in bytes, that is judged together.
const LONGEST: usize = 64 << 10;

/// Cuts an input into regions, and tells them as they end.
pub(crate) struct RegionCutter<T> {
    kernels: &'static Kernels,
    range: Range<u64>,
    /// Until the first bytes have told whether there are lines.
    early: Option<InputStart>,
    /// What all is in, if there are none.
    whole: Option<Answer>,
    /// Which bytes were seen.
    seen: Range<u64>,
    line: LineEvidence,
    open: OpenRegion,
    asker: SetAsker,
    to: T,
}

/// The first bytes, and what is ill-formed in them.
#[derive(Default)]
struct InputStart {
    head: KeptWindow,
    issues: Vec<Issue>,
}

/// The region, or the regions, that may go on.
enum OpenRegion {
    /// Of lines that are each of a sort.
    Stretch(Range<u64>, LineKind),
    /// Of lines that are asked together.
    Group(Box<LineGroup>),
}

impl<T> std::fmt::Debug for RegionCutter<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Cutter").field("range", &self.range).finish_non_exhaustive()
    }
}

impl<T: RegionReceiver> RegionCutter<T> {
    /// Tell those of a range of an input.
    pub fn new(range: Range<u64>, to: T) -> RegionCutter<T> {
        RegionCutter {
            kernels: kernel::best(),
            range,
            early: Some(InputStart::default()),
            whole: None,
            seen: 0..0,
            line: LineEvidence::default(),
            open: OpenRegion::group(0),
            asker: SetAsker::default(),
            to,
        }
    }

    /// The input has ended: tell the last.
    ///
    /// # Errors
    /// The receiver's.
    pub fn end(mut self) -> io::Result<()> {
        self.started()?;
        if let Some(answer) = self.whole {
            return self.to.region(Region { bytes: self.seen, answer });
        }
        self.line_ends()?;
        let end = self.seen.end;
        self.turn(OpenRegion::group(end))
    }

    /// Go on with well-formed sequences.
    fn text(&mut self, mut offset: u64, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            let taken = match &mut self.early {
                Some(early) => early.text(offset, bytes),
                None => self.well_formed(offset, bytes)?,
            };
            if taken == 0 {
                self.started()?;
            }
            offset += taken as u64;
            bytes = &bytes[taken..];
        }
        Ok(())
    }

    /// Go on with an ill-formed sequence.
    fn fault(&mut self, issue: &Issue, bytes: &[u8]) -> io::Result<()> {
        if let Some(early) = &mut self.early {
            if early.fault(issue, bytes) {
                return Ok(());
            }
            self.started()?;
        }
        self.ill_formed(issue, bytes)
    }

    /// The first bytes are there: do they make lines?
    fn started(&mut self) -> io::Result<()> {
        let Some(InputStart { head, issues }) = self.early.take() else { return Ok(()) };
        let start = head.start().unwrap_or_default();
        self.seen = start..start;
        self.open = OpenRegion::group(start);
        self.whole = unlined(start, head.bytes());
        let mut rest = head.bytes();
        for issue in &issues {
            let before = (issue.offset - self.seen.end) as usize;
            self.text(self.seen.end, &rest[..before])?;
            let (ill_formed, behind) = rest[before..].split_at(issue.len.into());
            self.ill_formed(issue, ill_formed)?;
            rest = behind;
        }
        self.text(self.seen.end, rest)
    }

    /// Go on up to the end of a line, or of what is judged together. Returns how many bytes.
    fn well_formed(&mut self, offset: u64, bytes: &[u8]) -> io::Result<usize> {
        if self.whole.is_some() {
            self.seen.end += bytes.len() as u64;
            return Ok(bytes.len());
        }
        let room = LONGEST - self.line.bytes.len();
        let part = &bytes[..kernel::boundary(bytes, room.min(bytes.len()))];
        let end = memchr(b'\n', part).map(|at| at + 1);
        let part = &part[..end.unwrap_or(part.len())];
        self.line.odds.well_formed(offset, part);
        self.put(part);
        if end.is_some() || part.len() < bytes.len() {
            self.line_ends()?;
        }
        Ok(part.len())
    }

    fn ill_formed(&mut self, issue: &Issue, bytes: &[u8]) -> io::Result<()> {
        if self.line.bytes.len() + bytes.len() > LONGEST {
            self.line_ends()?;
        }
        self.line.odds.ill_formed(issue);
        self.line.ill_formed = true;
        self.put(bytes);
        Ok(())
    }

    fn put(&mut self, bytes: &[u8]) {
        self.seen.end += bytes.len() as u64;
        if self.whole.is_none() {
            self.line.bytes.extend_from_slice(bytes);
        }
    }

    fn line_ends(&mut self) -> io::Result<()> {
        let mut line = std::mem::take(&mut self.line);
        if !line.bytes.is_empty() {
            self.sorted(&line, line.sort())?;
        }
        line.bytes.clear();
        self.line.bytes = line.bytes;
        Ok(())
    }

    /// Go on with a line of this sort.
    fn sorted(&mut self, line: &LineEvidence, sort: LineKind) -> io::Result<()> {
        match &mut self.open {
            OpenRegion::Stretch(bytes, open) => match open.with(sort, line.bytes.len()) {
                Some(both) => {
                    (bytes.end, *open) = (self.seen.end, both);
                    Ok(())
                }
                None => {
                    let start = bytes.end;
                    self.turn(OpenRegion::group(start))?;
                    self.sorted(line, sort)
                }
            },
            OpenRegion::Group(group) => match group.line(self.kernels, line, sort) {
                LineDecision::More => Ok(()),
                LineDecision::Due => {
                    let regions = group.judged(self.kernels, &mut self.asker);
                    self.tell(regions)
                }
                LineDecision::End(bytes, sort) => self.turn(OpenRegion::Stretch(bytes, sort)),
            },
        }
    }

    /// What is open ends where the next begins.
    fn turn(&mut self, next: OpenRegion) -> io::Result<()> {
        let regions = match std::mem::replace(&mut self.open, next) {
            OpenRegion::Stretch(bytes, sort) => vec![Region { bytes, answer: sort.answer() }],
            OpenRegion::Group(group) => group.end(self.kernels, &mut self.asker),
        };
        self.tell(regions)
    }

    fn tell(&mut self, regions: Vec<Region>) -> io::Result<()> {
        regions.into_iter().try_for_each(|region| self.to.region(region))
    }
}

impl InputStart {
    /// Take what there is room for, in whole sequences. Returns how many bytes.
    fn text(&mut self, offset: u64, bytes: &[u8]) -> usize {
        let room = SIZE - self.head.bytes().len();
        let part = &bytes[..kernel::boundary(bytes, room.min(bytes.len()))];
        self.head.fill(offset, part)
    }

    /// Take it if there is room.
    fn fault(&mut self, issue: &Issue, bytes: &[u8]) -> bool {
        let fits = self.head.bytes().len() + bytes.len() <= SIZE;
        if fits {
            self.head.fill(issue.offset, bytes);
            self.issues.push(*issue);
        }
        fits
    }
}

impl OpenRegion {
    fn group(offset: u64) -> OpenRegion {
        OpenRegion::Group(Box::new(LineGroup::at(offset)))
    }
}

impl<T: RegionReceiver> Sink for RegionCutter<T> {
    fn run(&mut self, mut run: Run<'_>) -> io::Result<ControlFlow<()>> {
        let part = starting(&self.range, &mut run);
        self.text(run.offset + part.start as u64, &run.bytes[part])?;
        let done = run.offset + run.bytes.len() as u64 >= self.range.end;
        Ok(if done { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    fn signature(&mut self, _: u64, _: &[u8]) -> io::Result<ControlFlow<()>> {
        Ok(ControlFlow::Continue(()))
    }

    fn issue(&mut self, issue: &Issue, bytes: &[u8], _: Option<u8>) -> io::Result<ControlFlow<()>> {
        if let Some(flow) = outside(&self.range, issue) {
            return Ok(flow);
        }
        self.fault(issue, bytes)?;
        Ok(ControlFlow::Continue(()))
    }

    fn pause(&mut self) -> io::Result<()> {
        self.to.pause()
    }
}
