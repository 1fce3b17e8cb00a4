//! Replacement of files: contents, modes and users.

use std::ffi::OsString;
use std::fmt::Debug;
use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use utf8::os::replace::Replacement;

use super::bin::{Dir, skipped};

/// Replaces a file's content with `new`.
pub fn replace(target: impl AsRef<Path>) -> io::Result<()> {
    let replacement = Replacement::begin(target.as_ref())?;
    replacement.file()?.write_all(b"new")?;
    replacement.commit()
}

/// Returns the error of a refused replacement. Checks that the file is unchanged and no other was
/// left.
pub fn refusal(dir: &Dir, name: &str) -> String {
    let (before, content) = (names(dir), fs::read(dir.path(name)).ok());
    let error = replace(dir.path(name)).expect_err("it must not be replaced");
    assert_eq!((names(dir), fs::read(dir.path(name)).ok()), (before, content), "{error}");
    error.to_string()
}

/// Returns the sorted names in a directory.
pub fn names(dir: &Dir) -> Vec<OsString> {
    let mut names: Vec<_> =
        fs::read_dir(dir.path(".")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    names
}

pub fn text(path: impl AsRef<Path>) -> String {
    fs::read_to_string(path).unwrap()
}

pub fn mode(path: impl AsRef<Path>) -> u32 {
    fs::metadata(path).unwrap().mode() & 0o7777
}

pub fn set_mode(path: impl AsRef<Path>, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

/// Returns a value that differs after any change of a file: its inode and its times.
pub fn stamp(path: impl AsRef<Path>) -> Option<impl PartialEq + Debug> {
    let it = fs::metadata(path).ok()?;
    Some((it.ino(), it.mtime(), it.mtime_nsec(), it.ctime(), it.ctime_nsec()))
}

/// Changes a file until its times show it.
pub fn change(path: &Path, how: impl Fn(&Path)) {
    let before = stamp(path);
    while stamp(path) == before {
        how(path);
    }
}

/// Returns the one file in a directory that is not among these.
pub fn other(dir: &Dir, known: &[&str]) -> PathBuf {
    let others: Vec<_> =
        names(dir).into_iter().filter(|name| !known.iter().any(|known| name == known)).collect();
    assert_eq!(others.len(), 1, "{others:?}");
    dir.path(&others[0])
}

pub const NOBODY: u32 = 65534;

pub fn is_root() -> bool {
    // SAFETY: geteuid has no preconditions.
    unsafe { libc::geteuid() == 0 }
}

/// Runs `work` as an unprivileged user: nobody, if root runs the tests.
pub fn as_nobody(case: &str, work: impl FnOnce() + Send) {
    as_nobody_prepared(case, || (), work);
}

/// Runs `work` as a user who can create no file in a directory.
pub fn without_room(case: &str, dir: &Dir, work: impl FnOnce() + Send) {
    set_mode(dir.path("."), 0o555);
    // Root ignores the mode.
    if is_root() {
        as_nobody(case, work)
    } else {
        work()
    }
    set_mode(dir.path("."), 0o755);
}

/// Runs `prepare` as root, then `work` as a user who owns nothing.
#[cfg(target_os = "linux")]
pub fn as_nobody_prepared(case: &str, prepare: impl FnOnce(), work: impl FnOnce() + Send) {
    if !is_root() {
        return skipped(case, "only root can prepare it");
    }
    prepare();
    let became = std::thread::scope(|scope| {
        let become_nobody = || {
            let nobody = libc::c_long::from(NOBODY);
            // SAFETY: raw system calls, which unlike libc's functions affect this thread only; they
            // take numbers and no list of groups.
            unsafe {
                libc::syscall(libc::SYS_setgroups, 0, 0) == 0
                    && libc::syscall(libc::SYS_setresgid, nobody, nobody, nobody) == 0
                    && libc::syscall(libc::SYS_setresuid, nobody, nobody, nobody) == 0
            }
        };
        let thread = scope.spawn(move || become_nobody().then(work));
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    });
    if became.is_none() {
        skipped(case, "root cannot become another user here");
    }
}

#[cfg(not(target_os = "linux"))]
pub fn as_nobody_prepared(case: &str, _: impl FnOnce(), _: impl FnOnce() + Send) {
    skipped(case, "only on Linux can a thread be another user");
}
