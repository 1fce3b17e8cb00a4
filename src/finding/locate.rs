//! Line and column of an offset.
//!
//! A line ends at U+000A. Lines and columns start at 1. Columns are counted in bytes and in code
//! points; an ill-formed sequence counts as one code point for each maximal subpart. In a notation,
//! they are those of its own text: an escape has as many as it has characters.

use std::io;
use std::ops::{ControlFlow, Range};

use super::segments::columns;
use crate::codec::{Group, LengthCounts};
use crate::issue::Issue;
use crate::kernel::{self, Kernels};
use crate::registry::Encoding;
use crate::sink::{Run, Sink, flow_if, within};
use crate::source::{Buffer, Lookback, Source};

/// A position in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The line, from 1.
    pub line: u64,
    /// The column in bytes, from 1.
    pub column_bytes: u64,
    /// The column in code points, from 1; 1 where they are not counted.
    pub column_chars: u64,
}

impl Position {
    /// The position of the first byte.
    pub const START: Position = Position { line: 1, column_bytes: 1, column_chars: 1 };
}

/// Counts lines during a scan. An input that can be read again is counted only when the first
/// position is requested: it is then scanned again up to that offset.
#[derive(Debug)]
pub struct Locator {
    encoding: &'static Encoding,
    kernels: &'static Kernels,
    /// True if code points are counted.
    chars: bool,
    /// The input, until it has been read again.
    lookback: Option<Lookback>,
    reached: LinePlace,
    /// The range from whose start lines and columns count; `None` to count from the start of the
    /// input.
    range: Option<Range<u64>>,
    /// The end of the range, if it is behind a code unit that the range cuts.
    end: Option<u64>,
}

/// A place in a line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LinePlace {
    line: u64,
    /// The offset of the first byte of the line.
    line_start: u64,
    /// The number of code points of the line before the place.
    passed: u64,
}

impl Locator {
    /// Returns a locator for an input of an encoding. `chars` says whether to count code points.
    pub fn new(
        encoding: &'static Encoding,
        kernels: &'static Kernels,
        chars: bool,
        lookback: Option<Lookback>,
    ) -> Locator {
        let reached = LinePlace::default();
        Locator { encoding, kernels, chars, lookback, reached, range: None, end: None }
    }

    /// Returns a locator that counts lines and columns from the start of a range, and reads nothing
    /// before it. The caller counts the runs, with [`count`](Locator::count).
    pub fn of_range(
        encoding: &'static Encoding,
        kernels: &'static Kernels,
        range: Range<u64>,
    ) -> Locator {
        let mut locator = Locator::new(encoding, kernels, true, None);
        locator.reached.line_start = range.start;
        Locator { range: Some(range), ..locator }
    }

    /// Returns `true` if lines and columns count from the start of a range.
    pub(crate) fn is_of_range(&self) -> bool {
        self.range.is_some()
    }

    /// Counts line ends, the last of them before an offset, and then code points.
    pub(crate) fn count(&mut self, line_ends: u64, last: Option<u64>, chars: u64) {
        if let Some(line_start) = last {
            let line = self.reached.line + line_ends;
            self.reached = LinePlace { line, line_start, passed: 0 };
        }
        self.reached.passed += chars;
    }

    /// Moves the start and the end of the range behind the code units that they cut: a unit, which may
    /// be a line end, belongs to one range.
    pub(crate) fn move_bounds(&mut self, start: Option<u64>, end: Option<u64>) {
        self.reached.line_start = start.unwrap_or(self.reached.line_start);
        self.end = end.or(self.end);
    }

    /// Begins an issue of which a part may be before the range: its first columns are counted there.
    pub(crate) fn begin_issue(&mut self, issue: &Issue, bytes: &[u8]) {
        if let Some(range) = &self.range {
            // The sum is negative only until the issue is counted.
            let all = columns(self.encoding, issue, bytes);
            let before = columns_before(all, issue.offset, range.start);
            self.reached.passed = self.reached.passed.wrapping_sub(before);
        }
    }

