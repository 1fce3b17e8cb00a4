//! Reports of ill-formed sequences, one by one.

use std::io;
use std::ops::ControlFlow;

use super::Check;
use crate::finding::segments::FaultSegment;
use crate::issue::Issue;
use crate::lint::Level;
use crate::report::{Finding, FindingSubject};
use crate::sink::Sink;

impl Check<'_> {
    /// Reports the findings of an issue.
    pub(super) fn report_issue(
        &mut self,
        issue: &Issue,
        bytes: &[u8],
        next: Option<u8>,
    ) -> io::Result<ControlFlow<()>> {
        for segment in self.options.segments.split(self.text, *issue, bytes) {
            if self.range.contains(&(issue.offset + segment.at as u64)) {
                self.report_segment(segment, next, issue.offset)?;
            }
            if self.summary.stopped {
                return Ok(self.rest());
            }
        }
        match self.open_locator() {
            Some(locator) => locator.issue(issue, bytes, next),
            None => Ok(ControlFlow::Continue(())),
        }
    }

    /// Counts and lists a segment of the issue at an offset.
    fn report_segment(
        &mut self,
        segment: FaultSegment<'_>,
        next: Option<u8>,
        issue: u64,
    ) -> io::Result<()> {
        let Some(level) = self.level_of(&segment) else { return Ok(()) };
        self.summary.add(segment.kind, level, 1);
        self.summary.stopped = Some(self.summary.findings) == self.options.limit;
        self.list_segment(segment, next, issue, level)
    }

    /// Returns the level of a segment; `None`, and counts it, if it is allowed or known.
    #[inline(always)]
    pub(super) fn level_of(&mut self, segment: &FaultSegment<'_>) -> Option<Level> {
        let level = self.levels.of_kind(segment.kind);
        if level == Level::Allow {
            self.summary.allowed += 1;
            return None;
        }
        (!self.is_known(segment.kind.id(), segment.bytes)).then_some(level)
    }

    /// Lists a segment of the issue at an offset.
    fn list_segment(
        &mut self,
        segment: FaultSegment<'_>,
        next: Option<u8>,
        issue: u64,
        level: Level,
    ) -> io::Result<()> {
        let Some(name) = self.listings.first().map(|listing| listing.name) else { return Ok(()) };
        let (encoding, offset) = (self.text, issue + segment.at as u64);
        let columns_before = segment.columns_before;
        let subject = FindingSubject::Fault { segment, next };
        let mut finding = Finding { name, encoding, offset, subject, level, position: None };
        for listing in self.listings.iter_mut().filter_map(|listing| listing.admit(offset)) {
            if finding.position.is_none()
                && let Some(locator) = &mut self.locator
            {
                finding.position = Some(locator.locate(issue, offset, columns_before)?);
            }
            listing.finding(&finding)?;
        }
        Ok(())
    }
}
