//! Changes of files that are undone when a signal ends the process.

use std::ffi::{c_int, c_void};
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};
use std::sync::{Arc, Once, OnceLock};
use std::{mem, ptr, thread};

use super::appended::OpenEnd;
use super::resolve::Place;

/// The signals that do not end a process by default, or that it cannot catch.
const NOT_CAUGHT: &[c_int] = &[
    libc::SIGCHLD,
    libc::SIGCONT,
    libc::SIGKILL,
    libc::SIGSTOP,
    libc::SIGTSTP,
    libc::SIGTTIN,
    libc::SIGTTOU,
    libc::SIGURG,
    libc::SIGWINCH,
    #[cfg(any(
        target_vendor = "apple",
        target_os = "dragonfly",
        target_os = "freebsd",
        target_os = "netbsd",
        target_os = "openbsd"
    ))]
    libc::SIGINFO,
    #[cfg(not(any(
        target_os = "linux",
        target_os = "android",
        target_os = "illumos",
        target_os = "solaris"
    )))]
    libc::SIGIO,
    #[cfg(any(target_os = "illumos", target_os = "solaris"))]
    libc::SIGPWR,
];

/// Signals of faults, which cannot be blocked: a thread cannot go on after one.
const OWN: [c_int; 7] = [
    libc::SIGABRT,
    libc::SIGBUS,
    libc::SIGFPE,
    libc::SIGILL,
    libc::SIGSEGV,
    libc::SIGSYS,
    libc::SIGTRAP,
];

/// Those of [`OWN`] whose instruction, when it runs again, faults again.
const REPEATED: [c_int; 3] = [libc::SIGFPE, libc::SIGILL, libc::SIGSEGV];

/// Returns the signals that end a process by default.
fn endings() -> impl Iterator<Item = c_int> {
    // The ranges end with the real-time signals, where those are known.
    #[cfg(any(target_os = "linux", target_os = "android"))]
    let signals = 1..=libc::SIGRTMAX();
    #[cfg(target_os = "freebsd")]
    let signals = (1..=31).chain(65..=126);
    #[cfg(not(any(target_os = "linux", target_os = "android", target_os = "freebsd")))]
    let signals = 1..=31;
    signals.filter(|signal| !NOT_CAUGHT.contains(signal))
}

/// An action that undoes a change of a file. It is async-signal-safe.
#[derive(Debug)]
pub(super) enum SignalUndo {
    /// Removes the file at a place, if there is one.
    Remove(Place),
    /// Cuts off what was appended to a file.
    Cut(Arc<OpenEnd>),
}

impl SignalUndo {
    /// Undoes the change. A handler cannot report an error.
    fn run(&self) {
        let _ = match self {
            SignalUndo::Remove(place) => place.directory.remove(&place.name),
            SignalUndo::Cut(end) => end.cut(),
        };
    }
}

/// A list node with an action for the handler, or null. Nodes are reused, never freed.
#[derive(Debug, Default)]
struct SignalSlot {
    undo: AtomicPtr<SignalUndo>,
    next: OnceLock<Box<SignalSlot>>,
}

static FIRST: SignalSlot =
    SignalSlot { undo: AtomicPtr::new(ptr::null_mut()), next: OnceLock::new() };

/// True if a handler runs, which ends the process.
static ENDING: AtomicBool = AtomicBool::new(false);

/// The most milliseconds that a handler waits for work that must not be interrupted.
const MOST_WAITS: u32 = 3000;

/// The number of threads whose work must not be interrupted.
static UNINTERRUPTED: AtomicUsize = AtomicUsize::new(0);

/// Changes a file, and registers the action that undoes it or ends its registration. A signal that ends the
/// process waits until that is done.
pub(super) fn uninterrupted<T>(work: impl FnOnce() -> T) -> T {
    install();
    let before = mask(libc::SIG_BLOCK, &set_of_others());
    UNINTERRUPTED.fetch_add(1, Ordering::SeqCst);
    if is_ending() {
        UNINTERRUPTED.fetch_sub(1, Ordering::SeqCst);
        wait_for_end();
    }
    let result = work();
    UNINTERRUPTED.fetch_sub(1, Ordering::SeqCst);
    mask(libc::SIG_SETMASK, &before);
    result
}

/// Returns `true` if a signal ends the process: its changes are undone, or will be.
pub(super) fn is_ending() -> bool {
    ENDING.load(Ordering::SeqCst)
}

/// Waits until a signal on another thread ends the process.
pub(super) fn wait_for_end() -> ! {
    loop {
        thread::park();
    }
}

/// Returns the set of all signals.
fn set_of_all() -> libc::sigset_t {
    // SAFETY: a sigset_t may be all zeros; the call writes into it.
    unsafe {
        let mut set = mem::zeroed();
        libc::sigfillset(&mut set);
        set
    }
}

