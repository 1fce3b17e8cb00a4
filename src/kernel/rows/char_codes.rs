//! Codes of characters, by their values.

use super::{CODES, code};

/// The number of Unicode code points.
const CODE_POINTS: usize = char::MAX as usize + 1;

/// The number of characters in a page: those with the same bytes but for the last.
pub const PAGE: usize = 64;

/// The codes of the first two bytes of each character of several bytes, as far as they are decided.
#[derive(Clone, Debug)]
pub struct CharCodes {
    /// The difference of each from the codes of an undecided character: zeros take memory only where
    /// they are replaced. A copy of a number is one instruction.
    differences: Box<[u16; CODE_POINTS]>,
    /// A bit for each character of two bytes that is shown as itself in one column.
    pub(in crate::kernel) narrow: [u8; 0x100],
    /// FF for each lead byte of characters of two bytes that are all shown as themselves in one column,
    /// from C0 on.
    pub(in crate::kernel) narrow_leads: [[u8; CODES]; 2],
    /// A bit for each page of characters of three bytes that are all shown as themselves in one
    /// column.
    pub(in crate::kernel) narrow_pages: [u8; 0x80],
    /// A bit for each page of characters of three bytes that are all shown as themselves in two
    /// columns.
    pub(in crate::kernel) wide_pages: [u8; 0x80],
}

impl CharCodes {
    /// The codes of an undecided character.
    pub const UNDECIDED: [u8; 2] = [code::UNDECIDED, code::FURTHER];
    /// The same as a number.
    const NO_DIFFERENCE: u16 = u16::from_ne_bytes(CharCodes::UNDECIDED);

    /// Creates codes of undecided characters.
    pub fn new() -> CharCodes {
        CharCodes {
            differences: zeros(),
            narrow: [0; 0x100],
            narrow_leads: [[0; CODES]; 2],
            narrow_pages: [0; 0x80],
            wide_pages: [0; 0x80],
        }
    }

    /// Sets the codes of a character of `size` bytes.
    pub fn set(&mut self, value: u32, size: usize, codes: [u8; 2]) {
        let Some(place) = self.differences.get_mut(value as usize) else { return };
        *place = u16::from_ne_bytes(codes) ^ CharCodes::NO_DIFFERENCE;
        if size == 2 {
            set_bit(&mut self.narrow, value, codes == [code::FIRST[2], code::FURTHER]);
            let page = value as usize / PAGE % 32;
            let are_narrow = self.narrow.as_chunks::<{ PAGE / 8 }>().0[page] == [0xFF; PAGE / 8];
            self.narrow_leads[page / CODES][page % CODES] = if are_narrow { 0xFF } else { 0 };
        }
    }

    /// Sets the codes of the page of characters from a value on, of `size` bytes each.
    pub fn set_page(&mut self, first: u32, size: usize, codes: &[[u8; 2]; PAGE]) {
        for (value, &codes) in (first..).zip(codes) {
            self.set(value, size, codes);
        }
        if size == 3 {
            let page = first / PAGE as u32;
            let all = |expected: [u8; 2]| codes.iter().all(|&codes| codes == expected);
            set_bit(&mut self.narrow_pages, page, all([code::FIRST[3], code::FURTHER]));
            set_bit(&mut self.wide_pages, page, all([code::FIRST[1], code::SECOND[2]]));
        }
    }

    /// Returns the codes of a character.
    #[inline(always)]
    pub fn get(&self, value: u32) -> [u8; 2] {
        let difference = self.differences.get(value as usize).copied().unwrap_or_default();
        (difference ^ CharCodes::NO_DIFFERENCE).to_ne_bytes()
    }
}

/// Returns zeros that no memory was written for.
fn zeros() -> Box<[u16; CODE_POINTS]> {
    let zeros = vec![0; CODE_POINTS].into_boxed_slice();
    zeros.try_into().expect("a number for each code point")
}

/// Sets a bit in bytes to a value.
fn set_bit(bytes: &mut [u8], at: u32, value: bool) {
    let (byte, bit) = (at as usize / 8, at % 8);
    bytes[byte] = bytes[byte] & !(1 << bit) | u8::from(value) << bit;
}

impl Default for CharCodes {
    fn default() -> CharCodes {
        CharCodes::new()
    }
}
