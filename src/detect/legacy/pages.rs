//! Which code pages and sets are candidates, and how common is each?

use std::sync::LazyLock;

use super::model::{Model, class};
use crate::codec::pages::{Prior, by_rank};
use crate::registry::{Encoding, by_name};

/// A code page that is a candidate.
pub(super) struct DetectedPage {
    pub codec: &'static Encoding,
    pub prior: Prior,
}

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

/// A multi-byte set, and the language that it is made for.
#[derive(Clone, Copy)]
pub(super) struct MultiByteSet {
    pub name: &'static str,
    pub encoding: &'static encoding_rs::Encoding,
    pub languages: &'static [&'static str],
}

/// The multi-byte sets, as the codecs read them: gbk with the sequences of four bytes of GB 18030,
/// and big5 with the Hong Kong supplement, so that all of big5-hkscs is in it.
pub(super) static SETS: [MultiByteSet; 5] = [
    MultiByteSet { name: "gbk", encoding: &encoding_rs::GBK_INIT, languages: &["zh-cn", "zh-tw"] },
    MultiByteSet { name: "big5", encoding: &encoding_rs::BIG5_INIT, languages: &["zh-tw"] },
    MultiByteSet { name: "shift_jis", encoding: &encoding_rs::SHIFT_JIS_INIT, languages: &["ja"] },
    MultiByteSet { name: "euc-jp", encoding: &encoding_rs::EUC_JP_INIT, languages: &["ja"] },
    MultiByteSet { name: "euc-kr", encoding: &encoding_rs::EUC_KR_INIT, languages: &["ko"] },
];

/// Whether a letter is a capital.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum LetterCase {
    None,
    Lower,
    Upper,
}

/// What a byte of a page is, whatever the language.
#[derive(Clone, Copy)]
pub(super) enum Glyph {
    /// A letter beyond ASCII: its place in the tables.
    Letter(usize, LetterCase),
    /// Anything else: class and cost.
    Mark(u8, u16),
}

/// What an alien character costs among such, and a control. By hand: an alien is one of about a
/// hundred that a page has, and controls are hardly ever in text.
const ALIEN: u16 = 7 * 16;
const CONTROL: u16 = 10 * 16;

impl DetectedPage {
    /// The code points of some bytes. `None` if one of them has no character.
    pub fn points(&self, bytes: &[u8]) -> Option<Vec<u32>> {
        bytes.iter().map(|&byte| self.codec.code_point(byte)).collect()
    }
}

/// What a code point is.
pub(super) fn glyph(model: &Model, value: u32) -> Glyph {
    let character = char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER);
    let lower = lower(character);
    if let Some(at) = u16::try_from(u32::from(lower)).ok().and_then(|point| model.letter(point)) {
        return Glyph::Letter(at, case(character));
    }
    match u16::try_from(value).ok().and_then(|point| model.mark(point)) {
        Some(mark) => Glyph::Mark(mark.class, mark.cost.into()),
        None if value < 0xA0 => Glyph::Mark(class::ALIEN, CONTROL),
        None => Glyph::Mark(class::ALIEN, ALIEN),
    }
}

/// In lower case, and as the tables have it: they are made with the same pairs, `SAME` of
/// models/derive.py.
fn lower(character: char) -> char {
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

/// The case of a letter.
pub(super) fn case(character: char) -> LetterCase {
    match () {
        () if character.is_uppercase() => LetterCase::Upper,
        () if character.is_lowercase() => LetterCase::Lower,
        () => LetterCase::None,
    }
}
