//! Layouts of dumps: every byte once, and nothing harmful.

use std::io;

use crate::common::inputs::{HOSTILE, MIXTURES, Rng, SPELT, dirty};
use crate::common::{BLIND, TIMID, each, kernels, representatives};
use crate::properties::dump::{Case, LOOK, New, Paper, all, grid, reversed, reversible};
use utf8::codec::Escapes;
use utf8::dump::{
    ByteLayout, CellBase, DumpItem, DumpStyle, Grid, Layout, PlainLayout, SequenceLayout, Utf8Text,
};
use utf8::kernel::{FaultBits, best};
use utf8::output::Output;
use utf8::registry::Encoding;
use utf8::report::ReportStyle;
use utf8::text::name::InputName;
use utf8::undump::{DumpForm, DumpReader};

/// Returns text of every mixture of form lengths, with some issues.
fn mixed(seed: u64, len: usize) -> Vec<u8> {
    let mut rng = Rng::new(seed);
    let parts = MIXTURES.iter().map(|widths| dirty(&mut rng, len / MIXTURES.len(), widths, 20));
    parts.collect::<Vec<_>>().concat()
}

/// Returns layouts of every kind.
fn layouts() -> Vec<New> {
    vec![
        |_| Box::new(SequenceLayout::new(LOOK)),
        |_| Box::new(SequenceLayout::new(DumpStyle { fold: false, names: false, ..LOOK })),
        |_| Box::new(SequenceLayout::new(DumpStyle { only_ill_formed: Some(2), ..LOOK })),
        |kernels| Box::new(ByteLayout::new(kernels, LOOK, grid(CellBase::Bits, 6, 1))),
        |kernels| Box::new(ByteLayout::new(kernels, LOOK, grid(CellBase::Hex, 16, 1))),
        |kernels| Box::new(ByteLayout::new(kernels, LOOK, grid(CellBase::Hex, 5, 2))),
        |kernels| Box::new(ByteLayout::new(kernels, LOOK, grid(CellBase::Octal, 1, 1))),
        |kernels| Box::new(ByteLayout::new(kernels, LOOK, grid(CellBase::Decimal, 7, 0))),
        |kernels| {
            Box::new(ByteLayout::new(
                kernels,
                LOOK,
                Grid { squeeze: true, ..grid(CellBase::Hex, 2, 1) },
            ))
        },
        |kernels| {
            Box::new(ByteLayout::new(
                kernels,
                DumpStyle { only_ill_formed: Some(1), ..LOOK },
                grid(CellBase::Hex, 4, 1),
            ))
        },
        |kernels| {
            let report = ReportStyle { color: true, unicode: false, ..ReportStyle::default() };
            Box::new(ByteLayout::new(
                kernels,
                DumpStyle { report, ..LOOK },
                grid(CellBase::Hex, 3, 1),
            ))
        },
        |_| Box::new(PlainLayout::new(LOOK, CellBase::Hex, 30)),
    ]
}

/// Characters that form grapheme clusters in every way of UAX #29, among others.
const CLUSTERS: &str = "cafe\u{301} 👨\u{200D}👩\u{200D}👧🇩🇪🇫🇷🇯 \u{1112}\u{1161}\u{11AB}한 \
                        क\u{94D}षि กำ \u{600}1\u{600}é日\u{3099} 👍\u{1F3FD}\r\n1\u{FE0F}\u{20E3}";

#[test]
fn splits_do_not_matter() {
    each(&representatives(), |&spec| {
        for bytes in [HOSTILE.concat(), mixed(8, 200), SPELT.to_vec(), CLUSTERS.into()] {
            let bytes = &bytes[..bytes.len().min(200)];
            for layout in layouts() {
                let case = all(spec, bytes);
                let expected = case.whole(layout(best()).as_mut());
                let every: Vec<usize> = (0..=bytes.len()).collect();
                assert_eq!(case.cut(layout(best()).as_mut(), &every), expected, "{}", spec.name);
                for cut in (0..bytes.len()).step_by(7) {
                    assert_eq!(
                        case.cut(layout(best()).as_mut(), &[cut]),
                        expected,
                        "{}",
                        spec.name
                    );
                }
            }
        }
    });
}

