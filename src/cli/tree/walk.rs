//! The entries of a directory that was named.

use std::cell::Cell;
use std::ffi::{CString, OsStr, OsString};
use std::fs::{self, File, FileType, Metadata};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ignore::Match;

use super::attributes::DirectoryAttributes;
use super::beneath::{OpenDirectory, OpenPath};
use super::counts::{SkipCause, TreeCounts};
use super::tracked::{TrackedFiles, TrackedKind};
use super::{ContentRules, FileReading, FileStart, TreeRules};
use crate::cli::config::settings::FileSettings;
use crate::cli::config::{ConfigError, DirectorySettings};
use crate::cli::inputs::is_the_output;
use crate::cli::paths::{split, without_dot_slash};
use crate::cli::repository::{REPOSITORY, REPOSITORY_NAME, is_missing};
use crate::lint::levels::{LevelNames, RuleLevels};
use crate::os::replace::OpenTarget;
use crate::registry::Encoding;
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
    /// The levels of rules that the command line names, if the file is checked.
    levels: Option<Arc<LevelNames>>,
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
    /// True if the start is to be read again.
    is_stale: Cell<bool>,
    pub reading: FileReading,
    pub settings: FileSettings,
    /// The encoding that .gitattributes declares, if the settings have another.
    pub overridden: Option<&'static Encoding>,
}

impl OpenTreeFile<'_> {
    /// Returns the file as a source.
    pub fn source<'b>(&self, how: &ReadOptions, buffer: &'b mut Buffer) -> io::Result<Source<'b>> {
        let whole = self.is_read().then(|| Arc::clone(&self.start.bytes));
        Source::from_examined(Arc::clone(&self.file), &self.metadata, whole, how, buffer)
    }

    /// Returns the content, if it was read whole.
    pub fn whole(&self) -> Option<&[u8]> {
        self.is_read().then_some(&**self.start.bytes)
    }

    /// Returns `true` if the content was read whole.
    fn is_read(&self) -> bool {
        self.start.is_whole && !self.is_stale.get()
    }

    /// Has the file read again.
    pub fn forget_content(&self) {
        self.is_stale.set(true);
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
        let levels = rules.levels.clone();
        Ok(TreeFile { path, place, rules: rules.content, settings, levels, counts })
    }
}

impl TreeFile {
    /// Opens the file; in a directory, follows no link.
    ///
    /// # Errors
    /// It is left out; it cannot be opened and read; it is no regular file any more.
    pub fn open(&self) -> Result<OpenTreeFile<'_>, UnreadFile> {
        let opened = match self.open_unless_skipped() {
            // The temporary file of a report, for which these settings would hold, too.
            Err(UnreadFile::Misconfigured(_))
                if self.path.metadata().is_ok_and(|file| is_the_output(&file)) =>
            {
                Err(UnreadFile::Skipped(None))
            }
            opened => opened,
        };
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
        let differs =
            |declared: &&Encoding| settings.encoding().is_some_and(|set| set != *declared);
        let overridden = attributes.content.encoding().filter(differs);
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
        let levels = || Some(settings.levels(RuleLevels::of_trees(), self.levels.as_ref()?));
        let reading = self.rules.judge(&file, &start, &attributes, levels)?;
        let (path, place, file) = (&*self.path, &self.place, Arc::new(file));
        let is_stale = Cell::new(false);
        Ok(OpenTreeFile {
            path,
            place,
            file,
            metadata,
            start,
            is_stale,
            reading,
            settings,
            overridden,
        })
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
    is_started: bool,
    /// The way to the last file; `None` before the first.
    open: Option<OpenPath>,
    /// The directory of the last file, by its path.
    last: Option<(PathBuf, Arc<OpenDirectory>)>,
}

/// A list of the entries of a directory.
enum TreeListing {
    /// Those that the rules do not exclude, in the order of their names: the directories on the way
    /// to the last one, outermost first.
    Walked(Vec<WalkLevel>),
    /// Those that git tracks, in the order of their paths.
    Tracked(TrackedFiles),
}

/// A directory that is walked, and the entries in it that are still to be examined.
struct WalkLevel {
    path: PathBuf,
    entries: std::vec::IntoIter<(OsString, FileType)>,
}

impl WalkLevel {
    /// Reads the entries of a directory.
    fn new(path: PathBuf) -> io::Result<WalkLevel> {
        let entry = |entry: io::Result<fs::DirEntry>| {
            let entry = entry?;
            Ok((entry.file_name(), entry.file_type()?))
        };
        let mut entries = fs::read_dir(&path)?.map(entry).collect::<io::Result<Vec<_>>>()?;
        entries.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        Ok(WalkLevel { path, entries: entries.into_iter() })
    }
}

/// A directory or file that cannot be read, and the reason.
pub(in crate::cli) type TreeError = (PathBuf, io::Error);

