//! Sets of UTF-8 sequences that text is searched for.

use super::ascii_set::{AsciiSet, NibbleTables};

/// The number of bytes of a sequence that are examined.
pub(super) const EXAMINED: usize = 3;

/// The first byte of the first sequence of three bytes.
const THREE_BYTES: u8 = 0xE0;

/// The number of boxes: one for each bit of a byte.
const BOXES: usize = 8;

/// The number of sequences that the code without vectors examines at once.
const LANES: usize = 32;

/// A set of the 16 values that half a byte can have.
type NibbleSet = u16;

/// A set of UTF-8 sequences, which are rare in most text.
///
/// The first three bytes of a sequence decide whether it is in the set: all characters with the same
/// three bytes are, if one of them was asked for.
pub struct SequenceFilter {
    /// For each first byte, a bit for each second byte 80..BF; all bits for an ASCII byte.
    seconds: [u64; 256],
    /// For each first byte from [`THREE_BYTES`] on and each second byte, a bit for each third byte
    /// 80..BF.
    thirds: Box<[u64]>,
    /// True if no character of plain ASCII text is in the set.
    spares_ascii: bool,
    /// The ASCII characters of the set.
    pub(super) ascii: AsciiSet,
    /// A bit for each box, by each byte of a sequence. The boxes have all sequences of the set, and
    /// others.
    pub(super) boxes: [NibbleTables; EXAMINED],
}

impl SequenceFilter {
    /// Returns the set of the characters in these ranges, each with sequences of one length.
    pub fn of_ranges(ranges: impl Iterator<Item = (u32, u32)>) -> SequenceFilter {
        let mut builder = FilterBuilder::new();
        ranges.for_each(|(start, end)| builder.add(start, end));
        builder.build()
    }

    /// Returns `true` if the sequence at the front of a well-formed text is in the set.
    #[inline]
    pub fn has(&self, text: &[u8]) -> bool {
        let byte = |at: usize| text.get(at).copied().unwrap_or(0);
        self.has_sequence([byte(0), byte(1), byte(2)])
    }

    /// Returns `true` if a sequence with these bytes is in the set. Bytes beyond its length count for
    /// nothing.
    #[inline]
    fn has_sequence(&self, [first, second, third]: [u8; EXAMINED]) -> bool {
        self.may_have(first, second)
            && (first < THREE_BYTES
                || self.thirds[index_of_thirds(first, second)] >> (third & 0x3F) & 1 == 1)
    }

    /// Returns `true` if a sequence that starts with these two bytes is in the set.
    #[inline]
    fn may_have(&self, first: u8, second: u8) -> bool {
        self.seconds[usize::from(first)] >> (second & 0x3F) & 1 == 1
    }

    /// Returns the index of the first sequence of the set, or the length of the text.
    fn find(&self, bytes: &[u8]) -> usize {
        (0..bytes.len()).find(|&at| self.has(&bytes[at..])).unwrap_or(bytes.len())
    }

    /// Returns the index of the first sequence that is in the set and a candidate, or the length of
    /// the text. `candidates` takes the first, second and third bytes of some sequences, and
    /// returns a bit for each.
    #[inline(always)]
    pub(super) fn find_among<const N: usize>(
        &self,
        bytes: &[u8],
        candidates: impl Fn([&[u8; N]; EXAMINED]) -> u64,
    ) -> usize {
        let mut at = 0;
        let lanes = |start: usize| bytes.get(start..)?.first_chunk();
        while let Some(third) = lanes(at + 2)
            && let (Some(first), Some(second)) = (lanes(at), lanes(at + 1))
        {
            let mut found = candidates([first, second, third]);
            while found != 0 {
                let lane = found.trailing_zeros() as usize;
                if self.has_sequence([first[lane], second[lane], third[lane]]) {
                    return at + lane;
                }
                found &= found - 1;
            }
            at += N;
        }
        at + self.find(&bytes[at..])
    }

    /// Finds the first sequence with code that the compiler vectorizes where the text is ASCII.
    pub(super) fn find_in_blocks(&self, bytes: &[u8]) -> usize {
        self.find_among(bytes, |[first, second, _]: [&[u8; LANES]; EXAMINED]| {
            let is_text = |byte: u8| matches!(byte, b' '..=b'~' | b'\t' | b'\n');
            if self.spares_ascii && first.iter().fold(true, |all, &byte| all & is_text(byte)) {
                return 0;
            }
            // All sequences, because branches take longer.
            let bit = |lane: usize| u64::from(self.may_have(first[lane], second[lane])) << lane;
            (0..LANES).fold(0, |found, lane| found | bit(lane))
        })
    }
}

/// Returns the index of the third bytes after these two.
#[inline]
fn index_of_thirds(first: u8, second: u8) -> usize {
    usize::from(first - THREE_BYTES) << 6 | usize::from(second & 0x3F)
}

