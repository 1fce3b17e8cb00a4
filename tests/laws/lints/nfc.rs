//! `not-nfc`: every text that normalization changes, and no other.

use std::collections::BTreeSet;

use unicode_normalization::char::canonical_combining_class;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

use super::{deny, findings, report};
use crate::common::inputs::Rng;
use crate::common::peer::python;

/// Prints 1 for each line of standard input that is in NFC, 0 for one that is not, and ? for one
/// with characters of a later version of Unicode.
const PYTHON: &str = "
import sys, unicodedata
for line in sys.stdin.buffer.read().decode().split('\\n')[:-1]:
    known = all(unicodedata.category(c) not in ('Cn', 'Cs') for c in line)
    print(int(unicodedata.is_normalized('NFC', line)) if known else '?')
";

/// Marks of several classes, and starters that compose with the marks or with each other.
const DENSE: &str = "aeoA<\u{E9}\u{1EBF}\u{1E69}\u{FB1D}\u{2126}\u{212B}\u{300}\u{301}\u{302}\u{307}\u{308}\
    \u{316}\u{31B}\u{323}\u{327}\u{338}\u{340}\u{344}\u{345}\u{34F}\u{5B0}\u{5BC}\u{5D9}\u{627}\u{653}\
    \u{654}\u{915}\u{93C}\u{9C7}\u{9BE}\u{9D7}\u{9CB}\u{CC6}\u{CC2}\u{CD5}\u{CCA}\u{F71}\u{F72}\u{F74}\
    \u{1100}\u{1112}\u{1161}\u{1175}\u{11A7}\u{11A8}\u{11C2}\u{AC00}\u{AC01}\u{AC1C}\u{3042}\u{304B}\
    \u{3099}\u{1D157}\u{1D165}\u{1D16E}\u{110A5}\u{110BA}\u{1133E}\u{11347}\u{16D63}\u{16D67}\u{16D68}\
    \u{16D69}\u{1611E}\u{16121}\u{16129}\u{1611F}\u{2FA1D}\u{1F600}\u{4E00}\u{644}";

/// Returns the characters that are no starters, compose or change.
fn active() -> Vec<char> {
    let is_active = |c: &char| {
        canonical_combining_class(*c) != 0
            || is_nfc_quick(std::iter::once(*c)) != IsNormalized::Yes
            || std::iter::once(*c).nfd().ne([*c]) && !('\u{AC00}'..='\u{D7A3}').contains(c)
    };
    ('\u{80}'..=char::MAX).filter(is_active).collect()
}

/// Returns seeded random lines.
fn lines() -> Vec<String> {
    let (dense, active): (Vec<_>, _) = (DENSE.chars().collect(), active());
    let mut rng = Rng::new(5198);
    let mut line = || {
        (0..1 + rng.below(12))
            .map(|_| match rng.below(5) {
                0 => active[rng.below(active.len())],
                _ => dense[rng.below(dense.len())],
            })
            .collect()
    };
    (0..40_000).map(|_| line()).collect()
}

/// Returns the numbers of the lines with a finding, from 1.
fn reported(codec: &str, text: &str, most: usize) -> BTreeSet<usize> {
    let report = findings(codec, text, most, &deny(&["not-nfc"]));
    report.lines().map(|row| row.split('\t').nth(3).unwrap().parse().unwrap()).collect()
}

/// Returns the text with the bytes of each finding normalized.
fn normalize_findings(text: &str) -> String {
    let mut normalized = String::new();
    let mut at = 0;
    for row in findings("utf-8", text, usize::MAX, &deny(&["not-nfc"])).lines() {
        let mut numbers = row.split('\t').map_while(|field| field.parse::<usize>().ok());
        let (start, len) = (numbers.next().unwrap(), numbers.next().unwrap());
        normalized.push_str(&text[at..start]);
        normalized.extend(text[start..start + len].nfc());
        at = start + len;
    }
    normalized + &text[at..]
}

