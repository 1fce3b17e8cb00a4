//! Repair of each input: written to the output, rewritten in place, or only reported.

use std::io;
use std::sync::Arc;

use super::RepairArgs;
use super::explain::RepairReport;
use super::fix::Fixer;
use super::journals::Journals;
use super::record::{self, ChangeRecord};
use super::rejects::RejectFile;
use crate::cli::auto::DamagePolicy;
use crate::cli::changes::RecordForm;
use crate::cli::diff::{self, Diff, DiffForm, LineView};
use crate::cli::first_block::FirstBlock;
use crate::cli::in_place::files::{EditArgs, FileEditor, edit_each};
use crate::cli::inputs::{self, NamedInput};
use crate::cli::reading::{InputReader, ScannedInput};
use crate::cli::reports::DocumentLists;
use crate::cli::session::{SecondOutputs, Session};
use crate::output::Output;
use crate::registry::Encoding;
use crate::repair::{Repair, RepairPlan, RepairReason, RepairSummary, RepairTarget};
use crate::report::ReportStyle;
use crate::report::baseline::{Baseline, KnownFindings};
use crate::sink::flow_if;
use crate::text::name::InputName;
use crate::validate::{LintCounts, LintFixes, LintRules};
use fixing::{describe_set_encoding, stamp_of};

mod fixing;
mod in_place;
mod messages;

/// The state that the inputs of a run share.
pub(super) struct RepairRun<'a> {
    args: &'a RepairArgs,
    /// The plan that the options ask for.
    named_plan: RepairPlan,
    fixer: Option<&'a Fixer>,
    /// The plan for the next input, or that of the last one.
    plan: RepairPlan,
    /// The fixes of the next input.
    fixes: Option<LintFixes>,
    /// True if the settings of the next input allow its ill-formed sequences, or the baseline knows
    /// them, and no policy is named.
    keeps_ill_formed: bool,
    /// The rules for the fixes of the next input.
    rules: Option<Arc<LintRules>>,
    /// The findings that the fixes of the next input fix, or those of the last one.
    fixed: LintCounts,
    /// The findings whose fixes are not made.
    skipped: LintCounts,
    reader: InputReader<'a>,
    rejects: Option<RejectFile<'a>>,
    second_outputs: SecondOutputs,
    documents: DocumentLists,
    style: ReportStyle,
    /// The error of the output of the record.
    lost: Option<io::Error>,
    /// The codec of the inputs that were joined.
    joined_codec: Option<&'static Encoding>,
    /// The encoding in which the joined output is read; `None` while it is empty.
    read_as: Option<&'static Encoding>,
}

/// The reason to leave a text of which the policy would drop all.
const UNSPLIT: &str = "its lines end with CR alone, which ends no line here: all of it would be \
                       dropped (tr '\\r' '\\n' writes LF for CR in encodings that extend ASCII)";

/// The result of the repair of an input.
struct RepairedInput {
    summary: RepairSummary,
    /// The start of the selected range, in bytes.
    start: u64,
    /// The offset at which reading ended, or its error.
    reached: io::Result<u64>,
    /// The start of the range.
    first: FirstBlock,
}

