//! Which bytes are there, and how do lines end?

use memchr::memchr_iter;

use crate::codec::LengthCounts;
use crate::kernel::count;

/// What was counted.
#[derive(Clone, Debug, Default)]
pub struct ByteTally {
    size: u64,
    ascii: u64,
    nuls: u64,
    controls: u64,
    lf: u64,
    cr: u64,
    crlf: u64,
    /// Whether the last byte was a CR.
    after_cr: bool,
    /// Well-formed sequences of UTF-8 by their length, up to where it was ruled out.
    pub lengths: LengthCounts,
}

impl ByteTally {
    /// Count some bytes.
    pub(super) fn add(&mut self, bytes: &[u8]) {
        self.size += bytes.len() as u64;
        self.ascii += count(bytes, |byte| byte < 0x80);
        self.nuls += count(bytes, |byte| byte == 0);
        self.controls += count(bytes, is_odd);
        self.lf += count(bytes, |byte| byte == b'\n');
        self.crlf += u64::from(self.after_cr && bytes.first() == Some(&b'\n'));
        for at in memchr_iter(b'\r', bytes) {
            self.cr += 1;
            self.crlf += u64::from(bytes.get(at + 1) == Some(&b'\n'));
        }
        self.after_cr = bytes.last().map_or(self.after_cr, |&last| last == b'\r');
    }

    /// How many bytes there are.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// How many of them are ASCII.
    pub fn ascii(&self) -> u64 {
        self.ascii
    }

    /// How many of them are NUL.
    pub fn nuls(&self) -> u64 {
        self.nuls
    }

    /// How many of them are controls that text hardly has: neither NUL, nor what moves the
    /// position, nor BEL, BS, SUB and ESC.
    pub fn controls(&self) -> u64 {
        self.controls
    }

    /// CR and LF that end a line together.
    pub fn crlf(&self) -> u64 {
        self.crlf
    }

    /// LF alone.
    pub fn lf(&self) -> u64 {
        self.lf - self.crlf
    }

    /// CR alone.
    pub fn cr(&self) -> u64 {
        self.cr - self.crlf
    }
}

/// Whether this is a control that text hardly has, but NUL.
fn is_odd(byte: u8) -> bool {
    matches!(byte, 0x01..=0x06 | 0x0E..=0x19 | 0x1C..=0x1F | 0x7F)
}

/// Whether these bytes are hardly text: more than one in 64 is NUL, or such a control.
pub(super) fn is_binary(bytes: &[u8]) -> bool {
    count(bytes, |byte| byte == 0 || is_odd(byte)) * 64 > bytes.len() as u64
}
