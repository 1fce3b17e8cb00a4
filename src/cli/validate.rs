//! `utf8 validate`: lists ill-formed sequences.

use std::io::{self, IsTerminal};
use std::iter::once;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};

use super::args::{FromParser, InputArgs, TalkArgs, at_least_one};
use super::config::settings::FileSettings;
use super::config::{ConfigArgs, ConfigError, Configuration};
use super::first_block::FirstBlock;
use super::inputs::{self, InputCounts, InputWork, Inputs, NamedInput};
use super::lints::LintArgs;
use super::parallel::{self, JobArgs};
use super::prose::counted;
use super::reports::{self, MOST_IN_DOCUMENT, ReportArgs, ReportedList};
use super::session::{Session, reason};
use super::summary::{self, FileTotals};
use super::tree::{self, SkipCause, TreeArgs, TreeCounts};
use super::{Status, codecs, progress, safe};
use crate::codec::Group;
use crate::finding::locate::Locator;
use crate::finding::segments::Segments;
use crate::lint::levels::RuleLevels;
use crate::registry::Encoding;
use crate::report::baseline::{Baseline, KnownFindings};
use crate::report::{FORMATS, FormatRow, InputSummary, ReportStyle, ReportedInput, format_by_name};
use crate::sink::flow_if;
use crate::source::Buffer;
use crate::text::escape::EscapeStyle;
use crate::text::name::InputName;
use crate::validate::{self, Check, CheckOptions, CheckReport, FindingList};
use baseline::BaselineArgs;
use flood::ForeignInputJudge;
use lines::{LineFilter, LineOptions};

mod baseline;
mod flood;
mod foreign;
mod lines;

/// The maximum number of findings of an input that a terminal shows.
const MOST_ON_TERMINAL: u64 = 100;

/// Find every ill-formed sequence (lint) in UTF-8 or another encoding
///
/// Each finding has its file, line, column, offset, bytes and kind. The exit status is 0 if there
/// are none, 1 if there are any and 2 if an input could not be read.
#[derive(Args, Debug)]
#[command(
    args_override_self = true,
    mut_arg("from", |arg| arg
        .help("Encoding to read [default: utf-8]")
        .value_parser(FromParser { auto: false })),
    mut_arg("quiet", |arg| arg.help("Print errors only; stop at the first ill-formed sequence")),
    mut_arg("verbose", |arg| arg.help("Report valid files too; with --format lines, write other lines")),
    mut_arg("files", |arg| arg.help(tree::FILES_HELP))
)]
pub(super) struct ValidateArgs {
    #[command(flatten)]
    input: InputArgs,

    /// How to split an ill-formed sequence into findings
    #[arg(long, value_name = "HOW", default_value = "sequence")]
    segments: SegmentsArg,

    #[command(flatten)]
    reports: ReportArgs,

    /// The format of standard output.
    #[arg(skip = &FORMATS[0])]
    format: &'static FormatRow,

    #[command(flatten)]
    lints: LintArgs,

    #[command(flatten)]
    config: ConfigArgs,

    #[command(flatten)]
    baselines: BaselineArgs,

    /// Stop reading a file after N findings
    #[arg(short, long, value_name = "N", value_parser = most_errors)]
    max_errors: Option<NonZero<u64>>,

    /// Show at most N findings of each file; none shows all
    ///
    /// See LIMITS in utf8-reports(7) for the defaults.
    #[arg(long, value_name = "N", hide_short_help = true, value_parser = most_shown)]
    max_shown: Option<MostShown>,

    /// Print only the number of findings of each file
    ///
    /// As NAME:NUMBER if there may be several; with --format json, only the summaries.
    #[arg(short, long, group = "instead")]
    count: bool,

    /// Print only the names of files with findings
    #[arg(short = 'l', long, group = "instead", group = "names")]
    files_with_errors: bool,

    /// Print only the names of files without findings
    #[arg(short = 'L', long, group = "instead", group = "names")]
    files_without_errors: bool,

    /// Leave line and column numbers out of findings
    ///
    /// A range far into a file is then checked without reading the bytes before it.
    #[arg(long, help_heading = "Output", hide_short_help = true)]
    no_lines: bool,

    /// Report counts: bytes, lines, code points by length, BOM, kinds
    #[arg(long, conflicts_with = "quiet", help_heading = "Output")]
    stats: bool,