/// Returns the set of all signals except [`OWN`].
fn set_of_others() -> libc::sigset_t {
    let mut set = set_of_all();
    for signal in OWN {
        // SAFETY: a valid set, into which the call writes.
        unsafe { libc::sigdelset(&mut set, signal) };
    }
    set
}

/// Changes the signals that this thread blocks. Returns those that it blocked before.
fn mask(how: c_int, signals: &libc::sigset_t) -> libc::sigset_t {
    // SAFETY: valid sets; the call writes the second one.
    unsafe {
        let mut before = mem::zeroed();
        libc::pthread_sigmask(how, signals, &mut before);
        before
    }
}

/// Undoes a change when a signal ends the process.
#[derive(Debug)]
pub(super) struct UndoOnSignal {
    /// A value that the slot owns: from [`Box::into_raw`].
    undo: *mut SignalUndo,
    slot: &'static SignalSlot,
}

impl UndoOnSignal {
    /// Registers an action until the value is dropped.
    pub fn new(undo: Box<SignalUndo>) -> UndoOnSignal {
        let undo = Box::into_raw(undo);
        let mut slot = &FIRST;
        while !exchange(slot, ptr::null_mut(), undo) {
            slot = slot.next.get_or_init(Box::default);
        }
        UndoOnSignal { undo, slot }
    }
}

impl Drop for UndoOnSignal {
    fn drop(&mut self) {
        // Otherwise the handler has taken the value and ends the process: it must stay allocated,
        // with its directory or file open.
        if exchange(self.slot, self.undo, ptr::null_mut()) {
            // SAFETY: the pointer is from Box::into_raw, and the slot does not have it any more.
            drop(unsafe { Box::from_raw(self.undo) });
        }
    }
}

/// Replaces the action of a slot, or null, by another. Returns false if the slot has a different one.
fn exchange(slot: &SignalSlot, from: *mut SignalUndo, to: *mut SignalUndo) -> bool {
    slot.undo.compare_exchange(from, to, Ordering::AcqRel, Ordering::Relaxed).is_ok()
}

/// Installs the handler once for each signal that would end the process. A signal that is ignored,
/// as under nohup, or has a handler is left alone.
fn install() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        for signal in endings() {
            // SAFETY: a sigaction may be all zeros; the handler has the signature that these
            // flags ask for and does only what is async-signal-safe.
            unsafe {
                let mut action: libc::sigaction = mem::zeroed();
                // The C library keeps a few for itself.
                let is_known = libc::sigaction(signal, ptr::null(), &mut action) == 0;
                if is_known && action.sa_sigaction == libc::SIG_DFL {
                    let handler: extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void) =
                        on_ending;
                    action.sa_sigaction = handler as usize;
                    // The default action is restored only after all changes were undone: a second
                    // signal must wait.
                    action.sa_flags = libc::SA_ONSTACK | libc::SA_SIGINFO;
                    action.sa_mask = set_of_all();
                    libc::sigaction(signal, &action, ptr::null_mut());
                }
            }
        }
    });
}

/// Waits for some milliseconds. Async-signal-safe.
fn pause(millis: c_int) {
    // SAFETY: poll is async-signal-safe, and reads no descriptor.
    unsafe { libc::poll(ptr::null_mut(), 0, millis) };
}

extern "C" fn on_ending(signal: c_int, info: *mut libc::siginfo_t, _: *mut c_void) {
    // A second signal on another thread, or one that was pending: the first ends the process.
    if ENDING.swap(true, Ordering::SeqCst) {
        if !OWN.contains(&signal) {
            return;
        }
        // The thread would end the process as soon as this returns, or cause the signal again.
        loop {
            pause(1000);
        }
    }
    // Not this thread, unless it caused the signal: it blocks the others. A file system that does not
    // answer is not waited for any longer.
    for _ in 0..MOST_WAITS {
        if UNINTERRUPTED.load(Ordering::SeqCst) == 0 {
            break;
        }
        pause(1);
    }
    let slots = std::iter::successors(Some(&FIRST), |slot| slot.next.get().map(Box::as_ref));
    for slot in slots {
        let undo = slot.undo.swap(ptr::null_mut(), Ordering::AcqRel);
        // SAFETY: a value from Box::into_raw, or null. Its owner does not free it after it was
        // taken here.
        if let Some(undo) = unsafe { undo.as_ref() } {
            undo.run();
        }
    }
    // SAFETY: the system gives a handler with SA_SIGINFO a valid pointer.
    let code = unsafe { (*info).si_code };
    // A signal that a process sends has a code of 0 or less, or on BSD, SI_USER (0x10001) and the like.
    let is_fault = (1..0x1_0000).contains(&code);
    // SAFETY: signal and raise are async-signal-safe. The signal is blocked until this handler
    // returns, and then ends the process.
    unsafe {
        libc::signal(signal, libc::SIG_DFL);
        // A fault that occurs again keeps its address and code for debuggers.
        if !(is_fault && REPEATED.contains(&signal)) {
            libc::raise(signal);
        }
    }
}
