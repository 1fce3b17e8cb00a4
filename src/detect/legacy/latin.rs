//! Costs of Latin text in multi-byte sets: European text that was saved in the set of an East Asian
//! system.

use std::slice;

use super::LegacyCandidate;
use super::model::Model;
use super::pages::DetectedPage;
use super::pairs::Pairs;
use super::single_byte::rank_pages;
use crate::registry::Encoding;

/// The number of bytes that can stand for characters beyond ASCII.
const HIGH_BYTES: usize = 128;

/// Returns `true` for a letter of the Latin script beyond ASCII, those of pinyin and phonetics included.
fn is_latin(unit: u16) -> bool {
    matches!(unit, 0xAA | 0xBA | 0xC0..=0xD6 | 0xD8..=0xF6 | 0xF8..=0x2AF | 0x1E00..=0x1EFF)
}

/// Returns `true` for a character that is no letter, such as the bullet of a list.
fn is_no_letter(unit: u16) -> bool {
    char::from_u32(unit.into()).is_some_and(|one| !one.is_alphabetic())
}

/// Returns the candidate for text in UTF-16 that a set decodes to, without the costs of the set, if its
/// characters beyond ASCII are Latin letters and marks. It is ranked as text of a code page that has
/// these characters. `pairs` are those of the bytes, which say how much ASCII counts.
pub(super) fn rank_latin(
    model: &Model,
    codec: &'static Encoding,
    text: &[u16],
    pairs: &Pairs,
) -> Option<LegacyCandidate> {
    let others = text.iter().copied().filter(|&unit| unit >= 0x80);
    if !others.clone().all(|unit| is_latin(unit) || is_no_letter(unit)) {
        return None;
    }
    let mut points: Vec<u16> = others.collect();
    points.sort_unstable();
    points.dedup();
    if points.len() > HIGH_BYTES || !points.iter().any(|&unit| is_latin(unit)) {
        return None;
    }
    let page = DetectedPage::of_points(codec, &points);
    let byte = |unit: &u16| match points.binary_search(unit) {
        Ok(at) => 0x80 | at as u8,
        Err(_) => *unit as u8,
    };
    let bytes: Vec<u8> = text.iter().map(byte).collect();
    let high: Vec<u8> = (0x80..).take(points.len()).collect();
    let pairs = Pairs::count([bytes.as_slice()].into_iter()).with_ascii_weight_of(pairs);
    let ranked = rank_pages(model, slice::from_ref(&page), &high, &pairs, i64::MAX).pop();
    ranked.map(|ranked| ranked.candidate)
}
