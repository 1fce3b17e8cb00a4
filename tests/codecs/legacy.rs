//! Multi-byte sets of the WHATWG Encoding Standard, against `encoding_rs`.

use crate::common::written;
use std::collections::HashSet;

use crate::common::inputs::Rng;
use crate::common::log::{chunked, whole};
use crate::common::peer::{peer, python};
use crate::common::{BLIND, each, hex, tally};
use utf8::codec::{Escapes, Step};
use utf8::issue::Kind;
use utf8::kernel::best;
use utf8::registry::Encoding;

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

/// Decodes an input; returns its code points and the kind, offset and length of each issue.
pub fn steps(spec: &Encoding, bytes: &[u8]) -> (Vec<u32>, Vec<Fault>) {
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
                    // The standard's encoders have neither JIS X 0212 nor private use.
                    let beyond = match spec.name {
                        "euc-jp" => out.len() == 3 && out[0] == 0x8F,
                        "shift_jis" => (0xE000..=0xE757).contains(&value),
                        _ => hkscs,
                    };
                    let is_same = beyond && (hkscs || failed) || !failed && out == *theirs;
                    assert!(is_same, "{}: {value:X}", spec.name);
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
