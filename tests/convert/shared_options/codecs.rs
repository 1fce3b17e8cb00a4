//! `--from` and `--list-codecs`.

use predicates::prelude::*;
use predicates::str::contains;
use serde_json::json;

use crate::common::bin::{self, hex, objects, utf8, validate};
use utf8::registry::CODECS;

/// Bytes that one encoding accepts, bytes that it does not, and the kind of the first issue.
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
    ("scsu", "12 9C 0B 07 EC 80 0F 4E 00", "1A A8 41", "bad-escape"),
    ("bocu-1", "D3 D0 FB EE 28 FF", "D3 0A", "truncated-next"),
    ("ucs-2le", "FF FE 41 00 FF FF", "3D D8 00 DE", "surrogate-high"),
    ("ucs-2be", "FE FF 00 41 FF FF", "D8 3D DE 00", "surrogate-high"),
    ("ucs-2", "FF FE FF D7 00 E0", "D7 FF DC 00", "surrogate-low"),
    ("utf-16le", "3D D8 00 DE FF FE", "3D D8 41 00", "surrogate-high"),
    ("utf-16be", "D8 3D DE 00 FE FF", "DE 00 D8 3D", "surrogate-low"),
    ("utf-16", "FF FE 3D D8 00 DE", "FF FE 00 DE", "surrogate-low"),
    ("utf-16le-bom", "FF FE 61 00 3D D8 00 DE 62 00", "61 00 00 D8 62 00", "surrogate-high"),
    ("wtf-16le", "3D D8 00 DE 3D D8 41 00 00 DE", "41", "truncated-end"),
    ("wtf-16be", "D8 3D DE 00 D8 3D 00 41 DE 00", "D8 3D DE", "truncated-end"),
    ("utf-32le", "FF FF 10 00 FF FE 00 00", "00 00 11 00", "above-10ffff"),
    ("utf-32be", "00 10 FF FF 00 00 FE FF", "00 00 D8 00", "surrogate-high"),
    ("utf-32", "FF FE 00 00 41 00 00 00", "41 00 00 00", "above-10ffff"),
    ("utf-32le-bom", "FF FE 00 00 61 00 00 00", "61 00 00 00 00 00 11 00", "above-10ffff"),
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
    ("cp932", "87 40 F0 40 A0", "85 40", "unmapped"),
    ("cp936", "B0 A1 80", "B0 20", "truncated-next"),
    ("cp949", "81 41 C9 A1", "81 20", "truncated-next"),
    ("cp950", "A4 40 FA 40", "A4", "truncated-end"),
    ("johab", "88 61", "80", "unmapped"),
    ("euc-tw", "8E A2 A1 A1", "8E A2 A1", "truncated-end"),
    ("eucjp-ms", "AD A1 F5 A1", "8F F5 20", "truncated-next"),
    ("euc-jis-2004", "A4 F7", "8F A2 AF", "unmapped"),
    ("shift_jis-2004", "82 F5 5C", "FD", "unmapped"),
    ("gb18030-2005", "A6 D9 84 31 82 36", "80", "unmapped"),
    ("gb18030-2022", "A6 D9 84 31 82 36", "81 30 81", "truncated-end"),
    ("iso-2022-jp-1", "1B 24 28 44 30 21 1B 28 42", "1B 24 41", "bad-escape"),
    ("iso-2022-jp-2", "1B 2E 41 1B 4E 69", "1B 4E 69", "bad-escape"),
    ("iso-2022-jp-3", "1B 24 28 4F 24 77 1B 28 42", "1B 24 28 4F 2E 21", "unmapped"),
    ("iso-2022-jp-2004", "1B 24 28 51 2E 21 1B 28 42", "1B 24 28 51 24", "truncated-end"),
    ("iso-2022-jp-ext", "1B 28 49 31 1B 28 42", "1B 28 49 61", "unmapped"),
    ("iso-2022-kr", "1B 24 29 43 0E 30 21 0F", "0E 30 0F", "truncated-next"),
    ("iso-2022-cn", "1B 24 29 41 0E 3D 3B 0F", "0E", "bad-escape"),
    ("iso-2022-cn-ext", "1B 24 2B 49 1B 4F 21 21", "1B 4F 21 21", "bad-escape"),
    ("hz-gb-2312", "7E 7B 3C 3A 7E 7D", "7E 41", "bad-escape"),
    ("ibm930", "0E 44 81 0F C1", "0E 44 0F", "truncated-next"),
    ("ibm933", "0E 42 C1 0F C1", "0E 25 0F", "unmapped"),
    ("ibm935", "0E 42 C1 0F C1", "0E 44", "truncated-end"),
    ("ibm937", "0E 42 C1 0F C1", "0E FF FF 0F", "unmapped"),
    ("ibm939", "0E 44 81 0F C1", "0E 44 0F", "truncated-next"),
    ("ibm1364", "0E 42 C1 0F C1", "0E 44", "truncated-end"),
    ("ibm1371", "0E 42 C1 0F C1", "0E FF FF 0F", "unmapped"),
    ("ibm1388", "0E 42 C1 0F C1", "0E 25 0F", "unmapped"),
    ("ibm1390", "0E 44 81 0F C1", "0E 44 0F", "truncated-next"),
    ("ibm1399", "0E 44 81 0F C1", "0E 44", "truncated-end"),
    ("ibm932", "88 9F F0 40", "87 40", "unmapped"),
    ("ibm943", "88 9F F0 40", "81 20", "truncated-next"),
    ("t.61", "C2 65 A4", "C2 62", "truncated-next"),
    ("iso-6937", "C2 65 24", "C2", "truncated-end"),
    ("iso-6937-2", "C2 65 24", "C9 65", "unmapped"),
    ("ansi_x3.110", "C2 65 A4", "23", "unmapped"),
    ("tscii", "61 A6 B8 A1 82", "A6 A0", "unmapped"),
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
fn two_codecs_accept_every_input() {
    for codec in ["utf-8-surrogateescape", "optu-8"] {
        hex("00 80 C0 AF E2 82 ED A0 80 EF BE 80 F0 9F FE FF", &["-f", codec]).code(0);
    }
}

