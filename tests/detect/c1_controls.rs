//! C1 controls that are characters of windows-1252 read as ISO-8859-1.

use utf8::mojibake::MojibakeUndoer;
use utf8::registry::Encoding;

use super::mojibake::page;
use crate::common::inputs::Rng;
use crate::properties::mojibake::{told, undone};

/// Returns text of windows-1252 as software shows that takes it for ISO-8859-1.
fn read_as_latin1(text: &str) -> String {
    let page = Encoding::for_label("windows-1252").unwrap();
    let byte =
        |value: char| (0x80..=0xFF).find(|&byte| page.code_point(byte) == Some(value.into()));
    text.chars().map(|value| byte(value).map_or(value, char::from)).collect()
}

/// Lines in the languages of windows-1252.
static LINES: &[&str] = &[
    "it’s a “quote”",
    "“It’s late,” he said … “isn’t it?”",
    "the end.”",
    "1914–1918, or — as they say — ‘the Great War’",
    "L’été, l’œuvre d’un cœur ému… « né » LIBERTÉ”",
    "„Wort“ und ‚Wort‘, für 5€",
    "”Näin” sanoi hän",
    "„Muž“ z mesta Šibenik",
    "• first item",
    "‹mot› et ‹autre›",
    "Œuvres; Windows™",
    "dell’acqua, foto’s, aujourd’hui, rock ’n’ roll, O’Brien’s",
];

#[test]
fn characters_of_windows_1252_are_restored() {
    for line in LINES {
        let wrong = read_as_latin1(line);
        assert_ne!(wrong, *line);
        assert_eq!(undone(MojibakeUndoer::likely(), &wrong), *line);
        assert_eq!(undone(MojibakeUndoer::likely(), line), *line);
        // In the named page, É” is also UTF-8.
        if !line.contains("É”") {
            assert_eq!(undone(page("windows-1252"), &wrong), *line);
        }
        // Another page was named.
        assert_eq!(undone(page("koi8-u"), &wrong), wrong);
    }
}

/// Controls of terminals and of EBCDIC, lists of controls, the rest of a damaged `’`, and letters of
/// MacRoman and DOS.
#[test]
fn other_controls_are_left() {
    for line in [
        "one\u{85}two\u{85} three\u{85}",
        "\u{85}",
        "\u{9B}1mit\u{92}s bold\u{9B}0m",
        "I\u{92}m \u{9B}Hhome",
        "\u{9F}data\u{9C} it\u{92}s",
        "\u{90}1;1|a/62\u{9C} it\u{92}s",
        "U+0092 \u{92} PRIVATE USE TWO",
        "'\u{92}'",
        "it\u{81} it\u{92}s",
        "we\u{E2}\u{80} re, it\u{92}s",
        "barco tur\u{92}stico",
        "as\u{92}, conf\u{92}an",
        "canci\u{97}n",
        "ni\u{96}o",
        "m\u{9C}sica",
        "sch\u{9A}n",
        "cos\u{93}, luned\u{93}",
        "Malm\u{94}",
        "\u{82}cole",
        "\u{84}hnlich",
    ] {
        assert_eq!(undone(MojibakeUndoer::likely(), line), line, "{line:?}");
        assert_eq!(undone(page("windows-1252"), line), line, "{line:?}");
    }
}

#[test]
fn double_encoding_in_the_same_line_is_undone_too() {
    for (wrong, right) in [
        ("caf\u{C3}\u{A9}: it\u{92}s", "café: it’s"),
        ("don\u{E2}\u{80}\u{99}t, it\u{92}s", "don’t, it’s"),
        ("it\u{C2}\u{92}s", "it’s"),
        ("\u{D0}\u{9F}\u{D1}\u{80}\u{D0}\u{B8}\u{D0}\u{B2}\u{D0}\u{B5}\u{D1}\u{82}", "Привет"),
    ] {
        assert_eq!(undone(MojibakeUndoer::likely(), wrong), right);
    }
}

#[test]
fn steps_name_the_misreadings() {
    let told = told(MojibakeUndoer::likely(), ["it\u{C2}\u{92}s\nit\u{92}s".as_bytes()]);
    let verdicts: Vec<_> = told.pieces.iter().map(|(.., verdict)| verdict.as_str()).collect();
    let expected = [
        "Sound",
        r#"Undone(["windows-1252", "iso-8859-1"])"#,
        "Sound",
        r#"Undone(["iso-8859-1"])"#,
        "Sound",
    ];
    assert_eq!(verdicts, expected);
}

/// Lines with controls are read alone as in a file, at any split, and once.
#[test]
fn splits_and_other_lines_do_not_matter() {
    let mut rng = Rng::new(6);
    let lines: Vec<String> = LINES.iter().map(|line| read_as_latin1(line)).collect();
    let mut words: Vec<_> = lines.iter().flat_map(|line| line.split(' ')).collect();
    words.extend(["\u{85}", "\u{9B}", "\u{F0}\u{9F}\u{98}", "\u{C3}", "Ã©", "\u{93}", "é"]);
    for _ in 0..2000 {
        let line = |rng: &mut Rng| -> String {
            let glue = rng.pick(&[" ", "", "\u{A0}"]);
            (0..4).map(|_| rng.pick(&words)).collect::<Vec<_>>().join(glue)
        };
        let lines = [line(&mut rng), line(&mut rng)];
        let text = lines.join("\n");
        let whole = told(MojibakeUndoer::likely(), [text.as_bytes()]);
        let bytes = told(MojibakeUndoer::likely(), text.as_bytes().chunks(1 + rng.below(3)));
        assert_eq!(bytes, whole, "{text:?}");
        let once = String::from_utf8(whole.text).unwrap();
        assert_eq!(undone(MojibakeUndoer::likely(), &once), once, "{text:?}");
        let alone = lines.map(|line| undone(MojibakeUndoer::likely(), &line)).join("\n");
        assert_eq!(once, alone, "{text:?}");
    }
}
