//! Reversal of dumps by this program and by others.

use crate::common::inputs::Rng;
use crate::common::peer::peer;
use crate::properties::dump::read_rows;
use utf8::dump::CellBase;
use utf8::undump::{DumpForm, DumpReader, PlacedPart};

const ROWS: DumpForm = DumpForm::Rows(None);
/// The limit of bytes in a test.
const MOST: usize = 64 << 20;
const BITS: DumpForm = DumpForm::Rows(Some(CellBase::Bits));

/// Reverses a dump in parts; returns the offset of the first byte and the bytes, or the error.
fn spelt<'a>(
    parts: impl IntoIterator<Item = &'a [u8]>,
    form: DumpForm,
) -> Result<(u64, Vec<u8>), String> {
    let (mut reverse, mut bytes) = (DumpReader::new(form), Vec::new());
    let read = || {
        parts.into_iter().try_for_each(|part| reverse.feed(part))?;
        let mut pieces = reverse.finish()?;
        pieces.write(|part| match bytes.len() {
            ..MOST => {
                part.blocks().for_each(|block| bytes.extend_from_slice(block));
                Ok(())
            }
            _ => Err(std::io::Error::other("much")),
        })?;
        Ok(pieces.origin())
    };
    let read: std::io::Result<u64> = read();
    read.map(|origin| (origin, bytes)).map_err(|error| error.to_string())
}

fn reverse(dump: &str, form: DumpForm) -> Vec<u8> {
    spelt([dump.as_bytes()], form).unwrap_or_else(|error| panic!("{error}:\n{dump}")).1
}

fn refusal(dump: &str, form: DumpForm) -> String {
    spelt([dump.as_bytes()], form).expect_err(dump)
}

/// Returns random bytes with runs of zeros.
fn random(rng: &mut Rng, len: usize) -> Vec<u8> {
    let mut zeros = 0;
    let mut byte = || {
        zeros = if rng.one_in(40) { 20 } else { zeros - i32::from(zeros > 0) };
        if zeros > 0 { 0 } else { rng.next() as u8 }
    };
    (0..len).map(|_| byte()).collect()
}

// Dumps of other programs

/// Programs that dump, their arguments, and the form of their dumps.
const PEERS: &[(&str, &[&str], DumpForm)] = &[
    ("xxd", &[], ROWS),
    ("xxd", &["-a"], ROWS),
    ("xxd", &["-u", "-c", "5", "-g", "3"], ROWS),
    ("xxd", &["-c", "7", "-g", "1"], ROWS),
    ("xxd", &["-g", "0"], ROWS),
    ("xxd", &["-g", "4"], DumpForm::Rows(Some(CellBase::Hex))),
    ("xxd", &["-g", "8", "-c", "32"], DumpForm::Rows(Some(CellBase::Hex))),
    ("xxd", &["-b"], BITS),
    ("xxd", &["-b", "-a"], BITS),
    ("xxd", &["-b", "-c", "3", "-g", "2"], BITS),
    ("xxd", &["-p"], DumpForm::PlainHex),
    ("hexdump", &["-C"], ROWS),
    ("hexdump", &["-C", "-v"], ROWS),
    ("od", &["-A", "x", "-t", "x1"], ROWS),
    ("od", &["-A", "x", "-t", "x1z"], ROWS),
    ("od", &["-A", "x", "-t", "x1z", "-v", "-w11"], ROWS),
    ("od", &["-t", "x1", "-v"], ROWS),
    ("od", &["-t", "x1z", "-v", "-w11"], ROWS),
    ("od", &["-A", "d", "-t", "x1", "-v"], ROWS),
    ("od", &["-t", "o1", "-v"], DumpForm::Rows(Some(CellBase::Octal))),
    ("od", &["-A", "x", "-t", "o1"], DumpForm::Rows(Some(CellBase::Octal))),
    ("od", &["-A", "x", "-t", "o1z", "-v", "-w11"], DumpForm::Rows(Some(CellBase::Octal))),
];

