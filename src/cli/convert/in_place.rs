//! Conversion of single files: in place, each by itself and only if it would change, or as a dry
//! run.

use std::ffi::OsStr;
use std::io;

use super::content::FileContent;
use super::journal::ConversionJournal;
use super::{ConvertArgs, ConvertedInput, InputConverter};
use crate::cli::auto::DetectionRefusal;
use crate::cli::first_block::FirstBlock;
use crate::cli::in_place::files::{EditArgs, EditedFile, FileEditor, FileOutcome, edit_each};
use crate::cli::in_place::{BinaryReason, note_other_setting, report_binary, report_skipped};
use crate::cli::inputs::NamedInput;
use crate::cli::prose::quoted;
use crate::cli::session::Session;
use crate::cli::shell::{self, EXAMINE};
use crate::cli::tally::FileTally;
use crate::cli::tree::FileAttributes;
use crate::convert::Conversion;
use crate::lint::Lint;
use crate::output::Output;
use crate::registry::Encoding;
use crate::text::name::InputName;

/// The files that a conversion in place reports at the end.
#[derive(Default)]
pub(super) struct ConversionNotes {
    /// The files that are in the target encoding already.
    already: FileTally,
    /// The converted files that declare another encoding.
    contradicted: FileTally,
    /// The converted files for which another encoding is set.
    set_otherwise: FileTally,
}

