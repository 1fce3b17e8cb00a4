//! Sets that are looked up by half bytes, with vectors.

use super::vector::Vectors;
use crate::kernel::ascii_set::{AsciiSet, NibbleTables};
use crate::kernel::byte_set::ByteSet;
use crate::kernel::filter::{EXAMINED, SequenceFilter};
use crate::kernel::{bytes_of, scalar};

/// The number of bytes or values between two decisions.
const BLOCK: usize = 32;

/// Implements [`Kernels::skip`](crate::kernel::Kernels::skip).
#[inline(always)]
pub fn skip<V: Vectors>(v: V, bytes: &[u8], filter: &SequenceFilter) -> usize {
    let ascii = tables(v, &filter.ascii.0);
    let [firsts, seconds, thirds] = filter.boxes.each_ref().map(|halves| tables(v, halves));
    filter.find_among(bytes, |lanes: [&[u8; BLOCK]; EXAMINED]| {
        mask(v, |at| {
            let [first, second, third] = lanes.map(|bytes| v.load(&bytes[at..]));
            let found = look_up(v, ascii, first);
            if !v.any(first) {
                return found;
            }
            let both = v.and(look_up(v, firsts, first), look_up(v, seconds, second));
            v.or(found, v.and(both, look_up(v, thirds, third)))
        })
    })
}

/// Implements [`Kernels::before_any`](crate::kernel::Kernels::before_any).
#[inline(always)]
pub fn before_any<V: Vectors>(v: V, bytes: &[u8], set: &ByteSet) -> usize {
    let [lower, upper] = set.tables.each_ref().map(|halves| tables(v, halves));
    let has_none = |some: &&[u8]| {
        let bytes = v.load(some);
        let found = v.or(look_up(v, lower, bytes), look_up(v, upper, bytes));
        !v.meet(found, found)
    };
    let vectors = V::SIZE * bytes.chunks_exact(V::SIZE).take_while(has_none).count();
    vectors + scalar::before_any(&bytes[vectors..], set)
}

/// Implements [`Kernels::write_ascii`](crate::kernel::Kernels::write_ascii).
#[inline(always)]
pub fn write_ascii<V: Vectors>(v: V, values: &[u32], set: &AsciiSet, out: &mut Vec<u8>) -> usize {
    let tables = tables(v, &set.0);
    let (beyond_ascii, other) = (v.splat32(!0x7F), v.splat32(0xFF));
    set.write_blocks(values, out, |block: &[u32; BLOCK]| {
        // Values beyond ASCII become FF.
        let load = |vector: usize| {
            let values = v.load(&bytes_of(block)[vector * V::SIZE..]);
            let is_ascii = v.eq32(v.and(values, beyond_ascii), v.splat8(0));
            v.select(is_ascii, values, other)
        };
        let narrow = |vector: usize| v.narrow32(load(vector), load(vector + 1));
        let bytes = |at: usize| {
            let vector = 4 * at / V::SIZE;
            v.narrow16(narrow(vector), narrow(vector + 2))
        };
        let mut narrowed = [0; BLOCK];
        for at in (0..BLOCK).step_by(V::SIZE) {
            narrowed[at..at + V::SIZE].copy_from_slice(v.store(bytes(at)).as_ref());
        }
        (narrowed, mask(v, |at| look_up(v, tables, v.load(&narrowed[at..]))))
    })
}

/// Returns a bit for each byte of the vectors at these places of a block that is not 0.
#[inline(always)]
fn mask<V: Vectors>(v: V, bytes: impl Fn(usize) -> V::Bytes) -> u64 {
    let zeros = |at: usize| u64::from(v.bits8(v.eq8(bytes(at), v.splat8(0))));
    let zeros = (0..BLOCK).step_by(V::SIZE).fold(0, |mask, at| mask | zeros(at) << at);
    !zeros & u64::MAX >> (u64::BITS as usize - BLOCK)
}

#[inline(always)]
pub fn tables<V: Vectors>(v: V, halves: &NibbleTables) -> [V::Bytes; 2] {
    halves.each_ref().map(|half| v.load_each(half))
}

/// Returns the bits that both halves of each byte have in their tables.
#[inline(always)]
pub fn look_up<V: Vectors>(v: V, [lower, upper]: [V::Bytes; 2], bytes: V::Bytes) -> V::Bytes {
    let half = v.splat8(0xF);
    let lower = v.shuffle(lower, v.and(bytes, half));
    v.and(lower, v.shuffle(upper, v.and(v.shr16::<4>(bytes), half)))
}
