//! Readers and writers of inputs and reports.

use std::cell::RefCell;
use std::io::{self, Read, Write};
use std::rc::Rc;

/// A writer into memory.
#[derive(Clone, Default)]
pub struct Shared(pub Rc<RefCell<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A reader that returns at most a number of bytes at a time.
pub struct SlowReader<'a>(pub &'a [u8], pub usize);

impl Read for SlowReader<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let most = self.1.min(out.len());
        self.0.read(&mut out[..most])
    }
}
