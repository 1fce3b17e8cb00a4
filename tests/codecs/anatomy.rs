//! Anatomy of sequences: marker bits, payload bits and the derivation of a value.

use std::io;
use std::ops::ControlFlow;

use crate::common::inputs::{CLASSES, Rng, code_points, dirty, strings};
use crate::common::{each, hex, unhex};
use utf8::Issue;
use utf8::codec::{Escapes, Group, Step};
use utf8::kernel::best;
use utf8::registry::{CODECS, Encoding};
use utf8::scan::Chunk;
use utf8::sink::{Run, Sink};

/// Passes each sequence of an input to a closure, with its encoding.
struct Sequences<F>(&'static Encoding, F);

impl<F: FnMut(&'static Encoding, &[u8], Step)> Sink for Sequences<F> {
    fn run(&mut self, run: Run<'_>) -> io::Result<ControlFlow<()>> {
        let (mut at, mut steps) = (0, Vec::new());
        while at < run.bytes.len() {
            steps.clear();
            let end = at + run.reader.steps(&run.bytes[at..], 1000, &mut steps);
            for step in &steps {
                (self.1)(self.0, &run.bytes[at..][..step.size()], *step);
                at += step.size();
            }
            assert_eq!(at, end);
        }
        Ok(ControlFlow::Continue(()))
    }

    fn signature(&mut self, _: u64, bytes: &[u8]) -> io::Result<ControlFlow<()>> {
        (self.1)(self.0, bytes, Step::Signature { len: bytes.len() });
        self.0 = self.0.after_bom(bytes).unwrap_or(self.0);
        Ok(ControlFlow::Continue(()))
    }

    fn issue(&mut self, issue: &Issue, bytes: &[u8], _: Option<u8>) -> io::Result<ControlFlow<()>> {
        let (kind, len, replacements) = (issue.kind, bytes.len(), issue.replacements);
        (self.1)(self.0, bytes, Step::Ill { kind, len, replacements });
        Ok(ControlFlow::Continue(()))
    }
}

fn codecs() -> Vec<&'static Encoding> {
    CODECS.iter().collect()
}

/// Passes each sequence of an input to `visit`.
fn sequences(
    spec: &'static Encoding,
    bytes: &[u8],
    visit: impl FnMut(&'static Encoding, &[u8], Step),
) {
    let chunk = Chunk { bytes, offset: 0, last: true };
    spec.open(0).scan(best(), chunk, &mut Sequences(spec, visit)).unwrap();
}

/// Returns the code points of an encoding, those above U+10FFFF in strides of 99,991.
fn text(spec: &Encoding) -> Vec<u8> {
    let (mut out, mut writer) = (Vec::new(), spec.writer(Escapes::All));
    let beyond = (0x11_0000..0x7FFF_FFFF).step_by(99_991);
    for value in code_points().chain(beyond).chain([0x7FFF_FFFF]) {
        writer.put(value, &mut out);
    }
    writer.finish(&mut out);
    out
}

/// Joins the payload bits of a sequence in the order of the value.
fn payload(spec: &Encoding, sequence: &[u8]) -> u64 {
    let marked = |at: usize| (u32::from(sequence[at]), (spec.inner.markers)(sequence, at));
    let take = |value: u64, (byte, markers): (u32, u32)| {
        value << (8 - markers) | u64::from(byte & (0xFF >> markers))
    };
    let little = spec.name.ends_with("le") || spec.name.ends_with("le-bom");
    let place = |at: usize| if little { at ^ (spec.inner.unit - 1) } else { at };
    (0..sequence.len()).map(place).map(marked).fold(0, take)
}

/// Evaluates a sum: `0x80 + 2*190^2 + (0x3D << 10)`.
fn evaluate(sum: &str) -> u64 {
    let number = |text: &str| match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).expect(sum),
        None => text.parse().expect(sum),
    };
    let power = |text: &str| match text.split_once('^') {
        Some((base, exponent)) => number(base).pow(number(exponent) as u32),
        None => number(text),
    };
    let term = |text: &str| match text.trim_matches(['(', ')']).split_once(" << ") {
        Some((shifted, bits)) => number(shifted) << number(bits),
        None => text.split('*').map(power).product(),
    };
    sum.split(" + ").map(term).sum()
}

/// Returns `true` for a derivation that is a sum rather than a place in a table.
fn is_sum(derivation: &str) -> bool {
    derivation.starts_with("0x")
}

