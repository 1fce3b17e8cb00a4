//! In-place repair with a failure or a signal at each system call.

#![cfg(target_os = "linux")]

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::ExitStatusExt;

use crate::common::bin::{Dir, utf8, words_of};
use crate::common::in_place::{
    MODE, calls_on_files, calls_with, content, ended, faulty, in_place, new, old, temporaries,
    traced,
};
use crate::common::replace::{mode, names, text};
use crate::common::trace::{Call, calls, each, inject, nth, tracer};

const BACKUP: [&str; 3] = ["--backup", ".orig", "f"];

/// Checks that the file has the old or the new content in full, and that a backup has the old one.
/// Returns `true` for the new content.
fn whole(dir: &Dir, backup: bool, call: &Call) -> bool {
    let now = content(dir, "f").unwrap_or_default();
    assert!(now == old() || now == new(), "{call:?}: {} bytes", now.len());
    assert_eq!(mode(dir.path("f")), MODE, "{call:?}");
    let kept = content(dir, "f.orig");
    let torn = kept.as_ref().is_some_and(|kept| *kept != old());
    assert!(!torn, "{call:?}: the backup is torn");
    assert!(!backup || now == old() || kept == Some(old()), "{call:?}: the old content is lost");
    now == new()
}

/// Checks that a later run repairs the file; a backup of an unfinished replacement must be removed
/// first.
fn later(dir: &Dir, args: &[&str], call: &Call) {
    if content(dir, "f") == Some(old()) && content(dir, "f.orig").is_some() {
        let (code, said) = ended(&in_place(dir, args).output().unwrap());
        assert!(said.starts_with("utf8: f: f.orig exists, "), "{call:?}: {said}");
        assert!(code == Some(2) && !whole(dir, true, call), "{call:?}");
        fs::remove_file(dir.path("f.orig")).unwrap();
    }
    let done = in_place(dir, args).output().unwrap();
    assert_eq!(ended(&done), (Some(0), String::new()), "{call:?}");
    assert!(whole(dir, args.len() > 1, call), "{call:?}");
}

// Signals

/// Ends the repair by a signal at each call.
fn killed(case: &str, args: &[&str], calls: &[Call], signal: libc::c_int, named: &str) {
    let backup = args.len() > 1;
    each(calls, |call| {
        let dir = faulty();
        let before = fs::metadata(dir.path("f")).unwrap();
        let Some((done, _)) = traced(case, &inject(call, named), &dir, args) else { return };
        assert_eq!(done.status.signal(), Some(signal), "{call:?}: {done:?}");
        let replaced = whole(&dir, backup, call);
        let after = fs::metadata(dir.path("f")).unwrap();
        assert_eq!(replaced, after.ino() != before.ino(), "{call:?}");
        let (before, after) = (before.modified().unwrap(), after.modified().unwrap());
        assert!(if replaced { after >= before } else { after == before }, "{call:?}");
        if signal == libc::SIGKILL {
            return later(&dir, args, call);
        }
        assert_eq!(temporaries(&dir), 0, "{call:?}");
        assert_eq!(content(&dir, "f.orig").is_some(), backup && replaced, "{call:?}");
        later(&dir, args, call);
    });
}

#[test]
fn a_kill_at_any_call_leaves_the_old_file_or_the_new_one() {
    let case = "a kill at any call";
    let calls = calls_on_files(case, &["f"]);
    killed(case, &["f"], &calls, libc::SIGKILL, "signal=KILL");
}

#[test]
fn a_kill_at_any_call_leaves_the_old_content_in_the_file_or_in_its_backup() {
    let case = "a kill at any call, with a backup";
    let calls = calls_on_files(case, &BACKUP);
    killed(case, &BACKUP, &calls, libc::SIGKILL, "signal=KILL");
}

#[test]
fn a_signal_at_any_call_leaves_no_temporary_file() {
    let case = "a signal at any call";
    let calls = calls_on_files(case, &["f"]);
    killed(case, &["f"], &calls, libc::SIGTERM, "signal=TERM");
    let writes: Vec<_> = calls.into_iter().filter(|call| call.name == "write").collect();
    killed(case, &["f"], &writes, libc::SIGINT, "signal=INT");
    killed(case, &["f"], &writes, libc::SIGHUP, "signal=HUP");
}

#[test]
fn a_signal_removes_what_was_to_be_a_backup_too() {
    let case = "a signal at any call, with a backup";
    let calls = calls_on_files(case, &BACKUP);
    // Before a query of a file, the same files are to be removed as before the call after it.
    let copied = calls
        .into_iter()
        .filter(|call| !["close", "fstatfs", "newfstatat", "statx"].contains(&&*call.name));
    killed(case, &BACKUP, &copied.collect::<Vec<_>>(), libc::SIGTERM, "signal=TERM");
}

