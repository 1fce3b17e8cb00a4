//! AVX-512: reading of code pages, and writing of their characters as UTF-8.

use std::arch::x86_64::*;

use super::utf8::Utf8Encoder;
use super::vector::{
    LANES, SpareCapacity, UNITS, VALUES, interleave, lanes, load, load_some, load_units,
    save_values, widen,
};
use crate::kernel::PageChars;
use crate::kernel::prefetch::Prefetcher;

/// A table of 256 bytes, as two halves for one lookup each.
type PageVectors = [[__m512i; 2]; 2];

/// Returns the low bytes of the code points of `bytes`, or the high ones.
#[inline]
#[target_feature(enable = "avx512f,avx512vbmi")]
fn table(points: &[u16; 256], significance: u8) -> PageVectors {
    let every_other = load(&std::array::from_fn(|i| 2 * i as u8 + significance));
    let (units, _) = points.as_chunks();
    let bytes = |at: usize| {
        let [one, other] = [load_units(&units[at]), load_units(&units[at + 1])];
        _mm512_permutex2var_epi8(one, every_other, other)
    };
    [[bytes(0), bytes(2)], [bytes(4), bytes(6)]]
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn look_up([lower, upper]: PageVectors, bytes: __m512i) -> __m512i {
    let found = _mm512_permutex2var_epi8(lower[0], bytes, lower[1]);
    let other = _mm512_permutex2var_epi8(upper[0], bytes, upper[1]);
    _mm512_mask_mov_epi8(found, _mm512_movepi8_mask(bytes), other)
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
pub fn read(bytes: &[u8], points: &[u16; 256], values: &mut [u32]) -> usize {
    let (lows, highs) = (table(points, 0), table(points, 1));
    // Interleaving permutes the 128-bit lanes.
    let order = _mm512_set_epi64(7, 3, 6, 2, 5, 1, 4, 0);
    let mut read = 0;
    for (some, room) in bytes.chunks(LANES).zip(values.as_chunks_mut::<LANES>().0) {
        let mixed = _mm512_permutexvar_epi64(order, load_some(some));
        let (low, high) = (look_up(lows, mixed), look_up(highs, mixed));
        let [a, b] = widen(_mm512_unpacklo_epi8(low, high));
        let [c, d] = widen(_mm512_unpackhi_epi8(low, high));
        let (room, _) = room.as_chunks_mut();
        save_values(&mut room[0], a);
        save_values(&mut room[1], b);
        save_values(&mut room[2], c);
        save_values(&mut room[3], d);
        read += some.len();
    }
    read
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,avx512cd,popcnt,bmi1,bmi2")]
pub fn write(bytes: &[u8], page: &PageChars, out: &mut Vec<u8>) -> usize {
    if page.is_latin1() {
        write_latin1(bytes, out);
        return bytes.len();
    }
    let (lows, highs) = (table(&page.points, 0), table(&page.points, 1));
    let (has_ascii, has_high_bytes) = (page.has_ascii(), page.has_high_bytes());
    let beyond_short = _mm512_set1_epi16(0xF800u16.cast_signed());
    let prefetcher = Prefetcher::new();
    // A character has three bytes at most.
    let mut writer = Utf8Encoder::new(SpareCapacity::new(out, 3 * bytes.len()));
    for some in bytes.chunks(LANES) {
        prefetcher.prefetch(some);
        let (vector, own) = (load_some(some), lanes(some.len()));
        if has_ascii && _mm512_movepi8_mask(vector) == 0 {
            writer.out.push(vector, some.len());
            continue;
        }
        let low = look_up(lows, vector);
        let high = if has_high_bytes { look_up(highs, vector) } else { _mm512_setzero_si512() };
        // Most characters of an EBCDIC page are ASCII.
        let beyond_ascii = _mm512_movepi8_mask(low) | _mm512_test_epi8_mask(high, high);
        if !has_ascii && beyond_ascii & own == 0 {
            writer.out.push(low, some.len());
            continue;
        }
        let units = interleave(low, high);
        for (units, own) in units.into_iter().zip([own as u32, (own >> UNITS) as u32]) {
            if own == u32::MAX && _mm512_test_epi16_mask(units, beyond_short) == 0 {
                writer.push_short(units, UNITS);
            } else {
                let [front, behind] = widen(units);
                writer.push_any(front, own as u16);
                writer.push_any(behind, (own >> VALUES) as u16);
            }
        }
    }
    bytes.len()
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,popcnt,bmi2")]
fn write_latin1(bytes: &[u8], out: &mut Vec<u8>) {
    let prefetcher = Prefetcher::new();
    // A character has two bytes at most.
    let mut writer = Utf8Encoder::new(SpareCapacity::new(out, 2 * bytes.len()));
    let (blocks, rest) = bytes.as_chunks::<LANES>();
    for block in blocks {
        prefetcher.prefetch(block);
        writer.push_latin1(load(block), LANES);
    }
    writer.push_latin1(load_some(rest), rest.len());
}
