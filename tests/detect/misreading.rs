//! Text that was decoded in another encoding than its own.

use utf8::detect::{EvidenceOptions, Misreading};
use utf8::kernel::best;
use utf8::registry::Encoding;

use crate::common::detect::{encoded, in_pieces};
use crate::common::repair::character;
use crate::common::sentences::{decoded, legacy_texts, texts};

fn misreading(text: &str) -> Option<Misreading> {
    let wanted = EvidenceOptions { evidence: true, ..EvidenceOptions::default() };
    in_pieces(best(), text.as_bytes(), &[], wanted).evidence.misreading
}

/// The texts are what Python's codecs make of sentences.
#[test]
fn misread_text_is_named_with_its_encoding() {
    for (text, encoding, read_as) in [
        ("Ïðèâåò, ìèð! Êàê äåëà ó âàñ ñåãîäíÿ?", "windows-1251", "windows-1252"),
        ("рПЕЪД ОБ нПУЛЧХ ПФРТБЧМСЕФУС ХФТПН", "koi8-r", "windows-1251"),
        ("оНЕГД МЮ лНЯЙБС НРОПЮБКЪЕРЯЪ СРПНЛ", "windows-1251", "koi8-r"),
        ("╧юхчф эр ╠юёътє юЄяЁрты хЄё  єЄЁюь", "windows-1251", "ibm866"),
        ("ÊáëçìÝñá êüóìå, ðþò åßóôå óÞìåñá;", "windows-1253", "windows-1252"),
        ("ùìåí òåìí, îä ùìåîëí äéåí?", "windows-1255", "windows-1252"),
        ("½ñÌìÌìÆøºÜºÃ£¬ÎÒÃÇÈ¥¹«Ô°É¢²½¡£", "gbk", "windows-1252"),
        ("¿À´ÃÀº ³¯¾¾°¡ Á¤¸» ÁÁ³×¿ä.", "euc-kr", "windows-1252"),
        (
            "\u{8D}¡\u{93}ú\u{82}Í\u{82}Æ\u{82}Ä\u{82}à\u{97}Ç\u{82}¢\u{93}V\u{8B}C\u{82}Å\u{82}·\u{82}Ë\u{81}B",
            "shift_jis",
            "iso-8859-1",
        ),
    ] {
        let Some(found) = misreading(text) else { panic!("{text}") };
        assert_eq!((found.encoding.name, found.read_as.name), (encoding, read_as), "{text}");
    }
}

/// Nothing is named for half of a text, which the remedy would damage.
#[test]
fn text_that_was_misread_in_part_is_left() {
    let misread = "Ïðèâåò, ìèð! Êàê äåëà ó âàñ ñåãîäíÿ?";
    assert!(misreading(&format!("Привет, мир! {misread}")).is_none());
    assert!(misreading(&format!("日本 {misread}")).is_none());
    assert!(misreading(&format!("{misread}\nCafé déjà vu, naïve.")).is_none());
    assert!(misreading(&format!("\u{FEFF}{misread}")).is_some());
}

/// UTF-8 that was read in a page is double encoding, which is undone in parts of a text, too.
#[test]
fn double_encoding_is_not_misread() {
    let names = ["windows-1252", "iso-8859-1", "windows-1251", "windows-1250", "koi8-r", "ibm866"];
    let pages = names.map(|name| Encoding::for_label(name).unwrap());
    for text in texts().into_values() {
        for page in pages {
            let read = text.bytes().map(|byte| character(page, byte)).collect::<Option<String>>();
            let Some(twice) = read else { continue };
            assert!(misreading(&twice).is_none(), "{}: {twice}", page.name);
        }
    }
}

#[test]
fn abbreviations_and_names_in_capitals_are_not_misread() {
    for text in [
        "МГУ НДС США МУП ГБОУ ЦБ МВД ДТП",
        "ДДС, БНБ, НАП, ЕООД, КФН",
        "ÑAN, ÑAWI, WIÑAY, ÑAÑA, ÑUQA, ÑAWPA, WAÑUY, ÑIÑU",
        "ФАЙЛИНИ ОЧИБ БЎЛМАДИ",
        "ITÁLIA, SÍRIA, BÓSNIA, ÁRABI, KÉNIA, IRÃU, LETÃU, ZÁMBIA",
    ] {
        assert!(misreading(text).is_none(), "{text}");
    }
}

#[test]
fn sound_text_is_not_misread() {
    for text in texts().into_values() {
        for text in [text.to_uppercase(), text] {
            assert!(misreading(&text).is_none(), "{text}");
        }
    }
    for page in Encoding::all().filter(|codec| codec.is_page()) {
        let characters = (0x80..=0xFF).filter_map(|byte| character(page, byte));
        let letters: Vec<String> =
            characters.filter(|one| one.is_alphabetic()).map(String::from).collect();
        for separator in ["", " ", "\n", ", "] {
            let table = letters.join(separator);
            assert!(misreading(&table).is_none(), "{}: {table}", page.name);
        }
    }
}

/// The encodings, by the languages of sentences.
const ENCODINGS: [(&[&str], &[&str]); 8] = [
    (&["ru", "uk", "bg"], &["windows-1251", "koi8-r"]),
    (&["el"], &["windows-1253"]),
    (&["he"], &["windows-1255"]),
    (&["ar"], &["windows-1256"]),
    (&["th"], &["windows-874"]),
    (&["zh-cn", "zh-tw"], &["gbk", "big5"]),
    (&["ja"], &["shift_jis", "euc-jp"]),
    (&["ko"], &["euc-kr"]),
];

#[test]
fn sentences_in_another_script_are_read_right() {
    let pages = ["windows-1252", "iso-8859-1", "windows-1251", "koi8-r", "ibm437", "ibm850"];
    let pages = pages.map(|name| Encoding::for_label(name).unwrap());
    let (mut all, mut right) = (0, 0);
    for (language, text) in texts() {
        let row = ENCODINGS.iter().find(|(languages, _)| languages.contains(&language));
        let Some((_, encodings)) = row else { continue };
        let used = |(codec, _): &(&Encoding, String)| encodings.contains(&codec.name);
        for (codec, text) in legacy_texts(language, &text).filter(used) {
            let bytes = encoded(&text, codec.name);
            let expected: Vec<u32> = text.chars().map(u32::from).collect();
            for page in pages.iter().filter(|page| page.name != codec.name) {
                let read = bytes.iter().map(|&byte| character(page, byte));
                let Some(misread) = read.collect::<Option<String>>() else { continue };
                all += 1;
                let Some(found) = misreading(&misread) else { continue };
                let back = decoded(found.encoding, &encoded(&misread, found.read_as.name));
                assert_eq!(back.as_ref(), Some(&expected), "{misread}");
                right += 1;
            }
        }
    }
    assert!(all > 50 && 10 * right >= 9 * all, "{right} of {all}");
}
