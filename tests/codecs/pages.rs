//! Code pages and multi-byte character sets, against their publishers' tables.

use crate::common::written;
use std::collections::HashSet;

use crate::common::inputs::Rng;
use crate::common::log::{chunked, whole};
use crate::common::peer::{peer, python};
use crate::common::{BLIND, TIMID, each, hex, lines, tally};
use encoding_rs::WINDOWS_1252;
use utf8::codec::pages::{PAGES, PageRow};
use utf8::codec::{Escapes, Group, Step};
use utf8::issue::{Issue, Kind};
use utf8::kernel::best;
use utf8::registry::{CODECS, Encoding};

/// Returns the single-byte code pages.
fn pages() -> Vec<&'static Encoding> {
    CODECS.iter().filter(|spec| spec.inner.reach == Some(0)).collect()
}

/// Returns the multi-byte sets, each with the reference encoding.
fn sets() -> Vec<(&'static Encoding, &'static encoding_rs::Encoding)> {
    ["gbk", "gb18030", "big5", "big5-hkscs", "euc-jp", "shift_jis", "euc-kr"]
        .map(|name| {
            (
                Encoding::for_label(name).unwrap(),
                encoding_rs::Encoding::for_label(name.as_bytes()).unwrap(),
            )
        })
        .to_vec()
}

/// Returns the code point of a byte.
fn point(spec: &Encoding, byte: u8) -> Option<u32> {
    match spec.step(&[byte]) {
        Step::Scalar { value, len: 1 } => Some(value),
        Step::Ill { kind: Kind::Unmapped, len: 1, replacements: 1 } => None,
        step => panic!("{}: {byte:02X}: {step:?}", spec.name),
    }
}

fn points(spec: &Encoding) -> Vec<Option<u32>> {
    (0..=u8::MAX).map(|byte| point(spec, byte)).collect()
}

/// Returns the bytes to which a page and another table assign different code points.
fn differ(spec: &Encoding, theirs: &[Option<u32>]) -> Vec<u8> {
    let ours = points(spec);
    (0..=u8::MAX).filter(|&byte| ours[usize::from(byte)] != theirs[usize::from(byte)]).collect()
}

#[test]
fn each_page_is_an_encoding() {
    let facts = |name, labels, summary| (name, labels, summary);
    let rows: Vec<_> = PAGES.iter().map(|row| facts(row.name, row.labels, row.summary)).collect();
    let listed: Vec<_> =
        pages().iter().map(|spec| facts(spec.name, spec.labels, spec.summary)).collect();
    assert_eq!(listed, rows);
}

#[test]
fn ranks_are_unique_and_without_gaps() {
    let ranks: [fn(&PageRow) -> Option<u8>; 2] =
        [|row| Some(row.detect?.rank), |row| Some(row.mojibake?.rank)];
    for rank in ranks {
        let mut ranks: Vec<_> = PAGES.iter().filter_map(rank).collect();
        ranks.sort_unstable();
        assert_eq!(ranks, (0..ranks.len() as u8).collect::<Vec<_>>());
    }
}

#[test]
fn pages_are_detected_in_the_order_of_their_ranks() {
    let expected = [
        "windows-1252 windows-1250 windows-1251 windows-1253 windows-1254 windows-1255",
        "windows-1256 windows-1257 windows-1258 windows-874",
        "iso-8859-1 iso-8859-2 iso-8859-15 iso-8859-9 iso-8859-7 iso-8859-5 iso-8859-8 iso-8859-6",
        "iso-8859-13 iso-8859-4 iso-8859-3 iso-8859-10 iso-8859-14 iso-8859-16",
        "tis-620 iso-8859-11 koi8-r koi8-u ibm866 macintosh x-mac-cyrillic",
        "ibm850 ibm437 ibm852 ibm858 ibm855 ibm737 ibm869 ibm775 ibm857 ibm862 ibm860 ibm861",
        "ibm863 ibm865 ibm-874 ibm1125 x-mac-ce koi8-t",
    ];
    let detected: Vec<_> = utf8::detect::legacy::codecs()
        .filter(|spec| spec.group == Group::Page)
        .map(|spec| spec.name)
        .collect();
    assert_eq!(detected.join(" "), expected.join(" "));
}

