//! Which part of the input is kept, to be looked at once all is known?

/// The size of a window, in bytes.
pub(super) const SIZE: usize = 64 << 10;

/// Bytes of the input that stand next to each other.
#[derive(Debug, Default)]
pub(super) struct KeptWindow {
    /// The offset of the first of them.
    start: Option<u64>,
    bytes: Vec<u8>,
}

impl KeptWindow {
    /// Go on with these bytes; the first ones start the window. Returns how many fit in.
    pub fn fill(&mut self, offset: u64, bytes: &[u8]) -> usize {
        self.start.get_or_insert(offset);
        let taken = bytes.len().min(SIZE - self.bytes.len());
        self.bytes.extend_from_slice(&bytes[..taken]);
        taken
    }

    /// The offset of the first byte, once there is one.
    pub fn start(&self) -> Option<u64> {
        self.start
    }

    /// Whether nothing more fits in.
    pub fn is_full(&self) -> bool {
        self.bytes.len() == SIZE
    }

    /// What is kept.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}
