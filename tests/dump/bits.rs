//! `utf8 dump-bits` for people.

use crate::common::bin::{Dir, raw, utf8};
use crate::common::digits;
use crate::common::peer::python;
use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::contains;

/// Returns a command for `utf8 dump-bits`.
fn dump() -> Command {
    let mut command = utf8();
    command.arg("dump-bits");
    command
}

/// Returns the dump of the bytes of hex digits.
fn shown(digits: &str, args: &[&str]) -> String {
    let out =
        dump().args(["-xe", digits]).args(args).assert().success().stderr("").get_output().clone();
    String::from_utf8(out.stdout).unwrap()
}

/// Splits a row into its columns, which are two blanks apart at least.
fn columns(row: &str) -> Vec<&str> {
    row.split("  ").map(str::trim).filter(|column| !column.is_empty()).collect()
}

#[test]
fn the_rows_of_three_signs() {
    // The derivation of RFC 3629, section 3; 2260 and 00A9 are the examples of utf-8(7).
    dump().args(["-e", "©≠€"]).assert().success().stdout(
        "00000000  110·00010 10·101001                      c2 a9        U+00A9    ©   COPYRIGHT SIGN\n\
         00000002  1110·0010 10·001001 10·100000            e2 89 a0     U+2260    ≠   NOT EQUAL TO\n\
         00000005  1110·0010 10·000010 10·101100            e2 82 ac     U+20AC    €   EURO SIGN\n",
    );
}

#[test]
fn the_rows_of_the_manual_are_real() {
    let manual: String =
        utf8::cli::sections("dump-bits").into_iter().map(|section| section.body).collect();
    let lines: Vec<_> = manual.lines().filter(|line| line.starts_with("  0000")).collect();
    assert_eq!(lines.len(), 4);
    let dumps = [
        shown("C2 A9 E2 89 A0", &["--no-names"]),
        shown("54 65 78 74", &[]),
        shown("48 65 6c 6c 6f 20 e2 82 ac 20 c0 af 0a", &["--base", "hex", "-c", "13"]),
    ];
    let rows: Vec<_> = dumps.iter().flat_map(|dump| dump.lines()).collect();
    lines.iter().for_each(|line| assert!(rows.contains(&line.trim_start()), "{line}"));
}

#[test]
fn the_rows_of_rows_of_bytes() {
    dump().args(["--base", "hex", "-e", "Hello € 日本\n"]).assert().success().stdout(
        "00000000: 48 65 6c 6c 6f 20 e2.82.ac 20 e6.97.a5 e6.9c.ac  Hello €·· 日·本·\n\
         00000010: 0a                                               ␊\n",
    );
    dump().args(["--layout", "bytes", "-xe", "41 C3 A9 C0 AF 0A 80"]).assert().success().stdout(
        "00000000: 01000001 11000011.10101001!11000000.10101111 00001010  Aé·×·␊\n\
         00000006:!10000000                                               ×\n",
    );
    assert_eq!(
        shown("41 C3 A9", &["-g", "2", "--base", "hex", "-u", "-c", "4"]),
        "00000000: 41C3.A9    Aé·\n"
    );
    assert_eq!(
        shown("41 C3 A9", &["-g", "0", "--base", "octal", "-c", "4"]),
        "00000000: 101303251     Aé·\n"
    );
    assert_eq!(
        shown("41 C3 A9", &["--base", "decimal", "-c", "3"]),
        "00000000: 065 195.169  Aé·\n"
    );
    assert_eq!(shown("41 C3 A9", &["-p"]), "41c3a9\n");
    assert_eq!(shown("41 C3 A9", &["-p", "-c", "2", "-u"]), "41C3\nA9\n");
    assert_eq!(shown("41 C3", &["-p", "--base", "bits"]), "0100000111000011\n");
}

