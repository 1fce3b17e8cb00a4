//! Encodings: text that is read can be written and read again; every fast way converts as the steps.

use crate::common::detect::pieces;
use crate::common::inputs::Rng;
use crate::common::notation::MODES;
use crate::common::{BLIND, hex, kernels};
use utf8::codec::BOM;
use utf8::convert::{Conversion, Convert, ConvertOptions};
use utf8::finding::stop::StopReason;
use utf8::kernel::Kernels;
use utf8::output::Output;
use utf8::policy::{Bom, POLICIES, Policy};
use utf8::registry::Encoding;
use utf8::scan::Feed;

use super::{cuts, encoding};

/// Checks that well-formed text is read again as it was, where its encoding can write all of it.
pub fn check(_: usize, rng: &mut Rng, bytes: &[u8]) {
    let (spec, escapes) = (encoding(rng), rng.pick(&MODES));
    // Bytes that become code points can join to characters.
    if spec.inner.escape.is_some() {
        return;
    }
    let codes = Encoding::for_label("ucs-4be").unwrap();
    let read = |bytes: &[u8]| utf8::convert(spec, bytes, &ConvertOptions::to(codes)).ok();
    // A text cannot begin with a byte order mark. RFC 2279, section 2, has a pair of surrogates
    // written as the character that it stands for.
    let is_kept = |text: &Vec<u8>| {
        let values: Vec<_> =
            text.as_chunks::<4>().0.iter().map(|word| u32::from_be_bytes(*word)).collect();
        let is_pair = |pair: &[u32]| [pair[0] >> 10, pair[1] >> 10] == [0x36, 0x37];
        let joins = spec.name == "rfc2279" && values.windows(2).any(is_pair);
        !joins && values.first() != Some(&BOM)
    };
    let Some(text) = read(bytes).filter(is_kept) else { return };
    let to_spec = ConvertOptions { escapes, ..ConvertOptions::to(spec) };
    let Ok(spelt) = utf8::convert(codes, &text, &to_spec) else { return };
    let again = read(&spelt).unwrap_or_default();
    let place = || format!("{}: {} is {}", spec.name, hex(bytes), hex(&spelt));
    assert!(again == text, "{}: {}, not {}", place(), hex(&again), hex(&text));
}

pub fn lane_cases() -> usize {
    kernels().count()
}

/// Checks that a conversion with a kernel and any cuts is that by single steps, code point by code
/// point.
pub fn check_lanes(case: usize, rng: &mut Rng, bytes: &[u8]) {
    let kernels = kernels().nth(case).expect("a case");
    let (source, target) = (encoding(rng), encoding(rng));
    let policies: Vec<Policy> = POLICIES.iter().filter_map(|row| row.policy).collect();
    let bom = rng.pick(&[None, Some(Bom::Keep), Some(Bom::Remove), Some(Bom::Add)]);
    let options = ConvertOptions {
        target,
        escapes: rng.pick(&MODES),
        policy: rng.pick(&policies),
        bom: bom.filter(|_| target.can_encode(BOM)),
    };
    let cuts = cuts(rng, bytes.len());
    let expected = converted(&BLIND, source, options, bytes, &[]);
    let found = converted(kernels, source, options, bytes, &cuts);
    let place = || format!("{} {} {options:?} cut at {cuts:?}", kernels.name, source.name);
    assert!(found == expected, "{}: {} is {found:?}, not {expected:?}", place(), hex(bytes));
}

/// Converts bytes in parts. Returns the output and the reason if it stops.
fn converted(
    kernels: &'static Kernels,
    source: &'static Encoding,
    options: ConvertOptions,
    bytes: &[u8],
    cuts: &[usize],
) -> (Vec<u8>, Option<StopReason>) {
    let (mut out, mut conversion) = (Output::memory(), Conversion::new(kernels, options));
    let mut sink = Convert::new(&mut conversion, source, 0..u64::MAX, &mut out);
    let mut feed = Feed::new(source.open(0), kernels, 0);
    for part in pieces(bytes, cuts) {
        let _ = feed.push(part, &mut sink).unwrap();
    }
    let _ = feed.finish(&mut sink).unwrap();
    let (_, stop) = sink.end();
    if stop.is_none() {
        conversion.finish(&mut out);
    }
    (std::mem::take(out.buffer()), stop)
}