#[test]
fn kernels_do_not_matter() {
    let mut rng = Rng::new(5);
    let clusters = CLUSTERS.repeat(30).into_bytes();
    let faults = [&clusters[..], b"\xC0\xAF", &clusters].concat();
    let binary = (0..3000).map(|_| rng.next() as u8).collect();
    let pairs = (0..600).flat_map(|_| rng.pick(&SURROGATES)).copied().collect();
    let dirty = dirty(&mut rng, 3000, &[1, 2, 3, 4], 3);
    let hashes = vec![b'#'; 100];
    for bytes in [mixed(5, 3000), dirty, hashes, clusters, faults, binary, pairs] {
        for spec in ["utf-8", "wtf-8", "cesu-8", "windows-1251", "shift_jis", "utf-16le"] {
            let spec = Encoding::for_label(spec).unwrap();
            for layout in layouts() {
                let expected =
                    Case { kernels: &BLIND, ..all(spec, &bytes) }.whole(layout(&BLIND).as_mut());
                for kernels in kernels().chain([&TIMID]) {
                    let dump =
                        Case { kernels, ..all(spec, &bytes) }.whole(layout(kernels).as_mut());
                    assert_eq!(dump, expected, "{} {}", spec.name, kernels.name);
                }
            }
        }
    }
}

#[test]
fn rows_near_faults_are_those_of_the_whole_dump() {
    let clusters = CLUSTERS.repeat(9);
    let flags = |count| ["ab", &"🇩".repeat(count)].concat();
    for (before, after) in [
        (&clusters[..], &clusters[..]),
        (&flags(65), "\n"),
        (&flags(66), "\n"),
        (&flags(101), "\n"),
        ("aaaaaaaaaaaa🇩🇪🇫🇷🇩🇪", "\n"),
        // A row with some bytes of a character, before rows that are left out.
        ("", "aa🇩🇪bbbbbb"),
    ] {
        let bytes = [before.as_bytes(), b"\xFF", after.as_bytes(), b"\xFF"].concat();
        for (columns, context) in (1..=16).flat_map(|columns| [(columns, 2), (columns, 7)]) {
            let layout = |only_ill_formed| {
                let style = DumpStyle { only_ill_formed, ..LOOK };
                ByteLayout::new(best(), style, grid(CellBase::Hex, columns, 1))
            };
            let case = all(Encoding::UTF_8, &bytes);
            let (near, whole) =
                (case.whole(&mut layout(Some(context))), case.whole(&mut layout(None)));
            assert!(near.contains('×'));
            for rows in near.split("--\n") {
                assert!(whole.contains(rows), "{columns} {context}: {rows}");
            }
            // Each cut of a short text, some of a long one.
            for cut in (0..bytes.len()).step_by(bytes.len() / 40 + 1) {
                assert_eq!(case.cut(&mut layout(Some(context)), &[cut]), near, "{columns} {cut}");
            }
        }
    }
}

/// Surrogates, pairs and parts of them, beside characters.
const SURROGATES: [&[u8]; 10] = [
    b"\xED\xA0\xBD\xED\xB8\x80",
    b"\xED\xA0\xBD",
    b"\xED\xB8\x80",
    b"\xED\xA0\x80\xED",
    b"\xED\xA0",
    b"\xED\xED",
    b"\xFF",
    b"e\xCC\x81",
    b"\xE6\xBC\xA2",
    b"Some ASCII",
];

/// Takes text as items alone.
struct ByItems<L>(L);

impl<L: Layout> Layout for ByItems<L> {
    fn begin(
        &mut self,
        out: &mut Output,
        name: &InputName<'_>,
        encoding: &'static Encoding,
    ) -> io::Result<()> {
        self.0.begin(out, name, encoding)
    }

    fn codec(&mut self, encoding: &'static Encoding) {
        self.0.codec(encoding);
    }

    fn item(&mut self, out: &mut Output, item: &DumpItem<'_>) -> io::Result<()> {
        self.0.item(out, item)
    }

    fn end(&mut self, out: &mut Output) -> io::Result<()> {
        self.0.end(out)
    }
}

