//! What is done with each input of a repair? Written, put in its place, or only journals.

use std::io;
use std::ops::ControlFlow;

use super::diff::Diff;
use super::explain::RepairReport;
use super::journals::Journals;
use super::lines::LineView;
use super::record::{self, ChangeRecord, RecordForm};
use super::{RepairArgs, RepairFormatArg};
use crate::cli::in_place::{InPlaceTarget, RewrittenFile};
use crate::cli::inputs::{self, NamedInput};
use crate::cli::reading::{InputReader, ScannedInput};
use crate::cli::session::{self, Session};
use crate::cli::{Status, output};
use crate::output::Output;
use crate::repair::{Repair, RepairPlan, RepairSummary, RepairTarget};
use crate::report::ReportStyle;
use crate::text::name::InputName;

/// What the inputs of a run share.
pub(super) struct RepairRun<'a> {
    args: &'a RepairArgs,
    plan: RepairPlan,
    reader: InputReader<'a>,
    style: ReportStyle,
    /// Why standard output takes no more of what is said of the changes.
    lost: Option<io::Error>,
}

/// An input that was repaired, as far as it could be read.
struct RepairedInput {
    summary: RepairSummary,
    /// Where it was to be read from.
    start: u64,
    /// Where its end was reached, or why it was not.
    reached: io::Result<u64>,
}

