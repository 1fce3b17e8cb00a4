//! The entries of a directory that was named.

use std::collections::VecDeque;
use std::ffi::CString;
use std::fs::{File, FileType, Metadata};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ignore::{DirEntry, WalkBuilder};

use super::attributes::DirectoryAttributes;
use super::beneath::{OpenDirectory, OpenPath};
use super::counts::{SkipCause, TreeCounts};
use super::excludes::{RepositoryExcludes, check_rules};
use super::tracked::{TrackedFiles, TrackedKind};
use super::{ContentRules, FileReading, FileStart, TreeRules};
use crate::cli::config::settings::FileSettings;
use crate::cli::config::{ConfigError, DirectorySettings};
use crate::cli::inputs::is_the_output;
use crate::cli::paths::{split, without_dot_slash};
use crate::cli::repository::{REPOSITORY, is_missing, is_top};
use crate::os::replace::OpenTarget;
use crate::source::{Buffer, ReadOptions, Source};

/// A file in a directory that was named, or a file that is treated as one.
#[derive(Debug)]
pub(in crate::cli) struct TreeFile {
    /// The path for messages.
    pub path: PathBuf,
    place: FilePlace,
    rules: ContentRules,
    /// The settings of its directory, if any hold.
    settings: Option<Arc<DirectorySettings>>,
    counts: Arc<TreeCounts>,
}

/// The place of a file.
#[derive(Debug)]
enum FilePlace {
    /// A name in a directory below the one that was named.
    Beneath { directory: Arc<OpenDirectory>, name: CString },
    /// The same, of a file that git tracks and that may be missing from the work tree.
    Tracked { directory: Arc<OpenDirectory>, name: CString },
    /// The path, with the attributes of its directory.
    Named(DirectoryAttributes),
}

/// A file in a directory, open, and the way to read it.
#[derive(Debug)]
pub(in crate::cli) struct OpenTreeFile<'a> {
    pub path: &'a Path,
    place: &'a FilePlace,
    pub file: Arc<File>,
    pub metadata: Metadata,
    start: FileStart,
    pub reading: FileReading,
    pub settings: FileSettings,
}

impl OpenTreeFile<'_> {
    /// Returns the file as a source.
    pub fn source<'b>(&self, how: &ReadOptions, buffer: &'b mut Buffer) -> io::Result<Source<'b>> {
        let whole = self.start.is_whole.then(|| Arc::clone(&self.start.bytes));
        Source::from_examined(Arc::clone(&self.file), &self.metadata, whole, how, buffer)
    }

    /// Returns the file as a target, to replace it.
    ///
    /// # Errors
    /// Those of resolving the path of a file that was named.
    pub fn target(&self) -> io::Result<OpenTarget> {
        match self.place {
            FilePlace::Beneath { directory, name } | FilePlace::Tracked { directory, name } => {
                let (file, directory) = (Arc::clone(&self.file), directory.directory.clone());
                Ok(OpenTarget::beneath(directory, name.clone(), file, &self.metadata))
            }
            FilePlace::Named(_) => {
                let target = OpenTarget::open(self.path)?;
                target.check_opened(&self.metadata)?;
                Ok(target)
            }
        }
    }

    /// Returns `true` if the file was found in a directory, not named.
    pub fn is_found(&self) -> bool {
        !matches!(self.place, FilePlace::Named(_))
    }
}

/// The reason why a file of a directory is not read.
#[derive(Debug)]
pub(in crate::cli) enum UnreadFile {
    /// It is left out; `None` for the output of this run.
    Skipped(Option<SkipCause>),
    Failed(io::Error),
    /// A configuration that holds for it has an error.
    Misconfigured(Arc<ConfigError>),
}

impl From<Arc<ConfigError>> for UnreadFile {
    fn from(error: Arc<ConfigError>) -> UnreadFile {
        UnreadFile::Misconfigured(error)
    }
}

impl From<io::Error> for UnreadFile {
    fn from(error: io::Error) -> UnreadFile {
        UnreadFile::Failed(error)
    }
}

impl From<SkipCause> for UnreadFile {
    fn from(reason: SkipCause) -> UnreadFile {
        UnreadFile::Skipped(Some(reason))
    }
}

/// Regular files that were named.
#[derive(Debug, Default)]
pub(in crate::cli) struct NamedFiles {
    /// The attributes of the directory of the last file, and its settings.
    last: Option<(PathBuf, DirectoryAttributes, Option<Arc<DirectorySettings>>)>,
}

