//! Words with bytes beyond ASCII.

use std::collections::HashMap;

/// The most words that are kept.
const MOST_WORDS: usize = 96;

/// The most bytes of a word from its first byte beyond ASCII on. Longer ones are split, because some
/// languages have no spaces.
const LONGEST: usize = 16;

/// A word: adjacent ASCII letters and bytes beyond ASCII, of which there is one at least.
#[derive(Clone)]
pub(super) struct Word {
    /// The bytes, with the one before and the one after the word.
    pub bytes: Vec<u8>,
    /// The number of occurrences. The sample drops words that return, but not parts of text without
    /// spaces, which multi-byte sets count as often.
    pub count: i64,
}

/// Counts of words, in the order of their first occurrence.
#[derive(Default)]
pub(super) struct WordCounts {
    words: Vec<Word>,
    /// The index of each word.
    index: HashMap<Vec<u8>, usize>,
}

impl WordCounts {
    /// Counts a word.
    fn add(&mut self, bytes: &[u8]) {
        if let Some(&at) = self.index.get(bytes) {
            self.words[at].count += 1;
            return;
        }
        self.index.insert(bytes.to_vec(), self.words.len());
        self.words.push(Word { bytes: bytes.to_vec(), count: 1 });
    }

    /// Counts the words of a window, and calls `between` for the bytes between them.
    pub fn add_window(&mut self, window: &[u8], mut between: impl FnMut(&[u8])) {
        split_words(window, |part| match part {
            WindowPart::Word(bytes) => self.add(bytes),
            WindowPart::Between(bytes) => between(bytes),
        });
    }

    /// Returns the most frequent words, and the others.
    pub fn into_frequent(mut self) -> (Vec<Word>, Vec<Word>) {
        self.words.sort_by_key(|word| -word.count);
        let others = self.words.split_off(self.words.len().min(MOST_WORDS));
        (self.words, others)
    }
}

/// A part of a window.
pub(super) enum WindowPart<'a> {
    /// The bytes of a word, with the one before and the one after it.
    Word(&'a [u8]),
    /// The bytes between words.
    Between(&'a [u8]),
}

/// Splits a window, as if it stood between spaces, into words and the bytes between them. Neighbours
/// share a byte, so that each pair of bytes is in one of them.
pub(super) fn split_words(window: &[u8], mut receive: impl FnMut(WindowPart<'_>)) {
    let text = [b" ", window, b" "].concat();
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

    /// Returns the words of a window, and the bytes between them.
    fn split(window: &[u8]) -> (Vec<Word>, Vec<Vec<u8>>) {
        let (mut counts, mut between) = (WordCounts::default(), Vec::new());
        counts.add_window(window, |bytes| between.push(bytes.to_vec()));
        (counts.words, between)
    }

    #[test]
    fn words_have_their_neighbours() {
        let (words, between) = split(b"a (caf\xE9) \xE9t\xE9");
        let words: Vec<_> = words.into_iter().map(|word| word.bytes).collect();
        assert_eq!(words, [&b"(caf\xE9)"[..], b" \xE9t\xE9 "]);
        assert_eq!(between, [&b" a ("[..], b") ", b" "]);
    }

    #[test]
    fn each_pair_is_in_a_word_or_between() {
        let long = b"x\xE9".repeat(40);
        let windows: [&[u8]; 6] = [b"", b"\xE9", b"plain", b"\xE9a\xE9 \xE9", &long, b"a.b\xFFc!"];
        for window in windows {
            let (words, between) = split(window);
            let in_words: usize =
                words.iter().map(|word| word.count as usize * (word.bytes.len() - 1)).sum();
            let outside: usize = between.iter().map(|bytes| bytes.len() - 1).sum();
            assert_eq!(in_words + outside, window.len() + 1, "{}", window.escape_ascii());
        }
    }
}