/// Returns a text of characters and ill-formed sequences of every kind, in random order.
fn soup(rng: &mut Rng, len: usize) -> Vec<u8> {
    let plain =
        ["Hello, world! ", "#[", "###", "日本語", "αβγ", "\u{A0}\u{85}\u{AD}\x7F\t", "한글字"];
    let pieces = HOSTILE.iter().copied().chain(plain.map(str::as_bytes));
    let pieces: Vec<_> = pieces.chain(CLUSTERS.split_inclusive(' ').map(str::as_bytes)).collect();
    let mut text = Vec::new();
    while text.len() < len {
        let piece = pieces[rng.next() as usize % pieces.len()];
        // Some are cut.
        let cut =
            if rng.next().is_multiple_of(8) { rng.next() as usize % (piece.len() + 1) } else { 0 };
        text.extend_from_slice(&piece[cut..]);
    }
    text
}

/// Returns texts with few, many and no ill-formed sequences.
fn texts(rng: &mut Rng) -> [Vec<u8>; 5] {
    let wide: String = (0..9000).map(|at| if at % 7 == 0 { '-' } else { '語' }).collect();
    [
        soup(rng, 40_000),
        (0..20_000).map(|_| rng.next() as u8).collect(),
        dirty(rng, 20_000, &[1, 2], 40),
        dirty(rng, 20_000, &[1, 2, 3, 4], 1_000_000),
        wide.into_bytes(),
    ]
}

#[test]
fn rows_of_sequences_are_those_of_single_sequences() {
    let mut rng = Rng::new(10);
    let mut texts = texts(&mut rng).to_vec();
    // More than are searched for ill-formed sequences at a time.
    texts.push((0..150_000).map(|_| rng.next() as u8).collect());
    for bytes in texts {
        for style in [
            LOOK,
            DumpStyle { fold: false, ..LOOK },
            DumpStyle { only_ill_formed: Some(1), ..LOOK },
            DumpStyle { width: Some(60), ..LOOK },
            DumpStyle { report: ReportStyle { color: true, ..LOOK.report }, ..LOOK },
        ] {
            let case = all(Encoding::UTF_8, &bytes);
            let expected = case.whole(&mut ByItems(SequenceLayout::new(style)));
            for kernels in kernels() {
                let case = Case { kernels, ..all(Encoding::UTF_8, &bytes) };
                let same = case.whole(&mut SequenceLayout::new(style)) == expected;
                assert!(same, "{} {style:?}", kernels.name);
            }
        }
    }
}

#[test]
fn rows_of_bytes_are_those_of_single_sequences() {
    for bytes in texts(&mut Rng::new(9)) {
        for unicode in [true, false] {
            let report = ReportStyle { unicode, ..LOOK.report };
            for grid in [
                grid(CellBase::Bits, 6, 1),
                grid(CellBase::Hex, 16, 1),
                Grid { upper: true, ..grid(CellBase::Hex, 16, 1) },
                grid(CellBase::Octal, 9, 4),
                grid(CellBase::Hex, 2000, 0),
            ] {
                let layout = |kernels| ByteLayout::new(kernels, DumpStyle { report, ..LOOK }, grid);
                let case = all(Encoding::UTF_8, &bytes);
                let expected = case.whole(&mut ByItems(layout(best())));
                for kernels in kernels() {
                    let case = Case { kernels, ..all(Encoding::UTF_8, &bytes) };
                    let same = case.whole(&mut layout(kernels)) == expected;
                    assert!(same, "{} {grid:?} {unicode}", kernels.name);
                }
            }
        }
    }
}

/// The characters of `CLUSTERS` with a tie are those that start no cluster of the library.
#[test]
fn ties_stand_where_the_library_has_no_boundary() {
    use unicode_segmentation::UnicodeSegmentation;
    let text = CLUSTERS.repeat(40);
    let clusters: Vec<_> = text.grapheme_indices(true).map(|(at, _)| at).collect();
    let of_library = |(at, c): (usize, char)| c != '\n' && clusters.binary_search(&at).is_err();
    let expected: Vec<_> = text.char_indices().map(of_library).collect();
    let style = DumpStyle { fold: false, names: false, ..LOOK };
    let dump = all(Encoding::UTF_8, text.as_bytes()).whole(&mut SequenceLayout::new(style));
    let tied = |row: &str| row.chars().nth(73) == Some('~');
    assert_eq!(dump.lines().map(tied).collect::<Vec<_>>(), expected);
    // In rows of bytes, each further byte of the same characters has a tie.
    let layout = &mut ByteLayout::new(best(), LOOK, grid(CellBase::Hex, 1, 1));
    let dump = all(Encoding::UTF_8, text.as_bytes()).whole(layout);
    let rows: Vec<_> = dump.lines().map(|row| row.ends_with('~')).collect();
    let mut bytes = Vec::new();
    for ((_, c), joined) in text.char_indices().zip(expected) {
        bytes.push(false);
        bytes.resize(bytes.len() + c.len_utf8() - 1, joined);
    }
    assert_eq!(rows, bytes);
}

