//! Repairs that were considered and not made.

use crate::mojibake::{MojibakePart, MojibakeVerdict};
use crate::registry::Encoding;

/// A row of [`SKIP_REASONS`].
#[derive(Debug)]
#[non_exhaustive]
pub struct SkipReasonRow {
    /// The name in reports.
    pub name: &'static str,
    /// The explanation, in one line.
    pub summary: &'static str,
}

table! {
    /// The reason why a repair was not made.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum SkipReason

    /// Every reason not to make a repair.
    static SKIP_REASONS: SkipReasonRow []

    /// The text is plausible as it stands.
    Meant { name: "meant", summary: "plausible as it stands" }
    /// Two code pages give different results.
    Ambiguous { name: "ambiguous", summary: "another code page gives a different result" }
    /// The codec lacks a character of the result.
    Lacking { name: "lacking", summary: "the encoding of the text cannot hold the original" }
    /// The text is too long to be judged.
    TooLong { name: "too-long", summary: "too long to judge: no boundary in 65,536 bytes" }
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
