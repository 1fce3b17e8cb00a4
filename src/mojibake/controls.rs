//! C1 controls that stand for characters of windows-1252.
//!
//! The bytes 80..9F are C1 controls in ISO-8859-1, and curly quotes, dashes and letters in
//! windows-1252. Software that takes windows-1252 for ISO-8859-1 writes the controls: `it’s` has
//! U+0092. Text has no other use for most of them, but they may come from other pages: the same byte
//! is `í` in MacRoman and `Æ` in DOS.
//!
//! The controls of a line are read in windows-1252 if all of them fit their neighbours, and one
//! stands where only windows-1252 has a fitting character. A line is left if it has a control that
//! terminals obey, or one for which windows-1252 has no character.

use super::line::{LineContext, TextLine};
use super::oddity::neighbour_oddity;
use super::run::SequenceRun;
use crate::registry::by_name;

/// The page that C1 controls are read in.
pub(super) const WINDOWS_1252: &str = "windows-1252";

/// The start of a control sequence of ISO 6429, before its parameters and its final byte.
const CONTROL_SEQUENCE: char = '\u{9B}';

/// The end of a control string of ISO 6429.
const STRING_TERMINATOR: char = '\u{9C}';

/// The most points that the neighbours of a character may have: those of a dash between words, or a
/// word behind a closing mark.
const FITTING: i32 = 1;

/// The endings after an apostrophe in English, Dutch and German words, and in `aujourd’hui`.
const CLITICS: [&str; 9] = ["s", "t", "d", "m", "re", "ve", "ll", "S", "hui"];

/// A C1 control, read in windows-1252.
struct ReadControl<'a> {
    value: char,
    /// The two characters before it, also read so.
    before: [char; 2],
    /// The character behind it, also read so.
    after: char,
    /// The letters behind it, if they are ASCII and at most three.
    ending: &'a str,
}

impl TextLine {
    /// Reads the C1 controls of the line in windows-1252, if they are certain. Returns `true` if there
    /// was one.
    pub fn read_controls(&mut self, text: &str, context: &LineContext<'_>) -> bool {
        if !context.pages.reads_controls {
            return false;
        }
        let is_control = |&at: &usize| is_c1_control(self.chars[at]);
        let places: Vec<_> = (0..self.chars.len()).filter(is_control).collect();
        if places.is_empty() || !self.are_certain(&places, text, context) {
            return false;
        }
        for at in places {
            self.chars[at] = read_control(self.chars[at]);
            self.origins[at].layers.push_control();
        }
        true
    }

    /// Returns `true` if the controls at these places stand for characters of windows-1252.
    fn are_certain(&self, places: &[usize], text: &str, context: &LineContext<'_>) -> bool {
        // The score of a run with controls is its gain over these controls in windows-1252.
        let is_better = |run: &SequenceRun| {
            run.gain > 0 && run.chars.clone().any(|at| is_c1_control(self.chars[at]))
        };
        let read = |&at: &usize| {
            let after = self.following(at, text).0;
            ReadControl {
                value: read_control(self.chars[at]),
                before: self.preceding(at, context).map(read_control),
                after: read_control(after),
                ending: self.ending(at, text),
            }
        };
        let controls: Vec<_> = places.iter().map(read).collect();
        let quotes = LineQuotes::of(self.chars.iter().copied().map(read_control));
        !self.control_terminal(places, text)
            && !self.runs.iter().any(|run| run.is_ambiguous() || is_better(run))
            && controls.iter().all(|control| control.fits(&quotes))
            && controls.iter().any(|control| control.is_evidence(&quotes))
    }

    /// Returns the letters of the word behind a character, if they are ASCII and at most three.
    fn ending<'a>(&self, at: usize, text: &'a str) -> &'a str {
        let rest = self.following(at, text).1;
        let len = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
        // The input has other characters beyond ASCII where some were undone.
        let next = match rest.as_bytes().get(len) {
            Some(0x80..) => self.chars.get(at + 1 + len),
            _ => None,
        };
        let is_whole = len <= 3 && !next.is_some_and(|next| next.is_alphabetic());
        if is_whole { &rest[..len] } else { "" }
    }

    /// Returns `true` if a control at these places starts a control sequence, or two enclose a string.
    fn control_terminal(&self, places: &[usize], text: &str) -> bool {
        let starts_sequence = |&at: &usize| {
            self.chars[at] == CONTROL_SEQUENCE && matches!(self.following(at, text).0, '0'..='~')
        };
        let values = || places.iter().map(|&at| self.chars[at]);
        let opens_string = |value: &char| matches!(value, '\u{98}' | '\u{9E}' | '\u{9F}');
        let mut string = values().skip_while(|value| !opens_string(value));
        places.iter().any(starts_sequence) || string.any(|value| value == STRING_TERMINATOR)
    }
}

