//! Ill-formed sequences that spell a code point.

use super::RepairReason;
use crate::issue::{Class, Issue, Kind, Relative};
use crate::registry::Encoding;

/// The kinds of ill-formed sequences to rewrite as code points.
///
/// ```
/// use utf8::{Encoding, Policy, RepairPlan, repair};
///
/// let mut plan = RepairPlan::new(Policy::Strict);
/// plan.structure.join = true;
/// let (text, _) = repair(Encoding::UTF_8, b"\xED\xA0\xBD\xED\xB8\x80", &plan)?;
/// assert_eq!(text, "😀".as_bytes());
/// # Ok::<(), utf8::RepairError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
// The tests name every field, so that none is forgotten.
#[cfg_attr(not(feature = "unstable-internals"), non_exhaustive)]
pub struct StructuralRepairs {
    /// True for overlong forms that are complete.
    pub shorten: bool,
    /// True for surrogate pairs of three bytes each, as in CESU-8.
    pub join: bool,
}

impl StructuralRepairs {
    /// Every structural repair.
    ///
    /// ```
    /// use utf8::{Encoding, Policy, RepairPlan, StructuralRepairs, repair};
    ///
    /// let mut plan = RepairPlan::new(Policy::Strict);
    /// plan.structure = StructuralRepairs::ALL;
    /// let (text, _) = repair(Encoding::UTF_8, b"\xC1\xA1 \xED\xA0\xBD\xED\xB8\x80", &plan)?;
    /// assert_eq!(text, "a 😀".as_bytes());
    /// # Ok::<(), utf8::RepairError>(())
    /// ```
    pub const ALL: StructuralRepairs = StructuralRepairs { shorten: true, join: true };

    /// Returns the reason for the repair of ill-formed sequences of this kind; `None` if no repair
    /// is requested.
    pub(crate) fn reason(self, kind: Kind) -> Option<RepairReason> {
        let row = kind.row();
        let is_pair = row.well_formed_in.is_some_and(|(relative, _)| relative == Relative::Cesu8);
        if self.join && is_pair {
            return Some(RepairReason::JoinSurrogates);
        }
        (self.shorten && row.class == Class::Overlong).then_some(RepairReason::ShortenOverlong)
    }

    /// Returns the value that an ill-formed sequence spells and the reason for the repair; `None`
    /// if the repair is not requested. The value may be one that the codec lacks: a surrogate, or a
    /// value above U+10FFFF.
    pub(crate) fn read(
        self,
        codec: &Encoding,
        issue: &Issue,
        bytes: &[u8],
    ) -> Option<(u32, RepairReason)> {
        let reason = self.reason(issue.kind)?;
        Some(((codec.inner.spells)(bytes)?, reason))
    }
}