#[test]
fn each_kind_of_fault_has_its_row() {
    // The bits are those of the bytes; the conditions those of table 3-7 of the Unicode Standard
    // and of RFC 2279.
    for (codec, digits, bits, what) in [
        (
            "utf-8",
            "80",
            "10·000000",
            "continuation byte 80 without a lead byte [lone-continuation]",
        ),
        (
            "utf-8",
            "C0 80",
            "110·00000 10·000000",
            "overlong 2-byte form C0 80 of U+0000 [overlong-nul]",
        ),
        (
            "utf-8",
            "C1 BF",
            "110·00001 10·111111",
            "overlong 2-byte form C1 BF of U+007F [overlong-2]",
        ),
        (
            "utf-8",
            "E0 9F BF",
            "1110·0000 10·011111 10·111111",
            "overlong 3-byte form E0 9F BF of U+07FF [overlong-3]",
        ),
        (
            "utf-8",
            "F0 8F BF BF",
            "11110·000 10·001111 10·111111 10·111111",
            "overlong 4-byte form F0 8F BF BF of U+FFFF [overlong-4]",
        ),
        (
            "utf-8",
            "ED A0 80",
            "1110·1101 10·100000 10·000000",
            "high surrogate ED A0 80, that is U+D800 [surrogate-high]",
        ),
        (
            "utf-8",
            "ED B0 80",
            "1110·1101 10·110000 10·000000",
            "low surrogate ED B0 80, that is U+DC00 [surrogate-low]",
        ),
        (
            "utf-8",
            "F4 90 80 80",
            "11110·100 10·010000 10·000000 10·000000",
            "4-byte form F4 90 80 80 of U+110000, above U+10FFFF [above-10ffff]",
        ),
        ("utf-8", "FF", "11111111", "byte FF starts no sequence [invalid-fe-ff]"),
        (
            "utf-8",
            "E2 82",
            "1110·0010 10·000010",
            "truncated 3-byte sequence E2 82: expected 80..BF, found the end of input [truncated-end]",
        ),
        (
            "cesu-8",
            "F0",
            "11110·000",
            "byte F0 starts no sequence: no form here has 4 bytes [four-byte]",
        ),
        ("mutf-8", "00", "0·0000000", "byte 00, where U+0000 is C0 80 [raw-nul]"),
        ("fss-utf-1992", "F8", "111110·00", "byte F8 starts no sequence [invalid-lead]"),
        (
            "utf-16be",
            "D8 3D",
            "110110·00 00111101",
            "truncated 4-byte sequence D8 3D: expected DC..DF, found the end of input [truncated-end]",
        ),
        ("us-ascii", "FF", "11111111", "byte FF without a character in us-ascii [unmapped]"),
        ("json", "5C 71", "0·1011100", "\"\\q\" is not an escape [bad-escape]"),
    ] {
        let dump = shown(digits, &["-f", codec]);
        let row = dump.lines().next().unwrap();
        let bytes = digits.to_lowercase();
        let bytes = if codec == "json" { "5c" } else { &bytes };
        assert_eq!(columns(row)[1..], [bits, bytes, what], "{codec}");
    }
}

#[test]
fn a_long_sequence_goes_on_in_the_next_row() {
    let dump = shown("FD BF BF BF BF BF 41", &[]);
    let rows: Vec<_> = dump.lines().map(columns).collect();
    assert_eq!(rows[0][..3], ["00000000", "1111110·1 10·111111 10·111111", "fd bf bf"]);
    assert_eq!(rows[1], ["00000003", "10·111111 10·111111 10·111111", "bf bf bf"]);
    assert_eq!(rows[2][0], "00000006");
}

