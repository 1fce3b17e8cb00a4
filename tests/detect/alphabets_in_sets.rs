//! Text of alphabets in multi-byte sets, as it is saved on systems of East Asia.

use super::legacy::{decoded, is_right, ranked};
use crate::common::sentences::{self, encoded, sentences, texts};
use utf8::detect::detect;
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

/// Half of the Greek letters in GBK are UTF-8, shifted by a byte. In EUC-JP, a quotation mark has another
/// lead byte.
#[test]
fn long_greek_text_in_a_set_is_no_damaged_utf8() {
    let plain = texts()["el"].repeat(20);
    let quoted: String = plain.split(' ').map(|word| format!("“{word}” ")).collect();
    for (name, text) in
        [("gbk", &plain), ("shift_jis", &plain), ("euc-kr", &plain), ("euc-jp", &quoted)]
    {
        let codec = Encoding::for_label(name).unwrap();
        let text: String = text.chars().filter(|&c| codec.can_encode(c.into())).collect();
        let bytes = encoded(codec, &text);
        let detection = detect(&bytes);
        assert!(sentences::is_right(&detection, codec, &bytes), "{name}: {detection:?}");
    }
}

/// GBK and EUC-JP have the same Cyrillic letters, but other marks.
#[test]
fn marks_tell_the_set_of_cyrillic_text() {
    for (name, text) in [
        ("euc-jp", "Файлът “Снимка” няма идентично копие…"),
        ("gbk", "Файлът “Снимка” няма идентично копие…"),
        ("euc-jp", "“Снегурочка”"),
        ("gbk", "Предупредување “клуч” … сè уште не е зачувано"),
    ] {
        let codec = Encoding::for_label(name).unwrap();
        let text: String = text.chars().filter(|&c| codec.can_encode(c.into())).collect();
        let bytes = encoded(codec, &text);
        assert!(is_right(&bytes, codec), "{name}: {:?}", ranked(&bytes)[0]);
    }
}

/// The bytes of kana are ideographs in Big5.
#[test]
fn japanese_is_found_in_sets_of_other_languages() {
    for text in [
        "にリダイレクトします",
        "なストレジパスではあ",
        "ですが、このウィキのどの",
        "ページによっては、ブラウザーのキャッシュを",
        "にデータベースをロックします。",
        "このページは存在しません",
        "新しい利用者の名前を選ぶ",
    ] {
        for name in ["gbk", "euc-kr"] {
            let codec = Encoding::for_label(name).unwrap();
            let text: String = text.chars().filter(|&c| codec.can_encode(c.into())).collect();
            let bytes = encoded(codec, &text);
            assert!(is_right(&bytes, codec), "{name}: {text}: {:?}", ranked(&bytes)[0]);
        }
    }
}
