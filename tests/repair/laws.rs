//! Laws of repairs: well-formed output, idempotence, and independence of cuts and ranges.

use crate::common::inputs::{CLASSES, MIXTURES, Rng, clean, dirty, strings};
use crate::common::repair::{ranged, repaired, text, unasked, unsigned};
use crate::common::{BLIND, TIMID, each, kernels, representatives, stride};
use crate::properties::repair::{outcome, planned, policies};
use utf8::RepairError;
use utf8::codec::{self, Group};
use utf8::kernel;
use utf8::policy::{Bom, Policy};
use utf8::registry::{CODECS, Encoding};
use utf8::repair::{RepairPlan, StructuralRepairs};

/// Returns the plans that make every text of an encoding well-formed.
fn plans(spec: &Encoding) -> Vec<RepairPlan> {
    let structure = [(false, false), (true, false), (false, true), (true, true)];
    let plans = structure.iter().flat_map(|&(shorten, join)| {
        let structure = StructuralRepairs { shorten, join };
        policies(spec)
            .into_iter()
            .map(move |policy| RepairPlan { structure, ..RepairPlan::new(policy) })
    });
    plans.collect()
}

/// Returns hostile and random texts.
fn texts(seed: u64, number: usize) -> Vec<Vec<u8>> {
    let mut rng = Rng::new(seed);
    let mut text = |at: usize| {
        let rarity = rng.pick(&[1, 2, 10, 100]);
        dirty(&mut rng, 1 + at % 300, MIXTURES[at % MIXTURES.len()], rarity)
    };
    (0..number).map(&mut text).collect()
}

/// A repair that encodes all text again writes each character that it reads.
#[test]
fn well_formed_text_keeps_its_characters() {
    let characters = |codec: &'static Encoding, bytes: &[u8]| {
        let target = Encoding::for_label("ucs-4be").unwrap();
        utf8::convert(codec, bytes, &utf8::ConvertOptions::to(target)).ok()
    };
    let sets: [&[u8]; 4] = [b"\x1B(I", b"\x1B(J", b"\x1B$B", b""];
    for codec in CODECS.iter().filter(|codec| codec.inner.reencodes_all) {
        for (set, first) in sets.iter().flat_map(|set| (0x20..0x7F).map(move |first| (set, first)))
        {
            for second in 0x20..0x7F {
                let text = [*set, &[first, second]].concat();
                let Some(expected) = characters(codec, &text) else { continue };
                for policy in [Policy::Strict, Policy::Replace] {
                    let repaired = repaired(&RepairPlan::new(policy), codec, &text, &[]).0;
                    let name = codec.name;
                    assert_eq!(
                        characters(codec, &repaired),
                        Some(expected.clone()),
                        "{name} {text:02X?}"
                    );
                }
            }
        }
    }
}

/// The target of a conversion lacks the same characters that are ill-formed in a repair.
#[test]
fn repair_and_conversion_to_utf8mb3_replace_alike() {
    let target = Encoding::for_label("utf8mb3").unwrap();
    for bytes in texts(17, 500) {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let mut options = utf8::ConvertOptions::to(target);
        options.policy = Policy::Replace;
        let converted = utf8::convert(Encoding::UTF_8, text.as_bytes(), &options).unwrap();
        let plan = RepairPlan::new(Policy::Replace);
        let repaired = repaired(&plan, target, text.as_bytes(), &[]).0;
        assert_eq!(repaired, converted, "{text:?}");
    }
}

