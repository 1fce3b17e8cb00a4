//! Loops that validate, read and write UTF-16.

use crate::kernel::{BLOCK, Loaded, front};

/// The two bytes of a code unit, in the order of the text.
type Unit = [u8; 2];

#[inline(always)]
fn unit<const LITTLE: bool>(unit: Unit) -> u16 {
    if LITTLE { u16::from_le_bytes(unit) } else { u16::from_be_bytes(unit) }
}

#[inline(always)]
fn bytes<const LITTLE: bool>(unit: u16) -> Unit {
    if LITTLE { unit.to_le_bytes() } else { unit.to_be_bytes() }
}

/// Returns a block of units at the front, if there is one without surrogates.
#[inline(always)]
fn plain<const LITTLE: bool>(units: &[Unit]) -> Option<[u16; BLOCK]> {
    let units = units.first_chunk()?.map(unit::<LITTLE>);
    // Without an early exit, so that the compiler vectorizes it.
    let any = units.iter().fold(false, |any, unit| any | (unit & 0xF800 == 0xD800));
    (!any).then_some(units)
}

/// Returns the code point at the front, lone surrogates included, and its length in units.
#[inline(always)]
fn point<const LITTLE: bool>(units: &[Unit]) -> Option<(u32, usize)> {
    let first = unit::<LITTLE>(*units.first()?);
    let second = units.get(1).map_or(0, |&second| unit::<LITTLE>(second));
    let point = match (first, second) {
        (0xD800..0xDC00, 0xDC00..0xE000) => {
            let bits = u32::from(first & 0x3FF) << 10 | u32::from(second & 0x3FF);
            (0x1_0000 + bits, 2)
        }
        _ => (first.into(), 1),
    };
    Some(point)
}

pub fn well_formed(bytes: &[u8], little: bool) -> usize {
    let (units, _) = bytes.as_chunks();
    2 * if little { validate::<true>(units) } else { validate::<false>(units) }
}

fn validate<const LITTLE: bool>(units: &[Unit]) -> usize {
    let mut at = 0;
    loop {
        if plain::<LITTLE>(&units[at..]).is_some() {
            at += BLOCK;
            continue;
        }
        for _ in 0..BLOCK {
            match point::<LITTLE>(&units[at..]) {
                Some((value, len)) if char::from_u32(value).is_some() => at += len,
                _ => return at,
            }
        }
    }
}

pub fn read(bytes: &[u8], little: bool, values: &mut [u32]) -> Loaded {
    let (units, _) = bytes.as_chunks();
    if little { load::<true>(units, values) } else { load::<false>(units, values) }
}

fn load<const LITTLE: bool>(units: &[Unit], values: &mut [u32]) -> Loaded {
    let (mut at, mut written) = (0, 0);
    while let Some(room) = values[written..].first_chunk_mut() {
        if let Some(units) = plain::<LITTLE>(&units[at..]) {
            *room = units.map(u32::from);
            (at, written) = (at + BLOCK, written + BLOCK);
            continue;
        }
        for value in room {
            let Some((point, len)) = point::<LITTLE>(&units[at..]) else {
                return Loaded { read: 2 * at, written };
            };
            *value = point;
            (at, written) = (at + len, written + 1);
        }
    }
    Loaded { read: 2 * at, written }
}

pub fn write(values: &[u32], little: bool, out: &mut Vec<u8>) -> usize {
    append(out, 4 * values.len(), |room| {
        let (units, _) = room.as_chunks_mut();
        let (done, len) =
            if little { store::<true>(values, units) } else { store::<false>(values, units) };
        (done, 2 * len)
    })
}

fn store<const LITTLE: bool>(values: &[u32], room: &mut [Unit]) -> (usize, usize) {
    let (mut done, mut len) = (0, 0);
    while done < values.len() {
        let plain = narrow(&values[done..], 0xD800, &mut room[len..], |value| {
            bytes::<LITTLE>(value as u16)
        });
        (done, len) = (done + plain, len + plain);
        for &value in values[done..].iter().take(BLOCK) {
            let Some(scalar) = char::from_u32(value) else { return (done, len) };
            for &mut unit in scalar.encode_utf16(&mut [0; 2]) {
                room[len] = bytes::<LITTLE>(unit);
                len += 1;
            }
            done += 1;
        }
    }
    (done, len)
}

/// Appends up to `most` bytes that `write` fills in. `write` returns the number of values it has read
/// and of bytes it has written; the first is returned.
fn append(
    text: &mut Vec<u8>,
    most: usize,
    write: impl FnOnce(&mut [u8]) -> (usize, usize),
) -> usize {
    let start = text.len();
    text.resize(start + most, 0);
    let (read, len) = write(&mut text[start..]);
    text.truncate(start + len);
    read
}

/// Writes each value at the front that is below `limit` as one unit. Returns the number of values.
#[inline(always)]
fn narrow<T>(values: &[u32], limit: u32, room: &mut [T], unit: impl Fn(u32) -> T) -> usize {
    let plain = front(values, |value| value < limit);
    let pairs = room.iter_mut().zip(&values[..plain]);
    pairs.for_each(|(room, &value)| *room = unit(value));
    plain
}