    /// Returns the numbers of line ends, and of bytes and code points after the last up to the end
    /// of the range.
    pub(crate) fn open_line(&self, end: u64) -> [u64; 3] {
        let LinePlace { line, line_start, passed } = self.reached;
        [line - 1, self.end.unwrap_or(end).saturating_sub(line_start), passed]
    }

    /// Returns the position of an offset. `reached` is the offset up to which the scan has passed
    /// text: that of the current issue, or of a sequence. `columns_before` is the number of
    /// columns of the issue before the offset.
    ///
    /// # Errors
    /// Returns the errors of reading the input again.
    #[inline(always)]
    pub fn locate(
        &mut self,
        reached: u64,
        offset: u64,
        columns_before: u64,
    ) -> io::Result<Position> {
        if let Some(lookback) = self.lookback.take()
            && let Err(error) = self.look_back(&lookback, reached)
        {
            // The count is incomplete: the next one starts again.
            self.reached = LinePlace::default();
            self.lookback = Some(lookback);
            return Err(error);
        }
        Ok(self.reached.position(offset, columns_before))
    }

    /// Counts the lines and code points before an offset.
    fn look_back(&mut self, lookback: &Lookback, end: u64) -> io::Result<()> {
        // The byte at the offset ends the second scan.
        let mut buffer = Buffer::for_length(end + 1);
        let is_counted = self.count_line_feeds(lookback, &mut buffer, end)?;
        if self.chars || !is_counted {
            self.scan_again(lookback, &mut buffer, end)?;
        }
        Ok(())
    }

    /// Counts the lines before an offset by their line feeds, without a scan. Returns `false` if
    /// the encoding may have that byte in another place.
    fn count_line_feeds(
        &mut self,
        lookback: &Lookback,
        buffer: &mut Buffer,
        end: u64,
    ) -> io::Result<bool> {
        if !self.encoding.properties.transparent || lookback.seam().is_some() {
            return Ok(false);
        }
        let mut blocks = lookback.clone().blocks(0);
        let mut at = 0;
        while at < end {
            let bytes = blocks.next(buffer.block()?, at, end)?;
            let ([first, ..], Some(last)) = (bytes, bytes.last()) else { break };
            if let Some(last) = memchr::memrchr(b'\n', bytes) {
                self.reached.line += kernel::count(bytes, |byte| byte == b'\n');
                self.reached.line_start = at + last as u64 + 1;
            }
            // Holes have no line feeds. Reading them fills the page cache with zeros.
            let is_zero = (*first, *last) == (0, 0);
            at += bytes.len() as u64;
            if is_zero {
                at = lookback.next_data(at);
            }
        }
        blocks.check_mapping()?;
        Ok(true)
    }

    /// Counts the lines and code points from the start of the line to an offset.
    fn scan_again(&mut self, lookback: &Lookback, buffer: &mut Buffer, end: u64) -> io::Result<()> {
        // The bytes after the offset can decide on a sequence before it.
        let mut source = Source::reread(lookback, self.reached.line_start..u64::MAX, buffer);
        let (encoding, kernels) = (self.encoding, self.kernels);
        source.scan(encoding, kernels, &mut LocatorUntil { locator: self, end })?;
        Ok(())
    }

    /// Returns `true` if the input is not to be read again.
    pub(crate) fn is_current(&self) -> bool {
        self.lookback.is_none()
    }

    /// Returns the place up to which text was passed.
    pub(crate) fn reached(&self) -> LinePlace {
        self.reached
    }

    /// Sets the place up to which text was passed.
    #[inline]
    pub(crate) fn move_to(&mut self, place: LinePlace) {
        self.reached = place;
    }

    /// Counts the lines and code points of a run.
    fn pass(&mut self, run: &Run<'_>) {
        let mut of_line = 0..run.bytes.len();
        let lines = run.reader.lines(run.bytes);
        if let Some(behind) = lines.end {
            self.reached.line += lines.number;
            self.reached.line_start = run.offset + behind as u64;
            self.reached.passed = 0;
            of_line.start = behind;
        }
        if self.chars {
            let of_notation = notation_chars(self.encoding, &run.bytes[of_line.clone()]);
            self.reached.passed += of_notation.unwrap_or_else(|| {
                let mut lengths = LengthCounts::default();
                run.reader.tally(run.bytes, of_line, &mut lengths);
                lengths.iter().sum()
            });
        }
    }
}

