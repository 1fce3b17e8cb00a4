//! `utf8 detect`: output and exit statuses.

use std::process::Output;

use crate::common::bin::{Dir, lines, objects, utf8};
use assert_cmd::Command;
use predicates::str::contains;
use serde_json::json;

#[test]
fn an_empty_expectation_is_an_error_of_its_option() {
    let dir = dir();
    for list in ["", "utf-8,"] {
        let run = detect(&dir, &["--expect", list, "ascii"]).assert().code(2);
        run.stderr("utf8: --expect: needs the name of an encoding, as in --expect utf-8\n");
    }
}

#[test]
fn a_byte_order_mark_is_certain() {
    let run = detect(&dir(), &["-v", "utf-16"]).assert().success();
    run.stderr("utf-16: certain: by its signature\n");
}

pub(super) const FRENCH: &[u8] =
    b"Le caf\xE9 cr\xE8me est tr\xE8s go\xFBt\xE9 \xE0 Orl\xE9ans, m\xEAme l'\xE9t\xE9.\n";
pub(super) const DAMAGED: &[u8] = b"d\xC3\xA9j\xC3\xA0 vu, \xC3\xA0 la t\xE9l\xE9, caf\xC3\xA9\n";

pub(super) fn dir() -> Dir {
    Dir::of(&[
        ("ascii", &b"plain\r\n"[..]),
        ("utf-8", "déjà vu\n".as_bytes()),
        ("latin", FRENCH),
        ("damaged", DAMAGED),
        ("cesu", b"smile \xED\xA0\xBD\xED\xB8\x80\n"),
        ("utf-16", b"\xFF\xFEa\0b\0\n\0"),
        ("twice", "Ã©tÃ© Ã  la plage, trÃ¨s gÃªnant\n".as_bytes()),
        ("misread", "Ïðèâåò, ìèð! Êàê äåëà ó âàñ ñåãîäíÿ?\n".as_bytes()),
        ("data", b"\x7FELF\x02\x01\x01\0\0\0\0\xFF\0\0\0\0"),
        ("controls", "it\u{92}s\n".as_bytes()),
        // 今天天气很好
        ("gbk", b"\xBD\xF1\xCC\xEC\xCC\xEC\xC6\xF8\xBA\xDC\xBA\xC3\n"),
    ])
}

pub(super) fn detect(dir: &Dir, args: &[&str]) -> Command {
    let mut command = utf8();
    command.current_dir(dir.path("")).arg("detect").args(args);
    command
}

