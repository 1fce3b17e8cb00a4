//! The designated sets, and reading with them.

use super::graphic::{Graphic, PairTable};
use super::rows::{Designation, SHIFTED_SETS, ShiftedRow, Slot};
use crate::codec::Step;
use crate::codec::bulk::VisitForms;
use crate::codec::controls::{ESCAPE, RIGHT, SHIFT_IN, SHIFT_OUT, is_shift};
use crate::codec::sets::tables::Chars;
use crate::issue::Kind;
use crate::kernel::Utf8Form;

/// The designated sets: the places of their designations, by slots.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct Designated {
    pub row: &'static ShiftedRow,
    pub slots: [Option<u8>; 4],
    /// The set of G1 is in use rather than that of G0.
    pub is_out: bool,
}

impl Designated {
    pub fn start(row: usize) -> Designated {
        let row = &SHIFTED_SETS[row];
        // Without its header, a part of a text can still be read.
        let g1 = row.has_header.then_some(1);
        Designated { row, slots: [Some(0), g1, None, None], is_out: false }
    }

    pub fn get(&self, slot: Slot) -> Option<&'static Designation> {
        let place = self.slots[slot as usize]?;
        self.row.designations.get(usize::from(place))
    }

    /// Returns the set of the bytes that no single shift precedes.
    pub fn in_use(&self) -> Graphic {
        let slot = if self.is_out { Slot::G1 } else { Slot::G0 };
        self.get(slot).map_or(Graphic::Ascii, |designation| designation.graphic)
    }

    pub fn set(&mut self, place: usize) {
        self.slots[self.row.designations[place].slot as usize] = Some(place as u8);
    }

    /// Forgets the designations that end with the line.
    pub fn end_line(&mut self) {
        if self.row.by_line {
            let first = if self.row.introducer == ESCAPE { self.slots[0] } else { Some(0) };
            self.slots = [first, None, None, None];
            self.is_out = false;
        }
    }
}

/// The last bytes of the single shifts to G2 and G3.
const SINGLE_SHIFTS: [(u8, Slot); 2] = [(b'N', Slot::G2), (b'O', Slot::G3)];

/// The state of a reader.
#[derive(Clone, Copy)]
pub struct ShiftedState(pub(super) Designated);

impl ShiftedState {
    pub(super) fn step(&mut self, bytes: &[u8], last: bool) -> Step {
        let Some(&byte) = bytes.first() else { return Step::Short };
        let designated = &mut self.0;
        match byte {
            _ if byte == designated.row.introducer => self.escape(bytes, last),
            SHIFT_OUT | SHIFT_IN if designated.row.has_shift_out() => {
                if byte == SHIFT_OUT && designated.get(Slot::G1).is_none() {
                    return Step::ill(Kind::BadEscape, 1);
                }
                designated.is_out = byte == SHIFT_OUT;
                Step::Skip { len: 1 }
            }
            ESCAPE | SHIFT_OUT | SHIFT_IN | 0x80.. => Step::ill(Kind::Unmapped, 1),
            ..=b' ' | 0x7F => {
                if byte == b'\n' {
                    designated.end_line();
                }
                Step::Scalar { value: byte.into(), len: 1 }
            }
            _ => Self::character(designated.in_use(), bytes, 0, last),
        }
    }

    /// Reads a character after a single shift, which is part of the sequence.
    fn character(graphic: Graphic, bytes: &[u8], shift: usize, last: bool) -> Step {
        let len = shift + graphic.size();
        for at in shift..len {
            match bytes.get(at) {
                Some(0x21..=0x7E) => (),
                Some(b' ' | 0x7F) if graphic.size() == 1 => (),
                None if !last => return Step::Short,
                None => return Step::ill(Kind::TruncatedEnd, at.max(1)),
                Some(_) => return Step::ill(Kind::TruncatedNext, at.max(1)),
            }
        }
        match graphic.read(&bytes[shift..len]) {
            Chars::One(value) => Step::Scalar { value, len },
            Chars::Two(values) => Step::Two { values, len },
            Chars::None => Step::ill(Kind::Unmapped, len),
        }
    }

