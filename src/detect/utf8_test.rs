//! A sequential test of whether the sequences beyond ASCII are meant to be UTF-8.
//!
//! The hypotheses are that the text is UTF-8, possibly damaged, and that it is in a legacy encoding.
//! Each sequence adds a weight to a sum: the logarithm of the ratio of its likelihoods under the two
//! hypotheses. A well-formed sequence is likelier in UTF-8 and adds a positive weight; an ill-formed
//! one adds a negative weight. The weights are in eighths of a nat, so that the odds for UTF-8 are
//! exp(sum / 8). Once the sum is beyond a bound, the rest of the input cannot change the result and
//! is not counted (Wald's sequential probability ratio test, 1945).
//!
//! Text that is not meant to be UTF-8 as a whole can still contain some: see
//! [`mixture`](super::mixture).
//!
//! Overlong forms that stand for the `.`, `/` and `\` of a path (`..\xC0\xAF..`) speak for UTF-8:
//! attacks on decoders have them, and no text has these bytes at such places.

use crate::codec::family::continues;
use crate::issue::{Class, Interruption, Issue};

/// The weights of well-formed sequences of two, three and four bytes. For two bytes, the ratio is
/// only 2.4 to 1: in code pages, a lead byte followed by a continuation byte is not rare. In Thai
/// code pages, the same holds for three bytes.
const WELL_FORMED: [i32; 3] = [7, 9, 14];

/// The weight of a well-formed sequence in a script that few texts use.
const RARE_SCRIPT: i32 = 2;

/// The weight of a well-formed sequence of two bytes whose last byte also precedes it, in a run of bytes
/// beyond ASCII that starts with a continuation byte. In sets of East Asia, all letters of an alphabet
/// have one lead byte; where it is a continuation byte, the trail byte of each letter and the lead byte of
/// the next one may be UTF-8.
const OUT_OF_STEP: i32 = 0;

/// The weight of an ill-formed sequence: 1 to 1.9.
const ILL_FORMED: i32 = -5;

/// The weight of a sequence of two or three bytes that lacks only its last byte at the end of the
/// input.
const CUT: i32 = 3;

/// The sum before the first sequence: UTF-8 is more common than legacy encodings.
const PRIOR: i32 = 4;

/// The weight that the sum lacks until the first sequence that speaks for UTF-8: UTF-8 text in
/// which every sequence is damaged is rare.
const FIRST: i32 = 32;

/// The sum from which chance is no explanation, in an input of some hundred lines: odds of 400 to 1.
const CHANCE: i32 = 48;

/// The absolute sum at which the test ends.
const BOUND: i32 = 1024;

/// The number of sequences after which the test ends in any case.
const MOST_SEQUENCES: u32 = 8192;

/// The state of the test.
#[derive(Clone, Debug)]
pub(super) struct Utf8Test {
    /// The sum of the weights, in eighths of a nat.
    sum: i32,
    sequences: u32,
    ill_formed: u32,
    /// The number of times that an ill-formed and a well-formed sequence are adjacent.
    adjacent: u32,
    /// The end of the last sequence as an offset in bytes, and whether it was ill-formed.
    last: (u64, bool),
    /// True if the run of bytes beyond ASCII that has the last sequence starts with a continuation byte.
    is_out_of_step: bool,
    /// The last byte of the last sequence.
    last_byte: u8,
    /// The ASCII character that the last sequence is an overlong form of.
    last_overlong: Option<u8>,
    /// The last sequence, until the byte behind it is known.
    pending: Option<PendingOverlong>,
    /// True if a sequence spoke for UTF-8, other than one of a rare script.
    has_support: bool,
}

impl Default for Utf8Test {
    fn default() -> Utf8Test {
        Utf8Test {
            sum: PRIOR - FIRST,
            sequences: 0,
            ill_formed: 0,
            adjacent: 0,
            last: (0, false),
            is_out_of_step: false,
            last_byte: 0,
            last_overlong: None,
            pending: None,
            has_support: false,
        }
    }
}

/// An ill-formed sequence with the byte before it.
pub(super) struct IllFormed<'a> {
    pub issue: &'a Issue,
    pub bytes: &'a [u8],
    /// The byte before, if there is one.
    pub before: Option<u8>,
}

/// An overlong form of an ASCII character, and what precedes it.
#[derive(Clone, Copy, Debug)]
struct PendingOverlong {
    character: u8,
    /// True if it has more than two bytes.
    is_long: bool,
    /// The character before, in ASCII or as an overlong form.
    before: u8,
    /// True if the sequence before is an overlong form of `<`.
    closes_tag: bool,
}

