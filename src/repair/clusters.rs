//! Where may text be cut that a reader takes for one character? Grapheme clusters (UAX #29).

use std::io;

use unicode_segmentation::GraphemeCursor;

use super::chain::TextStage;
use super::piece::{LIMIT, PendingSegment};
use super::{SegmentReceiver, TextSegment};

/// Where does the last cluster of a text end that has room in so many bytes? The text starts with
/// a whole one.
pub(super) fn floor(text: &str, most: usize) -> usize {
    let at = (0..=most).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    let mut cursor = GraphemeCursor::new(at, text.len(), true);
    match cursor.is_boundary(text, 0) {
        Ok(true) => at,
        _ => cursor.prev_boundary(text, 0).ok().flatten().unwrap_or(0),
    }
}

/// Where does the cluster start that may go on behind this text?
fn open(text: &str) -> usize {
    match text.ends_with('\n') {
        true => text.len(),
        false => floor(text, text.len().saturating_sub(1)),
    }
}

/// Gives text on in pieces that hold whole clusters. Pieces that one cluster is in become one, and
/// what is no UTF-8 is a cluster by itself.
#[derive(Debug, Default)]
pub(super) struct Clusters {
    /// The last cluster, which may go on.
    held: Option<PendingSegment>,
    /// Its text.
    text: String,
}

impl Clusters {
    /// Hold a piece until its last cluster has ended.
    fn hold(
        &mut self,
        piece: &TextSegment<'_>,
        text: &str,
        next: &mut dyn SegmentReceiver,
    ) -> io::Result<()> {
        if piece.before.len() >= LIMIT || open(text) == text.len() {
            return next.take(piece);
        }
        self.held = Some(PendingSegment::of(piece));
        self.text.push_str(text);
        Ok(())
    }

    /// Take a piece into the cluster that is held, if it belongs there. Whether it did.
    fn absorb(&mut self, piece: &TextSegment<'_>, text: &str) -> bool {
        let Some(held) = &mut self.held else { return false };
        let seam = self.text.len();
        self.text.push_str(text);
        let mut cursor = GraphemeCursor::new(seam, self.text.len(), true);
        let whole = held.before.len() >= LIMIT
            || !text.is_empty() && cursor.is_boundary(&self.text, 0) == Ok(true);
        match whole {
            true => self.text.truncate(seam),
            false => held.absorb(piece),
        }
        !whole
    }
}

impl TextStage for Clusters {
    fn run(
        &mut self,
        run: &TextSegment<'_>,
        text: &str,
        next: &mut dyn SegmentReceiver,
    ) -> io::Result<()> {
        let (mut run, mut text) = (*run, text);
        while let Some(c) = text.chars().next().filter(|_| self.held.is_some()) {
            let (front, rest) = run.split(c.len_utf8());
            if !self.absorb(&front, &text[..c.len_utf8()]) {
                self.settle(next)?;
                break;
            }
            (run, text) = (rest, &text[c.len_utf8()..]);
        }
        if text.is_empty() {
            return Ok(());
        }
        let at = open(text);
        let (whole, last) = run.split(at);
        next.take_some(&whole)?;
        if at == text.len() { Ok(()) } else { self.hold(&last, &text[at..], next) }
    }

    fn unit(&mut self, unit: &TextSegment<'_>, next: &mut dyn SegmentReceiver) -> io::Result<()> {
        let text = str::from_utf8(unit.after);
        if text.is_ok_and(|text| self.absorb(unit, text)) {
            return Ok(());
        }
        self.settle(next)?;
        match text {
            Ok(text) => self.hold(unit, text, next),
            Err(_) => next.take(unit),
        }
    }

    fn settle(&mut self, next: &mut dyn SegmentReceiver) -> io::Result<()> {
        self.text.clear();
        self.held.take().map_or(Ok(()), |held| next.take(&held.piece()))
    }
}
