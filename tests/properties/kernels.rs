//! Kernels against the scalar step and the standard library.

use std::borrow::Cow;

use crate::common::{BLIND, TIMID, hex, kernels, log, valid_up_to};
use utf8::codec::Step;
use utf8::kernel::{FaultBits, FaultMark, FaultMarks, Kernels, Replaced};
use utf8::registry::Encoding;
use utf8::{Issue, Kind};

use super::encoding;
use super::lanes::DIRECT_LANES;
use crate::common::inputs::Rng;

/// The number of checks of a kernel.
const CHECKS: usize = 4 + DIRECT_LANES.len();

pub fn cases() -> usize {
    kernels().count() * CHECKS + 1
}

/// Checks a kernel with the bytes as UTF-8, as code units or in any encoding.
pub fn check(case: usize, rng: &mut Rng, bytes: &[u8]) {
    let assert_same_issues = |spec: &Encoding, kernels| {
        assert_issues(spec, kernels, bytes, &issues(spec, &BLIND, bytes));
    };
    let Some(kernels) = kernels().nth(case / CHECKS) else {
        return assert_same_issues(encoding(rng), &TIMID);
    };
    match case % CHECKS {
        0 => Expected::of(bytes).check(kernels, bytes),
        1 => _ = assert_faults(kernels, bytes),
        2 => assert_same_issues(Encoding::UTF_8, kernels),
        3 => assert_same_issues(encoding(rng), kernels),
        check => DIRECT_LANES[check - 4].check_front(kernels, bytes),
    }
}

/// The answers of the standard library, and of the codec's own steps, about a text in UTF-8.
pub struct Expected<'t> {
    valid: &'t str,
    ascii: usize,
    lossy: Cow<'t, str>,
    issues: Vec<Issue>,
}

