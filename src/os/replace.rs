//! Atomic replacement of files.
//!
//! The new content is written into a temporary file in the same directory, which is renamed over
//! the target when it is complete and on the disk. Until then the target is unchanged, even after a
//! full disk, a signal or a crash of the system.
//!
//! A path is resolved once, into an open directory, a name in it and an open file ([`OpenTarget`]).
//! The content is read from this file, and all other work is relative to this directory: a
//! directory or symbolic link of the path that is exchanged in the meantime has no effect.
//!
//! ```
//! use std::io::Write;
//! use utf8::os::replace::Replacement;
//!
//! # let directory = tempfile::tempdir()?;
//! # let path = directory.path().join("notes.txt");
//! std::fs::write(&path, "old")?;
//! let replacement = Replacement::begin(&path)?;
//! replacement.file()?.write_all(b"new")?;
//! assert_eq!(std::fs::read(&path)?, b"old");
//! replacement.commit()?;
//! assert_eq!(std::fs::read(&path)?, b"new");
//! # Ok::<(), std::io::Error>(())
//! ```

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::Arc;
#[cfg(feature = "cli")]
use std::{thread, time::SystemTime};

use super::calls;
use super::directory::{Directory, with_suffix};
use super::stamp::FileStamp;

mod appended;
mod attributes;
mod backup;
mod resolve;
mod temporary;
mod undo_on_signal;
mod unsynced;

use backup::Backup;
use resolve::{FoundFile, Place, Resolved};
use temporary::Temporary;
use unsynced::uncertainty;

pub use appended::AppendedEnd;
pub use temporary::is_temporary;
pub use unsynced::UnsyncedFiles;

/// Advice for a file that cannot be replaced.
const OTHERWISE: &str = "write to another file, then cp that over it";

/// A path that was resolved once: an open directory, a name in it, and the file there, open for
/// reading.
///
/// Symbolic links are followed, except those that another user may have planted in a shared
/// directory such as `/tmp`.
#[derive(Clone, Debug)]
pub struct OpenTarget {
    place: Place,
    /// The last component of the path, which may be a symbolic link to the place.
    given: Place,
    found: TargetFile,
}

#[derive(Clone, Debug)]
enum TargetFile {
    Missing,
    /// A regular file, and its state when it was opened.
    Regular(Arc<File>, FileStamp),
    /// A file that is written to directly; `following` tells if the name is a symbolic link that
    /// only the system can follow.
    Direct {
        following: bool,
    },
}

impl OpenTarget {
    /// Resolves a path and opens its file, if it is regular. Other files are not opened. The
    /// path may lead to a name without a file in a directory.
    ///
    /// # Errors
    /// Returns the errors of looking up the path and of opening the file; `IsADirectory` for a
    /// directory; an error for a symbolic link that is not followed.
    pub fn open(path: &Path) -> io::Result<OpenTarget> {
        let Resolved { place, given, found } = resolve::resolve(path)?;
        let found = match found {
            FoundFile::Missing => TargetFile::Missing,
            FoundFile::Regular(file, stamp) => TargetFile::Regular(Arc::new(file), stamp),
            FoundFile::Special => TargetFile::Direct { following: false },
            FoundFile::Virtual => TargetFile::Direct { following: true },
        };
        Ok(OpenTarget { place, given, found })
    }

    /// Returns a target that was opened before: a regular file, the open directory that has it under
    /// a name, and the status of the file before it was read.
    #[cfg(feature = "cli")]
    pub(crate) fn beneath(
        directory: Directory,
        name: std::ffi::CString,
        file: Arc<File>,
        status: &std::fs::Metadata,
    ) -> OpenTarget {
        let place = Place { directory, name };
        let found = TargetFile::Regular(file, FileStamp::of(status));
        OpenTarget { given: place.clone(), place, found }
    }

