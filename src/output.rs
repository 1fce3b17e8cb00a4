//! How does output get out? In large pieces, and never lost without a word.

use std::io::{self, Write};

/// How much is gathered before it is written, in bytes.
const GATHER: usize = 64 << 10;

/// The error number of a write of memory that cannot be read, on every Unix.
const EFAULT: i32 = 14;

/// Gathers output and writes it.
pub struct Output {
    to: Box<dyn Write>,
    name: String,
    buffer: Vec<u8>,
    failure: Option<io::Error>,
    /// How much is gathered before it is written, in bytes.
    gather: usize,
}

impl Output {
    /// Write to `to`, which errors call by its name.
    pub fn new(to: Box<dyn Write>, name: &str) -> Output {
        Output { to, name: name.to_owned(), buffer: Vec::new(), failure: None, gather: GATHER }
    }

    /// Gather all of it, to be looked at in the [buffer](Out::buffer).
    pub fn memory() -> Output {
        Output { gather: usize::MAX, ..Output::new(Box::new(io::sink()), "memory") }
    }

    /// What is written to.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What is gathered; append to it.
    pub fn buffer(&mut self) -> &mut Vec<u8> {
        &mut self.buffer
    }

    /// Write what is gathered if it is much.
    ///
    /// # Errors
    /// As for [`flush`](Out::flush).
    pub fn settle(&mut self) -> io::Result<()> {
        if self.buffer.len() < self.gather { Ok(()) } else { self.flush() }
    }

    /// Append bytes: many of them are written at once, and not copied.
    ///
    /// # Errors
    /// As for [`flush`](Out::flush).
    pub fn copy(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        if bytes.len() < self.gather / 2 {
            self.buffer.extend_from_slice(bytes);
            return self.settle();
        }
        self.flush()?;
        while !bytes.is_empty() {
            match self.to.write(bytes) {
                Ok(0) => return self.fail(io::ErrorKind::WriteZero.into()),
                Ok(written) => bytes = &bytes[written..],
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                // They were those of a mapped file, which has shrunk: to copy them is safe.
                Err(error) if cfg!(unix) && error.raw_os_error() == Some(EFAULT) => {
                    self.buffer.extend_from_slice(bytes);
                    return self.flush();
                }
                Err(error) => return self.fail(error),
            }
        }
        Ok(())
    }

    /// Write what is gathered.
    ///
    /// # Errors
    /// `WriteZero` if it cannot be written; [`failure`](Out::failure) then has the reason, so that
    /// it is not taken for an error of the input.
    pub fn flush(&mut self) -> io::Result<()> {
        if self.buffer.is_empty() {
            return Ok(());
        }
        let written = self.to.write_all(&self.buffer).and_then(|()| self.to.flush());
        self.buffer.clear();
        written.or_else(|error| self.fail(error))
    }

    fn fail(&mut self, error: io::Error) -> io::Result<()> {
        self.failure = Some(error);
        Err(io::ErrorKind::WriteZero.into())
    }

    /// Whether output was lost.
    pub fn failed(&self) -> bool {
        self.failure.is_some()
    }

    /// Why output was lost.
    pub fn failure(&mut self) -> Option<io::Error> {
        self.failure.take()
    }
}

impl std::fmt::Debug for Output {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Out").field("gathered", &self.buffer.len()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;

    /// Takes a page at a time, and nothing of a page behind the first that the system cannot read.
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
    fn what_cannot_be_written_where_it_is_is_copied() {
        let taken = Arc::default();
        let mut out = Output::new(Box::new(ReadablePages(Arc::clone(&taken), 0)), "memory");
        let bytes: Vec<u8> = (0..2 * GATHER).map(|at| at as u8).collect();
        out.copy(&bytes).unwrap();
        assert!(*taken.lock().unwrap() == bytes);
        assert!(!out.failed());
    }
}
