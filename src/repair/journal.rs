//! The record of a repair: changes, skipped repairs, and the summary.

use std::io;

use super::skipped::SkippedRepair;
use super::stages::{RepairReason, RepairReasons, STAGES};
use crate::finding::stop::UntreatedSequence;
use crate::registry::Encoding;

/// A change.
#[derive(Clone, Copy, Debug)]
pub struct Change<'a> {
    /// Offset of the first byte in the source.
    pub offset: u64,
    /// Offset of the replacement in the output for this input.
    pub written: u64,
    /// The source bytes; empty for an insertion.
    pub before: &'a [u8],
    /// Number of further source bytes, removed and no longer in memory.
    pub elided: u64,
    /// The bytes written instead; empty for a removal.
    pub after: &'a [u8],
    /// The bytes of a character that the writer held back before the change, and after it.
    pub pending: [&'a [u8]; 2],
    /// The reasons for the change.
    pub reasons: RepairReasons,
}

impl Change<'_> {
    /// Returns the number of source bytes.
    pub fn length(&self) -> u64 {
        self.before.len() as u64 + self.elided
    }
}

/// A receiver of the events of a repair, in order.
pub trait Journal {
    /// Receives bytes that are copied unchanged.
    ///
    /// # Errors
    /// Errors of writing.
    fn same(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        let _ = (offset, bytes);
        Ok(())
    }

    /// Receives a change.
    ///
    /// # Errors
    /// Errors of writing.
    fn change(&mut self, change: &Change<'_>) -> io::Result<()>;

    /// Receives a skipped repair, if the plan asks for them.
    ///
    /// # Errors
    /// Errors of writing.
    fn skipped(&mut self, skipped: &SkippedRepair<'_>) -> io::Result<()> {
        let _ = skipped;
        Ok(())
    }
}

/// The places of an input to which something applies.
///
/// ```
/// use utf8::{Encoding, Policy, RepairPlan, repair};
///
/// let mut plan = RepairPlan::new(Policy::Strict);
/// plan.structure.shorten = true;
/// let (text, summary) = repair(Encoding::UTF_8, b"a\xC0\x80b\xC0\x80", &plan)?;
/// assert_eq!(text, b"a\0b\0");
/// let nuls = summary.nuls.unwrap();
/// assert_eq!((nuls.first, nuls.number), (1, 2));
/// # Ok::<(), utf8::RepairError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Occurrences {
    /// Offset of the first.
    pub first: u64,
    /// Number of all.
    pub number: u64,
}

impl Occurrences {
    /// Adds a place to those before it.
    pub(super) fn add(places: &mut Option<Occurrences>, offset: u64) {
        places.get_or_insert(Occurrences { first: offset, number: 0 }).number += 1;
    }
}

/// The result of the repair of an input.
///
/// ```
/// use utf8::{Encoding, Policy, RepairPlan, RepairReason, repair};
///
/// let plan = RepairPlan::new(Policy::Replace);
/// let (_, summary) = repair(Encoding::UTF_8, b"a\xFFb\xFE", &plan)?;
/// assert_eq!((summary.changes, summary.treated), (2, 2));
/// assert!(summary.by_reason().eq([(RepairReason::OnError, 2)]));
/// # Ok::<(), utf8::RepairError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RepairSummary {
    /// Number of changes; a lower bound if the target does not need it.
    pub changes: u64,
    /// Number of changes by reason, in the order of [`STAGES`].
    by_reason: [u64; STAGES.len()],
    /// Number of bytes read.
    pub read: u64,
    /// Number of bytes written.
    pub written: u64,
    /// Number of bytes in ill-formed sequences to which the error policy was applied.
    pub treated: u64,
    /// The texts that are not in the normalization form of the plan, because the codec cannot hold
    /// that form of them; `None` for none.
    pub unnormalized: Option<Occurrences>,
    /// The overlong forms of U+0000 that were shortened to NUL; `None` for none.
    pub nuls: Option<Occurrences>,
    /// Number of lines, if the policy leaves faulty lines out.
    pub lines: u64,
    /// The ill-formed sequence that ended the repair.
    #[doc(hidden)] // the API returns it as an error
    pub stop: Option<UntreatedSequence>,
    /// True if the plan is for text only and the input contains U+0000.
    pub binary: bool,
    /// The encoding in which the output is read; `None` if it is empty.
    pub(crate) read_as: Option<&'static Encoding>,
}

impl RepairSummary {
    /// Counts a change.
    pub(super) fn count(&mut self, reasons: RepairReasons) {
        self.changes += 1;
        for reason in reasons.iter() {
            self.by_reason[reason as usize] += 1;
        }
    }

    /// Returns the number of changes for each reason that occurred, in the order of [`STAGES`].
    ///
    /// ```
    /// use utf8::{Encoding, Policy, RepairPlan, RepairReason, repair};
    ///
    /// let mut plan = RepairPlan::new(Policy::Replace);
    /// plan.structure.shorten = true;
    /// let (_, summary) = repair(Encoding::UTF_8, b"\xC1\x81 \xC1\x82 \xFF", &plan)?;
    /// let counts = [(RepairReason::ShortenOverlong, 2), (RepairReason::OnError, 1)];
    /// assert!(summary.by_reason().eq(counts));
    /// # Ok::<(), utf8::RepairError>(())
    /// ```
    pub fn by_reason(&self) -> impl Iterator<Item = (RepairReason, u64)> {
        let counts = STAGES.iter().map(|row| row.reason).zip(self.by_reason);
        counts.filter(|&(_, count)| count > 0)
    }
}
