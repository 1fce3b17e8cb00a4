//! Fixed-width and other forms of code points: UTF-16, UTF-32, UTF-1, FSS-UTF.

use utf8::Issue;
use utf8::codec::{Escapes, LineCount, Step};
use utf8::kernel::{Kernels, best};
use utf8::registry::{CODECS, Encoding};

use crate::common::inputs::{Rng, code_points, strings};
use crate::common::log::{Event, chunked, halted, whole};
use crate::common::{BLIND, each, hex, log, tally};
use judges::{JudgedAnswer, Piece, all, annex_g, prosser};

mod judges;

impl JudgedAnswer {
    /// Returns each piece of an input with its offset.
    fn pieces(&self, bytes: &[u8]) -> Vec<(usize, Piece)> {
        let (mut at, mut pieces) = (0, vec![]);
        while at < bytes.len() {
            let piece = (self.judge)(&bytes[at..]);
            pieces.push((at, piece));
            at += piece.0;
        }
        pieces
    }

    fn issues(&self, bytes: &[u8]) -> Vec<Issue> {
        let faults = self.pieces(bytes).into_iter();
        let issue = |(at, (len, value)): (usize, Piece)| {
            let kind = value.err()?;
            Some(Issue { offset: at as u64, len: len as u8, kind, replacements: 1 })
        };
        faults.filter_map(issue).collect()
    }

    fn compare(&self, bytes: &[u8], found: &mut Vec<Issue>) {
        let what = || format!("{}: {}", self.spec.name, hex(bytes));
        let step = match (self.judge)(bytes) {
            (len, Ok(value)) => Step::Scalar { value, len },
            (len, Err(kind)) => Step::Ill { kind, len, replacements: 1 },
        };
        assert_eq!(self.spec.step(bytes), step, "{}", what());
        let expected = self.issues(bytes);
        for kernels in [best(), &BLIND] {
            log::issues(self.spec, kernels, bytes, found);
            assert_eq!(*found, expected, "{}", what());
        }
    }

    /// Returns well-formed text of about `len` bytes.
    fn text(&self, rng: &mut Rng, len: usize) -> Vec<u8> {
        let bytes = some(rng, self.spec, len);
        let good = self.pieces(&bytes).into_iter().filter(|(_, piece)| piece.1.is_ok());
        good.flat_map(|(at, (len, _))| bytes[at..at + len].to_vec()).collect()
    }
}

/// Returns the sequences of random code points, with random bytes between them.
fn some(rng: &mut Rng, spec: &Encoding, len: usize) -> Vec<u8> {
    let mut bytes = vec![];
    let mut writer = spec.writer(Escapes::Usual);
    while bytes.len() < len {
        match rng.below(12) {
            0 => bytes.push(rng.next() as u8),
            1 => {
                bytes.extend(rng.pick(&[[0xD8, 0], [0, 0xD8], [0xDC, 1], [1, 0xDC], [0xFF, 0xFE]]))
            }
            2 => drop(writer.put('\n'.into(), &mut bytes)),
            _ => {
                let width = rng.pick(&[1, 1, 2, 3, 3, 4]);
                writer.put(rng.scalar(width).into(), &mut bytes);
            }
        }
    }
    bytes
}

/// Encodes one code point, without a signature.
fn written(spec: &Encoding, value: u32) -> Option<Vec<u8>> {
    let (mut bytes, mut writer) = (vec![], spec.writer(Escapes::Usual));
    let held = writer.put(value, &mut bytes);
    let start = if signs(spec) { spec.inner.signature.len() } else { 0 };
    assert!(held || bytes.len() == start, "{}: {value:X}", spec.name);
    writer.finish(&mut bytes);
    held.then(|| bytes.split_off(start))
}

/// Returns `true` if the encoding writes a signature.
fn signs(spec: &Encoding) -> bool {
    ["utf-8-bom", "utf-16", "utf-32"].contains(&spec.name)
}

