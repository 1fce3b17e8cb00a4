//! Lints: every character by its properties, and the fast path against the slow one.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::sync::Arc;

use icu_properties::props::{
    BidiControl, DefaultIgnorableCodePoint, ExtendedPictographic, GeneralCategory,
    NoncharacterCodePoint, VariationSelector,
};
use icu_properties::{CodePointMapData, CodePointSetData};

use unicode_normalization::UnicodeNormalization;

use crate::common::inputs::Rng;
use crate::common::streams::{Shared, SlowReader};
use utf8::Encoding;
use utf8::finding::locate::Locator;
use utf8::kernel;
use utf8::lint::levels::RuleLevels;
use utf8::lint::{LINTS, Level};
use utf8::output::Output;
use utf8::report::{FORMATS, ReportStyle};
use utf8::source::{Buffer, ReadOptions, Source};
use utf8::text::name::InputName;
use utf8::validate::{Check, CheckOptions, CheckReport, FindingList};

mod inline;
mod mojibake;
mod nfc;

/// Returns the findings of a text in the format tsv, read `most` bytes at a time.
fn findings(codec: &str, text: impl AsRef<[u8]>, most: usize, levels: &RuleLevels) -> String {
    report("tsv", codec, text, most, levels)
}

/// Returns the findings of a text in a format, read `most` bytes at a time.
fn report(
    format: &str,
    codec: &str,
    text: impl AsRef<[u8]>,
    most: usize,
    levels: &RuleLevels,
) -> String {
    let (encoding, mut buffer) = (Encoding::for_label(codec).unwrap(), Buffer::default());
    let how = ReadOptions {
        reach: encoding.inner.reach,
        longest: encoding.inner.longest,
        ..ReadOptions::default()
    };
    let mut source =
        Source::from_reader(SlowReader(text.as_ref(), most), &how, &mut buffer).unwrap();
    let written = Shared::default();
    let mut out = Output::new(Box::new(written.clone()), "memory");
    let row = FORMATS.iter().find(|row| row.name == format).unwrap();
    let mut format = (row.open)(ReportStyle::default());
    let name = InputName::new(OsStr::new("f"), true);
    let list = FindingList {
        format: format.as_mut(),
        out: &mut out,
        most: None,
        judged: false,
        judge: None,
    };
    let locator = Locator::new(encoding, kernel::best(), true, source.lookback());
    let report = CheckReport { name: &name, lists: vec![list], locator: Some(locator) };
    let options = CheckOptions { comments: true, ..CheckOptions::default() };
    let rules = Arc::new(levels.clone().into());
    let mut check = Check::new(encoding, source.range(), options, Some(report)).with_rules(&rules);
    source.scan(encoding, kernel::best(), &mut check).unwrap();
    check.end(true).unwrap();
    out.flush().unwrap();
    let report = written.0.borrow();
    String::from_utf8(report.clone()).unwrap()
}

fn deny(names: &[&str]) -> RuleLevels {
    let mut levels = RuleLevels::default();
    names.iter().for_each(|name| assert!(levels.set(name, Level::Deny), "{name}"));
    levels
}

/// Returns the kinds of the findings by their line.
fn kinds_by_line(report: &str) -> BTreeMap<usize, Vec<&str>> {
    let mut kinds: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for row in report.lines() {
        let fields: Vec<_> = row.split('\t').collect();
        kinds.entry(fields[3].parse().unwrap()).or_default().push(fields[2]);
    }
    kinds
}

