//! Blocks of a scan with several threads, in order.

use std::collections::BTreeMap;
use std::hint;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use super::{AheadBlock, BlockWorker, MAX_OUTPUT};
use crate::source::Lookback;
use crate::source::buffer::BLOCK;

/// The least number of bytes of a block.
const MIN_BLOCK: usize = 64 << 10;

/// The number of times that a thread looks for work before it sleeps. Waking a thread takes longer
/// than most of the waits.
const LOOKS: u32 = 2_000;

/// The blocks of a scan.
pub(super) struct BlockQueue {
    state: Mutex<QueueState>,
    /// The number of changes that a thread may wait for.
    changes: AtomicU32,
    /// Signals a prepared block to the thread of the sink, or that the scan is over.
    prepared: Condvar,
    /// Signals that a worker may begin another block, or that the scan is over.
    free: Condvar,
}

struct QueueState {
    /// The part that no thread has begun.
    rest: Range<u64>,
    /// The length of the next block.
    len: usize,
    /// The offset of the block that is passed to the sink next.
    taken: u64,
    prepared: BTreeMap<u64, AheadBlock>,
    /// The number of blocks that are prepared, wait or are passed to the sink.
    used: usize,
    /// The greatest number of blocks in use.
    most: usize,
    /// Blocks whose memory can be used again.
    unused: Vec<AheadBlock>,
    is_over: bool,
    is_sink_asleep: bool,
    workers_asleep: usize,
}

/// The next work of the thread of the sink.
pub(super) enum SinkTask {
    /// Pass a block to the sink.
    Pass(AheadBlock),
    /// Prepare a later block.
    Prepare(AheadBlock),
    /// Scan the rest without workers.
    Stop,
}

impl QueueState {
    /// Returns the next block to prepare, empty. Returns `None` if there is none, or while many wait
    /// for the sink.
    fn begin(&mut self) -> Option<AheadBlock> {
        if self.is_at_end() || self.used >= self.most {
            return None;
        }
        let block = self.unused.pop().unwrap_or_default();
        let (start, len) = (self.rest.start, self.len);
        self.used += 1;
        self.rest.start += len as u64;
        Some(AheadBlock { start, len, ..block })
    }

    fn is_at_end(&self) -> bool {
        self.is_over || self.rest.end - self.rest.start < self.len as u64
    }

    /// Chooses the length of the next blocks, so that their output takes little memory.
    fn choose_length(&mut self, output: usize) {
        if output >= MAX_OUTPUT {
            self.len = (self.len / 2).max(MIN_BLOCK);
        } else if output < MAX_OUTPUT / 4 {
            self.len = (self.len * 2).min(BLOCK);
        }
    }
}

impl BlockQueue {
    /// Returns the blocks of a range, for this number of threads.
    pub fn new(range: Range<u64>, threads: usize) -> BlockQueue {
        let state = QueueState {
            taken: range.start,
            rest: range,
            len: BLOCK,
            prepared: BTreeMap::new(),
            used: 0,
            most: threads + (threads / 2).max(2),
            unused: Vec::new(),
            is_over: false,
            is_sink_asleep: false,
            workers_asleep: 0,
        };
        BlockQueue {
            state: Mutex::new(state),
            changes: AtomicU32::new(0),
            prepared: Condvar::new(),
            free: Condvar::new(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, QueueState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Prepares blocks until there is none, or one cannot be read.
    pub fn work(&self, mut worker: BlockWorker, file: &Lookback) {
        let _guard = WorkerExit(self);
        while let Some(block) = self.begin() {
            self.prepare(&mut worker, file, block);
        }
    }

    /// Prepares a block. If that is not possible, the scan is over.
    pub fn prepare(&self, worker: &mut BlockWorker, file: &Lookback, mut block: AheadBlock) {
        let is_prepared = block.read(file) && worker.prepare(&mut block).is_ok();
        let mut state = self.lock();
        if !is_prepared {
            return self.end(&mut state);
        }
        let is_next = block.start == state.taken;
        state.choose_length(block.output.len());
        state.prepared.insert(block.start, block);
        if is_next {
            self.wake_sink(&state);
        }
    }

    /// Returns the next block for a worker. Waits while many wait for the sink.
    fn begin(&self) -> Option<AheadBlock> {
        let mut state = self.lock();
        while !state.is_at_end() {
            if let Some(block) = state.begin() {
                return Some(block);
            }
            state = self.look(state);
            if !state.is_at_end() && state.used >= state.most {
                state.workers_asleep += 1;
                state = self.free.wait(state).unwrap_or_else(PoisonError::into_inner);
                state.workers_asleep -= 1;
            }
        }
        None
    }

    /// Returns the next work of the thread of the sink, to which a block was passed.
    pub fn take(&self, passed: Option<AheadBlock>) -> SinkTask {
        let mut state = self.lock();
        if let Some(block) = passed {
            state.used -= 1;
            state.unused.push(block);
            self.changes.fetch_add(1, Ordering::Relaxed);
            if state.workers_asleep > 0 {
                self.free.notify_one();
            }
        }
        loop {
            let taken = state.taken;
            if let Some(block) = state.prepared.remove(&taken) {
                state.taken = block.end();
                return SinkTask::Pass(block);
            }
            if state.is_over || taken == state.rest.start && state.is_at_end() {
                return SinkTask::Stop;
            }
            if let Some(block) = state.begin() {
                return SinkTask::Prepare(block);
            }
            state = self.look(state);
            if !state.is_over && !state.prepared.contains_key(&taken) {
                state.is_sink_asleep = true;
                state = self.prepared.wait(state).unwrap_or_else(PoisonError::into_inner);
                state.is_sink_asleep = false;
            }
        }
    }

    /// Waits a moment for a change.
    fn look<'a>(&'a self, state: MutexGuard<'a, QueueState>) -> MutexGuard<'a, QueueState> {
        let before = self.changes.load(Ordering::Relaxed);
        drop(state);
        let is_same = |_: &u32| self.changes.load(Ordering::Relaxed) == before;
        (0..LOOKS).take_while(is_same).for_each(|_| hint::spin_loop());
        self.lock()
    }

    fn wake_sink(&self, state: &QueueState) {
        self.changes.fetch_add(1, Ordering::Relaxed);
        // A signal is a system call even if no thread waits for it.
        if state.is_sink_asleep {
            self.prepared.notify_one();
        }
    }

    /// Ends the work of all threads.
    fn end(&self, state: &mut QueueState) {
        state.is_over = true;
        self.changes.fetch_add(1, Ordering::Relaxed);
        self.prepared.notify_one();
        self.free.notify_all();
    }
}

/// Ends the work of all threads when it is dropped.
pub(super) struct QueueCloser<'a>(pub &'a BlockQueue);

impl Drop for QueueCloser<'_> {
    fn drop(&mut self) {
        self.0.end(&mut self.0.lock());
    }
}

/// The work of a thread, which the scan does not wait for if it panics.
struct WorkerExit<'a>(&'a BlockQueue);

impl Drop for WorkerExit<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.end(&mut self.0.lock());
        }
    }
}
