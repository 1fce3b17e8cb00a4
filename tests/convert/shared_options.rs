//! Do the options that every command has do what they say: inputs, codecs, names, colours?

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::process::Stdio;

use assert_cmd::assert::Assert;
use predicates::prelude::*;
use predicates::str::contains;
use serde_json::json;

use crate::common::bin::{self, Dir, at, hex, lines, objects, skipped, utf8, validate};
use utf8::kernel::KERNELS;
use utf8::registry::CODECS;

/// The findings of E2 82 AC C0 AF, whatever the input is called.
fn euro_and_a_fault(name: &str) -> String {
    format!("{name}:1:4: byte 0x3 (3): overlong 2-byte form C0 AF of U+002F [overlong-2]\n")
}

// FILE, -, -e, -x

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
fn what_is_no_hex_is_an_error_with_its_position() {
    for (digits, what) in [
        ("E2 8", "unexpected end at byte 4"),
        ("E", "unexpected end at byte 1"),
        ("E2 8G", "unexpected \"G\" at byte 4"),
        ("E 2", "unexpected byte 20 at byte 1"),
        ("E2-82", "unexpected \"-\" at byte 2"),
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
fn faults_before_an_error_in_hex_are_told() {
    let dir = Dir::of(&[("digits", b"C0 AF 41 4z")]);
    let out = dir.validate().args(["-x", "digits"]).assert().code(2);
    out.stdout(contains("[overlong-2]")).stderr(contains("unexpected \"z\" at byte 10"));
}

#[test]
fn hex_of_nothing_is_nothing() {
    hex("", &["-v"]).code(0).stderr("-e: valid, 0 bytes\n");
    hex(" \n", &["-v"]).code(0).stderr("-e: valid, 0 bytes\n");
}

// -f, --list-codecs

/// Bytes that one codec takes, and bytes that it does not, with the kind of the first fault.
#[rustfmt::skip]
static CODEC_CASES: &[(&str, &str, &str, &str)] = &[
    ("utf-8", "F0 9F 98 80 00", "ED A0 80", "surrogate-high"),
    ("utf-8-bom", "EF BB BF 41", "EF BB 41", "truncated-next"),
    ("utf-8n", "EF BB BF 41", "41 ED B0 80", "surrogate-low"),
    ("rfc2279", "F4 90 80 80 FD BF BF BF BF BF ED A0 80", "FC 83 BF BF BF BF", "overlong-6"),
    ("cesu-8", "ED A0 BD ED B8 80", "F0 9F 98 80", "four-byte"),
    ("mutf-8", "C0 80 ED A0 BD ED B8 80 ED A0 80", "00", "raw-nul"),
    ("mutf-8-lax", "00 C0 80 C1 81 E0 81 81 ED A0 80", "F0 9F 98 80", "four-byte"),
    ("wtf-8", "ED A0 BD F0 9F 98 80", "ED A0 BD ED B8 80", "surrogate-pair"),
    ("generalized-utf-8", "ED A0 BD ED B8 80", "C0 80", "overlong-nul"),
    ("utf8mb3", "E2 82 AC", "F0 9F 98 80", "four-byte"),
    ("utf-1", "9F A0 A0 F7 2F C3 FD BD 2B B9 40", "A0 21", "truncated-next"),
    ("fss-utf-1992", "80 FF C2 EE FF F7 EF DF BE FF", "F8", "invalid-lead"),
    ("utf-7", "41 2B 49 6D 49 44 6B 51 2E 2B 2D", "2B 41 47 46 2D", "bad-escape"),
    ("utf-7-imap", "26 55 2C 42 54 46 77 2D 26 2D 7E", "26 4A 6A 6F 21", "bad-escape"),
    ("ucs-2le", "FF FE 41 00 FF FF", "3D D8 00 DE", "surrogate-high"),
    ("ucs-2be", "FE FF 00 41 FF FF", "D8 3D DE 00", "surrogate-high"),
    ("ucs-2", "FF FE FF D7 00 E0", "D7 FF DC 00", "surrogate-low"),
    ("utf-16le", "3D D8 00 DE FF FE", "3D D8 41 00", "surrogate-high"),
    ("utf-16be", "D8 3D DE 00 FE FF", "DE 00 D8 3D", "surrogate-low"),
    ("utf-16", "FF FE 3D D8 00 DE", "FF FE 00 DE", "surrogate-low"),
    ("wtf-16le", "3D D8 00 DE 3D D8 41 00 00 DE", "41", "truncated-end"),
    ("wtf-16be", "D8 3D DE 00 D8 3D 00 41 DE 00", "D8 3D DE", "truncated-end"),
    ("utf-32le", "FF FF 10 00 FF FE 00 00", "00 00 11 00", "above-10ffff"),
    ("utf-32be", "00 10 FF FF 00 00 FE FF", "00 00 D8 00", "surrogate-high"),
    ("utf-32", "FF FE 00 00 41 00 00 00", "41 00 00 00", "above-10ffff"),
    ("ucs-4le", "FF FF FF 7F 00 D8 00 00", "00 00 00 80", "above-7fffffff"),
    ("ucs-4be", "7F FF FF FF 00 00 D8 00", "80 00 00 00", "above-7fffffff"),
    ("gbk", "C4 E3 80", "C4", "truncated-end"),
    ("gb18030", "81 30 81 30 C4 E3", "81 30 81", "truncated-end"),
    ("big5", "A7 41 88 62", "A7 20", "truncated-next"),
    ("big5-hkscs", "A7 41 88 62", "81 40", "unmapped"),
    ("euc-jp", "A4 A2 8E B1 8F B0 A1", "8F A2 20", "truncated-next"),
    ("shift_jis", "82 A0 B1 80", "A0", "unmapped"),
    ("iso-2022-jp", "1B 24 42 24 22 1B 28 42 61", "1B 24 42 24 1B 28 42", "truncated-next"),
    ("euc-kr", "B0 A1 81 41", "C9 A1", "unmapped"),
    ("code-points", "55 2B 32 30 41 43 20 23 38 33 36 34", "55 2B 32 30 5A", "bad-escape"),
    ("rust", "5C 75 7B 32 30 41 43 7D 5C 6E", "5C 75 7B 44 38 30 30 7D", "bad-escape"),
    ("json", "5C 75 32 30 61 63 5C 75 64 38 33 64", "5C 75 32 30 5A", "bad-escape"),
    ("c", "5C 33 34 32 5C 32 30 32 5C 32 35 34", "5C 34 30 30", "bad-escape"),
    ("python", "5C 4E 7B 45 55 52 4F 20 53 49 47 4E 7D", "5C 78 67", "bad-escape"),
    ("html", "26 65 75 72 6F 3B 26 78", "26 6E 6F 73 75 63 68 3B", "bad-escape"),
    ("percent", "25 45 32 25 38 32 25 41 43", "25 45 32", "bad-escape"),
];

#[test]
fn each_codec_has_its_own_rules() {
    for (codec, good, bad, kind) in CODEC_CASES {
        hex(good, &["-f", codec]).code(0).stdout("").stderr("");
        hex(bad, &["--from", codec]).code(1).stdout(contains(format!("[{kind}]")));
    }
}

#[test]
fn two_codecs_take_every_input() {
    for codec in ["utf-8-surrogateescape", "optu-8"] {
        hex("00 80 C0 AF E2 82 ED A0 80 EF BE 80 F0 9F FE FF", &["-f", codec]).code(0);
    }
}

#[test]
fn windows_1252_takes_every_input() {
    let all: String = (0..=u8::MAX).map(|byte| format!("{byte:02X}")).collect();
    hex(&all, &["-f", "windows-1252"]).code(0).stdout("").stderr("");
    hex(&all, &["-f", "us-ascii"]).code(1);
    // What has no U+FEFF starts with none.
    assert_eq!(bin::json(&all, &["-f", "windows-1252"])[0]["bom"], false);
}

#[test]
fn no_codec_lacks_a_case() {
    let cases = CODEC_CASES.iter().map(|case| case.0);
    let mut names: Vec<_> = cases.chain(["utf-8-surrogateescape", "optu-8"]).collect();
    names.sort_unstable();
    // The single-byte pages are compared byte by byte elsewhere.
    let others = CODECS.iter().filter(|spec| spec.reach != Some(0));
    let mut codecs: Vec<_> = others.map(|spec| spec.name).collect();
    codecs.sort_unstable();
    assert_eq!(names, codecs);
}

#[test]
fn labels_are_matched_loosely() {
    for (label, codec) in [
        ("utf8", "utf-8"),
        ("UTF 8", "utf-8"),
        ("u_t_f-8", "utf-8"),
        ("U8", "utf-8"),
        ("utf", "utf-8"),
        ("cs-UTF-8", "utf-8"),
        ("Unicode11UTF8", "utf-8"),
        ("unicode-1-1-utf-8", "utf-8"),
        ("unicode20utf8", "utf-8"),
        ("X-Unicode20UTF8", "utf-8"),
        ("UNICODE-2-0-UTF-8", "utf-8"),
        ("utf8mb4", "utf-8"),
        ("AL32UTF8", "utf-8"),
        ("65001", "utf-8"),
        ("CP-65001", "utf-8"),
        ("cp_utf8", "utf-8"),
        ("iso-10646/utf-8", "utf-8"),
        ("18n", "utf-8"),
        ("utf-8-sig", "utf-8-bom"),
        ("UTF8-BOM", "utf-8-bom"),
        ("utf-8-nobom", "utf-8n"),
        ("UTF8N", "utf-8n"),
        ("utf-8-31", "rfc2279"),
        ("UTF8-31bit", "rfc2279"),
        ("utf-8-1998", "rfc2279"),
        ("utf8-old", "rfc2279"),
        ("x-utf-8-6", "rfc2279"),
        ("FSS-UTF", "rfc2279"),
        ("utf-fss", "rfc2279"),
        ("utf2", "rfc2279"),
        ("RFC 2279", "rfc2279"),
        ("CESU8", "cesu-8"),
        ("csCESU-8", "cesu-8"),
        ("Oracle UTF8", "cesu-8"),
        ("MUTF8", "mutf-8"),
        ("Modified-UTF-8", "mutf-8"),
        ("java-utf8", "mutf-8"),
        ("JNI UTF-8", "mutf-8"),
        ("dex", "mutf-8"),
        ("cesu8nul", "mutf-8"),
        ("tcl-utf-8", "mutf-8"),
        ("WTF8", "wtf-8"),
        ("generalized utf8", "generalized-utf-8"),
        ("surrogateescape", "utf-8-surrogateescape"),
        ("PEP 383", "utf-8-surrogateescape"),
        ("utf-8b", "utf-8-surrogateescape"),
        ("OPTU8", "optu-8"),
        ("mysql-utf8", "utf8mb3"),
        ("CP-UTF8MB3", "utf8mb3"),
        ("UTF1", "utf-1"),
        ("ISO-10646-UTF-1", "utf-1"),
        ("csISO10646UTF1", "utf-1"),
        ("iso_ir_178", "utf-1"),
        ("FSS-UTF-Prosser", "fss-utf-1992"),
        ("utf-fss-draft", "fss-utf-1992"),
        ("UCS2", "ucs-2"),
        ("csUnicode", "ucs-2"),
        ("ISO-10646-UCS-2", "ucs-2"),
        ("UTF-16", "utf-16"),
        ("u16", "utf-16"),
        ("Unicode", "utf-16"),
        ("UnicodeBig", "utf-16"),
        ("UTF_16BE", "utf-16be"),
        ("UnicodeBigUnmarked", "utf-16be"),
        ("1201", "utf-16be"),
        ("AL16UTF16", "utf-16be"),
        ("UnicodeLittleUnmarked", "utf-16le"),
        ("1200", "utf-16le"),
        ("U32", "utf-32"),
        ("12000", "utf-32le"),
        ("12001", "utf-32be"),
        ("UCS-4", "ucs-4be"),
        ("iso-10646-ucs-4", "ucs-4be"),
        ("csUCS4", "ucs-4be"),
        ("Latin-1", "iso-8859-1"),
        ("ASCII", "us-ascii"),
        ("ANSI", "windows-1252"),
        ("cp874", "windows-874"),
        ("CP-437", "ibm437"),
        ("koi8_r", "koi8-r"),
        ("IBM-037", "ibm037"),
        ("Windows-31J", "shift_jis"),
    ] {
        let found = bin::json("41", &["-f", label]);
        assert_eq!(found.last().unwrap()["codec"], codec, "{label}");
    }
}

#[test]
fn an_unknown_codec_names_the_nearest() {
    for (label, near) in [
        ("utf-9", "utf-8"),
        ("cesu", "cesu-8"),
        ("mysqlutf", "mysql-utf8"),
        ("surogateescape", "surrogateescape"),
        ("rfc2729", "rfc2279"),
    ] {
        let out = validate().args(["-f", label, "-e", "a"]).assert().code(2).stdout("");
        out.stderr(contains(label).and(contains("similar names")).and(contains(near)));
    }
    validate().args(["-f", "", "-e", "a"]).assert().code(2);
}

#[test]
fn the_list_of_codecs_has_names_aliases_and_a_line_each() {
    for command in [&["--list-codecs"][..], &["validate", "--list-codecs"]] {
        let out = utf8().args(command).assert().code(0).stderr("");
        let text = String::from_utf8(out.get_output().stdout.clone()).unwrap();
        let properties =
            |word: &&str| word.len() == 5 && word.chars().all(|c| "yasul-".contains(c));
        let rows = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
        let rows = rows.filter(|words| words.get(1).is_some_and(properties));
        let listed: Vec<_> = rows.map(|words| words[0]).collect();
        assert!(listed.iter().copied().eq(CODECS.iter().map(|spec| spec.name)), "{listed:?}");
        for alias in ["oracle-utf8", "mysql-utf8", "utf-8-sig", "java-utf-8", "pep383", "fss-utf"] {
            assert!(text.contains(alias), "{alias} is not in the list");
        }
    }
}

#[test]
fn the_list_of_codecs_has_groups_and_properties() {
    let mut out = utf8().arg("--list-codecs").assert().code(0);
    for line in [
        "y  synchronises itself: a reader can start anywhere\n",
        "\n\nUTF-8 and its relatives\nutf-8                  ya-u-  UTF-8 (RFC 3629",
        "\nwtf-8                  ya-ul  WTF-8",
        "\nucs-2le                -----  UCS-2",
        "\nutf-16le               ---u-  UTF-16",
        "\niso-8859-1             ya---  Latin-1: U+0000..00FF (WHATWG takes this name for",
        "\nibm1047                y----  ",
        "\neuc-jp                 -a---  ",
        "\nshift_jis              -----  ",
    ] {
        out = out.stdout(contains(line));
    }
}
#[test]
fn the_list_of_codecs_is_json_if_asked() {
    for command in [&["--list-codecs"][..], &["validate", "--list-codecs"]] {
        let out = utf8().args(command).args(["--format", "json"]).assert().code(0);
        let listed = objects(&out.get_output().stdout);
        assert_eq!(listed.len(), CODECS.len());
        for (object, spec) in listed.iter().zip(CODECS) {
            assert_eq!(object["type"], "codec");
            assert_eq!(object["name"], spec.name);
            assert_eq!(object["labels"], json!(spec.labels));
            assert!(!object["summary"].as_str().unwrap().is_empty());
            assert!(!object["group"].as_str().unwrap().is_empty());
            assert_eq!(object["self_synchronising"], spec.reach.is_some());
            assert_eq!(object["ascii_transparent"], spec.traits.transparent);
            assert_eq!(object["stateful"], spec.traits.stateful);
            assert_eq!(object["all_scalars"], spec.traits.scalars);
            assert_eq!(object["lone_surrogates"], spec.traits.surrogates);
        }
    }
}

// --files-from, -0

fn listed() -> Dir {
    Dir::of(&[("a", b"\xFF"), ("b c", b"good"), ("sub.d", b"\xFF")])
}

#[test]
fn names_are_read_from_a_file() {
    let dir = listed();
    for list in ["a\nb c\nsub.d\n", "a\nb c\nsub.d", "\na\n\nb c\nsub.d\n\n"] {
        dir.write("list", list);
        let out = dir.validate().args(["-v", "-c", "--files-from", "list"]).assert().code(1);
        out.stdout("a:1\nb c:0\nsub.d:1\n");
    }
}

#[test]
fn names_are_read_from_standard_input() {
    let out =
        listed().validate().args(["-c", "--files-from", "-"]).write_stdin("a\nb c\n").assert();
    out.code(1).stdout("a:1\nb c:0\n");
}

#[test]
fn names_end_with_nul_if_asked() {
    let dir = listed();
    dir.write("two\nlines", b"\xFF");
    for list in ["a\0two\nlines\0", "a\0two\nlines"] {
        let mut command = dir.validate();
        command.args(["-l0", "--files-from", "-"]).write_stdin(list);
        command.assert().code(1).stdout("a\0two\nlines\0");
    }
}

#[test]
fn named_files_come_before_those_of_the_list() {
    let dir = listed();
    dir.write("list", "a\n");
    let out = dir.validate().args(["-c", "--files-from", "list", "b c"]).assert().code(1);
    out.stdout("b c:0\na:1\n");
}

#[test]
fn an_empty_list_names_nothing() {
    listed()
        .validate()
        .args(["-v", "--files-from", "-"])
        .write_stdin("")
        .assert()
        .code(0)
        .stderr("");
}

#[test]
fn a_list_that_cannot_be_read_is_trouble() {
    let out = listed().validate().args(["--files-from", "missing", "a"]).assert().code(2);
    out.stdout(contains("a:1:1")).stderr(contains("utf8: missing: No such file or directory"));
}

#[test]
fn a_directory_in_a_list_is_skipped_with_a_note() {
    let dir = listed();
    fs::create_dir(dir.path("folder")).unwrap();
    let out = dir.validate().args(["-c", "--files-from", "-"]).write_stdin("folder\na\n").assert();
    out.code(1).stdout("a:1\n").stderr("folder: is a directory, skipped\n");
    let out =
        dir.validate().args(["-q", "--files-from", "-"]).write_stdin("folder\nb c\n").assert();
    out.code(0).stderr("");
}

#[test]
fn a_directory_on_the_command_line_is_an_error() {
    let dir = listed();
    fs::create_dir(dir.path("folder")).unwrap();
    let out = dir.validate().args(["-c", "folder", "a"]).assert().code(2);
    out.stdout("a:1\n").stderr(predicate::str::starts_with("utf8: folder: is a directory ("));
}

#[test]
fn names_that_are_not_utf_8_are_files_like_others() {
    let dir = Dir::new();
    if !dir.try_write(b"caf\xE9", b"\xC0\xAF") {
        return skipped("a name in Latin-1", "the file system takes none");
    }
    let line = "caf\\xE9:1:1: byte 0x0 (0): overlong 2-byte form C0 AF of U+002F [overlong-2]\n";
    let name = OsStr::from_bytes(b"caf\xE9");
    dir.validate().arg(name).assert().code(1).stdout(line);
    let list = b"caf\xE9\n".to_vec();
    dir.validate().args(["--files-from", "-"]).write_stdin(list).assert().code(1).stdout(line);
    dir.validate().arg("-l0").arg(name).assert().code(1).stdout(&b"caf\xE9\0"[..]);
    dir.validate().arg("-l").arg(name).assert().code(1).stdout("caf\\xE9\n");
}

#[test]
fn a_missing_file_is_trouble_and_the_others_are_done() {
    let out = listed().validate().args(["-c", "a", "missing", "b c"]).assert().code(2);
    let said = predicate::str::starts_with("utf8: missing: No such file or directory (");
    out.stdout("a:1\nb c:0\n").stderr(said);
}

#[test]
fn an_unreadable_file_is_trouble_and_the_others_are_done() {
    use std::os::unix::fs::PermissionsExt;
    let dir = listed();
    fs::set_permissions(dir.path("a"), fs::Permissions::from_mode(0o000)).unwrap();
    if fs::File::open(dir.path("a")).is_ok() {
        return skipped("an unreadable file", "this user may read everything");
    }
    let out = dir.validate().args(["-c", "a", "sub.d"]).assert().code(2);
    let said = predicate::str::starts_with("utf8: a: Permission denied (");
    out.stdout("sub.d:1\n").stderr(said);
}

// -s, -n

#[test]
fn sizes_are_decimal_or_hex_with_units() {
    let mut bytes = vec![b'a'; 3 << 20];
    for at in [0x10, 1 << 10, 1 << 20] {
        bytes[at] = 0xFF;
    }
    let dir = Dir::of(&[("f", &bytes)]);
    let offsets = |args: &[&str]| {
        let out = dir.validate().args(["--format", "tsv", "f"]).args(args).assert();
        let text = String::from_utf8(out.get_output().stdout.clone()).unwrap();
        text.lines().map(|line| line.split('\t').next().unwrap().parse().unwrap()).collect()
    };
    let all: Vec<u64> = vec![0x10, 1 << 10, 1 << 20];
    for (args, expected) in [
        (&["-s", "0"][..], &all[..]),
        (&["-s", "16"], &all),
        (&["-s", "0x10"], &all),
        (&["-s", "17"], &all[1..]),
        (&["-s", "0x11"], &all[1..]),
        (&["-s", "1k"], &all[1..]),
        (&["-s", "1K"], &all[1..]),
        (&["-s", "0x1k"], &all[1..]),
        (&["-s", "1025"], &all[2..]),
        (&["-s", "1M"], &all[2..]),
        (&["-s", "1m"], &all[2..]),
        (&["-s", "1G"], &[]),
        (&["-s", "0xFFFFFFFFFFFFFFFF"], &[]),
        (&["-n", "1k"], &all[..1]),
        (&["-n", "1025"], &all[..2]),
        (&["-n", "1M"], &all[..2]),
        (&["-n", "3M"], &all),
        (&["-n", "0"], &[]),
        (&["--skip", "1k", "--length", "1"], &all[1..2]),
        (&["-s1k", "-n1"], &all[1..2]),
        (&["-s", "-2M"], &all[2..]),
        (&["-s-2M"], &all[2..]),
        (&["--skip=-2M"], &all[2..]),
        (&["-s", "-0x200000"], &all[2..]),
        (&["-s", "-3G"], &all),
        (&["-s", "-0"], &[]),
    ] {
        let found: Vec<u64> = offsets(args);
        assert_eq!(found, expected, "{args:?}");
    }
}

#[test]
fn what_is_no_size_is_a_usage_error() {
    for (option, value, why) in [
        ("-s", "x", "expected a number of bytes"),
        ("-s", "1kb", "expected a number of bytes"),
        ("-s", "0x", "expected a number of bytes"),
        ("-s", "1.5k", "expected a number of bytes"),
        ("-s", "--5", "expected a number of bytes"),
        ("-n", "", "expected a number of bytes"),
        ("-s", "18446744073709551616", "too large"),
        ("-n", "17179869184G", "too large"),
    ] {
        let out = validate().args([option, value, "-e", "a"]).assert().code(2).stdout("");
        out.stderr(contains(why));
    }
    validate().args(["-n", "-1", "-e", "a"]).assert().code(2).stdout("");
}

// UTF8_KERNEL, --version

#[test]
fn each_kernel_finds_the_same() {
    let mut bytes = "Grüße, 日本語 😀\n".repeat(50).into_bytes();
    bytes.extend(b"\xED\xA0\x80 \xC0\xAF");
    let dir = Dir::of(&[("f", &bytes)]);
    let run = |kernel: &str| {
        let out =
            dir.validate().args(["--format", "json", "f"]).env("UTF8_KERNEL", kernel).assert();
        out.code(1).get_output().stdout.clone()
    };
    let best = run("");
    for row in KERNELS.iter() {
        if (row.available)() {
            assert_eq!(run(row.name), best, "{}", row.name);
        } else {
            skipped(row.name, "this CPU has it not");
        }
    }
}

#[test]
fn an_unknown_kernel_is_an_error_that_lists_those_there_are() {
    let out = validate().args(["-e", "a"]).env("UTF8_KERNEL", "abacus").assert().code(2).stdout("");
    let said = predicate::str::starts_with("utf8: UTF8_KERNEL: ").and(contains("abacus"));
    out.stderr(said.and(contains("scalar")).and(contains("portable")));
}

#[test]
fn the_long_version_names_the_kernel() {
    for row in KERNELS.iter().filter(|row| (row.available)()) {
        let out = utf8().arg("--version").env("UTF8_KERNEL", row.name).assert().code(0);
        let text = String::from_utf8(out.get_output().stdout.clone()).unwrap();
        let line = text.lines().find(|line| line.starts_with("kernel: ")).expect("a line for it");
        assert_eq!(line.split(' ').nth(1), Some(row.name));
        assert!(text.starts_with(&format!("utf8 {}\n", env!("CARGO_PKG_VERSION"))), "{text}");
    }
}

#[test]
fn the_short_version_is_one_line() {
    let line = format!("utf8 {}\n", env!("CARGO_PKG_VERSION"));
    utf8().arg("-V").assert().code(0).stdout(line).stderr("");
}

// --color, NO_COLOR, CLICOLOR_FORCE

#[test]
fn colours_are_for_terminals_and_for_those_who_insist() {
    let coloured = |option: &str, variables: &[(&str, &str)]| {
        let mut command = validate();
        command.args(["--color", option, "-xe", "C0 AF"]).envs(variables.iter().copied());
        let out = command.assert().code(1);
        out.get_output().stdout.contains(&0x1B)
    };
    let (none, force) = (("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1"));
    assert!(!coloured("auto", &[]), "a pipe is no terminal");
    assert!(!coloured("auto", &[none]));
    assert!(coloured("auto", &[force]));
    assert!(!coloured("auto", &[force, none]), "NO_COLOR wins");
    assert!(!coloured("auto", &[("CLICOLOR_FORCE", "0")]));
    assert!(!coloured("auto", &[("CLICOLOR_FORCE", "")]));
    assert!(coloured("auto", &[force, ("NO_COLOR", "")]), "an empty one is none");
    assert!(coloured("always", &[]));
    assert!(coloured("always", &[none]), "the option wins");
    assert!(!coloured("never", &[force]), "the option wins");
}

#[test]
#[cfg(target_os = "linux")]
fn a_terminal_has_colours_unless_it_has_none() {
    let coloured = |variables: &[(&str, &str)]| {
        let (mut person, program) = bin::terminal();
        let mut command = bin::raw_validate();
        command.args(["-xe", "C0 AF"]).envs(variables.iter().copied());
        command.stdout(program).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        drop(command);
        let seen = bin::seen(&mut person);
        assert_eq!(child.wait().unwrap().code(), Some(1));
        assert!(String::from_utf8_lossy(&seen).contains("overlong 2-byte form C0 AF of U+002F"));
        seen.contains(&0x1B)
    };
    assert!(coloured(&[]));
    assert!(coloured(&[("TERM", "xterm")]));
    assert!(!coloured(&[("TERM", "dumb")]));
    assert!(!coloured(&[("NO_COLOR", "1")]));
}

#[test]
fn colours_change_nothing_but_colours() {
    let plain = |bytes: &[u8]| {
        let text = String::from_utf8(bytes.to_vec()).unwrap();
        let (first, rest) = text.split_once('\x1B').expect("colours");
        let rest = rest.split('\x1B').map(|part| part.split_once('m').expect("SGR").1);
        first.to_owned() + &rest.collect::<String>()
    };
    for format in ["text", "full"] {
        let args = ["--format", format, "--segments", "maximal"];
        let never = hex("41 C0 AF E2 82", &[&args[..], &["--color", "never"]].concat());
        let always = hex("41 C0 AF E2 82", &[&args[..], &["--color", "always"]].concat());
        let never = String::from_utf8(never.get_output().stdout.clone()).unwrap();
        assert_eq!(plain(&always.get_output().stdout), never);
    }
    for format in ["json", "tsv"] {
        let always = hex("41 C0 AF", &["--format", format, "--color", "always"]);
        assert!(!always.get_output().stdout.contains(&0x1B), "{format} is for programs");
    }
}

// --mmap, --progress

#[test]
fn mapped_or_read_the_output_is_the_same() {
    let mut bytes = "Grüße, 日本語 😀\n".repeat(60_000).into_bytes();
    let len = bytes.len();
    for at in [0, 4095, 4096, len / 2, len - 1] {
        bytes[at] = 0xF5;
    }
    let dir = Dir::of(&[("f", &bytes)]);
    for format in ["text", "full", "json", "tsv"] {
        let run = |how: &str, stdin: bool| {
            let mut command = dir.raw();
            command.args(["--format", format, "--mmap", how, "--stats"]);
            let command = if stdin { command.stdin(at(&bytes, 0)) } else { command.arg("f") };
            let out = command.output().unwrap();
            assert_eq!(out.status.code(), Some(1));
            (out.stdout, out.stderr)
        };
        let never = run("never", false);
        assert_eq!(run("always", false), never);
        assert_eq!(run("auto", false), never);
        assert_eq!(run("always", true), run("never", true));
    }
}

fn said(out: &Assert) -> (Vec<u8>, Vec<u8>) {
    (out.get_output().stdout.clone(), out.get_output().stderr.clone())
}

#[test]
fn progress_never_reaches_standard_output() {
    let quiet = said(&hex("41 C0 AF", &["--progress", "never"]).code(1));
    assert_eq!(said(&hex("41 C0 AF", &[]).code(1)), quiet, "a pipe gets none");
    let always = said(&hex("41 C0 AF", &["--progress", "always"]).code(1));
    assert_eq!(always.0, quiet.0);
    let shown = String::from_utf8(always.1).unwrap();
    assert!(shown.ends_with("-e: 1 ill-formed sequence in 3 bytes\n"), "{shown}");
}

// Names

#[test]
fn an_ascii_locale_has_names_escaped() {
    let dir = Dir::of(&[("Grüße 😀", b"\xFF")]);
    let name = "Gr\\u{00FC}\\u{00DF}e \\u{1F600}";
    for locale in ["C", "POSIX", "en_US.ISO-8859-1"] {
        let out = dir.validate().env("LC_ALL", locale).args(["Grüße 😀", "fehlt: ä"]).assert();
        out.code(2)
            .stdout(format!(
                "{name}:1:1: byte 0x0 (0): byte FF starts no sequence [invalid-fe-ff]\n"
            ))
            .stderr(contains(format!("{name}: 1 ill-formed")).and(contains("fehlt: \\u{00E4}: ")));
    }
    let out = dir.validate().arg("Grüße 😀").assert().code(1);
    out.stdout(predicate::str::starts_with("Grüße 😀:1:1: "));
}

#[test]
fn the_first_variable_of_the_locale_that_is_set_decides() {
    let dir = Dir::of(&[("é", b"\xFF")]);
    for (all, ctype, lang, unicode) in [
        ("", "", "C.UTF-8", true),
        ("", "C", "C.UTF-8", false),
        ("", "de_DE.UTF-8", "C", true),
        ("C", "de_DE.UTF-8", "C.UTF-8", false),
        ("en_US.utf8", "C", "C", true),
        ("", "", "", false),
    ] {
        let mut command = dir.validate();
        command.env("LC_ALL", all).env("LC_CTYPE", ctype).env("LANG", lang).arg("é");
        let name = if unicode { "é" } else { "\\u{00E9}" };
        command.assert().stdout(predicate::str::starts_with(format!("{name}:1:1: ")));
    }
}

/// Names that could do harm, with how text spells them.
#[rustfmt::skip]
static HOSTILE_NAMES: &[(&[u8], &str)] = &[
    (b"esc\x1B[31mred", "esc\\x1B[31mred"),
    (b"two\nlines", "two\\x0Alines"),
    (b"cr\rback", "cr\\x0Dback"),
    (b"bell\x07\x7F", "bell\\x07\\x7F"),
    (b"c1\xC2\x9B31m", "c1\\u{009B}31m"),
    (b"rtl\xE2\x80\xAEfdp", "rtl\\u{202E}fdp"),
    (b"isolate\xE2\x81\xA6", "isolate\\u{2066}"),
    (b"mark\xD8\x9C\xE2\x80\x8F", "mark\\u{061C}\\u{200F}"),
    (b"separator\xE2\x80\xA8", "separator\\u{2028}"),
    (b"##[error]x", "#\\x23[error]x"),
    (b"::error::x", "\\x3A:error::x"),
    (b"x\n::error::y", "x\\x0A::error::y"),
    (b" ::warning::x", " \\x3A:warning::x"),
    (b"raw\xFF\x9B\x80", "raw\\xFF\\x9B\\x80"),
    (b"back\\slash", "back\\\\slash"),
];

/// No control but the line break, no bidirectional control, no command of a CI runner.
fn harmless(bytes: &[u8]) {
    let text = std::str::from_utf8(bytes).expect("our own reports are UTF-8");
    let bidi = ['\u{61C}', '\u{200E}', '\u{200F}', '\u{2028}', '\u{2029}'];
    let raw = |c: char| {
        c.is_control() && c != '\n' && c != '\t'
            || bidi.contains(&c)
            || ('\u{202A}'..='\u{202E}').contains(&c)
            || ('\u{2066}'..='\u{2069}').contains(&c)
    };
    assert!(!text.contains(raw), "{text:?}");
    for line in text.lines() {
        assert!(!line.contains("##["), "{line:?}");
        assert!(!line.trim_start().starts_with("::"), "{line:?}");
    }
}

fn hostile() -> (Dir, Vec<&'static OsStr>) {
    let dir = Dir::new();
    let names = HOSTILE_NAMES.iter().map(|name| name.0).filter(|name| {
        let taken = dir.try_write(name, b"##[error]x\n::error::x \x1B[31m \xFF ##[error]y");
        if !taken {
            skipped(&String::from_utf8_lossy(name), "the file system takes no such name");
        }
        taken
    });
    let names = names.map(OsStr::from_bytes).collect();
    (dir, names)
}

#[test]
fn no_name_does_harm_in_any_format() {
    let (dir, names) = hostile();
    for args in [
        &["--format", "text"][..],
        &["--format", "full"],
        &["--format", "json", "--stats"],
        &["--format", "tsv"],
        &["-c"],
        &["-l"],
        &["-v", "--stats"],
        &["-m1"],
    ] {
        for locale in ["C", "C.UTF-8"] {
            let out = dir.validate().env("LC_ALL", locale).args(args).args(&names).assert().code(1);
            harmless(&out.get_output().stdout);
            harmless(&out.get_output().stderr);
        }
    }
}

#[test]
fn no_name_does_harm_when_it_is_missing() {
    let dir = Dir::new();
    for format in ["text", "full", "json", "tsv"] {
        for (name, spelt) in HOSTILE_NAMES {
            let mut command = dir.validate();
            command.args(["--format", format]).arg(OsStr::from_bytes(name));
            let out = command.assert().code(2).stderr(contains(format!("utf8: {spelt}: ")));
            harmless(&out.get_output().stdout);
            harmless(&out.get_output().stderr);
        }
    }
}

#[test]
fn no_name_does_harm_as_a_directory_or_a_list() {
    let dir = Dir::new();
    for (name, spelt) in HOSTILE_NAMES {
        let name = OsStr::from_bytes(name);
        if fs::create_dir(dir.path(name)).is_err() {
            continue;
        }
        let said = contains(format!("utf8: {spelt}: is a directory"));
        let out = dir.validate().arg(name).assert().code(2).stderr(said);
        harmless(&out.get_output().stderr);
        let list = [name.as_bytes(), b"\0"].concat();
        let out = dir.validate().args(["-0", "--files-from", "-"]).write_stdin(list).assert();
        let out = out.code(0).stderr(format!("{spelt}: is a directory, skipped\n"));
        harmless(&out.get_output().stderr);
        let out = dir.validate().arg("--files-from").arg(name).assert().code(2);
        harmless(&out.get_output().stderr);
    }
}

#[test]
fn no_name_does_harm_when_it_looks_like_an_option() {
    for name in ["--##[error]x", "--\n::error::x", "-\x1B[31m", "--a\x1B]0;t\x07"] {
        let out = validate().arg(name).assert().code(2).stdout("");
        harmless(&out.get_output().stderr);
    }
    // With colours there are escape sequences of our own, but not these.
    for name in ["-\x1B]0;t\x07", "--a\x1B]0;t\x07"] {
        let out = validate().arg(name).env("CLICOLOR_FORCE", "1").assert().code(2);
        out.stderr(contains("\x1B]").not().and(contains("\x07").not()));
    }
}

#[test]
fn no_value_of_an_option_does_harm() {
    for option in ["-f", "--format", "-s", "-n", "-m", "--segments", "--mmap", "--color"] {
        for value in ["##[error]x", "x\n::error::x", "\x1B[31mred", "x\u{202E}y"] {
            let out = validate().args([option, value, "-e", "a"]).assert().code(2).stdout("");
            harmless(&out.get_output().stderr);
        }
    }
    for value in ["##[error]x", "x\n::error::x", "\x1B[31mred", "x\u{202E}y"] {
        let out = validate().args(["-e", "a"]).env("UTF8_KERNEL", value).assert().code(2);
        harmless(&out.get_output().stderr);
    }
    let mut command = validate();
    command.args(["-f", "x\x1B]0;t\x07", "-e", "a"]).env("CLICOLOR_FORCE", "1");
    command.assert().code(2).stderr(contains("\x1B]").not().and(contains("\x07").not()));
}

#[test]
fn hostile_names_are_spelt_so_that_they_can_be_told_apart() {
    let (dir, names) = hostile();
    for name in &names {
        let spelt = HOSTILE_NAMES.iter().find(|row| row.0 == name.as_bytes()).unwrap().1;
        let line =
            format!("{spelt}:2:18: byte 0x1C (28): byte FF starts no sequence [invalid-fe-ff]\n");
        dir.validate().arg(name).assert().code(1).stdout(line);
        let out = dir.validate().args(["--format", "json"]).arg(name).assert().code(1);
        let object = &objects(&out.get_output().stdout)[0];
        assert_eq!(object["path"], String::from_utf8_lossy(name.as_bytes()).into_owned());
    }
}

#[test]
fn content_does_no_harm_in_a_dump() {
    let dir = Dir::of(&[("f", b"##[error]\xFF ::e::\xFF\x1B[31m")]);
    let out = dir.validate().args(["--format", "full", "f"]).assert().code(1).stdout(lines(&[
        "f:1:10: byte 0x9 (9): byte FF starts no sequence [invalid-fe-ff]",
        "  00000000  23 23 5B 65 72 72 6F 72  5D FF 20 3A 3A 65 3A 3A  |#·[error]· ::e::|",
        "                                        ^^",
        "f:1:17: byte 0x10 (16): byte FF starts no sequence [invalid-fe-ff]",
        "  00000010  FF 1B 5B 33 31 6D                                 |··[31m          |",
        "            ^^",
    ]));
    harmless(&out.get_output().stdout);
}
