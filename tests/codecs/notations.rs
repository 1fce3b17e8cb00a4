//! Notations: escapes in text, read and written.

use crate::common::inputs::{MIXTURES, Rng, code_points, dirty, strings};
use crate::common::log::{chunked, halted, whole};
use crate::common::notation::{
    AWKWARD, MODES, Piece, lacks, pieces, points, puzzle, read, show, texts,
};
use crate::common::runs;
use crate::common::written;
use crate::common::{BLIND, TIMID, each, hex, tally};
use utf8::Kind;
use utf8::codec::{Escapes, Group, Step};
use utf8::kernel::{Kernels, best};
use utf8::registry::{CODECS, Encoding};

fn notations() -> Vec<&'static Encoding> {
    CODECS.iter().filter(|spec| spec.group == Group::Notation).collect()
}

/// Returns the notations with escapes in text, each with the byte that starts an escape.
fn grammars() -> Vec<(&'static Encoding, u8)> {
    [
        ("rust", b'\\'),
        ("json", b'\\'),
        ("c", b'\\'),
        ("python", b'\\'),
        ("html", b'&'),
        ("percent", b'%'),
    ]
    .map(|(name, introducer)| (Encoding::for_label(name).unwrap(), introducer))
    .to_vec()
}

/// A notation and its spellings of a text: usual, all escaped, and minimal.
#[rustfmt::skip]
static WRITTEN: &[(&str, &str, [&str; 3])] = &[
    ("code-points", "", [""; 3]),
    ("code-points", "a€\u{1F600}\u{10FFFF}", ["U+0061 U+20AC U+1F600 U+10FFFF\n"; 3]),
    ("code-points", "a\nb", ["U+0061 U+000A\nU+0062\n"; 3]),
    ("code-points", "\n\n", ["U+000A\nU+000A\n"; 3]),
    ("rust", "a\"\\'é\u{1F600}", [
        "a\\\"\\\\'\\u{E9}\\u{1F600}",
        "\\u{61}\\u{22}\\u{5C}\\u{27}\\u{E9}\\u{1F600}",
        "a\\\"\\\\'é\u{1F600}",
    ]),
    ("rust", "\0\t\n\r\x1B\u{80}\u{202E}", [
        "\\0\\t\\n\\r\\u{1B}\\u{80}\\u{202E}",
        "\\u{0}\\u{9}\\u{A}\\u{D}\\u{1B}\\u{80}\\u{202E}",
        "\\0\t\\n\\r\x1B\u{80}\\u{202E}",
    ]),
    ("json", "a\"\\/'€\u{1F600}", [
        "a\\\"\\\\/'\\u20ac\\ud83d\\ude00",
        "\\u0061\\u0022\\u005c\\u002f\\u0027\\u20ac\\ud83d\\ude00",
        "a\\\"\\\\/'€\u{1F600}",
    ]),
    ("json", "\0\x08\t\n\x0B\x0C\r\x1F\x7F\u{9F}", [
        "\\u0000\\b\\t\\n\\u000b\\f\\r\\u001f\\u007f\\u009f",
        "\\u0000\\u0008\\u0009\\u000a\\u000b\\u000c\\u000d\\u001f\\u007f\\u009f",
        "\\u0000\\b\\t\\n\\u000b\\f\\r\\u001f\x7F\u{9F}",
    ]),
    ("c", "a\"\\'€\u{A0}\u{1F600}1", [
        "a\\\"\\\\'\\u20AC\\u00A0\\U0001F6001",
        "\\141\\042\\134\\047\\u20AC\\u00A0\\U0001F600\\061",
        "a\\\"\\\\'€\u{A0}\u{1F600}1",
    ]),
    ("c", "\0\x07\n\x1B1\x7F\u{80}\u{9F}", [
        "\\000\\a\\n\\0331\\177\\302\\200\\302\\237",
        "\\000\\007\\012\\033\\061\\177\\302\\200\\302\\237",
        "\\000\x07\\n\x1B1\x7F\u{80}\u{9F}",
    ]),
    ("c", "?a???=", [
        "?a?\\?\\?=",
        "\\077\\141\\077\\077\\077\\075",
        "?a?\\?\\?=",
    ]),
    ("python", "a\"\\'é€\u{1F600}", [
        "a\\\"\\\\'\\xe9\\u20ac\\U0001f600",
        "\\x61\\x22\\x5c\\x27\\xe9\\u20ac\\U0001f600",
        "a\\\"\\\\'é€\u{1F600}",
    ]),
    ("python", "\0\t\n\r\x1B1\u{9F}", [
        "\\x00\\t\\n\\r\\x1b1\\x9f",
        "\\x00\\x09\\x0a\\x0d\\x1b\\x31\\x9f",
        "\\x00\t\\n\\r\x1B1\u{9F}",
    ]),
    ("html", "a<b>&\"'€\u{1F600}", [
        "a&lt;b&gt;&amp;&quot;'&#x20AC;&#x1F600;",
        "&#x61;&#x3C;&#x62;&#x3E;&#x26;&#x22;&#x27;&#x20AC;&#x1F600;",
        "a&lt;b&gt;&amp;&quot;'€\u{1F600}",
    ]),
    ("html", "\t\r\n\x7F\u{80}\u{85}\u{9F}\u{A0}", [
        "&#x9;&#xD;\n&#x7F;\u{80}\u{85}\u{9F}&#xA0;",
        "&#x9;&#xD;&#xA;&#x7F;\u{80}\u{85}\u{9F}&#xA0;",
        "\t&#xD;\n\x7F\u{80}\u{85}\u{9F}\u{A0}",
    ]),
    ("percent", "aZ09-._~+ /%€", [
        "aZ09-._~%2B%20%2F%25%E2%82%AC",
        "%61%5A%30%39%2D%2E%5F%7E%2B%20%2F%25%E2%82%AC",
        "aZ09-._~+%20/%25€",
    ]),
    ("percent", "\0\n\r\x7F\u{9F}\u{A0}\u{1F600}", [
        "%00%0A%0D%7F%C2%9F%C2%A0%F0%9F%98%80",
        "%00%0A%0D%7F%C2%9F%C2%A0%F0%9F%98%80",
        "%00%0A%0D%7F%C2%9F\u{A0}\u{1F600}",
    ]),
];

