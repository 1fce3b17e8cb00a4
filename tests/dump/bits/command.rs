//! The command: several inputs, options, output files and messages.

use super::{dump, dump_of};
use crate::common::bin::{Dir, utf8};
use predicates::prelude::*;
use predicates::str::contains;

#[test]
fn several_inputs_have_headings() {
    let dir = Dir::new();
    dir.write("a", b"a");
    dir.write("b", b"b");
    dump_of(&dir).args(["--no-names", "a", "b"]).assert().success().stdout(
        "==> a <==\n00000000  0·1100001                                61           U+0061    a\n\
         \n==> b <==\n00000000  0·1100010                                62           U+0062    b\n",
    );
    dump_of(&dir)
        .args(["--base", "hex", "-c", "1", "a", "missing", "b"])
        .assert()
        .code(2)
        .stdout("==> a <==\n00000000: 61  a\n\n==> b <==\n00000000: 62  b\n")
        .stderr(contains("missing"));
}

#[test]
fn the_legend_is_complete() {
    dump().arg("--legend").assert().success().stdout(
        contains("red")
            .and(contains("C0..C1 F5..FF  never in UTF-8:"))
            .and(contains("E0 is followed by A0..BF")),
    );
}

#[test]
fn conflicting_options_are_usage_errors() {
    for (args, says) in [
        (&["--layout", "sequence", "-c", "4"][..], "need --layout bytes"),
        (&["--base", "hex", "-c", "0"], "--columns 0 needs --plain"),
        (&["-c", "4097"], "expected a number from 0 to 4096"),
        (&["--context", "1"], "--only-ill-formed"),
        (&["-r", "-s", "1"], "cannot be used with"),
        (&["--legend", "-c", "3"], "cannot be used with"),
        (&["--format", "json", "-p"], "need --format text"),
        (&["-p", "-g", "2"], "cannot be used with"),
        (&["-p", "--base", "octal"], "--plain needs --base hex or --base bits"),
        (&["--squeeze", "--only-ill-formed"], "cannot be used with"),
        (&["--only-ill-formed", "--context", "1001"], "expected a number from 0 to 1000"),
        (&["--patch", "x"], "--reverse"),
        (&["-r", "-p", "--patch", "x"], "--patch needs a dump with offsets"),
    ] {
        dump().args(args).write_stdin("").assert().code(2).stderr(contains(says));
    }
}

#[test]
fn the_short_name_is_the_same_command() {
    utf8().args(["dump", "-e", "A", "-l1", "-p"]).assert().success().stdout("41\n");
}

#[test]
fn an_output_file_is_replaced_in_one_step() {
    let dir = Dir::of(&[("text", b"a\xC3\xA9\n"), ("bad", b"00000000: 61\nhello\n")]);
    dump_of(&dir).args(["-o", "dump", "text"]).assert().success().stdout("");
    dump_of(&dir).args(["-r", "-o", "text", "bad"]).assert().code(2).stderr(contains("line 2"));
    assert_eq!(std::fs::read(dir.path("text")).unwrap(), b"a\xC3\xA9\n");
    dump_of(&dir)
        .args(["-r", "-v", "-o", "again", "dump"])
        .assert()
        .success()
        .stderr("dump: 4 bytes from offset 00000000\n");
    assert_eq!(std::fs::read(dir.path("again")).unwrap(), b"a\xC3\xA9\n");
}

#[test]
fn filled_gaps_and_growth_are_noted() {
    let of = |rows: &'static str| dump().arg("-r").write_stdin(rows).assert().success();
    of("0: 61\n4: 62\n8: 63\n")
        .stdout("a\0\0\0b\0\0\0c")
        .stderr("-: 2 gaps between rows filled with 6 zero bytes\n");
    of("10: 61\n11: 62\n").stdout("ab").stderr("");
    let dir = Dir::of(&[("file", b"0123456789")]);
    let patch = |rows: &'static str| {
        dump_of(&dir)
            .args(["-r", "-v", "--patch", "file"])
            .write_stdin(rows)
            .assert()
            .success()
            .stdout("")
    };
    patch("2: 58 33 58\n").stderr("file: 2 bytes changed\n");
    patch("9: 58 58\n").stderr("file: 1 byte changed\nfile: is now 1 byte longer\n");
    assert_eq!(std::fs::read(dir.path("file")).unwrap(), b"01X3X5678XX");
}

#[test]
fn shown_sequences_are_counted() {
    dump()
        .args(["-v", "-p", "-xe", "41 FF C3 A9 80"])
        .assert()
        .success()
        .stderr("-e: 5 bytes, 2 ill-formed sequences\n");
}
