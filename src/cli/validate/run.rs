//! The work on each input of a run of `utf8 validate`.

use std::io;
use std::iter::once;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::fix_command::FixCommand;
use super::flood::ForeignInputJudge;
use super::lines::{LineFilter, LineOptions};
use super::repair_advice::has_ill_formed_utf8;
use super::{ValidateArgs, foreign, scale};
use crate::cli::config::Configuration;
use crate::cli::config::settings::FileSettings;
use crate::cli::first_block::FirstBlock;
use crate::cli::inputs::{self, InputCounts, InputWork, NamedInput};
use crate::cli::prose::quoted;
use crate::cli::reports::ReportedList;
use crate::cli::session::Session;
use crate::cli::summary::{self, FileTotals};
use crate::cli::{Status, progress, safe};
use crate::codec::Group;
use crate::finding::locate::Locator;
use crate::issue::Kind;
use crate::kernel::Kernels;
use crate::lint::Lint;
use crate::output::Output;
use crate::registry::Encoding;
use crate::report::baseline::{Baseline, KnownFindings};
use crate::report::{AskedRange, InputSummary, RangeHeader, ReportedInput};
use crate::sink::flow_if;
use crate::source::{Buffer, ReadOptions, Source};
use crate::text::name::InputName;
use crate::text::number::{counted, grouped};
use crate::validate::{self, Check, CheckReport, FindingList, LintRules};
use notes::{SettingDoubt, note_overridden};

mod notes;
mod unfound;

/// The state that the inputs of a run share.
pub(super) struct ValidateRun<'a> {
    pub args: &'a ValidateArgs,
    pub config: &'a Configuration,
    pub baseline: Option<&'a Baseline>,
    pub lists: Vec<ReportedList>,
    pub buffer: Buffer,
    /// There may be several inputs, so that names tell them apart.
    pub several: bool,
    pub totals: FileTotals,
    /// The rules for the last input, and what they depend on.
    pub rules: Option<KnownRules>,
}

/// Rules for all inputs of one origin and encoding that have the same settings.
pub(super) struct KnownRules {
    settings: FileSettings,
    is_in_tree: bool,
    encoding: &'static Encoding,
    rules: Arc<LintRules>,
}

impl InputWork for ValidateRun<'_> {
    fn process(&mut self, session: &mut Session, input: NamedInput<'_>) -> ControlFlow<()> {
        let settings = match input.settings(self.config) {
            Ok(settings) => settings,
            Err(error) => {
                self.misconfigured(session, Path::new(input.name()), &error);
                return ControlFlow::Continue(());
            }
        };
        let name = session.name(input.name());
        self.totals.without_lints += u64::from(self.args.format.lines && settings.asks_for_lints());
        let encoding = self.encoding(input, &settings);
        let is_set = settings.encoding().is_some_and(|set| set != Encoding::UTF_8);
        let place = self.setting_place(&settings, encoding);
        let rules = self.rules(input, encoding, settings);
        let is_finding = rules.report(Lint::WrongDeclaration);
        let is_told = is_finding || !self.args.talk.quiet;
        let place = place.filter(|_| is_told);
        let doubt = place.and_then(|place| SettingDoubt::about(place, input, encoding));
        let contradiction = doubt.as_ref().filter(|_| is_finding).map(SettingDoubt::message);
        let result =
            self.examine(session, input, &name, encoding, &rules, contradiction.as_deref());
        let mut enough = false;
        match result {
            // The output failed: more findings could not be written either.
            _ if session.output_failed() => {}
            Ok(ExaminedInput { summary, code_units, advice, list_has_advice }) => {
                let is_fixable = self.is_fixable(input, encoding, is_set, &summary);
                self.totals.add(&summary, is_fixable);
                self.count_other_form(session, input, &name, &summary);
                if summary.errors() == 0 && !is_reported_as_foreign(&summary) {
                    match doubt.filter(|_| !is_finding) {
                        Some(doubt) => self.note_doubt(session, input, &name, &doubt),
                        None => self.note_code_units(session, input, &name, code_units),
                    }
                }
                self.hint_at_format(session, input, &name);
                let advice = match has_ill_formed_utf8(encoding, &summary) {
                    true => self.advise_on_damage(session, input, &name, advice, list_has_advice),
                    false => self.describe_fix(input, &summary).filter(|_| is_fixable).or(advice),
                };
                let read = InputEncodings { read: encoding, code_units };
                self.conclude(session, input, &name, read, &summary, advice);
                enough = !self.args.has_report() && summary.errors() > 0;
            }
            Err(error) => {
                if let Some(reason) = inputs::report_failure(session, input, &name, &error) {
                    self.record_failure(session, &name, &reason);
                }
            }
        }
        flow_if(!enough && !session.output_failed())
    }

    fn is_verbose(&self) -> bool {
        self.args.talk.verbose
    }

    fn record_failure(&mut self, session: &mut Session, name: &InputName<'_>, reason: &str) {
        let range = self.args.input.asked_range();
        self.record_range_failure(session, name, reason, range);
    }
}

