//! UTF-16 and code points to UTF-8, with vectors.
//!
//! Each unit or value is spread over the bytes of its longest form. A table moves those that its form
//! has to the front of the vector.

use super::from_utf8::swapped16;
use super::room::VectorRoom;
use super::squeeze;
use super::vector::{LANES, Vectors, load_values, with_vectors};

/// The number of units of UTF-16 between two decisions.
const UNITS: usize = 2 * LANES;
/// The number of values between two decisions.
const VALUES: usize = LANES;

/// The bytes that the vectors of a block may take: three for each unit, or four for each value, and
/// those of the last vector that do not count.
const MOST: usize = 3 * UNITS + LANES;

with_vectors! {
    /// Appends the UTF-8 of well-formed UTF-16, without a pair that the end cuts. Returns the number of
    /// bytes read.
    fn from_utf16(bytes: &[u8], little: bool, out: &mut Vec<u8>) -> usize = append_units;
    /// Appends the UTF-8 of values, up to one that is no scalar value. Returns the number of values.
    fn from_values(values: &[u32], out: &mut Vec<u8>) -> usize = append_values;
}

#[inline(always)]
fn append_units<V: Vectors>(v: V, bytes: &[u8], little: bool, out: &mut Vec<u8>) -> usize {
    // A unit has three bytes at most.
    let most = bytes.len() / 2 * 3 + MOST;
    let mut room = VectorRoom::behind(out, most);
    match little {
        true => encode_units::<V, true>(v, bytes, &mut room),
        false => encode_units::<V, false>(v, bytes, &mut room),
    }
}

/// The size of a block of UTF-16 in bytes.
const BLOCK: usize = 2 * UNITS;
/// The size of a block and of the unit before it.
const WINDOW: usize = 2 + BLOCK;

#[inline(always)]
fn encode_units<V: Vectors, const LITTLE: bool>(
    v: V,
    bytes: &[u8],
    room: &mut VectorRoom<'_>,
) -> usize {
    let front = bytes.first_chunk::<BLOCK>().filter(|_| room.has(MOST));
    let Some(front) = front else { return 0 };
    let mut first = [0; WINDOW];
    first[2..].copy_from_slice(front);
    // SAFETY: the room was checked.
    unsafe { encode_block::<V, LITTLE>(v, &first, room) };
    let mut at = BLOCK;
    while let Some(window) = bytes[at - 2..].first_chunk()
        && room.has(MOST)
    {
        // SAFETY: the condition checks the room.
        unsafe { encode_block::<V, LITTLE>(v, window, room) };
        at += BLOCK;
    }
    let last = if LITTLE { bytes[at - 1] } else { bytes[at - 2] };
    if last & 0xFC == 0xD8 {
        // The rest of the pair follows. Its first unit is written as two bytes.
        room.take_back(2);
        at -= 2;
    }
    at
}

/// Appends the forms of a block of units.
///
/// # Safety
/// The room has [`MOST`] bytes for the block.
#[inline(always)]
unsafe fn encode_block<V: Vectors, const LITTLE: bool>(
    v: V,
    window: &[u8; WINDOW],
    room: &mut VectorRoom<'_>,
) {
    let load = |at: usize| {
        let units = v.load(window[at..].first_chunk().unwrap());
        if LITTLE { units } else { swapped16(v, units) }
    };
    let [a, b, c, d] = [0, 1, 2, 3].map(|i| load(2 + i * LANES));
    if !v.meet(v.or(v.or(a, b), v.or(c, d)), v.splat16(0xFF80)) {
        let bytes = [v.narrow16(a, b), v.narrow16(c, d)];
        // SAFETY: as the caller guarantees.
        unsafe { room.push(bytes.map(|bytes| v.store(bytes)), UNITS) };
        return;
    }
    for (i, [a, b]) in [[a, b], [c, d]].into_iter().enumerate() {
        if !v.meet(v.or(a, b), v.splat16(0xF800)) {
            // SAFETY: as the caller guarantees.
            unsafe {
                push_short(v, a, room);
                push_short(v, b, room);
            }
            continue;
        }
        let has_pairs = v.any(v.or(surrogates(v, a), surrogates(v, b)));
        for (units, at) in [(a, 2 * i * LANES), (b, (2 * i + 1) * LANES)] {
            let before = has_pairs.then(|| load(at));
            // SAFETY: as the caller guarantees.
            unsafe { push_units(v, units, before, room) };
        }
    }
}

