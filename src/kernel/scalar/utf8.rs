//! Loops that read UTF-8.

use crate::kernel::{BLOCK, LONGEST_UTF8, Loaded};

pub fn read(bytes: &[u8], values: &mut [u32]) -> Loaded {
    let mut done = Loaded::default();
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
    let ascii = super::ascii(&bytes[..bytes.len().min(values.len())]);
    let pairs = values.iter_mut().zip(&bytes[..ascii]);
    pairs.for_each(|(value, &byte)| *value = byte.into());
    ascii
}

/// Returns the last bytes of a text, padded with zeros.
#[cold]
fn padded(bytes: &[u8]) -> [u8; LONGEST_UTF8] {
    std::array::from_fn(|i| bytes.get(i).copied().unwrap_or_default())
}

/// Returns the code point at the front of well-formed bytes, and its length in bytes, which exceeds
/// `bytes` if the end cuts the sequence.
#[inline(always)]
pub fn decode(bytes: &[u8]) -> (u32, usize) {
    read_one(bytes.first_chunk().copied().unwrap_or_else(|| padded(bytes)))
}

#[inline(always)]
fn read_one([a, b, c, d]: [u8; LONGEST_UTF8]) -> (u32, usize) {
    let joined = |rest: u32, trail: u8| rest << 6 | u32::from(trail & 0x3F);
    match a {
        0..0x80 => (a.into(), 1),
        0x80..0xE0 => (joined((a & 0x1F).into(), b), 2),
        0xE0..0xF0 => (joined(joined((a & 0x0F).into(), b), c), 3),
        0xF0.. => (joined(joined(joined((a & 0x07).into(), b), c), d), 4),
    }
}
