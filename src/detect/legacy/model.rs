//! Models of languages: the cost of a character after another, as `models/derive.py` derives it.
//!
//! Costs are in sixteenths of a bit. Numbers have two bytes, little-endian, unless a length is given;
//! a name is its length (one byte) and ASCII. `model.bin` contains, in this order:
//!
//! * the number of letters, of marks, of alphabetic languages (one byte), and of East Asian
//!   languages (one byte);
//! * for each letter beyond ASCII, in lower case: code point, script (one byte), and the cost of the
//!   letter in languages that do not use it (one byte);
//! * for each mark and sign: code point, class (one byte), and cost among those of the class (one
//!   byte);
//! * for each alphabetic language: name, script, cost of the language, number of symbols, number of
//!   letters beyond ASCII (one byte each), the indices of these letters, and for each symbol a row
//!   with the cost of each symbol after it (one byte each);
//! * for each East Asian language: name, cost of the language (one byte), length of the list of
//!   characters in bytes (four bytes), for each class a row with the cost of each class after it,
//!   and the list: the difference to the previous code point, and the cost of the character among
//!   those of its class (one byte each). A difference of 0 advances by 255 without a character.

use std::iter::once;
use std::sync::LazyLock;

use unicode_normalization::UnicodeNormalization;

use super::repeated;
use crate::codec::pages::Script;

/// The tables: statistics of the translations in Debian's packages of Battle for
/// Wesnoth (GPL-2+), LibreOffice (MPL-2.0), VLC (GPL-2+) and iso-codes (LGPL-2.1+).
static TABLES: &[u8] = include_bytes!("model.bin");

/// The number of units of cost in a bit.
pub(super) const BIT: i64 = 16;

/// Symbols that are no letters of the language, by their indices in the tables. Indices 5 to 9 are
/// classes of marks, of which the tables alone use all but one.
pub(super) mod class {
    pub const BLANK: u8 = 0;
    pub const DIGIT: u8 = 1;
    pub const STOP: u8 = 2;
    pub const OTHER: u8 = 3;
    pub const APOSTROPHE: u8 = 4;
    /// Dashes and bullets.
    pub const DASH: u8 = 7;
    pub const FOREIGN: u8 = 10;
    pub const ALIEN: u8 = 11;
    /// An ASCII letter, in a language with another script.
    pub const LATIN: u8 = 12;
    /// The first letter.
    pub const LETTERS: u8 = 13;
}

/// The model of English, in which names of all languages occur.
pub(super) const ENGLISH: &str = "en";

/// The scripts, as the tables number them.
const SCRIPTS: [Script; 8] = [
    Script::Latin,
    Script::Cyrillic,
    Script::Greek,
    Script::Hebrew,
    Script::Arabic,
    Script::Thai,
    Script::Georgian,
    Script::Armenian,
];

/// A letter beyond ASCII, in lower case.
pub(super) struct ModelLetter {
    point: u16,
    pub script: Script,
    /// The cost in languages that do not use the letter.
    pub foreign: u8,
}

/// A mark or sign beyond ASCII.
pub(super) struct ModelMark {
    point: u16,
    pub class: u8,
    pub cost: u8,
}

/// A language with an alphabet.
pub(super) struct Language {
    pub name: &'static str,
    pub script: Script,
    pub cost: u8,
    /// True if the language is written in capitals.
    pub is_in_capitals: bool,
    /// The number of symbols.
    size: usize,
    /// The symbol of each letter, by the index of the letter.
    pub symbols: Vec<u8>,
    /// The costs of pairs: a row for each first symbol.
    pairs: &'static [u8],
}

impl ModelLetter {
    fn letter(&self) -> char {
        char::from_u32(self.point.into()).expect("a letter of the tables")
    }
}

impl Language {
    /// Returns `true` for [`ENGLISH`].
    pub fn is_english(&self) -> bool {
        self.name == ENGLISH
    }

