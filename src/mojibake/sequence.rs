//! Which characters are, as bytes of a page, a sequence of UTF-8?

use super::characters::{CharTraits, NEVER};
use super::pages::{PageSet, Pages};

/// Characters that are one character, if they are bytes of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DoubleSequence {
    /// How many they are.
    pub len: usize,
    /// What they spell.
    pub value: char,
    /// Whether a byte of it was lost: it is U+FFFD now, or a blank.
    pub lossy: bool,
}

/// The bytes of a sequence.
struct SequenceBytes {
    bytes: [u8; 4],
    /// Which of them was lost.
    lost: Option<usize>,
    /// Whether one is a blank now.
    blank: bool,
}

/// Made of the same characters, but for its no-break space, as a closing quote that has lost its
/// last byte, and much rarer.
const DAGGER: char = '†';

/// A character of words that begin with `à`, whose no-break space has become a blank.
const GRAVE: char = 'à';

/// How Portuguese goes on with it.
const CONTRACTED: [&str; 4] = ["s ", "quel", "s.", "s,"];

/// What a page's byte for the no-break space became in other hands.
const BLANK: char = ' ';

impl Pages {
    /// The pages in which this starts a sequence or goes on with one.
    pub fn roles(&self, value: char) -> PageSet {
        let entry = self.entry(value);
        entry.leads | entry.trails
    }

    /// The pages in which this goes on with a sequence, maybe as what is left of a lost byte.
    pub fn trails(&self, value: char) -> PageSet {
        match value {
            char::REPLACEMENT_CHARACTER => PageSet::MAX,
            BLANK => self.blanks,
            _ => self.entry(value).trails,
        }
    }

    /// The sequence that the text starts with in this page. `rest` tells what follows a blank at
    /// this place: the next character, and the text.
    pub fn sequence<'a>(
        &self,
        page: usize,
        text: &[char],
        rest: impl Fn(usize) -> (char, &'a str),
    ) -> Option<DoubleSequence> {
        let lead = self.entry(*text.first()?).bytes[page];
        let len = length(lead)?;
        if len == 2
            && let Some(trail @ 0x80..=0xBF) = text.get(1).map(|&next| self.entry(next).bytes[page])
        {
            let value = decoded(&[lead, trail])?;
            return Some(DoubleSequence { len, value, lossy: false });
        }
        let SequenceBytes { mut bytes, lost, blank } = self.spelling(page, text.get(..len)?)?;
        let value = match lost {
            None => match decoded(&bytes[..len]) {
                Some(value) => value,
                None => return self.pair(page, text, bytes),
            },
            Some(at) => self.restored(page, &mut bytes[..len], at)?,
        };
        if blank && value == DAGGER {
            return None;
        }
        let stays = blank && len == 2 && stays(value, rest(1));
        Some(DoubleSequence {
            len: len - usize::from(stays),
            value,
            lossy: blank || lost.is_some(),
        })
    }

    /// A lead and what may be its trails, as bytes. One may be lost, and one be a blank.
    fn spelling(&self, page: usize, text: &[char]) -> Option<SequenceBytes> {
        let mut bytes = [self.entry(text[0]).bytes[page], 0, 0, 0];
        let (mut lost, mut blank) = (None, false);
        for (at, &value) in text.iter().enumerate().skip(1) {
            bytes[at] = match self.entry(value).bytes[page] {
                byte @ 0x80..=0xBF => byte,
                _ if value == char::REPLACEMENT_CHARACTER && lost.is_none() => {
                    lost = Some(at);
                    0x80
                }
                _ if value == BLANK && !blank && self.blanks >> page & 1 == 1 => {
                    blank = true;
                    0xA0
                }
                _ => return None,
            }
        }
        Some(SequenceBytes { bytes, lost, blank })
    }

    /// The pair of surrogates that the text starts with, which CESU-8 writes in six bytes.
    fn pair(&self, page: usize, text: &[char], high: [u8; 4]) -> Option<DoubleSequence> {
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

    /// The character of a sequence whose byte at this place was lost: strict converters have
    /// none for the holes of a page. U+FFFD where it could be one of several.
    fn restored(&self, page: usize, bytes: &mut [u8], at: usize) -> Option<char> {
        let mut known: Vec<_> = Vec::new();
        for &hole in &self.holes[page] {
            bytes[at] = hole;
            known.extend(decoded(bytes).map(|value| (CharTraits::of(value).rarity, value)));
        }
        known.sort_unstable();
        match known[..] {
            [(_, only)] => return Some(only),
            [(least, mark), (next, _), ..]
                if least < next && (next >= NEVER || least <= 1 && !mark.is_alphabetic()) =>
            {
                return Some(mark);
            }
            _ => (),
        }
        let possible = (0x80..0xC0).any(|trail| {
            bytes[at] = trail;
            decoded(bytes).is_some()
        });
        possible.then_some(char::REPLACEMENT_CHARACTER)
    }
}

/// How many bytes the sequence has that this byte leads.
#[inline]
fn length(lead: u8) -> Option<usize> {
    match lead {
        0xC2..=0xDF => Some(2),
        0xE0..=0xEF => Some(3),
        0xF0..=0xF4 => Some(4),
        _ => None,
    }
}

/// The character that these bytes are, a lead and as many trails as it asks for, if it may be
/// written with them.
#[inline]
fn decoded(bytes: &[u8]) -> Option<char> {
    let trail = |at: usize| u32::from(bytes[at] & 0x3F);
    let lead = u32::from(bytes[0]);
    let (least, value) = match bytes.len() {
        2 => (0x80, (lead & 0x1F) << 6 | trail(1)),
        3 => (0x800, (lead & 0x0F) << 12 | trail(1) << 6 | trail(2)),
        _ => (0x1_0000, (lead & 0x07) << 18 | trail(1) << 12 | trail(2) << 6 | trail(3)),
    };
    char::from_u32(value).filter(|_| value >= least)
}

/// Whether the blank that was read for a no-break space separates words as well, because there
/// were two that have become one.
fn stays(value: char, (next, rest): (char, &str)) -> bool {
    match value {
        '\u{A0}' => false,
        _ if next == BLANK => false,
        GRAVE => !CONTRACTED.iter().any(|word| rest.starts_with(word)),
        _ if value.is_uppercase() => !next.is_alphabetic(),
        _ => !CharTraits::of(next).is_letter(),
    }
}
