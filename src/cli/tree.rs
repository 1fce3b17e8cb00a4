//! Directories: the files in them that a command reads.

use std::ffi::{CString, OsStr, OsString};
use std::fs::{File, Metadata};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileExt;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use clap::{ArgAction, Args};
use ignore::overrides::{Override, OverrideBuilder};
use ignore::types::{Types, TypesBuilder};
use ignore::{DirEntry, WalkBuilder};

use super::args::size;
use super::inputs::is_the_output;
use super::prose::{any_of, counted, grouped};
use super::session::Session;
use crate::os::directory::Directory;

/// The directory of a repository's own data, which holds no text of the project.
const REPOSITORY: &str = ".git";

/// The number of bytes at the start of a file in which NUL marks it as binary, as for git.
const BINARY_START: usize = 8000;

/// The help of FILE in commands that walk directories.
pub(super) const FILES_HELP: &str = "Files and directories to read; none or - is standard input";

/// Options that select files in directories.
#[derive(Args, Clone, Debug)]
pub(super) struct TreeArgs {
    /// Accepted and without effect: these commands always walk directories
    #[arg(short, long, help_heading = "Directories", hide = true)]
    recursive: bool,

    /// Read files that .gitignore and .ignore exclude, too
    ///
    /// Without it, the rules of .gitignore, .ignore, .git/info/exclude and git's global excludes
    /// hold, in a repository or not. Hidden files are read, .git is not.
    #[arg(long, help_heading = "Directories", hide_short_help = true)]
    no_ignore: bool,

    /// Read only files that match GLOB; !GLOB excludes
    ///
    /// As in .gitignore, relative to the current directory; the last match decides.
    #[arg(short, long, value_name = "GLOB", help_heading = "Directories", action = ArgAction::Append)]
    glob: Vec<String>,

    /// Leave out files and directories that match GLOB
    #[arg(long, value_name = "GLOB", help_heading = "Directories", action = ArgAction::Append)]
    exclude: Vec<String>,

    /// Read only files of this type, by their names: c, py, md, ...
    ///
    /// The types are those of ripgrep (rg --type-list).
    #[arg(long = "type", value_name = "TYPE", help_heading = "Directories", action = ArgAction::Append, hide_short_help = true)]
    types: Vec<String>,

    /// Leave out files that are larger
    #[arg(long, value_name = "BYTES", help_heading = "Directories", value_parser = size, hide_short_help = true)]
    max_filesize: Option<u64>,

    /// Apply these options to files that are named, too
    ///
    /// For hooks that pass the names of changed files: --glob, --exclude, --type and --max-filesize
    /// hold, and binary files are left out. Names are not looked up in .gitignore.
    #[arg(long, help_heading = "Directories", hide_short_help = true)]
    force_exclude: bool,

    /// Read binary files in directories, too
    ///
    /// A file is binary if its first 8,000 bytes contain NUL, unless it starts with the BOM of
    /// UTF-16 or UTF-32, or --from names such an encoding.
    #[arg(long, help_heading = "Directories", hide_short_help = true)]
    binary: bool,
}

/// The rules that [`TreeArgs`] ask for, compiled.
#[derive(Clone, Debug)]
pub(super) struct TreeRules {
    no_ignore: bool,
    globs: Override,
    types: Types,
    max_filesize: Option<u64>,
    /// True to leave out binary files.
    text_only: bool,
    /// True to apply the rules to files that are named.
    force_exclude: bool,
    /// True if options select files by their names.
    pub selects: bool,
}

impl TreeRules {
    /// Returns `true` if a file that was named is left out.
    pub fn exclude(&self, path: &Path) -> bool {
        if !self.force_exclude {
            return false;
        }
        let path = path.strip_prefix("./").unwrap_or(path);
        let mut ancestors = path.ancestors().skip(1).filter(|path| !path.as_os_str().is_empty());
        let metadata = path.metadata().ok().filter(Metadata::is_file);
        let is_large = |most| metadata.as_ref().is_some_and(|metadata| metadata.len() > most);
        let is_binary = || File::open(path).is_ok_and(|file| is_binary(&file).unwrap_or(false));
        self.globs.matched(path, false).is_ignore()
            || ancestors.any(|path| self.globs.matched(path, true).is_ignore())
            || self.types.matched(path, false).is_ignore()
            || self.max_filesize.is_some_and(is_large)
            || self.text_only && metadata.is_some() && is_binary()
    }
}

