//! What is told of one input, while it is repaired and when it is?

use std::io;

use super::diff::Diff;
use super::record::ChangeRecord;
use crate::registry::Encoding;
use crate::repair::{Change, Journal, RepairSummary, SkippedRepair};

/// Those that keep a record of a repair.
pub(super) struct Journals<'a> {
    pub record: Option<ChangeRecord<'a>>,
    pub diff: Option<Diff<'a>>,
}

impl Journal for Journals<'_> {
    fn same(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        self.each(|journal| journal.same(offset, bytes))
    }

    fn change(&mut self, change: &Change<'_>) -> io::Result<()> {
        self.each(|journal| journal.change(change))
    }

    fn skipped(&mut self, skipped: &SkippedRepair<'_>) -> io::Result<()> {
        self.each(|journal| journal.skipped(skipped))
    }
}

impl Journals<'_> {
    /// What is told of each change, if anything is.
    pub fn journal(&mut self) -> Option<&mut dyn Journal> {
        match self.record.is_some() || self.diff.is_some() {
            true => Some(self),
            false => None,
        }
    }

    fn each(&mut self, tell: impl Fn(&mut dyn Journal) -> io::Result<()>) -> io::Result<()> {
        if let Some(diff) = &mut self.diff {
            tell(diff)?;
        }
        self.record.as_mut().map_or(Ok(()), |record| tell(record))
    }

    /// All changes are told. Returns why they could not all be written, if so.
    pub fn end(&mut self) -> Option<io::Error> {
        let diff = self.diff.as_mut().and_then(|diff| {
            diff.finish();
            diff.out.failure()
        });
        diff.or_else(|| self.flush())
    }

    /// Say what was done, and whether it was repaired. Returns why that could not be written, if so.
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
        // A failure stays with it.
        let _ = out.flush();
        out.failure()
    }
}
