//! Classes of code points, each looked up in the library once.

use std::ops::RangeInclusive;

/// The class of each code point so far: a bit for its behaviour in clusters, and its width in columns
/// in the lower bits; 0 of new ones.
#[derive(Debug, Default)]
pub(super) struct CharClasses(Vec<u8>);

/// The bit of a character that continues no cluster, unless the character before is open.
const IS_PLAIN: u8 = 1 << 2;
/// The bit of a character that may continue a cluster, or is open.
const IS_SPECIAL: u8 = 1 << 3;
/// The bit of a special character that is a mark, and of a plain one that takes none.
const IS_MARK: u8 = 1 << 4;
/// The width of a character that has a stand-in.
const STAND_IN: u8 = 3;

/// The behaviour of a character in grapheme clusters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ClusterRole {
    /// Continues no cluster, unless the character before is open.
    Plain,
    /// A plain character that marks do not continue.
    Control,
    /// Continues the cluster of a plain character, and joins no plain character to it.
    Mark,
    /// May continue a cluster, or is open.
    Special,
}

/// Number of Unicode code points.
const CODE_POINTS: usize = 0x11_0000;

/// The first code point that is not plain.
pub(super) const FIRST_SPECIAL: u32 = 0x300;

/// Large or frequent blocks of plain characters, which a lookup in the library for each would make
/// slow.
pub(super) const PLAIN: [RangeInclusive<u32>; 13] = [
    0x0370..=0x0482,   // Greek, Cyrillic
    0x048A..=0x0590,   // Cyrillic, Armenian
    0x1200..=0x135C,   // Ethiopic
    0x1E00..=0x200A,   // Latin Extended Additional, Greek Extended, spaces
    0x2010..=0x2027,   // dashes and quotes
    0x2100..=0x2CEE,   // symbols
    0x3001..=0x3029,   // CJK Symbols and Punctuation
    0x3041..=0x3098,   // Hiragana
    0x309B..=0xA66E,   // Katakana, CJK Unified Ideographs, Yi
    0xAC00..=0xD7A3,   // Hangul Syllables
    0xE000..=0xFB1D,   // private use, compatibility ideographs, ligatures
    0xFB1F..=0xFDFF,   // Hebrew and Arabic presentation forms
    0x1F400..=0x1F64F, // pictographs
];

/// Returns `true` if characters are in one of the blocks of [`PLAIN`].
pub(super) fn are_plain(values: RangeInclusive<u32>) -> bool {
    PLAIN.iter().any(|block| block.contains(values.start()) && block.contains(values.end()))
}

impl CharClasses {
    /// Returns `true` for a character whose role was asked for, if it is plain and marks continue it.
    pub fn takes_marks(&self, c: char) -> bool {
        match self.0.get(c as usize) {
            _ if u32::from(c) < FIRST_SPECIAL => !c.is_control() && c != '\u{AD}',
            class => class.is_some_and(|class| class & (IS_PLAIN | IS_MARK) == IS_PLAIN),
        }
    }

    /// Returns the role of a character, [`ClusterRole::Plain`] for a control; `decide` tells that of a
    /// new one.
    #[inline]
    pub fn role(&mut self, c: char, decide: impl FnOnce(char) -> ClusterRole) -> ClusterRole {
        if u32::from(c) < FIRST_SPECIAL {
            return ClusterRole::Plain;
        }
        match self.0.get(c as usize) {
            Some(class) if class & IS_PLAIN != 0 => ClusterRole::Plain,
            Some(class) if class & IS_MARK != 0 => ClusterRole::Mark,
            Some(class) if class & IS_SPECIAL != 0 => ClusterRole::Special,
            _ => self.decide(c, decide),
        }
    }

    #[cold]
    fn decide(&mut self, c: char, decide: impl FnOnce(char) -> ClusterRole) -> ClusterRole {
        let is_plain = PLAIN.iter().any(|block| block.contains(&c.into()));
        let role = if is_plain { ClusterRole::Plain } else { decide(c) };
        *self.class(c) |= match role {
            ClusterRole::Plain => IS_PLAIN,
            ClusterRole::Control => IS_PLAIN | IS_MARK,
            ClusterRole::Mark => IS_SPECIAL | IS_MARK,
            ClusterRole::Special => IS_SPECIAL,
        };
        if role == ClusterRole::Control { ClusterRole::Plain } else { role }
    }

    /// Returns the width of a character that is shown as itself and plain; `None` for others and for
    /// new ones.
    #[inline]
    pub fn plain_width(&self, value: u32) -> Option<usize> {
        let width = self.0.get(value as usize)? ^ IS_PLAIN;
        matches!(width, 1 | 2).then_some(width.into())
    }

    /// Sets the width of a character, whose behaviour in clusters is known; `None` if it has a
    /// stand-in.
    pub fn set_width(&mut self, c: char, width: Option<u8>) {
        let first = if u32::from(c) < FIRST_SPECIAL { IS_PLAIN } else { 0 };
        *self.class(c) |= first | width.unwrap_or(STAND_IN);
    }

    fn class(&mut self, c: char) -> &mut u8 {
        if self.0.is_empty() {
            // Zeros, which take memory only where they are used.
            self.0 = vec![0; CODE_POINTS];
        }
        &mut self.0[c as usize]
    }
}
