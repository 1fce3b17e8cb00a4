//! Counts of bytes and line ends.

use memchr::memchr_iter;

use crate::codec::LengthCounts;
use crate::kernel::count;

/// The number of NULs between CR and LF in UTF-32. In UTF-16 there is one.
const MOST_NULS: usize = 3;

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
    /// The number of NULs after the CR at the end of the bytes so far, if there is one.
    after_cr: Option<usize>,
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
        if let Some(nuls) = self.after_cr.take() {
            self.end_line(nuls, bytes);
        }
        for at in memchr_iter(b'\r', bytes) {
            self.cr += 1;
            self.end_line(0, &bytes[at + 1..]);
        }
    }

    /// Counts the CR LF of a CR, after which this number of NULs and these bytes follow.
    fn end_line(&mut self, nuls: usize, bytes: &[u8]) {
        let room = MOST_NULS + 1 - nuls;
        let more = bytes.iter().take(room).take_while(|byte| **byte == 0).count();
        match bytes.get(more) {
            Some(b'\n') if matches!(nuls + more, 0 | 1 | MOST_NULS) => self.crlf += 1,
            None if more < room => self.after_cr = Some(nuls + more),
            _ => {}
        }
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

    /// Returns the number of line ends CR LF, of code units of any size.
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
pub(super) fn is_rare_control(byte: u8) -> bool {
    matches!(byte, 0x01..=0x06 | 0x0E..=0x19 | 0x1C..=0x1F | 0x7F)
}

/// Returns the number of NULs and rare controls.
pub(super) fn controls(bytes: &[u8]) -> u64 {
    count(bytes, |byte| byte == 0 || is_rare_control(byte))
}

/// Returns `true` if bytes are hardly text: more than one in 64 is NUL or a rare control.
pub(super) fn is_binary(bytes: &[u8]) -> bool {
    controls(bytes) * 64 > bytes.len() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_are_counted_in_code_units_however_the_input_is_divided() {
        let text = "a\r\nb\rc\n\r\r\n";
        let units = text.encode_utf16();
        let texts = [
            text.as_bytes().to_vec(),
            units.clone().flat_map(u16::to_le_bytes).collect(),
            units.clone().flat_map(u16::to_be_bytes).collect(),
            units.clone().flat_map(|unit| u32::from(unit).to_le_bytes()).collect(),
            units.flat_map(|unit| u32::from(unit).to_be_bytes()).collect(),
        ];
        for text in texts {
            for size in 1..=text.len() {
                let mut tally = ByteTally::default();
                text.chunks(size).for_each(|part| tally.add(part));
                assert_eq!((tally.crlf(), tally.lf(), tally.cr()), (2, 1, 2), "{text:?} {size}");
            }
        }
    }
}
