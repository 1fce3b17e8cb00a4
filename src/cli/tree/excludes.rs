//! The rules that exclude files: .ignore, .gitignore, `.git/info/exclude`, and the file that the
//! settings of git name, `core.excludesFile`. See gitignore(5).

use std::ffi::{CStr, OsStr};
use std::fmt::Display;
use std::fs::File;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::git_config::{GitConfig, common_directory, open_of_user};
use super::pattern::{
    GitPattern, LARGEST, MOST_PATTERNS, PatternSubject, base_of, lines, too_many_patterns,
};
use crate::cli::paths::from_current_directory;
use crate::cli::repository::{
    REPOSITORY, is_missing, is_missing_or_link, is_repository, open_rules, read_rules, top_of,
};
use crate::cli::safe;
use crate::os::calls;
use crate::os::directory::Directory;

/// The files with rules that a directory may have. Those of git count up to the top of a repository.
const IGNORE: &CStr = c".ignore";
const GIT_IGNORE: &CStr = c".gitignore";

/// The longest pattern, in bytes. No path that git matches is longer.
const LONGEST_PATTERN: usize = 4 << 10;

/// The patterns of a file, each with `true` if it includes the entries that it matches.
#[derive(Debug)]
struct ExcludeFile(Vec<(GitPattern, bool)>);

/// The excludes that apply to all of a repository.
#[derive(Debug)]
struct RepositoryExcludes {
    /// The length of the path of the top directory, with a slash at its end.
    base: usize,
    /// `.git/info/exclude`, then the file of the user.
    files: Vec<ExcludeFile>,
}

/// A file of excludes in a directory, and those in the directories around it.
#[derive(Debug)]
struct ExcludeLevel {
    file: ExcludeFile,
    /// The length of the path of the directory, with a slash at its end.
    base: usize,
    outer: Option<Arc<ExcludeLevel>>,
}

/// The excludes that a directory has for the entries in it.
#[derive(Clone, Debug)]
pub(super) struct DirectoryExcludes {
    /// The absolute path of the directory, without symbolic links.
    path: PathBuf,
    /// The innermost .ignore.
    general: Option<Arc<ExcludeLevel>>,
    /// The innermost .gitignore of its repository. In no repository, all count.
    of_git: Option<Arc<ExcludeLevel>>,
    repository: Arc<RepositoryExcludes>,
}

impl DirectoryExcludes {
    /// Returns the excludes of an open directory, by any path to it.
    ///
    /// # Errors
    /// Those of reading the files with rules in it, around it and of its repository.
    pub fn of(directory: &Path, open: &Directory) -> io::Result<DirectoryExcludes> {
        let path = directory.canonicalize()?;
        let top = top_of(&path);
        let repository = RepositoryExcludes::of_top(top.unwrap_or(&path), &path)?;
        let around = DirectoryExcludes {
            path: PathBuf::new(),
            general: None,
            of_git: None,
            repository: Arc::new(repository),
        };
        let outer: Vec<_> = path.ancestors().skip(1).collect();
        let found = outer.into_iter().rev().try_fold(around, |found, outer| {
            let read = |name: &CStr| {
                let path = outer.join(OsStr::from_bytes(name.to_bytes()));
                let opened = match name == GIT_IGNORE && path.is_symlink() {
                    true => Ok(None),
                    false => open_outer(&path),
                };
                read(safe(from_current_directory(&path)), opened)
            };
            let is_inside = top.is_none_or(|top| outer.starts_with(top));
            let of_git = if is_inside { read(GIT_IGNORE)? } else { None };
            Ok::<_, io::Error>(found.at(outer.to_owned()).with(read(IGNORE)?, of_git))
        })?;
        found.at(path).with_own(open)
    }

    /// Returns the excludes of a directory in this one that is open. `enters` says that it may be
    /// the top of another repository.
    ///
    /// # Errors
    /// As for [`DirectoryExcludes::of`].
    pub fn enter(
        &self,
        name: &OsStr,
        open: &Directory,
        enters: bool,
    ) -> io::Result<DirectoryExcludes> {
        let mut inner = self.clone().at(self.path.join(name));
        if enters && is_repository(open) {
            inner.of_git = None;
            inner.repository = Arc::new(RepositoryExcludes::of_top(&inner.path, &inner.path)?);
        }
        inner.with_own(open)
    }

    /// Returns these excludes for the entries of a directory below.
    fn at(self, path: PathBuf) -> DirectoryExcludes {
        DirectoryExcludes { path, ..self }
    }

    /// Adds the files of the directory, which is open. A link to a .gitignore is not followed, as git
    /// has it.
    fn with_own(self, open: &Directory) -> io::Result<DirectoryExcludes> {
        let read = |name: &CStr, opened: io::Result<File>, is_none: fn(&io::Error) -> bool| {
            let file = match opened {
                Err(error) if is_none(&error) => Ok(None),
                file => file.map(Some),
            };
            read(format_args!("its {}", name.to_string_lossy()), file)
        };
        let general = read(IGNORE, open.open_file_following(IGNORE), is_missing)?;
        let of_git = read(GIT_IGNORE, open.open_file(GIT_IGNORE), is_missing_or_link)?;
        Ok(self.with(general, of_git))
    }

