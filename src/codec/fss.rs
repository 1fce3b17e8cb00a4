//! FSS-UTF as Dave Prosser proposed it in 1992, before it became UTF-8.
//!
//! The leading ones of the first byte are the number of bytes after it, of which only the high bit
//! is fixed: the bytes after a lead byte can look like lead bytes.

use super::family::markers;
use super::positional::{ByteRange, PositionalForms, SequenceForm, in_a_row};
use crate::issue::Kind;

/// The sequence forms of FSS-UTF of 1992.
#[derive(Debug)]
pub struct Fss1992;

/// The bytes with the high bit set.
const TRAILS: &[ByteRange] = &[(0x80, 0xFF)];

impl PositionalForms for Fss1992 {
    const FORMS: &'static [SequenceForm] = &in_a_row([
        SequenceForm::of((0x00, 0x7F), 0, &[]),
        SequenceForm::of((0x80, 0xBF), 1, TRAILS),
        SequenceForm::of((0xC0, 0xDF), 2, TRAILS),
        SequenceForm::of((0xE0, 0xEF), 3, TRAILS),
        SequenceForm::of((0xF0, 0xF7), 4, TRAILS),
    ]);
    const BEYOND: Kind = Kind::InvalidLead;
    const TRANSPARENT: bool = true;
    const SIGNATURE: &'static [u8] = &[0xC3, 0xBC, 0xFF];

    fn markers(at: usize, byte: u8) -> u32 {
        if at == 0 { markers(byte) } else { 1 }
    }
}
