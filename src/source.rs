//! Where do bytes come from? A mapping, a file or a stream, with a carried tail.

use std::fs::{File, Metadata};
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::Path;
use std::sync::Arc;

use crate::codec::Scanner;
use crate::hex::Hex;
use crate::kernel::Kernels;
use crate::mapping::Mapping;
use crate::scan::{Chunk, REACH, Scanned};
use crate::sink::Sink;
use crate::sys;

/// How many bytes one read asks for: few enough that the scan finds them in the cache.
const BLOCK: usize = 256 << 10;

/// How many unconsumed bytes can stand in front of a block.
const HEADROOM: usize = 4 << 10;

/// How much of a mapping is handed out at a time.
const WINDOW: u64 = 4 << 20;

/// With fewer bytes for each page fault, reading is cheaper than mapping. Above it, the page cache
/// holds this part of the file in large folios.
const BYTES_PER_FAULT: u64 = 256 << 10;

/// How far to read before a mapping is tried, and tried again. Readahead grows its folios slowly,
/// so the first MiBs of a file are in small ones; and to map a small file costs more than to copy
/// it.
const STRIDE: u64 = 16 << 20;

/// Bytes in a row of a hexdump.
const ROW: u64 = 16;

/// Whether regular files are mapped. The first mapping of a process installs a handler of SIGBUS,
/// for a mapped file may shrink; it passes on what is not about a mapping of this crate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MapMode {
    /// Where it is faster, which a probe of the first bytes finds out.
    #[default]
    Auto,
    /// Whenever it is possible.
    Always,
    /// Never.
    Never,
}

/// Where a range starts, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Skip {
    /// This far from the start.
    FromStart(u64),
    /// This far from the end, or at the start if the input is shorter.
    FromEnd(u64),
}

/// How an input is to be read.
#[derive(Clone, Copy, Debug)]
pub struct Opening {
    /// Whether it is mapped.
    pub map: MapMode,
    /// Whether it is hex digits that spell the bytes.
    pub hex: bool,
    /// Where the range that is wanted starts.
    pub skip: Skip,
    /// How many bytes the range has at most.
    pub length: Option<u64>,
    /// Whether a hexdump is to show whole rows at either end of the range.
    pub rows: bool,
}

impl Default for Opening {
    fn default() -> Opening {
        let (map, skip) = (MapMode::Auto, Skip::FromStart(0));
        Opening { map, hex: false, skip, length: None, rows: false }
    }
}

/// The memory that inputs are read into. One serves any number of them, one after another.
#[derive(Debug)]
pub struct Buffer {
    bytes: Vec<u8>,
    /// Where a block starts: on a page, with the headroom in front of it.
    block: usize,
}

impl Default for Buffer {
    fn default() -> Buffer {
        let page = sys::page_size();
        let bytes = vec![0; HEADROOM + page + BLOCK];
        let block = HEADROOM + bytes[HEADROOM..].as_ptr().align_offset(page).min(page);
        Buffer { bytes, block }
    }
}

/// An input, handed out in chunks.
#[derive(Debug)]
pub struct Source<'b> {
    input: Input,
    buffer: &'b mut Buffer,
    /// The bytes in the buffer that are not consumed.
    held: Range<usize>,
    /// The offset of the next byte to be handed out.
    offset: u64,
    /// The offset of the byte after the last one that may be handed out.
    until: u64,
    /// Whether a read has met the end.
    ended: bool,
    /// Whether that was before the end that was expected.
    short: bool,
    /// The range that is wanted.
    wanted: Range<u64>,
}

enum Input {
    Stream(Box<dyn Read>),
    Regular(Regular),
}

impl std::fmt::Debug for Input {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Input::Stream(_) => f.write_str("Stream"),
            Input::Regular(regular) => regular.fmt(f),
        }
    }
}

/// A regular file. Its bytes can be looked at again.
#[derive(Debug)]
struct Regular {
    past: Past,
    /// What the file was when it was opened.
    stamp: Stamp,
    /// Whether the position of the descriptor is shared with other processes, who expect it
    /// behind what was read.
    shared: bool,
    mapping: Option<Mapping>,
    /// Up to which offset the mapping is done with.
    released: u64,
    way: Way,
    /// Whether one read brought the whole file.
    at_once: bool,
}

