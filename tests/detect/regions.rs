//! Regions of one encoding within an input.

use std::cell::RefCell;
use std::ops::Range;

use crate::common::detect::pieces;
use crate::common::inputs::{HOSTILE, Rng, dirty};
use crate::common::sentences::{self, legacy_texts, texts};
use utf8::detect::{Region, RegionEvent, RegionSink, detect};
use utf8::kernel;
use utf8::registry::Encoding;
use utf8::scan::Feed;

/// Returns the regions of bytes that are cut in pieces.
fn in_pieces(bytes: &[u8], range: Range<u64>, cuts: &[usize]) -> Vec<(Range<u64>, &'static str)> {
    let found = RefCell::new(Vec::new());
    let mut feed = Feed::new(Encoding::UTF_8.open(0), kernel::best(), 0);
    let mut regions = RegionSink::new(range, |event| {
        if let RegionEvent::Region(Region { bytes, answer, .. }) = event {
            found.borrow_mut().push((bytes, answer.name()));
        }
        Ok(())
    });
    for piece in pieces(bytes, cuts) {
        if feed.push(piece, &mut regions).unwrap().is_break() {
            break;
        }
    }
    let _ = feed.finish(&mut regions).unwrap();
    regions.finish().unwrap();
    found.into_inner()
}

fn regions(bytes: &[u8]) -> Vec<(Range<u64>, &'static str)> {
    in_pieces(bytes, 0..u64::MAX, &[])
}

const FRENCH: &[u8] = b"caf\xE9 cr\xE8me \xE0 Orl\xE9ans, tr\xE8s go\xFBt\xE9\n";

#[test]
fn ascii_lines_join_the_region_before() {
    let utf8 = "plain\ndéjà vu\nplain\n".as_bytes();
    let text = [utf8, FRENCH, b"plain\n", FRENCH, utf8].concat();
    let (utf8, french) = (utf8.len() as u64, 2 * FRENCH.len() as u64 + 6);
    // The last region in UTF-8 starts with a line of ASCII.
    let turn = utf8 + french + 6;
    assert_eq!(
        regions(&text),
        [(0..utf8, "utf-8"), (utf8..turn, "windows-1252"), (turn..2 * utf8 + french, "utf-8")]
    );
}

#[test]
fn each_sort_of_line() {
    for (bytes, name) in [
        (&b"plain\nplain"[..], "us-ascii"),
        (b"\xC3\xA9", "utf-8"),
        (b"d\xC3\xA9j\xC3\xA0 \xE9t\xC3\xA9", "damaged-utf-8"),
        (FRENCH, "windows-1252"),
        (b"a\0b\n\xFF\xFF\0\n", "binary"),
        (b"\xFF\xFEa\0\n\0\xE9\0", "utf-16"),
    ] {
        assert_eq!(regions(bytes), [(0..bytes.len() as u64, name)]);
    }
    assert_eq!(regions(b""), []);
}

#[test]
fn nul_in_text_of_utf8_is_text() {
    for (text, name) in [
        (&b"abc\nd\0ef\n\xC3\xA9\n"[..], "utf-8"),
        (b"\xC3\xA9\nd\0ef\nabc\n", "utf-8"),
        (b"d\0ef\n", "binary"),
        // As programs contain it: short UTF-8 by chance.
        (b"\x7FELF\0\0\n\xC3\xA9\n\0\xFF\xFE\0\n", "binary"),
        (b"d\0ef\n\xFF\xFEab\n", "binary"),
    ] {
        assert_eq!(regions(text), [(0..text.len() as u64, name)]);
    }
}