// Errors

/// Makes each call fail with an error. The run reports it and leaves no temporary file.
fn failing(case: &str, args: &[&str], calls: &[Call], error: &str) {
    each(calls, |call| {
        let dir = faulty();
        let Some((done, _)) = traced(case, &inject(call, error), &dir, args) else { return };
        let replaced = whole(&dir, args.len() > 1, call);
        assert!(replaced || content(&dir, "f.orig").is_none(), "{call:?}: a backup of nothing");
        let (code, said) = ended(&done);
        match code {
            Some(0) => assert!(replaced && said.is_empty(), "{call:?}: {said}"),
            Some(2) => {
                assert!(said.starts_with("utf8: f: ") && said.lines().count() == 1, "{said}");
                assert_eq!(replaced, said.contains("f: was replaced, but"), "{call:?}: {said}");
            }
            _ => panic!("{call:?}: {done:?}"),
        }
        assert_eq!(temporaries(&dir), 0, "{call:?}: {said}");
        later(&dir, args, call);
    });
}

#[test]
fn an_error_of_any_call_leaves_the_old_file_or_is_none() {
    let case = "an error of any call";
    failing(case, &["f"], &calls_on_files(case, &["f"]), "error=EIO");
}

#[test]
fn an_error_of_any_call_leaves_the_old_content_in_the_file_or_in_its_backup() {
    let case = "an error of any call, with a backup";
    failing(case, &BACKUP, &calls_on_files(case, &BACKUP), "error=EIO");
}

#[test]
fn interrupted_calls_are_repeated() {
    let case = "an interruption";
    let again = ["fsync", "openat", "pread64", "write"];
    let calls = calls_on_files(case, &BACKUP);
    let calls: Vec<_> = calls.into_iter().filter(|call| again.contains(&&*call.name)).collect();
    each(&calls, |call| {
        let dir = faulty();
        let Some((done, _)) = traced(case, &inject(call, "error=EINTR"), &dir, &BACKUP) else {
            return;
        };
        assert_eq!(ended(&done), (Some(0), String::new()), "{call:?}");
        assert!(whole(&dir, true, call), "{call:?}");
    });
}

#[test]
fn failures_are_reported() {
    let case = "what has failed";
    let calls = calls_on_files(case, &["f"]);
    if calls.is_empty() {
        return;
    }
    let written = ".tmp>";
    let [io, quota] = [libc::EIO, libc::EDQUOT].map(words_of);
    for (call, error, why) in [
        (nth(&calls, "pread64", "/f>", 0), "EIO", &*io),
        (nth(&calls, "pread64", "/f>", 1), "EIO", &io),
        (nth(&calls, "openat", "O_CREAT", 0), "EROFS", "Read-only file system"),
        (nth(&calls, "write", written, 0), "EDQUOT", &quota),
        (nth(&calls, "write", written, 1), "ENOSPC", "No space left on device (make room"),
        (nth(&calls, "fchmod", written, 0), "EPERM", "its mode cannot be kept: Operation"),
        (nth(&calls, "fsync", written, 0), "EIO", &io),
        (nth(&calls, "rename", "\"f\"", 0), "EBUSY", "cannot be replaced: is mounted by itself"),
        (nth(&calls, "fsync", "", 1), "EIO", "was replaced, but it is not certain"),
    ] {
        let options = inject(call, &format!("error={error}"));
        let (done, _) = traced(case, &options, &faulty(), &["f"]).expect("it was traced before");
        let (code, said) = ended(&done);
        assert_eq!(code, Some(2));
        assert!(said.starts_with(&format!("utf8: f: {why}")), "{call:?}: {said}");
    }
}

#[test]
fn an_error_of_one_file_does_not_stop_the_others() {
    let case = "trouble with the second of three files";
    let three = || {
        let dir = faulty();
        ["g", "h"].iter().for_each(|name| dir.write(name, b"\xFF"));
        dir
    };
    let args = ["f", "g", "h"];
    let Some((_, log)) = traced(case, "", &three(), &args) else { return };
    let rename = nth(&calls(&log), "rename", "\"g\"", 0).clone();
    let dir = three();
    let (done, _) = traced(case, &inject(&rename, "error=EIO"), &dir, &args).unwrap();
    let (code, said) = ended(&done);
    assert_eq!((code, said.lines().count()), (Some(2), 1), "{said}");
    assert!(said.starts_with("utf8: g: cannot be replaced"), "{said}");
    assert!(content(&dir, "f").unwrap() == new() && content(&dir, "g").unwrap() == b"\xFF");
    assert_eq!((text(dir.path("h")), names(&dir).len()), ("\u{FFFD}".into(), 3));
}

