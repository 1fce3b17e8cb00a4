//! The trait of all encodings, and the encodings.

use std::ops::{Range, RangeInclusive};
use std::slice;

use crate::issue::Kind;
use crate::kernel::{Kernels, Loaded};

/// Defines the function that finds a row of a table by its canonical name.
macro_rules! find_row {
    ($(#[$doc:meta])* $name:ident in $table:ident) => {
        $(#[$doc])*
        ///
        /// # Panics
        /// If no row has the name; at compile time in a `const`.
        pub const fn $name(name: &str) -> usize {
            let mut row = 0;
            while !$crate::text::equal($table[row].name.as_bytes(), name.as_bytes()) {
                row += 1;
            }
            row
        }
    };
}

pub mod bocu1;
mod bulk;
pub(crate) mod controls;
pub(crate) mod dynamic;
pub mod family;
pub mod fss;
mod group;
pub mod iso2022;
pub mod iso2022jp;
mod jisx0201;
pub mod legacy;
pub mod mixed;
pub mod notation;
pub mod pages;
pub mod positional;
pub mod scsu;
pub mod sets;
pub(crate) mod surrogate;
pub mod tscii;
pub mod units;
pub mod utf1;
pub mod utf7;

pub(crate) use dynamic::CodecReader;
pub use dynamic::{RunReader, TextWriter};
pub use group::Group;

/// The first sequence of some bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A well-formed sequence of one code point: a scalar value or, where the encoding admits
    /// them, a surrogate or a value of up to 31 bits.
    Scalar {
        /// The code point.
        value: u32,
        /// Its length in bytes.
        len: usize,
    },
    /// A well-formed sequence of two code points.
    Two {
        /// The code points.
        values: [u32; 2],
        /// Its length in bytes.
        len: usize,
    },
    /// A well-formed sequence of more code points, up to [`MOST_VALUES`].
    Many {
        /// The code points.
        values: &'static [u32],
        /// Its length in bytes.
        len: u8,
    },
    /// A well-formed sequence without a code point, such as a shift.
    Skip {
        /// Its length in bytes.
        len: usize,
    },
    /// A signature: U+FEFF at the start of the input, where it is not part of the text.
    Signature {
        /// Its length in bytes.
        len: usize,
    },
    /// An ill-formed sequence.
    Ill {
        /// The kind of the issue.
        kind: Kind,
        /// Its length in bytes, 1..=[`Codec::LONGEST`].
        len: usize,
        /// The number of U+FFFD that replace it: see [`Issue`](crate::Issue).
        replacements: u8,
    },
    /// More bytes could change the answer. Never returned at the end of the input, except for no
    /// bytes.
    Short,
}

impl Step {
    /// Makes the step of an ill-formed sequence that one U+FFFD replaces.
    pub(crate) const fn ill(kind: Kind, len: usize) -> Step {
        Step::Ill { kind, len, replacements: 1 }
    }

    /// Returns the length of the sequence in bytes; 0 for [`Step::Short`].
    pub fn size(self) -> usize {
        match self {
            Step::Scalar { len, .. }
            | Step::Two { len, .. }
            | Step::Skip { len }
            | Step::Signature { len }
            | Step::Ill { len, .. } => len,
            Step::Many { len, .. } => len.into(),
            Step::Short => 0,
        }
    }

    /// Returns the code points of the sequence; none if it is not well-formed.
    pub fn values(&self) -> &[u32] {
        match self {
            Step::Scalar { value, .. } => slice::from_ref(value),
            Step::Two { values, .. } => values,
            Step::Many { values, .. } => values,
            Step::Skip { .. } | Step::Signature { .. } | Step::Ill { .. } | Step::Short => &[],
        }
    }
}

/// The length in bytes of the longest sequence of most encodings: 31 bits in UTF-8 of RFC 2279.
pub(crate) const LONGEST_SEQUENCE: usize = 6;

/// The most code points of a sequence.
pub const MOST_VALUES: usize = 4;

/// An encoding scheme of Unicode: a form in a byte order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EncodingScheme {
    /// UTF-8.
    Utf8,
    /// UTF-16; true for little-endian.
    Utf16(bool),
    /// UTF-32; true for little-endian.
    Utf32(bool),
}

