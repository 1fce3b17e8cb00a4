//! The services of [`os`](super) on platforms other than Unix, with the means of std: files are
//! read, never mapped.

use std::fs::{File, Metadata};
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::time::SystemTime;

/// Reads from a file.
pub(crate) struct BlockingReader(pub(crate) File);

impl Read for BlockingReader {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.0.read(out)
    }
}

/// The size and the time of the last change of a file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FileStamp {
    size: u64,
    modified: Option<SystemTime>,
}

impl FileStamp {
    pub(crate) fn of(metadata: &Metadata) -> FileStamp {
        FileStamp { size: metadata.len(), modified: metadata.modified().ok() }
    }
}

/// A file in memory. There are none.
#[derive(Debug)]
pub(crate) enum Mapping {}

impl Mapping {
    /// Returns `Unsupported`.
    pub(crate) fn new(_: &File, _: u64, _: usize) -> io::Result<Mapping> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        match *self {}
    }

    pub(crate) fn release(&self, _: Range<usize>) {
        match *self {}
    }

    pub(crate) fn error(&self) -> Option<io::Error> {
        match *self {}
    }
}

/// Bytes that are zero at first.
#[derive(Debug)]
pub(crate) struct ZeroedMemory(Vec<u8>);

impl ZeroedMemory {
    /// Allocates `len` bytes.
    pub(crate) fn new(len: usize) -> io::Result<ZeroedMemory> {
        Ok(ZeroedMemory(vec![0; len]))
    }

    pub(crate) fn bytes(&mut self) -> &mut [u8] {
        &mut self.0
    }
}

/// Reads bytes at a position of a file. Moves the position of the descriptor.
pub(crate) fn read_at(mut file: &File, out: &mut [u8], position: u64) -> io::Result<usize> {
    file.seek(SeekFrom::Start(position))?;
    file.read(out)
}

/// Returns the position: holes are not known.
pub(crate) fn next_data(_: &File, position: u64) -> u64 {
    position
}

/// Returns `true` if a file takes no blocks of a disk, as files of /proc and /sys on Linux.
pub(crate) fn has_no_blocks(_: &Metadata) -> bool {
    false
}

/// Does nothing: the size of pipes is fixed.
pub(crate) fn enlarge_pipe(_: &File, _: usize) {}

/// Returns 0: nothing is mapped.
pub(crate) fn page_faults() -> u64 {
    0
}

/// Returns the number of further threads for which there is room, as far as it is known.
pub(crate) fn room_for_threads() -> usize {
    usize::MAX
}
