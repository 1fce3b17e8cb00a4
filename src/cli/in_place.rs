//! Options of commands that rewrite their input files, and the files that can be rewritten.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;

use clap::Args;

use super::args::InputArgs;
use super::first_block::FirstBlock;
use super::inputs::NamedInput;
use super::prose::quoted;
use super::session::Session;
use super::{Status, safe};
use crate::os::replace::OpenTarget;
use crate::output::Output;
use crate::text::name::InputName;
use rewrite::Rewrite;

pub(super) mod files;
mod rewrite;

#[derive(Args, Debug)]
pub(super) struct InPlaceArgs {
    /// Rewrite each file in place
    ///
    /// See REPLACED FILES in utf8(1).
    #[arg(short, long, help_heading = "Output", conflicts_with_all = ["text", "hex", "skip", "length", "output"])]
    in_place: bool,

    /// Keep the original of a file as NAME + SUFFIX
    ///
    /// If the backup exists, the file is left as it is, with exit status 2.
    #[arg(long, value_name = "SUFFIX", help_heading = "Output", value_parser = suffix, requires = "in_place")]
    backup: Option<OsString>,
}

impl InPlaceArgs {
    /// Returns `true` if files are rewritten.
    pub fn is_wanted(&self) -> bool {
        self.in_place
    }

    /// Returns the suffix of backups.
    pub fn backup(&self) -> Option<&OsStr> {
        self.backup.as_deref()
    }

    /// Checks that there are files to rewrite.
    pub fn check(&self, input: &InputArgs) -> anyhow::Result<()> {
        if self.in_place && input.files.is_empty() && input.files_from.is_empty() {
            anyhow::bail!("--in-place needs a FILE");
        }
        Ok(())
    }
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
    path: &'a Path,
    target: OpenTarget,
    file: Arc<File>,
}

impl<'a> InPlaceTarget<'a> {
    /// Opens the file of an input.
    ///
    /// # Errors
    /// Those of [`OpenTarget::open`]; the input is not a regular file.
    pub fn open(input: NamedInput<'a>) -> io::Result<InPlaceTarget<'a>> {
        let NamedInput::File(path, _) = input else {
            return Err(io::Error::other("cannot be rewritten in place (name a file)"));
        };
        let target = OpenTarget::open(path)?;
        let file = target.file().map(Arc::clone).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => error,
            _ => io::Error::other(format!("{error} (leave out --in-place)")),
        })?;
        Ok(InPlaceTarget { path, target, file })
    }

    /// Returns the file as an input.
    pub fn input(&self) -> NamedInput<'_> {
        NamedInput::Opened(self.path, &self.file)
    }

    /// Checks that the file may be replaced, without creating a file.
    ///
    /// # Errors
    /// Those of [`OpenTarget::check`].
    pub fn check(&self) -> io::Result<()> {
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
    /// Those of `work`.
    fn rewrite<T>(
        self,
        suffix: Option<&OsStr>,
        work: impl FnOnce(NamedInput<'_>, &mut Output) -> io::Result<(bool, T)>,
    ) -> io::Result<(Option<Rewrite>, T)> {
        let input = NamedInput::Opened(self.path, &self.file);
        let rewrite = Rewrite::new(self.path, self.target, Arc::clone(&self.file), suffix);
        let mut output = rewrite.output();
        let (wanted, result) = work(input, &mut output)?;
        // The rewrite keeps its errors: a flush does not fail.
        output.flush()?;
        Ok((wanted.then_some(rewrite), result))
    }
}

/// Reports a skipped binary file; `does` is the verb for the work on it. A file that was named, not
/// listed, was meant to be rewritten.
pub(super) fn report_binary(
    session: &mut Session,
    input: NamedInput<'_>,
    name: &InputName<'_>,
    does: &str,
    first: &FirstBlock,
) {
    if matches!(input, NamedInput::File(_, false)) {
        session.raise(Status::Bad);
    }
    let note = match first.wide_codec() {
        Some(codec) => {
            let (codec, file) = (codec.name, safe(quoted(input.name())));
            format!("is {codec}: skipped (utf8 decode -f {codec} -i {file} converts it to UTF-8)")
        }
        None => format!("contains NUL: skipped as binary (--binary {does} it anyway)"),
    };
    session.note(name, &note);
}
