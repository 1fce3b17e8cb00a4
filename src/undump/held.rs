//! Which lines wait until it is known how to read them?

/// How much is held, in bytes.
const MOST: usize = 1 << 20;

/// Lines that wait, in order and with none between them.
#[derive(Debug, Default)]
pub(super) struct HeldLines {
    /// The number of the first.
    first: u64,
    /// The lines, each ended.
    text: Vec<u8>,
}

impl HeldLines {
    /// Hold a line, too. Whether that was the last for which there is room.
    pub fn push(&mut self, number: u64, line: &[u8]) -> bool {
        if self.is_empty() {
            self.first = number;
        }
        self.text.extend_from_slice(line);
        self.text.push(b'\n');
        self.text.len() > MOST
    }

    /// The number of the first line.
    pub fn first(&self) -> u64 {
        self.first
    }

    /// Whether no line waits.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// The lines, with their numbers.
    pub fn lines(&self) -> impl Iterator<Item = (u64, &[u8])> {
        let lines = self.text.split_inclusive(|&byte| byte == b'\n');
        (self.first..).zip(lines)
    }
}
