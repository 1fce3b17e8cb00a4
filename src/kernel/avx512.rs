//! The AVX-512 kernel.

use std::arch::x86_64::{_mm512_cmpge_epu8_mask, _mm512_set1_epi8};

use super::{FaultMask, Functions, KernelRow, Kernels, faults};
use vector::load;

mod cells;
mod direct;
mod judge;
mod lossy;
mod nibbles;
mod page;
mod scalar;
mod utf16;
mod utf8;
mod vector;

pub(super) const ROW: KernelRow = KernelRow {
    kernels: Kernels {
        name: "avx512",
        summary: "AVX-512 with byte permutations (VBMI), 256 bytes at a time",
        functions: Functions {
            utf8: judge::well_formed,
            ascii: judge::all_ascii,
            count,
            utf16: utf16::well_formed,
            scalars: scalar::scalars,
            read_utf8: utf8::read,
            read_utf16: utf16::read,
            read_page: page::read,
            write_page: |_, _, _| 0,
            write_utf8: utf8::write,
            write_utf16: utf16::write,
            utf8_to_utf16: direct::utf8_to_utf16,
            utf8_to_utf32: super::portable::from_utf8::to_utf32,
            utf16_to_utf8: direct::utf16_to_utf8,
            write_ascii: nibbles::write_ascii,
            bits: cells::bits,
            hex: cells::hex,
            lossy: lossy::lossy,
            skip: nibbles::skip,
            faults,
        },
    },
    is_available,
};

fn is_available() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512cd")
        && is_x86_feature_detected!("avx512vbmi")
        && is_x86_feature_detected!("avx512vbmi2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt")
}

#[target_feature(enable = "avx512f,avx512bw,bmi1")]
fn faults(bytes: &[u8], masks: &mut Vec<FaultMask>) -> usize {
    faults::find(bytes, masks, |window, limits| {
        let bytes = load(window);
        limits.map(|limit| _mm512_cmpge_epu8_mask(bytes, _mm512_set1_epi8(limit.cast_signed())))
    })
}

#[target_feature(enable = "avx512f,avx512bw")]
fn count(bytes: &[u8], value: u8) -> u64 {
    super::count(bytes, |byte| byte == value)
}