#[test]
fn windows_1252_accepts_every_input() {
    let all: String = (0..=u8::MAX).map(|byte| format!("{byte:02X}")).collect();
    hex(&all, &["-f", "windows-1252"]).code(0).stdout("").stderr("");
    hex(&all, &["-f", "us-ascii"]).code(1);
    // An encoding without U+FEFF has no signature.
    assert_eq!(bin::json(&all, &["-f", "windows-1252"])[0]["bom"], false);
}

#[test]
fn no_codec_lacks_a_case() {
    let cases = CODEC_CASES.iter().map(|case| case.0);
    let mut names: Vec<_> = cases.chain(["utf-8-surrogateescape", "optu-8"]).collect();
    names.sort_unstable();
    // Other tests compare the single-byte pages byte by byte.
    let others = CODECS.iter().filter(|spec| spec.inner.reach != Some(0));
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
fn languages_and_systems_are_answered_with_codecs_for_them() {
    for (label, names) in [
        ("vietnamese", "windows-1258, viscii, tcvn"),
        ("Armenian", "armscii-8"),
        ("ebcdic", "ibm037, ibm037-lf, ibm1047"),
    ] {
        let message = format!("unknown codec; codecs for {label}: {names}");
        validate().args(["-f", label, "-e", "a"]).assert().code(2).stderr(contains(message));
    }
}

#[test]
fn the_list_of_codecs_has_names_aliases_and_a_line_each() {
    for command in [&["--list-codecs"][..], &["validate", "--list-codecs"]] {
        let out = utf8().args(command).assert().code(0).stderr("");
        let text = String::from_utf8(out.get_output().stdout.clone()).unwrap();
        let properties =
            |word: &&str| word.len() == 6 && word.chars().all(|c| "yasulw-".contains(c));
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
        "\n\nUTF-8 and its relatives\nutf-8                  ya-u-w  UTF-8 (RFC 3629",
        "\nwtf-8                  ya-ulw  WTF-8",
        "\nucs-2le                -----w  UCS-2",
        "\nutf-16le               ---u-w  UTF-16",
        "\niso-8859-1             ya---w  Latin-1: U+0000..00FF (WHATWG takes this name for",
        "\nibm1047                y----w  ",
        "\neuc-jp                 -a---w  ",
        "\ngbk                    ------  ",
    ] {
        out = out.stdout(contains(line));
    }
}

#[test]
fn the_list_of_codecs_is_json_if_asked() {
    let commands = ["validate", "decode", "encode", "repair", "detect", "dump-bits"];
    for command in commands.map(Some).into_iter().chain([None]) {
        let list = ["--list-codecs", "--format", "json"];
        let out = utf8().args(command).args(list).assert().code(0);
        let listed = objects(&out.get_output().stdout);
        assert_eq!(listed.len(), CODECS.len());
        for (object, spec) in listed.iter().zip(CODECS) {
            assert_eq!(object["type"], "codec");
            assert_eq!(object["name"], spec.name);
            assert_eq!(object["labels"], json!(spec.labels));
            assert!(!object["summary"].as_str().unwrap().is_empty());
            assert!(!object["group"].as_str().unwrap().is_empty());
            assert_eq!(object["self_synchronising"], spec.inner.reach.is_some());
            assert_eq!(object["ascii_transparent"], spec.properties.transparent);
            assert_eq!(object["stateful"], spec.properties.stateful);
            assert_eq!(object["all_scalars"], spec.properties.scalars);
            assert_eq!(object["lone_surrogates"], spec.properties.surrogates);
        }
    }
    let other = utf8().args(["detect", "--list-codecs", "--format", "long"]).assert().code(2);
    other.stderr("utf8: --list-codecs is a table, or JSON with --format json, not long\n");
}