impl Tree {
    /// Returns the entries of a directory, which is opened for the first file.
    pub fn new(root: &Path, rules: TreeRules) -> Tree {
        let listing = match rules.tracked {
            true => TreeListing::Tracked(TrackedFiles::new(root)),
            false => TreeListing::Walked(Vec::new()),
        };
        Tree {
            root: root.to_owned(),
            counts: Arc::default(),
            rules,
            listing,
            is_started: false,
            open: None,
            last: None,
        }
    }

    /// Returns the next entry of the listing; an inner `None` if it is neither read nor reported.
    fn read(&mut self) -> Option<Result<Option<TreeEntry>, TreeError>> {
        let is_first = !std::mem::replace(&mut self.is_started, true);
        let (path, entry) = match &mut self.listing {
            TreeListing::Walked(_) if is_first => {
                let root = self.root.clone();
                let entered = self.walk_into(&root);
                (root, entered.map(|()| None))
            }
            TreeListing::Walked(levels) => {
                let level = levels.last_mut()?;
                let Some((name, kind)) = level.entries.next() else {
                    levels.pop();
                    return Some(Ok(None));
                };
                let parent = level.path.clone();
                let path = parent.join(&name);
                let entry = self.walked(&parent, &name, &path, kind);
                (path, entry)
            }
            TreeListing::Tracked(files) => match files.next()? {
                Ok((path, kind)) => {
                    let full = self.root.join(&path);
                    let entry = self.tracked(&full, kind);
                    (full, entry)
                }
                Err(error) => (self.root.clone(), Err(error)),
            },
        };
        Some(entry.map_err(|error| (without_dot_slash(&path), error)))
    }

    /// Continues with the entries of a directory, by its path.
    fn walk_into(&mut self, path: &Path) -> io::Result<()> {
        let level = WalkLevel::new(path.to_owned())?;
        // This reads its rules.
        self.directory(path)?;
        if let TreeListing::Walked(levels) = &mut self.listing {
            levels.push(level);
        }
        Ok(())
    }

    /// Returns an entry of the walk; `None` if it is a directory, or rules leave it out.
    fn walked(
        &mut self,
        parent: &Path,
        name: &OsStr,
        path: &Path,
        kind: FileType,
    ) -> io::Result<Option<TreeEntry>> {
        if name == REPOSITORY {
            return Ok(None);
        }
        let directory = self.directory(parent)?;
        let (rules, is_dir) = (&self.rules, kind.is_dir());
        let is_left_out = match rules.globs.matched(path, is_dir) {
            Match::Ignore(_) => true,
            Match::Whitelist(_) => false,
            Match::None => {
                let excludes = directory.excludes.as_ref();
                excludes.is_some_and(|excludes| excludes.exclude(name, is_dir))
                    || rules.has_other_type(path, is_dir)
            }
        };
        if is_left_out {
            return Ok(None);
        }
        let cause = if directory.excludes(name, is_dir) {
            SkipCause::Excluded
        } else if kind.is_file() {
            return self.file(path).map(Some);
        } else if !is_dir {
            SkipCause::Special
        } else if !rules.submodules && directory.has_repository(name) {
            SkipCause::Repository
        } else {
            return self.walk_into(path).map(|()| None);
        };
        Ok(Some(self.leave_out(path, cause)))
    }

    /// Returns a tracked entry, by its path; `None` if options leave it out.
    fn tracked(&mut self, full: &Path, kind: TrackedKind) -> io::Result<Option<TreeEntry>> {
        if !self.rules.select(full, false) {
            return Ok(None);
        }
        let (parent, name) = split(full);
        // A parent that cannot be opened is reported below.
        if self.directory(parent).is_ok_and(|parent| parent.excludes(name, false)) {
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
        // No link on the way is followed. Of a damaged repository, git tells.
        let is_there = is_wanted
            && self
                .directory(path)
                .is_ok_and(|open| open.directory.status(REPOSITORY_NAME).is_ok());
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
        let directory = self.directory(parent)?;
        let settings = directory.settings.clone();
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
            levels: self.rules.levels.clone(),
            counts: Arc::clone(&self.counts),
        }))
    }

    /// Opens a directory by its path.
    fn directory(&mut self, path: &Path) -> io::Result<Arc<OpenDirectory>> {
        if let Some((last, directory)) = &self.last
            && last.as_os_str() == path.as_os_str()
        {
            return Ok(Arc::clone(directory));
        }
        let open = match &mut self.open {
            Some(open) => open,
            none => none.insert(OpenPath::new(&self.root, &self.rules)?),
        };
        let below = path.strip_prefix(&self.root).map_err(io::Error::other)?;
        let directory = open.enter(below)?;
        self.last = Some((path.to_owned(), Arc::clone(&directory)));
        Ok(directory)
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
