//! Properties that hold for every input. Tests check them on the corpus and on random text, the fuzz
//! targets in `fuzz/` on anything else.
#![allow(dead_code)] // each test uses its part of it

pub mod codecs;
pub mod command_line;
pub mod detect;
pub mod dump;
pub mod kernels;
pub mod lanes;
pub mod mojibake;
pub mod notations;
pub mod program;
pub mod ranges;
pub mod repair;
pub mod seeds;
pub mod splits;

use crate::common::inputs::Rng;
use utf8::registry::{CODECS, Encoding};

/// A property and its name, which is that of its fuzz target.
#[derive(Clone, Copy, Debug)]
pub struct Property {
    pub name: &'static str,
    /// Panics if the input does not have the property.
    pub check: fn(&[u8]),
    /// True if each check runs the program.
    pub is_slow: bool,
}

const fn quick(name: &'static str, check: fn(&[u8])) -> Property {
    Property { name, check, is_slow: false }
}

const fn slow(name: &'static str, check: fn(&[u8])) -> Property {
    Property { name, check, is_slow: true }
}

/// All properties.
pub static PROPERTIES: &[Property] = &[
    quick("kernels", kernels::check),
    quick("codecs", codecs::check),
    quick("lanes", codecs::check_lanes),
    quick("splits", splits::check),
    quick("ranges", ranges::check),
    quick("repair", repair::check),
    quick("mojibake", mojibake::check),
    quick("dump", dump::check),
    quick("undump", dump::check_reverse),
    quick("notations", notations::check),
    quick("detect", detect::check),
    slow("reports", command_line::check_reports),
    slow("merge", command_line::check_merge),
    slow("config", command_line::check_config),
    slow("command_line", command_line::check),
];

/// Returns the property with this name.
pub fn named(name: &str) -> &'static Property {
    PROPERTIES.iter().find(|property| property.name == name).expect(name)
}

/// Splits an input: the last bytes decide how the others are examined.
pub fn split(input: &[u8]) -> (Rng, &[u8]) {
    let (bytes, seed) = input.split_at(input.len().saturating_sub(4));
    let mut word = [0; 8];
    word[..seed.len()].copy_from_slice(seed);
    (Rng::new(u64::from_le_bytes(word)), bytes)
}

/// Returns one of the encodings.
pub fn encoding(rng: &mut Rng) -> &'static Encoding {
    &CODECS[rng.below(CODECS.len())]
}

/// Returns ascending offsets, some of them equal.
pub fn cuts(rng: &mut Rng, len: usize) -> Vec<usize> {
    let mut cuts: Vec<_> = (0..rng.below(6)).map(|_| rng.below(len + 1)).collect();
    cuts.sort_unstable();
    cuts
}
