//! Reversal of double encoding, mapped back to the source.
//!
//! The undoer receives text and returns its replacement. This stage remembers the source bytes of
//! each part of the text until the part is decided.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::io;

use crate::mojibake::{MojibakePart, MojibakeUndoer, MojibakeVerdict};
use crate::policy::REPLACEMENT;
use crate::registry::Encoding;
use crate::repair::encode::can_encode;
use crate::repair::segment::{MAX_PENDING, TextSegment};
use crate::repair::skipped::{SkipReason, SkippedRepair};
use crate::repair::stage::{SegmentReceiver, Stage, StageInput};
use crate::repair::{RepairPlan, RepairReason, RepairReasons};

/// The double encoding to undo.
///
/// ```
/// use utf8::{Encoding, MojibakeOptions, Policy, RepairPlan, repair};
///
/// let mut plan = RepairPlan::new(Policy::Strict);
/// plan.mojibake = Some(MojibakeOptions::likely());
/// let (text, _) = repair(Encoding::UTF_8, "cafÃ©".as_bytes(), &plan)?;
/// assert_eq!(text, "café".as_bytes());
/// # Ok::<(), utf8::RepairError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct MojibakeOptions {
    page: Option<&'static Encoding>,
}

impl MojibakeOptions {
    /// Undoes text that was certainly misread in one of the likely code pages.
    ///
    /// ```
    /// use utf8::{Encoding, MojibakeOptions, Policy, RepairPlan, repair};
    ///
    /// let mut plan = RepairPlan::new(Policy::Strict);
    /// plan.mojibake = Some(MojibakeOptions::likely());
    /// let (text, summary) = repair(Encoding::UTF_8, "Ð¿Ñ€Ð¸Ð²ÐµÑ‚, naïve".as_bytes(), &plan)?;
    /// assert_eq!(text, "привет, naïve".as_bytes());
    /// assert_eq!(summary.changes, 1);
    /// # Ok::<(), utf8::RepairError>(())
    /// ```
    pub fn likely() -> MojibakeOptions {
        MojibakeOptions::default()
    }

    /// Undoes text that may have been misread in this code page. Returns `None` unless the codec is
    /// a single-byte page whose lower half is ASCII.
    ///
    /// ```
    /// use utf8::{Encoding, MojibakeOptions, Policy, RepairPlan, repair};
    ///
    /// let mut plan = RepairPlan::new(Policy::Strict);
    /// plan.mojibake = MojibakeOptions::named(Encoding::for_label("windows-1251").unwrap());
    /// let (text, _) = repair(Encoding::UTF_8, "РїСЂРёРІРµС‚".as_bytes(), &plan)?;
    /// assert_eq!(text, "привет".as_bytes());
    /// assert!(MojibakeOptions::named(Encoding::UTF_8).is_none());
    /// # Ok::<(), utf8::RepairError>(())
    /// ```
    pub fn named(page: &'static Encoding) -> Option<MojibakeOptions> {
        MojibakeUndoer::accepts(page).then_some(MojibakeOptions { page: Some(page) })
    }

    fn undoer(self) -> MojibakeUndoer {
        self.page.and_then(MojibakeUndoer::named).unwrap_or_else(MojibakeUndoer::likely)
    }
}

/// Number of bytes of text to collect from short runs before they go to the undoer.
const BATCH: usize = 4 << 10;

/// The longest run, in bytes, that is collected: one character, as codecs pass it.
const SHORT: usize = 8;

/// Number of source bytes of undecided characters after which a decision is forced.
const MAX_SOURCE: usize = 16 * MAX_PENDING;

/// Appends the stage if the plan asks for it.
pub(super) fn add(plan: &RepairPlan, codec: &'static Encoding, stages: &mut Vec<Box<dyn Stage>>) {
    if let Some(options) = plan.mojibake {
        stages.push(Box::new(MojibakeStage {
            undoer: options.undoer(),
            sources: SourceMap {
                codec,
                report_skipped: plan.report_skipped,
                in_long_run: false,
                spans: VecDeque::new(),
                bytes: Vec::new(),
                decided: 0,
            },
            collected: Vec::new(),
        }));
    }
}

