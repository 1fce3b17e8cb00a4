//! The command line: the command tree, usage errors and the exit status.

use std::env;
use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::iter::once;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};

use unicode_properties::UNICODE_VERSION;

use crate::kernel;
use crate::os::calls;
use crate::text::name::InputName;

pub use complete::with_topics;
use convert::ConvertSide;
pub use help::{HelpSection, TOPICS, sections};
use session::Session;

mod args;
mod auto;
mod changes;
mod codecs;
mod complete;
mod config;
mod content_probe;
mod convert;
mod detect;
mod diff;
mod dump_bits;
mod first_block;
mod generate;
mod help;
mod in_place;
mod inputs;
mod lints;
mod one_file_options;
mod output;
mod parallel;
mod paths;
mod progress;
mod prose;
mod reading;
mod repair;
mod reports;
mod repository;
mod review;
mod session;
mod shell;
mod summary;
mod tally;
mod tree;
mod undump;
mod usage;
mod validate;

/// The name of the program.
const PROGRAM: &str = "utf8";

/// UTF-8 toolbox: validate, convert, dump, repair and detect encodings
///
/// utf8 finds every ill-formed sequence of UTF-8 and its relatives, explains it, converts between
/// encodings, and repairs text. Each command has its own help: utf8 COMMAND --help.
#[derive(Parser, Debug)]
#[command(
    name = PROGRAM,
    version,
    propagate_version = true,
    arg_required_else_help = true,
    args_conflicts_with_subcommands = true,
    infer_long_args = true
)]
struct Cli {
    #[command(flatten)]
    list: codecs::ListArgs,

    #[command(flatten)]
    generate: generate::GenerateArgs,

    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand, Debug)]
enum Command {
    Validate(Box<validate::ValidateArgs>),
    /// Decode bytes to code points, escapes or another encoding (iconv)
    ///
    /// Bytes in any encoding become code points, escapes of a programming language, UTF-8 or text in
    /// another encoding. The run ends at the first ill-formed sequence or unencodable character and
    /// reports it, unless --on-error has another policy.
    Decode(Box<convert::ConvertArgs>),
    /// Encode code points, escapes or text in any encoding (iconv)
    ///
    /// Code points, escapes of a programming language, UTF-8 or text in another encoding become bytes
    /// of any encoding. The run ends at the first ill-formed sequence or unencodable character and
    /// reports it, unless --on-error has another policy.
    Encode(Box<convert::ConvertArgs>),
    #[command(visible_alias = "dump")]
    DumpBits(Box<dump_bits::DumpArgs>),
    Repair(Box<repair::RepairArgs>),
    Detect(Box<detect::DetectArgs>),
}

/// Builds the command tree, from which help, man pages and completions are made.
pub fn command() -> clap::Command {
    fn with_pages(command: clap::Command) -> clap::Command {
        let (short, long) = (help::pointer(command.get_name()), help::epilogue(command.get_name()));
        with_defaults(command).after_help(short).after_long_help(long)
    }
    with_pages(Cli::command()).mut_subcommands(with_pages)
}

/// Applies the rules for values to a command and its subcommands: they match in any case, and an option that
/// takes one file keeps every file that it is given, for [`one_file_options::check`].
fn with_value_rules(command: clap::Command) -> clap::Command {
    let command = command.mut_args(|arg| match arg.get_action().takes_values() {
        true => one_file_options::keep_all(arg.ignore_case(true)),
        false => arg,
    });
    command.mut_subcommands(with_value_rules)
}

/// Adds the default codecs to the help of decode and encode, which have the same options.
fn with_defaults(command: clap::Command) -> clap::Command {
    let (arg, help) = match command.get_name() {
        "decode" => ("to", "Encoding to write [default: utf-8; without --from, code-points]"),
        "encode" => {
            ("from", "Encoding to read, or auto [default: utf-8; without --to, code-points]")
        }
        _ => return command,
    };
    command.mut_arg(arg, |arg| arg.help(help))
}

/// The exit status of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Status {
    /// Done, or yes.
    Good = 0,
    /// No: an input is ill-formed, would change, or is not as expected.
    Bad = 1,
    /// Work failed.
    Trouble = 2,
}

/// Runs the command that the arguments name; reports errors on standard error.
pub fn main() -> ExitCode {
    calls::ignore_size_limit_signal();
    let words: Vec<_> = env::args_os().skip(1).collect();
    if let Some(index) = env::var_os(complete::VARIABLE) {
        let _ = complete::write(command(), words, &index, &mut io::stdout());
        return ExitCode::SUCCESS;
    }
    ExitCode::from(run_words(&words))
}

/// Runs the command that these arguments name; reports errors on standard error. Returns the exit
/// status.
pub fn run_words(words: &[OsString]) -> u8 {
    let status = match topic(words) {
        Some(topic) => Session::plain().and_then(|session| {
            session.finish(|session| {
                session.out.buffer().extend(help::topic(topic).bytes());
                Ok(())
            })
        }),
        None => parse(words).map_or_else(|error| conclude(error, words), run),
    };
    let status = status.unwrap_or_else(|error| {
        session::print_run_error(&format!("{error:#}"));
        Status::Trouble
    });
    // There is no place left to say why.
    let status = if session::messages_lost() { Status::Trouble } else { status };
    status as u8
}

