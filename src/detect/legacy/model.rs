//! How likely is a character behind another, in each language? The tables that `models/` derives.
//!
//! Costs are in sixteenths of a bit. The tables hold, each number little-endian:
//!
//! * the numbers of letters, marks, languages with an alphabet (one byte) and without (one byte);
//! * letters beyond ASCII, in lower case: code point, script (one byte), and what the letter costs
//!   where it is foreign (one byte);
//! * marks and signs: code point, class, and cost among those of the class (one byte each);
//! * languages with an alphabet: name, script, cost of the language, the number of symbols, that of
//!   letters beyond ASCII (one byte each), these letters, and a row for each symbol: what each
//!   symbol costs behind it;
//! * languages of East Asia: name, cost of the language (one byte), the size of the list of
//!   characters (four bytes), a row for each class, and the list: how much further the code point
//!   is than the last, and what the character costs among those of its class. Two zeros are 255
//!   further and no character.

use crate::codec::pages::Script;

/// The tables. They are figures derived from Debian's packages of translations of Battle for
/// Wesnoth (GPL-2+), LibreOffice (MPL-2.0), VLC (GPL-2+) and iso-codes (LGPL-2.1+).
static TABLES: &[u8] = include_bytes!("model.bin");

/// Units of cost in a bit.
pub(super) const BIT: i64 = 16;

/// What a symbol is that is no letter of the language. The order is that of the tables.
pub(super) mod class {
    pub const BLANK: u8 = 0;
    pub const DIGIT: u8 = 1;
    pub const STOP: u8 = 2;
    pub const OTHER: u8 = 3;
    pub const APOSTROPHE: u8 = 4;
    pub const FOREIGN: u8 = 10;
    pub const ALIEN: u8 = 11;
    /// A letter of ASCII, in a language that has another script.
    pub const LATIN: u8 = 12;
    /// The first letter.
    pub const LETTERS: u8 = 13;
}

/// The scripts, as the tables number them.
const SCRIPTS: [Script; 6] =
    [Script::Latin, Script::Cyrillic, Script::Greek, Script::Hebrew, Script::Arabic, Script::Thai];

/// A letter beyond ASCII, in lower case.
pub(super) struct ModelLetter {
    point: u16,
    pub script: Script,
    /// What it costs where it is foreign.
    pub foreign: u8,
}

/// A mark or sign.
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
    /// The number of symbols.
    size: usize,
    /// The symbol of each letter of the tables.
    pub symbols: Vec<u8>,
    /// What a symbol costs behind a symbol, row by row.
    pairs: &'static [u8],
}

impl Language {
    /// What a symbol costs behind another.
    pub fn pair(&self, before: u8, symbol: u8) -> i64 {
        self.pairs[usize::from(before) * self.size + usize::from(symbol)].into()
    }
}

/// The number of classes of characters of East Asia.
pub(super) const CLASSES: usize = 12;

/// A language of East Asia.
pub(super) struct Ideographic {
    pub name: &'static str,
    pub cost: u8,
    /// What a class costs behind a class, row by row.
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

/// What is left of the tables.
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
        Language { name, script, cost, size, symbols, pairs: self.take(size * size) }
    }

    fn ideographic(&mut self) -> Ideographic {
        let (name, cost, len) = (self.name(), self.byte(), self.long());
        let pairs = self.take(CLASSES * CLASSES);
        Ideographic { name, cost, pairs, list: self.take(len) }
    }
}

impl Model {
    /// Read the tables.
    pub fn read() -> Model {
        let mut reader = TableReader(TABLES);
        let (letters, marks) = (reader.short(), reader.short());
        let (languages, ideographic) = (reader.byte(), reader.byte());
        let letters: Vec<_> = (0..letters).map(|_| reader.letter()).collect();
        let marks = (0..marks).map(|_| reader.mark()).collect();
        let languages = (0..languages).map(|_| reader.language(&letters)).collect();
        let ideographic = (0..ideographic).map(|_| reader.ideographic()).collect();
        Model { letters, marks, languages, ideographic }
    }

    /// The place of a letter in the tables.
    pub fn letter(&self, point: u16) -> Option<usize> {
        self.letters.binary_search_by_key(&point, |letter| letter.point).ok()
    }

    /// What the tables say of a mark.
    pub fn mark(&self, point: u16) -> Option<&ModelMark> {
        let at = self.marks.binary_search_by_key(&point, |mark| mark.point).ok()?;
        Some(&self.marks[at])
    }
}

impl Ideographic {
    /// What a character costs among those of its class, where no list has it.
    const UNSEEN: i64 = 21 * BIT;

    /// What characters cost among those of their classes, if there are so many of each code point,
    /// and so many of all.
    pub fn characters(&self, numbers: &[u16], all: i64) -> i64 {
        let mut unseen = all;
        let mut sum = 0;
        let mut point = 0;
        for entry in self.list.chunks_exact(2) {
            point += usize::from(if entry[0] == 0 { 255 } else { entry[0] });
            let number = if entry[0] == 0 { 0 } else { i64::from(numbers[point]) };
            sum += number * i64::from(entry[1]);
            unseen -= number;
        }
        sum + unseen * Self::UNSEEN
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_read_to_their_end() {
        let model = Model::read();
        let rest: usize = model.ideographic.last().unwrap().list.as_ptr_range().end as usize;
        assert_eq!(rest, TABLES.as_ptr_range().end as usize);
        assert_eq!(model.languages[0].name, "en");
        assert!(model.letters.is_sorted_by_key(|letter| letter.point));
        assert!(model.marks.is_sorted_by_key(|mark| mark.point));
    }

    #[test]
    fn rows_are_distributions() {
        for language in Model::read().languages {
            // In Latin languages no symbol is a letter of another script's ASCII.
            let unused = (language.script == Script::Latin).then_some(usize::from(class::LATIN));
            let rows = language.pairs.chunks(language.size).enumerate();
            for (symbol, row) in rows.filter(|&(symbol, _)| Some(symbol) != unused) {
                let sum: f64 = row.iter().map(|&cost| 0.5f64.powf(f64::from(cost) / 16.0)).sum();
                assert!((0.5..1.05).contains(&sum), "{} {symbol}: {sum}", language.name);
            }
        }
    }
}
