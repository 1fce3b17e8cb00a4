//! Uniform line ends.

use std::io;

use crate::lint::LineEnding;
use crate::registry::Encoding;
use crate::repair::segment::{MAX_PENDING, PendingSegment, TextSegment};
use crate::repair::stage::{SegmentReceiver, Stage, StageInput};
use crate::repair::{RepairPlan, RepairReason};

/// The line end to write, and the line ends that it replaces.
///
/// `Lf` and `CrLf` replace LF together with all CRs directly before it, so that CR CR LF is one line
/// end, and keep other CRs. `LfAll` and `CrLfAll` replace CR LF, LF and every other CR.
///
/// ```
/// use utf8::{Encoding, Newlines, Policy, RepairPlan, repair};
///
/// let mut plan = RepairPlan::new(Policy::Strict);
/// plan.newlines = Some(Newlines::Lf);
/// assert_eq!(repair(Encoding::UTF_8, b"a\r\nb\rc", &plan)?.0, b"a\nb\rc");
/// plan.newlines = Some(Newlines::LfAll);
/// assert_eq!(repair(Encoding::UTF_8, b"a\r\nb\rc", &plan)?.0, b"a\nb\nc");
/// # Ok::<(), utf8::RepairError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Newlines {
    /// LF.
    Lf,
    /// CR LF.
    CrLf,
    /// LF, also for a single CR.
    LfAll,
    /// CR LF, also for a single CR.
    CrLfAll,
}

/// The characters at the start of a text that may be a line end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LineEnd {
    /// A line end of this length.
    Whole(usize),
    /// CRs, in this number, that end no line.
    Kept(usize),
    /// CRs up to the end of the text: an LF may follow.
    Open,
}

impl From<LineEnding> for Newlines {
    fn from(end: LineEnding) -> Newlines {
        match end {
            LineEnding::Lf => Newlines::Lf,
            LineEnding::CrLf => Newlines::CrLf,
        }
    }
}

impl Newlines {
    fn as_bytes(self) -> &'static [u8] {
        match self {
            Newlines::Lf | Newlines::LfAll => b"\n",
            Newlines::CrLf | Newlines::CrLfAll => b"\r\n",
        }
    }

    /// Returns `true` if every CR ends a line, alone or before LF.
    fn replaces_cr(self) -> bool {
        matches!(self, Newlines::LfAll | Newlines::CrLfAll)
    }

    /// Returns the offset of the next CR or line end that may have to change.
    fn find(self, text: &[u8]) -> Option<usize> {
        match self {
            Newlines::Lf | Newlines::LfAll => memchr::memchr(b'\r', text),
            Newlines::CrLf | Newlines::CrLfAll => memchr::memchr2(b'\r', b'\n', text),
        }
    }

    /// Judges the start of a text, which is CR or LF.
    fn judge(self, text: &[u8]) -> LineEnd {
        let crs = match self.replaces_cr() {
            true => usize::from(text.starts_with(b"\r")),
            false => leading_crs(text),
        };
        match text.get(crs) {
            Some(b'\n') if crs <= MAX_PENDING => LineEnd::Whole(crs + 1),
            Some(b'\n') => LineEnd::Kept(crs + 1),
            Some(_) if self.replaces_cr() => LineEnd::Whole(crs),
            Some(_) => LineEnd::Kept(crs),
            None => LineEnd::Open,
        }
    }

    /// Returns the length of the part of a text that belongs to the CRs before it.
    fn continuation(self, text: &[u8]) -> usize {
        let crs = if self.replaces_cr() { 0 } else { leading_crs(text) };
        crs + usize::from(text.get(crs) == Some(&b'\n'))
    }

    /// Appends a text with every line end replaced. CRs at its end are not followed by LF.
    fn rewrite(self, text: &[u8], rewritten: &mut Vec<u8>) {
        let mut rest = text;
        while let Some(at) = memchr::memchr2(b'\r', b'\n', rest) {
            rewritten.extend_from_slice(&rest[..at]);
            rest = &rest[at..];
            let (len, is_kept) = match self.judge(rest) {
                LineEnd::Whole(len) => (len, false),
                LineEnd::Kept(len) => (len, true),
                LineEnd::Open => (rest.len(), !self.replaces_cr()),
            };
            rewritten.extend_from_slice(if is_kept { &rest[..len] } else { self.as_bytes() });
            rest = &rest[len..];
        }
        rewritten.extend_from_slice(rest);
    }
}

/// Returns the number of CRs at the start of a text.
fn leading_crs(text: &[u8]) -> usize {
    text.iter().take_while(|&&byte| byte == b'\r').count()
}

/// Appends the stage if the plan asks for line ends.
pub(super) fn add(plan: &RepairPlan, _: &'static Encoding, stages: &mut Vec<Box<dyn Stage>>) {
    if let Some(newlines) = plan.newlines {
        stages.push(Box::new(LineEndStage {
            newlines,
            pending: None,
            too_long: false,
            rewritten: Vec::new(),
        }));
    }
}

