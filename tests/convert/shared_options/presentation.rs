//! Colours, memory mapping and progress: options that leave the findings as they are.

use assert_cmd::assert::Assert;

use crate::common::bin::{Dir, at, hex, raw, validate};

#[test]
fn colours_are_for_terminals_unless_forced() {
    let coloured = |option: &str, variables: &[(&str, &str)]| {
        let mut command = validate();
        command.args(["--color", option, "-xe", "C0 AF"]).envs(variables.iter().copied());
        let out = command.assert().code(1);
        out.get_output().stdout.contains(&0x1B)
    };
    let (none, force) = (("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1"));
    assert!(!coloured("auto", &[]), "a pipe is no terminal");
    assert!(!coloured("auto", &[none]));
    assert!(coloured("auto", &[force]));
    assert!(!coloured("auto", &[force, none]), "NO_COLOR wins");
    assert!(!coloured("auto", &[("CLICOLOR_FORCE", "0")]));
    assert!(!coloured("auto", &[("CLICOLOR_FORCE", "")]));
    assert!(coloured("auto", &[force, ("NO_COLOR", "")]), "an empty one is none");
    assert!(coloured("always", &[]));
    assert!(coloured("always", &[none]), "the option wins");
    assert!(!coloured("never", &[force]), "the option wins");
}

#[test]
#[cfg(target_os = "linux")]
fn a_terminal_has_colours_unless_it_has_none() {
    use crate::common::bin::{raw_validate, seen, terminal};
    use std::process::Stdio;
    let coloured = |variables: &[(&str, &str)]| {
        let (mut person, program) = terminal();
        let mut command = raw_validate();
        command.args(["-xe", "C0 AF"]).envs(variables.iter().copied());
        command.stdout(program).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        drop(command);
        let seen = seen(&mut person);
        assert_eq!(child.wait().unwrap().code(), Some(1));
        assert!(String::from_utf8_lossy(&seen).contains("overlong 2-byte form C0 AF of U+002F"));
        seen.contains(&0x1B)
    };
    assert!(coloured(&[]));
    assert!(coloured(&[("TERM", "xterm")]));
    assert!(!coloured(&[("TERM", "dumb")]));
    assert!(!coloured(&[("NO_COLOR", "1")]));
}

/// Files of directories are counted on a terminal, and the line is erased before the summary.
#[test]
#[cfg(target_os = "linux")]
fn a_terminal_shows_progress_in_directories() {
    use crate::common::bin::{seen, terminal};
    use std::process::Stdio;
    let dir = Dir::new();
    for (folder, file) in [("a", "one"), ("b", "two")] {
        std::fs::create_dir(dir.path(folder)).unwrap();
        dir.write(format!("{folder}/{file}"), b"ok\n");
    }
    let fifo = dir.path("fifo");
    assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let seen = |args: &[&str]| {
        let (mut person, program) = terminal();
        let mut command = dir.raw();
        command.args(args).args(["-j1", "a", "fifo", "b"]).stdout(Stdio::null()).stderr(program);
        let mut child = command.spawn().unwrap();
        drop(command);
        // The first file was counted before this is open: half a second later, a line is due.
        let writer = std::fs::File::options().write(true).open(&fifo).unwrap();
        std::thread::sleep(std::time::Duration::from_millis(700));
        drop(writer);
        let seen = seen(&mut person);
        assert_eq!(child.wait().unwrap().code(), Some(0));
        String::from_utf8(seen).unwrap()
    };
    let shown = seen(&[]);
    let (line, summary) = shown.split_once("\r\x1B[K2 files: b/two\r\x1B[K").expect(&shown);
    assert_eq!(line, "");
    assert!(summary.starts_with("3 files checked in ") && summary.ends_with("\r\n"), "{shown:?}");
    let quiet = seen(&["--progress=never"]);
    assert!(quiet.starts_with("3 files checked in "), "{quiet:?}");
    assert_eq!(seen(&["--quiet"]), "");
}

