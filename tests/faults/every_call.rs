//! Runs of every command in which each system call fails in turn, or is the last one.

#![cfg(target_os = "linux")]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::common::bin::{Dir, raw, shell_of, with_default_signals};
use crate::common::each;
use crate::common::trace::{Call, calls, tracer};

/// A command and the files that it works on.
pub struct Work {
    pub args: &'static [&'static str],
    pub files: fn(&Dir),
}

#[rustfmt::skip]
pub const WORKS: [Work; 11] = [
    Work { args: &["decode", "-f", "latin1", "--mmap", "always", "f"], files: one },
    Work { args: &["decode", "-f", "latin1", "-t", "utf-16le", "--mmap", "never", "f"], files: one },
    Work { args: &["decode", "-f", "latin1", "-o", "out", "f"], files: one },
    Work { args: &["decode", "-f", "latin1", "-i", "--backup", "~", "f"], files: one },
    Work { args: &["validate", "--mmap", "always", "--format", "json", "f"], files: one },
    Work { args: &["validate", "-r", "-j1", "."], files: tree },
    Work { args: &["validate", "--merge", "--format", "json", "part-a", "part-b"], files: parts },
    Work { args: &["repair", "-i", "-r", "-j1", "--on-error", "replace", "."], files: tree },
    Work { args: &["repair", "--on-error", "replace", "-o", "out", "f"], files: one },
    Work { args: &["detect", "f"], files: one },
    Work { args: &["dump-bits", "-s", "-9", "f"], files: one },
];

/// A file of several blocks, and an old output.
pub fn one(dir: &Dir) {
    dir.write("f", [&b"a\xE9\n"[..], &b"bc\n".repeat(50_000)].concat());
    dir.write("out", "old");
}

/// Files with settings, in directories.
fn tree(dir: &Dir) {
    for (name, text) in [
        (".git/config", &b"[core]\n\tbare = false\n"[..]),
        (".gitignore", b"*.log\n"),
        (".gitattributes", b"*.txt eol=lf\n"),
        (".editorconfig", b"root = true\n[*.md]\nend_of_line = lf\n"),
        ("utf8.toml", b"[validate]\ndeny = [\"text\"]\n"),
        ("f.txt", b"caf\xE9 \n"),
        ("d/g.md", b"\xC3\xA9\r\n"),
        ("d/e/h", b"\xFF"),
        ("d/x.log", b"\xFF"),
    ] {
        dir.write(name, text);
    }
}

/// The reports of two ranges of a file.
fn parts(dir: &Dir) {
    one(dir);
    for (name, range) in [("part-a", ["-s0", "-n9"]), ("part-b", ["-s9", "-n149994"])] {
        // A stream has no time of its last change.
        let args = ["validate", "--partial", "--at=0", "--of=150003", range[0], range[1]];
        let mut command = raw();
        command.args(args).stdin(fs::File::open(dir.path("f")).unwrap());
        let done = command.args(["--stdin-filename", "f"]).output().unwrap();
        dir.write(name, done.stdout);
    }
}

/// The contents of all files in a directory, by path.
pub type Files = BTreeMap<PathBuf, Vec<u8>>;

/// Returns the contents of all files in a directory.
pub fn files(dir: &Dir) -> Files {
    fn add(root: &Path, directory: &Path, files: &mut Files) {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => add(root, &path, files),
                false => {
                    let content = fs::read(&path).unwrap();
                    files.insert(path.strip_prefix(root).unwrap().to_owned(), content);
                }
            }
        }
    }
    let mut files = Files::new();
    add(&dir.path(""), &dir.path(""), &mut files);
    files
}

/// A run that has ended.
struct Ended {
    code: Option<i32>,
    signal: Option<i32>,
    stdout: Vec<u8>,
    stderr: String,
    files: Files,
}

impl Work {
    /// Creates the files.
    pub fn dir(&self) -> Dir {
        let dir = Dir::new();
        (self.files)(&dir);
        dir
    }

    /// Runs the command in new files under strace; `None` if it cannot be traced.
    fn run(&self, options: &str, log: &Dir) -> Option<Ended> {
        let tracer = tracer("a failure of any call", options, log)?;
        let dir = self.dir();
        let mut command = raw();
        command.args(self.args);
        let script = format!("exec timeout -s KILL 60 {tracer} \"$@\"");
        let mut command = shell_of(&script, &command);
        let done = with_default_signals(&mut command).current_dir(dir.path("")).output().unwrap();
        Some(Ended {
            code: done.status.code(),
            signal: done.status.signal(),
            stdout: done.stdout,
            stderr: String::from_utf8(done.stderr).unwrap(),
            files: files(&dir),
        })
    }

