//! Well-formedness of an input in the multi-byte sets.
//!
//! Text in one of the sets is often well formed in others, with the same boundaries between
//! sequences. The sets that remain possible therefore advance together as long as they agree. The
//! result of a codec's `step` is kept for each pair of bytes, so that each pair is decoded once.

use super::pages::SETS;
use crate::codec::Step;
use crate::codec::legacy::LONGEST;
use crate::codec::sets::CharsetRow;
use crate::issue::Interruption;
use crate::kernel::gather_bits;
use crate::registry::{Encoding, by_name};

/// Some of [`SETS`], a bit for each.
type SetMask = u8;

/// The sets that have sequences of four bytes: GB 18030, as the codec of GBK reads it.
const WITH_FOUR_BYTES: SetMask = {
    let (mut mask, mut set) = (0, 0);
    while set < SETS.len() {
        mask |= (SETS[set].has_four_bytes as SetMask) << set;
        set += 1;
    }
    mask
};

/// The bit of a pair that starts well-formed sequences of four bytes in GB 18030, whatever the last
/// two bytes are, within their ranges.
const FOUR_BYTES: u8 = 1 << SETS.len();

/// The number of bytes that are searched for lead bytes at once.
const BLOCK: usize = u64::BITS as usize;

/// The sets in which an input is well formed so far. The input may come in chunks.
#[derive(Clone)]
pub(super) struct StrictSets {
    encodings: [&'static Encoding; SETS.len()],
    /// The sets in which the input is well formed, except for an incomplete sequence at the end.
    possible: SetMask,
    /// For each byte, the sets in which it is known to be a sequence.
    singles: [SetMask; 256],
    /// For each pair of bytes, the sets in which it is known to be a sequence, and [`FOUR_BYTES`].
    pairs: Box<[u8; 1 << 16]>,
    /// For each set, the incomplete sequence at the end of the last chunk.
    incomplete: [Vec<u8>; SETS.len()],
    /// True if there was a sequence of four bytes.
    has_four_bytes: bool,
}

/// The start of some bytes in a set.
enum SequenceStart {
    /// A sequence of this many bytes.
    Complete(usize),
    /// An incomplete sequence.
    Incomplete,
    IllFormed,
}

impl Default for StrictSets {
    fn default() -> StrictSets {
        StrictSets {
            encodings: SETS.map(|set| by_name(set.name)),
            possible: FOUR_BYTES - 1,
            singles: std::array::from_fn(|byte| if byte < 0x80 { FOUR_BYTES - 1 } else { 0 }),
            pairs: Box::new([0; 1 << 16]),
            incomplete: Default::default(),
            has_four_bytes: false,
        }
    }
}

impl StrictSets {
    /// Returns `true` if the input is well formed in a set, except for an incomplete sequence at
    /// the end. A rare set is judged by ranges of bytes alone.
    pub fn is_well_formed_in(&self, set: usize) -> bool {
        self.possible & 1 << set != 0
    }

    /// Returns `true` if all pairs of the input are characters in a set in which it is well formed.
    pub fn has_all_pairs(&self, set: usize) -> bool {
        let pairs = (0..=u16::MAX).zip(self.pairs.iter());
        let mut known = pairs.filter(|(_, sets)| **sets & 1 << set != 0);
        known.all(|(pair, _)| {
            !matches!(self.encodings[set].step(&pair.to_le_bytes()), Step::Ill { .. })
        })
    }

    /// Returns the length in bytes of the incomplete sequence at the end in a set, or 0.
    pub fn cut_len(&self, set: usize) -> usize {
        self.incomplete[set].len()
    }

    /// Returns `true` if there was a sequence of four bytes.
    pub fn has_four_byte_sequence(&self) -> bool {
        self.has_four_bytes
    }