/// Returns the lint that a character on its own breaks, by its properties.
fn expected(c: char) -> Option<&'static str> {
    let category = CodePointMapData::<GeneralCategory>::new().get(c);
    let has = |set: icu_properties::CodePointSetDataBorrowed<'static>| set.contains(c);
    let is_ignorable = has(CodePointSetData::new::<DefaultIgnorableCodePoint>());
    Some(match c {
        '\t' | '\n' | '\r' => return None,
        '\0' => "nul",
        '\u{85}' => "line-separator",
        '\u{AD}' => "soft-hyphen",
        '\u{FEFF}' => "bom-inside",
        '\u{FFFD}' => "replacement-character",
        '\u{E0001}' | '\u{E0020}'..='\u{E007F}' => "tag-character",
        // The space of Braille is no ignorable character, but as invisible as one. Interlinear
        // annotations hide or shift text; UTR #20 has them removed from plain text and markup.
        '\u{2800}' | '\u{FFF9}'..='\u{FFFB}' => "invisible",
        _ if category == GeneralCategory::Control => match c < '\u{80}' {
            true => "c0-control",
            false => "c1-control",
        },
        _ if c < '\u{80}' => return None,
        _ if std::iter::once(c).nfc().ne([c]) => "not-nfc",
        _ if has(CodePointSetData::new::<BidiControl>()) => match c {
            '\u{61C}' | '\u{200E}' | '\u{200F}' => "bidi-mark",
            '\u{202C}' | '\u{2069}' => "bidi-control",
            _ => "bidi-unpaired",
        },
        _ if has(CodePointSetData::new::<VariationSelector>()) => "variation-selector",
        _ if has(CodePointSetData::new::<NoncharacterCodePoint>()) => "noncharacter",
        _ if is_ignorable => "invisible",
        _ => match category {
            GeneralCategory::LineSeparator | GeneralCategory::ParagraphSeparator => {
                "line-separator"
            }
            GeneralCategory::SpaceSeparator => "irregular-whitespace",
            GeneralCategory::PrivateUse => "private-use",
            GeneralCategory::Unassigned => "unassigned",
            _ => "not-ascii",
        },
    })
}

#[test]
fn every_character_breaks_the_lint_of_its_properties() {
    let levels = deny(&["security", "files", "text", "not-ascii", "unassigned"]);
    let text: String = ('\0'..=char::MAX).map(|c| format!("{c}\n")).collect();
    // A line for each character; the carriage return is no line of its own.
    for codec in ["utf-8", "wtf-8"] {
        let report = findings(codec, &text, usize::MAX, &levels);
        let kinds = kinds_by_line(&report);
        let mut line = 1;
        for c in '\0'..=char::MAX {
            if c == '\n' {
                line += 2;
                continue;
            }
            let found = kinds.get(&line).map_or(&[][..], Vec::as_slice);
            line += 1;
            if c == '\r' {
                assert_eq!(found, ["mixed-line-ending"]);
                continue;
            }
            let expected = expected(c);
            // The versions of Unicode may differ.
            if expected == Some("unassigned") && found == ["not-ascii"] {
                continue;
            }
            assert_eq!(found, expected.as_slice(), "{c:?} as {codec}");
        }
    }
}

#[test]
fn no_invisible_character_excuses_another() {
    let levels = deny(&["invisible"]);
    let category = CodePointMapData::<GeneralCategory>::new();
    let ignorable = CodePointSetData::new::<DefaultIgnorableCodePoint>();
    let braille_blank = '\u{2800}';
    let assigned = ('\0'..=char::MAX).filter(|&c| {
        (ignorable.contains(c) || c == braille_blank)
            && category.get(c) != GeneralCategory::Unassigned
    });
    let found = |text: &str| findings("utf-8", text, usize::MAX, &levels).lines().count();
    // A run of tag characters is one finding.
    let assigned = assigned.filter(|c| !('\u{E0000}'..='\u{E007F}').contains(c));
    let invisible: Vec<_> = assigned.filter(|c| found(&format!("a{c}b\n")) == 1).collect();
    for c in ['\u{34F}', '\u{180B}', '\u{180E}', '\u{200D}', braille_blank, '\u{1D173}'] {
        assert!(invisible.contains(&c), "{c:?}");
    }
    for &first in &invisible {
        for &second in &invisible {
            let text = format!("a{first}{second}b\na{first}{second}{first}b\n");
            assert_eq!(found(&text), 5, "{text:?}");
        }
    }
}

