//! Where is the next run that could be undone?

use super::pages::{PageSet, Pages};
use super::undo::breaks;
use crate::codec::family::continues;
use crate::kernel::Kernels;

/// How many bytes before a candidate belong to it: characters that what it spells may join.
const REACH: usize = 64;

/// A sequence takes at most six characters. One more shows what a blank stands before.
const AHEAD: usize = 7;

/// The most bytes that a sequence takes: six characters of at most three bytes.
const WIDEST: usize = 18;

/// Where the first characters are that spell a sequence in any page.
pub(super) fn candidate(kernels: &Kernels, pages: &Pages, text: &[u8]) -> Option<usize> {
    let (mut at, mut last, mut leads) = (0, 0, 0);
    while at < text.len() {
        if text[at].is_ascii() {
            if leads != 0 && text[at] == b' ' && opens(pages, leads, &text[last..]) {
                return Some(last);
            }
            leads = 0;
            at += 1;
            at += kernels.ascii(&text[at..]);
            continue;
        }
        let (value, width) = scalar(&text[at..])?;
        let entry = pages.entry(value);
        let goes_on = leads & entry.trails != 0 || leads != 0 && value == LOST;
        if goes_on && opens(pages, leads, &text[last..]) {
            return Some(last);
        }
        (leads, last) = (entry.leads, at);
        at += width;
    }
    None
}

const LOST: u32 = char::REPLACEMENT_CHARACTER as u32;

/// The scalar value in front, which is not ASCII, and its length. Any beyond the pages' for four
/// bytes. `None` if it is cut.
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

/// Whether the text starts with a sequence of one of these pages.
#[inline(never)]
fn opens(pages: &Pages, mut set: PageSet, text: &[u8]) -> bool {
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
    let values = &values[..known];
    while set != 0 {
        let page = set.trailing_zeros() as usize;
        set &= set - 1;
        if let Some(sequence) = pages.sequence(page, values, |_| ('\n', ""))
            && starts(values, sequence.len)
        {
            return true;
        }
    }
    false
}

/// Whether a sequence is a start. Many a word before a blank looks like one that has lost its
/// no-break space; capitals of Latin-1 do not.
pub(super) fn starts(values: &[char], len: usize) -> bool {
    let blank = values[1] == ' ' || values[len - 1] == ' ';
    let capital = matches!(values[0], '\u{C2}'..='\u{DE}') && values[1] == ' ';
    let within = values[len - 1] != ' ' || values.get(len).is_some_and(|next| !next.is_ascii());
    !blank || capital || within && len > 2
}

/// Where what belongs to the candidate at `at` starts.
pub(super) fn start(text: &[u8], at: usize) -> usize {
    let from = at.saturating_sub(REACH);
    let broken = text[from..at].iter().rposition(breaks).map(|broken| from + broken + 1);
    let first = |at: &usize| !continues(text[*at]) && text[*at] != b' ';
    (broken.unwrap_or(from)..at).find(first).unwrap_or(at)
}

/// From where on a candidate may still come, if more text follows.
pub(super) fn undecided(text: &[u8]) -> usize {
    let most = text.len().saturating_sub(WIDEST + 4);
    let broken = text[most..].iter().rposition(breaks);
    let most = broken.map_or(most, |at| most + at + 1);
    let near = (most..text.len()).find(|&at| !continues(text[at])).unwrap_or(most);
    start(text, near)
}
