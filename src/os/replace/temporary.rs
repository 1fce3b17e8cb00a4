//! New files that are removed unless they are kept.

use std::ffi::{CStr, CString, OsStr};
use std::fs::File;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io;
use std::os::unix::ffi::OsStrExt;

use super::resolve::Place;
use super::undo_on_signal::{self, SignalUndo, UndoOnSignal};
use super::{failed, is_missing};
use crate::os::directory::Directory;
use crate::os::stamp::FileStamp;

/// A new file that is removed when the value is dropped or a signal ends the process.
#[derive(Debug)]
pub(super) struct Temporary {
    file: File,
    place: Place,
    kept: bool,
    registration: Option<UndoOnSignal>,
}

impl Temporary {
    /// Creates a file with a random name in a directory, with a mode that the umask restricts.
    pub fn new(directory: &Directory, mode: u32) -> io::Result<Temporary> {
        let place = Place { directory: directory.clone(), name: name()? };
        Temporary::create(place, mode)
    }

    /// Creates a file that only its owner can read.
    ///
    /// # Errors
    /// Returns `AlreadyExists` if there is an entry of this name.
    pub fn named(place: Place) -> io::Result<Temporary> {
        Temporary::create(place, 0o600)
    }

    fn create(place: Place, mode: u32) -> io::Result<Temporary> {
        // Before the file exists: an allocation may fail.
        let registered = Box::new(SignalUndo::Remove(place.clone()));
        undo_on_signal::uninterrupted(|| {
            let file = place.directory.create(&place.name, mode)?;
            // Registered after the file was created: another file of the name must not be removed.
            let registration = Some(UndoOnSignal::new(registered));
            Ok(Temporary { file, place, kept: false, registration })
        })
    }

    pub fn file(&self) -> &File {
        &self.file
    }

    /// Keeps the file under its name. Returns its registration: while
    /// that exists, a signal removes the file.
    pub fn keep(mut self) -> Option<UndoOnSignal> {
        self.kept = true;
        self.registration.take()
    }

    /// Removes the file.
    ///
    /// # Errors
    /// Returns an error that names the file, which is left.
    pub fn discard(mut self) -> io::Result<()> {
        self.remove().map_err(|error| {
            let name = self.place.name.to_string_lossy();
            failed(&format!("the temporary file {name} is left beside it"), &error, "remove it")
        })
    }

    /// Removes the file, if it still has its name. Another attempt does nothing.
    pub fn remove(&mut self) -> io::Result<()> {
        if std::mem::replace(&mut self.kept, true) || self.is_replaced()? {
            return Ok(());
        }
        match self.place.directory.remove(&self.place.name) {
            Err(error) if is_missing(&error) => Ok(()),
            removed => removed,
        }
    }

    /// Returns `true` if another file has the name by now.
    fn is_replaced(&self) -> io::Result<bool> {
        match self.place.directory.status(&self.place.name) {
            Ok(entry) => Ok(!entry.stamp.is_same_file(&FileStamp::of(&self.file.metadata()?))),
            // The call that needs the name reports why it cannot be had.
            Err(_) => Ok(false),
        }
    }

    /// Renames the file and keeps it.
    ///
    /// # Errors
    /// Those of renaming; another file has its name by now.
    pub fn rename(&mut self, name: &CStr) -> io::Result<()> {
        if self.is_replaced()? {
            return Err(io::Error::other("another process replaced the temporary file"));
        }
        let renamed = self.place.directory.rename(&self.place.name, name);
        if renamed.is_err() && undo_on_signal::is_ending() {
            // The file was removed: that is no error to report.
            undo_on_signal::wait_for_end();
        }
        renamed?;
        self.kept = true;
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // A drop cannot report an error.
        let _ = self.remove();
    }
}

/// The start and the end of names of temporary files.
const AFFIXES: (&str, &str) = (".utf8-", ".tmp");

/// The number of hex digits in such a name.
const DIGITS: usize = 16;

/// Returns a random file name; std seeds its hashers with random bits.
fn name() -> io::Result<CString> {
    let number = RandomState::new().build_hasher().finish();
    Ok(CString::new(format!("{}{number:0DIGITS$x}{}", AFFIXES.0, AFFIXES.1))?)
}

/// Returns `true` for the name of a temporary file of a [`Replacement`](super::Replacement).
pub fn is_temporary(name: &OsStr) -> bool {
    let number = name.as_bytes().strip_prefix(AFFIXES.0.as_bytes());
    let number = number.and_then(|rest| rest.strip_suffix(AFFIXES.1.as_bytes()));
    number.is_some_and(|digits| digits.len() == DIGITS && digits.iter().all(u8::is_ascii_hexdigit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg_attr(miri, ignore = "Miri opens no file in a directory")]
    fn another_file_is_neither_renamed_nor_removed() {
        let folder = tempfile::tempdir().unwrap();
        let directory = Directory::at(folder.path()).unwrap();
        let mut temporary = Temporary::new(&directory, 0o600).unwrap();
        let path = folder.path().join(OsStr::from_bytes(temporary.place.name.to_bytes()));
        std::fs::remove_file(&path).unwrap();
        std::os::unix::fs::symlink("elsewhere", &path).unwrap();
        assert!(temporary.rename(c"target").is_err());
        assert!(!folder.path().join("target").is_symlink());
        temporary.discard().unwrap();
        assert!(path.is_symlink());
    }

    #[test]
    fn names_of_temporary_files_are_known_again() {
        let name = name().unwrap();
        assert!(is_temporary(OsStr::from_bytes(name.as_bytes())));
        for other in [".utf8-.tmp", ".utf8-notes.tmp", "utf8-0123456789abcdef.tmp"] {
            assert!(!is_temporary(OsStr::new(other)), "{other}");
        }
    }
}
