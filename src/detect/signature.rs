//! Signatures: U+FEFF at the start of an input, as each encoding encodes it.

use super::Answer;
use super::code_units::is_utf32;
use super::foreign;
use super::trial::is_well_formed_in;

/// U+FEFF in one encoding.
#[derive(Debug)]
pub struct Signature {
    /// The bytes.
    pub bytes: &'static [u8],
    /// The name of the encoding, with the byte order that the bytes show.
    pub form: &'static str,
    /// The name of the encoding that reads the input with its signature. Some have no codec.
    pub answer: &'static str,
    /// Returns `true` if an input that starts with the bytes can be in the encoding.
    is_confirmed: fn(&[u8]) -> bool,
}

const fn row(bytes: &'static [u8], form: &'static str, answer: &'static str) -> Signature {
    Signature { bytes, form, answer, is_confirmed: |_| true }
}

/// Returns a signature of UTF-7, which is printable ASCII.
const fn utf7(bytes: &'static [u8]) -> Signature {
    let is_confirmed = |bytes: &[u8]| is_well_formed_in("utf-7", bytes);
    Signature { is_confirmed, ..row(bytes, "utf-7", "utf-7") }
}

/// The signatures of UTF-1 and BOCU-1, which are text in code pages: `÷dL` and `ûî(` in windows-1252.
const UTF1: Signature = Signature {
    is_confirmed: |bytes| is_well_formed_in("utf-1", bytes),
    ..row(b"\xF7\x64\x4C", "utf-1", "utf-1")
};
const BOCU1: Signature = Signature {
    is_confirmed: |bytes| is_well_formed_in("bocu-1", bytes),
    ..row(b"\xFB\xEE\x28", "bocu-1", "bocu-1")
};

/// All signatures. One that is a prefix of another comes after it.
pub static SIGNATURES: &[Signature] = &[
    row(b"\x00\x00\xFE\xFF", "utf-32be", "utf-32"),
    // The BOM of UTF-16 followed by U+0000 has the same bytes.
    Signature { is_confirmed: is_utf32, ..row(b"\xFF\xFE\x00\x00", "utf-32le", "utf-32") },
    row(b"\xFE\xFF", "utf-16be", "utf-16"),
    row(b"\xFF\xFE", "utf-16le", "utf-16"),
    row(b"\xEF\xBB\xBF", "utf-8", "utf-8"),
    UTF1,
    row(b"\x0E\xFE\xFF", "scsu", "scsu"),
    BOCU1,
    row(b"\xDD\x73\x66\x73", foreign::UTF_EBCDIC, foreign::UTF_EBCDIC),
    row(b"\x84\x31\x95\x33", "gb18030", "gb18030"),
    utf7(b"+/v8"),
    utf7(b"+/v9"),
    utf7(b"+/v+"),
    utf7(b"+/v/"),
];

impl Signature {
    /// Returns `true` for the signature of UTF-8. The text after it can be damaged nevertheless.
    pub(super) fn is_utf8(&self) -> bool {
        self.answer == Answer::utf8().name()
    }
}

/// Returns `true` if bytes start with the signature of UTF-8.
pub(super) fn starts_with_utf8_signature(bytes: &[u8]) -> bool {
    let mut signatures = SIGNATURES.iter().filter(|signature| signature.is_utf8());
    signatures.any(|signature| bytes.starts_with(signature.bytes))
}

/// Returns the signature of an input, given its first bytes.
pub(super) fn find_signature(head: &[u8]) -> Option<&'static Signature> {
    let is_of = |signature: &&Signature| {
        head.starts_with(signature.bytes) && (signature.is_confirmed)(head)
    };
    SIGNATURES.iter().find(is_of)
}
