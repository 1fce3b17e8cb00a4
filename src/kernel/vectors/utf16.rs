//! UTF-16 to and from code points, with vectors.

use super::from_utf8::swapped16;
use super::room::VectorRoom;
use super::squeeze;
use super::to_utf8::{are_scalars, surrogates};
use super::vector::{LANES, Vectors};
use crate::kernel::prefetch::Prefetcher;
use crate::kernel::{Loaded, bytes_of, scalar};

/// The number of units of UTF-16 in a vector.
const UNITS: usize = LANES / 2;

/// Returns the mask of the units of which these bits have this value.
#[inline(always)]
fn which<V: Vectors>(v: V, units: V::Bytes, mask: u16, bits: u16) -> V::Bytes {
    v.eq16(v.and(units, v.splat16(mask)), v.splat16(bits))
}

#[inline(always)]
fn highs<V: Vectors>(v: V, units: V::Bytes) -> V::Bytes {
    which(v, units, 0xFC00, 0xD800)
}

#[inline(always)]
fn lows<V: Vectors>(v: V, units: V::Bytes) -> V::Bytes {
    which(v, units, 0xFC00, 0xDC00)
}

#[inline(always)]
fn ordered<V: Vectors>(v: V, bytes: &[u8], little: bool) -> V::Bytes {
    let units = v.load(bytes);
    if little { units } else { swapped16(v, units) }
}

/// Implements [`Kernels::utf16`](crate::kernel::Kernels::utf16).
#[inline(always)]
pub fn well_formed<V: Vectors>(v: V, bytes: &[u8], little: bool) -> usize {
    let v = v.single();
    let sound = match little {
        true => judge_units::<_, true>(v, bytes),
        false => judge_units::<_, false>(v, bytes),
    };
    sound + scalar::utf16(&bytes[sound..], little)
}

/// The number of bytes that are validated between two decisions.
const BLOCK: usize = 8 * LANES;

#[inline(always)]
fn judge_units<V: Vectors, const LITTLE: bool>(v: V, bytes: &[u8]) -> usize {
    // In the order of the text, so that no byte is moved.
    let high_bit = v.splat16(if LITTLE { 0x8000 } else { 0x80 });
    let mut at = 0;
    let prefetcher = Prefetcher::new();
    while let Some(block) = bytes[at..].first_chunk::<{ BLOCK + 2 }>() {
        prefetcher.prefetch(&block[..BLOCK]);
        let starts = || (0..BLOCK).step_by(LANES);
        let any = starts().fold(v.splat8(0), |any, start| v.or(any, v.load(&block[start..])));
        at += BLOCK;
        if !v.meet(any, high_bit) {
            continue;
        }
        let load = |at: usize| ordered(v, &block[at..], LITTLE);
        let any = starts().fold(v.splat8(0), |any, start| v.or(any, surrogates(v, load(start))));
        if !v.any(any) {
            continue;
        }
        // A unit is a high surrogate exactly if the next is a low one. So only the first can be a low
        // one without a high one.
        let is_sound = starts().all(|start| {
            let (high, low) = (highs(v, load(start)), lows(v, load(start + 2)));
            v.bits8(v.eq16(high, low)) == 0xFFFF
        });
        if !is_sound || v.bits16(lows(v, load(0))) & 1 != 0 {
            return at - BLOCK;
        }
        // The last pair may reach beyond the block.
        let last = v.bits16(highs(v, load(BLOCK - LANES))) >> (UNITS - 1) & 1;
        at += 2 * last as usize;
    }
    at
}

/// Implements [`Kernels::read_utf16`](crate::kernel::Kernels::read_utf16).
#[inline(always)]
pub fn read<V: Vectors>(v: V, bytes: &[u8], little: bool, values: &mut [u32]) -> Loaded {
    let mut done = to_values(v, bytes, little, values);
    done += scalar::read_utf16(&bytes[done.read..], little, &mut values[done.written..]);
    done
}

/// Reads code points. Leaves at least the last unit.
#[inline(always)]
fn to_values<V: Vectors>(v: V, bytes: &[u8], little: bool, values: &mut [u32]) -> Loaded {
    let mut room = VectorRoom::of_values(values);
    let read = match little {
        true => read_units::<_, true>(v.single(), bytes, &mut room),
        false => read_units::<_, false>(v.single(), bytes, &mut room),
    };
    Loaded { read, written: room.len() / size_of::<u32>() }
}

