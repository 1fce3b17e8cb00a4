//! AVX-512: conversion between UTF-8 and UTF-16 or UTF-32, without code points in memory.

use std::arch::x86_64::*;

use super::judge::well_formed;
use super::utf8::{BitPlanes, Utf8Decoder, Utf8Encoder, ascii, sequence_ends, trails};
use super::utf16::{highs, joined, lows, ordered};
use super::utf32::ordered as ordered32;
use super::vector::{
    LANES, SpareCapacity, UNITS, VALUES, halves, lanes, load_some, narrow_units, quarters, widen,
};
use crate::kernel::prefetch::Prefetcher;
use crate::kernel::vectors::{Avx2, ascii_to_utf16, ascii_to_utf32};

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,popcnt,lzcnt,bmi1,bmi2")]
pub fn utf8_to_utf16(bytes: &[u8], little: bool, out: &mut Vec<u8>) -> usize {
    // Longer vectors take longer to store where they are not aligned.
    let ascii = ascii_to_utf16(avx2(), bytes, little, out);
    let rest = &bytes[ascii..];
    let rest = &rest[..well_formed(rest)];
    let out = SpareCapacity::new(out, 2 * rest.len());
    if little {
        write_utf16::<true>(rest, out)
    } else {
        write_utf16::<false>(rest, out)
    }
    ascii + rest.len()
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,popcnt,lzcnt,bmi1,bmi2")]
pub fn utf8_to_utf32(bytes: &[u8], little: bool, out: &mut Vec<u8>) -> usize {
    let ascii = ascii_to_utf32(avx2(), bytes, little, out);
    let rest = &bytes[ascii..];
    let rest = &rest[..well_formed(rest)];
    let out = SpareCapacity::new(out, 4 * rest.len());
    if little {
        write_utf32::<true>(rest, out)
    } else {
        write_utf32::<false>(rest, out)
    }
    ascii + rest.len()
}

/// Returns the vectors of AVX2.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn avx2() -> Avx2 {
    // SAFETY: the function requires the instructions.
    unsafe { Avx2::new() }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,popcnt,lzcnt,bmi1,bmi2")]
fn write_utf16<const LITTLE: bool>(bytes: &[u8], mut out: SpareCapacity<'_>) {
    decode::<true>(bytes, |decoded| match decoded {
        Decoded::Ascii(vectors) => {
            for vector in vectors {
                let units = halves(vector).map(|half| _mm512_cvtepu8_epi16(half));
                out.push_all(units.map(|units| ordered::<LITTLE>(units)));
            }
        }
        Decoded::Planes(planes, ends) => {
            let ends = ends | planes.thirds;
            let number = ends.count_ones() as usize;
            let [front, behind] = planes.units(ends, LITTLE);
            out.push(front, 2 * number.min(UNITS));
            out.push(behind, 2 * number.saturating_sub(UNITS));
        }
    });
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,popcnt,lzcnt,bmi1,bmi2")]
fn write_utf32<const LITTLE: bool>(bytes: &[u8], mut out: SpareCapacity<'_>) {
    decode::<false>(bytes, |decoded| match decoded {
        Decoded::Ascii(vectors) => {
            for vector in vectors {
                let values = quarters(vector).map(|quarter| _mm512_cvtepu8_epi32(quarter));
                out.push_all(values.map(|values| ordered32::<LITTLE>(values)));
            }
        }
        Decoded::Planes(planes, ends) => {
            let values = planes.values(ends).map(|values| ordered32::<LITTLE>(values));
            let mut number = ends.count_ones() as usize;
            for pair in values.as_chunks::<2>().0 {
                out.push(pair[0], 4 * number.min(VALUES));
                out.push(pair[1], 4 * number.saturating_sub(VALUES).min(VALUES));
                number = number.saturating_sub(2 * VALUES);
                // Most vectors beyond ASCII have at most 32 code points.
                if number == 0 {
                    break;
                }
            }
        }
    });
}

/// A part of a decoded text.
enum Decoded {
    /// A block of ASCII.
    Ascii([__m512i; 4]),
    /// The bits of code points, and the mask of the bytes that end a sequence.
    Planes(BitPlanes, u64),
}

/// Decodes well-formed UTF-8, with supplementary code points as surrogate pairs if `PAIRS`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,popcnt,lzcnt,bmi1,bmi2")]
fn decode<const PAIRS: bool>(bytes: &[u8], mut write: impl FnMut(Decoded)) {
    let mut reader = Utf8Decoder::new();
    let mut at = 0;
    for block in bytes.chunks(4 * LANES) {
        if let Some(vectors) = ascii(block) {
            write(Decoded::Ascii(vectors));
            [.., reader.last] = vectors;
            at += block.len();
            continue;
        }
        for some in block.chunks(LANES) {
            let vector = load_some(some);
            let trails = trails(vector);
            let ends = sequence_ends(trails, bytes.get(at + LANES), some.len());
            let mut planes = reader.next::<PAIRS>(vector, trails);
            // If the bytes have changed since they were judged, a lead byte may come last.
            planes.thirds &= lanes(some.len());
            write(Decoded::Planes(planes, ends));
            at += LANES;
        }
    }
}

/// The mask of the high surrogates of a vector of pairs.
const FIRST_OF_PAIRS: u32 = 0x5555_5555;

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,avx512cd,popcnt,bmi1,bmi2")]
pub fn utf16_to_utf8(bytes: &[u8], little: bool, out: &mut Vec<u8>) -> usize {
    let bytes = &bytes[..bytes.len() & !1];
    // A unit has three bytes at most, but if the bytes have changed, each may begin a pair.
    let writer = Utf8Encoder::new(SpareCapacity::new(out, 2 * bytes.len()));
    if little { encode::<true>(bytes, writer) } else { encode::<false>(bytes, writer) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,avx512cd,popcnt,bmi1,bmi2")]
fn encode<const LITTLE: bool>(bytes: &[u8], mut writer: Utf8Encoder<'_>) -> usize {
    // A pair that the end cuts stays.
    let is_cut = bytes.last_chunk().is_some_and(|&[a, b]| {
        let high = if LITTLE { b } else { a };
        high & 0xFC == 0xD8
    });
    let bytes = &bytes[..bytes.len() - if is_cut { 2 } else { 0 }];
    let beyond_short = _mm512_set1_epi16(0xF800u16.cast_signed());
    let beyond_ascii = _mm512_set1_epi16(0xFF80u16.cast_signed());
    let prefetcher = Prefetcher::new();
    let mut at = 0;
    // 1 if the unit before is the high surrogate of a pair that was written.
    let mut open = 0;
    while at < bytes.len() {
        let rest = &bytes[at..];
        prefetcher.prefetch(&rest[..rest.len().min(LANES)]);
        let units = ordered::<LITTLE>(load_some(rest));
        let mut number = UNITS.min(rest.len() / 2);
        if _mm512_test_epi16_mask(units, beyond_short) == 0 {
            if rest.len() >= 2 * LANES {
                let more = ordered::<LITTLE>(load_some(&rest[LANES..]));
                let both = _mm512_or_si512(units, more);
                if _mm512_test_epi16_mask(both, beyond_ascii) == 0 {
                    prefetcher.prefetch(&rest[LANES..2 * LANES]);
                    writer.out.push(narrow_units([units, more]), LANES);
                    at += 2 * LANES;
                    continue;
                }
            }
            writer.push_short(units, number);
            at += 2 * number;
            continue;
        }
        let (highs, lows) = (highs(units), lows(units));
        if highs | lows == 0 {
            let (points, own) = (widen(units), lanes(number));
            writer.push_any(points[0], own as u16);
            writer.push_any(points[1], (own >> VALUES) as u16);
            at += 2 * number;
            continue;
        }
        // Low surrogates must stand exactly after high ones.
        if (highs << 1 | open) != lows {
            return at + 2 * open as usize;
        }
        if highs == FIRST_OF_PAIRS {
            writer.push_pairs(units);
            at += LANES;
            continue;
        }
        // The last unit may begin a pair, and the first may end one that was written.
        number = number.min(UNITS - 1);
        let stay = lanes(number) as u32 & !lows;
        let points = joined(units, highs);
        writer.push_any(points[0], stay as u16);
        writer.push_any(points[1], (stay >> VALUES) as u16);
        open = highs >> (number - 1) & 1;
        at += 2 * number;
    }
    at
}
