//! Completion of command lines, for the scripts in `completions/`.

use std::ffi::{OsStr, OsString};
use std::io::{self, Write};

use clap::builder::PossibleValue;
use clap::{Arg, Command, ValueHint};
use clap_complete::engine::{ArgValueCompleter, CompletionCandidate, complete};

use super::help::TOPICS;

/// The environment variable that asks for completion. Its value is the index of the word under the
/// cursor, counted from the name of the command; the arguments are the words.
pub(super) const VARIABLE: &str = "UTF8_COMPLETE";

/// The end of a candidate that stands for file names. The shell completes them itself, for it knows
/// how to quote them. No other candidate ends with a slash.
const FILES: &str = "/";

/// Writes the candidates for a word, a line each: the value, a tab, the description. Writes nothing
/// if the word is the name of a file. An empty word is no option.
pub(super) fn write(
    command: Command,
    words: Vec<OsString>,
    index: &OsStr,
    out: &mut impl Write,
) -> io::Result<()> {
    let Some(index) = index.to_str().and_then(|index| index.parse().ok()) else {
        return Ok(());
    };
    let is_empty = words.get(index).is_some_and(|word: &OsString| word.is_empty());
    let mut command = with_completers(with_topics(command));
    let mut candidates = complete(&mut command, words, index, None).unwrap_or_default();
    let is_file = |word: &OsStr| word.as_encoded_bytes().ends_with(FILES.as_bytes());
    if candidates.iter().any(|candidate| is_file(candidate.get_value())) {
        return Ok(());
    }
    candidates.retain(|candidate| !(is_empty && is_option(candidate.get_value())));
    for candidate in &candidates {
        let help = candidate.get_help().map(ToString::to_string).unwrap_or_default();
        let help = help.lines().next().unwrap_or_default();
        writeln!(out, "{}\t{help}", candidate.get_value().to_string_lossy())?;
    }
    Ok(())
}

/// Adds the topics of `utf8 help` as subcommands, for completion.
pub fn with_topics(mut command: Command) -> Command {
    command.build();
    let topics = TOPICS.map(|(name, about)| Command::new(name).about(about));
    command.mut_subcommand("help", |help| help.subcommands(topics))
}

/// Gives each option the completer that fits its values.
fn with_completers(command: Command) -> Command {
    command.mut_args(with_completer).mut_subcommands(with_completers)
}

fn with_completer(arg: Arg) -> Arg {
    if arg.get_value_hint() == ValueHint::AnyPath {
        return arg.add(ArgValueCompleter::new(|current: &OsStr| match is_option(current) {
            true => Vec::new(),
            false => vec![CompletionCandidate::new(FILES)],
        }));
    }
    let values = arg.get_possible_values();
    if values.is_empty() {
        return arg;
    }
    arg.add(ArgValueCompleter::new(move |current: &OsStr| {
        values.iter().filter_map(|value| candidate(value, current.to_str()?)).collect()
    }))
}

fn is_option(word: &OsStr) -> bool {
    word.as_encoded_bytes().starts_with(b"-")
}

/// Returns the name of a value, or else its first alias, that starts with these characters in any
/// case. A hidden value needs at least one.
fn candidate(value: &PossibleValue, start: &str) -> Option<CompletionCandidate> {
    let starts =
        |name: &&str| name.get(..start.len()).is_some_and(|name| name.eq_ignore_ascii_case(start));
    let name = value.get_name_and_aliases().find(starts)?;
    let wanted = !(value.is_hide_set() && start.is_empty());
    wanted.then(|| CompletionCandidate::new(name).help(value.get_help().cloned()))
}
