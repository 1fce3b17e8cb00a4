//! Backups of files that are replaced.

use std::fs::File;
use std::io::{self, Seek};

use super::resolve::Place;
use super::temporary::Temporary;
use super::undo_on_signal::{self, SignalUndo, UndoOnSignal};
use super::{attributes, changed, failed, is_missing, with_removal};
use crate::os::{FileStamp, blocking};

/// A backup. It is removed when the value is dropped or a signal ends the process, unless
/// [`keep`](Backup::keep) was called.
#[derive(Debug)]
pub(super) struct Backup {
    place: Place,
    stamp: FileStamp,
    kept: bool,
    registration: Option<UndoOnSignal>,
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
        // Before the link exists: an allocation may fail.
        let registered = Box::new(SignalUndo::Remove(to.clone()));
        let linked: io::Result<_> = undo_on_signal::uninterrupted(|| {
            from.directory.link(&from.name, &to.directory, &to.name)?;
            Ok(UndoOnSignal::new(registered))
        });
        match linked {
            Ok(registration) => {
                let registration = Some(registration);
                let mut backup = Backup { place: to, stamp: *stamp, kept: false, registration };
                match backup.confirm(file, stamp) {
                    Ok(()) => Ok(backup),
                    Err(error) => Err(with_removal(error, backup.discard())),
                }
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
            Err(_) => Backup::copy(file, to),
        }
    }

    /// Checks that the new name has the file, unchanged. Updates its state.
    fn confirm(&mut self, file: &File, stamp: &mut FileStamp) -> io::Result<()> {
        self.stamp = self.place.directory.status(&self.place.name)?.stamp;
        let now = FileStamp::of(&file.metadata()?);
        if !self.stamp.is_same_file(stamp) || !now.has_same_content(stamp) {
            return Err(changed());
        }
        *stamp = now;
        Ok(())
    }

    fn copy(file: &File, to: Place) -> io::Result<Backup> {
        let mut copy = Temporary::named(to.clone())?;
        match copy_to(file, copy.file()) {
            Ok(stamp) => {
                let registration = copy.keep();
                Ok(Backup { place: to, stamp, kept: false, registration })
            }
            Err(error) => {
                let removed = copy.remove().map_err(|error| is_left(&to, &error));
                Err(with_removal(error, removed))
            }
        }
    }

    /// Removes the backup, if it is still the file under its name.
    ///
    /// # Errors
    /// Returns an error that names the backup, which is left.
    pub fn discard(mut self) -> io::Result<()> {
        self.kept = true;
        self.remove().map_err(|error| is_left(&self.place, &error))
    }

    /// Leaves the backup when a signal ends the process.
    pub fn leave_on_signal(&mut self) {
        self.registration = None;
    }

    /// Removes the backup again when a signal ends the process.
    pub fn remove_on_signal(&mut self) {
        let removal = Box::new(SignalUndo::Remove(self.place.clone()));
        self.registration = Some(UndoOnSignal::new(removal));
    }

    /// Keeps the backup.
    pub fn keep(mut self) {
        self.kept = true;
    }

    fn remove(&self) -> io::Result<()> {
        let Place { directory, name } = &self.place;
        match directory.status(name) {
            Ok(entry) if entry.stamp.is_same_file(&self.stamp) => directory.remove(name),
            Err(error) if !is_missing(&error) => Err(error),
            _ => Ok(()),
        }
    }
}

/// Copies a file with its attributes to the disk. Returns the state of the copy.
fn copy_to(mut file: &File, copy: &File) -> io::Result<FileStamp> {
    file.rewind()?;
    blocking::copy(file, copy, u64::MAX)?;
    copy.set_modified(file.metadata()?.modified()?)?;
    attributes::keep(file, copy)?;
    copy.sync_all()?;
    Ok(FileStamp::of(&copy.metadata()?))
}

/// Returns the error for a backup that cannot be removed.
fn is_left(place: &Place, error: &io::Error) -> io::Error {
    failed(&format!("the backup {} is left", place.name.to_string_lossy()), error, "remove it")
}

impl Drop for Backup {
    fn drop(&mut self) {
        if !self.kept {
            // A drop cannot report an error.
            let _ = self.remove();
        }
    }
}
