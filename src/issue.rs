//! Kinds of ill-formed sequences.
//!
//! Each ill-formed sequence has exactly one kind, which the earliest byte that excludes every
//! well-formed sequence decides. In the UTF-8 family it depends only on the bytes of the sequence
//! and on whether the input ends after them.

use std::fmt;

/// A family of kinds.
///
/// ```
/// use utf8::{Class, Encoding, validate};
///
/// let issue = validate(Encoding::UTF_8, b"\xED\xA0\x80").unwrap_err();
/// assert_eq!(issue.kind.class(), Class::Surrogate);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Class {
    /// A continuation byte without its lead.
    Continuation,
    /// More bytes than the value needs.
    Overlong,
    /// Surrogates, U+D800..DFFF.
    Surrogate,
    /// A value above the maximum of the encoding.
    Range,
    /// A byte that starts no sequence of the encoding.
    Lead,
    /// An incomplete sequence.
    Truncated,
    /// Bytes without a character in a legacy set.
    Legacy,
    /// An escape that violates the syntax of a notation.
    Syntax,
    /// A code point that the target encoding cannot hold.
    Target,
    /// A whole input in another encoding.
    Input,
}

/// A relative of UTF-8 with additional well-formed sequences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relative {
    /// CESU-8, with surrogate pairs of three bytes each.
    Cesu8,
    /// Modified UTF-8, with U+0000 in two bytes.
    Mutf8,
    /// WTF-8, with unpaired surrogates.
    Wtf8,
    /// UTF-8 of RFC 2279, with values up to 7FFFFFFF.
    Rfc2279,
}

/// The event that ends a truncated sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interruption {
    /// A byte that does not continue the sequence.
    Byte,
    /// The end of the input.
    EndOfInput,
}

/// A row of [`KINDS`].
#[derive(Debug)]
#[non_exhaustive]
pub struct KindRow {
    /// The kind.
    pub kind: Kind,
    /// Name in every report, such as `overlong-2`.
    pub id: &'static str,
    /// Family.
    pub class: Class,
    /// Short name for people.
    pub title: &'static str,
    /// Definition of the kind, as a noun phrase.
    pub explanation: &'static str,
    /// Message template for sequences of one byte. `{bytes}` and the other placeholders stand for
    /// facts of the sequence; a part in `[…]` is dropped where a placeholder in it is empty.
    pub lead: &'static str,
    /// Message template for longer sequences.
    pub form: &'static str,
    /// The relative in which the whole form is well-formed, with its length in bytes.
    pub well_formed_in: Option<(Relative, u8)>,
    /// The event that cut the sequence short, if nothing else is wrong.
    pub interrupted_by: Option<Interruption>,
}

const NO_START: &str = "byte {bytes} starts no sequence";
const LONE: &str = "continuation byte {bytes} without a lead byte";
const OVERLONG: &str = "overlong {n}-byte form {bytes}[ of {value}][, cut short by {next}]";
const RFC2279_FORM: &str =
    "{n}-byte form {bytes}[ of {value}], as RFC 2279 had it[, cut short by {next}]";
const RAW_NUL: &str = "byte 00, where U+0000 is C0 80";
const TRUNCATED: &str = "truncated {n}-byte sequence {bytes}[: expected {expected}], found {next}";
const BAD_ESCAPE: &str = "\"{text}\" is not {item}";
const UNENCODABLE: &str = "{codec} cannot hold {value}";
const NOT_UTF8: &str = "{codec} text, where UTF-8 is expected";

