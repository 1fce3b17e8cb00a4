//! Writing, with the designations and shifts that characters need.

use super::graphic::{Graphic, PairTable, RIGHT};
use super::reader::Designated;
use super::rows::Slot;
use crate::codec::controls::{SHIFT_IN, SHIFT_OUT, is_shift};
use crate::codec::sets::inverse::{Inverse, SecondChars};

/// The state of a writer.
#[derive(PartialEq)]
pub struct ShiftedPen {
    designated: Designated,
    /// The header is still to be written.
    owes_header: bool,
    /// The code point that waits for another to join it.
    pending: Option<u32>,
}

impl ShiftedPen {
    pub(super) fn new(row: usize) -> ShiftedPen {
        let designated = Designated::start(row);
        ShiftedPen { designated, owes_header: designated.row.has_header, pending: None }
    }

    /// Returns the place of a designation and the code of a character: of the set in use, or else of
    /// the first that has it.
    fn find(&self, value: u32) -> Option<(usize, u16)> {
        let row = self.designated.row;
        if value < 0x80 {
            return (!is_shift(value as u8)).then_some((0, value as u16));
        }
        let slot = if self.designated.is_out { Slot::G1 } else { Slot::G0 };
        let in_use = self.designated.slots[slot as usize].map(usize::from);
        let places = in_use.into_iter().chain(0..row.designations.len());
        let mut found = places.filter_map(|place| {
            let code = row.designations[place].graphic.code(value)?;
            Some((place, code))
        });
        found.next()
    }

    /// Returns the same for two code points that join.
    fn find_joined(&self, first: u32, second: u32) -> Option<(usize, u16)> {
        let all = self.designated.row.designations.iter().enumerate();
        let mut found = all.filter_map(|(place, designation)| {
            let code = designation.graphic.inverse()?.joined(first, second)?;
            Some((place, code as u16 ^ RIGHT))
        });
        found.next()
    }

    fn joins(&self, value: u32) -> bool {
        let all = self.designated.row.designations.iter();
        self.designated.row.joins
            && value >= 0x80
            && all
                .filter_map(|designation| designation.graphic.inverse())
                .any(|inverse| inverse.joins(value))
    }

    pub(super) fn put(&mut self, value: u32, out: &mut Vec<u8>) -> bool {
        if let Some(first) = self.pending
            && let Some((place, code)) = self.find_joined(first, value)
        {
            self.pending = None;
            self.emit(place, code, out);
            return true;
        }
        let Some(mut found) = self.find(value) else { return false };
        if self.pending.is_some() {
            // Another set may be in use then.
            self.release(out);
            found = self.find(value).unwrap_or(found);
        }
        if self.joins(value) {
            self.pending = Some(value);
        } else {
            let (place, code) = found;
            self.emit(place, code, out);
        }
        true
    }

    /// Returns the characters that may join one before them.
    fn seconds(&self) -> SecondChars {
        let row = self.designated.row;
        let joining = row.designations.iter().filter(|_| row.joins);
        let inverses = joining.filter_map(|designation| designation.graphic.inverse());
        inverses.map(Inverse::seconds).fold(SecondChars::default(), SecondChars::union)
    }

    /// Returns `true` if a character joins the next one, or may join one that follows later.
    fn waits(&self, value: u32, next: Option<&u32>) -> bool {
        match next {
            Some(&next) => self.find_joined(value, next).is_some(),
            None => self.joins(value),
        }
    }

    /// Writes the characters at the front that wait for nothing, of the set in use and that of the
    /// other shift. Returns their number.
    pub(super) fn put_run(&mut self, values: &[u32], out: &mut Vec<u8>) -> usize {
        if self.pending.is_some() || self.owes_header {
            return 0;
        }
        let mut written = self.put_some(values, out);
        while self.shift_for(values.get(written), out) {
            written += self.put_some(&values[written..], out);
        }
        written
    }

