//! Latin text in multi-byte sets, as it is saved on systems of East Asia.

use super::legacy::{decoded, is_right, ranked};
use crate::common::sentences::{encoded, sentences};
use utf8::registry::Encoding;

#[test]
fn latin_text_in_a_chinese_set_is_read_in_its_language() {
    let codec = Encoding::for_label("gb18030").unwrap();
    let is_latin = |one: char| !one.is_alphabetic() || one < '\u{250}';
    let (mut all, mut right) = (0, 0);
    for (language, text) in sentences().filter(|(_, text)| text.chars().all(is_latin)) {
        let bytes = encoded(codec, text);
        if text.chars().filter(|one| !one.is_ascii()).count() < 2 {
            continue;
        }
        let best = &ranked(&bytes)[0];
        let is_right = decoded(best.codec, &bytes) == decoded(codec, &bytes);
        assert!(is_right || best.confidence < 0.8, "{language}, {text}: {best:?}");
        all += 1;
        right += usize::from(is_right && best.confidence > 0.8);
    }
    for text in [
        "Critère d’inclusion de la catégorie ① Pages",
        "Mot de passe temporaire ■ réinitialisation",
        "● Prévention du vandalisme: développement général",
    ] {
        let codec = Encoding::for_label("gbk").unwrap();
        assert!(is_right(&encoded(codec, text), codec), "{text}");
    }
    assert!(all > 80 && right * 100 >= all * 95, "{right} of {all}");
}

/// Before an ASCII letter, byte 88 is a letter of pinyin in Big5.
#[test]
fn letters_of_words_are_no_latin_letters_of_multi_byte_sets() {
    for (name, text) in [
        ("ibm852", "spytało hłowne eksperimentował"),
        ("macintosh", "Vigila les pàgines d'usuari i de discussió"),
        ("ibm850", "Parametreyên astengkirinê"),
    ] {
        let codec = Encoding::for_label(name).unwrap();
        assert!(is_right(&encoded(codec, text), codec), "{text}");
    }
}
