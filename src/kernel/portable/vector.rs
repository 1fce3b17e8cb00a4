//! Vectors of 128 or 256 bits, and the choice of the instructions at run time.

/// Bytes in a vector of 128 bits.
pub const LANES: usize = 16;

/// A vector of 128 bits in memory.
pub type Lanes = [u8; LANES];

/// Declares [`Vectors`].
macro_rules! vectors {
    ($(
        $(#[$doc:meta])*
        $name:ident$(<const $n:ident>)?($($argument:ident: $type:ty),*) -> $result:ty;
    )*) => {
        /// The instructions of a CPU for vectors of one or two parts of 128 bits. A value exists only
        /// where the CPU has them.
        pub trait Vectors: Copy {
            /// A vector.
            type Bytes: Copy;
            /// A vector in memory.
            type Memory: Copy;
            /// The instructions for vectors of one part.
            type Single: Vectors<Memory = Lanes>;
            /// The number of parts of a vector.
            const PARTS: usize;
            /// The size of a vector in bytes.
            const SIZE: usize = LANES * Self::PARTS;
            /// Returns the instructions for vectors of one part.
            fn single(self) -> Self::Single;
            $($(#[$doc])* fn $name$(<const $n: i32>)?(self, $($argument: $type),*) -> $result;)*
        }
    };
}

vectors! {
    /// Loads the bytes at the front, which are at least those of a vector.
    load(bytes: &[u8]) -> Self::Bytes;
    /// Loads the same bytes into each part.
    load_each(part: &Lanes) -> Self::Bytes;
    store(bytes: Self::Bytes) -> Self::Memory;
    and(a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    or(a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    /// Selects `a` where all bits of a byte of the mask are set, and `b` where none is.
    select(mask: Self::Bytes, a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    splat8(value: u8) -> Self::Bytes;
    splat16(value: u16) -> Self::Bytes;
    splat32(value: u32) -> Self::Bytes;
    max8(a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    eq8(a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    eq16(a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    eq32(a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    /// Returns the mask of the continuation bytes of UTF-8.
    trails(bytes: Self::Bytes) -> Self::Bytes;
    add16(a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    add32(a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    shl16<const N>(a: Self::Bytes) -> Self::Bytes;
    shr16<const N>(a: Self::Bytes) -> Self::Bytes;
    shl32<const N>(a: Self::Bytes) -> Self::Bytes;
    shr32<const N>(a: Self::Bytes) -> Self::Bytes;
    /// Moves the bytes so that lower and upper halves of parts have them in order.
    apart(bytes: Self::Bytes) -> Self::Bytes;
    /// Interleaves the lower halves of each part.
    low8(a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    /// Interleaves the upper halves of each part.
    high8(a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    low16(a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    high16(a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    /// Narrows units below 100.
    narrow16(a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    /// Narrows values below 10000.
    narrow32(a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    /// Narrows masks of values.
    narrow_masks(a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    /// Returns the bytes of each part at these places, each below 16, and 0 for the place FF.
    shuffle(bytes: Self::Bytes, places: Self::Bytes) -> Self::Bytes;
    /// Returns the bytes of a part at these places, each below 16.
    shuffle_part(bytes: Self::Bytes, part: usize, places: &Lanes) -> Lanes;
    /// Returns the highest bit of each byte.
    bits8(bytes: Self::Bytes) -> u32;
    /// Returns a bit for each unit of a mask, in eight of the sixteen bits of each part.
    bits16(mask: Self::Bytes) -> u32;
    /// Returns a bit for each value of a mask.
    bits32(mask: Self::Bytes) -> u32;
    /// Returns `true` if any byte has its highest bit.
    any(bytes: Self::Bytes) -> bool;
    /// Returns `true` if the vectors have a bit in common.
    meet(a: Self::Bytes, b: Self::Bytes) -> bool;
}

/// Returns the bytes of a vector at the front.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
#[inline(always)]
fn front<const N: usize>(bytes: &[u8]) -> &[u8; N] {
    bytes.first_chunk().expect("bytes of a vector")
}

/// Implements the functions of [`Vectors`].
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! instructions {
    ($($name:ident$(<const $n:ident>)?($($argument:ident: $type:ty),*) -> $result:ty =
        $body:expr;)*) => {
        $(
            #[inline(always)]
            #[allow(unused_unsafe)] // some need no instruction
            fn $name$(<const $n: i32>)?(self, $($argument: $type),*) -> $result {
                // SAFETY: `self` exists only where the CPU has the instructions. Those that access
                // memory get an array of the size of a vector.
                unsafe { $body }
            }
        )*
    };
}

#[cfg(target_arch = "x86_64")]
pub mod x86 {
    use std::arch::x86_64::*;

    use super::{Lanes, Vectors, front};

    /// SSE4.1, or AVX with the same vectors.
    #[derive(Clone, Copy)]
    pub struct Sse(());

    impl Sse {
        /// Returns the instructions.
        ///
        /// # Safety
        /// The CPU has SSE4.1.
        #[inline(always)]
        pub const unsafe fn new() -> Sse {
            Sse(())
        }
    }

    impl Vectors for Sse {
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
            select(mask: __m128i, a: __m128i, b: __m128i) -> __m128i = _mm_blendv_epi8(b, a, mask);
            splat8(value: u8) -> __m128i = _mm_set1_epi8(value.cast_signed());
            splat16(value: u16) -> __m128i = _mm_set1_epi16(value.cast_signed());
            splat32(value: u32) -> __m128i = _mm_set1_epi32(value.cast_signed());
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
            narrow_masks(a: __m128i, b: __m128i) -> __m128i = _mm_packs_epi32(a, b);
            shuffle(bytes: __m128i, places: __m128i) -> __m128i = _mm_shuffle_epi8(bytes, places);
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

    impl Vectors for Avx2 {
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
            select(mask: __m256i, a: __m256i, b: __m256i) -> __m256i =
                _mm256_blendv_epi8(b, a, mask);
            splat8(value: u8) -> __m256i = _mm256_set1_epi8(value.cast_signed());
            splat16(value: u16) -> __m256i = _mm256_set1_epi16(value.cast_signed());
            splat32(value: u32) -> __m256i = _mm256_set1_epi32(value.cast_signed());
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
            narrow_masks(a: __m256i, b: __m256i) -> __m256i =
                _mm256_permute4x64_epi64::<IN_ORDER>(_mm256_packs_epi32(a, b));
            shuffle(bytes: __m256i, places: __m256i) -> __m256i =
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
}

#[cfg(target_arch = "aarch64")]
pub mod arm {
    use std::arch::aarch64::*;

    use super::{Lanes, Vectors, front};

    /// NEON, which every CPU of this architecture has.
    #[derive(Clone, Copy)]
    pub struct Neon;

    impl Vectors for Neon {
        type Bytes = uint8x16_t;
        type Memory = Lanes;
        type Single = Neon;
        const PARTS: usize = 1;

        #[inline(always)]
        fn single(self) -> Neon {
            self
        }

        instructions! {
            load(bytes: &[u8]) -> uint8x16_t =
                vld1q_u8(front::<{ size_of::<uint8x16_t>() }>(bytes).as_ptr());
            load_each(part: &Lanes) -> uint8x16_t = Neon.load(part);
            store(bytes: uint8x16_t) -> Lanes = {
                let mut room = [0; 16];
                vst1q_u8(room.as_mut_ptr(), bytes);
                room
            };
            and(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t = vandq_u8(a, b);
            or(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t = vorrq_u8(a, b);
            select(mask: uint8x16_t, a: uint8x16_t, b: uint8x16_t) -> uint8x16_t =
                vbslq_u8(mask, a, b);
            splat8(value: u8) -> uint8x16_t = vdupq_n_u8(value);
            splat16(value: u16) -> uint8x16_t = bytes16(vdupq_n_u16(value));
            splat32(value: u32) -> uint8x16_t = bytes32(vdupq_n_u32(value));
            max8(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t = vmaxq_u8(a, b);
            eq8(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t = vceqq_u8(a, b);
            eq16(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t =
                bytes16(vceqq_u16(units(a), units(b)));
            eq32(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t =
                bytes32(vceqq_u32(values(a), values(b)));
            trails(bytes: uint8x16_t) -> uint8x16_t =
                vcltq_s8(vreinterpretq_s8_u8(bytes), vdupq_n_s8(-0x40));
            add16(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t =
                bytes16(vaddq_u16(units(a), units(b)));
            add32(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t =
                bytes32(vaddq_u32(values(a), values(b)));
            shl16<const N>(a: uint8x16_t) -> uint8x16_t = bytes16(vshlq_n_u16::<N>(units(a)));
            shr16<const N>(a: uint8x16_t) -> uint8x16_t = bytes16(vshrq_n_u16::<N>(units(a)));
            shl32<const N>(a: uint8x16_t) -> uint8x16_t = bytes32(vshlq_n_u32::<N>(values(a)));
            shr32<const N>(a: uint8x16_t) -> uint8x16_t = bytes32(vshrq_n_u32::<N>(values(a)));
            apart(bytes: uint8x16_t) -> uint8x16_t = bytes;
            low8(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t = vzip1q_u8(a, b);
            high8(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t = vzip2q_u8(a, b);
            low16(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t =
                bytes16(vzip1q_u16(units(a), units(b)));
            high16(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t =
                bytes16(vzip2q_u16(units(a), units(b)));
            narrow16(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t = vuzp1q_u8(a, b);
            narrow32(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t =
                bytes16(vuzp1q_u16(units(a), units(b)));
            narrow_masks(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t =
                bytes16(vuzp1q_u16(units(a), units(b)));
            shuffle(bytes: uint8x16_t, places: uint8x16_t) -> uint8x16_t =
                vqtbl1q_u8(bytes, places);
            shuffle_part(bytes: uint8x16_t, _part: usize, places: &Lanes) -> Lanes =
                Neon.store(vqtbl1q_u8(bytes, Neon.load(places)));
            bits8(bytes: uint8x16_t) -> u32 = {
                let weights: Lanes = std::array::from_fn(|byte| 1 << (byte % 8));
                let weights = vld1q_u8(weights.as_ptr());
                let high = vreinterpretq_u8_s8(vshrq_n_s8::<7>(vreinterpretq_s8_u8(bytes)));
                let own = vandq_u8(high, weights);
                let halves = vpaddq_u8(own, own);
                let quarters = vpaddq_u8(halves, halves);
                u32::from(vgetq_lane_u16::<0>(units(vpaddq_u8(quarters, quarters))))
            };
            bits16(mask: uint8x16_t) -> u32 = {
                let weights = vld1q_u16([1, 2, 4, 8, 16, 32, 64, 128].as_ptr());
                u32::from(vaddvq_u16(vandq_u16(units(mask), weights)))
            };
            bits32(mask: uint8x16_t) -> u32 = {
                let weights = vld1q_u32([1, 2, 4, 8].as_ptr());
                vaddvq_u32(vandq_u32(values(mask), weights))
            };
            any(bytes: uint8x16_t) -> bool = vmaxvq_u8(bytes) >= 0x80;
            meet(a: uint8x16_t, b: uint8x16_t) -> bool = vmaxvq_u8(vandq_u8(a, b)) != 0;
        }
    }

    #[inline(always)]
    fn units(bytes: uint8x16_t) -> uint16x8_t {
        // SAFETY: every CPU has the instruction.
        unsafe { vreinterpretq_u16_u8(bytes) }
    }

    #[inline(always)]
    fn values(bytes: uint8x16_t) -> uint32x4_t {
        // SAFETY: every CPU has the instruction.
        unsafe { vreinterpretq_u32_u8(bytes) }
    }

    #[inline(always)]
    fn bytes16(units: uint16x8_t) -> uint8x16_t {
        // SAFETY: every CPU has the instruction.
        unsafe { vreinterpretq_u8_u16(units) }
    }

    #[inline(always)]
    fn bytes32(values: uint32x4_t) -> uint8x16_t {
        // SAFETY: every CPU has the instruction.
        unsafe { vreinterpretq_u8_u32(values) }
    }
}

/// Defines functions that call one with the [`Vectors`] of this CPU. Where there are none, they
/// return the default of their type.
macro_rules! with_vectors {
    ($($(#[$doc:meta])* fn $name:ident($($argument:ident: $type:ty),*) -> $result:ty =
        $call:path;)*) => {
        $(
            $(#[$doc])*
            #[cfg(target_arch = "x86_64")]
            pub fn $name($($argument: $type),*) -> $result {
                use crate::kernel::portable::vector::x86::{Avx2, Sse};

                #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
                fn with_avx2($($argument: $type),*) -> $result {
                    // SAFETY: the function requires it.
                    $call(unsafe { Avx2::new() }, $($argument),*)
                }

                #[target_feature(enable = "sse4.1,popcnt")]
                fn with_sse($($argument: $type),*) -> $result {
                    // SAFETY: the function requires it.
                    $call(unsafe { Sse::new() }, $($argument),*)
                }

                if is_x86_feature_detected!("avx2")
                    && is_x86_feature_detected!("bmi1")
                    && is_x86_feature_detected!("bmi2")
                    && is_x86_feature_detected!("popcnt")
                {
                    // SAFETY: the CPU has the instructions.
                    unsafe { with_avx2($($argument),*) }
                } else if is_x86_feature_detected!("sse4.1") && is_x86_feature_detected!("popcnt") {
                    // SAFETY: the CPU has the instructions.
                    unsafe { with_sse($($argument),*) }
                } else {
                    Default::default()
                }
            }

            $(#[$doc])*
            #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
            pub fn $name($($argument: $type),*) -> $result {
                $call(crate::kernel::portable::vector::arm::Neon, $($argument),*)
            }

            $(#[$doc])*
            #[cfg(not(any(
                target_arch = "x86_64",
                all(target_arch = "aarch64", target_endian = "little")
            )))]
            pub fn $name($(_: $type),*) -> $result {
                Default::default()
            }
        )*
    };
}

pub(super) use with_vectors;
