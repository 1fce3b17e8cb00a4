//! How is an input judged that comes in pieces?

use std::ops::{ControlFlow, Range};

use super::detection::Detection;
use super::evidence::{EvidenceOptions, EvidenceSink};
use super::feed::EvidenceFeed;
use crate::kernel::Kernels;

/// Judges an input that comes in pieces. It does not matter where they end.
///
/// ```
/// use utf8::detect::{Detector, Wanted};
/// use utf8::kernel;
///
/// let mut detector = Detector::new(kernel::best(), 0..u64::MAX, Wanted::default());
/// for piece in [&b"caf\xC3"[..], b"\xA9 cr\xC3\xA8", b"me"] {
///     if detector.feed(piece).is_break() {
///         break;
///     }
/// }
/// assert_eq!(detector.verdict().answer.name(), "utf-8");
/// ```
#[derive(Debug)]
pub struct Detector(EvidenceFeed<EvidenceSink>);

impl Detector {
    /// Look at a range of an input, in bytes.
    pub fn new(kernels: &'static Kernels, range: Range<u64>, wanted: EvidenceOptions) -> Detector {
        Detector(EvidenceFeed::new(kernels, EvidenceSink::new(kernels, range, wanted)))
    }

    /// Go on with the next piece of the input. The first starts at offset 0, and what is not in the
    /// range is passed over. Breaks once the rest is not needed.
    pub fn feed(&mut self, bytes: &[u8]) -> ControlFlow<()> {
        // A gatherer has no errors.
        self.0.piece(bytes).unwrap_or(ControlFlow::Break(()))
    }

    /// The input has ended, or the detector has enough: what is it?
    pub fn verdict(mut self) -> Detection {
        // A gatherer has no errors.
        let _ = self.0.end();
        self.0.into_sink().verdict()
    }
}
