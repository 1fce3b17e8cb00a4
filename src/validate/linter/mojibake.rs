//! Text that was encoded twice (mojibake).

use std::collections::VecDeque;
use std::convert::Infallible;

use super::LintMatch;
use super::stretches::{MatchList, StretchSearch, TextSlice};
use crate::codec::family::continues;
use crate::lint::levels::RuleLevels;
use crate::mojibake::{MojibakePart, MojibakeUndoer, MojibakeVerdict};
use crate::text::escape::{EscapeStyle, escape};

/// The maximum number of characters of a text that the message shows.
const MOST_SHOWN: usize = 40;

/// Finds text that reversal of double encoding would change.
pub(super) struct MojibakeSearch {
    undoer: MojibakeUndoer,
    /// The part that is examined, in UTF-8. The bytes of the input may change.
    text: Vec<u8>,
    pending: PendingText,
}

/// The text that the undoer has not decided about, and its source. Offsets in the text are those of
/// the undoer.
struct PendingText {
    /// The levels of all rules, with the characters that are excluded.
    levels: RuleLevels,
    /// The offset in the text up to which it is decided.
    decided: u64,
    /// The offset in the text of the part that is examined.
    start: u64,
    /// The number of code points between these offsets.
    chars_since_start: u64,
    /// Offsets in the text, and the same in the input. Between two of them, both have the same bytes.
    spans: VecDeque<(u64, u64)>,
    /// The source of the text from the first span on, unless it is UTF-8.
    source: VecDeque<u8>,
}

impl MojibakeSearch {
    pub fn new(levels: &RuleLevels) -> MojibakeSearch {
        let pending = PendingText {
            levels: levels.clone(),
            decided: 0,
            start: 0,
            chars_since_start: 0,
            spans: VecDeque::new(),
            source: VecDeque::new(),
        };
        MojibakeSearch { undoer: MojibakeUndoer::likely(), text: Vec::new(), pending }
    }

    /// Loads a slice of another encoding.
    fn transcode(&mut self, slice: TextSlice<'_>) {
        let (text, pending) = (&mut self.text, &mut self.pending);
        for (offset, _, step) in slice.steps() {
            for &value in step.values() {
                pending.spans.push_back((pending.start + text.len() as u64, offset));
                // A surrogate is part of no text, as a line end.
                let c = char::from_u32(value).unwrap_or('\n');
                text.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            }
        }
        let end = slice.offset + slice.bytes.len() as u64;
        pending.spans.push_back((pending.start + text.len() as u64, end));
        pending.source.extend(slice.bytes);
    }
}

impl PendingText {
    /// Returns the offset in the input of an offset in the text.
    fn source_offset(&self, at: u64) -> u64 {
        let after = self.spans.partition_point(|span| span.0 <= at);
        let span = after.checked_sub(1).and_then(|last| self.spans.get(last));
        span.map_or(at, |&(text, source)| source + (at - text))
    }

    /// Receives a decided part of the text.
    fn receive(&mut self, part: &MojibakePart<'_>, found: &mut MatchList) {
        if let MojibakeVerdict::Undone(_) = part.verdict
            && !self.is_excluded(part.before)
        {
            found.push(self.to_match(part));
        }
        if let Some(before) = self.start.checked_sub(part.source.start) {
            let before = part.before.len().min(before as usize);
            self.chars_since_start =
                self.chars_since_start.saturating_sub(count_chars(&part.before[..before]));
        }
        self.decided = part.source.end;
    }

    /// Returns `true` if no lint reports any character beyond ASCII of a text.
    fn is_excluded(&self, text: &[u8]) -> bool {
        let mut chars = text.utf8_chunks().flat_map(|chunk| chunk.valid().chars());
        chars.all(|c| c.is_ascii() || self.levels.allows_character(c.into()))
    }

    fn to_match(&self, part: &MojibakePart<'_>) -> LintMatch {
        let offset = self.source_offset(part.source.start);
        let mut detail = Vec::new();
        quote(&mut detail, part.before);
        detail.extend_from_slice(b" is probably ");
        quote(&mut detail, part.after);
        LintMatch {
            offset,
            bytes: self.source_bytes(part, offset),
            columns: count_chars(part.before),
            value: part
                .before
                .utf8_chunks()
                .find_map(|chunk| chunk.valid().chars().next())
                .map(u32::from),
            detail,
            proposed: str::from_utf8(part.after).ok().map(str::to_owned),
            chars_since_start: if part.source.start < self.start {
                self.chars_since_start
            } else {
                0
            },
            ..LintMatch::default()
        }
    }

    /// Returns the bytes in the input of a part, which start at an offset.
    fn source_bytes(&self, part: &MojibakePart<'_>, offset: u64) -> Vec<u8> {
        if self.source.is_empty() {
            return part.before.to_vec();
        }
        let end = self.source_offset(part.source.end);
        let first = self.spans.front().map_or(offset, |span| span.1);
        let skipped = (offset - first) as usize;
        self.source.iter().skip(skipped).take((end - offset) as usize).copied().collect()
    }

    /// Ends the part that was examined.
    fn end_part(&mut self, text: &[u8]) {
        let done = self.decided.saturating_sub(self.start).min(text.len() as u64);
        self.chars_since_start += count_chars(&text[done as usize..]);
        self.start += text.len() as u64;
        let decided = self.decided;
        while let Some(next) = self.spans.get(1).copied().filter(|next| next.0 <= decided) {
            let dropped = self.spans.pop_front().map_or(0, |span| next.1 - span.1);
            self.source.drain(..self.source.len().min(dropped as usize));
        }
    }
}

/// Returns the number of code points of UTF-8.
fn count_chars(text: &[u8]) -> u64 {
    text.iter().filter(|byte| !continues(**byte)).count() as u64
}

/// Appends the start of a text in quotation marks.
fn quote(out: &mut Vec<u8>, text: &[u8]) {
    let mut starts = (0..text.len()).filter(|&at| !continues(text[at]));
    let end = starts.nth(MOST_SHOWN);
    out.push(b'"');
    escape(out, &text[..end.unwrap_or(text.len())], EscapeStyle::Text);
    out.extend_from_slice(if end.is_some() { b"...\"" } else { b"\"" });
}

impl StretchSearch for MojibakeSearch {
    fn examine(&mut self, slice: TextSlice<'_>, found: &mut MatchList) {
        self.text.clear();
        if slice.is_utf8 {
            self.text.extend_from_slice(slice.bytes);
            let pending = &mut self.pending;
            if pending.spans.is_empty() || pending.source_offset(pending.start) != slice.offset {
                pending.spans.push_back((pending.start, slice.offset));
            }
        } else {
            self.transcode(slice);
        }
        let pending = &mut self.pending;
        let mut receive = |part: MojibakePart<'_>| -> Result<(), Infallible> {
            pending.receive(&part, found);
            Ok(())
        };
        let Ok(()) = self.undoer.feed(&self.text, &mut receive);
        self.pending.end_part(&self.text);
    }

    fn close(&mut self, found: &mut MatchList) {
        let pending = &mut self.pending;
        let mut receive = |part: MojibakePart<'_>| -> Result<(), Infallible> {
            pending.receive(&part, found);
            Ok(())
        };
        let Ok(()) = self.undoer.finish(&mut receive);
        self.pending.end_part(&[]);
        self.pending.spans.clear();
        self.pending.source.clear();
    }

    fn undecided_from(&self) -> Option<u64> {
        let PendingText { decided, start, .. } = self.pending;
        (decided < start).then(|| self.pending.source_offset(decided))
    }
}
