//! Bytes written as hex digits.
//!
//! Two digits are a byte. Blanks, line breaks, the marks of [`is_separator`] and the prefixes `0x`,
//! `\x`, `%` and `=` may stand between bytes. Between quotes, where other digits are text, each byte
//! needs `\x`. Any other character is an error that has its offset and line.

use std::io::{self, BufRead, BufReader, Read};

/// Values of hex digits by their ASCII code; 0xFF for other characters.
pub(crate) static DIGIT_VALUES: [u8; 256] = {
    let mut values = [0xFF; 256];
    let mut digit = 0;
    while digit < 16 {
        values[b"0123456789abcdef"[digit] as usize] = digit as u8;
        values[b"0123456789ABCDEF"[digit] as usize] = digit as u8;
        digit += 1;
    }
    values
};

/// Returns the byte that two hex digits spell.
#[cfg(feature = "cli")]
pub(crate) fn pair(digits: &[u8; 2]) -> Option<u8> {
    let [high, low] = digits.map(|digit| DIGIT_VALUES[usize::from(digit)]);
    (high | low < 16).then_some(high << 4 | low)
}

/// The number of digits of a byte.
const BYTE_DIGITS: usize = 2;

/// Advice for a dump with offsets.
const DUMP_ADVICE: &str = "(utf8 dump-bits -r reads it; xxd -p and od -An give bytes alone)";

/// Decodes hex digits to bytes.
#[derive(Debug)]
pub struct HexReader<R> {
    text: BufReader<R>,
    digits: HexDigits,
}

/// A decoder of hex digits, one character at a time.
#[derive(Debug)]
pub(crate) struct HexDigits {
    /// The offset of the next character in the text.
    offset: u64,
    /// The line of that character, from 1.
    line: u64,
    before: HexPosition,
    /// The quote that ends the string around the next character.
    quote: Option<u8>,
    /// The number of digits directly before the next character.
    digits: usize,
    dump: DumpGuess,
}

/// The context of the next character.
#[derive(Clone, Copy, Debug, PartialEq)]
enum HexPosition {
    /// A boundary between bytes.
    Nothing,
    /// A zero at the start of a byte: a digit completes the byte, an `x` makes it the prefix `0x`.
    Zero,
    /// Any other first digit of a byte.
    Digit(u8),
    /// A backslash, which must be followed by `x`.
    Backslash,
    /// `0x`, `\x`, `%` or `=`, which must be followed by a digit.
    Prefix,
}

/// Returns `true` for a character that may separate bytes: `E2:82`, `{0xE2, 0x82}`, `<E2><82>`.
fn is_separator(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
        || matches!(byte, b',' | b';' | b':' | b'-' | b'&')
        || matches!(byte, b'{' | b'}' | b'[' | b']' | b'<' | b'>')
}

impl HexPosition {
    /// Returns the context after a character, and the byte that it completes, if any. Returns
    /// `None` if the character is not expected.
    fn take(self, byte: u8) -> Option<(HexPosition, Option<u8>)> {
        let digit = Some(DIGIT_VALUES[usize::from(byte)]).filter(|&value| value < 16);
        let before = match (self, digit, byte) {
            (HexPosition::Nothing, Some(0), _) => HexPosition::Zero,
            (HexPosition::Nothing | HexPosition::Prefix, Some(digit), _) => {
                HexPosition::Digit(digit)
            }
            (HexPosition::Zero, Some(digit), _) => {
                return Some((HexPosition::Nothing, Some(digit)));
            }
            (HexPosition::Digit(first), Some(digit), _) => {
                return Some((HexPosition::Nothing, Some(first << 4 | digit)));
            }
            (HexPosition::Zero | HexPosition::Backslash, None, b'x' | b'X') => HexPosition::Prefix,
            (HexPosition::Nothing, None, b'%' | b'=') => HexPosition::Prefix,
            (HexPosition::Nothing, None, b'\\') => HexPosition::Backslash,
            (HexPosition::Nothing, None, _) if is_separator(byte) => HexPosition::Nothing,
            _ => return None,
        };
        Some((before, None))
    }
}

impl Default for HexDigits {
    fn default() -> HexDigits {
        let (before, dump) = (HexPosition::Nothing, DumpGuess::Zeros(0));
        HexDigits { offset: 0, line: 1, before, quote: None, digits: 0, dump }
    }
}

