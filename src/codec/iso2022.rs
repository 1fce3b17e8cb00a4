//! Sets of ISO/IEC 2022 in seven bits, and HZ: several tables, chosen by escape sequences.
//!
//! [`SHIFTED_SETS`] is the table of the encodings: RFC 1554 and 2237 (ISO-2022-JP-2 and -1), JIS X 0213
//! (-3 and -2004), CPython's ISO-2022-JP-EXT, RFC 1557 (-KR), RFC 1922 (-CN and -CN-EXT) and RFC 1843
//! (HZ). Controls, the space and DEL are themselves whatever the set is. Designations that hold for a
//! line end with it.

use std::sync::OnceLock;

use super::bulk::{self, LONGEST_FORM};
use super::sets::inverse::{Inverse, SecondChars};
use super::sets::tables::{self, CharTable, Chars};
use super::{Codec, Escapes, Group, Properties, Step, pages};
use crate::issue::Kind;
use crate::kernel::{Kernels, Loaded, Utf8Form, append_blocks};
use crate::text::equal;

/// The codec of the shifted sets whose longest sequence has this number of bytes. The row of an encoding is that in [`SHIFTED_SETS`].
#[derive(Debug)]
pub struct Shifted<const WIDEST: usize>;

/// A row of [`SHIFTED_SETS`].
#[derive(Debug)]
pub struct ShiftedRow {
    /// The canonical name.
    pub name: &'static str,
    /// Other names, matched loosely.
    pub labels: &'static [&'static str],
    /// A description of one line.
    pub summary: &'static str,
    /// The escape sequences and their sets, in the order of preference for writing. The first is
    /// the set at the start of a text and, when written, at its end.
    designations: &'static [Designation],
    /// `true` if a text starts with the designation of the second set.
    has_header: bool,
    /// The first byte of escape sequences.
    introducer: u8,
    /// `true` if a set has characters of two code points.
    joins: bool,
    /// `true` if the designations of G1 to G3 end with the line.
    by_line: bool,
}

/// An escape sequence that makes a set available.
#[derive(Debug)]
struct Designation {
    escape: &'static [u8],
    slot: Slot,
    graphic: Graphic,
}

/// The place that an escape sequence gives to a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Slot {
    /// In use at once.
    G0,
    /// In use after Shift Out.
    G1,
    /// In use for the character after ESC N.
    G2,
    /// In use for the character after ESC O.
    G3,
}

/// A graphic set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Graphic {
    Ascii,
    /// The left half of JIS X 0201.
    Roman,
    /// The right half of JIS X 0201.
    Katakana,
    /// The right half of ISO 8859-1.
    Latin,
    /// The right half of ISO 8859-7.
    Greek,
    /// A set of 94 by 94 characters, by its place in [`TABLES`].
    Pairs(usize),
}

/// The sets of 94 by 94 characters, in the right halves of these tables.
const TABLES: [&str; 15] = [
    "euc-jp",
    "euc-jp-8f",
    "euc-jis-2004",
    "euc-jis-2004-8f",
    "euc-jisx0213",
    "euc-cn",
    "iso-ir-165",
    "euc-kr",
    "euc-tw",
    "cns-2",
    "cns-3",
    "cns-4",
    "cns-5",
    "cns-6",
    "cns-7",
];

/// Returns the set in the right half of a table.
const fn pairs(name: &str) -> Graphic {
    let mut table = 0;
    while !equal(TABLES[table].as_bytes(), name.as_bytes()) {
        table += 1;
    }
    Graphic::Pairs(table)
}

const fn g0(escape: &'static [u8], graphic: Graphic) -> Designation {
    Designation { escape, slot: Slot::G0, graphic }
}

const fn g1(escape: &'static [u8], graphic: Graphic) -> Designation {
    Designation { escape, slot: Slot::G1, graphic }
}

const fn g2(escape: &'static [u8], graphic: Graphic) -> Designation {
    Designation { escape, slot: Slot::G2, graphic }
}

