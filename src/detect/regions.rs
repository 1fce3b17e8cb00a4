//! Where does an input change from one encoding to another?
//!
//! By the line, for few texts change within one. Lines of one code page that follow each other are
//! one region, and are asked for their page together: where two pages meet, the region has the
//! name of the likelier. What has no lines of bytes, which the first 64 KiB tell, is one region.

use std::io;
use std::ops::{ControlFlow, Range};

use memchr::memchr;

use super::Answer;
use super::certain::unlined;
use super::judge::legacy;
use super::legacy::Sample;
use super::odds::Odds;
use super::window::Window;
use crate::issue::Issue;
use crate::kernel;
use crate::sink::{Run, Sink, starting};

/// The longest part of a line, in bytes, that is judged together.
const LONGEST: usize = 64 << 10;

/// A line of UTF-8 that is shorter, in bytes, may be one by chance.
const TEXT: usize = 32;

/// How many regions are asked for their language. Those behind them are in what most text before
/// was in.
const ASKED: u32 = 256;

/// A part of an input, of whole lines, that is in one encoding.
#[derive(Clone, Debug)]
pub struct Region {
    /// Which bytes.
    pub bytes: Range<u64>,
    /// What they are in.
    pub answer: Answer,
}

/// What a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sort {
    Ascii,
    /// ASCII with NULs: binary, unless what follows is UTF-8.
    Nul,
    Utf8,
    /// Such lines, and short ones of UTF-8: unless what follows is binary.
    NulUtf8,
    Damaged,
    Legacy,
    Binary,
    /// All of an input that has no lines.
    All(&'static str),
}

/// What is told of regions.
pub trait Receiver {
    /// A region has ended.
    ///
    /// # Errors
    /// Those of writing.
    fn region(&mut self, region: Region) -> io::Result<()>;

    /// The next region may take long: give out what was told.
    ///
    /// # Errors
    /// Those of writing.
    fn pause(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<F: FnMut(Region) -> io::Result<()>> Receiver for F {
    fn region(&mut self, region: Region) -> io::Result<()> {
        self(region)
    }
}

/// Tells the regions of an input, as they end.
pub struct Regions<T> {
    range: Range<u64>,
    /// Until the first bytes have told whether there are lines.
    early: Option<Early>,
    line: Line,
    /// The region that the last line was in.
    open: Option<Open>,
    /// How many regions may still be asked for their language.
    left: u32,
    /// The answer that the most text was in, and how much.
    most: (u64, Answer),
    to: T,
}

/// What the first bytes are kept for: they tell whether there are lines at all.
#[derive(Default)]
struct Early {
    head: Window,
    /// The regions so far, if there are.
    regions: Vec<Region>,
}

/// A line, or a part of a long one.
#[derive(Default)]
struct Line {
    /// The part of it that was seen.
    bytes: Vec<u8>,
    odds: Odds,
    ill_formed: bool,
}

/// A region that may go on.
struct Open {
    bytes: Range<u64>,
    sort: Sort,
    /// What its language is told by, if it is asked.
    sample: Option<Sample>,
}

impl<T> std::fmt::Debug for Regions<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Regions").field("range", &self.range).finish_non_exhaustive()
    }
}

impl<T: Receiver> Regions<T> {
    /// Tell those of a range of an input.
    pub fn new(range: Range<u64>, to: T) -> Regions<T> {
        let most = (0, Answer::Unknown);
        let early = Some(Early::default());
        Regions { range, early, line: Line::default(), open: None, left: ASKED, most, to }
    }

    /// The input has ended: tell the last.
    ///
    /// # Errors
    /// The receiver's.
    pub fn end(mut self) -> io::Result<()> {
        self.started()?;
        self.line_ends()?;
        match self.open.take() {
            Some(open) => self.tell(open),
            None => Ok(()),
        }
    }

    /// The first bytes are there: tell the regions so far, or that there is one.
    fn started(&mut self) -> io::Result<()> {
        let Some(Early { head, regions }) = self.early.take() else { return Ok(()) };
        let start = head.start().unwrap_or_default();
        let Some(answer) = unlined(start, head.bytes()) else {
            return regions.into_iter().try_for_each(|region| self.to.region(region));
        };
        if let Some(open) = &mut self.open {
            *open =
                Open { bytes: start..open.bytes.end, ..Open::at(start, Sort::All(answer.name())) };
        }
        Ok(())
    }

    /// Go on with well-formed sequences, up to the end of a line or of what is judged together.
    /// Returns how many bytes.
    fn well_formed(&mut self, offset: u64, bytes: &[u8]) -> io::Result<usize> {
        let room = LONGEST - self.line.bytes.len();
        let part = &bytes[..kernel::boundary(bytes, room.min(bytes.len()))];
        let end = memchr(b'\n', part).map(|at| at + 1);
        let part = &part[..end.unwrap_or(part.len())];
        self.line.odds.well_formed(offset, part);
        self.put(offset, part)?;
        if end.is_some() || part.len() < bytes.len() {
            self.line_ends()?;
        }
        Ok(part.len())
    }

    /// Go on with an ill-formed sequence.
    fn ill_formed(&mut self, issue: &Issue, bytes: &[u8]) -> io::Result<()> {
        if self.line.bytes.len() + bytes.len() > LONGEST {
            self.line_ends()?;
        }
        self.line.odds.ill_formed(issue);
        self.line.ill_formed = true;
        self.put(issue.offset, bytes)
    }

