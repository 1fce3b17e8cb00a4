//! Files that another process changes while they are read.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::common::bin::{Dir, run};
use utf8::kernel;

/// Two windows of a mapping.
const LEN: usize = 8 << 20;

/// Runs the commands on a file of `LEN` bytes in which another thread flips bytes.
fn run_on_changing_file(line: &[u8], how: &[&str], commands: &[&[&str]], kernels: &[&str]) {
    let dir = Dir::of(&[("f", &line.repeat(LEN / line.len()))]);
    let file = File::options().write(true).open(dir.path("f")).unwrap();
    let end = (LEN / line.len() * line.len()) as u64;
    // The last bytes of each window, and a byte in every few pages.
    let mut places: Vec<_> = (0..end).step_by(9973).collect();
    places.extend((1..5).flat_map(|back| [(4 << 20) - back, end - back]));
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                for byte in [0xFF, 0xE2, b'a', 0xF4, 0x80, b'\n', 0xC3] {
                    places.iter().for_each(|&at| file.write_all_at(&[byte], at).unwrap());
                }
            }
        });
        for command in commands {
            for kernel in kernels {
                let mut command = run(command);
                // A guard against endless loops.
                command.timeout(Duration::from_secs(120)).env("UTF8_KERNEL", kernel);
                let out = command.args(how).arg(dir.path("f")).output();
                let out = out.unwrap();
                let error = String::from_utf8_lossy(&out.stderr);
                let ended = out.status.code().is_some_and(|code| code <= 2);
                if !ended || error.contains("panicked") {
                    done.store(true, Ordering::Relaxed);
                    panic!("{command:?}: {:?}: {error}", out.status);
                }
            }
        }
        done.store(true, Ordering::Relaxed);
    });
}

#[test]
fn commands_that_map_survive_changes() {
    let commands: &[&[&str]] = &[
        &["validate", "-c"],
        &["validate", "--stats", "-m", "20000", "--format", "json"],
        &["validate", "-f", "cesu-8", "-m", "20000"],
        &["validate", "-f", "utf-16le", "-m", "20000", "--format", "full"],
        &["validate", "-f", "windows-1252", "--stats"],
        &["decode", "-t", "utf-16le", "--on-error", "replace"],
        &["decode", "-t", "latin1", "--on-error", "optu"],
        &["decode", "-f", "windows-1251", "-t", "utf-8", "--on-error", "replace"],
        &["decode", "-f", "utf-16le", "-t", "utf-8", "--on-error", "backslashreplace"],
        &["decode", "-t", "utf-32be", "--on-error", "replace"],
    ];
    let line = "aé日😀 words\n".as_bytes();
    run_on_changing_file(line, &["--mmap", "always"], commands, &kernel::names());
}

#[test]
fn commands_that_need_unchanging_bytes_read_them() {
    let commands: &[&[&str]] = &[
        &["repair"],
        &["repair", "--normalize", "nfd", "--newlines", "crlf"],
        &["repair", "--undo-mojibake", "--truncate-lines", "20", "--graphemes"],
        &["detect"],
        &["detect", "--format", "json"],
        &["detect", "--regions"],
        &["decode", "-f", "gb18030", "-t", "utf-8", "--on-error", "replace"],
        &["validate", "-f", "html", "-c"],
        &["dump-bits", "-n", "1000000"],
        &["dump-bits", "--layout", "bytes", "-n", "1000000"],
        &["dump-bits", "-f", "utf-1", "-n", "1000000"],
    ];
    let line = "aé日😀 e\u{301} Ã© words\n".as_bytes();
    run_on_changing_file(line, &["--mmap", "always"], commands, &[""]);
}

#[test]
fn threads_survive_changes() {
    let commands: &[&[&str]] = &[
        &["validate", "-c"],
        &["validate", "--deny", "strict", "-m", "20000", "--format", "json"],
        &["repair"],
        &["repair", "--normalize", "nfd", "--newlines", "crlf"],
        &["decode", "-t", "utf-16le", "--on-error", "replace"],
        &["decode", "-t", "json", "--on-error", "replace"],
        &["decode", "-f", "gb18030", "-t", "utf-8", "--on-error", "replace"],
        &["decode", "-f", "utf-16le", "-t", "latin1", "--on-error", "ignore"],
    ];
    let line = "aé日😀 e\u{301} Ã© words\n".as_bytes();
    run_on_changing_file(line, &["-j", "3"], commands, &[""]);
}

/// The end of the file may be reached by any thread.
#[test]
fn threads_survive_truncation() {
    let line = "aé日😀 words\n".as_bytes();
    let dir = Dir::of(&[("f", &line.repeat(LEN / line.len()))]);
    let file = File::options().write(true).open(dir.path("f")).unwrap();
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                for len in [LEN as u64, 5 << 20, 300 << 10, 7 << 20] {
                    file.set_len(len).unwrap();
                    std::thread::sleep(Duration::from_micros(200));
                }
            }
        });
        let outs: Vec<_> = (0..40)
            .map(|number| {
                let target = ["utf-16le", "json", "gb18030"][number % 3];
                let mut command = run(&["decode", "-j", "3", "-t", target]);
                command.timeout(Duration::from_secs(120)).arg(dir.path("f")).output().unwrap()
            })
            .collect();
        done.store(true, Ordering::Relaxed);
        for out in outs {
            let error = String::from_utf8_lossy(&out.stderr);
            assert!(matches!(out.status.code(), Some(0..=2)), "{:?}: {error}", out.status);
            assert!(!error.contains("panicked"), "{error}");
        }
    });
}