#[test]
fn colours_only_add_escapes() {
    let plain = |bytes: &[u8]| {
        let text = String::from_utf8(bytes.to_vec()).unwrap();
        let (first, rest) = text.split_once('\x1B').expect("colours");
        let rest = rest.split('\x1B').map(|part| part.split_once('m').expect("SGR").1);
        first.to_owned() + &rest.collect::<String>()
    };
    for format in ["text", "full"] {
        let args = ["--format", format, "--segments", "maximal"];
        let never = hex("41 C0 AF E2 82", &[&args[..], &["--color", "never"]].concat());
        let always = hex("41 C0 AF E2 82", &[&args[..], &["--color", "always"]].concat());
        let never = String::from_utf8(never.get_output().stdout.clone()).unwrap();
        assert_eq!(plain(&always.get_output().stdout), never);
    }
    for format in ["json", "tsv"] {
        let always = hex("41 C0 AF", &["--format", format, "--color", "always"]);
        assert!(!always.get_output().stdout.contains(&0x1B), "{format} is for programs");
    }
}

// --mmap, --progress

#[test]
fn mapped_or_read_the_output_is_the_same() {
    let mut bytes = "Grüße, 日本語 😀\n".repeat(60_000).into_bytes();
    let len = bytes.len();
    for at in [0, 4095, 4096, len / 2, len - 1] {
        bytes[at] = 0xF5;
    }
    let dir = Dir::of(&[("f", &bytes)]);
    for format in ["text", "full", "json", "tsv"] {
        let run = |how: &str, stdin: bool| {
            let mut command = dir.raw();
            command.args(["--format", format, "--mmap", how, "--stats"]);
            let command = if stdin { command.stdin(at(&bytes, 0)) } else { command.arg("f") };
            let out = command.output().unwrap();
            assert_eq!(out.status.code(), Some(1));
            (out.stdout, out.stderr)
        };
        let never = run("never", false);
        assert_eq!(run("always", false), never);
        assert_eq!(run("auto", false), never);
        assert_eq!(run("always", true), run("never", true));
    }
}

fn said(out: &Assert) -> (Vec<u8>, Vec<u8>) {
    (out.get_output().stdout.clone(), out.get_output().stderr.clone())
}

#[test]
fn progress_never_reaches_standard_output() {
    let quiet = said(&hex("41 C0 AF", &["--progress", "never"]).code(1));
    assert_eq!(said(&hex("41 C0 AF", &[]).code(1)), quiet, "a pipe gets none");
    let always = said(&hex("41 C0 AF", &["--progress", "always"]).code(1));
    assert_eq!(always.0, quiet.0);
    let shown = String::from_utf8(always.1).unwrap();
    assert!(shown.ends_with("-e: 1 ill-formed sequence in 3 bytes\n"), "{shown}");
}

/// The values of each option that lists its values; of the encodings, the first few.
#[test]
fn values_of_options_match_in_any_case() {
    let tree = utf8::cli::command();
    let mut checked = 0;
    for command in tree.get_subcommands() {
        for arg in command.get_arguments().filter(|arg| arg.get_action().takes_values()) {
            let Some(long) = arg.get_long() else { continue };
            for value in arg.get_possible_values().iter().take(8) {
                let option = format!("--{long}={}", value.get_name().to_ascii_uppercase());
                let out = raw().args([command.get_name(), &option, "-e", "a"]).output().unwrap();
                let said = String::from_utf8_lossy(&out.stderr).into_owned();
                assert!(!said.contains("invalid value"), "{option}: {said}");
                assert!(!said.contains("no format"), "{option}: {said}");
                checked += 1;
            }
        }
    }
    assert!(checked > 100, "{checked}");
}

/// Text without a line end at its end is not joined to a message behind it.
#[test]
#[cfg(target_os = "linux")]
fn messages_start_lines_of_a_terminal() {
    use crate::common::bin::{seen, terminal};
    for (text, shown, said) in [
        ("41 FF", "A\u{FFFD}\r\n", "utf8: -e: 1 of 2 bytes replaced\r\n"),
        ("41 FF 0A", "A\u{FFFD}\r\n", "utf8: -e: 1 of 3 bytes replaced\r\n"),
        ("41", "A", ""),
    ] {
        let ((mut person, program), (mut messages, errors)) = (terminal(), terminal());
        let mut command = raw();
        command.args(["repair", "-xe", text]).stdout(program).stderr(errors);
        let mut child = command.spawn().unwrap();
        drop(command);
        assert_eq!(String::from_utf8(seen(&mut person)).unwrap(), shown);
        assert_eq!(String::from_utf8(seen(&mut messages)).unwrap(), said);
        assert_eq!(child.wait().unwrap().code(), Some(0));
        let mut command = raw();
        let out = command.args(["repair", "-xe", text]).output().unwrap();
        assert_eq!(out.stdout.ends_with(b"\n"), text.ends_with("0A"), "no terminal");
    }
}