    /// Returns the calls of a run from the first that names a file of the user.
    fn calls(&self, log: &Dir) -> Vec<Call> {
        let names: Vec<_> = self.args.iter().map(|arg| format!("\"{arg}\"")).collect();
        let is_own = |call: &Call| {
            call.name != "execve" && names.iter().any(|name| call.text.contains(&**name))
        };
        let calls: Vec<_> = calls(log).into_iter().skip_while(|call| !is_own(call)).collect();
        // Linux always closes a directory without an error, and std relies on it.
        let directory = |call: &Call| {
            let opened =
                call.text.contains("O_DIRECTORY").then(|| call.text.rsplit("= ").next())?;
            Some(format!("close({})", opened?))
        };
        let directories: Vec<_> = calls.iter().filter_map(directory).collect();
        let fails = |call: &Call| !directories.iter().any(|close| call.text.contains(&**close));
        calls.into_iter().filter(|call| !errors(&call.name).is_empty() && fails(call)).collect()
    }

    /// Checks a run in which one call failed: it did all of its work, or reports that it did not.
    /// Each file has its old or its new content, and none is left over without a message.
    fn check(&self, before: &Files, clean: &Ended, failed: &Ended, place: &str) {
        let said = format!("{place}: {:?} {:?} {}", failed.code, failed.signal, failed.stderr);
        assert!(!failed.stderr.contains("panicked"), "{said}");
        if failed.code == clean.code {
            assert!(failed.stdout == clean.stdout, "{said}");
            assert!(failed.files == clean.files, "{said}");
            return;
        }
        assert_eq!(failed.code, Some(2), "{said}");
        // A message that cannot be written is told by the status alone.
        assert!(failed.stderr.contains("utf8: ") || place.contains("write(2<"), "{said}");
        assert_parts(&failed.stdout, &clean.stdout, &said);
        for (name, content) in &failed.files {
            let contents = [before.get(name), clean.files.get(name)];
            let is_named = is_temporary(name)
                && failed.stderr.contains(&format!("{} is left beside it", base(name)));
            assert!(contents.contains(&Some(content)) || is_named, "{}: {said}", name.display());
        }
        assert!(before.keys().all(|name| failed.files.contains_key(name)), "{said}");
    }

    /// Checks a run that a signal ended: each file has its old or its new content, and a signal that
    /// can be caught leaves no other.
    fn check_killed(
        &self,
        before: &Files,
        clean: &Ended,
        killed: &Ended,
        signal: i32,
        place: &str,
    ) {
        // A run that hangs after SIGTERM is ended by SIGKILL.
        assert_eq!(killed.signal, Some(signal), "{place}: {:?}", killed.code);
        let is_caught = [libc::SIGTERM, libc::SIGABRT].contains(&signal);
        for (name, content) in &killed.files {
            let contents = [before.get(name), clean.files.get(name)];
            let is_left = is_temporary(name) && !is_caught;
            assert!(contents.contains(&Some(content)) || is_left, "{}: {place}", name.display());
        }
        assert!(before.keys().all(|name| killed.files.contains_key(name)), "{place}");
    }
}

/// Returns the last part of a path.
fn base(path: &Path) -> String {
    path.file_name().unwrap().to_string_lossy().into_owned()
}

/// Returns `true` for the documented names of temporary files.
fn is_temporary(path: &Path) -> bool {
    let base = base(path);
    base.starts_with(".utf8-") && base.ends_with(".tmp")
}

/// Asserts that an output is the front of the complete one, or consists of some of its lines.
fn assert_parts(output: &[u8], complete: &[u8], place: &str) {
    let known: Vec<_> = complete.split(|&byte| byte == b'\n').collect();
    let is_known =
        |line: &[u8]| known.contains(&line) || line.starts_with(b"{\"type\":\"trouble\",");
    let lines = || output.split(|&byte| byte == b'\n').all(is_known);
    assert!(complete.starts_with(output) || lines(), "{place}: {}", output.escape_ascii());
}

