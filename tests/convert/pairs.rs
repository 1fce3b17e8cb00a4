//! Pairs of encodings: every conversion equals the one by way of code points.

use crate::common::runs;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::io;
use std::rc::Rc;

use crate::common::inputs::{MIXTURES, Rng, code_points};
use crate::common::{BLIND, TIMID, each, hex, kernels, representatives};
use utf8::codec::{Escapes, Group};
use utf8::convert::{
    Conversion, Convert, ConvertJournal, ConvertOptions, ConvertedPart, PolicyCounts,
};
use utf8::finding::stop::StopReason;
use utf8::kernel::{self, Kernels};
use utf8::output::Output;
use utf8::policy::{Bom, POLICIES, Policy};
use utf8::registry::{CODECS, Encoding};
use utf8::scan::Chunk;

/// Output into memory.
#[derive(Clone, Default)]
struct Memory(Rc<RefCell<Vec<u8>>>);

impl io::Write for Memory {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The result of a conversion.
#[derive(Debug, PartialEq, Eq)]
struct Converted {
    bytes: Vec<u8>,
    treated: PolicyCounts,
    fault: Option<StopReason>,
}

/// Converts an input in pieces.
fn convert(
    kernels: &'static Kernels,
    source: &'static Encoding,
    manner: ConvertOptions,
    bytes: &[u8],
    cuts: &[usize],
) -> Converted {
    convert_by(false, kernels, source, manner, bytes, cuts)
}

/// Converts an input in pieces, always by way of code points if there is to be a journal.
fn convert_by(
    has_journal: bool,
    kernels: &'static Kernels,
    source: &'static Encoding,
    manner: ConvertOptions,
    bytes: &[u8],
    cuts: &[usize],
) -> Converted {
    let memory = Memory::default();
    let mut out = Output::new(Box::new(memory.clone()), "memory");
    let mut conversion = Conversion::new(kernels, manner);
    let sink = Convert::new(&mut conversion, source, 0..u64::MAX, &mut out);
    let mut journal = NoJournal;
    let mut sink = sink.with_journal(has_journal.then_some(&mut journal as _));
    let mut scanner = source.open(0);
    let mut at = 0;
    for (end, last) in cuts.iter().map(|&cut| (cut, false)).chain([(bytes.len(), true)]) {
        let chunk = Chunk { bytes: &bytes[at..end], offset: at as u64, last };
        let scanned = scanner.scan(kernels, chunk, &mut sink).unwrap();
        at += scanned.consumed;
        if scanned.flow.is_break() {
            break;
        }
    }
    let (treated, fault) = sink.end();
    conversion.finish(&mut out);
    out.flush().unwrap();
    let bytes = memory.0.borrow().clone();
    Converted { bytes, treated, fault }
}

fn manner(target: &'static Encoding, policy: Policy) -> ConvertOptions {
    ConvertOptions { target, escapes: Escapes::Usual, policy, bom: None }
}

/// Encodes a text, or returns the index of the first code point that the encoding lacks.
fn write(spec: &Encoding, text: &[u32]) -> Result<Vec<u8>, usize> {
    let (mut out, mut writer) = (Vec::new(), spec.writer(Escapes::Usual));
    for (at, &value) in text.iter().enumerate() {
        if !writer.put(value, &mut out) {
            return Err(at);
        }
    }
    writer.finish(&mut out);
    Ok(out)
}

/// Code points that distinguish encodings, and some that all have.
const SAMPLE: &[u32] = &[
    0x41,
    0x7A,
    0x30,
    0x20,
    0x0A,
    0xE9,
    0xA0,
    0xFF,
    0x100,
    0x131,
    0x3B1,
    0x416,
    0x5D0,
    0x627,
    0xE01,
    0x20AC,
    0x2500,
    0x3042,
    0x30A2,
    0x4E00,
    0x4E9C,
    0xAC00,
    0xE000,
    0xFEFF,
    0xFFFD,
    0xFF71,
    0x1F600,
    0x2000B,
    0x10FFFF,
    0xD800,
    0xDC80,
    0xDFFF,
    0x11_0000,
    0x7FFF_FFFF,
];

/// Returns a text of code points that an encoding has. It starts with ASCII, and therefore not with
/// a BOM.
fn sample(spec: &Encoding, rng: &mut Rng) -> Vec<u32> {
    let held: Vec<u32> = SAMPLE.iter().copied().filter(|&value| spec.can_encode(value)).collect();
    let mut text = vec![0x41];
    while text.len() < 40 {
        let next = rng.pick(&held);
        // Encodings differ about adjacent halves of a pair.
        let pair = matches!(text.last(), Some(0xD800..0xDC00)) && (0xDC00..0xE000).contains(&next);
        if !pair && write(spec, &[&text[..], &[next]].concat()).is_ok() {
            text.push(next);
        }
    }
    text
}

#[test]
fn every_pair_converts_as_through_code_points() {
    let strict = |target| manner(target, Policy::Strict);
    each(&text_codecs(), |&source| {
        let mut rng = Rng::new(3);
        for target in text_codecs() {
            for _ in 0..4 {
                let text = sample(source, &mut rng);
                let bytes = write(source, &text).unwrap();
                let found = convert(kernel::best(), source, strict(target), &bytes, &[]);
                let names = format!("{} to {}: {text:X?}", source.name, target.name);
                match write(target, &text) {
                    Ok(expected) => {
                        assert_eq!(found.fault, None, "{names}");
                        assert_eq!(hex(&found.bytes), hex(&expected), "{names}");
                    }
                    Err(at) => {
                        let fault = found.fault.expect(&names);
                        let StopReason::Unencodable { offset: place, value, .. } = fault else {
                            panic!("{names}: {fault:?}")
                        };
                        assert_eq!(value, text[at], "{names}");
                        assert_eq!(found.bytes, write(target, &text[..at]).unwrap(), "{names}");
                        assert_eq!(place, offset(source, &text, at), "{names}");
                    }
                }
            }
        }
    });
}

/// Returns the offset of a code point in the encoded text.
fn offset(spec: &Encoding, text: &[u32], at: usize) -> u64 {
    let bytes = write(spec, text).unwrap();
    // The reference is the reader without kernels.
    let spans = spans(spec, &bytes);
    spans[at]
}

/// Returns the offset of each code point of a well-formed text.
fn spans(spec: &Encoding, bytes: &[u8]) -> Vec<u64> {
    let mut offsets = Vec::new();
    let issues = runs(spec, &BLIND, bytes, 0, |run| {
        let (mut at, mut values) = (0, [0; 100]);
        while at < run.bytes.len() {
            let rest = &run.bytes[at..];
            let loaded = run.reader.load(&BLIND, rest, &mut values);
            let spans = run.reader.spans(rest, loaded.written);
            let start = run.offset + at as u64;
            offsets.extend(spans.iter().map(|span| start + span.start as u64));
            at += loaded.read;
        }
    });
    assert_eq!(issues, 0, "{}", hex(bytes));
    offsets
}

/// Returns encodings that have letters.
fn text_codecs() -> Vec<&'static Encoding> {
    representatives().into_iter().filter(|spec| spec.can_encode(0x41)).collect()
}