#[test]
fn each_character_is_reported_that_normalization_changes() {
    let text: String = ('\0'..=char::MAX).map(|c| format!("{c}\n")).collect();
    let changes = |c: &char| std::iter::once(*c).nfc().ne([*c]);
    let expected: BTreeSet<_> = ('\0'..=char::MAX).filter(changes).collect();
    // U+000A has two lines.
    let number = |c: char| {
        let gap = if c > '\u{D7FF}' { 0x800 } else { 0 };
        c as usize + 1 - gap + usize::from(c > '\n')
    };
    let expected: BTreeSet<_> = expected.into_iter().map(number).collect();
    assert_eq!(reported("utf-8", &text, usize::MAX), expected);
    assert_eq!(reported("wtf-8", &text, usize::MAX), expected);
}

#[test]
fn text_is_reported_if_normalization_changes_it() {
    let lines = lines();
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let is_changed = |line: &&String| line.nfc().ne(line.chars());
    let numbered = (1..).zip(&lines);
    let expected: BTreeSet<_> =
        numbered.filter(|(_, line)| is_changed(line)).map(|(number, _)| number).collect();
    let most = [usize::MAX, 1, 3, 100];
    for (codec, most) in most.map(|most| ("utf-8", most)).into_iter().chain([("wtf-8", 1000)]) {
        let reported = reported(codec, &text, most);
        let wrong = reported.symmetric_difference(&expected).next();
        let wrong = wrong.map(|number| lines[number - 1].escape_unicode().to_string());
        assert_eq!(wrong, None, "{codec} by {most}");
    }
    // No line is long enough to be divided.
    let normalized = normalize_findings(&text);
    let wrong =
        normalized.lines().zip(text.nfc().collect::<String>().lines()).position(|(a, b)| a != b);
    assert_eq!(wrong.map(|at| lines[at].escape_unicode().to_string()), None);
    let Some(answers) = python(PYTHON, text.as_bytes()) else { return };
    let answers: Vec<_> = answers.lines().collect();
    assert_eq!(answers.len(), lines.len());
    assert!(answers.iter().filter(|answer| **answer != "?").count() > 10_000);
    for ((number, line), answer) in (1..).zip(&lines).zip(answers) {
        let is_reported = expected.contains(&number);
        assert!(answer == "?" || (answer == "0") == is_reported, "{}", line.escape_unicode());
    }
}

#[test]
fn long_series_of_marks_are_divided() {
    let is_reported = |text: &str| {
        let all = reported("utf-8", text, usize::MAX);
        assert_eq!(reported("utf-8", text, 7), all);
        assert_eq!(reported("wtf-8", text, 1000), all);
        !all.is_empty()
    };
    let many = |text: &str| text.repeat(100_000);
    assert!(!is_reported(&format!("x{}", many("\u{301}"))));
    assert!(is_reported(&format!("x{}\u{316}y", many("\u{301}"))));
    assert!(is_reported(&format!("x{}", many("\u{301}\u{316}"))));
    assert!(!is_reported(&many("\u{34F}\u{316}\u{301}")));
    assert!(!is_reported(&format!("\u{AC00}{}", many("\u{1161}"))));
    assert!(is_reported(&many("\u{1112}\u{1161}\u{11AB}")));
    // All of them are in one line; parts before the change are not reported.
    let text = format!("x{}\u{316}", "\u{301}".repeat(100));
    let report = report("json", "utf-8", &text, 50, &deny(&["not-nfc"]));
    let finding: serde_json::Value = serde_json::from_str(report.lines().next().unwrap()).unwrap();
    assert_eq!(finding["offset"], 1 + 2 * 95);
    assert_eq!(finding["length"], 12);
    assert_eq!(finding["column_chars"], 97);
    assert_eq!(
        finding["message"],
        "U+0301 U+0301 U+0301 U+0301 U+0301 U+0316 is U+0316 U+0301 U+0301 U+0301 U+0301 U+0301 in NFC"
    );
}
