//! Oddity: a score, in points, for how implausible a text is as intended writing.
//!
//! A run is scored as it stands and again as the UTF-8 that its bytes may have been. Both scores
//! use the same points: some for each rarely used character, some for each pair or triple of
//! characters that are rarely neighbours. A reversal that lowers the score far enough is taken for
//! the intended text.
//!
//! The points are a judgement, not counted from a corpus. The first values came from the alphabets
//! that the pages serve: which letters and marks stand next to each other in a word, and which
//! never do. Each value was then adjusted until three groups of cases came out right: the cases
//! that ftfy's authors publish as sound (`stays` in `tests/corpus/ftfy.tsv`), the sound lines of
//! `tests/detect/mojibake.rs`, and these lines misread in each page. The cases that are to be
//! undone were measured, not tuned for: the test of that table bounds their share from below. Run
//! these two tests after a change of any value. A sound line that changes is an error; a
//! double-encoded line that stays is a matter of degree.

use super::characters::NeighbourClass::{self, *};
use super::characters::{CharTraits, LetterScript};

/// Points that a reversal must gain to be certain on its own evidence.
pub(super) const CERTAIN: i32 = 6;

/// Points on top of [`CERTAIN`] for a run of two characters in a page other than the most common.
pub(super) const RARE_PAIR_MARGIN: i32 = 2;

/// Points that suffice where another run of the line is certain in the same page.
pub(super) const EXPECTED: i32 = 1;

/// Points that suffice in the named page for a run that is not isolated.
pub(super) const NAMED: i32 = 4;

/// Rarity from which a character is undone only if the reversal gains points.
pub(super) const RARE: u8 = 5;

/// Largest number of points that a pair of neighbours can subtract.
pub(super) const MAX_PAIR_BONUS: i32 = 1;

/// Points of a capital after a small letter.
pub(super) const ODD_CASE: i32 = 3;

/// The last two characters of a text that is being scored.
struct NeighbourWalk([CharTraits; 2]);

impl NeighbourWalk {
    fn after(before: [char; 2]) -> NeighbourWalk {
        NeighbourWalk(before.map(CharTraits::of))
    }

    /// Returns the points for the neighbourhood of the next character, without its own rarity.
    #[inline]
    fn meet(&mut self, this: CharTraits) -> i32 {
        let points = pair(self.0[1], this) + triple(self.0, this);
        self.0 = [self.0[1], this];
        points
    }
}

/// Returns the points of `text` after the characters `before` and before the character `after`.
pub(super) fn oddity(before: [char; 2], text: &[char], after: char) -> i32 {
    let mut walk = NeighbourWalk::after(before);
    let odd = |this: CharTraits| i32::from(this.rarity) + walk.meet(this);
    let points: i32 = text.iter().map(|&value| CharTraits::of(value)).map(odd).sum();
    points + walk.meet(CharTraits::of(after))
}

/// Returns the points of a character for its neighbours, without its own rarity.
pub(super) fn neighbour_oddity(before: [char; 2], value: char, after: char) -> i32 {
    oddity(before, &[value], after) - i32::from(CharTraits::of(value).rarity)
}

/// Running totals of points at one character of a text.
#[derive(Clone, Copy)]
pub(super) struct Oddity {
    /// Points of all characters and pairs before this character.
    pub before: i32,
    /// The same, plus the points for meeting this character.
    pub met: i32,
}

/// Appends the totals for each character of `text`, and for a line end after the last.
pub(super) fn oddities(before: [char; 2], text: &[char], totals: &mut Vec<Oddity>) {
    let mut walk = NeighbourWalk::after(before);
    let mut points = 0;
    totals.extend(text.iter().chain([&'\n']).map(|&value| {
        let this = CharTraits::of(value);
        let odd = Oddity { before: points, met: points + walk.meet(this) };
        points = odd.met + i32::from(this.rarity);
        odd
    }));
}

/// Returns `true` if this neighbour of a reversible run is itself odd, which halves the gain of the
/// run.
pub(super) fn is_stray(value: char) -> bool {
    let CharTraits { class, rarity, .. } = CharTraits::of(value);
    !matches!(class, Edge | Opener | Dash | Space | Joiner) && (class != Closer || rarity > 2)
}

/// Returns the points of two neighbours.
#[inline]
fn pair(a: CharTraits, b: CharTraits) -> i32 {
    match (a.is_letter(), b.is_letter()) {
        (true, true) => letter_pair(a, b),
        (true, false) => letter_symbol(b.class),
        (false, true) => symbol_letter(a, b),
        (false, false) => symbol_pair(a.class, b.class),
    }
}

