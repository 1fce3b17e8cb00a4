//! Files of a run in place: those it takes up, those it has replaced, and their numbers.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs::{self, Metadata};
use std::ops::ControlFlow;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use super::InPlaceArgs;
use crate::cli::args::InputArgs;
use crate::cli::inputs::{self, NamedInput};
use crate::cli::prose::{counted, grouped};
use crate::cli::safe;
use crate::cli::session::{Session, reason};
use crate::os::replace::{UnsyncedFiles, is_temporary};
use crate::text::name::InputName;

/// Files that a run has replaced.
#[derive(Debug, Default)]
pub(in crate::cli) struct ReplacedFiles {
    pub(super) unsynced: UnsyncedFiles,
    /// The numbers of the new files, by device.
    inodes: BTreeMap<u64, BTreeSet<u64>>,
}

impl ReplacedFiles {
    /// Records a new file that replaces another.
    pub(super) fn add(&mut self, file: &Metadata) {
        self.inodes.entry(file.dev()).or_default().insert(file.ino());
    }

    /// Returns `true` if the run has written the file at a path.
    fn has(&self, path: &Path) -> bool {
        !self.inodes.is_empty()
            && fs::metadata(path).is_ok_and(|found| {
                self.inodes.get(&found.dev()).is_some_and(|known| known.contains(&found.ino()))
            })
    }

    /// Writes directories of replaced files to the disk, and reports the files for which this
    /// failed.
    fn sync(&mut self, session: &mut Session) {
        for (path, error) in self.unsynced.sync() {
            let name = session.name(path.as_os_str());
            session.report_error(&name, &reason(&error));
        }
    }
}

/// The result of work on a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::cli) enum FileOutcome {
    /// The file was replaced; in a dry run, it would be.
    Changed,
    Unchanged,
    /// The file is in the target encoding already.
    Converted,
    Binary,
    /// The file has errors that the options do not treat.
    Faulty,
    /// The file is a product of the run.
    Skipped,
    /// The work failed.
    Failed,
}

/// The numbers of files of a run, by outcome.
#[derive(Debug, Default)]
pub(in crate::cli) struct OutcomeCounts(BTreeMap<FileOutcome, u64>);

impl OutcomeCounts {
    /// Reports the numbers, if there are several files. `changed` is the participle for changed
    /// files.
    pub fn report(&self, session: &mut Session, changed: &str) {
        let files = self.0.values().sum();
        if files < 2 {
            return;
        }
        let parts = self.0.iter().map(|(outcome, &number)| {
            let done = match outcome {
                FileOutcome::Changed => changed,
                FileOutcome::Unchanged => "unchanged",
                FileOutcome::Converted => "already converted",
                FileOutcome::Binary => "binary",
                FileOutcome::Faulty => "with errors, unchanged",
                FileOutcome::Skipped => "skipped",
                FileOutcome::Failed => "failed",
            };
            format!("{} {done}", grouped(number))
        });
        let parts = parts.collect::<Vec<_>>().join("; ");
        let total = session.name(OsStr::new("total"));
        session.note(&total, &format!("{}: {parts}", counted(files, "file")));
    }
}

/// Calls `work` for each file in order, until it breaks, and writes the directories of replaced
/// files to the disk. Products of the run itself are skipped: files that it has replaced,
/// temporary files, and files with the suffix of its backups.
pub(in crate::cli) fn each_file(
    args: &InputArgs,
    in_place: &InPlaceArgs,
    session: &mut Session,
    mut work: impl FnMut(
        &mut Session,
        NamedInput<'_>,
        &InputName<'_>,
        &mut ReplacedFiles,
    ) -> ControlFlow<(), FileOutcome>,
) -> OutcomeCounts {
    let mut replaced = ReplacedFiles::default();
    let mut totals = OutcomeCounts::default();
    let _ = inputs::each(args, session, |session, input| {
        let name = session.name(input.name());
        let product = match input {
            NamedInput::File(path, _) if in_place.is_wanted() => {
                describe_product(path, in_place.backup(), &replaced)
            }
            _ => None,
        };
        let outcome = match product {
            Some(product) => {
                session.note(&name, &product);
                FileOutcome::Skipped
            }
            None => work(session, input, &name, &mut replaced)?,
        };
        *totals.0.entry(outcome).or_default() += 1;
        if replaced.unsynced.is_full() {
            replaced.sync(session);
        }
        ControlFlow::Continue(())
    });
    replaced.sync(session);
    totals
}

/// Returns the note about a file that the run itself may have made.
fn describe_product(
    path: &Path,
    suffix: Option<&OsStr>,
    replaced: &ReplacedFiles,
) -> Option<String> {
    let name = path.file_name()?;
    let is_backup =
        |suffix: &&OsStr| name.len() > suffix.len() && name.as_bytes().ends_with(suffix.as_bytes());
    if let Some(suffix) = suffix.filter(is_backup) {
        return Some(format!("has the suffix of backups, {}: skipped", safe(suffix)));
    }
    if is_temporary(name) {
        return Some("is a temporary file of utf8: skipped".to_owned());
    }
    replaced.has(path).then(|| "was replaced in this run: skipped".to_owned())
}
