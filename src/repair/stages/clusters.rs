//! Extended grapheme clusters (UAX #29), kept whole for truncation.

use std::io;

use unicode_segmentation::GraphemeCursor;

use crate::repair::segment::{MAX_PENDING, PendingSegment, TextSegment};
use crate::repair::stage::{SegmentReceiver, TextStage};

/// Returns the last cluster boundary at or before `most` bytes. `text` starts at a boundary.
pub(super) fn floor_cluster_boundary(text: &str, most: usize) -> usize {
    let at = (0..=most).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    let mut cursor = GraphemeCursor::new(at, text.len(), true);
    match cursor.is_boundary(text, 0) {
        Ok(true) => at,
        _ => cursor.prev_boundary(text, 0).ok().flatten().unwrap_or(0),
    }
}

/// Returns the start of the last cluster, which later text may extend; the length if none can be.
fn open_cluster_start(text: &str) -> usize {
    match text.ends_with('\n') {
        true => text.len(),
        false => floor_cluster_boundary(text, text.len().saturating_sub(1)),
    }
}

/// Passes text on in segments of whole clusters: segments that share a cluster are joined. A
/// sequence that is not UTF-8 is a cluster.
#[derive(Debug, Default)]
pub(super) struct Clusters {
    /// The last cluster, which later text may extend.
    pending: Option<PendingSegment>,
    /// The text of `pending`.
    text: String,
}

impl Clusters {
    /// Keeps a segment until its last cluster has ended.
    fn keep(
        &mut self,
        segment: &TextSegment<'_>,
        text: &str,
        next: &mut dyn SegmentReceiver,
    ) -> io::Result<()> {
        if segment.before.len() >= MAX_PENDING || open_cluster_start(text) == text.len() {
            return next.push(segment);
        }
        self.pending = Some(PendingSegment::new(segment));
        self.text.push_str(text);
        Ok(())
    }

    /// Appends a segment to the pending cluster if it belongs to it. Returns `true` if it does.
    fn extend_pending(&mut self, segment: &TextSegment<'_>, text: &str) -> bool {
        let Some(pending) = &mut self.pending else { return false };
        let seam = self.text.len();
        self.text.push_str(text);
        let mut cursor = GraphemeCursor::new(seam, self.text.len(), true);
        let complete = pending.before.len() >= MAX_PENDING
            || !text.is_empty() && cursor.is_boundary(&self.text, 0) == Ok(true);
        match complete {
            true => self.text.truncate(seam),
            false => pending.append(segment),
        }
        !complete
    }
}

impl TextStage for Clusters {
    fn push_run(
        &mut self,
        run: &TextSegment<'_>,
        text: &str,
        next: &mut dyn SegmentReceiver,
    ) -> io::Result<()> {
        let (mut run, mut text) = (*run, text);
        while let Some(c) = text.chars().next().filter(|_| self.pending.is_some()) {
            let (front, rest) = run.split(c.len_utf8());
            if !self.extend_pending(&front, &text[..c.len_utf8()]) {
                self.flush(next)?;
                break;
            }
            (run, text) = (rest, &text[c.len_utf8()..]);
        }
        if text.is_empty() {
            return Ok(());
        }
        let at = open_cluster_start(text);
        let (complete, last) = run.split(at);
        next.push_part(&complete)?;
        if at == text.len() { Ok(()) } else { self.keep(&last, &text[at..], next) }
    }

    fn push_unit(
        &mut self,
        unit: &TextSegment<'_>,
        next: &mut dyn SegmentReceiver,
    ) -> io::Result<()> {
        let text = str::from_utf8(unit.after);
        if text.is_ok_and(|text| self.extend_pending(unit, text)) {
            return Ok(());
        }
        self.flush(next)?;
        match text {
            Ok(text) => self.keep(unit, text, next),
            Err(_) => next.push(unit),
        }
    }

    fn flush(&mut self, next: &mut dyn SegmentReceiver) -> io::Result<()> {
        self.text.clear();
        self.pending.take().map_or(Ok(()), |pending| next.push(&pending.as_segment()))
    }
}