#[test]
fn each_family_of_codecs_shows_its_structure() {
    // RFC 2781, section 2.1; UTR #26; ISO-IR-178; the mail of September 1992; RFC 2279, section 2;
    // JIS X 0208 in EUC; the WHATWG Encoding Standard.
    for (codec, digits, row) in [
        (
            "utf-16le",
            "3D D8 00 DE",
            &[
                "00111101 110110·00 00000000 110111·10",
                "3d d8 00 de",
                "U+1F600",
                "😀",
                "GRINNING FACE",
                "(0x10000 + 0xF600)",
            ][..],
        ),
        ("utf-16be", "20 AC", &["00100000 10101100", "20 ac", "U+20AC", "€", "EURO SIGN"]),
        (
            "utf-32be",
            "00 01 F6 00",
            &[
                "00000000 00000001 11110110 00000000",
                "00 01 f6 00",
                "U+1F600",
                "😀",
                "GRINNING FACE",
            ],
        ),
        (
            "ucs-4le",
            "FF FF FF 7F",
            &[
                "11111111 11111111 11111111 01111111",
                "ff ff ff 7f",
                "U+7FFFFFFF",
                "▯",
                "<beyond-Unicode-7FFFFFFF>",
            ],
        ),
        (
            "cesu-8",
            "ED A0 BD ED B8 80",
            &[
                "1110·1101 10·100000 10·111101 1110·1101 10·111000 10·000000",
                "ed a0 bd ed b8 80",
                "U+1F600",
                "😀",
                "GRINNING FACE",
                "(0x10000 + (0x3D << 10) + 0x200)",
            ],
        ),
        (
            "utf-1",
            "F7 64 4C",
            &[
                "11110111 01100100 01001100",
                "f7 64 4c",
                "U+FEFF",
                "▯",
                "ZERO WIDTH NO-BREAK SPACE (byte order mark)",
                "(0x4016 + 1*190^2 + 67*190 + 43)",
            ],
        ),
        (
            "fss-utf-1992",
            "C0 80 AC",
            &[
                "110·00000 1·0000000 1·0101100",
                "c0 80 ac",
                "U+20AC",
                "€",
                "EURO SIGN",
                "(0x2080 + 0x2C)",
            ],
        ),
        (
            "rfc2279",
            "FC 84 80 80 80 80",
            &[
                "1111110·0 10·000100 10·000000 10·000000 10·000000 10·000000",
                "fc 84 80 80 80 80",
                "U+4000000",
                "▯",
                "<beyond-Unicode-4000000>",
            ],
        ),
        ("windows-1251", "CF", &["11001111", "cf", "U+041F", "П", "CYRILLIC CAPITAL LETTER PE"]),
        ("ibm037", "C1", &["11000001", "c1", "U+0041", "A", "LATIN CAPITAL LETTER A"]),
        (
            "euc-jp",
            "B0 A1",
            &[
                "1·0110000 1·0100001",
                "b0 a1",
                "U+4E9C",
                "亜",
                "CJK UNIFIED IDEOGRAPH-4E9C",
                "(JIS X 0208 row 16, cell 1)",
            ],
        ),
        (
            "shift_jis",
            "88 9F",
            &[
                "10001000 10011111",
                "88 9f",
                "U+4E9C",
                "亜",
                "CJK UNIFIED IDEOGRAPH-4E9C",
                "(row 16, cell 1)",
            ],
        ),
        (
            "gb18030",
            "81 30 81 30",
            &[
                "10000001 00110000 10000001 00110000",
                "81 30 81 30",
                "U+0080",
                "▯",
                "<control-0080>",
                "(linear 0)",
            ],
        ),
        (
            "wtf-8",
            "ED A0 80",
            &["1110·1101 10·100000 10·000000", "ed a0 80", "U+D800", "▯", "<surrogate-D800>"],
        ),
        (
            "utf-8-surrogateescape",
            "FF",
            &["11111111", "ff", "U+DCFF", "▯", "<surrogate-DCFF>", "(0xDC00 + 0xFF)"],
        ),
        (
            "utf-8-bom",
            "EF BB BF",
            &[
                "1110·1111 10·111011 10·111111",
                "ef bb bf",
                "U+FEFF",
                "▯",
                "signature (byte order mark), no text",
            ],
        ),
        (
            "json",
            "5C 75 32 30 61 63",
            &[
                "01011100 01110101 00110010 00110000 01100001 01100011",
                "5c 75 32 30 61 63",
                "U+20AC",
                "€",
                "EURO SIGN",
            ],
        ),
        (
            "iso-2022-jp",
            "1B 24 42",
            &["00011011 00100100 01000010", "1b 24 42", "part of the spelling, stands for nothing"],
        ),
    ] {
        let dump = shown(digits, &["-f", codec]);
        assert_eq!(columns(dump.lines().next().unwrap())[1..], *row, "{codec}");
        assert_eq!(dump.lines().count(), 1, "{codec}");
    }
}

#[test]
fn controls_have_the_aliases_of_unicode() {
    let controls: String =
        (0..0xA0).filter_map(char::from_u32).filter(|c| c.is_control()).collect();
    let out = dump().args(["--no-fold", "-e", &controls.replace('\0', "")]).output().unwrap();
    let dump = String::from_utf8(out.stdout).unwrap();
    let names: Vec<_> = dump.lines().map(|row| columns(row).pop().unwrap()).collect();
    assert_eq!(names.iter().filter(|name| name.starts_with("<control-")).count(), 3, "{names:?}");
    let lookup = "import sys, unicodedata\n\
                  for name in sys.stdin.read().splitlines(): print(ord(unicodedata.lookup(name)))";
    let labelled = |name: &&&str| !name.starts_with('<');
    let named: Vec<_> = names.iter().filter(labelled).map(|name| name.to_string()).collect();
    let Some(found) = python(lookup, named.join("\n").as_bytes()) else { return };
    let values = controls.chars().filter(|c| !matches!(c, '\0' | '\u{80}' | '\u{81}' | '\u{99}'));
    let expected: String = values.map(|c| format!("{}\n", u32::from(c))).collect();
    assert_eq!(found, expected);
}

