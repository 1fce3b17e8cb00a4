//! The part of a run that `--fix` adds: the fixes of each input, and reports of those that are not
//! made.

use std::io;
use std::sync::Arc;

use super::super::fix::{PlannedFixes, open_check};
use super::super::recheck::Recheck;
use super::RepairRun;
use crate::cli::Status;
use crate::cli::config::ConfigError;
use crate::cli::config::settings::FileSettings;
use crate::cli::content_probe;
use crate::cli::inputs::NamedInput;
use crate::cli::session::Session;
use crate::os::FileStamp;
use crate::registry::Encoding;
use crate::report::baseline::{Baseline, KnownFindings};
use crate::text::name::InputName;
use crate::text::number::counted;
use crate::validate::{LintCounts, LintFixes};

impl RepairRun<'_> {
    /// Returns the settings of an input; none if nothing is fixed by them.
    pub(super) fn settings(&self, input: NamedInput<'_>) -> Result<FileSettings, Arc<ConfigError>> {
        match &self.fixer {
            Some(fixer) => input.settings(&fixer.config),
            None => Ok(FileSettings::default()),
        }
    }

    /// Returns the encoding that the settings of a file name, if it is another than the one to read:
    /// the settings choose no encoding for a command that writes.
    pub(super) fn other_encoding(&self, settings: &FileSettings) -> Option<&'static Encoding> {
        let is_named = self.args.input.from.is_some();
        settings.encoding().filter(|set| !is_named && *set != Encoding::UTF_8)
    }

    /// Checks that an input whose encoding is declared, or that is to be fixed, can be text in the
    /// encoding. `content` is the input once it is open.
    ///
    /// # Errors
    /// The input cannot be such text; those of reading it.
    pub(super) fn check_content(
        &mut self,
        input: NamedInput<'_>,
        content: NamedInput<'_>,
    ) -> io::Result<()> {
        let codec = self.reader.codec;
        let is_stream = matches!(input, NamedInput::Stdin(_));
        match (self.fixer.is_some() || input.declared().is_some()) && !is_stream {
            true => content_probe::check_content(&mut self.reader, content, codec),
            false => Ok(()),
        }
    }

    /// Sets the plan for an input, with the fixes of its findings if they are wanted. `content` is
    /// the input once it is open.
    ///
    /// # Errors
    /// Those of [`super::Fixer::plan`].
    pub(super) fn find_fixes(
        &mut self,
        session: &mut Session,
        input: NamedInput<'_>,
        content: NamedInput<'_>,
        settings: &FileSettings,
    ) -> io::Result<()> {
        let Some(fixer) = &self.fixer else { return Ok(()) };
        let name = session.name(input.name());
        let PlannedFixes { plan, fixes, keeps_ill_formed, refused, rules } =
            fixer.plan(&self.named_plan, &mut self.reader, (input, &name), content, settings)?;
        if !refused.is_empty() && (self.args.talk.verbose || !input.is_found()) {
            let message = format!(
                "its settings exclude {}: not fixed (--no-config, --no-editorconfig)",
                refused.join(", ")
            );
            session.note(&name, &message);
        }
        self.report_unfixed(session, input, &fixes);
        self.fixed = fixes.fixed.clone();
        self.rules = Some(rules);
        self.keeps_ill_formed = keeps_ill_formed && !self.args.names_policy();
        (self.plan, self.fixes) = (plan, Some(fixes));
        Ok(())
    }

    /// Reports the findings of a file that are not fixed; of a file in a directory, only those that
    /// should be.
    fn report_unfixed(&mut self, session: &mut Session, input: NamedInput<'_>, fixes: &LintFixes) {
        let name = session.name(input.name());
        self.skipped.add(&fixes.skipped);
        if fixes.skipped.all() > 0 && (self.args.talk.verbose || !input.is_found()) {
            session.note(&name, &skipped(&fixes.skipped));
        }
        if fixes.unencodable > 0 {
            let (findings, codec) = (counted(fixes.unencodable, "finding"), self.reader.codec.name);
            session.note(&name, &format!("{findings} without a fix in {codec}"));
        }
        if fixes.bound.all() > 0 {
            let (findings, ids) = (counted(fixes.bound.all(), "finding"), fixes.bound.ids());
            let ids = ids.join(", ");
            session
                .note(&name, &format!("{findings} left, where a comment is about the line: {ids}"));
        }
    }

    /// Returns the fixes for another look at the text once it is fixed, if it changes and is
    /// written.
    pub(super) fn fixes_left(&self) -> Option<LintFixes> {
        let fixes = self.fixes.as_ref().filter(|_| !self.args.review.is_dry_run())?;
        (fixes.fixable().all() > 0).then(|| fixes.counter())
    }

    /// Returns the baseline.
    pub(super) fn baseline(&self) -> Option<Arc<Baseline>> {
        self.fixer.as_ref()?.baseline.clone()
    }

    /// Returns another look at the text that is written, without the findings that are known.
    pub(super) fn recheck<'b>(
        &self,
        session: &Session,
        left: Option<&'b mut LintFixes>,
        known: Option<KnownFindings<'b>>,
    ) -> Option<Recheck<'b>> {
        let check = open_check(self.reader.codec, self.rules.as_ref()?, left?).with_known(known);
        Some(Recheck::new(check, self.reader.codec, session.kernels))
    }

    /// Reports the findings that are left in text that was fixed.
    pub(super) fn report_left(
        &self,
        session: &mut Session,
        name: &InputName<'_>,
        left: Option<&LintFixes>,
    ) {
        let found = left.map(LintFixes::fixable).filter(|found| found.all() > 0);
        if let Some(found) = found {
            session.raise(Status::Bad);
            let (findings, ids) = (counted(found.all(), "finding"), found.ids().join(", "));
            session.warn(name, &format!("{findings} left: {ids} (run it again)"));
        }
    }

    /// Reports the number of fixes that were not made in the files of directories.
    pub(super) fn report_all_skipped(&self, session: &mut Session) {
        if self.skipped.all() > 0 && self.args.in_place.is_recursive() {
            session.print_summary(&format!("utf8: {}", skipped(&self.skipped)));
        }
    }
}

/// Returns the message about findings whose fixes are not made.
fn skipped(counts: &LintCounts) -> String {
    let (findings, ids) = (counted(counts.all(), "finding"), counts.ids().join(", "));
    format!("{findings} left, whose fix can change the meaning of text: {ids} (--unsafe-fixes)")
}

/// Returns the message about a file whose settings name an encoding.
pub(super) fn describe_set_encoding(codec: &Encoding) -> String {
    format!("its settings say {name}: not repaired (-f {name} repairs it)", name = codec.name)
}

/// Returns the stamp of a file, which differs once the file is written or replaced.
pub(super) fn stamp_of(input: NamedInput<'_>) -> Option<FileStamp> {
    let NamedInput::File(path, _) = input else { return None };
    path.metadata().ok().map(|found| FileStamp::of(&found))
}