#[test]
fn dumps_of_other_tools_are_reversed() {
    let mut rng = Rng::new(1);
    for (program, args, form) in PEERS {
        for len in 0..=70 {
            for bytes in [random(&mut rng, len), vec![0; len]] {
                let Some(dump) = peer(program, args, &bytes) else { break };
                let told = spelt([&dump[..]], *form).map(|(_, bytes)| bytes);
                let dump = String::from_utf8_lossy(&dump);
                assert_eq!(told.as_ref(), Ok(&bytes), "{program} {args:?} of {len}:\n{dump}");
            }
        }
    }
}

#[test]
fn bits_and_groups_of_four_are_distinguished() {
    let mut rng = Rng::new(2);
    for args in [&["-b"][..], &["-b", "-g", "3"], &["-b", "-a"], &["-g", "4"], &["-a", "-g", "8"]] {
        for len in 0..=70 {
            for bytes in [random(&mut rng, len), vec![0; len], vec![0x11; len]] {
                let Some(dump) = peer("xxd", args, &bytes) else { return };
                let told = spelt([&dump[..]], ROWS).map(|(_, bytes)| bytes);
                let dump = String::from_utf8_lossy(&dump);
                assert_eq!(told.as_ref(), Ok(&bytes), "{args:?}:\n{dump}");
            }
        }
    }
}

#[test]
fn recorded_dumps_of_others() {
    let text = b"Hello world!\n\x00\x01\x02\x03\x04";
    for dump in [
        // xxd
        "00000000: 4865 6c6c 6f20 776f 726c 6421 0a00 0102  Hello world!....\n\
         00000010: 0304                                     ..\n",
        // xxd -u -c 5 -g 3
        "00000000: 48656C 6C6F  Hello\n00000005: 20776F 726C   worl\n\
         0000000a: 64210A 0001  d!...\n0000000f: 020304       ...\n",
        // xxd -b
        "00000000: 01001000 01100101 01101100 01101100 01101111 00100000  Hello \n\
         00000006: 01110111 01101111 01110010 01101100 01100100 00100001  world!\n\
         0000000c: 00001010 00000000 00000001 00000010 00000011 00000100  ......\n",
        // hexdump -C
        "00000000  48 65 6c 6c 6f 20 77 6f  72 6c 64 21 0a 00 01 02  |Hello world!....|\n\
         00000010  03 04                                             |..|\n00000012\n",
        // od -A x -t x1z
        "000000 48 65 6c 6c 6f 20 77 6f 72 6c 64 21 0a 00 01 02  >Hello world!....<\n\
         000010 03 04                                            >..<\n000012\n",
    ] {
        assert_eq!(reverse(dump, ROWS), text, "{dump}");
        assert_eq!(reverse(&dump.replace('\n', "\r\n"), ROWS), text, "{dump}");
        let indented: String = dump.lines().map(|line| format!("    {line}\n\n")).collect();
        assert_eq!(reverse(&indented, ROWS), text, "{dump}");
    }
}

#[test]
fn a_star_repeats_the_row_above() {
    let zeros = "00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00  |................|";
    let dump = format!("00000000  {zeros}\n*\n00000040  61 62\n00000042\n");
    assert_eq!(reverse(&dump, ROWS), [&[0; 64][..], b"ab"].concat());
    // The last repetition may be incomplete at the end.
    let dump = format!("00000000  {zeros}\n*\n00000028\n");
    assert_eq!(reverse(&dump, ROWS), [0; 40]);
    let dump = "00000000: 6162  ab\n*\n00000006: 63  c\n";
    assert_eq!(reverse(dump, ROWS), b"abababc");
    // Any number of repetitions.
    let dump = "00000000: 616263  abc\n*\n00030000\n00030000: 64  d\n";
    assert_eq!(reverse(dump, ROWS), [b"abc".repeat(0x10000), b"d".to_vec()].concat());
}

// Dumps of this program

/// Rows of sequences: in the first the hex cells were edited, in the second the bits.
const SEQUENCES: &str = "\
00000010  1110\u{B7}0010 10\u{B7}000010 10\u{B7}101101           e2 82 ac     U+20AC    \u{20AC}   EURO SIGN
00000013  1100\u{B7}0000 10\u{B7}101111                     c0 af        overlong 2-byte form C0 AF of U+002F [overlong-2]
00000015  01001000                                 48           U+0048    H   LATIN CAPITAL LETTER H
00000016  48 65 6c 6c 6f 20 22 77 6f 72 6c 64 22 20 be 21       \"Hello \"world\" |!\"
00000026  48 65 6c 6c 6f 20 77 6f  \"Hello wo\"
0000002e  48 65 6c 6c   \"be 41\"
";

