//! Extended grapheme clusters (UAX #29) among the characters of a dump.

use std::slice;

use unicode_segmentation::GraphemeCursor;

use super::classes::{CharClasses, ClusterRole, FIRST_SPECIAL};
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
    pub classes: CharClasses,
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
    /// True if the cluster is a plain character with marks. Other plain characters do not continue it.
    marked: bool,
}

/// Largest length of a cluster in bytes. Of a longer one, the last character is kept beside those
/// at its start.
const MOST_BYTES: usize = 128;

/// Largest number of characters before a position in which the start of its cluster is searched.
const MOST_BACK: usize = 64;

impl ClusterTracker {
    /// Returns `true` if a sequence continues the cluster of the one before.
    #[inline]
    pub fn next(&mut self, item: &DumpItem<'_>) -> bool {
        let (start, end) = (item.start(), item.start() + item.len as u64);
        match item.meaning {
            Meaning::Scalar(value @ 0..FIRST_SPECIAL)
                if !(item.is_cut() || self.open && self.end == start) =>
            {
                self.single = char::from_u32(value);
                (self.start, self.end) = (start, end);
                (self.open, self.marked) = (false, false);
                false
            }
            _ => self.next_of_any(item),
        }
    }

    /// Implements [`next`](Self::next) for any sequence.
    fn next_of_any(&mut self, item: &DumpItem<'_>) -> bool {
        self.seek(item.start());
        let values = match &item.meaning {
            Meaning::Scalar(value) if !item.is_cut() => slice::from_ref(value),
            Meaning::Several(values) if !item.is_cut() => values,
            _ => &[],
        };
        let mut chars = values.iter().map_while(|&value| char::from_u32(value));
        let end = item.start() + item.len as u64;
        let Some(first) = chars.next() else {
            self.clear(end);
            return false;
        };
        let joined = self.push(first);
        if !joined {
            self.start = item.start();
        }
        for c in chars {
            self.push(c);
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
        (self.open, self.marked, self.end) = (false, false, end);
    }

    /// Continues after a folded row, whose last character starts a cluster.
    pub fn follow(&mut self, row: &AsciiFold) {
        let Some(last) = row.items().next_back() else { return };
        self.clear(last.offset);
        self.next(&last);
    }

    /// Continues after ASCII, of which `sequence` is the last character.
    pub fn follow_ascii(&mut self, offset: u64, sequence: &[u8]) {
        self.clear(offset);
        let meaning = Meaning::Scalar(sequence[0].into());
        self.next(&DumpItem { offset, sequence, before: 0, len: 1, meaning });
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

    /// Returns `true` if any character may continue the last one.
    #[inline]
    pub fn may_join_any(&self) -> bool {
        self.open && !self.marked
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
        match self.role(c) {
            ClusterRole::Plain if !self.open || self.marked => {
                self.single = Some(c);
                (self.open, self.marked) = (false, false);
                false
            }
            ClusterRole::Mark
                if self.marked || self.single.is_some_and(|c| self.classes.takes_marks(c)) =>
            {
                self.begin_cluster();
                self.append(c);
                (self.open, self.marked) = (true, true);
                true
            }
            role => self.push_to_cluster(c, role != ClusterRole::Plain),
        }
    }

    /// Adds a character that is special or comes after one that is open.
    fn push_to_cluster(&mut self, c: char, special: bool) -> bool {
        self.begin_cluster();
        let joined = is_joined(&mut self.cluster, c);
        if !joined {
            self.cluster.clear();
        }
        self.append(c);
        (self.open, self.marked) = (special, false);
        joined
    }

    /// Begins the cluster with a character that was single.
    fn begin_cluster(&mut self) {
        if let Some(single) = self.single.take() {
            self.cluster.clear();
            self.cluster.push(single);
        }
    }

    /// Appends a character to the cluster, of which the start and the end are kept.
    fn append(&mut self, c: char) {
        if self.cluster.len() + c.len_utf8() > MOST_BYTES {
            self.cluster.pop();
        }
        self.cluster.push(c);
    }

    /// Returns `true` for a character that may continue a cluster, or is open.
    #[inline]
    pub fn is_special(&mut self, c: char) -> bool {
        self.role(c) != ClusterRole::Plain
    }

    #[inline]
    fn role(&mut self, c: char) -> ClusterRole {
        self.classes.role(c, role)
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

/// Returns the role of a character by the characters that it joins, and that join it.
fn role(c: char) -> ClusterRole {
    let mut cluster = String::new();
    let mut joined = |before: &[char], c| {
        cluster.clear();
        cluster.extend(before);
        is_joined(&mut cluster, c)
    };
    let continues = joined(&['a'], c);
    if !(continues || joined(&['가'], c) || joined(&[c], 'a') || joined(&[c], c)) {
        return if joined(&[c], '\u{301}') { ClusterRole::Plain } else { ClusterRole::Control };
    }
    // A zero width joiner joins pictographs, a virama consonants.
    let is_open = ['👩', 'क', 'a', '가'].into_iter().any(|other| joined(&[other, c], other))
        || ['a', '가'].into_iter().any(|after| joined(&[c], after));
    if continues && !is_open { ClusterRole::Mark } else { ClusterRole::Special }
}

#[cfg(test)]
mod tests {
    use unicode_segmentation::UnicodeSegmentation;

    use super::super::classes::PLAIN;
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
    fn marks_continue_letters_and_join_nothing() {
        // One character of each class that the rules of UAX #29 tell apart.
        let neighbours =
            "a\n\u{301}\u{200D}\u{600}\u{1F1E9}\u{1100}\u{1161}\u{11A8}가각👩क\u{94D}日";
        let mut tracker = ClusterTracker::default();
        let marks: Vec<char> =
            ('\0'..=char::MAX).filter(|&c| tracker.role(c) == ClusterRole::Mark).collect();
        assert!(marks.len() > 2_000 && marks.contains(&'\u{301}') && !marks.contains(&'\u{200D}'));
        for mark in marks {
            for letter in "a é가日कا".chars() {
                let cluster = format!("{letter}{mark}");
                assert!(is_joined(&mut letter.to_string(), mark), "{cluster:?}");
                for after in neighbours.chars() {
                    let joined = is_joined(&mut cluster.clone(), after);
                    let plain = tracker.role(after) == ClusterRole::Plain;
                    assert!(!(plain && joined), "{cluster:?} {after:?}");
                }
            }
        }
        for c in '\0'..=char::MAX {
            let takes = is_joined(&mut c.to_string(), '\u{301}');
            let plain = tracker.role(c) == ClusterRole::Plain;
            assert!(!plain || tracker.classes.takes_marks(c) == takes, "{c:?}");
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
        let special = ranges
            .flatten()
            .filter_map(char::from_u32)
            .find(|&c| !matches!(role(c), ClusterRole::Plain | ClusterRole::Control));
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
