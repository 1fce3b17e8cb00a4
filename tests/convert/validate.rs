//! What does `utf8 validate` say of each fault, in each format, and what is its exit status?

use std::collections::BTreeSet;

use predicates::prelude::*;
use predicates::str::contains;
use serde_json::json;

use crate::common::bin::{Dir, hex, json, lines, objects, validate};
use utf8::issue::KINDS;

/// Of each kind at least one: a codec, bytes, the line of `text` behind `-e:LINE:COLUMN: byte …: `,
/// and the class.
#[rustfmt::skip]
static CASES: &[(&str, &str, &str, &str)] = &[
    ("utf-8", "80",
     "continuation byte 80 without a lead byte [lone-continuation]", "continuation"),
    ("utf-8", "C0 80",
     "overlong 2-byte form C0 80 of U+0000 [overlong-nul]", "overlong"),
    ("utf-8", "C0 AF",
     "overlong 2-byte form C0 AF of U+002F [overlong-2]", "overlong"),
    ("utf-8", "C1 BF",
     "overlong 2-byte form C1 BF of U+007F [overlong-2]", "overlong"),
    ("utf-8", "E0 9F BF",
     "overlong 3-byte form E0 9F BF of U+07FF [overlong-3]", "overlong"),
    ("utf-8", "F0 82 82 AC",
     "overlong 4-byte form F0 82 82 AC of U+20AC [overlong-4]", "overlong"),
    ("utf-8", "F8 80 80 80 AF",
     "overlong 5-byte form F8 80 80 80 AF of U+002F [overlong-5]", "overlong"),
    ("utf-8", "FC 80 84 8F BF BF",
     "overlong 6-byte form FC 80 84 8F BF BF of U+10FFFF [overlong-6]", "overlong"),
    ("utf-8", "ED AF BF",
     "high surrogate ED AF BF, that is U+DBFF [surrogate-high]", "surrogate"),
    ("utf-8", "ED B0 80",
     "low surrogate ED B0 80, that is U+DC00 [surrogate-low]", "surrogate"),
    ("utf-8", "ED A0 BD ED B8 80",
     "surrogate pair ED A0 BD ED B8 80 of U+1F600, as CESU-8 has it [surrogate-pair]", "surrogate"),
    ("wtf-8", "ED A0 BD ED B8 80",
     "surrogate pair ED A0 BD ED B8 80 of U+1F600, as CESU-8 has it [surrogate-pair]", "surrogate"),
    ("utf-8", "F4 90 80 80",
     "4-byte form F4 90 80 80 of U+110000, above U+10FFFF [above-10ffff]", "range"),
    ("utf-8", "F7 BF BF BF",
     "4-byte form F7 BF BF BF of U+1FFFFF, above U+10FFFF [above-10ffff]", "range"),
    ("cesu-8", "F0 9F 98 80",
     "4-byte form F0 9F 98 80 of U+1F600, where no form is longer than 3 bytes [four-byte]", "lead"),
    ("mutf-8", "F0 9F 98 80",
     "4-byte form F0 9F 98 80 of U+1F600, where no form is longer than 3 bytes [four-byte]", "lead"),
    ("utf8mb3", "F7 BF BF BF",
     "4-byte form F7 BF BF BF of U+1FFFFF, where no form is longer than 3 bytes [four-byte]", "lead"),
    ("utf-8", "F8 88 80 80 80",
     "5-byte form F8 88 80 80 80 of U+200000, as RFC 2279 had it [five-byte]", "lead"),
    ("utf-8", "FD BF BF BF BF BF",
     "6-byte form FD BF BF BF BF BF of U+7FFFFFFF, as RFC 2279 had it [six-byte]", "lead"),
    ("utf-8", "FE",
     "byte FE starts no sequence [invalid-fe-ff]", "lead"),
    ("rfc2279", "FF",
     "byte FF starts no sequence [invalid-fe-ff]", "lead"),
    ("mutf-8", "00",
     "byte 00, where U+0000 is C0 80 [raw-nul]", "lead"),
    ("utf-1", "FD BD 2B B9 41",
     "5-byte form FD BD 2B B9 41 of U+80000000, above 7FFFFFFF [above-7fffffff]", "range"),
    ("utf-1", "FE",
     "byte FE starts no sequence: its forms are above 7FFFFFFF [above-7fffffff]", "range"),
    ("fss-utf-1992", "F7 EF DF BF 80",
     "5-byte form F7 EF DF BF 80 of U+80000000, above 7FFFFFFF [above-7fffffff]", "range"),
    ("fss-utf-1992", "F8",
     "byte F8 starts no sequence [invalid-lead]", "lead"),
    ("utf-8", "E2 82",
     "truncated 3-byte sequence E2 82: expected 80..BF, found the end of input [truncated-end]",
     "truncated"),
    ("windows-1257", "A1",
     "byte A1 without a character in windows-1257 [unmapped]", "legacy"),
    ("gbk", "81 FF",
     "bytes 81 FF without a character in gbk [unmapped]", "legacy"),
];