#[test]
fn rows_of_sequences() {
    let (hex, bits) = (b"\xE2\x82\xAC", b"\xE2\x82\xAD");
    let rest = b"\xC0\xAFHHello \"world\" \xBE!Hello woHell";
    for (form, euro) in [(ROWS, hex), (DumpForm::Rows(Some(CellBase::Hex)), hex), (BITS, bits)] {
        let expected = (0x10, [&euro[..], rest].concat());
        for dump in [
            SEQUENCES.to_owned(),
            SEQUENCES.replace('\u{B7}', "."),
            SEQUENCES.replace("\u{B7}", ""),
            SEQUENCES.replace("1110", "\x1B[1;34m1110\x1B[0m").replace('\u{B7}', "\x1B[2m.\x1B[m"),
        ] {
            assert_eq!(spelt([dump.as_bytes()], form), Ok(expected.clone()), "{dump}");
        }
    }
    let upper = "00000000  11000000 10101111  C0 AF";
    assert_eq!(reverse(upper, ROWS), [0xC0, 0xAF]);
}

#[test]
fn rows_of_bytes() {
    let bytes = b"Hel\xE2\x82\xAC\xC0\xAF \xE2\x82";
    for (dump, base) in [
        (
            "00000000: 48 65 6c e2.82.ac!c0.af 20  Hel\u{20AC}\u{B7}\u{B7}\u{D7}\u{B7} \n\
             00000009:!e2.82                       \u{D7}\u{B7}\n",
            None,
        ),
        ("00000000: 4865 6ce2.82ac!c0af\n00000008: 20e2\n0000000a:.82\n", None),
        ("00000000: 48656ce282acc0af20e282  Hel", None),
        (
            "00000000: 01001000 01100101 01101100 11100010.10000010.10101100  Hel\u{20AC}..\n\
             00000006:!11000000.10101111 00100000!11100010.10000010            x. x.\n",
            None,
        ),
        ("00000000: 110 145 154 342.202.254!300.257 040!342.202", Some(CellBase::Octal)),
        ("00000000: 110145 154342.202254!300257 040342.202", Some(CellBase::Octal)),
        ("000000 110 145 154 342 202 254 300 257 040 342 202  >He...<", Some(CellBase::Octal)),
        ("00000000: 072 101 108 226.130.172!192.175 032!226.130", Some(CellBase::Decimal)),
    ] {
        assert_eq!(reverse(dump, DumpForm::Rows(base)), bytes, "{dump}");
    }
}

#[test]
fn plain_digits() {
    let euro = [0xE2, 0x82, 0xAC];
    assert_eq!(reverse("e282\nAC\r\n", DumpForm::PlainHex), euro);
    assert_eq!(reverse("", DumpForm::PlainHex), b"");
    assert_eq!(reverse("11100010\n1000 0010\t1010\r\n1100", DumpForm::PlainBits), euro);
    assert_eq!(reverse("", DumpForm::PlainBits), b"");
    for (dump, form, why) in [
        ("41\n4", DumpForm::PlainHex, "unexpected end at byte 4 (line 2)"),
        ("41\n42\n4g", DumpForm::PlainHex, "unexpected \"g\" at byte 7 (line 3)"),
        ("01000001\n0100", DumpForm::PlainBits, "line 2: 4 of 8 digits at the end"),
        ("\n01000002", DumpForm::PlainBits, "line 2: unexpected \"2\""),
        ("\n\x1B", DumpForm::PlainBits, "line 2: unexpected byte 1B"),
    ] {
        let error = refusal(dump, form);
        assert!(error.starts_with(why), "{dump:?}: {error}");
    }
}

