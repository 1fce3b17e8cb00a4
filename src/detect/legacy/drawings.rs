//! Costs of frames, tables and trees of box drawings in multi-byte sets.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::model::BIT;
use super::oddity::{is_box_drawing, is_drawn};
use super::unit_text::{BLANK, character};

/// The cost of each different box drawing, chosen by hand: one of 16. Lines repeat them.
const DRAWING: i64 = 4 * BIT;

/// The cost of a box drawing at either end of a horizontal line, chosen by hand.
const LINE_END: i64 = 2 * BIT;

/// The cost of a box drawing next to another where neither is a horizontal line, chosen by hand. With less,
/// Greek words of GBK are frames in EUC-KR; with more, tables with narrow cells are words.
const JOINT: i64 = 10 * BIT;

/// Returns a text with a space in place of adjacent [box drawings](is_drawn), or nothing where a blank is
/// before them, and the cost of the drawings. A single drawing is none.
pub(super) fn without_drawings(text: &[u16]) -> (Cow<'_, [u16]>, i64) {
    if text.iter().filter(|&&unit| is_box_drawing(character(unit))).nth(1).is_none() {
        return (Cow::Borrowed(text), 0);
    }
    let (mut rest, mut different, mut cost) = (Vec::new(), BTreeSet::new(), 0);
    for (at, &unit) in text.iter().enumerate() {
        if !is_drawn_at(text, at) {
            rest.push(unit);
            continue;
        }
        different.insert(unit);
        let [before, drawing] = [at.wrapping_sub(1), at].map(|at| character_at(text, at));
        let is_line = |one| matches!(one, '─' | '━' | '═');
        cost += match before {
            _ if before == drawing || !is_box_drawing(before) => 0,
            _ if is_line(before) || is_line(drawing) => LINE_END,
            _ => JOINT,
        };
        if rest.last().is_some_and(|&last| last > BLANK) {
            rest.push(BLANK);
        }
    }
    (Cow::Owned(rest), cost + different.len() as i64 * DRAWING)
}

/// Returns `true` if the character at an index [is drawn](is_drawn).
pub(super) fn is_drawn_at(text: &[u16], at: usize) -> bool {
    let [before, one, after] = [at.wrapping_sub(1), at, at + 1].map(|at| character_at(text, at));
    is_drawn(before, one, after)
}

/// Returns the character at an index, and a space outside of the text.
fn character_at(text: &[u16], at: usize) -> char {
    character(text.get(at).copied().unwrap_or(BLANK))
}
