//! Sequences of UTF-8 whose bytes appear as characters of a page.

use super::characters::NeighbourClass::{Dash, Joiner, Space};
use super::characters::{CharTraits, NEVER};
use super::pages::{BLANK, Pages};

/// Characters that are a sequence of UTF-8 as bytes of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DoubleSequence {
    /// Number of characters.
    pub len: usize,
    /// The decoded character.
    pub value: char,
    /// True if a byte was lost: one character is U+FFFD, or a space in place of a no-break space.
    pub lossy: bool,
}

/// The bytes of a sequence.
struct SequenceBytes {
    bytes: [u8; 4],
    /// Index of the byte that was lost to U+FFFD.
    lost: Option<usize>,
    /// True if a byte is taken from a space.
    blank: bool,
}

/// Doubly encoded, it has the same characters as a closing quote that lost its last byte, except
/// for a space in place of the no-break space. The quote is much more frequent.
const DAGGER: char = '†';

/// The mark that most often loses its last byte.
pub(super) const QUOTE: char = '”';

/// A frequent first letter of words. Its second byte is a no-break space in windows-1252.
pub(super) const GRAVE: char = 'à';

/// Continuations of words that begin with `à`, in Portuguese.
const CONTRACTED: [&str; 4] = ["s ", "quel", "s.", "s,"];

impl Pages {
    /// Returns the sequence at the start of `text` in this page. `rest` returns, for the index of a
    /// space, the next character and the text after the space.
    pub fn sequence<'a>(
        &self,
        page: usize,
        text: &[char],
        rest: impl Fn(usize) -> (char, &'a str),
    ) -> Option<DoubleSequence> {
        let lead = self.entry(*text.first()?).bytes[page];
        let len = sequence_len(lead)?;
        if len == 2
            && let Some(continuation @ 0x80..=0xBF) =
                text.get(1).map(|&next| self.entry(next).bytes[page])
        {
            let value = decode(&[lead, continuation])?;
            return Some(DoubleSequence { len, value, lossy: false });
        }
        let SequenceBytes { mut bytes, lost, blank } =
            self.sequence_bytes(page, text.get(..len)?)?;
        let value = match lost {
            None => match decode(&bytes[..len]) {
                Some(value) => value,
                None => return self.surrogate_pair(page, text, bytes),
            },
            Some(at) => self.restore(page, &mut bytes[..len], at)?,
        };
        if blank && value == DAGGER {
            return None;
        }
        let separates = blank && len == 2 && separates_words(value, rest(1));
        Some(DoubleSequence {
            len: len - usize::from(separates),
            value,
            lossy: blank || lost.is_some(),
        })
    }

    /// Returns the bytes of a lead and its continuations, of which one may be lost and one be a
    /// space.
    fn sequence_bytes(&self, page: usize, text: &[char]) -> Option<SequenceBytes> {
        let mut bytes = [self.entry(text[0]).bytes[page], 0, 0, 0];
        let (mut lost, mut blank) = (None, false);
        for (at, &value) in text.iter().enumerate().skip(1) {
            bytes[at] = match self.entry(value).bytes[page] {
                byte @ 0x80..=0xBF => byte,
                _ if value == char::REPLACEMENT_CHARACTER && lost.is_none() => {
                    lost = Some(at);
                    0x80
                }
                _ if value == BLANK && !blank && self.nbsp_pages >> page & 1 == 1 => {
                    blank = true;
                    self.entry('\u{A0}').bytes[page]
                }
                _ => return None,
            }
        }
        Some(SequenceBytes { bytes, lost, blank })
    }

