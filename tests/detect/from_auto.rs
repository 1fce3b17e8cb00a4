//! `--from auto` of the commands that read the detected encoding.

use super::command::{DAMAGED, dir, printed};
use crate::common::bin::{Dir, utf8};
use predicates::prelude::PredicateBooleanExt;
use predicates::str::{contains, ends_with, starts_with};
use utf8::{Encoding, Policy};

#[test]
fn from_auto_reads_the_detected_encoding() {
    let dir = dir();
    let auto = |args: &[&str]| {
        let mut command = utf8();
        command.current_dir(dir.path("")).args(args);
        command
    };
    for (file, text) in [
        ("latin", "Le café crème est très goûté à Orléans, même l'été.\n"),
        ("utf-8", "déjà vu\n"),
        ("utf-16", "ab\n"),
        ("ascii", "plain\r\n"),
    ] {
        auto(&["encode", "-f", "auto", file]).assert().code(0).stdout(text);
        auto(&["decode", "-f", "AUTO", file]).assert().code(0).stdout(text);
        let bytes = std::fs::read(dir.path(file)).unwrap();
        auto(&["decode", "-f", "auto"]).write_stdin(bytes).assert().code(0).stdout(text);
    }
    // Each file has its own encoding.
    auto(&["decode", "-f", "auto", "utf-8", "utf-16"]).assert().stdout("déjà vu\nab\n");
}

#[test]
fn repair_and_dump_bits_read_the_detected_encoding() {
    let dir = dir();
    let auto = |args: &[&str]| {
        let mut command = utf8();
        command.current_dir(dir.path("")).args(args);
        command
    };
    let damaged = "déjà vu, déjà lu, déjà écrit\n".repeat(20).into_bytes();
    dir.write("damaged", [&damaged[..], b"\xC0\xAF\n"].concat());
    let repaired = [&damaged[..], "\u{FFFD}\u{FFFD}\n".as_bytes()].concat();
    for (file, codec) in [
        ("latin", "windows-1252"),
        ("utf-8", "utf-8"),
        ("utf-16", "utf-16"),
        ("ascii", "utf-8"),
        ("damaged", "utf-8"),
    ] {
        let bytes = std::fs::read(dir.path(file)).unwrap();
        let told = format!("{file}: read as {codec}\n");
        let text = if file == "damaged" { &repaired } else { &bytes };
        let mut out = auto(&["repair", "-f", "auto", "-v", file]).assert().code(0);
        assert!(out.get_output().stderr.starts_with(told.as_bytes()), "{out}");
        assert_eq!(out.get_output().stdout, *text, "{file}");
        out = auto(&["repair", "-f", "auto"]).write_stdin(bytes.clone()).assert().code(0);
        assert_eq!(out.get_output().stdout, *text, "{file}");
        // In place as to standard output.
        dir.write("copy", &bytes);
        auto(&["repair", "-f", "auto", "-i", "--on-error", "replace", "copy"]).assert().code(0);
        assert_eq!(std::fs::read(dir.path("copy")).unwrap(), *text, "{file}");
        let named = auto(&["dump-bits", "-f", codec, file]).output().unwrap();
        out = auto(&["dump-bits", "-f", "auto", "-v", file]).assert().code(0);
        assert_eq!(out.get_output().stdout, named.stdout, "{file}");
        let note = String::from_utf8_lossy(&out.get_output().stderr).into_owned();
        assert!(note.contains(&format!("bytes, read as {codec}, ")), "{note}");
    }
}

#[test]
fn from_auto_refuses_guesses_and_mixtures() {
    let dir = dir();
    dir.write("binary", (0..=255).cycle().take(1024).collect::<Vec<u8>>());
    let auto = |args: &[&str]| {
        let mut command = utf8();
        command.current_dir(dir.path("")).args(args);
        command
    };
    for command in [&["repair"][..], &["repair", "-i"], &["repair", "--check"], &["dump-bits"]] {
        let args = [command, &["-f", "auto", "binary"]].concat();
        let refused = auto(&args).assert().code(2).stdout("");
        refused.stderr(starts_with("utf8: binary: is binary (name a codec with --from; "));
    }
    // Each file in place has its own encoding; a joined output has one.
    auto(&["repair", "-f", "auto", "-i", "latin", "utf-8"]).assert().code(0).stderr("");
    let mixed = auto(&["repair", "-f", "auto", "utf-8", "latin"]).assert().code(2);
    mixed.stderr("utf8: latin: is windows-1252, the output so far utf-8 (repair them one by one, or with -i)\n");
    // A plan that does not fit the encoding is refused for its file only.
    let args = ["repair", "-f", "auto", "-i", "--bom", "add", "latin", "ascii"];
    let unfit = auto(&args).assert().code(2);
    unfit.stderr(starts_with("utf8: latin: --bom add: windows-1252 has no byte order mark\n"));
    assert_eq!(std::fs::read(dir.path("ascii")).unwrap(), b"\xEF\xBB\xBFplain\r\n");
    let gate = auto(&["validate", "-f", "auto", "utf-8"]).assert().code(2);
    gate.stderr(contains("the encoding is not guessed here; utf8 detect names it"));
}

#[test]
fn from_auto_reads_streams_longer_than_the_sample() {
    let text = "Быстрая лиса прочитала книгу. ".repeat(100_000);
    let bytes: Vec<u8> = text.clone().into_bytes();
    utf8().args(["encode", "-f", "auto"]).write_stdin(bytes).assert().code(0).stdout(text);
    // ASCII within the limit.
    let text = "ASCII only\n".repeat(150_000) + "é";
    utf8().args(["encode", "-f", "auto"]).write_stdin(text.clone()).assert().stdout(text);
}

