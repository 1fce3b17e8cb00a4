//! `utf8 repair`: repair of ill-formed and damaged text.

use std::path::{Path, PathBuf};

use clap::Args;

use super::args::{self, InputArgs, TalkArgs, size};
use super::changes::RecordForm;
use super::first_block::FirstBlock;
use super::in_place::InPlaceArgs;
use super::inputs::NamedInput;
use super::output::OutputArgs;
use super::parallel::JobArgs;
use super::prose::{any_of, quoted};
use super::reports::TargetParser;
use super::review::ReviewArgs;
use super::session::Session;
use super::shell::{self, EXAMINE};
use super::{Status, codecs};
use crate::finding::stop::UntreatedSequence;
use crate::policy::{Bom, Policy, PolicyUse};
use crate::registry::Encoding;
use crate::repair::{
    MojibakeOptions, Newlines, NormalizationForm, PlanError, RepairPlan, RepairReason,
    StructuralRepairs, TruncationLimit,
};
use choices::{FormArg, NewlinesArg, RepairBomArg};
use fix::FixArgs;
use rejects::RejectFile;
use run::RepairRun;

mod choices;
mod explain;
mod findings;
mod fix;
mod journals;
mod page;
mod recheck;
mod record;
mod rejects;
mod run;

/// Repair ill-formed text, mojibake and BOM, and report every change
///
/// The structural repairs come first, each if its option asks for it; --on-error treats the
/// ill-formed sequences that remain. The exit status is 0 once the text is repaired.
#[derive(Args, Debug)]
#[command(
    args_override_self = true,
    mut_arg("stdin_filename", |arg| arg.hide(true)),
    mut_arg("verbose", |arg| arg.help("Report each change on standard error")),
    mut_arg("formats", |arg| arg.value_parser(TargetParser(ReviewArgs::DOCUMENTS)))
)]
pub(super) struct RepairArgs {
    #[command(flatten)]
    input: InputArgs,

    /// Shorten overlong forms (C0 AF becomes /)
    #[arg(long)]
    shorten_overlong: bool,

    /// Join surrogate pairs of CESU-8 to four bytes
    #[arg(long)]
    join_surrogates: bool,

    /// Undo double encoding (cafÃ© becomes café)
    #[arg(long, value_name = "PAGE", require_equals = true, num_args = 0..=1, value_parser = page::parser(), hide_possible_values = true)]
    undo_mojibake: Option<Option<MojibakeOptions>>,

    /// BOM: keep, remove, remove-all or add
    #[arg(
        long,
        value_name = "WHAT",
        default_value = "keep",
        hide_default_value = true,
        hide_possible_values = true
    )]
    bom: RepairBomArg,

    #[arg(
        long,
        value_name = "POLICY",
        help = args::on_error_help("ill-formed sequences", PolicyUse::Repair)
            + " [default: replace; strict with -i]",
        value_parser = args::policy(PolicyUse::Repair),
        hide_possible_values = true
    )]
    on_error: Option<Policy>,

    /// Read ill-formed bytes in PAGE (--on-error fallback)
    #[arg(long, value_name = "PAGE", value_parser = args::fallback(), hide_possible_values = true, hide_short_help = true, conflicts_with = "on_error")]
    fallback: Option<Policy>,

    /// Line ends: keep, lf, crlf, lf-all or crlf-all
    #[arg(
        long,
        value_name = "END",
        default_value = "keep",
        hide_default_value = true,
        hide_possible_values = true
    )]
    newlines: NewlinesArg,

    /// Normalize to nfc, nfd, nfkc or nfkd
    #[arg(
        long,
        value_name = "FORM",
        default_value = "none",
        hide_default_value = true,
        hide_possible_values = true
    )]
    normalize: FormArg,

    /// Write RFC 5198: CR LF, NFC and no byte order mark
    #[arg(long, conflicts_with_all = ["newlines", "normalize", "bom"], hide_short_help = true)]
    net_unicode: bool,

    #[command(flatten)]
    fix: FixArgs,

    /// Cut each input to BYTES, between sequences
    #[arg(long, value_name = "BYTES", value_parser = size, group = "truncation", hide_short_help = true)]
    truncate: Option<u64>,

    /// Cut each line to BYTES between sequences, without its line end
    #[arg(long, value_name = "BYTES", value_parser = size, group = "truncation", hide_short_help = true)]
    truncate_lines: Option<u64>,

    /// Truncate between grapheme clusters (UAX #29)
    #[arg(long, requires = "truncation", hide_short_help = true)]
    graphemes: bool,

    #[command(flatten)]
    output: OutputArgs,

    /// Keep the lines that drop-line leaves out in FILE
    ///
    /// FILE is replaced when the run succeeds. With --in-place, lines are appended to FILE before
    /// their file is replaced.
    #[arg(long, value_name = "FILE", value_parser = rejects::reject_path, conflicts_with_all = ["check", "diff"], help_heading = "Output", hide_short_help = true)]
    rejects: Option<PathBuf>,

    #[command(flatten)]
    in_place: InPlaceArgs,

    /// In place, repair files with NUL too
    #[arg(long, requires = "in_place", help_heading = "Output", hide_short_help = true)]
    binary: bool,

    #[command(flatten)]
    jobs: JobArgs,

    #[command(flatten)]
    review: ReviewArgs,

    #[command(flatten)]
    talk: TalkArgs,
}