/// Bytes and their code points as the standards print them; `-` marks an unassigned byte.
#[rustfmt::skip]
static PUBLISHED: &[(&str, &str)] = &[
    ("us-ascii", "00=0000 41=0041 7F=007F 80=- FF=-"),
    ("iso-8859-1", "80=0080 93=0093 9F=009F A0=00A0 E9=00E9 FF=00FF"),
    ("iso-8859-2", "80=0080 A1=0104 A3=0141 B1=0105 E8=010D FF=02D9"),
    ("iso-8859-3", "A1=0126 A5=- AE=- BE=- C3=- D0=- E3=- F0=- FD=016D"),
    ("iso-8859-4", "A2=0138 BD=014A BF=014B"),
    ("iso-8859-5", "A1=0401 B0=0410 EF=044F F0=2116 FD=00A7"),
    ("iso-8859-6", "A1=- AC=060C C0=- C1=0621 F2=0652 FF=-"),
    ("iso-8859-7", "A4=20AC AA=037A AE=- C1=0391 D2=- FF=-"),
    ("iso-8859-8", "A1=- DF=2017 E0=05D0 FA=05EA FB=- FD=200E FE=200F"),
    ("iso-8859-9", "80=0080 93=0093 D0=011E DD=0130 DE=015E F0=011F FD=0131 FE=015F FF=00FF"),
    ("iso-8859-10", "A1=0104 BD=2015 FF=0138"),
    ("iso-8859-11", "80=0080 85=0085 93=0093 A0=00A0 A1=0E01 DB=- DE=- DF=0E3F FB=0E5B FC=-"),
    ("iso-8859-13", "A1=201D A5=201E B4=201C FF=2019"),
    ("iso-8859-14", "A1=1E02 D0=0174 FE=0177"),
    ("iso-8859-15", "A4=20AC A6=0160 A8=0161 B4=017D B8=017E BC=0152 BD=0153 BE=0178 FF=00FF"),
    ("iso-8859-16", "A4=20AC AA=0218 DE=021A FE=021B"),
    ("windows-874", "80=20AC 81=0081 85=2026 91=2018 A0=00A0 A1=0E01 DB=- FC=-"),
    ("windows-1250", "80=20AC 81=0081 8A=0160 98=0098 9F=017A A3=0141"),
    ("windows-1251", "C0=0410 FF=044F A8=0401 B8=0451 98=0098 88=20AC B9=2116"),
    ("windows-1252", "80=20AC 81=0081 8D=008D 8F=008F 90=0090 9D=009D 9F=0178 E9=00E9"),
    ("windows-1253", "80=20AC 81=0081 A1=0385 AA=- C1=0391 D2=- FF=-"),
    ("windows-1254", "80=20AC 8E=008E D0=011E DD=0130 FE=015F"),
    ("windows-1255", "A4=20AA CA=05BA D9=- DF=- E0=05D0 FB=- FD=200E FF=-"),
    ("windows-1256", "81=067E C7=0627 FF=06D2"),
    ("windows-1257", "81=0081 A1=- A5=- C0=0104 FF=02D9"),
    ("windows-1258", "8A=008A D2=0309 FE=20AB"),
    ("koi8-r", "80=2500 A3=0451 B3=0401 C1=0430 E1=0410 FF=042A"),
    ("koi8-u", "A4=0454 A6=0456 A7=0457 AD=0491 AE=045E BD=0490 BE=040E C1=0430"),
    ("koi8-t", "80=049B 88=- 98=- A3=0451 B5=04E2 BF=00A9 C0=044E FF=042A"),
    ("macintosh", "80=00C4 BD=03A9 C6=2206 DB=20AC F0=F8FF FF=02C7"),
    ("x-mac-cyrillic", "80=0410 A2=0490 B6=0491 DF=044F FF=20AC"),
    ("x-mac-ce", "80=00C4 81=0100 8B=010D C5=0147 CB=0148 E1=0160 FC=0141 FF=02C7"),
    ("x-user-defined", "41=0041 7F=007F 80=F780 FF=F7FF"),
    ("tis-620", "7F=007F 80=- A0=- A1=0E01 DA=0E3A DB=- DF=0E3F FB=0E5B FF=-"),
    ("ibm-874", "80=- A0=0E48 A1=0E01 DB=0E49 DC=0E4A DD=0E4B DE=0E4C FC=00A2 FD=00AC FE=00A6 FF=00A0"),
    ("ibm437", "01=0001 7F=007F 80=00C7 9B=00A2 9F=0192 B0=2591 E1=00DF E6=00B5 FF=00A0"),
    ("ibm737", "80=0391 98=03B1 FF=00A0"),
    ("ibm775", "80=0106 96=00A2 B5=0104"),
    ("ibm850", "9B=00F8 9D=00D8 D5=0131 E1=00DF"),
    ("ibm852", "88=0142 9D=0141 D5=0147"),
    ("ibm855", "80=0452 A0=0430 A1=0410 EF=2116"),
    ("ibm857", "8D=0131 98=0130 D5=- E7=- F2=-"),
    ("ibm858", "9B=00F8 D5=20AC"),
    ("ibm860", "84=00E3 8E=00C3"),
    ("ibm861", "8B=00D0 8C=00F0 8D=00DE 95=00FE"),
    ("ibm862", "80=05D0 9A=05EA E1=00DF"),
    ("ibm863", "84=00C2 8D=2017 8F=00A7"),
    ("ibm864", "24=0024 25=066A 26=0026 80=00B0 9B=- 9C=- 9F=- A6=- A7=- C7=FE8D FF=-"),
    ("ibm865", "9B=00F8 9D=00D8 AF=00A4"),
    ("ibm866", "80=0410 A0=0430 F0=0401 F1=0451 FC=2116"),
    ("ibm869", "80=- 85=- 86=0386 87=- 93=- 94=- 98=038F A4=0391"),
    ("ibm1125", "80=0410 F1=0451 F2=0490 F3=0491 F4=0404 F7=0456 F8=0407 F9=0457 FA=00B7 FC=2116"),
    ("ibm037", "15=0085 25=000A 40=0020 4A=00A2 5A=0021 5F=00AC 81=0061 AD=00DD B0=005E BA=005B \
                BB=005D BD=00A8 C1=0041 F0=0030 FF=009F"),
    ("ibm037-lf", "15=000A 25=0085 5F=00AC C1=0041"),
    ("ibm1047", "15=0085 25=000A 5F=005E 81=0061 AD=005B B0=00AC BA=00DD BB=00A8 BD=005D F0=0030"),
    ("ibm1047-lf", "15=000A 25=0085 5F=005E AD=005B BD=005D"),
];

