//! Laws of the kernels, of the scan and of the source tree.

#[path = "../common/mod.rs"]
mod common;
#[path = "../properties/mod.rs"]
mod properties;

mod kernel_rows;
mod kernels;
mod layout;
mod lints;
mod seeds;
mod splits;
mod threads;
mod transcode;