/// Replaces line ends.
#[derive(Debug)]
struct LineEndStage {
    newlines: Newlines,
    /// Text that ends in CR; an LF may follow.
    pending: Option<PendingSegment>,
    /// True within CRs that are too many to wait for an LF. They are kept, with the LF.
    too_long: bool,
    /// Room for a segment with its line ends replaced.
    rewritten: Vec<u8>,
}

impl LineEndStage {
    /// Passes on a segment that contains whole line ends.
    fn emit(
        &mut self,
        segment: &TextSegment<'_>,
        next: &mut dyn SegmentReceiver,
    ) -> io::Result<()> {
        self.rewritten.clear();
        self.newlines.rewrite(segment.after, &mut self.rewritten);
        if self.rewritten == segment.after {
            return next.push(segment);
        }
        let reasons = segment.reasons.and(RepairReason::Newlines);
        next.push(&TextSegment { after: &self.rewritten, reasons, ..*segment })
    }

    /// Splits off the part of a segment that belongs to the CRs before it.
    fn split_continuation<'a>(
        &self,
        segment: &TextSegment<'a>,
    ) -> (Option<TextSegment<'a>>, Option<TextSegment<'a>>) {
        match self.newlines.continuation(segment.after) {
            0 if segment.after.is_empty() => (Some(*segment), None),
            0 => (None, Some(*segment)),
            len if segment.is_run() && len < segment.after.len() => {
                let (joined, rest) = segment.split(len);
                (Some(joined), Some(rest))
            }
            _ => (Some(*segment), None),
        }
    }

    /// Joins the pending text with the part of `segment` that belongs to its line end, and passes
    /// it on once the line end is complete. Returns the rest of `segment`.
    fn resolve_pending<'a>(
        &mut self,
        segment: &TextSegment<'a>,
        next: &mut dyn SegmentReceiver,
    ) -> io::Result<Option<TextSegment<'a>>> {
        let Some(mut pending) = self.pending.take() else { return Ok(Some(*segment)) };
        let (joined, rest) = self.split_continuation(segment);
        if let Some(joined) = joined {
            let line_feed = usize::from(joined.after.ends_with(b"\n"));
            if pending.before.len() + joined.before.len() - line_feed > MAX_PENDING {
                self.emit(&pending.as_segment(), next)?;
                self.too_long = !self.newlines.replaces_cr();
                return Ok(Some(*segment));
            }
            pending.append(&joined);
        }
        match pending.after.ends_with(b"\r") && rest.is_none() {
            true => self.pending = Some(pending),
            false => self.emit(&pending.as_segment(), next)?,
        }
        Ok(rest)
    }

    /// Passes on the part of `segment` that belongs to CRs that are too many. Returns the rest.
    fn pass_too_long<'a>(
        &mut self,
        segment: &TextSegment<'a>,
        next: &mut dyn SegmentReceiver,
    ) -> io::Result<Option<TextSegment<'a>>> {
        if !self.too_long {
            return Ok(Some(*segment));
        }
        let (kept, rest) = self.split_continuation(segment);
        let goes_on = |kept: &TextSegment<'_>| kept.after.last().is_none_or(|&last| last == b'\r');
        self.too_long = rest.is_none() && kept.as_ref().is_none_or(goes_on);
        kept.map_or(Ok(()), |kept| next.push(&kept))?;
        Ok(rest)
    }

    /// Keeps text that ends in CR until the text after it is known.
    fn hold(
        &mut self,
        segment: &TextSegment<'_>,
        next: &mut dyn SegmentReceiver,
    ) -> io::Result<()> {
        if segment.before.len() > MAX_PENDING && !self.newlines.replaces_cr() {
            self.too_long = true;
            return self.emit(segment, next);
        }
        self.pending = Some(PendingSegment::new(segment));
        Ok(())
    }

    fn push_run(
        &mut self,
        mut run: TextSegment<'_>,
        next: &mut dyn SegmentReceiver,
    ) -> io::Result<()> {
        let mut from = 0;
        while let Some(at) = self.newlines.find(&run.after[from..]) {
            let start = from + at;
            let len = match self.newlines.judge(&run.after[start..]) {
                LineEnd::Whole(len) => len,
                LineEnd::Kept(len) => {
                    from = start + len;
                    continue;
                }
                LineEnd::Open => {
                    let (text, rest) = run.split(start);
                    next.push_part(&text)?;
                    return self.hold(&rest, next);
                }
            };
            if run.after[start..start + len] == *self.newlines.as_bytes() {
                from = start + len;
                continue;
            }
            let (text, rest) = run.split(start);
            next.push_part(&text)?;
            let (line_end, rest) = rest.split(len);
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
        let Some(rest) = self.resolve_pending(segment, next)? else { return Ok(()) };
        match self.pass_too_long(&rest, next)? {
            Some(run) if run.is_run() => self.push_run(run, next),
            Some(unit) if unit.after.ends_with(b"\r") => self.hold(&unit, next),
            Some(unit) => self.emit(&unit, next),
            None => Ok(()),
        }
    }

    fn has_open_line_end(&self) -> bool {
        self.pending.is_some()
    }

    fn finish(&mut self, next: &mut dyn SegmentReceiver) -> io::Result<()> {
        self.pending.take().map_or(Ok(()), |pending| self.emit(&pending.as_segment(), next))
    }
}
