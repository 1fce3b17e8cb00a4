//! How much of a text in a code page is UTF-8?
//!
//! Files grow together out of lines in a page and lines of UTF-8. What tells them is runs of bytes
//! beyond ASCII that are UTF-8 from end to end, of characters that the page has, too: `Ã©` among
//! `é`. In text of one page, hardly one run in a hundred is such (`ли` in ibm855, most of all). So
//! the test is whether one in sixteen explains the runs better than one in a hundred. What passes
//! it is damaged UTF-8: to read the rest in the page saves all of it, whatever the shares are.

use super::legacy::LegacySample;
use crate::codec::{Escapes, Step, TextWriter};
use crate::policy;
use crate::registry::Encoding;

/// What a run that is UTF-8 weighs, in sixteenths of a nat: the share that it has in mixed text to
/// the one that it has in a page.
const UTF8: i64 = 29;

/// What any other run weighs.
const OTHER: i64 = -1;

/// A text of one page is that much more common: three runs are as likely as not.
const PRIOR: i64 = -80;

/// From so many characters on, a run is UTF-8 whatever the page has.
const LONG: usize = 3;

/// What was counted in a sample of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MixtureCounts {
    /// How many runs of bytes beyond ASCII are UTF-8.
    pub utf8: u64,
    /// How many there are.
    pub runs: u64,
}

/// The runs of bytes beyond ASCII in a sample.
pub(super) struct HighRuns {
    /// Those that are UTF-8.
    utf8: Vec<String>,
    all: u64,
}

impl HighRuns {
    /// Those of a sample that nothing more comes to.
    pub fn of(sample: &mut LegacySample) -> HighRuns {
        sample.end();
        let runs = sample.windows().flat_map(|window| window.split(u8::is_ascii));
        let runs = runs.filter(|run| !run.is_empty());
        runs.fold(HighRuns { utf8: Vec::new(), all: 0 }, |HighRuns { mut utf8, all }, run| {
            utf8.extend(std::str::from_utf8(run).map(str::to_owned));
            HighRuns { utf8, all: all + 1 }
        })
    }

    /// Count those that are hardly UTF-8 by chance, if the rest is likely in this codec. `None` if
    /// it is no code page: in other sets, a run is all sorts of text.
    pub fn mixed(&self, page: &Encoding) -> Option<MixtureCounts> {
        policy::fallback(page.name).ok()?;
        let mut writer = (page.write)(Escapes::Usual);
        let utf8 = self.utf8.iter().filter(|run| is_meant(run, &mut *writer)).count();
        Some(MixtureCounts { utf8: utf8 as u64, runs: self.all })
    }
}

/// Whether a run of UTF-8 is hardly so by chance, in text of a page.
fn is_meant(run: &str, page: &mut dyn TextWriter) -> bool {
    let mut out = Vec::new();
    let mut has = |c| matches!(c, '\u{2010}'..='\u{203A}' | '€') || page.put(c.into(), &mut out);
    run.chars().nth(LONG - 1).is_some() || run.chars().all(&mut has)
}

/// Whether a line has UTF-8 that is hardly text of a page: it stands for characters that are likely
/// there, and what the page makes of it is no word.
pub(super) fn tells(line: &[u8], page: &Encoding) -> bool {
    let mut writer = (page.write)(Escapes::Usual);
    let mut runs = line.split(u8::is_ascii).filter(|run| !run.is_empty());
    runs.any(|run| {
        let utf8 = std::str::from_utf8(run).ok();
        let likely = utf8.filter(|utf8| has_long(utf8) || is_meant(utf8, &mut *writer));
        likely.is_some() && !is_word(run, page)
    })
}

/// Whether it has a character of three bytes or more.
fn has_long(run: &str) -> bool {
    run.chars().any(|c| c.len_utf8() > 2)
}

/// Whether a page makes a word of a run: letters, no capital of them behind a small one, and within
/// it, apostrophes.
fn is_word(run: &[u8], page: &Encoding) -> bool {
    let read = |&byte: &u8| match (page.step)(&[byte]) {
        Step::Scalar { value, .. } => char::from_u32(value).unwrap_or_default(),
        _ => char::default(),
    };
    let word: Vec<char> = run.iter().map(read).collect();
    let last = word.len() - 1;
    let letters = word.iter().enumerate().all(|(at, &c)| is_letter(c) || c == '’' && at < last);
    letters && !word.windows(2).any(|pair| pair[0].is_lowercase() && pair[1].is_uppercase())
}

/// Whether it is a letter, or one of the signs about those of Thai.
fn is_letter(c: char) -> bool {
    c.is_alphabetic() || matches!(c, '\u{E31}'..='\u{E4E}')
}

impl MixtureCounts {
    /// How likely it is that the text is in two encodings.
    pub(super) fn probability(self) -> f64 {
        let others = self.runs - self.utf8;
        let sum = PRIOR + UTF8 * self.utf8 as i64 + OTHER * others as i64;
        1.0 / (1.0 + (-(sum as f64) / 16.0).exp())
    }
}
