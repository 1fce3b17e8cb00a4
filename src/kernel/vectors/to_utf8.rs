//! UTF-16 and UTF-32 to UTF-8, with vectors.
//!
//! Each unit or value is spread over the bytes of its longest form. A table moves those that its form
//! has to the front of the vector.

use super::from_utf8::swapped16;
use super::room::VectorRoom;
use super::squeeze;
use super::vector::{LANES, Vectors};
use crate::kernel::prefetch::Prefetcher;
use crate::kernel::scalar;

/// The number of units or values between two decisions.
const BLOCK: usize = 2 * LANES;

/// The bytes that the vectors of a block may take: four for each value, and those of the last vector
/// that do not count.
const MOST: usize = 4 * BLOCK + 2 * LANES;

/// Implements [`Kernels::utf16_to_utf8`](crate::kernel::Kernels::utf16_to_utf8). Leaves less than a
/// block.
#[inline(always)]
pub fn from_utf16<V: Vectors>(v: V, bytes: &[u8], little: bool, out: &mut Vec<u8>) -> usize {
    // A unit has three bytes at most.
    let mut room = VectorRoom::behind(out, bytes.len() / 2 * 3 + MOST);
    match little {
        true => encode_utf16::<V, true>(v, bytes, &mut room),
        false => encode_utf16::<V, false>(v, bytes, &mut room),
    }
}

/// The size of a block of UTF-16 in bytes.
const BYTES: usize = 2 * BLOCK;
/// The size of a block and of the unit before it.
const WINDOW: usize = 2 + BYTES;

#[inline(always)]
fn encode_utf16<V: Vectors, const LITTLE: bool>(
    v: V,
    bytes: &[u8],
    room: &mut VectorRoom<'_>,
) -> usize {
    let front = bytes.first_chunk::<BYTES>().filter(|_| room.has(MOST));
    let Some(front) = front else { return 0 };
    let mut first = [0; WINDOW];
    first[2..].copy_from_slice(front);
    let prefetcher = Prefetcher::new();
    // SAFETY: the room was checked.
    let mut read = unsafe { encode_units::<V, LITTLE>(v, &first, room) };
    let mut at = read;
    while read == BYTES
        && let Some(window) = bytes[at - 2..].first_chunk()
        && room.has(MOST)
    {
        prefetcher.prefetch(&window[2..]);
        // SAFETY: the condition checks the room.
        read = unsafe { encode_units::<V, LITTLE>(v, window, room) };
        at += read;
    }
    if at > 0 && is_high::<LITTLE>(bytes[at - 2..at].first_chunk()) {
        // The rest of the pair follows. Its first unit is written as two bytes.
        room.take_back(2);
        at -= 2;
    }
    at
}

/// Returns `true` for a high surrogate.
#[inline(always)]
fn is_high<const LITTLE: bool>(unit: Option<&[u8; 2]>) -> bool {
    unit.is_some_and(|&[a, b]| if LITTLE { b } else { a } & 0xFC == 0xD8)
}

/// Appends the forms of a block of units, up to a vector with a surrogate that is not in its place. The
/// unit before the block was written. Returns the number of bytes read.
///
/// # Safety
/// The room has [`MOST`] bytes for the block.
#[inline(always)]
unsafe fn encode_units<V: Vectors, const LITTLE: bool>(
    v: V,
    window: &[u8; WINDOW],
    room: &mut VectorRoom<'_>,
) -> usize {
    let load = |at: usize| {
        let units = v.load(&window[at..]);
        if LITTLE { units } else { swapped16(v, units) }
    };
    let starts = |vectors: usize| (2..WINDOW).step_by(vectors * V::SIZE);
    let any = starts(1).fold(v.splat8(0), |any, at| v.or(any, load(at)));
    let mut is_open = is_high::<LITTLE>(window.first_chunk());
    if !is_open && !v.meet(any, v.splat16(0xFF80)) {
        for at in starts(2) {
            let bytes = v.narrow16(load(at), load(at + V::SIZE));
            // SAFETY: as the caller guarantees.
            unsafe { room.push(v.store(bytes), V::SIZE) };
        }
        return BYTES;
    }
    for at in starts(1) {
        let units = load(at);
        // SAFETY: as the caller guarantees.
        unsafe {
            if !is_open && !v.meet(units, v.splat16(0xF800)) {
                push_short(v, units, room);
            } else if is_open || v.any(surrogates(v, units)) {
                let before = load(at - 2);
                if !are_paired(v, before, units) {
                    return at - 2;
                }
                push_units(v, units, Some(before), room);
                is_open = is_high::<LITTLE>(window[at + V::SIZE - 2..].first_chunk());
            } else {
                push_units(v, units, None, room);
            }
        }
    }
    BYTES
}

