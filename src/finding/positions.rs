//! Positions of offsets in an input that is read again.

use std::io;
use std::ops::ControlFlow;

use super::locate::{Locator, Position};
use crate::issue::Issue;
use crate::sink::{Run, Sink, flow_if};

/// Finds the positions of ascending offsets in a scan.
pub(crate) struct PositionFinder {
    locator: Locator,
    offsets: Vec<u64>,
    positions: Vec<Position>,
}

impl PositionFinder {
    /// Returns a finder of the positions of these offsets.
    pub fn new(locator: Locator, offsets: Vec<u64>) -> PositionFinder {
        PositionFinder { locator, offsets, positions: Vec::new() }
    }

    /// Returns the positions of the offsets up to the end of the scan.
    ///
    /// # Errors
    /// Those of reading the input again.
    pub fn end(mut self, reached: u64) -> io::Result<Vec<Position>> {
        self.locate(reached)?;
        Ok(self.positions)
    }

    /// Returns the next offset, if it is not beyond this one.
    fn next(&self, end: u64) -> Option<u64> {
        self.offsets.get(self.positions.len()).copied().filter(|offset| *offset <= end)
    }

    /// Locates the next offsets up to `reached`, up to which text was passed.
    fn locate(&mut self, reached: u64) -> io::Result<()> {
        while let Some(offset) = self.next(reached) {
            self.positions.push(self.locator.locate(reached, offset, 0)?);
        }
        Ok(())
    }

    /// Returns the flow of the scan: it ends when all positions are known.
    fn flow(&self) -> ControlFlow<()> {
        flow_if(self.positions.len() < self.offsets.len())
    }
}

impl Sink for PositionFinder {
    fn run(&mut self, run: Run<'_>) -> io::Result<ControlFlow<()>> {
        let Run { offset, bytes, reader, .. } = run;
        let mut passed = 0;
        while let Some(next) = self.next(offset + bytes.len() as u64) {
            let at = (next.saturating_sub(offset) as usize).max(passed);
            let part = Run::new(offset + passed as u64, &bytes[passed..at], reader);
            let _ = self.locator.run(part)?;
            self.locate(offset + at as u64)?;
            passed = at;
        }
        let _ = self.locator.run(Run::new(offset + passed as u64, &bytes[passed..], reader))?;
        Ok(self.flow())
    }

    fn signature(&mut self, offset: u64, bytes: &[u8]) -> io::Result<ControlFlow<()>> {
        self.locate(offset)?;
        self.locator.signature(offset, bytes)
    }

    fn issue(
        &mut self,
        issue: &Issue,
        bytes: &[u8],
        next: Option<u8>,
    ) -> io::Result<ControlFlow<()>> {
        self.locate(issue.offset)?;
        let _ = self.locator.issue(issue, bytes, next)?;
        self.locate(issue.offset + bytes.len() as u64)?;
        Ok(self.flow())
    }
}
