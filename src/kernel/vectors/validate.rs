//! Validation of UTF-8 and search for bytes that are not ASCII, with vectors.

use std::mem::MaybeUninit;
use std::slice;

use super::vector::Vectors;
use crate::kernel::{boundary, scalar};

/// The number of vectors between two decisions.
const VECTORS: usize = 4;

/// Implements [`Kernels::ascii`](crate::kernel::Kernels::ascii).
#[inline(always)]
pub fn ascii<V: Vectors>(v: V, bytes: &[u8]) -> usize {
    let mut at = 0;
    while at + VECTORS * V::SIZE <= bytes.len() {
        let load = |vector: usize| v.load(&bytes[at + vector * V::SIZE..]);
        if v.any((1..VECTORS).fold(load(0), |any, vector| v.or(any, load(vector)))) {
            break;
        }
        at += VECTORS * V::SIZE;
    }
    at + scalar::ascii(&bytes[at..])
}

/// The first block size in bytes: short, because an ill-formed sequence may be near.
const LEAST: usize = 128;
/// The largest block size in bytes.
const MOST: usize = 64 << 10;
/// The factor by which blocks shrink after one that is ill-formed.
const FINER: usize = 8;

/// The largest size in bytes of a block that is copied to find the ill-formed sequence in it.
const COPIED: usize = 2 << 10;

/// Implements [`Kernels::utf8`](crate::kernel::Kernels::utf8).
///
/// Validates in growing blocks: small ones by [`valid_up_to`], large ones with the yes-or-no interface
/// of simdutf8, and if they are ill-formed, again in smaller ones.
#[inline(always)]
pub fn utf8<V: Vectors>(v: V, bytes: &[u8]) -> usize {
    let (mut at, mut size, mut most) = (0, LEAST, MOST);
    loop {
        // The bytes before `at` may have changed since.
        let end = boundary(bytes, bytes.len().min(at + size)).max(at);
        let block = &bytes[at..end];
        if block.is_empty() {
            return at;
        }
        let clean = match size {
            // For a near ill-formed sequence, the scalar code is faster.
            LEAST => scalar::utf8(block),
            ..=COPIED => valid_up_to(v, block),
            _ if v.is_utf8(block) => block.len(),
            _ => 0,
        };
        at += clean;
        if clean == block.len() {
            size = most.min(2 * size);
        } else if size <= COPIED {
            return at;
        } else {
            most = COPIED.max(size / FINER);
            size = most;
        }
    }
}

/// Does the work of [`utf8`] where most text is well-formed: it tries all at once.
#[inline(always)]
pub fn likely_utf8<V: Vectors>(v: V, bytes: &[u8]) -> usize {
    let end = boundary(bytes, bytes.len());
    if v.is_utf8(&bytes[..end]) { end } else { utf8(v, bytes) }
}

/// Returns the length of the well-formed text at the front of a block of at most [`COPIED`] bytes, in
/// one pass.
///
/// The interface of simdutf8 that returns it panics if the bytes change while they are examined, as
/// those of a mapped file may: it gets a copy.
#[inline(always)]
fn valid_up_to<V: Vectors>(v: V, block: &[u8]) -> usize {
    let len = block.len();
    assert!(len <= COPIED);
    let mut copy = MaybeUninit::<[u8; COPIED]>::uninit();
    let start = copy.as_mut_ptr().cast::<u8>();
    // SAFETY: both are valid for `len` bytes, the block as a slice and the copy by the check above,
    // and do not overlap, since the copy is a new variable. The slice of the copy has the bytes that
    // were just written, and nothing else reads or writes them while it is in use.
    let copy = unsafe {
        start.copy_from_nonoverlapping(block.as_ptr(), len);
        slice::from_raw_parts(start, len)
    };
    v.valid_up_to(copy)
}
