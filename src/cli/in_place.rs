//! Options of commands that rewrite their input files, and the files that can be rewritten.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Arc;

use clap::{Arg, Args};

use super::args::{DefaultInput, InputArgs};
use super::config::Configuration;
use super::first_block::FirstBlock;
use super::inputs::NamedInput;
use super::prose::{any_of, quoted};
use super::review::ReviewArgs;
use super::safe;
use super::session::Session;
use super::tree::{self, FileAttributes, SelectionArgs, TreeRules};
use crate::os::replace::OpenTarget;
use crate::output::Output;
use crate::registry::Encoding;
use crate::text::name::InputName;
use files::BACKUP_SUFFIXES;
use rewrite::{Rewrite, check_backup};

pub(super) mod files;
mod rewrite;

/// Options of commands that rewrite their input files.
#[derive(Args, Debug)]
#[command(mut_args(hide_selection))]
pub(super) struct InPlaceArgs {
    /// Rewrite each file in place
    ///
    /// See REPLACED FILES in utf8(1).
    #[arg(short, long, help_heading = "Output", conflicts_with_all = ["text", "hex", "skip", "length", "output"])]
    in_place: bool,

    /// With -i, rewrite the files in directories
    ///
    /// Select them with --tracked, --submodules, --no-ignore, --glob, --exclude, --type,
    /// --max-filesize, --force-exclude; see DIRECTORIES in utf8(1).
    #[arg(short, long, help_heading = "Output")]
    recursive: bool,

    #[command(flatten)]
    selection: SelectionArgs,

    /// Keep the original of a file as NAME + SUFFIX
    ///
    /// The name must be free. With -r, SUFFIX is .orig, .bak, .old or ~.
    #[arg(long, value_name = "SUFFIX", help_heading = "Output", value_parser = suffix, requires = "in_place")]
    backup: Option<OsString>,
}

impl InPlaceArgs {
    /// Returns `true` if files are rewritten.
    pub fn is_wanted(&self) -> bool {
        self.in_place
    }

    /// Returns `true` if directories are walked.
    pub fn is_recursive(&self) -> bool {
        self.recursive
    }

    /// Returns the name of the backup of a file, if one is kept.
    pub fn backup_of(&self, name: &OsStr) -> Option<OsString> {
        let mut backup = name.to_owned();
        backup.push(self.backup()?);
        Some(backup)
    }

    /// Returns the backup suffix that a name ends with.
    pub fn suffix_of_backup(&self, name: &OsStr) -> Option<&OsStr> {
        self.backup().filter(|suffix| {
            name.len() > suffix.len() && name.as_bytes().ends_with(suffix.as_bytes())
        })
    }

    /// Returns the suffix of backups.
    pub fn backup(&self) -> Option<&OsStr> {
        self.backup.as_deref()
    }

    /// Returns the input where no file is named.
    pub fn default_input(&self) -> DefaultInput {
        self.selection.default_input()
    }

    /// Checks that there are files to rewrite, and that the options that select them have an effect.
    pub fn check(&self, input: &InputArgs, review: &ReviewArgs) -> anyhow::Result<()> {
        let SelectionArgs { tracked, force_exclude, .. } = self.selection;
        if self.recursive && !self.in_place {
            let advice = review.advise_walk("-i", "the files in directories");
            anyhow::bail!("--recursive needs --in-place ({advice})");
        }
        if let Some(suffix) = self.backup().filter(|_| self.recursive)
            && !BACKUP_SUFFIXES.iter().any(|usual| suffix == *usual)
        {
            anyhow::bail!(
                "--backup {}: with --recursive, expected {}: later runs leave such files as they are",
                safe(suffix),
                any_of(&BACKUP_SUFFIXES)
            );
        }
        if force_exclude && !self.in_place && !review.is_dry_run() {
            anyhow::bail!("--force-exclude needs --in-place or --check");
        }
        match self.selection.first_option() {
            Some((option, true)) if !self.recursive => anyhow::bail!("{option} needs -i -r"),
            Some((option, false)) if !self.recursive && !force_exclude => {
                anyhow::bail!("{option} needs -i -r (or --force-exclude, for files that are named)")
            }
            _ => {}
        }
        let none = input.files.is_empty() && input.files_from.is_empty();
        match (self.recursive, none && self.in_place && !tracked) {
            (false, true) => anyhow::bail!("--in-place needs a FILE"),
            (true, true) => anyhow::bail!("--recursive needs a directory (-i -r . for this one)"),
            (_, false) => Ok(()),
        }
    }

