//! What does simdutf8 say? AVX2, SSE4.2, NEON or what else it finds in the CPU.

use super::{Kernels, boundary, scalar};

pub(super) const KERNELS: Kernels = Kernels {
    name: "portable",
    summary: "simdutf8: AVX2, SSE4.2 or NEON",
    available: || true,
    utf8,
    ascii: scalar::ascii,
};

/// How much is judged at a time, in bytes: the standard library reads again what is not clean.
const BLOCK: usize = 4 << 10;

/// simdutf8 also tells where a fault is, but must not be asked: it panics if the bytes have been
/// mended between its two readings, as those of a mapped file may.
fn utf8(bytes: &[u8]) -> usize {
    let mut at = 0;
    while at < bytes.len() {
        let end = boundary(bytes, bytes.len().min(at + BLOCK));
        let block = &bytes[at..end];
        if block.is_empty() {
            break;
        }
        if simdutf8::basic::from_utf8(block).is_err() {
            return at + (scalar::KERNELS.utf8)(block);
        }
        at = end;
    }
    at
}
