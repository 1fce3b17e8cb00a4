//! Does anything read beyond its slice? A page of memory between two that must not be touched.

use std::ptr;

/// A page that may be read and written, with a forbidden page on either side.
#[derive(Debug)]
pub struct Guarded {
    base: *mut u8,
    page: usize,
}

impl Guarded {
    /// Three fresh pages.
    pub fn new() -> Guarded {
        // SAFETY: a question without arguments in memory.
        let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as usize;
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        // SAFETY: a new mapping where the system likes; nothing else refers to it.
        let base = unsafe { libc::mmap(ptr::null_mut(), 3 * page, libc::PROT_NONE, flags, -1, 0) };
        assert_ne!(base, libc::MAP_FAILED);
        // SAFETY: the middle one of the three pages that were just mapped.
        let open = unsafe {
            libc::mprotect(base.byte_add(page), page, libc::PROT_READ | libc::PROT_WRITE)
        };
        assert_eq!(open, 0);
        Guarded { base: base.cast(), page }
    }

    /// The page itself.
    fn middle(&mut self) -> &mut [u8] {
        // SAFETY: the middle page is readable and writable, zeroed at first, and ours alone.
        unsafe { std::slice::from_raw_parts_mut(self.base.add(self.page), self.page) }
    }

    /// These bytes, right behind the first forbidden page.
    pub fn behind(&mut self, bytes: &[u8]) -> &[u8] {
        let place = &mut self.middle()[..bytes.len()];
        place.copy_from_slice(bytes);
        place
    }

    /// So many bytes to write to, right before the second forbidden page.
    pub fn last(&mut self, len: usize) -> &mut [u8] {
        let start = self.page - len;
        &mut self.middle()[start..]
    }

    /// These bytes, right before the second forbidden page.
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
