//! AVX-512: reading and writing of UTF-8.
//!
//! To read, each byte that ends a sequence collects the payload of the three bytes before it, in
//! planes of eight bits. The planes of these last bytes, compressed, are the code points. To write,
//! each code point is spread over four bytes, and the bytes that its sequence has are compressed.

use std::arch::x86_64::*;

use super::utf32::ordered as ordered32;
use super::vector::{
    LANES, SpareCapacity, UNITS, VALUES, ValueBlock, below, interleave, lanes, largest, load,
    load_some, load_values, narrow, quarters, save_values, scalars, select, widen,
};
use crate::kernel::prefetch::Prefetcher;
use crate::kernel::{Loaded, boundary};

/// State carried from vector to vector.
pub struct Utf8Decoder {
    /// The previous vector.
    pub last: __m512i,
    /// The indices of the bytes one, two and three before each lane, in the previous vector and this
    /// one.
    back: [__m512i; 3],
}

/// The bits of the code points that end at each byte, in planes of eight, lowest first. Of a surrogate
/// pair, the low surrogate ends there, and the high one before it.
pub struct BitPlanes {
    low: __m512i,
    high: __m512i,
    /// Present only where a sequence has four bytes, and is no surrogate pair.
    top: Option<__m512i>,
    /// The places of high surrogates.
    pub thirds: __mmask64,
}

/// Returns the largest continuation byte in each lane. As signed values, continuation bytes are the
/// smallest.
#[inline]
#[target_feature(enable = "avx512f")]
fn last_trail() -> __m512i {
    _mm512_set1_epi8(0xBFu8.cast_signed())
}

impl Utf8Decoder {
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub fn new() -> Utf8Decoder {
        let back = |lanes| load(&std::array::from_fn(|lane| (LANES + lane - lanes) as u8));
        Utf8Decoder { last: _mm512_setzero_si512(), back: [back(1), back(2), back(3)] }
    }

    /// Returns the planes of the next vector at each byte that ends a sequence, with supplementary
    /// code points as surrogate pairs if `PAIRS`.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    pub fn next<const PAIRS: bool>(&mut self, bytes: __m512i, trails: __mmask64) -> BitPlanes {
        let back = |lanes: usize| _mm512_permutex2var_epi8(self.last, self.back[lanes - 1], bytes);
        let (one, two) = (back(1), back(2));
        // The second and third byte after the lead byte.
        let second = _mm512_mask_cmple_epi8_mask(trails, one, last_trail());
        let third = _mm512_mask_cmple_epi8_mask(second, two, last_trail());
        // Bits shifted across the edge of a byte are not selected.
        let low = select(0x3F, bytes, _mm512_slli_epi16::<6>(one));
        let upper = _mm512_maskz_mov_epi8(second, _mm512_slli_epi16::<4>(two));
        let high = select(0x0F, _mm512_srli_epi16::<2>(one), upper);
        let mut planes = BitPlanes {
            low: _mm512_mask_mov_epi8(bytes, trails, low),
            high: _mm512_maskz_mov_epi8(trails, high),
            top: None,
            thirds: 0,
        };
        if PAIRS {
            planes.thirds = _mm512_cmpge_epu8_mask(two, _mm512_set1_epi8(0xF0u8.cast_signed()));
            if planes.thirds | third != 0 {
                planes.split([bytes, one, two], third);
            }
        } else if third != 0 {
            let bits = select(0x03, _mm512_srli_epi16::<4>(two), _mm512_slli_epi16::<2>(back(3)));
            let bits = _mm512_and_si512(bits, _mm512_set1_epi8(0x1F));
            planes.top = Some(_mm512_maskz_mov_epi8(third, bits));
        }
        self.last = bytes;
        planes
    }
}

