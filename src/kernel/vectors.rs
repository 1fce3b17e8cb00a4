//! The kernels with vectors of 128 or 256 bits: one algorithm, with the instructions of each CPU.

mod faults;
mod from_utf8;
mod lossy;
#[cfg(target_arch = "aarch64")]
mod neon;
mod nibbles;
mod page;
mod room;
mod rows;
mod squeeze;
mod to_utf8;
mod utf16;
mod validate;
mod vector;
#[cfg(target_arch = "x86_64")]
mod x86;

use faults::{fault_bits, fault_marks, faults};
use from_utf8::{read as read_utf8, to_utf16 as utf8_to_utf16, to_utf32 as utf8_to_utf32};
use lossy::lossy;
use nibbles::{before_any, skip, write_ascii};
use page::write as write_page;
use rows::{bits as bit_rows, codes as row_codes, column as row_column, hex as hex_rows};
use to_utf8::{from_utf16 as utf16_to_utf8, from_utf32 as utf32_to_utf8};
use utf16::{read as read_utf16, well_formed as utf16, write as write_utf16};
use validate::{ascii, utf8};
use vector::Vectors;

use super::scalar;

// Loops of the scalar kernel, compiled with the instructions.

#[inline(always)]
fn utf32<V: Vectors>(_: V, bytes: &[u8], little: bool) -> usize {
    scalar::utf32(bytes, little)
}

#[inline(always)]
fn read_page<V: Vectors>(_: V, bytes: &[u8], points: &[u16; 256], values: &mut [u32]) -> usize {
    scalar::read_page(bytes, points, values)
}

/// Returns the functions of this module with the instructions of a CPU, which it expects in a child.
macro_rules! functions {
    (
        [$features:literal, $vectors:expr]
        $($(#[$doc:meta])* $name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)?;)*
    ) => {
        {
            use crate::kernel::*; // the types of the functions
            $(
                #[target_feature(enable = $features)]
                fn $name($($argument: $type),*) $(-> $result)? {
                    // SAFETY: the function requires the instructions.
                    #[allow(unused_unsafe)] // some are on every CPU
                    let vectors = unsafe { $vectors };
                    super::$name(vectors, $($argument),*)
                }
            )*
            Functions { $($name),* }
        }
    };
}

#[cfg(target_arch = "x86_64")]
pub(super) use from_utf8::{ascii_to_utf16, ascii_to_utf32};
use functions;
#[cfg(target_arch = "aarch64")]
pub(super) use neon::NEON;
#[cfg(target_arch = "x86_64")]
pub(super) use x86::{AVX2, Avx2, SSE};
