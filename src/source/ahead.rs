//! Scans of large files with several threads.
//!
//! Threads read the segments of a file, find well-formed runs in them, and do the work of the sink
//! on these. The thread of the sink receives the segments in order: it passes the runs to the sink,
//! and scans the text between them itself. A run starts at a guessed boundary of sequences. It is
//! used only if the scan of the text before it ends there, so that the result does not depend on the
//! guess.

use std::collections::BTreeMap;
use std::io;
use std::num::NonZero;
use std::ops::{ControlFlow, Range};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use super::{BLOCK, Buffer, LONGEST, Lookback};
use crate::registry::{Encoding, ErasedCodec};
use crate::scan::Feed;
use crate::sink::{SegmentWork, Sink, well_formed_len};

/// The least number of bytes for which [`ThreadCount::Auto`] takes several threads.
const MIN_AUTO_LENGTH: u64 = 64 << 20;

/// The greatest number of threads that [`ThreadCount::Auto`] takes.
const MAX_AUTO_THREADS: usize = 8;

/// The greatest number of threads. The thread of the sink keeps up with the work of fewer.
const MAX_THREADS: usize = 32;

/// The greatest number of bytes that are worked on at once. The bytes after a run that ends early are
/// examined again.
const MAX_LENGTH: usize = 32 << 10;

/// The number of bytes of a run that pays off.
const WORTHWHILE: usize = 4 << 10;

/// The number of runs of a segment that may not pay off.
const MAX_SHORT: usize = 8;

/// The number of bytes of output whose memory is kept for the next segment.
const MAX_KEPT: usize = 4 * BLOCK;

/// The number of segments in memory for each worker.
const AHEAD: usize = 2;

/// The number of bytes that are searched for a line feed before a run.
const LINE: usize = 4 << 10;

/// A number of threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThreadCount {
    /// The calling thread alone.
    One,
    /// One for each core, 8 at most, for a range of at least 64 MiB and a sink with
    /// [work](Sink::work_ahead). Otherwise one, for which a file that is mapped need not be copied.
    Auto,
    /// So many, 32 at most, that work ahead of the calling thread.
    Exactly(usize),
}

impl ThreadCount {
    /// Returns the number for a scan of a range of this length in bytes.
    pub(super) fn number(self, length: u64, sink: &dyn Sink) -> usize {
        match self {
            // Elsewhere, reads at offsets share the position of the file.
            _ if cfg!(not(unix)) => 1,
            ThreadCount::Auto if length >= MIN_AUTO_LENGTH && sink.work_ahead().is_some() => {
                thread::available_parallelism().map_or(1, NonZero::get).min(MAX_AUTO_THREADS)
            }
            ThreadCount::One | ThreadCount::Auto => 1,
            ThreadCount::Exactly(number) => number.min(MAX_THREADS),
        }
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

    /// Scans segments at the front of the range, while they can be read. Breaks if the sink has ended
    /// the scan.
    ///
    /// # Errors
    /// Returns the errors of the sink.
    pub fn run(&mut self, feed: &mut Feed, sink: &mut dyn Sink) -> io::Result<ControlFlow<()>> {
        let number = self.rest.end.saturating_sub(self.rest.start) / BLOCK as u64;
        if self.threads < 2 || number < 2 {
            return Ok(ControlFlow::Continue(()));
        }
        let (file, start) = (self.file, self.rest.start);
        let distance = start - feed.offset();
        let worker = || {
            let (feed, work) = (feed.fork()?, sink.work_ahead());
            let needs_lines = work.as_ref().is_some_and(|work| work.needs_lines());
            Some(SegmentWorker { feed, work, needs_lines, encoding: self.encoding, distance })
        };
        let workers: Vec<_> = (0..self.threads).map_while(|_| worker()).collect();
        let queue = SegmentQueue::new(number);
        thread::scope(|scope| {
            let _guard = QueueCloser(&queue);
            for mut worker in workers {
                // Where the system allows no thread, this one does all.
                queue.lock().workers += 1;
                let queue = &queue;
                let work = move || queue.work(&mut worker, file, start);
                if thread::Builder::new().spawn_scoped(scope, work).is_err() {
                    queue.lock().workers -= 1;
                    break;
                }
            }
            let mut batch = Vec::new();
            while queue.take(&mut batch) {
                for segment in &mut batch {
                    let flow = segment.pass(feed, sink)?;
                    self.rest.start += BLOCK as u64;
                    if flow.is_break() {
                        return Ok(flow);
                    }
                }
            }
            Ok(ControlFlow::Continue(()))
        })
    }
}

/// A block of a file, and the work that was done on it.
#[derive(Default)]
struct Segment {
    buffer: Buffer,
    runs: Vec<PreparedRun>,
    /// True if the sink has work.
    is_prepared: bool,
    /// The output of the work.
    output: Vec<u8>,
}

/// A run of a segment: whole, well-formed sequences.
struct PreparedRun {
    bytes: Range<usize>,
    /// The output of the work of the sink.
    output: Range<usize>,
}

impl Segment {
    /// Scans the segment into a sink.
    fn pass(&mut self, feed: &mut Feed, sink: &mut dyn Sink) -> io::Result<ControlFlow<()>> {
        let block = self.buffer.block();
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

    /// Reads the segment at an offset of a file. Returns `false` if the file ends before or cannot be
    /// read.
    fn read(&mut self, file: &Lookback, offset: u64) -> bool {
        let block = self.buffer.block();
        let mut at = 0;
        while at < BLOCK {
            match file.read(&mut block[at..], offset + at as u64) {
                Ok(read @ 1..) => at += read,
                _ => return false,
            }
        }
        true
    }
}

/// The state of a thread that works on segments.
struct SegmentWorker {
    /// The feed of the sink, before the segments.
    feed: Feed,
    work: Option<Box<dyn SegmentWork>>,
    needs_lines: bool,
    encoding: &'static Encoding,
    /// The number of bytes from a boundary of sequences to the first segment.
    distance: u64,
}

impl SegmentWorker {
    /// Finds the runs of a segment, and does the work on them.
    fn prepare(&mut self, segment: &mut Segment) -> io::Result<()> {
        let Segment { buffer, runs, is_prepared, output } = segment;
        *is_prepared = self.work.is_some();
        let bytes = &*buffer.block();
        runs.clear();
        output.clear();
        // Some text grows much.
        output.shrink_to(MAX_KEPT);
        let (mut next, mut short) = (self.next_start(bytes, 0), 0);
        while short < MAX_SHORT
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
            let is_boundary = len > 0 && (rest.len() - len < LONGEST || bytes[end - 1] == b'\n');
            next = match is_boundary {
                true => Some(end),
                false => self.next_start(bytes, end + 1),
            };
            next = next.filter(|&next| next + LONGEST < BLOCK);
        }
        Ok(())
    }

