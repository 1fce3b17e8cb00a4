//! Independent judges of sequences: UTF-16, UTF-32, UTF-1 and FSS-UTF.

use utf8::Kind;
use utf8::registry::Encoding;

/// The length of a sequence in bytes, and its value or the kind of its issue.
pub type Piece = (usize, Result<u32, Kind>);

/// Judges the first sequence of an input.
type Judge = Box<dyn Fn(&[u8]) -> Piece + Sync>;

/// An encoding and an independent judge.
pub struct JudgedAnswer {
    pub spec: &'static Encoding,
    pub judge: Judge,
    /// The bytes that the encoding distinguishes.
    pub classes: &'static [u8],
}

fn judged(
    name: &str,
    classes: &'static [u8],
    judge: impl Fn(&[u8]) -> Piece + Sync + 'static,
) -> JudgedAnswer {
    JudgedAnswer { spec: Encoding::for_label(name).unwrap(), judge: Box::new(judge), classes }
}

const PAIRS: &[u8] = &[0x00, 0x0A, 0xD7, 0xD8, 0xDB, 0xDC, 0xDF, 0xE0];

const WIDE: &[u8] = &[0x00, 0x01, 0x10, 0x11, 0x7F, 0x80, 0xD8, 0xDF, 0xFF];

const ANNEX_G: &[u8] = &[0x0A, 0x20, 0x21, 0x2B, 0x9F, 0xA0, 0xA1, 0xBD, 0xBE, 0xFD, 0xF6, 0xFE];

const PROSSER: &[u8] = &[0x0A, 0x7F, 0x80, 0xBE, 0xC0, 0xDF, 0xE0, 0xEF, 0xF0, 0xF7, 0xF8, 0xFF];

/// Returns the encodings that do not synchronize, except those that detect a BOM.
pub fn all() -> Vec<JudgedAnswer> {
    let mut all = vec![
        judged("utf-1", ANNEX_G, |bytes| search(annex_g, Kind::Above7fffffff, trails_g, bytes)),
        judged("fss-utf-1992", PROSSER, |bytes| {
            search(prosser, Kind::InvalidLead, |_, byte| byte >= 0x80, bytes)
        }),
    ];
    for little in [false, true] {
        let name = |stem: &str| format!("{stem}{}", if little { "le" } else { "be" });
        all.extend([
            judged(&name("utf-16"), PAIRS, move |bytes| utf16(little, false, bytes)),
            judged(&name("wtf-16"), PAIRS, move |bytes| utf16(little, true, bytes)),
            judged(&name("ucs-2"), PAIRS, move |bytes| ucs2(little, bytes)),
            judged(&name("utf-32"), WIDE, move |bytes| utf32(little, bytes)),
            judged(&name("ucs-4"), WIDE, move |bytes| ucs4(little, bytes)),
        ]);
    }
    all
}

fn units16(little: bool, bytes: &[u8]) -> impl Iterator<Item = u16> + Clone {
    let order = if little { u16::from_le_bytes } else { u16::from_be_bytes };
    bytes.chunks_exact(2).map(move |unit| order([unit[0], unit[1]]))
}

fn utf16(little: bool, lone: bool, bytes: &[u8]) -> Piece {
    let units = units16(little, bytes);
    match char::decode_utf16(units.clone()).next() {
        None => (bytes.len(), Err(Kind::TruncatedEnd)),
        Some(Ok(scalar)) => (2 * scalar.len_utf16(), Ok(scalar.into())),
        Some(Err(error)) => match error.unpaired_surrogate() {
            unit if lone => (2, Ok(unit.into())),
            0xDC00.. => (2, Err(Kind::SurrogateLow)),
            _ if units.count() == 1 => (bytes.len(), Err(Kind::TruncatedEnd)),
            _ => (2, Err(Kind::SurrogateHigh)),
        },
    }
}

fn ucs2(little: bool, bytes: &[u8]) -> Piece {
    match units16(little, bytes).next() {
        None => (bytes.len(), Err(Kind::TruncatedEnd)),
        Some(0xD800..=0xDBFF) => (2, Err(Kind::SurrogateHigh)),
        Some(0xDC00..=0xDFFF) => (2, Err(Kind::SurrogateLow)),
        Some(unit) => (2, Ok(unit.into())),
    }
}

fn ucs4(little: bool, bytes: &[u8]) -> Piece {
    let order = if little { u32::from_le_bytes } else { u32::from_be_bytes };
    match bytes.first_chunk().map(|unit| order(*unit)) {
        None => (bytes.len(), Err(Kind::TruncatedEnd)),
        Some(0x8000_0000..) => (4, Err(Kind::Above7fffffff)),
        Some(value) => (4, Ok(value)),
    }
}