/// Faults that another byte cuts short, where they stand before `A`.
#[rustfmt::skip]
static CUT_SHORT: &[(&str, &str, &str)] = &[
    ("utf-8", "C2", "truncated 2-byte sequence C2: expected 80..BF, found 41 \"A\" [truncated-next]"),
    ("utf-8", "E0", "truncated 3-byte sequence E0: expected A0..BF, found 41 \"A\" [truncated-next]"),
    ("utf-8", "E1", "truncated 3-byte sequence E1: expected 80..BF, found 41 \"A\" [truncated-next]"),
    ("utf-8", "E2 82", "truncated 3-byte sequence E2 82: expected 80..BF, found 41 \"A\" [truncated-next]"),
    ("utf-8", "ED", "truncated 3-byte sequence ED: expected 80..9F, found 41 \"A\" [truncated-next]"),
    ("utf-8", "F0", "truncated 4-byte sequence F0: expected 90..BF, found 41 \"A\" [truncated-next]"),
    ("utf-8", "F0 90 80", "truncated 4-byte sequence F0 90 80: expected 80..BF, found 41 \"A\" [truncated-next]"),
    ("utf-8", "F4", "truncated 4-byte sequence F4: expected 80..8F, found 41 \"A\" [truncated-next]"),
    ("mutf-8", "C0", "truncated 2-byte sequence C0: expected 80, found 41 \"A\" [truncated-next]"),
    ("cesu-8", "ED", "truncated 3-byte sequence ED: expected 80..AF, found 41 \"A\" [truncated-next]"),
    ("wtf-8", "ED", "truncated 3-byte sequence ED: expected 80..BF, found 41 \"A\" [truncated-next]"),
    ("rfc2279", "FC", "truncated 6-byte sequence FC: expected 84..BF, found 41 \"A\" [truncated-next]"),
    ("utf-8", "C0", "byte C0 starts no sequence: its forms are overlong [overlong-2]"),
    ("utf-8", "E0 80", "overlong 3-byte form E0 80, cut short by 41 \"A\" [overlong-3]"),
    ("utf-8", "ED A0", "high surrogate ED A0, cut short by 41 \"A\" [surrogate-high]"),
    ("utf-8", "ED B0", "low surrogate ED B0, cut short by 41 \"A\" [surrogate-low]"),
    ("utf-8", "F5", "byte F5 starts no sequence: its forms are above U+10FFFF [above-10ffff]"),
    ("utf-8", "F8", "byte F8 starts no sequence: only RFC 2279 had forms of 5 bytes [five-byte]"),
    ("utf-1", "A0", "truncated 2-byte sequence A0: expected A0..FF, found 41 \"A\" [truncated-next]"),
    ("fss-utf-1992", "C0 80", "truncated 3-byte sequence C0 80: expected 80..FF, found 41 \"A\" [truncated-next]"),
    ("fss-utf-1992", "F7 EF", "truncated 5-byte sequence F7 EF: expected 80..DF, found 41 \"A\" [truncated-next]"),
    ("fss-utf-1992", "F7 F0", "5-byte form F7 F0, above 7FFFFFFF, cut short by 41 \"A\" [above-7fffffff]"),
    ("utf-8", "FD BF BF BF", "6-byte form FD BF BF BF, as RFC 2279 had it, cut short by 41 \"A\" [six-byte]"),
];

#[test]
fn each_kind_is_said_in_a_line_of_text() {
    for (codec, bytes, said, _) in CASES {
        let line = format!("-e:2:2: byte 0x3 (3): {said}\n");
        hex(&format!("41 0A 42 {bytes}"), &["-f", codec]).code(1).stdout(line);
    }
}

#[test]
fn what_is_cut_short_names_the_byte_that_did_it() {
    for (codec, bytes, said) in CUT_SHORT {
        let line = format!("-e:1:1: byte 0x0 (0): {said}\n");
        hex(&format!("{bytes} 41"), &["-f", codec]).code(1).stdout(line);
    }
}

/// Faults between shifts: a codec, bytes behind an `A`, and what is said of them.
#[rustfmt::skip]
static SHIFTED: &[(&str, &str, &str)] = &[
    ("utf-7", "2B", "2: byte 0x1 (1): \"+\" is not base64 of UTF-16 [bad-escape]"),
    ("utf-7", "2B 41 47 46 2D", "3: byte 0x2 (2): \"AGF\" is not base64 of UTF-16 [bad-escape]"),
    ("utf-7", "2B 33 67 41 2D", "3: byte 0x2 (2): low surrogate 33 67 41 [surrogate-low]"),
    ("utf-7", "5C", "2: byte 0x1 (1): byte 5C without a character in utf-7 [unmapped]"),
    ("utf-7-imap", "26 41 47 45 2D", "3: byte 0x2 (2): \"AGE\" is not base64 as IMAP has it [bad-escape]"),
    ("iso-2022-jp", "1B", "2: byte 0x1 (1): \"\\x1B\" is not an escape sequence that has a place here [bad-escape]"),
    ("iso-2022-jp", "1B 24 42 24 1B 28 42", "5: byte 0x4 (4): truncated 2-byte sequence 24: expected 21..7E, found 1B [truncated-next]"),
];

#[test]
fn what_is_between_shifts_is_said_in_a_line_of_text() {
    for (codec, bytes, said) in SHIFTED {
        let found = hex(&format!("41 {bytes}"), &["-f", codec]).code(1);
        found.stdout(format!("-e:1:{said}\n"));
    }
}

#[test]
fn what_is_cut_short_names_the_end_of_input() {
    hex("E0 80", &[]).code(1).stdout(
        "-e:1:1: byte 0x0 (0): overlong 3-byte form E0 80, cut short by the end of input [overlong-3]\n",
    );
    hex("F0", &[]).code(1).stdout(
        "-e:1:1: byte 0x0 (0): truncated 4-byte sequence F0: expected 90..BF, found the end of input [truncated-end]\n",
    );
}

#[test]
fn no_kind_lacks_a_case() {
    let kind = |said: &'static str| said.rsplit_once('[').unwrap().1.trim_end_matches(']');
    let seen: BTreeSet<_> = CASES.iter().map(|case| kind(case.2)).collect();
    let seen: BTreeSet<_> = seen.into_iter().chain(["truncated-next"]).collect();
    // Nothing is written here, and notations have cases of their own.
    let elsewhere = ["bad-escape", "unencodable"];
    let here = KINDS.iter().map(|row| row.id).filter(|id| !elsewhere.contains(id));
    assert_eq!(seen, here.collect());
    assert_eq!(seen.len(), 21);
}

