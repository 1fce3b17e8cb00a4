//! Shared parts of the benchmarks.
//!
//! The benchmarks are the binaries `kernels`, `convert` and `process`; run them from this folder
//! with `cargo run --release --bin NAME`.

pub mod args;
pub mod corpus;
pub mod harness;
pub mod machine;
