//! AVX-512: conversion between UTF-8 and UTF-16, without code points in memory.

use std::arch::x86_64::*;

use super::utf8::{Utf8Decoder, Utf8Encoder, ascii, sequence_ends, trails};
use super::utf16::{highs, joined, lows, ordered};
use super::vector::{
    LANES, SpareCapacity, UNITS, VALUES, halves, interleave, lanes, load_some, narrow_units, widen,
};
use crate::kernel::boundary;

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,popcnt,lzcnt,bmi1,bmi2")]
pub fn utf8_to_utf16(bytes: &[u8], little: bool, out: &mut Vec<u8>) -> usize {
    let bytes = &bytes[..boundary(bytes, bytes.len())];
    let out = SpareCapacity::new(out, 2 * bytes.len());
    if little {
        decode::<true>(bytes, out)
    } else {
        decode::<false>(bytes, out)
    }
    bytes.len()
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,popcnt,lzcnt,bmi1,bmi2")]
fn decode<const LITTLE: bool>(bytes: &[u8], mut out: SpareCapacity<'_>) {
    let mut reader = Utf8Decoder::new();
    let mut at = 0;
    for block in bytes.chunks(4 * LANES) {
        if let Some(vectors) = ascii(block) {
            for vector in vectors {
                let [front, behind] = halves(vector);
                let units = [_mm512_cvtepu8_epi16(front), _mm512_cvtepu8_epi16(behind)];
                out.push_all([ordered::<LITTLE>(units[0]), ordered::<LITTLE>(units[1])]);
            }
            [.., reader.last] = vectors;
            at += block.len();
            continue;
        }
        for some in block.chunks(LANES) {
            let vector = load_some(some);
            let trails = trails(vector);
            let ends = sequence_ends(trails, bytes.get(at + LANES), some.len());
            let planes = reader.next::<true>(vector, trails);
            let ends = ends | planes.thirds & lanes(some.len());
            let (low, high) =
                if LITTLE { (planes.low, planes.high) } else { (planes.high, planes.low) };
            let [front, behind] = interleave(
                _mm512_maskz_compress_epi8(ends, low),
                _mm512_maskz_compress_epi8(ends, high),
            );
            let number = ends.count_ones() as usize;
            out.push(front, 2 * number.min(UNITS));
            out.push(behind, 2 * number.saturating_sub(UNITS));
            at += LANES;
        }
    }
}

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
    let mut at = 0;
    while at < bytes.len() {
        let rest = &bytes[at..];
        let units = ordered::<LITTLE>(load_some(rest));
        let mut number = UNITS.min(rest.len() / 2);
        if _mm512_test_epi16_mask(units, beyond_short) == 0 {
            if rest.len() >= 2 * LANES {
                let more = ordered::<LITTLE>(load_some(&rest[LANES..]));
                let both = _mm512_or_si512(units, more);
                if _mm512_test_epi16_mask(both, beyond_ascii) == 0 {
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
        let (points, stay) = if highs | lows == 0 {
            (widen(units), lanes(number))
        } else {
            // The last unit may begin a pair, and the first may end one that was written.
            number = number.min(UNITS - 1);
            (joined(units, highs), lanes(number) & !u64::from(lows))
        };
        writer.push_any(points[0], stay as u16);
        writer.push_any(points[1], (stay >> VALUES) as u16);
        at += 2 * number;
    }
    at
}
