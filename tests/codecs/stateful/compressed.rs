//! SCSU and BOCU-1, against the examples of their standards and ICU.

use crate::common::inputs::{Rng, strings};
use crate::common::peer::{peer, python};
use crate::common::sentences::sentences;
use crate::common::{hex, unhex};
use utf8::Kind;
use utf8::registry::Encoding;

use super::{Text, put};

/// Bytes of classes that differ in a mode of SCSU, or in BOCU-1.
pub const CLASSES: [(&str, &str); 2] = [
    ("scsu", "00 41 01 0B 0C 0E 0F 10 18 80 A8 D8 DC E0 E8 F0 F1 F2"),
    ("bocu-1", "00 07 20 12 21 24 50 40 D0 FB FE FF"),
];

fn spec(name: &str) -> &'static Encoding {
    Encoding::for_label(name).unwrap()
}

/// The examples of UTS #6, section 9.
#[rustfmt::skip]
static EXAMPLES: &[(&str, &str)] = &[
    ("Öl fließt", "D6 6C 20 66 6C 69 65 DF 74"),
    ("Москва", "12 9C BE C1 BA B2 B0"),
    ("　♪リンゴ可愛いや可愛いやリンゴ。半世紀も前に流行した「リンゴの歌」がぴったりするかもしれない。\
      米アップルコンピュータ社のパソコン「マック（マッキントッシュ）」を、こよなく愛する人たちのことだ。\
      「アップル信者」なんて言い方まである。",
     "08 00 1B 4C EA 16 CA D3 94 0F 53 EF 61 1B E5 84 C4 0F 53 EF 61 1B E5 84 C4 16 CA D3 94 08 02 0F \
      53 4A 4E 16 7D 00 30 82 52 4D 30 6B 6D 41 88 4C E5 97 9F 08 0C 16 CA D3 94 15 AE 0E 6B 4C 08 0D \
      8C B4 A3 9F CA 99 CB 8B C2 97 CC AA 84 08 02 0E 7C 73 E2 16 A3 B7 CB 93 D3 B4 C5 DC 9F 0E 79 3E \
      06 AE B1 9D 93 D3 08 0C BE A3 8F 08 88 BE A3 8D D3 A8 A3 97 C5 17 89 08 0D 15 D2 08 01 93 C8 AA \
      8F 0E 61 1B 99 CB 0E 4E BA 9F A1 AE 93 A8 A0 08 02 08 0C E2 16 A3 B7 CB 0F 4F E1 80 05 EC 60 8D \
      EA 06 D3 E6 0F 8A 00 30 44 65 B9 E4 FE E7 C2 06 CB 82"),
    ("Aß\u{401}\u{15F}ß\u{1DF}\u{F000}\u{10FFFF}\r\nAß\u{401}\u{15F}ß\u{1DF}\u{F000}\u{10FFFF}",
     "41 DF 12 81 03 5F 10 DF 1B 03 DF 1C 88 80 0B BF FF FF 0D 0A 41 10 DF 12 81 03 5F 10 DF 13 DF \
      14 80 15 FF"),
];

#[test]
fn scsu_is_as_in_its_standard() {
    for (text, bytes) in EXAMPLES {
        let found = Text::of(spec("scsu"), &unhex(bytes));
        assert_eq!((found.text().as_str(), found.faults.len()), (*text, 0));
        let written = put(spec("scsu"), text).unwrap();
        assert!(written.len() <= unhex(bytes).len(), "{text}: {}", hex(&written));
        assert_eq!(Text::of(spec("scsu"), &written).text(), *text);
    }
}

#[test]
fn a_signature_is_the_one_of_the_standard() {
    for (name, bytes) in [("scsu", "0E FE FF 61"), ("bocu-1", "FB EE 28 24 1E 52")] {
        let text = "\u{FEFF}a";
        assert_eq!(hex(&put(spec(name), text).unwrap()), bytes);
        assert_eq!(Text::of(spec(name), &unhex(bytes)).text(), text);
        assert!(unhex(bytes).starts_with(spec(name).inner.signature));
    }
}

