//! Extended grapheme clusters (UAX #29) among the characters of a dump.

use std::ops::RangeInclusive;

use unicode_segmentation::GraphemeCursor;

use super::fold::AsciiFold;
use super::{DumpItem, Meaning, decode, is_first_byte};

/// Mark of a character that continues a grapheme cluster.
pub(super) const TIE: &str = "~";

/// Finds the characters that continue a grapheme cluster. A line feed after a carriage return is not
/// one of them.
///
/// Most characters are boundaries whatever stands beside them. They are told by a table.
#[derive(Debug, Default)]
pub(super) struct ClusterTracker {
    /// The class of each code point so far.
    classes: Vec<CharClass>,
    /// The last character if it is plain and starts a cluster.
    single: Option<char>,
    /// The cluster of the last character, from its start on, unless `single` is the cluster.
    cluster: String,
    /// Offset of the cluster in the input.
    start: u64,
    /// Offset after the last character.
    end: u64,
    /// True if the last character may be continued by any other.
    open: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CharClass {
    Unknown,
    /// Continues no cluster, unless the character before is open.
    Plain,
    /// May continue a cluster, or is open.
    Special,
}

/// Number of Unicode code points.
const CODE_POINTS: usize = 0x11_0000;

/// The first code point that is not plain.
const FIRST_SPECIAL: u32 = 0x300;

/// Large blocks of plain characters, which a lookup in the library for each would make slow.
const PLAIN: [RangeInclusive<u32>; 3] = [
    0x3400..=0x4DBF, // CJK Unified Ideographs Extension A
    0x4E00..=0x9FFF, // CJK Unified Ideographs
    0xAC00..=0xD7A3, // Hangul Syllables
];

/// Largest length of a cluster in bytes. Of a longer one, the last character is kept beside those
/// at its start.
const MOST_BYTES: usize = 128;

/// Largest number of characters before a position in which the start of its cluster is searched.
const MOST_BACK: usize = 64;

impl ClusterTracker {
    /// Returns `true` if a sequence continues the cluster of the one before.
    pub fn next(&mut self, item: &DumpItem<'_>) -> bool {
        self.seek(item.start());
        let (first, second) = match item.meaning {
            Meaning::Scalar(value) if !item.is_cut() => (char::from_u32(value), None),
            Meaning::Two(values) if !item.is_cut() => {
                (char::from_u32(values[0]), char::from_u32(values[1]))
            }
            _ => (None, None),
        };
        let end = item.start() + item.len as u64;
        let Some(first) = first else {
            self.clear(end);
            return false;
        };
        let joined = self.push(first);
        if !joined {
            self.start = item.start();
        }
        if let Some(second) = second {
            self.push(second);
        }
        self.end = end;
        joined
    }

    /// Continues at an offset. Characters that do not end there have no influence.
    pub fn seek(&mut self, offset: u64) {
        if offset != self.end {
            self.clear(offset);
        }
    }

    fn clear(&mut self, end: u64) {
        self.single = None;
        self.cluster.clear();
        (self.open, self.end) = (false, end);
    }

    /// Continues after a folded row, whose last character starts a cluster.
    pub fn follow(&mut self, row: &AsciiFold) {
        let Some(last) = row.items().next_back() else { return };
        self.clear(last.offset);
        self.next(&last);
    }

    /// Returns the offset of the current cluster.
    pub fn start(&self) -> u64 {
        self.start
    }

    /// Returns `true` if the last character is open.
    #[inline]
    pub fn is_open(&self) -> bool {
        self.open
    }

    /// Forgets that the last character is open: others came after it.
    pub fn close(&mut self) {
        self.open = false;
    }

    /// Sets the offset after the last character.
    pub fn set_end(&mut self, end: u64) {
        self.end = end;
    }

    /// Sets the text before the next character, well-formed UTF-8 that may start anywhere.
    pub fn set_text(&mut self, text: &[u8]) {
        self.clear(self.end);
        let (mut from, mut back) = (text.len(), 0);
        while let Some(at) = text[..from].iter().rposition(|&byte| is_first_byte(byte))
            && back < MOST_BACK
        {
            (from, back) = (at, back + 1);
            if !char::from_u32(decode(&text[at..]).0).is_some_and(|c| self.is_special(c)) {
                break;
            }
        }
        while from < text.len() {
            let (value, len) = decode(&text[from..]);
            char::from_u32(value).map(|c| self.push(c));
            from += len;
        }
    }

    /// Adds a character. Returns `true` if it continues the cluster.
    #[inline]
    pub fn push(&mut self, c: char) -> bool {
        let special = self.is_special(c);
        if special || self.open {
            return self.push_to_cluster(c, special);
        }
        self.single = Some(c);
        false
    }

    /// Adds a character that is special or comes after one that is open.
    fn push_to_cluster(&mut self, c: char, special: bool) -> bool {
        if let Some(single) = self.single.take() {
            self.cluster.clear();
            self.cluster.push(single);
        }
        let joined = is_joined(&mut self.cluster, c);
        if !joined {
            self.cluster.clear();
        } else if self.cluster.len() + c.len_utf8() > MOST_BYTES {
            self.cluster.pop();
        }
        self.cluster.push(c);
        self.open = special;
        joined
    }