#[test]
fn published_places() {
    for (name, places) in PUBLISHED {
        let spec = Encoding::for_label(name).unwrap();
        for place in places.split_whitespace() {
            let (byte, expected) = place.split_once('=').unwrap();
            let byte = u8::from_str_radix(byte, 16).unwrap();
            let expected = u32::from_str_radix(expected, 16).ok();
            assert_eq!(point(spec, byte), expected, "{name}: {byte:02X}");
        }
    }
    let published: Vec<_> = PUBLISHED.iter().map(|row| row.0).collect();
    let listed: Vec<_> = PAGES.iter().map(|row| row.name).collect();
    assert_eq!(published, listed);
}

/// Names that the WHATWG gives to other encodings; here they have the meaning of iconv.
static NOT_WHATWG: &[&str] = &["us-ascii", "iso-8859-1", "iso-8859-9", "iso-8859-11", "tis-620"];

#[test]
fn the_pages_of_the_whatwg() {
    let mut compared = 0;
    for spec in pages().into_iter().filter(|spec| !NOT_WHATWG.contains(&spec.name)) {
        let Some(encoding) = encoding_rs::Encoding::for_label(spec.name.as_bytes()) else {
            continue;
        };
        let theirs: Vec<_> = (0..=u8::MAX)
            .map(|byte| {
                let bytes = [byte];
                let text = encoding.decode_without_bom_handling_and_without_replacement(&bytes);
                text?.chars().next().map(u32::from)
            })
            .collect();
        assert_eq!(differ(spec, &theirs), Vec::<u8>::new(), "{}", spec.name);
        compared += 1;
    }
    assert_eq!(compared, 28);
}

/// A label that the WHATWG also has means the same page there.
#[test]
fn labels_have_their_whatwg_meanings() {
    for spec in CODECS.iter().filter(|spec| !NOT_WHATWG.contains(&spec.name)) {
        let own = encoding_rs::Encoding::for_label(spec.name.as_bytes());
        for label in spec.labels {
            let Some(theirs) = encoding_rs::Encoding::for_label(label.as_bytes()) else { continue };
            let logical = theirs.name() == "ISO-8859-8-I" && spec.name == "iso-8859-8";
            assert!(own.is_none_or(|own| own == theirs) || logical, "{label} of {}", spec.name);
        }
    }
    assert_eq!(encoding_rs::Encoding::for_label(b"latin1"), Some(WINDOWS_1252));
    assert_eq!(Encoding::for_label("latin1").unwrap().name, "iso-8859-1");
}

/// The DOS pages equal independent tables, best fits aside.
#[test]
fn the_pages_of_dos() {
    use oem_cp::code_table::DECODING_TABLE_CP_MAP;
    use oem_cp::code_table_type::TableType;

    for (number, table) in &DECODING_TABLE_CP_MAP {
        // The table of page 874 there is the one of Windows.
        let Some(spec) = Encoding::for_label(&format!("ibm{number}")).filter(|_| *number != 874)
        else {
            assert!([720, 874].contains(number), "{number}");
            continue;
        };
        let mut theirs: Vec<_> = (0..0x80).map(Some).collect();
        theirs.extend((0x80..=u8::MAX).map(|byte| match table {
            TableType::Complete(table) => Some(u32::from(table[usize::from(byte) - 0x80])),
            TableType::Incomplete(table) => table[usize::from(byte) - 0x80].map(u32::from),
        }));
        let expected: &[u8] = match number {
            864 => &[0x25, 0x9B, 0x9C, 0x9F],
            869 => &[0x80, 0x81, 0x82, 0x83, 0x84, 0x85, 0x87, 0x93, 0x94],
            _ => &[],
        };
        let found = differ(spec, &theirs);
        assert_eq!(found, expected, "{number}");
    }
}

