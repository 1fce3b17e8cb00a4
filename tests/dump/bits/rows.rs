//! Rows of sequences and rows of bytes.

use super::{columns, dump, shown};
use crate::common::digits;

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

/// Also a row that is like one before but for the byte that cuts the sequence short.
#[test]
fn a_row_names_the_byte_that_cuts_its_sequence_short() {
    let cut = ["c3", "e0", "e2 82", "ed", "f0 9f", "f0 9f 98"];
    // Bytes that end the row: ASCII, and bytes that start no sequence.
    let nexts: Vec<u8> = (0..0x80).chain(0xF5..=0xFF).collect();
    let sequences = || nexts.iter().flat_map(|&next| cut.map(|sequence| (sequence, next)));
    let digits: String = sequences().map(|(cut, next)| format!("{cut} {next:02x} ")).collect();
    let expected = sequences().map(|(sequence, next)| {
        let name = match next {
            b' '..=b'~' => format!("{next:02X} \"{}\"", char::from(next)),
            _ => format!("{next:02X}"),
        };
        format!("{}: found {name} [truncated-next]", sequence.to_uppercase())
    });
    for color in ["never", "always"] {
        let rows = shown(&digits, &["--color", color]);
        let rows = rows.lines().filter(|row| row.contains("[truncated-next]"));
        let rows = rows.map(|row| {
            let (_, row) = row.split_once("-byte sequence ").unwrap();
            let (sequence, rest) = row.split_once(':').unwrap();
            let (_, found) = rest.split_once(", ").unwrap();
            format!("{sequence}: {}", found.trim_end_matches("\u{1B}[0m"))
        });
        assert_eq!(rows.collect::<Vec<_>>(), expected.clone().collect::<Vec<_>>());
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
fn columns_alone_are_those_of_xxd() {
    assert_eq!(shown("41 C3 A9", &["-c", "3"]), "00000000: 41 c3.a9  Aé·\n");
    assert_eq!(shown("41", &["-c", "1", "--layout", "bytes"]), "00000000: 01000001  A\n");
}
