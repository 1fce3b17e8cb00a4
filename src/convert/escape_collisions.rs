//! Escaped bytes that form a character once they are written next to each other.
//!
//! A codec that escapes bytes writes each escape as its byte. If such bytes are well formed
//! together, they read back as a character instead of escapes. PEP 383 leaves this case to the
//! user, so it is counted and reported.

use crate::codec::family::Utf8;
use crate::codec::{Codec, Step};

/// Counts escaped bytes that form characters.
#[derive(Debug)]
pub(super) struct EscapeCollisions {
    /// The escape of byte 0.
    base: u32,
    /// Escaped bytes that may start a character.
    bytes: Vec<u8>,
    count: u64,
}

impl EscapeCollisions {
    /// Creates a counter for escapes that are `base` plus the byte.
    pub fn new(base: u32) -> EscapeCollisions {
        EscapeCollisions { base, bytes: Vec::new(), count: 0 }
    }

    /// Returns the number of bytes.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Records code points that are written.
    pub fn record(&mut self, values: &[u32]) {
        for &value in values {
            match value.wrapping_sub(self.base) {
                byte @ 0x80..=0xFF => {
                    self.bytes.push(byte as u8);
                    self.count_characters();
                }
                _ => self.bytes.clear(),
            }
        }
    }

    fn count_characters(&mut self) {
        loop {
            match Utf8::step(&mut Utf8::start(0, u64::MAX), &self.bytes, false) {
                Step::Scalar { len, .. } => {
                    self.count += len as u64;
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
    fn adjacent_escapes_that_form_characters_are_counted() {
        for (values, count) in [
            (&[0xDCC3, 0xDCA9][..], 2),
            (&[0xDCC3, 0x28, 0xDCA9], 0),
            (&[0xDCED, 0xDCA0, 0xDC80], 0),
            (&[0xDCFF, 0xDCE2, 0xDC82, 0xDCAC, 0xDCE2, 0xDC82], 3),
        ] {
            let mut collisions = EscapeCollisions::new(0xDC00);
            values.iter().for_each(|&value| collisions.record(&[value]));
            assert_eq!(collisions.count(), count, "{values:X?}");
        }
    }
}
