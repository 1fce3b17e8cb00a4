//! TSCII, against a published conversion and glibc.

use std::iter;

use unicode_normalization::UnicodeNormalization;

use crate::common::peer::python;
use crate::common::{hex, unhex, written};
use crate::stateful::Text;
use utf8::codec::{Escapes, Step};
use utf8::registry::Encoding;

fn tscii() -> &'static Encoding {
    Encoding::for_label("tscii").unwrap()
}

fn read(bytes: &[u8]) -> String {
    Text::of(tscii(), bytes).text()
}

fn write(text: &str) -> Option<Vec<u8>> {
    written(tscii(), Escapes::Usual, text.chars().map(u32::from))
}

fn nfc(text: &str) -> String {
    text.nfc().collect()
}

/// As TamilVisai 2 writes them, and the glyphs of the standard.
#[rustfmt::skip]
static TEXTS: &[(&str, &str)] = &[
    ("தமிழ்", "BE C1 A2 FA"),
    ("கௌ கோ கொ கை கே கெ", "A6 B8 AA 20 A7 B8 A1 20 A6 B8 A1 20 A8 B8 20 A7 B8 20 A6 B8"),
    ("ஜெ ஷை ஸொ ஜௌ", "A6 83 20 A8 84 20 A6 85 A1 20 A6 83 AA"),
    ("ஜு ஷூ ஸு", "83 A4 20 84 A5 20 85 A4"),
    ("டி டீ கு ஙு ஞூ னூ", "CA 20 CB 20 CC 20 99 20 9C 20 EB"),
    ("ஸ்ரீ ஸ்ர ஸ்ரு க்ஷ க்ஷ் க்ஷெ", "82 20 8A C3 20 8A D5 20 87 20 8C 20 A6 87"),
    ("இ ௧௨௩ “©”", "FE 20 81 8D 8E 20 93 A9 94"),
];

#[test]
fn texts_are_as_published() {
    for &(text, bytes) in TEXTS {
        assert_eq!(read(&unhex(bytes)), text);
        assert_eq!(hex(&write(text).unwrap()), bytes, "{text}");
    }
}

#[test]
fn a_glyph_can_be_four_code_points() {
    let shri = ['ஸ', '\u{BCD}', 'ர', '\u{BC0}'].map(u32::from);
    assert!(matches!(tscii().step(b"\x82"), Step::Many { values, len: 1 } if values == shri));
    let kshe = ['க', '\u{BCD}', 'ஷ', '\u{BC6}'].map(u32::from);
    assert!(matches!(tscii().step(b"\xA6\x87"), Step::Many { values, len: 2 } if values == kshe));
    assert!(matches!(tscii().step(b"\xA0"), Step::Ill { len: 1, .. }));
}

/// Each glyph and byte that joins others, and some that do not.
const CLASSES: [u8; 19] = [
    b'a', 0x82, 0x83, 0x85, 0x87, 0x8A, 0x8B, 0xA1, 0xA2, 0xA4, 0xA5, 0xA6, 0xA7, 0xA8, 0xAA, 0xB8,
    0xBC, 0xC3, 0xEC,
];

/// Returns all strings of 1 to 4 of some items.
fn strings<T: Copy>(items: &[T], most: usize) -> Vec<Vec<T>> {
    let mut all = vec![vec![]];
    let mut from = 0;
    for _ in 0..most {
        let longest = from..all.len();
        from = all.len();
        for at in longest {
            for &item in items {
                let longer = all[at].iter().copied().chain(iter::once(item)).collect();
                all.push(longer);
            }
        }
    }
    all.split_off(1)
}

/// Converts each line, in hex, with a converter of glibc in one call: it goes wrong where a buffer
/// ends within a glyph. Prints `-` for what it refuses.
const ICONV: &str = r#"
import ctypes, sys

WORD = ctypes.c_size_t
LIBC = ctypes.CDLL(None)
LIBC.iconv_open.restype = LIBC.iconv.restype = ctypes.c_void_p
LIBC.iconv.argtypes = [ctypes.c_void_p] * 5
ref = ctypes.byref

pair = sys.stdin.readline().split()
converter = LIBC.iconv_open(*[name.encode() for name in pair]) if pair else None
source, target = ctypes.create_string_buffer(64), ctypes.create_string_buffer(256)
at, to, left, room = ctypes.c_void_p(), ctypes.c_void_p(), WORD(), WORD()
for line in sys.stdin:
    code = bytes.fromhex(line)
    LIBC.iconv(converter, None, None, None, None)
    ctypes.memmove(source, code, len(code))
    at.value, to.value = ctypes.addressof(source), ctypes.addressof(target)
    left.value, room.value = len(code), 256
    failed = LIBC.iconv(converter, ref(at), ref(left), ref(to), ref(room)) == WORD(-1).value
    LIBC.iconv(converter, None, None, ref(to), ref(room))
    print("-" if failed else target.raw[: 256 - room.value].hex(" "))
"#;

/// Returns what glibc makes of each text; `None` for those that it refuses.
fn glibc<T: AsRef<[u8]>>(to: &str, from: &str, texts: &[T]) -> Option<Vec<Option<Vec<u8>>>> {
    let mut input = format!("{to} {from}\n");
    for text in texts {
        input += &(hex(text.as_ref()) + "\n");
    }
    let answer = python(ICONV, input.as_bytes())?;
    let answers = answer.lines().map(|line| (line != "-").then(|| unhex(line)));
    Some(answers.collect())
}

