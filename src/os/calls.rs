//! System calls that std does not offer.

use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, RawFd};

/// Returns the message of an error without its number.
pub(crate) fn error_text(error: &io::Error) -> String {
    let text = error.to_string();
    match error.raw_os_error() {
        Some(number) => text.replace(&format!(" (os error {number})"), ""),
        None => text,
    }
}

/// Repeats a call while signals interrupt it.
pub(crate) fn retry<T>(mut call: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    loop {
        match call() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}

/// Opens a file for reading, without waiting for a writer of a FIFO. The caller checks that it is
/// regular.
#[cfg(feature = "cli")]
pub(crate) fn open_nonblocking(path: &std::path::Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    File::options().read(true).custom_flags(libc::O_NONBLOCK).open(path)
}

/// Duplicates an open descriptor, by its number; `None` if there is none that can be written to.
pub(crate) fn duplicate_writable(number: RawFd) -> Option<File> {
    // Beyond those of the standard streams.
    const LEAST: libc::c_int = 3;
    // SAFETY: any number may be duplicated. The call fails if it is not open.
    let duplicate = unsafe { libc::fcntl(number, libc::F_DUPFD_CLOEXEC, LEAST) };
    if duplicate < 0 {
        return None;
    }
    // SAFETY: the call has opened it just now, and nothing else owns it.
    let file = unsafe { File::from_raw_fd(duplicate) };
    // SAFETY: an open descriptor.
    let mode = unsafe { libc::fcntl(file.as_raw_fd(), libc::F_GETFL) };
    (mode >= 0 && mode & libc::O_ACCMODE != libc::O_RDONLY).then_some(file)
}

/// Waits until a non-blocking descriptor is ready.
///
/// # Errors
/// Returns the errors of `poll`, except interruptions.
pub(crate) fn wait(fd: BorrowedFd<'_>, events: libc::c_short) -> io::Result<()> {
    let mut poll = libc::pollfd { fd: fd.as_raw_fd(), events, revents: 0 };
    retry(|| {
        // SAFETY: one valid pollfd, exclusively borrowed for the call.
        let ready = unsafe { libc::poll(&mut poll, 1, -1) };
        to_result(ready.min(0))
    })
}

/// Returns the number of page faults of this thread; of the process where the system does not count
/// them by thread.
pub(crate) fn page_faults() -> u64 {
    // SAFETY: rusage is plain numbers, for which zero is a value; getrusage writes into it.
    unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(WHO, &mut usage);
        (usage.ru_minflt + usage.ru_majflt) as u64
    }
}

#[cfg(target_os = "linux")]
const WHO: libc::c_int = libc::RUSAGE_THREAD;
#[cfg(not(target_os = "linux"))]
const WHO: libc::c_int = libc::RUSAGE_SELF;

/// Returns the size of a page of memory in bytes.
pub(crate) fn page_size() -> usize {
    // SAFETY: sysconf has no preconditions.
    unsafe { libc::sysconf(libc::_SC_PAGESIZE) as usize }
}

