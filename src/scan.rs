//! The scan: splits an input into well-formed runs and ill-formed sequences.

use std::fmt::{self, Debug, Formatter};
use std::io;
use std::ops::ControlFlow;

use crate::codec::{Codec, CodecReader, RunReader, Step};
use crate::issue::Issue;
use crate::kernel::{self, Kernels};
use crate::sink::{Run, Sink};

/// Contiguous bytes of an input, for one call of [`scan`].
#[derive(Clone, Copy, Debug)]
pub struct Chunk<'a> {
    /// The bytes. Those that the previous scan did not consume come first.
    pub bytes: &'a [u8],
    /// The offset of the first byte in the input.
    pub offset: u64,
    /// True if the input ends with this chunk.
    pub last: bool,
}

/// The result of [`scan`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scanned {
    /// The number of bytes that were scanned. The caller passes the rest, a few bytes at most, in
    /// front of the next chunk. Nothing is left of the last chunk.
    pub consumed: usize,
    /// Breaks if the sink ended the scan.
    pub flow: ControlFlow<()>,
}

/// The number of bytes that a kernel must advance for its call to pay off. [`Codec::step`] takes
/// about as long for fewer bytes.
const WORTHWHILE: usize = 8;

/// The number of bytes that are scanned without the kernel after a call that did not pay off: in
/// regions of dense issues, or of text that is not ASCII where the kernel knows only ASCII. Each
/// further call that does not pay off doubles it.
const FIRST_PAUSE: usize = 8;

/// The longest distance in bytes without a call of the kernel. It limits the cost at the start of
/// a region that the kernel is fast on.
const LONGEST_PAUSE: usize = 256;

/// The number of bytes after which the text is offered again to a sink that takes it unscanned.
const OFFERED: usize = 16 << 10;

/// Splits a chunk into well-formed runs and issues and passes them to the sink in order.
///
/// The division of an input into chunks affects only where runs are split: a sequence is judged
/// when all its bytes and the byte after it are present, or the input has ended.
///
/// # Errors
/// Returns the errors of the sink.
pub fn scan<C: Codec>(
    kernels: &Kernels,
    state: &mut C::State,
    chunk: Chunk<'_>,
    sink: &mut dyn Sink,
) -> io::Result<Scanned> {
    let bytes = chunk.bytes;
    let mut at = 0;
    let mut pacer = KernelPacer::default();
    let mut ahead = FaultsAhead::default();
    let mut run = PendingRun::<C> { start: 0, state: state.clone() };
    let mut flow = ControlFlow::Continue(());
    while flow.is_continue() {
        if at < ahead.end {
            at = ahead.next(at);
        } else if pacer.is_dense && C::STRICT && ahead.find(kernels, bytes, at) {
            pacer.is_dense = ahead.are_dense();
            continue;
        } else if at >= pacer.pause_end {
            let from = at;
            let mut end = bytes.len();
            if C::TRANSCODES_UNSCANNED && !pacer.is_dense && sink.takes_unscanned() {
                flow = run.emit(&chunk, at, sink)?;
                if flow.is_break() {
                    break;
                }
                at += offer::<C>(state, &chunk, at, sink)?;
                run.start = at;
                run.state.clone_from(state);
                end = end.min(at + OFFERED);
            }
            at += C::prefix(state, kernels, &bytes[at..end]);
            pacer.record(at - from, at);
        }
        let step = match C::step(state, &bytes[at..], chunk.last) {
            step @ (Step::Scalar { .. }
            | Step::Two { .. }
            | Step::Many { .. }
            | Step::Skip { .. }) => {
                at += step.size();
                continue;
            }
            Step::Short => break,
            step @ (Step::Signature { .. } | Step::Ill { .. }) => step,
        };
        flow = run.emit(&chunk, at, sink)?;
        if flow.is_continue() {
            flow = emit_event::<C>(&chunk, at, step, sink)?;
            at += step.size();
            if flow.is_continue() {
                let gulped = sink.gulp(kernels, chunk.offset + at as u64, &bytes[at..])?;
                if gulped > 0 {
                    at += gulped;
                    // It may end within a sequence that is one issue.
                    ahead.end = at;
                }
            }
        } else {
            // The step has read the sequence after the run. A later scan reads it again.
            *state = run.state_at(&chunk, at);
        }
        run.start = at;
        run.state.clone_from(state);
    }
    if flow.is_continue() {
        flow = run.emit(&chunk, at, sink)?;
    }
    Ok(Scanned { consumed: at, flow })
}

