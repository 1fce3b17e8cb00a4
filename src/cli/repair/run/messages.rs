//! Messages of a run about its inputs.

use std::ffi::OsStr;
use std::io;
use std::path::Path;

use super::super::findings;
use super::super::journals::Journals;
use super::{RepairRun, dropped_lines, is_complete};
use crate::cli::config::Configuration;
use crate::cli::first_block::FirstBlock;
use crate::cli::in_place::files::FileOutcome;
use crate::cli::in_place::{BinaryReason, note_other_setting, report_binary};
use crate::cli::inputs::NamedInput;
use crate::cli::prose::quoted;
use crate::cli::reports::GatheredFindings;
use crate::cli::session::Session;
use crate::cli::{Status, shell};
use crate::policy::{Bom, Policy};
use crate::registry::Encoding;
use crate::repair::{ByteOrderError, Occurrences, RepairReason, RepairSummary};
use crate::text::name::InputName;
use crate::text::number::{counted, grouped};

/// The command that keeps the overlong form of U+0000.
const KEEP_NULS: &str = "repair -f mutf-8 --shorten-overlong";

impl RepairRun<'_> {
    /// Returns the message about a text that would be read in another byte order, with advice.
    pub(super) fn describe_order(&self, order: &ByteOrderError) -> String {
        let (text, codec) = (order.text.name, self.reader.codec.name);
        match self.read_as {
            Some(_) => format!("{order} (utf8 decode -f {codec} -t {codec} writes one byte order)"),
            None => format!(
                "{order} (-f {text} writes {text}; utf8 decode -f {codec} -t {codec} --bom remove \
                 writes big-endian text)"
            ),
        }
    }

    /// Describes the changes of a file that was replaced.
    fn describe_repair(&self, summary: &RepairSummary) -> String {
        let changes = summary.by_reason().map(|(reason, number)| match reason {
            RepairReason::OnError => self.describe_policy(summary, number),
            RepairReason::Fix => {
                let fixed = self.describe_changes(reason, self.fixed.all());
                format!("{fixed} ({})", self.fixed.ids().join(", "))
            }
            reason => self.describe_changes(reason, number),
        });
        ["repaired".to_owned()].into_iter().chain(changes).collect::<Vec<_>>().join(", ")
    }

    /// Describes the changes by the error policy.
    fn describe_policy(&self, summary: &RepairSummary, number: u64) -> String {
        let treated = match self.plan.policy {
            Policy::DropLine => {
                format!("{} of {}", grouped(number), counted(summary.lines, "line"))
            }
            _ => counted(number, "sequence"),
        };
        format!("{treated} {}", self.plan.policy.done())
    }

    /// Describes the changes for a reason.
    fn describe_changes(&self, reason: RepairReason, number: u64) -> String {
        let row = reason.row();
        let done = match reason {
            RepairReason::Bom if self.plan.bom == Bom::Add => "added",
            _ => row.done,
        };
        format!("{} {done}", counted(number, row.noun)).trim_end().to_owned()
    }

    /// Returns `true` if the policy treated sequences, and the output does not have their bytes.
    pub(super) fn loses(&self, summary: &RepairSummary) -> bool {
        let policy = self.plan.policy;
        summary.treated > 0 && (policy.is_lossy() || matches!(policy, Policy::Fallback(_)))
    }

    /// Returns the likely reason why the policy treated so much, with advice, if its bytes are lost. A
    /// quiet run does not look for it.
    fn advice(
        &self,
        session: &Session,
        file: Option<&OsStr>,
        summary: &RepairSummary,
        first: &FirstBlock,
    ) -> Option<String> {
        let is_wanted = self.loses(summary) && !session.quiet;
        let reads = |other: &str| shell::on_file(&format!("decode -f {other}"), file);
        let advice = || first.advice(self.reader.codec, self.plan.policy, reads);
        is_wanted.then(advice).flatten()
    }

    /// Reports the bytes that the policy replaced, unless the output has them as escapes.
    pub(super) fn report_loss(
        &self,
        session: &mut Session,
        input: NamedInput<'_>,
        name: &InputName<'_>,
        summary: &RepairSummary,
        first: &FirstBlock,
    ) {
        let policy = self.plan.policy;
        if !self.loses(summary) || self.args.review.is_json() {
            return;
        }
        let treated = match policy {
            Policy::DropLine => self.describe_policy(summary, dropped_lines(summary)),
            // Text beyond the limit is not read to its end.
            _ if self.plan.truncation.is_some_and(|limit| !limit.lines) => {
                format!("{} {}", counted(summary.treated, "byte"), policy.done())
            }
            _ => format!(
                "{} of {} {}",
                grouped(summary.treated),
                counted(summary.read, "byte"),
                policy.done()
            ),
        };
        // --verbose lists the changes, and --explain has the number.
        let is_reported = self.args.talk.verbose || self.args.review.explain;
        let loss = (!is_reported).then_some(treated);
        let message = joined([loss, self.advice(session, input.file_name(), summary, first)]);
        if !message.is_empty() {
            session.report_change(name, policy.is_lossy(), &message);
        }
    }

    /// Notes results that a reader may not expect: text that is kept because its encoding cannot hold
    /// the normalization form that is asked for, and NUL, which makes text binary for many programs. Of
    /// a file in a directory, with --verbose only.
    pub(super) fn report_notable(
        &self,
        session: &mut Session,
        input: NamedInput<'_>,
        name: &InputName<'_>,
        summary: &RepairSummary,
    ) {
        let is_told = self.args.talk.verbose || !input.is_found();
        if !is_told || !is_complete(summary) || self.args.review.is_json() {
            return;
        }
        let codec = self.reader.codec.name;
        if let Some(Occurrences { number, first, .. }) = summary.nuls {
            let forms = counted(number, "overlong form");
            // In place, only a backup still has them.
            let backup = || self.args.in_place.backup_of(input.file_name()?);
            let keep = match self.args.in_place.is_wanted() && !self.args.review.is_dry_run() {
                true => backup().map(|backup| shell::on_file(KEEP_NULS, Some(&backup))),
                false => Some(shell::on_input(KEEP_NULS, input)),
            };
            let keep = keep.map_or(String::new(), |keep| format!(" ({keep} keeps C0 80)"));
            session.note(
                name,
                &format!(
                    "{forms} of U+0000 became NUL, the first at byte {first}: many programs take such \
                     text for binary{keep}"
                ),
            );
        }
        if let (Some(places), Some(form)) = (summary.unnormalized, self.plan.normalization) {
            let (first, form) = (places.first, form.name());
            let others = match places.number - 1 {
                0 => String::new(),
                others => format!(" and {} later", counted(others, "place")),
            };
            let decode = shell::on_input(&format!("decode -f {codec}"), input);
            session.note(
                name,
                &format!(
                    "byte {first}{others}: kept, because {codec} cannot hold it in {form} ({decode} \
                     writes UTF-8, which can)"
                ),
            );
        }
    }

    /// Notes that an input that is repaired as UTF-8, without a loss, looks like UTF-16 or UTF-32.
    pub(super) fn note_code_units(
        &self,
        session: &mut Session,
        input: NamedInput<'_>,
        name: &InputName<'_>,
        summary: &RepairSummary,
        first: &FirstBlock,
    ) {
        let is_told = !self.loses(summary) && !session.quiet && !self.args.review.is_json();
        if let Some(wide) = first.code_units(self.reader.codec).filter(|_| is_told) {
            let decode = shell::on_input(&format!("decode -f {}", wide.name), input);
            session.note(name, &format!("looks like {} ({decode})", wide.name));
        }
    }

    /// Writes the changes of an input to the documents.
    ///
    /// # Errors
    /// Those of reading it again.
    pub(super) fn report_findings(
        &mut self,
        session: &mut Session,
        input: NamedInput<'_>,
        name: &InputName<'_>,
        journals: &mut Journals<'_>,
        summary: &RepairSummary,
    ) -> io::Result<()> {
        let Some(found) = journals.findings.take() else { return Ok(()) };
        let (encoding, stop) = (self.reader.codec, summary.stop.as_ref());
        let offsets = found.offsets(stop);
        let positions = match offsets.is_empty() || matches!(input, NamedInput::Stdin(_)) {
            true => Vec::new(),
            false => self.reader.find_positions(input, offsets)?,
        };
        let findings = found.findings(name, encoding, stop, &positions);
        let (findings, hidden, size) = (&findings[..], found.hidden, summary.read);
        let encoding = Some(encoding);
        self.documents
            .report(session, &GatheredFindings { name, encoding, findings, hidden, size });
        Ok(())
    }

    /// Reports the outcome of the repair of a file, given whether it was replaced.
    ///
    /// # Errors
    /// That of replacing it.
    pub(super) fn report_outcome(
        &self,
        session: &mut Session,
        input: NamedInput<'_>,
        name: &InputName<'_>,
        summary: &RepairSummary,
        first: &FirstBlock,
        replaced: io::Result<bool>,
    ) -> io::Result<FileOutcome> {
        if let Some(fault) = &summary.stop {
            session.raise(Status::Bad);
            if !self.documents.tell_people() {
                self.args.review.report_undone(
                    session,
                    name,
                    &self.args.describe(fault, input, first),
                );
            }
            return replaced.map(|_| FileOutcome::Faulty);
        }
        if summary.binary {
            report_binary(session, input, name, "repairs", BinaryReason::of(first));
            return replaced.map(|_| FileOutcome::Binary);
        }
        if !replaced? {
            return Ok(FileOutcome::Unchanged);
        }
        if !self.args.review.is_dry_run() {
            let lossy = self.plan.policy.is_lossy() && summary.treated > 0;
            // The advice is about a backup: the file has other text now.
            let backup = self.args.in_place.backup_of(name.raw);
            let advice = self.advice(session, backup.as_deref(), summary, first);
            let advice = advice.map(|advice| format!("the old file: {advice}"));
            let parts = [Some(self.describe_repair(summary)), advice];
            session.report_change(name, lossy, &joined(parts));
            if summary.treated > 0
                && matches!(self.plan.policy, Policy::Fallback(_))
                && let Some(note) =
                    note_other_setting(&Configuration::nearest(), name.raw, self.reader.codec)
            {
                session.note(name, &note);
            }
        }
        Ok(FileOutcome::Changed)
    }

    /// Reports a file in a legacy encoding, which is left.
    pub(super) fn leave_legacy(
        &mut self,
        session: &mut Session,
        input: NamedInput<'_>,
        name: &InputName<'_>,
        encoding: &Encoding,
    ) -> FileOutcome {
        session.raise(Status::Bad);
        let file = match input {
            // It is the file of --output.
            NamedInput::Stdin(_) => self.args.output.path().map_or(input.name(), Path::as_os_str),
            _ => input.name(),
        };
        let note = format!(
            "looks like {0}: skipped (utf8 decode -f {0} -i {1} converts it; -f {2} repairs it anyway)",
            encoding.name,
            quoted(file),
            self.reader.codec.name
        );
        if !self.documents.tell_people() {
            self.args.review.report_undone(session, name, &note);
        }
        self.documents.fail(session, name, &note);
        FileOutcome::Foreign
    }

    /// Reports that the text of an input in another encoding was lost, after the message about the loss:
    /// by the status, and the file of `--output` is not written.
    pub(super) fn report_lost_encoding(&self, session: &mut Session, name: &InputName<'_>) {
        session.raise(Status::Bad);
        if let Some(path) = self.args.output.path() {
            let (file, codec) = (quoted(path.as_os_str()), self.reader.codec.name);
            let message = format!("{file} is not written (-f {codec} repairs it anyway)");
            session.report_undone(name, &message);
        }
    }

    /// Writes a file in UTF-16 or UTF-32 that nothing declares to the documents.
    pub(super) fn report_foreign(
        &mut self,
        session: &mut Session,
        input: NamedInput<'_>,
        name: &InputName<'_>,
    ) {
        let Some((codec, file)) = input.foreign_text() else { return };
        let finding = findings::foreign_text(name, codec);
        let (encoding, findings) = (Some(Encoding::UTF_8), std::slice::from_ref(&finding));
        let (hidden, size) = (0, file.metadata().map_or(0, |file| file.len()));
        self.documents
            .report(session, &GatheredFindings { name, encoding, findings, hidden, size });
    }
}

/// Joins the parts of a message.
fn joined(parts: [Option<String>; 2]) -> String {
    parts.into_iter().flatten().collect::<Vec<_>>().join("; ")
}
