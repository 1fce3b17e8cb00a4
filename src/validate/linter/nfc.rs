//! Text that is not in normalization form C (UAX #15).
//!
//! A stretch is a character that composes with none before it, and those after it that may compose
//! with it or change their order. It is in the form if its marks are in canonical order and none
//! composes. That depends on its last starter and its last mark alone, so that a stretch of any
//! length is decided character by character.

use unicode_normalization::UnicodeNormalization;

use super::LintMatch;
use super::stretches::{MatchList, StretchSearch, TextSlice};
use crate::codec::family::continues;
use crate::kernel;
use crate::lint::levels::RuleLevels;
use crate::text::normalization::{ACTIVE, NfcRole, NfcState, is_stable};
use crate::text::write;

/// The maximum number of characters in a match. A longer stretch is divided.
const MOST: usize = 32;

/// The maximum number of characters of a text that the message lists.
const MOST_LISTED: usize = 6;

/// Finds stretches that normalization changes.
pub(super) struct NfcSearch {
    /// The levels of all rules, with the characters that are excluded.
    levels: RuleLevels,
    /// The offset of the first of the characters.
    offset: u64,
    /// The bytes of the characters.
    bytes: Vec<u8>,
    /// The last characters of the stretch, [`MOST`] at most.
    chars: Vec<char>,
    /// The number of characters before the part of the text that is examined.
    chars_since_start: usize,
    /// The end of the stretch.
    state: NfcState,
    /// True if normalization changes the characters.
    changes: bool,
}

/// Returns `true` if the decomposition of a character starts with a stable one, so that the
/// character composes with nothing before it.
fn starts_with_stable(c: char) -> bool {
    std::iter::once(c).nfd().next().is_some_and(is_stable)
}

/// Returns the first scalar value of UTF-8, and its length in bytes. Ill-formed bytes give any
/// value.
#[inline]
fn scalar(text: &[u8]) -> (u32, usize) {
    let bits = |at: usize| u32::from(text.get(at).copied().unwrap_or(0)) & 0x3F;
    let lead = u32::from(text[0]);
    let (value, len) = match lead {
        ..0x80 => (lead, 1),
        0x80..0xE0 => ((lead & 0x1F) << 6 | bits(1), 2),
        0xE0..0xF0 => ((lead & 0x0F) << 12 | bits(1) << 6 | bits(2), 3),
        _ => ((lead & 0x07) << 18 | bits(1) << 12 | bits(2) << 6 | bits(3), 4),
    };
    (value, len.min(text.len()))
}

impl NfcSearch {
    pub fn new(levels: &RuleLevels) -> NfcSearch {
        NfcSearch {
            levels: levels.clone(),
            offset: 0,
            bytes: Vec::new(),
            chars: Vec::new(),
            chars_since_start: 0,
            state: NfcState::default(),
            changes: false,
        }
    }

    /// Examines UTF-8. Only the last plain character before others is looked at.
    fn examine_utf8(&mut self, offset: u64, bytes: &[u8], found: &mut MatchList) {
        let (active, kernels) = (&*ACTIVE, kernel::best());
        // The end of the plain characters before the index, if there are any.
        let mut plain = 0;
        let mut at = 0;
        while at < bytes.len() {
            if !active.filter.has(&bytes[at..]) {
                // The bytes of a mapped file may change in between.
                at += kernels.skip(&bytes[at..], &active.filter).max(1);
                plain = at;
                continue;
            }
            let (value, len) = scalar(&bytes[at..]);
            if active.is_plain(value) {
                plain = at + len;
            } else {
                self.start_before(plain, offset, bytes, found);
                plain = 0;
                self.extend(offset + at as u64, &bytes[at..at + len], value, found);
            }
            at += len;
        }
        self.start_before(plain, offset, bytes, found);
    }

    /// Ends the stretch.
    fn end_stretch(&mut self, found: &mut MatchList) {
        self.report(found);
        self.state = NfcState::default();
    }