const fn g3(escape: &'static [u8], graphic: Graphic) -> Designation {
    Designation { escape, slot: Slot::G3, graphic }
}

const ASCII: Designation = g0(b"\x1B(B", Graphic::Ascii);
const ROMAN: Designation = g0(b"\x1B(J", Graphic::Roman);
const KATAKANA: Designation = g0(b"\x1B(I", Graphic::Katakana);
const KANJI: Designation = g0(b"\x1B$B", pairs("euc-jp"));
const KANJI_OF_1978: Designation = g0(b"\x1B$@", pairs("euc-jp"));
const MORE_KANJI: Designation = g0(b"\x1B$(D", pairs("euc-jp-8f"));
/// The first plane of JIS X 0213 in the editions of 2000 and 2004.
const PLANE_1: Designation = g0(b"\x1B$(O", pairs("euc-jisx0213"));
const PLANE_1_OF_2004: Designation = g0(b"\x1B$(Q", pairs("euc-jis-2004"));
const PLANE_2: Designation = g0(b"\x1B$(P", pairs("euc-jis-2004-8f"));
/// ASCII where no escape sequence returns to it.
const PLAIN: Designation = g0(b"", Graphic::Ascii);

/// The shifted sets.
#[rustfmt::skip]
pub static SHIFTED_SETS: &[ShiftedRow] = &[
    ShiftedRow {
        name: "iso-2022-jp-1",
        summary: "ISO-2022-JP-1 (RFC 2237): Japanese, with JIS X 0212",
        designations: &[ASCII, ROMAN, KANJI, KANJI_OF_1978, MORE_KANJI],
        ..ShiftedRow::USUAL
    },
    ShiftedRow {
        name: "iso-2022-jp-2",
        labels: &["csISO2022JP2"],
        summary: "ISO-2022-JP-2 (RFC 1554): Japanese, Chinese, Korean, Greek and Western Europe",
        designations: &[
            ASCII, ROMAN, KANJI, KANJI_OF_1978, MORE_KANJI,
            g2(b"\x1B.A", Graphic::Latin),
            g2(b"\x1B.F", Graphic::Greek),
            g0(b"\x1B$A", pairs("euc-cn")),
            g0(b"\x1B$(C", pairs("euc-kr")),
        ],
        by_line: true,
        ..ShiftedRow::USUAL
    },
    ShiftedRow {
        name: "iso-2022-jp-3",
        summary: "ISO-2022-JP-3 (JIS X 0213:2000): Japanese",
        designations: &[ASCII, ROMAN, KANJI, KANJI_OF_1978, PLANE_1, PLANE_2, KATAKANA],
        joins: true,
        ..ShiftedRow::USUAL
    },
    ShiftedRow {
        name: "iso-2022-jp-2004",
        summary: "ISO-2022-JP-2004 (JIS X 0213:2004): Japanese",
        designations: &[
            ASCII, ROMAN, KANJI, KANJI_OF_1978, PLANE_1_OF_2004, PLANE_1, PLANE_2, KATAKANA,
        ],
        joins: true,
        ..ShiftedRow::USUAL
    },
    ShiftedRow {
        name: "iso-2022-jp-ext",
        summary: "ISO-2022-JP-EXT: Japanese, with JIS X 0212 and half-width katakana",
        designations: &[ASCII, ROMAN, KANJI, KANJI_OF_1978, MORE_KANJI, KATAKANA],
        ..ShiftedRow::USUAL
    },
    ShiftedRow {
        name: "iso-2022-kr",
        labels: &[
            "csISO2022KR",
            "50225",
            "cp50225",
            "iso-2022-kr-7",
            "iso-2022-kr-7bit",
            "korean-iso-7bit-lock",
        ],
        summary: "ISO-2022-KR (RFC 1557): Korean",
        designations: &[PLAIN, g1(b"\x1B$)C", pairs("euc-kr"))],
        has_header: true,
        ..ShiftedRow::USUAL
    },
    ShiftedRow {
        name: "iso-2022-cn",
        labels: &["csISO2022CN", "chinese-iso-7bit"],
        summary: "ISO-2022-CN (RFC 1922): Chinese, GB 2312 and CNS 11643",
        designations: &[
            PLAIN,
            g1(b"\x1B$)A", pairs("euc-cn")),
            g1(b"\x1B$)G", pairs("euc-tw")),
            g2(b"\x1B$*H", pairs("cns-2")),
        ],
        by_line: true,
        ..ShiftedRow::USUAL
    },
    ShiftedRow {
        name: "iso-2022-cn-ext",
        labels: &["csISO2022CNEXT"],
        summary: "ISO-2022-CN-EXT (RFC 1922): Chinese, with ISO-IR-165 and planes 3 to 7",
        designations: &[
            PLAIN,
            g1(b"\x1B$)A", pairs("euc-cn")),
            g1(b"\x1B$)G", pairs("euc-tw")),
            g1(b"\x1B$)E", pairs("iso-ir-165")),
            g2(b"\x1B$*H", pairs("cns-2")),
            g3(b"\x1B$+I", pairs("cns-3")),
            g3(b"\x1B$+J", pairs("cns-4")),
            g3(b"\x1B$+K", pairs("cns-5")),
            g3(b"\x1B$+L", pairs("cns-6")),
            g3(b"\x1B$+M", pairs("cns-7")),
        ],
        by_line: true,
        ..ShiftedRow::USUAL
    },
    ShiftedRow {
        name: "hz-gb-2312",
        labels: &["hz", "hz-gb", "52936", "cp52936", "chinese-hz"],
        summary: "HZ (RFC 1843): simplified Chinese, GB 2312 between ~{ and ~}",
        designations: &[g0(b"~}", Graphic::Ascii), g0(b"~{", pairs("euc-cn"))],
        introducer: b'~',
        by_line: true,
        ..ShiftedRow::USUAL
    },
];