impl PendingOverlong {
    /// Returns the weight, given the next byte. An overlong form of two bytes is a character in most
    /// sets: it speaks for UTF-8 at a place where text has none.
    fn weight(self, next: u8) -> i32 {
        let PendingOverlong { character, is_long, before, closes_tag } = self;
        let is_overlong_next = matches!(next, 0xC0 | 0xC1 | 0xE0 | 0xF0 | 0xF8 | 0xFC);
        let is_in_path = |byte: u8| byte == b'.' || byte.is_ascii_alphabetic();
        let is_separator = |byte: u8| matches!(byte, b'/' | b'\\');
        match character {
            _ if !next.is_ascii() && !is_overlong_next => ILL_FORMED,
            _ if is_long => WELL_FORMED[2],
            b'/' | b'\\' if is_in_path(before) && (is_in_path(next) || is_overlong_next) => {
                WELL_FORMED[2]
            }
            b'.' if before == b'.' && (is_separator(next) || is_overlong_next) => WELL_FORMED[2],
            b'>' if closes_tag && before.is_ascii_alphabetic() => WELL_FORMED[2],
            // The next sequence tells.
            b'.' if is_overlong_next || next == b'.' => 0,
            b'<' if is_separator(next) || next.is_ascii_alphabetic() => 0,
            _ => ILL_FORMED,
        }
    }
}

/// The result of the test so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TestResult {
    /// The rest of the input may change the result.
    Open,
    /// The text is meant to be UTF-8.
    Utf8,
    /// The text is in a legacy encoding.
    Other,
}

impl Utf8Test {
    /// Returns the result so far.
    pub fn result(&self) -> TestResult {
        match self.sum.unsigned_abs() >= BOUND.unsigned_abs() || self.sequences >= MOST_SEQUENCES {
            false => TestResult::Open,
            true if self.sum > 0 => TestResult::Utf8,
            true => TestResult::Other,
        }
    }

    /// Returns `true` if UTF-8 is likelier than not.
    pub fn favours_utf8(&self) -> bool {
        self.sum > 0
    }

    /// Returns `true` if UTF-8 is likelier than not, without a look at other encodings.
    pub fn is_mostly_utf8(&self) -> bool {
        self.favours_utf8() && !self.is_contested()
    }

    /// Returns `true` if chance does not explain so much UTF-8 in legacy text, even in a large
    /// input.
    pub fn is_beyond_chance(&self) -> bool {
        self.sum >= CHANCE && !self.is_contested()
    }

    /// Returns the probability of UTF-8, 0..=1.
    pub fn probability(&self) -> f64 {
        1.0 / (1.0 + (-f64::from(self.sum) / 8.0).exp())
    }

    /// Returns `true` if the text may be in a multi-byte set whose sequences are UTF-8 by chance: a
    /// third of the sequences or more are ill-formed, and many are adjacent to well-formed ones.
    pub fn is_contested(&self) -> bool {
        let [ill_formed, adjacent, sequences] =
            [self.ill_formed, self.adjacent, self.sequences].map(u64::from);
        ill_formed * 3 >= sequences && adjacent * 4 >= sequences
    }

    /// Returns the probability of UTF-8, 0..=1, given the probability that the text is in any
    /// legacy encoding. One above 0.5 counts against contested UTF-8.
    pub fn probability_against(&self, legacy: f64) -> f64 {
        let utf8 = self.probability();
        if !self.is_contested() || legacy <= 0.5 {
            return utf8;
        }
        let other = (1.0 - utf8) * legacy;
        let utf8 = utf8 * (1.0 - legacy);
        utf8 / (utf8 + other)
    }

    /// Counts a signature of UTF-8.
    pub fn add_signature(&mut self) {
        self.sum += BOUND;
    }

    /// Counts the well-formed sequences of a text from its front, until the test ends.
    pub fn add_well_formed(&mut self, mut offset: u64, text: &[u8]) {
        text.first().into_iter().for_each(|&next| self.settle(next));
        for sequence in text.chunk_by(|_, &next| continues(next)) {
            if self.result() != TestResult::Open {
                return;
            }
            if !sequence.is_ascii() {
                self.is_out_of_step &= self.last.0 == offset;
                self.count_adjacent(offset, sequence.len(), false);
                self.last_overlong = None;
                self.add(self.weight(sequence));
                self.last_byte = sequence[sequence.len() - 1];
            }
            offset += sequence.len() as u64;
        }
    }

