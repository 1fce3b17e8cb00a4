//! How does a file become another without ever being half of each?
//!
//! What it is to hold is written into a temporary file beside it, which takes its place in one
//! step, once it is complete and safe on the disk. Until then the file is what it was, whatever
//! goes wrong: a full disk, a signal, a crash of the system.
//!
//! ```
//! use std::io::Write;
//! use utf8::replace::Replacement;
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

/// How many symbolic links are followed; Linux follows as many.
const LINKS: usize = 40;

/// Where names stand for open descriptors and for the system's own data.
const VIRTUAL: [&str; 2] = ["/proc", "/dev/fd"];

/// How to write to a file that cannot be replaced.
const OTHERWISE: &str = "write to another file, then cp that over it";

/// A file that takes another's place once it is complete. Dropped before that, it leaves no trace;
/// only a process that is killed or aborts leaves its temporary file, which blocks no later one.
///
/// The other is a regular file, or does not exist yet; a symbolic link stands for what it points
/// to. A regular file keeps its owner, group and mode, on Linux its extended attributes and ACL
/// too, or is not replaced. A new one gets what the directory and the umask give to new files.
/// What is no regular file (a device, a FIFO, a terminal) and what is named by its descriptor
/// (`/dev/stdout`) is never replaced, but written to at once.
///
/// Where SIGINT, SIGQUIT, SIGTERM and SIGHUP would end the process, they remove the temporary file first.
/// A handler for that stays in place of their default action; other handlers are left alone.
#[derive(Debug)]
pub struct Replacement(PlacementMode);

#[derive(Debug)]
enum PlacementMode {
    /// What is written is there at once.
    Direct(File),
    Beside(PendingReplacement),
}

impl Replacement {
    /// Start to replace `target`, which need not exist yet. If the new content is made of the old
    /// one, start before that is read, so that no change of it in between is lost.
    ///
    /// # Errors
    /// `target` is a directory, has several hard links, which would be split, or may not be
    /// written to; no file can be made beside it.
    pub fn begin(target: &Path) -> io::Result<Replacement> {
        Replacement::of(target, None)
    }

    /// Start to replace `target` by a copy of `model`: what takes its place has the owner, group,
    /// mode and attributes of that, or does not take it.
    ///
    /// # Errors
    /// As for [`begin`](Replacement::begin).
    pub fn begin_like(target: &Path, model: File) -> io::Result<Replacement> {
        Replacement::of(target, Some(model))
    }

    fn of(target: &Path, model: Option<File>) -> io::Result<Replacement> {
        // The system may refuse to follow a link that others have made: ask it first.
        let found = if_any(fs::metadata(target))?;
        if found.as_ref().is_some_and(Metadata::is_dir) {
            return Err(io::Error::other("is a directory (name a file)"));
        }
        let way = match beside(target, found.as_ref()) {
            Some(place) => {
                PlacementMode::Beside(PendingReplacement::begin(place, found.as_ref(), model)?)
            }
            // What is there already stays: such a file belongs to whoever opened it.
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

    /// Whether `target` is what can be replaced: no directory, and nothing that is written to at
    /// once.
    ///
    /// # Errors
    /// Those of looking it up; that there is nothing yet is none.
    pub fn is_possible(target: &Path) -> io::Result<bool> {
        let found = if_any(fs::metadata(target))?;
        Ok(beside(target, found.as_ref()).is_some())
    }

    /// See that nothing speaks against replacing `target`, as far as that can be known without a
    /// file beside it. What is written to at once is not looked at.
    ///
    /// # Errors
    /// Those of [`begin`](Replacement::begin), but for those of making a file.
    pub fn vet(target: &Path) -> io::Result<()> {
        let found = if_any(fs::metadata(target))?;
        beside(target, found.as_ref())
            .map_or(Ok(()), |place| vet(&place, found.as_ref().map(FileStamp::of).as_ref()))
    }

    /// Whether what is written is there at once, as for what is never replaced.
    pub fn is_direct(&self) -> bool {
        matches!(self.0, PlacementMode::Direct(_))
    }

    /// Where to write the new content.
    ///
    /// # Errors
    /// Those of copying a descriptor.
    pub fn file(&self) -> io::Result<File> {
        match &self.0 {
            PlacementMode::Direct(file) => file.try_clone(),
            PlacementMode::Beside(pending) => pending.temporary.file().try_clone(),
        }
    }

    /// All is written: let it take the target's place.
    ///
    /// # Errors
    /// The target has changed since the start; its owner, group, mode or attributes cannot be
    /// kept; the new content cannot be written to the disk. Then the target is left as it is.
    /// After one error it is replaced nevertheless, and the message says so: the disk may not
    /// know of it yet.
    pub fn commit(self) -> io::Result<()> {
        match self.0 {
            PlacementMode::Direct(_) => Ok(()),
            PlacementMode::Beside(pending) => pending.commit(),
        }
    }
}

/// A temporary file, and the place that it is to take.
#[derive(Debug)]
struct PendingReplacement {
    place: PathBuf,
    /// What stood there at the start, if anything did.
    stamp: Option<FileStamp>,
    /// What it is to be like besides its content, if that is not what stands there.
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
        // Nobody else shall read what may replace a secret.
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

/// Where to replace what a name leads to, if that is possible.
fn beside(target: &Path, found: Option<&Metadata>) -> Option<PathBuf> {
    place(target).filter(|_| found.is_none_or(Metadata::is_file))
}

/// Where the file stands that a name leads to, through all links; `None` if it stands nowhere.
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

/// The directory that a file is in.
fn directory(path: &Path) -> &Path {
    path.parent().filter(|parent| *parent != Path::new("")).unwrap_or(Path::new("."))
}

/// Whether a path can be a file's: none that is empty or ends in a slash or in dots can.
fn names_a_file(path: &Path) -> bool {
    let ends_in = |name| path.as_os_str().as_bytes().ends_with(OsStrExt::as_bytes(name));
    path.file_name().is_some_and(ends_in)
}

/// See that what stands at a place may be replaced.
fn vet(place: &Path, stamp: Option<&FileStamp>) -> io::Result<()> {
    if !names_a_file(place) {
        return Err(io::Error::from_raw_os_error(libc::ENOENT));
    }
    if original(place, stamp)?.is_some() {
        // The directory would let it be replaced even so.
        calls::may_write(place)?;
    }
    Ok(())
}

/// What is said of a file that is not what it was when it was read.
pub(crate) fn changed() -> io::Error {
    io::Error::other("has changed meanwhile, and is left as it is (run again)")
}

/// The file that is to be replaced, as it must have been at the start. It is not opened for writing,
/// for that alone would wake who watches it.
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

/// Make sure that the names in a directory survive a crash.
fn sync_directory(directory: &Path) -> io::Result<()> {
    match File::open(directory)?.sync_all() {
        // This file system has no such thing.
        Err(error) if error.raw_os_error() == Some(libc::EINVAL) => Ok(()),
        result => result,
    }
}

/// What is there, or nothing.
fn if_any<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        result => result.map(Some),
    }
}

/// What could not be done, why not, and what to do about it.
fn failed(what: &str, error: &io::Error, hint: &str) -> io::Error {
    io::Error::other(format!("{what}: {} ({hint})", calls::said(error)))
}