/// Returns the topic that `utf8 help TOPIC` names, if it is one.
fn topic(words: &[OsString]) -> Option<&'static str> {
    let [command, topic] = words else { return None };
    let is_named = |(name, _): &&(&str, &str)| command == "help" && topic == name;
    TOPICS.iter().find(is_named).map(|(name, _)| *name)
}

/// Parses the arguments. Builds the prose of help and version only if they are shown.
fn parse(words: &[OsString]) -> Result<Cli, clap::Error> {
    if let Some(command) = parse_directly(words) {
        let (list, generate) = (codecs::ListArgs::NONE, generate::GenerateArgs { generate: None });
        return Ok(Cli { list, generate, command: Some(command) });
    }
    let parse = |tree| {
        let words = once(OsStr::new(PROGRAM)).chain(words.iter().map(OsString::as_os_str));
        let matches = with_value_rules(tree).try_get_matches_from(words)?;
        matches.subcommand().map_or(Ok(()), |(_, matches)| one_file_options::check(matches))?;
        Cli::from_arg_matches(&matches)
    };
    if let Ok(cli) = parse(Cli::command()) {
        return Ok(cli);
    }
    let kernel = session::select_kernels().map(kernel::describe).unwrap_or_default();
    let (major, minor, patch) = UNICODE_VERSION;
    let commit = commit().map_or(String::new(), |commit| format!(" ({commit})"));
    let release = env!("CARGO_PKG_VERSION");
    let version = format!("{release}{commit}\nUnicode {major}.{minor}.{patch}\nkernel: {kernel}");
    parse(command().long_version(version))
}

/// Returns the commit that was built, if it is known. The release script names it, and git writes it
/// into source archives in place of a pattern.
fn commit() -> Option<&'static str> {
    let archived = include_str!("cli/commit.txt");
    let archived = archived.get(..12).filter(|commit| !commit.starts_with('$'));
    option_env!("UTF8_COMMIT").or(archived)
}

/// Parses the arguments of the command that the first word names; `None` if they need the whole
/// command tree, which takes longer to build than a small file takes to examine.
fn parse_directly(words: &[OsString]) -> Option<Command> {
    fn of<T: Args>(words: &[OsString]) -> Option<Box<T>> {
        let command = T::augment_args(clap::Command::new(PROGRAM)).infer_long_args(true);
        let matches = with_value_rules(command).try_get_matches_from(words).ok()?;
        one_file_options::check(&matches).ok()?;
        T::from_arg_matches(&matches).ok().map(Box::new)
    }
    match words.first()?.to_str()? {
        "validate" => of(words).map(Command::Validate),
        "decode" => of(words).map(Command::Decode),
        "encode" => of(words).map(Command::Encode),
        "dump-bits" | "dump" => of(words).map(Command::DumpBits),
        "repair" => of(words).map(Command::Repair),
        "detect" => of(words).map(Command::Detect),
        _ => None,
    }
}

/// Prints the help, the version or a usage error.
fn conclude(mut error: clap::Error, words: &[OsString]) -> anyhow::Result<Status> {
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        let _ = error.print();
        return Ok(Status::Trouble);
    }
    if error.use_stderr() {
        session::print_run_error(&usage::message(&mut error, words));
        return Ok(Status::Trouble);
    }
    if error.kind() == ErrorKind::DisplayVersion {
        session::select_kernels()?;
    }
    let printed = match calls::closed_at_start(1) {
        true => Err(session::closed_error()),
        false => error.print().and_then(|()| io::stdout().flush()),
    };
    match printed {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            anyhow::bail!("standard output: {}", session::reason(&error))
        }
        _ => Ok(Status::Good),
    }
}

/// Escapes a text from the arguments for display.
fn safe(text: impl AsRef<OsStr>) -> String {
    let name = InputName::new(text.as_ref(), session::is_unicode());
    String::from_utf8_lossy(name.shown()).into_owned()
}

fn run(cli: Cli) -> anyhow::Result<Status> {
    if let Some(text) = cli.generate.generate {
        return Session::plain()?.finish(|session| generate::print(session, text));
    }
    match cli.command {
        _ if cli.list.list_codecs.is_some() => {
            Session::plain()?.finish(|session| cli.list.run(session))
        }
        Some(Command::Validate(args)) => args.run(),
        Some(Command::Decode(args)) => args.run(ConvertSide::Decode),
        Some(Command::Encode(args)) => args.run(ConvertSide::Encode),
        Some(Command::DumpBits(args)) => args.run(),
        Some(Command::Repair(args)) => args.run(),
        Some(Command::Detect(args)) => args.run(),
        None => anyhow::bail!("no command given (utf8 --help lists all)"),
    }
}
