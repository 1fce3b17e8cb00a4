//! Normalization (UAX #15).

use std::io;

use unicode_normalization::char::{
    canonical_combining_class, compose, decompose_canonical, decompose_compatible,
};
use unicode_normalization::{
    IsNormalized, UnicodeNormalization, is_nfc_quick, is_nfd_quick, is_nfkc_quick, is_nfkd_quick,
};

use crate::registry::Encoding;
use crate::repair::encode::can_encode;
use crate::repair::segment::{MAX_PENDING, PendingSegment, TextSegment};
use crate::repair::stage::{SegmentReceiver, Stage, TextStage};
use crate::repair::{RepairPlan, RepairReason, RepairReasons};
use crate::text::normalization::{ACTIVE, counts_as_mark, is_stable};

/// A normalization form.
///
/// ```
/// use utf8::{Encoding, NormalizationForm, Policy, RepairPlan, repair};
///
/// let mut plan = RepairPlan::new(Policy::Strict);
/// for (form, expected) in [
///     (NormalizationForm::Nfc, "ﬁanc\u{E9}"),
///     (NormalizationForm::Nfd, "ﬁance\u{301}"),
///     (NormalizationForm::Nfkc, "fianc\u{E9}"),
///     (NormalizationForm::Nfkd, "fiance\u{301}"),
/// ] {
///     plan.normalization = Some(form);
///     assert_eq!(repair(Encoding::UTF_8, "ﬁanc\u{E9}".as_bytes(), &plan)?.0, expected.as_bytes());
/// }
/// # Ok::<(), utf8::RepairError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
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

/// The largest number of consecutive non-starters (UAX #15, section 13: Stream-Safe Text Format).
const MAX_NON_STARTERS: usize = 30;

/// COMBINING GRAPHEME JOINER, inserted before a non-starter that exceeds the limit.
const JOINER: &str = "\u{34F}";

/// Length in bytes from which a segment is split wherever that does not change the result.
const LONG: usize = 256;

impl NormalizationForm {
    /// Returns the name of the form in UAX #15.
    #[cfg(feature = "cli")]
    pub(crate) fn name(self) -> &'static str {
        match self {
            NormalizationForm::Nfc => "NFC",
            NormalizationForm::Nfd => "NFD",
            NormalizationForm::Nfkc => "NFKC",
            NormalizationForm::Nfkd => "NFKD",
        }
    }

    fn composes(self) -> bool {
        matches!(self, NormalizationForm::Nfc | NormalizationForm::Nfkc)
    }

    /// Returns the first character that may change. All characters below it are in this form and
    /// compose with nothing before them.
    fn first_active(self) -> char {
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

    /// Returns the first character of the decomposition.
    fn first_decomposed(self, c: char) -> char {
        let mut first = None;
        self.decompose(c, |part| first = first.or(Some(part)));
        first.unwrap_or(c)
    }

    /// Returns `true` if no character before this one can combine with it or reorder around it, and
    /// it ends the non-starters before it.
    fn starts_segment(self, c: char) -> bool {
        if c < self.first_active() {
            return true;
        }
        let first = self.first_decomposed(c);
        match self.composes() {
            true => is_stable(first),
            false => canonical_combining_class(first) == 0 && !counts_as_mark(c),
        }
    }

    /// Returns the number of non-starters at the end of the compatibility decomposition, and
    /// whether it contains a starter.
    fn trailing_non_starters(self, c: char) -> (usize, bool) {
        let (mut count, mut has_starter) = (0, c.is_ascii());
        if has_starter {
            return (count, has_starter);
        }
        decompose_compatible(c, |part| match canonical_combining_class(part) {
            0 => (count, has_starter) = (0, true),
            _ => count += 1,
        });
        (count, has_starter)
    }

    /// Returns the offset of the last character of the inactive characters from `from` on, which
    /// may combine with the next one; `from` if there are none.
    fn skip_inactive(self, text: &str, from: usize) -> usize {
        let rest = &text[from..];
        let len = match self {
            NormalizationForm::Nfc => ACTIVE.normalized_len(rest),
            NormalizationForm::Nfd | NormalizationForm::Nfkc | NormalizationForm::Nfkd => {
                let lead = self.first_active().encode_utf8(&mut [0; 4]).as_bytes()[0];
                rest.bytes().position(|byte| byte >= lead).unwrap_or(rest.len())
            }
        };
        let end = from + len;
        text[from..end].char_indices().next_back().map_or(from, |(at, _)| from + at)
    }

    /// Returns `true` if the quick check says that the text is in this form.
    fn is_normalized(self, text: &str) -> bool {
        let quick = match self {
            NormalizationForm::Nfc => is_nfc_quick(text.chars()),
            NormalizationForm::Nfd => is_nfd_quick(text.chars()),
            NormalizationForm::Nfkc => is_nfkc_quick(text.chars()),
            NormalizationForm::Nfkd => is_nfkd_quick(text.chars()),
        };
        quick == IsNormalized::Yes
    }

    /// Returns the text in this form.
    fn normalize(self, text: &str) -> String {
        match self {
            NormalizationForm::Nfc => text.nfc().collect(),
            NormalizationForm::Nfd => text.nfd().collect(),
            NormalizationForm::Nfkc => text.nfkc().collect(),
            NormalizationForm::Nfkd => text.nfkd().collect(),
        }
    }
}

