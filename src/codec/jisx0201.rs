//! JIS X 0201: ASCII with a yen sign and an overline, and half-width katakana.

use std::ops::RangeInclusive;

/// The signs in place of backslash and tilde.
const YEN: u32 = 0xA5;
const OVERLINE: u32 = 0x203E;

/// The half-width katakana, and the seven bits of the first.
const KATAKANA: RangeInclusive<u32> = 0xFF61..=0xFF9F;
const FIRST: u8 = 0x21;

/// Returns the character of an ASCII byte in the left half.
pub fn roman(byte: u8) -> u32 {
    match byte {
        b'\\' => YEN,
        b'~' => OVERLINE,
        _ => byte.into(),
    }
}

/// Returns the byte of a character in the left half.
pub fn roman_code(value: u32) -> Option<u8> {
    match value {
        YEN => Some(b'\\'),
        OVERLINE => Some(b'~'),
        0x5C | 0x7E => None,
        _ => u8::try_from(value).ok().filter(u8::is_ascii),
    }
}

/// Returns the character of seven bits in the right half.
pub fn katakana(byte: u8) -> Option<u32> {
    let value = KATAKANA.start() + u32::from(byte.checked_sub(FIRST)?);
    KATAKANA.contains(&value).then_some(value)
}

/// Returns the seven bits of a character in the right half.
pub fn katakana_code(value: u32) -> Option<u8> {
    KATAKANA.contains(&value).then(|| (value - KATAKANA.start()) as u8 + FIRST)
}
