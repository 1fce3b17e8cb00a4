//! Closed pipes and output that cannot be written.

use std::io::{self, Write};
use std::process::Stdio;

use crate::common::bin::{Dir, raw_validate, shell};

use super::error;
use crate::common::bin::Piped;
#[cfg(target_os = "linux")]
use crate::common::{replace::names, trace::tracer};

#[test]
fn a_closed_pipe_ends_the_run_quietly() {
    let dir = Dir::of(&[("f", &[0xFF; 1 << 20])]);
    for format in ["text", "full", "json", "tsv"] {
        let mut run = Piped::new(dir.raw().args(["--max-shown", "none", "--format", format, "f"]));
        assert_ne!(run.line(), "");
        drop(run.stdout);
        let out = run.child.wait_with_output().unwrap();
        assert_eq!(error(&out), "", "{format}");
        assert_ne!(out.status.code(), Some(2), "{format}");
    }
}

#[test]
fn a_closed_pipe_ends_a_list_of_ranges_quietly() {
    let dir = Dir::of(&[("f", &[b'a'; 1 << 20])]);
    let mut run = Piped::new(dir.raw().args(["--ranges", "1", "f"]));
    assert_eq!(run.line(), "f\t0\t1\n");
    drop(run.stdout);
    let out = run.child.wait_with_output().unwrap();
    assert_eq!((error(&out), out.status.code()), (String::new(), Some(0)));
}

#[test]
fn reports_in_files_are_whole_after_a_closed_pipe() {
    let faults = &[0xFF; 1 << 18][..];
    let dir = Dir::of(&[("a", faults), ("b", faults), ("c", b"\xC0\xAF")]);
    let formats = ["--format=text", "--format=full", "--format=github", "--format=json"];
    for (format, jobs) in formats.iter().flat_map(|format| [(format, "-j1"), (format, "-j3")]) {
        let mut command = dir.raw();
        command.args([jobs, "--max-shown", "none", "--format=tsv=report", format, "a", "b", "c"]);
        let mut run = Piped::new(&mut command);
        assert_ne!(run.line(), "");
        drop(run.stdout);
        let out = run.child.wait_with_output().unwrap();
        assert_eq!(out.status.code(), Some(1), "{format}");
        assert!(!error(&out).contains("not written"), "{format}: {}", error(&out));
        let report = std::fs::read_to_string(dir.path("report")).unwrap();
        assert_eq!(report.lines().count(), 2 * faults.len() + 1, "{format} {jobs}");
        std::fs::remove_file(dir.path("report")).unwrap();
    }
}

#[test]
fn a_closed_pipe_stops_before_the_next_file() {
    let faults = &[0xFF; 1 << 20][..];
    let dir = Dir::of(&[("a", faults), ("b", faults), ("c", faults)]);
    let mut run = Piped::new(dir.raw().args(["--max-shown", "none", "a", "missing", "b", "c"]));
    assert_ne!(run.line(), "");
    drop(run.stdout);
    let out = run.child.wait_with_output().unwrap();
    assert_eq!((error(&out), out.status.code()), (String::new(), Some(1)));
}

#[test]
fn a_closed_pipe_ends_an_endless_run() {
    let mut run = Piped::new(raw_validate().args(["--max-shown", "none"]));
    let mut stdin = run.child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || while stdin.write_all(&[0xFF; 4096]).is_ok() {});
    assert_eq!(run.line(), "-:1:1: byte 0x0 (0): byte FF starts no sequence [invalid-fe-ff]\n");
    drop(run.stdout);
    let out = run.child.wait_with_output().unwrap();
    writer.join().unwrap();
    assert_eq!(error(&out), "");
}

#[test]
fn help_into_a_closed_pipe_is_quiet() {
    for args in [&["--help"][..], &["--list-codecs"]] {
        let (reader, writer) = io::pipe().unwrap();
        drop(reader);
        let out = raw_validate().args(args).stdout(writer).stderr(Stdio::piped()).output().unwrap();
        assert_eq!(error(&out), "", "{args:?}");
    }
}

#[test]
fn a_closed_message_pipe_changes_nothing() {
    let (reader, writer) = io::pipe().unwrap();
    drop(reader);
    let mut command = raw_validate();
    let out =
        command.args(["-xe", "C0 AF"]).stderr(writer).stdout(Stdio::piped()).output().unwrap();
    assert_eq!(out.status.code(), Some(1));
    assert!(out.stdout.ends_with(b"[overlong-2]\n"));
}

// Output that cannot be written