/// Returns `true` if a unit is a low surrogate exactly where the one before it is a high one.
#[inline(always)]
fn are_paired<V: Vectors>(v: V, before: V::Bytes, units: V::Bytes) -> bool {
    let which =
        |units: V::Bytes, bits: u16| v.eq16(v.and(units, v.splat16(0xFC00)), v.splat16(bits));
    let same = v.eq16(which(before, 0xD800), which(units, 0xDC00));
    v.bits8(same) == u32::MAX >> (u32::BITS as usize - V::SIZE)
}

/// Appends the forms of units below 800.
///
/// # Safety
/// The room has [`MOST`] bytes for the block.
#[inline(always)]
pub unsafe fn push_short<V: Vectors>(v: V, units: V::Bytes, room: &mut VectorRoom<'_>) {
    let ascii = v.eq16(v.and(units, v.splat16(0xFF80)), v.splat8(0));
    let last = v.shl16::<8>(units);
    let form = v.or(v.shr16::<6>(units), v.and(last, v.splat16(0x3F00)));
    let form = v.select(ascii, last, v.or(form, v.splat16(0x80C0)));
    let ascii = v.bits16(ascii);
    for part in 0..V::PARTS {
        let ascii = ascii >> (LANES * part) & 0xFF;
        let places = &squeeze::SHORT_FORMS[ascii as usize];
        let len = LANES - ascii.count_ones() as usize;
        // SAFETY: as the caller guarantees.
        unsafe { room.push(v.shuffle_part(form, part, places), len) };
    }
}

/// Appends the forms of units, of which half a pair has two of the four bytes. The units before
/// them are given if there are surrogates.
///
/// # Safety
/// The room has [`MOST`] bytes for the block.
#[inline(always)]
pub unsafe fn push_units<V: Vectors>(
    v: V,
    units: V::Bytes,
    before: Option<V::Bytes>,
    room: &mut VectorRoom<'_>,
) {
    let bits = |units: V::Bytes, selected: u16| v.and(units, v.splat16(selected));
    let zero = v.splat8(0);
    let ascii = v.eq16(bits(units, 0xFF80), zero);
    let mut short = v.eq16(bits(units, 0xF800), zero);
    // The lead byte is the first or, in a short form, the second.
    let front = v.or(v.shr16::<12>(units), bits(v.shl16::<2>(units), 0x3F00));
    let mut front = v.or(front, v.select(short, v.splat16(0xC0E0), v.splat16(0x80E0)));
    let mut last = v.select(ascii, units, v.or(bits(units, 0x3F), v.splat16(0x80)));
    if let Some(before) = before {
        // The upper bits of the code point.
        let upper = v.add16(bits(units, 0x3FF), v.splat16(0x40));
        let is_high = v.eq16(bits(units, 0xFC00), v.splat16(0xD800));
        let is_low = v.eq16(bits(units, 0xFC00), v.splat16(0xDC00));
        let lead = v.or(bits(upper, 0x700), v.splat16(0xF000));
        let second = v.or(bits(v.shr16::<2>(upper), 0x3F), v.splat16(0x80));
        let third = v.or(bits(v.shl16::<12>(before), 0x3000), bits(v.shl16::<2>(units), 0x0F00));
        let third = v.or(third, v.splat16(0x8000));
        front = v.select(is_high, lead, v.select(is_low, third, front));
        last = v.select(is_high, second, last);
        short = v.or(short, v.or(is_high, is_low));
    }
    let forms = [v.low16(front, last), v.high16(front, last)];
    let lens = v.bits8(v.select(v.splat16(0xFF), ascii, short));
    for part in 0..V::PARTS {
        for (half, &forms) in forms.iter().enumerate() {
            let lens = lens >> (LANES * part + 8 * half) & 0xFF;
            let places = &squeeze::FORMS[lens as usize];
            let len = 12 - lens.count_ones() as usize;
            // SAFETY: as the caller guarantees.
            unsafe { room.push(v.shuffle_part(forms, part, places), len) };
        }
    }
}