/// Differences of EBCDIC pages: 1047 from 037, and the `-lf` variants from their bases.
#[test]
fn the_kin_of_ebcdic() {
    let differ = |one, other| {
        differ(Encoding::for_label(one).unwrap(), &points(Encoding::for_label(other).unwrap()))
    };
    assert_eq!(differ("ibm037", "ibm1047"), [0x5F, 0xAD, 0xB0, 0xBA, 0xBB, 0xBD]);
    assert_eq!(differ("ibm037", "ibm037-lf"), [0x15, 0x25]);
    assert_eq!(differ("ibm1047", "ibm1047-lf"), [0x15, 0x25]);
}

#[test]
fn decoded_bytes_encode_back() {
    for spec in pages() {
        let mut seen = [false; 256];
        for byte in 0..=u8::MAX {
            let Some(value) = point(spec, byte) else { continue };
            let out = written(spec, Escapes::Usual, [value]).unwrap();
            assert_eq!(out.len(), 1, "{}: {byte:02X}", spec.name);
            assert_eq!(point(spec, out[0]), Some(value), "{}: {byte:02X}", spec.name);
            seen[usize::from(out[0])] = true;
        }
        let twice: Vec<u8> = (0..=u8::MAX)
            .filter(|&byte| point(spec, byte).is_some() && !seen[usize::from(byte)])
            .collect();
        // IBM assigned four tone marks and a struck letter a second time, higher up.
        let expected: &[u8] =
            if spec.name == "ibm-874" { &[0xA0, 0xDB, 0xDC, 0xDD, 0xDE] } else { &[] };
        assert_eq!(twice, expected, "{}", spec.name);
    }
}

#[test]
fn absent_code_points_are_unencodable() {
    for spec in pages() {
        let has: HashSet<u32> = points(spec).into_iter().flatten().collect();
        for value in (0..0x3_0000).chain([0x10_FFFF, 0x11_0000, u32::MAX]) {
            let mut out = b"before".to_vec();
            let done = spec.writer(Escapes::Usual).put(value, &mut out);
            assert_eq!(done, has.contains(&value), "{}: {value:X}", spec.name);
            assert_eq!(out.len(), 6 + usize::from(done), "{}: {value:X}", spec.name);
        }
    }
}

#[test]
fn holes_are_unmapped_where_they_are() {
    each(&pages(), |spec| {
        let holes: Vec<bool> = points(spec).iter().map(Option::is_none).collect();
        let mut rng = Rng::new(8859);
        for len in (0..2000).step_by(13) {
            let bits = rng.pick(&[0x7F, 0xFF, 0xFF]);
            let bytes: Vec<u8> = (0..len).map(|_| rng.next() as u8 & bits).collect();
            let at = (0..len).filter(|&at| holes[usize::from(bytes[at])]);
            let issue =
                |at| Issue { offset: at as u64, len: 1, kind: Kind::Unmapped, replacements: 1 };
            let expected: Vec<_> = at.map(issue).collect();
            for kernels in [&BLIND, &TIMID, best()] {
                let log = whole(spec, kernels, &bytes);
                assert!(
                    log.issues().eq(expected.iter().copied()),
                    "{}: {}",
                    spec.name,
                    hex(&bytes)
                );
            }
        }
    });
}

#[test]
fn every_byte_is_a_code_point() {
    for spec in pages() {
        assert_eq!(tally(spec, b"abc\nd", 1..4), [3, 0, 0, 0, 0, 0, 0], "{}", spec.name);
        assert_eq!((spec.inner.announced)(b"\xF0"), 1);
    }
}

#[test]
fn the_line_feed_of_a_page_ends_its_lines() {
    for spec in pages() {
        let feed = written(spec, Escapes::Usual, [0x0A]).unwrap();
        let expected = match spec.name {
            "ibm037" | "ibm1047" => 0x25,
            "ibm037-lf" | "ibm1047-lf" => 0x15,
            _ => 0x0A,
        };
        assert_eq!(feed, [expected], "{}", spec.name);
        for byte in 0..=u8::MAX {
            let lines = lines(spec, &[byte, b'a']);
            let feeds = byte == expected;
            assert_eq!((lines.number, lines.end), (u64::from(feeds), feeds.then_some(1)));
        }
    }
}

#[test]
fn some_pages_accept_every_input() {
    let all: Vec<u8> = (0..=u8::MAX).collect();
    let whole: Vec<_> =
        pages().into_iter().filter(|spec| utf8::validate(spec, &all).is_ok()).collect();
    let names: Vec<_> = whole.iter().map(|spec| spec.name).collect();
    for name in ["iso-8859-1", "windows-1252", "windows-1251", "koi8-r", "ibm437", "ibm1047"] {
        assert!(names.contains(&name), "{name}");
    }
    for spec in whole {
        assert!(!spec.summary.starts_with("Windows") || spec.summary.contains("every input"));
    }
}