    /// Returns the cost of a symbol after another.
    pub fn pair(&self, before: u8, symbol: u8) -> i64 {
        self.pairs[usize::from(before) * self.size + usize::from(symbol)].into()
    }

    /// Returns the symbol of a letter.
    fn symbol(&self, letters: &[ModelLetter], letter: char) -> u8 {
        if self.script == Script::Latin && letter.is_ascii_lowercase() {
            return class::LETTERS + letter as u8 - b'a';
        }
        let at = letters.binary_search_by_key(&letter, ModelLetter::letter);
        at.map_or(class::ALIEN, |at| self.symbols[at])
    }

    /// Returns the language as it is written in capitals, where one letter stands for several:
    /// `capital` returns it. Its share of the pairs is the sum of theirs; of what follows it, the
    /// mean.
    fn in_capitals(&self, letters: &[ModelLetter], capital: fn(char) -> char) -> Language {
        let mut bare: Vec<usize> = (0..self.size).collect();
        let mut symbols = self.symbols.clone();
        for (at, letter) in letters.iter().enumerate() {
            let symbol = self.symbols[at];
            let to = self.symbol(letters, capital(letter.letter()));
            if symbol >= class::LETTERS && to >= class::LETTERS {
                bare[usize::from(symbol)] = to.into();
                // Of the others, the text has their capitals.
                if letter.letter() == CAPITAL_I {
                    symbols[at] = to;
                }
            }
        }
        let share: Vec<f64> =
            (0..=u8::MAX).map(|cost| (-f64::from(cost) / BIT as f64).exp2()).collect();
        let alike = |one: usize| {
            let others = bare.iter().enumerate().filter(move |&(at, to)| *to == one && at != one);
            once(one).chain(others.map(|(at, _)| at)).collect::<Vec<_>>()
        };
        let alike: Vec<Vec<usize>> = (0..self.size).map(alike).collect();
        let pair = |before: usize, symbol: usize| self.pairs[before * self.size + symbol];
        let merged = |before: usize, symbol: usize| {
            let (rows, columns) = (&alike[bare[before]], &alike[symbol]);
            if bare[symbol] != symbol {
                return pair(before, symbol).saturating_add(ACCENT);
            }
            if rows.len() == 1 && columns.len() == 1 {
                return pair(before, symbol);
            }
            let places =
                rows.iter().flat_map(|row| columns.iter().map(move |column| (*row, *column)));
            let sum: f64 = places.map(|(row, column)| share[usize::from(pair(row, column))]).sum();
            (-(sum / rows.len() as f64).log2() * BIT as f64).round().clamp(0.0, 255.0) as u8
        };
        let places = (0..self.size).flat_map(|before| (0..self.size).map(move |at| (before, at)));
        let pairs = places.map(|(before, symbol)| merged(before, symbol)).collect::<Vec<_>>();
        Language {
            cost: self.cost.saturating_add(IN_CAPITALS),
            is_in_capitals: true,
            symbols,
            pairs: pairs.leak(),
            ..*self
        }
    }
}

/// The cost of a language that is written in capitals alone, or without accents, chosen by hand: half of
/// the texts.
const IN_CAPITALS: u8 = BIT as u8;

/// The cost of an accent in such a text, chosen by hand.
const ACCENT: u8 = 6 * BIT as u8;

/// Returns the letter that stands for a small Greek letter in capitals: without accents, and sigma for
/// final sigma.
fn greek_capital(letter: char) -> char {
    match letter {
        'ς' => 'σ',
        _ => letter.nfd().next().unwrap_or(letter),
    }
}

/// The capital letter that the tables have, because it is two characters in lower case.
const CAPITAL_I: char = 'İ';

/// Returns the letter that stands for a Turkish letter in capitals: ASCII capitals are read as small
/// letters with a dot, and `I` is the capital of the dotless one.
fn turkish_capital(letter: char) -> char {
    match letter {
        CAPITAL_I | 'ı' => 'i',
        _ => letter,
    }
}