table! {
    /// The reason why a sequence is ill-formed.
    ///
    /// ```
    /// use utf8::{Class, Kind};
    ///
    /// assert_eq!(Kind::Overlong3.id(), "overlong-3");
    /// assert_eq!(Kind::Overlong3.class(), Class::Overlong);
    /// ```
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    enum Kind

    /// Every kind, in the order of [`Kind`].
    static KINDS: KindRow [kind]

    LoneContinuation {
        id: "lone-continuation", title: "Continuation byte without a lead byte",
        explanation: "80..BF where a character should start",
        lead: LONE, form: LONE,
        class: Class::Continuation, well_formed_in: None, interrupted_by: None,
    }
    OverlongNul {
        id: "overlong-nul", title: "Overlong form of U+0000",
        explanation: "C0 80",
        lead: NO_START, form: OVERLONG,
        class: Class::Overlong, well_formed_in: Some((Relative::Mutf8, 2)), interrupted_by: None,
    }
    Overlong2 {
        id: "overlong-2", title: "Overlong two-byte form",
        explanation: "C1, or C0 before anything but 80 (MUTF-8: before 81..BF)",
        lead: "byte {bytes} starts no sequence: its forms are overlong", form: OVERLONG,
        class: Class::Overlong, well_formed_in: None, interrupted_by: None,
    }
    Overlong3 {
        id: "overlong-3", title: "Overlong three-byte form",
        explanation: "E0 80..9F",
        lead: NO_START, form: OVERLONG,
        class: Class::Overlong, well_formed_in: None, interrupted_by: None,
    }
    Overlong4 {
        id: "overlong-4", title: "Overlong four-byte form",
        explanation: "F0 80..8F",
        lead: NO_START, form: OVERLONG,
        class: Class::Overlong, well_formed_in: None, interrupted_by: None,
    }
    Overlong5 {
        id: "overlong-5", title: "Overlong five-byte form",
        explanation: "F8 80..87",
        lead: NO_START, form: OVERLONG,
        class: Class::Overlong, well_formed_in: None, interrupted_by: None,
    }
    Overlong6 {
        id: "overlong-6", title: "Overlong six-byte form",
        explanation: "FC 80..83",
        lead: NO_START, form: OVERLONG,
        class: Class::Overlong, well_formed_in: None, interrupted_by: None,
    }
    SurrogateHigh {
        id: "surrogate-high", title: "Unpaired high surrogate",
        explanation: "ED A0..AF, not part of a pair (CESU-8: if complete); a high unit alone",
        lead: NO_START, form: "high surrogate {bytes}[, that is {value}][, cut short by {next}]",
        class: Class::Surrogate, well_formed_in: Some((Relative::Wtf8, 3)), interrupted_by: None,
    }
    SurrogateLow {
        id: "surrogate-low", title: "Unpaired low surrogate",
        explanation: "ED B0..BF, not part of a pair; a low unit alone (UTF-16)",
        lead: NO_START, form: "low surrogate {bytes}[, that is {value}][, cut short by {next}]",
        class: Class::Surrogate, well_formed_in: Some((Relative::Wtf8, 3)), interrupted_by: None,
    }
    SurrogatePair {
        id: "surrogate-pair", title: "Surrogate pair in two forms",
        explanation: "ED A0..AF and ED B0..BF, three bytes each (CESU-8)",
        lead: NO_START, form: "surrogate pair {bytes}[ of {value}], as CESU-8 has it[, cut short by {next}]",
        class: Class::Surrogate, well_formed_in: Some((Relative::Cesu8, 6)), interrupted_by: None,
    }
    Above10ffff {
        id: "above-10ffff", title: "Value above U+10FFFF",
        explanation: "F4 90..BF, or F5..F7; a value above U+10FFFF (UTF-32)",
        lead: "byte {bytes} starts no sequence: its forms are above U+10FFFF",
        form: "{n}-byte form {bytes}[ of {value}], above U+10FFFF[, cut short by {next}]",
        class: Class::Range, well_formed_in: Some((Relative::Rfc2279, 4)), interrupted_by: None,
    }
    Above7fffffff {
        id: "above-7fffffff", title: "Value above 7FFFFFFF",
        explanation: "a value above 7FFFFFFF (UTF-1, FSS-UTF of 1992, UCS-4)",
        lead: "byte {bytes} starts no sequence: its forms are above 7FFFFFFF",
        form: "{n}-byte form {bytes}[ of {value}], above 7FFFFFFF[, cut short by {next}]",
        class: Class::Range, well_formed_in: None, interrupted_by: None,
    }
    FourByte {
        id: "four-byte", title: "Four-byte form",
        explanation: "F0..F7 where forms end at three bytes (CESU-8, MUTF-8, utf8mb3)",
        lead: "byte {bytes} starts no sequence: no form here has 4 bytes",
        form: "{n}-byte form {bytes}[ of {value}], where no form is longer than 3 bytes[, cut short by {next}]",
        class: Class::Lead, well_formed_in: None, interrupted_by: None,
    }
    FiveByte {
        id: "five-byte", title: "Five-byte form",
        explanation: "F8..FB that is not overlong-5",
        lead: "byte {bytes} starts no sequence: only RFC 2279 had forms of 5 bytes", form: RFC2279_FORM,
        class: Class::Lead, well_formed_in: Some((Relative::Rfc2279, 5)), interrupted_by: None,
    }
    SixByte {
        id: "six-byte", title: "Six-byte form",
        explanation: "FC or FD that is not overlong-6",
        lead: "byte {bytes} starts no sequence: only RFC 2279 had forms of 6 bytes", form: RFC2279_FORM,
        class: Class::Lead, well_formed_in: Some((Relative::Rfc2279, 6)), interrupted_by: None,
    }
    InvalidFeFf {
        id: "invalid-fe-ff", title: "Byte FE or FF",
        explanation: "FE or FF",
        lead: NO_START, form: NO_START,
        class: Class::Lead, well_formed_in: None, interrupted_by: None,
    }
    InvalidLead {
        id: "invalid-lead", title: "Byte that leads no form",
        explanation: "F8..FF (FSS-UTF of 1992)",
        lead: NO_START, form: NO_START,
        class: Class::Lead, well_formed_in: None, interrupted_by: None,
    }
    RawNul {
        id: "raw-nul", title: "NUL in one byte",
        explanation: "00 where U+0000 must be C0 80 (MUTF-8)",
        lead: RAW_NUL, form: RAW_NUL,
        class: Class::Lead, well_formed_in: None, interrupted_by: None,
    }
    TruncatedNext {
        id: "truncated-next", title: "Sequence cut short by another byte",
        explanation: "a sequence so far in range, then a byte that does not continue it",
        lead: TRUNCATED, form: TRUNCATED,
        class: Class::Truncated, well_formed_in: None, interrupted_by: Some(Interruption::Byte),
    }
    TruncatedEnd {
        id: "truncated-end", title: "Sequence cut short by the end of input",
        explanation: "a sequence so far in range, then the end of input",
        lead: TRUNCATED, form: TRUNCATED,
        class: Class::Truncated, well_formed_in: None, interrupted_by: Some(Interruption::EndOfInput),
    }
    Unmapped {
        id: "unmapped", title: "Bytes without a character",
        explanation: "bytes that stand for no character (legacy sets, UTF-7)",
        lead: "byte {bytes} without a character in {codec}", form: "bytes {bytes} without a character in {codec}",
        class: Class::Legacy, well_formed_in: None, interrupted_by: None,
    }
    BadEscape {
        id: "bad-escape", title: "Malformed escape or shift",
        explanation: "a malformed escape or shift (notations, UTF-7, ISO-2022-JP)",
        lead: BAD_ESCAPE, form: BAD_ESCAPE,
        class: Class::Syntax, well_formed_in: None, interrupted_by: None,
    }
    Unencodable {
        id: "unencodable", title: "Code point that the target lacks",
        explanation: "a code point that the codec to be written cannot hold",
        lead: UNENCODABLE, form: UNENCODABLE,
        class: Class::Target, well_formed_in: None, interrupted_by: None,
    }
    NotUtf8 {
        id: "not-utf-8", title: "Text in UTF-16 or UTF-32",
        explanation: "a file in UTF-16 or UTF-32 that nothing declares (in directories)",
        lead: NOT_UTF8, form: NOT_UTF8,
        class: Class::Input, well_formed_in: None, interrupted_by: None,
    }
}

