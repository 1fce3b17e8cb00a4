//! Conversion of files in place: each by itself, and only if it would change.

use std::io;
use std::ops::ControlFlow;

use super::{ConvertedInput, InputConverter};
use crate::cli::in_place::{self, InPlaceArgs, InPlaceTarget, RewrittenFile};
use crate::cli::inputs::{self, NamedInput};
use crate::cli::session::Session;
use crate::convert::Conversion;
use crate::os::replace::UnsyncedFiles;
use crate::text::name::InputName;

/// Converts each file in place.
pub(super) fn convert_files(
    converter: &mut InputConverter<'_>,
    args: &InPlaceArgs,
    session: &mut Session,
) {
    let mut unsynced = UnsyncedFiles::default();
    let _ = inputs::each(&converter.args.input, session, |session, input| {
        let name = session.name(input.name());
        match convert_file(converter, args, session, input, &name, &mut unsynced) {
            Ok(converted) => {
                converter.report(session, &name, &converted);
                converter.report_fault(session, &name, &converted);
            }
            Err(error) => drop(inputs::report_failure(session, input, &name, &error)),
        }
        if unsynced.is_full() {
            in_place::sync(&mut unsynced, session);
        }
        ControlFlow::Continue(())
    });
    in_place::sync(&mut unsynced, session);
}

fn convert_file(
    converter: &mut InputConverter<'_>,
    args: &InPlaceArgs,
    session: &Session,
    input: NamedInput<'_>,
    name: &InputName<'_>,
    unsynced: &mut UnsyncedFiles,
) -> io::Result<ConvertedInput> {
    let target = InPlaceTarget::open(input)?;
    let RewrittenFile { result, replaced } =
        target.rewrite(args.backup(), unsynced, |input, out| {
            let mut conversion = Conversion::new(session.kernels, converter.options);
            let converted = converter.convert(input, name, &mut conversion, out)?;
            let complete = converted.fault.is_none();
            if complete {
                conversion.finish(out);
            }
            Ok((complete, converted))
        })?;
    Ok(ConvertedInput { unchanged: !replaced?, ..result })
}
