//! Scans of large files with several threads.
//!
//! Threads read blocks of a file, find well-formed runs in them, and do the work of the sink on
//! these. The thread of the sink takes the blocks in order: it passes the runs to the sink, and scans
//! the text between them itself. While the next block is not prepared, it prepares a later one. A run
//! starts at a guessed boundary of sequences. It is used only if the scan of the text before it ends
//! there, so that the result does not depend on the guess.

use std::io;
use std::num::NonZero;
use std::ops::{ControlFlow, Range};
use std::thread;

use super::Lookback;
use super::buffer::{BLOCK, Buffer};
use crate::codec::LONGEST_SEQUENCE;
use crate::codec::family::continues;
use crate::os;
use crate::registry::{Encoding, ErasedCodec};
use crate::scan::Feed;
use crate::sink::{AheadWork, Sink, well_formed_len};
use queue::{BlockQueue, QueueCloser, SinkTask};

mod queue;

/// The least number of bytes for which [`ThreadCount::Auto`] takes several threads.
const MIN_AUTO_LENGTH: u64 = 64 << 20;

/// The greatest number of threads that [`ThreadCount::Auto`] takes.
const MAX_AUTO_THREADS: usize = 8;

/// The greatest number of threads. With more, they would wait for the thread of the sink.
const MAX_THREADS: usize = 32;

/// The greatest number of bytes that are worked on at once. The bytes after a run that ends early are
/// examined again.
const MAX_LENGTH: usize = 32 << 10;

/// The number of bytes of a run that pays off.
const WORTHWHILE: usize = 4 << 10;

/// The number of runs of a block that may not pay off.
const MAX_SHORT: usize = 8;

/// The number of bytes of output after which a block is not worked on further. The next blocks are
/// shorter then.
const MAX_OUTPUT: usize = 2 * BLOCK;

/// The number of bytes that are searched for a line feed before a run.
const LINE: usize = 4 << 10;

/// A number of threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThreadCount {
    /// The calling thread alone.
    One,
    /// One for each core, 8 at most, for a range of at least 64 MiB; otherwise one.
    Auto,
    /// This number, 32 at most, with the calling thread.
    Exactly(usize),
}

impl ThreadCount {
    /// Returns the number for a scan of a range of this length in bytes.
    pub(super) fn number(self, length: u64) -> usize {
        let number = match self {
            // Elsewhere, reads at offsets share the position of the file.
            _ if cfg!(not(unix)) => 1,
            ThreadCount::Auto if length >= MIN_AUTO_LENGTH => {
                thread::available_parallelism().map_or(1, NonZero::get).min(MAX_AUTO_THREADS)
            }
            ThreadCount::One | ThreadCount::Auto => 1,
            ThreadCount::Exactly(number) => number.min(MAX_THREADS),
        };
        if number > 1 { number.min(os::room_for_threads().saturating_add(1)) } else { number }
    }
}

/// A scan of a range of a file.
pub(super) struct AheadScan<'a> {
    file: &'a Lookback,
    encoding: &'static Encoding,
    /// The part that is not scanned yet.
    rest: Range<u64>,
    threads: usize,
}

impl<'a> AheadScan<'a> {
    /// Returns a scan of a range of a file in an encoding.
    pub fn new(
        file: &'a Lookback,
        encoding: &'static Encoding,
        range: Range<u64>,
        threads: usize,
    ) -> AheadScan<'a> {
        AheadScan { file, encoding, rest: range, threads }
    }

    /// Returns the offset of the first byte that was not pushed.
    pub fn reached(&self) -> u64 {
        self.rest.start
    }

    /// Scans blocks at the front of the range, while they can be read. Breaks if the sink has ended
    /// the scan.
    ///
    /// # Errors
    /// Returns the errors of the sink.
    pub fn run(&mut self, feed: &mut Feed, sink: &mut dyn Sink) -> io::Result<ControlFlow<()>> {
        let number = self.rest.end.saturating_sub(self.rest.start) / BLOCK as u64;
        if self.threads < 2 || number < 2 {
            return Ok(ControlFlow::Continue(()));
        }
        let distance = self.rest.start - feed.offset();
        let worker = |_| BlockWorker::new(feed, sink, self.encoding, distance);
        let mut workers: Vec<_> = (0..self.threads).map_while(worker).collect();
        let Some(mut own) = workers.pop() else { return Ok(ControlFlow::Continue(())) };
        let (file, queue) = (self.file, BlockQueue::new(self.rest.clone(), self.threads));
        thread::scope(|scope| {
            let _guard = QueueCloser(&queue);
            let queue = &queue;
            let spawn = |worker: BlockWorker| {
                let work = move || queue.work(worker, file);
                thread::Builder::new().spawn_scoped(scope, work).ok()
            };
            // Where the system allows no thread, this one does all.
            if workers.into_iter().map_while(spawn).count() == 0 {
                return Ok(ControlFlow::Continue(()));
            }
            let mut passed = None;
            loop {
                match queue.take(passed.take()) {
                    SinkTask::Prepare(block) => queue.prepare(&mut own, file, block),
                    SinkTask::Pass(mut block) => {
                        let flow = block.pass(feed, sink)?;
                        self.rest.start = block.end();
                        if flow.is_break() {
                            return Ok(flow);
                        }
                        passed = Some(block);
                    }
                    SinkTask::Stop => return Ok(ControlFlow::Continue(())),
                }
            }
        })
    }
}

/// A block of a file, and the work that was done on it.
#[derive(Default)]
struct AheadBlock {
    /// The offset of its first byte.
    start: u64,
    len: usize,
    buffer: Buffer,
    runs: Vec<PreparedRun>,
    /// True if the sink has work.
    is_prepared: bool,
    /// The output of the work.
    output: Vec<u8>,
}

