//! Decoding and encoding shared between a kernel, for common sequences, and a codec, for the rest.

use super::{Codec, load_by_steps};
use crate::kernel::{LONGEST_UTF8, Loaded, Utf8Form, append_blocks};

/// The number of values that the codec reads or writes where the kernel stopped, before the kernel
/// is called again. Sequences that a kernel does not handle often stand side by side.
const FEW: usize = 8;

/// The room, in values, below which a kernel may decode nothing.
const ROOM: usize = 64;

/// The number of bytes that [`ascii_before`] examines: a few characters often stand between others,
/// and are not worth the call of a kernel.
pub const WORD: usize = size_of::<u64>();

/// Returns the first bytes, and the number of those before the first that is not ASCII or is `stop`;
/// 0 at the end of the bytes.
#[inline(always)]
pub fn ascii_before(bytes: &[u8], stop: u8) -> ([u8; WORD], usize) {
    let Some(&word) = bytes.first_chunk() else { return ([0; WORD], 0) };
    let of_each = |byte| u64::from_le_bytes([byte; WORD]);
    let bits = u64::from_le_bytes(word);
    // The lowest high bit that is set is that of the first byte that is 0.
    let zeros = (bits ^ of_each(stop)).wrapping_sub(of_each(1));
    let found = (bits | zeros & !(bits ^ of_each(stop))) & of_each(0x80);
    (word, found.trailing_zeros() as usize / 8)
}

/// Implements [`Codec::load`] with a kernel that decodes as much of the front as it can.
pub fn load<C: Codec>(
    state: &mut C::State,
    bytes: &[u8],
    values: &mut [u32],
    kernel: impl Fn(&[u8], &mut [u32]) -> Loaded,
) -> Loaded {
    load_with::<C>(state, bytes, values, |_, bytes, values| kernel(bytes, values))
}

/// Implements [`Codec::load`] as [`load`] does, with a kernel that uses the state.
pub fn load_with<C: Codec>(
    state: &mut C::State,
    bytes: &[u8],
    values: &mut [u32],
    kernel: impl Fn(&mut C::State, &[u8], &mut [u32]) -> Loaded,
) -> Loaded {
    let mut all = Loaded::default();
    loop {
        all += kernel(state, &bytes[all.read..], &mut values[all.written..]);
        let room = values.len() - all.written;
        if all.read == bytes.len() || room < C::MOST_VALUES || room < ROOM && all.read > 0 {
            return all;
        }
        let few = &mut values[all.written..][..room.min(FEW)];
        all += load_by_steps::<C>(state, &bytes[all.read..], few);
    }
}

/// A reader of the front of some bytes.
pub trait VisitForms {
    /// Reads the characters at the front that have one code point, at most this number. Returns the
    /// number of bytes read.
    fn read_some(&mut self, bytes: &[u8], most: usize, visit: impl FnMut(Utf8Form)) -> usize;
}

/// Implements [`Codec::prefix`].
pub fn skip_forms(state: &mut impl VisitForms, bytes: &[u8]) -> usize {
    state.read_some(bytes, usize::MAX, |_| ())
}

/// Implements [`Codec::load`].
pub fn load_forms<C: Codec<State: VisitForms>>(
    state: &mut C::State,
    bytes: &[u8],
    values: &mut [u32],
) -> Loaded {
    load_with::<C>(state, bytes, values, |state, bytes, values| {
        let mut written = 0;
        let read = state.read_some(bytes, values.len(), |form| {
            values[written] = form.value();
            written += 1;
        });
        Loaded { read, written }
    })
}

/// Implements [`Codec::write_utf8`].
pub fn write_forms(state: &mut impl VisitForms, bytes: &[u8], out: &mut Vec<u8>) -> usize {
    append_blocks::<LONGEST_UTF8, _>(out, LONGEST_UTF8 * bytes.len(), |room| {
        state.read_some(bytes, usize::MAX, |form| room.push_form(form))
    })
}

/// Implements [`Codec::store`] with a kernel that encodes as much of the front as it can.
pub fn store<C: Codec>(
    pen: &mut C::Pen,
    values: &[u32],
    out: &mut Vec<u8>,
    kernel: impl Fn(&C::Pen, &[u32], &mut Vec<u8>) -> usize,
) -> usize {
    let mut all = 0;
    loop {
        all += kernel(pen, &values[all..], out);
        let few = &values[all..][..FEW.min(values.len() - all)];
        let put = few.iter().take_while(|&&value| C::put(pen, value, out)).count();
        all += put;
        if put < few.len() || all == values.len() {
            return all;
        }
    }
}

/// Implements [`Codec::store`] with a function that encodes the front of the values, as many as it
/// can. It returns their number, and is asked again for each value that it leaves.
pub fn store_by_runs<C: Codec>(
    pen: &mut C::Pen,
    values: &[u32],
    out: &mut Vec<u8>,
    run: impl Fn(&mut C::Pen, &[u32], &mut Vec<u8>) -> usize,
) -> usize {
    let mut stored = 0;
    while let Some(&value) = values.get(stored) {
        let number = run(pen, &values[stored..], out);
        if number == 0 && !C::put(pen, value, out) {
            break;
        }
        stored += number.max(1);
    }
    stored
}
