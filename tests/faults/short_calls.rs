//! Calls of the C library that transfer a few bytes or are interrupted, by a preloaded library.

#![cfg(target_os = "linux")]

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::os::unix::fs::chown;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use super::every_call::{WORKS, Work, files};
use crate::common::bin::{Dir, emulated, raw, skipped, without_time};
use crate::common::each;

#[rustfmt::skip]
const MORE: &[Work] = &[
    Work { args: &["validate"], files: texts },
    Work { args: &["validate", "--format", "json", "--stats", "--mmap", "never", "f", "-"], files: texts },
    Work { args: &["validate", "--files-from", "names", "--format", "sarif=out"], files: texts },
    Work { args: &["validate", "--quiet", "--mmap", "never", "f"], files: texts },
    Work { args: &["validate", "-f", "utf-7", "--deny", "strict"], files: texts },
    Work { args: &["validate", "--ranges", "1k", "--lines", "f"], files: texts },
    Work { args: &["decode", "-f", "latin1", "-t", "utf-16le"], files: texts },
    Work { args: &["decode", "-t", "json", "--on-error", "replace", "f"], files: texts },
    Work { args: &["decode", "-f", "auto", "--on-error", "replace"], files: texts },
    Work { args: &["encode", "-t", "windows-1252", "--on-error", "replace"], files: texts },
    Work { args: &["encode", "-f", "latin1", "-t", "utf-16be", "-i", "f"], files: texts },
    Work { args: &["repair"], files: texts },
    Work { args: &["repair", "--undo-mojibake", "--normalize", "nfc", "-v"], files: texts },
    Work { args: &["repair", "-i", "--on-error", "drop-line", "--rejects", "rejects", "f"], files: texts },
    Work { args: &["repair", "-i", "--on-error", "replace", "--backup", "~", "f"], files: texts },
    Work { args: &["repair", "--diff", "f"], files: texts },
    Work { args: &["repair", "-i", "--on-error", "replace", "utf-16", "utf-32"], files: wide },
    Work { args: &["validate", "-f", "utf-32", "--skip", "8", "utf-32"], files: wide },
    Work { args: &["dump-bits"], files: texts },
    Work { args: &["dump-bits", "--format", "json", "--mmap", "never", "f"], files: texts },
    Work { args: &["dump-bits", "--reverse", "dump"], files: texts },
    Work { args: &["dump-bits", "--reverse", "--patch", "out", "dump"], files: texts },
    Work { args: &["detect"], files: texts },
    Work { args: &["detect", "--format", "long", "--mmap", "never", "f"], files: texts },
];

/// The calls that the commands are known to make.
const EXPECTED: [&str; 7] =
    ["read", "pread64", "write", "open", "fsync", "copy_file_range", "flock"];

/// Returns lines with characters of all lengths, double encoding and ill-formed sequences.
fn text() -> Vec<u8> {
    b"plain\ncaf\xC3\xA9 \xE8\xAA\x9E \xF0\x9F\x98\x80\ncaf\xC3\x83\xC2\xA9\r\n\xC0\xAF \xED\xA0\xBD\xFF\n".repeat(40)
}

/// A text, names of files, a dump and an old output.
fn texts(dir: &Dir) {
    dir.write("f", text());
    // Its replacement must be given to the same user.
    give_away(dir);
    dir.write("names", "f\nmissing\nf\n");
    dir.write("out", "old");
    let dump = raw().args(["dump-bits", "f"]).current_dir(dir.path("")).output().unwrap();
    dir.write("dump", dump.stdout);
}

/// Gives the text to another user. Returns `true` if that is allowed: usually only root may.
fn give_away(dir: &Dir) -> bool {
    chown(dir.path("f"), Some(1), None).is_ok()
}

/// UTF-16 without a BOM, and UTF-32 with one.
fn wide(dir: &Dir) {
    let text = "plain text\ncaf\u{E9}\n";
    dir.write("utf-16", text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>());
    let units = text.chars().flat_map(|c| (c as u32).to_le_bytes());
    dir.write("utf-32", [vec![0xFF, 0xFE, 0, 0], units.collect()].concat());
}

/// Compiles the library. Reports a skip and returns `None` if it cannot be preloaded.
fn library(dir: &Dir) -> Option<PathBuf> {
    const CASE: &str = "short and interrupted calls";
    if emulated() || cfg!(target_feature = "crt-static") {
        skipped(CASE, "the binary loads no library");
        return None;
    }
    let path = dir.path("short_calls.so");
    let mut compiler = Command::new("cc");
    compiler.args(["-shared", "-fPIC", "-x", "c", "-", "-ldl", "-o"]).arg(&path);
    let Ok(mut child) = compiler.stdin(Stdio::piped()).spawn() else {
        skipped(CASE, "cc is not installed");
        return None;
    };
    child.stdin.take().unwrap().write_all(include_bytes!("short_calls.c")).unwrap();
    assert!(child.wait().unwrap().success(), "cc fails");
    Some(path)
}

#[test]
fn short_and_interrupted_calls_change_nothing() {
    let dir = Dir::new();
    let Some(library) = library(&dir) else { return };
    let works: Vec<_> = WORKS.iter().chain(MORE).enumerate().collect();
    each(&works, |(number, work)| {
        let log = dir.path(format!("log-{number}"));
        let run = |is_preloaded: bool| {
            let files_of_run = work.dir();
            let mut command = raw();
            if is_preloaded {
                command.env("LD_PRELOAD", &library).env("SHORT_CALLS_LOG", &log);
            }
            command.args(work.args).current_dir(files_of_run.path(""));
            let mut command = assert_cmd::Command::from_std(command);
            let done = command.write_stdin(text()).timeout(Duration::from_secs(120)).output();
            let done = done.unwrap();
            let messages = without_time(str::from_utf8(&done.stderr).unwrap());
            (done.status, done.stdout, messages, files(&files_of_run))
        };
        let (short, usual) = (run(true), run(false));
        assert!(short == usual, "{:?}: {} {}", work.args, short.0, short.2);
        assert!(log.exists(), "{:?}: the library is not loaded", work.args);
    });
    let logs = works.iter().map(|(number, _)| dir.path(format!("log-{number}")));
    let logs: String = logs.map(|log| fs::read_to_string(log).unwrap()).collect();
    assert!(!logs.contains("not repeated"), "{logs}");
    let changed: BTreeSet<_> = logs.lines().filter_map(|line| line.split(' ').next()).collect();
    let was_changed = |call| {
        assert!(changed.contains(call), "no {call} was short or interrupted: {changed:?}");
    };
    EXPECTED.into_iter().for_each(was_changed);
    match give_away(&Dir::of(&[("f", b"")])) {
        true => was_changed("fchown"),
        false => skipped("interrupted fchown", "files cannot be given to another user"),
    }
}
