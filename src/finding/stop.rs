//! The sequence that stopped a conversion or a repair.

use super::message::{message, unencodable};
use super::segments::Segments;
use crate::issue::{Issue, Kind};
use crate::registry::Encoding;

/// An ill-formed sequence that is not replaced.
#[derive(Clone, Debug)]
pub struct UntreatedSequence {
    /// The issue.
    pub issue: Issue,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// The byte after it; `None` at the end of the input and, for a complete sequence, also where a
    /// chunk of the input ends.
    pub next: Option<u8>,
    /// The encoding of the text.
    pub encoding: &'static Encoding,
}

impl UntreatedSequence {
    /// Keeps an issue and its bytes.
    pub(crate) fn new(
        encoding: &'static Encoding,
        issue: &Issue,
        bytes: &[u8],
        next: Option<u8>,
    ) -> UntreatedSequence {
        UntreatedSequence { issue: *issue, bytes: bytes.to_vec(), next, encoding }
    }

    /// Renders the message for the user.
    pub fn message(&self) -> String {
        let mut text = Vec::new();
        for segment in Segments::Sequence.split(self.encoding, self.issue, &self.bytes) {
            message(&mut text, self.encoding, &segment, self.next);
        }
        String::from_utf8_lossy(&text).into_owned()
    }
}

/// Compares issues and messages, which do not depend on the division of the input into chunks.
impl PartialEq for UntreatedSequence {
    fn eq(&self, other: &UntreatedSequence) -> bool {
        self.issue == other.issue && self.message() == other.message()
    }
}

impl Eq for UntreatedSequence {}

/// The sequence that stopped a conversion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// An ill-formed sequence that is not replaced.
    IllFormed(UntreatedSequence),
    /// A code point that the target lacks and that is not replaced.
    Unencodable {
        /// The offset of its first byte in the source, in bytes.
        offset: u64,
        /// The code point.
        value: u32,
        /// The encoding that lacks it.
        target: &'static Encoding,
    },
}

impl StopReason {
    /// Returns the offset of the first byte in the whole input.
    pub fn offset(&self) -> u64 {
        match self {
            StopReason::IllFormed(sequence) => sequence.issue.offset,
            StopReason::Unencodable { offset, .. } => *offset,
        }
    }

    /// Returns the kind.
    pub fn kind(&self) -> Kind {
        match self {
            StopReason::IllFormed(sequence) => sequence.issue.kind,
            StopReason::Unencodable { .. } => Kind::Unencodable,
        }
    }

    /// Renders the message for the user.
    pub fn message(&self) -> String {
        match self {
            StopReason::IllFormed(sequence) => sequence.message(),
            StopReason::Unencodable { value, target, .. } => {
                let mut text = Vec::new();
                unencodable(&mut text, target, *value);
                String::from_utf8_lossy(&text).into_owned()
            }
        }
    }
}
