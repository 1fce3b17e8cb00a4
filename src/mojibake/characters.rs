//! Classes, scripts and rarities of characters, the input of the oddity score.
//!
//! Scripts are those of Unicode, coarser; classes are specific to this module. A rarity is a
//! judgement of how common a character is in the text of those who write it: 1 for letters of
//! living alphabets, 2 for plain typographic marks and letters of few languages, 3 and 4 for
//! symbols, 5 to 7 for characters of scholars and specialists. The `oddity` module documents how
//! the values were tuned and which tests to run after a change.

use std::iter;
use std::sync::OnceLock;

use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

use LetterScript::*;
use NeighbourClass::*;

/// The relation of a character to its neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NeighbourClass {
    /// Space, line end, ASCII punctuation.
    Edge,
    Digit,
    Lower,
    Upper,
    /// Letter of a script without case.
    Letter,
    /// Follows a word: `…`, `”`, `™`.
    Closer,
    /// Precedes a word: `“`, `¿`.
    Opener,
    Dash,
    /// No-break space.
    Space,
    Money,
    Maths,
    /// Superscript or fraction.
    Raised,
    /// Spacing accent.
    Accent,
    /// `§`, `¦` and similar marks.
    Mark,
    Frame,
    /// Pictograph, arrow or any other symbol.
    Picture,
    /// May stand within a word: `’`, `·`, the soft hyphen.
    Joiner,
    Combining,
    Control,
    /// U+FFFD.
    Lost,
}

/// Script of a letter. Letters of different scripts are rarely neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LetterScript {
    Common,
    Latin,
    /// Letters of IPA and of historical orthographies.
    Phonetic,
    Greek,
    Cyrillic,
    Armenian,
    Hebrew,
    Arabic,
    Indic,
    Thai,
    Georgian,
    Hangul,
    /// Kana and ideographs.
    Han,
    Other,
}

/// The properties of a character that the score uses.
#[derive(Clone, Copy, Debug)]
pub(super) struct CharTraits {
    pub class: NeighbourClass,
    pub script: LetterScript,
    /// 0 for ASCII, 1 for characters in every text of their language, [`NEVER`] and more for
    /// characters in none.
    pub rarity: u8,
    /// Points for standing alone as a word.
    pub isolation: u8,
}

/// Symbols and marks by class and rarity.
#[rustfmt::skip]
static SYMBOLS: &[(NeighbourClass, u8, &str)] = &[
    (Closer, 1, "…”"), (Closer, 2, "»›΄։"), (Closer, 3, "™"), (Closer, 2, "®•"), (Closer, 4, "©†‡"),
    (Opener, 1, "“‘"), (Opener, 2, "„«¿¡"), (Opener, 3, "‚‹"),
    (Dash, 1, "–—"), (Dash, 2, "‐‑‒―֊"),
    (Space, 1, "\u{A0}"), (Space, 2, "\u{202F}\u{2009}\u{200A}\u{3000}"),
    // Not U+2005: `â€…` may be a cut quotation mark and an ellipsis.
    (Space, 3, "\u{2000}\u{2001}\u{2002}\u{2003}\u{2004}\u{2006}\u{2007}\u{2008}"),
    (Joiner, 1, "’"), (Joiner, 3, "ʻʼ"), (Joiner, 2, "·\u{200B}\u{200C}\u{200D}"), (Joiner, 3, "\u{AD}\u{FE0F}\u{FEFF}\u{200E}\u{200F}"),
    (Joiner, 3, "\u{202A}\u{202B}\u{202C}\u{202D}\u{202E}"), (Joiner, 3, "\u{2066}\u{2067}\u{2068}\u{2069}"),
    (Money, 3, "£€"), (Money, 4, "¥¢¤ƒ"), (Money, 3, "₽₹₴₺₪₫₩"),
    (Maths, 3, "×±"), (Maths, 3, "¬"), (Maths, 4, "÷√∞≈≠≤≥∂∑∏∫∆◊⁄−"), (Maths, 5, "⌠⌡≡∩∙⌐"),
    (Raised, 3, "°²³"), (Raised, 4, "¹¼½¾ªº⁰⁴⁵⁶⁷⁸⁹ⁿ"),
    (Accent, 3, "´"), (Accent, 4, "¨¯¸ˆ˜ˇ˘˙˚˛˝΅"),
    (Mark, 3, "§‰№"), (Mark, 4, "¦¶"), (Mark, 3, "′″"),
    (Combining, 5, "\u{334}\u{336}\u{338}"),
    (Lost, 5, "\u{FFFD}"),
];

