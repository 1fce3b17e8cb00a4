//! Which of several spellings of the same characters is it? Normalization (UAX #15).

use std::io;

use unicode_normalization::char::{
    canonical_combining_class, compose, decompose_canonical, decompose_compatible,
};
use unicode_normalization::{
    IsNormalized, UnicodeNormalization, is_nfc_quick, is_nfd_quick, is_nfkc_quick, is_nfkd_quick,
};

use super::chain::TextStage;
use super::output::holds;
use super::piece::{LIMIT, PendingSegment};
use super::{RepairReason, RepairReasons, SegmentReceiver, TextSegment};
use crate::registry::Encoding;

/// A normalization form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NormalizationForm {
    /// Canonical composition.
    Nfc,
    /// Canonical decomposition.
    Nfd,
    /// Compatibility decomposition, then canonical composition.
    Nfkc,
    /// Compatibility decomposition.
    Nfkd,
}

/// How many non-starters may follow each other (UAX #15, section 13: Stream-Safe Text Format).
const MARKS: usize = 30;

/// What stands between more of them.
const JOINER: &str = "\u{34F}";

/// From how many bytes on a segment is cut wherever that changes nothing.
const LONG: usize = 256;

impl NormalizationForm {
    fn composes(self) -> bool {
        matches!(self, NormalizationForm::Nfc | NormalizationForm::Nfkc)
    }

    /// All below this is in this form, and nothing composes with what is before it.
    fn inert(self) -> char {
        match self {
            NormalizationForm::Nfc => '\u{300}',
            NormalizationForm::Nfd => '\u{C0}',
            NormalizationForm::Nfkc | NormalizationForm::Nfkd => '\u{A0}',
        }
    }

    fn decompose(self, c: char, emit: impl FnMut(char)) {
        match self {
            NormalizationForm::Nfc | NormalizationForm::Nfd => decompose_canonical(c, emit),
            NormalizationForm::Nfkc | NormalizationForm::Nfkd => decompose_compatible(c, emit),
        }
    }

    /// The first character of a decomposition.
    fn first(self, c: char) -> char {
        let mut first = None;
        self.decompose(c, |part| first = first.or(Some(part)));
        first.unwrap_or(c)
    }

    /// Whether nothing before this character can have to do with it.
    fn starts(self, c: char) -> bool {
        if c < self.inert() {
            return true;
        }
        let first = self.first(c);
        let alone = || is_nfc_quick(std::iter::once(first)) == IsNormalized::Yes;
        canonical_combining_class(first) == 0 && (!self.composes() || alone())
    }

    /// How many non-starters its decomposition ends in, and whether it has a starter.
    fn marks(self, c: char) -> (usize, bool) {
        let (mut marks, mut starter) = (0, c.is_ascii());
        if starter {
            return (marks, starter);
        }
        decompose_compatible(c, |part| match canonical_combining_class(part) {
            0 => (marks, starter) = (0, true),
            _ => marks += 1,
        });
        (marks, starter)
    }

    /// How much of a text that starts a segment is inert, but for its last character?
    fn skip(self, text: &str, from: usize) -> usize {
        let lead = self.inert().encode_utf8(&mut [0; 4]).as_bytes()[0];
        let inert = text.as_bytes()[from..].iter().position(|&byte| byte >= lead);
        let end = inert.map_or(text.len(), |len| from + len);
        text[from..end].char_indices().next_back().map_or(from, |(at, _)| from + at)
    }

    /// Whether a text is certainly in this form.
    fn has(self, text: &str) -> bool {
        let quick = match self {
            NormalizationForm::Nfc => is_nfc_quick(text.chars()),
            NormalizationForm::Nfd => is_nfd_quick(text.chars()),
            NormalizationForm::Nfkc => is_nfkc_quick(text.chars()),
            NormalizationForm::Nfkd => is_nfkd_quick(text.chars()),
        };
        quick == IsNormalized::Yes
    }