#[test]
fn stand_ins_and_labels() {
    for (digits, code, shape, name) in [
        ("0A", "U+000A", "␊", "LINE FEED"),
        ("7F", "U+007F", "␡", "DELETE"),
        ("C2 9B", "U+009B", "▯", "CONTROL SEQUENCE INTRODUCER"),
        ("C2 99", "U+0099", "▯", "<control-0099>"),
        ("20", "U+0020", "␣", "SPACE"),
        ("C2 A0", "U+00A0", "␣", "NO-BREAK SPACE"),
        ("CC 81", "U+0301", "◌\u{301}", "COMBINING ACUTE ACCENT"),
        ("E2 80 AE", "U+202E", "▯", "RIGHT-TO-LEFT OVERRIDE"),
        ("E2 80 A8", "U+2028", "▯", "LINE SEPARATOR"),
        ("EF B8 8F", "U+FE0F", "◌", "VARIATION SELECTOR-16"),
        ("EE 80 80", "U+E000", "▯", "<private-use-E000>"),
        ("EF BF BE", "U+FFFE", "▯", "<noncharacter-FFFE>"),
        ("CD B8", "U+0378", "▯", "<reserved-0378>"),
        ("F0 97 80 80", "U+17000", "\u{17000}", "TANGUT IDEOGRAPH-17000"),
        ("E1 85 9F", "U+115F", "▯", "HANGUL CHOSEONG FILLER"),
        ("E2 A0 80", "U+2800", "▯", "BRAILLE PATTERN BLANK"),
        ("EA B0 80", "U+AC00", "가", "HANGUL SYLLABLE GA"),
        ("F0 A0 80 80", "U+20000", "𠀀", "CJK UNIFIED IDEOGRAPH-20000"),
        ("EF BB BF", "U+FEFF", "▯", "ZERO WIDTH NO-BREAK SPACE (byte order mark)"),
    ] {
        let dump = shown(digits, &[]);
        assert_eq!(columns(dump.trim_end())[3..], [code, shape, name]);
    }
    let dump = shown("C2 A9", &["--no-names"]);
    assert_eq!(columns(&dump)[3..], ["U+00A9", "©"]);
    assert!(dump.ends_with("©\n"));
}

#[test]
fn runs_of_ascii_are_folded() {
    let dump = shown(&digits(b"abc\xC3\xA9abcd\xC3\xA9abcdefghijklmnopqrst\n"), &[]);
    let folded: Vec<_> =
        dump.lines().filter_map(|row| row.split_once('"')).map(|row| row.1).collect();
    assert_eq!(folded, ["abcd\"", "abcdefghijklmnop\"", "qrst\""]);
    assert_eq!(dump.lines().filter(|row| row.contains("LATIN SMALL LETTER A")).count(), 1);
    assert_eq!(shown("61 62 63 64", &["--no-fold"]).lines().count(), 4);
    let dump = shown("61 00 62 00 63 00 64 00", &["-f", "utf-16le"]);
    assert_eq!(columns(&dump), ["00000000", "61 00 62 00 63 00 64 00", "\"abcd\""]);
}

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

