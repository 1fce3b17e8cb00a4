//! Multi-byte sets without shifts that the WHATWG Encoding Standard does not have: those of East Asia,
//! and those in which an accent is a byte before its letter.
//!
//! [`CHARSETS`] is the table of the sets, `tables` has their characters. Sequences of three and four
//! bytes are pairs after a prefix: a plane. As in the sets of the standard, an ASCII byte that
//! interrupts a sequence is not part of the ill-formed one, any other is.

use std::sync::OnceLock;

use super::bulk::{self, WORD};
use super::{Codec, Escapes, Group, Properties, Step};
use crate::issue::Kind;
use crate::kernel::{Kernels, LONGEST_UTF8, Loaded, Utf8Form, append_blocks};
use inverse::{CodePen, Inverse};
use tables::{CharTable, Chars};

pub(super) mod inverse;
pub(super) mod linear;
mod rows;
pub(super) mod tables;

pub use rows::{CHARSETS, charset};

/// The codec of the sets whose longest sequence has this number of bytes. The row of an encoding is
/// that in [`CHARSETS`].
#[derive(Debug)]
pub struct PlaneSet<const WIDEST: usize>;

/// A row of [`CHARSETS`].
#[derive(Clone, Copy, Debug)]
pub struct CharsetRow {
    /// The canonical name, which is that of the table, too.
    pub name: &'static str,
    /// Other names, matched loosely.
    pub labels: &'static [&'static str],
    /// A description of one line.
    pub summary: &'static str,
    /// The group in listings.
    pub group: Group,
    /// True if 00..7F are ASCII, and no other byte is below 80.
    pub transparent: bool,
    /// True if 00..7F are ASCII where they are no trail bytes.
    ascii: bool,
    /// Returns `true` for a lead byte.
    is_lead: fn(u8) -> bool,
    /// The bytes before the pairs of a plane, and the name of its table.
    planes: &'static [(&'static [u8], &'static str)],
    /// The name of the table of the sequences of four bytes that are digits to the bases 126 and 10
    /// in turn: GB 18030.
    linear: Option<&'static str>,
    /// Returns `true` for a code that is only written if its character has no other.
    is_second_choice: fn(u32) -> bool,
    /// The part of the set in detection. `None`: not a candidate.
    pub detect: Option<SetTrial>,
}

/// The part of a set in detection, which tries it where no other fits.
#[derive(Clone, Copy, Debug)]
pub struct SetTrial {
    /// The languages that the set was made for, by their names in the tables of detection.
    pub languages: &'static [&'static str],
    /// The first and the last lead byte of pairs.
    leads: [u8; 2],
    /// The first and the last byte after lead bytes.
    trails: [u8; 2],
}

impl CharsetRow {
    /// Returns `true` if every scalar value can be encoded.
    pub const fn holds_all(&self) -> bool {
        self.linear.is_some()
    }

    /// Returns the length of the longest sequence in bytes.
    pub const fn widest(&self) -> usize {
        match self.planes {
            [(prefix, _), ..] => prefix.len() + 2,
            [] if self.linear.is_some() => 4,
            [] => 2,
        }
    }

    /// Returns the length in bytes of the sequences with this lead byte.
    fn length(&self, lead: u8) -> usize {
        let is_long = self.planes.iter().any(|(prefix, _)| prefix[0] == lead);
        // 8E is also the lead byte of katakana in EUC of Japan, 8F only of planes.
        if is_long { self.widest() } else { 2 }
    }

    /// Returns the length in bytes of the first sequence, judged by the ranges of detection alone. It
    /// may be longer than the bytes. `None` if no sequence starts like this.
    pub(crate) fn length_in_ranges(&self, bytes: &[u8]) -> Option<usize> {
        let SetTrial { leads, trails, .. } = self.detect?;
        let is_in = |[first, last]: [u8; 2], byte: u8| (first..=last).contains(&byte);
        let (&lead, rest) = bytes.split_first()?;
        let length = if lead < 0x80 { 1 } else { self.length(lead) };
        let is_lead = length != 2 || is_in(leads, lead);
        let is_whole = rest.iter().take(length - 1).all(|&trail| is_in(trails, trail));
        (is_lead && is_whole).then_some(length)
    }
}

