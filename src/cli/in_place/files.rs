//! Files of a run in place: those it takes up, those it has replaced, and their numbers.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs::{self, Metadata};
use std::io;
use std::ops::ControlFlow;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use super::rewrite::Rewrite;
use super::{InPlaceArgs, InPlaceTarget};
use crate::cli::args::InputArgs;
use crate::cli::inputs::{self, NamedInput};
use crate::cli::prose::{counted, grouped};
use crate::cli::review::ReviewArgs;
use crate::cli::safe;
use crate::cli::session::{Session, reason};
use crate::os::replace::{UnsyncedFiles, is_temporary};
use crate::output::Output;
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
struct OutcomeCounts(BTreeMap<FileOutcome, u64>);

impl OutcomeCounts {
    /// Reports the numbers, if there are several files. `changed` is the participle for changed
    /// files.
    fn report(&self, session: &mut Session, changed: &str) {
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

/// The options of a command that edits files.
#[derive(Clone, Copy, Debug)]
pub(in crate::cli) struct EditArgs<'a> {
    pub input: &'a InputArgs,
    pub in_place: &'a InPlaceArgs,
    pub review: &'a ReviewArgs,
    pub verbose: bool,
}

/// A file to rewrite in place, or an input of a dry run.
pub(in crate::cli) struct EditedFile<'a> {
    /// The input as it was named.
    pub input: NamedInput<'a>,
    pub name: &'a InputName<'a>,
    args: EditArgs<'a>,
    /// The file, opened once; `None` for an input that is only read.
    target: Option<InPlaceTarget<'a>>,
    replaced: &'a mut ReplacedFiles,
}

impl<'a> EditedFile<'a> {
    /// Returns the input to read.
    pub fn content(&self) -> NamedInput<'_> {
        self.target.as_ref().map_or(self.input, InPlaceTarget::input)
    }

    /// Prepares to replace the file by the output of `work`, or to list the input in a dry run, if
    /// `work` returns `true`. In a dry run, `work` gets no output.
    ///
    /// # Errors
    /// Those of `work`.
    pub fn edit<T>(
        self,
        session: &mut Session,
        work: impl FnOnce(&mut Session, NamedInput<'_>, Option<&mut Output>) -> io::Result<(bool, T)>,
    ) -> io::Result<(FileEdit<'a>, T)> {
        let EditedFile { input, name, args, target, replaced } = self;
        match target {
            Some(target) if !args.review.is_dry_run() => {
                let suffix = args.in_place.backup();
                let (rewrite, result) =
                    target.rewrite(suffix, |file, out| work(session, file, Some(out)))?;
                Ok((rewrite.map_or(FileEdit::None, |it| FileEdit::Rewrite(it, replaced)), result))
            }
            target => {
                let read = target.as_ref().map_or(input, InPlaceTarget::input);
                let (would_change, result) = work(session, read, None)?;
                let edit = match would_change {
                    true => FileEdit::List { name, args, target },
                    false => FileEdit::None,
                };
                Ok((edit, result))
            }
        }
    }
}

/// A change of a file that is still to be made.
pub(in crate::cli) enum FileEdit<'a> {
    None,
    /// The file is replaced if its new content differs.
    Rewrite(Rewrite, &'a mut ReplacedFiles),
    /// The file is listed in a dry run.
    List {
        name: &'a InputName<'a>,
        args: EditArgs<'a>,
        target: Option<InPlaceTarget<'a>>,
    },
}

impl FileEdit<'_> {
    /// Returns `true` if a file may be replaced.
    pub fn is_rewrite(&self) -> bool {
        matches!(self, FileEdit::Rewrite(rewrite, _) if !rewrite.has_failed())
    }

    /// Makes the change. Returns `true` if the file was replaced; in a dry run, if it would be.
    ///
    /// # Errors
    /// The file cannot be replaced.
    pub fn apply(self, session: &mut Session) -> io::Result<bool> {
        match self {
            FileEdit::None => Ok(false),
            FileEdit::Rewrite(rewrite, replaced) => rewrite.finish(replaced),
            FileEdit::List { name, args, target } => {
                target.map_or(Ok(()), |target| target.check())?;
                args.review.list(session, name, args.input.null);
                Ok(true)
            }
        }
    }
}

/// A command that edits files.
pub(in crate::cli) trait FileEditor {
    /// The participle for files that the command has changed.
    const DONE: &'static str;

    /// Edits a file.
    ///
    /// # Errors
    /// The errors for [`report_failure`](FileEditor::report_failure).
    fn edit(&mut self, session: &mut Session, file: EditedFile<'_>) -> io::Result<FileOutcome>;

    /// Reports the error of a file.
    fn report_failure(
        &mut self,
        session: &mut Session,
        input: NamedInput<'_>,
        name: &InputName<'_>,
        error: &io::Error,
    ) -> FileOutcome;

    /// Returns `true` if an output failed: the run then ends.
    fn is_lost(&self, session: &Session) -> bool;
}

/// Edits each file in order, until an output fails, and writes the directories of replaced files to
/// the disk. Products of the run itself are skipped: files that it has replaced, temporary files,
/// and files with the suffix of its backups.
pub(in crate::cli) fn edit_each<E: FileEditor>(
    args: EditArgs<'_>,
    session: &mut Session,
    editor: &mut E,
) {
    let mut replaced = ReplacedFiles::default();
    let mut totals = OutcomeCounts::default();
    inputs::each(args.input, session, |session, input| {
        let name = session.name(input.name());
        let outcome = edit_one(args, session, editor, input, &name, &mut replaced);
        if editor.is_lost(session) {
            return ControlFlow::Break(());
        }
        *totals.0.entry(outcome).or_default() += 1;
        if replaced.unsynced.is_full() {
            replaced.sync(session);
        }
        ControlFlow::Continue(())
    });
    replaced.sync(session);
    if args.verbose {
        totals.report(session, if args.review.is_dry_run() { "would change" } else { E::DONE });
    }
}

/// Edits a file, unless it is a product of the run.
fn edit_one(
    args: EditArgs<'_>,
    session: &mut Session,
    editor: &mut impl FileEditor,
    input: NamedInput<'_>,
    name: &InputName<'_>,
    replaced: &mut ReplacedFiles,
) -> FileOutcome {
    let is_rewritten = args.in_place.is_wanted();
    let product = match input {
        NamedInput::File(path, _) if is_rewritten => {
            describe_product(path, args.in_place.backup(), replaced)
        }
        _ => None,
    };
    if let Some(product) = product {
        session.note(name, &product);
        return FileOutcome::Skipped;
    }
    let target = is_rewritten.then(|| InPlaceTarget::open(input)).transpose();
    let edited = target.and_then(|target| {
        editor.edit(session, EditedFile { input, name, args, target, replaced })
    });
    edited.unwrap_or_else(|error| match editor.is_lost(session) {
        true => FileOutcome::Failed,
        false => editor.report_failure(session, input, name, &error),
    })
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
