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
mod session;
mod validate;

pub use pages::{Section, sections};
use session::Session;

/// A Unix toolbox for UTF-8
///
/// A Unix toolbox for UTF-8: where bytes and text disagree, it says where and why.
#[derive(Parser, Debug)]
#[command(
    name = "utf8",
    version,
    arg_required_else_help = true,
    disable_help_subcommand = true,
    after_long_help = pages::epilogue("utf8")
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
}

/// The command tree, from which the help, the man pages and the completions are made.
pub fn command() -> clap::Command {
    Cli::command()
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

fn parse() -> Result<Cli, clap::Error> {
    let mut command = command();
    if let Ok(kernels) = session::kernels() {
        let version = env!("CARGO_PKG_VERSION");
        command = command.long_version(format!("{version}\nkernel: {}", kernel::describe(kernels)));
    }
    Cli::from_arg_matches(&command.try_get_matches()?)
}

/// Print what clap has to say: help, the version, or what is wrong with the arguments.
fn usage(error: &clap::Error) -> Status {
    let asked = !error.use_stderr();
    match error.print().and_then(|()| io::stdout().flush()) {
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
