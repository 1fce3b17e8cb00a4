//! What does simdutf8 say? AVX2, SSE4.2, NEON or what else it finds in the CPU.

use super::{Kernels, boundary, scalar};

pub(super) const KERNELS: Kernels = Kernels {
    name: "portable",
    summary: "simdutf8: AVX2, SSE4.2 or NEON",
    available: || true,
    utf8,
    ascii: scalar::ascii,
};

/// How much is judged at a time, in bytes: at first, for a fault may be near, and at last.
const LEAST: usize = 256;
const MOST: usize = 64 << 10;

/// simdutf8 also tells where a fault is, but must not be asked: it panics if the bytes have been
/// mended between its two readings, as those of a mapped file may.
fn utf8(bytes: &[u8]) -> usize {
    let (mut at, mut size) = (0, LEAST);
    while at < bytes.len() {
        let end = boundary(bytes, bytes.len().min(at + size));
        let block = &bytes[at..end];
        if block.is_empty() {
            break;
        }
        if simdutf8::basic::from_utf8(block).is_err() {
            return at + (scalar::KERNELS.utf8)(block);
        }
        at = end;
        size = MOST.min(2 * size);
    }
    at
}
