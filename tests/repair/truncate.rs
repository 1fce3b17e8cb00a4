//! Truncation: the longest whole text within the limit.

use crate::common::inputs::Rng;
use crate::common::repair::{front, into_memory, repaired, scanned};
use crate::common::repair::{spoilt, unsigned};
use unicode_segmentation::UnicodeSegmentation;
use utf8::kernel;
use utf8::policy::Policy;
use utf8::registry::Encoding;
use utf8::repair::{
    Newlines, NormalizationForm, Repair, RepairPlan, RepairTarget, TruncationLimit,
};

/// Returns a plan that only truncates.
fn cut(bytes: usize, lines: bool, graphemes: bool) -> RepairPlan {
    let truncation = Some(TruncationLimit { bytes: bytes as u64, lines, graphemes });
    RepairPlan { truncation, ..RepairPlan::new(Policy::Replace) }
}

/// Returns the output of a plan; checks that cuts do not change the output or the report, and that
/// a second repair changes nothing.
fn settled(plan: &RepairPlan, spec: &'static Encoding, bytes: &[u8], rng: &mut Rng) -> Vec<u8> {
    let whole = repaired(plan, spec, bytes, &[]);
    let every: Vec<_> = (0..bytes.len()).collect();
    let at = rng.below(bytes.len() + 1);
    for cuts in [&[at][..], &every] {
        assert_eq!(repaired(plan, spec, bytes, cuts), whole, "{bytes:02X?} {plan:?}");
    }
    assert_eq!(repaired(plan, spec, &whole.0, &[]).0, whole.0, "{bytes:02X?} {plan:?}");
    whole.0
}

/// Clusters: lines of GraphemeBreakTest.txt (Unicode 17.0), most of them its last, and examples of
/// UAX #29, table 1a.
#[rustfmt::skip]
const CLUSTERS: &[&[&str]] = &[
    // GraphemeBreakTest.txt
    &["a", "\u{1F1E6}", "b"],
    &["\u{1F1F7}\u{1F1FA}", "\u{1F1F8}"],
    &["\u{1F1F7}\u{1F1FA}", "\u{1F1F8}\u{1F1EA}"],
    &["\u{1F1F7}\u{1F1FA}", "\u{200B}", "\u{1F1F8}\u{1F1EA}"],
    &["\u{1F1E6}\u{1F1E7}\u{200D}", "\u{1F1E8}", "b"],
    &["\u{1F1E6}\u{200D}", "\u{1F1E7}\u{1F1E8}", "b"],
    &[" \u{200D}", "\u{646}"],
    &["\u{646}\u{200D}", " "],
    &["\u{1100}\u{1100}"],
    &["\u{AC00}\u{11A8}", "\u{1100}"],
    &["\u{AC01}\u{11A8}", "\u{1100}"],
    &["a\u{308}", "b"],
    &["a\u{903}", "b"],
    &["a", "\u{600}b"],
    &["\u{1F476}\u{1F3FF}", "\u{1F476}"],
    &["a\u{1F3FF}", "\u{1F476}\u{200D}\u{1F6D1}"],
    &["\u{1F476}\u{1F3FF}\u{308}\u{200D}\u{1F476}\u{1F3FF}"],
    &["\u{1F6D1}\u{200D}\u{1F6D1}"],
    &["a\u{200D}", "\u{1F6D1}"],
    &["\u{2701}\u{200D}", "\u{2701}"],
    &["a\u{200D}", "\u{2701}"],
    &["\u{915}", "\u{924}"],
    &["\u{915}\u{94D}\u{924}"],
    &["\u{915}\u{94D}\u{94D}\u{924}"],
    &["\u{915}\u{94D}\u{200D}\u{924}"],
    &["\u{915}\u{93C}\u{200D}\u{94D}\u{924}"],
    &["\u{915}\u{94D}", "a"],
    // UAX #29, table 1a
    &["g\u{308}"],
    &["\u{1100}\u{1161}\u{11A8}"],
    &["\u{E40}"],
    &["\u{BA8}\u{BBF}"],
    &["\u{937}\u{93F}"],
    &["\u{E01}\u{E33}"],
    &["\u{937}\u{94D}\u{937}\u{93F}"],
];