    /// Counts an ill-formed sequence.
    pub fn add_ill_formed(&mut self, sequence: &IllFormed<'_>) {
        self.settle(sequence.bytes[0]);
        let issue = sequence.issue;
        let is_cut = issue.len > 1 && issue.kind.is_interrupted_by(Interruption::EndOfInput);
        let overlong = sequence.overlong_ascii();
        let weight = match (issue.kind.row().relative(issue.len), overlong) {
            _ if is_cut => Some(CUT),
            // Legacy text hardly has complete sequences of a relative of UTF-8.
            (Some(_), _) => Some(WELL_FORMED[2]),
            (None, Some(character)) => self.weigh_overlong(sequence, character),
            (None, None) => Some(ILL_FORMED),
        };
        if self.last.0 != issue.offset || issue.offset == 0 {
            self.is_out_of_step = continues(sequence.bytes[0]);
        }
        self.last_byte = sequence.bytes[sequence.bytes.len() - 1];
        self.count_adjacent(issue.offset, issue.len.into(), true);
        self.last_overlong = overlong;
        weight.into_iter().for_each(|weight| self.add_damage(weight));
    }

    /// Returns the weight of an overlong form of an ASCII character. `None` if it is left to
    /// [`settle`](Self::settle).
    fn weigh_overlong(&mut self, sequence: &IllFormed<'_>, character: u8) -> Option<i32> {
        let is_adjacent = self.sequences > 0 && self.last.0 == sequence.issue.offset;
        // The start of the text is as the end of a line.
        let before = sequence.before.unwrap_or(b'\n');
        let before = if is_adjacent { self.last_overlong } else { Some(before) };
        let Some(before) = before else { return Some(ILL_FORMED) };
        let closes_tag = self.last_overlong == Some(b'<');
        let is_long = sequence.bytes.len() > 2;
        self.pending = Some(PendingOverlong { character, is_long, before, closes_tag });
        None
    }

    /// Counts the last sequence if its weight depends on this byte, which follows it. The end of the text
    /// is as the end of a line.
    pub fn settle(&mut self, next: u8) {
        if let Some(overlong) = self.pending.take() {
            self.add_damage(overlong.weight(next));
        }
    }

    fn add_damage(&mut self, weight: i32) {
        self.ill_formed += u32::from(weight < 0);
        self.add(weight);
    }

    /// Adds the counts of another text, even if this test has ended. The texts need not be
    /// consecutive.
    pub fn merge(&mut self, other: &Utf8Test) {
        let first = if self.has_support && other.has_support { FIRST } else { 0 };
        let weight = other.sum.saturating_sub(PRIOR - FIRST).saturating_sub(first);
        self.sum = self.sum.saturating_add(weight);
        self.sequences = self.sequences.saturating_add(other.sequences);
        self.ill_formed = self.ill_formed.saturating_add(other.ill_formed);
        self.adjacent = self.adjacent.saturating_add(other.adjacent);
        self.has_support |= other.has_support;
    }

    /// Counts a sequence that is adjacent to one of the other sort.
    fn count_adjacent(&mut self, offset: u64, len: usize, ill_formed: bool) {
        self.adjacent += u32::from(self.last == (offset, !ill_formed));
        self.last = (offset + len as u64, ill_formed);
    }

    /// Returns the weight of a well-formed sequence.
    fn weight(&self, sequence: &[u8]) -> i32 {
        match sequence {
            [_, last] if self.is_out_of_step && self.last_byte == *last => OUT_OF_STEP,
            _ if is_of_rare_script(sequence) => RARE_SCRIPT,
            _ => WELL_FORMED[sequence.len().clamp(2, 4) - 2],
        }
    }

    fn add(&mut self, weight: i32) {
        if weight > RARE_SCRIPT && !std::mem::replace(&mut self.has_support, true) {
            self.sum += FIRST;
        }
        self.sum += weight;
        self.sequences += 1;
    }
}

impl IllFormed<'_> {
    /// Returns the ASCII character that the sequence is an overlong form of, if it is a complete one.
    fn overlong_ascii(&self) -> Option<u8> {
        if self.issue.kind.class() != Class::Overlong {
            return None;
        }
        match *self.bytes {
            [lead @ (0xC0 | 0xC1), last]
            | [0xE0, lead @ (0x80 | 0x81), last]
            | [0xF0, 0x80, lead @ (0x80 | 0x81), last]
            | [0xF8, 0x80, 0x80, lead @ (0x80 | 0x81), last]
            | [0xFC, 0x80, 0x80, 0x80, lead @ (0x80 | 0x81), last] => {
                Some((lead & 1) << 6 | last & 0x3F)
            }
            _ => None,
        }
    }
}

/// Returns `true` for a well-formed sequence in a script that few texts use.
pub(super) fn is_of_rare_script(sequence: &[u8]) -> bool {
    // U+0240..036F, U+0480..0560, U+0700..08FF, U+0E80..1DFF, U+A000..ABFF
    matches!(
        sequence,
        [0xD5, 0x80..=0xA0]
            | [0xC9..=0xCD | 0xD2..=0xD4 | 0xDC..=0xDF, _]
            | [0xE0, 0xA0..=0xA3 | 0xBA..=0xBF, _]
            | [0xE1, 0x80..=0xB7, _]
            | [0xEA, 0x80..=0xAF, _]
    )
}