/// The pairs of bytes after a prefix.
struct Plane {
    prefix: &'static [u8],
    table: CharTable,
    /// The bytes that start a character.
    leads: [bool; 256],
}

impl Plane {
    fn new(prefix: &'static [u8], mut table: CharTable) -> Plane {
        if !prefix.is_empty() {
            table.retain(|code| code > 0xFF);
        }
        let mut leads = [false; 256];
        for (pair, form) in table.forms.iter().enumerate().skip(1 << 8) {
            leads[pair >> 8] |= *form != Utf8Form::NONE;
        }
        table.joined.keys().for_each(|pair| leads[usize::from(pair >> 8)] = true);
        Plane { prefix, table, leads }
    }

    /// Returns all codes, prefix included, with their characters.
    fn codes(&self) -> impl Iterator<Item = (u32, Chars)> {
        let prefix = self.prefix.iter().fold(0, |prefix, &byte| prefix << 8 | u32::from(byte));
        self.table.codes().map(move |(pair, chars)| (prefix << 16 | pair, chars))
    }
}

/// The characters of a set that is in use.
pub struct CharsetTable {
    /// The plane of the sequences of one and two bytes, and those after prefixes.
    planes: Vec<Plane>,
    /// The characters of [`CharsetRow::linear`], by their places.
    linear: Option<CharTable>,
    /// For each last byte of a prefix, the index of its plane; 0 for none.
    planes_by_byte: [u8; 256],
    /// The ASCII bytes that end pairs.
    ascii_trails: [bool; 128],
    inverse: OnceLock<Inverse>,
}

static IN_USE: [OnceLock<CharsetTable>; CHARSETS.len()] =
    [const { OnceLock::new() }; CHARSETS.len()];

impl CharsetTable {
    fn new(row: &CharsetRow) -> CharsetTable {
        let all = [(&[][..], row.name)].into_iter().chain(row.planes.iter().copied());
        let planes = all.map(|(prefix, name)| Plane::new(prefix, tables::unpack(name)));
        let mut table = CharsetTable {
            planes: planes.collect(),
            linear: row.linear.map(tables::unpack),
            planes_by_byte: [0; 256],
            ascii_trails: [false; 128],
            inverse: OnceLock::new(),
        };
        for (plane, (prefix, _)) in (1..).zip(row.planes) {
            prefix.last().inspect(|&&last| table.planes_by_byte[usize::from(last)] = plane);
        }
        let pairs = &table.planes[0].table.forms[1 << 8..];
        for (pair, form) in pairs.iter().enumerate().filter(|(pair, _)| pair & 0x80 == 0) {
            table.ascii_trails[pair & 0x7F] |= *form != Utf8Form::NONE;
        }
        table
    }

    fn of(row: usize) -> &'static CharsetTable {
        IN_USE[row].get_or_init(|| CharsetTable::new(&CHARSETS[row]))
    }

    fn form(&self, code: u16) -> Utf8Form {
        self.planes[0].table.forms[usize::from(code)]
    }

    /// Returns the plane of the sequences that start with these bytes.
    #[inline(always)]
    fn plane(&self, bytes: &[u8]) -> Option<&Plane> {
        let found = self.planes[1..].iter().find(|plane| bytes.starts_with(plane.prefix));
        found.or_else(|| self.planes.first())
    }

    /// Returns `true` if a character starts with these bytes, or could.
    fn starts(&self, begun: &[u8]) -> bool {
        let at_end = self.planes[1..].iter().any(|plane| plane.prefix.starts_with(begun));
        at_end
            || self.plane(begun).is_some_and(|plane| {
                let lead = begun.get(plane.prefix.len());
                lead.is_none_or(|&lead| plane.leads[usize::from(lead)])
            })
    }

    /// Returns the codes for writing.
    fn inverse(&self, row: &CharsetRow) -> &Inverse {
        self.inverse.get_or_init(|| {
            let linear = self.linear.iter().flat_map(CharTable::codes);
            let long = linear.map(|(place, chars)| (linear::code(place), chars));
            let codes = self.planes.iter().flat_map(Plane::codes).chain(long);
            let inverse = Inverse::new(codes, row.is_second_choice);
            match row.linear {
                Some(_) => inverse.with_supplementary(linear::of_supplementary),
                None => inverse,
            }
        })
    }
}

