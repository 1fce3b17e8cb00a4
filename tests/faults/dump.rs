//! `utf8 dump-bits` under adverse conditions.

use std::fs::File;
use std::io::{Read, Write};
use std::process::{Child, Stdio};

use crate::common::bin::{Dir, raw};

/// Options of dumps.
const WAYS: &[&[&str]] = &[
    &[],
    &["--no-fold"],
    &["--layout", "bytes"],
    &["-c", "16"],
    &["-c", "16", "--squeeze", "--color", "always"],
    &["-p"],
    &["--format", "json"],
    &["--format", "html"],
    &["--only-ill-formed", "--context", "3"],
    &["--only-ill-formed", "--layout", "bytes"],
    &["--only-ill-formed", "--format", "json"],
];

/// Starts `utf8 dump-bits` with pipes.
fn spawn(args: &[&str]) -> Child {
    let mut command = raw();
    command.arg("dump-bits").args(args);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

#[test]
fn a_closed_pipe_ends_an_endless_run_quietly() {
    for way in WAYS {
        let mut child = spawn(way);
        let mut stdin = child.stdin.take().unwrap();
        let feeder =
            std::thread::spawn(move || while stdin.write_all(b"a\xC3\xA9\xFF\n").is_ok() {});
        let mut start = [0; 64];
        child.stdout.take().unwrap().read_exact(&mut start).unwrap();
        let out = child.wait_with_output().unwrap();
        assert_eq!(out.status.code(), Some(0), "{way:?}");
        assert!(out.stderr.is_empty(), "{way:?}");
        feeder.join().unwrap();
    }
}

#[test]
fn a_full_device_is_trouble() {
    let dir = Dir::of(&[("f", &b"a\xC3\xA9\xFF\n".repeat(9999))]);
    for way in WAYS {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let mut command = raw();
        let run = command.arg("dump-bits").args(*way).arg(dir.path("f")).stdout(full);
        let out = run.output().unwrap();
        let error = String::from_utf8_lossy(&out.stderr).into_owned();
        assert_eq!(out.status.code(), Some(2), "{way:?}: {error}");
        assert!(error.starts_with("utf8: standard output: "), "{way:?}: {error}");
    }
}

#[test]
fn decided_rows_are_written_at_once() {
    for way in [&["--no-fold"][..], &["-c", "1"], &["--format", "json"]] {
        let mut child = spawn(way);
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(b"\xC3\xA9").unwrap();
        let mut start = [0; 10];
        child.stdout.as_mut().unwrap().read_exact(&mut start).unwrap();
        drop(stdin);
        assert!(child.wait_with_output().unwrap().status.success());
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_long_stream_takes_no_more_memory() {
    use crate::common::bin::{emulated, peak, skipped};
    /// The limit in KiB for any input.
    const MOST: u64 = 10 << 10;
    if emulated() {
        return skipped("the memory of a dump", "an emulator has memory of its own");
    }
    let block =
        [&"Ein Satz, 日本語の文, ещё одно 😀.\n".repeat(9).into_bytes()[..], b"\xFF\xC0\xAF"]
            .concat();
    for way in WAYS {
        let mut child = spawn(way);
        let mut stdin = child.stdin.take().unwrap();
        let mut stdout = child.stdout.take().unwrap();
        let reader = std::thread::spawn(move || std::io::copy(&mut stdout, &mut std::io::sink()));
        (0..20_000).for_each(|_| stdin.write_all(&block).unwrap());
        let peak = peak(&child);
        drop(stdin);
        assert!(child.wait().unwrap().success());
        reader.join().unwrap().unwrap();
        assert!(peak < MOST, "{way:?}: {peak} KiB");
    }
}