/// Parses a row: its offset, and the bytes of its cells.
fn row(line: &str, base: u32, width: usize) -> (u64, Vec<u8>) {
    let digits = line.find(|c: char| !c.is_ascii_hexdigit()).unwrap();
    let offset = u64::from_str_radix(&line[..digits], 16).unwrap();
    let cells = line[digits..].trim_start_matches(':');
    let separated = cells.split_inclusive([' ', '.', '!']);
    let numbers = separated.map(|cell| cell.trim_end_matches([' ', '.', '!']));
    let mut bytes = Vec::new();
    for cell in numbers.skip_while(|cell| cell.is_empty()).take_while(|cell| !cell.is_empty()) {
        let places = (0..cell.len()).step_by(width).map(|at| &cell[at..at + width]);
        bytes.extend(places.map(|digits| u8::from_str_radix(digits, base).unwrap()));
    }
    (offset, bytes)
}

/// Asserts that rows hold these bytes from an offset.
fn covers(rows: impl Iterator<Item = (u64, Vec<u8>)>, start: u64, bytes: &[u8]) {
    let mut read = Vec::new();
    for (offset, row) in rows {
        assert_eq!(offset, start + read.len() as u64);
        read.extend(row);
    }
    assert_eq!(read, bytes);
}

#[test]
fn rows_of_bytes_are_the_bytes_of_the_range() {
    let bytes = mixed(6, 600);
    each(&representatives(), |&spec| {
        for (at, end) in [(0, bytes.len()), (1, 2), (3, 40), (17, 18), (50, bytes.len()), (5, 5)] {
            let case = Case { range: at as u64..end as u64, ..all(spec, &bytes) };
            for (base, radix, columns, group) in [
                (CellBase::Bits, 2, 6, 1),
                (CellBase::Hex, 16, 16, 3),
                (CellBase::Octal, 8, 7, 0),
                (CellBase::Decimal, 10, 1, 1),
            ] {
                let layout = &mut ByteLayout::new(best(), LOOK, grid(base, columns, group));
                let dump = case.whole(layout);
                let rows = dump.lines().map(|line| row(line, radix, base.width()));
                covers(rows, at as u64, &bytes[at..end]);
            }
        }
    });
}

/// Parses the row of a sequence or a fold.
fn row_of_sequence(line: &str, bits: usize) -> (u64, Vec<u8>) {
    let (offset, rest) = line.split_once("  ").unwrap();
    let first = rest.split(' ').next().unwrap();
    let hex = match first.len() {
        2 => rest,
        _ => &rest[rest.char_indices().nth(bits).unwrap().0..],
    };
    let cells = hex.trim_start().split(' ').take_while(|cell| !cell.is_empty());
    let bytes = cells.map(|cell| u8::from_str_radix(cell, 16).unwrap()).collect();
    (u64::from_str_radix(offset, 16).unwrap(), bytes)
}

#[test]
fn rows_of_sequences_are_the_bytes_of_the_range() {
    let bytes = mixed(7, 600);
    each(&representatives(), |&spec| {
        for (at, end) in [(0, bytes.len()), (1, 2), (3, 40), (17, 18), (50, bytes.len()), (5, 5)] {
            let case = Case { range: at as u64..end as u64, ..all(spec, &bytes) };
            for fold in [true, false] {
                let dump = case.whole(&mut SequenceLayout::new(DumpStyle { fold, ..LOOK }));
                let bits = spec.inner.widest.clamp(4, 6) * 10 - 1;
                let rows = dump.lines().map(|line| row_of_sequence(line, bits));
                covers(rows, at as u64, &bytes[at..end]);
            }
        }
    });
}