    /// Returns `true` for a character that may continue a cluster, or is open.
    #[inline]
    pub fn is_special(&mut self, c: char) -> bool {
        if u32::from(c) < FIRST_SPECIAL {
            return false;
        }
        match self.classes.get(c as usize) {
            Some(CharClass::Plain) => false,
            Some(CharClass::Special) => true,
            _ => self.classify(c),
        }
    }

    #[cold]
    fn classify(&mut self, c: char) -> bool {
        if self.classes.is_empty() {
            self.classes.resize(CODE_POINTS, CharClass::Unknown);
        }
        let special = !PLAIN.iter().any(|block| block.contains(&c.into())) && is_special(c);
        self.classes[c as usize] = if special { CharClass::Special } else { CharClass::Plain };
        special
    }
}

/// Returns `true` if a character continues a cluster, which it is appended to for a moment.
fn is_joined(cluster: &mut String, c: char) -> bool {
    let seam = cluster.len();
    cluster.push(c);
    let mut cursor = GraphemeCursor::new(seam, cluster.len(), true);
    let joined = seam > 0 && cursor.is_boundary(cluster, 0) == Ok(false);
    cluster.truncate(seam);
    joined
}

/// Returns `true` for a character that continues a letter or a Hangul syllable, or that a letter or
/// the same character continues.
fn is_special(c: char) -> bool {
    let joined = |before: char, c| is_joined(&mut before.to_string(), c);
    joined('a', c) || joined('가', c) || joined(c, 'a') || joined(c, c)
}

#[cfg(test)]
mod tests {
    use unicode_segmentation::UnicodeSegmentation;

    use super::*;

    #[test]
    fn clusters_are_those_of_the_library() {
        // One character of each kind that the rules of UAX #29 tell apart, some twice.
        let kinds = "a\n\u{7F}é\u{301}\u{200D}\u{200B}\u{600}\u{1F1E9}\u{1F1EA}\u{1100}\u{1161}\
                     \u{11A8}가각👩💻\u{1F3FD}\u{FE0F}\u{903}\u{915}\u{94D}\u{937}日\u{E33}\u{E0067}";
        let kinds: Vec<char> = kinds.chars().collect();
        let mut random = 1_u64;
        let mut tracker = ClusterTracker::default();
        for _ in 0..20_000 {
            let mut text = String::new();
            for _ in 0..12 {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                text.push(kinds[(random >> 33) as usize % kinds.len()]);
            }
            tracker.clear(0);
            let mut starts = Vec::new();
            for (at, c) in text.char_indices() {
                if !tracker.push(c) {
                    starts.push(at);
                }
            }
            let expected: Vec<_> = text.grapheme_indices(true).map(|(at, _)| at).collect();
            assert_eq!(starts, expected, "{text:?}");
            // The text before a character decides as the characters one by one do.
            let seam = text.char_indices().nth(8).map_or(0, |(at, _)| at);
            tracker.set_text(&text.as_bytes()[..seam]);
            for (at, c) in text[seam..].char_indices() {
                assert_eq!(!tracker.push(c), expected.contains(&(seam + at)), "{text:?}");
            }
        }
    }

    #[test]
    fn plain_characters_are_boundaries() {
        // One character of each class that the rules of UAX #29 tell apart, but CR before LF.
        let neighbours = "a\r\n\u{7F}\u{301}\u{200D}\u{600}\u{1F1E9}\u{1100}\u{1161}\u{11A8}가각\
                          👩\u{1F3FD}\u{903}\u{915}\u{94D}";
        let joins = |before: char, c| is_joined(&mut before.to_string(), c);
        let mut tracker = ClusterTracker::default();
        let plain: Vec<char> = ('\0'..=char::MAX).filter(|&c| !tracker.is_special(c)).collect();
        assert!(plain.len() > 1_000_000);
        for c in plain {
            for other in neighbours.chars() {
                // A neighbour that may be open or continue a cluster decides itself.
                let told = tracker.is_special(other) || (c, other) == ('\r', '\n');
                assert!(told || !joins(c, other), "{c:?} {other:?}");
                assert!(told || (other, c) == ('\r', '\n') || !joins(other, c), "{other:?} {c:?}");
            }
        }
    }

    #[test]
    fn blocks_of_plain_characters_are_those_of_the_library() {
        let ranges = PLAIN.into_iter().chain([0..=FIRST_SPECIAL - 1]);
        let special = ranges.flatten().filter_map(char::from_u32).find(|&c| is_special(c));
        assert_eq!(special, None);
    }

    #[test]
    fn a_cluster_without_end_has_bounded_memory() {
        let mut tracker = ClusterTracker::default();
        assert!(!tracker.push('e'));
        for _ in 0..10_000 {
            assert!(tracker.push('\u{301}'));
        }
        assert!(tracker.cluster.len() <= MOST_BYTES);
        assert!(!tracker.push('e'));
        // The end of a long emoji sequence still joins.
        tracker.push('👩');
        (0..1_000).for_each(|_| assert!(tracker.push('\u{FE0F}')));
        assert!(tracker.push('\u{200D}') && tracker.push('💻'));
        // One cluster in UAX #29, two characters to most readers.
        assert!(!tracker.push('\r') && !tracker.push('\n'));
    }
}
