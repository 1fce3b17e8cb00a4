//! Transliteration: text that stands for a character which an encoding lacks.

use std::iter;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::{canonical_combining_class, compose, is_combining_mark};
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

/// Characters, each with those that look alike, the best first. Encodings of East Asia differ in
/// which character of a pair they have.
#[rustfmt::skip]
const LOOK_ALIKES: &[(char, &str)] = &[
    // Dashes and minus signs.
    ('\u{2010}', "-"), ('\u{2011}', "\u{2010}-"), ('\u{2012}', "\u{2013}-"), ('\u{2013}', "-"),
    ('\u{2014}', "\u{2015}-"), ('\u{2015}', "\u{2014}-"), ('\u{2212}', "\u{FF0D}-"),
    ('\u{FF0D}', "\u{2212}-"), ('\u{301C}', "\u{FF5E}~"), ('\u{FF5E}', "\u{301C}~"),
    // Quotation marks and primes.
    ('\u{2018}', "'"), ('\u{2019}', "'"), ('\u{201B}', "\u{2018}'"), ('\u{201C}', "\""),
    ('\u{201D}', "\""), ('\u{201F}', "\u{201C}\""), ('\u{2032}', "'"), ('\u{2033}', "\""),
    ('\u{02B9}', "\u{2032}'"), ('\u{02BA}', "\u{2033}\""), ('\u{02BB}', "\u{2018}'"),
    ('\u{02BC}', "\u{2019}'"),
    // Signs in several forms.
    ('\u{00A2}', "\u{FFE0}"), ('\u{00A3}', "\u{FFE1}"), ('\u{00AC}', "\u{FFE2}"),
    ('\u{00A5}', "\u{FFE5}"), ('\u{00A6}', "\u{FFE4}|"), ('\u{203E}', "\u{FFE3}\u{00AF}"),
    ('\u{00AF}', "\u{203E}\u{FFE3}"), ('\u{FFE3}', "\u{203E}\u{00AF}"), ('\u{2016}', "\u{2225}"),
    ('\u{2225}', "\u{2016}"), ('\u{2044}', "/"), ('\u{2215}', "/"), ('\u{2236}', ":"),
    ('\u{2217}', "*"), ('\u{00B7}', "\u{2219}\u{22C5}"), ('\u{2219}', "\u{00B7}\u{22C5}"),
    ('\u{22C5}', "\u{00B7}\u{2219}"), ('\u{2027}', "\u{00B7}"), ('\u{00B5}', "\u{03BC}"),
    ('\u{03BC}', "\u{00B5}"), ('\u{2206}', "\u{0394}"), ('\u{0394}', "\u{2206}"),
    ('\u{2211}', "\u{03A3}"), ('\u{220F}', "\u{03A0}"), ('\u{20A4}', "\u{00A3}"),
    // Letters of Romanian with a comma, in old sets with a cedilla.
    ('\u{0218}', "\u{015E}"), ('\u{0219}', "\u{015F}"), ('\u{021A}', "\u{0162}"),
    ('\u{021B}', "\u{0163}"), ('\u{015E}', "\u{0218}"), ('\u{015F}', "\u{0219}"),
    ('\u{0162}', "\u{021A}"), ('\u{0163}', "\u{021B}"),
];

/// ASCII for characters of which `any_ascii` has none, or one that reads as something else.
const ASCII_TEXTS: &[(char, &str)] = &[
    // Arrows, which are no comparisons.
    ('\u{2190}', "<-"),
    ('\u{2192}', "->"),
    ('\u{2194}', "<->"),
    ('\u{21A6}', "|->"),
    ('\u{21D0}', "<="),
    ('\u{21D2}', "=>"),
    ('\u{21D4}', "<=>"),
    ('\u{27F5}', "<-"),
    ('\u{27F6}', "->"),
    ('\u{27F8}', "<="),
    ('\u{27F9}', "=>"),
    // Alef and tatweel of Arabic, the long vowels of kana, and jamo without sound.
    ('\u{0627}', "a"),
    ('\u{0640}', ""),
    ('\u{30FC}', ""),
    ('\u{FF70}', ""),
    ('\u{110B}', ""),
    ('\u{115F}', ""),
    ('\u{1160}', ""),
    ('\u{3147}', ""),
    ('\u{3164}', ""),
];

/// The strokes that negate a sign.
const NEGATIONS: [char; 2] = ['\u{0338}', '\u{20D2}'];

/// The sign between the digits of a fraction.
const FRACTION_SLASH: char = '\u{2044}';

/// Returns text for a character, of code points that `holds` admits: one that looks alike, its
/// decomposition, or ASCII. Empty for a mark or a format character that has none; `None` if there
/// is no text.
pub(super) fn transliterate(c: char, holds: &dyn Fn(char) -> bool) -> Option<String> {
    look_alike(c, holds)
        .map(String::from)
        .or_else(|| decomposed(c, iter::once(c).nfd().collect(), holds))
        .or_else(|| decomposed(c, iter::once(c).nfkd().collect(), holds))
        .or_else(|| ascii(c, holds))
}

fn look_alike(c: char, holds: &dyn Fn(char) -> bool) -> Option<char> {
    let (_, others) = LOOK_ALIKES.iter().find(|(of, _)| *of == c)?;
    others.chars().find(|&other| holds(other))
}