/// Returns bytes that are ill-formed in all encodings.
fn noise(rng: &mut Rng) -> Vec<u8> {
    let fragments: &[&[u8]] = &[
        b"a",
        b"\n",
        b"\xE2\x82\xAC",
        b"\xE2\x82",
        b"\xED\xA0\xBD\xED\xB8\x80",
        b"\xED\xA0\x80",
        b"\xC0\x80",
        b"\xF0\x9F\x98\x80",
        b"\xFF",
        b"\x00",
        b"\xD8\x00",
        b"\x00\xDC",
        b"\xFE\xFF",
        b"\xEF\xBB\xBF",
        b"\\u20AC",
        b"&amp;",
        b"%41",
        b"+AGE-",
        b"\x1B$B",
        b"\x1B(B",
        b"U+41 ",
        b"\x81\x30\x81\x30",
        b"\x88\x62",
        b"\x82\xA0",
        b"\xEE\xBE\x80",
    ];
    (0..30).flat_map(|_| rng.pick(fragments).to_vec()).collect()
}

#[test]
fn splits_of_the_input_do_not_matter() {
    let policies: Vec<Policy> = POLICIES.iter().filter_map(|row| row.policy).collect();
    each(&text_codecs(), |&source| {
        let mut rng = Rng::new(5);
        let marks = [None, None, Some(Bom::Keep), Some(Bom::Remove), Some(Bom::Add)];
        for (target, &policy) in
            ["utf-8", "utf-16", "wtf-8", "us-ascii", "utf-8-surrogateescape", "ucs-4le"]
                .iter()
                .flat_map(|name| policies.iter().map(move |policy| (name, policy)))
        {
            let target = Encoding::for_label(target).unwrap();
            let bom = rng.pick(&marks).filter(|_| target.can_encode(0xFEFF));
            let manner = ConvertOptions { bom, ..manner(target, policy) };
            let marked = rng.one_in(3).then(|| write(source, &[0xFEFF]).unwrap_or_default());
            let bytes = [marked.unwrap_or_default(), noise(&mut rng)].concat();
            let whole = convert(kernel::best(), source, manner, &bytes, &[]);
            let cuts: Vec<usize> = (1..bytes.len()).collect();
            let split = convert(kernel::best(), source, manner, &bytes, &cuts);
            assert_eq!(split, whole, "{} to {target:?}: {policy:?} {}", source.name, hex(&bytes));
            // The input must not depend on the number of kernels that the CPU has.
            let cut = rng.below(bytes.len());
            for kernels in kernels().chain([&BLIND]) {
                let found = convert(kernels, source, manner, &bytes, &[cut]);
                assert_eq!(found, whole, "{} to {target:?}: {}", source.name, hex(&bytes));
            }
        }
    });
}

