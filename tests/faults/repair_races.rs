//! In-place repair while another process changes the file.

#![cfg(target_os = "linux")]

use std::fs;
use std::io::Write;
use std::process::Stdio;

use crate::common::bin::Dir;
use crate::common::in_place::{
    calls_on_files, content, ended, faulty, in_place, new, old, scripted, temporaries,
};
use crate::common::replace::names;
use crate::common::trace::{Call, each, go_on, inject, nth, stopped, tracer};

/// The content that the other process writes.
const THEIRS: &[u8] = b"theirs \xFF";

/// Repairs the file and runs `disturb` after a call.
fn disturbed(
    case: &str,
    dir: Dir,
    call: &Call,
    how: fn(&Dir),
) -> Option<(Dir, Option<i32>, String)> {
    let log = Dir::new();
    let script = format!("exec {} {} \"$@\"", tracer(case, "", &log)?, inject(call, "signal=STOP"));
    let mut command = scripted(&script, &dir, &["f"]);
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    let pid = stopped(&mut child, &log).unwrap_or_else(|| panic!("{call:?}: it does not stop"));
    how(&dir);
    go_on(pid);
    let (code, said) = ended(&child.wait_with_output().unwrap());
    assert_eq!(temporaries(&dir), 0, "{call:?}: {said}");
    Some((dir, code, said))
}

/// Returns the calls after which a change must be noticed; no system call combines the last check
/// and the rename.
fn before_the_last_look(mut calls: Vec<Call>) -> Vec<Call> {
    let rename = calls.iter().position(|call| call.name.starts_with("rename")).unwrap_or_default();
    let looks = |call: &Call| call.text.contains("\"f\"") && call.name == "newfstatat";
    calls.truncate(calls[..rename].iter().rposition(looks).unwrap_or_default());
    calls
}

#[test]
fn a_file_that_is_replaced_meanwhile_is_not_lost() {
    let case = "a file that is replaced meanwhile";
    let calls = before_the_last_look(calls_on_files(case, &["f"]));
    each(&calls, |call| {
        let replaced = |dir: &Dir| {
            dir.write("theirs", THEIRS);
            fs::rename(dir.path("theirs"), dir.path("f")).unwrap();
        };
        let Some((dir, code, said)) = disturbed(case, faulty(), call, replaced) else { return };
        let now = content(&dir, "f").unwrap_or_default();
        match code {
            Some(0) => assert_eq!(now, "theirs \u{FFFD}".as_bytes(), "{call:?}"),
            Some(2) => assert!(now == THEIRS && said.contains("changed"), "{call:?}: {said}"),
            _ => panic!("{call:?}: {code:?} {said}"),
        }
    });
}

fn grow(dir: &Dir) {
    let mut file = fs::File::options().append(true).open(dir.path("f")).unwrap();
    file.write_all(b"more").unwrap();
}

fn shrink(dir: &Dir) {
    fs::File::options().write(true).open(dir.path("f")).unwrap().set_len(9).unwrap();
}

fn cure(dir: &Dir) {
    dir.write("f", b"fine");
}

#[test]
fn a_file_changed_between_reads_is_reported_and_left() {
    let case = "a file that changes between two reads";
    let long = || {
        let dir = faulty();
        dir.write("f", old().repeat(4));
        dir
    };
    let calls = calls_on_files(case, &["f"]);
    let Some(first) = calls.iter().find(|call| call.name == "pread64") else { return };
    for how in [grow, shrink] {
        let changed = long();
        how(&changed);
        let (dir, code, said) = disturbed(case, long(), first, how).unwrap();
        assert!(content(&dir, "f") == content(&changed, "f"), "{said}");
        assert_eq!(code, Some(2));
        assert!(said.starts_with("utf8: f: changed while it was read (run again"), "{said}");
    }
}

#[test]
fn a_file_changed_during_a_read_is_reported_and_left() {
    let case = "a file that changes while it is read";
    let calls = before_the_last_look(calls_on_files(case, &["f"]));
    if calls.is_empty() {
        return;
    }
    for how in [grow, shrink, cure] {
        let changed = faulty();
        how(&changed);
        let changed = content(&changed, "f").unwrap();
        // After the read, and after the comparison with the output.
        for number in 0..2 {
            let call = nth(&calls, "pread64", "/f>", number);
            let (dir, code, said) = disturbed(case, faulty(), call, how).unwrap();
            assert!(code == Some(2) && content(&dir, "f").unwrap() == changed, "{code:?} {said}");
            assert!(said.starts_with("utf8: f: ") && said.contains("changed"), "{said}");
        }
    }
    // After the start of the replacement.
    let (dir, code, said) =
        disturbed(case, faulty(), nth(&calls, "openat", "O_CREAT", 0), cure).unwrap();
    assert_eq!((code, content(&dir, "f")), (Some(2), Some(b"fine".to_vec())));
    assert!(said.starts_with("utf8: f: changed during the rewrite; not replaced"), "{said}");
}

#[test]
fn several_at_once_leave_a_whole_file() {
    for _ in 0..4 {
        let dir = faulty();
        let spawn = |_| in_place(&dir, &["f"]).stderr(Stdio::piped()).spawn().unwrap();
        let children: Vec<_> = (0..6).map(spawn).collect();
        for child in children {
            let (code, said) = ended(&child.wait_with_output().unwrap());
            assert!(code == Some(0) || said.contains("changed"), "{code:?}: {said}");
        }
        assert!(content(&dir, "f").unwrap() == new() && names(&dir).len() == 1);
    }
}