/// The set of a reader.
#[derive(Clone, Copy)]
pub struct CharsetInUse {
    row: &'static CharsetRow,
    table: &'static CharsetTable,
}

impl CharsetInUse {
    fn of(row: usize) -> CharsetInUse {
        CharsetInUse { row: &CHARSETS[row], table: CharsetTable::of(row) }
    }

    /// Reads the characters at the front that have one code point. Stops at ASCII, except at the very
    /// front. Returns the number of bytes read.
    #[inline(always)]
    fn read_some<const WIDEST: usize>(
        &self,
        bytes: &[u8],
        most: usize,
        mut visit: impl FnMut(Utf8Form),
    ) -> usize {
        let forms = &self.table.planes[0].table.forms;
        let (mut at, mut number) = (0, 0);
        while number < most && at < bytes.len() {
            // Pairs mostly follow each other. No byte that starts them is a character alone.
            for &pair in bytes[at..].as_chunks().0.iter().take(most - number) {
                let code = u16::from_be_bytes(pair);
                let form = forms[usize::from(code)];
                if form == Utf8Form::NONE || code <= u8::MAX.into() {
                    break;
                }
                visit(form);
                at += 2;
                number += 1;
            }
            if number == most || at == bytes.len() {
                break;
            }
            let lead = bytes[at];
            if self.row.ascii && lead < 0x80 && at > 0 {
                break;
            }
            let (mut form, mut len) = (forms[usize::from(lead)], 1);
            if form == Utf8Form::NONE {
                let Some(&trail) = bytes.get(at + 1) else { break };
                (form, len) = (forms[usize::from(u16::from_be_bytes([lead, trail]))], 2);
            }
            if WIDEST == 4 && form == Utf8Form::NONE && self.table.linear.is_some() {
                let Some(sequence) = bytes[at..].first_chunk() else { break };
                (form, len) = (self.linear(*sequence), 4);
            } else if WIDEST > 2 && form == Utf8Form::NONE {
                let Some(sequence) = bytes.get(at..at + WIDEST) else { break };
                (form, len) = (self.long::<WIDEST>(sequence), WIDEST);
            }
            if form == Utf8Form::NONE {
                break;
            }
            visit(form);
            at += len;
            number += 1;
        }
        at
    }

    /// Returns the character of a sequence in a plane.
    #[inline(always)]
    fn long<const WIDEST: usize>(&self, sequence: &[u8]) -> Utf8Form {
        let (prefix, pair) = sequence.split_at(WIDEST - 2);
        let number = prefix.last().map_or(0, |&last| self.table.planes_by_byte[usize::from(last)]);
        let plane = self.table.planes.get(usize::from(number));
        plane.filter(|plane| plane.prefix == prefix).map_or(Utf8Form::NONE, |plane| {
            plane.table.forms[usize::from(u16::from_be_bytes([pair[0], pair[1]]))]
        })
    }

    /// Returns the character of four bytes of GB 18030.
    #[inline(always)]
    fn linear(&self, sequence: [u8; 4]) -> Utf8Form {
        let Some(place) = linear::place(sequence) else { return Utf8Form::NONE };
        let known = self.table.linear.as_ref().and_then(|table| table.forms.get(place as usize));
        known.copied().unwrap_or_else(|| linear::supplementary(place))
    }