    /// Adds the next bytes.
    pub fn add(&mut self, bytes: &[u8]) {
        let is_at_boundary = self.incomplete.iter().all(Vec::is_empty);
        if self.possible == 0 || is_at_boundary && bytes.is_ascii() {
            return;
        }
        let mut at: [usize; SETS.len()] = std::array::from_fn(|set| self.complete(set, bytes));
        let mut starts =
            (0..SETS.len()).filter(|&set| self.is_well_formed_in(set)).map(|set| at[set]);
        if let Some(start) = starts.next()
            && starts.all(|other| other == start)
        {
            at = [start + self.read(self.possible, &bytes[start..]); SETS.len()];
        }
        for (set, at) in at.into_iter().enumerate() {
            self.read_single(set, &bytes[at..]);
        }
    }

    /// Reads all bytes in one set.
    fn read_single(&mut self, set: usize, bytes: &[u8]) {
        if self.incomplete[set].is_empty() {
            let end = self.read(1 << set, bytes);
            if self.is_well_formed_in(set) {
                self.incomplete[set].extend_from_slice(&bytes[end..]);
            }
        }
    }

    /// Completes the sequence at the end of the last chunk in a set. Returns the number of bytes read.
    fn complete(&mut self, set: usize, bytes: &[u8]) -> usize {
        let mut at = 0;
        while self.is_well_formed_in(set) && at < bytes.len() && !self.incomplete[set].is_empty() {
            let mut sequence = std::mem::take(&mut self.incomplete[set]);
            sequence.push(bytes[at]);
            at += 1;
            match self.step(set, &sequence) {
                // The first byte is a sequence, and the next one starts another.
                SequenceStart::Complete(len) => at -= sequence.len() - len,
                SequenceStart::Incomplete => self.incomplete[set] = sequence,
                SequenceStart::IllFormed => {}
            }
        }
        at
    }

    /// Reads sequences in some sets as long as they agree on the boundaries. Returns the number of
    /// bytes read.
    fn read(&mut self, sets: SetMask, bytes: &[u8]) -> usize {
        let mut at = 0;
        while self.possible & sets != 0 && at < bytes.len() {
            at += self.known_len(self.possible & sets, &bytes[at..]);
            match self.agreed_len(self.possible & sets, &bytes[at..]) {
                Some(len) => at += len,
                None => break,
            }
        }
        at
    }

    /// Returns the length of the front that consists of known sequences.
    fn known_len(&self, sets: SetMask, bytes: &[u8]) -> usize {
        let mut at = 0;
        loop {
            let start = at;
            at += self.pairs_len(sets, &bytes[at..]);
            at += self.singles_len(sets, &bytes[at..]);
            if sets == WITH_FOUR_BYTES {
                at += self.four_bytes_len(&bytes[at..]);
            }
            if at == start {
                return at;
            }
        }
    }

    /// Returns the length of the known pairs and of ASCII at the front.
    fn pairs_len(&self, sets: SetMask, bytes: &[u8]) -> usize {
        let mut at = 0;
        while at < bytes.len() {
            let rest = &bytes[at..];
            let len = rest.len().min(BLOCK);
            let leads = rest.first_chunk().map_or_else(
                || {
                    let mut last = [0; BLOCK];
                    last[..len].copy_from_slice(rest);
                    lead_bytes(&last)
                },
                lead_bytes,
            );
            // Nearly all blocks are known, and read without a branch on each pair.
            if !rest.first_chunk().is_some_and(|block| self.are_known_pairs(sets, block, leads)) {
                let is_known = |&lead: &usize| match rest[lead..].first_chunk() {
                    Some(pair) => self.pairs[index(*pair)] & sets == sets,
                    None => false,
                };
                if let Some(lead) = ones(leads).find(|lead| !is_known(lead)) {
                    return at + lead;
                }
            }
            at += len + (leads >> (BLOCK - 1)) as usize;
        }
        at
    }

    /// Returns `true` if the pairs with these lead bytes are known.
    fn are_known_pairs(&self, sets: SetMask, block: &[u8; BLOCK + 1], mut leads: u64) -> bool {
        let mut known = sets;
        // Faster than a loop over `ones`.
        while leads != 0 {
            // The remainder spares the checks of bounds.
            let lead = leads.trailing_zeros() as usize % BLOCK;
            known &= self.pairs[index([block[lead], block[lead + 1]])];
            leads &= leads - 1;
        }
        known == sets
    }

