//! What does the command line say? The command tree, and the exit status.

use std::ffi::OsStr;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::kernel;
use crate::os::calls;
use crate::text::name::Name;

use convert::Side;
pub use pages::{Section, sections};
use session::Session;

mod args;
mod auto;
mod backup;
mod codecs;
mod convert;
mod detect;
mod dump_bits;
mod in_place;
mod inputs;
mod output;
mod pages;
mod progress;
mod prose;
mod reading;
mod repair;
mod session;
mod summary;
mod undump;
mod validate;

/// A Unix toolbox for UTF-8
///
/// Where bytes and text disagree, it says where and why: it finds what is ill-formed in UTF-8 and
/// its relatives, and converts every encoding that it knows into every other.
#[derive(Parser, Debug)]
#[command(
    name = "utf8",
    version,
    propagate_version = true,
    arg_required_else_help = true,
    args_conflicts_with_subcommands = true,
    infer_long_args = true
)]
struct Cli {
    #[command(flatten)]
    list: codecs::ListArgs,

    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand, Debug)]
enum Command {
    Validate(Box<validate::ValidateArgs>),
    /// Say which characters some bytes are
    ///
    /// Bytes in any codec come out as code points, as escapes of a programming language, as UTF-8
    /// or in any other codec. The run ends at the first fault, and says where it is, unless
    /// --on-error says what becomes of it.
    Decode(Box<convert::ConvertArgs>),
    /// Say which bytes some characters are
    ///
    /// Code points, escapes of a programming language, UTF-8 or text in any other codec come out
    /// as UTF-8 or in any other codec. The run ends at the first fault, and says where it is,
    /// unless --on-error says what becomes of it.
    Encode(Box<convert::ConvertArgs>),
    #[command(visible_alias = "dump")]
    DumpBits(Box<dump_bits::DumpArgs>),
    Repair(Box<repair::RepairArgs>),
    Detect(Box<detect::DetectArgs>),
}

/// The command tree, from which the help, the man pages and the completions are made.
pub fn command() -> clap::Command {
    Cli::command().after_long_help(pages::epilogue("utf8")).mut_subcommands(|sub| {
        let epilogue = pages::epilogue(sub.get_name());
        let sub = match sub.get_name() {
            "decode" | "encode" => convert::reword(sub),
            "dump-bits" => dump_bits::reword(sub),
            "repair" => repair::reword(sub),
            "detect" => detect::reword(sub),
            _ => sub,
        };
        sub.after_long_help(epilogue)
    })
}

/// What a run comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Status {
    /// Done; yes.
    Good = 0,
    /// No: something is ill-formed.
    Bad = 1,
    /// Something could not be done.
    Trouble = 2,
}

/// Do what the arguments say, and report on standard error what goes wrong.
pub fn main() -> ExitCode {
    calls::ignore_size_limit_signal();
    let status = parse().map_or_else(usage, run).unwrap_or_else(|error| {
        session::complain(&format!("{error:#}"));
        Status::Trouble
    });
    ExitCode::from(status as u8)
}

/// Read the arguments. The texts that only help and version show are made only for them.
fn parse() -> Result<Cli, clap::Error> {
    if let Some(command) = parse_directly() {
        return Ok(Cli { list: codecs::ListArgs::NONE, command: Some(command) });
    }
    if let Ok(cli) = Cli::try_parse() {
        return Ok(cli);
    }
    let kernel = session::kernels().map(kernel::describe).unwrap_or_default();
    let version = format!("{}\nkernel: {kernel}", env!("CARGO_PKG_VERSION"));
    Cli::from_arg_matches(&command().long_version(version).try_get_matches()?)
}

/// Read the arguments of the command that the first word names, if all is well with them: to build
/// the whole tree takes longer than to examine a small file.
fn parse_directly() -> Option<Command> {
    type Reword = fn(clap::Command) -> clap::Command;
    fn of<T: Args>(reword: Reword) -> Option<Box<T>> {
        let command = T::augment_args(clap::Command::new("utf8")).infer_long_args(true);
        let matches = reword(command).try_get_matches_from(std::env::args_os().skip(1)).ok()?;
        T::from_arg_matches(&matches).ok().map(Box::new)
    }
    match std::env::args_os().nth(1)?.to_str()? {
        "validate" => of(|command| command).map(Command::Validate),
        "decode" => of(convert::reword).map(Command::Decode),
        "encode" => of(convert::reword).map(Command::Encode),
        "dump-bits" | "dump" => of(dump_bits::reword).map(Command::DumpBits),
        "repair" => of(repair::reword).map(Command::Repair),
        "detect" => of(detect::reword).map(Command::Detect),
        _ => None,
    }
}

/// Print what clap has to say: help, the version, or what is wrong with the arguments.
fn usage(mut error: clap::Error) -> anyhow::Result<Status> {
    if let (ErrorKind::InvalidSubcommand, Some(ContextValue::String(word))) =
        (error.kind(), error.get(ContextKind::InvalidSubcommand))
    {
        let word = safe(word);
        anyhow::bail!(
            "{word} is no command (utf8 --help has them; for a file: utf8 validate {word})"
        );
    }
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        let _ = error.print();
        return Ok(Status::Trouble);
    }
    if error.use_stderr() {
        disarm(&mut error);
        let text = error.render().to_string();
        session::complain(text.strip_prefix("error: ").unwrap_or(&text).trim_end());
        return Ok(Status::Trouble);
    }
    if error.kind() == ErrorKind::DisplayVersion {
        session::kernels()?;
    }
    let printed = match calls::closed_at_start(1) {
        true => Err(session::closed()),
        false => error.print().and_then(|()| io::stdout().flush()),
    };
    match printed {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            anyhow::bail!("standard output: {}", session::reason(&error))
        }
        _ => Ok(Status::Good),
    }
}

/// A text from outside, to be shown.
fn safe(text: impl AsRef<OsStr>) -> String {
    let name = Name::new(text.as_ref(), session::unicode());
    String::from_utf8_lossy(name.shown()).into_owned()
}

/// Spell out what the arguments hold that must not be shown.
fn disarm(error: &mut clap::Error) {
    // "To pass '-z' as a value, use '-- -z'" is never what was meant.
    if error.kind() == ErrorKind::UnknownArgument {
        error.remove(ContextKind::Suggested);
    }
    let safe_values: Vec<_> = error
        .context()
        .filter_map(|(kind, value)| {
            let value = match value {
                ContextValue::String(text) => ContextValue::String(safe(text)),
                ContextValue::Strings(texts) => {
                    ContextValue::Strings(texts.iter().map(safe).collect())
                }
                ContextValue::StyledStrs(texts) => {
                    let safe = |text: &StyledStr| safe(text.to_string()).into();
                    ContextValue::StyledStrs(texts.iter().map(safe).collect())
                }
                _ => return None,
            };
            Some((kind, value))
        })
        .collect();
    for (kind, value) in safe_values {
        error.insert(kind, value);
    }
}

fn run(cli: Cli) -> anyhow::Result<Status> {
    match cli.command {
        _ if cli.list.list_codecs => Session::plain()?.finish(|session| cli.list.run(session)),
        Some(Command::Validate(args)) => args.run(),
        Some(Command::Decode(args)) => args.run(Side::Decode),
        Some(Command::Encode(args)) => args.run(Side::Encode),
        Some(Command::DumpBits(args)) => args.run(),
        Some(Command::Repair(args)) => args.run(),
        Some(Command::Detect(args)) => args.run(),
        None => anyhow::bail!("a command is missing (utf8 --help has them all)"),
    }
}
