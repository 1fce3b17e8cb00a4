//! The files that git tracks in a directory.

use std::env;
use std::ffi::{OsStr, OsString};
use std::io::{self, BufRead, BufReader, Read};
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::thread::{self, JoinHandle};

use crate::cli::prose::quoted;
use crate::cli::safe;
use crate::os::calls;

/// The limit of an entry of the list, in bytes; no system has longer names.
const LONGEST_ENTRY: u64 = 64 << 10;

/// The number of bytes of git's messages that are kept.
const LONGEST_MESSAGE: u64 = 4 << 10;

/// Settings that keep git from running programs that the configuration of a hostile repository
/// names: monitors of the file system, hooks, and transports that fetch missing objects.
const SETTINGS: [&str; 4] = [
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "protocol.allow=never",
    "safe.bareRepository=explicit",
];

/// Variables of git that are paths, relative to the current directory.
const PATHS: [&str; 4] = ["GIT_DIR", "GIT_COMMON_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"];

/// The kind of a tracked entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TrackedKind {
    File,
    /// A symbolic link.
    Link,
    /// The commit of a submodule.
    Submodule,
}

/// The entries that git tracks in a directory, by their paths from it, in the order of git.
#[derive(Debug)]
pub(super) struct TrackedFiles {
    directory: PathBuf,
    /// The lists of the directory and of repositories in it that are being read, outermost first, each
    /// with the path of its directory.
    lists: Vec<(PathBuf, GitProcess)>,
    /// The last path: an unmerged file has several entries.
    last: PathBuf,
    is_started: bool,
    is_done: bool,
}

/// The number of repositories within each other that are entered.
const MOST_NESTED: usize = 32;

impl TrackedFiles {
    /// Returns the entries in a directory. The first entry starts git.
    pub fn new(directory: &Path) -> TrackedFiles {
        let (directory, last) = (directory.to_owned(), PathBuf::new());
        TrackedFiles { directory, lists: Vec::new(), last, is_started: false, is_done: false }
    }

    /// Continues with the entries of the repository at the last path. Returns `false` if it is
    /// within too many others.
    ///
    /// # Errors
    /// git does not start.
    pub fn enter(&mut self) -> io::Result<bool> {
        let is_entered = self.lists.len() < MOST_NESTED;
        if is_entered {
            let git = GitProcess::start(&self.directory.join(&self.last), true)?;
            self.lists.push((self.last.clone(), git));
        }
        Ok(is_entered)
    }

    fn read(&mut self) -> io::Result<Option<(PathBuf, TrackedKind)>> {
        if !std::mem::replace(&mut self.is_started, true) {
            self.lists.push((PathBuf::new(), GitProcess::start(&self.directory, false)?));
        }
        loop {
            let Some((base, git)) = self.lists.last_mut() else { return Ok(None) };
            let Some((mode, path)) = git.read_entry()? else {
                let ended = git.finish();
                let directory = self.directory.join(base);
                self.lists.pop();
                ended.map_err(|message| io::Error::other(explain(&message, &directory)))?;
                continue;
            };
            let path = base.join(path);
            if path == self.last {
                continue;
            }
            let kind = match mode.get(..3) {
                Some(b"100") => TrackedKind::File,
                Some(b"120") => TrackedKind::Link,
                Some(b"160") => TrackedKind::Submodule,
                _ => return Err(unexpected()),
            };
            self.last.clone_from(&path);
            return Ok(Some((path, kind)));
        }
    }
}

impl Iterator for TrackedFiles {
    type Item = io::Result<(PathBuf, TrackedKind)>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_done {
            return None;
        }
        let entry = self.read();
        self.is_done = !matches!(entry, Ok(Some(_)));
        entry.transpose()
    }
}

/// `git ls-files`, running. Dropping it ends it.
#[derive(Debug)]
struct GitProcess {
    child: Child,
    entries: BufReader<ChildStdout>,
    messages: Option<JoinHandle<Vec<u8>>>,
}

