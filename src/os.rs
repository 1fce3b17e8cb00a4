//! System calls, mappings and atomic replacement of files: all `unsafe` that is not SIMD.

pub(crate) mod blocking;
pub(crate) mod calls;
pub(crate) mod mapping;
pub mod replace;
pub(crate) mod stamp;
