//! Detection of an input that arrives in parts.

use std::ops::{ControlFlow, Range};

use super::detection::Detection;
use super::evidence::{EvidenceOptions, EvidenceSink};
use crate::kernel::Kernels;
use crate::registry::CODECS;
use crate::scan::Feed;

/// Detects the encoding of an input that arrives in parts. The result does not depend on the
/// division into parts.
///
/// ```
/// use utf8::detect::{Detector, EvidenceOptions};
/// use utf8::kernel;
///
/// let mut detector = Detector::new(kernel::best(), 0..u64::MAX, EvidenceOptions::default());
/// for part in [&b"caf\xC3"[..], b"\xA9 cr\xC3\xA8", b"me"] {
///     if detector.push(part).is_break() {
///         break;
///     }
/// }
/// assert_eq!(detector.finish().answer.name(), "utf-8");
/// ```
#[derive(Debug)]
pub struct Detector {
    feed: Feed,
    sink: EvidenceSink,
}

impl Detector {
    /// Returns a detector that examines a range of offsets of an input.
    pub fn new(kernels: &'static Kernels, range: Range<u64>, options: EvidenceOptions) -> Detector {
        let feed = Feed::new((CODECS[0].open)(0), kernels, 0);
        Detector { feed, sink: EvidenceSink::new(kernels, range, options) }
    }

    /// Examines the next bytes of the input. The first byte of all has the offset 0; bytes outside
    /// of the range are skipped. Breaks once more bytes cannot change the result.
    pub fn push(&mut self, bytes: &[u8]) -> ControlFlow<()> {
        // This sink returns no errors.
        self.feed.push(bytes, &mut self.sink).unwrap_or(ControlFlow::Break(()))
    }

    /// Returns the result for the bytes that were pushed.
    pub fn finish(mut self) -> Detection {
        // This sink returns no errors.
        let _ = self.feed.finish(&mut self.sink);
        self.sink.verdict()
    }
}