#[test]
fn each_kind_has_its_class_bytes_and_value_in_json() {
    for (codec, bytes, said, class) in CASES {
        let found = &json(bytes, &["-f", codec])[0];
        assert_eq!(found["type"], "finding");
        assert_eq!(found["class"], *class, "{said}");
        assert_eq!(found["hex"], *bytes, "{said}");
        assert_eq!(found["length"], bytes.split(' ').count(), "{said}");
        assert!(said.ends_with(&format!("[{}]", found["kind"].as_str().unwrap())), "{said}");
        match found["value"].as_str() {
            Some(value) => assert!(
                said.contains(&format!(" of {value}")) || said.contains(&format!(" is {value}")),
                "{said}"
            ),
            None => assert!(!said.contains(" of U+"), "{said}"),
        }
    }
}

#[test]
fn noncharacters_controls_and_a_bom_are_well_formed() {
    let fine = "EF BB BF 00 1B 7F C2 80 EF B7 90 EF BF BE EF BF BF F0 9F BF BF F4 8F BF BF";
    hex(fine, &[]).code(0).stdout("").stderr("");
}

#[test]
fn lines_end_at_lf_and_a_cr_belongs_to_the_line() {
    let expected = lines(&[
        "-e:1:2: byte 0x1 (1): byte FF starts no sequence [invalid-fe-ff]",
        "-e:2:1: byte 0x4 (4): byte FF starts no sequence [invalid-fe-ff]",
        "-e:3:3: byte 0x8 (8): byte FF starts no sequence [invalid-fe-ff]",
    ]);
    hex("0D FF 0D 0A FF 0A C3 A9 FF 0D", &[]).code(1).stdout(expected);
}

#[test]
fn offsets_are_in_hex_and_in_decimal() {
    let text = format!("{}{}", "41".repeat(420), "C0AF");
    hex(&text, &[])
        .stdout("-e:1:421: byte 0x1A4 (420): overlong 2-byte form C0 AF of U+002F [overlong-2]\n");
}

#[test]
fn the_line_of_the_manual_comes_from_such_a_file() {
    let mut notes = b"a line of notes\n".repeat(11);
    notes.extend(b"123456\xC0\xAF\n");
    notes.resize(8214, b'n');
    let dir = Dir::of(&[("notes.txt", &notes)]);
    let line =
        "notes.txt:12:7: byte 0xB6 (182): overlong 2-byte form C0 AF of U+002F [overlong-2]\n";
    let summary = "notes.txt: 1 ill-formed sequence in 8,214 bytes\n";
    dir.validate().arg("notes.txt").assert().code(1).stdout(line).stderr(summary);
}

// Units of two and four bytes.

/// Of a codec and some bytes, all that is said.
#[rustfmt::skip]
static UNITS: &[(&str, &str, &[&str])] = &[
    ("utf-16le", "00 D8 41 00",
     &["-e:1:1: byte 0x0 (0): high surrogate 00 D8, that is U+D800 [surrogate-high]"]),
    ("utf-16be", "00 0A DC 00",
     &["-e:2:1: byte 0x2 (2): low surrogate DC 00, that is U+DC00 [surrogate-low]"]),
    ("utf-16le", "41",
     &["-e:1:1: byte 0x0 (0): truncated 2-byte sequence 41: found the end of input [truncated-end]"]),
    ("utf-16be", "00 41 D8 3D",
     &["-e:1:3: byte 0x2 (2): truncated 4-byte sequence D8 3D: expected DC..DF, found the end of input [truncated-end]"]),
    ("utf-16le", "3D D8 00",
     &["-e:1:1: byte 0x0 (0): truncated 4-byte sequence 3D D8 00: expected DC..DF, found the end of input [truncated-end]"]),
    // The order is that of the BOM; U+0A00 ends no line, and neither do halves of other units.
    ("utf-16", "FF FE 0D 00 0A 00 00 0A 0A 0A 00 DC",
     &["-e:2:5: byte 0xA (10): low surrogate 00 DC, that is U+DC00 [surrogate-low]"]),
    ("utf-16", "FE FF 00 0D 00 0A 0A 00 DC 00",
     &["-e:2:3: byte 0x8 (8): low surrogate DC 00, that is U+DC00 [surrogate-low]"]),
    ("utf-16", "00 0A 00 41 DC 00",
     &["-e:2:3: byte 0x4 (4): low surrogate DC 00, that is U+DC00 [surrogate-low]"]),
    ("utf-16le", "FF FE 41 00 00 DC 0D 00 0A 00 00 DE",
     &["-e:1:5: byte 0x4 (4): low surrogate 00 DC, that is U+DC00 [surrogate-low]",
       "-e:2:1: byte 0xA (10): low surrogate 00 DE, that is U+DE00 [surrogate-low]"]),
    ("utf-32le", "0A 00 00 00 FF FF 11 00",
     &["-e:2:1: byte 0x4 (4): 4-byte form FF FF 11 00 of U+11FFFF, above U+10FFFF [above-10ffff]"]),
    ("ucs-4be", "FF FF FF FF",
     &["-e:1:1: byte 0x0 (0): 4-byte form FF FF FF FF of U+FFFFFFFF, above 7FFFFFFF [above-7fffffff]"]),
];

#[test]
fn faults_of_units_have_their_lines_and_columns() {
    for (codec, bytes, said) in UNITS {
        hex(bytes, &["-f", codec]).code(1).stdout(lines(said));
        // The lines of a file are counted when they are asked for.
        let dir = Dir::of(&[("f", &unhex(bytes))]);
        let said: Vec<String> = said.iter().map(|line| line.replacen("-e", "f", 1)).collect();
        let said: Vec<&str> = said.iter().map(String::as_str).collect();
        dir.validate().args(["-f", codec, "f"]).assert().code(1).stdout(lines(&said));
    }
}

fn unhex(text: &str) -> Vec<u8> {
    text.split(' ').map(|byte| u8::from_str_radix(byte, 16).unwrap()).collect()
}

