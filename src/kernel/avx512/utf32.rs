//! AVX-512: validation of UTF-32.

use std::arch::x86_64::*;

use super::vector::{LANES, SCALAR_KEYS, below, largest, load_some, scalar_keys, scalars};
use crate::kernel::prefetch::Prefetcher;

/// Converts units between the byte order of a text and that of the CPU.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub fn ordered<const LITTLE: bool>(units: __m512i) -> __m512i {
    let reversed = _mm512_set4_epi32(0x0C0D_0E0F, 0x0809_0A0B, 0x0405_0607, 0x0001_0203);
    if LITTLE { units } else { _mm512_shuffle_epi8(units, reversed) }
}

#[target_feature(enable = "avx512f,avx512bw,bmi1")]
pub fn well_formed(bytes: &[u8], little: bool) -> usize {
    if little { judge::<true>(bytes) } else { judge::<false>(bytes) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,bmi1")]
fn judge<const LITTLE: bool>(bytes: &[u8]) -> usize {
    let mut at = 0;
    let prefetcher = Prefetcher::new();
    while let Some(block) = bytes[at..].first_chunk::<{ 4 * LANES }>() {
        prefetcher.prefetch(block);
        let keys =
            [0, 1, 2, 3].map(|i| scalar_keys(ordered::<LITTLE>(load_some(&block[i * LANES..]))));
        let [a, b, c, d] = keys;
        if !below(SCALAR_KEYS, largest([largest([a, b]), largest([c, d])])) {
            break;
        }
        at += block.len();
    }
    for some in bytes[at..bytes.len() & !3].chunks(LANES) {
        let sound = 4 * scalars(ordered::<LITTLE>(load_some(some)), some.len() / 4);
        at += sound;
        if sound < some.len() {
            break;
        }
    }
    at
}
