//! Replacements that fail: missing permissions, full disks, signals.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::common::bin::{Dir, emulated, fatal_signals, skipped, with_default_signals};
#[cfg(target_os = "linux")]
use crate::common::disk::small;
use crate::common::replace::{
    as_nobody, as_nobody_prepared, is_root, mode, names, refusal, replace, set_mode, text,
};
use utf8::os::replace::Replacement;

// Permissions

#[test]
fn a_file_that_may_not_be_written_to_is_not_replaced() {
    let dir = Dir::of(&[("f", b"old")]);
    set_mode(dir.path("."), 0o777);
    set_mode(dir.path("f"), 0o644);
    as_nobody("another's file", || {
        assert!(refusal(&dir, "f").starts_with("Permission denied"));
    });
    set_mode(dir.path("f"), 0o444);
    if is_root() {
        return replace(dir.path("f")).unwrap();
    }
    assert!(refusal(&dir, "f").starts_with("Permission denied"));
}

#[test]
fn a_directory_that_takes_no_file_is_named_as_the_reason() {
    let dir = Dir::of(&[("f", b"old")]);
    set_mode(dir.path("."), 0o755);
    set_mode(dir.path("f"), 0o666);
    as_nobody("a directory that is another's", || {
        for name in ["f", "new"] {
            let what = "no file can be made beside it: Permission denied";
            let hint = "(check the mode and owner of its directory)";
            assert_eq!(refusal(&dir, name), format!("{what} {hint}"));
        }
    });
}

#[test]
fn a_failed_directory_sync_is_reported() {
    let dir = Dir::new();
    as_nobody_prepared(
        "a directory that cannot be opened",
        || set_mode(dir.path("."), 0o333),
        || {
            let error = replace(dir.path("f")).unwrap_err().to_string();
            let what = "was replaced, but it is not certain that this survives a crash";
            assert_eq!(error, format!("{what}: Permission denied (run sync)"));
        },
    );
    if is_root() {
        assert_eq!((text(dir.path("f")), names(&dir)), ("new".into(), vec!["f".into()]));
    }
}

// Full disks, limits, signals

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_leaves_the_old_file() {
    let Some(small) = small("a full disk", "size=64k") else { return };
    let dir = &small.0;
    dir.write("f", b"old");
    let replacement = Replacement::begin(&dir.path("f")).unwrap();
    let error = replacement.file().unwrap().write_all(&[b'x'; 1 << 18]).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::StorageFull);
    drop(replacement);
    assert_eq!((text(dir.path("f")), names(dir)), ("old".into(), vec!["f".into()]));
}

#[test]
#[cfg(target_os = "linux")]
fn a_disk_without_room_for_a_name_is_full() {
    let Some(small) = small("a disk without room for a name", "nr_inodes=2") else { return };
    small.0.write("f", b"old");
    assert!(refusal(&small.0, "f").starts_with("No space left on device"));
}

#[test]
#[cfg(target_os = "linux")]
fn a_disk_write_error_is_reported() {
    let Some(small) = small("a disk that cannot be written to", "ro") else { return };
    assert!(refusal(&small.0, "f").starts_with("Read-only file system"));
}

// Processes that are about to replace a file

/// The environment variable with the file that a child of a test replaces.
const TARGET: &str = "UTF8_TEST_TARGET";

/// The environment variable that makes the child handle SIGTERM.
const OWN_HANDLER: &str = "UTF8_TEST_OWN_HANDLER";

/// The body of the child.
#[test]
fn in_a_child() {
    let Some(target) = std::env::var_os(TARGET) else { return };
    if std::env::var_os(OWN_HANDLER).is_some() {
        extern "C" fn nothing(_: libc::c_int) {}
        // SAFETY: the handler does nothing.
        unsafe { libc::signal(libc::SIGTERM, nothing as extern "C" fn(libc::c_int) as usize) };
    }
    let replacement = Replacement::begin(Path::new(&target)).unwrap();
    let also = Replacement::begin(Path::new("also")).unwrap();
    println!("begun");
    let mut content = Vec::new();
    io::stdin().read_to_end(&mut content).unwrap();
    replacement.file().unwrap().write_all(&content).unwrap();
    drop(also);
    replacement.commit().unwrap();
}

/// A child that has begun to replace `f` and another file, and waits for the content.
struct Begun(Child);

impl Begun {
    /// Starts a child in a directory by a shell script in which `"$@"` is the child.
    fn by(script: &str, dir: &Dir) -> Option<Begun> {
        if emulated() {
            skipped("a child", "an emulator does not start others");
            return None;
        }
        let mut command = Command::new("sh");
        command.args(["-c", script, "sh"]).arg(std::env::current_exe().unwrap());
        command.args(["--exact", "replace_faults::in_a_child", "--nocapture"]).env(TARGET, "f");
        command.current_dir(dir.path(".")).stdin(Stdio::piped()).stdout(Stdio::piped());
        let command = with_default_signals(command.stderr(Stdio::piped()));
        let mut child = command.spawn().unwrap();
        let lines = BufReader::new(child.stdout.as_mut().unwrap()).lines();
        assert!(lines.map_while(Result::ok).any(|line| line.ends_with("begun")));
        Some(Begun(child))
    }

