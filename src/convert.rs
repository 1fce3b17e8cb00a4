//! Which bytes are these characters in another codec? The sink of `utf8 decode` and `utf8 encode`.
//!
//! Every pair of codecs meets in blocks of code points: one reads them, the other writes them, and
//! a [`Policy`] stands between for what the first finds ill-formed and the second cannot hold.

use std::io;
use std::ops::{ControlFlow, Range};

use crate::codec::{BOM, Escapes, RunReader, TextWriter};
use crate::finding::fault::StopReason;
use crate::issue::{Issue, Kind};
use crate::kernel::Kernels;
use crate::output::Output;
use crate::policy::{Bom, Policy, REPLACEMENT, optu};
use crate::registry::{Encoding, by_name};
use crate::sink::{Run, Sink, outside, starting};
use crate::text::write;
use escape_collisions::EscapeCollisions;

mod escape_collisions;

/// How many code points are on the way at a time: few enough for the nearest cache.
const BLOCK: usize = 2048;

/// How to convert.
#[derive(Clone, Copy, Debug)]
pub struct ConvertOptions {
    /// What is written.
    pub target: &'static Encoding,
    /// How much a notation escapes.
    pub escapes: Escapes,
    /// What becomes of what cannot be converted.
    pub policy: Policy,
    /// What becomes of U+FEFF at the start of an input; `None` leaves it to the codecs.
    pub bom: Option<Bom>,
}

/// One output, into which any number of inputs are converted, one after another.
pub struct Conversion {
    kernels: &'static Kernels,
    manner: ConvertOptions,
    writer: Box<dyn TextWriter>,
    /// Whether it is still to be said if a BOM is written.
    undecided: bool,
    values: Vec<u32>,
    substitutes: Vec<u32>,
    joined: Option<EscapeCollisions>,
}

/// What a policy was applied to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PolicyCounts {
    /// Ill-formed sequences.
    pub ill_formed: u64,
    /// Code points that the target lacks.
    pub lacking: u64,
    /// Well-formed code points that the policy takes for bytes.
    pub mistrusted: u64,
}

impl Conversion {
    /// A conversion of which nothing is written yet.
    pub fn new(kernels: &'static Kernels, manner: ConvertOptions) -> Conversion {
        Conversion {
            kernels,
            manner,
            writer: (manner.target.write)(manner.escapes),
            undecided: manner.bom.is_some(),
            values: vec![0; BLOCK],
            substitutes: Vec::new(),
            joined: manner.target.escape.map(EscapeCollisions::new),
        }
    }

    /// All inputs are converted: write what the end of the text still owes.
    pub fn finish(mut self, out: &mut Output) {
        self.decide(false);
        self.writer.finish(out.buffer());
    }

    /// How many bytes were written as they had been escaped, and will not be read back as escapes.
    pub fn joined(&self) -> u64 {
        self.joined.as_ref().map_or(0, EscapeCollisions::number)
    }

    /// An input starts, with U+FEFF or not. Whether that is for the conversion to write or to drop.
    fn decide(&mut self, had: bool) -> bool {
        let Some(bom) = self.manner.bom else { return false };
        let signs = match bom {
            Bom::Keep => had && self.manner.target.holds(BOM),
            Bom::Remove => false,
            Bom::Add => true,
        };
        if std::mem::take(&mut self.undecided) {
            self.writer.sign(signs);
        }
        had && (signs || bom == Bom::Remove)
    }

    /// Write code points, up to the first that the target lacks. Returns their number.
    fn store(&mut self, values: &[u32], out: &mut Vec<u8>) -> usize {
        let stored = self.writer.store(self.kernels, values, out);
        if let Some(joined) = &mut self.joined {
            joined.see(&values[..stored]);
        }
        stored
    }

    /// Write what stands for something else. Where even U+FFFD is lacking, it is `?`. Returns the
    /// number of code points up to one that the target lacks.
    fn substitute(&mut self, values: &[u32], out: &mut Vec<u8>) -> usize {
        let mut at = 0;
        loop {
            at += self.store(&values[at..], out);
            match values.get(at) {
                Some(&REPLACEMENT) if self.store(&['?'.into()], out) == 1 => at += 1,
                _ => return at,
            }
        }
    }
}

/// Converts a range of an input.
pub struct Convert<'a> {
    conversion: &'a mut Conversion,
    out: &'a mut Output,
    /// The codec of the text: the one that was named, or what a signature has told.
    text: &'static Encoding,
    range: Range<u64>,
    started: bool,
    treated: PolicyCounts,
    fault: Option<StopReason>,
}

