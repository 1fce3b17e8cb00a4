//! Does it keep its promises when the world around it misbehaves: pipes, devices, files, memory?

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ChildStdout, Command, Output, Stdio};

use crate::common::bin::{Dir, at, hex, raw_validate, shell, validate};

/// A child whose standard input and output are pipes of ours.
struct Piped {
    child: Child,
    stdout: BufReader<ChildStdout>,
}

impl Piped {
    fn new(command: &mut Command) -> Piped {
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        Piped { child, stdout }
    }

    fn write(&mut self, bytes: &[u8]) {
        self.child.stdin.as_mut().unwrap().write_all(bytes).unwrap();
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.stdout.read_line(&mut line).unwrap();
        line
    }

    /// Close its standard input and take what it still says: its exit status, standard output and
    /// standard error.
    fn end(mut self) -> (Option<i32>, String, String) {
        drop(self.child.stdin.take());
        let mut rest = String::new();
        self.stdout.read_to_string(&mut rest).unwrap();
        let out = self.child.wait_with_output().unwrap();
        assert_eq!(out.status.signal(), None, "died of a signal");
        (out.status.code(), rest, String::from_utf8(out.stderr).unwrap())
    }
}

fn error(out: &Output) -> String {
    assert_eq!(out.status.signal(), None, "died of a signal");
    String::from_utf8(out.stderr.clone()).unwrap()
}

// Closed pipes

#[test]
fn a_reader_that_has_enough_ends_the_run_quietly() {
    let dir = Dir::of(&[("f", &[0xFF; 1 << 20])]);
    for format in ["text", "full", "json", "tsv"] {
        let mut run = Piped::new(dir.raw().args(["--format", format, "f"]));
        assert_ne!(run.line(), "");
        drop(run.stdout);
        let out = run.child.wait_with_output().unwrap();
        assert_eq!(error(&out), "", "{format}");
        assert_ne!(out.status.code(), Some(2), "{format}");
    }
}

#[test]
fn a_reader_that_has_enough_has_no_more_files_examined() {
    let faults = &[0xFF; 1 << 20][..];
    let dir = Dir::of(&[("a", faults), ("b", faults), ("c", faults)]);
    let mut run = Piped::new(dir.raw().args(["a", "missing", "b", "c"]));
    assert_ne!(run.line(), "");
    drop(run.stdout);
    let out = run.child.wait_with_output().unwrap();
    assert_eq!((error(&out), out.status.code()), (String::new(), Some(1)));
}

