//! Encoding to the multi-byte sets of East Asia.
//!
//! The encoders of `encoding_rs` search the tables for each character, and some codes that they
//! write are read as other characters. The codes here are the inverse of reading. Of several codes
//! for a character, the one that those encoders write is used.

use std::str;
use std::sync::OnceLock;

use super::{MultiByte, SETS};
use crate::codec::sets::inverse::{Inverse, push};
use crate::codec::sets::linear;
use crate::codec::sets::tables::Chars;

/// For each set, the codes of its characters.
static CODES: [OnceLock<Inverse>; SETS.len()] = [const { OnceLock::new() }; SETS.len()];

/// Ends each code while all are decoded. No code has this byte.
const SEPARATOR: char = '\n';

impl<const SET: usize> MultiByte<SET> {
    /// Returns the codes for writing.
    pub(in crate::codec) fn inverse() -> &'static Inverse {
        CODES[SET].get_or_init(|| {
            let ascii = (0..0x80).map(|value| (value, Chars::One(value)));
            let inverse = Inverse::new(ascii.chain(Self::read_all()), |_| false);
            match Self::ROW.writes_four_bytes {
                true => inverse.with_supplementary(linear::of_supplementary),
                false => inverse,
            }
        })
    }

    /// Returns the codes that are written but those of ASCII, in the order of preference. The codes
    /// that Hong Kong added before and after Big5 come after it, and longer ones last.
    fn written() -> impl Iterator<Item = u32> {
        let pairs = (0xA140..=0xF9FE).chain(0x8140..=0xFEFE).filter(|pair| pair & 0xFF >= 0x40);
        let short = (0x80..=0xFF).chain(pairs).filter(|&code| !(Self::ROW.is_read_only)(code));
        let shifted =
            (0x8F_A1A1..=0x8F_FEFE).filter(|code| Self::SINGLE_SHIFTS && code & 0xFF >= 0xA1);
        let linear = (0..linear::BASIC).filter(|_| Self::ROW.writes_four_bytes).map(linear::code);
        short.map(u32::from).chain(shifted).chain(linear)
    }

    /// Returns the codes that are written, with their characters.
    fn read_all() -> Vec<(u32, Chars)> {
        let codes: Vec<u32> = Self::written().collect();
        let mut bytes = Vec::new();
        for &code in &codes {
            push(code, &mut bytes);
            bytes.push(SEPARATOR as u8);
        }
        let mut decoder = Self::ROW.encoding.new_decoder_without_bom_handling();
        let mut text = vec![0; 3 * bytes.len()];
        let (_, _, written, _) = decoder.decode_to_utf8(&bytes, &mut text, true);
        let text = str::from_utf8(&text[..written]).expect("a decoder writes UTF-8");
        let mut chars = text.chars();
        codes.into_iter().map(|code| (code, Self::read_next(code, &mut chars))).collect()
    }

    /// Returns the characters of a code, given the text from it on as `encoding_rs` decodes it.
    fn read_next(code: u32, text: &mut str::Chars<'_>) -> Chars {
        let mut chars = text.take_while(|&char| char != SEPARATOR);
        let front = [chars.next(), chars.next(), chars.next()];
        chars.for_each(drop);
        match front {
            // All codes of four bytes here are well-formed, and one of them is this character.
            [Some(char::REPLACEMENT_CHARACTER), ..] if code <= 0xFF_FFFF => Chars::None,
            [Some(only), None, None] => Chars::One(only.into()),
            [Some(letter), Some(mark), None] if Self::ROW.joins_marks => {
                Chars::Two([letter.into(), mark.into()])
            }
            _ => Chars::None,
        }
    }
}