/// Implements [`Kernels::utf32_to_utf8`](crate::kernel::Kernels::utf32_to_utf8).
#[inline(always)]
pub fn from_utf32<V: Vectors>(v: V, bytes: &[u8], little: bool, out: &mut Vec<u8>) -> usize {
    let read = append_utf32(v, bytes, little, out);
    read + scalar::utf32_to_utf8(&bytes[read..], little, out)
}

/// Appends the UTF-8 of blocks of UTF-32, up to a unit that is no scalar value. Returns the number
/// of bytes read.
#[inline(always)]
fn append_utf32<V: Vectors>(v: V, bytes: &[u8], little: bool, out: &mut Vec<u8>) -> usize {
    let mut room = VectorRoom::behind(out, bytes.len() + MOST);
    match little {
        true => encode_utf32::<V, true>(v, bytes, &mut room),
        false => encode_utf32::<V, false>(v, bytes, &mut room),
    }
}

#[inline(always)]
fn encode_utf32<V: Vectors, const LITTLE: bool>(
    v: V,
    bytes: &[u8],
    room: &mut VectorRoom<'_>,
) -> usize {
    let prefetcher = Prefetcher::new();
    let mut at = 0;
    while let Some(block) = bytes[at..].first_chunk()
        && room.has(MOST)
    {
        prefetcher.prefetch(block);
        // SAFETY: the condition checks the room.
        let read = unsafe { encode_values::<V, LITTLE>(v, block, room) };
        at += read;
        if read < block.len() {
            break;
        }
    }
    at
}

/// Appends the forms of a block of values, up to a vector with one that is no scalar value. Returns the
/// number of bytes read.
///
/// # Safety
/// The room has [`MOST`] bytes for the block.
#[inline(always)]
unsafe fn encode_values<V: Vectors, const LITTLE: bool>(
    v: V,
    block: &[u8; 4 * BLOCK],
    room: &mut VectorRoom<'_>,
) -> usize {
    static REVERSED: [u8; 2 * LANES] = [
        3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12, 3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8,
        15, 14, 13, 12,
    ];
    let load = |at: usize| {
        let values = v.load(&block[at..]);
        if LITTLE { values } else { v.shuffle(values, v.load(&REVERSED)) }
    };
    let starts = |vectors: usize| (0..block.len()).step_by(vectors * V::SIZE);
    let pair = |at: usize| [load(at), load(at + V::SIZE)];
    let narrow = |[a, b]: [V::Bytes; 2]| v.narrow32(a, b);
    let any = starts(1).fold(v.splat8(0), |any, at| v.or(any, load(at)));
    if !v.meet(any, v.splat32(0xFFFF_FF80)) {
        for at in starts(4) {
            let bytes = v.narrow_ascii(std::array::from_fn(|number| load(at + number * V::SIZE)));
            // SAFETY: as the caller guarantees.
            unsafe { room.push(v.store(bytes), V::SIZE) };
        }
        return block.len();
    }
    for at in starts(2) {
        let [a, b] = pair(at);
        let has = |bits: u32| v.meet(v.or(a, b), v.splat32(bits));
        // SAFETY: as the caller guarantees.
        unsafe {
            if !has(0xFFFF_F800) {
                push_short(v, narrow([a, b]), room);
            } else if has(0xFFFF_0000) {
                if !are_scalars(v, a) || !are_scalars(v, b) {
                    return at;
                }
                push_values(v, [a, b], room);
            } else {
                let units = narrow([a, b]);
                if v.any(surrogates(v, units)) {
                    return at;
                }
                push_units(v, units, None, room);
            }
        }
    }
    block.len()
}

