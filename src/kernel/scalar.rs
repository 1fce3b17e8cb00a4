//! The scalar kernel: the standard library, with which every other kernel must agree.

use super::{FaultMark, Functions, KernelRow, Kernels, Loaded, Replaced, count};

pub(super) const ROW: KernelRow = KernelRow {
    is_available: || true,
    kernels: Kernels {
        name: "scalar",
        summary: "the standard library, no vector instructions of its own",
        functions: Functions {
            utf8,
            ascii,
            count: |bytes, value| count(bytes, |byte| byte == value),
            utf16,
            scalars: |values| values.iter().map_while(|&value| char::from_u32(value)).count(),
            // The codecs' own steps are the reference.
            read_utf8: |_, _| Loaded::default(),
            read_utf16: |_, _, _| Loaded::default(),
            read_page: |_, _, _| 0,
            write_page: |_, _, _| 0,
            write_utf8: |_, _| 0,
            write_utf16: |_, _, _| 0,
            utf8_to_utf16: |_, _, _| 0,
            utf8_to_utf32: |_, _, _| 0,
            utf16_to_utf8: |_, _, _| 0,
            write_ascii: |values, set, out| set.write(values, out),
            bits,
            hex,
            lossy: |_, _, _| Replaced::default(),
            faults: |_, _| 0,
            fault_marks: |_, _| FaultMark::default(),
            skip: |bytes, filter| filter.find(bytes),
        },
    },
};

fn utf16(bytes: &[u8], little: bool) -> usize {
    let order = if little { u16::from_le_bytes } else { u16::from_be_bytes };
    let units = bytes.as_chunks().0.iter().map(|&unit| order(unit));
    let scalars = char::decode_utf16(units).map_while(Result::ok);
    2 * scalars.map(char::len_utf16).sum::<usize>()
}

pub(super) fn utf8(bytes: &[u8]) -> usize {
    match std::str::from_utf8(bytes) {
        Ok(_) => bytes.len(),
        Err(error) => error.valid_up_to(),
    }
}

/// Shared with the portable kernel: the compiler vectorizes it.
pub(super) fn ascii(bytes: &[u8]) -> usize {
    const BLOCK: usize = 64;
    let clean = bytes.chunks_exact(BLOCK).take_while(|block| block.is_ascii()).count() * BLOCK;
    let rest = &bytes[clean..];
    clean + rest.iter().take(BLOCK).take_while(|byte| byte.is_ascii()).count()
}

/// Returns the mark before the digits of a byte of UTF-8: a point for a continuation byte.
#[inline]
pub const fn mark(byte: u8) -> u8 {
    if byte & 0xC0 == 0x80 { b'.' } else { b' ' }
}

/// Shared with the portable kernel.
pub(super) fn bits(bytes: &[u8], cells: &mut [[u8; 9]]) {
    for (&byte, cell) in bytes.iter().zip(cells) {
        *cell = BITS[usize::from(byte)];
    }
}

/// The cell of each byte in [`bits`].
static BITS: [[u8; 9]; 256] = {
    let mut cells = [[0; 9]; 256];
    let mut byte = 0;
    while byte < cells.len() {
        let [before, digits @ ..] = &mut cells[byte];
        (*before, *digits) = (mark(byte as u8), binary(byte as u8));
        byte += 1;
    }
    cells
};

/// Returns the binary digits of a byte as ASCII.
const fn binary(byte: u8) -> [u8; 8] {
    let mut digits = [b'0'; 8];
    let mut at = 0;
    while at < digits.len() {
        digits[at] += byte >> (7 - at) & 1;
        at += 1;
    }
    digits
}

/// Shared with the portable kernel.
pub(super) fn hex(bytes: &[u8], digits: &[u8; 16], cells: &mut [[u8; 3]]) {
    // The high digit tells the mark.
    let high: [_; 16] = std::array::from_fn(|digit| [mark((digit as u8) << 4), digits[digit]]);
    for (&byte, cell) in bytes.iter().zip(cells) {
        let [mark, first] = high[usize::from(byte >> 4)];
        *cell = [mark, first, digits[usize::from(byte & 0xF)]];
    }
}