impl ValidateRun<'_> {
    /// Reports a run without a file to examine, and the totals of a run over directories.
    pub fn sum_up(&mut self, session: &mut Session, counts: &InputCounts, time: Duration) {
        if session.output_failed() {
            return;
        }
        counts.report_empty(session, self);
        let other_form = self.take_other_form();
        let (args, totals) = (self.args, &self.totals);
        let is_counted =
            args.lists() && args.format.prose && totals.files > 0 && !counts.trees.is_empty();
        if is_counted {
            let unfound = match session.status {
                // Files that could not be read may have them. Names of another form are certain.
                Status::Trouble if other_form.is_none() => String::new(),
                _ => self.describe_unfound(other_form.as_deref()),
            };
            let rest = unfound + &counts.describe_skipped();
            let mut text = summary::of_files(totals, &rest, time);
            if let Some(FixCommand { command, number }) = self.fix_command(&totals.fixable, None) {
                text += &format!("\n{command} fixes up to {}", grouped(number));
            }
            session.print_summary(&text);
        } else if let Some(first) = other_form {
            session.print_summary(&format!("utf8: {}", self.describe_mismatch(Some(&first))));
        }
        std::mem::take(&mut self.totals.doubtful).report(
            session,
            |name| {
                format!(
                    "is valid in the encoding that is set, but looks like another (utf8 validate \
                     --show-config {0} and utf8 detect {0} name them)",
                    quoted(name)
                )
            },
            |number, first| {
                format!(
                    "{number} files are valid in the encodings that are set, but look like others, \
                     the first is {0} (utf8 validate --show-config {0} and utf8 detect {0} name them)",
                    quoted(first)
                )
            },
        );
        self.report_damaged(session, is_counted);
        let totals = &self.totals;
        if totals.without_lints > 0 {
            let files = counted(totals.without_lints, "file");
            session.print_summary(&format!(
                "utf8: --format lines leaves out the lints that the settings of {files} ask for"
            ));
        }
    }

    /// Reports the baseline that was written.
    pub fn report_baseline(&self, session: &mut Session) {
        if let Some(path) = &self.args.baselines.write_baseline
            && session.status != Status::Trouble
        {
            let found = counted(self.totals.findings(), "finding");
            session.print_summary(&format!("utf8: {}: {found} recorded", safe(path)));
        }
    }

    /// Writes an error of a range of an input, or of the whole, to these reports.
    pub(super) fn record_range_failure(
        &mut self,
        session: &mut Session,
        name: &InputName<'_>,
        reason: &str,
        range: Option<AskedRange>,
    ) {
        for list in &mut self.lists {
            list.fail_range(session, name, reason, range);
        }
    }

    /// Returns the encoding to read an input in.
    fn encoding(&self, input: NamedInput<'_>, settings: &FileSettings) -> &'static Encoding {
        let named = self.args.input.named_codec();
        // A file in a directory has the encoding that is set if it is text.
        let set = || settings.encoding().filter(|_| !matches!(input, NamedInput::InTree(_)));
        named.or(input.declared()).or_else(set).unwrap_or(Encoding::UTF_8)
    }

    /// Returns the rules for an input in an encoding. Those of the last one mostly hold again.
    fn rules(
        &mut self,
        input: NamedInput<'_>,
        encoding: &'static Encoding,
        settings: FileSettings,
    ) -> Arc<LintRules> {
        let is_in_tree = matches!(input, NamedInput::InTree(_));
        let known = self.rules.take_if(|known| {
            known.is_in_tree == is_in_tree
                && known.encoding == encoding
                && known.settings == settings
        });
        let known = known.unwrap_or_else(|| {
            let rules = Arc::new(self.args.levels(input, encoding, &settings).into());
            KnownRules { settings, is_in_tree, encoding, rules }
        });
        Arc::clone(&self.rules.insert(known).rules)
    }

    /// Returns the summary of an input, and advice on one with few findings.
    fn examine(
        &mut self,
        session: &mut Session,
        input: NamedInput<'_>,
        name: &InputName<'_>,
        encoding: &'static Encoding,
        rules: &Arc<LintRules>,
        contradiction: Option<&str>,
    ) -> io::Result<ExaminedInput> {
        if let Some(summary) = self.summary_of_clean(session, input, encoding, rules) {
            self.list_clean(session, name, encoding, &summary)?;
            let (code_units, advice) = (None, None);
            return Ok(ExaminedInput { summary, code_units, advice, list_has_advice: false });
        }
        let (args, kernels) = (self.args, session.kernels);
        let opening = self.opening(session, encoding);
        let source = input.open(&opening, &mut self.buffer)?;
        let (range, start) = (source.range(), source.range().start);
        let shown = session.progress.then(|| name.shown());
        let mut opened = OpenedInput { args, input, name, encoding, source, kernels, shown };
        if args.scale.partial {
            opened.begin_range(session, &mut self.lists);
        }
        let judge = |list: &ReportedList| opened.judge(list);
        let mut judges: Vec<_> = self.lists.iter().map(judge).collect();
        let (to_lines, outputs) = outputs(session, args);
        let lists = finding_lists(&mut self.lists, &mut judges, outputs, encoding);
        let locator = opened.locator();
        let report = (!lists.is_empty()).then(|| CheckReport { name, lists, locator });
        let check = Check::new(encoding, range, args.wanted(), report)
            .with_rules(rules)
            .with_contradiction(contradiction)
            .with_known(self.baseline.map(|baseline| KnownFindings::new(baseline, name)));
        let CheckedInput { reached, summary, code_units } = opened.scan(check, to_lines)?;
        if summary.errors() > 0 {
            session.raise(Status::Bad);
        }
        session.note_end(name, reached?, start);
        let (judge, are_few) = (judges.first(), summary.findings <= validate::FIRST);
        let advice = judge.filter(|_| are_few).and_then(ForeignInputJudge::advice);
        let list_has_advice = !are_few && judge.is_some_and(|judge| judge.found.is_some());
        Ok(ExaminedInput { summary, code_units, advice, list_has_advice })
    }

    /// Returns how to open an input.
    fn opening(&mut self, session: &Session, encoding: &'static Encoding) -> ReadOptions {
        let looks_around = self.lists.iter_mut().any(|list| list.format.context().is_some());
        let opening = self.args.input.opening(encoding, looks_around);
        ReadOptions { threads: session.threads, ..opening }
    }

    /// Writes the end of an input without findings to the lists.
    fn list_clean(
        &mut self,
        session: &mut Session,
        name: &InputName<'_>,
        encoding: &'static Encoding,
        summary: &InputSummary,
    ) -> io::Result<()> {
        let (encoding, summary) = (Some(encoding), Some(summary));
        let found = ReportedInput { name, encoding, summary, hidden_note: None };
        self.lists.iter_mut().try_for_each(|list| list.end(session, &found))
    }

    /// Returns the summary of a file of a directory whose content was read whole, if it certainly
    /// has no finding.
    fn summary_of_clean(
        &self,
        session: &Session,
        input: NamedInput<'_>,
        encoding: &'static Encoding,
        rules: &LintRules,
    ) -> Option<InputSummary> {
        let NamedInput::InTree(file) = input else { return None };
        let is_plain = encoding == Encoding::UTF_8
            && !self.args.format.lines
            && self.args.input.is_whole()
            && !self.args.input.hex
            && input.foreign_text().is_none();
        let text = file.whole().filter(|_| is_plain)?;
        validate::summary_of_clean(session.kernels, text, rules, self.args.wanted())
    }

    /// Reports the result of an input.
    pub(super) fn conclude(
        &mut self,
        session: &mut Session,
        input: NamedInput<'_>,
        name: &InputName<'_>,
        encodings: InputEncodings,
        summary: &InputSummary,
        advice: Option<String>,
    ) {
        let args = self.args;
        let bad = summary.errors() > 0;
        let is_noted = summary.findings > 0;
        if args.is_silent() {
            return;
        }
        if args.count && args.format.sums_up {
            let (encoding, summary) = (Some(encodings.read), Some(summary));
            let input = ReportedInput { name, encoding, summary, hidden_note: None };
            self.lists[0].format.end(session.out.buffer(), &input);
        } else if args.count {
            if self.several {
                session.print_name(name, self.args.input.null, b':');
            }
            session.out.buffer().extend(format!("{}\n", summary.findings).bytes());
        } else if args.names_only() && bad == args.files_with_errors {
            session.print_name(name, self.args.input.null, b'\n');
        }
        let asked = summary.stopped && args.max_errors.is_some() && !args.names_only();
        // The summary of a run over directories counts the findings of files in them.
        let is_told = is_noted && (args.talk.verbose || !input.is_found());
        if is_told && args.lists() && args.format.prose || asked && !args.format.sums_up {
            let code_units = encodings.code_units.filter(|_| is_reported_as_foreign(summary));
            let verdict = match code_units {
                Some(codec) => foreign::describe(&args.input, input, name, codec),
                None => summary::verdict(summary, args.segments.into(), advice),
            };
            session.note(name, &verdict);
        }
        if bad && args.lists() && args.format.prose {
            note_overridden(session, input, name, encodings.read);
        }
        if !is_noted && args.talk.verbose && !args.format.lines {
            let (size, unreported) = (counted(summary.size, "byte"), summary::unreported(summary));
            let verdict = match (summary.known, summary.allowed) {
                (0, 0) => "valid",
                (0, _) => "no findings",
                _ => "nothing new",
            };
            session.note(name, &format!("{verdict}, {size}{unreported}"));
        }
        if args.stats && !args.format.sums_up {
            summary::stats(summary).iter().for_each(|line| session.note(name, line));
        }
    }
}

