//! Laws of the stages for well-formed text: line ends, normalization, truncation.

use std::collections::BTreeSet;

use crate::common::inputs::Rng;
use crate::common::repair::spoilt;
use crate::common::repair::{front, repaired, text};
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};
use utf8::policy::{Bom, Policy};
use utf8::registry::{CODECS, Encoding};
use utf8::repair::{MojibakeOptions, Newlines, NormalizationForm, RepairPlan, TruncationLimit};

/// Returns text that every stage changes.
fn texts(number: usize) -> Vec<Vec<u8>> {
    #[rustfmt::skip]
    let parts = [
        "a", "e", " ", "\n", "\r", "\r\n", "\r\r\n", "\u{301}", "\u{323}", "\u{327}", "é", "ǘ", "\u{344}", "\u{F73}",
        "\u{1100}", "\u{1161}", "\u{11A8}", "가", "각", "\u{915}\u{93C}", "\u{958}", "\u{9C7}", "\u{9BE}", "\u{9D7}",
        "ﬁ", "①", "Å", "日本", "\u{FB2C}", "\u{1D15E}", "\u{2000}", "\u{34F}", "\u{1F1E9}", "ｶ", "\u{FF9E}", "\u{CC6}\u{CC2}\u{CD5}",
    ];
    let mut rng = Rng::new(11);
    let mut text = |_| {
        let mut text = String::new();
        let mut last = "";
        for _ in 0..1 + rng.below(60) {
            let part = if rng.one_in(3) { last } else { rng.pick(&parts) };
            let times = if rng.one_in(20) { 40 } else { 1 };
            text.push_str(&part.repeat(times));
            last = part;
        }
        spoilt(&mut rng, text)
    };
    (0..number).map(&mut text).collect()
}

/// Returns the output of a plan; checks that cuts do not change it and that a second repair changes
/// nothing.
fn twice(plan: &RepairPlan, bytes: &[u8], rng: &mut Rng) -> Vec<u8> {
    let (whole, account, changes) = repaired(plan, Encoding::UTF_8, bytes, &[]);
    let every: Vec<_> = (0..bytes.len()).collect();
    let cut = rng.below(bytes.len() + 1);
    for cuts in [&[cut][..], &every] {
        let (parts, same, entries) = repaired(plan, Encoding::UTF_8, bytes, cuts);
        assert_eq!(
            String::from_utf8_lossy(&parts),
            String::from_utf8_lossy(&whole),
            "{bytes:02X?}"
        );
        assert_eq!((same, entries), (account.clone(), changes.clone()), "{bytes:02X?} {plan:?}");
    }
    assert_eq!(account.changes == 0, whole == bytes);
    assert_eq!(text(plan, &whole), whole, "{bytes:02X?} {plan:?}");
    whole
}

#[test]
fn lines_end_alike() {
    let mut rng = Rng::new(12);
    for bytes in texts(500) {
        let lossy = String::from_utf8_lossy(&bytes).into_owned();
        let all = lossy.replace("\r\n", "\n").replace('\r', "\n");
        let lines = lossy.split_inclusive('\n').map(|line| match line.strip_suffix('\n') {
            Some(line) => line.trim_end_matches('\r').to_owned() + "\n",
            None => line.to_owned(),
        });
        let lf: String = lines.collect();
        for (newlines, wanted) in [
            (Newlines::LfAll, all.clone()),
            (Newlines::CrLfAll, all.replace('\n', "\r\n")),
            (Newlines::Lf, lf.clone()),
            (Newlines::CrLf, lf.replace('\n', "\r\n")),
        ] {
            let plan = RepairPlan { newlines: Some(newlines), ..RepairPlan::new(Policy::Replace) };
            assert_eq!(String::from_utf8(twice(&plan, &bytes, &mut rng)).unwrap(), wanted);
        }
    }
}