impl Default for LinePlace {
    /// Returns the start of the input.
    fn default() -> LinePlace {
        LinePlace { line: 1, line_start: 0, passed: 0 }
    }
}

impl LinePlace {
    /// Returns the place that many code points after this one, in the same line.
    #[inline]
    pub(crate) fn after(self, chars: u64) -> LinePlace {
        LinePlace { passed: self.passed.wrapping_add(chars), ..self }
    }

    /// Returns the place that many code points before the next line, which starts at an offset. Only the
    /// place [after](Self::after) as many code points is in that line.
    #[inline]
    pub(crate) fn before_next_line(self, line_start: u64, chars: u64) -> LinePlace {
        LinePlace { line: self.line + 1, line_start, passed: chars.wrapping_neg() }
    }

    /// Returns the position of an offset that many code points after this place, in the same line.
    #[inline]
    pub(crate) fn position(self, offset: u64, chars: u64) -> Position {
        Position {
            line: self.line,
            column_bytes: offset.saturating_sub(self.line_start) + 1,
            column_chars: self.passed.wrapping_add(chars + 1),
        }
    }
}

impl Sink for Locator {
    fn run(&mut self, run: Run<'_>) -> io::Result<ControlFlow<()>> {
        if self.lookback.is_none() {
            self.pass(&run);
        }
        Ok(ControlFlow::Continue(()))
    }

    fn signature(&mut self, _: u64, _: &[u8]) -> io::Result<ControlFlow<()>> {
        Ok(ControlFlow::Continue(()))
    }

    fn issue(&mut self, issue: &Issue, bytes: &[u8], _: Option<u8>) -> io::Result<ControlFlow<()>> {
        let all = columns(self.encoding, issue, bytes);
        let passed = &mut self.reached.passed;
        if let Some(range) = &self.range {
            *passed = passed.wrapping_add(columns_before(all, issue.offset, range.end));
        } else if self.lookback.is_none() {
            *passed += all;
        }
        Ok(ControlFlow::Continue(()))
    }
}

/// Returns the number of code points of the text itself in a notation, whose escapes are text.
#[inline]
pub(crate) fn notation_chars(encoding: &Encoding, bytes: &[u8]) -> Option<u64> {
    let is_notation = encoding.group == Group::Notation;
    is_notation.then(|| kernel::count(bytes, |byte| byte & 0xC0 != 0x80))
}

/// Returns the number of columns of an issue that are before an offset, out of `all`.
fn columns_before(all: u64, issue: u64, offset: u64) -> u64 {
    let before = offset.saturating_sub(issue);
    match before {
        0 => 0,
        // Each byte is one, or all bytes are.
        _ if all > 1 => before.min(all),
        _ => all,
    }
}

/// Counts in the bytes before an offset, and ends the scan there.
struct LocatorUntil<'a> {
    locator: &'a mut Locator,
    end: u64,
}

impl LocatorUntil<'_> {
    /// Returns the flow of the scan after it has reached an offset.
    fn flow(&self, reached: u64) -> ControlFlow<()> {
        flow_if(reached < self.end)
    }
}

impl Sink for LocatorUntil<'_> {
    fn run(&mut self, run: Run<'_>) -> io::Result<ControlFlow<()>> {
        // It is longer if the first scan ended at the end of a range.
        let part = within(&(0..self.end), run.offset, run.bytes);
        self.locator.pass(&Run::new(run.offset, &run.bytes[part], run.reader));
        Ok(self.flow(run.offset + run.bytes.len() as u64))
    }

    fn signature(&mut self, offset: u64, bytes: &[u8]) -> io::Result<ControlFlow<()>> {
        Ok(self.flow(offset + bytes.len() as u64))
    }

    fn issue(
        &mut self,
        issue: &Issue,
        bytes: &[u8],
        next: Option<u8>,
    ) -> io::Result<ControlFlow<()>> {
        match issue.offset < self.end {
            true => self.locator.issue(issue, bytes, next),
            false => Ok(ControlFlow::Break(())),
        }
    }
}
