//! The entries of a directory that was named.

use std::ffi::{CString, OsStr, OsString};
use std::fs::{self, FileType};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ignore::Match;

use super::TreeRules;
use super::beneath::{OpenDirectory, OpenPath};
use super::counts::{SkipCause, TreeCounts};
use super::open_file::{FilePlace, TreeError, TreeFile};
use super::tracked::{TrackedFiles, TrackedKind};
use crate::cli::paths::{split, without_dot_slash};
use crate::cli::repository::{REPOSITORY, REPOSITORY_NAME, is_missing};

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
    /// The open directories on the way to the last file; `None` before the first.
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
                excludes.is_some_and(|excludes| excludes.excludes(name, is_dir))
                    || rules.has_other_type(path, is_dir)
            }
        };
        if is_left_out {
            return Ok(None);
        }
        let cause = if directory.settings_exclude(name, is_dir) {
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
        if !self.rules.includes(full, false) {
            return Ok(None);
        }
        let (parent, name) = split(full);
        // A parent that cannot be opened is reported below.
        if self.directory(parent).is_ok_and(|parent| parent.settings_exclude(name, false)) {
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

    /// Continues with the tracked files of a submodule, if options ask for that and it is checked out.
    /// Returns `false` if it is left out.
    fn enter(&mut self, path: &Path) -> io::Result<bool> {
        // No link on the way is followed. git reports a damaged repository.
        let has_repository =
            |open: Arc<OpenDirectory>| open.directory.status(REPOSITORY_NAME).is_ok();
        let is_there = self.rules.submodules && self.directory(path).is_ok_and(has_repository);
        match &mut self.listing {
            TreeListing::Tracked(files) if is_there => files.enter(),
            _ => Ok(false),
        }
    }

    fn leave_out(&self, path: &Path, cause: SkipCause) -> TreeEntry {
        self.counts.skip(cause);
        TreeEntry::Skipped(without_dot_slash(path), cause)
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
        let (path, counts) = (without_dot_slash(path), Arc::clone(&self.counts));
        Ok(TreeEntry::File(TreeFile::new(path, place, settings, &self.rules, counts)))
    }

    /// Opens a directory, by its path, which starts with that of the root.
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
