//! Detection of EBCDIC code pages.
//!
//! EBCDIC letters stand at 81..89, 91..99 and A2..A9 (capitals 40 higher), and the space is 40. No
//! other encoding has words there. The pages of EBCDIC are told apart by the languages of the text,
//! and by the marks that they have at different places.

use std::collections::HashSet;
use std::hash::Hash;

use memchr::memchr2;

use super::legacy::{self, EbcdicSample, LegacyCandidate};
use super::trial::read;

/// The least number of bytes that are tested.
const SHORTEST: usize = 6;

/// The least plausibility of the text: per eight characters, and in total. The unit is that of
/// [`weight`].
const LEAST_OF_EIGHT: i32 = 8;
const LEAST: i32 = 12;

/// The least number of bytes of which it is no chance that they are letters in EBCDIC. Of the first 8,
/// 16 and 24 bytes of 52,699, 36,454 and 36,319 excerpts in other encodings, 68, 2 and none are. Kana
/// alone in EUC-JP come closest: of 4,000 texts, 22 are with 32 bytes.
const LEAST_LETTERS: usize = 32;

/// The marks `. , - / ( ) : ; ' " = * +` in every page.
const COMMON_MARKS: &[u8] =
    &[0x4B, 0x6B, 0x60, 0x61, 0x4D, 0x5D, 0x7A, 0x5E, 0x7D, 0x7F, 0x7E, 0x5C, 0x4E];

/// The least confidence in a page for text of letters with few spaces. Of 800 texts of 40 and 80 bytes
/// from words without spaces in eight languages, 771 have more (95 % of these .81 and more), and none
/// of 44 texts of kana in EUC-JP that are letters in EBCDIC.
const LEAST_OF_LETTERS: f64 = 0.5;

/// The least number of different characters of a text beyond ASCII, unless it is short: of many
/// pages, one has letters for a few bytes.
const LEAST_DIFFERENT: usize = 8;

/// The least number of bytes that can be certainly EBCDIC if they are ASCII too.
const SHORTEST_SEVEN_BIT: usize = 16;

/// The least confidence in EBCDIC that is an answer for bytes that are ASCII too. Of 100,000 words with
/// `@` or `%` in files of a system, 43 reach it, and none of 16 characters or more.
const CERTAIN_SEVEN_BIT: f64 = 0.95;

/// The least number of bytes that are in doubt if they are ASCII too.
const SHORTEST_IN_DOUBT: usize = 8;

/// The least confidence in a page of EBCDIC in which bytes are words that cast doubt on ASCII.
const LIKELY: f64 = 0.5;

/// The largest average distance of spaces and line ends, in characters.
const WORD: usize = 24;

/// The plausibility that divides the remaining doubt that the text is EBCDIC by e. What remains is at
/// most 5 %.
///
/// Measured on 17,000 excerpts in seven languages: four of five of those with 8 characters are found
/// (the ones with a space), and 99 % from 24 characters on. There were no false positives in 5,000
/// excerpts in other legacy encodings, 10,800 in UTF-16 and UTF-32, 6,300 heads of binary files, and
/// 10,800 parts from within binary files.
const SCALE: f64 = 4.0;

/// Returns the EBCDIC pages that decode bytes to text, the likeliest first, with their probabilities.
pub(super) fn rank_ebcdic(bytes: &[u8]) -> Option<Vec<LegacyCandidate>> {
    let (has_words, are_letters) = (has_words(bytes), are_letters(bytes));
    if bytes.len() < SHORTEST || !has_words && !are_letters {
        return None;
    }
    // Most text in other encodings has too many controls of EBCDIC, which is known without the tables.
    if bytes.iter().map(max_common_weight).sum::<i32>() < 0 {
        return None;
    }
    let sample = EbcdicSample::new(bytes);
    // The characters that differ between the pages are neither for nor against text yet.
    let common: i32 =
        sample.rewritten.iter().filter(|byte| byte.is_ascii()).map(common_weight).sum();
    if common < 0 {
        return None;
    }
    let mut ranked = sample.rank();
    let text = read(ranked.first()?.codec, bytes, 0)?.values;
    let plausibility: i32 = text.iter().map(|&value| weight(value)).sum();
    let is_text = has_words && plausibility * 8 >= text.len() as i32 * LEAST_OF_EIGHT
        || are_letters && ranked[0].confidence >= LEAST_OF_LETTERS;
    if plausibility < LEAST
        || !is_text
        || text.iter().any(|&value| value > 0xA0) && !is_varied(&text)
    {
        return None;
    }
    let is_ebcdic = 1.0 - (-f64::from(plausibility) / SCALE).exp();
    let most = if has_odd_exclamation(&text) { legacy::MOST_IN_DOUBT } else { 1.0 };
    ranked.iter_mut().for_each(|one| one.confidence = (one.confidence * is_ebcdic).min(most));
    Some(ranked)
}

/// Returns the EBCDIC pages for bytes that are ASCII too, if they are certainly text in one, as Hebrew
/// is. Neither the space nor the line feed of ASCII is in such a text.
pub(super) fn rank_seven_bit_ebcdic(bytes: &[u8]) -> Option<Vec<LegacyCandidate>> {
    let is_possible = bytes.len() >= SHORTEST_SEVEN_BIT
        && memchr2(b' ', b'\n', bytes).is_none()
        && has_words(bytes)
        && different(bytes) >= LEAST_DIFFERENT;
    let ranked = is_possible.then(|| rank_ebcdic(bytes)).flatten()?;
    (ranked[0].confidence >= CERTAIN_SEVEN_BIT).then_some(ranked)
}

