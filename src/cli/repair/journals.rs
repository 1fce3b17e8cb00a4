//! Journals of a repair: record and diff.

use std::io;

use super::findings::ChangeFindings;
use super::recheck::Recheck;
use super::record::ChangeRecord;
use crate::cli::diff::Diff;
use crate::registry::Encoding;
use crate::repair::{Change, Journal, RepairSummary, SkippedRepair};

/// The journals of one input.
pub(super) struct Journals<'a> {
    pub record: Option<ChangeRecord<'a>>,
    pub diff: Option<Diff<'a>>,
    /// The changes for documents, if there are any.
    pub findings: Option<ChangeFindings>,
    /// The search for findings that are left, if it is wanted.
    pub recheck: Option<Recheck<'a>>,
}

impl Journal for Journals<'_> {
    fn same(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        if let Some(recheck) = &mut self.recheck {
            recheck.push(bytes)?;
        }
        if let Some(diff) = &mut self.diff {
            diff.same(offset, bytes)?;
        }
        self.record.as_mut().map_or(Ok(()), |record| record.same(offset, bytes))
    }

    fn change(&mut self, change: &Change<'_>) -> io::Result<()> {
        if let Some(recheck) = &mut self.recheck {
            recheck.push(change.after)?;
        }
        if let Some(findings) = &mut self.findings {
            findings.add(change);
        }
        if let Some(diff) = &mut self.diff {
            diff.change(change.offset, change.before, change.elided, change.after)?;
        }
        self.record.as_mut().map_or(Ok(()), |record| record.change(change))
    }

    fn skipped(&mut self, skipped: &SkippedRepair<'_>) -> io::Result<()> {
        self.record.as_mut().map_or(Ok(()), |record| record.skipped(skipped))
    }
}

impl Journals<'_> {
    /// Returns the journal of the repair, if there is one.
    pub fn journal(&mut self) -> Option<&mut dyn Journal> {
        let is_read = self.record.is_some() || self.diff.is_some() || self.findings.is_some();
        if is_read || self.recheck.is_some() { Some(self) } else { None }
    }

    /// Ends the changes. `is_complete` says that the input was repaired to its end. Returns the
    /// error of writing them.
    pub fn end(&mut self, is_complete: bool) -> Option<io::Error> {
        // It writes nothing, and has no errors.
        let _ = self.recheck.take().map(|recheck| recheck.end(is_complete));
        let diff = self.diff.as_mut().and_then(|diff| {
            diff.finish(is_complete);
            diff.out.failure()
        });
        diff.or_else(|| self.flush())
    }

    /// Writes the summary. Returns the error of writing it.
    pub fn sum_up(
        &mut self,
        codec: &Encoding,
        account: &RepairSummary,
        repaired: bool,
    ) -> Option<io::Error> {
        self.record.as_mut()?.sum_up(codec, account, repaired);
        self.flush()
    }

    fn flush(&mut self) -> Option<io::Error> {
        let out = &mut self.record.as_mut()?.out;
        // The output keeps its error.
        let _ = out.flush();
        out.failure()
    }
}
