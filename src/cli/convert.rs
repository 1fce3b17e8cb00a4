//! Which characters are these bytes, and which bytes these characters? `utf8 decode`, `utf8 encode`

use std::ffi::OsString;
use std::io;
use std::ops::ControlFlow;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Args, ValueEnum};

use super::args::{CodecParser, InputArgs, TalkArgs};
use super::inputs::{self, Input};
use super::output::{self, OutputArgs};
use super::prose::counted;
use super::session::Session;
use super::{Status, codecs, progress};
use crate::codec::{self, BOM, CODECS, Escapes, Spec};
use crate::fault::Fault;
use crate::policy::{self, Bom, POLICIES, Policy};
use crate::report::Name;
use crate::sink::convert::{Conversion, Convert, Manner, Treated};
use crate::source::Buffer;

#[derive(Args, Debug)]
#[command(args_override_self = true)]
pub(super) struct ConvertArgs {
    #[command(flatten)]
    input: InputArgs,

    /// The codec to write (see DEFAULTS for when it need not be named)
    #[arg(short, long, value_name = "CODEC", value_parser = CodecParser, hide_possible_values = true)]
    to: Option<&'static Spec>,

    /// What becomes of what is ill-formed, or lacking in the codec to write: strict (the run ends),
    /// replace, replace-byte, ignore, backslashreplace, surrogateescape, optu or fallback=PAGE
    #[arg(long, value_name = "POLICY", default_value = POLICIES[0].name, value_parser = PolicyParser, hide_possible_values = true)]
    on_error: Policy,

    /// Read each byte that is ill-formed in this single-byte code page: --on-error fallback=PAGE
    #[arg(long, value_name = "PAGE", value_parser = policy::fallback, conflicts_with = "on_error")]
    fallback: Option<Policy>,

    /// What becomes of a byte order mark, whatever the codecs say of it
    #[arg(long, value_name = "WHAT")]
    bom: Option<BomArg>,

    /// In a notation, escape every character
    #[arg(long, conflicts_with = "minimal")]
    all: bool,

    /// In a notation, escape only what must be
    #[arg(long)]
    minimal: bool,

    #[command(flatten)]
    output: OutputArgs,

    #[command(flatten)]
    talk: TalkArgs,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum BomArg {
    /// it stays if the first input has one
    Keep,
    /// it is left out
    Remove,
    /// the output starts with one
    Add,
}

/// Say of the options that the commands share what they are to these two.
pub(super) fn reword(command: clap::Command) -> clap::Command {
    let words = [
        ("from", "The codec to read (--list-codecs has them all)"),
        ("null", "The names in --files-from end with NUL instead of a line break"),
        ("quiet", "Print no messages but of trouble: of a fault, only the exit status tells"),
        ("verbose", "Say what was done to each input, on standard error"),
    ];
    words
        .into_iter()
        .fold(command, |command, (arg, help)| command.mut_arg(arg, |arg| arg.help(help)))
}

/// Which side of a conversion a command is named for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Decode,
    Encode,
}

/// The codec that spells code points for people.
const POINTS: &str = "code-points";

/// Takes the name of a policy, and offers the names for completion.
#[derive(Clone, Debug)]
struct PolicyParser;

impl TypedValueParser for PolicyParser {
    type Value = Policy;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &std::ffi::OsStr,
    ) -> Result<Policy, clap::Error> {
        let parse = |text: String| policy::parse(&text);
        clap::builder::StringValueParser::new().try_map(parse).parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let names = POLICIES.iter().filter(|row| row.policy.is_some());
        Some(Box::new(names.map(|row| PossibleValue::new(row.name).help(row.ill_formed))))
    }
}

impl ConvertArgs {
    pub fn run(self, side: Side) -> anyhow::Result<Status> {
        if self.input.list_codecs {
            return codecs::list(codecs::text);
        }
        self.input.check()?;
        let (source, target) = self.codecs(side);
        let manner = self.manner(target)?;
        let session = Session::new(&self.talk)?;
        session.finish(|session| {
            let mut run = Run {
                args: &self,
                source,
                manner,
                conversion: Conversion::new(session.kernels, manner),
                buffer: Buffer::default(),
                last: None,
            };
            let replacement = self.output.begin(session)?;
            let _ = inputs::each(&self.input, session, |session, input| run.one(session, input));
            run.conversion.finish(&mut session.out);
            if let Some((name, fault)) = run.last {
                session.warn(&session.name(&name), &fault);
            }
            output::commit(session, replacement)
        })
    }

    /// What is read and what is written. The side that is not named is UTF-8; where neither is,
    /// the one that the command is not named for is spelt out.
    fn codecs(&self, side: Side) -> (&'static Spec, &'static Spec) {
        let utf8 = &CODECS[0];
        let points = || codec::find(POINTS).unwrap_or(utf8);
        match (self.input.from, self.to, side) {
            (None, None, Side::Decode) => (utf8, points()),
            (None, None, Side::Encode) => (points(), utf8),
            (from, to, _) => (from.unwrap_or(utf8), to.unwrap_or(utf8)),
        }
    }