/// Letters that are words in some language.
const WORDS: &str = "àáèéíòóúåäöøÀÁÈÉÍÒÓÄÖØаеиоуэяіїєквсАЕИОУЭЯІЇЄКВСзЗοηΟΗو";

/// Latin letters and modifiers by rarity, where [`RANGES`] would have a row for each, without capitals,
/// which are as rare.
static LETTERS: &[(u8, &str)] = &[
    // Esperanto, Welsh, Kabyle.
    (3, "ĉĝĥĵŝŭŷɣ"),
    // Languages of Africa.
    (4, "ɓɔɖɗǝɠɦɩɨƙɲʊʋƴʉ"),
    // Venetian, Livonian, Skolt Sami, Karakalpak, transcribed Chinese and Persian, Salish.
    (4, "ƚȭȯȱƶɬʔʰʹ"),
    (5, "ǎǐǒǔǟǥǧǩǫǵǹ"),
];

/// Ranges of scalar values: first, last, script, rarity. Characters outside all ranges have the
/// rarity [`NEVER`].
#[rustfmt::skip]
static RANGES: &[(u32, u32, LetterScript, u8)] = &[
    (0x0000, 0x007F, Latin, 0), (0x0080, 0x009F, Common, 12), (0x00A0, 0x00BF, Common, 4),
    (0x00C0, 0x00C1, Latin, 1), (0x00C2, 0x00C3, Latin, 4), (0x00C4, 0x00CA, Latin, 1),
    (0x00CB, 0x00CC, Latin, 2), (0x00CD, 0x00CE, Latin, 1), (0x00CF, 0x00D0, Latin, 2),
    (0x00D1, 0x00DA, Latin, 1),
    (0x00DB, 0x00DB, Latin, 2), (0x00DC, 0x00DC, Latin, 1), (0x00DD, 0x00DD, Latin, 2),
    (0x00DE, 0x00FF, Latin, 1), (0x0100, 0x0101, Latin, 2), (0x0102, 0x0103, Latin, 1),
    (0x0104, 0x0151, Latin, 2), (0x0152, 0x0153, Latin, 3),
    (0x0154, 0x017E, Latin, 2), (0x017F, 0x018E, Phonetic, 6), (0x018F, 0x0190, Latin, 3), (0x0191, 0x0191, Phonetic, 6),
    (0x0193, 0x019F, Phonetic, 6), (0x01A0, 0x01A1, Latin, 2), (0x01A2, 0x01AE, Phonetic, 6),
    (0x01AF, 0x01B0, Latin, 2), (0x01B1, 0x01CC, Phonetic, 6), (0x01CD, 0x0217, Phonetic, 6),
    (0x0218, 0x021B, Latin, 2), (0x021C, 0x0258, Phonetic, 6), (0x0259, 0x0259, Latin, 3),
    (0x025A, 0x025A, Phonetic, 7), (0x025B, 0x025B, Latin, 3), (0x025C, 0x02AF, Phonetic, 7),
    (0x02B0, 0x02BA, Phonetic, 7), (0x02BD, 0x02C5, Phonetic, 7),
    (0x02CA, 0x02D7, Phonetic, 7), (0x02DE, 0x02FF, Phonetic, 7), (0x0300, 0x0304, Common, 5),
    (0x0305, 0x0305, Common, 9), (0x0306, 0x030D, Common, 5), (0x030E, 0x0322, Common, 9),
    (0x0323, 0x0323, Common, 5), (0x0324, 0x0325, Common, 9), (0x0326, 0x0328, Common, 7),
    (0x0329, 0x0330, Common, 9), (0x0331, 0x0331, Common, 5), (0x0332, 0x036F, Common, 9), (0x0370, 0x0377, Greek, 6), (0x037A, 0x037F, Greek, 6), (0x0384, 0x0385, Greek, 6),
    (0x0386, 0x038A, Greek, 1), (0x038B, 0x038B, Greek, NEVER), (0x038C, 0x038C, Greek, 1),
    (0x038D, 0x038D, Greek, NEVER), (0x038E, 0x03A1, Greek, 1), (0x03A2, 0x03A2, Greek, NEVER),
    (0x03A3, 0x03CE, Greek, 1),
    (0x03CF, 0x03FF, Greek, 6), (0x0400, 0x0400, Cyrillic, 5), (0x0401, 0x0401, Cyrillic, 1),
    (0x0402, 0x0403, Cyrillic, 3), (0x0404, 0x0404, Cyrillic, 2), (0x0405, 0x0405, Cyrillic, 3),
    (0x0406, 0x0407, Cyrillic, 2), (0x0408, 0x040F, Cyrillic, 3), (0x0410, 0x044F, Cyrillic, 1),
    (0x0450, 0x0450, Cyrillic, 5), (0x0451, 0x0451, Cyrillic, 1), (0x0452, 0x0453, Cyrillic, 3),
    (0x0454, 0x0454, Cyrillic, 2), (0x0455, 0x0455, Cyrillic, 3), (0x0456, 0x0457, Cyrillic, 2),
    (0x0458, 0x045F, Cyrillic, 3), (0x0460, 0x048F, Cyrillic, 7), (0x0490, 0x0491, Cyrillic, 2),
    (0x0492, 0x04BB, Cyrillic, 4), (0x04BC, 0x04D7, Cyrillic, 6), (0x04D8, 0x04E9, Cyrillic, 4),
    (0x04EA, 0x052F, Cyrillic, 6), (0x0531, 0x0587, Armenian, 3), (0x05B0, 0x05C2, Hebrew, 5),
    (0x05D0, 0x05EA, Hebrew, 1), (0x05F0, 0x05F4, Hebrew, 4), (0x060C, 0x060C, Common, 2),
    (0x061B, 0x061F, Common, 3), (0x0620, 0x0620, Arabic, 5), (0x0621, 0x063A, Arabic, 1), (0x063B, 0x063F, Arabic, 6), (0x0640, 0x064A, Arabic, 1),
    (0x064B, 0x0652, Arabic, 3), (0x0653, 0x065F, Arabic, 6), (0x0660, 0x066C, Arabic, 2),
    (0x0670, 0x0670, Arabic, 5), (0x0671, 0x06D5, Arabic, 2), (0x06F0, 0x06F9, Arabic, 2), (0x06FA, 0x06FF, Arabic, 5),
    (0x0700, 0x072F, Other, 4), (0x0730, 0x074A, Common, 5), (0x0750, 0x077F, Arabic, 3), (0x0780, 0x07FA, Other, 4),
    (0x0900, 0x0DF3, Indic, 2), (0x0E01, 0x0E5B, Thai, 1), (0x0E81, 0x0EDF, Thai, 2),
    (0x0F00, 0x0FD4, Other, 3), (0x1000, 0x109F, Other, 2), (0x10A0, 0x10CF, Georgian, 6), (0x10D0, 0x10F0, Georgian, 2),
    (0x10F1, 0x10FF, Georgian, 6),
    (0x1200, 0x139F, Other, 4), (0x13A0, 0x167F, Other, 3), (0x1700, 0x177F, Other, 4), (0x1780, 0x17F9, Other, 2), (0x1800, 0x18FF, Other, 3),
    (0x1950, 0x1A1F, Other, 3), (0x1A20, 0x1AAD, Other, 4), (0x1B00, 0x1C4F, Other, 3),
    (0x1C50, 0x1C7F, Other, 2), (0x1C90, 0x1CBF, Georgian, 4), (0x1E00, 0x1E7F, Latin, 4),
    (0x1E80, 0x1E85, Latin, 3), (0x1E86, 0x1E9D, Latin, 4), (0x1E9E, 0x1E9E, Latin, 2), (0x1EA0, 0x1EF9, Latin, 2),
    (0x1F00, 0x1FFE, Greek, 4), (0x2010, 0x2027, Common, 3),
    (0x2030, 0x205F, Common, 4),
    (0x2060, 0x2060, Common, 5), (0x2070, 0x209C, Common, 4), (0x20A0, 0x20BF, Common, 4),
    (0x20E3, 0x20E3, Common, 3), (0x2100, 0x214F, Common, 4), (0x2150, 0x218B, Common, 4),
    (0x2190, 0x2193, Common, 2), (0x2194, 0x21FF, Common, 4), (0x2200, 0x22FF, Common, 4), (0x2300, 0x23FF, Common, 4),
    (0x2460, 0x24FF, Common, 4), (0x2500, 0x25A0, Common, 2), (0x25A1, 0x25FF, Common, 3),
    (0x2600, 0x27BF, Common, 3), (0x27C0, 0x27FF, Common, 5), (0x2800, 0x28FF, Common, 5),
    (0x2900, 0x2AFF, Common, 6), (0x2B00, 0x2BFF, Common, 5), (0x2C80, 0x2CFF, Other, 4), (0x2D30, 0x2D7F, Other, 3), (0x3001, 0x3002, Han, 1), (0x3003, 0x303F, Han, 2),
    (0x3041, 0x30FF, Han, 1), (0x3105, 0x3129, Han, 4), (0x3130, 0x318E, Hangul, 3), (0x3200, 0x33FF, Han, 4),
    (0x3400, 0x4DBF, Han, 7), (0x4E00, 0x9FFF, Han, 3), (0xA000, 0xA4FF, Other, 5), (0xA78B, 0xA78C, Latin, 4), (0xA800, 0xA8DF, Other, 3), (0xA980, 0xA9DF, Other, 3), (0xAA60, 0xABFF, Other, 3), (0xAC00, 0xD7A3, Hangul, 2),
    (0xF900, 0xFAD9, Han, 6), (0xFB00, 0xFB06, Latin, 2), (0xFB1D, 0xFB4F, Hebrew, 5),
    (0xFB50, 0xFDFF, Arabic, 5), (0xFE0E, 0xFE0E, Common, 3), (0xFE30, 0xFE4F, Common, 5),
    (0xFE70, 0xFEFC, Arabic, 5), (0xFF01, 0xFF0F, Han, 2), (0xFF10, 0xFF5E, Han, 3), (0xFF61, 0xFF9F, Han, 4),
    (0xFFE0, 0xFFE6, Han, 4), (0x10330, 0x1034F, Other, 4), (0x11100, 0x1114F, Other, 4), (0x1D400, 0x1D7FF, Common, 4), (0x1E900, 0x1E95F, Other, 4), (0x1F000, 0x1F2FF, Common, 3),
    (0x1F300, 0x1F6FF, Common, 2), (0x1F700, 0x1F8FF, Common, 5), (0x1F900, 0x1FAFF, Common, 2),
    (0x20000, 0x2FA1F, Han, 7), (0xE0020, 0xE007F, Common, 5),
];