impl GitProcess {
    /// Starts git in a directory. `is_nested` says that it is a repository in another.
    fn start(directory: &Path, is_nested: bool) -> io::Result<GitProcess> {
        let mut command = Command::new("git");
        for setting in SETTINGS {
            command.args(["-c", setting]);
        }
        command.arg("-C").arg(directory).args(["ls-files", "-z", "--cached", "--stage"]);
        match is_nested {
            true => forget_paths(&mut command, directory)?,
            false => set_paths(&mut command)?,
        }
        set_environment(&mut command);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => io::Error::other(
                "--tracked needs git, which is not in PATH (without --tracked, .gitignore decides)",
            ),
            _ => io::Error::other(format!("git does not start: {}", calls::error_text(&error))),
        })?;
        let (Some(entries), Some(messages)) = (child.stdout.take(), child.stderr.take()) else {
            return Err(unexpected());
        };
        let keep = move || {
            let (mut kept, mut messages) = (Vec::new(), messages);
            // A message that cannot be read is lost. More than enough is discarded, so that git
            // does not wait.
            let _ = messages.by_ref().take(LONGEST_MESSAGE).read_to_end(&mut kept);
            let _ = io::copy(&mut messages, &mut io::sink());
            kept
        };
        let messages = thread::Builder::new().spawn(keep).ok();
        Ok(GitProcess { child, entries: BufReader::new(entries), messages })
    }

    /// Returns the next mode and path; `None` at the end.
    fn read_entry(&mut self) -> io::Result<Option<(Vec<u8>, OsString)>> {
        let mut entry = Vec::new();
        if self.entries.by_ref().take(LONGEST_ENTRY).read_until(0, &mut entry)? == 0 {
            return Ok(None);
        }
        // MODE OBJECT STAGE, a tab, the path and NUL.
        let tab = memchr::memchr(b'\t', &entry).ok_or_else(unexpected)?;
        if entry.pop() != Some(0) {
            return Err(unexpected());
        }
        let path = entry.split_off(tab + 1);
        Ok(Some((entry, OsString::from_vec(path))))
    }

    /// Waits for the end of git.
    ///
    /// # Errors
    /// git failed: its messages.
    fn finish(&mut self) -> Result<(), Vec<u8>> {
        let status = self.child.wait();
        let messages = self.messages.take().and_then(|messages| messages.join().ok());
        match status {
            Ok(status) if status.success() => Ok(()),
            _ => Err(messages.unwrap_or_default()),
        }
    }
}

impl Drop for GitProcess {
    fn drop(&mut self) {
        // It may have ended before.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Sets the variables of git: no locks, no fetches, and messages in English.
fn set_environment(command: &mut Command) {
    command
        .env("GIT_OPTIONAL_LOCKS", "0")
        .env("GIT_NO_LAZY_FETCH", "1")
        .env("GIT_ALLOW_PROTOCOL", "none")
        .env("GIT_TERMINAL_PROMPT", "0")
        .env("LC_ALL", "C");
}

/// Removes the paths of an outer repository, which git does not look for either.
fn forget_paths(command: &mut Command, directory: &Path) -> io::Result<()> {
    let directory = directory.canonicalize()?;
    command.env("GIT_CEILING_DIRECTORIES", directory.parent().unwrap_or(&directory));
    for path in PATHS {
        command.env_remove(path);
    }
    Ok(())
}

/// Sets the paths of a repository, so that they do not depend on the directory in which git runs.
fn set_paths(command: &mut Command) -> io::Result<()> {
    let here = env::current_dir()?;
    for (name, path) in PATHS.iter().filter_map(|name| Some((name, env::var_os(name)?))) {
        command.env(name, here.join(path));
    }
    // As git has it: the work tree is then the current directory, as hooks expect.
    if env::var_os("GIT_DIR").is_some() && env::var_os("GIT_WORK_TREE").is_none() {
        command.env("GIT_WORK_TREE", here);
    }
    Ok(())
}

/// Returns the error for malformed output of `git ls-files`.
fn unexpected() -> io::Error {
    io::Error::other("unexpected output of git ls-files")
}

/// Describes a failure of git by its messages.
fn explain(messages: &[u8], directory: &Path) -> String {
    let text = String::from_utf8_lossy(messages);
    if text.contains("not a git repository") {
        return "is in no git repository (leave out --tracked, or run git init)".to_owned();
    }
    if text.contains("dubious ownership") {
        let directory = directory.canonicalize().unwrap_or_else(|_| directory.to_owned());
        return format!(
            "git refuses a repository of another user (git config --global --add safe.directory {})",
            quoted(directory.as_os_str())
        );
    }
    if text.contains("must be run in a work tree") || text.contains("bare repository") {
        return "is in no work tree of git (leave out --tracked)".to_owned();
    }
    let first = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("no message");
    format!("git ls-files failed: {}", safe(OsStr::new(first)))
}
