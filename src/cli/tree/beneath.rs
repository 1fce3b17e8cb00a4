//! Directories below a root, opened component by component, and the rules in them.

use std::ffi::{CString, OsStr, OsString};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::TreeRules;
use super::attributes::DirectoryAttributes;
use super::excludes::DirectoryExcludes;
use crate::cli::config::DirectorySettings;
use crate::cli::repository::is_repository;
use crate::os::directory::Directory;

/// The number of directories below the root that stay open.
const MOST_OPEN: usize = 64;

/// The way from a root to a directory. No symbolic link below the root is followed, so that a
/// directory that is exchanged for a link leads nowhere.
#[derive(Debug)]
pub(super) struct OpenPath {
    root: Arc<OpenDirectory>,
    /// The path of the root.
    path: PathBuf,
    rules: TreeRules,
    /// The names of the directories below the root, outermost first. The innermost ones are open.
    below: Vec<(OsString, Option<Arc<OpenDirectory>>)>,
}

/// An open directory, and the rules for the entries in it, which were read from it.
#[derive(Debug)]
pub(super) struct OpenDirectory {
    pub directory: Directory,
    pub attributes: DirectoryAttributes,
    /// The rules of .gitignore and the like, if they hold.
    pub excludes: Option<DirectoryExcludes>,
    /// The settings, if any hold.
    pub settings: Option<Arc<DirectorySettings>>,
    /// True if the settings exclude this directory, or one around it below the root.
    is_excluded: bool,
}

impl OpenPath {
    /// Opens a root, if necessary through symbolic links.
    ///
    /// # Errors
    /// Those of opening it and reading its rules.
    pub fn new(path: &Path, rules: &TreeRules) -> io::Result<OpenPath> {
        let directory = Directory::at(path)?;
        let excludes = rules.excludes_files().then(|| DirectoryExcludes::of(path, &directory));
        let root = OpenDirectory {
            attributes: DirectoryAttributes::of(path)?,
            excludes: excludes.transpose()?,
            settings: rules.settings_of(path),
            is_excluded: false,
            directory,
        };
        let (root, path, rules) = (Arc::new(root), path.to_owned(), rules.clone());
        Ok(OpenPath { root, path, rules, below: Vec::new() })
    }

    /// Opens a directory by its path from the root.
    ///
    /// # Errors
    /// Those of opening its components and reading their rules; the path leads out of the root.
    pub fn enter(&mut self, path: &Path) -> io::Result<Arc<OpenDirectory>> {
        let names = path.components().map(|component| match component {
            Component::Normal(name) => Ok(name),
            _ => Err(io::Error::other("leads out of its directory")),
        });
        let names = names.collect::<io::Result<Vec<_>>>()?;
        let same = self.below.iter().zip(&names).take_while(|((open, _), name)| open == *name);
        let same = same.count();
        self.below.truncate(same);
        while self.below.last().is_some_and(|(_, directory)| directory.is_none()) {
            self.below.pop();
        }
        let mut open = match self.below.last() {
            Some((_, Some(open))) => Arc::clone(open),
            _ => Arc::clone(&self.root),
        };
        for depth in self.below.len()..names.len() {
            let name = names[depth];
            let directory = open.directory.open(&CString::new(name.as_bytes())?)?;
            let path = self.path.join(names[..=depth].iter().collect::<PathBuf>());
            open = Arc::new(open.enter(name, directory, &path, &self.rules)?);
            self.below.push((name.to_owned(), Some(Arc::clone(&open))));
            if let Some(outer) = self.below.len().checked_sub(MOST_OPEN + 1) {
                self.below[outer].1 = None;
            }
        }
        Ok(open)
    }
}

impl OpenDirectory {
    /// Returns a directory in this one that is open. `path` is its path.
    fn enter(
        &self,
        name: &OsStr,
        directory: Directory,
        path: &Path,
        rules: &TreeRules,
    ) -> io::Result<OpenDirectory> {
        let enters = rules.submodules;
        let excludes = self.excludes.as_ref();
        let excludes = excludes.map(|outer| outer.enter(name, &directory, enters)).transpose()?;
        let attributes = self.attributes.enter(name, &directory, path, enters)?;
        let settings = self.settings.as_ref().zip(rules.config.as_ref());
        let settings = settings.map(|(outer, config)| config.enter(outer, name, &directory));
        let is_excluded = self.settings_exclude(name, true);
        Ok(OpenDirectory { directory, attributes, excludes, settings, is_excluded })
    }

    /// Returns `true` if a directory in this one is the top of a repository.
    pub fn has_repository(&self, name: &OsStr) -> bool {
        let directory = CString::new(name.as_bytes()).map_err(io::Error::from);
        let directory = directory.and_then(|name| self.directory.open(&name));
        directory.is_ok_and(|directory| is_repository(&directory))
    }

    /// Returns `true` if the settings exclude an entry, or a directory around it below the
    /// root.
    pub fn settings_exclude(&self, name: &OsStr, is_dir: bool) -> bool {
        let settings = self.settings.as_ref();
        self.is_excluded
            || settings.is_some_and(|settings| settings.exclusion(name, is_dir).is_some())
    }
}
