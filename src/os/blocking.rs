//! Reads that wait for bytes, and copies. Neither fails if a signal interrupts it.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::os::fd::AsFd;
use std::os::unix::fs::FileExt;

use super::calls::{self, retry};

/// Reads from a file, which may be non-blocking.
pub(crate) struct BlockingReader(pub(crate) File);

impl Read for BlockingReader {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        read_ready(&self.0, || (&self.0).read(out))
    }
}

/// Reads bytes at a position of a file, and leaves the position of the descriptor alone. Returns
/// their number, 0 at the end.
pub(crate) fn read_at(file: &File, out: &mut [u8], position: u64) -> io::Result<usize> {
    read_ready(file, || file.read_at(out, position))
}

/// Copies up to `most` bytes, from the position of one file to that of another. Returns the number of
/// bytes.
pub(crate) fn copy(mut from: &File, mut to: &File, most: u64) -> io::Result<u64> {
    let start = from.stream_position()?;
    retry(|| {
        // An interrupted copy leaves both positions behind the bytes that it has copied.
        let copied = from.stream_position()?.saturating_sub(start);
        Ok(copied + io::copy(&mut from.take(most - copied), &mut to)?)
    })
}

/// Repeats a read of a file that was interrupted, and waits where no bytes are ready.
fn read_ready(file: &File, mut read: impl FnMut() -> io::Result<usize>) -> io::Result<usize> {
    loop {
        match retry(&mut read) {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                calls::wait(file.as_fd(), libc::POLLIN)?
            }
            result => return result,
        }
    }
}
