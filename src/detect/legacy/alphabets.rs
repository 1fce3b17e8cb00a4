//! Costs of text of alphabets in multi-byte sets: European text that was saved in the set of an East
//! Asian system.

use std::slice;

use super::LegacyCandidate;
use super::model::Model;
use super::pages::{DetectedPage, script_of};
use super::pairs::{Pairs, SampleText};
use super::single_byte::rank_pages;
use crate::codec::pages::Script;
use crate::registry::Encoding;

/// The number of bytes that can stand for characters beyond ASCII.
const HIGH_BYTES: usize = 128;

/// Returns the script of a letter beyond ASCII. The letters of pinyin and phonetics are Latin.
fn script_of_letter(unit: u16) -> Option<Script> {
    match unit {
        0xAA | 0xBA | 0xC0..=0xD6 | 0xD8..=0xF6 | 0xF8..=0x2AF | 0x1E00..=0x1EFF => {
            Some(Script::Latin)
        }
        _ => script_of(unit.into()),
    }
}

/// Returns `true` for a character that is no letter, such as the bullet of a list.
fn is_no_letter(unit: u16) -> bool {
    char::from_u32(unit.into()).is_some_and(|one| !one.is_alphabetic())
}

/// Returns the candidate for text in UTF-16 that a set decodes to, without the costs of the set, if its
/// characters beyond ASCII are letters of one script and marks. It is ranked as text of a code page that
/// has these characters. `pairs` are those of the bytes, which say how much ASCII counts.
pub(super) fn rank_alphabetic(
    model: &Model,
    codec: &'static Encoding,
    text: &[u16],
    pairs: &Pairs,
) -> Option<LegacyCandidate> {
    let others = || text.iter().copied().filter(|&unit| unit >= 0x80);
    let scripts = others().filter(|&unit| !is_no_letter(unit)).map(script_of_letter);
    // Text in other scripts may have Latin letters.
    let mut text_script = None;
    for script in scripts {
        text_script = match (text_script, script?) {
            (None | Some(Script::Latin), script) => Some(script),
            (Some(own), script) if own == script || script == Script::Latin => Some(own),
            _ => return None,
        };
    }
    let script = text_script?;
    let mut points: Vec<u16> = others().collect();
    points.sort_unstable();
    points.dedup();
    if points.len() > HIGH_BYTES {
        return None;
    }
    let page = DetectedPage::of_points(codec, script, &points);
    let byte = |unit: &u16| match points.binary_search(unit) {
        Ok(at) => 0x80 | at as u8,
        Err(_) => *unit as u8,
    };
    let bytes: Vec<u8> = text.iter().map(byte).collect();
    let high: Vec<u8> = (0x80..).take(points.len()).collect();
    let text = SampleText::of([bytes.as_slice()].into_iter());
    let pairs = Pairs::count(&text).with_ascii_weight_of(pairs);
    let ranked = rank_pages(model, slice::from_ref(&page), &high, &pairs, i64::MAX).pop();
    ranked.map(|ranked| ranked.candidate)
}