pub(super) fn printed(dir: &Dir, args: &[&str]) -> String {
    let output = detect(dir, args).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn one_input_is_one_word() {
    let dir = dir();
    for (file, answer) in [
        ("ascii", "us-ascii\n"),
        ("utf-8", "utf-8\n"),
        ("latin", "windows-1252\n"),
        ("damaged", "damaged-utf-8\n"),
        ("cesu", "damaged-utf-8\n"),
        ("utf-16", "utf-16\n"),
        ("data", "binary\n"),
    ] {
        detect(&dir, &[file]).assert().code(0).stdout(answer).stderr("");
        let bytes = std::fs::read(dir.path(file)).unwrap();
        detect(&dir, &[]).write_stdin(bytes).assert().code(0).stdout(answer);
    }
}

/// Returns the JSON object of an input without its path and command.
fn found(output: Output) -> serde_json::Value {
    let mut found = objects(&output.stdout).remove(0);
    let object = found.as_object_mut().unwrap();
    object.remove("path");
    object.remove("command");
    found
}

#[test]
fn the_source_does_not_change_what_is_found() {
    let dir = dir();
    for file in ["ascii", "utf-8", "latin", "damaged", "cesu", "utf-16", "twice", "data"] {
        let bytes = std::fs::read(dir.path(file)).unwrap();
        let expected = found(detect(&dir, &["--format", "json", file]).output().unwrap());
        let pipe = detect(&dir, &["--format", "json"]).write_stdin(&bytes[..]).output().unwrap();
        assert_eq!(found(pipe), expected, "{file} from a pipe");
        let hex: String = bytes.iter().map(|byte| format!("{byte:02X} ")).collect();
        let hex = detect(&dir, &["--format", "json", "--hex"]).write_stdin(hex).output().unwrap();
        assert_eq!(found(hex), expected, "{file} in hex");
    }
}

#[test]
fn several_inputs_have_names() {
    detect(&dir(), &["ascii", "utf-8"]).assert().code(0).stdout("ascii: us-ascii\nutf-8: utf-8\n");
}

#[test]
fn all_ways_to_name_an_input() {
    utf8().args(["detect", "-e", "é"]).assert().stdout("utf-8\n");
    utf8().args(["detect", "-xe", "63 61 66 E9 20 63"]).assert().stdout("windows-1252\n");
    let dir = dir();
    detect(&dir, &["-s", "0", "-n", "5", "latin"]).assert().stdout("us-ascii\n");
    detect(&dir, &["--sample", "5", "latin"]).assert().stdout("us-ascii\n");
    detect(&dir, &["-0", "--files-from", "-"])
        .write_stdin("ascii\0utf-8\0")
        .assert()
        .stdout("ascii\0us-ascii\nutf-8\0utf-8\n");
    for mmap in ["always", "never"] {
        detect(&dir, &["--mmap", mmap, "damaged"]).assert().stdout("damaged-utf-8\n");
    }
}

#[test]
fn a_sample_that_cuts_a_character_is_no_fault() {
    detect(&dir(), &["--sample", "2", "utf-8"]).assert().stdout("utf-8\n");
}

#[test]
fn mime() {
    let args = ["--format", "mime", "ascii", "utf-8", "latin", "damaged", "utf-16", "data"];
    let expected = lines(&[
        "ascii: text/plain; charset=us-ascii",
        "utf-8: text/plain; charset=utf-8",
        "latin: text/plain; charset=windows-1252",
        "damaged: text/plain; charset=unknown-8bit",
        "utf-16: text/plain; charset=utf-16",
        "data: application/octet-stream; charset=binary",
    ]);
    detect(&dir(), &args).assert().code(0).stdout(expected);
}

#[test]
fn expectations() {
    let dir = dir();
    for (expect, file, code) in [
        ("utf-8", "utf-8", 0),
        ("UTF8", "utf-8", 0),
        ("utf-8", "ascii", 0),
        ("us-ascii", "utf-8", 1),
        ("utf-8", "latin", 1),
        ("utf-8", "damaged", 1),
        ("utf-8-bom", "utf-8", 1),
        ("koi8-r,utf-8", "utf-8", 0),
        ("cp1252", "latin", 0),
        // The same text.
        ("latin1", "latin", 0),
        ("koi8-r,windows-1251", "latin", 1),
        ("windows-1252", "ascii", 0),
        ("utf-16", "ascii", 1),
        ("gb18030", "gbk", 0),
        ("utf-16", "utf-16", 0),
        ("utf-16le", "utf-16", 0),
        ("utf-16be", "utf-16", 1),
        ("utf-16le-bom", "utf-16", 0),
        ("utf-32le-bom", "utf-16", 1),
        ("binary", "data", 0),
        ("damaged-utf-8", "cesu", 0),
    ] {
        for quiet in [false, true] {
            let mut command = detect(&dir, &["--expect", expect, file]);
            let assert =
                if quiet { command.arg("-q").assert().stdout("") } else { command.assert() };
            let assert = assert.code(code);
            let stderr = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
            assert_eq!(stderr.is_empty(), quiet || code == 0, "{expect} {file}: {stderr}");
        }
    }
}

#[test]
fn unexpected_encodings_are_reported() {
    detect(&dir(), &["--expect", "utf-8,utf-16", "latin", "ascii"])
        .assert()
        .code(1)
        .stdout("latin: windows-1252\nascii: us-ascii\n")
        .stderr("utf8: latin: is windows-1252, not utf-8 or utf-16\n");
    detect(&dir(), &["--expect", "utf-8n", "-xe", "EFBBBF C3A9"])
        .assert()
        .code(1)
        .stderr("utf8: -e: is utf-8 with a BOM, not utf-8n\n");
}

/// The answer is printed once.
#[test]
fn verbose_adds_the_reason() {
    for (args, answer, reason) in [
        (&["-v", "--expect", "utf-8", "ascii"][..], "us-ascii\n", "ascii: certain: "),
        (&["-v", "latin"], "windows-1252\n", "latin: "),
    ] {
        let out = detect(&dir(), args).assert().code(0).stdout(answer);
        let said = String::from_utf8_lossy(&out.get_output().stderr).into_owned();
        assert!(said.starts_with(reason) && !said.contains(answer.trim_end()), "{said}");
        assert_eq!(said.lines().count(), 1);
    }
}

#[test]
fn quiet_stops_at_the_first_that_is_not_as_expected() {
    detect(&dir(), &["-q", "--expect", "utf-8", "latin", "missing"]).assert().code(1).stderr("");
    detect(&dir(), &["-q", "--expect", "utf-8", "utf-8", "missing"])
        .assert()
        .code(2)
        .stderr(contains("missing"));
}

#[test]
fn candidates() {
    let dir = dir();
    detect(&dir, &["--candidates", "3", "utf-8"]).assert().stdout("utf-8 1.0000\n");
    let told = printed(&dir, &["--candidates", "2", "latin"]);
    let rows: Vec<Vec<&str>> = told.lines().map(|line| line.split(' ').collect()).collect();
    assert_eq!((rows[0][0], rows[0][2]), ("windows-1252", "fr"), "{told}");
    let likely: f64 = rows[0][1].parse().unwrap();
    assert!((0.5..1.0).contains(&likely), "{told}");
    assert_eq!(rows.len(), 2);
}

#[test]
fn long() {
    let told = printed(&dir(), &["--format", "long", "damaged"]);
    let rows: Vec<&str> = told.lines().collect();
    assert!(rows[0].starts_with("damaged: damaged-utf-8 ("), "{told}");
    for row in [
        "  bytes      29 bytes, 65.5 % of them ASCII",
        "  UTF-8      ruled out by E9 6C at byte 0x12 (18) [truncated-next]",
        "  line ends  1 LF",
    ] {
        assert!(rows.contains(&row), "{row}\n{told}");
    }
    let stray = "2 stray sequences, likely of windows-1252; the first at byte 0x12 (18)";
    assert!(told.contains(stray), "{told}");
}

#[test]
fn a_hundred_percent_is_all() {
    let dir = Dir::new();
    for (ascii, row) in [(4_000, "4,002 bytes, 99.9 % of them"), (18, "20 bytes, 90.0 % of them")] {
        let text = format!("{}é", "a".repeat(ascii));
        let told = printed(&dir, &["--format", "long", "-e", &text]);
        assert!(told.contains(row), "{told}");
    }
}

#[test]
fn line_ends_that_are_mixed() {
    let told = printed(&Dir::new(), &["--format", "long", "-e", "a\r\nb\nc\rd\r\n"]);
    assert!(told.contains("  line ends  mixed: 1 LF, 2 CRLF, 1 CR\n"), "{told}");
}

#[test]
fn json_has_it_all() {
    let dir = dir();
    let told = objects(&detect(&dir, &["--format", "json", "cesu"]).output().unwrap().stdout);
    let [object] = &told[..] else { panic!("{told:?}") };
    assert_eq!(object["type"], "encoding");
    assert_eq!(object["path"], "cesu");
    assert_eq!(object["encoding"], "damaged-utf-8");
    assert_eq!(object["signature"], json!(null));
    assert_eq!((&object["size"], &object["ascii"]), (&json!(13), &json!(7)));
    assert_eq!(object["first_beyond_ascii"], 6);
    assert_eq!(object["damages"], json!([{"damage": "surrogate-pairs", "number": 1, "first": 6}]));
    assert_eq!(object["fault"]["kind"], "surrogate-pair");
    assert_eq!(object["fault"]["hex"], "ED A0 BD ED B8 80");
    assert_eq!(object["line_ends"], json!({"lf": 1, "crlf": 0, "cr": 0}));
    assert_eq!(object["command"], "utf8 repair --join-surrogates cesu");
    for (file, original, page, first) in
        [("twice", "utf-8", "windows-1252", 0), ("controls", "windows-1252", "iso-8859-1", 2)]
    {
        let found = objects(&detect(&dir, &["--format", "json", file]).output().unwrap().stdout);
        assert_eq!(
            (&found[0]["encoding"], &found[0]["confidence"]),
            (&json!("utf-8"), &json!(1.0))
        );
        let twice = &found[0]["twice"];
        assert_eq!((&twice["original"], &twice["page"]), (&json!(original), &json!(page)));
        assert_eq!((&twice["first"], &found[0]["misread"]), (&json!(first), &json!(null)));
    }
    let found =
        &objects(&detect(&dir, &["--format", "json", "misread"]).output().unwrap().stdout)[0];
    assert_eq!(found["twice"], json!(null));
    let misread = &found["misread"];
    assert_eq!(
        (&misread["encoding"], &misread["read_as"]),
        (&json!("windows-1251"), &json!("windows-1252"))
    );
}

#[test]
fn trouble() {
    let dir = dir();
    detect(&dir, &["missing", "utf-8"])
        .assert()
        .code(2)
        .stdout("utf-8: utf-8\n")
        .stderr(contains("utf8: missing: "));
    let told = objects(&detect(&dir, &["--format", "json", "missing"]).output().unwrap().stdout);
    assert_eq!((&told[0]["type"], &told[0]["path"]), (&json!("trouble"), &json!("missing")));
    detect(&dir, &["-f", "utf-8", "ascii"])
        .assert()
        .code(2)
        .stderr(contains("detect takes no --from"));
    detect(&dir, &["--expect", "utf-9", "ascii"]).assert().code(2).stderr(contains("utf-8"));
    detect(&dir, &["--candidates", "0", "ascii"]).assert().code(2);
}

#[test]
fn regions_of_a_mixed_file() {
    let dir = dir();
    let utf8 = "déjà vu\n".as_bytes();
    dir.write("mixed", [utf8, FRENCH, b"plain\n", utf8].concat());
    let len = FRENCH.len() + 6;
    let rows = [
        "0-9 utf-8".to_owned(),
        format!("10-{} windows-1252", 9 + len),
        format!("{}-{} utf-8", 10 + len, 19 + len),
    ];
    let expected: String = rows.iter().map(|row| format!("{row}\n")).collect();
    detect(&dir, &["--regions", "mixed"]).assert().code(0).stdout(expected.clone());
    let named: String = rows.iter().map(|row| format!("mixed: {row}\n")).collect();
    detect(&dir, &["--regions", "mixed", "ascii"]).assert().stdout(named + "ascii: 0-6 us-ascii\n");
    detect(&dir, &["-0", "--regions", "ascii", "utf-8"])
        .assert()
        .stdout("ascii\x000-6 us-ascii\nutf-8\x000-9 utf-8\n");
    let told = detect(&dir, &["--regions", "--format", "json", "mixed"]).output().unwrap().stdout;
    assert_eq!(
        objects(&told)[1],
        json!({"type": "region", "path": "mixed", "offset": 10, "length": len,
               "encoding": "windows-1252"})
    );
    detect(&dir, &["--regions", "--format", "mime", "mixed"]).assert().code(2);
}