/// Undoes double encoding.
struct MojibakeStage {
    undoer: MojibakeUndoer,
    sources: SourceMap,
    /// Text for the undoer.
    collected: Vec<u8>,
}

impl MojibakeStage {
    /// Feeds text to the undoer, and passes on the parts it decides.
    fn feed(&mut self, text: &[u8], next: &mut dyn SegmentReceiver) -> io::Result<()> {
        let sources = &mut self.sources;
        self.undoer.feed(text, &mut |part| sources.emit(&part, next))?;
        sources.drop_decided();
        Ok(())
    }

    /// Collects text, and feeds it once there is a line or enough of it.
    fn collect(&mut self, text: &[u8], next: &mut dyn SegmentReceiver) -> io::Result<()> {
        self.collected.extend_from_slice(text);
        if self.sources.bytes.len() > MAX_SOURCE {
            return self.finish(next);
        }
        match text.ends_with(b"\n") || self.collected.len() >= BATCH {
            true => self.feed_collected(next),
            false => Ok(()),
        }
    }

    /// Feeds the collected text.
    fn feed_collected(&mut self, next: &mut dyn SegmentReceiver) -> io::Result<()> {
        let mut collected = std::mem::take(&mut self.collected);
        let fed = self.feed(&collected, next);
        collected.clear();
        self.collected = collected;
        fed
    }
}

impl Stage for MojibakeStage {
    fn input(&self) -> StageInput {
        StageInput::StrictUtf8
    }

    fn push(
        &mut self,
        segment: &TextSegment<'_>,
        next: &mut dyn SegmentReceiver,
    ) -> io::Result<()> {
        if segment.is_run() {
            self.sources.add_run(segment);
            if segment.after.len() <= SHORT {
                return self.collect(segment.after, next);
            }
            self.feed_collected(next)?;
            return self.feed(segment.after, next);
        }
        if segment.after.is_empty() && self.sources.spans.is_empty() {
            return next.push(segment);
        }
        if let Some(number) = replacements(segment) {
            let text = self.sources.add_replacements(segment, number);
            return self.collect(&text, next);
        }
        if !is_text(segment) {
            self.finish(next)?;
            return next.push(segment);
        }
        self.sources.add_unit(segment);
        self.collect(segment.after, next)
    }

    fn finish(&mut self, next: &mut dyn SegmentReceiver) -> io::Result<()> {
        self.feed_collected(next)?;
        let sources = &mut self.sources;
        self.undoer.finish(&mut |part| sources.emit(&part, next))?;
        sources.emit_empty(next)?;
        sources.drop_decided();
        sources.in_long_run = false;
        Ok(())
    }
}

/// Returns the number of U+FFFD that the error policy wrote, if it wrote nothing else. They count as
/// text, because a second repair reads them as such and must change nothing.
fn replacements(segment: &TextSegment<'_>) -> Option<usize> {
    let (characters, rest) = segment.after.as_chunks::<3>();
    let is_replaced = segment.reasons.has(RepairReason::OnError)
        && rest.is_empty()
        && characters.iter().all(|one| one == "\u{FFFD}".as_bytes());
    (is_replaced && !characters.is_empty()).then_some(characters.len())
}

/// Returns `true` if a segment that is no run may be part of double-encoded text: one scalar value,
/// or a shift sequence. Other output of the error policy is not.
fn is_text(segment: &TextSegment<'_>) -> bool {
    let scalar = str::from_utf8(segment.after).is_ok_and(|text| text.chars().nth(1).is_none());
    scalar && !segment.reasons.has(RepairReason::OnError)
}

