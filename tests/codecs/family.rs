//! The UTF-8 family, against models of their standards.

use crate::common::inputs::{CLASSES, HOSTILE, MIXTURES, Rng, dirty, strings};
use crate::common::model::{Model, Row, Verdict, announced, group, spelt};
use crate::common::peer::peer;
use crate::common::{BLIND, TIMID, each, family, hex, kernels, log, tally, unhex};
use utf8::codec::Step;
use utf8::kernel::{Kernels, best};
use utf8::registry::Encoding;
use utf8::{Issue, Kind};

/// Converts the model's verdict to a `Step`.
fn as_step(verdict: Verdict) -> Step {
    match verdict {
        Verdict::Good(len, value) => Step::Scalar { value, len },
        Verdict::Bad(kind, len, replacements) => Step::Ill { kind, len, replacements },
    }
}

/// An encoding, its model, and buffers for the issues of both.
struct Pair {
    spec: &'static Encoding,
    model: &'static Model,
    found: Vec<Issue>,
    expected: Vec<Issue>,
}

impl Pair {
    fn new(&(spec, model): &(&'static Encoding, &'static Model)) -> Pair {
        Pair { spec, model, found: vec![], expected: vec![] }
    }

    /// Compares the issues of an input and the step at its start.
    fn compare(&mut self, kernels: &Kernels, bytes: &[u8]) {
        self.compare_issues(kernels, bytes);
        let step = self.spec.step(bytes);
        assert_eq!(step, as_step(self.model.judge(bytes)), "{}: {}", self.spec.name, hex(bytes));
    }

    fn compare_issues(&mut self, kernels: &Kernels, bytes: &[u8]) {
        log::issues(self.spec, kernels, bytes, &mut self.found);
        self.model.issues(bytes, &mut self.expected);
        assert_eq!(self.found, self.expected, "{}: {}", self.spec.name, hex(bytes));
    }

    fn compare_strings(&mut self, classes: &[u8], len: usize) {
        strings(classes, len, |bytes| self.compare(&BLIND, bytes));
    }
}

#[test]
fn the_model_knows_the_whole_family() {
    assert_eq!(family().len(), 12);
}

#[test]
fn every_string_of_one_and_two_bytes() {
    each(&family(), |row| {
        let mut pair = Pair::new(row);
        for bytes in (0..=u16::MAX).map(u16::to_be_bytes) {
            pair.compare(&BLIND, &bytes);
            pair.compare(best(), &bytes);
        }
        (0..=u8::MAX).for_each(|byte| pair.compare(&BLIND, &[byte]));
        (0..=u8::MAX).for_each(|byte| pair.compare(best(), &[byte]));
    });
}

/// All strings of four bytes in UTF-8: the first sequence of each at the end of an input, and all issues
/// of each before an ASCII character, with every kernel. Behind the first sequence are at most three
/// bytes, and `oracle` tests all strings of so many.
#[test]
#[ignore = "takes minutes with a release build"]
fn every_string_of_four_bytes() {
    let model = Model::of("utf-8").unwrap();
    let starts: Vec<u16> = (0..=u16::MAX).collect();
    each(&starts, |start| {
        let [first, second] = start.to_be_bytes();
        let mut text = Vec::with_capacity(5 << 16);
        for [third, fourth] in (0..=u16::MAX).map(u16::to_be_bytes) {
            let bytes = [first, second, third, fourth];
            let step = Encoding::UTF_8.step(&bytes);
            assert_eq!(step, as_step(model.judge(&bytes)), "{}", hex(&bytes));
            text.extend(bytes);
            text.push(b'a');
        }
        let (mut found, mut expected) = (vec![], vec![]);
        model.issues(&text, &mut expected);
        for kernels in kernels().chain([&BLIND]) {
            log::issues(Encoding::UTF_8, kernels, &text, &mut found);
            assert!(found == expected, "{}: strings that start with {start:04X}", kernels.name);
        }
    });
}

#[test]
fn strings_of_three_bytes_by_class() {
    each(&family(), |row| Pair::new(row).compare_strings(CLASSES, 3));
}

