//! Which line and column is this offset?
//!
//! A line ends at U+000A. Line and column count from 1; a column is counted in bytes, and in code
//! points, where a fault counts one for each of its maximal subparts.

use std::io;
use std::ops::ControlFlow;

use crate::codec::LengthCounts;
use crate::issue::Issue;
use crate::kernel::Kernels;
use crate::registry::Encoding;
use crate::sink::{Run, Sink};
use crate::source::{Buffer, Lookback, Source};

/// A place in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The line, from 1.
    pub line: u64,
    /// The column in bytes, from 1.
    pub column_bytes: u64,
    /// The column in code points, from 1; 1 where they are not counted.
    pub column_chars: u64,
}

/// Follows a scan and counts lines. As long as nobody asks, an input that can be read again is
/// not looked at: the first question has it read up to there.
#[derive(Debug)]
pub struct Locator {
    spec: &'static Encoding,
    kernels: &'static Kernels,
    /// Whether code points are counted.
    chars: bool,
    /// Where the input can be read again, until it has been.
    past: Option<Lookback>,
    line: u64,
    /// The offset of the first byte of the line.
    line_start: u64,
    /// How many code points of the line have been passed.
    passed: u64,
}

impl Locator {
    /// A locator for an input of this codec.
    pub fn new(
        spec: &'static Encoding,
        kernels: &'static Kernels,
        chars: bool,
        past: Option<Lookback>,
    ) -> Locator {
        Locator { spec, kernels, chars, past, line: 1, line_start: 0, passed: 0 }
    }

    /// The place of an offset: of the issue that the scan has come to, or of a byte in it.
    /// `subparts` says how many maximal subparts of the issue are before it.
    ///
    /// # Errors
    /// Those of reading the input again.
    pub fn place(&mut self, issue: &Issue, offset: u64, subparts: u64) -> io::Result<Position> {
        if let Some(past) = self.past.take() {
            let mut buffer = Buffer::default();
            let mut source = Source::reread(&past, issue.offset, &mut buffer);
            source.scan(self.spec, self.kernels, self)?;
        }
        Ok(Position {
            line: self.line,
            column_bytes: offset - self.line_start + 1,
            column_chars: self.passed + subparts + 1,
        })
    }

    /// Pass well-formed text.
    fn pass(&mut self, run: &Run<'_>) {
        let mut of_line = 0..run.bytes.len();
        let lines = run.reader.lines(run.bytes);
        if let Some(behind) = lines.end {
            self.line += lines.number;
            self.line_start = run.offset + behind as u64;
            self.passed = 0;
            of_line.start = behind;
        }
        if self.chars {
            let mut lengths = LengthCounts::default();
            run.reader.tally(run.bytes, of_line, &mut lengths);
            self.passed += lengths.iter().sum::<u64>();
        }
    }
}

impl Sink for Locator {
    fn run(&mut self, run: Run<'_>) -> io::Result<ControlFlow<()>> {
        if self.past.is_none() {
            self.pass(&run);
        }
        Ok(ControlFlow::Continue(()))
    }

    fn signature(&mut self, _: u64, _: &[u8]) -> io::Result<ControlFlow<()>> {
        Ok(ControlFlow::Continue(()))
    }

    fn issue(&mut self, issue: &Issue, _: &[u8], _: Option<u8>) -> io::Result<ControlFlow<()>> {
        if self.past.is_none() {
            self.passed += u64::from(issue.replacements);
        }
        Ok(ControlFlow::Continue(()))
    }
}
