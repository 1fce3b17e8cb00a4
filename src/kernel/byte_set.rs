//! Sets of bytes.

use super::ascii_set::NibbleTables;

/// A set of bytes.
#[derive(Clone, Debug, PartialEq)]
pub struct ByteSet {
    members: [bool; 256],
    /// The same as tables of half bytes, for vectors: of the bytes below 80, and of the others.
    pub(super) tables: [NibbleTables; 2],
}

impl ByteSet {
    /// Returns the set of the bytes that match.
    pub fn of(matches: impl Fn(u8) -> bool) -> ByteSet {
        let mut set = ByteSet { members: [false; 256], tables: Default::default() };
        for byte in 0..=u8::MAX {
            let (row, upper) = (usize::from(byte >> 7), usize::from(byte >> 4));
            set.tables[row][1][upper] = 1 << (upper % 8);
            if matches(byte) {
                set.members[usize::from(byte)] = true;
                set.tables[row][0][usize::from(byte & 0xF)] |= 1 << (upper % 8);
            }
        }
        set
    }

    /// Returns `true` if a byte is in the set.
    #[inline]
    pub fn has(&self, byte: u8) -> bool {
        self.members[usize::from(byte)]
    }

    /// Returns `true` if no byte is in the set.
    pub fn is_empty(&self) -> bool {
        self.tables.iter().all(|[lower, _]| *lower == [0; 16])
    }

    /// Removes a byte.
    pub fn remove(&mut self, byte: u8) {
        *self = ByteSet::of(|other| other != byte && self.has(other));
    }
}