impl HexDigits {
    /// Decodes one character. Returns the byte that it completes, if any.
    ///
    /// # Errors
    /// Returns `InvalidData` if the character is not expected; it is then not consumed.
    pub(crate) fn take(&mut self, byte: u8) -> io::Result<Option<u8>> {
        if self.dump == DumpGuess::Ended && byte.is_ascii_hexdigit() {
            return Err(self.error(&format!("second row of a dump with offsets {DUMP_ADVICE}")));
        }
        if byte == b':' && self.digits > BYTE_DIGITS {
            return Err(self.error(&format!("offset of a dump {DUMP_ADVICE}")));
        }
        let mut decoded = None;
        if let Some(quote) = self.quote_after(byte) {
            self.quote = quote;
            self.before = HexPosition::Nothing;
        } else {
            let is_text = self.quote.is_some() && self.before == HexPosition::Nothing;
            let next = self.before.take(byte).filter(|_| !is_text || byte == b'\\');
            (self.before, decoded) = next.ok_or_else(|| self.unexpected(byte))?;
        }
        self.dump = self.dump.next(byte);
        self.digits = if byte.is_ascii_hexdigit() { self.digits + 1 } else { 0 };
        self.offset += 1;
        self.line += u64::from(byte == b'\n');
        Ok(decoded)
    }

    /// Returns the quote of the string after a character that starts or ends one; `None` for other
    /// characters.
    fn quote_after(&self, byte: u8) -> Option<Option<u8>> {
        match (byte, self.quote, self.before) {
            // The digit is the b of b'…'.
            (b'\'' | b'"', None, HexPosition::Nothing | HexPosition::Digit(0xB)) => {
                Some(Some(byte))
            }
            (_, Some(quote), HexPosition::Nothing) if quote == byte => Some(None),
            _ => None,
        }
    }

    /// Decodes pairs of digits without separators from the front of a text. Returns the number of
    /// characters consumed: 0 within a byte, or where the text may be a dump with offsets.
    #[cfg(feature = "cli")]
    pub(crate) fn take_pairs(&mut self, text: &[u8], out: &mut Vec<u8>) -> usize {
        if (self.before, self.dump, self.quote) != (HexPosition::Nothing, DumpGuess::No, None) {
            return 0;
        }
        let start = out.len();
        out.extend(text.as_chunks().0.iter().map_while(pair));
        let taken = 2 * (out.len() - start);
        self.offset += taken as u64;
        self.digits += taken;
        taken
    }

    /// Ends the text.
    ///
    /// # Errors
    /// Returns `InvalidData` if the last byte is incomplete.
    pub(crate) fn end(&self) -> io::Result<()> {
        match (self.before, self.quote) {
            (HexPosition::Nothing, None) => Ok(()),
            _ => Err(self.error("end")),
        }
    }

    fn unexpected(&self, byte: u8) -> io::Error {
        match byte {
            b'!'..=b'~' => self.error(&format!("\"{}\"", byte as char)),
            _ => self.error(&format!("byte {byte:02X}")),
        }
    }

    fn error(&self, found: &str) -> io::Error {
        let line = if self.line > 1 { format!(" (line {})", self.line) } else { String::new() };
        let message = format!(
            "unexpected {found} at byte {}{line} of the hex text \
             (two digits are a byte; blanks, marks such as : - and , and the prefixes 0x, \\x, % and = \
             may stand between bytes; between quotes, each byte needs \\x)",
            self.offset
        );
        io::Error::new(io::ErrorKind::InvalidData, message)
    }
}

impl<R: Read> HexReader<R> {
    /// Returns a reader of the bytes that `text` spells.
    pub fn new(text: R) -> HexReader<R> {
        HexReader { text: BufReader::with_capacity(1 << 16, text), digits: HexDigits::default() }
    }
}

