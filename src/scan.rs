//! Where do runs end and issues begin? The one loop.

use std::io;
use std::ops::ControlFlow;

use crate::codec::{Codec, CodecReader, RunReader, Step};
use crate::issue::Issue;
use crate::kernel::Kernels;
use crate::sink::{Run, Sink};

/// A piece of the input: what a [`Source`](crate::source) hands out.
#[derive(Clone, Copy, Debug)]
pub struct Chunk<'a> {
    /// The bytes, starting with those that the last scan did not consume.
    pub bytes: &'a [u8],
    /// The offset of the first of them in the whole input.
    pub offset: u64,
    /// Whether the input ends with them.
    pub last: bool,
}

/// What [`scan`] did with a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scanned {
    /// How many bytes were judged. The rest, a few bytes at most, must come again in front of
    /// the next chunk; there is none after the last.
    pub consumed: usize,
    /// Whether the sink wants more.
    pub flow: ControlFlow<()>,
}

/// From how many bytes on the call of a kernel has been worth it: they would take it as long, one
/// by one.
const WORTH: usize = 8;

/// For how many bytes the kernel rests after a call that was not worth it: where faults are dense,
/// or where the kernel knows only ASCII, the next would not be either. Twice as long each time.
const REST: usize = 8;

/// The longest rest. So little of what is clean again goes by without the kernel.
const LONGEST_REST: usize = 256;

/// Cut a chunk into well-formed runs and issues, in order, and hand them to the sink.
///
/// The split of an input into chunks never changes what the sink sees, but for where runs are
/// cut: a sequence is judged only once all its bytes, and the byte behind it, are there.
///
/// # Errors
/// Those of the sink.
pub fn scan<C: Codec>(
    kernels: &Kernels,
    state: &mut C::State,
    chunk: Chunk<'_>,
    sink: &mut dyn Sink,
) -> io::Result<Scanned> {
    let bytes = chunk.bytes;
    let place = |at: usize| chunk.offset + at as u64;
    let (mut at, mut start, mut calm, mut rest) = (0, 0, 0, 0);
    let mut before = state.clone();
    let mut flow = ControlFlow::Continue(());
    while flow.is_continue() {
        if at >= calm {
            let gained = C::prefix(state, kernels, &bytes[at..]);
            at += gained;
            rest = if gained < WORTH { (2 * rest).clamp(REST, LONGEST_REST) } else { 0 };
            calm = at + rest;
        }
        let (step, len) = match C::step(state, &bytes[at..], chunk.last) {
            Step::Scalar { len, .. } | Step::Two { len, .. } | Step::Skip { len } => {
                at += len;
                continue;
            }
            Step::Short => break,
            step @ (Step::Signature { len } | Step::Ill { len, .. }) => (step, len),
        };
        if start < at {
            let mut reader = CodecReader::<C>::from(&before);
            flow = sink.run(Run::new(place(start), &bytes[start..at], &mut reader))?;
            if flow.is_break() {
                // Whoever goes on from here meets what was read behind the run once more.
                let mut reader = CodecReader::<C>::from(&before);
                reader.pass(&bytes[start..at]);
                *state = reader.into_state();
            }
        }
        if flow.is_continue() {
            let piece = &bytes[at..at + len];
            flow = match step {
                Step::Ill { kind, replacements, .. } => {
                    let issue = Issue { offset: place(at), len: len as u8, kind, replacements };
                    sink.issue(&issue, piece, bytes.get(at + len).copied())?
                }
                _ => sink.signature(place(at), piece)?,
            };
            at += len;
            if flow.is_continue() {
                at += sink.gulp(kernels, place(at), &bytes[at..])?;
            }
        }
        start = at;
        before.clone_from(state);
    }
    if start < at {
        let mut reader = CodecReader::<C>::from(&before);
        flow = sink.run(Run::new(place(start), &bytes[start..at], &mut reader))?;
    }
    Ok(Scanned { consumed: at, flow })
}

/// A [`Codec`] at work on one input, with its state.
pub trait Scanner {
    /// See [`scan`].
    ///
    /// # Errors
    /// Those of the sink.
    fn scan(
        &mut self,
        kernels: &Kernels,
        chunk: Chunk<'_>,
        sink: &mut dyn Sink,
    ) -> io::Result<Scanned>;
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
}

/// A reader of an input from this offset on.
pub(crate) fn scanner<C: Codec>(offset: u64) -> Box<dyn Scanner> {
    Box::new(CodecScanner::<C>(C::start(offset)))
}
