//! Tilings: the conversions and repairs of the ranges of a text, one behind the other, are those of
//! the whole.

use std::cell::RefCell;

use crate::common::hex;
use crate::common::inputs::Rng;
use utf8::codec::Escapes;
use utf8::convert::{Conversion, Convert, ConvertOptions, check_ranges};
use utf8::kernel;
use utf8::output::Output;
use utf8::policy::{Bom, POLICIES, Policy};
use utf8::registry::Encoding;
use utf8::repair::{Newlines, Repair, RepairPlan, RepairTarget};
use utf8::source::{Buffer, RangeStart, ReadOptions, Source};

use super::{cuts, encoding};

pub fn cases() -> usize {
    3
}

/// Checks a conversion or a repair of ranges.
pub fn check(case: usize, rng: &mut Rng, bytes: &[u8]) {
    let source = encoding(rng);
    // The ranges of an empty input are empty, and such a range has no byte order mark.
    if source.reach().is_none() || bytes.is_empty() {
        return;
    }
    let ends = [0, bytes.len()];
    let inner = cuts(rng, bytes.len());
    let cuts = ends[..1].iter().chain(&inner).chain(&ends[1..]).map(|&at| at as u64);
    let cuts: Vec<u64> = cuts.collect();
    if case > 0 {
        let plan = plan(rng, source);
        if plan.check_ranges(source).is_ok() {
            check_repair(source, &plan, bytes, &cuts, &[case == 1]);
        }
        return;
    }
    let (target, policy) = (encoding(rng), policy(rng));
    if check_ranges(source, target, policy).is_ok() {
        let marks = [None, Some(Bom::Keep), Some(Bom::Remove), Some(Bom::Add)];
        let bom = rng.pick(&marks).filter(|_| target.can_encode(0xFEFF));
        let options = ConvertOptions { target, escapes: Escapes::Usual, policy, bom };
        check_convert(source, options, bytes, &cuts);
    }
}

/// Returns a policy that does not need whole lines.
fn policy(rng: &mut Rng) -> Policy {
    let policies: Vec<_> = POLICIES.iter().filter_map(|row| row.policy).collect();
    let policy = rng.pick(&policies);
    if policy == Policy::DropLine { Policy::Ignore } else { policy }
}

/// Checks that the conversions of the ranges between cuts are that of the whole. Returns `false` if
/// that stops.
pub fn check_convert(
    source: &'static Encoding,
    options: ConvertOptions,
    bytes: &[u8],
    cuts: &[u64],
) -> bool {
    let Some(whole) = convert(source, options, bytes, None) else { return false };
    let parts = cuts
        .windows(2)
        .map(|cut| convert(source, options, bytes, Some([cut[0], cut[1]])).expect("no fault"));
    let parts = parts.collect::<Vec<_>>().concat();
    let places = format!("{} to {} {options:?} {cuts:?}", source.name, options.target.name);
    assert!(parts == whole, "{places}: {} is {}", hex(bytes), hex(&parts));
    true
}

/// Returns the options that read a range, or the whole.
fn reading(source: &Encoding, range: Option<[u64; 2]>, context: u64) -> ReadOptions {
    let [start, end] = range.unwrap_or_default();
    ReadOptions {
        skip: RangeStart::FromStart(start),
        length: range.map(|_| end - start),
        reach: source.reach(),
        unit: source.inner.unit,
        context,
        longest: source.inner.longest,
        ..ReadOptions::default()
    }
}

/// Does the work with a source of the bytes. One buffer serves all sources of a thread: it is large.
fn read<T>(bytes: &[u8], how: &ReadOptions, work: impl FnOnce(Source<'_>) -> T) -> T {
    thread_local! {
        static BUFFER: RefCell<Buffer> = RefCell::default();
    }
    BUFFER.with_borrow_mut(|buffer| work(Source::from_bytes(bytes.to_vec(), how, buffer).unwrap()))
}

/// Converts a range, or the whole; `None` if it stops.
pub fn convert(
    source: &'static Encoding,
    options: ConvertOptions,
    bytes: &[u8],
    range: Option<[u64; 2]>,
) -> Option<Vec<u8>> {
    let mut out = Output::memory();
    let mut conversion = Conversion::new(kernel::best(), options);
    let fault = read(bytes, &reading(source, range, 0), |mut input| {
        let mut sink = Convert::new(&mut conversion, source, input.range(), &mut out);
        input.scan(source, kernel::best(), &mut sink).unwrap();
        sink.end().1
    });
    conversion.finish(&mut out);
    fault.is_none().then(|| std::mem::take(out.buffer()))
}

/// Repairs a range, or the whole; `None` if it stops.
fn repair(
    source: &'static Encoding,
    plan: &RepairPlan,
    bytes: &[u8],
    range: Option<[u64; 2]>,
    uncounted: bool,
) -> Option<Vec<u8>> {
    let mut out = Output::memory();
    let target =
        RepairTarget { output: Some((&mut out).into()), uncounted, ..RepairTarget::default() };
    let summary = read(bytes, &reading(source, range, plan.context()), |mut input| {
        let mut sink = Repair::new(plan, source, input.range(), target);
        // Text whose byte order the output would not tell is refused.
        input.scan(source, kernel::best(), &mut sink).ok()?;
        sink.end().ok()
    })?;
    summary.stop.is_none().then(|| std::mem::take(out.buffer()))
}

/// Checks that the repairs of the ranges between cuts are that of the whole, for each of the values:
/// uncounted repairs may take fast paths. Returns `false` if that of the whole stops.
pub fn check_repair(
    source: &'static Encoding,
    plan: &RepairPlan,
    bytes: &[u8],
    cuts: &[u64],
    uncounted: &[bool],
) -> bool {
    let Some(whole) = repair(source, plan, bytes, None, false) else { return false };
    for &uncounted in uncounted {
        let parts = cuts.windows(2).map(|cut| {
            repair(source, plan, bytes, Some([cut[0], cut[1]]), uncounted).expect("no fault")
        });
        let parts = parts.collect::<Vec<_>>().concat();
        let shown = |bytes: &[u8]| hex(&bytes[..bytes.len().min(200)]);
        assert!(
            parts == whole,
            "{} {plan:?} {cuts:?}: {} is {}",
            source.name,
            shown(bytes),
            shown(&parts)
        );
    }
    true
}

/// Returns a plan whose repairs need no ranges of whole lines.
pub fn plan(rng: &mut Rng, source: &'static Encoding) -> RepairPlan {
    let mut plan = RepairPlan::new(policy(rng));
    let newlines = [Newlines::Lf, Newlines::CrLf, Newlines::LfAll, Newlines::CrLfAll];
    plan.newlines = (!rng.one_in(4)).then(|| rng.pick(&newlines));
    plan.structure.shorten = rng.one_in(2);
    plan.structure.join = rng.one_in(2);
    plan.bom = rng.pick(&[Bom::Keep, Bom::Remove, Bom::Add]);
    plan.remove_inner_boms = rng.one_in(3);
    if plan.check(source).is_err() {
        (plan.bom, plan.policy) = (Bom::Keep, Policy::Ignore);
    }
    plan
}
