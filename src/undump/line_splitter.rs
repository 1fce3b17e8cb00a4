//! Lines of a text that is read in parts.

use std::io;

use memchr::memchr;

use super::error::{DumpRemedy, on_line, wrong_form};

/// The limit of a line, in bytes.
const LONGEST: usize = 1 << 20;

/// Splits a text into lines.
#[derive(Debug, Default)]
pub(super) struct LineSplitter {
    /// The start of the current line, from earlier parts.
    begun: Vec<u8>,
    /// The number of complete lines.
    ended: u64,
}

impl LineSplitter {
    /// Reads the next part. Calls `work` for each line that ends in it, with its number (from 1 on)
    /// and its text without the line feed.
    pub fn feed(
        &mut self,
        mut text: &[u8],
        mut work: impl FnMut(u64, &[u8]) -> io::Result<()>,
    ) -> io::Result<()> {
        while let Some(len) = memchr(b'\n', text) {
            let number = self.ended + 1;
            if self.begun.is_empty() {
                check(number, &text[..len])?;
                work(number, &text[..len])?;
            } else {
                self.begun.extend_from_slice(&text[..len]);
                check(number, &self.begun)?;
                work(number, &self.begun)?;
                self.begun.clear();
            }
            self.ended = number;
            text = &text[len + 1..];
        }
        self.begun.extend_from_slice(text);
        check(self.ended + 1, &self.begun)
    }

    /// Calls `work` for an unterminated last line.
    pub fn finish(self, mut work: impl FnMut(u64, &[u8]) -> io::Result<()>) -> io::Result<()> {
        match &self.begun[..] {
            [] => Ok(()),
            line => work(self.ended + 1, line),
        }
    }
}

/// Checks the length of a line.
fn check(number: u64, line: &[u8]) -> io::Result<()> {
    match line.len() {
        ..=LONGEST => Ok(()),
        _ => Err(on_line(number, wrong_form("longer than 1 MiB", DumpRemedy::Digits))),
    }
}
