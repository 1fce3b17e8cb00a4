//! What was encoded more than once, and where in the source is it?
//!
//! The reverser is given text, and says what is to stand there. This stage remembers which bytes
//! of the source each part of that text is, until the part is decided.

use std::collections::VecDeque;
use std::io;

use super::note::{SkipReason, SkippedRepair};
use super::piece::LIMIT;
use super::{RepairReason, RepairReasons, SegmentReceiver, Stage, TextSegment};
use crate::mojibake::{self, MojibakeUndoer, MojibakeVerdict};
use crate::registry::Encoding;

/// What of the text that was encoded more than once is undone.
#[derive(Clone, Copy, Debug, Default)]
pub struct MojibakeOptions {
    page: Option<&'static Encoding>,
}

impl MojibakeOptions {
    /// What certainly was read in one of the likely code pages.
    pub fn likely() -> MojibakeOptions {
        MojibakeOptions::default()
    }

    /// What can have been read in this code page. `None` if it is no single-byte page whose lower
    /// half is ASCII.
    pub fn named(page: &'static Encoding) -> Option<MojibakeOptions> {
        MojibakeUndoer::takes(page).then_some(MojibakeOptions { page: Some(page) })
    }

    fn undo(self) -> MojibakeUndoer {
        self.page.and_then(MojibakeUndoer::named).unwrap_or_else(MojibakeUndoer::likely)
    }
}

/// How many bytes of text are gathered from single characters, before they are looked at.
const BATCH: usize = 4 << 10;

/// How long a run may be, in bytes, that is gathered: a character, as codecs give them.
const SHORT: usize = 8;

/// How many bytes of the source are kept of characters that are not decided.
const MOST: usize = 16 * LIMIT;

/// Undoes what was encoded more than once.
pub(super) struct MojibakeStage {
    undo: MojibakeUndoer,
    sources: SourceMap,
    /// Characters that the reverser has not been given yet.
    gathered: Vec<u8>,
}

impl MojibakeStage {
    /// A stage for text of this codec. `notes` says whether to tell what was left.
    pub fn new(undoing: MojibakeOptions, codec: &'static Encoding, notes: bool) -> MojibakeStage {
        let (queue, bytes) = Default::default();
        let sources = SourceMap { codec, notes, long: false, queue, bytes, done: 0 };
        MojibakeStage { undo: undoing.undo(), sources, gathered: Vec::new() }
    }

    /// Give the reverser more text, and pass on what it has decided.
    fn feed(&mut self, text: &[u8], next: &mut dyn SegmentReceiver) -> io::Result<()> {
        let sources = &mut self.sources;
        self.undo.feed(text, &mut |found| sources.give(&found, next))?;
        sources.forget();
        Ok(())
    }

    /// Have more text ready for the reverser.
    fn gather(&mut self, text: &[u8], next: &mut dyn SegmentReceiver) -> io::Result<()> {
        self.gathered.extend_from_slice(text);
        if self.sources.bytes.len() > MOST {
            return self.end(next);
        }
        match text.ends_with(b"\n") || self.gathered.len() >= BATCH {
            true => self.feed_gathered(next),
            false => Ok(()),
        }
    }

    /// Give it the characters that were gathered, and this text behind them.
    fn feed_behind(&mut self, text: &[u8], next: &mut dyn SegmentReceiver) -> io::Result<()> {
        self.feed_gathered(next)?;
        self.feed(text, next)
    }

    /// Give it the characters that were gathered.
    fn feed_gathered(&mut self, next: &mut dyn SegmentReceiver) -> io::Result<()> {
        let mut gathered = std::mem::take(&mut self.gathered);
        let fed = self.feed(&gathered, next);
        gathered.clear();
        self.gathered = gathered;
        fed
    }
}

impl Stage for MojibakeStage {
    fn take(&mut self, piece: &TextSegment<'_>, next: &mut dyn SegmentReceiver) -> io::Result<()> {
        if piece.is_run() {
            self.sources.add_run(piece);
            return match piece.after.len() {
                ..=SHORT => self.gather(piece.after, next),
                _ => self.feed_behind(piece.after, next),
            };
        }
        if piece.after.is_empty() && self.sources.queue.is_empty() {
            return next.take(piece);
        }
        if !is_text(piece) {
            self.end(next)?;
            return next.take(piece);
        }
        self.sources.add(piece);
        self.gather(piece.after, next)
    }

    fn end(&mut self, next: &mut dyn SegmentReceiver) -> io::Result<()> {
        self.feed_gathered(next)?;
        let sources = &mut self.sources;
        self.undo.finish(&mut |found| sources.give(&found, next))?;
        sources.give_empty(next)?;
        sources.forget();
        sources.long = false;
        Ok(())
    }
}

/// Whether a piece that is no run may be part of what is undone: it is one scalar value, or only
/// says how those behind it are to be read. What a policy has written is not what was there.
fn is_text(piece: &TextSegment<'_>) -> bool {
    let scalar = str::from_utf8(piece.after).is_ok_and(|text| text.chars().nth(1).is_none());
    scalar && !piece.reasons.has(RepairReason::OnError)
}

/// Where a part of the text comes from.
struct SourceSpan {
    offset: u64,
    /// How many bytes of text it is.
    text: usize,
    /// How many bytes of the source it is: none of a run, which is its own source.
    source: usize,
    reasons: RepairReasons,
    run: bool,
}

