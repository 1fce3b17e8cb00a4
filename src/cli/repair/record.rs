//! Record of the changes of a repair.

use std::io;

use super::explain::{self, RepairReport};
use crate::cli::changes::{ChangeCounts, RecordForm, ShownChange};
use crate::output::Output;
use crate::registry::Encoding;
use crate::repair::{Change, Journal, RepairReason, RepairSummary, SkippedRepair};
use crate::text::json::JsonObject;
use crate::text::name::InputName;
use crate::text::number::counted;

/// Writes the record of one input.
pub(super) struct ChangeRecord<'a> {
    pub name: &'a InputName<'a>,
    pub form: RecordForm,
    /// True if changes and the summary are written.
    pub changes: bool,
    /// The report of skipped repairs, if it is wanted.
    pub explain: Option<RepairReport>,
    pub out: Output,
}

impl Journal for ChangeRecord<'_> {
    fn same(&mut self, _: u64, bytes: &[u8]) -> io::Result<()> {
        if let Some(explain) = &mut self.explain {
            explain.same(bytes);
        }
        Ok(())
    }

    fn change(&mut self, change: &Change<'_>) -> io::Result<()> {
        if self.changes {
            let reasons: Vec<_> = change.reasons.iter().map(RepairReason::name).collect();
            let shown = ShownChange {
                name: self.name,
                offset: change.offset,
                written: change.written,
                before: change.before,
                length: change.length(),
                after: change.after,
                pending: change.pending,
                reasons: &reasons,
            };
            shown.append(self.form, self.out.buffer());
        }
        self.out.settle()
    }

    fn skipped(&mut self, skipped: &SkippedRepair<'_>) -> io::Result<()> {
        match (&self.explain, self.form) {
            (None, _) => {}
            (Some(explain), RecordForm::Lines) => {
                explain.line(self.name, skipped, self.out.buffer())
            }
            (Some(_), RecordForm::Json) => explain::object(self.name, skipped, self.out.buffer()),
        }
        self.out.settle()
    }
}

impl ChangeRecord<'_> {
    /// Writes the summary of an input that was read to its end. `repaired` says whether the output
    /// is complete.
    pub fn sum_up(&mut self, codec: &Encoding, account: &RepairSummary, repaired: bool) {
        if account.binary {
            // The counts would depend on the blocks in which the file was read.
            self.explain = None;
        }
        if self.form == RecordForm::Lines {
            return self.explain_all(account);
        }
        let mut object = JsonObject::new(self.out.buffer(), "summary");
        object.path(self.name);
        object.plain("codec", codec.name.as_bytes());
        counts(account).add_to(&mut object, ("repaired", repaired));
        for (key, places) in [("nuls", account.nuls), ("unnormalized", account.unnormalized)] {
            if let Some(places) = places {
                let mut nested = JsonObject::nested(object.key(key));
                nested.number("number", places.number);
                nested.number("first", places.first);
                nested.close();
            }
        }
        if let Some(explain) = &self.explain {
            explain.count(account, &mut object);
        }
        object.end();
    }

    fn explain_all(&mut self, account: &RepairSummary) {
        if let Some(explain) = &self.explain {
            let out = self.out.buffer();
            out.extend_from_slice(self.name.shown());
            out.extend_from_slice(format!(": {}\n", explain.summary(account)).as_bytes());
        }
    }
}

/// Returns the counts of an input, in a line.
pub(super) fn summary(account: &RepairSummary) -> String {
    counts(account).describe(&counted(account.changes, "change"))
}

fn counts(account: &RepairSummary) -> ChangeCounts {
    ChangeCounts {
        size: account.read,
        written: account.written,
        changes: account.changes,
        by_reason: account.by_reason().map(|(reason, n)| (reason.name(), n)).collect(),
    }
}
