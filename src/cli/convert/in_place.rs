//! Conversion of single files: in place, each by itself and only if it would change, or as a dry
//! run.

use std::io;
use std::ops::ControlFlow;

use super::content::FileContent;
use super::journal::ConversionJournal;
use super::{ConvertedInput, InputConverter};
use crate::cli::auto::DetectionRefusal;
use crate::cli::first_block::FirstBlock;
use crate::cli::in_place::files::{FileOutcome, ReplacedFiles, each_file};
use crate::cli::in_place::{InPlaceTarget, RewrittenFile, report_binary};
use crate::cli::inputs::{self, NamedInput};
use crate::cli::session::Session;
use crate::convert::Conversion;
use crate::output::Output;
use crate::text::name::InputName;

impl InputConverter<'_> {
    /// Converts each file in place, or reports the inputs that a conversion would change.
    ///
    /// # Errors
    /// Those of writing the record.
    pub(super) fn convert_files(&mut self, session: &mut Session) -> anyhow::Result<()> {
        let args = self.args;
        let totals =
            each_file(&args.input, &args.in_place, session, |session, input, name, files| {
                let outcome = self.convert_file(session, input, name, files);
                if self.lost.is_some() || session.out.failed() {
                    return ControlFlow::Break(());
                }
                ControlFlow::Continue(match outcome {
                    Ok(outcome) => outcome,
                    Err(error) if self.is_binary(&error) => self.leave_binary(session, input, name),
                    Err(error) => {
                        inputs::report_failure(session, input, name, &error);
                        FileOutcome::Failed
                    }
                })
            });
        if args.talk.verbose {
            let dry = args.review.is_dry_run();
            totals.report(session, if dry { "would change" } else { "converted" });
        }
        args.review.check_record(session, self.lost.take())
    }

    fn convert_file(
        &mut self,
        session: &mut Session,
        input: NamedInput<'_>,
        name: &InputName<'_>,
        files: &mut ReplacedFiles,
    ) -> io::Result<FileOutcome> {
        let args = self.args;
        let target = args.in_place.is_wanted().then(|| InPlaceTarget::open(input)).transpose()?;
        let content = target.as_ref().map_or(Ok(FileContent::Text), |it| self.examine(it.input()));
        match content? {
            FileContent::Text => {}
            FileContent::Converted => return Ok(self.leave_converted(session, name)),
            FileContent::Binary => return Ok(self.leave_binary(session, input, name)),
        }
        let mut journal = self.journal(name);
        let (converted, changed) = match target {
            Some(target) if !args.review.is_dry_run() => {
                let RewrittenFile { result, replaced } =
                    target.rewrite(args.in_place.backup(), files, |input, out| {
                        let converted =
                            self.convert_alone(session, input, name, &mut journal, out)?;
                        Ok((converted.fault.is_none(), converted))
                    })?;
                let rewritten = replaced.as_ref().ok().copied();
                (ConvertedInput { rewritten, ..result }, replaced)
            }
            target => {
                let read = target.as_ref().map_or(input, InPlaceTarget::input);
                let mut out = Output::new(Box::new(io::sink()), "nothing");
                let converted = self.convert_alone(session, read, name, &mut journal, &mut out)?;
                let would_change = converted.fault.is_none()
                    && journal.as_ref().is_some_and(ConversionJournal::differs);
                let listed = match would_change {
                    true => args.review.list(session, name, args.input.null, target),
                    false => Ok(()),
                };
                (converted, listed.map(|()| would_change))
            }
        };
        let is_converted = converted.fault.is_none() && changed.is_ok();
        self.lost = self.record_summary(name, &converted, is_converted);
        let changed = changed?;
        self.report(session, name, &converted);
        self.report_fault(session, name, &converted);
        Ok(match changed {
            _ if converted.fault.is_some() => FileOutcome::Faulty,
            true => FileOutcome::Changed,
            false => FileOutcome::Unchanged,
        })
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

    /// Reports a file that is in the target encoding already.
    fn leave_converted(&mut self, session: &mut Session, name: &InputName<'_>) -> FileOutcome {
        let target = self.options.target.name;
        let note = format!("already {target}: unchanged (--reconvert converts it anyway)");
        session.note(name, &note);
        self.lost = self.record_left(name, "already-converted");
        FileOutcome::Converted
    }

    /// Reports a binary file.
    fn leave_binary(
        &mut self,
        session: &mut Session,
        input: NamedInput<'_>,
        name: &InputName<'_>,
    ) -> FileOutcome {
        report_binary(session, input, name, "converts", &FirstBlock::read(input));
        self.lost = self.record_left(name, "binary");
        FileOutcome::Binary
    }

    /// Returns `true` if a conversion failed because the file is binary, not text in some encoding.
    fn is_binary(&self, error: &io::Error) -> bool {
        let refusal = error.get_ref().and_then(|inner| inner.downcast_ref::<DetectionRefusal>());
        let skips = self.args.in_place.is_wanted() && !self.args.binary;
        skips && refusal.is_some_and(|refusal| refusal.is_binary)
    }
}