#[test]
fn inputs_without_lines_are_one_region() {
    let units = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    for (text, name) in [
        (units("Größe\nund\nMaß\n"), "utf-16le"),
        (units(&"Größe\nund\nMaß\n".repeat(9000)), "utf-16le"),
        (b"plain\n\x1B$B4A;z\x1B(B\nplain\n".to_vec(), "iso-2022-jp"),
        (b"plain\n~{VPND~}\nplain\n".to_vec(), "hz-gb-2312"),
        (b"caf+AOk-\nd+AOk-j+AOA-\n".to_vec(), "utf-7"),
    ] {
        let len = text.len() as u64;
        assert_eq!(regions(&text), [(0..len, name)]);
        assert_eq!(in_pieces(&text, 0..u64::MAX, &[text.len() / 2]), [(0..len, name)]);
    }
}

#[test]
fn alternating_lines_are_separate_regions() {
    for number in [10, 400, 3000, 20_000] {
        let found = regions(&b"\xC3\xA9\ncaf\xE9\n".repeat(number));
        assert_eq!(found.len(), 2 * number);
        let names: Vec<_> = found.iter().map(|region| region.1).collect();
        assert!(names.chunks(2).all(|pair| pair == ["utf-8", "windows-1252"]), "{number}");
    }
}

#[test]
fn a_utf8_line_before_a_line_of_a_set_is_a_region() {
    for (utf8, legacy, name) in [
        ("вдвое\n", &b"\xF7\xF2\xEE\n"[..], "windows-1251"),
        ("他们都是好人\n", b"\xD7\xD3\xC3\xC7\n", "gbk"),
    ] {
        let border = utf8.len() as u64;
        let found = regions(&[utf8.as_bytes(), legacy].concat());
        assert_eq!(found, [(0..border, "utf-8"), (border..border + legacy.len() as u64, name)]);
    }
}

#[test]
fn a_long_line_is_judged_in_parts() {
    let legacy = [&FRENCH[..FRENCH.len() - 1].repeat(4000)[..], b"\n"].concat();
    let utf8 = "déjà vu ".repeat(30_000).into_bytes();
    let (first, second) = (utf8.len() as u64 + 1, legacy.len() as u64);
    let found = regions(&[&utf8[..], b"\n", &legacy, &utf8].concat());
    assert_eq!(
        found,
        [
            (0..first, "utf-8"),
            (first..first + second, "windows-1252"),
            (first + second..2 * first - 1 + second, "utf-8")
        ]
    );
}

#[test]
fn regions_tile_the_range_however_it_is_cut() {
    let mut rng = Rng::new(5);
    let mut inputs: Vec<Vec<u8>> =
        (0..30).map(|_| dirty(&mut rng, 400, &[1, 1, 1, 2], 9)).collect();
    inputs.push(HOSTILE.join(&b'\n'));
    inputs.push([FRENCH, "é\n".as_bytes()].concat().repeat(300));
    inputs
        .push([&b"x".repeat(65_535)[..], "€".as_bytes(), b"\xE9\xED\xA0\xBD\xED\xB8\x80"].concat());
    inputs.push([&b"x".repeat(65_533)[..], b"\xED\xA0\xBD\xED\xB8\x80", "é".as_bytes()].concat());
    for input in inputs {
        let len = input.len() as u64;
        for range in [0..len, len / 3..2 * len / 3] {
            let whole = in_pieces(&input, range.clone(), &[]);
            for (one, next) in whole.iter().zip(&whole[1..]) {
                assert_eq!(one.0.end, next.0.start);
                assert!(!one.0.is_empty());
            }
            let mut cuts: Vec<usize> =
                (0..9).map(|_| rng.next() as usize % (input.len() + 1)).collect();
            cuts.sort_unstable();
            assert_eq!(in_pieces(&input, range.clone(), &cuts), whole);
            let bytewise: Vec<usize> = (0..input.len()).collect();
            assert_eq!(in_pieces(&input, range, &bytewise), whole);
        }
        let whole = regions(&input);
        assert_eq!((whole[0].0.start, whole[whole.len() - 1].0.end), (0, len));
    }
}