impl BitPlanes {
    /// Makes surrogate pairs of the sequences of four bytes that end at these places. The bytes before
    /// each are given.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn split(&mut self, [bytes, one, two]: [__m512i; 3], ends: __mmask64) {
        // The bits of the high surrogate, 40 too many, and D800.
        let bits = select(0x03, _mm512_srli_epi16::<4>(bytes), _mm512_slli_epi16::<2>(one));
        let (less, base) = (_mm512_set1_epi8(-0x40), _mm512_set1_epi8(0xD7u8.cast_signed()));
        self.low = _mm512_mask_add_epi8(self.low, self.thirds, bits, less);
        let carry = _mm512_mask_cmpge_epu8_mask(self.thirds, bits, _mm512_set1_epi8(0x40));
        let lead = _mm512_and_si512(two, _mm512_set1_epi8(0x07));
        let high = _mm512_mask_add_epi8(self.high, self.thirds, lead, base);
        let high = _mm512_mask_add_epi8(high, carry, high, _mm512_set1_epi8(1));
        let low_surrogate = _mm512_set1_epi8(0xDCu8.cast_signed());
        let own = select(0x03, _mm512_srli_epi16::<2>(one), low_surrogate);
        self.high = _mm512_mask_mov_epi8(high, ends, own);
    }

    /// Returns the code units of the bytes that end a sequence, and of high surrogates.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi2")]
    pub fn units(&self, ends: u64, little: bool) -> [__m512i; 2] {
        let (one, other) = if little { (self.low, self.high) } else { (self.high, self.low) };
        interleave(_mm512_maskz_compress_epi8(ends, one), _mm512_maskz_compress_epi8(ends, other))
    }

    /// Returns the code points of the bytes that end a sequence.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi2")]
    pub fn values(&self, ends: u64) -> [__m512i; 4] {
        let [front, behind] = self.units(ends, true);
        let ([a, b], [c, d]) = (widen(front), widen(behind));
        let Some(top) = self.top else { return [a, b, c, d] };
        let [e, f, g, h] = quarters(_mm512_maskz_compress_epi8(ends, top));
        [with_top(a, e), with_top(b, f), with_top(c, g), with_top(d, h)]
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn with_top(values: __m512i, top: __m128i) -> __m512i {
    _mm512_or_si512(values, _mm512_slli_epi32::<16>(_mm512_cvtepu8_epi32(top)))
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,popcnt,lzcnt,bmi1,bmi2")]
pub fn read(bytes: &[u8], values: &mut [u32]) -> Loaded {
    let bytes = &bytes[..boundary(bytes, bytes.len())];
    let mut reader = Utf8Decoder::new();
    let mut done = Loaded::default();
    let mut at = 0;
    for block in bytes.chunks(4 * LANES) {
        let ascii = ascii(block).is_some();
        for some in block.chunks(LANES) {
            let Some(room) = values[done.written..].first_chunk_mut::<LANES>() else { return done };
            let (room, _) = room.as_chunks_mut();
            let room = room.first_chunk_mut::<4>().unwrap();
            let vector = load_some(some);
            if ascii {
                save_bytes(vector, room);
                reader.last = vector;
                done.written += some.len();
                done.read = at + some.len();
            } else {
                let trails = trails(vector);
                let ends = sequence_ends(trails, bytes.get(at + LANES), some.len());
                let points = reader.next::<false>(vector, trails).values(ends);
                for (block, points) in room.iter_mut().zip(points) {
                    save_values(block, points);
                }
                done.written += ends.count_ones() as usize;
                done.read = at + LANES - ends.leading_zeros() as usize;
            }
            at += LANES;
        }
    }
    done
}

/// Returns the places of continuation bytes.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub fn trails(bytes: __m512i) -> __mmask64 {
    _mm512_cmple_epi8_mask(bytes, last_trail())
}

/// Returns the places in the first `number` bytes where a sequence ends: the byte after them is no
/// continuation byte.
#[inline]
pub fn sequence_ends(trails: __mmask64, next: Option<&u8>, number: usize) -> __mmask64 {
    let goes_on = next.is_some_and(|&next| next & 0xC0 == 0x80);
    !(trails >> 1 | u64::from(goes_on) << 63) & lanes(number)
}

/// Returns the vectors of a whole block of ASCII.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub fn ascii(block: &[u8]) -> Option<[__m512i; 4]> {
    let block = block.first_chunk::<{ 4 * LANES }>()?;
    let (v, _) = block.as_chunks();
    let vectors = [load(&v[0]), load(&v[1]), load(&v[2]), load(&v[3])];
    let [a, b, c, d] = vectors;
    let any = _mm512_or_si512(_mm512_or_si512(a, b), _mm512_or_si512(c, d));
    (_mm512_movepi8_mask(any) == 0).then_some(vectors)
}

