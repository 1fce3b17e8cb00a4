//! Files that a run reports together, when it ends.

use std::ffi::{OsStr, OsString};

use super::session::Session;
use crate::text::name::InputName;
use crate::text::number::grouped;

/// Files that one line at the end reports.
#[derive(Debug, Default)]
pub(super) struct FileTally {
    /// The name of the first, and its number among the inputs.
    first: Option<(u64, OsString)>,
    number: u64,
}

impl FileTally {
    /// Counts a file, the input at work.
    pub fn add(&mut self, session: &Session, name: &InputName<'_>) {
        self.number += 1;
        self.first.get_or_insert_with(|| (session.turn(), name.raw.to_owned()));
    }

    /// Adds the files that another thread counted.
    pub fn merge(&mut self, other: FileTally) {
        self.first = self.first.take().into_iter().chain(other.first).min();
        self.number += other.number;
    }

    /// Returns the name of the first file.
    pub fn into_first(self) -> Option<OsString> {
        self.first.map(|(_, name)| name)
    }

    /// Reports the files: a single one by its name.
    pub fn report(
        self,
        session: &mut Session,
        one: impl FnOnce(&OsStr) -> String,
        several: impl FnOnce(&str, &OsStr) -> String,
    ) {
        match (self.first, self.number) {
            (Some((_, name)), 1) => session.note(&session.name(&name), &one(&name)),
            (Some((_, first)), number) => {
                let total = session.name(OsStr::new("total"));
                session.note(&total, &several(&grouped(number), &first));
            }
            (None, _) => {}
        }
    }
}