impl NamedFiles {
    /// Returns a file, to which rules apply.
    ///
    /// # Errors
    /// Those of reading the attributes of its directory.
    pub fn file(
        &mut self,
        path: PathBuf,
        rules: &TreeRules,
        counts: Arc<TreeCounts>,
    ) -> Result<TreeFile, TreeError> {
        let parent = split(&path).0;
        let (_, attributes, settings) = match self.last.take_if(|(last, ..)| last == parent) {
            Some(last) => self.last.insert(last),
            None => match DirectoryAttributes::of(parent) {
                Ok(attributes) => {
                    self.last.insert((parent.to_owned(), attributes, rules.settings_of(parent)))
                }
                Err(error) => return Err((path, error)),
            },
        };
        counts.offer();
        let (place, settings) = (FilePlace::Named(attributes.clone()), settings.clone());
        Ok(TreeFile { path, place, rules: rules.content, settings, counts })
    }
}

impl TreeFile {
    /// Opens the file; in a directory, follows no link.
    ///
    /// # Errors
    /// It is left out; it cannot be opened and read; it is no regular file any more.
    pub fn open(&self) -> Result<OpenTreeFile<'_>, UnreadFile> {
        let opened = self.open_unless_skipped();
        if let Err(UnreadFile::Skipped(reason)) = opened {
            self.counts.withdraw(reason);
        }
        opened
    }

    fn open_unless_skipped(&self) -> Result<OpenTreeFile<'_>, UnreadFile> {
        let name = split(&self.path).1;
        let settings = self.settings.as_ref().map(|directory| directory.of_file(name));
        let mut settings = settings.transpose()?.unwrap_or_default();
        let mut attributes = self.place.attributes().of_file(&self.path);
        attributes.content = attributes.content.unless_set(settings.encoding());
        self.rules.check_attribute(&attributes.content)?;
        if let Some((end, origin)) = attributes.line_ending.take() {
            settings.add_line_ending(end, origin);
        }
        let file = self.place.open(&self.path)?;
        let metadata = file.metadata()?;
        if !metadata.is_file() {
            return Err(self.place.changed("is no regular file any more"));
        }
        if is_the_output(&metadata) {
            return Err(UnreadFile::Skipped(None));
        }
        self.rules.check_size(&metadata)?;
        let start = FileStart::read(&file, &metadata)?;
        let reading = self.rules.judge(&file, &start, &attributes)?;
        let (path, place, file) = (&*self.path, &self.place, Arc::new(file));
        Ok(OpenTreeFile { path, place, file, metadata, start, reading, settings })
    }
}

impl FilePlace {
    /// Returns the attributes of the directory.
    fn attributes(&self) -> &DirectoryAttributes {
        match self {
            FilePlace::Beneath { directory, .. } | FilePlace::Tracked { directory, .. } => {
                &directory.attributes
            }
            FilePlace::Named(attributes) => attributes,
        }
    }

    fn open(&self, path: &Path) -> Result<File, UnreadFile> {
        let opened = match self {
            FilePlace::Beneath { directory, name } | FilePlace::Tracked { directory, name } => {
                directory.directory.open_file(name)
            }
            FilePlace::Named(_) => File::open(path),
        };
        opened.map_err(|error| match self {
            FilePlace::Tracked { .. } if is_missing(&error) => SkipCause::Missing.into(),
            _ if error.raw_os_error() == Some(libc::ELOOP) => {
                self.changed("has become a symbolic link during the run")
            }
            _ => error.into(),
        })
    }

    /// Returns the reason not to read an entry that is no regular file. A tracked one was not
    /// looked at before.
    fn changed(&self, message: &'static str) -> UnreadFile {
        match self {
            FilePlace::Tracked { .. } => SkipCause::Special.into(),
            FilePlace::Beneath { .. } | FilePlace::Named(_) => io::Error::other(message).into(),
        }
    }
}

/// An entry of a directory that was named.
#[derive(Debug)]
pub(in crate::cli) enum TreeEntry {
    File(TreeFile),
    /// An entry that is left out, by its path.
    Skipped(PathBuf, SkipCause),
}

/// The entries of a directory, in a stable order.
pub(in crate::cli) struct Tree {
    /// The directory as it was named.
    root: PathBuf,
    pub counts: Arc<TreeCounts>,
    rules: TreeRules,
    listing: TreeListing,
    /// The way to the last file; `None` before the first.
    open: Option<OpenPath>,
    /// The directory of the last file, by its path, and its settings.
    last: Option<(PathBuf, Arc<OpenDirectory>, Option<Arc<DirectorySettings>>)>,
}

/// A list of the entries of a directory.
enum TreeListing {
    /// Those that the rules of .gitignore do not exclude, in the order of their names.
    Walked { walk: Box<ignore::Walk>, left: LeftEntries },
    /// Those that git tracks, in the order of their paths.
    Tracked(TrackedFiles),
}

/// An entry that the walk leaves out: the cause, or its error.
type LeftEntry = (PathBuf, io::Result<SkipCause>);

