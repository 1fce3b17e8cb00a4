//! `utf8 detect`: detection of encodings.

use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use clap::{Args, ValueEnum};

use super::args::{InputArgs, TalkArgs, size};
use super::inputs::{self, InputWork, Inputs, NamedInput};
use super::parallel::{self, JobArgs};
use super::reading::InputReader;
use super::session::Session;
use super::tree::{self, SkipCause, TreeArgs};
use super::{Status, codecs};
use crate::detect::{Detection, EvidenceOptions, EvidenceSink, RegionEvent, RegionSink};
use crate::registry::Encoding;
use crate::sink::flow_if;
use crate::text::name::InputName;
use expect::ExpectedCodec;

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
    mut_arg("files", |arg| arg.help(tree::FILES_HELP))
)]
pub(super) struct DetectArgs {
    #[command(flatten)]
    input: InputArgs,

    /// Format of the answer
    #[arg(long, value_name = "FORMAT", default_value = "plain")]
    format: DetectFormat,

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

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum DetectFormat {
    /// the name of the codec, damaged-utf-8, binary or unknown
    Plain,
    /// the evidence and the next command to run
    Long,
    /// JSON Lines: an object for each input
    Json,
    /// as file --mime prints it
    Mime,
}

impl DetectArgs {
    pub fn run(self) -> anyhow::Result<Status> {
        if self.input.list_codecs {
            return codecs::list(codecs::text);
        }
        if self.input.from.is_some() {
            anyhow::bail!("detect takes no --from (utf8 validate -f CODEC checks one codec)");
        }
        if self.regions && !matches!(self.format, DetectFormat::Plain | DetectFormat::Json) {
            anyhow::bail!("--regions needs --format plain or json");
        }
        self.input.check()?;
        let rules = self.tree.rules(None)?;
        Session::new(&self.talk)?.finish(|session| {
            let sampled = self.sampled();
            let inputs = Inputs::new(&self.input, Some(&rules));
            let (several, counts) = (inputs.most > 1, Arc::clone(&inputs.counts));
            let start = |session: &Session| DetectRun {
                args: &self,
                several,
                reader: InputReader::new(&sampled, false, Encoding::UTF_8, session),
            };
            parallel::each(inputs, self.jobs, session, start, |_| ());
            let mut work = start(session);
            counts.report_empty(session, &mut work);
            Ok(())
        })
    }

    /// Returns the input options with the length limited to the sample.
    fn sampled(&self) -> InputArgs {
        let mut input = self.input.clone();
        input.length = [input.length, self.sample].into_iter().flatten().min();
        input
    }

    fn wanted(&self) -> EvidenceOptions {
        let expected = !self.expect.is_empty();
        EvidenceOptions {
            evidence: matches!(self.format, DetectFormat::Long | DetectFormat::Json)
                && !self.talk.quiet,
            candidates: self.candidates.is_some() || self.format != DetectFormat::Plain || expected,
            stop_at_issue: self.talk.quiet
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
                enough = !expected && self.args.talk.quiet;
                if !self.args.talk.quiet {
                    self.report(session, input, &name, &verdict);
                }
                if self.args.talk.verbose {
                    session.note(&name, &long::reason(&verdict));
                }
            }
            Err(error) => self.failed(session, input, &name, &error),
        }
        self.flow(session, enough)
    }

    fn skip(&mut self, session: &mut Session, path: &Path, reason: SkipCause) {
        if self.args.talk.verbose {
            session.note(&session.name(path.as_os_str()), reason.note());
        }
    }

    fn fail(&mut self, session: &mut Session, path: &Path, error: &io::Error) {
        let name = session.name(path.as_os_str());
        self.failed(session, NamedInput::File(path, false), &name, error);
    }
}

impl DetectRun<'_> {
    fn flow(&self, session: &Session, enough: bool) -> ControlFlow<()> {
        flow_if(!enough && !session.out.failed())
    }

    fn failed(
        &self,
        session: &mut Session,
        input: NamedInput<'_>,
        name: &InputName<'_>,
        error: &io::Error,
    ) {
        // The output failed, not the input.
        if session.out.failed() {
            return;
        }
        let reason = inputs::report_failure(session, input, name, error);
        if let (Some(reason), DetectFormat::Json) = (reason, self.args.format) {
            json::trouble(session.out.buffer(), name, &reason);
        }
    }

    /// Lists the regions of one input.
    fn regions(
        &mut self,
        session: &mut Session,
        input: NamedInput<'_>,
        name: &InputName<'_>,
    ) -> io::Result<()> {
        let (args, several) = (self.args, self.several);
        let (quiet, out) = (session.quiet, &mut session.out);
        let write = |event| match event {
            RegionEvent::Region(region) => {
                match args.format {
                    _ if quiet => {}
                    DetectFormat::Json => json::region(out.buffer(), name, &region),
                    _ => {
                        let name = several.then_some(name);
                        plain::region(out.buffer(), name, &region);
                    }
                }
                out.settle()
            }
            RegionEvent::Pause => out.flush(),
        };
        let passed = self.reader.pass(input, name, |_, range| RegionSink::new(range, write))?;
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
        let gatherer = |_, range| EvidenceSink::new(kernels, range, wanted);
        let passed = self.reader.pass(input, name, gatherer)?;
        session.note_end(name, passed.reached?, passed.range.start);
        Ok(passed.sink.finish())
    }

    /// Compares the answer with the expected encodings, and reports a difference.
    fn compare(&self, session: &mut Session, name: &InputName<'_>, verdict: &Detection) -> bool {
        let expect = &self.args.expect;
        if expect.is_empty() {
            return true;
        }
        let found = verdict.answer.name();
        let expected = expect.iter().any(|expected| expected.is(verdict));
        if !expected {
            session.raise(Status::Bad);
            let names: Vec<_> = expect.iter().map(|expected| expected.name).collect();
            let bom = if verdict.evidence.signature.is_some() { " with a BOM" } else { "" };
            session.warn(name, &format!("is {found}{bom}, not {}", names.join(" or ")));
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
        let args = self.args;
        let advice = || advice::command(verdict, &args.input, input, name);
        match args.format {
            DetectFormat::Long => {
                let lines = long::lines(verdict, args.candidates, advice());
                long::write(session, name, &lines);
            }
            DetectFormat::Json => {
                json::object(session.out.buffer(), name, verdict, args.candidates, advice());
            }
            DetectFormat::Plain => match args.candidates {
                None => self.line(session, name, verdict.answer.name()),
                Some(most) => plain::candidates(verdict, most)
                    .iter()
                    .for_each(|line| self.line(session, name, line)),
            },
            DetectFormat::Mime => self.line(session, name, &plain::mime(verdict)),
        }
    }

    fn line(&self, session: &mut Session, name: &InputName<'_>, line: &str) {
        if self.several {
            session.print_name(name, false, b':');
            session.out.buffer().push(b' ');
        }
        session.out.buffer().extend_from_slice(line.as_bytes());
        session.out.buffer().push(b'\n');
    }
}
