//! Resolution of paths, one component at a time, into an open directory and a name.

use std::ffi::{CStr, CString};
use std::fs::File;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use super::is_missing;
use crate::os::directory::{Directory, EntryKind};
use crate::os::{FileStamp, calls};

/// The maximum number of symbolic links to follow; that of Linux.
const LINKS: usize = 40;

/// A name in an open directory.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub directory: Directory,
    pub name: CString,
}

/// The file that a path leads to.
#[derive(Debug)]
pub(super) enum FoundFile {
    Missing,
    /// A regular file, opened for reading, and its state then.
    Regular(File, FileStamp),
    /// A device, FIFO or socket.
    Special,
    /// A descriptor, as `/dev/stdout`, or data of the system.
    Virtual,
}

/// The result of a resolution.
#[derive(Debug)]
pub(super) struct Resolved {
    /// The last component of the path, which may be a symbolic link.
    pub given: Place,
    /// The file or missing file that the path leads to, which is not a symbolic link.
    pub place: Place,
    pub found: FoundFile,
}

/// Resolves a path. Each directory is opened in the one before, and each symbolic link is read
/// there, so that a directory or link that is replaced during the resolution has no effect on the
/// components before it.
///
/// # Errors
/// Returns the errors of looking up the components, except `NotFound` for the last; `IsADirectory`
/// for a directory; an error for a symbolic link that another user may have planted.
pub(super) fn resolve(path: &Path) -> io::Result<Resolved> {
    if path.as_os_str().is_empty() {
        return Err(io::Error::from_raw_os_error(libc::ENOENT));
    }
    let mut walk =
        Walk { directory: Directory::current()?, names: Vec::new(), given: None, retries: LINKS };
    walk.push(path.as_os_str().as_bytes())?;
    while let Some(name) = walk.names.pop() {
        if !walk.names.is_empty() || [c".", c".."].contains(&name.as_c_str()) {
            walk.enter(&name)?;
            continue;
        }
        let place = Place { directory: walk.directory.clone(), name };
        let given = walk.given.get_or_insert_with(|| place.clone()).clone();
        if let Some(found) = walk.look(&place.name)? {
            return Ok(Resolved { given, place, found });
        }
    }
    Err(io::ErrorKind::IsADirectory.into())
}

/// A path that is being resolved.
struct Walk {
    /// The directory that was reached.
    directory: Directory,
    /// The components that are left, last first.
    names: Vec<CString>,
    given: Option<Place>,
    /// The number of links that may still be followed, and of entries that may change.
    retries: usize,
}

impl Walk {
    /// Adds the components of a path before those that are left.
    fn push(&mut self, path: &[u8]) -> io::Result<()> {
        if path.starts_with(b"/") {
            self.directory = Directory::root()?;
        }
        if path.ends_with(b"/") {
            // The component before must be a directory.
            self.names.push(c".".to_owned());
        }
        for name in path.rsplit(|&byte| byte == b'/').filter(|name| !name.is_empty()) {
            self.names.push(CString::new(name)?);
        }
        Ok(())
    }

    /// Goes to a directory.
    fn enter(&mut self, name: &CStr) -> io::Result<()> {
        match self.directory.open(name) {
            Ok(directory) => self.directory = directory,
            Err(_) if self.directory.is_virtual() => {
                self.directory = self.directory.open_following(name)?;
            }
            Err(error) => {
                let status = self.directory.status(name).map(|status| status.kind);
                match status {
                    Ok(EntryKind::Link) => self.follow(name)?,
                    _ => return Err(error),
                }
            }
        }
        Ok(())
    }

    /// Returns the file of the last component; `None` if it is a symbolic link, which is followed,
    /// or has just been changed.
    fn look(&mut self, name: &CStr) -> io::Result<Option<FoundFile>> {
        if self.directory.is_virtual() {
            return match self.directory.status_following(name)?.kind {
                EntryKind::Directory => Err(io::ErrorKind::IsADirectory.into()),
                _ => Ok(Some(FoundFile::Virtual)),
            };
        }
        let status = match self.directory.status(name) {
            Err(error) if is_missing(&error) => return Ok(Some(FoundFile::Missing)),
            status => status?,
        };
        match status.kind {
            EntryKind::Special => Ok(Some(FoundFile::Special)),
            EntryKind::Directory => Err(io::ErrorKind::IsADirectory.into()),
            EntryKind::Link => self.follow(name).map(|()| None),
            EntryKind::Regular => {
                let opened = self.directory.open_file(name).and_then(|file| {
                    let metadata = file.metadata()?;
                    Ok((file, metadata))
                });
                match opened {
                    Ok((file, metadata)) if metadata.is_file() => {
                        Ok(Some(FoundFile::Regular(file, FileStamp::of(&metadata))))
                    }
                    Err(error) if self.directory.status(name).ok() == Some(status) => Err(error),
                    _ => self.retry(name).map(|()| None),
                }
            }
        }
    }

    /// Puts the path of a symbolic link in the place of its name.
    fn follow(&mut self, name: &CStr) -> io::Result<()> {
        let status = self.directory.status(name)?;
        let link = self.directory.read_link(name);
        if self.directory.status(name)? != status {
            return self.retry(name);
        }
        let around = self.directory.status(c".")?;
        // As Linux does with fs.protected_symlinks: anybody can put a link there.
        let shared = 0o1002; // sticky, and others may write
        let trusted = [around.owner, calls::user()].contains(&status.owner);
        if around.mode & shared == shared && !trusted {
            return Err(io::Error::other(
                "is a symbolic link of another user in a shared directory, and is not followed \
                 (name the file that it leads to)",
            ));
        }
        self.count()?;
        self.push(&link?)
    }

    /// Looks up a name again.
    fn retry(&mut self, name: &CStr) -> io::Result<()> {
        self.names.push(name.to_owned());
        self.count()
    }

    fn count(&mut self) -> io::Result<()> {
        let left = self.retries.checked_sub(1);
        self.retries = left.ok_or_else(|| io::Error::from_raw_os_error(libc::ELOOP))?;
        Ok(())
    }
}
