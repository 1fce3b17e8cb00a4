//! Memory that inputs are read into.

use std::io;

use crate::os::ZeroedMemory;

/// The number of bytes of one read: few enough to stay in the CPU cache until they are scanned.
pub(super) const BLOCK: usize = 256 << 10;

/// Memory that inputs are read into. One buffer serves any number of inputs, one after another.
#[derive(Debug)]
pub struct Buffer {
    /// `None` before the first use.
    memory: Option<ZeroedMemory>,
    /// The number of bytes.
    capacity: usize,
}

impl Default for Buffer {
    fn default() -> Buffer {
        Buffer { memory: None, capacity: BLOCK }
    }
}

impl Buffer {
    /// Returns memory for an input of this number of bytes: no more than a block.
    pub(crate) fn for_length(length: u64) -> Buffer {
        Buffer { memory: None, capacity: length.min(BLOCK as u64) as usize }
    }

    /// Returns the block, of [`BLOCK`] bytes by default.
    ///
    /// # Errors
    /// Returns an error if the system has no memory for it.
    pub(crate) fn block(&mut self) -> io::Result<&mut [u8]> {
        let memory = match self.memory.take() {
            Some(memory) => memory,
            None => ZeroedMemory::new(self.capacity)?,
        };
        Ok(self.memory.insert(memory).bytes())
    }
}
