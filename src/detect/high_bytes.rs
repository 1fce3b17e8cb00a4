//! Sampling of bytes beyond ASCII for the ranking of legacy encodings.
//!
//! Only bytes beyond ASCII, and the ASCII next to them, tell legacy encodings apart. In every
//! encoding that is ranked, an ASCII byte that follows another stands for itself. The middle of a
//! long stretch of ASCII can therefore be dropped without changing the rest of the text.

use super::legacy::LegacySample;
use crate::kernel::Kernels;

/// The number of ASCII bytes kept at either end of a stretch.
const CONTEXT: usize = 48;

/// Passes the bytes beyond ASCII and their context to a [`LegacySample`].
#[derive(Clone, Default)]
pub(super) struct HighByteSampler {
    /// `None` as long as all bytes are ASCII.
    sample: Option<LegacySample>,
    /// The number of ASCII bytes sampled since the last other byte, up to [`CONTEXT`].
    sampled: usize,
    /// The last ASCII bytes that were not sampled, up to [`CONTEXT`].
    pending: Vec<u8>,
}

impl HighByteSampler {
    /// Adds any bytes.
    pub fn add(&mut self, kernels: &Kernels, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let (ascii, dense) = split_dense(kernels, bytes);
            self.add_ascii(&bytes[..ascii]);
            if dense > 0 {
                self.add_dense(&bytes[ascii..ascii + dense]);
            }
            bytes = &bytes[ascii + dense..];
        }
    }

    /// Adds ASCII bytes.
    pub fn add_ascii(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        if let Some(sample) = &mut self.sample {
            let len = bytes.len().min(CONTEXT - self.sampled);
            sample.add(&bytes[..len]);
            self.sampled += len;
            rest = &bytes[len..];
        }
        let room = CONTEXT.saturating_sub(rest.len());
        self.pending.drain(..self.pending.len().saturating_sub(room));
        self.pending.extend_from_slice(&rest[rest.len().saturating_sub(CONTEXT)..]);
    }

    /// Adds a dense part, as [`split_dense`] finds it.
    pub fn add_dense(&mut self, bytes: &[u8]) {
        let sample = self.sample.get_or_insert_default();
        sample.add(&self.pending);
        self.pending.clear();
        sample.add(bytes);
        self.sampled = 0;
    }

    /// Returns the windows of the sample so far.
    pub fn windows(&self) -> impl Iterator<Item = &[u8]> {
        self.sample.iter().flat_map(LegacySample::windows_so_far)
    }

    /// Ends the input and returns the sample.
    pub fn into_sample(self) -> LegacySample {
        self.sample.unwrap_or_default()
    }
}

/// Returns the number of ASCII bytes at the front. For short slices; kernels serve long ones.
pub(super) fn ascii_prefix_len(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| byte.is_ascii()).count()
}

/// Returns the number of ASCII bytes at the front, and the length of the dense part after them. A
/// dense part starts and ends with a byte beyond ASCII; stretches of ASCII in it are shorter than
/// [`CONTEXT`].
pub(super) fn split_dense(kernels: &Kernels, bytes: &[u8]) -> (usize, usize) {
    let front = kernels.ascii(bytes);
    let ascii = front + ascii_prefix_len(&bytes[front..]);
    let mut end = ascii;
    loop {
        let part = &bytes[end..bytes.len().min(end + CONTEXT)];
        match part.len() - ascii_suffix_len(part) {
            0 => return (ascii, end - ascii),
            len => end += len,
        }
    }
}

/// Returns the number of ASCII bytes at the end.
fn ascii_suffix_len(bytes: &[u8]) -> usize {
    let (_, words) = bytes.as_rchunks::<8>();
    let words = words.iter().rev().take_while(|word| word.is_ascii()).count();
    let rest = &bytes[..bytes.len() - words * 8];
    words * 8 + rest.iter().rev().take_while(|byte| byte.is_ascii()).count()
}