/// A run of CRs that is too long to wait for its LF is kept with it.
#[test]
fn endless_crs_are_kept() {
    let most = 64 << 10;
    for (crs, is_line_end) in [(most, true), (most + 1, false), (3 * most, false)] {
        let run = b"\r".repeat(crs);
        let text = [b"a", &run[..], b"\nb\r\nc"].concat();
        for (newlines, end) in [(Newlines::Lf, &b"\n"[..]), (Newlines::CrLf, b"\r\n")] {
            let plan = RepairPlan { newlines: Some(newlines), ..RepairPlan::new(Policy::Replace) };
            let kept = if is_line_end { end.to_vec() } else { [&run[..], b"\n"].concat() };
            let wanted = [b"a", &kept[..], b"b", end, b"c"].concat();
            let every: Vec<_> = (0..text.len()).step_by(1000).collect();
            for cuts in [&[][..], &[most - 2], &[most - 2, crs + 1], &every] {
                let written = repaired(&plan, Encoding::UTF_8, &text, cuts).0;
                assert!(written == wanted, "{newlines:?} {crs} {cuts:?}");
            }
            let again = repaired(&plan, Encoding::UTF_8, &wanted, &[]).0;
            assert!(again == wanted, "{newlines:?} {crs}");
        }
    }
}

#[test]
fn normalization_does_not_depend_on_splits() {
    let mut rng = Rng::new(13);
    for bytes in texts(1500) {
        let lossy = String::from_utf8_lossy(&bytes).into_owned();
        let safe = || lossy.chars().stream_safe();
        for (form, wanted) in [
            (NormalizationForm::Nfc, safe().nfc().collect::<String>()),
            (NormalizationForm::Nfd, safe().nfd().collect()),
            (NormalizationForm::Nfkc, safe().nfkc().collect()),
            (NormalizationForm::Nfkd, safe().nfkd().collect()),
        ] {
            let plan = RepairPlan { normalization: Some(form), ..RepairPlan::new(Policy::Replace) };
            let ours = String::from_utf8(twice(&plan, &bytes, &mut rng)).unwrap();
            assert_eq!(
                ours.escape_unicode().to_string(),
                wanted.escape_unicode().to_string(),
                "{form:?}"
            );
        }
    }
}

/// Every character that may compose, behind every character that may have composed, with and without
/// a mark between them.
#[test]
fn characters_that_may_compose_do_so_as_in_the_standard() {
    let one = |c: char| std::iter::once(c);
    let composing: Vec<char> =
        ('\0'..=char::MAX).filter(|&c| is_nfc_quick(one(c)) == IsNormalized::Maybe).collect();
    let is_composed = |c: &char| one(*c).nfd().ne(one(*c)) && !('나'..='힣').contains(c);
    let firsts: BTreeSet<char> =
        ('\0'..=char::MAX).filter(is_composed).flat_map(|c| one(c).chain(one(c).nfd())).collect();
    assert!(composing.len() > 100 && firsts.len() > 2000);
    let plan = RepairPlan {
        normalization: Some(NormalizationForm::Nfc),
        ..RepairPlan::new(Policy::Strict)
    };
    for second in composing {
        let mut lines = String::new();
        for first in &firsts {
            for mark in ["", "\u{323}", "\u{301}", "\u{94D}", "\u{9BE}"] {
                lines.extend([String::from(*first).as_str(), mark, &String::from(second), "か\n"]);
            }
        }
        let ours = String::from_utf8(text(&plan, lines.as_bytes())).unwrap();
        let wrong =
            ours.lines().zip(lines.lines()).find(|(ours, line)| !line.nfc().eq(ours.chars()));
        assert_eq!(wrong, None, "U+{:04X}", u32::from(second));
    }
}

/// U+1161 could compose with a character before it, but U+0301 blocks that.
#[test]
fn text_without_segment_starts_is_normalized_as_it_comes() {
    let text = "\u{1161}\u{301}".repeat(2000);
    for form in [NormalizationForm::Nfc, NormalizationForm::Nfkc] {
        let plan = RepairPlan { normalization: Some(form), ..RepairPlan::new(Policy::Replace) };
        let mut repairer = utf8::Repairer::new(Encoding::UTF_8, &plan).unwrap();
        let mut out = Vec::new();
        for part in text.as_bytes().chunks(100) {
            repairer.push(part, &mut out);
        }
        assert!(text.len() - out.len() < 1000, "{} bytes are pending", text.len() - out.len());
        repairer.finish(&mut out).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), text.nfc().collect::<String>());
    }
}

