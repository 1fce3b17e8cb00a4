//! AVX-512: search for all ill-formed sequences.

use std::arch::x86_64::*;

use super::nibbles::{look_up, tables};
use super::vector::{LANES, load};
use crate::kernel::faults::{self, BARRED, WINDOW, WindowMasks};
use crate::kernel::{FaultBits, FaultMark, FaultMarks};

#[target_feature(enable = "avx512f,avx512bw,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn faults(bytes: &[u8], starts: &mut Vec<u32>) -> usize {
    let barred = barred();
    faults::find(bytes, starts, |window| examine(window, barred)) as usize
}

#[target_feature(enable = "avx512f,avx512bw,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn fault_bits(bytes: &[u8], bits: &mut FaultBits) -> usize {
    let barred = barred();
    faults::find(bytes, bits, |window| examine(window, barred)) as usize
}

#[target_feature(enable = "avx512f,avx512bw,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn fault_marks(bytes: &[u8], marks: &mut FaultMarks) -> FaultMark {
    let barred = barred();
    faults::find(bytes, marks, |window| examine(window, barred))
}

/// Returns the tables of [`BARRED`] in vectors.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn barred() -> [[__m512i; 2]; 2] {
    [tables(&BARRED[0]), tables(&BARRED[1])]
}

/// Returns the masks of a window.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn examine(
    window: &[u8; WINDOW],
    [lead, next]: [[__m512i; 2]; 2],
) -> WindowMasks<impl Fn(u8) -> u64 + use<>> {
    let all = |byte: u8| _mm512_set1_epi8(byte.cast_signed());
    const { assert!(WINDOW == LANES + 1) };
    let bytes = load(window.first_chunk().expect("a vector"));
    let behind = load(window.last_chunk().expect("a vector"));
    WindowMasks {
        from: move |from: u8| _mm512_cmpge_epu8_mask(bytes, _mm512_set1_epi8(from.cast_signed())),
        barred: _mm512_test_epi8_mask(look_up(lead, bytes), look_up(next, behind)),
        line_feeds: _mm512_cmpeq_epi8_mask(bytes, all(b'\n')),
    }
}
