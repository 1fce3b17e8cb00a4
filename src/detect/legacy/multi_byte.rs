//! What does a text cost that a set of East Asia makes of the bytes?

use super::model::{BIT, CLASSES, Ideographic, Model};
use super::pages::{MultiByteSet, SETS};
use super::pairs::Pairs;
use super::sample::LegacySample;
use super::single_byte::EnglishCosts;
use super::{CandidateText, RankedCandidate, ranked};
use crate::registry::by_name;

/// U+0020.
const BLANK: u16 = 0x20;

/// What it costs that a text is in a multi-byte set. By hand: one in four texts beyond ASCII.
const COST: i64 = 2 * BIT;

/// What it costs that the input ends within a sequence, and each byte of that one: these tell
/// nothing of the text. By hand: what a byte costs that is as likely as any other.
const CUT: i64 = 8 * BIT;

/// What a character alone among ASCII costs. By hand: a degree sign is likelier.
const ALONE: i64 = 6 * BIT;

/// The sets that hold the sample, each with its best language, the cheapest first.
pub(super) fn sets(model: &Model, sample: &LegacySample, pairs: &Pairs) -> Vec<RankedCandidate> {
    let mixed = pairs.mixed(pairs.runs(|byte| byte >= 0x80));
    let english = EnglishCosts::of(model);
    let held = SETS.iter().enumerate().filter(|&(at, _)| sample.is_in(at));
    let mut sets: Vec<RankedCandidate> = held
        .filter_map(|(at, set)| {
            let text = decoded(set, sample.windows());
            let counts = SyllableCounts::of(&text);
            let languages =
                model.ideographic.iter().filter(|one| set.languages.contains(&one.name));
            let (cost, language) = languages.map(|one| (counts.cost(one), one.name)).min()?;
            let ascii = pairs.weigh(counts.ascii(&english));
            let cost = cost + ascii + mixed + COST + cut(sample.cut(at));
            let name = if set.name == "gbk" && sample.has_four() { "gb18030" } else { set.name };
            Some(ranked(by_name(name), language, cost, CandidateText::Set(text, sample.cut(at))))
        })
        .collect();
    sets.sort_by_key(|one| one.candidate.cost);
    sets
}

/// Whether a character stands among ASCII, as a sign of another set does. Dates and numbers have
/// such, too.
fn is_alone(text: &[u16]) -> bool {
    let ascii = |unit: u16| unit < 0x80 && !(0x30..0x3A).contains(&unit);
    matches!(*text, [before, 0x4E00..=0xD7A3 | 0xFF61..=0xFF9F, after] if ascii(before) && ascii(after))
}

/// What it costs that so many bytes at the end are a cut sequence.
fn cut(bytes: usize) -> i64 {
    if bytes == 0 { 0 } else { CUT * (1 + bytes as i64) }
}

/// The text of the windows in UTF-16, a blank behind each. A sequence that the end of one cuts is
/// left out.
fn decoded<'a>(set: &MultiByteSet, windows: impl Iterator<Item = &'a [u8]>) -> Vec<u16> {
    let mut text = Vec::new();
    for window in windows {
        let mut decoder = set.encoding.new_decoder_without_bom_handling();
        let start = text.len();
        let room = decoder.max_utf16_buffer_length(window.len()).unwrap_or_default();
        text.resize(start + room, 0);
        let (_, _, written) =
            decoder.decode_to_utf16_without_replacement(window, &mut text[start..], false);
        text.truncate(start + written);
        text.push(BLANK);
    }
    text
}

/// What is in a text, and how often.
struct SyllableCounts {
    /// Pairs of ASCII.
    ascii: Vec<[u8; 2]>,
    /// Other pairs, by their classes.
    classes: [[i64; CLASSES]; CLASSES],
    /// How many there are of each code point beyond ASCII, and of all of them.
    characters: Vec<u16>,
    beyond: i64,
    /// How many ideographs and syllables are alone among ASCII that is no digit.
    alone: i64,
}

impl SyllableCounts {
    /// Count those of a text, which stands behind a blank.
    fn of(text: &[u16]) -> SyllableCounts {
        let mut counts = SyllableCounts {
            ascii: Vec::new(),
            classes: [[0; CLASSES]; CLASSES],
            characters: vec![0; 1 << 16],
            beyond: 0,
            alone: text.windows(3).filter(|text| is_alone(text)).count() as i64,
        };
        let mut before = (BLANK, class(BLANK));
        for &unit in text {
            let next = (unit, class(unit));
            if before.0 < 0x80 && unit < 0x80 {
                counts.ascii.push([before.0 as u8, unit as u8]);
            } else {
                counts.classes[before.1][next.1] += 1;
                if unit >= 0x80 {
                    counts.characters[usize::from(unit)] += 1;
                    counts.beyond += 1;
                }
            }
            before = next;
        }
        counts
    }

    /// What the pairs of ASCII cost.
    fn ascii(&self, english: &EnglishCosts) -> i64 {
        self.ascii.iter().map(|&pair| english.cost(pair)).sum()
    }

    /// What the others cost in a language, and the language itself.
    fn cost(&self, language: &Ideographic) -> i64 {
        let pairs = self.classes.as_flattened().iter().zip(language.pairs);
        let pairs: i64 = pairs.map(|(number, &cost)| number * i64::from(cost)).sum();
        pairs
            + language.characters(&self.characters, self.beyond)
            + i64::from(language.cost)
            + self.alone * ALONE
    }
}

/// The class of a character. The order is that of the tables.
fn class(unit: u16) -> usize {
    match unit {
        0..=0x20 => 0,
        0x41..=0x5A | 0x61..=0x7A => 1,
        0x30..=0x39 => 2,
        0x21..=0x2F | 0x3A..=0x40 | 0x5B..=0x60 | 0x7B..=0x7F => 3,
        0x3000..=0x303F | 0xB7 | 0x2010..=0x2026 => 4,
        0xFF01..=0xFF0F | 0xFF1A..=0xFF20 | 0xFF3B..=0xFF40 | 0xFF5B..=0xFF60 => 4,
        0x3041..=0x309F => 5,
        0x30A0..=0x30FF => 6,
        0xFF61..=0xFF9F => 7,
        0x4E00..=0x9FFF => 8,
        0xAC00..=0xD7A3 => 9,
        0xFF10..=0xFF19 | 0xFF21..=0xFF3A | 0xFF41..=0xFF5A => 10,
        _ => 11,
    }
}
