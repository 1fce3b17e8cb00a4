//! Search for the sequences of a filter, with AVX2 where the CPU has it.

use crate::kernel::filter::SequenceFilter;

pub(super) fn skip(bytes: &[u8], filter: &SequenceFilter) -> usize {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the CPU has the instructions.
        return unsafe { avx2::skip(bytes, filter) };
    }
    filter.find_in_blocks(bytes)
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::*;

    use crate::kernel::filter::{EXAMINED, NibbleTables, SequenceFilter};

    /// Bytes in a vector.
    const LANES: usize = size_of::<__m256i>();

    #[target_feature(enable = "avx2")]
    pub fn skip(bytes: &[u8], filter: &SequenceFilter) -> usize {
        let ascii = tables(&filter.ascii);
        let [firsts, seconds, thirds] = filter.boxes.each_ref().map(|halves| tables(halves));
        let none = _mm256_setzero_si256();
        filter.find_among(bytes, |lanes: [&[u8; LANES]; EXAMINED]| {
            let [first, second, third] = lanes.map(|bytes| load(bytes));
            let mut found = look_up(ascii, first);
            if _mm256_movemask_epi8(first) != 0 {
                let both = _mm256_and_si256(look_up(firsts, first), look_up(seconds, second));
                let all = _mm256_and_si256(both, look_up(thirds, third));
                found = _mm256_or_si256(found, all);
            }
            let missing = _mm256_movemask_epi8(_mm256_cmpeq_epi8(found, none));
            (!missing).cast_unsigned().into()
        })
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn load(bytes: &[u8; LANES]) -> __m256i {
        // SAFETY: the array has the size of a vector.
        unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn tables(halves: &NibbleTables) -> [__m256i; 2] {
        // SAFETY: each table has the size of a vector.
        let table = |table: &[u8; 16]| unsafe { _mm_loadu_si128(table.as_ptr().cast()) };
        halves.each_ref().map(|half| _mm256_broadcastsi128_si256(table(half)))
    }

    /// Returns the bits that both halves of each byte have in their tables.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn look_up([lower, upper]: [__m256i; 2], bytes: __m256i) -> __m256i {
        let half = _mm256_set1_epi8(0xF);
        let lower = _mm256_shuffle_epi8(lower, _mm256_and_si256(bytes, half));
        let bytes = _mm256_srli_epi16::<4>(bytes);
        _mm256_and_si256(lower, _mm256_shuffle_epi8(upper, _mm256_and_si256(bytes, half)))
    }
}
