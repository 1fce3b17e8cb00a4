//! Reversal of dumps of other programs.

use super::reverse::{BITS, ROWS, random, refusal, reverse, spelt};
use crate::common::inputs::Rng;
use crate::common::peer::peer;
use utf8::dump::CellBase;
use utf8::undump::DumpForm;

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
fn dumps_with_decimal_offsets_are_reversed_or_refused() {
    let mut rng = Rng::new(4);
    for (args, row) in [
        (&["-d"][..], 16),
        (&["-d", "-c", "7", "-u"], 7),
        (&["-d", "-c", "24"], 24),
        (&["-d", "-b"], 6),
    ] {
        for len in 0..=120 {
            let bytes = random(&mut rng, len);
            let Some(dump) = peer("xxd", args, &bytes) else { return };
            let told = spelt([&dump[..]], ROWS).map(|(_, bytes)| bytes);
            // Two rows, of which the second is at 10 or further in decimal; fewer than three gaps, each as
            // long as a row.
            let refused = if row == 6 { 13..=30 } else { row + 1..=2 * row };
            let is_refused = row != 7 && refused.contains(&len);
            assert_eq!(told.is_err(), is_refused, "{args:?} of {len}: {told:?}");
            assert!(is_refused || told == Ok(bytes), "{args:?} of {len}");
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
fn decimal_offsets_are_read_where_hexadecimal_ones_leave_gaps() {
    // xxd -d -s 90 -c 8
    let dump = "00000090: 6162 6364 6566 6768  abcdefgh\n00000098: 696a 6b6c 6d6e 6f70  ijklmnop\n\
                00000106: 7172                     qr\n";
    let spelled = |dump: &str| spelt([dump.as_bytes()], ROWS);
    assert_eq!(spelled(dump), Ok((90, b"abcdefghijklmnopqr".to_vec())));
    // Both readings have no gap: offsets are hexadecimal.
    let dump = "00000090: 61\n00000091: 62\n";
    assert_eq!(spelled(dump), Ok((0x90, b"ab".to_vec())));
    // One row does not follow the one above in decimal.
    let gap = "00000008: 6162\n00000010: 63\n00000012: 64\n";
    assert_eq!(spelled(gap).unwrap(), (8, b"ab\0\0\0\0\0\0c\0d".to_vec()));
    // xxd -d writes eight digits, and none before letters.
    for dump in ["8: 6162\n10: 63\n", "0x00000008: 6162\n0x00000010: 63\n"] {
        assert_eq!(spelled(dump), Ok((8, b"ab\0\0\0\0\0\0c".to_vec())), "{dump}");
    }
    // Rows of 10 bytes may be whole rows of xxd -d -c 10, or cut rows of 16.
    let ten = "3031 3233 3435 3637 3839";
    for dump in [
        &format!("00000000: {ten}\n00000010: {ten}\n00000020: 41\n"),
        // Two rows, and rows of several lengths, may be those that were to be changed.
        "00000009: 41\n00000010: 42\n",
        "00000008: 4142\n00000010: 43\n00000011: 4445\n",
        // The number of rows that * stands for depends on the radix.
        "00000000: 41424344 45464748\n*\n00000088: 41424344 45464748\n00000096: 41\n",
        // xxd -d -a -c 8
        "00000000: 41424344 45464748\n00000008: 00000000 00000000\n\
         00000016: 00000000 00000000\n*\n00000040: 00000000 00000000\n",
    ] {
        let error = refusal(dump, ROWS);
        assert!(
            error.contains("an offset that is decimal or, after a gap, hexadecimal"),
            "{error}"
        );
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
        // In the first two, the text without its first blank shows the bytes of reversed groups.
        ("00000000: 20622062 20622062   b b b b\n", " b b b b"),
        ("00000000: 20622062 20622062                     b b b b\n", " b b b b"),
        ("00000000: 20202062 20622062     b b b\n", "   b b b"),
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