/// Decodes an input; returns its code points and the kind, offset and length of each issue.
fn steps(spec: &Encoding, bytes: &[u8]) -> (Vec<u32>, Vec<Fault>) {
    let (mut values, mut faults, mut at) = (vec![], vec![], 0);
    while at < bytes.len() {
        at += match spec.step(&bytes[at..]) {
            Step::Scalar { value, len } => {
                values.push(value);
                len
            }
            Step::Two { values: two, len } => {
                values.extend(two);
                len
            }
            Step::Ill { kind, len, replacements: 1 } => {
                faults.push((at, len, kind));
                values.push(0xFFFD);
                len
            }
            step => panic!("{}: {step:?} at {at} of {}", spec.name, hex(bytes)),
        };
    }
    (values, faults)
}

/// Decodes an input with the reference, with U+FFFD for each error.
fn replaced(encoding: &'static encoding_rs::Encoding, bytes: &[u8]) -> Vec<u32> {
    let (text, _) = encoding.decode_without_bom_handling(bytes);
    text.chars().map(u32::from).collect()
}

/// Checks that an encoding and its reference agree about an input in every way to read it.
fn agree(spec: &Encoding, encoding: &'static encoding_rs::Encoding, bytes: &[u8]) {
    let (values, faults) = steps(spec, bytes);
    assert_eq!(values, replaced(encoding, bytes), "{}: {}", spec.name, hex(bytes));
    let log = whole(spec, best(), bytes);
    let found = log.issues().map(|issue| (issue.offset as usize, issue.len.into(), issue.kind));
    assert!(found.eq(faults), "{}: {}", spec.name, hex(bytes));
}

#[test]
fn every_string_of_one_and_two_bytes() {
    each(&sets(), |(spec, encoding)| {
        (0..=u8::MAX).for_each(|byte| agree(spec, encoding, &[byte]));
        for bytes in (0..=u16::MAX).map(u16::to_be_bytes) {
            agree(spec, encoding, &bytes);
            let fine = encoding.decode_without_bom_handling_and_without_replacement(&bytes);
            assert_eq!(steps(spec, &bytes).1.is_empty(), fine.is_some(), "{}", hex(&bytes));
        }
    });
}

/// The ends of all byte ranges that the sets distinguish.
#[rustfmt::skip]
static EDGES: &[u8] = &[
    b'\n', 0x2F, 0x30, 0x39, 0x3A, 0x40, 0x41, 0x62, 0x7E, 0x7F, 0x80, 0x81, 0x84, 0x88, 0x8E, 0x8F,
    0x90, 0xA0, 0xA1, 0xA2, 0xA5, 0xB0, 0xDF, 0xE0, 0xE3, 0xF4, 0xFC, 0xFD, 0xFE, 0xFF,
];

#[test]
fn strings_of_three_and_four_bytes_by_edge() {
    each(&sets(), |(spec, encoding)| {
        crate::common::inputs::strings(EDGES, 3, |bytes| agree(spec, encoding, bytes));
        let few = [0x2F, 0x30, 0x35, 0x39, 0x41, 0x81, 0x84, 0x8E, 0x8F, 0xA1, 0xB0, 0xFE, 0xFF];
        crate::common::inputs::strings(&few, 4, |bytes| agree(spec, encoding, bytes));
    });
}

/// Returns random bytes, most from sequences, or text that the reference encoded.
fn random(rng: &mut Rng, encoding: &'static encoding_rs::Encoding, len: usize) -> Vec<u8> {
    let (mut bytes, text) = (vec![], rng.one_in(2));
    while bytes.len() < len {
        match rng.below(if text { 40 } else { 3 }) {
            0 => bytes.push(rng.next() as u8),
            1 => bytes.push(rng.pick(EDGES)),
            2 => bytes.extend(b"text"),
            _ => {
                let scalar = char::from_u32(rng.below(0xD000) as u32).unwrap_or('A');
                let text = scalar.to_string();
                let (out, _, failed) = encoding.encode(&text);
                bytes.extend(if failed { &b"-"[..] } else { &out });
            }
        }
    }
    bytes.truncate(len);
    bytes
}

#[test]
fn random_strings() {
    each(&sets(), |(spec, encoding)| {
        let mut rng = Rng::new(208);
        for len in (0..3000).step_by(7) {
            let bytes = random(&mut rng, encoding, len);
            agree(spec, encoding, &bytes);
        }
    });
}

#[test]
fn legacy_strings_give_the_same_events_at_any_split() {
    each(&sets(), |(spec, encoding)| {
        let mut rng = Rng::new(212);
        for len in 0..60 {
            let bytes = random(&mut rng, encoding, len);
            let expected = whole(spec, best(), &bytes);
            for cut in 0..=len {
                for kernels in [&BLIND, best()] {
                    let (log, tail) = chunked(spec, kernels, &bytes, &[cut]);
                    assert_eq!(log, expected, "{}: {} at {cut}", spec.name, hex(&bytes));
                    assert!(tail <= 3, "{}: {} at {cut}", spec.name, hex(&bytes));
                }
            }
            let cuts: Vec<_> = (0..=len).collect();
            let (log, _) = chunked(spec, best(), &bytes, &cuts);
            assert_eq!(log, expected, "{}: {}", spec.name, hex(&bytes));
        }
    });
}

