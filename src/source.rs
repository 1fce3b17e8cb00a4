//! Inputs: files, streams and bytes in memory, as hex digits or as they are.

use std::fs::{File, Metadata};
use std::io::{self, Read, Seek};
use std::ops::{ControlFlow, Range};
use std::sync::Arc;

use crate::kernel::Kernels;
use crate::os;
use crate::registry::Encoding;
use crate::scan::Feed;
use crate::sink::{Sink, within};
use ahead::AheadScan;
use buffer::BLOCK;
use hex::HexReader;
use regular::{RegularFile, RereadStream};

pub use ahead::ThreadCount;
pub use buffer::Buffer;
pub use options::{HEXDUMP_ROW, MapMode, RangeStart, ReadOptions};
#[cfg(feature = "cli")]
pub(crate) use regular::CHANGED;
pub use regular::Lookback;

pub mod hex;

mod ahead;
mod buffer;
mod options;
mod regular;

/// The length in bytes of the longest BOM that selects a codec.
const SIGNATURE: usize = 4;

/// The largest number of bytes of the start of a range that are kept.
pub const HEAD: usize = 64 << 10;

/// An input that is opened for one pass over a range of its bytes.
#[derive(Debug)]
pub struct Source<'b> {
    input: ByteStream<'b>,
    buffer: &'b mut Buffer,
    /// The offset of the next byte to read.
    offset: u64,
    /// The offset at which reading ends, at or after the end of the range.
    end: u64,
    /// An offset at which the scan starts anew: the start of the range, for a stream whose codec
    /// must start there.
    seam: Option<u64>,
    /// True if the input ended before `end`.
    ended: bool,
    range: Range<u64>,
    /// The first bytes of the range, if they are kept.
    head: Option<Vec<u8>>,
    /// The number of threads that scan it.
    threads: ThreadCount,
    /// The number of bytes of the whole input, if it is known before it is read.
    size: Option<u64>,
    /// The part of a stream that the range needs, if the stream is a part of an input.
    part: Option<StreamPart>,
}

/// The part of an input that a stream has to have.
#[derive(Clone, Copy, Debug)]
struct StreamPart {
    /// The offset up to which it is needed; `None` for all of it.
    end: Option<u64>,
}

enum ByteStream<'b> {
    Stream(Box<dyn Read + 'b>),
    Regular(RegularFile),
}

impl std::fmt::Debug for ByteStream<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ByteStream::Stream(_) => f.write_str("Stream"),
            ByteStream::Regular(file) => file.fmt(f),
        }
    }
}

/// Consecutive bytes of a source.
struct Block<'a> {
    bytes: &'a [u8],
    /// True if reading ends here, or a new scan begins.
    last: bool,
}