/// The offset, length and kind of each issue; further text shows the state after it.
#[test]
fn issues_keep_the_state() {
    let cases: [(&str, &str, &str, &[super::Fault]); 12] = [
        ("scsu", "0C 61", "\u{FFFD}a", &[(0, 1, Kind::BadEscape)]),
        ("scsu", "18 00 E9", "\u{FFFD}é", &[(0, 2, Kind::BadEscape)]),
        ("scsu", "18 A8 18 67 80", "\u{FFFD}\u{3380}", &[(0, 2, Kind::BadEscape)]),
        ("scsu", "0F F2 00 61 E0 E9", "\u{FFFD}aé", &[(1, 1, Kind::BadEscape)]),
        ("scsu", "0E D8 00 61", "\u{FFFD}a", &[(0, 3, Kind::SurrogateHigh)]),
        ("scsu", "0E D8 00 0E DC 00 0E DC 00", "\u{10000}\u{FFFD}", &[(6, 3, Kind::SurrogateLow)]),
        (
            "scsu",
            "0F D8 00 00 61 D8 00 DC 00",
            "\u{FFFD}a\u{10000}",
            &[(1, 2, Kind::SurrogateHigh)],
        ),
        ("scsu", "0F 00 61 4E", "a\u{FFFD}", &[(3, 1, Kind::TruncatedEnd)]),
        ("scsu", "61 0B BF", "a\u{FFFD}", &[(1, 2, Kind::BadEscape)]),
        ("bocu-1", "D3 D0 8E FE 0A 91", "Мо\u{FFFD}\n\u{41}", &[(3, 1, Kind::TruncatedNext)]),
        ("bocu-1", "D3 D0 8E D3", "Мо\u{FFFD}", &[(3, 1, Kind::TruncatedEnd)]),
        ("bocu-1", "D3 D0 50 23 21 21 FF 91", "\u{41C}\u{400}\u{FFFD}A", &[(3, 3, Kind::Unmapped)]),
    ];
    for (name, bytes, text, faults) in cases {
        let found = Text::of(spec(name), &unhex(bytes));
        assert_eq!((found.text().as_str(), &found.faults[..]), (text, faults), "{name}: {bytes}");
    }
}

/// The first characters of the blocks of scripts, of which texts are made.
const BLOCKS: [u32; 24] = [
    0x20, 0x80, 0xC0, 0x100, 0x250, 0x370, 0x400, 0x530, 0x5D0, 0x900, 0x2000, 0x20A0, 0x3000,
    0x3041, 0x30A0, 0x4E00, 0x9F80, 0xAC00, 0xE000, 0xF200, 0xFE80, 0xFF60, 0x1_F600, 0x2_0000,
];

/// Returns texts: every scalar value, each in a line, runs of them, and a mixture of scripts.
fn texts() -> Vec<String> {
    let all = || '\0'..=char::MAX;
    let mut texts = vec![all().collect(), all().flat_map(|scalar| [scalar, '\n']).collect()];
    texts.push(all().rev().step_by(7).collect());
    texts.extend(sentences().map(|(_, sentence)| sentence.to_owned()));
    let mut rng = Rng::new(6);
    for number in 0..400 {
        let blocks: Vec<_> = (0..1 + number % 6).map(|_| rng.pick(&BLOCKS)).collect();
        let scalar = |rng: &mut Rng| char::from_u32(rng.pick(&blocks) + rng.below(0x60) as u32);
        texts.push((0..number).filter_map(|_| scalar(&mut rng)).collect());
    }
    texts
}

#[test]
fn compressed_texts_are_read_back() {
    for name in ["scsu", "bocu-1"] {
        for text in texts() {
            let found = Text::of(spec(name), &put(spec(name), &text).unwrap());
            assert!(found.text() == text && found.faults.is_empty(), "{name}: {text:.60}");
        }
    }
}

