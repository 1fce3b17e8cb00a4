//! The table of repairs, in the order in which they apply.

use std::fmt;

use super::plan::RepairPlan;
use super::stage::Stage;
use crate::registry::Encoding;

mod clusters;
pub(super) mod line_ends;
pub(super) mod mojibake;
pub(super) mod normalize;
pub(super) mod truncate;

/// The reason for a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RepairReason {
    /// A byte order mark was removed or added.
    Bom,
    /// An overlong form was written in the shortest form.
    ShortenOverlong,
    /// A surrogate pair of three bytes each was written as one code point.
    JoinSurrogates,
    /// Double encoding was undone.
    UndoMojibake,
    /// The error policy was applied to an ill-formed sequence.
    OnError,
    /// A line end was replaced.
    Newlines,
    /// Text was normalized.
    Normalize,
    /// Text beyond the limit was removed.
    Truncate,
}

/// A row of [`STAGES`].
#[derive(Debug)]
#[non_exhaustive]
pub struct StageRow {
    /// The reason that its changes have.
    pub reason: RepairReason,
    /// The name in reports; the command line requests the repair by the same name.
    pub name: &'static str,
    /// Summary for help, in one line.
    pub summary: &'static str,
    /// Appends the stages that the plan needs for text of the codec.
    pub(super) add: fn(&RepairPlan, &'static Encoding, &mut Vec<Box<dyn Stage>>),
}

/// Every repair, in the order in which they apply.
#[rustfmt::skip]
pub static STAGES: &[StageRow] = &[
    StageRow { reason: RepairReason::Bom, name: "bom", summary: "a byte order mark was removed or added", add: in_sink },
    StageRow { reason: RepairReason::ShortenOverlong, name: "shorten-overlong", summary: "an overlong form was rewritten in the shortest form", add: in_sink },
    StageRow { reason: RepairReason::JoinSurrogates, name: "join-surrogates", summary: "a surrogate pair of three bytes each was rewritten as one code point", add: in_sink },
    StageRow { reason: RepairReason::UndoMojibake, name: "undo-mojibake", summary: "double encoding was undone", add: mojibake::add },
    StageRow { reason: RepairReason::OnError, name: "on-error", summary: "the error policy was applied to an ill-formed sequence", add: in_sink },
    StageRow { reason: RepairReason::Newlines, name: "newlines", summary: "a line end was replaced", add: line_ends::add },
    StageRow { reason: RepairReason::Normalize, name: "normalize", summary: "text was normalized", add: normalize::add },
    StageRow { reason: RepairReason::Truncate, name: "truncate", summary: "text beyond the limit was removed", add: truncate::add },
];

// A reason is the index of its row.
const _: () = {
    let mut at = 0;
    while at < STAGES.len() {
        assert!(STAGES[at].reason as usize == at);
        at += 1;
    }
};

/// Appends nothing: the sink makes the repair while it reads the source.
fn in_sink(_: &RepairPlan, _: &'static Encoding, _: &mut Vec<Box<dyn Stage>>) {}

impl RepairReason {
    /// Returns the name in reports.
    pub fn name(self) -> &'static str {
        STAGES[self as usize].name
    }
}

/// A set of [`RepairReason`], the reasons for one change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RepairReasons(u16);

impl RepairReasons {
    /// The empty set: no change.
    pub const NONE: RepairReasons = RepairReasons(0);

    /// Returns `true` if there is no reason, and so no change.
    pub fn is_empty(self) -> bool {
        self == RepairReasons::NONE
    }

    /// Returns the set with one more reason.
    #[must_use]
    pub fn and(self, reason: RepairReason) -> RepairReasons {
        RepairReasons(self.0 | 1 << reason as u16)
    }

    /// Returns the union of both sets.
    #[must_use]
    pub fn or(self, others: RepairReasons) -> RepairReasons {
        RepairReasons(self.0 | others.0)
    }

    /// Returns `true` if the set contains the reason.
    pub fn has(self, reason: RepairReason) -> bool {
        self.0 & 1 << reason as u16 != 0
    }

    /// Returns the reasons, in the order of [`STAGES`].
    pub fn iter(self) -> impl Iterator<Item = RepairReason> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let first = rest.trailing_zeros() as usize;
            rest &= rest.checked_sub(1)?;
            STAGES.get(first).map(|row| row.reason)
        })
    }
}

impl From<RepairReason> for RepairReasons {
    fn from(reason: RepairReason) -> RepairReasons {
        RepairReasons::NONE.and(reason)
    }
}

/// Writes the names, separated by commas.
impl fmt::Display for RepairReasons {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, reason) in self.iter().enumerate() {
            let comma = if at == 0 { "" } else { "," };
            write!(f, "{comma}{}", reason.name())?;
        }
        Ok(())
    }
}
