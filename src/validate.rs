//! What is ill-formed, and where? The sink of `utf8 validate`.

use std::io;
use std::ops::{ControlFlow, Range};

use crate::finding::locate::Locator;
use crate::finding::segments::Segments;
use crate::issue::Issue;
use crate::output::Output;
use crate::registry::{Encoding, by_name};
use crate::report::{Finding, Format, InputSummary};
use crate::sink::{Run, Sink, within};
use crate::text::name::InputName;

/// What is looked for.
#[derive(Clone, Copy, Debug, Default)]
pub struct CheckOptions {
    /// How a fault is cut.
    pub segments: Segments,
    /// After how many findings to stop; not at all, if `None`.
    pub limit: Option<u64>,
    /// Whether lines and code points are counted.
    pub count: bool,
}

/// What is done with the findings.
pub struct CheckReport<'a> {
    /// The input's name.
    pub name: &'a InputName<'a>,
    /// How they are written.
    pub format: &'a mut dyn Format,
    /// Whether the format wants to see all bytes.
    pub rows: bool,
    /// Where they are written to.
    pub out: &'a mut Output,
    /// Which lines they are on.
    pub locator: Locator,
}

/// Finds, counts and reports what is ill-formed in a range of an input.
pub struct Check<'a> {
    spec: &'static Encoding,
    /// The codec of the text, where a signature has told it.
    text: &'static Encoding,
    range: Range<u64>,
    wanted: CheckOptions,
    report: Option<CheckReport<'a>>,
    summary: InputSummary,
    /// Whether the last byte that was examined ended a line.
    line_ended: bool,
}

impl<'a> Check<'a> {
    /// Examine a range of an input of this codec. Without a report, findings are only counted.
    pub fn new(
        spec: &'static Encoding,
        range: Range<u64>,
        wanted: CheckOptions,
        report: Option<CheckReport<'a>>,
    ) -> Check<'a> {
        let summary = InputSummary::of(&range);
        Check { spec, text: spec, range, wanted, report, summary, line_ended: true }
    }

    /// What was found so far.
    pub fn summary(&self) -> &InputSummary {
        &self.summary
    }
}

impl Check<'_> {
    /// Take note of bytes, whatever they are. Breaks if nothing is to be looked for in them.
    fn see(&mut self, offset: u64, bytes: &[u8]) -> io::Result<ControlFlow<()>> {
        if let Some(report) = &mut self.report
            && report.rows
        {
            report.format.bytes(report.out.buffer(), offset, bytes);
            report.out.settle()?;
        }
        if self.summary.stopped {
            return Ok(ControlFlow::Break(()));
        }
        let mine = &bytes[within(&self.range, offset, bytes)];
        if offset == 0 && self.range.start == 0 && !mine.is_empty() {
            let signature = self.text.signature;
            self.summary.bom = Some(!signature.is_empty() && bytes.starts_with(signature));
        }
        self.summary.size += mine.len() as u64;
        self.line_ended &= mine.is_empty();
        Ok(ControlFlow::Continue(()))
    }

    /// Once the limit is reached: whether the report still waits for bytes to show.
    fn rest(&self) -> ControlFlow<()> {
        match &self.report {
            Some(report) if report.format.waits() => ControlFlow::Continue(()),
            _ => ControlFlow::Break(()),
        }
    }

    /// The input has ended, or nobody wants more of it: count the last line, and let the report
    /// say what it still has to say. `whole` says that nothing went wrong.
    ///
    /// # Errors
    /// Those of the report's writer.
    pub fn end(mut self, whole: bool) -> io::Result<InputSummary> {
        self.summary.lines += u64::from(!self.line_ended);
        if let Some(report) = &mut self.report {
            let summary = whole.then_some(&self.summary);
            report.format.end(report.out.buffer(), report.name, self.spec, summary);
            report.out.settle()?;
        }
        Ok(self.summary)
    }
}

impl Sink for Check<'_> {
    fn run(&mut self, run: Run<'_>) -> io::Result<ControlFlow<()>> {
        if self.see(run.offset, run.bytes)?.is_break() {
            return Ok(self.rest());
        }
        if self.wanted.count {
            let part = within(&self.range, run.offset, run.bytes);
            let lines = run.reader.lines(&run.bytes[part.clone()]);
            self.summary.lines += lines.number;
            self.line_ended |= !part.is_empty() && lines.end == Some(part.len());
            run.reader.tally(run.bytes, part, &mut self.summary.lengths);
        }
        match &mut self.report {
            Some(report) => report.locator.run(run),
            None => Ok(ControlFlow::Continue(())),
        }
    }

    fn signature(&mut self, offset: u64, bytes: &[u8]) -> io::Result<ControlFlow<()>> {
        self.text = self.spec.after_bom(bytes).unwrap_or(self.text);
        if self.see(offset, bytes)?.is_break() {
            return Ok(self.rest());
        }
        match &mut self.report {
            Some(report) => report.locator.signature(offset, bytes),
            None => Ok(ControlFlow::Continue(())),
        }
    }

    fn issue(
        &mut self,
        issue: &Issue,
        bytes: &[u8],
        next: Option<u8>,
    ) -> io::Result<ControlFlow<()>> {
        if self.see(issue.offset, bytes)?.is_break() {
            return Ok(self.rest());
        }
        for piece in self.wanted.segments.cut(self.text, *issue, bytes) {
            let offset = issue.offset + piece.at as u64;
            if !self.range.contains(&offset) {
                continue;
            }
            self.summary.add(piece.kind);
            if let Some(report) = &mut self.report {
                let place = report.locator.place(issue, offset, piece.subparts)?;
                let (name, spec) = (report.name, self.text);
                let finding = Finding { name, spec, offset, piece, next, place };
                report.format.finding(report.out.buffer(), &finding);
                report.out.settle()?;
            }
            if Some(self.summary.findings) == self.wanted.limit {
                self.summary.stopped = true;
                return Ok(self.rest());
            }
        }
        match &mut self.report {
            Some(report) => report.locator.issue(issue, bytes, next),
            None => Ok(ControlFlow::Continue(())),
        }
    }

    fn codec(&mut self, codec: &'static str) {
        self.text = by_name(codec);
    }

    fn pause(&mut self) -> io::Result<()> {
        match &mut self.report {
            Some(report) => report.out.flush(),
            None => Ok(()),
        }
    }
}
