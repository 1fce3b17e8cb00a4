//! Messages of usage errors.

use std::error::Error;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::args::most_similar;
use super::help::TOPICS;
use super::prose::any_of;
use super::{command, safe};

/// Other words for commands.
const COMMANDS: [(&str, &str); 11] = [
    ("lint", "validate"),
    ("check", "validate"),
    ("convert", "decode"),
    ("iconv", "decode"),
    ("recode", "decode"),
    ("hexdump", "dump-bits"),
    ("xxd", "dump-bits"),
    ("fix", "repair"),
    ("info", "detect"),
    ("file", "detect"),
    ("guess", "detect"),
];

/// Other words for options, the best first: the first that the command has is meant.
const OPTIONS: [(&str, &str); 40] = [
    ("--eol", "--newlines"),
    ("--line-endings", "--newlines"),
    ("--line-ends", "--newlines"),
    ("--encoding", "--from"),
    ("--charset", "--from"),
    ("--codec", "--from"),
    ("--input-encoding", "--from"),
    ("--from-code", "--from"),
    ("--output-encoding", "--to"),
    ("--to-code", "--to"),
    ("--inplace", "--in-place"),
    ("--list", "--list-codecs"),
    ("--list-encodings", "--list-codecs"),
    ("--errors", "--on-error"),
    ("--offset", "--skip"),
    ("--string", "--text"),
    ("--dry-run", "--check"),
    ("--silent", "--quiet"),
    ("--print0", "--null"),
    ("--include", "--glob"),
    ("--ignore", "--exclude"),
    ("--fix", "--in-place"),
    ("--outfile", "--output"),
    ("--no-bom", "--bom remove"),
    ("--lossy", "--on-error replace"),
    ("--cols", "--columns"),
    ("--limit", "--max-errors"),
    ("--max-count", "--max-errors"),
    ("--max-findings", "--max-errors"),
    ("--fail-fast", "--max-errors 1"),
    ("--no-color", "--color never"),
    ("--lint", "--deny LINT"),
    ("--lint", "--fix=LINT"),
    ("--lints", "--deny LINT"),
    ("--lints", "--fix=LINT"),
    ("--threads", "--jobs"),
    ("-c", "--on-error ignore"), // of iconv
    ("-l", "--list-codecs"),     // of iconv
    ("-b", "--base bits"),       // of xxd
    ("-C", "--layout bytes"),    // of hexdump
];

/// The number of values up to which an error lists them.
const MOST_VALUES: usize = 16;

/// Returns the message of an error in these arguments, without `error: `.
pub(super) fn message(error: &mut clap::Error, arguments: &[OsString]) -> String {
    let word = |kind| match error.get(kind) {
        Some(ContextValue::String(word)) => Some(word.clone()),
        _ => None,
    };
    match error.kind() {
        ErrorKind::InvalidSubcommand => {
            let is_help = arguments.first().is_some_and(|first| first == "help");
            let unknown = if is_help { unknown_page } else { unknown_command };
            word(ContextKind::InvalidSubcommand).map(|word| unknown(&word))
        }
        ErrorKind::UnknownArgument => {
            word(ContextKind::InvalidArg).map(|option| unknown_option(&option, arguments))
        }
        ErrorKind::ArgumentConflict => misplaced(arguments),
        ErrorKind::MissingRequiredArgument => missing(error, arguments),
        ErrorKind::InvalidValue
            if word(ContextKind::InvalidArg).is_some_and(|arg| arg.starts_with("[FILE]")) =>
        {
            Some("a FILE name is empty (an unset variable?)".to_owned())
        }
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => invalid_value(error, arguments),
        _ => None,
    }
    .unwrap_or_else(|| rendered(error))
}

