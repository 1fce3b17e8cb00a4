//! How is a fault cut into findings?

use crate::codec::Step;
use crate::issue::{Issue, Kind};
use crate::registry::Encoding;

/// Into what pieces each ill-formed sequence is cut.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Segments {
    /// None: a whole overlong, surrogate or too large form, or the rest of a truncated one.
    #[default]
    Sequence,
    /// Maximal subparts: Unicode, section 3.9; the WHATWG Encoding Standard.
    Maximal,
    /// Single bytes.
    Byte,
}

/// A piece of a fault, classified from its own offset if a sequence can start there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FaultSegment<'a> {
    /// Its offset in the issue.
    pub at: usize,
    /// Its bytes.
    pub bytes: &'a [u8],
    /// The bytes of the ill-formed sequence that starts at its offset; it may be longer. All of
    /// the issue, where the codec does not synchronise itself.
    pub sequence: &'a [u8],
    /// The kind of that sequence.
    pub kind: Kind,
    /// How many maximal subparts of the issue are before it.
    pub subparts: u64,
}

impl Segments {
    /// The pieces of an issue, in order.
    pub fn cut<'a>(
        self,
        spec: &'static Encoding,
        issue: Issue,
        bytes: &'a [u8],
    ) -> impl Iterator<Item = FaultSegment<'a>> {
        let subparts = usize::from(issue.replacements);
        let step = match self {
            Segments::Byte => 1,
            Segments::Maximal if subparts > 1 => 1,
            Segments::Maximal | Segments::Sequence => bytes.len().max(1),
        };
        (0..bytes.len()).step_by(step).map(move |at| {
            // What is within a unit starts nothing.
            let whole = at == 0 || spec.reach.is_none();
            let (kind, sequence) = match (!whole).then(|| (spec.step)(&bytes[at..])) {
                None => (issue.kind, bytes),
                Some(Step::Ill { kind, len, .. }) => (kind, &bytes[at..at + len]),
                // The low half of a pair, where a lone one would be well formed.
                Some(_) => (Kind::SurrogateLow, &bytes[at..]),
            };
            FaultSegment {
                at,
                bytes: &bytes[at..at + step],
                sequence,
                kind,
                subparts: if subparts > 1 { at as u64 } else { 0 },
            }
        })
    }
}