/// A character stays if a code page lacks its composed or decomposed form.
#[test]
fn nothing_is_lost_to_a_form() {
    for codec in CODECS.iter() {
        let mut text = Vec::new();
        let mut writer = codec.writer(Default::default());
        writer.sign(false);
        "éǞÅ½ﬁ①か゛ក្ក".chars().for_each(|value| _ = writer.put(value.into(), &mut text));
        writer.finish(&mut text);
        for form in [
            NormalizationForm::Nfc,
            NormalizationForm::Nfd,
            NormalizationForm::Nfkc,
            NormalizationForm::Nfkd,
        ] {
            let plan = RepairPlan { normalization: Some(form), ..RepairPlan::new(Policy::Strict) };
            let (written, account, _) = repaired(&plan, codec, &text, &[]);
            let lost = |bytes: &[u8]| bytes.iter().filter(|&&byte| byte == b'?').count();
            assert_eq!(account.stop, None, "{} {form:?}", codec.name);
            assert_eq!(lost(&written), lost(&text), "{} {form:?} {written:02X?}", codec.name);
        }
    }
}

/// A hundred accents, doubly encoded, are separated as in other text.
#[test]
fn undone_text_is_normalized() {
    let accents = format!("e{}", "\u{301}".repeat(100));
    let twice: String = accents.bytes().map(char::from).collect();
    let (mojibake, form) = (Some(MojibakeOptions::likely()), Some(NormalizationForm::Nfd));
    let plan = RepairPlan { mojibake, normalization: form, ..RepairPlan::new(Policy::Strict) };
    let written = String::from_utf8(text(&plan, twice.as_bytes())).unwrap();
    assert_eq!(written, accents.chars().stream_safe().nfd().collect::<String>());
    assert_eq!(text(&plan, written.as_bytes()), written.as_bytes());
}

#[test]
fn truncated_text_fits_and_is_well_formed() {
    let mut rng = Rng::new(14);
    for bytes in texts(500) {
        let lossy = String::from_utf8_lossy(&bytes).into_owned();
        let most = rng.below(40);
        let fits = |text: &str| front(text, most).to_owned();
        let graphemes = false;
        let limit = |lines| Some(TruncationLimit { bytes: most as u64, lines, graphemes });
        let cut = RepairPlan { truncation: limit(false), ..RepairPlan::new(Policy::Replace) };
        assert_eq!(String::from_utf8(twice(&cut, &bytes, &mut rng)).unwrap(), fits(&lossy));
        let lines = lossy.split_inclusive(['\r', '\n']).map(|line| {
            let content = line.trim_end_matches(['\r', '\n']);
            fits(content) + &line[content.len()..]
        });
        let wanted: String = lines.collect();
        let cut = RepairPlan { truncation: limit(true), ..RepairPlan::new(Policy::Replace) };
        assert_eq!(String::from_utf8(twice(&cut, &bytes, &mut rng)).unwrap(), wanted);
    }
}

#[test]
fn other_codecs_have_the_same_text() {
    for codec in ["utf-16le", "utf-32be", "gb18030", "cesu-8", "utf-7"]
        .map(|name| Encoding::for_label(name).unwrap())
    {
        for bytes in texts(150) {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let spell = |text: &str| {
                let mut writer = codec.writer(Default::default());
                writer.sign(false);
                let mut out = Vec::new();
                text.chars().for_each(|c| assert!(writer.put(c.into(), &mut out)));
                writer.finish(&mut out);
                out
            };
            let (newlines, form) = (Some(Newlines::LfAll), Some(NormalizationForm::Nfc));
            let plan =
                RepairPlan { newlines, normalization: form, ..RepairPlan::new(Policy::Strict) };
            let lf = text.replace("\r\n", "\n").replace('\r', "\n");
            let wanted: String = lf.chars().stream_safe().nfc().collect();
            let written = repaired(&plan, codec, &spell(&text), &[]).0;
            assert_eq!(written, spell(&wanted), "{} {text:?}", codec.name);
        }
    }
}

/// Text that has U+FEFF in every place is that text without it, however it is split.
#[test]
fn inner_marks_are_removed() {
    let mut rng = Rng::new(21);
    for mut bytes in texts(300) {
        for _ in 0..rng.below(6) {
            let at = rng.below(bytes.len() + 1);
            bytes.splice(at..at, "\u{FEFF}".bytes());
        }
        let plan = RepairPlan {
            bom: Bom::Remove,
            remove_inner_boms: true,
            ..RepairPlan::new(Policy::Replace)
        };
        let wanted = String::from_utf8_lossy(&bytes).replace('\u{FEFF}', "");
        assert_eq!(String::from_utf8(twice(&plan, &bytes, &mut rng)).unwrap(), wanted);
    }
}