/// How the next bytes of a regular file are to be had.
#[derive(Clone, Copy, Debug)]
enum Way {
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
pub struct Past {
    file: Arc<File>,
    base: u64,
}

/// What does not change while a file stays as it is: size and time of the last change.
#[derive(Debug, PartialEq)]
struct Stamp(u64, i64, i64);

impl Stamp {
    fn of(metadata: &Metadata) -> Stamp {
        Stamp(metadata.size(), metadata.ctime(), metadata.ctime_nsec())
    }
}

impl<'b> Source<'b> {
    /// Open a file.
    ///
    /// # Errors
    /// Those of opening it; `IsADirectory`; `Unsupported` for a skip from the end of a stream.
    pub fn open(path: &Path, how: &Opening, buffer: &'b mut Buffer) -> io::Result<Source<'b>> {
        Source::of_file(File::open(path)?, false, how, buffer)
    }

    /// Read standard input, from where it stands.
    ///
    /// # Errors
    /// As for [`open`](Source::open).
    pub fn stdin(how: &Opening, buffer: &'b mut Buffer) -> io::Result<Source<'b>> {
        let descriptor = io::stdin().as_fd().try_clone_to_owned()?;
        Source::of_file(File::from(descriptor), true, how, buffer)
    }

    /// Read bytes that are in memory.
    ///
    /// # Errors
    /// What is wrong with the hex digits.
    pub fn text(bytes: Vec<u8>, how: &Opening, buffer: &'b mut Buffer) -> io::Result<Source<'b>> {
        let bytes = if how.hex {
            let mut spelt = Vec::new();
            Hex::new(&bytes[..]).read_to_end(&mut spelt)?;
            spelt
        } else {
            bytes
        };
        let wanted = wanted(how, Some(bytes.len() as u64))?;
        let until = reach(&wanted, how.rows).end;
        Ok(Source::of(Input::Stream(Box::new(io::Cursor::new(bytes))), wanted, until, buffer))
    }

    /// Read a stream.
    ///
    /// # Errors
    /// `Unsupported` for a skip from its end.
    pub fn reader(
        reader: impl Read + 'static,
        how: &Opening,
        buffer: &'b mut Buffer,
    ) -> io::Result<Source<'b>> {
        let wanted = wanted(how, None)?;
        let reader: Box<dyn Read> =
            if how.hex { Box::new(Hex::new(reader)) } else { Box::new(reader) };
        let until = reach(&wanted, how.rows).end;
        Ok(Source::of(Input::Stream(reader), wanted, until, buffer))
    }

    fn of_file(
        file: File,
        shared: bool,
        how: &Opening,
        buffer: &'b mut Buffer,
    ) -> io::Result<Source<'b>> {
        let metadata = file.metadata()?;
        if metadata.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        // Files of /proc say that they are empty, and are not.
        let empty = metadata.is_file() && metadata.len() == 0;
        if !metadata.is_file() || empty || how.hex {
            let how = match how.skip {
                Skip::FromEnd(_) if empty && !how.hex => {
                    &Opening { skip: Skip::FromStart(0), ..*how }
                }
                _ => how,
            };
            sys::enlarge_pipe(file.as_fd(), 4 * BLOCK);
            return Source::reader(Patient(file), how, buffer);
        }
        let base = if shared { (&file).stream_position()? } else { 0 };
        let len = metadata.len().saturating_sub(base);
        let wanted = wanted(how, Some(len))?;
        let reach = reach(&wanted, how.rows);
        let (offset, until) = (reach.start.min(len), reach.end.min(len));
        let mut regular = Regular {
            past: Past { file: Arc::new(file), base },
            stamp: Stamp::of(&metadata),
            shared,
            mapping: None,
            released: 0,
            at_once: false,
            way: Way::Read {
                up_to: if how.map == MapMode::Auto { offset + STRIDE } else { u64::MAX },
            },
        };
        if how.map == MapMode::Always && offset < until && regular.map(until) {
            regular.way = Way::Map;
        }
        let source = Source::of(Input::Regular(regular), wanted, until, buffer);
        Ok(Source { offset, ..source })
    }

    fn of(input: Input, wanted: Range<u64>, until: u64, buffer: &'b mut Buffer) -> Source<'b> {
        Source {
            input,
            held: buffer.block..buffer.block,
            buffer,
            offset: 0,
            until,
            ended: false,
            short: false,
            wanted,
        }
    }

    /// The range of offsets that is wanted. What is handed out reaches a little beyond it on both
    /// sides, and on a stream from the start of the input.
    pub fn wanted(&self) -> Range<u64> {
        self.wanted.clone()
    }

    /// How many bytes there are before the end of what is handed out, if that is known.
    pub fn length(&self) -> Option<u64> {
        (!self.may_wait()).then_some(self.until)
    }

    /// The offset of the next byte that is handed out.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// A way to look up what is not handed out, or no longer, if the input has one.
    pub fn past(&self) -> Option<Past> {
        match &self.input {
            Input::Regular(regular) => Some(regular.past.clone()),
            Input::Stream(_) => None,
        }
    }

    /// Whether the next [`fill`](Source::fill) may wait for someone to write.
    pub fn may_wait(&self) -> bool {
        matches!(self.input, Input::Stream(_))
    }

    /// The next chunk: what was not consumed of the one before, and new bytes behind it, unless
    /// it is the last.
    ///
    /// # Errors
    /// Those of reading; the file has changed.
    ///
    /// # Panics
    /// If more than a page of the last chunk was not consumed: a scan leaves a few bytes.
    pub fn fill(&mut self) -> io::Result<Chunk<'_>> {
        if let Some(mapped) = self.mapped()? {
            let last = mapped.end == self.until;
            return Ok(Chunk { bytes: self.window(mapped), offset: self.offset, last });
        }
        let tail = self.held.len();
        assert!(tail <= HEADROOM, "a scan leaves less than a page");
        let block = self.buffer.block;
        self.buffer.bytes.copy_within(self.held.clone(), block - tail);
        let next = self.offset + tail as u64;
        let left = self.until - next;
        let free = &mut self.buffer.bytes[block..][..BLOCK];
        let most = left.min(BLOCK as u64) as usize;
        let got = match &mut self.input {
            _ if self.ended || left == 0 => 0,
            Input::Stream(reader) => reader.read(&mut free[..most])?,
            Input::Regular(regular) => regular.read(free, next, left)?.min(most),
        };
        self.short |= got == 0 && left > 0 && !self.ended;
        self.ended |= got == 0 || got as u64 == left;
        self.held = block - tail..block + got;
        let bytes = &self.buffer.bytes[self.held.clone()];
        Ok(Chunk { bytes, offset: self.offset, last: self.ended })
    }

    /// Which part of a mapping is to be handed out next, if one is.
    fn mapped(&mut self) -> io::Result<Option<Range<u64>>> {
        let Input::Regular(regular) = &mut self.input else { return Ok(None) };
        regular.choose(self.offset, self.until);
        if matches!(regular.way, Way::Read { .. }) {
            return Ok(None);
        }
        regular.unbroken()?;
        regular.release(self.offset);
        self.held = self.buffer.block..self.buffer.block;
        Ok(Some(self.offset..self.until.min(self.offset + WINDOW)))
    }

    fn window(&self, part: Range<u64>) -> &[u8] {
        match &self.input {
            Input::Regular(Regular { mapping: Some(mapping), .. }) => {
                &mapping.bytes()[part.start as usize..part.end as usize]
            }
            _ => &[],
        }
    }

    /// The first so many bytes of the last chunk are done with.
    pub fn consume(&mut self, bytes: usize) {
        self.offset += bytes as u64;
        self.held.start += bytes.min(self.held.len());
    }

    /// Hand everything out to a scanner and its sink, until the sink has enough. Returns the
    /// offset that was reached.
    ///
    /// # Errors
    /// Those of reading and of the sink; a regular file is not what it was when it was opened.
    pub fn feed(
        &mut self,
        scanner: &mut dyn Scanner,
        kernels: &Kernels,
        sink: &mut dyn Sink,
    ) -> io::Result<u64> {
        loop {
            if self.may_wait() {
                sink.pause()?;
            }
            let chunk = self.fill()?;
            let (offset, last) = (chunk.offset, chunk.last);
            let Scanned { consumed, flow } = scanner.scan(kernels, chunk, sink)?;
            self.consume(consumed);
            if last || flow.is_break() {
                self.finish()?;
                return Ok(offset + consumed as u64);
            }
        }
    }

    /// Nothing more is wanted: leave the input as who shares it expects it, and see whether it is
    /// still what it was.
    fn finish(&self) -> io::Result<()> {
        let Input::Regular(regular) = &self.input else { return Ok(()) };
        if regular.shared {
            let end = SeekFrom::Start(regular.past.base + self.offset);
            (&*regular.past.file).seek(end)?;
        }
        if !regular.at_once {
            regular.unchanged()?;
        }
        // Files of sysfs are shorter than they say, and take no blocks.
        if self.short && regular.past.file.metadata()?.blocks() > 0 {
            return Err(io::Error::other(
                "ended before its end (is the disk or the network well?)",
            ));
        }
        regular.unbroken()
    }
}

impl Regular {
    /// Map the file up to an offset. Says whether it is mapped now: what cannot be, can be read.
    fn map(&mut self, until: u64) -> bool {
        if self.mapping.is_none() {
            let len = usize::try_from(until).unwrap_or(usize::MAX);
            self.mapping = Mapping::new(&self.past.file, self.past.base, len).ok();
        }
        self.mapping.is_some()
    }