/// Rows of xxd 2023-10-25 with `-e`, some with `-g 2` and `-g 8`. The text tells the order; where it
/// tells none, rows are read as they are.
#[test]
fn little_endian_groups_are_refused_if_the_text_tells() {
    for dump in [
        "00000000: 6c6c6568 6f770a6f 20646c72 20646e61  hello.world and \n00000010: 65726f6d   more\n",
        "00000000: 6568 6c6c 0a6f 6f77 6c72 2064 6e61 2064  hello.world and \n",
        "00000000: 6f770a6f6c6c6568 20646e6120646c72  hello.world and \n",
        "00000000: 6c6c6568     0a6f                      hello.\n",
        // The first row is the same in both orders.
        "00000000: 61616161 61616161 61616161 61616161  aaaaaaaaaaaaaaaa\n00000010: 65726f6d  more\n",
    ] {
        let error = refusal(dump, ROWS);
        assert!(error.contains("groups of bytes in reversed order"), "{dump:?}: {error}");
    }
    for (dump, bytes) in [
        ("00000000: 61616161  aaaa\n", "aaaa"),
        ("00000000: 6c6c6568  \n", "lleh"),
        ("00000000: 6c6c6568  lleh\n00000004: 65726f6d  erom\n", "lleherom"),
        // EBCDIC
        ("00000000: 8182 8384  abcd\n", "\u{81}\u{82}\u{83}\u{84}"),
    ] {
        let bytes: Vec<u8> = bytes.chars().map(|c| u8::try_from(c).unwrap()).collect();
        assert_eq!(reverse(dump, ROWS), bytes, "{dump:?}");
    }
}

/// The frames are those of the tests and documentation of hexyl (github.com/sharkdp/hexyl), the rows
/// of memory those of the GDB and LLDB manuals, the rows of Wireshark those of text2pcap(1).
/// Rows of `tcpdump -X` and `-x` have the form of those of tcpdump 4.99.
#[test]
fn pasted_dumps_of_programs_without_peers_are_read() {
    const TCPDUMP: &[u8] = b"E\0\0\x20\0\x01\0\0@\x11\0\0\xC0\xA8\0\x01a  61\r\n";
    let hello = "Hello, w\u{e9}|d\n".as_bytes();
    let two_rows = [&b"0123456789abcdef"[..], b"xyz, ef gh"].concat();
    for (dump, origin, bytes) in [
        // tcpdump -X, -x
        (
            "\t0x0000:  4500 0020 0001 0000 4011 0000 c0a8 0001  E.......@.......\n\
             \t0x0010:  6120 2036 310d 0a                        a..61..\n",
            0,
            TCPDUMP,
        ),
        (
            "\t0x0000:  4500 0020 0001 0000 4011 0000 c0a8 0001\n\t0x0010:  6120 2036 310d 0a\n",
            0,
            TCPDUMP,
        ),
        // hexyl
        (
            "┌────────┬─────────────────────────┬─────────────────────────┬────────┬────────┐\n\
             │00000000│ 48 65 6c 6c 6f 2c 20 77 ┊ c3 a9 7c 64 0a          │Hello, w┊××|d_   │\n\
             └────────┴─────────────────────────┴─────────────────────────┴────────┴────────┘\n",
            0,
            hello,
        ),
        (
            "+--------+-------------------------+-------------------------+--------+--------+\n\
             |00000010| 48 65 6c 6c 6f 2c 20 77 | c3 a9 7c 64 0a          |Hello, w|××|d_   |\n\
             +--------+-------------------------+-------------------------+--------+--------+\n",
            16,
            hello,
        ),
        // --no-characters, --panels 1, --group-size 2
        ("│00000000│ 48 65 6c 6c 6f 2c 20 77 ┊ c3 a9 7c 64 0a          │\n", 0, hello),
        (
            "│00000000│ 4865 6c6c 6f2c 2077 │Hello, w│\n│00000008│ c3a9 7c64 0a        │××|d_   │",
            0,
            hello,
        ),
        // --border none: text that looks like cells follows sixteen cells.
        (
            " 00000000  30 31 32 33 34 35 36 37   38 39 61 62 63 64 65 66  01234567 89abcdef \n \
             00000010  78 79 7a 2c 20 65 66 20   67 68                     xyz, ef  gh       \n",
            0,
            &two_rows,
        ),
        // Repeated rows; in colours.
        (
            "│00000000│ 41 41 41 41 41 41 41 41 ┊ 41 41 41 41 41 41 41 41 │AAAAAAAA┊AAAAAAAA│\n\
             │*       │                         ┊                         │        ┊        │\n\
             │00000030│                         ┊                         │        ┊        │\n",
            0,
            &[b'A'; 48],
        ),
        (
            "│\x1B[90m00000000\x1B[39m│ \x1B[36m41 \x1B[39m                     │\x1B[36mA\x1B[39m       │",
            0,
            b"A",
        ),
        (
            "│        │ No content              │                         │        │        │\n",
            0,
            b"",
        ),
        // gdb: x/8xb; lldb: memory read
        (
            "0x7ffe4000:\t0x48\t0x65\t0x6c\n0x7ffe4003 <buffer+3>:\t0xc3\t0xa9\n",
            0x7FFE_4000,
            b"Hel\xC3\xA9",
        ),
        ("0x100003f9b: 48 65 6c 6c 6f 00  Hello.\n", 0x1_0000_3F9B, b"Hello\0"),
        // Wireshark
        (
            "0000   30 31 32 33 34 35 36 37 38 39 61 62 63 64 65 66   ab cd 56789abcdef\n\
             0010   78 79 7a 2c 20 65 66 20 67 68                     xyz, ef gh\n",
            0,
            &two_rows,
        ),
    ] {
        assert_eq!(spelt([dump.as_bytes()], ROWS), Ok((origin, bytes.to_vec())), "{dump}");
    }
    assert_eq!(reverse("│00000000│ 01001000 11000011 │H×│", BITS), b"H\xC3");
}

