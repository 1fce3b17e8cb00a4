//! Encoding to the multi-byte sets of East Asia.
//!
//! The encoders of `encoding_rs` search the tables for each character, and some codes that they
//! write are read as other characters. The codes here are the inverse of reading. Of several codes
//! for a character, the one that those encoders write is used.

use std::sync::OnceLock;

use super::{MultiByte, SETS};
use crate::codec::sets::inverse::{Inverse, push};
use crate::codec::sets::linear;
use crate::codec::sets::tables::Chars;

/// For each set, the codes of its characters.
static CODES: [OnceLock<Inverse>; SETS.len()] = [const { OnceLock::new() }; SETS.len()];

/// The number of codes that are decoded at once.
const READ: usize = 1024;

/// Ends each code while many are decoded. No code has this byte.
const SEPARATOR: u8 = b'\n';

impl<const SET: usize> MultiByte<SET> {
    /// Returns the codes for writing.
    pub(in crate::codec) fn inverse() -> &'static Inverse {
        CODES[SET].get_or_init(|| {
            let ascii = (0..0x80).map(|value| (value, Chars::One(value)));
            let codes: Vec<u32> = Self::written().collect();
            let others = codes.chunks(READ).flat_map(Self::chars_of);
            let inverse = Inverse::new(ascii.chain(others), |_| false);
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

    /// Returns some codes with their characters.
    fn chars_of(codes: &[u32]) -> Vec<(u32, Chars)> {
        let mut bytes = Vec::new();
        for &code in codes {
            push(code, &mut bytes);
            bytes.push(SEPARATOR);
        }
        // No byte is more than one unit. The decoder needs some room more.
        let mut units = vec![0; 2 * bytes.len()];
        let mut decoder = Self::ROW.encoding.new_decoder_without_bom_handling();
        let (_, _, written, _) = decoder.decode_to_utf16(&bytes, &mut units, true);
        let texts = units[..written].split(|&unit| unit == u16::from(SEPARATOR));
        codes.iter().zip(texts).map(|(&code, text)| (code, Self::whole(code, text))).collect()
    }

    /// Returns the characters of a code, given its text as `encoding_rs` decodes it.
    fn whole(code: u32, text: &[u16]) -> Chars {
        let mut chars = char::decode_utf16(text.iter().copied());
        match (chars.next(), chars.next(), chars.next()) {
            // All codes of four bytes here are well-formed, and one of them is this character.
            (Some(Ok(char::REPLACEMENT_CHARACTER)), ..) if code <= 0xFF_FFFF => Chars::None,
            (Some(Ok(only)), None, _) => Chars::One(only.into()),
            (Some(Ok(letter)), Some(Ok(mark)), None) if Self::ROW.joins_marks => {
                Chars::Two([letter.into(), mark.into()])
            }
            _ => Chars::None,
        }
    }
}
