//! Dry runs and reports of `decode` and `encode`: --check, --diff, --stats, --explain, --format json.

use std::fs;

use assert_cmd::Command;
use predicates::str::{contains, starts_with};
use serde_json::json;
use utf8::registry::{CODECS, Encoding};

use crate::common::bin::{Dir, lines, objects, raw, shell_of, utf8};
use crate::common::peer::patched;
use crate::common::{representatives, unhex};

/// Returns a command for `utf8` in a directory.
fn run(dir: &Dir, args: &[&str]) -> Command {
    let mut command = utf8();
    command.current_dir(dir.path(".")).args(args);
    command
}

/// Returns a directory of files in windows-1251, UTF-8, ASCII and none.
fn tree() -> Dir {
    Dir::of(&[
        ("old", b"\xEF\xF0\xE8\nplain\n"),
        ("new", "при\n".as_bytes()),
        ("plain", b"plain\n"),
        ("image", b"\x89PNG\0"),
    ])
}

const NAMES: [&str; 4] = ["old", "new", "plain", "image"];

#[test]
fn a_check_lists_what_would_change() {
    let dir = tree();
    let check = ["decode", "-f", "cp1251", "--check"];
    run(&dir, &check).args(NAMES).assert().code(1).stdout("old\nnew\nimage\n").stderr("");
    run(&dir, &check).args(["-0", "old", "plain"]).assert().code(1).stdout("old\0");
    run(&dir, &check).args(["-q", "old"]).assert().code(1).stdout("").stderr("");
    run(&dir, &check).arg("plain").assert().code(0).stdout("").stderr("");
    // In place, some are left.
    let out = run(&dir, &check).arg("-iv").args(NAMES).assert().code(1).stdout("old\n");
    out.stderr(contains(
        "\ntotal: 4 files: 1 would change; 1 unchanged; 1 already converted; 1 binary\n",
    ));
    assert_eq!(fs::read(dir.path("old")).unwrap(), b"\xEF\xF0\xE8\nplain\n");
    // Streams, texts and ranges.
    run(&dir, &check).write_stdin(&b"a\xE9"[..]).assert().code(1).stdout("-\n");
    run(&dir, &check).write_stdin(&b"a"[..]).assert().code(0).stdout("");
    run(&dir, &["encode", "-t", "utf-16", "--check", "-e", ""]).assert().code(1).stdout("-e\n");
    run(&dir, &check).args(["-s", "3", "old"]).assert().code(0).stdout("");
    // A fault is no change.
    let out = run(&dir, &["encode", "-t", "latin1", "--check", "new"]).assert().code(1).stdout("");
    out.stderr(starts_with("utf8: new: byte 0: iso-8859-1 cannot hold U+043F"));
}

#[test]
fn what_a_check_finds_is_what_a_conversion_changes() {
    let text = "plain\né€ 日本 😀\r\n~{+a&amp; \\u0041\n";
    for source in representatives() {
        let narrow: Vec<_> = text.chars().filter(|&c| source.can_encode(c.into())).collect();
        let narrow = String::from_iter(narrow);
        let dir = Dir::of(&[("text", narrow.as_bytes())]);
        let encoded = run(&dir, &["encode", "-f", "utf-8", "-t", source.name, "text", "-o", "f"]);
        let mut encoded = encoded;
        encoded.assert().code(0);
        let content = fs::read(dir.path("f")).unwrap();
        for target in ["utf-8", "utf-16le", "latin1", "iso-2022-jp", "utf-7", "json", source.name] {
            let both = ["-f", source.name, "-t", target, "--on-error", "replace", "f"];
            let out = run(&dir, &[&["decode", "-q"], &both[..]].concat()).assert().code(0);
            let changes = out.get_output().stdout != content;
            let check = run(&dir, &[&["decode", "--check"], &both[..]].concat()).assert();
            check.code(i32::from(changes));
            // The record of single sequences changes nothing.
            let explained = run(&dir, &[&["decode", "--explain"], &both[..]].concat()).assert();
            assert_eq!(explained.get_output().stdout, out.get_output().stdout, "{both:?}");
        }
    }
}

