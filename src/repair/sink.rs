//! The sink that repairs a range of an input.

use std::collections::VecDeque;
use std::io;
use std::ops::{ControlFlow, Range};
use std::slice;

use super::journal::{Occurrences, RepairSummary};
use super::lines::LineDropper;
use super::output::{RepairOutput, RepairTarget};
use super::plan::RepairPlan;
use super::segment::{MAX_PENDING, TextSegment};
use super::stage::{SegmentReceiver, Stage, StageChain};
use super::stages::fixes::FixStage;
use super::stages::{RepairReason, RepairReasons};
use crate::codec::family::put_form;
use crate::codec::{BOM, RunReader, Step, UTF8_BOM};
use crate::finding::stop::UntreatedSequence;
use crate::issue::Issue;
use crate::kernel::Kernels;
use crate::output::Output;
use crate::policy::{Bom, Policy, REPLACEMENT};
use crate::registry::{Encoding, by_name};
use crate::sink::{Run, Sink, flow_if, outside, starting, within};
use crate::validate::LintFixes;

/// Number of sequences read at a time where stages need single sequences.
const SEQUENCES: usize = 1024;

/// Repairs a range of an input.
pub struct Repair<'a> {
    plan: RepairPlan,
    range: Range<u64>,
    /// True if text outside of the range decides about line ends in it.
    has_context: bool,
    /// True until the range begins: text before it may be pending.
    is_before: bool,
    /// The first of the stages, if the policy leaves out lines. It gets the text without its BOM.
    lines: Option<LineDropper>,
    stages: Vec<Box<dyn Stage>>,
    output: RepairOutput<'a>,
    /// True if the input is the first of the output.
    first: bool,
    /// True once the start of the text, with or without U+FEFF, is treated.
    started: bool,
    /// True if ill-formed sequences that no repair treats are kept.
    keeps_ill_formed: bool,
    /// True if stages receive single sequences.
    by_sequence: bool,
    /// See [`RepairPlan::plain_replacement`]; `None` if changes are counted.
    plain_replacement: Option<&'static [u8]>,
    /// True if the repair may end once the rest of the input is removed.
    may_stop: bool,
    /// The offsets and lengths of treated sequences that no stage has passed on yet, if the text may
    /// be cut before them.
    late: VecDeque<(u64, u64)>,
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
    /// Creates a repair of a range of an input in this codec.
    pub fn new(
        plan: &RepairPlan,
        source: &'static Encoding,
        range: Range<u64>,
        target: RepairTarget<'a>,
    ) -> Repair<'a> {
        let first = !target.appended;
        let uncounted = target.uncounted && target.journal.is_none();
        let writes_only = uncounted && target.output.is_some();
        let stages = plan.stages(source);
        let plain_replacement = plan.plain_replacement(source, &stages).filter(|_| writes_only);
        let accepts_runs = stages.iter().all(|stage| stage.input().accepts(source));
        let has_context = plan.looks_around() && range != (0..u64::MAX);
        Repair {
            plan: *plan,
            has_context,
            is_before: has_context && range.start > 0,
            output: RepairOutput::new(target, source, &range, has_context)
                .keeping_apart(plan.truncation.is_none()),
            range,
            lines: (plan.policy == Policy::DropLine).then(|| LineDropper::new(source).counting()),
            stages,
            first,
            started: false,
            keeps_ill_formed: false,
            by_sequence: source.inner.reencodes_all || !accepts_runs,
            plain_replacement,
            // The search for NUL reads the whole input.
            may_stop: uncounted && !plan.text_only,
            late: VecDeque::new(),
            steps: Vec::new(),
            after: Vec::new(),
            values: Vec::new(),
        }
    }

    /// Makes edits that fix findings of lints, before all other repairs.
    #[must_use]
    pub fn with_fixes(mut self, fixes: LintFixes) -> Repair<'a> {
        let stage = FixStage::new(fixes);
        self.by_sequence |= !stage.input().accepts(self.output.codec);
        self.stages.insert(0, Box::new(stage));
        self.plain_replacement = None;
        self
    }

    /// Keeps ill-formed sequences that no repair treats.
    #[must_use]
    pub fn keep_ill_formed(mut self) -> Repair<'a> {
        self.keeps_ill_formed = true;
        self.plain_replacement = None;
        self
    }

    /// Ends the input: writes all pending text. Returns the summary.
    ///
    /// # Errors
    /// Errors of writing.
    pub fn end(mut self) -> io::Result<RepairSummary> {
        self.finish()
    }

    /// Ends the input as [`end`](Repair::end) does, and keeps the output.
    ///
    /// # Errors
    /// Errors of writing.
    pub(crate) fn finish(&mut self) -> io::Result<RepairSummary> {
        if self.output.summary.stop.is_none() {
            self.start(None)?;
        }
        if let Some(lines) = &mut self.lines {
            lines.finish(&mut StageChain { stages: &mut self.stages, last: &mut self.output })?;
        }
        self.chain().finish_all_but_last()?;
        if let Some(cut) = self.cut() {
            let omitted = self.late.iter().filter(|(offset, _)| *offset >= cut);
            self.output.summary.treated -= omitted.map(|(_, len)| len).sum::<u64>();
        }
        self.chain().finish_last()?;
        self.output.finish()?;
        let mut summary = std::mem::take(&mut self.output.summary);
        summary.lines = self.lines.as_ref().and_then(|lines| lines.count).unwrap_or_default();
        if summary.binary {
            // An ill-formed sequence in a binary file is no fault of its text.
            summary.stop = None;
        }
        Ok(summary)
    }

    /// Returns the output; `None` for a dry run.
    pub(crate) fn output(&mut self) -> Option<&mut Output> {
        self.output.output.as_deref_mut()
    }

    fn chain(&mut self) -> StageChain<'_> {
        StageChain { stages: &mut self.stages, last: &mut self.output }
    }

    /// Passes a segment of text to the stages.
    fn push(&mut self, segment: &TextSegment<'_>) -> io::Result<()> {
        let mut chain = StageChain { stages: &mut self.stages, last: &mut self.output };
        match &mut self.lines {
            Some(lines) => lines.push(segment, &mut chain),
            None => chain.push(segment),
        }
    }

    /// Treats the start of the text: `mark` is the offset and the bytes of U+FEFF, if it is there.
    fn start(&mut self, mark: Option<(u64, &[u8])>) -> io::Result<()> {
        if std::mem::replace(&mut self.started, true) {
            return Ok(());
        }
        let writes_mark = match self.plan.bom {
            Bom::Keep => mark.is_some(),
            Bom::Remove => false,
            // The ranges of a text make up the whole.
            Bom::Add => self.first && self.range.start == 0 && !self.range.is_empty(),
        };
        let (offset, before) = mark.unwrap_or((self.range.start, &[]));
        let after = if writes_mark { UTF8_BOM } else { &[] };
        let reasons = match writes_mark == mark.is_some() {
            true => RepairReasons::NONE,
            false => RepairReason::Bom.into(),
        };
        match writes_mark || mark.is_some() {
            true => self.chain().push(&TextSegment { offset, before, after, reasons }),
            false => Ok(()),
        }
    }

    /// Treats the start of the text in a run at the start of the input. Returns the number of bytes
    /// consumed.
    fn start_in_run(&mut self, run: &mut Run<'_>, part: &Range<usize>) -> io::Result<usize> {
        let bytes = &run.bytes[part.clone()];
        let mut steps = Vec::new();
        let mut len = 0;
        // A shift sequence is no text yet.
        while !self.started && run.offset == 0 && part.start == 0 && len < bytes.len() {
            let at = len;
            len += run.reader.steps(&bytes[at..], 1, &mut steps);
            match steps.pop() {
                Some(Step::Scalar { value: BOM, .. }) => {
                    self.start(Some((at as u64, &bytes[at..len])))?;
                }
                Some(skip @ Step::Skip { .. }) => {
                    self.push_sequences(at as u64, &bytes[at..len], &[skip])?
                }
                step => {
                    self.start(None)?;
                    self.push_sequences(at as u64, &bytes[at..len], step.as_slice())?;
                }
            }
        }
        if !bytes.is_empty() && len == 0 {
            self.start(None)?;
        }
        Ok(len)
    }

    /// Pushes each of the well-formed sequences in `bytes`.
    fn push_sequences(&mut self, offset: u64, bytes: &[u8], steps: &[Step]) -> io::Result<()> {
        let mut after = std::mem::take(&mut self.after);
        let mut at = 0;
        for step in steps {
            let before = &bytes[at..at + step.size()];
            after.clear();
            step.values().iter().for_each(|&value| put_form(value, &mut after));
            let (offset, reasons) = (offset + at as u64, RepairReasons::NONE);
            self.push(&TextSegment { offset, before, after: &after, reasons })?;
            at += before.len();
        }
        self.after = after;
        Ok(())
    }

    /// Pushes a run of sequences that the reader is at.
    fn push_run(
        &mut self,
        offset: u64,
        bytes: &[u8],
        reader: &mut dyn RunReader,
    ) -> io::Result<()> {
        if !self.by_sequence && !self.is_full() {
            return self.push(&TextSegment::run(offset, bytes));
        }
        let mut steps = std::mem::take(&mut self.steps);
        let mut at = 0;
        while at < bytes.len() && !self.is_full() {
            steps.clear();
            let len = reader.steps(&bytes[at..], SEQUENCES, &mut steps);
            self.push_sequences(offset + at as u64, &bytes[at..at + len], &steps)?;
            at += len;
        }
        self.steps = steps;
        self.remove(offset + at as u64, &bytes[at..])
    }

    /// Returns the offset from which all text is removed, once it is known.
    fn cut(&self) -> Option<u64> {
        self.stages.last().and_then(|stage| stage.cut())
    }

    /// Returns `true` if all further text is removed.
    fn is_full(&self) -> bool {
        self.cut().is_some()
    }

    /// Pushes removed bytes, so that they are counted.
    fn remove(&mut self, mut offset: u64, bytes: &[u8]) -> io::Result<()> {
        let reasons = RepairReason::Truncate.into();
        for before in bytes.chunks(MAX_PENDING) {
            self.push(&TextSegment { offset, before, after: &[], reasons })?;
            offset += before.len() as u64;
        }
        Ok(())
    }

    /// Ends the scan if the rest of the input is removed and need not be counted.
    fn flow(&self) -> ControlFlow<()> {
        flow_if(!(self.may_stop && self.is_full()))
    }

    /// Replaces `after` with the replacement of an ill-formed sequence. Returns the reasons, or
    /// `None` if there is no replacement.
    fn replace(&mut self, issue: &Issue, bytes: &[u8]) -> Option<RepairReasons> {
        self.after.clear();
        let codec = self.output.codec;
        let Some((value, reason)) = self.plan.structure.read(codec, issue, bytes) else {
            if self.keeps_ill_formed {
                // For the stages, another character; the bytes are written.
                put_form(REPLACEMENT, &mut self.after);
                return Some(RepairReasons::NONE);
            }
            return self.apply_policy(issue, bytes).then(|| RepairReason::OnError.into());
        };
        let reasons = RepairReasons::from(reason);
        put_form(value, &mut self.after);
        if codec.can_encode(value) {
            return Some(reasons);
        }
        // The shortest form of a value that the codec lacks is ill-formed itself.
        let bytes = std::mem::take(&mut self.after);
        let Step::Ill { kind, len, replacements } = codec.step(&bytes) else { return None };
        let issue = Issue { offset: issue.offset, len: len as u8, kind, replacements };
        self.apply_policy(&issue, &bytes).then(|| reasons.and(RepairReason::OnError))
    }

    /// Counts an ill-formed sequence that the policy treats, until the text is cut before it.
    fn count_treated(&mut self, offset: u64, len: u64) {
        let summary = &mut self.output.summary;
        summary.treated += len;
        if self.plan.truncation.is_some_and(|limit| !limit.lines) {
            let passed = self.range.start + summary.read;
            while self.late.front().is_some_and(|&(offset, _)| offset < passed) {
                self.late.pop_front();
            }
            self.late.push_back((offset, len));
        }
    }

    /// Appends the policy's replacement to `after`. Returns `false` if it has none.
    fn apply_policy(&mut self, issue: &Issue, bytes: &[u8]) -> bool {
        self.values.clear();
        let raw = self.output.codec.escaped_byte(bytes);
        let raw = raw.as_ref().map_or(bytes, slice::from_ref);
        let replaced = self.plan.policy.ill_formed(issue, raw, &mut self.values);
        self.values.iter().for_each(|&value| put_form(value, &mut self.after));
        replaced || self.lines.is_some()
    }

    /// Searches for U+0000 if the plan is for text only, in the whole input: a file that is rewritten
    /// is not only judged by its start, as one that is read. Returns `true` if these bytes are to be
    /// repaired.
    fn check_text(&mut self, bytes: &[u8]) -> bool {
        let searches = self.plan.text_only && self.output.codec.has_byte_units();
        let summary = &mut self.output.summary;
        summary.binary |= searches && memchr::memchr(0, bytes).is_some();
        !summary.binary && summary.stop.is_none()
    }

    /// Ends the scan after the repair has ended, unless U+0000 is still to be searched for.
    fn flow_after_end(&self) -> ControlFlow<()> {
        let summary = &self.output.summary;
        flow_if(summary.stop.is_some() && self.plan.text_only && !summary.binary)
    }

    /// Pushes a run that may begin or end outside of the range. The output leaves that text out.
    fn run_with_context(&mut self, mut run: Run<'_>) -> io::Result<ControlFlow<()>> {
        let start = within(&self.range, run.offset, run.bytes).start;
        let start = run.reader.boundary(run.bytes, start);
        let (before, rest) = run.bytes.split_at(start);
        self.push_part(run.offset, before, run.reader)?;
        run = Run::new(run.offset + start as u64, rest, run.reader);
        let end = within(&self.range, run.offset, run.bytes).end;
        let end = if end < rest.len() { run.reader.boundary(rest, end) } else { end };
        if end > 0 {
            self.enter_range()?;
        }
        let begun = self.start_in_run(&mut run, &(0..end))?;
        self.push_part(run.offset + begun as u64, &rest[begun..end], run.reader)?;
        self.push_context(run.offset + end as u64, &rest[end..], run.reader)?;
        let is_past = run.end() >= self.range.end;
        Ok(flow_if(!is_past || self.has_open_line_end()))
    }

    /// Separates the range from the text before it, unless a line end may be in both.
    fn enter_range(&mut self) -> io::Result<()> {
        let is_apart = std::mem::take(&mut self.is_before) && !self.has_open_line_end();
        if is_apart { self.chain().finish() } else { Ok(()) }
    }

    /// Pushes a part of a run, and advances the reader.
    fn push_part(
        &mut self,
        offset: u64,
        bytes: &[u8],
        reader: &mut dyn RunReader,
    ) -> io::Result<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        self.push_run(offset, bytes, reader)?;
        if !self.by_sequence {
            reader.pass(bytes);
        }
        Ok(())
    }

    /// Pushes the sequences after the range that a line end in it may depend on.
    fn push_context(
        &mut self,
        offset: u64,
        bytes: &[u8],
        reader: &mut dyn RunReader,
    ) -> io::Result<()> {
        let (mut at, mut steps) = (0, Vec::new());
        while at < bytes.len() && self.has_open_line_end() {
            steps.clear();
            let len = reader.steps(&bytes[at..], 1, &mut steps);
            self.push_sequences(offset + at as u64, &bytes[at..at + len], &steps)?;
            at += len;
        }
        Ok(())
    }

    fn has_open_line_end(&self) -> bool {
        self.stages.iter().any(|stage| stage.has_open_line_end())
    }

    /// Pushes an ill-formed sequence outside of the range. The output leaves it out.
    fn issue_in_context(&mut self, issue: &Issue, bytes: &[u8]) -> io::Result<ControlFlow<()>> {
        let is_past = issue.offset >= self.range.end;
        if is_past && !self.has_open_line_end() {
            return Ok(ControlFlow::Break(()));
        }
        match self.replace(issue, bytes) {
            Some(reasons) => {
                let after = std::mem::take(&mut self.after);
                let (offset, before) = (issue.offset, bytes);
                self.push(&TextSegment { offset, before, after: &after, reasons })?;
                self.after = after;
            }
            // The repair of that text ends here.
            None => self.chain().finish()?,
        }
        Ok(flow_if(!is_past || self.has_open_line_end()))
    }

    /// Removes an ill-formed sequence beyond a truncation limit.
    fn remove_sequence(&mut self, issue: &Issue, bytes: &[u8]) -> io::Result<ControlFlow<()>> {
        self.remove(issue.offset, bytes)?;
        Ok(self.flow())
    }
}

