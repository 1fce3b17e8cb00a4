//! What does the standard library say? The slow truth that every other kernel must agree with.

use super::{Kernels, Loaded};

pub(super) const KERNELS: Kernels = Kernels {
    name: "scalar",
    summary: "the standard library, no vector instructions of its own",
    available: || true,
    utf8,
    ascii,
    utf16,
    scalars: |values| values.iter().map_while(|&value| char::from_u32(value)).count(),
    // The codecs themselves are the truth.
    read_utf8: |_, _| Loaded::default(),
    read_utf16: |_, _, _| Loaded::default(),
    read_page: |_, _, _| 0,
    write_utf8: |_, _| 0,
    write_utf16: |_, _, _| 0,
    bits,
    hex,
    lossy: |_, _, _| 0,
};

fn utf16(bytes: &[u8], little: bool) -> usize {
    let order = if little { u16::from_le_bytes } else { u16::from_be_bytes };
    let units = bytes.as_chunks().0.iter().map(|&unit| order(unit));
    let scalars = char::decode_utf16(units).map_while(Result::ok);
    2 * scalars.map(char::len_utf16).sum::<usize>()
}

fn utf8(bytes: &[u8]) -> usize {
    match std::str::from_utf8(bytes) {
        Ok(_) => bytes.len(),
        Err(error) => error.valid_up_to(),
    }
}

/// Also the portable kernel's: the compiler makes vector instructions of it.
pub(super) fn ascii(bytes: &[u8]) -> usize {
    const BLOCK: usize = 64;
    let clean = bytes.chunks_exact(BLOCK).take_while(|block| block.is_ascii()).count() * BLOCK;
    let rest = &bytes[clean..];
    clean + rest.iter().take(BLOCK).take_while(|byte| byte.is_ascii()).count()
}

/// What stands before the digits of a byte of UTF-8: a point where it continues a sequence.
#[inline]
pub fn mark(byte: u8) -> u8 {
    if byte & 0xC0 == 0x80 { b'.' } else { b' ' }
}

/// Also the portable kernel's.
pub(super) fn bits(bytes: &[u8], cells: &mut [[u8; 9]]) {
    for (&byte, [before, digits @ ..]) in bytes.iter().zip(cells) {
        *before = mark(byte);
        *digits = binary(byte);
    }
}

/// The binary digits of a byte, each in a byte of a word.
fn binary(byte: u8) -> [u8; 8] {
    let each = |byte: u8| u64::from_ne_bytes([byte; 8]);
    let bits = each(byte) & 0x8040_2010_0804_0201;
    // The high bit of each: whether its bit is set.
    let ones = (bits + each(0x7F)) >> 7 & each(1);
    (ones + each(b'0')).to_be_bytes()
}

/// Also the portable kernel's.
pub(super) fn hex(bytes: &[u8], digits: &[u8; 16], cells: &mut [[u8; 3]]) {
    for (&byte, cell) in bytes.iter().zip(cells) {
        let digit = |nibble: u8| digits[usize::from(nibble)];
        *cell = [mark(byte), digit(byte >> 4), digit(byte & 0xF)];
    }
}