#[test]
fn patch_applies_the_diff_of_a_conversion() {
    let lines = ["plain\n", "é€ 日本\n", "\r\n", "при ~{ +a\n", "😀&amp; \\u0041\n"];
    let text: String = (0..60).map(|at| lines[if at % 8 == 0 { at / 8 % 5 } else { 0 }]).collect();
    let text = text + "é";
    let text_codec = |codec: &&Encoding| codec.inner.unit == 1 && codec.properties.transparent;
    for source in CODECS.iter().filter(text_codec) {
        let held: String = text.chars().filter(|&c| source.can_encode(c.into())).collect();
        let dir = Dir::of(&[("text", held.as_bytes())]);
        run(&dir, &["encode", "-f", "utf-8", "-t", source.name, "text", "-o", "f"])
            .assert()
            .code(0);
        for target in ["utf-8", "iso-2022-jp", "utf-7", "windows-1251"] {
            let both = ["-f", source.name, "-t", target, "--on-error", "replace", "f"];
            let wanted = run(&dir, &[&["decode", "-q"], &both[..]].concat()).assert();
            let wanted = wanted.get_output().stdout.clone();
            let old = fs::read(dir.path("f")).unwrap();
            let diff = run(&dir, &[&["decode", "--diff"], &both[..]].concat()).assert();
            let diff = diff.code(i32::from(wanted != old)).get_output().stdout.clone();
            let Some((found, _)) = patched(&dir, b"f", &diff) else { return };
            assert!(found == wanted, "{both:?}: {}", String::from_utf8_lossy(&diff));
            dir.write("f", old);
        }
    }
}

#[test]
fn a_diff_has_the_bytes_of_both_encodings() {
    let dir = tree();
    let out = run(&dir, &["decode", "-f", "cp1251", "--diff", "old", "plain"]).assert().code(1);
    let old = &b"--- old\n+++ old\n@@ -1,2 +1,2 @@\n-\xEF\xF0\xE8\n"[..];
    out.stdout([old, "+при\n plain\n".as_bytes()].concat()).stderr("");
    for (side, codec) in [("-f", "utf-16le"), ("-t", "utf-32"), ("-t", "ibm037")] {
        let out = run(&dir, &["decode", side, codec, "--diff", "old"]).assert().code(2);
        out.stderr(format!("utf8: --diff cannot show {codec} (--check lists the inputs)\n"));
    }
    run(&dir, &["decode", "-f", "cp1251", "--diff", "-o", "x", "old"]).assert().code(2);
}

#[test]
fn each_replacement_is_reported() {
    let dir = Dir::of(&[("f", "a€é".as_bytes()), ("g", b"\xFF\xFEx")]);
    let args = ["encode", "-t", "latin1", "--on-error", "replace"];
    let out = run(&dir, &args).args(["--explain", "--stats", "f", "g"]).assert().code(0);
    out.stdout(&b"a?\xE9??x"[..]).stderr(lines(&[
        "f: byte 1: E2 82 AC -> 3F [unencodable]",
        "f: 6 bytes, 3 after conversion from utf-8 to iso-8859-1: 1 unencodable",
        "utf8: f: 1 character replaced",
        "g: byte 0: FF -> 3F [ill-formed]",
        "g: byte 1: FE -> 3F [ill-formed]",
        "g: 3 bytes, 3 after conversion from utf-8 to iso-8859-1: 2 ill-formed",
        // FF FE is the byte order mark of UTF-16.
        "utf8: g: 2 sequences replaced; looks like utf-16 (-f utf-16)",
    ]));
    run(&dir, &args).args(["--explain", "-q", "f"]).assert().code(2);
}

#[test]
fn statistics_count_what_is_written_before_a_character_that_the_target_lacks() {
    let text = ["a".repeat(2000), "é".repeat(9000), "a".repeat(5)];
    let text = format!("{}\u{E01}{}", text.concat(), "b".repeat(2000));
    let dir = Dir::of(&[("f", text.as_bytes())]);
    for kernel in utf8::kernel::names() {
        let out = run(&dir, &["decode", "-t", "latin1", "--stats", "f"])
            .env("UTF8_KERNEL", kernel)
            .assert()
            .code(1);
        let out = out.stderr(contains(
            "f: 20,005 bytes, 11,005 after conversion from utf-8 to iso-8859-1\n",
        ));
        assert_eq!(out.get_output().stdout.len(), 11_005, "{kernel}");
    }
}