impl<'a> RepairRun<'a> {
    pub fn new(args: &'a RepairArgs, plan: RepairPlan, session: &Session) -> RepairRun<'a> {
        let reader =
            InputReader::new(&args.input, args.in_place.is_wanted(), args.input.codec(), session);
        RepairRun { args, plan, reader, style: session.style, lost: None }
    }

    /// Write what is repaired of the inputs, one after another.
    pub fn write(&mut self, session: &mut Session) -> anyhow::Result<()> {
        let replacement = self.args.output.begin(session)?;
        let (mut joined, mut last) = (false, None);
        let _ = inputs::each(&self.args.input, session, |session, input| {
            let name = session.name(input.name());
            match self.one(session, input, &name, &mut joined) {
                Ok(summary) => last = summary.stop.map(|fault| (input.name().to_owned(), fault)),
                Err(error) => self.failed(session, input, &name, &error),
            }
            go_on(last.is_none() && !self.is_lost(session))
        });
        if let Some((name, fault)) = last {
            session.raise(Status::Bad);
            session.warn(&session.name(&name), &self.args.describe(&fault));
        }
        self.heard(session)?;
        output::commit(session, replacement)
    }

    /// Repair one input, and write it behind those that are written already, if any are.
    fn one(
        &mut self,
        session: &mut Session,
        input: NamedInput<'_>,
        name: &InputName<'_>,
        joined: &mut bool,
    ) -> io::Result<RepairSummary> {
        let mut journals = self.journals(name);
        let target = RepairTarget {
            output: Some(&mut session.out),
            journal: journals.journal(),
            appended: *joined,
            uncounted: !self.args.stats,
        };
        let repaired = self.repair(input, name, target);
        // What could be opened is written, be it nothing but a byte order mark.
        *joined |= repaired.is_ok();
        let _ = session.out.flush();
        let summary = self.ended(session, name, &mut journals, repaired)?;
        self.sum_up(session, name, &mut journals, &summary, summary.stop.is_none());
        Ok(summary)
    }

    /// Repair each file in its place, or say which inputs a repair would change.
    pub fn files(&mut self, session: &mut Session) -> anyhow::Result<()> {
        let _ = inputs::each(&self.args.input, session, |session, input| {
            let name = session.name(input.name());
            if let Err(error) = self.file(session, input, &name) {
                self.failed(session, input, &name, &error);
            }
            go_on(!self.is_lost(session))
        });
        self.heard(session)
    }

    /// Say why an input could not be repaired, unless it is that output was lost.
    fn failed(
        &self,
        session: &mut Session,
        input: NamedInput<'_>,
        name: &InputName<'_>,
        error: &io::Error,
    ) {
        if !self.is_lost(session) {
            inputs::failed(session, input, name, error);
        }
    }

    /// Whether output was lost: then nothing more is done.
    fn is_lost(&self, session: &Session) -> bool {
        self.lost.is_some() || session.out.failed()
    }

    /// Say why standard output took not all that was to be said of the changes.
    fn heard(&mut self, session: &mut Session) -> anyhow::Result<()> {
        match self.lost.take() {
            None => return Ok(()),
            Some(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                anyhow::bail!("{}: {}", session::STANDARD_OUTPUT, session::reason(&error))
            }
            // Who reads no further has what they want, but files are left that need a repair.
            Some(_) if !self.args.tries() => session.raise(Status::Trouble),
            Some(_) => {}
        }
        Ok(())
    }

    /// Repairs one file in place, or reports that a repair would change the input.
    fn file(
        &mut self,
        session: &mut Session,
        input: NamedInput<'_>,
        name: &InputName<'_>,
    ) -> io::Result<()> {
        let args = self.args;
        let target = args.in_place.is_wanted().then(|| InPlaceTarget::of(input)).transpose()?;
        let mut journals = self.journals(name);
        let (summary, done) = match target {
            Some(target) if !args.tries() => {
                let RewrittenFile { result, replaced } =
                    target.rewrite(args.in_place.backup(), |out| {
                        let summary =
                            self.repair_into(session, input, name, &mut journals, Some(out))?;
                        Ok((self.is_repaired(&summary), summary))
                    })?;
                (result, replaced.map(drop))
            }
            target => {
                let summary = self.repair_into(session, input, name, &mut journals, None)?;
                let would_change = is_complete(&summary) && summary.changes > 0;
                let done = if would_change { self.list(session, name, target) } else { Ok(()) };
                (summary, done)
            }
        };
        let repaired = is_complete(&summary) && done.is_ok();
        self.sum_up(session, name, &mut journals, &summary, repaired);
        if let Some(fault) = &summary.stop {
            session.raise(Status::Bad);
            session.warn(name, &args.describe(fault));
        } else if summary.binary {
            report_binary(session, input, name);
        }
        done
    }

    /// Repairs one input into an output, if there is one.
    ///
    /// # Errors
    /// As for [`ended`](RepairRun::ended).
    fn repair_into(
        &mut self,
        session: &mut Session,
        input: NamedInput<'_>,
        name: &InputName<'_>,
        journals: &mut Journals<'_>,
        to: Option<&mut Output>,
    ) -> io::Result<RepairSummary> {
        let (journal, uncounted) = (journals.journal(), !self.args.stats);
        let target = RepairTarget { output: to, journal, appended: false, uncounted };
        let repaired = self.repair(input, name, target);
        self.ended(session, name, journals, repaired)
    }

    /// Returns whether the output of a repair may replace the file. Text that is written anew may
    /// differ from the file without a change.
    fn is_repaired(&self, summary: &RepairSummary) -> bool {
        is_complete(summary) && (summary.changes > 0 || !self.reader.codec.reencodes_all)
    }

    /// Reports an input that a repair would change.
    ///
    /// # Errors
    /// The file cannot be replaced.
    fn list(
        &self,
        session: &mut Session,
        name: &InputName<'_>,
        target: Option<InPlaceTarget<'_>>,
    ) -> io::Result<()> {
        target.map_or(Ok(()), |target| target.vet())?;
        session.raise(Status::Bad);
        if self.args.check && !self.args.talk.quiet && self.args.format == RepairFormatArg::Text {
            session.print_name(name, self.args.input.null, b'\n');
        }
        Ok(())
    }

    /// What is to be journals of an input.
    fn journals<'b>(&self, name: &'b InputName<'b>) -> Journals<'b> {
        let view = || LineView::new(self.reader.codec, self.style);
        let diff = (self.args.diff && !self.args.talk.quiet)
            .then(|| Diff::new(name, view(), session::apart(false)));
        Journals { record: self.record(name), diff }
    }

    /// What is recorded of an input; `None` for nothing.
    fn record<'b>(&self, name: &'b InputName<'b>) -> Option<ChangeRecord<'b>> {
        let changes = self.args.record();
        let explain = self.args.explain.then_some(RepairReport {
            codec: self.reader.codec,
            policy: self.plan.policy,
            unicode: self.style.unicode,
            kept: 0,
            treated: 0,
        });
        let form = changes.or(explain.as_ref().map(|_| RecordForm::Lines))?;
        let error = form == RecordForm::Lines || self.args.writes_text();
        let out = session::apart(error);
        Some(ChangeRecord { name, form, changes: changes.is_some(), explain, out })
    }

    /// Repair one input.
    ///
    /// # Errors
    /// Those of opening it and of writing.
    fn repair(
        &mut self,
        input: NamedInput<'_>,
        name: &InputName<'_>,
        target: RepairTarget<'_>,
    ) -> io::Result<RepairedInput> {
        let plan = &self.plan;
        let repair = |codec, range| Repair::new(plan, codec, range, target);
        let ScannedInput { sink, range, reached, .. } = self.reader.pass(input, name, repair)?;
        Ok(RepairedInput { summary: sink.end()?, start: range.start, reached })
    }

    /// What a repair came to, if the input was read to its end and all changes could be journals.
    fn ended(
        &mut self,
        session: &mut Session,
        name: &InputName<'_>,
        journals: &mut Journals<'_>,
        repaired: io::Result<RepairedInput>,
    ) -> io::Result<RepairSummary> {
        self.lost = journals.end();
        if self.lost.is_some() {
            return Err(io::ErrorKind::WriteZero.into());
        }
        let RepairedInput { summary, start, reached } = repaired?;
        session.note_end(name, reached?, start);
        Ok(summary)
    }

    /// Say what an input came to, and whether it was repaired.
    fn sum_up(
        &mut self,
        session: &mut Session,
        name: &InputName<'_>,
        journals: &mut Journals<'_>,
        summary: &RepairSummary,
        repaired: bool,
    ) {
        self.lost = journals.sum_up(self.reader.codec, summary, repaired);
        if self.args.stats {
            session.say(name, &record::summary(summary));
        }
    }
}

/// Returns whether nothing ended the repair.
fn is_complete(summary: &RepairSummary) -> bool {
    summary.stop.is_none() && !summary.binary
}

fn go_on(more: bool) -> ControlFlow<()> {
    if more { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
}

/// Say that a file is no text. One that was named was meant to be repaired.
fn report_binary(session: &mut Session, input: NamedInput<'_>, name: &InputName<'_>) {
    if matches!(input, NamedInput::File(_, false)) {
        session.raise(Status::Bad);
    }
    session.say(name, "contains NUL: skipped as binary (--binary repairs it anyway)");
}
