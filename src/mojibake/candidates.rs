//! Search of UTF-8 for the first characters that could start a run.

use super::controls::is_c1_control;
use super::pages::{PageSet, Pages};
use crate::codec::family::continues;
use crate::kernel::Kernels;

/// Number of bytes before a candidate that are judged with it: a decoded character may join them.
const REACH: usize = 64;

/// Number of characters examined: six of the longest sequence, and one after a space.
const AHEAD: usize = 7;

/// Length in bytes of the longest sequence: six characters of three bytes.
const WIDEST: usize = 18;

/// Returns the offset of the first characters that are a sequence in any page, or of the first C1
/// control if these are read. More text than `text` follows unless it is the `last`.
pub(super) fn find_candidate(
    kernels: &Kernels,
    pages: &Pages,
    text: &[u8],
    last: bool,
) -> Option<usize> {
    let (mut at, mut last_at, mut previous, mut leads) = (0, 0, 0, 0);
    while at < text.len() {
        if text[at].is_ascii() {
            if leads != 0 && text[at] == b' ' && starts_sequence(pages, leads, &text[last_at..]) {
                return Some(last_at);
            }
            leads = 0;
            at += 1;
            at += kernels.ascii(&text[at..]);
            continue;
        }
        let (value, width) = scalar(&text[at..])?;
        let entry = pages.entry(value);
        let both = match leads & entry.continuations {
            0 => 0,
            both => both & !pages.within_words([previous, value, next_value(&text[at + width..])]),
        };
        let continued = both != 0 || leads != 0 && value == LOST;
        if continued && starts_sequence(pages, leads, &text[last_at..]) {
            return Some(last_at);
        }
        if pages.reads_controls && is_c1_control(value) {
            // A sequence that is still cut may start before the control.
            let is_decided = last || at < undecided_tail(text);
            return is_decided.then_some(at);
        }
        (leads, last_at, previous) = (entry.leads, at, value);
        at += width;
    }
    None
}

const LOST: u32 = char::REPLACEMENT_CHARACTER as u32;

/// Returns the first scalar value, which is not ASCII, and its length in bytes. Sequences of four
/// bytes give U+10000, for no page has their characters. Returns `None` if the sequence is cut. The text
/// is known to be well formed before a cut.
#[inline(always)]
fn scalar(text: &[u8]) -> Option<(u32, usize)> {
    let bits = |at: usize| text.get(at).map(|&byte| u32::from(byte) & 0x3F);
    let lead = u32::from(text[0]);
    match lead {
        ..0xE0 => Some(((lead & 0x1F) << 6 | bits(1)?, 2)),
        0xE0..0xF0 => Some(((lead & 0x0F) << 12 | bits(1)? << 6 | bits(2)?, 3)),
        _ => (text.len() > 3).then_some((0x1_0000, 4)),
    }
}

/// Returns the first scalar value; 0 if it is ASCII or cut.
fn next_value(text: &[u8]) -> u32 {
    match text.first() {
        None | Some(..0x80) => 0,
        Some(_) => scalar(text).map_or(0, |(value, _)| value),
    }
}

/// Returns `true` if `text` starts with a sequence of one of these pages that [can
/// start](can_start) a run.
#[inline(never)]
fn starts_sequence(pages: &Pages, set: PageSet, text: &[u8]) -> bool {
    let mut values = ['\0'; AHEAD];
    let (mut known, mut at) = (0, 0);
    while known < AHEAD && at < text.len() {
        let (value, width) = match text[at] {
            ascii @ ..0x80 => (ascii.into(), 1),
            _ => scalar(&text[at..]).unwrap_or((0, AHEAD)),
        };
        values[known] = char::from_u32(value).unwrap_or('\0');
        known += 1;
        at += width;
    }
    starts_run_in(pages, set, &values[..known])
}

/// Returns `true` if `text` starts with a sequence of a page that [can start](can_start) a run.
pub(super) fn starts_run(pages: &Pages, text: &[char]) -> bool {
    text.len() > 1 && starts_run_in(pages, pages.entry(text[0]).leads, text)
}

