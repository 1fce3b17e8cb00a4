//! Canonical decomposition of a character into a letter and combining marks.

use std::iter;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::{canonical_combining_class, compose};

/// Returns `true` for a character with a combining class other than 0.
pub(crate) fn is_mark(value: u32) -> bool {
    char::from_u32(value).is_some_and(|c| canonical_combining_class(c) != 0)
}

/// Returns a letter and combining marks that are canonically equivalent to a character: as few marks
/// as possible, at least one. `holds` admits the letter and each mark; `None` if there are none.
pub(crate) fn letter_and_marks(c: char, holds: impl Fn(char) -> bool) -> Option<Vec<char>> {
    let mut parts = iter::once(c).nfd();
    let mut letter = parts.next()?;
    let mut marks = Vec::new();
    for part in parts {
        // A mark does not pass one of its class.
        let class = canonical_combining_class;
        let is_next = marks.last().is_none_or(|&mark| class(mark) < class(part));
        match compose(letter, part).filter(|&c| is_next && holds(c)) {
            Some(composed) => letter = composed,
            None if holds(part) && is_mark(part.into()) => marks.push(part),
            None => return None,
        }
    }
    let is_held = holds(letter) && !marks.is_empty();
    is_held.then(|| iter::once(letter).chain(marks).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_those_that_are_held() {
        let vietnamese = |c: char| c.is_ascii() || "êÅÓ\u{301}\u{303}\u{323}".contains(c);
        for (c, parts) in [
            ('ế', Some("ê\u{301}")),
            ('ệ', Some("ê\u{323}")),
            ('\u{1E69}', None),
            ('\u{1E4C}', Some("O\u{303}\u{301}")),
            ('\u{1E63}', Some("s\u{323}")),
            ('\u{212B}', None),
            ('\u{341}', None),
            ('ê', None),
            ('가', None),
        ] {
            let found = letter_and_marks(c, vietnamese).map(String::from_iter);
            assert_eq!(found.as_deref(), parts, "{c}");
        }
    }
}
