//! Extended grapheme clusters (UAX #29) among the characters of a dump.

use std::slice;

use unicode_segmentation::GraphemeCursor;

use super::classes::{CharClasses, MOST_CLASSES, are_plain, like};
use super::fold::AsciiFold;
use super::{DumpItem, Meaning, decode, is_first_byte};

/// Mark of a character that continues a grapheme cluster.
pub(super) const TIE: &str = "~";

/// Finds the characters that continue a grapheme cluster. A line feed after a carriage return is not
/// one of them.
#[derive(Debug, Default)]
pub(super) struct ClusterTracker {
    pub classes: CharClasses,
    rules: ClusterRules,
    /// The state of the cluster of the last character.
    state: u8,
    /// Offset of the cluster in the input.
    start: u64,
    /// Offset after the last character.
    end: u64,
}

impl ClusterTracker {
    /// Returns `true` if a sequence continues the cluster of the one before.
    #[inline]
    pub fn next(&mut self, item: &DumpItem<'_>) -> bool {
        self.seek(item.start());
        self.end = item.start() + item.len as u64;
        let values = match &item.meaning {
            Meaning::Scalar(value) if !item.is_cut() => slice::from_ref(value),
            Meaning::Several(values) if !item.is_cut() => values,
            _ => &[],
        };
        let mut chars = values.iter().map_while(|&value| char::from_u32(value));
        let Some(first) = chars.next() else {
            self.state = NO_CLUSTER;
            return false;
        };
        let joined = self.push(first);
        if !joined {
            self.start = item.start();
        }
        for c in chars {
            self.push(c);
        }
        joined
    }

    /// Continues at an offset. Characters that do not end there have no influence.
    pub fn seek(&mut self, offset: u64) {
        if offset != self.end {
            self.clear(offset);
        }
    }

    fn clear(&mut self, end: u64) {
        (self.state, self.end) = (NO_CLUSTER, end);
    }

    /// Continues after a folded row, whose last character starts a cluster.
    pub fn follow(&mut self, row: &AsciiFold) {
        let Some(last) = row.items().next_back() else { return };
        self.clear(last.offset);
        self.next(&last);
    }

    /// Continues after printable ASCII, whose last character is at an offset.
    pub fn follow_ascii(&mut self, last: u64) {
        self.follow_printable();
        (self.start, self.end) = (last, last + 1);
    }

    /// Continues after printable ASCII, whose last character starts a cluster.
    #[inline]
    pub fn follow_printable(&mut self) {
        self.state = LETTER;
    }

    /// Returns the offset of the current cluster.
    pub fn start(&self) -> u64 {
        self.start
    }

    /// Returns `true` if a character that is not special may continue the last one.
    #[inline]
    pub fn is_open(&self) -> bool {
        self.rules.states[usize::from(self.state)].is_open
    }

    /// Sets the offset after the last character.
    pub fn set_end(&mut self, end: u64) {
        self.end = end;
    }

