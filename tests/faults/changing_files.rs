//! Files that another process changes while they are read.

use std::fs::File;
use std::io::Read;
use std::os::unix::fs::FileExt;
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::common::bin::{Dir, raw, run};
use crate::common::inputs::Rng;
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

/// Truncates a mapped file while each of some runs reads it: a run reports it, or has converted all
/// that the file had before or after.
fn truncate_mapped(runs: u64) {
    let line = "aé日😀 words\n".as_bytes();
    let text = line.repeat(LEN / line.len());
    let dir = Dir::of(&[("f", &text)]);
    let converted = |len: usize| {
        let text = String::from_utf8_lossy(&text[..len]).into_owned();
        text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>()
    };
    let whole = converted(text.len());
    let mut rng = Rng::new(12);
    let (mut reported, mut complete) = (0, 0);
    for number in 0..runs {
        let file = File::options().write(true).open(dir.path("f")).unwrap();
        file.write_all_at(&text, 0).unwrap();
        let kernel = rng.pick(&kernel::names());
        let mut command = raw();
        command.args(["decode", "--mmap=always", "-j1", "-t", "utf-16le"]).arg(dir.path("f"));
        command.env("UTF8_KERNEL", kernel).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut stdout = child.stdout.take().unwrap();
        // The pipe is full, and the program waits.
        let mut output = vec![0; rng.below(whole.len())];
        stdout.read_exact(&mut output).unwrap();
        let len = rng.below(text.len() / line.len()) * line.len();
        file.set_len(len as u64).unwrap();
        stdout.read_to_end(&mut output).unwrap();
        let done = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&done.stderr);
        let place = format!("{number}: {kernel} at {len}: {:?} {said}", done.status);
        match done.status.code() {
            Some(0) => {
                let expected = [whole.len(), converted(len).len()];
                assert!(expected.contains(&output.len()), "{place}: {} bytes", output.len());
                assert!(whole.starts_with(&output), "{place}");
                complete += 1;
            }
            Some(2) => {
                assert!(said.contains("changed while it was read"), "{place}");
                reported += 1;
            }
            _ => panic!("{place}"),
        }
    }
    eprintln!("{reported} truncations were reported, {complete} runs were complete");
    assert!(reported > runs / 4, "{reported} of {runs}");
}

#[test]
fn truncations_of_a_mapped_file_are_reported() {
    truncate_mapped(20);
}

#[test]
#[ignore = "a minute"]
fn a_thousand_truncations_of_a_mapped_file_are_reported() {
    truncate_mapped(1000);
}