    /// Read at an offset, where the file had so many bytes left when it was opened.
    fn read(&mut self, out: &mut [u8], offset: u64, left: u64) -> io::Result<usize> {
        let got = self.past.read(out, offset)?;
        // The same read saw the start and the end: there was no time for a change.
        self.at_once = offset == 0 && got as u64 == left && got < out.len();
        Ok(got)
    }

    /// Choose how the bytes at an offset are to be had: try the mapping now and then, and stay
    /// with it as long as it brings many bytes with each page fault.
    fn choose(&mut self, offset: u64, until: u64) {
        self.way = match self.way {
            Way::Read { up_to } if offset >= up_to => match self.map(until) {
                true => Way::Window { faults: sys::page_faults() },
                false => Way::Read { up_to: u64::MAX },
            },
            Way::Window { faults: before } => {
                let faults = sys::page_faults();
                match (faults - before) * BYTES_PER_FAULT > WINDOW {
                    true => Way::Read { up_to: offset + STRIDE },
                    false => Way::Window { faults },
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
        if Stamp::of(&self.past.file.metadata()?) == self.stamp {
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

impl Past {
    /// Read at an offset of the input.
    fn read(&self, out: &mut [u8], offset: u64) -> io::Result<usize> {
        patiently(self.file.as_fd(), || self.file.read_at(out, self.base + offset))
    }

    /// A source of the first `until` bytes.
    pub fn source<'b>(&self, until: u64, buffer: &'b mut Buffer) -> Source<'b> {
        let again = Input::Stream(Box::new(Again { past: self.clone(), offset: 0 }));
        Source::of(again, 0..until, until, buffer)
    }
}

/// The range that is wanted of an input whose length may be known.
fn wanted(how: &Opening, len: Option<u64>) -> io::Result<Range<u64>> {
    let start = match (how.skip, len) {
        (Skip::FromStart(skip), _) => skip,
        (Skip::FromEnd(back), Some(len)) => len.saturating_sub(back),
        (Skip::FromEnd(_), None) => return Err(io::ErrorKind::Unsupported.into()),
    };
    Ok(start..how.length.map_or(u64::MAX, |length| start.saturating_add(length)))
}

/// What is to be read for a range: what starts in it is judged with all its bytes.
fn reach(wanted: &Range<u64>, rows: bool) -> Range<u64> {
    if wanted.is_empty() {
        return wanted.clone();
    }
    let row = if rows { ROW } else { 1 };
    let start = wanted.start.saturating_sub(REACH) / row * row;
    let end = wanted.end.saturating_add(REACH).checked_next_multiple_of(row);
    start..end.unwrap_or(u64::MAX)
}

/// Reads the past from its start.
struct Again {
    past: Past,
    offset: u64,
}

impl Read for Again {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let got = self.past.read(out, self.offset)?;
        self.offset += got as u64;
        Ok(got)
    }
}

/// Reads from a descriptor.
pub(crate) struct Patient(pub(crate) File);

impl Read for Patient {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        patiently(self.0.as_fd(), || (&self.0).read(out))
    }
}

/// Read whatever interrupts it, and wait where there is nothing yet.
fn patiently(fd: BorrowedFd<'_>, mut read: impl FnMut() -> io::Result<usize>) -> io::Result<usize> {
    loop {
        match read() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => sys::wait(fd, libc::POLLIN)?,
            result => return result,
        }
    }
}