// The binary search for a character needs the ranges in order.
const _: () = {
    let mut at = 1;
    while at < RANGES.len() {
        assert!(RANGES[at - 1].1 < RANGES[at].0 && RANGES[at].0 <= RANGES[at].1);
        at += 1;
    }
};

/// Rarity of characters found in no text: private use, noncharacters, scripts of scholars.
pub(super) const NEVER: u8 = 9;

/// A set of scripts: bit n stands for the n-th [`LetterScript`].
pub(super) type ScriptSet = u16;

/// The scripts whose characters stand in text of every script.
pub(super) const COMMON_SCRIPTS: ScriptSet = 1 << Common as u16 | 1 << Latin as u16;

/// Number of scalar values in the table that is built on first use.
const TABLED: u32 = 0x2600;

impl CharTraits {
    /// Returns the traits of a character.
    #[inline]
    pub fn of(value: char) -> CharTraits {
        static TABLE: OnceLock<Box<[CharTraits]>> = OnceLock::new();
        let table = TABLE.get_or_init(build_table);
        table.get(value as usize).copied().unwrap_or_else(|| CharTraits::beyond_table(value))
    }

    /// Returns the traits of a character from [`TABLED`] on.
    fn beyond_table(value: char) -> CharTraits {
        let listed = matches!(value, '\u{3000}' | '\u{FE00}'..='\u{FFFF}');
        let row = listed.then(|| symbols().find(|&(symbol, _)| symbol == value)).flatten();
        row.map_or_else(|| CharTraits::from_ranges(value), |(_, traits)| traits)
    }

