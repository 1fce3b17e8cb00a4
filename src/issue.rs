//! What can be wrong? The kinds of ill-formed sequences, and the issue that reports one.
//!
//! One rule decides: *the earliest byte that excludes every well-formed sequence names the kind*.
//! The kinds are therefore complete and mutually exclusive, and each is a function of the lead
//! byte, the second byte and whether there is more input.

use std::fmt;

/// Why a sequence is ill-formed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// 80..BF where a character should start.
    LoneContinuation,
    /// C0 80: U+0000 in two bytes.
    OverlongNul,
    /// C0 or C1: any other value below U+0080 in two bytes.
    Overlong2,
    /// E0 80..9F: a value below U+0800 in three bytes.
    Overlong3,
    /// F0 80..8F: a value below U+10000 in four bytes.
    Overlong4,
    /// F8 80..87: a value below 200000 in five bytes.
    Overlong5,
    /// FC 80..83: a value below 4000000 in six bytes.
    Overlong6,
    /// U+D800..DBFF, alone: in UTF-8, ED A0..AF.
    SurrogateHigh,
    /// U+DC00..DFFF, alone: in UTF-8, ED B0..BF.
    SurrogateLow,
    /// A high and a low surrogate in three bytes each, as CESU-8 writes a supplementary character.
    SurrogatePair,
    /// A value above U+10FFFF: in UTF-8, F4 90..BF or F5..F7.
    Above10ffff,
    /// A value above 7FFFFFFF.
    Above7fffffff,
    /// F0..F7 in a codec that ends at three bytes.
    FourByte,
    /// F8..FB: a five-byte form of RFC 2279.
    FiveByte,
    /// FC or FD: a six-byte form of RFC 2279.
    SixByte,
    /// FE or FF: no form starts so.
    InvalidFeFf,
    /// F8..FF in the FSS-UTF of 1992.
    InvalidLead,
    /// 00 where Modified UTF-8 wants C0 80.
    RawNul,
    /// A sequence that another character interrupts.
    TruncatedNext,
    /// A sequence that the end of input interrupts.
    TruncatedEnd,
    /// Bytes that stand for no character in a legacy set, or a byte that UTF-7 does not have.
    Unmapped,
    /// The spelling of a code point that a notation, or an encoding of shifts, does not have.
    BadEscape,
    /// A well-formed code point that the codec to be written cannot hold.
    Unencodable,
}

/// What family of faults a [`Kind`] belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Class {
    /// A continuation byte without its lead.
    Continuation,
    /// More bytes than the value needs.
    Overlong,
    /// U+D800..DFFF, which are no scalar values.
    Surrogate,
    /// A value beyond what the codec can hold.
    Range,
    /// A first byte that the codec does not have.
    Lead,
    /// A sequence that is not complete.
    Truncated,
    /// Bytes that a legacy set has no character for.
    Legacy,
    /// A spelling that a notation does not have.
    Syntax,
    /// A code point that cannot be written.
    Target,
}

/// A row of [`KINDS`]: what is said of a kind wherever it is named.
#[derive(Debug)]
#[non_exhaustive]
pub struct About {
    /// The kind.
    pub kind: Kind,
    /// Its name in every report, such as `overlong-2`.
    pub id: &'static str,
    /// Its family.
    pub class: Class,
    /// When exactly it is found, in one line.
    pub when: &'static str,
}

