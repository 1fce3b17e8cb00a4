//! How are the bytes of a regular file had? By reading or from a mapping, whichever is faster here,
//! and with an eye on whether the file stays what it was.

use std::fs::{File, Metadata};
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::os::fd::AsFd;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::sync::Arc;

use super::{Buffer, ByteStream, MapMode, Source};
use crate::os::blocking::patiently;
use crate::os::calls;
use crate::os::mapping::Mapping;
use crate::os::stamp::FileStamp;

/// How much of a mapping is handed out at a time.
const WINDOW: u64 = 4 << 20;

/// With fewer bytes for each page fault, reading is cheaper than mapping. Above it, the page cache
/// holds this part of the file in large folios.
const BYTES_PER_FAULT: u64 = 256 << 10;

/// How far to read before a mapping is tried, and tried again. Readahead grows its folios slowly,
/// so the first MiBs of a file are in small ones; and to map a small file costs more than to copy
/// it.
const STRIDE: u64 = 16 << 20;

/// A regular file. Its bytes can be looked at again.
#[derive(Debug)]
pub(super) struct RegularFile {
    pub past: Lookback,
    /// What the file was when it was opened.
    stamp: FileStamp,
    /// Whether the position of the descriptor is shared with other processes, who expect it
    /// behind what was read.
    shared: bool,
    mapping: Option<Mapping>,
    /// Up to which offset the mapping is done with.
    released: u64,
    way: ReadMode,
    /// Whether one read brought the whole file.
    at_once: bool,
}

/// How the next bytes of a regular file are to be had.
#[derive(Clone, Copy, Debug)]
enum ReadMode {
    /// By reading, up to an offset where a mapping is to be tried.
    Read { up_to: u64 },
    /// From the mapping, where so many page faults had been before the last window.
    Window { faults: u64 },
    /// From the mapping, whatever it costs.
    Map,
}

/// A regular file and the place in it where the input starts: what was not looked at when it
/// passed can be looked up.
#[derive(Clone, Debug)]
pub struct Lookback {
    file: Arc<File>,
    base: u64,
    /// Where the input is judged anew, as the source was that this is the past of.
    pub(super) seam: Option<u64>,
}

impl RegularFile {
    /// A file that was opened just now. The input is what is behind `base` in it, and is wanted
    /// from `start` to `until`.
    pub fn new(
        file: File,
        metadata: &Metadata,
        base: u64,
        shared: bool,
        map: MapMode,
        reach: Range<u64>,
    ) -> RegularFile {
        let up_to = if map == MapMode::Auto { reach.start + STRIDE } else { u64::MAX };
        let mut regular = RegularFile {
            past: Lookback { file: Arc::new(file), base, seam: None },
            stamp: FileStamp::of(metadata),
            shared,
            mapping: None,
            released: 0,
            way: ReadMode::Read { up_to },
            at_once: false,
        };
        if map == MapMode::Always && !reach.is_empty() && regular.map(reach.end) {
            regular.way = ReadMode::Map;
        }
        regular
    }

    /// Map the file up to an offset. Says whether it is mapped now: what cannot be, can be read.
    fn map(&mut self, until: u64) -> bool {
        if self.mapping.is_none() {
            let len = usize::try_from(until).unwrap_or(usize::MAX);
            self.mapping = Mapping::new(&self.past.file, self.past.base, len).ok();
        }
        self.mapping.is_some()
    }

    /// Which part of the mapping is to be handed out at an offset, if it is to come from there.
    pub fn mapped(&mut self, offset: u64, until: u64) -> io::Result<Option<Range<u64>>> {
        self.choose(offset, until);
        if matches!(self.way, ReadMode::Read { .. }) {
            return Ok(None);
        }
        self.unbroken()?;
        self.release(offset);
        Ok(Some(offset..until.min(offset + WINDOW)))
    }

