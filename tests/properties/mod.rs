//! Properties that hold for every input. Tests check them on the corpus and on random text, the fuzz
//! targets in `fuzz/` on anything else.
#![allow(dead_code)] // each test uses its part of it

pub mod baselines;
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
pub mod reports;
pub mod seeds;
pub mod splits;

use crate::common::inputs::Rng;
use utf8::registry::{self, Encoding};

/// A property and its name, which is that of its fuzz target.
#[derive(Clone, Copy, Debug)]
pub struct Property {
    pub name: &'static str,
    /// Returns the number of its cases, 256 at most.
    pub cases: fn() -> usize,
    /// Panics if a text does not have the property in a case. The generator makes all other choices.
    pub check: Check,
    /// True if each check runs the program.
    pub is_slow: bool,
}

/// A check of a case, which is one small piece of work: fuzzing does one of them with an input, tests
/// do all.
pub type Check = fn(usize, &mut Rng, &[u8]);

/// The number of bytes at the start of an input that choose how the others are examined.
pub const HEAD: usize = 5;

impl Property {
    /// Checks an input: the first byte chooses the case, the next ones seed the generator.
    pub fn check_input(&self, input: &[u8]) {
        let (head, text) = input.split_at(input.len().min(HEAD));
        let mut word = [0; 8];
        word[..head.len()].copy_from_slice(head);
        let seed = u64::from_le_bytes(word);
        (self.check)(seed as u8 as usize % (self.cases)(), &mut Rng::new(seed >> 8), text);
    }
}

const fn quick(name: &'static str, cases: fn() -> usize, check: Check) -> Property {
    Property { name, cases, check, is_slow: false }
}

const fn slow(name: &'static str, check: Check) -> Property {
    Property { name, cases: || 1, check, is_slow: true }
}

// A constant each, so that a fuzz target has the code of its own property only: fewer counters of
// coverage, which are looked through after every execution.
pub const KERNELS: Property = quick("kernels", kernels::cases, kernels::check);
pub const CODECS: Property = quick("codecs", || 1, codecs::check);
pub const LANES: Property = quick("lanes", codecs::lane_cases, codecs::check_lanes);
pub const SPLITS: Property = quick("splits", splits::cases, splits::check);
pub const RANGES: Property = quick("ranges", ranges::cases, ranges::check);
pub const REPAIR: Property = quick("repair", repair::cases, repair::check);
pub const MOJIBAKE: Property = quick("mojibake", mojibake::cases, mojibake::check);
pub const DUMP: Property = quick("dump", dump::cases, dump::check);
pub const UNDUMP: Property = quick("undump", || 1, dump::check_reverse);
pub const NOTATIONS: Property = quick("notations", notations::cases, notations::check);
pub const DETECT: Property = quick("detect", detect::cases, detect::check);
pub const REPORTS: Property = quick("reports", reports::cases, reports::check);
pub const BASELINES: Property = quick("baselines", baselines::cases, baselines::check);
pub const MERGE: Property = slow("merge", command_line::check_merge);
pub const CONFIG: Property = slow("config", command_line::check_config);
pub const COMMAND_LINE: Property = slow("command_line", command_line::check);

/// All properties.
pub static PROPERTIES: &[Property] = &[
    KERNELS,
    CODECS,
    LANES,
    SPLITS,
    RANGES,
    REPAIR,
    MOJIBAKE,
    DUMP,
    UNDUMP,
    NOTATIONS,
    DETECT,
    REPORTS,
    BASELINES,
    MERGE,
    CONFIG,
    COMMAND_LINE,
];

/// Returns the property with this name.
pub fn named(name: &str) -> &'static Property {
    PROPERTIES.iter().find(|property| property.name == name).expect(name)
}

/// Returns one of the encodings.
pub fn encoding(rng: &mut Rng) -> &'static Encoding {
    let all = registry::CODECS;
    &all[rng.below(all.len())]
}

/// Returns ascending offsets, some of them equal.
pub fn cuts(rng: &mut Rng, len: usize) -> Vec<usize> {
    let mut cuts: Vec<_> = (0..rng.below(6)).map(|_| rng.below(len + 1)).collect();
    cuts.sort_unstable();
    cuts
}
