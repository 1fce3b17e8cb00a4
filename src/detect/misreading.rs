//! Misread text: bytes in one encoding that were decoded as a code page of another script and encoded
//! as UTF-8. All of it is well formed, and none of it reads like text: `Ïðèâåò` for `Привет`.

use super::Answer;
use super::detection::Detection;
use super::evidence::EvidenceSink;
use crate::codec::Escapes;
use crate::codec::pages::row;
use crate::registry::{Encoding, by_name};

/// The pages that text is taken for, the most common first.
const TAKEN_FOR: [&str; 9] = [
    "windows-1252",
    "iso-8859-1",
    "windows-1251",
    "windows-1250",
    "koi8-r",
    "ibm866",
    "ibm437",
    "ibm850",
    "macintosh",
];

/// The probability from which the encoding is certain.
const CERTAIN: f64 = 0.95;

/// The least number of letters beyond ASCII. Fewer may be a name, or an abbreviation.
const LEAST_LETTERS: usize = 8;

/// An encoding whose text was decoded as another one.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Misreading {
    /// The encoding of the text.
    pub encoding: &'static Encoding,
    /// The encoding that it was decoded as.
    pub read_as: &'static Encoding,
    /// The probability that this is so, 0..=1.
    pub confidence: f64,
}

/// Returns the encoding whose text was misread, if all of a UTF-8 text was. It may end within a
/// character.
pub(super) fn find_misreading(text: &[u8]) -> Option<Misreading> {
    let text = text.utf8_chunks().next()?.valid();
    if !reads_oddly(text) {
        return None;
    }
    TAKEN_FOR.iter().find_map(|name| {
        let read_as = by_name(name);
        let Detection { answer, confidence, candidates, .. } =
            EvidenceSink::gather(0, &encoded(text, read_as)?).finish();
        let Answer::Codec(encoding) = answer else { return None };
        // Text in a rare page is less likely than another misreading.
        let is_common = row(encoding.name).is_none_or(|row| row.detect.is_some());
        let is_certain = is_common && (CERTAIN..1.0).contains(&confidence);
        // A page that reads the bytes alike is no other reading.
        let alike = candidates.iter().filter(|one| one.text == candidates[0].text);
        let is_other = alike.map(|one| one.answer).all(|one| one != Answer::Codec(read_as));
        (is_certain && is_other).then_some(Misreading { encoding, read_as, confidence })
    })
}

/// Returns the text in a code page that has all of its characters.
fn encoded(text: &str, page: &Encoding) -> Option<Vec<u8>> {
    let mut writer = page.writer(Escapes::Usual);
    let mut bytes = Vec::new();
    text.chars().all(|one| writer.put(one.into(), &mut bytes)).then_some(bytes)
}

/// Returns `true` if a text has what text in no language has much of: letters beyond ASCII of which
/// most are Latin or capitals, or words that mix alphabets, cases, or letters with symbols. Whether it
/// reads better otherwise, the models tell; this saves asking them about every text.
fn reads_oddly(text: &str) -> bool {
    let (mut letters, mut high, mut latin, mut capitals, mut odd) = (0, 0, 0, 0, 0);
    let mut before = ['\n'; 2];
    for this in text.chars() {
        letters += usize::from(this.is_alphabetic());
        if !this.is_ascii() && this.is_alphabetic() {
            high += 1;
            latin += usize::from(is_latin(this));
            capitals += usize::from(this.is_uppercase());
        }
        odd += usize::from(is_odd(before, this));
        before = [before[1], this];
    }
    high >= LEAST_LETTERS && (2 * latin > letters || 2 * capitals > high || 8 * odd > high)
}

/// Returns `true` if no word has a character like this one after the two before it. Words in ASCII may
/// be names in code.
fn is_odd([first, before]: [char; 2], this: char) -> bool {
    if before.is_ascii() && this.is_ascii() {
        return false;
    }
    if before.is_alphabetic() && this.is_alphabetic() {
        let is_mixed = before.is_ascii() != this.is_ascii() && is_latin(before) != is_latin(this);
        return is_mixed || before.is_lowercase() && this.is_uppercase();
    }
    let is_symbol = !before.is_ascii() && !before.is_alphabetic() && !JOINERS.contains(&before);
    is_symbol && first.is_alphabetic() && this.is_alphabetic()
}

/// The characters beyond ASCII that stand between letters: apostrophes, hyphens, dots and dashes.
const JOINERS: [char; 9] = ['’', '‘', 'ʼ', '‑', '·', '–', '—', '\u{AD}', '\u{A0}'];

/// Returns `true` for a letter of the Latin script that is in a code page.
fn is_latin(letter: char) -> bool {
    letter < '\u{250}'
}