    /// Returns the length of the known single bytes at the front.
    fn singles_len(&self, sets: SetMask, bytes: &[u8]) -> usize {
        let is_known = |byte: &&u8| self.singles[usize::from(**byte)] & sets == sets;
        bytes.iter().take_while(is_known).count()
    }

    /// Returns the length of the known sequences of four bytes at the front, in GB 18030.
    fn four_bytes_len(&self, bytes: &[u8]) -> usize {
        let is_known = |&&[a, b, c, d]: &&[u8; 4]| {
            let (c, d) = ((0x81..=0xFE).contains(&c), d.is_ascii_digit());
            c && d && self.pairs[index([a, b])] & FOUR_BYTES != 0
        };
        bytes.as_chunks().0.iter().take_while(is_known).count() * 4
    }

    /// Returns the length of the sequence at the front, if the sets in which it is well formed agree.
    /// The other sets are no longer possible.
    fn agreed_len(&mut self, sets: SetMask, bytes: &[u8]) -> Option<usize> {
        let start = &bytes[..bytes.len().min(LONGEST)];
        let mut agreed = None;
        for set in (0..SETS.len()).filter(|set| sets & 1 << set != 0) {
            match self.step(set, start) {
                SequenceStart::Complete(len) if *agreed.get_or_insert(len) == len => {}
                SequenceStart::Complete(_) | SequenceStart::Incomplete => return None,
                SequenceStart::IllFormed => {}
            }
        }
        agreed
    }

    /// Reads the first sequence of a set.
    fn step(&mut self, set: usize, bytes: &[u8]) -> SequenceStart {
        let start = match SETS[set].rare {
            Some(row) => step_in_ranges(row, bytes),
            None => step(self.encodings[set], bytes),
        };
        match start {
            SequenceStart::Complete(len) => self.learn(set, &bytes[..len]),
            SequenceStart::Incomplete => {}
            SequenceStart::IllFormed => self.possible &= !(1 << set),
        }
        start
    }

    /// Records a sequence as known in a set.
    fn learn(&mut self, set: usize, sequence: &[u8]) {
        match *sequence {
            [byte] => self.singles[usize::from(byte)] |= 1 << set,
            [lead, trail] => self.pairs[index([lead, trail])] |= 1 << set,
            [first, second, _, _] if SETS[set].has_four_bytes => {
                self.has_four_bytes = true;
                // The sequences in between are well formed if the first and the last one are.
                let is_well_formed = |third, fourth| {
                    let step = self.encodings[set].step(&[first, second, third, fourth]);
                    !matches!(step, Step::Ill { .. })
                };
                if is_well_formed(0x81, b'0') && is_well_formed(0xFE, b'9') {
                    self.pairs[index([first, second])] |= FOUR_BYTES;
                }
            }
            _ => {}
        }
    }
}

/// Reads the first sequence with a codec.
fn step(codec: &Encoding, bytes: &[u8]) -> SequenceStart {
    match codec.step(bytes) {
        Step::Short => SequenceStart::Incomplete,
        Step::Ill { kind, .. } if kind.is_interrupted_by(Interruption::EndOfInput) => {
            SequenceStart::Incomplete
        }
        Step::Ill { .. } => SequenceStart::IllFormed,
        step => SequenceStart::Complete(step.size()),
    }
}

/// Reads the first sequence by the ranges of its bytes: the characters of a rare set are not in memory.
fn step_in_ranges(row: &CharsetRow, bytes: &[u8]) -> SequenceStart {
    match row.length_in_ranges(bytes) {
        Some(len) if len <= bytes.len() => SequenceStart::Complete(len),
        None if !bytes.is_empty() => SequenceStart::IllFormed,
        _ => SequenceStart::Incomplete,
    }
}

/// Returns a bit for each lead byte in a block of pairs and ASCII that starts with a sequence: of adjacent
/// bytes beyond ASCII, every second one from the first on.
fn lead_bytes(block: &[u8; BLOCK]) -> u64 {
    const EVEN: u64 = 0x5555_5555_5555_5555;
    let high = high_bits(block);
    let starts = high & !(high << 1);
    // The sum clears the runs that start at an even index, and sets the bit behind each.
    let odd_runs = high & high.wrapping_add(starts & EVEN);
    let even_runs = high & !odd_runs;
    even_runs & EVEN | odd_runs & !EVEN
}

/// Returns the indices of the bits that are set.
fn ones(mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let at = bits.trailing_zeros();
        bits &= bits.wrapping_sub(1);
        (at < u64::BITS).then_some(at as usize)
    })
}

