//! Classes of code points, each found once.

use std::ops::RangeInclusive;

/// The class of each code point so far, and its width in columns.
///
/// A byte has the width in the lower bits and one more than the class in the others; 0 if they are
/// unknown.
#[derive(Debug, Default)]
pub(super) struct CharClasses(Vec<u8>);

/// The number of the bits of the width.
const WIDTH_BITS: u32 = 2;
/// The bits of the width.
const WIDTH: u8 = (1 << WIDTH_BITS) - 1;
/// The width of a character that has a stand-in.
const STAND_IN: u8 = 3;

/// The largest number of classes.
pub(super) const MOST_CLASSES: usize = (u8::MAX >> WIDTH_BITS) as usize;

/// Number of Unicode code points.
const CODE_POINTS: usize = 0x11_0000;

/// Large or frequent blocks of plain characters, which a lookup in the library for each would make
/// slow, each with a character that all of the block behave like, if there is one.
pub(super) const PLAIN: [(RangeInclusive<u32>, Option<char>); 26] = [
    (0x0020..=0x007E, Some('a')),    // ASCII
    (0x00B0..=0x02FF, Some('a')),    // Latin
    (0x0370..=0x0482, Some('a')),    // Greek, Cyrillic
    (0x048A..=0x0590, Some('a')),    // Cyrillic, Armenian
    (0x1200..=0x135C, Some('a')),    // Ethiopic
    (0x1E00..=0x200A, Some('a')),    // Latin Extended Additional, Greek Extended, spaces
    (0x2010..=0x2027, Some('a')),    // dashes and quotes
    (0x2100..=0x2CEE, None),         // symbols
    (0x3001..=0x3029, Some('a')),    // CJK Symbols and Punctuation
    (0x3041..=0x3098, Some('a')),    // Hiragana
    (0x309B..=0x3296, Some('a')),    // Katakana, enclosed letters
    (0x329A..=0xA66E, Some('a')),    // CJK Unified Ideographs, Yi
    (0xAC00..=0xD7A3, None),         // Hangul Syllables
    (0xE000..=0xFB1D, Some('a')),    // private use, compatibility ideographs, ligatures
    (0xFB1F..=0xFDFF, Some('a')),    // Hebrew and Arabic presentation forms
    (0x1F300..=0x1F321, Some('👩')), // pictographs, here and below
    (0x1F324..=0x1F393, Some('👩')),
    (0x1F39E..=0x1F3F0, Some('👩')),
    // Whole pages of characters that are set at once; the rows below have what they behave like.
    (0x1F400..=0x1F64F, None),
    (0x1F400..=0x1F4FD, Some('👩')),
    (0x1F4FF..=0x1F53D, Some('👩')),
    (0x1F5FA..=0x1F64F, Some('👩')),
    (0x1F650..=0x1F67F, Some('a')),
    (0x1F680..=0x1F6C5, Some('👩')),
    (0x1F90C..=0x1F93A, Some('👩')),
    (0x1F947..=0x1F9FF, Some('👩')),
];

/// Returns `true` if characters are in one of the blocks of [`PLAIN`].
pub(super) fn are_plain(values: RangeInclusive<u32>) -> bool {
    PLAIN.iter().any(|(block, _)| block.contains(values.start()) && block.contains(values.end()))
}

/// Returns the character that all of a block of [`PLAIN`] behave like, for a character in the block.
pub(super) fn like(value: u32) -> Option<char> {
    PLAIN.iter().find_map(|(block, like)| like.filter(|_| block.contains(&value)))
}

impl CharClasses {
    /// Returns the class of a character, if it was set.
    #[inline]
    pub fn get(&self, c: char) -> Option<u8> {
        (self.0.get(c as usize)? >> WIDTH_BITS).checked_sub(1)
    }

    /// Sets the class of a character, less than [`MOST_CLASSES`].
    pub fn set(&mut self, c: char, class: u8) {
        *self.place(c) |= (class + 1) << WIDTH_BITS;
    }

    /// Returns the width of a character that is shown as itself; `None` for others and for new ones.
    #[inline]
    pub fn width(&self, value: u32) -> Option<usize> {
        let width = self.0.get(value as usize)? & WIDTH;
        matches!(width, 1 | 2).then_some(width.into())
    }

    /// Sets the width of a character; `None` if it has a stand-in.
    pub fn set_width(&mut self, c: char, width: Option<u8>) {
        *self.place(c) |= width.unwrap_or(STAND_IN);
    }

    fn place(&mut self, c: char) -> &mut u8 {
        if self.0.is_empty() {
            // Zeros, which take memory only where they are used.
            self.0 = vec![0; CODE_POINTS];
        }
        &mut self.0[c as usize]
    }
}