#[test]
fn from_auto_refuses_doubtful_answers() {
    let dir = dir();
    // Damage is a fault of the text, and not trouble.
    let long = "(utf8 detect --format long";
    for (file, status, said) in [
        ("damaged", 1, format!("is damaged-utf-8 {long} damaged shows the damage")),
        ("data", 2, "utf8 detect --format long data shows the evidence)".to_owned()),
    ] {
        utf8()
            .current_dir(dir.path(""))
            .args(["encode", "-f", "auto", file])
            .assert()
            .code(status)
            .stdout("")
            .stderr(contains(said));
    }
    utf8()
        .args(["encode", "-f", "auto", "-xe", "636166E9"])
        .assert()
        .code(2)
        // Each text once, with the first of its names.
        .stderr(contains("no encoding is 80 % likely: windows-1252 or "))
        .stderr(contains(" and others "));
    // With `--in-place`, a refused file stays as it is.
    utf8()
        .current_dir(dir.path(""))
        .args(["encode", "-f", "auto", "-i", "damaged"])
        .assert()
        .code(1);
    assert_eq!(std::fs::read(dir.path("damaged")).unwrap(), DAMAGED);
    utf8().current_dir(dir.path("")).args(["encode", "-f", "auto", "-i", "latin"]).assert().code(0);
    assert_eq!(printed(&dir, &["latin"]), "utf-8\n");
    // Да
    let declared = b"<?xml version=\"1.0\" encoding=\"koi8-r\"?><a>\xE4\xC1</a>\n";
    let dir = Dir::of(&[("f", declared)]);
    let out = dir.run("decode").args(["-f", "auto", "f"]).assert().code(2).stdout("");
    out.stderr(ends_with("(name one with --from; it declares koi8-r)\n"));
    // It is no UTF-8.
    dir.write("f", b"<?xml version=\"1.0\" encoding=\"utf-8\"?><a>\xE4\xC1</a>\n");
    let out = dir.run("decode").args(["-f", "auto", "f"]).assert().code(2).stdout("");
    out.stderr(ends_with("(name one with --from)\n"));
}

#[test]
fn from_auto_reports_the_encoding() {
    let dir = dir();
    utf8()
        .current_dir(dir.path(""))
        .args(["decode", "-f", "auto", "-v", "-i", "latin", "ascii"])
        .assert()
        .code(0)
        .stderr(contains("latin: converted from windows-1252 to utf-8, 52 bytes\n"))
        .stderr(contains("ascii: 7 bytes, read as us-ascii, unchanged\n"));
    // UTF-16 with a BOM, and half a unit at the end.
    utf8()
        .args(["decode", "-f", "auto", "-xe", "FFFE 6100 62"])
        .assert()
        .code(1)
        .stderr(contains("read as utf-16: utf8 detect"));
}

#[test]
fn from_auto_takes_a_bom_for_a_sign_if_the_target_cannot_hold_it() {
    let dir =
        Dir::of(&[("bom", "\u{FEFF}höher\n".as_bytes()), ("two", "\u{FEFF}\u{FEFF}ö".as_bytes())]);
    let decode = |args: &[&str]| dir.run("decode").args(args).assert();
    for to in ["windows-1252", "shift_jis", "koi8-r"] {
        // Of the joined inputs, each has its own.
        let out = decode(&["-f", "auto", "-t", to, "--on-error", "replace", "bom", "bom"]).code(0);
        let text = out.get_output().stdout.clone();
        let target = Encoding::for_label(to).unwrap();
        let wanted = utf8::encode(target, "höher\nhöher\n", Policy::Replace).unwrap();
        assert_eq!(text, wanted, "{to}");
    }
    // What holds it keeps it, and a second one is text.
    decode(&["-f", "auto", "-t", "utf-16be", "bom"]).stdout(&b"\xFE\xFF\0h\0\xF6\0h\0e\0r\0\n"[..]);
    decode(&["-f", "auto", "-t", "windows-1252", "two"]).code(1).stderr(contains("byte 3: "));
    // A named encoding, or an option, decides otherwise.
    let named = "--bom remove omits it";
    decode(&["-f", "utf-8", "-t", "windows-1252", "bom"]).code(1).stderr(contains(named));
    decode(&["-f", "auto", "-t", "windows-1252", "--bom", "keep", "bom"]).code(1);
    decode(&["-f", "auto", "-t", "windows-1252", "-i", "bom"]).code(0);
    assert_eq!(std::fs::read(dir.path("bom")).unwrap(), b"h\xF6her\n");
}

/// A byte after the last code unit is named, with a command that reads the rest.
#[test]
fn code_units_that_are_cut_are_named() {
    let text = "Grüße aus Köln, und viel Text\n";
    let cut: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).chain([b'A']).collect();
    let dir = Dir::of(&[("f", &cut)]);
    let told = dir.run("detect").args(["--format", "long", "f"]).assert().code(0);
    told.stdout(
        contains("damage     1 byte after the last code unit, at the end\n")
            .and(ends_with("next       utf8 decode -f utf-16le --on-error replace f\n")),
    );
    let read = ["-f", "utf-16le", "--on-error", "replace", "-t", "utf-8", "f"];
    dir.run("decode").args(read).assert().code(0).stdout(text.to_owned() + "\u{FFFD}");
    let refused = dir.run("decode").args(["-f", "utf-16le", "f"]).assert().code(1);
    refused.stderr(ends_with(
        "byte 60: truncated 2-byte sequence 41: expected code units of 2 bytes, found the end of \
         input [truncated-end] (--on-error replace continues; utf8 validate -f utf-16le f lists \
         all)\n",
    ));
}
