//! A window of the input that is kept until the decision.

/// The size of a window, in bytes.
pub(super) const SIZE: usize = 64 << 10;

/// Consecutive bytes of the input, up to [`SIZE`].
#[derive(Debug, Default)]
pub(super) struct KeptWindow {
    /// The offset of the first byte in the whole input.
    start: Option<u64>,
    bytes: Vec<u8>,
}

impl KeptWindow {
    /// Appends bytes as far as there is room; the first call starts the window at its offset.
    /// Returns the number of bytes appended.
    pub fn fill(&mut self, offset: u64, bytes: &[u8]) -> usize {
        self.start.get_or_insert(offset);
        let taken = bytes.len().min(SIZE - self.bytes.len());
        self.bytes.extend_from_slice(&bytes[..taken]);
        taken
    }

    /// Takes the buffer of another window, to save an allocation. This window must be empty.
    #[cfg(feature = "cli")]
    pub fn reuse(&mut self, other: KeptWindow) {
        self.bytes = other.bytes;
        self.bytes.clear();
    }

    /// Returns the offset of the first byte, or `None` for a window that was not started.
    pub fn start(&self) -> Option<u64> {
        self.start
    }

    /// Returns `true` if the window has [`SIZE`] bytes.
    pub fn is_full(&self) -> bool {
        self.bytes.len() == SIZE
    }

    /// Returns the bytes of the window.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}
