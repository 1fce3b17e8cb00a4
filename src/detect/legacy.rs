//! Legacy encodings, ranked by the probability of the text that each decodes bytes to.
//!
//! The model of a language is a table of costs: the negative binary logarithm of the probability of
//! a character after another, in bits. The cost of a text is the sum over its pairs of characters;
//! costs for the encoding, the language and mixed scripts are added. The cheapest combination of
//! encoding and language is the best candidate. One model of a language serves all code pages,
//! because it is about characters and not about bytes. Single words may be in another language than
//! the text, as names are.

mod alphabets;
mod confidence;
mod drawings;
mod east_asian;
mod ebcdic;
mod letter_case;
mod line_reader;
mod model;
mod multi_byte;
mod oddity;
mod pages;
mod pairs;
mod sample;
mod single_byte;
mod strict_sets;
mod symbols;
mod unit_text;
mod words;

pub(super) use confidence::{LEAST_FIT, MOST_IN_DOUBT};
pub(super) use ebcdic::EbcdicSample;
pub(super) use line_reader::{LineCost, LineReader, new_words};
pub(super) use model::east_asian_bits;
pub(super) use oddity::{is_successor, is_symbol};
pub use sample::LegacySample;

use crate::registry::Encoding;
use confidence::RankedTexts;
use model::{BIT, Model};
use pairs::{Pairs, SampleText};
use symbols::EnglishCosts;

/// A codec in which the whole input is well formed, except for a sequence cut at the end.
///
/// For pairs of sets with the same decoder, one is listed: gb18030 if the input has a sequence of
/// four bytes, which other tools do not accept in GBK, and gbk otherwise; always big5, never
/// big5-hkscs.
#[derive(Clone, Debug)]
pub struct LegacyCandidate {
    /// The codec.
    pub codec: &'static Encoding,
    /// The language of the text: an ISO 639 code, with a suffix where a language is written in two
    /// ways, as in `zh-tw` or `he-visual`. `und-latn` and `und-cyrl` stand for other languages of a
    /// script.
    pub language: &'static str,
    /// The probability that this codec's decoding is the intended text, 0..=1.
    /// Codecs that decode the sample to the same text have the same confidence: it is that of the
    /// text, and is not divided among them.
    pub confidence: f64,
    /// The place of the text among the texts that codecs decode the sample to, the likeliest first.
    pub(crate) text: usize,
    /// The factor on the confidence for how well the best text fits its language. What it takes is
    /// the probability of encodings that are not ranked.
    pub(crate) fit: f64,
    /// The cost of the text, in sixteenths of a bit. Codecs that decode the sample to the same text
    /// have the cost of the cheapest.
    cost: i64,
}

/// A candidate with its text.
struct RankedCandidate {
    candidate: LegacyCandidate,
    text: CandidateText,
    /// The mean cost of a pair in its words, each in the language that fits it best. `None` for
    /// multi-byte sets.
    misfit: Option<i64>,
    /// The cost of the different marks of the text in a code page, among those of their classes; 0 for
    /// multi-byte sets.
    marks_cost: i64,
    /// True if the page is for another script than Latin, and the text has no two adjacent letters of it.
    lacks_words: bool,
}

/// The cost of a text without two adjacent letters of the script of its page, if that is not Latin. Chosen by
/// hand: text in such a script has words. ASCII letters cost the same in all words there, so that a Latin
/// name would be cheaper than in a page for Latin.
const WITHOUT_WORDS: i64 = 8 * BIT;

/// Returns the cost of something that occurs some times. What was there once is likelier to return,
/// so that each further time costs `most` at most.
fn repeated(count: i64, cost: i64, most: i64) -> i64 {
    cost + (count - 1) * cost.min(most)
}

/// The text that a codec decodes the input to.
#[derive(PartialEq)]
enum CandidateText {
    /// In a code page: the code points of the bytes beyond ASCII that occur, in the order of the bytes.
    Page(Vec<u32>),
    /// In a multi-byte set: the windows in UTF-16, and the length in bytes of the sequence cut at
    /// the end.
    Set(Vec<u16>, usize),
}

/// Returns the codecs in which the input is well formed, the best first. Codecs that decode it to the
/// same text are adjacent: code pages by their rank, those for a script that the text lacks last, and
/// multi-byte sets by their cost. Returns nothing for ASCII, which all of the codecs decode to the same
/// text.
///
/// ```
/// use utf8::detect::legacy::{LegacySample, rank};
///
/// let mut sample = LegacySample::default();
/// sample.add(b"Les \xE9l\xE8ves \xE9tudient la le\xE7on.");
///
/// let best = &rank(sample)[0];
/// assert_eq!((best.codec.name, best.language), ("windows-1252", "fr"));
/// assert!(best.confidence > 0.9);
/// ```
pub fn rank(sample: LegacySample) -> Vec<LegacyCandidate> {
    rank_with(sample, hopeless)
}