#[test]
fn pictographs_have_an_emoji_style() {
    let pictographs = CodePointSetData::new::<ExtendedPictographic>();
    let assigned =
        ('\u{20}'..=char::MAX).filter(|c| !matches!(c, '\u{85}' | '\u{2028}' | '\u{2029}'));
    let text: String = assigned.clone().map(|c| format!("{c}\u{FE0F}\n")).collect();
    let report = findings("utf-8", &text, usize::MAX, &deny(&["variation-selector"]));
    let kinds = kinds_by_line(&report);
    for (line, c) in (1..).zip(assigned) {
        let is_styled = pictographs.contains(c) || "#*0123456789".contains(c);
        let own = usize::from(CodePointSetData::new::<VariationSelector>().contains(c));
        let found = kinds.get(&line).map_or(0, Vec::len);
        assert_eq!(found, own + usize::from(!is_styled), "{c:?}");
    }
}

#[test]
fn the_filter_and_the_division_of_the_input_change_nothing() {
    const PARTS: [&str; 53] = [
        "a",
        "b ",
        "\n",
        "\r\n",
        "\r",
        "\t",
        "\0",
        "\u{1B}",
        "\u{7F}",
        "\u{80}",
        "\u{85}",
        "\u{A0}",
        "\u{AD}",
        "\u{E9}",
        "\u{434}\u{430}",
        "\u{34F}",
        "\u{301}",
        "\u{316}",
        "\u{1112}",
        "\u{1161}",
        "\u{11AB}",
        "\u{212B}",
        "caf\u{C3}\u{A9} ",
        "\u{E2}\u{20AC}\u{2122}",
        "\u{D0}\u{178}\u{D1}\u{20AC}\u{D0}\u{B8}",
        "\u{645}",
        "\u{915}\u{94D}",
        "\u{200B}",
        "\u{200C}",
        "\u{200D}",
        "\u{200E}",
        "\u{2028}",
        "\u{202A}",
        "\u{202C}",
        "\u{202E}",
        "\u{2067}",
        "\u{2069}",
        "\u{FEFF}",
        "\u{FFFD}",
        "\u{FE0F}",
        "\u{2764}",
        "\u{1F469}",
        "\u{1F3FD}",
        "\u{1F3F4}",
        "\u{E0067}",
        "\u{E007F}",
        "\u{E0100}",
        "\u{6F22}\u{5B57}",
        "plain text of more than thirty-two bytes, ",
        "\u{3042}\u{3044}\u{3046}\u{3048}\u{304A}",
        "\u{2800}",
        "\u{2800}\u{2800}",
        "\u{2813}\u{2801}",
    ];
    let sets: Vec<_> = ["security", "files", "text", "strict", "xml"]
        .into_iter()
        .chain(LINTS.iter().map(|row| row.id))
        .collect();
    let mut rng = Rng::new(15);
    for round in 0..1200 {
        let number = 1 + rng.below(40);
        let text: String = (0..number).map(|_| PARTS[rng.below(PARTS.len())]).collect();
        let text = if round % 200 == 0 { text.repeat(500) } else { text };
        let text = if round % 3 == 0 { format!("# coding: latin1\n{text}") } else { text };
        let levels = deny(&[sets[rng.below(sets.len())], sets[rng.below(sets.len())]]);
        let found = |codec, most| {
            let report = report("json", codec, &text, most, &levels);
            let findings = report.lines().filter(|line| line.contains(":\"finding\""));
            // A message names the encoding.
            findings.map(|line| line.replace("wtf-8", "utf-8")).collect::<Vec<_>>()
        };
        let slow = found("wtf-8", usize::MAX);
        for most in [1 + rng.below(7), 1 + rng.below(100_000), usize::MAX] {
            assert_eq!(found("utf-8", most), slow, "{text:?} by {most}");
        }
    }
}