/// The quotation marks of a line whose controls are read.
#[derive(Default)]
struct LineQuotes {
    /// The number of “, ” and „.
    doubles: usize,
    has_low_double: bool,
    has_low_single: bool,
    has_left_angle: bool,
    has_right_angle: bool,
}

impl LineQuotes {
    fn of(line: impl Iterator<Item = char>) -> LineQuotes {
        let mut quotes = LineQuotes::default();
        for value in line {
            quotes.doubles += usize::from(matches!(value, '“' | '”' | '„'));
            match value {
                '„' => quotes.has_low_double = true,
                '‚' => quotes.has_low_single = true,
                '‹' => quotes.has_left_angle = true,
                '›' => quotes.has_right_angle = true,
                _ => {}
            }
        }
        quotes
    }
}

impl ReadControl<'_> {
    /// Returns `true` if there is a character, and it fits its neighbours in a line with these quotation
    /// marks: “ closes a quotation that „ opens.
    fn fits(&self, quotes: &LineQuotes) -> bool {
        let closing = |value| match value {
            '“' if quotes.has_low_double => '”',
            '‘' if quotes.has_low_single => '’',
            '‹' if quotes.has_right_angle => '›',
            value => value,
        };
        let (before, after) = (self.before.map(closing), closing(self.after));
        let is_fitting = |value| neighbour_oddity(before, value, after) <= FITTING;
        !is_c1_control(self.value) && (is_fitting(self.value) || is_fitting(closing(self.value)))
    }

    /// Returns `true` if the control is no letter of another page, because none would stand there in
    /// a line with these quotation marks.
    fn is_evidence(&self, quotes: &LineQuotes) -> bool {
        let [far, near] = self.before;
        let is_digit = |c: char| c.is_ascii_digit();
        let ends_sentence = matches!(near, '.' | ',' | '!' | '?');
        match self.value {
            '’' => ends_sentence || self.is_apostrophe(),
            '“' if near.is_alphanumeric() => quotes.has_low_double,
            '“' => matches!(near, ' ' | '\n' | '\t' | '(') && self.after.is_alphanumeric(),
            '”' => ends_sentence || quotes.doubles > 1,
            '›' => near.is_alphanumeric() && quotes.has_left_angle,
            '–' | '—' if near == ' ' => self.after == ' ',
            '–' | '—' => is_digit(near) && is_digit(self.after),
            '€' if near == ' ' => is_digit(far) || is_digit(self.after),
            '€' => is_digit(near) || is_digit(self.after),
            '•' => near == '\n' && matches!(self.after, ' ' | '\t'),
            'œ' | 'Œ' => self.after == 'u',
            _ => false,
        }
    }

    /// Returns `true` for an apostrophe before an ending or behind an elided word, as in `it’s`,
    /// `l’été`, `qu’il` and `dell’acqua`.
    fn is_apostrophe(&self) -> bool {
        let [far, near] = self.before;
        let is_elided = !far.is_alphabetic() || matches!([far, near], ['q', 'u'] | ['l', 'l']);
        near.is_alphabetic()
            && self.after.is_alphabetic()
            && (is_elided || CLITICS.contains(&self.ending))
    }
}

/// Returns `true` for a C1 control.
#[inline(always)]
pub(super) fn is_c1_control(value: impl Into<u32>) -> bool {
    matches!(value.into(), 0x80..0xA0)
}

/// Returns a character, or that of windows-1252 for the byte of a C1 control, if it has one.
pub(super) fn read_control(value: char) -> char {
    let byte = u8::try_from(value).ok().filter(|&byte| is_c1_control(byte));
    let point = byte.and_then(|byte| by_name(WINDOWS_1252).code_point(byte));
    point.and_then(char::from_u32).unwrap_or(value)
}