/// Offers the text of a chunk from an offset on to the sink, unscanned. Returns the number of bytes
/// that it consumed.
fn offer<C: Codec>(
    state: &mut C::State,
    chunk: &Chunk<'_>,
    at: usize,
    sink: &mut dyn Sink,
) -> io::Result<usize> {
    let mut reader = CodecReader::<C>::from(state);
    let offset = chunk.offset + at as u64;
    let taken = sink.take_unscanned(offset, &chunk.bytes[at..], &mut reader)?;
    if taken > 0 {
        *state = reader.into_state();
    }
    Ok(taken)
}

/// The number of bytes in which all issues are found at once where they are dense.
const WINDOW: usize = 4 << 10;

/// The ill-formed sequences of a part of a chunk, found at once.
#[derive(Default)]
struct FaultsAhead {
    /// Their offsets in the part.
    starts: Vec<u32>,
    /// The number of them that were passed.
    passed: usize,
    /// The offset in the chunk of the start of the part.
    start: usize,
    /// The offset in the chunk of its end.
    end: usize,
}

impl FaultsAhead {
    /// Finds the ill-formed sequences of the next part of a chunk, which starts at a boundary. Returns
    /// `false` if there are too few bytes.
    fn find(&mut self, kernels: &Kernels, bytes: &[u8], at: usize) -> bool {
        let part = &bytes[at..bytes.len().min(at + WINDOW)];
        self.starts.clear();
        (self.passed, self.start) = (0, at);
        self.end = at + kernels.faults(part, &mut self.starts);
        self.end > at
    }

    /// Returns the offset in the chunk of the first ill-formed sequence at or after an offset; the end of
    /// the part if there is none.
    #[inline]
    fn next(&mut self, at: usize) -> usize {
        while let Some(&start) = self.starts.get(self.passed) {
            let start = self.start + start as usize;
            if start >= at {
                return start;
            }
            self.passed += 1;
        }
        self.end
    }

    fn are_dense(&self) -> bool {
        kernel::are_dense(self.starts.len(), self.end - self.start)
    }
}

/// Decides where to call the kernel: not soon again after calls that did not pay off.
#[derive(Default)]
struct KernelPacer {
    /// True if the last call advanced by few bytes.
    is_dense: bool,
    /// The offset in the chunk up to which the kernel is not called.
    pause_end: usize,
    /// The length of the pause, in bytes.
    pause: usize,
}

impl KernelPacer {
    /// Records a call that advanced by some bytes, to an offset in the chunk.
    #[inline]
    fn record(&mut self, advanced: usize, at: usize) {
        self.pause = match advanced {
            ..WORTHWHILE => (2 * self.pause).clamp(FIRST_PAUSE, LONGEST_PAUSE),
            _ => 0,
        };
        self.pause_end = at + self.pause;
        self.is_dense = kernel::are_dense(1, advanced);
    }
}

/// The well-formed sequences of a chunk that were not passed to the sink yet.
struct PendingRun<C: Codec> {
    /// The offset in the chunk of the first.
    start: usize,
    /// The state of a reader before them.
    state: C::State,
}

impl<C: Codec> PendingRun<C> {
    /// Passes the run to the sink, unless it is empty. `end` is the offset after it in the chunk.
    #[inline]
    fn emit(
        &self,
        chunk: &Chunk<'_>,
        end: usize,
        sink: &mut dyn Sink,
    ) -> io::Result<ControlFlow<()>> {
        if self.start == end {
            return Ok(ControlFlow::Continue(()));
        }
        let mut reader = CodecReader::<C>::from(&self.state);
        let offset = chunk.offset + self.start as u64;
        sink.run(Run::new(offset, &chunk.bytes[self.start..end], &mut reader))
    }