#[test]
fn columns_of_units_count_code_points_too() {
    for (codec, bytes) in [
        ("utf-16le", "0A 00 41 00 3D D8 00 DE 41 00 00 DC"),
        ("utf-16be", "00 0A 00 41 D8 3D DE 00 00 41 DC 00"),
        ("utf-16", "FF FE 0A 00 41 00 3D D8 00 DE 41 00 00 DC"),
    ] {
        let found = json(bytes, &["-f", codec]);
        let places = ["line", "column_bytes", "column_chars"].map(|key| found[0][key].as_u64());
        assert_eq!(places, [Some(2), Some(9), Some(4)], "{codec}");
        assert_eq!(found[1]["codec"], codec);
        assert_eq!(found[1]["lines"], 2, "{codec}");
        assert_eq!(found[1]["scalars"], 4, "{codec}");
        assert_eq!(found[1]["bom"], codec == "utf-16", "{codec}");
    }
}

/// No byte within a unit is a fault of its own.
#[test]
fn the_bytes_of_a_unit_are_bytes_of_it() {
    hex("00 D8 41 00", &["-f", "utf-16le", "--segments", "byte"]).code(1).stdout(lines(&[
        "-e:1:1: byte 0x0 (0): byte 00 of high surrogate 00 D8, that is U+D800 [surrogate-high]",
        "-e:1:2: byte 0x1 (1): byte D8 of high surrogate 00 D8, that is U+D800 [surrogate-high]",
    ]));
    let pieces = ["above-7fffffff 0 1", "above-7fffffff 1 1", "truncated-next 3 1"];
    assert_eq!(cut("F7 F0 41 C0 41", &["-f", "fss-utf-1992", "--segments", "byte"]), pieces);
}

// --segments

/// KIND OFFSET LENGTH of each finding.
fn cut(bytes: &str, args: &[&str]) -> Vec<String> {
    let out = hex(bytes, &[&["--format", "tsv"], args].concat());
    let text = String::from_utf8(out.get_output().stdout.clone()).unwrap();
    let fields = text.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    fields.map(|f| format!("{} {} {}", f[2], f[0], f[1])).collect()
}

#[test]
fn a_truncated_sequence_is_one_finding_but_by_bytes() {
    let bytes = "E2 82 41";
    for how in ["sequence", "maximal"] {
        assert_eq!(cut(bytes, &["--segments", how]), ["truncated-next 0 2"]);
    }
    let single = ["truncated-next 0 1", "lone-continuation 1 1"];
    assert_eq!(cut(bytes, &["--segments", "byte"]), single);
}

#[test]
fn a_pair_is_one_finding_or_six() {
    let bytes = "ED A0 BD ED B8 80";
    assert_eq!(cut(bytes, &[]), ["surrogate-pair 0 6"]);
    for how in ["maximal", "byte"] {
        let pieces = [
            "surrogate-pair 0 1",
            "lone-continuation 1 1",
            "lone-continuation 2 1",
            "surrogate-low 3 1",
            "lone-continuation 4 1",
            "lone-continuation 5 1",
        ];
        assert_eq!(cut(bytes, &["--segments", how]), pieces, "{how}");
    }
}

#[test]
fn a_pair_of_wtf_8_is_one_finding_or_six() {
    let bytes = "ED A0 BD ED B8 80";
    assert_eq!(cut(bytes, &["-f", "wtf-8"]), ["surrogate-pair 0 6"]);
    let kinds = cut(bytes, &["-f", "wtf-8", "--segments", "byte"]);
    assert_eq!(kinds[0], "surrogate-pair 0 1");
    assert_eq!(kinds[3], "surrogate-low 3 1");
    assert_eq!(kinds.len(), 6);
}

#[test]
fn an_overlong_form_is_one_finding_or_one_a_byte() {
    for (bytes, kind, len) in [("C0 AF", "overlong-2", 2), ("F0 82 82 AC", "overlong-4", 4)] {
        assert_eq!(cut(bytes, &["--segments", "sequence"]), [format!("{kind} 0 {len}")]);
        for how in ["maximal", "byte"] {
            let pieces = cut(bytes, &["--segments", how]);
            assert_eq!(pieces[0], format!("{kind} 0 1"));
            let rest = (1..len).map(|at| format!("lone-continuation {at} 1"));
            assert!(pieces[1..].iter().cloned().eq(rest), "{pieces:?}");
        }
    }
}

#[test]
fn maximal_subparts_of_two_and_three_bytes_are_truncated_ones() {
    let pieces = ["truncated-next 0 3", "truncated-next 3 2", "truncated-end 5 1"];
    assert_eq!(cut("F1 80 80 E1 80 C2", &["--segments", "maximal"]), pieces);
    assert_eq!(cut("F1 80 80 E1 80 C2", &["--segments", "sequence"]), pieces);
}

#[test]
fn a_sequence_swallows_no_byte_but_its_own_continuations() {
    assert_eq!(cut("C0 41", &[]), ["overlong-2 0 1"]);
    assert_eq!(cut("E0 80 41", &[]), ["overlong-3 0 2"]);
    assert_eq!(cut("ED A0 41", &[]), ["surrogate-high 0 2"]);
    assert_eq!(cut("ED A0 BD ED B8", &[]), ["surrogate-high 0 3", "surrogate-low 3 2"]);
    assert_eq!(cut("E2 82 AC 80", &[]), ["lone-continuation 3 1"]);
    assert_eq!(cut("FE BF BF", &[])[0], "invalid-fe-ff 0 1");
}