impl InputConverter<'_> {
    /// Converts each file in place, or reports the inputs that a conversion would change.
    ///
    /// # Errors
    /// Those of writing the record.
    pub(super) fn convert_files(self, session: &mut Session) -> anyhow::Result<()> {
        let (args, source, options) = (self.args, self.reader.default_codec(), self.options);
        let ConvertArgs { input, in_place, review, talk, binary, jobs, .. } = args;
        let edit = EditArgs {
            input,
            in_place,
            review,
            binary: *binary,
            verbose: talk.verbose,
            config: None,
            jobs: *jobs,
            in_order: review.records_rewrites(in_place),
        };
        let start = |session: &Session| InputConverter::new(args, source, options, session);
        let mut converter = edit_each(edit, session, self, start)?;
        review.check_record(session, converter.lost.take())
    }

    /// Converts an input into an output of its own.
    ///
    /// # Errors
    /// Those of [`convert`](InputConverter::convert) and of the record.
    fn convert_alone(
        &mut self,
        session: &Session,
        input: NamedInput<'_>,
        name: &InputName<'_>,
        journal: &mut Option<ConversionJournal<'_>>,
        out: &mut Output,
    ) -> io::Result<ConvertedInput> {
        let mut conversion = Conversion::new(session.kernels, self.options);
        let mut converted = self.convert(input, name, &mut conversion, out, journal.as_mut());
        if let Ok(done) = &converted
            && done.fault.is_none()
        {
            let len = conversion.finish(out);
            let buffer = out.buffer();
            if let Some(journal) = journal {
                journal.end(done.reached, &buffer[buffer.len() - len..])?;
            }
        }
        if let Some(journal) = journal {
            let is_complete = converted.as_ref().is_ok_and(|done| done.fault.is_none());
            self.lost = journal.flush(is_complete);
            if self.lost.is_some() {
                return Err(io::ErrorKind::WriteZero.into());
            }
            if let Ok(done) = &mut converted {
                (done.written, done.cut_line) = (journal.written, journal.cut_line());
            }
        }
        converted
    }

    /// Converts a file into an output; `None` for a dry run. Returns the conversion, and `true` if
    /// the output may replace the file.
    fn convert_file(
        &mut self,
        session: &Session,
        input: NamedInput<'_>,
        name: &InputName<'_>,
        out: Option<&mut Output>,
    ) -> io::Result<(bool, ConvertedInput)> {
        let mut journal = self.journal(name);
        let is_rewritten = out.is_some();
        let mut nothing = Output::new(Box::new(io::sink()), "nothing");
        let out = out.unwrap_or(&mut nothing);
        let converted = self.convert_alone(session, input, name, &mut journal, out)?;
        let differs = || journal.as_ref().is_some_and(ConversionJournal::differs);
        Ok((converted.fault.is_none() && (is_rewritten || differs()), converted))
    }

    /// Leaves a file that is in the target encoding already. Unless --verbose is given, all of them
    /// are reported in a line at the end.
    fn leave_converted(&mut self, session: &mut Session, name: &InputName<'_>) -> FileOutcome {
        if self.args.talk.verbose {
            session.note(name, &self.describe_converted("it"));
        } else {
            self.notes.already.add(session, name);
        }
        self.lost = self.record_left(name, "already-converted");
        FileOutcome::Converted
    }

    /// Describes files that are in the target encoding already. `files` is their pronoun.
    pub(super) fn describe_converted(&self, files: &str) -> String {
        let (source, target) = (self.reader.default_codec(), self.options.target.name);
        let already = match self.may_repeat(source) {
            true => format!("not {}, probably {target} already", source.name),
            false => format!("already {target}"),
        };
        format!("{already}: unchanged (--reconvert converts {files} anyway)")
    }

    /// Describes a file that is in the target encoding already but for some damage. `left` is the
    /// participle for the file.
    pub(super) fn describe_damaged(&self, input: NamedInput<'_>, left: &str) -> String {
        let reason = format!("is damaged {}", self.options.target.name);
        let command = shell::on_input(EXAMINE, input);
        describe_foreign(&reason, left, &format!("{command} advises a repair"))
    }

    /// Returns the command that reports declarations of other encodings, without its files.
    fn declaration_command(&self) -> String {
        let target = self.options.target;
        let from = match target == Encoding::UTF_8 {
            true => String::new(),
            false => format!(" -f {}", target.name),
        };
        format!("utf8 validate{from} --warn {}", Lint::WrongDeclaration.row().id)
    }

    /// Describes a converted file that declares another encoding.
    fn describe_contradicted(&self, name: &OsStr) -> String {
        let (command, name) = (self.declaration_command(), quoted(name));
        format!("still declares another encoding ({command} {name} shows where)")
    }

    /// Returns a note on a converted file for which another encoding is set.
    fn note_other_setting(&self, name: &OsStr) -> Option<String> {
        note_other_setting(&self.config, name, self.options.target)
    }

    /// Returns the name of the encoding that a converted file was certainly in, if --from names another
    /// in which it is other text.
    fn contradicting(&self, converted: &ConvertedInput) -> Option<&'static str> {
        let is_named = !self.args.input.is_auto() && !self.args.talk.quiet;
        let other = || converted.first.other_encoding(converted.source);
        is_named.then(other).flatten().map(|other| other.name)
    }

    /// Describes a converted file that was certainly in another encoding, with the command that gives
    /// the old file back.
    fn describe_mistake(&self, name: &OsStr, converted: &ConvertedInput, other: &str) -> String {
        let (source, target) = (converted.source, self.options.target);
        let likeness = format!("the old file: looks like {other}");
        if let Some(backup) = self.args.in_place.backup_of(name) {
            let decode = shell::on_file(&format!("decode -f {other}"), Some(&backup));
            return format!("{likeness} ({decode})");
        }
        let is_lossy = converted.treated.ill_formed > 0 || converted.treated.unencodable > 0;
        if is_lossy || self.options.bom.is_some() {
            return likeness;
        }
        let what = match target == Encoding::UTF_8 {
            true => format!("encode -t {} --reconvert -i", source.name),
            false => format!("decode -f {} -t {} --reconvert -i", target.name, source.name),
        };
        format!("{likeness} ({} restores it)", shell::on_file(&what, Some(name)))
    }

    /// Reports a file that is not in the source encoding, given the reason and the next command.
    fn leave_foreign(
        &mut self,
        session: &mut Session,
        input: NamedInput<'_>,
        name: &InputName<'_>,
        (reason, advice): (&str, &str),
    ) -> FileOutcome {
        report_skipped(session, input, name, &describe_foreign(reason, "skipped", advice));
        self.record_foreign(name)
    }

    /// Records a file that is not in the source encoding.
    fn record_foreign(&mut self, name: &InputName<'_>) -> FileOutcome {
        self.lost = self.record_left(name, "not-the-source");
        FileOutcome::Foreign
    }

    /// Returns the encoding that .gitattributes declares for an input, unless --from names one for
    /// a file that is named.
    ///
    /// # Errors
    /// Those of reading attributes.
    fn declared(&self, input: NamedInput<'_>) -> io::Result<Option<&'static Encoding>> {
        match input {
            NamedInput::File(path, _)
                if self.args.in_place.is_wanted() && self.args.input.is_auto() =>
            {
                Ok(FileAttributes::of(path)?.content.encoding())
            }
            _ => Ok(input.declared()),
        }
    }

    /// Leaves a file whose encoding .gitattributes declares: git would read the converted text in
    /// that encoding.
    fn leave_declared(
        &mut self,
        session: &mut Session,
        input: NamedInput<'_>,
        name: &InputName<'_>,
        codec: &Encoding,
    ) -> FileOutcome {
        let note = format!(
            "is {0} by .gitattributes: skipped (--from {0} converts it; change .gitattributes, too)",
            codec.name
        );
        report_skipped(session, input, name, &note);
        self.lost = self.record_left(name, "declared");
        FileOutcome::Declared
    }

    /// Reports a binary file.
    fn leave_binary(
        &mut self,
        session: &mut Session,
        input: NamedInput<'_>,
        name: &InputName<'_>,
        reason: BinaryReason,
    ) -> FileOutcome {
        report_binary(session, input, name, "converts", reason);
        self.lost = self.record_left(name, "binary");
        match reason {
            BinaryReason::CodeUnits(_) => FileOutcome::Foreign,
            BinaryReason::Content | BinaryReason::Nul => FileOutcome::Binary,
        }
    }

    /// Returns `true` if a conversion failed because the file is binary, not text in some encoding.
    fn is_binary(&self, error: &io::Error) -> bool {
        let skips = self.args.in_place.is_wanted() && !self.args.binary;
        skips && DetectionRefusal::of(error).is_some_and(|refusal| refusal.is_binary)
    }
}

