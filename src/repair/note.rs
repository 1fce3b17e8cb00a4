//! What was considered, and left as it is?

use crate::mojibake::{self, MojibakeVerdict};
use crate::registry::Encoding;

/// Why something was left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SkipReason {
    /// It could be meant as it stands.
    Meant,
    /// It may be one thing or another.
    Ambiguous,
    /// The codec lacks a character of what it would be.
    Lacking,
    /// It is too long to be judged.
    TooLong,
}

/// A row of [`LEFT`].
#[derive(Debug)]
#[non_exhaustive]
pub struct SkipReasonRow {
    /// Why.
    pub left: SkipReason,
    /// Its name in every report.
    pub name: &'static str,
    /// Why, in one line.
    pub summary: &'static str,
}

/// Every reason to leave something as it is.
#[rustfmt::skip]
pub static LEFT: &[SkipReasonRow] = &[
    SkipReasonRow { left: SkipReason::Meant, name: "meant", summary: "it could be meant" },
    SkipReasonRow { left: SkipReason::Ambiguous, name: "ambiguous", summary: "it could be something else, read in another code page" },
    SkipReasonRow { left: SkipReason::Lacking, name: "lacking", summary: "the codec of the text lacks a character of that" },
    SkipReasonRow { left: SkipReason::TooLong, name: "too-long", summary: "it is too long to be judged" },
];

impl SkipReason {
    /// What is said of it.
    pub fn about(self) -> &'static SkipReasonRow {
        &LEFT[self as usize]
    }
}

/// Text that was encoded twice, it seems, and was left as it is.
#[derive(Clone, Debug)]
pub struct SkippedRepair<'a> {
    /// The offset of its first byte in the source.
    pub offset: u64,
    /// The text, in UTF-8. The source may have it in another codec. Of what is too long, its front.
    pub text: &'a [u8],
    /// The code page it may have been read in, and what it would be; `None` if that is not known.
    pub spells: Option<(&'static Encoding, String)>,
    /// Why it was left.
    pub left: SkipReason,
}

impl<'a> SkippedRepair<'a> {
    /// What the reverser has found at this offset.
    pub(super) fn of(
        offset: u64,
        found: &mojibake::MojibakePart<'a>,
        left: SkipReason,
    ) -> SkippedRepair<'a> {
        let spells = match &found.verdict {
            MojibakeVerdict::Meant(reading) | MojibakeVerdict::Ambiguous(reading) => {
                Some((reading.page, reading.spells().collect()))
            }
            MojibakeVerdict::Undone(steps) => {
                let spelt = String::from_utf8_lossy(found.after).into_owned();
                steps.pages().next().map(|page| (page, spelt))
            }
            _ => None,
        };
        SkippedRepair { offset, text: found.before, spells, left }
    }
}