    /// Returns the state of a reader after the run.
    fn state_at(&self, chunk: &Chunk<'_>, end: usize) -> C::State {
        let mut reader = CodecReader::<C>::from(&self.state);
        reader.pass(&chunk.bytes[self.start..end]);
        reader.into_state()
    }
}

/// Passes an issue or a signature to the sink.
#[inline]
fn emit_event<C: Codec>(
    chunk: &Chunk<'_>,
    at: usize,
    step: Step,
    sink: &mut dyn Sink,
) -> io::Result<ControlFlow<()>> {
    let offset = chunk.offset + at as u64;
    let (sequence, rest) = chunk.bytes[at..].split_at(step.size());
    if let Step::Ill { kind, len, replacements } = step {
        let issue = Issue { offset, len: len as u8, kind, replacements };
        return sink.issue(&issue, sequence, rest.first().copied());
    }
    if let Some(codec) = C::codec_after_bom(sequence) {
        sink.codec(codec);
    }
    sink.signature(offset, sequence)
}

/// A [`Codec`] with its state, type-erased.
pub trait Scanner: Send {
    /// Scans a chunk; see [`scan`].
    ///
    /// # Errors
    /// Returns the errors of the sink.
    fn scan(
        &mut self,
        kernels: &Kernels,
        chunk: Chunk<'_>,
        sink: &mut dyn Sink,
    ) -> io::Result<Scanned>;

    /// Passes a run of whole sequences, which a scan found well-formed.
    ///
    /// # Errors
    /// Returns the errors of the sink.
    fn pass(
        &mut self,
        offset: u64,
        bytes: &[u8],
        prepared: Option<&[u8]>,
        sink: &mut dyn Sink,
    ) -> io::Result<ControlFlow<()>>;

    /// Returns a scanner of any later part of the text; `None` if its state depends on the text
    /// between.
    fn fork(&self) -> Option<Box<dyn Scanner>>;

    /// See [`Codec::TOLERATES_CHANGES`].
    fn tolerates_changes(&self) -> bool;
}

struct CodecScanner<C: Codec>(C::State);

impl<C: Codec> Scanner for CodecScanner<C> {
    fn scan(
        &mut self,
        kernels: &Kernels,
        chunk: Chunk<'_>,
        sink: &mut dyn Sink,
    ) -> io::Result<Scanned> {
        scan::<C>(kernels, &mut self.0, chunk, sink)
    }

    fn pass(
        &mut self,
        offset: u64,
        bytes: &[u8],
        prepared: Option<&[u8]>,
        sink: &mut dyn Sink,
    ) -> io::Result<ControlFlow<()>> {
        let mut reader = CodecReader::<C>::from(&self.0);
        sink.run(Run { prepared, ..Run::new(offset, bytes, &mut reader) })
    }

    fn fork(&self) -> Option<Box<dyn Scanner>> {
        let fork = || Box::new(CodecScanner::<C>(self.0.clone())) as Box<_>;
        (!C::PROPERTIES.stateful).then(fork)
    }

    fn tolerates_changes(&self) -> bool {
        C::TOLERATES_CHANGES
    }
}

/// Returns a scanner that starts at an offset of an input.
pub(crate) fn scanner<C: Codec>(row: usize, offset: u64) -> Box<dyn Scanner> {
    Box::new(CodecScanner::<C>(C::start(row, offset)))
}

/// The number of bytes that are copied to complete a sequence across two chunks. Longer sequences
/// take several steps.
const JOIN: usize = 64;

/// Scans an input that arrives in parts of any length.
///
/// A part may end within a sequence. The feed carries the start of the sequence and joins it with
/// the first bytes of the next part; it scans all other bytes in place. The events of the sink do
/// not depend on the division into parts, except where runs are split.
pub struct Feed {
    scanner: Box<dyn Scanner>,
    kernels: &'static Kernels,
    /// The offset of the first byte that was not scanned: that of `tail`, or of the next part.
    offset: u64,
    /// The bytes that were pushed and not scanned: the start of a sequence.
    tail: Vec<u8>,
    /// Breaks once the sink has ended the scan.
    flow: ControlFlow<()>,
}

