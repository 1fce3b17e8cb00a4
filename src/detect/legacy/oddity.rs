//! Words that no language has, and tables of characters.

use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

use super::words::{Word, is_in_word};

/// Box drawings with a line to the left.
const TO_THE_LEFT: &str = "─┐┘┤┬┴┼═╕╖╗╛╜╝╡╢╣╤╥╦╧╨╩╪╫╬━┓┛┫┳┻╋┥┨┯┰┷┸┿╂";
/// Box drawings with a line to the right.
const TO_THE_RIGHT: &str = "─┌└├┬┴┼═╒╓╔╘╙╚╞╟╠╤╥╦╧╨╩╪╫╬━┏┗┣┳┻╋┝┠┯┰┷┸┿╂";

/// Box drawings that stand next to text: lines, the ends of a title in a frame, and what converters to
/// KOI8-R wrote for `«`, `»` and `№`.
const BESIDE_TEXT: &str = "─│═║├┤╠╣╟╢╞╡╚╩╧━┃┣┫┝┥┠┨";

/// Box drawings that stand alone: the borders of cells, and branches of trees.
const ALONE: &str = "│┃║├┣╠└┗╚┤┫╣";

/// The number of equal letters in a row that are likelier a line of box drawings or blocks in a page of
/// DOS, if their byte is one there.
const LONG_RUN: usize = 4;

/// The bytes of horizontal lines and of blocks in the pages of DOS.
fn is_dos_drawing(byte: u8) -> bool {
    matches!(byte, 0xB0..=0xB2 | 0xC4 | 0xCD | 0xDB..=0xDF)
}

/// The letters beyond ASCII that are words in languages of the Latin script, in lower case, and capitals
/// that stand alone as signs and in lists.
const ONE_LETTER_WORDS: &str = "àáâåæèéêìíįòóôöőýÄØÜ";

/// The number of different words from which no text has only words of two letters: they are likelier
/// characters of a multi-byte set, one a line. Chosen by hand.
const MOST_SHORT_WORDS: u32 = 8;

/// The number of pairs of bytes in the order of their codes from which a text may be a table. Chosen by
/// hand.
const LEAST_IN_ORDER: usize = 8;

/// Returns `true` if a text is a table of a multi-byte set: a quarter of the pairs of bytes beyond
/// ASCII, and some at least, are the successor of the pair before.
pub(super) fn is_in_code_order<'a>(windows: impl Iterator<Item = &'a [u8]>) -> bool {
    let (mut all, mut in_order) = (0, 0);
    for window in windows {
        let mut before: &[u8] = &[];
        for pair in window.split(u8::is_ascii).flat_map(|run| run.chunks_exact(2)) {
            all += 1;
            in_order += usize::from(is_successor(pair, before));
            before = pair;
        }
    }
    in_order >= LEAST_IN_ORDER && in_order * 4 >= all
}

/// Returns `true` if a sequence differs from the one before by one in its last byte.
pub(in crate::detect) fn is_successor(sequence: &[u8], before: &[u8]) -> bool {
    match [sequence, before].map(<[u8]>::split_last) {
        [Some((this, front)), Some((that, other))] => {
            front == other && that.checked_add(1) == Some(*this)
        }
        _ => false,
    }
}

/// Returns the share of odd words among the different words, given the bytes beyond ASCII with their
/// code points. Words of marks alone do not count. All are odd if each has two letters.
pub(super) fn share_of_odd_words<'a>(
    high: impl Iterator<Item = (u8, &'a u32)>,
    words: &[Word],
) -> f64 {
    let characters = characters(high);
    let (mut all, mut odd, mut short) = (0, 0, 0);
    for word in words {
        let text: Vec<char> =
            word.bytes.iter().map(|&byte| characters[usize::from(byte)]).collect();
        if text.iter().any(|&one| one.is_alphabetic() || is_box_drawing(one)) {
            all += 1;
            odd += u32::from(is_odd(&text) || has_drawn_line(word.bytes, &text));
            // The characters before and after the word are not part of it.
            short += u32::from(text.len() == 4 && text[1..3].iter().all(|one| !one.is_ascii()));
        }
    }
    if all >= MOST_SHORT_WORDS && short == all {
        return 1.0;
    }
    f64::from(odd) / f64::from(all.max(1))
}

/// Returns `true` for a letter that is a word in no language. Greek and Cyrillic have many words of one
/// letter.
pub(super) fn is_never_word(letter: char) -> bool {
    let is_greek_or_cyrillic = ('\u{370}'..='\u{52F}').contains(&letter);
    let is_word = |one: char| ONE_LETTER_WORDS.contains(one);
    letter.is_alphabetic()
        && !is_greek_or_cyrillic
        && !is_word(letter)
        && !letter.to_lowercase().any(is_word)
}

