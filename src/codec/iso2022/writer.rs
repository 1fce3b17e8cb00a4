//! Writing, with the designations and shifts that characters need.

use super::graphic::{Graphic, PairTable};
use super::reader::Designated;
use super::rows::Slot;
use crate::codec::controls::{RIGHT, SHIFT_IN, SHIFT_OUT, is_shift};
use crate::codec::sets::inverse::{Inverse, SecondChars};
use crate::kernel::{SpareRoom, append_blocks};

/// The state of a writer.
#[derive(Clone, PartialEq)]
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
        let code = |place: usize| Some((place, row.designations[place].graphic.code(value)?));
        in_use.and_then(code).or_else(|| (0..row.designations.len()).find_map(code))
    }

    /// Returns the designation and the code of a pair of code points.
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
        value >= 0x80
            && all
                .filter_map(|designation| designation.graphic.inverse())
                .any(|inverse| inverse.joins(value))
    }

    pub(super) fn put(&mut self, value: u32, room: &mut SpareRoom<'_>) -> bool {
        if let Some(first) = self.pending
            && let Some((place, code)) = self.find_joined(first, value)
        {
            self.pending = None;
            self.emit(place, code, room);
            return true;
        }
        let Some(mut found) = self.find(value) else { return false };
        if self.pending.is_some() {
            // Another set may be in use then.
            self.release(room);
            found = self.find(value).unwrap_or(found);
        }
        if self.designated.row.joins && self.joins(value) {
            self.pending = Some(value);
        } else {
            let (place, code) = found;
            self.emit(place, code, room);
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

    /// Writes characters up to the first that no set has. Returns their number.
    pub(super) fn put_all(&mut self, values: &[u32], room: &mut SpareRoom<'_>) -> usize {
        let seconds = self.seconds();
        let mut at = 0;
        while at < values.len() {
            if self.pending.is_none() && !self.owes_header {
                at += self.put_some(&values[at..], seconds, room);
            }
            match values.get(at) {
                Some(&value) if self.put(value, room) => at += 1,
                _ => break,
            }
        }
        at
    }

    /// Writes the characters at the front that the set in use has and that wait for nothing. Returns
    /// their number.
    fn put_some(&self, values: &[u32], seconds: SecondChars, room: &mut SpareRoom<'_>) -> usize {
        let row = self.designated.row;
        match self.designated.in_use() {
            Graphic::Ascii => {
                let is_plain = |value: &&u32| {
                    matches!(value, 0x20..=0x7F) && **value != u32::from(row.introducer)
                };
                let plain = values.iter().take_while(is_plain);
                plain.map(|&value| room.push([value as u8], 1)).count()
            }
            Graphic::Pairs(table) => {
                let codes = PairTable::of(table).inverse();
                for (at, &value) in values.iter().enumerate() {
                    let code = codes.collected(value);
                    let next = values.get(at + 1).copied();
                    if code == 0
                        || value < 0x80
                        || row.joins && self.waits(value, next, codes, seconds)
                    {
                        return at;
                    }
                    room.push((code as u16 ^ RIGHT).to_be_bytes(), 2);
                }
                values.len()
            }
            _ => 0,
        }
    }

    /// Returns `true` if a character must wait: it joins the next one, or the next one has no code and
    /// may be left out.
    fn waits(&self, value: u32, next: Option<u32>, codes: &Inverse, seconds: SecondChars) -> bool {
        let has_code = |next: &u32| codes.collected(*next) != 0 || self.find(*next).is_some();
        match next.filter(has_code) {
            Some(next) => seconds.may_have(next) && self.find_joined(value, next).is_some(),
            None => self.joins(value),
        }
    }

    pub(super) fn release(&mut self, room: &mut SpareRoom<'_>) {
        if let Some((place, code)) = self.pending.take().and_then(|value| self.find(value)) {
            self.emit(place, code, room);
        }
    }

    /// Writes a character, after the escape sequence and the shift that it needs.
    fn emit(&mut self, place: usize, code: u16, room: &mut SpareRoom<'_>) {
        let row = self.designated.row;
        if std::mem::take(&mut self.owes_header) {
            room.extend(row.designations[1].escape);
            self.designated.set(1);
        }
        let set = &row.designations[place];
        if self.designated.slots[set.slot as usize] != Some(place as u8) {
            if set.slot == Slot::G1 {
                // glibc misreads a designation between Shift Out and Shift In.
                self.shift(false, room);
            }
            room.extend(set.escape);
            self.designated.set(place);
        }
        match set.slot {
            Slot::G0 | Slot::G1 => self.shift(set.slot == Slot::G1, room),
            Slot::G2 => room.push(*b"\x1BN", 2),
            Slot::G3 => room.push(*b"\x1BO", 2),
        }
        let bytes = code.to_be_bytes();
        match set.graphic.size() {
            2 => room.push(bytes, 2),
            _ => room.push([bytes[1]], 1),
        }
        if row.introducer == b'~' && place == 0 && bytes[1] == b'~' {
            room.extend(b"~");
        }
        if code == u16::from(b'\n') && place == 0 {
            self.designated.end_line();
        }
    }

    /// Shifts between G0 and G1.
    fn shift(&mut self, is_out: bool, room: &mut SpareRoom<'_>) {
        if self.designated.is_out != is_out {
            room.push([if is_out { SHIFT_OUT } else { SHIFT_IN }], 1);
            self.designated.is_out = is_out;
        }
    }

    /// Writes the letter that waits, and returns to the set at the start of a text.
    pub(super) fn finish(&mut self, room: &mut SpareRoom<'_>) {
        self.release(room);
        self.shift(false, room);
        if self.designated.slots[0] != Some(0) {
            room.extend(self.designated.row.designations[0].escape);
            self.designated.set(0);
        }
    }
}

/// The most bytes of a character: a shift, an escape sequence of four, a single shift and a pair.
const LONGEST_STEP: usize = 9;

/// Makes room for some characters, one that waits and a header, and calls a function that writes them.
pub(super) fn write<T>(
    number: usize,
    out: &mut Vec<u8>,
    write: impl FnOnce(&mut SpareRoom<'_>) -> T,
) -> T {
    append_blocks::<1, _>(out, LONGEST_STEP * (number + 2), write)
}