    #[command(flatten)]
    tree: TreeArgs,

    #[command(flatten)]
    jobs: JobArgs,

    #[command(flatten)]
    talk: TalkArgs,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum SegmentsArg {
    /// one finding for a whole overlong, surrogate or too large form, or a truncated sequence
    Sequence,
    /// one finding for each maximal subpart, as browsers count U+FFFD
    Maximal,
    /// one finding for each byte
    Byte,
}

fn most_errors(text: &str) -> Result<NonZero<u64>, &'static str> {
    at_least_one(text)
        .map_err(|_| "expected a number, 1 or greater (-q and -l stop at the first finding)")
}

/// The value of `--max-shown`: a number of findings; `None` for all.
#[derive(Clone, Copy, Debug)]
struct MostShown(Option<u64>);

fn most_shown(text: &str) -> Result<MostShown, &'static str> {
    match text.parse() {
        _ if text == "none" => Ok(MostShown(None)),
        Ok(number) => Ok(MostShown(Some(number))),
        Err(_) => Err("expected a number or none"),
    }
}

impl ValidateArgs {
    pub fn run(mut self) -> anyhow::Result<Status> {
        self.format = self.standard_format()?;
        if self.input.list_codecs {
            let write = match self.format.name {
                "text" => codecs::text,
                "json" => codecs::json,
                name => anyhow::bail!("--list-codecs needs --format text or json, not {name}"),
            };
            return codecs::list(write);
        }
        if let Some(listed) = self.lints.list(self.format.name) {
            return listed;
        }
        self.input.check()?;
        self.check_lints()?;
        let config = Arc::new(self.config.open()?);
        if let Some(path) = &self.config.show_config {
            return self.show_config(&config, path);
        }
        let baseline = self.baselines.read()?;
        if let Some(path) = &self.baselines.write_baseline {
            let format = format_by_name("baseline".as_ref()).expect("a row of FORMATS");
            self.reports.write_instead(format, path.clone());
        }
        let rules = self.tree.rules(self.input.named_codec())?;
        let rules = rules.with_configuration(Arc::clone(&config));
        let mut session = Session::new(&self.talk)?;
        session.style = ReportStyle { stats: self.stats, command: "validate", ..session.style };
        let reports = self.reports.open(&mut session, self.lists().then_some(self.format))?;
        let status = session.finish(|session| {
            let started = Instant::now();
            let inputs = Inputs::new(&self.input, Some(&rules));
            let (several, counts) = (inputs.most > 1, Arc::clone(&inputs.counts));
            let start = |session: &Session| ValidateRun {
                lists: self.open_lists(session.style),
                buffer: Buffer::default(),
                several,
                totals: FileTotals::default(),
                args: &self,
                config: &config,
                baseline: baseline.as_ref(),
            };
            let totals = parallel::each(inputs, self.jobs, session, start, |run| run.totals);
            let mut last = start(session);
            last.totals = totals.iter().fold(FileTotals::default(), FileTotals::and);
            last.sum_up(session, &counts, started.elapsed());
            reports.end(session);
            Ok(())
        })?;
        Ok(self.reports.status(status))
    }

    /// Returns an error if lints were named that other options exclude.
    fn check_lints(&self) -> anyhow::Result<()> {
        let codec = self.input.codec();
        let is_stateful = codec.properties.stateful;
        if self.lints.names_lints() {
            anyhow::ensure!(
                !is_stateful,
                "lints cannot read {}, which has shift states",
                codec.name
            );
            anyhow::ensure!(
                !self.format.lines,
                "--format lines writes lines with ill-formed sequences only: leave out the lints"
            );
        }
        Ok(())
    }

    /// Returns the levels of the rules for an input in an encoding.
    fn levels(
        &self,
        input: NamedInput<'_>,
        encoding: &Encoding,
        settings: &FileSettings,
    ) -> RuleLevels {
        let mut levels = match input {
            NamedInput::InTree(_) => RuleLevels::of_trees(),
            _ => RuleLevels::default(),
        };
        settings.apply(&mut levels);
        self.lints.names().apply(&mut levels);
        if encoding.properties.stateful || self.format.lines {
            levels.turn_off_lints();
        }
        if self.wanted().limit == Some(1) && self.max_errors.is_none() {
            // The first error ends the check.
            levels.turn_off_warnings();
        }
        levels
    }

