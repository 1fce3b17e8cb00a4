//! ISO-2022-JP: four character sets in bytes below 80, chosen by escape sequences.
//!
//! The WHATWG Encoding Standard, section 12.2; RFC 1468 has three of the sets. The second of two
//! escape sequences in a row is ill-formed, so the state is the set and the position directly after
//! an escape sequence.

use std::ops::RangeInclusive;

use super::bulk::{self, VisitForms};
use super::controls::{ESCAPE, RIGHT, is_shift};
use super::legacy::place::{LEFT, row_and_cell};
use super::legacy::{self, MultiByte};
use super::{Codec, Escapes, Group, Properties, Step, jisx0201};
use crate::issue::Kind;
use crate::kernel::{Kernels, Loaded, Utf8Form};

/// Has JIS X 0208 in the right half.
type EucJp = MultiByte<{ legacy::set("euc-jp") }>;

/// ISO-2022-JP.
#[derive(Debug)]
pub struct Iso2022Jp;

/// The character set of the next bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ActiveSet {
    /// ASCII: the set at the start of a text and, when written, at its end.
    #[default]
    Ascii,
    /// The left half of JIS X 0201: ASCII with a yen sign and an overline.
    Roman,
    /// The right half of JIS X 0201: half-width katakana.
    Katakana,
    /// JIS X 0208: two bytes a character.
    Kanji,
}

/// The state of a reader.
#[derive(Clone, Copy, Debug, Default)]
pub struct ShiftSequence {
    set: ActiveSet,
    /// The last sequence was an escape sequence.
    fresh: bool,
}

/// The escape sequences. A writer uses the first of a set.
const ESCAPES: [(&[u8; LENGTH], ActiveSet); 5] = [
    (b"\x1B(B", ActiveSet::Ascii),
    (b"\x1B(J", ActiveSet::Roman),
    (b"\x1B$B", ActiveSet::Kanji),
    (b"\x1B$@", ActiveSet::Kanji),
    (b"\x1B(I", ActiveSet::Katakana),
];

/// The length of an escape sequence in bytes.
const LENGTH: usize = 3;

/// Returns `true` for a byte that is the ASCII character.
fn is_plain_ascii(byte: u8) -> bool {
    byte < 0x80 && !is_shift(byte)
}

impl ShiftSequence {
    /// Reads an escape sequence. An ESC that starts none is ill-formed alone.
    fn read_escape(&mut self, bytes: &[u8], last: bool) -> Step {
        let found = ESCAPES.iter().find(|(escape, _)| bytes.starts_with(*escape));
        if let Some(&(_, set)) = found {
            self.set = set;
            return match std::mem::replace(&mut self.fresh, true) {
                true => Step::ill(Kind::BadEscape, LENGTH),
                false => Step::Skip { len: LENGTH },
            };
        }
        if !last && ESCAPES.iter().any(|(escape, _)| escape.starts_with(bytes)) {
            return Step::Short;
        }
        self.fresh = false;
        Step::ill(Kind::BadEscape, 1)
    }

    /// Reads a character of one byte.
    fn read_single(self, byte: u8) -> Step {
        let value = match self.set {
            ActiveSet::Katakana => jisx0201::katakana(byte),
            ActiveSet::Roman if is_plain_ascii(byte) => Some(jisx0201::roman(byte)),
            ActiveSet::Ascii if is_plain_ascii(byte) => Some(byte.into()),
            _ => None,
        };
        value.map_or(Step::ill(Kind::Unmapped, 1), |value| Step::Scalar { value, len: 1 })
    }
}

impl VisitForms for ShiftSequence {
    /// Reads ASCII and JIS X 0208, and the escape sequences of these sets.
    fn read_some(&mut self, bytes: &[u8], most: usize, mut visit: impl FnMut(Utf8Form)) -> usize {
        let (mut at, mut number) = (0, 0);
        loop {
            let before = number;
            let rest = &bytes[at..];
            let mut count = |form| {
                visit(form);
                number += 1;
            };
            at += match self.set {
                ActiveSet::Ascii => {
                    let plain =
                        rest.iter().take(most - before).take_while(|&&byte| is_plain_ascii(byte));
                    plain.map(|&byte| count(Utf8Form::of(byte.into()))).count()
                }
                ActiveSet::Kanji => EucJp::read_left(rest, most - before, &mut count),
                ActiveSet::Roman | ActiveSet::Katakana => return at,
            };
            if number > before {
                self.fresh = false;
                continue;
            }
            match ESCAPES.iter().find(|(escape, _)| rest.starts_with(*escape)) {
                Some(&(_, set)) if !self.fresh => *self = ShiftSequence { set, fresh: true },
                _ => return at,
            }
            at += LENGTH;
        }
    }
}

