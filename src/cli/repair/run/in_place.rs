//! Repair of files in place.

use std::io;

use super::fixing::describe_set_encoding;
use super::{RepairRun, is_complete};
use crate::cli::Status;
use crate::cli::changes::RecordForm;
use crate::cli::config::settings::FileSettings;
use crate::cli::first_block::FirstBlock;
use crate::cli::in_place::files::{EditedFile, FileEditor, FileOutcome};
use crate::cli::in_place::{BinaryReason, report_binary};
use crate::cli::inputs::{self, NamedInput};
use crate::cli::repair::record::ChangeRecord;
use crate::cli::repair::rejects::{RejectFile, RejectedText};
use crate::cli::session::Session;
use crate::issue::Kind;
use crate::registry::Encoding;
use crate::repair::{ByteOrderError, RepairSummary};
use crate::text::name::InputName;
use crate::validate::LintCounts;

impl RepairRun<'_> {
    /// Leaves a file in UTF-16 or UTF-32 that nothing declares, or in another encoding by its settings.
    /// Returns `None` for a file that is to be repaired.
    fn leave(
        &mut self,
        session: &mut Session,
        input: NamedInput<'_>,
        name: &InputName<'_>,
        settings: &FileSettings,
    ) -> Option<FileOutcome> {
        if let Some((codec, _)) = input.foreign_text().filter(|_| !self.args.input.is_auto()) {
            if settings.allows(Kind::NotUtf8) {
                return Some(FileOutcome::Foreign);
            }
            session.raise(Status::Bad);
            if !self.documents.tell_people() {
                report_binary(session, input, name, "repairs", BinaryReason::CodeUnits(codec));
            }
            self.report_foreign(session, input, name);
            return Some(FileOutcome::Foreign);
        }
        if let Some(codec) = self.other_encoding(settings) {
            if self.args.talk.verbose || !input.is_found() {
                session.note(name, &describe_set_encoding(codec));
            }
            return Some(FileOutcome::Declared);
        }
        None
    }

    /// Returns the legacy encoding of a file that the run would replace (in place, or with `--output`),
    /// if the policy would lose most of its text beyond ASCII. `--from` turns this off.
    pub(super) fn legacy_encoding(
        &self,
        input: NamedInput<'_>,
        summary: &RepairSummary,
        first: &FirstBlock,
    ) -> Option<&'static Encoding> {
        let is_named = self.args.input.from.is_some();
        let is_replaced = || self.args.in_place.is_wanted() || self.args.output.replaces(input);
        if is_named || !self.loses(summary) || !is_complete(summary) || !is_replaced() {
            return None;
        }
        first.likely_foreign(self.reader.codec, self.plan.policy)
    }

    /// Returns `true` if text in another encoding is left, although the file is not replaced: only other
    /// repairs are named, so that nothing asks for the replacement of ill-formed sequences.
    fn keeps_other_encodings(&self) -> bool {
        let is_named = self.args.input.from.is_some() || self.args.names_policy();
        let names_repairs = self.fixer.is_some() || self.args.names_repairs();
        !is_named && names_repairs && !self.keeps_ill_formed
    }

    /// Leaves a file that is not rewritten in place and looks like UTF-16 or UTF-32, or is likely in a
    /// legacy encoding, if only other repairs are named. Returns `None` for any other. `content` is the
    /// input once it is open.
    pub(super) fn leave_other_encoding(
        &mut self,
        session: &mut Session,
        input: NamedInput<'_>,
        content: NamedInput<'_>,
        name: &InputName<'_>,
    ) -> Option<FileOutcome> {
        let is_examined = !self.args.in_place.is_wanted()
            && self.args.input.is_whole()
            && self.keeps_other_encodings();
        let first = is_examined.then(|| FirstBlock::read(content))?;
        if let Some(codec) = first.code_units(self.reader.codec) {
            session.raise(Status::Bad);
            if !self.documents.tell_people() {
                report_binary(session, input, name, "repairs", BinaryReason::CodeUnits(codec));
            }
            return Some(FileOutcome::Foreign);
        }
        let encoding = first.likely_foreign(self.reader.codec, self.plan.policy)?;
        Some(self.leave_legacy(session, input, name, encoding))
    }

    /// Returns `true` if the repair lost text in another encoding, of an input that is read once. A file
    /// is left as it is instead.
    pub(super) fn has_lost_other_encoding(
        &self,
        summary: &RepairSummary,
        first: &FirstBlock,
    ) -> bool {
        let codec = self.reader.codec;
        self.keeps_other_encodings()
            && self.loses(summary)
            && (first.code_units(codec).is_some()
                || first.likely_foreign(codec, self.plan.policy).is_some())
    }
}

