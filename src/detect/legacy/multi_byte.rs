//! Costs of texts in multi-byte sets.

use std::mem;

use super::alphabets::rank_alphabetic;
use super::drawings::without_drawings;
use super::east_asian::{
    HALF_WIDTH_KATAKANA, HANGUL, HIRAGANA, IDEOGRAPH, KATAKANA, LATIN, alphabet, class,
    has_mixed_word, is_isolated, is_listed, is_lone_mark,
};
use super::model::{BIT, CLASSES, Ideographic, Model, east_asian_bits};
use super::pages::{DetectedSet, SETS};
use super::pairs::Pairs;
use super::sample::LegacySample;
use super::symbols::EnglishCosts;
use super::unit_text::{BLANK, decode, decode_window};
use super::{CandidateText, LegacyCandidate, RankedCandidate, ranked};
use crate::registry::{Encoding, by_name};

/// U+201C and U+201D.
const OPENING: u16 = 0x201C;
const CLOSING: u16 = 0x201D;

/// U+000A.
const LINE_FEED: u16 = 0xA;

/// The cost of a multi-byte set, chosen by hand: one in four texts beyond ASCII is in one.
const SET_COST: i64 = 2 * BIT;

/// The cost of a Greek or Cyrillic letter after another of its alphabet: one of 32 that are equally
/// likely. The tables have such letters as single signs.
const LETTER: i64 = 5 * BIT;

/// The least number of letters after another of their alphabet that are read as words. Chosen by hand.
const LEAST_LETTERS: i64 = 6;

/// The language whose kana the sets of other languages have, too.
const JAPANESE: &str = "ja";

/// The further cost of Japanese in such a set, chosen by hand: one in 256 of its texts is in Japanese.
const FOREIGN_KANA: i64 = 8 * BIT;

/// The cost of a sequence cut at the end, and of each of its bytes, because they are not part of the text:
/// that of a byte under the hypothesis of noise.
const CUT: i64 = 8 * BIT;

/// The cost of an isolated character among ASCII, chosen by hand: a sign such as ° or a letter in a
/// name in a code page is likelier.
const ISOLATED: i64 = 10 * BIT;

/// The number of isolated characters that a lone mark costs as much as, in text without a letter of the
/// set's scripts. Chosen by hand: with one, `23°C` of Mac OS Roman, twice in a text, was Big5 at 81 %.
const LONE_MARK: i64 = 2;

/// The most isolated characters that count in a list of characters, chosen by hand. A code page reads
/// such a list as words of two letters, which is as odd. A cut sequence alone counts as much.
const MOST_ISOLATED: i64 = 4;

/// The further cost of a rare set, chosen by hand: one in 64 texts in a set is in one.
const RARE_SET: i64 = 6 * BIT;

/// The number of different characters below which a text is in no rare set.
const LEAST_RARE: i64 = 4;

/// Returns the candidates among the multi-byte sets in which the sample is well formed, each with its
/// best language, the cheapest first.
pub(super) fn rank_sets(
    model: &Model,
    sample: &LegacySample,
    pairs: &Pairs,
) -> Vec<RankedCandidate> {
    rank_some(model, sample, pairs, |at| SETS[at].rare.is_none())
}

/// As [`rank_sets`], for the sets that are no candidates.
pub(super) fn rank_rare_sets(
    model: &Model,
    sample: &LegacySample,
    pairs: &Pairs,
) -> Vec<RankedCandidate> {
    let is_wanted = |at: usize| SETS[at].rare.is_some() && sample.has_all_pairs(at);
    rank_some(model, sample, pairs, is_wanted)
}