/// Splits text into lines of `length` characters.
fn lines(text: &str, length: usize) -> String {
    let characters: Vec<char> = text.chars().filter(|c| *c != ' ' || length > 1).collect();
    characters.chunks(length).map(|line| line.iter().collect::<String>() + "\n").collect()
}

/// A file in one encoding is one region, with the encoding of the whole file.
#[test]
fn lines_of_one_encoding_are_one_region() {
    for (language, text) in texts() {
        for (codec, text) in legacy_texts(language, &text) {
            for length in [1, 2, 3, 4, 6, 10, 17, 32, 60] {
                let bytes = sentences::encoded(codec, &lines(&text, length));
                let verdict = detect(&bytes);
                if verdict.confidence >= 0.9 && sentences::is_right(&verdict, codec, &bytes) {
                    let whole = [(0..bytes.len() as u64, verdict.answer.name())];
                    assert_eq!(regions(&bytes), whole, "{language} in {} {length}", codec.name);
                }
            }
        }
    }
}

/// Returns the offset of the first line that is not ASCII.
fn beyond(lines: &[u8]) -> u64 {
    let ascii = lines.split_inclusive(|&byte| byte == b'\n').take_while(|line| line.is_ascii());
    ascii.map(<[u8]>::len).sum::<usize>() as u64
}

/// Alternating blocks of lines in two encodings are regions.
#[test]
fn blocks_of_lines_end_where_they_were_made() {
    let texts = texts();
    for (language, name) in [
        ("fr", "windows-1252"),
        ("de", "ibm850"),
        ("pl", "iso-8859-2"),
        ("ru", "windows-1251"),
        ("ru", "koi8-r"),
        ("ja", "shift_jis"),
        ("ja", "euc-jp"),
        ("ko", "euc-kr"),
        ("zh-cn", "gbk"),
        ("zh-tw", "big5"),
    ] {
        let mut written = legacy_texts(language, &texts[language]);
        let (codec, text) = written.find(|(codec, _)| codec.name == name).unwrap();
        for length in [20, 32, 60] {
            let utf8 = lines(&text, length).into_bytes();
            let legacy = sentences::encoded(codec, &lines(&text, length));
            let first = legacy.len() as u64 + beyond(&utf8);
            let both = (legacy.len() + utf8.len()) as u64;
            let second = both + beyond(&legacy);
            let expected = [
                (0..first, name),
                (first..second, "utf-8"),
                (second..both + first, name),
                (both + first..2 * both, "utf-8"),
            ];
            assert_eq!(regions(&[&legacy[..], &utf8].concat().repeat(2)), expected);
        }
    }
}

/// A log of two programs.
#[test]
fn a_utf8_line_between_lines_of_a_page_is_a_region() {
    let french = FRENCH.repeat(3);
    let len = french.len() as u64;
    for utf8 in ["un café\n", "à\n", "l’été\n", "日本\n", "dû\n"] {
        let end = len + utf8.len() as u64;
        assert_eq!(
            regions(&[&french, utf8.as_bytes(), &french].concat()),
            [(0..len, "windows-1252"), (len..end, "utf-8"), (end..end + len, "windows-1252")],
            "{utf8}"
        );
    }
}

/// Returns a line with a number in it, in an encoding of the WHATWG.
fn line(label: &str, text: &str, number: usize) -> Vec<u8> {
    let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).unwrap();
    let text = text.replace('#', &number.to_string());
    let (bytes, _, has_unmappable) = encoding.encode(&text);
    assert!(!has_unmappable, "{text} in {label}");
    [&bytes, &b"\n"[..]].concat()
}

const RUSSIAN: &str = "# Программа не нашла запись в журнале";
const FRENCH_LOG: &str = "# L'élève a été à la fenêtre très tôt";
const POLISH: &str = "# Żółta łódka płynęła gdzieś ścieżką, mówiąc źle";

