//! What does a text cost that a set of East Asia makes of the bytes?

use super::model::{BIT, Ideographic, Model};
use super::pages::{SETS, Set};
use super::pairs::Pairs;
use super::sample::Sample;
use super::score::English;
use super::{Ranked, Text, ranked};

/// What it costs that a text is in a multi-byte set.
const COST: i64 = 2 * BIT;

/// What it costs that the input ends within a sequence, and each byte of that one: these tell
/// nothing of the text.
const CUT: i64 = 8 * BIT;

/// The sets that hold the sample, each with its best language.
pub(super) fn sets(model: &Model, sample: &Sample, pairs: &Pairs) -> Vec<Ranked> {
    let mixed = pairs.mixed(pairs.runs(|byte| byte >= 0x80));
    let held = SETS.iter().enumerate().filter(|&(at, _)| sample.is_in(at));
    held.filter_map(|(at, set)| {
        let text = Units::of(sample.windows().map(|window| decoded(set, window)));
        let ascii = pairs.weigh(text.ascii(&English::of(model)));
        let costs = model.ideographic.iter().filter(|one| set.languages.contains(&one.name));
        let (cost, language) = costs.map(|one| (text.cost(one), one.name)).min()?;
        let cost = cost + ascii + mixed + COST + cut(sample.cut(at));
        Some(ranked(set.name, language, cost, Text::Set(set.name)))
    })
    .collect()
}

/// What it costs that so many bytes at the end are a cut sequence.
fn cut(bytes: usize) -> i64 {
    if bytes == 0 { 0 } else { CUT * (1 + bytes as i64) }
}

/// The text of a window. A sequence that its end cuts is left out.
fn decoded(set: &Set, window: &[u8]) -> Vec<u16> {
    let mut decoder = set.encoding.new_decoder_without_bom_handling();
    let room = decoder.max_utf16_buffer_length(window.len()).unwrap_or_default();
    let mut units = vec![0; room];
    let (_, _, written) = decoder.decode_to_utf16_without_replacement(window, &mut units, false);
    units.truncate(written);
    units
}

/// The text of all windows, a blank behind each, in UTF-16.
struct Units(Vec<u16>);

impl Units {
    fn of(windows: impl Iterator<Item = Vec<u16>>) -> Units {
        let blank = [u16::from(b' ')];
        Units(windows.fold(blank.to_vec(), |text, window| [text, window, blank.to_vec()].concat()))
    }

    fn pairs(&self) -> impl Iterator<Item = [u16; 2]> {
        self.0.windows(2).map(|pair| [pair[0], pair[1]])
    }

    /// What the pairs of ASCII cost.
    fn ascii(&self, english: &English) -> i64 {
        let plain = self.pairs().filter(|pair| pair.iter().all(|&unit| unit < 0x80));
        plain.map(|pair| english.cost(pair.map(|unit| unit as u8))).sum()
    }

    /// What the others cost in a language, and the language itself.
    fn cost(&self, language: &Ideographic) -> i64 {
        let characters = language.characters();
        let wide = self.pairs().filter(|pair| pair.iter().any(|&unit| unit >= 0x80));
        let costs = wide.map(|[before, unit]| {
            let among = if unit < 0x80 { 0 } else { i64::from(characters[usize::from(unit)]) };
            language.pair(class(before), class(unit)) + among
        });
        costs.sum::<i64>() + i64::from(language.cost)
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
