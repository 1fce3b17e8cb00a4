//! Rewriting in place in a directory whose owner plants links and replaces files meanwhile.

#![cfg(target_os = "linux")]

use std::ffi::CString;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, lchown, symlink};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::common::bin::{Dir, raw, shell_of, skipped};
use crate::common::replace::{
    NOBODY, change, is_root, mode, names, refusal, replace, set_mode, text,
};
use crate::common::trace::{Call, calls, each, go_on, inject, stopped, tracer};
use utf8::os::replace::{OpenTarget, Replacement};

/// The content of the file that is none of the attacker's.
const FOREIGN: &str = "root:x:0:0\n";

/// The content that the attacker wants to be in it.
const EVIL: &[u8] = b"evil::0:0 \xFF\n";

/// Creates a directory `d` of the attacker with the file `evil` and the link `f` to it, and a
/// foreign file outside.
fn hostile() -> Dir {
    let dir = Dir::of(&[("passwd", FOREIGN.as_bytes())]);
    fs::create_dir(dir.path("d")).unwrap();
    dir.write("d/evil", EVIL);
    symlink("evil", dir.path("d/f")).unwrap();
    dir
}

/// Returns a command that rewrites `d/f` in place.
fn rewriting(dir: &Dir, args: &[&str]) -> Command {
    let mut command = raw();
    command.current_dir(dir.path(".")).args(args).arg("d/f").stderr(Stdio::piped());
    command
}

const REPAIR: &[&str] = &["repair", "-i", "--on-error=replace"];
const DECODE: &[&str] = &["decode", "-i", "-f", "latin1"];
const ENCODE: &[&str] = &["encode", "-i", "-t", "utf-8", "--on-error=replace"];

/// Sets a flag when it is dropped.
struct SetOnDrop<'a>(&'a AtomicBool);

impl Drop for SetOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Runs `work` while a thread lets the link lead here and there. Returns the number of flips.
fn flipping(dir: &Dir, work: impl FnOnce()) -> u64 {
    let (done, flips) = (AtomicBool::new(false), AtomicU64::new(0));
    thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                for to in ["../passwd", "evil"] {
                    symlink(to, dir.path("d/next")).unwrap();
                    fs::rename(dir.path("d/next"), dir.path("d/f")).unwrap();
                    flips.fetch_add(1, Ordering::Relaxed);
                }
            }
        });
        // The thread must end even if an assertion fails.
        let _done = SetOnDrop(&done);
        work();
    });
    flips.into_inner()
}

#[test]
fn a_link_that_flips_gives_no_foreign_file_another_content() {
    let dir = hostile();
    let inode = fs::metadata(dir.path("passwd")).unwrap().ino();
    let flips = flipping(&dir, || {
        let start = Instant::now();
        while start.elapsed() < Duration::from_secs(3) {
            for args in [REPAIR, DECODE, ENCODE] {
                dir.write("d/evil", EVIL);
                let done = rewriting(&dir, args).output().unwrap();
                assert_eq!(text(dir.path("passwd")), FOREIGN, "{args:?}: {done:?}");
            }
        }
    });
    assert_eq!(fs::metadata(dir.path("passwd")).unwrap().ino(), inode);
    assert!(flips > 1000, "{flips}");
}

#[test]
fn a_link_that_flips_between_slow_calls_does_no_harm() {
    for args in [REPAIR, DECODE] {
        let dir = hostile();
        let log = Dir::new();
        let delay = "-e inject=%file,%desc:delay_exit=700";
        let Some(tracer) = tracer("a link that flips", delay, &log) else { return };
        flipping(&dir, || {
            for _ in 0..15 {
                dir.write("d/evil", EVIL);
                let script = format!("exec {tracer} \"$@\"");
                let mut slow = shell_of(&script, &rewriting(&dir, args));
                let done = slow.current_dir(dir.path(".")).output().unwrap();
                assert_eq!(text(dir.path("passwd")), FOREIGN, "{args:?}: {done:?}");
            }
        });
    }
}

#[test]
fn a_directory_that_is_replaced_is_not_used() {
    let dir = Dir::of(&[("old", b""), ("passwd", FOREIGN.as_bytes())]);
    for name in ["d", "other"] {
        fs::create_dir(dir.path(name)).unwrap();
    }
    dir.write("d/f", "old");
    dir.write("other/f", FOREIGN);
    let replacement = Replacement::begin(&dir.path("d/f")).unwrap();
    fs::rename(dir.path("d"), dir.path("moved")).unwrap();
    symlink("other", dir.path("d")).unwrap();
    replacement.commit().unwrap();
    assert_eq!((text(dir.path("other/f")), text(dir.path("moved/f"))), (FOREIGN.into(), "".into()));
    assert_eq!(fs::read_dir(dir.path("moved")).unwrap().count(), 1);
    assert_eq!(fs::read_dir(dir.path("other")).unwrap().count(), 1);
}

