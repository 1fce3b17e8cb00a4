//! What is wrong with these bytes, and can it be made right? `utf8 repair`

use crate::registry;
use std::path::Path;

use clap::Args;

use super::args::{self, BomArg, InputArgs, PolicyParser, TalkArgs, size};
use super::in_place::InPlaceArgs;
use super::output::OutputArgs;
use super::session::Session;
use super::{Status, codecs};
use crate::finding::fault::Fault;
use crate::issue::{Class, Kind};
use crate::policy::{self, Bom, Policy};
use crate::repair::mojibake::Undoing;
use crate::repair::newlines::Newlines;
use crate::repair::normal;
use crate::repair::structure::Structure;
use crate::repair::truncate::Limit;
use crate::repair::{Plan, Unfit};

use choices::{FormArg, FormatArg, NewlinesArg};
use page::UndoingParser;
use record::Form;
pub(super) use record::MOST;
use run::Run;

mod choices;
mod diff;
mod explain;
mod lines;
mod page;
mod record;
mod run;
mod told;

/// Make it well formed, and say what was done
///
/// What is ill-formed in UTF-8, or in another codec, is repaired as the options say: first what
/// still says what it means, then, by --on-error, the rest. What is well formed is copied byte for
/// byte. Exit with 0 once it is repaired.
#[derive(Args, Debug)]
#[command(args_override_self = true)]
pub(super) struct RepairArgs {
    #[command(flatten)]
    input: InputArgs,

    /// Write an overlong form that has all its bytes as the shortest (C0 AF becomes a slash: see
    /// SECURITY)
    #[arg(long)]
    shorten_overlong: bool,

    /// Write a surrogate pair of three bytes each, as CESU-8 has it, as one form of four
    #[arg(long)]
    join_surrogates: bool,

    /// Write what was encoded more than once, by way of a single-byte code page, as what it was:
    /// what can have been read in CODEPAGE, or else what certainly was in a likely one (see
    /// MOJIBAKE)
    #[arg(long, value_name = "CODEPAGE", require_equals = true, num_args = 0..=1, value_parser = UndoingParser, hide_possible_values = true)]
    undo_mojibake: Option<Option<Undoing>>,

    /// What becomes of a byte order mark at the start of each input
    #[arg(long, value_name = "WHAT", default_value = "keep")]
    bom: BomArg,

    /// What becomes of what is then still ill-formed: replace (the default to standard output),
    /// replace-byte, ignore, backslashreplace, surrogateescape, optu, fallback=PAGE or strict (the
    /// run ends)
    #[arg(long, value_name = "POLICY", value_parser = PolicyParser, hide_possible_values = true)]
    on_error: Option<Policy>,

    /// Read each byte that is ill-formed in this single-byte code page: --on-error fallback=PAGE
    #[arg(long, value_name = "PAGE", value_parser = policy::fallback, conflicts_with = "on_error")]
    fallback: Option<Policy>,

    /// How lines shall end: keep, lf or crlf. A CR alone ends a line, too
    #[arg(long, value_name = "END", default_value = "keep")]
    newlines: NewlinesArg,

    /// The normalization form of the text (see NORMALIZATION)
    #[arg(long, value_name = "FORM", default_value = "none")]
    normalize: FormArg,

    /// As RFC 5198 wants text on the network: --newlines crlf, --normalize nfc and --bom remove
    #[arg(long, conflicts_with_all = ["newlines", "normalize", "bom"])]
    net_unicode: bool,

    /// Keep at most so many bytes of each input, and no part of a sequence
    #[arg(long, value_name = "BYTES", value_parser = size, group = "truncation")]
    truncate: Option<u64>,

    /// Keep at most so many bytes of each line, without its end, and no part of a sequence
    #[arg(long, value_name = "BYTES", value_parser = size, group = "truncation")]
    truncate_lines: Option<u64>,

    /// Truncate between characters as people take them: grapheme clusters (UAX #29) stay whole
    #[arg(long, requires = "truncation")]
    graphemes: bool,

    #[command(flatten)]
    output: OutputArgs,

    #[command(flatten)]
    in_place: InPlaceArgs,

    /// In place, repair files that have a NUL in them, too
    #[arg(long, requires = "in_place")]
    binary: bool,

    /// How each change is recorded: text is for --verbose, and json has an object for each change
    /// and each input, on standard error where standard output has the text
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: FormatArg,

    /// Say what was considered and left, and what the policy did, on standard error or, with
    /// --format json, in the record
    #[arg(long, conflicts_with = "quiet")]
    explain: bool,

    /// Say how many bytes and changes there were, on standard error
    #[arg(long, conflicts_with = "quiet")]
    stats: bool,

    /// Write nothing but the names of the inputs that a repair would change; exit with 1 if there
    /// are any
    #[arg(long, conflicts_with_all = ["output", "backup"])]
    check: bool,

    /// Write nothing but the lines that a repair would change, as a unified diff for people, which
    /// is no patch; exit with 1 if there are any
    #[arg(long, conflicts_with_all = ["output", "backup", "check", "format", "verbose"])]
    diff: bool,

    #[command(flatten)]
    talk: TalkArgs,
}