    /// Returns the surrogate pair at the start of `text`, written in six bytes as CESU-8 does.
    fn surrogate_pair(&self, page: usize, text: &[char], high: [u8; 4]) -> Option<DoubleSequence> {
        let mut bytes = [0; 6];
        bytes[..3].copy_from_slice(&high[..3]);
        for (byte, &value) in bytes[3..].iter_mut().zip(text.get(3..6)?) {
            *byte = self.entry(value).bytes[page];
        }
        let halves = bytes.as_chunks::<3>().0.iter().map(|half| match *half {
            [0xED, second @ 0xA0..=0xBF, third @ 0x80..=0xBF] => {
                0xD000 | u16::from(second & 0x3F) << 6 | u16::from(third & 0x3F)
            }
            _ => 0,
        });
        let value = char::decode_utf16(halves).next()?.ok()?;
        (value > '\u{FFFF}').then_some(DoubleSequence { len: 6, value, lossy: false })
    }

    /// Returns the character of a sequence whose byte at `at` was lost: a byte that the page leaves
    /// unassigned, which strict converters replace with U+FFFD. Returns `None` if several characters
    /// are possible, or none is: the other bytes of the sequence say more than U+FFFD would.
    fn restore(&self, page: usize, bytes: &mut [u8], at: usize) -> Option<char> {
        let mut candidates: Vec<_> = Vec::new();
        for &byte in &self.unassigned[page] {
            bytes[at] = byte;
            candidates.extend(decode(bytes).map(|value| (CharTraits::of(value).rarity, value)));
        }
        candidates.sort_unstable();
        let (&(least, mark), others) = candidates.split_first()?;
        let is_invisible = |value| matches!(CharTraits::of(value).class, Joiner | Dash | Space);
        let is_unlikely = |&(rarity, value): &(u8, char)| {
            least < rarity && (rarity >= NEVER || mark == QUOTE && is_invisible(value))
        };
        others.iter().all(is_unlikely).then_some(mark)
    }

    /// Returns the characters of a sequence whose last byte was dropped after these characters: a byte
    /// that the page leaves unassigned.
    pub fn restorations(&self, page: usize, text: &[char]) -> impl Iterator<Item = char> {
        let mut bytes = [0; 4];
        for (byte, &value) in bytes.iter_mut().zip(text) {
            *byte = self.entry(value).bytes[page];
        }
        let len = text.len() + 1;
        self.lost[page].iter().filter_map(move |&byte| {
            bytes[len - 1] = byte;
            decode(&bytes[..len])
        })
    }
}

/// Returns the length in bytes of the sequence that this byte leads (Unicode, table 3-7).
#[inline]
fn sequence_len(lead: u8) -> Option<usize> {
    match lead {
        0xC2..=0xDF => Some(2),
        0xE0..=0xEF => Some(3),
        0xF0..=0xF4 => Some(4),
        _ => None,
    }
}

/// Decodes a lead byte and its continuation bytes; `None` for overlong forms, surrogates and values
/// above U+10FFFF. With `str::from_utf8` instead, an undo takes 5 to 7 % longer.
#[inline]
fn decode(bytes: &[u8]) -> Option<char> {
    let bits = |at: usize| u32::from(bytes[at] & 0x3F);
    let lead = u32::from(bytes[0]);
    let (least, value) = match bytes.len() {
        2 => (0x80, (lead & 0x1F) << 6 | bits(1)),
        3 => (0x800, (lead & 0x0F) << 12 | bits(1) << 6 | bits(2)),
        _ => (0x1_0000, (lead & 0x07) << 18 | bits(1) << 12 | bits(2) << 6 | bits(3)),
    };
    char::from_u32(value).filter(|_| value >= least)
}

/// Returns `true` if a space read as a no-break space also separates words: two spaces that were
/// collapsed to one.
fn separates_words(value: char, (next, rest): (char, &str)) -> bool {
    match value {
        '\u{A0}' => false,
        _ if next == BLANK => false,
        GRAVE => !CONTRACTED.iter().any(|word| rest.starts_with(word)),
        _ if value.is_uppercase() => !next.is_alphabetic(),
        _ => !CharTraits::of(next).is_letter(),
    }
}