/// Appends the forms of eight units below 800.
///
/// # Safety
/// The room has [`MOST`] bytes for the block.
#[inline(always)]
unsafe fn push_short<V: Vectors>(v: V, units: V::Bytes, room: &mut VectorRoom<'_>) {
    let ascii = v.eq16(v.and(units, v.splat16(0xFF80)), v.splat8(0));
    let last = v.shl16::<8>(units);
    let form = v.or(v.shr16::<6>(units), v.and(last, v.splat16(0x3F00)));
    let form = v.select(ascii, last, v.or(form, v.splat16(0x80C0)));
    let ascii = v.bits16(ascii);
    let places = v.load(&squeeze::SHORT_FORMS[(ascii & 0xFF) as usize]);
    let len = LANES - ascii.count_ones() as usize;
    // SAFETY: as the caller guarantees.
    unsafe { room.push([v.store(v.shuffle(form, places))], len) };
}

/// Appends the forms of eight units, of which half a pair has two of the four bytes. The units before
/// them are given if there are surrogates.
///
/// # Safety
/// The room has [`MOST`] bytes for the block.
#[inline(always)]
unsafe fn push_units<V: Vectors>(
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
    for (half, forms) in forms.into_iter().enumerate() {
        let lens = lens >> (8 * half) & 0xFF;
        let places = v.load(&squeeze::FORMS[lens as usize]);
        let len = 12 - lens.count_ones() as usize;
        // SAFETY: as the caller guarantees.
        unsafe { room.push([v.store(v.shuffle(forms, places))], len) };
    }
}

#[inline(always)]
fn append_values<V: Vectors>(v: V, values: &[u32], out: &mut Vec<u8>) -> usize {
    let most = 4 * values.len() + MOST;
    let mut room = VectorRoom::behind(out, most);
    let mut done = 0;
    while let Some(block) = values[done..].first_chunk()
        && room.has(MOST)
        // SAFETY: the condition before this one checks the room.
        && unsafe { encode_values(v, block, &mut room) }
    {
        done += VALUES;
    }
    done
}

/// Appends the forms of values if all are scalar values.
///
/// # Safety
/// The room has [`MOST`] bytes for the block.
#[inline(always)]
unsafe fn encode_values<V: Vectors>(
    v: V,
    values: &[u32; VALUES],
    room: &mut VectorRoom<'_>,
) -> bool {
    let (vectors, _) = values.as_chunks();
    let [a, b, c, d] = [0, 1, 2, 3].map(|i| load_values(v, &vectors[i]));
    let all = v.or(v.or(a, b), v.or(c, d));
    if !v.meet(all, v.splat32(0xFFFF_FF80)) {
        let (front, behind) = (v.narrow32(a, b), v.narrow32(c, d));
        // SAFETY: as the caller guarantees.
        unsafe { room.push([v.store(v.narrow16(front, behind))], LANES) };
        return true;
    }
    if v.meet(all, v.splat32(0xFFFF_0000)) {
        let is_sound = [a, b, c, d].iter().all(|&some| are_scalars(v, some));
        if is_sound {
            // SAFETY: as the caller guarantees.
            unsafe {
                push_values(v, [a, b], room);
                push_values(v, [c, d], room);
            }
        }
        return is_sound;
    }
    let (front, behind) = (v.narrow32(a, b), v.narrow32(c, d));
    if !v.meet(all, v.splat32(0xF800)) {
        // SAFETY: as the caller guarantees.
        unsafe {
            push_short(v, front, room);
            push_short(v, behind, room);
        }
        return true;
    }
    let is_sound = !v.any(v.or(surrogates(v, front), surrogates(v, behind)));
    if is_sound {
        // SAFETY: as the caller guarantees.
        unsafe {
            push_units(v, front, None, room);
            push_units(v, behind, None, room);
        }
    }
    is_sound
}

/// Returns the mask of the surrogates.
#[inline(always)]
pub fn surrogates<V: Vectors>(v: V, units: V::Bytes) -> V::Bytes {
    v.eq16(v.and(units, v.splat16(0xF800)), v.splat16(0xD800))
}

/// Returns `true` if four values are scalar values.
#[inline(always)]
pub fn are_scalars<V: Vectors>(v: V, values: V::Bytes) -> bool {
    let surrogates = v.eq32(v.and(values, v.splat32(0xFFFF_F800)), v.splat32(0xD800));
    let plane = v.shr32::<16>(values);
    let planes = v.eq32(v.max8(plane, v.splat32(0x10)), v.splat32(0x10));
    !v.any(surrogates) && v.bits8(planes) == 0xFFFF
}

/// Appends the forms of eight scalar values.
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
    for (half, forms) in forms.into_iter().enumerate() {
        let lens = lens >> (8 * half) & 0xFF;
        let places = v.load(&squeeze::FORMS[lens as usize]);
        // A bit tells of a byte less, but one for four bytes of a byte more.
        let fours = v.bits32(long[half]).count_ones();
        let len = (12 - lens.count_ones() + 2 * fours) as usize;
        // SAFETY: as the caller guarantees.
        unsafe { room.push([v.store(v.shuffle(forms, places))], len) };
    }
}

/// Returns the forms of four scalar values, given the masks of their lengths: one byte, at most two,
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
