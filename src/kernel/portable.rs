//! What does simdutf8 say? AVX2, SSE4.2, NEON or what else it finds in the CPU.

use super::{Kernels, boundary, front, scalar};

mod utf16;
mod utf8;

pub(crate) use utf8::decode;

pub(super) const KERNELS: Kernels = Kernels {
    name: "portable",
    summary: "simdutf8: AVX2, SSE4.2 or NEON",
    available: || true,
    utf8,
    ascii: scalar::ascii,
    utf16: utf16::well_formed,
    scalars: |values| front(values, |value| char::from_u32(value).is_some()),
    read_utf8: utf8::read,
    read_utf16: utf16::read,
    read_page,
    write_utf8: utf8::write,
    write_utf16: utf16::write,
    bits: scalar::bits,
    hex: scalar::hex,
    lossy,
};

fn read_page(bytes: &[u8], points: &[u16; 256], values: &mut [u32]) -> usize {
    let pairs = bytes.iter().zip(values);
    pairs.map(|(&byte, value)| *value = points[usize::from(byte)].into()).count()
}

/// How much is judged at a time, in bytes: at first, for a fault may be near, and at most.
const LEAST: usize = 128;
const MOST: usize = 64 << 10;
/// By how much smaller blocks a block with a fault is judged again.
const FINER: usize = 8;

/// simdutf8 also tells where a fault is, but must not be asked: it panics if the bytes have been
/// mended between its two readings, as those of a mapped file may.
fn utf8(bytes: &[u8]) -> usize {
    let (mut at, mut size, mut most) = (0, LEAST, MOST);
    loop {
        let end = boundary(bytes, bytes.len().min(at + size));
        let block = &bytes[at..end];
        if block.is_empty() {
            return at;
        }
        let clean = match size {
            // A fault that is near is found faster without.
            LEAST => (scalar::KERNELS.utf8)(block),
            _ if simdutf8::basic::from_utf8(block).is_ok() => block.len(),
            _ => 0,
        };
        at += clean;
        if clean == block.len() {
            size = most.min(2 * size);
        } else if size == LEAST {
            return at;
        } else {
            most = LEAST.max(size / FINER);
            size = most;
        }
    }
}

fn lossy(bytes: &[u8], stand_in: &[u8], text: &mut Vec<u8>) -> usize {
    let mut read = 0;
    for chunk in bytes.utf8_chunks() {
        let (valid, invalid) = (chunk.valid().as_bytes(), chunk.invalid());
        text.extend_from_slice(valid);
        read += valid.len();
        if read + invalid.len() == bytes.len() {
            break;
        }
        text.extend_from_slice(stand_in);
        read += invalid.len();
    }
    read
}

/// Let something be written into so much room behind a text, of which it tells how much it took.
/// Returns what else it tells.
fn room(text: &mut Vec<u8>, room: usize, write: impl FnOnce(&mut [u8]) -> (usize, usize)) -> usize {
    let start = text.len();
    text.resize(start + room, 0);
    let (done, len) = write(&mut text[start..]);
    text.truncate(start + len);
    done
}

/// Write each code point at the front that is below a limit as one unit. Returns their number.
#[inline(always)]
fn narrow<T>(values: &[u32], limit: u32, room: &mut [T], unit: impl Fn(u32) -> T) -> usize {
    let plain = front(values, |value| value < limit);
    let pairs = room.iter_mut().zip(&values[..plain]);
    pairs.for_each(|(room, &value)| *room = unit(value));
    plain
}
