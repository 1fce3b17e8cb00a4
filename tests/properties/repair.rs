//! Repairs: well-formed output, independent of cuts, kernels and the journal.

use crate::common::inputs::Rng;
use crate::common::repair::{repaired, unasked};
use crate::common::{BLIND, TIMID, kernels};
use utf8::finding::stop::UntreatedSequence;
use utf8::kernel::Kernels;
use utf8::policy::{Bom, POLICIES, Policy};
use utf8::registry::Encoding;
use utf8::repair::{
    MojibakeOptions, Newlines, NormalizationForm, RepairPlan, RepairSummary, StructuralRepairs,
    TruncationLimit,
};

use super::{cuts, encoding};

/// The kernels that repairs are compared with.
fn others() -> impl Iterator<Item = &'static Kernels> {
    kernels().chain([&BLIND, &TIMID])
}

pub fn cases() -> usize {
    1 + others().count()
}

/// Checks a repair with values of all fields of a plan, of UTF-8 or of any encoding.
pub fn check(case: usize, rng: &mut Rng, bytes: &[u8]) {
    let spec = if rng.one_in(2) { Encoding::UTF_8 } else { encoding(rng) };
    let plan = planned(&mut |number| rng.below(number));
    // Text whose byte order the output would not tell is refused.
    let is_refused =
        || matches!(utf8::repair(spec, bytes, &plan), Err(utf8::RepairError::ByteOrder(_)));
    if plan.check(spec).is_err() || spec.inner.unit > 1 && is_refused() {
        return;
    }
    let told = || format!("{} {plan:?} {bytes:02X?}", spec.name);
    let cuts = cuts(rng, bytes.len());
    let (written, summary, _) = repaired(&plan, spec, bytes, &[]);
    let (name, (again, summary_again)) = match others().nth(case) {
        Some(kernels) => {
            let range = (0..u64::MAX, true);
            (kernels.name, unasked(&plan, spec, kernels, (bytes, &cuts), range))
        }
        None => {
            let (in_parts, summary_of_parts, _) = repaired(&plan, spec, bytes, &cuts);
            ("counted", (in_parts, summary_of_parts))
        }
    };
    let whole = outcome(written.clone(), &summary);
    assert_eq!(outcome(again, &summary_again), whole, "{name} cut at {cuts:?}: {}", told());
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
