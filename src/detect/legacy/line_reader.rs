//! Costs of single lines in one encoding, without a ranking.

use std::cell::Cell;
use std::collections::HashSet;

use super::confidence::MISFIT;
use super::letter_case::{CaseTable, ascii_cases, case_cost, inner_capitals};
use super::model::{BIT, Language, Model};
use super::multi_byte::{character_costs, set_cost};
use super::pages::{self, DetectedPage, Glyph, LetterCase, SETS};
use super::single_byte::MIXED_LETTERS;
use super::symbols::{SymbolCosts, ascii_cells, set_high_symbols, word_cost};
use super::words::{WindowPart, join_windows, split_words};
use crate::codec::pages::Script;
use crate::registry::Encoding;

/// The cost of a character above which it is a misfit in a multi-byte set, chosen by hand: one in ten
/// of sound text costs more.
const RARE_CHARACTER: i64 = 13 * BIT;

/// The cost of a line that is ill-formed in the encoding.
const ILL_FORMED: i64 = 1 << 32;

/// The most that a word or ideograph that fits the encoding takes from the misfit of others, chosen
/// by hand.
const GOOD_WORD: i64 = BIT;

/// The cost of the words with bytes beyond ASCII in text.
#[derive(Clone, Copy, Default)]
pub(in crate::detect) struct LineCost {
    /// The cost in the language that fits best, in sixteenths of a bit.
    pub cost: i64,
    /// The sum, over the words, of the cost beyond that of a word that fits no language. It is
    /// negative if all words fit.
    pub misfit: i64,
}

impl LineCost {
    fn add_word(&mut self, word: &[u8], cost: i64) {
        self.cost += cost;
        self.misfit += (cost - MISFIT * (word.len() as i64 - 1)).max(-GOOD_WORD);
    }
}

/// Appends the words of a line that are not in a set, with the bytes around them, and adds them to
/// the set: a word that returns is no further evidence.
pub(in crate::detect) fn new_words(seen: &mut HashSet<Vec<u8>>, line: &[u8]) -> Vec<u8> {
    let (text, mut new) = (join_windows([line]), Vec::new());
    split_words(&text, |part| {
        if let WindowPart::Word(word) = part
            && seen.insert(word.to_vec())
        {
            new.extend_from_slice(word);
            new.push(b' ');
        }
    });
    new
}

/// Reads lines in an encoding.
pub(in crate::detect) struct LineReader {
    pub codec: &'static Encoding,
    /// The cost of the encoding, whatever the text.
    pub prior: i64,
    lines: Lines,
}

/// Reads lines in a code page or a multi-byte set.
enum Lines {
    Page(Box<PageLines>),
    Set,
}

