//! The AVX-512 kernel.

use super::vectors::AVX2;
use super::{AVX512, Functions, KernelRow, Kernels};

mod direct;
mod faults;
mod judge;
mod lossy;
mod nibbles;
mod page;
mod rows;
mod utf16;
mod utf32;
mod utf8;
mod vector;

pub(super) const ROW: KernelRow = KernelRow {
    kernels: Kernels {
        name: AVX512,
        summary: "AVX-512 with byte permutations (VBMI), 256 bytes at a time",
        functions: Functions {
            utf8: judge::well_formed,
            ascii: judge::all_ascii,
            utf16: utf16::well_formed,
            utf32: utf32::well_formed,
            read_utf8: utf8::read,
            read_utf16: utf16::read,
            read_page: page::read,
            before_any: nibbles::before_any,
            write_page: page::write,
            write_utf16: utf16::write,
            utf8_to_utf16: direct::utf8_to_utf16,
            utf8_to_utf32: direct::utf8_to_utf32,
            utf16_to_utf8: direct::utf16_to_utf8,
            utf32_to_utf8: utf8::from_utf32,
            write_ascii: nibbles::write_ascii,
            row_codes: rows::codes,
            bit_rows: rows::bits,
            hex_rows: rows::hex,
            row_column: rows::column,
            lossy: lossy::lossy,
            skip: nibbles::skip,
            faults: faults::faults,
            fault_bits: faults::fault_bits,
            fault_marks: faults::fault_marks,
        },
    },
    is_available,
};

fn is_available() -> bool {
    (AVX2.is_available)()
        && is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512cd")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512vbmi")
        && is_x86_feature_detected!("avx512vbmi2")
}