/// Returns the message for a value that its option does not take, or that is missing.
fn invalid_value(error: &clap::Error, arguments: &[OsString]) -> Option<String> {
    let text = |kind| match error.get(kind)? {
        ContextValue::String(text) => Some(text.clone()),
        ContextValue::StyledStrs(texts) => Some(texts.first()?.to_string()),
        _ => None,
    };
    let usage = text(ContextKind::InvalidArg)?; // --from <CODEC>, --undo-mojibake[=<PAGE>]
    let option = usage.split([' ', '[', '=']).next()?;
    let value = text(ContextKind::InvalidValue).filter(|value| !value.is_empty());
    let reason = match error.get(ContextKind::ValidValue) {
        Some(ContextValue::Strings(values)) if (1..=MOST_VALUES).contains(&values.len()) => {
            let expected = format!("expected {}", any_of(values));
            match value.as_deref().and_then(|value| option_taking(value, arguments)) {
                Some(other) => format!("{expected}; did you mean {other}?"),
                None => expected,
            }
        }
        Some(_) if value.is_some() => "unknown value (--help lists all)".to_owned(),
        _ if error.kind() == ErrorKind::InvalidValue => format!("needs a value: {usage}"),
        _ => error.source().map(ToString::to_string).or_else(|| text(ContextKind::Suggested))?,
    };
    Some(match value {
        Some(value) => format!("{option} {}: {}", safe(shortened(&value)), safe(reason)),
        None => format!("{option}: {}", safe(reason)),
    })
}

/// Returns the option that takes a value, with the value, if only one of the command does.
fn option_taking(value: &str, arguments: &[OsString]) -> Option<String> {
    let command = arguments.first().and_then(named)?;
    let [option] = &options_taking(value, &command)[..] else { return None };
    Some(option.clone())
}

/// Returns the options of a command that take a value, with the value. Options that need one and have a
/// few are named before others.
fn options_taking(value: &str, command: &clap::Command) -> Vec<String> {
    let takes = |arg: &clap::Arg| {
        let mut possible = arg.get_possible_values().into_iter();
        !arg.is_hide_set() && possible.any(|possible| possible.matches(value, true))
    };
    let rank = |arg: &clap::Arg| {
        let is_optional = arg.get_num_args().is_some_and(|number| number.min_values() == 0);
        (is_optional, arg.get_possible_values().len() > MOST_VALUES)
    };
    let best = command.get_arguments().filter(|arg| takes(arg)).map(rank).min();
    let options = command.get_arguments().filter(|arg| takes(arg) && Some(rank(arg)) == best);
    let typed = |arg: &clap::Arg| {
        let equals = if arg.is_require_equals_set() { "=" } else { " " };
        Some(format!("--{}{equals}{value}", arg.get_long()?))
    };
    options.filter_map(typed).collect()
}

/// Cuts a value that is too long for a message.
fn shortened(value: &str) -> String {
    const MOST: usize = 80;
    match value.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}… ({} bytes)", &value[..end], value.len()),
        None => value.to_owned(),
    }
}

/// Returns the message for options that others need.
fn missing(error: &clap::Error, arguments: &[OsString]) -> Option<String> {
    let Some(ContextValue::Strings(missing)) = error.get(ContextKind::InvalidArg) else {
        return None;
    };
    let needed = missing.join(" and ");
    Some(match needing(arguments) {
        Some(option) => format!("{option} needs {needed}"),
        None => format!("missing {needed}, which other options need"),
    })
}

/// Returns the first option that is an error alone, because it needs another.
fn needing(arguments: &[OsString]) -> Option<String> {
    let command = arguments.first().and_then(named)?;
    let is_error = |option: &[OsString]| {
        let line = arguments.iter().take(1).chain(option);
        let parsed = command.clone().try_get_matches_from(line);
        parsed.is_err_and(|error| error.kind() == ErrorKind::MissingRequiredArgument)
    };
    let starts = (1..arguments.len()).filter(|&at| arguments[at].as_bytes().starts_with(b"-"));
    // The value can be the next argument.
    let mut options = starts.map(|at| &arguments[at..]);
    let [option, ..] =
        options.find(|rest| is_error(&rest[..1]) || is_error(&rest[..rest.len().min(2)]))?
    else {
        return None;
    };
    option.to_str()?.split('=').next().map(safe)
}

/// Returns the message of clap with the quoted arguments escaped; without the usage if options
/// exclude each other, which it does not show.
fn rendered(error: &mut clap::Error) -> String {
    disarm(error);
    let text = error.render().to_string();
    let text = text.strip_prefix("error: ").unwrap_or(&text).trim_end();
    let end = match error.kind() {
        ErrorKind::ArgumentConflict => text.find("\n\n"),
        _ => None,
    };
    text[..end.unwrap_or(text.len())].to_owned()
}

