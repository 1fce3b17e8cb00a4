//! Pipes that bring an input in pieces: reports and output are those of the bytes.

#![cfg(target_os = "linux")]

use std::fs::File;
use std::io::Write;
use std::os::fd::AsRawFd;
use std::process::{ChildStdin, Stdio};
use std::thread;

use utf8::report::FORMATS;

use crate::common::bin::{Dir, Piped, raw, raw_validate};
use crate::common::each;

/// The sizes of pieces, in bytes. The last holds any input whole.
const SIZES: [usize; 4] = [1, 7, 4096, 1 << 20];

const COMMANDS: &[&str] = &[
    "validate -f utf-16 --stats",
    "validate --deny strict --max-shown 12",
    "validate --max-errors 3",
    "validate --quiet",
    "validate --count",
    "validate -l",
    "validate --segments byte --skip 3 --length 40",
    "decode -f auto --on-error replace",
    "decode -f utf-16 --on-error replace",
    "decode -f utf-32 --on-error replace",
    "decode -f latin1 -t utf-16le",
    "decode -t json --on-error replace",
    "decode -t utf-8",
    "encode -t windows-1252 --on-error escape=html",
    "encode -f auto -t utf-16 --on-error replace",
    "repair",
    "repair -f auto",
    "repair -f utf-16 --on-error replace",
    "repair --on-error drop-line -v",
    "repair --undo-mojibake --normalize nfc --stats",
    "repair --diff --on-error replace",
    "repair --truncate 90",
    "detect",
    "detect --format long",
    "detect --format json",
    "detect --regions",
    "dump-bits",
    "dump-bits -f auto",
    "dump-bits --format json",
    "dump-bits --format html",
    "dump-bits --layout bytes --base hex --skip 5 --length 30",
    "dump-bits --reverse",
];

/// Returns inputs, each with its name.
fn inputs() -> Vec<(&'static str, Vec<u8>)> {
    let text = "plain text\ncaf\u{E9} \u{8A9E} \u{1F600}\r\n";
    // "Привет, как дела?" in KOI8-R.
    let koi8 = b"\xF0\xD2\xC9\xD7\xC5\xD4, \xCB\xC1\xCB \xC4\xC5\xCC\xC1?\n".repeat(60);
    let units = |bytes: fn(u16) -> [u8; 2]| text.repeat(9).encode_utf16().flat_map(bytes).collect();
    let wide: Vec<u8> = text.repeat(9).chars().flat_map(|c| (c as u32).to_le_bytes()).collect();
    let damaged = b"caf\xC3\xA9 \xC0\xAF \xED\xA0\xBD\xFF caf\xC3\x83\xC2\xA9\na\xCC\x81\r\n";
    vec![
        ("nothing", Vec::new()),
        ("text", text.repeat(9).into_bytes()),
        ("damaged", damaged.repeat(12)),
        ("koi8-r", koi8.clone()),
        ("many blocks", [text.as_bytes().repeat(2500), koi8.repeat(2)].concat()),
        ("utf-16le", units(u16::to_le_bytes)),
        ("utf-16 with a BOM", [b"\xFE\xFF".to_vec(), units(u16::to_be_bytes)].concat()),
        ("utf-32 with a BOM", [b"\xFF\xFE\0\0".to_vec(), wide].concat()),
        ("utf-8 with a BOM", [b"\xEF\xBB\xBF".to_vec(), text.repeat(9).into_bytes()].concat()),
        ("png", [b"\x89PNG\r\n\x1A\n".to_vec(), (0..=255).collect()].concat()),
        ("dump", b"00000000: 6162 630a\n00000004: 6465 660a\n".to_vec()),
    ]
}

/// Returns the commands, with those for every format of findings.
fn commands() -> Vec<String> {
    let formats = FORMATS.iter().flat_map(|row| {
        ["", " --deny strict"].map(|rules| format!("validate --format {}{rules}", row.name))
    });
    // Lines have no lints.
    let formats = formats.filter(|command| command != "validate --format lines --deny strict");
    formats.chain(COMMANDS.iter().map(|&command| command.to_owned())).collect()
}