/// Returns layouts of every kind that fits a width, with the base of their rows.
fn fitting(width: usize) -> Vec<(Box<dyn Layout>, CellBase)> {
    let look = DumpStyle { width: Some(width), ..LOOK };
    let ascii = ReportStyle { unicode: false, ..LOOK.report };
    let mut layouts: Vec<(Box<dyn Layout>, CellBase)> = vec![
        (Box::new(SequenceLayout::new(look)), CellBase::Hex),
        (Box::new(SequenceLayout::new(DumpStyle { fold: false, ..look })), CellBase::Hex),
        (Box::new(SequenceLayout::new(DumpStyle { report: ascii, ..look })), CellBase::Hex),
    ];
    for (base, columns, group) in [
        (CellBase::Bits, 6, 1),
        (CellBase::Hex, 16, 1),
        (CellBase::Hex, 16, 4),
        (CellBase::Decimal, 16, 0),
    ] {
        let grid = grid(base, columns, group);
        layouts.push((Box::new(ByteLayout::new(best(), look, grid)), base));
    }
    layouts
}

#[test]
fn rows_fit_the_width_and_have_all_bytes() {
    let bytes = mixed(8, 400);
    each(&representatives(), |&spec| {
        for width in (40..100).step_by(7).chain([75, 76, 78, 80, 81, 120, 200]) {
            for (mut layout, base) in fitting(width) {
                let dump = all(spec, &bytes).whole(layout.as_mut());
                let wide = dump.lines().find(|line| self::width(line) > width);
                assert_eq!(wide, None, "{} in {width}", spec.name);
                let mut reader = DumpReader::new(DumpForm::Rows(Some(base)));
                reader.feed(dump.as_bytes()).unwrap();
                let mut read = Vec::new();
                let placed = reader.finish().unwrap().each(|_, block| {
                    read.extend_from_slice(block);
                    Ok(())
                });
                placed.unwrap();
                assert!(read == bytes, "{} in {width}: {dump}", spec.name);
            }
        }
    });
}

#[test]
fn rows_that_fit_have_all_columns() {
    let utf8 = Encoding::UTF_8;
    let text = everything(utf8);
    let free = all(utf8, &text).whole(&mut SequenceLayout::new(LOOK));
    let widest = free.lines().map(width).max().unwrap();
    let look = |width| DumpStyle { width: Some(width), ..LOOK };
    let fitted = all(utf8, &text).whole(&mut SequenceLayout::new(look(widest)));
    assert!(fitted == free);
    let cut = all(utf8, &text).whole(&mut SequenceLayout::new(look(widest - 1)));
    assert_ne!(cut, free);
    // Where there is room for part of the names, nothing else is missing.
    let narrow = all(utf8, &text).whole(&mut SequenceLayout::new(look(90)));
    for (row, whole) in narrow.lines().zip(free.lines()) {
        assert!(whole.starts_with(row.trim_end_matches('…')), "{row}");
        assert!(row == whole || row.ends_with('…'), "{row}");
    }
}

#[test]
fn wider_offsets_leave_less_room() {
    let utf8 = Encoding::UTF_8;
    for offset in [u64::from(u32::MAX) - 3, 1 << 40] {
        let paper = Paper::default();
        let mut out = Output::new(Box::new(paper.clone()), "paper");
        let mut layout = SequenceLayout::new(DumpStyle { width: Some(80), ..LOOK });
        layout.codec(utf8);
        let bytes = "éé\u{1F600}€ Hello, world!".as_bytes();
        layout
            .utf8(&mut out, Utf8Text { offset, bytes, known: bytes, faults: &FaultBits::NONE })
            .unwrap();
        layout.end(&mut out).unwrap();
        out.flush().unwrap();
        drop(out);
        let dump = String::from_utf8(paper.0.take()).unwrap();
        assert!(dump.lines().all(|line| width(line) <= 80), "{dump}");
        assert!(dump.contains("GRINNING"), "the bits give way to names: {dump}");
    }
}

