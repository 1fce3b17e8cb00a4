//! `utf8 decode` and `utf8 encode`: conversion between encodings.

use std::ffi::{OsStr, OsString};
use std::io;
use std::ops::{ControlFlow, Range};

use clap::Args;

use super::args::{self, BomArg, InputArgs, TalkArgs, TargetArg, TargetCodecParser};
use super::auto::DamagePolicy;
use super::config::Configuration;
use super::diff::has_byte_lines;
use super::first_block::FirstBlock;
use super::in_place::InPlaceArgs;
use super::inputs::{self, NamedInput};
use super::output::OutputArgs;
use super::parallel::JobArgs;
use super::prose::quoted;
use super::reading::{InputReader, ScannedInput};
use super::review::ReviewArgs;
use super::session::{SecondOutputs, Session};
use super::{Status, codecs, shell};
use crate::codec::{BOM, Escapes, Group, POINTS};
use crate::convert::{
    Conversion, Convert, ConvertJournal, ConvertOptions, ExtraMark, PolicyCounts, check_ranges,
};
use crate::finding::stop::StopReason;
use crate::output::Output;
use crate::policy::{Bom, Policy, PolicyUse};
use crate::registry::Encoding;
use crate::report::ReportStyle;
use crate::text::name::InputName;
use declarations::DeclarationCheck;
use in_place::ConversionNotes;
use journal::{ConversionJournal, RecordedChanges};

mod content;
mod declarations;
mod in_place;
mod journal;
mod messages;

#[derive(Args, Debug)]
#[command(
    args_override_self = true,
    mut_arg("explain", |arg| arg.help("Report each replacement of an error policy")),
    mut_arg("stats", |arg| arg.help("Report the number of bytes and replacements"))
)]
pub(super) struct ConvertArgs {
    #[command(flatten)]
    input: InputArgs,

    /// Encoding to write [default: utf-8]
    #[arg(short, long, value_name = "CODEC", value_parser = TargetCodecParser, hide_possible_values = true)]
    to: Option<TargetArg>,

    #[arg(
        long,
        value_name = "POLICY",
        help = args::on_error_help("ill-formed sequences and unencodable characters", PolicyUse::Conversion)
            + " [default: strict]",
        value_parser = args::policy(PolicyUse::Conversion),
        hide_possible_values = true
    )]
    on_error: Option<Policy>,

    /// Read ill-formed bytes in PAGE (--on-error fallback)
    #[arg(long, value_name = "PAGE", value_parser = args::fallback(), hide_possible_values = true, conflicts_with = "on_error")]
    fallback: Option<Policy>,

    /// BOM: keep, remove or add
    ///
    /// add starts the output, or each file in place, with one. Without --bom, a BOM in the input is
    /// kept as text, and utf-8-bom, utf-16 and utf-32 write another. Of ranges, only that at byte 0
    /// has one.
    #[arg(long, value_name = "WHAT", hide_possible_values = true)]
    bom: Option<BomArg>,

    /// In notations, escape every character
    #[arg(long, conflicts_with = "minimal")]
    all: bool,

    /// In notations, escape only where necessary
    #[arg(long)]
    minimal: bool,

    #[command(flatten)]
    output: OutputArgs,

    #[command(flatten)]
    in_place: InPlaceArgs,

    /// Convert files that are in the target encoding already
    ///
    /// By default, -i and --output onto the input leave them.
    #[arg(long, help_heading = "Output", hide_short_help = true)]
    reconvert: bool,

    /// In place, convert files with NUL too
    ///
    /// They are never skipped if the source has units of several bytes, as UTF-16 has.
    #[arg(long, requires = "in_place", help_heading = "Output", hide_short_help = true)]
    binary: bool,

    #[command(flatten)]
    jobs: JobArgs,

    #[command(flatten)]
    review: ReviewArgs,

    #[command(flatten)]
    talk: TalkArgs,
}

/// The command, which decides the codecs that are not named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ConvertSide {
    Decode,
    Encode,
}

impl ConvertArgs {
    pub fn run(mut self, side: ConvertSide) -> anyhow::Result<Status> {
        if let Some(named) = self.input.list_codecs {
            return codecs::list(named, self.review.reports.named()?.map(|row| row.name));
        }
        self.review.set_format(ReviewArgs::RECORDS, self.talk.quiet)?;
        self.input.check(self.in_place.default_input())?;
        self.in_place.check(&self.input, &self.review)?;
        if self.in_place.is_wanted() && self.input.from.is_none() && self.to.is_none() {
            let file = self.input.files.first();
            let file = file.map_or("FILE".to_owned(), |file| quoted(file.as_os_str()));
            anyhow::bail!(
                "--in-place needs --from or --to (utf8 decode -f CODEC -i {file}; utf8 detect {file} \
                 names the encoding)"
            );
        }
        anyhow::ensure!(
            !self.reconvert
                || self.in_place.is_wanted()
                || self.output.may_replace_input(&self.input),
            "--reconvert needs --in-place, or --output onto an input"
        );
        let (source, target) = self.codecs(side);
        let options = self.options(target)?;
        self.check_diff([source, target])?;
        if !self.input.is_auto() {
            self.check_range(source, target)?;
        }
        let status = Session::new(&self.talk)?.finish(|session| {
            session.threads = self.jobs.in_file(1);
            let mut converter = InputConverter::new(&self, source, options, session);
            if self.in_place.is_wanted() || self.review.is_dry_run() {
                return converter.convert_files(session);
            }
            let replacement = self.output.begin(session)?;
            join(&mut converter, session);
            self.review.check_record(session, converter.lost.take())?;
            self.output.commit(session, &self.input, replacement)
        })?;
        Ok(self.review.reports.status(status))
    }

