//! How much of a text has room in a field of fixed size?

use std::io;

use super::clusters::floor;
use super::output::spell;
use super::piece::{LIMIT, PendingSegment};
use super::{RepairReason, RepairReasons, SegmentReceiver, Stage, TextSegment};
use crate::codec::Codec;
use crate::codec::family::{Rfc2279, continues};
use crate::registry::Encoding;

/// What is cut, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TruncationLimit {
    /// How many bytes stay, at most.
    pub bytes: u64,
    /// Whether that is of each line, without its end, and not of the whole text.
    pub lines: bool,
    /// Whether nothing is cut within an extended grapheme cluster (UAX #29) of up to 64 KiB.
    pub graphemes: bool,
}

/// How far back a sequence may start whose next byte is another's.
const REACH: usize = 5;

/// What is left out.
#[derive(Debug)]
struct OmittedText {
    /// Its first bytes, behind what may be left of the piece that was cut.
    shown: PendingSegment,
    /// How many more there are.
    unseen: u64,
}

impl OmittedText {
    fn of(piece: &TextSegment<'_>) -> OmittedText {
        let mut cut = OmittedText {
            shown: PendingSegment::of(&TextSegment { before: &[], ..*piece }),
            unseen: 0,
        };
        cut.add(piece.before);
        cut
    }

    fn add(&mut self, bytes: &[u8]) {
        let shown = bytes.len().min(LIMIT.saturating_sub(self.shown.before.len()));
        self.shown.before.extend_from_slice(&bytes[..shown]);
        self.unseen += (bytes.len() - shown) as u64;
    }

    fn give(&self, next: &mut dyn SegmentReceiver) -> io::Result<()> {
        match self.shown.before.is_empty() && self.shown.after.is_empty() {
            true => Ok(()),
            false => next.cut(&self.shown.piece(), self.unseen),
        }
    }
}

/// Cuts what is too long, between two sequences.
#[derive(Debug)]
pub(super) struct Truncate {
    limit: TruncationLimit,
    codec: &'static Encoding,
    /// Whether what was not changed is written anew, too.
    anew: bool,
    /// How many bytes there were, of this line or in all.
    used: u64,
    /// What is left out of this line, or of the text, once it is full.
    cut: Option<OmittedText>,
}

impl Truncate {
    pub fn new(limit: TruncationLimit, codec: &'static Encoding, anew: bool) -> Truncate {
        Truncate { limit, codec, anew, used: 0, cut: None }
    }

    /// Let what has room pass, and leave out the rest. Of the text of the piece, only what is behind
    /// `from` needs room.
    fn clip(
        &mut self,
        piece: &TextSegment<'_>,
        from: usize,
        next: &mut dyn SegmentReceiver,
    ) -> io::Result<()> {
        if let Some(cut) = &mut self.cut {
            cut.add(piece.before);
            return Ok(());
        }
        let size = self.size(piece, from);
        let room = self.limit.bytes - self.used;
        if size <= room {
            self.used += size;
            return next.take(piece);
        }
        let at = from + self.boundary(&piece.after[from..], room);
        let reasons = RepairReasons::NONE.and(RepairReason::Truncate);
        if piece.is_run() {
            let (text, rest) = piece.split(at);
            self.cut = Some(OmittedText::of(&TextSegment { after: &[], reasons, ..rest }));
            return next.take_some(&text);
        }
        // Of what is left out altogether, nothing else matters any more.
        let reasons = if at == 0 { reasons } else { reasons.or(piece.reasons) };
        self.cut =
            Some(OmittedText::of(&TextSegment { after: &piece.after[..at], reasons, ..*piece }));
        Ok(())
    }

    /// How many bytes of the codec will a piece have, behind `from` in its text?
    fn size(&self, piece: &TextSegment<'_>, from: usize) -> u64 {
        let bytes = match piece.reasons.is_empty() && !self.anew && from == 0 {
            true => piece.before.len(),
            false if self.codec.utf8 => piece.after.len() - from,
            false => {
                let mut spelt = Vec::new();
                spell(self.codec, &piece.after[from..], &mut spelt);
                spelt.len()
            }
        };
        bytes as u64
    }

    /// How much of a text that is too long has so much room?
    fn boundary(&self, text: &[u8], room: u64) -> usize {
        if !self.codec.utf8 {
            return self.spelt(text, room);
        }
        let most = usize::try_from(room).unwrap_or(usize::MAX).min(text.len());
        match str::from_utf8(text) {
            Ok(text) if self.limit.graphemes => floor(text, most),
            _ => self.sequences(text, most),
        }
    }

    /// How much of a text has so much room, once it is spelt in the codec?
    fn spelt(&self, text: &[u8], room: u64) -> usize {
        let whole = |at: usize| match str::from_utf8(text) {
            Ok(text) if self.limit.graphemes => floor(text, at) == at,
            _ => true,
        };
        let (mut at, mut spelt, mut fits) = (0, Vec::new(), 0);
        while at < text.len() {
            let end = at + Rfc2279::step(&mut Rfc2279::start(1), &text[at..], true).size();
            spell(self.codec, &text[at..end], &mut spelt);
            if spelt.len() as u64 > room {
                break;
            }
            at = end;
            fits = if whole(at) { at } else { fits };
        }
        fits
    }

    /// How long are the sequences that have room in `most` bytes?
    fn sequences(&self, text: &[u8], most: usize) -> usize {
        let starts = |at: &usize| text.get(*at).is_none_or(|&byte| !continues(byte));
        // Where no sequence can be seen to start, one ends, or bytes stand for themselves.
        let near = (most.saturating_sub(REACH)..=most).rev().find(starts);
        let mut at = near.unwrap_or(most);
        while at < most {
            let end = at + (self.codec.step)(&text[at..]).size();
            if end > most {
                break;
            }
            at = end;
        }
        at
    }

    /// The line has ended: say what was left out of it.
    fn settle(&mut self, next: &mut dyn SegmentReceiver) -> io::Result<()> {
        self.used = 0;
        self.cut.take().map_or(Ok(()), |cut| cut.give(next))
    }

    /// Clip each line of a run.
    fn lines(&mut self, run: &TextSegment<'_>, next: &mut dyn SegmentReceiver) -> io::Result<()> {
        let mut rest = *run;
        while let Some(at) = memchr::memchr2(b'\r', b'\n', rest.after) {
            let (line, tail) = rest.split(at);
            self.clip(&line, 0, next)?;
            self.settle(next)?;
            let (end, tail) = tail.split(1);
            next.take(&end)?;
            rest = tail;
        }
        self.clip(&rest, 0, next)
    }
}

impl Stage for Truncate {
    fn take(&mut self, piece: &TextSegment<'_>, next: &mut dyn SegmentReceiver) -> io::Result<()> {
        if !self.limit.lines {
            return self.clip(piece, 0, next);
        }
        if piece.is_run() {
            return self.lines(piece, next);
        }
        let end = memchr::memrchr2(b'\r', b'\n', piece.after);
        if end.is_some() {
            self.settle(next)?;
        }
        self.clip(piece, end.map_or(0, |at| at + 1), next)
    }

    fn end(&mut self, next: &mut dyn SegmentReceiver) -> io::Result<()> {
        self.settle(next)
    }

    fn is_full(&self) -> bool {
        self.cut.is_some() && !self.limit.lines
    }
}
