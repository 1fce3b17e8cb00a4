//! Validation of UTF-8 and search for bytes that are not ASCII, with vectors.

use std::mem;

use super::nibbles::{look_up, tables};
use super::vector::{MOST_SIZE, Vectors};
use crate::kernel::ascii_set::{NibbleTables, tables_of_pairs};
use crate::kernel::prefetch::{LINE, Prefetcher};
use crate::kernel::{boundary, scalar};

/// Implements [`Kernels::ascii`](crate::kernel::Kernels::ascii).
#[inline(always)]
pub fn ascii<V: Vectors>(v: V, bytes: &[u8]) -> usize {
    let at = ascii_lines(v, bytes, |_| ());
    at + scalar::ascii(&bytes[at..])
}

/// Returns the number of bytes before the first line of the cache that is not ASCII. In a loop with
/// decisions further apart, loads from the L2 cache take longer.
#[inline(always)]
fn ascii_lines<V: Vectors>(v: V, bytes: &[u8], prefetch: impl Fn(&[u8])) -> usize {
    let is_ascii = |line: &&[u8; LINE]| {
        prefetch(&line[..]);
        let vectors = (V::SIZE..LINE).step_by(V::SIZE);
        !v.any(vectors.fold(v.load(&line[..]), |any, at| v.or(any, v.load(&line[at..]))))
    };
    LINE * bytes.as_chunks().0.iter().take_while(is_ascii).count()
}

/// The number of vectors between two decisions in validation. In mixed text, whether fewer are ASCII is
/// a branch that no predictor foresees.
const JUDGED: usize = 8;

/// The least number of bytes that are prefetched from memory. Fewer were mostly copied to the cache
/// just before, where prefetches take time.
const FAR: usize = 1 << 20;

/// The number of bytes before a byte that tell whether it may stand there.
const BEFORE: usize = 3;

/// The tables of a byte and of the next one, by table 3-7 of the Unicode Standard. A bit in both means
/// that no well-formed text has the two bytes in a row, except for the highest: two continuation bytes
/// in a row end at the third or fourth byte of a sequence, and there must be two.
static PAIRS: [NibbleTables; 2] = tables_of_pairs(&[
    [0xFFFF, 0xF000, 0xF0FF], // a lead byte, not before a continuation byte
    [0xFFFF, 0x00FF, 0x0F00], // ASCII before a continuation byte
    [0x0003, 0x1000, 0x0F00], // C0 and C1
    [0x0001, 0x4000, 0x0300], // E0 before 80..9F
    [0x2000, 0x4000, 0x0C00], // ED before A0..BF
    [0xFFE1, 0x8000, 0x0100], // F0 before 80..8F, and F5..FF
    [0xFFF0, 0x8000, 0x0E00], // F4 before 90..BF, and F5..FF
    [0xFFFF, 0x0F00, 0x0F00], // two continuation bytes
]);

/// The tables in vectors.
struct PairTables<V: Vectors> {
    first: [V::Bytes; 2],
    next: V::Bytes,
}

impl<V: Vectors> PairTables<V> {
    #[inline(always)]
    fn new(v: V) -> PairTables<V> {
        let [first, [_, next]] = &PAIRS;
        PairTables { first: tables(v, first), next: v.load_each(next) }
    }

    /// Returns bits for each byte of a vector that may not stand behind those before it. The bytes
    /// begin with these.
    #[inline(always)]
    fn faults(&self, v: V, bytes: &[u8]) -> V::Bytes {
        // Loads of the bytes before: CPUs have more units for loads than for shuffles.
        let (third, second) = (v.load(bytes), v.load(&bytes[1..]));
        let (first, byte) = (v.load(&bytes[2..]), v.load(&bytes[BEFORE..]));
        let upper = v.and(v.shr16::<4>(byte), v.splat8(0xF));
        let pairs = v.and(look_up(v, self.first, first), v.shuffle(self.next, upper));
        // A saturated difference has the highest bit from the limit on.
        let continues =
            v.or(v.less8(second, v.splat8(0xE0 - 0x80)), v.less8(third, v.splat8(0xF0 - 0x80)));
        v.xor(pairs, v.and(continues, v.splat8(0x80)))
    }

    /// Returns the number of bytes of a vector before the first one with [faults](Self::faults).
    #[inline(always)]
    fn sound(&self, v: V, bytes: &[u8]) -> usize {
        let none = v.eq8(self.faults(v, bytes), v.splat8(0));
        (!v.bits8(none)).trailing_zeros() as usize
    }
}

/// Implements [`Kernels::utf8`](crate::kernel::Kernels::utf8).
///
/// This is lookup4 (Keiser and Lemire, "Validating UTF-8 in less than one instruction per byte").
#[inline(always)]
pub fn utf8<V: Vectors>(v: V, bytes: &[u8]) -> usize {
    let Some(first) = bytes.get(..V::SIZE) else { return scalar::utf8(bytes) };
    let pairs = PairTables::new(v);
    // Nothing stands before the first vector.
    let mut front = [0; BEFORE + MOST_SIZE];
    front[BEFORE..][..V::SIZE].copy_from_slice(first);
    let mut at = pairs.sound(v, &front);
    if at < V::SIZE {
        return boundary(bytes, at);
    }
    at = match bytes.len() {
        FAR.. => {
            let prefetcher = Prefetcher::new();
            sound_blocks(v, &pairs, bytes, at, |some| prefetcher.prefetch(some))
        }
        _ => sound_blocks(v, &pairs, bytes, at, |_| ()),
    };
    while let Some(window) = bytes[at - BEFORE..].get(..BEFORE + V::SIZE) {
        let sound = pairs.sound(v, window);
        at += sound;
        if sound < V::SIZE {
            return boundary(bytes, at);
        }
    }
    let start = boundary(bytes, at);
    start + scalar::utf8(&bytes[start..])
}

/// Returns an index before which all is well-formed, but for a sequence that may be incomplete: behind
/// the last block that is, from an index on. Passes the bytes that it reads next to `prefetch`.
#[inline(always)]
fn sound_blocks<V: Vectors>(
    v: V,
    pairs: &PairTables<V>,
    bytes: &[u8],
    mut at: usize,
    prefetch: impl Fn(&[u8]),
) -> usize {
    // True if a sequence may reach beyond `at`.
    let mut is_open = true;
    while let Some(block) = bytes[at - BEFORE..].get(..BEFORE + JUDGED * V::SIZE) {
        prefetch(&block[BEFORE..]);
        let mut all = v.splat8(0);
        for vector in 0..JUDGED {
            all = v.or(all, v.load(&block[BEFORE + vector * V::SIZE..]));
        }
        if v.any(all) {
            let mut faults = v.splat8(0);
            for vector in 0..JUDGED {
                faults = v.or(faults, pairs.faults(v, &block[vector * V::SIZE..]));
            }
            if v.meet(faults, faults) {
                break;
            }
            is_open = true;
            at += JUDGED * V::SIZE;
        } else {
            if mem::take(&mut is_open) && boundary(bytes, at) < at {
                break;
            }
            at += JUDGED * V::SIZE;
            at += ascii_lines(v, &bytes[at..], &prefetch);
        }
    }
    at
}