    fn send(&self, signal: libc::c_int) {
        // SAFETY: a child of this process that was not waited for.
        assert_eq!(unsafe { libc::kill(self.0.id() as libc::pid_t, signal) }, 0);
    }

    /// Lets it write and commit. Returns its success and standard error.
    fn go_on(mut self) -> (bool, String) {
        self.0.stdin.take().unwrap().write_all(b"new").unwrap();
        let (status, said) = self.end();
        assert_eq!(status.signal(), None, "{said}");
        (status.success(), said)
    }

    /// Waits for the end. Returns its status and standard error.
    fn end(mut self) -> (ExitStatus, String) {
        // The end of its input would let it continue.
        let _stdin = self.0.stdin.take();
        let out = self.0.wait_with_output().unwrap();
        (out.status, String::from_utf8_lossy(&out.stderr).into_owned())
    }
}

/// Returns the content of `f`, the only file in the directory.
fn alone(dir: &Dir) -> String {
    assert_eq!(names(dir), ["f"]);
    text(dir.path("f"))
}

#[test]
fn a_name_without_a_directory_is_of_this_one() {
    let dir = Dir::of(&[("f", b"old")]);
    let Some(child) = Begun::by("exec \"$@\"", &dir) else { return };
    assert_eq!(child.go_on(), (true, String::new()));
    assert_eq!(alone(&dir), "new");
}

#[test]
fn the_umask_is_for_new_files_only() {
    let dir = Dir::new();
    for (before, after) in [(None, 0o640), (Some(0o666), 0o666)] {
        if let Some(before) = before {
            set_mode(dir.path("f"), before);
        }
        let Some(child) = Begun::by("umask 027; exec \"$@\"", &dir) else { return };
        assert_eq!(child.go_on(), (true, String::new()));
        assert_eq!(mode(dir.path("f")), after);
    }
}

