//! How does output get out? In large pieces, and never lost without a word.

use std::io::{self, Write};

/// How much is gathered before it is written, in bytes.
const GATHER: usize = 64 << 10;

/// Gathers output and writes it.
pub struct Out {
    to: Box<dyn Write>,
    name: String,
    buffer: Vec<u8>,
    failure: Option<io::Error>,
    /// How much is gathered before it is written, in bytes.
    gather: usize,
}

impl Out {
    /// Write to `to`, which errors call by its name.
    pub fn new(to: Box<dyn Write>, name: &str) -> Out {
        Out { to, name: name.to_owned(), buffer: Vec::new(), failure: None, gather: GATHER }
    }

    /// Gather all of it, to be looked at in the [buffer](Out::buffer).
    pub fn memory() -> Out {
        Out { gather: usize::MAX, ..Out::new(Box::new(io::sink()), "memory") }
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
        written.map_err(|error| {
            self.failure = Some(error);
            io::ErrorKind::WriteZero.into()
        })
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

impl std::fmt::Debug for Out {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Out").field("gathered", &self.buffer.len()).finish_non_exhaustive()
    }
}
