//! Files that change while they are read.

use std::fs::{self, File};
use std::io::Write;

use crate::common::bin::Dir;

use super::error;
use crate::common::bin::Piped;

/// Returns a file whose report fills a pipe, so that its reader must continue first. A hole of
/// `hole` bytes follows the issues.
fn slow(hole: u64) -> Dir {
    let dir = Dir::of(&[("f", &[0xFF; 1 << 16])]);
    File::options().write(true).open(dir.path("f")).unwrap().set_len((1 << 16) + hole).unwrap();
    dir
}

/// Runs a slow file, and `happens` while the report waits.
fn meanwhile(how: &str, hole: u64, happens: impl FnOnce(&Dir)) -> (Option<i32>, String, String) {
    let dir = slow(hole);
    let mut run = Piped::new(dir.raw().args(["--max-shown", "none", "--mmap", how, "f"]));
    assert_eq!(run.line(), "f:1:1: byte 0x0 (0): byte FF starts no sequence [invalid-fe-ff]\n");
    happens(&dir);
    run.end()
}

fn changed((status, _, error): (Option<i32>, String, String), what: &str) {
    let said = "utf8: f: changed while it was read (";
    assert!(error.contains(said), "{what}: {error}");
    assert_eq!(status, Some(2), "{what}");
}

#[test]
fn a_file_that_shrinks_while_it_is_read_is_trouble() {
    for how in ["auto", "always", "never"] {
        for left in [0, 1, 4096, 1 << 16, 1 << 20] {
            let shrink = |dir: &Dir| {
                File::options().write(true).open(dir.path("f")).unwrap().set_len(left).unwrap();
            };
            changed(meanwhile(how, 32 << 20, shrink), &format!("mapped {how}, {left} bytes left"));
        }
    }
}

#[test]
fn a_file_that_grows_while_it_is_read_is_trouble() {
    for how in ["auto", "always", "never"] {
        let grow = |dir: &Dir| {
            let mut file = File::options().append(true).open(dir.path("f")).unwrap();
            file.write_all(b"more\xFF").unwrap();
        };
        changed(meanwhile(how, 1 << 20, grow), how);
    }
}

#[test]
fn a_file_that_is_swapped_while_it_is_read_is_trouble() {
    for how in ["auto", "always", "never"] {
        let swap = |dir: &Dir| {
            dir.write("other", b"\xFF");
            fs::rename(dir.path("other"), dir.path("f")).unwrap();
        };
        changed(meanwhile(how, 1 << 20, swap), how);
    }
}

#[test]
fn a_file_that_changed_has_no_summary_in_json() {
    let dir = slow(1 << 20);
    let mut run = Piped::new(dir.raw().args(["--format", "json", "--mmap", "always", "f"]));
    assert!(run.line().starts_with("{\"type\":\"finding\""));
    File::options().write(true).open(dir.path("f")).unwrap().set_len(0).unwrap();
    let (status, rest, _) = run.end();
    let objects = crate::common::bin::objects(rest.as_bytes());
    let last = objects.last().unwrap();
    assert_eq!((&last["type"], &last["path"]), (&"trouble".into(), &"f".into()));
    assert!(!rest.contains("\"type\":\"summary\""));
    assert_eq!(status, Some(2));
}

#[test]
fn files_after_a_changed_one_are_processed() {
    let dir = slow(1 << 20);
    dir.write("g", b"\xC0\xAF");
    let mut run = Piped::new(dir.raw().args(["--max-shown", "none", "--mmap", "always", "f", "g"]));
    run.line();
    File::options().write(true).open(dir.path("f")).unwrap().set_len(0).unwrap();
    let (status, rest, _) = run.end();
    assert!(rest.ends_with("overlong 2-byte form C0 AF of U+002F [overlong-2]\n"));
    assert_eq!(status, Some(2));
}

#[test]
fn repeated_truncation_of_a_file_does_not_crash() {
    const LEN: u64 = 8 << 20;
    let dir = Dir::of(&[("f", b"")]);
    let file = File::options().write(true).open(dir.path("f")).unwrap();
    file.set_len(LEN).unwrap();
    std::thread::scope(|scope| {
        let (done, asked) = std::sync::mpsc::channel::<()>();
        scope.spawn(|| {
            let asked = asked;
            while asked.try_recv() == Err(std::sync::mpsc::TryRecvError::Empty) {
                for len in [LEN / 2, 4097, 0, LEN] {
                    file.set_len(len).unwrap();
                }
            }
        });
        for run in 0..30 {
            let how = if run % 3 == 0 { "auto" } else { "always" };
            let out = dir.raw().args(["--mmap", how, "f"]).output().unwrap();
            let said = error(&out);
            match out.status.code() {
                Some(0) => assert_eq!(said, ""),
                Some(2) => assert!(said.contains("changed while it was read"), "{said}"),
                other => panic!("zeros are well formed, but {other:?}: {said}"),
            }
        }
        drop(done);
    });
}

// Memory