/// Say of the options that the commands share what they are to this one.
pub(super) fn reword(command: clap::Command) -> clap::Command {
    let words = [
        ("from", "The codec to repair (utf-8 by default; --list-codecs has them all)"),
        ("null", "Names in lists, read (--files-from) and written (--check), end with NUL"),
        ("quiet", "Print no messages but of trouble: only the exit status tells"),
        ("verbose", "Say what was changed, a line for each change, on standard error"),
    ];
    args::reword(command, &words)
}

impl RepairArgs {
    pub fn run(self) -> anyhow::Result<Status> {
        if self.input.list_codecs {
            return codecs::list(codecs::text);
        }
        self.input.check()?;
        let plan = self.plan()?;
        self.check_diff()?;
        self.check_page()?;
        self.in_place.check(&self.input)?;
        let session = Session::new(&self.talk)?;
        session.finish(|session| {
            let mut run = Run::new(&self, plan, session);
            match self.tries() || self.in_place.wanted() {
                true => run.files(session),
                false => run.write(session),
            }
        })
    }

    fn plan(&self) -> anyhow::Result<Plan> {
        let codec = self.input.codec();
        // In place, nothing is lost that nobody gave up.
        let default = if self.in_place.wanted() { Policy::Strict } else { Policy::Replace };
        let policy = self.on_error.or(self.fallback).unwrap_or(default);
        let plan = Plan {
            bom: if self.net_unicode { Bom::Remove } else { Bom::from(self.bom) },
            structure: Structure { shorten: self.shorten_overlong, join: self.join_surrogates },
            mojibake: self.undo_mojibake.map(Option::unwrap_or_default),
            policy,
            newlines: self.newlines(),
            form: self.form(),
            limit: self.limit(),
            text_only: self.in_place.wanted() && !self.binary,
            notes: self.explain,
        };
        plan.check(codec).map_err(|unfit| match unfit {
            Unfit::Escape(..) => anyhow::anyhow!(
                "--on-error {name}: {unfit} (backslashreplace keeps the bytes, too; or utf8 decode \
                 --on-error {name} --to wtf-8)",
                name = policy.name()
            ),
            Unfit::Bom(_) => anyhow::anyhow!("--bom add: {unfit}"),
            Unfit::Limit(_) => anyhow::anyhow!("--truncate: {unfit}"),
        })?;
        Ok(plan)
    }

    fn newlines(&self) -> Option<Newlines> {
        match self.newlines {
            _ if self.net_unicode => Some(Newlines::CrLf),
            NewlinesArg::Lf => Some(Newlines::Lf),
            NewlinesArg::Crlf => Some(Newlines::CrLf),
            NewlinesArg::Keep => None,
        }
    }

    fn form(&self) -> Option<normal::Form> {
        match self.normalize {
            _ if self.net_unicode => Some(normal::Form::Nfc),
            FormArg::None => None,
            FormArg::Nfc => Some(normal::Form::Nfc),
            FormArg::Nfd => Some(normal::Form::Nfd),
            FormArg::Nfkc => Some(normal::Form::Nfkc),
            FormArg::Nfkd => Some(normal::Form::Nfkd),
        }
    }

    fn limit(&self) -> Option<Limit> {
        let bytes = self.truncate.or(self.truncate_lines)?;
        Some(Limit { bytes, lines: self.truncate_lines.is_some(), graphemes: self.graphemes })
    }

    /// See that a diff can be shown: where all of the text is written anew, nobody is told what the
    /// lines were.
    fn check_diff(&self) -> anyhow::Result<()> {
        let codec = self.input.codec();
        if self.diff && codec.anew {
            anyhow::bail!(
                "--diff: {} is written anew, all of it (--check -v has the changes)",
                codec.name
            );
        }
        Ok(())
    }

    /// See that no code page was taken for a file: the value of an option may stand behind a blank
    /// elsewhere.
    fn check_page(&self) -> anyhow::Result<()> {
        let page = self.input.files.first().and_then(|file| file.to_str());
        if let (Some(None), Some(page)) = (&self.undo_mojibake, page)
            && registry::find(page).and_then(Undoing::named).is_some()
            && !Path::new(page).exists()
        {
            anyhow::bail!(
                "--undo-mojibake {page}: the code page goes behind = (--undo-mojibake={page})"
            );
        }
        Ok(())
    }

    /// How changes are recorded, if they are.
    fn record(&self) -> Option<Form> {
        match self.format {
            FormatArg::Json => Some(Form::Json),
            FormatArg::Text => self.talk.verbose.then_some(Form::Lines),
        }
    }

    /// Whether it is only said what a repair would change.
    fn tries(&self) -> bool {
        self.check || self.diff
    }

    /// Whether standard output has what is repaired.
    fn writes_text(&self) -> bool {
        !(self.tries() || self.in_place.wanted() || self.output.is_some())
    }

    fn describe(&self, fault: &Fault) -> String {
        let Fault { offset, kind, message, .. } = fault;
        let left = if self.in_place.wanted() { "; the file is left as it is" } else { "" };
        let cure = match kind {
            Kind::SurrogatePair if !self.join_surrogates => "--join-surrogates repairs it; ",
            _ if kind.class() == Class::Overlong && !self.shorten_overlong => {
                "--shorten-overlong repairs it; "
            }
            _ => "",
        };
        format!("byte {offset}: {message} [{kind}]{left} ({cure}{HINT})")
    }
}

/// What to do about what is still ill-formed.
const HINT: &str = "--on-error replace, ignore, backslashreplace or fallback=windows-1252 goes on";