/// Returns a bit for each byte beyond ASCII.
fn high_bits(block: &[u8; BLOCK]) -> u64 {
    let (words, _) = block.as_chunks();
    words.iter().rev().fold(0, |bits, word| {
        let high = u64::from_le_bytes(*word) >> 7 & 0x0101_0101_0101_0101;
        bits << 8 | u64::from(gather_bits(high))
    })
}

/// Returns the index of a pair in the table.
fn index(pair: [u8; 2]) -> usize {
    u16::from_le_bytes(pair).into()
}

#[cfg(test)]
mod tests {
    use super::super::pages::DetectedSet;
    use super::*;

    #[test]
    fn lead_bytes_are_at_even_distances_from_the_starts_of_runs() {
        let mut state = 1_u64;
        for _ in 0..if cfg!(miri) { 200 } else { 20_000 } {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let high = state.rotate_left(13) | state.rotate_left(31);
            let block: [u8; BLOCK] =
                std::array::from_fn(|at| if high >> at & 1 == 1 { 0xA1 } else { b'a' });
            let (mut leads, mut at) = (Vec::new(), 0);
            while at < BLOCK {
                if block[at] >= 0x80 {
                    leads.push(at);
                }
                // The trail byte may be ASCII.
                at += if block[at] >= 0x80 { 2 } else { 1 };
            }
            assert_eq!(ones(lead_bytes(&block)).collect::<Vec<_>>(), leads, "{block:02X?}");
        }
    }

    /// Returns `true` if an input is well formed in a set by its codec, or by the ranges of a rare set.
    fn is_well_formed(set: usize, bytes: &[u8]) -> bool {
        let (mut sets, mut at) = (StrictSets::default(), 0);
        while at < bytes.len() {
            match sets.step(set, &bytes[at..bytes.len().min(at + LONGEST)]) {
                SequenceStart::Complete(len) => at += len,
                SequenceStart::Incomplete => return true,
                SequenceStart::IllFormed => return false,
            }
        }
        true
    }

    /// Blocks end at each place in and around a sequence of another length, or an ill-formed one.
    #[test]
    fn blocks_are_read_as_the_codecs_read_them() {
        // From an odd byte on, it is ill-formed in EUC-JP and EUC-KR, which lack the rows A9 and C9.
        let pairs = b"\xB0\xA9\xB0\xC9".repeat(20);
        let others: [&[u8]; 9] = [
            b"",
            b"\xB1",
            b"\x8F\xB0\xA1",
            b"\x8E\xB1",
            b"\x81\x30\x81\x30",
            b"\x8E\xA2\xA1\xA1",
            b"\xFF\xFF",
            b"\xB0",
            b"\x83A",
        ];
        for other in others {
            for before in (0..=BLOCK + 1).step_by(if cfg!(miri) { 13 } else { 1 }) {
                // Each set is read alone from the first pair on, which all read in their own way.
                let start = [&pairs[..], &b"a".repeat(before), &pairs, other].concat();
                let text = [&start[..], &pairs, b"b\n"].concat();
                for end in [text.len(), start.len(), text.len() - 3] {
                    let text = &text[..end];
                    let mut whole = StrictSets::default();
                    whole.add(text);
                    // The pairs are known when the second part is read.
                    let mut parts = StrictSets::default();
                    parts.add(&pairs);
                    parts.add(text);
                    for (set, DetectedSet { name, .. }) in SETS.iter().enumerate() {
                        let expected = is_well_formed(set, text);
                        assert_eq!(whole.is_well_formed_in(set), expected, "{name} {text:02X?}");
                        assert_eq!(parts.is_well_formed_in(set), expected, "{name} {text:02X?}");
                    }
                }
            }
        }
    }
}
