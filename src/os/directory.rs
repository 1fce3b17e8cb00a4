//! Open directories, and operations on the names in them.

use std::ffi::{CStr, CString};
use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::sync::Arc;

use super::calls::{self, retry, to_result};
use super::stamp::{FileStamp, RawStatus};

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
use libc::{fstatat, openat};
#[cfg(all(target_os = "linux", target_env = "gnu"))]
use libc::{fstatat64 as fstatat, openat64 as openat};

/// The access to a directory whose names are looked up: permission to read it is not needed.
#[cfg(any(target_os = "linux", target_os = "android"))]
const LOOKUP: libc::c_int = libc::O_PATH;
#[cfg(any(target_vendor = "apple", target_os = "freebsd"))]
const LOOKUP: libc::c_int = libc::O_SEARCH;
#[cfg(not(any(
    target_os = "linux",
    target_os = "android",
    target_vendor = "apple",
    target_os = "freebsd"
)))]
const LOOKUP: libc::c_int = libc::O_RDONLY;

/// The flags for a regular file. Whatever took its place is opened without waiting and without an
/// effect on it.
const READ: libc::c_int = libc::O_RDONLY | libc::O_NONBLOCK | libc::O_NOCTTY;

/// The flags for a new file.
const CREATE: libc::c_int = libc::O_WRONLY | libc::O_CREAT | libc::O_EXCL | libc::O_NOFOLLOW;

/// The maximum length of a symbolic link on any system, in bytes.
const LONGEST_LINK: usize = 4 << 10;

/// An open directory. Operations on names in it do not depend on the path that led to it, and do
/// not follow symbolic links, except where they say so.
#[derive(Clone, Debug)]
pub(crate) struct Directory(Arc<OwnedFd>);

/// The kind of a directory entry.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum EntryKind {
    Regular,
    Directory,
    Link,
    /// A device, FIFO or socket.
    Special,
}

/// The status of a directory entry.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct EntryStatus {
    pub kind: EntryKind,
    /// The user ID of the owner.
    pub owner: u32,
    /// The permission bits, with the sticky bit.
    pub mode: u32,
    pub stamp: FileStamp,
}

impl Directory {
    /// Opens the current directory.
    pub fn current() -> io::Result<Directory> {
        look_up(libc::AT_FDCWD, c".", 0)
    }

    /// Opens a directory by its path, if necessary through symbolic links.
    #[cfg(feature = "cli")]
    pub fn at(path: &std::path::Path) -> io::Result<Directory> {
        look_up(libc::AT_FDCWD, &CString::new(path.as_os_str().as_encoded_bytes())?, 0)
    }

    /// Opens the root directory.
    pub fn root() -> io::Result<Directory> {
        look_up(libc::AT_FDCWD, c"/", 0)
    }

    /// Opens a directory in this one.
    pub fn open(&self, name: &CStr) -> io::Result<Directory> {
        look_up(self.raw(), name, libc::O_NOFOLLOW)
    }

    /// Opens the directory that a name leads to, if necessary through a symbolic link.
    pub fn open_following(&self, name: &CStr) -> io::Result<Directory> {
        look_up(self.raw(), name, 0)
    }

    /// Opens a regular file for reading, which watchers do not see as a change.
    pub fn open_file(&self, name: &CStr) -> io::Result<File> {
        open_at(self.raw(), name, READ | libc::O_NOFOLLOW, 0).map(File::from)
    }

    /// Opens a file for reading, if necessary through a symbolic link. A FIFO does not wait.
    #[cfg(feature = "cli")]
    pub fn open_file_following(&self, name: &CStr) -> io::Result<File> {
        open_at(self.raw(), name, READ, 0).map(File::from)
    }

    /// Opens a file of any kind for writing at its end. A FIFO waits for its reader. For the name of an
    /// open descriptor of this process that can be written to, returns a duplicate, which shares its
    /// offset.
    pub fn open_to_write(&self, name: &CStr, following: bool) -> io::Result<File> {
        if following
            && self.has_own_descriptors()
            && let Some(number) = name.to_str().ok().and_then(|name| name.parse().ok())
            && let Some(file) = calls::duplicate_writable(number)
        {
            return Ok(file);
        }
        let follow = if following { 0 } else { libc::O_NOFOLLOW };
        let flags = libc::O_WRONLY | libc::O_APPEND | libc::O_NOCTTY | follow;
        open_at(self.raw(), name, flags, 0).map(File::from)
    }

    /// Creates a file, with a mode that the umask restricts.
    pub fn create(&self, name: &CStr, mode: u32) -> io::Result<File> {
        open_at(self.raw(), name, CREATE, mode).map(File::from)
    }

    /// Returns the status of an entry.
    pub fn status(&self, name: &CStr) -> io::Result<EntryStatus> {
        self.status_with(name, libc::AT_SYMLINK_NOFOLLOW)
    }

    /// Returns the status of the file that a name leads to, if necessary through a symbolic link.
    pub fn status_following(&self, name: &CStr) -> io::Result<EntryStatus> {
        self.status_with(name, 0)
    }