/// The relation of a character to the segment before it.
enum SegmentBoundary {
    /// The character belongs to the segment.
    None,
    /// The character starts a segment.
    Plain,
    /// The character starts a segment once [`JOINER`] is inserted.
    Joiner,
}

/// Appends the stage if the plan asks for a form.
pub(super) fn add(plan: &RepairPlan, codec: &'static Encoding, stages: &mut Vec<Box<dyn Stage>>) {
    if let Some(form) = plan.normalization {
        stages.push(Box::new(Normalizer { form, codec, pending: None, non_starters: 0 }));
    }
}

/// Normalizes text segment by segment. A segment is a character that combines with none before it,
/// and all later characters that may combine with it.
#[derive(Debug)]
struct Normalizer {
    form: NormalizationForm,
    /// The codec of the text. A segment whose normalized text it lacks is kept.
    codec: &'static Encoding,
    /// The last segment, which later text may extend.
    pending: Option<PendingSegment>,
    /// Number of non-starters at the end of the text so far.
    non_starters: usize,
}

impl Normalizer {
    /// Counts the non-starters of the next character. Returns `true` if it exceeds the limit.
    fn count(&mut self, c: char) -> bool {
        let (count, has_starter) = self.form.trailing_non_starters(c);
        let exceeds = !has_starter && self.non_starters + count > MAX_NON_STARTERS;
        self.non_starters = if has_starter || exceeds { count } else { self.non_starters + count };
        exceeds
    }

    /// Returns the text of a unit with joiners inserted where it exceeds the limit of non-starters;
    /// `None` if it does not. The first character is counted already.
    fn insert_joiners(&mut self, text: &str) -> Option<String> {
        let mut joined = String::new();
        let mut done = 0;
        for (at, c) in text.char_indices().skip(1) {
            if self.count(c) && can_encode(self.codec, JOINER) {
                joined.push_str(&text[done..at]);
                joined.push_str(JOINER);
                done = at;
            }
        }
        (done > 0).then(|| joined + &text[done..])
    }

    /// Receives a removal, which may lie within a segment.
    fn push_removal(
        &mut self,
        unit: &TextSegment<'_>,
        next: &mut dyn SegmentReceiver,
    ) -> io::Result<()> {
        match &mut self.pending {
            Some(pending) if pending.before.len() < MAX_PENDING => {
                pending.append(unit);
                Ok(())
            }
            _ => {
                self.flush(next)?;
                next.push(unit)
            }
        }
    }

    /// Returns the boundary between a segment and the character after it.
    fn boundary(&mut self, segment: &str, c: char) -> SegmentBoundary {
        if self.form.starts_segment(c) {
            self.non_starters = self.form.trailing_non_starters(c).0;
            return SegmentBoundary::Plain;
        }
        if self.count(c) {
            return SegmentBoundary::Joiner;
        }
        match segment.len() > LONG && self.splits_long(segment, c) {
            true => SegmentBoundary::Plain,
            false => SegmentBoundary::None,
        }
    }

    /// Returns `true` if the next character is a starter that composes with nothing in the segment:
    /// a non-starter at its end blocks the character (D115), or a starter does not compose with it.
    fn splits_long(&self, segment: &str, c: char) -> bool {
        let first = self.form.first_decomposed(c);
        canonical_combining_class(first) == 0
            && self.form.normalize(segment).chars().next_back().is_some_and(|last| {
                canonical_combining_class(last) != 0 || compose(last, first).is_none()
            })
    }

    /// Normalizes a whole segment and passes it on.
    fn emit(&self, segment: &TextSegment<'_>, next: &mut dyn SegmentReceiver) -> io::Result<()> {
        match str::from_utf8(segment.after).map(|text| self.form.normalize(text)) {
            Ok(text) if text.as_bytes() != segment.after => match can_encode(self.codec, &text) {
                true => {
                    let reasons = segment.reasons.and(RepairReason::Normalize);
                    next.push(&TextSegment { after: text.as_bytes(), reasons, ..*segment })
                }
                false => {
                    next.note_unnormalized(segment.offset);
                    next.push(segment)
                }
            },
            _ => next.push(segment),
        }
    }