#[inline(always)]
fn read_units<V: Vectors, const LITTLE: bool>(
    v: V,
    bytes: &[u8],
    room: &mut VectorRoom<'_>,
) -> usize {
    let zero = v.splat8(0);
    let mut at = 0;
    while let Some(block) = bytes[at..].first_chunk::<{ LANES + 2 }>()
        && room.has(4 * UNITS)
    {
        let units = ordered(v, block, LITTLE);
        let halves = [v.low16(units, zero), v.high16(units, zero)];
        at += LANES;
        if !v.any(surrogates(v, units)) {
            // SAFETY: there is room for all units.
            unsafe { room.push(halves.map(|half| v.store(half)), 4 * UNITS) };
            continue;
        }
        let next = ordered(v, &block[2..], LITTLE);
        let pairs = v.and(highs(v, units), lows(v, next));
        let next = [v.low16(next, zero), v.high16(next, zero)];
        let wide = [v.low16(pairs, pairs), v.high16(pairs, pairs)];
        let base = v.splat32(0x1_0000u32.wrapping_sub((0xD800 << 10) + 0xDC00));
        // The second unit of a pair does not stay.
        let pairs = v.bits16(pairs) & 0xFF;
        let stay = !(pairs << 1);
        for half in 0..2 {
            let joined = v.add32(v.add32(v.shl32::<10>(halves[half]), next[half]), base);
            let points = v.select(wide[half], joined, halves[half]);
            let stay = stay >> (4 * half) & 0xF;
            let places = v.load(&squeeze::VALUES[stay as usize]);
            let len = 4 * stay.count_ones() as usize;
            // SAFETY: there is room for all units.
            unsafe { room.push(v.store(v.shuffle(points, places)), len) };
        }
        at += 2 * (pairs >> (UNITS - 1)) as usize;
    }
    at
}

/// Implements [`Kernels::write_utf16`](crate::kernel::Kernels::write_utf16).
#[inline(always)]
pub fn write<V: Vectors>(v: V, values: &[u32], little: bool, out: &mut Vec<u8>) -> usize {
    let written = from_values(v, values, little, out);
    written + scalar::write_utf16(&values[written..], little, out)
}

/// Appends the UTF-16 of values, up to one that is no scalar value. Returns the number of values.
#[inline(always)]
fn from_values<V: Vectors>(v: V, values: &[u32], little: bool, out: &mut Vec<u8>) -> usize {
    let mut room = VectorRoom::behind(out, 4 * values.len());
    match little {
        true => write_values::<_, true>(v.single(), values, &mut room),
        false => write_values::<_, false>(v.single(), values, &mut room),
    }
}

/// Appends eight values at a time, which have at most as many bytes as their code points.
#[inline(always)]
fn write_values<V: Vectors, const LITTLE: bool>(
    v: V,
    values: &[u32],
    room: &mut VectorRoom<'_>,
) -> usize {
    let zero = v.splat8(0);
    let mut done = 0;
    while let Some(block) = values[done..].first_chunk::<UNITS>() {
        let halves = [0, 4].map(|at| v.load(bytes_of(&block[at..])));
        let [a, b] = halves;
        let ordered = |units: V::Bytes| if LITTLE { units } else { swapped16(v, units) };
        if !v.meet(v.or(a, b), v.splat32(0xFFFF_0000)) {
            let units = v.narrow32(a, b);
            if v.any(surrogates(v, units)) {
                return done;
            }
            // SAFETY: there is room for four bytes of each value.
            unsafe { room.push(v.store(ordered(units)), LANES) };
        } else {
            if !halves.iter().all(|&some| are_scalars(v, some)) {
                return done;
            }
            for values in halves {
                let plain = v.eq32(v.and(values, v.splat32(0xFFFF_0000)), zero);
                let high = v.add32(v.shr32::<10>(values), v.splat32(0xD7C0));
                let low = v.and(v.shl32::<16>(values), v.splat32(0x3FF << 16));
                let pair = v.or(v.or(high, low), v.splat32(0xDC00 << 16));
                // The second unit stays where the value is not plain.
                let units = v.select(plain, values, pair);
                let second = v.eq32(plain, zero);
                let stay = v.bits16(v.or(second, v.splat32(0xFFFF))) & 0xFF;
                let places = v.load(&squeeze::UNITS[stay as usize]);
                let len = 2 * stay.count_ones() as usize;
                // SAFETY: there is room for four bytes of each value.
                unsafe { room.push(v.store(v.shuffle(ordered(units), places)), len) };
            }
        }
        done += UNITS;
    }
    done
}
