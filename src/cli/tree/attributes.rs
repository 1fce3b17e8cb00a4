//! Attributes of files, as .gitattributes gives them: the encoding in the work tree, and the mark of
//! binary files. See gitattributes(5).

use std::collections::HashMap;
use std::error::Error;
use std::ffi::{CStr, OsStr};
use std::fmt;
use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::git_config::{GitConfig, common_directory, open_of_user};
use super::pattern::{LARGEST, PatternSubject, base_of};
use crate::cli::config::Origin;
use crate::cli::paths::{from_current_directory, split};
use crate::cli::repository::{
    REPOSITORY, is_missing, is_missing_or_link, is_repository, read_rules, top_of,
};
use crate::cli::safe;
use crate::cli::session::variable;
use crate::lint::LineEnding;
use crate::os::calls;
use crate::os::directory::Directory;
use crate::registry::Encoding;
use file::{Assignment, AttributeFile, AttributeLine, AttributeState};

mod file;

/// The name of a file of attributes.
const FILE: &CStr = c".gitattributes";
const PATH: &str = ".gitattributes";

/// The attributes that decide how a file is read.
const ENCODING: &[u8] = b"working-tree-encoding";
const TEXT: &[u8] = b"text";
const LINE_END: &[u8] = b"eol";

/// The macro that git defines.
const BUILT_IN: &[u8] = b"[attr]binary -diff -merge -text";

/// The decisions of the attributes of a file.
#[derive(Debug, Default)]
pub(in crate::cli) struct FileAttributes {
    pub content: FileAttribute,
    /// The line that decides about the content.
    pub content_origin: Option<Origin>,
    /// True if the file is text whatever it contains: `text`.
    pub is_text: bool,
    /// The line ends of a text, and the line that asks for them.
    pub line_ending: Option<(LineEnding, Origin)>,
}

/// The decision of the attributes about the content of a file.
#[derive(Debug, Default)]
pub(in crate::cli) enum FileAttribute {
    /// Nothing is declared.
    #[default]
    None,
    /// Text in an encoding.
    Encoding(&'static Encoding),
    /// No text: `-text` or `binary`.
    Binary,
    /// A declared encoding that has no codec: the message.
    Unknown(String),
}

impl FileAttribute {
    /// Returns the encoding that is declared, if it has a codec.
    pub fn encoding(&self) -> Option<&'static Encoding> {
        match self {
            FileAttribute::Encoding(codec) => Some(codec),
            FileAttribute::None | FileAttribute::Binary | FileAttribute::Unknown(_) => None,
        }
    }

    /// Returns the decision if the encoding of the file is set in a stronger place.
    pub fn unless_set(self, encoding: Option<&'static Encoding>) -> FileAttribute {
        match (self, encoding) {
            (FileAttribute::Binary, _) => FileAttribute::Binary,
            (_, Some(codec)) if codec == Encoding::UTF_8 => FileAttribute::None,
            (_, Some(codec)) => FileAttribute::Encoding(codec),
            (attribute, None) => attribute,
        }
    }
}

/// The files of attributes that apply to all of a repository.
#[derive(Debug)]
struct RepositoryAttributes {
    /// .git/info/attributes, which has the last word.
    info: Option<AttributeFile>,
    /// Those of the user and the system.
    global: Vec<AttributeFile>,
    /// The macros of these files and of the top directory.
    macros: HashMap<Vec<u8>, Vec<Assignment>>,
}

/// The attributes that a directory has for the files in it.
#[derive(Clone, Debug)]
pub(super) struct DirectoryAttributes {
    repository: Arc<RepositoryAttributes>,
    /// The innermost file of attributes.
    level: Option<Arc<AttributeLevel>>,
    /// The path from the top of the repository.
    below_top: PathBuf,
}

/// A file of attributes in a directory of a repository, and those in the directories around it.
#[derive(Debug)]
struct AttributeLevel {
    file: AttributeFile,
    /// The length of the path from the top of the repository, with a slash at its end.
    base: usize,
    outer: Option<Arc<AttributeLevel>>,
}

impl DirectoryAttributes {
    /// Returns the attributes of a directory, from the top of its repository on. Outside of a
    /// repository, those of its parents do not count.
    ///
    /// # Errors
    /// Those of reading files of attributes.
    pub fn of(directory: &Path) -> io::Result<DirectoryAttributes> {
        let directory = directory.canonicalize()?;
        let top = top_of(&directory).unwrap_or(&directory);
        let mut path = top.to_owned();
        let mut found = DirectoryAttributes::of_top(top, read_at(path.join(PATH))?)?;
        for name in directory.strip_prefix(top).map_err(io::Error::other)? {
            path.push(name);
            found = found.below(name, read_at(path.join(PATH))?);
        }
        Ok(found)
    }

