//! Random input for the peers.

use crate::common::inputs::{MIXTURES, Rng, dirty};

/// Makes about `number` code units with issues; the last unit may be truncated.
pub type Make = fn(&mut Rng, usize) -> Vec<u8>;

/// Returns UTF-8.
pub fn utf8(rng: &mut Rng, number: usize) -> Vec<u8> {
    dirty(rng, number, MIXTURES[7], 8)
}

/// Returns code units of UTF-16.
pub fn utf16(rng: &mut Rng, number: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    while bytes.len() < 2 * number {
        match rng.below(16) {
            0 => bytes.extend([0xD8 + rng.below(8) as u8, rng.next() as u8]),
            1..5 => bytes.extend([0xD8, rng.next() as u8, 0xDC, rng.next() as u8]),
            _ => bytes.extend([rng.below(0xD8) as u8, rng.next() as u8]),
        }
    }
    cut(rng, bytes)
}

/// Returns code units of UTF-32.
pub fn utf32(rng: &mut Rng, number: usize) -> Vec<u8> {
    let unit = |rng: &mut Rng| match rng.below(16) {
        0 => [0, 0, 0xD8 + rng.below(8) as u8, rng.next() as u8],
        1 => [rng.pick(&[0, 0, 1, 0xFF]), 0x11, 0, rng.next() as u8],
        2..6 => [0, 1 + rng.below(0x10) as u8, rng.next() as u8, rng.next() as u8],
        _ => [0, 0, rng.below(0xD8) as u8, rng.next() as u8],
    };
    let bytes = (0..number).flat_map(|_| unit(rng)).collect();
    cut(rng, bytes)
}

/// Truncates some inputs.
fn cut(rng: &mut Rng, mut bytes: Vec<u8>) -> Vec<u8> {
    let some = rng.pick(&[0, 0, 0, 1, 2, 3]);
    bytes.truncate(bytes.len().saturating_sub(some));
    bytes
}

/// Returns bytes of the East Asian sets: pairs, ASCII, and some random bytes.
pub fn pairs(rng: &mut Rng, number: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    while bytes.len() < number {
        match rng.below(20) {
            0 => bytes.push(rng.next() as u8),
            1..5 => bytes.push(0x20 + rng.below(0x5F) as u8),
            5..9 => bytes.extend([0x88 + rng.below(0x10) as u8, 0x41 + rng.below(0x1A) as u8]),
            _ => bytes.extend([0xB0 + rng.below(0x16) as u8, 0xA1 + rng.below(0x5E) as u8]),
        }
    }
    bytes
}

/// Reverses the bytes of each unit.
pub fn swapped(mut bytes: Vec<u8>, width: usize) -> Vec<u8> {
    bytes.chunks_mut(width).for_each(<[u8]>::reverse);
    bytes
}
