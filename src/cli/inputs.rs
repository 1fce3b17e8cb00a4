//! Inputs: files, standard input, lists of files and the text of `--text`.

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::iter::once;
use std::ops::ControlFlow;
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use super::Status;
use super::args::InputArgs;
use super::auto::DetectionRefusal;
use super::config::settings::FileSettings;
use super::config::{ConfigError, Configuration};
use super::progress;
use super::session::{Session, closed_error, reason};
use super::tree::{
    self, FileReading, NamedFiles, OpenTreeFile, SkipCause, Tree, TreeCounts, TreeEntry, TreeError,
    TreeRules, UnreadFile, count, value,
};
use crate::lint::levels::RuleLevels;
use crate::os::{BlockingReader, calls};
use crate::registry::Encoding;
use crate::source::{Buffer, ReadOptions, Source};
use crate::text::name::InputName;
use crate::text::number::counted;
use lists::{NameList, missing_name_advice};
use outputs::refuse_output;

pub(super) use outputs::{
    IS_OUTPUT, check_unprotected, has_the_messages, is_the_output, leave_out, leave_out_file,
    protect, was_refused,
};

mod lists;
mod outputs;

/// The place where the name of a file stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum NameSource {
    CommandLine,
    List,
}

/// An input.
#[derive(Clone, Copy, Debug)]
pub(super) enum NamedInput<'a> {
    /// The argument of `--text`.
    Text(&'a OsStr),
    /// Standard input, under a name for reports.
    Stdin(&'a OsStr),
    /// A file that was named.
    File(&'a Path, NameSource),
    /// A regular file that was opened before.
    Opened(&'a Path, &'a Arc<File>),
    /// A file in a directory, opened before.
    InTree(&'a OpenTreeFile<'a>),
}

impl<'a> NamedInput<'a> {
    /// Returns the name for reports.
    pub fn name(self) -> &'a OsStr {
        match self {
            NamedInput::Text(_) => OsStr::new("-e"),
            NamedInput::Stdin(name) => name,
            NamedInput::File(path, _) | NamedInput::Opened(path, _) => path.as_os_str(),
            NamedInput::InTree(found) => found.path.as_os_str(),
        }
    }

    /// Returns the name of a file.
    pub fn file_name(self) -> Option<&'a OsStr> {
        match self {
            NamedInput::Text(_) | NamedInput::Stdin(_) => None,
            NamedInput::File(..) | NamedInput::Opened(..) | NamedInput::InTree(_) => {
                Some(self.name())
            }
        }
    }

    /// Returns `true` for a file that the command line names.
    pub fn is_named(self) -> bool {
        matches!(self, NamedInput::File(_, NameSource::CommandLine))
    }

    /// Returns `true` if the input was found in a directory, not named.
    pub fn is_found(self) -> bool {
        matches!(self, NamedInput::InTree(found) if found.is_found())
    }

    /// Returns the encoding that is declared for a file in a directory.
    pub fn declared(self) -> Option<&'static Encoding> {
        match self {
            NamedInput::InTree(OpenTreeFile { reading: FileReading::Declared(codec), .. }) => {
                Some(codec)
            }
            _ => None,
        }
    }

    /// Returns the encoding of a file in a directory that is UTF-16 or UTF-32, which nothing
    /// declares, and the file.
    pub fn foreign_text(self) -> Option<(&'static Encoding, &'a File)> {
        match self {
            NamedInput::InTree(OpenTreeFile {
                file, reading: FileReading::Foreign(codec), ..
            }) => Some((*codec, file)),
            _ => None,
        }
    }

    /// Returns the levels of rules that hold for the input if nothing sets others.
    pub fn levels(self) -> RuleLevels {
        match self {
            NamedInput::InTree(_) => RuleLevels::of_trees(),
            _ => RuleLevels::default(),
        }
    }

    /// Returns the settings of the input; none for a stream without a name.
    ///
    /// # Errors
    /// A configuration that holds for it has an error.
    pub fn settings(self, config: &Configuration) -> Result<FileSettings, Arc<ConfigError>> {
        match self {
            NamedInput::InTree(found) => Ok(found.settings.clone()),
            NamedInput::File(path, _) | NamedInput::Opened(path, _) => config.settings(path),
            NamedInput::Stdin(name) if name != "-" => config.settings(Path::new(name)),
            NamedInput::Stdin(_) | NamedInput::Text(_) => Ok(FileSettings::default()),
        }
    }

    /// Opens the input.
    pub fn open<'b>(self, how: &ReadOptions, buffer: &'b mut Buffer) -> io::Result<Source<'b>> {
        match self {
            NamedInput::Text(text) => Source::from_bytes(text.as_bytes().to_vec(), how, buffer),
            NamedInput::Stdin(_) if how.at.or(how.of).is_some() => {
                Source::from_reader(BlockingReader(refuse_output(stdin()?)?), how, buffer)
            }
            NamedInput::Stdin(_) => Source::from_file(refuse_output(stdin()?)?, how, buffer),
            NamedInput::File(path, _) => Source::from_start(open(path)?.into(), how, buffer),
            NamedInput::Opened(_, file) => Source::from_start(Arc::clone(file), how, buffer),
            NamedInput::InTree(found) => found.source(how, buffer),
        }
    }
}

