//! Repairs that were considered and not made.

use crate::mojibake::{MojibakePart, MojibakeVerdict};
use crate::registry::Encoding;

/// The reason why a repair was not made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SkipReason {
    /// The text is plausible as it stands.
    Meant,
    /// Two code pages give different results.
    Ambiguous,
    /// The codec lacks a character of the result.
    Lacking,
    /// The text is too long to be judged.
    TooLong,
}

/// A row of [`SKIP_REASONS`].
#[derive(Debug)]
#[non_exhaustive]
pub struct SkipReasonRow {
    /// The reason.
    pub reason: SkipReason,
    /// The name in reports.
    pub name: &'static str,
    /// The explanation, in one line.
    pub summary: &'static str,
}

/// Every reason not to make a repair.
#[rustfmt::skip]
pub static SKIP_REASONS: &[SkipReasonRow] = &[
    SkipReasonRow { reason: SkipReason::Meant, name: "meant", summary: "plausible as it stands" },
    SkipReasonRow { reason: SkipReason::Ambiguous, name: "ambiguous", summary: "another code page gives a different result" },
    SkipReasonRow { reason: SkipReason::Lacking, name: "lacking", summary: "the encoding of the text cannot hold the original" },
    SkipReasonRow { reason: SkipReason::TooLong, name: "too-long", summary: "too long to judge: no boundary in 65,536 bytes" },
];

// A reason is the index of its row.
const _: () = {
    let mut at = 0;
    while at < SKIP_REASONS.len() {
        assert!(SKIP_REASONS[at].reason as usize == at);
        at += 1;
    }
};

impl SkipReason {
    /// Returns the row of the reason.
    pub fn row(self) -> &'static SkipReasonRow {
        &SKIP_REASONS[self as usize]
    }
}

/// Text that looks double-encoded and was kept.
#[derive(Clone, Debug)]
pub struct SkippedRepair<'a> {
    /// Offset of the first byte in the source.
    pub offset: u64,
    /// The text, in UTF-8 whatever the codec of the source. If it is too long, its first part.
    pub text: &'a [u8],
    /// The code page and the text decoded through it; `None` if unknown.
    pub decoded: Option<(&'static Encoding, String)>,
    /// The reason why the repair was skipped.
    pub reason: SkipReason,
}

impl<'a> SkippedRepair<'a> {
    /// Describes a part of the text, at this offset of the source, that was not undone.
    pub(super) fn new(
        offset: u64,
        part: &MojibakePart<'a>,
        reason: SkipReason,
    ) -> SkippedRepair<'a> {
        let decoded = match &part.verdict {
            MojibakeVerdict::Meant(reading) | MojibakeVerdict::Ambiguous(reading) => {
                Some((reading.page, reading.chars().collect()))
            }
            MojibakeVerdict::Undone(steps) => {
                let decoded = String::from_utf8_lossy(part.after).into_owned();
                steps.pages().next().map(|page| (page, decoded))
            }
            MojibakeVerdict::Sound | MojibakeVerdict::TooLong => None,
        };
        SkippedRepair { offset, text: part.before, decoded, reason }
    }
}
