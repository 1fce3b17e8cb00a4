//! AVX-512: validation of UTF-8, 256 bytes at a time.
//!
//! A relative of lookup4 (Keiser and Lemire, "Validating UTF-8 in less than one instruction per
//! byte"), with the 128-entry tables of VBMI instead of 16-entry ones. A first lookup maps each byte
//! to a class of seven bits. Seven bits of the classes of a byte and of its three predecessors then
//! index a second table, which tells whether the byte may stand there.

use std::arch::x86_64::*;

use super::vector::{LANES, load, load_some, select};
use crate::kernel::boundary;
use crate::kernel::prefetch::Prefetcher;

/// The number of vectors between two branches. In mixed text, whether a single vector is ASCII is a
/// branch that no predictor foresees.
const VECTORS: usize = 4;
const BLOCK: usize = VECTORS * LANES;

/// Bits of a class: the index in [`LEADS`] of a lead with the same successors.
const LEAD: u8 = 0b0000_0111;
/// Bits of a class: the index in [`SECONDS`] of the range of this byte as a second byte.
const SECOND: u8 = 0b0001_1000;
/// Bit of a class: a sequence of three or four bytes, so the second byte from here continues it.
const THREE: u8 = 0b0010_0000;
/// Bit of a class: a sequence of four bytes, so the third byte from here continues it.
const FOUR: u8 = 0b0100_0000;

/// One lead byte for each set of lead bytes with the same successors: any continuation byte, the four
/// restricted sets, none. ASCII stands for bytes that lead nothing.
const LEADS: [u8; 7] = [b'a', 0xC2, 0xE0, 0xED, 0xF0, 0xF4, 0xC0];

/// The first byte of each range of second bytes that some lead byte tells apart. ASCII stands for
/// bytes that continue nothing.
const SECONDS: [u8; 4] = [b'a', 0x80, 0x90, 0xA0];

/// Returns `true` if a sequence may start with these two bytes, by the standard library.
const fn follows(lead: u8, second: u8) -> bool {
    let form = [lead, second, 0x80, 0x80];
    match lead.leading_ones() {
        2 => std::str::from_utf8(form.split_at(2).0).is_ok(),
        3 => std::str::from_utf8(form.split_at(3).0).is_ok(),
        4 => std::str::from_utf8(&form).is_ok(),
        _ => false,
    }
}

/// Returns the index in [`LEADS`] of the lead byte with the same successors.
const fn lead(byte: u8) -> u8 {
    let mut index = LEADS.len();
    let mut same = 0;
    while same < SECONDS.len() {
        index -= 1;
        same = 0;
        while same < SECONDS.len()
            && follows(byte, SECONDS[same]) == follows(LEADS[index], SECONDS[same])
        {
            same += 1;
        }
    }
    index as u8
}

/// Returns the index in [`SECONDS`] of the range of a byte.
const fn second(byte: u8) -> u8 {
    let mut index = SECONDS.len() - 1;
    while byte < SECONDS[index] {
        index -= 1;
    }
    index as u8
}

/// Returns the class of a non-ASCII byte. The class of ASCII is 0.
const fn class(byte: u8) -> u8 {
    if byte < 0xC0 {
        return second(byte) << SECOND.trailing_zeros();
    }
    let three = if byte >= 0xE0 { THREE } else { 0 };
    let four = if byte >= 0xF0 { FOUR } else { 0 };
    lead(byte) | three | four
}

/// Returns `true` if a byte is an error, by `LEAD` of the class before it, `SECOND` of its own,
/// `THREE` of the second class before it and `FOUR` of the third.
const fn fault(bits: u8) -> bool {
    let second = SECONDS[((bits & SECOND) >> SECOND.trailing_zeros()) as usize];
    match (bits & LEAD) as usize {
        // After ASCII or a continuation byte, a sequence continues exactly if it is incomplete.
        0 => (bits & (THREE | FOUR) != 0) != (second >= 0x80),
        // An interrupted sequence is an error at the lead byte already.
        lead if lead < LEADS.len() => !follows(LEADS[lead], second),
        _ => true,
    }
}

/// Two vectors that one lookup takes as a table of 128 bytes.
type LookupPair = [[u8; LANES]; 2];

struct Tables {
    /// The [`class`] of a non-ASCII byte, by its low seven bits.
    classes: LookupPair,
    /// All ones for a [`fault`], by the bits of four classes.
    faults: LookupPair,
    /// The indices of the bytes one and two before each lane, in the previous vector and this one.
    back: LookupPair,
}

