//! AVX-512: bytes as binary or hexadecimal digits.
//!
//! A vector of bytes becomes as many vectors as a cell has lanes.

use std::arch::x86_64::*;

use super::vector::{LANES, load, load_some, save_some};

/// Returns, for each lane, the index of its byte, in cells of `N` lanes.
const fn owners<const N: usize>() -> [[u8; LANES]; N] {
    let mut owners = [[0; LANES]; N];
    let mut lane = 0;
    while lane < N * LANES {
        owners[lane / LANES][lane % LANES] = (lane / N) as u8;
        lane += 1;
    }
    owners
}

/// Returns the masks of the lanes at one place of their cells.
const fn places<const N: usize>(place: usize) -> [u64; N] {
    let mut masks = [0; N];
    let mut lane = place;
    while lane < N * LANES {
        masks[lane / LANES] |= 1 << (lane % LANES);
        lane += N;
    }
    masks
}

/// The bit of its byte that each lane shows; none in the lane before the digits.
static BITS: [[u8; LANES]; 9] = {
    let mut bits = [[0; LANES]; 9];
    let mut lane = 0;
    while lane < 9 * LANES {
        bits[lane / LANES][lane % LANES] = (0x100 >> (lane % 9)) as u8;
        lane += 1;
    }
    bits
};

/// Returns the mark before the digits of each byte.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn marks(bytes: __m512i) -> __m512i {
    // 80..=BF are the smallest signed values.
    let trails = _mm512_cmplt_epi8_mask(bytes, _mm512_set1_epi8(0xC0_u8.cast_signed()));
    let [blank, point] = [b' ', b'.'].map(u8::cast_signed);
    _mm512_mask_mov_epi8(_mm512_set1_epi8(blank), trails, _mm512_set1_epi8(point))
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
pub fn bits(bytes: &[u8], cells: &mut [[u8; 9]]) {
    static OWNERS: [[u8; LANES]; 9] = owners();
    const MARKS: [u64; 9] = places(0);
    let [zero, one] = [b'0', b'1'].map(u8::cast_signed);
    let [zero, one] = [_mm512_set1_epi8(zero), _mm512_set1_epi8(one)];
    for (some, cells) in bytes.chunks(LANES).zip(cells.chunks_mut(LANES)) {
        let bytes = load_some(some);
        let marks = marks(bytes);
        let rooms = cells.as_flattened_mut().chunks_mut(LANES);
        for (at, room) in rooms.enumerate() {
            let owners = load(&OWNERS[at]);
            let bytes = _mm512_permutexvar_epi8(owners, bytes);
            let ones = _mm512_test_epi8_mask(bytes, load(&BITS[at]));
            let digits = _mm512_mask_mov_epi8(zero, ones, one);
            save_some(room, _mm512_mask_permutexvar_epi8(digits, MARKS[at], owners, marks));
        }
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
pub fn hex(bytes: &[u8], digits: &[u8; 16], cells: &mut [[u8; 3]]) {
    static OWNERS: [[u8; LANES]; 3] = owners();
    const HIGHS: [u64; 3] = places(1);
    const LOWS: [u64; 3] = places(2);
    let (digits, nibble) = (load_some(digits), _mm512_set1_epi8(0xF));
    for (some, cells) in bytes.chunks(LANES).zip(cells.chunks_mut(LANES)) {
        let bytes = load_some(some);
        let marks = marks(bytes);
        let high = _mm512_and_si512(_mm512_srli_epi16::<4>(bytes), nibble);
        let high = _mm512_permutexvar_epi8(high, digits);
        let low = _mm512_permutexvar_epi8(_mm512_and_si512(bytes, nibble), digits);
        let rooms = cells.as_flattened_mut().chunks_mut(LANES);
        for (at, room) in rooms.enumerate() {
            let owners = load(&OWNERS[at]);
            let vector = _mm512_permutexvar_epi8(owners, marks);
            let vector = _mm512_mask_permutexvar_epi8(vector, HIGHS[at], owners, high);
            save_some(room, _mm512_mask_permutexvar_epi8(vector, LOWS[at], owners, low));
        }
    }
}