#[test]
fn a_piece_says_of_what_it_is_the_first_byte() {
    hex("41 C0 AF", &["--segments", "byte"]).code(1).stdout(lines(&[
        "-e:1:2: byte 0x1 (1): byte C0 of overlong 2-byte form C0 AF of U+002F [overlong-2]",
        "-e:1:3: byte 0x2 (2): continuation byte AF without a lead byte [lone-continuation]",
    ]));
    hex("E2 82 41", &["--segments", "byte"]).code(1).stdout(lines(&[
        "-e:1:1: byte 0x0 (0): byte E2 of truncated 3-byte sequence E2 82: expected 80..BF, found 41 \"A\" [truncated-next]",
        "-e:1:2: byte 0x1 (1): continuation byte 82 without a lead byte [lone-continuation]",
    ]));
}

// --format full

#[test]
fn full_marks_the_first_column() {
    let dir = Dir::of(&[("f", b"\x80123456789abcdef")]);
    dir.validate().args(["--format", "full", "f"]).assert().code(1).stdout(lines(&[
        "f:1:1: byte 0x0 (0): continuation byte 80 without a lead byte [lone-continuation]",
        "  00000000  80 31 32 33 34 35 36 37  38 39 61 62 63 64 65 66  |·123456789abcdef|",
        "            ^^",
    ]));
}

#[test]
fn full_marks_the_last_column() {
    let dir = Dir::of(&[("f", b"0123456789abcde\x80tail")]);
    dir.validate().args(["--format", "full", "f"]).assert().code(1).stdout(lines(&[
        "f:1:16: byte 0xF (15): continuation byte 80 without a lead byte [lone-continuation]",
        "  00000000  30 31 32 33 34 35 36 37  38 39 61 62 63 64 65 80  |0123456789abcde·|",
        "                                                          ^^",
    ]));
}

#[test]
fn full_shows_both_rows_of_a_fault() {
    let dir = Dir::of(&[("f", b"0123456789abcde\xC0\xAF.")]);
    dir.validate().args(["--format", "full", "f"]).assert().code(1).stdout(lines(&[
        "f:1:16: byte 0xF (15): overlong 2-byte form C0 AF of U+002F [overlong-2]",
        "  00000000  30 31 32 33 34 35 36 37  38 39 61 62 63 64 65 C0  |0123456789abcde·|",
        "                                                          ^^",
        "  00000010  AF 2E                                             |·.              |",
        "            ^^",
    ]));
}

#[test]
fn full_marks_the_end_of_input() {
    let dir = Dir::of(&[("f", b"0123456789abcdef12345678\xE2\x82")]);
    dir.validate().args(["--format", "full", "f"]).assert().code(1).stdout(lines(&[
        "f:1:25: byte 0x18 (24): truncated 3-byte sequence E2 82: expected 80..BF, found the end of input [truncated-end]",
        "  00000010  31 32 33 34 35 36 37 38  E2 82                    |12345678··      |",
        "                                     ^^ ^^",
    ]));
}

#[test]
fn full_shows_a_row_for_each_of_several_faults() {
    let dir = Dir::of(&[("f", b"\xFFa\xFEb\xC0\xAFghijklmnop\xFF")]);
    dir.validate().args(["--format", "full", "f"]).assert().code(1).stdout(lines(&[
        "f:1:1: byte 0x0 (0): byte FF starts no sequence [invalid-fe-ff]",
        "  00000000  FF 61 FE 62 C0 AF 67 68  69 6A 6B 6C 6D 6E 6F 70  |·a·b··ghijklmnop|",
        "            ^^",
        "f:1:3: byte 0x2 (2): byte FE starts no sequence [invalid-fe-ff]",
        "  00000000  FF 61 FE 62 C0 AF 67 68  69 6A 6B 6C 6D 6E 6F 70  |·a·b··ghijklmnop|",
        "                  ^^",
        "f:1:5: byte 0x4 (4): overlong 2-byte form C0 AF of U+002F [overlong-2]",
        "  00000000  FF 61 FE 62 C0 AF 67 68  69 6A 6B 6C 6D 6E 6F 70  |·a·b··ghijklmnop|",
        "                        ^^ ^^",
        "f:1:17: byte 0x10 (16): byte FF starts no sequence [invalid-fe-ff]",
        "  00000010  FF                                                |·               |",
        "            ^^",
    ]));
}

#[test]
fn full_keeps_to_ascii_where_the_locale_does() {
    let dir = Dir::of(&[("f", b"\x80\xC3\xA9\x00z")]);
    let expected = lines(&[
        "f:1:1: byte 0x0 (0): continuation byte 80 without a lead byte [lone-continuation]",
        "  00000000  80 C3 A9 00 7A                                    |....z           |",
        "            ^^",
    ]);
    for locale in ["C", "POSIX", "de_DE.ISO-8859-1", ""] {
        let mut command = dir.validate();
        command.env("LC_ALL", locale).args(["--format", "full", "f"]);
        command.assert().code(1).stdout(expected.clone());
    }
    let mut command = dir.validate();
    command.env("LC_ALL", "").env("LANG", "de_DE.utf8").args(["--format", "full", "f"]);
    command.assert().code(1).stdout(expected.replace("....z", "····z"));
}

#[test]
fn full_shows_whole_rows_around_a_range() {
    let dir = Dir::of(&[("f", b"0123456789abcdefghij\x80klmnopqrstuvwxyz")]);
    let expected = lines(&[
        "f:1:21: byte 0x14 (20): continuation byte 80 without a lead byte [lone-continuation]",
        "  00000010  67 68 69 6A 80 6B 6C 6D  6E 6F 70 71 72 73 74 75  |ghij·klmnopqrstu|",
        "                        ^^",
    ]);
    let mut command = dir.validate();
    command.args(["--format", "full", "-s", "20", "-n", "1", "f"]);
    command.assert().code(1).stdout(expected);
}

