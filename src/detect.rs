//! Detection of encodings.
//!
//! A [`Detector`] scans an input once as UTF-8, gathers evidence, and decides at the end. Evidence is
//! weighed in this order; the first that applies decides:
//!
//! 1. a signature, well-formed UTF-8 beyond ASCII, or ASCII with or without announcements of another
//!    encoding (escape sequences, shifts);
//! 2. the structure of EBCDIC, UTF-16 and UTF-32, and of binary data;
//! 3. probabilities: a sequential test says how likely the text is damaged UTF-8, and models of
//!    languages rank the legacy encodings.
//!
//! Text is rated in five places, for five questions:
//!
//! * [`legacy`] compares readings of the same bytes, by models of languages: code pages, multi-byte
//!   sets, the pages of EBCDIC, and lines of regions. It says which is the best, not that it is good.
//! * `legacy::oddity` finds words that no language has in the best reading, in languages without a
//!   model too.
//! * `trial` rates a single reading as UTF-16, UTF-32 or text after a shift, in any script of Unicode.
//!   The models, which have no characters beyond their pages and sets, tell it only how frequent
//!   ideographs and syllables are.
//! * `ebcdic` rates text in EBCDIC before its page is known. Marks of ASCII are evidence against it,
//!   because any bytes that are read so are mostly letters and marks. With the weights of `trial`, of
//!   3,965 texts in EBCDIC 57 % were right instead of 92 %, and of 75,543 parts of a system's files, 20
//!   were EBCDIC instead of 3.
//! * `mojibake::oddity` rates a few characters in sound text, against the same text as it stands. Two
//!   characters are often all of a run, too few for a model of a language.
//!
//! Steps 1 and 2 examine windows of 64 KiB at the start and at the first byte beyond ASCII; step 3
//! examines a sample of up to 16 KiB. Memory is bounded and time is linear in the size of the input.
//!
//! ```
//! let detection = utf8::detect::detect(b"caf\xC3\xA9");
//! assert_eq!(detection.answer.name(), "utf-8");
//! assert_eq!(detection.confidence, 1.0);
//! ```

use crate::registry::Encoding;

mod announcement;
mod binary_format;
mod certain;
mod code_units;
#[cfg(feature = "cli")]
mod content;
mod damage;
mod decision;
mod detection;
mod detector;
mod double_encoding;
mod ebcdic;
mod escapes;
mod evidence;
mod foreign;
mod high_bytes;
pub mod legacy;
mod misreading;
mod mixture;
mod regions;
mod shifts;
mod signature;
mod tally;
mod trial;
mod utf8_test;
mod window;

#[cfg(feature = "cli")]
pub(crate) use binary_format::is_binary_format;
#[cfg(feature = "cli")]
pub(crate) use content::{CONTENT_START, ContentKind, content_kind};
#[cfg(feature = "cli")]
pub(crate) use damage::HANDFUL;
pub use damage::{DAMAGES, DamageKind, DamageRow, FoundDamage};
pub use detection::{Detection, DetectionReason, Evidence, FirstIssue, REASONS, RankedAnswer};
pub use detector::Detector;
pub use evidence::EvidenceOptions;
#[cfg(feature = "cli")]
pub(crate) use evidence::EvidenceSink;
pub use foreign::FOREIGN;
pub use misreading::Misreading;
pub use mixture::MixtureCounts;
pub use regions::{Region, RegionEvent, RegionSink};
#[cfg(test)]
pub(crate) use signature::SIGNATURES;
pub use tally::ByteTally;

/// The encoding of an input, or the reason for none.
///
/// ```
/// use utf8::{Answer, Encoding, detect};
///
/// assert_eq!(detect("naïve".as_bytes()).answer, Answer::Codec(Encoding::UTF_8));
/// assert_eq!(detect(b"\x7FELF\0\x01\x02").answer, Answer::Binary);
/// assert_eq!(detect(b"\xE9").answer.name(), "unknown");
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Answer {
    /// An encoding with a codec.
    Codec(&'static Encoding),
    /// An encoding without a codec, by its name.
    Foreign(&'static str),
    /// Almost well-formed UTF-8, or a mixture of UTF-8 and another encoding.
    Damaged,
    /// Binary data.
    Binary,
    /// There is not enough evidence for any encoding.
    Unknown,
}

impl PartialEq for Answer {
    fn eq(&self, other: &Answer) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Answer {}

impl Answer {
    /// The answers that are not encodings.
    #[cfg(feature = "cli")]
    pub(crate) const FIXED: [Answer; 3] = [Answer::Damaged, Answer::Binary, Answer::Unknown];

    /// Returns the encoding of this name, with its codec if there is one.
    fn named(name: &'static str) -> Answer {
        Encoding::for_label(name).map_or(Answer::Foreign(name), Answer::Codec)
    }

    fn utf8() -> Answer {
        Answer::Codec(Encoding::UTF_8)
    }

    /// Returns the name of the encoding, or `damaged-utf-8`, `binary` or `unknown`.
    ///
    /// ```
    /// use utf8::{Answer, detect};
    ///
    /// assert_eq!(detect("naïve".as_bytes()).answer.name(), "utf-8");
    /// assert_eq!(Answer::Damaged.name(), "damaged-utf-8");
    /// ```
    pub fn name(&self) -> &'static str {
        match self {
            Answer::Codec(codec) => codec.name,
            Answer::Foreign(name) => name,
            Answer::Damaged => "damaged-utf-8",
            Answer::Binary => "binary",
            Answer::Unknown => "unknown",
        }
    }
}

/// Detects the encoding of bytes that are the whole input.
///
/// ```
/// use utf8::detect;
///
/// let text = b"\xCF\xF0\xE8\xE2\xE5\xF2, \xEC\xE8\xF0!"; // "Привет, мир!"
/// assert_eq!(detect(text).answer.name(), "windows-1251");
/// ```
pub fn detect(bytes: &[u8]) -> Detection {
    evidence::EvidenceSink::gather(0, bytes).finish()
}