#[test]
fn strings_of_four_bytes_by_class() {
    #[rustfmt::skip]
    let classes = [
        0x00, 0x41, 0x80, 0x83, 0x87, 0x88, 0x8F, 0x90, 0x9F, 0xA0, 0xAF, 0xB0, 0xBD, 0xBE, 0xBF,
        0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF4, 0xF5, 0xF8, 0xF9,
        0xFC, 0xFD, 0xFE,
    ];
    each(&family(), |row| Pair::new(row).compare_strings(&classes, 4));
}

#[test]
fn strings_of_five_bytes_by_class() {
    #[rustfmt::skip]
    let classes = [
        0x41, 0x80, 0x88, 0x9F, 0xA0, 0xB0, 0xBF, 0xC0, 0xC2, 0xE0, 0xED, 0xEF, 0xF0, 0xF4, 0xF8,
        0xFC,
    ];
    each(&family(), |row| Pair::new(row).compare_strings(&classes, 5));
}

#[test]
fn strings_of_six_bytes_by_class() {
    let classes = [0x41, 0x80, 0xA0, 0xB0, 0xC3, 0xE0, 0xED, 0xF1, 0xF8, 0xFC];
    each(&family(), |row| Pair::new(row).compare_strings(&classes, 6));
}

/// Up to three surrogates or their neighbours, each of three bytes.
#[test]
fn strings_of_nine_bytes_around_surrogates() {
    let units: [&[u8]; 12] = [
        b"",
        b"A",
        b"\x80",
        b"\xED",
        b"\xED\x9F\xBF",
        b"\xED\xA0",
        b"\xED\xA0\x80",
        b"\xED\xAF\xBF",
        b"\xED\xB0",
        b"\xED\xB0\x80",
        b"\xED\xBF\xBF",
        b"\xF0\x9F\x98\x80",
    ];
    let indices: Vec<u8> = (0..units.len() as u8).collect();
    each(&family(), |row| {
        let mut pair = Pair::new(row);
        strings(&indices, 4, |chosen| {
            let bytes = chosen.iter().map(|&i| units[i as usize]).collect::<Vec<_>>().concat();
            if !bytes.is_empty() {
                pair.compare(&BLIND, &bytes);
            }
        });
    });
}

#[test]
fn hostile_fragments_next_to_each_other() {
    each(&family(), |row| {
        let mut pair = Pair::new(row);
        for first in HOSTILE {
            for second in HOSTILE {
                pair.compare(best(), &[*first, *second].concat());
                pair.compare(&TIMID, &[*second, b"A", *first, b"\xC3\xA9", *second].concat());
            }
        }
    });
}

#[test]
fn random_inputs() {
    each(&family(), |row| {
        let mut pair = Pair::new(row);
        let mut rng = Rng::new(2279);
        for rarity in [1, 2, 5, 20, 100] {
            for len in (1..400).step_by(3) {
                let widths = rng.pick(MIXTURES);
                let bytes = dirty(&mut rng, len, widths, rarity);
                pair.compare_issues(best(), &bytes);
                pair.compare_issues(&TIMID, &bytes);
            }
        }
    });
}

/// Visits all sequences of a short row, and the ends of each range of a long one.
fn members(row: &Row, mut visit: impl FnMut(&[u8])) {
    let long = row.bytes.len() > 4;
    let choices: Vec<Vec<u8>> = row
        .bytes
        .iter()
        .map(|&(first, last)| {
            let ends = [first, first.saturating_add(1).min(last), last];
            if long { ends.to_vec() } else { (first..=last).collect() }
        })
        .collect();
    let mut digits = vec![0; choices.len()];
    loop {
        let bytes: Vec<u8> = digits.iter().zip(&choices).map(|(&i, from)| from[i]).collect();
        visit(&bytes);
        let turn = (0..digits.len()).rev().find(|&at| digits[at] + 1 < choices[at].len());
        let Some(turn) = turn else { return };
        digits[turn] += 1;
        digits[turn + 1..].fill(0);
    }
}