/// Encodes a scalar value by the standard library. Returns `None` for encodings that it lacks.
fn known(name: &str, scalar: char) -> Option<Vec<u8>> {
    let units = || scalar.encode_utf16(&mut [0; 2]).to_vec().into_iter();
    let utf8 = || scalar.encode_utf8(&mut [0; 4]).as_bytes().to_vec();
    let value = u32::from(scalar);
    let cesu = || match units().len() {
        1 => utf8(),
        _ => units().map(u32::from).flat_map(three_bytes).collect(),
    };
    Some(match name {
        "utf-8"
        | "utf-8-bom"
        | "utf-8n"
        | "rfc2279"
        | "wtf-8"
        | "generalized-utf-8"
        | "utf-8-surrogateescape"
        | "utf8mb3" => utf8(),
        "mutf-8" | "mutf-8-lax" if scalar == '\0' => vec![0xC0, 0x80],
        "optu-8" if (0xEF80..0xF000).contains(&value) => vec![value as u8],
        "cesu-8" | "mutf-8" | "mutf-8-lax" | "optu-8" => cesu(),
        "utf-1" => annex_g(value).bytes().to_vec(),
        "fss-utf-1992" => prosser(value).bytes().to_vec(),
        "ucs-2le" | "utf-16le" | "wtf-16le" => units().flat_map(u16::to_le_bytes).collect(),
        "ucs-2" | "ucs-2be" | "utf-16" | "utf-16be" | "wtf-16be" => {
            units().flat_map(u16::to_be_bytes).collect()
        }
        "utf-32le" | "ucs-4le" => value.to_le_bytes().to_vec(),
        "utf-32" | "utf-32be" | "ucs-4be" => value.to_be_bytes().to_vec(),
        _ => return None,
    })
}

/// Encodes a value below U+10000 in the three-byte pattern of UTF-8.
fn three_bytes(value: u32) -> [u8; 3] {
    [0xE0 | value >> 12, 0x80 | value >> 6 & 0x3F, 0x80 | value & 0x3F].map(|byte| byte as u8)
}

/// Returns `true` if the encoding cannot represent a scalar value.
fn lacks(name: &str, value: u32) -> bool {
    match name {
        "utf8mb3" | "ucs-2" | "ucs-2le" | "ucs-2be" => value > 0xFFFF,
        "optu-8" => value == 0xFFFE || value == 0xFFFF,
        _ => false,
    }
}

#[test]
fn scalar_values_there_and_back() {
    each(CODECS, |spec| {
        for scalar in code_points().filter_map(char::from_u32) {
            let Some(expected) = known(spec.name, scalar) else { continue };
            let value = u32::from(scalar);
            let expected = Some(expected).filter(|_| !lacks(spec.name, value));
            let found = written(spec, value);
            assert_eq!(found, expected, "{}: {value:X}", spec.name);
            if let Some(bytes) = found {
                let len = bytes.len();
                assert_eq!(spec.step(&bytes), Step::Scalar { value, len }, "{}", spec.name);
            }
        }
    });
}

#[test]
fn values_of_31_bits_there_and_back() {
    let last = i32::MAX as u32;
    for name in ["rfc2279", "utf-1", "fss-utf-1992", "ucs-4le", "ucs-4be"] {
        let spec = Encoding::for_label(name).unwrap();
        let ends = (0..31).flat_map(|bit| [(1 << bit) - 1, 1 << bit, (1 << bit) + 1]);
        let biased =
            [0x2080, 0x4016, 0x3_8E2E, 0x8_2080, 0x208_2080].map(|first| [first - 1, first]);
        let many = (0..last).step_by(4099).chain(ends).chain(biased.into_iter().flatten());
        for value in many.chain([last]) {
            let bytes = written(spec, value).unwrap();
            let len = bytes.len();
            assert_eq!(spec.step(&bytes), Step::Scalar { value, len }, "{name}");
            match name {
                "utf-1" => assert_eq!(bytes, annex_g(value).bytes(), "{value:X}"),
                "fss-utf-1992" => assert_eq!(bytes, prosser(value).bytes(), "{value:X}"),
                _ => (),
            }
        }
        assert_eq!(written(spec, last + 1), None, "{name}");
        assert_eq!(written(spec, u32::MAX), None, "{name}");
    }
}