/// Reads lines in a code page.
struct PageLines {
    cases: CaseTable,
    /// True for each byte that is a letter of another script than Latin.
    foreign: [bool; 256],
    /// The languages of the script, with the symbols of all bytes.
    languages: Vec<(&'static Language, SymbolCosts)>,
    /// English, for words in ASCII letters in another script.
    english: Option<(&'static Language, SymbolCosts)>,
    /// The index of the language that the last lines fitted best.
    last: Cell<usize>,
}

impl LineReader {
    /// Returns a reader for an encoding, if it is one that is ranked.
    pub fn new(codec: &'static Encoding) -> Option<LineReader> {
        let name = codec.name;
        let set = SETS.iter().find(|set| set.name == name || set.superset == Some(name));
        if let Some(set) = set {
            return Some(LineReader { codec, prior: set_cost(set), lines: Lines::Set });
        }
        let mut pages = pages::candidates().iter().chain(pages::rare()).chain(pages::vietnamese());
        let page = pages.find(|page| page.codec.name == name)?;
        let lines = Lines::Page(Box::new(PageLines::new(page)));
        Some(LineReader { codec, prior: i64::from(page.prior.cost) * BIT, lines })
    }

    /// Returns by how much lines cost more than in another encoding, without the costs of the
    /// encodings. Lines that both decode alike cost the same, though not in all languages.
    pub fn excess(&self, other: &LineReader, lines: &[u8]) -> i64 {
        match self.is_alike(other, lines) {
            true => 0,
            false => self.cost(lines).cost - other.cost(lines).cost,
        }
    }

    /// Returns `true` if two pages decode lines to the same text.
    pub fn is_alike(&self, other: &LineReader, lines: &[u8]) -> bool {
        let are_pages = self.codec.is_page() && other.codec.is_page();
        let is_alike = |&byte: &u8| self.codec.code_point(byte) == other.codec.code_point(byte);
        are_pages && lines.iter().filter(|byte| !byte.is_ascii()).all(is_alike)
    }

    /// Returns `true` if all words of lines fit the language that the last ones fitted best.
    pub fn is_fitted_by(&self, lines: &[u8]) -> bool {
        match &self.lines {
            Lines::Page(page) => page.is_fitted_by(lines),
            Lines::Set => self.cost(lines).misfit <= 0,
        }
    }

    /// Returns the cost of lines, without that of the encoding.
    pub fn cost(&self, lines: &[u8]) -> LineCost {
        match &self.lines {
            Lines::Page(page) => page.cost(lines),
            Lines::Set => match character_costs(self.codec, lines) {
                Some(costs) => costs.into_iter().fold(LineCost::default(), |sum, cost| LineCost {
                    cost: sum.cost + cost,
                    misfit: sum.misfit + (cost - RARE_CHARACTER).max(-GOOD_WORD),
                }),
                None => LineCost { cost: ILL_FORMED, misfit: ILL_FORMED },
            },
        }
    }
}

impl PageLines {
    fn new(page: &DetectedPage) -> PageLines {
        let (model, script) = (Model::get(), page.prior.script);
        let glyphs: Vec<(u8, Glyph)> = page.glyphs(model).collect();
        let (mut cases, mut foreign) = (ascii_cases(), [false; 256]);
        for &(byte, glyph) in &glyphs {
            match glyph {
                Glyph::Letter(at, case) => {
                    cases[usize::from(byte)] = case;
                    foreign[usize::from(byte)] = model.letters[at].script != Script::Latin;
                }
                Glyph::Toned(_, case) => cases[usize::from(byte)] = case,
                Glyph::Ascii(..) | Glyph::Mark(..) => {}
            }
        }
        let read = |language: &'static Language| {
            let mut cells = ascii_cells(language.script);
            set_high_symbols(model, &mut cells, &glyphs, language);
            (language, cells)
        };
        let of_script = model.languages.iter().filter(|language| language.script == script);
        let languages = of_script.map(read).collect();
        let english = (script != Script::Latin).then(|| read(&model.languages[0]));
        PageLines { cases, foreign, languages, english, last: Cell::new(0) }
    }

    /// Returns the cost of lines in the language that fits best.
    fn cost(&self, lines: &[u8]) -> LineCost {
        let (text, mut words) = (join_windows([lines]), Vec::new());
        split_words(&text, |part| {
            if let WindowPart::Word(word) = part {
                words.push((word, self.spelling_cost(word), self.english_of(word)));
            }
        });
        let last = self.last.get();
        let others = (0..self.languages.len()).filter(|&at| at != last);
        let mut best: Option<(LineCost, usize)> = None;
        for at in std::iter::once(last).chain(others) {
            let mut sum = LineCost::default();
            let most = best.map_or(i64::MAX, |(best, _)| best.cost);
            for &(word, spelling, english) in &words {
                let (language, cells) = english.unwrap_or(&self.languages[at]);
                sum.add_word(word, spelling + word_cost(language, cells, word));
                // No word has a negative cost.
                if sum.cost > most {
                    break;
                }
            }
            if best.is_none_or(|(best, of)| (sum.cost, at) < (best.cost, of)) {
                best = Some((sum, at));
            }
        }
        let (cost, language) = best.unwrap_or_default();
        self.last.set(language);
        cost
    }

    fn is_fitted_by(&self, lines: &[u8]) -> bool {
        let mut sum = LineCost::default();
        let reading = &self.languages[self.last.get()];
        let text = join_windows([lines]);
        split_words(&text, |part| {
            if let WindowPart::Word(word) = part {
                let (language, cells) = self.english_of(word).unwrap_or(reading);
                sum.add_word(word, self.spelling_cost(word) + word_cost(language, cells, word));
            }
        });
        sum.misfit <= 0
    }

    /// Returns the reading of a word in English, if it has ASCII letters and none of another script.
    fn english_of(&self, word: &[u8]) -> Option<&(&'static Language, SymbolCosts)> {
        let is_ascii = word.iter().any(u8::is_ascii_alphabetic)
            && word.iter().all(|&byte| !self.foreign[usize::from(byte)]);
        self.english.as_ref().filter(|_| is_ascii)
    }

    /// Returns the cost of a word that is the same in all languages: that of the case of its letters
    /// and of letters of two scripts.
    fn spelling_cost(&self, word: &[u8]) -> i64 {
        let case = |byte: u8| self.cases[usize::from(byte)];
        let is_latin = |byte: u8| byte.is_ascii() && case(byte) != LetterCase::None;
        let is_foreign = |byte: u8| self.foreign[usize::from(byte)];
        let cost = |pair: &[u8]| {
            let [before, next] = [pair[0], pair[1]];
            let is_mixed =
                is_latin(before) && is_foreign(next) || is_foreign(before) && is_latin(next);
            case_cost(case(before), case(next)) + i64::from(is_mixed) * MIXED_LETTERS
        };
        word.windows(2).map(cost).sum::<i64>() + inner_capitals(&self.cases, word)
    }
}
