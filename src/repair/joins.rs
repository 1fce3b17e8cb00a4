//! Sequences that a change would join with the text after it.
//!
//! In a notation, the text after an incomplete escape decides how it is read: `&lt` without a
//! semicolon, `\0` before a digit. A change puts other text there, so that `&foo` and `;` become an
//! ill-formed reference, and `\x4` and `1` another character. The first character that is read as part
//! of what stands before the change is escaped.

use std::ops::Range;

use crate::codec::Step;
use crate::registry::Encoding;

/// A character that is to be escaped.
#[derive(Debug, PartialEq)]
pub(super) struct JoinedCharacter {
    /// Its place in the appended bytes.
    pub place: Range<usize>,
    pub escape: Vec<u8>,
}

/// Keeps the sequences of a text in a notation apart where the text between them changed.
#[derive(Debug)]
pub(super) struct JoinGuard {
    codec: &'static Encoding,
    /// The byte that starts each escape.
    introducer: u8,
    /// The end of the text, from the start of a sequence that further text could continue; empty if
    /// there is none. It is shorter than the longest sequence.
    open: Vec<u8>,
    /// True if there was a change after the start of the open sequence.
    changed: bool,
}

impl JoinGuard {
    /// Creates a guard of an empty text; `None` in a codec without escapes.
    pub fn new(codec: &'static Encoding) -> Option<JoinGuard> {
        let introducer = codec.inner.introducer?;
        Some(JoinGuard { codec, introducer, open: Vec::new(), changed: false })
    }

    /// Appends the replacement of a change.
    pub fn change(&mut self, bytes: &[u8]) -> Option<JoinedCharacter> {
        self.mark();
        let joined = self.append(bytes);
        self.mark();
        joined
    }

    fn mark(&mut self) {
        self.changed |= !self.open.is_empty();
    }

    /// Appends whole sequences. Returns the character of them that would be read as part of the open
    /// sequence before a change.
    pub fn append(&mut self, bytes: &[u8]) -> Option<JoinedCharacter> {
        let (mut at, mut joined) = (0, None);
        while at < bytes.len() && !self.open.is_empty() {
            let step = self.codec.step(&bytes[at..]);
            let place = at..at + step.size();
            let read = self.codec.step(&self.open);
            self.open.extend_from_slice(&bytes[place.clone()]);
            let is_joined = self.changed && self.codec.step(&self.open) != read;
            match step {
                // Escapes are left: halves of a surrogate pair may meet, as in UTF-8 that has them.
                Step::Scalar { value, .. } if is_joined && bytes[at] != self.introducer => {
                    let mut escape = Vec::new();
                    (self.codec.inner.escape_of)(value, &mut escape);
                    at = place.end;
                    joined = Some(JoinedCharacter { place, escape });
                    self.close();
                }
                _ if self.codec.step_within(&self.open) == Step::Short => at = place.end,
                _ => self.close(),
            }
        }
        if self.open.is_empty() {
            self.open_at_end(&bytes[at..]);
        }
        joined
    }

    fn close(&mut self) {
        self.open.clear();
        self.changed = false;
    }

    /// Opens the last of some whole sequences if further text could continue it.
    fn open_at_end(&mut self, bytes: &[u8]) {
        let is_open = |at: usize| self.codec.step_within(&bytes[at..]) == Step::Short;
        let start = bytes.len().saturating_sub(self.codec.inner.longest);
        if !memchr::memchr_iter(self.introducer, &bytes[start..]).any(|at| is_open(start + at)) {
            return;
        }
        // The last byte of `\\` starts no escape. No sequence contains a line feed.
        let mut at = memchr::memrchr(b'\n', bytes).map_or(0, |line_feed| line_feed + 1);
        while let Some(text) = memchr::memchr(self.introducer, &bytes[at..]) {
            at += text;
            match self.codec.step_within(&bytes[at..]) {
                Step::Short => return self.open.extend_from_slice(&bytes[at..]),
                step => at += step.size(),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_character_that_a_change_joins_is_escaped() {
        // The text is cut at each bar: a change removed what was there.
        for (notation, text, expected) in [
            ("html", "&foo|;", "&foo&#x3B;"),
            ("html", "&no|t in", "&no&#x74; in"),
            ("html", "&no|ta;", "&no&#x74;a;"),
            ("html", "&no|ne", "&none"),
            ("html", "AT&T|s, &|lt", "AT&Ts, &l&#x74;"),
            ("html", "&|#65", "&&#x23;65"),
            ("html", "&#6|5;", "&#6&#x35;;"),
            ("html", "&am|p|;", "&am&#x70;;"),
            ("html", "&a|&b|;", "&a&b&#x3B;"),
            ("html", "&a|\n;", "&a\n;"),
            ("json", r"\0|1", r"\0\u0031"),
            ("json", r"\\|u12", r"\\u12"),
            ("json", r"\uD83D|\uDE00", r"\uD83D\uDE00"),
            ("c", r"\x4|1 \x4|g", r"\x4\061 \x4g"),
            ("c", r"\xC3\xA9|1", r"\xC3\xA9\061"),
            ("c", r"\\\0|1\12|8", r"\\\0\061\128"),
            ("python", r"\1|1", r"\1\x31"),
            ("percent", "%41|42", "%4142"),
        ] {
            let codec = Encoding::for_label(notation).unwrap();
            let mut guard = JoinGuard::new(codec).unwrap();
            let mut written = Vec::new();
            for (number, part) in text.split('|').enumerate() {
                if number > 0 {
                    assert_eq!(guard.change(&[]), None);
                }
                let joined = guard.append(part.as_bytes());
                let before = written.len();
                written.extend_from_slice(part.as_bytes());
                if let Some(JoinedCharacter { place, escape }) = joined {
                    written.splice(before + place.start..before + place.end, escape);
                }
            }
            assert_eq!(written, expected.as_bytes(), "{text}");
        }
        assert!(JoinGuard::new(Encoding::UTF_8).is_none());
    }
}