    /// Returns the traits of a character without a row in [`SYMBOLS`].
    fn from_ranges(value: char) -> CharTraits {
        let at = RANGES.partition_point(|&(_, last, ..)| last < u32::from(value));
        let (script, rarity) = match RANGES.get(at) {
            Some(&(first, _, script, rarity)) if first <= value.into() => (script, rarity),
            _ => (Other, NEVER),
        };
        let isolation = match script {
            Common | Indic | Thai => 0,
            Han | Hangul => 14,
            _ if rarity == 0 || WORDS.contains(value) => 0,
            _ => 2,
        };
        CharTraits { class: class_of(value, script), script, rarity, isolation }
    }

    /// Returns the set of the script alone.
    pub fn script_bit(self) -> ScriptSet {
        1 << self.script as u16
    }

    /// Returns `true` if the class is one of letters.
    pub fn is_letter(self) -> bool {
        matches!(self.class, Lower | Upper | Letter)
    }
}

/// Returns every character of [`SYMBOLS`] with its traits.
fn symbols() -> impl Iterator<Item = (char, CharTraits)> {
    SYMBOLS.iter().flat_map(|&(class, rarity, symbols)| {
        let traits = CharTraits { class, script: Common, rarity, isolation: 0 };
        symbols.chars().map(move |symbol| (symbol, traits))
    })
}