/// Rows of hexyl 0.17 with text that looks like cells, and rows without offsets.
#[test]
fn text_that_looks_like_cells_is_told_by_its_column() {
    let octal = DumpForm::Rows(Some(CellBase::Octal));
    for (dump, form, bytes) in [
        // A short row; two panels and one.
        (" 00000000  61 62                                              ab", ROWS, &b"ab"[..]),
        (" 00000000  20 62 65                                            be", ROWS, b" be"),
        (" 00000000  61 62 20                 ab ", ROWS, b"ab "),
        // A whole row whose text starts with a blank.
        (
            " 00000000  20 61 62 20 20 20 20 20   65 66 20 20 20 20 20 20   ab      ef      ",
            ROWS,
            b" ab     ef      ",
        ),
        // Three panels.
        (
            " 00000000  30 30 30 30 30 30 30 30   31 31 31 31 31 31 31 31   61 62 20           \
             00000000 11111111 ab ",
            ROWS,
            b"0000000011111111ab ",
        ),
        // Other bases have panels too.
        (
            " 00000000  060 061 062 063 064 065 066 067   141 142                          \
             01234567 ab",
            octal,
            b"01234567ab",
        ),
        (" 00000000  01100001 01100010   ab", BITS, b"ab"),
        // Without offsets.
        ("  61 62 20                                           ab ", ROWS, b"ab "),
        ("  61 62 20 \n 63 64", ROWS, b"ab cd"),
        ("  01100001 01100010\n  01100011 01100100", BITS, b"abcd"),
        ("\u{2502} 61 62                   \u{250A}                         \u{2502}", ROWS, b"ab"),
        // Frames tell bits from hexadecimal digits by their width.
        (
            "|00000000| 01100001                                                                |",
            ROWS,
            b"a",
        ),
        ("|00000000| 0110616263         |a|", ROWS, b"\x01\x10abc"),
    ] {
        if form == BITS && dump.starts_with(" 00000000") {
            assert!(refusal(dump, ROWS).contains("2 bytes in bits, but 1 in hex"), "{dump}");
        }
        assert_eq!(spelt([dump.as_bytes()], form).map(|read| read.1), Ok(bytes.to_vec()), "{dump}");
    }
    for (dump, form, why) in [
        // A row of eight cells with text, or one of eleven cells.
        (" 00000000  61 62 20 63 64 20 65 66  ab cd ef", ROWS, "\"ab\" stands apart"),
        // Nobody writes text or a cell there.
        (" 00000000  61 62            ab", ROWS, "\"ab\" stands apart"),
        (" 00000000  61 62                                              ac", ROWS, "\"ac\" stands"),
        ("  61 62\n *\n  61", ROWS, "line 3: no offset tells how many rows * stands for"),
        ("00000000  61\n  62 63", ROWS, "line 2: the offset is missing in this row"),
        ("  62 63\n00000002  61", ROWS, "line 2: an offset after rows without offsets"),
        ("  62\n--\n  61", ROWS, "line 2: -- between rows without offsets"),
        ("be ef", ROWS, "line 1: the offset is missing"),
        ("| 61 | 62 |", ROWS, "line 1: \"| 61 | 62 |\" where a row was expected"),
        (
            "|00000000| 060 061                         |01      |",
            ROWS,
            "line 1: octal or decimal cells",
        ),
        (
            "|00000000| 6261 6463           |abcd    |",
            ROWS,
            "line 1: groups of 2 bytes in reversed order",
        ),
    ] {
        assert!(refusal(dump, form).contains(why), "{dump}: {}", refusal(dump, form));
    }
}

