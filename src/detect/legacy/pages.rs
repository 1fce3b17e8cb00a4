//! The code pages and multi-byte sets that are ranked.

use std::ops::{Range, RangeInclusive};
use std::sync::LazyLock;

use super::model::{BIT, ENGLISH, Model, class};
use super::pairs::Pairs;
use crate::codec::legacy::{self, LongSequences, MultiByteSet};
use crate::codec::pages::{PAGES, PageRow, Prior, Script, by_rank};
use crate::codec::sets::{CHARSETS, CharsetRow, SetTrial};
use crate::kernel::UNMAPPED;
use crate::registry::{Encoding, by_name};
use crate::text::decomposition::letter_and_marks;

/// A code page that is a candidate.
pub(super) struct DetectedPage {
    pub codec: &'static Encoding,
    pub prior: Prior,
    /// The code points of the bytes beyond ASCII.
    points: [Option<u32>; 128],
}

/// The model of Vietnamese, in which a tone is a letter after its vowel.
pub(super) const VIETNAMESE: &str = "vi";

/// The model of the Latin-script languages without a model of their own.
pub(super) const OTHER_LATIN: &str = "und-latn";

/// Returns the candidates with ASCII in 00..7F, in the order of their ranks.
pub(super) fn candidates() -> &'static [DetectedPage] {
    static CANDIDATES: LazyLock<Vec<DetectedPage>> =
        LazyLock::new(|| ranked_pages(|row| row.ascii));
    &CANDIDATES
}

/// Returns the wanted pages among those with a rank, in this order.
fn ranked_pages(is_wanted: impl Fn(&PageRow) -> bool) -> Vec<DetectedPage> {
    by_rank(|row| {
        let prior = row.detect.filter(|_| is_wanted(row))?;
        Some((prior.rank, DetectedPage::of(row, prior)))
    })
}

/// The cost of a page that is no candidate, in bits, chosen by hand.
const RARE: u8 = 18;

/// Returns the pages of Vietnamese that have letters in place of a few controls. They are tried with
/// [`rare`] pages, and where a candidate fits as Vietnamese.
pub(super) fn vietnamese() -> &'static [DetectedPage] {
    static VIETNAMESE_PAGES: LazyLock<Vec<DetectedPage>> =
        LazyLock::new(|| ranked_pages(|row| !row.ascii && !row.family.is_ebcdic()));
    &VIETNAMESE_PAGES
}

/// Returns the pages with ASCII in 00..7F that are no candidates. They are tried where the best candidate
/// [is doubtful](super::confidence::RankedTexts::is_doubtful).
pub(super) fn rare() -> &'static [DetectedPage] {
    static RARE_PAGES: LazyLock<Vec<DetectedPage>> = LazyLock::new(|| {
        let rows = PAGES.iter().filter(|row| row.ascii && row.detect.is_none());
        let pages = rows.map(|row| DetectedPage::of(row, RARE_PRIOR));
        let with_letters = pages.filter_map(|page| {
            // Some pages lack ASCII characters, or have them twice.
            let is_ascii = (0..0x80).all(|byte| page.codec.code_point(byte) == Some(byte.into()));
            let has_ascii_twice = page.points.iter().flatten().any(|&point| point < 0x80);
            let script = page.script().filter(|_| is_ascii && !has_ascii_twice)?;
            Some(DetectedPage { prior: Prior { script, ..RARE_PRIOR }, ..page })
        });
        with_letters.collect()
    });
    &RARE_PAGES
}

/// The prior of a page that is no candidate, of which the script is another for each.
const RARE_PRIOR: Prior =
    Prior { rank: u8::MAX, script: Script::Latin, cost: RARE, languages: &[] };

/// The prior of alphabetic text in a multi-byte set, beside that of the set: such text is rare. The cost
/// was chosen by hand.
const ALPHABET_IN_SET: Prior =
    Prior { rank: u8::MAX, script: Script::Latin, cost: 10, languages: &[] };

/// The code points between the first and the last letter of the scripts other than Latin. Some of them are
/// points, digits and marks.
const SCRIPTS: [(Script, RangeInclusive<u32>); 7] = [
    (Script::Greek, 0x386..=0x3FF),
    (Script::Cyrillic, 0x400..=0x52F),
    (Script::Hebrew, 0x5D0..=0x5EA),
    (Script::Arabic, 0x620..=0x6D5),
    (Script::Thai, 0xE01..=0xE30),
    (Script::Georgian, 0x10D0..=0x10F6),
    (Script::Armenian, 0x531..=0x587),
];

/// Returns the script of a letter, unless it is Latin.
pub(super) fn script_of(point: u32) -> Option<Script> {
    SCRIPTS.iter().find(|(_, points)| points.contains(&point)).map(|(script, _)| *script)
}

/// The number of letters of a script in a page that is for the script.
const LETTERS: usize = 20;

