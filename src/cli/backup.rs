//! Backups of files that are rewritten in place.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::safe;
use super::session::reason;
use crate::os::replace::Replacement;

/// A backup. Dropping it removes it, unless [`keep`](Backup::keep) was called.
pub(super) struct Backup {
    name: PathBuf,
    file: File,
    kept: bool,
}

/// Returns the name of the backup of a file.
pub(super) fn backup_name(path: &Path, suffix: &OsStr) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// Checks that no file has this name: an existing backup may have the only copy of a text.
pub(super) fn check_absent(name: &Path) -> io::Result<()> {
    match fs::symlink_metadata(name) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(backup_error(&error)),
        Ok(_) => Err(io::Error::other(format!(
            "backup exists: {} (remove it, or choose another --backup suffix)",
            safe(name.as_os_str())
        ))),
    }
}

fn backup_error(error: &io::Error) -> io::Error {
    io::Error::other(format!("cannot make the backup: {}", reason(error)))
}

impl Backup {
    /// Copies a file with its owner, mode and attributes. With the mode but another owner, a set-ID
    /// bit would give the rights of the wrong user.
    pub fn make(path: &Path, name: PathBuf) -> io::Result<Backup> {
        check_absent(&name)?;
        Backup::copy(path, name).map_err(|error| backup_error(&error))
    }

    fn copy(path: &Path, name: PathBuf) -> io::Result<Backup> {
        let mut old = File::open(path)?;
        let replacement = Replacement::begin_like(&name, old.try_clone()?)?;
        let backup = Backup { name, file: replacement.file()?, kept: false };
        io::copy(&mut old, &mut &backup.file)?;
        backup.file.set_modified(old.metadata()?.modified()?)?;
        replacement.commit()?;
        Ok(backup)
    }

    /// Keeps the backup.
    pub fn keep(mut self) {
        self.kept = true;
    }

    /// Returns `true` if the name still leads to this backup; it does not before the copy is
    /// complete.
    fn is_there(&self) -> io::Result<bool> {
        let (found, made) = (fs::symlink_metadata(&self.name)?, self.file.metadata()?);
        Ok((found.dev(), found.ino()) == (made.dev(), made.ino()))
    }
}

impl Drop for Backup {
    fn drop(&mut self) {
        if !self.kept && self.is_there().unwrap_or(false) {
            // A drop cannot report an error.
            let _ = fs::remove_file(&self.name);
        }
    }
}
