//! Places of codes in the tables of East Asian sets: rows and cells, pointers, linear indices.
//!
//! The sets of ISO/IEC 2022 have 94 rows of 94 cells, counted from 1. In EUC both bytes have the
//! high bit set. A code outside these sets has a pointer: its place in the index of the WHATWG
//! Encoding Standard.

use std::ops::{Range, RangeInclusive};

use super::MultiByte;
use crate::codec::sets::linear;

/// The bytes of rows and cells in the left half.
pub(in crate::codec) const LEFT: RangeInclusive<u8> = 0x21..=0x7E;

/// The bytes of rows and cells in the right half.
const RIGHT: RangeInclusive<u8> = 0xA1..=0xFE;

/// The number of cells of a row, and of rows of a set.
const SIDE: u32 = 94;

/// The byte of row or cell 0; the first row and the first cell have number 1.
const BEFORE: u8 = 0x20;

/// Shifts the next byte to half-width katakana (JIS X 0201), and the next two bytes to JIS X 0212.
const SINGLE_SHIFT_2: u8 = 0x8E;
const SINGLE_SHIFT_3: u8 = 0x8F;

/// The first of the half-width katakana, and its byte.
const KATAKANA: (u32, u8) = (0xFF61, 0xA1);

/// The pointers of Shift_JIS for private use, from U+E000 on: the WHATWG Encoding Standard, section
/// 12.3.1.
const PRIVATE: Range<u32> = 8836..10716;

/// Returns the place of a pair of bytes in the left half.
pub(in crate::codec) fn row_and_cell(row: u8, cell: u8) -> Option<String> {
    let inside = LEFT.contains(&row) && LEFT.contains(&cell);
    inside.then(|| at(u32::from(row - BEFORE), u32::from(cell - BEFORE)))
}

fn at(row: u32, cell: u32) -> String {
    format!("row {row}, cell {cell}")
}

/// Returns the place of a pair of bytes in the right half.
fn right(row: u8, cell: u8) -> Option<String> {
    row_and_cell(row & 0x7F, cell & 0x7F).filter(|_| row >= 0x80 && cell >= 0x80)
}

fn katakana(byte: u8) -> Option<String> {
    let (first, least) = KATAKANA;
    Some(format!("0x{first:X} + 0x{:X}", byte.checked_sub(least)?))
}

/// Returns the place of four bytes of GB 18030, in the order of its code points.
fn linear_index(bytes: [u8; 4]) -> Option<String> {
    let place = linear::place(bytes)?;
    Some(match place.checked_sub(linear::SUPPLEMENTARY) {
        Some(number) => format!("0x10000 + 0x{number:X}"),
        None => format!("linear {place}"),
    })
}

impl<const SET: usize> MultiByte<SET> {
    /// Returns `true` for bytes of a set of ISO/IEC 2022 in the right half.
    fn in_set(bytes: &[u8]) -> bool {
        Self::ROW.has_right_half && bytes.iter().all(|b| RIGHT.contains(b))
    }

    /// Returns the number of marker bits of a byte: all of a single shift, and the high bit in EUC.
    pub(in crate::codec) fn marks(sequence: &[u8], at: usize) -> u32 {
        match sequence {
            [SINGLE_SHIFT_2 | SINGLE_SHIFT_3, rest @ ..] if Self::SINGLE_SHIFTS => match at {
                0 => u8::BITS,
                _ => u32::from(Self::in_set(rest)),
            },
            _ => u32::from(Self::in_set(sequence)),
        }
    }

    /// Returns the place of a sequence in the tables of the set.
    pub(in crate::codec) fn place(sequence: &[u8]) -> Option<String> {
        match *sequence {
            [byte] if Self::ROW.shifts_jis => katakana(byte),
            [SINGLE_SHIFT_2, byte] if Self::SINGLE_SHIFTS => katakana(byte),
            [SINGLE_SHIFT_3, row, cell] if Self::SINGLE_SHIFTS => {
                Some(format!("JIS X 0212 {}", right(row, cell)?))
            }
            [row, cell] if Self::SINGLE_SHIFTS => Some(format!("JIS X 0208 {}", right(row, cell)?)),
            [row, cell] if Self::in_set(sequence) => right(row, cell),
            [lead, trail] if (Self::ROW.is_lead)(lead) && Self::ROW.trails.contains(&trail) => {
                Some(Self::pointed(Self::pointer(lead, trail)?))
            }
            [a, b, c, d] if Self::FOUR_BYTES => linear_index([a, b, c, d]),
            _ => None,
        }
    }

    /// Returns the pointer of a pair: trail bytes are counted without those that are never used.
    fn pointer(lead: u8, trail: u8) -> Option<u32> {
        let pointers = Self::ROW.pointers.as_ref()?;
        let skipped = pointers.skipped[usize::from(trail >= 0x7F)];
        // Half-width katakana are between the lead bytes of Shift_JIS.
        let first = if Self::ROW.shifts_jis && lead > 0xA0 { 0xC1 } else { 0x81 };
        Some(u32::from(lead - first) * pointers.row + u32::from(trail - skipped))
    }

    /// Describes the place of a pointer. In Shift_JIS it counts the cells of JIS X 0208.
    fn pointed(pointer: u32) -> String {
        match pointer {
            _ if !Self::ROW.shifts_jis => format!("pointer {pointer}"),
            _ if pointer < SIDE * SIDE => at(pointer / SIDE + 1, pointer % SIDE + 1),
            _ if PRIVATE.contains(&pointer) => format!("0xE000 + 0x{:X}", pointer - PRIVATE.start),
            _ => format!("pointer {pointer}"),
        }
    }
}