    /// Returns the attributes of the top directory of a repository, which has this file.
    fn of_top(top: &Path, file: Option<AttributeFile>) -> io::Result<DirectoryAttributes> {
        let info = match common_directory(&top.join(REPOSITORY)) {
            Some(common) => read_at(common.join("info/attributes"))?,
            None => None,
        };
        let global = global_files(GitConfig::of_top(top).attributes)?;
        let built_in = AttributeFile::parse(PathBuf::new(), BUILT_IN)?;
        let files = info.iter().chain(&file).chain(&global).chain([&built_in]);
        let mut macros = HashMap::new();
        for (name, line) in files.flat_map(|file| file.macros.iter().rev()) {
            macros.entry(name.clone()).or_insert_with(|| line.assignments.clone());
        }
        let repository = Arc::new(RepositoryAttributes { info, global, macros });
        let around = DirectoryAttributes { repository, level: None, below_top: PathBuf::new() };
        Ok(around.with(file))
    }

    /// Returns the attributes of a directory in this one that is open. `path` is its path.
    /// `enters` says that it may be the top of another repository.
    ///
    /// # Errors
    /// Those of reading files of attributes.
    pub fn enter(
        &self,
        name: &OsStr,
        directory: &Directory,
        path: &Path,
        enters: bool,
    ) -> io::Result<DirectoryAttributes> {
        let file = match directory.open_file(FILE) {
            Ok(file) => read(file, path.join(PATH))?,
            // Like git, follow no link.
            Err(error) if is_missing_or_link(&error) => None,
            Err(error) => return Err(explained(&path.join(PATH), &error)),
        };
        match enters && is_repository(directory) {
            true => DirectoryAttributes::of_top(path, file),
            false => Ok(self.below(name, file)),
        }
    }

    /// Returns the attributes of a directory in this one, which has this file.
    fn below(&self, name: &OsStr, file: Option<AttributeFile>) -> DirectoryAttributes {
        let inner = DirectoryAttributes { below_top: self.below_top.join(name), ..self.clone() };
        inner.with(file)
    }

    /// Adds the file of the directory.
    fn with(mut self, file: Option<AttributeFile>) -> DirectoryAttributes {
        if let Some(file) = file {
            let base = base_of(&self.below_top);
            self.level = Some(Arc::new(AttributeLevel { file, base, outer: self.level.take() }));
        }
        self
    }

    /// Returns the decision for a file in the directory, by any path to it.
    pub fn of_file(&self, path: &Path) -> FileAttributes {
        let RepositoryAttributes { info, global, macros } = &*self.repository;
        if self.level.is_none() && info.is_none() && global.is_empty() {
            return FileAttributes::default();
        }
        let name = path.file_name().unwrap_or_default();
        let path = self.below_top.join(name);
        let name = name.as_bytes();
        let whole = PatternSubject { path: path.as_os_str().as_bytes(), name, is_dir: false };
        let mut states = AttributeStates { macros, known: HashMap::new() };
        if let Some(info) = info {
            states.add(info, whole);
        }
        let mut level = self.level.as_deref();
        while let Some(AttributeLevel { file, base, outer }) = level {
            states.add(file, PatternSubject { path: &whole.path[*base..], ..whole });
            level = outer.as_deref();
        }
        global.iter().for_each(|file| states.add(file, whole));
        let (content, origin) = states.content();
        let content_origin = origin.map(AttributeOrigin::to_origin);
        let is_text = matches!(states.known.get(TEXT), Some((AttributeState::Set, _)));
        FileAttributes { content, content_origin, is_text, line_ending: states.line_ending() }
    }
}

impl FileAttributes {
    /// Returns the attributes of a file; none if its directory does not exist.
    ///
    /// # Errors
    /// Those of reading files of attributes.
    pub fn of(path: &Path) -> io::Result<FileAttributes> {
        match DirectoryAttributes::of(split(path).0) {
            Ok(directory) => Ok(directory.of_file(path)),
            Err(error) if is_missing(&error) => Ok(FileAttributes::default()),
            Err(error) => Err(error),
        }
    }
}

/// The states of the attributes of a file, from the strongest line to the weakest.
struct AttributeStates<'a> {
    macros: &'a HashMap<Vec<u8>, Vec<Assignment>>,
    /// The state of each attribute, and the line that gives it.
    known: HashMap<&'a [u8], (&'a AttributeState, AttributeOrigin<'a>)>,
}

/// A line of a file of attributes.
#[derive(Clone, Copy)]
struct AttributeOrigin<'a> {
    path: &'a Path,
    line: usize,
}

impl AttributeOrigin<'_> {
    fn to_origin(self) -> Origin {
        Origin { path: self.path.into(), line: self.line }
    }
}

impl<'a> AttributeStates<'a> {
    /// Adds the lines of a file of attributes that match a path.
    fn add(&mut self, file: &'a AttributeFile, subject: PatternSubject<'_>) {
        for AttributeLine { number, assignments } in file.matching(subject) {
            self.assign(assignments, AttributeOrigin { path: &file.path, line: *number });
        }
    }

