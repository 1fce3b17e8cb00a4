//! Mixtures: text in a legacy encoding that contains UTF-8.
//!
//! Files are joined from lines in a legacy encoding and lines in UTF-8. There are two tests; the
//! likelier result counts. A mixture is reported as damaged UTF-8 whatever the shares of the two
//! encodings, because decoding the remaining bytes in the legacy encoding preserves all text.
//!
//! The evidence in code pages is runs of bytes beyond ASCII that are UTF-8 from end to end and stand
//! for characters that the page has too: `Ã©` among `é`. In text of a single page, hardly one run in
//! a hundred is UTF-8 by chance (the most in ibm855, as in `ли`). The test compares two hypotheses:
//! one run in sixteen is UTF-8 (a mixture), or one in a hundred (a single page).
//!
//! The evidence in all encodings is whole lines of several well-formed sequences, beside ill-formed
//! lines. The ill-formed lines tell how often a sequence is well-formed by chance in the text at
//! hand: hardly ever in most code pages, one in five in GBK. That gives the number of lines like the
//! well-formed one that chance explains.

use std::collections::HashSet;
use std::iter::Sum;

use super::legacy::{LegacySample, is_successor};
use super::utf8_test::is_of_rare_script;
use crate::codec::Step;
use crate::codec::family::continues;
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

/// The least share of well-formed sequences that is assumed of legacy text. The sequences of a line
/// depend on each other, so that a smaller share would count too much.
const LEAST_SHARE: f64 = 1.0 / 64.0;

/// The least number of well-formed sequences in a line of UTF-8 that is evidence.
const LEAST_SEQUENCES: u64 = 2;

/// Counts of runs of bytes beyond ASCII in a sample of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MixtureCounts {
    /// The number of runs that are UTF-8, and hardly by chance.
    pub utf8: u64,
    /// The number of all runs.
    pub runs: u64,
}

/// A mixture of UTF-8 and a legacy encoding that is possible.
pub(super) struct PossibleMixture {
    pub counts: MixtureCounts,
    /// The probability of the mixture, 0..=1.
    pub probability: f64,
}

/// The runs of bytes beyond ASCII in a sample, and the lines that have some.
#[derive(Default)]
pub(super) struct HighRuns {
    /// The runs that are UTF-8 and not the successor of the run before.
    utf8: Vec<Utf8Run>,
    /// The number of all runs.
    all: u64,
    /// The last run of the lines so far.
    last: Vec<u8>,
    /// The numbers of sequences in well-formed lines, those of runs that an earlier line has left out.
    well_formed: Vec<u64>,
    /// The number of ill-formed lines with other runs than earlier lines.
    ill_formed: u64,
    /// The numbers of sequences in these lines, counted likewise.
    sequences: SequenceTally,
}

/// A run that is UTF-8.
struct Utf8Run {
    text: String,
    /// True if its line is UTF-8 and evidence.
    is_in_utf8: bool,
}

/// The numbers of sequences beyond ASCII.
#[derive(Clone, Copy, Default)]
struct SequenceTally {
    well_formed: u64,
    ill_formed: u64,
}

impl HighRuns {
    /// Collects the runs and lines of a sample, and ends the sample.
    pub fn of(sample: &mut LegacySample) -> HighRuns {
        sample.finish();
        let mut runs = HighRuns::default();
        let mut seen = HashSet::new();
        for window in sample.windows() {
            for line in without_cut(window).split(|byte| matches!(byte, b'\n' | b'\r')) {
                runs.add_line(line, &mut seen);
            }
        }
        runs
    }