/// Returns the command that a word names.
fn named(word: &OsString) -> Option<clap::Command> {
    let command = command();
    let word = word.to_str()?;
    let mut commands = command.get_subcommands();
    commands.find(|it| it.get_name() == word || it.get_all_aliases().any(|it| it == word)).cloned()
}

fn unknown_command(word: &str) -> String {
    let shown = safe(word);
    let other = COMMANDS.iter().find(|(other, _)| *other == word).map(|(_, command)| *command);
    let tree = command();
    let near = || nearest(word, tree.get_subcommands().map(clap::Command::get_name));
    match other.or_else(|| near().filter(|_| !Path::new(word).exists())) {
        Some(near) => format!("unknown command '{shown}'; did you mean '{near}'?"),
        None if Path::new(word).exists() => format!(
            "unknown command '{shown}' (utf8 --help lists all; for a file: utf8 validate {shown})"
        ),
        None => format!("unknown command '{shown}' (utf8 --help lists all)"),
    }
}

/// Returns the message for a word after `utf8 help`.
fn unknown_page(word: &str) -> String {
    let shown = safe(word);
    let (tree, topics) = (command(), TOPICS.map(|(topic, _)| topic));
    let commands = tree.get_subcommands().map(clap::Command::get_name);
    let hint = if topics.contains(&word) || tree.find_subcommand(word).is_some() {
        format!("utf8 help {word}, alone")
    } else if let Some(near) = nearest(word, commands.chain(topics)) {
        format!("did you mean '{near}'?")
    } else {
        format!("utf8 help COMMAND, {}", any_of(&topics))
    };
    format!("no help on '{shown}' ({hint})")
}

fn unknown_option(option: &str, arguments: &[OsString]) -> String {
    let shown = safe(option);
    let Some(command) = arguments.first().and_then(named) else {
        return misplaced(arguments).unwrap_or_else(|| match meant(option, &command()) {
            Some(meant) => format!("unknown option '{shown}'; did you mean {meant}?"),
            None => format!("unknown option '{shown}' (utf8 --help lists all)"),
        });
    };
    let name = command.get_name();
    if name == "repair" && ["-t", "--to"].contains(&option) {
        return "repair keeps the encoding (utf8 encode -t CODEC converts)".to_owned();
    }
    if name == "validate" && option == "--fix" {
        return "validate changes no file (utf8 repair -i --fix fixes findings of lints)"
            .to_owned();
    }
    if let Some(message) = negative(option, arguments, &command) {
        return message;
    }
    let is_file = |argument: &&OsString| {
        let bytes = argument.as_bytes();
        bytes.starts_with(option.as_bytes())
            && (bytes.contains(&b'.') && !bytes.contains(&b'=') || Path::new(argument).exists())
    };
    if let Some(file) = arguments.iter().find(is_file) {
        let file = safe(file);
        return format!(
            "unknown option '{shown}' (a file whose name starts with -: ./{file}, or -- before the \
             names)"
        );
    }
    if option == "-."
        && let Some(suffix) = suffix_of_in_place(arguments)
        && command.get_arguments().any(|arg| arg.get_id() == "backup")
    {
        let shown = safe(OsStr::new(suffix));
        return format!("unknown option '-i{shown}'; did you mean '-i --backup {shown}'?");
    }
    match meant(option, &command) {
        Some(meant) => format!("unknown option '{shown}'; did you mean {meant}?"),
        None => format!("unknown option '{shown}' (utf8 {name} --help lists all)"),
    }
}

/// Returns the suffix of backups that is attached to `-i`, as in `sed -i.bak` or `sed -ri.bak`.
fn suffix_of_in_place(arguments: &[OsString]) -> Option<&str> {
    let options = arguments.iter().take_while(|&one| one != "--");
    let is_short = |one: &&str| one.starts_with('-') && !one.starts_with("--");
    let mut shorts = options.filter_map(|one| one.to_str()).filter(is_short);
    shorts.find_map(|one| one.find("i.").map(|at| &one[at + 1..]))
}

/// The most options that a suggestion names.
const MOST_OFFERED: usize = 3;