fn dump_of(dir: &Dir) -> Command {
    let mut command = dump();
    command.current_dir(dir.path("."));
    command
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

#[test]
fn repeated_rows_are_squeezed() {
    let dump = shown(&"00".repeat(40), &["--squeeze", "--base", "hex"]);
    assert_eq!(
        dump.lines().map(|row| &row[..row.len().min(8)]).collect::<Vec<_>>(),
        ["00000000", "*", "00000020"]
    );
    let dump = shown(&"00".repeat(32), &["--squeeze", "--base", "hex"]);
    assert_eq!(dump.lines().count(), 2, "a star would stand for no row: {dump}");
    // Neighbours alternate in colour.
    for color in ["never", "always"] {
        let dump = shown(&"C3A9".repeat(36), &["--squeeze", "-c", "6", "--color", color]);
        assert_eq!(dump.lines().count(), 3, "{dump}");
    }
    let dump = shown(&"00".repeat(48), &["--squeeze", "--base", "hex"]);
    assert_eq!(
        dump.lines().map(|row| &row[..row.len().min(8)]).collect::<Vec<_>>(),
        ["00000000", "*", "00000020"]
    );
}

#[test]
fn an_ascii_locale_gets_ascii() {
    dump().env("LC_ALL", "C.ISO-8859-1").args(["-e", "é\n"]).assert().success().stdout(
        "00000000  110.00011 10.101001                      c3 a9        U+00E9    .   LATIN SMALL LETTER E WITH ACUTE\n\
         00000002  0.0001010                                0a           U+000A    ^J  LINE FEED\n",
    );
    dump()
        .env("LC_ALL", "C.ISO-8859-1")
        .args(["--base", "hex", "-xe", "41 C3 A9 0A FF"])
        .assert()
        .success()
        .stdout("00000000: 41 c3.a9 0a!ff                                   A...!\n");
}

#[test]
fn colours_tell_the_roles() {
    let dump = shown("41 C3 A9 C3 A9 0A FF", &["--color", "always", "--base", "hex", "-c", "7"]);
    for cell in ["38;5;31mc3", "38;5;28mc3", "38;5;133m0a", "38;5;161mff"] {
        assert!(dump.contains(cell), "{dump:?}");
    }
    assert!(!dump.contains("m41"));
    let dump = shown("C3 A9", &["--color", "always"]);
    assert!(dump.contains("110·\x1B[1m00011") && dump.contains("38;5;31mc3 a9\x1B[0m"), "{dump:?}");
}

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
fn columns_alone_are_those_of_xxd() {
    assert_eq!(shown("41 C3 A9", &["-c", "3"]), "00000000: 41 c3.a9  Aé·\n");
    assert_eq!(shown("41", &["-c", "1", "--layout", "bytes"]), "00000000: 01000001  A\n");
}

#[test]
fn shown_sequences_are_counted() {
    dump()
        .args(["-v", "-p", "-xe", "41 FF C3 A9 80"])
        .assert()
        .success()
        .stderr("-e: 5 bytes, 2 ill-formed sequences\n");
}

#[test]
fn narrow_rows_lose_names_then_bits() {
    let text = "e2 82 ac c0 af 48 65 6c 6c 6f 2c 20 77 6f 72 6c 64";
    for (width, rows) in [
        (
            "90",
            "00000000  1110·0010 10·000010 10·101100            e2 82 ac     U+20AC    €   EURO SIGN\n\
             00000003  110·00000 10·101111                      c0 af        overlong 2-b… [overlong-2]\n\
             00000005  48 65 6c 6c 6f 2c 20 77 6f 72 6c 64                   \"Hello, world\"\n",
        ),
        (
            "80",
            "00000000  1110·0010 10·000010 10·101100            e2 82 ac     U+20AC    €\n\
             00000003  110·00000 10·101111                      c0 af        [overlong-2]\n\
             00000005  48 65 6c 6c 6f 2c 20 77 6f 72 6c 64                   \"Hello, world\"\n",
        ),
        (
            "46",
            "00000000  e2 82 ac     U+20AC    €   EURO SIGN\n\
             00000003  c0 af        overlong… [overlong-2]\n\
             00000005  48 65 6c 6c 6f 2c 20 77  \"Hello, w\"\n\
             0000000d  6f 72 6c 64              \"orld\"\n",
        ),
    ] {
        assert_eq!(shown(text, &["--width", width]), rows, "{width}");
    }
    // Rows of bytes and digits are shorter, unless -c asks for their length.
    assert_eq!(
        shown("41 42 43 44 45 46 47 48 49", &["--base", "hex", "--width", "46"]).lines().next(),
        Some("00000000: 41 42 43 44 45 46 47 48  ABCDEFGH")
    );
    let args = ["--base", "hex", "--width", "46", "-c", "16"];
    assert_eq!(shown(text, &args).lines().count(), 2);
    assert_eq!(shown(&"41".repeat(30), &["-p", "--width", "50"]).lines().next().unwrap().len(), 50);
}

#[test]
fn a_pipe_has_all_columns() {
    let free = shown("e2 82 ac", &[]);
    let columns = |columns: &str, args: &[&str]| {
        let mut command = dump();
        command.env("COLUMNS", columns).args(["-xe", "e2 82 ac"]).args(args);
        String::from_utf8(command.output().unwrap().stdout).unwrap()
    };
    assert_eq!(columns("50", &[]), free);
    assert_ne!(columns("50", &["--width", "50"]), free);
    assert_eq!(columns("50", &["--width", "0"]), free);
    dump().args(["--width", "39", "-e", "a"]).assert().code(2).stderr(contains("40 or more"));
    let json = ["--width", "80", "--format", "json", "-e", "a"];
    dump().args(json).assert().code(2).stderr(contains("need --format text"));
}

#[test]
#[cfg(target_os = "linux")]
fn a_terminal_has_the_columns_that_fit() {
    use crate::common::bin::{seen, terminal};
    use std::os::fd::AsRawFd;
    let dump = |reported: u16, columns: Option<&str>, args: &[&str]| {
        let (mut person, program) = terminal();
        let size = libc::winsize { ws_row: 24, ws_col: reported, ws_xpixel: 0, ws_ypixel: 0 };
        // SAFETY: an open terminal, and a size that the call reads.
        assert_eq!(unsafe { libc::ioctl(person.as_raw_fd(), libc::TIOCSWINSZ, &size) }, 0);
        let mut command = raw();
        command.args(["dump-bits", "--color", "never", "-xe", "e2 82 ac"]).args(args);
        command.env_remove("COLUMNS").envs(columns.map(|columns| ("COLUMNS", columns)));
        let mut child = command.stdout(program).spawn().unwrap();
        drop(command);
        let seen = String::from_utf8(seen(&mut person)).unwrap();
        assert!(child.wait().unwrap().success());
        seen.replace('\r', "")
    };
    let rows = |width: &str| shown("e2 82 ac", &["--width", width]);
    for (reported, columns, args, width) in [
        (0, None, &[][..], "0"),
        (50, None, &[], "50"),
        (80, None, &[], "80"),
        (200, None, &[], "0"),
        // COLUMNS comes first; the option before all.
        (200, Some("50"), &[], "50"),
        (50, Some("many"), &[], "50"),
        (50, Some("60"), &["--width", "80"], "80"),
        (50, None, &["--width", "0"], "0"),
        // Narrower terminals wrap rows.
        (10, None, &[], "40"),
    ] {
        assert_eq!(dump(reported, columns, args), rows(width), "{reported} {columns:?} {args:?}");
    }
}

#[test]
fn grapheme_clusters_are_marked() {
    let family = "👩\u{200D}👧🇩🇪e\u{301}";
    let rows = dump().args(["--no-names", "-e", family]).output().unwrap().stdout;
    let rows = String::from_utf8(rows).unwrap();
    let marked: Vec<_> = rows.lines().map(|row| row.chars().skip(64).collect::<String>()).collect();
    assert_eq!(
        marked,
        [
            "U+1F469   👩",
            "U+200D   ~▯",
            "U+1F467  ~👧",
            "U+1F1E9   🇩",
            "U+1F1EA  ~🇪",
            "U+0065    e",
            "U+0301   ~◌\u{301}",
        ]
    );
    for color in ["never", "always"] {
        let args = ["--base", "hex", "-c", "24", "--color", color, "-e", family];
        let row = String::from_utf8(dump().args(args).output().unwrap().stdout).unwrap();
        let mut text = row;
        for escape in ["0", "38;5;28", "38;5;31", "38;5;133"] {
            text = text.replace(&format!("\x1B[{escape}m"), "");
        }
        assert!(text.ends_with("  👩··▯~~👧~~🇩···🇪~~~e◌\u{301}~\n"), "{text}");
    }
    let page = dump().args(["--format", "html", "-e", family]).output().unwrap().stdout;
    let page = String::from_utf8(page).unwrap();
    assert_eq!(page.matches("Continues the grapheme cluster at <code>00000000</code>").count(), 2);
    assert_eq!(page.matches("<i>~</i>").count(), 1 + 4);
    // A cluster without end needs no memory.
    let zalgo = "e".to_owned() + &"\u{301}".repeat(100_000);
    let args = ["--base", "hex", "-c", "2"];
    let out = dump().args(args).write_stdin(zalgo).assert().success();
    assert_eq!(out.get_output().stdout.iter().filter(|&&byte| byte == b'~').count(), 100_000);
}