/// The entries that the walk has left out since the last look.
type LeftEntries = Arc<Mutex<VecDeque<LeftEntry>>>;

fn lock(found: &Mutex<VecDeque<LeftEntry>>) -> MutexGuard<'_, VecDeque<LeftEntry>> {
    found.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A directory or file that cannot be read, and the reason.
pub(in crate::cli) type TreeError = (PathBuf, io::Error);

impl Tree {
    /// Returns the entries of a directory, which is opened for the first file.
    pub fn new(root: &Path, rules: TreeRules) -> Tree {
        let listing = match rules.tracked {
            true => TreeListing::Tracked(TrackedFiles::new(root)),
            false => TreeListing::walk(root, &rules),
        };
        Tree {
            root: root.to_owned(),
            counts: Arc::default(),
            rules,
            listing,
            open: None,
            last: None,
        }
    }

    /// Returns the next entry of the listing; an inner `None` if it is neither read nor reported.
    fn read(&mut self) -> Option<Result<Option<TreeEntry>, TreeError>> {
        let entry = match &mut self.listing {
            TreeListing::Walked { walk, left } => {
                let found = || lock(left).pop_front();
                // The last step of the walk may find some, too.
                let (found, entry) = match found() {
                    Some(path) => (Some(path), None),
                    None => match walk.next() {
                        Some(entry) => (None, Some(entry)),
                        None => (found(), None),
                    },
                };
                if let Some((path, cause)) = found {
                    let entry = cause.map(|cause| Some(self.leave_out(&path, cause)));
                    return Some(entry.map_err(|error| (without_dot_slash(&path), error)));
                }
                match entry? {
                    Ok(entry) => self
                        .walked(&entry)
                        .map_err(|error| (without_dot_slash(entry.path()), error)),
                    Err(error) => Err((
                        without_dot_slash(path_of(&error).unwrap_or(&self.root)),
                        as_io(error),
                    )),
                }
            }
            TreeListing::Tracked(files) => match files.next()? {
                Ok((path, kind)) => {
                    let full = self.root.join(&path);
                    self.tracked(&full, kind).map_err(|error| (without_dot_slash(&full), error))
                }
                Err(error) => Err((without_dot_slash(&self.root), error)),
            },
        };
        Some(entry)
    }

    /// Returns an entry of the walk; `None` for a directory.
    fn walked(&mut self, entry: &DirEntry) -> io::Result<Option<TreeEntry>> {
        match entry.file_type() {
            Some(kind) if kind.is_dir() => Ok(None),
            Some(kind) if kind.is_file() => self.file(entry.path()).map(Some),
            Some(_) => Ok(Some(self.leave_out(entry.path(), SkipCause::Special))),
            None => Ok(None),
        }
    }

    /// Returns a tracked entry, by its path; `None` if options leave it out.
    fn tracked(&mut self, full: &Path, kind: TrackedKind) -> io::Result<Option<TreeEntry>> {
        if !self.rules.select(full) {
            return Ok(None);
        }
        if self.rules.excludes(full, false, true) {
            return Ok(Some(self.leave_out(full, SkipCause::Excluded)));
        }
        match kind {
            TrackedKind::Submodule if self.enter(full)? => Ok(None),
            TrackedKind::Submodule => Ok(Some(self.leave_out(full, SkipCause::Repository))),
            TrackedKind::Link => Ok(Some(self.leave_out(full, SkipCause::Special))),
            TrackedKind::File => match self.file(full) {
                Err(error) if is_missing(&error) => {
                    Ok(Some(self.leave_out(full, SkipCause::Missing)))
                }
                file => file.map(Some),
            },
        }
    }

    /// Lists the tracked files of a repository in the directory, if options ask for that and it is
    /// there. Returns `false` if it is left out.
    fn enter(&mut self, path: &Path) -> io::Result<bool> {
        let is_wanted = self.rules.submodules;
        // No link on the way is followed.
        let is_there = is_wanted
            && self.directory(path).is_ok_and(|(open, _)| open.directory.status(c".git").is_ok());
        match &mut self.listing {
            TreeListing::Tracked(files) if is_there => files.enter(),
            _ => Ok(false),
        }
    }

    fn leave_out(&self, path: &Path, reason: SkipCause) -> TreeEntry {
        self.counts.skip(reason);
        TreeEntry::Skipped(without_dot_slash(path), reason)
    }

