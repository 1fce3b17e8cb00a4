//! Tables that move some of the bytes of a vector to its front.

use super::vector::{LANES, Lanes};

/// Keeps the units, of two bytes each, whose bits are set.
pub static UNITS: [Lanes; 256] = table(2, &[0b00, 0b11]);

/// Keeps the values, of four bytes each, whose bits are set.
pub static VALUES: [Lanes; 16] = table(4, &[0b0000, 0b1111]);

/// Keeps the second byte of each unit whose bit is set, and both bytes of the others.
pub static SHORT_FORMS: [Lanes; 256] = table(2, &[0b11, 0b10]);

/// Keeps the bytes of UTF-8 of each value. Of its two bits, the lower is set if it is below 80, and the
/// upper if it is below 800; only the lower marks a form of four bytes. The last byte of any other form
/// is the third.
pub static FORMS: [Lanes; 256] = table(4, &[0b0111, 0b1111, 0b0110, 0b0100]);

/// Returns the places of the bytes to keep, by an index that selects one of some forms for each item of
/// `size` bytes. Each bit of a form keeps a byte.
pub const fn table<const N: usize>(size: usize, forms: &[usize]) -> [Lanes; N] {
    let bits = forms.len().ilog2() as usize;
    let mut table = [[0; LANES]; N];
    let mut index = 0;
    while index < N {
        let (mut at, mut place) = (0, 0);
        while place < LANES {
            let form = forms[index >> (bits * (place / size)) & (forms.len() - 1)];
            if form >> (place % size) & 1 != 0 {
                table[index][at] = place as u8;
                at += 1;
            }
            place += 1;
        }
        index += 1;
    }
    table
}