/// The number of classes of characters in East Asian languages.
pub(super) const CLASSES: usize = 12;

/// An East Asian language.
pub(super) struct Ideographic {
    pub name: &'static str,
    pub cost: u8,
    /// The costs of pairs of classes: a row for each first class.
    pub pairs: &'static [u8],
    list: &'static [u8],
}

/// All tables.
pub(super) struct Model {
    pub letters: Vec<ModelLetter>,
    pub marks: Vec<ModelMark>,
    pub languages: Vec<Language>,
    pub ideographic: Vec<Ideographic>,
}

/// The part of the tables that is not read yet.
struct TableReader(&'static [u8]);

impl TableReader {
    fn take(&mut self, len: usize) -> &'static [u8] {
        let (taken, rest) = self.0.split_at(len);
        self.0 = rest;
        taken
    }

    fn byte(&mut self) -> u8 {
        self.take(1)[0]
    }

    fn short(&mut self) -> u16 {
        u16::from(self.byte()) | u16::from(self.byte()) << 8
    }

    fn long(&mut self) -> usize {
        usize::from(self.short()) | usize::from(self.short()) << 16
    }

    fn name(&mut self) -> &'static str {
        let len = self.byte();
        std::str::from_utf8(self.take(len.into())).expect("names are ASCII")
    }

    fn script(&mut self) -> Script {
        SCRIPTS[usize::from(self.byte())]
    }

    fn letter(&mut self) -> ModelLetter {
        ModelLetter { point: self.short(), script: self.script(), foreign: self.byte() }
    }

    fn mark(&mut self) -> ModelMark {
        ModelMark { point: self.short(), class: self.byte(), cost: self.byte() }
    }

    fn language(&mut self, letters: &[ModelLetter]) -> Language {
        let (name, script, cost) = (self.name(), self.script(), self.byte());
        let (size, own) = (usize::from(self.byte()), self.byte());
        let mut symbols: Vec<u8> = letters
            .iter()
            .map(|letter| if letter.script == script { class::FOREIGN } else { class::ALIEN })
            .collect();
        let first = size as u8 - own;
        for symbol in first..first + own {
            symbols[usize::from(self.short())] = symbol;
        }
        let pairs = self.take(size * size);
        Language { name, script, cost, is_in_capitals: false, size, symbols, pairs }
    }

    fn ideographic(&mut self) -> Ideographic {
        let (name, cost, len) = (self.name(), self.byte(), self.long());
        let pairs = self.take(CLASSES * CLASSES);
        Ideographic { name, cost, pairs, list: self.take(len) }
    }
}

impl Model {
    /// Returns the tables, read on first use.
    pub fn get() -> &'static Model {
        static MODEL: LazyLock<Model> = LazyLock::new(Model::read);
        &MODEL
    }

    fn read() -> Model {
        let mut reader = TableReader(TABLES);
        let (letters, marks) = (reader.short(), reader.short());
        let (languages, ideographic) = (reader.byte(), reader.byte());
        let letters: Vec<_> = (0..letters).map(|_| reader.letter()).collect();
        let marks = (0..marks).map(|_| reader.mark()).collect();
        let mut languages: Vec<_> = (0..languages).map(|_| reader.language(&letters)).collect();
        let in_capitals = |name, capital: fn(char) -> char| {
            let language = languages.iter().find(|language: &&Language| language.name == name)?;
            Some(language.in_capitals(&letters, capital))
        };
        let more = [in_capitals("el", greek_capital), in_capitals("tr", turkish_capital)];
        languages.extend(more.into_iter().flatten());
        let ideographic = (0..ideographic).map(|_| reader.ideographic()).collect();
        Model { letters, marks, languages, ideographic }
    }

    /// Returns the index of a letter in the tables.
    pub fn letter(&self, point: u16) -> Option<usize> {
        self.letters.binary_search_by_key(&point, |letter| letter.point).ok()
    }

    /// Returns the row of a mark.
    pub fn mark(&self, point: u16) -> Option<&ModelMark> {
        let at = self.marks.binary_search_by_key(&point, |mark| mark.point).ok()?;
        Some(&self.marks[at])
    }
}

