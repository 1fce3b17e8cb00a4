//! Which encoding is this?
//!
//! A [`Detector`] takes the pieces of an input, scans them once as UTF-8 and gathers evidence; at
//! the end it gives a [`Detection`]. What is certain comes first: a signature, then whether all is
//! well-formed UTF-8, then escapes, and the structure of UTF-16 and UTF-32. Only what is left is
//! judged by how likely the text would be.
//!
//! ```
//! let verdict = utf8::detect::detect(b"caf\xC3\xA9");
//! assert_eq!(verdict.answer.name(), "utf-8");
//! assert_eq!(verdict.confidence, 1.0);
//! ```

use crate::registry::{CODECS, Encoding};

mod announcement;
mod certain;
mod code_units;
mod cut;
mod damage;
mod decision;
mod detection;
mod detector;
mod double_encoding;
mod ebcdic;
mod escapes;
mod evidence;
mod group;
mod high_bytes;
pub mod legacy;
mod line;
mod mixture;
mod regions;
mod shifts;
mod signature;
mod tally;
mod trial;
mod utf8_test;
mod window;

#[cfg(feature = "cli")]
pub(crate) use cut::RegionCutter;
pub use damage::{DAMAGES, DamageKind, FoundDamage};
pub use detection::{Detection, Evidence, FirstFault, REASONS, RankedAnswer, VerdictReason};
pub use detector::Detector;
pub use double_encoding::DoubleEncoding;
pub use evidence::EvidenceOptions;
#[cfg(feature = "cli")]
pub(crate) use evidence::EvidenceSink;
pub use mixture::MixtureCounts;
pub use regions::{Region, RegionReceiver, Regions};
pub use signature::{SIGNATURES, Signature};
pub use tally::ByteTally;

/// What an input is in.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Answer {
    /// This codec.
    Codec(&'static Encoding),
    /// An encoding that there is no codec for.
    Foreign(&'static str),
    /// A near miss of UTF-8, or a text that is partly in it.
    Damaged,
    /// No text.
    Binary,
    /// Text or not, nothing speaks for any encoding.
    Unknown,
}

impl PartialEq for Answer {
    fn eq(&self, other: &Answer) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Answer {}

/// The names of answers that are not those of codecs.
pub const NAMES: &[&str] = &[
    "damaged-utf-8",
    "binary",
    "unknown",
    "scsu",
    "bocu-1",
    "utf-ebcdic",
    "hz-gb-2312",
    "iso-2022-kr",
    "iso-2022-cn",
    "iso-2022-cn-ext",
    "iso-2022-jp-1",
    "iso-2022-jp-2",
    "iso-2022-jp-3",
    "iso-2022-jp-2004",
];

impl Answer {
    /// The codec of this name, or the encoding that there is none for.
    fn named(name: &'static str) -> Answer {
        Encoding::for_label(name).map_or(Answer::Foreign(name), Answer::Codec)
    }

    fn utf8() -> Answer {
        Answer::Codec(&CODECS[0])
    }

    /// Its name: that of a codec, of an encoding, or `damaged-utf-8`, `binary` and `unknown`.
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

/// Which encoding are these bytes in?
pub fn detect(bytes: &[u8]) -> Detection {
    evidence::EvidenceSink::over(0, bytes).verdict()
}