impl TreeArgs {
    /// Compiles the rules. `wide` says that the encoding to read has units of several bytes, which
    /// contain NUL.
    ///
    /// # Errors
    /// A glob is malformed, or a type is unknown.
    pub fn rules(&self, wide: bool) -> anyhow::Result<TreeRules> {
        let unusable = |glob: &&String| glob.is_empty() || glob.starts_with("./");
        if let Some(glob) = self.glob.iter().chain(&self.exclude).find(unusable) {
            anyhow::bail!(
                "'{glob}' matches nothing (globs are relative, as in .gitignore: vendor/)"
            );
        }
        let mut globs = OverrideBuilder::new(".");
        for glob in &self.glob {
            globs.add(glob).map_err(|error| explained("--glob", glob, &error))?;
        }
        for glob in &self.exclude {
            let inverse = format!("!{glob}");
            globs.add(&inverse).map_err(|error| explained("--exclude", glob, &error))?;
        }
        let mut types = TypesBuilder::new();
        if !self.types.is_empty() {
            types.add_defaults();
        }
        for name in &self.types {
            let known = types.definitions();
            if name != "all" && !known.iter().any(|known| known.name() == name) {
                let start = name.get(..1).unwrap_or_default();
                let near = known.iter().map(|known| known.name());
                let near: Vec<_> = near.filter(|known| known.starts_with(start)).take(8).collect();
                let near = if near.is_empty() { "c, md, py, ..." } else { &any_of(&near) };
                anyhow::bail!("--type {}: unknown type (similar: {near})", super::safe(name));
            }
            types.select(name);
        }
        Ok(TreeRules {
            no_ignore: self.no_ignore,
            globs: globs.build()?,
            types: types.build()?,
            max_filesize: self.max_filesize,
            text_only: !(self.binary || wide),
            force_exclude: self.force_exclude,
            selects: !(self.glob.is_empty() && self.exclude.is_empty() && self.types.is_empty()),
        })
    }
}

fn explained(option: &str, glob: &str, error: &ignore::Error) -> anyhow::Error {
    anyhow::anyhow!("{option} {}: {}", super::safe(glob), super::safe(error.to_string()))
}

/// The numbers of files of a directory that was named.
#[derive(Debug, Default)]
pub(super) struct TreeCounts {
    /// The files that were offered, of which some are then found to be binary.
    pub files: AtomicU64,
    pub binary: AtomicU64,
    pub large: AtomicU64,
    /// The directories and files that could not be read.
    failed: AtomicU64,
    /// Symbolic links, devices, FIFOs and sockets.
    pub special: AtomicU64,
}

/// Adds one to a counter.
pub(super) fn count(counter: &AtomicU64) {
    counter.fetch_add(1, Ordering::Relaxed);
}

/// Returns the value of a counter.
pub(super) fn value(counter: &AtomicU64) -> u64 {
    counter.load(Ordering::Relaxed)
}

impl TreeCounts {
    /// Returns the number of files that were examined.
    pub fn examined(&self) -> u64 {
        value(&self.files) - value(&self.binary)
    }

    /// Adds the numbers of another directory.
    pub fn add(&self, other: &TreeCounts) {
        for (to, from) in [
            (&self.files, &other.files),
            (&self.binary, &other.binary),
            (&self.large, &other.large),
            (&self.special, &other.special),
        ] {
            to.fetch_add(value(from), Ordering::Relaxed);
        }
    }

    /// Returns the numbers of files that were left out: `; skipped: 2 binary files`. Returns an empty
    /// text if there are none.
    pub fn skipped(&self) -> String {
        let special = value(&self.special);
        let parts = [
            (value(&self.binary), counted(value(&self.binary), "binary file")),
            (value(&self.large), counted(value(&self.large), "large file")),
            (special, format!("{} that are no regular files", grouped(special))),
        ];
        let parts: Vec<_> =
            parts.into_iter().filter(|(number, _)| *number > 0).map(|(_, part)| part).collect();
        if parts.is_empty() { String::new() } else { format!("; skipped: {}", parts.join(", ")) }
    }
}

/// Reports the directories in which no file was examined.
/// `selects` says that options select the files.
pub(super) fn report_empty(
    session: &mut Session,
    trees: &[(PathBuf, Arc<TreeCounts>)],
    selects: bool,
) {
    let is_empty = |counts: &TreeCounts| counts.examined() == 0 && value(&counts.failed) == 0;
    for (root, counts) in trees.iter().filter(|(_, counts)| is_empty(counts)) {
        let advice = match (value(&counts.binary), value(&counts.large)) {
            (0, 0) if selects => "--glob, --exclude or --type leave out the others",
            (0, 0) => "--no-ignore reads files that .gitignore excludes",
            (0, _) => "raise --max-filesize",
            _ => "--binary reads binary files",
        };
        let name = session.name(root.as_os_str());
        let message = format!("no file to check{} ({advice})", counts.skipped());
        session.report_error(&name, &message);
    }
}

/// A file in a directory that was named.
#[derive(Debug)]
pub(super) struct TreeFile {
    /// The path for messages.
    pub path: PathBuf,
    directory: Directory,
    name: CString,
    text_only: bool,
    pub counts: Arc<TreeCounts>,
}

