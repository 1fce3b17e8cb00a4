//! SSE4.2 and AVX2.

use std::arch::x86_64::*;

use super::functions;
use super::vector::{Lanes, Vectors, front, instructions};
use crate::kernel::{KernelRow, Kernels, with_functions};

pub const AVX2: KernelRow = KernelRow {
    kernels: Kernels {
        name: "avx2",
        summary: "AVX2 with the instructions for bits",
        functions: with_functions!(functions["avx2,bmi1,bmi2,lzcnt,popcnt", Avx2::new()]),
    },
    is_available: || {
        is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt")
    },
};

pub const SSE: KernelRow = KernelRow {
    kernels: Kernels {
        name: "sse4.2",
        summary: "SSE4.2",
        functions: with_functions!(functions["sse4.2,popcnt", Sse::new()]),
    },
    is_available: || is_x86_feature_detected!("sse4.2") && is_x86_feature_detected!("popcnt"),
};

/// SSE4.2, or AVX with the same vectors.
#[derive(Clone, Copy)]
pub struct Sse(());

impl Sse {
    /// Returns the instructions.
    ///
    /// # Safety
    /// The CPU has SSE4.2.
    #[inline(always)]
    pub const unsafe fn new() -> Sse {
        Sse(())
    }
}

// SAFETY: a vector in memory is an array of its size.
unsafe impl Vectors for Sse {
    type Bytes = __m128i;
    type Memory = Lanes;
    type Single = Sse;
    const PARTS: usize = 1;

    #[inline(always)]
    fn single(self) -> Sse {
        self
    }

    instructions! {
        load(bytes: &[u8]) -> __m128i =
            _mm_loadu_si128(front::<{ size_of::<__m128i>() }>(bytes).as_ptr().cast());
        load_each(part: &Lanes) -> __m128i = Sse(()).load(part);
        store(bytes: __m128i) -> Lanes = {
            let mut room = [0; 16];
            _mm_storeu_si128(room.as_mut_ptr().cast(), bytes);
            room
        };
        and(a: __m128i, b: __m128i) -> __m128i = _mm_and_si128(a, b);
        or(a: __m128i, b: __m128i) -> __m128i = _mm_or_si128(a, b);
        xor(a: __m128i, b: __m128i) -> __m128i = _mm_xor_si128(a, b);
        select(mask: __m128i, a: __m128i, b: __m128i) -> __m128i = _mm_blendv_epi8(b, a, mask);
        splat8(value: u8) -> __m128i = _mm_set1_epi8(value.cast_signed());
        splat16(value: u16) -> __m128i = _mm_set1_epi16(value.cast_signed());
        splat32(value: u32) -> __m128i = _mm_set1_epi32(value.cast_signed());
        less8(a: __m128i, b: __m128i) -> __m128i = _mm_subs_epu8(a, b);
        less_signed8(a: __m128i, b: __m128i) -> __m128i = _mm_subs_epi8(a, b);
        max8(a: __m128i, b: __m128i) -> __m128i = _mm_max_epu8(a, b);
        eq8(a: __m128i, b: __m128i) -> __m128i = _mm_cmpeq_epi8(a, b);
        eq16(a: __m128i, b: __m128i) -> __m128i = _mm_cmpeq_epi16(a, b);
        eq32(a: __m128i, b: __m128i) -> __m128i = _mm_cmpeq_epi32(a, b);
        trails(bytes: __m128i) -> __m128i = _mm_cmplt_epi8(bytes, _mm_set1_epi8(-0x40));
        add16(a: __m128i, b: __m128i) -> __m128i = _mm_add_epi16(a, b);
        add32(a: __m128i, b: __m128i) -> __m128i = _mm_add_epi32(a, b);
        shl16<const N>(a: __m128i) -> __m128i = _mm_slli_epi16::<N>(a);
        shr16<const N>(a: __m128i) -> __m128i = _mm_srli_epi16::<N>(a);
        shl32<const N>(a: __m128i) -> __m128i = _mm_slli_epi32::<N>(a);
        shr32<const N>(a: __m128i) -> __m128i = _mm_srli_epi32::<N>(a);
        apart(bytes: __m128i) -> __m128i = bytes;
        low8(a: __m128i, b: __m128i) -> __m128i = _mm_unpacklo_epi8(a, b);
        high8(a: __m128i, b: __m128i) -> __m128i = _mm_unpackhi_epi8(a, b);
        low16(a: __m128i, b: __m128i) -> __m128i = _mm_unpacklo_epi16(a, b);
        high16(a: __m128i, b: __m128i) -> __m128i = _mm_unpackhi_epi16(a, b);
        narrow16(a: __m128i, b: __m128i) -> __m128i = _mm_packus_epi16(a, b);
        narrow32(a: __m128i, b: __m128i) -> __m128i = _mm_packus_epi32(a, b);
        narrow_ascii(values: [__m128i; 4]) -> __m128i = {
            let [a, b, c, d] = values;
            _mm_packus_epi16(_mm_packus_epi32(a, b), _mm_packus_epi32(c, d))
        };
        narrow_masks(a: __m128i, b: __m128i) -> __m128i = _mm_packs_epi32(a, b);
        shuffle(bytes: __m128i, places: __m128i) -> __m128i = _mm_shuffle_epi8(bytes, places);
        shuffle_low(bytes: __m128i, places: __m128i) -> __m128i = _mm_shuffle_epi8(bytes, places);
        shuffle_part(bytes: __m128i, _part: usize, places: &Lanes) -> Lanes =
            Sse(()).store(_mm_shuffle_epi8(bytes, Sse(()).load(places)));
        bits8(bytes: __m128i) -> u32 = _mm_movemask_epi8(bytes).cast_unsigned();
        bits16(mask: __m128i) -> u32 =
            _mm_movemask_epi8(_mm_packs_epi16(mask, _mm_setzero_si128())).cast_unsigned();
        bits32(mask: __m128i) -> u32 =
            _mm_movemask_ps(_mm_castsi128_ps(mask)).cast_unsigned();
        any(bytes: __m128i) -> bool = _mm_movemask_epi8(bytes) != 0;
        meet(a: __m128i, b: __m128i) -> bool = _mm_testz_si128(a, b) == 0;
    }
}