/// Returns the errors that a call may have.
fn errors(call: &str) -> &'static [&'static str] {
    match call {
        "read" | "pread64" | "readv" => &["EIO", "EINTR", "EAGAIN"],
        "write" | "writev" => &["EIO", "ENOSPC", "EINTR", "EAGAIN", "EDQUOT"],
        "openat" => &["EIO", "EACCES", "EMFILE", "ENOMEM", "EINTR"],
        "mmap" => &["ENOMEM", "EACCES"],
        "clone3" => &["EAGAIN"],
        "poll" | "ppoll" => &["EINTR", "ENOMEM"],
        "getdents64" | "lseek" | "ftruncate" => &["EIO"],
        "fsync" | "copy_file_range" | "sendfile" => &["EIO", "ENOSPC", "EINTR"],
        "statx" | "newfstatat" | "fstatfs" | "readlink" | "readlinkat" => {
            &["EIO", "EACCES", "ENOMEM"]
        }
        "access" | "faccessat" | "faccessat2" | "flistxattr" | "fgetxattr" => &["EIO", "EACCES"],
        "close" => &["EIO"],
        "fchmod" | "fchown" | "fsetxattr" | "utimensat" => &["EIO", "EPERM"],
        "linkat" | "rename" | "renameat" | "renameat2" | "unlink" | "unlinkat" => {
            &["EIO", "EACCES", "ENOSPC"]
        }
        _ => &[],
    }
}

/// Runs each command once for each call and the errors that `choose` picks for it.
fn fail(choose: impl Fn(usize, &'static [&'static str]) -> Vec<&'static str> + Sync) {
    let failures = AtomicUsize::new(0);
    for work in &WORKS {
        let log = Dir::new();
        let Some(clean) = work.run("", &log) else { return };
        assert!(matches!(clean.code, Some(0 | 1)), "{:?}: {}", work.args, clean.stderr);
        let before = files(&work.dir());
        let calls = work.calls(&log).into_iter().enumerate();
        let jobs = calls.flat_map(|(number, call)| {
            let mut chosen = choose(number, errors(&call.name));
            // A directory that is not accessible has no settings.
            chosen.retain(|error| *error != "EACCES" || !call.text.contains("O_PATH"));
            chosen.into_iter().map(move |error| (call.clone(), error)).collect::<Vec<_>>()
        });
        let jobs: Vec<_> = jobs.collect();
        assert!(!jobs.is_empty(), "{:?} has no calls", work.args);
        each(&jobs, |(call, error)| {
            let options = format!(
                "-e trace={0} -e inject={0}:error={error}:when={1}",
                call.name, call.number
            );
            let Some(failed) = work.run(&options, &Dir::new()) else { return };
            let place = format!("{:?} {error} of {}", work.args, call.text);
            // The allocator of the static build maps all memory. An allocation that fails aborts.
            let aborts = cfg!(target_env = "musl")
                && call.text.contains("MAP_ANONYMOUS")
                && failed.stderr.contains("memory allocation of");
            let check = || match aborts {
                true => work.check_killed(&before, &clean, &failed, libc::SIGABRT, &place),
                false => work.check(&before, &clean, &failed, &place),
            };
            if catch_unwind(AssertUnwindSafe(check)).is_err() {
                failures.fetch_add(1, Ordering::Relaxed);
            }
        });
        eprintln!("{:?}: {} runs", work.args, jobs.len());
    }
    assert_eq!(failures.into_inner(), 0, "the panics above say which");
}

#[test]
fn failures_of_some_calls_are_reported_or_do_no_harm() {
    fail(|number, errors| match number % 4 {
        0 => vec![errors[number / 4 % errors.len()]],
        _ => Vec::new(),
    });
}

#[test]
#[ignore = "a minute or more"]
fn every_failure_of_every_call_is_reported_or_does_no_harm() {
    fail(|_, errors| errors.to_vec());
}

const KILL: (&str, i32) = ("KILL", libc::SIGKILL);
const TERM: (&str, i32) = ("TERM", libc::SIGTERM);

/// Runs each command that writes files once for each call, which a signal ends.
fn kill(signals: &[(&str, i32)], step: usize) {
    for work in WORKS.iter().filter(|work| work.args.iter().any(|arg| ["-i", "-o"].contains(arg))) {
        let log = Dir::new();
        let Some(clean) = work.run("", &log) else { return };
        let before = files(&work.dir());
        let calls: Vec<_> = work.calls(&log).into_iter().step_by(step).collect();
        each(&calls, |call| {
            for &(name, signal) in signals {
                let options = format!(
                    "-e trace={0} -e inject={0}:signal={name}:when={1}",
                    call.name, call.number
                );
                let Some(killed) = work.run(&options, &Dir::new()) else { return };
                let place = format!("{:?} {name} at {}: {}", work.args, call.text, killed.stderr);
                work.check_killed(&before, &clean, &killed, signal, &place);
            }
        });
    }
}

#[test]
fn a_kill_at_some_calls_tears_no_file() {
    kill(&[KILL], 9);
    kill(&[TERM], 11);
}

#[test]
#[ignore = "a minute"]
fn every_kill_at_every_call_tears_no_file() {
    kill(&[KILL, TERM], 1);
}