/// Returns `true` if an input has the finding that it is UTF-16 or UTF-32.
fn is_reported_as_foreign(summary: &InputSummary) -> bool {
    summary.kinds().any(|(kind, _)| kind == Kind::NotUtf8)
}

/// The encodings of an input.
pub(super) struct InputEncodings {
    /// The one in which it was read.
    pub read: &'static Encoding,
    /// UTF-16 or UTF-32, if it is likely to be text in that.
    pub code_units: Option<&'static Encoding>,
}

/// The result of the scan of an input.
pub(super) struct CheckedInput {
    /// The offset that was reached.
    pub reached: io::Result<u64>,
    pub summary: InputSummary,
    /// UTF-16 or UTF-32, if it is likely to be text in that.
    pub code_units: Option<&'static Encoding>,
}

/// The result of the check of an input.
struct ExaminedInput {
    summary: InputSummary,
    code_units: Option<&'static Encoding>,
    /// Advice, if there are few findings.
    advice: Option<String>,
    /// True if the list ends with advice, because it hides findings.
    list_has_advice: bool,
}

/// An input that is open to be checked.
struct OpenedInput<'a> {
    args: &'a ValidateArgs,
    input: NamedInput<'a>,
    name: &'a InputName<'a>,
    encoding: &'static Encoding,
    source: Source<'a>,
    kernels: &'static Kernels,
    /// The name in a line of progress; `None` shows no line.
    shown: Option<&'a [u8]>,
}

