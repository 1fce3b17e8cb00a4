//! Sets of ASCII characters.

/// Bit sets by the lower half and by the upper half of a byte.
pub(super) type NibbleTables = [[u8; 16]; 2];

/// Returns the tables of a byte and of the next one. Rows are sets of pairs: the lower halves and the
/// upper halves of first bytes, and the upper halves of next bytes. Each has a bit in both tables.
pub(super) const fn tables_of_pairs(rows: &[[u16; 3]]) -> [NibbleTables; 2] {
    let (mut first, mut next) = ([[0; 16]; 2], [[0xFF; 16], [0; 16]]);
    let mut at = 0;
    while at < 16 * rows.len() {
        let (bit, half) = (at / 16, at % 16);
        let [lower, upper, upper_of_next] = rows[bit];
        first[0][half] |= ((lower >> half & 1) as u8) << bit;
        first[1][half] |= ((upper >> half & 1) as u8) << bit;
        next[1][half] |= ((upper_of_next >> half & 1) as u8) << bit;
        at += 1;
    }
    [first, next]
}

/// A set of ASCII characters: a bit for each row of 16 of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AsciiSet(pub(super) NibbleTables);

/// The number of values that the code without vectors examines at once.
const LANES: usize = 16;

impl AsciiSet {
    /// All ASCII characters.
    pub const ALL: AsciiSet = {
        let mut rows = [0; 16];
        let mut row = 0;
        while row < 8 {
            rows[row] = 1 << row;
            row += 1;
        }
        AsciiSet([[0xFF; 16], rows])
    };

    /// Returns the set of the characters that match.
    pub fn of(matches: impl Fn(u8) -> bool) -> AsciiSet {
        let mut tables = [[0; 16]; 2];
        for byte in (0..0x80).filter(|&byte| matches(byte)) {
            let row = 1 << (byte >> 4);
            tables[0][usize::from(byte & 0xF)] |= row;
            tables[1][usize::from(byte >> 4)] |= row;
        }
        AsciiSet(tables)
    }

    /// Returns `true` if a value is in the set.
    #[inline]
    pub fn has(&self, value: u32) -> bool {
        let [lower, upper] = &self.0;
        value < 0x80 && lower[value as usize & 0xF] & upper[value as usize >> 4 & 0xF] != 0
    }

    /// Appends the values at the front that are in the set, as bytes. Returns their number.
    pub(super) fn write(&self, values: &[u32], out: &mut Vec<u8>) -> usize {
        let before = out.len();
        let front = values.iter().take_while(|&&value| self.has(value));
        out.extend(front.map(|&value| value as u8));
        out.len() - before
    }

    /// Appends them block by block. `narrow` returns the bytes of a block and a bit for each that is
    /// in the set.
    #[inline(always)]
    pub(super) fn write_blocks<const N: usize>(
        &self,
        values: &[u32],
        out: &mut Vec<u8>,
        narrow: impl Fn(&[u32; N]) -> ([u8; N], u64),
    ) -> usize {
        let mut written = 0;
        while let Some(block) = values[written..].first_chunk() {
            let (bytes, bits) = narrow(block);
            let number = N.min(bits.trailing_ones() as usize);
            let end = out.len() + number;
            // A copy of fixed size takes less time than a call of `memcpy`.
            out.extend_from_slice(&bytes);
            out.truncate(end);
            written += number;
            if number < N {
                return written;
            }
        }
        written + self.write(&values[written..], out)
    }

    /// Appends them with code that the compiler vectorizes in part.
    pub(super) fn write_by_lookup(&self, values: &[u32], out: &mut Vec<u8>) -> usize {
        self.write_blocks(values, out, |block: &[u32; LANES]| {
            // All of the block, because branches take longer.
            let bit = |at: usize| u64::from(self.has(block[at])) << at;
            let bits = (0..LANES).fold(0, |bits, at| bits | bit(at));
            (block.map(|value| value as u8), bits)
        })
    }
}
