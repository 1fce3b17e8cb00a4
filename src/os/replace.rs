//! Atomic replacement of files.
//!
//! The new content is written into a temporary file in the same directory, which is renamed over
//! the target when it is complete and on the disk. Until then the target is unchanged, even after a
//! full disk, a signal or a crash of the system.
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

use std::fs::{self, File, Metadata};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use super::calls;
use super::stamp::FileStamp;

mod remove_on_signal;

mod attributes;
mod temporary;

use temporary::Temporary;

/// The maximum number of symbolic links to follow; that of Linux.
const LINKS: usize = 40;

/// Directories whose names stand for open descriptors and for data of the system.
const VIRTUAL: [&str; 2] = ["/proc", "/dev/fd"];

/// Advice for a file that cannot be replaced.
const OTHERWISE: &str = "write to another file, then cp that over it";

/// A new file that replaces a target when it is complete. Dropping it earlier removes it; only a
/// process that is killed or aborts leaves a temporary file, which does not block a later run.
///
/// The target is a regular file, or does not exist yet; symbolic links are followed. A regular file
/// keeps its owner, group and mode, and on Linux its extended attributes and ACL; if that is not
/// possible, it is not replaced. A new file gets the attributes of any new file in the directory.
/// Other files (devices, FIFOs, terminals) and descriptors (`/dev/stdout`) are not replaced but
/// written to directly.
///
/// SIGINT, SIGQUIT, SIGTERM and SIGHUP remove the temporary file before they end the process. The
/// handlers for that stay installed; signals that have another handler or are ignored are left
/// alone.
#[derive(Debug)]
pub struct Replacement(PlacementMode);

#[derive(Debug)]
enum PlacementMode {
    /// Written directly: the new content is visible at once.
    Direct(File),
    Beside(PendingReplacement),
}

impl Replacement {
    /// Starts to replace `target`, which need not exist yet. Call it before reading the old
    /// content, so that changes of the target in between are detected.
    ///
    /// # Errors
    /// Returns an error if `target` is a directory, has several hard links, or is not writable, or
    /// if no file can be created in its directory.
    pub fn begin(target: &Path) -> io::Result<Replacement> {
        Replacement::of(target, None)
    }

    /// Starts to replace `target` by a file with the owner, group, mode and attributes of `model`.
    ///
    /// # Errors
    /// Returns the errors of [`begin`](Replacement::begin).
    pub fn begin_like(target: &Path, model: File) -> io::Result<Replacement> {
        Replacement::of(target, Some(model))
    }

    fn of(target: &Path, model: Option<File>) -> io::Result<Replacement> {
        // The system may refuse to follow links of other users; that is an error, not a new file.
        let found = if_any(fs::metadata(target))?;
        if found.as_ref().is_some_and(Metadata::is_dir) {
            return Err(io::Error::other("is a directory (name a file)"));
        }
        let way = match beside(target, found.as_ref()) {
            Some(place) => {
                PlacementMode::Beside(PendingReplacement::begin(place, found.as_ref(), model)?)
            }
            // Content that is already in the file stays: it belongs to the process that opened it.
            None if model.is_some() => {
                return Err(io::Error::other("is no file that a copy could take the place of"));
            }
            None => {
                let regular = found.is_none_or(|found| found.is_file());
                PlacementMode::Direct(File::options().write(true).append(regular).open(target)?)
            }
        };
        Ok(Replacement(way))
    }

    /// Returns `true` if `target` can be replaced: whether it is no directory and no file that is
    /// written to directly.
    ///
    /// # Errors
    /// Returns the errors of looking it up, except `NotFound`.
    pub fn is_possible(target: &Path) -> io::Result<bool> {
        let found = if_any(fs::metadata(target))?;
        Ok(beside(target, found.as_ref()).is_some())
    }

    /// Checks that `target` can be replaced, without creating a file. A file that is written to
    /// directly is not checked.
    ///
    /// # Errors
    /// Returns the errors of [`begin`](Replacement::begin), except those of creating a file.
    pub fn vet(target: &Path) -> io::Result<()> {
        let found = if_any(fs::metadata(target))?;
        beside(target, found.as_ref())
            .map_or(Ok(()), |place| vet(&place, found.as_ref().map(FileStamp::of).as_ref()))
    }

