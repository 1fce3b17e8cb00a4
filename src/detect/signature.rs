//! Signatures: U+FEFF at the start of an input, as each encoding encodes it.

/// U+FEFF in one encoding.
#[derive(Debug, PartialEq, Eq)]
pub struct Signature {
    /// The bytes.
    pub bytes: &'static [u8],
    /// The name of the encoding, with the byte order that the bytes show.
    pub form: &'static str,
    /// The name of the encoding that reads the input with its signature. Some have no codec.
    pub answer: &'static str,
}

const fn row(bytes: &'static [u8], form: &'static str, answer: &'static str) -> Signature {
    Signature { bytes, form, answer }
}

/// All signatures. One that is a prefix of another comes after it.
pub static SIGNATURES: &[Signature] = &[
    row(b"\x00\x00\xFE\xFF", "utf-32be", "utf-32"),
    row(b"\xFF\xFE\x00\x00", "utf-32le", "utf-32"),
    row(b"\xFE\xFF", "utf-16be", "utf-16"),
    row(b"\xFF\xFE", "utf-16le", "utf-16"),
    row(b"\xEF\xBB\xBF", "utf-8", "utf-8"),
    row(b"\xF7\x64\x4C", "utf-1", "utf-1"),
    row(b"\x0E\xFE\xFF", "scsu", "scsu"),
    row(b"\xFB\xEE\x28", "bocu-1", "bocu-1"),
    row(b"\xDD\x73\x66\x73", "utf-ebcdic", "utf-ebcdic"),
    row(b"\x84\x31\x95\x33", "gb18030", "gb18030"),
    row(b"+/v8", "utf-7", "utf-7"),
    row(b"+/v9", "utf-7", "utf-7"),
    row(b"+/v+", "utf-7", "utf-7"),
    row(b"+/v/", "utf-7", "utf-7"),
];

/// Returns the signatures that some bytes start with, the longest first.
pub(super) fn signatures(bytes: &[u8]) -> impl Iterator<Item = &'static Signature> + '_ {
    SIGNATURES.iter().filter(|signature| bytes.starts_with(signature.bytes))
}