    /// Checks that the target is a file that was opened before, unchanged.
    ///
    /// # Errors
    /// It is another file, or was changed.
    #[cfg(feature = "cli")]
    pub(crate) fn check_opened(&self, status: &std::fs::Metadata) -> io::Result<()> {
        match &self.found {
            TargetFile::Regular(_, stamp) if *stamp == FileStamp::of(status) => Ok(()),
            _ => Err(changed()),
        }
    }

    /// Returns `true` if two paths lead to one name in one directory.
    #[cfg(feature = "cli")]
    pub(crate) fn is_same_place(&self, other: &OpenTarget) -> bool {
        let directory = |place: &Place| place.directory.status(c".").map(|found| found.stamp);
        self.place.name == other.place.name
            && matches!(
                (directory(&self.place), directory(&other.place)),
                (Ok(a), Ok(b)) if a.is_same_file(&b)
            )
    }

    /// Returns the name of the target in its directory. Symbolic links are followed.
    #[cfg(feature = "cli")]
    pub(crate) fn name(&self) -> &OsStr {
        OsStr::from_bytes(self.place.name.as_bytes())
    }

    /// Returns the regular file of the target.
    ///
    /// # Errors
    /// Returns `NotFound` if there is none, and an error for a file that is not regular.
    pub fn file(&self) -> io::Result<&Arc<File>> {
        match &self.found {
            TargetFile::Regular(file, _) => Ok(file),
            TargetFile::Missing => Err(io::Error::from_raw_os_error(libc::ENOENT)),
            TargetFile::Direct { .. } => {
                Err(io::Error::other("not a regular file: cannot be replaced"))
            }
        }
    }

    /// Waits until each later change of a file with times of whole seconds has another time, 2 seconds at
    /// most. The file is to be read afterwards. Returns `true` if that took time.
    #[cfg(feature = "cli")]
    pub(crate) fn settle(&self) -> bool {
        let TargetFile::Regular(_, stamp) = &self.found else { return false };
        let left = stamp.unsettled(SystemTime::now());
        thread::sleep(left);
        !left.is_zero()
    }

    /// Checks that the target can be replaced, without creating a file. A file that is written to
    /// directly is not checked.
    ///
    /// # Errors
    /// Returns the errors of [`replace`](OpenTarget::replace), except those of creating a file.
    pub fn check(&self) -> io::Result<()> {
        self.check_unchanged()?;
        if let TargetFile::Regular(file, _) = &self.found {
            let links = file.metadata()?.nlink();
            if links > 1 {
                return Err(io::Error::other(format!(
                    "has {links} hard links, which would be split ({OTHERWISE})"
                )));
            }
            // A rename needs only write permission for the directory.
            self.place.directory.may_write(&self.place.name)?;
        }
        Ok(())
    }

    /// Checks that the name still has the file that was opened, unchanged, or still has none.
    fn check_unchanged(&self) -> io::Result<()> {
        let stamp = match &self.found {
            TargetFile::Regular(_, stamp) => Some(*stamp),
            TargetFile::Missing => None,
            TargetFile::Direct { .. } => return Ok(()),
        };
        let now = match self.place.directory.status(&self.place.name) {
            Err(error) if is_missing(&error) => None,
            status => Some(status?.stamp),
        };
        if now == stamp { Ok(()) } else { Err(changed()) }
    }

    /// Starts to replace the target. Its content must be read from [`file`](OpenTarget::file), so
    /// that all later changes are detected.
    ///
    /// # Errors
    /// Returns an error if the target was changed, has several hard links, or is not writable, or
    /// if no file can be created in its directory.
    pub fn replace(&self) -> io::Result<Replacement> {
        self.check()?;
        let Place { directory, name } = &self.place;
        // The content may be secret: only the owner may read it.
        let mode = match self.found {
            TargetFile::Regular(..) => 0o600,
            TargetFile::Missing => 0o666,
            TargetFile::Direct { following } => {
                let file = directory.open_to_write(name, following)?;
                if !following && file.metadata()?.is_file() {
                    return Err(changed());
                }
                return Ok(Replacement(PlacementMode::Direct(file)));
            }
        };
        let temporary = Temporary::new(directory, mode).map_err(|error| {
            let hint = "check the mode and owner of its directory";
            let denied = error.kind() == io::ErrorKind::PermissionDenied;
            if denied { failed("no file can be made beside it", &error, hint) } else { error }
        })?;
        let target = self.clone();
        let pending = PendingReplacement {
            target,
            temporary,
            is_complete: false,
            backup: None,
            appended: None,
        };
        Ok(Replacement(PlacementMode::Beside(Box::new(pending))))
    }

