//! Which bytes tell a code page? Those beyond ASCII, and the ASCII about them.
//!
//! In every set that is looked for, a byte of ASCII that follows another is itself. So the middle
//! of a long stretch of ASCII can be left out, and no text becomes another by that.

use super::legacy::LegacySample;
use crate::kernel::Kernels;

/// How much ASCII is kept at either end of a stretch.
const AROUND: usize = 48;

/// Feeds a sample.
#[derive(Clone, Default)]
pub(super) struct HighByteSampler {
    /// None, as long as all was ASCII.
    sample: Option<LegacySample>,
    /// How much ASCII stood behind the last other byte and was kept, up to [`AROUND`].
    kept: usize,
    /// The last bytes of ASCII that were not kept.
    held: Vec<u8>,
}

impl HighByteSampler {
    /// Go on with any bytes.
    pub fn add(&mut self, kernels: &Kernels, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let (ascii, dense) = cut(kernels, bytes);
            self.ascii(&bytes[..ascii]);
            if dense > 0 {
                self.dense(&bytes[ascii..ascii + dense]);
            }
            bytes = &bytes[ascii + dense..];
        }
    }

    /// Go on with ASCII.
    pub fn ascii(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        if let Some(sample) = &mut self.sample {
            let keep = bytes.len().min(AROUND - self.kept);
            sample.add(&bytes[..keep]);
            self.kept += keep;
            rest = &bytes[keep..];
        }
        let room = AROUND.saturating_sub(rest.len());
        self.held.drain(..self.held.len().saturating_sub(room));
        self.held.extend_from_slice(&rest[rest.len().saturating_sub(AROUND)..]);
    }

    /// Go on with bytes that [`cut`] calls dense.
    pub fn dense(&mut self, bytes: &[u8]) {
        let sample = self.sample.get_or_insert_default();
        if !self.held.is_empty() {
            sample.add(&std::mem::take(&mut self.held));
        }
        sample.add(bytes);
        self.kept = 0;
    }

    /// The input ends.
    pub fn end(self) -> LegacySample {
        self.sample.unwrap_or_default()
    }
}

/// How many bytes at the front are ASCII?
pub(super) fn ascii(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| byte.is_ascii()).count()
}

/// How many bytes at the front are ASCII, and how many behind them are dense: they start and end
/// with another byte, and have none but short stretches of ASCII between.
pub(super) fn cut(kernels: &Kernels, bytes: &[u8]) -> (usize, usize) {
    let front = kernels.ascii(bytes);
    let ascii = front + ascii(&bytes[front..]);
    let mut end = ascii;
    loop {
        let part = &bytes[end..bytes.len().min(end + AROUND)];
        match part.len() - trailing(part) {
            0 => return (ascii, end - ascii),
            len => end += len,
        }
    }
}

/// How many bytes at the end are ASCII?
fn trailing(bytes: &[u8]) -> usize {
    let (_, words) = bytes.as_rchunks::<8>();
    let words = words.iter().rev().take_while(|word| word.is_ascii()).count();
    let rest = &bytes[..bytes.len() - words * 8];
    words * 8 + rest.iter().rev().take_while(|byte| byte.is_ascii()).count()
}
