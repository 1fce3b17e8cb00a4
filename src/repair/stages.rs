//! The table of repairs, in the order in which they apply.

use std::fmt;

use super::plan::RepairPlan;
use super::stage::Stage;
use crate::registry::Encoding;

mod clusters;
pub(super) mod fixes;
mod inner_boms;
pub(super) mod line_ends;
pub(super) mod mojibake;
pub(super) mod normalize;
pub(super) mod truncate;

/// A row of [`STAGES`].
#[derive(Debug)]
#[non_exhaustive]
pub struct StageRow {
    /// The reason that its changes have.
    pub reason: RepairReason,
    /// The name in reports; the command line requests a repair by the same name, but for
    /// `keep-apart`.
    pub name: &'static str,
    /// Summary for help, in one line.
    pub summary: &'static str,
    /// The noun for a change: `overlong form`.
    pub noun: &'static str,
    /// The participle after the noun: `shortened`. Empty if the noun says it.
    pub done: &'static str,
    /// Appends the stages that the plan needs for text of the codec.
    pub(super) add: fn(&RepairPlan, &'static Encoding, &mut Vec<Box<dyn Stage>>),
}

table! {
    /// The reason for a change.
    ///
    /// ```
    /// use utf8::{Bom, Encoding, Newlines, Policy, RepairPlan, RepairReason, repair};
    ///
    /// let mut plan = RepairPlan::new(Policy::Strict);
    /// plan.bom = Bom::Remove;
    /// plan.newlines = Some(Newlines::Lf);
    /// let (text, summary) = repair(Encoding::UTF_8, b"\xEF\xBB\xBFa\r\nb\r\n", &plan)?;
    /// assert_eq!(text, b"a\nb\n");
    /// assert!(summary.by_reason().eq([(RepairReason::Bom, 1), (RepairReason::Newlines, 2)]));
    /// # Ok::<(), utf8::RepairError>(())
    /// ```
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    enum RepairReason

    /// Every repair, in the order in which they apply.
    static STAGES: StageRow [reason]

    /// A finding of a lint was fixed.
    Fix {
        name: "fix", add: in_sink,
        summary: "a finding of a lint was fixed",
        noun: "finding", done: "fixed",
    }
    /// A byte order mark was removed or added.
    Bom {
        name: "bom", add: inner_boms::add,
        summary: "a byte order mark was removed or added",
        noun: "byte order mark", done: "removed",
    }
    /// An overlong form was written in the shortest form.
    ShortenOverlong {
        name: "shorten-overlong", add: in_sink,
        summary: "an overlong form was rewritten in the shortest form",
        noun: "overlong form", done: "shortened",
    }
    /// A surrogate pair of three bytes each was written as one code point.
    JoinSurrogates {
        name: "join-surrogates", add: in_sink,
        summary: "a surrogate pair was rewritten as one code point",
        noun: "surrogate pair", done: "joined",
    }
    /// Double encoding was undone.
    UndoMojibake {
        name: "undo-mojibake", add: mojibake::add,
        summary: "double encoding was undone",
        noun: "double encoding", done: "undone",
    }
    /// The error policy was applied to an ill-formed sequence.
    OnError {
        name: "on-error", add: in_sink,
        summary: "the policy was applied to an ill-formed sequence",
        noun: "sequence", done: "treated",
    }
    /// A line end was replaced.
    Newlines {
        name: "newlines", add: line_ends::add,
        summary: "a line end was replaced",
        noun: "line end", done: "replaced",
    }
    /// Text was normalized.
    Normalize {
        name: "normalize", add: normalize::add,
        summary: "text was normalized",
        noun: "place", done: "normalized",
    }
    /// Text beyond the limit was removed.
    Truncate {
        name: "truncate", add: truncate::add,
        summary: "text beyond the limit was removed",
        noun: "cut", done: "",
    }
    /// A character that a change would join to an escape before it was escaped.
    KeepApart {
        name: "keep-apart", add: in_sink,
        summary: "a character that would join an escape was escaped",
        noun: "character", done: "escaped",
    }
}

/// Appends nothing: the sink makes the repair while it reads the source, or adds the stage itself.
fn in_sink(_: &RepairPlan, _: &'static Encoding, _: &mut Vec<Box<dyn Stage>>) {}

impl RepairReason {
    /// Returns the name in reports.
    ///
    /// ```
    /// use utf8::RepairReason;
    ///
    /// assert_eq!(RepairReason::ShortenOverlong.name(), "shorten-overlong");
    /// ```
    pub fn name(self) -> &'static str {
        self.row().name
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

    /// Returns the set as bits, for [`from_bits`](RepairReasons::from_bits).
    pub(super) fn bits(self) -> u16 {
        self.0
    }

    /// Returns the set of these bits.
    pub(super) fn from_bits(bits: u16) -> RepairReasons {
        RepairReasons(bits)
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