/// Returns the index of the row with this canonical name.
///
/// # Panics
/// If no row has the name; at compile time in a `const`.
pub const fn shifted_set(name: &str) -> usize {
    let mut row = 0;
    while !equal(SHIFTED_SETS[row].name.as_bytes(), name.as_bytes()) {
        row += 1;
    }
    row
}

const ESCAPE: u8 = 0x1B;
const SHIFT_OUT: u8 = 0x0E;
const SHIFT_IN: u8 = 0x0F;

/// The last bytes of the single shifts to G2 and G3.
const SINGLE_SHIFTS: [(u8, Slot); 2] = [(b'N', Slot::G2), (b'O', Slot::G3)];

/// The bits that the right half of a table has in a pair.
const RIGHT: u16 = 0x8080;

/// The characters of a set of pairs that is in use.
struct PairTable {
    chars: CharTable,
    inverse: OnceLock<Inverse>,
}

static IN_USE: [OnceLock<PairTable>; TABLES.len()] = [const { OnceLock::new() }; TABLES.len()];

impl PairTable {
    fn of(table: usize) -> &'static PairTable {
        IN_USE[table].get_or_init(|| {
            let mut chars = tables::unpack(TABLES[table]);
            chars.retain(|code| code.to_be_bytes().iter().all(|byte| (0xA1..=0xFE).contains(byte)));
            PairTable { chars, inverse: OnceLock::new() }
        })
    }

    fn inverse(&self) -> &Inverse {
        self.inverse.get_or_init(|| Inverse::new(|| self.chars.codes(), |_| false))
    }
}

impl Graphic {
    /// Returns the number of bytes of a character.
    fn size(self) -> usize {
        if matches!(self, Graphic::Pairs(_)) { 2 } else { 1 }
    }

