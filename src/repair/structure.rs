//! Which ill-formed forms still say what they mean?

use super::RepairReason;
use crate::issue::{Class, Issue, Kind};
use crate::registry::Encoding;

/// Which of them are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StructuralRepairs {
    /// Overlong forms, if they have all their bytes.
    pub shorten: bool,
    /// Surrogate pairs of three bytes each, as CESU-8 has them.
    pub join: bool,
}

impl StructuralRepairs {
    /// What an ill-formed sequence of this codec means, and why it may. The value may be one that
    /// the codec does not hold: a surrogate, or one above U+10FFFF.
    pub fn read(self, spec: &Encoding, issue: &Issue, bytes: &[u8]) -> Option<(u32, RepairReason)> {
        let reason = match issue.kind {
            Kind::SurrogatePair if self.join => RepairReason::JoinSurrogates,
            kind if kind.class() == Class::Overlong && self.shorten => {
                RepairReason::ShortenOverlong
            }
            _ => return None,
        };
        Some(((spec.spells)(bytes)?, reason))
    }
}
