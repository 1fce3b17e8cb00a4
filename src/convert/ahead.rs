//! Conversion of text ahead of its turn.

use std::io;

use super::{Conversion, Convert};
use crate::finding::stop::StopReason;
use crate::output::Output;
use crate::registry::Encoding;
use crate::sink::{AheadWork, ScanBytes};

/// Conversion of text ahead of a [`Convert`].
pub(super) struct ConvertWork {
    /// A conversion with the options of the other and a strict policy: policies do not matter for text
    /// that has an encoding.
    pub conversion: Conversion,
    pub source: &'static Encoding,
    /// True if the state of the writer depends on the characters of the line.
    pub needs_lines: bool,
}

impl ConvertWork {
    /// Converts text from the start of a line on. Returns the number of bytes up to the end or the
    /// sequence that stopped the conversion.
    fn convert(
        &mut self,
        bytes: &[u8],
        scan: ScanBytes<'_>,
        output: &mut Vec<u8>,
    ) -> io::Result<usize> {
        let mut out = Output::memory();
        std::mem::swap(out.buffer(), output);
        self.conversion.resume_at_line(self.source);
        let scanned = scan(bytes, &mut Convert::resume(&mut self.conversion, &mut out));
        std::mem::swap(out.buffer(), output);
        Ok(self.conversion.stop().map_or(scanned?, |stop| stop.offset() as usize))
    }

    /// Returns `true` if the output ends with a whole sequence, before the rest of the text. The first
    /// of several code points may have an encoding where another has none.
    fn is_whole(&self, rest: &[u8]) -> bool {
        let is_unencodable = matches!(self.conversion.stop(), Some(StopReason::Unencodable { .. }));
        !is_unencodable || self.source.step(rest).values().len() < 2
    }
}

impl AheadWork for ConvertWork {
    fn process(
        &mut self,
        bytes: &[u8],
        scan: ScanBytes<'_>,
        output: &mut Vec<u8>,
    ) -> io::Result<usize> {
        let before = output.len();
        let mut end = self.convert(bytes, scan, output)?;
        if !self.is_whole(&bytes[end..]) {
            output.truncate(before);
            end = self.convert(&bytes[..end], scan, output)?;
        }
        if !self.conversion.writer.is_restarted() {
            // The conversion stopped within a line, and the writer has a state there.
            output.truncate(before);
            end = memchr::memrchr(b'\n', &bytes[..end]).map_or(0, |last| last + 1);
            end = self.convert(&bytes[..end], scan, output)?;
        }
        Ok(if self.conversion.writer.is_restarted() { end } else { 0 })
    }

    fn needs_lines(&self) -> bool {
        self.needs_lines
    }
}