/// Returns the points of two letters.
#[inline]
fn letter_pair(a: CharTraits, b: CharTraits) -> i32 {
    let foreign = a.rarity > 0 && b.rarity > 0;
    let mixed = a.script != b.script
        && a.script != LetterScript::Common
        && b.script != LetterScript::Common;
    let greek_symbol = |a: CharTraits, b: CharTraits| {
        a.script == LetterScript::Greek && a.rarity < RARE && b.script == LetterScript::Latin
    };
    let is_arabic = |one: CharTraits| one.script == LetterScript::Arabic;
    let mut points = 0;
    // As the `Ω½` of `3 Ω½W` would be with the `W`.
    if mixed && (is_arabic(a) || is_arabic(b)) {
        points += 4;
    }
    if mixed && !greek_symbol(a, b) && !greek_symbol(b, a) {
        points += 4;
    }
    if a.class == Lower && b.class == Upper {
        points += ODD_CASE;
    }
    if foreign && a.script == LetterScript::Latin && b.script == LetterScript::Latin {
        // Ligatures have no accented neighbours.
        points += if a.rarity == 3 || b.rarity == 3 { 4 } else { 1 };
    }
    points
}

/// Returns the points of a symbol after a letter.
fn letter_symbol(symbol: NeighbourClass) -> i32 {
    match symbol {
        Accent => 3,
        Money | Opener | Mark | Frame => 2,
        Maths | Raised | Picture | Lost => 1,
        Control => 4,
        _ => 0,
    }
}

/// Returns the points of a symbol before a letter.
fn symbol_letter(symbol: CharTraits, letter: CharTraits) -> i32 {
    let foreign = i32::from(letter.rarity > 0);
    match symbol.class {
        Raised | Accent => 2,
        Frame => 4 + foreign,
        Closer | Money | Mark | Picture | Lost => 1,
        Maths | Digit => foreign,
        Control => 4,
        _ => 0,
    }
}

/// Returns the points of two symbols.
fn symbol_pair(a: NeighbourClass, b: NeighbourClass) -> i32 {
    match (a, b) {
        (Control, _) | (_, Control) => 4,
        (Frame, Frame) => -1,
        (Combining, _) => 0,
        (Edge, Combining) => 5,
        (Opener, Edge) => 1,
        (Edge | Space | Dash | Joiner, _) | (_, Edge | Space | Dash | Joiner) => 0,
        (Digit, _) | (_, Digit) => 0,
        (Closer, Closer) | (Opener, Opener) => 0,
        (Closer, Opener) => 3,
        _ if a == b => 0,
        (Frame, _) => 4,
        (Opener, _) | (_, Closer) => 1,
        _ => 2,
    }
}

/// Largest number of points for a letter that stands alone after a digit.
const COUNTED: u8 = 2;

/// Largest number of points for a letter that stands alone between quotes: `“中”`.
const QUOTED: u8 = 2;

/// Returns `true` if a word in capitals may end in the rare letter `this` before `last`: `OÃ™` and `CAFÃ‰`
/// are French.
fn is_final_capital(this: CharTraits, last: CharTraits) -> bool {
    const TRADEMARK: (NeighbourClass, u8) = (Closer, 3);
    const PER_MILLE: (NeighbourClass, u8) = (Mark, 3);
    let is_misread = [TRADEMARK, PER_MILLE].contains(&(last.class, last.rarity));
    this.rarity > 2 && !last.is_letter() && !is_misread
}

/// Returns the points of the middle one of three characters: a symbol within a word, or a letter
/// that does not fit.
#[inline]
fn triple([first, this]: [CharTraits; 2], last: CharTraits) -> i32 {
    let foreign = this.rarity > 0;
    match (first.class, this.class, last.class) {
        (Upper, Upper, Lower) if foreign || last.rarity > 0 => 2,
        (Lower, Upper, _) if foreign && !last.is_letter() => 2,
        // Words in capitals may end like `AMANHÃ“`.
        (Upper, Upper, _) if first.rarity == 0 && is_final_capital(this, last) => -3,
        (Upper, Space, Lower) if first.rarity > 0 => 6,
        // `‚Äú` of macintosh is a quotation mark.
        (Opener, Upper, _) if first.rarity > 2 && foreign && last.rarity > 0 => 3,
        _ if this.is_letter() && !first.is_letter() && !last.is_letter() => match last.class {
            Joiner => 0,
            // `Ã—` is `×`.
            Dash if this.rarity > 2 => 2 * i32::from(this.isolation),
            // Quoted, in the styles of several languages: `„Ć“`, `»Š«`.
            Opener if matches!(first.class, Opener | Closer) => -2,
            Closer if first.class == Opener => this.isolation.min(QUOTED).into(),
            // Counted, as in `5月`.
            _ if first.class == Digit => this.isolation.min(COUNTED).into(),
            _ => this.isolation.into(),
        },
        (_, Closer | Opener | Raised | Accent | Money | Mark | Frame, _)
            if first.is_letter() && last.is_letter() =>
        {
            // The word does not end in a rare capital either, which the points of the previous
            // triple assumed.
            let capital = first.class == Upper && first.rarity > 0;
            if capital && last.rarity == 0 { 6 } else { 3 }
        }
        // No word has a rare capital and a sign before a small letter: `TÃ­tol`.
        (Upper, Maths | Joiner, Lower)
            if first.rarity > 0 && this.rarity > 2 && last.rarity == 0 =>
        {
            4
        }
        (_, Maths | Dash, _) if first.is_letter() && last.is_letter() => 1,
        _ => 0,
    }
}