#[test]
fn full_starts_anew_with_each_file() {
    let dir = Dir::of(&[("a", b"aaaaaaaaaaaaaaaaaaaa\x80"), ("b", b"b\x80")]);
    dir.validate().args(["--format", "full", "a", "b"]).assert().code(1).stdout(lines(&[
        "a:1:21: byte 0x14 (20): continuation byte 80 without a lead byte [lone-continuation]",
        "  00000010  61 61 61 61 80                                    |aaaa·           |",
        "                        ^^",
        "b:1:2: byte 0x1 (1): continuation byte 80 without a lead byte [lone-continuation]",
        "  00000000  62 80                                             |b·              |",
        "               ^^",
    ]));
}

// --format json

#[test]
fn json_has_these_fields_and_no_others() {
    assert_eq!(
        json("41 0A C3 A9 E0 80 AF", &[]),
        [
            json!({
                "type": "finding", "path": "-e", "offset": 4, "length": 3, "kind": "overlong-3",
                "class": "overlong", "hex": "E0 80 AF", "value": "U+002F",
                "line": 2, "column_bytes": 3, "column_chars": 2,
            }),
            json!({
                "type": "summary", "path": "-e", "codec": "utf-8", "size": 7, "valid": false,
                "findings": 1, "start": 0, "stopped": false, "by_kind": {"overlong-3": 1}, "lines": 2,
                "scalars": 3, "bom": false,
            }),
        ]
    );
}

#[test]
fn json_sums_up_good_files_too() {
    let dir = Dir::of(&[("empty", b""), ("good", b"\xEF\xBB\xBFa\n")]);
    let out =
        dir.validate().args(["--format", "json", "empty", "good"]).assert().code(0).stderr("");
    assert_eq!(
        objects(&out.get_output().stdout),
        [
            json!({
                "type": "summary", "path": "empty", "codec": "utf-8", "size": 0, "valid": true,
                "findings": 0, "start": 0, "stopped": false, "by_kind": {}, "lines": 0, "scalars": 0,
                "bom": false,
            }),
            json!({
                "type": "summary", "path": "good", "codec": "utf-8", "size": 5, "valid": true,
                "findings": 0, "start": 0, "stopped": false, "by_kind": {}, "lines": 1, "scalars": 3,
                "bom": true,
            }),
        ]
    );
}

#[test]
fn json_counts_by_kind() {
    let objects = json("80 80 C0 80 FF FF FF C2", &[]);
    let expected =
        json!({"lone-continuation": 2, "overlong-nul": 1, "invalid-fe-ff": 3, "truncated-end": 1});
    assert_eq!(objects.last().unwrap()["by_kind"], expected);
}

#[test]
fn stats_of_json_have_code_points_by_length() {
    let stats = json("41 42 C3 A9 E2 82 AC F0 9F 98 80 FF", &["--stats"]);
    assert_eq!(stats[1]["by_length"], json!({"1": 2, "2": 1, "3": 1, "4": 1}));
    assert_eq!(stats[1]["scalars"], 5);
    let long = json("FD BF BF BF BF BF", &["-f", "rfc2279", "--stats"]);
    assert_eq!(long[0]["by_length"], json!({"6": 1}));
    let pair = json("ED A0 BD ED B8 80 C3 A9", &["-f", "cesu-8", "--stats"]);
    assert_eq!(pair[0]["by_length"], json!({"2": 1, "6": 1}));
}

/// Line, column in bytes and column in code points of the last finding.
fn place(bytes: &str, args: &[&str]) -> [u64; 3] {
    let objects = json(bytes, args);
    let last = &objects[objects.len() - 2];
    ["line", "column_bytes", "column_chars"].map(|key| last[key].as_u64().unwrap())
}

#[test]
fn columns_count_bytes_and_code_points() {
    assert_eq!(place("61 C3 A9 E2 82 AC F0 9F 98 80 FF", &[]), [1, 11, 5]);
    assert_eq!(place("C3 A9 0A C3 A9 FF", &[]), [2, 3, 2]);
    assert_eq!(place("EF BB BF FF", &[]), [1, 4, 2]);
}

#[test]
fn a_fault_counts_one_code_point_for_each_maximal_subpart() {
    for how in ["sequence", "maximal", "byte"] {
        let how = &["--segments", how];
        assert_eq!(place("E2 82 41 FF", how), [1, 4, 3], "one truncated, and A");
        assert_eq!(place("F0 9F 98 41 FF", how), [1, 5, 3], "one truncated, and A");
        assert_eq!(place("C0 AF FF", how), [1, 3, 3], "two of an overlong form");
        assert_eq!(place("E0 80 80 41 FF", how), [1, 5, 5], "three, and A");
        assert_eq!(place("ED A0 BD ED B8 80 FF", how), [1, 7, 7], "six of a pair");
        assert_eq!(place("C0 AF 0A FF", how), [2, 1, 1], "none on a new line");
    }
}

#[test]
fn a_piece_stands_at_the_column_of_its_subpart() {
    let columns = |bytes, how| -> Vec<[u64; 2]> {
        let objects = json(bytes, &["--segments", how]);
        let findings = objects.iter().filter(|object| object["type"] == "finding");
        let column = |object: &serde_json::Value, key| object[key].as_u64().unwrap();
        findings.map(|f| [column(f, "column_bytes"), column(f, "column_chars")]).collect()
    };
    assert_eq!(columns("C3 A9 E2 82 41", "byte"), [[3, 2], [4, 2]]);
    assert_eq!(columns("C3 A9 E2 82 41", "maximal"), [[3, 2]]);
    for how in ["byte", "maximal"] {
        assert_eq!(columns("C3 A9 E0 80 AF", how), [[3, 2], [4, 3], [5, 4]]);
    }
}

#[test]
fn an_unpaired_surrogate_of_cesu_8_counts_one() {
    assert_eq!(place("ED A0 80 FF", &["-f", "cesu-8"]), [1, 4, 2]);
    assert_eq!(place("ED A0 BD ED B8 80 FF", &["-f", "cesu-8"]), [1, 7, 2], "a pair is one");
}

