//! A page of memory between two inaccessible ones, to detect accesses beyond a slice.

use std::ptr;

/// A page of memory with an inaccessible page on either side.
#[derive(Debug)]
pub struct Guarded {
    base: *mut u8,
    page: usize,
}

impl Guarded {
    /// Maps three new pages.
    pub fn new() -> Guarded {
        // SAFETY: sysconf takes a number and returns one.
        let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as usize;
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        // SAFETY: a new mapping at an address that the system chooses.
        let base = unsafe { libc::mmap(ptr::null_mut(), 3 * page, libc::PROT_NONE, flags, -1, 0) };
        assert_ne!(base, libc::MAP_FAILED);
        // SAFETY: the middle one of the three pages that were just mapped.
        let open = unsafe {
            libc::mprotect(base.byte_add(page), page, libc::PROT_READ | libc::PROT_WRITE)
        };
        assert_eq!(open, 0);
        Guarded { base: base.cast(), page }
    }

    /// Returns the accessible page.
    fn middle(&mut self) -> &mut [u8] {
        // SAFETY: the middle page is readable and writable, initialized with zeros, and owned by
        // `self`.
        unsafe { std::slice::from_raw_parts_mut(self.base.add(self.page), self.page) }
    }

    /// Copies bytes to the start of the page.
    pub fn behind(&mut self, bytes: &[u8]) -> &[u8] {
        let place = &mut self.middle()[..bytes.len()];
        place.copy_from_slice(bytes);
        place
    }

    /// Returns the last `len` bytes of the page.
    pub fn last(&mut self, len: usize) -> &mut [u8] {
        let start = self.page - len;
        &mut self.middle()[start..]
    }

    /// Copies bytes to the end of the page.
    pub fn before(&mut self, bytes: &[u8]) -> &[u8] {
        let start = self.page - bytes.len();
        let place = &mut self.middle()[start..];
        place.copy_from_slice(bytes);
        place
    }
}

impl Default for Guarded {
    fn default() -> Guarded {
        Guarded::new()
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        // SAFETY: the three pages of `new`; no slice of them outlives `self`.
        let gone = unsafe { libc::munmap(self.base.cast(), 3 * self.page) };
        assert_eq!(gone, 0);
    }
}