/// Checks the invariants of every sequence.
fn examine(spec: &Encoding, sequence: &[u8], step: Step) {
    let what = || format!("{}: {} {step:X?}", spec.name, hex(sequence));
    for at in 0..sequence.len() {
        assert!((spec.inner.markers)(sequence, at) <= 8, "{}", what());
    }
    if matches!(step, Step::Ill { .. }) {
        return;
    }
    assert!(
        sequence.len() <= spec.inner.widest && sequence.len().is_multiple_of(spec.inner.unit),
        "{}",
        what()
    );
    let Step::Scalar { value, .. } = step else { return };
    let bits = match spec.group {
        Group::Family | Group::Units => true,
        Group::Transformation => !spec.properties.stateful,
        _ => false,
    };
    match (spec.inner.derivation)(sequence) {
        Some(derivation) => {
            assert!(derivation.is_ascii(), "{}", what());
            let found = is_sum(&derivation).then(|| evaluate(&derivation));
            assert_eq!(found.unwrap_or(value.into()), u64::from(value), "{}", what());
            // The payload is the only term unless it is divided into digits.
            let added = derivation.split_once(" + ").filter(|(_, added)| !added.contains(' '));
            if bits && let Some((_, added)) = added.filter(|(_, added)| added.starts_with("0x")) {
                assert_eq!(evaluate(added), payload(spec, sequence), "{}", what());
            }
        }
        None if bits => assert_eq!(payload(spec, sequence), u64::from(value), "{}", what()),
        None => (),
    }
}

/// Returns the longest sequences of encodings that write shorter ones.
fn witness(name: &str) -> Vec<u8> {
    match name {
        "gbk" => unhex("84 31 A4 39"),
        "euc-jp" => unhex("8F B0 A1"),
        "tscii" => unhex("A6 B8 A1"),
        "scsu" => unhex("0E D8 00 0E DC 00"),
        // U+10FFFF, as ICU writes it.
        "bocu-1" => unhex("FE 19 B4 54"),
        "code-points" => format!("U+{:0>61}", 41).into(),
        "rust" => format!(r"\u{{1{}}}", "_".repeat(27)).into(),
        "json" => format!(r"\u{{{0}D83D}}\u{{{0}DE00}}", "0".repeat(24)).into(),
        "c" => ["F0", "9F", "98", "80"].map(|byte| format!(r"\x{byte:0>13}")).concat().into(),
        "python" => format!(r"\N{{EURO{}SIGN}}", " ".repeat(88)).into(),
        "html" => "&CounterClockwiseContourIntegral;".into(),
        _ => Vec::new(),
    }
}

#[test]
fn derivations_match_values_and_widths_are_upper_bounds() {
    each(&codecs(), |&spec| {
        let mut widest = 0;
        for text in [text(spec), witness(spec.name)] {
            sequences(spec, &text, |spec, sequence, step| {
                examine(spec, sequence, step);
                assert!(!matches!(step, Step::Ill { .. }), "{}: {}", spec.name, hex(sequence));
                widest = widest.max(sequence.len());
            });
        }
        assert_eq!(widest, spec.inner.widest, "{}", spec.name);
    });
}

#[test]
fn units_are_those_of_the_standards() {
    for spec in CODECS {
        let unit = match spec.name {
            name if name.contains("utf-32") || name.contains("ucs-4") => 4,
            name if name.contains("tf-16") || name.contains("ucs-2") => 2,
            _ => 1,
        };
        assert_eq!(spec.inner.unit, unit, "{}", spec.name);
    }
}

/// The bytes of escapes.
const SYNTAX: &[u8] = b"\\\\\\\\&&%%uUxXN{}#;+-AFa0189 $B(J\x1B";

#[test]
fn markers_are_at_most_eight_for_any_bytes() {
    each(&codecs(), |&spec| {
        let any = |bytes: &[u8]| {
            sequences(spec, bytes, examine);
            // The markers of the whole input, taken as one sequence.
            assert!(
                (0..bytes.len()).all(|at| (spec.inner.markers)(bytes, at) <= 8),
                "{}",
                hex(bytes)
            );
            (spec.inner.derivation)(bytes);
        };
        (1..=2).for_each(|len| strings(CLASSES, len, any));
        let mut rng = Rng::new(4);
        for len in (1..=8).cycle().take(5_000) {
            any(&dirty(&mut rng, len, &[1, 2, 3, 4], 3));
            any(&(0..len).map(|_| rng.next() as u8).collect::<Vec<_>>());
            any(&(0..8 * len).map(|_| rng.pick(SYNTAX)).collect::<Vec<_>>());
        }
    });
}

/// A sequence, the number of marker bits of each byte, and the derivation of its value.
type Row = (&'static str, &'static str, &'static [u32], Option<&'static str>);

