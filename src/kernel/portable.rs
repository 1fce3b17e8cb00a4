//! The portable kernel: simdutf8 and conversions with AVX2, SSE4.1 or NEON, and loops that the compiler
//! vectorizes.

use std::mem::MaybeUninit;
use std::slice;

use super::{FaultMark, Functions, KernelRow, Kernels, Replaced, boundary, front, scalar};

#[cfg(target_arch = "x86_64")]
mod faults;
pub(super) mod from_utf8;
mod nibbles;
pub(super) mod page;
mod room;
mod rows;
mod squeeze;
mod to_utf8;
mod units;
mod utf16;
mod utf8;
mod vector;

pub(crate) use utf8::decode;

pub(super) const ROW: KernelRow = KernelRow {
    is_available: || true,
    kernels: Kernels {
        name: "portable",
        summary: "AVX2, SSE4.1 or NEON, and simdutf8",
        functions: Functions {
            utf8,
            ascii: scalar::ascii,
            utf16: utf16::well_formed,
            utf32: |bytes, little| {
                let sound = units::well_formed_values(bytes, little);
                sound + scalar::utf32(&bytes[sound..], little)
            },
            read_utf8: utf8::read,
            read_utf16: utf16::read,
            read_page,
            write_page: page::write,
            write_utf16: utf16::write,
            utf8_to_utf16: from_utf8::to_utf16,
            utf8_to_utf32: from_utf8::to_utf32,
            utf16_to_utf8: to_utf8::from_utf16,
            utf32_to_utf8: utf8::from_utf32,
            write_ascii: nibbles::write_ascii,
            row_codes: |text, chars| {
                if !rows::codes(text, chars) {
                    scalar::row_codes(text, chars);
                }
            },
            bit_rows: |text, span, look, out| {
                if !rows::bits(text, span, look, out) {
                    scalar::bit_rows(text, span, look, out);
                }
            },
            hex_rows: |text, span, look, out| {
                if !rows::hex(text, span, look, out) {
                    scalar::hex_rows(text, span, look, out);
                }
            },
            row_column: |text, range, look, out| {
                if !rows::column(text, range.clone(), look, out) {
                    scalar::row_column(text, range, look, out);
                }
            },
            lossy,
            skip: nibbles::skip,
            faults,
            fault_marks,
        },
    },
};

fn faults(bytes: &[u8], starts: &mut Vec<u32>) -> usize {
    #[cfg(target_arch = "x86_64")]
    if has_masks() {
        // SAFETY: the CPU has the instructions.
        return unsafe { faults::faults(bytes, starts) };
    }
    let _ = (bytes, starts);
    0
}

fn fault_marks(bytes: &[u8], marks: &mut Vec<FaultMark>) -> FaultMark {
    #[cfg(target_arch = "x86_64")]
    if has_masks() {
        // SAFETY: the CPU has the instructions.
        return unsafe { faults::fault_marks(bytes, marks) };
    }
    let _ = (bytes, marks);
    FaultMark::default()
}

/// Returns `true` if the CPU has AVX2 and the instructions for bits that came with it.
#[cfg(target_arch = "x86_64")]
fn has_masks() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt")
}

fn read_page(bytes: &[u8], points: &[u16; 256], values: &mut [u32]) -> usize {
    let pairs = bytes.iter().zip(values);
    pairs.map(|(&byte, value)| *value = points[usize::from(byte)].into()).count()
}

/// The first block size in bytes: short, because an ill-formed sequence may be near.
const LEAST: usize = 128;
/// The largest block size in bytes.
const MOST: usize = 64 << 10;
/// The factor by which blocks shrink after one that is ill-formed.
const FINER: usize = 8;

/// The largest size in bytes of a block that is copied to find the ill-formed sequence in it.
const COPIED: usize = 2 << 10;

/// Validates in growing blocks: small ones by [`valid_up_to`], large ones with the yes-or-no interface
/// of simdutf8, and if they are ill-formed, again in smaller ones.
fn utf8(bytes: &[u8]) -> usize {
    let (mut at, mut size, mut most) = (0, LEAST, MOST);
    loop {
        // The bytes before `at` may have changed since.
        let end = boundary(bytes, bytes.len().min(at + size)).max(at);
        let block = &bytes[at..end];
        if block.is_empty() {
            return at;
        }
        let clean = match size {
            // For a near ill-formed sequence, the scalar code is faster.
            LEAST => scalar::utf8(block),
            ..=COPIED => valid_up_to(block),
            _ if simdutf8::basic::from_utf8(block).is_ok() => block.len(),
            _ => 0,
        };
        at += clean;
        if clean == block.len() {
            size = most.min(2 * size);
        } else if size <= COPIED {
            return at;
        } else {
            most = COPIED.max(size / FINER);
            size = most;
        }
    }
}

/// Returns the length of the well-formed text at the front of a block of at most [`COPIED`] bytes, in
/// one pass.
///
/// The interface of simdutf8 that returns it panics if the bytes change while they are examined, as
/// those of a mapped file may: it gets a copy.
fn valid_up_to(block: &[u8]) -> usize {
    let len = block.len();
    assert!(len <= COPIED);
    let mut copy = MaybeUninit::<[u8; COPIED]>::uninit();
    let start = copy.as_mut_ptr().cast::<u8>();
    // SAFETY: both are valid for `len` bytes, the block as a slice and the copy by the check above,
    // and do not overlap, since the copy is a new variable. The slice of the copy has the bytes that
    // were just written, and nothing else reads or writes them while it is in use.
    let copy = unsafe {
        start.copy_from_nonoverlapping(block.as_ptr(), len);
        slice::from_raw_parts(start, len)
    };
    simdutf8::compat::from_utf8(copy).map_or_else(|error| error.valid_up_to(), str::len)
}

pub(super) fn lossy(bytes: &[u8], stand_in: &[u8], text: &mut Vec<u8>) -> Replaced {
    let mut replaced = Replaced::default();
    for chunk in bytes.utf8_chunks() {
        let (valid, invalid) = (chunk.valid().as_bytes(), chunk.invalid());
        text.extend_from_slice(valid);
        replaced.read += valid.len();
        if replaced.read + invalid.len() == bytes.len() {
            break;
        }
        text.extend_from_slice(stand_in);
        replaced.read += invalid.len();
        replaced.ill_formed += invalid.len();
    }
    replaced
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