/// Returns the longest run of clusters within `most` bytes.
fn longest<'a>(clusters: impl IntoIterator<Item = &'a str>, most: usize) -> String {
    let mut kept = String::new();
    for cluster in clusters {
        if kept.len() + cluster.len() > most {
            break;
        }
        kept.push_str(cluster);
    }
    kept
}

#[test]
fn clusters_of_the_standard_stay_whole() {
    for clusters in CLUSTERS {
        let text = clusters.concat();
        for most in 0..=text.len() {
            let wanted = longest(clusters.iter().copied(), most);
            for at in 0..text.len() {
                let plan = cut(most, false, true);
                let ours = repaired(&plan, Encoding::UTF_8, text.as_bytes(), &[at]).0;
                assert_eq!(String::from_utf8(ours).unwrap(), wanted, "{text:?} {most} {at}");
            }
        }
    }
}

/// Returns text of clusters of every kind, with issues.
fn texts(number: usize) -> Vec<Vec<u8>> {
    #[rustfmt::skip]
    let parts = [
        "a", "e", " ", "\n", "\r", "\r\n", "\u{301}", "\u{323}", "é", "\u{1100}", "\u{1161}", "\u{11A8}", "각",
        "\u{915}", "\u{94D}", "\u{93C}", "\u{93F}", "\u{200D}", "\u{1F476}", "\u{1F3FF}", "\u{1F6D1}", "\u{FE0F}",
        "\u{1F1E6}", "\u{1F1E7}", "\u{600}", "\u{E33}", "\u{2028}", "\u{FEFF}", "\u{FFFD}", "x\u{344}",
    ];
    let mut rng = Rng::new(21);
    let mut text = |_| {
        let times = 1 + rng.below(40);
        let text = (0..times).map(|_| rng.pick(&parts)).collect();
        spoilt(&mut rng, text)
    };
    (0..number).map(&mut text).collect()
}

/// Applies `keep` to each line without its end.
fn each_line(text: &str, keep: impl Fn(&str) -> String) -> String {
    let line = |line: &str| {
        let content = line.trim_end_matches(['\r', '\n']);
        keep(content) + &line[content.len()..]
    };
    text.split_inclusive(['\r', '\n']).map(line).collect()
}

#[test]
fn clusters_are_found_as_in_the_whole_text() {
    let mut rng = Rng::new(22);
    for bytes in texts(1000) {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let most = rng.below(40);
        let fits = |text: &str| longest(text.graphemes(true), most);
        let whole = settled(&cut(most, false, true), Encoding::UTF_8, &bytes, &mut rng);
        assert_eq!(String::from_utf8(whole).unwrap(), fits(&text), "{text:?} {most}");
        let lines = settled(&cut(most, true, true), Encoding::UTF_8, &bytes, &mut rng);
        assert_eq!(String::from_utf8(lines).unwrap(), each_line(&text, fits), "{text:?} {most}");
    }
}

#[test]
fn truncation_is_the_last_stage() {
    let mut rng = Rng::new(23);
    for bytes in texts(500) {
        for graphemes in [false, true] {
            let others = RepairPlan {
                newlines: Some(Newlines::LfAll),
                normalization: Some(NormalizationForm::Nfc),
                ..RepairPlan::new(Policy::Replace)
            };
            let text = repaired(&others, Encoding::UTF_8, &bytes, &[]).0;
            let text = String::from_utf8(text).unwrap();
            let most = rng.below(40);
            let fits = |text: &str| match graphemes {
                true => longest(text.graphemes(true), most),
                false => front(text, most).to_owned(),
            };
            for (lines, wanted) in [(false, fits(&text)), (true, each_line(&text, fits))] {
                let truncation = cut(most, lines, graphemes).truncation;
                let plan = RepairPlan { truncation, ..others };
                let ours = settled(&plan, Encoding::UTF_8, &bytes, &mut rng);
                assert_eq!(String::from_utf8(ours).unwrap(), wanted, "{text:?} {plan:?}");
            }
        }
    }
}