/// The offset, length and kind of an issue.
type Fault = (usize, usize, Kind);

/// An encoding, bytes, and their issues.
#[rustfmt::skip]
static FAULTS: &[(&str, &str, &[Fault])] = &[
    ("gbk", "81", &[(0, 1, Kind::TruncatedEnd)]),
    ("gbk", "81 3C", &[(0, 1, Kind::TruncatedNext)]),
    ("gbk", "81 FF", &[(0, 2, Kind::Unmapped)]),
    ("gbk", "FF 41", &[(0, 1, Kind::Unmapped)]),
    ("gb18030", "81 30", &[(0, 2, Kind::TruncatedEnd)]),
    ("gb18030", "81 30 81", &[(0, 3, Kind::TruncatedEnd)]),
    // Digits are ASCII: only the lead byte is truncated before them.
    ("gb18030", "81 30 20", &[(0, 1, Kind::TruncatedNext)]),
    ("gbk", "81 30 FF", &[(0, 1, Kind::TruncatedNext), (2, 1, Kind::Unmapped)]),
    ("gb18030", "81 30 41 41", &[(0, 1, Kind::TruncatedNext)]),
    ("gb18030", "81 30 81 20", &[(0, 1, Kind::TruncatedNext), (2, 1, Kind::TruncatedNext)]),
    ("gb18030", "81 30 81 FF", &[(0, 1, Kind::TruncatedNext), (2, 2, Kind::Unmapped)]),
    ("gb18030", "81 30 81 41", &[(0, 1, Kind::TruncatedNext)]),
    ("gb18030", "84 31 A4 39", &[]),
    // No character has four bytes from here on, so these bytes start no sequence.
    ("gb18030", "84 31 A5", &[(0, 3, Kind::Unmapped)]),
    ("gb18030", "84 32", &[(0, 2, Kind::Unmapped)]),
    ("gb18030", "84 32 20", &[(0, 1, Kind::Unmapped)]),
    ("gb18030", "84 32 A4 39", &[(0, 4, Kind::Unmapped)]),
    ("gb18030", "84 32 A4 41", &[(0, 1, Kind::Unmapped)]),
    ("gb18030", "8F 39 FE 39", &[(0, 4, Kind::Unmapped)]),
    ("gb18030", "90 30 81 30", &[]),
    ("gb18030", "E3 32 9A", &[(0, 3, Kind::TruncatedEnd)]),
    ("gb18030", "E3 32 9A 35", &[]),
    ("gb18030", "E3 32 9A 36", &[(0, 4, Kind::Unmapped)]),
    ("gb18030", "E3 32 9B", &[(0, 3, Kind::Unmapped)]),
    ("gb18030", "FE 39", &[(0, 2, Kind::Unmapped)]),
    ("big5", "81 40", &[(0, 1, Kind::Unmapped)]),
    ("big5", "81 20", &[(0, 1, Kind::Unmapped)]),
    ("big5-hkscs", "87 20", &[(0, 1, Kind::TruncatedNext)]),
    ("big5", "A4 20", &[(0, 1, Kind::TruncatedNext)]),
    ("big5", "FE FF", &[(0, 2, Kind::Unmapped)]),
    ("euc-jp", "8F A2", &[(0, 2, Kind::TruncatedEnd)]),
    ("euc-jp", "8F A2 41", &[(0, 2, Kind::TruncatedNext)]),
    ("euc-jp", "8F A1", &[(0, 2, Kind::Unmapped)]),
    ("euc-jp", "8F A1 41", &[(0, 2, Kind::Unmapped)]),
    ("euc-jp", "8F 80 41", &[(0, 2, Kind::Unmapped)]),
    ("euc-jp", "8F A1 A1", &[(0, 3, Kind::Unmapped)]),
    ("euc-jp", "A4 0A", &[(0, 1, Kind::TruncatedNext)]),
    ("euc-jp", "A9 0A", &[(0, 1, Kind::Unmapped)]),
    ("shift_jis", "A0 80", &[(0, 1, Kind::Unmapped)]),
    ("shift_jis", "81 22", &[(0, 1, Kind::TruncatedNext)]),
    ("shift_jis", "85 22", &[(0, 1, Kind::Unmapped)]),
    ("shift_jis", "81 FD", &[(0, 2, Kind::Unmapped)]),
    ("euc-kr", "B0 20", &[(0, 1, Kind::TruncatedNext)]),
    ("euc-kr", "C9 A1", &[(0, 2, Kind::Unmapped)]),
];

#[test]
fn lengths_of_issues() {
    for (name, bytes, expected) in FAULTS {
        let bytes = crate::common::unhex(bytes);
        assert_eq!(
            steps(Encoding::for_label(name).unwrap(), &bytes).1,
            *expected,
            "{name}: {}",
            hex(&bytes)
        );
    }
}

