//! The scan: splits an input into well-formed runs and ill-formed sequences.

use std::fmt::{self, Debug, Formatter};
use std::io;
use std::ops::ControlFlow;

use crate::codec::{Codec, CodecReader, RunReader, Step};
use crate::issue::Issue;
use crate::kernel::Kernels;
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
    let offset_of = |at: usize| chunk.offset + at as u64;
    let (mut at, mut run_start, mut pause_end, mut pause) = (0, 0, 0, 0);
    let mut run_state = state.clone();
    let mut flow = ControlFlow::Continue(());
    while flow.is_continue() {
        if at >= pause_end {
            let advanced = C::prefix(state, kernels, &bytes[at..]);
            at += advanced;
            pause = match advanced {
                ..WORTHWHILE => (2 * pause).clamp(FIRST_PAUSE, LONGEST_PAUSE),
                _ => 0,
            };
            pause_end = at + pause;
        }
        let (step, len) = match C::step(state, &bytes[at..], chunk.last) {
            Step::Scalar { len, .. } | Step::Two { len, .. } | Step::Skip { len } => {
                at += len;
                continue;
            }
            Step::Short => break,
            step @ (Step::Signature { len } | Step::Ill { len, .. }) => (step, len),
        };
        if run_start < at {
            let mut reader = CodecReader::<C>::from(&run_state);
            flow = sink.run(Run::new(offset_of(run_start), &bytes[run_start..at], &mut reader))?;
            if flow.is_break() {
                // The step has read the sequence after the run. A later scan reads it again.
                let mut reader = CodecReader::<C>::from(&run_state);
                reader.pass(&bytes[run_start..at]);
                *state = reader.into_state();
            }
        }
        if flow.is_continue() {
            let sequence = &bytes[at..at + len];
            flow = match step {
                Step::Ill { kind, replacements, .. } => {
                    let issue = Issue { offset: offset_of(at), len: len as u8, kind, replacements };
                    sink.issue(&issue, sequence, bytes.get(at + len).copied())?
                }
                _ => sink.signature(offset_of(at), sequence)?,
            };
            at += len;
            if flow.is_continue() {
                at += sink.gulp(kernels, offset_of(at), &bytes[at..])?;
            }
        }
        run_start = at;
        run_state.clone_from(state);
    }
    if run_start < at {
        let mut reader = CodecReader::<C>::from(&run_state);
        flow = sink.run(Run::new(offset_of(run_start), &bytes[run_start..at], &mut reader))?;
    }
    Ok(Scanned { consumed: at, flow })
}

/// A [`Codec`] with its state, type-erased.
pub trait Scanner {
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

    fn tolerates_changes(&self) -> bool {
        C::TOLERATES_CHANGES
    }
}

/// Returns a scanner that starts at an offset of an input.
pub(crate) fn scanner<C: Codec>(offset: u64) -> Box<dyn Scanner> {
    Box::new(CodecScanner::<C>(C::start(offset)))
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