#[test]
fn a_signature_of_utf_8_bom_is_no_text() {
    assert_eq!(place("EF BB BF FF", &["-f", "utf-8-bom"]), [1, 4, 1]);
    let summary = &json("EF BB BF 41", &["-f", "utf-8-bom"])[0];
    assert_eq!((&summary["scalars"], &summary["bom"]), (&json!(1), &json!(true)));
}

#[test]
fn json_names_a_file_losslessly() {
    let dir = Dir::new();
    if !dir.try_write(b"caf\xE9", b"\xFF") {
        return crate::common::bin::skipped("a name in Latin-1", "the file system takes none");
    }
    dir.write("café", b"\xFF");
    let out = dir
        .validate()
        .args(["--format", "json"])
        .arg(std::path::Path::new(std::ffi::OsStr::new("café")))
        .arg(<std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(b"caf\xE9"))
        .assert()
        .code(1);
    let objects = objects(&out.get_output().stdout);
    for object in &objects[..2] {
        assert_eq!(object["path"], "café");
        assert_eq!(object.get("path_bytes"), None, "UTF-8 needs none");
    }
    for object in &objects[2..] {
        assert_eq!(object["path"], "caf\u{FFFD}");
        assert_eq!(object["path_bytes"], "Y2Fm6Q==", "63 61 66 E9 in base64");
    }
    assert_eq!(objects.len(), 4);
}

#[test]
fn json_has_an_object_for_trouble() {
    let dir = Dir::of(&[("good", b"a")]);
    let out = dir.validate().args(["--format", "json", "missing", "good"]).assert().code(2);
    let objects = objects(&out.get_output().stdout);
    assert_eq!(objects[0]["type"], "trouble");
    assert_eq!(objects[0]["path"], "missing");
    assert!(objects[0]["message"].as_str().unwrap().contains("No such file"));
    assert_eq!(objects[0].as_object().unwrap().len(), 3);
    assert_eq!((&objects[1]["type"], &objects[1]["path"]), (&json!("summary"), &json!("good")));
    assert_eq!(objects.len(), 2);
}

#[test]
fn json_leaves_standard_error_alone() {
    hex("C0 AF", &["--format", "json"]).code(1).stderr("");
}

#[test]
fn json_says_which_codec_it_read() {
    assert_eq!(json("41", &["-f", "Oracle UTF8"])[0]["codec"], "cesu-8");
}

// --format tsv

#[test]
fn tsv_has_seven_columns_and_no_header() {
    let dir = Dir::of(&[("f", b"ab\n\xC3\xA9\xC0\xAF\xE2\x82"), ("good", b"a")]);
    dir.validate()
        .args(["--format", "tsv", "f", "good"])
        .assert()
        .code(1)
        .stdout("5\t2\toverlong-2\t2\t3\tC0 AF\tf\n7\t2\ttruncated-end\t2\t5\tE2 82\tf\n")
        .stderr("");
}

#[test]
fn tsv_escapes_control_characters_in_a_name() {
    let dir = Dir::of(&[("a\tb\nc\\", b"\xFF")]);
    dir.validate()
        .args(["--format", "tsv", "a\tb\nc\\"])
        .assert()
        .code(1)
        .stdout("0\t1\tinvalid-fe-ff\t1\t1\tFF\ta\\x09b\\x0Ac\\\\\n");
}

// --max-errors, --count, -l, -L

fn three() -> Dir {
    Dir::of(&[("bad", b"\xFFx\xFF\n\xC0"), ("good", b"a"), ("worse", &[0xFF; 1000])])
}

#[test]
fn max_errors_stops_a_file_and_says_so() {
    let out = three().validate().args(["-m", "1", "bad", "good", "worse"]).assert().code(1);
    let out = out.stdout(lines(&[
        "bad:1:1: byte 0x0 (0): byte FF starts no sequence [invalid-fe-ff]",
        "worse:1:1: byte 0x0 (0): byte FF starts no sequence [invalid-fe-ff]",
    ]));
    out.stderr(
        contains("bad: stopped after 1 ill-formed sequence")
            .and(contains("worse: stopped after 1 ill-formed sequence"))
            .and(contains("good").not()),
    );
}

#[test]
fn max_errors_counts_findings_and_not_faults() {
    let out = json("C0 AF C0 AF", &["-m", "3", "--segments", "byte"]);
    assert_eq!(out.len(), 4);
    assert_eq!((&out[3]["findings"], &out[3]["stopped"]), (&json!(3), &json!(true)));
}

#[test]
fn max_errors_above_the_number_changes_nothing() {
    let dir = three();
    let whole = dir.validate().arg("bad").assert().code(1);
    let whole = String::from_utf8(whole.get_output().stdout.clone()).unwrap();
    dir.validate()
        .args(["-m", "4", "bad"])
        .assert()
        .code(1)
        .stdout(whole)
        .stderr("bad: 3 ill-formed sequences in 5 bytes\n");
}

#[test]
fn count_is_a_number_for_one_file() {
    three().validate().args(["-c", "bad"]).assert().code(1).stdout("3\n").stderr("");
    three().validate().args(["-c", "good"]).assert().code(0).stdout("0\n").stderr("");
    validate().arg("-c").write_stdin(&b"\xFF"[..]).assert().code(1).stdout("1\n");
}

#[test]
fn count_names_each_of_several_files() {
    let expected = "bad:3\ngood:0\nworse:1000\n";
    let dir = three();
    dir.validate()
        .args(["-c", "bad", "good", "worse"])
        .assert()
        .code(1)
        .stdout(expected)
        .stderr("");
    dir.write("list", "bad\n");
    dir.validate().args(["-c", "--files-from", "list"]).assert().code(1).stdout("bad:3\n");
}

#[test]
fn count_with_null_ends_names_with_nul() {
    let expected = "bad\x003\ngood\x000\n";
    three().validate().args(["-c0", "bad", "good"]).assert().code(1).stdout(expected);
}

