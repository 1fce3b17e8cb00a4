//! Options that name one file, and are refused with two.

use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches};

use super::safe;

/// The options that name one file for a run. Of other options, the last one counts.
const OPTIONS: [&str; 6] = ["baseline", "config", "output", "patch", "rejects", "write_baseline"];

/// Keeps all values of an option that names one file, for [`check`].
pub(super) fn keep_all(arg: Arg) -> Arg {
    match OPTIONS.contains(&arg.get_id().as_str()) {
        true => arg.action(ArgAction::Append),
        false => arg,
    }
}

/// Checks that no option names two files, of which one would be neither read nor written.
///
/// # Errors
/// An option names two files.
pub(super) fn check(matches: &ArgMatches) -> Result<(), clap::Error> {
    for option in OPTIONS {
        let Ok(Some(mut files)) = matches.try_get_many::<PathBuf>(option) else { continue };
        let first = files.next();
        if let Some((first, other)) = first.zip(files.find(|file| Some(*file) != first)) {
            let option = option.replace('_', "-");
            let message =
                format!("--{option}: name one file, not {} and {}\n", safe(first), safe(other));
            return Err(clap::Error::raw(ErrorKind::ValueValidation, message));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::any::TypeId;
    use std::collections::BTreeSet;

    use super::*;
    use crate::cli::command;

    /// The options and arguments that name any number of files.
    const OTHER_OPTIONS: [&str; 3] = ["files", "files_from", "show_config"];

    #[test]
    fn each_option_that_names_a_file_takes_one_or_any_number() {
        let tree = command();
        let args = tree.get_subcommands().flat_map(clap::Command::get_arguments);
        let paths = args.filter(|arg| arg.get_value_parser().type_id() == TypeId::of::<PathBuf>());
        let found: BTreeSet<_> = paths.map(|arg| arg.get_id().as_str()).collect();
        let listed = OPTIONS.into_iter().chain(OTHER_OPTIONS).collect();
        assert_eq!(found, listed);
    }
}
