//! `utf8 validate` under adverse conditions.

mod changes;
mod input;
#[cfg(target_os = "linux")]
mod memory;
mod output;

use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ChildStdout, Command, Output, Stdio};

use crate::common::bin::{Dir, hex};

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