#[test]
fn every_sequence_of_the_tables_is_one_code_point() {
    each(&family(), |(spec, model)| {
        let mut issues = vec![];
        for row in &model.rows {
            members(row, |bytes| {
                let verdict = model.judge(bytes);
                assert!(matches!(verdict, Verdict::Good(len, _) if len == bytes.len()));
                assert_eq!(spec.step(bytes), as_step(verdict), "{}: {}", spec.name, hex(bytes));
                let mut expected = [0; 7];
                expected[bytes.len() - 1] = 1;
                assert_eq!(
                    tally(spec, bytes, 0..bytes.len()),
                    expected,
                    "{}: {}",
                    spec.name,
                    hex(bytes)
                );
            });
        }
        log::issues(spec, best(), b"", &mut issues);
        assert_eq!(issues, []);
    });
}

/// The rows follow each other without a gap: each code point has a sequence.
#[test]
fn the_tables_spell_every_code_point_once() {
    for (spec, model) in family().into_iter().filter(|(spec, _)| spec.name != "mutf-8-lax") {
        let mut values = vec![];
        for row in &model.rows {
            let first: Vec<u8> = row.bytes.iter().map(|range| range.0).collect();
            let last: Vec<u8> = row.bytes.iter().map(|range| range.1).collect();
            let value = |bytes: &[u8]| match spec.step(bytes) {
                Step::Scalar { value, .. } => value,
                step => panic!("{}: {}: {step:?}", spec.name, hex(bytes)),
            };
            values.push((value(&first), value(&last)));
        }
        values.sort_unstable();
        let gaps = values.windows(2).filter(|pair| pair[0].1 + 1 != pair[1].0);
        let gaps: Vec<_> = gaps.map(|pair| (pair[0].1 + 1, pair[1].0 - 1)).collect();
        let surrogates = (0xD800, 0xDFFF);
        let expected = match spec.name {
            "rfc2279" | "mutf-8" | "wtf-8" | "generalized-utf-8" => vec![],
            "optu-8" => vec![(0xEF80, 0xEFFF), (0xFFFE, 0xFFFF)],
            _ => vec![surrogates],
        };
        assert_eq!(gaps, expected, "{}", spec.name);
        let last = match spec.name {
            "rfc2279" => 0x7FFF_FFFF,
            "utf8mb3" => 0xFFFF,
            _ => 0x10_FFFF,
        };
        assert_eq!((values[0].0, values[values.len() - 1].1), (0, last), "{}", spec.name);
    }
}

/// Returns a well-formed run, with the offset and length in bytes of each code point.
fn well_formed(model: &Model, rng: &mut Rng, len: usize) -> (Vec<u8>, Vec<(usize, usize)>) {
    let (mut run, mut starts) = (vec![], vec![]);
    let bytes = dirty(rng, len, &[1, 2, 3, 4], 2);
    model.pieces(&bytes, |at, verdict| match verdict {
        // Two adjacent halves of a pair would be one code point, and so would two escaped bytes.
        Verdict::Good(len, value) if !(0xD800..0xE000).contains(&value) => {
            let escaped = len == 1 && value >= 0x80;
            starts.push((run.len(), len));
            run.extend_from_slice(if escaped { b"A" } else { &bytes[at..at + len] });
        }
        _ => (),
    });
    (run, starts)
}

#[test]
fn a_tally_counts_the_code_points_that_start_in_a_part() {
    each(&family(), |(spec, model)| {
        let mut rng = Rng::new(26);
        for len in 0..300 {
            let (run, starts) = well_formed(model, &mut rng, len);
            for _ in 0..10 {
                let end = rng.below(run.len() + 1);
                let part = rng.below(end + 1)..end;
                let mut expected = [0; 7];
                for (_, len) in starts.iter().filter(|(start, _)| part.contains(start)) {
                    expected[len - 1] += 1;
                }
                let found = tally(spec, &run, part.clone());
                assert_eq!(found, expected, "{}: {part:?} of {}", spec.name, hex(&run));
            }
        }
    });
}

#[test]
fn an_escaped_byte_is_one_code_point() {
    for (name, base) in [("utf-8-surrogateescape", 0xDC00), ("optu-8", 0xEF00)] {
        let spec = Encoding::for_label(name).unwrap();
        for byte in 0x80..=0xFFu8 {
            let step = Step::Scalar { value: base + u32::from(byte), len: 1 };
            assert_eq!(spec.step(&[byte]), step, "{name}: {byte:02X}");
            let lengths = tally(spec, &[byte, b'A', byte, byte], 0..4);
            assert_eq!(lengths, [4, 0, 0, 0, 0, 0, 0], "{name}: {byte:02X}");
        }
    }
}