    /// A text in this form.
    fn of(self, text: &str) -> String {
        match self {
            NormalizationForm::Nfc => text.nfc().collect(),
            NormalizationForm::Nfd => text.nfd().collect(),
            NormalizationForm::Nfkc => text.nfkc().collect(),
            NormalizationForm::Nfkd => text.nfkd().collect(),
        }
    }
}

/// What stands between a segment and the next character.
enum SegmentBoundary {
    /// Nothing: it is part of the segment.
    None,
    /// A boundary.
    Here,
    /// A boundary, once something is put there.
    Joined,
}

/// Brings text into a form, segment by segment: a segment is a character that nothing before it
/// has to do with, and all that may combine with it.
#[derive(Debug)]
pub(super) struct Normalizer {
    form: NormalizationForm,
    /// What the text is written in. A segment whose form it lacks stays as it is.
    codec: &'static Encoding,
    /// The last segment, which may go on.
    held: Option<PendingSegment>,
    /// How many non-starters it ends in.
    marks: usize,
}

impl Normalizer {
    pub fn new(form: NormalizationForm, codec: &'static Encoding) -> Normalizer {
        Normalizer { form, codec, held: None, marks: 0 }
    }

    /// Count the non-starters of the next character. Whether there are too many for it to combine.
    fn count(&mut self, c: char) -> bool {
        let (marks, starter) = self.form.marks(c);
        let many = !starter && self.marks + marks > MARKS;
        self.marks = if starter || many { marks } else { self.marks + marks };
        many
    }

    /// The text of a unit whose first character is counted, with what keeps the others from
    /// combining with more than there may be; `None` if they do not.
    fn apart_within(&mut self, text: &str) -> Option<String> {
        let mut apart = String::new();
        let mut done = 0;
        for (at, c) in text.char_indices().skip(1) {
            if self.count(c) && holds(self.codec, JOINER) {
                apart.push_str(&text[done..at]);
                apart.push_str(JOINER);
                done = at;
            }
        }
        (done > 0).then(|| apart + &text[done..])
    }

    /// Take what is left out, which may be within a segment.
    fn nothing(
        &mut self,
        unit: &TextSegment<'_>,
        next: &mut dyn SegmentReceiver,
    ) -> io::Result<()> {
        match &mut self.held {
            Some(held) if held.before.len() < LIMIT => {
                held.absorb(unit);
                Ok(())
            }
            _ => {
                self.settle(next)?;
                next.take(unit)
            }
        }
    }

    /// What stands between a segment and this character behind it.
    fn cut(&mut self, segment: &str, c: char) -> SegmentBoundary {
        if self.form.starts(c) {
            self.marks = self.form.marks(c).0;
            return SegmentBoundary::Here;
        }
        if self.count(c) {
            return SegmentBoundary::Joined;
        }
        match segment.len() > LONG && self.apart(segment, c) {
            true => SegmentBoundary::Here,
            false => SegmentBoundary::None,
        }
    }

    /// Whether a segment ends in a starter that does not compose with this one.
    fn apart(&self, segment: &str, c: char) -> bool {
        let first = self.form.first(c);
        canonical_combining_class(first) == 0
            && self.form.of(segment).chars().next_back().is_some_and(|last| {
                canonical_combining_class(last) == 0 && compose(last, first).is_none()
            })
    }

    /// Give on a whole segment.
    fn give(&self, piece: &TextSegment<'_>, next: &mut dyn SegmentReceiver) -> io::Result<()> {
        match str::from_utf8(piece.after).map(|text| self.form.of(text)) {
            Ok(new) if new.as_bytes() != piece.after && holds(self.codec, &new) => {
                let reasons = piece.reasons.and(RepairReason::Normalize);
                next.take(&TextSegment { after: new.as_bytes(), reasons, ..*piece })
            }
            _ => next.take(piece),
        }
    }

