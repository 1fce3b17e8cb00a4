//! Readers and writers of an encoding that is chosen at run time.

use std::ops::Range;

use super::{BOM, Codec, EncodingScheme, Escapes, LengthCounts, LineCount, Step};
use crate::kernel::{Kernels, Loaded};

/// Decodes a run of well-formed bytes with a [`Codec`], whose state is that before the run.
pub trait RunReader {
    /// See [`Codec::load`].
    fn load(&mut self, kernels: &Kernels, bytes: &[u8], values: &mut [u32]) -> Loaded;

    /// See [`Codec::transcode`].
    fn transcode(
        &mut self,
        kernels: &Kernels,
        bytes: &[u8],
        scheme: EncodingScheme,
        out: &mut Vec<u8>,
    ) -> usize;

    /// Returns the span of each value that the last call of [`load`](RunReader::load) decoded from
    /// these bytes.
    fn spans(&self, bytes: &[u8], values: usize) -> Vec<Range<usize>>;

    /// Appends the first sequences, `most` at most. Returns their length in bytes.
    fn steps(&mut self, bytes: &[u8], most: usize, steps: &mut Vec<Step>) -> usize;

    /// Returns the offset, in bytes, and the value of the first code point, if there is one.
    fn first(&self, bytes: &[u8]) -> Option<(usize, u32)>;

    /// Returns the first sequence boundary at or after `at`, in bytes.
    fn boundary(&self, bytes: &[u8], at: usize) -> usize;

    /// Advances the state over these bytes.
    fn pass(&mut self, bytes: &[u8]);

    /// See [`Codec::lines`].
    fn lines(&self, bytes: &[u8]) -> LineCount;

    /// See [`Codec::tally`].
    fn tally(&self, bytes: &[u8], part: Range<usize>, lengths: &mut LengthCounts);
}

/// The implementation of [`RunReader`] for a codec.
pub(crate) struct CodecReader<C: Codec> {
    state: C::State,
    /// The state before the last load.
    before: C::State,
}

impl<C: Codec> CodecReader<C> {
    /// Makes a reader of the run after this state.
    pub fn from(state: &C::State) -> CodecReader<C> {
        CodecReader { state: state.clone(), before: state.clone() }
    }

    /// Returns the state after the bytes that were passed or loaded.
    pub fn into_state(self) -> C::State {
        self.state
    }
}

/// Returns the length of the first sequence in bytes, and the number of its code points.
fn sequence<C: Codec>(state: &mut C::State, bytes: &[u8]) -> (usize, usize) {
    match C::reread(state, bytes) {
        Step::Short => (bytes.len(), 0),
        step => (step.size(), step.values().len()),
    }
}

impl<C: Codec> RunReader for CodecReader<C> {
    fn load(&mut self, kernels: &Kernels, bytes: &[u8], values: &mut [u32]) -> Loaded {
        self.before.clone_from(&self.state);
        C::load(&mut self.state, kernels, bytes, values)
    }

    fn transcode(
        &mut self,
        kernels: &Kernels,
        bytes: &[u8],
        scheme: EncodingScheme,
        out: &mut Vec<u8>,
    ) -> usize {
        C::transcode(&mut self.state, kernels, bytes, scheme, out)
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
        // There are fewer only if the bytes have changed.
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
                // Only if the bytes have changed.
                Step::Short => Step::Skip { len: rest.len() },
                step => step,
            };
            at += step.size();
            steps.push(step);
        }
        at
    }

    fn first(&self, bytes: &[u8]) -> Option<(usize, u32)> {
        let mut state = self.state.clone();
        let mut at = 0;
        loop {
            let step = C::reread(&mut state, &bytes[at..]);
            match (step, step.values().first()) {
                (_, Some(&value)) => return Some((at, value)),
                (Step::Skip { len }, None) => at += len,
                (_, None) => return None,
            }
        }
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

/// Encodes one output with a [`Codec`].
pub trait TextWriter: Send {
    /// See [`Codec::put`] and [`Codec::put_decomposed`]. The first call also appends the signature,
    /// if there is to be one.
    fn put(&mut self, value: u32, out: &mut Vec<u8>) -> bool;

    /// See [`Codec::store`] and [`Codec::put_decomposed`].
    fn store(&mut self, kernels: &Kernels, values: &[u32], out: &mut Vec<u8>) -> usize;

    /// Overrides [`Codec::SIGNS`]. To be called before the first code point.
    fn sign(&mut self, signs: bool);

    /// Brings the writer into the state after a line feed in a text.
    fn restart(&mut self);

    /// Returns `true` if the writer is in the state after a line feed in a text. Most writers always
    /// are, once they have started.
    fn is_restarted(&self) -> bool;

    /// Appends the bytes of code points that wait for another, and lets them wait.
    fn pending(&self, out: &mut Vec<u8>);

    /// See [`Codec::finish`].
    fn finish(&mut self, out: &mut Vec<u8>);
}

struct CodecWriter<C: Codec> {
    /// See [`Codec::start`].
    row: usize,
    escapes: Escapes,
    pen: C::Pen,
    /// U+FEFF is still to be written.
    owes_signature: bool,
}

impl<C: Codec> CodecWriter<C> {
    /// Returns the state after a line feed.
    fn pen_of_line(&self) -> C::Pen {
        let mut pen = C::pen(self.row, self.escapes);
        C::put(&mut pen, '\n'.into(), &mut Vec::new());
        pen
    }

    fn start(&mut self, out: &mut Vec<u8>) {
        if std::mem::take(&mut self.owes_signature) {
            C::put(&mut self.pen, BOM, out);
        }
    }
}

impl<C: Codec> TextWriter for CodecWriter<C> {
    fn put(&mut self, value: u32, out: &mut Vec<u8>) -> bool {
        self.start(out);
        C::put(&mut self.pen, value, out) || C::put_decomposed(&mut self.pen, value, out)
    }

    fn store(&mut self, kernels: &Kernels, values: &[u32], out: &mut Vec<u8>) -> usize {
        self.start(out);
        let mut stored = 0;
        loop {
            stored += C::store(&mut self.pen, kernels, &values[stored..], out);
            match values.get(stored) {
                Some(&value) if C::put_decomposed(&mut self.pen, value, out) => stored += 1,
                _ => return stored,
            }
        }
    }

    fn sign(&mut self, signs: bool) {
        self.owes_signature = signs;
    }

    fn restart(&mut self) {
        self.pen = self.pen_of_line();
        self.owes_signature = false;
    }

    fn is_restarted(&self) -> bool {
        !self.owes_signature && self.pen == self.pen_of_line()
    }

    fn pending(&self, out: &mut Vec<u8>) {
        C::release(&mut self.pen.clone(), out);
    }

    fn finish(&mut self, out: &mut Vec<u8>) {
        self.start(out);
        C::finish(&mut self.pen, out);
    }
}

/// Starts to write an output.
pub(crate) fn writer<C: Codec>(row: usize, escapes: Escapes) -> Box<dyn TextWriter> {
    let pen = C::pen(row, escapes);
    Box::new(CodecWriter::<C> { row, escapes, pen, owes_signature: C::SIGNS })
}