#[test]
fn characters_are_written_as_escapes() {
    for (name, text, expected) in WRITTEN {
        let spec = Encoding::for_label(name).unwrap();
        for (escapes, expected) in MODES.into_iter().zip(expected) {
            let out = written(spec, escapes, points(text)).unwrap();
            assert_eq!(show(&out), show(expected.as_bytes()), "{name}, {escapes:?}: {text:?}");
            assert_eq!(read(spec, &out).unwrap(), points(text), "{name}, {escapes:?}: {text:?}");
        }
    }
}

/// A notation and its spelling of values that are no scalar values.
#[rustfmt::skip]
static BEYOND: &[(&str, &[u32], Option<&str>)] = &[
    ("code-points", &[0xD800, 0xDC00, 0x11_0000, 0x7FFF_FFFF], Some("U+D800 U+DC00 U+110000 U+7FFFFFFF\n")),
    ("code-points", &[0x8000_0000], None),
    ("json", &[0xD83D], Some("\\ud83d")),
    ("json", &[0xDE00, 0xD83D, 0x41], Some("\\ude00\\ud83dA")),
    ("json", &[0xD83D, 0xDE00], None),
    ("json", &[0xD83D, 0xD83D, 0xDE00], None),
    ("json", &[0x11_0000], None),
    ("python", &[0xD83D, 0xDE00], Some("\\ud83d\\ude00")),
    ("python", &[0x11_0000], None),
    ("rust", &[0xD800], None),
    ("rust", &[0x11_0000], None),
    ("c", &[0xDFFF], None),
    ("c", &[0x11_0000], None),
    ("html", &[0], None),
    ("html", &[0xD800], None),
    ("html", &[0x11_0000], None),
    ("percent", &[0xDFFF], None),
    ("percent", &[0x11_0000], None),
];

