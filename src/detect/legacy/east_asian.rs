//! Classes of characters in East Asian text, and characters that are odd there.

use super::drawings::is_drawn_at;
use super::model::{BIT, CLASSES, Ideographic, east_asian_bits};
use super::unit_text::character;

/// U+2019, which stands between letters in any language. In Shift_JIS it is 81 66.
const APOSTROPHE: u16 = 0x2019;

// The classes of characters, by their indices in the tables: those of cjk_class in models/derive.py.
const SPACE: usize = 0;
pub(super) const LATIN: usize = 1;
const DIGIT: usize = 2;
const ASCII_MARK: usize = 3;
const MARK: usize = 4;
pub(super) const HIRAGANA: usize = 5;
pub(super) const KATAKANA: usize = 6;
pub(super) const HALF_WIDTH_KATAKANA: usize = 7;
pub(super) const IDEOGRAPH: usize = 8;
pub(super) const HANGUL: usize = 9;
const FULL_WIDTH_ASCII: usize = 10;
const OTHER: usize = CLASSES - 1;

/// Returns the class of a character. Letters and digits of full width are a class, and marks of full
/// width are marks.
pub(super) fn class(unit: u16) -> usize {
    match unit {
        // The most frequent ones are compared first.
        0x4E00..=0x9FFF => IDEOGRAPH,
        0xAC00..=0xD7A3 => HANGUL,
        0..=0x20 => SPACE,
        0x41..=0x5A | 0x61..=0x7A => LATIN,
        0x30..=0x39 => DIGIT,
        0x21..=0x2F | 0x3A..=0x40 | 0x5B..=0x60 | 0x7B..=0x7F => ASCII_MARK,
        0x3000..=0x303F | 0xB7 | 0x2010..=0x2026 => MARK,
        0xFF01..=0xFF0F | 0xFF1A..=0xFF20 | 0xFF3B..=0xFF40 | 0xFF5B..=0xFF60 => MARK,
        0x3041..=0x309F => HIRAGANA,
        0x30A0..=0x30FF => KATAKANA,
        0xFF61..=0xFF9F => HALF_WIDTH_KATAKANA,
        0xFF10..=0xFF19 | 0xFF21..=0xFF3A | 0xFF41..=0xFF5A => FULL_WIDTH_ASCII,
        _ => OTHER,
    }
}

/// Returns the high byte of a Greek or Cyrillic letter, which tells its alphabet.
pub(super) fn alphabet(unit: u16) -> Option<u16> {
    Some(unit >> 8).filter(|row| matches!(row, 3 | 4))
}

fn is_cyrillic(unit: u16) -> bool {
    unit >> 8 == 4
}

/// Returns `true` if a Cyrillic letter stands next to an ASCII letter: they are rather a quotation mark of a
/// code page, a capital, and the rest of its word.
pub(super) fn has_mixed_word(text: &[u16]) -> bool {
    text.windows(2).any(|pair| {
        let is_mixed = |one: u16, other: u16| is_cyrillic(one) && class(other) == LATIN;
        is_mixed(pair[0], pair[1]) || is_mixed(pair[1], pair[0])
    })
}

/// Returns `true` if a character stands between ASCII characters, as signs and letters of a code
/// page do. Kana, ideographs and syllables between digits, as in dates, are not counted if a language
/// uses them, nor other characters unless they are between letters.
pub(super) fn is_isolated(before: usize, (unit, class): (u16, usize), after: usize) -> bool {
    match class {
        HIRAGANA | KATAKANA | HALF_WIDTH_KATAKANA | IDEOGRAPH | HANGUL => {
            let is_ascii = |class| match class {
                SPACE | LATIN | ASCII_MARK => true,
                DIGIT => east_asian_bits(unit).is_none(),
                _ => false,
            };
            is_ascii(before) && is_ascii(after)
        }
        OTHER if is_cyrillic(unit) => before == LATIN || after == LATIN,
        MARK | FULL_WIDTH_ASCII | OTHER => unit != APOSTROPHE && (before, after) == (LATIN, LATIN),
        _ => false,
    }
}

/// Returns `true` for an East Asian mark between ASCII characters, unless both are letters, which
/// [`is_isolated`] counts. Quotation marks and dashes do not count: English has the same.
pub(super) fn is_lone_mark(before: usize, (unit, class): (u16, usize), after: usize) -> bool {
    let is_ascii = |class| matches!(class, SPACE | LATIN | DIGIT | ASCII_MARK);
    let is_between = is_ascii(before) && is_ascii(after);
    is_between && class == MARK && unit >= 0x3000 && (before, after) != (LATIN, LATIN)
}

/// Returns `true` if a character is an item of a list: an ideograph or syllable between blanks or marks.
pub(super) fn is_listed(before: usize, class: usize, after: usize) -> bool {
    let is_between = |class| matches!(class, SPACE | ASCII_MARK);
    is_between(before) && matches!(class, IDEOGRAPH | HANGUL) && is_between(after)
}

/// Returns the share of the ideographs and syllables that no language uses.
pub(super) fn share_of_unused_characters(text: &[u16]) -> f64 {
    let (mut all, mut unused) = (0_u32, 0_u32);
    for unit in ideographs(text) {
        all += 1;
        unused += u32::from(east_asian_bits(unit).is_none());
    }
    f64::from(unused) / f64::from(all.max(1))
}

/// Returns `true` if a text has signs and brackets beyond ASCII, and no letters, ideographs, stops and commas.
/// Other sets have other signs in their places, and no language tells.
pub(super) fn has_signs_only(text: &[u16]) -> bool {
    let is_sign = |unit: u16| match class(unit) {
        MARK => unit >= 0x3000 && !matches!(unit, 0x3001 | 0x3002),
        class => class == OTHER && !character(unit).is_alphabetic(),
    };
    let mut beyond =
        (0..text.len()).filter(|&at| text[at] >= 0x80 && !is_drawn_at(text, at)).peekable();
    beyond.peek().is_some() && beyond.all(|at| is_sign(text[at]))
}

/// The mean cost of an ideograph or syllable in bits from which a text is hardly in a set, chosen by
/// hand: of 800 texts of 24 characters and more, read in their sets, one was above.
const MOST_BITS: usize = 12;

/// Returns `true` if the ideographs and syllables of a text are rare in every language: it is hardly
/// in this set. A single one among kana does not tell.
pub(super) fn has_rare_characters(text: &[u16]) -> bool {
    let unseen = (Ideographic::UNSEEN / BIT) as u8;
    let (mut bits, mut different) = (0, 0);
    // A bit for each code unit.
    let mut known = [0_u64; 1 << 10];
    for unit in ideographs(text) {
        let (word, bit) = (&mut known[usize::from(unit >> 6)], 1 << (unit % 64));
        if *word & bit == 0 {
            *word |= bit;
            bits += usize::from(east_asian_bits(unit).unwrap_or(unseen));
            different += 1;
        }
    }
    let has_kana = || text.iter().any(|&unit| matches!(class(unit), HIRAGANA | KATAKANA));
    bits > different * MOST_BITS && (different > 1 || !has_kana())
}

/// Returns the ideographs and Hangul syllables of a text.
fn ideographs(text: &[u16]) -> impl Iterator<Item = u16> {
    text.iter().copied().filter(|&unit| matches!(class(unit), IDEOGRAPH | HANGUL))
}