#[test]
fn count_of_json_is_the_summaries() {
    let out = three().validate().args(["-c", "--format", "json", "bad", "good"]).assert().code(1);
    let objects = objects(&out.get_output().stdout);
    let brief =
        |o: &serde_json::Value| (o["type"].clone(), o["path"].clone(), o["findings"].clone());
    assert_eq!(brief(&objects[0]), (json!("summary"), json!("bad"), json!(3)));
    assert_eq!(brief(&objects[1]), (json!("summary"), json!("good"), json!(0)));
    assert_eq!(objects.len(), 2);
}

#[test]
fn count_of_tsv_is_a_number() {
    hex("C0 AF", &["-c", "--format", "tsv"]).code(1).stdout("1\n");
}

#[test]
fn files_with_errors_are_named_alone() {
    let mut command = three();
    let run = |args: &[&str], expected: &'static str, dir: &mut Dir| {
        dir.validate()
            .args(args)
            .args(["bad", "good", "worse"])
            .assert()
            .code(1)
            .stdout(expected)
            .stderr("");
    };
    run(&["-l"], "bad\nworse\n", &mut command);
    run(&["--files-with-errors"], "bad\nworse\n", &mut command);
    run(&["-L"], "good\n", &mut command);
    run(&["--files-without-errors"], "good\n", &mut command);
    run(&["-l", "-0"], "bad\0worse\0", &mut command);
    run(&["-L0"], "good\0", &mut command);
}

#[test]
fn a_list_of_no_files_is_empty() {
    three().validate().args(["-l", "good"]).assert().code(0).stdout("");
    three().validate().args(["-L", "bad"]).assert().code(1).stdout("");
}

#[test]
fn a_file_that_cannot_be_read_is_in_neither_list() {
    for which in ["-l", "-L"] {
        let out = three().validate().args([which, "missing"]).assert().code(2);
        out.stdout("").stderr(contains("utf8: missing: No such file or directory"));
    }
}

#[test]
fn lists_escape_names_unless_nul_ends_them() {
    let dir = Dir::of(&[("a\nb", b"\xFF")]);
    dir.validate().args(["-l", "a\nb"]).assert().code(1).stdout("a\\x0Ab\n");
    dir.validate().args(["-l0", "a\nb"]).assert().code(1).stdout("a\nb\0");
}

// --stats, -q, -v

#[test]
fn stats_are_bytes_lines_code_points_bom_and_kinds() {
    hex("EF BB BF 41 0A C3 A9 0A 42 80 80", &["--stats"]).code(1).stderr(
        contains("11 bytes")
            .and(contains("3 lines"))
            .and(contains("BOM"))
            .and(contains("6 code points"))
            .and(contains("4 of 1 byte"))
            .and(contains("1 of 2 bytes"))
            .and(contains("1 of 3 bytes"))
            .and(contains("2 lone-continuation")),
    );
}

#[test]
fn stats_are_given_of_good_files_too() {
    validate()
        .arg("--stats")
        .write_stdin("a\n")
        .assert()
        .code(0)
        .stdout("")
        .stderr(contains("2 bytes, 1 line, no BOM").and(contains("2 code points")));
}

#[test]
fn quiet_says_nothing_and_stops_at_the_first_fault() {
    let dir = three();
    dir.validate().args(["-q", "good"]).assert().code(0).stdout("").stderr("");
    dir.validate().args(["-q", "bad", "missing"]).assert().code(1).stdout("").stderr("");
}

#[test]
fn quiet_still_says_what_could_not_be_read() {
    let out = three().validate().args(["-q", "missing"]).assert().code(2).stdout("");
    out.stderr(contains("utf8: missing: No such file or directory"));
}

#[test]
fn verbose_says_that_a_good_file_is_valid() {
    three()
        .validate()
        .args(["-v", "good", "bad"])
        .assert()
        .code(1)
        .stderr("good: valid, 1 byte\nbad: 3 ill-formed sequences in 5 bytes\n");
}

#[test]
fn a_good_file_is_passed_in_silence() {
    three().validate().arg("good").assert().code(0).stdout("").stderr("");
}

#[test]
fn summaries_come_in_text_and_full_alone() {
    let dir = three();
    let summary = "bad: 3 ill-formed sequences in 5 bytes\n";
    for (format, said) in [("text", summary), ("full", summary), ("json", ""), ("tsv", "")] {
        dir.validate().args(["--format", format, "bad"]).assert().code(1).stderr(said);
    }
}

// Exit status, usage

#[test]
fn trouble_outranks_a_fault_and_the_rest_is_done() {
    let dir = three();
    for files in [["bad", "missing", "good"], ["missing", "good", "bad"]] {
        let out = dir.validate().args(["-m1"]).args(files).assert().code(2);
        out.stdout(contains("bad:1:1: ")).stderr(contains("utf8: missing: "));
    }
}

#[test]
fn options_that_exclude_each_other_are_usage_errors() {
    for args in [
        &["-l", "-L"][..],
        &["-l", "-c"],
        &["-L", "-c"],
        &["-q", "-v"],
        &["-l", "--format", "json"],
        &["-L", "--format", "tsv"],
        &["-e", "a", "file"],
        &["-e", "a", "--files-from", "list"],
        &["-m", "0"],
        &["-m", "-1"],
        &["-m", "x"],
        &["--format", "yaml"],
        &["--segments", "word"],
        &["--mmap", "maybe"],
        &["--color", "blue"],
        &["--no-such-option"],
        &["-e"],
    ] {
        validate()
            .args(args)
            .write_stdin(&b"\xFF"[..])
            .assert()
            .code(2)
            .stdout("")
            .stderr(predicate::str::is_empty().not());
    }
}

#[test]
fn a_command_must_be_named_and_known() {
    crate::common::bin::utf8().assert().code(2).stdout("");
    crate::common::bin::utf8().arg("validat").assert().code(2).stderr(contains("validate"));
}