impl<R: Read> Read for HexReader<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let mut filled = 0;
        while filled == 0 && !out.is_empty() {
            let text = self.text.fill_buf()?;
            if text.is_empty() {
                return self.digits.end().map(|()| 0);
            }
            let mut taken = 0;
            // Each character completes at most one byte.
            for &byte in text.iter().take(out.len()) {
                match self.digits.take(byte) {
                    Ok(Some(byte)) => {
                        out[filled] = byte;
                        filled += 1;
                    }
                    Ok(None) => {}
                    // The next read returns the error.
                    Err(_) if filled > 0 => break,
                    Err(error) => return Err(error),
                }
                taken += 1;
            }
            self.text.consume(taken);
        }
        Ok(filled)
    }
}

/// Detection of a dump with offsets, as `od -A x` and `hexdump -C` write it: six zeros or more
/// followed by single bytes, and another line. Decoding an offset as data would be a silent error.
#[derive(Clone, Copy, Debug, PartialEq)]
enum DumpGuess {
    /// The number of zeros at the start of the text.
    Zeros(usize),
    /// The zeros are an offset if single bytes follow. The number of digits of the current byte.
    Row(usize),
    /// The row has ended: a second row makes it a dump.
    Ended,
    /// Not a dump.
    No,
}

impl DumpGuess {
    fn next(self, byte: u8) -> DumpGuess {
        match (self, byte) {
            (DumpGuess::Zeros(zeros), b'0') => DumpGuess::Zeros(zeros + 1),
            (DumpGuess::Zeros(6..=16), b' ') => DumpGuess::Row(0),
            (DumpGuess::Row(digits @ 0..2), _) if byte.is_ascii_hexdigit() => {
                DumpGuess::Row(digits + 1)
            }
            (DumpGuess::Row(0 | 2), b' ') => DumpGuess::Row(0),
            (DumpGuess::Row(0 | 2), b'\n') => DumpGuess::Ended,
            _ => DumpGuess::No,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<u8>, String> {
        let mut bytes = Vec::new();
        let read = HexReader::new(text.as_bytes()).read_to_end(&mut bytes);
        read.map(|_| bytes).map_err(|error| error.to_string())
    }

    #[test]
    fn every_notation_of_three_bytes() {
        for text in [
            "E282AC",
            "e2 82\tac",
            "0xE2,0x82,0xAC",
            "\\xe2\\x82\\xac",
            "%E2%82%AC",
            "0xe282ac\r\n",
            "E2:82:AC",
            "E2-82-AC",
            "=E2=82=AC",
            "{0xE2, 0x82, 0xAC};",
            "&[0xE2, 0x82, 0xAC]",
            "<E2><82><AC>",
            "\"\\xe2\\x82\" \"\\xAC\"",
            "b'\\xe2\\x82\\xac'",
            "b\"\\xe2\\x82\\xac\"\n",
        ] {
            assert_eq!(read(text).unwrap(), [0xE2, 0x82, 0xAC], "{text}");
        }
        assert_eq!(read("00 0x00 0x0A 0").unwrap_err()[..14], *"unexpected end");
        assert!(read("").unwrap().is_empty());
        // Data may begin with zeros, too.
        for text in ["000000 00", "000000 00\n", "00000000 4142\n41", "00 00\n00", "0000\n41 42\n"]
        {
            assert!(read(text).is_ok(), "{text:?}");
        }
    }

    #[test]
    fn errors_have_offsets() {
        for (text, what) in [
            ("E2 8G", "unexpected \"G\" at byte 4"),
            ("E2 8 2", "unexpected byte 20 at byte 4"),
            ("E2 8", "unexpected end at byte 4"),
            ("0x", "unexpected end at byte 2"),
            ("\\2", "unexpected \"2\" at byte 1"),
            ("41\n4G", "unexpected \"G\" at byte 4 (line 2)"),
            ("00000010: e282", "unexpected offset of a dump"),
            ("b'caf\\xe9'", "unexpected \"c\" at byte 2"),
            ("b'\\xe9", "unexpected end at byte 6"),
            ("'\\xe9\"", "unexpected \"\"\" at byte 5"),
            ("E2 a'", "unexpected \"'\" at byte 4"),
            ("%%41", "unexpected \"%\" at byte 1"),
            ("U+20AC", "unexpected \"U\" at byte 0"),
            ("000000 47 72\n000002\n", "unexpected second row of a dump with offsets"),
            ("00000000  47 72  73\n00000003\n", "unexpected second row of a dump with offsets"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.starts_with(what), "{text}: {error}");
        }
    }
}
