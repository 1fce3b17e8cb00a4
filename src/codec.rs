//! What is a codec? The trait that each implements.

use std::ops::{Range, RangeInclusive};

use crate::issue::Kind;
use crate::kernel::Kernels;
use crate::kernel::Loaded;

mod bulk;
pub(crate) mod dynamic;
pub mod family;
pub mod fss;
pub mod iso2022jp;
pub mod legacy;
pub mod notation;
pub mod pages;
pub mod positional;
pub mod units;
pub mod utf1;
pub mod utf7;

pub(crate) use dynamic::CodecReader;
pub use dynamic::{RunReader, TextWriter};

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
    /// A well-formed sequence of `len` bytes that stands for two code points.
    Two {
        /// The code points.
        values: [u32; 2],
        /// Its length in bytes.
        len: usize,
    },
    /// `len` bytes that are part of the text's spelling and stand for nothing, such as a shift.
    Skip {
        /// Their number.
        len: usize,
    },
    /// A signature of `len` bytes: U+FEFF at the start of the input, where it is no text.
    Signature {
        /// Its length in bytes.
        len: usize,
    },
    /// An ill-formed sequence of `len` bytes.
    Ill {
        /// Why.
        kind: Kind,
        /// Its length in bytes, 1..=[`Codec::LONGEST`].
        len: usize,
        /// How many U+FFFD stand for it (see [`Issue`](crate::Issue)).
        replacements: u8,
    },
    /// More bytes could change the answer. Never where the input is known to end.
    Short,
}

impl Step {
    /// The number of bytes that it is about.
    pub fn size(self) -> usize {
        match self {
            Step::Scalar { len, .. }
            | Step::Two { len, .. }
            | Step::Skip { len }
            | Step::Signature { len }
            | Step::Ill { len, .. } => len,
            Step::Short => 0,
        }
    }
}

/// An encoding form. Implementations are zero-sized; what they must remember between two
/// sequences is in `State` when they read and in `Pen` when they write.
pub trait Codec: 'static {
    /// What is remembered between two sequences that are read.
    type State: Clone + 'static;

    /// What is remembered between two code points that are written.
    type Pen: 'static;

    /// How far before an offset a reader must start to have found the boundaries there, if that is
    /// possible: whether the codec synchronises itself.
    const REACH: Option<u64>;

    /// U+FEFF. Nothing, where that is no signature.
    const SIGNATURE: &'static [u8];

    /// Whether what is written starts with U+FEFF.
    const SIGNS: bool = false;

    /// The longest sequence, well-formed or not, in bytes.
    const LONGEST: usize = 6;

    /// The bytes of a code unit: each well-formed sequence is one or more of them.
    const UNIT: usize = 1;

    /// The longest well-formed sequence, in bytes, be it a character, a signature or a shift.
    const WIDEST: usize;

    /// Whether all of UTF-8 is well-formed, and means what it means there.
    const UTF8: bool = false;

    /// Whether it is UTF-8 to the letter, but for a signature: each maximal subpart, too, is one
    /// that the Unicode Standard knows.
    const STRICT: bool = false;

    /// Whether a change in a text can change what its neighbours mean, or whether they are well
    /// formed, so that all of it must be written anew.
    const REENCODES_ALL: bool = Self::PROPERTIES.stateful;

    /// What a byte is added to, where one that is in no well-formed sequence is a code point.
    const ESCAPE: Option<u32> = None;

    /// What a [bad escape](Kind::BadEscape) should have been.
    const ITEM: &'static str = "an escape";

    /// What it is listed among.
    const GROUP: Group;

    /// What can be relied on.
    const PROPERTIES: Properties;

    /// The state at an offset of the input.
    fn start(offset: u64) -> Self::State;

    /// How far is this certainly well formed? A lower bound, on a sequence boundary.
    fn prefix(_: &mut Self::State, _: &Kernels, _: &[u8]) -> usize {
        0
    }

    /// Read one sequence: the only judge of what is ill-formed. `last` says that the input ends
    /// with these bytes.
    fn step(state: &mut Self::State, bytes: &[u8], last: bool) -> Step;

    /// Read once more the first sequence of a run that [`step`](Codec::step) has found well-formed.
    /// The text may go on behind these bytes. To be said where that matters: where a sequence is
    /// well-formed or not by what follows it, and is not part of it.
    fn reread(state: &mut Self::State, bytes: &[u8]) -> Step {
        Self::step(state, bytes, true)
    }

    /// Read sequences of a run that [`step`](Codec::step) has found well-formed, from its front,
    /// until the bytes end or there is little room left: at least one sequence, if there is room
    /// for two values. The bytes may have changed since: then the values mean nothing.
    fn load(state: &mut Self::State, _: &Kernels, bytes: &[u8], values: &mut [u32]) -> Loaded {
        load_by_steps::<Self>(state, bytes, values)
    }

    /// Start to write.
    fn pen(escapes: Escapes) -> Self::Pen;

    /// Write a code point. False if the codec cannot hold it; then nothing is written.
    fn put(pen: &mut Self::Pen, value: u32, out: &mut Vec<u8>) -> bool;

    /// Write code points, up to the first that the codec cannot hold. Returns their number.
    fn store(pen: &mut Self::Pen, _: &Kernels, values: &[u32], out: &mut Vec<u8>) -> usize {
        values.iter().take_while(|&&value| Self::put(pen, value, out)).count()
    }

    /// Write what the end of the text still owes.
    fn finish(_: &mut Self::Pen, _: &mut Vec<u8>) {}

    /// Add to `lengths[n - 1]` the number of code points of `n` bytes that start within a part of
    /// `bytes`, which are well formed, and before which this was the state.
    fn tally(state: &Self::State, bytes: &[u8], part: Range<usize>, lengths: &mut LengthCounts) {
        tally_by_steps::<Self>(state, bytes, part, lengths);
    }

    /// How many U+000A are in these well-formed bytes, and where is the byte behind the last? Before
    /// them, this was the state. Where text spells code points, in notations and in UTF-7, lines are
    /// those of the text as it stands.
    fn lines(_: &Self::State, bytes: &[u8]) -> LineCount {
        lines_of_byte(bytes, b'\n')
    }

    /// The name of the codec of the text behind these bytes, which were skipped, if they tell.
    fn codec_after_bom(_: &[u8]) -> Option<&'static str> {
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

    /// How many bits at the front of a byte of a sequence, well-formed or not, mark what the byte
    /// is, and carry nothing of the value? 0..=8. The others are its payload.
    fn markers(sequence: &[u8], at: usize) -> u32 {
        let _ = (sequence, at);
        0
    }

    /// How does the value of a well-formed sequence follow from its bytes? In ASCII: a sum, or a
    /// place in the table of a set. `None` where the payload, put together, is the value, and
    /// where there is nothing to say of it: in a code page, or if digits or a name spell it.
    fn derivation(sequence: &[u8]) -> Option<String> {
        let _ = sequence;
        None
    }
}