/// Returns the mask of the surrogates.
#[inline(always)]
pub fn surrogates<V: Vectors>(v: V, units: V::Bytes) -> V::Bytes {
    v.eq16(v.and(units, v.splat16(0xF800)), v.splat16(0xD800))
}

/// Returns `true` if all values are scalar values.
#[inline(always)]
pub fn are_scalars<V: Vectors>(v: V, values: V::Bytes) -> bool {
    let surrogates = v.eq32(v.and(values, v.splat32(0xFFFF_F800)), v.splat32(0xD800));
    // From plane 11 on, the sum has the highest bit.
    let planes = v.add32(v.shr32::<16>(values), v.splat32((1 << 31) - 0x11));
    !v.meet(v.or(surrogates, planes), v.splat32(1 << 31))
}

/// Appends the forms of scalar values.
///
/// # Safety
/// The room has [`MOST`] bytes for the block.
#[inline(always)]
unsafe fn push_values<V: Vectors>(v: V, values: [V::Bytes; 2], room: &mut VectorRoom<'_>) {
    let zero = v.splat8(0);
    let without = |mask: u32| values.map(|some| v.eq32(v.and(some, v.splat32(mask)), zero));
    let (ascii, short, plain) = (without(0xFFFF_FF80), without(0xFFFF_F800), without(0xFFFF_0000));
    let long = plain.map(|plain| v.eq32(plain, zero));
    let form = |half: usize| value_forms(v, values[half], ascii[half], short[half], long[half]);
    let forms = [form(0), form(1)];
    // The mark of four bytes is that of ASCII without that of a short form.
    let ascii = v.narrow_masks(v.or(ascii[0], long[0]), v.or(ascii[1], long[1]));
    let short = v.narrow_masks(short[0], short[1]);
    let lens = v.bits8(v.select(v.splat16(0xFF), ascii, short));
    for (half, &forms) in forms.iter().enumerate() {
        let fours = v.bits32(long[half]);
        for part in 0..V::PARTS {
            let lens = lens >> (8 * (V::PARTS * half + part)) & 0xFF;
            let places = &squeeze::FORMS[lens as usize];
            // A bit tells of a byte less, but one for four bytes of a byte more.
            let fours = (fours >> (4 * part) & 0xF).count_ones();
            let len = (12 - lens.count_ones() + 2 * fours) as usize;
            // SAFETY: as the caller guarantees.
            unsafe { room.push(v.shuffle_part(forms, part, places), len) };
        }
    }
}

/// Returns the forms of scalar values, given the masks of their lengths: one byte, at most two,
/// and four.
#[inline(always)]
fn value_forms<V: Vectors>(
    v: V,
    values: V::Bytes,
    ascii: V::Bytes,
    short: V::Bytes,
    long: V::Bytes,
) -> V::Bytes {
    let bits = |values: V::Bytes, selected: u32| v.and(values, v.splat32(selected));
    let second = bits(v.shl32::<2>(values), 0x3F00);
    let three = v.or(v.or(v.shr32::<12>(values), second), v.splat32(0x80_80E0));
    let last = bits(v.shl32::<16>(values), 0x3F_0000);
    let three = v.or(v.or(three, bits(short, 0x4000)), last);
    let four = v.or(v.shr32::<18>(values), bits(v.shr32::<4>(values), 0x3F00));
    let four = v.or(four, bits(v.shl32::<10>(values), 0x3F_0000));
    let four = v.or(four, bits(v.shl32::<24>(values), 0x3F00_0000));
    let four = v.or(four, v.splat32(0x8080_80F0));
    v.select(long, four, v.select(ascii, v.shl32::<16>(values), three))
}
