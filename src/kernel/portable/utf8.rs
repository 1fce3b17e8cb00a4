//! Portable loops that read and write the code points of UTF-8.

use super::{from_utf8, to_utf8};
use crate::kernel::{BLOCK, Loaded, Utf8Form, append_blocks};

/// The longest sequence, in bytes.
const LONGEST: usize = 4;

pub fn read(bytes: &[u8], values: &mut [u32]) -> Loaded {
    let mut done = from_utf8::to_values(bytes, values);
    if done.read > 0 && values.len() - done.written < from_utf8::BLOCK {
        return done;
    }
    loop {
        let ascii = widen(&bytes[done.read..], &mut values[done.written..]);
        done += Loaded { read: ascii, written: ascii };
        for _ in 0..BLOCK {
            let rest = &bytes[done.read..];
            let (point, len) = decode(rest);
            let Some(value) = values.get_mut(done.written) else { return done };
            if rest.is_empty() || len > rest.len() {
                return done;
            }
            *value = point;
            done += Loaded { read: len, written: 1 };
        }
    }
}

/// Reads the ASCII at the front. Returns the number of bytes.
#[inline(always)]
fn widen(bytes: &[u8], values: &mut [u32]) -> usize {
    let ascii = super::scalar::ascii(&bytes[..bytes.len().min(values.len())]);
    let pairs = values.iter_mut().zip(&bytes[..ascii]);
    pairs.for_each(|(value, &byte)| *value = byte.into());
    ascii
}

/// Returns the last bytes of a text, padded with zeros.
#[cold]
fn padded(bytes: &[u8]) -> [u8; LONGEST] {
    std::array::from_fn(|i| bytes.get(i).copied().unwrap_or_default())
}

/// Returns the code point at the front of well-formed bytes, and its length in bytes, which exceeds
/// `bytes` if the end cuts the sequence.
#[inline(always)]
pub fn decode(bytes: &[u8]) -> (u32, usize) {
    read_one(bytes.first_chunk().copied().unwrap_or_else(|| padded(bytes)))
}

#[inline(always)]
fn read_one([a, b, c, d]: [u8; LONGEST]) -> (u32, usize) {
    let joined = |rest: u32, trail: u8| rest << 6 | u32::from(trail & 0x3F);
    match a {
        0..0x80 => (a.into(), 1),
        0x80..0xE0 => (joined((a & 0x1F).into(), b), 2),
        0xE0..0xF0 => (joined(joined((a & 0x0F).into(), b), c), 3),
        0xF0.. => (joined(joined(joined((a & 0x07).into(), b), c), d), 4),
    }
}

pub fn from_utf32(bytes: &[u8], little: bool, out: &mut Vec<u8>) -> usize {
    let read = to_utf8::from_utf32(bytes, little, out);
    let order = if little { u32::from_le_bytes } else { u32::from_be_bytes };
    let (units, _) = bytes[read..].as_chunks();
    let written = append_blocks::<LONGEST, _>(out, LONGEST * units.len(), |room| {
        let forms = units.iter().map(|&unit| Utf8Form::of(order(unit)));
        let forms = forms.take_while(|&form| form != Utf8Form::NONE);
        forms.map(|form| room.push_form(form)).count()
    });
    read + LONGEST * written
}