    /// Checks that there is no entry with the name of the path and a suffix, which a backup could
    /// have.
    ///
    /// # Errors
    /// Returns `AlreadyExists` if there is one, even a symbolic link to nothing.
    pub fn check_backup(&self, suffix: &OsStr) -> io::Result<()> {
        let Place { directory, name } = self.backup(suffix)?;
        match directory.status(&name) {
            Err(error) if is_missing(&error) => Ok(()),
            Err(error) => Err(error),
            Ok(_) => Err(io::ErrorKind::AlreadyExists.into()),
        }
    }

    /// Returns the place of a backup: beside the name that was given, with a suffix.
    fn backup(&self, suffix: &OsStr) -> io::Result<Place> {
        let name = with_suffix(&self.given.name, suffix.as_bytes())?;
        Ok(Place { directory: self.given.directory.clone(), name })
    }
}

/// A new file that replaces a target when it is complete. Dropping it earlier removes it; only a
/// process that is killed leaves a temporary file, which does not block a later run.
///
/// The target is a regular file, or does not exist yet; symbolic links are followed. A regular file
/// keeps its owner, group and mode, and on Linux its extended attributes and ACL; if that is not
/// possible, it is not replaced. Only `security.ima` and `security.evm`, which the system derives
/// from the content, may be missing from the new file, and an attribute that the new file has by
/// itself with an equal value, as usually `security.selinux`, is not set again. A new file gets the
/// attributes of any new file in the directory. Other files (devices, FIFOs, terminals) and
/// descriptors (`/dev/stdout`) are not replaced but written to directly.
///
/// The handler of a signal that ends the process (SIGTERM, SIGALRM, SIGXCPU, SIGABRT and the like)
/// first removes the temporary file and the backup of a file that is not replaced yet, and cuts off the
/// [end of another file](AppendedEnd) that was appended for it. The handlers stay installed; signals that
/// have another handler or are ignored are left alone. In a Rust program, SIGSEGV and SIGBUS have handlers
/// of std. SIGKILL, and real-time signals of systems other than Linux, Android and FreeBSD, are not handled.
#[derive(Debug)]
pub struct Replacement(PlacementMode);

#[derive(Debug)]
enum PlacementMode {
    /// Written directly: the new content is visible at once.
    Direct(File),
    Beside(Box<PendingReplacement>),
}

impl Replacement {
    /// Starts to replace the file at a path, which need not exist yet.
    ///
    /// # Errors
    /// Returns the errors of [`OpenTarget::open`] and [`OpenTarget::replace`].
    pub fn begin(path: &Path) -> io::Result<Replacement> {
        match OpenTarget::open(path).and_then(|target| target.replace()) {
            Err(error) if error.kind() == io::ErrorKind::IsADirectory => {
                Err(io::Error::other("is a directory (name a file)"))
            }
            result => result,
        }
    }

    /// Starts to replace the file at a path. Returns the file to write to, too.
    ///
    /// # Errors
    /// Those of [`begin`](Replacement::begin) and [`file`](Replacement::file).
    #[cfg(feature = "cli")]
    pub(crate) fn begin_file(path: &Path) -> io::Result<(Replacement, File)> {
        let replacement = Replacement::begin(path)?;
        match replacement.file() {
            Ok(file) => Ok((replacement, file)),
            Err(error) => Err(replacement.discard_after(error)),
        }
    }