#[test]
fn surrogates_are_written_where_they_may_stand_alone() {
    let lone = [
        "rfc2279",
        "mutf-8",
        "mutf-8-lax",
        "wtf-8",
        "generalized-utf-8",
        "optu-8",
        "utf-1",
        "fss-utf-1992",
        "wtf-16le",
        "wtf-16be",
        "ucs-4le",
        "ucs-4be",
    ];
    for spec in CODECS.iter().filter(|spec| known(spec.name, 'a').is_some()) {
        for value in [0xD800, 0xDBFF, 0xDC00, 0xDFFF] {
            let bytes = written(spec, value);
            assert_eq!(bytes.is_some(), lone.contains(&spec.name), "{}: {value:X}", spec.name);
            let Some(bytes) = bytes else { continue };
            let len = bytes.len();
            assert_eq!(spec.step(&bytes), Step::Scalar { value, len }, "{}", spec.name);
        }
    }
}

#[test]
fn a_signature_is_u_feff() {
    for spec in CODECS.iter().filter(|spec| known(spec.name, 'a').is_some()) {
        assert_eq!(written(spec, 0xFEFF).unwrap(), spec.inner.signature, "{}", spec.name);
        let mut bytes = vec![];
        spec.writer(Escapes::Usual).finish(&mut bytes);
        let expected = if signs(spec) { spec.inner.signature } else { b"" };
        assert_eq!(bytes, expected, "{}: an empty text", spec.name);
    }
}

/// Adjacent halves of a pair join, as bytes and as code units.
#[test]
fn halves_that_are_written_in_a_row_join() {
    for name in ["wtf-8", "mutf-8", "mutf-8-lax", "optu-8", "wtf-16le", "wtf-16be"] {
        let spec = Encoding::for_label(name).unwrap();
        let (mut bytes, mut writer) = (vec![], spec.writer(Escapes::Usual));
        for half in [0xD83D, 0xDE00] {
            assert!(writer.put(half, &mut bytes), "{name}");
        }
        writer.finish(&mut bytes);
        assert_eq!(Some(bytes), written(spec, 0x1_F600), "{name}");
    }
}

#[test]
fn the_order_of_bytes() {
    let mut rng = Rng::new(10_646);
    let write = |name: &str, text: &str| {
        let (mut bytes, mut writer) =
            (vec![], Encoding::for_label(name).unwrap().writer(Escapes::Usual));
        text.chars().for_each(|scalar| assert!(writer.put(scalar.into(), &mut bytes)));
        bytes
    };
    let units = |text: &str| text.encode_utf16().collect::<Vec<_>>();
    for _ in 0..20_000 {
        // The first scalar values of two texts are often equal, or lie where the byte orders
        // differ.
        let mut text = || -> String {
            (0..rng.below(4))
                .map(|_| rng.pick(&['a', 'b', '\u{E000}', '\u{FFFF}', '\u{10000}', '😀']))
                .collect()
        };
        let (a, b) = (text(), text());
        for name in ["utf-8", "utf-1", "fss-utf-1992", "utf-32be"] {
            assert_eq!(write(name, &a).cmp(&write(name, &b)), a.chars().cmp(b.chars()), "{name}");
        }
        for name in ["cesu-8", "utf-16be"] {
            assert_eq!(write(name, &a).cmp(&write(name, &b)), units(&a).cmp(&units(&b)), "{name}");
        }
    }
}

#[test]
fn every_string_of_one_and_two_bytes() {
    each(&all(), |judged| {
        let mut found = vec![];
        for bytes in (0..=u16::MAX).map(u16::to_be_bytes) {
            judged.compare(&bytes, &mut found);
        }
        (0..=u8::MAX).for_each(|byte| judged.compare(&[byte], &mut found));
    });
}

#[test]
fn strings_of_three_to_six_bytes_by_class() {
    each(&all(), |judged| {
        let mut found = vec![];
        for len in 3..=4 {
            strings(judged.classes, len, |bytes| judged.compare(bytes, &mut found));
        }
        let few: Vec<u8> = judged.classes.iter().copied().skip(1).step_by(2).collect();
        for len in 5..=6 {
            strings(&few, len, |bytes| judged.compare(bytes, &mut found));
        }
    });
}