/// A multi-byte set that is ranked.
#[derive(Clone, Copy)]
pub(super) struct DetectedSet {
    pub name: &'static str,
    /// The languages that the set was made for.
    pub languages: &'static [&'static str],
    /// A set that decodes all texts in this one to the same text.
    pub superset: Option<&'static str>,
    /// True if sequences of four bytes tell the superset.
    pub has_four_bytes: bool,
    /// The row of a set that is no candidate. It is tried with the [`rare`] pages.
    pub rare: Option<&'static CharsetRow>,
}

/// The number of multi-byte sets that are ranked.
const RANKED: usize = {
    let (mut ranked, mut at) = (0, 0);
    while at < legacy::SETS.len() + CHARSETS.len() {
        ranked += detected_set(at).is_some() as usize;
        at += 1;
    }
    ranked
};

/// The multi-byte sets that are ranked, the candidates first. Their supersets decode alike and are not.
pub(super) static SETS: [DetectedSet; RANKED] = {
    let mut sets = [const { detected_set(0).expect("a candidate") }; RANKED];
    let (mut ranked, mut at) = (0, 0);
    while at < legacy::SETS.len() + CHARSETS.len() {
        if let Some(set) = detected_set(at) {
            sets[ranked] = set;
            ranked += 1;
        }
        at += 1;
    }
    sets
};

/// Returns a multi-byte set, if it is ranked, by its index in the two tables.
const fn detected_set(at: usize) -> Option<DetectedSet> {
    if at >= legacy::SETS.len() {
        let row = &CHARSETS[at - legacy::SETS.len()];
        let Some(SetTrial { languages, .. }) = row.detect else { return None };
        let rare = Some(row);
        return Some(DetectedSet {
            name: row.name,
            languages,
            superset: None,
            has_four_bytes: false,
            rare,
        });
    }
    let MultiByteSet { name, superset, ref long, detect, .. } = legacy::SETS[at];
    let Some(languages) = detect else { return None };
    let has_four_bytes = matches!(long, LongSequences::FourBytes);
    Some(DetectedSet { name, languages, superset, has_four_bytes, rare: None })
}

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
    /// A letter with a tone of Vietnamese, which are two letters in the tables, with its case.
    Toned([char; 2], LetterCase),
    /// An ASCII character, which EBCDIC pages have at different places, and its cost among those of
    /// its class.
    Ascii(u8, u16),
    /// Any other character, by its class and its cost among those of the class.
    Mark(u8, u16),
}

impl Glyph {
    /// Returns the case of a letter beyond ASCII.
    pub fn letter_case(self) -> Option<LetterCase> {
        match self {
            Glyph::Letter(_, case) | Glyph::Toned(_, case) => Some(case),
            Glyph::Ascii(..) | Glyph::Mark(..) => None,
        }
    }
}

/// The cost of a character that the tables lack, chosen by hand: one of about a hundred in a page.
const ALIEN: u16 = 7 * 16;
/// The cost of a control character, chosen by hand: text hardly has any.
const CONTROL: u16 = 10 * 16;

/// The control characters beyond ASCII.
const CONTROLS: Range<u32> = 0x80..0xA0;

impl DetectedPage {
    /// Creates a page in which each byte stands for itself.
    fn of(row: &'static PageRow, prior: Prior) -> DetectedPage {
        DetectedPage::new(row, prior, &row.points(), |byte| byte)
    }

    /// Creates a page from the code points of all its bytes, in their order. `source` returns the byte of the page that a byte
    /// beyond ASCII of the sample stands for.
    pub fn new(
        row: &'static PageRow,
        prior: Prior,
        all: &[u16; 256],
        source: impl Fn(u8) -> u8,
    ) -> DetectedPage {
        let points = std::array::from_fn(|at| {
            let point = all[usize::from(source(0x80 | at as u8))];
            (point != UNMAPPED).then_some(point.into())
        });
        DetectedPage { codec: by_name(row.name), prior, points }
    }

    /// Creates a page for text of a multi-byte set in a script, with these code points from 80 on.
    pub fn of_points(codec: &'static Encoding, script: Script, points: &[u16]) -> DetectedPage {
        let points = std::array::from_fn(|at| points.get(at).copied().map(u32::from));
        DetectedPage { codec, prior: Prior { script, ..ALPHABET_IN_SET }, points }
    }

    /// Returns the script that the page is for, or `None` for one that no model is for.
    fn script(&self) -> Option<Script> {
        let number = |is_of: &dyn Fn(u32) -> bool| {
            self.points.iter().flatten().filter(|&&point| is_of(point)).count()
        };
        let other =
            SCRIPTS.iter().find(|(_, points)| number(&|one| points.contains(&one)) >= LETTERS);
        let is_latin = |point| matches!(point, 0xC0..=0x24F | 0x1E00..=0x1EFF);
        let latin = (number(&is_latin) >= LETTERS).then_some(Script::Latin);
        other.map(|(script, _)| *script).or(latin)
    }

