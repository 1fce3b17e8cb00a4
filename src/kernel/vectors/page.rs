//! Code pages to UTF-8, with vectors.

use super::room::VectorRoom;
use super::to_utf8::{push_short, push_units};
use super::vector::{Lanes, Vectors};
use crate::kernel::page::{PageChars, TableSteps};
use crate::kernel::prefetch::{LINE, Prefetcher};
use crate::kernel::scalar;

/// Implements [`Kernels::write_page`](crate::kernel::Kernels::write_page).
#[inline(always)]
pub fn write<V: Vectors>(v: V, bytes: &[u8], page: &PageChars, out: &mut Vec<u8>) -> usize {
    let done = append_vectors(v, bytes, page, out);
    done + scalar::write_page(&bytes[done..], page, out)
}

/// Appends the characters of bytes as UTF-8. Leaves the bytes of less than a vector.
#[inline(always)]
fn append_vectors<V: Vectors>(v: V, bytes: &[u8], page: &PageChars, out: &mut Vec<u8>) -> usize {
    let (has_ascii, is_latin1, zero) = (page.has_ascii(), page.is_latin1(), v.splat8(0));
    let is_by_byte = is_by_byte::<V>(page);
    if is_by_byte && !has_ascii {
        return 0;
    }
    // A character has three bytes at most, and those of the last vector that do not count.
    let mut room = VectorRoom::behind(out, 3 * bytes.len() + V::SIZE);
    let prefetcher = Prefetcher::new();
    let mut at = 0;
    while at + V::SIZE <= bytes.len() && room.has(4 * V::SIZE) {
        if at.is_multiple_of(LINE) {
            prefetcher.prefetch(&bytes[at..at + V::SIZE]);
        }
        let some = v.load(&bytes[at..]);
        at += V::SIZE;
        if has_ascii && !v.any(some) {
            // SAFETY: the condition checks the room.
            unsafe { room.push(v.store(some), V::SIZE) };
            continue;
        }
        if is_by_byte {
            for &byte in &bytes[at - V::SIZE..at] {
                let form = page.forms[usize::from(byte)];
                // SAFETY: the condition checks the room: a form has four bytes.
                unsafe { room.push(form.bytes(), form.short_count()) };
            }
            continue;
        }
        let some = v.apart(some);
        let mut units = [v.low8(some, zero), v.high8(some, zero)];
        if let Some(steps) = &page.steps {
            // Other pages are read byte by byte.
            let low = look_up(v, steps, some);
            units = [v.low8(low, zero), v.high8(low, zero)];
        } else if !is_latin1 {
            let [low, high] = offsets(v, some, page);
            units[0] = v.add16(units[0], v.low8(low, high));
            units[1] = v.add16(units[1], v.high8(low, high));
        }
        // Most characters of an EBCDIC page are ASCII.
        if !has_ascii && !v.meet(v.or(units[0], units[1]), v.splat16(0xFF80)) {
            let bytes = v.narrow16(units[0], units[1]);
            // SAFETY: the condition checks the room.
            unsafe { room.push(v.store(bytes), V::SIZE) };
            continue;
        }
        for units in units {
            // SAFETY: the condition checks the room: a unit has three bytes at most.
            unsafe {
                // A character of Latin-1 has two bytes at most.
                if is_latin1 || !v.meet(units, v.splat16(0xF800)) {
                    push_short(v, units, &mut room);
                } else {
                    push_units(v, units, None, &mut room);
                }
            }
        }
    }
    at
}

/// Returns `true` if a look-up of each byte takes less time than vectors: for two bytes of each element
/// of a whole table, and for more irregular upper halves than five, or six with longer vectors, as was
/// measured.
fn is_by_byte<V: Vectors>(page: &PageChars) -> bool {
    match page.steps {
        Some(_) => V::PARTS == 1 || page.has_high_bytes(),
        None => page.irregular.len() > 4 + V::PARTS,
    }
}

/// Returns the element of each byte in a table.
#[inline(always)]
fn look_up<V: Vectors>(v: V, steps: &TableSteps, bytes: V::Bytes) -> V::Bytes {
    let (rows, _) = steps.as_chunks::<8>();
    let mut found = v.splat8(0);
    // Places of the other half of the table stay negative.
    for (rows, half) in rows.iter().zip([0, 0x80]) {
        let mut places = v.xor(bytes, v.splat8(half));
        for row in rows {
            found = v.xor(found, v.shuffle_low(v.load_each(row), places));
            places = v.less_signed8(places, v.splat8(16));
        }
    }
    found
}

/// Returns the code points of bytes less the bytes: the low bytes and the high ones.
#[inline(always)]
fn offsets<V: Vectors>(v: V, bytes: V::Bytes, page: &PageChars) -> [V::Bytes; 2] {
    let upper = v.and(v.shr16::<4>(bytes), v.splat8(0xF));
    let of_rows = |rows: &Lanes| v.shuffle(v.load_each(rows), upper);
    let mut offsets = page.regular.each_ref().map(of_rows);
    if v.any(of_rows(&page.is_irregular)) {
        let lower = v.and(bytes, v.splat8(0xF));
        for (row, of_row) in &page.irregular {
            let is_here = v.eq8(upper, v.splat8(*row));
            for (offsets, of_row) in offsets.iter_mut().zip(of_row) {
                let found = v.shuffle(v.load_each(of_row), lower);
                *offsets = v.or(*offsets, v.and(is_here, found));
            }
        }
    }
    offsets
}