#[test]
fn no_dump_of_hexyl_gives_other_bytes() {
    let mut rng = Rng::new(3);
    let words =
        ["ab", "be ", " ", "  ", "cd ef ", "f", "00", "\0", "\n", "x", "\u{E9}", "|", "a0 b1 c2 "];
    for (args, form) in [
        (&["--border", "none"][..], ROWS),
        (&["--border", "none", "--panels", "1"], ROWS),
        (&["--border", "none", "--panels", "3"], ROWS),
        (&["--border", "none", "--no-position", "-v"], ROWS),
        (&["--border", "none", "--no-characters"], ROWS),
        (&["--border", "none", "--base", "octal"], DumpForm::Rows(Some(CellBase::Octal))),
        (&["--border", "none", "--base", "decimal"], DumpForm::Rows(Some(CellBase::Decimal))),
        (&["--border", "none", "--base", "binary"], BITS),
        (&["--border", "ascii"], ROWS),
        (&["--border", "ascii", "--base", "binary"], ROWS),
        (&["--border", "ascii", "--no-position", "-v"], ROWS),
        (&["--group-size", "2"], ROWS),
    ] {
        let mut refused = 0;
        const DUMPS: usize = 250;
        for _ in 0..DUMPS {
            let text: String =
                (0..1 + rng.below(24)).map(|_| words[rng.below(words.len())]).collect();
            let Some(dump) = peer("hexyl", args, text.as_bytes()) else { break };
            let dump = String::from_utf8(dump).unwrap();
            for dump in [dump.trim_end(), &dump] {
                match spelt([dump.as_bytes()], form) {
                    Ok((_, bytes)) => assert_eq!(bytes, text.as_bytes(), "{args:?}:\n{dump}"),
                    Err(error) => {
                        assert!(error.contains("stands apart"), "{args:?}: {error}\n{dump}");
                        refused += 1;
                    }
                }
            }
        }
        // One panel of text may be a second panel of cells.
        let most = if args.contains(&"1") { 2 * DUMPS } else { DUMPS / 50 };
        assert!(refused <= most, "{args:?}: {refused} refused");
    }
}

// Offsets

#[test]
fn the_first_offset_is_the_origin_and_gaps_are_zeros() {
    for (dump, origin, bytes) in [
        ("", 0, &b""[..]),
        ("\n\r\n  \n", 0, b""),
        ("000000\n", 0, b""),
        ("00000010: 41\n00000014: 42\n", 16, b"A\0\0\0B"),
        ("00000010: 41\n--\n00000012: 42\n", 16, b"A\0B"),
        ("00000010: 41  A\n\n00000011: 42  B", 16, b"AB"),
        ("0: 41\n1: 42\n", 0, b"AB"),
        ("\u{FEFF}0: 41\n", 0, b"A"),
        ("000000 41\n000003\n", 0, b"A\0\0"),
        ("ffffffffffffffFE: 41", u64::MAX - 1, b"A"),
    ] {
        assert_eq!(spelt([dump.as_bytes()], ROWS), Ok((origin, bytes.to_vec())), "{dump:?}");
    }
}

