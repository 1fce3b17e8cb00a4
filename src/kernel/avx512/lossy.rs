//! AVX-512: replacement of ill-formed sequences where they are dense, 64 bytes at a time.
//!
//! The role of each byte is a bit in masks of 64 bits, so that a handful of shifts finds the maximal
//! subparts of ill-formed sequences (The Unicode Standard, section 3.9).

use std::arch::x86_64::*;

use super::vector::{LANES, SpareCapacity, lanes, load, load_some};
use crate::kernel::{Replaced, scalar};

/// The longest replacement that a vector holds, in bytes.
const LONGEST: usize = LANES;

/// Masks with a bit for each byte of a vector that starts on a sequence boundary.
struct Masks {
    /// Bytes of ill-formed sequences.
    ill: u64,
    /// First bytes of their maximal subparts.
    starts: u64,
    /// Lead bytes of sequences that may continue after the vector.
    open: u64,
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn masks(bytes: __m512i) -> Masks {
    let all = |byte: u8| _mm512_set1_epi8(byte.cast_signed());
    let from = |byte: u8| _mm512_cmpge_epu8_mask(bytes, all(byte));
    let is = |byte: u8| _mm512_cmpeq_epi8_mask(bytes, all(byte));
    let [low, lead2, lead3, lead4, high] = [0x80, 0xC2, 0xE0, 0xF0, 0xF5].map(from);
    let (lead2, lead3, lead4) = (lead2 & !lead3, lead3 & !lead4, lead4 & !high);
    let follows = low & !from(0xC0);
    // Table 3-7: four lead bytes restrict the second byte.
    let (middle, upper) = (from(0x90), from(0xA0));
    let barred = is(0xE0) << 1 & !upper
        | is(0xED) << 1 & upper
        | is(0xF0) << 1 & !middle
        | is(0xF4) << 1 & middle;
    let second = follows & (lead2 | lead3 | lead4) << 1 & !barred;
    let third = follows & second << 1 & (lead3 | lead4) << 2;
    let fourth = follows & third << 1 & lead4 << 3;
    let (two, three) = (second & lead2 << 1, third & lead3 << 2);
    let four = fourth >> 1 | fourth;
    let whole = two | two >> 1 | three | three >> 1 | three >> 2 | four | four >> 2;
    let ill = low & !whole;
    Masks {
        ill,
        starts: ill & !(second | third | fourth),
        open: lead2 & 1 << 63 | lead3 & 0b11 << 62 | lead4 & 0b111 << 61,
    }
}

#[target_feature(enable = "avx512f,avx512bw,bmi1,popcnt")]
pub(super) fn lossy(bytes: &[u8], stand_in: &[u8], text: &mut Vec<u8>) -> Replaced {
    if stand_in.len() > LONGEST {
        return scalar::lossy(bytes, stand_in, text);
    }
    let stand_in = (load_some(stand_in), stand_in.len());
    let (mut at, mut ill_formed) = (0, 0);
    // A whole vector can be loaded from any byte of the first half.
    while let Some(window) = bytes.get(at..at + 2 * LANES) {
        let part = |from: usize| window[from..].first_chunk().map_or(stand_in.0, |part| load(part));
        let Masks { ill, starts, open } = masks(part(0));
        let len = open.trailing_zeros() as usize;
        let mut out = SpareCapacity::new(text, LANES * stand_in.1.max(1));
        let (mut from, mut left) = (0, ill & lanes(len));
        ill_formed += left.count_ones() as usize;
        while left != 0 {
            let place = left.trailing_zeros() as usize;
            out.push(part(from), place - from);
            let starts = (starts >> place & 1) as usize;
            out.push(stand_in.0, starts * stand_in.1);
            from = place + 1;
            left &= left - 1;
        }
        out.push(part(from), len - from);
        at += len;
    }
    Replaced { read: at, ill_formed }
}