    /// Returns the rules for files in directories, if directories are walked or the rules hold for
    /// named files. `binary` says to rewrite binary files, too.
    ///
    /// # Errors
    /// A glob is malformed, or a type is unknown.
    fn rules(&self, input: &InputArgs, binary: bool) -> anyhow::Result<Option<TreeRules>> {
        if !self.recursive && !self.selection.force_exclude {
            return Ok(None);
        }
        self.selection.rules(self.recursive, input.named_codec(), binary).map(Some)
    }
}

/// Returns a note on a replaced file, which is in `encoding` now, if .gitattributes, utf8.toml or
/// .editorconfig sets another one for it.
pub(super) fn note_other_setting(
    config: &Configuration,
    name: &OsStr,
    encoding: &Encoding,
) -> Option<String> {
    let path = Path::new(name);
    // The file is replaced even if attributes or settings cannot be read.
    let attributes = FileAttributes::of(path).unwrap_or_default();
    if let Some(declared) = attributes.content.encoding().filter(|it| *it != encoding) {
        return Some(format!(
            "is still {} by .gitattributes: git reads it so (change .gitattributes, too)",
            declared.name
        ));
    }
    let settings = config.settings(path).ok()?;
    let set = settings.encoding().filter(|it| *it != encoding)?;
    let place = settings.encoding_place()?;
    Some(format!("is still {} by {place} (change that, too)", set.name))
}

/// Hides the options that select files in directories, which are those of other commands.
fn hide_selection(arg: Arg) -> Arg {
    let is_hidden = arg.get_help_heading() == Some(tree::HEADING);
    if is_hidden { arg.hide(true) } else { arg }
}

/// Parses the suffix of backups.
fn suffix(text: &str) -> Result<OsString, &'static str> {
    match text.is_empty() || text.contains('/') {
        true => Err("expected a suffix without /, as in .orig"),
        false => Ok(text.into()),
    }
}

/// A regular file that can be rewritten in place, opened once.
pub(super) struct InPlaceTarget<'a> {
    input: NamedInput<'a>,
    target: OpenTarget,
    file: Arc<File>,
}