#[test]
fn a_temporary_file_that_stays_is_named() {
    let case = "a temporary file that cannot be removed";
    // In Windows-1252, so that the file is left as it is.
    let dir = Dir::of(&[("f", b"caf\xE9 na\xEFve \xE9t\xE9\n")]);
    let Some((done, _)) = traced(case, "-e inject=unlinkat:error=EIO", &dir, &["f"]) else {
        return;
    };
    let (code, said) = ended(&done);
    let left = names(&dir).into_iter().find(|name| name != "f").expect("a temporary file");
    let left = left.to_str().unwrap();
    let expected = format!("utf8: f: the temporary file {left} is left beside it: ");
    assert!(code == Some(2) && said.starts_with(&expected), "{code:?} {said}");
    assert!(said.contains("(remove it)"), "{said}");
}

#[test]
fn files_that_stay_after_an_error_are_named() {
    // As in an append-only directory (chattr +a).
    let stays = "-e inject=unlinkat,rename,renameat,renameat2:error=EPERM";
    for args in [&["f"][..], &BACKUP] {
        let dir = Dir::of(&[("f", b"\xFF")]);
        let Some((done, _)) = traced("files that cannot be removed", stays, &dir, args) else {
            return;
        };
        let (code, said) = ended(&done);
        assert_eq!((code, said.lines().count()), (Some(2), 1), "{said}");
        assert!(said.starts_with("utf8: f: cannot be replaced: "), "{said}");
        assert_eq!(content(&dir, "f").unwrap(), b"\xFF");
        let others: Vec<_> = names(&dir).into_iter().filter(|name| name != "f").collect();
        assert_eq!(others.len(), args.len().min(2), "{others:?}");
        for name in others {
            assert!(said.contains(&format!("{} is left", name.to_str().unwrap())), "{said}");
        }
    }
}

#[test]
fn files_that_stay_after_an_error_of_any_call_are_named() {
    let case = "an error of any call, and files that cannot be removed";
    // The backup is a hard link, or a copy.
    for stays in ["-e inject=unlinkat:error=EPERM", "-e inject=unlinkat,linkat:error=EPERM"] {
        let calls = calls_with(case, stays, &BACKUP);
        let calls: Vec<_> = calls.into_iter().filter(|call| !stays.contains(&call.name)).collect();
        each(&calls, |call| {
            let dir = faulty();
            let options = format!("{stays} {}", inject(call, "error=EIO"));
            let Some((done, _)) = traced(case, &options, &dir, &BACKUP) else { return };
            let (_, said) = ended(&done);
            let replaced = content(&dir, "f").unwrap() == new();
            for name in names(&dir) {
                let name = name.to_str().unwrap();
                let is_wanted = name == "f" || replaced && name == "f.orig";
                assert!(is_wanted || said.contains(&format!("{name} is left")), "{call:?}: {said}");
            }
        });
    }
}

// Calls that must not occur

#[test]
fn a_file_without_faults_is_only_read() {
    let dir = Dir::of(&[("f", b"fine")]);
    let Some((done, log)) = traced("a file without faults", "", &dir, &BACKUP) else { return };
    assert_eq!(ended(&done), (Some(0), String::new()));
    let calls = calls(&log);
    let writes = ["O_CREAT", "O_WRONLY", "O_RDWR", "O_TRUNC"];
    for call in &calls {
        let changes = ["write", "rename", "unlink", "fchmod", "truncate", "fsync", "utimens"];
        assert!(!changes.iter().any(|name| call.name.contains(name)), "{call:?}");
        assert!(!writes.iter().any(|flag| call.text.contains(flag)), "{call:?}");
    }
    assert_eq!(names(&dir), ["f"]);
}

#[test]
fn a_file_that_is_rewritten_is_never_mapped() {
    let case = "the mappings of a run";
    let args = ["--mmap", "always", "f"];
    let Some((_, log)) = traced(case, "", &faulty(), &args) else { return };
    let mapped =
        |log: &Dir| calls(log).iter().any(|call| call.name == "mmap" && call.text.contains("/f>"));
    assert!(!mapped(&log));
    // Reads are in the log.
    let (dir, log) = (faulty(), Dir::new());
    let tracer = tracer(case, "", &log).unwrap();
    let program = utf8();
    let mut validate = std::process::Command::new("sh");
    validate.args(["-c", &format!("exec {tracer} \"$@\""), "sh"]).arg(program.get_program());
    validate.args(["validate", "-q", "--mmap", "always", "f"]).current_dir(dir.path("."));
    assert_eq!(validate.status().unwrap().code(), Some(1));
    assert!(mapped(&log));
}
