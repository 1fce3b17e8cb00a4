//! Regular files: read or mapped, whichever is faster, and checked for changes while they are read.

use std::fs::{File, Metadata};
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::sync::Arc;

use super::MapMode;
use crate::os::{self, FileStamp, Mapping};

/// The number of bytes of one window of a mapping.
const WINDOW: u64 = 4 << 20;

/// The least number of bytes per page fault for which mapping is cheaper than reading. It is
/// exceeded where the page cache holds the file in large folios.
const BYTES_PER_FAULT: u64 = 256 << 10;

/// The number of bytes to read before a mapping is tried, and tried again. Readahead grows its
/// folios slowly, so the first MiBs of a file are in small ones. Small files are cheaper to read
/// than to map.
const STRIDE: u64 = 16 << 20;

/// A regular file that is read once from start to end.
#[derive(Debug)]
pub(super) struct RegularFile {
    blocks: FileBlocks,
    /// True if a single read returned the whole file.
    at_once: bool,
    /// The whole file, if a single read returned it before.
    pub whole: Option<Arc<Vec<u8>>>,
}

/// Consecutive bytes of a regular file: read or mapped, whichever is faster.
#[derive(Debug)]
pub(crate) struct FileBlocks {
    lookback: Lookback,
    mapping: Option<Mapping>,
    /// The offset up to which the pages of the mapping were released.
    released: u64,
    mode: ReadMode,
}

/// The way to get the next bytes of a regular file.
#[derive(Clone, Copy, Debug)]
enum ReadMode {
    /// Reading, up to an offset where a mapping is tried.
    Read { up_to: u64 },
    /// The mapping. `faults` is the number of page faults before the last window.
    Window { faults: u64 },
    /// The mapping, whatever it costs.
    Map,
}

/// Random access to a regular file that is being read: bytes that have passed can be read again.
#[derive(Clone, Debug)]
pub struct Lookback {
    file: Arc<File>,
    /// The state of the file when it was opened.
    stamp: FileStamp,
    /// The position in the file at which the input starts, in bytes.
    base: u64,
    /// True if other processes share the position of the descriptor. They expect it after the last
    /// byte that was scanned.
    shared: bool,
    map: MapMode,
    /// The offset at which the first scan started anew.
    seam: Option<u64>,
}

impl RegularFile {
    /// Returns a file to be read from an offset on.
    pub fn new(lookback: Lookback, offset: u64) -> RegularFile {
        RegularFile { blocks: lookback.blocks(offset), at_once: false, whole: None }
    }

    /// Reads all bytes, for a receiver that needs bytes that no other process changes.
    pub fn forbid_mapping(&mut self) {
        self.blocks.mode = ReadMode::Read { up_to: u64::MAX };
    }

    /// Returns `true` if further bytes may be read rather than mapped.
    pub fn may_be_read(&self) -> bool {
        self.whole.is_none() && !matches!(self.blocks.mode, ReadMode::Map)
    }

    /// Returns random access to the file.
    pub fn lookback(&self) -> &Lookback {
        &self.blocks.lookback
    }

    /// See [`FileBlocks::next_window`]. The whole file is one window, if it was read before.
    ///
    /// # Errors
    /// Returns an error if a page of the mapping was lost.
    pub fn next_window(&mut self, offset: u64, end: u64) -> io::Result<Option<Range<u64>>> {
        if let Some(whole) = &self.whole
            && offset == 0
        {
            self.at_once = true;
            return Ok(Some(0..end.min(whole.len() as u64)));
        }
        self.blocks.next_window(offset, end)
    }

    /// Returns the bytes of a window.
    pub fn window(&self, part: Range<u64>) -> &[u8] {
        match &self.whole {
            Some(whole) if self.at_once => &whole[part.start as usize..part.end as usize],
            _ => self.blocks.window(part),
        }
    }

    /// Reads bytes at an offset, where `left` bytes were left when the file was opened.
    pub fn read(&mut self, out: &mut [u8], offset: u64, left: u64) -> io::Result<usize> {
        let got = self.lookback().read(out, offset)?;
        // One read saw the start and the end: the file cannot have changed in between.
        self.at_once = offset == 0 && got as u64 == left && got < out.len();
        Ok(got)
    }

    /// Ends reading at an offset. `short` says that the file ended before its size.
    ///
    /// # Errors
    /// Returns an error if the file was changed since it was opened, or is incomplete.
    pub fn finish(&self, offset: u64, short: bool) -> io::Result<()> {
        let lookback = self.lookback();
        if lookback.shared {
            (&*lookback.file).seek(SeekFrom::Start(lookback.base + offset))?;
        }
        if !self.at_once {
            lookback.check_stamp()?;
        }
        // Files of /sys are shorter than their size, and have no blocks.
        if short && !os::has_no_blocks(&lookback.file.metadata()?) {
            let message = "shorter than its reported size (I/O error?)";
            return Err(io::Error::other(message));
        }
        self.blocks.check_mapping()
    }
}

