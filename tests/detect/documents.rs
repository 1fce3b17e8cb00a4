//! Reports of `utf8 detect --expect` as documents.

use predicates::str::{contains, is_empty};
use serde_json::{Value, json};

use utf8::report::FORMATS;

use crate::common::bin::{Dir, objects, run};

const LATIN: &[u8] = b"Le caf\xE9 cr\xE8me est tr\xE8s go\xFBt\xE9\n";

fn dir() -> Dir {
    Dir::of(&[
        ("good.txt", "déjà\n".as_bytes()),
        ("latin.txt", LATIN),
        ("wide.txt", b"\xFF\xFEa\0"),
    ])
}

fn detect(dir: &Dir, args: &[&str]) -> assert_cmd::Command {
    let mut command = run(&["detect"]);
    command.current_dir(dir.path("")).args(args);
    command
}

/// Returns the report of the directory on standard output.
fn report(dir: &Dir, args: &[&str]) -> Vec<u8> {
    let args = [&["--expect", "utf-8", "."], args].concat();
    detect(dir, &args).assert().code(1).get_output().stdout.clone()
}

#[test]
fn sarif_has_a_result_for_each_unexpected_file() {
    let sarif: Value = serde_json::from_slice(&report(&dir(), &["--format", "sarif"])).unwrap();
    let run = &sarif["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    assert!(rules.iter().any(|rule| rule["id"] == "unexpected-encoding"));
    let results = run["results"].as_array().unwrap();
    let found: Vec<_> = results
        .iter()
        .map(|result| {
            assert_eq!(result["ruleId"], "unexpected-encoding");
            let place = &result["locations"][0]["physicalLocation"];
            assert_eq!(place["region"]["startLine"], 1);
            (&result["message"]["text"], &place["artifactLocation"]["uri"])
        })
        .collect();
    let latin = json!("is windows-1252, not utf-8");
    let wide = json!("is utf-16 with a BOM, not utf-8");
    assert_eq!(found, [(&latin, &json!("latin.txt")), (&wide, &json!("wide.txt"))]);
}

#[test]
fn documents_have_every_unexpected_file_whatever_the_number_of_jobs() {
    let dir = dir();
    for row in FORMATS.iter().filter(|row| row.document.is_some()) {
        let one = report(&dir, &["--format", row.name, "-j1"]);
        let text = String::from_utf8(one.clone()).unwrap();
        assert!(text.contains("latin.txt") && text.contains("wide.txt"), "{text}");
        assert_eq!(report(&dir, &["--format", row.name, "-j8"]), one, "{}", row.name);
    }
}

#[test]
fn several_reports_go_to_files() {
    let dir = dir();
    let formats = ["--format=junit=a.xml", "--format=json=a.json", "--format=long=a.txt"];
    let args = [&["--expect=utf-8", "latin.txt", "good.txt", "none"], &formats[..]].concat();
    detect(&dir, &args)
        .assert()
        .code(2)
        .stdout("latin.txt: windows-1252\ngood.txt: utf-8\n")
        .stderr(contains("utf8: latin.txt: is windows-1252, not utf-8\n"));
    let read = |name: &str| std::fs::read(dir.path(name)).unwrap();
    let junit = String::from_utf8(read("a.xml")).unwrap();
    assert_eq!(junit.matches("classname=\"utf8.detect\"").count(), 3);
    assert_eq!(junit.matches("<failure").count(), 1);
    assert_eq!(junit.matches("<error").count(), 1);
    let answers = objects(&read("a.json"));
    let types: Vec<_> = answers.iter().map(|answer| answer["type"].as_str().unwrap()).collect();
    assert_eq!(types, ["encoding", "encoding", "trouble"]);
    assert!(answers[0]["size"].is_number());
    assert!(String::from_utf8(read("a.txt")).unwrap().starts_with("latin.txt: windows-1252 ("));
    // Quiet runs write their files, too, and read all inputs.
    let args = [&["-q", "--expect=utf-8", "."], &formats[..1]].concat();
    detect(&dir, &args).assert().code(1).stdout(is_empty()).stderr(is_empty());
    assert_eq!(String::from_utf8(read("a.xml")).unwrap().matches("<failure").count(), 2);
}

#[test]
fn github_has_each_difference_once() {
    let dir = dir();
    detect(&dir, &["--expect=utf-8", "--format=github", "latin.txt"])
        .assert()
        .code(1)
        .stdout(
            "latin.txt:1:1: byte 0x0 (0): is windows-1252, not utf-8 [unexpected-encoding]\n\
             ::error title=utf8 (unexpected-encoding),file=latin.txt,line=1,col=1::\
             latin.txt:1:1: is windows-1252, not utf-8\n",
        )
        .stderr(is_empty());
}

#[test]
fn the_variable_sets_the_format_of_reports_only() {
    let dir = dir();
    let mut command = detect(&dir, &["latin.txt"]);
    command.env("UTF8_FORMAT", "sarif").assert().success().stdout("windows-1252\n");
    let mut command = detect(&dir, &["--expect=utf-8", "latin.txt"]);
    command.env("UTF8_FORMAT", "sarif").assert().code(1).stdout(contains("unexpected-encoding"));
    // Formats of other commands have no effect; a word that is none is an error.
    let mut command = detect(&dir, &["--expect=utf-8", "latin.txt"]);
    command.env("UTF8_FORMAT", "full").assert().code(1).stdout("windows-1252\n");
    let mut command = detect(&dir, &["--expect=utf-8", "latin.txt"]);
    command.env("UTF8_FORMAT", "fulll").assert().code(2).stderr(contains("no format 'fulll'"));
}

#[test]
fn findings_can_be_reported_with_status_0() {
    let dir = dir();
    let args = ["--expect=utf-8", "--exit-zero", "--format=sarif", "latin.txt"];
    detect(&dir, &args).assert().success().stdout(contains("\"ruleId\":\"unexpected-encoding\""));
    detect(&dir, &[&args[..], &["none"]].concat()).assert().code(2);
}

#[test]
fn combinations_without_a_meaning_are_errors() {
    let dir = dir();
    for (args, message) in [
        (&["--format=sarif"][..], "--format sarif needs --expect"),
        (&["--format=sarif=o"], "--format sarif needs --expect"),
        (&["--regions", "--format=json=o"], "--regions needs --format plain or json"),
        (&["--regions", "--format=mime"], "--regions needs --format plain or json"),
        (&["--format=full"], "--format full: expected plain, long, json, mime, github,"),
        (&["-q", "--expect=utf-8", "--format=junit"], "--quiet cannot be used with --format junit"),
        (&["--format=plain", "--format=json=-"], "standard output: two reports"),
    ] {
        detect(&dir, &[args, &["latin.txt"]].concat()).assert().code(2).stderr(contains(message));
    }
    assert!(!dir.path("o").exists());
}

#[test]
fn a_quiet_run_writes_the_report_that_names_standard_output() {
    let dir = dir();
    for (format, options) in
        [("json", &["latin.txt"][..]), ("junit", &["--expect=utf-8", "latin.txt"])]
    {
        let report = |options: &[&str]| detect(&dir, options).assert().get_output().stdout.clone();
        let loud = report(&[&["--format", format], options].concat());
        let named = format!("--format={format}=/dev/stdout");
        assert_eq!(report(&[&["-q", &named], options].concat()), loud, "{format}");
        assert!(!loud.is_empty());
    }
}