    /// Keep the character from combining with more than there may be.
    fn join(&self, offset: u64, next: &mut dyn SegmentReceiver) -> io::Result<()> {
        if !holds(self.codec, JOINER) {
            return Ok(());
        }
        let reasons = RepairReasons::NONE.and(RepairReason::Normalize);
        next.take(&TextSegment { offset, before: &[], after: JOINER.as_bytes(), reasons })
    }

    /// Take what of a run still belongs to the segment that is held. Returns its length.
    fn go_on(
        &mut self,
        run: &TextSegment<'_>,
        text: &str,
        next: &mut dyn SegmentReceiver,
    ) -> io::Result<usize> {
        for (at, c) in text.char_indices() {
            let Some(mut held) = self.held.take() else { return Ok(at) };
            let cut = self.cut(str::from_utf8(&held.after).unwrap_or_default(), c);
            if let SegmentBoundary::None = cut {
                held.absorb(&run.split(at).1.split(c.len_utf8()).0);
                self.held = Some(held);
                continue;
            }
            self.give(&held.piece(), next)?;
            if let SegmentBoundary::Joined = cut {
                self.join(run.offset + at as u64, next)?;
            }
            return Ok(at);
        }
        Ok(text.len())
    }
}

impl TextStage for Normalizer {
    /// Take a run of UTF-8. What is in the form already passes in one.
    fn run(
        &mut self,
        run: &TextSegment<'_>,
        text: &str,
        next: &mut dyn SegmentReceiver,
    ) -> io::Result<()> {
        let part = |from: usize, to: usize| run.split(to).0.split(from).1;
        let mut clean = match self.held {
            Some(_) => self.go_on(run, text, next)?,
            None => 0,
        };
        let mut start = self.form.skip(text, clean);
        let from = start;
        for (at, c) in text[from..].char_indices().map(|(at, c)| (from + at, c)) {
            if at == from {
                self.marks = self.form.marks(c).0;
                continue;
            }
            let cut = self.cut(&text[start..at], c);
            if let SegmentBoundary::None = cut {
                continue;
            }
            if !self.form.has(&text[start..at]) {
                next.take_some(&part(clean, start))?;
                self.give(&part(start, at), next)?;
                clean = at;
            }
            if let SegmentBoundary::Joined = cut {
                next.take_some(&part(clean, at))?;
                self.join(run.offset + at as u64, next)?;
                clean = at;
            }
            start = at;
        }
        next.take_some(&part(clean, start))?;
        if start < text.len() {
            self.held = Some(PendingSegment::of(&part(start, text.len())));
        }
        Ok(())
    }

    fn unit(&mut self, unit: &TextSegment<'_>, next: &mut dyn SegmentReceiver) -> io::Result<()> {
        let Ok(text) = str::from_utf8(unit.after) else {
            self.settle(next)?;
            return next.take(unit);
        };
        let Some(first) = text.chars().next() else { return self.nothing(unit, next) };
        let held = self.held.take();
        let cut = match &held {
            Some(held) => self.cut(str::from_utf8(&held.after).unwrap_or_default(), first),
            None => {
                self.marks = self.form.marks(first).0;
                SegmentBoundary::Here
            }
        };
        let apart = self.apart_within(text);
        let unit = &apart.as_ref().map_or(*unit, |text| TextSegment {
            after: text.as_bytes(),
            reasons: unit.reasons.and(RepairReason::Normalize),
            ..*unit
        });
        self.held = Some(match (held, cut) {
            (Some(mut held), SegmentBoundary::None) => {
                held.absorb(unit);
                held
            }
            (held, cut) => {
                held.map_or(Ok(()), |held| self.give(&held.piece(), next))?;
                if let SegmentBoundary::Joined = cut {
                    self.join(unit.offset, next)?;
                }
                PendingSegment::of(unit)
            }
        });
        Ok(())
    }

    fn settle(&mut self, next: &mut dyn SegmentReceiver) -> io::Result<()> {
        match self.held.take() {
            Some(held) => self.give(&held.piece(), next),
            None => Ok(()),
        }
    }
}
