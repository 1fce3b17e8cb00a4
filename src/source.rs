//! Where do bytes come from? A mapping, a file or a stream, with a carried tail.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::ops::Range;
use std::os::fd::AsFd;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use crate::kernel::Kernels;
use crate::os::calls;
use crate::registry::Encoding;
use crate::scan::{Chunk, Scanned};
use crate::sink::Sink;
use hex::HexReader;

pub mod hex;

mod regular;

use crate::os::blocking::BlockingReader;
pub use regular::Lookback;
use regular::RegularFile;

/// How many bytes one read asks for: few enough that the scan finds them in the cache.
const BLOCK: usize = 256 << 10;

/// How many unconsumed bytes can stand in front of a block.
const HEADROOM: usize = 4 << 10;

/// The longest sequence of most codecs, in bytes.
const LONGEST: usize = 6;

/// The longest signature that tells a codec, in bytes.
const SIGNATURE: usize = 4;

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
pub enum RangeStart {
    /// This far from the start.
    FromStart(u64),
    /// This far from the end, or at the start if the input is shorter.
    FromEnd(u64),
}

/// How an input is to be read.
#[derive(Clone, Copy, Debug)]
pub struct ReadOptions {
    /// Whether it is mapped.
    pub map: MapMode,
    /// Whether it is hex digits that spell the bytes.
    pub hex: bool,
    /// Where the range that is wanted starts.
    pub skip: RangeStart,
    /// How many bytes the range has at most.
    pub length: Option<u64>,
    /// Whether a hexdump is to show whole rows at either end of the range.
    pub rows: bool,
    /// How far before the range a reader must start; `None` if it must start with the range. See
    /// [`Codec::REACH`](crate::codec::Codec::REACH).
    pub reach: Option<u64>,
    /// The longest sequence, in bytes: how far beyond the range to read for one that starts in it.
    pub longest: usize,
}

impl Default for ReadOptions {
    fn default() -> ReadOptions {
        let (map, skip) = (MapMode::Auto, RangeStart::FromStart(0));
        let reach = Some(LONGEST as u64 - 1);
        ReadOptions { map, hex: false, skip, length: None, rows: false, reach, longest: LONGEST }
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
        let page = calls::page_size();
        let bytes = vec![0; HEADROOM + page + BLOCK];
        let block = HEADROOM + bytes[HEADROOM..].as_ptr().align_offset(page).min(page);
        Buffer { bytes, block }
    }
}

/// An input, handed out in chunks.
#[derive(Debug)]
pub struct Source<'b> {
    input: ByteStream,
    buffer: &'b mut Buffer,
    /// The bytes in the buffer that are not consumed.
    held: Range<usize>,
    /// The offset of the next byte to be handed out.
    offset: u64,
    /// The offset of the byte after the last one that may be handed out.
    until: u64,
    /// Where a stream is to be judged anew: at the start of the range, if the reader must start
    /// there.
    seam: Option<u64>,
    /// Whether a read has met the end.
    ended: bool,
    /// Whether that was before the end that was expected.
    short: bool,
    /// The range that is wanted.
    wanted: Range<u64>,
}

enum ByteStream {
    Stream(Box<dyn Read>),
    Regular(RegularFile),
}

impl std::fmt::Debug for ByteStream {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ByteStream::Stream(_) => f.write_str("Stream"),
            ByteStream::Regular(regular) => regular.fmt(f),
        }
    }
}

impl<'b> Source<'b> {
    /// Open a file.
    ///
    /// # Errors
    /// Those of opening it; `IsADirectory`; `Unsupported` for a skip from the end of a stream.
    pub fn open(path: &Path, how: &ReadOptions, buffer: &'b mut Buffer) -> io::Result<Source<'b>> {
        Source::of_file(File::open(path)?, false, how, buffer)
    }

    /// Read standard input, from where it stands.
    ///
    /// # Errors
    /// As for [`open`](Source::open).
    pub fn stdin(how: &ReadOptions, buffer: &'b mut Buffer) -> io::Result<Source<'b>> {
        let descriptor = io::stdin().as_fd().try_clone_to_owned()?;
        Source::of_file(File::from(descriptor), true, how, buffer)
    }

    /// Read bytes that are in memory.
    ///
    /// # Errors
    /// What is wrong with the hex digits.
    pub fn text(
        bytes: Vec<u8>,
        how: &ReadOptions,
        buffer: &'b mut Buffer,
    ) -> io::Result<Source<'b>> {
        let bytes = if how.hex {
            let mut spelt = Vec::new();
            HexReader::new(&bytes[..]).read_to_end(&mut spelt)?;
            spelt
        } else {
            bytes
        };
        let wanted = wanted(how, Some(bytes.len() as u64))?;
        Ok(Source::stream(Box::new(io::Cursor::new(bytes)), wanted, how, buffer))
    }

    /// Read a stream.
    ///
    /// # Errors
    /// `Unsupported` for a skip from its end.
    pub fn reader(
        reader: impl Read + 'static,
        how: &ReadOptions,
        buffer: &'b mut Buffer,
    ) -> io::Result<Source<'b>> {
        let wanted = wanted(how, None)?;
        let reader: Box<dyn Read> =
            if how.hex { Box::new(HexReader::new(reader)) } else { Box::new(reader) };
        Ok(Source::stream(reader, wanted, how, buffer))
    }

