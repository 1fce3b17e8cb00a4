//! Search for all ill-formed sequences, with vectors.

use super::nibbles::{look_up, tables};
use super::vector::{LANES, Vectors};
use crate::kernel::faults::{BARRED, EXAMINED, FaultPlaces, WINDOW, WindowMasks, find};
use crate::kernel::{FaultBits, FaultMark, FaultMarks};

/// Implements [`Kernels::faults`](crate::kernel::Kernels::faults).
#[inline(always)]
pub fn faults<V: Vectors>(v: V, bytes: &[u8], starts: &mut Vec<u32>) -> usize {
    find_all(v, bytes, starts) as usize
}

/// Implements [`Kernels::fault_bits`](crate::kernel::Kernels::fault_bits).
#[inline(always)]
pub fn fault_bits<V: Vectors>(v: V, bytes: &[u8], bits: &mut FaultBits) -> usize {
    find_all(v, bytes, bits) as usize
}

/// Implements [`Kernels::fault_marks`](crate::kernel::Kernels::fault_marks).
#[inline(always)]
pub fn fault_marks<V: Vectors>(v: V, bytes: &[u8], marks: &mut FaultMarks) -> FaultMark {
    find_all(v, bytes, marks)
}

#[inline(always)]
fn find_all<V: Vectors, L: FaultPlaces>(v: V, bytes: &[u8], places: &mut L) -> L::Place {
    let barred = barred(v);
    find(bytes, places, |window| examine(v, window, barred))
}

/// Returns the tables of [`BARRED`] in vectors.
#[inline(always)]
pub fn barred<V: Vectors>(v: V) -> [[V::Bytes; 2]; 2] {
    BARRED.each_ref().map(|halves| tables(v, halves))
}

/// Returns the masks of a window.
#[inline(always)]
pub fn examine<V: Vectors>(
    v: V,
    window: &[u8; WINDOW],
    [lead, next]: [[V::Bytes; 2]; 2],
) -> WindowMasks<impl Fn(u8) -> u64 + use<V>> {
    let (mut bytes, mut possible) = ([v.splat8(0); VECTORS], [v.splat8(0); VECTORS]);
    // Without a closure, which may not be inlined, and lacks the instructions then.
    for number in 0..EXAMINED / V::SIZE {
        let at = number * V::SIZE;
        let (byte, behind) = (v.load(&window[at..]), v.load(&window[at + 1..]));
        let both = v.and(look_up(v, lead, byte), look_up(v, next, behind));
        (bytes[number], possible[number]) = (byte, v.eq8(both, v.splat8(0)));
    }
    WindowMasks {
        // A saturated difference has the highest bit from the limit on.
        from: move |from: u8| mask(v, bytes.map(|bytes| v.less8(bytes, v.splat8(from - 0x80)))),
        barred: !mask(v, possible),
        line_feeds: mask(v, bytes.map(|bytes| v.eq8(bytes, v.splat8(b'\n')))),
    }
}

/// The number of the shortest vectors in a window. If they are longer, the last ones are not used.
const VECTORS: usize = EXAMINED / LANES;

/// Returns the highest bit of each byte of the vectors of a window.
#[inline(always)]
fn mask<V: Vectors>(v: V, vectors: [V::Bytes; VECTORS]) -> u64 {
    let vectors = vectors.into_iter().take(EXAMINED / V::SIZE).enumerate();
    vectors.fold(0, |mask, (number, bytes)| mask | u64::from(v.bits8(bytes)) << (number * V::SIZE))
}
