//! The excludes of a repository that are in no .gitignore: `.git/info/exclude`, and the file that the
//! settings of git name, `core.excludesFile`. See gitignore(5).
//!
//! The library that walks directories matches the patterns of `core.excludesFile` from the current
//! directory; git matches them from the top of the repository around an entry. The library finds
//! `.git/info/exclude` through whatever files `.git` leads to, without a look at their kind or size.

use std::collections::HashMap;
use std::fmt::Display;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::git_config::{GitConfig, common_directory};
use crate::cli::paths::{from_current_directory, split};
use crate::cli::repository::{REPOSITORY, describe_unfit, is_top, top_of};
use crate::cli::safe;

/// The files with rules that a directory may have. Those of git count up to the top of a repository.
const IGNORE: &str = ".ignore";
const GIT_IGNORE: &str = ".gitignore";

/// The largest file of rules that is read, in bytes.
const LARGEST: u64 = 16 << 20;

/// The excludes for the entries of a directory that is walked.
pub(super) struct RepositoryExcludes {
    /// The directory as it was named.
    root: PathBuf,
    /// Its absolute path, without symbolic links.
    path: PathBuf,
    /// True if it is in a repository.
    pub is_in_repository: bool,
    /// The excludes of its repository.
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
    /// The rules of directories, which are stronger.
    stronger: HashMap<PathBuf, StrongerRules>,
}

/// The rules of a directory.
struct StrongerRules {
    /// Those of .ignore.
    general: Gitignore,
    /// Those of .gitignore, which count up to the top of a repository.
    of_git: Gitignore,
    /// True if the directory is the top of a repository.
    is_top: bool,
}

impl RepositoryExcludes {
    /// Returns the excludes for a directory that is to be walked.
    ///
    /// # Errors
    /// One of their files, or of the files with rules in the directories around it, is no regular
    /// file, or is too large.
    pub fn new(root: &Path, finds_repositories: bool) -> io::Result<RepositoryExcludes> {
        let path = root.canonicalize().unwrap_or_else(|_| root.to_owned());
        check_outer_rules(&path)?;
        let top = top_of(&path);
        let (is_in_repository, own) = (top.is_some(), Arc::new(read(top.unwrap_or(&path))?));
        let (root, known) = (root.to_owned(), Mutex::default());
        Ok(RepositoryExcludes { root, path, is_in_repository, own, finds_repositories, known })
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
        // The error of a file was reported with the directory that was named, or with this one.
        let read = || Arc::new(read(top).unwrap_or_else(|_| Gitignore::empty()));
        Arc::clone(known.tops.entry(top.to_owned()).or_insert_with(read))
    }
}

impl KnownExcludes {
    /// Returns `true` if other rules match an entry. Since they do not exclude it, they include it.
    fn match_stronger(&mut self, path: &Path, is_dir: bool) -> bool {
        let mut is_inside = true;
        path.ancestors().skip(1).any(|directory| {
            let read = || StrongerRules::read(directory);
            let rules = self.stronger.entry(directory.to_owned()).or_insert_with(read);
            let matches = |rules: &Gitignore| !rules.matched(path, is_dir).is_none();
            let is_match = matches(&rules.general) || is_inside && matches(&rules.of_git);
            is_inside &= !rules.is_top;
            is_match
        })
    }
}

impl StrongerRules {
    /// Reads the rules of a directory. The errors of their files were reported before the walk.
    fn read(directory: &Path) -> StrongerRules {
        let [general, of_git] = [IGNORE, GIT_IGNORE].map(|name| {
            let mut builder = GitignoreBuilder::new(directory);
            let _ = add(&mut builder, &directory.join(name), name);
            build(&builder)
        });
        StrongerRules { general, of_git, is_top: is_top(directory) }
    }
}

/// Reads the excludes of a repository, by its top directory.
///
/// # Errors
/// A file is no regular file, so that reading might not end, or is too large.
fn read(top: &Path) -> io::Result<Gitignore> {
    let mut builder = GitignoreBuilder::new(top);
    // The last pattern that matches decides.
    if let Some(path) = GitConfig::of_top(top).excludes {
        add(&mut builder, &path, format_args!("core.excludesFile of git, {},", safe(&path)))?;
    }
    if let Some(path) = own_excludes(top) {
        add(&mut builder, &path, safe(from_current_directory(&path)))?;
    }
    Ok(build(&builder))
}

/// Returns the path of the file of excludes of a repository, by its top directory.
fn own_excludes(top: &Path) -> Option<PathBuf> {
    common_directory(&top.join(REPOSITORY)).map(|common| common.join("info/exclude"))
}

/// Adds the patterns of a file, if it exists. Malformed ones are ignored, as git does.
fn add(builder: &mut GitignoreBuilder, path: &Path, name: impl Display) -> io::Result<()> {
    if exists(path, name)? {
        let _ = builder.add(path);
    }
    Ok(())
}

fn build(builder: &GitignoreBuilder) -> Gitignore {
    builder.build().unwrap_or_else(|_| Gitignore::empty())
}

/// Returns `true` if a file of rules exists; a directory has none. `name` is that for messages.
///
/// # Errors
/// It is no regular file, so that reading might not end, or is too large.
fn exists(path: &Path, name: impl Display) -> io::Result<bool> {
    let Some(file) = path.metadata().ok().filter(|found| !found.is_dir()) else {
        return Ok(false);
    };
    let Some(unfit) = describe_unfit(file.is_file(), file.len(), LARGEST) else { return Ok(true) };
    let message = format!("{name} {unfit} (--no-ignore reads the directory without it)");
    Err(io::Error::other(message))
}

/// Checks the files with rules in a directory, before a library reads them whole.
///
/// # Errors
/// One of them is no regular file, so that reading might not end, or is too large.
pub(super) fn check_rules(directory: &Path) -> io::Result<()> {
    for name in [IGNORE, GIT_IGNORE] {
        exists(&directory.join(name), format_args!("its {name}"))?;
    }
    own_excludes(directory).map_or(Ok(()), |path| exists(&path, "its .git/info/exclude").map(drop))
}

/// Checks the files with rules in the directories around one, all of which the library reads.
///
/// # Errors
/// As for [`check_rules`].
fn check_outer_rules(directory: &Path) -> io::Result<()> {
    for outer in directory.ancestors().skip(1) {
        for path in [IGNORE, GIT_IGNORE].map(|name| outer.join(name)) {
            exists(&path, safe(from_current_directory(&path)))?;
        }
    }
    Ok(())
}