/// The U+000A in some bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LineCount {
    /// How many there are.
    pub number: u64,
    /// Behind the last of them, from the first of the bytes.
    pub behind: Option<usize>,
}

/// The U+000A in bytes where one byte is it, and part of nothing else.
fn lines_of_byte(bytes: &[u8], line_feed: u8) -> LineCount {
    // Where faults are dense, most runs hold no line end.
    match memchr::memrchr(line_feed, bytes) {
        Some(last) => LineCount {
            number: memchr::memchr_iter(line_feed, &bytes[..=last]).count() as u64,
            behind: Some(last + 1),
        },
        None => LineCount::default(),
    }
}

/// What [`Codec::tally`] does for a codec whose lead bytes do not tell it.
fn tally_by_steps<C: Codec + ?Sized>(
    state: &C::State,
    bytes: &[u8],
    part: Range<usize>,
    lengths: &mut LengthCounts,
) {
    let mut state = state.clone();
    let mut at = 0;
    while at < part.end {
        let (number, len) = match C::reread(&mut state, &bytes[at..]) {
            Step::Scalar { len, .. } => (1, len),
            Step::Two { len, .. } => (2, len),
            Step::Skip { len } | Step::Signature { len } | Step::Ill { len, .. } => (0, len),
            Step::Short => return,
        };
        lengths[len.min(lengths.len()) - 1] += if at < part.start { 0 } else { number };
        at += len;
    }
}

/// Numbers of code points by their length in bytes, from 1 to 6; the last are longer.
pub type LengthCounts = [u64; 7];

/// What [`Codec::load`] does for a codec without a faster way.
fn load_by_steps<C: Codec + ?Sized>(
    state: &mut C::State,
    bytes: &[u8],
    values: &mut [u32],
) -> Loaded {
    let (mut read, mut written) = (0, 0);
    while read < bytes.len() && written + 2 <= values.len() {
        read += match C::reread(state, &bytes[read..]) {
            Step::Scalar { value, len } => {
                values[written] = value;
                written += 1;
                len
            }
            Step::Two { values: two, len } => {
                values[written..][..2].copy_from_slice(&two);
                written += 2;
                len
            }
            Step::Skip { len } | Step::Signature { len } | Step::Ill { len, .. } => len,
            Step::Short => bytes.len() - read,
        };
    }
    Loaded { read, written }
}

/// How much a notation escapes. Other codecs have nothing to escape.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Escapes {
    /// What is not printable ASCII, and what has a meaning of its own.
    #[default]
    Usual,
    /// Everything.
    All,
    /// Only what must be.
    Minimal,
}

/// What a codec is listed among.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// UTF-8, and what differs from it by a few rules.
    Family,
    /// Other transformations of ISO 10646 to bytes.
    Transformation,
    /// Code units of two or four bytes.
    Units,
    /// Single-byte code pages.
    Page,
    /// Multi-byte sets of East Asia.
    EastAsia,
    /// Text that spells code points.
    Notation,
}

/// What can be relied on in a codec.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Properties {
    /// A byte below 80 is always the ASCII character, and each of these is that byte.
    pub transparent: bool,
    /// What bytes mean depends on what was before them.
    pub stateful: bool,
    /// It holds every scalar value.
    pub scalars: bool,
    /// It holds lone surrogates.
    pub surrogates: bool,
}

/// The byte order mark.
pub const BOM: u32 = 0xFEFF;

/// The name of the codec that spells code points for people.
pub const POINTS: &str = "code-points";
