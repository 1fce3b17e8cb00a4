//! Conversion between encodings.

use std::fmt;

use super::feed;
use crate::convert::{Conversion, Convert, ConvertOptions};
use crate::finding::stop::StopReason;
use crate::issue::Issue;
use crate::kernel;
use crate::output::Output;
use crate::policy::Policy;
use crate::registry::Encoding;
use crate::scan::Feed;

/// The reason why a conversion ended early.
///
/// ```
/// use utf8::{ConvertError, ConvertOptions, Encoding, Policy, convert, encode};
///
/// let latin1 = Encoding::for_label("latin1").unwrap();
/// let error = encode(latin1, "3 €", Policy::Strict).unwrap_err();
/// assert_eq!(error.to_string(), "byte 2: the target lacks U+20AC");
///
/// let wtf8 = Encoding::for_label("wtf-8").unwrap();
/// let error = convert(wtf8, b"\xED\xA0\x80", &ConvertOptions::to(Encoding::UTF_8)).unwrap_err();
/// assert_eq!(error, ConvertError::NotScalar { offset: 0, value: 0xD800 });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConvertError {
    /// An ill-formed sequence that the policy does not treat.
    IllFormed(Issue),
    /// A scalar value that the target lacks.
    Unencodable {
        /// The offset of its first byte in the source, in bytes.
        offset: u64,
        /// The code point.
        value: u32,
    },
    /// A code point that the target lacks and that is no scalar value, so that only a few
    /// encodings have it.
    NotScalar {
        /// The offset of its first byte in the source, in bytes.
        offset: u64,
        /// The code point: a surrogate, or a value above U+10FFFF.
        value: u32,
    },
}

impl ConvertError {
    fn from_stop(stop: &StopReason) -> ConvertError {
        match *stop {
            StopReason::IllFormed(ref sequence) => ConvertError::IllFormed(sequence.issue),
            StopReason::Unencodable { offset, value, .. } if char::from_u32(value).is_none() => {
                ConvertError::NotScalar { offset, value }
            }
            StopReason::Unencodable { offset, value, .. } => {
                ConvertError::Unencodable { offset, value }
            }
        }
    }
}

impl fmt::Display for ConvertError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ConvertError::IllFormed(issue) => issue.fmt(f),
            ConvertError::Unencodable { offset, value } => {
                write!(f, "byte {offset}: the target lacks U+{value:04X}")
            }
            ConvertError::NotScalar { offset, value } => {
                write!(f, "byte {offset}: U+{value:04X} is no scalar value")
            }
        }
    }
}

impl std::error::Error for ConvertError {}

/// Decodes bytes to a string. A BOM is kept, unless the encoding's definition takes it for a
/// signature (`utf-8-bom`, `utf-16`, `utf-32` …).
///
/// # Errors
/// Returns the first sequence or code point that the policy does not treat.
///
/// ```
/// use utf8::{ConvertError, Encoding, Policy, decode};
///
/// let windows = Encoding::for_label("windows-1251").unwrap();
/// assert_eq!(decode(windows, b"\xCF\xF0\xE8", Policy::Strict).unwrap(), "При");
///
/// assert_eq!(decode(Encoding::UTF_8, b"a\xFF", Policy::Replace).unwrap(), "a\u{FFFD}");
/// let error = decode(Encoding::UTF_8, b"a\xFF", Policy::Strict).unwrap_err();
/// assert!(matches!(error, ConvertError::IllFormed(issue) if issue.offset == 1));
/// ```
pub fn decode(
    encoding: &'static Encoding,
    bytes: &[u8],
    policy: Policy,
) -> Result<String, ConvertError> {
    let options = ConvertOptions { policy, ..ConvertOptions::to(Encoding::UTF_8) };
    let text = convert(encoding, bytes, &options)?;
    Ok(String::from_utf8(text).expect("the UTF-8 codec writes only scalar values"))
}

/// Encodes a string.
///
/// # Errors
/// Returns the first character that the encoding lacks, unless the policy treats it. Its offset is
/// that in `text`, in bytes.
///
/// ```
/// use utf8::{ConvertError, Encoding, Policy, encode};
///
/// let latin1 = Encoding::for_label("latin1").unwrap();
/// assert_eq!(encode(latin1, "café", Policy::Strict).unwrap(), b"caf\xE9");
/// assert_eq!(
///     encode(latin1, "3 €", Policy::Strict),
///     Err(ConvertError::Unencodable { offset: 2, value: 0x20AC })
/// );
/// assert_eq!(encode(latin1, "3 €", Policy::BackslashReplace).unwrap(), b"3 \\u20ac");
/// ```
pub fn encode(
    encoding: &'static Encoding,
    text: &str,
    policy: Policy,
) -> Result<Vec<u8>, ConvertError> {
    let options = ConvertOptions { policy, ..ConvertOptions::to(encoding) };
    convert(Encoding::UTF_8, text.as_bytes(), &options)
}