/// glibc does not move a vowel sign behind the letters of Sanskrit, and takes the two parts of au for
/// two signs.
fn is_read_otherwise(bytes: &[u8]) -> (bool, bool) {
    let before_grantha = |pair: &[u8]| matches!(pair, [0xA6..=0xA8, 0x83..=0x87]);
    let is_au =
        |part: &[u8]| matches!(part, [0xA6, 0xAA] | [0xA6, 0x83..=0x87 | 0xB8..=0xC9, 0xAA]);
    let has_au = bytes.windows(2).any(is_au) || bytes.windows(3).any(is_au);
    (bytes.windows(2).any(before_grantha), has_au)
}

#[test]
fn glibc_reads_the_same() {
    let mapped: Vec<u8> =
        (0..=u8::MAX).filter(|byte| ![b'\n', 0xA0, 0xFF].contains(byte)).collect();
    let mut texts = strings(&mapped, 2);
    texts.extend(strings(&CLASSES, 4).into_iter().filter(|text| text.len() > 2));
    let Some(theirs) = glibc("UTF-8", "TSCII", &texts) else { return };
    assert_eq!(theirs.len(), texts.len());
    for (bytes, theirs) in texts.iter().zip(&theirs) {
        let theirs = str::from_utf8(theirs.as_ref().unwrap()).unwrap();
        let ours = read(bytes);
        match is_read_otherwise(bytes) {
            (true, _) => assert_ne!(ours, theirs, "{}", hex(bytes)),
            (false, true) => assert_eq!(nfc(&ours), nfc(theirs), "{}", hex(bytes)),
            (false, false) => assert_eq!(ours, theirs, "{}", hex(bytes)),
        }
    }
}

/// Returns `true` if glibc has other bytes for a text: see [`is_read_otherwise`]; it has a sign of sa
/// and ha after the form without vowel, which is read alike, and joins nothing to ra after it.
fn is_written_otherwise(text: &str) -> bool {
    let chars: Vec<char> = text.chars().collect();
    let has_left = |c: char| matches!(c, '\u{BC6}'..='\u{BC8}' | '\u{BCA}'..='\u{BCC}');
    let is_u = |c: char| matches!(c, '\u{BC1}' | '\u{BC2}');
    let is_grantha = |c: char| "ஜஷஸஹ".contains(c);
    let pairs = chars.windows(2).any(|pair| {
        is_grantha(pair[0]) && has_left(pair[1]) || "ஸஹ".contains(pair[0]) && is_u(pair[1])
    });
    let after_s = chars.windows(4).any(|part| {
        part.starts_with(&['ஸ', '\u{BCD}', 'ர'])
            && (has_left(part[3]) || is_u(part[3]) || part[3] == '\u{BCD}')
    });
    pairs || after_s || text.contains('\u{BCC}')
}

/// Returns `true` if a text has a letter after a vowel sign without letter, a sign u after a form
/// without vowel, or a second right part.
fn is_refused(text: &str) -> bool {
    let chars: Vec<char> = iter::once('a').chain(text.chars()).collect();
    let is_letter = |c: char| ('க'..='ஹ').contains(&c);
    let lone = chars.windows(3).any(|part| {
        !is_letter(part[0]) && matches!(part[1], '\u{BC6}'..='\u{BC8}') && is_letter(part[2])
    });
    let u = ["ஸ்", "ஹ்"]
        .iter()
        .any(|s| text.contains(&format!("{s}\u{BC1}")) || text.contains(&format!("{s}\u{BC2}")));
    lone || u || text.contains("\u{BC7}\u{BD7}")
}

#[test]
fn texts_are_written_as_glibc_writes_them_or_better() {
    let chars: Vec<char> =
        "aகஙடஜஷஸஹர\u{BC1}\u{BC2}\u{BC0}\u{BC6}\u{BC7}\u{BC8}\u{BCA}\u{BCC}\u{BBE}\u{BD7}\u{BCD}"
            .chars()
            .collect();
    let texts: Vec<String> = strings(&chars, 4).iter().map(String::from_iter).collect();
    let theirs = glibc("TSCII", "UTF-8", &texts).unwrap_or_default();
    let mut refused = 0;
    for (at, text) in texts.iter().enumerate() {
        let Some(ours) = write(text) else {
            let is_absent = theirs.get(at).is_none_or(Option::is_none);
            assert!(is_refused(text) || is_absent, "{text:?}");
            refused += 1;
            continue;
        };
        assert_eq!(nfc(&read(&ours)), nfc(text), "{text:?}: {}", hex(&ours));
        if let Some(theirs) = theirs.get(at).filter(|_| !is_written_otherwise(text)) {
            assert_eq!(Some(ours), *theirs, "{text:?}");
        }
    }
    assert!(texts.len() - refused > 100_000, "{refused}");
}

/// No way of writing in parts changes what is written.
#[test]
fn every_code_point_of_the_set_is_written() {
    for byte in (0..=u8::MAX).filter(|byte| ![0xA0, 0xFF].contains(byte)) {
        let text = read(&[byte]);
        assert_eq!(read(&write(&text).unwrap()), text, "{byte:02X}");
    }
    for absent in ["é", "\u{A0}", "அ\u{B82}", "\u{BD0}", "\u{1F600}", "க\u{BF3}"] {
        assert_eq!(write(absent), None, "{absent}");
    }
}