    /// Reads a sequence of four bytes of GB 18030. Of an ill-formed one, the other bytes are read
    /// again: its digits are ASCII.
    fn step_linear(&self, bytes: &[u8], last: bool) -> Step {
        let Some(sequence) = bytes.first_chunk() else {
            let continues = bytes.get(2).is_none_or(|byte| matches!(byte, 0x81..=0xFE));
            return match last {
                false if continues => Step::Short,
                true if continues => Step::ill(Kind::TruncatedEnd, bytes.len()),
                _ => Step::ill(Kind::TruncatedNext, 1),
            };
        };
        match self.linear(*sequence) {
            Utf8Form::NONE if linear::place(*sequence).is_some() => {
                Step::ill(Kind::Unmapped, sequence.len())
            }
            Utf8Form::NONE => Step::ill(Kind::TruncatedNext, 1),
            form => Step::Scalar { value: form.value(), len: sequence.len() },
        }
    }

    fn step(&self, bytes: &[u8], last: bool) -> Step {
        let Some(&lead) = bytes.first() else { return Step::Short };
        let form = self.table.form(lead.into());
        if form != Utf8Form::NONE {
            return Step::Scalar { value: form.value(), len: 1 };
        }
        if !(self.row.is_lead)(lead) {
            return Step::ill(Kind::Unmapped, 1);
        }
        if let [_, b'0'..=b'9', ..] = bytes
            && self.table.linear.is_some()
        {
            return self.step_linear(bytes, last);
        }
        let length = self.row.length(lead);
        for at in 1..length {
            match bytes.get(at) {
                None if last => return self.fault(bytes, Kind::TruncatedEnd),
                None => return Step::Short,
                // Only the last byte can be ASCII.
                Some(0..0x80) if at + 1 < length => {
                    return self.fault(&bytes[..at], Kind::TruncatedNext);
                }
                Some(_) => (),
            }
        }
        self.whole(&bytes[..length])
    }

    /// Reads a sequence that is long enough.
    fn whole(&self, sequence: &[u8]) -> Step {
        let (begun, trail) = sequence.split_at(sequence.len() - 1);
        let chars = self.table.plane(sequence).map_or(Chars::None, |plane| {
            match sequence.get(plane.prefix.len()..) {
                Some(&[lead, trail]) => plane.table.get(u16::from_be_bytes([lead, trail])),
                _ => Chars::None,
            }
        });
        match chars {
            Chars::One(value) => Step::Scalar { value, len: sequence.len() },
            Chars::Two(values) => Step::Two { values, len: sequence.len() },
            // The letter below an accent is ASCII: another byte may be the next accent.
            Chars::None if trail[0] >= 0x80 && self.row.group != Group::FloatingAccents => {
                Step::ill(Kind::Unmapped, sequence.len())
            }
            Chars::None
                if begun.len() == 1
                    && self.table.ascii_trails.get(usize::from(trail[0])) == Some(&true) =>
            {
                Step::ill(Kind::Unmapped, 1)
            }
            Chars::None => self.fault(begun, Kind::TruncatedNext),
        }
    }

    /// Returns the fault of a sequence that ends too early, unless no character starts like that.
    fn fault(&self, begun: &[u8], kind: Kind) -> Step {
        Step::ill(if self.table.starts(begun) { kind } else { Kind::Unmapped }, begun.len())
    }
}

/// Returns the first bytes, and a lower bound on the number of bytes at the front that are ASCII.
#[inline(always)]
fn read_ascii(set: &CharsetInUse, kernels: &Kernels, bytes: &[u8]) -> ([u8; WORD], usize) {
    if !set.row.ascii {
        return ([0; WORD], 0);
    }
    match bulk::ascii_before(bytes, 0x80) {
        (word, WORD) => (word, WORD + kernels.ascii(&bytes[WORD..])),
        few => few,
    }
}

impl<const WIDEST: usize> Codec for PlaneSet<WIDEST> {
    type State = CharsetInUse;
    type Pen = CodePen;
    const TOLERATES_CHANGES: bool = true;
    const TRANSCODES_UNSCANNED: bool = true;
    // A trail byte can look like a lead byte, and in most sets like ASCII.
    const REACH: Option<u64> = None;
    const SIGNATURE: &'static [u8] = &[];

