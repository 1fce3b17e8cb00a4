//! Buffered output that keeps the error of a failed write.

use std::io::{self, Write};
use std::ops::{Deref, DerefMut};

/// The number of bytes to gather before a write.
const GATHER: usize = 64 << 10;

/// The error number of a write of memory that cannot be read, on every Unix.
const EFAULT: i32 = 14;

/// Gathers output in a buffer and writes it in large blocks.
pub struct Output {
    /// `None` for an output that stays in the buffer.
    to: Option<Box<dyn Write>>,
    name: String,
    buffer: Vec<u8>,
    /// The last byte that was written.
    last: Option<u8>,
    failure: Option<io::Error>,
}

impl Output {
    /// Returns an output to `to`. Error messages call it `name`.
    pub fn new(to: Box<dyn Write>, name: &str) -> Output {
        Output {
            to: Some(to),
            name: name.to_owned(),
            buffer: Vec::new(),
            last: None,
            failure: None,
        }
    }

    /// Returns an output that keeps all bytes in its [buffer](Output::buffer).
    pub fn memory() -> Output {
        Output {
            to: None,
            name: "memory".to_owned(),
            buffer: Vec::new(),
            last: None,
            failure: None,
        }
    }

    /// Returns the name of the output for error messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the buffer of gathered bytes, to append to.
    pub fn buffer(&mut self) -> &mut Vec<u8> {
        &mut self.buffer
    }

    /// Writes the gathered bytes if there are enough for a large block.
    ///
    /// # Errors
    /// Returns the errors of [`flush`](Output::flush).
    pub fn settle(&mut self) -> io::Result<()> {
        if self.buffer.len() < GATHER { Ok(()) } else { self.flush() }
    }

    /// Appends bytes. A large block is written directly instead of copied.
    ///
    /// # Errors
    /// Returns the errors of [`flush`](Output::flush).
    pub fn copy(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        if bytes.len() < GATHER / 2 {
            self.buffer.extend_from_slice(bytes);
            return self.settle();
        }
        self.flush()?;
        while !bytes.is_empty() {
            let Some(to) = &mut self.to else {
                self.buffer.extend_from_slice(bytes);
                return Ok(());
            };
            match to.write(bytes) {
                Ok(0) => return self.fail(io::ErrorKind::WriteZero.into()),
                Ok(written) => {
                    self.last = Some(bytes[written - 1]);
                    bytes = &bytes[written..];
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                // The bytes are of a mapped file that has shrunk. Copying them is safe: the
                // handler of SIGBUS puts zeros in their place.
                Err(error) if cfg!(unix) && error.raw_os_error() == Some(EFAULT) => {
                    self.buffer.extend_from_slice(bytes);
                    return self.flush();
                }
                Err(error) => return self.fail(error),
            }
        }
        Ok(())
    }

    /// Writes the gathered bytes. An output in memory keeps them.
    ///
    /// # Errors
    /// Returns `WriteZero` if a write fails. [`failure`](Output::failure) has the error of the
    /// write, so that it is not mistaken for an error of the input.
    pub fn flush(&mut self) -> io::Result<()> {
        let Some(to) = &mut self.to else { return Ok(()) };
        if self.buffer.is_empty() {
            return Ok(());
        }
        let written = to.write_all(&self.buffer).and_then(|()| to.flush());
        self.last = self.buffer.last().copied();
        self.buffer.clear();
        written.or_else(|error| self.fail(error))
    }

    /// Returns `true` if the last line of the output does not end with LF.
    pub fn is_in_line(&self) -> bool {
        self.buffer.last().copied().or(self.last).is_some_and(|last| last != b'\n')
    }

    /// Records the error of a write to the same destination.
    ///
    /// # Errors
    /// Returns `WriteZero`, as [`flush`](Output::flush) does.
    pub fn fail(&mut self, error: io::Error) -> io::Result<()> {
        self.failure = Some(error);
        Err(io::ErrorKind::WriteZero.into())
    }

    /// Returns `true` if a write has failed.
    pub fn failed(&self) -> bool {
        self.failure.is_some()
    }

    /// Takes the error of the write that failed, if one did.
    pub fn failure(&mut self) -> Option<io::Error> {
        self.failure.take()
    }
}

/// An output that is borrowed or owned.
#[derive(Debug)]
pub enum OutputRef<'a> {
    /// An output that others write to as well.
    Borrowed(&'a mut Output),
    /// An output of its own.
    Owned(Box<Output>),
}

impl Deref for OutputRef<'_> {
    type Target = Output;

    fn deref(&self) -> &Output {
        match self {
            OutputRef::Borrowed(output) => output,
            OutputRef::Owned(output) => output,
        }
    }
}

impl DerefMut for OutputRef<'_> {
    fn deref_mut(&mut self) -> &mut Output {
        match self {
            OutputRef::Borrowed(output) => output,
            OutputRef::Owned(output) => output,
        }
    }
}

impl<'a> From<&'a mut Output> for OutputRef<'a> {
    fn from(output: &'a mut Output) -> OutputRef<'a> {
        OutputRef::Borrowed(output)
    }
}

impl From<Output> for OutputRef<'_> {
    fn from(output: Output) -> Self {
        OutputRef::Owned(Box::new(output))
    }
}

impl std::fmt::Debug for Output {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Output").field("gathered", &self.buffer.len()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;

    /// Writes a page at a time; the second write fails, as for a page that cannot be read.
    struct ReadablePages(Arc<Mutex<Vec<u8>>>, usize);

    impl Write for ReadablePages {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.1 += 1;
            if self.1 == 2 {
                return Err(io::Error::from_raw_os_error(EFAULT));
            }
            let some = &bytes[..bytes.len().min(4096)];
            self.0.lock().unwrap().extend_from_slice(some);
            Ok(some.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn memory_keeps_everything() {
        let mut out = Output::memory();
        let bytes = vec![b'a'; 2 * GATHER];
        out.copy(b"a").unwrap();
        out.copy(&bytes).unwrap();
        out.settle().unwrap();
        out.flush().unwrap();
        assert_eq!(out.buffer().len(), 2 * GATHER + 1);
    }

    #[test]
    fn unreadable_pages_are_copied() {
        let taken = Arc::default();
        let mut out = Output::new(Box::new(ReadablePages(Arc::clone(&taken), 0)), "memory");
        let bytes: Vec<u8> = (0..2 * GATHER).map(|at| at as u8).collect();
        out.copy(&bytes).unwrap();
        assert!(*taken.lock().unwrap() == bytes);
        assert!(!out.failed());
    }
}
