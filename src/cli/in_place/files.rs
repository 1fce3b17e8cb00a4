//! Files of a run in place: opened, claimed, replaced and counted.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs::Metadata;
use std::io;
use std::ops::ControlFlow;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use super::rewrite::Rewrite;
use super::{InPlaceArgs, InPlaceTarget};
use crate::cli::args::InputArgs;
use crate::cli::config::Configuration;
use crate::cli::inputs::{self, InputWork, Inputs, NamedInput};
use crate::cli::parallel::{self, JobArgs, lock};
use crate::cli::progress;
use crate::cli::review::ReviewArgs;
use crate::cli::safe;
use crate::cli::session::{Session, reason};
use crate::os::replace::{AppendedEnd, UnsyncedFiles, is_temporary};
use crate::os::stamp::FileId;
use crate::output::Output;
use crate::text::name::InputName;
use crate::text::number::{counted, grouped};

/// The note about a file that was named twice.
const WAS_REPLACED: &str = "was replaced in this run: skipped";

/// Files that a thread of a run has replaced.
#[derive(Debug, Default)]
pub(in crate::cli) struct ReplacedFiles {
    pub(super) unsynced: UnsyncedFiles,
    /// The new files of the run.
    ids: Arc<Mutex<BTreeSet<FileId>>>,
}

impl ReplacedFiles {
    /// Records a new file that replaces another.
    pub(super) fn add(&mut self, file: &Metadata) {
        lock(&self.ids).insert(FileId::of(file));
    }

    /// Returns `true` if the run has written a file.
    fn has(&self, file: &Metadata) -> bool {
        lock(&self.ids).contains(&FileId::of(file))
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
    /// The file is in another encoding than the one to read.
    Foreign,
    /// The encoding of the file is declared, so that it is not converted.
    Declared,
    /// The file has errors that the options do not treat.
    Faulty,
    /// The file is a product of a run.
    Product,
    /// The work failed.
    Failed,
}

/// The numbers of files of a run, by outcome.
#[derive(Debug, Default)]
struct OutcomeCounts(BTreeMap<FileOutcome, u64>);

impl OutcomeCounts {
    /// Adds the numbers of other files.
    fn add(&mut self, other: &OutcomeCounts) {
        for (outcome, number) in &other.0 {
            *self.0.entry(*outcome).or_default() += number;
        }
    }

    /// Returns the number of files.
    fn files(&self) -> u64 {
        self.0.values().sum()
    }

    /// Describes the numbers. `changed` is the participle for changed files.
    fn describe(&self, changed: &str, separator: &str) -> String {
        let parts = self.0.iter().map(|(outcome, &number)| {
            let done = match outcome {
                FileOutcome::Changed => changed,
                FileOutcome::Unchanged => "unchanged",
                FileOutcome::Converted => "already converted",
                FileOutcome::Binary => "binary",
                FileOutcome::Foreign => "in another encoding",
                FileOutcome::Declared => "with a declared encoding",
                FileOutcome::Faulty => "with errors, unchanged",
                FileOutcome::Product => "made by utf8 or backups",
                FileOutcome::Failed => "failed",
            };
            format!("{} {done}", grouped(number))
        });
        parts.collect::<Vec<_>>().join(separator)
    }
}

/// The options of a command that edits files.
#[derive(Clone, Copy, Debug)]
pub(in crate::cli) struct EditArgs<'a> {
    pub input: &'a InputArgs,
    pub in_place: &'a InPlaceArgs,
    pub review: &'a ReviewArgs,
    /// True to edit binary files in directories, too.
    pub binary: bool,
    pub verbose: bool,
    /// The settings of files in directories, if they hold.
    pub config: Option<&'a Arc<Configuration>>,
    pub jobs: JobArgs,
    /// True if an option needs the files in order.
    pub in_order: bool,
}

