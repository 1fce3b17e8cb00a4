//! `utf8 detect`: detection of encodings.

use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use clap::Args;

use super::args::{InputArgs, TalkArgs, size};
use super::inputs::{self, InputWork, Inputs, NameSource, NamedInput};
use super::parallel::{self, JobArgs};
use super::reading::InputReader;
use super::reports::{
    self, DocumentLists, FormatChoice, GatheredFindings, ReportArgs, TargetParser,
};
use super::session::Session;
use super::tree::{self, TreeArgs};
use super::{Status, codecs};
use crate::detect::{Detection, EvidenceOptions, EvidenceSink, RegionEvent, RegionSink};
use crate::finding::locate::Position;
use crate::lint::Level;
use crate::registry::Encoding;
use crate::report::{Finding, FindingSubject, FormatRow, UNEXPECTED_ENCODING};
use crate::sink::flow_if;
use crate::text::name::InputName;
pub(super) use advice::next_command;
use expect::ExpectedCodec;
use plain::LineName;

mod advice;
mod expect;
mod json;
mod long;
mod plain;

/// Detect the encoding: UTF-8, UTF-16, a code page, or damaged UTF-8
///
/// A signature and well-formed UTF-8 are certain answers. Others come with their evidence and
/// probability, or are unknown. The exit status is 1 if the encoding is not one that --expect
/// names, and 2 if an input could not be read.
#[derive(Args, Debug)]
#[command(
    args_override_self = true,
    mut_arg("from", |arg| arg.hide(true)),
    mut_arg("quiet", |arg| arg.help("Print errors only; stop at the first unexpected encoding")),
    mut_arg("verbose", |arg| arg.help("Report the confidence and the reason on standard error")),
    mut_arg("files", |arg| arg.help(tree::FILES_HELP)),
    mut_arg("jobs", parallel::describe_files),
    mut_arg("formats", |arg| arg
        .help(HELP)
        .long_help(format!("{HELP}\n\nSee Formats, below. May be repeated."))
        .hide_possible_values(true)
        .value_parser(TargetParser(CHOICE)))
)]
pub(super) struct DetectArgs {
    #[command(flatten)]
    input: InputArgs,

    #[command(flatten)]
    reports: ReportArgs,

    /// List up to N encodings with their probabilities
    #[arg(long, value_name = "N", value_parser = number_of_candidates)]
    candidates: Option<u16>,

    /// Exit with 1 if the encoding is not in this list
    ///
    /// Names are separated by commas; utf-8 accepts us-ascii.
    #[arg(long, value_name = "CODECS", value_delimiter = ',', value_parser = expect::parser(), hide_possible_values = true)]
    expect: Vec<ExpectedCodec>,

    /// Examine only the first BYTES
    #[arg(long, value_name = "BYTES", value_parser = size)]
    sample: Option<u64>,

    /// List the byte ranges of different encodings
    #[arg(long, conflicts_with_all = ["candidates", "expect"])]
    regions: bool,

    #[command(flatten)]
    tree: TreeArgs,

    #[command(flatten)]
    jobs: JobArgs,

    #[command(flatten)]
    talk: TalkArgs,
}

/// The format of an answer, in the order of [`ANSWERS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DetectFormat {
    Plain,
    Long,
    Json,
    Mime,
}

/// The formats of answers.
pub(super) static ANSWERS: [FormatRow; 4] = [
    FormatRow::of_command("plain", "the name of the codec, damaged-utf-8, binary or unknown", true),
    FormatRow::of_command("long", "the evidence and the next command to run", true),
    FormatRow::of_command("json", "JSON Lines: an object for each input", false),
    FormatRow::of_command("mime", "as file --mime prints it", false),
];

const HELP: &str = "Format of the answer; FORMAT=FILE writes it to FILE [default: plain]";

/// The formats of the command.
const CHOICE: FormatChoice = FormatChoice { own: &ANSWERS, documents: true, files: true };

