//! UTF-1, the first transformation format of ISO/IEC 10646.
//!
//! ISO-IR-178, and an annex of ISO/IEC 10646-1:1993 that was withdrawn. Sequences contain printable
//! ASCII, but never a control of C0 or C1.

use super::positional::{ByteRange, PositionalForms, SequenceForm, in_a_row};
use crate::issue::Kind;

/// The sequence forms of UTF-1.
#[derive(Debug)]
pub struct Utf1;

/// The right half of an 8-bit set.
const RIGHT: ByteRange = (0xA0, 0xFF);

/// The graphic characters of both halves, without the space.
const GRAPHIC: &[ByteRange] = &[(0x21, 0x7E), RIGHT];

impl PositionalForms for Utf1 {
    const FORMS: &'static [SequenceForm] = &in_a_row([
        SequenceForm::of((0x00, 0x9F), 0, &[]),
        SequenceForm::of((0xA0, 0xA0), 1, &[RIGHT]),
        SequenceForm::of((0xA1, 0xF5), 1, GRAPHIC),
        SequenceForm::of((0xF6, 0xFB), 2, GRAPHIC),
        // The published tables go on to FF, but sequences of FE start above 7FFFFFFF.
        SequenceForm::of((0xFC, 0xFD), 4, GRAPHIC),
    ]);
    const BEYOND: Kind = Kind::Above7fffffff;
    const TRANSPARENT: bool = false;
    const SIGNATURE: &'static [u8] = &[0xF7, 0x64, 0x4C];

    /// Returns 0: a byte is a digit to a base that is no power of two.
    fn markers(_: usize, _: u8) -> u32 {
        0
    }
}
