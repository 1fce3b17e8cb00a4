//! Words with bytes beyond ASCII.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// The most words that are kept.
const MOST_WORDS: usize = 96;

/// The most bytes of a word from its first byte beyond ASCII on. Longer ones are split, because some
/// languages have no spaces.
const LONGEST: usize = 16;

/// A word: adjacent ASCII letters and bytes beyond ASCII, of which there is one at least.
#[derive(Clone, Copy)]
pub(super) struct Word<'a> {
    /// The bytes, with the one before and the one after the word.
    pub bytes: &'a [u8],
    /// The number of occurrences. The sample drops words that return, but not parts of text without
    /// spaces, which multi-byte sets count as often.
    pub count: i64,
}

/// Estimates the number of different words with bytes beyond ASCII in a text of this length in bytes.
pub(super) fn usual_words(len: usize) -> usize {
    len / 16
}

/// Counts of words, in the order of their first occurrence.
pub(super) struct WordCounts<'a> {
    words: Vec<Word<'a>>,
    /// The index of each word.
    index: HashMap<&'a [u8], usize>,
}

impl<'a> WordCounts<'a> {
    /// Creates counts with room for the words of a text of this length in bytes.
    pub fn with_room_for(len: usize) -> WordCounts<'a> {
        WordCounts { words: Vec::new(), index: HashMap::with_capacity(usual_words(len)) }
    }

    /// Counts a word.
    pub fn add(&mut self, bytes: &'a [u8]) {
        match self.index.entry(bytes) {
            Entry::Occupied(at) => self.words[*at.get()].count += 1,
            Entry::Vacant(new) => {
                new.insert(self.words.len());
                self.words.push(Word { bytes, count: 1 });
            }
        }
    }

    /// Returns the most frequent words, and the others.
    pub fn into_frequent(mut self) -> (Vec<Word<'a>>, Vec<Word<'a>>) {
        self.words.sort_by_key(|word| -word.count);
        let others = self.words.split_off(self.words.len().min(MOST_WORDS));
        (self.words, others)
    }
}

/// A part of [joined windows](join_windows).
pub(super) enum WindowPart<'a> {
    /// The bytes of a word, with the one before and the one after it.
    Word(&'a [u8]),
    /// The bytes between words.
    Between(&'a [u8]),
}

/// Joins windows, with a space before, between and after them.
pub(super) fn join_windows<'a>(windows: impl IntoIterator<Item = &'a [u8]>) -> Vec<u8> {
    let mut text = vec![b' '];
    for window in windows {
        text.extend_from_slice(window);
        text.push(b' ');
    }
    text
}

/// Splits [joined windows](join_windows) into words and the bytes between them. Neighbours share a byte,
/// so that each pair of bytes is in one of them.
pub(super) fn split_words<'a>(text: &'a [u8], mut receive: impl FnMut(WindowPart<'a>)) {
    let mut rest = 0;
    while let Some(high) = text[rest..].iter().position(|byte| !byte.is_ascii()) {
        let high = rest + high;
        let before = text[rest..high].iter().rposition(|byte| !is_in_word(byte));
        let start = before.map_or(rest, |before| rest + before);
        let longest = (high + LONGEST).min(text.len() - 1);
        let after = text[high..longest].iter().position(|byte| !is_in_word(byte));
        let end = after.map_or(longest, |after| high + after);
        receive(WindowPart::Between(&text[rest..=start]));
        receive(WindowPart::Word(&text[start..=end]));
        rest = end;
    }
    receive(WindowPart::Between(&text[rest..]));
}

/// Returns `true` if a byte is a letter, or beyond ASCII.
pub(super) fn is_in_word(byte: &u8) -> bool {
    byte.is_ascii_alphabetic() || !byte.is_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the words of joined windows, and the bytes between them.
    fn split(text: &[u8]) -> (Vec<Word<'_>>, Vec<&[u8]>) {
        let (mut counts, mut between) = (WordCounts::with_room_for(text.len()), Vec::new());
        split_words(text, |part| match part {
            WindowPart::Word(bytes) => counts.add(bytes),
            WindowPart::Between(bytes) => between.push(bytes),
        });
        (counts.words, between)
    }

    #[test]
    fn words_have_their_neighbours() {
        let text = join_windows([&b"a (caf\xE9) \xE9t\xE9"[..]]);
        let (words, between) = split(&text);
        let words: Vec<_> = words.into_iter().map(|word| word.bytes).collect();
        assert_eq!(words, [&b"(caf\xE9)"[..], b" \xE9t\xE9 "]);
        assert_eq!(between, [&b" a ("[..], b") ", b" "]);
    }

    #[test]
    fn each_pair_is_in_a_word_or_between() {
        let long = b"x\xE9".repeat(40);
        let windows: [&[u8]; 6] = [b"", b"\xE9", b"plain", b"\xE9a\xE9 \xE9", &long, b"a.b\xFFc!"];
        for window in windows {
            let text = join_windows([window]);
            let (words, between) = split(&text);
            let in_words: usize =
                words.iter().map(|word| word.count as usize * (word.bytes.len() - 1)).sum();
            let outside: usize = between.iter().map(|bytes| bytes.len() - 1).sum();
            assert_eq!(in_words + outside, window.len() + 1, "{}", window.escape_ascii());
        }
    }
}
