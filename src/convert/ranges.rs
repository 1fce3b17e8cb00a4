//! Conversions of ranges of a text that are to make up the conversion of the whole.

use std::fmt;

use crate::codec::surrogate::{BEYOND_LOW, HIGH, LOW};
use crate::codec::{Escapes, Step};
use crate::policy::Policy;
use crate::registry::Encoding;

/// The reason why the conversions of two ranges, one behind the other, can differ from that of both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RangeError {
    /// The bytes of a character depend on the text before it.
    Dependent(&'static Encoding),
    /// The target joins two surrogates that the source, or the policy, can have in two ranges.
    Pairs(&'static Encoding),
}

impl fmt::Display for RangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RangeError::Dependent(codec) => {
                write!(f, "a text in {} depends on the text before it", codec.name)
            }
            RangeError::Pairs(target) => {
                write!(f, "{} joins surrogates, which may be in two ranges", target.name)
            }
        }
    }
}

/// Checks that the conversions of the ranges of a text make up the conversion of the whole.
///
/// # Errors
/// Returns the reason if they may not.
pub fn check_ranges(
    source: &'static Encoding,
    target: &'static Encoding,
    policy: Policy,
) -> Result<(), RangeError> {
    if source.properties.stateful {
        return Err(RangeError::Dependent(source));
    }
    let is_stateful = target.properties.stateful || target.holds_letters();
    if is_stateful || keeps_state(target, 'a'.into()) {
        return Err(RangeError::Dependent(target));
    }
    let escapes = policy == Policy::SurrogateEscape && source.properties.surrogates;
    match (escapes || has_split_pairs(source)) && keeps_state(target, HIGH) {
        true => Err(RangeError::Pairs(target)),
        false => Ok(()),
    }
}

/// Returns `true` if the state of a writer within a text depends on a code point before.
fn keeps_state(target: &Encoding, value: u32) -> bool {
    let mut writer = target.writer(Escapes::Usual);
    writer.restart();
    writer.put(value, &mut Vec::new()) && !writer.is_restarted()
}

/// Returns `true` if well-formed text can have the two surrogates of a pair as two sequences.
fn has_split_pairs(source: &Encoding) -> bool {
    if !source.properties.surrogates {
        return false;
    }
    let mut text = Vec::new();
    for value in [HIGH, BEYOND_LOW - 1] {
        let mut writer = source.writer(Escapes::Usual);
        writer.restart();
        writer.put(value, &mut text);
        writer.finish(&mut text);
    }
    matches!(source.step(&text), Step::Scalar { value: HIGH..LOW, .. })
}