/// Returns the candidates among these sets, by their indices, the cheapest first.
fn rank_some(
    model: &Model,
    sample: &LegacySample,
    pairs: &Pairs,
    is_wanted: impl Fn(usize) -> bool,
) -> Vec<RankedCandidate> {
    let mixture = pairs.mixture_cost(pairs.words(|byte| byte >= 0x80));
    let lone = sample.windows().map(lone_pairs).sum::<usize>() as i64 * ISOLATED;
    let reader =
        SetReader { model, english: EnglishCosts::of(model), sample, pairs, mixture, lone };
    let is_ranked = |&at: &usize| sample.is_well_formed_in(at) && is_wanted(at);
    let wanted = (0..SETS.len()).filter(is_ranked);
    let mut sets: Vec<_> = wanted.filter_map(|at| reader.candidate(at)).collect();
    sets.sort_by_key(|one| one.candidate.cost);
    sets
}

/// Reads a sample in multi-byte sets.
struct SetReader<'a> {
    model: &'a Model,
    english: EnglishCosts<'a>,
    sample: &'a LegacySample,
    pairs: &'a Pairs<'a>,
    /// The cost of the number of words beyond ASCII, in any set.
    mixture: i64,
    /// The cost of all [lone pairs](lone_pairs), in any set.
    lone: i64,
}

impl SetReader<'_> {
    /// Returns the candidate for the set at an index, in its likeliest language. `None` if the text has
    /// too few characters for a rare set.
    fn candidate(&self, at: usize) -> Option<RankedCandidate> {
        let (set, sample) = (&SETS[at], self.sample);
        let encoding = by_name(set.name);
        let text = decode(encoding, sample.windows());
        let counts = TextCounts::of(&text);
        if set.rare.is_some() && counts.distinct < LEAST_RARE {
            return None;
        }
        let (east_asian, language) = self.east_asian(set, &counts)?;
        // A letter of a word in a code page is no Latin letter of a set.
        let rank = || rank_alphabetic(self.model, encoding, &text, self.pairs);
        // The tables have Greek and Cyrillic letters as single signs, so that their cost tells nothing
        // of words: text with words has the cost of its language, even if it is higher.
        let has_words = counts.letters >= LEAST_LETTERS;
        let is_better = |one: &LegacyCandidate| has_words || one.cost < east_asian;
        let may_be_words = self.lone == 0 && (has_words || !has_mixed_word(&text));
        let alphabetic = may_be_words.then(rank).flatten().filter(is_better);
        let (text_cost, language) =
            alphabetic.map_or((east_asian, language), |one| (one.cost, one.language));
        let cut = sample.cut_len(at);
        let cost = text_cost + set_cost(set) + cut_cost(cut);
        let codec = match set.superset {
            // Other tools do not accept sequences of four bytes in GBK.
            Some(superset) if set.has_four_bytes && sample.has_four_byte_sequence() => {
                by_name(superset)
            }
            _ => encoding,
        };
        Some(ranked(codec, language, cost, CandidateText::Set(text, cut), None))
    }

    /// Returns the cost of a text in the likeliest East Asian language, without that of the set, and the
    /// language.
    fn east_asian(&self, set: &DetectedSet, counts: &TextCounts) -> Option<(i64, &'static str)> {
        let is_own = |one: &Ideographic| set.languages.contains(&one.name);
        let has_kana = counts.has_kana();
        let is_possible = |one: &&Ideographic| is_own(one) || has_kana && one.name == JAPANESE;
        let languages = self.model.ideographic.iter().filter(is_possible);
        let foreign = |one: &Ideographic| if is_own(one) { 0 } else { FOREIGN_KANA };
        let cost = |one: &Ideographic| (counts.cost(one) + foreign(one), one.name);
        let (cost, language) = languages.map(cost).min()?;
        let ascii = self.pairs.scale_ascii(counts.ascii_cost(&self.english));
        Some((cost + ascii + self.mixture + self.lone, language))
    }
}

/// Returns the cost of a multi-byte set, whatever the text.
pub(super) fn set_cost(set: &DetectedSet) -> i64 {
    SET_COST + if set.rare.is_some() { RARE_SET } else { 0 }
}