impl EditArgs<'_> {
    /// Returns `true` if files are replaced.
    fn replaces(&self) -> bool {
        self.in_place.is_wanted() && !self.review.is_dry_run()
    }

    /// Returns the number of files to edit at a time. Files are only replaced at the same time in
    /// directories that are read before, so that no temporary file is found in one.
    fn threads(&self, inputs: &Inputs<'_>) -> usize {
        let trees: Vec<_> =
            inputs.counts.trees.iter().map(|(path, _)| path.canonicalize()).collect();
        let is_apart = |(at, tree): (usize, &io::Result<PathBuf>)| {
            let Ok(tree) = tree else { return false };
            let mut others = trees.iter().flatten().enumerate().filter(|(other, _)| *other != at);
            !others.any(|(_, other)| other.starts_with(tree))
        };
        let input = self.input;
        let named = input.files.len() + input.files_from.len() - trees.len().min(input.files.len());
        let are_apart = trees.is_empty() || named == 0 && trees.iter().enumerate().all(is_apart);
        match self.in_order || self.replaces() && !are_apart {
            true => 1,
            false => self.jobs.threads(inputs, true),
        }
    }
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
        self.apply_keeping(session, None)
    }

    /// Makes the change, as [`apply`](FileEdit::apply) does. `appended` is kept only if this file is replaced.
    ///
    /// # Errors
    /// The file cannot be replaced.
    pub fn apply_keeping(
        self,
        session: &mut Session,
        appended: Option<AppendedEnd>,
    ) -> io::Result<bool> {
        match self {
            FileEdit::None => Ok(false),
            FileEdit::Rewrite(rewrite, replaced) => rewrite.finish(replaced, appended),
            FileEdit::List { name, args, target } => {
                target.map_or(Ok(()), |target| target.check(args.in_place.backup()))?;
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

    /// The notes on several files.
    type Notes: Send;

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

    /// Records the error of a file or directory that was found, for documents.
    fn record_failure(&mut self, session: &mut Session, name: &InputName<'_>, reason: &str) {
        let _ = (session, name, reason);
    }

    /// Returns the notes on the files that it has edited.
    fn into_notes(self) -> Self::Notes;

    /// Adds notes on other files.
    fn add_notes(&mut self, notes: Self::Notes);

    /// Reports, after the last file, the notes.
    fn finish(&mut self, session: &mut Session);

    /// Returns `true` if an output failed: the run then ends.
    fn is_lost(&self, session: &Session) -> bool;
}

/// Edits each file, until an output fails, and writes the directories of replaced files to the
/// disk. Products of the run itself are skipped: files that it has replaced, temporary files, and
/// files with the suffix of its backups. Returns the editor. `start` returns editors for further
/// threads.
///
/// # Errors
/// The options that select files in directories are malformed.
pub(in crate::cli) fn edit_each<E: FileEditor>(
    args: EditArgs<'_>,
    session: &mut Session,
    editor: E,
    start: impl Fn(&Session) -> E + Sync,
) -> anyhow::Result<E> {
    let started = Instant::now();
    let rules = args.in_place.rules(args.input, args.binary)?;
    let rules = match args.config {
        Some(config) => rules.map(|rules| rules.with_configuration(Arc::clone(config))),
        None => rules,
    };
    let inputs = Inputs::new(args.input, rules.as_ref());
    let counts = Arc::clone(&inputs.counts);
    let mut run = EditRun::new(args, editor, Arc::default());
    run.edit_all(inputs, session, start);
    if run.editor.is_lost(session) {
        return Ok(run.editor);
    }
    run.editor.finish(session);
    match counts.trees.is_empty() {
        true => run.report_totals(session),
        false => run.sum_up(session, &counts.describe_skipped(), started.elapsed()),
    }
    counts.report_empty(session, &mut run);
    Ok(run.editor)
}

/// The state that the files of a thread share.
struct EditRun<'a, E> {
    args: EditArgs<'a>,
    editor: E,
    replaced: ReplacedFiles,
    totals: OutcomeCounts,
}

/// The result of a thread.
struct EditResult<N> {
    notes: N,
    unsynced: UnsyncedFiles,
    totals: OutcomeCounts,
}

impl<'a, E: FileEditor> EditRun<'a, E> {
    /// Returns a run that has replaced these files.
    fn new(args: EditArgs<'a>, editor: E, ids: Arc<Mutex<BTreeSet<FileId>>>) -> EditRun<'a, E> {
        let replaced = ReplacedFiles { unsynced: UnsyncedFiles::default(), ids };
        EditRun { args, editor, replaced, totals: OutcomeCounts::default() }
    }

    /// Edits files, several at a time if that is possible.
    fn edit_all(
        &mut self,
        inputs: Inputs<'_>,
        session: &mut Session,
        start: impl Fn(&Session) -> E + Sync,
    ) {
        let (args, ids) = (self.args, Arc::clone(&self.replaced.ids));
        let threads = args.threads(&inputs);
        if threads < 2 {
            inputs::each_of(inputs, session, self);
            return self.replaced.sync(session);
        }
        let start = |session: &Session| EditRun::new(args, start(session), Arc::clone(&ids));
        let results =
            parallel::each_in_parallel(inputs, args.jobs, threads, session, start, EditRun::end);
        for EditResult { notes, unsynced, totals } in results {
            self.editor.add_notes(notes);
            self.totals.add(&totals);
            self.replaced.unsynced = unsynced;
            self.replaced.sync(session);
        }
        progress::clear();
    }

    fn end(self) -> EditResult<E::Notes> {
        let EditRun { editor, replaced, totals, .. } = self;
        EditResult { notes: editor.into_notes(), unsynced: replaced.unsynced, totals }
    }
}

impl<E: FileEditor> InputWork for EditRun<'_, E> {
    fn process(&mut self, session: &mut Session, input: NamedInput<'_>) -> ControlFlow<()> {
        let name = session.name(input.name());
        let outcome = self.edit(session, input, &name);
        if self.editor.is_lost(session) {
            return ControlFlow::Break(());
        }
        *self.totals.0.entry(outcome).or_default() += 1;
        if self.replaced.unsynced.is_full() {
            self.replaced.sync(session);
        }
        ControlFlow::Continue(())
    }

    fn is_verbose(&self) -> bool {
        self.args.verbose
    }

    fn record_failure(&mut self, session: &mut Session, name: &InputName<'_>, reason: &str) {
        self.editor.record_failure(session, name, reason);
    }
}

impl<E: FileEditor> EditRun<'_, E> {
    /// Returns the participle for files that were changed or, in a dry run, would be.
    fn changed(&self) -> &'static str {
        if self.args.review.is_dry_run() { "would change" } else { E::DONE }
    }

    /// Reports the numbers of several files that were named.
    fn report_totals(&self, session: &mut Session) {
        let files = self.totals.files();
        if files > 1 && self.args.verbose {
            let (total, parts) = (session.name(OsStr::new("total")), self.describe("; "));
            session.note(&total, &format!("{}: {parts}", counted(files, "file")));
        }
    }

    /// Reports the numbers of a run over directories. `skipped` describes the entries that their
    /// rules leave out.
    fn sum_up(&self, session: &mut Session, skipped: &str, time: Duration) {
        let files = self.totals.files();
        if files > 0 && self.args.review.format.prose {
            let (checked, parts) = (counted(files, "file"), self.describe(", "));
            let time = time.as_secs_f64();
            session.print_summary(&format!("{checked} checked in {time:.2} s, {parts}{skipped}"));
        }
    }

    fn describe(&self, separator: &str) -> String {
        self.totals.describe(self.changed(), separator)
    }

    /// Edits a file, unless it is a product of a run.
    fn edit(
        &mut self,
        session: &mut Session,
        input: NamedInput<'_>,
        name: &InputName<'_>,
    ) -> FileOutcome {
        let (args, is_rewritten) = (self.args, self.args.in_place.is_wanted());
        if let Some(product) = is_rewritten.then(|| self.describe_product(input)).flatten() {
            return self.leave_product(session, input, name, &product);
        }
        let target = is_rewritten.then(|| self.open(session, input)).transpose();
        if let Ok(Some(target)) = &target
            && args.replaces()
        {
            if self.claim_or_skip(session, target) {
                return self.leave_product(session, input, name, WAS_REPLACED);
            }
            target.settle();
        }
        let EditRun { editor, replaced, .. } = self;
        let edited = target.and_then(|target| {
            editor.edit(session, EditedFile { input, name, args, target, replaced })
        });
        edited.unwrap_or_else(|error| match editor.is_lost(session) {
            true => FileOutcome::Failed,
            false => editor.report_failure(session, input, name, &error),
        })
    }

    /// Leaves a product of a run as it is.
    fn leave_product(
        &self,
        session: &mut Session,
        input: NamedInput<'_>,
        name: &InputName<'_>,
        note: &str,
    ) -> FileOutcome {
        // In a directory, products are expected.
        if self.args.verbose || !input.is_found() {
            session.note(name, note);
        }
        FileOutcome::Product
    }

    /// Opens a file to rewrite.
    ///
    /// # Errors
    /// Those of [`InPlaceTarget::open`].
    fn open<'b>(&self, session: &Session, input: NamedInput<'b>) -> io::Result<InPlaceTarget<'b>> {
        // Another thread may replace the file right now.
        InPlaceTarget::open(input).or_else(|error| match session.wait_for_turn() {
            true => InPlaceTarget::open(input),
            false => Err(error),
        })
    }

    /// Claims the file; waits for an earlier input that has claimed it. Returns `true` if the run has
    /// replaced the file by then.
    fn claim_or_skip(&self, session: &Session, target: &InPlaceTarget<'_>) -> bool {
        let path = Path::new(target.input.name());
        let is_replaced = || path.metadata().is_ok_and(|file| self.replaced.has(&file));
        let opened = target.file.metadata();
        opened.is_ok_and(|file| self.replaced.has(&file) || session.claim(&file) && is_replaced())
    }

    /// Returns the note about a file that a run may have made.
    fn describe_product(&self, input: NamedInput<'_>) -> Option<String> {
        let (path, found) = match input {
            NamedInput::File(path, _) => (path, None),
            NamedInput::InTree(found) => (found.path, Some(&found.metadata)),
            _ => return None,
        };
        let name = path.file_name()?;
        if let Some(suffix) = self.args.in_place.suffix_of_backup(name) {
            return Some(format!("has the suffix of backups, {}: skipped", safe(suffix)));
        }
        if is_temporary(name) {
            return Some("is a temporary file of utf8: skipped".to_owned());
        }
        if found.is_some()
            && let Some(original) = backup_of(path)
        {
            return Some(format!(
                "is a backup of {}: skipped (name it to rewrite it)",
                safe(original)
            ));
        }
        let is_replaced = match found {
            Some(file) => self.replaced.has(file),
            None => path.metadata().is_ok_and(|file| self.replaced.has(&file)),
        };
        is_replaced.then(|| WAS_REPLACED.to_owned())
    }
}

/// The usual suffixes of backups. In directories, a file with such a suffix beside its original is not
/// rewritten.
pub(super) const BACKUP_SUFFIXES: [&str; 4] = [".orig", ".bak", ".old", "~"];

/// Returns the name of the file beside this one whose backup it is by its suffix. The backup may be
/// the only original.
fn backup_of(path: &Path) -> Option<&OsStr> {
    let name = path.file_name()?.as_bytes();
    let mut originals =
        BACKUP_SUFFIXES.iter().filter_map(|suffix| name.strip_suffix(suffix.as_bytes()));
    let original = OsStr::from_bytes(originals.find(|original| !original.is_empty())?);
    path.with_file_name(original).symlink_metadata().is_ok().then_some(original)
}