    /// Shifts to the set of the other shift, if [`find`](Self::find) would choose it for a character.
    fn shift_for(&mut self, value: Option<&u32>, out: &mut Vec<u8>) -> bool {
        let is_next = match (value, self.designated.is_out) {
            (Some(0x20..=0x7F), true) => true,
            // The first set that has characters beyond ASCII.
            (Some(&value @ 0x80..), false)
                if self.designated.slots[Slot::G1 as usize] == Some(1) =>
            {
                let set = self.designated.get(Slot::G1);
                let codes = set.and_then(|designation| designation.graphic.inverse());
                codes.is_some_and(|codes| codes.get(value).is_some())
            }
            _ => false,
        };
        if is_next {
            self.shift(!self.designated.is_out, out);
        }
        is_next
    }

    /// Writes those at the front that the set in use has.
    fn put_some(&self, values: &[u32], out: &mut Vec<u8>) -> usize {
        let Designated { row, .. } = self.designated;
        let before = out.len();
        match self.designated.in_use() {
            Graphic::Ascii => {
                let is_plain = |value: &&u32| {
                    matches!(value, 0x20..=0x7F) && **value != u32::from(row.introducer)
                };
                let plain = values.iter().take_while(is_plain);
                out.extend(plain.map(|&value| value as u8));
                out.len() - before
            }
            Graphic::Pairs(table) => {
                let codes = PairTable::of(table).inverse();
                let seconds = self.seconds();
                for (at, &value) in values.iter().enumerate() {
                    let code = codes.get(value).filter(|_| value >= 0x80);
                    let Some(code) = code else { break };
                    let next = values.get(at + 1);
                    if seconds.may_have(next) && self.waits(value, next) {
                        break;
                    }
                    out.extend_from_slice(&(code as u16 ^ RIGHT).to_be_bytes());
                }
                (out.len() - before) / 2
            }
            _ => 0,
        }
    }

    fn release(&mut self, out: &mut Vec<u8>) {
        if let Some((place, code)) = self.pending.take().and_then(|value| self.find(value)) {
            self.emit(place, code, out);
        }
    }

    /// Writes a character, after the escape sequence and the shift that it needs.
    fn emit(&mut self, place: usize, code: u16, out: &mut Vec<u8>) {
        let row = self.designated.row;
        if std::mem::take(&mut self.owes_header) {
            out.extend_from_slice(row.designations[1].escape);
            self.designated.set(1);
        }
        let set = &row.designations[place];
        if self.designated.slots[set.slot as usize] != Some(place as u8) {
            if set.slot == Slot::G1 {
                // glibc misreads a designation between Shift Out and Shift In.
                self.shift(false, out);
            }
            out.extend_from_slice(set.escape);
            self.designated.set(place);
        }
        match set.slot {
            Slot::G0 | Slot::G1 => self.shift(set.slot == Slot::G1, out),
            Slot::G2 => out.extend_from_slice(b"\x1BN"),
            Slot::G3 => out.extend_from_slice(b"\x1BO"),
        }
        let bytes = code.to_be_bytes();
        out.extend_from_slice(&bytes[2 - set.graphic.size()..]);
        if row.introducer == b'~' && place == 0 && bytes[1] == b'~' {
            out.push(b'~');
        }
        if code == u16::from(b'\n') && place == 0 {
            self.designated.end_line();
        }
    }

    /// Shifts between G0 and G1.
    fn shift(&mut self, is_out: bool, out: &mut Vec<u8>) {
        if self.designated.is_out != is_out {
            out.push(if is_out { SHIFT_OUT } else { SHIFT_IN });
            self.designated.is_out = is_out;
        }
    }

    /// Writes the letter that waits, and returns to the set at the start of a text.
    pub(super) fn finish(&mut self, out: &mut Vec<u8>) {
        self.release(out);
        self.shift(false, out);
        if self.designated.slots[0] != Some(0) {
            out.extend_from_slice(self.designated.row.designations[0].escape);
            self.designated.set(0);
        }
    }
}