impl RepairArgs {
    pub fn run(mut self) -> anyhow::Result<Status> {
        if let Some(named) = self.input.list_codecs {
            return codecs::list(named, self.review.reports.named()?.map(|row| row.name));
        }
        self.review.set_format(ReviewArgs::DOCUMENTS, self.talk.quiet)?;
        self.input.check(self.in_place.default_input())?;
        let plan = self.plan();
        if self.rejects.is_some() && plan.policy != Policy::DropLine {
            anyhow::bail!("--rejects needs --on-error drop-line");
        }
        if !self.input.is_auto() {
            self.check(&plan, self.input.codec())?;
            self.fix.check(self.input.codec())?;
        }
        self.check_page()?;
        self.in_place.check(&self.input, &self.review)?;
        let fixer = self.fix.open()?;
        let mut session = Session::new(&self.talk)?;
        session.style.command = "repair";
        session.threads = self.jobs.in_file(1);
        let reports = self.review.open_reports(&mut session)?;
        let status = session.finish(|session| {
            let rejects = RejectFile::open(&self, session)?;
            let run = RepairRun::new(&self, plan, fixer.as_ref(), session).with_rejects(rejects);
            match self.review.is_dry_run() || self.in_place.is_wanted() {
                true => run.process_files(session)?,
                false => run.write(session)?,
            }
            if let Some(reports) = reports {
                reports.end(session);
            }
            Ok(())
        })?;
        Ok(self.review.reports.status(status))
    }

    fn plan(&self) -> RepairPlan {
        // In place, a repair loses bytes only if a policy is named.
        let default = if self.in_place.is_wanted() { Policy::Strict } else { Policy::Replace };
        let policy = self.on_error.or(self.fallback).unwrap_or(default);
        RepairPlan {
            bom: self.bom(),
            remove_inner_boms: self.bom == RepairBomArg::RemoveAll,
            structure: StructuralRepairs {
                shorten: self.shorten_overlong,
                join: self.join_surrogates,
            },
            mojibake: self.undo_mojibake.map(Option::unwrap_or_default),
            policy,
            newlines: self.newlines(),
            normalization: self.form(),
            truncation: self.limit(),
            text_only: self.in_place.is_wanted() && !self.binary,
            report_skipped: self.review.explain,
        }
    }

    /// Returns `true` if a policy for ill-formed sequences is named.
    fn names_policy(&self) -> bool {
        self.on_error.or(self.fallback).is_some()
    }

    /// Returns `true` if an option asks for a repair other than that of ill-formed sequences.
    fn names_repairs(&self) -> bool {
        self.bom() != Bom::Keep
            || self.shorten_overlong
            || self.join_surrogates
            || self.undo_mojibake.is_some()
            || self.newlines().is_some()
            || self.form().is_some()
            || self.limit().is_some()
    }

    /// Checks that the repairs are possible in a codec.
    fn check(&self, plan: &RepairPlan, codec: &'static Encoding) -> anyhow::Result<()> {
        plan.check(codec).map_err(|unfit| match unfit {
            PlanError::Escape(..) => {
                let advice = match plan.policy {
                    Policy::SurrogateEscape | Policy::Optu => format!(
                        "backslashreplace keeps the bytes, too; or utf8 decode --on-error {} --to \
                         wtf-8",
                        plan.policy.name()
                    ),
                    _ => "ignore leaves the bytes out, drop-line their lines".to_owned(),
                };
                anyhow::anyhow!("--on-error {}: {unfit} ({advice})", plan.policy.name())
            }
            PlanError::Bom(_) => anyhow::anyhow!("--bom add: {unfit}"),
            PlanError::Truncation(_) | PlanError::TruncatedRange => {
                anyhow::anyhow!("--truncate: {unfit}")
            }
            PlanError::Range(_) => anyhow::anyhow!("{unfit}"),
        })?;
        self.input.check_range(plan.check_ranges(codec))?;
        self.check_diff(codec)
    }

    fn bom(&self) -> Bom {
        match self.bom {
            _ if self.net_unicode => Bom::Remove,
            RepairBomArg::Keep => Bom::Keep,
            RepairBomArg::Remove | RepairBomArg::RemoveAll => Bom::Remove,
            RepairBomArg::Add => Bom::Add,
        }
    }

    fn newlines(&self) -> Option<Newlines> {
        match self.newlines {
            _ if self.net_unicode => Some(Newlines::CrLfAll),
            NewlinesArg::Lf => Some(Newlines::Lf),
            NewlinesArg::Crlf => Some(Newlines::CrLf),
            NewlinesArg::LfAll => Some(Newlines::LfAll),
            NewlinesArg::CrlfAll => Some(Newlines::CrLfAll),
            NewlinesArg::Keep => None,
        }
    }

