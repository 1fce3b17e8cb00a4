//! Laws of the kernels, of the scan and of the source tree.

#[path = "../common/mod.rs"]
mod common;

mod kernels;
mod layout;
mod lints;
mod splits;
mod threads;
mod transcode;
