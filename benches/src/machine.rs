//! What must the operating system be asked? CPU time, huge pages, the page cache.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;
use std::time::Duration;

/// Whose CPU time.
#[derive(Clone, Copy)]
pub enum Who {
    /// This process.
    Us,
    /// The processes that it has started and that have ended.
    Children,
}

/// User and system time so far.
pub fn cpu(who: Who) -> Duration {
    let who = match who {
        Who::Us => libc::RUSAGE_SELF,
        Who::Children => libc::RUSAGE_CHILDREN,
    };
    // SAFETY: the structure is plain numbers, for which zero is a value.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: the pointer is to a live structure of the type.
    let status = unsafe { libc::getrusage(who, &mut usage) };
    assert_eq!(status, 0, "getrusage: {}", io::Error::last_os_error());
    let time = |t: libc::timeval| Duration::new(t.tv_sec as u64, t.tv_usec as u32 * 1000);
    time(usage.ru_utime) + time(usage.ru_stime)
}

/// An empty buffer that can hold so many bytes, in huge pages where the system has them, so that
/// memory is measured and not the walk through page tables.
pub fn buffer(size: usize) -> Vec<u8> {
    let buffer: Vec<u8> = Vec::with_capacity(size);
    #[cfg(target_os = "linux")]
    {
        const HUGE: usize = 2 << 20;
        let skip = buffer.as_ptr().align_offset(HUGE);
        if let Some(rest) = buffer.capacity().checked_sub(skip) {
            let start = buffer.as_ptr().wrapping_add(skip).cast_mut().cast();
            // SAFETY: advice on whole pages within the buffer, which changes no content.
            unsafe { libc::madvise(start, rest / HUGE * HUGE, libc::MADV_HUGEPAGE) };
        }
    }
    buffer
}

/// Write a file, then bring it into the page cache by reading, as a file that was there before:
/// what was read has large folios where the file system knows them, what was written may not.
pub fn settle(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    forget(&file);
    let mut file = File::open(path)?;
    let mut piece = vec![0; 1 << 20];
    while file.read(&mut piece)? > 0 {}
    Ok(())
}

/// Evict a file from the page cache.
fn forget(file: &File) {
    #[cfg(target_os = "linux")]
    {
        use std::os::fd::AsRawFd;
        // SAFETY: advice on an open file.
        let status =
            unsafe { libc::posix_fadvise(file.as_raw_fd(), 0, 0, libc::POSIX_FADV_DONTNEED) };
        assert_eq!(status, 0, "posix_fadvise: {}", io::Error::from_raw_os_error(status));
    }
    #[cfg(not(target_os = "linux"))]
    let _ = file;
}

/// The most memory that a running process has had resident, in KiB.
pub fn peak(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}
