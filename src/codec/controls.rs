//! Controls that choose between sets of characters, and the right half of a set (ISO/IEC 2022; Shift
//! Out and Shift In are in EBCDIC, too).

/// The first byte of an escape sequence.
pub const ESCAPE: u8 = 0x1B;

/// Shift Out: the characters of another set follow.
pub const SHIFT_OUT: u8 = 0x0E;

/// Shift In: the characters of the usual set follow.
pub const SHIFT_IN: u8 = 0x0F;

/// The bits that a pair has in the right half, and lacks in the left.
pub const RIGHT: u16 = 0x8080;

/// Returns `true` for one of these controls, which are not text.
pub const fn is_shift(byte: u8) -> bool {
    matches!(byte, ESCAPE | SHIFT_OUT | SHIFT_IN)
}
