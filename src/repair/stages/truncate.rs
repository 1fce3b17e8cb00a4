//! Truncation to a number of bytes.

use std::io;

use super::clusters::{Clusters, floor_cluster_boundary};
use crate::codec::Codec;
use crate::codec::family::{Rfc2279, floor_boundary};
use crate::registry::Encoding;
use crate::repair::encode::encode;
use crate::repair::segment::{RemovedText, TextSegment};
use crate::repair::stage::{SegmentReceiver, Stage, StageInput};
use crate::repair::{RepairPlan, RepairReason, RepairReasons};

/// A limit on the length of a text or of its lines.
///
/// ```
/// use utf8::{Encoding, Policy, RepairPlan, TruncationLimit, repair};
///
/// let mut limit = TruncationLimit::new(3);
/// limit.lines = true;
/// limit.graphemes = true;
/// let mut plan = RepairPlan::new(Policy::Strict);
/// plan.truncation = Some(limit);
/// // With its accent, which is two bytes in UTF-8, the e is beyond the limit.
/// let (text, _) = repair(Encoding::UTF_8, "abcd\nxye\u{301}\n".as_bytes(), &plan)?;
/// assert_eq!(text, b"abc\nxy\n");
/// # Ok::<(), utf8::RepairError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
// The tests name every field, so that none is forgotten.
#[cfg_attr(not(feature = "unstable-internals"), non_exhaustive)]
pub struct TruncationLimit {
    /// The largest number of bytes, in the codec of the text, after all other repairs. With a limit, text
    /// that a removal joins to an escape of a notation is not kept apart.
    pub bytes: u64,
    /// True to limit each line, without its line end, instead of the whole text.
    pub lines: bool,
    /// True to keep extended grapheme clusters (UAX #29) of up to 64 KiB whole. Sequences are
    /// always kept whole.
    pub graphemes: bool,
}

impl TruncationLimit {
    /// Creates a limit of this number of bytes on the whole text.
    ///
    /// ```
    /// use utf8::{Encoding, Policy, RepairPlan, TruncationLimit, repair};
    ///
    /// let mut plan = RepairPlan::new(Policy::Replace);
    /// plan.truncation = Some(TruncationLimit::new(4));
    /// let (text, _) = repair(Encoding::UTF_8, "naïve".as_bytes(), &plan)?;
    /// assert_eq!(text, "naï".as_bytes());
    /// # Ok::<(), utf8::RepairError>(())
    /// ```
    pub fn new(bytes: u64) -> TruncationLimit {
        TruncationLimit { bytes, lines: false, graphemes: false }
    }
}

/// Appends the stages if the plan has a limit.
pub(super) fn add(plan: &RepairPlan, codec: &'static Encoding, stages: &mut Vec<Box<dyn Stage>>) {
    if let Some(limit) = plan.truncation {
        if limit.graphemes {
            stages.push(Box::new(Clusters::default()));
        }
        stages.push(Box::new(Truncate { limit, codec, used: 0, omitted: None, cut: None }));
    }
}

/// Removes text beyond the limit.
#[derive(Debug)]
struct Truncate {
    limit: TruncationLimit,
    codec: &'static Encoding,
    /// Number of bytes so far, of the line or of the text.
    used: u64,
    /// The text beyond the limit, once it is reached.
    omitted: Option<RemovedText>,
    /// The offset of the first sequence of which nothing remains.
    cut: Option<u64>,
}

impl Truncate {
    /// Passes on the part of a segment that fits and omits the rest. The first `from` bytes of the
    /// replacement, a line end, do not count.
    fn clip(
        &mut self,
        segment: &TextSegment<'_>,
        from: usize,
        next: &mut dyn SegmentReceiver,
    ) -> io::Result<()> {
        if let Some(omitted) = &mut self.omitted {
            omitted.append(segment.before);
            return Ok(());
        }
        let size = self.size(segment, from);
        let room = self.limit.bytes - self.used;
        if size <= room {
            self.used += size;
            return next.push(segment);
        }
        let at = from + self.boundary(&segment.after[from..], room);
        let reasons = RepairReasons::from(RepairReason::Truncate);
        if segment.is_run() {
            let (text, rest) = segment.split(at);
            self.cut = Some(rest.offset);
            self.omitted = Some(RemovedText::new(&TextSegment { after: &[], reasons, ..rest }));
            return next.push_part(&text);
        }
        // If nothing of the segment remains, its other changes do not count.
        let (kept, reasons) = match at {
            0 => (0, reasons),
            _ => (segment.before.len(), reasons.or(segment.reasons)),
        };
        self.cut = Some(segment.offset + kept as u64);
        let clipped = TextSegment { after: &segment.after[..at], reasons, ..*segment };
        self.omitted = Some(RemovedText::new(&clipped));
        Ok(())
    }

