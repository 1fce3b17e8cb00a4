//! Kernels: vector code, one row per instruction set.
//!
//! A kernel answers "how far is this certainly well-formed?" with a lower bound on a sequence
//! boundary, and never explains. Only the codec's step knows the grammar, so a wrong kernel can only
//! be slow, or be caught by the laws in `tests/`.
//!
//! Kernels that read and write code points may stop early in the same way; the codec does the rest.
//! Those that read code points read bytes that were validated before. The bytes of a mapped file may
//! have changed since: then the code points are unspecified, and everything else still holds. Those
//! that convert between encoding schemes validate what they read, in the same pass where they can.

// Tables and helpers of kernels with vectors are unused where there is none.
#![cfg_attr(
    not(any(target_arch = "x86_64", all(target_arch = "aarch64", target_endian = "little"))),
    allow(dead_code)
)]

use std::ops::{AddAssign, Range};
use std::slice;
use std::sync::OnceLock;

mod ascii_set;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod byte_set;
mod fault_bits;
mod faults;
mod filter;
mod form;
mod lossy;
mod page;
mod prefetch;
mod rows;
mod scalar;
mod spare;
#[cfg(any(target_arch = "x86_64", all(target_arch = "aarch64", target_endian = "little")))]
mod vectors;

pub use ascii_set::AsciiSet;
pub use byte_set::ByteSet;
pub use fault_bits::FaultBits;
pub(crate) use faults::are_dense;
pub use faults::{FaultMark, FaultMarks};
pub use filter::SequenceFilter;
pub use form::{Utf8Cell, Utf8Form};
pub use page::PageChars;
pub(crate) use page::UNMAPPED;
pub(crate) use rows::RowPrefix;
pub use rows::{CharCodes, MOST_ROW_TEXT, PAGE, RowLook, RowSpan, RowText, code as row_code};
pub(crate) use scalar::{decode, mark};
pub(crate) use spare::{SpareRoom, append_blocks};

/// The vectorized functions for one set of instructions.
///
/// A value of this type is reachable only where the CPU has the instructions: see [`available`].
#[derive(Debug)]
pub struct Kernels {
    /// The name that [`VARIABLE`] takes.
    pub name: &'static str,
    /// The instructions, for people.
    pub summary: &'static str,
    functions: Functions,
}

