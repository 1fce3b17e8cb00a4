//! What does a text cost that a code page makes of the bytes?

use super::model::{BIT, Language, Model, Script, class};
use super::pages::{Case, Glyph, HOLE, PAGES, Page, case, glyph};
use super::pairs::{Pair, Pairs};
use super::sample::Sample;
use super::{Ranked, Text, ranked};

/// A byte as a symbol of a language.
#[derive(Clone, Copy)]
struct Cell {
    symbol: u8,
    cost: u16,
    case: Case,
}

/// The bytes as symbols of a language.
type Cells = [Cell; 256];

/// What an ASCII letter costs among such, where the language has another script.
const LATIN: u16 = 4 * BIT as u16;

impl Cell {
    const NONE: Cell = Cell { symbol: class::ALIEN, cost: 0, case: Case::None };

    /// A byte of ASCII.
    fn ascii(script: Script, byte: u8) -> Cell {
        let plain = |symbol| Cell { symbol, ..Cell::NONE };
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' => {
                let (symbol, cost) = match script {
                    Script::Latin => (class::LETTERS + (byte | 0x20) - b'a', 0),
                    _ => (class::LATIN, LATIN),
                };
                Cell { symbol, cost, case: case(byte.into()) }
            }
            b'0'..=b'9' => plain(class::DIGIT),
            b'.' | b',' | b';' | b':' | b'!' | b'?' => plain(class::STOP),
            b'\'' => plain(class::APOSTROPHE),
            0..=b' ' => plain(class::BLANK),
            _ => plain(class::OTHER),
        }
    }

    /// A byte beyond ASCII.
    fn high(model: &Model, language: &Language, glyph: Glyph) -> Cell {
        match glyph {
            Glyph::Letter(at, case) => {
                let (symbol, letter) = (language.symbols[at], &model.letters[at]);
                let cost = if symbol < class::LETTERS { letter.foreign.into() } else { 0 };
                Cell { symbol, cost, case }
            }
            Glyph::Mark(symbol, cost) => Cell { symbol, cost, case: Case::None },
        }
    }
}

/// The bytes of ASCII, and nothing of the others.
fn ascii_cells(script: Script) -> Cells {
    let mut cells = [Cell::NONE; 256];
    for byte in 0..0x80 {
        cells[usize::from(byte)] = Cell::ascii(script, byte);
    }
    cells
}

/// What the case of a letter costs behind another character.
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

/// What some pairs cost.
fn cost(language: &Language, cells: &Cells, pairs: &[Pair]) -> i64 {
    let cost = |pair: &Pair| {
        let [a, b] = pair.bytes.map(|byte| cells[usize::from(byte)]);
        let likely = language.pair(a.symbol, b.symbol);
        pair.number * (likely + i64::from(b.cost) + case_cost(a.case, b.case))
    };
    pairs.iter().map(cost).sum()
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
    let ascii = |language| pairs.weigh(cost(language, &latin, &pairs.ascii));
    let english = ascii(&model.languages[0]);
    let tongues: Vec<Tongue> = model
        .languages
        .iter()
        .map(|language| Tongue {
            language,
            ascii: if language.script == Script::Latin { ascii(language) } else { english },
        })
        .collect();
    PAGES.iter().filter_map(|page| best(model, &tongues, page, sample, pairs)).collect()
}

/// The best language of a page, if it holds the sample.
fn best(
    model: &Model,
    tongues: &[Tongue],
    page: &Page,
    sample: &Sample,
    pairs: &Pairs,
) -> Option<Ranked> {
    let points = page.points();
    let text: Vec<u32> = sample.high().map(|byte| points[usize::from(byte) - 0x80]).collect();
    if text.contains(&HOLE) {
        return None;
    }
    let glyphs = points.map(|point| glyph(model, point));
    let mut cells = ascii_cells(page.script);
    let mut price = |tongue: &Tongue, pairs: &[Pair]| {
        for (cell, &glyph) in cells[0x80..].iter_mut().zip(&glyphs) {
            *cell = Cell::high(model, tongue.language, glyph);
        }
        cost(tongue.language, &cells, pairs) + tongue.ascii + i64::from(tongue.language.cost)
    };
    let spoken = tongues.iter().filter(|tongue| tongue.language.script == page.script);
    let tongue = spoken.min_by_key(|tongue| price(tongue, pairs.frequent()))?;
    let cost = price(tongue, &pairs.high) + mixed(page, &glyphs, pairs) + page.cost * BIT;
    Some(ranked(page.name, tongue.language.name, cost, Text::Page(text)))
}

/// What it costs that words of ASCII are among those of the page's script.
fn mixed(page: &Page, glyphs: &[Glyph; 128], pairs: &Pairs) -> i64 {
    if page.script == Script::Latin {
        return 0;
    }
    pairs.mixed(
        pairs.runs(|byte| {
            byte >= 0x80 && matches!(glyphs[usize::from(byte) - 0x80], Glyph::Letter(..))
        }),
    )
}
