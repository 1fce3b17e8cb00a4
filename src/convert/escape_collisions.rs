//! Which escaped bytes make a character, once they are written next to each other?
//!
//! A codec that escapes bytes writes each escape as its byte. Where such bytes are together well
//! formed, they will be read back as what they spell and not as escapes: PEP 383 leaves that to the
//! user, who should know.

use crate::codec::family::Utf8;
use crate::codec::{Codec, Step};

/// Counts them.
#[derive(Debug)]
pub(super) struct EscapeCollisions {
    /// The escape of byte 0.
    base: u32,
    /// Escaped bytes that may be the beginning of a character.
    bytes: Vec<u8>,
    number: u64,
}

impl EscapeCollisions {
    /// For a codec whose escapes are this and the byte.
    pub fn new(base: u32) -> EscapeCollisions {
        EscapeCollisions { base, bytes: Vec::new(), number: 0 }
    }

    /// How many bytes.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// These code points are written.
    pub fn see(&mut self, values: &[u32]) {
        for &value in values {
            match value.wrapping_sub(self.base) {
                byte @ 0x80..=0xFF => {
                    self.bytes.push(byte as u8);
                    self.settle();
                }
                _ => self.bytes.clear(),
            }
        }
    }

    fn settle(&mut self) {
        loop {
            match Utf8::step(&mut Utf8::start(u64::MAX), &self.bytes, false) {
                Step::Scalar { len, .. } => {
                    self.number += len as u64;
                    self.bytes.drain(..len);
                }
                Step::Ill { len, .. } => drop(self.bytes.drain(..len)),
                _ => return,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_together_well_formed_is_counted() {
        for (values, number) in [
            (&[0xDCC3, 0xDCA9][..], 2),
            (&[0xDCC3, 0x28, 0xDCA9], 0),
            (&[0xDCED, 0xDCA0, 0xDC80], 0),
            (&[0xDCFF, 0xDCE2, 0xDC82, 0xDCAC, 0xDCE2, 0xDC82], 3),
        ] {
            let mut joined = EscapeCollisions::new(0xDC00);
            values.iter().for_each(|&value| joined.see(&[value]));
            assert_eq!(joined.number(), number, "{values:X?}");
        }
    }
}