    /// A part of the mapping.
    pub fn window(&self, part: Range<u64>) -> &[u8] {
        let mapped = self.mapping.as_ref().map_or(&[][..], Mapping::bytes);
        &mapped[part.start as usize..part.end as usize]
    }

    /// Nothing more is wanted: leave the file as who shares it expects it, and see whether it is
    /// still what it was. `short` says that it ended before its size.
    pub fn finish(&self, offset: u64, short: bool) -> io::Result<()> {
        if self.shared {
            (&*self.past.file).seek(SeekFrom::Start(self.past.base + offset))?;
        }
        if !self.at_once {
            self.unchanged()?;
        }
        // Files of sysfs are shorter than they say, and take no blocks.
        if short && self.past.file.metadata()?.blocks() > 0 {
            let hint = "ended before its end (is the disk or the network well?)";
            return Err(io::Error::other(hint));
        }
        self.unbroken()
    }

    /// Read at an offset, where the file had so many bytes left when it was opened.
    pub fn read(&mut self, out: &mut [u8], offset: u64, left: u64) -> io::Result<usize> {
        let got = self.past.read(out, offset)?;
        // The same read saw the start and the end: there was no time for a change.
        self.at_once = offset == 0 && got as u64 == left && got < out.len();
        Ok(got)
    }

    /// Choose how the bytes at an offset are to be had: try the mapping now and then, and stay
    /// with it as long as it brings many bytes with each page fault.
    fn choose(&mut self, offset: u64, until: u64) {
        self.way = match self.way {
            ReadMode::Read { up_to } if offset >= up_to => match self.map(until) {
                true => ReadMode::Window { faults: calls::page_faults() },
                false => ReadMode::Read { up_to: u64::MAX },
            },
            ReadMode::Window { faults: before } => {
                let faults = calls::page_faults();
                match (faults - before) * BYTES_PER_FAULT > WINDOW {
                    true => ReadMode::Read { up_to: offset + STRIDE },
                    false => ReadMode::Window { faults },
                }
            }
            way => way,
        }
    }

    /// Let go of the mapping's pages up to an offset, so that they do not count as memory in use.
    fn release(&mut self, offset: u64) {
        if let Some(mapping) = &self.mapping {
            mapping.release(self.released as usize..offset as usize);
            self.released = offset;
        }
    }

    /// The file is still what it was when it was opened, or else why not.
    fn unchanged(&self) -> io::Result<()> {
        if FileStamp::of(&self.past.file.metadata()?) == self.stamp {
            return Ok(());
        }
        let hint = "changed while it was read (run again, or have cat read it through a pipe)";
        Err(io::Error::other(hint))
    }

    /// No page of the mapping was lost. If one was: the file has changed, or else the device
    /// could not read it.
    fn unbroken(&self) -> io::Result<()> {
        match &self.mapping {
            Some(mapping) if mapping.broken() => {
                self.unchanged().and(Err(io::Error::from_raw_os_error(libc::EIO)))
            }
            _ => Ok(()),
        }
    }
}

impl Lookback {
    /// Read at an offset of the input.
    pub(super) fn read(&self, out: &mut [u8], offset: u64) -> io::Result<usize> {
        patiently(self.file.as_fd(), || self.file.read_at(out, self.base + offset))
    }

    /// A source of the first `until` bytes.
    pub fn source<'b>(&self, until: u64, buffer: &'b mut Buffer) -> Source<'b> {
        let again = ByteStream::Stream(Box::new(RereadStream { past: self.clone(), offset: 0 }));
        let seam = self.seam.filter(|&seam| seam < until);
        Source { seam, ..Source::of(again, seam.unwrap_or(0)..until, until, buffer) }
    }
}

/// Reads the past from its start.
struct RereadStream {
    past: Lookback,
    offset: u64,
}

impl Read for RereadStream {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let got = self.past.read(out, self.offset)?;
        self.offset += got as u64;
        Ok(got)
    }
}