impl Sink for Repair<'_> {
    fn run(&mut self, mut run: Run<'_>) -> io::Result<ControlFlow<()>> {
        if !self.check_text(run.bytes) {
            return Ok(self.flow_after_end());
        }
        if self.has_context {
            return self.run_with_context(run);
        }
        let part = starting(&self.range, &mut run);
        let start = part.start + self.start_in_run(&mut run, &part)?;
        self.push_run(run.offset + start as u64, &run.bytes[start..part.end], run.reader)?;
        let done = run.end() >= self.range.end;
        Ok(if done { ControlFlow::Break(()) } else { self.flow() })
    }

    fn signature(&mut self, offset: u64, bytes: &[u8]) -> io::Result<ControlFlow<()>> {
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
        if let Some(flow) = outside(&self.range, issue) {
            return if self.has_context { self.issue_in_context(issue, bytes) } else { Ok(flow) };
        }
        if !self.check_text(bytes) {
            return Ok(self.flow_after_end());
        }
        self.enter_range()?;
        self.start(None)?;
        if self.is_full() {
            return self.remove_sequence(issue, bytes);
        }
        let Some(reasons) = self.replace(issue, bytes) else {
            self.chain().finish_all_but_last()?;
            if self.is_full() {
                return self.remove_sequence(issue, bytes);
            }
            let untreated = UntreatedSequence::new(self.output.codec, issue, bytes, next);
            self.output.summary.stop = Some(untreated);
            return Ok(self.flow_after_end());
        };
        if reasons.has(RepairReason::OnError) {
            self.count_treated(issue.offset, bytes.len() as u64);
            if let Some(lines) = &mut self.lines {
                let mut chain = StageChain { stages: &mut self.stages, last: &mut self.output };
                lines.push_faulty(issue.offset, bytes, &mut chain)?;
                return Ok(self.flow());
            }
        }
        let after = std::mem::take(&mut self.after);
        if after == [0] && reasons.has(RepairReason::ShortenOverlong) {
            Occurrences::add(&mut self.output.summary.nuls, issue.offset);
        }
        let segment = TextSegment { offset: issue.offset, before: bytes, after: &after, reasons };
        self.push(&segment)?;
        self.after = after;
        Ok(self.flow())
    }

    fn gulp(&mut self, kernels: &Kernels, offset: u64, bytes: &[u8]) -> io::Result<usize> {
        match self.plain_replacement {
            // After a sequence that starts before the range, the text may not have started.
            Some(replacement)
                if self.started && within(&self.range, offset, bytes) == (0..bytes.len()) =>
            {
                self.output.write_lossy(kernels, bytes, replacement)
            }
            _ => Ok(0),
        }
    }

    fn codec(&mut self, codec: &'static str) {
        self.output.codec = by_name(codec);
        if let Some(lines) = &mut self.lines {
            lines.set_encoding(self.output.codec);
        }
    }

    fn pause(&mut self) -> io::Result<()> {
        self.output.output.as_mut().map_or(Ok(()), |output| output.flush())
    }
}