    /// Adds the assignments of a line and those of its macros, the last first.
    fn assign(&mut self, assignments: &'a [Assignment], origin: AttributeOrigin<'a>) {
        // Macros may lead to others, as deep as there are lines.
        let mut lists = vec![assignments.iter().rev()];
        while let Some(list) = lists.last_mut() {
            let Some(Assignment { name, state }) = list.next() else {
                lists.pop();
                continue;
            };
            if self.known.contains_key(name.as_slice()) {
                continue;
            }
            self.known.insert(name, (state, origin));
            if let (AttributeState::Set, Some(inner)) = (state, self.macros.get(name)) {
                lists.push(inner.iter().rev());
            }
        }
    }

    /// Returns the line ends that git writes to the work tree.
    fn line_ending(&self) -> Option<(LineEnding, Origin)> {
        let (AttributeState::Value(value), origin) = self.known.get(LINE_END)? else {
            return None;
        };
        let end = match value.as_slice() {
            b"lf" => LineEnding::Lf,
            b"crlf" => LineEnding::CrLf,
            _ => return None,
        };
        Some((end, origin.to_origin()))
    }

    /// Returns the decision about the content, and the line that makes it.
    fn content(&self) -> (FileAttribute, Option<AttributeOrigin<'a>>) {
        if let Some((AttributeState::Value(label), origin)) = self.known.get(ENCODING)
            && !label.is_empty()
        {
            return (declared(label, *origin), Some(*origin));
        }
        match self.known.get(TEXT) {
            Some((AttributeState::Unset, origin)) => (FileAttribute::Binary, Some(*origin)),
            _ => (FileAttribute::None, None),
        }
    }
}

/// Returns the decision of a declared encoding.
fn declared(label: &[u8], origin: AttributeOrigin<'_>) -> FileAttribute {
    let label = String::from_utf8_lossy(label);
    match Encoding::for_label(&label) {
        Some(codec) if codec == Encoding::UTF_8 => FileAttribute::None,
        Some(codec) => FileAttribute::Encoding(codec),
        None => FileAttribute::Unknown(format!(
            "{}:{}: working-tree-encoding={}: unknown encoding (utf8 --list-codecs lists those \
             that are known)",
            safe(origin.path),
            origin.line,
            safe(&*label)
        )),
    }
}

/// Reads a file of attributes, if it exists.
fn read_at(path: PathBuf) -> io::Result<Option<AttributeFile>> {
    if !path.symlink_metadata().is_ok_and(|found| found.is_file()) {
        return Ok(None);
    }
    // Another file may have the name by now: a link is not followed, and a FIFO not waited for.
    let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK;
    match OpenOptions::new().read(true).custom_flags(flags).open(&path) {
        Ok(file) => read(file, path),
        Err(error) if is_missing_or_link(&error) => Ok(None),
        Err(error) => Err(explained(&path, &error)),
    }
}

/// Reads a file of attributes that is open, if it is regular.
fn read(file: File, path: PathBuf) -> io::Result<Option<AttributeFile>> {
    if !file.metadata()?.is_file() {
        return Ok(None);
    }
    let text = read_rules(file, LARGEST).map_err(|error| explained(&path, &error))?;
    let file = AttributeFile::parse(from_current_directory(&path), &text);
    let file = file.map_err(|error| explained(&path, &error))?;
    Ok(Some(file).filter(|file| !file.is_empty()))
}

fn explained(path: &Path, error: &io::Error) -> io::Error {
    io::Error::other(AttributeFileError {
        path: from_current_directory(path),
        message: calls::error_text(error),
    })
}

/// The error of a file of attributes, which concerns every file in its directory.
#[derive(Debug)]
struct AttributeFileError {
    path: PathBuf,
    message: String,
}

impl fmt::Display for AttributeFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; the files in its directory are not read", self.message)
    }
}

impl Error for AttributeFileError {}

/// Returns the file of attributes that an error is about, if there is one.
pub(in crate::cli) fn file_at_fault(error: &io::Error) -> Option<&Path> {
    error.get_ref()?.downcast_ref::<AttributeFileError>().map(|error| &*error.path)
}

/// Reads the attributes of the user, whose file `user` is, and of the system, the strongest first.
fn global_files(user: Option<PathBuf>) -> io::Result<Vec<AttributeFile>> {
    let leaves_system = variable("GIT_ATTR_NOSYSTEM").is_some();
    let system = (!leaves_system).then(|| "/etc/gitattributes".into());
    let files = user.into_iter().chain(system).map(|path: PathBuf| {
        let opened = open_of_user(&path).map_err(|error| explained(&path, &error))?;
        opened.map_or(Ok(None), |file| read(file, path))
    });
    files.filter_map(io::Result::transpose).collect()
}