    /// Prints the settings of a file and where they come from.
    fn show_config(&self, config: &Configuration, path: &Path) -> anyhow::Result<Status> {
        let settings = config.settings(path).map_err(anyhow::Error::msg)?;
        let text = config.describe(path, &settings, &self.lints.names());
        Session::plain()?.finish(|session| {
            session.out.buffer().extend(text.bytes());
            Ok(())
        })
    }

    /// Returns the format of standard output.
    ///
    /// # Errors
    /// Other options exclude the format.
    fn standard_format(&self) -> anyhow::Result<&'static FormatRow> {
        let format = self.reports.standard()?;
        let option = match self.names_only() {
            _ if self.input.list_codecs => return Ok(self.reports.named().unwrap_or(&FORMATS[0])),
            true if self.files_with_errors => "--files-with-errors",
            true => "--files-without-errors",
            false if self.count && format.document.is_some() => "--count",
            false if self.talk.quiet && format.document.is_some() => "--quiet",
            false => return Ok(format),
        };
        match self.reports.named() {
            None => Ok(&FORMATS[0]),
            Some(format) => Err(reports::excluded(option, format)),
        }
    }

    /// Returns the lists of findings: of standard output, if it has one, and of the files.
    fn open_lists(&self, style: ReportStyle) -> Vec<ReportedList> {
        let file_style = style.of_file();
        let is_listed = self.lists() || self.count && self.format.sums_up;
        let standard = (is_listed && !self.format.lines).then(|| {
            let judged = self.hides_floods(self.format);
            ReportedList::new(0, self.format, style, self.most_shown(), judged)
        });
        let files = self.reports.files().enumerate().map(|(at, format)| {
            let most = self.most_in_report(format);
            ReportedList::new(at + 1, format, file_style, most, self.hides_floods(format))
        });
        standard.into_iter().chain(files).collect()
    }

    fn names_only(&self) -> bool {
        self.files_with_errors || self.files_without_errors
    }

    /// Returns `true` if findings are listed.
    fn lists(&self) -> bool {
        let is_replaced = self.baselines.write_baseline.is_some();
        !(self.talk.quiet || self.count || self.names_only() || is_replaced)
    }

    /// Returns the number of findings of an input to show on standard output; `None` for all.
    fn most_shown(&self) -> Option<u64> {
        let is_limited = self.max_shown.is_none() && self.max_errors.is_none();
        match self.format.prose && is_limited && io::stdout().is_terminal() {
            true => Some(MOST_ON_TERMINAL),
            false => self.most_in_report(self.format),
        }
    }

    /// Returns the number of findings of an input to show in a report; `None` for all.
    fn most_in_report(&self, format: &FormatRow) -> Option<u64> {
        match self.max_shown {
            _ if !format.prose && format.document.is_none() => None,
            Some(MostShown(most)) => most,
            None if self.max_errors.is_some() || format.document.is_none() => None,
            None => Some(MOST_IN_DOCUMENT),
        }
    }

    /// Returns `true` if only the first findings of an input in another encoding are shown.
    fn hides_floods(&self, format: &FormatRow) -> bool {
        format.prose
            && self.max_shown.is_none()
            && self.max_errors.is_none()
            && self.input.codec().group == Group::Family
    }

    /// Returns the lines to write instead of findings, if the format asks for lines.
    fn lines(&self, style: ReportStyle) -> Option<LineOptions> {
        let escapes = match style.unicode {
            true => EscapeStyle::Text,
            false => EscapeStyle::Ascii,
        };
        (self.lists() && self.format.lines).then(|| LineOptions {
            others: self.talk.verbose,
            escapes: io::stdout().is_terminal().then_some(escapes),
        })
    }

    fn wanted(&self) -> CheckOptions {
        let one = (self.talk.quiet || self.names_only()) && !self.stats && !self.has_files();
        let mut formats = self.reports.files().chain([self.format]);
        CheckOptions {
            segments: self.segments.into(),
            limit: if one { Some(1) } else { self.max_errors.map(NonZero::get) },
            comments: !self.lints.no_inline,
            count: self.stats || formats.any(|format| format.sums_up),
        }
    }

    /// Returns `true` if a report shows columns in code points.
    fn shows_chars(&self) -> bool {
        self.reports.files().chain([self.format]).any(|format| format.chars)
    }

    /// Returns `true` if a report goes to a file.
    fn has_files(&self) -> bool {
        self.reports.files().next().is_some()
    }
}