/// AVX2.
#[derive(Clone, Copy)]
pub struct Avx2(());

impl Avx2 {
    /// Returns the instructions.
    ///
    /// # Safety
    /// The CPU has AVX2.
    #[inline(always)]
    pub const unsafe fn new() -> Avx2 {
        Avx2(())
    }
}

/// Packing takes the parts of two vectors in turn, and interleaving the halves of one.
const IN_ORDER: i32 = 0b11_01_10_00;

// SAFETY: a vector in memory is an array of its size.
unsafe impl Vectors for Avx2 {
    type Bytes = __m256i;
    type Memory = [u8; 32];
    type Single = Sse;
    const PARTS: usize = 2;

    #[inline(always)]
    fn single(self) -> Sse {
        Sse(())
    }

    instructions! {
        load(bytes: &[u8]) -> __m256i =
            _mm256_loadu_si256(front::<{ size_of::<__m256i>() }>(bytes).as_ptr().cast());
        load_each(part: &Lanes) -> __m256i = _mm256_broadcastsi128_si256(Sse(()).load(part));
        store(bytes: __m256i) -> [u8; 32] = {
            let mut room = [0; 32];
            _mm256_storeu_si256(room.as_mut_ptr().cast(), bytes);
            room
        };
        and(a: __m256i, b: __m256i) -> __m256i = _mm256_and_si256(a, b);
        or(a: __m256i, b: __m256i) -> __m256i = _mm256_or_si256(a, b);
        xor(a: __m256i, b: __m256i) -> __m256i = _mm256_xor_si256(a, b);
        select(mask: __m256i, a: __m256i, b: __m256i) -> __m256i =
            _mm256_blendv_epi8(b, a, mask);
        splat8(value: u8) -> __m256i = _mm256_set1_epi8(value.cast_signed());
        splat16(value: u16) -> __m256i = _mm256_set1_epi16(value.cast_signed());
        splat32(value: u32) -> __m256i = _mm256_set1_epi32(value.cast_signed());
        less8(a: __m256i, b: __m256i) -> __m256i = _mm256_subs_epu8(a, b);
        less_signed8(a: __m256i, b: __m256i) -> __m256i = _mm256_subs_epi8(a, b);
        max8(a: __m256i, b: __m256i) -> __m256i = _mm256_max_epu8(a, b);
        eq8(a: __m256i, b: __m256i) -> __m256i = _mm256_cmpeq_epi8(a, b);
        eq16(a: __m256i, b: __m256i) -> __m256i = _mm256_cmpeq_epi16(a, b);
        eq32(a: __m256i, b: __m256i) -> __m256i = _mm256_cmpeq_epi32(a, b);
        trails(bytes: __m256i) -> __m256i =
            _mm256_cmpgt_epi8(_mm256_set1_epi8(-0x40), bytes);
        add16(a: __m256i, b: __m256i) -> __m256i = _mm256_add_epi16(a, b);
        add32(a: __m256i, b: __m256i) -> __m256i = _mm256_add_epi32(a, b);
        shl16<const N>(a: __m256i) -> __m256i = _mm256_slli_epi16::<N>(a);
        shr16<const N>(a: __m256i) -> __m256i = _mm256_srli_epi16::<N>(a);
        shl32<const N>(a: __m256i) -> __m256i = _mm256_slli_epi32::<N>(a);
        shr32<const N>(a: __m256i) -> __m256i = _mm256_srli_epi32::<N>(a);
        apart(bytes: __m256i) -> __m256i = _mm256_permute4x64_epi64::<IN_ORDER>(bytes);
        low8(a: __m256i, b: __m256i) -> __m256i = _mm256_unpacklo_epi8(a, b);
        high8(a: __m256i, b: __m256i) -> __m256i = _mm256_unpackhi_epi8(a, b);
        low16(a: __m256i, b: __m256i) -> __m256i = _mm256_unpacklo_epi16(a, b);
        high16(a: __m256i, b: __m256i) -> __m256i = _mm256_unpackhi_epi16(a, b);
        narrow16(a: __m256i, b: __m256i) -> __m256i =
            _mm256_permute4x64_epi64::<IN_ORDER>(_mm256_packus_epi16(a, b));
        narrow32(a: __m256i, b: __m256i) -> __m256i =
            _mm256_permute4x64_epi64::<IN_ORDER>(_mm256_packus_epi32(a, b));
        narrow_ascii(values: [__m256i; 4]) -> __m256i = {
            let [a, b, c, d] = values;
            let apart = _mm256_packus_epi16(_mm256_packus_epi32(a, b), _mm256_packus_epi32(c, d));
            // Each instruction narrows within halves: one move puts all fours into their order.
            _mm256_permutevar8x32_epi32(apart, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7))
        };
        narrow_masks(a: __m256i, b: __m256i) -> __m256i =
            _mm256_permute4x64_epi64::<IN_ORDER>(_mm256_packs_epi32(a, b));
        shuffle(bytes: __m256i, places: __m256i) -> __m256i =
            _mm256_shuffle_epi8(bytes, places);
        shuffle_low(bytes: __m256i, places: __m256i) -> __m256i =
            _mm256_shuffle_epi8(bytes, places);
        shuffle_part(bytes: __m256i, part: usize, places: &Lanes) -> Lanes =
            Sse(()).shuffle_part(match part {
                0 => _mm256_castsi256_si128(bytes),
                _ => _mm256_extracti128_si256::<1>(bytes),
            }, 0, places);
        bits8(bytes: __m256i) -> u32 = _mm256_movemask_epi8(bytes).cast_unsigned();
        bits16(mask: __m256i) -> u32 =
            _mm256_movemask_epi8(_mm256_packs_epi16(mask, _mm256_setzero_si256()))
                .cast_unsigned();
        bits32(mask: __m256i) -> u32 =
            _mm256_movemask_ps(_mm256_castsi256_ps(mask)).cast_unsigned();
        any(bytes: __m256i) -> bool = _mm256_movemask_epi8(bytes) != 0;
        meet(a: __m256i, b: __m256i) -> bool = _mm256_testz_si256(a, b) == 0;
    }
}
