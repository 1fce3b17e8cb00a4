//! What does simdutf8 say? AVX2, SSE4.2, NEON or what else it finds in the CPU.

use super::{Kernels, boundary, scalar};

pub(super) const KERNELS: Kernels = Kernels {
    name: "portable",
    summary: "simdutf8: AVX2, SSE4.2 or NEON",
    available: || true,
    utf8,
    ascii: scalar::ascii,
};

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
