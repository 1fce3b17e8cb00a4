//! Characters in a column of a dump, their names and their categories.
//!
//! Characters that could mislead a terminal or a reader have a stand-in: controls, invisible
//! characters, controls of the writing direction, and marks that combine with the character before
//! them.

use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};
use unicode_width::UnicodeWidthChar;

/// The displayed form of a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CharShape {
    bytes: [u8; 8],
    len: u8,
    /// The number of columns, 1 or 2.
    pub width: u8,
    /// True if the text is a stand-in, not the character itself.
    pub stand_in: bool,
}

/// The base character of a displayed mark, and the stand-in of a mark that is not displayed.
const CIRCLE: char = '\u{25CC}';
/// The stand-in of a space.
const BLANK: char = '\u{2423}';
/// The stand-in of a character that has no other one.
const BOX: char = '\u{25AF}';
/// The picture of the first control.
const PICTURES: u32 = 0x2400;
/// The picture of DEL.
const PICTURE_OF_DEL: char = '\u{2421}';

impl CharShape {
    /// Returns a stand-in of one character and one column.
    pub(crate) const fn of(c: char) -> CharShape {
        CharShape::new(&[c], 1, true)
    }

    /// Returns a form of some characters, of at most 8 bytes in UTF-8, that takes `width` columns.
    pub(crate) const fn new(text: &[char], width: u8, stand_in: bool) -> CharShape {
        let (mut bytes, mut len, mut at) = ([0; 8], 0, 0);
        while at < text.len() {
            len += text[at].encode_utf8(bytes.split_at_mut(len).1).len();
            at += 1;
        }
        CharShape { bytes, len: len as u8, width, stand_in }
    }

    /// Returns the text in UTF-8.
    pub fn text(&self) -> &[u8] {
        &self.bytes[..self.len.into()]
    }

    /// Returns the text padded with NUL to a fixed length, which is copied faster.
    pub(crate) fn padded(&self) -> &[u8; 8] {
        &self.bytes
    }
}

/// Returns the displayed form of a code point; in ASCII unless `unicode` is set.
pub fn shape(value: u32, unicode: bool) -> CharShape {
    let c = char::from_u32(value);
    match c {
        Some(c @ '!'..='~') => CharShape::new(&[c], 1, false),
        Some(c) if unicode => shape_of_char(c),
        Some(c) if c.is_ascii_control() => {
            CharShape::new(&['^', (c as u8 ^ 0x40) as char], 2, true)
        }
        _ => CharShape::new(&[if unicode { BOX } else { '.' }], 1, true),
    }
}

fn shape_of_char(c: char) -> CharShape {
    let stand_in = CharShape::of;
    // Controls are frequent, and looking up a category is slow.
    if c.is_control() {
        return stand_in(picture(c));
    }
    match c.general_category() {
        GeneralCategory::SpaceSeparator => stand_in(BLANK),
        GeneralCategory::NonspacingMark | GeneralCategory::EnclosingMark
            if c.width() == Some(0) && !ignorable(c) =>
        {
            CharShape::new(&[CIRCLE, c], 1, true)
        }
        GeneralCategory::NonspacingMark
        | GeneralCategory::EnclosingMark
        | GeneralCategory::SpacingMark => stand_in(CIRCLE),
        GeneralCategory::Control
        | GeneralCategory::Format
        | GeneralCategory::LineSeparator
        | GeneralCategory::ParagraphSeparator
        | GeneralCategory::PrivateUse
        | GeneralCategory::Surrogate
        | GeneralCategory::Unassigned => stand_in(BOX),
        _ if is_blank(c) => stand_in(BOX),
        _ => match c.width() {
            Some(width @ 1..=2) => CharShape::new(&[c], width as u8, false),
            _ => stand_in(BOX),
        },
    }
}

fn picture(c: char) -> char {
    match u32::from(c) {
        code @ 0..0x20 => char::from_u32(PICTURES + code).unwrap_or(BOX),
        0x7F => PICTURE_OF_DEL,
        _ => BOX,
    }
}

