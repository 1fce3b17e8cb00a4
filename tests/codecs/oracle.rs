//! The encoding `utf-8`, against the standard library.

use std::collections::HashSet;
use std::sync::Mutex;

use crate::common::inputs::{CLASSES, strings};
use crate::common::{BLIND, each, hex, log, tally};
use utf8::codec::Step;
use utf8::kernel::{Kernels, best};
use utf8::registry::Encoding;
use utf8::{Issue, Kind};

/// The offset and length, in bytes, of the sequence that one U+FFFD replaces.
type Span = (usize, usize);

/// Returns the maximal subparts that the standard library finds.
fn subparts(bytes: &[u8]) -> impl Iterator<Item = Span> {
    let mut at = 0;
    bytes.utf8_chunks().filter_map(move |chunk| {
        let start = at + chunk.valid().len();
        at = start + chunk.invalid().len();
        (at > start).then_some((start, at - start))
    })
}

/// Returns the spans of an issue's replacements: the whole issue, or each of its bytes.
fn replaced(issue: &Issue) -> impl Iterator<Item = Span> + use<> {
    let count = issue.replacements as usize;
    let each = issue.len as usize / count;
    let first = issue.offset as usize;
    (0..count).map(move |i| (first + i * each, each))
}

/// Compares the issues with the errors of the standard library.
fn compare(kernels: &Kernels, bytes: &[u8], issues: &mut Vec<Issue>) {
    log::issues(Encoding::UTF_8, kernels, bytes, issues);
    let first = issues.first();
    match std::str::from_utf8(bytes) {
        Ok(_) => assert_eq!(first, None, "{}", hex(bytes)),
        Err(error) => {
            let first = first.unwrap_or_else(|| panic!("{} passed", hex(bytes)));
            assert_eq!(first.offset as usize, error.valid_up_to(), "{}", hex(bytes));
            let cut = first.kind == Kind::TruncatedEnd;
            assert_eq!(error.error_len().is_none(), cut, "{}: {}", hex(bytes), first.kind);
        }
    }
    assert!(subparts(bytes).eq(issues.iter().flat_map(replaced)), "{}: {issues:?}", hex(bytes));
}

fn compare_all(kernels: &Kernels, bytes: &[u8]) {
    compare(kernels, bytes, &mut Vec::new());
}

#[test]
fn nothing_is_well_formed() {
    compare_all(best(), b"");
    compare_all(&BLIND, b"");
}

#[test]
fn every_string_of_one_and_two_bytes() {
    for bytes in (0..=u16::MAX).map(u16::to_be_bytes) {
        compare_all(best(), &bytes);
        compare_all(&BLIND, &bytes);
        compare_all(best(), &bytes[1..]);
        compare_all(&BLIND, &bytes[1..]);
    }
}

#[test]
fn every_string_of_three_bytes() {
    let leads: Vec<u8> = (0..=u8::MAX).collect();
    each(&leads, |&lead| {
        let mut issues = Vec::new();
        for [second, third] in (0..=u16::MAX).map(u16::to_be_bytes) {
            compare(&BLIND, &[lead, second, third], &mut issues);
            compare(best(), &[lead, second, third], &mut issues);
        }
    });
}

#[test]
fn every_string_of_four_bytes_by_class() {
    each(CLASSES, |&lead| {
        let mut issues = Vec::new();
        strings(CLASSES, 3, |rest| {
            let bytes = [lead, rest[0], rest[1], rest[2]];
            compare(&BLIND, &bytes, &mut issues);
            compare(best(), &bytes, &mut issues);
        });
    });
}

/// `String::from_utf8_lossy` replaces each maximal subpart.
#[test]
fn runs_and_replacements_are_the_lossy_string() {
    strings(CLASSES, 3, |bytes| {
        let mut lossy = Vec::new();
        for event in log::whole(Encoding::UTF_8, best(), bytes).events {
            match event {
                log::Event::Run(run) => lossy.extend(run),
                log::Event::Signature(_) => panic!("{}: skipped", hex(bytes)),
                log::Event::Issue(issue, _) => {
                    lossy.extend("\u{FFFD}".repeat(issue.replacements as usize).bytes());
                }
            }
        }
        assert_eq!(lossy, String::from_utf8_lossy(bytes).as_bytes(), "{}", hex(bytes));
    });
}

