//! The message of each kind, with its offset, line and column.

use std::collections::BTreeSet;

use crate::common::bin::{Dir, hex, json, lines};
use crate::common::inputs::{CLASSES, strings};
use crate::common::{each, representatives, unhex};
use utf8::Issue;
use utf8::issue::{KINDS, KindRow, Relative};
use utf8::registry::Encoding;

/// At least one case of each kind: an encoding, bytes, the `text` line after `-e:LINE:COLUMN: byte
/// …: `, and the class.
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

/// Issues that another byte truncates, in front of `A`.
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
    ("utf-8", "F0 80", "overlong 4-byte form F0 80, cut short by 41 \"A\" [overlong-4]"),
    ("utf-8", "F8 80", "overlong 5-byte form F8 80, cut short by 41 \"A\" [overlong-5]"),
    ("utf-8", "FC 80", "overlong 6-byte form FC 80, cut short by 41 \"A\" [overlong-6]"),
    ("utf-8", "ED A0", "high surrogate ED A0, cut short by 41 \"A\" [surrogate-high]"),
    ("utf-8", "ED B0", "low surrogate ED B0, cut short by 41 \"A\" [surrogate-low]"),
    ("utf-8", "F5", "byte F5 starts no sequence: its forms are above U+10FFFF [above-10ffff]"),
    ("utf-8", "F8", "byte F8 starts no sequence: only RFC 2279 had forms of 5 bytes [five-byte]"),
    ("utf-8", "F4 90", "4-byte form F4 90, above U+10FFFF, cut short by 41 \"A\" [above-10ffff]"),
    ("utf-8", "F8 88", "5-byte form F8 88, as RFC 2279 had it, cut short by 41 \"A\" [five-byte]"),
    ("utf-8", "FC", "byte FC starts no sequence: only RFC 2279 had forms of 6 bytes [six-byte]"),
    ("mutf-8", "F0", "byte F0 starts no sequence: no form here has 4 bytes [four-byte]"),
    ("mutf-8", "F0 80", "4-byte form F0 80, where no form is longer than 3 bytes, cut short by 41 \"A\" [four-byte]"),
    ("utf-1", "A0", "truncated 2-byte sequence A0: expected A0..FF, found 41 \"A\" [truncated-next]"),
    ("fss-utf-1992", "C0 80", "truncated 3-byte sequence C0 80: expected 80..FF, found 41 \"A\" [truncated-next]"),
    ("fss-utf-1992", "F7 EF", "truncated 5-byte sequence F7 EF: expected 80..DF, found 41 \"A\" [truncated-next]"),
    ("fss-utf-1992", "F7 F0", "5-byte form F7 F0, above 7FFFFFFF, cut short by 41 \"A\" [above-7fffffff]"),
    ("utf-8", "FD BF BF BF", "6-byte form FD BF BF BF, as RFC 2279 had it, cut short by 41 \"A\" [six-byte]"),
];

/// Faults that the end of the input cuts short.
#[rustfmt::skip]
static AT_END: &[(&str, &str, &str)] = &[
    ("utf-8", "E0 80", "overlong 3-byte form E0 80, cut short by the end of input [overlong-3]"),
    ("utf-8", "F0", "truncated 4-byte sequence F0: expected 90..BF, found the end of input [truncated-end]"),
    ("utf-16le", "00 D8", "truncated 4-byte sequence 00 D8, found the end of input [truncated-end]"),
];

#[test]
fn each_kind_has_a_message() {
    for (codec, bytes, said, _) in CASES {
        let line = format!("-e:2:2: byte 0x3 (3): {said}\n");
        hex(&format!("41 0A 42 {bytes}"), &["-f", codec]).code(1).stdout(line);
    }
}

#[test]
fn truncated_sequences_name_the_interrupting_byte() {
    for (codec, bytes, said) in CUT_SHORT {
        let line = format!("-e:1:1: byte 0x0 (0): {said}\n");
        hex(&format!("{bytes} 41"), &["-f", codec]).code(1).stdout(line);
    }
}