    /// Returns `true` if the target is written to directly.
    pub fn is_direct(&self) -> bool {
        matches!(self.0, PlacementMode::Direct(_))
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

    /// Replaces the target by the file, which must be complete.
    ///
    /// # Errors
    /// Returns an error and leaves the target unchanged if it was changed since the start, if its
    /// owner, group, mode or attributes cannot be kept, or if the new content cannot be written to
    /// the disk. If only the directory cannot be written to the disk, the target is replaced and
    /// the error says so.
    pub fn commit(self) -> io::Result<()> {
        match self.0 {
            PlacementMode::Direct(_) => Ok(()),
            PlacementMode::Beside(pending) => pending.commit(),
        }
    }
}

/// A temporary file and the path that it is renamed to.
#[derive(Debug)]
struct PendingReplacement {
    place: PathBuf,
    /// The state of the target at the start; `None` if it did not exist.
    stamp: Option<FileStamp>,
    /// The file whose attributes are kept; those of the target if `None`.
    model: Option<File>,
    temporary: Temporary,
}

impl PendingReplacement {
    fn begin(
        place: PathBuf,
        found: Option<&Metadata>,
        model: Option<File>,
    ) -> io::Result<PendingReplacement> {
        let stamp = found.map(FileStamp::of);
        vet(&place, stamp.as_ref())?;
        // The content may be secret: only the owner may read it.
        let mode = if stamp.is_some() || model.is_some() { 0o600 } else { 0o666 };
        let temporary = Temporary::new(directory(&place), mode).map_err(|error| {
            let hint = "check the mode and owner of its directory";
            let denied = error.kind() == io::ErrorKind::PermissionDenied;
            if denied { failed("no file can be made beside it", &error, hint) } else { error }
        })?;
        Ok(PendingReplacement { place, stamp, model, temporary })
    }

    fn commit(self) -> io::Result<()> {
        let PendingReplacement { place, stamp, model, temporary } = self;
        let old = original(&place, stamp.as_ref())?;
        if let Some(model) = model.or(old) {
            attributes::keep(&model, temporary.file())?;
        }
        temporary.file().sync_all()?;
        original(&place, stamp.as_ref())?;
        let refused = |error| failed("cannot be replaced", &error, OTHERWISE);
        temporary.take_place(&place).map_err(refused)?;
        sync_directory(directory(&place)).map_err(|error| {
            let what = "was replaced, but it is not certain that this survives a crash";
            failed(what, &error, "run sync")
        })
    }
}

/// Returns the path of the file that a name leads to, if it can be replaced.
fn beside(target: &Path, found: Option<&Metadata>) -> Option<PathBuf> {
    place(target).filter(|_| found.is_none_or(Metadata::is_file))
}

/// Returns the path that a name leads to through all symbolic links; `None` for a descriptor.
fn place(target: &Path) -> Option<PathBuf> {
    let mut path = target.to_owned();
    for _ in 0..LINKS {
        if is_virtual(directory(&path)) {
            return None;
        }
        match fs::read_link(&path) {
            Ok(link) => path = directory(&path).join(link),
            Err(_) => break,
        }
    }
    Some(path)
}

fn is_virtual(directory: &Path) -> bool {
    let real = directory.canonicalize();
    real.is_ok_and(|real| VIRTUAL.iter().any(|place| real.starts_with(place)))
}

/// Returns the directory of a file.
fn directory(path: &Path) -> &Path {
    path.parent().filter(|parent| *parent != Path::new("")).unwrap_or(Path::new("."))
}

/// Returns `true` if a path can name a file: it is not empty and does not end in `/`, `.` or `..`.
fn names_a_file(path: &Path) -> bool {
    let ends_in = |name| path.as_os_str().as_bytes().ends_with(OsStrExt::as_bytes(name));
    path.file_name().is_some_and(ends_in)
}

/// Checks that the file at a path can be replaced.
fn vet(place: &Path, stamp: Option<&FileStamp>) -> io::Result<()> {
    if !names_a_file(place) {
        return Err(io::Error::from_raw_os_error(libc::ENOENT));
    }
    if original(place, stamp)?.is_some() {
        // A rename needs only write permission for the directory.
        calls::may_write(place)?;
    }
    Ok(())
}

/// Returns the error for a file that was changed since it was read.
pub(crate) fn changed() -> io::Error {
    io::Error::other("has changed meanwhile, and is left as it is (run again)")
}

/// Opens the file that is to be replaced and checks that it was not changed since the start. It is
/// opened for reading, so that watchers of the file are not notified.
fn original(place: &Path, stamp: Option<&FileStamp>) -> io::Result<Option<File>> {
    let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK;
    let file = if_any(File::options().read(true).custom_flags(flags).open(place))?;
    let metadata = file.as_ref().map(File::metadata).transpose()?;
    if metadata.as_ref().map(FileStamp::of).as_ref() != stamp {
        return Err(changed());
    }
    match metadata.as_ref().map_or(1, Metadata::nlink) {
        ..=1 => Ok(file),
        links => Err(io::Error::other(format!(
            "has {links} hard links, which would be split ({OTHERWISE})"
        ))),
    }
}

/// Writes the names in a directory to the disk.
fn sync_directory(directory: &Path) -> io::Result<()> {
    match File::open(directory)?.sync_all() {
        // The file system does not support it.
        Err(error) if error.raw_os_error() == Some(libc::EINVAL) => Ok(()),
        result => result,
    }
}

/// Converts `NotFound` to `None`.
fn if_any<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        result => result.map(Some),
    }
}

/// Returns an error with a message, its cause and advice.
fn failed(what: &str, error: &io::Error, hint: &str) -> io::Error {
    io::Error::other(format!("{what}: {} ({hint})", calls::error_text(error)))
}
