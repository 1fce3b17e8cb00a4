//! What does a text cost that a code page makes of the bytes?

use super::model::{BIT, Language, Model, class};
use super::pages::{DetectedPage, Glyph, LetterCase, candidates, case, glyph};
use super::pairs::{Pair, Pairs};
use super::sample::LegacySample;
use super::{CandidateText, RankedCandidate, ranked};
use crate::codec::pages::Script;

/// A byte as a symbol of a language, and what it costs to be that.
#[derive(Clone, Copy)]
struct SymbolCost {
    symbol: u8,
    cost: u16,
}

/// The bytes as symbols of a language.
type SymbolCosts = [SymbolCost; 256];

/// What an ASCII letter costs among such, where the language has another script: somewhat less
/// than one of 26 that are equally likely. By hand.
const LATIN: u16 = 4 * BIT as u16;

/// What it costs that a letter of ASCII and one of another script are in one word. By hand: one
/// word in sixty.
const GLUED: i64 = 6 * BIT;

impl SymbolCost {
    const fn plain(symbol: u8) -> SymbolCost {
        SymbolCost { symbol, cost: 0 }
    }

    /// A byte of ASCII.
    fn ascii(script: Script, byte: u8) -> SymbolCost {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' => match script {
                Script::Latin => SymbolCost::plain(class::LETTERS + (byte | 0x20) - b'a'),
                _ => SymbolCost { symbol: class::LATIN, cost: LATIN },
            },
            b'0'..=b'9' => SymbolCost::plain(class::DIGIT),
            b'.' | b',' | b';' | b':' | b'!' | b'?' => SymbolCost::plain(class::STOP),
            b'\'' => SymbolCost::plain(class::APOSTROPHE),
            0..=b' ' => SymbolCost::plain(class::BLANK),
            _ => SymbolCost::plain(class::OTHER),
        }
    }

    /// A byte beyond ASCII.
    fn high(model: &Model, language: &Language, glyph: Glyph) -> SymbolCost {
        match glyph {
            Glyph::Letter(at, _) => {
                let (symbol, letter) = (language.symbols[at], &model.letters[at]);
                let cost = if symbol < class::LETTERS { letter.foreign.into() } else { 0 };
                SymbolCost { symbol, cost }
            }
            Glyph::Mark(symbol, cost) => SymbolCost { symbol, cost },
        }
    }
}

/// The bytes of ASCII, and nothing of the others.
fn ascii_cells(script: Script) -> SymbolCosts {
    let mut cells = [SymbolCost::plain(class::ALIEN); 256];
    for byte in 0..0x80 {
        cells[usize::from(byte)] = SymbolCost::ascii(script, byte);
    }
    cells
}

/// What some pairs cost in a language, but for the case of letters.
fn cost(language: &Language, cells: &SymbolCosts, pairs: &[Pair]) -> i64 {
    let cost = |pair: &Pair| {
        let [a, b] = pair.bytes.map(|byte| cells[usize::from(byte)]);
        pair.number * (language.pair(a.symbol, b.symbol) + i64::from(b.cost))
    };
    pairs.iter().map(cost).sum()
}

/// The case of each byte.
type CaseTable = [LetterCase; 256];

/// That of the bytes of ASCII.
fn ascii_cases() -> CaseTable {
    std::array::from_fn(
        |byte| if byte < 0x80 { case(byte as u8 as char) } else { LetterCase::None },
    )
}

/// What the case of letters costs in some pairs.
fn cased(cases: &CaseTable, pairs: &[Pair]) -> i64 {
    let cost = |pair: &Pair| {
        let [before, case] = pair.bytes.map(|byte| cases[usize::from(byte)]);
        pair.number * case_cost(before, case)
    };
    pairs.iter().map(cost).sum()
}

