//! What does simdutf8 say? AVX2, SSE4.2, NEON or what else it finds in the CPU.

use super::Kernels;

pub(super) const KERNELS: Kernels = Kernels {
    name: "portable",
    summary: "simdutf8: AVX2, SSE4.2 or NEON",
    available: || true,
    utf8,
    ascii: super::scalar::ascii,
};

fn utf8(bytes: &[u8]) -> usize {
    match simdutf8::compat::from_utf8(bytes) {
        Ok(_) => bytes.len(),
        Err(error) => error.valid_up_to(),
    }
}