/// Returns `true` if a letter or a symbol is invisible although it has a width.
fn is_blank(c: char) -> bool {
    matches!(c, '\u{115F}' | '\u{2800}')
}

/// Returns `true` if a mark is invisible: Default_Ignorable_Code_Point (DerivedCoreProperties.txt).
fn ignorable(mark: char) -> bool {
    matches!(mark,
        '\u{34F}' | '\u{17B4}'..='\u{17B5}' | '\u{180B}'..='\u{180F}'
        | '\u{FE00}'..='\u{FE0F}' | '\u{E0000}'..='\u{E0FFF}')
}

/// Length of the longest name of a character in bytes, or more.
const LONGEST_NAME: usize = 96;

/// Returns the name of a code point, the alias of a control (LINE FEED), or the label of a code point
/// with neither: Unicode, section 4.8.
pub fn name(value: u32) -> String {
    let Some(c) = char::from_u32(value) else {
        let label = if value < 0x11_0000 { "surrogate" } else { "beyond-Unicode" };
        return format!("<{label}-{value:04X}>");
    };
    if let Some(parts) = unicode_names2::name(c) {
        let mut name = String::with_capacity(LONGEST_NAME);
        name.extend(parts);
        return name;
    }
    if let Some(alias) = control_alias(value) {
        return alias.to_owned();
    }
    let label = match c.general_category() {
        // Unicode, section 4.8, rule NR2. The tables of names lack these characters.
        GeneralCategory::OtherLetter if is_tangut(c) => {
            return format!("TANGUT IDEOGRAPH-{value:04X}");
        }
        GeneralCategory::Control => "control",
        GeneralCategory::PrivateUse => "private-use",
        _ if is_noncharacter(c) => "noncharacter",
        GeneralCategory::Unassigned => "reserved",
        // The tables of names may be older than the tables of categories.
        _ => "unnamed",
    };
    format!("<{label}-{value:04X}>")
}

/// Returns the alias of a control.
fn control_alias(value: u32) -> Option<&'static str> {
    let row = match value {
        0..0x20 => value,
        0x7F..0xA0 => value - 0x7F + 0x20,
        _ => return None,
    };
    Some(CONTROL_ALIASES[row as usize]).filter(|alias| !alias.is_empty())
}

/// The first alias of type control of each code point in 0..=1F and 7F..=9F; empty where there is
/// none: NameAliases.txt of the Unicode Character Database.
static CONTROL_ALIASES: [&str; 65] = [
    "NULL",
    "START OF HEADING",
    "START OF TEXT",
    "END OF TEXT",
    "END OF TRANSMISSION",
    "ENQUIRY",
    "ACKNOWLEDGE",
    "ALERT",
    "BACKSPACE",
    "CHARACTER TABULATION",
    "LINE FEED",
    "LINE TABULATION",
    "FORM FEED",
    "CARRIAGE RETURN",
    "SHIFT OUT",
    "SHIFT IN",
    "DATA LINK ESCAPE",
    "DEVICE CONTROL ONE",
    "DEVICE CONTROL TWO",
    "DEVICE CONTROL THREE",
    "DEVICE CONTROL FOUR",
    "NEGATIVE ACKNOWLEDGE",
    "SYNCHRONOUS IDLE",
    "END OF TRANSMISSION BLOCK",
    "CANCEL",
    "END OF MEDIUM",
    "SUBSTITUTE",
    "ESCAPE",
    "INFORMATION SEPARATOR FOUR",
    "INFORMATION SEPARATOR THREE",
    "INFORMATION SEPARATOR TWO",
    "INFORMATION SEPARATOR ONE",
    "DELETE",
    "", // U+0080 and U+0081 have aliases of type figment only.
    "",
    "BREAK PERMITTED HERE",
    "NO BREAK HERE",
    "INDEX",
    "NEXT LINE",
    "START OF SELECTED AREA",
    "END OF SELECTED AREA",
    "CHARACTER TABULATION SET",
    "CHARACTER TABULATION WITH JUSTIFICATION",
    "LINE TABULATION SET",
    "PARTIAL LINE FORWARD",
    "PARTIAL LINE BACKWARD",
    "REVERSE LINE FEED",
    "SINGLE SHIFT TWO",
    "SINGLE SHIFT THREE",
    "DEVICE CONTROL STRING",
    "PRIVATE USE ONE",
    "PRIVATE USE TWO",
    "SET TRANSMIT STATE",
    "CANCEL CHARACTER",
    "MESSAGE WAITING",
    "START OF GUARDED AREA",
    "END OF GUARDED AREA",
    "START OF STRING",
    "", // U+0099 has an alias of type figment only.
    "SINGLE CHARACTER INTRODUCER",
    "CONTROL SEQUENCE INTRODUCER",
    "STRING TERMINATOR",
    "OPERATING SYSTEM COMMAND",
    "PRIVACY MESSAGE",
    "APPLICATION PROGRAM COMMAND",
];

