//! Rewriting in place by `repair` and by `decode`: no temporary file before the first change, and
//! one read of a file that changes.

#![cfg(target_os = "linux")]

use std::ffi::{CString, OsString};
use std::fs::{self, File};
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::os::unix::process::ExitStatusExt;
use std::process::{Output, Stdio};

use crate::common::bin::{Dir, raw, shell_of, with_default_signals, words_of};
use crate::common::replace::names;
use crate::common::trace::{Call, calls, each, inject, nth, tracer};

/// Two commands that rewrite FF, and leave ASCII as it is.
const COMMANDS: [&[&str]; 2] =
    [&["repair", "-i", "--on-error=fallback=latin1"], &["decode", "-i", "-f", "latin1"]];

/// The length of the file: several blocks of every reader and writer.
const LENGTH: usize = 1_000_000;

/// ASCII with FF at these offsets.
fn ascii_but(offsets: &[usize]) -> Vec<u8> {
    let mut bytes = b"0123456789abcde\n".repeat(LENGTH / 16);
    offsets.iter().for_each(|&at| bytes[at] = 0xFF);
    bytes
}

/// The file as both commands rewrite it.
fn rewritten(bytes: &[u8]) -> Vec<u8> {
    bytes.iter().map(|&byte| char::from(byte)).collect::<String>().into_bytes()
}

/// Runs a command on the file `f`. Returns its status and its messages.
fn run(dir: &Dir, args: &[&str]) -> (Option<i32>, String) {
    let done = raw().current_dir(dir.path(".")).args(args).arg("f").output().unwrap();
    (done.status.code(), String::from_utf8(done.stderr).unwrap())
}

/// The calls of a command on the file `f`; `None` if they cannot be traced.
fn trace(case: &str, dir: &Dir, args: &[&str]) -> Option<Vec<Call>> {
    let log = Dir::new();
    let mut command = raw();
    command.args(args).arg("f");
    let script = format!("exec {} \"$@\"", tracer(case, "", &log)?);
    shell_of(&script, &command).current_dir(dir.path(".")).output().unwrap();
    Some(calls(&log))
}

/// The numbers that calls of these names for a file return.
fn results<'a>(
    calls: &'a [Call],
    names: &'a [&str],
    file: &'a str,
) -> impl Iterator<Item = usize> + 'a {
    let of_file = move |call: &&Call| {
        names.contains(&&*call.name) && call.text.contains(&format!("/{file}>"))
    };
    let result = |call: &Call| call.text.rsplit("= ").next()?.trim().parse().ok();
    calls.iter().filter(of_file).filter_map(result)
}

/// The number of bytes of `f` that the calls read.
fn bytes_read(calls: &[Call]) -> usize {
    results(calls, &["read", "pread64", "copy_file_range", "sendfile", "splice"], "f").sum()
}

fn creates(call: &Call) -> bool {
    call.text.contains("O_CREAT") || call.text.contains("O_TMPFILE")
}

#[test]
fn the_bytes_before_the_first_change_are_kept() {
    let edges = [0, 1, 32_767, 65_535, 65_536, 65_537, 262_143, 262_144, 300_000, LENGTH - 1];
    for args in COMMANDS {
        for at in edges {
            let old = ascii_but(&[at]);
            let dir = Dir::of(&[("f", &old)]);
            assert_eq!(
                run(&dir, &[args, &["-q"]].concat()),
                (Some(0), String::new()),
                "{args:?} {at}"
            );
            assert!(fs::read(dir.path("f")).unwrap() == rewritten(&old), "{args:?} {at}");
            assert_eq!(names(&dir).len(), 1);
        }
    }
}

#[test]
fn a_file_that_changes_is_read_once() {
    // A block of the source and one of the output are read before the change shows.
    let slack = 400_000;
    // A conversion examines the file first.
    for (args, passes) in COMMANDS.into_iter().zip([1, 2]) {
        for (at, most) in [(0, passes * LENGTH + slack), (LENGTH - 1, (passes + 2) * LENGTH)] {
            let dir = Dir::of(&[("f", &ascii_but(&[at]))]);
            let Some(calls) = trace("a file that changes", &dir, args) else { return };
            let read = bytes_read(&calls);
            assert!((passes * LENGTH..=most).contains(&read), "{args:?} {at}: {read}");
            assert!(fs::read(dir.path("f")).unwrap() == rewritten(&ascii_but(&[at])));
        }
    }
}

