//! Reversal of dumps of this program, and of input in pieces.

use crate::common::inputs::Rng;
use crate::common::stride;
use crate::properties::dump::{Case, LOOK, all, read_rows};
use utf8::dump::{ByteLayout, CellBase, DumpStyle, Grid, Layout, SequenceLayout};
use utf8::kernel::best;
use utf8::registry::Encoding;
use utf8::report::ReportStyle;
use utf8::undump::{DumpForm, DumpReader, PlacedPart};

pub(super) const ROWS: DumpForm = DumpForm::Rows(None);
/// The limit of bytes in a test.
const MOST: usize = 64 << 20;
pub(super) const BITS: DumpForm = DumpForm::Rows(Some(CellBase::Bits));

/// Reverses a dump in parts; returns the offset of the first byte and the bytes, or the error.
pub(super) fn spelt<'a>(
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

pub(super) fn reverse(dump: &str, form: DumpForm) -> Vec<u8> {
    spelt([dump.as_bytes()], form).unwrap_or_else(|error| panic!("{error}:\n{dump}")).1
}

pub(super) fn refusal(dump: &str, form: DumpForm) -> String {
    spelt([dump.as_bytes()], form).expect_err(dump)
}

/// Returns random bytes with runs of zeros.
pub(super) fn random(rng: &mut Rng, len: usize) -> Vec<u8> {
    let mut zeros = 0;
    let mut byte = || {
        zeros = if rng.one_in(40) { 20 } else { zeros - i32::from(zeros > 0) };
        if zeros > 0 { 0 } else { rng.next() as u8 }
    };
    (0..len).map(|_| byte()).collect()
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

/// The text of such rows looks like cells, or like text of reversed groups.
#[test]
fn every_dump_of_text_like_cells_is_read_back() {
    const ALPHABETS: [&[u8]; 9] =
        [b" b", b"  ab", b" 0", b" 01", b"ab01 ", b" .", b" af09:|", b" \n*-", b" 1.b\xC3\xA9\x80"];
    const BASES: [CellBase; 4] =
        [CellBase::Hex, CellBase::Bits, CellBase::Octal, CellBase::Decimal];
    let encodings =
        ["utf-8", "latin1", "ibm037", "utf-16le"].map(|label| Encoding::for_label(label).unwrap());
    let rng = &mut Rng::new(1);
    for _ in (0..40_000).step_by(stride(1)) {
        let alphabet = rng.pick(&ALPHABETS);
        let len = rng.below(48);
        let text: Vec<u8> = (0..len).map(|_| rng.pick(alphabet)).collect();
        // A period, so that rows repeat.
        let period = 1 + rng.below(48);
        let bytes: Vec<u8> = text.iter().take(period).cycle().take(len).copied().collect();
        let report = ReportStyle { color: rng.one_in(4), unicode: rng.one_in(2), ..LOOK.report };
        let (names, fold, upper) = (rng.one_in(2), !rng.one_in(3), rng.one_in(2));
        let style = DumpStyle { report, names, fold, upper, ..LOOK };
        let (base, squeeze) = (rng.pick(&BASES), rng.one_in(3));
        let columns = rng.pick(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 17, 20, 32, 300]);
        let group = rng.pick(&[0, 1, 2, 3, 4, 5, 8, 16]);
        let rows = Grid { base, upper, columns, group, squeeze };
        let (mut layout, form): (Box<dyn Layout>, _) = match rng.below(4) {
            0 => (Box::new(SequenceLayout::new(style)), rng.pick(&[ROWS, BITS])),
            _ if base == CellBase::Hex && rng.one_in(2) => {
                (Box::new(ByteLayout::new(best(), style, rows)), ROWS)
            }
            _ => (Box::new(ByteLayout::new(best(), style, rows)), DumpForm::Rows(Some(base))),
        };
        let start = if rng.one_in(4) { rng.below(len + 1) } else { 0 };
        let encoding = rng.pick(&encodings);
        let case = Case { range: start as u64..u64::MAX, ..all(encoding, &bytes) };
        let dump = case.whole(layout.as_mut());
        let read = spelt([dump.as_bytes()], form).map(|(_, bytes)| bytes);
        let place = format!("{} {style:?} {rows:?} {form:?}:\n{dump}", encoding.name);
        assert_eq!(read.as_deref(), Ok(&bytes[start..]), "{place}");
    }
}
