//! Is everything well formed in a multi-byte set, but for a cut end? The codec is asked once for each pair of bytes.

use crate::codec::{Spec, Step};
use crate::issue::Kind;

/// The longest sequence, in bytes.
const LONGEST: usize = 4;

/// The highest bits of eight bytes.
const HIGH: u64 = u64::from_ne_bytes([0x80; 8]);

/// A set at work on an input that comes in pieces.
pub(super) struct Strict {
    spec: &'static Spec,
    /// The length of most sequences that begin with a byte: one or two.
    usual: [u8; 256],
    /// The length of the sequence that a pair of bytes begins with, where the codec has said so
    /// and it is one or two.
    lengths: Vec<u8>,
    /// A sequence that the last piece has begun.
    begun: Vec<u8>,
    holds: bool,
}

impl Strict {
    pub fn new(spec: &'static Spec) -> Strict {
        let mut lengths = vec![0; 1 << 16];
        lengths[..1 << 15].fill(1); // ASCII
        let usual = std::array::from_fn(|byte| match byte {
            0..0x80 => 1,
            _ => 2 - u8::from(matches!((spec.step)(&[byte as u8]), Step::Scalar { .. })),
        });
        Strict { spec, usual, lengths, begun: Vec::new(), holds: true }
    }

    /// Whether all so far is well formed, but for a sequence that has just begun, and nobody has
    /// [given up](Strict::give_up).
    pub fn holds(&self) -> bool {
        self.holds
    }

    /// Go on with these bytes.
    pub fn add(&mut self, bytes: &[u8]) {
        if self.begun.is_empty() && bytes.is_ascii() {
            return;
        }
        let mut at = self.finish(bytes);
        while self.holds && at < bytes.len() {
            at += self.known(&bytes[at..]);
            let rest = &bytes[at..];
            match self.ask(&rest[..rest.len().min(LONGEST)]) {
                Some(len) => at += len,
                None => {
                    self.begun.extend_from_slice(rest);
                    return;
                }
            }
        }
    }

    /// Read what the last piece has begun. Returns how many of these bytes belong to it.
    fn finish(&mut self, bytes: &[u8]) -> usize {
        let mut at = 0;
        while self.holds && at < bytes.len() && !self.begun.is_empty() {
            let mut begun = std::mem::take(&mut self.begun);
            begun.push(bytes[at]);
            at += 1;
            match self.ask(&begun) {
                // A byte that stands alone, and the next.
                Some(len) => at -= begun.len() - len,
                None => self.begun = begun,
            }
        }
        at
    }

    /// The length of all at the front that the codec need not be asked for.
    fn known(&self, bytes: &[u8]) -> usize {
        let mut at = 0;
        while let [lead, trail, ..] = bytes[at..] {
            if let Some(eight) = bytes[at..].first_chunk()
                && u64::from_ne_bytes(*eight) & HIGH == 0
            {
                at += eight.len();
                continue;
            }
            // The next sequence does not wait for the larger table.
            let len = self.usual[usize::from(lead)];
            if self.lengths[usize::from(u16::from_be_bytes([lead, trail]))] != len {
                break;
            }
            at += usize::from(len);
        }
        at
    }

    /// The length of the sequence at the front. Nothing, if these bytes only begin it. One, if it
    /// is ill-formed.
    fn ask(&mut self, bytes: &[u8]) -> Option<usize> {
        match (self.spec.step)(bytes) {
            Step::Ill { kind: Kind::TruncatedEnd, .. } | Step::Short => None,
            Step::Ill { .. } => {
                self.holds = false;
                Some(1)
            }
            step => {
                self.learn(bytes, step.size());
                Some(step.size())
            }
        }
    }

    fn learn(&mut self, bytes: &[u8], len: usize) {
        if let ([lead, trail, ..], 1 | 2) = (bytes, len) {
            self.lengths[usize::from(u16::from_be_bytes([*lead, *trail]))] = len as u8;
        }
    }

    /// Look no further.
    pub fn give_up(&mut self) {
        self.holds = false;
    }

    /// How many bytes have begun a sequence at the end of all so far.
    pub fn cut(&self) -> usize {
        self.begun.len()
    }
}
