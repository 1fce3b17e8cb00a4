//! The ill-formed sequences of UTF-8 as bits, one for each byte of a text.

use super::faults::{DECIDED, FaultPlaces, WindowFaults};

/// The number of bits in a word.
const BITS: usize = u64::BITS as usize;

/// The first bytes of the ill-formed sequences of a text, where they may be dense.
#[derive(Clone, Debug, Default)]
pub struct FaultBits {
    /// A bit for each byte of the text, as far as windows have decided.
    decided: Vec<u8>,
    /// A bit for each byte of the text.
    words: Vec<u64>,
    /// A bit for each word that is not zero.
    filled: Vec<u64>,
    /// The indexes of the surrogates that are second in a pair, which is one sequence.
    seconds: Vec<u32>,
    /// The number of ill-formed sequences.
    count: usize,
}

/// The number of bytes of a surrogate.
const SURROGATE: usize = 3;

impl FaultBits {
    /// A text without ill-formed sequences.
    pub const NONE: FaultBits = FaultBits {
        decided: Vec::new(),
        words: Vec::new(),
        filled: Vec::new(),
        seconds: Vec::new(),
        count: 0,
    };

    /// Completes the bits of a text. `len` returns the length of the ill-formed sequence at the front
    /// of some bytes, where a pair of surrogates is one. Returns the end of the last pair.
    pub fn finish(&mut self, bytes: &[u8], len: impl Fn(&[u8]) -> usize) -> usize {
        let mut passed = 0;
        self.seconds.retain_mut(|at| {
            let first = *at as usize;
            let end = first + len(&bytes[first..]);
            let is_pair = first >= passed && end > first + SURROGATE;
            if is_pair {
                (passed, *at) = (end, (first + SURROGATE) as u32);
                if let Some(byte) = self.decided.get_mut(*at as usize / 8) {
                    *byte &= !(1 << (*at % 8));
                }
            }
            is_pair
        });
        self.gather();
        passed
    }

    /// Gathers the bits in words.
    fn gather(&mut self) {
        self.decided.resize(self.decided.len().next_multiple_of(BITS / 8), 0);
        self.words.clear();
        self.words.extend(self.decided.as_chunks().0.iter().map(|&word| u64::from_le_bytes(word)));
        self.count = self.words.iter().map(|word| word.count_ones() as usize).sum();
        let filled = self.words.chunks(BITS).map(|words| {
            (0..).zip(words).fold(0, |filled, (at, &word)| filled | u64::from(word != 0) << at)
        });
        self.filled.clear();
        self.filled.extend(filled);
    }

    /// Returns the number of ill-formed sequences.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Returns the indexes of the surrogates that are second in a pair.
    pub fn seconds(&self) -> &[u32] {
        &self.seconds
    }

    /// Returns the bits of the bytes from an index on.
    #[inline(always)]
    pub fn word(&self, at: usize) -> u64 {
        let word = |at: usize| self.words.get(at).copied().unwrap_or_default();
        let by = (at % BITS) as u32;
        // A shift by the number of bits is one by 1 and one by the rest.
        word(at / BITS) >> by | word(at / BITS + 1) << 1 << (BITS as u32 - 1 - by)
    }

    /// Returns the indexes between two.
    pub fn between(&self, start: usize, end: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(self.next(start), |&at| self.next(at + 1))
            .take_while(move |&at| at < end)
    }

    /// Returns the first index from one on.
    pub fn next(&self, at: usize) -> Option<usize> {
        let of_words = |words: &[u64], at: usize| {
            let word = words.get(at / BITS)? & u64::MAX << (at % BITS);
            (word != 0).then(|| at - at % BITS + word.trailing_zeros() as usize)
        };
        let filled = |at: usize| {
            let later = at / BITS + 1..self.filled.len();
            of_words(&self.filled, at)
                .or_else(|| later.into_iter().find_map(|word| of_words(&self.filled, word * BITS)))
        };
        of_words(&self.words, at).or_else(|| of_words(&self.words, filled(at / BITS + 1)? * BITS))
    }

    /// Returns the last index before one.
    pub fn last(&self, before: usize) -> Option<usize> {
        let of_words = |words: &[u64], before: usize| {
            let last = before.checked_sub(1)?;
            let word = words.get(last / BITS)? & u64::MAX >> (BITS - 1 - last % BITS);
            let top = BITS - 1 - word.leading_zeros() as usize % BITS;
            (word != 0).then(|| last - last % BITS + top)
        };
        let filled = |before: usize| {
            let earlier = 0..before.saturating_sub(1) / BITS;
            of_words(&self.filled, before).or_else(|| {
                earlier.rev().find_map(|word| of_words(&self.filled, (word + 1) * BITS))
            })
        };
        let before = before.min(self.words.len() * BITS);
        of_words(&self.words, before).or_else(|| {
            let word = filled(before.saturating_sub(1) / BITS)?;
            of_words(&self.words, (word + 1) * BITS)
        })
    }
}

impl FaultPlaces for FaultBits {
    type Place = u32;

    fn begin(&mut self) {
        self.decided.clear();
        self.seconds.clear();
    }

    #[inline(always)]
    fn add(&mut self, start: u32, window: WindowFaults) {
        const { assert!(DECIDED.is_multiple_of(8)) };
        let [bits @ .., _] = window.faults.to_le_bytes();
        self.decided.extend_from_slice(&bits);
        let mut pairs = window.faults & window.pairs;
        while pairs != 0 {
            self.seconds.push(start + pairs.trailing_zeros());
            pairs &= pairs - 1;
        }
    }

    fn truncate(&mut self, end: u32) {
        self.decided.truncate(end.div_ceil(8) as usize);
        if !end.is_multiple_of(8)
            && let Some(last) = self.decided.last_mut()
        {
            *last &= u8::MAX >> (8 - end % 8);
        }
        while self.seconds.pop_if(|at| *at >= end).is_some() {}
    }
}