/// The source of a part of the undecided text.
struct SourceSpan {
    /// Offset in the source.
    offset: u64,
    /// Number of bytes of text.
    text: usize,
    /// Number of source bytes in [`SourceMap::bytes`]; 0 for a run, whose text is its source.
    source: usize,
    reasons: RepairReasons,
    kind: SpanKind,
}

/// The kind of a span.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SpanKind {
    /// Text that is its own source.
    Run,
    /// A segment.
    Unit,
    /// The first of this many replacement characters for an ill-formed sequence.
    Replacement(usize),
    /// Another of them. It is written with the first.
    Repetition,
}

/// The source of the undecided text.
struct SourceMap {
    codec: &'static Encoding,
    report_skipped: bool,
    /// True if the last part belongs to a run that is too long, which comes in several parts.
    in_long_run: bool,
    spans: VecDeque<SourceSpan>,
    /// The source bytes of the spans that are no runs.
    bytes: Vec<u8>,
    /// Number of leading `bytes` whose spans are decided.
    decided: usize,
}

impl SourceMap {
    fn add_run(&mut self, run: &TextSegment<'_>) {
        let (offset, text) = (run.offset, run.after.len());
        match self.spans.back_mut() {
            Some(last)
                if last.kind == SpanKind::Run && last.offset + last.text as u64 == offset =>
            {
                last.text += text
            }
            _ => {
                let reasons = RepairReasons::NONE;
                let kind = SpanKind::Run;
                self.spans.push_back(SourceSpan { offset, text, source: 0, reasons, kind });
            }
        }
    }

    fn add_unit(&mut self, unit: &TextSegment<'_>) {
        self.add_span(unit, unit.after.len(), SpanKind::Unit);
    }

    fn add_span(&mut self, segment: &TextSegment<'_>, text: usize, kind: SpanKind) {
        let TextSegment { offset, before, reasons, .. } = *segment;
        self.bytes.extend_from_slice(before);
        self.spans.push_back(SourceSpan { offset, text, source: before.len(), reasons, kind });
    }

    /// Adds a segment of replacement characters. Returns their text.
    fn add_replacements(&mut self, segment: &TextSegment<'_>, number: usize) -> Vec<u8> {
        let text = self.replacement();
        self.add_span(segment, text.len(), SpanKind::Replacement(number));
        let repeated = TextSegment { before: &[], ..*segment };
        (1..number).for_each(|_| self.add_span(&repeated, text.len(), SpanKind::Repetition));
        text.repeat(number)
    }

