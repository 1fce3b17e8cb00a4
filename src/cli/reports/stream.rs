//! Streams of reports, each of which may be one document.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use crate::cli::parallel::lock;
use crate::report::{Document, FormatRow};

/// Writes until the reader closes the pipe, and discards the rest: reports in files are still to be
/// written.
pub(super) struct UntilClosed(pub Option<Box<dyn Write + Send>>);

impl Write for UntilClosed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some(to) = &mut self.0 else { return Ok(bytes.len()) };
        match to.write(bytes) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.0 = None;
                Ok(bytes.len())
            }
            written => written,
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.as_mut().map_or(Ok(()), |to| to.flush())
    }
}

/// A stream that a report is written to. Clones write to the same stream.
#[derive(Clone)]
pub(in crate::cli) struct ReportStream(Arc<Mutex<StreamState>>);

struct StreamState {
    to: Box<dyn Write + Send>,
    /// The document that the records belong to; `None` if the format is not a document.
    document: Option<Box<dyn Document>>,
    /// The start of a record.
    record: Vec<u8>,
    /// The part of the document that is not written yet.
    out: Vec<u8>,
}

impl ReportStream {
    /// Returns a stream for a report of a command in a format, or for other output, and begins the
    /// document.
    pub(super) fn new(
        format: Option<&FormatRow>,
        command: &'static str,
        to: Box<dyn Write + Send>,
    ) -> ReportStream {
        let mut document = format.and_then(|format| format.document).map(|open| open(command));
        let (record, mut out) = (Vec::new(), Vec::new());
        if let Some(document) = &mut document {
            document.begin(&mut out);
        }
        ReportStream(Arc::new(Mutex::new(StreamState { to, document, record, out })))
    }

    /// Ends the document.
    ///
    /// # Errors
    /// A write fails.
    pub(super) fn end(&self) -> io::Result<()> {
        let mut state = lock(&self.0);
        let StreamState { document, record, out, .. } = &mut *state;
        debug_assert!(record.is_empty(), "a record has no end");
        if let Some(document) = document {
            document.end(out);
        }
        state.flush()
    }

    pub(super) fn job_summary(&self) -> Option<Vec<u8>> {
        lock(&self.0).document.as_ref()?.job_summary()
    }

    pub(super) fn left_out(&self) -> Option<String> {
        lock(&self.0).document.as_ref()?.left_out()
    }
}

impl StreamState {
    /// Adds records to the document.
    fn add(&mut self, mut bytes: &[u8]) {
        let StreamState { document: Some(document), record, out, .. } = self else { return };
        while let Some(end) = memchr::memchr(b'\n', bytes) {
            if record.is_empty() {
                document.record(out, &bytes[..end]);
            } else {
                record.extend_from_slice(&bytes[..end]);
                document.record(out, record);
                record.clear();
            }
            bytes = &bytes[end + 1..];
        }
        record.extend_from_slice(bytes);
    }

    fn flush(&mut self) -> io::Result<()> {
        let written = self.to.write_all(&self.out);
        self.out.clear();
        written.and_then(|()| self.to.flush())
    }
}

impl Write for ReportStream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut state = lock(&self.0);
        if state.document.is_none() {
            return state.to.write(bytes);
        }
        state.add(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        lock(&self.0).flush()
    }
}