    fn manner(&self, target: &'static Spec) -> anyhow::Result<Manner> {
        if matches!(self.bom, Some(BomArg::Add)) && !target.holds(BOM) {
            anyhow::bail!("--bom add: {} has no byte order mark", target.name);
        }
        Ok(Manner {
            target,
            escapes: match (self.all, self.minimal) {
                (true, _) => Escapes::All,
                (_, true) => Escapes::Minimal,
                _ => Escapes::Usual,
            },
            policy: self.fallback.unwrap_or(self.on_error),
            bom: self.bom.map(Bom::from),
        })
    }
}

/// What the inputs of a run share.
struct Run<'a> {
    args: &'a ConvertArgs,
    source: &'static Spec,
    manner: Manner,
    conversion: Conversion,
    buffer: Buffer,
    /// What is said at the end, behind all that is written: the fault of an input.
    last: Option<(OsString, String)>,
}

impl Run<'_> {
    /// Convert one input. Breaks at the first fault that no policy treats.
    fn one(&mut self, session: &mut Session, input: Input<'_>) -> ControlFlow<()> {
        let name = session.name(input.name());
        match self.convert(session, input, &name) {
            _ if session.out.failed() => return ControlFlow::Break(()),
            Ok(Some(fault)) => {
                session.raise(Status::Bad);
                self.last = Some((input.name().to_owned(), self.describe(&fault)));
                return ControlFlow::Break(());
            }
            Ok(None) => {}
            Err(error) => drop(inputs::failed(session, input, &name, &error)),
        }
        ControlFlow::Continue(())
    }

    fn convert(
        &mut self,
        session: &mut Session,
        input: Input<'_>,
        name: &Name<'_>,
    ) -> io::Result<Option<Fault>> {
        let opening = self.args.input.opening(self.source, false);
        let mut source = input.open(&opening, &mut self.buffer)?;
        let range = source.wanted();
        let joined = self.conversion.joined();
        let mut convert =
            Convert::new(&mut self.conversion, self.source, range.clone(), &mut session.out);
        let shown = session.progress.then(|| name.shown());
        let reached =
            progress::feed(&mut source, self.source, session.kernels, shown, &mut convert);
        let (treated, fault) = convert.end();
        let reached = reached?;
        session.note_end(name, reached, range.start);
        self.account(session, name, self.conversion.joined() - joined);
        if fault.is_none() && self.args.talk.verbose {
            let bytes = reached.min(range.end).saturating_sub(range.start);
            session.say(name, &self.summary(&treated, bytes));
        }
        Ok(fault)
    }

    /// Say what a person should know who did not ask.
    fn account(&self, session: &mut Session, name: &Name<'_>, joined: u64) {
        if joined > 0 {
            let bytes = counted(joined, "escaped byte");
            session.say(name, &format!("{bytes} spell well-formed text next to each other, and will not be read back as escapes"));
        }
    }

    /// What was done, in a line.
    fn summary(&self, treated: &Treated, bytes: u64) -> String {
        let (target, done) = (self.manner.target.name, self.manner.policy.done());
        let mut parts = vec![counted(bytes, "byte")];
        for (number, what, whose) in [
            (treated.ill_formed, "ill-formed sequence", String::new()),
            (treated.lacking, "code point", format!(" that {target} lacks")),
            (treated.mistrusted, "private code point", String::new()),
        ] {
            if number > 0 {
                parts.push(format!("{}{whose} {done}", counted(number, what)));
            }
        }
        parts.join(", ")
    }

    fn describe(&self, fault: &Fault) -> String {
        let Fault { offset, kind, message, value } = fault;
        format!("byte {offset}: {message} [{kind}] ({})", self.hint(*offset, *value))
    }

    /// What to do about a fault, or about the lack of a code point.
    fn hint(&self, offset: u64, lacking: Option<u32>) -> String {
        let (source, named) = (self.source.name, self.args.input.from.is_some());
        match (lacking, self.manner.policy) {
            (Some(BOM), _) if offset == 0 => "--bom remove leaves it out".to_owned(),
            (Some(_), Policy::SurrogateEscape) => {
                "wtf-8 and utf-8-surrogateescape hold it: --to".to_owned()
            }
            (Some(_), _) => "--on-error replace, ignore or backslashreplace go on".to_owned(),
            (None, _) if source == POINTS && !named => {
                "encode reads code points unless --from or --to is named".to_owned()
            }
            (None, _) if named => {
                format!("--on-error has ways to go on; utf8 validate -f {source} lists all faults")
            }
            (None, _) => format!(
                "--from, if it is not {source}; --on-error has ways to go on; utf8 validate lists all faults"
            ),
        }
    }
}

impl From<BomArg> for Bom {
    fn from(arg: BomArg) -> Bom {
        match arg {
            BomArg::Keep => Bom::Keep,
            BomArg::Remove => Bom::Remove,
            BomArg::Add => Bom::Add,
        }
    }
}