impl DetectFormat {
    /// Returns the format of a row; `None` for a document.
    fn of(row: &FormatRow) -> Option<DetectFormat> {
        const ALL: [DetectFormat; 4] =
            [DetectFormat::Plain, DetectFormat::Long, DetectFormat::Json, DetectFormat::Mime];
        let mut rows = ALL.into_iter().zip(&ANSWERS);
        rows.find(|(_, answer)| answer.name == row.name).map(|(format, _)| format)
    }
}

impl DetectArgs {
    pub fn run(self) -> anyhow::Result<Status> {
        if let Some(named) = self.input.list_codecs {
            return codecs::list(named, self.reports.named()?.map(|row| row.name));
        }
        if self.input.from.is_some() {
            anyhow::bail!("detect takes no --from (utf8 validate -f CODEC checks one codec)");
        }
        let standard = self.standard_format()?;
        self.input.check(self.tree.selection.default_input())?;
        let rules = self.tree.rules(None)?.ignoring_declared();
        let mut session = Session::new(&self.talk)?;
        session.style.command = "detect";
        let standard = (!self.is_silent()).then_some(standard);
        let reports = self.reports.open(&mut session, standard)?;
        let status = session.finish(|session| {
            let sampled = self.sampled();
            let inputs = Inputs::new(&self.input, Some(&rules));
            let (several, counts) = (inputs.most > 1, Arc::clone(&inputs.counts));
            let start = |session: &Session| DetectRun {
                args: &self,
                several,
                reader: InputReader::new(&sampled, false, Encoding::UTF_8, session),
                answers: self.answers(standard),
                lists: DocumentLists::open(self.reports.numbered(standard), session.style),
                finished: None,
            };
            parallel::each(inputs, self.jobs, self.has_report(), session, start, |_| ());
            let mut work = start(session);
            counts.report_empty(session, &mut work);
            let skipped = counts.describe_skipped();
            if let Some(skipped) = skipped.strip_prefix("; ").filter(|_| counts.has_examined()) {
                session.print_summary(&format!("utf8: {skipped}"));
            }
            reports.end(session);
            Ok(())
        })?;
        Ok(self.reports.status(status))
    }

    /// Returns the format of standard output.
    ///
    /// # Errors
    /// Other options exclude a format.
    fn standard_format(&self) -> anyhow::Result<&'static FormatRow> {
        let named = self.reports.named()?.unwrap_or(&ANSWERS[0]);
        let format = match self.expect.is_empty() {
            true => named,
            false => self.reports.standard_of(CHOICE)?,
        };
        let formats = || self.reports.files().chain([named]);
        if self.regions {
            let is_listed = |row| {
                matches!(DetectFormat::of(row), Some(DetectFormat::Plain | DetectFormat::Json))
            };
            anyhow::ensure!(
                self.reports.files().next().is_none() && is_listed(named),
                "--regions needs --format plain or json, on standard output"
            );
        }
        if let Some(row) = formats().find(|row| row.document.is_some() && self.expect.is_empty()) {
            anyhow::bail!("--format {} needs --expect", row.name);
        }
        if self.is_silent() && named.document.is_some() {
            return Err(reports::excluded("--quiet", named));
        }
        Ok(format)
    }

    /// Returns the formats of the answers, with the numbers of their reports.
    fn answers(&self, standard: Option<&'static FormatRow>) -> Vec<(usize, DetectFormat)> {
        let reports = self.reports.numbered(standard);
        reports.filter_map(|(number, row)| Some((number, DetectFormat::of(row)?))).collect()
    }

    /// Returns the input options with the length limited to the sample.
    fn sampled(&self) -> InputArgs {
        let mut input = self.input.clone();
        input.length = [input.length, self.sample].into_iter().flatten().min();
        input
    }

    /// Returns `true` if `--quiet` leaves out all output.
    fn is_silent(&self) -> bool {
        self.reports.is_suppressed(self.talk.quiet)
    }

    /// Returns `true` if a report is written.
    fn has_report(&self) -> bool {
        self.reports.has_report(self.talk.quiet)
    }

    fn wanted(&self) -> EvidenceOptions {
        let expected = !self.expect.is_empty();
        let standard = self.standard_format().ok().filter(|_| !self.is_silent());
        let formats = || self.reports.numbered(standard).map(|(_, row)| DetectFormat::of(row));
        let is_next = |format| matches!(format, Some(DetectFormat::Long | DetectFormat::Json));
        let is_whole = |format| !matches!(format, Some(DetectFormat::Plain | DetectFormat::Mime));
        EvidenceOptions {
            evidence: formats().any(is_whole),
            candidates: self.candidates.is_some()
                || formats().any(|format| format != Some(DetectFormat::Plain))
                || expected,
            regions: formats().any(is_next),
            stop_at_issue: !self.has_report()
                && expected
                && self.expect.iter().all(ExpectedCodec::is_utf8),
        }
    }
}

