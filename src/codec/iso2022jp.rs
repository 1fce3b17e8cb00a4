//! What is ISO-2022-JP? Escape sequences that shift between four sets, in bytes below 80.
//!
//! As the WHATWG Encoding Standard has it; RFC 1468 knows three of the sets. The state is the set,
//! and whether a shift has just been made: of two in a row one is idle, and the second is a fault.

use std::ops::RangeInclusive;

use super::legacy::place::row_and_cell;
use super::legacy::{EUC_JP, MultiByte};
use super::{Codec, Escapes, Group, Properties, Step};
use crate::issue::Kind;
use crate::kernel::Kernels;

/// ISO-2022-JP.
#[derive(Debug)]
pub struct Iso2022Jp;

/// The set that bytes are in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ActiveSet {
    /// ASCII, where every text starts, and ends when it is written.
    #[default]
    Ascii,
    /// The left half of JIS X 0201: ASCII, but for a yen sign and an overline.
    Roman,
    /// The right half of JIS X 0201: katakana of half the width. It is only read.
    Katakana,
    /// JIS X 0208: two bytes for each character.
    Kanji,
}

/// What a reader remembers.
#[derive(Clone, Copy, Debug, Default)]
pub struct ShiftSequence {
    set: ActiveSet,
    /// Whether an escape sequence is directly before.
    fresh: bool,
}

/// The escape sequences that are read. The first of those for a set is written.
const ESCAPES: [(&[u8; LENGTH], ActiveSet); 5] = [
    (b"\x1B(B", ActiveSet::Ascii),
    (b"\x1B(J", ActiveSet::Roman),
    (b"\x1B$B", ActiveSet::Kanji),
    (b"\x1B$@", ActiveSet::Kanji),
    (b"\x1B(I", ActiveSet::Katakana),
];

/// The length of an escape sequence in bytes.
const LENGTH: usize = 3;

/// What starts each.
const ESCAPE: u8 = 0x1B;

/// What is in both halves of a pair.
const HALVES: RangeInclusive<u8> = 0x21..=0x7E;

/// What the two bytes of a character are set apart from those of EUC-JP by.
const RIGHT: u16 = 0x8080;

/// The signs that Roman has where ASCII has others.
const YEN: u32 = 0xA5;
const OVERLINE: u32 = 0x203E;

fn ill(kind: Kind, len: usize) -> Step {
    Step::Ill { kind, len, replacements: 1 }
}

/// Whether ASCII is this byte, and it is not one that shifts.
fn plain(byte: u8) -> bool {
    byte < 0x80 && !matches!(byte, 0x0E | 0x0F | ESCAPE)
}

impl ShiftSequence {
    /// Read what starts with ESC: what makes no sequence is read for itself.
    fn escape(&mut self, bytes: &[u8], last: bool) -> Step {
        let found = ESCAPES.iter().find(|(escape, _)| bytes.starts_with(*escape));
        if let Some(&(_, set)) = found {
            self.set = set;
            return match std::mem::replace(&mut self.fresh, true) {
                true => ill(Kind::BadEscape, LENGTH),
                false => Step::Skip { len: LENGTH },
            };
        }
        if !last && ESCAPES.iter().any(|(escape, _)| escape.starts_with(bytes)) {
            return Step::Short;
        }
        self.fresh = false;
        ill(Kind::BadEscape, 1)
    }

    /// Read a character of one byte.
    fn single(self, byte: u8) -> Step {
        let value = match (self.set, byte) {
            (ActiveSet::Katakana, 0x21..=0x5F) => 0xFF61 + u32::from(byte - 0x21),
            (ActiveSet::Roman, b'\\') => YEN,
            (ActiveSet::Roman, b'~') => OVERLINE,
            (ActiveSet::Ascii | ActiveSet::Roman, _) if plain(byte) => byte.into(),
            _ => return ill(Kind::Unmapped, 1),
        };
        Step::Scalar { value, len: 1 }
    }
}