    /// Returns the number of bytes that a segment takes in the codec, after `from` in its text.
    fn size(&self, segment: &TextSegment<'_>, from: usize) -> u64 {
        let bytes = match segment.reasons.is_empty() && !self.codec.inner.reencodes_all && from == 0
        {
            true => segment.before.len(),
            false if self.codec.inner.utf8 => segment.after.len() - from,
            false => {
                let mut encoded = Vec::new();
                encode(self.codec, &segment.after[from..], &mut encoded);
                encoded.len()
            }
        };
        bytes as u64
    }

    /// Returns the length of the longest prefix of `text`, at a permitted boundary, that takes at
    /// most `room` bytes in the codec.
    fn boundary(&self, text: &[u8], room: u64) -> usize {
        if !self.codec.inner.utf8 {
            return self.encoded_boundary(text, room);
        }
        let most = usize::try_from(room).unwrap_or(usize::MAX).min(text.len());
        match str::from_utf8(text) {
            Ok(text) if self.limit.graphemes => floor_cluster_boundary(text, most),
            _ => self.sequence_boundary(text, most),
        }
    }

    /// Returns the boundary of a text that is encoded in another codec.
    fn encoded_boundary(&self, text: &[u8], room: u64) -> usize {
        let (mut at, mut encoded) = (0, Vec::new());
        while at < text.len() {
            let end = at + Rfc2279::step(&mut Rfc2279::start(0, 1), &text[at..], true).size();
            encode(self.codec, &text[at..end], &mut encoded);
            if encoded.len() as u64 > room {
                break;
            }
            at = end;
        }
        match str::from_utf8(text) {
            Ok(text) if self.limit.graphemes => floor_cluster_boundary(text, at),
            _ => at,
        }
    }

    /// Returns the last sequence boundary at or before `most`.
    fn sequence_boundary(&self, text: &[u8], most: usize) -> usize {
        // Without a visible start nearby, a sequence ends at `most`, or each byte is a unit.
        let mut at = floor_boundary(text, most);
        while at < most {
            let end = at + self.codec.step(&text[at..]).size();
            if end > most {
                break;
            }
            at = end;
        }
        at
    }

    /// Ends the line or the text, and passes on the omission.
    fn flush(&mut self, next: &mut dyn SegmentReceiver) -> io::Result<()> {
        (self.used, self.cut) = (0, None);
        self.omitted.take().map_or(Ok(()), |omitted| omitted.emit(next))
    }

    /// Clips each line of a run.
    fn clip_lines(
        &mut self,
        run: &TextSegment<'_>,
        next: &mut dyn SegmentReceiver,
    ) -> io::Result<()> {
        let mut rest = *run;
        while let Some(at) = memchr::memchr2(b'\r', b'\n', rest.after) {
            let (line, tail) = rest.split(at);
            self.clip(&line, 0, next)?;
            self.flush(next)?;
            let (line_end, tail) = tail.split(1);
            next.push(&line_end)?;
            rest = tail;
        }
        self.clip(&rest, 0, next)
    }
}

impl Stage for Truncate {
    fn input(&self) -> StageInput {
        StageInput::Utf8
    }

    fn push(
        &mut self,
        segment: &TextSegment<'_>,
        next: &mut dyn SegmentReceiver,
    ) -> io::Result<()> {
        if !self.limit.lines {
            return self.clip(segment, 0, next);
        }
        if segment.is_run() {
            return self.clip_lines(segment, next);
        }
        let line_end = memchr::memrchr2(b'\r', b'\n', segment.after);
        if line_end.is_some() {
            self.flush(next)?;
        }
        self.clip(segment, line_end.map_or(0, |at| at + 1), next)
    }

    fn finish(&mut self, next: &mut dyn SegmentReceiver) -> io::Result<()> {
        self.flush(next)
    }

    fn push_elided(
        &mut self,
        segment: &TextSegment<'_>,
        elided: u64,
        next: &mut dyn SegmentReceiver,
    ) -> io::Result<()> {
        match &mut self.omitted {
            Some(omitted) => omitted.append_elided(segment.before, elided),
            None => next.push_elided(segment, elided)?,
        }
        Ok(())
    }

    fn cut(&self) -> Option<u64> {
        self.cut.filter(|_| !self.limit.lines)
    }
}
