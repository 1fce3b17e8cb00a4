//! Mixtures: text in a code page that contains UTF-8.
//!
//! Files are joined from lines in a code page and lines in UTF-8. The evidence is runs of bytes
//! beyond ASCII that are UTF-8 from end to end and stand for characters that the page has too: `Ã©`
//! among `é`. In text of a single page, hardly one run in a hundred is UTF-8 by chance (the most in
//! ibm855, as in `ли`). The test compares two hypotheses: one run in sixteen is UTF-8 (a mixture),
//! or one in a hundred (a single page). A mixture is reported as damaged UTF-8 whatever the shares
//! of the two encodings, because decoding the remaining bytes in the page preserves all text.

use super::legacy::LegacySample;
use crate::codec::Step;
use crate::policy;
use crate::registry::Encoding;

/// The weight of a run that is UTF-8, in sixteenths of a nat: the logarithm of the ratio of its
/// shares in a mixture and in a single page.
const UTF8_RUN: i64 = 29;

/// The weight of any other run, in the same unit.
const OTHER_RUN: i64 = -1;

/// The sum without any run: text of a single page is more common. Three runs make both hypotheses
/// about equally likely.
const PRIOR: i64 = -80;

/// The number of code points from which a run of UTF-8 counts even if the page lacks its characters.
const LONG_RUN: usize = 3;

/// Counts of runs of bytes beyond ASCII in a sample of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MixtureCounts {
    /// The number of runs that are UTF-8, and hardly by chance.
    pub utf8: u64,
    /// The number of all runs.
    pub runs: u64,
}

/// The runs of bytes beyond ASCII in a sample.
pub(super) struct HighRuns {
    /// The runs that are UTF-8.
    utf8: Vec<String>,
    /// The number of all runs.
    all: u64,
}

impl HighRuns {
    /// Collects the runs of a sample, and ends the sample.
    pub fn of(sample: &mut LegacySample) -> HighRuns {
        sample.finish();
        let runs = sample.windows().flat_map(|window| window.split(u8::is_ascii));
        let runs = runs.filter(|run| !run.is_empty());
        runs.fold(HighRuns { utf8: Vec::new(), all: 0 }, |HighRuns { mut utf8, all }, run| {
            utf8.extend(std::str::from_utf8(run).map(str::to_owned));
            HighRuns { utf8, all: all + 1 }
        })
    }

    /// Counts the runs for a mixture of UTF-8 and this page. Returns `None` for an encoding that is
    /// no code page: runs in multi-byte sets are UTF-8 by chance too often.
    pub fn counts(&self, page: &Encoding) -> Option<MixtureCounts> {
        policy::fallback(page.name).ok()?;
        let utf8 = self.utf8.iter().filter(|run| is_deliberate(run, page)).count();
        Some(MixtureCounts { utf8: utf8 as u64, runs: self.all })
    }
}

impl MixtureCounts {
    /// Returns the probability of a mixture, 0..=1.
    pub(super) fn probability(self) -> f64 {
        let others = self.runs - self.utf8;
        let sum = PRIOR + UTF8_RUN * self.utf8 as i64 + OTHER_RUN * others as i64;
        1.0 / (1.0 + (-(sum as f64) / 16.0).exp())
    }
}

/// Returns `true` if a run of UTF-8 in text of a page is hardly UTF-8 by chance: it is long, or the
/// page has all its characters. Typographic punctuation and the euro sign count for every page.
fn is_deliberate(run: &str, page: &Encoding) -> bool {
    let has = |c| matches!(c, '\u{2010}'..='\u{203A}' | '€') || page.can_encode(c.into());
    run.chars().nth(LONG_RUN - 1).is_some() || run.chars().all(has)
}

/// Returns `true` if a line has UTF-8 that is hardly text of a page: a run that stands for likely
/// characters as UTF-8, and for no word in the page.
pub(super) fn has_deliberate_utf8(line: &[u8], page: &Encoding) -> bool {
    let mut runs = line.split(u8::is_ascii).filter(|run| !run.is_empty());
    runs.any(|run| {
        let utf8 = std::str::from_utf8(run).ok();
        let likely = utf8.filter(|utf8| has_long_sequence(utf8) || is_deliberate(utf8, page));
        likely.is_some() && !is_word(run, page)
    })
}

/// Returns `true` if a run has a sequence of three bytes or more.
fn has_long_sequence(run: &str) -> bool {
    run.chars().any(|c| c.len_utf8() > 2)
}

/// Returns `true` if a run decodes to a word in a page: letters, with apostrophes inside only, and
/// no capital directly after a small letter.
fn is_word(run: &[u8], page: &Encoding) -> bool {
    let decode = |&byte: &u8| match page.step(&[byte]) {
        Step::Scalar { value, .. } => char::from_u32(value).unwrap_or_default(),
        _ => char::default(),
    };
    let word: Vec<char> = run.iter().map(decode).collect();
    let last = word.len() - 1;
    let letters = word.iter().enumerate().all(|(at, &c)| is_letter(c) || c == '’' && at < last);
    letters && !word.windows(2).any(|pair| pair[0].is_lowercase() && pair[1].is_uppercase())
}

/// Returns `true` if a character is a letter, or a Thai vowel sign or tone mark.
fn is_letter(c: char) -> bool {
    c.is_alphabetic() || matches!(c, '\u{E31}'..='\u{E4E}')
}
