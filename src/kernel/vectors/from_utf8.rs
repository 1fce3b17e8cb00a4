//! UTF-8 to UTF-16 and to code points, with vectors.
//!
//! Each byte is joined with the bits of up to three bytes before it, as if a sequence ended there.
//! That makes a unit for each byte. A table moves those of the bytes that do end a sequence to the
//! front of the vector.

use super::room::VectorRoom;
use super::squeeze;
use super::validate::utf8;
use super::vector::{LANES, Vectors};
use crate::kernel::prefetch::Prefetcher;
use crate::kernel::{Loaded, boundary, scalar};

/// The number of bytes between two decisions.
const BLOCK: usize = 4 * LANES;
/// The number of bytes before a block that its first sequence can begin with.
const BEFORE: usize = 3;
/// A block, the bytes before it and the one after it.
const WINDOW: usize = BEFORE + BLOCK + 1;

/// The lowest lead byte of a sequence of four bytes.
const FOUR: u8 = 0xF0;

/// The units of an output.
pub trait OutputUnits {
    /// The size of a unit in bytes.
    const SIZE: usize;
    /// A supplementary code point is a surrogate pair.
    const PAIRS: bool;

    /// Appends the first `number` of eight units, whose high bits, if any, are `top`.
    ///
    /// # Safety
    /// There is room for eight units, and `number` is at most eight.
    unsafe fn push<V: Vectors>(
        v: V,
        room: &mut VectorRoom<'_>,
        units: V::Bytes,
        top: Option<V::Bytes>,
        number: usize,
    );
}

/// UTF-16.
pub struct Utf16Units<const LITTLE: bool>;

/// UTF-32.
pub struct Utf32Units<const LITTLE: bool>;

/// Exchanges the bytes of each unit.
#[inline(always)]
pub fn swapped16<V: Vectors>(v: V, units: V::Bytes) -> V::Bytes {
    v.or(v.shl16::<8>(units), v.shr16::<8>(units))
}

impl<const LITTLE: bool> OutputUnits for Utf16Units<LITTLE> {
    const SIZE: usize = 2;
    const PAIRS: bool = true;

    #[inline(always)]
    unsafe fn push<V: Vectors>(
        v: V,
        room: &mut VectorRoom<'_>,
        units: V::Bytes,
        _: Option<V::Bytes>,
        number: usize,
    ) {
        let units = if LITTLE { units } else { swapped16(v, units) };
        // SAFETY: as the caller guarantees.
        unsafe { room.push(v.store(units), 2 * number) };
    }
}

impl<const LITTLE: bool> OutputUnits for Utf32Units<LITTLE> {
    const SIZE: usize = 4;
    const PAIRS: bool = false;

    #[inline(always)]
    unsafe fn push<V: Vectors>(
        v: V,
        room: &mut VectorRoom<'_>,
        units: V::Bytes,
        top: Option<V::Bytes>,
        number: usize,
    ) {
        let top = top.unwrap_or(v.splat8(0));
        let halves = match LITTLE {
            true => [v.low16(units, top), v.high16(units, top)],
            false => {
                let (units, top) = (swapped16(v, units), swapped16(v, top));
                [v.low16(top, units), v.high16(top, units)]
            }
        };
        let bytes = halves.map(|half| v.store(half));
        // SAFETY: as the caller guarantees.
        unsafe { room.push(bytes, 4 * number) };
    }
}

/// Implements [`Kernels::read_utf8`](crate::kernel::Kernels::read_utf8).
#[inline(always)]
pub fn read<V: Vectors>(v: V, bytes: &[u8], values: &mut [u32]) -> Loaded {
    let mut done = to_values(v, bytes, values);
    if done.read == 0 || values.len() - done.written >= BLOCK {
        done += scalar::read_utf8(&bytes[done.read..], &mut values[done.written..]);
    }
    done
}

/// Reads code points. Leaves at least the last byte.
#[inline(always)]
fn to_values<V: Vectors>(v: V, bytes: &[u8], values: &mut [u32]) -> Loaded {
    let mut room = VectorRoom::of_values(values);
    let read = decode::<V::Single, Utf32Units<true>>(v.single(), bytes, &mut room);
    Loaded { read, written: room.len() / size_of::<u32>() }
}

/// Implements [`Kernels::utf8_to_utf16`](crate::kernel::Kernels::utf8_to_utf16). Leaves at least the
/// last byte.
#[inline(always)]
pub fn to_utf16<V: Vectors>(v: V, bytes: &[u8], little: bool, out: &mut Vec<u8>) -> usize {
    let ascii = ascii_to_utf16(v, bytes, little, out);
    let rest = &bytes[ascii..];
    let rest = &rest[..utf8(v, rest)];
    ascii
        + match little {
            true => append::<V, Utf16Units<true>>(v, rest, out),
            false => append::<V, Utf16Units<false>>(v, rest, out),
        }
}