    /// Adds the files of the directory.
    fn with(
        mut self,
        general: Option<ExcludeFile>,
        of_git: Option<ExcludeFile>,
    ) -> DirectoryExcludes {
        let base = base_of(&self.path);
        for (file, level) in [(general, &mut self.general), (of_git, &mut self.of_git)] {
            if let Some(file) = file {
                *level = Some(Arc::new(ExcludeLevel { file, base, outer: level.take() }));
            }
        }
        self
    }

    /// Returns `true` if the rules exclude an entry of the directory.
    pub fn excludes(&self, name: &OsStr, is_dir: bool) -> bool {
        let DirectoryExcludes { path, general, of_git, repository } = self;
        if general.is_none() && of_git.is_none() && repository.files.is_empty() {
            return false;
        }
        let path = path.join(name);
        let (path, name) = (path.as_os_str().as_bytes(), name.as_bytes());
        let below = |base: usize| PatternSubject { path: &path[base..], name, is_dir };
        let levels = [general, of_git].into_iter().flat_map(|innermost| {
            std::iter::successors(innermost.as_deref(), |level| level.outer.as_deref())
        });
        let files = levels.map(|level| (&level.file, level.base));
        let files = files.chain(repository.files.iter().map(|file| (file, repository.base)));
        // The innermost file that matches decides.
        let mut verdicts = files.filter_map(|(file, base)| file.verdict(below(base)));
        verdicts.next().unwrap_or(false)
    }
}

impl RepositoryExcludes {
    /// Reads the excludes of a repository, by its top directory. `directory` is the one that they
    /// are read for.
    fn of_top(top: &Path, directory: &Path) -> io::Result<RepositoryExcludes> {
        let own = match common_directory(&top.join(REPOSITORY)) {
            Some(common) => {
                let path = common.join("info/exclude");
                match top == directory {
                    true => read("its .git/info/exclude", open_outer(&path))?,
                    false => read(safe(from_current_directory(&path)), open_outer(&path))?,
                }
            }
            None => None,
        };
        let of_user = match GitConfig::of_top(top).excludes {
            Some(path) => {
                let name = format_args!("core.excludesFile of git, {},", safe(&path));
                read(name, open_of_user(&path))?
            }
            None => None,
        };
        let files = own.into_iter().chain(of_user).collect();
        Ok(RepositoryExcludes { base: base_of(top), files })
    }
}

impl ExcludeFile {
    /// Parses a file.
    ///
    /// # Errors
    /// It has too many patterns, or one that is too long.
    fn parse(text: &[u8]) -> io::Result<ExcludeFile> {
        let mut patterns = Vec::new();
        for (number, line) in lines(text).filter(|(_, line)| !line.starts_with(b"#")) {
            let line = trim_spaces(line);
            let (text, includes) = match line.strip_prefix(b"!") {
                Some(text) => (text, true),
                None => (line, false),
            };
            if text.len() > LONGEST_PATTERN {
                let message =
                    format!("has a pattern of more than {LONGEST_PATTERN} bytes in line {number}");
                return Err(io::Error::other(message));
            }
            let pattern = GitPattern::parse(text);
            if !pattern.is_empty() {
                patterns.push((pattern, includes));
            }
            if patterns.len() > MOST_PATTERNS {
                return Err(too_many_patterns());
            }
        }
        Ok(ExcludeFile(patterns))
    }

    /// Returns `true` if the file excludes an entry, `false` if it includes it; `None` if no pattern
    /// matches.
    fn verdict(&self, entry: PatternSubject<'_>) -> Option<bool> {
        let mut patterns = self.0.iter().rev();
        patterns.find(|(pattern, _)| pattern.matches(entry)).map(|(_, includes)| !includes)
    }
}

/// Removes the spaces at the end of a line, except for one after a backslash.
fn trim_spaces(line: &[u8]) -> &[u8] {
    let spaces = trailing(line, b' ');
    let text = line.len() - spaces;
    let is_escaped = spaces > 0 && trailing(&line[..text], b'\\') % 2 == 1;
    &line[..text + usize::from(is_escaped)]
}

/// Returns the number of equal bytes at the end of a text.
fn trailing(text: &[u8], byte: u8) -> usize {
    text.iter().rev().take_while(|&&other| other == byte).count()
}

/// Opens a file of rules outside of the directory that is walked. Returns `None` if it is missing.
///
/// # Errors
/// Those of opening, except where its directory is not accessible.
fn open_outer(path: &Path) -> io::Result<Option<File>> {
    match open_rules(path) {
        Err(_) if path.symlink_metadata().is_err() => Ok(None),
        opened => opened,
    }
}

/// Reads a file of rules that was opened; a directory has none. `name` is that for messages.
///
/// # Errors
/// Those of opening and reading; it is no regular file, so that reading might not end, or is too
/// large.
fn read(name: impl Display, opened: io::Result<Option<File>>) -> io::Result<Option<ExcludeFile>> {
    let read = |file: File| match file.metadata()?.is_dir() {
        true => Ok(None),
        false => ExcludeFile::parse(&read_rules(file, LARGEST)?).map(Some),
    };
    let file = opened.and_then(|file| file.map_or(Ok(None), read)).map_err(|error| {
        let message = calls::error_text(&error);
        // Errors of the system are no predicates.
        let colon = if error.raw_os_error().is_some() { ":" } else { "" };
        io::Error::other(format!(
            "{name}{colon} {message} (--no-ignore reads the directory without it)"
        ))
    })?;
    Ok(file.filter(|ExcludeFile(patterns)| !patterns.is_empty()))
}
