//! The sink that passes the sequences of a range to a layout.

use std::io;
use std::ops::{ControlFlow, Range};

use super::utf8_text::{SURROGATE_LEN, Utf8Text};
use super::{DumpItem, Layout, Meaning, PointList};
use crate::codec::Step;
use crate::issue::Issue;
use crate::kernel::{self, FaultBits, Kernels};
use crate::output::Output;
use crate::registry::{Encoding, by_name};
use crate::sink::{Run, Sink, flow_if, within};

/// Number of sequences that are decoded at a time.
const BLOCK: usize = 64;

/// Number of bytes in which ill-formed sequences are searched at a time.
const WINDOW: usize = 64 << 10;

/// Smallest number of bytes that are passed to [`Layout::utf8`]; fewer are decoded one by one.
const LEAST_UTF8: usize = 16;

/// Passes the sequences of a range of an input to a layout.
pub struct DumpSink<'a> {
    kernels: &'static Kernels,
    /// Encoding of the input, after its signature if that selects another one.
    encoding: &'static Encoding,
    /// The range to show, in bytes of the input.
    range: Range<u64>,
    layout: &'a mut dyn Layout,
    out: &'a mut Output,
    /// A buffer for decoded sequences.
    steps: Vec<Step>,
    /// The ill-formed sequences found at once.
    found: FaultBits,
    faults: u64,
}

impl<'a> DumpSink<'a> {
    /// Creates a sink for a range of an input in this encoding.
    pub fn new(
        kernels: &'static Kernels,
        encoding: &'static Encoding,
        range: Range<u64>,
        layout: &'a mut dyn Layout,
        out: &'a mut Output,
    ) -> DumpSink<'a> {
        DumpSink {
            kernels,
            encoding,
            range,
            layout,
            out,
            steps: Vec::with_capacity(BLOCK),
            found: FaultBits::NONE,
            faults: 0,
        }
    }

    /// Returns the number of ill-formed sequences so far that start in the range.
    pub fn faults(&self) -> u64 {
        self.faults
    }

    /// Passes a sequence to the layout, unless it lies outside the range.
    fn show(&mut self, offset: u64, sequence: &[u8], meaning: Meaning) -> io::Result<()> {
        let shown = within(&self.range, offset, sequence);
        if shown.is_empty() {
            return Ok(());
        }
        let item = DumpItem { offset, sequence, before: shown.start, len: shown.len(), meaning };
        self.layout.item(self.out, &item)?;
        self.out.settle()
    }

    /// Returns a lower bound of the number of bytes at the front of a part of a run that mean the
    /// same in UTF-8. They end on a boundary of sequences.
    fn utf8_len(&self, run: &[u8]) -> usize {
        match self.encoding {
            encoding if encoding.inner.strict => kernel::boundary(run, run.len()),
            encoding if encoding.inner.utf8 => self.kernels.utf8(run),
            encoding if encoding.properties.transparent => self.kernels.ascii(run),
            _ => 0,
        }
    }

    /// Finds the ill-formed sequences at the front of strict UTF-8. Returns the number of bytes up to
    /// a boundary of sequences; 0 if there are few bytes.
    fn find_faults(&mut self, bytes: &[u8]) -> usize {
        // A pair of surrogates is one sequence.
        let window = bytes.len().saturating_sub(SURROGATE_LEN).min(WINDOW);
        let end = self.kernels.fault_bits(&bytes[..window], &mut self.found);
        if end == 0 { 0 } else { end.max(self.found.finish(bytes, Utf8Text::fault_len)) }
    }

    /// Stops the scan once it has reached the end of the range.
    fn flow(&self, reached: u64) -> ControlFlow<()> {
        flow_if(reached < self.range.end)
    }
}

/// Returns the meaning of a step in a well-formed run.
fn meaning(step: Step) -> Meaning {
    match step {
        Step::Scalar { value, .. } => Meaning::Scalar(value),
        Step::Two { .. } | Step::Many { .. } => Meaning::Several(PointList::of(step.values())),
        Step::Signature { .. } => Meaning::Signature,
        // `Ill` and `Short` only if the bytes of a mapping changed after they were validated.
        Step::Skip { .. } | Step::Ill { .. } | Step::Short => Meaning::Skip,
    }
}

impl Sink for DumpSink<'_> {
    fn run(&mut self, run: Run<'_>) -> io::Result<ControlFlow<()>> {
        let Run { offset, bytes, reader, .. } = run;
        let part = within(&self.range, offset, bytes);
        let mut at = 0;
        while at < part.end {
            let rest = &bytes[at..part.end];
            let enough = at >= part.start && rest.len() >= LEAST_UTF8;
            let utf8 = if enough { self.utf8_len(rest) } else { 0 };
            if utf8 >= LEAST_UTF8 {
                let text = &bytes[at..at + utf8];
                let offset = offset + at as u64;
                let text = Utf8Text { offset, bytes: text, known: text, faults: &FaultBits::NONE };
                self.layout.utf8(self.out, text)?;
                at += utf8;
                continue;
            }
            let mut steps = std::mem::take(&mut self.steps);
            steps.clear();
            reader.steps(&bytes[at..], BLOCK, &mut steps);
            for &step in &steps {
                self.show(offset + at as u64, &bytes[at..at + step.size()], meaning(step))?;
                at += step.size();
            }
            self.steps = steps;
        }
        Ok(self.flow(offset + bytes.len() as u64))
    }

    fn signature(&mut self, offset: u64, bytes: &[u8]) -> io::Result<ControlFlow<()>> {
        self.show(offset, bytes, Meaning::Signature)?;
        Ok(self.flow(offset + bytes.len() as u64))
    }

    fn issue(
        &mut self,
        issue: &Issue,
        bytes: &[u8],
        next: Option<u8>,
    ) -> io::Result<ControlFlow<()>> {
        self.faults += u64::from(self.range.contains(&issue.offset));
        self.show(issue.offset, bytes, Meaning::Ill(issue.kind, next))?;
        Ok(self.flow(issue.offset + bytes.len() as u64))
    }

    fn tolerates_changes(&self) -> bool {
        self.layout.tolerates_changes()
    }

    fn gulp(&mut self, _: &Kernels, offset: u64, bytes: &[u8]) -> io::Result<usize> {
        let part = within(&self.range, offset, bytes);
        if part.start > 0 || !self.encoding.inner.strict || !self.layout.takes_faults() {
            return Ok(0);
        }
        let mut at = 0;
        loop {
            let rest = &bytes[at..part.end];
            let len = self.find_faults(rest);
            if len == 0 {
                return Ok(at);
            }
            self.faults += self.found.count() as u64;
            let (offset, known) = (offset + at as u64, &bytes[at..]);
            let text = Utf8Text { offset, bytes: &rest[..len], known, faults: &self.found };
            self.layout.utf8(self.out, text)?;
            at += len;
        }
    }

    fn codec(&mut self, codec: &'static str) {
        self.encoding = by_name(codec);
        self.layout.codec(self.encoding);
    }

    fn pause(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