#[test]
fn no_file_is_created_before_the_first_change() {
    for args in COMMANDS {
        let dir = Dir::of(&[("f", &ascii_but(&[LENGTH - 1]))]);
        let Some(calls) = trace("a late change", &dir, args) else { return };
        let created = calls.iter().position(creates).unwrap();
        let read = bytes_read(&calls[..created]);
        assert!(read >= LENGTH, "{args:?}: {read}");
    }
}

#[test]
fn no_file_is_created_where_nothing_changes() {
    let nul = [&ascii_but(&[])[..], b"\0"].concat();
    let strict = ["repair", "-i"];
    for (args, old) in [
        (COMMANDS[0], ascii_but(&[])),
        (COMMANDS[1], ascii_but(&[])),
        (COMMANDS[0], nul),
        (&strict, ascii_but(&[LENGTH - 1])),
    ] {
        let dir = Dir::of(&[("f", &old)]);
        let stamp =
            |name| fs::metadata(dir.path(name)).map(|it| (it.ino(), it.mtime(), it.ctime_nsec()));
        let before = (stamp("f").unwrap(), stamp(".").unwrap());
        run(&dir, &[args, &["--backup", "~"]].concat());
        assert_eq!((stamp("f").unwrap(), stamp(".").unwrap()), before, "{args:?}");
        let Some(calls) = trace("an unchanged file", &dir, args) else { continue };
        assert!(!calls.iter().any(creates), "{args:?}");
    }
}

#[test]
fn a_directory_is_written_to_the_disk_once() {
    let files: [(&str, &[u8]); 3] = [("a", b"\xFF"), ("b", b"\xFF"), ("clean", b"x")];
    let case = "replaced files in two directories";
    for args in COMMANDS {
        let dir = Dir::of(&[&files[..], &[("f", b"\xFF")]].concat());
        fs::create_dir(dir.path("d")).unwrap();
        dir.write("d/c", b"\xFF");
        let args = [args, &["a", "b", "clean", "d/c"]].concat();
        let Some(calls) = trace(case, &dir, &args) else { return };
        let is_sync = |call: &&Call| call.name == "fsync";
        // Each of four files, and then each of two directories.
        let (of_files, of_directories): (Vec<_>, Vec<_>) =
            calls.iter().filter(is_sync).partition(|call| call.text.contains(".tmp>"));
        assert_eq!((of_files.len(), of_directories.len()), (4, 2), "{calls:?}");
        let last = calls.iter().rposition(|call| call.name.starts_with("rename")).unwrap();
        assert_eq!(calls[last..].iter().filter(is_sync).count(), 2);
    }
}

/// A line that another program appends meanwhile does not split one of these.
#[test]
fn rejected_lines_are_written_whole() {
    let long = [&b"a".repeat(600_000)[..], b"\xFF\n"].concat();
    let text = [&b"1234 \xFF 89\n".repeat(30_000)[..], &long, b"b\xFF\n"].concat();
    let dir = Dir::of(&[("f", &text), ("kept", b"no end")]);
    let args = ["repair", "-i", "--on-error", "drop-line", "--rejects", "kept"];
    let Some(calls) = trace("writes of rejected lines", &dir, &args) else { return };
    let written = [b"\n", &text[..]].concat();
    assert!(fs::read(dir.path("kept")).unwrap() == [b"no end", &written[..]].concat());
    let (mut end, mut writes) = (0, 0);
    for len in results(&calls, &["write"], "kept") {
        end += len;
        writes += 1;
        assert_eq!(written[end - 1], b'\n', "{calls:?}");
    }
    assert_eq!(end, written.len());
    assert!(writes < 10, "{calls:?}");
}

#[test]
fn rejected_lines_are_on_the_disk_before_their_file_is_replaced() {
    let dir = Dir::of(&[("f", b"a\n\xFF\n")]);
    let args = ["repair", "-i", "--on-error", "drop-line", "--rejects", "kept"];
    let Some(calls) = trace("rejected lines", &dir, &args) else { return };
    let synced = |name: &str| {
        let ended = format!("{name}>");
        calls.iter().position(|call| call.name == "fsync" && call.text.contains(&ended)).unwrap()
    };
    let directory = dir.path(".").canonicalize().unwrap();
    let replaced = calls.iter().position(|call| call.name.starts_with("rename")).unwrap();
    assert!(synced("/kept") < replaced, "{calls:?}");
    assert!(synced(directory.to_str().unwrap()) < replaced, "{calls:?}");
    assert_eq!(fs::read(dir.path("kept")).unwrap(), b"\xFF\n");
}

