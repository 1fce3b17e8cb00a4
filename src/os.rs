//! Services of the operating system: mappings, atomic replacement of files, system calls. All
//! `unsafe` code outside of the kernels is here.
//!
//! The items directly in this module exist on every platform; most submodules need a Unix.

use std::fs::File;
use std::io;

#[cfg(unix)]
mod address_space;
#[cfg(unix)]
pub(crate) mod blocking;
#[cfg(unix)]
pub(crate) mod calls;
#[cfg(unix)]
pub(crate) mod directory;
#[cfg(unix)]
mod mapping;
#[cfg(all(feature = "cli", target_arch = "x86_64"))]
pub mod memory;
#[cfg(not(unix))]
mod portable;
#[cfg(unix)]
pub mod replace;
#[cfg(unix)]
pub(crate) mod stamp;

#[cfg(not(unix))]
pub(crate) use portable::{
    BlockingReader, FileStamp, Mapping, ZeroedMemory, enlarge_pipe, has_no_blocks, next_data,
    page_faults, read_at, room_for_threads,
};
#[cfg(unix)]
pub(crate) use {
    address_space::room_for_threads,
    blocking::{BlockingReader, read_at},
    calls::{enlarge_pipe, next_data, page_faults},
    mapping::{Mapping, ZeroedMemory},
    stamp::{FileStamp, has_no_blocks},
};

/// Reads bytes at a position of a file until the buffer is full or the file ends. Returns their number.
pub(crate) fn fill_at(file: &File, out: &mut [u8], position: u64) -> io::Result<usize> {
    let mut filled = 0;
    while filled < out.len() {
        match read_at(file, &mut out[filled..], position + filled as u64)? {
            0 => break,
            read => filled += read,
        }
    }
    Ok(filled)
}
