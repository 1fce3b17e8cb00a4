//! Repairs through the library.

use std::io;
use std::ops::Range;

use super::inputs::Rng;
use utf8::codec::{Escapes, Step};
use utf8::kernel::{self, Kernels};
use utf8::output::Output;
use utf8::registry::Encoding;
use utf8::repair::{
    Change, Journal, Repair, RepairPlan, RepairSummary, RepairTarget, SkippedRepair,
};
use utf8::scan::Chunk;

/// A change: offsets before and after, bytes before and after, reasons.
pub type PageEntry = (u64, u64, Vec<u8>, Vec<u8>, String);

/// A byte that no test contains: marks bytes that the journal does not report.
const UNSEEN: u8 = 0xFE;

/// A journal of changes that rebuilds the text.
#[derive(Debug, Default)]
pub struct Notes {
    /// True if the text is encoded anew, so that unchanged bytes are unknown.
    anew: bool,
    pub entries: Vec<PageEntry>,
    pub source: Vec<u8>,
    pub output: Vec<u8>,
}

impl Journal for Notes {
    fn same(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        assert!(self.anew || offset == self.source.len() as u64);
        self.source.extend_from_slice(bytes);
        self.output.extend_from_slice(bytes);
        Ok(())
    }

    fn change(&mut self, change: &Change<'_>) -> io::Result<()> {
        let Change { offset, written, before, elided, after, pending: _, reasons } = *change;
        let here = (self.source.len() as u64, self.output.len() as u64);
        assert!(self.anew || (offset, written) == here, "{change:?} at {here:?}");
        self.source.extend_from_slice(before);
        self.source.resize(self.source.len() + elided as usize, UNSEEN);
        self.output.extend_from_slice(after);
        self.entries.push((offset, written, before.into(), after.into(), reasons.to_string()));
        Ok(())
    }

    fn skipped(&mut self, skipped: &SkippedRepair<'_>) -> io::Result<()> {
        let spelt = skipped.decoded.as_ref().map(|(page, spelt)| format!("{} {spelt}", page.name));
        let text = skipped.text[..skipped.text.len().min(8)].into();
        let spelt = spelt.unwrap_or_default().into_bytes();
        self.entries.push((skipped.offset, 0, text, spelt, format!("{:?}", skipped.reason)));
        Ok(())
    }
}

/// Repairs bytes that are cut in pieces; returns the output, the summary and the changes.
pub fn repaired(
    plan: &RepairPlan,
    spec: &'static Encoding,
    bytes: &[u8],
    cuts: &[usize],
) -> (Vec<u8>, RepairSummary, Vec<PageEntry>) {
    let mut notes = Notes { anew: spec.inner.reencodes_all, ..Notes::default() };
    let (written, account) = into_memory(|out| {
        let target = RepairTarget {
            output: Some(out.into()),
            journal: Some(&mut notes),
            ..RepairTarget::default()
        };
        scanned(Repair::new(plan, spec, 0..u64::MAX, target), spec, kernel::best(), bytes, cuts)
    });
    let known = !notes.source.contains(&UNSEEN) && notes.source.len() == bytes.len();
    if known && account.stop.is_none() && !spec.inner.reencodes_all {
        assert_eq!((&notes.output, &notes.source[..]), (&written, bytes), "the journal tells all");
    }
    (written, account, notes.entries)
}

/// Repairs a range without a journal; returns the output and the summary. An uncounted repair may
/// take fast paths.
pub fn unasked(
    plan: &RepairPlan,
    spec: &'static Encoding,
    kernels: &Kernels,
    (bytes, cuts): (&[u8], &[usize]),
    (range, uncounted): (Range<u64>, bool),
) -> (Vec<u8>, RepairSummary) {
    into_memory(|out| {
        let target =
            RepairTarget { output: Some(out.into()), uncounted, ..RepairTarget::default() };
        scanned(Repair::new(plan, spec, range, target), spec, kernels, bytes, cuts)
    })
}

/// Returns the output of a repair of a range of UTF-8.
pub fn ranged(plan: &RepairPlan, bytes: &[u8], range: Range<u64>, uncounted: bool) -> Vec<u8> {
    unasked(plan, Encoding::UTF_8, kernel::best(), (bytes, &[]), (range, uncounted)).0
}

/// Returns the output and summary of a repair.
pub fn into_memory(repair: impl FnOnce(&mut Output) -> RepairSummary) -> (Vec<u8>, RepairSummary) {
    let mut out = Output::memory();
    let account = repair(&mut out);
    (std::mem::take(out.buffer()), account)
}

/// Scans bytes that are cut in pieces into a repair.
pub fn scanned(
    mut repair: Repair<'_>,
    spec: &Encoding,
    kernels: &Kernels,
    bytes: &[u8],
    cuts: &[usize],
) -> RepairSummary {
    let mut scanner = spec.open(0);
    let mut at = 0;
    for &cut in cuts.iter().chain([&bytes.len()]) {
        let chunk = Chunk { bytes: &bytes[at..cut], offset: at as u64, last: cut == bytes.len() };
        let scanned = scanner.scan(kernels, chunk, &mut repair).unwrap();
        at += scanned.consumed;
        if scanned.flow.is_break() {
            break;
        }
    }
    repair.end().unwrap()
}

/// Returns the output of a repair of UTF-8.
pub fn text(plan: &RepairPlan, bytes: &[u8]) -> Vec<u8> {
    repaired(plan, Encoding::UTF_8, bytes, &[]).0
}

/// Returns the longest prefix of at most `most` bytes (`str::floor_char_boundary` since Rust 1.91).
pub fn front(text: &str, most: usize) -> &str {
    let mut ends = (0..=most.min(text.len())).rev();
    &text[..ends.find(|&at| text.is_char_boundary(at)).unwrap_or(0)]
}

/// Returns the character of a byte in a code page.
pub fn character(page: &Encoding, byte: u8) -> Option<char> {
    match page.step(&[byte]) {
        Step::Scalar { value, .. } => char::from_u32(value),
        _ => None,
    }
}

/// Decodes UTF-8 as text in a code page. Returns `None` if the page lacks a byte.
pub fn misread(page: &Encoding, text: &str) -> Option<String> {
    text.bytes().map(|byte| character(page, byte)).collect()
}

/// Encodes text without a signature. Returns `None` if the encoding lacks a character.
pub fn unsigned(encoding: &Encoding, text: &str) -> Option<Vec<u8>> {
    let mut writer = encoding.writer(Escapes::Usual);
    writer.sign(false);
    let mut bytes = Vec::new();
    let written = text.chars().all(|value| writer.put(value.into(), &mut bytes));
    writer.finish(&mut bytes);
    written.then_some(bytes)
}

/// Returns the bytes of a text, in one of three cases with an FF at a random place.
pub fn spoilt(rng: &mut Rng, text: String) -> Vec<u8> {
    let mut bytes = text.into_bytes();
    if rng.one_in(3) {
        let at = rng.below(bytes.len() + 1);
        bytes.insert(at, 0xFF);
    }
    bytes
}
