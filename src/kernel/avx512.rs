//! What can AVX-512 answer?

use std::sync::LazyLock;

use super::{Kernels, Loaded, portable};

mod cells;
mod judge;
mod lossy;
mod page;
mod scalar;
mod utf16;
mod utf8;
mod vector;

pub(super) const KERNELS: Kernels = Kernels {
    name: "avx512",
    summary: "AVX-512 with byte permutations (VBMI), 256 bytes at a time",
    available,
    utf8,
    ascii,
    utf16,
    scalars,
    read_utf8,
    read_utf16,
    read_page,
    write_utf8,
    write_utf16,
    bits,
    hex,
    lossy,
};

fn available() -> bool {
    // Asked at each call: one look, not nine.
    static AVAILABLE: LazyLock<bool> = LazyLock::new(detected);
    *AVAILABLE
}

fn detected() -> bool {
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

// The rows are public, so a caller may not have asked what is available.

fn utf8(bytes: &[u8]) -> usize {
    if !available() {
        return (portable::KERNELS.utf8)(bytes);
    }
    // SAFETY: the CPU has the instructions.
    unsafe { judge::well_formed(bytes) }
}

fn ascii(bytes: &[u8]) -> usize {
    if !available() {
        return (portable::KERNELS.ascii)(bytes);
    }
    // SAFETY: the CPU has the instructions.
    unsafe { judge::all_ascii(bytes) }
}

fn utf16(bytes: &[u8], little: bool) -> usize {
    if !available() {
        return (portable::KERNELS.utf16)(bytes, little);
    }
    // SAFETY: the CPU has the instructions.
    unsafe { utf16::well_formed(bytes, little) }
}

fn scalars(values: &[u32]) -> usize {
    if !available() {
        return (portable::KERNELS.scalars)(values);
    }
    // SAFETY: the CPU has the instructions.
    unsafe { scalar::scalars(values) }
}

fn read_utf8(bytes: &[u8], values: &mut [u32]) -> Loaded {
    if !available() {
        return (portable::KERNELS.read_utf8)(bytes, values);
    }
    // SAFETY: the CPU has the instructions.
    unsafe { utf8::read(bytes, values) }
}

fn read_utf16(bytes: &[u8], little: bool, values: &mut [u32]) -> Loaded {
    if !available() {
        return (portable::KERNELS.read_utf16)(bytes, little, values);
    }
    // SAFETY: the CPU has the instructions.
    unsafe { utf16::read(bytes, little, values) }
}

fn read_page(bytes: &[u8], points: &[u16; 256], values: &mut [u32]) -> usize {
    if !available() {
        return (portable::KERNELS.read_page)(bytes, points, values);
    }
    // SAFETY: the CPU has the instructions.
    unsafe { page::read(bytes, points, values) }
}

fn write_utf8(values: &[u32], out: &mut Vec<u8>) -> usize {
    if !available() {
        return (portable::KERNELS.write_utf8)(values, out);
    }
    // SAFETY: the CPU has the instructions.
    unsafe { utf8::write(values, out) }
}

fn write_utf16(values: &[u32], little: bool, out: &mut Vec<u8>) -> usize {
    if !available() {
        return (portable::KERNELS.write_utf16)(values, little, out);
    }
    // SAFETY: the CPU has the instructions.
    unsafe { utf16::write(values, little, out) }
}

fn bits(bytes: &[u8], room: &mut [[u8; 9]]) {
    if !available() {
        return (portable::KERNELS.bits)(bytes, room);
    }
    // SAFETY: the CPU has the instructions.
    unsafe { cells::bits(bytes, room) }
}

fn hex(bytes: &[u8], digits: &[u8; 16], room: &mut [[u8; 3]]) {
    if !available() {
        return (portable::KERNELS.hex)(bytes, digits, room);
    }
    // SAFETY: the CPU has the instructions.
    unsafe { cells::hex(bytes, digits, room) }
}

fn lossy(bytes: &[u8], stand_in: &[u8], text: &mut Vec<u8>) -> usize {
    if !available() || stand_in.len() > lossy::LONGEST {
        return (portable::KERNELS.lossy)(bytes, stand_in, text);
    }
    // SAFETY: the CPU has the instructions.
    unsafe { lossy::lossy(bytes, stand_in, text) }
}
