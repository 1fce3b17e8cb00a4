//! Where does an input change from one encoding to another? By the line, for few texts change
//! within one.

use std::io;
use std::ops::{ControlFlow, Range};

use memchr::memchr;

use super::Answer;
use super::legacy::Sample;
use super::odds::Odds;
use super::signature::signatures;
use super::verdict::legacy;
use crate::issue::Issue;
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
    Utf8,
    Damaged,
    Legacy,
    Binary,
    /// A signature says that lines of bytes are none.
    Wide(&'static str),
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
    line: Line,
    /// The region that the last line was in.
    open: Option<Open>,
    /// How many regions may still be asked for their language.
    left: u32,
    /// The answer that the most text was in, and how much.
    most: (u64, Answer),
    to: T,
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
        Regions { range, line: Line::default(), open: None, left: ASKED, most, to }
    }

    /// The input has ended: tell the last.
    ///
    /// # Errors
    /// The receiver's.
    pub fn end(mut self) -> io::Result<()> {
        self.line_ends()?;
        match self.open.take() {
            Some(open) => self.tell(open),
            None => Ok(()),
        }
    }

    /// Go on with well-formed sequences, up to the end of a line or of what is judged together.
    /// Returns how many bytes.
    fn well_formed(&mut self, offset: u64, bytes: &[u8]) -> io::Result<usize> {
        let part = &bytes[..boundary(bytes, LONGEST - self.line.bytes.len())];
        let end = memchr(b'\n', part).map(|at| at + 1);
        let part = &part[..end.unwrap_or(part.len())];
        self.line.odds.well_formed(offset, part);
        self.put(offset, part);
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
        self.put(issue.offset, bytes);
        Ok(())
    }

    fn put(&mut self, offset: u64, bytes: &[u8]) {
        if self.open.is_none() {
            self.open = Some(Open::at(offset, Sort::Ascii));
        }
        self.line.bytes.extend_from_slice(bytes);
    }

    fn line_ends(&mut self) -> io::Result<()> {
        let line = std::mem::take(&mut self.line);
        let Some(open) = &mut self.open else { return Ok(()) };
        let start = open.bytes.end;
        let sort = match wide(&line.bytes) {
            Some(name) if start == 0 => Sort::Wide(name),
            _ => line.sort(),
        };
        let end = start + line.bytes.len() as u64;
        if !open.sort.takes(sort, line.bytes.len()) {
            let ended = std::mem::replace(open, Open::at(start, sort));
            self.tell(ended)?;
        }
        let Some(open) = &mut self.open else { return Ok(()) };
        open.bytes.end = end;
        if open.sort == Sort::Ascii {
            open.sort = sort;
        }
        if sort == Sort::Legacy && open.sort == sort && self.left > 0 {
            open.sample.get_or_insert_default().add(&line.bytes);
        }
        self.line.bytes = line.bytes;
        self.line.bytes.clear();
        Ok(())
    }

    fn tell(&mut self, open: Open) -> io::Result<()> {
        let Open { bytes, sort, sample } = open;
        let len = bytes.end - bytes.start;
        let answer = match sort {
            Sort::Ascii => Answer::named("us-ascii"),
            Sort::Utf8 => Answer::utf8(),
            Sort::Damaged => Answer::Damaged,
            Sort::Binary => Answer::Binary,
            Sort::Wide(name) => Answer::named(name),
            Sort::Legacy => match sample {
                None => self.most.1,
                Some(sample) => {
                    self.left -= 1;
                    let answer = legacy(sample);
                    if len > self.most.0 {
                        self.most = (len, answer);
                    }
                    answer
                }
            },
        };
        if bytes.is_empty() { Ok(()) } else { self.to.region(Region { bytes, answer }) }
    }
}

/// What a signature says of text that bytes do not cut into lines.
fn wide(bytes: &[u8]) -> Option<&'static str> {
    let wide = |name: &str| name.starts_with("utf-16") || name.starts_with("utf-32");
    signatures(bytes).map(|signature| signature.answer).find(|name| wide(name))
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
            _ if nul() => Sort::Binary,
            (_, true) => Sort::Ascii,
            (true, false) if self.odds.utf8() => Sort::Damaged,
            (true, false) => Sort::Legacy,
        }
    }
}

impl Sort {
    /// Whether a region of this goes on with such a line, which has so many bytes. What is no text
    /// has lines of all sorts, if they are short.
    fn takes(self, line: Sort, len: usize) -> bool {
        match self {
            Sort::Ascii | Sort::Wide(_) => true,
            Sort::Binary => line != Sort::Utf8 || len < TEXT,
            sort => line == sort || line == Sort::Ascii,
        }
    }
}

/// The last boundary of sequences at or before `at`.
fn boundary(bytes: &[u8], at: usize) -> usize {
    let goes_on = |at: &usize| bytes.get(*at).is_some_and(|byte| (0x80..0xC0).contains(byte));
    (0..=at.min(bytes.len())).rev().find(|at| !goes_on(at)).unwrap_or(0)
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
