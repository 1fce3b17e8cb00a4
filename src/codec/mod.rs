//! What is a codec? The trait that each implements, and the one table of their names.

use std::io;
use std::ops::{Range, RangeInclusive};

use crate::issue::Kind;
use crate::kernel::Kernels;
use crate::scan::{self, Chunk, Scanned};
use crate::sink::Sink;

pub mod family;
pub mod fss;
pub mod positional;
pub mod units;
pub mod utf1;

use family::Family;
use fss::Fss1992;
use positional::Positional;
use units::Units;
use utf1::Utf1;

/// What stands at the front of some bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A well-formed sequence of `len` bytes. Its value is a scalar value, or whatever else the
    /// codec admits: a lone surrogate, up to 31 bits.
    Scalar {
        /// The code point.
        value: u32,
        /// Its length in bytes.
        len: usize,
    },
    /// `len` bytes of the encoding's own, such as a signature.
    Skip {
        /// Their number.
        len: usize,
    },
    /// An ill-formed sequence of `len` bytes.
    Ill {
        /// Why.
        kind: Kind,
        /// Its length in bytes, 1..=6.
        len: usize,
        /// How many U+FFFD stand for it (see [`Issue`](crate::Issue)).
        replacements: u8,
    },
    /// More bytes could change the answer. Never where the input is known to end.
    Short,
}

/// An encoding form. Implementations are zero-sized; what they must remember between two
/// sequences is in `State` when they read and in `Pen` when they write.
pub trait Codec: 'static {
    /// What is remembered between two sequences that are read.
    type State: Clone + 'static;

    /// What is remembered between two code points that are written.
    type Pen: Default + 'static;

    /// How far before an offset a reader must start to have found the boundaries there, if that is
    /// possible: whether the codec synchronises itself.
    const REACH: Option<u64>;

    /// U+FEFF.
    const SIGNATURE: &'static [u8];

    /// The state at an offset of the input.
    fn start(offset: u64) -> Self::State;

    /// How far is this certainly well formed? A lower bound, on a sequence boundary.
    fn prefix(_: &mut Self::State, _: &Kernels, _: &[u8]) -> usize {
        0
    }

    /// Read one sequence: the only judge of what is ill-formed. `last` says that the input ends
    /// with these bytes.
    fn step(state: &mut Self::State, bytes: &[u8], last: bool) -> Step;

    /// Write a code point. False if the codec cannot hold it; then nothing is written.
    fn put(pen: &mut Self::Pen, value: u32, out: &mut Vec<u8>) -> bool;

    /// Write what the end of the text still owes.
    fn finish(_: &mut Self::Pen, _: &mut Vec<u8>) {}

    /// Add to `lengths[n - 1]` the number of code points of `n` bytes that start within a part of
    /// `bytes`, which are well formed.
    fn tally(bytes: &[u8], part: Range<usize>, lengths: &mut Lengths) {
        tally_by_steps::<Self>(bytes, part, lengths);
    }

    /// How many U+000A are in these bytes, and where is the byte behind the last? The bytes start
    /// on a boundary.
    fn lines(bytes: &[u8]) -> Lines {
        lines_of_byte(bytes, b'\n')
    }

    /// The codec of the text behind these bytes, which were skipped, if they tell.
    fn signed(_: &[u8]) -> Option<&'static Spec> {
        None
    }

    /// The value that an ill-formed but complete form would spell.
    fn spells(_: &[u8]) -> Option<u32> {
        None
    }

    /// Which bytes may follow these, the beginning of a sequence?
    fn expected(_: &[u8]) -> Option<RangeInclusive<u8>> {
        None
    }

    /// How many bytes does this beginning of a sequence announce in all?
    fn announced(bytes: &[u8]) -> usize;
}

/// The U+000A in some bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lines {
    /// How many there are.
    pub number: u64,
    /// Behind the last of them, from the first of the bytes.
    pub behind: Option<usize>,
}

