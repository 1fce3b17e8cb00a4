//! What if a mapped file shrinks? Its lost pages become zeros, and the mapping says so.
//!
//! Reading a page behind the end of a mapped file is SIGBUS. No check of the size in advance can
//! prevent that, for the file may shrink between the check and the read. So a handler puts zeros
//! where the file was and marks the mapping as broken; its owner asks [`Mapping::error`] before
//! each piece of work and at the end, and says that what it has seen may not be so.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use memmap2::{Mmap, MmapOptions, UncheckedAdvice};

use super::calls;

/// How many mappings are watched at a time; [`Mapping::new`] fails beyond.
const SLOTS: usize = 16;

/// What the handler knows of one mapping. `start` is zero while the slot watches nothing.
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

/// A part of a regular file in memory.
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
    /// Map `len` bytes of a file from `offset` on.
    ///
    /// # Errors
    /// Those of `mmap`; `OutOfMemory` if too many files are mapped.
    pub(crate) fn new(file: &File, offset: u64, len: usize) -> io::Result<Mapping> {
        install();
        let slot = WATCHED
            .iter()
            .find(|slot| !slot.taken.swap(true, Ordering::Acquire))
            .ok_or(io::ErrorKind::OutOfMemory)?;
        // SAFETY: the bytes may change under us. Nothing relies on two reads of them being equal,
        // none of them becomes a `str`, and a page that is lost is answered by the handler below.
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

    /// These bytes are done with: they need no memory of this process any more.
    pub(crate) fn release(&self, part: Range<usize>) {
        // SAFETY: the mapping is only read and is of a file, so its pages lose nothing.
        let advised = unsafe {
            self.map.unchecked_advise_range(UncheckedAdvice::DontNeed, part.start, part.len())
        };
        // It was advice.
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

/// The start of the page that an address is in.
fn page_of(address: usize) -> usize {
    address & !(PAGE_SIZE.load(Ordering::Relaxed) - 1)
}

/// Install the handler, once.
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
    let address = unsafe { (*info).si_addr() } as usize;
    let ours = WATCHED.iter().find_map(|slot| {
        let start = slot.start.load(Ordering::Acquire);
        let end = slot.end.load(Ordering::Acquire);
        // The same start again: the end is of the same mapping, not of one that took the slot.
        let whole = start != 0 && start == slot.start.load(Ordering::Acquire);
        (whole && (start..end).contains(&address)).then_some((slot, end))
    });
    if let Some((slot, end)) = ours {
        slot.broken.store(true, Ordering::Relaxed);
        let page = page_of(address);
        // SAFETY: these pages belong to a mapping of ours that is alive, for this thread is
        // reading it; zeros take the place of the rest of it, at the same addresses.
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
    // Not ours: whoever was there before shall answer.
    // SAFETY: the action is one that the system gave us, or the default, which is all zeros; a
    // handler in it has the signature that its flags say.
    unsafe {
        let default: libc::sigaction = std::mem::zeroed();
        let previous = PREVIOUS.get().unwrap_or(&default);
        match previous.sa_sigaction {
            // It strikes again as soon as this handler returns.
            libc::SIG_DFL | libc::SIG_IGN => {
                libc::sigaction(libc::SIGBUS, previous, std::ptr::null_mut());
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
