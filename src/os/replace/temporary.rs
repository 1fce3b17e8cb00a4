//! New files that are removed unless they are kept.

use std::ffi::{CStr, CString};
use std::fs::File;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io;

use super::remove_on_signal::RemoveOnSignal;
use super::resolve::Place;
use crate::os::directory::Directory;

/// A new file that is removed when the value is dropped or a signal ends the process.
#[derive(Debug)]
pub(super) struct Temporary {
    file: File,
    place: Place,
    kept: bool,
    _doomed: RemoveOnSignal,
}

impl Temporary {
    /// Creates a file with a random name in a directory, with a mode that the umask restricts.
    pub fn new(directory: &Directory, mode: u32) -> io::Result<Temporary> {
        let place = Place { directory: directory.clone(), name: name()? };
        // Registered before the file exists, so that no signal comes too early.
        let doomed = RemoveOnSignal::new(place.clone());
        let file = place.directory.create(&place.name, mode)?;
        Ok(Temporary { file, place, kept: false, _doomed: doomed })
    }

    /// Creates a file that only its owner can read.
    ///
    /// # Errors
    /// Returns `AlreadyExists` if there is an entry of this name.
    pub fn named(place: Place) -> io::Result<Temporary> {
        let file = place.directory.create(&place.name, 0o600)?;
        // Registered after the file was created: another file of the name must not be removed.
        let doomed = RemoveOnSignal::new(place.clone());
        Ok(Temporary { file, place, kept: false, _doomed: doomed })
    }

    pub fn file(&self) -> &File {
        &self.file
    }

    /// Keeps the file under its name.
    pub fn keep(mut self) {
        self.kept = true;
    }

    /// Renames the file and keeps it.
    pub fn rename(mut self, name: &CStr) -> io::Result<()> {
        self.place.directory.rename(&self.place.name, name)?;
        self.kept = true;
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.kept {
            // An error cannot be handled here.
            let _ = self.place.directory.remove(&self.place.name);
        }
    }
}

/// Returns a random file name; std seeds its hashers with random bits.
fn name() -> io::Result<CString> {
    let number = RandomState::new().build_hasher().finish();
    Ok(CString::new(format!(".utf8-{number:016x}.tmp"))?)
}
