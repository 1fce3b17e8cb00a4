//! How do runs and issues become what they should have been? The sink of `utf8 repair`.

use std::io;
use std::ops::{ControlFlow, Range};

use super::chain::StageChain;
use super::output::{RepairOutput, RepairSummary, RepairTarget};
use super::piece::LIMIT;
use super::{Plan, RepairReason, RepairReasons, SegmentReceiver, Stage, TextSegment};
use crate::codec::family::put_form;
use crate::codec::{BOM, RunReader, Step};
use crate::finding::fault::StopReason;
use crate::issue::Issue;
use crate::kernel::Kernels;
use crate::policy::{Bom, Policy};
use crate::registry::{Encoding, by_name};
use crate::sink::{Run, Sink, starting, within};

/// How many sequences are read at a time, where they are read one by one.
const SEQUENCES: usize = 1024;

/// Repairs a range of an input.
pub struct Repair<'a> {
    plan: Plan,
    range: Range<u64>,
    stages: Vec<Box<dyn Stage>>,
    output: RepairOutput<'a>,
    /// Whether what is written for this input starts the output.
    first: bool,
    started: bool,
    /// Whether stages are given the text sequence by sequence.
    by_sequence: bool,
    /// See [`Plan::stand_in`]; `None` where something is told of each change.
    stand_in: Option<&'static [u8]>,
    /// Whether it may end where the rest is left out.
    uncounted: bool,
    steps: Vec<Step>,
    after: Vec<u8>,
    values: Vec<u32>,
}

impl std::fmt::Debug for Repair<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Repair").field("plan", &self.plan).finish_non_exhaustive()
    }
}

