//! Search for all ill-formed sequences, in loops over a window that the compiler vectorizes in part.

use crate::kernel::ascii_set::NibbleTables;
use crate::kernel::faults::{BARRED, EXAMINED, WINDOW, WindowMasks, find};
use crate::kernel::{FaultBits, FaultMark, FaultMarks, gather_bits};

/// The tables [`BARRED`], by whole bytes.
static BARRED_BYTES: [[u8; 256]; 2] = [by_byte(&BARRED[0]), by_byte(&BARRED[1])];

/// Returns the bits of each byte in tables of half bytes.
const fn by_byte([lower, upper]: &NibbleTables) -> [u8; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < table.len() {
        table[byte] = lower[byte & 0xF] & upper[byte >> 4];
        byte += 1;
    }
    table
}

/// Implements [`Kernels::faults`](crate::kernel::Kernels::faults).
pub fn faults(bytes: &[u8], starts: &mut Vec<u32>) -> usize {
    find(bytes, starts, examine) as usize
}

/// Implements [`Kernels::fault_bits`](crate::kernel::Kernels::fault_bits).
pub fn fault_bits(bytes: &[u8], bits: &mut FaultBits) -> usize {
    find(bytes, bits, examine) as usize
}

/// Implements [`Kernels::fault_marks`](crate::kernel::Kernels::fault_marks).
pub fn fault_marks(bytes: &[u8], marks: &mut FaultMarks) -> FaultMark {
    find(bytes, marks, examine)
}

/// Returns the masks of a window.
#[inline(always)]
fn examine(window: &[u8; WINDOW]) -> WindowMasks<impl Fn(u8) -> u64 + use<>> {
    let bytes: [u8; EXAMINED] = *window.first_chunk().expect("a byte less");
    let [lead, next] = &BARRED_BYTES;
    let is_barred =
        |at: usize| lead[usize::from(window[at])] & next[usize::from(window[at + 1])] != 0;
    WindowMasks {
        from: move |from: u8| mask(bytes.map(|byte| byte >= from)),
        barred: mask(std::array::from_fn(is_barred)),
        line_feeds: mask(bytes.map(|byte| byte == b'\n')),
    }
}

/// Returns a bit for each byte of a window.
#[inline(always)]
fn mask(bytes: [bool; EXAMINED]) -> u64 {
    let bytes = bytes.map(u8::from);
    let (words, _) = bytes.as_chunks();
    words
        .iter()
        .rev()
        .fold(0, |mask, &word| mask << 8 | u64::from(gather_bits(u64::from_le_bytes(word))))
}