#[test]
fn a_target_is_the_file_that_was_opened() {
    let dir = hostile();
    let target = OpenTarget::open(&dir.path("d/f")).unwrap();
    fs::remove_file(dir.path("d/f")).unwrap();
    symlink("../passwd", dir.path("d/f")).unwrap();
    assert_eq!(target.file().unwrap().metadata().unwrap().len(), EVIL.len() as u64);
    target.replace().unwrap().commit().unwrap();
    assert_eq!((text(dir.path("d/evil")), text(dir.path("passwd"))), ("".into(), FOREIGN.into()));
}

#[test]
fn a_fifo_in_the_place_of_the_file_does_not_block() {
    let dir = Dir::of(&[("f", b"old")]);
    let target = OpenTarget::open(&dir.path("f")).unwrap();
    fs::remove_file(dir.path("f")).unwrap();
    let path = CString::new(dir.path("f").as_os_str().as_bytes()).unwrap();
    // SAFETY: a C string.
    assert_eq!(unsafe { libc::mkfifo(path.as_ptr(), 0o600) }, 0);
    let error = target.replace().unwrap_err().to_string();
    assert_eq!(error, "changed during the rewrite; not replaced (run again)");
}

#[test]
fn a_link_of_another_user_in_a_shared_directory_is_not_followed() {
    if !is_root() {
        return skipped("a link of another user", "only root can plant it");
    }
    let dir = Dir::of(&[("passwd", FOREIGN.as_bytes())]);
    fs::create_dir(dir.path("tmp")).unwrap();
    set_mode(dir.path("tmp"), 0o1777);
    for (link, to, path) in [("f", "../passwd", "tmp/f"), ("d", "..", "tmp/d/passwd")] {
        symlink(to, dir.path("tmp").join(link)).unwrap();
        lchown(dir.path("tmp").join(link), Some(NOBODY), None).unwrap();
        let error = refusal(&dir, path);
        let what = "is a symbolic link of another user in a shared directory, and is not followed";
        assert_eq!(error, format!("{what} (name the file that it leads to)"));
        // A link of one's own, and a directory that others cannot write to.
        lchown(dir.path("tmp").join(link), Some(0), None).unwrap();
        replace(dir.path(path)).unwrap();
        lchown(dir.path("tmp").join(link), Some(NOBODY), None).unwrap();
        set_mode(dir.path("tmp"), 0o755);
        replace(dir.path(path)).unwrap();
        set_mode(dir.path("tmp"), 0o1777);
    }
}

// Backups

const BACKUP: &[&str] = &["repair", "-i", "--on-error=replace", "--backup", "~"];

/// Returns the calls of a rewrite on files in the directory.
fn calls_of(case: &str, args: &[&str]) -> Vec<Call> {
    let (dir, log) = (hostile(), Dir::new());
    let Some(tracer) = tracer(case, "", &log) else { return Vec::new() };
    let mut traced = shell_of(&format!("exec {tracer} \"$@\""), &rewriting(&dir, args));
    assert!(traced.current_dir(dir.path(".")).status().unwrap().success());
    let calls = calls(&log);
    let start = calls.iter().position(|call| call.text.contains("\"d\"")).unwrap_or(0);
    let start =
        calls.iter().position(|call| call.text.contains("d/f\"")).map_or(start, |at| at + 1);
    let quiet = ["close", "mmap", "munmap", "rt_sigaction", "exit_group", "execve", "brk"];
    calls.into_iter().skip(start).filter(|call| !quiet.contains(&&*call.name)).collect()
}

/// Runs a rewrite and `attack` after a call. Returns the directory and the messages.
fn attacked(case: &str, args: &[&str], call: &Call, attack: impl Fn(&Dir)) -> (Dir, String) {
    let (dir, log) = (hostile(), Dir::new());
    let tracer = tracer(case, "", &log).expect("it traced before");
    let script = format!("exec {tracer} {} \"$@\"", inject(call, "signal=STOP"));
    let mut command = shell_of(&script, &rewriting(&dir, args));
    command.current_dir(dir.path(".")).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let pid = stopped(&mut child, &log).unwrap_or_else(|| panic!("{call:?}: it does not stop"));
    attack(&dir);
    go_on(pid);
    let done = child.wait_with_output().unwrap();
    (dir, String::from_utf8(done.stderr).unwrap())
}

