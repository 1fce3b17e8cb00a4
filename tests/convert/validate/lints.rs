//! Lints: levels, sets, characters in their context, and their place in every format.

use predicates::prelude::PredicateBooleanExt;
use predicates::str::{contains, is_empty};

use utf8::lint::LINTS;
use utf8::report::FORMATS;

use crate::common::bin::{Dir, objects, validate};
use crate::common::inputs::Rng;

mod invisible;

/// Returns the ids of the findings of a text, in order, with these options.
fn ids(text: impl AsRef<[u8]>, options: &[&str]) -> Vec<String> {
    let mut command = validate();
    let run = command.args(["--format=json"]).args(options).write_stdin(text.as_ref()).assert();
    let objects = objects(&run.get_output().stdout);
    let findings = objects.iter().filter(|object| object["type"] == "finding");
    findings.map(|finding| finding["kind"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn every_lint_reports_its_bad_example_and_not_its_good_one() {
    for row in LINTS {
        let deny = format!("--deny={}", row.id);
        assert_eq!(ids(row.faulty, &[&deny]), [row.id], "{}", row.id);
        assert!(ids(row.good, &[&deny]).is_empty(), "{}", row.id);
        assert!(ids(row.faulty, &[]).is_empty(), "{}", row.id);
    }
}

#[test]
fn errors_change_the_status_and_warnings_do_not() {
    let zero_width = "a\u{200B}b\n";
    validate()
        .args(["--deny", "invisible"])
        .write_stdin(zero_width)
        .assert()
        .code(1)
        .stdout("-:1:2: byte 0x1 (1): U+200B ZERO WIDTH SPACE [invisible]\n");
    validate()
        .args(["--warn", "INVISIBLE"])
        .write_stdin(zero_width)
        .assert()
        .code(0)
        .stdout("-:1:2: byte 0x1 (1): warning: U+200B ZERO WIDTH SPACE [invisible]\n")
        .stderr("-: 1 finding (a warning) in 6 bytes\n");
    // Quiet and -l look for errors; a warning does not end the search.
    let input = b"a\xE2\x80\x8Bb\xFF\n".as_slice();
    validate().args(["-q", "--warn=invisible"]).write_stdin(input).assert().code(1);
    validate().args(["-l", "--warn=invisible"]).write_stdin(input).assert().code(1).stdout("-\n");
    validate()
        .args(["-l", "--warn=invisible"])
        .write_stdin(zero_width)
        .assert()
        .code(0)
        .stdout(is_empty());
}

#[test]
fn a_name_is_stronger_than_a_set_and_allow_is_strongest() {
    let text = "\u{FEFF}a\u{200B}\0";
    assert_eq!(ids(text, &["--deny=strict"]), ["bom", "invisible", "nul", "missing-final-newline"]);
    assert_eq!(ids(text, &["--deny=security", "--allow=nul"]), ["invisible"]);
    assert_eq!(ids(text, &["--allow=security", "--deny=nul"]), ["nul"]);
    assert!(ids(text, &["--deny=nul", "--warn=nul", "--allow=nul"]).is_empty());
    assert_eq!(
        ids("\u{A0}\u{2010}\u{2015}\n", &["--deny=not-ascii", "--allow-char=U+A0,U+2010..U+2014"]),
        ["not-ascii"]
    );
}

#[test]
fn ill_formed_sequences_can_be_allowed_or_warnings() {
    let input = b"a\xFF\x1B\n".as_slice();
    validate()
        .args(["--allow", "ill-formed"])
        .write_stdin(input)
        .assert()
        .code(0)
        .stdout(is_empty());
    validate()
        .args(["--warn", "ill-formed"])
        .write_stdin(input)
        .assert()
        .code(0)
        .stdout("-:1:2: byte 0x1 (1): warning: byte FF starts no sequence [invalid-fe-ff]\n");
    validate()
        .args(["--allow", "ill-formed", "--deny", "c0-control"])
        .write_stdin(input)
        .assert()
        .code(1)
        .stdout("-:1:3: byte 0x2 (2): U+001B ESCAPE [c0-control]\n");
}

#[test]
fn directories_have_warnings_of_unpaired_controls_and_tags() {
    let dir = Dir::of(&[("a.c", "x\u{202E}y\n\u{E0041}\u{200B}\n".as_bytes())]);
    let expected = "a.c:1:2: byte 0x1 (1): warning: U+202E RIGHT-TO-LEFT OVERRIDE is not closed in \
                    its line [bidi-unpaired]\n\
                    a.c:2:1: byte 0x6 (6): warning: U+E0041 TAG LATIN CAPITAL LETTER A, hidden \
                    text \"A\" [tag-character]\n";
    dir.validate().arg(".").assert().code(0).stdout(expected).stderr(contains(
        "all are well-formed; 2 findings: 1 bidi-unpaired, 1 tag-character (all warnings)",
    ));
    dir.validate().arg("a.c").assert().code(0).stdout(is_empty());
    dir.validate().args([".", "--deny=bidi-unpaired"]).assert().code(1);
    dir.validate().args([".", "--allow=security"]).assert().code(0).stdout(is_empty());
}

#[test]
fn line_ends_are_reported_once() {
    let all = ["--deny=mixed-line-ending,lone-cr,crlf"];
    assert_eq!(ids("a\nb\r\nc\r\nd\n", &["--deny=mixed-line-ending"]), ["mixed-line-ending"]);
    assert_eq!(ids("a\r\nb\nc\n", &["--deny=mixed-line-ending"]), ["mixed-line-ending"]);
    assert_eq!(
        ids("a\r\r\nb\rc\n\r", &all),
        ["lone-cr", "crlf", "lone-cr", "mixed-line-ending", "lone-cr"]
    );
    assert_eq!(ids("a\nb\nc\n", &["--deny=lf"]), ["lf"]);
    assert!(ids("", &["--deny=strict,missing-bom"]).is_empty());
}

#[test]
fn text_that_is_not_in_nfc_is_a_finding_for_each_stretch() {
    validate()
        .args(["--deny=not-nfc"])
        .write_stdin("cafe\u{301} \u{1112}\u{1161}\u{11AB} \u{212B}\n")
        .assert()
        .code(1)
        .stdout(
            "-:1:4: byte 0x3 (3): U+0065 U+0301 is U+00E9 in NFC [not-nfc]\n\
             -:1:8: byte 0x7 (7): U+1112 U+1161 U+11AB is U+D55C in NFC [not-nfc]\n\
             -:1:18: byte 0x11 (17): U+212B is U+00C5 in NFC [not-nfc]\n",
        );
    let deny = ["--deny=not-nfc"];
    for good in ["\u{1EAD}", "x\u{323}\u{301}", "\u{915}\u{93C}", "\u{D55C}\u{11A7}", "\u{301}"] {
        assert!(ids(good, &deny).is_empty(), "{good:?}");
    }
    for bad in ["\u{958}", "x\u{301}\u{323}", "a\u{323}\u{302}", "\u{AC00}\u{11A8}", "\u{2F800}"] {
        assert_eq!(ids(bad, &deny), ["not-nfc"], "{bad:?}");
    }
    // A mark after another text, or after an ill-formed sequence, has nothing to compose with.
    assert!(ids("e\n\u{301}", &deny).is_empty());
    let input = b"e\xFF\xCC\x81".as_slice();
    validate().args(["--deny=not-nfc", "--allow=ill-formed"]).write_stdin(input).assert().code(0);
    let units: Vec<u8> = "e\u{301}\n".encode_utf16().flat_map(u16::to_be_bytes).collect();
    validate()
        .args(["-f", "utf-16be", "--deny=not-nfc", "--format=tsv"])
        .write_stdin(units)
        .assert()
        .code(1)
        .stdout("0\t4\tnot-nfc\t1\t1\t00 65 03 01\t-\n");
}

#[test]
fn a_stretch_is_reported_instead_of_its_characters() {
    let text = "e\u{301}\u{212B}\u{A0}\n";
    assert_eq!(ids(text, &["--deny=text"]), ["not-nfc", "not-nfc", "irregular-whitespace"]);
    // Not if that would hide an error.
    assert_eq!(
        ids(text, &["--warn=not-nfc", "--deny=not-ascii"]),
        ["not-nfc", "not-ascii", "not-nfc", "not-ascii", "not-ascii"]
    );
    assert_eq!(ids(text, &["--deny=not-nfc", "--allow-char=U+0301"]), ["not-nfc"]);
}

#[test]
fn net_unicode_is_what_rfc_5198_has() {
    let deny = ["--deny=net-unicode"];
    assert_eq!(ids("\u{FEFF}a\tb\u{C}\r\nc\n", &deny), ["bom", "c0-control", "lf"]);
    assert_eq!(
        ids("\r\0\u{84}\u{85}\u{2028}e\u{301}\u{378}\u{FFFF}", &deny),
        [
            "lone-cr",
            "nul",
            "c1-control",
            "line-separator",
            "line-separator",
            "not-nfc",
            "unassigned",
            "noncharacter"
        ]
    );
    assert!(ids("caf\u{E9} \u{E000}\u{202E}\r\nlast", &deny).is_empty());
}

#[test]
fn declarations_are_compared_with_the_text() {
    let deny = ["--deny=wrong-declaration"];
    for (bad, place) in [
        ("<?xml version=\"1.0\" encoding=\"latin1\"?>\n<a>\u{E9}</a>\n", "1:31: byte 0x1E (30)"),
        ("#!/bin/sh\n# -*- coding: latin1 -*-\n\u{E9}", "2:15: byte 0x18 (24)"),
        ("<!-- \u{E9} -->\n<meta charset=latin1>", "2:15: byte 0x1A (26)"),
        ("a\n/* \u{E9} vim: set fileencoding=latin1: */\n", "2:29: byte 0x1E (30)"),
        ("\u{FEFF}#coding=latin1\n", "1:12: byte 0xB (11)"),
    ] {
        let expected =
            format!("-:{place}: latin1 is declared, but the text is utf-8 [wrong-declaration]\n");
        validate().args(deny).write_stdin(bad).assert().code(1).stdout(expected);
    }
    for bad in [
        "@charset \"shift_jis\";\n\u{3042}",
        "# coding: us-ascii\n\u{E9}",
        "<meta http-equiv=content-type content='text/html; charset=koi8-r'>\u{434}",
        // The declaration itself is none in these.
        "<?xml version='1.0' encoding='utf-16'?><a/>",
        "<?xml version='1.0' encoding='cp037'?><a/>",
    ] {
        assert_eq!(ids(bad, &deny), ["wrong-declaration"], "{bad:?}");
    }
    for good in [
        "# coding: latin1\nx = 1\n",
        "<?xml version='1.0' encoding='UTF-8'?><a>\u{E9}</a>",
        "# -*- coding: utf-8-unix -*-\n\u{E9}",
        "# coding: klingon\n\u{E9}",
        "# coding: python\n\u{E9}",
        "# Encoding: latin1 and others\n\u{E9}",
        "<p>\u{E9} charset=latin1</p>",
    ] {
        assert!(ids(good, &deny).is_empty(), "{good:?}");
    }
}

#[test]
fn the_encoding_of_the_check_decides_about_declarations() {
    let check = |from: &str, input: &[u8]| {
        let mut command = validate();
        command.args(["-f", from, "--deny=wrong-declaration", "--allow=ill-formed"]);
        command.write_stdin(input).assert()
    };
    check("latin1", b"# coding: latin1\n\xE9").code(0);
    check("latin1", b"# coding: utf-8\n\xE9")
        .code(1)
        .stdout(contains("utf-8 is declared, but the text is iso-8859-1"));
    check("windows-1252", b"# coding: latin1\n\xE9").code(0);
    check("windows-1252", b"# coding: latin1\n\xE9 \x93").code(1);
    // In HTML and CSS, a label is what the WHATWG Encoding Standard says.
    check("windows-1252", b"<meta charset=iso-8859-1>\xE9 \x93").code(0);
    check("windows-874", b"@charset \"tis-620\";\xA1\x93").code(0);
    check("windows-1252", b"<?xml version='1.0' encoding='iso-8859-1'?>\xE9 \x93").code(1);
    check("utf-8n", b"# coding: utf-8\n\xC3\xA9").code(0);
    // It may be right: the text is no UTF-8.
    check("utf-8", b"# coding: latin1\n\xE9\n").code(0);
    let units = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>();
    check("utf-16le", &units("<?xml version='1.0' encoding='utf-16'?>\n<a>\u{E9}")).code(0);
    check("utf-16", &units("\u{FEFF}#coding=utf-8\n"))
        .code(1)
        .stdout(contains("-:1:19: byte 0x12 (18): utf-8 is declared"));
}

#[test]
fn findings_wait_for_the_character_that_decides_about_a_declaration() {
    let text = |nuls: usize, last: &str| {
        format!("# coding: latin1\n{}{}{last}\n", "\0".repeat(nuls), "a".repeat(300_000))
    };
    let ids = |text: &str| ids(text, &["--deny=wrong-declaration,nul"]);
    assert_eq!(ids(&text(2, "\u{E9}")), ["wrong-declaration", "nul", "nul"]);
    assert_eq!(ids(&text(2, "")), ["nul", "nul"]);
    // Not without a limit.
    assert_eq!(ids(&text(5000, "\u{E9}")), vec!["nul"; 5000]);
}

#[test]
fn spaces_of_braille_do_not_end_the_wait_for_a_declaration() {
    // The pages differ in A6 D9 alone. A slice of the text ends with the spaces: 81 37 D5 34.
    let start = b"# coding: gb18030\n\0\n";
    let spaces = b"\x81\x37\xD5\x34".repeat(4096);
    let filler = vec![b'\n'; (64 << 10) - start.len() - spaces.len()];
    let text = [start, &filler[..], &spaces, b"\x81\x37\xD5\x37\n\xA6\xD9\n"].concat();
    let options = ["-f", "gb18030-2005", "--deny=wrong-declaration,invisible,nul"];
    assert_eq!(ids(&text, &options), ["wrong-declaration", "nul"]);
}

#[test]
fn double_encoding_is_reported_with_its_reversal() {
    let text = "the caf\u{C3}\u{A9}\u{E2}\u{20AC}\u{2122}s\n\u{10D}: don\u{E2}\u{80}\u{99}t\n";
    validate().args(["--deny=mojibake"]).write_stdin(text).assert().code(1).stdout(
        "-:1:8: byte 0x7 (7): \"\u{C3}\u{A9}\u{E2}\u{20AC}\u{2122}\" is probably \"\u{E9}\u{2019}\" [mojibake]\n\
         -:2:8: byte 0x1C (28): \"\u{E2}\\u{0080}\\u{0099}\" is probably \"\u{2019}\" [mojibake]\n",
    );
    assert_eq!(ids(text, &["--deny=security,text"]), ["mojibake", "mojibake"]);
    validate()
        .args(["--deny=mojibake"])
        .write_stdin("it\u{92}s\n")
        .assert()
        .code(1)
        .stdout("-:1:3: byte 0x2 (2): \"\\u{0092}\" is probably \"\u{2019}\" [mojibake]\n");
    assert_eq!(
        ids(text, &["--deny=security", "--warn=mojibake"]),
        ["mojibake", "mojibake", "c1-control", "c1-control"]
    );
    for good in [
        "caf\u{E9} na\u{EF}vet\u{E9} \u{C0} l\u{2019}\u{C9}cole",
        "S\u{C3}O PAULO",
        "\u{43F}\u{440}\u{438}",
    ] {
        assert!(ids(good, &["--deny=mojibake"]).is_empty(), "{good:?}");
    }
    let units: Vec<u8> =
        "\n\u{434} caf\u{C3}\u{A9}\n".encode_utf16().flat_map(u16::to_be_bytes).collect();
    validate()
        .args(["-f", "utf-16be", "--deny=mojibake", "--format=tsv"])
        .write_stdin(units)
        .assert()
        .code(1)
        .stdout("12\t4\tmojibake\t2\t11\t00 C3 00 A9\t-\n");
}

#[test]
fn other_encodings_have_lints() {
    let text = "\u{FEFF}a\u{200B}\r\nb\n";
    let units: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    validate().args(["-f", "utf-16", "--deny=strict"]).write_stdin(units).assert().code(1).stdout(
        "-:1:5: byte 0x4 (4): U+200B ZERO WIDTH SPACE [invisible]\n\
         -:2:3: byte 0xC (12): line ends with LF, the first line with CR LF [mixed-line-ending]\n",
    );
    validate()
        .args(["-f", "latin1", "--deny=c1-control"])
        .write_stdin(b"\x92".as_slice())
        .assert()
        .code(1);
    validate()
        .args(["-f", "utf-7", "--deny=strict"])
        .write_stdin("")
        .assert()
        .code(2)
        .stderr(contains("lints cannot read utf-7"));
}

#[test]
fn a_range_has_the_lints_that_start_in_it() {
    let text = "a\u{200B}\nb\u{200B}";
    let ask = |options: &[&str]| ids(text, &[&["--deny=strict"], options].concat());
    assert_eq!(ask(&["--skip=2"]), ["invisible", "missing-final-newline"]);
    assert_eq!(ask(&["--length=6"]), ["invisible"]);
    assert_eq!(ask(&["-m1"]), ["invisible"]);
}

#[test]
fn every_document_tells_warnings_from_errors() {
    let dir = Dir::of(&[("w", "a\u{200B}\n".as_bytes()), ("e", b"a\0\n")]);
    for format in FORMATS.iter().filter(|row| row.document.is_some()) {
        let args = ["--format", format.name, "--warn=invisible", "--deny=nul", "w", "e"];
        let run = dir.validate().args(args).assert().code(1);
        let report = String::from_utf8_lossy(&run.get_output().stdout).into_owned();
        let (warning, error) = match format.name {
            "github" => {
                ("::warning title=utf8 (invisible),file=w", "::error title=utf8 (nul),file=e")
            }
            "gitlab" => ("\"severity\":\"minor\"", "\"severity\":\"major\""),
            "sarif" => ("\"level\":\"warning\"", "\"level\":\"error\""),
            "junit" => ("failures=\"0\" errors=\"0\">", "failures=\"1\" errors=\"0\">"),
            "checkstyle" => ("severity=\"warning\"", "severity=\"error\""),
            "rdjson" => ("\"severity\":\"WARNING\"", "\"severity\":\"ERROR\""),
            "html" => ("invisible", "nul"),
            name => panic!("{name}: a new format needs a case"),
        };
        assert!(report.contains(warning) && report.contains(error), "{report}");
    }
}

#[test]
fn the_list_describes_every_lint() {
    let run = validate().args(["--list-lints", "--format=json"]).assert().code(0);
    let listed = objects(&run.get_output().stdout);
    let listed: Vec<_> = listed.iter().map(|lint| lint["id"].as_str().unwrap()).collect();
    let known: Vec<_> = LINTS.iter().map(|row| row.id).collect();
    assert_eq!(listed, known);
    let run = validate().args(["--list-lints"]).assert().code(0);
    let list = String::from_utf8_lossy(&run.get_output().stdout).into_owned();
    for row in LINTS {
        let is_listed = |line: &str| {
            let (name, title) = line.split_once("  ").unwrap_or_default();
            name.trim_end_matches('*') == row.id && title.trim_start() == row.title
        };
        assert!(list.lines().any(is_listed), "{}", row.id);
    }
    assert!(list.lines().all(|line| line.len() <= 100), "{list}");
    validate().args(["--list-lints=nul"]).assert().code(0).stdout(
        contains("--allow nul").and(contains("security, strict, net-unicode, postgres, xml")),
    );
}

#[test]
fn unknown_names_and_characters_are_errors() {
    let stderr = |args: &[&str], message: &'static str| {
        validate().args(args).write_stdin("").assert().code(2).stderr(contains(message));
    };
    stderr(&["--deny=invisble"], "did you mean invisible?");
    stderr(&["--deny=zzz"], "--list-lints lists them");
    stderr(&["--list-lints=stric"], "did you mean strict?");
    stderr(&["--list-lints=ill-formed"], "names ill-formed text");
    stderr(&["--allow-char=A"], "expected a code point or a range: U+00A0 or U+2010..U+2015");
    stderr(&["--allow-char=U+20..U+1F"], "the range is empty");
    stderr(&["--allow-char=U+110000"], "expected a code point");
    stderr(&["--deny=nul", "--format=lines"], "leave out the lints");
}

#[test]
fn a_character_has_the_highest_level_of_its_lints() {
    let dir = Dir::of(&[("a", "b\u{202E}c\n".as_bytes())]);
    // In directories, bidi-unpaired is a warning by default.
    dir.validate().args(["--deny=bidi-control", "."]).assert().code(1).stdout(
        "a:1:2: byte 0x1 (1): U+202E RIGHT-TO-LEFT OVERRIDE is not closed in its line \
         [bidi-unpaired]\n",
    );
}

#[test]
fn full_shows_the_row_of_a_match_that_was_decided_late() {
    for distance in [10, 60, 1000, 100_000] {
        let text = format!("{}\u{202E}{}\n", "a".repeat(64), "b".repeat(distance));
        let run = validate().args(["--format=full", "--deny=security"]).write_stdin(text).assert();
        let report = String::from_utf8(run.get_output().stdout.clone()).unwrap();
        assert!(report.contains("  00000040  E2 80 AE 62 62 62"), "{distance}: {report}");
    }
}

#[test]
fn the_mark_of_code_units_is_no_finding() {
    for (codec, text, status) in [
        ("utf-16", b"\xFE\xFF\0a\0\n".as_slice(), 0),
        ("utf-16le", b"\xFF\xFEa\0\n\0", 0),
        ("utf-32be", b"\0\0\xFE\xFF\0\0\0\n", 0),
        ("cesu-8", b"\xEF\xBB\xBFa\n", 1),
        ("utf-8", b"\xEF\xBB\xBFa\n", 1),
    ] {
        validate().args(["-qf", codec, "--deny=strict"]).write_stdin(text).assert().code(status);
    }
}

/// A range of a stream has the findings that it has in a file, of which nothing else is read.
#[test]
fn a_range_has_the_same_findings_in_a_file_and_a_stream() {
    const PARTS: [&str; 12] = [
        "\n",
        "a",
        "\r\n",
        "\u{202E}",
        "\u{202C}",
        "e\u{301}",
        "\u{200B}",
        "utf8:allow(invisible)",
        "\u{FEFF}",
        "\u{C3}\u{A9}",
        "utf8:allow-file(bidi-control)",
        "\u{E0067}",
    ];
    let mut rng = Rng::new(26);
    for _ in 0..200 {
        let text: String = (0..1 + rng.below(20)).map(|_| rng.pick(&PARTS)).collect();
        let text = [text.as_bytes(), if rng.one_in(4) { b"\xFFb" } else { b"" }].concat();
        let (skip, length) = (rng.below(text.len() + 1), 1 + rng.below(text.len()));
        let dir = Dir::of(&[("-", &text)]);
        let options = [format!("--skip={skip}"), format!("--length={length}")];
        let run = |command: &mut assert_cmd::Command| {
            command.args(["--deny=strict,text", "--format=tsv"]).args(&options);
            String::from_utf8(command.output().unwrap().stdout).unwrap()
        };
        let file = run(dir.validate().arg("./-")).replace("./-", "-");
        let stream = run(dir.validate().write_stdin(&*text));
        assert_eq!(file, stream, "{} {options:?}", text.escape_ascii());
        let unmapped = run(dir.validate().args(["--mmap=never", "./-"])).replace("./-", "-");
        assert_eq!(unmapped, stream, "{} {options:?}", text.escape_ascii());
    }
}
