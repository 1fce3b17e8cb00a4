//! Edits that fix findings of lints.

use std::io;

use crate::repair::RepairReason;
use crate::repair::segment::{RemovedText, TextSegment};
use crate::repair::stage::{SegmentReceiver, Stage, StageInput};
use crate::validate::{EditCursor, LintFixes, TextEdit};

/// Makes edits at offsets of the source: those of one input.
#[derive(Debug)]
pub(in crate::repair) struct FixStage {
    fixes: LintFixes,
    /// The first edit that is not made yet.
    upcoming: Option<TextEdit>,
    /// The place behind it.
    cursor: EditCursor,
    /// The change of an edit that goes on after the text so far.
    pending: Option<RemovedText>,
    /// The offset in the source up to which text was received.
    reached: u64,
    /// The last byte of the text so far, which starts with a line.
    end: u8,
}

impl FixStage {
    pub fn new(fixes: LintFixes) -> FixStage {
        let mut cursor = EditCursor::default();
        let upcoming = fixes.next_edit(&mut cursor);
        FixStage { fixes, upcoming, cursor, pending: None, reached: 0, end: b'\n' }
    }

    /// Returns the next edit from an offset on.
    fn next_edit(&mut self, offset: u64) -> Option<TextEdit> {
        let is_over = |edit: &TextEdit| edit.length > 0 && edit.end() <= offset;
        while self.upcoming.as_ref().is_some_and(is_over) {
            self.upcoming = self.fixes.next_edit(&mut self.cursor);
        }
        self.upcoming
    }

    /// Returns the next edit that replaces text from an offset on. An insertion is made at the end of the
    /// text; a file that grew since the edits were found has text after its place.
    fn next_replacement(&mut self, offset: u64) -> Option<TextEdit> {
        self.next_edit(offset).filter(|edit| edit.length > 0)
    }

    /// Adds a segment that is a part of an edit: the first part is replaced, and others are removed.
    /// Passes the change on with its last part.
    fn replace(
        &mut self,
        segment: &TextSegment<'_>,
        edit: &TextEdit,
        next: &mut dyn SegmentReceiver,
    ) -> io::Result<()> {
        let is_first = segment.offset == edit.offset;
        let after = if is_first { self.fixes.text(edit) } else { &[] };
        self.end = after.last().copied().unwrap_or(self.end);
        let part = TextSegment { after, reasons: RepairReason::Fix.into(), ..*segment };
        let is_last = segment.offset + segment.before.len() as u64 >= edit.end();
        match &mut self.pending {
            None if is_last => return next.push(&part),
            None => self.pending = Some(RemovedText::new(&part)),
            Some(pending) => pending.append(part.before),
        }
        if is_last { self.flush(next) } else { Ok(()) }
    }

    /// Passes on the change that waits for its last part.
    fn flush(&mut self, next: &mut dyn SegmentReceiver) -> io::Result<()> {
        self.pending.take().map_or(Ok(()), |pending| pending.emit_change(next))
    }

    /// Passes on text without an edit.
    fn keep(
        &mut self,
        segment: &TextSegment<'_>,
        next: &mut dyn SegmentReceiver,
    ) -> io::Result<()> {
        self.end = segment.after.last().copied().unwrap_or(self.end);
        next.push_part(segment)
    }
}

impl Stage for FixStage {
    fn input(&self) -> StageInput {
        StageInput::Ascii
    }

    fn push(
        &mut self,
        segment: &TextSegment<'_>,
        next: &mut dyn SegmentReceiver,
    ) -> io::Result<()> {
        let end = segment.offset + segment.before.len() as u64;
        self.reached = end;
        let edit = self.next_replacement(segment.offset);
        if edit.is_none_or(|edit| edit.offset >= segment.offset) {
            self.flush(next)?;
        }
        if !segment.is_run() {
            return match edit.filter(|edit| edit.offset < end && segment.reasons.is_empty()) {
                Some(edit) => self.replace(segment, &edit, next),
                None => {
                    self.end = segment.after.last().copied().unwrap_or(self.end);
                    next.push(segment)
                }
            };
        }
        let mut rest = *segment;
        while rest.offset < end
            && let Some(edit) = self.next_replacement(rest.offset).filter(|edit| edit.offset < end)
        {
            let (kept, tail) = rest.split(edit.offset.saturating_sub(rest.offset) as usize);
            self.keep(&kept, next)?;
            let (part, tail) = tail.split((edit.end().min(end) - tail.offset) as usize);
            self.replace(&part, &edit, next)?;
            rest = tail;
        }
        self.keep(&rest, next)
    }

    fn finish(&mut self, next: &mut dyn SegmentReceiver) -> io::Result<()> {
        self.flush(next)?;
        let edit = self.next_edit(self.reached).filter(|edit| edit.offset == self.reached);
        let Some(edit) = edit.filter(|_| self.end != b'\n') else { return Ok(()) };
        self.replace(&TextSegment::run(self.reached, &[]), &edit, next)
    }

    fn push_elided(
        &mut self,
        segment: &TextSegment<'_>,
        elided: u64,
        next: &mut dyn SegmentReceiver,
    ) -> io::Result<()> {
        self.flush(next)?;
        self.reached = segment.offset + segment.before.len() as u64 + elided;
        next.push_elided(segment, elided)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Receives text as one.
    #[derive(Default)]
    struct Text(Vec<u8>);

    impl SegmentReceiver for Text {
        fn push(&mut self, segment: &TextSegment<'_>) -> io::Result<()> {
            self.0.extend_from_slice(segment.after);
            Ok(())
        }

        fn push_elided(&mut self, segment: &TextSegment<'_>, _: u64) -> io::Result<()> {
            self.push(segment)
        }
    }

    #[test]
    fn text_after_an_insertion_is_kept() {
        for (inserted_at, runs, expected) in [
            (3, &["abc"][..], "abc\n"),
            (3, &["abcdef"], "abcdef"),
            (3, &["abc", "def"], "abcdef"),
            (1, &["abc", "def"], "abcdef"),
        ] {
            let mut stage = FixStage::new(LintFixes::with_line_end_at(inserted_at));
            let (mut text, mut offset) = (Text::default(), 0);
            for run in runs {
                stage.push(&TextSegment::run(offset, run.as_bytes()), &mut text).unwrap();
                offset += run.len() as u64;
            }
            stage.finish(&mut text).unwrap();
            assert_eq!(String::from_utf8(text.0).unwrap(), expected);
        }
    }
}
