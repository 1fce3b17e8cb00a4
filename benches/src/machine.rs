//! Services of the operating system: CPU time, huge pages, the page cache.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;
use std::time::Duration;

/// The processes whose CPU time is measured.
#[derive(Clone, Copy)]
pub enum CpuTime {
    /// This process.
    OwnProcess,
    /// Child processes that have ended.
    Children,
}

/// Returns the user time and the system time so far.
pub fn cpu(of: CpuTime) -> [Duration; 2] {
    let processes = match of {
        CpuTime::OwnProcess => libc::RUSAGE_SELF,
        CpuTime::Children => libc::RUSAGE_CHILDREN,
    };
    // SAFETY: the structure consists of integers, for which zero is valid.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: the pointer is to a live `rusage`.
    let status = unsafe { libc::getrusage(processes, &mut usage) };
    assert_eq!(status, 0, "getrusage: {}", io::Error::last_os_error());
    let time = |t: libc::timeval| Duration::new(t.tv_sec as u64, t.tv_usec as u32 * 1000);
    [time(usage.ru_utime), time(usage.ru_stime)]
}

/// Returns an empty buffer with a capacity of `size` bytes, in huge pages where the system has
/// them, so that page faults do not dominate the measurement.
pub fn buffer(size: usize) -> Vec<u8> {
    let buffer: Vec<u8> = Vec::with_capacity(size);
    #[cfg(target_os = "linux")]
    {
        const HUGE: usize = 2 << 20;
        let skip = buffer.as_ptr().align_offset(HUGE);
        if let Some(rest) = buffer.capacity().checked_sub(skip) {
            let start = buffer.as_ptr().wrapping_add(skip).cast_mut().cast();
            // SAFETY: the advice covers whole pages within the buffer and changes no content.
            unsafe { libc::madvise(start, rest / HUGE * HUGE, libc::MADV_HUGEPAGE) };
        }
    }
    buffer
}

/// Writes a file and brings it into the page cache by reading. Pages that were read are in large
/// folios where the file system supports them; pages that were written may not be.
pub fn write_cached(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    evict(&file);
    let mut file = File::open(path)?;
    let mut buffer = vec![0; 1 << 20];
    while file.read(&mut buffer)? > 0 {}
    Ok(())
}

/// Evicts a file from the page cache.
fn evict(file: &File) {
    #[cfg(target_os = "linux")]
    {
        use std::os::fd::AsRawFd;
        // SAFETY: the descriptor is open; the advice changes no content.
        let status =
            unsafe { libc::posix_fadvise(file.as_raw_fd(), 0, 0, libc::POSIX_FADV_DONTNEED) };
        assert_eq!(status, 0, "posix_fadvise: {}", io::Error::from_raw_os_error(status));
    }
    #[cfg(not(target_os = "linux"))]
    let _ = file;
}

/// Returns the peak resident memory of a running process, in KiB.
pub fn peak_memory(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}

/// Describes the CPU and the operating system, as far as the system tells.
pub fn description() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        let line = info.lines().find(|line| line.starts_with(name));
        line.and_then(|line| line.split_once(':')).map_or("unknown", |(_, value)| value.trim())
    };
    let release = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    format!(
        "{threads} hardware threads of “{}” (family {}, model {}), Linux {}",
        field("model name"),
        field("cpu family"),
        field("model"),
        release.trim()
    )
}
