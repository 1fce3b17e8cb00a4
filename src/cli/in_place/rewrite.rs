//! Replacement of a file that starts at the first byte in which the output differs from the file.

use std::cell::RefCell;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::cli::backup::{self, Backup};
use crate::os::FileStamp;
use crate::os::replace::{self, Replacement};
use crate::output::Output;

/// A rewrite, shared by its output and the command that finishes it.
#[derive(Clone)]
pub(super) struct Rewrite(Rc<RefCell<RewriteState>>);

struct RewriteState {
    path: PathBuf,
    /// The state of the file before it was read.
    stamp: FileStamp,
    backup: Option<PathBuf>,
    /// The file as it was opened.
    old: File,
    /// The number of output bytes that were compared with the file and are equal.
    same: u64,
    /// The block of the file that is compared.
    block: Vec<u8>,
    /// The replacement, once the output differs, or its error: then output is discarded.
    replacement: Option<io::Result<(Replacement, File)>>,
}

impl Rewrite {
    /// Prepares the rewrite of a file that had this stamp before it was read.
    ///
    /// # Errors
    /// Those of opening the file.
    pub fn start(path: &Path, stamp: FileStamp, suffix: Option<&OsStr>) -> io::Result<Rewrite> {
        let old = File::open(path)?;
        let backup = suffix.map(|suffix| backup::backup_name(path, suffix));
        let (path, same, block, replacement) = (path.to_owned(), 0, Vec::new(), None);
        let state = RewriteState { path, stamp, backup, old, same, block, replacement };
        Ok(Rewrite(Rc::new(RefCell::new(state))))
    }

    /// Returns an output that writes to the rewrite.
    pub fn output(&self) -> Output {
        Output::new(Box::new(self.clone()), "")
    }

    /// Replaces the file if the output differs from it. Returns `true` if it was replaced.
    ///
    /// # Errors
    /// Those of writing the replacement, of the backup and of the replacement itself. The file is
    /// then what it was.
    pub fn finish(self) -> io::Result<bool> {
        self.0.borrow_mut().finish()
    }
}

impl Write for Rewrite {
    /// Never fails: errors are kept for [`Rewrite::finish`].
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut state = self.0.borrow_mut();
        if let Err(error) = state.write(bytes) {
            state.replacement = Some(Err(error));
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
        if let Some(name) = &self.backup {
            // Early: the work may take long.
            backup::check_absent(name)?;
        }
        if !Replacement::is_possible(&self.path)? {
            return Err(not_regular());
        }
        let replacement = Replacement::begin(&self.path)?;
        if replacement.is_direct() {
            return Err(not_regular());
        }
        let mut file = replacement.file()?;
        if !self.is_unchanged()? || self.copy_start(&mut file)? != self.same {
            return Err(replace::changed());
        }
        Ok((replacement, file))
    }

    /// Copies the bytes that are equal. Returns their number.
    fn copy_start(&self, file: &mut File) -> io::Result<u64> {
        match self.same {
            0 => Ok(0),
            same => io::copy(&mut (&self.old).take(same), file),
        }
    }

    /// Returns `true` if the file is what it was before it was read.
    fn is_unchanged(&self) -> io::Result<bool> {
        Ok(FileStamp::of(&fs::metadata(&self.path)?) == self.stamp)
    }

    fn finish(&mut self) -> io::Result<bool> {
        if self.replacement.is_none() {
            if self.old.read_at(&mut [0], self.same)? == 0 {
                return Ok(false);
            }
            // The output is shorter than the file.
            self.replacement = Some(Ok(self.begin()?));
        }
        match self.replacement.take() {
            Some(replacement) => self.commit(replacement?.0).map(|()| true),
            None => Ok(false),
        }
    }

    /// Replaces the file, and keeps its backup only then.
    fn commit(&self, replacement: Replacement) -> io::Result<()> {
        let name = self.backup.clone();
        let backup = name.map(|name| Backup::make(&self.path, name)).transpose()?;
        let committed = replacement.commit();
        // After one error it is replaced already, and may be lost but for its backup.
        let replaced = committed.is_ok() || !self.is_unchanged().unwrap_or(false);
        if let Some(backup) = backup.filter(|_| replaced) {
            backup.keep();
        }
        committed
    }
}

/// Returns the error of a file that is not regular.
pub(super) fn not_regular() -> io::Error {
    io::Error::other("is not a regular file (leave out --in-place)")
}
