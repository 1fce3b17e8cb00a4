//! Characters in rows: names, stand-ins, clusters and colours.

use super::{columns, dump, shown};
use crate::common::peer::python;

#[test]
fn controls_have_the_aliases_of_unicode() {
    let controls: String =
        (0..0xA0).filter_map(char::from_u32).filter(|c| c.is_control()).collect();
    let out = dump().args(["--no-fold", "-e", &controls.replace('\0', "")]).output().unwrap();
    let dump = String::from_utf8(out.stdout).unwrap();
    let names: Vec<_> = dump.lines().map(|row| columns(row).pop().unwrap()).collect();
    assert_eq!(names.iter().filter(|name| name.starts_with("<control-")).count(), 3, "{names:?}");
    let lookup = "import sys, unicodedata\n\
                  for name in sys.stdin.read().splitlines(): print(ord(unicodedata.lookup(name)))";
    let labelled = |name: &&&str| !name.starts_with('<');
    let named: Vec<_> = names.iter().filter(labelled).map(|name| name.to_string()).collect();
    let Some(found) = python(lookup, named.join("\n").as_bytes()) else { return };
    let values = controls.chars().filter(|c| !matches!(c, '\0' | '\u{80}' | '\u{81}' | '\u{99}'));
    let expected: String = values.map(|c| format!("{}\n", u32::from(c))).collect();
    assert_eq!(found, expected);
}

#[test]
fn stand_ins_and_labels() {
    for (digits, code, shape, name) in [
        ("0A", "U+000A", "␊", "LINE FEED"),
        ("7F", "U+007F", "␡", "DELETE"),
        ("C2 9B", "U+009B", "▯", "CONTROL SEQUENCE INTRODUCER"),
        ("C2 99", "U+0099", "▯", "<control-0099>"),
        ("20", "U+0020", "␣", "SPACE"),
        ("C2 A0", "U+00A0", "␣", "NO-BREAK SPACE"),
        ("CC 81", "U+0301", "◌\u{301}", "COMBINING ACUTE ACCENT"),
        ("E2 80 AE", "U+202E", "▯", "RIGHT-TO-LEFT OVERRIDE"),
        ("E2 80 A8", "U+2028", "▯", "LINE SEPARATOR"),
        ("EF B8 8F", "U+FE0F", "◌", "VARIATION SELECTOR-16"),
        ("EE 80 80", "U+E000", "▯", "<private-use-E000>"),
        ("EF BF BE", "U+FFFE", "▯", "<noncharacter-FFFE>"),
        ("CD B8", "U+0378", "▯", "<reserved-0378>"),
        ("F0 97 80 80", "U+17000", "\u{17000}", "TANGUT IDEOGRAPH-17000"),
        ("E1 85 9F", "U+115F", "▯", "HANGUL CHOSEONG FILLER"),
        ("E2 A0 80", "U+2800", "▯", "BRAILLE PATTERN BLANK"),
        ("EA B0 80", "U+AC00", "가", "HANGUL SYLLABLE GA"),
        ("F0 A0 80 80", "U+20000", "𠀀", "CJK UNIFIED IDEOGRAPH-20000"),
        ("EF BB BF", "U+FEFF", "▯", "ZERO WIDTH NO-BREAK SPACE (byte order mark)"),
    ] {
        let dump = shown(digits, &[]);
        assert_eq!(columns(dump.trim_end())[3..], [code, shape, name]);
    }
    let dump = shown("C2 A9", &["--no-names"]);
    assert_eq!(columns(&dump)[3..], ["U+00A9", "©"]);
    assert!(dump.ends_with("©\n"));
}

#[test]
fn an_ascii_locale_gets_ascii() {
    dump().env("LC_ALL", "C.ISO-8859-1").args(["-e", "é\n"]).assert().success().stdout(
        "00000000  110.00011 10.101001                      c3 a9        U+00E9    .   LATIN SMALL LETTER E WITH ACUTE\n\
         00000002  0.0001010                                0a           U+000A    ^J  LINE FEED\n",
    );
    dump()
        .env("LC_ALL", "C.ISO-8859-1")
        .args(["--base", "hex", "-xe", "41 C3 A9 0A FF"])
        .assert()
        .success()
        .stdout("00000000: 41 c3.a9 0a!ff                                   A...!\n");
}

#[test]
fn colours_tell_the_roles() {
    let dump = shown("41 C3 A9 C3 A9 0A FF", &["--color", "always", "--base", "hex", "-c", "7"]);
    for cell in ["38;5;31mc3", "38;5;28mc3", "38;5;133m0a", "38;5;161mff"] {
        assert!(dump.contains(cell), "{dump:?}");
    }
    assert!(!dump.contains("m41"));
    let dump = shown("C3 A9", &["--color", "always"]);
    assert!(dump.contains("110·\x1B[1m00011") && dump.contains("38;5;31mc3 a9\x1B[0m"), "{dump:?}");
}

#[test]
fn grapheme_clusters_are_marked() {
    let family = "👩\u{200D}👧🇩🇪e\u{301}";
    let rows = dump().args(["--no-names", "-e", family]).output().unwrap().stdout;
    let rows = String::from_utf8(rows).unwrap();
    let marked: Vec<_> = rows.lines().map(|row| row.chars().skip(64).collect::<String>()).collect();
    assert_eq!(
        marked,
        [
            "U+1F469   👩",
            "U+200D   ~▯",
            "U+1F467  ~👧",
            "U+1F1E9   🇩",
            "U+1F1EA  ~🇪",
            "U+0065    e",
            "U+0301   ~◌\u{301}",
        ]
    );
    for color in ["never", "always"] {
        let args = ["--base", "hex", "-c", "24", "--color", color, "-e", family];
        let row = String::from_utf8(dump().args(args).output().unwrap().stdout).unwrap();
        let mut text = row;
        for escape in ["0", "38;5;28", "38;5;31", "38;5;133"] {
            text = text.replace(&format!("\x1B[{escape}m"), "");
        }
        assert!(text.ends_with("  👩··▯~~👧~~🇩···🇪~~~e◌\u{301}~\n"), "{text}");
    }
    let page = dump().args(["--format", "html", "-e", family]).output().unwrap().stdout;
    let page = String::from_utf8(page).unwrap();
    assert_eq!(page.matches("Continues the grapheme cluster at <code>00000000</code>").count(), 2);
    assert_eq!(page.matches("<i>~</i>").count(), 1 + 4);
    // A cluster without end needs no memory.
    let zalgo = "e".to_owned() + &"\u{301}".repeat(100_000);
    let args = ["--base", "hex", "-c", "2"];
    let out = dump().args(args).write_stdin(zalgo).assert().success();
    assert_eq!(out.get_output().stdout.iter().filter(|&&byte| byte == b'~').count(), 100_000);
}