/// The U+000A in bytes where one byte is it, and part of nothing else.
fn lines_of_byte(bytes: &[u8], line_feed: u8) -> Lines {
    // Where faults are dense, most runs hold no line end.
    match memchr::memrchr(line_feed, bytes) {
        Some(last) => Lines {
            number: memchr::memchr_iter(line_feed, &bytes[..=last]).count() as u64,
            behind: Some(last + 1),
        },
        None => Lines::default(),
    }
}

/// What [`Codec::tally`] does for a codec whose lead bytes do not tell it.
fn tally_by_steps<C: Codec + ?Sized>(bytes: &[u8], part: Range<usize>, lengths: &mut Lengths) {
    let mut state = C::start(u64::MAX);
    let mut at = 0;
    while at < part.end
        && let Step::Scalar { len, .. } = C::step(&mut state, &bytes[at..], true)
    {
        lengths[len - 1] += u64::from(at >= part.start);
        at += len;
    }
}

/// Numbers of code points by their length in bytes, from 1 to 6.
pub type Lengths = [u64; 6];

/// A [`Codec`] at work on one input, with its state.
pub trait Scanner {
    /// See [`scan::scan`].
    ///
    /// # Errors
    /// Those of the sink.
    fn scan(
        &mut self,
        kernels: &Kernels,
        chunk: Chunk<'_>,
        sink: &mut dyn Sink,
    ) -> io::Result<Scanned>;
}

/// A [`Codec`] at work on one output, with its pen.
pub trait Writer {
    /// See [`Codec::put`].
    fn put(&mut self, value: u32, out: &mut Vec<u8>) -> bool;

    /// See [`Codec::finish`].
    fn finish(&mut self, out: &mut Vec<u8>);
}

struct Writing<C: Codec>(C::Pen);

impl<C: Codec> Writer for Writing<C> {
    fn put(&mut self, value: u32, out: &mut Vec<u8>) -> bool {
        C::put(&mut self.0, value, out)
    }

    fn finish(&mut self, out: &mut Vec<u8>) {
        C::finish(&mut self.0, out);
    }
}

struct At<C: Codec>(C::State);

impl<C: Codec> Scanner for At<C> {
    fn scan(
        &mut self,
        kernels: &Kernels,
        chunk: Chunk<'_>,
        sink: &mut dyn Sink,
    ) -> io::Result<Scanned> {
        scan::scan::<C>(kernels, &mut self.0, chunk, sink)
    }
}

/// A row of [`CODECS`]: a codec as the command line names it.
pub struct Spec {
    /// Its name in every report.
    pub name: &'static str,
    /// Its other names. They are matched loosely, see [`find`].
    pub labels: &'static [&'static str],
    /// What it is, in one line.
    pub summary: &'static str,
    /// Start to read an input at this offset.
    pub open: fn(offset: u64) -> Box<dyn Scanner>,
    /// Start to write an output.
    pub write: fn() -> Box<dyn Writer>,
    /// See [`Codec::REACH`].
    pub reach: Option<u64>,
    /// See [`Codec::SIGNATURE`].
    pub signature: &'static [u8],
    /// See [`Codec::lines`].
    pub lines: fn(&[u8]) -> Lines,
    /// See [`Codec::signed`].
    pub signed: fn(&[u8]) -> Option<&'static Spec>,
    /// See [`Codec::step`], from a fresh state in the middle of an input.
    pub step: fn(&[u8]) -> Step,
    /// See [`Codec::tally`].
    pub tally: fn(&[u8], Range<usize>, &mut Lengths),
    /// See [`Codec::spells`].
    pub spells: fn(&[u8]) -> Option<u32>,
    /// See [`Codec::expected`].
    pub expected: fn(&[u8]) -> Option<RangeInclusive<u8>>,
    /// See [`Codec::announced`].
    pub announced: fn(&[u8]) -> usize,
}

impl Spec {
    /// A row for the codec `C`.
    const fn of<C: Codec>(
        name: &'static str,
        labels: &'static [&'static str],
        summary: &'static str,
    ) -> Spec {
        Spec {
            name,
            labels,
            summary,
            open: |offset| Box::new(At::<C>(C::start(offset))),
            write: || Box::new(Writing::<C>(C::Pen::default())),
            reach: C::REACH,
            signature: C::SIGNATURE,
            lines: C::lines,
            signed: C::signed,
            step: |bytes| C::step(&mut C::start(u64::MAX), bytes, true),
            tally: C::tally,
            spells: C::spells,
            expected: C::expected,
            announced: C::announced,
        }
    }
}

