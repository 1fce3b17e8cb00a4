//! Inputs: `FILE`, `-`, `-e`, `-x`.

use std::ffi::OsStr;
use std::fs::File;
use std::os::unix::ffi::OsStrExt;

use predicates::prelude::*;
use predicates::str::contains;

use crate::common::bin::{Dir, hex, raw, validate};

use super::euro_and_a_fault;

#[test]
fn text_is_the_bytes_of_the_argument() {
    let text = OsStr::from_bytes(b"\xE2\x82\xAC\xC0\xAF");
    for option in ["-e", "--text"] {
        validate().arg(option).arg(text).assert().code(1).stdout(euro_and_a_fault("-e"));
    }
    validate().args(["-ve", ""]).assert().code(0).stderr("-e: valid, 0 bytes\n");
    validate().args(["-v", "-e", "-q"]).assert().code(0).stderr("-e: valid, 2 bytes\n");
}

#[test]
fn standard_input_is_read_where_no_file_is_named() {
    let bytes = b"\xE2\x82\xAC\xC0\xAF";
    validate().write_stdin(&bytes[..]).assert().code(1).stdout(euro_and_a_fault("-"));
    validate().arg("-").write_stdin(&bytes[..]).assert().code(1).stdout(euro_and_a_fault("-"));
}

#[test]
fn standard_input_stands_where_it_is_named() {
    let dir = Dir::of(&[("a", b"\xFF"), ("b", b"\xFF")]);
    let mut command = dir.validate();
    command.args(["--format", "tsv", "a", "-", "b"]).write_stdin(&b"\xFF"[..]);
    let names = ["a", "-", "b"].map(|name| format!("0\t1\tinvalid-fe-ff\t1\t1\tFF\t{name}\n"));
    command.assert().code(1).stdout(names.concat());
}

#[test]
fn a_file_called_minus_is_read_by_another_name() {
    let dir = Dir::of(&[("-", b"\xFF"), ("-q", b"\xFF")]);
    dir.validate().arg("./-").assert().code(1).stdout(contains("./-:1:1: "));
    dir.validate().args(["--", "-q"]).assert().code(1).stdout(contains("-q:1:1: "));
}

#[test]
fn hex_digits_are_read_in_every_spelling() {
    for digits in [
        "E282ACC0AF",
        "e2 82 ac c0 af",
        "0xE2 0x82 0xAC 0xC0 0xAF",
        "0xe2,0x82,0xac,0xc0,0xaf",
        "0xE282ACC0AF",
        "\\xE2\\x82\\xAC\\xC0\\xAF",
        "%E2%82%AC%C0%AF",
        "E2 82,AC\n  C0\r\n\tAF\n",
        "E2:82:AC:C0:AF",
        "{0xE2, 0x82, 0xAC, 0xC0, 0xAF};",
        "b'\\xe2\\x82\\xac\\xc0\\xaf'",
        "=E2=82=AC=C0=AF",
    ] {
        hex(digits, &[]).code(1).stdout(euro_and_a_fault("-e"));
        let dir = Dir::of(&[("digits", digits.as_bytes())]);
        for option in ["-x", "--hex"] {
            let out = dir.validate().args([option, "digits"]).assert();
            out.code(1).stdout(euro_and_a_fault("digits"));
        }
        validate().arg("-x").write_stdin(digits).assert().code(1).stdout(euro_and_a_fault("-"));
    }
}

#[test]
fn malformed_hex_is_reported_with_its_position() {
    for (digits, what) in [
        ("E2 8", "unexpected end at byte 4"),
        ("E", "unexpected end at byte 1"),
        ("E2 8G", "unexpected \"G\" at byte 4"),
        ("E 2", "unexpected byte 20 at byte 1"),
        ("E2/82", "unexpected \"/\" at byte 2"),
        ("00000000: e282 ac", "unexpected offset of a dump"),
        ("U+20AC", "unexpected \"U\" at byte 0"),
        ("41 \u{E9}", "unexpected byte C3 at byte 3"),
        ("\\41", "unexpected \"4\" at byte 1"),
        ("41 0x", "unexpected end at byte 5"),
    ] {
        let said = format!("utf8: -e: {what}");
        hex(digits, &[]).code(2).stdout("").stderr(predicate::str::starts_with(said));
    }
}

#[test]
fn faults_before_an_error_in_hex_are_reported() {
    let dir = Dir::of(&[("digits", b"C0 AF 41 4z")]);
    let out = dir.validate().args(["-x", "digits"]).assert().code(2);
    out.stdout(contains("[overlong-2]")).stderr(contains("unexpected \"z\" at byte 10"));
}

#[test]
fn hex_of_nothing_is_nothing() {
    hex("", &["-v"]).code(0).stderr("-e: valid, 0 bytes\n");
    hex(" \n", &["-v"]).code(0).stderr("-e: valid, 0 bytes\n");
}

/// An input that grows by its own output has no end.
#[test]
fn an_input_that_is_the_output_is_refused() {
    let dir = Dir::of(&[("f", b"caf\xC3\xA9 \xFF\n")]);
    let commands: [&[&str]; 6] = [
        &["validate"],
        &["decode", "-t", "utf-16le"],
        &["encode", "-f", "utf-8", "-t", "latin1"],
        &["dump-bits"],
        &["repair"],
        &["detect"],
    ];
    for command in commands {
        for from_stdin in [false, true] {
            let out = File::options().append(true).open(dir.path("f")).unwrap();
            let mut run = raw();
            run.args(command).current_dir(dir.path("")).stdout(out);
            match from_stdin {
                true => run.stdin(File::open(dir.path("f")).unwrap()),
                false => run.arg("f"),
            };
            let out = run.output().unwrap();
            let name = if from_stdin { "-" } else { "f" };
            let said = format!("utf8: {name}: is the output, too (write to another file)\n");
            assert_eq!(String::from_utf8_lossy(&out.stderr), said, "{command:?}");
            assert_eq!(out.status.code(), Some(2), "{command:?}");
        }
    }
    assert_eq!(std::fs::read(dir.path("f")).unwrap(), b"caf\xC3\xA9 \xFF\n");
}
