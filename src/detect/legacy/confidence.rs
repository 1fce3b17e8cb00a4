//! Confidence: the probability of a text, from its cost.
//!
//! A cost of `n` bits is a likelihood of 2^-n. The confidence of a text is its likelihood divided by
//! the sum over all texts and one more hypothesis, noise, under which all byte values are equally
//! likely. A short text gets less than that: the rest of the probability stands for encodings that
//! are not ranked, and for chance.
//!
//! Each text counts once, however many codecs decode the input to it. These codecs share one
//! confidence.
//!
//! The constants were fitted on 45,552 excerpts, of 8 to 4,000 characters, from the message catalogues
//! of Cinnamon, GnuPG, glibc, GCC, GTK, GIMP, Inkscape and GnuCash in 68 languages, which are no
//! sources of the models. They were checked on the samples of chardet 5.2, and on 52,764 excerpts from
//! the messages of Firefox in 78 languages.
//! `models/cases.py` makes cases from any texts, and `utf8-models cases` prints the confidence and
//! the share of right answers for them.

use std::ops::RangeInclusive;

use super::east_asian::{has_rare_characters, has_signs_only, share_of_unused_characters};
use super::model::BIT;
use super::oddity::{is_in_code_order, share_of_odd_words};
use super::pages::VIETNAMESE;
use super::pairs::Pairs;
use super::sample::LegacySample;
use super::words::Word;
use super::{CandidateText, LegacyCandidate, RankedCandidate};
use crate::codec::family::is_lead;

/// The divisor of cost differences, in sixteenths. The pairs of a text are not independent, so that
/// their sum overstates a difference. This one makes confidences of 0.9 to 0.99 match the share of
/// right answers: differences of 7 to 9 bits are right in 93 of 100 texts, and only those of 12 and
/// more in 99.
const TEMPER: i64 = 32;

/// The confidence from which a single word of a few bytes is certain, and the most confidence otherwise.
/// Chosen by hand: such a word is likely in many encodings. Of 455 answers for names and words that the
/// costs gave 0.8 to 0.95, one in eighteen was wrong; of 443 above, one.
const CERTAIN_WORD: f64 = 0.95;
pub(in crate::detect) const MOST_IN_DOUBT: f64 = 0.79;

/// The numbers of bytes of such a word.
const FEW_BYTES: RangeInclusive<usize> = 2..=4;

/// The bytes of single quotes, apostrophes and the acute accent that replaces one in the pages of Windows.
/// Text with no other bytes beyond ASCII is never certain where they are letters: languages without a model
/// have apostrophes within words, and text with letters beyond ASCII has more of them.
const QUOTES: [u8; 3] = [0x91, 0x92, 0xB4];

/// FF: erased flash memory, or -1 in a byte. Text with no other bytes beyond ASCII is never
/// certain: it is a quote in one page, and a rare letter in others.
const FILLER: u8 = 0xFF;

/// The no-break space of most pages, and the marks that it precedes in French. Text with no other bytes
/// beyond ASCII than spaces before these marks is never certain where they are letters.
const NO_BREAK_SPACE: u8 = 0xA0;
const MARKS_AFTER_SPACE: &[u8] = b":;!?%";

/// As [`TEMPER`], for the difference to noise, which no text is close to.
const NOISE_TEMPER: i64 = 24;

/// 2^(-1/16), as a literal: `powf` does not return the same bits on every machine.
const ROOT: f64 = 0.957_603_280_698_573_6;

/// Returns the likelihood of a cost difference to the best text, relative to the best: 2^-n for `n`
/// bits after division by [`TEMPER`].
fn likelihood(difference: i64) -> f64 {
    let cost = (difference * 16 / TEMPER).clamp(0, 900 * BIT);
    let fraction = (0..cost % BIT).fold(1.0, |product, _| product * ROOT);
    (0..cost / BIT).fold(fraction, |product, _| product / 2.0)
}

/// The cost of the hypothesis of noise, chosen by hand: one in a thousand inputs is noise. The
/// confidence of text is hardly different with 0 or 15 bits.
const NOISE: i64 = 10 * BIT;

/// The factor on the confidence for texts with few telling pairs, by their number. For three and
/// more, it is the share of right answers where the costs left no doubt. A single pair is a repeated
/// byte or a word of two letters, which is likely in every page, and never makes an answer. Two
/// pairs are a word such as `caf\xE9`; the factor was chosen by hand below the share of right
/// answers, because a cut character looks the same.
const FEW_PAIRS: [f64; 4] = [0.0, 0.15, 0.65, 0.99];

/// The factor for two telling pairs where no byte beyond ASCII may be part of a cut character: of 2,878
/// texts where the costs left no doubt, 99 in 100 were right.
const FEW_WITHIN_TEXT: f64 = 0.985;