    /// Returns the characters of some bytes, as many as [`size`](Graphic::size) says.
    fn read(self, bytes: &[u8]) -> Chars {
        let byte = bytes[0];
        let value = match (self, byte) {
            (Graphic::Pairs(table), _) => {
                let pair = u16::from_be_bytes([byte, bytes[1]]);
                return PairTable::of(table).chars.get(pair | RIGHT);
            }
            (Graphic::Roman, b'\\') => YEN,
            (Graphic::Roman, b'~') => OVERLINE,
            (Graphic::Ascii | Graphic::Roman, 0x21..=0x7E) => byte.into(),
            (Graphic::Katakana, 0x21..=0x5F) => FIRST_KATAKANA + u32::from(byte - 0x21),
            (Graphic::Latin, 0x20..=0x7F) => u32::from(byte) | 0x80,
            (Graphic::Greek, 0x20..=0x7F) => match pages::code_point(GREEK, byte | 0x80) {
                Some(value) => value,
                None => return Chars::None,
            },
            _ => return Chars::None,
        };
        Chars::One(value)
    }

    /// Returns the code of a character, without the bits of the right half.
    fn code(self, value: u32) -> Option<u16> {
        let byte = match (self, value) {
            (Graphic::Pairs(table), _) => {
                return PairTable::of(table).inverse().get(value).map(|code| code as u16 ^ RIGHT);
            }
            (Graphic::Roman, YEN) => b'\\',
            (Graphic::Roman, OVERLINE) => b'~',
            (Graphic::Roman, 0x5C | 0x7E) => return None,
            (Graphic::Ascii | Graphic::Roman, 0x21..=0x7E) => value as u8,
            (Graphic::Katakana, FIRST_KATAKANA..=0xFF9F) => (value - FIRST_KATAKANA + 0x21) as u8,
            (Graphic::Latin, 0xA0..=0xFF) => value as u8 & 0x7F,
            (Graphic::Greek, 0xA0..=0x20AF) => {
                let has = |byte: &u8| pages::code_point(GREEK, byte | 0x80) == Some(value);
                (0x20..=0x7F).find(has)?
            }
            _ => return None,
        };
        Some(byte.into())
    }

    /// Returns the codes of a set of pairs.
    fn inverse(self) -> Option<&'static Inverse> {
        match self {
            Graphic::Pairs(table) => Some(PairTable::of(table).inverse()),
            _ => None,
        }
    }
}

/// The row of ISO 8859-7 in the table of code pages.
const GREEK: usize = pages::page("iso-8859-7");

/// The signs of JIS X 0201 in place of backslash and tilde.
const YEN: u32 = 0xA5;
const OVERLINE: u32 = 0x203E;

/// The first half-width katakana.
const FIRST_KATAKANA: u32 = 0xFF61;

impl ShiftedRow {
    /// Fields of a set without a header that starts its escape sequences by ESC.
    const USUAL: ShiftedRow = ShiftedRow {
        name: "",
        labels: &[],
        summary: "",
        designations: &[],
        has_header: false,
        introducer: ESCAPE,
        joins: false,
        by_line: false,
    };

    /// Returns the length of the longest sequence in bytes.
    pub const fn widest(&self) -> usize {
        if self.introducer == ESCAPE { 4 } else { 2 }
    }

    fn has_shift_out(&self) -> bool {
        self.designations.iter().any(|designation| designation.slot == Slot::G1)
    }
}

/// The designated sets: the places of their designations, by slots.
#[derive(Clone, Copy, PartialEq)]
struct Designated {
    row: &'static ShiftedRow,
    slots: [Option<u8>; 4],
    /// The set of G1 is in use rather than that of G0.
    is_out: bool,
}

impl PartialEq for ShiftedRow {
    fn eq(&self, other: &ShiftedRow) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Designated {
    fn start(row: usize) -> Designated {
        let row = &SHIFTED_SETS[row];
        // Without its header, a part of a text can still be read.
        let g1 = row.has_header.then_some(1);
        Designated { row, slots: [Some(0), g1, None, None], is_out: false }
    }

    fn get(&self, slot: Slot) -> Option<&'static Designation> {
        let place = self.slots[slot as usize]?;
        self.row.designations.get(usize::from(place))
    }