/// The state that the inputs of a run share.
struct ValidateRun<'a> {
    args: &'a ValidateArgs,
    config: &'a Configuration,
    baseline: Option<&'a Baseline>,
    lists: Vec<ReportedList>,
    buffer: Buffer,
    /// There may be several inputs, so that names tell them apart.
    several: bool,
    totals: FileTotals,
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
        let encoding = self.encoding(input, &settings);
        let levels = self.args.levels(input, encoding, &settings);
        let result = self.examine(session, input, &name, encoding, levels);
        let mut enough = false;
        match result {
            // The output failed: more findings could not be written either.
            _ if session.output_failed() => {}
            Ok((summary, advice)) => {
                self.totals.add(&summary);
                self.hint_at_format(session, input, &name);
                self.conclude(session, input, &name, encoding, &summary, advice);
                enough = self.args.talk.quiet && !self.args.has_files() && summary.errors() > 0;
            }
            Err(error) => {
                if let Some(reason) = inputs::report_failure(session, input, &name, &error) {
                    self.record_failure(session, &name, &reason);
                }
            }
        }
        flow_if(!enough && !session.output_failed())
    }

    fn skip(&mut self, session: &mut Session, path: &Path, reason: SkipCause) {
        if self.args.talk.verbose {
            session.note(&session.name(path.as_os_str()), reason.note());
        }
    }

    fn misconfigured(&mut self, session: &mut Session, path: &Path, error: &ConfigError) {
        inputs::report_misconfigured(session, error);
        let name = session.name(path.as_os_str());
        self.record_failure(session, &name, &error.to_string());
    }

    fn fail(&mut self, session: &mut Session, path: &Path, error: &io::Error) {
        let (name, reason) = (session.name(path.as_os_str()), reason(error));
        session.report_error(&name, &reason);
        self.record_failure(session, &name, &reason);
    }
}

