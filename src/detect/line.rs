//! What is a line, taken by itself?

use memchr::memchr;

use super::Answer;
use super::odds::Odds;

/// A line of UTF-8 that is shorter, in bytes, may be one by chance where there are NULs.
const TEXT: usize = 32;

/// A line, or a part of a long one.
#[derive(Default)]
pub(super) struct Line {
    /// The part of it that was seen.
    pub bytes: Vec<u8>,
    pub odds: Odds,
    pub ill_formed: bool,
}

/// What a line is, and a stretch of such lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    Ascii,
    /// ASCII with NULs: binary, unless what follows is UTF-8.
    Nul,
    Utf8,
    /// Such lines, and short ones of UTF-8: unless what follows is binary.
    NulUtf8,
    Damaged,
    Legacy,
    Binary,
}

impl Line {
    pub fn sort(&self) -> Sort {
        let nul = || memchr(0, &self.bytes).is_some();
        match (self.ill_formed, self.bytes.is_ascii()) {
            (false, false) => Sort::Utf8,
            (true, _) if nul() => Sort::Binary,
            (_, true) if nul() => Sort::Nul,
            (_, true) => Sort::Ascii,
            (true, false) if self.odds.is_mostly() => Sort::Damaged,
            (true, false) => Sort::Legacy,
        }
    }
}

impl Sort {
    /// What a stretch of this is with such a line, which has so many bytes. `None` if the line is
    /// not of it. What is no text has lines of all sorts, if they are short.
    pub fn with(self, line: Sort, len: usize) -> Option<Sort> {
        match (self, line) {
            (_, Sort::Ascii) => Some(self),
            (Sort::Nul | Sort::NulUtf8, Sort::Utf8) if len >= TEXT => Some(Sort::Utf8),
            (Sort::Nul | Sort::NulUtf8, Sort::Utf8) => Some(Sort::NulUtf8),
            (Sort::Nul | Sort::NulUtf8, Sort::Binary) => Some(Sort::Binary),
            (Sort::Nul, Sort::Damaged | Sort::Legacy) => Some(Sort::Binary),
            (Sort::NulUtf8 | Sort::Utf8 | Sort::Damaged, Sort::Nul) => Some(self),
            (Sort::Binary, _) => (line != Sort::Utf8 || len < TEXT).then_some(self),
            _ => (self == line).then_some(self),
        }
    }

    /// What such lines are in, if they are in no legacy set.
    pub fn answer(self) -> Answer {
        match self {
            Sort::Ascii => Answer::named("us-ascii"),
            Sort::Utf8 | Sort::NulUtf8 => Answer::utf8(),
            Sort::Damaged => Answer::Damaged,
            Sort::Nul | Sort::Binary => Answer::Binary,
            Sort::Legacy => Answer::Unknown,
        }
    }
}
