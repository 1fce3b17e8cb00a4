//! How are files converted where they are? Each by itself, and only those that would change.

use std::io;
use std::ops::ControlFlow;

use super::{ConvertedInput, InputConverter};
use crate::cli::in_place::{InPlaceArgs, InPlaceTarget};
use crate::cli::inputs::{self, NamedInput};
use crate::cli::session::Session;
use crate::convert::Conversion;
use crate::kernel::Kernels;
use crate::output::Output;
use crate::text::name::InputName;

/// Convert each file in its place.
pub(super) fn files(converter: &mut InputConverter<'_>, args: &InPlaceArgs, session: &mut Session) {
    let _ = inputs::each(&converter.args.input, session, |session, input| {
        let name = session.name(input.name());
        match file(converter, args, session, input, &name) {
            Ok(converted) => {
                converter.tell(session, &name, &converted);
                converter.warn(session, &name, &converted);
            }
            Err(error) => drop(inputs::failed(session, input, &name, &error)),
        }
        ControlFlow::Continue(())
    });
}

fn file(
    converter: &mut InputConverter<'_>,
    args: &InPlaceArgs,
    session: &Session,
    input: NamedInput<'_>,
    name: &InputName<'_>,
) -> io::Result<ConvertedInput> {
    let place = InPlaceTarget::of(input)?;
    let mut convert = |out: &mut Output| whole(converter, session.kernels, input, name, out);
    match place.unchanged(&mut convert)? {
        Some(converted) => Ok(ConvertedInput { unchanged: true, ..converted }),
        None => place.rewrite(args.backup(), convert),
    }
}

/// Write all that a file is to hold. Also says whether no fault prevented that.
fn whole(
    converter: &mut InputConverter<'_>,
    kernels: &'static Kernels,
    input: NamedInput<'_>,
    name: &InputName<'_>,
    out: &mut Output,
) -> io::Result<(bool, ConvertedInput)> {
    let mut conversion = Conversion::new(kernels, converter.manner);
    let converted = converter.convert(input, name, &mut conversion, out)?;
    let good = converted.fault.is_none();
    if good {
        conversion.finish(out);
    }
    Ok((good, converted))
}