impl KindRow {
    /// Returns the relative of UTF-8 in which a sequence of this kind and length is well-formed.
    pub fn relative(&self, len: u8) -> Option<Relative> {
        self.well_formed_in.filter(|(_, whole)| *whole == len).map(|(relative, _)| relative)
    }
}

impl Kind {
    /// The number of kinds.
    pub(crate) const COUNT: usize = KINDS.len();

    /// Returns the name of this kind in every report, such as `overlong-2`.
    ///
    /// ```
    /// use utf8::{Encoding, validate};
    ///
    /// // U+1F600 in CESU-8.
    /// let issue = validate(Encoding::UTF_8, b"\xED\xA0\xBD\xED\xB8\x80").unwrap_err();
    /// assert_eq!(issue.kind.id(), "surrogate-pair");
    /// ```
    pub fn id(self) -> &'static str {
        self.row().id
    }

    /// Returns the family of this kind.
    ///
    /// ```
    /// use utf8::{Class, Kind};
    ///
    /// assert_eq!(Kind::OverlongNul.class(), Class::Overlong);
    /// assert_eq!(Kind::TruncatedEnd.class(), Class::Truncated);
    /// ```
    pub fn class(self) -> Class {
        self.row().class
    }

    /// Returns `true` if this event, and nothing else, makes a sequence of this kind ill-formed.
    pub(crate) fn is_interrupted_by(self, event: Interruption) -> bool {
        self.row().interrupted_by == Some(event)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

impl Class {
    /// Returns the name of this class in every report, such as `overlong`.
    ///
    /// ```
    /// use utf8::{Class, Kind};
    ///
    /// assert_eq!(Class::Overlong.id(), "overlong");
    /// assert_eq!(Kind::InvalidFeFf.class().id(), "lead");
    /// ```
    pub const fn id(self) -> &'static str {
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
            Class::Input => "input",
        }
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

/// An ill-formed sequence.
///
/// ```
/// use utf8::{Encoding, validate};
///
/// let issue = validate(Encoding::UTF_8, b"a\xF0\x80\x80\xAF").unwrap_err();
/// assert_eq!((issue.offset, issue.len, issue.replacements), (1, 4, 4));
/// assert_eq!(issue.to_string(), "ill-formed sequence of 4 bytes at byte 1 (overlong-4)");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
// The tests name every field, so that none is forgotten.
#[cfg_attr(not(feature = "unstable-internals"), non_exhaustive)]
pub struct Issue {
    /// The offset of the first byte in the input, in bytes from 0.
    pub offset: u64,
    /// The length in bytes: 1..=6, or more in a notation. A complete overlong form, surrogate or
    /// too large form is one issue, and so are the bytes of a truncated sequence. The byte that
    /// interrupts a sequence is never part of it.
    pub len: u8,
    /// The reason why the sequence is ill-formed.
    pub kind: Kind,
    /// The number of U+FFFD that replace the sequence, one for each maximal subpart (Unicode,
    /// section 3.9; the WHATWG Encoding Standard): 1, or the number of bytes.
    pub replacements: u8,
}

impl fmt::Display for Issue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Issue { offset, len, kind, .. } = self;
        let bytes = if *len == 1 { "byte" } else { "bytes" };
        write!(f, "ill-formed sequence of {len} {bytes} at byte {offset} ({kind})")
    }
}

impl std::error::Error for Issue {}