/// Returns the likeliest EBCDIC page for bytes that are ASCII too, if they are too few to be certainly
/// text in one, but read better in it.
pub(super) fn few_words_in_ebcdic(bytes: &[u8]) -> Option<LegacyCandidate> {
    let is_possible = (SHORTEST_IN_DOUBT..SHORTEST_SEVEN_BIT).contains(&bytes.len())
        && memchr2(b' ', b'\n', bytes).is_none()
        && has_words(bytes)
        && different(bytes) * 2 > bytes.len();
    let best = is_possible.then(|| rank_ebcdic(bytes)).flatten()?.into_iter().next()?;
    (best.confidence >= LIKELY && best.is_likelier_than_ascii(bytes)).then_some(best)
}

/// Returns `true` if a text has as many different characters as short words have.
fn is_varied(text: &[u32]) -> bool {
    let different = different(text);
    different >= LEAST_DIFFERENT || different * 2 > text.len()
}

/// Returns `true` if an exclamation mark is before a letter, a digit or another one: the byte is `|` in other
/// pages, as between the fields of a record and in `||`.
fn has_odd_exclamation(text: &[u32]) -> bool {
    let is_next = |value: u32| {
        char::from_u32(value).is_some_and(|next| next == '!' || next.is_alphanumeric())
    };
    text.windows(2).any(|pair| pair[0] == u32::from('!') && is_next(pair[1]))
}

fn different<T: Eq + Hash>(text: &[T]) -> usize {
    text.iter().collect::<HashSet<_>>().len()
}

/// Returns `true` if bytes have as many spaces and line ends as text has, and other characters too.
fn has_words(bytes: &[u8]) -> bool {
    let separators = bytes.iter().filter(|byte| matches!(byte, 0x40 | 0x15 | 0x25)).count();
    separators * WORD >= bytes.len() && separators < bytes.len()
}

/// Returns `true` if there are enough bytes to tell, of as many values as words have, and all but one in
/// eight are letters, digits, spaces and line ends in every page. The others may differ between the pages.
/// A [common mark](COMMON_MARKS) counts three eighths of another byte, so that JCL and records of numbers
/// are text.
fn are_letters(bytes: &[u8]) -> bool {
    let mut others = 0;
    let is_possible = |byte: &u8| match byte {
        0x0D | 0x40 | 0x15 | 0x25 => true,
        byte if is_small_letter(*byte) || is_capital_or_digit(*byte) => true,
        0x41.. => {
            others += if COMMON_MARKS.contains(byte) { 3 } else { 8 };
            others <= bytes.len()
        }
        _ => false,
    };
    bytes.len() >= LEAST_LETTERS
        && bytes.iter().all(is_possible)
        && different(bytes) >= LEAST_DIFFERENT
}

/// Returns `true` for a letter of Greek, Cyrillic, Hebrew, Arabic or Thai, of which a page has one.
fn is_of_other_script(value: u32) -> bool {
    (0x370..0xE80).contains(&value) && char::from_u32(value).is_some_and(char::is_alphabetic)
}

fn common_weight(byte: &u8) -> i32 {
    weight(u32::from(*byte))
}

/// Returns an upper bound of the [weight](common_weight) of a byte in a rewritten sample. Bytes that differ
/// between the pages weigh nothing there.
fn max_common_weight(byte: &u8) -> i32 {
    match *byte {
        0x05 | 0x0D | 0x15 | 0x25 => 1,
        ..0x40 | 0xFF => -12,
        0x40 => 3,
        byte if is_small_letter(byte) => 3,
        byte if is_capital_or_digit(byte) => 1,
        _ => 0,
    }
}

/// Returns `true` for a byte that is a small letter of ASCII in every page.
fn is_small_letter(byte: u8) -> bool {
    matches!(byte, 0x81..=0x89 | 0x91..=0x99 | 0xA2..=0xA9)
}

/// Returns `true` for a byte that is a capital or a digit of ASCII in every page.
fn is_capital_or_digit(byte: u8) -> bool {
    matches!(byte, 0xC1..=0xC9 | 0xD1..=0xD9 | 0xE2..=0xE9 | 0xF0..=0xF9)
}

/// Returns the weight of a character in the plausibility.
fn weight(value: u32) -> i32 {
    match char::from_u32(value).unwrap_or_default() {
        ' ' | 'e' | 'a' | 'i' | 'o' | 'n' | 'r' | 's' | 't' => 3,
        'a'..='z' => 2,
        'A'..='Z' | '0'..='9' | '\t' | '\n' | '\r' | '\u{85}' => 1,
        '.' | ',' | '-' | '\'' | '(' | ')' | '/' | ':' | ';' | '?' | '!' | '"' | '=' | '*' => 0,
        // Markup, and the records of JSON.
        '<' | '>' | '&' | '{' | '}' | '_' | '+' => 0,
        _ if is_of_other_script(value) => 2,
        c if c.is_alphabetic() => -2,
        ' '..='~' => -4,
        _ => -12,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bound_of_a_weight_is_one() {
        for byte in 0..=u8::MAX {
            let rewritten = EbcdicSample::new(&[byte]).rewritten[0];
            let weight = if rewritten.is_ascii() { common_weight(&rewritten) } else { 0 };
            assert!(weight <= max_common_weight(&byte), "{byte:02X}");
            if !(0x40..0xFF).contains(&byte) {
                assert_eq!(weight, max_common_weight(&byte), "{byte:02X}");
            }
        }
    }
}
