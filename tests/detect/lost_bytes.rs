//! Double encoding in which bytes were lost.

use crate::common::repair::character;
use crate::mojibake::page;
use crate::properties::mojibake::undone;
use utf8::mojibake::MojibakeUndoer;
use utf8::registry::Encoding;

/// Returns text whose UTF-8 is read in a page that has no character for some bytes, as converters do
/// that drop these bytes, or write U+FFFD for them.
fn misread_without(page: &Encoding, undefined: &[u8], replacement: &str, text: &str) -> String {
    let mut wrong = String::new();
    for byte in text.bytes() {
        match character(page, byte) {
            Some(value) if !undefined.contains(&byte) => wrong.push(value),
            _ => wrong.push_str(replacement),
        }
    }
    wrong
}

/// Returns `true` if each character of the original is in the text, or as it was damaged.
fn is_partly_right(text: &str, original: &str, damage: &dyn Fn(&str) -> String) -> bool {
    let mut ends = vec![0];
    for value in original.chars().map(String::from) {
        let forms = [damage(&value), value];
        let step = |&end: &usize| {
            let behind = &text[end..];
            forms
                .clone()
                .into_iter()
                .filter_map(move |form| behind.starts_with(&form).then_some(end + form.len()))
        };
        ends = ends.iter().flat_map(step).collect();
        ends.sort_unstable();
        ends.dedup();
    }
    ends.contains(&text.len())
}

/// The undefined bytes are those of the tables of Unicode.
#[test]
fn no_other_letter_is_written_for_one_that_lost_a_byte() {
    #[rustfmt::skip]
    let pages: [(&str, &[u8]); 4] = [
        ("windows-1252", b"\x81\x8D\x8F\x90\x9D"),
        ("windows-1250", b"\x81\x83\x88\x90\x98"),
        ("windows-1254", b"\x81\x8D\x8E\x8F\x90\x9D\x9E"),
        ("windows-1253", b"\x81\x88\x8A\x8C\x8D\x8E\x8F\x90\x98\x9A\x9C\x9D\x9E\x9F\xAA\xD2\xFF"),
    ];
    // The letters of scripts, a word of each, and a sentence for the words.
    let scripts = [
        ('ß'..='ž', "mil", "Après le * mot, été à la *"),
        ('Ά'..='ώ', "λόγ", "και * το * είναι"),
        ('Ё'..='ѕ', "мил", "вот * это * дело"),
        ('א'..='ת', "מיל", "שלום * אבא * עולם"),
        ('ء'..='ي', "كتب", "هذا * كتاب * جديد"),
        ('ก'..='ฮ', "มา", "ภาษา * ไทย * ดี"),
        ('가'..='깋', "한글", "안녕 * 세상 * 좋아"),
    ];
    let mut tried = 0;
    for (name, undefined) in pages {
        let page = Encoding::for_label(name).unwrap();
        for (letters, word, sentence) in &scripts {
            for letter in letters.clone().filter(|letter| letter.is_alphabetic()) {
                if !letter.to_string().bytes().any(|byte| undefined.contains(&byte)) {
                    continue;
                }
                let start = match letter.is_uppercase() {
                    true => word.to_uppercase(),
                    false => (*word).to_owned(),
                };
                let words = [
                    letter.to_string(),
                    format!("{start}{letter}"),
                    format!("{start}{letter}{start}"),
                ];
                for (word, lost) in words.iter().flat_map(|word| [(word, ""), (word, "\u{FFFD}")]) {
                    let right = sentence.replace('*', word);
                    let damage = |text: &str| misread_without(page, undefined, lost, text);
                    let wrong = damage(&right);
                    for undo in [MojibakeUndoer::likely(), MojibakeUndoer::named(page).unwrap()] {
                        let out = undone(undo, &wrong);
                        assert!(
                            is_partly_right(&out, &right, &damage),
                            "{name}: {right} {wrong} {out}"
                        );
                        tried += 1;
                    }
                }
            }
        }
    }
    assert!(tried > 3000, "{tried}");
}

#[test]
fn blanks_after_lost_bytes_stay() {
    let page = Encoding::for_label("windows-1252").unwrap();
    for (text, expected) in [
        ("А он не пришёл, а она ждала.", "Ð он не пришёл, а она ждала."),
        ("как Я вас любил", "как Я ваÑ любил"),
        ("Αρ καλός", "ΑÏ καλός"),
        ("Ő is eljött, és ő is", "Å is eljött, és ő is"),
        ("Í Reykjavík er gott veður", "Ã Reykjavík er gott veður"),
        ("키스의 고유조건은 입술", "키스ì˜ 고유조건ì€ 입술"),
    ] {
        let wrong = misread_without(page, b"\x81\x8D\x8F\x90\x9D", "", text);
        assert_eq!(undone(MojibakeUndoer::likely(), &wrong), expected, "{wrong}");
        let named = MojibakeUndoer::named(page).unwrap();
        assert_eq!(undone(named, &wrong), expected, "{wrong}");
    }
}

/// No capital ends the words, à is a word, and the language has no other letter.
#[test]
fn blanks_that_can_only_be_no_break_spaces_are_restored() {
    for (wrong, right) in [
        ("Il est dÃ©jÃ  lÃ  Ã Paris", "Il est déjà là à Paris"),
        ("To je Å koda, Å¾e ne", "To je Škoda, že ne"),
        ("atÃ© Ã s 16h", "até às 16h"),
        // The vowel sign starts no word.
        ("à¸ à¸²à¸©à¸²à¹„à¸—à¸¢", "ภาษาไทย"),
        // U+FFFD shows that bytes were not dropped.
        ("Ð ÑƒÑ\u{FFFD}Ñ\u{FFFD}ÐºÐ¸Ð¹", "РуÑ\u{FFFD}Ñ\u{FFFD}кий"),
    ] {
        assert_eq!(undone(MojibakeUndoer::likely(), wrong), right);
        assert_eq!(undone(page("windows-1252"), wrong), right);
    }
}

/// Some programs keep bytes that a page does not define as in Latin-1.
#[test]
fn undefined_bytes_that_were_kept_are_no_loss() {
    for (name, texts) in [
        (
            "windows-1257",
            [
                "Comunicación rápida y fácil",
                "警告：已經受到保護，管理員可以改。",
                "आपको अपने विवरण को",
            ],
        ),
        ("windows-1253", ["Même la fenêtre", "Zwölf ª", "सभी मनुष्यों को"]),
    ] {
        let page = Encoding::for_label(name).unwrap();
        for text in texts {
            let kept = |byte: u8| character(page, byte).unwrap_or(char::from(byte));
            let wrong: String = text.bytes().map(kept).collect();
            assert_eq!(undone(MojibakeUndoer::likely(), &wrong), text, "{name} {wrong}");
        }
    }
}
