//! Reports of `utf8 repair --check` as documents.

use std::fs;

use predicates::str::{contains, is_empty};
use serde_json::{Value, json};

use utf8::report::FORMATS;

use crate::common::bin::{Dir, run};

fn check(dir: &Dir, args: &[&str]) -> assert_cmd::Command {
    let mut command = run(&["repair", "--check"]);
    command.current_dir(dir.path("")).args(args);
    command
}

/// Returns the results of a SARIF report on standard output.
fn results(dir: &Dir, args: &[&str], status: i32) -> Vec<Value> {
    let run = check(dir, &[&["--format", "sarif"], args].concat()).assert().code(status);
    let sarif: Value = serde_json::from_slice(&run.get_output().stdout).unwrap();
    sarif["runs"][0]["results"].as_array().unwrap().clone()
}

fn region(result: &Value) -> &Value {
    &result["locations"][0]["physicalLocation"]["region"]
}

#[test]
fn each_change_is_a_finding_with_its_place() {
    let dir = Dir::of(&[("a.txt", b"a\xFF\r\n\xC3\xA9\xC0\xAFx\r\n"), ("good.txt", b"good\n")]);
    let results = results(&dir, &["--shorten-overlong", "--newlines=lf", "a.txt", "good.txt"], 1);
    let found: Vec<_> = results
        .iter()
        .map(|result| {
            assert_eq!(result["ruleId"], "needs-repair");
            (result["message"]["text"].as_str().unwrap(), region(result))
        })
        .collect();
    let place = |line: u64, [start, end]: [u64; 2], offset: u64, length: u64| {
        json!({"startLine": line, "startColumn": start, "endColumn": end,
               "byteOffset": offset, "byteLength": length})
    };
    assert_eq!(
        found,
        [
            ("repair replaces FF with EF BF BD (on-error)", &place(1, [2, 3], 1, 1)),
            ("repair replaces 0D 0A with 0A (newlines)", &place(1, [3, 4], 2, 2)),
            // Each maximal subpart is a column.
            ("repair replaces C0 AF with 2F (shorten-overlong)", &place(2, [2, 4], 6, 2)),
            ("repair replaces 0D 0A with 0A (newlines)", &place(2, [5, 6], 9, 2)),
        ]
    );
    assert_eq!(fs::read(dir.path("a.txt")).unwrap(), b"a\xFF\r\n\xC3\xA9\xC0\xAFx\r\n");
}

#[test]
fn insertions_and_removals_are_named() {
    let dir = Dir::of(&[("a.txt", b"\xEF\xBB\xBFa"), ("b.txt", b"b")]);
    let message = |args: &[&str]| results(&dir, args, 1)[0]["message"]["text"].clone();
    assert_eq!(message(&["--bom=remove", "a.txt"]), "repair removes EF BB BF (bom)");
    assert_eq!(message(&["--bom=add", "b.txt"]), "repair inserts EF BB BF (bom)");
}

#[test]
fn an_ill_formed_sequence_that_no_option_treats_is_a_finding() {
    let dir = Dir::of(&[("a.txt", b"\xC3\xA9\n\xC3\xA9\xFFb\xFF")]);
    let results = results(&dir, &["-i", "a.txt"], 1);
    assert_eq!(results.len(), 1);
    assert_eq!(results[0]["ruleId"], "invalid-fe-ff");
    let place = json!({"startLine": 2, "startColumn": 2, "endColumn": 3, "byteOffset": 5,
                       "byteLength": 1});
    assert_eq!(region(&results[0]), &place);
}

#[test]
fn places_are_those_of_the_encoding() {
    // In UTF-16, 0A is part of U+010A, and a line end has two bytes.
    let text: Vec<u8> = "\u{10A}\n\u{10A}\r\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let dir = Dir::of(&[("a.txt", &text)]);
    let results = results(&dir, &["-f", "utf-16le", "--newlines=lf", "a.txt"], 1);
    let place = json!({"startLine": 2, "startColumn": 2, "endColumn": 3, "byteOffset": 6,
                       "byteLength": 4});
    assert_eq!(region(&results[0]), &place);
}

#[test]
fn standard_input_has_offsets_only() {
    let dir = Dir::new();
    check(&dir, &["--format=checkstyle"])
        .write_stdin(&b"a\n\xFF"[..])
        .assert()
        .code(1)
        .stdout(contains("<error severity=\"error\" message=\"byte 0x2 (2): repair replaces FF"));
}

#[test]
fn a_file_has_at_most_1000_findings() {
    let dir = Dir::of(&[("a.txt", &b"a\r\n".repeat(1234))]);
    let run = check(&dir, &["--newlines=lf", "--format=gitlab", "a.txt"]).assert().code(1);
    let entries: Value = serde_json::from_slice(&run.get_output().stdout).unwrap();
    let entries = entries.as_array().unwrap();
    assert_eq!(entries.len(), 1001);
    assert_eq!(entries[1000]["description"], "234 more");
}

