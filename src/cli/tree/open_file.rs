//! Files in directories: opened, and examined before they are read.

use std::cell::Cell;
use std::ffi::CString;
use std::fs::{File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::TreeRules;
use super::attributes::DirectoryAttributes;
use super::beneath::OpenDirectory;
use super::content::{ContentRules, FileReading, FileStart};
use super::counts::{SkipCause, TreeCounts};
use crate::cli::config::settings::FileSettings;
use crate::cli::config::{ConfigError, DirectorySettings};
use crate::cli::inputs::is_the_output;
use crate::cli::paths::split;
use crate::cli::repository::is_missing;
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
pub(super) enum FilePlace {
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

    /// Forgets the content that was read, so that the file is read again.
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
    /// The file is left out; without a cause, it is the output of this run.
    Skipped(Option<SkipCause>),
    Failed(io::Error),
    /// A configuration that holds for the file has an error.
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
    fn from(cause: SkipCause) -> UnreadFile {
        UnreadFile::Skipped(Some(cause))
    }
}

/// A directory or file that cannot be read, and the reason.
pub(in crate::cli) type TreeError = (PathBuf, io::Error);

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
        let (place, settings) = (FilePlace::Named(attributes.clone()), settings.clone());
        Ok(TreeFile::new(path, place, settings, rules, counts))
    }
}

impl TreeFile {
    /// Returns a file to which rules apply, and counts it.
    pub(super) fn new(
        path: PathBuf,
        place: FilePlace,
        settings: Option<Arc<DirectorySettings>>,
        rules: &TreeRules,
        counts: Arc<TreeCounts>,
    ) -> TreeFile {
        counts.offer();
        let (rules, levels) = (rules.content, rules.levels.clone());
        TreeFile { path, place, rules, settings, levels, counts }
    }

    /// Opens the file; in a directory, follows no link.
    ///
    /// # Errors
    /// The file is left out, cannot be opened and read, or is no regular file any more.
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
        if let Err(UnreadFile::Skipped(cause)) = opened {
            self.counts.withdraw(cause);
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
        let reading = self.rules.reading(&file, &start, &attributes, levels)?;
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
