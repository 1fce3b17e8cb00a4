//! AVX-512: vectors, loads and stores.

use std::arch::x86_64::*;

use crate::kernel::SpareRoom;

/// Bytes in a vector.
pub const LANES: usize = size_of::<__m512i>();
/// UTF-16 units in a vector.
pub const UNITS: usize = LANES / size_of::<u16>();
/// Code points in a vector.
pub const VALUES: usize = LANES / size_of::<u32>();

/// A vector of code points in memory.
pub type ValueBlock = [u32; VALUES];

/// Returns the mask of the first `number` lanes.
#[inline]
pub fn lanes(number: usize) -> u64 {
    u64::MAX.unbounded_shr(LANES.saturating_sub(number) as u32)
}

#[inline]
#[target_feature(enable = "avx512f")]
pub fn load(bytes: &[u8; LANES]) -> __m512i {
    // SAFETY: the array has the size of a vector.
    unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
}

/// Loads up to a vector of bytes, padded with zeros.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub fn load_some(bytes: &[u8]) -> __m512i {
    if let Some(all) = bytes.first_chunk() {
        return load(all);
    }
    // SAFETY: the mask has a bit for each byte of the slice and no other.
    unsafe { _mm512_maskz_loadu_epi8(lanes(bytes.len()), bytes.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f")]
pub fn store(bytes: __m512i) -> [u8; LANES] {
    let mut room = [0; LANES];
    // SAFETY: the array has the size of a vector.
    unsafe { _mm512_storeu_si512(room.as_mut_ptr().cast(), bytes) };
    room
}

#[inline]
#[target_feature(enable = "avx512f")]
pub fn load_units(units: &[u16; UNITS]) -> __m512i {
    // SAFETY: the array has the size of a vector.
    unsafe { _mm512_loadu_si512(units.as_ptr().cast()) }
}

/// Loads `N` vectors.
#[inline]
#[target_feature(enable = "avx512f")]
pub fn load_values<const N: usize, const M: usize>(values: &[u32; M]) -> [__m512i; N] {
    const { assert!(M == N * VALUES) };
    // SAFETY: the array has the size of the vectors, which may be unaligned.
    unsafe { values.as_ptr().cast::<[__m512i; N]>().read_unaligned() }
}

#[inline]
#[target_feature(enable = "avx512f")]
pub fn save_values(room: &mut ValueBlock, values: __m512i) {
    // SAFETY: the room has the size of a vector.
    unsafe { _mm512_storeu_si512(room.as_mut_ptr().cast(), values) }
}

/// Loads up to a vector of code points, padded with zeros.
#[inline]
pub fn padded<const N: usize>(values: &[u32]) -> [u32; N] {
    let mut padded = [0; N];
    padded[..values.len()].copy_from_slice(values);
    padded
}

/// Returns the lower and the upper half of a vector.
#[inline]
#[target_feature(enable = "avx512f")]
pub fn halves(vector: __m512i) -> [__m256i; 2] {
    [_mm512_castsi512_si256(vector), _mm512_extracti64x4_epi64::<1>(vector)]
}

/// Returns the four 128-bit lanes of a vector.
#[inline]
#[target_feature(enable = "avx512f")]
pub fn quarters(vector: __m512i) -> [__m128i; 4] {
    [
        _mm512_castsi512_si128(vector),
        _mm512_extracti32x4_epi32::<1>(vector),
        _mm512_extracti32x4_epi32::<2>(vector),
        _mm512_extracti32x4_epi32::<3>(vector),
    ]
}

/// Widens units to code points.
#[inline]
#[target_feature(enable = "avx512f")]
pub fn widen(units: __m512i) -> [__m512i; 2] {
    let [low, high] = halves(units);
    [_mm512_cvtepu16_epi32(low), _mm512_cvtepu16_epi32(high)]
}

/// Narrows code points below U+10000 to units.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub fn narrow([one, other]: [__m512i; 2]) -> __m512i {
    // Packing permutes the 128-bit lanes of both.
    let order = _mm512_set_epi64(7, 5, 3, 1, 6, 4, 2, 0);
    _mm512_permutexvar_epi64(order, _mm512_packus_epi32(one, other))
}

/// Narrows units below 100 to bytes.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub fn narrow_units([one, other]: [__m512i; 2]) -> __m512i {
    // Packing permutes the 128-bit lanes of both.
    let order = _mm512_set_epi64(7, 5, 3, 1, 6, 4, 2, 0);
    _mm512_permutexvar_epi64(order, _mm512_packus_epi16(one, other))
}

