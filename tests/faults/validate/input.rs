//! Standard input of every kind, and files that are not regular.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::Stdio;

use crate::common::bin::{Dir, at, raw_validate, shell, validate};

use super::error;
use crate::common::bin::Piped;

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
    // No command can read the input again.
    assert_eq!(error, "-: 3 ill-formed sequences in 15 bytes\n");
}

#[test]
fn findings_are_reported_as_soon_as_certain() {
    for format in ["text", "json", "tsv"] {
        let mut run = Piped::new(raw_validate().args(["--format", format]));
        // No line break, and no bytes after these: they are final.
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
fn split_sequences_are_judged_as_a_whole() {
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
    // SAFETY: a descriptor of this process, and flags.
    let set = unsafe { libc::fcntl(reader.as_raw_fd(), libc::F_SETFL, libc::O_NONBLOCK) };
    assert_eq!(set, 0);
    let mut command = raw_validate();
    command.args(["--format", "tsv"]).stdin(reader).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    drop(command);
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    for offset in 0..20 {
        // Each answer shows that the pipe is empty again.
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
    // SAFETY: a descriptor of this process, and flags.
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

/// The process that writes the list may wait for the results.
#[test]
fn results_do_not_wait_for_further_names() {
    let dir = Dir::of(&[("a", b"\xFF"), ("b", b"\xFF")]);
    let mut run = Piped::new(dir.raw().args(["-j4", "-l", "--files-from", "-"]));
    for name in ["a\n", "b\n"] {
        run.write(name.as_bytes());
        assert_eq!(run.line(), name);
    }
    assert_eq!(run.end().0, Some(1));
}

#[test]
fn an_output_that_does_not_block_gets_everything() {
    use std::os::fd::AsRawFd;
    let (mut reader, writer) = io::pipe().unwrap();
    // SAFETY: a descriptor of this process, and flags.
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
fn shared_descriptors_stand_after_the_last_byte_read() {
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
fn results_are_written_before_the_next_input() {
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
    // SAFETY: a C string.
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

/// The patterns of --config are relative to the current directory.
#[test]
fn a_current_directory_that_is_gone_is_trouble_with_config() {
    let dir = Dir::of(&[("utf8.toml", &b"[lints]\n"[..]), ("good", b"a\n")]);
    let [config, good] = ["utf8.toml", "good"].map(|name| dir.path(name).display().to_string());
    let script =
        format!("mkdir gone && cd gone && rmdir ../gone && \"$@\" --config '{config}' '{good}'");
    let out = shell(&script).current_dir(dir.path("")).output().unwrap();
    let message = "applies to the current directory: No such file or directory";
    assert_eq!(out.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&out.stderr).contains(message), "{out:?}");
}