/// Returns `true` if `text` starts with a sequence of one of these pages that [can
/// start](can_start) a run.
fn starts_run_in(pages: &Pages, mut set: PageSet, text: &[char]) -> bool {
    if let Some(first) = text.first_chunk::<3>() {
        set &= !pages.within_words(first.map(u32::from));
    }
    while set != 0 {
        let page = set.trailing_zeros() as usize;
        set &= set - 1;
        if let Some(sequence) = pages.sequence(page, text, |_| ('\n', ""))
            && can_start(text, sequence.len)
        {
            return true;
        }
    }
    false
}

/// Returns `true` if a run can start with the first `len` characters. Many words before a space
/// resemble a sequence that has lost its no-break space; capitals of Latin-1 do not.
pub(super) fn can_start(values: &[char], len: usize) -> bool {
    let blank = values[1] == ' ' || values[len - 1] == ' ';
    let capital = matches!(values[0], '\u{C2}'..='\u{DE}') && values[1] == ' ';
    let within = values[len - 1] != ' ' || values.get(len).is_some_and(|next| !next.is_ascii());
    !blank || capital || within && len > 2
}

/// Returns the offset from which text is judged with the candidate at `at`.
pub(super) fn context_start(text: &[u8], at: usize) -> usize {
    let from = at.saturating_sub(REACH);
    let broken = text[from..at].iter().rposition(is_boundary).map(|broken| from + broken + 1);
    let first = |at: &usize| !continues(text[*at]) && text[*at] != b' ';
    (broken.unwrap_or(from)..at).find(first).unwrap_or(at)
}

/// Returns the index from which text is judged with the candidate at `at`: see [`context_start`].
pub(super) fn context_start_of(text: &[char], at: usize) -> usize {
    let near: String = text[at.saturating_sub(REACH)..at].iter().collect();
    at - near[context_start(near.as_bytes(), near.len())..].chars().count()
}

/// Returns the offset from which on text is judged with a candidate that may start once more text
/// follows.
pub(super) fn undecided_from(text: &[u8]) -> usize {
    context_start(text, undecided_tail(text))
}

/// Returns the offset from which on a candidate may start once more text follows.
fn undecided_tail(text: &[u8]) -> usize {
    let most = text.len().saturating_sub(WIDEST + 4);
    let broken = text[most..].iter().rposition(is_boundary);
    let most = broken.map_or(most, |at| most + at + 1);
    (most..text.len()).find(|&at| !continues(text[at])).unwrap_or(most)
}

/// Returns `true` if no run continues after this byte: ASCII other than a space.
pub(super) fn is_boundary(byte: &u8) -> bool {
    byte.is_ascii() && *byte != b' '
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [`context_start`] takes offsets of bytes, [`context_start_of`] those of characters.
    #[test]
    fn both_contexts_start_at_the_same_character() {
        let befores = ["", "é", "a", "aé", "é a", "é \n é", "漢字", " é  漢", "😀é "];
        let fillers = [" ", "é", "漢", "😀", " é", "a"].into_iter();
        let fillers = fillers.flat_map(|filler| (0..=REACH + 8).map(|times| filler.repeat(times)));
        let fillers: Vec<String> = fillers.collect();
        let texts = befores
            .iter()
            .flat_map(|before| fillers.iter().map(move |filler| [*before, filler, "Ã©"].concat()));
        for text in texts.step_by(crate::TEST_STRIDE) {
            let chars: Vec<char> = text.chars().collect();
            for (index, (at, _)) in text.char_indices().enumerate() {
                let start = context_start(text.as_bytes(), at);
                let start_of = context_start_of(&chars, index);
                let offset: usize = chars[..start_of].iter().map(|c| c.len_utf8()).sum();
                assert_eq!(start, offset, "{text:?} at {at}");
            }
        }
    }
}