impl<'a> Repair<'a> {
    /// Repair a range of an input of this codec.
    pub fn new(
        plan: &Plan,
        source: &'static Encoding,
        range: Range<u64>,
        outlet: RepairTarget<'a>,
    ) -> Repair<'a> {
        let first = !outlet.joined;
        let uncounted = outlet.uncounted && outlet.journal.is_none();
        let unseen = uncounted && outlet.to.is_some();
        let stages = plan.stages(source);
        let stand_in = plan.stand_in(source, &stages).filter(|_| unseen);
        let output = RepairOutput::new(outlet, source, source.reencodes_all);
        Repair {
            plan: *plan,
            range,
            stages,
            output,
            first,
            started: false,
            by_sequence: plan.by_sequence(source),
            stand_in,
            // A NUL is looked for to the end.
            uncounted: uncounted && !plan.text_only,
            steps: Vec::new(),
            after: Vec::new(),
            values: Vec::new(),
        }
    }

    /// The input has ended: write what is left. Returns what was done.
    ///
    /// # Errors
    /// Those of writing.
    pub fn end(mut self) -> io::Result<RepairSummary> {
        if self.output.account.fault.is_none() {
            self.start(None)?;
        }
        self.chain().end()?;
        self.output.end()?;
        let mut account = self.output.account;
        if account.binary {
            // In what is no text, nothing is one.
            account.fault = None;
        }
        Ok(account)
    }

    fn chain(&mut self) -> StageChain<'_> {
        StageChain { stages: &mut self.stages, last: &mut self.output }
    }

    /// The text starts, with U+FEFF or not.
    fn start(&mut self, sign: Option<(u64, &[u8])>) -> io::Result<()> {
        if std::mem::replace(&mut self.started, true) {
            return Ok(());
        }
        let bom = '\u{FEFF}'.encode_utf8(&mut [0; 3]).as_bytes().to_vec();
        let signs = match self.plan.bom {
            Bom::Keep => sign.is_some(),
            Bom::Remove => false,
            Bom::Add => self.first,
        };
        let (offset, before) = sign.unwrap_or((self.range.start, &[]));
        let after = if signs { &bom[..] } else { &[] };
        let reasons = match signs == sign.is_some() {
            true => RepairReasons::NONE,
            false => RepairReasons::NONE.and(RepairReason::Bom),
        };
        match signs || sign.is_some() {
            true => self.chain().take(&TextSegment { offset, before, after, reasons }),
            false => Ok(()),
        }
    }

    /// The start of a run at the start of the input, if no text was before it: U+FEFF or not.
    /// Returns how many bytes it had.
    fn sign(&mut self, run: &mut Run<'_>, part: &Range<usize>) -> io::Result<usize> {
        let bytes = &run.bytes[part.clone()];
        let mut steps = Vec::new();
        let mut len = 0;
        // A shift is no text yet.
        while !self.started && run.offset == 0 && part.start == 0 && len < bytes.len() {
            let at = len;
            len += run.reader.steps(&bytes[at..], 1, &mut steps);
            match steps.pop() {
                Some(Step::Scalar { value: BOM, .. }) => {
                    self.start(Some((at as u64, &bytes[at..len])))?;
                }
                Some(skip @ Step::Skip { .. }) => {
                    self.sequences(at as u64, &bytes[at..len], &[skip])?
                }
                step => {
                    self.start(None)?;
                    self.sequences(at as u64, &bytes[at..len], step.as_slice())?;
                }
            }
        }
        if !bytes.is_empty() && len == 0 {
            self.start(None)?;
        }
        Ok(len)
    }

    /// Take well-formed sequences one by one.
    fn sequences(&mut self, offset: u64, bytes: &[u8], steps: &[Step]) -> io::Result<()> {
        let mut after = std::mem::take(&mut self.after);
        let mut at = 0;
        for step in steps {
            let before = &bytes[at..at + step.size()];
            after.clear();
            match *step {
                Step::Scalar { value, .. } => put_form(value, &mut after),
                Step::Two { values, .. } => {
                    values.into_iter().for_each(|value| put_form(value, &mut after));
                }
                _ => {}
            }
            let (offset, reasons) = (offset + at as u64, RepairReasons::NONE);
            self.chain().take(&TextSegment { offset, before, after: &after, reasons })?;
            at += before.len();
        }
        self.after = after;
        Ok(())
    }

    /// Take a run of sequences that the reader is about to read.
    fn take(&mut self, offset: u64, bytes: &[u8], reader: &mut dyn RunReader) -> io::Result<()> {
        if !self.by_sequence && !self.is_full() {
            return self.chain().take(&TextSegment::run(offset, bytes));
        }
        let mut steps = std::mem::take(&mut self.steps);
        let mut at = 0;
        while at < bytes.len() && !self.is_full() {
            steps.clear();
            let len = reader.steps(&bytes[at..], SEQUENCES, &mut steps);
            self.sequences(offset + at as u64, &bytes[at..at + len], &steps)?;
            at += len;
        }
        self.steps = steps;
        self.leave_out(offset + at as u64, &bytes[at..])
    }

    /// Whether all that may still come is left out.
    fn is_full(&self) -> bool {
        self.stages.last().is_some_and(|stage| stage.is_full())
    }

    /// Take what is behind the cut, whatever it is, to be counted.
    fn leave_out(&mut self, mut offset: u64, bytes: &[u8]) -> io::Result<()> {
        let reasons = RepairReasons::NONE.and(RepairReason::Truncate);
        for before in bytes.chunks(LIMIT) {
            self.chain().take(&TextSegment { offset, before, after: &[], reasons })?;
            offset += before.len() as u64;
        }
        Ok(())
    }

    /// Whether to go on, if there is more.
    fn flow(&self) -> ControlFlow<()> {
        match self.uncounted && self.is_full() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    /// What stands for an ill-formed sequence, and why; `None` if nothing does.
    fn stand_in(&mut self, issue: &Issue, bytes: &[u8]) -> Option<RepairReasons> {
        self.after.clear();
        let (text, policy) = (self.output.text, self.plan.policy);
        let Some((value, reason)) = self.plan.structure.read(text, issue, bytes) else {
            return self
                .apply(policy, issue, bytes)
                .then(|| RepairReasons::NONE.and(RepairReason::OnError));
        };
        let reasons = RepairReasons::NONE.and(reason);
        put_form(value, &mut self.after);
        if text.holds(value) {
            return Some(reasons);
        }
        // The shortest form of what is no character, or not here, is a fault like any other.
        let bytes = std::mem::take(&mut self.after);
        let Step::Ill { kind, len, replacements } = (text.step)(&bytes) else { return None };
        let issue = Issue { offset: issue.offset, len: len as u8, kind, replacements };
        self.apply(policy, &issue, &bytes).then(|| reasons.and(RepairReason::OnError))
    }

    /// Let the policy stand in. Whether it does.
    fn apply(&mut self, policy: Policy, issue: &Issue, bytes: &[u8]) -> bool {
        self.values.clear();
        let stands = policy.ill_formed(issue, bytes, &mut self.values);
        self.values.iter().for_each(|&value| put_form(value, &mut self.after));
        stands
    }

    /// Look for what no text has. Whether these bytes are to be repaired; what follows may be.
    fn look(&mut self, bytes: &[u8]) -> bool {
        let account = &mut self.output.account;
        let looks = self.plan.text_only && self.output.text.unit == 1;
        account.binary |= looks && memchr::memchr(0, bytes).is_some();
        !account.binary && account.fault.is_none()
    }

    /// These bytes are not to be repaired. Behind a fault, a sign may come that it is no text.
    fn pass_over(&self) -> ControlFlow<()> {
        let account = &self.output.account;
        match account.fault.is_some() && self.plan.text_only && !account.binary {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    }
}

impl Sink for Repair<'_> {
    fn run(&mut self, mut run: Run<'_>) -> io::Result<ControlFlow<()>> {
        if !self.look(run.bytes) {
            return Ok(self.pass_over());
        }
        let part = starting(&self.range, &mut run);
        let signed = self.sign(&mut run, &part)?;
        let start = part.start + signed;
        self.take(run.offset + start as u64, &run.bytes[start..part.end], run.reader)?;
        let done = run.offset + run.bytes.len() as u64 >= self.range.end;
        Ok(if done { ControlFlow::Break(()) } else { self.flow() })
    }

    fn signature(&mut self, offset: u64, bytes: &[u8]) -> io::Result<ControlFlow<()>> {
        self.output.text = self.output.text.after_bom(bytes).unwrap_or(self.output.text);
        if self.range.contains(&offset) {
            self.start(Some((offset, bytes)))?;
        }
        Ok(ControlFlow::Continue(()))
    }

    fn issue(
        &mut self,
        issue: &Issue,
        bytes: &[u8],
        next: Option<u8>,
    ) -> io::Result<ControlFlow<()>> {
        if issue.offset >= self.range.end {
            return Ok(ControlFlow::Break(()));
        }
        if !self.look(bytes) {
            return Ok(self.pass_over());
        }
        if issue.offset < self.range.start {
            return Ok(ControlFlow::Continue(()));
        }
        self.start(None)?;
        if self.is_full() {
            self.leave_out(issue.offset, bytes)?;
            return Ok(self.flow());
        }
        let Some(reasons) = self.stand_in(issue, bytes) else {
            self.chain().settle()?;
            if self.is_full() {
                self.leave_out(issue.offset, bytes)?;
                return Ok(self.flow());
            }
            let fault = StopReason::ill_formed(self.output.text, issue, bytes, next);
            self.output.account.fault = Some(fault);
            return Ok(self.pass_over());
        };
        let after = std::mem::take(&mut self.after);
        let (offset, before) = (issue.offset, bytes);
        self.chain().take(&TextSegment { offset, before, after: &after, reasons })?;
        self.after = after;
        Ok(self.flow())
    }

    fn gulp(&mut self, kernels: &Kernels, offset: u64, bytes: &[u8]) -> io::Result<usize> {
        match self.stand_in {
            // Behind a sequence that starts before the range, the text may not have started.
            Some(stand_in)
                if self.started && within(&self.range, offset, bytes) == (0..bytes.len()) =>
            {
                self.output.lossy(kernels, bytes, stand_in)
            }
            _ => Ok(0),
        }
    }

    fn codec(&mut self, codec: &'static str) {
        self.output.text = by_name(codec);
    }

    fn pause(&mut self) -> io::Result<()> {
        match &mut self.output.to {
            Some(to) => to.flush(),
            None => Ok(()),
        }
    }
}