#[test]
fn bytes_are_those_of_the_codec() {
    let mut rng = Rng::new(24);
    for codec in ["utf-16le", "utf-32be", "gb18030", "cesu-8", "json", "code-points"]
        .map(|name| Encoding::for_label(name).unwrap())
    {
        for bytes in texts(100) {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let most = rng.below(100);
            let fits = |text: &str| {
                let mut ends = text.grapheme_indices(true).map(|(at, cluster)| at + cluster.len());
                let room = |end: &usize| unsigned(codec, &text[..*end]).unwrap().len() <= most;
                let kept = ends.by_ref().take_while(room).last();
                text[..kept.unwrap_or(0)].to_owned()
            };
            let whole =
                settled(&cut(most, false, true), codec, &unsigned(codec, &text).unwrap(), &mut rng);
            assert_eq!(
                whole,
                unsigned(codec, &fits(&text)).unwrap(),
                "{} {most} {text:?}",
                codec.name
            );
            if codec.name != "code-points" {
                let wanted = each_line(&text, fits);
                let lines = settled(
                    &cut(most, true, true),
                    codec,
                    &unsigned(codec, &text).unwrap(),
                    &mut rng,
                );
                assert_eq!(
                    lines,
                    unsigned(codec, &wanted).unwrap(),
                    "{} {most} {text:?}",
                    codec.name
                );
            }
        }
    }
}

/// One sequence of each length (RFC 2279, section 2; a surrogate), and single bytes.
const SEQUENCES: [&[u8]; 7] = [
    b"a",
    b"\xC3\xA9",
    b"\xE2\x82\xAC",
    b"\xED\xA0\x80",
    b"\xF0\x9F\x98\x80",
    b"\xF8\x88\x80\x80\x80",
    b"\xFD\xBF\xBF\xBF\xBF\xBF",
];

#[test]
fn no_sequence_of_any_length_is_cut() {
    let mut rng = Rng::new(25);
    let codec = Encoding::for_label("rfc2279").unwrap();
    for _ in 0..300 {
        let sequences: Vec<_> = (0..6).map(|_| rng.pick(&SEQUENCES)).collect();
        for most in 0..=36 {
            let mut wanted = Vec::new();
            for sequence in &sequences {
                if wanted.len() + sequence.len() > most {
                    break;
                }
                wanted.extend_from_slice(sequence);
            }
            for (graphemes, form) in
                [(false, None), (true, None), (false, Some(NormalizationForm::Nfc))]
            {
                let plan = RepairPlan { normalization: form, ..cut(most, false, graphemes) };
                let ours = settled(&plan, codec, &sequences.concat(), &mut rng);
                assert_eq!(ours, wanted, "{most} {sequences:02X?}");
            }
        }
    }
}

#[test]
fn bytes_that_stand_for_themselves_are_sequences() {
    let codec = Encoding::for_label("utf-8-surrogateescape").unwrap();
    for bytes in
        [&[0x80; 20][..], b"\xE2\x82\x80\x80\x80\x80\x80\x80\x80\x80", b"\xF0\x9F\x98\xFF\xBF"]
    {
        let lens: Vec<usize> = (0..=bytes.len())
            .map(|most| repaired(&cut(most, false, false), codec, bytes, &[]).0.len())
            .collect();
        // Only well-formed E2 82 80 is more than a byte.
        let wanted = (0..=bytes.len()).map(|most| match bytes[0] {
            0xE2 if most < 3 => 0,
            _ => most,
        });
        assert_eq!(lens, wanted.collect::<Vec<_>>(), "{bytes:02X?}");
    }
}

#[test]
fn a_byte_order_mark_needs_room() {
    let utf16 = Encoding::for_label("utf-16").unwrap();
    let wide = b"\xFF\xFEa\0b\0";
    for (most, stays) in [(0, 0), (1, 0), (2, 2), (3, 2), (4, 4), (6, 6)] {
        assert_eq!(repaired(&cut(most, false, true), utf16, wide, &[]).0, wide[..stays]);
    }
    let (text, account, _) =
        repaired(&cut(2, false, false), Encoding::UTF_8, b"\xEF\xBB\xBFa", &[]);
    assert_eq!((text, account.changes), (Vec::new(), 1));
}

