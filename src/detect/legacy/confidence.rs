//! How likely is it that the text is what a candidate makes of the input?
//!
//! A cost of `n` bits is a likelihood of 2^-n. Bytes that are no text at all are one more
//! hypothesis, under which each byte is as likely as any other. What is left of the sum of 1 is for
//! what no candidate is: other encodings, and texts that are too short to tell.
//!
//! Each text counts once, whatever the number of codecs that make it: the confidences of these are
//! equal, and are to be read as that of one answer.
//!
//! The numbers here were fitted on every other one of 30,504 pieces, of 8 to 4,000 characters, of
//! manual pages, wikis and catalogues in 43 languages that the models are not made from, and checked
//! on the others, and on the samples of chardet 5.2. Where three pairs of letters or more tell, what
//! came true is mostly within 0.04 of what was claimed; the README has the table. `models/cases.py`
//! makes such cases of any texts, and `utf8-models cases` prints what was claimed for them, and what
//! came true.

use super::model::BIT;
use super::pairs::Pairs;
use super::{LegacyCandidate, RankedCandidate};

/// The costs of a text are not independent of each other. A difference counts for so much less, in
/// sixteenths. Of 16 to 28 this made the confidence of long texts come true best.
const TEMPER: i64 = 24;

/// 2^(-1/16): typed, for the same bits come of it on every machine, which is not sure of `powf`.
const ROOT: f64 = 0.957_603_280_698_573_6;

/// The likelihood of something that costs so much more than the best.
fn likelihood(more: i64) -> f64 {
    let more = (more * 16 / TEMPER).clamp(0, 900 * BIT);
    let fraction = (0..more % BIT).fold(1.0, |product, _| product * ROOT);
    (0..more / BIT).fold(fraction, |product, _| product / 2.0)
}

/// What it costs to take the input for no text. By hand: of a thousand inputs that get so far, one
/// is none. Texts hardly tell it from 0 or 15 bits.
const NOISE: i64 = 10 * BIT;

/// How much of the confidence so many different pairs of letters carry. From three on, this is the
/// share of texts that came true where the costs left no doubt. One is a byte again and again, or a
/// word of two letters: likely in each page, and never an answer. Two are a word as `caf\xE9`, of
/// which more come true: by hand, for a cut character reads so, too.
const CARRIED: [f64; 5] = [0.0, 0.2, 0.65, 0.98, 0.99];

/// The candidates for each text, the best first, with their confidence. Those for one text share
/// it.
pub(super) fn judge(texts: Vec<Vec<RankedCandidate>>, pairs: &Pairs) -> Vec<LegacyCandidate> {
    let cost = |text: &[RankedCandidate]| text[0].candidate.cost;
    let noise = NOISE + pairs.noise();
    let floor = texts.first().map_or(noise, |best| noise.min(cost(best)));
    let likely = |text: &[RankedCandidate]| likelihood(cost(text) - floor);
    let all = texts.iter().map(|text| likely(text)).sum::<f64>() + likelihood(noise - floor);
    let carried = CARRIED.get(pairs.telling()).copied().unwrap_or(1.0);
    let judged = texts.into_iter().flat_map(|text| {
        let confidence = carried * likely(&text) / all;
        text.into_iter().map(move |one| LegacyCandidate { confidence, ..one.candidate })
    });
    judged.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn likelihood_halves_with_each_bit_and_a_half() {
        assert_eq!(likelihood(0), 1.0);
        assert!((likelihood(TEMPER) - 0.5).abs() < 1e-12);
        assert!((likelihood(TEMPER / 2) - 0.5f64.sqrt()).abs() < 1e-12);
        assert!((likelihood(3 * TEMPER) - 0.125).abs() < 1e-12);
    }
}