/// Requests a capacity in bytes for a pipe, for fewer and larger reads. Does nothing if the file is
/// no pipe or the system refuses.
pub(crate) fn enlarge_pipe(file: &File, bytes: usize) {
    #[cfg(target_os = "linux")]
    // SAFETY: a valid descriptor; the call moves no memory of ours, and fails on what is no pipe.
    unsafe {
        libc::fcntl(file.as_raw_fd(), libc::F_SETPIPE_SZ, bytes as libc::c_int);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (file, bytes);
}

/// Returns the position of the first byte at or after a position that is not in a hole of a sparse
/// file; the position itself where holes are not known.
pub(crate) fn next_data(file: &File, position: u64) -> u64 {
    #[cfg(target_os = "linux")]
    if let Ok(from) = libc::off_t::try_from(position) {
        // SAFETY: a valid descriptor; its position, which other processes may share, is restored.
        let found = unsafe {
            let before = libc::lseek(file.as_raw_fd(), 0, libc::SEEK_CUR);
            let found = libc::lseek(file.as_raw_fd(), from, libc::SEEK_DATA);
            libc::lseek(file.as_raw_fd(), before, libc::SEEK_SET);
            found
        };
        return u64::try_from(found).unwrap_or(position).max(position);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = file;
    position
}

/// Returns the effective user ID of this process.
pub(crate) fn user() -> u32 {
    // SAFETY: geteuid has no preconditions.
    unsafe { libc::geteuid() }
}

/// Converts the result of a system call that returns 0 or -1.
pub(super) fn to_result(result: libc::c_int) -> io::Result<()> {
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// Extended attributes of files, POSIX ACLs among them.
#[cfg(target_os = "linux")]
pub(crate) mod xattr {
    use std::ffi::{CStr, CString};
    use std::fs::File;
    use std::io;
    use std::os::fd::AsRawFd;

    use super::to_result;

    /// The maximum length of a value and of the list of names on Linux, in bytes.
    const LONGEST: usize = 64 << 10;

    /// Returns the names of all attributes that this process may see; none if the file system has
    /// no attributes.
    pub fn names(file: &File) -> io::Result<Vec<CString>> {
        let list = read(|to, len| {
            // SAFETY: an open descriptor; the call writes at most `len` bytes.
            unsafe { libc::flistxattr(file.as_raw_fd(), to.cast(), len) }
        });
        match list {
            Err(error) if error.raw_os_error() == Some(libc::ENOTSUP) => Ok(Vec::new()),
            list => {
                let list = list?;
                let names = list.split_inclusive(|&byte| byte == 0);
                Ok(names.flat_map(CStr::from_bytes_with_nul).map(CStr::to_owned).collect())
            }
        }
    }

    /// Returns the value of an attribute.
    pub fn get(file: &File, name: &CStr) -> io::Result<Vec<u8>> {
        read(|to, len| {
            // SAFETY: an open descriptor and a string; the call writes at most `len` bytes.
            unsafe { libc::fgetxattr(file.as_raw_fd(), name.as_ptr(), to.cast(), len) }
        })
    }

    /// Adds or changes an attribute.
    pub fn set(file: &File, name: &CStr, value: &[u8]) -> io::Result<()> {
        let (fd, start) = (file.as_raw_fd(), value.as_ptr().cast());
        // SAFETY: an open descriptor, a string, and as many bytes as the length says.
        to_result(unsafe { libc::fsetxattr(fd, name.as_ptr(), start, value.len(), 0) })
    }

    /// Removes an attribute.
    pub fn remove(file: &File, name: &CStr) -> io::Result<()> {
        // SAFETY: an open descriptor and a string.
        to_result(unsafe { libc::fremovexattr(file.as_raw_fd(), name.as_ptr()) })
    }

    /// Returns the bytes that a call writes. The call gets a buffer for the longest value and
    /// returns the length.
    fn read(call: impl FnOnce(*mut u8, usize) -> isize) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; LONGEST];
        let len = call(bytes.as_mut_ptr(), LONGEST);
        bytes.truncate(usize::try_from(len).map_err(|_| io::Error::last_os_error())?);
        Ok(bytes)
    }
}

/// Returns the number of columns of a terminal; `None` if it is unknown or the file is no terminal.
#[cfg(feature = "cli")]
pub(crate) fn columns(terminal: BorrowedFd<'_>) -> Option<usize> {
    // SAFETY: winsize is plain numbers, for which zero is a value; the call writes into it.
    let size = unsafe {
        let mut size: libc::winsize = std::mem::zeroed();
        libc::ioctl(terminal.as_raw_fd(), libc::TIOCGWINSZ, &mut size);
        size
    };
    Some(usize::from(size.ws_col)).filter(|&columns| columns > 0)
}

/// Ignores SIGXFSZ, so that a write beyond the limit of file sizes fails instead of ending the
/// process.
#[cfg(feature = "cli")]
pub(crate) fn ignore_size_limit_signal() {
    // SAFETY: ignoring a signal installs no handler.
    unsafe {
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
    }
}

/// Returns `true` if a standard descriptor was closed when the process started. std opens /dev/null
/// in its place before `main`, where output would be lost silently.
#[cfg(feature = "cli")]
pub(crate) fn closed_at_start(fd: std::os::fd::RawFd) -> bool {
    closed::AT_START.load(std::sync::atomic::Ordering::Relaxed) & (1 << fd) != 0
}

#[cfg(all(feature = "cli", target_os = "linux"))]
mod closed {
    use std::sync::atomic::{AtomicU8, Ordering};

    pub static AT_START: AtomicU8 = AtomicU8::new(0);

    /// Runs before the start of std.
    #[used]
    // SAFETY: the loader calls each pointer of this section once; the function is safe at any time.
    #[unsafe(link_section = ".init_array")]
    static LOOK: extern "C" fn() = {
        extern "C" fn look() {
            for fd in 0..3 {
                // SAFETY: fcntl with F_GETFD only asks whether the descriptor is open.
                if unsafe { libc::fcntl(fd, libc::F_GETFD) } == -1 {
                    AT_START.fetch_or(1 << fd, Ordering::Relaxed);
                }
            }
        }
        look
    };
}

#[cfg(all(feature = "cli", not(target_os = "linux")))]
mod closed {
    /// Always 0: closed descriptors are not detected on this platform.
    pub static AT_START: std::sync::atomic::AtomicU8 = std::sync::atomic::AtomicU8::new(0);
}
