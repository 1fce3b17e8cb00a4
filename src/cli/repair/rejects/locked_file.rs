//! The file of rejected lines, locked for other runs.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use crate::cli::output::is_same_file;
use crate::os::calls::retry;

/// The most times that a file of rejected lines is opened, if it is replaced each time.
const OPENINGS: usize = 8;

/// The time to wait for a lock before `on_wait` is called.
const PATIENCE: Duration = Duration::from_millis(500);

/// The time between two attempts to lock a file: no system call waits for a lock for a given time.
const PAUSE: Duration = Duration::from_millis(1);

/// Opens a file to append to it. A regular file is locked for other runs while it is open: their lines would
/// be cut off with these. `on_wait` is called once, before a long wait. A file that was replaced meanwhile is
/// opened again, a few times.
///
/// # Errors
/// Those of opening; the file was replaced each time.
pub(super) fn open_locked(path: &Path, on_wait: &mut dyn FnMut()) -> io::Result<File> {
    let mut on_wait = Some(on_wait);
    let mut on_first_wait = || {
        if let Some(on_wait) = on_wait.take() {
            on_wait();
        }
    };
    for _ in 0..OPENINGS {
        let file = OpenOptions::new().append(true).create(true).open(path)?;
        let metadata = file.metadata()?;
        if !metadata.is_file() {
            return Ok(file);
        }
        lock(&file, &mut on_first_wait);
        if path.metadata().is_ok_and(|found| is_same_file(&found, &metadata)) {
            return Ok(file);
        }
    }
    Err(replaced_meanwhile())
}

/// Locks a file, if its file system has locks.
fn lock(file: &File, on_wait: &mut dyn FnMut()) {
    let start = Instant::now();
    let try_lock = || match file.try_lock() {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) => Err(error),
    };
    while let Ok(false) = retry(try_lock) {
        if start.elapsed() >= PATIENCE {
            on_wait();
            let _ = retry(|| file.lock());
            return;
        }
        thread::sleep(PAUSE);
    }
}

/// Returns the error for a file of rejected lines that another program replaced.
pub(super) fn replaced_meanwhile() -> io::Error {
    io::Error::other("was replaced by another program (run again)")
}
