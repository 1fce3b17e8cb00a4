//! EBCDIC sets of East Asia: bytes, and pairs of bytes between Shift Out and Shift In.
//!
//! [`MIXED_SETS`] is the table of the sets. A pair starts with a byte from 40 on, so that controls
//! end an incomplete one. A redundant shift is well-formed, as in glibc and ICU.

use std::sync::OnceLock;

use super::bulk::{self, VisitForms};
use super::controls::{SHIFT_IN, SHIFT_OUT};
use super::sets::inverse::{CodePen, Inverse};
use super::sets::tables::{self, CharTable, Chars};
use super::{Codec, Escapes, Group, LineCount, Properties, Step, lines_of_byte};
use crate::issue::Kind;
use crate::kernel::{Kernels, Loaded, Utf8Form, append_blocks};

/// The codec of the mixed sets. The row of an encoding is that in [`MIXED_SETS`].
#[derive(Debug)]
pub struct MixedEbcdic;

/// A row of [`MIXED_SETS`].
#[derive(Clone, Copy, Debug)]
pub struct MixedSetRow {
    /// The canonical name, which is that of the table, too.
    pub name: &'static str,
    /// Other names, matched loosely.
    pub labels: &'static [&'static str],
    /// A description of one line.
    pub summary: &'static str,
    /// Returns `true` for a code that is only written if its character has no other.
    is_second_choice: fn(u32) -> bool,
}

impl MixedSetRow {
    const USUAL: MixedSetRow =
        MixedSetRow { name: "", labels: &[], summary: "", is_second_choice: |_| false };
}

/// The mixed EBCDIC sets.
pub static MIXED_SETS: &[MixedSetRow] = &[
    MixedSetRow {
        name: "ibm930",
        labels: &["cp930", "930", "csIBM930", "x-ibm930", "JA16EBCDIC930"],
        summary: "EBCDIC of Japan, IBM 930: katakana, kanji of 1983 with shifts",
        ..MixedSetRow::USUAL
    },
    MixedSetRow {
        name: "ibm939",
        labels: &["cp939", "939", "csIBM939", "x-ibm939"],
        summary: "EBCDIC of Japan, IBM 939: Latin letters, kanji of 1983 with shifts",
        ..MixedSetRow::USUAL
    },
    MixedSetRow {
        name: "ibm1390",
        labels: &["cp1390", "1390", "csIBM1390", "x-ibm1390"],
        summary: "EBCDIC of Japan, IBM 1390: ibm930 with the euro sign and JIS X 0213",
        ..MixedSetRow::USUAL
    },
    MixedSetRow {
        name: "ibm1399",
        labels: &["cp1399", "1399", "csIBM1399", "x-ibm1399"],
        summary: "EBCDIC of Japan, IBM 1399: ibm939 with the euro sign and JIS X 0213",
        ..MixedSetRow::USUAL
    },
    MixedSetRow {
        name: "ibm933",
        labels: &["cp933", "933", "csIBM933", "x-ibm933"],
        summary: "EBCDIC of Korea, IBM 933: KS X 1001 with shifts",
        ..MixedSetRow::USUAL
    },
    MixedSetRow {
        name: "ibm1364",
        labels: &["cp1364", "1364", "csIBM1364", "x-ibm1364"],
        summary: "EBCDIC of Korea, IBM 1364: ibm933 with all Hangul syllables",
        ..MixedSetRow::USUAL
    },
    MixedSetRow {
        name: "ibm935",
        labels: &["cp935", "935", "csIBM935", "x-ibm935"],
        summary: "EBCDIC of China, IBM 935: GB 2312 with shifts",
        ..MixedSetRow::USUAL
    },
    MixedSetRow {
        name: "ibm1388",
        labels: &["cp1388", "1388", "csIBM1388", "x-ibm1388"],
        summary: "EBCDIC of China, IBM 1388: ibm935 with GB 18030",
        ..MixedSetRow::USUAL
    },
    MixedSetRow {
        name: "ibm937",
        labels: &["cp937", "937", "csIBM937", "x-ibm937"],
        summary: "EBCDIC of Taiwan, IBM 937: Big5 with shifts",
        is_second_choice: is_radical,
    },
    MixedSetRow {
        name: "ibm1371",
        labels: &["cp1371", "1371", "csIBM1371", "x-ibm1371"],
        summary: "EBCDIC of Taiwan, IBM 1371: ibm937 with the euro sign",
        is_second_choice: is_radical,
    },
];