    const WIDEST: usize = WIDEST;
    const GROUP: Group = Group::RareEastAsia;
    const PROPERTIES: Properties = Properties {
        // See `CharsetRow::transparent`.
        transparent: false,
        stateful: false,
        scalars: false,
        surrogates: false,
    };

    fn start(row: usize, _: u64) -> CharsetInUse {
        CharsetInUse::of(row)
    }

    fn prefix(set: &mut CharsetInUse, kernels: &Kernels, bytes: &[u8]) -> usize {
        let mut at = 0;
        loop {
            at += read_ascii(set, kernels, &bytes[at..]).1;
            match set.read_some::<WIDEST>(&bytes[at..], usize::MAX, |_| ()) {
                0 => return at,
                read => at += read,
            }
        }
    }

    fn step(set: &mut CharsetInUse, bytes: &[u8], last: bool) -> Step {
        CharsetInUse::step(set, bytes, last)
    }

    fn load(set: &mut CharsetInUse, _: &Kernels, bytes: &[u8], values: &mut [u32]) -> Loaded {
        let now = *set;
        bulk::load::<Self>(set, bytes, values, |bytes, values| {
            let mut written = 0;
            let read = now.read_some::<WIDEST>(bytes, values.len(), |form| {
                values[written] = form.value();
                written += 1;
            });
            Loaded { read, written }
        })
    }

    fn write_utf8(
        set: &mut CharsetInUse,
        kernels: &Kernels,
        bytes: &[u8],
        out: &mut Vec<u8>,
    ) -> usize {
        append_blocks::<WORD, _>(out, LONGEST_UTF8 * bytes.len(), |room| {
            let mut at = 0;
            loop {
                let (word, ascii) = read_ascii(set, kernels, &bytes[at..]);
                match ascii {
                    ..=WORD => room.push(word, ascii),
                    _ => room.extend(&bytes[at..at + ascii]),
                }
                at += ascii;
                let rest = &bytes[at..];
                match set.read_some::<WIDEST>(rest, usize::MAX, |form| room.push_form(form)) {
                    0 => return at,
                    read => at += read,
                }
            }
        })
    }

    fn pen(row: usize, _: Escapes) -> CodePen {
        CodePen::new(CharsetTable::of(row).inverse(&CHARSETS[row]))
    }

    fn put(pen: &mut CodePen, value: u32, out: &mut Vec<u8>) -> bool {
        pen.put(value, |code| inverse::push(code, out))
    }

    fn store(pen: &mut CodePen, _: &Kernels, values: &[u32], out: &mut Vec<u8>) -> usize {
        pen.store(values, out)
    }

    fn holds_letters(row: usize) -> bool {
        CharsetTable::of(row).planes.iter().any(|plane| !plane.table.joined.is_empty())
    }

    fn release(pen: &mut CodePen, out: &mut Vec<u8>) {
        pen.release(|code| inverse::push(code, out));
    }

    fn announced(row: usize, bytes: &[u8]) -> usize {
        let row = &CHARSETS[row];
        match bytes {
            [0..0x80, ..] | [] => 1,
            [_, b'0'..=b'9', ..] if row.linear.is_some() => WIDEST,
            [lead, ..] => row.length(*lead),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg_attr(miri, ignore = "takes minutes for large tables, in safe code")]
    fn no_character_of_one_byte_starts_a_pair() {
        for (row, set) in CHARSETS.iter().enumerate() {
            let table = CharsetTable::of(row);
            for pair in (0x100..=u16::MAX).step_by(crate::TEST_STRIDE) {
                let is_pair = table.form(pair) != Utf8Form::NONE;
                let is_single = table.form(pair >> 8) != Utf8Form::NONE;
                assert!(!is_pair || !is_single, "{} {pair:X}", set.name);
            }
        }
    }
}