impl<'b> Source<'b> {
    /// Reads a file from its start, which is the position of the descriptor.
    ///
    /// # Errors
    /// `IsADirectory`; `Unsupported` for a range from the end of a stream.
    pub fn from_start(
        file: Arc<File>,
        options: &ReadOptions,
        buffer: &'b mut Buffer,
    ) -> io::Result<Source<'b>> {
        let metadata = file.metadata()?;
        Source::with_file(file, &metadata, false, options, buffer)
    }

    /// Reads a regular file that was examined before. `whole` is its content, if that was read at
    /// once, and `metadata` its state before.
    ///
    /// # Errors
    /// Returns the errors of [`from_start`](Source::from_start).
    #[cfg(feature = "cli")]
    pub(crate) fn from_examined(
        file: Arc<File>,
        metadata: &Metadata,
        whole: Option<Arc<Vec<u8>>>,
        options: &ReadOptions,
        buffer: &'b mut Buffer,
    ) -> io::Result<Source<'b>> {
        let mut source = Source::with_file(file, metadata, false, options, buffer)?;
        if let ByteStream::Regular(file) = &mut source.input {
            file.whole = whole;
        }
        Ok(source)
    }

    /// Reads a file from its current position. The position is left after the last scanned byte,
    /// for other processes that share it.
    ///
    /// # Errors
    /// Returns the errors of [`from_start`](Source::from_start).
    pub fn from_file(
        file: File,
        options: &ReadOptions,
        buffer: &'b mut Buffer,
    ) -> io::Result<Source<'b>> {
        let metadata = file.metadata()?;
        Source::with_file(Arc::new(file), &metadata, true, options, buffer)
    }

    /// Reads bytes in memory.
    ///
    /// # Errors
    /// Returns `InvalidData` for a character that is not expected in hex digits.
    pub fn from_bytes(
        bytes: Vec<u8>,
        options: &ReadOptions,
        buffer: &'b mut Buffer,
    ) -> io::Result<Source<'b>> {
        let bytes = if options.hex {
            let mut decoded = Vec::new();
            HexReader::new(&bytes[..]).read_to_end(&mut decoded)?;
            decoded
        } else {
            bytes
        };
        let size = Some(bytes.len() as u64);
        let range = options.range(size)?;
        let reader = Box::new(io::Cursor::new(bytes));
        Ok(Source { size, ..Source::with_stream(reader, range, options, buffer) })
    }

    /// Reads a stream.
    ///
    /// # Errors
    /// Returns `Unsupported` for a range from its end.
    pub fn from_reader(
        reader: impl Read + 'b,
        options: &ReadOptions,
        buffer: &'b mut Buffer,
    ) -> io::Result<Source<'b>> {
        let range = options.range(options.of)?;
        let reader: Box<dyn Read + 'b> =
            if options.hex { Box::new(HexReader::new(reader)) } else { Box::new(reader) };
        match options.at.or(options.of.map(|_| 0)) {
            Some(at) => Source::with_part(reader, at, range, options, buffer),
            None => Ok(Source::with_stream(reader, range, options, buffer)),
        }
    }

    /// Returns a source of a stream that starts at an offset of the whole input.
    ///
    /// # Errors
    /// Returns an error if the stream starts after the bytes that the range needs, or ends before.
    fn with_part(
        mut reader: Box<dyn Read + 'b>,
        at: u64,
        range: Range<u64>,
        options: &ReadOptions,
        buffer: &'b mut Buffer,
    ) -> io::Result<Source<'b>> {
        let Range { start, end } = options.extent(&range);
        let end = options.of.map_or(end, |of| end.min(of));
        if at > start {
            let message =
                format!("starts at byte {at}, but the range needs the bytes from {start}");
            return Err(io::Error::other(message));
        }
        io::copy(&mut reader.by_ref().take(start - at), &mut io::sink())?;
        let needed = Some(end).filter(|_| options.of.is_some() || options.length.is_some());
        let part = Some(StreamPart { end: needed });
        let stream = ByteStream::Stream(reader);
        let source = Source::new(stream, range, start..end.max(start), None, buffer);
        Ok(Source { size: options.of, part, ..source })
    }

    fn with_file(
        file: Arc<File>,
        metadata: &Metadata,
        shared: bool,
        options: &ReadOptions,
        buffer: &'b mut Buffer,
    ) -> io::Result<Source<'b>> {
        if metadata.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        // Files of /proc have the size 0, and files of /sys that of a page, whatever they contain.
        let may_lie =
            metadata.is_file() && os::has_no_blocks(metadata) && metadata.len() < BLOCK as u64;
        if may_lie && !options.hex && matches!(options.skip, RangeStart::FromEnd(_)) {
            let mut bytes = Vec::new();
            os::BlockingReader(file.try_clone()?).take(BLOCK as u64).read_to_end(&mut bytes)?;
            return match bytes.len() {
                BLOCK => Err(io::ErrorKind::Unsupported.into()),
                _ => Source::from_bytes(bytes, options, buffer),
            };
        }
        if !metadata.is_file() || metadata.len() == 0 || options.hex {
            os::enlarge_pipe(&file, 4 * BLOCK);
            return Source::from_reader(os::BlockingReader(file.try_clone()?), options, buffer);
        }
        let base = if shared { (&*file).stream_position()? } else { 0 };
        let len = metadata.len().saturating_sub(base);
        let range = options.range(Some(len))?;
        let extent = options.extent(&range);
        let extent = extent.start.min(len)..extent.end.min(len);
        // Nothing can be mapped of an empty range.
        let map = if extent.is_empty() { MapMode::Never } else { options.map };
        let lookback = Lookback::new(file, metadata, base, shared, map, options.seam(&range));
        let file = RegularFile::new(lookback, extent.start);
        let mut source = Source::new(ByteStream::Regular(file), range, extent, None, buffer);
        source.size = Some(len);
        source.threads = options.threads;
        Ok(source)
    }

    /// Returns a source of a stream, which is read from its start.
    fn with_stream(
        reader: Box<dyn Read + 'b>,
        range: Range<u64>,
        options: &ReadOptions,
        buffer: &'b mut Buffer,
    ) -> Source<'b> {
        let (seam, end) = (options.seam(&range), options.extent(&range).end);
        Source::new(ByteStream::Stream(reader), range, 0..end, seam, buffer)
    }

    /// Returns a source of a part of a file that was read before, for a second scan. It starts at
    /// 0, or at a boundary of sequences in a file without a [seam](Lookback::seam).
    pub fn reread(lookback: &Lookback, part: Range<u64>, buffer: &'b mut Buffer) -> Source<'b> {
        let reader = RereadStream::new(lookback.clone(), part.start);
        let stream = ByteStream::Stream(Box::new(reader));
        let seam = lookback.seam().filter(|&seam| seam < part.end);
        Source::new(stream, seam.unwrap_or(part.start)..part.end, part, seam, buffer)
    }

    fn new(
        input: ByteStream<'b>,
        range: Range<u64>,
        extent: Range<u64>,
        seam: Option<u64>,
        buffer: &'b mut Buffer,
    ) -> Source<'b> {
        Source {
            input,
            buffer,
            offset: extent.start,
            end: extent.end,
            seam,
            ended: false,
            range,
            head: None,
            threads: ThreadCount::One,
            size: None,
            part: None,
        }
    }

    /// Returns the offsets of the range to read. A scan covers a few bytes more on both sides, and
    /// a stream from its start on.
    pub fn range(&self) -> Range<u64> {
        self.range.clone()
    }

    /// Returns the offset at which reading ends, if the length of the input is known.
    pub fn length(&self) -> Option<u64> {
        (!self.may_wait()).then_some(self.end)
    }

    /// Returns the number of bytes of the whole input, if it is known. The number of a stream is known
    /// once it has ended.
    #[cfg(feature = "cli")]
    pub(crate) fn size(&self) -> Option<u64> {
        self.size.or(self.ended.then_some(self.offset))
    }

    /// Returns a reader for any range of the input, if it is a regular file.
    pub fn lookback(&self) -> Option<Lookback> {
        match &self.input {
            ByteStream::Regular(file) => Some(file.lookback().clone()),
            ByteStream::Stream(_) => None,
        }
    }

    /// Keeps the first bytes of the range that a scan reads, up to [`HEAD`].
    pub fn keep_head(&mut self) {
        self.head = Some(Vec::new());
    }

    /// Removes and returns the bytes that were kept.
    pub fn take_head(&mut self) -> Vec<u8> {
        self.head.take().unwrap_or_default()
    }

    /// Returns `true` if a read may wait for another process to write.
    fn may_wait(&self) -> bool {
        matches!(self.input, ByteStream::Stream(_))
    }

    /// Scans the input into a sink, until the sink breaks. Returns the offset that was reached.
    ///
    /// # Errors
    /// Returns the errors of reading and of the sink; an error if a regular file was changed since
    /// it was opened.
    pub fn scan(
        &mut self,
        mut encoding: &'static Encoding,
        kernels: &'static Kernels,
        sink: &mut dyn Sink,
    ) -> io::Result<u64> {
        if self.part.is_some() && self.offset > 0 && encoding.tells_byte_order() {
            let message =
                format!("{} needs the byte order mark: name the byte order", encoding.name);
            return Err(io::Error::other(message));
        }
        // The first bytes of the input, where a scan starts after them.
        let (mut start, mut known) = ([0; SIGNATURE], 0);
        if let (ByteStream::Regular(file), 1..) = (&self.input, self.offset) {
            let before = self.offset.min(SIGNATURE as u64) as usize;
            known = file.lookback().fill(&mut start[..before], 0)?;
            encoding = apply_bom(encoding, &start[..known], sink);
        }
        let mut feed = Feed::new(encoding.open(self.offset), kernels, self.offset);
        if let ByteStream::Regular(file) = &mut self.input
            && !(sink.tolerates_changes() && feed.tolerates_changes())
        {
            file.forbid_mapping();
        }
        let (range, mut head) = (self.range(), self.head.take());
        loop {
            if self.may_wait() {
                sink.pause()?;
            }
            let offset = self.offset;
            let Block { bytes, last } = self.read_block()?;
            if let Some(head) = &mut head {
                let part = &bytes[within(&range, offset, bytes)];
                head.extend_from_slice(&part[..part.len().min(HEAD - head.len())]);
            }
            if offset < SIGNATURE as u64 {
                let at = offset as usize;
                known = SIGNATURE.min(at + bytes.len());
                start[at..known].copy_from_slice(&bytes[..known - at]);
            }
            let mut flow = feed.push(bytes, sink)?;
            if !last && flow.is_continue() {
                flow = self.scan_ahead(encoding, &mut feed, sink)?;
            }
            if last && flow.is_continue() {
                flow = feed.finish(sink)?;
            }
            if flow.is_break() || last && !self.pass_seam() {
                self.head = head;
                self.complete_head()?;
                self.finish(feed.offset())?;
                return Ok(feed.offset());
            }
            if last {
                // The range is scanned as if the input started with it, except that a BOM at the
                // start of the input still selects the codec.
                encoding = apply_bom(encoding, &start[..known], sink);
                feed = Feed::new(encoding.open(self.offset), kernels, self.offset);
            }
        }
    }

    /// Reads those first bytes of a regular file that a sink has not waited for.
    ///
    /// # Errors
    /// Returns the errors of reading.
    fn complete_head(&mut self) -> io::Result<()> {
        if let (Some(head), ByteStream::Regular(file)) = (&mut self.head, &self.input) {
            let known = head.len();
            let end = self.size.map_or(self.range.end, |size| self.range.end.min(size));
            let left = end.saturating_sub(self.range.start + known as u64);
            head.resize(known + left.min((HEAD - known) as u64) as usize, 0);
            let read = file.lookback().fill(&mut head[known..], self.range.start + known as u64)?;
            head.truncate(known + read);
        }
        Ok(())
    }

    /// Scans the next parts of a large file with several threads, if that is asked for and possible.
    fn scan_ahead(
        &mut self,
        encoding: &'static Encoding,
        feed: &mut Feed,
        sink: &mut dyn Sink,
    ) -> io::Result<ControlFlow<()>> {
        let end = self.end.min(self.range.end);
        // The first bytes decide about a BOM, and are kept.
        let is_due = self.offset >= self.range.start.saturating_add(HEAD as u64);
        let ByteStream::Regular(file) = &self.input else { return Ok(ControlFlow::Continue(())) };
        if is_due && file.may_be_read() {
            let threads = std::mem::replace(&mut self.threads, ThreadCount::One);
            let threads = threads.number(end.saturating_sub(self.range.start));
            let range = self.offset..end;
            let mut scan = AheadScan::new(file.lookback(), encoding, range, threads);
            let flow = scan.run(feed, sink)?;
            self.offset = scan.reached();
            return Ok(flow);
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Passes the bytes of the range to `receive` in blocks, unscanned, with the offset of each,
    /// until it breaks. Returns the offset that was reached.
    ///
    /// # Errors
    /// Returns the errors of reading and of `receive`; an error if a regular file was changed
    /// since it was opened.
    pub fn for_each_block(
        &mut self,
        mut receive: impl FnMut(u64, &[u8]) -> io::Result<ControlFlow<()>>,
    ) -> io::Result<u64> {
        self.seam = None;
        if let ByteStream::Regular(file) = &mut self.input {
            file.forbid_mapping();
        }
        let range = self.range.clone();
        loop {
            let offset = self.offset;
            let Block { bytes, last } = self.read_block()?;
            let part = within(&range, offset, bytes);
            let reached = offset + part.end as u64;
            let flow = receive(offset + part.start as u64, &bytes[part])?;
            if last || flow.is_break() {
                self.finish(reached)?;
                return Ok(reached);
            }
        }
    }

    /// Returns the next bytes of the input.
    fn read_block(&mut self) -> io::Result<Block<'_>> {
        let window = match &mut self.input {
            ByteStream::Regular(file) => file.next_window(self.offset, self.end)?,
            ByteStream::Stream(_) => None,
        };
        if let Some(window) = window {
            self.offset = window.end;
            let last = window.end == self.end;
            let bytes = match &self.input {
                ByteStream::Regular(file) => file.window(window),
                ByteStream::Stream(_) => &[],
            };
            return Ok(Block { bytes, last });
        }
        let left = self.seam.unwrap_or(self.end).min(self.end) - self.offset;
        let block = self.buffer.block()?;
        let most = left.min(block.len() as u64) as usize;
        let got = match &mut self.input {
            _ if self.ended || left == 0 => 0,
            ByteStream::Stream(reader) => reader.read(&mut block[..most])?,
            ByteStream::Regular(file) => file.read(block, self.offset, left)?.min(most),
        };
        self.ended |= got == 0 && left > 0;
        self.offset += got as u64;
        if let Some(needed) = self.part.and_then(|part| part.end)
            && self.ended
            && self.offset < needed
        {
            let message = format!(
                "ends at byte {}, but the range needs the bytes up to {needed}",
                self.offset
            );
            return Err(io::Error::other(message));
        }
        let last = self.ended || got as u64 == left;
        Ok(Block { bytes: &self.buffer.block()?[..got], last })
    }

    /// Removes the seam after the bytes before it were scanned. Returns `true` if there was one in
    /// the input.
    fn pass_seam(&mut self) -> bool {
        self.seam.take().is_some() && !(self.ended && self.offset < self.range.start)
    }

    /// Ends reading at an offset.
    ///
    /// # Errors
    /// Returns an error if the file was changed since it was opened.
    fn finish(&self, offset: u64) -> io::Result<()> {
        match &self.input {
            ByteStream::Regular(file) => file.finish(offset, self.ended),
            ByteStream::Stream(_) => Ok(()),
        }
    }
}

/// Returns the encoding of the text after the start of an input, and tells the sink if a BOM there
/// selects another one.
fn apply_bom(encoding: &'static Encoding, start: &[u8], sink: &mut dyn Sink) -> &'static Encoding {
    match encoding.after_bom(start) {
        Some(selected) => {
            sink.codec(selected.name);
            selected
        }
        None => encoding,
    }
}