impl ValidateRun<'_> {
    /// Reports a run without a file to examine, and the totals of a run over directories.
    fn sum_up(&mut self, session: &mut Session, counts: &InputCounts, time: Duration) {
        if session.output_failed() {
            return;
        }
        counts.report_empty(session, self);
        let (args, totals) = (self.args, &self.totals);
        if let Some(path) = &args.baselines.write_baseline {
            let found = counted(totals.findings(), "finding");
            session.print_summary(&format!("utf8: {}: {found} recorded", safe(path)));
        }
        if args.lists() && args.format.prose && totals.files > 0 && !counts.trees.is_empty() {
            let all = TreeCounts::default();
            counts.trees.iter().for_each(|(_, counts)| all.add_skipped(counts));
            session.print_summary(&summary::of_files(totals, &all.describe_skipped(), time));
        }
    }

    /// Writes an error of an input to the reports whose formats have a record for it.
    fn record_failure(&mut self, session: &mut Session, name: &InputName<'_>, reason: &str) {
        for list in &mut self.lists {
            list.fail(session, name, reason);
        }
    }

    /// Returns the encoding to read an input in.
    fn encoding(&self, input: NamedInput<'_>, settings: &FileSettings) -> &'static Encoding {
        let named = self.args.input.named_codec();
        // A file in a directory has the encoding that is set if it is text.
        let set = || settings.encoding().filter(|_| !matches!(input, NamedInput::InTree(_)));
        named.or(input.declared()).or_else(set).unwrap_or(Encoding::UTF_8)
    }

    /// Returns the summary of an input, and advice on an input with few findings.
    fn examine(
        &mut self,
        session: &mut Session,
        input: NamedInput<'_>,
        name: &InputName<'_>,
        spec: &'static Encoding,
        levels: RuleLevels,
    ) -> io::Result<(InputSummary, Option<String>)> {
        let args = self.args;
        let looks_around = self.lists.iter_mut().any(|list| list.format.context().is_some());
        let opening = args.input.opening(spec, looks_around);
        let mut source = input.open(&opening, &mut self.buffer)?;
        let (range, start) = (source.range(), source.range().start);
        let shown = session.progress.then(|| name.shown());
        let kernels = session.kernels;
        let lines = args.lines(session.style);
        // Lines and lists of findings do not share an output.
        let (to_lines, to_list) = match lines {
            Some(options) => (Some((options, &mut session.out)), None),
            None => (None, Some(&mut session.out).filter(|_| args.lists())),
        };
        let mut outputs: Vec<_> =
            once(to_list).chain(session.reports.iter_mut().map(Some)).collect();
        let judge = |list: &ReportedList| ForeignInputJudge {
            codec: spec,
            format: list.row,
            style: list.style,
            args: &args.input,
            input,
            name,
            found: None,
        };
        let mut judges: Vec<_> = self.lists.iter().map(judge).collect();
        let lists = self.lists.iter_mut().zip(&mut judges).filter_map(|(list, judge)| {
            Some(FindingList {
                format: list.format.as_mut(),
                out: outputs[list.report].take()?,
                most: list.most,
                judged: list.judged && spec.group == Group::Family,
                judge: Some(judge),
            })
        });
        let lists: Vec<_> = lists.collect();
        let report = (!lists.is_empty()).then(|| CheckReport {
            name,
            lists,
            locator: (!args.no_lines)
                .then(|| Locator::new(spec, kernels, args.shows_chars(), source.lookback())),
        });
        let check = Check::new(spec, range.clone(), args.wanted(), report)
            .with_levels(levels)
            .with_known(self.baseline.map(|baseline| KnownFindings::new(baseline, name)));
        let (reached, summary) = match to_lines {
            _ if input.foreign_text().is_some() => foreign::reject(check, input)?,
            Some((options, out)) => {
                let mut lines = LineFilter::new(check, spec, range, options, out);
                let reached = progress::scan(&mut source, spec, kernels, shown, &mut lines);
                let summary = lines.end(reached.is_ok())?;
                (reached, summary)
            }
            None => {
                let mut check = check;
                let reached = progress::scan(&mut source, spec, kernels, shown, &mut check);
                let summary = check.end(reached.is_ok())?;
                (reached, summary)
            }
        };
        if summary.errors() > 0 {
            session.raise(Status::Bad);
        }
        session.note_end(name, reached?, start);
        let advice = judges.first().filter(|_| summary.findings <= validate::FIRST);
        let advice = advice.and_then(ForeignInputJudge::advice);
        Ok((summary, advice))
    }

    /// Reports the result of an input.
    fn conclude(
        &mut self,
        session: &mut Session,
        input: NamedInput<'_>,
        name: &InputName<'_>,
        encoding: &'static Encoding,
        summary: &InputSummary,
        advice: Option<String>,
    ) {
        let args = self.args;
        let bad = summary.errors() > 0;
        let is_noted = summary.findings > 0;
        if args.talk.quiet {
            return;
        }
        if args.count && args.format.sums_up {
            let (encoding, summary) = (Some(encoding), Some(summary));
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
            let verdict = match input.foreign_text() {
                Some((codec, _)) => foreign::describe(&args.input, input, name, codec),
                None => summary::verdict(summary, args.segments.into(), advice),
            };
            session.note(name, &verdict);
        }
        if !is_noted && args.talk.verbose && !args.format.lines {
            let (size, unreported) = (counted(summary.size, "byte"), summary::unreported(summary));
            let verdict = if summary.known > 0 { "nothing new" } else { "valid" };
            session.note(name, &format!("{verdict}, {size}{unreported}"));
        }
        if args.stats && !args.format.sums_up {
            summary::stats(summary).iter().for_each(|line| session.note(name, line));
        }
    }

    /// Notes that --format was probably meant if a file that is read as JSON is none.
    fn hint_at_format(&self, session: &mut Session, input: NamedInput<'_>, name: &InputName<'_>) {
        let args = self.args;
        if args.input.codec().name != "json" || args.format.name != FORMATS[0].name {
            return;
        }
        let first = FirstBlock::read(input).bytes.trim_ascii_start().first().copied();
        if first.is_some_and(|first| !b"{[\"-0123456789tfn".contains(&first)) {
            session.note(name, "is not JSON; did you mean --format json? (--from: how to read it)");
        }
    }
}

impl From<SegmentsArg> for Segments {
    fn from(arg: SegmentsArg) -> Segments {
        match arg {
            SegmentsArg::Sequence => Segments::Sequence,
            SegmentsArg::Maximal => Segments::Maximal,
            SegmentsArg::Byte => Segments::Byte,
        }
    }
}