/// Returns all prefixes of a set's characters; of the four-byte ones of GB 18030, those at the ends
/// of each row.
fn beginnings(spec: &Encoding) -> HashSet<Vec<u8>> {
    let mut strings: Vec<Vec<u8>> = vec![];
    let right = 0x81..=0xFE;
    for lead in right.clone() {
        strings.extend((0x40..=0xFE).map(|trail| vec![lead, trail]));
        strings.extend(right.clone().map(|trail| vec![0x8F, lead, trail]));
        for (second, third) in (b'0'..=b'9').flat_map(|at| right.clone().map(move |to| (at, to))) {
            strings.extend([b'0', b'9'].map(|last| vec![lead, second, third, last]));
        }
    }
    strings.retain(|bytes| match spec.step(bytes) {
        Step::Scalar { len, .. } | Step::Two { len, .. } => len == bytes.len(),
        _ => false,
    });
    strings.iter().flat_map(|bytes| (1..bytes.len()).map(|len| bytes[..len].to_vec())).collect()
}

/// The earliest byte that excludes every character decides: a truncated issue is the prefix of a
/// character.
#[test]
fn truncated_issues_are_prefixes_of_characters() {
    each(&sets(), |(spec, _)| {
        let begun = beginnings(spec);
        let check = |bytes: &[u8]| {
            let len = bytes.len();
            let truncated = Step::Ill { kind: Kind::TruncatedEnd, len, replacements: 1 };
            let found = spec.step(bytes) == truncated;
            assert_eq!(found, begun.contains(bytes), "{}: {}", spec.name, hex(bytes));
        };
        (0x80..=u8::MAX).for_each(|byte| check(&[byte]));
        (0x8000..=u16::MAX).for_each(|bytes| check(&bytes.to_be_bytes()));
        crate::common::inputs::strings(EDGES, 3, check);
    });
}

#[test]
fn four_pairs_of_big5_are_two_code_points() {
    let (big5, hkscs) =
        (Encoding::for_label("big5").unwrap(), Encoding::for_label("big5-hkscs").unwrap());
    for (bytes, values) in [
        (b"\x88\x62", [0xCA, 0x304]),
        (b"\x88\x64", [0xCA, 0x30C]),
        (b"\x88\xA3", [0xEA, 0x304]),
        (b"\x88\xA5", [0xEA, 0x30C]),
    ] {
        for spec in [big5, hkscs] {
            assert_eq!(spec.step(bytes), Step::Two { values, len: 2 });
            assert_eq!(tally(spec, bytes, 0..2), [0, 2, 0, 0, 0, 0, 0]);
        }
        assert!(written(big5, Escapes::Usual, values.iter().copied()).is_none());
        assert_eq!(written(hkscs, Escapes::Usual, values.iter().copied()).unwrap(), bytes);
    }
}

#[test]
fn a_tally_of_a_legacy_text_counts_what_steps_do() {
    each(&sets(), |(spec, encoding)| {
        let mut rng = Rng::new(9);
        for len in (0..600).step_by(5) {
            let mut text = vec![];
            let bytes = random(&mut rng, encoding, len);
            let mut starts = vec![];
            let mut at = 0;
            while at < len {
                let (number, len) = match spec.step(&bytes[at..]) {
                    Step::Scalar { len, .. } => (1, len),
                    Step::Two { len, .. } => (2, len),
                    Step::Ill { len, .. } => (0, len),
                    step => panic!("{step:?}"),
                };
                if number > 0 {
                    starts.push((text.len(), number, len));
                    text.extend_from_slice(&bytes[at..at + len]);
                }
                at += len;
            }
            let end = rng.below(text.len() + 1);
            let part = rng.below(end + 1)..end;
            let mut expected = [0; 7];
            for (_, number, len) in starts.iter().filter(|(start, ..)| part.contains(start)) {
                expected[len - 1] += number;
            }
            assert_eq!(tally(spec, &text, part), expected, "{}: {}", spec.name, hex(&text));
        }
    });
}

/// A strict encoder writes only characters that decode to themselves.
#[test]
fn encoded_text_decodes_back() {
    each(&sets(), |(spec, encoding)| {
        let mut refused = vec![];
        for scalar in (0..0x3_0000).chain([0x10_FFFF]).filter_map(char::from_u32) {
            let value = u32::from(scalar);
            let (mut text, hkscs) = ([0; 4], spec.name == "big5-hkscs");
            let (theirs, _, failed) = encoding.encode(scalar.encode_utf8(&mut text));
            match written(spec, Escapes::Usual, [value]) {
                Some(out) => {
                    assert_eq!(steps(spec, &out), (vec![value], vec![]), "{value:X}");
                    assert!(hkscs || !failed && out == *theirs, "{}: {value:X}", spec.name);
                }
                None if failed => (),
                None => refused.push(value),
            }
        }
        let expected: &[u32] = match spec.name {
            "euc-jp" | "shift_jis" => &[0xA5, 0x203E, 0x2212],
            "gbk" | "gb18030" => &GB18030_PRIVATE,
            _ => &[],
        };
        assert_eq!(refused, expected, "{}", spec.name);
        for surrogate in [0xD800, 0xDFFF, 0x11_0000] {
            assert!(written(spec, Escapes::Usual, [surrogate]).is_none());
        }
    });
}