/// The quotation marks “ and ” in Shift_JIS, which end in ASCII letters.
const QUOTES: [[u8; 2]; 2] = [*b"\x81g", *b"\x81h"];

/// Returns the number of pairs whose second byte is an ASCII letter, before another ASCII byte, that
/// are two characters of a code page rather than one of a set: a letter of a word and the next, or the
/// sign of degrees after a number and its unit.
fn lone_pairs(window: &[u8]) -> usize {
    let mut is_quoted = false;
    // A closing mark and `…` are not before a letter; `TextCounts::of` has the same rule.
    let is_before_letter = |after: &[u8]| after.first().is_some_and(u8::is_ascii_alphabetic);
    let is_lone = |at: &usize| {
        let (before, [lead, trail, after @ ..]) = window.split_at(*at) else { return false };
        if lead.is_ascii()
            || !trail.is_ascii_alphabetic()
            || !after.first().is_none_or(u8::is_ascii)
        {
            return false;
        }
        let is_apostrophe = [*lead, *trail] == *b"\x81f";
        let is_ellipsis = [*lead, *trail] == *b"\x81c" && !is_before_letter(after);
        let is_within_word =
            before.last().is_some_and(u8::is_ascii_alphabetic) && !is_apostrophe && !is_ellipsis;
        match QUOTES.iter().position(|quote| *quote == [*lead, *trail]) {
            Some(0) => is_quoted = !is_within_word,
            Some(_) if mem::take(&mut is_quoted) && !is_before_letter(after) => return false,
            _ => {}
        }
        let number = before.strip_suffix(b" ").unwrap_or(before).last();
        let is_unit = matches!(trail, b'C' | b'F') && number.is_some_and(u8::is_ascii_digit);
        is_within_word || is_unit
    };
    (0..window.len()).filter(is_lone).count()
}

/// Returns the cost of a cut sequence of this many bytes at the end.
fn cut_cost(bytes: usize) -> i64 {
    if bytes == 0 { 0 } else { CUT * (1 + bytes as i64) }
}

/// Returns the cost of each character of lines beyond ASCII, in the language in which it is most
/// frequent. `None` if the lines are ill-formed in the set.
pub(super) fn character_costs(codec: &Encoding, lines: &[u8]) -> Option<Vec<i64>> {
    let mut text = vec![BLANK];
    if !decode_window(codec, lines, &mut text) {
        return None;
    }
    text.push(BLANK);
    let cost = |text: &[u16]| {
        let unit = text[1];
        let frequency =
            east_asian_bits(unit).map_or(Ideographic::UNSEEN, |bits| i64::from(bits) * BIT);
        let is_isolated = is_isolated(class(text[0]), (unit, class(unit)), class(text[2]));
        frequency + if is_isolated { ISOLATED } else { 0 }
    };
    let mut costs: Vec<i64> = text.windows(3).filter(|text| text[1] >= 0x80).map(cost).collect();
    costs.extend(std::iter::repeat_n(ISOLATED, lone_pairs(lines)));
    Some(costs)
}

/// Counts of the pairs and characters of a text.
struct TextCounts {
    /// The pairs of ASCII characters.
    ascii: Vec<[u8; 2]>,
    /// The number of other pairs, by the classes of their characters.
    classes: [[i64; CLASSES]; CLASSES],
    /// The number of each code point beyond ASCII.
    characters: Vec<u16>,
    /// The number of characters beyond ASCII.
    non_ascii: i64,
    /// The number of different characters beyond ASCII.
    distinct: i64,
    /// The number of Greek and Cyrillic letters after another of their alphabet. The other counts
    /// leave them out.
    letters: i64,
    /// The number of isolated characters.
    isolated: i64,
    /// The number of [lone marks](is_lone_mark).
    lone_marks: i64,
    /// The number of ideographs and syllables between ASCII other than letters and digits.
    listed: i64,
    /// The cost of the box drawings, which the other counts [leave out](without_drawings).
    drawings: i64,
}

