//! Rules in which the encodings of the family differ from UTF-8: bits of the constant of
//! [`Family`](super::Family).

/// Sequences have up to six bytes, and values up to 31 bits (RFC 2279).
pub const LONG: u32 = 1 << 0;
/// Sequences have up to three bytes.
pub const SHORT: u32 = 1 << 1;
/// Lone surrogates are well-formed.
pub const LONE: u32 = 1 << 2;
/// A surrogate pair, of three bytes each, is one supplementary code point.
pub const JOIN: u32 = 1 << 3;
/// A surrogate pair is ill-formed, though lone surrogates are well-formed.
pub const APART: u32 = 1 << 4;
/// U+0000 is C0 80, and the byte 00 is ill-formed.
pub const NUL2: u32 = 1 << 5;
/// A byte outside well-formed sequences is U+DC00 + byte.
pub const ESCAPE: u32 = 1 << 6;
/// A byte outside well-formed sequences is U+EF00 + byte, so U+EF80..EFFF, U+FFFE and U+FFFF have
/// no sequence of three bytes.
pub const OPTU: u32 = 1 << 7;
/// EF BB BF at the start of the input is a signature.
pub const BOM: u32 = 1 << 8;

/// A writer starts with EF BB BF.
pub const SIGN: u32 = 1 << 9;
/// Overlong sequences are well-formed, and so is the byte 00.
pub const LAX: u32 = 1 << 10;