/// Returns the process of a repair with `--rejects`, under strace, and its directory. The call that writes
/// the new file's directory to the disk fails.
fn with_unsynced_directory(case: &str, error: &str) -> Option<(Dir, Output)> {
    let (dir, log) = (Dir::of(&[("f", b"a\n\xFF\n")]), Dir::new());
    let mut command = raw();
    command.args(["repair", "-i", "--on-error", "drop-line", "--rejects", "kept", "f"]);
    // The first call is for the new file, the second for its directory.
    let tracer = tracer(case, &format!("-e inject=fsync:error={error}:when=2"), &log)?;
    let mut traced = shell_of(&format!("exec {tracer} \"$@\""), &command);
    let done = traced.current_dir(dir.path(".")).output().unwrap();
    Some((dir, done))
}

#[test]
fn rejected_lines_are_taken_back_where_their_directory_is_not_on_the_disk() {
    let Some((dir, done)) = with_unsynced_directory("rejected lines", "EIO") else { return };
    let said = String::from_utf8(done.stderr).unwrap();
    assert_eq!(said, format!("utf8: f: --rejects kept: {}\n", words_of(libc::EIO)));
    assert_eq!(done.status.code(), Some(2));
    assert_eq!(fs::read(dir.path("f")).unwrap(), b"a\n\xFF\n");
    assert_eq!(fs::read(dir.path("kept")).unwrap(), b"");
}

/// As for the directory of a replaced file.
#[test]
fn rejected_lines_need_no_directory_that_can_be_written_to_the_disk() {
    let case = "rejected lines without fsync of directories";
    let Some((dir, done)) = with_unsynced_directory(case, "EINVAL") else { return };
    let said = String::from_utf8(done.stderr).unwrap();
    assert_eq!(said, "utf8: f: repaired, 1 of 2 lines dropped\n");
    assert_eq!(done.status.code(), Some(0));
    assert_eq!(fs::read(dir.path("f")).unwrap(), b"a\n");
    assert_eq!(fs::read(dir.path("kept")).unwrap(), b"\xFF\n");
}

/// A second run must neither lack a rejected line nor have it twice.
#[test]
fn a_signal_leaves_rejected_lines_in_one_of_two_files() {
    const TERM: (&str, i32) = ("TERM", libc::SIGTERM);
    let case = "rejected lines and signals";
    let args = ["repair", "-i", "--on-error", "drop-line", "--rejects", "kept", "f"];
    let run = |backup: Option<&str>, options: &str, log: &Dir| {
        let tracer = tracer(case, options, log)?;
        let dir = Dir::of(&[("f", b"a\n\xFF\n"), ("kept", b"\xFE\n")]);
        let mut command = raw();
        command.args(args).args(backup);
        let script = format!("exec timeout -s KILL 60 {tracer} \"$@\"");
        let mut traced = shell_of(&script, &command);
        let done = with_default_signals(&mut traced).current_dir(dir.path(".")).output().unwrap();
        let [f, kept] = ["f", "kept"].map(|name| fs::read(dir.path(name)).unwrap());
        let is_replaced = match (&f[..], &kept[..]) {
            (b"a\n\xFF\n", b"\xFE\n") => false,
            (b"a\n", b"\xFE\n\xFF\n") => true,
            _ => panic!("{options}: {} {}", f.escape_ascii(), kept.escape_ascii()),
        };
        let backups = usize::from(is_replaced && backup.is_some());
        assert_eq!(names(&dir).len(), 2 + backups, "{options}");
        Some((done.status, is_replaced))
    };
    let others = [("INT", libc::SIGINT), ("HUP", libc::SIGHUP)];
    for (backup, signals) in [(None, [TERM, TERM]), (Some("--backup=~"), others)] {
        let log = Dir::new();
        let Some((status, is_replaced)) = run(backup, "", &log) else { return };
        assert_eq!((status.code(), is_replaced), (Some(0), true));
        let is_first = |call: &Call| call.name == "openat" && call.text.contains("\"kept\"");
        let calls = calls(&log).into_iter().skip_while(|call| !is_first(call));
        // In the last call, it is too late for a signal.
        let calls: Vec<_> = calls.filter(|call| call.name != "exit_group").collect();
        for name in ["write", "fsync", "rename"] {
            nth(&calls, name, "", 0);
        }
        each(&calls, |call| {
            let (signal, number) = signals[call.number % signals.len()];
            let options = inject(call, &format!("signal={signal}"));
            let ended = run(backup, &options, &Dir::new()).and_then(|(status, _)| status.signal());
            assert_eq!(ended, Some(number), "{options}");
        });
    }
}