/// Returns `true` if a character is a noncharacter: Unicode, section 23.7.
pub(super) fn is_noncharacter(c: char) -> bool {
    matches!(c, '\u{FDD0}'..='\u{FDEF}') || u32::from(c) & 0xFFFE == 0xFFFE
}

/// Returns `true` if a letter is an ideograph of the blocks Tangut and Tangut Supplement.
fn is_tangut(c: char) -> bool {
    matches!(c, '\u{17000}'..='\u{187FF}' | '\u{18D00}'..='\u{18D7F}')
}

/// Returns the General_Category of a code point as an abbreviation (`Lu`) and a description
/// (Unicode, table 4-4); `None` above U+10FFFF.
pub fn category(value: u32) -> Option<(&'static str, &'static str)> {
    use GeneralCategory::*;
    let category = match char::from_u32(value) {
        Some(c) => c.general_category(),
        None if value < 0x11_0000 => Surrogate,
        None => return None,
    };
    Some(match category {
        UppercaseLetter => ("Lu", "uppercase letter"),
        LowercaseLetter => ("Ll", "lowercase letter"),
        TitlecaseLetter => ("Lt", "titlecase letter"),
        ModifierLetter => ("Lm", "modifier letter"),
        OtherLetter => ("Lo", "other letter"),
        NonspacingMark => ("Mn", "nonspacing mark"),
        SpacingMark => ("Mc", "spacing mark"),
        EnclosingMark => ("Me", "enclosing mark"),
        DecimalNumber => ("Nd", "decimal digit"),
        LetterNumber => ("Nl", "letter number"),
        OtherNumber => ("No", "other number"),
        ConnectorPunctuation => ("Pc", "connector punctuation"),
        DashPunctuation => ("Pd", "dash punctuation"),
        OpenPunctuation => ("Ps", "open punctuation"),
        ClosePunctuation => ("Pe", "close punctuation"),
        InitialPunctuation => ("Pi", "initial quotation mark"),
        FinalPunctuation => ("Pf", "final quotation mark"),
        OtherPunctuation => ("Po", "other punctuation"),
        MathSymbol => ("Sm", "math symbol"),
        CurrencySymbol => ("Sc", "currency symbol"),
        ModifierSymbol => ("Sk", "modifier symbol"),
        OtherSymbol => ("So", "other symbol"),
        SpaceSeparator => ("Zs", "space separator"),
        LineSeparator => ("Zl", "line separator"),
        ParagraphSeparator => ("Zp", "paragraph separator"),
        Control => ("Cc", "control"),
        Format => ("Cf", "format character"),
        Surrogate => ("Cs", "surrogate"),
        PrivateUse => ("Co", "private use"),
        Unassigned => ("Cn", "not assigned"),
    })
}
