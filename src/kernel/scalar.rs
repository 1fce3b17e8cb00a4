//! What does the standard library say? The slow truth that every other kernel must agree with.

use super::Kernels;

pub(super) const KERNELS: Kernels = Kernels {
    name: "scalar",
    summary: "the standard library, no vector instructions of its own",
    available: || true,
    utf8,
    ascii,
};

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
