//! The interface of repair stages, and their chain.

use std::io;

use super::segment::{TextSegment, split_utf8};
use super::skipped::SkippedRepair;
use crate::registry::Encoding;

/// A receiver of segments.
pub trait SegmentReceiver {
    /// Receives the next segment.
    ///
    /// # Errors
    /// Errors of writing.
    fn push(&mut self, segment: &TextSegment<'_>) -> io::Result<()>;

    /// Receives a skipped repair.
    ///
    /// # Errors
    /// Errors of writing.
    fn push_skipped(&mut self, skipped: &SkippedRepair<'_>) -> io::Result<()> {
        let _ = skipped;
        Ok(())
    }

    /// Receives the offset of a segment that is kept although it is not in the normalization form of
    /// the plan, which the codec cannot hold.
    fn note_unnormalized(&mut self, offset: u64) {
        let _ = offset;
    }

    /// Receives the next part of a run, which may be empty.
    ///
    /// # Errors
    /// Errors of writing.
    fn push_part(&mut self, part: &TextSegment<'_>) -> io::Result<()> {
        if part.before.is_empty() { Ok(()) } else { self.push(part) }
    }

    /// Receives the next segment, followed by `elided` source bytes that are removed and no longer
    /// in memory.
    ///
    /// # Errors
    /// Errors of writing.
    fn push_elided(&mut self, segment: &TextSegment<'_>, elided: u64) -> io::Result<()>;

    /// Receives source bytes of a line that is removed: the next bytes of these lines, which are
    /// all terminated.
    ///
    /// # Errors
    /// Errors of writing.
    fn push_dropped(&mut self, bytes: &[u8]) -> io::Result<()> {
        let _ = bytes;
        Ok(())
    }
}

/// The text that a stage can process as whole runs. Other text reaches it sequence by sequence, as
/// UTF-8.
#[derive(Clone, Copy, Debug)]
pub(super) enum StageInput {
    /// Strict UTF-8.
    StrictUtf8,
    /// UTF-8 and its relatives.
    Utf8,
    /// Every codec in which a byte below 0x80 is that ASCII character.
    Ascii,
}

impl StageInput {
    /// Returns `true` if runs of this codec can be processed.
    pub fn accepts(self, codec: &Encoding) -> bool {
        match self {
            StageInput::StrictUtf8 => codec.inner.strict,
            StageInput::Utf8 => codec.inner.utf8,
            StageInput::Ascii => codec.inner.utf8 || codec.properties.transparent,
        }
    }
}

/// A repair of text that receives segments and passes segments on.
pub(super) trait Stage {
    /// Returns the text that the stage can process as whole runs.
    fn input(&self) -> StageInput;

    /// Receives the next segment, and passes on the decided ones.
    ///
    /// # Errors
    /// Errors of `next`.
    fn push(&mut self, segment: &TextSegment<'_>, next: &mut dyn SegmentReceiver)
    -> io::Result<()>;

    /// Passes on all pending segments at the end of the text.
    ///
    /// # Errors
    /// Errors of `next`.
    fn finish(&mut self, next: &mut dyn SegmentReceiver) -> io::Result<()> {
        let _ = next;
        Ok(())
    }

    /// Receives a segment, followed by `elided` source bytes, that is removed. The text before and
    /// after it does not combine.
    ///
    /// # Errors
    /// Errors of `next`.
    fn push_elided(
        &mut self,
        segment: &TextSegment<'_>,
        elided: u64,
        next: &mut dyn SegmentReceiver,
    ) -> io::Result<()> {
        self.finish(next)?;
        next.push_elided(segment, elided)
    }

    /// Returns `true` if the text so far has a line end whose bytes depend on the text after it.
    fn has_open_line_end(&self) -> bool {
        false
    }

    /// Returns the offset from which the stage removes all text, once it does.
    fn cut(&self) -> Option<u64> {
        None
    }
}

/// A stage that processes text of UTF-8. Its [`Stage`] splits runs into text and other sequences.
pub(super) trait TextStage {
    /// Receives a run and its text.
    fn push_run(
        &mut self,
        run: &TextSegment<'_>,
        text: &str,
        next: &mut dyn SegmentReceiver,
    ) -> io::Result<()>;

    /// Receives an indivisible segment.
    fn push_unit(
        &mut self,
        unit: &TextSegment<'_>,
        next: &mut dyn SegmentReceiver,
    ) -> io::Result<()>;

    /// Passes on the pending segments. Later text does not combine with them.
    fn flush(&mut self, next: &mut dyn SegmentReceiver) -> io::Result<()>;
}

impl<T: TextStage> Stage for T {
    fn input(&self) -> StageInput {
        StageInput::Utf8
    }

    fn push(
        &mut self,
        segment: &TextSegment<'_>,
        next: &mut dyn SegmentReceiver,
    ) -> io::Result<()> {
        if !segment.is_run() {
            return self.push_unit(segment, next);
        }
        for (run, text, other) in split_utf8(*segment) {
            self.push_run(&run, text, next)?;
            if !other.before.is_empty() {
                self.flush(next)?;
                next.push(&other)?;
            }
        }
        Ok(())
    }

    fn finish(&mut self, next: &mut dyn SegmentReceiver) -> io::Result<()> {
        self.flush(next)
    }
}

/// Stages in order, and the receiver of the last stage's segments.
pub(super) struct StageChain<'a> {
    pub stages: &'a mut [Box<dyn Stage>],
    pub last: &'a mut dyn SegmentReceiver,
}

impl StageChain<'_> {
    /// Finishes every stage in order.
    pub fn finish(&mut self) -> io::Result<()> {
        self.finish_first(self.stages.len())
    }

    /// Finishes every stage but the last, so that the last has received all text so far.
    pub fn finish_all_but_last(&mut self) -> io::Result<()> {
        self.finish_first(self.stages.len().saturating_sub(1))
    }

    /// Finishes the last stage, after [the others](Self::finish_all_but_last).
    pub fn finish_last(&mut self) -> io::Result<()> {
        match self.stages.last_mut() {
            Some(stage) => stage.finish(&mut StageChain { stages: &mut [], last: self.last }),
            None => Ok(()),
        }
    }

    fn finish_first(&mut self, count: usize) -> io::Result<()> {
        for at in 0..count {
            if let [stage, rest @ ..] = &mut self.stages[at..] {
                stage.finish(&mut StageChain { stages: rest, last: self.last })?;
            }
        }
        Ok(())
    }
}

impl SegmentReceiver for StageChain<'_> {
    fn push(&mut self, segment: &TextSegment<'_>) -> io::Result<()> {
        match self.stages {
            [] => self.last.push(segment),
            [stage, rest @ ..] => {
                stage.push(segment, &mut StageChain { stages: rest, last: self.last })
            }
        }
    }

    fn push_elided(&mut self, segment: &TextSegment<'_>, elided: u64) -> io::Result<()> {
        match self.stages {
            [] => self.last.push_elided(segment, elided),
            [stage, rest @ ..] => {
                let mut next = StageChain { stages: rest, last: self.last };
                stage.push_elided(segment, elided, &mut next)
            }
        }
    }

    fn push_dropped(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.last.push_dropped(bytes)
    }

    fn push_skipped(&mut self, skipped: &SkippedRepair<'_>) -> io::Result<()> {
        self.last.push_skipped(skipped)
    }

    fn note_unnormalized(&mut self, offset: u64) {
        self.last.note_unnormalized(offset);
    }
}