#[rustfmt::skip]
static VECTORS: &[Row] = &[
    // RFC 3629, section 3 and the examples of section 7.
    ("utf-8", "41", &[1], None),
    ("utf-8", "CE 91", &[3, 2], None),
    ("utf-8", "E2 89 A2", &[4, 2, 2], None),
    ("utf-8", "F0 A3 8E B4", &[5, 2, 2, 2], None),
    ("utf-8-bom", "EF BB BF", &[4, 2, 2], None),
    // Ill-formed: an overlong form, a surrogate, a lone continuation byte, a byte that starts no
    // sequence.
    ("utf-8", "C0 AF", &[3, 2], None),
    ("utf-8", "ED A0 BD ED B8 80", &[4, 2, 2, 4, 2, 2], None),
    ("utf-8", "BF", &[2], None),
    ("utf-8", "FE", &[8], None),
    ("utf-8", "FF", &[8], None),
    // RFC 2279, section 2.
    ("rfc2279", "FB BF BF BF BF", &[6, 2, 2, 2, 2], None),
    ("rfc2279", "FD BF BF BF BF BF", &[7, 2, 2, 2, 2, 2], None),
    // UTR #26: U+10400 is the units D801 DC00. U+1F600 is D83D DE00.
    ("cesu-8", "ED A0 81 ED B0 80", &[4, 2, 2, 4, 2, 2], Some("0x10000 + (0x1 << 10) + 0x0")),
    ("cesu-8", "ED A0 BD ED B8 80", &[4, 2, 2, 4, 2, 2], Some("0x10000 + (0x3D << 10) + 0x200")),
    // The Java API, java.io.DataInput.
    ("mutf-8", "C0 80", &[3, 2], None),
    ("mutf-8", "ED AF BF ED BF BF", &[4, 2, 2, 4, 2, 2], Some("0x10000 + (0x3FF << 10) + 0x3FF")),
    ("mutf-8", "ED A0 BD", &[4, 2, 2], None),
    // PEP 383; MirBSD's optu8to16(3).
    ("utf-8-surrogateescape", "FF", &[0], Some("0xDC00 + 0xFF")),
    ("utf-8-surrogateescape", "80", &[0], Some("0xDC00 + 0x80")),
    ("optu-8", "F0", &[0], Some("0xEF00 + 0xF0")),
    // RFC 2781, section 2.1 and the example of section 5, U+12345; the Unicode Standard, table 3-5.
    ("utf-16be", "D8 08 DF 45", &[6, 0, 6, 0], Some("0x10000 + 0x2345")),
    ("utf-16le", "08 D8 45 DF", &[0, 6, 0, 6], Some("0x10000 + 0x2345")),
    ("utf-16le", "3D D8 00 DE", &[0, 6, 0, 6], Some("0x10000 + 0xF600")),
    ("utf-16be", "20 AC", &[0, 0], None),
    ("utf-16le", "D8 20", &[0, 0], None),
    // Ill-formed; a lone code unit where that is well-formed.
    ("utf-16be", "DC 00", &[6, 0], None),
    ("utf-16be", "D8 00 DC", &[6, 0, 6], None),
    ("utf-16le", "00 D8 DC", &[0, 6, 0], None),
    ("ucs-2be", "D8 00", &[6, 0], None),
    ("wtf-16be", "D8 3D", &[0, 0], None),
    ("wtf-16be", "D8 3D DE 00", &[6, 0, 6, 0], Some("0x10000 + 0xF600")),
    ("utf-32be", "00 01 F6 00", &[0, 0, 0, 0], None),
    ("ucs-4le", "FF FF FF 7F", &[0, 0, 0, 0], None),
    // ISO-IR-178: U+00FF, 0100, FEFF, 10FFFF, 7FFFFFFF.
    ("utf-1", "9F", &[0], None),
    ("utf-1", "A0 FF", &[0, 0], Some("0xA0 + 95")),
    ("utf-1", "A1 21", &[0, 0], Some("0x100 + 0*190 + 0")),
    ("utf-1", "F7 64 4C", &[0, 0, 0], Some("0x4016 + 1*190^2 + 67*190 + 43")),
    ("utf-1", "FC 21 39 6E 6C", &[0, 0, 0, 0, 0],
     Some("0x38E2E + 0*190^4 + 0*190^3 + 24*190^2 + 77*190 + 75")),
    ("utf-1", "FD BD 2B B9 40", &[0, 0, 0, 0, 0],
     Some("0x38E2E + 1*190^4 + 123*190^3 + 10*190^2 + 119*190 + 31")),
    // Prosser's proposal of 1992: U+207F, 20AC, 10FFFF; F8 is no lead.
    ("fss-utf-1992", "7F", &[1], None),
    ("fss-utf-1992", "BF FF", &[2, 1], Some("0x80 + 0x1FFF")),
    ("fss-utf-1992", "C0 80 AC", &[3, 1, 1], Some("0x2080 + 0x2C")),
    ("fss-utf-1992", "E0 A3 BE FF", &[4, 1, 1, 1], Some("0x82080 + 0x8DF7F")),
    ("fss-utf-1992", "F7 EF DF BE FF", &[5, 1, 1, 1, 1], Some("0x2082080 + 0x7DF7DF7F")),
    ("fss-utf-1992", "F8", &[6], None),
    // JIS X 0208 and 0212: U+4E9C and U+4E02 are the first ideographs; U+3042. JIS X 0201: U+FF71.
    ("euc-jp", "B0 A1", &[1, 1], Some("JIS X 0208 row 16, cell 1")),
    ("euc-jp", "8F B0 A1", &[8, 1, 1], Some("JIS X 0212 row 16, cell 1")),
    ("euc-jp", "8E B1", &[8, 1], Some("0xFF61 + 0x10")),
    ("euc-jp", "41", &[0], None),
    ("euc-jp", "B0", &[1], None),
    ("shift_jis", "88 9F", &[0, 0], Some("row 16, cell 1")),
    ("shift_jis", "82 A0", &[0, 0], Some("row 4, cell 2")),
    ("shift_jis", "B1", &[0], Some("0xFF61 + 0x10")),
    ("iso-2022-jp", "30 21", &[0, 0], Some("row 16, cell 1")),
    ("iso-2022-jp", "1B 24 42", &[8, 8, 8], None),
    ("iso-2022-jp", "5C", &[0], None),
    // The WHATWG Encoding Standard, section 12.3.1: private use from pointer 8836 on.
    ("shift_jis", "F0 40", &[0, 0], Some("0xE000 + 0x0")),
    ("shift_jis", "F9 FC", &[0, 0], Some("0xE000 + 0x757")),
    ("shift_jis", "FA 40", &[0, 0], Some("pointer 10716")),
    // KS X 1001: U+AC00. GB 2312: U+554A. The first pair of each lies in an extension.
    ("euc-kr", "B0 A1", &[1, 1], Some("row 16, cell 1")),
    ("euc-kr", "81 41", &[0, 0], Some("pointer 0")),
    ("gbk", "B0 A1", &[1, 1], Some("row 16, cell 1")),
    ("gbk", "81 40", &[0, 0], Some("pointer 0")),
    ("gb18030", "FE FE", &[1, 1], Some("row 94, cell 94")),
    ("gbk", "80", &[0], None),
    // GB 18030: U+0080, FFFF, 10000, 10FFFF.
    ("gb18030", "81 30 81 30", &[0, 0, 0, 0], Some("linear 0")),
    ("gb18030", "84 31 A4 39", &[0, 0, 0, 0], Some("linear 39419")),
    ("gb18030", "90 30 81 30", &[0, 0, 0, 0], Some("0x10000 + 0x0")),
    ("gb18030", "E3 32 9A 35", &[0, 0, 0, 0], Some("0x10000 + 0xFFFFF")),
    // The WHATWG's index of Big5: its first pair, U+4E00, and one of the four pairs with two code
    // points.
    ("big5", "87 40", &[0, 0], Some("pointer 942")),
    ("big5", "A4 40", &[0, 0], Some("pointer 5495")),
    ("big5-hkscs", "88 62", &[0, 0], Some("pointer 1133")),
    // A code page has no structure; a notation spells its values.
    ("windows-1251", "E9", &[0], None),
    ("us-ascii", "41", &[0], None),
    ("utf-7", "32", &[0], None),
    ("python", "5C 75 32 30 61 63", &[0, 0, 0, 0, 0, 0], None),
    ("python", "E2 82 AC", &[4, 2, 2], None),
    ("code-points", "55 2B 34 31", &[0, 0, 0, 0], None),
];

#[test]
fn sequences_match_the_standards() {
    for &(name, bytes, markers, derivation) in VECTORS {
        let (spec, bytes) = (Encoding::for_label(name).unwrap(), unhex(bytes));
        let found: Vec<u32> = (0..bytes.len()).map(|at| (spec.inner.markers)(&bytes, at)).collect();
        assert_eq!(found, markers, "{name}: {}", hex(&bytes));
        assert_eq!(
            (spec.inner.derivation)(&bytes).as_deref(),
            derivation,
            "{name}: {}",
            hex(&bytes)
        );
    }
}