/// What the case of a letter costs behind another character, in sixteenths of a bit. By hand: where
/// a word starts, one letter in six is a capital; behind a capital, either case is likely; behind a
/// small letter, one in two thousand is a capital.
fn case_cost(before: LetterCase, case: LetterCase) -> i64 {
    match (before, case) {
        (_, LetterCase::None) | (LetterCase::Lower, LetterCase::Lower) => 0,
        (LetterCase::None, LetterCase::Lower) => 5,
        (LetterCase::None, LetterCase::Upper) => 40,
        (LetterCase::Upper, LetterCase::Lower) => 12,
        (LetterCase::Upper, LetterCase::Upper) => 4,
        (LetterCase::Lower, LetterCase::Upper) => 11 * BIT,
    }
}

/// What two bytes of ASCII cost in English.
pub(super) struct EnglishCosts<'a>(&'a Language, SymbolCosts);

impl EnglishCosts<'_> {
    pub fn of(model: &Model) -> EnglishCosts<'_> {
        EnglishCosts(&model.languages[0], ascii_cells(Script::Latin))
    }

    pub fn cost(&self, pair: [u8; 2]) -> i64 {
        let [a, b] = pair.map(|byte| self.1[usize::from(byte)].symbol);
        self.0.pair(a, b)
    }
}

/// A language, and what the sample's ASCII costs in it: in English, if it has another script.
struct LanguageCosts<'a> {
    language: &'a Language,
    ascii: i64,
}

/// The pages that hold the sample, each with its best language.
pub(super) fn pages(model: &Model, sample: &LegacySample, pairs: &Pairs) -> Vec<RankedCandidate> {
    let latin = ascii_cells(Script::Latin);
    let cases = cased(&ascii_cases(), &pairs.ascii);
    let ascii = |language| pairs.weigh(cost(language, &latin, &pairs.ascii) + cases);
    let english = ascii(&model.languages[0]);
    let tongues: Vec<LanguageCosts> = model
        .languages
        .iter()
        .map(|language| LanguageCosts {
            language,
            ascii: if language.script == Script::Latin { ascii(language) } else { english },
        })
        .collect();
    let high: Vec<u8> = sample.high().collect();
    candidates().iter().filter_map(|page| best(model, &tongues, page, &high, pairs)).collect()
}

/// The best language of a page, if it holds these bytes beyond ASCII.
fn best(
    model: &Model,
    tongues: &[LanguageCosts],
    page: &DetectedPage,
    high: &[u8],
    pairs: &Pairs,
) -> Option<RankedCandidate> {
    let points = page.points(high)?;
    let glyphs: Vec<(u8, Glyph)> =
        high.iter().copied().zip(points.iter().map(|&point| glyph(model, point))).collect();
    let mut cells = ascii_cells(page.prior.script);
    let mut price = |tongue: &LanguageCosts, pairs: &[Pair]| {
        for &(byte, glyph) in &glyphs {
            cells[usize::from(byte)] = SymbolCost::high(model, tongue.language, glyph);
        }
        cost(tongue.language, &cells, pairs) + tongue.ascii + i64::from(tongue.language.cost)
    };
    let spoken = tongues.iter().filter(|tongue| tongue.language.script == page.prior.script);
    let tongue = spoken.min_by_key(|tongue| price(tongue, pairs.frequent()))?;
    let cost = price(tongue, &pairs.high)
        + written(page, &glyphs, pairs)
        + i64::from(page.prior.cost) * BIT;
    Some(ranked(page.codec, tongue.language.name, cost, CandidateText::Page(points)))
}

/// What the case of letters costs, and that words of ASCII are among those of the page's script.
fn written(page: &DetectedPage, glyphs: &[(u8, Glyph)], pairs: &Pairs) -> i64 {
    let mut cases = ascii_cases();
    let mut letters = [false; 256];
    for &(byte, glyph) in glyphs {
        if let Glyph::Letter(_, case) = glyph {
            cases[usize::from(byte)] = case;
            letters[usize::from(byte)] = true;
        }
    }
    let is_letter = |byte| letters[usize::from(byte)];
    let mixed = || pairs.mixed(pairs.runs(is_letter));
    let glued = || GLUED * pairs.glued(is_letter);
    cased(&cases, &pairs.high)
        + match page.prior.script {
            Script::Latin => 0,
            // It has no blanks between words.
            Script::Thai => mixed(),
            _ => mixed() + glued(),
        }
}