/// Returns suggestions for an unknown option, quoted: its synonym, up to [`MOST_OFFERED`] options that take
/// its name as a value, or the most similar option.
fn meant(option: &str, command: &clap::Command) -> Option<String> {
    let shown = command.get_arguments().filter(|arg| !arg.is_hide_set());
    let longs: Vec<_> = shown.filter_map(clap::Arg::get_long).collect();
    let has = |wanted: &str| {
        longs.iter().any(|long| wanted.split([' ', '=']).next() == Some(&format!("--{long}")))
    };
    let others: Vec<_> = OPTIONS.iter().filter(|(other, _)| *other == option).collect();
    if let Some((_, meant)) = others.iter().find(|(_, meant)| has(meant)) {
        return Some(format!("'{meant}'"));
    }
    let name = option.strip_prefix("--")?;
    let taking: Vec<_> = options_taking(name, command).iter().map(|it| format!("'{it}'")).collect();
    if (1..=MOST_OFFERED).contains(&taking.len()) {
        return Some(any_of(&taking));
    }
    // A synonym of options that the command lacks resembles its options by chance only.
    let near = || nearest(name, longs.into_iter()).map(|near| format!("'--{near}'"));
    others.is_empty().then(near).flatten()
}

/// Returns the message for a negative number after an option that takes a number.
fn negative(option: &str, arguments: &[OsString], command: &clap::Command) -> Option<String> {
    let at =
        arguments.iter().position(|argument| argument.as_bytes().starts_with(option.as_bytes()))?;
    let number = arguments[at].to_str()?;
    if !number[1..].starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let before = arguments.get(at.checked_sub(1)?)?.to_str()?;
    let takes_value = command.get_arguments().any(|arg| {
        let is_short = arg.get_short().is_some_and(|short| before == format!("-{short}"))
            || before.len() == 2
                && arg
                    .get_all_short_aliases()
                    .unwrap_or_default()
                    .iter()
                    .any(|&c| before.ends_with(c));
        let is_long = arg.get_long().is_some_and(|long| before == format!("--{long}"));
        (is_short || is_long) && arg.get_action().takes_values()
    });
    if !takes_value {
        return None;
    }
    // The option says which numbers it takes.
    let parsed = command.clone().try_get_matches_from([before, &format!("{before}={number}")]);
    let said = parsed.err().and_then(|error| Some(error.source()?.to_string()));
    let expected = said.filter(|said| said.starts_with("expected "));
    let expected = expected.unwrap_or_else(|| "expected a number, 0 or more".to_owned());
    Some(format!("{before} {number}: {expected}"))
}

/// Returns the message for a name after `--list-codecs`, and for options before the command.
fn misplaced(arguments: &[OsString]) -> Option<String> {
    let list = arguments.iter().position(|argument| argument == "--list-codecs");
    if let Some(list) = list {
        let name = arguments.get(list + 1).map_or("NAME".into(), |name| name.to_string_lossy());
        return Some(format!("expected = before the name: --list-codecs={}", shortened(&name)));
    }
    let option = arguments.first().filter(|first| first.as_bytes().starts_with(b"-"))?;
    let command = arguments.iter().find_map(named)?;
    Some(format!("options follow the command: utf8 {} {} ...", command.get_name(), safe(option)))
}

/// Returns the most similar word.
fn nearest<'a>(word: &str, words: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let names = words.filter(|other| !["help", "version"].contains(other));
    most_similar(word, names)
}

/// Escapes the arguments that an error quotes.
fn disarm(error: &mut clap::Error) {
    let safe_values: Vec<_> = error
        .context()
        .filter_map(|(kind, value)| {
            let value = match value {
                ContextValue::String(text) => ContextValue::String(safe(text)),
                ContextValue::Strings(texts) => {
                    ContextValue::Strings(texts.iter().map(safe).collect())
                }
                ContextValue::StyledStrs(texts) => {
                    let safe = |text: &StyledStr| safe(text.to_string()).into();
                    ContextValue::StyledStrs(texts.iter().map(safe).collect())
                }
                _ => return None,
            };
            Some((kind, value))
        })
        .collect();
    for (kind, value) in safe_values {
        error.insert(kind, value);
    }
}