#[test]
fn a_planted_backup_is_not_followed() {
    let case = "a planted backup";
    each(&calls_of(case, BACKUP), |call| {
        let plant = |dir: &Dir| drop(symlink("../passwd", dir.path("d/f~")));
        let (dir, said) = attacked(case, BACKUP, call, plant);
        assert_eq!(text(dir.path("passwd")), FOREIGN, "{call:?}: {said}");
        let backup = fs::symlink_metadata(dir.path("d/f~")).unwrap();
        let content = fs::read(dir.path("d/evil")).unwrap();
        match backup.is_symlink() {
            // It was there first.
            true => assert!(content == EVIL && said.contains("d/f~ exists, "), "{said}"),
            false => assert_eq!(fs::read(dir.path("d/f~")).unwrap(), EVIL),
        }
        assert_eq!(fs::read_dir(dir.path("d")).unwrap().count(), 3, "{call:?}: {said}");
    });
}

#[test]
fn the_original_becomes_the_backup() {
    let dir = Dir::of(&[("f", b"a\xFF")]);
    set_mode(dir.path("f"), 0o4751);
    let before = fs::metadata(dir.path("f")).unwrap();
    let mut replacement = Replacement::begin(&dir.path("f")).unwrap();
    replacement.back_up("~".as_ref()).unwrap();
    assert_eq!(names(&dir).len(), 3);
    replacement.commit().unwrap();
    let backup = fs::metadata(dir.path("f~")).unwrap();
    assert_eq!((backup.ino(), backup.nlink()), (before.ino(), 1));
    assert_eq!((mode(dir.path("f~")), mode(dir.path("f"))), (0o4751, 0o4751));
    assert_eq!(backup.modified().unwrap(), before.modified().unwrap());
    assert_eq!(names(&dir), ["f", "f~"]);
}

#[test]
fn a_replacement_that_is_given_up_leaves_no_backup() {
    let dir = Dir::of(&[("f", b"old")]);
    let mut replacement = Replacement::begin(&dir.path("f")).unwrap();
    replacement.back_up("~".as_ref()).unwrap();
    change(&dir.path("f"), |path| set_mode(path, mode(path) ^ 0o11));
    replacement.commit().unwrap_err();
    assert_eq!((text(dir.path("f")), names(&dir)), ("old".into(), vec!["f".into()]));
    replace(dir.path("f")).unwrap();
}

#[test]
fn a_backup_of_a_file_that_was_changed_is_not_made() {
    let dir = Dir::of(&[("f", b"old")]);
    let mut replacement = Replacement::begin(&dir.path("f")).unwrap();
    change(&dir.path("f"), |path| fs::write(path, "theirs").unwrap());
    let error = replacement.back_up("~".as_ref()).unwrap_err().to_string();
    assert!(error.starts_with("changed during the rewrite"), "{error}");
    drop(replacement);
    assert_eq!((text(dir.path("f")), names(&dir)), ("theirs".into(), vec!["f".into()]));
}

#[test]
fn without_hard_links_the_backup_is_a_copy() {
    let case = "a backup where no hard link can be made";
    let (dir, log) = (Dir::of(&[("f", b"a\xFF")]), Dir::new());
    set_mode(dir.path("f"), 0o4751);
    let before = fs::metadata(dir.path("f")).unwrap();
    let Some(tracer) = tracer(case, "-e inject=linkat:error=EPERM", &log) else { return };
    let mut command = raw();
    command.args(BACKUP).args(["-q", "f"]);
    let mut traced = shell_of(&format!("exec {tracer} \"$@\""), &command);
    let done = traced.current_dir(dir.path(".")).output().unwrap();
    assert_eq!((done.status.code(), done.stderr), (Some(0), Vec::new()));
    let backup = fs::metadata(dir.path("f~")).unwrap();
    assert_ne!(backup.ino(), before.ino());
    assert_eq!(backup.modified().unwrap(), before.modified().unwrap());
    assert_eq!(
        (fs::read(dir.path("f~")).unwrap(), mode(dir.path("f~"))),
        (b"a\xFF".into(), 0o4751)
    );
    assert_eq!((text(dir.path("f")), names(&dir).len()), ("a\u{FFFD}".into(), 2));
}

// Mounts

/// A file that is mounted over itself until it is dropped.
struct Mounted<'a>(&'a Path);

impl Drop for Mounted<'_> {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("--lazy").arg(self.0).status();
    }
}

#[test]
fn a_mounted_file_is_explained() {
    let dir = Dir::of(&[("f", b"old")]);
    let path = dir.path("f");
    let mount = Command::new("mount").arg("--bind").args([&path, &path]).output();
    if !mount.is_ok_and(|done| done.status.success()) {
        return skipped("a mounted file", "this user cannot mount it");
    }
    let _mounted = Mounted(&path);
    let error = refusal(&dir, "f");
    let why = "is mounted by itself, as into a container, or in use";
    let hint = "(write to another file, then cp that over it)";
    assert_eq!(error, format!("cannot be replaced: {why} {hint}"));
}