#[test]
fn escapes_of_non_scalar_values() {
    for (name, values, expected) in BEYOND {
        let spec = Encoding::for_label(name).unwrap();
        for escapes in MODES.into_iter().filter(|mode| *mode != Escapes::All || expected.is_none())
        {
            let out = written(spec, escapes, values.iter().copied());
            assert_eq!(out.as_deref(), expected.map(str::as_bytes), "{name}: {values:X?}");
            if let Some(out) = out {
                assert_eq!(read(spec, &out).unwrap(), *values, "{name}: {values:X?}");
            }
        }
    }
}

#[test]
fn lists_of_code_points_are_as_the_standard_library_formats_them() {
    let spec = Encoding::for_label("code-points").unwrap();
    let mut rng = Rng::new(31);
    for number in 0..200 {
        let (rarity, digits) = (rng.pick(&[1, 3, 40, 1000]), rng.pick(&[4, 5, 6, 8]));
        let values: Vec<u32> = (0..number)
            .map(|_| match rng.one_in(rarity) {
                true => u32::from(b'\n'),
                false => rng.below(1 << (4 * digits - 1)) as u32,
            })
            .collect();
        let mut expected = String::new();
        for (at, value) in values.iter().enumerate() {
            let is_first = at == 0 || values[at - 1] == u32::from(b'\n');
            expected += if is_first { "" } else { " " };
            expected += &format!("U+{value:04X}");
            expected += if *value == u32::from(b'\n') { "\n" } else { "" };
        }
        if values.last().is_some_and(|&last| last != u32::from(b'\n')) {
            expected += "\n";
        }
        for piece in [1, 9, 64, 200] {
            let (mut out, mut writer) = (Vec::new(), spec.writer(Escapes::Usual));
            let pieces = values.chunks(piece);
            let stored: usize = pieces.map(|values| writer.store(best(), values, &mut out)).sum();
            writer.finish(&mut out);
            assert_eq!(stored, values.len());
            assert_eq!(String::from_utf8(out).unwrap(), expected, "{piece}");
        }
    }
}