/// Every codec. The first is the default.
#[rustfmt::skip]
pub static CODECS: &[Spec] = &[
    Spec::of::<family::Utf8>(
        "utf-8",
        &["u8", "utf", "csUTF8", "unicode-1-1-utf-8", "unicode-2-0-utf-8", "x-unicode20utf8",
          "utf8mb4", "al32utf8", "65001", "cp65001", "cp_utf8", "ISO-10646/UTF-8", "18N"],
        "UTF-8 (RFC 3629, Unicode, ISO 10646); a BOM is text",
    ),
    Spec::of::<Family<{ family::BOM | family::SIGN }>>(
        "utf-8-bom",
        &["utf-8-sig"],
        "UTF-8 behind a BOM, which is no text; it may be missing",
    ),
    Spec::of::<Family<{ family::BOM }>>(
        "utf-8n",
        &["utf-8-nobom"],
        "UTF-8 without BOM; one that is there all the same is no text",
    ),
    Spec::of::<Family<{ family::LONG | family::LONE }>>(
        "rfc2279",
        &["utf-8-31", "utf8-31bit", "utf-8-1998", "utf8-old", "x-utf-8-6", "fss-utf", "utf-fss",
          "utf-2"],
        "UTF-8 as of RFC 2279: 31 bits, up to six bytes, surrogates admitted",
    ),
    Spec::of::<family::Cesu8>(
        "cesu-8",
        &["csCESU-8", "oracle-utf8"],
        "CESU-8 (UTR #26): each UTF-16 unit in one to three bytes",
    ),
    Spec::of::<Family<{ family::SHORT | family::JOIN | family::LONE | family::NUL2 }>>(
        "mutf-8",
        &["modified-utf-8", "java-utf-8", "jni-utf-8", "dex", "cesu-8-nul", "tcl-utf-8"],
        "Modified UTF-8 (Java): CESU-8 with U+0000 as C0 80 and lone surrogates",
    ),
    Spec::of::<Family<{ family::LONE | family::APART }>>(
        "wtf-8",
        &[],
        "WTF-8: UTF-8 that admits lone surrogates, but no pair",
    ),
    Spec::of::<Family<{ family::LONE }>>(
        "generalized-utf-8",
        &["generalised-utf-8"],
        "UTF-8 that admits surrogates, alone and in pairs",
    ),
    Spec::of::<Family<{ family::ESCAPE }>>(
        "utf-8-surrogateescape",
        &["surrogateescape", "pep383", "utf-8b"],
        "PEP 383: any other byte is U+DC00 + byte: every input is well formed",
    ),
    Spec::of::<Family<{ family::SHORT | family::JOIN | family::LONE | family::OPTU }>>(
        "optu-8",
        &[],
        "MirBSD OPTU-8: any other byte is U+EF00 + byte: every input is well formed",
    ),
    Spec::of::<Family<{ family::SHORT }>>(
        "utf8mb3",
        &["mysql-utf8", "cp-utf8mb3"],
        "MySQL's utf8mb3: UTF-8 of three bytes at most",
    ),
    Spec::of::<Positional<Utf1>>(
        "utf-1",
        &["ISO-10646-UTF-1", "csISO10646UTF1", "iso-ir-178"],
        "UTF-1 (ISO-IR-178): 31 bits, C0 and C1 controls as single bytes",
    ),
    Spec::of::<Positional<Fss1992>>(
        "fss-utf-1992",
        &["fss-utf-prosser", "utf-fss-draft"],
        "FSS-UTF as first proposed in 1992: 31 bits, no overlong forms",
    ),
    Spec::of::<Units<{ units::LITTLE }>>(
        "ucs-2le",
        &[],
        "UCS-2, little-endian: no surrogates; a BOM is text",
    ),
    Spec::of::<Units<0>>(
        "ucs-2be",
        &[],
        "UCS-2, big-endian: no surrogates; a BOM is text",
    ),
    Spec::of::<Units<{ units::MARK }>>(
        "ucs-2",
        &["csUnicode", "iso-10646-ucs-2"],
        "UCS-2, big-endian unless a BOM tells (WHATWG: UTF-16LE)",
    ),
    Spec::of::<Units<{ units::PAIRS | units::LITTLE }>>(
        "utf-16le",
        &["csUTF16LE", "UnicodeLittleUnmarked", "1200", "cp1200"],
        "UTF-16, little-endian (RFC 2781); a BOM is text",
    ),
    Spec::of::<Units<{ units::PAIRS }>>(
        "utf-16be",
        &["csUTF16BE", "UnicodeBigUnmarked", "1201", "cp1201", "al16utf16"],
        "UTF-16, big-endian (RFC 2781); a BOM is text",
    ),
    Spec::of::<Units<{ units::PAIRS | units::MARK | units::SIGN }>>(
        "utf-16",
        &["csUTF16", "u16", "unicode", "UnicodeBig"],
        "UTF-16 with a BOM, big-endian without (WHATWG: little-endian)",
    ),
    Spec::of::<Units<{ units::PAIRS | units::LONE | units::LITTLE }>>(
        "wtf-16le",
        &[],
        "Units of 16 bits, little-endian: UTF-16 that admits lone surrogates",
    ),
    Spec::of::<Units<{ units::PAIRS | units::LONE }>>(
        "wtf-16be",
        &[],
        "Units of 16 bits, big-endian: UTF-16 that admits lone surrogates",
    ),
    Spec::of::<Units<{ units::WIDE | units::LITTLE }>>(
        "utf-32le",
        &["csUTF32LE", "12000", "cp12000"],
        "UTF-32, little-endian; a BOM is text",
    ),
    Spec::of::<Units<{ units::WIDE }>>(
        "utf-32be",
        &["csUTF32BE", "12001", "cp12001"],
        "UTF-32, big-endian; a BOM is text",
    ),
    Spec::of::<Units<{ units::WIDE | units::MARK | units::SIGN }>>(
        "utf-32",
        &["csUTF32", "u32"],
        "UTF-32 with a BOM, big-endian without",
    ),
    Spec::of::<Units<{ units::WIDE | units::LARGE | units::LONE | units::LITTLE }>>(
        "ucs-4le",
        &[],
        "UCS-4, little-endian: 31 bits, surrogates admitted; a BOM is text",
    ),
    Spec::of::<Units<{ units::WIDE | units::LARGE | units::LONE }>>(
        "ucs-4be",
        &["ucs-4", "iso-10646-ucs-4", "csUCS4"],
        "UCS-4, big-endian: 31 bits, surrogates admitted; a BOM is text",
    ),
];

