//! Incremental detection.

use std::ops::{ControlFlow, Range};

use super::detection::Detection;
use super::evidence::{EvidenceOptions, EvidenceSink};
use crate::kernel::{self, Kernels};
use crate::registry::Encoding;
use crate::scan::Feed;

/// Detects the encoding of an input that comes in chunks. The result does not depend on their sizes.
///
/// ```
/// use utf8::Detector;
///
/// let mut detector = Detector::new();
/// for chunk in [&b"caf\xC3"[..], b"\xA9 cr\xC3\xA8", b"me"] {
///     if detector.push(chunk).is_break() {
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

impl Default for Detector {
    fn default() -> Detector {
        Detector::new()
    }
}

impl Detector {
    /// Creates a detector for a whole input that gathers the evidence needed for the answer.
    ///
    /// ```
    /// use utf8::{Detector, detect};
    ///
    /// let mut detector = Detector::new();
    /// let _ = detector.push(b"na\xC3");
    /// let _ = detector.push(b"\xAFve");
    /// assert_eq!(detector.finish().answer, detect("naïve".as_bytes()).answer);
    /// ```
    pub fn new() -> Detector {
        Detector::with(kernel::best(), 0..u64::MAX, EvidenceOptions::default())
    }

    /// Creates a detector for a range of an input, in bytes, that uses the given kernels.
    #[doc(hidden)]
    pub fn with(
        kernels: &'static Kernels,
        range: Range<u64>,
        options: EvidenceOptions,
    ) -> Detector {
        let feed = Feed::new(Encoding::UTF_8.open(0), kernels, 0);
        Detector { feed, sink: EvidenceSink::new(kernels, range, options) }
    }

    /// Adds the next chunk. The first one starts at offset 0; bytes outside of the range are
    /// skipped. Returns `Break` once the rest of the input is not needed.
    ///
    /// ```
    /// use utf8::Detector;
    ///
    /// // The first 64 KiB of text with the signature of UTF-16 are enough.
    /// let text = [&b"\xFF\xFE"[..], &b"a\0".repeat(1 << 19)].concat();
    /// let mut detector = Detector::new();
    /// assert!(text.chunks(1 << 16).any(|chunk| detector.push(chunk).is_break()));
    /// assert_eq!(detector.finish().answer.name(), "utf-16");
    /// ```
    pub fn push(&mut self, bytes: &[u8]) -> ControlFlow<()> {
        // The sink returns no errors.
        self.feed.push(bytes, &mut self.sink).unwrap_or(ControlFlow::Break(()))
    }

    /// Ends the input and decides.
    ///
    /// ```
    /// use utf8::{DetectionReason, Detector};
    ///
    /// let mut detector = Detector::new();
    /// let _ = detector.push(b"plain text");
    /// let detection = detector.finish();
    /// assert_eq!((detection.confidence, detection.reason), (1.0, DetectionReason::Ascii));
    /// ```
    pub fn finish(mut self) -> Detection {
        // The sink returns no errors.
        let _ = self.feed.finish(&mut self.sink);
        self.sink.finish()
    }
}