/// Radicals have codes of their own before those of the ideographs.
fn is_radical(code: u32) -> bool {
    matches!(code, 0x4541..=0x4959)
}

find_row! {
    /// Returns the index of the row with this canonical name.
    mixed_set in MIXED_SETS
}

/// The first byte that can be part of a pair.
const FIRST_OF_PAIRS: u8 = 0x40;

/// The characters of a set that is in use.
pub struct MixedTable {
    row: &'static MixedSetRow,
    chars: CharTable,
    inverse: OnceLock<Inverse>,
}

static IN_USE: [OnceLock<MixedTable>; MIXED_SETS.len()] =
    [const { OnceLock::new() }; MIXED_SETS.len()];

impl MixedTable {
    fn of(row: usize) -> &'static MixedTable {
        IN_USE[row].get_or_init(|| {
            let row = &MIXED_SETS[row];
            MixedTable { row, chars: tables::unpack(row.name), inverse: OnceLock::new() }
        })
    }

    fn inverse(&self) -> &Inverse {
        let is_second_choice = self.row.is_second_choice;
        self.inverse.get_or_init(|| Inverse::new(self.chars.codes(), is_second_choice))
    }
}

/// The state of a reader.
#[derive(Clone, Copy)]
pub struct MixedState {
    table: &'static MixedTable,
    /// The next bytes are pairs.
    pairs: bool,
}

impl VisitForms for MixedState {
    /// Reads shifts, too.
    #[inline(always)]
    fn read_some(&mut self, bytes: &[u8], most: usize, mut visit: impl FnMut(Utf8Form)) -> usize {
        let forms = &self.table.chars.forms;
        let (mut at, mut number) = (0, 0);
        while number < most && at < bytes.len() {
            let lead = bytes[at];
            if matches!(lead, SHIFT_OUT | SHIFT_IN) {
                self.pairs = lead == SHIFT_OUT;
                at += 1;
                continue;
            }
            let (code, len) = match bytes.get(at + 1) {
                _ if !self.pairs => (lead.into(), 1),
                Some(&trail) if lead >= FIRST_OF_PAIRS => (u16::from_be_bytes([lead, trail]), 2),
                _ => break,
            };
            let form = forms[usize::from(code)];
            if form == Utf8Form::NONE {
                break;
            }
            visit(form);
            at += len;
            number += 1;
        }
        at
    }
}

impl MixedState {
    fn step(&mut self, bytes: &[u8], last: bool) -> Step {
        let Some(&lead) = bytes.first() else { return Step::Short };
        match (lead, bytes.get(1)) {
            (SHIFT_OUT | SHIFT_IN, _) => {
                self.pairs = lead == SHIFT_OUT;
                Step::Skip { len: 1 }
            }
            _ if !self.pairs => self.read(lead.into(), 1),
            (..FIRST_OF_PAIRS, _) => Step::ill(Kind::Unmapped, 1),
            (_, None) if last => Step::ill(Kind::TruncatedEnd, 1),
            (_, None) => Step::Short,
            (_, Some(..FIRST_OF_PAIRS)) => Step::ill(Kind::TruncatedNext, 1),
            (_, Some(&trail)) => self.read(u16::from_be_bytes([lead, trail]), 2),
        }
    }

    fn read(&self, code: u16, len: usize) -> Step {
        match self.table.chars.get(code) {
            Chars::One(value) => Step::Scalar { value, len },
            Chars::Two(values) => Step::Two { values, len },
            Chars::None => Step::ill(Kind::Unmapped, len),
        }
    }
}