/// Writes ASCII bytes as code points.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn save_bytes(bytes: __m512i, room: &mut [ValueBlock; 4]) {
    let [a, b, c, d] = quarters(bytes);
    save_values(&mut room[0], _mm512_cvtepu8_epi32(a));
    save_values(&mut room[1], _mm512_cvtepu8_epi32(b));
    save_values(&mut room[2], _mm512_cvtepu8_epi32(c));
    save_values(&mut room[3], _mm512_cvtepu8_epi32(d));
}

/// The output of an encoder, and its tables.
pub struct Utf8Encoder<'a> {
    pub out: SpareCapacity<'a>,
    /// For each byte of a sequence, the number of bits of the code point below its payload; the
    /// last byte is last.
    shifts: __m512i,
    /// The table [`MARKERS`].
    markers: [__m512i; 2],
}

/// Returns the markers of a sequence, last byte last, by the leading zeros of its code point. Every
/// byte has the highest bit, here even ASCII, so that a mask can select it.
static MARKERS: [u32; 2 * VALUES] = {
    let mut markers = [0x8000_0000; 2 * VALUES];
    let mut zeros = 1;
    while zeros < 25 {
        markers[zeros] = match zeros {
            21.. => 0x80C0_0000,
            16.. => 0x8080_E000,
            _ => 0x8080_80F0,
        };
        zeros += 1;
    }
    markers
};

/// Joins the low six bits of each byte with its marker.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn marked(bits: __m512i, markers: __m512i) -> __m512i {
    and_or(bits, _mm512_set1_epi8(0x3F), markers)
}

/// Returns the bits of `a` that are in a mask, and those of `b`.
#[inline]
#[target_feature(enable = "avx512f")]
fn and_or(a: __m512i, mask: __m512i, b: __m512i) -> __m512i {
    const A_AND_B_OR_C: i32 = 0b1110_1010;
    _mm512_ternarylogic_epi32::<A_AND_B_OR_C>(a, mask, b)
}

