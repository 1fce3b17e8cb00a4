//! Uniform line ends.

use std::io;

use crate::registry::Encoding;
use crate::repair::segment::{MAX_PENDING, PendingSegment, TextSegment};
use crate::repair::stage::{SegmentReceiver, Stage, StageInput};
use crate::repair::{RepairPlan, RepairReason};

/// The line end to write. CR LF, LF and a lone CR each end a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Newlines {
    /// LF.
    Lf,
    /// CR LF.
    CrLf,
}

impl Newlines {
    fn as_bytes(self) -> &'static [u8] {
        match self {
            Newlines::Lf => b"\n",
            Newlines::CrLf => b"\r\n",
        }
    }

    /// Returns the offset of the next line end that may have to change.
    fn find(self, text: &[u8]) -> Option<usize> {
        match self {
            Newlines::Lf => memchr::memchr(b'\r', text),
            Newlines::CrLf => memchr::memchr2(b'\r', b'\n', text),
        }
    }

    /// Returns a text with every line end replaced.
    fn rewrite(self, text: &[u8]) -> Vec<u8> {
        let mut rewritten = Vec::with_capacity(text.len() + 1);
        let mut rest = text;
        while let Some(at) = memchr::memchr2(b'\r', b'\n', rest) {
            rewritten.extend_from_slice(&rest[..at]);
            rewritten.extend_from_slice(self.as_bytes());
            rest = &rest[at + line_end_len(&rest[at..])..];
        }
        rewritten.extend_from_slice(rest);
        rewritten
    }
}

/// Returns the length of the line end at the start of `text`.
fn line_end_len(text: &[u8]) -> usize {
    if text.starts_with(b"\r\n") { 2 } else { 1 }
}

/// Appends the stage if the plan asks for line ends.
pub(super) fn add(plan: &RepairPlan, _: &'static Encoding, stages: &mut Vec<Box<dyn Stage>>) {
    if let Some(newlines) = plan.newlines {
        stages.push(Box::new(LineEndStage { newlines, pending: None }));
    }
}

/// Replaces line ends.
#[derive(Debug)]
struct LineEndStage {
    newlines: Newlines,
    /// A segment that ends in CR; an LF may follow.
    pending: Option<PendingSegment>,
}

impl LineEndStage {
    /// Passes on a segment that contains whole line ends.
    fn emit(&self, segment: &TextSegment<'_>, next: &mut dyn SegmentReceiver) -> io::Result<()> {
        let rewritten = self.newlines.rewrite(segment.after);
        if rewritten == segment.after {
            return next.push(segment);
        }
        let reasons = segment.reasons.and(RepairReason::Newlines);
        next.push(&TextSegment { after: &rewritten, reasons, ..*segment })
    }

    /// Joins the pending segment with the part of `segment` that belongs to its line end, and
    /// passes it on once the line end is complete. Returns the rest of `segment`.
    fn resolve_pending<'a>(
        &mut self,
        segment: &TextSegment<'a>,
        next: &mut dyn SegmentReceiver,
    ) -> io::Result<Option<TextSegment<'a>>> {
        let Some(mut pending) = self.pending.take() else { return Ok(Some(*segment)) };
        let (joined, rest) = match segment.after.first() {
            None if pending.before.len() < MAX_PENDING => (Some(*segment), None),
            Some(b'\n') if segment.is_run() => {
                let (line_feed, rest) = segment.split(1);
                (Some(line_feed), Some(rest))
            }
            Some(b'\n') => (Some(*segment), None),
            _ => (None, Some(*segment)),
        };
        if let Some(joined) = joined {
            pending.append(&joined);
        }
        match pending.after.ends_with(b"\r") && rest.is_none() {
            true => self.pending = Some(pending),
            false => self.emit(&pending.as_segment(), next)?,
        }
        Ok(rest)
    }

    fn push_run(
        &mut self,
        mut run: TextSegment<'_>,
        next: &mut dyn SegmentReceiver,
    ) -> io::Result<()> {
        let mut from = 0;
        while let Some(at) = self.newlines.find(&run.after[from..]) {
            let (start, end) = (from + at, from + at + line_end_len(&run.after[from + at..]));
            if run.after[start..end] == *self.newlines.as_bytes() {
                from = end;
                continue;
            }
            let (text, rest) = run.split(start);
            next.push_part(&text)?;
            if rest.after == b"\r" {
                self.pending = Some(PendingSegment::new(&rest));
                return Ok(());
            }
            let (line_end, rest) = rest.split(end - start);
            self.emit(&line_end, next)?;
            (run, from) = (rest, 0);
        }
        next.push_part(&run)
    }
}

impl Stage for LineEndStage {
    fn input(&self) -> StageInput {
        StageInput::Ascii
    }

    fn push(
        &mut self,
        segment: &TextSegment<'_>,
        next: &mut dyn SegmentReceiver,
    ) -> io::Result<()> {
        match self.resolve_pending(segment, next)? {
            Some(run) if run.is_run() => self.push_run(run, next),
            Some(unit) if unit.after.ends_with(b"\r") => {
                self.pending = Some(PendingSegment::new(&unit));
                Ok(())
            }
            Some(unit) => self.emit(&unit, next),
            None => Ok(()),
        }
    }

    fn finish(&mut self, next: &mut dyn SegmentReceiver) -> io::Result<()> {
        self.pending.take().map_or(Ok(()), |pending| self.emit(&pending.as_segment(), next))
    }
}