    /// Adds the characters of well-formed UTF-8.
    pub fn push_text(&mut self, text: &[u8]) {
        let mut from = text.len();
        while let Some(at) = text[..from].iter().rposition(|&byte| is_first_byte(byte)) {
            from = at;
            if !char::from_u32(decode(&text[at..]).0).is_some_and(|c| self.is_special(c)) {
                // The characters before this one have no influence on those after it.
                self.state = NO_CLUSTER;
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
        let class = self.class(c);
        self.push_class(class)
    }

    /// Adds a character of a [class](Self::class).
    #[inline]
    pub fn push_class(&mut self, class: u8) -> bool {
        let step = self.rules.step(self.state, class);
        self.state = step & !JOINED;
        step & JOINED != 0
    }

    /// Returns `true` for a character that may continue a cluster of another one, or be continued by
    /// one that is not special or is equal.
    #[inline]
    pub fn is_special(&mut self, c: char) -> bool {
        match self.classes.get(c) {
            // Text without special characters needs no classes.
            None if !may_be_special(c) => false,
            _ => {
                let class = self.class(c);
                self.rules.is_special(class)
            }
        }
    }

    /// Returns the class of a character.
    #[inline]
    pub fn class(&mut self, c: char) -> u8 {
        self.classes.get(c).unwrap_or_else(|| self.new_class(c))
    }

    /// Finds the class of a character.
    #[cold]
    fn new_class(&mut self, c: char) -> u8 {
        let class = match representative(c) {
            same if same == c => self.rules.class(c),
            other => self.class(other),
        };
        self.classes.set(c, class);
        class
    }
}

/// Returns `false` for a character that is not special.
#[cold]
fn may_be_special(c: char) -> bool {
    !are_plain(c.into()..=c.into()) && character_answers(&CHARACTER_PROBES[..SPECIAL], c) != 0
}

/// Returns a character that behaves in the same way, and is the same for many. A carriage return before
/// a line feed is a character of its own.
fn representative(c: char) -> char {
    match c as u32 {
        _ if c.is_control() => '\0',
        // Syllables without and with a final consonant: Unicode, section 3.12.
        value @ 0xAC00..=0xD7A3 if (value - 0xAC00).is_multiple_of(28) => '가',
        0xAC00..=0xD7A3 => '각',
        value => like(value).unwrap_or(c),
    }
}

/// The rules of UAX #29, asked of the library step by step: a finite automaton.
///
/// Characters about which the library gives the same answers are a class, and so are clusters a state.
/// If a later version of the library tells too many apart, the last class or state is that of all
/// further ones.
#[derive(Debug)]
struct ClusterRules {
    classes: Vec<CharClass>,
    states: Vec<ClusterState>,
    /// For each state, the next state for each class, with [`JOINED`] if a character of it continues the
    /// cluster; [`UNKNOWN`] at first.
    steps: Vec<[u8; MOST_CLASSES]>,
}

/// A class of characters.
#[derive(Debug)]
struct CharClass {
    /// The answers to [`CHARACTER_PROBES`].
    answers: u16,
    /// One of the characters.
    c: char,
}

/// A state: clusters that the same characters continue.
#[derive(Debug)]
struct ClusterState {
    /// The answers to [`CLUSTER_PROBES`].
    answers: u16,
    /// One of the clusters.
    text: String,
    /// True if characters that are not special may continue it.
    is_open: bool,
}

/// The bit of a step to a longer cluster.
const JOINED: u8 = 1 << 7;
/// A step that was not asked for.
const UNKNOWN: u8 = u8::MAX;
/// The largest number of states.
const MOST_STATES: usize = (UNKNOWN & !JOINED) as usize;

/// The state before any character.
const NO_CLUSTER: u8 = 0;
/// The state after the letter `a`.
const LETTER: u8 = 1;

/// Texts with a character in place of each `_`. Whether the last character continues a cluster tells
/// the classes apart.
const CHARACTER_PROBES: [&str; 16] = [
    "a_",
    "가_",
    "_a",
    "__",
    // Hangul, and marks on any character.
    "_\u{301}",
    "\u{1100}_",
    "각_",
    "_\u{1161}",
    "_\u{11A8}",
    // Consonants of a conjunct, the virama between them, and other characters there.
    "_\u{94D}क",
    "क_क",
    "क\u{94D}_क",
    // Pictographs, the joiner between them, and other characters there.
    "_\u{200D}👩",
    "👩_👩",
    "👩_\u{200D}👩",
    // Flags.
    "\u{1F1E9}_",
];

/// The number of the first of them, which tell special characters.
const SPECIAL: usize = 4;

/// Texts after a cluster. Whether the last character continues it tells the states apart.
const CLUSTER_PROBES: [&str; 10] = [
    "a",
    "가",
    "क",
    "👩",
    "\u{301}",
    "\u{1161}",
    "\u{11A8}",
    "\u{94D}क",
    "\u{200D}👩",
    "\u{1F1E9}",
];

/// The number of the first of them, which tell open clusters.
const OPEN: usize = 4;

impl Default for ClusterRules {
    fn default() -> ClusterRules {
        let mut rules = ClusterRules { classes: Vec::new(), states: Vec::new(), steps: Vec::new() };
        for text in ["", "a"] {
            rules.state(text.to_owned());
        }
        rules
    }
}

impl ClusterRules {
    /// Returns the class of a character.
    fn class(&mut self, c: char) -> u8 {
        let answers = character_answers(&CHARACTER_PROBES, c);
        let known = self.classes.iter().position(|class| class.answers == answers);
        let class = known.unwrap_or_else(|| {
            self.classes.push(CharClass { answers, c });
            self.classes.len() - 1
        });
        class.min(MOST_CLASSES - 1) as u8
    }

    /// Returns `true` for a class of special characters.
    fn is_special(&self, class: u8) -> bool {
        is_any(self.classes[usize::from(class)].answers, SPECIAL)
    }

    /// Returns the state of a cluster.
    fn state(&mut self, text: String) -> u8 {
        let answers = answers(&CLUSTER_PROBES, |longer, probe| longer.extend([&text, probe]));
        let known = self.states.iter().position(|state| state.answers == answers);
        let state = known.unwrap_or_else(|| {
            self.states.push(ClusterState { answers, text, is_open: is_any(answers, OPEN) });
            self.steps.push([UNKNOWN; _]);
            self.states.len() - 1
        });
        state.min(MOST_STATES - 1) as u8
    }

    /// Returns the step from a state with a character of a class.
    #[inline]
    fn step(&mut self, state: u8, class: u8) -> u8 {
        match self.steps[usize::from(state)][usize::from(class)] {
            UNKNOWN => self.new_step(state, class),
            step => step,
        }
    }

    /// Finds the step from a state with a character of a class.
    #[cold]
    fn new_step(&mut self, state: u8, class: u8) -> u8 {
        let (text, c) = (&self.states[usize::from(state)].text, self.classes[usize::from(class)].c);
        let longer = format!("{text}{c}");
        let joined = is_last_joined(&longer);
        let next = self.state(if joined { longer } else { c.to_string() });
        let step = if joined { next | JOINED } else { next };
        self.steps[usize::from(state)][usize::from(class)] = step;
        step
    }
}

/// Returns the answers to probes of a character.
fn character_answers(probes: &[&str], c: char) -> u16 {
    answers(probes, |text, probe| {
        text.extend(probe.chars().map(|place| if place == '_' { c } else { place }));
    })
}

/// Returns a bit for each probe: whether the last character of its text, which `write` appends,
/// continues a cluster.
fn answers(probes: &[&str], write: impl Fn(&mut String, &str)) -> u16 {
    let mut text = String::new();
    (0..).zip(probes).fold(0, |bits, (at, probe)| {
        text.clear();
        write(&mut text, probe);
        bits | u16::from(is_last_joined(&text)) << at
    })
}

/// Returns `true` if one of the first answers is yes.
fn is_any(answers: u16, first: usize) -> bool {
    answers & ((1 << first) - 1) != 0
}

/// Returns `true` if the last character of a text continues a cluster.
fn is_last_joined(text: &str) -> bool {
    let Some((seam, _)) = text.char_indices().next_back() else { return false };
    seam > 0 && GraphemeCursor::new(seam, text.len(), true).is_boundary(text, 0) == Ok(false)
}

#[cfg(test)]
mod tests {
    use unicode_segmentation::UnicodeSegmentation;

    use super::super::classes::PLAIN;
    use super::*;

    #[test]
    fn clusters_are_those_of_the_library() {
        // One character of each kind that the rules of UAX #29 tell apart, some twice, and all others
        // that may be special.
        let kinds = "a\n\u{7F}é\u{301}\u{200D}\u{200B}\u{600}\u{1F1E9}\u{1F1EA}\u{1100}\u{1161}\
                     \u{11A8}가각👩💻\u{1F3FD}\u{FE0F}\u{903}\u{915}\u{94D}\u{937}日\u{E33}\u{E0067}";
        let kinds: Vec<char> = kinds.chars().collect();
        let is_other =
            |c: &char| !are_plain(u32::from(*c)..=u32::from(*c)) && !matches!(c, '\r' | '\n');
        let others = ('\0'..='\u{1FFFF}').chain('\u{E0000}'..='\u{E0FFF}');
        let mut others = others.step_by(crate::TEST_CHAR_STRIDE).filter(is_other).peekable();
        let mut random = 1_u64;
        let mut tracker = ClusterTracker::default();
        while others.peek().is_some() {
            let mut text = String::new();
            for at in 0..12 {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let other = if at % 4 == 1 { others.next() } else { None };
                text.push(other.unwrap_or(kinds[(random >> 33) as usize % kinds.len()]));
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
            // Text at once is as its characters one by one are, after any others.
            let seam = |chars| text.char_indices().nth(chars).map_or(0, |(at, _)| at);
            let (first, second) = (seam((random >> 33) as usize % 8), seam(8));
            tracker.clear(0);
            text[..first].chars().for_each(|c| _ = tracker.push(c));
            tracker.push_text(&text.as_bytes()[first..second]);
            for (at, c) in text[second..].char_indices() {
                assert_eq!(!tracker.push(c), expected.contains(&(second + at)), "{text:?}");
            }
        }
        assert!(tracker.rules.classes.len() < MOST_CLASSES);
        assert!(tracker.rules.states.len() < MOST_STATES);
    }

    #[test]
    fn too_many_classes_and_states_share_the_last() {
        let mut tracker = ClusterTracker::default();
        // No character or cluster has these answers.
        let answers = u16::MAX;
        let class = |_| CharClass { answers, c: '🇩' };
        tracker.rules.classes = (0..MOST_CLASSES).map(class).collect();
        let state = |_| ClusterState { answers, text: String::new(), is_open: false };
        tracker.rules.states.extend((0..MOST_STATES).map(state));
        tracker.rules.steps.resize(tracker.rules.states.len(), [UNKNOWN; _]);
        for c in "e\u{301}e\u{301}🇩🇪".chars() {
            tracker.push(c);
            assert_eq!(tracker.classes.get(c).map(usize::from), Some(MOST_CLASSES - 1));
            assert_eq!(usize::from(tracker.state), MOST_STATES - 1);
        }
    }

    #[test]
    fn characters_behave_like_their_representatives() {
        let blocks = PLAIN.into_iter().flat_map(|(block, _)| block);
        for c in blocks.step_by(crate::TEST_CHAR_STRIDE).chain(0..=0x20).chain(0x7F..=0x9F) {
            let Some(c) = char::from_u32(c).filter(|c| !matches!(c, '\r' | '\n')) else { continue };
            let all = |c: char| character_answers(&CHARACTER_PROBES, c);
            assert_eq!(all(c), all(representative(c)), "{c:?}");
        }
    }

    #[test]
    fn plain_characters_are_boundaries() {
        // One character of each class that the rules of UAX #29 tell apart, but CR before LF.
        let neighbours = "a\r\n\u{7F}\u{301}\u{200D}\u{600}\u{1F1E9}\u{1100}\u{1161}\u{11A8}가각\
                          👩\u{1F3FD}\u{903}\u{915}\u{94D}";
        let joins = |before: char, c: char| is_last_joined(&format!("{before}{c}"));
        let mut tracker = ClusterTracker::default();
        let chars = ('\0'..=char::MAX).step_by(crate::TEST_CHAR_STRIDE);
        let plain: Vec<char> = chars.filter(|&c| !tracker.is_special(c)).collect();
        assert!(plain.len() > 1_000_000 / crate::TEST_CHAR_STRIDE);
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
    fn a_cluster_without_end_has_bounded_memory() {
        let mut tracker = ClusterTracker::default();
        assert!(!tracker.push('e'));
        for _ in 0..10_000 {
            assert!(tracker.push('\u{301}'));
        }
        assert!(tracker.rules.states.len() < 10);
        assert!(!tracker.push('e'));
        // The end of a long emoji sequence still joins.
        tracker.push('👩');
        (0..1_000).for_each(|_| assert!(tracker.push('\u{FE0F}')));
        assert!(tracker.push('\u{200D}') && tracker.push('💻'));
        for _ in 0..1_000 {
            assert!(tracker.push('\u{200D}') && tracker.push('👩'));
        }
        // One cluster in UAX #29, two characters to most readers.
        assert!(!tracker.push('\r') && !tracker.push('\n'));
    }
}