#[test]
fn output_is_well_formed() {
    for plan in plans(Encoding::UTF_8) {
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

/// All strings in lines. `output_is_well_formed` has every policy with each class of bytes; here, one
/// in three of the policies has each first byte.
#[test]
fn every_string_of_up_to_three_bytes() {
    let firsts: Vec<u8> = (0..=255).collect();
    each(&firsts, |&first| {
        let mut lines = vec![first, b'\n'];
        for second in 0..=255 {
            lines.extend([first, second, b'\n']);
            lines.extend((0..=255).flat_map(|third| [first, second, third, b'\n']));
        }
        for (number, policy) in policies(Encoding::UTF_8).into_iter().enumerate() {
            let lossy = matches!(policy, Policy::Replace);
            if !lossy && !(number + usize::from(first)).is_multiple_of(stride(3)) {
                continue;
            }
            let repaired = ranged(&RepairPlan::new(policy), &lines, 0..u64::MAX, true);
            assert!(std::str::from_utf8(&repaired).is_ok(), "{first:02X} {policy:?}");
            assert!(
                !lossy || repaired == String::from_utf8_lossy(&lines).as_bytes(),
                "{first:02X}"
            );
        }
    });
}

#[test]
fn replace_is_what_std_does() {
    let replace = RepairPlan::new(Policy::Replace);
    let same = |bytes: &[u8]| {
        assert_eq!(text(&replace, bytes), String::from_utf8_lossy(bytes).as_bytes());
    };
    (1..=3).for_each(|len| strings(CLASSES, len, same));
    texts(2, 1000).iter().for_each(|bytes| same(bytes));
}

/// A field of a plan by its place, and the place of its value.
type Choice = (usize, usize);

/// The plan of these choices.
fn plan_of(choices: &[Choice]) -> RepairPlan {
    let mut fields = 0..;
    planned(&mut |_| {
        let field = fields.next();
        choices.iter().find(|choice| Some(choice.0) == field).map_or(0, |choice| choice.1)
    })
}

/// The choices that ask for nothing, or for something in one field, or in two.
fn choices() -> Vec<Vec<Choice>> {
    let mut ones = Vec::new();
    let mut fields = 0..;
    planned(&mut |number| {
        let field = fields.next().expect("a field");
        ones.extend((1..number).map(|value| vec![(field, value)]));
        0
    });
    let pairs = ones.iter().flat_map(|one| {
        let others = ones.iter().filter(|other| one[0].0 < other[0].0);
        others.map(|other| [one.as_slice(), other].concat())
    });
    [vec![Vec::new()], pairs.collect(), ones.clone()].concat()
}

/// Texts that are full of everything that any plan changes.
fn busy(number: usize) -> Vec<Vec<u8>> {
    #[rustfmt::skip]
    let parts: [&[u8]; 24] = [
        b"\xFF", b"\xE9", b"\xF0\x9F\x98", b"\xC0\xAF", b"\xE0\x80\x80", b"\xED\xA0\xBD\xED\xB8\x80", b"\xED\xA0\x80",
        b"a", b"text ", b"\n", b"\r\n", b"\r", b"\0", "\u{FEFF}".as_bytes(), "\u{EF80}".as_bytes(), "e\u{301}".as_bytes(), "é".as_bytes(),
        "ﬁ".as_bytes(), "Ã©tÃ© ".as_bytes(), "â‚¬ ".as_bytes(), "Ã ".as_bytes(), "日本".as_bytes(), "\u{1F1E9}\u{1F1EA}".as_bytes(), "\u{1100}\u{1161}\u{11A8}".as_bytes(),
    ];
    let mut rng = Rng::new(15);
    let mut text = |_| (0..1 + rng.below(20)).flat_map(|_| rng.pick(&parts)).copied().collect();
    (0..number).map(&mut text).collect()
}

/// A text without its BOM is the same text in the same encoding, or it is refused.
#[test]
fn without_its_bom_a_text_is_what_it_was() {
    let plan = RepairPlan { bom: Bom::Remove, ..RepairPlan::new(Policy::Strict) };
    let (mut kept, mut refused) = (0, 0);
    for spec in CODECS.iter().filter(|spec| spec.can_encode(codec::BOM)) {
        let orders = CODECS.iter().filter(|order| {
            let marked =
                order.name == spec.name || spec.after_bom(order.inner.signature) == Some(order);
            marked && order.after_bom(order.inner.signature).is_none()
        });
        for order in orders {
            for text in ["", "A", "é€", "\u{FFFE}A", "\u{FEFF}A", "A\u{FEFF}", "\u{FFFE}\u{FEFF}"]
            {
                let marked = format!("\u{FEFF}{text}");
                let Some(bytes) = unsigned(order, &marked) else { continue };
                let read = |bytes: &[u8]| {
                    let text = utf8::decode(spec, bytes, Policy::Strict).unwrap();
                    text.trim_start_matches('\u{FEFF}').to_owned()
                };
                assert_eq!(read(&bytes), text.trim_start_matches('\u{FEFF}'), "{}", spec.name);
                match utf8::repair(spec, &bytes, &plan) {
                    Ok((bare, _)) => {
                        assert_eq!(read(&bare), read(&bytes), "{} {text:?}", spec.name);
                        assert!(bare.len() < bytes.len());
                        kept += 1;
                    }
                    Err(RepairError::ByteOrder(error)) => {
                        assert_eq!(error.text, order);
                        refused += 1;
                    }
                    Err(error) => panic!("{}: {error}", spec.name),
                }
            }
        }
    }
    assert!(kept > 200 && refused > 10, "{kept} {refused}");
}

/// A plan writes the same bytes whether or not its changes are counted, with fast paths and without.
#[test]
fn counting_changes_nothing() {
    let spec = Encoding::UTF_8;
    let (few, many) = ([busy(60), texts(5, 20)].concat(), [busy(60), texts(5, 400)].concat());
    each(&choices(), |choices| {
        let plan = plan_of(choices);
        let mut rng = Rng::new(4);
        for bytes in if choices.len() < 2 { &many } else { &few } {
            let (expected, counted, _) = repaired(&plan, spec, bytes, &[]);
            let expected = outcome(expected, &counted);
            let cut = rng.below(bytes.len());
            let from = rng.below(bytes.len()) as u64;
            for kernels in kernels().chain([&BLIND, &TIMID]) {
                for cuts in [&[][..], &[cut]] {
                    let written = |from, uncounted| {
                        let how = (from..u64::MAX, uncounted);
                        let (written, account) = unasked(&plan, spec, kernels, (bytes, cuts), how);
                        let all = from == 0 && plan.truncation.is_none() && !account.binary;
                        let same =
                            (account.read, account.treated) == (counted.read, counted.treated);
                        assert!(!all || same, "{plan:?} {bytes:02X?}");
                        assert_eq!(account.written, written.len() as u64);
                        outcome(written, &account)
                    };
                    let told = || format!("{} {cuts:?} {from} {plan:?} {bytes:02X?}", kernels.name);
                    assert!(written(0, true) == expected, "{}", told());
                    assert!(written(from, true) == written(from, false), "{}", told());
                }
            }
        }
    });
}

/// The texts show each value of each field, alone or beside one of another field.
#[test]
fn texts_exercise_every_option() {
    let texts = busy(60);
    let shown = |choices: &[Choice]| {
        let outcome = |bytes: &Vec<u8>| {
            let (written, account, entries) =
                repaired(&plan_of(choices), Encoding::UTF_8, bytes, &[]);
            (outcome(written, &account), entries)
        };
        texts.iter().map(outcome).collect::<Vec<_>>()
    };
    let (pairs, ones): (Vec<_>, Vec<_>) = choices().into_iter().skip(1).partition(|c| c.len() > 1);
    // Transliteration is of characters: ill-formed sequences are replaced as by default.
    let is_default = |plan: RepairPlan| plan.policy == Policy::Transliterate;
    for one in ones.into_iter().filter(|one| !is_default(plan_of(one))) {
        let with_another = pairs.iter().filter(|pair| pair.contains(&one[0])).any(|pair| {
            let without: Vec<_> = pair.iter().copied().filter(|choice| *choice != one[0]).collect();
            shown(pair) != shown(&without)
        });
        assert!(with_another || shown(&one) != shown(&[]), "{:?}", plan_of(&one));
    }
}

/// The same of plans in other codecs, which may have fewer fast paths, and must not take others.
#[test]
fn counting_changes_nothing_in_any_codec() {
    let texts = busy(40);
    each(&representatives()[1..], |&spec| {
        let plans = choices().into_iter().filter(|choices| choices.len() < 2);
        for plan in plans.map(|choices| plan_of(&choices)).filter(|plan| plan.check(spec).is_ok()) {
            for bytes in &texts {
                let how = (0..u64::MAX, true);
                let (written, _) = unasked(&plan, spec, kernel::best(), (bytes, &[]), how);
                let expected = repaired(&plan, spec, bytes, &[]).0;
                assert!(written == expected, "{} {plan:?} {bytes:02X?}", spec.name);
            }
        }
    });
}

/// A sequence belongs to the range that holds its first byte. Lines may be in two ranges.
#[test]
fn ranges_tile() {
    let policies = policies(Encoding::UTF_8).into_iter();
    for plan in policies.filter(|it| *it != Policy::DropLine).map(RepairPlan::new) {
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
fn well_formed_text_is_unchanged() {
    let mut rng = Rng::new(3);
    for plan in plans(Encoding::UTF_8) {
        for widths in MIXTURES {
            let bytes = clean(&mut rng, 500, widths).into_bytes();
            let (written, account, changes) = repaired(&plan, Encoding::UTF_8, &bytes, &[]);
            assert_eq!((written, account.changes, changes), (bytes, 0, vec![]));
        }
    }
}

#[test]
fn repair_is_idempotent() {
    for plan in plans(Encoding::UTF_8) {
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
fn splits_of_the_input_do_not_matter() {
    let mut rng = Rng::new(5);
    for plan in plans(Encoding::UTF_8) {
        for bytes in texts(6, 40) {
            let whole = repaired(&plan, Encoding::UTF_8, &bytes, &[]);
            let cut = rng.below(bytes.len() + 1);
            for cuts in [&[cut][..], &(0..bytes.len()).collect::<Vec<_>>()] {
                assert_eq!(repaired(&plan, Encoding::UTF_8, &bytes, cuts), whole, "{bytes:02X?}");
            }
        }
    }
}

#[test]
fn a_repair_in_any_codec_is_well_formed_there() {
    for spec in representatives() {
        for policy in policies(spec) {
            for bytes in texts(7, 60) {
                let plan = RepairPlan::new(policy);
                let (written, account, _) = repaired(&plan, spec, &bytes, &[]);
                if account.stop.is_none() {
                    let found = utf8::issues(spec, &written).collect::<Vec<_>>();
                    assert_eq!(found, [], "{} {policy:?} {bytes:02X?} {written:02X?}", spec.name);
                }
            }
        }
    }
}

/// No escape that keeps text apart exceeds a limit.
#[test]
fn a_limit_holds_for_text_that_a_removal_joins_to_an_escape() {
    let mut plan = RepairPlan::new(Policy::Ignore);
    plan.truncation = Some(utf8::TruncationLimit::new(6));
    for (name, text) in [("html", &b"&foo\xFF;ab"[..]), ("c", b"\\x4\xFF1\\x4\xFF1")] {
        let (written, ..) = repaired(&plan, Encoding::for_label(name).unwrap(), text, &[]);
        assert!(written.len() <= 6, "{}", written.escape_ascii());
    }
}

/// Text before and after removed bytes does not become an escape.
#[test]
fn a_repair_in_a_notation_keeps_its_characters() {
    let html: &[&str] = &["&", "#", "x", "6", ";", "lt", "no", "t", "é"];
    let others: &[&str] = &[r"\", r"\x", r"\u", "%", "{", "}", "0", "1", "8", "N", "é"];
    let target = Encoding::for_label("ucs-4be").unwrap();
    let mut options = utf8::ConvertOptions::to(target);
    let fallback = Policy::Fallback(Encoding::for_label("windows-1252").unwrap());
    let policies =
        [Policy::Ignore, Policy::Replace, Policy::ReplaceByte, Policy::BackslashReplace, fallback];
    let mut rng = Rng::new(8);
    for name in ["html", "c", "json", "percent", "python", "rust"] {
        let codec = Encoding::for_label(name).unwrap();
        let fragments = if name == "html" { html } else { others };
        for _ in 0..10_000 {
            let policy = rng.pick(&policies);
            let plan = RepairPlan::new(policy);
            options.policy = policy;
            let characters = |bytes: &[u8]| utf8::convert(codec, bytes, &options).unwrap();
            let mut text = Vec::new();
            for _ in 0..1 + rng.below(12) {
                text.extend_from_slice(rng.pick(fragments).as_bytes());
                text.extend(rng.one_in(3).then_some(0xFF));
            }
            let (written, _, changes) = repaired(&plan, codec, &text, &[]);
            assert_eq!(utf8::issues(codec, &written).next(), None, "{name} {text:02X?}");
            assert_eq!(characters(&written), characters(&text), "{name} {text:02X?}");
            let cut = rng.below(text.len() + 1);
            let (in_parts, _, same) = repaired(&plan, codec, &text, &[cut]);
            assert_eq!((in_parts, same), (written, changes), "{name} {text:02X?} cut at {cut}");
        }
    }
}

#[test]
fn a_byte_order_mark_is_kept_removed_or_added() {
    for spec in
        CODECS.iter().filter(|spec| spec.can_encode(codec::BOM) && spec.group != Group::Notation)
    {
        let spell = |values: &[u32]| {
            let mut writer = spec.writer(Default::default());
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
            let plan = RepairPlan { bom, ..RepairPlan::new(Policy::Strict) };
            assert_eq!(repaired(&plan, spec, &without, &[]).0, *bare, "{} {bom:?}", spec.name);
            assert_eq!(repaired(&plan, spec, &with, &[]).0, *marked, "{} {bom:?}", spec.name);
        }
    }
}
