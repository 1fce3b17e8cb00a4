//! Which code page or multi-byte set are these bytes in? A ranking by how likely the text is that
//! each makes of them.
//!
//! One model of each language serves all pages: what a character costs, in bits, behind another.
//! The costs of a text are added up; the page and language that make the cheapest text are best.

mod confidence;
mod model;
mod multi_byte;
mod pages;
mod pairs;
mod sample;
mod single_byte;
mod strict_sets;

pub use sample::LegacySample;

use crate::registry::{Encoding, by_name};
use model::Model;
use pairs::Pairs;

/// A codec in which the whole input is well formed, but for a character that its end may cut.
///
/// Of sets that read alike, one stands for both. It is gb18030 for gbk, if the input has a sequence
/// of four bytes, which other tools do not read as GBK, and gbk otherwise. It is always big5 for
/// big5-hkscs.
#[derive(Clone, Debug)]
pub struct LegacyCandidate {
    /// The codec.
    pub codec: &'static Encoding,
    /// The language of the text: a code of two letters, and what tells two ways to write it
    /// apart, as in `zh-tw` or `he-visual`.
    pub language: &'static str,
    /// How likely it is that the text is what this codec makes of it: 0..=1. Codecs that make the
    /// same text of the sample are all right or all wrong, and have the same confidence: it is that
    /// of the text, not a share for each codec.
    pub confidence: f64,
    /// What the text costs, in sixteenths of a bit: the less, the likelier. Codecs that make the
    /// same text of the sample have the cost of the cheapest.
    cost: i64,
}

/// A candidate, and what tells its text from those of others.
struct RankedCandidate {
    candidate: LegacyCandidate,
    text: CandidateText,
}

/// What a codec makes of the input.
#[derive(PartialEq)]
enum CandidateText {
    /// In a page: the characters of the bytes that occur.
    Page(Vec<u32>),
    /// In a set: the text of the windows in UTF-16, and how many bytes at the end are a cut
    /// sequence.
    Set(Vec<u16>, usize),
}

/// All that the input is well formed in, best first. Codecs that make the same text of it are next
/// to each other: of pages the most common first, of multi-byte sets the one whose language it
/// speaks for. Nothing, if it has no byte beyond ASCII: then all make the same text of it.
///
/// ```
/// use utf8::detect::legacy::{Sample, rank};
///
/// let mut sample = Sample::default();
/// sample.add(b"Les \xE9l\xE8ves \xE9tudient la le\xE7on.");
///
/// let best = &rank(sample)[0];
/// assert_eq!((best.codec.name, best.language), ("windows-1252", "fr"));
/// assert!(best.confidence > 0.9);
/// ```
pub fn rank(mut sample: LegacySample) -> Vec<LegacyCandidate> {
    sample.end();
    if sample.high().next().is_none() {
        return Vec::new();
    }
    let model = Model::read();
    let pairs = Pairs::count(sample.windows());
    let mut ranked = single_byte::pages(&model, &sample, &pairs);
    ranked.extend(multi_byte::sets(&model, &sample, &pairs));
    confidence::judge(texts(ranked), &pairs)
}

/// The codecs that are ranked: single-byte code pages, and multi-byte sets. gb18030 is not among
/// them, though it may stand for gbk.
pub fn codecs() -> impl Iterator<Item = &'static Encoding> {
    let sets = pages::SETS.iter().map(|set| by_name(set.name));
    pages::candidates().iter().map(|page| page.codec).chain(sets)
}

/// Those that make the same text of the input, as they come: the best text first. It costs what it
/// does in the cheapest of them.
fn texts(ranked: Vec<RankedCandidate>) -> Vec<Vec<RankedCandidate>> {
    let mut texts: Vec<Vec<RankedCandidate>> = Vec::new();
    for one in ranked {
        match texts.iter_mut().find(|text| text[0].text == one.text) {
            Some(text) => text.push(one),
            None => texts.push(vec![one]),
        }
    }
    for text in &mut texts {
        let least = text.iter().map(|one| one.candidate.cost).min().unwrap_or_default();
        text.iter_mut().for_each(|one| one.candidate.cost = least);
    }
    texts.sort_by_key(|text| text[0].candidate.cost);
    texts
}

fn ranked(
    codec: &'static Encoding,
    language: &'static str,
    cost: i64,
    text: CandidateText,
) -> RankedCandidate {
    RankedCandidate { candidate: LegacyCandidate { codec, language, confidence: 0.0, cost }, text }
}
