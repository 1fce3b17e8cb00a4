//! Options of commands that change text: dry runs and reports of the changes.

use std::io;

use clap::{Args, ValueEnum};

use super::Status;
use super::session::{self, Session};
use crate::text::name::InputName;

#[derive(Args, Debug)]
pub(super) struct ReviewArgs {
    /// Format of the record of changes
    ///
    /// It is on standard output, or on standard error if standard output has the text.
    #[arg(
        long,
        value_name = "FORMAT",
        default_value = "text",
        help_heading = "Output",
        hide_short_help = true
    )]
    pub format: RecordFormatArg,

    /// Report skipped repairs and policy replacements
    #[arg(long, conflicts_with = "quiet", help_heading = "Output", hide_short_help = true)]
    pub explain: bool,

    /// Report the number of bytes and changes
    #[arg(long, conflicts_with = "quiet", help_heading = "Output", hide_short_help = true)]
    pub stats: bool,

    /// Only list inputs that would change; exit with 1 if any
    #[arg(long, conflicts_with_all = ["output", "backup"], help_heading = "Output")]
    pub check: bool,

    /// Only show lines that would change; exit with 1 if any
    ///
    /// patch -p0 applies the diff, unless it says that it is no patch.
    #[arg(long, conflicts_with_all = ["output", "backup", "check", "format", "verbose"], help_heading = "Output")]
    pub diff: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum RecordFormatArg {
    /// lines, with --verbose or --explain
    Text,
    /// JSON Lines
    Json,
}

impl ReviewArgs {
    /// Returns `true` if changes are only reported.
    pub fn is_dry_run(&self) -> bool {
        self.check || self.diff
    }

    /// Reports an input that would change.
    pub fn list(&self, session: &mut Session, name: &InputName<'_>, null: bool) {
        session.raise(Status::Bad);
        if self.check && !session.quiet && self.format == RecordFormatArg::Text {
            session.print_name(name, null, b'\n');
        }
    }

    /// Returns the error of the output of the record, if it failed.
    pub fn check_record(
        &self,
        session: &mut Session,
        lost: Option<io::Error>,
    ) -> anyhow::Result<()> {
        match lost {
            None => return Ok(()),
            Some(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                anyhow::bail!("{}: {}", session::STANDARD_OUTPUT, session::reason(&error))
            }
            // A closed pipe is no error of a dry run; otherwise, files remain as they were.
            Some(_) if !self.is_dry_run() => session.raise(Status::Trouble),
            Some(_) => {}
        }
        Ok(())
    }
}
