//! In-place repair of an ill-formed file, and its results.

use std::fs;
use std::process::{Command, Output};

use super::bin::{Dir, raw, shell_of, with_default_signals};
use super::replace::{names, set_mode};
use super::trace::{Call, calls, tracer};

/// Returns the content before: ill-formed, and long enough for several writes.
pub fn old() -> Vec<u8> {
    [&b"a\xFF"[..], &b"b".repeat(150_000)].concat()
}

/// Returns the content after.
pub fn new() -> Vec<u8> {
    [&b"a"[..], "\u{FFFD}".as_bytes(), &b"b".repeat(150_000)].concat()
}

/// The mode of the file.
pub const MODE: u32 = 0o640;

/// Creates a directory with the file `f`.
pub fn faulty() -> Dir {
    let dir = Dir::new();
    dir.write("f", old());
    set_mode(dir.path("f"), MODE);
    dir
}

/// Returns a command for `utf8 repair -i --on-error replace` in a directory, which reports only
/// errors unless `-v` is given.
pub fn in_place(dir: &Dir, args: &[&str]) -> Command {
    let mut command = raw();
    command.current_dir(dir.path(".")).args(["repair", "-i", "--on-error=replace"]);
    if !args.contains(&"-v") {
        command.arg("-q");
    }
    command.args(args);
    command
}

/// Returns the same command, started by a shell script in which `"$@"` is the program.
pub fn scripted(script: &str, dir: &Dir, args: &[&str]) -> Command {
    let mut command = shell_of(script, &in_place(dir, args));
    with_default_signals(&mut command).current_dir(dir.path("."));
    command
}

/// Returns the exit status and standard error.
pub fn ended(done: &Output) -> (Option<i32>, String) {
    (done.status.code(), String::from_utf8_lossy(&done.stderr).into_owned())
}

/// Returns the content of a file if it exists.
pub fn content(dir: &Dir, name: &str) -> Option<Vec<u8>> {
    fs::read(dir.path(name)).ok()
}

/// Counts temporary files.
pub fn temporaries(dir: &Dir) -> usize {
    names(dir).iter().filter(|name| name.to_string_lossy().starts_with(".utf8-")).count()
}

/// The system calls on files.
#[rustfmt::skip] // a list of words
const ON_FILES: [&str; 26] = [
    "access", "close", "copy_file_range", "faccessat", "faccessat2", "fchmod", "fchown",
    "fgetxattr", "flistxattr", "fsetxattr", "fstatfs", "fsync", "linkat", "newfstatat", "openat",
    "pread64", "read", "readlink", "readlinkat", "rename", "renameat", "renameat2", "sendfile",
    "statx", "utimensat", "write",
];

/// Runs the repair under strace with options.
pub fn traced(case: &str, options: &str, dir: &Dir, args: &[&str]) -> Option<(Output, Dir)> {
    let log = Dir::new();
    let tracer = tracer(case, "", &log)?;
    let done = scripted(&format!("exec {tracer} {options} \"$@\""), dir, args).output().unwrap();
    Some((done, log))
}

/// Returns the calls of a run on files from the first that names the file; empty if it cannot be
/// traced.
pub fn calls_on_files(case: &str, args: &[&str]) -> Vec<Call> {
    calls_with(case, "", args)
}

/// Returns the calls of a run on files, as [`calls_on_files`] does, with these options of strace.
pub fn calls_with(case: &str, options: &str, args: &[&str]) -> Vec<Call> {
    let Some((done, log)) = traced(case, options, &faulty(), args) else { return Vec::new() };
    assert_eq!(ended(&done), (Some(0), String::new()));
    let about = |call: &Call| call.text.contains("\"f\"") && call.name != "execve";
    let calls = calls(&log).into_iter().skip_while(|call| !about(call));
    calls.filter(|call| ON_FILES.contains(&&*call.name)).collect()
}
