//! Bytes that are appended to another file, for a replacement.

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::undo_on_signal::{self, SignalUndo, UndoOnSignal};
use super::{failed, with_removal};

/// The end of a regular file, which is written before a [`Replacement`](super::Replacement) and kept
/// only with it. It is cut off when the value is dropped or a signal ends the process, unless another
/// program appended to the file, too.
#[derive(Debug)]
pub struct AppendedEnd {
    end: Arc<OpenEnd>,
    /// True if the end was kept or cut off.
    is_settled: bool,
    registration: Option<UndoOnSignal>,
}

/// A file, open to append, and the range that is appended.
#[derive(Debug)]
pub(super) struct OpenEnd {
    file: File,
    /// The length of the file before, in bytes.
    len: u64,
    /// The length of the file after the last write, if no other program wrote to it.
    end: AtomicU64,
}

impl OpenEnd {
    /// Cuts the end off. Makes system calls only, without an allocation: a signal handler calls it.
    ///
    /// # Errors
    /// The end is left: another program appended to the file (EBUSY), or the file cannot be cut.
    pub fn cut(&self) -> io::Result<()> {
        if (&self.file).seek(SeekFrom::End(0))? != self.end.load(Ordering::SeqCst) {
            return Err(io::Error::from_raw_os_error(libc::EBUSY));
        }
        self.file.set_len(self.len)
    }
}

impl AppendedEnd {
    /// Starts to append to a file, which is open to append and has this length in bytes.
    pub fn begin(file: File, len: u64) -> AppendedEnd {
        let end = Arc::new(OpenEnd { file, len, end: AtomicU64::new(len) });
        let mut appended = AppendedEnd { end, is_settled: false, registration: None };
        undo_on_signal::uninterrupted(|| appended.cut_on_signal());
        appended
    }

    /// Returns the file.
    pub fn file(&self) -> &File {
        &self.end.file
    }

    /// Cuts the end off.
    ///
    /// # Errors
    /// The end is left.
    pub(super) fn discard(mut self) -> io::Result<()> {
        self.is_settled = true;
        let problem = "the lines that were appended to the other file are left there";
        self.end.cut().map_err(|error| {
            let error = match error.raw_os_error() {
                Some(libc::EBUSY) => io::Error::other("another program wrote to it"),
                _ => error,
            };
            failed(problem, &error, "delete them there: the input has them still")
        })
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
        let cut = Box::new(SignalUndo::Cut(Arc::clone(&self.end)));
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
        undo_on_signal::uninterrupted(|| {
            let written = (&self.end.file).write(bytes)?;
            self.end.end.fetch_add(written as u64, Ordering::SeqCst);
            Ok(written)
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for AppendedEnd {
    fn drop(&mut self) {
        if !self.is_settled {
            // A drop cannot report an error.
            let _ = self.end.cut();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::OpenOptions;

    #[test]
    fn an_end_is_cut_off_unless_another_program_appended_to_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, "old").unwrap();
        let open = || OpenOptions::new().append(true).open(&path).unwrap();
        let appended = || {
            let end = AppendedEnd::begin(open(), 3);
            (&end).write_all(b"new").unwrap();
            end
        };
        drop(appended());
        assert_eq!(std::fs::read(&path).unwrap(), b"old");
        let end = appended();
        open().write_all(b"other").unwrap();
        assert_eq!(
            end.discard().unwrap_err().to_string(),
            "the lines that were appended to the other file are left there: another program wrote to it \
             (delete them there: the input has them still)"
        );
        assert_eq!(std::fs::read(&path).unwrap(), b"oldnewother");
        std::fs::write(&path, "old").unwrap();
        appended().keep();
        assert_eq!(std::fs::read(&path).unwrap(), b"oldnew");
    }
}