/// Read a character of JIS X 0208. The standard lets no byte but ESC interrupt one: where any other
/// is behind the first, both are a fault.
fn pair(bytes: &[u8], last: bool) -> Step {
    let lead = bytes[0];
    let begun = |kind| match MultiByte::<EUC_JP>::barren(&[lead | 0x80]) {
        true => ill(Kind::Unmapped, 1),
        false => ill(kind, 1),
    };
    match bytes.get(1) {
        _ if !HALVES.contains(&lead) => ill(Kind::Unmapped, 1),
        None if last => begun(Kind::TruncatedEnd),
        None => Step::Short,
        Some(&ESCAPE) => begun(Kind::TruncatedNext),
        Some(trail) if HALVES.contains(trail) => {
            MultiByte::<EUC_JP>::step(&mut (), &[lead | 0x80, trail | 0x80], true)
        }
        Some(_) => ill(Kind::Unmapped, 2),
    }
}

/// The set that has a character, and its bytes there, if it is written when this set is on.
fn place(now: ActiveSet, value: u32) -> Option<(ActiveSet, u16)> {
    Some(match value {
        0x0E | 0x0F | 0x1B => return None,
        0x5C | 0x7E => (ActiveSet::Ascii, value as u16),
        0..0x80 if now == ActiveSet::Roman => (ActiveSet::Roman, value as u16),
        0..0x80 => (ActiveSet::Ascii, value as u16),
        YEN => (ActiveSet::Roman, b'\\'.into()),
        OVERLINE => (ActiveSet::Roman, b'~'.into()),
        _ => {
            let code = MultiByte::<EUC_JP>::code(value)?;
            // Katakana of half the width have another lead byte in EUC-JP.
            (code & RIGHT == RIGHT && code >= 0xA100).then_some((ActiveSet::Kanji, code ^ RIGHT))?
        }
    })
}

/// Write what shifts from one set to another.
fn shift(from: &mut ActiveSet, to: ActiveSet, out: &mut Vec<u8>) {
    if *from != to
        && let Some((escape, _)) = ESCAPES.iter().find(|(_, set)| *set == to)
    {
        out.extend_from_slice(*escape);
        *from = to;
    }
}

impl Codec for Iso2022Jp {
    type State = ShiftSequence;
    type Pen = ActiveSet;
    // The set at an offset may have been chosen anywhere before it.
    const REACH: Option<u64> = None;
    const SIGNATURE: &'static [u8] = &[];

    // An escape sequence is longer than any character.
    const WIDEST: usize = LENGTH;
    const ITEM: &'static str = "an escape sequence that has a place here";
    const GROUP: Group = Group::EastAsia;
    const PROPERTIES: Properties =
        Properties { transparent: false, stateful: true, scalars: false, surrogates: false };

    fn start(_: u64) -> ShiftSequence {
        ShiftSequence::default()
    }

    fn prefix(shift: &mut ShiftSequence, _: &Kernels, bytes: &[u8]) -> usize {
        if shift.set != ActiveSet::Ascii {
            return 0;
        }
        let len = bytes.iter().take_while(|&&byte| plain(byte)).count();
        shift.fresh &= len == 0;
        len
    }

    fn step(shift: &mut ShiftSequence, bytes: &[u8], last: bool) -> Step {
        let step = match bytes {
            [] => return Step::Short,
            [ESCAPE, ..] => return shift.escape(bytes, last),
            _ if shift.set == ActiveSet::Kanji => pair(bytes, last),
            [byte, ..] => shift.single(*byte),
        };
        shift.fresh &= step == Step::Short;
        step
    }

    fn pen(_: Escapes) -> ActiveSet {
        ActiveSet::default()
    }

    fn put(set: &mut ActiveSet, value: u32, out: &mut Vec<u8>) -> bool {
        let Some((to, code)) = place(*set, value) else { return false };
        shift(set, to, out);
        let bytes = code.to_be_bytes();
        out.extend_from_slice(&bytes[usize::from(to != ActiveSet::Kanji)..]);
        true
    }

    fn finish(set: &mut ActiveSet, out: &mut Vec<u8>) {
        shift(set, ActiveSet::Ascii, out);
    }

    fn expected(_: &[u8]) -> Option<RangeInclusive<u8>> {
        Some(HALVES)
    }

    fn announced(_: &[u8]) -> usize {
        2
    }

    /// An escape sequence has no value. The high bit of any other byte is 0 in each set.
    fn markers(sequence: &[u8], _: usize) -> u32 {
        if sequence[0] == ESCAPE { u8::BITS } else { 0 }
    }

    /// What one byte stands for is known only where its set is.
    fn derivation(sequence: &[u8]) -> Option<String> {
        let [row, cell] = *sequence else { return None };
        row_and_cell(row, cell)
    }
}
