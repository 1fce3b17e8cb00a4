//! `--format full`.

use crate::common::bin::{Dir, lines};

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
    for locale in ["C.ISO-8859-1", "de_DE.ISO-8859-1"] {
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
