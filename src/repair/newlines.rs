//! Which bytes end a line, and which shall?

use std::io;

use super::piece::{LIMIT, PendingSegment};
use super::{RepairReason, SegmentReceiver, Stage, TextSegment};

/// How lines shall end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Newlines {
    /// As LF; so do those that end as CR LF or as CR.
    Lf,
    /// As CR LF; so do those that end as LF or as CR.
    CrLf,
}

impl Newlines {
    fn as_bytes(self) -> &'static [u8] {
        match self {
            Newlines::Lf => b"\n",
            Newlines::CrLf => b"\r\n",
        }
    }

    /// Where is the next end of a line that may have to change?
    fn find(self, text: &[u8]) -> Option<usize> {
        match self {
            Newlines::Lf => memchr::memchr(b'\r', text),
            Newlines::CrLf => memchr::memchr2(b'\r', b'\n', text),
        }
    }

    /// A text with its lines ended so.
    fn rewrite(self, text: &[u8]) -> Vec<u8> {
        let mut new = Vec::with_capacity(text.len() + 1);
        let mut rest = text;
        while let Some(at) = memchr::memchr2(b'\r', b'\n', rest) {
            new.extend_from_slice(&rest[..at]);
            new.extend_from_slice(self.as_bytes());
            rest = &rest[at + end_of_line(&rest[at..])..];
        }
        new.extend_from_slice(rest);
        new
    }
}

/// How long is the end of a line at the front?
fn end_of_line(text: &[u8]) -> usize {
    if text.starts_with(b"\r\n") { 2 } else { 1 }
}

/// Ends all lines alike.
#[derive(Debug)]
pub(super) struct LineEndStage {
    newlines: Newlines,
    /// What ends in CR, until it is known what follows.
    held: Option<PendingSegment>,
}

impl LineEndStage {
    pub fn new(newlines: Newlines) -> LineEndStage {
        LineEndStage { newlines, held: None }
    }

    /// Give on a piece that holds whole ends of lines.
    fn give(&self, piece: &TextSegment<'_>, next: &mut dyn SegmentReceiver) -> io::Result<()> {
        let new = self.newlines.rewrite(piece.after);
        if new == piece.after {
            return next.take(piece);
        }
        next.take(&TextSegment {
            after: &new,
            reasons: piece.reasons.and(RepairReason::Newlines),
            ..*piece
        })
    }

    /// Give on what is held, unless it goes on with this piece. Returns the rest of that.
    fn settle<'a>(
        &mut self,
        piece: &TextSegment<'a>,
        next: &mut dyn SegmentReceiver,
    ) -> io::Result<Option<TextSegment<'a>>> {
        let Some(mut held) = self.held.take() else { return Ok(Some(*piece)) };
        let (own, rest) = match piece.after.first() {
            None if held.before.len() < LIMIT => (Some(*piece), None),
            Some(b'\n') if piece.is_run() => {
                let (end, rest) = piece.split(1);
                (Some(end), Some(rest))
            }
            Some(b'\n') => (Some(*piece), None),
            _ => (None, Some(*piece)),
        };
        if let Some(own) = own {
            held.absorb(&own);
        }
        match held.after.ends_with(b"\r") && rest.is_none() {
            true => self.held = Some(held),
            false => self.give(&held.piece(), next)?,
        }
        Ok(rest)
    }

    fn run(&mut self, mut run: TextSegment<'_>, next: &mut dyn SegmentReceiver) -> io::Result<()> {
        let mut from = 0;
        while let Some(at) = self.newlines.find(&run.after[from..]) {
            let (start, end) = (from + at, from + at + end_of_line(&run.after[from + at..]));
            if run.after[start..end] == *self.newlines.as_bytes() {
                from = end;
                continue;
            }
            let (text, rest) = run.split(start);
            next.take_some(&text)?;
            if rest.after == b"\r" {
                self.held = Some(PendingSegment::of(&rest));
                return Ok(());
            }
            let (line_end, rest) = rest.split(end - start);
            self.give(&line_end, next)?;
            (run, from) = (rest, 0);
        }
        next.take_some(&run)
    }
}

impl Stage for LineEndStage {
    fn take(&mut self, piece: &TextSegment<'_>, next: &mut dyn SegmentReceiver) -> io::Result<()> {
        match self.settle(piece, next)? {
            Some(run) if run.is_run() => self.run(run, next),
            Some(unit) if unit.after.ends_with(b"\r") => {
                self.held = Some(PendingSegment::of(&unit));
                Ok(())
            }
            Some(unit) => self.give(&unit, next),
            None => Ok(()),
        }
    }

    fn end(&mut self, next: &mut dyn SegmentReceiver) -> io::Result<()> {
        match self.held.take() {
            Some(held) => self.give(&held.piece(), next),
            None => Ok(()),
        }
    }
}