impl<'a> Convert<'a> {
    /// Convert a range of an input of this codec.
    pub fn new(
        conversion: &'a mut Conversion,
        source: &'static Encoding,
        range: Range<u64>,
        out: &'a mut Output,
    ) -> Convert<'a> {
        let (treated, fault) = Default::default();
        Convert { conversion, out, text: source, range, started: false, treated, fault }
    }

    /// What a policy was applied to, and what ended the conversion.
    pub fn end(self) -> (PolicyCounts, Option<StopReason>) {
        (self.treated, self.fault)
    }

    /// The text starts. Whether the U+FEFF that it `had` at its start is done with.
    fn start(&mut self, had: bool) -> bool {
        !std::mem::replace(&mut self.started, true) && self.conversion.decide(had)
    }

    /// Convert a run of whole sequences.
    fn convert(
        &mut self,
        offset: u64,
        bytes: &[u8],
        reader: &mut dyn RunReader,
    ) -> io::Result<bool> {
        let mut values = std::mem::take(&mut self.conversion.values);
        let mut at = 0;
        while at < bytes.len() && self.fault.is_none() {
            let rest = &bytes[at..];
            let loaded = reader.load(self.conversion.kernels, rest, &mut values);
            let block = &values[..loaded.written];
            let place = offset + at as u64;
            // A shift or a blank is no text yet: the signature waits for the first code point.
            if let Some(&value) = block.first() {
                let bom = !self.started && self.range.start == 0 && value == BOM;
                let from = usize::from(self.start(bom));
                if let Err((index, value)) = self.write(&block[from..], rest, reader, from) {
                    self.lacks(place + index as u64, value);
                }
            }
            // Nothing is read only if the bytes are no longer what they were.
            at += if loaded.read == 0 { rest.len() } else { loaded.read };
            self.out.settle()?;
        }
        self.conversion.values = values;
        Ok(self.fault.is_none())
    }

    /// Write code points that a reader has just read from these bytes, `from` of which are done
    /// with. An error is what the target lacks, and the index of its first byte.
    fn write(
        &mut self,
        values: &[u32],
        bytes: &[u8],
        reader: &dyn RunReader,
        from: usize,
    ) -> Result<(), (usize, u32)> {
        let policy = self.conversion.manner.policy;
        let spans = || reader.spans(bytes, from + values.len()).split_off(from);
        if values.iter().any(|&value| policy.collides_with_escape(value)) {
            return self.write_apart(values, bytes, &spans());
        }
        self.put(values).map_err(|at| (spans()[at].start, values[at]))
    }

    /// The same, where some code points are taken for bytes.
    fn write_apart(
        &mut self,
        values: &[u32],
        bytes: &[u8],
        spans: &[Range<usize>],
    ) -> Result<(), (usize, u32)> {
        for (&value, span) in values.iter().zip(spans) {
            if self.conversion.manner.policy.collides_with_escape(value) {
                self.treated.mistrusted += 1;
                let escapes: Vec<_> = bytes[span.clone()].iter().map(|&byte| optu(byte)).collect();
                self.put(&escapes).map_err(|at| (span.start + at, escapes[at]))?;
            } else {
                self.put(&[value]).map_err(|_| (span.start, value))?;
            }
        }
        Ok(())
    }

    /// Write code points of the text, and what stands for those that the target lacks. An error is
    /// the index of one for which nothing does.
    fn put(&mut self, values: &[u32]) -> Result<(), usize> {
        let mut at = 0;
        loop {
            at += self.conversion.store(&values[at..], self.out.buffer());
            let Some(&value) = values.get(at) else { return Ok(()) };
            let mut stands = std::mem::take(&mut self.conversion.substitutes);
            stands.clear();
            let treated = self.conversion.manner.policy.lacking(value, &mut stands)
                && self.conversion.substitute(&stands, self.out.buffer()) == stands.len();
            self.conversion.substitutes = stands;
            if !treated {
                return Err(at);
            }
            self.treated.lacking += 1;
            at += 1;
        }
    }

    /// The conversion ends for want of a code point.
    fn lacks(&mut self, offset: u64, value: u32) {
        let mut message = self.conversion.manner.target.name.as_bytes().to_vec();
        message.extend_from_slice(b" cannot hold ");
        write::code_point(&mut message, value);
        self.fault = Some(StopReason::new(offset, Kind::Unencodable, &message, Some(value)));
    }
}

/// Whether to go on.
fn flow(on: bool) -> ControlFlow<()> {
    if on { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
}

impl Sink for Convert<'_> {
    fn run(&mut self, mut run: Run<'_>) -> io::Result<ControlFlow<()>> {
        let part = starting(&self.range, &mut run);
        let done = run.offset + run.bytes.len() as u64 >= self.range.end;
        let on = self.convert(run.offset + part.start as u64, &run.bytes[part], run.reader)?;
        Ok(flow(on && !done))
    }

    fn signature(&mut self, offset: u64, bytes: &[u8]) -> io::Result<ControlFlow<()>> {
        self.text = self.text.after_bom(bytes).unwrap_or(self.text);
        let ours = self.range.contains(&offset) && self.conversion.manner.bom.is_some();
        // To be kept where it can be no signature, it is text.
        if ours
            && !self.start(true)
            && let Err(at) = self.put(&[BOM])
        {
            self.lacks(offset + at as u64, BOM);
        }
        Ok(flow(self.fault.is_none()))
    }

    fn issue(
        &mut self,
        issue: &Issue,
        bytes: &[u8],
        next: Option<u8>,
    ) -> io::Result<ControlFlow<()>> {
        if let Some(flow) = outside(&self.range, issue) {
            return Ok(flow);
        }
        self.start(false);
        let mut stands = std::mem::take(&mut self.conversion.substitutes);
        stands.clear();
        if self.conversion.manner.policy.ill_formed(issue, bytes, &mut stands) {
            self.treated.ill_formed += 1;
            let written = self.conversion.substitute(&stands, self.out.buffer());
            if let Some(&value) = stands.get(written) {
                let byte = written * bytes.len() / stands.len();
                self.lacks(issue.offset + byte as u64, value);
            }
        } else {
            self.fault = Some(StopReason::ill_formed(self.text, issue, bytes, next));
        }
        self.conversion.substitutes = stands;
        self.out.settle()?;
        Ok(flow(self.fault.is_none()))
    }

    fn codec(&mut self, codec: &'static str) {
        self.text = by_name(codec);
    }

    fn pause(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