/// A product of sets of half bytes, for each byte of a sequence: of its lower and its upper half.
#[derive(Clone, Copy, Debug)]
struct SequenceBox([[NibbleSet; 2]; EXAMINED]);

impl SequenceBox {
    /// Returns the smallest box that contains two boxes.
    fn union(self, SequenceBox(other): SequenceBox) -> SequenceBox {
        let SequenceBox(mut union) = self;
        let sets = union.as_flattened_mut().iter_mut().zip(other.as_flattened());
        sets.for_each(|(set, other)| *set |= other);
        SequenceBox(union)
    }

    /// Returns the number of sequences in the box.
    fn volume(self) -> i64 {
        self.0.as_flattened().iter().map(|set| i64::from(set.count_ones())).product()
    }

    /// Returns the number of sequences that the union of two boxes adds to them; less than 0 if
    /// they share some.
    fn excess(self, other: SequenceBox) -> i64 {
        self.union(other).volume() - self.volume() - other.volume()
    }
}

/// A set of sequences to which ranges are added.
struct FilterBuilder {
    seconds: [u64; 256],
    thirds: Box<[u64]>,
    boxes: Vec<SequenceBox>,
}

impl FilterBuilder {
    fn new() -> FilterBuilder {
        let thirds = vec![0; index_of_thirds(0xFF, 0xBF) + 1].into();
        FilterBuilder { seconds: [0; 256], thirds, boxes: Vec::new() }
    }

    /// Adds the characters from `start` to `end`, whose sequences have one length.
    fn add(&mut self, start: u32, end: u32) {
        let (mark, len) = match start {
            0..0x80 => return self.seconds[start as usize..=end as usize].fill(!0),
            0x80..0x800 => (0xC0, 2),
            0x800..0x1_0000 => (0xE0, 3),
            _ => (0xF0, 4),
        };
        let set = |byte: u32| [1 << (byte & 0xF), 1 << (byte >> 4)];
        // The bits of the first two bytes, and those of the third.
        let prefix = |value: u32| value >> (6 * (len - 2));
        let third = |value: u32| value >> (6 * (len - 3)) & 0x3F;
        for bits in prefix(start)..=prefix(end) {
            let [first, second] = [mark | bits >> 6, 0x80 | bits & 0x3F];
            self.seconds[first as usize] |= 1 << (bits & 0x3F);
            let sequences = |thirds| SequenceBox([set(first), set(second), thirds]);
            if len == 2 {
                self.add_box(sequences([!0; 2]));
                continue;
            }
            let from = if bits == prefix(start) { third(start) } else { 0 };
            let to = if bits == prefix(end) { third(end) } else { 0x3F };
            let index = index_of_thirds(first as u8, second as u8);
            self.thirds[index] |= u64::MAX >> (0x3F - (to - from)) << from;
            if (from, to) == (0, 0x3F) {
                self.add_box(sequences([!0, 0x0F00]));
                continue;
            }
            for row in from >> 4..=to >> 4 {
                let lower = (0..16).filter(|lower| (from..=to).contains(&(row << 4 | lower)));
                let lower = lower.fold(0, |set, lower| set | 1 << lower);
                self.add_box(sequences([lower, 0x100 << row]));
            }
        }
    }

    /// Adds a box: to another one, if their union is no larger than both. If there are too many, the
    /// two whose union adds the fewest sequences become one.
    fn add_box(&mut self, new: SequenceBox) {
        // Most of the time, it is next to the last one.
        if let Some(known) = self.boxes.iter_mut().rfind(|known| known.excess(new) <= 0) {
            *known = known.union(new);
            return;
        }
        self.boxes.push(new);
        if self.boxes.len() <= BOXES {
            return;
        }
        let pairs = (1..self.boxes.len()).flat_map(|one| (0..one).map(move |other| (one, other)));
        let excess = |&(one, other): &(usize, usize)| self.boxes[one].excess(self.boxes[other]);
        if let Some((one, other)) = pairs.min_by_key(excess) {
            let removed = self.boxes.swap_remove(one);
            self.boxes[other] = self.boxes[other].union(removed);
        }
    }

    fn build(self) -> SequenceFilter {
        let FilterBuilder { seconds, thirds, boxes } = self;
        let is_asked = |byte: u8| seconds[usize::from(byte)] != 0;
        let spares_ascii = !(b' '..=b'~').chain([b'\t', b'\n']).any(is_asked);
        let ascii = AsciiSet::of(is_asked);
        let mut tables = [[[0; 16]; 2]; EXAMINED];
        for (number, SequenceBox(sets)) in boxes.iter().enumerate() {
            for (table, set) in tables.as_flattened_mut().iter_mut().zip(sets.as_flattened()) {
                let bits = table.iter_mut().enumerate();
                bits.for_each(|(half, bits)| *bits |= u8::from(set >> half & 1 == 1) << number);
            }
        }
        SequenceFilter { seconds, thirds, spares_ascii, ascii, boxes: tables }
    }
}
