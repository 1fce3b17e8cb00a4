//! Code pages, against their publishers' tables.

use std::collections::HashSet;
use std::iter;

use encoding_rs::WINDOWS_1252;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::canonical_combining_class;
use utf8::codec::pages::{PAGES, PageRow};
use utf8::codec::{Escapes, Group, Step};
use utf8::issue::{Issue, Kind};
use utf8::kernel::best;
use utf8::registry::{CODECS, Encoding};

use crate::common::inputs::Rng;
use crate::common::log::whole;
use crate::common::written;
use crate::common::{BLIND, TIMID, each, hex, lines, tally};
use crate::legacy::steps;

mod published;

/// Returns the single-byte code pages.
fn pages() -> Vec<&'static Encoding> {
    CODECS.iter().filter(|spec| spec.inner.reach == Some(0)).collect()
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
    let ranks: [fn(&PageRow) -> Option<u8>; 3] = [
        |row| Some(row.detect.filter(|_| !row.family.is_ebcdic())?.rank),
        |row| Some(row.detect.filter(|_| row.family.is_ebcdic())?.rank),
        |row| Some(row.mojibake?.rank),
    ];
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
        "ibm863 ibm865 ibm-874 ibm1125 x-mac-ce koi8-t ibm1131 kz1048 pt154 x-mac-greek x-mac-turkish",
        "georgian-ps georgian-academy armscii-8",
    ];
    let detected: Vec<_> = utf8::detect::legacy::codecs()
        .filter(|spec| spec.is_page())
        .map(|spec| spec.name)
        .collect();
    assert_eq!(detected.join(" "), expected.join(" "));
}

/// Sequences of the bytes of multi-byte sets, of up to three bytes, and samples of longer ones.
fn sequences_of_sets() -> Vec<Vec<u8>> {
    let bytes = || 0..=u8::MAX;
    let one = bytes().map(|byte| vec![byte]);
    let pairs = bytes().flat_map(|lead| (0x20..=0xFE).map(move |trail| vec![lead, trail]));
    let of_jis = (0xA1..=0xFE).flat_map(|row| (0xA1..=0xFE).map(move |cell| vec![0x8F, row, cell]));
    let long = [&b"\x81\x30\x81\x30"[..], b"\x90\x30\x81\x30", b"\xE3\x32\x9A\x35"];
    one.chain(pairs).chain(of_jis).chain(long.map(<[u8]>::to_vec)).collect()
}

/// Encodings read characters that they do not write only where their row says so.
#[test]
fn characters_that_are_read_are_written() {
    let sequences = sequences_of_sets();
    each(CODECS, |spec| {
        let mut values = HashSet::new();
        if spec.is_page() {
            values.extend(points(spec).into_iter().flatten());
        } else if spec.group == Group::EastAsia && !spec.properties.stateful {
            values.extend(sequences.iter().flat_map(|bytes| spec.step(bytes).values().to_vec()));
        } else {
            return;
        }
        // Half of a character of two code points stands alone elsewhere.
        values.retain(|value| ![0x304, 0x30C].contains(value));
        let unwritten = values.into_iter().find(|&value| !spec.can_encode(value));
        assert_eq!(unwritten.is_none(), spec.writes_all(), "{}: {unwritten:X?}", spec.name);
    });
    // The half-width katakana of JIS X 0201, which an escape sequence selects.
    let iso_2022_jp = Encoding::for_label("iso-2022-jp").unwrap();
    assert!((0xFF61..=0xFF9F).all(|value| iso_2022_jp.can_encode(value)));
}

#[test]
fn pages_with_ascii_have_it_in_its_place() {
    for (spec, row) in pages().into_iter().zip(PAGES) {
        let has_ascii = (0..0x80).all(|byte| point(spec, byte) == Some(byte.into()));
        assert_eq!(has_ascii, row.ascii, "{}", row.name);
    }
}

#[test]
fn no_two_pages_have_one_table() {
    let mut seen = HashSet::new();
    for spec in pages() {
        assert!(seen.insert(points(spec)), "{} has the table of another page", spec.name);
    }
}

/// Names that the WHATWG gives to other encodings; here they have the meaning of iconv.
static NOT_WHATWG: &[&str] =
    &["us-ascii", "iso-8859-1", "iso-8859-9", "iso-8859-11", "tis-620", "koi8-ru"];

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
            assert_eq!(*number, 874);
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
        // Thai tone marks, Arabic letters, and signs from right to left have a second place.
        let has_two_directions =
            |name| ["x-mac-arabic", "x-mac-farsi", "isiri-3342"].contains(&name);
        let expected: &[u8] = match spec.name {
            "ibm-874" => &[0xA0, 0xDB, 0xDC, 0xDD, 0xDE],
            "ibm1161" => &[0xA0, 0xDB, 0xDC, 0xDD],
            "ibm838" => &[0x51, 0xCA, 0xE1, 0xFA, 0xFB],
            "ibm1160" => &[0x51, 0xCA, 0xE1, 0xFA],
            "ibm1046" => &[0x80, 0xA1, 0xA2, 0xA5],
            "armscii-8" => &[0xA4, 0xA5, 0xA9, 0xAB, 0xAC],
            "ibm1133" => &[0xDF],
            name if has_two_directions(name) => {
                assert!(twice.iter().all(|byte| *byte >= 0x80), "{name}: {twice:X?}");
                continue;
            }
            _ => &[],
        };
        assert_eq!(twice, expected, "{}", spec.name);
    }
}

