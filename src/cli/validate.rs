//! `utf8 validate`: lists ill-formed sequences.

use std::io::{self, IsTerminal};
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use clap::{ArgAction, Args, ValueEnum};

use super::args::{FromParser, InputArgs, TalkArgs, at_least_one};
use super::config::settings::FileSettings;
use super::config::{self, ConfigArgs, Configuration};
use super::inputs::{Inputs, NamedInput};
use super::lints::LintArgs;
use super::parallel::{self, JobArgs};
use super::reports::{self, MOST_IN_DOCUMENT, ReportArgs, ReportedList};
use super::session::Session;
use super::summary::FileTotals;
use super::tree::{self, TreeArgs};
use super::{Status, codecs};
use crate::finding::segments::Segments;
use crate::lint::levels::RuleLevels;
use crate::registry::Encoding;
use crate::report::partial::PARTIAL;
use crate::report::{FORMATS, FormatRow, ReportStyle, format_by_name};
use crate::source::Buffer;
use crate::text::escape::EscapeStyle;
use crate::validate::CheckOptions;
use baseline::BaselineArgs;
use lines::LineOptions;
use run::ValidateRun;
use scale::ScaleArgs;

pub(super) mod baseline;
mod fix_command;
mod flood;
mod foreign;
mod lines;
mod merge;
mod repair_advice;
mod run;
mod scale;

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

    /// Print the settings of FILE and where they come from
    ///
    /// May be given several times.
    #[arg(long, value_name = "FILE", help_heading = config::HEADING, action = ArgAction::Append, hide_short_help = true)]
    show_config: Vec<PathBuf>,

    #[command(flatten)]
    baselines: BaselineArgs,

    #[command(flatten)]
    scale: ScaleArgs,

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

    /// Print only the names of files with errors
    #[arg(short = 'l', long, group = "instead", group = "names")]
    files_with_errors: bool,

    /// Print only the names of files without errors
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
        if let Some(named) = self.input.list_codecs {
            return codecs::list(named, self.reports.named()?.map(|row| row.name));
        }
        self.format = self.standard_format()?;
        if let Some(listed) = self.lints.list(self.format.name) {
            return listed;
        }
        self.input.check(self.tree.selection.default_input())?;
        self.check_lints()?;
        self.check_scale()?;
        let config = Arc::new(self.config.open()?);
        if !self.show_config.is_empty() {
            return self.print_settings(&config);
        }
        let baseline = self.baselines.read()?;
        if let Some(path) = &self.baselines.write_baseline {
            baseline::check_old(path)?;
            let format = format_by_name("baseline".as_ref()).expect("a row of FORMATS");
            self.reports.write_instead(format, path.clone());
        }
        let rules = self.tree.rules(self.input.named_codec())?;
        let rules = rules.with_configuration(Arc::clone(&config)).with_levels(self.lints.names());
        let mut session = Session::new(&self.talk)?;
        if let Some(size) = self.scale.ranges {
            return session.finish(|session| self.print_ranges(size, &rules, session));
        }
        session.style = ReportStyle { stats: self.stats, command: "validate", ..session.style };
        let reports = self.reports.open(&mut session, self.lists().then_some(self.format))?;
        let status = session.finish(|session| {
            session.threads = self.jobs.in_file(1);
            let started = Instant::now();
            let inputs = Inputs::new(&self.input, Some(&rules));
            let several = inputs.most > 1 || self.scale.merge;
            let counts = Arc::clone(&inputs.counts);
            let start = |session: &Session| ValidateRun {
                lists: self.open_lists(session.style),
                buffer: Buffer::default(),
                several,
                totals: FileTotals::default(),
                rules: None,
                args: &self,
                config: &config,
                baseline: baseline.as_ref(),
            };
            if self.scale.merge {
                merge::merge(&mut start(session), session)?;
                reports.end(session);
                return Ok(());
            }
            let totals =
                parallel::each(inputs, self.jobs, self.has_report(), session, start, |run| {
                    run.totals
                });
            let mut last = start(session);
            last.totals = totals.into_iter().fold(FileTotals::default(), FileTotals::and);
            last.sum_up(session, &counts, started.elapsed());
            reports.end(session);
            last.report_baseline(session);
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
                "--format lines writes lines with ill-formed sequences only: leave out the lints (utf8 \
                 repair --diff shows lines that --fix or --undo-mojibake changes)"
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
        let mut levels = settings.levels(input.levels(), &self.lints.names());
        if encoding.properties.stateful || self.format.lines || self.scale.partial {
            levels.turn_off_lints();
        }
        if self.wanted().limit == Some(1) && self.max_errors.is_none() {
            // The first error ends the check.
            levels.turn_off_warnings();
        }
        levels
    }

    /// Prints the settings of files and where they come from.
    fn print_settings(&self, config: &Configuration) -> anyhow::Result<Status> {
        let describe = |path: &PathBuf| config.describe(path, &self.lints.names());
        let texts: Vec<_> = self.show_config.iter().map(describe).collect::<Result<_, _>>()?;
        Session::plain()?.finish(|session| {
            session.out.buffer().extend(texts.join("\n").bytes());
            Ok(())
        })
    }

    /// Returns the format of standard output.
    ///
    /// # Errors
    /// Other options exclude the format.
    fn standard_format(&self) -> anyhow::Result<&'static FormatRow> {
        if self.scale.partial {
            return Ok(&PARTIAL);
        }
        let format = self.reports.standard()?;
        let option = match self.names_only() {
            true if self.files_with_errors => "--files-with-errors",
            true => "--files-without-errors",
            false if self.count && format.document.is_some() => "--count",
            false if self.is_silent() && format.document.is_some() => "--quiet",
            false => return Ok(format),
        };
        match self.reports.named()? {
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

    /// Returns `true` if `--quiet` leaves out all output.
    fn is_silent(&self) -> bool {
        self.reports.is_suppressed(self.talk.quiet)
    }

    fn names_only(&self) -> bool {
        self.files_with_errors || self.files_without_errors
    }

    /// Returns `true` if findings are listed.
    fn lists(&self) -> bool {
        let is_replaced = self.baselines.write_baseline.is_some();
        !(self.is_silent() || self.count || self.names_only() || is_replaced)
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
            _ if self.scale.partial => self.scale.list,
            _ if !format.prose && format.document.is_none() => None,
            Some(MostShown(most)) => most,
            None if self.max_errors.is_some() || format.document.is_none() => None,
            None => Some(MOST_IN_DOCUMENT),
        }
    }

    /// Returns `true` if only the first findings of an input in another encoding are shown.
    fn hides_floods(&self, format: &FormatRow) -> bool {
        format.prose && self.max_shown.is_none() && self.max_errors.is_none()
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
        let lists_none = self.names_only() && self.reports.files().next().is_none();
        let one = (!self.has_report() || lists_none) && !self.stats;
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
        self.reports.files().chain([self.format]).any(|format| format.columns_in_chars)
    }

    /// Returns `true` if a report is written.
    fn has_report(&self) -> bool {
        self.reports.has_report(self.talk.quiet)
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
