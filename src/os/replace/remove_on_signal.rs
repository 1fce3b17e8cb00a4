//! Files that are removed when a signal ends the process.

use std::ffi::{CString, c_char, c_int};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Once, OnceLock};

/// The signals that ask a process to end.
const ENDINGS: [c_int; 4] = [libc::SIGHUP, libc::SIGINT, libc::SIGQUIT, libc::SIGTERM];

/// A list node with a file name for the handler, or null. Nodes are reused, never freed.
#[derive(Debug, Default)]
struct SignalSlot {
    name: AtomicPtr<c_char>,
    next: OnceLock<Box<SignalSlot>>,
}

static FIRST: SignalSlot =
    SignalSlot { name: AtomicPtr::new(ptr::null_mut()), next: OnceLock::new() };

/// Removes a file, if it exists, when a signal ends the process.
#[derive(Debug)]
pub(super) struct RemoveOnSignal {
    name: CString,
    slot: &'static SignalSlot,
}

impl RemoveOnSignal {
    /// Registers a path until the value is dropped.
    pub fn new(path: &Path) -> io::Result<RemoveOnSignal> {
        install();
        let name = CString::new(path.as_os_str().as_bytes())?;
        let pointer = name.as_ptr().cast_mut();
        let mut slot = &FIRST;
        while !exchange(slot, ptr::null_mut(), pointer) {
            slot = slot.next.get_or_init(Box::default);
        }
        Ok(RemoveOnSignal { name, slot })
    }
}

impl Drop for RemoveOnSignal {
    fn drop(&mut self) {
        if !exchange(self.slot, self.name.as_ptr().cast_mut(), ptr::null_mut()) {
            // The handler is using the name and ends the process: the name must stay allocated.
            std::mem::forget(std::mem::take(&mut self.name));
        }
    }
}

/// Replaces a name, or null, by another. Returns false if the slot has a different one.
fn exchange(slot: &SignalSlot, from: *mut c_char, to: *mut c_char) -> bool {
    slot.name.compare_exchange(from, to, Ordering::AcqRel, Ordering::Relaxed).is_ok()
}

/// Installs the handler once for each signal that would end the process. A signal that is ignored,
/// as under nohup, or has a handler is left alone.
fn install() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        for signal in ENDINGS {
            // SAFETY: a sigaction may be all zeros; the handler has the signature that these
            // flags ask for and does only what is async-signal-safe.
            unsafe {
                let mut action: libc::sigaction = std::mem::zeroed();
                libc::sigaction(signal, ptr::null(), &mut action);
                if action.sa_sigaction == libc::SIG_DFL {
                    action.sa_sigaction = on_ending as extern "C" fn(c_int) as usize;
                    action.sa_flags = libc::SA_RESETHAND | libc::SA_ONSTACK;
                    libc::sigaction(signal, &action, ptr::null_mut());
                }
            }
        }
    });
}

extern "C" fn on_ending(signal: c_int) {
    let slots = std::iter::successors(Some(&FIRST), |slot| slot.next.get().map(Box::as_ref));
    for slot in slots {
        let name = slot.name.swap(ptr::null_mut(), Ordering::AcqRel);
        if !name.is_null() {
            // SAFETY: a string that ends in NUL. Its owner does not free it after it was taken
            // here.
            unsafe { libc::unlink(name) };
        }
    }
    // SAFETY: raise is async-signal-safe. The default action is restored and runs when this handler
    // returns.
    unsafe { libc::raise(signal) };
}
