//! Surrogates, values above U+10FFFF, and BOMs in other programs.

use super::ask::{ICONV, JAVA, Job, PERL, PYTHON, Peer, UCONV};
use super::ours::ours;

/// Our name of an encoding, and the peer's.
type Names = (&'static str, &'static str);

/// Checks conversions of code points in both directions, by both.
fn agrees(case: &str, peer: &Peer, from: Names, to: Names, bytes: &[u8]) {
    let written = ours(&["encode", "-f", from.0, "-t", to.0], bytes);
    let read = ours(&["decode", "-f", to.0, "-t", from.0], &written);
    assert!(read == bytes, "{case}: there and back");
    let there = Job { from: from.1, to: to.1, bytes };
    let back = Job { from: to.1, to: from.1, bytes: &written };
    let Some(answers) = peer.ask(case, &[there, back]) else { return };
    assert!(answers[0] == written, "{case}: {} is written otherwise", to.0);
    assert!(answers[1] == bytes, "{case}: {} is read otherwise", to.0);
}

/// Returns values in UCS-4, a line end after each to keep halves apart.
fn lines(values: impl Iterator<Item = u32>) -> Vec<u8> {
    values.flat_map(|value| [value, 0x0A]).flat_map(u32::to_be_bytes).collect()
}

#[test]
fn python_passes_surrogates() {
    let bytes = lines((0..0x1_1000).chain(0x10_F000..0x11_0000));
    let from = ("ucs-4be", "utf-32-be:surrogatepass");
    for to in [
        ("generalized-utf-8", "utf-8:surrogatepass"),
        ("wtf-8", "utf-8:surrogatepass"),
        ("wtf-16le", "utf-16-le:surrogatepass"),
        ("wtf-16be", "utf-16-be:surrogatepass"),
    ] {
        agrees("python_passes_surrogates", &PYTHON, from, to, &bytes);
    }
}

/// An encoding without pairs leaves adjacent halves as they are.
#[test]
fn python_passes_pairs() {
    let pairs = [0xD800, 0xDBFF, 0xDC00, 0xDFFF].map(|first| [first, 0xDC00, 0xD800, 0xDFFF]);
    let bytes: Vec<u8> = pairs.into_iter().flatten().flat_map(u32::to_be_bytes).collect();
    let from = ("ucs-4be", "utf-32-be:surrogatepass");
    let to = ("generalized-utf-8", "utf-8:surrogatepass");
    agrees("python_passes_pairs", &PYTHON, from, to, &bytes);
}

/// The UTF-8 of iconv has 31 bits, but no surrogates.
#[test]
fn iconv_writes_31_bits() {
    let ends = (16..31).flat_map(|bit| [(1 << bit) - 1, 1 << bit, (1 << bit) + 1]);
    let values = (0x11_0000..1 << 31).step_by(4099).chain(ends).chain([i32::MAX as u32]);
    let (from, to) = (("ucs-4be", "UCS-4BE"), ("rfc2279", "UTF-8"));
    agrees("iconv_writes_31_bits", &ICONV, from, to, &lines(values));
}

/// Units of UTF-16 that differ in Java's form of UTF-8, or in their permitted neighbours.
const UNITS: [u16; 13] =
    [0, 1, 0x41, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xFFFF];

#[test]
fn java_writes_any_units() {
    let three = UNITS.map(|a| UNITS.map(|b| UNITS.map(|c| [a, b, c, 0x0A])));
    let all = (0..=u16::MAX).flat_map(|unit| [unit, 0x0A]);
    let units = all.chain(three.into_iter().flatten().flatten().flatten());
    let bytes: Vec<u8> = units.flat_map(u16::to_be_bytes).collect();
    let (from, to) = (("wtf-16be", "units"), ("mutf-8", "modified"));
    agrees("java_writes_any_units", &JAVA, from, to, &bytes);
}

/// An encoding with a BOM, and a peer with the same or the other byte order.
struct Marked {
    peer: Peer,
    ours: &'static str,
    theirs: &'static str,
    same: bool,
}

const fn marked(peer: Peer, (ours, theirs): Names, same: bool) -> Marked {
    Marked { peer, ours, theirs, same }
}

const MARKED: &[Marked] = &[
    marked(PYTHON, ("utf-8-bom", "utf-8-sig"), true),
    marked(PYTHON, ("utf-16", "utf-16"), false),
    marked(PYTHON, ("utf-32", "utf-32"), false),
    marked(ICONV, ("utf-16", "UTF-16"), false),
    marked(ICONV, ("utf-32", "UTF-32"), false),
    marked(UCONV, ("utf-16", "UTF-16"), false),
    marked(UCONV, ("utf-32", "UTF-32"), false),
    marked(PERL, ("utf-16", "UTF-16"), true),
    marked(PERL, ("utf-32", "UTF-32"), true),
    marked(JAVA, ("utf-16", "UTF-16"), true),
    marked(JAVA, ("utf-16le-bom", "x-UTF-16LE-BOM"), true),
    marked(JAVA, ("utf-32", "X-UTF-32BE-BOM"), true),
    marked(JAVA, ("utf-32le-bom", "X-UTF-32LE-BOM"), true),
];

/// Each program reads the output of the other in any byte order. Only the first U+FEFF is a BOM.
#[test]
fn marks_are_understood() {
    let text = "\u{FEFF}a€\u{FEFF}\u{1F600}".as_bytes();
    for Marked { peer, ours: name, theirs, same } in MARKED {
        let case = format!("marks_are_understood: {name} by {}", peer.name);
        let written = ours(&["encode", "-t", name], text);
        let there = Job { from: peer.text, to: theirs, bytes: text };
        let back = Job { from: theirs, to: peer.text, bytes: &written };
        let Some(answers) = peer.ask(&case, &[there, back]) else { continue };
        assert_eq!(answers[1], text, "{case}");
        assert_eq!(ours(&["decode", "-f", name, "-t", "utf-8"], &answers[0]), text, "{case}");
        assert_eq!(answers[0] == written, *same, "{case}");
    }
}

/// Perl's lax form accepts all of RFC 2279.
#[test]
fn perl_reads_31_bits() {
    let values = (0xD800..0xE000).chain((0x11_0000..1 << 31).step_by(4099));
    let bytes = ours(&["encode", "-f", "ucs-4be", "-t", "rfc2279"], &lines(values));
    let job = Job { from: "utf8", to: "utf8", bytes: &bytes };
    let Some(answers) = PERL.ask("perl_reads_31_bits", &[job]) else { return };
    assert!(answers[0] == bytes);
}