#[test]
fn errors_name_the_line() {
    let long = format!("0: 41\n{}", " ".repeat(1 << 21));
    for (dump, why) in [
        // Offsets.
        (
            "0: 4142\n\n1: 43\n",
            "line 3: offset 00000001 is 1 byte before the end of the row above, 00000002 (",
        ),
        ("10: 41\n10: 42", "line 2: offset 00000010 is 1 byte before the end of the row above"),
        ("10: 41\nf: 42", "line 2: offset 0000000f is before that of the row above, 00000010 ("),
        ("000000 41 42\n000001", "line 2: offset 00000001 is 1 byte before the end"),
        ("ffffffffffffffff: 41", "line 1: a row exceeds the last offset"),
        ("0123456789abcdef0: 41", "line 1: no offset has so many digits"),
        ("0000020 41", "line 1: an offset of seven digits is octal, decimal or hexadecimal"),
        ("0000000 41\n*\n0000020", "line 3: an offset of seven digits is octal, decimal or"),
        ("|10| 41 |A", "line 1: a framed row without the line at its end"),
        ("│ 41 │A│", "line 1: \"\\u{2502} 41"),
        ("0x10: 0x41 0x4243", "line 1: \"0x4243\" is not a byte with 0x"),
        ("41 42 43", "line 1: the offset is missing"),
        ("deadbeef\n", "line 1: an offset without bytes"),
        ("00000000\ndeadbeef\n", "line 2: an offset without bytes"),
        // Stars.
        ("*\n0: 41", "line 1: no row above * to repeat"),
        ("0: 41\n--\n*\n4: 41", "line 3: no row above * to repeat"),
        ("0: 41\n*\n", "line 2: no offset after * ends its rows"),
        ("0: 41\n*\n--\n4: 41", "line 3: no offset after * ends its rows"),
        ("0: 4142\n*\n5: 43", "line 3: * covers 3 bytes, not a multiple of the 2 in the row above"),
        // Lines.
        ("0: 41\nhello\n", "line 2: \"hello\" where a row was expected"),
        ("0: 41\n\n\x1B[2J\u{202E}", "line 3: \"\\x1B[2J\\u{202E}\" where a row was expected"),
        ("==> a <==\n0: 41", "line 1: a dump of several files (take them apart"),
        ("0: 41\n1:  A", "line 2: a row without a byte"),
        (&long, "line 2: longer than 1 MiB"),
        // Cells.
        ("0: 41 4", "line 1: \"4\" has 1 digit (a byte has 2 hexadecimal digits)"),
        ("0: 41 4g", "line 1: \"4g\" is not a hexadecimal number"),
        ("00000000  41 4142", "line 1: \"4142\" is several bytes (hexdump -C and od"),
        ("00000000  41    42", "line 1: \"42\" stands apart"),
        ("00000000  01000001", "line 1: no hex cells after two blanks"),
        // One byte lacks a digit: not enough to read all as hexadecimal.
        ("0: 01000001 0100001\n2: 01000001  A", "line 1: \"0100001\" has 7 digits"),
    ] {
        let error = refusal(dump, ROWS);
        assert!(error.starts_with(why), "{:?}: {error}", &dump[..dump.len().min(80)]);
    }
    for (dump, base, why) in [
        ("0: 377 400", CellBase::Octal, "line 1: \"400\" is more than a byte holds"),
        ("0: 255 256", CellBase::Decimal, "line 1: \"256\" is more than a byte holds"),
        ("00000000  41", CellBase::Octal, "line 1: a row without a colon"),
        ("0: 41", CellBase::Bits, "line 1: \"41\" is not a binary number"),
        ("0: 01000001 0100000", CellBase::Bits, "line 1: \"0100000\" has 7 digits (a byte has 8"),
    ] {
        let error = refusal(dump, DumpForm::Rows(Some(base)));
        assert!(error.starts_with(why), "{dump:?}: {error}");
    }
}