    /// Returns `true` if two adjacent bytes are letters of the script that the page is for, or the script
    /// is Latin.
    pub fn has_words(&self, pairs: &Pairs) -> bool {
        let script = SCRIPTS.iter().find(|(script, _)| *script == self.prior.script);
        let Some((_, letters)) = script else { return true };
        let is_letter =
            |&byte: &u8| self.character(byte).is_some_and(|one| letters.contains(&u32::from(one)));
        pairs.high.iter().any(|pair| pair.bytes.iter().all(is_letter))
    }

    /// Returns `true` if a language was written in the page. English is written in all.
    pub fn is_for(&self, language: &str) -> bool {
        let languages = self.prior.languages;
        languages.is_empty() || language == ENGLISH || languages.contains(&language)
    }

    /// Returns `true` if the page is for all languages of the script that have no page of their own.
    pub fn is_for_others(&self) -> bool {
        self.is_for(OTHER_LATIN)
    }

    /// Returns the character of a byte beyond ASCII, and `None` for ASCII.
    pub fn character(&self, byte: u8) -> Option<char> {
        let point = self.points.get(usize::from(byte.checked_sub(0x80)?)).copied().flatten();
        point.and_then(char::from_u32)
    }

    /// Returns the meanings of all bytes beyond ASCII. Those of unassigned ones are control
    /// characters.
    pub fn glyphs(&self, model: &Model) -> impl Iterator<Item = (u8, Glyph)> {
        let glyph = |point: &Option<u32>| self.glyph(model, point.unwrap_or(CONTROLS.start));
        (0x80..=0xFF).zip(self.points.iter().map(glyph))
    }

    /// Returns the meaning of a code point. Pages of Vietnamese alone have letters with tones.
    pub fn glyph(&self, model: &Model, point: u32) -> Glyph {
        let is_vietnamese = self.prior.languages == [VIETNAMESE];
        let toned = || toned(char::from_u32(point)?);
        is_vietnamese.then(toned).flatten().unwrap_or_else(|| glyph(model, point))
    }

    /// Returns the code points of bytes beyond ASCII, or `None` if one of the bytes is unassigned.
    pub fn points(&self, bytes: &[u8]) -> Option<Vec<u32>> {
        bytes.iter().map(|&byte| self.points[usize::from(byte & 0x7F)]).collect()
    }
}

/// The letters of Vietnamese beyond ASCII that can have a tone, and the tones.
const TONED: &str = "âêôăơư\u{300}\u{301}\u{303}\u{309}\u{323}";

/// Returns the parts of a letter with a tone.
fn toned(character: char) -> Option<Glyph> {
    let lower = character.to_lowercase().next()?;
    let parts = letter_and_marks(lower, |part| part.is_ascii() || TONED.contains(part))?;
    Some(Glyph::Toned(parts.try_into().ok()?, case(character)))
}

/// Returns the meaning of a code point.
pub(super) fn glyph(model: &Model, value: u32) -> Glyph {
    if let Some(byte) = u8::try_from(value).ok().filter(u8::is_ascii) {
        return Glyph::Ascii(byte, ascii_mark_cost(byte));
    }
    let character = char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER);
    let letter = |letter: char| {
        let at = model.letter(u16::try_from(u32::from(letter)).ok()?)?;
        Some(Glyph::Letter(at, case(character)))
    };
    let mark = || {
        let mark = model.mark(u16::try_from(value).ok()?)?;
        Some(Glyph::Mark(mark.class, mark.cost.into()))
    };
    if let Some((class, bits)) = likeness(character) {
        return Glyph::Mark(class, bits * BIT as u16);
    }
    // Most characters are in the tables as they are, and none is in both.
    letter(character).or_else(mark).or_else(|| letter(to_table_form(character))).unwrap_or_else(
        || {
            let cost = if CONTROLS.contains(&value) { CONTROL } else { ALIEN };
            Glyph::Mark(class::ALIEN, cost)
        },
    )
}

/// Returns the class of other characters that a sign stands like, and its cost in bits among them, chosen
/// by hand: a letter of another alphabet, digits, and the apostrophe. After letters, and before them, other
/// signs are rare, so that `µm` and `m²` would be words of other pages.
fn likeness(sign: char) -> Option<(u8, u16)> {
    match sign {
        'µ' => Some((class::FOREIGN, 4)),
        '¹' | '²' | '³' => Some((class::DIGIT, 6)),
        '¼' | '½' | '¾' => Some((class::DIGIT, 7)),
        '´' => Some((class::APOSTROPHE, 3)),
        _ => None,
    }
}

/// Returns the cost of an ASCII mark among the others of its class, chosen by hand from their shares
/// in prose and in programs.
fn ascii_mark_cost(byte: u8) -> u16 {
    let bits = match byte {
        b'"' => 3,
        b'[' | b']' => 4,
        b'{' | b'}' | b'#' | b'!' => 5,
        b'$' | b'@' | b'\\' => 6,
        b'|' => 7,
        b'~' | b'`' => 8,
        b'^' => 9,
        _ => 0,
    };
    bits * 16
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
