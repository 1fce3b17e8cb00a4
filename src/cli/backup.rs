//! How is kept what a file was before it is rewritten? As a copy of all that it has.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::safe;
use super::session::reason;
use crate::os::replace::Replacement;

/// A copy of a file. It is removed when this is dropped, unless it is to stay.
pub(super) struct Backup {
    name: PathBuf,
    file: File,
    stays: bool,
}

/// What the backup of a file is called.
pub(super) fn name(path: &Path, suffix: &OsStr) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// See that there is no backup of this name, which may have the only copy of a text.
pub(super) fn vet(name: &Path) -> io::Result<()> {
    match fs::symlink_metadata(name) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(failed(&error)),
        Ok(_) => Err(io::Error::other(format!(
            "backup exists: {} (remove it, or choose another --backup suffix)",
            safe(name.as_os_str())
        ))),
    }
}

fn failed(error: &io::Error) -> io::Error {
    io::Error::other(format!("cannot make the backup: {}", reason(error)))
}

impl Backup {
    /// Copy a file, with all that it has: with its mode alone, but another owner, a set-id bit
    /// would be another one's.
    pub fn make(path: &Path, name: PathBuf) -> io::Result<Backup> {
        vet(&name)?;
        Backup::copy(path, name).map_err(|error| failed(&error))
    }

    fn copy(path: &Path, name: PathBuf) -> io::Result<Backup> {
        let mut old = File::open(path)?;
        let replacement = Replacement::begin_like(&name, old.try_clone()?)?;
        let backup = Backup { name, file: replacement.file()?, stays: false };
        io::copy(&mut old, &mut &backup.file)?;
        backup.file.set_modified(old.metadata()?.modified()?)?;
        replacement.commit()?;
        Ok(backup)
    }

    /// Leave it there.
    pub fn stay(mut self) {
        self.stays = true;
    }

    /// Whether it is what its name stands for. Before all of it is written, that is nothing.
    fn is_there(&self) -> io::Result<bool> {
        let (found, made) = (fs::symlink_metadata(&self.name)?, self.file.metadata()?);
        Ok((found.dev(), found.ino()) == (made.dev(), made.ino()))
    }
}

impl Drop for Backup {
    fn drop(&mut self) {
        if !self.stays && self.is_there().unwrap_or(false) {
            // Nothing more can be done about it.
            let _ = fs::remove_file(&self.name);
        }
    }
}
