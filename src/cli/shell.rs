//! Commands that can be pasted into a shell.

use std::ffi::OsStr;

use super::args::InputArgs;
use super::inputs::NamedInput;
use super::prose::quoted;
use crate::text::name::InputName;

/// The command that shows the encoding of an input, the evidence and the next command.
pub(super) const EXAMINE: &str = "detect --format long";

/// Returns a command of `utf8` with its options for an input. Returns `None` for `--text`, and for
/// a part of an input or hex digits.
pub(super) fn command(
    what: &str,
    args: &InputArgs,
    input: NamedInput<'_>,
    name: &InputName<'_>,
) -> Option<String> {
    let part = args.hex || args.skip.is_some() || args.length.is_some();
    let can_be_named = !part && !matches!(input, NamedInput::Text(_));
    can_be_named.then(|| on_file(what, input.file_name().map(|_| name.raw)))
}

/// Returns a command for an input, of which only a file has a name in it.
pub(super) fn on_input(what: &str, input: NamedInput<'_>) -> String {
    on_file(what, input.file_name())
}

/// Returns a command for the file of this name, if there is one.
pub(super) fn on_file(what: &str, file: Option<&OsStr>) -> String {
    let file = file.map_or(String::new(), |file| format!(" {}", quoted(file)));
    format!("utf8 {what}{file}")
}

/// Returns the flags of these that are set.
pub(super) fn set_flags(flags: &[(bool, &str)]) -> Vec<String> {
    let set = flags.iter().filter(|(is_set, _)| *is_set);
    set.map(|(_, flag)| (*flag).to_owned()).collect()
}
