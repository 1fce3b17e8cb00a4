//! Limits, counts, lists of files and statistics: `--max-errors`, `--count`, `-l`, `-L`, `--stats`, `-q`, `-v`.

use predicates::prelude::*;
use predicates::str::contains;
use serde_json::json;

use crate::common::bin::{Dir, Piped, hex, json, lines, objects, raw_validate, utf8, validate};

pub fn three() -> Dir {
    Dir::of(&[("bad", b"\xFFx\xFF\n\xC0"), ("good", b"a"), ("worse", &[0xFF; 1000])])
}

#[test]
fn max_errors_stops_a_file_and_reports_it() {
    let out = three().validate().args(["-m", "1", "bad", "good", "worse"]).assert().code(1);
    let out = out.stdout(lines(&[
        "bad:1:1: byte 0x0 (0): byte FF starts no sequence [invalid-fe-ff]",
        "worse:1:1: byte 0x0 (0): byte FF starts no sequence [invalid-fe-ff]",
    ]));
    out.stderr(
        contains("bad: stopped after 1 ill-formed sequence")
            .and(contains("worse: stopped after 1 ill-formed sequence"))
            .and(contains("good").not()),
    );
}

#[test]
fn max_errors_counts_findings_and_not_faults() {
    let out = json("C0 AF C0 AF", &["-m", "3", "--segments", "byte"]);
    assert_eq!(out.len(), 4);
    assert_eq!((&out[3]["findings"], &out[3]["stopped"]), (&json!(3), &json!(true)));
}

#[test]
fn max_errors_above_the_number_changes_nothing() {
    let dir = three();
    let whole = dir.validate().arg("bad").assert().code(1);
    let whole = String::from_utf8(whole.get_output().stdout.clone()).unwrap();
    dir.validate()
        .args(["-m", "4", "bad"])
        .assert()
        .code(1)
        .stdout(whole)
        .stderr("bad: 3 ill-formed sequences in 5 bytes; next: utf8 detect --format long bad\n");
}

#[test]
fn count_is_a_number_for_one_file() {
    three().validate().args(["-c", "bad"]).assert().code(1).stdout("3\n").stderr("");
    three().validate().args(["-c", "good"]).assert().code(0).stdout("0\n").stderr("");
    validate().arg("-c").write_stdin(&b"\xFF"[..]).assert().code(1).stdout("1\n");
}

#[test]
fn count_names_each_of_several_files() {
    let expected = "bad:3\ngood:0\nworse:1000\n";
    let dir = three();
    dir.validate()
        .args(["-c", "bad", "good", "worse"])
        .assert()
        .code(1)
        .stdout(expected)
        .stderr("");
    dir.write("list", "bad\n");
    dir.validate().args(["-c", "--files-from", "list"]).assert().code(1).stdout("bad:3\n");
}

#[test]
fn count_with_null_ends_names_with_nul() {
    let expected = "bad\x003\ngood\x000\n";
    three().validate().args(["-c0", "bad", "good"]).assert().code(1).stdout(expected);
}

#[test]
fn count_of_json_is_the_summaries() {
    let out = three().validate().args(["-c", "--format", "json", "bad", "good"]).assert().code(1);
    let objects = objects(&out.get_output().stdout);
    let brief =
        |o: &serde_json::Value| (o["type"].clone(), o["path"].clone(), o["findings"].clone());
    assert_eq!(brief(&objects[0]), (json!("summary"), json!("bad"), json!(3)));
    assert_eq!(brief(&objects[1]), (json!("summary"), json!("good"), json!(0)));
    assert_eq!(objects.len(), 2);
}

#[test]
fn count_of_tsv_is_a_number() {
    hex("C0 AF", &["-c", "--format", "tsv"]).code(1).stdout("1\n");
}

#[test]
fn files_with_errors_are_named_alone() {
    let mut command = three();
    let run = |args: &[&str], expected: &'static str, dir: &mut Dir| {
        dir.validate()
            .args(args)
            .args(["bad", "good", "worse"])
            .assert()
            .code(1)
            .stdout(expected)
            .stderr("");
    };
    run(&["-l"], "bad\nworse\n", &mut command);
    run(&["--files-with-errors"], "bad\nworse\n", &mut command);
    run(&["-L"], "good\n", &mut command);
    run(&["--files-without-errors"], "good\n", &mut command);
    run(&["-l", "-0"], "bad\0worse\0", &mut command);
    run(&["-L0"], "good\0", &mut command);
}

#[test]
fn a_list_of_no_files_is_empty() {
    three().validate().args(["-l", "good"]).assert().code(0).stdout("");
    three().validate().args(["-L", "bad"]).assert().code(1).stdout("");
}