/// The state of a writer.
#[derive(Clone, PartialEq)]
pub struct MixedPen {
    pen: CodePen,
    /// The next bytes are pairs.
    pairs: bool,
}

/// The most bytes of a code and of the shift before it.
const LONGEST_CODE: usize = 3;

impl MixedPen {
    /// Appends the codes of some code points, each with the shift that it needs.
    #[inline(always)]
    fn write<T>(
        &mut self,
        number: usize,
        out: &mut Vec<u8>,
        emit: impl FnOnce(&mut CodePen, &mut dyn FnMut(u32)) -> T,
    ) -> T {
        let MixedPen { pen, pairs } = self;
        // One code may wait from before.
        append_blocks::<{ size_of::<u32>() }, _>(out, LONGEST_CODE * (number + 1), |room| {
            emit(pen, &mut |code| {
                let is_pair = code > 0xFF;
                let shift = if is_pair { SHIFT_OUT } else { SHIFT_IN };
                room.push([shift], usize::from(std::mem::replace(pairs, is_pair) != is_pair));
                room.push_code(code);
            })
        })
    }
}

impl Codec for MixedEbcdic {
    type State = MixedState;
    type Pen = MixedPen;
    const TOLERATES_CHANGES: bool = true;
    const TRANSCODES_UNSCANNED: bool = true;
    // The shift for an offset can be anywhere before it.
    const REACH: Option<u64> = None;
    const SIGNATURE: &'static [u8] = &[];

    const WIDEST: usize = 2;
    const GROUP: Group = Group::RareEastAsia;
    const PROPERTIES: Properties =
        Properties { transparent: false, stateful: true, scalars: false, surrogates: false };

    fn start(row: usize, _: u64) -> MixedState {
        MixedState { table: MixedTable::of(row), pairs: false }
    }

    fn prefix(state: &mut MixedState, _: &Kernels, bytes: &[u8]) -> usize {
        bulk::skip_forms(state, bytes)
    }

    fn step(state: &mut MixedState, bytes: &[u8], last: bool) -> Step {
        MixedState::step(state, bytes, last)
    }

    fn load(state: &mut MixedState, _: &Kernels, bytes: &[u8], values: &mut [u32]) -> Loaded {
        bulk::load_forms::<Self>(state, bytes, values)
    }

    fn write_utf8(state: &mut MixedState, _: &Kernels, bytes: &[u8], out: &mut Vec<u8>) -> usize {
        bulk::write_forms(state, bytes, out)
    }

    fn pen(row: usize, _: Escapes) -> MixedPen {
        MixedPen { pen: CodePen::new(MixedTable::of(row).inverse()), pairs: false }
    }

    fn put(pen: &mut MixedPen, value: u32, out: &mut Vec<u8>) -> bool {
        pen.write(1, out, |pen, emit| pen.put(value, emit))
    }

    fn store(pen: &mut MixedPen, _: &Kernels, values: &[u32], out: &mut Vec<u8>) -> usize {
        pen.write(values.len(), out, |pen, emit| pen.put_all(values, emit))
    }

    fn release(pen: &mut MixedPen, out: &mut Vec<u8>) {
        pen.write(0, out, |pen, emit| pen.release(emit));
    }

    fn finish(pen: &mut MixedPen, out: &mut Vec<u8>) {
        Self::release(pen, out);
        if std::mem::take(&mut pen.pairs) {
            out.push(SHIFT_IN);
        }
    }

    fn lines(state: &MixedState, bytes: &[u8]) -> LineCount {
        // No pair has this byte.
        let feed = Utf8Form::of(b'\n'.into());
        let byte = state.table.chars.forms[..=0xFF].iter().position(|&form| form == feed);
        byte.map_or_else(LineCount::default, |byte| lines_of_byte(bytes, byte as u8))
    }

    fn announced(_: usize, _: &[u8]) -> usize {
        2
    }
}
