//! Why was something changed?

use std::fmt;

/// Why something was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RepairReason {
    /// A byte order mark was removed or added.
    Bom,
    /// An overlong form was written as the shortest.
    ShortenOverlong,
    /// A surrogate pair of three bytes each was written as one code point.
    JoinSurrogates,
    /// It was encoded more than once, and was written as what it had been.
    UndoMojibake,
    /// The error policy stood in for an ill-formed sequence.
    OnError,
    /// A line was given another end.
    Newlines,
    /// It was brought into a normalization form.
    Normalize,
    /// There was no room for it.
    Truncate,
}

/// A row of [`REPAIRS`].
#[derive(Debug)]
#[non_exhaustive]
pub struct RepairRow {
    /// The reason.
    pub reason: RepairReason,
    /// Its name in every report.
    pub name: &'static str,
    /// What was done, in one line.
    pub summary: &'static str,
}

/// Every reason for a change, in the order in which repairs are made.
#[rustfmt::skip]
pub static REPAIRS: &[RepairRow] = &[
    RepairRow { reason: RepairReason::Bom, name: "bom", summary: "a byte order mark was removed or added" },
    RepairRow { reason: RepairReason::ShortenOverlong, name: "shorten-overlong", summary: "an overlong form was written as the shortest" },
    RepairRow { reason: RepairReason::JoinSurrogates, name: "join-surrogates", summary: "a surrogate pair of three bytes each was written as one form" },
    RepairRow { reason: RepairReason::UndoMojibake, name: "undo-mojibake", summary: "it was encoded more than once, and is written as what it was" },
    RepairRow { reason: RepairReason::OnError, name: "on-error", summary: "the error policy stood in for what was ill-formed" },
    RepairRow { reason: RepairReason::Newlines, name: "newlines", summary: "a line was given another end" },
    RepairRow { reason: RepairReason::Normalize, name: "normalize", summary: "it was brought into a normalization form" },
    RepairRow { reason: RepairReason::Truncate, name: "truncate", summary: "there was no room for it" },
];

/// Reasons for one change: a set of [`Reason`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RepairReasons(u16);

impl RepairReasons {
    /// Nothing was changed.
    pub const NONE: RepairReasons = RepairReasons(0);

    /// Whether nothing was changed.
    pub fn is_empty(self) -> bool {
        self == RepairReasons::NONE
    }

    /// These, and one more.
    #[must_use]
    pub fn and(self, reason: RepairReason) -> RepairReasons {
        RepairReasons(self.0 | 1 << reason as u16)
    }

    /// These and those.
    #[must_use]
    pub fn or(self, others: RepairReasons) -> RepairReasons {
        RepairReasons(self.0 | others.0)
    }

    /// Whether this is one of them.
    pub fn has(self, reason: RepairReason) -> bool {
        self.0 & 1 << reason as u16 != 0
    }

    /// The rows of these, in the order of [`REPAIRS`].
    pub fn rows(self) -> impl Iterator<Item = &'static RepairRow> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let first = left.trailing_zeros() as usize;
            left &= left.checked_sub(1)?;
            REPAIRS.get(first)
        })
    }
}

/// The names, with `,` between.
impl fmt::Display for RepairReasons {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, row) in self.rows().enumerate() {
            let comma = if at == 0 { "" } else { "," };
            write!(f, "{comma}{}", row.name)?;
        }
        Ok(())
    }
}
