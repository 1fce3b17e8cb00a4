//! Is what is not ASCII meant to be UTF-8?
//!
//! A sequential test (Wald, 1945): each well-formed sequence speaks for UTF-8, each ill-formed one
//! against it, by as much as it is likelier there than in text of a code page. Once the sum is
//! beyond a bound, the rest of the input cannot turn it, and need not be asked. That a text is not
//! meant to be UTF-8 as a whole does not say that it has none: see [`mixed`](super::mixture).

use crate::codec::family::continues;
use crate::issue::{Class, Issue, Kind};

/// What a sequence weighs, in eighths of a nat: 2.4 to 1 for one of two bytes. In code pages, pairs
/// of a lead and a continuation are not rare; in Thai, even three such bytes are not.
const WELL_FORMED: [i32; 3] = [7, 9, 14];

/// What one weighs that stands for a character of a script that few texts have.
const UNUSUAL: i32 = 2;

/// What an ill-formed sequence weighs: 1.9 to 1.
const ILL_FORMED: i32 = -5;

/// What a sequence of two or three bytes weighs that lacks only its last, at the end of the input.
const CUT: i32 = 3;

/// UTF-8 is that much more common, in eighths of a nat.
const PRIOR: i32 = 4;

/// Text of which nothing is left but damage is rare: what the first sequence weighs besides that is
/// none.
const FIRST: i32 = 24;

/// From where on chance is no explanation, in some hundred lines: 400 to 1.
const CHANCE: i32 = 48;

/// From where on it is settled.
const BOUND: i32 = 1024;

/// After how many sequences it is settled in any case.
const MOST: u32 = 8192;

/// The test.
#[derive(Clone, Debug)]
pub(super) struct Utf8Test {
    sum: i32,
    number: u32,
    /// How many sequences were ill-formed.
    ill_formed: u32,
    /// How often an ill-formed sequence and a well-formed one touch.
    touching: u32,
    /// The end of the last sequence, and whether it was ill-formed.
    last: (u64, bool),
    /// Whether any sequence spoke for it, and not of a script that few texts have.
    begun: bool,
}

impl Default for Utf8Test {
    fn default() -> Utf8Test {
        Utf8Test {
            sum: PRIOR - FIRST,
            number: 0,
            ill_formed: 0,
            touching: 0,
            last: (0, false),
            begun: false,
        }
    }
}

/// What the test says so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TestResult {
    /// More is to be known.
    Open,
    /// It is meant to be UTF-8.
    Utf8,
    /// It is not.
    Other,
}

impl Utf8Test {
    /// What is settled.
    pub fn finding(&self) -> TestResult {
        match self.sum.abs() >= BOUND || self.number >= MOST {
            false => TestResult::Open,
            true if self.sum > 0 => TestResult::Utf8,
            true => TestResult::Other,
        }
    }

    /// Whether UTF-8 is more likely than not.
    pub fn utf8(&self) -> bool {
        self.sum > 0
    }

    /// Whether UTF-8 is more likely than not, whatever else there is.
    pub fn is_mostly(&self) -> bool {
        self.utf8() && !self.is_contested()
    }

    /// Whether text of another set is hardly such by chance, even if there is much of it.
    pub fn is_beyond_chance(&self) -> bool {
        self.sum >= CHANCE && !self.is_contested()
    }

    /// How likely UTF-8 is.
    pub fn probability(&self) -> f64 {
        1.0 / (1.0 + (-f64::from(self.sum) / 8.0).exp())
    }

    /// Whether a third of the sequences or more are ill-formed, and many of them touch others:
    /// these may be pairs of another set, and UTF-8 by chance.
    pub fn is_contested(&self) -> bool {
        let [ill_formed, touching, number] =
            [self.ill_formed, self.touching, self.number].map(u64::from);
        ill_formed * 3 >= number && touching * 4 >= number
    }

    /// How likely UTF-8 is, where the likeliest text of another set has this confidence. One that
    /// reads well counts against a contested UTF-8.
    pub fn against(&self, legacy: f64) -> f64 {
        let utf8 = self.probability();
        if !self.is_contested() || legacy <= 0.5 {
            return utf8;
        }
        let other = (1.0 - utf8) * legacy;
        let utf8 = utf8 * (1.0 - legacy);
        utf8 / (utf8 + other)
    }

    /// A signature says that it is UTF-8.
    pub fn sign(&mut self) {
        self.sum += BOUND;
    }

    /// Count the well-formed sequences of a text from its front, until all is settled.
    pub fn well_formed(&mut self, mut offset: u64, text: &[u8]) {
        for sequence in text.chunk_by(|_, &next| continues(next)) {
            if self.finding() != TestResult::Open {
                return;
            }
            if !sequence.is_ascii() {
                self.touch(offset, sequence.len(), false);
                self.add(weight(sequence));
            }
            offset += sequence.len() as u64;
        }
    }

    /// Count an ill-formed sequence.
    pub fn ill_formed(&mut self, issue: &Issue) {
        let weight = match issue.kind {
            Kind::TruncatedEnd if issue.len > 1 => CUT,
            _ if is_form(issue) => WELL_FORMED[2],
            _ => ILL_FORMED,
        };
        self.ill_formed += u32::from(weight < 0);
        self.touch(issue.offset, issue.len.into(), true);
        self.add(weight);
    }

    /// Go on with text that was counted by itself. It counts even if all was settled before: it need
    /// not stand behind it.
    pub fn join(&mut self, other: &Utf8Test) {
        let first = if self.begun && other.begun { FIRST } else { 0 };
        self.sum = self.sum.saturating_add(other.sum - (PRIOR - FIRST) - first);
        self.number = self.number.saturating_add(other.number);
        self.ill_formed = self.ill_formed.saturating_add(other.ill_formed);
        self.touching = self.touching.saturating_add(other.touching);
        self.begun |= other.begun;
    }

    /// See whether a sequence touches one of the other kind.
    fn touch(&mut self, offset: u64, len: usize, ill_formed: bool) {
        self.touching += u32::from(self.last == (offset, !ill_formed));
        self.last = (offset + len as u64, ill_formed);
    }

    fn add(&mut self, weight: i32) {
        if weight > UNUSUAL && !std::mem::replace(&mut self.begun, true) {
            self.sum += FIRST;
        }
        self.sum += weight;
        self.number += 1;
    }
}

/// What a well-formed sequence weighs.
fn weight(sequence: &[u8]) -> i32 {
    match sequence {
        // U+0240..036F, U+0480..0560, U+0700..08FF, U+0E80..1DFF, U+A000..ABFF
        [0xD5, 0x80..=0xA0] => UNUSUAL,
        [0xC9..=0xCD | 0xD2..=0xD4 | 0xDC..=0xDF, _] => UNUSUAL,
        [0xE0, 0xA0..=0xA3 | 0xBA..=0xBF, _] | [0xE1, 0x80..=0xB7, _] => UNUSUAL,
        [0xEA, 0x80..=0xAF, _] => UNUSUAL,
        _ => WELL_FORMED[sequence.len().clamp(2, 4) - 2],
    }
}

/// Whether it is a whole sequence of some relative of UTF-8, which other text hardly has.
pub(super) fn is_form(issue: &Issue) -> bool {
    match issue.kind {
        Kind::OverlongNul | Kind::SurrogatePair => true,
        Kind::FiveByte => issue.len == 5,
        Kind::SixByte => issue.len == 6,
        Kind::Above10ffff => issue.len == 4,
        kind => kind.class() == Class::Surrogate && issue.len == 3,
    }
}