impl<'a> RepairRun<'a> {
    /// Returns a run that keeps no rejected lines.
    pub fn new(
        args: &'a RepairArgs,
        plan: RepairPlan,
        fixer: Option<&'a Fixer>,
        session: &Session,
    ) -> RepairRun<'a> {
        let mut reader =
            InputReader::new(&args.input, args.in_place.is_wanted(), args.input.codec(), session);
        reader.context = plan.context();
        let reports = args.review.reports.numbered(args.review.shown_format(session));
        RepairRun {
            args,
            named_plan: plan,
            fixer,
            plan,
            fixes: None,
            keeps_ill_formed: false,
            rules: None,
            fixed: LintCounts::default(),
            skipped: LintCounts::default(),
            reader,
            rejects: None,
            second_outputs: session.second_outputs(),
            documents: DocumentLists::open(reports, session.style),
            style: session.style,
            lost: None,
            joined_codec: None,
            read_as: None,
        }
    }

    /// Keeps rejected lines in a file.
    pub fn with_rejects(self, rejects: Option<RejectFile<'a>>) -> RepairRun<'a> {
        RepairRun { rejects, ..self }
    }

    /// Writes the repaired inputs to the output, one after another.
    pub fn write(mut self, session: &mut Session) -> anyhow::Result<()> {
        let replacement = self.args.output.begin(session)?;
        let (mut joined, mut last) = (false, None);
        inputs::each(&self.args.input, session, |session, input| {
            let name = session.name(input.name());
            match self.process(session, input, &name, &mut joined) {
                Ok((summary, first)) => {
                    let describe = |fault| {
                        (input.name().to_owned(), self.args.describe(&fault, input, &first))
                    };
                    last = summary.stop.map(describe);
                }
                Err(_) if self.is_lost(session) => {}
                Err(error) => drop(self.report_failure(session, input, &name, &error)),
            }
            flow_if(last.is_none() && !self.is_lost(session))
        });
        if let Some((name, message)) = last {
            session.report_undone(&session.name(&name), &message);
        }
        self.check_record(session)?;
        if let Some(rejects) = self.rejects.take() {
            rejects.commit(session)?;
        }
        self.args.output.commit(session, &self.args.input, replacement)
    }

    /// Repairs one input and appends it to the output. `joined` says whether other inputs precede
    /// it.
    fn process(
        &mut self,
        session: &mut Session,
        input: NamedInput<'_>,
        name: &InputName<'_>,
        joined: &mut bool,
    ) -> io::Result<(RepairSummary, FirstBlock)> {
        self.detect(session, input, name)?;
        self.check_content(input, input)?;
        self.check_joined(*joined)?;
        let settings = self.settings(input).map_err(|error| io::Error::other(error.to_string()))?;
        if let Some(codec) = self.other_encoding(&settings) {
            return Err(io::Error::other(describe_set_encoding(codec)));
        }
        let before = self.fixer.is_some().then(|| stamp_of(input)).flatten();
        self.find_fixes(session, input, input, &settings)?;
        if self.leave_other_encoding(session, input, input, name).is_some() {
            return Ok((RepairSummary::default(), FirstBlock::default()));
        }
        if let Some(rejects) = &mut self.rejects {
            rejects.begin(input)?;
        }
        let (mut left, baseline) = (self.fixes_left(), self.baseline());
        let mut journals = self.journals(session, name, left.as_mut(), baseline.as_deref());
        let target = RepairTarget {
            output: Some((&mut session.out).into()),
            journal: journals.journal(),
            rejects: None, // repair() adds them
            appended: *joined,
            read_as: self.read_as,
            uncounted: !self.args.review.stats,
        };
        let repaired = self.repair(input, name, target);
        // An empty input that could be opened may have written a BOM.
        *joined |= repaired.is_ok();
        let _ = session.out.flush();
        let (summary, first) = self.ended(session, name, &mut journals, repaired)?;
        if before.is_some() && before != stamp_of(input) {
            return Err(io::Error::other("has changed while it was read (repair it again)"));
        }
        self.read_as = summary.read_as;
        let legacy = self.legacy_encoding(input, &summary, &first);
        let is_repaired = is_complete(&summary) && legacy.is_none();
        self.sum_up(session, name, &mut journals, &summary, is_repaired);
        drop(journals);
        if let Some(encoding) = legacy {
            self.leave_legacy(session, input, name, encoding);
            return Ok((summary, first));
        }
        if summary.stop.is_none() {
            self.report_left(session, name, left.as_ref());
        }
        self.report_loss(session, input, name, &summary, &first);
        if self.has_lost_other_encoding(&summary, &first) {
            self.report_lost_encoding(session, name);
        }
        self.note_code_units(session, input, name, &summary, &first);
        self.report_notable(session, input, name, &summary);
        Ok((summary, first))
    }

    /// Detects the codec of the next input, if that is asked for.
    ///
    /// # Errors
    /// Those of reading it; no codec is probable enough; the plan does not fit the codec.
    fn detect(
        &mut self,
        session: &mut Session,
        input: NamedInput<'_>,
        name: &InputName<'_>,
    ) -> io::Result<()> {
        let found = self.reader.detect(input, DamagePolicy::ReadAsUtf8)?;
        let Some(codec) = found else { return Ok(()) };
        self.args
            .check(&self.named_plan, codec)
            .map_err(|unfit| io::Error::other(unfit.to_string()))?;
        if self.args.talk.verbose {
            session.note(name, &format!("read as {}", codec.name));
        }
        Ok(())
    }

    /// Checks that the next input has the codec of the inputs before it; `joined` is true if there
    /// are any.
    fn check_joined(&mut self, joined: bool) -> io::Result<()> {
        let codec = self.reader.codec;
        match self.joined_codec.filter(|before| joined && before.name != codec.name) {
            Some(before) => Err(io::Error::other(format!(
                "is {}, the output so far {} (repair them one by one, or with -i)",
                codec.name, before.name
            ))),
            None => {
                self.joined_codec = Some(codec);
                Ok(())
            }
        }
    }

    /// Repairs each file in place, or reports the inputs that a repair would change.
    pub fn process_files(self, session: &mut Session) -> anyhow::Result<()> {
        let (args, plan, fixer) = (self.args, self.named_plan, self.fixer);
        let RepairArgs { input, in_place, review, talk, binary, jobs, rejects, .. } = args;
        let edit = EditArgs {
            input,
            in_place,
            review,
            binary: *binary,
            verbose: talk.verbose,
            config: fixer.map(|fixer| &fixer.config),
            jobs: *jobs,
            in_order: rejects.is_some() || review.records_rewrites(in_place),
        };
        let start = |session: &Session| RepairRun::new(args, plan, fixer, session);
        edit_each(edit, session, self, start)?.check_record(session)
    }

    /// Returns the error of the output of the record.
    fn check_record(&mut self, session: &mut Session) -> anyhow::Result<()> {
        self.args.review.check_record(session, self.lost.take())
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
    ) -> io::Result<(RepairSummary, FirstBlock)> {
        // The message about a replaced file has the counts.
        let uncounted = !self.args.review.stats && (to.is_none() || self.args.talk.quiet);
        let journal = journals.journal();
        let target = RepairTarget {
            output: to.map(Into::into),
            journal,
            uncounted,
            ..RepairTarget::default()
        };
        let repaired = self.repair(input, name, target);
        self.ended(session, name, journals, repaired)
    }

    /// Returns `true` if the output of a repair may replace the file. Text that is written anew may
    /// differ from the file without a change.
    fn is_repaired(&self, summary: &RepairSummary) -> bool {
        is_complete(summary) && (summary.changes > 0 || !self.reader.codec.inner.reencodes_all)
    }

    /// Returns the journals of an input. The text that is written is checked again, if it is fixed:
    /// `left` gathers the findings that the baseline does not know.
    fn journals<'b>(
        &self,
        session: &Session,
        name: &'b InputName<'b>,
        left: Option<&'b mut LintFixes>,
        baseline: Option<&'b Baseline>,
    ) -> Journals<'b> {
        let codec = self.reader.codec;
        let form = || DiffForm::of(&[codec], self.args.input.is_whole(), self.style);
        let view = || LineView::new(form(), codec, self.style);
        let diff = (self.args.review.diff && !self.args.talk.quiet)
            .then(|| Diff::new(name, view(), self.second_outputs.open(false)));
        let findings = (!self.documents.is_empty()).then(Default::default);
        let known = baseline.map(|baseline| KnownFindings::new(baseline, name));
        let recheck = self.recheck(session, left, known);
        Journals { record: self.record(name), diff, findings, recheck }
    }

    /// Returns the record of an input; `None` if nothing is recorded.
    fn record<'b>(&self, name: &'b InputName<'b>) -> Option<ChangeRecord<'b>> {
        let changes = self.args.record();
        let explain = self.args.review.explain.then_some(RepairReport {
            codec: self.reader.codec,
            policy: self.plan.policy,
            unicode: self.style.unicode,
            kept: 0,
        });
        let form = changes.or(explain.as_ref().map(|_| RecordForm::Lines))?;
        let error = form == RecordForm::Lines || self.args.writes_text();
        let out = self.second_outputs.open(error);
        Some(ChangeRecord { name, form, changes: changes.is_some(), explain, out })
    }

    /// Repairs one input.
    ///
    /// # Errors
    /// Those of opening it and of writing.
    fn repair<'b>(
        &'b mut self,
        input: NamedInput<'_>,
        name: &InputName<'_>,
        target: RepairTarget<'b>,
    ) -> io::Result<RepairedInput> {
        let plan = &self.plan;
        let rejects = self.rejects.as_mut().map(|rejects| (&mut rejects.out).into());
        let target = RepairTarget { rejects, ..target };
        let (fixes, keeps_ill_formed) = (self.fixes.take(), self.keeps_ill_formed);
        let repair = |codec, range| {
            let repair = Repair::new(plan, codec, range, target);
            let repair = if keeps_ill_formed { repair.keep_ill_formed() } else { repair };
            match fixes {
                Some(fixes) => repair.with_fixes(fixes),
                None => repair,
            }
        };
        let ScannedInput { sink, codec, range, reached, mut first } =
            self.reader.scan(input, name, repair)?;
        let mut summary = sink.end()?;
        if plan.text_only && codec.has_byte_units() && first.is_binary_format() {
            (summary.binary, summary.stop) = (true, None);
        }
        if plan.truncation.is_some() {
            // The sizes of reads decide how much of the text beyond the limit was read.
            first.bytes.truncate(summary.read as usize);
        }
        Ok(RepairedInput { summary, start: range.start, reached, first })
    }

    /// Returns the summary of a repair if the input was read to its end and the record was written.
    fn ended(
        &mut self,
        session: &mut Session,
        name: &InputName<'_>,
        journals: &mut Journals<'_>,
        repaired: io::Result<RepairedInput>,
    ) -> io::Result<(RepairSummary, FirstBlock)> {
        let repaired = match repaired {
            Ok(found) if self.is_unsplit(&found) => Err(io::Error::other(UNSPLIT)),
            repaired => repaired,
        };
        let is_whole = |it: &RepairedInput| it.reached.is_ok() && is_complete(&it.summary);
        self.lost = journals.end(repaired.as_ref().is_ok_and(is_whole));
        if self.lost.is_some() {
            return Err(io::ErrorKind::WriteZero.into());
        }
        let RepairedInput { summary, start, reached, first } = repaired?;
        session.note_end(name, reached?, start);
        Ok((summary, first))
    }

    /// Returns `true` if the policy dropped all of a text because its lines end with CR alone.
    fn is_unsplit(&self, repaired: &RepairedInput) -> bool {
        let RepairedInput { summary, first, .. } = repaired;
        let is_all = summary.lines == 1 && dropped_lines(summary) == 1;
        let codec = self.reader.codec;
        is_all && first.has_lines_of_cr_alone(codec.after_bom(&first.bytes).unwrap_or(codec))
    }

    /// Reports the summary of an input.
    fn sum_up(
        &mut self,
        session: &mut Session,
        name: &InputName<'_>,
        journals: &mut Journals<'_>,
        summary: &RepairSummary,
        repaired: bool,
    ) {
        self.lost = journals.sum_up(self.reader.codec, summary, repaired);
        if self.args.review.stats {
            session.note(name, &record::summary(summary));
        }
        if let Some(line) = journals.diff.as_ref().and_then(|diff| diff.cut_line) {
            session.warn(name, &diff::describe_cut(line));
        }
    }
}

/// Returns `true` if nothing ended the repair.
fn is_complete(summary: &RepairSummary) -> bool {
    summary.stop.is_none() && !summary.binary
}

/// Returns the number of lines that the policy left out.
pub(super) fn dropped_lines(summary: &RepairSummary) -> u64 {
    summary.by_reason().find(|(reason, _)| *reason == RepairReason::OnError).map_or(0, |row| row.1)
}
