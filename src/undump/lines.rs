//! Where do the lines of a text end that comes in pieces?

use std::io;

use memchr::memchr;

use super::{on_line, wrong};

/// The longest line, in bytes: no dump has longer rows.
const LONGEST: usize = 1 << 20;

/// Cuts a text into lines.
#[derive(Debug, Default)]
pub(super) struct LineSplitter {
    /// The line that has begun.
    begun: Vec<u8>,
    /// How many lines have ended.
    ended: u64,
}

impl LineSplitter {
    /// Take more of the text, and do the work for each line that ends in it, with its number (from
    /// 1 on) and without its line feed.
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

    /// The text ends: do the work for what is left of it.
    pub fn finish(self, mut work: impl FnMut(u64, &[u8]) -> io::Result<()>) -> io::Result<()> {
        match &self.begun[..] {
            [] => Ok(()),
            line => work(self.ended + 1, line),
        }
    }
}

/// See that a line is not too long.
fn check(number: u64, line: &[u8]) -> io::Result<()> {
    match line.len() {
        ..=LONGEST => Ok(()),
        _ => Err(on_line(number, wrong("longer than 1 MiB (plain digits? -p reads them)"))),
    }
}
