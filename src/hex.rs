//! Which bytes do these hex digits spell?
//!
//! Two digits are a byte. Blanks, commas, line breaks, `0x`, `\x` and `%` may stand between bytes;
//! anything else is an error that says where.

use std::io::{self, BufRead, BufReader, Read};

/// Reads hex digits as the bytes that they spell.
#[derive(Debug)]
pub struct Hex<R> {
    digits: BufReader<R>,
    /// The offset of the next character in the text.
    offset: u64,
    before: Before,
}

/// What stands before the next character.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Before {
    /// Nothing that asks for more.
    Nothing,
    /// A zero that began a byte: a digit completes it, an `x` makes it the `0x` of a prefix.
    Zero,
    /// Any other first digit of a byte.
    Digit(u8),
    /// A backslash, which asks for an `x`.
    Backslash,
    /// `0x`, `\x` or `%`, which ask for a digit.
    Prefix,
}

impl Before {
    /// Take one character of the text: what then stands before the next one, and the byte that it
    /// completes, if it does. `None` if it may not stand here.
    fn take(self, byte: u8) -> Option<(Before, Option<u8>)> {
        let digit = (byte as char).to_digit(16).map(|digit| digit as u8);
        let before = match (self, digit, byte) {
            (Before::Nothing, Some(0), _) => Before::Zero,
            (Before::Nothing | Before::Prefix, Some(digit), _) => Before::Digit(digit),
            (Before::Zero, Some(digit), _) => return Some((Before::Nothing, Some(digit))),
            (Before::Digit(first), Some(digit), _) => {
                return Some((Before::Nothing, Some(first << 4 | digit)));
            }
            (Before::Zero | Before::Backslash, None, b'x' | b'X') => Before::Prefix,
            (Before::Nothing, None, b'%') => Before::Prefix,
            (Before::Nothing, None, b'\\') => Before::Backslash,
            (Before::Nothing, None, b' ' | b'\t' | b'\r' | b'\n' | b',') => Before::Nothing,
            _ => return None,
        };
        Some((before, None))
    }
}

impl<R: Read> Hex<R> {
    /// Read the digits of `text`.
    pub fn new(text: R) -> Hex<R> {
        Hex { digits: BufReader::with_capacity(1 << 16, text), offset: 0, before: Before::Nothing }
    }

    fn error(&self, what: &str) -> io::Error {
        let message = format!(
            "unexpected {what} at byte {} of the hex text \
             (two digits are a byte; blanks, commas, 0x, \\x and % may stand between bytes)",
            self.offset
        );
        io::Error::new(io::ErrorKind::InvalidData, message)
    }
}

impl<R: Read> Read for Hex<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let mut filled = 0;
        while filled == 0 && !out.is_empty() {
            let text = self.digits.fill_buf()?;
            if text.is_empty() {
                return match self.before {
                    Before::Nothing => Ok(0),
                    _ => Err(self.error("end")),
                };
            }
            if self.offset == 0 && starts_with_offset(text) {
                return Err(
                    self.error("offset of a dump (xxd -r, od -An and xxd -p give bytes alone)")
                );
            }
            let mut taken = 0;
            // A byte of text spells at most one byte.
            for &byte in text.iter().take(out.len()) {
                let Some((before, spelt)) = self.before.take(byte) else {
                    if filled > 0 {
                        break;
                    }
                    self.offset += taken;
                    return Err(match byte {
                        b'!'..=b'~' => self.error(&format!("\"{}\"", byte as char)),
                        _ => self.error(&format!("byte {byte:02X}")),
                    });
                };
                self.before = before;
                if let Some(spelt) = spelt {
                    out[filled] = spelt;
                    filled += 1;
                }
                taken += 1;
            }
            self.offset += taken;
            self.digits.consume(taken as usize);
        }
        Ok(filled)
    }
}

/// Whether hex digits start with the offset of a dump's first row, as `od -A x` and `hexdump -C`
/// write it. To take it for data would be a wrong answer without a word.
fn starts_with_offset(text: &[u8]) -> bool {
    let zeros = text.iter().take_while(|&&byte| byte == b'0').count();
    let rest = &text[zeros..];
    let blanks = rest.iter().take_while(|&&byte| byte == b' ').count();
    let digits = rest[blanks..].iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
    (6..=16).contains(&zeros) && blanks > 0 && digits == 2
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<u8>, String> {
        let mut bytes = Vec::new();
        let read = Hex::new(text.as_bytes()).read_to_end(&mut bytes);
        read.map(|_| bytes).map_err(|error| error.to_string())
    }

    #[test]
    fn every_spelling_of_three_bytes() {
        for text in [
            "E282AC",
            "e2 82\tac",
            "0xE2,0x82,0xAC",
            "\\xe2\\x82\\xac",
            "%E2%82%AC",
            "0xe282ac\r\n",
        ] {
            assert_eq!(read(text).unwrap(), [0xE2, 0x82, 0xAC], "{text}");
        }
        assert_eq!(read("00 0x00 0x0A 0").unwrap_err()[..14], *"unexpected end");
        assert_eq!(read("").unwrap(), []);
    }

    #[test]
    fn an_error_says_where() {
        for (text, what) in [
            ("E2 8G", "unexpected \"G\" at byte 4"),
            ("E2 8 2", "unexpected byte 20 at byte 4"),
            ("E2 8", "unexpected end at byte 4"),
            ("0x", "unexpected end at byte 2"),
            ("\\2", "unexpected \"2\" at byte 1"),
            ("%%41", "unexpected \"%\" at byte 1"),
            ("U+20AC", "unexpected \"U\" at byte 0"),
            ("000000 47 72\n", "unexpected offset of a dump"),
            ("00000000  47 72", "unexpected offset of a dump"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.starts_with(what), "{text}: {error}");
        }
    }
}