/// A notation, an input, and its pieces: a code point, two, or the bytes of an issue in quotes.
#[rustfmt::skip]
static READ: &[(&str, &str, &str)] = &[
    ("code-points", "U+20AC u+20ac 0x20AC \\u{20AC} #8364", "20AC 20AC 20AC 20AC 20AC"),
    ("code-points", " \t\r\n U+0\n\nU+007FFFFFFF ", "0 7FFFFFFF"),
    ("code-points", "U+20Z U+80000000 #2147483648 0x", "'U+20Z' 'U+80000000' '#2147483648' '0x'"),
    ("code-points", "U+41U+42 \\u{} \\u{41 #+1 U+-1", "'U+41U+42' '\\u{}' '\\u{41' '#+1' 'U+-1'"),
    ("code-points", "20AC U+41,U+42 U+ #4F", "'20AC' 'U+41,U+42' 'U+' '#4F'"),
    ("rust", "a\\\\\\\"\\'\\n\\r\\t\\0\\x7f", "61 5C 22 27 A D 9 0 7F"),
    ("rust", "\\u{0}\\u{1F600}\\u{10FFFF}\\u{00_e9_}", "0 1F600 10FFFF E9"),
    ("rust", "\\x80 \\x4 \\q \\u41", "'\\x80' 20 '\\x4' 20 '\\' 71 20 '\\u' 34 31"),
    ("rust", "\\u{d800}\\u{110000}\\u{}\\u{_1}", "'\\u{d800}' '\\u{110000}' '\\u{}' '\\u{_1}'"),
    ("rust", "\\u{1234567}\\u{12x", "'\\u{1234567}' '\\u{12' 78"),
    ("rust", "\\a\\", "'\\' 61 '\\'"),
    ("json", "\\\"\\\\\\/\\b\\f\\n\\r\\t", "22 5C 2F 8 C A D 9"),
    ("json", "\\u20AC\\u20ac\\ud83d\\ude00\\uD83D\\uDE00", "20AC 20AC 1F600 1F600"),
    ("json", "\\x80\\u{1F600}\\u{00000041}\\v\\0\\'", "80 1F600 41 B 0 27"),
    ("json", "\\ud83d\\u{de00}\\u{d83d}\\ude00", "1F600 1F600"),
    ("json", "\\ud83d\\u00e9\\ude00\\ud83dx\\ud83d", "D83D E9 DE00 D83D 78 D83D"),
    ("json", "\\ud83d\\ud83d\\ude00", "D83D 1F600"),
    ("json", "\\u20Z\\x8\\01\\a", "'\\u20' 5A '\\x8' '\\0' 31 '\\' 61"),
    ("json", "\\u{110000}\\u{}\\u{4", "'\\u{110000}' '\\u{' 7D '\\u{4'"),
    ("json", "\\ud83d\\ude0", "D83D '\\ude0'"),
    ("c", "\\a\\b\\t\\n\\v\\f\\r\\\\\\\"\\'\\?", "7 8 9 A B C D 5C 22 27 3F"),
    ("c", "\\0\\18\\1234\\342\\202\\254\\xE2\\x82\\xAC", "0 1 38 53 34 20AC 20AC"),
    ("c", "\\xe2\\202\\xac\\x00041g\\u20ac\\U0001f600", "20AC 41 67 20AC 1F600"),
    ("c", "\\342\\202x\\254", "'\\342' '\\202' 78 '\\254'"),
    ("c", "\\342\\50\\355\\240\\200", "'\\342' 28 '\\355' '\\240' '\\200'"),
    ("c", "\\342\u{82}\\xC3\\u00A9", "'\\342' 82 '\\xC3' A9"),
    ("c", "\\400\\x141\\x\\ud800\\U00110000", "'\\400' '\\x141' '\\x' '\\ud800' '\\U00110000'"),
    ("c", "\\u12\\e\\", "'\\u12' '\\' 65 '\\'"),
    ("python", "\\\\\\'\\\"\\a\\b\\f\\n\\r\\t\\v", "5C 27 22 7 8 C A D 9 B"),
    ("python", "\\0\\18\\377\\1234\\xe9\\u20AC\\U0001F600", "0 1 38 FF 53 34 E9 20AC 1F600"),
    ("python", "\\ud83d\\ude00\\udfff", "D83D DE00 DFFF"),
    ("python", "\\N{EURO SIGN}\\N{euro sign}\\N{LINE FEED}\\N{NULL}\\N{LF}", "20AC 20AC A 0 A"),
    ("python", "\\N{CJK UNIFIED IDEOGRAPH-4E00}\\N{HANGUL SYLLABLE GAG}", "4E00 AC01"),
    ("python", "\\N{NO SUCH NAME}\\N{}\\N{A_}\\N", "'\\N{NO SUCH NAME}' '\\N{}' '\\N{A' 5F 7D '\\N'"),
    ("python", "\\400\\x4\\u20\\U00110000\\q", "'\\400' '\\x4' '\\u20' '\\U00110000' '\\' 71"),
    ("html", "&amp;&lt;&gt;&quot;&#x20AC;&#X20ac;&#8364;&euro;", "26 3C 3E 22 20AC 20AC 20AC 20AC"),
    ("html", "&#65x&#x41g&ampx&notit;&notin;", "41 78 41 67 26 78 AC 69 74 3B 2209"),
    ("html", "&NotEqualTilde;&fjlig;", "2242+338 66+6A"),
    ("html", "&#x80;&#128;&#x81;&#x9F;&#xA0;&#xD;", "20AC 20AC 81 178 A0 D"),
    ("html", "& &=&& &;&a &b=1&c", "26 20 26 3D 26 26 20 26 3B 26 61 20 26 62 3D 31 26 63"),
    ("html", "&nosuch;&notx &euro", "'&nosuch;' AC 78 20 26 65 75 72 6F"),
    ("html", "&#0;&#xD800;&#x110000;&#;&#x;&#99999999999", "'&#0;' '&#xD800;' '&#x110000;' '&#' 3B '&#x' 3B '&#99999999999'"),
    ("percent", "%E2%82%AC%e2%82%ac+%2B%41é", "20AC 20AC 2B 2B 41 E9"),
    ("percent", "%E2%82x%AC%C3", "'%E2' '%82' 78 '%AC' '%C3'"),
    ("percent", "%ED%A0%80%C0%80%F4%90%80%80", "'%ED' '%A0' '%80' '%C0' '%80' '%F4' '%90' '%80' '%80'"),
    ("percent", "%%4%4G%C3%%A9", "'%' '%4' '%4' 47 '%C3' '%' '%A9'"),
];

