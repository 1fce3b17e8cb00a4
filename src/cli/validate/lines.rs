//! Faulty lines of an input, or the other lines: `--format lines`.

use std::io;
use std::ops::{ControlFlow, Range};

use crate::finding::line_terminator::LineTerminator;
use crate::issue::Issue;
use crate::output::Output;
use crate::registry::{Encoding, by_name};
use crate::repair::{LineDropper, SegmentReceiver, TextSegment};
use crate::report::InputSummary;
use crate::sink::{Run, Sink, flow_if, within};
use crate::text::escape::{EscapeStyle, escape};
use crate::validate::Check;

/// The choice and the presentation of lines.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineOptions {
    /// True to write the lines without findings instead.
    pub others: bool,
    /// The escapes for a terminal; `None` writes lines as they are.
    pub escapes: Option<EscapeStyle>,
}

/// Writes the lines with findings, byte for byte, or the others. The lines are those of the range;
/// an unterminated last line is terminated.
pub(super) struct LineFilter<'a> {
    check: Check<'a>,
    range: Range<u64>,
    lines: LineDropper,
    writer: LineWriter<'a>,
    /// True once the check has stopped: the line is the last.
    stopped: bool,
}

impl<'a> LineFilter<'a> {
    /// Returns a filter for a range of an input in this encoding. `check` counts the findings.
    pub fn new(
        check: Check<'a>,
        encoding: &'static Encoding,
        range: Range<u64>,
        options: LineOptions,
        out: &'a mut Output,
    ) -> LineFilter<'a> {
        let lines = LineDropper::new(encoding);
        let writer = LineWriter { options, out, terminator: lines.terminator().clone() };
        LineFilter { check, range, lines, writer, stopped: false }
    }

    /// Returns the check.
    pub fn check(&mut self) -> &mut Check<'a> {
        &mut self.check
    }

    /// Ends the last line and the check. `whole` says that the input was read without errors.
    ///
    /// # Errors
    /// Returns the errors of the output and of the temporary file of a long line.
    pub fn end(mut self, whole: bool) -> io::Result<InputSummary> {
        if self.lines.is_open() && !self.lines.is_faulty() {
            let terminator = self.lines.terminator().clone();
            self.lines.push(&TextSegment::run(0, terminator.as_bytes()), &mut self.writer)?;
        }
        self.lines.finish(&mut self.writer)?;
        self.check.end(whole)
    }

    /// Receives whole sequences, which are faulty or not.
    fn receive(&mut self, offset: u64, bytes: &[u8], is_faulty: bool) -> io::Result<()> {
        let Range { start, end } = within(&self.range, offset, bytes);
        // A code unit belongs to the range in which it starts.
        let unit = self.lines.terminator().as_bytes().len();
        let whole = |at: usize| at.next_multiple_of(unit).min(bytes.len());
        let (offset, mut bytes) = (offset + whole(start) as u64, &bytes[whole(start)..whole(end)]);
        if self.stopped {
            if !self.lines.is_open() {
                return Ok(());
            }
            bytes = &bytes[..self.lines.terminator().find(bytes).unwrap_or(bytes.len())];
        }
        match is_faulty {
            true => self.lines.push_faulty(offset, bytes, &mut self.writer),
            false => self.lines.push(&TextSegment::run(offset, bytes), &mut self.writer),
        }
    }

    /// Returns the flow of the scan after more bytes were received.
    fn flow(&self, of_check: ControlFlow<()>) -> ControlFlow<()> {
        flow_if(of_check.is_continue() || self.lines.is_open() && !self.writer.options.others)
    }
}

/// Writes the lines that are wanted.
struct LineWriter<'a> {
    options: LineOptions,
    out: &'a mut Output,
    terminator: LineTerminator,
}

impl SegmentReceiver for LineWriter<'_> {
    fn push(&mut self, segment: &TextSegment<'_>) -> io::Result<()> {
        if self.options.others { self.write(segment.before) } else { Ok(()) }
    }

    fn push_elided(&mut self, _: &TextSegment<'_>, _: u64) -> io::Result<()> {
        Ok(())
    }

    fn push_dropped(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.options.others { Ok(()) } else { self.write(bytes) }
    }
}

impl LineWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        let Some(escapes) = self.options.escapes else { return self.out.copy(bytes) };
        let mut rest = bytes;
        while let Some(end) = self.terminator.find(rest) {
            let line = &rest[..end - self.terminator.as_bytes().len()];
            escape(self.out.buffer(), line, escapes);
            self.out.buffer().push(b'\n');
            rest = &rest[end..];
        }
        escape(self.out.buffer(), rest, escapes);
        self.out.settle()
    }
}

impl Sink for LineFilter<'_> {
    fn run(&mut self, run: Run<'_>) -> io::Result<ControlFlow<()>> {
        let (offset, bytes) = (run.offset, run.bytes);
        let flow = if self.stopped { ControlFlow::Break(()) } else { self.check.run(run)? };
        self.receive(offset, bytes, false)?;
        Ok(self.flow(flow))
    }

    fn signature(&mut self, offset: u64, bytes: &[u8]) -> io::Result<ControlFlow<()>> {
        let flow = self.check.signature(offset, bytes)?;
        self.receive(offset, bytes, false)?;
        Ok(flow)
    }

    fn issue(
        &mut self,
        issue: &Issue,
        bytes: &[u8],
        next: Option<u8>,
    ) -> io::Result<ControlFlow<()>> {
        let before = self.check.summary().findings;
        let flow = match self.stopped {
            true => ControlFlow::Break(()),
            false => self.check.issue(issue, bytes, next)?,
        };
        let is_faulty = self.check.summary().findings > before;
        self.receive(issue.offset, bytes, is_faulty)?;
        self.stopped |= flow.is_break();
        Ok(self.flow(flow))
    }

    fn tolerates_changes(&self) -> bool {
        // Escaped text is a `str`.
        self.writer.options.escapes.is_none()
    }

    fn codec(&mut self, codec: &'static str) {
        self.lines.set_encoding(by_name(codec));
        self.writer.terminator = self.lines.terminator().clone();
        self.check.codec(codec);
    }

    fn pause(&mut self) -> io::Result<()> {
        self.writer.out.flush()
    }
}
