//! Tilings: the conversions and repairs of the ranges of a text, one behind the other, are those of
//! the whole.

use crate::common::inputs::{FRAGMENTS, Rng};
use crate::common::{each, representatives};
use crate::properties::ranges::{check_convert, check_repair, plan};
use utf8::codec::Escapes;
use utf8::convert::{ConvertOptions, check_ranges};
use utf8::policy::{Bom, POLICIES, Policy};
use utf8::registry::{CODECS, Encoding};
use utf8::repair::{MojibakeOptions, Newlines, NormalizationForm, RepairPlan, TruncationLimit};

fn text(rng: &mut Rng) -> Vec<u8> {
    (0..14).flat_map(|_| rng.pick(FRAGMENTS).to_vec()).collect()
}

/// Returns the bounds of ranges that tile a text of this length: any cuts, some of them equal.
fn tiling(rng: &mut Rng, len: usize) -> Vec<u64> {
    let number = 1 + rng.below(5);
    let mut cuts: Vec<_> = (0..number).map(|_| rng.below(len + 1) as u64).collect();
    cuts.extend([0, len as u64]);
    cuts.sort_unstable();
    cuts
}

#[test]
fn conversions_of_ranges_are_that_of_the_whole_or_refused() {
    let sources: Vec<_> = representatives().into_iter().filter(|it| it.reach().is_some()).collect();
    let policies: Vec<Policy> = POLICIES.iter().filter_map(|row| row.policy).collect();
    let policies = || policies.iter().filter(|policy| **policy != Policy::DropLine);
    let marks = [None, Some(Bom::Keep), Some(Bom::Remove), Some(Bom::Add)];
    each(&sources, |&source| {
        let mut rng = Rng::new(7);
        let mut tiled = 0;
        for (target, &policy) in CODECS.iter().flat_map(|it| policies().map(move |how| (it, how))) {
            let is_rare_page = target.group.is_rare() && target.is_page();
            if is_rare_page || check_ranges(source, target, policy).is_err() {
                continue;
            }
            let bom = rng.pick(&marks).filter(|_| target.can_encode(0xFEFF));
            let options = ConvertOptions { target, escapes: Escapes::Usual, policy, bom };
            let bytes = text(&mut rng);
            let cuts = tiling(&mut rng, bytes.len());
            tiled += usize::from(check_convert(source, options, &bytes, &cuts));
        }
        assert!(tiled > 100, "{}: {tiled}", source.name);
    });
}

#[test]
fn repairs_of_ranges_are_that_of_the_whole_or_refused() {
    let sources: Vec<_> = representatives().into_iter().filter(|it| it.reach().is_some()).collect();
    each(&sources, |&source| {
        let mut rng = Rng::new(9);
        let mut tiled = 0;
        for _ in 0..300 {
            let plan = plan(&mut rng, source);
            if plan.check_ranges(source).is_err() {
                return;
            }
            let bytes = text(&mut rng);
            let cuts = tiling(&mut rng, bytes.len());
            tiled += usize::from(check_repair(source, &plan, &bytes, &cuts, &[false, true]));
        }
        assert!(tiled > 100, "{}: {tiled}", source.name);
    });
}

/// The line end of many CRs is decided by text far away.
#[test]
fn ranges_of_a_line_end_of_many_bytes() {
    let newlines = [Newlines::Lf, Newlines::CrLf, Newlines::LfAll, Newlines::CrLfAll];
    for (crs, behind) in [65_534, 65_535, 65_536, 65_537, 65_600, 70_000]
        .into_iter()
        .flat_map(|crs| [(crs, &b"\n"[..]), (crs, b""), (crs, b"a\n")])
    {
        let bytes = [&b"a\n\r\n"[..], &vec![b'\r'; crs], behind, b"b\r"].concat();
        let len = bytes.len() as u64;
        for newlines in newlines {
            let plan = RepairPlan { newlines: Some(newlines), ..RepairPlan::new(Policy::Strict) };
            for cuts in
                [vec![0, 3, len], vec![0, 5, 30_000, len], vec![0, len - 9, len - 3, len - 2, len]]
            {
                assert!(check_repair(Encoding::UTF_8, &plan, &bytes, &cuts, &[false, true]));
            }
        }
    }
}

