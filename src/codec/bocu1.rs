//! BOCU-1, the binary ordered compression for Unicode (UTN #6).
//!
//! Each character is coded as its difference from the middle of the previous character's block, in one
//! to four bytes. Controls and the space are themselves. Controls and the byte FF, which has no code
//! point, reset the state, so that lines do not depend on each other.
//!
//! Kinds of issues:
//! * `unmapped`: a sequence whose difference leads to no scalar value, or to a character that must
//!   stand for itself;
//! * `truncated-next`, `truncated-end`.

use std::ops::Range;

use super::{Codec, Escapes, Group, Properties, Step};
use crate::issue::Kind;
use crate::kernel::{Kernels, Loaded};

/// BOCU-1.
#[derive(Debug)]
pub struct Bocu1;

/// The code point from which the next difference is counted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bocu1State(i32);

/// The state at the start of a text and after a control.
const START: Bocu1State = Bocu1State(0x40);

/// Starts anew.
const RESET: u8 = 0xFF;

/// The byte of the difference 0.
const MIDDLE: u8 = 0x90;

/// The values of a trail byte.
const BASE: i32 = 243;

/// The trail bytes that are controls. The others follow from 21 on.
const CONTROLS: [u8; 20] = [
    0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18, 0x19,
    0x1C, 0x1D, 0x1E, 0x1F,
];

/// The first trail byte that is no control, less the number of controls.
const TRAIL_OFFSET: u8 = 0x21 - CONTROLS.len() as u8;

/// Sequences with a number of trail bytes and differences of one sign.
struct DifferenceForm {
    /// The lead bytes.
    leads: Range<u8>,
    /// The number of trail bytes.
    trails: u32,
    /// The difference of the first lead byte and the least trail bytes.
    first: i32,
}

const fn form(leads: Range<u8>, trails: u32, first: i32) -> DifferenceForm {
    DifferenceForm { leads, trails, first }
}

/// The first difference above those of two bytes, and above those of three.
const BEYOND_TWO: i32 = 64 + 43 * BASE;
const BEYOND_THREE: i32 = BEYOND_TWO + 3 * BASE * BASE;

/// The forms, from the least difference to the greatest.
static FORMS: [DifferenceForm; 7] = [
    form(0x21..0x22, 3, -BEYOND_THREE - BASE * BASE * BASE),
    form(0x22..0x25, 2, -BEYOND_THREE),
    form(0x25..0x50, 1, -BEYOND_TWO),
    form(0x50..0xD0, 0, -64),
    form(0xD0..0xFB, 1, 64),
    form(0xFB..0xFE, 2, BEYOND_TWO),
    form(0xFE..0xFF, 3, BEYOND_THREE),
];

/// Returns the value of a trail byte.
fn digit(byte: u8) -> Option<i32> {
    let control = || CONTROLS.iter().position(|&control| control == byte);
    match byte {
        ..0x21 => control().map(|place| place as i32),
        _ => Some((byte - TRAIL_OFFSET).into()),
    }
}

/// Returns the trail byte of a value.
fn trail(digit: i32) -> u8 {
    CONTROLS.get(digit as usize).copied().unwrap_or(digit as u8 + TRAIL_OFFSET)
}

impl Bocu1State {
    /// Returns the state after a character.
    fn after(value: u32) -> Bocu1State {
        match value {
            // Hiragana is not aligned, and ideographs and syllables have large blocks.
            0x3040..0x30A0 => Bocu1State(0x3070),
            0x4E00..0x9FA6 => Bocu1State(0x4E00 + BEYOND_TWO),
            0xAC00..0xD7A4 => Bocu1State((0xAC00 + 0xD7A3) / 2),
            _ => Bocu1State((value & !0x7F) as i32 + 0x40),
        }
    }

    fn read(&mut self, bytes: &[u8], last: bool) -> Step {
        let Some(&lead) = bytes.first() else { return Step::Short };
        match lead {
            ..b' ' => *self = START,
            b' ' => (),
            RESET => {
                *self = START;
                return Step::Skip { len: 1 };
            }
            _ => return self.read_difference(lead, bytes, last),
        }
        Step::Scalar { value: lead.into(), len: 1 }
    }