/// Implements [`Kernels::utf8_to_utf32`](crate::kernel::Kernels::utf8_to_utf32), as [`to_utf16`] does.
#[inline(always)]
pub fn to_utf32<V: Vectors>(v: V, bytes: &[u8], little: bool, out: &mut Vec<u8>) -> usize {
    let ascii = ascii_to_utf32(v, bytes, little, out);
    let rest = &bytes[ascii..];
    ascii + sound_to_utf32(v, &rest[..utf8(v, rest)], little, out)
}

/// Appends UTF-16 of the blocks of ASCII at the front. Returns their number of bytes.
#[inline(always)]
pub fn ascii_to_utf16<V: Vectors>(v: V, bytes: &[u8], little: bool, out: &mut Vec<u8>) -> usize {
    match little {
        true => append_ascii::<V, Utf16Units<true>>(v, bytes, out),
        false => append_ascii::<V, Utf16Units<false>>(v, bytes, out),
    }
}

/// Appends UTF-32, as [`ascii_to_utf16`] does.
#[inline(always)]
pub fn ascii_to_utf32<V: Vectors>(v: V, bytes: &[u8], little: bool, out: &mut Vec<u8>) -> usize {
    match little {
        true => append_ascii::<V, Utf32Units<true>>(v, bytes, out),
        false => append_ascii::<V, Utf32Units<false>>(v, bytes, out),
    }
}

/// Appends UTF-32 of well-formed text. Returns the number of bytes read: leaves at least the last one.
#[inline(always)]
fn sound_to_utf32<V: Vectors>(v: V, bytes: &[u8], little: bool, out: &mut Vec<u8>) -> usize {
    match little {
        true => append::<V, Utf32Units<true>>(v, bytes, out),
        false => append::<V, Utf32Units<false>>(v, bytes, out),
    }
}

/// Appends the units of well-formed text.
#[inline(always)]
fn append<V: Vectors, U: OutputUnits>(v: V, bytes: &[u8], out: &mut Vec<u8>) -> usize {
    let mut room = VectorRoom::behind(out, U::SIZE * bytes.len());
    decode::<V::Single, U>(v.single(), bytes, &mut room)
}

/// Appends the units of the blocks of ASCII at the front.
#[inline(always)]
fn append_ascii<V: Vectors, U: OutputUnits>(v: V, bytes: &[u8], out: &mut Vec<u8>) -> usize {
    let mut room = VectorRoom::behind(out, U::SIZE * bytes.len());
    widen_ascii::<V::Single, U>(v.single(), bytes, &mut room)
}

/// Appends the units of blocks of ASCII while there is room. Returns the number of bytes read.
#[inline(always)]
fn widen_ascii<V: Vectors, U: OutputUnits>(v: V, bytes: &[u8], room: &mut VectorRoom<'_>) -> usize {
    let prefetcher = Prefetcher::new();
    let mut at = 0;
    while let Some(block) = bytes[at..].first_chunk::<BLOCK>()
        && room.has(U::SIZE * BLOCK)
    {
        prefetcher.prefetch(block);
        let vectors = [0, 1, 2, 3].map(|i| v.load(&block[i * LANES..]));
        // SAFETY: the condition checks the room.
        if !unsafe { push_ascii::<V, U>(v, vectors, room) } {
            break;
        }
        at += BLOCK;
    }
    at
}

/// Appends the units of a block if it is ASCII. Returns `false` if it is not.
///
/// # Safety
/// There is room for a unit of each byte.
#[inline(always)]
unsafe fn push_ascii<V: Vectors, U: OutputUnits>(
    v: V,
    vectors: [V::Bytes; 4],
    room: &mut VectorRoom<'_>,
) -> bool {
    let [a, b, c, d] = vectors;
    if v.any(v.or(v.or(a, b), v.or(c, d))) {
        return false;
    }
    let zero = v.splat8(0);
    for bytes in vectors {
        for units in [v.low8(bytes, zero), v.high8(bytes, zero)] {
            // SAFETY: there is room for a unit of each byte.
            unsafe { U::push(v, room, units, None, LANES / 2) };
        }
    }
    true
}

/// Appends the units of blocks while there is room. Returns the number of bytes read.
#[inline(always)]
fn decode<V: Vectors, U: OutputUnits>(v: V, bytes: &[u8], room: &mut VectorRoom<'_>) -> usize {
    let Some(front) = bytes.first_chunk::<{ BLOCK + 1 }>() else { return 0 };
    if !room.has(U::SIZE * BLOCK) {
        return 0;
    }
    let mut first = [0; WINDOW];
    first[BEFORE..].copy_from_slice(front);
    // SAFETY: the room was checked.
    unsafe { decode_block::<V, U>(v, &first, room) };
    let mut at = BLOCK;
    while let Some(window) = bytes[at - BEFORE..].first_chunk()
        && room.has(U::SIZE * BLOCK)
    {
        // SAFETY: the condition checks the room.
        unsafe { decode_block::<V, U>(v, window, room) };
        at += BLOCK;
    }
    let start = boundary(bytes, at);
    // The high surrogate has all its bits in the first three bytes.
    if U::PAIRS && at - start == 3 && bytes[start] >= FOUR {
        room.take_back(U::SIZE);
    }
    start
}

