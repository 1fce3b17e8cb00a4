//! The characters that lints report, in classes.

use crate::lint::Lint;

/// A class of characters that the same lints report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LintClass {
    Nul,
    C0Control,
    LineFeed,
    CarriageReturn,
    C1Control,
    LineSeparator,
    Space,
    SoftHyphen,
    BidiMark,
    BidiControl,
    /// Zero-width and filler characters without a lint of their own: Default_Ignorable_Code_Point
    /// (DerivedCoreProperties.txt) and the space of Braille.
    Invisible,
    /// Unassigned code points that are invisible: Other_Default_Ignorable_Code_Point.
    Reserved,
    Selector,
    Tag,
    Bom,
    Replacement,
    PrivateUse,
    Noncharacter,
}

impl LintClass {
    /// Returns the lints that may report the characters, the most specific first.
    pub fn lints(self) -> &'static [Lint] {
        match self {
            LintClass::Nul => &[Lint::Nul],
            LintClass::C0Control => &[Lint::C0Control],
            LintClass::LineFeed => &[Lint::MixedLineEnding, Lint::Crlf, Lint::Lf],
            LintClass::CarriageReturn => {
                &[Lint::LoneCr, Lint::MixedLineEnding, Lint::Crlf, Lint::Lf]
            }
            LintClass::C1Control => &[Lint::C1Control, Lint::NotAscii],
            LintClass::LineSeparator => &[Lint::LineSeparator, Lint::NotAscii],
            LintClass::Space => &[Lint::IrregularWhitespace, Lint::NotAscii],
            LintClass::SoftHyphen => &[Lint::SoftHyphen, Lint::NotAscii],
            LintClass::BidiMark => &[Lint::BidiMark, Lint::NotAscii],
            LintClass::BidiControl => &[Lint::BidiUnpaired, Lint::BidiControl, Lint::NotAscii],
            LintClass::Invisible => &[Lint::Invisible, Lint::NotAscii],
            LintClass::Reserved => &[Lint::Invisible, Lint::Unassigned, Lint::NotAscii],
            LintClass::Selector => &[Lint::VariationSelector, Lint::Invisible, Lint::NotAscii],
            LintClass::Tag => &[Lint::TagCharacter, Lint::Invisible, Lint::NotAscii],
            LintClass::Bom => &[Lint::Bom, Lint::BomInside, Lint::Invisible, Lint::NotAscii],
            LintClass::Replacement => &[Lint::ReplacementCharacter, Lint::NotAscii],
            LintClass::PrivateUse => &[Lint::PrivateUse, Lint::NotAscii],
            LintClass::Noncharacter => &[Lint::Noncharacter, Lint::NotAscii],
        }
    }

    /// Returns `true` if the characters are invisible wherever they have no effect.
    pub fn is_invisible(self) -> bool {
        matches!(
            self,
            LintClass::Invisible
                | LintClass::Reserved
                | LintClass::Selector
                | LintClass::Tag
                | LintClass::BidiMark
                | LintClass::BidiControl
        )
    }
}

/// The classes by ranges of code points, in order. The code points of a range have sequences of one
/// length in UTF-8.
#[rustfmt::skip]
pub(super) const CLASSES: &[(u32, u32, LintClass)] = {
    use LintClass::*;
    &[
    (0x0, 0x0, Nul), (0x1, 0x8, C0Control), (0xA, 0xA, LineFeed), (0xB, 0xC, C0Control),
    (0xD, 0xD, CarriageReturn), (0xE, 0x1F, C0Control), (0x7F, 0x7F, C0Control),
    (0x80, 0x84, C1Control), (0x85, 0x85, LineSeparator), (0x86, 0x9F, C1Control),
    (0xA0, 0xA0, Space), (0xAD, 0xAD, SoftHyphen), (0x34F, 0x34F, Invisible), (0x61C, 0x61C, BidiMark),
    (0x115F, 0x1160, Invisible), (0x1680, 0x1680, Space), (0x17B4, 0x17B5, Invisible),
    (0x180B, 0x180D, Selector), (0x180E, 0x180E, Invisible), (0x180F, 0x180F, Selector),
    (0x2000, 0x200A, Space), (0x200B, 0x200D, Invisible), (0x200E, 0x200F, BidiMark),
    (0x2028, 0x2029, LineSeparator), (0x202A, 0x202E, BidiControl), (0x202F, 0x202F, Space),
    (0x205F, 0x205F, Space), (0x2060, 0x2064, Invisible), (0x2065, 0x2065, Reserved), (0x2066, 0x2069, BidiControl),
    (0x206A, 0x206F, Invisible), (0x2800, 0x2800, Invisible), (0x3000, 0x3000, Space),
    (0x3164, 0x3164, Invisible), (0xE000, 0xF8FF, PrivateUse), (0xFDD0, 0xFDEF, Noncharacter),
    (0xFE00, 0xFE0F, Selector), (0xFEFF, 0xFEFF, Bom), (0xFFA0, 0xFFA0, Invisible),
    (0xFFF0, 0xFFF8, Reserved), (0xFFF9, 0xFFFB, Invisible), (0xFFFD, 0xFFFD, Replacement), (0xFFFE, 0xFFFF, Noncharacter),
    (0x1BCA0, 0x1BCA3, Invisible), (0x1D173, 0x1D17A, Invisible), (0x1FFFE, 0x1FFFF, Noncharacter),
    (0x2FFFE, 0x2FFFF, Noncharacter), (0x3FFFE, 0x3FFFF, Noncharacter), (0x4FFFE, 0x4FFFF, Noncharacter),
    (0x5FFFE, 0x5FFFF, Noncharacter), (0x6FFFE, 0x6FFFF, Noncharacter), (0x7FFFE, 0x7FFFF, Noncharacter),
    (0x8FFFE, 0x8FFFF, Noncharacter), (0x9FFFE, 0x9FFFF, Noncharacter), (0xAFFFE, 0xAFFFF, Noncharacter),
    (0xBFFFE, 0xBFFFF, Noncharacter), (0xCFFFE, 0xCFFFF, Noncharacter), (0xDFFFE, 0xDFFFF, Noncharacter),
    (0xE0000, 0xE0000, Reserved), (0xE0001, 0xE0001, Tag), (0xE0002, 0xE001F, Reserved),
    (0xE0020, 0xE007F, Tag), (0xE0080, 0xE00FF, Reserved), (0xE0100, 0xE01EF, Selector),
    (0xE01F0, 0xE0FFF, Reserved), (0xEFFFE, 0xEFFFF, Noncharacter), (0xF0000, 0xFFFFD, PrivateUse),
    (0xFFFFE, 0xFFFFF, Noncharacter), (0x100000, 0x10FFFD, PrivateUse), (0x10FFFE, 0x10FFFF, Noncharacter),
    ]
};

/// Returns the class of a character, if it is in one.
pub(super) fn class_of(value: u32) -> Option<LintClass> {
    let at = CLASSES.partition_point(|&(_, end, _)| end < value);
    CLASSES.get(at).filter(|(start, ..)| *start <= value).map(|&(_, _, class)| class)
}