#[test]
fn escapes_are_read() {
    for (name, text, expected) in READ {
        let spec = Encoding::for_label(name).unwrap();
        let said = |(piece, bytes): Piece<'_>| match piece {
            Ok(values) => {
                values.iter().map(|value| format!("{value:X}")).collect::<Vec<_>>().join("+")
            }
            Err(Kind::BadEscape) => format!("'{}'", str::from_utf8(bytes).unwrap()),
            Err(kind) => panic!("{name}: {kind} in {text}"),
        };
        let found: Vec<_> = pieces(spec, text.as_bytes()).into_iter().map(said).collect();
        assert_eq!(found.join(" "), *expected, "{name}: {text}");
    }
}

/// Overlong escapes are ill-formed, wherever they end.
#[test]
fn no_escape_is_endless() {
    for (name, start, digit) in [
        ("code-points", "U+", "0"),
        ("code-points", "", "x"),
        ("rust", "\\u{", "0"),
        ("rust", "\\u{0", "_"),
        ("json", "\\u{", "0"),
        ("json", "\\ud83d\\u{", "0"),
        ("c", "\\x", "0"),
        ("c", "\\xE2\\x82\\x", "0"),
        ("python", "\\N{", "A"),
        ("html", "&#", "0"),
        ("html", "&#x", "0"),
        ("html", "&", "a"),
    ] {
        let spec = Encoding::for_label(name).unwrap();
        let text = start.to_owned() + &digit.repeat(1000);
        for end in 1..=text.len() {
            let (_, tail) = chunked(spec, best(), &text.as_bytes()[..end], &[end]);
            assert!(tail < spec.inner.longest, "{name}: {start} leaves {tail}");
        }
        let text = text + "41} U+41;";
        assert_ne!(read(spec, text.as_bytes()), Some(vec![0x41]), "{name}: {start}");
    }
}

#[test]
fn code_points_there_and_back() {
    let jobs: Vec<_> =
        notations().into_iter().flat_map(|spec| MODES.map(|escapes| (spec, escapes))).collect();
    each(&jobs, |&(spec, escapes)| {
        let mut out = vec![];
        for value in code_points().chain([0x11_0000, i32::MAX as u32, 1 << 31, u32::MAX]) {
            out.clear();
            let held = spec.writer(escapes).put(value, &mut out);
            assert_eq!(held, !lacks(spec, value), "{}: {value:X}", spec.name);
            if held {
                let len = out.strip_suffix(b"\n").filter(|_| out[0] == b'U').unwrap_or(&out).len();
                let step = spec.step(&out);
                assert_eq!(step, Step::Scalar { value, len }, "{}: {}", spec.name, show(&out));
            }
        }
    });
    for spec in notations() {
        let scalars =
            (0..=0x10_FFFF).all(|value| char::from_u32(value).is_none() || !lacks(spec, value));
        assert_eq!(spec.properties.scalars, scalars, "{}", spec.name);
        assert_eq!(spec.properties.surrogates, !lacks(spec, 0xD800), "{}", spec.name);
    }
}

#[test]
fn neighbours_there_and_back() {
    each(&notations(), |spec| {
        for escapes in MODES {
            for &first in AWKWARD {
                for &second in AWKWARD {
                    for &third in AWKWARD {
                        let values = [first, second, third];
                        let joins = |two: &[u32]| two[0] >> 10 == 0x36 && two[1] >> 10 == 0x37;
                        let refused = values.iter().any(|&value| lacks(spec, value))
                            || spec.name == "json" && values.windows(2).any(joins);
                        let out = written(spec, escapes, values.iter().copied());
                        assert_eq!(out.is_none(), refused, "{}: {values:X?}", spec.name);
                        let Some(out) = out else { continue };
                        let found = read(spec, &out);
                        assert_eq!(found.as_deref(), Some(&values[..]), "{}", show(&out));
                    }
                }
            }
        }
    });
}

