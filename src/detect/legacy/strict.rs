//! Is everything well formed in a multi-byte set, but for a cut end? The codec is asked once for
//! each pair of bytes.

use crate::codec::{Spec, Step};
use crate::issue::Kind;

/// The longest sequence, in bytes.
const LONGEST: usize = 4;

/// A set at work on an input that comes in pieces.
#[derive(Clone)]
pub(super) struct Strict {
    spec: &'static Spec,
    /// The length of the sequence that a pair of bytes begins with, where the codec has said so
    /// and it is one or two.
    lengths: Vec<u8>,
    /// A sequence that the last piece has begun.
    begun: Vec<u8>,
    holds: bool,
}

impl Strict {
    pub fn new(spec: &'static Spec) -> Strict {
        Strict { spec, lengths: vec![0; 1 << 16], begun: Vec::new(), holds: true }
    }

    /// Whether all so far is well formed, but for a sequence that has just begun.
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

    /// The length of all at the front that the codec need not be asked for. In a run of sequences
    /// of one length, none waits for the table to tell where it begins.
    fn known(&self, bytes: &[u8]) -> usize {
        let mut at = 0;
        loop {
            let start = at;
            at += self.run::<1>(&bytes[at..]);
            at += self.run::<2>(&bytes[at..]);
            if at == start {
                return at;
            }
        }
    }

    /// The length of all at the front that is known to be sequences of so many bytes.
    fn run<const LEN: usize>(&self, bytes: &[u8]) -> usize {
        let mut at = 0;
        while let [lead, trail, ..] = bytes[at..]
            && usize::from(self.lengths[usize::from(u16::from_be_bytes([lead, trail]))]) == LEN
        {
            at += LEN;
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

    /// How many bytes have begun a sequence at the end of all so far.
    pub fn cut(&self) -> usize {
        self.begun.len()
    }
}