    /// Adds a line. A run is evidence once: words and lines return. It is none after the run before it in
    /// the order of codes: in a table with a character a line, one being UTF-8 explains the next.
    fn add_line<'a>(&mut self, line: &'a [u8], seen: &mut HashSet<&'a [u8]>) {
        let runs = line.split(u8::is_ascii).filter(|run| !run.is_empty());
        let runs: Vec<_> = runs.map(|run| (run, SequenceTally::of(run))).collect();
        let all: SequenceTally = runs.iter().map(|(_, tally)| *tally).sum();
        let is_utf8 = all.ill_formed == 0 && all.well_formed >= LEAST_SEQUENCES;
        self.all += runs.len() as u64;
        for (run, _) in &runs {
            if !is_successor(run, &self.last)
                && let Ok(text) = std::str::from_utf8(run)
            {
                self.utf8.push(Utf8Run { text: text.to_owned(), is_in_utf8: is_utf8 });
            }
            self.last.clear();
            self.last.extend_from_slice(run);
        }
        let new = runs.into_iter().filter(|(run, _)| seen.insert(run));
        let new: SequenceTally = new.map(|(_, tally)| tally).sum();
        if is_utf8 && new.well_formed > 0 {
            self.well_formed.push(new.well_formed);
        } else if all.ill_formed > 0 && new.all() > 0 {
            self.ill_formed += 1;
            self.sequences.well_formed += new.well_formed;
            self.sequences.ill_formed += new.ill_formed;
        }
    }

    /// Returns the mixture of UTF-8 and the likeliest legacy encoding of the sample.
    pub fn mixture(&self, legacy: &Encoding) -> PossibleMixture {
        // Runs in multi-byte sets are UTF-8 by chance too often.
        let is_page = policy::fallback(legacy.name).is_ok();
        let deliberate = |run: &Utf8Run| is_page && is_deliberate(&run.text, legacy);
        let utf8 = self.utf8.iter().filter(|run| deliberate(run)).count() as u64;
        let (by_runs, by_lines) = (self.sum_of_runs(utf8), self.sum_of_lines());
        let is_by_lines = by_lines > by_runs;
        let utf8 = match is_by_lines {
            true => self.utf8.iter().filter(|run| run.is_in_utf8 || deliberate(run)).count() as u64,
            false => utf8,
        };
        PossibleMixture {
            counts: MixtureCounts { utf8, runs: self.all },
            probability: 1.0 / (1.0 + (-by_runs.max(by_lines)).exp()),
        }
    }

    /// Returns the logarithm of the odds of a mixture, by its number of runs of UTF-8.
    fn sum_of_runs(&self, utf8: u64) -> f64 {
        let others = self.all - utf8;
        (PRIOR + UTF8_RUN * utf8 as i64 + OTHER_RUN * others as i64) as f64 / 16.0
    }

    /// Returns the logarithm of the odds of a mixture, by its lines.
    fn sum_of_lines(&self) -> f64 {
        if self.ill_formed == 0 {
            return f64::NEG_INFINITY;
        }
        let SequenceTally { well_formed, ill_formed } = self.sequences;
        let share = (well_formed + 1) as f64 / (well_formed + ill_formed + 2) as f64;
        let weight = -share.max(LEAST_SHARE).ln();
        let lines = ((self.ill_formed + self.well_formed.len() as u64) as f64).ln();
        let evidence = self.well_formed.iter().map(|&sequences| sequences as f64 * weight - lines);
        PRIOR as f64 / 16.0 + evidence.filter(|&evidence| evidence > 0.0).sum::<f64>()
    }
}

impl SequenceTally {
    /// Counts the sequences of a run. Those of rare scripts count as ill-formed: legacy text has them
    /// more often than UTF-8 has. Those in the order of their code points are not counted: in a table
    /// of a multi-byte set, one being well-formed explains the next.
    fn of(run: &[u8]) -> SequenceTally {
        let mut count = SequenceTally::default();
        for chunk in run.utf8_chunks() {
            count.ill_formed += u64::from(!chunk.invalid().is_empty());
            let mut before: &[u8] = &[];
            for sequence in chunk.valid().as_bytes().chunk_by(|_, &next| continues(next)) {
                match is_of_rare_script(sequence) {
                    true => count.ill_formed += 1,
                    false => count.well_formed += u64::from(!is_successor(sequence, before)),
                }
                before = sequence;
            }
        }
        count
    }

    fn all(self) -> u64 {
        self.well_formed + self.ill_formed
    }
}

impl Sum for SequenceTally {
    fn sum<I: Iterator<Item = SequenceTally>>(tallies: I) -> SequenceTally {
        tallies.fold(SequenceTally::default(), |sum, tally| SequenceTally {
            well_formed: sum.well_formed + tally.well_formed,
            ill_formed: sum.ill_formed + tally.ill_formed,
        })
    }
}

/// Returns a window without the sequence that its end cuts.
fn without_cut(window: &[u8]) -> &[u8] {
    let last = window.iter().rposition(|&byte| !continues(byte)).unwrap_or_default();
    let is_cut =
        std::str::from_utf8(&window[last..]).is_err_and(|error| error.error_len().is_none());
    if is_cut { &window[..last] } else { window }
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