#[test]
fn rejected_lines_are_taken_back_from_a_file_that_is_not_replaced() {
    let (dir, log) = (Dir::of(&[("f", b"a\n\xFF\n"), ("kept", b"\xFE\n")]), Dir::new());
    let mut command = raw();
    command.args(["repair", "-i", "--on-error", "drop-line", "--rejects", "kept", "f"]);
    let fault = "-e inject=/^rename:error=EBUSY";
    let Some(tracer) = tracer("rejected lines and a failed rename", fault, &log) else { return };
    let mut traced = shell_of(&format!("exec {tracer} \"$@\""), &command);
    let done = traced.current_dir(dir.path(".")).output().unwrap();
    assert_eq!(done.status.code(), Some(2));
    assert_eq!(fs::read(dir.path("f")).unwrap(), b"a\n\xFF\n");
    assert_eq!(fs::read(dir.path("kept")).unwrap(), b"\xFE\n");
}

#[test]
fn each_file_of_a_directory_that_is_not_on_the_disk_is_named() {
    let case = "a directory that is not on the disk";
    for args in COMMANDS {
        let (dir, log) = (Dir::of(&[("e", b"\xFF"), ("f", b"\xFF")]), Dir::new());
        let mut command = raw();
        command.args(args).args(["-q", "e", "f"]);
        let Some(tracer) = tracer(case, "-e inject=fsync:error=EIO:when=3", &log) else { return };
        let mut traced = shell_of(&format!("exec {tracer} \"$@\""), &command);
        let done = traced.current_dir(dir.path(".")).output().unwrap();
        let said = String::from_utf8(done.stderr).unwrap();
        let what = "was replaced, but it is not certain that this survives a crash";
        let why = words_of(libc::EIO);
        let line = |name| format!("utf8: {name}: {what}: {why} (run sync)\n");
        assert_eq!(said, [line("e"), line("f")].concat(), "{args:?}");
        assert_eq!(done.status.code(), Some(2));
        assert_eq!(names(&dir).len(), 2);
    }
}

#[test]
fn a_late_stop_leaves_the_file() {
    let faulty = [&b"\xC0\xAF"[..], &b"plain\n".repeat(100_000), b"\xFF"].concat();
    let binary = [&b"\xC0\xAF"[..], &b"plain\n".repeat(100_000), b"\0"].concat();
    let unencodable = ["é", &"plain\n".repeat(100_000), "€"].concat().into_bytes();
    let repair = ["repair", "-i", "--shorten-overlong", "--backup", "~"];
    let encode = ["encode", "-i", "-t", "latin1", "--backup", "~"];
    for (args, old, message) in [
        (&repair[..], faulty, "utf8: f: byte 600002: "),
        (&repair, binary, "utf8: f: contains NUL"),
        (&encode, unencodable, "utf8: f: byte 600002: "),
    ] {
        let dir = Dir::of(&[("f", &old)]);
        let (code, said) = run(&dir, args);
        assert_eq!(code, Some(1), "{said}");
        assert!(said.starts_with(message), "{said}");
        assert!(fs::read(dir.path("f")).unwrap() == old && names(&dir).len() == 1, "{args:?}");
    }
}

#[test]
fn a_full_disk_leaves_the_file_and_the_record_is_complete() {
    let old = ascii_but(&[0, LENGTH - 1]);
    for args in [&[COMMANDS[0], &["--format=json"]].concat()[..], COMMANDS[1]] {
        let dir = Dir::of(&[("f", &old)]);
        let mut command = raw();
        command.args(args).arg("f");
        let mut limited = shell_of("ulimit -f 8; exec \"$@\"", &command);
        let done = limited.current_dir(dir.path(".")).output().unwrap();
        let said = String::from_utf8(done.stderr).unwrap();
        assert_eq!((done.status.code(), said.lines().count()), (Some(2), 1), "{said}");
        assert!(said.starts_with("utf8: f: File too large"), "{said}");
        assert!(fs::read(dir.path("f")).unwrap() == old && names(&dir).len() == 1);
        let record = String::from_utf8(done.stdout).unwrap();
        if !record.is_empty() {
            assert_eq!(record.matches("\"type\":\"change\"").count(), 2, "{record}");
            assert!(record.contains("\"repaired\":false"), "{record}");
        }
    }
}

