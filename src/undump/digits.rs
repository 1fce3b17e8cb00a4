//! Digits without offsets.

use std::io;

use super::error::{DumpRemedy, on_line, wrong, wrong_form};
use super::{PlacedBytes, cells};
use crate::source::hex::HexDigits;

/// The number of characters read at once.
const BLOCK: usize = 64 << 10;

/// Reads hex digits.
#[derive(Debug, Default)]
pub(super) struct PlainHex {
    digits: HexDigits,
    block: Vec<u8>,
    spelt: PlacedBytes,
}

impl PlainHex {
    pub fn feed(&mut self, mut text: &[u8]) -> io::Result<()> {
        while let [first, rest @ ..] = text {
            let pairs = &text[..text.len().min(BLOCK)];
            text = match self.digits.take_pairs(pairs, &mut self.block) {
                0 => {
                    self.block.extend(self.digits.take(*first)?);
                    rest
                }
                taken => &text[taken..],
            };
            self.spelt.append(&self.block)?;
            self.block.clear();
        }
        Ok(())
    }

    pub fn finish(self) -> io::Result<PlacedBytes> {
        self.digits.end()?;
        Ok(self.spelt)
    }
}

/// Reads binary digits. Blanks and line breaks may stand anywhere.
#[derive(Debug)]
pub(super) struct PlainBits {
    /// The digits of the incomplete byte, after a 1 that marks their number.
    begun: u16,
    line: u64,
    spelt: PlacedBytes,
}

impl Default for PlainBits {
    fn default() -> PlainBits {
        PlainBits { begun: 1, line: 1, spelt: PlacedBytes::default() }
    }
}

impl PlainBits {
    pub fn feed(&mut self, mut text: &[u8]) -> io::Result<()> {
        while let [first, rest @ ..] = text {
            let eight = text.split_first_chunk().filter(|_| self.begun == 1);
            text = match eight.and_then(|(digits, rest)| Some((cells::bits(digits)?, rest))) {
                Some((byte, rest)) => {
                    self.spelt.append(&[byte])?;
                    rest
                }
                None => {
                    self.take(*first)?;
                    rest
                }
            };
        }
        Ok(())
    }

    fn take(&mut self, character: u8) -> io::Result<()> {
        match character {
            b'0' | b'1' => self.begun = self.begun << 1 | u16::from(character & 1),
            b'\n' => self.line += 1,
            b' ' | b'\t' | b'\r' => {}
            _ => return Err(self.unexpected(character)),
        }
        let [complete, byte] = self.begun.to_be_bytes();
        if complete == 0 {
            return Ok(());
        }
        self.begun = 1;
        self.spelt.append(&[byte])
    }

    pub fn finish(self) -> io::Result<PlacedBytes> {
        match self.begun {
            1 => Ok(self.spelt),
            begun => {
                let digits = begun.ilog2();
                let message = format!("{digits} of 8 digits at the end (complete the last byte)");
                Err(on_line(self.line, wrong(message)))
            }
        }
    }

    fn unexpected(&self, character: u8) -> io::Error {
        let what = match character {
            b'!'..=b'~' => format!("\"{}\"", character as char),
            _ => format!("byte {character:02X}"),
        };
        let message = format!("unexpected {what} instead of a binary digit or a blank");
        on_line(self.line, wrong_form(message, DumpRemedy::Rows))
    }
}