#[test]
fn random_inputs() {
    each(&all(), |judged| {
        let (mut rng, mut found) = (Rng::new(2781), vec![]);
        for len in 1..600 {
            let bytes = some(&mut rng, judged.spec, len);
            judged.compare(&bytes, &mut found);
            // Long runs around an issue, at each place in a block.
            let text = judged.text(&mut rng, 4 * len);
            judged.compare(&[&text[..], &bytes, &text].concat(), &mut found);
        }
    });
}

#[test]
fn any_cut_gives_the_same_events() {
    let same = |spec: &Encoding, kernels: &Kernels, bytes: &[u8], cuts: &[usize]| {
        let (log, tail) = chunked(spec, kernels, bytes, cuts);
        assert_eq!(log, whole(spec, &BLIND, bytes), "{}: {} {cuts:?}", spec.name, hex(bytes));
        assert!(tail < 5, "{}: {} cut at {cuts:?} leaves {tail}", spec.name, hex(bytes));
    };
    let unsynchronised: Vec<_> = CODECS
        .iter()
        .filter(|spec| spec.inner.reach.is_none() && known(spec.name, 'a').is_some())
        .collect();
    each(&unsynchronised, |spec| {
        let mut rng = Rng::new(16);
        for round in 0..200 {
            let mut bytes = some(&mut rng, spec, round % 24);
            if round % 3 == 0 {
                bytes.splice(..0, spec.inner.signature.iter().copied());
            }
            for second in 0..=bytes.len() {
                (0..=second).for_each(|first| same(spec, best(), &bytes, &[first, second]));
            }
            same(spec, best(), &bytes, &(0..=bytes.len()).collect::<Vec<_>>());
            assert_eq!(halted(spec, best(), &bytes), whole(spec, best(), &bytes), "{}", spec.name);
        }
    });
}

/// A BOM selects the byte order and is not text; the default is big-endian.
#[test]
fn a_bom_selects_the_byte_order() {
    let mut rng = Rng::new(0xFEFF);
    for stem in ["ucs-2", "utf-16", "utf-32"] {
        let [marked, big, little] =
            ["", "be", "le"].map(|end| Encoding::for_label(&(stem.to_owned() + end)).unwrap());
        for len in 0..100 {
            for order in [big, little] {
                let text = some(&mut rng, order, len);
                let bytes = [order.inner.signature, &text].concat();
                let mut found = whole(marked, best(), &bytes).events;
                assert_eq!(
                    found.remove(0),
                    Event::Signature(order.inner.signature.to_vec()),
                    "{stem}"
                );
                assert_eq!(found, behind(order, &text), "{}: {}", order.name, hex(&bytes));
                assert_eq!(marked.after_bom(order.inner.signature).unwrap().name, order.name);
            }
            let text = some(&mut rng, big, len);
            if !text.starts_with(big.inner.signature) && !text.starts_with(little.inner.signature) {
                assert_eq!(whole(marked, best(), &text), whole(big, best(), &text), "{stem}");
            }
        }
    }
}

/// Returns the events of text that follows a signature.
fn behind(spec: &Encoding, text: &[u8]) -> Vec<Event> {
    let mut events = whole(spec, best(), text).events;
    for event in &mut events {
        if let Event::Issue(issue, _) = event {
            issue.offset += spec.inner.signature.len() as u64;
        }
    }
    events
}

#[test]
fn lines_and_lengths_of_well_formed_text() {
    each(&all(), |judged| {
        let spec = judged.spec;
        let mut rng = Rng::new(10);
        for len in (0..3000).step_by(17) {
            let text = judged.text(&mut rng, len);
            let pieces: Vec<_> = judged.pieces(&text);
            let ends: Vec<usize> = pieces
                .iter()
                .filter(|piece| piece.1.1 == Ok(10))
                .map(|piece| piece.0 + piece.1.0)
                .collect();
            let lines = LineCount { number: ends.len() as u64, end: ends.last().copied() };
            assert_eq!(crate::common::lines(spec, &text), lines, "{}: {}", spec.name, hex(&text));
            let end = rng.below(text.len() + 1);
            let part = rng.below(end + 1)..end;
            let mut expected = [0; 7];
            for (_, (len, _)) in pieces.iter().filter(|(at, _)| part.contains(at)) {
                expected[len - 1] += 1;
            }
            assert_eq!(tally(spec, &text, part.clone()), expected, "{}: {part:?}", spec.name);
        }
    });
}