/// Returns the traits of the scalar values below [`TABLED`]. Unassigned ones in a range have the rarity [`NEVER`].
fn build_table() -> Box<[CharTraits]> {
    let mut table: Box<[CharTraits]> = (0..TABLED)
        .map(to_char)
        .map(|value| match value.general_category() {
            GeneralCategory::Unassigned => {
                CharTraits { rarity: NEVER, ..CharTraits::from_ranges(value) }
            }
            _ => CharTraits::from_ranges(value),
        })
        .collect();
    let letters = LETTERS.iter().flat_map(|&(rarity, letters)| {
        let traits =
            move |letter| CharTraits { script: Latin, rarity, ..CharTraits::from_ranges(letter) };
        let both =
            letters.chars().flat_map(|letter| iter::once(letter).chain(letter.to_uppercase()));
        both.map(move |letter| (letter, traits(letter)))
    });
    for (value, traits) in symbols().chain(letters) {
        if let Some(row) = table.get_mut(value as usize) {
            *row = traits;
        }
    }
    table
}

/// Returns the character of a scalar value; U+FFFD for a surrogate.
fn to_char(value: u32) -> char {
    char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER)
}

/// Returns the class of a character without a row in [`SYMBOLS`].
fn class_of(value: char, script: LetterScript) -> NeighbourClass {
    match value {
        '0'..='9' | '\u{660}'..='\u{669}' | '\u{6F0}'..='\u{6F9}' => Digit,
        '\0'..'\u{80}' if !value.is_alphabetic() => Edge,
        _ if value.is_control() => Control,
        '\u{300}'..='\u{36F}'
        | '\u{5B0}'..='\u{5C2}'
        | '\u{64B}'..='\u{65F}'
        | '\u{670}'
        | '\u{730}'..='\u{74A}' => Combining,
        '\u{3000}'..='\u{303F}' | '\u{FF01}'..='\u{FF0F}' | '\u{FF1A}'..='\u{FF20}' => Edge,
        _ if matches!(script, Indic | Thai | Hangul | Han) => Letter,
        '\u{2500}'..='\u{25A0}' => Frame,
        '\u{2190}'.. if script == Common => Picture,
        _ if value.is_lowercase() => Lower,
        _ if value.is_uppercase() => Upper,
        _ if script == Common => Mark,
        _ => Letter,
    }
}