/// The codec of this name or label. ASCII case, `-`, `_` and blanks do not matter.
pub fn find(label: &str) -> Option<&'static Spec> {
    let wanted = loose(label);
    CODECS.iter().find(|spec| spec.names().any(|name| loose(name) == wanted))
}

impl Spec {
    /// The name and the labels.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.name).chain(self.labels.iter().copied())
    }
}

/// A label without what does not matter in it.
pub fn loose(label: &str) -> String {
    label
        .chars()
        .filter(|c| !matches!(c, '-' | '_' | ' ' | '\t'))
        .map(|c| c.to_ascii_lowercase())
        .collect()
}

impl std::fmt::Debug for Spec {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Spec").field(&self.name).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn no_label_means_two_codecs() {
        let mut owner = HashMap::new();
        for spec in CODECS {
            for name in spec.names() {
                let before = owner.insert(loose(name), spec.name);
                assert_eq!(before, None, "{name} of {}", spec.name);
            }
        }
    }

    #[test]
    fn labels_are_matched_loosely() {
        for label in ["UTF8", "utf_8", "U T F - 8", "CP-65001", "Iso 10646/utf8", "18n"] {
            assert_eq!(find(label).unwrap().name, "utf-8", "{label}");
        }
        assert_eq!(find("Oracle UTF8").unwrap().name, "cesu-8");
        assert!(find("utf-9").is_none());
        assert!(find("").is_none());
    }
}