    /// Returns the character that is written for U+FFFD.
    fn replacement(&self) -> &'static [u8] {
        if self.codec.can_encode(REPLACEMENT) { "\u{FFFD}".as_bytes() } else { b"?" }
    }

    /// Passes on the next part of the text.
    fn emit(&mut self, part: &MojibakePart<'_>, next: &mut dyn SegmentReceiver) -> io::Result<()> {
        self.emit_empty(next)?;
        let too_long = matches!(part.verdict, MojibakeVerdict::TooLong);
        let continues = std::mem::replace(&mut self.in_long_run, too_long) && too_long;
        match part.verdict {
            MojibakeVerdict::Undone(_) if self.can_encode(part.after) => {
                return self.emit_undone(part, next);
            }
            MojibakeVerdict::Sound => {}
            _ if continues || !self.report_skipped => {}
            _ => self.report(part, next)?,
        }
        self.emit_unchanged(part.before, next)
    }

    /// Reports a part that is not undone.
    fn report(&self, part: &MojibakePart<'_>, next: &mut dyn SegmentReceiver) -> io::Result<()> {
        let reason = match part.verdict {
            MojibakeVerdict::TooLong => SkipReason::TooLong,
            MojibakeVerdict::Meant(_) => SkipReason::Meant,
            MojibakeVerdict::Ambiguous(_) => SkipReason::Ambiguous,
            MojibakeVerdict::Undone(_) | MojibakeVerdict::Sound => SkipReason::Lacking,
        };
        let offset = self.spans.front().map_or(0, |span| span.offset);
        next.push_skipped(&SkippedRepair::new(offset, part, reason))
    }

    /// Passes on the leading spans without text.
    fn emit_empty(&mut self, next: &mut dyn SegmentReceiver) -> io::Result<()> {
        while self.spans.front().is_some_and(|span| span.text == 0)
            && let Some(span) = self.spans.pop_front()
        {
            self.emit_unit(&span, &[], next)?;
        }
        Ok(())
    }

    /// Passes on the next spans, whose text is `text`, unchanged.
    fn emit_unchanged(
        &mut self,
        mut text: &[u8],
        next: &mut dyn SegmentReceiver,
    ) -> io::Result<()> {
        while !text.is_empty()
            && let Some(span) = self.pop(text.len())
        {
            let (part, rest) = text.split_at(span.text);
            match span.kind {
                SpanKind::Run => next.push(&TextSegment::run(span.offset, part))?,
                SpanKind::Unit => self.emit_unit(&span, part, next)?,
                SpanKind::Replacement(number) => {
                    self.emit_unit(&span, &part.repeat(number), next)?;
                }
                SpanKind::Repetition => {}
            }
            text = rest;
        }
        Ok(())
    }

    /// Passes on a span that is no run.
    fn emit_unit(
        &mut self,
        span: &SourceSpan,
        after: &[u8],
        next: &mut dyn SegmentReceiver,
    ) -> io::Result<()> {
        let before = &self.bytes[self.decided..][..span.source];
        self.decided += span.source;
        next.push(&TextSegment { offset: span.offset, before, after, reasons: span.reasons })
    }

    /// Passes on an undone part as one segment.
    fn emit_undone(
        &mut self,
        part: &MojibakePart<'_>,
        next: &mut dyn SegmentReceiver,
    ) -> io::Result<()> {
        let (mut after, mut rest) = (Cow::Borrowed(part.after), part.before);
        let Some(first) = self.pop(rest.len()) else { return Ok(()) };
        let (offset, mut reasons) = (first.offset, first.reasons.and(RepairReason::UndoMojibake));
        if first.kind == SpanKind::Run && first.text == rest.len() {
            return next.push(&TextSegment { offset, before: rest, after: &after, reasons });
        }
        let mut before = Vec::new();
        let mut span = Some(first);
        while let Some(current) = span {
            reasons = reasons.or(current.reasons);
            let (text, tail) = rest.split_at(current.text);
            let source = match current.kind {
                SpanKind::Run => text,
                _ => &self.bytes[self.decided..][..current.source],
            };
            before.extend_from_slice(source);
            if let SpanKind::Replacement(number) = current.kind {
                after.to_mut().extend(text.repeat(number - 1));
            }
            self.decided += current.source;
            rest = tail;
            span = if rest.is_empty() { None } else { self.pop(rest.len()) };
        }
        next.push(&TextSegment { offset, before: &before, after: &after, reasons })
    }

    /// Removes and returns the next span, split after `most` bytes of text if it is a run.
    fn pop(&mut self, most: usize) -> Option<SourceSpan> {
        let front = self.spans.front_mut()?;
        if front.kind != SpanKind::Run || front.text <= most {
            return self.spans.pop_front();
        }
        let part = SourceSpan { text: most, ..*front };
        front.offset += most as u64;
        front.text -= most;
        Some(part)
    }

    /// Returns `true` if the codec has every character of `text`.
    fn can_encode(&self, text: &[u8]) -> bool {
        let encodable = |text| can_encode(self.codec, text);
        self.codec.properties.scalars || str::from_utf8(text).is_ok_and(encodable)
    }

    /// Drops the source bytes of decided spans.
    fn drop_decided(&mut self) {
        self.bytes.drain(..self.decided);
        self.decided = 0;
    }
}
