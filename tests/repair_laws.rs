//! Does a repair keep its laws? Well formed, unchanged where nothing is wrong, the same twice, and
//! the same however the input comes.

mod common;

use common::each;
use common::inputs::{CLASSES, MIXTURES, Rng, clean, dirty, strings};
use common::repair::{ranged, repaired, text, unasked};
use utf8::codec::{self, CODECS, Group, Spec};
use utf8::issues;
use utf8::kernel::{self, KERNELS};
use utf8::policy::{self, Bom, POLICIES, Policy};
use utf8::repair::Plan;
use utf8::repair::structure::Structure;

/// The policies that treat every fault, each by itself, of text in this codec.
fn policies(spec: &Spec) -> Vec<Policy> {
    let named = POLICIES.iter().skip(1).filter_map(|row| row.policy);
    let holds = |policy: &Policy| match policy {
        Policy::SurrogateEscape => spec.holds(0xDC80),
        Policy::Optu => spec.holds(0xEF80),
        _ => true,
    };
    named.filter(holds).chain(policy::parse("fallback=windows-1252")).collect()
}

/// The plans that make every text of this codec well-formed.
fn plans(spec: &Spec) -> Vec<Plan> {
    let structure = [(false, false), (true, false), (false, true), (true, true)];
    let plans = structure.iter().flat_map(|&(shorten, join)| {
        let structure = Structure { shorten, join };
        policies(spec).into_iter().map(move |policy| Plan { structure, ..Plan::new(policy) })
    });
    plans.collect()
}

/// Hostile and random texts.
fn texts(seed: u64, number: usize) -> Vec<Vec<u8>> {
    let mut rng = Rng::new(seed);
    let mut text = |at: usize| {
        let rarity = rng.pick(&[1, 2, 10, 100]);
        dirty(&mut rng, 1 + at % 300, MIXTURES[at % MIXTURES.len()], rarity)
    };
    (0..number).map(&mut text).collect()
}

#[test]
fn what_comes_out_is_well_formed() {
    for plan in plans(&CODECS[0]) {
        for len in 1..=3 {
            strings(CLASSES, len, |bytes| {
                let repaired = text(&plan, bytes);
                assert!(std::str::from_utf8(&repaired).is_ok(), "{bytes:02X?} {plan:?}");
            });
        }
        for bytes in texts(1, 200) {
            assert!(String::from_utf8(text(&plan, &bytes)).is_ok(), "{bytes:02X?} {plan:?}");
        }
    }
}

/// All of them in lines, for all policies.
#[test]
fn every_string_of_up_to_three_bytes() {
    let firsts: Vec<u8> = (0..=255).collect();
    each(&firsts, |&first| {
        let mut lines = vec![first, b'\n'];
        for second in 0..=255 {
            lines.extend([first, second, b'\n']);
            lines.extend((0..=255).flat_map(|third| [first, second, third, b'\n']));
        }
        for policy in policies(&CODECS[0]) {
            let repaired = unasked(&Plan::new(policy), kernel::best(), &lines, &[]);
            assert!(std::str::from_utf8(&repaired).is_ok(), "{first:02X} {policy:?}");
            let lossy = matches!(policy, Policy::Replace);
            assert!(
                !lossy || repaired == String::from_utf8_lossy(&lines).as_bytes(),
                "{first:02X}"
            );
        }
    });
}

#[test]
fn replace_is_what_std_does() {
    let replace = Plan::new(Policy::Replace);
    let same = |bytes: &[u8]| {
        assert_eq!(text(&replace, bytes), String::from_utf8_lossy(bytes).as_bytes());
    };
    (1..=3).for_each(|len| strings(CLASSES, len, same));
    texts(2, 1000).iter().for_each(|bytes| same(bytes));
}

