//! Costs of the case of letters in words.

use super::model::BIT;
use super::pages::{LetterCase, case};
use super::pairs::Pair;

/// The letter case of each byte value.
pub(super) type CaseTable = [LetterCase; 256];

/// Returns the case of the ASCII bytes. The others have none.
pub(super) fn ascii_cases() -> CaseTable {
    std::array::from_fn(
        |byte| if byte < 0x80 { case(byte as u8 as char) } else { LetterCase::None },
    )
}

/// Returns the cost of the case of letters in pairs: of usual text, or of text in capitals if that is
/// less.
pub(super) fn pairs_case_cost(cases: &CaseTable, pairs: &[Pair]) -> i64 {
    let cost = |of: &dyn Fn(LetterCase, LetterCase) -> i64| -> i64 {
        let cost = |pair: &Pair| {
            let [before, next] = pair.bytes;
            pair.count * of(cases[usize::from(before)], cases[usize::from(next)])
        };
        pairs.iter().map(cost).sum()
    };
    cost(&case_cost).min(CAPITALS + cost(&|_, case| capitals_cost(case)))
}

/// The cost of text in capitals, chosen by hand: one text in 32.
const CAPITALS: i64 = 5 * BIT;

/// Returns the cost of the case of a letter in text in capitals, in sixteenths of a bit. Chosen by
/// hand: one letter in a hundred is small.
fn capitals_cost(case: LetterCase) -> i64 {
    match case {
        LetterCase::None | LetterCase::Upper => 0,
        LetterCase::Lower => 7 * BIT,
    }
}

/// The cost of a capital within a word before a small letter, chosen by hand: names such as McDonald
/// have one.
const INNER_CAPITAL: i64 = 8 * BIT;

/// Returns the cost of capitals after letters and before small letters in a word, given with the
/// bytes before and after it.
pub(super) fn inner_capitals(cases: &CaseTable, word: &[u8]) -> i64 {
    (1..word.len() - 1).map(|at| inner_capital(cases, word, at)).sum()
}

/// Returns the cost of one byte of such a word, if it is such a capital.
pub(super) fn inner_capital(cases: &CaseTable, word: &[u8], at: usize) -> i64 {
    let of = |at: usize| cases[usize::from(word[at])];
    // Celtic languages have small letters before the capital of a word.
    let first = 2 + usize::from(of(1) == LetterCase::Lower);
    let is_odd = at >= first
        && of(at - 1) != LetterCase::None
        && of(at) == LetterCase::Upper
        && of(at + 1) == LetterCase::Lower;
    if is_odd { INNER_CAPITAL } else { 0 }
}

/// Returns the cost of the case of a letter after another character, in sixteenths of a bit. Chosen
/// by hand: at the start of a word, one letter in six is a capital; after a capital, both cases are
/// likely; after a small letter, one in two thousand is a capital.
pub(super) const fn case_cost(before: LetterCase, case: LetterCase) -> i64 {
    match (before, case) {
        (_, LetterCase::None) | (LetterCase::Lower, LetterCase::Lower) => 0,
        (LetterCase::None, LetterCase::Lower) => 5,
        (LetterCase::None, LetterCase::Upper) => 40,
        (LetterCase::Upper, LetterCase::Lower) => 12,
        (LetterCase::Upper, LetterCase::Upper) => 4,
        (LetterCase::Lower, LetterCase::Upper) => 11 * BIT,
    }
}