    /// Reads an escape sequence, or a character after a single shift.
    fn escape(&mut self, bytes: &[u8], last: bool) -> Step {
        if let Some(len) = self.designate(bytes) {
            return Step::Skip { len };
        }
        let row = self.0.row;
        match bytes.get(1) {
            Some(b'~') if row.introducer == b'~' => {
                return Step::Scalar { value: b'~'.into(), len: 2 };
            }
            Some(b'\n') if row.introducer == b'~' => return Step::Skip { len: 2 },
            Some(&byte) if row.introducer == ESCAPE => {
                let shift = SINGLE_SHIFTS.iter().find(|(last, _)| *last == byte);
                if let Some(set) = shift.and_then(|(_, slot)| self.0.get(*slot)) {
                    return Self::character(set.graphic, bytes, 2, last);
                }
            }
            _ => (),
        }
        let mut all = row.designations.iter().map(|designation| designation.escape);
        if !last && (bytes.len() == 1 || all.any(|escape| escape.starts_with(bytes))) {
            return Step::Short;
        }
        Step::ill(Kind::BadEscape, 1)
    }

    /// Reads a designation at the front. Returns its length.
    fn designate(&mut self, bytes: &[u8]) -> Option<usize> {
        let mut all = self.0.row.designations.iter();
        let is_here = |set: &Designation| !set.escape.is_empty() && bytes.starts_with(set.escape);
        let place = all.position(is_here)?;
        self.0.set(place);
        Some(self.0.row.designations[place].escape.len())
    }

    /// Reads characters of the set in use. Returns the number of bytes, and that of characters.
    fn read_run(
        &self,
        bytes: &[u8],
        most: usize,
        mut visit: impl FnMut(Utf8Form),
    ) -> (usize, usize) {
        match self.0.in_use() {
            Graphic::Ascii => {
                let introducer = self.0.row.introducer;
                let is_plain = |byte: &&u8| matches!(byte, b' '..=0x7F) && **byte != introducer;
                let plain = bytes.iter().take(most).take_while(is_plain);
                let number = plain.map(|&byte| visit(Utf8Form::of(byte.into()))).count();
                (number, number)
            }
            Graphic::Pairs(table) => {
                let forms = &PairTable::of(table).chars.forms;
                let mut number = 0;
                for &pair in bytes.as_chunks::<2>().0.iter().take(most) {
                    let pair = u16::from_be_bytes(pair);
                    let form = forms[usize::from(pair | RIGHT)];
                    if pair & RIGHT != 0 || form == Utf8Form::NONE {
                        break;
                    }
                    visit(form);
                    number += 1;
                }
                (2 * number, number)
            }
            _ => (0, 0),
        }
    }
}

impl VisitForms for ShiftedState {
    /// Reads designations and shifts between G0 and G1, too.
    fn read_some(&mut self, bytes: &[u8], most: usize, mut visit: impl FnMut(Utf8Form)) -> usize {
        let (mut at, mut number) = (0, 0);
        loop {
            let (read, characters) = self.read_run(&bytes[at..], most - number, &mut visit);
            at += read;
            number += characters;
            let rest = &bytes[at..];
            let Some(&byte) = rest.first() else { return at };
            at += match byte {
                _ if byte == self.0.row.introducer => match self.designate(rest) {
                    Some(len) => len,
                    None => return at,
                },
                SHIFT_OUT | SHIFT_IN if self.0.get(Slot::G1).is_some() => {
                    self.0.is_out = byte == SHIFT_OUT;
                    1
                }
                ..=b' ' | 0x7F if number < most && !is_shift(byte) => {
                    if byte == b'\n' {
                        self.0.end_line();
                    }
                    visit(Utf8Form::of(byte.into()));
                    number += 1;
                    1
                }
                _ => return at,
            }
        }
    }
}
