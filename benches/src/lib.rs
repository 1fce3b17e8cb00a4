//! What do the benchmarks share?
//!
//! `cargo run --release --bin kernels` and `--bin process`, from this folder, measure. Each says
//! how in its first lines.

pub mod args;
pub mod corpus;
pub mod harness;
pub mod machine;
