//! Invisible characters that the characters beside them need.

use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

use super::classes::{LintClass, class_of};
use super::tags::EMOJI_FLAG;

/// The code points beside a character; `None` at the start and the end of a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Neighbours {
    /// The two code points before it, the nearest first.
    pub before: [Option<u32>; 2],
    /// The code point after it.
    pub after: Option<u32>,
}

/// BRAILLE PATTERN BLANK: the space of Braille.
pub(super) const BRAILLE_SPACE: u32 = 0x2800;

/// Extended_Pictographic (emoji-data.txt of Unicode 17), which has code points that are reserved for
/// later emoji.
#[rustfmt::skip]
const PICTOGRAPHS: [(u32, u32); 156] = [
    (0xA9, 0xA9), (0xAE, 0xAE), (0x203C, 0x203C), (0x2049, 0x2049), (0x2122, 0x2122),
    (0x2139, 0x2139), (0x2194, 0x2199), (0x21A9, 0x21AA), (0x231A, 0x231B), (0x2328, 0x2328),
    (0x23CF, 0x23CF), (0x23E9, 0x23F3), (0x23F8, 0x23FA), (0x24C2, 0x24C2), (0x25AA, 0x25AB),
    (0x25B6, 0x25B6), (0x25C0, 0x25C0), (0x25FB, 0x25FE), (0x2600, 0x2604), (0x260E, 0x260E),
    (0x2611, 0x2611), (0x2614, 0x2615), (0x2618, 0x2618), (0x261D, 0x261D), (0x2620, 0x2620),
    (0x2622, 0x2623), (0x2626, 0x2626), (0x262A, 0x262A), (0x262E, 0x262F), (0x2638, 0x263A),
    (0x2640, 0x2640), (0x2642, 0x2642), (0x2648, 0x2653), (0x265F, 0x2660), (0x2663, 0x2663),
    (0x2665, 0x2666), (0x2668, 0x2668), (0x267B, 0x267B), (0x267E, 0x267F), (0x2692, 0x2697),
    (0x2699, 0x2699), (0x269B, 0x269C), (0x26A0, 0x26A1), (0x26A7, 0x26A7), (0x26AA, 0x26AB),
    (0x26B0, 0x26B1), (0x26BD, 0x26BE), (0x26C4, 0x26C5), (0x26C8, 0x26C8), (0x26CE, 0x26CF),
    (0x26D1, 0x26D1), (0x26D3, 0x26D4), (0x26E9, 0x26EA), (0x26F0, 0x26F5), (0x26F7, 0x26FA),
    (0x26FD, 0x26FD), (0x2702, 0x2702), (0x2705, 0x2705), (0x2708, 0x270D), (0x270F, 0x270F),
    (0x2712, 0x2712), (0x2714, 0x2714), (0x2716, 0x2716), (0x271D, 0x271D), (0x2721, 0x2721),
    (0x2728, 0x2728), (0x2733, 0x2734), (0x2744, 0x2744), (0x2747, 0x2747), (0x274C, 0x274C),
    (0x274E, 0x274E), (0x2753, 0x2755), (0x2757, 0x2757), (0x2763, 0x2764), (0x2795, 0x2797),
    (0x27A1, 0x27A1), (0x27B0, 0x27B0), (0x27BF, 0x27BF), (0x2934, 0x2935), (0x2B05, 0x2B07),
    (0x2B1B, 0x2B1C), (0x2B50, 0x2B50), (0x2B55, 0x2B55), (0x3030, 0x3030), (0x303D, 0x303D),
    (0x3297, 0x3297), (0x3299, 0x3299), (0x1F004, 0x1F004), (0x1F02C, 0x1F02F), (0x1F094, 0x1F09F),
    (0x1F0AF, 0x1F0B0), (0x1F0C0, 0x1F0C0), (0x1F0CF, 0x1F0D0), (0x1F0F6, 0x1F0FF),
    (0x1F170, 0x1F171), (0x1F17E, 0x1F17F), (0x1F18E, 0x1F18E), (0x1F191, 0x1F19A),
    (0x1F1AF, 0x1F1E5), (0x1F201, 0x1F20F), (0x1F21A, 0x1F21A), (0x1F22F, 0x1F22F),
    (0x1F232, 0x1F23A), (0x1F23C, 0x1F23F), (0x1F249, 0x1F25F), (0x1F266, 0x1F321),
    (0x1F324, 0x1F393), (0x1F396, 0x1F397), (0x1F399, 0x1F39B), (0x1F39E, 0x1F3F0),
    (0x1F3F3, 0x1F3F5), (0x1F3F7, 0x1F3FA), (0x1F400, 0x1F4FD), (0x1F4FF, 0x1F53D),
    (0x1F549, 0x1F54E), (0x1F550, 0x1F567), (0x1F56F, 0x1F570), (0x1F573, 0x1F57A),
    (0x1F587, 0x1F587), (0x1F58A, 0x1F58D), (0x1F590, 0x1F590), (0x1F595, 0x1F596),
    (0x1F5A4, 0x1F5A5), (0x1F5A8, 0x1F5A8), (0x1F5B1, 0x1F5B2), (0x1F5BC, 0x1F5BC),
    (0x1F5C2, 0x1F5C4), (0x1F5D1, 0x1F5D3), (0x1F5DC, 0x1F5DE), (0x1F5E1, 0x1F5E1),
    (0x1F5E3, 0x1F5E3), (0x1F5E8, 0x1F5E8), (0x1F5EF, 0x1F5EF), (0x1F5F3, 0x1F5F3),
    (0x1F5FA, 0x1F64F), (0x1F680, 0x1F6C5), (0x1F6CB, 0x1F6D2), (0x1F6D5, 0x1F6E5),
    (0x1F6E9, 0x1F6E9), (0x1F6EB, 0x1F6F0), (0x1F6F3, 0x1F6FF), (0x1F7DC, 0x1F7F0),
    (0x1F80C, 0x1F80F), (0x1F848, 0x1F84F), (0x1F85A, 0x1F85F), (0x1F888, 0x1F88F),
    (0x1F8AE, 0x1F8AF), (0x1F8BC, 0x1F8BF), (0x1F8C2, 0x1F8CF), (0x1F8D9, 0x1F8FF),
    (0x1F90C, 0x1F93A), (0x1F93C, 0x1F945), (0x1F947, 0x1F9FF), (0x1FA58, 0x1FA5F),
    (0x1FA6E, 0x1FAFF), (0x1FC00, 0x1FFFD),
];

