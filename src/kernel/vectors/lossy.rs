//! Replacement of ill-formed sequences where they are dense, with vectors.

use super::faults::{barred, examine};
use super::vector::Vectors;
use crate::kernel::{Replaced, lossy};

/// Implements [`Kernels::lossy`](crate::kernel::Kernels::lossy).
#[inline(always)]
pub fn lossy<V: Vectors>(v: V, bytes: &[u8], stand_in: &[u8], text: &mut Vec<u8>) -> Replaced {
    let barred = barred(v);
    lossy::lossy(bytes, stand_in, text, |window| examine(v, window, barred))
}
