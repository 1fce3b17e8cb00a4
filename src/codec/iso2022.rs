//! Sets of ISO/IEC 2022 in seven bits, and HZ: several tables, chosen by escape sequences.
//!
//! [`SHIFTED_SETS`] is the table of the encodings: RFC 1554 and 2237 (ISO-2022-JP-2 and -1), JIS X 0213
//! (-3 and -2004), CPython's ISO-2022-JP-EXT, RFC 1557 (-KR), RFC 1922 (-CN and -CN-EXT) and RFC 1843
//! (HZ). Controls, the space and DEL are themselves whatever the set is. Designations that hold for a
//! line end with it.

use super::bulk;
use super::controls::ESCAPE;
use super::{Codec, Escapes, Group, Properties, Step};
use crate::kernel::{Kernels, Loaded};
use reader::{Designated, ShiftedState};
use writer::{ShiftedPen, write};

pub use rows::{SHIFTED_SETS, shifted_set};

mod graphic;
pub mod reader;
mod rows;
pub mod writer;

/// The codec of the shifted sets whose longest sequence has this number of bytes. The row of an
/// encoding is that in [`SHIFTED_SETS`].
#[derive(Debug)]
pub struct Shifted<const WIDEST: usize>;

impl<const WIDEST: usize> Codec for Shifted<WIDEST> {
    type State = ShiftedState;
    type Pen = ShiftedPen;
    const TOLERATES_CHANGES: bool = true;
    const TRANSCODES_UNSCANNED: bool = true;
    // The escape sequence for an offset can be anywhere before it.
    const REACH: Option<u64> = None;
    const SIGNATURE: &'static [u8] = &[];

    const WIDEST: usize = WIDEST;
    const ITEM: &'static str = "an escape sequence that has a place here";
    const GROUP: Group = Group::RareEastAsia;
    const PROPERTIES: Properties =
        Properties { transparent: false, stateful: true, scalars: false, surrogates: false };

    fn start(row: usize, _: u64) -> ShiftedState {
        ShiftedState(Designated::start(row))
    }

    fn prefix(state: &mut ShiftedState, _: &Kernels, bytes: &[u8]) -> usize {
        bulk::skip_forms(state, bytes)
    }

    fn step(state: &mut ShiftedState, bytes: &[u8], last: bool) -> Step {
        ShiftedState::step(state, bytes, last)
    }

    fn load(state: &mut ShiftedState, _: &Kernels, bytes: &[u8], values: &mut [u32]) -> Loaded {
        bulk::load_forms::<Self>(state, bytes, values)
    }

    fn write_utf8(state: &mut ShiftedState, _: &Kernels, bytes: &[u8], out: &mut Vec<u8>) -> usize {
        bulk::write_forms(state, bytes, out)
    }

    fn pen(row: usize, _: Escapes) -> ShiftedPen {
        ShiftedPen::new(row)
    }

    fn put(pen: &mut ShiftedPen, value: u32, out: &mut Vec<u8>) -> bool {
        write(1, out, |room| pen.put(value, room))
    }

    fn store(pen: &mut ShiftedPen, _: &Kernels, values: &[u32], out: &mut Vec<u8>) -> usize {
        write(values.len(), out, |room| pen.put_all(values, room))
    }

    fn release(pen: &mut ShiftedPen, out: &mut Vec<u8>) {
        write(0, out, |room| pen.release(room));
    }

    fn finish(pen: &mut ShiftedPen, out: &mut Vec<u8>) {
        write(0, out, |room| pen.finish(room));
    }

    fn announced(_: usize, bytes: &[u8]) -> usize {
        match bytes {
            // A single shift and a character of a set.
            [ESCAPE, b'N' | b'O', ..] => WIDEST,
            _ => 2,
        }
    }
}