#[test]
fn a_fatal_signal_removes_temporary_files() {
    for signal in fatal_signals() {
        let dir = Dir::of(&[("f", b"old")]);
        let Some(child) = Begun::by("exec \"$@\"", &dir) else { return };
        assert_eq!(names(&dir).len(), 3);
        child.send(signal);
        assert_eq!(child.end().0.signal(), Some(signal));
        assert_eq!(alone(&dir), "old");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_lack_of_memory_leaves_no_temporary_file() {
    use crate::common::bin::raw;
    if emulated() {
        return skipped("a lack of memory", "an emulator has memory of its own");
    }
    let mut aborts = 0;
    // What the program and its code take differs between machines.
    for kib in (8 << 10..64 << 10).step_by(512) {
        let dir = Dir::of(&[("f", &b"a".repeat(3_000_000)), ("o", b"old")]);
        let script = format!("ulimit -v {kib}; exec \"$0\" decode -f latin1 -o o f");
        let mut command = Command::new("sh");
        command.args(["-c", &script]).arg(raw().get_program()).current_dir(dir.path("."));
        let done = command.output().unwrap();
        aborts += u32::from(done.status.signal() == Some(libc::SIGABRT));
        assert_eq!(names(&dir), ["f", "o"], "{kib} KiB: {done:?}");
        if done.status.success() {
            break;
        }
        assert_eq!(text(dir.path("o")), "old", "{kib} KiB");
    }
    // Other allocators may find memory elsewhere, or the program may not start with less.
    assert!(aborts > 0 || !cfg!(target_env = "musl"));
}

#[test]
fn two_signals_leave_no_trace() {
    for round in 0..300 {
        let dir = Dir::of(&[("f", b"old")]);
        let Some(child) = Begun::by("exec \"$@\"", &dir) else { return };
        child.send(libc::SIGTERM);
        // Before the first arrives, while it is handled, after that.
        let pause = Instant::now();
        while pause.elapsed() < Duration::from_nanos(round * 150) {}
        child.send(if round % 2 == 0 { libc::SIGTERM } else { libc::SIGINT });
        let signal = child.end().0.signal();
        assert!([Some(libc::SIGTERM), Some(libc::SIGINT)].contains(&signal), "{signal:?}");
        assert_eq!(alone(&dir), "old");
    }
}

#[test]
fn a_signal_that_is_ignored_stays_so() {
    let dir = Dir::of(&[("f", b"old")]);
    let Some(child) = Begun::by("trap '' HUP; exec \"$@\"", &dir) else { return };
    child.send(libc::SIGHUP);
    assert_eq!(child.go_on(), (true, String::new()));
    assert_eq!(alone(&dir), "new");
}

#[test]
fn a_signal_that_the_program_handles_stays_its_own() {
    let dir = Dir::of(&[("f", b"old")]);
    let script = format!("{OWN_HANDLER}=1 exec \"$@\"");
    let Some(child) = Begun::by(&script, &dir) else { return };
    child.send(libc::SIGTERM);
    assert_eq!(child.go_on(), (true, String::new()));
    assert_eq!(alone(&dir), "new");
}

#[test]
fn a_killed_process_leaves_the_old_file_and_a_later_one_replaces_it() {
    let dir = Dir::of(&[("f", b"old")]);
    let Some(child) = Begun::by("exec \"$@\"", &dir) else { return };
    child.send(libc::SIGKILL);
    child.end();
    assert_eq!(text(dir.path("f")), "old");
    replace(dir.path("f")).unwrap();
    assert_eq!(text(dir.path("f")), "new");
}

#[test]
fn a_limit_of_file_sizes_leaves_the_old_file() {
    let dir = Dir::of(&[("f", b"old")]);
    let script = "trap '' XFSZ; ulimit -f 0; exec \"$@\"";
    let Some(child) = Begun::by(script, &dir) else { return };
    let (done, said) = child.go_on();
    assert!(!done && said.contains("File too large"), "{said}");
    assert_eq!(alone(&dir), "old");
}

/// System calls of a child under strace, some of which fail.
#[cfg(target_os = "linux")]
mod traced {
    use super::*;
    use crate::common::bin::words_of;
    use crate::common::replace::change;
    use crate::common::trace::{calls, go_on, stopped, tracer};

    /// The calls whose order matters; a C library may use any kind of rename.
    const CALLS: &str = "trace=fchown,fsetxattr,fchmod,fsync,rename,renameat,renameat2";

    /// Starts a traced child. Reports a skip if it cannot be traced.
    fn traced(options: &str, dir: &Dir, log: &Dir) -> Option<Begun> {
        let tracer = tracer("the system calls of a child", options, log)?;
        Begun::by(&format!("exec {tracer} \"$@\""), dir)
    }

    #[test]
    fn the_file_is_complete_and_on_the_disk_before_it_takes_the_place() {
        let (dir, log) = (Dir::of(&[("f", b"old")]), Dir::new());
        set_mode(dir.path("f"), 0o4755);
        let mut expected = vec!["fchmod", "fsync", "rename", "fsync"];
        if is_root() {
            std::os::unix::fs::chown(dir.path("f"), Some(1234), None).unwrap();
            set_mode(dir.path("f"), 0o4755);
            expected.insert(0, "fchown");
        }
        let Some(child) = traced(&format!("-e {CALLS}"), &dir, &log) else { return };
        assert_eq!(child.go_on(), (true, String::new()));
        let made = calls(&log);
        let names: Vec<_> = made
            .iter()
            .map(|call| call.name.trim_end_matches("at2").trim_end_matches("at"))
            .collect();
        assert_eq!(names, expected, "{made:?}");
    }

    #[test]
    fn a_call_that_fails_leaves_the_old_file() {
        let attributes = format!("its extended attributes cannot be kept: {}", words_of(libc::EIO));
        for (call, why) in [
            ("fchmod:error=EPERM", "its mode cannot be kept: Operation not permitted"),
            ("flistxattr:error=EIO", &attributes),
            ("fsync:error=EDQUOT", &words_of(libc::EDQUOT)),
            ("/^rename:error=EBUSY", "cannot be replaced: is mounted by itself"),
        ] {
            let (dir, log) = (Dir::of(&[("f", b"old")]), Dir::new());
            set_mode(dir.path("f"), 0o644);
            let Some(child) = traced(&format!("-e inject={call}"), &dir, &log) else { return };
            let (done, said) = child.go_on();
            assert!(!done && said.contains(why), "{call}: {said}");
            assert_eq!(alone(&dir), "old", "{call}");
        }
    }

    #[test]
    fn a_change_at_the_last_moment_is_not_lost() {
        let (dir, log) = (Dir::of(&[("f", b"old")]), Dir::new());
        let Some(mut child) = traced("-e inject=fsync:signal=STOP:when=1", &dir, &log) else {
            return;
        };
        child.0.stdin.take().unwrap().write_all(b"new").unwrap();
        let stopped = stopped(&mut child.0, &log).expect("it does not stop");
        change(&dir.path("f"), |path| std::fs::write(path, "theirs").unwrap());
        go_on(stopped);
        let (status, said) = child.end();
        assert!(!status.success() && said.contains("changed during the rewrite"), "{said}");
        assert_eq!(alone(&dir), "theirs");
    }

    #[test]
    fn failed_syncs_are_reported() {
        let (dir, log) = (Dir::of(&[("f", b"old")]), Dir::new());
        let Some(child) = traced("-e inject=fsync:error=EIO:when=2", &dir, &log) else { return };
        let (done, said) = child.go_on();
        assert!(!done && said.contains("was replaced, but"), "{said}");
        assert_eq!(alone(&dir), "new");
    }
}