static TABLES: Tables = {
    let none = [[0; LANES]; 2];
    let mut tables = Tables { classes: none, faults: none, back: none };
    let mut bits = 0;
    while bits < 2 * LANES {
        let (half, lane) = (bits / LANES, bits % LANES);
        tables.classes[half][lane] = class(0x80 | bits as u8);
        tables.faults[half][lane] = if fault(bits as u8) { 0xFF } else { 0 };
        tables.back[half][lane] = (LANES + lane - 1 - half) as u8;
        bits += 1;
    }
    tables
};

/// State carried from vector to vector.
struct CarriedState {
    classes: [__m512i; 2],
    faults: [__m512i; 2],
    back: [__m512i; 2],
    /// The classes of the previous vector.
    class: __m512i,
    /// `LEAD` and `FOUR` of the classes before those, and `SECOND` and `THREE` of those.
    pair: __m512i,
}

impl CarriedState {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    fn new() -> CarriedState {
        let table = |[low, high]: &LookupPair| [load(low), load(high)];
        CarriedState {
            classes: table(&TABLES.classes),
            faults: table(&TABLES.faults),
            back: table(&TABLES.back),
            class: _mm512_setzero_si512(),
            pair: _mm512_setzero_si512(),
        }
    }

    /// Returns all ones for each byte of the next vector that is an error.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    fn next(&mut self, bytes: __m512i) -> __m512i {
        let other = _mm512_movepi8_mask(bytes);
        let [low, high] = self.classes;
        let class = _mm512_maskz_permutex2var_epi8(other, low, bytes, high);
        let before = _mm512_permutex2var_epi8(self.class, self.back[0], class);
        let pair = select(LEAD | FOUR, before, class);
        let earlier = _mm512_permutex2var_epi8(self.pair, self.back[1], pair);
        (self.class, self.pair) = (class, pair);
        let bits = select(THREE | FOUR, earlier, pair);
        _mm512_permutex2var_epi8(self.faults[0], bits, self.faults[1])
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn load_block(block: &[u8; BLOCK], prefetcher: Prefetcher) -> [__m512i; VECTORS] {
    prefetcher.prefetch(block);
    let (vectors, _) = block.as_chunks();
    [load(&vectors[0]), load(&vectors[1]), load(&vectors[2]), load(&vectors[3])]
}

/// Returns `true` if any byte has its highest bit set.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn any([a, b, c, d]: [__m512i; VECTORS]) -> bool {
    _mm512_movepi8_mask(_mm512_or_si512(_mm512_or_si512(a, b), _mm512_or_si512(c, d))) != 0
}

/// Returns the index of the first byte whose highest bit is set, without a branch.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn first(vectors: [__m512i; VECTORS]) -> usize {
    vectors.into_iter().rev().fold(0, |behind, vector| {
        let clear = _mm512_movepi8_mask(vector).trailing_zeros() as usize;
        clear + clear / LANES * behind
    })
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
pub(super) fn well_formed(bytes: &[u8]) -> usize {
    let mut judge = CarriedState::new();
    // The first vector alone: where errors are dense, the next one is often in it.
    let front = &bytes[..bytes.len().min(LANES)];
    let wrong = _mm512_movepi8_mask(judge.next(load_some(front)));
    if wrong != 0 {
        return boundary(bytes, wrong.trailing_zeros() as usize);
    }
    let mut at = front.len();
    // True if a sequence may reach beyond `at`.
    let mut is_open = true;
    let prefetcher = Prefetcher::new();
    let (blocks, rest) = bytes[at..].as_chunks();
    for block in blocks {
        let [a, b, c, d] = load_block(block, prefetcher);
        if any([a, b, c, d]) {
            is_open = true;
            let wrong = [judge.next(a), judge.next(b), judge.next(c), judge.next(d)];
            if any(wrong) {
                return boundary(bytes, at + first(wrong));
            }
        } else if std::mem::take(&mut is_open) {
            let start = boundary(bytes, at);
            if start < at {
                return start;
            }
            (judge.class, judge.pair) = (_mm512_setzero_si512(), _mm512_setzero_si512());
        }
        at += BLOCK;
    }
    for some in rest.chunks(LANES) {
        // The padding is ASCII, so a sequence that the end cuts is an error there.
        let wrong = _mm512_movepi8_mask(judge.next(load_some(some)));
        if wrong != 0 {
            return boundary(bytes, at + wrong.trailing_zeros() as usize);
        }
        at += some.len();
    }
    boundary(bytes, at)
}

#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn all_ascii(bytes: &[u8]) -> usize {
    let prefetcher = Prefetcher::new();
    let (blocks, _) = bytes.as_chunks();
    let mut at =
        BLOCK * blocks.iter().take_while(|block| !any(load_block(block, prefetcher))).count();
    for some in bytes[at..].chunks(LANES) {
        let other = _mm512_movepi8_mask(load_some(some));
        if other != 0 {
            return at + other.trailing_zeros() as usize;
        }
        at += some.len();
    }
    at
}