/// Opens a file that was named.
///
/// # Errors
/// Those of opening; it is the output.
pub(super) fn open(path: &Path) -> io::Result<File> {
    refuse_output(File::open(path)?)
}

/// An input that is not opened yet.
#[derive(Debug)]
pub(super) enum PendingInput {
    Text(OsString),
    /// Standard input, under a name for reports.
    Stdin(OsString),
    /// A file that was named.
    File(PathBuf, NameSource),
    /// An entry of a directory that was named.
    InTree(TreeEntry),
}

impl PendingInput {
    /// Returns `true` if opening or reading the input may wait for another process.
    pub fn may_wait(&self) -> bool {
        match self {
            PendingInput::Text(_) | PendingInput::InTree(_) => false,
            PendingInput::Stdin(_) => true,
            PendingInput::File(path, _) => !path.metadata().is_ok_and(|found| found.is_file()),
        }
    }
}

/// The inputs of a run.
pub(super) struct Inputs<'a> {
    inputs: Box<dyn Iterator<Item = Result<PendingInput, TreeError>> + Send + 'a>,
    /// The maximum number of inputs.
    pub most: usize,
    /// True if the next input may come late: from a list.
    pub may_wait: bool,
    /// The numbers of files that were named and in directories, for reports at the end.
    pub counts: Arc<InputCounts>,
}

/// The numbers of files of a run.
#[derive(Debug, Default)]
pub(super) struct InputCounts {
    /// The regular files that were named and to which rules apply.
    selected: Arc<TreeCounts>,
    /// The files that were named and that rules for names leave out.
    excluded: AtomicU64,
    /// The other files that were named.
    named: AtomicU64,
    /// The advice for a directory of which all files are left out.
    advice: &'static str,
    /// The directories.
    pub trees: Vec<(PathBuf, Arc<TreeCounts>)>,
}

impl InputCounts {
    /// Reports directories in which no file was examined, and files of which all are left out.
    pub fn report_empty(&self, session: &mut Session, work: &mut impl InputWork) {
        tree::report_empty(session, work, &self.trees, self.advice);
        let excluded = value(&self.excluded) + self.selected.withdrawn();
        let is_empty = self.trees.is_empty() && value(&self.named) + self.selected.examined() == 0;
        if is_empty && excluded > 0 {
            let files = counted(excluded, "file");
            session.print_summary(&format!("utf8: nothing to check: {files} excluded"));
        }
    }

    /// Returns `true` if a file in a directory was examined.
    pub fn has_examined(&self) -> bool {
        self.trees.iter().any(|(_, counts)| counts.examined() > 0)
    }

    /// Describes the entries of directories that were left out: `; skipped: 2 binary files`. Returns
    /// an empty text if there are none.
    pub fn describe_skipped(&self) -> String {
        let all = TreeCounts::default();
        self.trees.iter().for_each(|(_, counts)| all.add_skipped(counts));
        all.describe_skipped()
    }

    /// Returns a file that was named, unless rules leave it out by its name. The rules for its content
    /// apply once it is open.
    fn select(
        &self,
        path: PathBuf,
        source: NameSource,
        rules: &TreeRules,
        files: &mut NamedFiles,
    ) -> Result<Option<PendingInput>, TreeError> {
        if !rules.includes_named(&path) {
            count(&self.excluded);
            return Ok(None);
        }
        if !path.metadata().is_ok_and(|found| found.is_file()) {
            count(&self.named);
            return Ok(Some(PendingInput::File(path, source)));
        }
        let file = files.file(path, rules, Arc::clone(&self.selected))?;
        Ok(Some(PendingInput::InTree(TreeEntry::File(file))))
    }
}

impl Iterator for Inputs<'_> {
    type Item = Result<PendingInput, TreeError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.inputs.next()
    }
}

