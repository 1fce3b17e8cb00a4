//! Replacement of ill-formed sequences where they are dense, 64 bytes at a time.
//!
//! The role of each byte is a bit in masks of 64 bits, so that a handful of shifts finds the maximal
//! subparts of ill-formed sequences (The Unicode Standard, section 3.9).

use super::faults::{WINDOW, WindowMasks};
use super::{Replaced, SpareRoom, scalar};

/// The number of bits in a mask.
const BITS: usize = u64::BITS as usize;

/// Masks with a bit for each byte of a window that starts on a sequence boundary, but for its last byte.
struct Masks {
    /// Bytes of ill-formed sequences.
    ill: u64,
    /// First bytes of their maximal subparts.
    starts: u64,
    /// Lead bytes of sequences that may continue after the window.
    open: u64,
}

/// Returns the masks of a window.
#[inline(always)]
fn masks(window: WindowMasks<impl Fn(u8) -> u64>) -> Masks {
    let WindowMasks { from, barred, .. } = window;
    let (other, lead, three, four) = (from(0x80), from(0xC0), from(0xE0), from(0xF0));
    // Lead bytes before a second byte of table 3-7.
    let (two, three, four) = (lead & !three & !barred, three & !four & !barred, four & !barred);
    let further = other & !lead;
    let second = (two | three | four) << 1;
    let third = further & (three | four) << 2;
    let fourth = further & third << 1 & four << 3;
    let (three_whole, four_whole) = (third & three << 2, fourth & four << 3);
    let whole = two
        | two << 1
        | three_whole
        | three_whole >> 1
        | three_whole >> 2
        | four_whole
        | four_whole >> 1
        | four_whole >> 2
        | four_whole >> 3;
    let ill = other & !whole;
    Masks {
        ill,
        starts: ill & !(second | third | fourth),
        open: two & 1 << 63 | three & 0b11 << 62 | four & 0b111 << 61,
    }
}

/// Implements [`Kernels::lossy`](super::Kernels::lossy). `examine` returns the masks of a window.
#[inline(always)]
pub(super) fn lossy<F: Fn(u8) -> u64>(
    bytes: &[u8],
    stand_in: &[u8],
    text: &mut Vec<u8>,
    examine: impl Fn(&[u8; WINDOW]) -> WindowMasks<F>,
) -> Replaced {
    let mut shown = [0; BITS];
    let Some(room) = shown.get_mut(..stand_in.len()) else {
        return scalar::lossy(bytes, stand_in, text);
    };
    room.copy_from_slice(stand_in);
    let (mut at, mut ill_formed) = (0, 0);
    // Whole vectors can be copied from any byte of the first half.
    while let Some(windows) = bytes.get(at..at + 2 * BITS) {
        let part = |from: usize| *windows[from..].first_chunk::<BITS>().expect("bytes behind");
        let Masks { ill, starts, open } = masks(examine(windows.first_chunk().expect("a window")));
        let len = open.trailing_zeros() as usize;
        let (mut from, mut left) = (0, ill & (u64::MAX >> (BITS - len)));
        ill_formed += left.count_ones() as usize;
        let mut out = SpareRoom::new(text, BITS * (stand_in.len().max(1) + 1));
        while left != 0 {
            let place = left.trailing_zeros() as usize;
            out.push(part(from), place - from);
            let starts = (starts >> place & 1) as usize;
            out.push(shown, starts * stand_in.len());
            from = place + 1;
            left &= left - 1;
        }
        out.push(part(from), len - from);
        at += len;
    }
    Replaced { read: at, ill_formed }
}
