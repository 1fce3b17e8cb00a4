//! Characters in UTF-8, as words of fixed size.

use std::sync::atomic::{AtomicU32, Ordering};

/// A scalar value in UTF-8: its bytes from the lowest on. The highest byte has their number if there
/// are fewer than four.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Utf8Form(u32);

impl Utf8Form {
    /// No character.
    pub const NONE: Utf8Form = Utf8Form(0);

    /// Returns the form of a scalar value, and [`NONE`](Utf8Form::NONE) of any other.
    #[inline]
    pub fn of(value: u32) -> Utf8Form {
        if char::from_u32(value).is_none() {
            return Utf8Form::NONE;
        }
        let byte = |marker: u32, shift: u32| marker | value >> shift & 0x3F;
        Utf8Form(match value {
            ..0x80 => 1 << 24 | value,
            0x80..0x800 => 2 << 24 | byte(0x80, 0) << 8 | byte(0xC0, 6),
            0x800..0x1_0000 => 3 << 24 | byte(0x80, 0) << 16 | byte(0x80, 6) << 8 | byte(0xE0, 12),
            0x1_0000.. => {
                byte(0x80, 0) << 24 | byte(0x80, 6) << 16 | byte(0x80, 12) << 8 | byte(0xF0, 18)
            }
        })
    }

    /// Returns the scalar value.
    #[inline(always)]
    pub fn value(self) -> u32 {
        super::decode(&self.bytes()).0
    }

    /// Returns the bytes, of which the first [`count`](Utf8Form::count) are its own.
    #[inline(always)]
    pub fn bytes(self) -> [u8; 4] {
        self.0.to_le_bytes()
    }

    /// Returns the number of bytes of a character up to U+FFFF.
    #[inline(always)]
    pub fn short_count(self) -> usize {
        (self.0 >> 24) as usize
    }

    /// Returns the number of bytes.
    #[inline(always)]
    pub fn count(self) -> usize {
        // The last byte of four is greater.
        4.min(self.0 >> 24) as usize
    }
}

/// A place for a character, which is known once it is set.
#[derive(Debug)]
pub struct Utf8Cell(AtomicU32);

impl Utf8Cell {
    /// Returns a place without a character.
    pub const fn empty() -> Utf8Cell {
        Utf8Cell(AtomicU32::new(0))
    }

    /// Returns the character, or [`NONE`](Utf8Form::NONE).
    #[inline(always)]
    pub fn get(&self) -> Utf8Form {
        Utf8Form(self.0.load(Ordering::Relaxed))
    }

    /// Sets the character.
    pub fn set(&self, form: Utf8Form) {
        self.0.store(form.0, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_those_of_std() {
        for value in (0..0x11_1000).step_by(crate::TEST_STRIDE).chain([u32::MAX]) {
            let form = Utf8Form::of(value);
            match char::from_u32(value) {
                Some(scalar) => {
                    let mut bytes = [0; 4];
                    let bytes = scalar.encode_utf8(&mut bytes).as_bytes();
                    assert_eq!(&form.bytes()[..form.count()], bytes);
                    assert!(bytes.len() > 3 || form.short_count() == bytes.len());
                    assert_eq!(form.value(), value);
                }
                None => assert_eq!(form, Utf8Form::NONE, "{value:X}"),
            }
        }
    }
}