#[test]
fn escaped_bytes_are_never_issues() {
    let mut rng = Rng::new(383);
    for name in ["utf-8-surrogateescape", "optu-8"] {
        let spec = Encoding::for_label(name).unwrap();
        for len in 0..2000 {
            let bytes: Vec<u8> = (0..len).map(|_| rng.next() as u8).collect();
            assert_eq!(log::whole(spec, best(), &bytes).issues().count(), 0, "{name}");
        }
    }
}

/// "After a first byte of E0, expecting a second byte between A0 and BF."
#[test]
fn expected_ranges_follow_prefixes() {
    for (spec, model) in family() {
        for lead in 0xC0..=0xFF {
            let found = (spec.inner.expected)(&[lead]).map(|range| (*range.start(), *range.end()));
            assert_eq!(found, model.expected(&[lead]), "{}: {lead:02X}", spec.name);
        }
        for bytes in HOSTILE.iter().filter(|bytes| bytes.len() > 1 && model.escapes.is_none()) {
            if let Verdict::Bad(Kind::TruncatedNext | Kind::TruncatedEnd, len, _) =
                model.judge(bytes)
            {
                let found = (spec.inner.expected)(&bytes[..len])
                    .map(|range| (*range.start(), *range.end()));
                let expected = model.expected(&bytes[..len]);
                assert_eq!(found, expected, "{}: {}", spec.name, hex(bytes));
            }
        }
    }
}

/// Only a complete form has a value.
#[test]
fn values_of_forms() {
    let trails = [0x80, 0x81, 0x8F, 0xA0, 0xAF, 0xBF];
    for (spec, _) in family() {
        for lead in 0x80..=0xFF {
            for len in 0..=5 {
                strings(&trails, len.min(announced(lead) - 1), |rest| {
                    let bytes = [&[lead], rest].concat();
                    assert_eq!(group(&bytes), bytes.len());
                    assert_eq!((spec.inner.spells)(&bytes), spelt(&bytes), "{}", hex(&bytes));
                });
            }
        }
        for high in 0xA0..=0xAF {
            let bytes = [0xED, high, 0xBD, 0xED, high + 0x10, 0x80];
            assert_eq!((spec.inner.spells)(&bytes), spelt(&bytes), "{}", hex(&bytes));
        }
    }
}

/// A line of tests/corpus/vectors.tsv.
struct Vector {
    spec: &'static Encoding,
    bytes: Vec<u8>,
    points: Vec<u32>,
    kind: Option<&'static str>,
    subparts: Vec<usize>,
    len: Option<u8>,
    spells: Option<u32>,
}

impl Vector {
    fn parse(line: &'static str) -> Vector {
        let fields: Vec<&'static str> = line.split('\t').collect();
        let [codec, bytes, points, kind, subparts, len, spells, source] = fields[..] else {
            panic!("{line}: {} fields", fields.len());
        };
        assert!(source.len() > 3, "{line}: no source");
        let number = |text| u32::from_str_radix(text, 16).ok();
        Vector {
            spec: Encoding::for_label(codec).expect(codec),
            bytes: unhex(bytes),
            points: points.split(' ').filter_map(number).collect(),
            kind: Some(kind).filter(|kind| *kind != "-"),
            subparts: subparts.split('+').filter_map(|len| len.parse().ok()).collect(),
            len: len.parse().ok(),
            spells: number(spells),
        }
    }

    /// Returns the code points of all runs.
    fn decoded(&self, log: &log::Log) -> Vec<u32> {
        let mut points = vec![];
        let mut spec = self.spec;
        for event in &log.events {
            if let log::Event::Signature(mark) = event {
                spec = spec.after_bom(mark).unwrap_or(spec);
            }
            let log::Event::Run(run) = event else { continue };
            let mut at = 0;
            while at < run.len() {
                let Step::Scalar { value, len } = spec.step(&run[at..]) else {
                    panic!("{} in a run of {}", hex(&run[at..]), spec.name);
                };
                points.push(value);
                at += len;
            }
        }
        points
    }

