//! What does a text cost that a code page makes of the bytes?

use super::model::{BIT, Language, Model, Script, class};
use super::pages::{Case, Glyph, PAGES, Page, case, glyph};
use super::pairs::{Pair, Pairs};
use super::sample::Sample;
use super::{Ranked, Text, ranked};

/// A byte as a symbol of a language, and what it costs to be that.
#[derive(Clone, Copy)]
struct Cell {
    symbol: u8,
    cost: u16,
}

/// The bytes as symbols of a language.
type Cells = [Cell; 256];

/// What an ASCII letter costs among such, where the language has another script: somewhat less
/// than one of 26 that are equally likely. By hand.
const LATIN: u16 = 4 * BIT as u16;

/// What it costs that a letter of ASCII and one of another script are in one word. By hand: one
/// word in sixty.
const GLUED: i64 = 6 * BIT;

impl Cell {
    const fn plain(symbol: u8) -> Cell {
        Cell { symbol, cost: 0 }
    }

    /// A byte of ASCII.
    fn ascii(script: Script, byte: u8) -> Cell {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' => match script {
                Script::Latin => Cell::plain(class::LETTERS + (byte | 0x20) - b'a'),
                _ => Cell { symbol: class::LATIN, cost: LATIN },
            },
            b'0'..=b'9' => Cell::plain(class::DIGIT),
            b'.' | b',' | b';' | b':' | b'!' | b'?' => Cell::plain(class::STOP),
            b'\'' => Cell::plain(class::APOSTROPHE),
            0..=b' ' => Cell::plain(class::BLANK),
            _ => Cell::plain(class::OTHER),
        }
    }

    /// A byte beyond ASCII.
    fn high(model: &Model, language: &Language, glyph: Glyph) -> Cell {
        match glyph {
            Glyph::Letter(at, _) => {
                let (symbol, letter) = (language.symbols[at], &model.letters[at]);
                let cost = if symbol < class::LETTERS { letter.foreign.into() } else { 0 };
                Cell { symbol, cost }
            }
            Glyph::Mark(symbol, cost) => Cell { symbol, cost },
        }
    }
}

/// The bytes of ASCII, and nothing of the others.
fn ascii_cells(script: Script) -> Cells {
    let mut cells = [Cell::plain(class::ALIEN); 256];
    for byte in 0..0x80 {
        cells[usize::from(byte)] = Cell::ascii(script, byte);
    }
    cells
}

/// What some pairs cost in a language, but for the case of letters.
fn cost(language: &Language, cells: &Cells, pairs: &[Pair]) -> i64 {
    let cost = |pair: &Pair| {
        let [a, b] = pair.bytes.map(|byte| cells[usize::from(byte)]);
        pair.number * (language.pair(a.symbol, b.symbol) + i64::from(b.cost))
    };
    pairs.iter().map(cost).sum()
}

/// The case of each byte.
type Cases = [Case; 256];

/// That of the bytes of ASCII.
fn ascii_cases() -> Cases {
    std::array::from_fn(|byte| if byte < 0x80 { case(byte as u8 as char) } else { Case::None })
}

/// What the case of letters costs in some pairs.
fn cased(cases: &Cases, pairs: &[Pair]) -> i64 {
    let cost = |pair: &Pair| {
        let [before, case] = pair.bytes.map(|byte| cases[usize::from(byte)]);
        pair.number * case_cost(before, case)
    };
    pairs.iter().map(cost).sum()
}

/// What the case of a letter costs behind another character, in sixteenths of a bit. By hand: where
/// a word starts, one letter in six is a capital; behind a capital, either case is likely; behind a
/// small letter, one in two thousand is a capital.
fn case_cost(before: Case, case: Case) -> i64 {
    match (before, case) {
        (_, Case::None) | (Case::Lower, Case::Lower) => 0,
        (Case::None, Case::Lower) => 5,
        (Case::None, Case::Upper) => 40,
        (Case::Upper, Case::Lower) => 12,
        (Case::Upper, Case::Upper) => 4,
        (Case::Lower, Case::Upper) => 11 * BIT,
    }
}

/// What two bytes of ASCII cost in English.
pub(super) struct English<'a>(&'a Language, Cells);

impl English<'_> {
    pub fn of(model: &Model) -> English<'_> {
        English(&model.languages[0], ascii_cells(Script::Latin))
    }

    pub fn cost(&self, pair: [u8; 2]) -> i64 {
        let [a, b] = pair.map(|byte| self.1[usize::from(byte)].symbol);
        self.0.pair(a, b)
    }
}

/// A language, and what the sample's ASCII costs in it: in English, if it has another script.
struct Tongue<'a> {
    language: &'a Language,
    ascii: i64,
}

/// The pages that hold the sample, each with its best language.
pub(super) fn pages(model: &Model, sample: &Sample, pairs: &Pairs) -> Vec<Ranked> {
    let latin = ascii_cells(Script::Latin);
    let cases = cased(&ascii_cases(), &pairs.ascii);
    let ascii = |language| pairs.weigh(cost(language, &latin, &pairs.ascii) + cases);
    let english = ascii(&model.languages[0]);
    let tongues: Vec<Tongue> = model
        .languages
        .iter()
        .map(|language| Tongue {
            language,
            ascii: if language.script == Script::Latin { ascii(language) } else { english },
        })
        .collect();
    let high: Vec<u8> = sample.high().collect();
    PAGES.iter().filter_map(|page| best(model, &tongues, page, &high, pairs)).collect()
}

/// The best language of a page, if it holds these bytes beyond ASCII.
fn best(
    model: &Model,
    tongues: &[Tongue],
    page: &Page,
    high: &[u8],
    pairs: &Pairs,
) -> Option<Ranked> {
    let points = page.points(high)?;
    let glyphs: Vec<(u8, Glyph)> =
        high.iter().copied().zip(points.iter().map(|&point| glyph(model, point))).collect();
    let mut cells = ascii_cells(page.script);
    let mut price = |tongue: &Tongue, pairs: &[Pair]| {
        for &(byte, glyph) in &glyphs {
            cells[usize::from(byte)] = Cell::high(model, tongue.language, glyph);
        }
        cost(tongue.language, &cells, pairs) + tongue.ascii + i64::from(tongue.language.cost)
    };
    let spoken = tongues.iter().filter(|tongue| tongue.language.script == page.script);
    let tongue = spoken.min_by_key(|tongue| price(tongue, pairs.frequent()))?;
    let cost = price(tongue, &pairs.high) + written(page, &glyphs, pairs) + page.cost * BIT;
    Some(ranked(page.name, tongue.language.name, cost, Text::Page(points)))
}

/// What the case of letters costs, and that words of ASCII are among those of the page's script.
fn written(page: &Page, glyphs: &[(u8, Glyph)], pairs: &Pairs) -> i64 {
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
        + match page.script {
            Script::Latin => 0,
            // It has no blanks between words.
            Script::Thai => mixed(),
            _ => mixed() + glued(),
        }
}
