//! Output option: standard output, or a file that is replaced atomically.

use std::fs::{File, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;

use super::args::InputArgs;
use super::inputs::NamedInput;
use super::prose::quoted;
use super::session::{Session, reason};
use super::{Status, inputs};
use crate::os::replace::{OpenTarget, Replacement};
use crate::os::stamp::FileId;

/// The names of standard output as a file.
const STANDARD_OUTPUT_NAMES: [&str; 3] = ["-", "/dev/stdout", "/dev/fd/1"];

/// The option that names the output.
#[derive(Args, Debug)]
pub(super) struct OutputArgs {
    /// Write to FILE, which is replaced only on success
    ///
    /// See REPLACED FILES in utf8(1).
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,
}

impl OutputArgs {
    /// Returns `true` if a file is named.
    pub fn is_some(&self) -> bool {
        self.output.is_some()
    }

    /// Returns the path of the file.
    pub fn path(&self) -> Option<&Path> {
        self.output.as_deref()
    }

    /// Returns `true` if `--output` replaces this input.
    pub fn replaces(&self, input: NamedInput<'_>) -> bool {
        let Some(path) = self.path().filter(|path| !is_standard_output(path)) else { return false };
        match input {
            NamedInput::File(file, _) => is_same_place(file, path),
            NamedInput::Stdin(_) => is_same_place(Path::new("/dev/stdin"), path),
            _ => false,
        }
    }

    /// Returns `true` if `--output` may replace an input that is a file: the names in a list are not
    /// known yet.
    pub fn may_replace_input(&self, input: &InputArgs) -> bool {
        let Some(path) = self.path().filter(|path| !is_standard_output(path)) else { return false };
        !input.files_from.is_empty() || input.files.iter().any(|file| is_same_place(file, path))
    }

    /// Redirects the session to the file of `--output`, which [`commit`] replaces.
    pub fn begin(&self, session: &mut Session) -> anyhow::Result<Option<Replacement>> {
        let Some(path) = self.path().filter(|path| !is_standard_output(path)) else {
            session.check_output()?;
            return Ok(None);
        };
        let NewFile { name, replacement, file } = NewFile::begin(session, path)?;
        session.write_to(file, &name);
        Ok(Some(replacement))
    }

    /// Replaces the file if the run succeeded. A file of settings is replaced if it was named as an
    /// input, too.
    pub fn commit(
        &self,
        session: &mut Session,
        input: &InputArgs,
        replacement: Option<Replacement>,
    ) -> anyhow::Result<()> {
        let (Some(path), Some(replacement)) = (self.path(), replacement) else { return Ok(()) };
        let name = session.out.name().to_owned();
        // A write may have failed before the last.
        let written = session.out.flush().is_ok() && !session.out.failed();
        let done = if written && session.status == Status::Good {
            replacement.commit_after(
                match input.files.iter().any(|file| is_same_place(file, path)) {
                    true => Ok(()),
                    false => inputs::check_unprotected(path),
                },
            )
        } else {
            replacement.discard()
        };
        done.map_err(|error| anyhow::anyhow!("{name}: {}", reason(&error)))
    }
}

/// Returns `true` for a name of standard output, which is not replaced: a second descriptor would write
/// from its start.
pub(super) fn is_standard_output(path: &Path) -> bool {
    STANDARD_OUTPUT_NAMES.iter().any(|name| path.as_os_str() == *name)
}

/// The new content of a file that is replaced.
pub(super) struct NewFile {
    /// The name for messages.
    pub name: String,
    pub replacement: Replacement,
    /// The file to write to.
    pub file: File,
}

impl NewFile {
    /// Begins the replacement of a file.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn begin(session: &Session, path: &Path) -> anyhow::Result<NewFile> {
        let name = session.name(path.as_os_str());
        let name = String::from_utf8_lossy(name.shown()).into_owned();
        let trouble = |error: io::Error| anyhow::anyhow!("{name}: {}", reason(&error));
        inputs::check_unprotected(path).map_err(trouble)?;
        let directory = directory_of(path);
        if !directory.exists() {
            let missing = quoted(directory.as_os_str());
            anyhow::bail!("{name}: its directory does not exist (mkdir -p {missing})");
        }
        let (replacement, file) = Replacement::begin_file(path).map_err(trouble)?;
        Ok(NewFile { name, replacement, file })
    }
}

/// Returns the directory of a path.
pub(super) fn directory_of(path: &Path) -> &Path {
    path.parent().filter(|directory| !directory.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Returns `true` if both are the metadata of one file.
pub(super) fn is_same_file(a: &Metadata, b: &Metadata) -> bool {
    FileId::of(a) == FileId::of(b)
}

/// Returns `true` if two paths lead to one file, which need not exist.
pub(super) fn is_same_place(a: &Path, b: &Path) -> bool {
    if let (Ok(a), Ok(b)) = (a.metadata(), b.metadata()) {
        return is_same_file(&a, &b);
    }
    // A symbolic link to nothing leads to the place of the file that would be made.
    matches!((OpenTarget::open(a), OpenTarget::open(b)), (Ok(a), Ok(b)) if a.is_same_place(&b))
}