    /// Returns the file to write the new content to.
    ///
    /// # Errors
    /// Returns the errors of duplicating a descriptor.
    pub fn file(&self) -> io::Result<File> {
        match &self.0 {
            PlacementMode::Direct(file) => file.try_clone(),
            PlacementMode::Beside(pending) => pending.temporary.file().try_clone(),
        }
    }

    /// Keeps the file that is replaced, if there is one, under the name of the path with a suffix:
    /// as a hard link, or where that is not possible as a copy. The new content must be complete.
    /// The backup is removed if the replacement is not committed. Only a process that is killed in
    /// between leaves it beside the unchanged file.
    ///
    /// # Errors
    /// Returns `AlreadyExists` if there is an entry of this name, and the errors of
    /// [`commit`](Replacement::commit) before the target is replaced.
    pub fn back_up(&mut self, suffix: &OsStr) -> io::Result<()> {
        match &mut self.0 {
            PlacementMode::Direct(_) => Ok(()),
            PlacementMode::Beside(pending) => pending.back_up(suffix),
        }
    }

    /// Keeps the end of another file if the target is replaced, and otherwise cuts it off.
    pub fn append(&mut self, appended: AppendedEnd) {
        match &mut self.0 {
            PlacementMode::Direct(_) => appended.keep(),
            PlacementMode::Beside(pending) => pending.appended = Some(appended),
        }
    }

    /// Removes the file, as dropping it does.
    ///
    /// # Errors
    /// Returns an error that names the temporary file or the backup if it cannot be removed.
    #[cfg(feature = "cli")]
    pub(crate) fn discard(self) -> io::Result<()> {
        match self.0 {
            PlacementMode::Direct(_) => Ok(()),
            PlacementMode::Beside(pending) => pending.discard(),
        }
    }

    /// Removes the file after an error. Returns the error, with that of
    /// [`discard`](Replacement::discard) if there is one.
    #[cfg(feature = "cli")]
    pub(crate) fn discard_after(self, error: io::Error) -> io::Error {
        match self.0 {
            PlacementMode::Direct(_) => error,
            PlacementMode::Beside(pending) => pending.discard_after(error),
        }
    }

    /// Replaces the target by the file if its content was written, and otherwise removes it.
    ///
    /// # Errors
    /// Returns the error of writing the content, or those of [`commit`](Replacement::commit).
    #[cfg(feature = "cli")]
    pub(crate) fn commit_after(self, written: io::Result<()>) -> io::Result<()> {
        match written {
            Ok(()) => self.commit(),
            Err(error) => Err(self.discard_after(error)),
        }
    }

    /// Replaces the target by the file, which must be complete.
    ///
    /// # Errors
    /// Returns an error and leaves the target unchanged if it was changed since it was opened, if
    /// its owner, group, mode or attributes cannot be kept, or if the new content cannot be written
    /// to the disk. If only the directory cannot be written to the disk, the target is replaced and
    /// the error says so.
    pub fn commit(self) -> io::Result<()> {
        match self.0 {
            PlacementMode::Direct(_) => Ok(()),
            PlacementMode::Beside(pending) => {
                pending.commit()?.sync().map_err(|error| uncertainty(&error))
            }
        }
    }

    /// Replaces the target by the file, which must be complete, and leaves it to `unsynced` to
    /// write the directory to the disk. The path is for messages.
    ///
    /// # Errors
    /// Returns the errors of [`commit`](Replacement::commit).
    pub fn commit_unsynced(self, unsynced: &mut UnsyncedFiles, path: &Path) -> io::Result<()> {
        match self.0 {
            PlacementMode::Direct(_) => Ok(()),
            PlacementMode::Beside(pending) => {
                let added = unsynced.add(pending.commit()?, path);
                added.map_err(|error| uncertainty(&error))
            }
        }
    }
}

/// A temporary file and the target that it replaces.
#[derive(Debug)]
struct PendingReplacement {
    target: OpenTarget,
    temporary: Temporary,
    /// True if the temporary file has its attributes and is on the disk.
    is_complete: bool,
    backup: Option<Backup>,
    appended: Option<AppendedEnd>,
}

