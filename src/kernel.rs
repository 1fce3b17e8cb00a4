//! Which kernels has this CPU?
//!
//! A kernel answers questions such as "how far is this certainly well formed?" with a lower bound
//! on a sequence boundary, and never explains. [`Codec::step`](crate::codec::Codec::step) alone
//! knows the grammar, so a wrong kernel can only be slow, or be caught by the laws in `tests/`.
//!
//! Kernels that read and write code points may stop early in the same way: `step` and
//! [`Codec::put`](crate::codec::Codec::put) do what they leave. Where they read, the bytes have
//! been judged before. They may have changed since, if they are a file's that is mapped; then the
//! code points mean nothing, and everything else holds all the same.

use std::ops::AddAssign;
use std::sync::OnceLock;

#[cfg(target_arch = "x86_64")]
mod avx512;
mod portable;
mod scalar;

pub(crate) use portable::decode;
pub(crate) use scalar::mark;

/// A row of [`KERNELS`]: the same questions, answered with one set of instructions.
#[derive(Debug)]
pub struct Kernels {
    /// The name that `UTF8_KERNEL` takes.
    pub name: &'static str,
    /// What it is made of.
    pub summary: &'static str,
    /// Whether this CPU has the instructions.
    pub available: fn() -> bool,
    /// How many bytes at the front are certainly UTF-8? Where all are, all of them, but for a
    /// sequence that the end cuts. Otherwise at most the true number, and on a boundary.
    pub utf8: fn(&[u8]) -> usize,
    /// How many bytes at the front are certainly ASCII?
    pub ascii: fn(&[u8]) -> usize,
    /// How many bytes at the front are certainly UTF-16, little-endian or not? As for UTF-8.
    pub utf16: fn(&[u8], little: bool) -> usize,
    /// How many code points at the front are certainly scalar values?
    pub scalars: fn(&[u32]) -> usize,
    /// Which code points are these bytes, which are UTF-8? As many as there certainly is room
    /// for, but none for a sequence that the end cuts.
    pub read_utf8: fn(&[u8], &mut [u32]) -> Loaded,
    /// Which code points are these bytes, which are UTF-16, little-endian or not, and maybe lone
    /// surrogates? As for UTF-8.
    pub read_utf16: fn(&[u8], little: bool, &mut [u32]) -> Loaded,
    /// Which code points are these bytes, by this table? Returns how many were looked up.
    pub read_page: fn(&[u8], &[u16; 256], &mut [u32]) -> usize,
    /// Append these code points as UTF-8, up to the first that is no scalar value at most.
    /// Returns how many were written.
    pub write_utf8: fn(&[u32], &mut Vec<u8>) -> usize,
    /// Append these code points as UTF-16, little-endian or not. As for UTF-8.
    pub write_utf16: fn(&[u32], little: bool, &mut Vec<u8>) -> usize,
    /// Write each byte into its cell: a point where a sequence of UTF-8 goes on (80..=BF), else a
    /// blank; and its eight binary digits. What is in cells without a byte is not told.
    pub bits: fn(&[u8], &mut [[u8; 9]]),
    /// The same with its two hexadecimal digits, which are among these.
    pub hex: fn(&[u8], digits: &[u8; 16], &mut [[u8; 3]]),
    /// Append this text, which may not be UTF-8, with what stands in for each maximal subpart of
    /// an ill-formed sequence. Returns how many bytes of it were read: none of those that more
    /// bytes might make another subpart of.
    pub lossy: fn(&[u8], stand_in: &[u8], &mut Vec<u8>) -> usize,
}

/// How far a reader has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Loaded {
    /// How many bytes were read.
    pub read: usize,
    /// How many values they stand for.
    pub written: usize,
}

impl AddAssign for Loaded {
    fn add_assign(&mut self, more: Loaded) {
        self.read += more.read;
        self.written += more.written;
    }
}

/// Every kernel of this platform, the best first. The last is always available.
pub static KERNELS: &[Kernels] = &[
    #[cfg(target_arch = "x86_64")]
    avx512::KERNELS,
    portable::KERNELS,
    scalar::KERNELS,
];

/// Where the sequence starts that would reach beyond `end`; else `end`.
#[inline]
pub(crate) fn boundary(bytes: &[u8], end: usize) -> usize {
    let reaches = |&back: &usize| bytes[end - back].leading_ones() as usize > back;
    (1..=3.min(end)).find(reaches).map_or(end, |back| end - back)
}

/// How many bytes are such? In pieces whose number a byte holds, so that the compiler makes vectors
/// of bytes of it.
pub(crate) fn count(bytes: &[u8], such: impl Fn(u8) -> bool) -> u64 {
    let few = |piece: &[u8]| piece.iter().fold(0, |sum: u8, &byte| sum + u8::from(such(byte)));
    bytes.chunks(255).map(|piece| u64::from(few(piece))).sum()
}

/// How many code points are looked at between two branches.
const BLOCK: usize = 16;

/// How many code points at the front are of this kind?
#[inline(always)]
pub(crate) fn front(values: &[u32], kind: impl Fn(u32) -> bool) -> usize {
    // Without an early end within a block, so that the compiler makes vectors of it.
    let all = |block: &&[u32; BLOCK]| block.iter().fold(true, |all, &value| all & kind(value));
    let (blocks, _) = values.as_chunks();
    let blocks = BLOCK * blocks.iter().take_while(all).count();
    blocks + values[blocks..].iter().take_while(|&&value| kind(value)).count()
}

/// The variable of the environment that chooses a kernel by its name.
pub const VARIABLE: &str = "UTF8_KERNEL";

/// The best kernel of this CPU.
pub fn best() -> &'static Kernels {
    static BEST: OnceLock<&Kernels> = OnceLock::new();
    BEST.get_or_init(|| {
        let mut rows = KERNELS.iter();
        rows.find(|row| (row.available)()).unwrap_or(&scalar::KERNELS)
    })
}

/// The kernel of this name, if this CPU has it.
pub fn named(name: &str) -> Option<&'static Kernels> {
    KERNELS.iter().find(|row| row.name == name && (row.available)())
}

/// A kernel by its name and what it is made of, and the others that this CPU has.
pub fn describe(kernels: &Kernels) -> String {
    format!("{} ({}); available: {}", kernels.name, kernels.summary, names().join(", "))
}

/// The names of the kernels that this CPU has, the best first.
pub fn names() -> Vec<&'static str> {
    KERNELS.iter().filter(|row| (row.available)()).map(|row| row.name).collect()
}