/// Passes the functions of a kernel to a macro, behind other arguments in brackets.
macro_rules! with_functions {
    ($macro:ident $arguments:tt) => {
        $macro! {
            $arguments
            /// Returns the length of a well-formed prefix that ends on a sequence boundary. It may be
            /// shorter than the longest one only if the text is ill-formed; a sequence cut by the end is
            /// excluded.
            utf8(bytes: &[u8]) -> usize;
            /// Returns a lower bound on the number of bytes at the front that are ASCII.
            ascii(bytes: &[u8]) -> usize;
            /// Returns the length of a well-formed prefix of UTF-16, as [`utf8`](Self::utf8) does; in
            /// little-endian order if `little`.
            utf16(bytes: &[u8], little: bool) -> usize;
            /// Returns the length of a well-formed prefix of UTF-32, as [`utf16`](Self::utf16) does.
            utf32(bytes: &[u8], little: bool) -> usize;
            /// Reads the scalar values of UTF-8 into `values`: as many as certainly fit, and none for a
            /// sequence that the end cuts.
            read_utf8(bytes: &[u8], values: &mut [u32]) -> Loaded;
            /// Reads the code points of UTF-16, lone surrogates included, as [`read_utf8`](Self::read_utf8)
            /// does.
            read_utf16(bytes: &[u8], little: bool, values: &mut [u32]) -> Loaded;
            /// Looks up the code points of bytes in the table of a code page. Returns the number of bytes.
            read_page(bytes: &[u8], points: &[u16; 256], values: &mut [u32]) -> usize;
            /// Returns a lower bound on the number of bytes before the first that is in a set.
            before_any(bytes: &[u8], set: &ByteSet) -> usize;
            /// Appends the characters of a code page as UTF-8. Returns the number of bytes read, 0 if the
            /// kernel has no way that takes less time than [`read_page`](Self::read_page) and
            /// [`write_utf8`](Self::write_utf8).
            write_page(bytes: &[u8], page: &PageChars, out: &mut Vec<u8>) -> usize;
            /// Appends values as UTF-16, as [`write_utf8`](Self::write_utf8) does.
            write_utf16(values: &[u32], little: bool, out: &mut Vec<u8>) -> usize;
            /// Appends UTF-8 as UTF-16, at most up to the first ill-formed sequence. Returns the number of
            /// bytes read, which end on a sequence boundary.
            utf8_to_utf16(bytes: &[u8], little: bool, out: &mut Vec<u8>) -> usize;
            /// Appends UTF-8 as UTF-32, as [`utf8_to_utf16`](Self::utf8_to_utf16) does.
            utf8_to_utf32(bytes: &[u8], little: bool, out: &mut Vec<u8>) -> usize;
            /// Appends UTF-16 as UTF-8, as [`utf8_to_utf16`](Self::utf8_to_utf16) does.
            utf16_to_utf8(bytes: &[u8], little: bool, out: &mut Vec<u8>) -> usize;
            /// Appends UTF-32 as UTF-8, at most up to the first unit that is no scalar value. Returns the
            /// number of bytes read.
            utf32_to_utf8(bytes: &[u8], little: bool, out: &mut Vec<u8>) -> usize;
            /// Appends values that are in a set of ASCII characters as bytes, at most up to the first that
            /// is not. Returns the number of values written.
            write_ascii(values: &[u32], set: &AsciiSet, out: &mut Vec<u8>) -> usize;
            /// Sets the code of each byte of a text. Sequences must be well-formed; continuation bytes
            /// (80..=BF) and bytes that have a bit in the text may stand anywhere. The codes of characters of
            /// several bytes come from `chars`.
            row_codes(text: &mut RowText, chars: &CharCodes);
            /// Appends rows of six bytes: the offset, eight binary digits of each byte after the mark of its
            /// code, and the text column.
            bit_rows(text: &RowText, span: RowSpan, look: &RowLook, out: &mut Vec<u8>);
            /// Appends rows of sixteen bytes in two hexadecimal digits each, as
            /// [`bit_rows`](Self::bit_rows) does.
            hex_rows(text: &RowText, span: RowSpan, look: &RowLook, out: &mut Vec<u8>);
            /// Appends the text column of the bytes in a range.
            row_column(text: &RowText, range: Range<usize>, look: &RowLook, out: &mut Vec<u8>);
            /// Appends a text with `stand_in` for each maximal subpart of an ill-formed sequence. Reads no
            /// byte of an end that more bytes could continue.
            lossy(bytes: &[u8], stand_in: &[u8], text: &mut Vec<u8>) -> Replaced;
            /// Returns the number of bytes of a text before the first sequence that is in a set.
            skip(bytes: &[u8], filter: &SequenceFilter) -> usize;
            /// Appends the indexes of the first bytes of the ill-formed sequences in UTF-8 that starts on a
            /// sequence boundary. The continuation bytes after a lead byte, as many as it announces at most,
            /// belong to its sequence; each surrogate of a pair is a sequence. Returns the number of bytes
            /// examined, which end on a boundary. It need not examine the last bytes.
            faults(bytes: &[u8], starts: &mut Vec<u32>) -> usize;
            /// Finds these bytes as [`faults`](Self::faults) does, for [`FaultBits::finish`]. Returns the number
            /// of bytes examined.
            fault_bits(bytes: &[u8], bits: &mut FaultBits) -> usize;
            /// Appends marks of these bytes and of line feeds, as [`faults`](Self::faults) does. Returns the
            /// mark of the end of the bytes examined.
            fault_marks(bytes: &[u8], marks: &mut FaultMarks) -> FaultMark;
        }
    };
}

#[cfg(any(target_arch = "x86_64", all(target_arch = "aarch64", target_endian = "little")))]
use with_functions;