/// An encoding as a type.
///
/// Implementations are zero-sized: `State` is the state of a reader between two sequences, `Pen`
/// that of a writer between two code points.
pub trait Codec: 'static {
    /// The state of a reader between two sequences.
    type State: Clone + Send + 'static;

    /// The state of a writer between two code points.
    type Pen: Clone + PartialEq + Send + 'static;

    /// A reader that starts this number of bytes before an offset, even inside a sequence, is
    /// synchronised at the offset. `None` if the encoding does not synchronise itself.
    const REACH: Option<u64>;

    /// The bytes of U+FEFF. Empty where U+FEFF is never a signature.
    const SIGNATURE: &'static [u8];

    /// A writer starts with U+FEFF.
    const SIGNS: bool = false;

    /// The length of the longest sequence, well-formed or ill-formed, in bytes.
    const LONGEST: usize = LONGEST_SEQUENCE;

    /// The size of a code unit in bytes. A well-formed sequence is one code unit or more.
    const UNIT: usize = 1;

    /// The length of the longest well-formed sequence, in bytes: a character, signature or shift.
    const WIDEST: usize;

    /// The most code points of a sequence, [`MOST_VALUES`] at most.
    const MOST_VALUES: usize = 2;

    /// All well-formed UTF-8 is well-formed, with the same code points.
    const UTF8: bool = false;

    /// The encoding is UTF-8 except for the treatment of a signature: ill-formed sequences have the
    /// same maximal subparts, too.
    const STRICT: bool = false;

    /// The scheme in which a writer encodes the text after a signature.
    const SCHEME: Option<EncodingScheme> = None;

    /// A change in a text can change the meaning of the bytes next to it, so that a repair encodes
    /// all of the text again.
    const REENCODES_ALL: bool = Self::PROPERTIES.stateful;

    /// The bytes may change while they are read, as those of a mapped file may: kernels and steps
    /// make no `str` of them, and pass them to no library that trusts an earlier read.
    const TOLERATES_CHANGES: bool = false;

    /// A line feed brings a writer into the state after a line feed at the start of a text, so that
    /// lines can be written apart.
    const RESTARTS_BY_LINE: bool = true;

    /// [`transcode`](Codec::transcode) stops before an ill-formed sequence, so that the text need not
    /// be scanned before.
    const TRANSCODES_UNSCANNED: bool = false;

    /// The number added to a byte outside well-formed sequences to make a code point of it. `None`
    /// where an unexpected byte is ill-formed.
    const ESCAPE: Option<u32> = None;

    /// The byte that starts each escape in a notation of escapes. `None` in all other codecs.
    const INTRODUCER: Option<u8> = None;

    /// The expected item at a [bad escape](Kind::BadEscape), with its article.
    const ITEM: &'static str = "an escape";

    /// The group in listings.
    const GROUP: Group;

    /// Guarantees to callers.
    const PROPERTIES: Properties;

    /// Returns the state of a reader that starts at an offset of the input, in bytes. `row` is that of
    /// the encoding in the table of its codec; 0 for a codec of one encoding.
    fn start(row: usize, offset: u64) -> Self::State;

    /// Returns a lower bound of the length, in bytes, of the well-formed front. It is on a sequence
    /// boundary.
    fn prefix(_: &mut Self::State, _: &Kernels, _: &[u8]) -> usize {
        0
    }

    /// Reads the first sequence: the only judge of well-formedness. `last` is true if the input ends
    /// with these bytes.
    fn step(state: &mut Self::State, bytes: &[u8], last: bool) -> Step;

    /// Reads again the first sequence of a run that [`step`](Codec::step) found well-formed. The
    /// text may continue after these bytes, so encodings in which well-formedness depends on the
    /// bytes after a sequence define this.
    fn reread(state: &mut Self::State, bytes: &[u8]) -> Step {
        Self::step(state, bytes, true)
    }

    /// Decodes the front of a run that [`step`](Codec::step) found well-formed, until the bytes end
    /// or `values` has little room left: at least one sequence, if there is room for
    /// [`MOST_VALUES`](Codec::MOST_VALUES). If the bytes have changed since, the values are unspecified.
    fn load(state: &mut Self::State, _: &Kernels, bytes: &[u8], values: &mut [u32]) -> Loaded {
        load_by_steps::<Self>(state, bytes, values)
    }

    /// Appends the text of the front of a run in a scheme, as [`load`](Codec::load) and a writer of
    /// the scheme would, if there is a faster way. Returns the number of bytes read.
    fn transcode(
        state: &mut Self::State,
        kernels: &Kernels,
        bytes: &[u8],
        scheme: EncodingScheme,
        out: &mut Vec<u8>,
    ) -> usize {
        match scheme {
            EncodingScheme::Utf8 => Self::write_utf8(state, kernels, bytes, out),
            EncodingScheme::Utf16(_) | EncodingScheme::Utf32(_) => 0,
        }
    }

    /// Appends the text as UTF-8, as [`transcode`](Codec::transcode) does.
    fn write_utf8(_: &mut Self::State, _: &Kernels, _: &[u8], _: &mut Vec<u8>) -> usize {
        0
    }

    /// Returns the state of a writer at the start of an output. For the row, see
    /// [`start`](Codec::start).
    fn pen(row: usize, escapes: Escapes) -> Self::Pen;

    /// Appends a code point. Returns false, and appends nothing, if the encoding lacks it.
    fn put(pen: &mut Self::Pen, value: u32, out: &mut Vec<u8>) -> bool;

    /// Appends code points, up to the first that the encoding lacks. Returns their number.
    fn store(pen: &mut Self::Pen, _: &Kernels, values: &[u32], out: &mut Vec<u8>) -> usize {
        values.iter().take_while(|&&value| Self::put(pen, value, out)).count()
    }

    /// Appends a code point that the encoding lacks as a letter and combining marks that it has.
    /// Returns false, and appends nothing, if there are none.
    fn put_decomposed(_: &mut Self::Pen, _: u32, _: &mut Vec<u8>) -> bool {
        false
    }

    /// Returns `true` if a writer holds back letters that a combining mark can join.
    fn holds_letters(_row: usize) -> bool {
        false
    }

    /// Appends the code points that wait for another, which may join them.
    fn release(_: &mut Self::Pen, _: &mut Vec<u8>) {}

    /// Ends the text: appends pending bytes and closing shifts.
    fn finish(pen: &mut Self::Pen, out: &mut Vec<u8>) {
        Self::release(pen, out);
    }

    /// Adds to `lengths[n - 1]` the number of code points of `n` bytes that start within a part of
    /// well-formed bytes. The state is that before `bytes`.
    fn tally(state: &Self::State, bytes: &[u8], part: Range<usize>, lengths: &mut LengthCounts) {
        tally_by_steps::<Self>(state, bytes, part, lengths);
    }

    /// Counts U+000A in well-formed bytes. The state is that before the bytes. In notations and in
    /// UTF-7, lines are those of the bytes as they are, not of the text that they spell.
    fn lines(_: &Self::State, bytes: &[u8]) -> LineCount {
        lines_of_byte(bytes, b'\n')
    }

    /// Returns the canonical name of the encoding of the text after the first bytes of an input, if
    /// these are a BOM that tells the byte order.
    fn codec_after_bom(_: &[u8]) -> Option<&'static str> {
        None
    }

    /// Returns the value that a complete but ill-formed sequence spells.
    fn spells(_: &[u8]) -> Option<u32> {
        None
    }

    /// Appends the escape of a code point in a notation of escapes. Returns `false`, and appends nothing,
    /// if the notation has none for it, and in all other codecs.
    fn escape(_value: u32, _out: &mut Vec<u8>) -> bool {
        false
    }

    /// Returns the byte that an ill-formed escape stands for, as `%E9` does.
    fn escaped_byte(_: &[u8]) -> Option<u8> {
        None
    }

    /// Returns the bytes that can follow the beginning of a sequence, where they are one range.
    fn expected(_: &[u8]) -> Option<RangeInclusive<u8>> {
        None
    }

    /// Returns the length, in bytes, that the beginning of a sequence announces. For the row, see
    /// [`start`](Codec::start).
    fn announced(row: usize, bytes: &[u8]) -> usize;

    /// Returns the number of high bits, 0..=8, that mark the role of a byte of a sequence and are not
    /// part of its value. The other bits are the payload.
    fn markers(sequence: &[u8], at: usize) -> u32 {
        let _ = (sequence, at);
        0
    }

    /// Explains, in ASCII, how the value of a well-formed sequence follows from its bytes: a sum, or
    /// a place in the table of a set. `None` where the value is the concatenated payload, and where
    /// there is nothing to explain: in code pages, and where digits or a name spell the value.
    fn derivation(sequence: &[u8]) -> Option<String> {
        let _ = sequence;
        None
    }
}

