//! Inputs that are UTF-16 or UTF-32, which nothing declares: one finding each.

use std::fs::File;
use std::io;

use super::run::CheckedInput;
use crate::cli::args::InputArgs;
use crate::cli::inputs::NamedInput;
use crate::cli::shell;
use crate::os::fill_at;
use crate::registry::Encoding;
use crate::text::name::InputName;
use crate::validate::Check;

/// The number of bytes at the start of a file that formats may show.
pub(super) const SHOWN: usize = 64;

/// Reports that an input is such a file.
///
/// # Errors
/// Those of reading the file and of the output.
pub(super) fn reject(
    mut check: Check<'_>,
    codec: &'static Encoding,
    file: &File,
) -> io::Result<CheckedInput> {
    let mut start = [0; SHOWN];
    let len = fill_at(file, &mut start, 0)?;
    check.reject(codec, file.metadata()?.len(), &start[..len])?;
    let summary = check.end(true)?;
    Ok(CheckedInput { reached: Ok(summary.size), summary, code_units: Some(codec) })
}

/// Describes such a file, with advice.
pub(super) fn describe(
    args: &InputArgs,
    input: NamedInput<'_>,
    name: &InputName<'_>,
    codec: &Encoding,
) -> String {
    let codec = codec.name;
    let in_place = if matches!(input, NamedInput::Stdin(_)) { "" } else { " -i" };
    let converts = shell::command(&format!("decode -f {codec}{in_place}"), args, input, name);
    let converts = converts.map_or(String::new(), |command| format!(" ({command} converts it)"));
    format!("is {codec}, not UTF-8{converts}")
}