#[test]
fn a_signal_after_a_failed_rename_removes_the_backup() {
    let (dir, log) = (Dir::of(&[("f", b"a\xFF")]), Dir::new());
    let faults = "-e inject=/^rename:error=EBUSY -e inject=/^unlink:signal=TERM:when=1";
    let Some(tracer) = tracer("a backup after a failed rename", faults, &log) else { return };
    let mut command = raw();
    command.args(["repair", "-i", "--backup=~", "--on-error=replace", "f"]);
    let mut traced = shell_of(&format!("exec {tracer} \"$@\""), &command);
    let done = with_default_signals(&mut traced).current_dir(dir.path(".")).output().unwrap();
    assert_eq!(done.status.signal(), Some(libc::SIGTERM));
    assert_eq!(names(&dir), ["f"]);
    assert_eq!(fs::read(dir.path("f")).unwrap(), b"a\xFF");
}

#[test]
fn a_signal_removes_the_files_of_all_threads() {
    let old = ascii_but(&[LENGTH / 2]);
    let new = rewritten(&old);
    let mut hits = 0;
    for (round, signal) in ["INT", "TERM", "HUP"].repeat(4).iter().enumerate() {
        let dir = Dir::new();
        let files: Vec<_> = (0..12).map(|number| format!("f{number}")).collect();
        files.iter().for_each(|file| dir.write(file, &old));
        let mut command = raw();
        command.current_dir(dir.path(".")).args(COMMANDS[0]).args(["-r", "-j4", "."]);
        with_default_signals(&mut command).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let is_temporary = |name: &OsString| name.as_encoded_bytes().starts_with(b".utf8-");
        while child.try_wait().unwrap().is_none() && !names(&dir).iter().any(is_temporary) {
            std::thread::yield_now();
        }
        let script = format!("kill -{signal} {} 2>&1", child.id());
        std::process::Command::new("sh").args(["-c", &script]).output().unwrap();
        hits += usize::from(child.wait().unwrap().signal().is_some());
        assert_eq!(names(&dir).len(), files.len(), "{signal} in round {round}");
        for file in &files {
            let found = fs::read(dir.path(file)).unwrap();
            assert!(found == old || found == new, "{file}, {signal} in round {round}");
        }
    }
    assert!(hits >= 6, "{hits} of 12 signals came in time");
}

#[test]
fn a_file_whose_rejected_lines_lose_their_reader_is_unchanged() {
    let text = b"a\n\xFF\n".repeat(100_000);
    let dir = Dir::of(&[("f", &text), ("short", b"a\n\xFF\nb\n")]);
    let path = dir.path("fifo");
    let name = CString::new(path.as_os_str().as_bytes()).unwrap();
    // SAFETY: a C string.
    assert_eq!(unsafe { libc::mkfifo(name.as_ptr(), 0o600) }, 0);
    let run = |args: &[&str], most: u64| {
        let path = path.clone();
        let reader = std::thread::spawn(move || {
            let mut lines = Vec::new();
            File::open(path).unwrap().take(most).read_to_end(&mut lines).unwrap();
            lines
        });
        let mut command = raw();
        command.args(["repair", "--on-error", "drop-line", "--rejects", "fifo"]).args(args);
        let done = command.current_dir(dir.path("")).output().unwrap();
        // Of a run that has not opened it, the reader would wait forever.
        let _ = File::options().write(true).custom_flags(libc::O_NONBLOCK).open(dir.path("fifo"));
        (done.status.code(), done.stdout, reader.join().unwrap())
    };
    assert_eq!(run(&["short"], u64::MAX), (Some(0), b"a\nb\n".to_vec(), b"\xFF\n".to_vec()));
    assert_eq!(run(&["-i", "f"], 4), (Some(2), Vec::new(), b"\xFF\n\xFF\n".to_vec()));
    assert!(fs::read(dir.path("f")).unwrap() == text);
}