/// Returns the decomposition of a character without the marks that are not held. Parts are composed
/// where that is held. `None` if a part other than a mark is not held, nor one that looks alike.
fn decomposed(c: char, parts: Vec<char>, holds: &dyn Fn(char) -> bool) -> Option<String> {
    if parts == [c] || parts.iter().any(|part| NEGATIONS.contains(part) && !holds(*part)) {
        return None;
    }
    let mut text = String::new();
    if parts[0].is_ascii_digit() && parts.contains(&FRACTION_SLASH) {
        // 2½ is not 21/2.
        text.push(' ');
    }
    // The last character that is no mark, and the marks after it.
    let (mut base, mut marks) = (None, String::new());
    for part in parts {
        // A mark of the same class blocks the part (Unicode, definition D115).
        let class = canonical_combining_class(part);
        let is_blocked = marks.chars().any(|mark| canonical_combining_class(mark) >= class);
        let composed = base.filter(|_| !is_blocked).and_then(|base| compose(base, part));
        if let Some(composed) = composed.filter(|&c| holds(c)) {
            base = Some(composed);
        } else if holds(part) && class != 0 {
            marks.push(part);
        } else if !is_combining_mark(part) {
            text.extend(base.replace(if holds(part) { part } else { look_alike(part, holds)? }));
            text.push_str(&std::mem::take(&mut marks));
        }
    }
    text.push(base?);
    text.push_str(&marks);
    Some(text)
}

fn ascii(c: char, holds: &dyn Fn(char) -> bool) -> Option<String> {
    let text = match ASCII_TEXTS.iter().find(|(of, _)| *of == c) {
        Some((_, text)) => (*text).to_owned(),
        None => negated(c).or_else(|| listed(c))?,
    };
    text.chars().all(holds).then_some(text)
}

/// Returns the ASCII that `any_ascii` has for a character; empty for a mark or a format character.
fn listed(c: char) -> Option<String> {
    let text = any_ascii::any_ascii_char(c);
    let is_mark = is_combining_mark(c) && !NEGATIONS.contains(&c);
    let is_invisible = is_mark || c.general_category() == GeneralCategory::Format;
    (!c.is_ascii() && (!text.is_empty() || is_invisible)).then(|| text.to_owned())
}

/// Returns `!` and the ASCII of a sign that a character negates; `?` if that is no punctuation.
fn negated(c: char) -> Option<String> {
    let mut parts = iter::once(c).nfd();
    let base = parts.next()?;
    if !parts.any(|part| NEGATIONS.contains(&part)) {
        return None;
    }
    let text = if base.is_ascii() { base.to_string() } else { listed(base)? };
    let is_sign = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_punctuation());
    Some(if is_sign { format!("!{text}") } else { "?".to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Transliterates each character that is not held.
    fn transliterated(text: &str, holds: &dyn Fn(char) -> bool) -> String {
        let one = |c| transliterate(c, holds).unwrap_or("?".to_owned());
        text.chars().map(|c| if holds(c) { c.to_string() } else { one(c) }).collect()
    }

    #[test]
    fn characters_become_those_that_are_held() {
        let ascii = |c: char| c.is_ascii();
        let latin1 = |c: char| c <= '\u{FF}';
        let japanese = |c: char| ascii(c) || "\u{FF5E}\u{FF0D}\u{2015}\u{FFE1}".contains(c);
        // As windows-1258 has them.
        let vietnamese =
            |c: char| ascii(c) || "êâăôơưđ\u{300}\u{301}\u{303}\u{309}\u{323}".contains(c);
        type Holds<'a> = &'a dyn Fn(char) -> bool;
        let macron = |c: char| "uū\u{304}\u{308}".contains(c);
        let cases: [(&str, &str, Holds<'_>); 16] = [
            ("\u{301C}\u{2212}\u{2014}\u{A3}", "\u{FF5E}\u{FF0D}\u{2015}\u{FFE1}", &japanese),
            ("‘x’ “y” – −1", "'x' \"y\" - -1", &ascii),
            ("Tiếng Việt", "Ti\u{EA}\u{301}ng Vi\u{EA}\u{323}t", &vietnamese),
            ("Tiếng Việt", "Ti\u{EA}ng Vi\u{EA}t", &latin1),
            ("Tiếng Việt", "Tieng Viet", &ascii),
            ("ǖ", "u\u{308}\u{304}", &macron),
            ("\u{212B}\u{2126}", "\u{C5}Ohm", &latin1),
            ("2½ ﬁ ™ … ①", "2 1/2 fi TM ... 1", &ascii),
            ("a ≠ b ≮ c, x \u{338} ∉", "a != b !< c, x ? ?", &ascii),
            ("a ← b → c ⇒ d ⇔ e", "a <- b -> c => d <=> e", &ascii),
            ("コーヒー السلام", "kohi alslam", &ascii),
            ("Straße Łódź €5", "Strasse Lodz EUR5", &ascii),
            ("Жанна 深圳 한", "Zhanna ShenZhen Han", &ascii),
            ("a\u{301}\u{200B}\u{FE0F}z", "az", &ascii),
            ("\u{E000}\u{80}\u{10FFFF}", "???", &ascii),
            ("~é", "?e", &|c| c.is_ascii() && c != '~'),
        ];
        for (text, expected, holds) in cases {
            assert_eq!(transliterated(text, holds), expected, "{text}");
        }
    }

    #[test]
    fn look_alikes_are_listed_once() {
        for (row, (c, others)) in LOOK_ALIKES.iter().enumerate() {
            assert!(LOOK_ALIKES[..row].iter().all(|(other, _)| other != c), "{c:?}");
            assert!(!others.contains(*c) && !c.is_ascii(), "{c:?}");
        }
    }
}