impl TextCounts {
    /// Counts the pairs of a text, as if a space stood before it.
    fn of(text: &[u16]) -> TextCounts {
        let mut counts = TextCounts {
            ascii: Vec::new(),
            classes: [[0; CLASSES]; CLASSES],
            characters: vec![0; 1 << 16],
            non_ascii: 0,
            distinct: 0,
            letters: 0,
            isolated: 0,
            lone_marks: 0,
            listed: 0,
            drawings: 0,
        };
        let (text, drawings) = without_drawings(text);
        counts.drawings = drawings;
        let (mut last, mut is_further) = (None, false);
        let (mut second, mut before) = (class(BLANK), (BLANK, class(BLANK)));
        let mut is_quoted = false;
        for (at, &unit) in text.iter().enumerate() {
            let is_before_letter = || text.get(at + 1).is_some_and(|&next| class(next) == LATIN);
            match unit {
                OPENING => is_quoted = true,
                LINE_FEED => is_quoted = false,
                // A quotation has both marks: the second one, which is not before a letter, costs nothing.
                CLOSING if mem::take(&mut is_quoted) && !is_before_letter() => continue,
                _ => {}
            }
            let next = (unit, class(unit));
            counts.isolated += i64::from(at >= 2 && is_isolated(second, before, next.1));
            counts.lone_marks += i64::from(at >= 1 && is_lone_mark(second, before, next.1));
            counts.listed += i64::from(at >= 1 && is_listed(second, before.1, next.1));
            let letter = alphabet(unit);
            let ends_word = is_further && unit < 0x80;
            is_further = letter.is_some() && letter == last;
            if unit >= 0x80 {
                last = letter;
            }
            if is_further {
                counts.letters += 1;
            } else if ends_word {
                // The cost of letters includes the end.
            } else if before.0 < 0x80 && unit < 0x80 {
                counts.ascii.push([before.0 as u8, unit as u8]);
            } else {
                counts.classes[before.1][next.1] += 1;
                if unit >= 0x80 {
                    let number = &mut counts.characters[usize::from(unit)];
                    *number += 1;
                    counts.distinct += i64::from(*number == 1);
                    counts.non_ascii += 1;
                }
            }
            (second, before) = (before.1, next);
        }
        counts
    }

    /// Returns `true` if the text has characters of these classes.
    fn has(&self, classes: &[usize]) -> bool {
        classes.iter().any(|&class| self.classes.iter().any(|row| row[class] > 0))
    }

    /// Returns `true` if the text has hiragana or katakana.
    fn has_kana(&self) -> bool {
        self.has(&[HIRAGANA, KATAKANA])
    }

    /// Returns the cost of the ASCII pairs.
    fn ascii_cost(&self, english: &EnglishCosts) -> i64 {
        self.ascii.iter().map(|&pair| english.cost(pair)).sum()
    }

    /// Returns the cost of the other pairs in a language, and of the language.
    fn cost(&self, language: &Ideographic) -> i64 {
        let pairs = self.classes.as_flattened().iter().zip(language.pairs);
        let pairs: i64 = pairs.map(|(number, &cost)| number * i64::from(cost)).sum();
        let isolated = match self.non_ascii + self.letters {
            // A cut sequence alone may as well be a character of any code page.
            0 if self.drawings == 0 => MOST_ISOLATED,
            all if all == self.listed && self.distinct > MOST_ISOLATED => {
                self.isolated.min(MOST_ISOLATED)
            }
            // Among characters of the language, a mark may follow a number.
            _ if self.has(&[HIRAGANA, KATAKANA, HALF_WIDTH_KATAKANA, IDEOGRAPH, HANGUL]) => {
                self.isolated
            }
            _ => self.isolated + LONE_MARK * self.lone_marks,
        };
        pairs
            + language.characters(&self.characters, self.non_ascii, self.distinct)
            + i64::from(language.cost)
            + self.letters * LETTER
            + self.drawings
            + isolated * ISOLATED
    }
}