/// Declares [`Functions`], and the safe methods of [`Kernels`] that call them.
macro_rules! declare {
    (
        []
        $($(#[$doc:meta])* $name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)?;)*
    ) => {
        /// The functions of a kernel, documented at the methods of [`Kernels`] that call them.
        #[derive(Debug)]
        #[allow(missing_docs)] // each has the name of a method of Kernels
        pub struct Functions {
            $(pub $name: unsafe fn($($type),*) $(-> $result)?,)*
        }

        impl Kernels {
            $(
                $(#[$doc])*
                #[inline]
                pub fn $name(&self, $($argument: $type),*) $(-> $result)? {
                    // SAFETY: `Kernels::new` is unsafe: its caller guarantees that the CPU has the
                    // instructions. The functions have no other requirement.
                    unsafe { (self.functions.$name)($($argument),*) }
                }
            )*
        }
    };
}

with_functions!(declare[]);

/// Values are UTF-32 in this byte order.
const NATIVE_IS_LITTLE: bool = cfg!(target_endian = "little");

/// Returns the bytes of values.
pub(crate) fn bytes_of(values: &[u32]) -> &[u8] {
    // SAFETY: the bytes are those of the slice, and bytes need no alignment.
    unsafe { slice::from_raw_parts(values.as_ptr().cast(), size_of_val(values)) }
}

impl Kernels {
    /// Returns a lower bound on the number of values at the front that are scalar values.
    pub fn scalars(&self, values: &[u32]) -> usize {
        self.utf32(bytes_of(values), NATIVE_IS_LITTLE) / size_of::<u32>()
    }

    /// Appends values as UTF-8, at most up to the first that is no scalar value. Returns the number
    /// of values written.
    pub fn write_utf8(&self, values: &[u32], out: &mut Vec<u8>) -> usize {
        self.utf32_to_utf8(bytes_of(values), NATIVE_IS_LITTLE, out) / size_of::<u32>()
    }

    /// Returns a kernel of these functions.
    ///
    /// # Safety
    /// Each function can be called on this CPU, with any arguments.
    pub const unsafe fn new(
        name: &'static str,
        summary: &'static str,
        functions: Functions,
    ) -> Kernels {
        Kernels { name, summary, functions }
    }
}

/// The progress of a read: bytes consumed and values produced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Loaded {
    /// The number of bytes read.
    pub read: usize,
    /// The number of values they stand for.
    pub written: usize,
}

impl AddAssign for Loaded {
    fn add_assign(&mut self, more: Loaded) {
        self.read += more.read;
        self.written += more.written;
    }
}

/// The progress of a replacement of ill-formed sequences.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Replaced {
    /// The number of bytes read.
    pub read: usize,
    /// The number of bytes in ill-formed sequences.
    pub ill_formed: usize,
}

/// A row of [`KERNELS`].
struct KernelRow {
    kernels: Kernels,
    /// Returns `true` if this CPU has the instructions.
    is_available: fn() -> bool,
}

/// The kernels of this platform, the best first. The last is available on every CPU.
static KERNELS: &[KernelRow] = &[
    #[cfg(target_arch = "x86_64")]
    avx512::ROW,
    #[cfg(target_arch = "x86_64")]
    vectors::AVX2,
    #[cfg(target_arch = "x86_64")]
    vectors::SSE,
    #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
    vectors::NEON,
    scalar::ROW,
];

/// Returns the start of the sequence that reaches beyond `end`, or `end`.
#[inline]
pub(crate) fn boundary(bytes: &[u8], end: usize) -> usize {
    let reaches = |&back: &usize| bytes[end - back].leading_ones() as usize > back;
    (1..=3.min(end)).find(reaches).map_or(end, |back| end - back)
}

/// Returns the lowest bits of the eight bytes of a word, that of the lowest byte as the lowest bit. The
/// other bits must be clear.
pub(crate) const fn gather_bits(word: u64) -> u8 {
    // The product moves bit 8 * i to bit 56 + i, for each i below 8.
    (word.wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
}

/// Counts the bytes that match. The chunks have whole vectors, and are short enough to be counted in
/// a byte, so that the compiler vectorizes the sum.
#[inline(always)]
pub fn count(bytes: &[u8], matches: impl Fn(u8) -> bool) -> u64 {
    let few = |chunk: &[u8]| chunk.iter().fold(0, |sum: u8, &byte| sum + u8::from(matches(byte)));
    let (chunks, rest) = bytes.as_chunks::<COUNTED>();
    let whole: u64 = chunks.iter().map(|chunk| u64::from(few(chunk))).sum();
    whole + u64::from(few(rest))
}

/// The number of bytes that are counted at a time: those of three of the longest vectors.
const COUNTED: usize = 192;

/// The length in bytes of the longest sequence of UTF-8.
pub(crate) const LONGEST_UTF8: usize = 4;

/// The number of code points between two branches.
const BLOCK: usize = 16;

/// Returns the number of code points at the front that match.
#[inline(always)]
pub(crate) fn front(values: &[u32], matches: impl Fn(u32) -> bool) -> usize {
    // Without an early exit within a block, so that the compiler vectorizes it.
    let all = |block: &&[u32; BLOCK]| block.iter().fold(true, |all, &value| all & matches(value));
    let (blocks, _) = values.as_chunks();
    let blocks = BLOCK * blocks.iter().take_while(all).count();
    blocks + values[blocks..].iter().take_while(|&&value| matches(value)).count()
}

/// The environment variable that selects a kernel by its name.
pub const VARIABLE: &str = "UTF8_KERNEL";

/// Returns the kernels that this CPU can run, the best first.
pub fn available() -> impl Iterator<Item = &'static Kernels> {
    KERNELS.iter().filter(|row| (row.is_available)()).map(|row| &row.kernels)
}

/// The kernel that [`best`] returns, once it is decided.
static PREFERRED: OnceLock<&Kernels> = OnceLock::new();

/// Returns the best kernel of this CPU, or the one that the process [prefers](prefer).
pub fn best() -> &'static Kernels {
    PREFERRED.get_or_init(|| available().next().unwrap_or(&scalar::ROW.kernels))
}

/// Makes [`best`] return this kernel. Has no effect after the first use of `best`.
#[cfg(feature = "cli")]
pub(crate) fn prefer(kernels: &'static Kernels) {
    let _ = PREFERRED.set(kernels);
}

/// Another name of the best kernel without AVX-512.
const PORTABLE: &str = "portable";

/// The name of the kernel with AVX-512.
const AVX512: &str = "avx512";

/// Returns the kernel of this name, if this CPU can run it.
pub fn named(name: &str) -> Option<&'static Kernels> {
    available().find(|kernels| match name {
        PORTABLE => kernels.name != AVX512,
        _ => kernels.name == name,
    })
}

/// Returns the name and summary of a kernel, and the names of all that this CPU can run.
pub fn describe(kernels: &Kernels) -> String {
    format!("{} ({}); available: {}", kernels.name, kernels.summary, names().join(", "))
}

/// Returns the names of the kernels that this CPU can run, the best first.
pub fn names() -> Vec<&'static str> {
    available().map(|kernels| kernels.name).collect()
}
