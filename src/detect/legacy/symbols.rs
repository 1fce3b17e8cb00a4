//! Bytes as symbols of a language, and the costs of their pairs.

use super::letter_case::{CaseTable, ascii_cases, case_cost, inner_capital};
use super::model::{BIT, Language, Model, class};
use super::pages::{self, Glyph};
use super::pairs::Pair;
use crate::codec::pages::Script;

/// The cost of a dash between letters beyond that of a hyphen there. Chosen by hand from 2 to 4 bits: with
/// less, more letters of other pages are dashes.
const DASH: i64 = 3 * BIT;

/// A byte as a symbol of a language, and its cost among the bytes that are the same symbol.
#[derive(Clone, Copy)]
pub(super) struct SymbolCost {
    pub symbol: u8,
    /// The symbol before the next byte: that of the tone of a letter that is two symbols.
    last: u8,
    /// The cost, with that of the tone after its letter.
    pub cost: u16,
    /// What the first occurrence of the byte costs beyond that.
    pub first: u16,
    /// True for a letter that the language lacks, unless it is [`Glyph::Toned`].
    pub is_foreign: bool,
}

/// All byte values as symbols of a language.
pub(super) type SymbolCosts = [SymbolCost; 256];

/// The cost of an ASCII letter among ASCII letters, where the language has another script. Chosen by
/// hand: somewhat less than for 26 equally likely letters.
const LATIN: u16 = 4 * BIT as u16;

impl SymbolCost {
    const fn plain(symbol: u8) -> SymbolCost {
        SymbolCost::new(symbol, 0)
    }

    const fn new(symbol: u8, cost: u16) -> SymbolCost {
        SymbolCost { symbol, last: symbol, cost, first: 0, is_foreign: false }
    }

    /// Returns the symbol of an ASCII byte.
    fn ascii(script: Script, byte: u8) -> SymbolCost {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' => match script {
                Script::Latin => SymbolCost::plain(class::LETTERS + (byte | 0x20) - b'a'),
                _ => SymbolCost::new(class::LATIN, LATIN),
            },
            b'0'..=b'9' => SymbolCost::plain(class::DIGIT),
            b'.' | b',' | b';' | b':' | b'!' | b'?' => SymbolCost::plain(class::STOP),
            b'\'' => SymbolCost::plain(class::APOSTROPHE),
            0..=b' ' => SymbolCost::plain(class::BLANK),
            _ => SymbolCost::plain(class::OTHER),
        }
    }

    /// Returns the symbol of a byte beyond ASCII.
    fn high(model: &Model, language: &Language, glyph: Glyph) -> SymbolCost {
        match glyph {
            Glyph::Letter(at, _) => {
                let (symbol, letter) = (language.symbols[at], &model.letters[at]);
                let is_foreign = symbol < class::LETTERS;
                let cost = if is_foreign { letter.foreign.into() } else { 0 };
                SymbolCost { is_foreign, ..SymbolCost::new(symbol, cost) }
            }
            Glyph::Toned(parts, _) => {
                let cell = |part: char| pages::glyph(model, part.into());
                let [letter, tone] =
                    parts.map(|part| SymbolCost::high(model, language, cell(part)));
                let pair = language.pair(letter.last, tone.symbol) as u16;
                SymbolCost {
                    symbol: letter.symbol,
                    last: tone.last,
                    cost: letter.cost + pair + tone.cost,
                    first: 0,
                    // A text with these is Vietnamese, or in another page: repetition makes them no likelier.
                    is_foreign: false,
                }
            }
            Glyph::Ascii(byte, cost) => {
                let ascii = SymbolCost::ascii(language.script, byte);
                SymbolCost { cost: ascii.cost + cost, ..ascii }
            }
            Glyph::Mark(symbol, cost) => SymbolCost::new(symbol, cost),
        }
    }
}

/// Returns the symbols of the ASCII bytes. The others are placeholders.
pub(super) fn ascii_cells(script: Script) -> SymbolCosts {
    let mut cells = [SymbolCost::plain(class::ALIEN); 256];
    for byte in 0..0x80 {
        cells[usize::from(byte)] = SymbolCost::ascii(script, byte);
    }
    cells
}