#[test]
fn ambiguous_digits_are_an_error() {
    let ask = "line 2: eight binary digits are one byte or, in hexadecimal, four";
    let many: String = (0..80_000).map(|at| format!("{:x}: 01000001\n", 100 * at)).collect();
    for dump in [
        "\n00000000: 01000001 01000010\n",
        "\n00000000: 01000001 01000010  some text\n",
        "\n00000000: 01000001\n\n00000002: 01000010\n--\n00000010: 01000001\n",
        "\n00000000: 01000001\n*\n00000004: 01000001\n",
        &format!("\n{many}"),
    ] {
        let error = refusal(dump, ROWS);
        assert!(error.starts_with(ask), "{error}");
        assert_eq!(reverse(dump, BITS)[0], 0x41);
        assert_eq!(reverse("0: 01000001", DumpForm::Rows(Some(CellBase::Hex))), [1, 0, 0, 1]);
    }
    // Rows were deleted, and the gap is as long as hexadecimal digits would make it.
    let dump = "0: 01000001 01000010  AB\n8: 01000001 01000010  AB\n";
    assert_eq!(reverse(dump, ROWS), b"AB\0\0\0\0\0\0AB");
    // Late evidence applies to earlier rows.
    let dump = "0: 01000001\n\n2: 01000010\n3: 01000011\n4: 01000012\n";
    assert!(refusal(dump, ROWS).starts_with("line 5: \"01000012\" is not a binary number"));
}

// Input in pieces

/// A dump of each form.
const SAMPLES: &[(&str, DumpForm)] = &[
    (SEQUENCES, ROWS),
    (SEQUENCES, BITS),
    ("0: 01000001 01000010  AB\n2: 01000001\r\n*\n8: 01000001\n", ROWS),
    ("00000000  41 42 43 44 45 46 47 48  49 4a  |ABCDEFGHIJ|\n*\n0000002c\n", ROWS),
    ("00000000: 48 65 6c e2.82.ac!c0.af  Hel\n--\n00000010:.af \x1B[1m41\x1B[0m\n", ROWS),
    ("e282ac\n0x41 \\x42", DumpForm::PlainHex),
    ("11100010\n1000 0010", DumpForm::PlainBits),
];

#[test]
fn splits_of_a_dump_do_not_matter() {
    for (dump, form) in SAMPLES {
        let whole = spelt([dump.as_bytes()], *form);
        assert!(whole.is_ok(), "{whole:?}");
        assert_eq!(spelt(dump.as_bytes().chunks(1), *form), whole, "{dump}");
        for at in 0..dump.len() {
            let (front, back) = dump.as_bytes().split_at(at);
            assert_eq!(spelt([front, back], *form), whole, "{dump} at {at}");
        }
    }
}

#[test]
fn edited_dumps_do_not_panic() {
    const DIGITS: &[u8] = b"0123456789abcdefABCDEF01 01 01 \n\r*-:.!|>\"\x1B[m\xC2\xB7=xU+g";
    let mut rng = Rng::new(3);
    for turn in 0..20_000 {
        let (dump, form) = SAMPLES[turn % SAMPLES.len()];
        let mut dump = dump.as_bytes().to_vec();
        for _ in 0..=rng.below(4) {
            let at = rng.below(dump.len());
            match rng.below(4) {
                0 => drop(dump.remove(at)),
                1 => dump.insert(at, rng.pick(DIGITS)),
                2 => dump[at] = rng.next() as u8,
                _ => dump[at] = rng.pick(DIGITS),
            }
        }
        let middle = rng.below(dump.len());
        let (front, back) = dump.split_at(middle);
        assert_eq!(read_rows(form, [front, back]), read_rows(form, [&dump[..]]), "{dump:?}");
    }
}

#[test]
fn large_dumps_are_kept_in_a_file() {
    let row = |at: usize| format!("{:x}: {:02x}{:02x}\n", 3 * at, at as u8, (at >> 8) as u8);
    let rows = 1 << 20;
    let mut reverse = DumpReader::new(ROWS);
    (0..rows).for_each(|at| reverse.feed(row(at).as_bytes()).unwrap());
    let mut bytes = Vec::new();
    let put = |part: PlacedPart<'_>| {
        part.blocks().for_each(|block| bytes.extend_from_slice(block));
        Ok(())
    };
    reverse.finish().unwrap().write(put).unwrap();
    assert_eq!(bytes.len(), 3 * rows - 1);
    for (at, cell) in bytes.chunks(3).enumerate() {
        assert_eq!(cell[..2], [at as u8, (at >> 8) as u8]);
    }
}