#[test]
fn well_formed_runs_are_those_of_the_standard_library() {
    strings(CLASSES, 3, |bytes| {
        let log = log::whole(Encoding::UTF_8, best(), bytes);
        let ours = log.events.iter().filter_map(|event| match event {
            log::Event::Run(run) => Some(run.as_slice()),
            _ => None,
        });
        let mut theirs: Vec<Vec<u8>> = vec![];
        let mut joined = false;
        for chunk in bytes.utf8_chunks() {
            match theirs.last_mut().filter(|_| joined) {
                Some(run) => run.extend_from_slice(chunk.valid().as_bytes()),
                None if !chunk.valid().is_empty() => theirs.push(chunk.valid().into()),
                None => (),
            }
            joined = chunk.invalid().is_empty();
        }
        assert!(ours.eq(theirs.iter()), "{}: {log:?}", hex(bytes));
    });
}

#[test]
fn every_scalar_value_is_well_formed() {
    let planes: Vec<u32> = (0..=0x10).collect();
    each(&planes, |&plane| {
        let mut issues = Vec::new();
        let values = (plane << 16..(plane + 1) << 16).filter_map(char::from_u32);
        for scalar in values {
            let mut bytes = [0; 4];
            let bytes = scalar.encode_utf8(&mut bytes).as_bytes();
            log::issues(Encoding::UTF_8, &BLIND, bytes, &mut issues);
            assert_eq!(issues, [], "{scalar:?}");
            let (value, len) = (u32::from(scalar), bytes.len());
            assert_eq!(Encoding::UTF_8.step(bytes), Step::Scalar { value, len });
            let mut expected = [0; 7];
            expected[len - 1] = 1;
            assert_eq!(tally(Encoding::UTF_8, bytes, 0..len), expected, "{scalar:?}");
        }
    });
}

#[test]
fn all_scalar_values_in_one_text() {
    let text: String = ('\0'..=char::MAX).collect();
    let lengths = tally(Encoding::UTF_8, text.as_bytes(), 0..text.len());
    assert_eq!(lengths, [0x80, 0x780, 0xF800 - 0x800, 0x10_0000, 0, 0, 0]);
    compare_all(best(), text.as_bytes());
    compare_all(&BLIND, text.as_bytes());
}

#[test]
fn noncharacters_pass() {
    let last_two = (0..=0x10).flat_map(|plane| [plane << 16 | 0xFFFE, plane << 16 | 0xFFFF]);
    let values: Vec<u32> = (0xFDD0..=0xFDEF).chain(last_two).collect();
    assert_eq!(values.len(), 66);
    for value in values {
        let scalar = char::from_u32(value).unwrap();
        let mut bytes = [0; 4];
        assert_eq!(
            log::whole(Encoding::UTF_8, best(), scalar.encode_utf8(&mut bytes).as_bytes())
                .issues()
                .count(),
            0
        );
    }
}

/// 128 single bytes that are not ASCII, 1,216 prefixes of two bytes, 16,384 of three.
#[test]
fn every_maximal_subpart_is_found_and_no_other() {
    let leads: Vec<u8> = (0x80..=0xFF).collect();
    let found = Mutex::new(HashSet::new());
    each(&leads, |&lead| {
        let mut spans = HashSet::new();
        let mut issues = Vec::new();
        let mut collect = |bytes: &[u8]| {
            log::issues(Encoding::UTF_8, &BLIND, bytes, &mut issues);
            let pieces = issues.iter().flat_map(replaced);
            spans.extend(pieces.map(|(start, len)| bytes[start..start + len].to_vec()));
        };
        collect(&[lead]);
        for second in 0x80..=0xBF {
            collect(&[lead, second]);
            for third in 0x80..=0xBF {
                collect(&[lead, second, third]);
                for fourth in [b'A', 0x80, 0xBF, 0xC2] {
                    collect(&[lead, second, third, fourth]);
                }
            }
        }
        found.lock().unwrap().extend(spans);
    });
    let found = found.into_inner().unwrap();
    let count = |len| found.iter().filter(|span| span.len() == len).count();
    assert_eq!([count(1), count(2), count(3)], [128, 1_216, 16_384]);
    assert_eq!(found.len(), 17_728);
}