/// All sentences take no more bytes than ICU takes.
#[test]
fn uconv_reads_what_is_written() {
    for text in texts() {
        for name in ["scsu", "bocu-1"] {
            let written = put(spec(name), &text).unwrap();
            let Some(read) = peer("uconv", &["-f", name, "-t", "utf-8"], &written) else { return };
            assert!(read == text.as_bytes(), "{name}: {text:.60}");
        }
    }
    let all: String = sentences().map(|(_, sentence)| sentence.to_owned() + "\n").collect();
    for (name, is_same) in [("scsu", false), ("bocu-1", true)] {
        let written = put(spec(name), &all).unwrap();
        let args = ["-f", "utf-8", "-t", name];
        let Some(theirs) = peer("uconv", &args, all.as_bytes()) else { return };
        assert_eq!(Text::of(spec(name), &theirs).text(), all);
        assert!(!is_same || written == theirs);
        assert!(written.len() <= theirs.len(), "{name}: {}, {}", written.len(), theirs.len());
    }
}

/// Prints the code units of all strings of one and two bytes, and of those of four of the classes.
const ICU: &str = r#"
import ctypes, ctypes.util, itertools, re, sys

path = ctypes.util.find_library("icuuc")
library, version = ctypes.CDLL(path), re.search(r"\d+$", path).group()
names = ["ucnv_open", "ucnv_setToUCallBack", "ucnv_toUChars", "UCNV_TO_U_CALLBACK_STOP"]
start, call, convert, stop = (getattr(library, f"{name}_{version}") for name in names)
start.restype, stop = ctypes.c_void_p, ctypes.cast(stop, ctypes.c_void_p)
name, *classes = sys.stdin.readline().split() or ["SCSU"]
error, units = ctypes.c_int(0), ctypes.create_string_buffer(64)
converter = ctypes.c_void_p(start(name.encode(), ctypes.byref(error)))
before = ctypes.byref(ctypes.c_void_p()), ctypes.byref(ctypes.c_void_p())
call(converter, stop, None, *before, ctypes.byref(error))
codes = [bytes(code) for size in (1, 2) for code in itertools.product(range(256), repeat=size)]
codes += map(bytes, itertools.product(bytes.fromhex("".join(classes)), repeat=4))
for code in codes:
    error = ctypes.c_int(0)
    number = convert(converter, units, 32, code, len(code), ctypes.byref(error))
    try:
        text = units.raw[: 2 * number].decode("utf-16-le")
    except UnicodeDecodeError:
        error.value = 1
    print("-" if error.value > 0 else "".join(f"{ord(c):X} " for c in text))
"#;

/// Returns `true` if ICU has no objection to a fault: it drops a window's reserved place with the byte
/// after it, and it reads controls and the space of BOCU-1 in forms of differences.
fn is_tolerated(found: &Text, theirs: &str) -> bool {
    let Some(at) = found.values.iter().position(|&value| value == 0xFFFD) else { return false };
    let value = theirs.split(' ').nth(at).and_then(|value| u32::from_str_radix(value, 16).ok());
    match found.faults.first() {
        Some((_, 2, Kind::BadEscape)) => true,
        Some((.., Kind::Unmapped)) => value.is_some_and(|value| value <= 0x20),
        _ => false,
    }
}

#[test]
fn icu_reads_all_short_strings() {
    for (name, classes) in CLASSES {
        let Some(answer) = python(ICU, format!("{name} {classes}\n").as_bytes()) else { return };
        let mut answers = answer.lines();
        let mut compare = |bytes: &[u8]| {
            let theirs = answers.next().unwrap();
            let found = Text::of(spec(name), bytes);
            let ours: String = match found.faults[..] {
                [] => found.values.iter().map(|value| format!("{value:X} ")).collect(),
                _ => "-".to_owned(),
            };
            let is_same = ours == theirs || is_tolerated(&found, theirs);
            assert!(is_same, "{name}, {}: {ours}, {theirs}", hex(bytes));
        };
        let all: Vec<u8> = (0..=u8::MAX).collect();
        (1..=2).for_each(|len| strings(&all, len, &mut compare));
        strings(&unhex(classes), 4, &mut compare);
        assert_eq!(answers.next(), None, "{name}");
    }
}