/// Characters that GB 18030-2022 moved from private use: written as before, decoded to the new code
/// points.
static GB18030_PRIVATE: [u32; 18] = [
    0xE78D, 0xE78E, 0xE78F, 0xE790, 0xE791, 0xE792, 0xE793, 0xE794, 0xE795, 0xE796, 0xE81E, 0xE826,
    0xE82B, 0xE82C, 0xE832, 0xE843, 0xE854, 0xE864,
];

/// Reads lines of text; writes the hex digits of each in Big5-HKSCS, or `-`.
const HKSCS: &str = "
import sys
for line in sys.stdin.buffer.read().decode().split('\\n'):
    try:
        print(line.encode('big5hkscs').hex().upper() or '-')
    except UnicodeEncodeError:
        print('-')
";

/// Returns the output of CPython and glibc for some texts, where they are installed.
fn hkscs_of_others(texts: &[String]) -> Vec<(&'static str, Vec<Option<Vec<u8>>>)> {
    let input = texts.join("\n");
    let bytes = |digits: &str| {
        let pair = |at| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok();
        (0..digits.len()).step_by(2).map(pair).collect()
    };
    let cpython = python(HKSCS, input.as_bytes()).map(|out| out.lines().map(bytes).collect());
    let glibc = peer("iconv", &["-c", "-f", "utf-8", "-t", "big5-hkscs"], input.as_bytes());
    let line = |bytes: &[u8]| Some(bytes.to_vec()).filter(|bytes| !bytes.is_empty());
    let glibc = glibc.map(|out| out.split(|&byte| byte == b'\n').map(line).collect());
    let found = [("CPython", cpython), ("glibc", glibc)];
    found.into_iter().filter_map(|(name, answers)| Some((name, answers?))).collect()
}

/// Both take the symbols of A1 to A3 from Unicode's table, the standard from Microsoft's. CPython
/// has the supplement of 2004, without the additions of 2008.
#[test]
fn the_hong_kong_supplement_is_written_as_others_do() {
    let hkscs = Encoding::for_label("big5-hkscs").unwrap();
    let scalars: Vec<char> = ('\u{81}'..='\u{2FFFF}').collect();
    let texts: Vec<String> = scalars.iter().map(|scalar| scalar.to_string()).collect();
    for (name, answers) in hkscs_of_others(&texts) {
        assert_eq!(answers.len(), texts.len(), "{name}");
        let (mut apart, mut lacks) = (vec![], vec![]);
        for (&scalar, theirs) in scalars.iter().zip(answers) {
            let ours = written(hkscs, Escapes::Usual, [scalar.into()]);
            match (ours, theirs) {
                (Some(ours), Some(theirs)) if ours != theirs => apart.push(scalar),
                (Some(ours), None) => assert!(matches!(ours[0], 0xA1..=0xA3 | 0x87), "{scalar:?}"),
                (None, Some(_)) => lacks.push(scalar),
                _ => (),
            }
        }
        assert_eq!(apart, ['／', '＼'], "{name}");
        assert_eq!(lacks, ['¢', '£', '¥', '•', '‾', '∼', '☉', '♁', '､'], "{name}");
    }
}

#[test]
fn letters_wait_for_combining_marks() {
    let hkscs = Encoding::for_label("big5-hkscs").unwrap();
    let (mut rng, from) = (Rng::new(2004), ["Ê", "ê", "Ê\u{304}", "ê\u{30C}", "a", "中", "𠄌"]);
    let text = |len| (0..len).map(|_| rng.pick(&from)).collect::<String>();
    let texts: Vec<String> = (1..2000).map(|len| len % 12 + 1).map(text).collect();
    let ours: Vec<_> = texts
        .iter()
        .map(|text| written(hkscs, Escapes::Usual, text.chars().map(u32::from)))
        .collect();
    for (text, bytes) in texts.iter().zip(&ours) {
        let values: Vec<_> = text.chars().map(u32::from).collect();
        assert_eq!(steps(hkscs, bytes.as_ref().unwrap()), (values, vec![]), "{text}");
    }
    for (name, theirs) in hkscs_of_others(&texts) {
        assert_eq!(ours, theirs, "{name}");
    }
}

/// A combining mark alone has no code; a refused mark leaves the writer as it was.
#[test]
fn combining_marks_need_letters() {
    let (mut writer, mut out) =
        (Encoding::for_label("big5-hkscs").unwrap().writer(Escapes::Usual), vec![]);
    for (value, held) in
        [(0x304, false), (0xCA, true), (0xD800, false), (0x304, true), (0x30C, false), (0xEA, true)]
    {
        assert_eq!(writer.put(value, &mut out), held, "{value:X}");
    }
    writer.finish(&mut out);
    assert_eq!(out, b"\x88\x62\x88\xA7");
}