/// As [`rank`], with no page taken for hopeless.
#[cfg(feature = "unstable-internals")]
pub fn rank_thoroughly(sample: LegacySample) -> Vec<LegacyCandidate> {
    rank_with(sample, |_| i64::MAX)
}

/// Ranks the codecs. `hopeless` returns, from the cost of the cheapest set, the cost from which a page is
/// read in a single language.
fn rank_with(mut sample: LegacySample, hopeless: impl Fn(i64) -> i64) -> Vec<LegacyCandidate> {
    sample.finish();
    let high: Vec<u8> = sample.high_bytes().collect();
    if high.is_empty() {
        return Vec::new();
    }
    sample.drop_repeated_words();
    let model = Model::get();
    let text = SampleText::of(sample.windows());
    let pairs = Pairs::count(&text);
    let sets = multi_byte::rank_sets(model, &sample, &pairs);
    let most = sets.first().map_or(i64::MAX, |set| hopeless(set.candidate.cost));
    let rank_pages = |pages, most| single_byte::rank_pages(model, pages, &high, &pairs, most);
    let mut ranked = rank_pages(pages::candidates(), most);
    ranked.extend(sets);
    let mut best = RankedTexts::of(group_by_text(ranked), &sample, &pairs);
    let mut more = Vec::new();
    let is_doubtful = best.is_doubtful();
    if is_doubtful {
        more.extend(rank_pages(pages::rare(), most));
        more.extend(multi_byte::rank_rare_sets(model, &sample, &pairs));
    }
    if is_doubtful || best.may_be_vietnamese() {
        more.extend(rank_pages(pages::vietnamese(), i64::MAX));
    }
    if !more.is_empty() {
        let all = best.texts.into_iter().flatten().chain(more).collect();
        best = RankedTexts::of(group_by_text(all), &sample, &pairs);
    }
    confidence::assign(best, &pairs, Some(&sample))
}

/// Returns the cost from which a page is hopeless beside a multi-byte set of this cost, in whatever
/// language: text in a set costs half as much again in a page, and hardly less in one language than in
/// another. The page's confidence is below 2^-100 then. Beside another page, it may not be hopeless:
/// single words of a right page can be in many languages.
fn hopeless(cost: i64) -> i64 {
    cost + cost / 4 + 256 * BIT
}

/// Returns the cost of ASCII words as English, in bits, rounded down.
pub(super) fn english_bits<'a>(words: impl Iterator<Item = &'a [u8]>) -> i64 {
    let english = EnglishCosts::of(Model::get());
    words.map(|word| english.of_word(word)).sum::<i64>() / BIT
}

/// Returns the pages that have letters in place of some controls, of which those in 80..FF are ranked.
pub(super) fn pages_with_letters_in_controls() -> impl Iterator<Item = &'static Encoding> {
    pages::vietnamese().iter().map(|page| page.codec)
}

/// Returns the codecs that are ranked: single-byte code pages and multi-byte sets. gb18030 is not
/// among them, but may be listed instead of gbk.
#[cfg(feature = "unstable-internals")]
pub fn codecs() -> impl Iterator<Item = &'static Encoding> {
    let sets = pages::SETS.iter().filter(|set| set.rare.is_none());
    let sets = sets.map(|set| crate::registry::by_name(set.name));
    pages::candidates().iter().map(|page| page.codec).chain(sets)
}

/// Groups candidates with the same text, keeping their order in each group but for those that lack words,
/// which are last. Each group has the cost of its cheapest member, with that of missing words, and the misfit
/// of the one that fits best. The cheapest group is first.
fn group_by_text(ranked: Vec<RankedCandidate>) -> Vec<Vec<RankedCandidate>> {
    let mut texts: Vec<Vec<RankedCandidate>> = Vec::new();
    for one in ranked {
        match texts.iter_mut().find(|text| text[0].text == one.text) {
            Some(text) => text.push(one),
            None => texts.push(vec![one]),
        }
    }
    for text in &mut texts {
        let cost = |one: &RankedCandidate| {
            one.candidate.cost + if one.lacks_words { WITHOUT_WORDS } else { 0 }
        };
        let least = text.iter().map(cost).min().unwrap_or_default();
        let misfit = text.iter().filter_map(|one| one.misfit).min();
        text.sort_by_key(|one| one.lacks_words);
        for one in text {
            one.candidate.cost = least;
            one.misfit = misfit;
            // The cost counts once, though texts may be grouped again with more.
            one.lacks_words = false;
        }
    }
    texts.sort_by_key(|text| text[0].candidate.cost);
    texts
}

fn ranked(
    codec: &'static Encoding,
    language: &'static str,
    cost: i64,
    text: CandidateText,
    misfit: Option<i64>,
) -> RankedCandidate {
    let candidate = LegacyCandidate { codec, language, confidence: 0.0, text: 0, fit: 1.0, cost };
    RankedCandidate { candidate, text, misfit, marks_cost: 0, lacks_words: false }
}
