//! Bytes that are appended to another file, for a replacement.

use std::fs::File;
use std::io::{self, Write};
use std::sync::Arc;

use super::undo_on_signal::{self, SignalUndo, UndoOnSignal};
use super::{failed, with_removal};

/// The end of a regular file, which is written before a [`Replacement`](super::Replacement) and kept
/// only with it. It is cut off when the value is dropped or a signal ends the process.
#[derive(Debug)]
pub struct AppendedEnd {
    file: Arc<File>,
    /// The length of the file before, in bytes.
    len: u64,
    /// True if the end was kept or cut off.
    is_settled: bool,
    registration: Option<UndoOnSignal>,
}

impl AppendedEnd {
    /// Starts to append to a file, which is open to append and has this length in bytes. No other
    /// process may write to it until the value is dropped.
    pub fn begin(file: File, len: u64) -> AppendedEnd {
        let mut end =
            AppendedEnd { file: Arc::new(file), len, is_settled: false, registration: None };
        undo_on_signal::uninterrupted(|| end.cut_on_signal());
        end
    }

    /// Returns the file.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// Cuts the end off.
    ///
    /// # Errors
    /// The end is left.
    pub(super) fn discard(mut self) -> io::Result<()> {
        self.is_settled = true;
        let cut = self.file.set_len(self.len);
        let problem = "what was appended to the other file is left there";
        cut.map_err(|error| failed(problem, &error, "remove it"))
    }

    /// Cuts the end off after an error. Returns the error, with that of the cut if there is one.
    pub fn discard_after(self, error: io::Error) -> io::Error {
        with_removal(error, self.discard())
    }

    /// Leaves the end when a signal ends the process.
    pub(super) fn leave_on_signal(&mut self) {
        self.registration = None;
    }

    /// Cuts the end off again when a signal ends the process.
    pub(super) fn cut_on_signal(&mut self) {
        let cut = Box::new(SignalUndo::Cut(Arc::clone(&self.file), self.len));
        self.registration = Some(UndoOnSignal::new(cut));
    }

    /// Keeps the end.
    pub(super) fn keep(mut self) {
        self.leave_on_signal();
        self.is_settled = true;
    }
}

impl Write for &AppendedEnd {
    /// Appends bytes. Nothing is written after a signal has cut the end off.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        undo_on_signal::uninterrupted(|| (&*self.file).write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for AppendedEnd {
    fn drop(&mut self) {
        if !self.is_settled {
            // A drop cannot report an error.
            let _ = self.file.set_len(self.len);
        }
    }
}
