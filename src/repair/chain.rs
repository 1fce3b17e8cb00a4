//! How do repairs follow one another?

use std::io;

use super::note::SkippedRepair;
use super::piece::{TextSegment, parts};

/// What takes pieces.
pub(crate) trait SegmentReceiver {
    /// Take the next piece.
    ///
    /// # Errors
    /// Those of writing.
    fn take(&mut self, piece: &TextSegment<'_>) -> io::Result<()>;

    /// Take a note of something that was considered, and left.
    ///
    /// # Errors
    /// Those of writing.
    fn note(&mut self, note: &SkippedRepair<'_>) -> io::Result<()> {
        let _ = note;
        Ok(())
    }

    /// Take the next part of a run, if there is anything in it.
    ///
    /// # Errors
    /// Those of writing.
    fn take_some(&mut self, part: &TextSegment<'_>) -> io::Result<()> {
        if part.before.is_empty() { Ok(()) } else { self.take(part) }
    }

    /// Take the next piece, of which so many bytes more are left out and not at hand.
    ///
    /// # Errors
    /// Those of writing.
    fn cut(&mut self, piece: &TextSegment<'_>, unseen: u64) -> io::Result<()>;
}

/// A repair of text: takes pieces, and gives pieces on.
pub(crate) trait Stage {
    /// Take the next piece, and give on what is certain.
    ///
    /// # Errors
    /// Those of who takes them.
    fn take(&mut self, piece: &TextSegment<'_>, next: &mut dyn SegmentReceiver) -> io::Result<()>;

    /// Give on what is left: the text has ended.
    ///
    /// # Errors
    /// Those of who takes it.
    fn end(&mut self, next: &mut dyn SegmentReceiver) -> io::Result<()> {
        let _ = next;
        Ok(())
    }

    /// Whether all that may still come is left out.
    fn is_full(&self) -> bool {
        false
    }
}

/// A repair of characters: [`Stage`] takes runs apart for it.
pub(crate) trait TextStage {
    /// Take a run, which is this text.
    fn run(
        &mut self,
        run: &TextSegment<'_>,
        text: &str,
        next: &mut dyn SegmentReceiver,
    ) -> io::Result<()>;

    /// Take what is not to be cut.
    fn unit(&mut self, unit: &TextSegment<'_>, next: &mut dyn SegmentReceiver) -> io::Result<()>;

    /// Give on what is held: what follows has nothing to do with it.
    fn settle(&mut self, next: &mut dyn SegmentReceiver) -> io::Result<()>;
}

impl<T: TextStage> Stage for T {
    fn take(&mut self, piece: &TextSegment<'_>, next: &mut dyn SegmentReceiver) -> io::Result<()> {
        if !piece.is_run() {
            return self.unit(piece, next);
        }
        for (run, text, other) in parts(*piece) {
            self.run(&run, text, next)?;
            if !other.before.is_empty() {
                self.settle(next)?;
                next.take(&other)?;
            }
        }
        Ok(())
    }

    fn end(&mut self, next: &mut dyn SegmentReceiver) -> io::Result<()> {
        self.settle(next)
    }
}

/// Stages, one behind the other, and what takes the pieces of the last.
pub(crate) struct StageChain<'a> {
    pub stages: &'a mut [Box<dyn Stage>],
    pub last: &'a mut dyn SegmentReceiver,
}

impl StageChain<'_> {
    /// The text has ended, for one stage after the other.
    pub fn end(&mut self) -> io::Result<()> {
        self.end_first(self.stages.len())
    }

    /// What follows has nothing to do with what is before it: let the last stage have that.
    pub fn settle(&mut self) -> io::Result<()> {
        self.end_first(self.stages.len().saturating_sub(1))
    }

    fn end_first(&mut self, stages: usize) -> io::Result<()> {
        for at in 0..stages {
            if let [stage, rest @ ..] = &mut self.stages[at..] {
                stage.end(&mut StageChain { stages: rest, last: self.last })?;
            }
        }
        Ok(())
    }
}

impl SegmentReceiver for StageChain<'_> {
    fn take(&mut self, piece: &TextSegment<'_>) -> io::Result<()> {
        match self.stages {
            [] => self.last.take(piece),
            [stage, rest @ ..] => {
                stage.take(piece, &mut StageChain { stages: rest, last: self.last })
            }
        }
    }

    /// The last stage cuts, and no other.
    fn cut(&mut self, piece: &TextSegment<'_>, unseen: u64) -> io::Result<()> {
        self.last.cut(piece, unseen)
    }

    fn note(&mut self, note: &SkippedRepair<'_>) -> io::Result<()> {
        self.last.note(note)
    }
}
