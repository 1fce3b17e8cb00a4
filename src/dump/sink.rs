//! Which sequences are in it? The sink of `utf8 dump-bits`.

use std::io;
use std::ops::{ControlFlow, Range};

use super::{DumpItem, Layout, Meaning};
use crate::codec::Step;
use crate::issue::Issue;
use crate::kernel::Kernels;
use crate::output::Output;
use crate::registry::{Encoding, by_name};
use crate::sink::{Run, Sink};

/// How many sequences are read at a time.
const BLOCK: usize = 64;

/// How many bytes of UTF-8 are shown at a time: so many that what they make is worth to be written.
const MOST_UTF8: usize = 1 << 10;

/// From how many bytes on these are not read sequence by sequence.
const LEAST_UTF8: usize = 16;

/// Hands the sequences of a range of an input to a layout.
pub struct DumpSink<'a> {
    kernels: &'static Kernels,
    /// The codec of the text.
    spec: &'static Encoding,
    range: Range<u64>,
    layout: &'a mut dyn Layout,
    out: &'a mut Output,
    steps: Vec<Step>,
    faults: u64,
}

impl<'a> DumpSink<'a> {
    /// Show a range of an input of this codec.
    pub fn new(
        kernels: &'static Kernels,
        spec: &'static Encoding,
        range: Range<u64>,
        layout: &'a mut dyn Layout,
        out: &'a mut Output,
    ) -> DumpSink<'a> {
        DumpSink { kernels, spec, range, layout, out, steps: Vec::with_capacity(BLOCK), faults: 0 }
    }

    /// How many ill-formed sequences were shown that start in the range.
    pub fn faults(&self) -> u64 {
        self.faults
    }

    /// Show what is in the range of a sequence.
    fn show(&mut self, offset: u64, sequence: &[u8], what: Meaning) -> io::Result<()> {
        let shown = crate::sink::within(&self.range, offset, sequence);
        if shown.is_empty() {
            return Ok(());
        }
        let item = DumpItem { offset, sequence, before: shown.start, len: shown.len(), what };
        self.layout.item(self.out, &item)?;
        self.out.settle()
    }

    /// How many bytes at the front of a run are the same in UTF-8, as far as that is easy to say?
    fn utf8(&self, run: &[u8]) -> usize {
        let ahead = &run[..run.len().min(MOST_UTF8)];
        match self.spec {
            spec if spec.utf8 => self.kernels.utf8(ahead),
            spec if spec.properties.transparent => self.kernels.ascii(ahead),
            _ => 0,
        }
    }

    /// Whether there is more to show behind an offset.
    fn flow(&self, reached: u64) -> ControlFlow<()> {
        if reached < self.range.end { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

/// What a step of a run is to be shown as.
fn what(step: Step) -> Meaning {
    match step {
        Step::Scalar { value, .. } => Meaning::Scalar(value),
        Step::Two { values, .. } => Meaning::Two(values),
        Step::Signature { .. } => Meaning::Signature,
        // The other two only if the bytes are not what they were.
        Step::Skip { .. } | Step::Ill { .. } | Step::Short => Meaning::Skip,
    }
}

impl Sink for DumpSink<'_> {
    fn run(&mut self, run: Run<'_>) -> io::Result<ControlFlow<()>> {
        let Run { offset, bytes, reader } = run;
        let part = crate::sink::within(&self.range, offset, bytes);
        let mut at = 0;
        while at < part.end {
            let rest = &bytes[at..part.end];
            let worth = at >= part.start && rest.len() >= LEAST_UTF8;
            let utf8 = if worth { self.utf8(rest) } else { 0 };
            if utf8 >= LEAST_UTF8 {
                self.layout.utf8(self.out, offset + at as u64, &bytes[at..at + utf8])?;
                self.out.settle()?;
                at += utf8;
                continue;
            }
            let mut steps = std::mem::take(&mut self.steps);
            steps.clear();
            reader.steps(&bytes[at..], BLOCK, &mut steps);
            for &step in &steps {
                self.show(offset + at as u64, &bytes[at..at + step.size()], what(step))?;
                at += step.size();
            }
            self.steps = steps;
        }
        Ok(self.flow(offset + bytes.len() as u64))
    }

    fn signature(&mut self, offset: u64, bytes: &[u8]) -> io::Result<ControlFlow<()>> {
        if let Some(text) = self.spec.after_bom(bytes) {
            self.codec(text.name);
        }
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

    fn codec(&mut self, codec: &'static str) {
        self.spec = by_name(codec);
        self.layout.codec(self.spec);
    }

    fn pause(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