#[test]
fn replacement_is_what_the_standard_library_writes() {
    let utf8 = Encoding::UTF_8;
    let mut rng = Rng::new(7);
    for _ in 0..2000 {
        let bytes = noise(&mut rng);
        let found = convert(kernel::best(), utf8, manner(utf8, Policy::Replace), &bytes, &[]);
        assert_eq!(found.bytes, String::from_utf8_lossy(&bytes).as_bytes(), "{}", hex(&bytes));
        assert_eq!(found.treated.ill_formed, utf8::issues(utf8, &bytes).count() as u64);
    }
}

#[test]
fn escaped_bytes_come_back() {
    for (policy, through) in
        [(Policy::SurrogateEscape, "wtf-16be"), (Policy::SurrogateEscape, "utf-8-surrogateescape")]
    {
        let (through, mut rng) = (Encoding::for_label(through).unwrap(), Rng::new(11));
        let back = Encoding::for_label("utf-8-surrogateescape").unwrap();
        for _ in 0..500 {
            let bytes = noise(&mut rng);
            let there =
                convert(kernel::best(), Encoding::UTF_8, manner(through, policy), &bytes, &[]);
            assert_eq!(there.fault, None);
            let found = convert(kernel::best(), through, manner(back, policy), &there.bytes, &[]);
            assert_eq!(found.bytes, bytes, "{}", hex(&bytes));
        }
    }
}

#[test]
fn the_listed_properties_are_true() {
    each(CODECS, |spec| {
        let (mut lacking, mut lone, mut out) = (0, 0, Vec::new());
        let mut low_bytes = BTreeSet::new();
        for value in code_points() {
            out.clear();
            let mut writer = spec.writer(Escapes::Usual);
            writer.sign(false);
            let held = spec.can_encode(value) && writer.put(value, &mut out);
            writer.finish(&mut out);
            let surrogate = (0xD800..0xE000).contains(&value);
            lacking += u32::from(!held && !surrogate);
            lone += u32::from(held && surrogate);
            if value >= 0x80 {
                low_bytes.extend(out.iter().filter(|byte| byte.is_ascii()).copied());
            } else {
                low_bytes.extend((out != [value as u8]).then_some(value as u8));
            }
        }
        let properties = spec.properties;
        assert_eq!(properties.scalars, lacking == 0, "{}: {lacking} are lacking", spec.name);
        assert_eq!(properties.surrogates, lone == 0x800, "{}: {lone} surrogates", spec.name);
        assert_eq!(properties.transparent, low_bytes.is_empty(), "{}: {low_bytes:X?}", spec.name);
    });
}

/// Takes no notice of the parts of a conversion.
struct NoJournal;

impl ConvertJournal for NoJournal {
    fn is_fine(&self) -> bool {
        false
    }

    fn part(&mut self, _: &ConvertedPart<'_>) -> io::Result<()> {
        Ok(())
    }
}

/// Designations and shifts of sets of ISO/IEC 2022 and of HZ, and characters and controls between them.
const SHIFTS: &[&[u8]] = &[
    b"\x1B$B",
    b"\x1B$B",
    b"\x1B(B",
    b"\x1B(B",
    b"\x1B(J",
    b"\x1B(I",
    b"\x1B$(D",
    b"\x1B$(Q",
    b"\x1B$A",
    b"\x1B$)C",
    b"\x1B$)A",
    b"\x1B$)G",
    b"\x1B$*H",
    b"\x1B.A",
    b"\x1BN!!",
    b"\x1B",
    b"\x0E",
    b"\x0F",
    b"\x0E",
    b"\x0F",
    b"~{",
    b"~}",
    b"~~",
    b"\n",
    b"\n",
    b"\r",
    b"a b",
    b"!+",
    b"$\"0!",
    b"$+!+",
    b"$w",
    b"0!0\"0#0$",
    b"\x7F",
    b"\\",
];

