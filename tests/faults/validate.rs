//! `utf8 validate` under adverse conditions.

mod changes;
mod input;
#[cfg(target_os = "linux")]
mod memory;
mod output;

use std::os::unix::process::ExitStatusExt;
use std::process::Output;

use crate::common::bin::{Dir, hex};

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
