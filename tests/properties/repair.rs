//! Repairs: well-formed output, independent of cuts, kernels and the journal.

use crate::common::repair::{repaired, unasked};
use crate::common::{BLIND, TIMID, kernels};
use utf8::finding::stop::UntreatedSequence;
use utf8::policy::{Bom, POLICIES, Policy};
use utf8::registry::Encoding;
use utf8::repair::{
    MojibakeOptions, Newlines, NormalizationForm, RepairPlan, RepairSummary, StructuralRepairs,
    TruncationLimit,
};

use super::{cuts, encoding, split};

/// Checks a repair with values of all fields of a plan, of UTF-8 or of any encoding.
pub fn check(input: &[u8]) {
    let (mut rng, bytes) = split(input);
    let spec = if rng.one_in(2) { Encoding::UTF_8 } else { encoding(&mut rng) };
    let plan = planned(&mut |number| rng.below(number));
    if plan.check(spec).is_err() {
        return;
    }
    let told = || format!("{} {plan:?} {bytes:02X?}", spec.name);
    let cuts = cuts(&mut rng, bytes.len());
    let (written, summary, _) = repaired(&plan, spec, bytes, &[]);
    let (in_parts, summary_of_parts, _) = repaired(&plan, spec, bytes, &cuts);
    let whole = outcome(written.clone(), &summary);
    assert!(outcome(in_parts, &summary_of_parts) == whole, "cut at {cuts:?}: {}", told());
    for kernels in kernels().chain([&BLIND, &TIMID]) {
        let range = (0..u64::MAX, true);
        let (written, summary) = unasked(&plan, spec, kernels, (bytes, &cuts), range);
        assert!(outcome(written, &summary) == whole, "{}: {}", kernels.name, told());
    }
    if summary.stop.is_none() && !summary.binary {
        let issue = utf8::issues(spec, &written).next();
        assert_eq!(issue, None, "{}: {written:02X?}", told());
    }
}

/// Returns the policies that treat each issue of an encoding separately.
pub fn policies(spec: &Encoding) -> Vec<Policy> {
    let named = POLICIES.iter().skip(1).filter_map(|row| row.policy);
    let holds = |policy: &Policy| match policy {
        Policy::SurrogateEscape => spec.can_encode(0xDC80),
        Policy::Optu => spec.can_encode(0xEF80),
        _ => true,
    };
    named.filter(holds).chain("fallback=windows-1252".parse::<Policy>()).collect()
}

/// The plan with one of several values in each field; the first value asks for nothing. A new field
/// does not compile until it has its values here.
pub fn planned(choose: &mut dyn FnMut(usize) -> usize) -> RepairPlan {
    fn one<T: Copy>(choose: &mut dyn FnMut(usize) -> usize, values: &[T]) -> T {
        values[choose(values.len())]
    }
    let limit = |bytes, lines, graphemes| Some(TruncationLimit { bytes, lines, graphemes });
    let structure = |shorten, join| StructuralRepairs { shorten, join };
    let page = MojibakeOptions::named(Encoding::for_label("windows-1252").unwrap());
    let mut policies = policies(Encoding::UTF_8);
    policies.push(Policy::Strict);
    assert!(matches!(policies[0], Policy::Replace));
    RepairPlan {
        bom: one(choose, &[Bom::Keep, Bom::Remove, Bom::Add]),
        remove_inner_boms: one(choose, &[false, true]),
        structure: one(
            choose,
            &[structure(false, false), structure(true, false), structure(false, true)],
        ),
        mojibake: one(choose, &[None, Some(MojibakeOptions::likely()), page]),
        policy: one(choose, &policies),
        newlines: one(
            choose,
            &[
                None,
                Some(Newlines::Lf),
                Some(Newlines::CrLf),
                Some(Newlines::LfAll),
                Some(Newlines::CrLfAll),
            ],
        ),
        normalization: one(
            choose,
            &[
                None,
                Some(NormalizationForm::Nfc),
                Some(NormalizationForm::Nfd),
                Some(NormalizationForm::Nfkc),
            ],
        ),
        truncation: one(
            choose,
            &[None, limit(9, false, false), limit(3, true, false), limit(9, false, true)],
        ),
        text_only: one(choose, &[false, true]),
        report_skipped: one(choose, &[false, true]),
    }
}

/// The output of a repair with the fault that ended it; `None` for what is no text, whose output is
/// of no use to anybody.
pub fn outcome(
    written: Vec<u8>,
    account: &RepairSummary,
) -> Option<(Vec<u8>, Option<UntreatedSequence>)> {
    (!account.binary).then(|| (written, account.stop.clone()))
}
