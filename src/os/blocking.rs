//! Reads that retry after a signal and wait on a non-blocking descriptor.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsFd, BorrowedFd};

use super::calls;

/// Reads from a descriptor.
pub(crate) struct BlockingReader(pub(crate) File);

impl Read for BlockingReader {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        patiently(self.0.as_fd(), || (&self.0).read(out))
    }
}

/// Read whatever interrupts it, and wait where there is nothing yet.
pub(crate) fn patiently(
    fd: BorrowedFd<'_>,
    mut read: impl FnMut() -> io::Result<usize>,
) -> io::Result<usize> {
    loop {
        match read() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                calls::wait(fd, libc::POLLIN)?
            }
            result => return result,
        }
    }
}