impl FileEditor for RepairRun<'_> {
    const DONE: &'static str = "repaired";

    type Notes = LintCounts;

    fn edit(&mut self, session: &mut Session, file: EditedFile<'_>) -> io::Result<FileOutcome> {
        let (input, name) = (file.input, file.name);
        let settings = match self.settings(input) {
            Ok(settings) => settings,
            Err(error) => {
                inputs::report_misconfigured(session, &error);
                self.record_failure(session, name, &error.to_string());
                return Ok(FileOutcome::Failed);
            }
        };
        if let Some(outcome) = self.leave(session, input, name, &settings) {
            return Ok(outcome);
        }
        self.detect(session, file.content(), name)?;
        self.check_content(input, file.content())?;
        self.find_fixes(session, input, file.content(), &settings)?;
        if let Some(outcome) = self.leave_other_encoding(session, input, file.content(), name) {
            return Ok(outcome);
        }
        let (mut left, baseline) = (self.fixes_left(), self.baseline());
        let mut journals = self.journals(session, name, left.as_mut(), baseline.as_deref());
        let is_listed = |record: &mut ChangeRecord<'_>| record.form == RecordForm::Lines;
        if self.plan.text_only {
            // A file that is skipped as binary has no changes to list.
            let is_binary = || FirstBlock::read(file.content()).has_nul(self.reader.codec);
            journals.record.take_if(|record| is_listed(record) && is_binary());
        }
        if let Some(rejects) = &mut self.rejects {
            rejects.begin(file.content())?;
        }
        let edited = file.edit(session, |session, input, out| {
            let is_rewritten = out.is_some();
            let repaired = self.repair_into(session, input, name, &mut journals, out)?;
            let (summary, first) = &repaired;
            let legacy = self.legacy_encoding(input, summary, first);
            if legacy.is_none() {
                self.report_findings(session, input, name, &mut journals, summary)?;
            }
            let is_wanted = match is_rewritten {
                true => self.is_repaired(summary),
                false => is_complete(summary) && summary.changes > 0,
            };
            Ok((is_wanted && legacy.is_none(), (repaired, legacy)))
        });
        let (edit, ((summary, first), legacy)) = edited.map_err(|error| {
            self.rejects.as_mut().and_then(RejectFile::failure).unwrap_or(error)
        })?;
        let named = self.reader.codec;
        let text = named.after_bom(&first.bytes).unwrap_or(named);
        let appended = match &mut self.rejects {
            Some(rejects) if edit.is_rewrite() => {
                let on_wait = &mut |message: &str| session.warn(name, message);
                rejects.append(RejectedText { named, text }, on_wait)
            }
            _ => Ok(None),
        };
        let replaced = appended.and_then(|appended| edit.apply_keeping(session, appended));
        let is_repaired = is_complete(&summary) && replaced.is_ok() && legacy.is_none();
        self.sum_up(session, name, &mut journals, &summary, is_repaired);
        drop(journals);
        if let (Ok(_), Some(encoding)) = (&replaced, legacy) {
            return Ok(self.leave_legacy(session, input, name, encoding));
        }
        let outcome = self.report_outcome(session, input, name, &summary, &first, replaced)?;
        self.report_notable(session, input, name, &summary);
        if outcome == FileOutcome::Changed && !self.args.review.is_dry_run() {
            self.report_left(session, name, left.as_ref());
        }
        Ok(outcome)
    }

    fn report_failure(
        &mut self,
        session: &mut Session,
        input: NamedInput<'_>,
        name: &InputName<'_>,
        error: &io::Error,
    ) -> FileOutcome {
        let order = error.get_ref().and_then(|inner| inner.downcast_ref::<ByteOrderError>());
        let reason = match order {
            Some(order) => {
                let reason = self.describe_order(order);
                session.report_error(name, &reason);
                Some(reason)
            }
            None => self.args.review.report_failure(session, input, name, error),
        };
        if let Some(reason) = reason {
            self.record_failure(session, name, &reason);
        }
        FileOutcome::Failed
    }

    fn record_failure(&mut self, session: &mut Session, name: &InputName<'_>, reason: &str) {
        self.documents.fail(session, name, reason);
    }

    fn into_notes(self) -> LintCounts {
        self.skipped
    }

    fn add_notes(&mut self, skipped: LintCounts) {
        self.skipped.add(&skipped);
    }

    fn finish(&mut self, session: &mut Session) {
        self.report_all_skipped(session);
    }

    /// Returns `true` if an output has failed. Its error is reported once, at the end.
    fn is_lost(&self, session: &Session) -> bool {
        let rejects_failed = self.rejects.as_ref().is_some_and(RejectFile::failed);
        self.lost.is_some() || rejects_failed || session.output_failed()
    }
}
