//! Lines that wait until the base of the dump is known.

/// The limit of the waiting text, in bytes.
const MOST: usize = 1 << 20;

/// Consecutive lines that wait.
#[derive(Debug, Default)]
pub(super) struct PendingLines {
    /// The number of the first line, from 1 on.
    first: u64,
    /// The lines, each with a line feed.
    text: Vec<u8>,
}

impl PendingLines {
    /// Appends a line. Returns `true` if the limit is exceeded.
    pub fn push(&mut self, number: u64, line: &[u8]) -> bool {
        if self.is_empty() {
            self.first = number;
        }
        self.text.extend_from_slice(line);
        self.text.push(b'\n');
        self.text.len() > MOST
    }

    /// Returns the number of the first line, from 1 on.
    pub fn first(&self) -> u64 {
        self.first
    }

    /// Returns `true` if no line waits.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Returns the lines with their numbers.
    pub fn lines(&self) -> impl Iterator<Item = (u64, &[u8])> {
        let lines = self.text.split_inclusive(|&byte| byte == b'\n');
        (self.first..).zip(lines)
    }
}
