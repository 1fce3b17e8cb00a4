//! Sequences with a lost byte: whether the restored character is the only one that fits.
//!
//! A blank after a lead byte is a damaged no-break space, or a blank after a byte that was dropped
//! because the page does not map it. Both readings are common, and the second one keeps the words
//! apart.

use std::collections::BTreeSet;
use std::ops::Range;

use super::characters::NeighbourClass::{self, Combining, Lower, Upper};
use super::characters::{CharTraits, LetterScript};
use super::line::{LineContext, TextLine};
use super::oddity::RARE;
use super::pages::BLANK;
use super::reading::AlphabetCounts;
use super::sequence::{DoubleSequence, GRAVE, QUOTE};

impl TextLine {
    /// Returns `true` if a sequence at `at` with a lost byte, after the characters `before`, has no
    /// other reading that fits.
    pub fn is_only_reading(
        &mut self,
        page: usize,
        at: usize,
        sequence: &DoubleSequence,
        before: [char; 2],
        context: &LineContext<'_>,
    ) -> bool {
        let read = at..at + sequence.len;
        if self.chars[read.clone()].contains(&char::REPLACEMENT_CHARACTER) {
            // „ and ‘ may have lost their last byte, too, but precede a word.
            let next = self.chars.get(read.end).copied().unwrap_or('\n');
            let closes = !matches!(before[1], BLANK | '\n') && !CharTraits::of(next).is_letter();
            return sequence.value != QUOTE || closes;
        }
        let end = at + sequence.value.len_utf8();
        let ends_in_blank = self.chars.get(end - 1) == Some(&BLANK);
        let may_be_dropped =
            ends_in_blank && !self.shows_lost_bytes() && !context.pages.lost[page].is_empty();
        !may_be_dropped || self.is_no_break_space(page, at..end, sequence.value, before, context)
    }

    /// Returns `true` if the blank that ends the sequence in `part` is certainly a no-break space, so
    /// that the sequence is `value`: none stands between words there, or no other character fits.
    fn is_no_break_space(
        &mut self,
        page: usize,
        part: Range<usize>,
        value: char,
        before: [char; 2],
        context: &LineContext<'_>,
    ) -> bool {
        let behind = &self.chars[part.end..];
        let next = match context.pages.sequence(page, behind, |_| ('\n', "")) {
            Some(next) => next.value,
            None => behind.first().copied().unwrap_or('\n'),
        };
        let [far, near] = before.map(CharTraits::of);
        let is_number = value.is_numeric() && next.is_numeric() && !near.is_letter();
        if is_number || is_within_word(next) {
            return true;
        }
        let in_capitals = [far, CharTraits::of(next)].iter().any(|one| one.class == Upper);
        let fits = |&value: &char| {
            let traits = CharTraits::of(value);
            traits.rarity < RARE && fits_case(near.class, traits.class, in_capitals)
        };
        let known = &self.chars[part.start..part.end - 1];
        // The same letter in small is no word of its own.
        let is_other = |other: &char| near.is_letter() || !other.to_uppercase().eq([value]);
        let others = context.pages.restorations(page, known).filter(fits).filter(is_other);
        let others: Vec<_> = others.collect();
        if others.is_empty() || !fits(&value) {
            return fits(&value);
        }
        let is_latin = |&value: &char| CharTraits::of(value).script == LetterScript::Latin;
        if !others.iter().chain([&value]).all(is_latin) {
            return false;
        }
        // Several letters: the one of the language that has the other letters of the line.
        let counts = self.alphabet_counts(page, context);
        let most = others.iter().map(|&other| counts.of(other)).max().unwrap_or_default();
        let own = counts.of(value);
        // As a word, à is much more frequent than any capital.
        let is_word =
            value == GRAVE && !near.is_letter() && others.iter().all(|c| c.is_uppercase());
        own > most || own == most && is_word
    }

    /// Returns `true` if a character of the line stands for a byte that no page maps, so that such
    /// bytes were not dropped.
    fn shows_lost_bytes(&mut self) -> bool {
        let stands_for_byte = |value: &char| matches!(value, '\u{80}'..='\u{9F}' | '\u{FFFD}');
        let line = &self.chars[self.from..];
        *self.shows_lost_bytes.get_or_insert_with(|| line.iter().any(stands_for_byte))
    }

    /// Returns the number of letters of each alphabet in the line, read in a page.
    fn alphabet_counts(&mut self, page: usize, context: &LineContext<'_>) -> AlphabetCounts {
        if let Some(counts) = self.alphabets[page] {
            return counts;
        }
        let mut letters = BTreeSet::new();
        let mut rest = &self.chars[self.from..];
        while let [first, ..] = *rest {
            let sequence = context.pages.sequence(page, rest, |_| ('\n', ""));
            let (value, len) = sequence.map_or((first, 1), |one| (one.value, one.len));
            if sequence.is_none_or(|one| !one.lossy) {
                letters.insert(value);
            }
            rest = &rest[len..];
        }
        let counts = AlphabetCounts::of_letters(letters);
        self.alphabets[page] = Some(counts);
        counts
    }
}

/// Returns `true` for a character that starts no word.
fn is_within_word(value: char) -> bool {
    let is_vowel_sign = matches!(value, '\u{E30}'..='\u{E3A}' | '\u{E45}'..='\u{E4E}' | '\u{FE0F}');
    is_vowel_sign || CharTraits::of(value).class == Combining
}

/// Returns `true` if a character of the class `last` may end a word after one of the class `near`.
fn fits_case(near: NeighbourClass, last: NeighbourClass, in_capitals: bool) -> bool {
    match (near, last) {
        (Lower, Upper) => false,
        (Upper, Upper) => in_capitals,
        (Upper, Lower) => !in_capitals,
        _ => true,
    }
}
