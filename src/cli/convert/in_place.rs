//! Conversion of files in place: each by itself, and only if it would change.

use std::io;
use std::ops::ControlFlow;

use super::content::FileContent;
use super::{ConvertedInput, InputConverter};
use crate::cli::auto::DetectionRefusal;
use crate::cli::first_block::FirstBlock;
use crate::cli::in_place::files::{FileOutcome, ReplacedFiles, each_file};
use crate::cli::in_place::{InPlaceTarget, RewrittenFile, report_binary};
use crate::cli::inputs::{self, NamedInput};
use crate::cli::session::Session;
use crate::convert::Conversion;
use crate::text::name::InputName;

impl InputConverter<'_> {
    /// Converts each file in place.
    pub(super) fn convert_files(&mut self, session: &mut Session) {
        let args = self.args;
        let totals =
            each_file(&args.input, &args.in_place, session, |session, input, name, files| {
                let outcome = match self.convert_file(session, input, name, files) {
                    Ok(outcome) => outcome,
                    Err(error) if self.is_binary(&error) => {
                        report_binary(session, input, name, "converts", &FirstBlock::read(input));
                        FileOutcome::Binary
                    }
                    Err(error) => {
                        inputs::report_failure(session, input, name, &error);
                        FileOutcome::Failed
                    }
                };
                ControlFlow::Continue(outcome)
            });
        if args.talk.verbose {
            totals.report(session, "converted");
        }
    }

    fn convert_file(
        &mut self,
        session: &mut Session,
        input: NamedInput<'_>,
        name: &InputName<'_>,
        files: &mut ReplacedFiles,
    ) -> io::Result<FileOutcome> {
        let target = InPlaceTarget::open(input)?;
        match self.examine(target.input())? {
            FileContent::Text => {}
            FileContent::Converted => {
                let codec = self.options.target.name;
                session.note(
                    name,
                    &format!("already {codec}: unchanged (--reconvert converts it anyway)"),
                );
                return Ok(FileOutcome::Converted);
            }
            FileContent::Binary => {
                report_binary(session, input, name, "converts", &FirstBlock::read(input));
                return Ok(FileOutcome::Binary);
            }
        }
        let kernels = session.kernels;
        let RewrittenFile { result, replaced } =
            target.rewrite(self.args.in_place.backup(), files, |input, out| {
                let mut conversion = Conversion::new(kernels, self.options);
                let converted = self.convert(input, name, &mut conversion, out)?;
                let complete = converted.fault.is_none();
                if complete {
                    conversion.finish(out);
                }
                Ok((complete, converted))
            })?;
        let converted = ConvertedInput { rewritten: Some(replaced?), ..result };
        self.report(session, name, &converted);
        self.report_fault(session, name, &converted);
        Ok(match converted {
            ConvertedInput { fault: Some(_), .. } => FileOutcome::Faulty,
            ConvertedInput { rewritten: Some(true), .. } => FileOutcome::Changed,
            _ => FileOutcome::Unchanged,
        })
    }

    /// Returns `true` if a conversion failed because the file is binary, not text in some encoding.
    fn is_binary(&self, error: &io::Error) -> bool {
        let refusal = error.get_ref().and_then(|inner| inner.downcast_ref::<DetectionRefusal>());
        !self.args.binary && refusal.is_some_and(|refusal| refusal.is_binary)
    }
}