/// Sets the symbols of bytes beyond ASCII in a language.
pub(super) fn set_high_symbols(
    model: &Model,
    cells: &mut SymbolCosts,
    glyphs: &[(u8, Glyph)],
    language: &Language,
) {
    for &(byte, glyph) in glyphs {
        cells[usize::from(byte)] = SymbolCost::high(model, language, glyph);
    }
}

/// Returns the cost of pairs in a language, without the case of letters.
pub(super) fn pairs_cost(language: &Language, cells: &SymbolCosts, pairs: &[Pair]) -> i64 {
    let cost = |pair: &Pair| {
        let [before, next] = pair.bytes.map(|byte| &cells[usize::from(byte)]);
        pair.count * (language.pair(before.last, next.symbol) + i64::from(next.cost))
    };
    pairs.iter().map(cost).sum()
}

/// Returns the cost of a word in a language, without the case of letters.
pub(super) fn word_cost(language: &Language, cells: &SymbolCosts, word: &[u8]) -> i64 {
    let mut cells = word.iter().map(|&byte| &cells[usize::from(byte)]);
    let mut before = cells.next().map_or(class::BLANK, |cell| cell.last);
    // The symbol before a dash.
    let mut dashed = None;
    cells.fold(0, |sum, next| {
        let mut cost = language.pair(before, next.symbol) + i64::from(next.cost);
        if let Some(first) = dashed.take()
            && next.symbol >= class::LETTERS
        {
            cost -= dash_saving(language, first, next.symbol);
        }
        if next.symbol == class::DASH && before >= class::LETTERS {
            dashed = Some(before);
        }
        before = next.last;
        sum + cost
    })
}

/// Returns how much less a dash between two letters costs than in the tables, which have dashes between
/// spaces: it costs as much as a hyphen there and [`DASH`].
fn dash_saving(language: &Language, before: u8, next: u8) -> i64 {
    let cost = |mark| language.pair(before, mark) + language.pair(mark, next);
    (cost(class::DASH) - cost(class::OTHER) - DASH).max(0)
}

/// Returns what a word costs beyond its [`word_cost`] if none of its bytes occurred before.
pub(super) fn first_cost(cells: &SymbolCosts, word: &[u8]) -> i64 {
    word[1..].iter().map(|&byte| i64::from(cells[usize::from(byte)].first)).sum()
}

/// Returns what a word costs less without the byte beyond ASCII that fits it worst.
pub(super) fn byte_saving(
    language: &Language,
    cells: &SymbolCosts,
    cases: &CaseTable,
    word: &[u8],
) -> i64 {
    let cost = |before: u8, next: u8| {
        let [before, next] = [usize::from(before), usize::from(next)];
        language.pair(cells[before].last, cells[next].symbol)
            + i64::from(cells[next].cost)
            + case_cost(cases[before], cases[next])
    };
    let saving = |at: usize| {
        let [before, one, next] = [word[at - 1], word[at], word[at + 1]];
        // The bytes around a word of one byte are no pair.
        let without = if word.len() == 3 { 0 } else { cost(before, next) };
        cost(before, one) + cost(one, next) + inner_capital(cases, word, at) - without
    };
    let within = 1..word.len() - 1;
    within.filter(|&at| !word[at].is_ascii()).map(saving).max().unwrap_or_default()
}

/// Costs of ASCII pairs in English, with the case of letters.
pub(super) struct EnglishCosts<'a>(&'a Language, SymbolCosts, CaseTable);

impl EnglishCosts<'_> {
    pub fn of(model: &Model) -> EnglishCosts<'_> {
        EnglishCosts(&model.languages[0], ascii_cells(Script::Latin), ascii_cases())
    }

    /// Returns the cost of ASCII text between spaces, in sixteenths of a bit.
    pub fn of_word(&self, text: &[u8]) -> i64 {
        let text = [b" ", text, b" "].concat();
        text.windows(2).map(|pair| self.cost([pair[0], pair[1]])).sum()
    }

    pub fn cost(&self, pair: [u8; 2]) -> i64 {
        let EnglishCosts(language, cells, cases) = self;
        let [before, next] = [usize::from(pair[0]), usize::from(pair[1])];
        let cost = language.pair(cells[before].symbol, cells[next].symbol);
        cost + case_cost(cases[before], cases[next])
    }
}
