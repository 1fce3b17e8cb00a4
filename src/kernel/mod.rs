//! Which kernels has this CPU?
//!
//! A kernel answers one question, "how far is this certainly well formed?", with a lower bound on
//! a sequence boundary, and never explains. [`Codec::step`](crate::codec::Codec::step) alone
//! knows the grammar, so a wrong kernel can only be slow, or be caught by the laws in `tests/`.

use std::sync::OnceLock;

#[cfg(target_arch = "x86_64")]
mod avx512;
mod portable;
mod scalar;

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
fn boundary(bytes: &[u8], end: usize) -> usize {
    let reaches = |&back: &usize| bytes[end - back].leading_ones() as usize > back;
    (1..=3.min(end)).find(reaches).map_or(end, |back| end - back)
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
