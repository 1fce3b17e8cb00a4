//! Detection: the same verdict for the same bytes, whatever the cuts and the kernel.

use crate::common::BLIND;
use crate::common::detect::in_pieces;
use crate::common::inputs::Rng;
use utf8::detect::{Detection, EvidenceOptions};
use utf8::kernel::best;

use super::cuts;

/// Options that gather all evidence.
pub const ALL: EvidenceOptions =
    EvidenceOptions { evidence: true, candidates: true, regions: true, stop_at_issue: false };

pub fn cases() -> usize {
    2
}

/// Checks the verdict, with all evidence or only as much as it needs.
pub fn check(case: usize, rng: &mut Rng, bytes: &[u8]) {
    let wanted = rng.pick(&[ALL, EvidenceOptions::default()]);
    let cuts = cuts(rng, bytes.len());
    let verdict = in_pieces(best(), bytes, &[], wanted);
    assert!((0.0..=1.0).contains(&verdict.confidence), "{verdict:?}");
    let kernels = if case == 0 { best() } else { &BLIND };
    let in_parts = in_pieces(kernels, bytes, &cuts, wanted);
    assert_eq!(told(&in_parts), told(&verdict), "cut at {cuts:?}");
    let is_utf8 = std::str::from_utf8(bytes).is_ok() && !bytes.is_ascii();
    assert_eq!(verdict.answer.name() == "utf-8", is_utf8, "{verdict:?}");
}

/// Formats a verdict for comparison.
pub fn told(verdict: &Detection) -> String {
    match verdict.evidence.tally {
        Some(_) => format!("{verdict:?}"),
        // Evidence after the verdict was settled may differ.
        None => {
            let Detection { answer, confidence, reason, candidates, .. } = verdict;
            format!("{answer:?} {confidence} {reason:?} {candidates:?}")
        }
    }
}