impl Utf8Encoder<'_> {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub fn new(out: SpareCapacity<'_>) -> Utf8Encoder<'_> {
        Utf8Encoder {
            out,
            shifts: _mm512_set1_epi64(0x2026_2C32_0006_0C12),
            markers: load_values(&MARKERS),
        }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn push_ascii(&mut self, [a, b, c, d]: [__m512i; 4]) {
        // Packing permutes the 128-bit lanes.
        let order = _mm512_set_epi32(15, 11, 7, 3, 14, 10, 6, 2, 13, 9, 5, 1, 12, 8, 4, 0);
        let mixed = _mm512_packus_epi16(_mm512_packus_epi32(a, b), _mm512_packus_epi32(c, d));
        self.out.push(_mm512_permutexvar_epi32(order, mixed), LANES);
    }

    /// Writes the first `number` of 32 values below U+0800.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,popcnt,bmi2")]
    pub fn push_short(&mut self, units: __m512i, number: usize) {
        let shifts = _mm512_set1_epi64(0x3036_2026_1016_0006);
        let bits = _mm512_multishift_epi64_epi8(shifts, units);
        let two = marked(bits, _mm512_set1_epi16(0x80C0u16.cast_signed()));
        let longer = _mm512_cmpge_epu16_mask(units, _mm512_set1_epi16(0x80));
        let forms = _mm512_mask_mov_epi16(units, longer, two);
        let own = _mm512_movepi8_mask(_mm512_or_si512(forms, _mm512_set1_epi16(0x80)));
        self.push_forms(forms, own, own.count_ones() as usize - (UNITS - number));
    }

    /// Writes the first `number` of 64 bytes of Latin-1. The others must be 0.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,popcnt,bmi2")]
    pub fn push_latin1(&mut self, bytes: __m512i, number: usize) {
        let longer = _mm512_movepi8_mask(bytes);
        if longer == 0 {
            return self.out.push(bytes, number);
        }
        // From U+00C0, the lead byte is C3, and bit 6 of the value is no part of the trail byte.
        let splat = |byte: u8| _mm512_set1_epi8(byte.cast_signed());
        let upper = _mm512_cmpge_epu8_mask(bytes, splat(0xC0));
        let leads = _mm512_mask_mov_epi8(splat(0xC2), upper, splat(0xC3));
        let trails = _mm512_mask_sub_epi8(bytes, upper, bytes, splat(0x40));
        for (at, forms) in interleave(leads, trails).into_iter().enumerate() {
            let longer = (longer >> (at * UNITS)) as u32;
            let own = _pdep_u64(longer.into(), 0x5555_5555_5555_5555) | 0xAAAA_AAAA_AAAA_AAAA;
            let number = number.saturating_sub(at * UNITS).min(UNITS);
            self.push_forms(forms, own, number + longer.count_ones() as usize);
        }
    }

    /// Writes those of sixteen scalar values that are in a mask.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,avx512cd,popcnt,bmi1,bmi2")]
    pub fn push_any(&mut self, values: __m512i, mask: u16) {
        let [low, high] = self.markers;
        let zeros = _mm512_lzcnt_epi32(values);
        let markers = _mm512_maskz_permutex2var_epi32(mask, low, zeros, high);
        let forms = marked(_mm512_multishift_epi64_epi8(self.shifts, values), markers);
        let ascii = _mm512_cmplt_epu32_mask(values, _mm512_set1_epi32(0x80));
        let forms = _mm512_mask_slli_epi32::<24>(forms, ascii, values);
        let own = _mm512_movepi8_mask(markers);
        self.push_forms(forms, own, own.count_ones() as usize);
    }

    /// Writes sixteen pairs of surrogates.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    pub fn push_pairs(&mut self, pairs: __m512i) {
        // The high surrogate is in the lower half.
        let low = _mm512_and_si512(_mm512_srli_epi32::<16>(pairs), _mm512_set1_epi32(0x3FF));
        let high = _mm512_slli_epi32::<10>(pairs);
        let bits = and_or(high, _mm512_set1_epi32(0xF_FC00), low);
        let values = _mm512_add_epi32(bits, _mm512_set1_epi32(0x1_0000));
        let markers = _mm512_set1_epi32(0x8080_80F0u32.cast_signed());
        let forms = marked(_mm512_multishift_epi64_epi8(self.shifts, values), markers);
        self.out.push(forms, LANES);
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512vbmi2")]
    fn push_forms(&mut self, forms: __m512i, own: __mmask64, len: usize) {
        self.out.push(_mm512_maskz_compress_epi8(own, forms), len);
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,avx512cd,popcnt,bmi1,bmi2")]
pub fn from_utf32(bytes: &[u8], little: bool, out: &mut Vec<u8>) -> usize {
    let bytes = &bytes[..bytes.len() & !3];
    let writer = Utf8Encoder::new(SpareCapacity::new(out, bytes.len()));
    if little { encode::<true>(bytes, writer) } else { encode::<false>(bytes, writer) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,avx512cd,popcnt,bmi1,bmi2")]
fn encode<const LITTLE: bool>(bytes: &[u8], mut writer: Utf8Encoder<'_>) -> usize {
    let prefetcher = Prefetcher::new();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &bytes[at..];
        if let Some(block) = rest.first_chunk::<{ 4 * LANES }>() {
            prefetcher.prefetch(block);
            let values = [0, 1, 2, 3].map(|i| ordered32::<LITTLE>(load_some(&block[i * LANES..])));
            let [a, b, c, d] = values;
            if below(0x80, largest([largest([a, b]), largest([c, d])])) {
                writer.push_ascii(values);
                at += block.len();
                continue;
            }
        }
        let parts = [rest, rest.get(LANES..).unwrap_or_default()];
        let values = parts.map(|part| ordered32::<LITTLE>(load_some(part)));
        let number = UNITS.min(rest.len() / 4);
        if below(0x800, largest(values)) {
            writer.push_short(narrow(values), number);
            at += 4 * number;
            continue;
        }
        for (values, number) in
            values.into_iter().zip([number.min(VALUES), number.saturating_sub(VALUES)])
        {
            let sound = scalars(values, number);
            writer.push_any(values, lanes(sound) as u16);
            if sound < number {
                return at + 4 * sound;
            }
            at += 4 * number;
        }
    }
    at
}