/// Where the text comes from that is not decided.
struct SourceMap {
    codec: &'static Encoding,
    notes: bool,
    /// Whether what was given on last was too long to be judged.
    long: bool,
    queue: VecDeque<SourceSpan>,
    /// The bytes in the source of those that are no runs.
    bytes: Vec<u8>,
    /// How many of them are decided.
    done: usize,
}

impl SourceMap {
    fn add_run(&mut self, run: &TextSegment<'_>) {
        let (offset, text) = (run.offset, run.after.len());
        match self.queue.back_mut() {
            Some(last) if last.run && last.offset + last.text as u64 == offset => last.text += text,
            _ => {
                let reasons = RepairReasons::NONE;
                self.queue.push_back(SourceSpan { offset, text, source: 0, reasons, run: true });
            }
        }
    }

    fn add(&mut self, piece: &TextSegment<'_>) {
        let TextSegment { offset, before, after, reasons } = *piece;
        self.bytes.extend_from_slice(before);
        let (text, source) = (after.len(), before.len());
        self.queue.push_back(SourceSpan { offset, text, source, reasons, run: false });
    }

    /// Give on the next part of the text, as the reverser has decided.
    fn give(
        &mut self,
        found: &mojibake::MojibakePart<'_>,
        next: &mut dyn SegmentReceiver,
    ) -> io::Result<()> {
        self.give_empty(next)?;
        // What is too long comes in parts, and is told once.
        let long = matches!(found.verdict, MojibakeVerdict::TooLong);
        let told = std::mem::replace(&mut self.long, long) && long;
        match found.verdict {
            MojibakeVerdict::Undone(_) if self.holds(found.after) => {
                return self.give_undone(found, next);
            }
            MojibakeVerdict::Sound => {}
            _ if told || !self.notes => {}
            _ => self.note(found, next)?,
        }
        self.give_same(found.before, next)
    }

    /// Tell that something was left.
    fn note(
        &self,
        found: &mojibake::MojibakePart<'_>,
        next: &mut dyn SegmentReceiver,
    ) -> io::Result<()> {
        let left = match found.verdict {
            MojibakeVerdict::TooLong => SkipReason::TooLong,
            MojibakeVerdict::Meant(_) => SkipReason::Meant,
            MojibakeVerdict::Ambiguous(_) => SkipReason::Ambiguous,
            MojibakeVerdict::Undone(_) | MojibakeVerdict::Sound => SkipReason::Lacking,
        };
        let offset = self.queue.front().map_or(0, |origin| origin.offset);
        next.note(&SkippedRepair::of(offset, found, left))
    }

    /// Give on what is no text of its own, in front of what is.
    fn give_empty(&mut self, next: &mut dyn SegmentReceiver) -> io::Result<()> {
        while self.queue.front().is_some_and(|origin| origin.text == 0)
            && let Some(origin) = self.queue.pop_front()
        {
            self.give_one(&origin, &[], next)?;
        }
        Ok(())
    }

    /// Give on this much text as it was.
    fn give_same(&mut self, mut text: &[u8], next: &mut dyn SegmentReceiver) -> io::Result<()> {
        while !text.is_empty()
            && let Some(origin) = self.pop(text.len())
        {
            let (part, rest) = text.split_at(origin.text);
            match origin.run {
                true => next.take(&TextSegment::run(origin.offset, part))?,
                false => self.give_one(&origin, part, next)?,
            }
            text = rest;
        }
        Ok(())
    }

    /// Give on what is no run.
    fn give_one(
        &mut self,
        origin: &SourceSpan,
        after: &[u8],
        next: &mut dyn SegmentReceiver,
    ) -> io::Result<()> {
        let before = &self.bytes[self.done..][..origin.source];
        self.done += origin.source;
        next.take(&TextSegment { offset: origin.offset, before, after, reasons: origin.reasons })
    }

    /// Give on what was undone.
    fn give_undone(
        &mut self,
        found: &mojibake::MojibakePart<'_>,
        next: &mut dyn SegmentReceiver,
    ) -> io::Result<()> {
        let (after, mut rest) = (found.after, found.before);
        let Some(first) = self.pop(rest.len()) else { return Ok(()) };
        let (offset, mut reasons) = (first.offset, first.reasons.and(RepairReason::UndoMojibake));
        if first.run && first.text == rest.len() {
            return next.take(&TextSegment { offset, before: rest, after, reasons });
        }
        let mut before = Vec::new();
        let mut origin = Some(first);
        while let Some(part) = origin {
            reasons = reasons.or(part.reasons);
            let (text, behind) = rest.split_at(part.text);
            let source = if part.run { text } else { &self.bytes[self.done..][..part.source] };
            before.extend_from_slice(source);
            self.done += part.source;
            rest = behind;
            origin = if rest.is_empty() { None } else { self.pop(rest.len()) };
        }
        next.take(&TextSegment { offset, before: &before, after, reasons })
    }

    /// Where the next text comes from, or at most so many bytes of it, if that is a run.
    fn pop(&mut self, most: usize) -> Option<SourceSpan> {
        let front = self.queue.front_mut()?;
        if !front.run || front.text <= most {
            return self.queue.pop_front();
        }
        let part = SourceSpan { text: most, ..*front };
        front.offset += most as u64;
        front.text -= most;
        Some(part)
    }

    /// Whether the codec has all these characters.
    fn holds(&self, text: &[u8]) -> bool {
        let has = |value: char| self.codec.holds(value.into());
        self.codec.properties.scalars
            || str::from_utf8(text).is_ok_and(|text| text.chars().all(has))
    }

    /// Keep no source of what is decided.
    fn forget(&mut self) {
        self.bytes.drain(..self.done);
        self.done = 0;
    }
}