/// Returns a long text of ASCII, then of characters that the encoding has, then of anything.
fn long_text(source: &Encoding, rng: &mut Rng) -> Vec<u8> {
    let ascii = (0..5000).map(|_| b' ' + rng.below(0x5F) as u8);
    let mut bytes: Vec<u8> = ascii.filter(|byte| !b"%&\\".contains(byte)).collect();
    for _ in 0..100 {
        bytes.extend(write(source, &sample(source, rng)).unwrap());
    }
    bytes.extend((0..3000).flat_map(|_| rng.pick(SHIFTS)));
    let any = |rng: &mut Rng| if rng.one_in(3) { rng.next() as u8 } else { b'a' };
    bytes.extend((0..9000).map(|_| any(rng)));
    bytes.extend((0..20).flat_map(|_| noise(rng)));
    bytes
}

/// Converts long inputs with every kernel, and by code points, which a journal asks for.
#[test]
fn direct_conversions_equal_those_by_way_of_code_points() {
    let targets = ["utf-8", "utf-8-bom", "wtf-8", "cesu-8", "utf-16le"];
    let targets: Vec<_> = targets.iter().map(|name| Encoding::for_label(name).unwrap()).collect();
    let policies: Vec<Policy> = POLICIES.iter().filter_map(|row| row.policy).collect();
    let is_direct = |codec: &&Encoding| {
        matches!(
            codec.group,
            Group::Page
                | Group::EastAsia
                | Group::RareEastAsia
                | Group::FloatingAccents
                | Group::Notation
        )
    };
    let sources: Vec<_> = CODECS.iter().filter(is_direct).enumerate().collect();
    assert!(sources.len() > 60);
    each(&sources, |&(number, source)| {
        let mut rng = Rng::new(number as u64);
        let bytes = long_text(source, &mut rng);
        let policy = policies[number % policies.len()];
        for &target in &targets {
            for bom in [None, Some(Bom::Add), Some(Bom::Remove)] {
                let options = ConvertOptions { bom, ..manner(target, policy) };
                let cuts = [rng.below(bytes.len())];
                let expected = convert_by(true, &BLIND, source, options, &bytes, &cuts);
                for kernels in kernels().chain([&TIMID]) {
                    let found = convert(kernels, source, options, &bytes, &cuts);
                    assert!(found == expected, "{} {} {}", source.name, target.name, kernels.name);
                }
            }
        }
    });
}

/// Does the same for UTF-8, UTF-16 and UTF-32, with ill-formed sequences and U+FEFF anywhere.
#[test]
fn direct_conversions_of_schemes_equal_those_by_way_of_code_points() {
    let mut rng = Rng::new(12);
    let names = ["utf-8", "utf-8-bom", "wtf-8", "utf-16", "utf-16le", "utf-16be", "wtf-16le"];
    let names = names.iter().chain(&["ucs-2le", "utf-32", "utf-32le", "utf-32be"]);
    let encodings: Vec<_> = names.map(|name| Encoding::for_label(name).unwrap()).collect();
    let policies: Vec<Policy> = POLICIES.iter().filter_map(|row| row.policy).collect();
    for &source in &encodings {
        for &target in &encodings {
            let mut text: Vec<u32> = Vec::new();
            for widths in MIXTURES {
                // More code points than a block has, and a signature.
                text.extend((0..2500).map(|_| {
                    let width = rng.pick(widths);
                    u32::from(rng.scalar(width))
                }));
                text.push(0xFEFF);
            }
            text.retain(|&value| source.can_encode(value));
            let mut bytes = write(source, &text).unwrap();
            for _ in 0..rng.below(3) {
                let at = rng.below(bytes.len());
                bytes[at] ^= 0x80 >> rng.below(8);
            }
            let policy = rng.pick(&policies);
            for bom in [None, Some(Bom::Keep), Some(Bom::Add), Some(Bom::Remove)] {
                let options = ConvertOptions { bom, ..manner(target, policy) };
                let cuts = [rng.below(bytes.len())];
                let expected = convert(&BLIND, source, options, &bytes, &cuts);
                for kernels in kernels() {
                    let found = convert(kernels, source, options, &bytes, &cuts);
                    assert!(found == expected, "{} {} {}", source.name, target.name, kernels.name);
                }
            }
        }
    }
}
