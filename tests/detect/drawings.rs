//! Box drawings: frames, tables and trees of files, which are letters in other legacy encodings.

use super::legacy::{assert_read, is_right, ranked};
use crate::common::sentences::encoded;
use utf8::detect::detect;
use utf8::registry::Encoding;

/// A frame of a DOS page is ЩЭЭЭЛ in ISO-8859-5; long vowels are spoken.
#[test]
fn double_lines_are_no_letters_and_long_vowels_are() {
    let page = |name| Encoding::for_label(name).unwrap();
    let frame = "╔═══════════╗\n║ 1. Install ║\n║ 2. Quit    ║\n╚═══════════╝\n";
    let best = &ranked(&encoded(page("ibm437"), frame))[0];
    assert!(best.codec.name.starts_with("ibm") || best.confidence < 0.8, "{best:?}");
    let best = &ranked(&encoded(page("windows-1251"), "Урааааа! Мы победили"))[0];
    assert!(best.codec.name == "windows-1251" && best.confidence > 0.95, "{best:?}");
}

/// A letter is not next to the corner of a box: `калидӣ` in KOI8-T.
#[test]
fn a_corner_behind_a_letter_is_no_certain_evidence() {
    for text in
        [&b"\xC9 \xCB\xC1\xCC\xC9\xC4\xA5 \xD7\xCF\xD2"[..], b"\xCF\xDA\xC1\xD4 \xC4\xC9\x8A"]
    {
        let verdict = detect(text);
        assert!(verdict.confidence < 0.95, "{verdict:?}");
    }
}

#[test]
fn lines_of_a_directory_tree_are_no_letters() {
    let codec = Encoding::for_label("ibm437").unwrap();
    let tree = "C:\\PROJ\n├───src\n│   ├───main\n│   │   ├───java\n│   │   └───resources\n│   └───test\n└───tools\n";
    assert!(is_right(&encoded(codec, tree), codec));
}

#[test]
fn branches_of_a_directory_tree_are_no_letters() {
    for (number, lines) in [
        "├── src\n│   └── main.c\n",
        ".\n├── README.md\n├── src\n│   ├── main.c\n│   └── util.h\n└── tests\n    └── run.sh\n",
        ".\n├── a.c\n│\u{A0}\u{A0} └── b.c\n└── c.c\n",
    ]
    .into_iter()
    .enumerate()
    {
        for name in ["ibm437", "ibm850", "ibm866"] {
            let codec = Encoding::for_label(name).unwrap();
            for times in [1, 3] {
                let tree = encoded(codec, &lines.repeat(times));
                assert!(is_right(&tree, codec), "{name} {number} {times}");
            }
        }
    }
    let russian = Encoding::for_label("windows-1251").unwrap();
    for text in ["ИНН 7707083893, АД 120/80\n", "Результаты ГДД и АДД и так далее\n"]
    {
        assert!(is_right(&encoded(russian, text), russian), "{text}");
    }
}

/// ║ and ═ are є and Н in windows-1251.
#[test]
fn frames_and_tables_are_no_letters() {
    for drawing in [
        "A ║ B ║ C\r\n══╬═══╬══\r\n1 ║ 2 ║ 3\r\n",
        "A │ B │ C\r\n──┼───┼──\r\n1 │ 2 │ 3\r\n",
        "╔══════════╗\n║ Welcome  ║\n╚══════════╝\n",
        "├─ dir1\r\n│  └─ file\r\n└─ dir2\r\n",
        "╠══ dir1\r\n║  ╚══ file\r\n╚══ dir2\r\n",
    ] {
        for codec in ["ibm437", "ibm850", "ibm866"] {
            assert_read(codec, drawing);
        }
    }
}

/// A frame around two words, a table and a tree.
fn drawings([one, two]: [&str; 2]) -> [String; 4] {
    [
        format!("┌────────┐\n│ {one} │\n│ {two} │\n└────────┘\n"),
        format!("│{one}│{two}│\n│{two}│{one}│\n"),
        format!(".\n├── {one}\n│   └── {two}.txt\n└── {two}\n"),
        format!("━━━━━━━━━━━━━━━━\n{one}\n━━━━━━━━━━━━━━━━\n{two}\n"),
    ]
}

/// Two drawings of EUC-KR are Greek letters in GBK, and those of GBK ideographs in Big5.
#[test]
fn drawings_of_multi_byte_sets_are_no_letters() {
    for (codec, words) in [
        ("gbk", ["文件", "编辑"]),
        ("euc-jp", ["ファイル", "編集"]),
        ("shift_jis", ["ファイル", "編集"]),
        ("euc-kr", ["파일", "편집"]),
        ("gbk", ["System", "Data"]),
        ("euc-jp", ["System", "Data"]),
        ("euc-kr", ["System", "Data"]),
    ] {
        for text in drawings(words) {
            assert_read(codec, &text);
        }
    }
    for (codec, text) in [
        ("gbk", "║ 文件 ║\n"),
        ("euc-kr", "├ 파일\n├ 편집\n└ 설정\n"),
        ("euc-kr", "├─ System\n├─ Data\n└─ User\n"),
        ("big5", "│檔案│編輯│\n├──┼──┤\n│設定│說明│\n"),
        ("big5", "────────\nSystem\n────────\nData\n"),
    ] {
        assert_read(codec, text);
    }
}