impl<'a> Inputs<'a> {
    /// Returns the inputs in their order. With rules that walk them, directories stand for the
    /// files in them.
    pub fn new(args: &'a InputArgs, rules: Option<&TreeRules>) -> Inputs<'a> {
        let none = args.files.is_empty() && args.files_from.is_empty() && args.text.is_empty();
        let walked = rules.filter(|rules| rules.walks);
        let here = walked.filter(|rules| none && rules.tracked).map(|_| PathBuf::from("."));
        let paths = args.files.iter().chain(&here);
        let (named, trees) = named_inputs(paths, args, walked);
        let texts = args.text.iter().map(|text| Ok(PendingInput::Text(text.clone())));
        let stdin = (none && here.is_none()).then(|| Ok(standard_input(args)));
        let lists = args.files_from.iter().flat_map(|list| NameList::new(list, args.null));
        let inputs = texts.chain(stdin).chain(named.into_iter().flatten()).chain(lists);
        let counts = Arc::new(InputCounts {
            trees,
            advice: rules.map_or("", TreeRules::advice),
            ..InputCounts::default()
        });
        let named_rules = rules.filter(|rules| rules.force_exclude).cloned();
        let (counters, mut files) = (Arc::clone(&counts), NamedFiles::default());
        let select = move |input: Result<PendingInput, TreeError>| match (input, &named_rules) {
            (Ok(PendingInput::File(path, source)), Some(rules)) => {
                counters.select(path, source, rules, &mut files).transpose()
            }
            // Editors pass the content of a file that is named.
            (Ok(PendingInput::Stdin(name)), Some(rules))
                if name != "-" && !rules.includes_named(Path::new(&name)) =>
            {
                None
            }
            (input, _) => Some(input),
        };
        let most = match counts.trees.is_empty() && args.files_from.is_empty() {
            true => args.text.len() + args.files.len(),
            false => usize::MAX,
        };
        let inputs = Box::new(inputs.filter_map(select).filter_map(without_repetition()));
        Inputs { inputs, most, may_wait: !args.files_from.is_empty(), counts }
    }
}

/// Inputs of one argument.
type NamedInputs = Box<dyn Iterator<Item = Result<PendingInput, TreeError>> + Send>;

/// Returns the inputs that paths stand for, with the directories and the counts of their files. A
/// directory stands for the files in it if it is `walked`.
fn named_inputs<'a>(
    paths: impl Iterator<Item = &'a PathBuf>,
    args: &InputArgs,
    walked: Option<&TreeRules>,
) -> (Vec<NamedInputs>, Vec<(PathBuf, Arc<TreeCounts>)>) {
    let mut trees = Vec::new();
    let mut named: Vec<NamedInputs> = Vec::new();
    for path in paths {
        let is_walked = |rules: &&TreeRules| {
            path.as_os_str() != "-"
                && path.is_dir()
                && (!rules.force_exclude || rules.includes_named(path))
        };
        named.push(match walked.filter(is_walked) {
            Some(rules) => {
                let tree = Tree::new(path, rules.clone());
                trees.push((path.clone(), Arc::clone(&tree.counts)));
                Box::new(tree.map(|entry| entry.map(PendingInput::InTree)))
            }
            None if path.as_os_str() == "-" => Box::new(once(Ok(standard_input(args)))),
            None => {
                let file = PendingInput::File(path.clone(), NameSource::CommandLine);
                Box::new(once(Ok(file)))
            }
        });
    }
    (named, trees)
}

/// Returns standard input, with the name that was given for it.
fn standard_input(args: &InputArgs) -> PendingInput {
    PendingInput::Stdin(args.stdin_filename.clone().unwrap_or("-".into()))
}

/// Returns a filter that lets the error of a settings file, which many files have, pass once.
fn without_repetition()
-> impl FnMut(Result<PendingInput, TreeError>) -> Option<Result<PendingInput, TreeError>> {
    let mut at_fault = HashSet::new();
    move |input| match input {
        Err((path, error)) => match tree::file_at_fault(&error).map(Path::to_owned) {
            Some(file) => at_fault.insert(file.clone()).then_some(Err((file, error))),
            None => Some(Err((path, error))),
        },
        input => Some(input),
    }
}