/// Describes a file that is not in the source encoding, given the reason, the participle for the file
/// and the next command.
fn describe_foreign(reason: &str, left: &str, advice: &str) -> String {
    format!("{reason}: {left} (--reconvert converts it anyway; {advice})")
}

impl FileEditor for InputConverter<'_> {
    const DONE: &'static str = "converted";

    type Notes = ConversionNotes;

    fn edit(&mut self, session: &mut Session, file: EditedFile<'_>) -> io::Result<FileOutcome> {
        let (args, input, name) = (self.args, file.input, file.name);
        if let Some(codec) = self.declared(input)? {
            return Ok(self.leave_declared(session, input, name, codec));
        }
        let examined = args.in_place.is_wanted().then(|| self.examine(file.content()));
        match examined.transpose()? {
            None | Some(FileContent::Text) => {}
            Some(FileContent::Converted) => return Ok(self.leave_converted(session, name)),
            Some(FileContent::Binary) => {
                let reason = BinaryReason::of(&FirstBlock::read(input));
                return Ok(self.leave_binary(session, input, name, reason));
            }
            Some(FileContent::Foreign(source)) => {
                let reason = format!("has no NUL, so it is not {source}");
                let advice = format!("{} names its encoding", shell::on_input("detect", input));
                return Ok(self.leave_foreign(session, input, name, (&reason, &advice)));
            }
            Some(FileContent::Reversed(other)) => {
                let reason = format!("is {}", other.name);
                let advice = format!("--from {} reads its byte order", other.name);
                return Ok(self.leave_foreign(session, input, name, (&reason, &advice)));
            }
            Some(FileContent::Damaged) => {
                // Nothing else will tell of it: it is not in another encoding that a later run reads.
                let note = self.describe_damaged(input, "skipped");
                args.review.report_undone(session, name, &note);
                return Ok(self.record_foreign(name));
            }
        }
        let (edit, mut converted) =
            file.edit(session, |session, input, out| self.convert_file(session, input, name, out))?;
        let replaced = edit.apply(session);
        if args.in_place.is_wanted() && !args.review.is_dry_run() {
            converted.rewritten = replaced.as_ref().ok().copied();
        }
        let is_converted = converted.fault.is_none() && replaced.is_ok();
        self.lost = self.record_summary(name, &converted, is_converted);
        let is_changed = replaced?;
        // An unchanged file has the marks that it had.
        converted.extra_mark = converted.extra_mark.filter(|_| is_changed);
        self.report(session, name, &converted);
        self.report_fault(session, name, &converted);
        if converted.rewritten == Some(true) {
            if let Some(note) = self.note_other_setting(name.raw) {
                match self.args.talk.verbose {
                    true => session.note(name, &note),
                    false => self.notes.set_otherwise.add(session, name),
                }
            }
            if let Some(other) = self.contradicting(&converted) {
                session.note(name, &self.describe_mistake(name.raw, &converted, other));
            }
            let block = (converted.source, &converted.first.bytes[..]);
            if self.declarations.contradicts(block, self.options, session.kernels) {
                match self.args.talk.verbose {
                    true => session.note(name, &self.describe_contradicted(name.raw)),
                    false => self.notes.contradicted.add(session, name),
                }
            }
        }
        Ok(match is_changed {
            _ if converted.fault.is_some() => FileOutcome::Faulty,
            true => FileOutcome::Changed,
            false => FileOutcome::Unchanged,
        })
    }

    fn report_failure(
        &mut self,
        session: &mut Session,
        input: NamedInput<'_>,
        name: &InputName<'_>,
        error: &io::Error,
    ) -> FileOutcome {
        if self.is_binary(error) {
            let reason = BinaryReason::of_detected(&FirstBlock::read(input));
            return self.leave_binary(session, input, name, reason);
        }
        self.args.review.report_failure(session, input, name, error);
        FileOutcome::Failed
    }

    fn into_notes(self) -> Self::Notes {
        self.notes
    }

    fn add_notes(&mut self, notes: Self::Notes) {
        self.notes.already.merge(notes.already);
        self.notes.contradicted.merge(notes.contradicted);
        self.notes.set_otherwise.merge(notes.set_otherwise);
    }

    /// Reports the files that were in the target encoding already, and those for which another one is
    /// declared or set.
    fn finish(&mut self, session: &mut Session) {
        let ConversionNotes { already, contradicted, set_otherwise } =
            std::mem::take(&mut self.notes);
        already.report(
            session,
            |_| self.describe_converted("it"),
            |number, _| format!("{number} files are {}", self.describe_converted("them")),
        );
        contradicted.report(
            session,
            |name| self.describe_contradicted(name),
            |number, first| {
                let (command, first) = (self.declaration_command(), quoted(first));
                format!(
                    "{number} converted files still declare other encodings, the first is {first} \
                     ({command} {first} shows where)"
                )
            },
        );
        set_otherwise.report(
            session,
            |name| self.note_other_setting(name).unwrap_or_default(),
            |number, first| {
                format!(
                    "{number} converted files are still in other encodings by .gitattributes, \
                     utf8.toml or .editorconfig, the first is {0} (utf8 validate --show-config {0} \
                     shows where)",
                    quoted(first)
                )
            },
        );
    }

    fn is_lost(&self, session: &Session) -> bool {
        self.lost.is_some() || session.out.failed()
    }
}