    /// Inserts a joiner, if the codec has it.
    fn emit_joiner(&self, offset: u64, next: &mut dyn SegmentReceiver) -> io::Result<()> {
        if !can_encode(self.codec, JOINER) {
            return Ok(());
        }
        let reasons = RepairReasons::from(RepairReason::Normalize);
        next.push(&TextSegment { offset, before: &[], after: JOINER.as_bytes(), reasons })
    }

    /// Appends the start of a run to the pending segment, as far as it belongs to it. Returns its
    /// length.
    fn extend_pending(
        &mut self,
        run: &TextSegment<'_>,
        text: &str,
        next: &mut dyn SegmentReceiver,
    ) -> io::Result<usize> {
        for (at, c) in text.char_indices() {
            let Some(mut pending) = self.pending.take() else { return Ok(at) };
            let boundary = self.boundary(str::from_utf8(&pending.after).unwrap_or_default(), c);
            if let SegmentBoundary::None = boundary {
                pending.append(&run.split(at).1.split(c.len_utf8()).0);
                self.pending = Some(pending);
                continue;
            }
            self.emit(&pending.as_segment(), next)?;
            if let SegmentBoundary::Joiner = boundary {
                self.emit_joiner(run.offset + at as u64, next)?;
            }
            return Ok(at);
        }
        Ok(text.len())
    }
}

impl TextStage for Normalizer {
    /// Receives a run. Stretches that are normalized already pass unsplit.
    fn push_run(
        &mut self,
        run: &TextSegment<'_>,
        text: &str,
        next: &mut dyn SegmentReceiver,
    ) -> io::Result<()> {
        let part = |from: usize, to: usize| run.split(to).0.split(from).1;
        let mut done = match self.pending {
            Some(_) => self.extend_pending(run, text, next)?,
            None => 0,
        };
        let mut start = self.form.skip_inactive(text, done);
        let mut at = start;
        while let Some(c) = text[at..].chars().next() {
            if at == start {
                self.non_starters = self.form.trailing_non_starters(c).0;
                at += c.len_utf8();
                continue;
            }
            let boundary = self.boundary(&text[start..at], c);
            if let SegmentBoundary::None = boundary {
                at += c.len_utf8();
                continue;
            }
            if !self.form.is_normalized(&text[start..at]) {
                next.push_part(&part(done, start))?;
                self.emit(&part(start, at), next)?;
                done = at;
            }
            if let SegmentBoundary::Joiner = boundary {
                next.push_part(&part(done, at))?;
                self.emit_joiner(run.offset + at as u64, next)?;
                done = at;
            }
            start = self.form.skip_inactive(text, at);
            at = start;
        }
        next.push_part(&part(done, start))?;
        if start < text.len() {
            self.pending = Some(PendingSegment::new(&part(start, text.len())));
        }
        Ok(())
    }

    fn push_unit(
        &mut self,
        unit: &TextSegment<'_>,
        next: &mut dyn SegmentReceiver,
    ) -> io::Result<()> {
        let Ok(text) = str::from_utf8(unit.after) else {
            self.flush(next)?;
            return next.push(unit);
        };
        let Some(first) = text.chars().next() else { return self.push_removal(unit, next) };
        let pending = self.pending.take();
        let boundary = match &pending {
            Some(pending) => {
                self.boundary(str::from_utf8(&pending.after).unwrap_or_default(), first)
            }
            None => {
                self.non_starters = self.form.trailing_non_starters(first).0;
                SegmentBoundary::Plain
            }
        };
        let joined = self.insert_joiners(text);
        let unit = &joined.as_ref().map_or(*unit, |text| TextSegment {
            after: text.as_bytes(),
            reasons: unit.reasons.and(RepairReason::Normalize),
            ..*unit
        });
        self.pending = Some(match (pending, boundary) {
            (Some(mut pending), SegmentBoundary::None) => {
                pending.append(unit);
                pending
            }
            (pending, boundary) => {
                pending.map_or(Ok(()), |pending| self.emit(&pending.as_segment(), next))?;
                if let SegmentBoundary::Joiner = boundary {
                    self.emit_joiner(unit.offset, next)?;
                }
                PendingSegment::new(unit)
            }
        });
        Ok(())
    }

    fn flush(&mut self, next: &mut dyn SegmentReceiver) -> io::Result<()> {
        self.pending.take().map_or(Ok(()), |pending| self.emit(&pending.as_segment(), next))
    }
}