/// Writes bytes in pieces, each when the one before was read, until the program ends.
fn feed(mut to: ChildStdin, bytes: &[u8], size: usize) {
    for piece in bytes.chunks(size) {
        let mut left = 1;
        while left > 0 {
            // SAFETY: an open descriptor of a pipe; the call writes an int.
            let asked = unsafe { libc::ioctl(to.as_raw_fd(), libc::FIONREAD, &raw mut left) };
            assert_eq!(asked, 0, "{}", std::io::Error::last_os_error());
            // A pipe without a reader stays as it is: the write then tells.
            let mut poll = libc::pollfd { fd: to.as_raw_fd(), events: 0, revents: 0 };
            // SAFETY: one valid pollfd.
            unsafe { libc::poll(&raw mut poll, 1, 0) };
            if poll.revents & libc::POLLERR != 0 {
                return;
            }
            thread::yield_now();
        }
        if to.write_all(piece).is_err() {
            return;
        }
    }
}

/// Runs a command, and returns its status, output and messages.
fn run(command: &str, stdin: Stdio, bytes: &[u8], size: usize) -> (Option<i32>, Vec<u8>, String) {
    let dir = Dir::new();
    let mut child = raw();
    child.args(command.split(' ')).current_dir(dir.path(""));
    let mut child =
        child.stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let stdin = child.stdin.take();
    let done = thread::scope(|scope| {
        if let Some(stdin) = stdin {
            scope.spawn(move || feed(stdin, bytes, size));
        }
        child.wait_with_output().unwrap()
    });
    (done.status.code(), done.stdout, String::from_utf8(done.stderr).unwrap())
}

#[test]
fn pieces_of_any_size_give_the_results_of_a_file() {
    let (dir, inputs, commands) = (Dir::new(), inputs(), commands());
    for (name, bytes) in &inputs {
        dir.write(name, bytes);
    }
    for command in &commands {
        let ends = inputs.iter().map(|(name, bytes)| {
            run(command, File::open(dir.path(name)).unwrap().into(), bytes, 0).0
        });
        assert!(ends.into_iter().any(|status| matches!(status, Some(0 | 1))), "{command}");
    }
    let pairs = inputs.iter().flat_map(|input| commands.iter().map(move |it| (input, it)));
    each(&pairs.collect::<Vec<_>>(), |((name, bytes), command)| {
        let file = File::open(dir.path(name)).unwrap();
        let expected = run(command, file.into(), bytes, 0);
        // Byte by byte, the long input takes long.
        let sizes = SIZES.iter().filter(|&&size| bytes.len() / size < 20_000);
        for &size in sizes {
            let got = run(command, Stdio::piped(), bytes, size);
            assert!(
                got == expected,
                "{command} < {name} by {size}:\n{:?} {}\n{}\n\nfrom a file:\n{:?} {}\n{}",
                got.0,
                got.2,
                got.1.escape_ascii(),
                expected.0,
                expected.2,
                expected.1.escape_ascii(),
            );
        }
    });
}

#[test]
fn findings_wait_only_if_they_may_be_hidden() {
    let mut run = Piped::new(raw_validate().args(["--max-shown", "none"]));
    for number in 1..=12 {
        run.write(b"\xFF\n");
        assert!(run.line().starts_with(&format!("-:{number}:1: ")));
    }
    assert_eq!(run.end().0, Some(1));
}

#[test]
fn findings_wait_for_the_first_block_and_no_longer() {
    let mut run = Piped::new(&mut raw_validate());
    run.write(&b"caf\xFF\n".repeat(15));
    run.write(&b"plain text\n".repeat(6000));
    for number in 1..=15 {
        assert!(run.line().starts_with(&format!("-:{number}:4: ")));
    }
    assert_eq!(run.end().0, Some(1));
}