/// A run of a block: whole, well-formed sequences.
struct PreparedRun {
    bytes: Range<usize>,
    /// The output of the work of the sink.
    output: Range<usize>,
}

impl AheadBlock {
    /// Returns the offset after its last byte.
    fn end(&self) -> u64 {
        self.start + self.len as u64
    }

    /// Scans the block into a sink.
    fn pass(&mut self, feed: &mut Feed, sink: &mut dyn Sink) -> io::Result<ControlFlow<()>> {
        let block = &self.buffer.block()?[..self.len];
        let mut at = 0;
        for PreparedRun { bytes, output } in &self.runs {
            let _ = feed.push(&block[at..bytes.start], sink)?;
            at = bytes.start;
            let prepared = self.is_prepared.then(|| &self.output[output.clone()]);
            if feed.pass(&block[bytes.clone()], prepared, sink)? {
                at = bytes.end;
            }
        }
        feed.push(&block[at..], sink)
    }

    /// Reads the block. Returns `false` if the file ends before or cannot be read, or there is no
    /// memory.
    fn read(&mut self, file: &Lookback) -> bool {
        let Ok(block) = self.buffer.block() else { return false };
        let block = &mut block[..self.len];
        let mut at = 0;
        while at < block.len() {
            match file.read(&mut block[at..], self.start + at as u64) {
                Ok(read @ 1..) => at += read,
                _ => return false,
            }
        }
        true
    }
}

/// The state of a thread that works on blocks.
struct BlockWorker {
    /// The feed of the sink, before the blocks.
    feed: Feed,
    work: Option<Box<dyn AheadWork>>,
    needs_lines: bool,
    encoding: &'static Encoding,
    /// The number of bytes from a boundary of sequences to the first block.
    distance: u64,
}

impl BlockWorker {
    /// Returns a worker for the text after the part that a feed has scanned; `None` if a state of
    /// the encoding depends on all text before.
    fn new(
        feed: &Feed,
        sink: &dyn Sink,
        encoding: &'static Encoding,
        distance: u64,
    ) -> Option<BlockWorker> {
        let (feed, work) = (feed.fork()?, sink.work_ahead());
        let needs_lines = work.as_ref().is_some_and(|work| work.needs_lines());
        Some(BlockWorker { feed, work, needs_lines, encoding, distance })
    }

    /// Finds the runs of a block, and does the work on them.
    fn prepare(&mut self, block: &mut AheadBlock) -> io::Result<()> {
        let AheadBlock { len, buffer, runs, is_prepared, output, .. } = block;
        *is_prepared = self.work.is_some();
        let bytes = &buffer.block()?[..*len];
        runs.clear();
        output.clear();
        // Some text grows much.
        output.shrink_to(MAX_OUTPUT);
        let (mut next, mut short) = (self.next_start(bytes, 0), 0);
        while short < MAX_SHORT
            && output.len() < MAX_OUTPUT
            && let Some(start) = next
        {
            let rest = self.front(&bytes[start..]);
            let before = output.len();
            let scan = |bytes: &[u8], sink: &mut dyn Sink| {
                let Some(mut feed) = self.feed.fork() else { return Ok(0) };
                let _ = feed.push(bytes, sink)?;
                Ok(feed.offset() as usize)
            };
            let len = match &mut self.work {
                Some(work) => work.process(rest, &scan, output)?,
                None => well_formed_len(rest, &scan)?,
            };
            let end = start + len;
            if len == 0 {
                output.truncate(before);
            }
            match runs.last_mut().filter(|last| last.bytes.end == start) {
                Some(last) => {
                    last.bytes.end = end;
                    last.output.end = output.len();
                }
                None if len == 0 => {}
                None => runs.push(PreparedRun { bytes: start..end, output: before..output.len() }),
            }
            short += usize::from(len < WORTHWHILE);
            // The run may have ended because of its length. Otherwise, the sequence after it needs
            // the scan.
            let is_boundary =
                len > 0 && (rest.len() - len < LONGEST_SEQUENCE || bytes[end - 1] == b'\n');
            next = match is_boundary {
                true => Some(end),
                false => self.next_start(bytes, end + 1),
            };
            next = next.filter(|&next| next + LONGEST_SEQUENCE < bytes.len());
        }
        Ok(())
    }

    /// Returns the front of the rest of a block to work on.
    fn front<'a>(&self, rest: &'a [u8]) -> &'a [u8] {
        let (front, behind) = rest.split_at(rest.len().min(MAX_LENGTH));
        if !self.needs_lines {
            return front;
        }
        let line_end = memchr::memrchr(b'\n', front)
            .or_else(|| memchr::memchr(b'\n', behind).map(|line_end| MAX_LENGTH + line_end));
        &rest[..line_end.map_or(0, |line_end| line_end + 1)]
    }

    /// Returns a likely boundary of sequences at or after an index: the start of a line, if there is
    /// one soon, because most writers are in the same state there; `None` if there is none.
    fn next_start(&self, bytes: &[u8], at: usize) -> Option<usize> {
        let &ErasedCodec { unit, reach, .. } = self.encoding.inner;
        let rest = bytes.get(at..)?;
        if unit > 1 {
            let phase = (self.distance as usize + at) % unit;
            return Some(at + (unit - phase) % unit);
        }
        let most = if self.needs_lines { rest.len() } else { rest.len().min(LINE) };
        if let Some(line_end) = memchr::memchr(b'\n', &rest[..most]) {
            return Some(at + line_end + 1);
        }
        match reach.filter(|_| !self.needs_lines)? {
            0 => Some(at),
            _ => Some(at + rest.iter().take_while(|byte| continues(**byte)).count()),
        }
    }
}
