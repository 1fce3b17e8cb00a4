//! Encoding to the multi-byte sets of East Asia.
//!
//! The encoders of `encoding_rs` search the tables for each character, and some codes that they
//! write are read as other characters. The codes here are the inverse of reading. Of several codes
//! for a character, the one that those encoders write is used.

use std::sync::OnceLock;

use super::known::{SUPPLEMENTARY, four_bytes};
use super::{LONGEST, MultiByte, SETS};
use crate::codec::{Codec, Step};

/// For each set, the code of each code point; 0 for none.
static CODES: [OnceLock<Vec<u16>>; SETS.len()] = [const { OnceLock::new() }; SETS.len()];

/// The code of a pending letter, which a combining mark can join.
#[derive(Debug, Default, PartialEq)]
pub struct PendingLetter(Option<u16>);

/// Ê and ê in the Hong Kong supplement.
const CAPITAL: u16 = 0x8866;
const SMALL: u16 = 0x88A7;

impl PendingLetter {
    /// Returns the code of the pending letter with this mark, a macron or a caron.
    fn accented(&self, mark: u32) -> Option<u16> {
        Some(match (self.0?, mark) {
            (CAPITAL, 0x304) => 0x8862,
            (CAPITAL, 0x30C) => 0x8864,
            (SMALL, 0x304) => 0x88A3,
            (SMALL, 0x30C) => 0x88A5,
            _ => return None,
        })
    }

    /// Writes the pending letter, if there is one.
    pub(in crate::codec) fn release(&mut self, out: &mut Vec<u8>) {
        if let Some(code) = self.0.take() {
            push(code, out);
        }
    }
}

/// Returns the one or two bytes of a code.
fn spelt(code: &[u8; 2]) -> &[u8] {
    &code[usize::from(code[0] == 0)..]
}

fn push(code: u16, out: &mut Vec<u8>) {
    out.extend_from_slice(spelt(&code.to_be_bytes()));
}

impl<const SET: usize> MultiByte<SET> {
    /// Returns `true` for the code of a pair after 8F: that of the pair, with bit 7 cleared.
    const fn is_shifted(code: u16) -> bool {
        Self::SINGLE_SHIFTS && code > 0xFF && code & 0x80 == 0
    }

    /// Appends the bytes of a code.
    fn push(code: u16, out: &mut Vec<u8>) {
        if Self::is_shifted(code) {
            out.push(0x8F);
            push(code | 0x80, out);
        } else {
            push(code, out);
        }
    }

    /// Returns the first code of each code point. The codes that Hong Kong added before and after
    /// Big5 come last, and those after 8F.
    fn codes() -> Vec<u16> {
        let (mut codes, mut bytes) = (Vec::new(), Vec::new());
        let pairs = (0xA140..=0xF9FE).chain(0x8140..=0xFEFE);
        let shifted = pairs.clone().filter(|&code| Self::is_shifted(code));
        let all = (0x80..=0xFF).chain(pairs.filter(|&code| !Self::is_shifted(code))).chain(shifted);
        for code in all.filter(|&code| !(Self::ROW.is_read_only)(code)) {
            bytes.clear();
            Self::push(code, &mut bytes);
            let Step::Scalar { value, len } = Self::step(&mut (), &bytes, true) else { continue };
            let place = value as usize;
            codes.resize(codes.len().max(place + 1), 0);
            if codes[place] == 0 && len == bytes.len() {
                codes[place] = code;
            }
        }
        codes
    }

    /// Returns the code that is written for a code point: one or two bytes, or that of a pair after 8F
    /// (see [`is_shifted`](Self::is_shifted)).
    pub(in crate::codec) fn code(value: u32) -> Option<u16> {
        if value < 0x80 {
            return Some(value as u16);
        }
        Self::known_codes().get(value as usize).copied().filter(|&code| code != 0)
    }

    fn known_codes() -> &'static [u16] {
        CODES[SET].get_or_init(Self::codes)
    }

    /// Writes the code points at the front that have codes of two bytes. Returns their number; 0 in
    /// a set whose letters wait for marks.
    pub(super) fn write_pairs(values: &[u32], out: &mut Vec<u8>) -> usize {
        if Self::ROW.joins_marks {
            return 0;
        }
        let codes = Self::known_codes();
        let is_pair = |code: &u16| *code > 0xFF && !Self::is_shifted(*code);
        let code = |value: &u32| codes.get(*value as usize).copied().filter(is_pair);
        let before = out.len();
        for code in values.iter().map_while(code) {
            out.extend_from_slice(&code.to_be_bytes());
        }
        (out.len() - before) / 2
    }

    /// Writes a code point. Returns false, and writes nothing, if the set lacks it.
    pub(in crate::codec) fn write(held: &mut PendingLetter, value: u32, out: &mut Vec<u8>) -> bool {
        if let Some(code) = held.accented(value) {
            *held = PendingLetter::default();
            push(code, out);
            return true;
        }
        let Some(code) = Self::code(value) else {
            return Self::ROW.writes_four_bytes && Self::write_four(value, out);
        };
        held.release(out);
        match code {
            CAPITAL | SMALL if Self::ROW.joins_marks => *held = PendingLetter(Some(code)),
            _ => Self::push(code, out),
        }
        true
    }

    /// Writes a code point in four bytes, if those are its own.
    fn write_four(value: u32, out: &mut Vec<u8>) -> bool {
        let bytes = match value {
            0x1_0000..=0x10_FFFF => four_bytes(SUPPLEMENTARY + value - 0x1_0000),
            _ => {
                let all = || (0..0x1_0000).map(Self::find_four).collect();
                let known = FOUR_BYTES.get_or_init(all).get(value as usize).copied();
                known.unwrap_or_default()
            }
        };
        let is_known = bytes != [0; LONGEST];
        if is_known {
            out.extend_from_slice(&bytes);
        }
        is_known
    }

    /// Returns the four bytes of a code point that has no shorter code; zeros if it has none, or
    /// if they are read as another.
    fn find_four(value: u32) -> [u8; LONGEST] {
        let scalar = char::from_u32(value).filter(|_| Self::code(value).is_none());
        let Some(scalar) = scalar else { return [0; LONGEST] };
        // Longer than any sequence, since an encoder can require spare room.
        let mut room = [0; 16];
        let _ = Self::ROW.encoding.new_encoder().encode_from_utf8_without_replacement(
            scalar.encode_utf8(&mut [0; 4]),
            &mut room,
            true,
        );
        let bytes = room.first_chunk().copied().unwrap_or_default();
        match Self::step(&mut (), &bytes, true) {
            Step::Scalar { value: read, len: LONGEST } if read == value => bytes,
            _ => [0; LONGEST],
        }
    }
}

/// The four bytes of each code point of the BMP in GB 18030; zeros for none.
static FOUR_BYTES: OnceLock<Vec<[u8; LONGEST]>> = OnceLock::new();