    /// Returns the front of the rest of a segment to work on.
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
        let is_continuation = |byte: &&u8| *byte & 0xC0 == 0x80;
        match reach.filter(|_| !self.needs_lines)? {
            0 => Some(at),
            _ => Some(at + rest.iter().take_while(is_continuation).count()),
        }
    }
}

/// The segments of a scan.
struct SegmentQueue {
    state: Mutex<QueueState>,
    /// Signals a prepared segment, or that a worker has ended.
    prepared: Condvar,
    /// Signals that a worker may begin another segment, or that the scan is over.
    free: Condvar,
    /// The number of segments.
    number: u64,
}

#[derive(Default)]
struct QueueState {
    /// The segment that a worker begins next.
    next: u64,
    /// The segment that is passed to the sink next.
    taken: u64,
    prepared: BTreeMap<u64, Segment>,
    /// The number of segments that are prepared, wait or are passed to the sink.
    used: usize,
    /// Segments whose memory can be used again.
    unused: Vec<Segment>,
    workers: usize,
    is_over: bool,
}

impl SegmentQueue {
    fn new(number: u64) -> SegmentQueue {
        let state = Mutex::new(QueueState::default());
        SegmentQueue { state, prepared: Condvar::new(), free: Condvar::new(), number }
    }

    fn lock(&self) -> MutexGuard<'_, QueueState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Prepares segments until there is none, or one cannot be read.
    fn work(&self, worker: &mut SegmentWorker, file: &Lookback, start: u64) {
        let _guard = WorkerExit(self);
        while let Some((number, mut segment)) = self.begin() {
            let offset = start + number * BLOCK as u64;
            if !segment.read(file, offset) || worker.prepare(&mut segment).is_err() {
                self.lock().is_over = true;
                return;
            }
            let mut state = self.lock();
            state.prepared.insert(number, segment);
            // The thread of the sink receives several at a time.
            if state.prepared.len() * 2 >= AHEAD * state.workers || state.next == self.number {
                self.prepared.notify_one();
            }
        }
    }

    /// Returns the next segment for a worker, empty, with its number. Waits while many wait for the
    /// sink.
    fn begin(&self) -> Option<(u64, Segment)> {
        let mut state = self.lock();
        while !state.is_over && state.next < self.number {
            if state.used < AHEAD * state.workers {
                state.used += 1;
                state.next += 1;
                return Some((state.next - 1, state.unused.pop().unwrap_or_default()));
            }
            state = self.free.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        None
    }

    /// Replaces the segments of a batch with the next ones for the sink. Returns `false` if the rest
    /// is to be scanned without workers.
    fn take(&self, batch: &mut Vec<Segment>) -> bool {
        let mut guard = self.lock();
        if !batch.is_empty() {
            guard.used -= batch.len();
            guard.unused.append(batch);
            self.free.notify_all();
        }
        loop {
            let state = &mut *guard;
            while let Some(segment) = state.prepared.remove(&state.taken) {
                state.taken += 1;
                batch.push(segment);
            }
            if !batch.is_empty() || state.is_over || state.workers == 0 {
                return !batch.is_empty();
            }
            guard = self.prepared.wait(guard).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Ends the work of all threads when it is dropped.
struct QueueCloser<'a>(&'a SegmentQueue);

impl Drop for QueueCloser<'_> {
    fn drop(&mut self) {
        self.0.lock().is_over = true;
        self.0.free.notify_all();
    }
}

/// The work of a thread, which the scan does not wait for once it is dropped.
struct WorkerExit<'a>(&'a SegmentQueue);

impl Drop for WorkerExit<'_> {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.workers -= 1;
        state.is_over |= thread::panicking();
        self.0.prepared.notify_one();
    }
}
