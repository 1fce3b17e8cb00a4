//! Directories below a root, opened component by component.

use std::ffi::{CString, OsString};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path};

use crate::os::directory::Directory;

/// The number of directories below the root that stay open.
const MOST_OPEN: usize = 64;

/// The way from a root to a directory. No symbolic link below the root is followed, so that a
/// directory that is exchanged for a link leads nowhere.
#[derive(Debug)]
pub(super) struct OpenPath {
    root: Directory,
    /// The names of the directories below the root, outermost first. The innermost ones are open.
    below: Vec<(OsString, Option<Directory>)>,
}

impl OpenPath {
    /// Opens a root, if necessary through symbolic links.
    pub fn new(root: &Path) -> io::Result<OpenPath> {
        let root = CString::new(root.as_os_str().as_bytes())?;
        let root = Directory::current()?.open_following(&root)?;
        Ok(OpenPath { root, below: Vec::new() })
    }

    /// Opens a directory by its path from the root.
    ///
    /// # Errors
    /// Those of opening its components; the path leads out of the root.
    pub fn enter(&mut self, path: &Path) -> io::Result<Directory> {
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
        let mut directory = match self.below.last() {
            Some((_, Some(directory))) => directory.clone(),
            _ => self.root.clone(),
        };
        for name in &names[self.below.len()..] {
            directory = directory.open(&CString::new(name.as_bytes())?)?;
            self.below.push(((*name).to_owned(), Some(directory.clone())));
            if let Some(outer) = self.below.len().checked_sub(MOST_OPEN + 1) {
                self.below[outer].1 = None;
            }
        }
        Ok(directory)
    }
}
