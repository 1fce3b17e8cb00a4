//! Reports that are one document: for code hosts, test viewers and browsers.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;

use predicates::str::contains;
use serde_json::{Value, json};

use utf8::report::FORMATS;

use crate::common::bin::Dir;
use crate::common::peer::python;

/// Returns the name of every format that is a document.
fn documents() -> impl Iterator<Item = &'static str> {
    FORMATS.iter().filter(|row| row.document.is_some()).map(|row| row.name)
}

/// A directory with a faulty file, a good one, and the arguments that name them and a missing one.
fn dir() -> (Dir, [&'static str; 3]) {
    let dir = Dir::of(&[("bad.txt", b"a\xFF\n\xC3\xA9\xC0\xAF"), ("good.txt", b"a\n")]);
    (dir, ["./bad.txt", "good.txt", "none"])
}

/// Returns the report of the files.
fn report(dir: &Dir, format: &str, files: &[&str], status: i32) -> String {
    let run = dir.validate().args(["--format", format]).args(files).assert().code(status);
    String::from_utf8(run.get_output().stdout.clone()).unwrap()
}

fn object(report: &str) -> Value {
    serde_json::from_str(report).unwrap()
}

#[test]
fn sarif_has_a_run_with_rules_results_and_notifications() {
    let (dir, files) = dir();
    let sarif = object(&report(&dir, "sarif", &files, 2));
    assert_eq!(sarif["version"], "2.1.0");
    let run = &sarif["runs"][0];
    assert_eq!(run["columnKind"], "unicodeCodePoints");
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    assert!(rules.iter().any(|rule| rule["id"] == "overlong-2"));
    let results = run["results"].as_array().unwrap();
    assert_eq!(results.len(), 2);
    let place = &results[1]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "bad.txt");
    // Line 2, after one character of two bytes; each maximal subpart is a column.
    let region =
        json!({"startLine": 2, "startColumn": 2, "endColumn": 4, "byteOffset": 5, "byteLength": 2});
    assert_eq!(place["region"], region);
    assert_eq!(results[1]["ruleId"], "overlong-2");
    let invocation = &run["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], false);
    assert_eq!(invocation["toolExecutionNotifications"][0]["level"], "error");
    let good = object(&report(&dir, "sarif", &["good.txt"], 0));
    assert_eq!(good["runs"][0]["results"], json!([]));
    assert_eq!(good["runs"][0]["invocations"][0]["executionSuccessful"], true);
}

/// The columns of SARIF are those of the file, in which an escape has several characters.
#[test]
fn sarif_has_the_columns_of_escapes() {
    let dir = Dir::of(&[("f", b"a%C3%A9%zz")]);
    let run = dir.validate().args(["-f", "percent", "--format", "sarif", "f"]).assert().code(1);
    let sarif = object(std::str::from_utf8(&run.get_output().stdout).unwrap());
    let place = &sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"];
    let [start, offset, length] =
        ["startColumn", "byteOffset", "byteLength"].map(|key| place[key].as_u64().unwrap());
    assert_eq!((start, offset), (8, 7));
    assert_eq!(place["endColumn"], start + length);
}

#[test]
fn sarif_has_at_most_as_many_results_as_github_takes() {
    let dir = Dir::of(&[("bad", &b"\xFF".repeat(25_003))]);
    let sarif = object(&report(&dir, "sarif", &["--max-shown=none", "bad"], 1));
    assert_eq!(sarif["runs"][0]["results"].as_array().unwrap().len(), 25_000);
    let notes = &sarif["runs"][0]["invocations"][0]["toolExecutionNotifications"];
    assert_eq!(
        notes[0]["message"]["text"],
        "the first 25000 results are in this report, the limit of GitHub; 3 more, of later files too, are left out"
    );
}

#[test]
fn paths_in_sarif_are_uri_references() {
    let dir = Dir::of(&[("a b:%[é]#?", b"\xFF")]);
    let uri = |path: &str| {
        let sarif = object(&report(&dir, "sarif", &[path], 1));
        let place = &sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
        place["artifactLocation"]["uri"].as_str().unwrap().to_owned()
    };
    // RFC 3986: all but unreserved characters are percent-encoded.
    assert_eq!(uri("a b:%[é]#?"), "a%20b%3A%25%5B%C3%A9%5D%23%3F");
    let absolute = dir.path("a b:%[é]#?");
    let absolute = uri(absolute.to_str().unwrap());
    assert!(
        absolute.starts_with("file:///") && absolute.ends_with("/a%20b%3A%25%5B%C3%A9%5D%23%3F")
    );
}

#[test]
fn gitlab_has_an_array_with_stable_fingerprints() {
    let (dir, files) = dir();
    let entries = object(&report(&dir, "gitlab", &files, 2));
    let entries = entries.as_array().unwrap();
    let found: Vec<_> = entries
        .iter()
        .map(|entry| (entry["check_name"].as_str().unwrap(), &entry["location"]["lines"]["begin"]))
        .collect();
    assert_eq!(
        found,
        [("invalid-fe-ff", &json!(1)), ("overlong-2", &json!(2)), ("unreadable-input", &json!(1))]
    );
    assert_eq!(entries[0]["location"]["path"], "bad.txt");
    // Lines before a finding do not change its fingerprint; equal findings have their own.
    let fingerprints = |content: &[u8]| {
        dir.write("edited", content);
        let entries = object(&report(&dir, "gitlab", &["edited"], 1));
        let all = entries.as_array().unwrap().iter().map(|entry| entry["fingerprint"].to_string());
        all.collect::<Vec<_>>()
    };
    let before = fingerprints(b"\xFF \xFF \xC0\xAF");
    assert_eq!(fingerprints(b"new\nlines\n\xFF \xFF \xC0\xAF"), before);
    assert_ne!(before[0], before[1]);
    assert_eq!(fingerprints(b"\xFF \xC0\xAF")[1], before[2]);
    let same_file = object(&report(&dir, "gitlab", &["./edited"], 1));
    assert_eq!(same_file[1]["fingerprint"].to_string(), before[2]);
}

#[test]
fn rdjson_has_ranges_in_bytes() {
    let (dir, files) = dir();
    let diagnostics = &object(&report(&dir, "rdjson", &files, 2))["diagnostics"];
    let range = json!({"start": {"line": 2, "column": 3}, "end": {"line": 2, "column": 5}});
    assert_eq!(diagnostics[1]["location"], json!({"path": "bad.txt", "range": range}));
    assert_eq!(diagnostics[1]["code"]["value"], "overlong-2");
    assert_eq!(diagnostics[2]["location"], json!({"path": "none"}));
}

#[test]
fn junit_has_a_test_for_each_file() {
    let (dir, files) = dir();
    let report = report(&dir, "junit", &files, 2);
    let suites: Vec<_> = report.lines().filter(|line| line.starts_with("<testsuite ")).collect();
    let start = |name: &str, failures: u8, errors: u8| {
        format!(
            "<testsuite name=\"{name}\" tests=\"1\" failures=\"{failures}\" errors=\"{errors}\">\
             <testcase classname=\"utf8.validate\" name=\"{name}\""
        )
    };
    assert_eq!(suites.len(), 3);
    assert!(suites[0].starts_with(&start("bad.txt", 1, 0)));
    assert!(report.contains("overlong 2-byte form C0 AF of U+002F [overlong-2]\n</failure>"));
    assert_eq!(suites[1], format!("{}/></testsuite>", start("good.txt", 0, 0)));
    assert!(suites[2].starts_with(&start("none", 0, 1)));
}

#[test]
fn checkstyle_has_the_files_with_findings() {
    let (dir, files) = dir();
    let report = report(&dir, "checkstyle", &files, 2);
    assert!(report.contains(
        "<file name=\"bad.txt\">\n\
         <error line=\"1\" column=\"2\" severity=\"error\" message=\"byte FF starts no sequence\" \
         source=\"utf8.invalid-fe-ff\"/>\n\
         <error line=\"2\" column=\"2\" severity=\"error\""
    ));
    assert!(!report.contains("good.txt") && report.contains("source=\"utf8.unreadable-input\""));
}

#[test]
fn checkstyle_has_line_feeds_of_names() {
    let dir = Dir::of(&[("a\nb", b"\xFF")]);
    let out = dir.validate().args(["--format=checkstyle", "a\nb"]).assert().code(1);
    out.stdout(contains("<file name=\"a&#10;b\">"));
}

#[test]
fn github_annotates_the_first_finding_of_each_file_first() {
    let dir = Dir::new();
    let many = b"\xFF\n".repeat(20);
    dir.write(
        "many",
        b"good text here\n".repeat(100).iter().chain(&many).copied().collect::<Vec<_>>(),
    );
    dir.write("one", b"a\xC0\xAF");
    let summary = dir.path("summary.md");
    fs::write(&summary, "before\n").unwrap();
    let run = dir
        .validate()
        .args(["--format", "github", "many", "one"])
        .env("GITHUB_STEP_SUMMARY", &summary)
        .assert()
        .code(1);
    let report = String::from_utf8(run.get_output().stdout.clone()).unwrap();
    let (commands, lines): (Vec<_>, Vec<_>) =
        report.lines().partition(|line| line.starts_with("::error "));
    assert_eq!((commands.len(), lines.len()), (10, 21));
    assert_eq!(
        commands[..2],
        [
            "::error title=utf8 (invalid-fe-ff),file=many,line=101,col=1::many:101:1: byte FF starts no sequence",
            "::error title=utf8 (overlong-2),file=one,line=1,col=2::one:1:2: overlong 2-byte form C0 AF of U+002F",
        ]
    );
    let summary = fs::read_to_string(summary).unwrap();
    assert!(
        summary.starts_with(
            "before\n### utf8 validate\n\nFiles checked: 2. With errors: 2. Findings: 21. Not readable: 0.\n"
        )
    );
    assert!(summary.contains("<tr><td><code>one:1:2</code></td><td>overlong 2-byte form"));
}

#[test]
fn the_summary_of_a_job_is_not_added_to_settings_or_inputs() {
    let dir = Dir::of(&[("utf8.toml", b"[validate]\ndeny=[\"crlf\"]\n"), ("in", b"ok\n")]);
    let before = fs::read(dir.path("utf8.toml")).unwrap();
    let run = |summary: &str, input: &str| {
        let mut command = dir.validate();
        command.env("GITHUB_STEP_SUMMARY", dir.path(summary));
        command.args(["--format", "github", input]).assert()
    };
    let said = "GITHUB_STEP_SUMMARY: not written: this run reads it as settings";
    run("utf8.toml", "in").code(2).stderr(contains(said));
    assert_eq!(fs::read(dir.path("utf8.toml")).unwrap(), before);
    let named = "in: is the file of GITHUB_STEP_SUMMARY, too (let the variable name another file)";
    let left = "GITHUB_STEP_SUMMARY: not written: is an input, too (write to another file)";
    run("in", "in").code(2).stderr(contains(named)).stderr(contains(left));
    assert_eq!(fs::read(dir.path("in")).unwrap(), b"ok\n");
    fs::write(dir.path("in"), b"x\xFF").unwrap();
    let tree = run("in", ".").code(0);
    tree.stderr(contains("1 file checked"));
}

#[test]
fn github_fails_without_its_summary_file() {
    let (dir, _) = dir();
    dir.validate()
        .args(["--format", "github", "good.txt"])
        .env("GITHUB_STEP_SUMMARY", dir.path("none/summary"))
        .assert()
        .code(2)
        .stderr("utf8: GITHUB_STEP_SUMMARY: No such file or directory (check the name)\n");
}

#[test]
fn html_has_a_section_for_each_file_with_findings() {
    let (dir, files) = dir();
    let page = report(&dir, "html", &files, 2);
    for part in [
        "<h2><bdi>bad.txt</bdi></h2>",
        "<dt>Files checked</dt><dd>2</dd>",
        "<dt>Not readable</dt><dd>1</dd>",
        "<dt>Findings</dt><dd>2</dd>",
        "<path d=\"M142 0v20M714 0v20\"/>", // offsets 1 and 5 of 7 bytes
        "<code>C0 AF</code>",
        "<a href=\"#f2\"><bdi>none</bdi></a> (not readable)",
    ] {
        assert!(page.contains(part), "{part}");
    }
    assert!(!page.contains("good.txt") && !page.contains("<script"));
    // The map has findings that the table leaves out: offset 3 of 5 bytes.
    dir.write("two", b"a\xFFa\xFFa");
    let some = report(&dir, "html", &["--max-shown=1", "two"], 1);
    assert!(some.contains("<path d=\"M200 0v20M600 0v20\"/>"), "{some}");
    assert!(report(&dir, "html", &["good.txt"], 0).contains("No findings."));
}

#[test]
fn hidden_findings_are_counted() {
    let dir = Dir::of(&[("bad", &b"a\xFF".repeat(1200))]);
    for format in documents() {
        let all = report(&dir, format, &["--max-shown=none", "bad"], 1);
        let some = report(&dir, format, &["bad"], 1);
        let note = if format == "github" { "1,190 more" } else { "200 more (--max-shown none" };
        assert!(some.contains(note), "{format}");
        assert!(!all.contains("more (") && all.len() >= some.len(), "{format}");
        let none = report(&dir, format, &["--max-shown=0", "bad"], 1);
        assert!(none.contains("1,200 more (--max-shown none"), "{format}");
    }
}

#[test]
fn documents_exclude_options_that_print_something_else() {
    let (dir, _) = dir();
    for (option, name) in
        [("-c", "--count"), ("-l", "--files-with-errors"), ("-L", "--files-without-errors")]
    {
        dir.validate()
            .args([option, "--format", "sarif", "bad.txt"])
            .assert()
            .code(2)
            .stdout("")
            .stderr(contains(format!("{name} cannot be used with --format sarif")));
    }
}

/// Names that could end an element, a string or a command.
const HOSTILE: [&[u8]; 9] = [
    b"</testsuite><x a='b'>&amp;.txt",
    b"\"},{\"a\":\"\\u0041",
    b"a\n::error file=x::injected",
    b"a\r%0A::set-output name=x::y",
    b"::warning::x",
    b"##[error]x ##vso[task.complete]",
    b"\x1B[31m\x07\xE2\x80\xAE\xC2\x9B",
    b"not UTF-8 \xFF\xC0\xAF",
    b"]]>--><script>alert(1)<!--",
];

#[test]
fn names_inject_nothing_into_documents() {
    let dir = Dir::new();
    let names: Vec<Vec<u8>> = HOSTILE
        .iter()
        .map(|name| name.iter().map(|&byte| if byte == b'/' { b'_' } else { byte }).collect())
        .collect();
    for name in &names {
        fs::write(dir.path(OsStr::from_bytes(name)), b"x\xFF").unwrap();
    }
    let report = |format: &str| {
        let names = names.iter().map(|name| OsStr::from_bytes(name));
        let run = dir.validate().args(["--format", format]).args(names).assert().code(1);
        String::from_utf8(run.get_output().stdout.clone()).unwrap()
    };
    for format in documents() {
        let report = report(format);
        let raw = report.chars().find(|&c| c != '\n' && (c.is_control() || c == '\u{202E}'));
        assert_eq!(raw, None, "{format}");
        assert!(!report.contains("##["), "{format}");
        assert!(!report.contains("##vso"), "{format}");
        match format {
            "gitlab" | "sarif" | "rdjson" => {
                object(&report);
            }
            "github" => {
                let commands = report.lines().filter(|line| line.trim_start().starts_with("::"));
                assert!(
                    commands
                        .clone()
                        .all(|line| line.starts_with("::error title=utf8 (invalid-fe-ff),file="))
                );
                assert_eq!(commands.count(), HOSTILE.len());
                assert_eq!(report.lines().count(), 2 * HOSTILE.len());
            }
            _ => {
                assert!(!report.contains("<script") && !report.contains("<x "), "{format}");
                parse_xml(&report, format);
            }
        }
    }
}

/// Parses XML, and HTML that is XML, with the parser of Python.
fn parse_xml(document: &str, format: &str) {
    const SCRIPT: &str = "\
import sys, xml.dom.minidom
text = sys.stdin.buffer.read().replace(b'<!DOCTYPE html>', b'')
print(xml.dom.minidom.parseString(text or b'<none/>').documentElement.tagName)";
    let root = match format {
        "junit" => "testsuites",
        name => name,
    };
    if let Some(tag) = python(SCRIPT, document.as_bytes()) {
        assert_eq!(tag.trim_end(), root);
    }
}

#[test]
fn documents_do_not_depend_on_the_number_of_threads() {
    let dir = Dir::new();
    fs::create_dir(dir.path("t")).unwrap();
    for number in 0..300 {
        dir.write(format!("t/{number}"), b"good\n\xC0\xAF\n".repeat(number % 7));
    }
    let run = |jobs: &str| {
        let mut command = dir.validate();
        for format in documents() {
            command.arg(format!("--format={format}={format}{jobs}"));
        }
        command.args(["--jobs", jobs, "t"]).assert().code(1);
        documents()
            .map(|format| fs::read(dir.path(format!("{format}{jobs}"))).unwrap())
            .collect::<Vec<_>>()
    };
    let (one, eight) = (run("1"), run("8"));
    assert!(one == eight && one.iter().all(|report| !report.is_empty()));
}

#[test]
fn a_check_that_stopped_and_findings_without_lines_are_told() {
    let dir = Dir::of(&[("bad", b"a\xFF\xFF\n")]);
    for format in documents() {
        let stopped = report(&dir, format, &["-m1", "bad"], 1);
        assert!(stopped.contains("the check stopped at the limit of findings"), "{format}");
        let whole = report(&dir, format, &["bad"], 1);
        assert!(!whole.contains("stopped"), "{format}");
        let unplaced = report(&dir, format, &["--no-lines", "bad"], 1);
        assert!(unplaced.contains("byte 0x2 (2): byte FF"), "{format}");
    }
}

#[test]
fn an_empty_directory_is_an_error_in_documents() {
    let dir = Dir::new();
    fs::create_dir(dir.path("empty")).unwrap();
    for format in documents() {
        let report = report(&dir, format, &["empty"], 2);
        assert!(report.contains("no file to check"), "{format}: {report}");
    }
}