/// Makes units of the low bytes and the high ones.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub fn interleave(low: __m512i, high: __m512i) -> [__m512i; 2] {
    // Interleaving permutes the 128-bit lanes.
    let order = _mm512_set_epi64(7, 3, 6, 2, 5, 1, 4, 0);
    let [low, high] = [low, high].map(|plane| _mm512_permutexvar_epi64(order, plane));
    [_mm512_unpacklo_epi8(low, high), _mm512_unpackhi_epi8(low, high)]
}

/// Selects `bits` from one vector and the other bits from the other.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub fn select(bits: u8, one: __m512i, other: __m512i) -> __m512i {
    const A_THEN_B_ELSE_C: i32 = 0b1100_1010;
    let bits = _mm512_set1_epi8(bits.cast_signed());
    _mm512_ternarylogic_epi32::<A_THEN_B_ELSE_C>(bits, one, other)
}

/// Returns the larger of two values in each lane.
#[inline]
#[target_feature(enable = "avx512f")]
pub fn largest([one, other]: [__m512i; 2]) -> __m512i {
    _mm512_max_epu32(one, other)
}

/// Returns `true` if all values are below a limit.
#[inline]
#[target_feature(enable = "avx512f")]
pub fn below(limit: u32, values: __m512i) -> bool {
    _mm512_cmpge_epu32_mask(values, _mm512_set1_epi32(limit.cast_signed())) == 0
}

/// The [keys](scalar_keys) of scalar values are below this.
pub const SCALAR_KEYS: u32 = 0x11_0000 - 0x800;

/// Moves surrogates beyond all other values, and these to the front.
#[inline]
#[target_feature(enable = "avx512f")]
pub fn scalar_keys(values: __m512i) -> __m512i {
    let surrogates_first = _mm512_xor_si512(values, _mm512_set1_epi32(0xD800));
    _mm512_sub_epi32(surrogates_first, _mm512_set1_epi32(0x800))
}

/// Returns the number of values at the front, of the first `number`, that are scalar values.
#[inline]
#[target_feature(enable = "avx512f,bmi1")]
pub fn scalars(values: __m512i, number: usize) -> usize {
    let limit = _mm512_set1_epi32(SCALAR_KEYS.cast_signed());
    let others = _mm512_cmpge_epu32_mask(scalar_keys(values), limit);
    number.min(others.trailing_zeros() as usize)
}

/// Spare capacity at the end of a text, to be filled vector by vector.
pub struct SpareCapacity<'a>(SpareRoom<'a>);

impl<'a> SpareCapacity<'a> {
    /// Reserves `most` bytes, and a vector more, because vectors are stored whole.
    pub fn new(text: &'a mut Vec<u8>, most: usize) -> SpareCapacity<'a> {
        SpareCapacity(SpareRoom::new(text, most + LANES))
    }

    /// Appends the first `len` bytes of a vector.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub fn push(&mut self, bytes: __m512i, len: usize) {
        self.0.push(store(bytes), len);
    }

    /// Appends whole vectors.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub fn push_all<const N: usize>(&mut self, vectors: [__m512i; N]) {
        // SAFETY: there is room for the vectors, and all bytes of them are written.
        unsafe {
            let start = self.0.take(N * LANES, N * LANES).cast::<[__m512i; N]>();
            start.write_unaligned(vectors);
        }
    }
}
