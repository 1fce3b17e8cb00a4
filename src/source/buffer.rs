//! Memory that inputs are read into.

/// The number of bytes of one read: few enough to stay in the CPU cache until they are scanned.
pub(super) const BLOCK: usize = 256 << 10;

/// The alignment of a block: that of a page, which the system copies to fastest.
const ALIGNMENT: usize = 4 << 10;

/// Memory that inputs are read into. One buffer serves any number of inputs, one after another.
#[derive(Debug)]
pub struct Buffer {
    /// Empty before the first use.
    bytes: Vec<u8>,
    /// The index of the first aligned byte.
    start: usize,
    /// The number of bytes of the block.
    capacity: usize,
}

impl Default for Buffer {
    fn default() -> Buffer {
        Buffer::with_capacity(BLOCK)
    }
}

impl Buffer {
    /// Returns memory for an input of this number of bytes: no more than a block.
    pub(crate) fn for_length(length: u64) -> Buffer {
        Buffer::with_capacity(length.min(BLOCK as u64) as usize)
    }

    fn with_capacity(capacity: usize) -> Buffer {
        Buffer { bytes: Vec::new(), start: 0, capacity }
    }

    /// Returns the aligned block, of [`BLOCK`] bytes by default.
    pub(crate) fn block(&mut self) -> &mut [u8] {
        if self.bytes.is_empty() {
            self.bytes = vec![0; ALIGNMENT + self.capacity];
            self.start = self.bytes.as_ptr().align_offset(ALIGNMENT).min(ALIGNMENT);
        }
        &mut self.bytes[self.start..][..self.capacity]
    }
}