impl<'a> OpenedInput<'a> {
    /// Begins the reports of a range, which are merged with those of the others later.
    fn begin_range(&self, session: &mut Session, lists: &mut [ReportedList]) {
        let named = self.args.scale.stamp.clone();
        let stamp = named.or_else(|| scale::stamp(self.input));
        let header = RangeHeader {
            name: self.name,
            encoding: self.encoding,
            segments: self.args.segments.into(),
            start: self.source.range().start,
            stamp: stamp.as_deref(),
        };
        for list in lists {
            list.format.begin_range(session.report(list.report).buffer(), &header);
        }
    }

    /// Returns the judge of the findings of a list.
    fn judge(&self, list: &ReportedList) -> ForeignInputJudge<'a> {
        ForeignInputJudge {
            codec: self.encoding,
            format: list.row,
            style: list.style,
            args: &self.args.input,
            input: self.input,
            name: self.name,
            is_standard_output: list.report == 0,
            found: None,
        }
    }

    /// Returns the source of the lines and columns of findings; `None` if they are left out.
    fn locator(&self) -> Option<Locator> {
        let (args, encoding, kernels) = (self.args, self.encoding, self.kernels);
        if args.scale.partial {
            return Some(Locator::of_range(encoding, kernels, self.source.range()));
        }
        let shows_chars = args.shows_chars();
        (!args.no_lines)
            .then(|| Locator::new(encoding, kernels, shows_chars, self.source.lookback()))
    }

    /// Passes the input to a check, and its lines without findings to an output.
    fn scan<'c>(
        &mut self,
        mut check: Check<'c>,
        to_lines: Option<(LineOptions, &'c mut Output)>,
    ) -> io::Result<CheckedInput> {
        let (encoding, kernels, range) = (self.encoding, self.kernels, self.source.range());
        if self.args.scale.partial {
            check.set_size(self.source.size());
        }
        if let Some((codec, file)) = self.input.foreign_text() {
            return foreign::reject(check, codec, file);
        }
        if self.may_be_code_units() {
            self.source.keep_head();
        }
        if let Some((options, out)) = to_lines {
            let mut lines = LineFilter::new(check, encoding, range, options, out);
            let reached =
                progress::scan(&mut self.source, encoding, kernels, self.shown, &mut lines);
            let code_units = self.reject_code_units(lines.check(), reached.is_ok())?;
            let summary = lines.end(reached.is_ok())?;
            return Ok(CheckedInput { reached, summary, code_units });
        }
        let reached = progress::scan(&mut self.source, encoding, kernels, self.shown, &mut check);
        if self.args.scale.partial {
            // The size of a stream is known once it has ended.
            check.set_size(self.source.size().or_else(|| scale::empty_size(self.input)));
        }
        let code_units = self.reject_code_units(&mut check, reached.is_ok())?;
        let summary = check.end(reached.is_ok())?;
        Ok(CheckedInput { reached, summary, code_units })
    }

    /// Returns UTF-16 or UTF-32 if the input is text in that. If it was read whole as UTF-8 and has no
    /// finding, that is one, where it is not allowed.
    fn reject_code_units(
        &mut self,
        check: &mut Check<'_>,
        is_whole: bool,
    ) -> io::Result<Option<&'static Encoding>> {
        let first = FirstBlock { offset: 0, bytes: self.source.take_head() };
        let code_units = first.code_units(self.encoding);
        let found = check.summary();
        let (is_clean, size) = (found.findings == 0, found.size);
        let is_rejected = is_whole && is_clean && self.encoding == Encoding::UTF_8;
        if let Some(codec) = code_units.filter(|_| is_rejected) {
            check.reject(codec, size, &first.bytes[..first.bytes.len().min(foreign::SHOWN)])?;
        }
        Ok(code_units)
    }

    /// Returns `true` if the input may be UTF-16 or UTF-32 that was not looked for.
    fn may_be_code_units(&self) -> bool {
        let is_whole = self.args.input.asked_range().is_none() && !self.args.scale.partial;
        is_whole && !matches!(self.input, NamedInput::InTree(_)) && self.encoding.has_byte_units()
    }
}

