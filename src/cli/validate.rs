//! `utf8 validate`: lists ill-formed sequences.

use std::io::{self, IsTerminal};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};

use super::args::{FromParser, InputArgs, TalkArgs};
use super::first_block::FirstBlock;
use super::inputs::{self, InputCounts, InputWork, Inputs, NamedInput};
use super::parallel::{self, JobArgs};
use super::prose::counted;
use super::session::{Session, reason};
use super::summary::{self, FileTotals};
use super::tree::{self, TreeArgs, TreeCounts};
use super::{Status, codecs, progress};
use crate::codec::Group;
use crate::finding::locate::Locator;
use crate::finding::segments::Segments;
use crate::report::{FORMATS, Format, FormatRow, InputSummary, LINES};
use crate::sink::flow_if;
use crate::source::Buffer;
use crate::text::escape::EscapeStyle;
use crate::text::name::InputName;
use crate::validate::{Check, CheckOptions, CheckReport, FloodJudge, ShownLimits};
use flood::{ForeignInputJudge, hidden_line};
use lines::{LineFilter, LineOptions};

mod flood;
mod lines;

/// The number of findings of an input that a terminal shows.
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

    /// Format of the findings
    #[arg(long, value_name = "FORMAT", default_value = FORMATS[0].name, value_parser = format_parser())]
    format: &'static FormatRow,

    /// Stop reading a file after N findings
    #[arg(short, long, value_name = "N", value_parser = at_least_one)]
    max_errors: Option<u64>,

    /// Show at most N findings of each file; none shows all
    ///
    /// In the formats text and full. Without it, a terminal shows 100, and a file that is not
    /// damaged UTF-8 but something else has 10.
    #[arg(long, value_name = "N", value_parser = most_shown)]
    max_shown: Option<MostShown>,

    /// Print only the number of findings of each file
    ///
    /// As NAME:NUMBER if there may be several; with --format json, only the summaries.
    #[arg(short, long, group = "instead")]
    count: bool,

    /// Print only the names of files with findings
    #[arg(short = 'l', long, group = "instead", group = "names", conflicts_with = "format")]
    files_with_errors: bool,

    /// Print only the names of files without findings
    #[arg(short = 'L', long, group = "instead", group = "names", conflicts_with = "format")]
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

fn at_least_one(text: &str) -> Result<u64, &'static str> {
    match text.parse() {
        Ok(0) | Err(_) => {
            Err("expected a number, 1 or greater (-q and -l stop at the first finding)")
        }
        Ok(number) => Ok(number),
    }
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

fn format_parser() -> impl TypedValueParser<Value = &'static FormatRow> {
    let names = FORMATS.iter().map(|row| PossibleValue::new(row.name).help(row.summary));
    PossibleValuesParser::new(names).try_map(|name| {
        FORMATS
            .iter()
            .find(|row| name.eq_ignore_ascii_case(row.name))
            .ok_or(format!("no format {name}"))
    })
}

impl ValidateArgs {
    pub fn run(self) -> anyhow::Result<Status> {
        if self.input.list_codecs {
            let write = match self.format.name {
                "text" => codecs::text,
                "json" => codecs::json,
                name => anyhow::bail!("--list-codecs needs --format text or json, not {name}"),
            };
            return codecs::list(write);
        }
        self.input.check()?;
        let rules = self.tree.rules(self.input.codec().inner.unit > 1)?;
        let mut session = Session::new(&self.talk)?;
        session.style.stats = self.stats;
        session.finish(|session| {
            let started = Instant::now();
            let inputs = Inputs::new(&self.input, Some(&rules));
            let (several, counts) = (inputs.most > 1, Arc::clone(&inputs.counts));
            let start = |session: &Session| ValidateRun {
                format: (self.format.open)(session.style),
                buffer: Buffer::default(),
                several,
                most_shown: self.most_shown(),
                totals: FileTotals::default(),
                args: &self,
            };
            let totals = parallel::each(inputs, self.jobs, session, start, |run| run.totals);
            let total = totals.iter().fold(FileTotals::default(), FileTotals::and);
            self.sum_up(session, &counts, &total, started.elapsed());
            Ok(())
        })
    }

    /// Reports a run without a file to examine, and the totals of a run over directories.
    fn sum_up(
        &self,
        session: &mut Session,
        counts: &InputCounts,
        totals: &FileTotals,
        time: Duration,
    ) {
        if session.out.failed() {
            return;
        }
        counts.report_empty(session);
        if self.lists() && self.format.prose && totals.files > 0 && !counts.trees.is_empty() {
            let all = TreeCounts::default();
            counts.trees.iter().for_each(|(_, counts)| all.add(counts));
            session.print_summary(&summary::of_files(totals, &all.skipped(), time));
        }
    }

    fn names_only(&self) -> bool {
        self.files_with_errors || self.files_without_errors
    }

    /// Returns `true` if findings are listed.
    fn lists(&self) -> bool {
        !(self.talk.quiet || self.count || self.names_only())
    }

    /// Returns the number of findings of an input to show; `None` for all.
    fn most_shown(&self) -> Option<u64> {
        match self.max_shown {
            _ if !self.format.prose => None,
            Some(MostShown(most)) => most,
            None if self.max_errors.is_some() || !io::stdout().is_terminal() => None,
            None => Some(MOST_ON_TERMINAL),
        }
    }

    /// Returns `true` if only the first findings of an input in another encoding are shown.
    fn hides_floods(&self) -> bool {
        self.format.prose
            && self.max_shown.is_none()
            && self.max_errors.is_none()
            && self.input.codec().group == Group::Family
    }