#[test]
fn a_record_has_replacements_and_a_summary_of_each_input() {
    let dir = tree();
    dir.write("lacking", "a€");
    let args = ["encode", "-t", "latin1", "--on-error=replace", "--format=json", "-q", "lacking"];
    let change = json!({
        "type": "change", "path": "lacking", "offset": 1, "length": 3, "hex": "E2 82 AC",
        "new_offset": 1, "new_length": 1, "new_hex": "3F", "reasons": ["unencodable"],
    });
    let summary = json!({
        "type": "summary", "path": "lacking", "codec": "utf-8", "target": "iso-8859-1", "size": 4,
        "new_size": 2, "changes": 1, "converted": true, "by_reason": {"unencodable": 1},
    });
    let out = run(&dir, &args).assert().code(0).stdout("a?");
    assert_eq!(objects(&out.get_output().stderr), [change.clone(), summary.clone()]);
    for how in ["--check", "-i"] {
        let out = run(&dir, &args).arg(how).assert().stderr("");
        assert_eq!(objects(&out.get_output().stdout), [change.clone(), summary.clone()], "{how}");
    }
    assert_eq!(fs::read(dir.path("lacking")).unwrap(), b"a?");
    let args = ["decode", "-f", "cp1251", "-i", "--format=json"];
    let out = run(&dir, &args).args(NAMES).assert().code(1);
    let told = objects(&out.get_output().stdout);
    let told: Vec<_> =
        told.iter().map(|it| (it["left"].as_str(), it["converted"].as_bool())).collect();
    let (done, not) = (Some(true), Some(false));
    let left =
        [(None, done), (Some("already-converted"), not), (None, done), (Some("binary"), not)];
    assert_eq!(told, left);
}

#[test]
fn a_summary_counts_the_changes_of_the_record() {
    // 82 is four characters of Tamil, and 88 62 is U+00CA U+0304.
    for (from, input, by_reason) in [
        ("tscii", "61 82 62", json!({"unencodable": 1})),
        ("tscii", "82 FF 82", json!({"ill-formed": 1, "unencodable": 2})),
        ("big5", "88 62 62", json!({"unencodable": 1})),
    ] {
        let args = ["decode", "-f", from, "-t", "latin1", "--on-error=replace", "--format=json"];
        for how in [&["--check"][..], &["-o", "/dev/null"]] {
            let out = raw().args(args).args(["-q", "-xe", input]).args(how).output().unwrap();
            let told = objects(&out.stdout);
            let (summary, changes) = told.split_last().unwrap();
            assert_eq!(summary["changes"], changes.len(), "{from} {input} {how:?}");
            assert_eq!(summary["by_reason"], by_reason, "{from} {input} {how:?}");
        }
    }
}

/// Shifts belong to no sequence, wherever the text is divided to be read.
#[test]
fn a_record_has_no_shift_sequences() {
    for (codec, unit, hex, at) in [
        ("utf-7", "2B 4D 45 73 2D", "4D 45 73", 1),
        // か with its escape sequences, 啊 with its designation and shifts, а in window 2.
        ("iso-2022-jp-2", "1B 24 42 24 2B 1B 28 42", "24 2B", 3),
        ("iso-2022-cn", "1B 24 29 41 0E 30 21 0F", "30 21", 5),
        ("scsu", "12 B0 10", "B0", 1),
    ] {
        let bytes = unhex(unit);
        let number = 20_000;
        let dir = Dir::of(&[("f", &bytes.repeat(number))]);
        let args = ["decode", "-f", codec, "-t", "latin1", "--on-error=replace", "--format=json"];
        let out = run(&dir, &args).args(["--check", "-q", "f"]).assert().code(1);
        let told = objects(&out.get_output().stdout);
        assert_eq!(told.len(), number + 1, "{codec}");
        for (place, found) in told[..number].iter().enumerate() {
            let found = [&found["hex"], &found["offset"], &found["new_offset"], &found["new_hex"]];
            let offset = place * bytes.len() + at;
            assert_eq!(json!(found), json!([hex, offset, place, "3F"]), "{codec}");
        }
    }
}