/// Parses the value of `--candidates`.
fn number_of_candidates(text: &str) -> Result<u16, &'static str> {
    let number = text.parse().ok().filter(|&number| number > 0);
    number.ok_or("expected a number, 1 to 65535")
}

/// The state that the inputs of a run share.
struct DetectRun<'a> {
    args: &'a DetectArgs,
    /// There may be several inputs, so that names tell them apart.
    several: bool,
    reader: InputReader<'a>,
    /// The formats of answers, with the numbers of their reports.
    answers: Vec<(usize, DetectFormat)>,
    lists: DocumentLists,
    /// The sink of the input before, whose buffers serve the next.
    finished: Option<EvidenceSink>,
}

impl InputWork for DetectRun<'_> {
    fn process(&mut self, session: &mut Session, input: NamedInput<'_>) -> ControlFlow<()> {
        let name = session.name(input.name());
        let mut enough = false;
        if self.args.regions {
            if let Err(error) = self.regions(session, input, &name) {
                self.failed(session, input, &name, &error);
            }
            return self.flow(session, enough);
        }
        match self.examine(session, input, &name) {
            Ok(verdict) => {
                let expected = self.compare(session, &name, &verdict);
                enough = !expected && !self.args.has_report();
                self.report(session, input, &name, &verdict);
                if self.args.talk.verbose {
                    session.note(&name, &long::reason(&verdict));
                }
            }
            Err(error) => self.failed(session, input, &name, &error),
        }
        self.flow(session, enough)
    }

    fn is_verbose(&self) -> bool {
        self.args.talk.verbose
    }

    fn fail(&mut self, session: &mut Session, path: &Path, error: &io::Error) {
        let name = session.name(path.as_os_str());
        self.failed(session, NamedInput::File(path, NameSource::CommandLine), &name, error);
    }
}

