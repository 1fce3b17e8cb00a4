//! AVX2: search for all ill-formed sequences.

use std::arch::x86_64::*;

use super::nibbles::avx2::{LANES, load, look_up, tables};
use crate::kernel::FaultMark;
use crate::kernel::faults::{self, BARRED, WINDOW, WindowMasks};

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn faults(bytes: &[u8], starts: &mut Vec<u32>) -> usize {
    let barred = BARRED.each_ref().map(|halves| tables(halves));
    faults::find(bytes, starts, |window| examine(window, barred)) as usize
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn fault_marks(bytes: &[u8], marks: &mut Vec<FaultMark>) -> FaultMark {
    let barred = BARRED.each_ref().map(|halves| tables(halves));
    faults::find(bytes, marks, |window| examine(window, barred))
}

#[inline]
#[target_feature(enable = "avx2")]
fn examine(
    window: &[u8; WINDOW],
    [lead, next]: [[__m256i; 2]; 2],
) -> WindowMasks<impl Fn(u8) -> u64 + use<>> {
    let all = |byte: u8| _mm256_set1_epi8(byte.cast_signed());
    // The highest bit of each byte.
    let mask = |halves: [__m256i; 2]| {
        let [low, high] = halves.map(|half| _mm256_movemask_epi8(half).cast_unsigned());
        u64::from(low) | u64::from(high) << LANES
    };
    let halves = [0, LANES];
    let part = |from: usize| load(window[from..].first_chunk().expect("a vector"));
    let bytes = halves.map(part);
    let is_possible = halves.map(|from| {
        let both = _mm256_and_si256(look_up(lead, part(from)), look_up(next, part(from + 1)));
        _mm256_cmpeq_epi8(both, all(0))
    });
    WindowMasks {
        // A saturated difference has the highest bit from the limit on.
        from: move |from: u8| mask(bytes.map(|half| _mm256_subs_epu8(half, all(from - 0x80)))),
        barred: !mask(is_possible),
        line_feeds: mask(bytes.map(|half| _mm256_cmpeq_epi8(half, all(b'\n')))),
    }
}