    /// Returns the codec to read and the codec to write. An unnamed one is UTF-8. If both are
    /// unnamed, decode writes code points and encode reads them.
    fn codecs(&self, side: ConvertSide) -> (&'static Encoding, &'static Encoding) {
        let utf8 = Encoding::UTF_8;
        let points = || Encoding::for_label(POINTS).unwrap_or(utf8);
        match (self.input.from, self.to, side) {
            (None, None, ConvertSide::Decode) => (utf8, points()),
            (None, None, ConvertSide::Encode) => (points(), utf8),
            (_, to, _) => (self.input.codec(), to.map_or(utf8, |to| to.codec)),
        }
    }

    /// Returns `true` if standard output has the converted text.
    fn writes_text(&self) -> bool {
        let in_place = self.in_place.is_wanted();
        !(self.review.is_dry_run() || in_place || self.output.is_some())
    }

    /// Checks that a diff is possible: the lines of both sides must be lines of bytes.
    fn check_diff(&self, codecs: [&Encoding; 2]) -> anyhow::Result<()> {
        let unfit = codecs.into_iter().find(|codec| !has_byte_lines(codec));
        match unfit.filter(|_| self.review.diff) {
            Some(codec) => {
                anyhow::bail!("--diff cannot show {} (--check lists the inputs)", codec.name)
            }
            None => Ok(()),
        }
    }

    /// Returns the policy that an option or a suffix of the target names.
    fn policy(&self) -> anyhow::Result<Policy> {
        let suffix = self.to.and_then(|to| to.policy);
        match (self.on_error.or(self.fallback), suffix) {
            (Some(option), Some(suffix)) if option != suffix => anyhow::bail!(
                "the suffix of --to means --on-error {}, but {} is named",
                suffix.name(),
                option.name()
            ),
            (option, suffix) => Ok(option.or(suffix).unwrap_or_default()),
        }
    }

    /// Checks that the conversions of ranges, one behind the other, are that of the whole. A range in
    /// a notation is for reading.
    fn check_range(
        &self,
        source: &'static Encoding,
        target: &'static Encoding,
    ) -> anyhow::Result<()> {
        match target.group {
            Group::Notation => Ok(()),
            _ => self.input.check_range(check_ranges(source, target, self.policy()?)),
        }
    }

    /// Returns `true` if a BOM is left out without an option: `--from auto` reads it as a sign of the
    /// encoding, and the target cannot hold it as text.
    fn drops_bom(&self, target: &Encoding) -> bool {
        self.input.is_auto() && !target.can_encode(BOM)
    }

    fn options(&self, target: &'static Encoding) -> anyhow::Result<ConvertOptions> {
        if matches!(self.bom, Some(BomArg::Add)) && !target.can_encode(BOM) {
            anyhow::bail!("--bom add: {} has no byte order mark", target.name);
        }
        Ok(ConvertOptions {
            target,
            escapes: match (self.all, self.minimal) {
                (true, _) => Escapes::All,
                (_, true) => Escapes::Minimal,
                _ => Escapes::Usual,
            },
            policy: self.policy()?,
            bom: self.bom.map(Bom::from).or_else(|| self.drops_bom(target).then_some(Bom::Remove)),
        })
    }
}

/// Converts inputs one by one.
struct InputConverter<'a> {
    args: &'a ConvertArgs,
    reader: InputReader<'a>,
    options: ConvertOptions,
    style: ReportStyle,
    second_outputs: SecondOutputs,
    declarations: DeclarationCheck,
    /// The settings of the files, for notes on replaced ones.
    config: Configuration,
    notes: ConversionNotes,
    /// The error of the output of the record.
    lost: Option<io::Error>,
}

/// The result of the conversion of an input.
struct ConvertedInput {
    /// The name of the input, if it is a file.
    file: Option<OsString>,
    /// The codec of the input.
    source: &'static Encoding,
    treated: PolicyCounts,
    fault: Option<StopReason>,
    /// The second byte order mark of the output.
    extra_mark: Option<ExtraMark>,
    /// The number of escaped bytes that will not be read back as escapes.
    joined: u64,
    /// The selected range of the input, and the offset at which reading ended.
    range: Range<u64>,
    reached: u64,
    /// The start of the range.
    first: FirstBlock,
    /// True if the file was replaced, false if it need not be; `None` if it is not converted in
    /// place.
    rewritten: Option<bool>,
    /// The number of bytes written, if it is needed.
    written: u64,
    recorded: RecordedChanges,
    /// The number of the first line that is too long for a patch.
    cut_line: Option<u64>,
}

