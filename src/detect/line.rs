//! What is a line, taken by itself?

use memchr::memchr;

use super::Answer;
use super::utf8_test::Utf8Test;

/// A line of UTF-8 that is shorter, in bytes, may be one by chance where there are NULs.
const TEXT: usize = 32;

/// A line, or a part of a long one.
#[derive(Default)]
pub(super) struct LineEvidence {
    /// The part of it that was seen.
    pub bytes: Vec<u8>,
    pub odds: Utf8Test,
    pub ill_formed: bool,
}

/// What a line is, and a stretch of such lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineKind {
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

impl LineEvidence {
    pub fn sort(&self) -> LineKind {
        let nul = || memchr(0, &self.bytes).is_some();
        match (self.ill_formed, self.bytes.is_ascii()) {
            (false, false) => LineKind::Utf8,
            (true, _) if nul() => LineKind::Binary,
            (_, true) if nul() => LineKind::Nul,
            (_, true) => LineKind::Ascii,
            (true, false) if self.odds.is_mostly() => LineKind::Damaged,
            (true, false) => LineKind::Legacy,
        }
    }
}

impl LineKind {
    /// What a stretch of this is with such a line, which has so many bytes. `None` if the line is
    /// not of it. What is no text has lines of all sorts, if they are short.
    pub fn with(self, line: LineKind, len: usize) -> Option<LineKind> {
        match (self, line) {
            (_, LineKind::Ascii) => Some(self),
            (LineKind::Nul | LineKind::NulUtf8, LineKind::Utf8) if len >= TEXT => {
                Some(LineKind::Utf8)
            }
            (LineKind::Nul | LineKind::NulUtf8, LineKind::Utf8) => Some(LineKind::NulUtf8),
            (LineKind::Nul | LineKind::NulUtf8, LineKind::Binary) => Some(LineKind::Binary),
            (LineKind::Nul, LineKind::Damaged | LineKind::Legacy) => Some(LineKind::Binary),
            (LineKind::NulUtf8 | LineKind::Utf8 | LineKind::Damaged, LineKind::Nul) => Some(self),
            (LineKind::Binary, _) => (line != LineKind::Utf8 || len < TEXT).then_some(self),
            _ => (self == line).then_some(self),
        }
    }

    /// What such lines are in, if they are in no legacy set.
    pub fn answer(self) -> Answer {
        match self {
            LineKind::Ascii => Answer::named("us-ascii"),
            LineKind::Utf8 | LineKind::NulUtf8 => Answer::utf8(),
            LineKind::Damaged => Answer::Damaged,
            LineKind::Nul | LineKind::Binary => Answer::Binary,
            LineKind::Legacy => Answer::Unknown,
        }
    }
}