    fn of_file(
        file: File,
        shared: bool,
        how: &ReadOptions,
        buffer: &'b mut Buffer,
    ) -> io::Result<Source<'b>> {
        let metadata = file.metadata()?;
        if metadata.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        // Files of /proc say that they are empty, and those of sysfs that they have a page.
        let may_lie = metadata.is_file() && metadata.blocks() == 0 && metadata.len() < BLOCK as u64;
        if may_lie && !how.hex && matches!(how.skip, RangeStart::FromEnd(_)) {
            let mut bytes = Vec::new();
            BlockingReader(file).take(BLOCK as u64).read_to_end(&mut bytes)?;
            return match bytes.len() {
                BLOCK => Err(io::ErrorKind::Unsupported.into()),
                _ => Source::text(bytes, how, buffer),
            };
        }
        if !metadata.is_file() || metadata.len() == 0 || how.hex {
            calls::enlarge_pipe(file.as_fd(), 4 * BLOCK);
            return Source::reader(BlockingReader(file), how, buffer);
        }
        let base = if shared { (&file).stream_position()? } else { 0 };
        let len = metadata.len().saturating_sub(base);
        let wanted = wanted(how, Some(len))?;
        let reach = reach(&wanted, how);
        let reach = reach.start.min(len)..reach.end.min(len);
        let mut regular = RegularFile::new(file, &metadata, base, shared, how.map, reach.clone());
        regular.past.seam = seam(&wanted, how);
        let source = Source::of(ByteStream::Regular(regular), wanted, reach.end, buffer);
        Ok(Source { offset: reach.start, ..source })
    }

    fn of(input: ByteStream, wanted: Range<u64>, until: u64, buffer: &'b mut Buffer) -> Source<'b> {
        Source {
            input,
            held: buffer.block..buffer.block,
            buffer,
            offset: 0,
            until,
            seam: None,
            ended: false,
            short: false,
            wanted,
        }
    }

    /// A stream, all of which is handed out up to the end of what is wanted.
    fn stream(
        reader: Box<dyn Read>,
        wanted: Range<u64>,
        how: &ReadOptions,
        buffer: &'b mut Buffer,
    ) -> Source<'b> {
        let until = reach(&wanted, how).end;
        let seam = seam(&wanted, how);
        Source { seam, ..Source::of(ByteStream::Stream(reader), wanted, until, buffer) }
    }

    /// What was before the seam has been handed out. Whether there was one.
    fn pass_seam(&mut self) -> bool {
        self.seam.take().is_some() && !(self.ended && self.offset < self.wanted.start)
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
    pub fn past(&self) -> Option<Lookback> {
        match &self.input {
            ByteStream::Regular(regular) => Some(regular.past.clone()),
            ByteStream::Stream(_) => None,
        }
    }

    /// Whether the next [`fill`](Source::fill) may wait for someone to write.
    pub fn may_wait(&self) -> bool {
        matches!(self.input, ByteStream::Stream(_))
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
        let part = match &mut self.input {
            ByteStream::Regular(regular) => regular.mapped(self.offset, self.until)?,
            ByteStream::Stream(_) => None,
        };
        if let Some(part) = part {
            self.held = self.buffer.block..self.buffer.block;
            let last = part.end == self.until;
            return Ok(Chunk { bytes: self.window(part), offset: self.offset, last });
        }
        let tail = self.held.len();
        assert!(tail <= HEADROOM, "a scan leaves less than a page");
        let block = self.buffer.block;
        self.buffer.bytes.copy_within(self.held.clone(), block - tail);
        let next = self.offset + tail as u64;
        let left = self.seam.unwrap_or(self.until).min(self.until) - next;
        let free = &mut self.buffer.bytes[block..][..BLOCK];
        let most = left.min(BLOCK as u64) as usize;
        let got = match &mut self.input {
            _ if self.ended || left == 0 => 0,
            ByteStream::Stream(reader) => reader.read(&mut free[..most])?,
            ByteStream::Regular(regular) => regular.read(free, next, left)?.min(most),
        };
        self.short |= got == 0 && left > 0 && !self.ended;
        self.ended |= got == 0 && left > 0;
        self.held = block - tail..block + got;
        let bytes = &self.buffer.bytes[self.held.clone()];
        let last = self.ended || got as u64 == left;
        Ok(Chunk { bytes, offset: self.offset, last })
    }

    fn window(&self, part: Range<u64>) -> &[u8] {
        match &self.input {
            ByteStream::Regular(regular) => regular.window(part),
            ByteStream::Stream(_) => &[],
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
        mut spec: &'static Encoding,
        kernels: &Kernels,
        sink: &mut dyn Sink,
    ) -> io::Result<u64> {
        // The first bytes of the input, as far as they are before what is handed out next.
        let (mut start, mut known) = ([0; SIGNATURE], 0);
        if let (ByteStream::Regular(regular), 1..) = (&self.input, self.offset) {
            let before = self.offset.min(SIGNATURE as u64) as usize;
            known = regular.past.read(&mut start[..before], 0)?;
            spec = told(spec, &start[..known], sink);
        }
        let mut scanner = (spec.open)(self.offset);
        loop {
            if self.may_wait() {
                sink.pause()?;
            }
            let chunk = self.fill()?;
            let (offset, last) = (chunk.offset, chunk.last);
            if offset < SIGNATURE as u64 {
                let at = offset as usize;
                known = SIGNATURE.min(at + chunk.bytes.len());
                start[at..known].copy_from_slice(&chunk.bytes[..known - at]);
            }
            let Scanned { consumed, flow } = scanner.scan(kernels, chunk, sink)?;
            self.consume(consumed);
            let seam = last && self.pass_seam();
            if seam {
                // As if the range were read from its start on: of what is before it, only a
                // signature is known.
                spec = told(spec, &start[..known], sink);
                scanner = (spec.open)(self.offset);
            }
            let more = !last || seam;
            if !more || flow.is_break() {
                self.finish()?;
                return Ok(offset + consumed as u64);
            }
        }
    }

    /// Nothing more is wanted: see whether the input is still what it was.
    fn finish(&self) -> io::Result<()> {
        match &self.input {
            ByteStream::Regular(regular) => regular.finish(self.offset, self.short),
            ByteStream::Stream(_) => Ok(()),
        }
    }
}

/// The codec of the text behind the start of an input, to be read from elsewhere on.
fn told(spec: &'static Encoding, start: &[u8], sink: &mut dyn Sink) -> &'static Encoding {
    match spec.after_bom(start) {
        Some(text) => {
            sink.codec(text.name);
            text
        }
        None => spec,
    }
}

/// The range that is wanted of an input whose length may be known.
fn wanted(how: &ReadOptions, len: Option<u64>) -> io::Result<Range<u64>> {
    let start = match (how.skip, len) {
        (RangeStart::FromStart(skip), _) => skip,
        (RangeStart::FromEnd(back), Some(len)) => len.saturating_sub(back),
        (RangeStart::FromEnd(_), None) => return Err(io::ErrorKind::Unsupported.into()),
    };
    Ok(start..how.length.map_or(u64::MAX, |length| start.saturating_add(length)))
}

/// Where a reader that must start with the range is to judge what is before it apart.
fn seam(wanted: &Range<u64>, how: &ReadOptions) -> Option<u64> {
    Some(wanted.start).filter(|&start| how.reach.is_none() && start > 0)
}

/// What is to be read for a range: what starts in it is judged with all its bytes.
fn reach(wanted: &Range<u64>, how: &ReadOptions) -> Range<u64> {
    if wanted.is_empty() {
        return wanted.clone();
    }
    let row = if how.rows { ROW } else { 1 };
    let start = match how.reach {
        Some(reach) => wanted.start.saturating_sub(reach) / row * row,
        None => wanted.start,
    };
    let end = wanted.end.saturating_add(how.longest as u64 - 1).checked_next_multiple_of(row);
    start..end.unwrap_or(u64::MAX)
}