    fn read_difference(&mut self, lead: u8, bytes: &[u8], last: bool) -> Step {
        let Some(form) = FORMS.iter().find(|form| form.leads.contains(&lead)) else {
            return Step::ill(Kind::Unmapped, 1);
        };
        let mut place = i32::from(lead - form.leads.start);
        let len = 1 + form.trails as usize;
        for at in 1..len {
            match bytes.get(at).map(|&byte| digit(byte)) {
                Some(Some(digit)) => place = place * BASE + digit,
                Some(None) => return Step::ill(Kind::TruncatedNext, at),
                None if last => return Step::ill(Kind::TruncatedEnd, at),
                None => return Step::Short,
            }
        }
        match u32::try_from(self.0 + form.first + place).ok().and_then(char::from_u32) {
            Some(scalar @ '!'..) => {
                *self = Bocu1State::after(scalar.into());
                Step::Scalar { value: scalar.into(), len }
            }
            _ => Step::ill(Kind::Unmapped, len),
        }
    }

    fn put(&mut self, value: u32, out: &mut Vec<u8>) {
        if value <= u32::from(b' ') {
            out.push(value as u8);
            if value < u32::from(b' ') {
                *self = START;
            }
            return;
        }
        let difference = value as i32 - self.0;
        if let Some(form) = FORMS.iter().rev().find(|form| form.first <= difference) {
            let mut place = difference - form.first;
            let start = out.len();
            for _ in 0..form.trails {
                out.push(trail(place % BASE));
                place /= BASE;
            }
            out.push(form.leads.start + place as u8);
            out[start..].reverse();
        }
        *self = Bocu1State::after(value);
    }

    /// Reads the sequences of one byte at the front, up to `most`.
    fn read_singles(&mut self, bytes: &[u8], most: usize, mut visit: impl FnMut(u32)) -> usize {
        let mut read = 0;
        for &byte in bytes.iter().take(most) {
            let value = match byte {
                ..=b' ' => byte.into(),
                0x50..0xD0 => self.0 + i32::from(byte) - i32::from(MIDDLE),
                _ => break,
            };
            let Some(scalar) = u32::try_from(value).ok().and_then(char::from_u32) else { break };
            if byte != b' ' {
                if byte > b' ' && scalar <= ' ' {
                    break;
                }
                *self = Bocu1State::after(scalar.into());
            }
            visit(scalar.into());
            read += 1;
        }
        read
    }
}

impl Codec for Bocu1 {
    type State = Bocu1State;
    type Pen = Bocu1State;
    const TOLERATES_CHANGES: bool = true;
    // Trail bytes look like lead bytes.
    const REACH: Option<u64> = None;
    const SIGNATURE: &'static [u8] = &[0xFB, 0xEE, 0x28];

    const WIDEST: usize = 4;
    const GROUP: Group = Group::Transformation;
    const PROPERTIES: Properties =
        Properties { transparent: false, stateful: true, scalars: true, surrogates: false };

    fn start(_: usize, _: u64) -> Bocu1State {
        START
    }

    fn prefix(state: &mut Bocu1State, _: &Kernels, bytes: &[u8]) -> usize {
        state.read_singles(bytes, usize::MAX, |_| ())
    }

    fn step(state: &mut Bocu1State, bytes: &[u8], last: bool) -> Step {
        state.read(bytes, last)
    }

    fn load(state: &mut Bocu1State, _: &Kernels, bytes: &[u8], values: &mut [u32]) -> Loaded {
        super::bulk::load_with::<Self>(state, bytes, values, |state, bytes, values| {
            let mut written = 0;
            let read = state.read_singles(bytes, values.len(), |value| {
                values[written] = value;
                written += 1;
            });
            Loaded { read, written }
        })
    }

    fn pen(_: usize, _: Escapes) -> Bocu1State {
        START
    }

    fn put(state: &mut Bocu1State, value: u32, out: &mut Vec<u8>) -> bool {
        let is_scalar = char::from_u32(value).is_some();
        if is_scalar {
            state.put(value, out);
        }
        is_scalar
    }

    fn announced(_: usize, bytes: &[u8]) -> usize {
        let lead = bytes.first().copied().unwrap_or_default();
        let form = FORMS.iter().find(|form| form.leads.contains(&lead));
        form.map_or(1, |form| 1 + form.trails as usize)
    }
}