    /// Returns a file, by its path, which starts with that of the root.
    fn file(&mut self, path: &Path) -> io::Result<TreeEntry> {
        let (parent, name) = split(path);
        let (directory, settings) = self.directory(parent)?;
        let name = CString::new(name.as_bytes())?;
        let place = match self.rules.tracked {
            true => FilePlace::Tracked { directory, name },
            false => FilePlace::Beneath { directory, name },
        };
        self.counts.offer();
        Ok(TreeEntry::File(TreeFile {
            path: without_dot_slash(path),
            place,
            rules: self.rules.content,
            settings,
            counts: Arc::clone(&self.counts),
        }))
    }
}

impl Tree {
    /// Opens a directory by its path. Returns it with its settings.
    fn directory(
        &mut self,
        path: &Path,
    ) -> io::Result<(Arc<OpenDirectory>, Option<Arc<DirectorySettings>>)> {
        if let Some((last, directory, settings)) = &self.last
            && last.as_os_str() == path.as_os_str()
        {
            return Ok((Arc::clone(directory), settings.clone()));
        }
        let open = match &mut self.open {
            Some(open) => open,
            none => none.insert(OpenPath::new(&self.root, self.rules.submodules)?),
        };
        let below = path.strip_prefix(&self.root).map_err(io::Error::other)?;
        let directory = open.enter(below)?;
        let settings = self.rules.settings_of(path);
        self.last = Some((path.to_owned(), Arc::clone(&directory), settings.clone()));
        Ok((directory, settings))
    }
}

impl TreeListing {
    fn walk(root: &Path, rules: &TreeRules) -> TreeListing {
        let left = LeftEntries::default();
        // The library reads the rules of the root before it asks for entries.
        let checked = match rules.no_ignore {
            true => Ok(None),
            false => check_rules(root)
                .and_then(|()| RepositoryExcludes::new(root, rules.submodules))
                .map(Some),
        };
        let (obeys, depth) = match checked {
            Ok(_) => (!rules.no_ignore, None),
            Err(_) => (false, Some(0)),
        };
        let excludes = checked.unwrap_or_else(|error| {
            lock(&left).push_back((root.to_owned(), Err(error)));
            None
        });
        let is_in_repository = excludes.as_ref().is_some_and(|it| it.is_in_repository);
        let (found, submodules) = (Arc::clone(&left), rules.submodules);
        let excluding = rules.clone();
        let is_entered = move |entry: &DirEntry| {
            if entry.depth() == 0 {
                return true;
            }
            let path = entry.path();
            let is_dir = entry.file_type().as_ref().is_some_and(FileType::is_dir);
            let is_excluded = |excludes: &RepositoryExcludes| {
                excludes.exclude(path, is_dir)
                    && !excluding.globs.matched(path, is_dir).is_whitelist()
            };
            if split(path).1 == REPOSITORY || excludes.as_ref().is_some_and(is_excluded) {
                return false;
            }
            let checked = if is_dir && obeys { check_rules(path) } else { Ok(()) };
            let cause = match checked {
                _ if excluding.excludes(path, is_dir, false) => Ok(SkipCause::Excluded),
                Ok(()) if is_dir && !submodules && is_top(path) => Ok(SkipCause::Repository),
                Ok(()) => return true,
                Err(error) => Err(error),
            };
            lock(&found).push_back((path.to_owned(), cause));
            false
        };
        let mut walk = WalkBuilder::new(root);
        walk.hidden(false)
            .parents(obeys)
            .ignore(obeys)
            .git_ignore(obeys)
            // See `RepositoryExcludes`.
            .git_exclude(false)
            .git_global(false)
            // In a repository, .gitignore counts from its top on; elsewhere, it counts, too.
            .require_git(is_in_repository)
            .max_depth(depth)
            .overrides(rules.globs.clone())
            .types(rules.types.clone())
            .filter_entry(is_entered)
            // The paths of the entries of a directory differ in their names only.
            .sort_by_file_path(|one, other| one.as_os_str().cmp(other.as_os_str()));
        TreeListing::Walked { walk: Box::new(walk.build()), left }
    }
}

impl Iterator for Tree {
    type Item = Result<TreeEntry, TreeError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.read()? {
                Ok(Some(entry)) => return Some(Ok(entry)),
                Ok(None) => {}
                Err(error) => {
                    self.counts.fail();
                    return Some(Err(error));
                }
            }
        }
    }
}

fn path_of(error: &ignore::Error) -> Option<&Path> {
    match error {
        ignore::Error::WithPath { path, .. } => Some(path),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => {
            path_of(err)
        }
        _ => None,
    }
}

/// Returns the error of the system, without the path.
fn as_io(error: ignore::Error) -> io::Error {
    match error.io_error().map(|inner| (inner.raw_os_error(), inner.kind())) {
        Some((Some(code), _)) => io::Error::from_raw_os_error(code),
        // A library has added the path.
        Some((None, kind)) if kind != io::ErrorKind::Other => kind.into(),
        _ => io::Error::other(error),
    }
}
