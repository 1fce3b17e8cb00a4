//! Cuts of an input into chunks, and the start of a scan.

use crate::common::inputs::Rng;
use crate::common::log::{self, chunked, fed, halted, whole};
use crate::common::model::Model;
use crate::common::{BLIND, TIMID, hex};
use utf8::Issue;
use utf8::kernel::{Kernels, best};
use utf8::registry::{CODECS, Encoding};
use utf8::scan::Chunk;

use super::{cuts, encoding};

pub fn cases() -> usize {
    4
}

/// Checks that neither cuts nor pauses nor the start of a scan change its events.
pub fn check(case: usize, rng: &mut Rng, bytes: &[u8]) {
    let spec = encoding(rng);
    let kernels = rng.pick(&[best(), &BLIND, &TIMID]);
    let cuts = cuts(rng, bytes.len());
    if case == 3 {
        // The family comes first in the table.
        let spec = &CODECS[rng.below(16)];
        if Model::of(spec.name).is_some() && bytes.len() < 64 {
            begins_anywhere(spec, bytes, &mut vec![], &mut vec![]);
        }
        return;
    }
    let expected = whole(spec, &BLIND, bytes);
    match case {
        0 => same(spec, kernels, bytes, &cuts, &expected),
        1 => assert_eq!(fed(spec, kernels, bytes, cuts), expected, "{}", spec.name),
        _ => assert_eq!(halted(spec, kernels, bytes), expected, "{}: {}", spec.name, hex(bytes)),
    }
}

/// One byte less than the longest sequence: the longest tail, and the distance before an offset at
/// which a scan may start to be in step.
pub const REACH: usize = 5;

/// Checks that the log of the chunks is the log of the whole.
pub fn same(spec: &Encoding, kernels: &Kernels, bytes: &[u8], cuts: &[usize], expected: &log::Log) {
    let (log, tail) = chunked(spec, kernels, bytes, cuts);
    assert_eq!(log, *expected, "{}: {} cut at {cuts:?}", spec.name, hex(bytes));
    let limit = if Model::of(spec.name).is_some() { REACH } else { spec.inner.longest };
    assert!(tail <= limit, "{}: {} cut at {cuts:?} leaves {tail}", spec.name, hex(bytes));
}

/// Checks that a scan from five bytes before an offset has the issues of the whole from there on.
pub fn begins_anywhere(
    spec: &Encoding,
    bytes: &[u8],
    all: &mut Vec<Issue>,
    found: &mut Vec<Issue>,
) {
    log::issues(spec, best(), bytes, all);
    for offset in 0..=bytes.len() {
        let start = offset.saturating_sub(REACH);
        let chunk = Chunk { bytes: &bytes[start..], offset: start as u64, last: true };
        found.clear();
        spec.open(start as u64).scan(best(), chunk, found).unwrap();
        let from = |issues: &[Issue]| issues.partition_point(|issue| issue.offset < offset as u64);
        let (ours, theirs) = (&found[from(found)..], &all[from(all)..]);
        assert_eq!(ours, theirs, "{}: {} from {offset}", spec.name, hex(bytes));
    }
}