impl DetectRun<'_> {
    fn flow(&self, session: &Session, enough: bool) -> ControlFlow<()> {
        flow_if(!enough && !session.output_failed())
    }

    fn failed(
        &mut self,
        session: &mut Session,
        input: NamedInput<'_>,
        name: &InputName<'_>,
        error: &io::Error,
    ) {
        // The output failed, not the input.
        if session.output_failed() {
            return;
        }
        let Some(reason) = inputs::report_failure(session, input, name, error) else { return };
        for (number, _) in self.answers.iter().filter(|(_, it)| *it == DetectFormat::Json) {
            json::trouble(session.report(*number).buffer(), name, &reason);
        }
        self.lists.fail(session, name, &reason);
    }

    /// Lists the regions of one input.
    fn regions(
        &mut self,
        session: &mut Session,
        input: NamedInput<'_>,
        name: &InputName<'_>,
    ) -> io::Result<()> {
        let (shown, out) = (self.shown(name), &mut session.out);
        let format = self.answers.first().map(|(_, format)| *format);
        let write = |event| match event {
            RegionEvent::Region(region) => {
                match format {
                    None => {}
                    Some(DetectFormat::Json) => json::region(out.buffer(), name, &region),
                    Some(_) => plain::line(out.buffer(), shown, &plain::region(&region)),
                }
                out.settle()
            }
            RegionEvent::Pause => out.flush(),
        };
        let passed = self.reader.scan(input, name, |_, range| RegionSink::new(range, write))?;
        let (reached, start) = (passed.reached?, passed.range.start);
        passed.sink.finish()?;
        session.note_end(name, reached, start);
        Ok(())
    }

    fn examine(
        &mut self,
        session: &mut Session,
        input: NamedInput<'_>,
        name: &InputName<'_>,
    ) -> io::Result<Detection> {
        let (kernels, wanted) = (session.kernels, self.args.wanted());
        let finished = self.finished.take();
        let gatherer = |_, range| {
            let mut sink = EvidenceSink::new(kernels, range, wanted);
            if let Some(finished) = finished {
                sink.reuse(finished);
            }
            sink
        };
        let mut passed = self.reader.scan(input, name, gatherer)?;
        session.note_end(name, passed.reached?, passed.range.start);
        let detection = passed.sink.finish();
        self.finished = Some(passed.sink);
        Ok(detection)
    }

    /// Compares the answer with the expected encodings, and reports a difference.
    fn compare(
        &mut self,
        session: &mut Session,
        name: &InputName<'_>,
        verdict: &Detection,
    ) -> bool {
        let expect = &self.args.expect;
        if expect.is_empty() {
            return true;
        }
        let found = verdict.answer.name();
        let expected = expect.iter().any(|expected| expected.is(verdict));
        let names: Vec<_> = expect.iter().map(|expected| expected.name).collect();
        let bom = if verdict.evidence.signature.is_some() { " with a BOM" } else { "" };
        let difference = format!("is {found}{bom}, not {}", names.join(" or "));
        if !expected {
            session.raise(Status::Bad);
            if !self.lists.tell_people() {
                session.warn(name, &difference);
            }
        }
        if !self.lists.is_empty() {
            let finding = unexpected(name, &difference);
            let findings = if expected { &[][..] } else { std::slice::from_ref(&finding) };
            let (encoding, hidden, size) = (None, 0, verdict.evidence.size);
            let input = GatheredFindings { name, encoding, findings, hidden, size };
            self.lists.report(session, &input);
        }
        expected
    }

    fn report(
        &self,
        session: &mut Session,
        input: NamedInput<'_>,
        name: &InputName<'_>,
        verdict: &Detection,
    ) {
        let (args, shown) = (self.args, self.shown(name));
        let advice = || advice::next_command(verdict, &args.input, input, name);
        for (number, format) in &self.answers {
            let output = session.report(*number);
            let out = output.buffer();
            match format {
                DetectFormat::Long => {
                    long::write(out, name, &long::lines(verdict, args.candidates, advice()));
                }
                DetectFormat::Json => json::object(out, name, verdict, args.candidates, advice()),
                DetectFormat::Plain => match args.candidates {
                    None => plain::line(out, shown, verdict.answer.name()),
                    Some(most) => plain::candidates(verdict, most)
                        .iter()
                        .for_each(|line| plain::line(out, shown, line)),
                },
                DetectFormat::Mime => plain::line(out, shown, &plain::mime(verdict)),
            }
            // The output keeps its error.
            let _ = output.settle();
        }
    }

    /// Returns the name in front of the lines of an input, if there is one.
    fn shown<'n>(&self, name: &'n InputName<'n>) -> Option<LineName<'n>> {
        self.several.then_some(LineName { name, null: self.args.input.null })
    }
}

/// Returns the finding of an input in another encoding than expected.
fn unexpected<'a>(name: &'a InputName<'_>, difference: &'a str) -> Finding<'a> {
    Finding {
        name,
        encoding: Encoding::UTF_8,
        offset: 0,
        subject: FindingSubject::Other {
            rule: &UNEXPECTED_ENCODING,
            bytes: &[],
            length: 0,
            columns: 0,
            message: difference.as_bytes(),
        },
        level: Level::Deny,
        position: Some(Position::START),
    }
}