#[test]
fn dumps_in_any_layout_codec_and_range_are_reversible() {
    let mut rng = Rng::new(9);
    let random: Vec<u8> =
        (0..300).map(|_| rng.pick(&[0, b'A', 0x80, 0xC3, 0xE2, 0xFF, b' '])).collect();
    let inputs = [mixed(10, 400), random, vec![0; 70], HOSTILE.concat()];
    each(&representatives(), |&spec| {
        for bytes in &inputs {
            for (at, end) in [(0, bytes.len()), (1, 18), (3, 4), (7, bytes.len()), (5, 5)] {
                let case = Case { range: at as u64..end as u64, ..all(spec, bytes) };
                for (layout, form) in reversible() {
                    let dump = case.whole(layout(best()).as_mut());
                    assert_eq!(reversed(&dump, form), bytes[at..end], "{}: {dump}", spec.name);
                }
            }
        }
    });
}

/// Returns all assigned code points of an encoding, except most ideographs.
fn everything(spec: &Encoding) -> Vec<u8> {
    let mut text = Vec::new();
    let mut writer = spec.writer(Escapes::Minimal);
    for value in (0..0x2_0100).chain(0xE_0000..0xE_0200).chain(0x10_FFF0..0x11_0000) {
        writer.put(value, &mut text);
    }
    text
}

/// Returns `true` for characters that must not reach a terminal: C0 except the line feed, DEL, C1,
/// Bidi_Control (PropList.txt), line and paragraph separators.
fn harmful(c: char) -> bool {
    c != '\n' && c.is_control()
        || matches!(c, '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

#[test]
fn nothing_harmful_is_shown() {
    let escapes = ["\x1B[0m", "\x1B[38;5;161m", "\x1B[38;5;28m", "\x1B[38;5;133m", "\x1B[38;5;31m"];
    for spec in ["generalized-utf-8", "utf-16be"] {
        let spec = Encoding::for_label(spec).unwrap();
        let text = everything(spec);
        each(&layouts(), |layout| {
            let mut dump = all(spec, &text).whole(layout(best()).as_mut());
            if dump.contains(escapes[0]) {
                dump = escapes.iter().fold(dump, |dump, escape| dump.replace(escape, ""));
            }
            assert_eq!(dump.chars().find(|&c| harmful(c)), None);
        });
    }
}

#[test]
fn without_unicode_all_is_ascii() {
    let report = ReportStyle { unicode: false, ..LOOK.report };
    let look = DumpStyle { report, ..LOOK };
    let text = [everything(Encoding::UTF_8), HOSTILE.concat()].concat();
    let case = all(Encoding::UTF_8, &text);
    assert!(case.whole(&mut SequenceLayout::new(look)).is_ascii());
    assert!(case.whole(&mut ByteLayout::new(best(), look, grid(CellBase::Hex, 16, 1))).is_ascii());
}

#[test]
fn no_commands_to_ci_runners_are_written() {
    let text = b"a##[error]#[b]###[c] ##vso[x]";
    for columns in [1, 2, 5, 16] {
        let dump = all(Encoding::UTF_8, text).whole(&mut ByteLayout::new(
            best(),
            LOOK,
            grid(CellBase::Hex, columns, 1),
        ));
        assert!(!dump.contains("##") && !dump.contains("#["), "{dump}");
    }
    let dump = all(Encoding::UTF_8, text).whole(&mut SequenceLayout::new(LOOK));
    assert!(!dump.contains("##") && !dump.contains("#["), "{dump}");
}

/// Returns the number of columns of a text on a terminal.
fn width(text: &str) -> usize {
    use unicode_width::UnicodeWidthStr;
    text.width()
}

#[test]
fn columns_stay_where_they_are() {
    let utf8 = Encoding::UTF_8;
    let text = everything(utf8);
    let dump = all(utf8, &text).whole(&mut SequenceLayout::new(DumpStyle { fold: false, ..LOOK }));
    for line in dump.lines() {
        let names = line.rfind("  ").unwrap() + 2;
        assert_eq!(width(&line[..names]), 78, "{line}");
    }
    let dump =
        all(utf8, &text).whole(&mut ByteLayout::new(best(), LOOK, grid(CellBase::Hex, 12, 1)));
    for line in dump.lines() {
        let text = width(&line[10 + 12 * 3 + 1..]);
        // A wide character may exceed the row.
        assert!((12..=13).contains(&text) || dump.ends_with(&format!("{line}\n")), "{line}");
    }
}