/// A record has the bytes of its sequences: those of a character that the writer holds back, in case the
/// next one joins it, are written before.
#[test]
fn a_record_leaves_out_a_character_that_the_writer_holds_back() {
    let change = |offset: u64, hex: &str, new_offset: u64, new_hex: &str| {
        let (hex, new_hex) = (hex.to_owned(), new_hex.to_owned());
        (offset, hex, new_offset, new_hex)
    };
    for (codecs, policy, input, changes) in [
        // か is A4 AB, unless か゚ is one character.
        ("utf-8 euc-jis-2004", "replace", "78 E3 81 8B FF 79", vec![change(4, "FF", 3, "3F")]),
        ("utf-8 euc-jis-2004", "ignore", "78 E3 81 8B FF 79", vec![change(4, "FF", 3, "")]),
        // Two in a row: the second stands after the first.
        (
            "utf-8 euc-jis-2004",
            "replace",
            "E3 81 8B FF E3 81 8B FE",
            vec![change(3, "FF", 2, "3F"), change(7, "FE", 5, "3F")],
        ),
        // A character that the target lacks.
        (
            "utf-8 euc-jis-2004",
            "replace",
            "E3 81 8B F0 9F 98 80",
            vec![change(3, "F0 9F 98 80", 2, "3F")],
        ),
        // After the shift and the pair.
        ("utf-8 big5-hkscs", "replace", "61 C3 8A FF 62", vec![change(3, "FF", 3, "3F")]),
        // Half a surrogate pair.
        ("wtf-8 wtf-8", "replace", "41 ED A9 84 B2 42", vec![change(4, "B2", 4, "EF BF BD")]),
        // 88 62 is U+00CA U+0304, of which ISO 8859-1 has one.
        ("big5 latin1", "replace", "61 88 62 63", vec![change(1, "88 62", 1, "CA 3F")]),
        (
            "big5 latin1",
            "replace",
            "88 62 88 62",
            vec![change(0, "88 62", 0, "CA 3F"), change(2, "88 62", 2, "CA 3F")],
        ),
    ] {
        let (from, to) = codecs.split_once(' ').unwrap();
        let args = ["decode", "-f", from, "-t", to, "--on-error", policy, "--format=json", "-q"];
        let out = raw().args(args).args(["--check", "-xe", input]).output().unwrap();
        let told = objects(&out.stdout);
        let found: Vec<_> = told[..told.len() - 1]
            .iter()
            .map(|it| {
                let text = |key: &str| it[key].as_str().unwrap().to_owned();
                let number = |key: &str| it[key].as_u64().unwrap();
                (number("offset"), text("hex"), number("new_offset"), text("new_hex"))
            })
            .collect();
        assert_eq!(found, changes, "{codecs} {policy} {input}");
    }
}

#[test]
fn an_error_of_the_record_ends_the_run() {
    for what in
        [&["--check"][..], &["--diff"], &["-i", "--format=json"], &["--check", "--format=json"]]
    {
        let dir = tree();
        let mut program = raw();
        program.args(["decode", "-f", "cp1251"]).args(what).args(["old", "plain"]);
        let mut program = shell_of("exec \"$@\" >/dev/full", &program);
        let out = program.current_dir(dir.path(".")).output().unwrap();
        let said = String::from_utf8(out.stderr).unwrap();
        assert!(
            said.ends_with(
                "utf8: standard output: No space left on device (make room and run again)\n"
            ),
            "{what:?} {said}"
        );
        assert_eq!(out.status.code(), Some(2), "{what:?}");
    }
}

#[test]
fn a_diff_of_a_detected_wide_encoding_is_refused() {
    let text: Vec<u8> =
        "some words\nin lines\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let dir = Dir::of(&[("wide", &text), ("page", "na\u{EF}ve caf\u{E9}\n".as_bytes())]);
    let args = ["decode", "-f", "auto", "--diff", "wide", "page"];
    let out = run(&dir, &args).assert().code(2).stdout("");
    out.stderr("utf8: wide: --diff cannot show utf-16le (--check lists the inputs)\n");
}
