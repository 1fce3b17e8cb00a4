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