/// Makes blocks of lines, and the regions that they are.
fn blocks(blocks: &[(&str, &'static str, usize)]) -> (Vec<u8>, Vec<(Range<u64>, &'static str)>) {
    let (mut bytes, mut regions) = (Vec::new(), Vec::new());
    for &(text, label, number) in blocks {
        let start = bytes.len() as u64;
        (0..number).for_each(|at| bytes.extend(line(label, text, at)));
        regions.push((start..bytes.len() as u64, label));
    }
    (bytes, regions)
}

/// A concatenated log, and a CSV that two tools wrote.
#[test]
fn blocks_of_lines_in_two_pages_are_regions() {
    for parts in [
        &[
            (RUSSIAN, "windows-1251", 20),
            (FRENCH_LOG, "utf-8", 20),
            (FRENCH_LOG, "windows-1252", 20),
        ][..],
        &[(RUSSIAN, "windows-1251", 20), (FRENCH_LOG, "windows-1252", 20)],
        &[(FRENCH_LOG, "windows-1252", 3), (RUSSIAN, "koi8-r", 3), (FRENCH_LOG, "windows-1252", 3)],
        &[(RUSSIAN, "windows-1251", 5), (RUSSIAN, "koi8-r", 5), (RUSSIAN, "ibm866", 5)],
        &[(POLISH, "windows-1250", 8), (POLISH, "iso-8859-2", 8)],
        &[(RUSSIAN, "windows-1251", 1), (RUSSIAN, "koi8-r", 1)],
        &[(RUSSIAN, "koi8-r", 8), ("# 日本語のテキストです。漢字とかな", "shift_jis", 8)],
        &[
            ("# 日本語のテキストです。漢字とかな", "euc-jp", 8),
            ("# 他們都是好人，我們的國家", "big5", 8),
        ],
    ] {
        let (bytes, expected) = blocks(parts);
        assert_eq!(regions(&bytes), expected);
        let bytewise: Vec<usize> = (0..bytes.len()).collect();
        assert_eq!(in_pieces(&bytes, 0..u64::MAX, &bytewise), expected);
    }
}

/// Two programs write to one log.
#[test]
fn lines_of_two_pages_in_turn_are_regions() {
    for (number, other, text) in
        [(20, "koi8-r", RUSSIAN), (20, "windows-1252", FRENCH_LOG), (3000, "koi8-r", RUSSIAN)]
    {
        let (bytes, expected) =
            blocks(&[(RUSSIAN, "windows-1251", 1), (text, other, 1)].repeat(number));
        assert_eq!(regions(&bytes), expected);
    }
}

/// A line that is too short to tell has the page of the lines before, behind UTF-8 too.
#[test]
fn short_lines_have_the_page_of_their_neighbours() {
    for (parts, last) in [
        (&[(RUSSIAN, "koi8-r", 5), (RUSSIAN, "utf-8", 5)][..], ("да", "koi8-r")),
        (&[(FRENCH_LOG, "windows-1252", 5), (FRENCH_LOG, "utf-8", 5)], ("dû", "windows-1252")),
        (&[(POLISH, "iso-8859-2", 5), (POLISH, "utf-8", 5)], ("łza", "iso-8859-2")),
    ] {
        let (mut bytes, mut expected) = blocks(parts);
        let start = bytes.len() as u64;
        bytes.extend(line(last.1, last.0, 0));
        expected.push((start..bytes.len() as u64, last.1));
        assert_eq!(regions(&bytes), expected);
    }
}

/// Quotation marks and English words are the same in many pages.
#[test]
fn lines_that_two_pages_read_alike_start_no_region() {
    let (bytes, _) = blocks(&[
        (RUSSIAN, "windows-1251", 5),
        ("# It’s important that you don’t use “other” models", "windows-1251", 20),
        (RUSSIAN, "windows-1251", 5),
    ]);
    assert_eq!(regions(&bytes), [(0..bytes.len() as u64, "windows-1251")]);
}
