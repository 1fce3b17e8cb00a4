//! The sequence that stopped a conversion or a repair.

use super::message::{message, unencodable};
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
    /// The ill-formed sequence; `None` for a code point that the target lacks.
    pub issue: Option<Issue>,
    /// The message for the user.
    pub message: String,
    /// The code point that the target encoding lacks, if it is unencodable.
    pub value: Option<u32>,
}

impl StopReason {
    /// Returns the reason for a code point that the target encoding lacks.
    pub(crate) fn unencodable(offset: u64, value: u32, target: &Encoding) -> StopReason {
        let mut text = Vec::new();
        unencodable(&mut text, target, value);
        let message = String::from_utf8_lossy(&text).into_owned();
        let kind = Kind::Unencodable;
        StopReason { offset, kind, issue: None, message, value: Some(value) }
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
        let message = String::from_utf8_lossy(&text).into_owned();
        let Issue { offset, kind, .. } = *issue;
        StopReason { offset, kind, issue: Some(*issue), message, value: None }
    }
}
