//! Parts of inputs: ranges, and rows near ill-formed sequences.

use super::{columns, dump, dump_of, shown};
use crate::common::bin::Dir;
use crate::common::digits;
use assert_cmd::Command;
use predicates::str::contains;

#[test]
fn a_range_cuts_without_a_fault() {
    let of = |args: &[&str]| shown("41 E2 82 AC 42", args);
    let dump = of(&["-s", "2", "-l", "2"]);
    assert_eq!(
        columns(dump.trim_end())[1..],
        ["10·000010 10·101100", "82 ac", "bytes 2..3 of 3 of U+20AC EURO SIGN, from 00000001 on"]
    );
    let dump = of(&["-s", "2", "-n", "1"]);
    assert_eq!(
        columns(dump.trim_end())[1..],
        ["10·000010", "82", "byte 2 of 3 of U+20AC EURO SIGN, from 00000001 on"]
    );
    assert_eq!(
        of(&["-s", "2", "-l", "2", "--layout", "bytes"]),
        "00000002:.10000010.10101100                                      ··\n"
    );
    let dump = of(&["-s", "2", "-n", "1", "--no-names"]);
    assert_eq!(columns(dump.trim_end())[3], "byte 2 of 3 of U+20AC, from 00000001 on");
    assert_eq!(of(&["-s", "2", "-l", "2", "--only-ill-formed"]), "");
    let dir = Dir::new();
    dir.write("text", b"A\xE2\x82\xACB");
    for map in ["always", "never"] {
        let mut command = dump_of(&dir);
        command.args(["-s", "-3", "-l", "2", "--mmap", map, "text"]);
        command
            .assert()
            .success()
            .stdout(contains("00000002  10·000010 10·101100"))
            .stdout(contains("bytes 2..3 of 3"));
    }
}

#[test]
fn a_range_is_the_same_from_a_file_a_pipe_and_an_argument() {
    // Shifts, base64 and a signature at the ends of the range.
    for (codec, digits) in [
        ("iso-2022-jp", "1B 24 42 24 22 24 24 1B 28 42 61 62"),
        ("utf-7", "2B 41 77 45 2D 62"),
        ("utf-16", "FF FE 61 00 62 00"),
        ("utf-16", "00 FF FE 61 00 62 00"),
        ("ucs-2", "FF FE 61 00 62 00"),
        ("utf-32", "FF FE 00 00 61 00 00 00 62 00 00 00"),
        ("gbk", "81 40 81 40 41"),
        ("utf-1", "F7 64 4C 41 A0 E9"),
    ] {
        let bytes: Vec<u8> =
            digits.split(' ').map(|digit| u8::from_str_radix(digit, 16).unwrap()).collect();
        let dir = Dir::of(&[("f", &bytes)]);
        for skip in 0..bytes.len() {
            let args = ["-f", codec, "-s", &skip.to_string()];
            let of = |command: &mut Command| {
                String::from_utf8(command.args(args).assert().success().get_output().stdout.clone())
                    .unwrap()
            };
            let file = of(dump_of(&dir).arg("f"));
            assert_eq!(of(dump().write_stdin(bytes.clone())), file, "{codec} -s {skip}");
            assert_eq!(of(dump().args(["-xe", digits])), file, "{codec} -s {skip}");
        }
    }
}

#[test]
fn only_ill_formed_sequences_are_shown() {
    let text = digits(b"some text\xFFsome text\xC3\xA9\xC0\xAFmore text");
    let dump = shown(&text, &["--only-ill-formed"]);
    assert_eq!(
        dump.lines().map(|row| columns(row)[0]).collect::<Vec<_>>(),
        ["00000009", "--", "00000015"]
    );
    let dump = shown(&text, &["--only-ill-formed", "--context", "1"]);
    assert_eq!(dump.lines().count(), 6);
    let dump = shown(&text, &["--only-ill-formed", "--context", "1", "--base", "hex", "-c", "4"]);
    let offsets: Vec<_> = dump.lines().map(|row| row.split(':').next().unwrap()).collect();
    assert_eq!(offsets, ["00000004", "00000008", "0000000c", "00000010", "00000014", "00000018"]);
}
