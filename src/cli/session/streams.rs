//! Writers to standard output and standard error.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::sync::atomic::{AtomicBool, Ordering};

use super::STANDARD_OUTPUT;
use crate::cli::parallel::TurnWriter;
use crate::cli::progress;
use crate::os::calls;
use crate::output::Output;

/// The standard streams of a session, for further outputs.
pub(in crate::cli) struct SecondOutputs(pub(super) Option<TurnWriter>);

impl SecondOutputs {
    /// Returns a second output to standard output or standard error.
    pub fn open(&self, error: bool) -> Output {
        let to: Box<dyn Write> = match (&self.0, error) {
            (Some(turn), true) => Box::new(turn.errors()),
            (Some(turn), false) => Box::new(turn.standard_output()),
            (None, true) => Box::new(StandardError),
            (None, false) => open_stdout(),
        };
        Output::new(to, if error { "standard error" } else { STANDARD_OUTPUT })
    }
}

/// Returns standard output, or a writer that fails if it was closed at the start.
pub(in crate::cli) fn open_stdout() -> Box<dyn Write + Send> {
    if calls::closed_at_start(1) {
        return Box::new(ClosedOutput);
    }
    match io::stdout().as_fd().try_clone_to_owned() {
        Ok(descriptor) => Box::new(BlockingWriter(File::from(descriptor))),
        Err(_) => Box::new(ClosedOutput),
    }
}

/// Writes to a descriptor, and waits until a non-blocking one is ready.
pub(super) struct BlockingWriter<W>(pub W);

impl<W: Write + AsFd> Write for BlockingWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        progress::clear();
        loop {
            match self.0.write(bytes) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    calls::wait(self.0.as_fd(), libc::POLLOUT)?;
                }
                result => return result,
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Standard error. An error of writing is kept for [`messages_lost`], and the run goes on.
struct StandardError;

impl Write for StandardError {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = BlockingWriter(io::stderr()).write_all(bytes);
        if written.is_err_and(|error| error.kind() != io::ErrorKind::BrokenPipe) {
            MESSAGES_LOST.store(true, Ordering::Relaxed);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Fails: standard output is closed.
struct ClosedOutput;

impl Write for ClosedOutput {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(closed_error())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns the error of a standard descriptor that was closed when the process started.
pub(in crate::cli) fn closed_error() -> io::Error {
    io::Error::other("is closed (open it, or redirect it)")
}

/// Prints lines on standard error. An error of writing is kept for [`messages_lost`].
pub(in crate::cli) fn print_error(lines: &[u8]) {
    // It never fails.
    let _ = StandardError.write_all(lines);
}

/// `true` once a message could not be written.
static MESSAGES_LOST: AtomicBool = AtomicBool::new(false);

/// Returns `true` if a message since the last call could not be written, other than to a closed pipe,
/// whose reader has enough.
pub(in crate::cli) fn messages_lost() -> bool {
    MESSAGES_LOST.swap(false, Ordering::Relaxed)
}