/// The mean cost of a pair in words above which no language fits a text, and the share of the
/// confidence that each further bit takes, up to a fifth. Of 6,255 right answers above 0.95, one in twenty was
/// above; of 64 wrong ones, one in three.
pub(super) const MISFIT: i64 = 5 * BIT + BIT / 4;
const MISFIT_SHARE: f64 = 0.2;

/// The mean cost of a pair in words above which rare pages are tried. Of 37,328 right answers in code pages,
/// one in twelve was above, had the [marks](RARE_MARKS) or had an odd word; of 103 wrong ones above 0.95,
/// one in two.
const RARE_MISFIT: i64 = 4 * BIT + 3 * BIT / 4;

/// The cost of all different marks of a text from which rare pages are tried.
const RARE_MARKS: i64 = 10 * BIT;

/// The mean cost of a pair in words above which the cost differences between texts are doubted. Of
/// 21,713 texts in languages without a model, nearly all wrong answers that seemed certain were above.
const DOUBTED: i64 = 4 * BIT + BIT / 4;

/// The doubt below which cost differences count in full. The doubt is the mean cost of a pair above
/// [`DOUBTED`], times the number of words. Chosen so that the confidence in texts without a model is about
/// the share of right answers.
const FREE_DOUBT: i64 = 5 * BIT;

/// As [`MISFIT`], for a text that may be Vietnamese. Chosen by hand: five in six such texts of 24
/// characters are above in other pages, and one in five other texts.
const VIETNAMESE_MISFIT: i64 = 4 * BIT + BIT / 2;

/// The least fit of a text without odd words: that of one that fits no language.
pub(in crate::detect) const LEAST_FIT: f64 = 1.0 - MISFIT_SHARE;

/// The share of odd words from which the confidence falls, the further share that takes all that odd
/// words take of the confidence, and that part. Chosen by hand, so that a text in which a third of
/// the words are odd is below 0.8.
const ODD: f64 = 1.0 / 16.0;
const ODD_RANGE: f64 = 0.25;
const ODD_SHARE: f64 = 0.25;

/// Candidates in groups with the same text, the cheapest first, and how well the first text fits.
pub(super) struct RankedTexts {
    pub texts: Vec<Vec<RankedCandidate>>,
    /// The mean cost of a pair in the words of the first text, and its share of odd words, or in a
    /// multi-byte set of odd characters.
    misfit: i64,
    odd: f64,
    /// True if the first text is in a multi-byte set and [has rare characters](has_rare_characters).
    has_rare_characters: bool,
}

impl RankedTexts {
    pub fn of(
        texts: Vec<Vec<RankedCandidate>>,
        sample: &LegacySample,
        pairs: &Pairs,
    ) -> RankedTexts {
        let best = texts.first().map(|text| &text[0]);
        let odd = match best.map(|best| &best.text) {
            _ if is_in_code_order(sample.windows()) => 1.0,
            Some(CandidateText::Page(points)) => {
                share_of_odd_words(sample.high_bytes().zip(points), &pairs.words)
            }
            Some(CandidateText::Set(text, _)) => share_of_unused_characters(text),
            None => 0.0,
        };
        let misfit = best.and_then(|best| best.misfit).unwrap_or_default();
        let has_rare_characters = match best.map(|best| &best.text) {
            Some(CandidateText::Set(text, _)) => has_rare_characters(text),
            Some(CandidateText::Page(_)) | None => false,
        };
        RankedTexts { texts, misfit, odd, has_rare_characters }
    }

    /// Returns `true` if rare pages may read the input better: the first text fits badly, has an odd word or
    /// many or rare marks, or in a multi-byte set, odd or rare characters.
    pub fn is_doubtful(&self) -> bool {
        let best = self.texts.first().map(|text| &text[0]);
        // One odd word tells pages with the same letters apart: `…` of x-mac-croatian is É in iso-8859-2.
        let least_odd = match best.map(|best| &best.text) {
            Some(CandidateText::Page(_)) => 0.0,
            Some(CandidateText::Set(..)) | None => ODD,
        };
        self.misfit > RARE_MISFIT
            || self.odd > least_odd
            || best.is_some_and(|best| best.marks_cost >= RARE_MARKS)
            || self.has_rare_characters
    }

    /// Returns `true` if the first text fits badly, or is Vietnamese, so that it may be in another page
    /// of Vietnamese. A [doubtful](Self::is_doubtful) one may be, too.
    pub fn may_be_vietnamese(&self) -> bool {
        let mut best = self.texts.iter().take(1).flatten();
        best.any(|one| one.candidate.language == VIETNAMESE) || self.misfit > VIETNAMESE_MISFIT
    }

