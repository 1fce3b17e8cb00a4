//! How is a codec used whose type is known only once the program runs?

use std::ops::Range;

use super::{BOM, Codec, Escapes, LengthCounts, LineCount, Step};
use crate::kernel::{Kernels, Loaded};

/// A [`Codec`] about to read a run of well-formed bytes, with its state before them.
pub trait RunReader {
    /// See [`Codec::load`].
    fn load(&mut self, kernels: &Kernels, bytes: &[u8], values: &mut [u32]) -> Loaded;

    /// Which bytes does each value stand for that the last call of [`load`](RunReader::load) has
    /// read from these?
    fn spans(&self, bytes: &[u8], values: usize) -> Vec<Range<usize>>;

    /// Read sequences from the front, until the bytes end or there are so many. Appends what each
    /// is, and returns how many bytes they are.
    fn steps(&mut self, bytes: &[u8], most: usize, steps: &mut Vec<Step>) -> usize;

    /// Where is the first boundary of sequences at or behind `at`?
    fn boundary(&self, bytes: &[u8], at: usize) -> usize;

    /// Pass these bytes.
    fn pass(&mut self, bytes: &[u8]);

    /// See [`Codec::lines`].
    fn lines(&self, bytes: &[u8]) -> LineCount;

    /// See [`Codec::tally`].
    fn tally(&self, bytes: &[u8], part: Range<usize>, lengths: &mut LengthCounts);
}

/// The only implementation of [`Reader`].
pub(crate) struct CodecReader<C: Codec> {
    state: C::State,
    /// What it was before the last load.
    before: C::State,
}

impl<C: Codec> CodecReader<C> {
    /// About to read what follows this state.
    pub fn from(state: &C::State) -> CodecReader<C> {
        CodecReader { state: state.clone(), before: state.clone() }
    }

    /// The state behind what was passed.
    pub fn into_state(self) -> C::State {
        self.state
    }
}

/// The length of the sequence at the front, and how many values it stands for.
fn sequence<C: Codec>(state: &mut C::State, bytes: &[u8]) -> (usize, usize) {
    match C::reread(state, bytes) {
        Step::Scalar { len, .. } => (len, 1),
        Step::Two { len, .. } => (len, 2),
        Step::Skip { len } | Step::Signature { len } | Step::Ill { len, .. } => (len, 0),
        Step::Short => (bytes.len(), 0),
    }
}

impl<C: Codec> RunReader for CodecReader<C> {
    fn load(&mut self, kernels: &Kernels, bytes: &[u8], values: &mut [u32]) -> Loaded {
        self.before.clone_from(&self.state);
        C::load(&mut self.state, kernels, bytes, values)
    }

    fn spans(&self, bytes: &[u8], values: usize) -> Vec<Range<usize>> {
        let mut state = self.before.clone();
        let mut spans = Vec::with_capacity(values);
        let mut at = 0;
        while spans.len() < values && at < bytes.len() {
            let (len, number) = sequence::<C>(&mut state, &bytes[at..]);
            spans.extend(std::iter::repeat_n(at..at + len, number));
            at += len;
        }
        // Fewer only if the bytes are not what they were.
        spans.resize(values, at..at);
        spans
    }

    fn steps(&mut self, bytes: &[u8], most: usize, steps: &mut Vec<Step>) -> usize {
        let mut at = 0;
        for _ in 0..most {
            let rest = &bytes[at..];
            if rest.is_empty() {
                break;
            }
            let step = match C::reread(&mut self.state, rest) {
                // Only if the bytes are not what they were.
                Step::Short => Step::Skip { len: rest.len() },
                step => step,
            };
            at += step.size();
            steps.push(step);
        }
        at
    }

    fn boundary(&self, bytes: &[u8], at: usize) -> usize {
        let mut state = self.state.clone();
        let mut boundary = 0;
        while boundary < at.min(bytes.len()) {
            boundary += sequence::<C>(&mut state, &bytes[boundary..]).0;
        }
        boundary
    }

    fn pass(&mut self, bytes: &[u8]) {
        let mut at = 0;
        while at < bytes.len() {
            at += sequence::<C>(&mut self.state, &bytes[at..]).0;
        }
    }

    fn lines(&self, bytes: &[u8]) -> LineCount {
        C::lines(&self.state, bytes)
    }

    fn tally(&self, bytes: &[u8], part: Range<usize>, lengths: &mut LengthCounts) {
        C::tally(&self.state, bytes, part, lengths);
    }
}

/// A [`Codec`] at work on one output, with its pen.
pub trait TextWriter {
    /// See [`Codec::put`]. A signature that is due is written in any case.
    fn put(&mut self, value: u32, out: &mut Vec<u8>) -> bool;

    /// See [`Codec::store`].
    fn store(&mut self, kernels: &Kernels, values: &[u32], out: &mut Vec<u8>) -> usize;

    /// Whether U+FEFF stands in front of what is written, against [`Codec::SIGNS`]. To be said
    /// before anything is written.
    fn sign(&mut self, signs: bool);

    /// See [`Codec::finish`].
    fn finish(&mut self, out: &mut Vec<u8>);
}

struct CodecWriter<C: Codec> {
    pen: C::Pen,
    /// Whether U+FEFF is still to be written.
    unsigned: bool,
}

impl<C: Codec> CodecWriter<C> {
    fn start(&mut self, out: &mut Vec<u8>) {
        if std::mem::take(&mut self.unsigned) {
            C::put(&mut self.pen, BOM, out);
        }
    }
}

impl<C: Codec> TextWriter for CodecWriter<C> {
    fn put(&mut self, value: u32, out: &mut Vec<u8>) -> bool {
        self.start(out);
        C::put(&mut self.pen, value, out)
    }

    fn store(&mut self, kernels: &Kernels, values: &[u32], out: &mut Vec<u8>) -> usize {
        self.start(out);
        C::store(&mut self.pen, kernels, values, out)
    }

    fn sign(&mut self, signs: bool) {
        self.unsigned = signs;
    }

    fn finish(&mut self, out: &mut Vec<u8>) {
        self.start(out);
        C::finish(&mut self.pen, out);
    }
}

/// A writer of an output.
pub(crate) fn writer<C: Codec>(escapes: Escapes) -> Box<dyn TextWriter> {
    Box::new(CodecWriter::<C> { pen: C::pen(escapes), unsigned: C::SIGNS })
}
