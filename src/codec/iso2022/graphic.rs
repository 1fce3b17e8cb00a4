//! Graphic sets: the characters of bytes and pairs of bytes.

use std::sync::OnceLock;

use crate::codec::controls::RIGHT;
use crate::codec::sets::inverse::Inverse;
use crate::codec::sets::tables::{self, CharTable, Chars};
use crate::codec::{jisx0201, pages};
use crate::text::equal;

/// A graphic set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Graphic {
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
pub(super) const fn pairs(name: &str) -> Graphic {
    let mut table = 0;
    while !equal(TABLES[table].as_bytes(), name.as_bytes()) {
        table += 1;
    }
    Graphic::Pairs(table)
}

/// The characters of a set of pairs that is in use.
pub(super) struct PairTable {
    pub chars: CharTable,
    inverse: OnceLock<Inverse>,
}

static IN_USE: [OnceLock<PairTable>; TABLES.len()] = [const { OnceLock::new() }; TABLES.len()];

impl PairTable {
    pub fn of(table: usize) -> &'static PairTable {
        IN_USE[table].get_or_init(|| {
            let mut chars = tables::unpack(TABLES[table]);
            chars.retain(|code| code.to_be_bytes().iter().all(|byte| (0xA1..=0xFE).contains(byte)));
            PairTable { chars, inverse: OnceLock::new() }
        })
    }

    pub fn inverse(&self) -> &Inverse {
        self.inverse.get_or_init(|| Inverse::new(self.chars.codes(), |_| false))
    }
}

impl Graphic {
    /// Returns the number of bytes of a character.
    pub fn size(self) -> usize {
        if matches!(self, Graphic::Pairs(_)) { 2 } else { 1 }
    }

    /// Returns the characters of some bytes, as many as [`size`](Graphic::size) says.
    pub fn read(self, bytes: &[u8]) -> Chars {
        let byte = bytes[0];
        let value = match (self, byte) {
            (Graphic::Pairs(table), _) => {
                let pair = u16::from_be_bytes([byte, bytes[1]]);
                return PairTable::of(table).chars.get(pair | RIGHT);
            }
            (Graphic::Ascii, 0x21..=0x7E) => Some(byte.into()),
            (Graphic::Roman, 0x21..=0x7E) => Some(jisx0201::roman(byte)),
            (Graphic::Katakana, _) => jisx0201::katakana(byte),
            (Graphic::Latin, 0x20..=0x7F) => Some(u32::from(byte) | 0x80),
            (Graphic::Greek, 0x20..=0x7F) => pages::code_point(GREEK, byte | 0x80),
            _ => None,
        };
        value.map_or(Chars::None, Chars::One)
    }

    /// Returns the code of a character, without the bits of the right half.
    pub fn code(self, value: u32) -> Option<u16> {
        let byte = match (self, value) {
            (Graphic::Pairs(table), _) => {
                return PairTable::of(table).inverse().get(value).map(|code| code as u16 ^ RIGHT);
            }
            (Graphic::Ascii, 0x21..=0x7E) => value as u8,
            (Graphic::Roman, 0x21..) => jisx0201::roman_code(value).filter(|&byte| byte < 0x7F)?,
            (Graphic::Katakana, _) => jisx0201::katakana_code(value)?,
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
    pub fn inverse(self) -> Option<&'static Inverse> {
        match self {
            Graphic::Pairs(table) => Some(PairTable::of(table).inverse()),
            _ => None,
        }
    }
}

/// The row of ISO 8859-7 in the table of code pages.
const GREEK: usize = pages::page("iso-8859-7");