/// Converts bytes from one encoding to another. Unlike conversions through a `String`, this keeps
/// surrogates and values above U+10FFFF if both encodings can represent them.
///
/// # Errors
/// Returns the first sequence or code point that the policy does not treat.
///
/// ```
/// use utf8::{ConvertOptions, Encoding, convert};
///
/// let [wtf8, utf16] = ["wtf-8", "wtf-16le"].map(|name| Encoding::for_label(name).unwrap());
/// let units = convert(wtf8, b"a\xED\xA0\x80", &ConvertOptions::to(utf16)).unwrap();
/// assert_eq!(units, b"a\0\x00\xD8");
/// ```
pub fn convert(
    from: &'static Encoding,
    bytes: &[u8],
    options: &ConvertOptions,
) -> Result<Vec<u8>, ConvertError> {
    let mut out = Vec::new();
    let mut converter = Converter::new(from, *options);
    converter.push(bytes, &mut out)?;
    converter.finish(&mut out)?;
    Ok(out)
}

/// Converts a stream.
///
/// ```
/// use utf8::{ConvertOptions, Converter, Encoding};
///
/// let [utf8, utf16] = ["utf-8", "utf-16be"].map(|name| Encoding::for_label(name).unwrap());
/// let mut out = Vec::new();
/// let mut converter = Converter::new(utf8, ConvertOptions::to(utf16));
/// for part in [&b"\xE2"[..], b"\x82", b"\xAC"] {
///     converter.push(part, &mut out)?;
/// }
/// converter.finish(&mut out)?;
/// assert_eq!(out, b"\x20\xAC");
/// # Ok::<(), utf8::ConvertError>(())
/// ```
#[must_use = "input that waits is lost without `finish`"]
#[derive(Debug)]
pub struct Converter {
    feed: Feed,
    conversion: Conversion,
    output: Output,
}

impl Converter {
    /// Creates a converter of a stream in the encoding `from`.
    ///
    /// ```
    /// use utf8::{ConvertOptions, Converter, Encoding};
    ///
    /// // `utf-16` takes the byte order from the byte order mark.
    /// let utf16 = Encoding::for_label("utf-16").unwrap();
    /// for bytes in [b"\xFE\xFF\x20\xAC", b"\xFF\xFE\xAC\x20"] {
    ///     let mut out = Vec::new();
    ///     let mut converter = Converter::new(utf16, ConvertOptions::to(Encoding::UTF_8));
    ///     converter.push(bytes, &mut out)?;
    ///     converter.finish(&mut out)?;
    ///     assert_eq!(out, "€".as_bytes());
    /// }
    /// # Ok::<(), utf8::ConvertError>(())
    /// ```
    pub fn new(from: &'static Encoding, options: ConvertOptions) -> Converter {
        let mut conversion = Conversion::new(kernel::best(), options);
        conversion.begin(from, 0..u64::MAX);
        Converter { feed: feed(from), conversion, output: Output::memory() }
    }

    /// Converts the next bytes, as far as they complete sequences, and appends the result to `out`.
    ///
    /// # Errors
    /// Returns the first sequence or code point that the policy does not treat, with its offset in
    /// the whole stream. The text before it has been appended; later calls return the same error.
    ///
    /// ```
    /// use utf8::{ConvertError, ConvertOptions, Converter, Encoding};
    ///
    /// let shift_jis = Encoding::for_label("shift_jis").unwrap();
    /// let mut out = Vec::new();
    /// let mut converter = Converter::new(Encoding::UTF_8, ConvertOptions::to(shift_jis));
    /// converter.push("テ€".as_bytes(), &mut out).unwrap_err();
    /// assert_eq!(out, b"\x83\x65");
    /// // Later calls append nothing.
    /// let error = converter.push(b"a", &mut out).unwrap_err();
    /// assert_eq!(error, ConvertError::Unencodable { offset: 3, value: 0x20AC });
    /// assert_eq!(out, b"\x83\x65");
    /// ```
    pub fn push(&mut self, bytes: &[u8], out: &mut Vec<u8>) -> Result<(), ConvertError> {
        self.work(out, |feed, sink| {
            // Memory takes all output.
            let _ = feed.push(bytes, sink);
        })
    }

    /// Converts the end of the stream and appends the result to `out`.
    ///
    /// # Errors
    /// As for [`push`](Converter::push).
    ///
    /// ```
    /// use utf8::{ConvertOptions, Converter, Encoding};
    ///
    /// // Text in ISO-2022-JP ends in ASCII: the shift ESC ( B is written at the end.
    /// let iso2022jp = Encoding::for_label("iso-2022-jp").unwrap();
    /// let mut out = Vec::new();
    /// let mut converter = Converter::new(Encoding::UTF_8, ConvertOptions::to(iso2022jp));
    /// converter.push("テ".as_bytes(), &mut out)?;
    /// converter.finish(&mut out)?;
    /// assert_eq!(out, b"\x1B$B\x25\x46\x1B(B");
    /// # Ok::<(), utf8::ConvertError>(())
    /// ```
    pub fn finish(mut self, out: &mut Vec<u8>) -> Result<(), ConvertError> {
        let end = self.work(out, |feed, sink| {
            let _ = feed.finish(sink);
        });
        if end.is_ok() {
            self.conversion.finish(&mut self.output);
            out.append(self.output.buffer());
        }
        end
    }

    fn work(
        &mut self,
        out: &mut Vec<u8>,
        scan: impl FnOnce(&mut Feed, &mut Convert<'_>),
    ) -> Result<(), ConvertError> {
        scan(&mut self.feed, &mut Convert::resume(&mut self.conversion, &mut self.output));
        out.append(self.output.buffer());
        self.conversion.stop().map_or(Ok(()), |stop| Err(ConvertError::from_stop(stop)))
    }
}
