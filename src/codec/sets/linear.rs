//! Sequences of four bytes of GB 18030: digits to the bases 126 and 10 in turn.

use crate::kernel::Utf8Form;

/// The place of U+10000. The other supplementary code points follow in order.
pub const SUPPLEMENTARY: u32 = 189_000;

/// The number of places up to the last of the BMP in the WHATWG Encoding Standard.
pub const BASIC: u32 = 39_420;

/// Returns the place of four bytes.
#[inline(always)]
pub fn place(bytes: [u8; 4]) -> Option<u32> {
    let digit = |byte: u8, first: u8, radix: u32| {
        Some(u32::from(byte.wrapping_sub(first))).filter(|&digit| digit < radix)
    };
    let [a, b, c, d] = bytes;
    let (a, c) = (digit(a, 0x81, 126)?, digit(c, 0x81, 126)?);
    Some(((a * 10 + digit(b, b'0', 10)?) * 126 + c) * 10 + digit(d, b'0', 10)?)
}

/// Returns the four bytes of a place, as a number.
pub fn code(place: u32) -> u32 {
    let digit = |number: u32, radix: u32, first: u8| first + (number % radix) as u8;
    u32::from_be_bytes([
        digit(place / 12600, 126, 0x81),
        digit(place / 1260, 10, b'0'),
        digit(place / 10, 126, 0x81),
        digit(place, 10, b'0'),
    ])
}

/// Returns the supplementary code point of a place.
#[inline(always)]
pub fn supplementary(place: u32) -> Utf8Form {
    Utf8Form::of(place.wrapping_sub(SUPPLEMENTARY).saturating_add(0x1_0000))
}

/// Returns the four bytes of a supplementary code point, as a number.
pub fn of_supplementary(value: u32) -> Option<u32> {
    let number = value.checked_sub(0x1_0000).filter(|_| value <= 0x10_FFFF)?;
    Some(code(SUPPLEMENTARY + number))
}