impl Feed {
    /// Returns a feed for the bytes of an input from `offset` on. The scanner starts there.
    pub fn new(scanner: Box<dyn Scanner>, kernels: &'static Kernels, offset: u64) -> Feed {
        Feed { scanner, kernels, offset, tail: Vec::new(), flow: ControlFlow::Continue(()) }
    }

    /// See [`Codec::TOLERATES_CHANGES`].
    pub fn tolerates_changes(&self) -> bool {
        self.scanner.tolerates_changes()
    }

    /// Returns the offset of the first byte that was not scanned.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns a feed for the bytes after any later boundary of sequences. Its offsets start at 0
    /// there. Returns `None` if the encoding has a state that the text between changes.
    pub fn fork(&self) -> Option<Feed> {
        Some(Feed::new(self.scanner.fork()?, self.kernels, 0))
    }

    /// Passes whole sequences, which a [fork](Feed::fork) of this feed found well-formed, with the
    /// output of the [work](Sink::work_ahead) of the sink on them. Returns `false`, and does nothing,
    /// if bytes before them are not scanned yet or the sink has ended the scan.
    ///
    /// # Errors
    /// Returns the errors of the sink.
    pub fn pass(
        &mut self,
        bytes: &[u8],
        prepared: Option<&[u8]>,
        sink: &mut dyn Sink,
    ) -> io::Result<bool> {
        let is_next = self.tail.is_empty() && self.flow.is_continue();
        if is_next {
            self.flow = self.scanner.pass(self.offset, bytes, prepared, sink)?;
            self.offset += bytes.len() as u64;
        }
        Ok(is_next)
    }

    /// Scans the next bytes of the input. Breaks once the sink has ended the scan; further bytes
    /// are then ignored.
    ///
    /// # Errors
    /// Returns the errors of the sink.
    pub fn push(&mut self, mut bytes: &[u8], sink: &mut dyn Sink) -> io::Result<ControlFlow<()>> {
        while !self.tail.is_empty() && !bytes.is_empty() && self.flow.is_continue() {
            bytes = self.join(bytes, sink)?;
        }
        let consumed = self.scan(bytes, false, sink)?;
        if self.flow.is_continue() {
            self.tail.extend_from_slice(&bytes[consumed..]);
        }
        Ok(self.flow)
    }

    /// Scans the tail as the end of the input.
    ///
    /// # Errors
    /// Returns the errors of the sink.
    pub fn finish(&mut self, sink: &mut dyn Sink) -> io::Result<ControlFlow<()>> {
        let tail = std::mem::take(&mut self.tail);
        self.scan(&tail, true, sink)?;
        Ok(self.flow)
    }

    /// Scans the tail with some bytes after it. Returns the bytes that are still to be scanned or
    /// carried.
    fn join<'a>(&mut self, bytes: &'a [u8], sink: &mut dyn Sink) -> io::Result<&'a [u8]> {
        let mut joined = std::mem::take(&mut self.tail);
        let carried = joined.len();
        // As many as are carried: the work stays linear however long the sequence is.
        let added = carried.max(JOIN).min(bytes.len());
        joined.extend_from_slice(&bytes[..added]);
        let consumed = self.scan(&joined, false, sink)?;
        let rest = match consumed.checked_sub(carried) {
            Some(used) => {
                joined.clear();
                &bytes[used..]
            }
            None => {
                joined.drain(..consumed);
                &bytes[added..]
            }
        };
        self.tail = joined;
        Ok(rest)
    }

    /// Scans bytes at the current offset. Returns the number of bytes that were scanned.
    fn scan(&mut self, bytes: &[u8], last: bool, sink: &mut dyn Sink) -> io::Result<usize> {
        if self.flow.is_break() {
            return Ok(0);
        }
        let chunk = Chunk { bytes, offset: self.offset, last };
        let Scanned { consumed, flow } = self.scanner.scan(self.kernels, chunk, sink)?;
        self.offset += consumed as u64;
        self.flow = flow;
        Ok(consumed)
    }
}

impl Debug for Feed {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Feed { offset, tail, flow, .. } = self;
        f.debug_struct("Feed")
            .field("offset", offset)
            .field("tail", tail)
            .field("flow", flow)
            .finish_non_exhaustive()
    }
}
