//! Comments in files that turn lints off.

use predicates::prelude::PredicateBooleanExt;
use predicates::str::{contains, is_empty};

use crate::common::bin::{Dir, objects, validate};

/// Returns the findings of a text under `strict`, as `LINE KIND`.
fn found(text: &str, args: &[&str]) -> Vec<String> {
    let mut run = validate();
    let run = run.args(["--format=json", "--deny=strict"]).args(args).write_stdin(text).assert();
    let objects = objects(&run.get_output().stdout);
    let findings = objects.iter().filter(|object| object["type"] == "finding");
    findings.map(|it| format!("{} {}", it["line"], it["kind"].as_str().unwrap())).collect()
}

#[test]
fn a_comment_allows_lints_of_its_line() {
    let text = "a = \"\0\" # utf8:allow(nul)\n# utf8:allow(security) \0\u{200B}\n\0\n";
    assert_eq!(found(text, &[]), ["3 nul"]);
    assert_eq!(found(text, &["--no-inline"]), ["1 nul", "2 nul", "2 invisible", "3 nul"]);
    let next = "# utf8:allow-next-line(nul,c0-control)\n\0\x01\n\0\n";
    assert_eq!(found(next, &[]), ["3 nul"]);
    let file = "#!/bin/sh\n# utf8:allow-file(invisible)\n\u{200B}\n\u{200B}\0\n";
    assert_eq!(found(file, &[]), ["4 nul"]);
    assert_eq!(
        found("\u{FEFF}# utf8:allow(bom)\r\nb\n# utf8:allow(mixed-line-ending)\n", &[]),
        ["2 mixed-line-ending", "3 unused-allow"]
    );
    assert!(found("# utf8:allow(missing-final-newline)", &[]).is_empty());
    let blanks = "# utf8: allow (nul) \0\n# utf8:allow-next-line\t(nul)\n\0\n# utf8:\n\0\n";
    assert_eq!(found(blanks, &[]), ["5 nul"]);
}

#[test]
fn unused_comments_are_warnings() {
    validate()
        .args(["--deny", "nul"])
        .write_stdin("# utf8:allow(nul)\n# utf8:allow(nil)\n# utf8:allow(bom)\n")
        .assert()
        .code(0)
        .stdout(
            "-:1:3: byte 0x2 (2): warning: utf8:allow(nul): allows nothing [unused-allow]\n\
             -:2:3: byte 0x14 (20): warning: utf8:allow(nil): 'nil' is no lint [unused-allow]\n",
        );
    // A name is no lint, whatever the others allow.
    let some = "\0 # utf8:allow(nul, nonsense)\n# utf8:allow(ill-formed)\n";
    validate().args(["--deny", "nul"]).write_stdin(some).assert().code(0).stdout(
        contains("utf8:allow(nul, nonsense): 'nonsense' is no lint [unused-allow]")
            .and(contains("ill-formed text is allowed by settings only [unused-allow]")),
    );
    let many = format!("{}# utf8:allow-file(nul)\n\0\n", "\n".repeat(20));
    assert_eq!(found(&many, &[]), ["21 unused-allow", "22 nul"]);
    assert_eq!(found(&many, &["--allow=unused-allow"]), ["22 nul"]);
    assert_eq!(found("# utf8:allow-file(nul)\n", &[]), ["2 unused-allow"]);
    validate()
        .args(["--deny=unused-allow", "--deny=nul"])
        .write_stdin("utf8:allow(nul)\n")
        .assert()
        .code(1);
    // Without lints, nothing is looked for; other texts are no comments.
    validate().write_stdin("# utf8:allow(nil)\n").assert().code(0).stdout(is_empty());
    assert!(
        found("utf8:allow(ID) utf8:allow() utf8:allow utf8:allowed(nul) utf8:allow(nul\n)\n", &[])
            .is_empty()
    );
}

#[test]
fn allowed_places_are_counted() {
    let dir = Dir::of(&[
        ("a", b"\x01 utf8:allow(c0-control)\n"),
        ("b", b"\x01\x01 utf8:allow(c0-control)\n\xFF"),
    ]);
    let args = ["--deny=c0-control", "-v"];
    dir.validate()
        .args(args)
        .arg("a")
        .assert()
        .code(0)
        .stderr("a: valid, 25 bytes; 1 allowed by comments\n");
    dir.validate()
        .args(args)
        .arg(".")
        .assert()
        .code(1)
        .stderr(contains("1 invalid-fe-ff; 3 allowed by comments"));
    let run = dir.validate().args(["--format=json", "--deny=c0-control", "a"]).assert().code(0);
    assert_eq!(objects(&run.get_output().stdout)[0]["suppressed"], 1);
}

#[test]
fn an_ill_formed_sequence_ends_the_line_for_comments() {
    let text = b"\0\xFF utf8:allow(nul) \0\n".as_slice();
    validate().args(["--deny=nul"]).write_stdin(text).assert().code(1).stdout(
        "-:1:1: byte 0x0 (0): U+0000 NULL [nul]\n\
         -:1:2: byte 0x1 (1): byte FF starts no sequence [invalid-fe-ff]\n",
    );
}