/// A character that is absent is refused, or written as a letter and marks that are canonically
/// equivalent to it.
#[test]
fn absent_code_points_are_unencodable() {
    for spec in pages() {
        let has: HashSet<u32> = points(spec).into_iter().flatten().collect();
        let has_marks = has.iter().any(|&value| is_mark(value));
        for value in (0..0x3_0000).chain([0x10_FFFF, 0x11_0000, u32::MAX]) {
            let mut out = b"before".to_vec();
            let done = spec.writer(Escapes::Usual).put(value, &mut out);
            let bytes = out.strip_prefix(b"before").unwrap();
            let is_present = has.contains(&value);
            assert_eq!(spec.can_encode(value), is_present, "{}: {value:X}", spec.name);
            if is_present || !has_marks || !done {
                assert_eq!(done, is_present, "{}: {value:X}", spec.name);
                let is_held = || {
                    let parts: Vec<_> =
                        char::from_u32(value).into_iter().nfd().map(u32::from).collect();
                    parts.len() > 1
                        && parts.iter().all(|part| has.contains(part))
                        && parts[1..].iter().all(|&part| is_mark(part))
                };
                assert!(done || !has_marks || !is_held(), "{}: {value:X} is absent", spec.name);
                assert_eq!(bytes.len(), usize::from(done), "{}: {value:X}", spec.name);
            } else {
                let (values, faults) = steps(spec, bytes);
                let text = values.iter().map(|&value| char::from_u32(value).unwrap());
                let c = char::from_u32(value).unwrap();
                assert!(text.nfd().eq(iter::once(c).nfd()), "{}: {value:X}", spec.name);
                assert!(!is_mark(values[0]) && values[1..].iter().all(|&value| is_mark(value)));
                assert!(faults.is_empty());
            }
        }
    }
}

fn is_mark(value: u32) -> bool {
    char::from_u32(value).is_some_and(|c| canonical_combining_class(c) != 0)
}

/// As glibc's iconv writes them.
#[test]
fn letters_of_vietnamese_are_written() {
    let text = "Tiếng Việt: ẮẰẲẴẶ Ữ ỹ đ\n";
    for (name, bytes) in [
        (
            "windows-1258",
            "54 69 EA EC 6E 67 20 56 69 EA F2 74 3A 20 C3 EC C3 CC C3 D2 C3 DE C3 F2 20 DD DE 20 79 \
             DE 20 F0 0A",
        ),
        ("tcvn", "54 69 D5 6E 67 20 56 69 D6 74 3A 20 C0 AF BA BF 85 20 06 20 FC 20 AE 0A"),
        ("viscii", "54 69 AA 6E 67 20 56 69 AE 74 3A 20 81 82 02 05 83 20 FF 20 DB 20 F0 0A"),
    ] {
        let spec = Encoding::for_label(name).unwrap();
        let out = written(spec, Escapes::Usual, text.chars().map(u32::from)).unwrap();
        assert_eq!(hex(&out), bytes, "{name}");
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
        let mapped = (0..=u8::MAX).filter(|&byte| point(spec, byte).is_some());
        let bytes: Vec<u8> = mapped.take(5).collect();
        assert_eq!(tally(spec, &bytes, 1..4), [3, 0, 0, 0, 0, 0, 0], "{}", spec.name);
        assert_eq!(spec.announced(b"\xF0"), 1);
    }
}

#[test]
fn the_line_feed_of_a_page_ends_its_lines() {
    for spec in pages() {
        let expected: &[u8] = match spec.name {
            "ibm037-lf" | "ibm1047-lf" => &[0x15],
            "iso-11548-1" => &[],
            "ebcdic-is-friss" => &[0x0A],
            _ if spec.group == Group::Ebcdic => &[0x25],
            _ => &[0x0A],
        };
        let feed = written(spec, Escapes::Usual, [0x0A]);
        assert_eq!(feed.as_deref(), expected.first().map(std::slice::from_ref), "{}", spec.name);
        for byte in 0..=u8::MAX {
            let lines = lines(spec, &[byte, b'a']);
            let feeds = expected.contains(&byte);
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