/// Returns `true` if a code point can start an emoji that variation selectors and joiners extend.
pub(super) fn is_pictograph(value: u32) -> bool {
    let at = PICTOGRAPHS.partition_point(|&(_, end)| end < value);
    PICTOGRAPHS.get(at).is_some_and(|&(start, _)| start <= value)
}

/// Returns `true` if a code point is an emoji modifier (UTS #51): a skin tone.
fn is_modifier(value: u32) -> bool {
    matches!(value, 0x1F3FB..=0x1F3FF)
}

/// Returns `true` if a code point is a CJK ideograph, assigned or not, or a compatibility one.
fn is_ideograph(value: u32) -> bool {
    matches!(value, 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0x20000..=0x3FFFF)
}

/// Returns `true` if a code point is a letter, a mark or a digit.
fn is_of_word(value: u32) -> bool {
    char::from_u32(value).is_some_and(|c| {
        matches!(
            c.general_category_group(),
            GeneralCategoryGroup::Letter
                | GeneralCategoryGroup::Mark
                | GeneralCategoryGroup::Number
        )
    })
}

/// Returns `true` if a code point is a mark.
fn is_mark(value: u32) -> bool {
    let group = |c: char| c.general_category_group() == GeneralCategoryGroup::Mark;
    char::from_u32(value).is_some_and(group)
}

/// Returns `true` if a code point is in a block of a script whose letters join, or form ligatures
/// and conjuncts, which ZERO WIDTH JOINER and NON-JOINER control (Unicode, section 23.2).
fn is_of_joining_script(value: u32) -> bool {
    matches!(value,
        0x0600..=0x08FF // Arabic, Syriac, Thaana, N'Ko, Samaritan, Mandaic
        | 0x0900..=0x0DFF // scripts of India and Sri Lanka
        | 0x0F00..=0x109F // Tibetan, Myanmar
        | 0x1700..=0x18AF // scripts of the Philippines, Khmer, Mongolian
        | 0x1900..=0x1CFF // scripts of Southeast Asia, Vedic marks
        | 0xA840..=0xA8FF | 0xA900..=0xAAFF | 0xABC0..=0xABFF // Phags-pa, Indic extensions
        | 0xFB50..=0xFDFF | 0xFE70..=0xFEFC // presentation forms of Arabic
        | 0x10A00..=0x10A5F | 0x10AC0..=0x10AFF | 0x10B80..=0x10BAF // Kharoshthi, Manichaean
        | 0x10D00..=0x10D3F | 0x10EC0..=0x10FFF // Rohingya, Arabic, Sogdian, Chorasmian
        | 0x11000..=0x11FFF // Brahmi and its descendants
        | 0x16A40..=0x16E9F | 0x1E900..=0x1E95F // Adlam
        | 0x1EC70..=0x1EEFF)
}

/// Returns `true` if a code point is in a block of a script that does not separate words.
fn is_of_unspaced_script(value: u32) -> bool {
    matches!(value,
        0x0E00..=0x0EFF // Thai, Lao
        | 0x0F00..=0x109F // Tibetan, Myanmar
        | 0x1780..=0x17FF | 0x19E0..=0x19FF // Khmer
        | 0x1950..=0x19DF | 0x1A20..=0x1AAF // Tai
        | 0x1B00..=0x1BBF | 0xA980..=0xA9FF | 0xAA60..=0xAADF)
}

