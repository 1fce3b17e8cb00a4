//! Ill-formed sequences that spell a code point.

use super::RepairReason;
use crate::issue::{Class, Issue, Kind};
use crate::registry::Encoding;

/// The kinds of ill-formed sequences to rewrite as code points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StructuralRepairs {
    /// True for overlong forms that are complete.
    pub shorten: bool,
    /// True for surrogate pairs of three bytes each, as in CESU-8.
    pub join: bool,
}

impl StructuralRepairs {
    /// Returns the value that an ill-formed sequence spells and the reason for the repair; `None`
    /// if the repair is not requested. The value may be one that the codec lacks: a surrogate, or a
    /// value above U+10FFFF.
    pub fn read(
        self,
        codec: &Encoding,
        issue: &Issue,
        bytes: &[u8],
    ) -> Option<(u32, RepairReason)> {
        let reason = match issue.kind {
            Kind::SurrogatePair if self.join => RepairReason::JoinSurrogates,
            kind if kind.class() == Class::Overlong && self.shorten => {
                RepairReason::ShortenOverlong
            }
            _ => return None,
        };
        Some(((codec.spells)(bytes)?, reason))
    }
}
