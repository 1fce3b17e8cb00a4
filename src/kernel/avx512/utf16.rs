//! AVX-512: validation, reading and writing of UTF-16.

use std::arch::x86_64::*;

use super::vector::{
    LANES, SpareCapacity, UNITS, VALUES, below, lanes, largest, load_some, load_values, narrow,
    padded, save_values, scalars, widen,
};
use crate::kernel::Loaded;
use crate::kernel::prefetch::Prefetcher;

const HIGH: u32 = 0xD800;

/// Converts units between the byte order of a text and that of the CPU.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub fn ordered<const LITTLE: bool>(units: __m512i) -> __m512i {
    match LITTLE {
        true => units,
        false => _mm512_or_si512(_mm512_slli_epi16::<8>(units), _mm512_srli_epi16::<8>(units)),
    }
}

/// Returns the mask of the units whose high bits are `bits`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn which(units: __m512i, bits: u16, mask: u16) -> u32 {
    let masked = _mm512_and_si512(units, _mm512_set1_epi16(mask.cast_signed()));
    _mm512_cmpeq_epi16_mask(masked, _mm512_set1_epi16(bits.cast_signed()))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub fn surrogates(units: __m512i) -> u32 {
    which(units, 0xD800, 0xF800)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub fn highs(units: __m512i) -> u32 {
    which(units, 0xD800, 0xFC00)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub fn lows(units: __m512i) -> u32 {
    which(units, 0xDC00, 0xFC00)
}

#[target_feature(enable = "avx512f,avx512bw,bmi1,bmi2")]
pub fn well_formed(bytes: &[u8], little: bool) -> usize {
    if little { judge::<true>(bytes) } else { judge::<false>(bytes) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,bmi1,bmi2")]
fn judge<const LITTLE: bool>(bytes: &[u8]) -> usize {
    let mut at = 0;
    // 1 if the unit before is a high surrogate.
    let mut open = 0;
    let prefetcher = Prefetcher::new();
    for block in bytes[..bytes.len() & !1].chunks(BLOCK) {
        prefetcher.prefetch(block);
        if open == 0 && !has_surrogates::<LITTLE>(block) {
            at += block.len();
            continue;
        }
        for some in block.chunks(LANES) {
            let units = ordered::<LITTLE>(load_some(some));
            let high = highs(units);
            // Low surrogates must stand exactly after high ones.
            let wanted = u64::from(high) << 1 | u64::from(open);
            let wrong = (wanted as u32 ^ lows(units)).trailing_zeros() as usize;
            if 2 * wrong < some.len() {
                return at + 2 * wrong - 2 * (wanted >> wrong & 1) as usize;
            }
            open = (wanted >> (some.len() / 2)) as u32 & 1;
            at += some.len();
        }
    }
    at - 2 * open as usize
}

/// The number of bytes that are validated between two decisions.
const BLOCK: usize = 4 * LANES;

/// Returns `false` if a block has no surrogates.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn has_surrogates<const LITTLE: bool>(block: &[u8]) -> bool {
    let Some(block) = block.first_chunk::<BLOCK>() else { return true };
    let (base, number) = (_mm512_set1_epi16(0xD800u16.cast_signed()), _mm512_set1_epi16(0x800));
    let mut least = number;
    for some in block.as_chunks::<LANES>().0 {
        let units = ordered::<LITTLE>(load_some(some));
        least = _mm512_min_epu16(least, _mm512_sub_epi16(units, base));
    }
    _mm512_cmplt_epu16_mask(least, number) != 0
}

#[target_feature(enable = "avx512f,avx512bw,popcnt,bmi1,bmi2")]
pub fn read(bytes: &[u8], little: bool, values: &mut [u32]) -> Loaded {
    if little { load::<true>(bytes, values) } else { load::<false>(bytes, values) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,popcnt,bmi1,bmi2")]
fn load<const LITTLE: bool>(bytes: &[u8], values: &mut [u32]) -> Loaded {
    let bytes = &bytes[..bytes.len() & !1];
    let mut done = Loaded::default();
    while done.read < bytes.len() {
        let Some(room) = values[done.written..].first_chunk_mut::<UNITS>() else { break };
        let rest = &bytes[done.read..];
        let number = UNITS.min(rest.len() / 2);
        let units = ordered::<LITTLE>(load_some(rest));
        if surrogates(units) == 0 {
            let (room, _) = room.as_chunks_mut();
            let points = widen(units);
            save_values(&mut room[0], points[0]);
            save_values(&mut room[1], points[1]);
            done += Loaded { read: 2 * number, written: number };
            continue;
        }
        done += load_pairs(units, number, room);
    }
    done
}

/// Writes the code points of the first `number` units, but for the last of many if it may begin a pair.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,popcnt,bmi1,bmi2")]
fn load_pairs(units: __m512i, number: usize, room: &mut [u32; UNITS]) -> Loaded {
    let (highs, lows) = (highs(units), lows(units));
    let number = number - (number / UNITS) * (highs >> (UNITS - 1)) as usize;
    let pairs = highs & lows >> 1;
    // The second unit of a pair does not stay.
    let stay = !(pairs << 1) & lanes(number) as u32;
    let mut written = 0;
    for (values, stay) in
        joined(units, pairs).into_iter().zip([stay as u16, (stay >> VALUES) as u16])
    {
        let Some(room) = room[written..].first_chunk_mut::<VALUES>() else { break };
        save_values(room, _mm512_maskz_compress_epi32(stay, values));
        written += stay.count_ones() as usize;
    }
    Loaded { read: 2 * number, written }
}

/// Returns the code points that begin at each of the units, given the units of which those in a mask
/// begin a pair. The last one does not count.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub fn joined(units: __m512i, pairs: u32) -> [__m512i; 2] {
    let base = _mm512_set1_epi32(0x1_0000 - (0xD800 << 10) - 0xDC00);
    let [front, behind] = widen(units);
    let next = [_mm512_alignr_epi32::<1>(behind, front), _mm512_alignr_epi32::<1>(front, behind)];
    let join = |high: __m512i, low: __m512i, pairs: u16| {
        let low = _mm512_add_epi32(low, base);
        _mm512_mask_add_epi32(high, pairs, _mm512_slli_epi32::<10>(high), low)
    };
    [join(front, next[0], pairs as u16), join(behind, next[1], (pairs >> VALUES) as u16)]
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,popcnt,bmi1,bmi2")]
pub fn write(values: &[u32], little: bool, out: &mut Vec<u8>) -> usize {
    let out = SpareCapacity::new(out, 4 * values.len());
    if little { store::<true>(values, out) } else { store::<false>(values, out) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,popcnt,bmi1,bmi2")]
fn store<const LITTLE: bool>(values: &[u32], mut out: SpareCapacity<'_>) -> usize {
    let (blocks, rest) = values.as_chunks();
    let last = padded(rest);
    let mut done = 0;
    for block in blocks.iter().chain((!rest.is_empty()).then_some(&last)) {
        let number = (values.len() - done).min(LANES);
        let wrote = store_block::<LITTLE>(block, number, &mut out);
        done += wrote;
        if wrote < number {
            break;
        }
    }
    done
}

/// Writes the first `number` values, up to one that is no scalar value.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,popcnt,bmi1,bmi2")]
fn store_block<const LITTLE: bool>(
    values: &[u32; LANES],
    number: usize,
    out: &mut SpareCapacity<'_>,
) -> usize {
    let [a, b, c, d] = load_values(values);
    if below(HIGH, largest([largest([a, b]), largest([c, d])])) {
        let first = number.min(UNITS);
        out.push(ordered::<LITTLE>(narrow([a, b])), 2 * first);
        out.push(ordered::<LITTLE>(narrow([c, d])), 2 * (number - first));
        return number;
    }
    let mut done = 0;
    for half in values.as_chunks().0 {
        let wrote = store_half::<LITTLE>(half, (number - done).min(UNITS), out);
        done += wrote;
        if wrote < UNITS {
            break;
        }
    }
    done
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,popcnt,bmi1,bmi2")]
fn store_half<const LITTLE: bool>(
    values: &[u32; UNITS],
    number: usize,
    out: &mut SpareCapacity<'_>,
) -> usize {
    let halves = load_values(values);
    if below(0x1_0000, largest(halves)) {
        let units = narrow(halves);
        let number = number.min(surrogates(units).trailing_zeros() as usize);
        out.push(ordered::<LITTLE>(units), 2 * number);
        return number;
    }
    let mut done = 0;
    for some in values.as_chunks::<VALUES>().0 {
        let [some] = load_values(some);
        let wrote = store_any::<LITTLE>(some, (number - done).min(VALUES), out);
        done += wrote;
        if wrote < VALUES {
            break;
        }
    }
    done
}

/// Writes the first `number` of sixteen values, up to one that is no scalar value.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,popcnt,bmi1,bmi2")]
fn store_any<const LITTLE: bool>(
    values: __m512i,
    number: usize,
    out: &mut SpareCapacity<'_>,
) -> usize {
    let number = scalars(values, number);
    let pairs = _mm512_cmpgt_epu32_mask(values, _mm512_set1_epi32(0xFFFF));
    // The high surrogate comes first: in the lower half.
    let high = _mm512_add_epi32(_mm512_srli_epi32::<10>(values), _mm512_set1_epi32(0xD7C0));
    let bits = _mm512_and_si512(_mm512_slli_epi32::<16>(values), _mm512_set1_epi32(0x3FF << 16));
    let low = _mm512_or_si512(bits, _mm512_set1_epi32((0xDC00u32 << 16).cast_signed()));
    let units = _mm512_mask_or_epi32(values, pairs, high, low);
    let second = _mm512_test_epi16_mask(units, _mm512_set1_epi32(0xFFFFu32.cast_signed() << 16));
    let own = (second | 0x5555_5555) & lanes(2 * number) as u32;
    let units = _mm512_maskz_compress_epi16(own, units);
    out.push(ordered::<LITTLE>(units), 2 * own.count_ones() as usize);
    number
}