/// The number and the end of U+000A in some bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LineCount {
    /// Their number.
    pub number: u64,
    /// The offset after the last, in bytes.
    pub end: Option<usize>,
}

impl LineCount {
    /// Counts a code point if it is U+000A. `end` is the offset after it.
    fn add(&mut self, value: u32, end: usize) {
        if value == u32::from(b'\n') {
            self.number += 1;
            self.end = Some(end);
        }
    }
}

/// Counts U+000A in an encoding that has one byte for it, which is part of no other sequence.
fn lines_of_byte(bytes: &[u8], line_feed: u8) -> LineCount {
    // Where issues are dense, most runs have no line end.
    match memchr::memrchr(line_feed, bytes) {
        Some(last) => LineCount {
            number: memchr::memchr_iter(line_feed, &bytes[..=last]).count() as u64,
            end: Some(last + 1),
        },
        None => LineCount::default(),
    }
}

/// Implements [`Codec::tally`] for encodings whose lead bytes do not tell the length.
fn tally_by_steps<C: Codec + ?Sized>(
    state: &C::State,
    bytes: &[u8],
    part: Range<usize>,
    lengths: &mut LengthCounts,
) {
    let mut state = state.clone();
    let mut at = 0;
    while at < part.end {
        let step = C::reread(&mut state, &bytes[at..]);
        let len = step.size();
        if len == 0 {
            return;
        }
        if at >= part.start {
            lengths[len.min(lengths.len()) - 1] += step.values().len() as u64;
        }
        at += len;
    }
}

