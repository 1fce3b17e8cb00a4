//! How do a codec and a kernel share the work? The kernel does what is plain, the codec the rest.

use super::{Codec, load_by_steps};
use crate::kernel::Loaded;

/// How many values the codec reads or writes where the kernel stopped, before it is asked again:
/// what it cannot do stands often side by side.
const FEW: usize = 8;

/// With less room than this a kernel may read nothing.
const ROOM: usize = 64;

/// Read as [`Codec::load`] does, with a kernel that reads from the front what it can.
pub fn load<C: Codec>(
    state: &mut C::State,
    bytes: &[u8],
    values: &mut [u32],
    kernel: impl Fn(&[u8], &mut [u32]) -> Loaded,
) -> Loaded {
    let mut all = Loaded::default();
    loop {
        all += kernel(&bytes[all.read..], &mut values[all.written..]);
        let room = values.len() - all.written;
        if all.read == bytes.len() || room < 2 || room < ROOM && all.read > 0 {
            return all;
        }
        let few = &mut values[all.written..][..room.min(FEW)];
        all += load_by_steps::<C>(state, &bytes[all.read..], few);
    }
}

/// Write as [`Codec::store`] does, with a kernel that writes from the front what it can.
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
