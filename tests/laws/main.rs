//! Laws of the kernels and of the scan.

#[path = "../common/mod.rs"]
mod common;

mod kernels;
mod layout;
mod splits;
mod transcode;
