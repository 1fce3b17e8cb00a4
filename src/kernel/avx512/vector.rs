//! What is in a vector, and how does it get there and out again?

use std::arch::x86_64::*;

/// How many bytes are in a vector.
pub const LANES: usize = size_of::<__m512i>();
/// How many UTF-16 units are in a vector.
pub const UNITS: usize = LANES / size_of::<u16>();
/// How many code points are in a vector.
pub const VALUES: usize = LANES / size_of::<u32>();

/// Room for a vector of code points.
pub type ValueBlock = [u32; VALUES];

/// The mask of the first so many lanes.
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

/// Up to a vector of bytes, and zeros behind them.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub fn load_some(bytes: &[u8]) -> __m512i {
    if let Some(all) = bytes.first_chunk() {
        return load(all);
    }
    // SAFETY: the mask has a bit for each byte of the slice and none behind it.
    unsafe { _mm512_maskz_loadu_epi8(lanes(bytes.len()), bytes.as_ptr().cast()) }
}

/// As many bytes of a vector as there is room for.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub fn save_some(room: &mut [u8], bytes: __m512i) {
    if let Some(all) = room.first_chunk_mut::<LANES>() {
        // SAFETY: the array has the size of a vector.
        return unsafe { _mm512_storeu_si512(all.as_mut_ptr().cast(), bytes) };
    }
    // SAFETY: the mask has a bit for each byte of the room and none behind it.
    unsafe { _mm512_mask_storeu_epi8(room.as_mut_ptr().cast(), lanes(room.len()), bytes) }
}

#[inline]
#[target_feature(enable = "avx512f")]
pub fn load_units(units: &[u16; UNITS]) -> __m512i {
    // SAFETY: the array has the size of a vector.
    unsafe { _mm512_loadu_si512(units.as_ptr().cast()) }
}

/// As many vectors as there are.
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

/// Code points, filled up with zeros.
#[inline]
pub fn padded<const N: usize>(values: &[u32]) -> [u32; N] {
    let mut padded = [0; N];
    padded[..values.len()].copy_from_slice(values);
    padded
}

/// The lower half of a vector, and the upper.
#[inline]
#[target_feature(enable = "avx512f")]
pub fn halves(vector: __m512i) -> [__m256i; 2] {
    [_mm512_castsi512_si256(vector), _mm512_extracti64x4_epi64::<1>(vector)]
}

/// The four quarters of a vector.
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

/// Units as code points.
#[inline]
#[target_feature(enable = "avx512f")]
pub fn widen(units: __m512i) -> [__m512i; 2] {
    let [low, high] = halves(units);
    [_mm512_cvtepu16_epi32(low), _mm512_cvtepu16_epi32(high)]
}

/// Code points below U+10000 as units.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub fn narrow([one, other]: [__m512i; 2]) -> __m512i {
    // Packing mixes the quarters of the two.
    let order = _mm512_set_epi64(7, 5, 3, 1, 6, 4, 2, 0);
    _mm512_permutexvar_epi64(order, _mm512_packus_epi32(one, other))
}

/// These bits of one, the other bits of the other.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub fn select(bits: u8, one: __m512i, other: __m512i) -> __m512i {
    const A_THEN_B_ELSE_C: i32 = 0b1100_1010;
    let bits = _mm512_set1_epi8(bits.cast_signed());
    _mm512_ternarylogic_epi32::<A_THEN_B_ELSE_C>(bits, one, other)
}

/// The larger of two values in each lane.
#[inline]
#[target_feature(enable = "avx512f")]
pub fn largest([one, other]: [__m512i; 2]) -> __m512i {
    _mm512_max_epu32(one, other)
}

/// Whether all values are below a limit.
#[inline]
#[target_feature(enable = "avx512f")]
pub fn below(limit: u32, values: __m512i) -> bool {
    _mm512_cmpge_epu32_mask(values, _mm512_set1_epi32(limit.cast_signed())) == 0
}

/// How many of the first so many code points are in front of one that is no scalar value?
#[inline]
#[target_feature(enable = "avx512f,bmi1")]
pub fn scalars(values: __m512i, number: usize) -> usize {
    let above = |limit: u32| {
        let limit = _mm512_set1_epi32(limit.cast_signed());
        _mm512_cmpgt_epu32_mask(values, limit)
    };
    let from_surrogates = _mm512_sub_epi32(values, _mm512_set1_epi32(0xD800));
    let surrogates = _mm512_cmplt_epu32_mask(from_surrogates, _mm512_set1_epi32(0x800));
    number.min((above(char::MAX.into()) | surrogates).trailing_zeros() as usize)
}

/// What is free behind a text.
pub struct SpareCapacity<'a> {
    text: &'a mut Vec<u8>,
    /// How much of it has been written.
    len: usize,
}

impl<'a> SpareCapacity<'a> {
    /// Room for so many bytes, and for a vector of which only the first bytes count.
    pub fn new(text: &'a mut Vec<u8>, room: usize) -> SpareCapacity<'a> {
        text.reserve(room + LANES);
        SpareCapacity { text, len: 0 }
    }

    /// Append the first so many bytes of a vector.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub fn push(&mut self, bytes: __m512i, len: usize) {
        let room = &mut self.text.spare_capacity_mut()[self.len..][..LANES];
        // SAFETY: the room has the size of a vector.
        unsafe { _mm512_storeu_si512(room.as_mut_ptr().cast(), bytes) };
        self.len += len.min(LANES);
    }
}

impl Drop for SpareCapacity<'_> {
    fn drop(&mut self) {
        let len = self.text.len() + self.len;
        // SAFETY: each vector was stored whole, the next one right behind what counts of it.
        unsafe { self.text.set_len(len) };
    }
}
