//! The code pages and multi-byte sets that are ranked.

use std::sync::LazyLock;

use super::model::{Model, class};
use crate::codec::legacy::{self, MultiByteSet};
use crate::codec::pages::{Prior, by_rank};
use crate::registry::{Encoding, by_name};

/// A code page that is a candidate.
pub(super) struct DetectedPage {
    pub codec: &'static Encoding,
    pub prior: Prior,
}

/// The model of the Latin-script languages without a model of their own.
const OTHER_LATIN: &str = "und-latn";

/// Returns the candidates in the order of their ranks.
pub(super) fn candidates() -> &'static [DetectedPage] {
    static CANDIDATES: LazyLock<Vec<DetectedPage>> = LazyLock::new(|| {
        by_rank(|row| {
            let prior = row.detect?;
            Some((prior.rank, DetectedPage { codec: by_name(row.name), prior }))
        })
    });
    &CANDIDATES
}

/// The number of multi-byte sets that are ranked.
const RANKED: usize = {
    let (mut ranked, mut set) = (0, 0);
    while set < legacy::SETS.len() {
        ranked += legacy::SETS[set].detect.is_some() as usize;
        set += 1;
    }
    ranked
};

/// The multi-byte sets that are ranked. Their supersets decode alike and are not.
pub(super) static SETS: [&MultiByteSet; RANKED] = {
    let mut sets = [&legacy::SETS[0]; RANKED];
    let (mut ranked, mut set) = (0, 0);
    while set < legacy::SETS.len() {
        if legacy::SETS[set].detect.is_some() {
            sets[ranked] = &legacy::SETS[set];
            ranked += 1;
        }
        set += 1;
    }
    sets
};

/// The case of a character.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum LetterCase {
    None,
    Lower,
    Upper,
}

/// The meaning of a byte in a page, independent of the language.
#[derive(Clone, Copy)]
pub(super) enum Glyph {
    /// A letter beyond ASCII, by its index in the tables, with its case.
    Letter(usize, LetterCase),
    /// Any other character, by its class and its cost among those of the class.
    Mark(u8, u16),
}

/// The cost of a character that the tables lack, chosen by hand: one of about a hundred in a page.
const ALIEN: u16 = 7 * 16;
/// The cost of a control character, chosen by hand: text hardly has any.
const CONTROL: u16 = 10 * 16;

impl DetectedPage {
    /// Returns `true` if a language was written in the page. English is written in all.
    pub fn is_for(&self, language: &str) -> bool {
        let languages = self.prior.languages;
        languages.is_empty() || language == "en" || languages.contains(&language)
    }

    /// Returns `true` if text in a language is evidence for the page: it was written in the page, or
    /// the page is for all languages of the script that have no page of their own.
    pub fn is_suited_to(&self, language: &str) -> bool {
        self.is_for(language) || self.is_for(OTHER_LATIN)
    }

    /// Returns the code points of bytes, or `None` if one of the bytes is unassigned.
    pub fn points(&self, bytes: &[u8]) -> Option<Vec<u32>> {
        bytes.iter().map(|&byte| self.codec.code_point(byte)).collect()
    }
}

/// Returns the meaning of a code point.
pub(super) fn glyph(model: &Model, value: u32) -> Glyph {
    let character = char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER);
    let lower = to_table_form(character);
    if let Some(at) = u16::try_from(u32::from(lower)).ok().and_then(|point| model.letter(point)) {
        return Glyph::Letter(at, case(character));
    }
    match u16::try_from(value).ok().and_then(|point| model.mark(point)) {
        Some(mark) => Glyph::Mark(mark.class, mark.cost.into()),
        None if value < 0xA0 => Glyph::Mark(class::ALIEN, CONTROL),
        None => Glyph::Mark(class::ALIEN, ALIEN),
    }
}

/// Returns a character in lower case, in the form that the tables use. `SAME` in models/derive.py has
/// the same pairs.
fn to_table_form(character: char) -> char {
    let mut lower = character.to_lowercase();
    match (lower.next(), lower.next()) {
        (Some('ș'), None) => 'ş',
        (Some('ț'), None) => 'ţ',
        (Some('ی'), None) => 'ي',
        (Some('ک'), None) => 'ك',
        (Some(one), None) => one,
        _ => character,
    }
}

/// Returns the case of a character.
pub(super) fn case(character: char) -> LetterCase {
    match () {
        () if character.is_uppercase() => LetterCase::Upper,
        () if character.is_lowercase() => LetterCase::Lower,
        () => LetterCase::None,
    }
}