    fn put(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        if self.open.is_none() {
            self.open = Some(Open::at(offset, Sort::Ascii));
        }
        self.line.bytes.extend_from_slice(bytes);
        if let Some(early) = &mut self.early {
            if early.head.is_full() {
                return self.started();
            }
            early.head.fill(offset, bytes);
        }
        Ok(())
    }

    fn line_ends(&mut self) -> io::Result<()> {
        let line = std::mem::take(&mut self.line);
        let Some(open) = &mut self.open else { return Ok(()) };
        let start = open.bytes.end;
        let sort = line.sort();
        let end = start + line.bytes.len() as u64;
        match open.sort.with(sort, line.bytes.len()) {
            Some(both) => open.sort = both,
            None => {
                let ended = std::mem::replace(open, Open::at(start, sort));
                self.tell(ended)?;
            }
        }
        let Some(open) = &mut self.open else { return Ok(()) };
        open.bytes.end = end;
        if sort == Sort::Legacy && open.sort == sort && self.left > 0 {
            open.sample.get_or_insert_default().add(&line.bytes);
        }
        self.line.bytes = line.bytes;
        self.line.bytes.clear();
        Ok(())
    }

    fn tell(&mut self, Open { bytes, sort, sample }: Open) -> io::Result<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        let answer = match sort {
            Sort::Ascii => Answer::named("us-ascii"),
            Sort::Utf8 | Sort::NulUtf8 => Answer::utf8(),
            Sort::Damaged => Answer::Damaged,
            Sort::Nul | Sort::Binary => Answer::Binary,
            Sort::All(name) => Answer::named(name),
            Sort::Legacy => self.legacy(bytes.end - bytes.start, sample),
        };
        let region = Region { bytes, answer };
        match &mut self.early {
            Some(early) => early.regions.push(region),
            None => self.to.region(region)?,
        }
        Ok(())
    }

    /// What a region of lines of legacy sets is in, which is so long.
    fn legacy(&mut self, len: u64, sample: Option<Sample>) -> Answer {
        let Some(sample) = sample else { return self.most.1 };
        self.left -= 1;
        let answer = legacy(sample);
        if len > self.most.0 {
            self.most = (len, answer);
        }
        answer
    }
}

impl Open {
    fn at(offset: u64, sort: Sort) -> Open {
        Open { bytes: offset..offset, sort, sample: None }
    }
}

impl Line {
    fn sort(&self) -> Sort {
        let nul = || memchr(0, &self.bytes).is_some();
        match (self.ill_formed, self.bytes.is_ascii()) {
            (false, false) => Sort::Utf8,
            (true, _) if nul() => Sort::Binary,
            (_, true) if nul() => Sort::Nul,
            (_, true) => Sort::Ascii,
            (true, false) if self.odds.utf8() => Sort::Damaged,
            (true, false) => Sort::Legacy,
        }
    }
}

impl Sort {
    /// What a region of this is with such a line, which has so many bytes. `None` if the line is
    /// not of it. What is no text has lines of all sorts, if they are short.
    fn with(self, line: Sort, len: usize) -> Option<Sort> {
        match (self, line) {
            (Sort::All(_), _) | (_, Sort::Ascii) => Some(self),
            (Sort::Ascii, _) => Some(line),
            (Sort::Nul | Sort::NulUtf8, Sort::Utf8) if len >= TEXT => Some(Sort::Utf8),
            (Sort::Nul | Sort::NulUtf8, Sort::Utf8) => Some(Sort::NulUtf8),
            (Sort::Nul | Sort::NulUtf8, Sort::Binary) => Some(Sort::Binary),
            (Sort::Nul, Sort::Damaged | Sort::Legacy) => Some(Sort::Binary),
            (Sort::NulUtf8 | Sort::Utf8 | Sort::Damaged, Sort::Nul) => Some(self),
            (Sort::Binary, _) => (line != Sort::Utf8 || len < TEXT).then_some(self),
            _ => (self == line).then_some(self),
        }
    }
}

impl<T: Receiver> Sink for Regions<T> {
    fn run(&mut self, mut run: Run<'_>) -> io::Result<ControlFlow<()>> {
        let part = starting(&self.range, &mut run);
        let (offset, bytes) = (run.offset + part.start as u64, &run.bytes[part]);
        let mut at = 0;
        while at < bytes.len() {
            at += self.well_formed(offset + at as u64, &bytes[at..])?;
        }
        let done = run.offset + run.bytes.len() as u64 >= self.range.end;
        Ok(if done { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    fn signature(&mut self, _: u64, _: &[u8]) -> io::Result<ControlFlow<()>> {
        Ok(ControlFlow::Continue(()))
    }

    fn issue(&mut self, issue: &Issue, bytes: &[u8], _: Option<u8>) -> io::Result<ControlFlow<()>> {
        if issue.offset >= self.range.end {
            return Ok(ControlFlow::Break(()));
        }
        if issue.offset >= self.range.start {
            self.ill_formed(issue, bytes)?;
        }
        Ok(ControlFlow::Continue(()))
    }

    fn pause(&mut self) -> io::Result<()> {
        self.to.pause()
    }
}