    /// Returns the set of the bytes that no single shift precedes.
    fn in_use(&self) -> Graphic {
        let slot = if self.is_out { Slot::G1 } else { Slot::G0 };
        self.get(slot).map_or(Graphic::Ascii, |designation| designation.graphic)
    }

    fn set(&mut self, place: usize) {
        self.slots[self.row.designations[place].slot as usize] = Some(place as u8);
    }

    /// Forgets the designations that end with the line.
    fn end_line(&mut self) {
        if self.row.by_line {
            let first = if self.row.introducer == ESCAPE { self.slots[0] } else { Some(0) };
            self.slots = [first, None, None, None];
            self.is_out = false;
        }
    }
}

/// The state of a reader.
#[derive(Clone, Copy)]
pub struct ShiftedState(Designated);

impl ShiftedState {
    fn step(&mut self, bytes: &[u8], last: bool) -> Step {
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

    /// Reads the characters at the front that have one code point, and designations and shifts
    /// between G0 and G1. Returns the number of bytes read.
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
                ..=b' ' | 0x7F if number < most && !matches!(byte, ESCAPE | SHIFT_OUT | SHIFT_IN) => {
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
    /// Returns the place of a designation and the code of a character: of the set in use, or else of
    /// the first that has it.
    fn find(&self, value: u32) -> Option<(usize, u16)> {
        let row = self.designated.row;
        if value < 0x80 {
            let is_refused = matches!(value, 0x0E | 0x0F | 0x1B);
            return (!is_refused).then_some((0, value as u16));
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

    fn put(&mut self, value: u32, out: &mut Vec<u8>) -> bool {
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
    fn put_run(&mut self, values: &[u32], out: &mut Vec<u8>) -> usize {
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
            (Some(&value @ 0x80..), false) if self.designated.slots[Slot::G1 as usize] == Some(1) => {
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
}

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
        state.read_some(bytes, usize::MAX, |_| ())
    }

    fn step(state: &mut ShiftedState, bytes: &[u8], last: bool) -> Step {
        ShiftedState::step(state, bytes, last)
    }

    fn load(state: &mut ShiftedState, _: &Kernels, bytes: &[u8], values: &mut [u32]) -> Loaded {
        bulk::load_with::<Self>(state, bytes, values, |state, bytes, values| {
            let mut written = 0;
            let read = state.read_some(bytes, values.len(), |form| {
                values[written] = form.value();
                written += 1;
            });
            Loaded { read, written }
        })
    }

    fn write_utf8(state: &mut ShiftedState, _: &Kernels, bytes: &[u8], out: &mut Vec<u8>) -> usize {
        append_blocks::<LONGEST_FORM, _>(out, LONGEST_FORM * bytes.len(), |room| {
            state.read_some(bytes, usize::MAX, |form| room.push_form(form))
        })
    }

    fn pen(row: usize, _: Escapes) -> ShiftedPen {
        let designated = Designated::start(row);
        ShiftedPen { designated, owes_header: designated.row.has_header, pending: None }
    }

    fn put(pen: &mut ShiftedPen, value: u32, out: &mut Vec<u8>) -> bool {
        pen.put(value, out)
    }

    fn store(pen: &mut ShiftedPen, _: &Kernels, values: &[u32], out: &mut Vec<u8>) -> usize {
        bulk::store_by_runs::<Self>(pen, values, out, ShiftedPen::put_run)
    }

    fn finish(pen: &mut ShiftedPen, out: &mut Vec<u8>) {
        pen.release(out);
        pen.shift(false, out);
        let ascii = &pen.designated.row.designations[0];
        if pen.designated.slots[0] != Some(0) {
            out.extend_from_slice(ascii.escape);
            pen.designated.set(0);
        }
    }

    fn announced(bytes: &[u8]) -> usize {
        match bytes {
            // A single shift and a character of a set.
            [ESCAPE, b'N' | b'O', ..] => WIDEST,
            _ => 2,
        }
    }
}
