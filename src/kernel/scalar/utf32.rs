//! Loops that validate UTF-32 and write it as UTF-8.

use crate::kernel::prefetch::Prefetcher;
use crate::kernel::{LONGEST_UTF8, Utf8Form, append_blocks};

/// The number of values that are validated between two decisions.
const VALUES: usize = 32;

#[inline(always)]
pub fn well_formed(bytes: &[u8], little: bool) -> usize {
    match little {
        true => sound_values(bytes, u32::from_le_bytes),
        false => sound_values(bytes, u32::from_be_bytes),
    }
}

#[inline(always)]
fn sound_values(bytes: &[u8], value: impl Fn([u8; 4]) -> u32) -> usize {
    let sound = sound_blocks(bytes, &value);
    let units = bytes[sound..].as_chunks().0.iter().map(|&unit| value(unit));
    sound + 4 * units.map_while(char::from_u32).count()
}

/// Returns the length in bytes of the blocks at the front that have scalar values only. The compiler
/// vectorizes it.
#[inline(always)]
fn sound_blocks(bytes: &[u8], value: impl Fn([u8; 4]) -> u32) -> usize {
    const LIMIT: u32 = char::MAX as u32 + 1 - 0x800;
    let mut at = 0;
    let prefetcher = Prefetcher::new();
    while let Some(block) = bytes[at..].first_chunk::<{ 4 * VALUES }>() {
        prefetcher.prefetch(block);
        let mut largest = 0;
        for &unit in block.as_chunks().0 {
            // Surrogates become the greatest values, and the others stay in front of their limit.
            largest = largest.max((value(unit) ^ 0xD800).wrapping_sub(0x800));
        }
        if largest >= LIMIT {
            break;
        }
        at += block.len();
    }
    at
}

pub fn to_utf8(bytes: &[u8], little: bool, out: &mut Vec<u8>) -> usize {
    let order = if little { u32::from_le_bytes } else { u32::from_be_bytes };
    let (units, _) = bytes.as_chunks();
    LONGEST_UTF8
        * append_blocks::<LONGEST_UTF8, _>(out, LONGEST_UTF8 * units.len(), |room| {
            let forms = units.iter().map(|&unit| Utf8Form::of(order(unit)));
            let forms = forms.take_while(|&form| form != Utf8Form::NONE);
            forms.map(|form| room.push_form(form)).count()
        })
}