impl FileBlocks {
    /// Returns the next bytes from an offset on, up to `end` at most; none at the end of the file.
    /// They are read into `block`, or mapped: then they may change while they are used.
    ///
    /// # Errors
    /// Returns the errors of reading; an error if a page of the mapping was lost.
    pub(crate) fn next<'a>(
        &'a mut self,
        block: &'a mut [u8],
        offset: u64,
        end: u64,
    ) -> io::Result<&'a [u8]> {
        if let Some(window) = self.next_window(offset, end)? {
            return Ok(self.window(window));
        }
        let most = (end - offset).min(block.len() as u64) as usize;
        let got = self.lookback.read(&mut block[..most], offset)?;
        Ok(&block[..got])
    }

    /// Returns the next window of the mapping from an offset on; `None` if the next bytes are to
    /// be read.
    fn next_window(&mut self, offset: u64, end: u64) -> io::Result<Option<Range<u64>>> {
        self.choose_mode(offset, end);
        if matches!(self.mode, ReadMode::Read { .. }) {
            return Ok(None);
        }
        self.check_mapping()?;
        self.release(offset);
        Ok(Some(offset..end.min(offset + WINDOW)))
    }

    fn window(&self, part: Range<u64>) -> &[u8] {
        let mapped = self.mapping.as_ref().map_or(&[][..], Mapping::bytes);
        &mapped[part.start as usize..part.end as usize]
    }

    /// Chooses how to get the bytes at an offset: tries the mapping after each [`STRIDE`] and keeps
    /// it while page faults are rare.
    fn choose_mode(&mut self, offset: u64, end: u64) {
        self.mode = match self.mode {
            ReadMode::Read { up_to } if offset >= up_to => match self.map(end) {
                true => ReadMode::Window { faults: os::page_faults() },
                false => ReadMode::Read { up_to: u64::MAX },
            },
            ReadMode::Window { faults: before } => {
                let faults = os::page_faults();
                match (faults - before) * BYTES_PER_FAULT > WINDOW {
                    true => ReadMode::Read { up_to: offset + STRIDE },
                    false => ReadMode::Window { faults },
                }
            }
            ReadMode::Map => match self.map(end) {
                true => ReadMode::Map,
                false => ReadMode::Read { up_to: u64::MAX },
            },
            mode @ ReadMode::Read { .. } => mode,
        }
    }

    /// Maps the file up to an offset. Returns `true` if it is mapped; a file that cannot be mapped
    /// is read.
    fn map(&mut self, end: u64) -> bool {
        if self.mapping.is_none() {
            let len = usize::try_from(end).unwrap_or(usize::MAX);
            self.mapping = Mapping::new(&self.lookback.file, self.lookback.base, len).ok();
        }
        self.mapping.is_some()
    }

    /// Releases the pages of the mapping before an offset, so that they do not count as memory in
    /// use.
    fn release(&mut self, offset: u64) {
        if let Some(mapping) = &self.mapping {
            mapping.release(self.released as usize..offset as usize);
            self.released = offset;
        }
    }

    /// Returns an error if a page of the mapping was lost: because the file was changed, or else
    /// because the device could not read it.
    pub(crate) fn check_mapping(&self) -> io::Result<()> {
        match self.mapping.as_ref().and_then(Mapping::error) {
            Some(error) => self.lookback.check_stamp().and(Err(error)),
            None => Ok(()),
        }
    }
}

impl Lookback {
    /// Returns access to an input that starts at the position `base` of a file, which was opened
    /// just now, with this metadata.
    pub(super) fn new(
        file: Arc<File>,
        metadata: &Metadata,
        base: u64,
        shared: bool,
        map: MapMode,
        seam: Option<u64>,
    ) -> Lookback {
        Lookback { file, stamp: FileStamp::of(metadata), base, shared, map, seam }
    }

    /// Returns the offset at which the first scan started anew.
    pub(crate) fn seam(&self) -> Option<u64> {
        self.seam
    }

    /// Returns the bytes from an offset on.
    pub(crate) fn blocks(self, offset: u64) -> FileBlocks {
        let mode = match self.map {
            MapMode::Auto => ReadMode::Read { up_to: offset + STRIDE },
            MapMode::Always => ReadMode::Map,
            MapMode::Never => ReadMode::Read { up_to: u64::MAX },
        };
        FileBlocks { lookback: self, mapping: None, released: 0, mode }
    }

    /// Reads bytes at an offset of the input. Returns their number, 0 at the end.
    pub(crate) fn read(&self, out: &mut [u8], offset: u64) -> io::Result<usize> {
        os::read_at(&self.file, out, self.base + offset)
    }

    /// Reads bytes at an offset of the input until the buffer is full or the input ends. Returns their
    /// number.
    pub(super) fn fill(&self, out: &mut [u8], offset: u64) -> io::Result<usize> {
        os::fill_at(&self.file, out, self.base + offset)
    }

    /// Returns the offset of the first byte at or after an offset that is not in a hole of a sparse
    /// file, as far as the system knows.
    pub(crate) fn next_data(&self, offset: u64) -> u64 {
        // The position of a shared descriptor must not move, not even for a moment.
        match self.shared {
            true => offset,
            false => os::next_data(&self.file, self.base + offset) - self.base,
        }
    }

    /// Returns an error if the file was changed since it was opened.
    fn check_stamp(&self) -> io::Result<()> {
        if FileStamp::of(&self.file.metadata()?) == self.stamp {
            return Ok(());
        }
        Err(io::Error::other(CHANGED))
    }
}

/// The error for a file that was changed while it was read.
pub(crate) const CHANGED: &str =
    "changed while it was read (run again; a pipe from cat reads a file that grows)";

/// Reads an input again from an offset.
pub(super) struct RereadStream {
    lookback: Lookback,
    offset: u64,
}

impl RereadStream {
    pub fn new(lookback: Lookback, offset: u64) -> RereadStream {
        RereadStream { lookback, offset }
    }
}

impl Read for RereadStream {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let got = self.lookback.read(out, self.offset)?;
        self.offset += got as u64;
        Ok(got)
    }
}