impl ConvertedInput {
    /// Returns a command for the input.
    fn command(&self, what: &str) -> String {
        shell::on_file(what, self.file.as_deref())
    }

    /// Returns the number of bytes of the selected range, up to a character that stopped the
    /// conversion: more may have been read.
    fn size(&self) -> u64 {
        let reached = match self.fault {
            Some(StopReason::Unencodable { offset, .. }) => offset,
            _ => self.reached,
        };
        reached.min(self.range.end).saturating_sub(self.range.start)
    }
}

/// Converts all inputs into one output.
fn join(converter: &mut InputConverter<'_>, session: &mut Session) {
    let mut conversion = Conversion::new(session.kernels, converter.options);
    let mut last: Option<(OsString, ConvertedInput)> = None;
    inputs::each(&converter.args.input, session, |session, input| {
        if let Some((name, converted)) = last.take() {
            converter.report_joined(session, &session.name(&name), &converted);
        }
        let name = session.name(input.name());
        if let Some(refusal) = converter.describe_refusal(input).transpose() {
            match refusal {
                Ok(message) => session.report_undone(&name, &message),
                Err(error) => {
                    drop(converter.args.review.report_failure(session, input, &name, &error))
                }
            }
            return ControlFlow::Break(());
        }
        let mut journal = converter.journal(&name);
        let converted =
            converter.convert(input, &name, &mut conversion, &mut session.out, journal.as_mut());
        converter.lost = journal.and_then(|mut journal| journal.flush(converted.is_ok()));
        match converted {
            _ if session.out.failed() || converter.lost.is_some() => return ControlFlow::Break(()),
            Ok(converted) => {
                let stopped = converted.fault.is_some();
                last = Some((input.name().to_owned(), converted));
                if stopped {
                    return ControlFlow::Break(());
                }
            }
            Err(error) => drop(converter.args.review.report_failure(session, input, &name, &error)),
        }
        ControlFlow::Continue(())
    });
    let len = conversion.finish(&mut session.out) as u64;
    // Messages about the last input follow all output, which may end with a line end.
    if let Some((name, mut converted)) = last {
        let name = session.name(&name);
        converted.written += len;
        converter.report_joined(session, &name, &converted);
        converter.report_fault(session, &name, &converted);
    }
}

impl<'a> InputConverter<'a> {
    /// Returns a converter of inputs from an encoding.
    fn new(
        args: &'a ConvertArgs,
        source: &'static Encoding,
        options: ConvertOptions,
        session: &Session,
    ) -> InputConverter<'a> {
        InputConverter {
            args,
            reader: InputReader::new(&args.input, args.in_place.is_wanted(), source, session),
            options,
            style: session.style,
            second_outputs: session.second_outputs(),
            declarations: DeclarationCheck::default(),
            config: Configuration::nearest(),
            notes: ConversionNotes::default(),
            lost: None,
        }
    }

    /// Converts one input up to the first error that the policy does not treat.
    fn convert(
        &mut self,
        input: NamedInput<'_>,
        name: &InputName<'_>,
        conversion: &mut Conversion,
        out: &mut Output,
        mut journal: Option<&mut ConversionJournal<'_>>,
    ) -> io::Result<ConvertedInput> {
        if let Some(found) = self.reader.detect(input, DamagePolicy::Refuse)? {
            self.args.check_diff([found, self.options.target]).map_err(io::Error::other)?;
            self.args.check_range(found, self.options.target).map_err(io::Error::other)?;
        }
        let before = conversion.joined_escapes();
        let ScannedInput { sink, codec: source, range, reached, first } =
            self.reader.scan(input, name, |codec, range| {
                let journal = journal.as_deref_mut().map(|it| it as &mut dyn ConvertJournal);
                Convert::new(conversion, codec, range, out).with_journal(journal)
            })?;
        let extra_mark = sink.extra_mark();
        let (treated, fault) = sink.end();
        let counts = journal.map(|journal| (journal.written, journal.recorded));
        let (written, recorded) = counts.unwrap_or_default();
        let joined = conversion.joined_escapes() - before;
        let reached = reached?;
        Ok(ConvertedInput {
            file: input.file_name().map(OsStr::to_owned),
            source,
            treated,
            fault,
            extra_mark,
            joined,
            range,
            reached,
            first,
            rewritten: None,
            written,
            recorded,
            cut_line: None,
        })
    }

    /// Reports an input that was converted into the joined output.
    fn report_joined(
        &mut self,
        session: &mut Session,
        name: &InputName<'_>,
        converted: &ConvertedInput,
    ) {
        let lost = self.record_summary(name, converted, converted.fault.is_none());
        self.lost = self.lost.take().or(lost);
        self.report(session, name, converted);
    }
}
