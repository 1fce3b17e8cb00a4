//! Policies of other programs for ill-formed bytes and unencodable characters.

use super::ask::{ICONV, Job, PYTHON, Peer, UCONV};
use super::inputs::{Make, pairs, utf8, utf16, utf32};
use super::ours::ours;
use crate::common::digits;
use crate::common::inputs::{MIXTURES, Rng, clean};

/// Asserts that two outputs are equal; shows the first difference.
fn same(case: &str, ours: &[u8], theirs: &[u8]) {
    let at = ours.iter().zip(theirs).take_while(|(ours, theirs)| ours == theirs).count();
    let around = |all: &[u8]| digits(&all[at.saturating_sub(16)..all.len().min(at + 16)]);
    assert!(ours == theirs, "{case}: at {at}: {} and {}", around(ours), around(theirs));
}

/// A conversion with a policy: our names of the encodings, and the peer's.
struct Conversion<'a> {
    ours: [&'a str; 2],
    theirs: [String; 2],
    policy: &'a str,
    bytes: &'a [u8],
}

impl Conversion<'_> {
    fn job(&self) -> Job<'_> {
        Job { from: &self.theirs[0], to: &self.theirs[1], bytes: self.bytes }
    }

    fn done(&self) -> Vec<u8> {
        let [from, to] = self.ours;
        ours(&["encode", "-f", from, "-t", to, "--on-error", self.policy], self.bytes)
    }
}

/// Checks each conversion.
fn agree(case: &str, peer: &Peer, conversions: &[Conversion<'_>]) {
    let jobs: Vec<_> = conversions.iter().map(Conversion::job).collect();
    let Some(answers) = peer.ask(case, &jobs) else { return };
    for (conversion, theirs) in conversions.iter().zip(answers) {
        let names = format!("{case}: {:?}, {}", conversion.ours, conversion.policy);
        same(&names, &conversion.done(), &theirs);
    }
}

/// Our name, Python's, and the input.
const READ: [(&str, &str, Make); 5] = [
    ("utf-8", "utf-8", utf8),
    ("us-ascii", "ascii", utf8),
    ("iso-8859-7", "iso8859-7", pairs),
    ("utf-16be", "utf-16-be", utf16),
    ("utf-32be", "utf-32-be", utf32),
];

fn input(make: Make) -> Vec<u8> {
    make(&mut Rng::new(383), 20_000)
}

/// Python's name for code units.
const UNITS: &str = "utf-16-le:surrogatepass";

#[test]
fn python_decodes_with_policies() {
    let inputs = READ.map(|(.., make)| input(make));
    let policies = ["replace", "ignore", "backslashreplace", "surrogateescape"];
    let conversions = READ.iter().zip(&inputs).flat_map(|((name, python, _), bytes)| {
        // In wider units, bytes below 80 can be part of an issue, but have no escape.
        let wide = ["utf-16be", "utf-32be"].contains(name);
        let policies = policies.iter().take(if wide { 3 } else { 4 });
        policies.map(move |policy| Conversion {
            ours: [name, "wtf-16le"],
            theirs: [format!("{python}:{policy}"), UNITS.to_owned()],
            policy,
            bytes,
        })
    });
    agree("python_decodes_with_policies", &PYTHON, &conversions.collect::<Vec<_>>());
}

#[test]
fn python_restores_escaped_bytes() {
    let (bytes, case) = (input(utf8), "python_restores_escaped_bytes");
    let escaped = ours(&["decode", "-f", "utf-8-surrogateescape", "-t", "wtf-16le"], &bytes);
    let back = Conversion {
        ours: ["wtf-16le", "utf-8-surrogateescape"],
        theirs: [UNITS, "utf-8:surrogateescape"].map(str::to_owned),
        policy: "strict",
        bytes: &escaped,
    };
    same(case, &back.done(), &bytes);
    agree(case, &PYTHON, &[back]);
}

/// Returns text of which pages have little, with lone surrogates. Only the WHATWG has U+0098 in
/// windows-1251.
fn lacked() -> Vec<u8> {
    let text = clean(&mut Rng::new(1251), 20_000, MIXTURES[7]) + "Текст, naïve, €";
    let units = text.encode_utf16().flat_map(|unit| [unit, 0x20, 0xD800 | unit & 0x7FF]);
    units.filter(|unit| *unit != 0x98).flat_map(u16::to_le_bytes).collect()
}

#[test]
fn python_encodes_with_policies() {
    let pages = [("latin1", "latin-1"), ("cp1251", "cp1251"), ("us-ascii", "ascii")];
    let bytes = &lacked();
    let conversions = pages.iter().flat_map(|(name, python)| {
        ["replace", "ignore", "backslashreplace"].map(|policy| Conversion {
            ours: ["wtf-16le", name],
            theirs: [UNITS.to_owned(), format!("{python}:{policy}")],
            policy,
            bytes,
        })
    });
    agree("python_encodes_with_policies", &PYTHON, &conversions.collect::<Vec<_>>());
}

/// Returns a conversion with names that peers share.
fn common<'a>(ours: [&'a str; 2], policy: &'a str, bytes: &'a [u8]) -> Conversion<'a> {
    Conversion { ours, theirs: ours.map(str::to_owned), policy, bytes }
}

fn leaves_out_the_same(case: &str, peer: &Peer) {
    let bytes = &input(utf8);
    let targets = ["utf-16le", "utf-32be", "iso-8859-5", "us-ascii"];
    agree(case, peer, &targets.map(|to| common(["utf-8", to], "ignore", bytes)));
}

#[test]
fn iconv_drops_the_same() {
    leaves_out_the_same("iconv_drops_the_same", &ICONV);
}

#[test]
fn uconv_drops_the_same() {
    leaves_out_the_same("uconv_drops_the_same", &UCONV);
}

#[test]
fn uconv_replaces_the_same() {
    let peer = UCONV.called(&["uconv", "--from-callback", "substitute"]);
    let (bytes, units) = (input(utf8), input(utf16));
    let conversions = [
        common(["utf-8", "utf-16le"], "replace", &bytes),
        common(["utf-8", "utf-8"], "replace", &bytes),
        common(["utf-16be", "utf-8"], "replace", &units),
    ];
    agree("uconv_replaces_the_same", &peer, &conversions);
}
