//! The sequence that stopped a conversion or a repair.

use super::message::message;
use super::segments::Segments;
use crate::issue::{Issue, Kind};
use crate::registry::Encoding;

/// The ill-formed or unencodable sequence that stopped a conversion or a repair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StopReason {
    /// The offset of its first byte in the whole input.
    pub offset: u64,
    /// Its kind.
    pub kind: Kind,
    /// The message for the user.
    pub message: String,
    /// The code point that the target encoding lacks, if it is unencodable.
    pub value: Option<u32>,
}

impl StopReason {
    pub(crate) fn new(offset: u64, kind: Kind, message: &[u8], value: Option<u32>) -> StopReason {
        let message = String::from_utf8_lossy(message).into_owned();
        StopReason { offset, kind, message, value }
    }

    /// Returns the reason for an ill-formed sequence that is not replaced.
    pub(crate) fn ill_formed(
        encoding: &'static Encoding,
        issue: &Issue,
        bytes: &[u8],
        next: Option<u8>,
    ) -> StopReason {
        let mut text = Vec::new();
        for segment in Segments::Sequence.split(encoding, *issue, bytes) {
            message(&mut text, encoding, &segment, next);
        }
        StopReason::new(issue.offset, issue.kind, &text, None)
    }
}