#[test]
fn unreadable_files_are_in_neither_list() {
    for which in ["-l", "-L"] {
        let out = three().validate().args([which, "missing"]).assert().code(2);
        out.stdout("").stderr(contains("utf8: missing: No such file or directory"));
    }
}

#[test]
fn lists_escape_names_unless_nul_ends_them() {
    let dir = Dir::of(&[("a\nb", b"\xFF")]);
    dir.validate().args(["-l", "a\nb"]).assert().code(1).stdout("a\\x0Ab\n");
    dir.validate().args(["-l0", "a\nb"]).assert().code(1).stdout("a\nb\0");
}

// --stats, -q, -v

#[test]
fn stats_are_bytes_lines_code_points_bom_and_kinds() {
    hex("EF BB BF 41 0A C3 A9 0A 42 80 80", &["--stats"]).code(1).stderr(
        contains("11 bytes")
            .and(contains("3 lines"))
            .and(contains("BOM"))
            .and(contains("6 code points"))
            .and(contains("4 of 1 byte"))
            .and(contains("1 of 2 bytes"))
            .and(contains("1 of 3 bytes"))
            .and(contains("2 lone-continuation")),
    );
}

/// U+FEFF is a BOM in any spelling, after shift sequences, too.
#[test]
fn a_bom_is_one_however_it_is_spelt() {
    for (codec, text, bom) in [
        ("utf-7", "+/v8-a", true),
        ("utf-7", "+/v8AYQ", true),
        ("utf-7", "+AGH+/w-", false),
        ("utf-7", "a+/v8-", false),
        ("utf-7", "\\+/v8-", false),
        ("utf-7-imap", "&,v8-a", true),
        ("code-points", " \n U+FEFF U+41", true),
        ("code-points", " U+41 U+FEFF", false),
        ("json", "\\uFEFFa", true),
        ("html", "&#xFEFF;", true),
        ("percent", "%EF%BB%BFa", true),
        ("utf-8", "\u{FEFF}a", true),
        ("utf-8-bom", "\u{FEFF}", true),
        ("latin1", "\u{FEFF}", false),
    ] {
        let args = ["-f", codec, "--stats", "--format", "json"];
        let piped = validate().args(args).write_stdin(text).assert();
        let summary = objects(&piped.get_output().stdout).pop().unwrap();
        assert_eq!(summary["bom"], bom, "{codec} {text:?}");
        let mut slow = Piped::new(raw_validate().args(args));
        for byte in text.bytes() {
            slow.write(&[byte]);
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
        let (_, told, _) = slow.end();
        assert_eq!(objects(told.as_bytes()).pop().unwrap()["bom"], bom, "{codec} {text:?}");
    }
    // A sequence is in the range that it starts in.
    for (length, bom) in [("1", false), ("2", true)] {
        let args = ["-f", "utf-7", "-n", length, "--format", "json", "-e", "+/v8-a"];
        let out = validate().args(args).assert();
        assert_eq!(objects(&out.get_output().stdout).pop().unwrap()["bom"], bom, "{length}");
    }
}

#[test]
fn stats_are_given_of_good_files_too() {
    validate()
        .arg("--stats")
        .write_stdin("a\n")
        .assert()
        .code(0)
        .stdout("")
        .stderr(contains("2 bytes, 1 line, no BOM").and(contains("2 code points")));
}

#[test]
fn quiet_prints_nothing_and_stops_at_the_first_fault() {
    let dir = three();
    dir.validate().args(["-q", "good"]).assert().code(0).stdout("").stderr("");
    dir.validate().args(["-q", "bad", "missing"]).assert().code(1).stdout("").stderr("");
}

#[test]
fn quiet_reports_unreadable_files() {
    let out = three().validate().args(["-q", "missing"]).assert().code(2).stdout("");
    out.stderr(contains("utf8: missing: No such file or directory"));
}

#[test]
fn verbose_reports_valid_files() {
    three().validate().args(["-v", "good", "bad"]).assert().code(1).stderr(
        "good: valid, 1 byte\n\
         bad: 3 ill-formed sequences in 5 bytes; next: utf8 detect --format long bad\n",
    );
}

/// ASCII in UTF-16 is valid UTF-8 with NULs.
#[test]
fn a_valid_file_that_looks_like_utf_16_is_told() {
    let wide: Vec<u8> = "hello, world\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let dir = Dir::of(&[("wide", &wide), ("nul", b"a\0b"), ("text", b"a\n")]);
    let said = |args: &[&str]| {
        let out = dir.validate().args(args).assert().code(0);
        String::from_utf8(out.get_output().stderr.clone()).unwrap()
    };
    let note = "wide: looks like utf-16le (utf8 validate -f utf-16le wide)\n";
    assert_eq!(said(&["wide"]), note);
    assert_eq!(said(&["text", "wide"]), note);
    let piped = dir.validate().write_stdin(wide.clone()).assert().code(0);
    piped.stderr("-: looks like utf-16le (utf8 validate -f utf-16le)\n");
    for args in [
        &["nul"][..],
        &["text"],
        &["-q", "wide"],
        &["-f", "utf-16le", "wide"],
        &["-s", "2", "wide"],
    ] {
        assert_eq!(said(args), "", "{args:?}");
    }
}

#[test]
fn valid_files_are_not_reported() {
    three().validate().arg("good").assert().code(0).stdout("").stderr("");
}

#[test]
fn summaries_come_in_text_and_full_alone() {
    let dir = three();
    let summary = "bad: 3 ill-formed sequences in 5 bytes; next: utf8 detect --format long bad\n";
    for (format, said) in [("text", summary), ("full", summary), ("json", ""), ("tsv", "")] {
        dir.validate().args(["--format", format, "bad"]).assert().code(1).stderr(said);
    }
}

/// The last line has the command that `detect` names, or that command.
#[test]
fn ill_formed_utf8_has_a_next_command() {
    let german = "größer und schöner, größer und schöner\n";
    let stray = [german.as_bytes(), b"und \xFCber\n"].concat();
    let cut = [german.as_bytes(), "schön".as_bytes()].concat();
    let cesu = [german.as_bytes(), b"\xED\xA0\xBD\xED\xB8\x80\n"].concat();
    let hidden = b"GET /..\xC0\xAF..\xC0\xAFetc/passwd\n";
    let long = [german.repeat(2000).as_bytes(), b"\xFCber\n"].concat();
    let dir = Dir::of(&[
        ("stray", &stray),
        ("cut", &cut[..cut.len() - 2]),
        ("cesu", &cesu),
        ("hidden", hidden),
        ("long", &long),
        ("good", german.as_bytes()),
    ]);
    let last = |args: &[&str]| {
        let out = dir.validate().args(args).assert().code(1);
        let said = String::from_utf8(out.get_output().stderr.clone()).unwrap();
        said.lines().last().unwrap_or_default().to_owned()
    };
    for (name, next) in [
        ("stray", "utf8 repair --fallback windows-1252 stray"),
        ("cesu", "utf8 repair --join-surrogates cesu"),
        // Text behind the first block may have other damage.
        ("long", "utf8 detect --format long long"),
    ] {
        let line = last(&[name]);
        assert!(line.ends_with(&format!(" bytes; next: {next}")), "{line}");
        let told =
            utf8().current_dir(dir.path("")).args(["detect", "--format", "long", name]).output();
        let told = String::from_utf8(told.unwrap().stdout).unwrap();
        assert!(name == "long" || told.contains(next), "{told}");
    }
    // A repair would write the path that an attack hides.
    assert_eq!(last(&["hidden"]), "hidden: 2 ill-formed sequences in 24 bytes");
    // Of several inputs, one command is enough.
    let first = "next: utf8 detect --format long ";
    assert_eq!(last(&["good", "cut"]), format!("cut: {first}cut"));
    for args in [&["good", "stray", "cut"][..], &["-j4", "good", "stray", "cut"]] {
        assert_eq!(last(args), format!("total: 2 files are ill-formed; {first}stray"));
    }
    // With -v, each has a line for its own.
    let out = dir.validate().args(["-v", "stray", "cut", "hidden"]).assert().code(1);
    let said = String::from_utf8(out.get_output().stderr.clone()).unwrap();
    for (line, name) in said.lines().zip(["stray", "cut", "hidden"]) {
        let is_of_file = line.starts_with(&format!("{name}: ")) && line.contains(" ill-formed ");
        assert!(is_of_file && line.ends_with(&format!("; {first}{name}")), "{said}");
    }
    assert_eq!(said.lines().count(), 3);
    // A file in another encoding, which has advice of its own, is one of them.
    std::fs::write(dir.path("page"), b"caf\xE9 na\xEFve r\xE9sum\xE9 d\xE9j\xE0 vu\n").unwrap();
    assert_eq!(last(&["page", "cut"]), format!("total: 2 files are ill-formed; {first}page"));
    for quiet in ["-q", "-c", "-l", "--format=json", "--format=tsv"] {
        assert!(!last(&[quiet, "stray"]).contains("next: "), "{quiet}");
    }
    // A range or an option is no file to repair.
    assert!(!last(&["-xe", "FF", "-e", "FE"]).contains("next: "));
    assert!(!last(&["-n", "60", "stray"]).contains("next: "));
    assert!(!last(&["-f", "cesu-8", "stray"]).contains("next: "));
}
