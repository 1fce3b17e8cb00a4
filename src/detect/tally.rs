//! Counts of bytes and line ends.

use memchr::memchr_iter;

use crate::codec::LengthCounts;
use crate::kernel::count;

/// Counts over all bytes of the input.
#[derive(Clone, Debug, Default)]
pub struct ByteTally {
    size: u64,
    ascii: u64,
    nuls: u64,
    controls: u64,
    lf: u64,
    cr: u64,
    crlf: u64,
    /// True if the last byte was a CR.
    after_cr: bool,
    /// Well-formed UTF-8 sequences by length, up to the byte that ruled UTF-8 out.
    pub lengths: LengthCounts,
}

impl ByteTally {
    /// Counts the next bytes.
    pub(super) fn add(&mut self, bytes: &[u8]) {
        self.size += bytes.len() as u64;
        self.ascii += count(bytes, |byte| byte < 0x80);
        self.nuls += count(bytes, |byte| byte == 0);
        self.controls += count(bytes, is_rare_control);
        self.lf += count(bytes, |byte| byte == b'\n');
        self.crlf += u64::from(self.after_cr && bytes.first() == Some(&b'\n'));
        for at in memchr_iter(b'\r', bytes) {
            self.cr += 1;
            self.crlf += u64::from(bytes.get(at + 1) == Some(&b'\n'));
        }
        self.after_cr = bytes.last().map_or(self.after_cr, |&last| last == b'\r');
    }

    /// Returns the number of bytes.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Returns the number of ASCII bytes.
    pub fn ascii(&self) -> u64 {
        self.ascii
    }

    /// Returns the number of NULs.
    pub fn nuls(&self) -> u64 {
        self.nuls
    }

    /// Returns the number of control bytes that are rare in text: all of C0 and DEL except NUL, BEL
    /// to CR (07..0D), SUB and ESC.
    pub fn controls(&self) -> u64 {
        self.controls
    }

    /// Returns the number of line ends CR LF.
    pub fn crlf(&self) -> u64 {
        self.crlf
    }

    /// Returns the number of LF without a CR before it.
    pub fn lf(&self) -> u64 {
        self.lf - self.crlf
    }

    /// Returns the number of CR without an LF after it.
    pub fn cr(&self) -> u64 {
        self.cr - self.crlf
    }
}

/// Returns `true` if a byte is a control that is rare in text, other than NUL.
fn is_rare_control(byte: u8) -> bool {
    matches!(byte, 0x01..=0x06 | 0x0E..=0x19 | 0x1C..=0x1F | 0x7F)
}

/// Returns `true` if bytes are hardly text: more than one in 64 is NUL or a rare control.
pub(super) fn is_binary(bytes: &[u8]) -> bool {
    count(bytes, |byte| byte == 0 || is_rare_control(byte)) * 64 > bytes.len() as u64
}