/// The output of the lines without findings, if they are asked for, and the outputs of the lists by
/// their numbers. Lines and a list do not share one.
type ValidateOutputs<'a> = (Option<(LineOptions, &'a mut Output)>, Vec<Option<&'a mut Output>>);

/// Returns the outputs of a run.
fn outputs<'a>(session: &'a mut Session, args: &ValidateArgs) -> ValidateOutputs<'a> {
    let (to_lines, to_list) = match args.lines(session.style) {
        Some(options) => (Some((options, &mut session.out)), None),
        None => (None, Some(&mut session.out).filter(|_| args.lists())),
    };
    (to_lines, once(to_list).chain(session.reports.iter_mut().map(Some)).collect())
}

/// Returns the lists that have an output, each with its judge.
fn finding_lists<'a>(
    lists: &'a mut [ReportedList],
    judges: &'a mut [ForeignInputJudge<'_>],
    mut outputs: Vec<Option<&'a mut Output>>,
    encoding: &'static Encoding,
) -> Vec<FindingList<'a>> {
    let lists = lists.iter_mut().zip(judges).filter_map(|(list, judge)| {
        Some(FindingList {
            format: list.format.as_mut(),
            out: outputs[list.report].take()?,
            most: list.most,
            judged: list.judged && encoding.group == Group::Family,
            judge: Some(judge),
        })
    });
    lists.collect()
}