impl TreeFile {
    /// Opens the file in its directory; follows no link. Returns `None` for one that is left out: a
    /// binary one, and the output of this run.
    ///
    /// # Errors
    /// Those of opening and reading it; it is no regular file any more.
    pub fn open(&self) -> io::Result<Option<Arc<File>>> {
        let file =
            self.directory.open_file(&self.name).map_err(|error| match error.raw_os_error() {
                Some(libc::ELOOP) => io::Error::other("has become a symbolic link during the run"),
                _ => error,
            })?;
        if !file.metadata()?.is_file() {
            return Err(io::Error::other("is no regular file any more"));
        }
        if is_the_output(&file) {
            self.counts.files.fetch_sub(1, Ordering::Relaxed);
            return Ok(None);
        }
        if self.text_only && is_binary(&file)? {
            count(&self.counts.binary);
            return Ok(None);
        }
        Ok(Some(Arc::new(file)))
    }
}

/// Returns `true` if the start of a file contains NUL without a BOM of UTF-16 or UTF-32. The
/// position of the file does not change.
fn is_binary(file: &File) -> io::Result<bool> {
    let mut start = [0; BINARY_START];
    let len = file.read_at(&mut start, 0)?;
    let wide: [&[u8]; 3] = [b"\xFF\xFE", b"\xFE\xFF", b"\0\0\xFE\xFF"];
    let start = &start[..len];
    Ok(memchr::memchr(0, start).is_some() && !wide.iter().any(|bom| start.starts_with(bom)))
}

/// The files of a directory, in the order of their names.
pub(super) struct Tree {
    /// The directory as it was named.
    pub root: PathBuf,
    pub counts: Arc<TreeCounts>,
    rules: TreeRules,
    walk: ignore::Walk,
    /// The open directories on the way to the last file, with their names. The first is the root.
    open: Vec<(OsString, Directory)>,
}

/// A directory or file that cannot be read, and the reason.
pub(super) type TreeError = (PathBuf, io::Error);

impl Tree {
    /// Returns the files of a directory, which is opened for the first of them.
    pub fn new(root: &Path, rules: TreeRules) -> Tree {
        let obeys = !rules.no_ignore;
        let walk = WalkBuilder::new(root)
            .hidden(false)
            .parents(obeys)
            .ignore(obeys)
            .git_ignore(obeys)
            .git_exclude(obeys)
            .git_global(obeys)
            .require_git(false)
            .overrides(rules.globs.clone())
            .types(rules.types.clone())
            .filter_entry(|entry| entry.depth() == 0 || entry.file_name() != REPOSITORY)
            .sort_by_file_name(OsStr::cmp)
            .build();
        Tree { root: root.to_owned(), counts: Arc::default(), rules, walk, open: Vec::new() }
    }

    /// Returns the file of an entry; `None` if the entry is none, or is left out.
    fn file(&mut self, entry: &DirEntry) -> io::Result<Option<TreeFile>> {
        let Some(kind) = entry.file_type().filter(|kind| !kind.is_dir()) else { return Ok(None) };
        if !kind.is_file() {
            count(&self.counts.special);
            return Ok(None);
        }
        if let Some(most) = self.rules.max_filesize
            && entry.metadata().map_err(as_io)?.len() > most
        {
            count(&self.counts.large);
            return Ok(None);
        }
        let directory = self.directory(entry.path())?.clone();
        count(&self.counts.files);
        Ok(Some(TreeFile {
            path: shown(entry.path()),
            directory,
            name: CString::new(entry.file_name().as_bytes())?,
            text_only: self.rules.text_only,
            counts: Arc::clone(&self.counts),
        }))
    }

    /// Opens the directory of a path, component by component from the root, and follows no link.
    fn directory(&mut self, path: &Path) -> io::Result<&Directory> {
        if self.open.is_empty() {
            let root = CString::new(self.root.as_os_str().as_bytes())?;
            let root = Directory::current()?.open_following(&root)?;
            self.open.push((OsString::new(), root));
        }
        let path = path.strip_prefix(&self.root).map_err(io::Error::other)?;
        let parents = path.parent().map(Path::components).into_iter().flatten();
        let mut depth = 1;
        for name in parents.map(Component::as_os_str) {
            if self.open.get(depth).is_none_or(|(open, _)| open != name) {
                self.open.truncate(depth);
                let (_, parent) = &self.open[depth - 1];
                let directory = parent.open(&CString::new(name.as_bytes())?)?;
                self.open.push((name.to_owned(), directory));
            }
            depth += 1;
        }
        Ok(&self.open[depth - 1].1)
    }
}

impl Iterator for Tree {
    type Item = Result<TreeFile, TreeError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.walk.next()? {
                Ok(entry) => match self.file(&entry) {
                    Ok(Some(file)) => return Some(Ok(file)),
                    Ok(None) => {}
                    Err(error) => {
                        count(&self.counts.failed);
                        return Some(Err((shown(entry.path()), error)));
                    }
                },
                Err(error) => {
                    count(&self.counts.failed);
                    let path = path_of(&error).map_or_else(|| self.root.clone(), shown);
                    return Some(Err((path, as_io(error))));
                }
            }
        }
    }
}

/// Returns a path without a leading `./`.
fn shown(path: &Path) -> PathBuf {
    path.strip_prefix("./").unwrap_or(path).to_owned()
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