#[test]
fn every_document_reports_directories() {
    let dir = Dir::of(&[("a.txt", b"a\xFF"), ("wide.txt", b"\xFF\xFEa\0"), ("good", b"good")]);
    for row in FORMATS.iter().filter(|row| row.document.is_some()) {
        let (file, standard) = (format!("{0}=.{0}", row.name), format!("--format={}", row.name));
        let args = ["-i", "-r", "--exclude=.*", "--format", &file, &standard, "."];
        let run = check(&dir, &args).assert().code(1);
        let report = String::from_utf8(run.get_output().stdout.clone()).unwrap();
        assert!(report.contains("a.txt") && report.contains("not-utf-8"), "{report}");
        assert_eq!(fs::read_to_string(dir.path(format!(".{}", row.name))).unwrap(), report);
    }
}

#[test]
fn github_has_each_finding_once() {
    let dir = Dir::of(&[("a.txt", b"a\xFF"), ("wide.txt", b"\xFF\xFEa\0")]);
    check(&dir, &["-i", "a.txt", "--format=github"])
        .assert()
        .code(1)
        .stdout(
            "a.txt:1:2: byte 0x1 (1): byte FF starts no sequence [invalid-fe-ff]\n\
             ::error title=utf8 (invalid-fe-ff),file=a.txt,line=1,col=2::\
             a.txt:1:2: byte FF starts no sequence\n",
        )
        .stderr(is_empty());
}

#[test]
fn unreadable_files_are_errors_of_reports() {
    let dir = Dir::of(&[("good.txt", b"good\n")]);
    let args = ["good.txt", "none", "--format=junit", "--exit-zero"];
    let run = check(&dir, &args).assert().code(2);
    let report = String::from_utf8(run.get_output().stdout.clone()).unwrap();
    assert!(report.contains("<testcase classname=\"utf8.repair\" name=\"good.txt\"/>"), "{report}");
    assert!(report.contains("<error type=\"unreadable-input\""), "{report}");
}

#[test]
fn findings_can_be_reported_with_status_0() {
    let dir = Dir::of(&[("a.txt", b"a\xFF")]);
    check(&dir, &["--exit-zero", "a.txt"]).assert().success().stdout("a.txt\n");
    run(&["repair", "--exit-zero"])
        .write_stdin("a")
        .assert()
        .code(2)
        .stderr("utf8: --exit-zero needs --check\n");
}

#[test]
fn the_variable_sets_the_format_of_dry_runs_only() {
    let dir = Dir::of(&[("a.txt", b"a\xFF")]);
    let with = |format: &str, args: &[&str]| {
        let mut command = run(&[&["repair"], args].concat());
        command.current_dir(dir.path("")).env("UTF8_FORMAT", format);
        command
    };
    with("rdjson", &["--check", "a.txt"]).assert().code(1).stdout(contains("\"needs-repair\""));
    with("rdjson", &["a.txt"]).assert().success().stdout("a\u{FFFD}");
    with("tsv", &["--check", "a.txt"]).assert().code(1).stdout("a.txt\n");
}

#[test]
fn a_quiet_dry_run_writes_the_report_that_names_standard_output() {
    let dir = Dir::of(&[("a.txt", b"a\xFF")]);
    let check = |option: &str, format: &str| {
        let args = ["repair", "--check", option, format, "a.txt"];
        run(&args).current_dir(dir.path("")).assert().code(1).get_output().stdout.clone()
    };
    for format in ["text", "sarif", "junit"] {
        let loud = check("--color=never", &format!("--format={format}"));
        assert_eq!(check("-q", &format!("--format={format}=-")), loud, "{format}");
        assert!(!loud.is_empty());
    }
}

#[test]
fn combinations_without_a_meaning_are_errors() {
    let dir = Dir::of(&[("a.txt", b"a\xFF")]);
    for (args, message) in [
        (&["repair", "--format=sarif"][..], "--format sarif needs --check"),
        (&["repair", "--format=sarif=o"], "--format sarif needs --check"),
        (&["repair", "--check", "--format=json=o"], "goes to standard output only"),
        (&["repair", "--check", "--format=full"], "expected text, json, github, gitlab, sarif,"),
        (
            &["repair", "--check", "-q", "--format=html"],
            "--quiet cannot be used with --format html",
        ),
        (
            &["repair", "--check", "--format=json", "--format=html=-"],
            "standard output: two reports",
        ),
        (&["decode", "--check", "--format=sarif"], "--format sarif: expected text or json"),
    ] {
        let args = [args, &["a.txt"]].concat();
        run(&args).current_dir(dir.path("")).assert().code(2).stderr(contains(message));
    }
    assert!(!dir.path("o").exists());
}
