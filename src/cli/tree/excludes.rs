//! The file of excludes that the settings of git name: `core.excludesFile`. See gitignore(5).
//!
//! The library that walks directories matches the patterns of such a file from the current directory.
//! Git matches them from the top of the repository around an entry.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::git_config::{GitConfig, common_directory};
use crate::cli::paths::split;
use crate::cli::repository::{REPOSITORY, is_top};

/// The excludes for the entries of a directory that is walked.
pub(super) struct GlobalExcludes {
    /// The directory as it was named.
    root: PathBuf,
    /// Its absolute path, without symbolic links.
    path: PathBuf,
    /// Those of its repository.
    own: Arc<Gitignore>,
    /// True if repositories below it are entered.
    finds_repositories: bool,
    known: Mutex<KnownExcludes>,
}

#[derive(Default)]
struct KnownExcludes {
    /// The excludes of repositories, by their top directories.
    tops: HashMap<PathBuf, Arc<Gitignore>>,
    /// The parent of the last entry, its absolute path, and the excludes for entries in it.
    last: Option<(PathBuf, PathBuf, Arc<Gitignore>)>,
    /// The rules of directories that are stronger.
    stronger: HashMap<PathBuf, Vec<Gitignore>>,
}

impl GlobalExcludes {
    /// Returns the excludes for a directory that is to be walked.
    ///
    /// # Errors
    /// Their file is no regular file, or is too large.
    pub fn new(root: &Path, finds_repositories: bool) -> io::Result<GlobalExcludes> {
        let path = root.canonicalize().unwrap_or_else(|_| root.to_owned());
        let own = Arc::new(read(top_of(&path).unwrap_or(&path))?);
        let (root, known) = (root.to_owned(), Mutex::default());
        Ok(GlobalExcludes { root, path, own, finds_repositories, known })
    }

    /// Returns `true` if the excludes match an entry that other files of rules do not match.
    pub fn exclude(&self, path: &Path, is_dir: bool) -> bool {
        if self.own.is_empty() && !self.finds_repositories {
            return false;
        }
        let (parent, name) = split(path);
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let is_last = |(last, ..): &mut (PathBuf, _, _)| last.as_os_str() == parent.as_os_str();
        let last = known.last.take_if(is_last).unwrap_or_else(|| {
            let below = parent.strip_prefix(&self.root).unwrap_or(Path::new(""));
            let directory = self.path.join(below);
            let excludes = self.of_directory(&mut known, &directory);
            (parent.to_owned(), directory, excludes)
        });
        let (_, directory, excludes) = known.last.insert(last);
        let (path, excludes) = (directory.join(name), Arc::clone(excludes));
        excludes.matched(&path, is_dir).is_ignore() && !known.match_stronger(&path, is_dir)
    }

    /// Returns the excludes for the entries of a directory.
    fn of_directory(&self, known: &mut KnownExcludes, directory: &Path) -> Arc<Gitignore> {
        let is_below = |top: &&Path| *top != self.path && top.starts_with(&self.path);
        let top = top_of(directory).filter(|top| self.finds_repositories && is_below(top));
        let Some(top) = top else { return Arc::clone(&self.own) };
        // The error of the file was reported with the directory that was named.
        let read = || Arc::new(read(top).unwrap_or_else(|_| Gitignore::empty()));
        Arc::clone(known.tops.entry(top.to_owned()).or_insert_with(read))
    }
}

impl KnownExcludes {
    /// Returns `true` if other rules match an entry. Since they do not exclude it, they include it.
    fn match_stronger(&mut self, path: &Path, is_dir: bool) -> bool {
        path.ancestors().skip(1).any(|directory| {
            let read = || read_stronger(directory);
            let rules = self.stronger.entry(directory.to_owned()).or_insert_with(read);
            rules.iter().any(|rules| !rules.matched(path, is_dir).is_none())
        })
    }
}

/// Returns the top directory of the repository of a directory, if it is in one.
fn top_of(directory: &Path) -> Option<&Path> {
    directory.ancestors().find(|path| is_top(path))
}

/// Reads the excludes of a repository, by its top directory.
fn read(top: &Path) -> io::Result<Gitignore> {
    let config = GitConfig::of_top(top);
    Ok(config.checked_excludes()?.map_or_else(Gitignore::empty, |file| parse(top, file)))
}

/// Reads the rules of a directory that are stronger. The walk has checked their files.
fn read_stronger(directory: &Path) -> Vec<Gitignore> {
    let common = common_directory(&directory.join(REPOSITORY));
    let own = common.map(|common| common.join("info/exclude"));
    let files = [".ignore", ".gitignore"].map(|name| directory.join(name)).into_iter().chain(own);
    files.filter(|file| file.is_file()).map(|file| parse(directory, &file)).collect()
}

/// Reads patterns for the entries below a directory. Malformed ones are ignored, as git does.
fn parse(directory: &Path, file: &Path) -> Gitignore {
    let mut builder = GitignoreBuilder::new(directory);
    let _ = builder.add(file);
    builder.build().unwrap_or_else(|_| Gitignore::empty())
}