#[test]
#[cfg(target_os = "linux")]
fn a_full_device_is_trouble() {
    for args in [
        &["-xe", "C0 AF"][..],
        &["-xe", "C0 AF", "--format", "full"],
        &["-xe", "C0 AF", "--format", "json"],
        &["-xe", "C0 AF", "--format", "tsv"],
        &["-xe", "41", "--format", "json"],
        &["-xe", "C0 AF", "-c"],
        &["-xe", "C0 AF", "-l"],
        &["-xe", "41", "-L"],
        &["--list-codecs"],
        &["--help"],
    ] {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let out = raw_validate().args(args).stdout(full).stderr(Stdio::piped()).output().unwrap();
        assert!(error(&out).contains("utf8: standard output: No space left on device"), "{args:?}");
        assert_eq!(out.status.code(), Some(2), "{args:?}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_device_stops_a_long_report_at_once() {
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let mut command = raw_validate();
    command.args(["--max-shown", "none"]);
    let mut child =
        command.stdin(Stdio::piped()).stdout(full).stderr(Stdio::piped()).spawn().unwrap();
    // Only the failed write ends the run.
    let mut stdin = child.stdin.take().unwrap();
    while stdin.write_all(&[0xFF; 4096]).is_ok() {}
    let out = child.wait_with_output().unwrap();
    assert_eq!(error(&out).matches("standard output: No space left on device").count(), 1);
    assert_eq!(out.status.code(), Some(2));
}

#[test]
#[cfg(target_os = "linux")]
fn a_message_that_is_lost_is_trouble() {
    let dir = Dir::of(&[("f", b"a\xFF")]);
    for args in [
        &["validate", "-xe", "C0 AF"][..],
        &["repair", "-xe", "C0 AF", "-v"],
        &["repair", "-i", "--on-error=ignore", "f"],
        &["detect", "--nonesuch"],
    ] {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let mut command = crate::common::bin::raw();
        let out = command.args(args).current_dir(dir.path("")).stderr(full).output().unwrap();
        assert_eq!(out.status.code(), Some(2), "{args:?}");
    }
    // The work is done.
    assert_eq!(std::fs::read(dir.path("f")).unwrap(), b"a");
}

#[test]
#[cfg(target_os = "linux")]
fn a_finding_for_a_closed_standard_output_is_trouble() {
    if crate::common::bin::emulated() {
        return crate::common::bin::skipped(
            "a closed standard output",
            "an emulator has descriptors too",
        );
    }
    for args in [&["-xe", "C0 AF"][..], &["-xe", "41", "-c"], &["--list-codecs"]] {
        let out = shell("exec \"$@\" >&-").args(args).output().unwrap();
        assert!(error(&out).contains("utf8: standard output: "), "{args:?}: {}", error(&out));
        assert_eq!(out.status.code(), Some(2), "{args:?}");
    }
}

#[test]
fn closed_standard_output_without_findings_is_no_error() {
    let out = shell("exec \"$@\" >&-").args(["-xe", "41"]).output().unwrap();
    assert_eq!((out.status.code(), error(&out)), (Some(0), String::new()));
}

#[test]
fn a_closed_standard_error_changes_nothing() {
    let dir = Dir::of(&[("bad", b"\xFF")]);
    let mut command = shell("exec \"$@\" 2>&-");
    let out = command.arg(dir.path("bad")).arg(dir.path("missing")).output().unwrap();
    assert!(out.stdout.ends_with(b": byte FF starts no sequence [invalid-fe-ff]\n"));
    assert_eq!(out.status.code(), Some(2));
}

#[test]
#[cfg(target_os = "linux")]
fn a_file_that_may_not_grow_is_trouble() {
    if crate::common::bin::emulated() {
        return crate::common::bin::skipped(
            "a limit of file sizes",
            "an emulator writes files too",
        );
    }
    let dir = Dir::of(&[("f", &[0xFF; 1 << 16])]);
    let mut command = shell("ulimit -f 8 && exec \"$@\"");
    let out = command
        .args(["--max-shown", "none"])
        .arg(dir.path("f"))
        .stdout(std::fs::File::create(dir.path("out")).unwrap());
    let out = out.stderr(Stdio::piped()).output().unwrap();
    assert!(error(&out).contains("utf8: standard output: File too large"), "{}", error(&out));
    assert_eq!(out.status.code(), Some(2));
}

#[test]
#[cfg(target_os = "linux")]
fn a_report_that_stays_after_an_error_of_the_next_is_named() {
    let (dir, log) = (Dir::of(&[("f", b"a")]), Dir::new());
    let case = "a report that cannot be removed";
    let Some(tracer) = tracer(case, "-e inject=unlinkat:error=EPERM", &log) else { return };
    let mut command = shell(&format!("exec {tracer} \"$@\""));
    command.args(["--format=tsv=a", "--format=json=none/b", "f"]).current_dir(dir.path(""));
    let said = error(&command.output().unwrap());
    let left = names(&dir).into_iter().find(|name| name != "f").expect("a temporary file");
    assert!(said.starts_with("utf8: none/b: its directory does not exist"), "{said}");
    let stays = format!("; a: the temporary file {} is left", left.to_str().unwrap());
    assert!(said.contains(&stays), "{said}");
}
