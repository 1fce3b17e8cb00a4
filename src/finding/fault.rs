//! What ended a run, and where?

use super::message::message;
use super::segments::Segments;
use crate::issue::{Issue, Kind};
use crate::registry::Encoding;

/// What ended a conversion or a repair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StopReason {
    /// The offset of its first byte in the whole input.
    pub offset: u64,
    /// Its kind.
    pub kind: Kind,
    /// What is wrong, for a person.
    pub message: String,
    /// The code point that the target lacks, if it is that.
    pub value: Option<u32>,
}

impl StopReason {
    pub(crate) fn new(offset: u64, kind: Kind, message: &[u8], value: Option<u32>) -> StopReason {
        let message = String::from_utf8_lossy(message).into_owned();
        StopReason { offset, kind, message, value }
    }

    /// An ill-formed sequence that nothing can stand for.
    pub(crate) fn ill_formed(
        text: &'static Encoding,
        issue: &Issue,
        bytes: &[u8],
        next: Option<u8>,
    ) -> StopReason {
        let mut said = Vec::new();
        for piece in Segments::Sequence.cut(text, *issue, bytes) {
            message(&mut said, text, &piece, next);
        }
        StopReason::new(issue.offset, issue.kind, &said, None)
    }
}