/// Returns `true` if a word, given with the bytes before and after it, is the micro sign and a unit, as in
/// `10 µF`.
pub(super) fn is_unit(micro: u8, word: &[u8]) -> bool {
    const UNITS: [&[u8]; 22] = [
        b"m", b"s", b"g", b"l", b"L", b"F", b"H", b"A", b"V", b"W", b"M", b"N", b"T", b"J", b"C",
        b"S", b"Pa", b"Hz", b"Sv", b"Gy", b"in", b"mol",
    ];
    // A further part of a long word does not start it.
    matches!(word, [before, first, unit @ .., _]
        if !is_in_word(before) && *first == micro && UNITS.contains(&unit))
}

/// Returns the characters of all bytes, given the bytes beyond ASCII with their code points.
fn characters<'a>(high: impl Iterator<Item = (u8, &'a u32)>) -> [char; 256] {
    let mut characters: [char; 256] = std::array::from_fn(|byte| char::from(byte as u8));
    for (byte, &point) in high {
        characters[usize::from(byte)] = char::from_u32(point).unwrap_or_default();
    }
    characters
}

/// Returns the indices of the words that are branches of a tree of files, as `tree` draws it (`├──`
/// before names, `└──` before the last one, and `│`), or lines of a frame or table. A branch counts
/// if another one with the same sort of lines starts differently: `└──` alone may be a word in capitals.
pub(super) fn branches<'a>(
    high: impl Iterator<Item = (u8, &'a u32)> + Clone,
    words: &[Word],
) -> Vec<usize> {
    // A branch or frame has one of these, or counts only beside one that has.
    let is_line = |&point: &u32| matches!(char::from_u32(point), Some('─' | '═' | '└' | '╚'));
    if !high.clone().any(|(_, point)| is_line(point)) {
        return Vec::new();
    }
    let characters = characters(high);
    // The first drawing of a branch, and whether it has double lines.
    let branch = |word: &Word| {
        let character = |&byte: &u8| characters[usize::from(byte)];
        if !is_part_of_frame(character(word.bytes.get(1)?)) {
            return None;
        }
        let text: Vec<char> = word.bytes.iter().map(character).collect();
        let is_double = text.iter().any(|one| matches!(one, '═' | '║'));
        (is_branch(&text) || is_frame(&text)).then_some((text[1], is_double))
    };
    let found: Vec<_> =
        words.iter().enumerate().filter_map(|(at, word)| Some((at, branch(word)?))).collect();
    let counts = |first: char, is_double: bool| {
        found.iter().any(|&(_, (other, double))| double == is_double && other != first)
    };
    let counted = found.iter().filter(|&&(_, (first, is_double))| counts(first, is_double));
    counted.map(|&(at, _)| at).collect()
}

/// Returns `true` if a word, given with the characters before and after it, is a branch: between
/// blanks, or before a name.
fn is_branch(word: &[char]) -> bool {
    let &[before, first, ref rest @ ..] = word else { return false };
    let line = if matches!(first, '╠' | '╚') { '═' } else { '─' };
    let lines = rest.iter().take_while(|&&one| one == line).count();
    let [name, ..] = rest[lines..] else { return false };
    let is_start = matches!((first, lines), ('├' | '└' | '╠' | '╚', 1..) | ('│' | '║', 0));
    before.is_whitespace() && is_start && (name.is_whitespace() || name.is_ascii() && lines > 0)
}

/// Returns `true` if a word, given with the characters before and after it, is part of a line of a frame
/// or table: box drawings that meet, two lines at least, between blanks or further drawings.
fn is_frame(word: &[char]) -> bool {
    let is_line = |pair: &[char]| matches!(pair, ['─', '─'] | ['═', '═']);
    word.iter().all(|&one| is_part_of_frame(one))
        && word.windows(2).all(|pair| do_meet(pair[0], pair[1]))
        && word.windows(2).any(is_line)
}

/// Returns `true` for a box drawing or blank.
fn is_part_of_frame(character: char) -> bool {
    is_box_drawing(character) || character.is_whitespace()
}

/// Returns `true` if a word, given with the characters before and after it, has symbols between
/// letters, a capital after small letters, box drawings that do not meet, or the corner of a box next
/// to a letter.
fn is_odd(word: &[char]) -> bool {
    let has_odd_symbols = (1..word.len()).filter(|&at| word[at - 1].is_alphabetic()).any(|at| {
        let symbols = word[at..].iter().take_while(|&&one| is_symbol(one)).count();
        symbols > 0 && word.get(at + symbols).is_some_and(|one| one.is_alphabetic())
    });
    let is_small = |one: char| one.is_lowercase();
    // A single small letter is a prefix in Celtic languages.
    let has_odd_capital = word.windows(3).any(|text| {
        let is_capital = !text[2].is_ascii() && text[2].is_uppercase();
        is_capital && is_small(text[1]) && (text[0].is_alphabetic() || !text[1].is_ascii())
    });
    let is_odd_drawing = |text: &[char]| {
        !do_meet(text[0], text[1])
            || is_corner(text[0]) && text[1].is_alphabetic()
            || text[0].is_alphabetic() && is_corner(text[1])
    };
    has_odd_symbols || has_odd_capital || word.windows(2).any(is_odd_drawing)
}

