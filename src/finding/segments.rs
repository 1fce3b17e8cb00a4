//! Segments of an ill-formed sequence, each of which is one finding.

use std::str::Utf8Chunk;

use crate::codec::{Group, Step};
use crate::issue::{Issue, Kind};
use crate::registry::Encoding;

/// A rule that splits an ill-formed sequence into findings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Segments {
    /// One finding for the whole sequence: an overlong, surrogate or too large form, or the rest of
    /// a truncated one.
    #[default]
    Sequence,
    /// One finding for each maximal subpart: Unicode, section 3.9; the WHATWG Encoding Standard.
    Maximal,
    /// One finding for each byte.
    Byte,
}

/// A part of an ill-formed sequence. Its kind is that of the sequence that starts at its offset, if
/// one can start there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FaultSegment<'a> {
    /// The offset in the ill-formed sequence, in bytes.
    pub at: usize,
    /// The bytes of the segment.
    pub bytes: &'a [u8],
    /// The bytes of the ill-formed sequence that starts at its offset, which may be longer; the
    /// whole issue for a codec that is not self-synchronizing.
    pub sequence: &'a [u8],
    /// The kind of that sequence.
    pub kind: Kind,
    /// The number of columns of the issue before it.
    pub columns_before: u64,
    /// Its length in columns; see [`columns`].
    pub columns: u64,
}

impl<'a> FaultSegment<'a> {
    /// Returns the one segment of an ill-formed sequence that is one subpart.
    #[inline(always)]
    pub(crate) fn of_one(kind: Kind, bytes: &'a [u8]) -> FaultSegment<'a> {
        FaultSegment { at: 0, bytes, sequence: bytes, kind, columns_before: 0, columns: 1 }
    }
}

/// Returns the number of columns of an issue: its maximal subparts, or the characters of UTF-8 that an
/// escape of a notation is.
#[inline(always)]
pub(crate) fn columns(encoding: &Encoding, issue: &Issue, bytes: &[u8]) -> u64 {
    if encoding.group != Group::Notation {
        return issue.replacements.into();
    }
    utf8_columns(bytes)
}

/// Returns the number of characters and of maximal subparts of ill-formed sequences in UTF-8.
fn utf8_columns(bytes: &[u8]) -> u64 {
    let columns = |chunk: Utf8Chunk<'_>| {
        chunk.valid().chars().count() + usize::from(!chunk.invalid().is_empty())
    };
    bytes.utf8_chunks().map(columns).sum::<usize>() as u64
}

#[cfg(feature = "cli")]
impl Segments {
    /// The rules.
    pub(crate) const ALL: [Segments; 3] = [Segments::Sequence, Segments::Maximal, Segments::Byte];

    /// Returns the name of the rule.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Segments::Sequence => "sequence",
            Segments::Maximal => "maximal",
            Segments::Byte => "byte",
        }
    }
}

impl Segments {
    /// Returns the segments of an issue in order.
    pub fn split<'a>(
        self,
        encoding: &'static Encoding,
        issue: Issue,
        bytes: &'a [u8],
    ) -> impl Iterator<Item = FaultSegment<'a>> {
        let subparts = usize::from(issue.replacements);
        let columns = columns(encoding, &issue, bytes);
        let step = match self {
            Segments::Byte => 1,
            Segments::Maximal if subparts > 1 => 1,
            Segments::Maximal | Segments::Sequence => bytes.len().max(1),
        };
        // Not `step_by`, which divides.
        let starts = std::iter::successors(Some(0), move |at| Some(at + step));
        starts.take_while(|&at| at < bytes.len()).map(move |at| {
            // No sequence starts within a code unit.
            let whole = at == 0 || encoding.inner.reach.is_none();
            let (kind, sequence) = match (!whole).then(|| encoding.step(&bytes[at..])) {
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
                columns_before: match columns {
                    ..=1 => 0,
                    _ if encoding.group == Group::Notation => utf8_columns(&bytes[..at]),
                    _ => at as u64,
                },
                columns: if step < bytes.len() { 1 } else { columns },
            }
        })
    }
}