/// Appends the units of the sequences that end in a block.
///
/// # Safety
/// There is room for a unit of each byte.
#[inline(always)]
unsafe fn decode_block<V: Vectors, U: OutputUnits>(
    v: V,
    window: &[u8; WINDOW],
    room: &mut VectorRoom<'_>,
) {
    let load = |at: usize| v.load(&window[at..]);
    let vectors = [0, 1, 2, 3].map(|i| load(BEFORE + i * LANES));
    // SAFETY: there is room for a unit of each byte.
    if unsafe { push_ascii::<V, U>(v, vectors, room) } {
        return;
    }
    let [a, b, c, d] = vectors;
    let largest = v.max8(v.max8(v.max8(a, b), v.max8(c, d)), load(0));
    if v.any(v.eq8(v.max8(largest, v.splat8(FOUR)), largest)) {
        for i in 0..4 {
            // SAFETY: there is room for a unit of each byte.
            unsafe { decode_some::<V, U, true>(v, window, i * LANES, room) };
        }
    } else {
        for i in 0..4 {
            // SAFETY: there is room for a unit of each byte.
            unsafe { decode_some::<V, U, false>(v, window, i * LANES, room) };
        }
    }
}

/// Appends the units of the sequences that end in a vector, which is [`BEFORE`] bytes behind `at`.
///
/// # Safety
/// There is room for a unit of each byte.
#[inline(always)]
unsafe fn decode_some<V: Vectors, U: OutputUnits, const LONG: bool>(
    v: V,
    window: &[u8; WINDOW],
    at: usize,
    room: &mut VectorRoom<'_>,
) {
    let back = |bytes: usize| v.load(&window[at + BEFORE - bytes..]);
    let next = v.load(&window[at + BEFORE + 1..]);
    let [zero, one, two] = [0, 1, 2].map(back);
    let (trail, second) = (v.trails(zero), v.trails(one));
    let mut ends = !v.bits8(v.trails(next));
    // Bits shifted across the edge of a byte are not selected.
    let bits = |bytes: V::Bytes, selected: u8| v.and(bytes, v.splat8(selected));
    let mut low = v.or(bits(zero, 0x3F), bits(v.shl16::<6>(one), 0xC0));
    let upper = v.and(bits(v.shl16::<4>(two), 0xF0), second);
    let mut high = v.and(v.or(bits(v.shr16::<2>(one), 0x0F), upper), trail);
    low = v.select(trail, low, zero);
    let (mut top, mut offset) = (None, None);
    if LONG {
        let is_lead = |bytes| v.eq8(bits(bytes, 0xF8), v.splat8(FOUR));
        let three = back(3);
        let is_end = is_lead(three);
        if U::PAIRS {
            // The low surrogate is at the end, and the high one is before it.
            let own = v.or(bits(v.shr16::<2>(one), 0x03), v.splat8(0xDC));
            high = v.select(is_end, own, high);
            let is_third = is_lead(two);
            ends |= v.bits8(is_third);
            let own = v.or(bits(v.shl16::<2>(one), 0xFC), bits(v.shr16::<4>(zero), 0x03));
            low = v.select(is_third, own, low);
            high = v.select(is_third, bits(two, 0x07), high);
            let (low, high) = (v.splat8(0xC0), v.splat8(0xD7));
            offset = Some([v.and(is_third, low), v.and(is_third, high)]);
        } else {
            let own = v.or(bits(v.shl16::<2>(three), 0x1C), bits(v.shr16::<4>(two), 0x03));
            top = Some(v.and(is_end, own));
        }
    }
    let halves = |[low, high]: [V::Bytes; 2]| [v.low8(low, high), v.high8(low, high)];
    let units = halves([low, high]);
    let tops = top.map(|top| halves([top, v.splat8(0)]));
    let offsets = offset.map(halves);
    for half in 0..2 {
        let ends = ends >> (8 * half) & 0xFF;
        let places = v.load(&squeeze::UNITS[ends as usize]);
        let units = offsets.map_or(units[half], |offsets| v.add16(units[half], offsets[half]));
        let top = tops.map(|tops| v.shuffle(tops[half], places));
        // SAFETY: there is room for a unit of each byte.
        unsafe { U::push(v, room, v.shuffle(units, places), top, ends.count_ones() as usize) };
    }
}