    fn check(&self, kernels: &Kernels) {
        let what = format!("{}: {}", self.spec.name, hex(&self.bytes));
        let log = log::whole(self.spec, kernels, &self.bytes);
        assert_eq!(self.decoded(&log), self.points, "{what}");
        let lens = log.issues().flat_map(|issue| {
            let count = issue.replacements as usize;
            std::iter::repeat_n(issue.len as usize / count, count)
        });
        assert_eq!(lens.collect::<Vec<_>>(), self.subparts, "{what}");
        let first = log.issues().next();
        assert_eq!(first.map(|issue| issue.kind.id()), self.kind, "{what}");
        assert_eq!(first.map(|issue| issue.len), self.len, "{what}");
        let spells = first.and_then(|issue| {
            let start = issue.offset as usize;
            (self.spec.inner.spells)(&self.bytes[start..start + issue.len as usize])
        });
        assert_eq!(
            spells.filter(|_| self.kind != Some("lone-continuation")),
            self.spells,
            "{what}"
        );
    }
}

#[test]
fn published_vectors() {
    let lines = include_str!("../corpus/vectors.tsv").lines();
    let vectors: Vec<Vector> =
        lines.filter(|line| !line.starts_with('#')).map(Vector::parse).collect();
    assert!(vectors.len() > 200, "{}", vectors.len());
    for vector in &vectors {
        vector.check(best());
        vector.check(&BLIND);
    }
    for (spec, _) in family() {
        assert!(vectors.iter().any(|vector| vector.spec.name == spec.name), "{}", spec.name);
    }
}

/// Reads lines of hex digits; writes the code points that `readUTF` returns, or `-`.
const READ_UTF: &str = r#"
import java.io.*;

public class ReadUtf {
    static String read(byte[] bytes) throws IOException {
        var framed = new ByteArrayOutputStream();
        new DataOutputStream(framed).writeShort(bytes.length);
        framed.write(bytes);
        try {
            var in = new DataInputStream(new ByteArrayInputStream(framed.toByteArray()));
            var out = new StringBuilder();
            in.readUTF().codePoints().forEach(c -> out.append(' ').append(Integer.toHexString(c)));
            return out.toString();
        } catch (UTFDataFormatException e) {
            return "-";
        }
    }

    public static void main(String[] args) throws IOException {
        var out = new StringBuilder();
        for (var line : new String(System.in.readAllBytes()).lines().toList()) {
            out.append(read(java.util.HexFormat.of().parseHex(line))).append('\n');
        }
        System.out.print(out);
    }
}
"#;

#[test]
fn the_lax_form_is_what_java_reads() {
    let dir = tempfile::tempdir().unwrap();
    let program = dir.path().join("ReadUtf.java");
    std::fs::write(&program, READ_UTF).unwrap();
    let mut inputs = vec![];
    (1..=2).for_each(|len| strings(CLASSES, len, |bytes| inputs.push(bytes.to_vec())));
    let few = [0x00, 0x41, 0x80, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xDF, 0xE0, 0xED, 0xEF, 0xF0];
    (3..=4).for_each(|len| strings(&few, len, |bytes| inputs.push(bytes.to_vec())));
    let input: String = inputs.iter().map(|bytes| hex(bytes).replace(' ', "") + "\n").collect();
    let Some(answer) = peer("java", &[program.to_str().unwrap()], input.as_bytes()) else { return };
    let answer = String::from_utf8(answer).unwrap();
    assert_eq!(answer.lines().count(), inputs.len());
    let spec = Encoding::for_label("mutf-8-lax").unwrap();
    for (bytes, theirs) in inputs.iter().zip(answer.lines()) {
        let (mut at, mut ours) = (0, String::new());
        while at < bytes.len() && ours != "-" {
            match spec.step(&bytes[at..]) {
                Step::Scalar { value, len } => {
                    ours += &format!(" {value:x}");
                    at += len;
                }
                _ => ours = "-".to_owned(),
            }
        }
        assert_eq!(ours, theirs, "{}", hex(bytes));
    }
}