    /// Starts a stretch with the plain character before an index, if it is not 0.
    fn start_before(&mut self, end: usize, offset: u64, bytes: &[u8], found: &mut MatchList) {
        let start = bytes[..end].iter().rposition(|&byte| !continues(byte));
        if let Some(start) = start {
            let (value, len) = scalar(&bytes[start..]);
            self.start(offset + start as u64, &bytes[start..start + len], value, found);
        }
    }

    /// Ends the stretch, and starts the next one with a plain code point. Nothing composes with a
    /// control or a surrogate, which starts none.
    fn start(&mut self, offset: u64, bytes: &[u8], value: u32, found: &mut MatchList) {
        self.end_stretch(found);
        if let Some(c @ ' '..) = char::from_u32(value) {
            self.state.starter = Some(c);
            self.append(offset, bytes, c);
        }
    }

    /// Adds a code point that is not plain to the stretch, or starts one with it.
    fn extend(&mut self, offset: u64, bytes: &[u8], value: u32, found: &mut MatchList) {
        let Some(c) = char::from_u32(value) else { return };
        let role = ACTIVE.role(value);
        if role == NfcRole::Changes && starts_with_stable(c) {
            self.end_stretch(found);
        } else if self.chars.len() == MOST {
            self.report(found);
        }
        self.changes |= self.state.changes_with(c, role);
        self.append(offset, bytes, c);
    }

    fn append(&mut self, offset: u64, bytes: &[u8], c: char) {
        if self.chars.is_empty() {
            self.offset = offset;
        }
        self.bytes.extend_from_slice(bytes);
        self.chars.push(c);
    }

    /// Reports the characters if they change, and continues without them.
    fn report(&mut self, found: &mut MatchList) {
        let active = &*ACTIVE;
        let is_excluded =
            |c: &char| !active.is_plain(*c as u32) && self.levels.allows_character(*c as u32);
        if self.changes && !self.chars.iter().any(is_excluded) {
            let normalized: String = self.chars.iter().copied().nfc().collect();
            let changes = !normalized.chars().eq(self.chars.iter().copied());
            let proposed = changes.then_some(normalized);
            found.push(LintMatch {
                offset: self.offset,
                bytes: self.bytes.clone(),
                columns: self.chars.len() as u64,
                value: self.chars.first().map(|&c| c.into()),
                detail: self.describe(proposed.as_deref()),
                proposed,
                chars_since_start: self.chars_since_start as u64,
                ..LintMatch::default()
            });
        }
        self.bytes.clear();
        self.chars.clear();
        (self.chars_since_start, self.changes) = (0, false);
    }

    /// Returns the characters and their normalized form, if they have another one, for the message.
    fn describe(&self, normalized: Option<&str>) -> Vec<u8> {
        let mut detail = Vec::new();
        list(&mut detail, self.chars.iter().copied());
        if let Some(normalized) = normalized {
            detail.extend_from_slice(b" is ");
            list(&mut detail, normalized.chars());
        } else {
            detail.extend_from_slice(b" with the characters before it is other text");
        }
        detail
    }
}

/// Appends characters as `U+0065 U+0301`.
fn list(out: &mut Vec<u8>, mut chars: impl Iterator<Item = char>) {
    for (at, c) in chars.by_ref().take(MOST_LISTED).enumerate() {
        if at > 0 {
            out.push(b' ');
        }
        write::code_point(out, c.into());
    }
    if chars.next().is_some() {
        out.extend_from_slice(b" ...");
    }
}

impl StretchSearch for NfcSearch {
    fn examine(&mut self, slice: TextSlice<'_>, found: &mut MatchList) {
        self.chars_since_start = self.chars.len();
        if slice.is_utf8 {
            return self.examine_utf8(slice.offset, slice.bytes, found);
        }
        let active = &*ACTIVE;
        for (offset, bytes, step) in slice.steps() {
            for &value in step.values() {
                match active.is_plain(value) {
                    true => self.start(offset, bytes, value, found),
                    false => self.extend(offset, bytes, value, found),
                }
            }
        }
    }

    fn close(&mut self, found: &mut MatchList) {
        self.chars_since_start = self.chars.len();
        self.end_stretch(found);
    }

    fn undecided_from(&self) -> Option<u64> {
        (!self.chars.is_empty()).then_some(self.offset)
    }
}