/// Repairs of lines, and of characters that combine, are those of the whole if each range ends with
/// a line.
#[test]
fn repairs_of_ranges_of_whole_lines() {
    let lines: [&[u8]; 8] = [
        b"caf\xC3\x83\xC2\xA9\n",
        b"e\xCC\x81\r\n",
        b"a line that is longer than others\n",
        b"\n",
        b"\xFF\xE2\x82\n",
        b"a\r\r\n",
        b"\xE1\x84\x80\xE1\x85\xA1\n",
        b"\xCC\x81a\n",
    ];
    let mut rng = Rng::new(4);
    let plans = [
        RepairPlan {
            normalization: Some(NormalizationForm::Nfc),
            ..RepairPlan::new(Policy::Replace)
        },
        RepairPlan {
            normalization: Some(NormalizationForm::Nfc),
            newlines: Some(Newlines::CrLfAll),
            bom: Bom::Remove,
            ..RepairPlan::new(Policy::Replace)
        },
        RepairPlan {
            mojibake: Some(MojibakeOptions::default()),
            ..RepairPlan::new(Policy::Replace)
        },
        RepairPlan {
            truncation: Some(TruncationLimit { bytes: 9, lines: true, graphemes: true }),
            ..RepairPlan::new(Policy::Replace)
        },
        RepairPlan::new(Policy::DropLine),
        RepairPlan { newlines: Some(Newlines::Lf), ..RepairPlan::new(Policy::DropLine) },
    ];
    for plan in plans {
        for _ in 0..100 {
            let (mut bytes, mut cuts) = (Vec::new(), vec![0]);
            for _ in 0..8 {
                bytes.extend_from_slice(rng.pick(&lines));
                if rng.one_in(2) {
                    cuts.push(bytes.len() as u64);
                }
            }
            cuts.push(bytes.len() as u64);
            assert!(check_repair(Encoding::UTF_8, &plan, &bytes, &cuts, &[false, true]));
        }
    }
}

#[test]
fn repairs_are_refused_where_texts_depend_on_each_other() {
    for name in ["utf-7", "utf-7-imap", "scsu", "bocu-1", "iso-2022-jp", "code-points"] {
        let source = Encoding::for_label(name).unwrap();
        assert!(RepairPlan::new(Policy::Replace).check_ranges(source).is_err(), "{name}");
    }
    let limit = TruncationLimit { bytes: 9, lines: false, graphemes: false };
    let plan = RepairPlan { truncation: Some(limit), ..RepairPlan::new(Policy::Replace) };
    assert!(plan.check_ranges(Encoding::UTF_8).is_err());
}

#[test]
fn conversions_are_refused_only_where_texts_depend_on_each_other() {
    let refused = |source: &str, target: &str, policy| {
        let [source, target] = [source, target].map(|name| Encoding::for_label(name).unwrap());
        check_ranges(source, target, policy).is_err()
    };
    let strict = Policy::Strict;
    for target in [
        "utf-7",
        "utf-7-imap",
        "scsu",
        "bocu-1",
        "iso-2022-jp",
        "code-points",
        "big5-hkscs",
        "json",
    ] {
        assert!(refused("utf-8", target, strict), "{target}");
    }
    for source in ["utf-7", "iso-2022-jp", "hz-gb-2312"] {
        assert!(refused(source, "utf-8", strict), "{source}");
    }
    for source in ["generalized-utf-8", "rfc2279", "ucs-4le"] {
        assert!(refused(source, "wtf-8", strict), "{source}");
        assert!(!refused(source, "utf-16", strict), "{source}");
    }
    assert!(refused("wtf-8", "wtf-8", Policy::SurrogateEscape));
    for source in ["utf-8", "utf-16", "wtf-8", "wtf-16le", "cesu-8", "mutf-8", "koi8-r"] {
        for target in ["utf-8", "utf-8-bom", "wtf-8", "utf-16", "utf-32le", "gb18030", "koi8-r"] {
            assert!(!refused(source, target, strict), "{source} to {target}");
        }
    }
}