    fn form(&self) -> Option<NormalizationForm> {
        match self.normalize {
            _ if self.net_unicode => Some(NormalizationForm::Nfc),
            FormArg::None => None,
            FormArg::Nfc => Some(NormalizationForm::Nfc),
            FormArg::Nfd => Some(NormalizationForm::Nfd),
            FormArg::Nfkc => Some(NormalizationForm::Nfkc),
            FormArg::Nfkd => Some(NormalizationForm::Nfkd),
        }
    }

    fn limit(&self) -> Option<TruncationLimit> {
        let bytes = self.truncate.or(self.truncate_lines)?;
        Some(TruncationLimit {
            bytes,
            lines: self.truncate_lines.is_some(),
            graphemes: self.graphemes,
        })
    }

    /// Checks that a diff is possible: where all text is written anew, the old lines are unknown.
    fn check_diff(&self, codec: &Encoding) -> anyhow::Result<()> {
        if self.review.diff && codec.inner.reencodes_all {
            anyhow::bail!(
                "--diff cannot show {}, which is written anew (--check -v lists the changes)",
                codec.name
            );
        }
        Ok(())
    }

    /// Checks that a code page after a blank was not read as a file: the value of
    /// `--undo-mojibake` must follow `=`.
    fn check_page(&self) -> anyhow::Result<()> {
        let page = self.input.files.first().and_then(|file| file.to_str());
        if let (Some(None), Some(page)) = (&self.undo_mojibake, page)
            && Encoding::for_label(page).and_then(MojibakeOptions::named).is_some()
            && !Path::new(page).exists()
        {
            anyhow::bail!(
                "--undo-mojibake {page}: expected = before the code page (--undo-mojibake={page})"
            );
        }
        Ok(())
    }

    /// Returns the form of the record, if there is one.
    fn record(&self) -> Option<RecordForm> {
        match self.review.is_json() {
            true => Some(RecordForm::Json),
            false => self.talk.verbose.then_some(RecordForm::Lines),
        }
    }

    /// Returns `true` if standard output has the repaired text.
    fn writes_text(&self) -> bool {
        !(self.review.is_dry_run() || self.in_place.is_wanted() || self.output.is_some())
    }

    fn describe(
        &self,
        fault: &UntreatedSequence,
        input: NamedInput<'_>,
        first: &FirstBlock,
    ) -> String {
        let (offset, kind) = (fault.issue.offset, fault.issue.kind);
        let message = fault.message();
        let cure = match StructuralRepairs::ALL.read(fault.encoding, &fault.issue, &fault.bytes) {
            Some((_, RepairReason::JoinSurrogates)) if !self.join_surrogates => {
                Some("--join-surrogates repairs it")
            }
            Some((_, RepairReason::ShortenOverlong)) if !self.shorten_overlong => {
                Some("--shorten-overlong repairs it")
            }
            _ => None,
        };
        let (left, hint) = match self.in_place.is_wanted() {
            // There may be many files: one short line for each.
            true => {
                ("; unchanged", cure.map_or_else(|| self.short_hint(input, first), str::to_owned))
            }
            false => {
                let cure = cure.map_or(String::new(), |cure| format!("{cure}; "));
                ("", format!("{cure}{}", self.hint(input, first)))
            }
        };
        format!("byte {offset}: {message} [{kind}]{left} ({hint})")
    }

    /// Returns the advice for the first ill-formed sequence of a file in place.
    fn short_hint(&self, input: NamedInput<'_>, first: &FirstBlock) -> String {
        if self.input.from.is_some() {
            return "see --on-error".to_owned();
        }
        if let Some(other) = first.likely_foreign(Encoding::UTF_8, Policy::Strict) {
            let (page, file) = (other.name, quoted(input.name()));
            return format!("looks like {page}: utf8 decode -f {page} -i {file} converts it");
        }
        match first.stray_page() {
            Some(page) => {
                format!("see {}, or --fallback {}", shell::on_input(EXAMINE, input), page.name)
            }
            None => format!("see {}, or --on-error", shell::on_input(EXAMINE, input)),
        }
    }

    /// Returns the advice for an ill-formed sequence that no repair treats.
    fn hint(&self, input: NamedInput<'_>, first: &FirstBlock) -> String {
        let named = self.input.from.is_some();
        let page = (!named).then(|| first.stray_page()).flatten();
        let mut names = ["replace", "ignore", "backslashreplace"].map(str::to_owned).to_vec();
        names.extend(page.map(|page| format!("fallback={}", page.name)));
        let policies = format!("--on-error {} continues", any_of(&names));
        match named {
            true => policies,
            false => {
                let detect = shell::on_input(EXAMINE, input);
                format!("if it is UTF-8: {policies}; {detect} shows the evidence")
            }
        }
    }
}
