//! Why was something changed?

use std::fmt;

/// Why something was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
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
pub struct About {
    /// The reason.
    pub reason: Reason,
    /// Its name in every report.
    pub name: &'static str,
    /// What was done, in one line.
    pub summary: &'static str,
}

/// Every reason for a change, in the order in which repairs are made.
#[rustfmt::skip]
pub static REPAIRS: &[About] = &[
    About { reason: Reason::Bom, name: "bom", summary: "a byte order mark was removed or added" },
    About { reason: Reason::ShortenOverlong, name: "shorten-overlong", summary: "an overlong form was written as the shortest" },
    About { reason: Reason::JoinSurrogates, name: "join-surrogates", summary: "a surrogate pair of three bytes each was written as one form" },
    About { reason: Reason::UndoMojibake, name: "undo-mojibake", summary: "it was encoded more than once, and is written as what it was" },
    About { reason: Reason::OnError, name: "on-error", summary: "the error policy stood in for what was ill-formed" },
    About { reason: Reason::Newlines, name: "newlines", summary: "a line was given another end" },
    About { reason: Reason::Normalize, name: "normalize", summary: "it was brought into a normalization form" },
    About { reason: Reason::Truncate, name: "truncate", summary: "there was no room for it" },
];

/// Reasons for one change: a set of [`Reason`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reasons(u16);

impl Reasons {
    /// Nothing was changed.
    pub const NONE: Reasons = Reasons(0);

    /// Whether nothing was changed.
    pub fn is_empty(self) -> bool {
        self == Reasons::NONE
    }

    /// These, and one more.
    #[must_use]
    pub fn and(self, reason: Reason) -> Reasons {
        Reasons(self.0 | 1 << reason as u16)
    }

    /// These and those.
    #[must_use]
    pub fn or(self, others: Reasons) -> Reasons {
        Reasons(self.0 | others.0)
    }

    /// Whether this is one of them.
    pub fn has(self, reason: Reason) -> bool {
        self.0 & 1 << reason as u16 != 0
    }

    /// The rows of these, in the order of [`REPAIRS`].
    pub fn rows(self) -> impl Iterator<Item = &'static About> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let first = left.trailing_zeros() as usize;
            left &= left.checked_sub(1)?;
            REPAIRS.get(first)
        })
    }
}

/// The names, with `,` between.
impl fmt::Display for Reasons {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, row) in self.rows().enumerate() {
            let comma = if at == 0 { "" } else { "," };
            write!(f, "{comma}{}", row.name)?;
        }
        Ok(())
    }
}