#[test]
fn a_reader_that_has_enough_ends_an_endless_run() {
    let mut run = Piped::new(&mut raw_validate());
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
fn nobody_who_listens_to_the_messages_changes_nothing() {
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
        let full = File::options().write(true).open("/dev/full").unwrap();
        let out = raw_validate().args(args).stdout(full).stderr(Stdio::piped()).output().unwrap();
        assert!(error(&out).contains("utf8: standard output: No space left on device"), "{args:?}");
        assert_eq!(out.status.code(), Some(2), "{args:?}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_device_stops_a_long_report_at_once() {
    let full = File::options().write(true).open("/dev/full").unwrap();
    let mut command = raw_validate();
    let mut child =
        command.stdin(Stdio::piped()).stdout(full).stderr(Stdio::piped()).spawn().unwrap();
    // Nothing else would end this: the writer does not.
    let mut stdin = child.stdin.take().unwrap();
    while stdin.write_all(&[0xFF; 4096]).is_ok() {}
    let out = child.wait_with_output().unwrap();
    assert_eq!(error(&out).matches("standard output: No space left on device").count(), 1);
    assert_eq!(out.status.code(), Some(2));
}

#[test]
#[cfg(target_os = "linux")]
fn full_standard_error_changes_nothing() {
    let full = File::options().write(true).open("/dev/full").unwrap();
    let out = raw_validate().args(["-xe", "C0 AF"]).stderr(full).output().unwrap();
    assert_eq!(out.status.code(), Some(1));
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
fn nothing_to_say_to_a_closed_standard_output_is_no_trouble() {
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
    let out = command.arg(dir.path("f")).stdout(File::create(dir.path("out")).unwrap());
    let out = out.stderr(Stdio::piped()).output().unwrap();
    assert!(error(&out).contains("utf8: standard output: File too large"), "{}", error(&out));
    assert_eq!(out.status.code(), Some(2));
}

// Standard input of every kind

#[test]
#[cfg(target_os = "linux")]
fn a_closed_standard_input_is_trouble() {
    if crate::common::bin::emulated() {
        return crate::common::bin::skipped(
            "a closed standard input",
            "an emulator has descriptors too",
        );
    }
    for args in [&[][..], &["-"], &["--files-from", "-"]] {
        let out = shell("exec \"$@\" <&-").args(args).output().unwrap();
        assert!(error(&out).starts_with("utf8: -: "), "{}", error(&out));
        assert_eq!(out.status.code(), Some(2));
    }
    let out = shell("exec \"$@\" <&-").args(["-xe", "41"]).output().unwrap();
    assert_eq!(out.status.code(), Some(0), "who does not read it does not miss it");
}

#[test]
fn a_standard_input_that_cannot_be_read_is_trouble() {
    let dir = Dir::new();
    let writable = File::create(dir.path("f")).unwrap();
    writable.set_len(5).unwrap();
    let out = raw_validate().stdin(writable).output().unwrap();
    assert!(error(&out).starts_with("utf8: -: "), "{}", error(&out));
    assert_eq!(out.status.code(), Some(2));
    let folder = File::open(dir.path(".")).unwrap();
    let out = raw_validate().stdin(folder).output().unwrap();
    assert!(error(&out).starts_with("utf8: -: is a directory"), "{}", error(&out));
    assert_eq!(out.status.code(), Some(2));
}

#[test]
fn a_pipe_that_pauses_gets_its_findings_so_far() {
    let mut run = Piped::new(&mut raw_validate());
    for line in 1..=3 {
        run.write(b"ab\xFFc\n");
        let offset = 5 * (line - 1) + 2;
        assert_eq!(
            run.line(),
            format!(
                "-:{line}:3: byte 0x{offset:X} ({offset}): byte FF starts no sequence [invalid-fe-ff]\n"
            )
        );
    }
    let (status, rest, error) = run.end();
    assert_eq!((status, rest.as_str()), (Some(1), ""));
    assert_eq!(error, "-: 3 ill-formed sequences in 15 bytes\n");
}

#[test]
fn a_finding_is_told_as_soon_as_it_is_certain() {
    for format in ["text", "json", "tsv"] {
        let mut run = Piped::new(raw_validate().args(["--format", format]));
        // No line break, nothing behind them: these could not become anything else.
        for (bytes, kind) in [
            (&b"\xFF"[..], "invalid-fe-ff"),
            (b"\x80", "lone-continuation"),
            (b"\xC0\xAF", "overlong-2"),
            (b"\xED\xB0\x80", "surrogate-low"),
            (b"\xED\xA0\x80\xED\xB0\x80", "surrogate-pair"),
            (b"\xE2\x82\x41", "truncated-next"),
            (b"\xF4\x90\x80\x80", "above-10ffff"),
        ] {
            run.write(bytes);
            let line = run.line();
            assert!(line.contains(kind), "{format}: {line}");
        }
        assert_eq!(run.end().0, Some(1));
    }
}

#[test]
fn what_comes_in_pieces_is_judged_as_a_whole() {
    let mut run = Piped::new(&mut raw_validate());
    run.write(b"\xE2");
    run.write(b"\x82");
    run.write(b"\xAC\xED\xA0");
    run.write(b"\x80\xED");
    run.write(b"\xB0");
    run.write(b"\x80");
    let pair = "surrogate pair ED A0 80 ED B0 80 of U+10000, as CESU-8 has it [surrogate-pair]";
    assert_eq!(run.line(), format!("-:1:4: byte 0x3 (3): {pair}\n"));
    run.write(b"\xF0\x9F");
    let (status, rest, _) = run.end();
    let end = "expected 80..BF, found the end of input [truncated-end]";
    assert_eq!(rest, format!("-:1:10: byte 0x9 (9): truncated 4-byte sequence F0 9F: {end}\n"));
    assert_eq!(status, Some(1));
}

#[test]
fn a_row_is_shown_as_soon_as_it_is_complete() {
    let mut run = Piped::new(raw_validate().args(["--format", "full"]));
    run.write(b"\xFF0123456789abcde");
    assert!(run.line().starts_with("-:1:1: "));
    assert!(run.line().starts_with("  00000000  FF 30 31"));
    assert_eq!(run.line().trim(), "^^");
    assert_eq!(run.end().0, Some(1));
}

#[test]
fn quiet_need_not_wait_for_the_end() {
    let mut run = Piped::new(raw_validate().arg("-q"));
    run.write(b"\xFF");
    let status = run.child.wait().unwrap();
    assert_eq!(status.code(), Some(1));
}

#[test]
fn a_pipe_that_does_not_block_is_waited_for() {
    use std::os::fd::AsRawFd;
    let (reader, mut writer) = io::pipe().unwrap();
    // SAFETY: a descriptor of ours, and flags.
    let set = unsafe { libc::fcntl(reader.as_raw_fd(), libc::F_SETFL, libc::O_NONBLOCK) };
    assert_eq!(set, 0);
    let mut command = raw_validate();
    command.args(["--format", "tsv"]).stdin(reader).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    drop(command);
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    for offset in 0..20 {
        // Each answer shows that it has come back to an empty pipe.
        writer.write_all(b"\xFF").unwrap();
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        assert!(line.starts_with(&format!("{offset}\t")), "{line}");
    }
    drop(writer);
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

#[test]
fn a_list_that_does_not_block_is_waited_for() {
    use std::os::fd::AsRawFd;
    let dir = Dir::of(&[("a", b"\xFF"), ("b", b"\xFF")]);
    let (reader, mut writer) = io::pipe().unwrap();
    // SAFETY: a descriptor of ours, and flags.
    let set = unsafe { libc::fcntl(reader.as_raw_fd(), libc::F_SETFL, libc::O_NONBLOCK) };
    assert_eq!(set, 0);
    let mut command = dir.raw();
    command.args(["-l", "--files-from", "-"]).stdin(reader).stdout(Stdio::piped());
    let child = command.spawn().unwrap();
    drop(command);
    for name in ["a", "b"] {
        writer.write_all(name.as_bytes()).unwrap();
        std::thread::yield_now();
        writer.write_all(b"\n").unwrap();
    }
    drop(writer);
    let out = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(out.stdout).unwrap(), "a\nb\n");
    assert_eq!(out.status.code(), Some(1));
}

#[test]
fn an_output_that_does_not_block_gets_everything() {
    use std::os::fd::AsRawFd;
    let (mut reader, writer) = io::pipe().unwrap();
    // SAFETY: a descriptor of ours, and flags.
    let set = unsafe { libc::fcntl(writer.as_raw_fd(), libc::F_SETFL, libc::O_NONBLOCK) };
    assert_eq!(set, 0);
    let dir = Dir::of(&[("f", &[0xFF; 1 << 17])]);
    let mut command = dir.raw();
    command.args(["--format", "tsv", "f"]).stdout(writer);
    let mut child = command.spawn().unwrap();
    drop(command);
    let mut text = String::new();
    reader.read_to_string(&mut text).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(1));
    assert_eq!(text.lines().count(), 1 << 17);
    assert!(text.ends_with("\n131071\t1\tinvalid-fe-ff\t1\t131072\tFF\tf\n"));
}

#[test]
#[cfg(target_os = "linux")]
fn a_terminal_is_read_until_its_end_is_typed() {
    let (mut person, program) = crate::common::bin::terminal();
    let mut command = raw_validate();
    command.stdin(program).stdout(Stdio::piped()).stderr(Stdio::null());
    let child = command.spawn().unwrap();
    drop(command);
    person.write_all(b"ab\xFFcd\nfine\n\x04").unwrap();
    let out = child.wait_with_output().unwrap();
    let line = "-:1:3: byte 0x2 (2): byte FF starts no sequence [invalid-fe-ff]\n";
    assert_eq!(String::from_utf8(out.stdout).unwrap(), line);
    assert_eq!(out.status.code(), Some(1));
}

#[test]
fn a_regular_file_is_read_from_where_it_stands() {
    let mut bytes = "Grüße, 日本語\n".repeat(1 << 14).into_bytes();
    let len = bytes.len();
    bytes[len - 2] = 0xFF;
    for position in [0, 1, 4095, 4096, 4097, 100_000, len - 2, len - 1, len, len + 9] {
        let part = &bytes[position.min(len)..];
        let expected = validate().args(["--format", "json"]).write_stdin(part).assert();
        let expected = &expected.get_output().stdout;
        for how in ["auto", "always", "never"] {
            let mut command = raw_validate();
            command.args(["--format", "json", "--mmap", how]).stdin(at(&bytes, position as u64));
            let out = command.output().unwrap();
            assert_eq!(
                String::from_utf8_lossy(&out.stdout),
                String::from_utf8_lossy(expected),
                "from {position}, mapped {how}"
            );
        }
    }
}

#[test]
fn who_reads_on_finds_the_rest() {
    let dir = Dir::of(&[("f", b"a\xFFb")]);
    for how in ["auto", "always", "never"] {
        let mut command = shell("\"$@\"; cat");
        command.args(["-c", "--mmap", how]).stdin(File::open(dir.path("f")).unwrap());
        assert_eq!(command.output().unwrap().stdout, b"1\n", "nothing is left");
    }
}

#[test]
fn the_same_input_twice_is_at_its_end() {
    let mut command = raw_validate();
    let out = command.args(["-c", "-", "-"]).stdin(at(b"\xFF", 0)).output().unwrap();
    assert_eq!(out.stdout, b"-:1\n-:0\n");
}

// Files that are not regular

#[test]
fn what_is_decided_does_not_wait_for_the_next_input() {
    let dir = Dir::of(&[("few", b"\xFF")]);
    for args in [&["-l"][..], &["-c"], &["--format", "tsv"], &["--format", "json"]] {
        let mut run = Piped::new(dir.raw().args(args).args(["few", "-"]));
        assert!(run.line().contains("few"), "{args:?}");
        run.end();
    }
}

#[test]
fn a_fifo_is_read_to_its_end() {
    use std::ffi::CString;
    use std::os::unix::ffi::OsStrExt;
    let dir = Dir::new();
    let path = dir.path("fifo");
    let name = CString::new(path.as_os_str().as_bytes()).unwrap();
    // SAFETY: a string that NUL ends.
    assert_eq!(unsafe { libc::mkfifo(name.as_ptr(), 0o600) }, 0);
    let mut command = dir.raw();
    let child = command.args(["--format", "tsv", "fifo"]).stdout(Stdio::piped()).spawn().unwrap();
    let mut writer = File::options().write(true).open(&path).unwrap();
    writer.write_all(b"\xFF\n\xC0\xAF").unwrap();
    drop(writer);
    let out = child.wait_with_output().unwrap();
    let expected = "0\t1\tinvalid-fe-ff\t1\t1\tFF\tfifo\n2\t2\toverlong-2\t2\t1\tC0 AF\tfifo\n";
    assert_eq!(String::from_utf8(out.stdout).unwrap(), expected);
    assert_eq!(out.status.code(), Some(1));
}

#[test]
fn a_null_device_is_empty() {
    validate().args(["-v", "/dev/null"]).assert().code(0).stderr("/dev/null: valid, 0 bytes\n");
}

#[test]
#[cfg(target_os = "linux")]
fn a_device_without_end_can_be_read_in_part() {
    let said = "/dev/zero: valid, 1,048,576 bytes\n";
    validate().args(["-v", "-n", "1M", "/dev/zero"]).assert().code(0).stderr(said);
}

#[test]
#[cfg(target_os = "linux")]
fn standard_input_has_other_names() {
    for name in ["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"] {
        let out = validate().args(["-c", name]).write_stdin(&b"\xFF"[..]).assert();
        out.code(1).stdout("1\n");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn files_of_proc_have_content_whatever_their_size_says() {
    for name in ["/proc/self/status", "/proc/self/maps", "/proc/cpuinfo"] {
        for how in ["auto", "always", "never"] {
            let out = validate().args(["--format", "json", "--mmap", how, name]).assert().code(0);
            let summary = &crate::common::bin::objects(&out.get_output().stdout)[0];
            assert!(summary["size"].as_u64().unwrap() > 100, "{summary}");
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn an_error_in_the_middle_of_reading_is_trouble() {
    let dir = Dir::of(&[("good", b"a")]);
    let out = dir.validate().args(["-c", "/proc/self/mem", "good"]).assert().code(2);
    let text = String::from_utf8(out.get_output().stderr.clone()).unwrap();
    assert!(text.starts_with("utf8: /proc/self/mem: "), "{text}");
    out.stdout("good:0\n");
}

#[test]
fn an_empty_file_is_well_formed_however_it_is_read() {
    let dir = Dir::of(&[("f", b"")]);
    for how in ["auto", "always", "never"] {
        let out = dir.validate().args(["-v", "--mmap", how, "f"]).assert().code(0);
        out.stdout("").stderr("f: valid, 0 bytes\n");
    }
}

#[test]
fn an_empty_file_has_an_end_to_count_from() {
    let dir = Dir::of(&[("empty", b"")]);
    dir.validate().args(["-s", "-5", "empty"]).assert().code(0).stdout("").stderr("");
}

#[test]
fn more_files_than_descriptors_are_no_trouble() {
    let dir = Dir::new();
    let names: Vec<_> = (0..200).map(|number| format!("f{number}")).collect();
    names.iter().for_each(|name| dir.write(name, b"line\n\xFF"));
    for how in ["always", "never"] {
        let mut command = shell("ulimit -n 24 && exec \"$@\"");
        command.args(["--format", "tsv", "--mmap", how]).args(names.iter().map(|n| dir.path(n)));
        let out = command.output().unwrap();
        assert_eq!((out.status.code(), error(&out)), (Some(1), String::new()));
        assert_eq!(out.stdout.iter().filter(|&&byte| byte == b'\n').count(), names.len());
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_list_without_an_end_is_trouble() {
    let out = validate().args(["--files-from", "/dev/zero"]).assert().code(2).stdout("");
    let text = String::from_utf8(out.get_output().stderr.clone()).unwrap();
    assert!(text.starts_with("utf8: /dev/zero: "), "{text}");
}

// Files that change

/// A file whose report is too long for a pipe: whoever writes it must wait. Behind the faults it
/// is a hole of this many bytes.
fn slow(hole: u64) -> Dir {
    let dir = Dir::of(&[("f", &[0xFF; 1 << 16])]);
    File::options().write(true).open(dir.path("f")).unwrap().set_len((1 << 16) + hole).unwrap();
    dir
}

/// The run of a slow file that something happens to while its report waits.
fn meanwhile(how: &str, hole: u64, happens: impl FnOnce(&Dir)) -> (Option<i32>, String, String) {
    let dir = slow(hole);
    let mut run = Piped::new(dir.raw().args(["--mmap", how, "f"]));
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
fn the_files_behind_one_that_changed_are_done() {
    let dir = slow(1 << 20);
    dir.write("g", b"\xC0\xAF");
    let mut run = Piped::new(dir.raw().args(["--mmap", "always", "f", "g"]));
    run.line();
    File::options().write(true).open(dir.path("f")).unwrap().set_len(0).unwrap();
    let (status, rest, _) = run.end();
    assert!(rest.ends_with("overlong 2-byte form C0 AF of U+002F [overlong-2]\n"));
    assert_eq!(status, Some(2));
}

#[test]
fn a_file_that_is_cut_again_and_again_kills_nobody() {
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

/// What one reading of mapped bytes has seen, the next need not see.
#[test]
fn bytes_that_flicker_kill_nobody() {
    use std::os::unix::fs::FileExt;
    const LEN: usize = 4 << 20;
    let dir = Dir::of(&[("f", &[b'a'; LEN])]);
    let file = File::options().write(true).open(dir.path("f")).unwrap();
    std::thread::scope(|scope| {
        let (done, asked) = std::sync::mpsc::channel::<()>();
        scope.spawn(|| {
            let asked = asked;
            while asked.try_recv() == Err(std::sync::mpsc::TryRecvError::Empty) {
                for byte in [0xFF, 0xE2, b'a'] {
                    for at in (0..LEN as u64).step_by(LEN / 16) {
                        file.write_all_at(&[byte], at + 100).unwrap();
                    }
                }
            }
        });
        for kernel in utf8::kernel::names() {
            for _ in 0..20 {
                let mut run = dir.raw();
                let out = run.args(["--mmap", "always", "f"]).env("UTF8_KERNEL", kernel).output();
                let out = out.unwrap();
                assert!(
                    out.status.code().is_some_and(|code| code <= 2),
                    "{kernel}: {}",
                    error(&out)
                );
            }
        }
        drop(done);
    });
}

// Memory

#[cfg(target_os = "linux")]
mod memory {
    use super::*;

    /// What a run may have in memory, in KiB, whatever it reads.
    const MOST: u64 = 8 << 10;

    /// The most that a process has had in memory so far, in KiB.
    fn peak(child: &Child) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        line.trim().trim_end_matches(" kB").parse().unwrap()
    }

    /// What is given to `-` behind everything else, so that its finding shows that all the rest is
    /// done: in every format, for it fills a row.
    const MARK: &[u8] = b"\xFF0123456789abcde";

    /// How the finding of the mark, and no other, is known.
    fn marks(format: &str) -> &'static str {
        match format {
            "json" => "\"path\":\"-\"",
            "tsv" => "\tFF\t-\n",
            _ => "\n-:1:1: ",
        }
    }

    /// The peak of a run over a file, and the number of lines that it has written.
    fn of_file(dir: &Dir, args: &[&str], format: &str) -> (u64, usize) {
        let mut command = dir.raw();
        command.args(args).args(["--format", format, "f", "-"]);
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(MARK).unwrap();
        let mut stdout = child.stdout.take().unwrap();
        let (mut buffer, mut tail, mut lines) = (vec![0; 1 << 16], vec![b'\n'], 0);
        let marks = marks(format).as_bytes();
        loop {
            let got = stdout.read(&mut buffer).unwrap();
            assert_ne!(got, 0, "the mark was not found");
            lines += buffer[..got].iter().filter(|&&byte| byte == b'\n').count();
            tail.extend_from_slice(&buffer[got.saturating_sub(1 << 10)..got]);
            tail.drain(..tail.len().saturating_sub(1 << 10));
            if tail.windows(marks.len()).any(|window| window == marks) {
                break;
            }
        }
        let peak = peak(&child);
        drop(stdin);
        io::copy(&mut stdout, &mut io::sink()).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(1));
        (peak, lines)
    }

    fn measurable(case: &str) -> bool {
        let emulated = crate::common::bin::emulated();
        if emulated {
            crate::common::bin::skipped(case, "an emulator has memory of its own");
        }
        !emulated
    }

    #[test]
    fn nothing_but_faults_takes_no_more_memory() {
        if !measurable("the memory of a file of faults") {
            return;
        }
        const LEN: usize = 4 << 20;
        let dir = Dir::new();
        let mut file = File::create(dir.path("f")).unwrap();
        (0..LEN >> 12).for_each(|_| file.write_all(&[0xFF; 1 << 12]).unwrap());
        for (format, lines) in [("text", LEN), ("full", 3 * LEN), ("json", LEN), ("tsv", LEN)] {
            let (peak, written) = of_file(&dir, &["--mmap", "never"], format);
            assert!(written >= lines, "{format}: {written} lines");
            assert!(peak < MOST, "{format}: {peak} KiB");
        }
    }

    #[test]
    fn one_endless_line_takes_no_more_memory() {
        if !measurable("the memory of an endless line") {
            return;
        }
        let dir = Dir::new();
        let file = File::create(dir.path("f")).unwrap();
        file.set_len(64 << 20).unwrap();
        (&file).write_all(b"\xC3\xA9\xC0\xAF").unwrap();
        for (format, segments) in [("json", "sequence"), ("full", "byte"), ("tsv", "maximal")] {
            let args = ["--mmap", "never", "--stats", "--segments", segments];
            let (peak, _) = of_file(&dir, &args, format);
            assert!(peak < MOST, "{format}: {peak} KiB");
        }
    }

    /// Feed a stream of so many blocks and then a fault, whose finding is returned, with the peak.
    fn of_stream(args: &[&str], block: &[u8], blocks: usize) -> (String, u64) {
        let mut run = Piped::new(raw_validate().args(args));
        for _ in 0..blocks {
            run.write(block);
        }
        run.write(MARK);
        let line = run.line();
        let peak = peak(&run.child);
        assert_eq!(run.end().0, Some(1));
        (line, peak)
    }

    #[test]
    fn a_long_stream_takes_no_more_memory() {
        if !measurable("the memory of a long stream") {
            return;
        }
        let block = "Ein Satz, 日本語の文, ещё одно предложение 😀.\n".repeat(20_000);
        let blocks = (256 << 20) / block.len() + 1;
        let (line, peak) = of_stream(&[], block.as_bytes(), blocks);
        let offset = block.len() * blocks;
        assert!(line.contains(&format!("byte 0x{offset:X} ({offset}): ")), "{line}");
        assert!(peak < MOST, "{peak} KiB");
    }

    #[test]
    fn an_endless_line_has_columns_to_its_end() {
        let block = "é".repeat(1 << 19);
        let (line, peak) = of_stream(&["--format", "json"], block.as_bytes(), 64);
        let found: serde_json::Value = serde_json::from_str(&line).unwrap();
        assert_eq!(found["offset"], 64 << 20);
        assert_eq!(found["line"], 1);
        assert_eq!(found["column_bytes"], (64 << 20) + 1);
        assert_eq!(found["column_chars"], (32 << 20) + 1);
        if measurable("the memory of an endless line in a stream") {
            assert!(peak < MOST, "{peak} KiB");
        }
    }
}

#[test]
fn nothing_panics_on_odd_arguments() {
    hex("", &["--format", "full", "--stats", "-m", "18446744073709551615"]).code(0);
    hex("FF", &["-s", "0xFFFFFFFFFFFFFFFF", "-n", "0xFFFFFFFFFFFFFFFF"]).code(0);
    hex("FF", &["-s", "-0xFFFFFFFFFFFFFFFF", "-n", "0xFFFFFFFFFFFFFFFF"]).code(1);
    let dir = Dir::of(&[("f", b"\xFF")]);
    for how in ["always", "never"] {
        let run = |args: &[&str]| dir.validate().args(["--mmap", how, "f"]).args(args).assert();
        run(&["-s", "0xFFFFFFFFFFFFFFFF", "-n", "0xFFFFFFFFFFFFFFFF"]).code(0);
        run(&["-s", "-0xFFFFFFFFFFFFFFFF", "-n", "0xFFFFFFFFFFFFFFFF"]).code(1);
        run(&["-n", "0"]).code(0);
    }
}