impl PendingReplacement {
    /// Gives the temporary file its attributes and writes it to the disk.
    fn complete(&mut self) -> io::Result<()> {
        if self.is_complete {
            return Ok(());
        }
        self.target.check_unchanged()?;
        if let TargetFile::Regular(file, _) = &self.target.found {
            attributes::keep(file, self.temporary.file())?;
        }
        self.temporary.file().sync_all()?;
        self.is_complete = true;
        Ok(())
    }

    fn back_up(&mut self, suffix: &OsStr) -> io::Result<()> {
        self.complete()?;
        self.target.check_unchanged()?;
        let to = self.target.backup(suffix)?;
        let TargetFile::Regular(file, stamp) = &mut self.target.found else { return Ok(()) };
        let directory = to.directory.clone();
        self.backup = Some(Backup::make(file, stamp, &self.target.place, to)?);
        if !directory.is(&self.target.place.directory) {
            directory.sync()?;
        }
        Ok(())
    }

    /// Replaces the target. Returns its directory.
    fn commit(mut self) -> io::Result<Directory> {
        if let Err(error) = self.take_place() {
            return Err(self.discard_after(error));
        }
        if let Some(backup) = self.backup {
            backup.keep();
        }
        if let Some(appended) = self.appended {
            appended.keep();
        }
        Ok(self.target.place.directory)
    }

    /// Gives the temporary file the name of the target.
    fn take_place(&mut self) -> io::Result<()> {
        self.complete()?;
        self.target.check_unchanged()?;
        undo_on_signal::uninterrupted(|| {
            // Before the rename: after it, only the backup has the old content, and only the other file the
            // lines that were appended.
            if let Some(backup) = &mut self.backup {
                backup.leave_on_signal();
            }
            if let Some(appended) = &mut self.appended {
                appended.leave_on_signal();
            }
            let renamed = self.temporary.rename(&self.target.place.name);
            if renamed.is_err() {
                if let Some(backup) = &mut self.backup {
                    backup.remove_on_signal();
                }
                if let Some(appended) = &mut self.appended {
                    appended.cut_on_signal();
                }
            }
            renamed.map_err(|error| refused(&error))
        })
    }

    /// Removes the temporary file and the backup.
    fn discard(self) -> io::Result<()> {
        let left = [
            self.temporary.discard(),
            self.backup.map_or(Ok(()), Backup::discard),
            self.appended.map_or(Ok(()), AppendedEnd::discard),
        ];
        let left: Vec<_> =
            left.into_iter().filter_map(Result::err).map(|e| e.to_string()).collect();
        if left.is_empty() { Ok(()) } else { Err(io::Error::other(left.join("; "))) }
    }

    /// Removes both after an error. Returns the error, which names those that are left.
    fn discard_after(self, error: io::Error) -> io::Error {
        with_removal(error, self.discard())
    }
}

/// Returns an error, with that of the removal of a file after it if there is one.
fn with_removal(error: io::Error, removed: io::Result<()>) -> io::Error {
    match removed {
        Ok(()) => error,
        Err(left) => io::Error::other(format!("{}; {left}", calls::error_text(&error))),
    }
}

/// Returns the error for a file that was changed since it was opened.
pub(crate) fn changed() -> io::Error {
    io::Error::other("changed during the rewrite; not replaced (run again)")
}

/// Returns the error of a rename.
fn refused(error: &io::Error) -> io::Error {
    match error.raw_os_error() {
        Some(libc::EBUSY) => io::Error::other(format!(
            "cannot be replaced: is mounted by itself, as into a container, or in use ({OTHERWISE})"
        )),
        _ => failed("cannot be replaced", error, OTHERWISE),
    }
}

/// Returns `true` if an error says that there is no file of a name.
fn is_missing(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::NotFound
}

/// Returns an error with a message, its cause and advice.
fn failed(failure: &str, error: &io::Error, hint: &str) -> io::Error {
    io::Error::other(format!("{failure}: {} ({hint})", calls::error_text(error)))
}