    /// Returns `true` if the bytes beyond ASCII are letters in the first text, and all are [`QUOTES`] or
    /// [spaces before marks](NO_BREAK_SPACE).
    fn reads_marks_as_letters(&self, sample: &LegacySample) -> bool {
        let is_letter = |&point: &u32| char::from_u32(point).is_some_and(char::is_alphabetic);
        let are_letters = |one: &RankedCandidate| match &one.text {
            CandidateText::Page(points) => points.iter().all(is_letter),
            CandidateText::Set(..) => false,
        };
        let best = self.texts.first().map(|text| &text[0]);
        best.is_some_and(are_letters)
            && (sample.high_bytes().all(|byte| QUOTES.contains(&byte))
                || sample.windows().all(has_spaces_only))
    }

    /// Returns `true` if the first text is in a multi-byte set and [has signs only](has_signs_only).
    fn reads_signs_only(&self) -> bool {
        match self.texts.first().map(|text| &text[0].text) {
            Some(CandidateText::Set(text, _)) => has_signs_only(text),
            Some(CandidateText::Page(_)) | None => false,
        }
    }

    /// Returns `true` if each word is an ASCII letter and one character that is a power in some text: `x²` and
    /// `y³` of DOS are `xı` and `yü` in windows-1254.
    fn reads_powers(&self, pairs: &Pairs) -> bool {
        let is_power = |point: &u32| matches!(char::from_u32(*point), Some('¹' | '²' | '³' | 'ⁿ'));
        let are_powers = |text: &Vec<RankedCandidate>| match &text[0].text {
            CandidateText::Page(points) => points.iter().all(is_power),
            CandidateText::Set(..) => false,
        };
        let is_letter_with_one =
            |word: &Word| matches!(word.bytes[..], [_, letter, _, _] if letter.is_ascii());
        pairs.words.len() > 1
            && pairs.words.iter().all(is_letter_with_one)
            && self.texts.iter().any(are_powers)
    }

    /// Returns `true` if the first text has marks alone beyond ASCII, each before a small letter at the start
    /// of a frequent word, and another text has capitals in their places.
    fn reads_capitals_as_marks(&self, pairs: &Pairs) -> bool {
        let all = |one: &RankedCandidate, is_expected: fn(char) -> bool| match &one.text {
            CandidateText::Page(points) => {
                points.iter().all(|&point| char::from_u32(point).is_some_and(is_expected))
            }
            CandidateText::Set(..) => false,
        };
        let starts_word = |word: &Word| match word.bytes[..] {
            [_, _, next, ref rest @ ..] => next.is_ascii_lowercase() && rest.is_ascii(),
            _ => false,
        };
        let Some((best, others)) = self.texts.split_first() else { return false };
        all(&best[0], |one| !one.is_alphabetic())
            && others.iter().any(|text| all(&text[0], char::is_uppercase))
            && pairs.words.iter().all(starts_word)
    }

    /// Returns the doubt, [`FREE_DOUBT`] or more, by which cost differences between texts are divided, except
    /// for those of [marks](MOST_MARKS). In a language without a model, each word adds a small difference,
    /// right or wrong, so that long texts would seem certain.
    fn doubt(&self, pairs: &Pairs) -> i64 {
        FREE_DOUBT.max((self.misfit - DOUBTED).max(0) * pairs.high_words())
    }

    /// Returns the factor on the confidence for how badly the first text fits.
    fn fit(&self) -> f64 {
        let bits = (self.misfit - MISFIT).max(0) as f64 / BIT as f64;
        let odd = ((self.odd - ODD) / ODD_RANGE).clamp(0.0, 1.0);
        (1.0 - MISFIT_SHARE * bits.min(1.0)) * (1.0 - ODD_SHARE * odd)
    }
}

/// Returns the factor on the confidence for the number of telling pairs of a text.
fn few_pairs(pairs: &Pairs, sample: &LegacySample) -> f64 {
    match pairs.telling() {
        2 if sample.windows().all(is_uncut) => FEW_WITHIN_TEXT,
        telling => FEW_PAIRS.get(telling).copied().unwrap_or(1.0),
    }
}

/// Returns `true` if each byte beyond ASCII is the first or last letter of a word, or a mark, and at the
/// end of a line, where characters are cut, none is a lead byte of UTF-8.
fn is_uncut(window: &[u8]) -> bool {
    let is_uncut = |bytes: &[u8]| {
        let is_within = bytes[0].is_ascii_alphabetic() && bytes[2].is_ascii_alphabetic();
        bytes[0].is_ascii()
            && bytes[2].is_ascii()
            && !is_within
            && !(matches!(bytes[2], b'\n' | b'\r') && is_lead(bytes[1]))
    };
    let ends = [window.first(), window.last()];
    ends.into_iter().flatten().all(u8::is_ascii)
        && window.windows(3).all(|bytes| bytes[1].is_ascii() || is_uncut(bytes))
}