/// Reads a character of JIS X 0208. Only ESC ends an incomplete one: any other unexpected second byte
/// is part of the ill-formed sequence.
fn read_pair(bytes: &[u8], last: bool) -> Step {
    let lead = bytes[0];
    let begun = |kind| match EucJp::starts_no_character(&[lead | 0x80]) {
        true => Step::ill(Kind::Unmapped, 1),
        false => Step::ill(kind, 1),
    };
    match bytes.get(1) {
        _ if !LEFT.contains(&lead) => Step::ill(Kind::Unmapped, 1),
        None if last => begun(Kind::TruncatedEnd),
        None => Step::Short,
        Some(&ESCAPE) => begun(Kind::TruncatedNext),
        Some(trail) if LEFT.contains(trail) => {
            EucJp::step(&mut (), &[lead | 0x80, trail | 0x80], true)
        }
        Some(_) => Step::ill(Kind::Unmapped, 2),
    }
}

/// Returns the set and the bytes of a character, given the current set.
fn encoded(now: ActiveSet, value: u32) -> Option<(ActiveSet, u16)> {
    let ascii = u8::try_from(value).ok().filter(u8::is_ascii);
    if ascii.is_some_and(is_shift) {
        return None;
    }
    let roman = jisx0201::roman_code(value).map(|byte| (ActiveSet::Roman, byte));
    // Where both sets have a character, no escape sequence is needed.
    let single = match ascii.map(|byte| (ActiveSet::Ascii, byte)) {
        Some(ascii) if now != ActiveSet::Roman => Some(ascii),
        ascii => roman.or(ascii),
    };
    let katakana = || Some((ActiveSet::Katakana, jisx0201::katakana_code(value)?));
    if let Some((set, byte)) = single.or_else(katakana) {
        return Some((set, byte.into()));
    }
    let code = u16::try_from(EucJp::inverse().get(value)?).ok()?;
    (code & RIGHT == RIGHT).then_some((ActiveSet::Kanji, code ^ RIGHT))
}

/// Writes the escape sequence of a set, unless the set is current.
fn shift_to(from: &mut ActiveSet, to: ActiveSet, out: &mut Vec<u8>) {
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
    // The escape sequence for an offset can be anywhere before it.
    const REACH: Option<u64> = None;
    const SIGNATURE: &'static [u8] = &[];
    // As in EUC-JP.
    const TRANSCODES_UNSCANNED: bool = true;

    // An escape sequence is longer than any character.
    const WIDEST: usize = LENGTH;
    const ITEM: &'static str = "an escape sequence that has a place here";
    const GROUP: Group = Group::EastAsia;
    const PROPERTIES: Properties =
        Properties { transparent: false, stateful: true, scalars: false, surrogates: false };

    fn start(_: usize, _: u64) -> ShiftSequence {
        ShiftSequence::default()
    }

    fn prefix(shift: &mut ShiftSequence, _: &Kernels, bytes: &[u8]) -> usize {
        bulk::skip_forms(shift, bytes)
    }

    fn step(shift: &mut ShiftSequence, bytes: &[u8], last: bool) -> Step {
        let step = match bytes {
            [] => return Step::Short,
            [ESCAPE, ..] => return shift.read_escape(bytes, last),
            _ if shift.set == ActiveSet::Kanji => read_pair(bytes, last),
            [byte, ..] => shift.read_single(*byte),
        };
        shift.fresh &= step == Step::Short;
        step
    }

    fn load(shift: &mut ShiftSequence, _: &Kernels, bytes: &[u8], values: &mut [u32]) -> Loaded {
        bulk::load_forms::<Self>(shift, bytes, values)
    }

    fn write_utf8(
        shift: &mut ShiftSequence,
        _: &Kernels,
        bytes: &[u8],
        out: &mut Vec<u8>,
    ) -> usize {
        bulk::write_forms(shift, bytes, out)
    }

    fn pen(_: usize, _: Escapes) -> ActiveSet {
        ActiveSet::default()
    }

    fn put(set: &mut ActiveSet, value: u32, out: &mut Vec<u8>) -> bool {
        let Some((to, code)) = encoded(*set, value) else { return false };
        shift_to(set, to, out);
        let bytes = code.to_be_bytes();
        out.extend_from_slice(&bytes[usize::from(to != ActiveSet::Kanji)..]);
        true
    }

    fn finish(set: &mut ActiveSet, out: &mut Vec<u8>) {
        shift_to(set, ActiveSet::Ascii, out);
    }

    fn expected(_: &[u8]) -> Option<RangeInclusive<u8>> {
        Some(LEFT)
    }

    fn announced(_: usize, _: &[u8]) -> usize {
        2
    }

    /// Returns 8 for an escape sequence, which has no value. The high bit of other bytes is always 0.
    fn markers(sequence: &[u8], _: usize) -> u32 {
        if sequence[0] == ESCAPE { u8::BITS } else { 0 }
    }

    /// Explains two bytes only: the meaning of one byte depends on the set.
    fn derivation(sequence: &[u8]) -> Option<String> {
        let [row, cell] = *sequence else { return None };
        row_and_cell(row, cell)
    }
}