/// Where nobody asks how many changes there were, kernels may write it: it is the same.
#[test]
fn what_is_written_is_the_same_unasked() {
    let mut rng = Rng::new(4);
    for plan in policies(&CODECS[0]).into_iter().map(Plan::new) {
        for bytes in texts(5, 400) {
            let expected = text(&plan, &bytes);
            for kernels in KERNELS.iter().filter(|row| (row.available)()) {
                let cut = rng.below(bytes.len());
                for cuts in [&[][..], &[cut]] {
                    let written = unasked(&plan, kernels, &bytes, cuts);
                    assert!(written == expected, "{} {cuts:?} {bytes:02X?}", kernels.name);
                }
            }
        }
    }
}

/// A sequence belongs to the range that holds its first byte.
#[test]
fn ranges_tile() {
    for plan in policies(&CODECS[0]).into_iter().map(Plan::new) {
        for bytes in texts(6, 60) {
            let (whole, end) = (text(&plan, &bytes), bytes.len() as u64);
            for uncounted in [false, true] {
                for at in (0..=end).step_by(3) {
                    let part = |range| ranged(&plan, &bytes, range, uncounted);
                    let parts = [part(0..at), part(at..end)].concat();
                    assert!(parts == whole, "{at} {uncounted} {plan:?} {bytes:02X?}");
                }
            }
        }
    }
}

#[test]
fn what_is_well_formed_stays() {
    let mut rng = Rng::new(3);
    for plan in plans(&CODECS[0]) {
        for widths in MIXTURES {
            let bytes = clean(&mut rng, 500, widths).into_bytes();
            let (written, account, changes) = repaired(&plan, &CODECS[0], &bytes, &[]);
            assert_eq!((written, account.changes, changes), (bytes, 0, vec![]));
        }
    }
}

#[test]
fn to_repair_twice_changes_nothing_more() {
    for plan in plans(&CODECS[0]) {
        if plan.structure.shorten && plan.structure.join {
            continue;
        }
        for bytes in texts(4, 300) {
            let once = text(&plan, &bytes);
            assert_eq!(text(&plan, &once), once, "{bytes:02X?} {plan:?}");
        }
    }
}

#[test]
fn where_the_input_is_cut_does_not_matter() {
    let mut rng = Rng::new(5);
    for plan in plans(&CODECS[0]) {
        for bytes in texts(6, 40) {
            let whole = repaired(&plan, &CODECS[0], &bytes, &[]);
            let cut = rng.below(bytes.len() + 1);
            for cuts in [&[cut][..], &(0..bytes.len()).collect::<Vec<_>>()] {
                assert_eq!(repaired(&plan, &CODECS[0], &bytes, cuts), whole, "{bytes:02X?}");
            }
        }
    }
}

#[test]
fn a_repair_in_any_codec_is_well_formed_there() {
    for spec in CODECS {
        for policy in policies(spec) {
            for bytes in texts(7, 60) {
                let plan = Plan::new(policy);
                let (written, account, _) = repaired(&plan, spec, &bytes, &[]);
                if account.fault.is_none() {
                    let found = issues(spec, &written);
                    assert_eq!(found, [], "{} {policy:?} {bytes:02X?} {written:02X?}", spec.name);
                }
            }
        }
    }
}

#[test]
fn a_byte_order_mark_is_kept_removed_or_added() {
    for spec in CODECS.iter().filter(|spec| spec.holds(codec::BOM) && spec.group != Group::Notation)
    {
        let spell = |values: &[u32]| {
            let mut writer = (spec.write)(Default::default());
            writer.sign(false);
            let mut bytes = Vec::new();
            values.iter().for_each(|&value| assert!(writer.put(value, &mut bytes)));
            writer.finish(&mut bytes);
            bytes
        };
        let (without, with) = (spell(&[0x41, 0xFEFF]), spell(&[0xFEFF, 0x41, 0xFEFF]));
        for (bom, bare, marked) in [
            (Bom::Keep, &without, &with),
            (Bom::Remove, &without, &without),
            (Bom::Add, &with, &with),
        ] {
            let plan = Plan { bom, ..Plan::new(Policy::Strict) };
            assert_eq!(repaired(&plan, spec, &without, &[]).0, *bare, "{} {bom:?}", spec.name);
            assert_eq!(repaired(&plan, spec, &with, &[]).0, *marked, "{} {bom:?}", spec.name);
        }
    }
}