/// Numbers of code points by their length in bytes: 1 to 6, and longer.
pub type LengthCounts = [u64; 7];

/// Implements [`Codec::load`] for encodings without a kernel.
fn load_by_steps<C: Codec + ?Sized>(
    state: &mut C::State,
    bytes: &[u8],
    values: &mut [u32],
) -> Loaded {
    let (mut read, mut written) = (0, 0);
    while read < bytes.len() && written + C::MOST_VALUES <= values.len() {
        let step = C::reread(state, &bytes[read..]);
        for &value in step.values() {
            values[written] = value;
            written += 1;
        }
        read += match step {
            Step::Short => bytes.len() - read,
            step => step.size(),
        };
    }
    Loaded { read, written }
}

/// The characters that a notation escapes. Other encodings ignore this.
///
/// ```
/// use utf8::{ConvertOptions, Encoding, Escapes, convert};
///
/// let mut options = ConvertOptions::to(Encoding::for_label("json").unwrap());
/// options.escapes = Escapes::Minimal;
/// assert_eq!(convert(Encoding::UTF_8, "\"é".as_bytes(), &options).unwrap(), "\\\"é".as_bytes());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Escapes {
    /// All but printable ASCII, and ASCII that the notation gives a meaning.
    #[default]
    Usual,
    /// All characters.
    All,
    /// Only characters that cannot stand for themselves.
    Minimal,
}

/// Guarantees of an encoding to callers.
///
/// ```
/// use utf8::Encoding;
///
/// let [utf8, utf16] = ["utf-8", "utf-16le"].map(|name| Encoding::for_label(name).unwrap());
/// assert!(utf8.properties.transparent && !utf16.properties.transparent);
/// assert!(utf8.properties.scalars && utf16.properties.scalars);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Properties {
    /// Each byte below 80 is the ASCII character, and each ASCII character is that byte.
    pub transparent: bool,
    /// The meaning of bytes depends on bytes before them.
    pub stateful: bool,
    /// Every scalar value can be encoded.
    pub scalars: bool,
    /// Lone surrogates can be encoded.
    pub surrogates: bool,
}

/// The byte order mark.
pub const BOM: u32 = 0xFEFF;

/// [`BOM`] in UTF-8.
pub const UTF8_BOM: &[u8] = "\u{FEFF}".as_bytes();

/// The canonical name of the notation that lists code points as U+XXXX.
pub const POINTS: &str = "code-points";