impl<'t> Expected<'t> {
    pub fn of(bytes: &'t [u8]) -> Expected<'t> {
        let valid = std::str::from_utf8(&bytes[..valid_up_to(bytes)]).unwrap();
        let ascii = valid.bytes().position(|byte| !byte.is_ascii()).unwrap_or(valid.len());
        let lossy = String::from_utf8_lossy(bytes);
        Expected { valid, ascii, lossy, issues: issues(Encoding::UTF_8, &BLIND, bytes) }
    }

    /// Asserts that a kernel and a scan with it agree, for the text or its copy elsewhere.
    pub fn check(&self, kernels: &Kernels, bytes: &[u8]) {
        let (claimed, valid) = (kernels.utf8(bytes), self.valid);
        let bound = valid.len();
        assert!(claimed <= bound, "{} claims {claimed} of {bound}: {}", kernels.name, hex(bytes));
        assert!(valid.is_char_boundary(claimed), "{} cuts at {claimed}: {valid:?}", kernels.name);
        let (claimed, bound) = (kernels.ascii(bytes), self.ascii);
        assert!(claimed <= bound, "{} claims {claimed} of {bound}: {}", kernels.name, hex(bytes));
        self.check_lossy(kernels, bytes);
        assert_issues(Encoding::UTF_8, kernels, bytes, &self.issues);
    }

    /// Asserts that the lossy output of a kernel, and the standard library's of the rest, is the
    /// standard library's of all, and that it counts the ill-formed bytes that it reads.
    fn check_lossy(&self, kernels: &Kernels, bytes: &[u8]) {
        let mut text = Vec::new();
        let Replaced { read, ill_formed } = kernels.lossy(bytes, "\u{FFFD}".as_bytes(), &mut text);
        if read > 0 {
            text.extend_from_slice(String::from_utf8_lossy(&bytes[read..]).as_bytes());
            assert!(text == self.lossy.as_bytes(), "{} {read}: {}", kernels.name, hex(bytes));
        }
        let counted: usize = bytes[..read].utf8_chunks().map(|chunk| chunk.invalid().len()).sum();
        assert_eq!(ill_formed, counted, "{}: {}", kernels.name, hex(bytes));
    }
}

/// Returns the issues of a text.
pub fn issues(spec: &Encoding, kernels: &Kernels, bytes: &[u8]) -> Vec<Issue> {
    let mut found = Vec::new();
    log::issues(spec, kernels, bytes, &mut found);
    found
}

/// Asserts that the issues are these, which are those without a kernel.
pub fn assert_issues(spec: &Encoding, kernels: &Kernels, bytes: &[u8], expected: &[Issue]) {
    let found = issues(spec, kernels, bytes);
    assert_eq!(found, expected, "{} {}: {}", spec.name, kernels.name, hex(bytes));
}

/// Returns the indexes of the ill-formed sequences of UTF-8, by the codec's own steps. A pair of
/// surrogates has two.
pub fn fault_starts(bytes: &[u8]) -> Vec<usize> {
    let found = issues(Encoding::UTF_8, &BLIND, bytes);
    let starts = found.iter().flat_map(|issue| {
        let start = issue.offset as usize;
        [Some(start), (issue.kind == Kind::SurrogatePair).then_some(start + 3)]
    });
    starts.flatten().collect()
}

/// Returns the marks of ascending indexes, by one byte after the other.
fn marks(bytes: &[u8], indexes: impl IntoIterator<Item = usize>) -> Vec<FaultMark> {
    let mut mark = FaultMark::default();
    let advanced = |index: usize| {
        for &byte in &bytes[mark.at as usize..index] {
            mark.at += 1;
            mark.starts += u32::from(byte.leading_ones() != 1);
        }
        mark
    };
    indexes.into_iter().map(advanced).collect()
}

/// Returns the length of the ill-formed sequence at the front. A pair of surrogates is one.
pub fn fault_len(bytes: &[u8]) -> usize {
    match Encoding::UTF_8.step(bytes) {
        Step::Ill { len, .. } => len,
        _ => panic!("an ill-formed sequence: {}", hex(bytes)),
    }
}

/// Asserts that a kernel sets the bits of these bytes, except of the second surrogates of pairs.
fn assert_fault_bits(kernels: &Kernels, bytes: &[u8], (examined, starts): (usize, &[usize])) {
    let mut bits = FaultBits::NONE;
    // The bits of another text do not matter.
    kernels.fault_bits(&[0xFF; 200], &mut bits);
    assert_eq!(kernels.fault_bits(bytes, &mut bits), examined, "{}", kernels.name);
    let end = bits.finish(bytes, fault_len).max(examined);
    let seconds: Vec<usize> = bits.seconds().iter().map(|&at| at as usize).collect();
    let is_pair = |at: usize| bytes[at] == 0xED && fault_len(&bytes[at..]) > 3;
    let issues = starts.iter().filter(|&&at| is_pair(at));
    assert!(issues.map(|at| at + 3).eq(seconds.iter().copied()), "{}", hex(bytes));
    let expected: Vec<usize> =
        starts.iter().copied().filter(|start| !seconds.contains(start)).collect();
    assert!(bits.between(0, end).eq(expected.iter().copied()), "{}", hex(bytes));
    assert_eq!(bits.count(), expected.len());
    for at in [0, 1, 63, 64, 65, end / 3, end / 2, end, end + 200] {
        let next = expected.partition_point(|&start| start < at);
        assert_eq!(bits.next(at), expected.get(next).copied(), "{at}: {}", hex(bytes));
        assert_eq!(bits.last(at), expected[..next].last().copied(), "{at}: {}", hex(bytes));
        let of_word = expected[next..].iter().take_while(|&&start| start < at + 64);
        let word = of_word.fold(0, |word, &start| word | 1 << (start - at));
        assert_eq!(bits.word(at), word, "{at}: {}", hex(bytes));
    }
}

/// Asserts that a kernel finds exactly the ill-formed sequences of what it examines, with their
/// positions, and examines whole sequences. Returns the number of bytes examined.
pub fn assert_faults(kernels: &Kernels, bytes: &[u8]) -> usize {
    let (mut starts, mut found) = (Vec::new(), FaultMarks::default());
    let examined = kernels.faults(bytes, &mut starts);
    let end = kernels.fault_marks(bytes, &mut found);
    let expected = fault_starts(&bytes[..examined]);
    let line_feeds = (0..examined).filter(|&at| bytes[at] == b'\n');
    let marked = FaultMarks {
        faults: marks(bytes, expected.iter().copied()),
        line_feeds: marks(bytes, line_feeds),
    };
    assert!(starts.iter().map(|&start| start as usize).eq(expected.iter().copied()));
    assert_eq!(found, marked, "{} {examined}: {}", kernels.name, hex(bytes));
    assert_eq!([end], *marks(bytes, [examined]), "{} {examined}: {}", kernels.name, hex(bytes));
    assert_fault_bits(kernels, bytes, (examined, &expected));
    // What follows is judged alone as it is in its place.
    let rest = fault_starts(&bytes[examined..]).into_iter().map(|start| examined + start);
    let all: Vec<_> = expected.into_iter().chain(rest).collect();
    assert_eq!(fault_starts(bytes), all, "{} {examined}: {}", kernels.name, hex(bytes));
    examined
}
