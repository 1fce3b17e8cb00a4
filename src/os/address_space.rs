//! Room for threads in a limited address space.

/// The number of bytes of the address space that a thread may take: its stack, buffers, and those
/// that the allocator of the C library reserves for it (128 MiB in glibc, for a moment).
const THREAD: u64 = 136 << 20;

/// Returns the number of further threads for which the address space has room: an allocation that
/// fails would abort the process. There is no limit unless one is set, as with `ulimit -v`.
pub(crate) fn room_for_threads() -> usize {
    let Some(limit) = limit() else { return usize::MAX };
    let room = limit.saturating_sub(used()) / THREAD;
    usize::try_from(room).unwrap_or(usize::MAX)
}

/// Returns the limit of the address space in bytes, if there is one.
#[allow(clippy::unnecessary_cast)] // Signed on FreeBSD.
fn limit() -> Option<u64> {
    let mut limit = libc::rlimit { rlim_cur: libc::RLIM_INFINITY, rlim_max: libc::RLIM_INFINITY };
    // SAFETY: the call writes into the limit.
    let result = unsafe { libc::getrlimit(libc::RLIMIT_AS, &mut limit) };
    (result == 0 && limit.rlim_cur != libc::RLIM_INFINITY).then_some(limit.rlim_cur as u64)
}

/// Returns the number of bytes of the address space in use, as far as the system tells.
fn used() -> u64 {
    let status = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = status.split(' ').next().and_then(|pages| pages.parse().ok());
    pages.unwrap_or(0) * super::calls::page_size() as u64
}