#[test]
fn omitted_text_is_one_change() {
    let text = [&b"abc"[..], &"é".repeat(100_000).into_bytes(), b"\xFF\r\nend"].concat();
    let cuts: Vec<_> = (0..text.len()).step_by(977).collect();
    for cuts in [&[][..], &cuts] {
        let (kept, account, changes) =
            repaired(&cut(4, false, false), Encoding::UTF_8, &text, cuts);
        assert_eq!((&kept[..], account.changes, account.read), (&b"abc"[..], 1, 200_009));
        let (offset, written, before, after, reasons) = &changes[0];
        assert_eq!((*offset, *written, after.len(), &reasons[..]), (3, 3, 0, "truncate"));
        assert_eq!((&before[..], before.len()), (&text[3..][..65536], 65536));
        let (_, account, changes) = repaired(&cut(2, true, true), Encoding::UTF_8, &text, cuts);
        let places: Vec<_> = changes.iter().map(|it| it.0).collect();
        assert_eq!((account.changes, places), (2, vec![2, 200_008]));
    }
}

#[test]
fn faults_after_the_cut_are_omitted() {
    for (bytes, fault) in [(&b"abc\xFF"[..], false), (b"ab\xFFc", true), (b"abcd", false)] {
        for counted in [false, true] {
            for (normalization, graphemes) in [(None, false), (Some(NormalizationForm::Nfc), true)]
            {
                let truncation = Some(TruncationLimit { bytes: 2, lines: false, graphemes });
                let plan =
                    RepairPlan { truncation, normalization, ..RepairPlan::new(Policy::Strict) };
                let (written, account) = into_memory(|out| {
                    let target = RepairTarget {
                        output: Some(out.into()),
                        uncounted: !counted,
                        ..RepairTarget::default()
                    };
                    let repair = Repair::new(&plan, Encoding::UTF_8, 0..u64::MAX, target);
                    scanned(repair, Encoding::UTF_8, kernel::best(), bytes, &[])
                });
                assert_eq!((&written[..], account.stop.is_some()), (&b"ab"[..], fault));
                let read = if counted && !fault { bytes.len() as u64 } else { account.read };
                assert_eq!((account.read, account.changes), (read, u64::from(!fault)));
            }
        }
    }
}

#[test]
fn huge_clusters_take_linear_time() {
    let text = "e".to_owned() + &"\u{301}".repeat(300_000) + "z";
    for lines in [false, true] {
        let (kept, account, _) =
            repaired(&cut(3, lines, true), Encoding::UTF_8, text.as_bytes(), &[]);
        assert!(kept.len() <= 3 && account.changes == 1);
        let every: Vec<_> = (0..text.len()).step_by(3).collect();
        let whole = cut(text.len(), lines, true);
        assert_eq!(repaired(&whole, Encoding::UTF_8, text.as_bytes(), &every).0, text.as_bytes());
    }
}

/// A replacement is truncated like other text, in every encoding.
#[test]
fn replacements_are_cut_between_sequences() {
    let plan = |policy, form| RepairPlan {
        normalization: form,
        ..RepairPlan { policy, ..cut(3, false, false) }
    };
    let escaped = plan(Policy::BackslashReplace, None);
    let decomposed = plan(Policy::Strict, Some(NormalizationForm::Nfd));
    for (plan, codec, bytes, wanted) in [
        (&escaped, "utf-8", &b"a\xFFb"[..], &b"a\\x"[..]),
        (&escaped, "cesu-8", b"a\xFFb", b"a\\x"),
        (&escaped, "us-ascii", b"a\xFFb", b"a\\x"),
        (&decomposed, "utf-8", "Å".as_bytes(), b"A\xCC\x8A"),
        (&decomposed, "utf-16be", b"\x00\xC5", b"\x00A"),
    ] {
        let codec = Encoding::for_label(codec).unwrap();
        assert_eq!(repaired(plan, codec, bytes, &[]).0, wanted, "{}", codec.name);
    }
}
