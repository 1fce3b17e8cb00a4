//! AVX-512: sets that are looked up by half bytes, 64 bytes at a time.

use std::arch::x86_64::*;

use super::vector::{LANES, VALUES, lanes, load, load_some, load_values, store};
use crate::kernel::ascii_set::{AsciiSet, NibbleTables};
use crate::kernel::byte_set::ByteSet;
use crate::kernel::filter::{EXAMINED, SequenceFilter};

#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn skip(bytes: &[u8], filter: &SequenceFilter) -> usize {
    let ascii = tables(&filter.ascii.0);
    let [firsts, seconds, thirds] = filter.boxes.each_ref().map(|halves| tables(halves));
    filter.find_among(bytes, |lanes: [&[u8; LANES]; EXAMINED]| {
        let [first, second, third] = lanes.map(|bytes| load(bytes));
        let found = look_up(ascii, first);
        let found = _mm512_test_epi8_mask(found, found);
        if _mm512_movepi8_mask(first) == 0 {
            return found;
        }
        let both = _mm512_and_si512(look_up(firsts, first), look_up(seconds, second));
        found | _mm512_test_epi8_mask(both, look_up(thirds, third))
    })
}

#[target_feature(enable = "avx512f,avx512bw,bmi1")]
pub(super) fn before_any(bytes: &[u8], set: &ByteSet) -> usize {
    let [lower, upper] = set.tables.each_ref().map(|halves| tables(halves));
    let mut at = 0;
    for some in bytes.chunks(LANES) {
        let vector = load_some(some);
        let found = _mm512_or_si512(look_up(lower, vector), look_up(upper, vector));
        let members = _mm512_test_epi8_mask(found, found) & lanes(some.len());
        if members != 0 {
            return at + members.trailing_zeros() as usize;
        }
        at += some.len();
    }
    at
}

#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn write_ascii(values: &[u32], set: &AsciiSet, out: &mut Vec<u8>) -> usize {
    let tables = tables(&set.0);
    set.write_blocks(values, out, |block: &[u32; LANES]| {
        // Values beyond a byte become FF.
        let [a, b, c, d] =
            load_values::<{ LANES / VALUES }, _>(block).map(|some| _mm512_cvtusepi32_epi8(some));
        let low = _mm512_inserti32x4::<1>(_mm512_castsi128_si512(a), b);
        let bytes = _mm512_inserti32x4::<3>(_mm512_inserti32x4::<2>(low, c), d);
        let found = look_up(tables, bytes);
        (store(bytes), _mm512_test_epi8_mask(found, found))
    })
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn tables(halves: &NibbleTables) -> [__m512i; 2] {
    // SAFETY: each table has the size of a vector.
    let table = |table: &[u8; 16]| unsafe { _mm_loadu_si128(table.as_ptr().cast()) };
    halves.each_ref().map(|half| _mm512_broadcast_i32x4(table(half)))
}

/// Returns the bits that both halves of each byte have in their tables.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn look_up([lower, upper]: [__m512i; 2], bytes: __m512i) -> __m512i {
    let half = _mm512_set1_epi8(0xF);
    let lower = _mm512_shuffle_epi8(lower, _mm512_and_si512(bytes, half));
    let bytes = _mm512_srli_epi16::<4>(bytes);
    _mm512_and_si512(lower, _mm512_shuffle_epi8(upper, _mm512_and_si512(bytes, half)))
}