impl Ideographic {
    /// The cost of a character that the list lacks, among those of its class.
    pub const UNSEEN: i64 = 21 * BIT;

    /// The most cost of a character that occurred before, chosen by hand.
    const REPEATED: i64 = 8 * BIT;

    /// Returns the code points of the list, and the cost of each among those of its class.
    fn listed(&self) -> impl Iterator<Item = (usize, u8)> {
        let mut point = 0;
        self.list.as_chunks().0.iter().filter_map(move |&[step, cost]| {
            point += usize::from(if step == 0 { 255 } else { step });
            (step > 0).then_some((point, cost))
        })
    }

    /// Returns the cost of characters among those of their classes, given the number of each code
    /// point and of all characters, and the number of different ones.
    pub fn characters(&self, counts: &[u16], all: i64, distinct: i64) -> i64 {
        let (mut unseen, mut unseen_distinct) = (all, distinct);
        let mut sum = 0;
        for (point, cost) in self.listed() {
            let count = i64::from(counts[point]);
            if count > 0 {
                sum += repeated(count, cost.into(), Self::REPEATED);
                unseen -= count;
                unseen_distinct -= 1;
            }
        }
        sum + unseen_distinct * Self::UNSEEN + (unseen - unseen_distinct) * Self::REPEATED
    }
}

/// The cost of a code unit that is in no list. No listed one costs so little.
const UNLISTED: u8 = 0;

/// Returns the cost in bits of a code unit among those of its class, in the East Asian language in which
/// it is most frequent. `None` if it is in no list.
pub(in crate::detect) fn east_asian_bits(unit: u16) -> Option<u8> {
    static COSTS: LazyLock<Vec<u8>> = LazyLock::new(|| {
        let mut costs = vec![UNLISTED; 1 << 16];
        for (point, cost) in Model::get().ideographic.iter().flat_map(Ideographic::listed) {
            let least = &mut costs[point];
            *least = if *least == UNLISTED { cost } else { cost.min(*least) };
        }
        costs
    });
    let cost = COSTS[usize::from(unit)];
    (cost != UNLISTED).then_some(cost / BIT as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_read_to_their_end() {
        let model = Model::get();
        let rest: usize = model.ideographic.last().unwrap().list.as_ptr_range().end as usize;
        assert_eq!(rest, TABLES.as_ptr_range().end as usize);
        assert_eq!(model.languages[0].name, ENGLISH);
        assert!(model.letters.is_sorted_by_key(|letter| letter.point));
        assert!(model.marks.is_sorted_by_key(|mark| mark.point));
    }

    #[test]
    fn no_character_is_a_letter_and_a_mark() {
        let model = Model::get();
        assert!(model.marks.iter().all(|mark| model.letter(mark.point).is_none()));
    }

    #[test]
    fn listed_characters_cost_more_than_the_value_for_unlisted_ones() {
        let mut listed = Model::get().ideographic.iter().flat_map(Ideographic::listed);
        assert!(listed.all(|(_, cost)| cost > UNLISTED));
    }

    #[test]
    fn rows_are_distributions() {
        for language in &Model::get().languages {
            // In Latin languages no symbol is a letter of another script's ASCII.
            let unused = (language.script == Script::Latin).then_some(usize::from(class::LATIN));
            let rows = language.pairs.chunks(language.size).enumerate();
            let rows = rows.filter(|&(symbol, _)| Some(symbol) != unused);
            for (symbol, row) in rows.step_by(crate::TEST_STRIDE) {
                let sum: f64 = row.iter().map(|&cost| 0.5f64.powf(f64::from(cost) / 16.0)).sum();
                assert!((0.5..1.05).contains(&sum), "{} {symbol}: {sum}", language.name);
            }
        }
    }
}
