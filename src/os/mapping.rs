//! Memory-mapped files that may shrink: lost pages become zeros and an error.
//!
//! Reading a page after the end of a mapped file raises SIGBUS. Checking the size first cannot
//! prevent it, because the file may shrink between the check and the read. A handler therefore maps
//! zeros in place of the lost pages and marks the mapping as broken. The owner of the mapping
//! checks [`Mapping::error`] before each block of work and at the end.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use memmap2::{Mmap, MmapMut, MmapOptions, UncheckedAdvice};

use super::calls;

/// The maximum number of mappings at a time.
const SLOTS: usize = 16;

/// Bytes that are zero at first, from the start of a page on, which the system copies to fastest. Only
/// the pages that were used take memory.
#[derive(Debug)]
pub(crate) struct ZeroedMemory(MmapMut);

impl ZeroedMemory {
    /// Maps `len` bytes, at least 1.
    ///
    /// # Errors
    /// Returns the errors of `mmap`: there is no memory.
    pub(crate) fn new(len: usize) -> io::Result<ZeroedMemory> {
        MmapMut::map_anon(len).map(ZeroedMemory)
    }

    pub(crate) fn bytes(&mut self) -> &mut [u8] {
        &mut self.0
    }
}

/// A mapping as the signal handler sees it. `start` is 0 while the slot is free.
struct MappingSlot {
    taken: AtomicBool,
    start: AtomicUsize,
    end: AtomicUsize,
    broken: AtomicBool,
}

static WATCHED: [MappingSlot; SLOTS] = [const {
    MappingSlot {
        taken: AtomicBool::new(false),
        start: AtomicUsize::new(0),
        end: AtomicUsize::new(0),
        broken: AtomicBool::new(false),
    }
}; SLOTS];

/// A part of a regular file, mapped into memory.
#[derive(Debug)]
pub(crate) struct Mapping {
    map: Mmap,
    slot: &'static MappingSlot,
}

impl std::fmt::Debug for MappingSlot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Slot {{ broken: {:?} }}", self.broken)
    }
}

impl Mapping {
    /// Maps `len` bytes of a file from `offset` on.
    ///
    /// # Errors
    /// Returns the errors of `mmap`; `OutOfMemory` if [`SLOTS`] files are mapped already.
    pub(crate) fn new(file: &File, offset: u64, len: usize) -> io::Result<Mapping> {
        install();
        let slot = WATCHED
            .iter()
            .find(|slot| !slot.taken.swap(true, Ordering::Acquire))
            .ok_or(io::ErrorKind::OutOfMemory)?;
        // SAFETY: other processes may change the bytes. They reach only codecs and sinks that say
        // that they tolerate it: these rely on no two reads being equal and make no `str` of them.
        // The handler below replaces lost pages.
        let map = match unsafe { MmapOptions::new().offset(offset).len(len).map(file) } {
            Ok(map) => map,
            Err(error) => {
                slot.taken.store(false, Ordering::Release);
                return Err(error);
            }
        };
        let pages = map.as_ptr_range();
        slot.broken.store(false, Ordering::Relaxed);
        slot.end.store(pages.end as usize, Ordering::Release);
        slot.start.store(page_of(pages.start as usize), Ordering::Release);
        Ok(Mapping { map, slot })
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.map
    }

    /// Releases the memory of a range of bytes. They can still be read, from the file.
    pub(crate) fn release(&self, part: Range<usize>) {
        // SAFETY: the mapping is read-only and backed by a file, so no content is lost.
        let advised = unsafe {
            self.map.unchecked_advise_range(UncheckedAdvice::DontNeed, part.start, part.len())
        };
        // The advice is optional.
        let _ = advised;
    }

    /// Returns the error of a page that was lost: the file has shrunk, or it could not be read.
    pub(crate) fn error(&self) -> Option<io::Error> {
        let broken = self.slot.broken.load(Ordering::Relaxed);
        broken.then(|| io::Error::from_raw_os_error(libc::EIO))
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        self.slot.start.store(0, Ordering::Release);
        self.slot.taken.store(false, Ordering::Release);
    }
}

static PAGE_SIZE: AtomicUsize = AtomicUsize::new(1);
static PREVIOUS: OnceLock<libc::sigaction> = OnceLock::new();

/// Returns the start of the page that contains an address.
fn page_of(address: usize) -> usize {
    address & !(PAGE_SIZE.load(Ordering::Relaxed) - 1)
}

/// Installs the handler once per process.
fn install() {
    PREVIOUS.get_or_init(|| {
        PAGE_SIZE.store(calls::page_size(), Ordering::Relaxed);
        // SAFETY: a sigaction may be all zeros; the handler has the signature that SA_SIGINFO
        // asks for and does only what is async-signal-safe.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = on_bus_error as FaultHandler as usize;
            action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
            let mut previous: libc::sigaction = std::mem::zeroed();
            libc::sigaction(libc::SIGBUS, &action, &mut previous);
            previous
        }
    });
}

type FaultHandler = extern "C" fn(libc::c_int, *mut libc::siginfo_t, *mut libc::c_void);

extern "C" fn on_bus_error(
    signal: libc::c_int,
    info: *mut libc::siginfo_t,
    context: *mut libc::c_void,
) {
    // SAFETY: the kernel passes a valid siginfo.
    let (code, address) = unsafe { ((*info).si_code, (*info).si_addr() as usize) };
    // A signal that a process sends has no address: other fields are in its place.
    let is_fault = code == libc::BUS_ADRERR;
    let ours = WATCHED.iter().filter(|_| is_fault).find_map(|slot| {
        let start = slot.start.load(Ordering::Acquire);
        let end = slot.end.load(Ordering::Acquire);
        // An unchanged start means that the end belongs to the same mapping.
        let whole = start != 0 && start == slot.start.load(Ordering::Acquire);
        (whole && (start..end).contains(&address)).then_some((slot, end))
    });
    if let Some((slot, end)) = ours {
        slot.broken.store(true, Ordering::Relaxed);
        let page = page_of(address);
        // SAFETY: these pages belong to a live mapping of this crate, because this thread accessed
        // one of them and faulted. Zeros replace the rest of the mapping at the same addresses.
        let zeros = unsafe {
            libc::mmap(
                page as *mut libc::c_void,
                end - page,
                libc::PROT_READ,
                libc::MAP_PRIVATE | libc::MAP_ANON | libc::MAP_FIXED,
                -1,
                0,
            )
        };
        if zeros != libc::MAP_FAILED {
            return;
        }
    }
    // The address is of no mapping of this crate: call the previous handler.
    // SAFETY: the action was returned by the system, or is the default, which is all zeros. Its
    // flags give the signature of its handler.
    unsafe {
        let default: libc::sigaction = std::mem::zeroed();
        let previous = PREVIOUS.get().unwrap_or(&default);
        match previous.sa_sigaction {
            // The signal is blocked until this handler returns; then the action takes it.
            libc::SIG_DFL | libc::SIG_IGN => {
                libc::sigaction(libc::SIGBUS, previous, std::ptr::null_mut());
                libc::raise(signal);
            }
            handler if previous.sa_flags & libc::SA_SIGINFO != 0 => {
                let handler: FaultHandler = std::mem::transmute(handler);
                handler(signal, info, context);
            }
            handler => {
                let handler: extern "C" fn(libc::c_int) = std::mem::transmute(handler);
                handler(signal);
            }
        }
    }
}