#[test]
fn output_is_well_formed_at_any_split() {
    each(&notations(), |spec| {
        let mut rng = Rng::new(8259);
        for round in 0..150 {
            let (mut writer, mut out, mut values) = (spec.writer(MODES[round % 3]), vec![], vec![]);
            for value in texts(&mut rng, round / 3) {
                values.extend(writer.put(value, &mut out).then_some(value));
            }
            writer.finish(&mut out);
            assert_eq!(read(spec, &out), Some(values), "{}", show(&out));
            let log = whole(spec, best(), &out);
            assert!(log.issues().next().is_none(), "{}", show(&out));
            every_cut(spec, &out);
        }
    });
}

/// Checks that cuts and kernels do not change the events.
fn every_cut(spec: &Encoding, bytes: &[u8]) {
    let expected = whole(spec, &BLIND, bytes);
    let same = |kernels: &Kernels, cuts: &[usize]| {
        let (log, tail) = chunked(spec, kernels, bytes, cuts);
        assert_eq!(log, expected, "{}: {} cut at {cuts:?}", spec.name, show(bytes));
        assert!(tail < spec.inner.longest, "{}: {} cut at {cuts:?}", spec.name, show(bytes));
    };
    for cut in 0..=bytes.len() {
        same(best(), &[cut]);
        same(&TIMID, &[cut / 2, cut]);
    }
    same(&BLIND, &(0..=bytes.len()).collect::<Vec<_>>());
    assert_eq!(halted(spec, best(), bytes), expected, "{}: {}", spec.name, show(bytes));
}

#[test]
fn puzzles_give_the_same_events_at_any_split() {
    each(&notations(), |spec| {
        let mut rng = Rng::new(3986);
        for _ in 0..400 {
            every_cut(spec, &puzzle(&mut rng, spec.name, 16));
        }
    });
}

/// Returns the bytes that a notation distinguishes.
fn alphabet(name: &str) -> &'static [u8] {
    match name {
        "code-points" => b"U+0xu#\\{} \n1fG8",
        "rust" => b"\\u{}_x1Dn'\"08\n\xC3\xA9",
        "json" => b"\\u{}x0d8cv\"\n\xC3\xA9",
        "c" => b"\\xuU0372?n\"\n\xC3\xA9",
        "python" => b"\\xuUN{}A07n\"\n\xC3\xA9",
        "html" => b"&#xX;1gltG0T \xC3\xA9",
        _ => b"%0aCE3A9+ \xC3\xA9\n",
    }
}

/// Each prefix of an input is judged as early as possible, and the judgement is final.
#[test]
fn every_short_string() {
    each(&notations(), |spec| {
        for len in 0..=5 {
            strings(alphabet(spec.name), len, |bytes| {
                let log = whole(spec, &BLIND, bytes);
                assert_eq!(log.issues().count() == 0, read(spec, bytes).is_some());
                let cuts = if len < 5 { 1..len } else { 0..0 };
                for cut in cuts {
                    let (cut_log, _) = chunked(spec, &BLIND, bytes, &[cut]);
                    assert_eq!(cut_log, log, "{}: {} at {cut}", spec.name, show(bytes));
                }
            });
        }
    });
}

/// An input as long as the longest sequence waits for no more bytes.
#[test]
fn incomplete_sequences_are_at_most_the_longest() {
    each(&notations(), |spec| {
        let mut rng = Rng::new(64);
        for _ in 0..20_000 {
            let mut bytes = puzzle(&mut rng, spec.name, 40);
            let (_, tail) = chunked(spec, &BLIND, &bytes, &[bytes.len()]);
            assert!(tail < spec.inner.longest, "{}: {}", spec.name, show(&bytes));
            // Bytes beyond the longest sequence do not change the judgement.
            bytes.truncate(spec.inner.longest);
            assert!(matches!(spec.step(&bytes), Step::Short) == bytes.is_empty());
        }
    });
}