    fn status_with(&self, name: &CStr, flags: libc::c_int) -> io::Result<EntryStatus> {
        // SAFETY: a status is plain numbers, for which zero is a value; the call reads a string and
        // writes into the status.
        let status = unsafe {
            let mut status: RawStatus = std::mem::zeroed();
            to_result(fstatat(self.raw(), name.as_ptr(), &mut status, flags))?;
            status
        };
        let kind = match status.st_mode & libc::S_IFMT {
            libc::S_IFREG => EntryKind::Regular,
            libc::S_IFDIR => EntryKind::Directory,
            libc::S_IFLNK => EntryKind::Link,
            _ => EntryKind::Special,
        };
        // The type of a mode has another width on some systems.
        #[allow(clippy::unnecessary_cast)]
        let mode = (status.st_mode & 0o7777) as u32;
        Ok(EntryStatus { kind, owner: status.st_uid, mode, stamp: FileStamp::of_status(&status) })
    }

    /// Returns the path in a symbolic link.
    pub fn read_link(&self, name: &CStr) -> io::Result<Vec<u8>> {
        let mut path = vec![0; LONGEST_LINK];
        // SAFETY: a string, and a buffer of the given length that the call writes into.
        let len = unsafe {
            libc::readlinkat(self.raw(), name.as_ptr(), path.as_mut_ptr().cast(), LONGEST_LINK)
        };
        path.truncate(usize::try_from(len).map_err(|_| io::Error::last_os_error())?);
        Ok(path)
    }

    /// Checks that this process may write to a file.
    ///
    /// # Errors
    /// Returns the errors of `faccessat`.
    pub fn may_write(&self, name: &CStr) -> io::Result<()> {
        let (mode, flags) = (libc::W_OK, libc::AT_EACCESS);
        // SAFETY: a string, which the call only reads.
        to_result(unsafe { libc::faccessat(self.raw(), name.as_ptr(), mode, flags) })
    }

    /// Renames an entry, and replaces the file of the new name.
    pub fn rename(&self, from: &CStr, to: &CStr) -> io::Result<()> {
        // SAFETY: two strings, which the call only reads.
        to_result(unsafe { libc::renameat(self.raw(), from.as_ptr(), self.raw(), to.as_ptr()) })
    }

    /// Gives a file another name, which must not exist, in a directory.
    pub fn link(&self, from: &CStr, directory: &Directory, to: &CStr) -> io::Result<()> {
        let (here, there) = (self.raw(), directory.raw());
        // SAFETY: two strings, which the call only reads.
        to_result(unsafe { libc::linkat(here, from.as_ptr(), there, to.as_ptr(), 0) })
    }

    /// Removes an entry that is not a directory. Async-signal-safe, but for the error.
    pub fn remove(&self, name: &CStr) -> io::Result<()> {
        // SAFETY: a string, which the call only reads.
        to_result(unsafe { libc::unlinkat(self.raw(), name.as_ptr(), 0) })
    }

    /// Returns `true` if both are one value, opened once.
    pub fn is(&self, other: &Directory) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Writes the entries to the disk.
    pub fn sync(&self) -> io::Result<()> {
        let flags = libc::O_RDONLY | libc::O_DIRECTORY;
        match File::from(open_at(self.raw(), c".", flags, 0)?).sync_all() {
            // The file system does not support it.
            Err(error) if error.raw_os_error() == Some(libc::EINVAL) => Ok(()),
            result => result,
        }
    }

    /// Returns `true` if the names stand for open descriptors and for data of the system. Symbolic
    /// links in such a directory lead where their text does not say.
    #[cfg(target_os = "linux")]
    pub fn is_virtual(&self) -> bool {
        // SAFETY: statfs is plain numbers, for which zero is a value; the call writes into it.
        let (result, system) = unsafe {
            let mut system: libc::statfs = std::mem::zeroed();
            (libc::fstatfs(self.raw(), &mut system), system)
        };
        // The type differs between C libraries.
        #[allow(clippy::unnecessary_cast)]
        let kind = system.f_type as u64;
        result == 0 && kind == libc::PROC_SUPER_MAGIC as u64
    }

    #[cfg(not(target_os = "linux"))]
    pub fn is_virtual(&self) -> bool {
        self.has_own_descriptors()
    }

    /// Returns `true` if the names stand for open descriptors of this process.
    fn has_own_descriptors(&self) -> bool {
        let descriptors = std::fs::metadata("/dev/fd").map(|found| FileStamp::of(&found));
        let this = self.status(c".").map(|status| status.stamp);
        matches!((descriptors, this), (Ok(one), Ok(other)) if one.is_same_file(&other))
    }

    fn raw(&self) -> RawFd {
        self.0.as_raw_fd()
    }
}

/// Opens a directory relative to another.
fn look_up(directory: RawFd, name: &CStr, flags: libc::c_int) -> io::Result<Directory> {
    let file = open_at(directory, name, LOOKUP | libc::O_DIRECTORY | flags, 0)?;
    Ok(Directory(Arc::new(file)))
}

/// Opens a file relative to a directory.
fn open_at(directory: RawFd, name: &CStr, flags: libc::c_int, mode: u32) -> io::Result<OwnedFd> {
    retry(|| {
        // SAFETY: a string, which the call only reads; a variadic mode is an unsigned int.
        let file = unsafe { openat(directory, name.as_ptr(), flags | libc::O_CLOEXEC, mode) };
        if file < 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the call has opened it just now, and nothing else owns it.
        Ok(unsafe { OwnedFd::from_raw_fd(file) })
    })
}

/// Returns a name with a suffix.
///
/// # Errors
/// Returns `InvalidInput` if the suffix contains NUL.
pub(crate) fn with_suffix(name: &CStr, suffix: &[u8]) -> io::Result<CString> {
    Ok(CString::new([name.to_bytes(), suffix].concat())?)
}