fn utf32(little: bool, bytes: &[u8]) -> Piece {
    let (len, value) = ucs4(little, bytes);
    let kind = match value {
        Ok(value) if char::from_u32(value).is_some() => return (len, Ok(value)),
        Err(Kind::TruncatedEnd) => Kind::TruncatedEnd,
        Ok(0xD800..=0xDBFF) => Kind::SurrogateHigh,
        Ok(0xDC00..=0xDFFF) => Kind::SurrogateLow,
        _ => Kind::Above10ffff,
    };
    (len, Err(kind))
}

/// A sequence of up to five bytes.
#[derive(Default)]
pub struct Short([u8; 5], usize);

impl Short {
    fn of(bytes: &[u32]) -> Short {
        let mut short = Short::default();
        for &byte in bytes {
            short.0[short.1] = byte as u8;
            short.1 += 1;
        }
        short
    }

    pub fn bytes(&self) -> &[u8] {
        &self.0[..self.1]
    }
}

/// Encodes in UTF-1 as annex G of ISO/IEC 10646 does.
pub fn annex_g(x: u32) -> Short {
    let t = |z: u32| if z < 0x5E { z + 0x21 } else { z + 0x42 };
    match x {
        0..0xA0 => Short::of(&[x]),
        0xA0..0x100 => Short::of(&[0xA0, x]),
        0x100..0x4016 => {
            let y = x - 0x100;
            Short::of(&[0xA1 + y / 190, t(y % 190)])
        }
        0x4016..0x3_8E2E => {
            let y = x - 0x4016;
            Short::of(&[0xF6 + y / 36_100, t(y / 190 % 190), t(y % 190)])
        }
        _ => {
            let y = x - 0x3_8E2E;
            let [a, b, c] = [y / 6_859_000 % 190, y / 36_100 % 190, y / 190 % 190].map(t);
            Short::of(&[0xFC + y / 1_303_210_000, a, b, c, t(y % 190)])
        }
    }
}

fn trails_g(lead: u8, byte: u8) -> bool {
    byte >= 0xA0 || lead != 0xA0 && (0x21..0x7F).contains(&byte)
}

/// Encodes in FSS-UTF as Prosser's `wctomb` does.
pub fn prosser(x: u32) -> Short {
    let trail = |x: u32, at: u32| 0x80 | x >> (7 * at) & 0x7F;
    match x {
        0..0x80 => Short::of(&[x]),
        0x80..0x2080 => {
            let x = x - 0x80;
            Short::of(&[0x80 | x >> 7, trail(x, 0)])
        }
        0x2080..0x8_2080 => {
            let x = x - 0x2080;
            Short::of(&[0xC0 | x >> 14, trail(x, 1), trail(x, 0)])
        }
        0x8_2080..0x208_2080 => {
            let x = x - 0x8_2080;
            Short::of(&[0xE0 | x >> 21, trail(x, 2), trail(x, 1), trail(x, 0)])
        }
        _ => {
            let x = x - 0x208_2080;
            Short::of(&[0xF0 | x >> 28, trail(x, 3), trail(x, 2), trail(x, 1), trail(x, 0)])
        }
    }
}

/// Returns the least value whose sequence is not less than `bytes`; sequences sort as their values
/// do.
fn not_before(write: fn(u32) -> Short, bytes: &[u8]) -> u32 {
    let (mut from, mut to) = (0, i32::MAX as u32);
    while from < to {
        let middle = from + (to - from) / 2;
        if write(middle).bytes() < bytes {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    from
}

/// Judges by searching all sequences that can be written.
fn search(
    write: fn(u32) -> Short,
    beyond: Kind,
    trails: fn(u8, u8) -> bool,
    bytes: &[u8],
) -> Piece {
    let mut begun = 0;
    for len in 1..=bytes.len().min(5) {
        let value = not_before(write, &bytes[..len]);
        if !write(value).bytes().starts_with(&bytes[..len]) {
            break;
        }
        if write(value).1 == len {
            return (len, Ok(value));
        }
        begun = len;
    }
    match bytes.get(begun) {
        _ if begun == 0 => (1, Err(beyond)),
        None => (begun, Err(Kind::TruncatedEnd)),
        Some(&next) if !trails(bytes[0], next) => (begun, Err(Kind::TruncatedNext)),
        Some(_) => {
            let rest = bytes[1..].iter().take(4);
            let len = 1 + rest.take_while(|&&byte| trails(bytes[0], byte)).count();
            (len, Err(Kind::Above7fffffff))
        }
    }
}
