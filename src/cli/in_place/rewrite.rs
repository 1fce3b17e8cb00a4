//! Replacement of a file that starts at the first byte in which the output differs from the file.

use std::cell::RefCell;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Seek, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use super::files::ReplacedFiles;
use crate::cli::prose::quoted;
use crate::cli::safe;
use crate::cli::session::reason;
use crate::os;
use crate::os::replace::{self, AppendedEnd, OpenTarget, Replacement};
use crate::output::Output;

/// A rewrite, shared by its output and the command that finishes it.
#[derive(Clone)]
pub(in crate::cli) struct Rewrite(Rc<RefCell<RewriteState>>);

struct RewriteState {
    path: PathBuf,
    target: OpenTarget,
    /// The suffix of the backup.
    suffix: Option<OsString>,
    /// The file of the target.
    old: Arc<File>,
    /// The number of output bytes that were compared with the file and are equal.
    same: u64,
    /// The block of the file that is compared.
    block: Vec<u8>,
    /// The replacement, once the output differs, or its error: then output is discarded.
    replacement: Option<io::Result<(Replacement, File)>>,
}

impl Rewrite {
    /// Prepares the rewrite of the file of a target. The path is for messages.
    pub fn new(path: &Path, target: OpenTarget, old: Arc<File>, suffix: Option<&OsStr>) -> Rewrite {
        let (path, suffix) = (path.to_owned(), suffix.map(OsStr::to_owned));
        let (same, block, replacement) = (0, Vec::new(), None);
        let state = RewriteState { path, target, suffix, old, same, block, replacement };
        Rewrite(Rc::new(RefCell::new(state)))
    }

    /// Returns an output that writes to the rewrite.
    pub fn output(&self) -> Output {
        Output::new(Box::new(self.clone()), "")
    }

    /// Returns `true` if the output could not be written.
    pub fn has_failed(&self) -> bool {
        matches!(self.0.borrow().replacement, Some(Err(_)))
    }

    /// Leaves the file as it is.
    ///
    /// # Errors
    /// A temporary file cannot be removed.
    pub fn discard(self) -> io::Result<()> {
        match self.0.borrow_mut().replacement.take() {
            Some(Ok((replacement, _))) => replacement.discard(),
            Some(Err(_)) | None => Ok(()),
        }
    }

    /// Replaces the file if the output differs from it. Returns `true` if it was replaced.
    /// `appended` is kept only then.
    ///
    /// # Errors
    /// Those of writing the replacement, of the backup and of the replacement itself. The file is
    /// then what it was.
    pub fn finish(
        self,
        replaced: &mut ReplacedFiles,
        appended: Option<AppendedEnd>,
    ) -> io::Result<bool> {
        self.0.borrow_mut().finish(replaced, appended)
    }
}

impl Write for Rewrite {
    /// Never fails: errors are kept for [`Rewrite::finish`].
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut state = self.0.borrow_mut();
        if let Err(error) = state.write(bytes) {
            state.replacement = Some(Err(match state.replacement.take() {
                Some(Ok((replacement, _))) => replacement.discard_after(error),
                Some(Err(_)) | None => error,
            }));
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl RewriteState {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.replacement.is_none() {
            if self.continues_with(bytes)? {
                self.same += bytes.len() as u64;
                return Ok(());
            }
            self.replacement = Some(Ok(self.begin()?));
        }
        match &mut self.replacement {
            Some(Ok((_, file))) => file.write_all(bytes),
            _ => Ok(()),
        }
    }

    /// Returns `true` if the file has these bytes after those that are equal.
    fn continues_with(&mut self, bytes: &[u8]) -> io::Result<bool> {
        self.block.resize(bytes.len(), 0);
        match self.old.read_exact_at(&mut self.block, self.same) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
            Err(error) => Err(error),
            Ok(()) => Ok(self.block == bytes),
        }
    }

    /// Starts the replacement with the bytes that are equal.
    fn begin(&self) -> io::Result<(Replacement, File)> {
        if let Some(suffix) = &self.suffix {
            // Early: the work may take long.
            check_backup(&self.target, &self.path, suffix)?;
        }
        let replacement = self.target.replace()?;
        match self.copy_start(&replacement) {
            Ok(file) => Ok((replacement, file)),
            Err(error) => Err(replacement.discard_after(error)),
        }
    }

    /// Copies the bytes that are equal. Returns the new file.
    fn copy_start(&self, replacement: &Replacement) -> io::Result<File> {
        let file = replacement.file()?;
        if self.same > 0 {
            (&*self.old).rewind()?;
            if os::blocking::copy(&self.old, &file, self.same)? != self.same {
                return Err(replace::changed());
            }
        }
        Ok(file)
    }

    fn finish(
        &mut self,
        replaced: &mut ReplacedFiles,
        appended: Option<AppendedEnd>,
    ) -> io::Result<bool> {
        if self.replacement.is_none() {
            if os::read_at(&self.old, &mut [0], self.same)? == 0 {
                return Ok(false);
            }
            // The output is shorter than the file.
            self.replacement = Some(Ok(self.begin()?));
        }
        match self.replacement.take() {
            Some(replacement) => {
                let (mut replacement, file) = replacement?;
                if let Some(appended) = appended {
                    replacement.append(appended);
                }
                match file.metadata() {
                    // Before the file has its name: another thread may be given the same name.
                    Ok(metadata) => replaced.add(&metadata),
                    Err(error) => return Err(replacement.discard_after(error)),
                }
                self.commit(replacement, replaced)?;
                Ok(true)
            }
            None => Ok(false),
        }
    }

    /// Replaces the file, and keeps its backup only then.
    fn commit(&self, mut replacement: Replacement, replaced: &mut ReplacedFiles) -> io::Result<()> {
        if let Some(suffix) = &self.suffix
            && let Err(error) = replacement.back_up(suffix)
        {
            return Err(replacement.discard_after(backup_error(&self.path, suffix, error)));
        }
        replacement.commit_unsynced(&mut replaced.unsynced, &self.path)
    }
}

/// Checks that the file of a target may get a backup. The path is for messages.
///
/// # Errors
/// There is an entry with the name of the backup.
pub(super) fn check_backup(target: &OpenTarget, path: &Path, suffix: &OsStr) -> io::Result<()> {
    target.check_backup(suffix).map_err(|error| backup_error(path, suffix, error))
}

/// Returns the message for a backup that cannot be made.
fn backup_error(path: &Path, suffix: &OsStr, error: io::Error) -> io::Error {
    match error.kind() {
        io::ErrorKind::AlreadyExists => {
            let mut name = path.as_os_str().to_owned();
            name.push(suffix);
            io::Error::other(format!(
                "{} exists, so this file may be converted already; it is unchanged (utf8 detect \
                 {} tells; if it is not converted, choose another --backup suffix)",
                safe(name),
                quoted(path.as_os_str())
            ))
        }
        _ if error.raw_os_error().is_some() => {
            io::Error::other(format!("cannot make the backup: {}", reason(&error)))
        }
        _ => error,
    }
}
