//! How does an input come in pieces?

use std::fmt::{self, Debug, Formatter};
use std::io;
use std::ops::ControlFlow;

use crate::kernel::Kernels;
use crate::registry::CODECS;
use crate::scan::Chunk;
use crate::sink::Sink;

/// Scans pieces of an input as UTF-8, into a sink that judges by that.
pub(super) struct EvidenceFeed<S> {
    kernels: &'static Kernels,
    sink: S,
    /// The offset of what is next.
    offset: u64,
    /// What waits for the next piece: the start of a sequence.
    rest: Vec<u8>,
    /// Whether the sink has enough.
    done: bool,
}

impl<S: Debug> Debug for EvidenceFeed<S> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.sink.fmt(f)
    }
}

impl<S: Sink> EvidenceFeed<S> {
    /// Scan an input into this sink.
    pub fn new(kernels: &'static Kernels, sink: S) -> EvidenceFeed<S> {
        EvidenceFeed { kernels, sink, offset: 0, rest: Vec::new(), done: false }
    }

    /// Scan the next piece. Breaks once the sink has enough.
    pub fn piece(&mut self, bytes: &[u8]) -> io::Result<ControlFlow<()>> {
        if self.rest.is_empty() {
            return self.scan(bytes, false);
        }
        let mut joined = std::mem::take(&mut self.rest);
        joined.extend_from_slice(bytes);
        self.scan(&joined, false)
    }

    /// There is no other piece.
    pub fn end(&mut self) -> io::Result<()> {
        let rest = std::mem::take(&mut self.rest);
        self.scan(&rest, true).map(drop)
    }

    /// The sink.
    pub fn into_sink(self) -> S {
        self.sink
    }

    fn scan(&mut self, bytes: &[u8], last: bool) -> io::Result<ControlFlow<()>> {
        if self.done {
            return Ok(ControlFlow::Break(()));
        }
        let chunk = Chunk { bytes, offset: self.offset, last };
        let scanned = (CODECS[0].open)(self.offset).scan(self.kernels, chunk, &mut self.sink)?;
        self.offset += scanned.consumed as u64;
        self.rest.extend_from_slice(&bytes[scanned.consumed..]);
        self.done = scanned.flow.is_break();
        Ok(scanned.flow)
    }
}