/// Work on each input of a run.
pub(super) trait InputWork {
    /// Processes an input. Breaks if no further input needs to be processed.
    fn process(&mut self, session: &mut Session, input: NamedInput<'_>) -> ControlFlow<()>;

    /// Returns `true` if every entry of a directory that is left out is reported.
    fn is_verbose(&self) -> bool {
        false
    }

    /// Writes an error of an input to the reports that have a record for it.
    fn record_failure(&mut self, session: &mut Session, name: &InputName<'_>, reason: &str) {
        let _ = (session, name, reason);
    }

    /// Reports an entry of a directory that is left out, if that is of interest.
    fn skip(&mut self, session: &mut Session, path: &Path, cause: SkipCause) {
        if self.is_verbose() || cause.is_named() {
            session.note(&session.name(path.as_os_str()), cause.note());
        }
    }

    /// Reports a file for which a configuration with an error holds.
    fn misconfigured(&mut self, session: &mut Session, path: &Path, error: &ConfigError) {
        report_misconfigured(session, error);
        let name = session.name(path.as_os_str());
        self.record_failure(session, &name, &error.to_string());
    }

    /// Reports a file of a directory, or a directory, that cannot be read.
    fn fail(&mut self, session: &mut Session, path: &Path, error: &io::Error) {
        let (name, reason) = (session.name(path.as_os_str()), reason(error));
        session.report_error(&name, &reason);
        self.record_failure(session, &name, &reason);
    }
}

impl<W: FnMut(&mut Session, NamedInput<'_>) -> ControlFlow<()>> InputWork for W {
    fn process(&mut self, session: &mut Session, input: NamedInput<'_>) -> ControlFlow<()> {
        self(session, input)
    }

    fn skip(&mut self, _: &mut Session, _: &Path, _: SkipCause) {}
}

/// Opens an input, if it is in a directory, and processes it.
pub(super) fn process(
    input: Result<PendingInput, TreeError>,
    session: &mut Session,
    work: &mut impl InputWork,
) -> ControlFlow<()> {
    match input {
        Ok(PendingInput::Text(text)) => work.process(session, NamedInput::Text(&text)),
        Ok(PendingInput::Stdin(name)) => work.process(session, NamedInput::Stdin(&name)),
        Ok(PendingInput::File(path, source)) => {
            work.process(session, NamedInput::File(&path, source))
        }
        Ok(PendingInput::InTree(TreeEntry::File(found))) => {
            if session.progress {
                progress::count_file(session.name(found.path.as_os_str()).shown());
            }
            match found.open() {
                Ok(file) => return work.process(session, NamedInput::InTree(&file)),
                Err(UnreadFile::Skipped(Some(cause))) => work.skip(session, &found.path, cause),
                Err(UnreadFile::Skipped(None)) => {}
                Err(UnreadFile::Failed(error)) => work.fail(session, &found.path, &error),
                Err(UnreadFile::Misconfigured(error)) => {
                    work.misconfigured(session, &found.path, &error);
                }
            }
            ControlFlow::Continue(())
        }
        Ok(PendingInput::InTree(TreeEntry::Skipped(path, cause))) => {
            work.skip(session, &path, cause);
            ControlFlow::Continue(())
        }
        Err((path, error)) => {
            work.fail(session, &path, &error);
            ControlFlow::Continue(())
        }
    }
}

/// Reports an error in a configuration, once for all files for which it holds.
pub(super) fn report_misconfigured(session: &mut Session, error: &ConfigError) {
    session.raise(Status::Trouble);
    if error.is_new() {
        session.report_run_error(&error.to_string());
    }
}

/// Processes each input in order, until the work breaks. Directories are not walked.
pub(super) fn each(
    args: &InputArgs,
    session: &mut Session,
    mut work: impl FnMut(&mut Session, NamedInput<'_>) -> ControlFlow<()>,
) {
    each_of(Inputs::new(args, None), session, &mut work);
}

/// Processes inputs in order, until the work breaks.
pub(super) fn each_of(
    mut inputs: impl Iterator<Item = Result<PendingInput, TreeError>>,
    session: &mut Session,
    work: &mut impl InputWork,
) {
    loop {
        // Reading a list and opening may wait. The output keeps its error.
        let _ = session.out.flush();
        let Some(input) = inputs.next() else { return };
        if process(input, session, work).is_break() {
            return;
        }
    }
}

/// Reports an input that cannot be read, and returns the reason. Returns `None` for a directory in
/// a list, which is skipped with a note.
pub(super) fn report_failure(
    session: &mut Session,
    input: NamedInput<'_>,
    name: &InputName<'_>,
    error: &io::Error,
) -> Option<String> {
    let is_listed = matches!(input, NamedInput::File(_, NameSource::List));
    if error.kind() == io::ErrorKind::IsADirectory && is_listed {
        session.note(name, "is a directory, skipped");
        return None;
    }
    let advice = match input {
        NamedInput::File(path, NameSource::List) if error.kind() == io::ErrorKind::NotFound => {
            missing_name_advice(path)
        }
        _ => None,
    };
    let reason = match (input, advice) {
        (_, Some(advice)) => format!("{} ({advice})", calls::error_text(error)),
        (NamedInput::File(path, _), _)
            if error.kind() == io::ErrorKind::NotFound && path.is_symlink() =>
        {
            "a symbolic link to a missing file".to_owned()
        }
        _ => reason(error),
    };
    match DetectionRefusal::of(error).is_some_and(|refusal| refusal.is_damaged) {
        true => session.report_undone(name, &reason),
        false => session.report_error(name, &reason),
    }
    Some(reason)
}

/// Returns standard input as a file.
///
/// # Errors
/// It was closed when the process started, and leads to no file now.
pub(super) fn stdin() -> io::Result<File> {
    match calls::closed_at_start(0) {
        true => Err(closed_error()),
        false => Ok(File::from(io::stdin().as_fd().try_clone_to_owned()?)),
    }
}
