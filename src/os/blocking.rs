//! Reads that wait for bytes and are not interrupted by signals.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::AsFd;
use std::os::unix::fs::FileExt;

use super::calls;

/// Reads from a file, which may be non-blocking.
pub(crate) struct BlockingReader(pub(crate) File);

impl Read for BlockingReader {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        retry(&self.0, || (&self.0).read(out))
    }
}

/// Reads bytes at a position of a file, and leaves the position of the descriptor alone. Returns
/// their number, 0 at the end.
pub(crate) fn read_at(file: &File, out: &mut [u8], position: u64) -> io::Result<usize> {
    retry(file, || file.read_at(out, position))
}

/// Reads bytes at a position of a file until the buffer is full or the file ends. Returns their number.
#[cfg(feature = "cli")]
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

/// Repeats a read of a file that was interrupted, and waits where no bytes are ready.
fn retry(file: &File, mut read: impl FnMut() -> io::Result<usize>) -> io::Result<usize> {
    loop {
        match read() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                calls::wait(file.as_fd(), libc::POLLIN)?
            }
            result => return result,
        }
    }
}
