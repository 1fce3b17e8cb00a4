//! The command that fixes findings, for advice.

use std::ffi::OsStr;
use std::path::Path;

use super::run::ValidateRun;
use crate::cli::content_probe::starts_wide;
use crate::cli::first_block::FirstBlock;
use crate::cli::inputs::NamedInput;
use crate::cli::lints::is_certain;
use crate::cli::prose::quoted;
use crate::lint::levels::{LintMask, lint_mask, opposed};
use crate::lint::{LINTS, LintRow};
use crate::registry::Encoding;
use crate::report::InputSummary;

/// The maximum number of paths in a command; `PATH...` stands for more.
const MOST_PATHS: usize = 8;

/// The command, and the number of findings that it can fix.
pub(super) struct FixCommand {
    pub command: String,
    pub number: u64,
}

impl ValidateRun<'_> {
    /// Returns `true` if the command would rewrite a file with these findings, which was read in an
    /// encoding. `is_set` says that its settings name another encoding than UTF-8.
    pub(super) fn is_fixable(
        &self,
        input: NamedInput<'_>,
        encoding: &Encoding,
        is_set: bool,
        summary: &InputSummary,
    ) -> bool {
        let is_refused = is_set && self.args.input.from.is_none();
        // Most files have none.
        summary.findings > 0
            && !is_refused
            && summary.kinds().next().is_none()
            && certain(summary, !0, Some(input.name())).next().is_some()
            && (encoding.has_byte_units() || starts_wide(input, encoding))
            && !is_binary(input, encoding)
    }

    /// Returns the command that fixes findings without a change of meaning, if it fixes some: of
    /// the lints that options name, or else of those that settings turn on, which it then need not
    /// name. `path` is the file, or `None` for all that the run has read.
    pub(super) fn fix_command(
        &self,
        summary: &InputSummary,
        path: Option<&Path>,
    ) -> Option<FixCommand> {
        let args = self.args;
        let name = path.map(Path::as_os_str);
        // No command fixes both of a pair.
        let opposed = opposed(args.lints.reported());
        let found: Vec<_> = certain(summary, args.lints.reported() & !opposed, name).collect();
        let (option, number) = match found.is_empty() {
            true => {
                let found = certain(summary, !opposed, name);
                ("--fix".to_owned(), found.map(|(_, number)| number).sum())
            }
            false => {
                let ids: Vec<_> = found.iter().map(|(id, _)| *id).collect();
                let number = found.iter().map(|(_, number)| number).sum();
                (format!("--fix={}", ids.join(",")), number)
            }
        };
        let mut words = vec!["utf8 repair -i".to_owned()];
        words.extend(path.is_none().then(|| "-r".to_owned()));
        words.push(option);
        words.extend(args.input.named_codec().map(|codec| format!("-f {}", codec.name)));
        words.extend(args.config.options());
        words.extend(args.baselines.option());
        if path.is_none() {
            words.extend(args.tree.options());
        }
        let files = &args.input.files;
        let is_listed = args.input.files_from.is_empty() && files.len() <= MOST_PATHS;
        match path {
            Some(path) => words.push(quoted(path.as_os_str())),
            None if is_listed => words.extend(files.iter().map(|path| quoted(path.as_os_str()))),
            None => words.push("PATH...".to_owned()),
        }
        (number > 0).then(|| FixCommand { command: words.join(" "), number })
    }
}

/// Returns the lints of these with a fix that does not change the meaning of the file with this name,
/// or of some files if there is none, and the numbers of their findings, if there are any.
fn certain<'a>(
    summary: &'a InputSummary,
    lints: LintMask,
    name: Option<&OsStr>,
) -> impl Iterator<Item = (&'static str, u64)> + use<'a> {
    let name = name.unwrap_or_default();
    let is_fixed = |row: &LintRow| row.fix.is_some_and(|fix| is_certain(fix, name));
    let ids: Vec<_> = LINTS.iter().filter(|row| is_fixed(row)).map(|row| row.id).collect();
    let is_wanted = move |id: &str| ids.contains(&id) && lint_mask(id) & lints != 0;
    summary.found().filter(move |(id, _)| is_wanted(id))
}

/// Returns `true` if the start of a file is that of binary data.
fn is_binary(input: NamedInput<'_>, encoding: &Encoding) -> bool {
    let start = FirstBlock::read(input);
    encoding.has_byte_units()
        && (start.is_binary_format() || memchr::memchr(0, &start.bytes).is_some())
}