/// Returns `true` if a word, given in bytes and characters, has a line of box drawings or blocks in a
/// page of DOS, as equal letters.
fn has_drawn_line(bytes: &[u8], word: &[char]) -> bool {
    let is_line = |(bytes, text): (&[u8], &[char])| {
        is_dos_drawing(bytes[0])
            && text[0].is_alphabetic()
            && bytes.iter().all(|&byte| byte == bytes[0])
    };
    bytes.windows(LONG_RUN).zip(word.windows(LONG_RUN)).any(is_line)
}

/// Returns `true` unless these are adjacent box drawings of which one has a line to the other, and
/// the other has none.
fn do_meet(left: char, right: char) -> bool {
    let are_drawings = is_box_drawing(left) && is_box_drawing(right);
    !are_drawings || TO_THE_RIGHT.contains(left) == TO_THE_LEFT.contains(right)
}

/// Returns `true` for a box drawing that meets the drawings next to it, or may stand alone or next to letters.
pub(super) fn is_drawn(before: char, character: char, after: char) -> bool {
    let is_alone = !is_box_drawing(before) && !is_box_drawing(after);
    is_box_drawing(character)
        && (!is_alone || ALONE.contains(character))
        && do_meet(before, character)
        && do_meet(character, after)
        && !(is_corner(character) && (before.is_alphabetic() || after.is_alphabetic()))
}

/// Returns `true` for a box drawing that does not stand next to text.
fn is_corner(character: char) -> bool {
    is_box_drawing(character) && !BESIDE_TEXT.contains(character)
}

pub(super) fn is_box_drawing(character: char) -> bool {
    ('\u{2500}'..='\u{257F}').contains(&character)
}

/// Returns `true` for a symbol or mark that does not stand between letters. Hyphens, apostrophes and
/// the acute accent that replaces one, the middle dot, the marks of Armenian on vowels and joiners do.
pub(in crate::detect) fn is_symbol(character: char) -> bool {
    let is_allowed = matches!(
        character,
        '\u{AD}'
            | '·'
            | '´'
            | '՛'
            | '՜'
            | '՞'
            | '‘'
            | '’'
            | '‐'
            | '\u{2011}'
            | '–'
            | '—'
            | '\u{200C}'..='\u{200F}'
    );
    !character.is_ascii()
        && !is_allowed
        && matches!(
            character.general_category_group(),
            GeneralCategoryGroup::Symbol
                | GeneralCategoryGroup::Punctuation
                | GeneralCategoryGroup::Number
                | GeneralCategoryGroup::Other
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn branches_of_a_tree_of_files() {
        let is_branch = |word: &str| is_branch(&word.chars().collect::<Vec<_>>());
        for word in
            [" ├── ", "\n└──a", " │ ", " │\u{A0}\u{A0} ", "\n├───src", " ├─ ", "\n╚══a", " ║ "]
        {
            assert!(is_branch(word), "{word}");
        }
        for word in [" ГДД ", "a├── ", " ├═ ", " │──", " │a ", " ─── ", " ├─┬", " ┌── "]
        {
            assert!(!is_branch(word), "{word}");
        }
    }

    #[test]
    fn frames_are_drawings_that_meet() {
        let is_frame = |word: &str| is_frame(&word.chars().collect::<Vec<_>>());
        for word in ["\n╔══╗\n", " ──┼───┼──\n", "═════", " └──┘ "]
        {
            assert!(is_frame(word), "{word}");
        }
        for word in [" ├─ ", " ═║═ ", " ╔══╗a", " ══║ ", " ДДЕ "] {
            assert!(!is_frame(word), "{word}");
        }
    }

    #[test]
    fn odd_words_have_symbols_or_capitals_within_or_broken_lines() {
        let is_odd = |word: &str| is_odd(&word.chars().collect::<Vec<_>>());
        for word in [
            " h…ireann ",
            " ba€lant› ",
            " aprÉs ",
            " утлнеТ ",
            " ║╟║ ",
            " §a§b ",
            " калид╔ ",
            " pr©”sente ",
        ] {
            assert!(is_odd(word), "{word}");
        }
        for word in [
            " hÉireann ",
            " ÉCOLE ",
            " «été» ",
            " rock´n´roll ",
            " col·lecció ",
            " aujourd’hui ",
            " ═══╗ ",
            " ╔═╦═╗ ",
            " ║Файл║ ",
            " ╔═╡Файл╞═╗ ",
            " café… ",
            " 5€ ",
            " été—déjà ",
            " «été»—«déjà» ",
        ] {
            assert!(!is_odd(word), "{word}");
        }
    }
}
