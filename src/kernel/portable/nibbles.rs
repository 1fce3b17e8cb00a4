//! Sets that are looked up by half bytes, with AVX2 where the CPU has it.

use crate::kernel::ascii_set::AsciiSet;
use crate::kernel::filter::SequenceFilter;

pub(super) fn skip(bytes: &[u8], filter: &SequenceFilter) -> usize {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the CPU has the instructions.
        return unsafe { avx2::skip(bytes, filter) };
    }
    filter.find_in_blocks(bytes)
}

pub(super) fn write_ascii(values: &[u32], set: &AsciiSet, out: &mut Vec<u8>) -> usize {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the CPU has the instructions.
        return unsafe { avx2::write_ascii(values, set, out) };
    }
    set.write_by_lookup(values, out)
}

#[cfg(target_arch = "x86_64")]
pub(super) mod avx2 {
    use std::arch::x86_64::*;

    use crate::kernel::ascii_set::{AsciiSet, NibbleTables};
    use crate::kernel::filter::{EXAMINED, SequenceFilter};

    /// Bytes in a vector.
    pub const LANES: usize = size_of::<__m256i>();

    #[target_feature(enable = "avx2")]
    pub fn skip(bytes: &[u8], filter: &SequenceFilter) -> usize {
        let ascii = tables(&filter.ascii.0);
        let [firsts, seconds, thirds] = filter.boxes.each_ref().map(|halves| tables(halves));
        filter.find_among(bytes, |lanes: [&[u8; LANES]; EXAMINED]| {
            let [first, second, third] = lanes.map(|bytes| load(bytes));
            let mut found = look_up(ascii, first);
            if _mm256_movemask_epi8(first) != 0 {
                let both = _mm256_and_si256(look_up(firsts, first), look_up(seconds, second));
                let all = _mm256_and_si256(both, look_up(thirds, third));
                found = _mm256_or_si256(found, all);
            }
            mask(found)
        })
    }

    #[target_feature(enable = "avx2")]
    pub fn write_ascii(values: &[u32], set: &AsciiSet, out: &mut Vec<u8>) -> usize {
        let tables = tables(&set.0);
        // Packing permutes the 128-bit lanes of both vectors.
        let order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
        let limit = _mm256_set1_epi32(0xFF);
        set.write_blocks(values, out, |block: &[u32; LANES]| {
            // Values beyond a byte become FF.
            let [a, b, c, d] = load_values(block).map(|some| _mm256_min_epu32(some, limit));
            let bytes = _mm256_packus_epi16(_mm256_packs_epi32(a, b), _mm256_packs_epi32(c, d));
            let bytes = _mm256_permutevar8x32_epi32(bytes, order);
            (store(bytes), mask(look_up(tables, bytes)))
        })
    }

    /// Returns a bit for each byte that is not 0.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn mask(bytes: __m256i) -> u64 {
        let zeros = _mm256_cmpeq_epi8(bytes, _mm256_setzero_si256());
        (!_mm256_movemask_epi8(zeros)).cast_unsigned().into()
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn load_values(values: &[u32; LANES]) -> [__m256i; 4] {
        // SAFETY: the array has the size of the vectors, which may be unaligned.
        unsafe { values.as_ptr().cast::<[__m256i; 4]>().read_unaligned() }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn store(bytes: __m256i) -> [u8; LANES] {
        let mut room = [0; LANES];
        // SAFETY: the array has the size of a vector.
        unsafe { _mm256_storeu_si256(room.as_mut_ptr().cast(), bytes) };
        room
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub fn load(bytes: &[u8; LANES]) -> __m256i {
        // SAFETY: the array has the size of a vector.
        unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub fn tables(halves: &NibbleTables) -> [__m256i; 2] {
        // SAFETY: each table has the size of a vector.
        let table = |table: &[u8; 16]| unsafe { _mm_loadu_si128(table.as_ptr().cast()) };
        halves.each_ref().map(|half| _mm256_broadcastsi128_si256(table(half)))
    }

    /// Returns the bits that both halves of each byte have in their tables.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub fn look_up([lower, upper]: [__m256i; 2], bytes: __m256i) -> __m256i {
        let half = _mm256_set1_epi8(0xF);
        let lower = _mm256_shuffle_epi8(lower, _mm256_and_si256(bytes, half));
        let bytes = _mm256_srli_epi16::<4>(bytes);
        _mm256_and_si256(lower, _mm256_shuffle_epi8(upper, _mm256_and_si256(bytes, half)))
    }
}