/// A run is read again in blocks of any size, from the state at its start.
#[test]
fn a_run_is_read_again_in_blocks() {
    each(&notations(), |spec| {
        let mut rng = Rng::new(7);
        for _ in 0..3000 {
            let bytes = puzzle(&mut rng, spec.name, 30);
            let good = pieces(spec, &bytes).into_iter().filter_map(|piece| piece.0.ok());
            let mut loads: Vec<u32> = Vec::new();
            runs(spec, best(), &bytes, 0, |run| {
                let mut at = 0;
                while at < run.bytes.len() {
                    let mut values = [0; 3];
                    let loaded = run.reader.load(best(), &run.bytes[at..], &mut values);
                    let spans = run.reader.spans(&run.bytes[at..], loaded.written);
                    assert!(spans.iter().all(|span| span.end <= loaded.read));
                    loads.extend(&values[..loaded.written]);
                    at += loaded.read;
                }
            });
            assert_eq!(loads, good.flatten().collect::<Vec<_>>(), "{}", show(&bytes));
        }
    });
}

/// The text between escapes is judged as UTF-8.
#[test]
fn text_between_escapes_is_utf_8() {
    let utf8 = Encoding::UTF_8;
    each(&grammars(), |(spec, introducer)| {
        let mut rng = Rng::new(3629);
        for rarity in [1, 4, 50] {
            for _ in 0..100 {
                let (len, widths) = (rng.below(700), rng.pick(MIXTURES));
                let mut bytes = dirty(&mut rng, len, widths, rarity);
                bytes.retain(|byte| byte != introducer);
                let (ours, theirs) = (whole(spec, best(), &bytes), whole(utf8, best(), &bytes));
                let [ours, theirs] = [&ours, &theirs].map(|log| log.issues().collect::<Vec<_>>());
                assert_eq!(ours, theirs, "{}: {}", spec.name, hex(&bytes));
                for issue in ours {
                    let form = &bytes[issue.offset as usize..][..issue.len.into()];
                    assert_eq!((spec.inner.spells)(form), (utf8.inner.spells)(form));
                    assert_eq!((spec.inner.expected)(form), (utf8.inner.expected)(form));
                    assert_eq!(spec.announced(form), utf8.announced(form));
                }
            }
        }
    });
}

#[test]
fn code_points_are_counted_with_their_spelling() {
    for (name, text, lengths) in [
        ("code-points", "U+41 U+20AC\n", [0, 0, 0, 1, 0, 1, 0]),
        ("json", "a\\n\\ud83d\\ude00€", [1, 1, 1, 0, 0, 0, 1]),
        ("html", "&fjlig;&lt", [0, 0, 1, 0, 0, 0, 2]),
        ("percent", "%41%E2%82%AC", [0, 0, 1, 0, 0, 0, 1]),
    ] {
        assert_eq!(
            tally(Encoding::for_label(name).unwrap(), text.as_bytes(), 0..text.len()),
            lengths,
            "{name}"
        );
    }
}

/// The HTML Standard, section 13.5: 2,231 names, 106 of them without a semicolon.
#[test]
fn the_named_references_of_html() {
    let html = Encoding::for_label("html").unwrap();
    let rows: Vec<_> = include_str!("../../src/codec/notation/references.txt").lines().collect();
    assert!(rows.is_sorted());
    let (mut two, mut bare) = (0, 0);
    for row in &rows {
        let (name, values) = row.split_once(' ').unwrap();
        let values: Vec<_> =
            values.split(' ').map(|value| u32::from_str_radix(value, 16).unwrap()).collect();
        assert_eq!(read(html, format!("&{name}").as_bytes()), Some(values.clone()), "{name}");
        assert_eq!(
            read(html, format!("&{name} ").as_bytes()),
            Some([&values[..], &[0x20]].concat())
        );
        two += usize::from(values.len() == 2);
        bare += usize::from(!name.ends_with(';'));
    }
    assert_eq!((rows.len(), two, bare), (2231, 93, 106));
}
