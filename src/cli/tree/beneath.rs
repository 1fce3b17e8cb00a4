//! Directories below a root, opened component by component, and their attributes.

use std::ffi::{CString, OsString};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::attributes::DirectoryAttributes;
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
    /// True to look for repositories below the root.
    finds_repositories: bool,
    /// The names of the directories below the root, outermost first. The innermost ones are open.
    below: Vec<(OsString, Option<Arc<OpenDirectory>>)>,
}

/// An open directory, and its attributes.
#[derive(Debug)]
pub(super) struct OpenDirectory {
    pub directory: Directory,
    pub attributes: DirectoryAttributes,
}

impl OpenPath {
    /// Opens a root, if necessary through symbolic links.
    pub fn new(path: &Path, finds_repositories: bool) -> io::Result<OpenPath> {
        let name = CString::new(path.as_os_str().as_bytes())?;
        let directory = Directory::current()?.open_following(&name)?;
        let root = OpenDirectory { directory, attributes: DirectoryAttributes::of(path)? };
        let root = Arc::new(root);
        Ok(OpenPath { root, path: path.to_owned(), finds_repositories, below: Vec::new() })
    }

    /// Opens a directory by its path from the root.
    ///
    /// # Errors
    /// Those of opening its components and reading their attributes; the path leads out of the root.
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
            let finds = self.finds_repositories;
            let attributes = open.attributes.enter(name, &directory, &path, finds)?;
            open = Arc::new(OpenDirectory { directory, attributes });
            self.below.push((name.to_owned(), Some(Arc::clone(&open))));
            if let Some(outer) = self.below.len().checked_sub(MOST_OPEN + 1) {
                self.below[outer].1 = None;
            }
        }
        Ok(open)
    }
}
