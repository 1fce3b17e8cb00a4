//! Backups of files that are replaced.

use std::fs::File;
use std::io::{self, Seek};

use super::resolve::Place;
use super::temporary::Temporary;
use super::{attributes, changed, failed};
use crate::os::FileStamp;

/// A backup. Dropping it removes it, unless [`keep`](Backup::keep) was called.
#[derive(Debug)]
pub(super) struct Backup {
    place: Place,
    stamp: FileStamp,
    kept: bool,
}

impl Backup {
    /// Gives the file at a place another name, or copies it with its attributes where the file
    /// system has no hard links or forbids this one. `stamp` is the state of the file, which a link
    /// changes.
    ///
    /// # Errors
    /// Returns `AlreadyExists` if there is an entry of the other name, even a symbolic link; an
    /// error if the file was changed.
    pub fn make(file: &File, stamp: &mut FileStamp, from: &Place, to: Place) -> io::Result<Backup> {
        match from.directory.link(&from.name, &to.directory, &to.name) {
            Ok(()) => {
                let mut backup = Backup { place: to, stamp: *stamp, kept: false };
                backup.stamp = backup.place.directory.status(&backup.place.name)?.stamp;
                let now = FileStamp::of(&file.metadata()?);
                if !backup.stamp.is_same_file(stamp) || !now.has_same_content(stamp) {
                    return Err(changed());
                }
                *stamp = now;
                Ok(backup)
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
            Err(_) => Backup::copy(file, to),
        }
    }

    fn copy(mut file: &File, to: Place) -> io::Result<Backup> {
        let copy = Temporary::named(to.clone())?;
        file.rewind()?;
        io::copy(&mut file, &mut copy.file())?;
        copy.file().set_modified(file.metadata()?.modified()?)?;
        attributes::keep(file, copy.file())?;
        copy.file().sync_all()?;
        let stamp = FileStamp::of(&copy.file().metadata()?);
        copy.keep();
        Ok(Backup { place: to, stamp, kept: false })
    }

    /// Removes the backup, if it is still the file under its name.
    ///
    /// # Errors
    /// Returns an error that names the backup, which is left.
    pub fn discard(mut self) -> io::Result<()> {
        self.kept = true;
        self.remove().map_err(|error| {
            let name = self.place.name.to_string_lossy();
            failed(&format!("the backup {name} is left"), &error, "remove it")
        })
    }

    /// Keeps the backup.
    pub fn keep(mut self) {
        self.kept = true;
    }

    fn remove(&self) -> io::Result<()> {
        let Place { directory, name } = &self.place;
        match directory.status(name).is_ok_and(|at| at.stamp.is_same_file(&self.stamp)) {
            true => directory.remove(name),
            false => Ok(()),
        }
    }
}

impl Drop for Backup {
    fn drop(&mut self) {
        if !self.kept {
            // A drop cannot report an error.
            let _ = self.remove();
        }
    }
}