impl Neighbours {
    /// Returns `true` if the characters beside it need this character, or give it an effect.
    pub fn need(&self, value: u32) -> bool {
        match value {
            0xFE00..=0xFE0D => self.before[0].is_some_and(has_variants),
            0xFE0E | 0xFE0F => self.before[0].is_some_and(has_emoji_style),
            0xE0100..=0xE01EF => self.before[0].is_some_and(is_ideograph),
            0x180B..=0x180D | 0x180F => {
                self.before[0].is_some_and(|before| matches!(before, 0x1820..=0x18AA))
            }
            // MONGOLIAN VOWEL SEPARATOR
            0x180E => {
                let is_mongolian = |value: u32| matches!(value, 0x1800..=0x18AF);
                self.nearest().iter().all(|value| value.is_some_and(is_mongolian))
            }
            0x200B => self.are_both(|value| is_of_unspaced_script(value) && is_of_word(value)),
            0x200C => self.are_both(is_joined_letter),
            0x200D => self.joins(),
            // COMBINING GRAPHEME JOINER
            0x034F => self.after.is_some_and(|after| is_mark(after) && !is_invisible(after)),
            // Fillers of syllables without a leading consonant or a vowel
            0x115F | 0x1160 => self.is_any(is_jamo),
            // Controls of shorthand and of musical notation
            0x1BCA0..=0x1BCA3 => self.is_any(|value| matches!(value, 0x1BC00..=0x1BC9F)),
            0x1D173..=0x1D17A => self.is_any(|value| matches!(value, 0x1D100..=0x1D1FF)),
            BRAILLE_SPACE => self.is_any(|value| matches!(value, 0x2800..=0x28FF)),
            _ => false,
        }
    }

    fn are_both(&self, is: impl Fn(u32) -> bool) -> bool {
        self.visible().iter().all(|value| value.is_some_and(&is))
    }

    fn is_any(&self, is: impl Fn(u32) -> bool) -> bool {
        self.nearest().iter().any(|value| value.is_some_and(&is))
    }

    /// Returns what [`visible`](Neighbours::visible) does, but the earlier code point for an invisible
    /// one before the character: controls of music are nested, spaces of Braille follow each other, and
    /// letters of Mongolian have variation selectors.
    fn nearest(&self) -> [Option<u32>; 2] {
        let before = match self.before {
            [Some(first), earlier] if is_invisible(first) => [earlier, None],
            before => before,
        };
        Neighbours { before, ..*self }.visible()
    }

    /// Returns the code points before and after the character; `None` for an invisible one, so that
    /// invisible characters do not excuse each other.
    fn visible(&self) -> [Option<u32>; 2] {
        [self.before[0], self.after].map(|value| value.filter(|&value| !is_invisible(value)))
    }

    /// Returns `true` if ZERO WIDTH JOINER joins two emoji (UTS #51, definition ED-16), or shows
    /// the joining form of a letter.
    fn joins(&self) -> bool {
        let [before, earlier] = self.before;
        let is_after_emoji = match before {
            Some(0xFE0F) => earlier.is_some_and(is_pictograph),
            Some(value) => is_pictograph(value) || is_modifier(value),
            None => false,
        };
        if is_after_emoji {
            return self.after.is_some_and(is_pictograph);
        }
        // A letter may show its joining form without another letter.
        before.is_some_and(is_joined_letter)
            || before.is_none_or(|value| !is_invisible(value))
                && self.after.is_some_and(is_joined_letter)
    }
}

/// Returns `true` if a code point is a letter or a mark of a script with joiners.
fn is_joined_letter(value: u32) -> bool {
    // Most letters of Arabic and Devanagari, without a search for their category.
    matches!(value, 0x0620..=0x065F | 0x0671..=0x06D3 | 0x0900..=0x0963)
        || is_of_joining_script(value) && is_of_word(value) && !is_invisible(value)
}

/// Returns `true` if a code point is an invisible character.
fn is_invisible(value: u32) -> bool {
    class_of(value).is_some_and(LintClass::is_invisible)
}

fn is_jamo(value: u32) -> bool {
    matches!(value, 0x1100..=0x115E | 0x1161..=0x11FF | 0xA960..=0xA97F | 0xD7B0..=0xD7FF)
}

/// Returns `true` if a code point has an emoji and a text style
/// (emoji-variation-sequences.txt), or could have in a later version.
fn has_emoji_style(value: u32) -> bool {
    is_pictograph(value) || matches!(value, 0x23 | 0x2A | 0x30..=0x39 | EMOJI_FLAG)
}

/// Returns `true` if a code point is in a group with standardized variants
/// (StandardizedVariants.txt).
fn has_variants(value: u32) -> bool {
    matches!(value,
    0x30 // a zero with a stroke
    | 0x1000..=0x109F // Myanmar with dots
    | 0x2018..=0x201D // quotation marks of East Asia
    | 0x2100..=0x214F | 0x2190..=0x22FF | 0x2A00..=0x2AFF | 0x1D400..=0x1D7FF // mathematics
    | 0x3001 | 0x3002 | 0xFF01..=0xFF1F // punctuation of East Asia
    | 0xA840..=0xA87F | 0xAA60..=0xAA7F | 0x10AC0..=0x10AFF // Phags-pa, Myanmar, Manichaean
    | 0x11A00..=0x11A4F | 0x13000..=0x143FF // Zanabazar Square, Egyptian hieroglyphs
    ) || is_ideograph(value)
}
