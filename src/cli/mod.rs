//! What does the command line say? The command tree, and the exit status.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::kernel;
use crate::sys;

mod args;
mod codecs;
mod inputs;
mod pages;
mod progress;
mod prose;
mod session;
mod validate;

pub use pages::{Section, sections};
use session::Session;

/// A Unix toolbox for UTF-8
///
/// A Unix toolbox for UTF-8: where bytes and text disagree, it says where and why.
#[derive(Parser, Debug)]
#[command(name = "utf8", version, arg_required_else_help = true, disable_help_subcommand = true)]
struct Cli {
    #[command(flatten)]
    list: codecs::ListArgs,

    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand, Debug)]
enum Command {
    Validate(Box<validate::ValidateArgs>),
}

/// The command tree, from which the help, the man pages and the completions are made.
pub fn command() -> clap::Command {
    Cli::command().after_long_help(pages::epilogue("utf8")).mut_subcommands(|sub| {
        let epilogue = pages::epilogue(sub.get_name());
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
    sys::ignore_size_limit_signal();
    let status = match parse() {
        Ok(cli) => run(cli).unwrap_or_else(|error| {
            session::complain(&format!("{error:#}"));
            Status::Trouble
        }),
        Err(error) => usage(&error),
    };
    ExitCode::from(status as u8)
}

/// Read the arguments. The texts that only help and version show are made only for them.
fn parse() -> Result<Cli, clap::Error> {
    if let Ok(cli) = Cli::try_parse() {
        return Ok(cli);
    }
    let kernel = match session::kernels() {
        Ok(kernels) => kernel::describe(kernels),
        Err(error) => error.to_string(),
    };
    let version = format!("{}\nkernel: {kernel}", env!("CARGO_PKG_VERSION"));
    Cli::from_arg_matches(&command().long_version(version).try_get_matches()?)
}

/// Print what clap has to say: help, the version, or what is wrong with the arguments.
fn usage(error: &clap::Error) -> Status {
    let asked = !error.use_stderr();
    let printed = match sys::closed_at_start(1) && asked {
        true => Err(io::Error::from_raw_os_error(libc::EBADF)),
        false => error.print().and_then(|()| io::stdout().flush()),
    };
    match printed {
        Err(error) if asked && error.kind() != io::ErrorKind::BrokenPipe => {
            session::complain(&format!("standard output: {}", session::reason(&error)));
            Status::Trouble
        }
        _ if asked => Status::Good,
        _ => Status::Trouble,
    }
}

fn run(cli: Cli) -> anyhow::Result<Status> {
    match cli.command {
        _ if cli.list.list_codecs => Session::plain()?.finish(|session| cli.list.run(session)),
        Some(Command::Validate(args)) => args.run(),
        None => Ok(usage(&command().error(
            clap::error::ErrorKind::MissingSubcommand,
            "a command is missing (utf8 --help has them all)",
        ))),
    }
}
