//! Misread text: bytes in one encoding that were decoded as another code page and encoded as UTF-8. All
//! of it is well formed, and none of it reads like text: `Ïðèâåò` for `Привет`.

use super::Answer;
use super::detection::Detection;
use super::evidence::EvidenceSink;
use super::legacy::is_symbol;
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

/// The confidence from which the encoding of misread text is certain.
const CERTAIN: f64 = 0.95;

/// The least number of letters beyond ASCII. Fewer may be a name, or an abbreviation.
const LEAST_LETTERS: usize = 8;

/// The least number of bytes that different pages read differently. With fewer, one is a variant of the
/// other, as ibm1125 is of ibm866, and only a few letters of a text would be misread.
const DIFFERENT: usize = 32;

/// An encoding whose text was decoded as another one.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Misreading {
    /// The encoding of the text.
    pub encoding: &'static Encoding,
    /// The encoding that it was decoded as.
    pub read_as: &'static Encoding,
    /// The probability of the encoding for a misread text, 0..=1.
    pub confidence: f64,
}

/// Returns the encoding whose text was misread, if all of a UTF-8 text was. The text may start with a
/// BOM and end within a character. Text that is UTF-8 itself was encoded twice, and one that two
/// misreadings explain may be undone wrongly: they are none.
pub(super) fn find_misreading(text: &[u8]) -> Option<Misreading> {
    let text = text.utf8_chunks().next()?.valid();
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    if !reads_oddly(text) {
        return None;
    }
    let mut found: Option<(Vec<u8>, Misreading)> = None;
    for read_as in TAKEN_FOR.map(by_name) {
        let Some(bytes) = encoded(text, read_as) else { continue };
        let detection = EvidenceSink::gather(0, &bytes).finish();
        if is_utf8(detection.answer) {
            return None;
        }
        let Some(misreading) = certain(&detection, read_as) else { continue };
        match &found {
            Some((other, first))
                if *other != bytes || first.encoding.name != misreading.encoding.name =>
            {
                return None;
            }
            Some(_) => {}
            None => found = Some((bytes, misreading)),
        }
    }
    found.map(|(_, misreading)| misreading)
}

fn is_utf8(answer: Answer) -> bool {
    matches!(answer, Answer::Damaged) || matches!(answer, Answer::Codec(codec) if codec.inner.utf8)
}

/// Returns the misreading of a text as a page, given what its bytes in the page are detected as. There is
/// none unless they are certainly in another encoding that is not rare.
fn certain(detection: &Detection, read_as: &'static Encoding) -> Option<Misreading> {
    let &Detection { answer: Answer::Codec(encoding), confidence, ref candidates, .. } = detection
    else {
        return None;
    };
    let is_common = row(encoding.name).is_none_or(|row| row.detect.is_some());
    let is_other_page = !encoding.is_page() || differences(encoding, read_as) >= DIFFERENT;
    let mut alike = candidates.iter().filter(|one| one.text == candidates[0].text);
    let is_other = alike.all(|one| one.answer != Answer::Codec(read_as));
    (is_common && is_other_page && is_other && confidence >= CERTAIN).then_some(Misreading {
        encoding,
        read_as,
        confidence,
    })
}

/// Returns the number of bytes beyond ASCII that two pages map to other characters.
fn differences(one: &Encoding, other: &Encoding) -> usize {
    (0x80..=0xFF).filter(|&byte| one.code_point(byte) != other.code_point(byte)).count()
}

/// Returns the text in a code page that has all of its characters.
fn encoded(text: &str, page: &Encoding) -> Option<Vec<u8>> {
    let mut writer = page.writer(Escapes::Usual);
    let mut bytes = Vec::new();
    text.chars().all(|one| writer.put(one.into(), &mut bytes)).then_some(bytes)
}

/// Returns `true` if a text is like none in any language: most letters of each word that is not ASCII are
/// Latin letters beyond ASCII, or many words mix alphabets, cases, or letters with symbols. Whether it
/// reads better otherwise, the models tell; this saves asking them about every text.
fn reads_oddly(text: &str) -> bool {
    let (mut high, mut capitals, mut odd) = (0, 0, 0);
    let mut are_mostly_high = true;
    for word in text.split(|one: char| !one.is_alphabetic()).filter(|word| !word.is_ascii()) {
        let letters = word.chars().count();
        let of_word = word.chars().filter(|one| !one.is_ascii());
        let latin = of_word.clone().filter(|one| is_latin(*one)).count();
        are_mostly_high &= 2 * latin > letters;
        high += of_word.clone().count();
        capitals += of_word.filter(|one| one.is_uppercase()).count();
    }
    let mut before = ['\n'; 2];
    for this in text.chars() {
        odd += usize::from(is_odd(before, this));
        before = [before[1], this];
    }
    let are_odd = 8 * odd > high || 2 * capitals > high && odd > 0;
    high >= LEAST_LETTERS && (are_mostly_high || are_odd)
}

/// Returns `true` if no word has a character like this one after the two before it. Words in ASCII may
/// be names in code.
fn is_odd([first, before]: [char; 2], this: char) -> bool {
    if before.is_ascii() && this.is_ascii() {
        return false;
    }
    if before.is_alphabetic() && this.is_alphabetic() {
        return is_latin(before) != is_latin(this) || before.is_lowercase() && this.is_uppercase();
    }
    is_symbol(before) && first.is_alphabetic() && this.is_alphabetic()
}

/// Returns `true` for a Latin letter that is in a code page.
fn is_latin(letter: char) -> bool {
    matches!(letter, '\0'..'\u{250}' | '\u{1E00}'..='\u{1EFF}')
}