#[test]
fn truncated_sequences_name_the_end_of_input() {
    for (codec, bytes, said) in AT_END {
        let line = format!("-e:1:1: byte 0x0 (0): {said}\n");
        hex(bytes, &["-f", codec]).code(1).stdout(line);
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
    ("iso-2022-cn", "1B 42", "2: byte 0x1 (1): \"\\x1BB\" is not an escape sequence that has a place here [bad-escape]"),
    ("iso-2022-cn", "0E 42 42", "2: byte 0x1 (1): \"\\x0E\" is not an escape sequence that has a place here [bad-escape]"),
    ("iso-2022-cn-ext", "0E 42 42", "2: byte 0x1 (1): \"\\x0E\" is not an escape sequence that has a place here [bad-escape]"),
    ("iso-2022-jp", "1B 24 42 24 1B 28 42", "5: byte 0x4 (4): truncated 2-byte sequence 24: expected 21..7E, found 1B [truncated-next]"),
];

#[test]
fn issues_between_shifts_have_messages() {
    for (codec, bytes, said) in SHIFTED {
        let found = hex(&format!("41 {bytes}"), &["-f", codec]).code(1);
        found.stdout(format!("-e:1:{said}\n"));
    }
}

/// The issues of some bytes by all that their messages depend on: the kind, and whether the sequence
/// is one byte and spells a value.
fn sorts(codec: &'static Encoding, bytes: &[u8]) -> Vec<(&'static str, bool, bool)> {
    let sort = |issue: Issue| {
        let sequence = &bytes[issue.offset as usize..][..issue.len.into()];
        (issue.kind.id(), issue.len == 1, (codec.inner.spells)(sequence).is_some())
    };
    utf8::issues(codec, bytes).map(sort).collect()
}

/// The tables have every sort of issue that short strings have in any codec.
#[test]
fn every_form_of_message_has_a_case() {
    let cases = CASES.iter().map(|case| (case.0, case.1.to_owned()));
    let cut_short = CUT_SHORT.iter().map(|case| (case.0, format!("{} 41", case.1)));
    let shifted = SHIFTED.iter().map(|case| (case.0, format!("41 {}", case.1)));
    let at_end = AT_END.iter().map(|case| (case.0, case.1.to_owned()));
    let cases = cases.chain(at_end).chain(cut_short).chain(shifted);
    let cases: BTreeSet<_> = cases
        .flat_map(|(codec, bytes)| sorts(Encoding::for_label(codec).unwrap(), &unhex(&bytes)))
        .collect();
    // Only writers meet the first, and only directories the second.
    let others = ["unencodable", "not-utf-8"];
    let kinds: BTreeSet<_> = cases.iter().map(|sort| sort.0).chain(others).collect();
    assert_eq!(kinds, KINDS.iter().map(|row| row.id).collect());
    each(&representatives(), |&codec| {
        for len in 1..=3 {
            strings(CLASSES, len, |bytes| {
                for sort in sorts(codec, bytes) {
                    assert!(cases.contains(&sort), "{} {bytes:02X?} {sort:?}", codec.name);
                }
            });
        }
    });
}

/// A row names a relative of UTF-8 in which a whole sequence is well-formed, if there is one.
#[test]
fn relatives_read_their_forms() {
    let relatives = [
        ("cesu-8", Relative::Cesu8),
        ("mutf-8", Relative::Mutf8),
        ("wtf-8", Relative::Wtf8),
        ("rfc2279", Relative::Rfc2279),
    ];
    let mut seen = BTreeSet::new();
    for (_, bytes, said, _) in CASES.iter().filter(|case| case.0 == "utf-8") {
        let bytes = unhex(bytes);
        let [issue] = utf8::issues(Encoding::UTF_8, &bytes).collect::<Vec<_>>()[..] else {
            panic!("{said}")
        };
        let named = KINDS[issue.kind as usize].relative(issue.len);
        let mut readers = relatives.iter().filter(|(codec, _)| {
            utf8::validate(Encoding::for_label(codec).unwrap(), &bytes).is_ok()
        });
        match named {
            Some(named) => assert!(readers.any(|reader| reader.1 == named), "{said}"),
            None => assert_eq!(readers.next(), None, "{said}"),
        }
        seen.extend(named.map(|_| issue.kind.id()));
    }
    let rows = KINDS.iter().filter(|row| row.well_formed_in.is_some()).map(|row| row.id);
    assert_eq!(seen, rows.collect());
}

#[test]
fn names_and_titles_of_kinds_are_unique() {
    for names in [|row: &KindRow| row.id, |row: &KindRow| row.title] {
        let unique: BTreeSet<_> = KINDS.iter().map(names).collect();
        assert_eq!(unique.len(), KINDS.len());
    }
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
fn findings_have_lines_columns_and_offsets() {
    let mut notes = b"a line of notes\n".repeat(11);
    notes.extend(b"123456\xC0\xAF\n");
    notes.resize(8214, b'n');
    let dir = Dir::of(&[("notes.txt", &notes)]);
    let line =
        "notes.txt:12:7: byte 0xB6 (182): overlong 2-byte form C0 AF of U+002F [overlong-2]\n";
    let summary = "notes.txt: 1 ill-formed sequence in 8,214 bytes; next: utf8 detect --format long notes.txt\n";
    dir.validate().arg("notes.txt").assert().code(1).stdout(line).stderr(summary);
}

// Units of two and four bytes.

/// An encoding, bytes, and the whole report.
#[rustfmt::skip]
static UNITS: &[(&str, &str, &[&str])] = &[
    ("utf-16le", "00 D8 41 00",
     &["-e:1:1: byte 0x0 (0): high surrogate 00 D8, that is U+D800 [surrogate-high]"]),
    ("utf-16be", "00 0A DC 00",
     &["-e:2:1: byte 0x2 (2): low surrogate DC 00, that is U+DC00 [surrogate-low]"]),
    ("utf-16le", "41",
     &["-e:1:1: byte 0x0 (0): truncated 2-byte sequence 41: expected code units of 2 bytes, found the end of input [truncated-end]"]),
    ("utf-16be", "00 41 D8 3D",
     &["-e:1:3: byte 0x2 (2): truncated 4-byte sequence D8 3D: expected DC..DF, found the end of input [truncated-end]"]),
    ("utf-16le", "3D D8 00",
     &["-e:1:1: byte 0x0 (0): truncated 4-byte sequence 3D D8 00: expected code units of 2 bytes, found the end of input [truncated-end]"]),
    // The BOM determines the order; U+0A00 ends no line, and neither do halves of other units.
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
        // Lines of a file are counted on demand.
        let dir = Dir::of(&[("f", &unhex(bytes))]);
        let said: Vec<String> = said.iter().map(|line| line.replacen("-e", "f", 1)).collect();
        let said: Vec<&str> = said.iter().map(String::as_str).collect();
        dir.validate().args(["-f", codec, "f"]).assert().code(1).stdout(lines(&said));
    }
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