/// Returns `true` if all bytes beyond ASCII are [no-break spaces](NO_BREAK_SPACE) before marks.
fn has_spaces_only(window: &[u8]) -> bool {
    let is_space = |(at, byte): (usize, &u8)| {
        let next = window.get(at + 1);
        byte.is_ascii()
            || *byte == NO_BREAK_SPACE && next.is_some_and(|next| MARKS_AFTER_SPACE.contains(next))
    };
    window.iter().enumerate().all(is_space)
}

/// Returns `true` if all bytes beyond ASCII of a text are one word of [`FEW_BYTES`], without ASCII
/// letters next to them.
fn is_short_word(sample: &LegacySample) -> bool {
    let is_high = |byte: &u8| !byte.is_ascii();
    let mut windows = sample.windows().filter(|window| !window.is_ascii());
    let (Some(window), None) = (windows.next(), windows.next()) else { return false };
    let (Some(first), Some(last)) =
        (window.iter().position(is_high), window.iter().rposition(is_high))
    else {
        return false;
    };
    let around = [first.checked_sub(1), Some(last + 1)].into_iter().flatten();
    let is_in_word = |at: usize| window.get(at).is_some_and(u8::is_ascii_alphabetic);
    FEW_BYTES.contains(&(last + 1 - first))
        && window[first..=last].iter().all(is_high)
        && !around.into_iter().any(is_in_word)
}

/// The most that the marks of a text count beyond those of the best, chosen by hand: one or two signs that
/// no text has. No language has peseta signs or controls, so that what they cost more in one text than in
/// another is evidence even in a language without a model.
const MOST_MARKS: i64 = 16 * BIT;

/// Assigns the confidences to groups of candidates with the same text. Returns the candidates, the best
/// first. A text that is short for its sample gets less; without a sample, none does.
pub(super) fn assign(
    ranked: RankedTexts,
    pairs: &Pairs,
    sample: Option<&LegacySample>,
) -> Vec<LegacyCandidate> {
    let fit = ranked.fit();
    let factor = sample.map_or(1.0, |sample| few_pairs(pairs, sample));
    let is_short_word = sample.is_some_and(is_short_word);
    // Text in another set with a bad byte may be well formed in this one alone.
    let is_in_doubt = ranked.has_rare_characters
        || ranked.reads_signs_only()
        || ranked.reads_capitals_as_marks(pairs)
        || ranked.reads_powers(pairs)
        || sample.is_some_and(|sample| {
            ranked.reads_marks_as_letters(sample) || sample.high_bytes().all(|byte| byte == FILLER)
        });
    let cost = |text: &[RankedCandidate]| text[0].candidate.cost;
    let noise = NOISE + pairs.noise();
    let best = ranked.texts.first().map_or(noise, |best| cost(best));
    let best_marks = ranked.texts.first().map_or(0, |best| best[0].marks_cost);
    let floor = noise.min(best);
    let doubt = ranked.doubt(pairs);
    let texts = ranked.texts;
    let relative = |text: &[RankedCandidate]| {
        let difference = cost(text) - best;
        let certain = (text[0].marks_cost - best_marks).clamp(0, MOST_MARKS);
        let doubted = (difference - certain).max(0) * FREE_DOUBT / doubt;
        likelihood(doubted + certain + best - floor)
    };
    let likelihoods: Vec<f64> = texts.iter().map(|text| relative(text)).collect();
    let all = likelihoods.iter().sum::<f64>() + likelihood((noise - floor) * TEMPER / NOISE_TEMPER);
    let confidence = |likelihood: f64| {
        let confidence = fit * factor * likelihood / all;
        let is_doubtful = is_in_doubt || is_short_word && confidence < CERTAIN_WORD;
        if is_doubtful { confidence.min(MOST_IN_DOUBT) } else { confidence }
    };
    let mut texts: Vec<(f64, _)> = likelihoods.into_iter().map(confidence).zip(texts).collect();
    texts.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    let candidates = texts.into_iter().enumerate().flat_map(|(at, (confidence, text))| {
        text.into_iter().map(move |one| LegacyCandidate {
            confidence,
            text: at,
            fit,
            ..one.candidate
        })
    });
    candidates.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn likelihood_halves_with_each_two_bits() {
        assert_eq!(likelihood(0), 1.0);
        assert!((likelihood(TEMPER) - 0.5).abs() < 1e-12);
        assert!((likelihood(TEMPER / 2) - 0.5f64.sqrt()).abs() < 1e-12);
        assert!((likelihood(3 * TEMPER) - 0.125).abs() < 1e-12);
    }
}