/// Every kind, in the order of [`Kind`].
pub static KINDS: &[About] = &[
    about(
        Kind::LoneContinuation,
        "lone-continuation",
        Class::Continuation,
        "80..BF where a character should start",
    ),
    about(Kind::OverlongNul, "overlong-nul", Class::Overlong, "C0 80"),
    about(
        Kind::Overlong2,
        "overlong-2",
        Class::Overlong,
        "C1, or C0 before anything but 80 (MUTF-8: before 81..BF)",
    ),
    about(Kind::Overlong3, "overlong-3", Class::Overlong, "E0 80..9F"),
    about(Kind::Overlong4, "overlong-4", Class::Overlong, "F0 80..8F"),
    about(Kind::Overlong5, "overlong-5", Class::Overlong, "F8 80..87"),
    about(Kind::Overlong6, "overlong-6", Class::Overlong, "FC 80..83"),
    about(
        Kind::SurrogateHigh,
        "surrogate-high",
        Class::Surrogate,
        "ED A0..AF, not part of a pair (CESU-8: if complete); a high unit alone",
    ),
    about(
        Kind::SurrogateLow,
        "surrogate-low",
        Class::Surrogate,
        "ED B0..BF, not part of a pair; a low unit alone (UTF-16)",
    ),
    about(
        Kind::SurrogatePair,
        "surrogate-pair",
        Class::Surrogate,
        "ED A0..AF and ED B0..BF, three bytes each (CESU-8)",
    ),
    about(
        Kind::Above10ffff,
        "above-10ffff",
        Class::Range,
        "F4 90..BF, or F5..F7; a value above U+10FFFF (UTF-32)",
    ),
    about(
        Kind::Above7fffffff,
        "above-7fffffff",
        Class::Range,
        "a value above 7FFFFFFF (UTF-1, FSS-UTF of 1992, UCS-4)",
    ),
    about(
        Kind::FourByte,
        "four-byte",
        Class::Lead,
        "F0..F7 where forms end at three bytes (CESU-8, MUTF-8, utf8mb3)",
    ),
    about(Kind::FiveByte, "five-byte", Class::Lead, "F8..FB that is not overlong-5"),
    about(Kind::SixByte, "six-byte", Class::Lead, "FC or FD that is not overlong-6"),
    about(Kind::InvalidFeFf, "invalid-fe-ff", Class::Lead, "FE or FF"),
    about(Kind::InvalidLead, "invalid-lead", Class::Lead, "F8..FF (FSS-UTF of 1992)"),
    about(Kind::RawNul, "raw-nul", Class::Lead, "00 where U+0000 must be C0 80 (MUTF-8)"),
    about(
        Kind::TruncatedNext,
        "truncated-next",
        Class::Truncated,
        "a sequence so far in range, then a byte that does not continue it",
    ),
    about(
        Kind::TruncatedEnd,
        "truncated-end",
        Class::Truncated,
        "a sequence so far in range, then the end of input",
    ),
    about(
        Kind::Unmapped,
        "unmapped",
        Class::Legacy,
        "bytes that stand for no character (legacy sets, UTF-7)",
    ),
    about(
        Kind::BadEscape,
        "bad-escape",
        Class::Syntax,
        "a malformed escape or shift (notations, UTF-7, ISO-2022-JP)",
    ),
    about(
        Kind::Unencodable,
        "unencodable",
        Class::Target,
        "a code point that the codec to be written cannot hold",
    ),
];

const fn about(kind: Kind, id: &'static str, class: Class, when: &'static str) -> About {
    About { kind, id, class, when }
}

impl Kind {
    /// How many kinds there are.
    pub(crate) const COUNT: usize = Kind::Unencodable as usize + 1;

    /// What is known of this kind.
    pub fn about(self) -> &'static About {
        &KINDS[self as usize]
    }

    /// The name of this kind in every report, such as `overlong-2`.
    pub fn id(self) -> &'static str {
        self.about().id
    }

    /// The family of this kind.
    pub fn class(self) -> Class {
        self.about().class
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

impl Class {
    /// The name of this class in every report, such as `overlong`.
    pub fn id(self) -> &'static str {
        match self {
            Class::Continuation => "continuation",
            Class::Overlong => "overlong",
            Class::Surrogate => "surrogate",
            Class::Range => "range",
            Class::Lead => "lead",
            Class::Truncated => "truncated",
            Class::Legacy => "legacy",
            Class::Syntax => "syntax",
            Class::Target => "target",
        }
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

/// One ill-formed sequence: wrong data is a value, never an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Issue {
    /// The offset of its first byte in the whole input, in bytes from 0.
    pub offset: u64,
    /// Its length in bytes, 1..=6, or more in a notation. A whole overlong, surrogate or too large form is one issue,
    /// and so is the rest of a truncated one; the byte that interrupts is never part of it.
    pub len: u8,
    /// Why it is ill-formed.
    pub kind: Kind,
    /// How many U+FFFD stand for it where one stands for each maximal subpart (Unicode, section
    /// 3.9; the WHATWG Encoding Standard): 1, or as many as it has bytes.
    pub replacements: u8,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_its_row() {
        assert_eq!(KINDS.len(), Kind::COUNT);
        for (i, row) in KINDS.iter().enumerate() {
            assert_eq!(row.kind as usize, i, "{}", row.id);
        }
    }
}