impl<'a> InPlaceTarget<'a> {
    /// Opens the file of an input.
    ///
    /// # Errors
    /// Those of [`OpenTarget::open`]; the input is not a regular file.
    pub fn open(input: NamedInput<'a>) -> io::Result<InPlaceTarget<'a>> {
        let target = match input {
            NamedInput::File(path, _) => OpenTarget::open(path)?,
            NamedInput::InTree(found) => found.target()?,
            _ => return Err(io::Error::other("cannot be rewritten in place (name a file)")),
        };
        let file = target.file().map(Arc::clone).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => error,
            _ => io::Error::other(format!("{error} (leave out --in-place)")),
        })?;
        Ok(InPlaceTarget { input, target, file })
    }

    /// Waits until each later change of the file has another time. What was read before is read again.
    pub fn settle(&self) {
        if self.target.settle()
            && let NamedInput::InTree(found) = self.input
        {
            found.forget_content();
        }
    }

    /// Returns the file as an input.
    pub fn input(&self) -> NamedInput<'_> {
        content(self.input, &self.file)
    }

    /// Checks that the file may be replaced, and with a `suffix`, that it may get a backup, without
    /// creating a file.
    ///
    /// # Errors
    /// Those of [`OpenTarget::check`] and of the name of the backup.
    pub fn check(&self, suffix: Option<&OsStr>) -> io::Result<()> {
        if let Some(suffix) = suffix {
            check_backup(&self.target, Path::new(self.input.name()), suffix)?;
        }
        self.target.check()
    }

    /// Prepares to replace the file by the output of `work`. Returns the result of `work`, and the
    /// rewrite if that is `true`. `work` gets the file as its input. With a `suffix`, the original is
    /// kept under the name with the suffix.
    ///
    /// No file is created before the first difference. An error of the replacement does not stop
    /// `work`: its output is then discarded.
    ///
    /// # Errors
    /// Those of `work`, and of the removal of a new file that is not wanted.
    fn rewrite<T>(
        self,
        suffix: Option<&OsStr>,
        work: impl FnOnce(NamedInput<'_>, &mut Output) -> io::Result<(bool, T)>,
    ) -> io::Result<(Option<Rewrite>, T)> {
        let InPlaceTarget { input, target, file } = self;
        let path = Path::new(input.name());
        let rewrite = Rewrite::new(path, target, Arc::clone(&file), suffix);
        let mut output = rewrite.output();
        let (wanted, result) = work(content(input, &file), &mut output)?;
        // The rewrite keeps its errors: a flush does not fail.
        output.flush()?;
        if !wanted {
            rewrite.discard()?;
            return Ok((None, result));
        }
        Ok((Some(rewrite), result))
    }
}

/// Returns the content of an input whose file is open.
fn content<'b>(input: NamedInput<'b>, file: &'b Arc<File>) -> NamedInput<'b> {
    match input {
        NamedInput::File(path, _) => NamedInput::Opened(path, file),
        opened => opened,
    }
}

/// The reason why a file is not rewritten as text.
#[derive(Clone, Copy, Debug)]
pub(super) enum BinaryReason {
    /// It is text in an encoding with units of several bytes.
    CodeUnits(&'static Encoding),
    /// It starts as a known binary format does, or detection says so.
    Content,
    /// It has NUL.
    Nul,
}

impl BinaryReason {
    /// Returns the reason for a file that starts with a block.
    pub fn of(first: &FirstBlock) -> BinaryReason {
        match first.wide_codec() {
            Some(codec) => BinaryReason::CodeUnits(codec),
            None if first.is_binary_format() => BinaryReason::Content,
            None => BinaryReason::Nul,
        }
    }

    /// Returns the reason for a file that detection calls binary, which may have other controls.
    pub fn of_detected(first: &FirstBlock) -> BinaryReason {
        match BinaryReason::of(first) {
            BinaryReason::Nul if !first.bytes.contains(&0) => BinaryReason::Content,
            reason => reason,
        }
    }
}

/// Reports a skipped binary file; `does` is the verb for the work on it.
pub(super) fn report_binary(
    session: &mut Session,
    input: NamedInput<'_>,
    name: &InputName<'_>,
    does: &str,
    reason: BinaryReason,
) {
    let note = match reason {
        BinaryReason::CodeUnits(codec) => {
            let (codec, file) = (codec.name, quoted(input.name()));
            format!("is {codec}: skipped (utf8 decode -f {codec} -i {file} converts it to UTF-8)")
        }
        BinaryReason::Content => format!("is binary: skipped (--binary {does} it anyway)"),
        BinaryReason::Nul => {
            format!("contains NUL: skipped as binary (--binary {does} it anyway)")
        }
    };
    report_skipped(session, input, name, &note);
}

/// Reports a file that is left as it is. One that was named, not listed, was meant to be rewritten.
pub(super) fn report_skipped(
    session: &mut Session,
    input: NamedInput<'_>,
    name: &InputName<'_>,
    note: &str,
) {
    match input.is_named() {
        true => session.report_undone(name, note),
        false => session.note(name, note),
    }
}