    /// Returns the lines to write instead of findings, if the format asks for lines.
    fn lines(&self, session: &Session) -> Option<LineOptions> {
        let escapes = match session.style.unicode {
            true => EscapeStyle::Text,
            false => EscapeStyle::Ascii,
        };
        (self.lists() && self.format.name == LINES).then(|| LineOptions {
            others: self.talk.verbose,
            escapes: io::stdout().is_terminal().then_some(escapes),
        })
    }

    fn wanted(&self) -> CheckOptions {
        let one = (self.talk.quiet || self.names_only()) && !self.stats;
        CheckOptions {
            segments: self.segments.into(),
            limit: if one { Some(1) } else { self.max_errors },
            count: self.stats || self.format.chars,
        }
    }
}

/// The state that the inputs of a run share.
struct ValidateRun<'a> {
    args: &'a ValidateArgs,
    format: Box<dyn Format>,
    buffer: Buffer,
    /// There may be several inputs, so that names tell them apart.
    several: bool,
    /// The number of findings of an input to show; `None` for all.
    most_shown: Option<u64>,
    totals: FileTotals,
}

impl InputWork for ValidateRun<'_> {
    fn process(&mut self, session: &mut Session, input: NamedInput<'_>) -> ControlFlow<()> {
        let name = session.name(input.name());
        let result = self.examine(session, input, &name);
        let mut enough = false;
        match result {
            // The output failed: more findings could not be written either.
            _ if session.out.failed() => {}
            Ok(summary) => {
                self.totals.add(&summary);
                self.hint_at_format(session, input, &name);
                self.conclude(session, &name, &summary);
                enough = self.args.talk.quiet && summary.findings > 0;
            }
            Err(error) => {
                if let Some(reason) = inputs::report_failure(session, input, &name, &error) {
                    self.record_failure(session, &name, &reason);
                }
            }
        }
        flow_if(!enough && !session.out.failed())
    }

    fn fail(&mut self, session: &mut Session, path: &Path, error: &io::Error) {
        let (name, reason) = (session.name(path.as_os_str()), reason(error));
        session.report_error(&name, &reason);
        self.record_failure(session, &name, &reason);
    }
}

impl ValidateRun<'_> {
    /// Writes an error of an input to the report, if its format has a record for it.
    fn record_failure(&mut self, session: &mut Session, name: &InputName<'_>, reason: &str) {
        if self.args.lists() || self.args.count {
            self.format.trouble(session.out.buffer(), name, reason);
        }
    }

    fn examine(
        &mut self,
        session: &mut Session,
        input: NamedInput<'_>,
        name: &InputName<'_>,
    ) -> io::Result<InputSummary> {
        let args = self.args;
        let spec = args.input.codec();
        let opening = args.input.opening(spec, self.format.context().is_some());
        let mut source = input.open(&opening, &mut self.buffer)?;
        let (range, start) = (source.range(), source.range().start);
        let shown = session.progress.then(|| name.shown());
        if let Some(options) = args.lines(session) {
            let check = Check::new(spec, range.clone(), args.wanted(), None);
            let mut lines = LineFilter::new(check, spec, range, options, &mut session.out);
            let reached = progress::scan(&mut source, spec, session.kernels, shown, &mut lines);
            if lines.summary().findings > 0 {
                session.status = session.status.max(Status::Bad);
            }
            let summary = lines.end(reached.is_ok())?;
            session.note_end(name, reached?, start);
            return Ok(summary);
        }
        let mut judge = ForeignInputJudge {
            codec: spec,
            format: args.format,
            style: session.style,
            found: None,
        };
        let limits = ShownLimits {
            most: self.most_shown,
            judge: args.hides_floods().then_some(&mut judge as &mut dyn FloodJudge),
        };
        let report = args.lists().then(|| CheckReport {
            name,
            format: self.format.as_mut(),
            out: &mut session.out,
            locator: (!args.no_lines)
                .then(|| Locator::new(spec, session.kernels, args.format.chars, source.lookback())),
            limits,
        });
        let mut check = Check::new(spec, range, args.wanted(), report);
        let reached = progress::scan(&mut source, spec, session.kernels, shown, &mut check);
        if check.summary().findings > 0 {
            session.status = session.status.max(Status::Bad);
        }
        let summary = check.end(reached.is_ok())?;
        if summary.hidden > 0 {
            let line = hidden_line(summary.hidden, judge.found.as_ref(), &args.input, input, name);
            let out = session.out.buffer();
            out.extend_from_slice(name.shown());
            out.extend(format!(": {line}\n").bytes());
        }
        session.note_end(name, reached?, start);
        Ok(summary)
    }

    /// Reports the result of an input.
    fn conclude(&mut self, session: &mut Session, name: &InputName<'_>, summary: &InputSummary) {
        let args = self.args;
        let bad = summary.findings > 0;
        if args.talk.quiet {
            return;
        }
        if args.count && args.format.sums_up {
            self.format.end(session.out.buffer(), name, args.input.codec(), Some(summary));
        } else if args.count {
            if self.several {
                session.print_name(name, self.args.input.null, b':');
            }
            session.out.buffer().extend(format!("{}\n", summary.findings).bytes());
        } else if args.names_only() && bad == args.files_with_errors {
            session.print_name(name, self.args.input.null, b'\n');
        }
        let asked = summary.stopped && args.max_errors.is_some() && !args.names_only();
        if bad && args.lists() && args.format.prose || asked && !args.format.sums_up {
            session.note(name, &summary::verdict(summary, args.segments.into()));
        }
        if !bad && args.talk.verbose && args.format.name != LINES {
            session.note(name, &format!("valid, {}", counted(summary.size, "byte")));
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
