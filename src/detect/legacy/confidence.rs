//! How likely is it that the text is what a candidate makes of the input?
//!
//! A cost of `n` bits is a likelihood of 2^-n. Bytes that are no text at all are one more
//! hypothesis, under which each byte is as likely as any other.

use super::model::BIT;
use super::pairs::Pairs;
use super::{Candidate, Ranked, Text};

/// The costs of a text are not independent of each other. A difference counts for so much less, in
/// sixteenths: what makes the confidence come true on texts that the models are not made from.
const TEMPER: i64 = 24;

/// 2^(-1/16).
const ROOT: f64 = 0.957_603_280_698_573_6;

/// The likelihood of something that costs so much more than the best.
fn likelihood(more: i64) -> f64 {
    let more = (more * 16 / TEMPER).clamp(0, 900 * BIT);
    let fraction = (0..more % BIT).fold(1.0, |product, _| product * ROOT);
    (0..more / BIT).fold(fraction, |product, _| product / 2.0)
}

/// What it costs to take the input for no text.
const NOISE: i64 = 10 * BIT;

/// How much of the confidence so many pairs of letters carry: half, if there are two. A single byte
/// is likely in each page.
fn carried(pairs: i64) -> f64 {
    let square = (pairs * pairs) as f64;
    square / (square + 4.0)
}

/// Fill in the confidence of candidates, the best first.
pub(super) fn judge(ranked: Vec<Ranked>, pairs: &Pairs) -> Vec<Candidate> {
    let noise = NOISE + pairs.noise();
    let floor = ranked.iter().map(|one| one.candidate.cost).fold(noise, i64::min);
    // The best of those that make the same text of the input stands for all of them.
    let first =
        |text: &Text| ranked.iter().position(|other| other.text == *text).unwrap_or_default();
    let firsts: Vec<usize> = ranked.iter().map(|one| first(&one.text)).collect();
    let likelihoods: Vec<f64> =
        firsts.iter().map(|&first| likelihood(ranked[first].candidate.cost - floor)).collect();
    let distinct = firsts.iter().enumerate().filter(|&(at, &first)| at == first);
    let texts: f64 = distinct.map(|(at, _)| likelihoods[at]).sum();
    let all = texts + likelihood(noise - floor);
    let judged = ranked.into_iter().zip(likelihoods);
    let all = all / carried(pairs.telling());
    judged.map(|(one, part)| Candidate { confidence: part / all, ..one.candidate }).collect()
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
